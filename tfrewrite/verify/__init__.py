"""The equivalence harness: runs two versions of a program, compares what they do, and measures what they cost.

The judge (`judge.py`) works in the process of the command line and never imports TensorFlow. It starts runs of the two
versions in processes of their own (`processes.py`), which carry the agent (`agent/`): that records the calls of the
program's functions, repeats them on other inputs, evaluates them in higher precision and measures them. What the agents
saw comes back as portraits of values (`portrait.py`), which are compared (`compare.py`) and judged.

Asking for a comparison:
    api             `tfrewrite.compare`           here      what runs in this process, for `testing.py`
    harness         the runs of one comparison    case      one function and its inputs
    verified_files  `--verify` over files         verified  one file: what is tried, and what is taken back
Running:
    processes, runs, plan, site     processes that carry the agent, and what they are asked to do
    program, whole, left, output    whole programs: what they hold, what they leave, what they print
    counts, turns, clues            inputs: sizes and numbers that a function is tried with
Measuring:
    costs, footprint, warm          memory and time: of a call, of a process, of calls once warm
Judging:
    portrait, compare, of_keras     values as they come back, and what makes two of them equal
    judge, trying, verdict          what is tried in which order, and what it all amounts to
"""
