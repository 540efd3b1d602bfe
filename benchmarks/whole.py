"""Whether any program of the corpus needs more as a whole once it is rewritten, from its first line to its last: `make bench`.

    python benchmarks/whole.py [WORD...]     all cases that are rewritten by default, or those whose names contain one of the words

Each runs once as it is and once rewritten, and what looks worse twice more (`scripts.py`).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(words: list[str]) -> None:
    # The corpus is read by what the tests read it with.
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    from programs import cases

    from benchmarks import tables
    from benchmarks.scripts import compared

    count, worse = 0, []
    for case, result, before, after in compared([case for case in cases() if not words or any(word in case.name for word in words)]):
        count += 1
        figures = before.figures(), after.figures()
        more = tables.more(*figures)
        # There is nothing that such a program needed: what it would need eagerly is shown beside it.
        said = "raised before" if case.raises_in_a_graph else ", ".join(more)
        used = ", ".join(sorted({one.rule for one in result.rewrites}))
        line = f"| {case.name} | {used} | {' | '.join(tables.whole(*figures))} | {said} |"
        worse += [line] if more and not case.raises_in_a_graph else []
        print(line, flush=True)
    print(f"\n{count} programs are rewritten by default. {len(worse) or 'None'} of them need more as a whole.")
    if worse:
        print("\n| program | rules | peak, MB | resident, MB | time, s | more |\n|---|---|--:|--:|--:|---|", *worse, sep="\n")


if __name__ == "__main__":
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    main(sys.argv[1:])
