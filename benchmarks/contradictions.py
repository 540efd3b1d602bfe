"""What is said of programs and isn't so: their facts, compared with what their expressions are while they run.

    python benchmarks/contradictions.py [--seconds 30] FILE_OR_FOLDER ...

Each program, a script or the cells of a notebook, runs in a process of its own for so long at most, over stand-ins for its data (`shims/`).
What it did until then counts.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import gast

from benchmarks.facts import files
from tfrewrite.facts import Facts
from tfrewrite.facts.observed import Seen, key_of
from tfrewrite.kinds import Kind, Sort, contradicts
from tfrewrite.projects import Projects
from tfrewrite.source import Source, SourceError

_SHIMS = Path(__file__).parent / "shims"
_NOT_COMPARED = (Sort.UNKNOWN, Sort.SCALAR, Sort.OBJECT, Sort.SYMBOLIC, Sort.DATASET, Sort.ITERATOR, Sort.TAPE, Sort.GENERATOR, Sort.DICT)


class _TimeIsUp(BaseException): ...


def compared(known: Kind, seen: Seen) -> bool:
    """Is enough seen to compare it?"""
    return known.sort not in _NOT_COMPARED and seen.kind.sort is not Sort.UNKNOWN


def wrong(source: Source, seconds: int) -> tuple[int, list[str]]:
    """How many expressions of a program that ran were compared, and what contradicts."""
    from tfrewrite.notebooks import standin
    from tfrewrite.verify.agent.observer import Observer

    if source.cells is not None:
        standin.install()

    namespace: dict[str, object] = {"__name__": "__main__", "__file__": source.path}

    def stop(number: int, frame: FrameType | None) -> None:
        raise _TimeIsUp

    signal.signal(signal.SIGALRM, stop)
    with Observer(source.text, source.path) as observer:
        signal.alarm(seconds)
        try:
            exec(observer.code, namespace)
            ended = "ended"
        except BaseException as error:  # whatever a public script raises here
            ended = f"{type(error).__name__}: {str(error)[:60]}"
        signal.alarm(0)
    observations = observer.observations(None)
    facts = Facts(source)
    expressions = observations.expressions
    places = {}
    for (line, column, last, end, kind), seen in expressions.items():
        places[source.offset(line, column), source.offset(last, end), kind] = seen
    count, found = 0, []
    for node in facts.scopes.parents:
        seen_here = places.get(key) if isinstance(node, gast.expr) and (key := key_of(node, source)) is not None else None
        if seen_here is None or not compared(known := facts.kind(node), seen_here):
            continue
        count += 1
        if contradicts(known, seen_here.kind):
            found.append(
                f"{source.text_of(node)[:60]!r} in line {getattr(node, 'lineno', 0)} is said to be {known}, and was {seen_here.kind}"
            )
    print(f"  {ended}", file=sys.stderr)
    return count, found


def in_a_process(source: Source, seconds: int) -> tuple[int, list[str]]:
    """The same, in a process of its own."""
    import json

    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as quiet, contextlib.redirect_stdout(quiet):
                os.chdir(folder)
                result = wrong(source, seconds)
            os.write(write, json.dumps(result).encode())
        except BaseException:
            traceback.print_exc()
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as answers:
        text = answers.read()
    os.waitpid(child, 0)
    count, found = json.loads(text) if text else (0, [])
    return count, found


def main(arguments: Sequence[str]) -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("paths", nargs="+", type=Path)
    options.add_argument("--seconds", type=int, default=30)
    given = options.parse_args(arguments)
    sys.path.insert(0, str(_SHIMS))
    __import__("stand_in")
    projects = Projects(map(str, given.paths))
    programs = contradictions = 0
    for path in (one for named in given.paths for one in files(named)):
        try:
            source = Source.from_bytes(path.read_bytes(), str(path))
            source = source.standing_in(projects.surroundings(str(path)))
            compile(source.text, str(path), "exec")
        except (SourceError, SyntaxError):
            continue
        count, found = in_a_process(source, given.seconds)
        programs += count > 0
        contradictions += len(found)
        print(f"{count:6} {len(found):3} {path.name}", *(f"\n       {one}" for one in found), flush=True)
    print(f"{programs} programs, {contradictions} contradictions")
    return min(contradictions, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
