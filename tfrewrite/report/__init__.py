"""One result, many views of it."""
