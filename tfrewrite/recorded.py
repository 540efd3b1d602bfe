"""Files of facts: what runs have shown of a project's files, for rewriting them later and elsewhere.

JSON, with one entry for each file of the project by its path from the folder where the program was started. Facts have their place in
a text. So an entry holds what the statements of that text were, by their digests: what has not changed since keeps its facts, wherever
in the file it stands by now.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tfrewrite.facts.observed import Observations, Place, digest, together

FORMAT = 1
_MARK = "tfrewrite facts"
_AGAIN = "record again: tfrewrite record -o {path} -- python ..."
_MOST_NAMES = 5


class FactsError(Exception):
    """A file of facts that can't be used; the text says which, what is wrong with it, and what to do."""


@dataclass(frozen=True)
class Unit:
    """A function or method, or another statement that stands outside of functions."""

    name: str
    """Of a function or method, such as Model.step; empty for other statements."""
    first: int
    last: int
    digest: str
    binds: tuple[str, ...]
    """The names that it gives a meaning: of the file, and those of members with a dot before them."""


@dataclass(frozen=True)
class FileFacts:
    """What was seen of one file, and of which text."""

    units: tuple[Unit, ...]
    observations: Observations

    @classmethod
    def of(cls, text: str, observations: Observations) -> FileFacts:
        return cls(tuple(unit for unit, _ in _units(text)), observations)

    def to_data(self) -> dict[str, Any]:
        units = [[one.name, one.first, one.last, one.digest, list(one.binds)] for one in self.units]
        return {"units": units, **self.observations.to_data()}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> FileFacts:
        units = tuple(Unit(name, first, last, digest, tuple(binds)) for name, first, last, digest, binds in data["units"])
        return cls(units, Observations.from_data(data))

    def on(self, text: str) -> tuple[FileFacts, tuple[str, ...]]:
        """The same of a text that this one has become, and the functions of which nothing holds any more."""
        if digest(text) == self.observations.digest:
            return self, ()
        now, before = _units(text), dict(_numbered(self.units))
        keys = [key for key, _ in _numbered(unit for unit, _ in now)]
        kept = [(before.pop(key, None), unit, reads) for key, (unit, reads) in zip(keys, now, strict=True)]
        stale = _stale(list(before.values()), kept)
        moved = [(old, unit.first - old.first) for old, unit, _ in kept if old is not None and unit not in stale]
        ignored = [unit.name for _, unit, _ in kept if unit in stale and unit.name]
        return FileFacts(tuple(unit for unit, _ in now), _moved(self.observations, moved, digest(text))), tuple(dict.fromkeys(ignored))


@dataclass(frozen=True)
class Recorded:
    """A file of facts."""

    path: str
    files: Mapping[str, FileFacts] = field(default_factory=dict)

    def of(self, path: str, text: str) -> tuple[Observations | None, str]:
        """What is known of a file of this text, and what is to be said about that."""
        found = next((self.files[name] for name in self._names(path) if name in self.files), None)
        if found is None:
            return None, ""
        facts, ignored = found.on(text)
        if not ignored:
            return facts.observations, ""
        shown = ", ".join(ignored[:_MOST_NAMES]) + (f" and {len(ignored) - _MOST_NAMES} more" if len(ignored) > _MOST_NAMES else "")
        said = f"{self.path} is not used for {shown}: changed since, or bound to what has changed; {_AGAIN.format(path=self.path)}"
        return facts.observations, said

    def concerns(self, paths: Iterable[str]) -> bool:
        return any(name in self.files for path in paths for name in self._names(path))

    def _names(self, path: str) -> Iterator[str]:
        """What the file may be called there: from the folder where tfrewrite was started, or from the facts' own."""
        for folder in (os.getcwd(), os.path.dirname(os.path.abspath(self.path))):
            yield name_of(path, folder)

    def with_run(self, run: Mapping[str, FileFacts]) -> Recorded:
        """With what one more run has shown: of files that have changed meanwhile, what still holds."""
        files = dict(self.files)
        for name, new in run.items():
            files[name] = _joined(files[name], new) if name in files else new
        return Recorded(self.path, files)

    @property
    def stamp(self) -> str:
        """Changes with what is known."""
        return digest(_text(self.files))

    def save(self) -> None:
        """Write it, whole or not at all. Raises `OSError`."""
        target = os.path.realpath(self.path)
        partial = os.path.join(os.path.dirname(target), f".{os.path.basename(target)[:200]}.{os.urandom(4).hex()}.tmp")
        try:
            with open(partial, "x", encoding="utf-8") as file:
                file.write(_text(self.files))
            os.replace(partial, target)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(partial)


def name_of(path: str, folder: str) -> str:
    """A file's path from a folder, as files of facts have it."""
    try:
        return os.path.relpath(os.path.realpath(path), os.path.realpath(folder)).replace(os.sep, "/")
    except ValueError:  # on another drive
        return path


def load(path: str) -> Recorded:
    """Raises `FactsError`."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise FactsError(f"{path}: can't be read: {error.strerror}; {_AGAIN.format(path=path)}") from None
    except UnicodeDecodeError:
        raise FactsError(_no_facts(path, "text in UTF-8")) from None
    try:
        data: Any = json.loads(text)
    except ValueError:
        raise FactsError(_no_facts(path, "JSON")) from None
    match data:
        case {"tfrewrite facts": int() as number} if number == FORMAT:
            try:
                return Recorded(path, {str(name): FileFacts.from_data(one) for name, one in data["files"].items()})
            except (LookupError, TypeError, ValueError, AttributeError) as error:
                said = f"{path}: damaged ({type(error).__name__}: {error}): expected the entries that tfrewrite record writes"
                raise FactsError(f"{said}; {_AGAIN.format(path=path)}") from None
        case {"tfrewrite facts": number}:
            said = f"{path}: facts of format {number!r}, and this version of tfrewrite reads format {FORMAT}"
            raise FactsError(f"{said}: delete it, and {_AGAIN.format(path=path)}")
    raise FactsError(_no_facts(path, f'a "{_MARK}" entry'))


def _no_facts(path: str, expected: str) -> str:
    return f"{path}: no file of facts: expected {expected}, as tfrewrite record writes it; {_AGAIN.format(path=path)}"


def _text(files: Mapping[str, FileFacts]) -> str:
    return json.dumps({_MARK: FORMAT, "files": {name: files[name].to_data() for name in sorted(files)}}, separators=(",", ":")) + "\n"


def _joined(old: FileFacts, new: FileFacts) -> FileFacts:
    if old.observations.digest == new.observations.digest:
        return replace(new, observations=together([old.observations, new.observations]))
    # The text of the new ones is at hand by its statements only: what stands in both, at its new place.
    places = dict(_numbered(new.units))
    before = _numbered(old.units)
    same = [(unit, places[key].first - unit.first) for key, unit in before if key in places]
    if len(same) < max(len(before), len(places)):
        return new
    return replace(new, observations=together([_moved(old.observations, same, new.observations.digest), new.observations]))


def _numbered(units: Iterable[Unit]) -> list[tuple[tuple[str, str, int], Unit]]:
    """Statements may stand in a file twice."""
    counts: Counter[tuple[str, str]] = Counter()
    found = []
    for unit in units:
        counts[unit.name, unit.digest] += 1
        found.append(((unit.name, unit.digest, counts[unit.name, unit.digest]), unit))
    return found


def _moved(observations: Observations, units: Sequence[tuple[Unit, int]], now: str) -> Observations:
    by_line = {line: lines for unit, lines in units for line in range(unit.first, unit.last + 1)}

    def placed(known: Mapping[Place, Any]) -> dict[Place, Any]:
        return {
            (place[0] + by_line[place[0]], place[1], place[2] + by_line[place[0]], place[3], place[4]): value
            for place, value in known.items()
            if place[0] in by_line and place[2] in by_line
        }

    return Observations(
        now, placed(observations.expressions), placed(observations.functions), placed(observations.loops), observations.effects
    )


# What stands in a text, and what depends on what


_Reads = frozenset[str]


def _units(text: str) -> list[tuple[Unit, _Reads]]:
    """In their order, each with the names that it reads. Raises `SyntaxError`."""
    lines = text.splitlines()
    found: list[tuple[Unit, _Reads]] = []
    for name, nodes, first, last, binds in _pieces(ast.parse(text).body, ""):
        reads = frozenset().union(*map(_reads, nodes))
        if found and first <= found[-1][0].last:  # statements that share a line
            before, others = found.pop()
            name, first, binds, reads = before.name or name, before.first, (*before.binds, *binds), reads | others
        content = digest("\n".join(lines[first - 1 : last]))
        found.append((Unit(name, first, last, content, tuple(dict.fromkeys(binds))), reads))
    return found


def _pieces(body: Sequence[ast.stmt], owner: str) -> Iterator[tuple[str, list[ast.AST], int, int, tuple[str, ...]]]:
    """Name, nodes, first and last line, and what is given a meaning."""
    for node in body:
        first, last = _start(node), node.end_lineno or node.lineno
        match node:
            case ast.ClassDef():
                inner = f"{owner}{node.name}"
                header = max(first, min((_start(one) for one in node.body), default=last) - 1)
                yield inner, [*node.decorator_list, *node.bases, *node.keywords], first, header, (inner.partition(".")[0],)
                yield from _pieces(node.body, f"{inner}.")
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                bound = (f".{node.name}", owner.partition(".")[0]) if owner else (node.name,)
                yield f"{owner}{node.name}", [node], first, last, bound
            case _:
                names = sorted(_bound(node))
                yield "", [node], first, last, (*(f".{one}" for one in names), owner.partition(".")[0]) if owner else tuple(names)


def _start(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)])


def _bound(node: ast.AST) -> set[str]:
    found: set[str] = set()
    for one in ast.walk(node):
        match one:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.alias(name=name, asname=asname):
                found.add(asname or name.partition(".")[0])
    return found


def _reads(node: ast.AST) -> set[str]:
    """Names of the file, and of members with a dot before them; not what a function itself gives a meaning."""
    found: set[str] = set()
    for one in ast.walk(node):
        match one:
            case ast.Name(id=name, ctx=ast.Load()):
                found.add(name)
            case ast.Attribute(attr=name):
                found.add(f".{name}")
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        shared = {name for one in ast.walk(node) if isinstance(one, ast.Global | ast.Nonlocal) for name in one.names}
        own = {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)} | {name for part in node.body for name in _bound(part)}
        found -= own - shared
    return found


def _stale(gone: Sequence[Unit], kept: Sequence[tuple[Unit | None, Unit, _Reads]]) -> set[Unit]:
    """Of the statements of a text those that are new, that use what has changed, or that changed ones may hand other things to."""
    changed = [(unit, reads) for old, unit, reads in kept if old is None]
    names = {name for unit in [*gone, *(unit for unit, _ in changed)] for name in unit.binds}
    stale = {unit for unit, _ in changed}
    given = {name for _, reads in changed for name in reads}
    grown = True
    while grown:
        grown = False
        for _, unit, reads in kept:
            if unit not in stale and reads & names:
                stale.add(unit)
                names |= set(unit.binds)
                grown = True
    called: set[Unit] = set()
    grown = True
    while grown:
        grown = False
        for _, unit, reads in kept:
            if unit not in called and unit.name and given & set(unit.binds):
                called.add(unit)
                given |= reads
                grown = True
    return stale | called
