"""The same rewrites on a live function: its source by way of linecache, its facts from the objects of the program.

`decorator.py` takes whatever can be decorated, `dispatch.py` writes the function that stands for it, `optimized.py` keeps what
was made for each kind of calls. `written.py` finds the source, `seeing.py` the facts and their tests, `rewritten_functions.py` asks the
engine, `trials.py` compares, unless `side_effects.py` forbids it. `report.py` shows the result.
"""
