"""What runs beside the user's program, in its process."""
