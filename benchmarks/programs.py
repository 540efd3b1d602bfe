"""What rewriting saves in the whole programs of `corpus/programs`, beside everything else that could be done: `make bench`.

    python benchmarks/programs.py [WORD...]     measure all programs, or those whose names contain one of the words
    python benchmarks/programs.py --tables      only make the tables and the pictures again
    python benchmarks/programs.py --changed     measure those of which the rules make another text than was measured
    python benchmarks/programs.py --whole       only measure again what the whole scripts need
    python benchmarks/programs.py --rounds 1    for a first look

Of each program these forms run in turns, each in a process of its own: as it is, with the function that its last statement calls
under `tf.function` and under `tf.function(jit_compile=True)`, rewritten by default, rewritten with `--for both --fidelity tolerance`
("everything") and with `--verify` where that gives another text, and the best form by hand. Measured is the last statement, and of what a user gets
from the text alone the whole script too (`scripts.py`). What comes out is kept in `programs.json`, and all tables and pictures are made
from that file alone (`tables.py`).
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--tables", action="store_true")
    parser.add_argument("--changed", action="store_true")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    # The corpus is read and compared by what the tests read and compare it with.
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    from benchmarks import tables
    from benchmarks.measuring import measure_all, measure_whole

    if given.whole:
        measure_whole(given.words, given.rounds)
    elif not given.tables:
        measure_all(given.words, given.rounds, given.changed)
    tables.publish()


if __name__ == "__main__":
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    main()
