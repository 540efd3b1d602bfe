"""What other files of a project call of a file: its functions, with what, and in what.

Each of the other files is read once. It is followed by names alone: `from train import fit`, `import train as t; t.fit(x)`. What
isn't a call of a name, such as a module or a function that is handed on, may end in any call.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import gast

from tfrewrite.facts.contexts import Mode
from tfrewrite.facts.scopes import Scopes
from tfrewrite.kinds import UNKNOWN, Kind, map_symbols
from tfrewrite.source import Source, SourceError
from tfrewrite.standing import Importer, Surroundings

if TYPE_CHECKING:
    from tfrewrite.facts import Facts

_LIBRARIES = frozenset({"tensorflow", "numpy", "keras", *sys.stdlib_module_names})
_BY_TEXT = frozenset({"globals", "locals", "vars", "eval", "exec", "__import__", "modules", "import_module", "run_path", "run_module"})
_REACHING = frozenset({"__dict__", "__getattribute__", "__getattr__"})
_MOST_KEPT = 500
_LONG = 1_000
_MOST_WHOLE = 8
"""Of the files that are kept: with all their facts."""


@dataclass(frozen=True)
class Path:
    """The dotted name of something that is imported; `whole` if it begins at the root of the file system, as a relative import does."""

    parts: tuple[str, ...]
    whole: bool = False

    def beginnings(self) -> Iterator[Path]:
        return (Path(self.parts[:count], self.whole) for count in range(1, len(self.parts)))

    def may_be(self, module: tuple[str, ...]) -> bool:
        return module == self.parts if self.whole else module[-len(self.parts) :] == self.parts

    @property
    def is_library(self) -> bool:
        return not self.whole and self.parts[0] in _LIBRARIES

    def and_(self, name: str) -> Path:
        return Path((*self.parts, name), self.whole)


@dataclass(frozen=True)
class ImporterCall:
    """A call that another file makes: the kinds of its arguments, and what it runs in."""

    arguments: tuple[Kind, ...]
    keywords: tuple[tuple[str, Kind], ...]
    starred: bool
    mode: Mode
    only_eager: bool
    taped: bool


@dataclass
class _Module:
    """What one other file does with what it imports."""

    name: tuple[str, ...] = ()
    calls: dict[Path, list[gast.Call]] = field(default_factory=dict)
    handed: set[Path] = field(default_factory=set)
    """What it takes and does anything else with."""
    renamed: dict[Path, str] = field(default_factory=dict)
    stars: set[Path] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)
    """The names that its imports give."""
    loose: dict[str, list[tuple[tuple[str, ...], gast.Call | None]]] = field(default_factory=dict)
    """Names that only `from x import *` can give, with the attributes behind them and the call of all that, if it is one."""
    texts: frozenset[str] = frozenset()
    """The names that its texts hold."""
    spelled: frozenset[str] = frozenset()
    """All names and attributes that it reads."""
    is_notebook: bool = False
    facts: Facts | None = None
    known: dict[gast.Call, ImporterCall] = field(default_factory=dict)

    def settle(self) -> None:
        """Find out about all calls of what may be part of a project, and let go of the rest."""
        if (facts := self.facts) is not None:
            self.facts = None
            calls = [call for path, some in self.calls.items() if not path.is_library for call in some]
            calls += [call for some in self.loose.values() for _, call in some if call is not None]
            self.known = {call: _seen(call, facts) for call in calls}


_modules: OrderedDict[tuple[str, int, int, Importer], _Module | None] = OrderedDict()


class Importers:
    """What the files that import a file do with its functions."""

    def __init__(self, path: str, around: Surroundings) -> None:
        self._name = module_name(path)
        self._around = around
        self._calls: dict[str, tuple[ImporterCall, ...] | None] = {}

    def calls(self, name: str) -> tuple[ImporterCall, ...] | None:
        """Every call of a function of the file that other files make; None where there may be others."""
        if name not in self._calls:
            self._calls[name] = None  # while it is found out
            self._calls[name] = self._found(name)
        return self._calls[name]

    def _found(self, name: str) -> tuple[ImporterCall, ...] | None:
        modules = [_module(one) for one in self._around.importers]
        known = [one for one in modules if one is not None]
        if len(known) < len(modules):
            return None
        names = [self._name, *(one.name for one in known)]
        found: list[ImporterCall] = []
        for module in known:
            calls = _calls_of(name, module, known, names)
            if calls is None or (calls and module.is_notebook):
                return None
            if calls:
                module.settle()
            found += [module.known[one] for one in calls]
        return tuple(found)


def _calls_of(name: str, module: _Module, all_of_them: Sequence[_Module], names: Sequence[tuple[str, ...]]) -> list[gast.Call] | None:
    """The calls of a function by one module; None where it may do something else with it."""

    def leads_there(path: Path) -> bool:
        return any(path.may_be(one) for one in names)

    folders = [names[0][:count] for count in range(1, len(names[0]))]
    for path in module.handed:
        if leads_there(path) or any(map(path.may_be, folders)):
            return None  # a module, or a package that it lies in
        if name in path.parts and any(map(leads_there, path.beginnings())):
            return None
    if any(not _REACHING.isdisjoint(path.parts) for path in (*module.handed, *module.calls)):
        return None
    if not module.spelled.isdisjoint(_BY_TEXT) and (name in module.spelled or "getattr" in module.spelled):
        return None
    for path, other in module.renamed.items():
        if path.parts[-1] == name and other != name and any(map(leads_there, path.beginnings())):
            if any(other in one.parts for each in all_of_them for one in (*each.calls, *each.handed, *each.renamed)):
                return None  # another file may take it from here by that name
    found = []
    for path, calls in module.calls.items():
        if name in path.parts and any(map(leads_there, path.beginnings())):
            if path.parts.index(name) != len(path.parts) - 1 or path.is_library:
                return None  # product.get_concrete_function(...), and `trace.product(x)`, where both Python and the project have a `trace`
            found += calls
    if any(map(leads_there, module.stars)):
        bound = {one for each in all_of_them for one in each.bound}
        for loose, uses in module.loose.items():
            for attributes, call in uses:
                if loose == name and not attributes and call is not None:
                    found.append(call)
                elif loose == name or name in attributes or (loose in bound and not attributes and call is None):
                    return None
    return None if name in module.texts else found


def module_name(path: str) -> tuple[str, ...]:
    """The names of a file's folders, and its own where it isn't that of the folder."""
    folder, file = os.path.split(os.path.realpath(path))
    stem = os.path.splitext(file)[0]
    folders = tuple(one for one in folder.split(os.sep) if one)
    return folders if stem == "__init__" else (*folders, stem)


def _module(importer: Importer) -> _Module | None:
    """What another file does; None where it can't be read."""
    try:
        status = os.stat(importer.path)
        key = (importer.path, status.st_mtime_ns, status.st_size, importer)
        if key not in _modules:
            _modules[key] = _read(importer)
            if len(_modules) > _MOST_KEPT:
                _modules.popitem(last=False)
            for one in [one for one in _modules.values() if one is not None and one.facts is not None][:-_MOST_WHOLE]:
                one.settle()
        return _modules[key]
    except OSError:
        return None


def _read(importer: Importer) -> _Module | None:
    from tfrewrite.facts import Facts

    try:
        with open(importer.path, "rb") as file:
            data = file.read()
        is_notebook = importer.path.endswith(".ipynb")
        if is_notebook:
            source = Source(_code_of_cells(data), importer.path)
        elif importer.path.endswith((".py", ".pyw")):
            source = Source.from_bytes(data, importer.path).standing_in(Surroundings(importer.standing))
        else:
            return None
        facts = Facts(source)
    except (OSError, SourceError, RecursionError, ValueError, KeyError, TypeError):
        return None
    module = _Reader(facts, importer.path).module
    module.is_notebook = is_notebook
    return module


def _code_of_cells(data: bytes) -> str:
    """A notebook's cells as one program, without what isn't Python."""
    cells = json.loads(data)["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell.get("cell_type") == "code"]
    lines = [line for text in texts for line in text.split("\n")]
    if any(line.split()[:1] in (["%run"], ["%load"]) or (line.lstrip().startswith("!") and "import" in line) for line in lines):
        raise ValueError("what it runs is not written here")
    return "\n".join("" if line.lstrip().startswith(("%", "!", "?")) or line.rstrip().endswith("?") else line for line in lines) + "\n"


class _Reader:
    def __init__(self, facts: Facts, path: str) -> None:
        self._scopes: Scopes = facts.scopes
        self._name = module_name(path)
        self._is_package = os.path.basename(path) == "__init__.py"
        self.module = _Module(self._name, facts=facts)
        self._read(facts)

    def _read(self, facts: Facts) -> None:
        module = self.module
        for one in facts.nodes((gast.alias,)):
            self._import(one)
        for node in facts.nodes((gast.Name,)):
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
                self._use(node)
        texts = (one.value for one in facts.nodes((gast.Constant,)) if isinstance(one, gast.Constant) and isinstance(one.value, str))
        module.texts = frozenset(part for text in texts if len(text) < _LONG for part in _names_in(text))
        module.spelled = frozenset(getattr(one, "id", getattr(one, "attr", "")) for one in facts.nodes((gast.Name, gast.Attribute)))

    def _import(self, alias: gast.AST) -> None:
        statement = self._scopes.parents[alias]
        if isinstance(alias, gast.alias):
            self.module.bound.add(alias.asname or alias.name.partition(".")[0])
        match alias, statement:
            case gast.alias(name="*"), gast.ImportFrom():
                self.module.stars.add(self._base(statement))
            case gast.alias(name=name, asname=asname), gast.ImportFrom():
                self.module.renamed[self._base(statement).and_(name)] = asname or name

    def _base(self, statement: gast.ImportFrom) -> Path:
        parts = tuple(statement.module.split(".")) if statement.module else ()
        if not statement.level:
            return Path(parts)
        package = self._name if self._is_package else self._name[:-1]
        return Path((*package[: len(package) - (statement.level - 1)], *parts), whole=True)

    def _use(self, name: gast.Name) -> None:
        """Follow a name that is read: what it stands for, the attributes behind it, and whether all of that is called."""
        owner = self._scopes.names[name].lookup(name.id) if name in self._scopes.names else None
        call, node, attributes = self._chain(name)
        if owner is None:
            if self.module.stars:
                self.module.loose.setdefault(name.id, []).append((tuple(attributes), call))
            return
        for binding in owner.bindings[name.id]:
            if isinstance(binding, gast.alias) and (path := self._imported(binding)) is not None:
                for attribute in attributes:
                    path = path.and_(attribute)
                if call is not None and len(owner.bindings[name.id]) == 1:
                    self.module.calls.setdefault(path, []).append(call)
                elif isinstance(self._scopes.parents.get(node), gast.Expr):
                    pass  # it is only named
                else:
                    self.module.handed.add(path)

    def _chain(self, name: gast.Name) -> tuple[gast.Call | None, gast.AST, list[str]]:
        node: gast.AST = name
        attributes = []
        while isinstance(parent := self._scopes.parents.get(node), gast.Attribute):
            attributes.append(parent.attr)
            node = parent
        call = self._scopes.parents.get(node)
        return (call if isinstance(call, gast.Call) and call.func is node else None), node, attributes

    def _imported(self, alias: gast.alias) -> Path | None:
        match self._scopes.parents[alias]:
            case gast.Import():
                parts = tuple(alias.name.split(".")) if alias.asname else (alias.name.partition(".")[0],)
                return Path(parts)
            case gast.ImportFrom() as statement if alias.name != "*":
                return self._base(statement).and_(alias.name)
        return None


def _names_in(text: str) -> list[str]:
    """What a text may name: "module.function", "module:function", or names in code such as "fit(x)"; not each word of a sentence."""
    return re.findall(r"\w+", text) if "(" in text else [one for one in re.split("[.:]", text) if one.isidentifier()]


def _seen(call: gast.Call, facts: Facts) -> ImporterCall:
    starred = any(isinstance(one, gast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords)
    return ImporterCall(
        () if starred else tuple(_portable(facts.kind(one)) for one in call.args),
        () if starred else tuple((one.arg, _portable(facts.kind(one.value))) for one in call.keywords),
        starred,
        facts.mode(call),
        facts.contexts.only_eager(call),
        facts.taped(call) or facts.contexts.under_a_tape(call),
    )


def _portable(kind: Kind) -> Kind:
    """What is known of a value without the file that it comes from: no sizes by name, no classes, and lists may change."""
    from tfrewrite.facts.walk.kept_kinds import without_lists

    found = map_symbols(without_lists(kind), lambda symbol: None)
    return UNKNOWN if _belongs_there(found) else found


def _belongs_there(kind: Kind) -> bool:
    """Does it say something by a class or a name of its file?"""
    if kind.instance is not None or "." in (kind.dtype or ""):
        return True
    return any(map(_belongs_there, kind.items or ())) or (kind.each is not None and _belongs_there(kind.each))
