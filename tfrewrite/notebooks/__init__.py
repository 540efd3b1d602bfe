"""Notebooks: their code cells as one program, and edits of that program written back into the cells."""
