"""What programs need as whole scripts, from the first line to the last: what `programs.py` and `whole.py` measure.

A function's warm call doesn't show what a rewrite costs the process once, such as the memory that XLA compiles in. Each script runs
in a process of its own that is forked from one that has imported TensorFlow, as `--verify` does it: under the exact meter, and
without any for its resident memory and its time.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from programs import Case, over_numbers

from benchmarks import tables
from tfrewrite.catalogue import rules
from tfrewrite.engine import Options, Result, rewrite
from tfrewrite.source import Source, apply_edits
from tfrewrite.verify.plan import EXACT, PLAIN
from tfrewrite.verify.processes import Processes
from tfrewrite.verify.program import Program
from tfrewrite.verify.runs import Request, Runs, environment

_LIMIT, _SLOWER_UNDER_METER = 60.0, 4.0
"""Seconds for a script, and how many times as many under the exact meter."""
_EAGERLY = "__import__('tensorflow').config.run_functions_eagerly(True)\n"


@dataclass
class Needs:
    """What the runs of one script needed: MB, MB and seconds."""

    peak: list[float] = field(default_factory=list)
    resident: list[float] = field(default_factory=list)
    time: list[float] = field(default_factory=list)

    def figures(self) -> dict[str, list[float]]:
        """By the names that they are stored under: the median, the least and the most."""
        found = {"whole_peak": self.peak, "whole_resident": self.resident, "whole_time": self.time}
        return {name: [statistics.median(values), min(values), max(values)] for name, values in found.items() if values}


def by_default(case: Case) -> tuple[str, Result]:
    """What becomes of a program without any options, whatever its comments ask for."""
    result = rewrite(Source(case.text, str(case.path)), Options(rules()))
    return apply_edits(case.text, result.edits), result


def script(case: Case) -> str:
    """What a rewritten one is compared with: of a program that raises in a graph what it does eagerly, over Python numbers."""
    return _EAGERLY + over_numbers(case.text) if case.raises_in_a_graph else case.text


def needs(texts: Sequence[str], path: Path, times: int, processes: Processes, known: Sequence[Needs] = ()) -> list[Needs]:
    """What each of the scripts needs, in turns: a machine is not as fast at all times. Those that don't end need nothing that is known."""
    found = list(known) or [Needs() for _ in texts]
    before, *_, after = (Program(text, str(path)) for text in (texts[0], *texts))
    with Runs(Request(before, after, str(path)), processes) as runs:
        for _ in range(times):
            for text, own in zip(texts, found, strict=True):
                for what, limit in ((EXACT, _LIMIT * _SLOWER_UNDER_METER), (PLAIN, _LIMIT)):
                    _, needed = runs.whole(Program(text, str(path)), what, limit)
                    if needed is None:
                        break
                    if needed.peak is not None:
                        own.peak.append(needed.peak / 1e6)
                    if needed.resident is not None:
                        own.resident.append(needed.resident / 1e6)
                        own.time.append(needed.seconds)
    return found


def compared(chosen: Sequence[Case]) -> Iterator[tuple[Case, Result, Needs, Needs]]:
    """What the cases that are rewritten by default need as they are and rewritten: of one run, and of three where it looks worse."""
    with Processes(environment("auto")) as processes:
        for case in chosen:
            text, result = by_default(case)
            if text == case.text:
                continue
            texts = (script(case), text)
            found = needs(texts, case.path, 1, processes)
            if tables.more(*(one.figures() for one in found)):
                found = needs(texts, case.path, 2, processes, found)
            yield case, result, found[0], found[1]
