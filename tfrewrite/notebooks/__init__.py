"""Notebooks: their code cells as one program, and edits of that program written back into the cells.

document      where the sources of cells stand in the file
translation   one cell as Python
program       the cells as one program, and its edits as edits of the cells
standin       what a run without IPython needs of it
magic         `%%tfrewrite`
"""
