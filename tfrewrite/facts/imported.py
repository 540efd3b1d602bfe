"""What a file takes from other files of its project: constants, functions and classes, as far as those files say what they are.

A file is read when something of it is asked for. Nothing of it is believed where a file that imports it sets an attribute of
one of its names, or may do so.
"""

from __future__ import annotations

import ast
import os
import re
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import gast

from tfrewrite.facts.scopes import Function, Scopes
from tfrewrite.kinds import UNKNOWN, Kind, Sort, map_symbols
from tfrewrite.ops.made import Made
from tfrewrite.source import Source, SourceError
from tfrewrite.standing import Imported, Standing, Surroundings

if TYPE_CHECKING:
    from tfrewrite.facts import Facts

_MOST_KEPT = 100
_ANY = "*"
_BY_TEXT = frozenset({"exec", "eval", "vars", "setattr", "delattr", "patch", "object", "__setattr__", "__delattr__"})
"""What sets attributes by their names as text."""
_SET_IN_TEXT = re.compile(r"\.\s*(\w+)\s*(?=[,)\]:]|=(?!=)|[-+*/@%&|^<>]+=|in\b)")
_RESIZED = "resize()"
_RESHAPING = frozenset({"shape", "dtype", _RESIZED})
_PLAIN = frozenset({Sort.NUMBER, Sort.TEXT, Sort.NONE})


@dataclass(frozen=True)
class Thing:
    """Something that another file defines: a function, a class, or the name that is given a value."""

    name: str
    node: gast.AST
    facts: Facts = field(compare=False)
    is_reshaped: bool = False
    """May arrays that it holds be given other shapes in place?"""


@dataclass(frozen=True)
class Foreign:
    """A class of another file, which derives from one of Keras."""

    node: gast.ClassDef
    facts: Facts = field(compare=False)

    def defines(self, name: str) -> bool:
        """May its objects have something of their own by this name?"""
        mutation = self.facts.mutation
        return name in self.facts.scopes.of[self.node].bindings or bool(mutation.attribute_stores(name)) or mutation.set_by_text(name)

    def returned(self, name: str) -> Kind:
        """What one of its methods returns, whatever it is given."""
        method = self.facts.callers.own_method(self.node, name)
        return UNKNOWN if method is None else portable(self.facts.returned(method), self.facts)


class Imports:
    """What the names of a file stand for that it imports from its project."""

    def __init__(self, around: Surroundings, scopes: Scopes) -> None:
        self._links = dict(around.imports)
        self._modules = {one.path: one for one in around.modules}
        self._scopes = scopes
        self._found: dict[tuple[gast.AST, tuple[str, ...]], Thing | None] = {}

    @property
    def paths(self) -> Sequence[str]:
        return tuple(self._modules)

    def thing(self, node: gast.AST) -> Thing | None:
        """What an expression such as `BATCH`, `config.BATCH` or `net.layers.Block` stands for."""
        attributes: tuple[str, ...] = ()
        while isinstance(node, gast.Attribute):
            attributes = (node.attr, *attributes)
            node = node.value
        if not self._links or not isinstance(node, gast.Name) or node not in self._scopes.names:
            return None
        owner = self._scopes.names[node].lookup(node.id)
        if owner is None or node.id in owner.shared:
            return None
        match owner.bindings[node.id]:
            case [gast.alias() as binding]:
                return self.named(binding, attributes)
        return None

    def named(self, alias: gast.alias, attributes: tuple[str, ...] = ()) -> Thing | None:
        """What is imported by an alias, or stands behind the attributes of that."""
        key = (alias, attributes)
        if key not in self._found:
            self._found[key] = None
            self._found[key] = self._of_alias(alias, attributes)
        return self._found[key]

    def _of_alias(self, alias: gast.alias, attributes: tuple[str, ...]) -> Thing | None:
        match self._scopes.parents[alias]:
            case gast.ImportFrom(module=module, level=level) if alias.name != _ANY:
                return self._behind("." * (level or 0) + (module or ""), (alias.name, *attributes))
            case gast.Import():
                parts = tuple(alias.name.split("."))
                return self._behind("", (*parts, *attributes) if alias.asname else (parts[0], *attributes))
        return None

    def _behind(self, base: str, names: tuple[str, ...]) -> Thing | None:
        """The last of the names, in the file that those before it mean."""
        spelled = _joint(base, names[:-1])
        if _joint(base, names) in self._links or (path := self._links.get(spelled)) is None:
            return None  # a module, or something within a thing
        module = self._modules.get(path)
        return None if module is None else _defined(module, names[-1], self._modules)


def _joint(base: str, names: Sequence[str]) -> str:
    inner = ".".join(names)
    return inner if not base else f"{base}{inner}" if base.endswith(".") or not inner else f"{base}.{inner}"


def _defined(module: Imported, name: str, modules: dict[str, Imported]) -> Thing | None:
    facts = _read(module, modules)
    if facts is None or name in module.named or name in facts.scopes.module.shared:
        return None
    match facts.scopes.module.bindings.get(name):
        case [gast.alias() as alias]:
            return None if facts.imports is None else facts.imports.named(alias)
        case [gast.Name() as target] if not module.is_open and facts.scopes.function_of(target) is None:
            return Thing(name, target, facts, any(not _RESHAPING.isdisjoint(_stored(path)) for path in module.changers))
        case [gast.FunctionDef() | gast.ClassDef() as found] if facts.parent(found) is facts.tree:
            return Thing(name, found, facts)
    return None


_files: OrderedDict[tuple[object, ...], Facts | None] = OrderedDict()


def _read(module: Imported, modules: dict[str, Imported]) -> Facts | None:
    """The facts of a file; None where it can't be read, or others may change what it defines."""
    from tfrewrite.facts import Facts

    try:
        key = (_state(module.path), module.imports, module.changers, _below(module, modules))
    except OSError:
        return None
    if key not in _files:
        _files[key] = None
        try:
            with open(module.path, "rb") as file:
                source = Source.from_bytes(file.read(), module.path)
            around = Surroundings(Standing.ANYONE, imports=module.imports, modules=tuple(modules.values()))
            facts = Facts(source.standing_in(around))
            _files[key] = facts if _is_left_alone(facts, module) else None
        except (OSError, SourceError, RecursionError, ValueError):
            pass
        if len(_files) > _MOST_KEPT:
            _files.popitem(last=False)
    return _files[key]


def _state(path: str) -> tuple[str, int, int]:
    status = os.stat(path)
    return path, status.st_mtime_ns, status.st_size


def _below(module: Imported, modules: dict[str, Imported]) -> tuple[object, ...]:
    """The files that one imports, and so on."""
    inner = [modules[path] for _, path in module.imports if path in modules]
    return tuple((_state(one.path), one.imports, _below(one, modules)) for one in inner)


def _is_left_alone(facts: Facts, module: Imported) -> bool:
    """Are its names what it says, and the attributes of its classes, whatever the files do that import it?"""
    if facts.callers.is_found_by_text or facts.mutation.module_is_open:
        return False
    own = {*facts.scopes.module.bindings, *(one.attr for one in facts.scopes.attribute_stores)}
    own.update(name for scope in facts.scopes.module.below() if isinstance(scope.node, gast.ClassDef) for name in scope.bindings)
    return all(_ANY not in (stored := _stored(path)) and own.isdisjoint(stored) for path in module.changers)


_stores: OrderedDict[tuple[str, int, int], frozenset[str]] = OrderedDict()


def _stored(path: str) -> frozenset[str]:
    """The attributes that a file gives to whatever it has; "*" where these may be any."""
    try:
        key = _state(path)
        if key not in _stores:
            with open(path, encoding="utf-8", errors="replace") as file:
                _stores[key] = _stored_by(file.read(), path)
            if len(_stores) > _MOST_KEPT * 10:
                _stores.popitem(last=False)
        return _stores[key]
    except OSError:
        return frozenset({_ANY})


def _stored_by(text: str, path: str) -> frozenset[str]:
    if not path.endswith((".py", ".pyw")):
        return frozenset({_ANY}) if any(f"{word}(" in text for word in _BY_TEXT) else frozenset(_SET_IN_TEXT.findall(text))
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError):
        return frozenset({_ANY})
    imports = (one for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for one in node.names)
    imported = {one.asname or one.name.partition(".")[0] for one in imports}
    asking = {id(one) for node in nodes for one in _asking_for_a_module(node)}
    return frozenset(name for node in nodes if id(node) not in asking for name in _stored_at(node, imported))


def _asking_for_a_module(node: ast.AST) -> Sequence[ast.expr]:
    """The `sys.modules` of `"google.colab" in sys.modules`, which reaches no module."""
    match node:
        case ast.Compare(ops=[ast.In() | ast.NotIn()], left=ast.Constant(), comparators=[ast.Attribute(attr="modules") as found]):
            return [found]
    return []


def _stored_at(node: ast.AST, imported: Collection[str]) -> Sequence[str]:
    match node:
        case ast.Attribute(value=ast.Name(id="self"), ctx=ast.Store() | ast.Del()):
            return []
        case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.Attribute(attr="resize"):
            return [_RESIZED]
        case ast.Attribute(attr="__dict__" | "modules", value=ast.Name(id=name)) if name in imported:
            return [_ANY]  # config.__dict__, sys.modules
        case ast.Call(func=ast.Name(id="exec" | "eval") | ast.Attribute(attr="multiple")):
            return [_ANY]
        case ast.Call(func=ast.Name(id="vars"), args=[ast.Name(id=name)]):
            return [_ANY] if name in imported else []
        case ast.Call(args=[ast.Name(id="self"), *_]):
            return []
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _BY_TEXT and name not in ("exec", "eval"):
            texts = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            return [one.rpartition(".")[2] for one in texts] or [_ANY]
    return []


# Values that are handed from one file to another


def portable(kind: Kind, facts: Facts | None = None) -> Kind:
    """What is known of a value without the file that it comes from: no sizes by name, and lists may change.

    Objects of a class of the file are told by its facts, or nothing is said of them.
    """
    from tfrewrite.facts.walk.kept_kinds import without_lists

    return _moved(map_symbols(without_lists(kind), lambda symbol: None), facts)


def _moved(kind: Kind, facts: Facts | None) -> Kind:
    if "." in (kind.dtype or ""):
        kind = replace(kind, dtype=None)
    match kind.instance:
        case gast.AST():
            return UNKNOWN
        case Made(own=own) as made:
            given = tuple((name, _moved(map_symbols(one, lambda symbol: None), facts)) for name, one in made.given)
            if isinstance(own, gast.ClassDef):
                if facts is None or not _is_plain_layer(own, facts):
                    return UNKNOWN
                own = Foreign(own, facts)
            kind = replace(kind, instance=replace(made, given=given, own=own))
    if kind.items is None and kind.each is None:
        return kind
    items = None if kind.items is None else tuple(_moved(one, facts) for one in kind.items)
    return replace(kind, items=items, each=None if kind.each is None else _moved(kind.each, facts))


def _is_plain_layer(owner: gast.ClassDef, facts: Facts) -> bool:
    plain = not owner.decorator_list and len(owner.bases) == 1
    return plain and (facts.names(owner.bases[0]) or "").startswith("tensorflow.keras.") and bool(facts.callers.kept_by_keras(owner))


def value_of(thing: Thing, is_set_up: bool) -> Kind:
    """What a name is given by its file. `is_set_up`: does the file that asks change what Keras does?"""
    if not isinstance(thing.node, gast.Name):
        return UNKNOWN
    kind = portable(thing.facts.kind(thing.node), thing.facts)
    if kind.sort in _PLAIN:
        return kind
    if is_set_up:
        return UNKNOWN
    if isinstance(kind.instance, Made) and kind.instance.name == "keras.Sequential":
        return replace(kind, instance=Made(kind.instance.name))  # other files may add to it
    if kind.sort is Sort.ARRAY and thing.is_reshaped:
        return Kind(Sort.ARRAY)
    return replace(kind, fixed=kind.fixed and kind.sort is not Sort.TENSOR)


def class_of(thing: Thing) -> Foreign | None:
    """The class that a name stands for, if that is a plain one which derives from one of Keras."""
    if isinstance(thing.node, gast.ClassDef) and _is_plain_layer(thing.node, thing.facts):
        return Foreign(thing.node, thing.facts)
    return None


def function_of(thing: Thing) -> Function | None:
    return thing.node if isinstance(thing.node, gast.FunctionDef) else None
