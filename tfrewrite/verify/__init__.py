"""The equivalence harness: runs two versions of a program, compares what they do, and measures what they cost.

The judge (`judge.py`) works in the process of the command line and never imports TensorFlow. It starts runs of the two
versions in processes of their own (`processes.py`), which carry the agent (`agent/`): that records the calls of the
program's functions, repeats them on other inputs, evaluates them in higher precision and measures them. What the agents
saw comes back as portraits of values (`portrait.py`), which are compared (`compare.py`) and judged.
"""
