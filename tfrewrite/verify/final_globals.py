"""What a program's names stand for at its end, as far as anybody can see it."""

from __future__ import annotations

import re
import symtable
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from tfrewrite.verify.compare import is_narrowed
from tfrewrite.verify.plan import AnyPortrait
from tfrewrite.verify.portrait import Composite, Store
from tfrewrite.verify.program import Program
from tfrewrite.verify.runs import Request

_MOST_FILES, _MOST_BYTES = 200, 1 << 20


@dataclass(frozen=True)
class Left:
    """Both versions' names, with those that can be compared; `gone`: those that one of them no longer has, and nobody misses."""

    before: Composite
    after: Composite
    gone: tuple[str, ...] = ()
    narrowed: tuple[str, ...] = ()
    """Arrays that hold the same numbers with fewer digits, which nobody misses either."""

    def only(self, labels: Set[str]) -> tuple[Composite, Composite]:
        return _only(self.before, labels), _only(self.after, labels)

    @property
    def note(self) -> str:
        said = [f"it no longer leaves {_listed(self.gone)} behind"] if self.gone else []
        said += [f"it leaves {_listed(self.narrowed)} behind with fewer digits"] if self.narrowed else []
        return f"{', and '.join(said)}, which nothing else in the script reads" if said else ""


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def left(states: tuple[AnyPortrait, AnyPortrait], request: Request, store: Store) -> Left:
    """What to compare of two runs of a script.

    A name of the top level that is deleted, renamed or moved into a function is as private as a local one where the top level
    is the script that runs, and neither its functions nor another file beside it could have read the name.
    """
    before, after = request.before, request.after
    mine, his = (_data(state, before) for state in states)
    his = _in_order(his, mine)  # the other version may have helpers of its own, and bind names in another order
    kept = {label for label, _ in his.members}
    if before.main == after.main:
        return Left(mine, his)
    lost = private((label[2:-2] for label, _ in mine.members if label not in kept), request)
    theirs = dict(his.members)
    fewer = private((label[2:-2] for label, part in mine.members if label in kept and is_narrowed(part, theirs[label], store)), request)
    left_out = {f"[{name!r}]" for name in (*lost, *fewer)}
    mine, his = (_only(one, {label for label, _ in one.members} - left_out) for one in (mine, his))
    return Left(mine, his, tuple(lost), tuple(fewer))


def private(names: Iterable[str], request: Request) -> list[str]:
    """Those that nobody misses who runs the other version, or could have imported the original."""
    found = [name for name in names if _is_private(name, request.after)]
    return [] if found and _is_imported(Path(request.file)) else found


def _only(state: Composite, labels: Set[str]) -> Composite:
    return replace(state, members=tuple(part for part in state.members if part[0] in labels))


def _in_order(state: Composite, like: Composite) -> Composite:
    """The names that both have, in the order of the other one."""
    parts = dict(state.members)
    return replace(state, members=tuple((label, parts[label]) for label, _ in like.members if label in parts))


def _data(state: AnyPortrait, program: Program) -> Composite:
    """Without functions that something was made of."""
    assert isinstance(state, Composite)
    code = {f"[{name!r}]" for name in program.functions}
    return replace(state, members=tuple((label, part) for label, part in state.members if label not in code))


def _is_private(name: str, after: Program) -> bool:
    """Can it be gone without being missed? Names in capitals are there to be seen."""
    return not name.isupper() and name not in _read_inside(after) and "__all__" not in after.globals


def _read_inside(program: Program) -> frozenset[str]:
    """The names that functions and classes look for at the top level."""

    def names(table: symtable.SymbolTable) -> Iterator[str]:
        for child in table.get_children():
            yield from (one.get_name() for one in child.get_symbols() if one.is_global() and one.is_referenced())
            yield from names(child)

    return frozenset(names(symtable.symtable(program.text, program.path, "exec")))


def _is_imported(file: Path) -> bool:
    """Does a file beside it import this one?"""
    word = re.compile(rf"^\s*(?:from\s+\.*(?:[\w.]+\.)?{re.escape(file.stem)}\s+import|import\s.*\b{re.escape(file.stem)}\b)", re.MULTILINE)
    beside = (path for path in sorted(file.parent.glob("*.py")) if path.name != file.name)
    return any(word.search(_text(path)) for path in islice(beside, _MOST_FILES))


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace") if path.stat().st_size <= _MOST_BYTES else ""
    except OSError:
        return ""
