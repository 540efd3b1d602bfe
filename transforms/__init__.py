"""The catalogue: one file a rewrite, the file named after it. `tfrewrite/catalogue.py` finds them."""
