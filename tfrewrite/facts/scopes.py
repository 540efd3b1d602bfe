"""Which scope a name belongs to, and everything that binds it there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

Function = gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda
Comprehension = gast.ListComp | gast.SetComp | gast.DictComp | gast.GeneratorExp
ScopeNode = gast.Module | gast.ClassDef | Function | Comprehension
DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef)
FUNCTIONS = (*DEFINITIONS, gast.Lambda)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
LOOPS = (gast.For, gast.AsyncFor, gast.While)
_READ_ALL = frozenset({"locals", "vars", "dir", "eval", "exec"})


@dataclass(eq=False)
class Scope:
    """A region with names of its own. `bindings` holds, for each name, the nodes that give it a value."""

    node: ScopeNode
    parent: Scope | None
    bindings: dict[str, list[gast.AST]] = field(default_factory=dict)
    uses: dict[str, list[gast.Name]] = field(default_factory=dict)
    outer: dict[str, type[gast.AST]] = field(default_factory=dict)
    children: list[Scope] = field(default_factory=list)
    shared: set[str] = field(default_factory=set)
    """Names that another scope rebinds, by `global` or `nonlocal`."""

    def lookup(self, name: str) -> Scope | None:
        """The scope that a name read here belongs to; None for builtins and what star imports bring."""
        scope: Scope | None = self
        if self.outer.get(name) is gast.Global:
            scope = self.root()
        while scope is not None:
            visible = scope is self or not isinstance(scope.node, gast.ClassDef)
            if visible and name in scope.bindings and name not in scope.outer:
                return scope
            scope = scope.parent
        return None

    def root(self) -> Scope:
        return self if self.parent is None else self.parent.root()

    def function(self) -> Scope:
        """The nearest scope that walrus targets bind in."""
        return self.parent.function() if isinstance(self.node, COMPREHENSIONS) and self.parent else self

    @property
    def is_read_as_a_whole(self) -> bool:
        """May names be read here that aren't written, by `locals()` or in text that is executed?"""
        return not _READ_ALL.isdisjoint(self.uses)

    def below(self) -> Iterator[Scope]:
        for child in self.children:
            yield child
            yield from child.below()


class Scopes:
    """The scopes of one module, and the parent of every node."""

    def __init__(self, tree: gast.Module) -> None:
        self.module = Scope(tree, None)
        self.of: dict[gast.AST, Scope] = {tree: self.module}
        self.parents: dict[gast.AST, gast.AST] = {}
        self.names: dict[gast.Name, Scope] = {}
        self.attribute_stores: list[gast.Attribute] = []
        self._rebound: list[tuple[Scope, str, gast.AST]] = []
        self._functions: dict[gast.AST, Function | None] = {}
        self._within: dict[gast.AST, list[gast.AST]] = {}
        self._places: dict[gast.AST, tuple[list[gast.AST], int, int]] = {}
        """Where in such a list a node's own nodes begin and end."""
        self._visit_children(tree, self.module)
        for scope, name, node in self._rebound:
            owner = scope.lookup(name) if scope.outer[name] is gast.Nonlocal else self.module
            if owner is not None:
                owner.shared.add(name)
                owner.bindings.setdefault(name, []).append(node)

    def _bind(self, scope: Scope, name: str, node: gast.AST) -> None:
        if name in scope.outer:
            self._rebound.append((scope, name, node))
        else:
            scope.bindings.setdefault(name, []).append(node)

    def _open(self, node: ScopeNode, parent: Scope) -> Scope:
        scope = self.of[node] = Scope(node, parent)
        parent.children.append(scope)
        return scope

    def _visit_children(self, node: gast.AST, scope: Scope) -> None:
        parents = self.parents
        for name in node._fields:  # what gast.iter_child_nodes does, at half its cost: every node comes through here
            value = getattr(node, name, None)
            if isinstance(value, gast.AST):
                if type(value) not in _CONTEXTS:
                    parents[value] = node
                    self._visit(value, scope)
            elif type(value) is list:
                for child in value:
                    if isinstance(child, gast.AST):
                        parents[child] = node
                        self._visit(child, scope)

    def _visit_all(self, nodes: list[gast.AST], parent: gast.AST, scope: Scope) -> None:
        for node in nodes:
            self.parents[node] = parent
            self._visit(node, scope)

    def _visit(self, node: Any, scope: Scope) -> None:
        kind = type(node)
        if kind is gast.Name:
            self.names[node] = scope
            if type(node.ctx) is gast.Load:
                scope.uses.setdefault(node.id, []).append(node)
            else:
                self._bind(scope, node.id, node)
            if node.annotation is not None:
                self._visit_children(node, scope)
        elif kind in DEFINITIONS or kind is gast.Lambda:
            self._visit_function(node, scope)
        elif kind is gast.ClassDef:
            self._bind(scope, node.name, node)
            self._visit_all([*node.decorator_list, *node.bases, *node.keywords, *getattr(node, "type_params", ())], node, scope)
            self._visit_all(node.body, node, self._open(node, scope))
        elif kind in COMPREHENSIONS:
            self._visit_comprehension(node, scope)
        elif kind is gast.NamedExpr:
            self.parents[node.target] = self.parents[node.value] = node
            target = scope.function()
            self.names[node.target] = target
            self._bind(target, node.target.id, node.target)
            self._visit(node.value, scope)
        elif kind is gast.alias:
            self._bind(scope, node.asname or node.name.partition(".")[0], node)
        elif kind is gast.Global or kind is gast.Nonlocal:
            for name in node.names:
                scope.outer[name] = kind
        else:
            if kind is gast.ExceptHandler and isinstance(node.name, str):
                self._bind(scope, node.name, node)
            elif kind is gast.ExceptHandler and node.name is not None:
                _give_a_place(node.name, node.type)
            elif isinstance(node, gast.Attribute) and type(node.ctx) is not gast.Load:
                self.attribute_stores.append(node)
            elif kind in _PATTERNS and (name := getattr(node, "name", None) or getattr(node, "rest", None)):
                self._bind(scope, name, node)
            self._visit_children(node, scope)

    def _visit_function(self, node: Function, scope: Scope) -> None:
        if not isinstance(node, gast.Lambda):
            self._bind(scope, node.name, node)
            self._visit_all(
                [*node.decorator_list, *([node.returns] if node.returns else []), *getattr(node, "type_params", ())], node, scope
            )
        arguments = node.args
        self.parents[arguments] = node
        inner = self._open(node, scope)
        for parameter in parameters(node):
            self.parents[parameter] = arguments
            self.names[parameter] = inner
            inner.bindings.setdefault(parameter.id, []).append(parameter)
            if parameter.annotation is not None:
                self._visit_all([parameter.annotation], parameter, scope)
        self._visit_all([*arguments.defaults, *(default for default in arguments.kw_defaults if default)], arguments, scope)
        self._declare(node, inner)
        self._visit_all(node.body if isinstance(node.body, list) else [node.body], node, inner)

    def _declare(self, node: Function, scope: Scope) -> None:
        """`global` holds for the whole function, the lines before it included."""
        stack = list(node.body) if isinstance(node.body, list) else []
        while stack:
            statement = stack.pop()
            if isinstance(statement, gast.Global | gast.Nonlocal):
                for name in statement.names:
                    scope.outer[name] = type(statement)
            for block in blocks(statement):
                stack.extend(block)

    def _visit_comprehension(self, node: Comprehension, scope: Scope) -> None:
        inner = self._open(node, scope)
        first = node.generators[0]
        self.parents.update(dict.fromkeys(node.generators, node))
        self.parents[first.iter] = first
        self._visit(first.iter, scope)
        for generator in node.generators:
            self._visit_all([generator.target, *generator.ifs], generator, inner)
            if generator is not first:
                self._visit_all([generator.iter], generator, inner)
        elements = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
        self._visit_all(elements, node, inner)

    def within(self, node: gast.AST) -> list[gast.AST]:
        """What `walk_within` gives, found out once for all nodes of a function, class or module."""
        if isinstance(node, _WITH_INSIDES):
            return self._inside(node)
        if node not in self._places:
            self._inside(self.definition_around(node) or self.module.node)
        found, start, end = self._places[node]
        return found[start:end]

    def _inside(self, owner: gast.AST) -> list[gast.AST]:
        if owner not in self._within:
            found = self._within[owner] = []
            for child in reversed(_children(owner)):
                self._place(child, found)
        return self._within[owner]

    def _place(self, node: gast.AST, found: list[gast.AST]) -> None:
        """Add a node and what is inside of it, and remember where that stands."""
        found.append(node)
        if not isinstance(node, _CLOSED):
            start = len(found)
            for child in reversed(_children(node)):
                self._place(child, found)
            self._places[node] = found, start, len(found)

    # Climbing

    def ancestors(self, node: gast.AST) -> Iterator[gast.AST]:
        while (parent := self.parents.get(node)) is not None:
            yield parent
            node = parent

    def asks_for_a_module(self, node: gast.AST) -> bool:
        """Is it the `sys.modules` of `"google.colab" in sys.modules`, which reaches no module?"""
        match node, self.parents.get(node):
            case gast.Attribute(attr="modules"), gast.Compare(ops=[gast.In() | gast.NotIn()], left=gast.Constant(), comparators=[found]):
                return found is node
        return False

    def statement(self, node: gast.AST) -> gast.stmt:
        """The innermost statement that holds the node."""
        while not isinstance(node, gast.stmt):
            node = self.parents[node]
        return node

    def function_of(self, node: gast.AST) -> Function | None:
        """The innermost function whose body (not its decorators or defaults) holds the node."""
        if node not in self._functions:
            self._functions[node] = self._found_function(node)
        return self._functions[node]

    def _found_function(self, node: gast.AST) -> Function | None:
        parents = self.parents
        child = node
        while (ancestor := parents.get(child)) is not None:
            if isinstance(ancestor, FUNCTIONS) and (
                child is ancestor.body if isinstance(ancestor, gast.Lambda) else isinstance(child, gast.stmt)
            ):
                return ancestor
            child = ancestor
        return None

    def definition_around(self, node: gast.AST) -> gast.AST | None:
        """The innermost function or class above the node, its decorators and defaults included: of which `walk_within` gives it."""
        return next((one for one in self.ancestors(node) if isinstance(one, _CLOSED)), None)

    def class_of(self, function: gast.AST) -> gast.ClassDef | None:
        parent = self.parents.get(function)
        return parent if isinstance(parent, gast.ClassDef) else None


_CLOSED = (*FUNCTIONS, gast.ClassDef)
_WITH_INSIDES = (*_CLOSED, gast.Module)
_CONTEXTS = frozenset({gast.Load, gast.Store, gast.Del, gast.Param})  # one object stands for all of them
_PATTERNS = tuple(getattr(gast, name) for name in ("MatchAs", "MatchStar", "MatchMapping") if hasattr(gast, name))
_BLOCKS = ("body", "orelse", "finalbody")
_LEAVES = {"ctx", "id", "attr", "arg", "kind", "type_comment", "is_async", "simple", "level", "module", "conversion"}
_FIELDS: dict[type[gast.AST], tuple[str, ...]] = {}


def bound_arguments(function: Function, call: gast.Call, of_object: bool) -> dict[str, gast.expr] | None:
    """What each parameter of a function is given by a call, by its name; None where that isn't written.

    A method's own object is left out. What a call doesn't give has to be a constant default.
    """
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args][of_object:]
    if arguments.vararg or arguments.kwarg or any(isinstance(one, gast.Starred) for one in call.args) or len(call.args) > len(positional):
        return None
    given = {one.id: value for one, value in zip(positional, call.args, strict=False)}
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg in given:
            return None
        given[keyword.arg] = keyword.value
    defaults = [
        *zip(reversed(positional), reversed(arguments.defaults), strict=False),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    for one, value in defaults:
        if isinstance(value, gast.Constant):
            given.setdefault(one.id, value)
    names = {one.id for one in (*positional, *arguments.kwonlyargs)}
    return given if given.keys() == names else None


def parameters(function: Function) -> list[gast.Name]:
    arguments = function.args
    extra = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra]


def _give_a_place(name: Any, caught: Any) -> None:
    """Of the name of an error Python doesn't say where it stands, and who puts names in order asks: behind what is caught, and ` as `."""
    name.lineno = name.end_lineno = caught.end_lineno
    name.col_offset = caught.end_col_offset + len(" as ")
    name.end_col_offset = name.col_offset + len(name.id.encode())


def blocks(statement: gast.AST) -> Iterator[list[gast.stmt]]:
    """The lists of statements directly inside a statement, leaving out functions and classes."""
    if isinstance(statement, (*FUNCTIONS, gast.ClassDef)):
        return
    for name in _BLOCKS:
        block = getattr(statement, name, None)
        if isinstance(block, list) and block:
            yield block
    for handler in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield handler.body


def block_of(statement: gast.stmt, parent: gast.AST) -> list[gast.stmt]:
    """The list of statements that a statement stands in."""
    for name in _BLOCKS:
        block = getattr(parent, name, None)
        if isinstance(block, list) and any(one is statement for one in block):
            return block
    raise LookupError(statement)


def walk_within(node: gast.AST) -> Iterator[gast.AST]:
    """Every node below, without going into functions and classes that are defined there."""
    waiting = _children(node)
    while waiting:
        child = waiting.pop()
        yield child
        if not isinstance(child, _CLOSED):
            waiting += _children(child)


def _children(node: gast.AST) -> list[gast.AST]:
    """What `gast.iter_child_nodes` gives but contexts, the last one first, at a fifth of its cost."""
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        # What is no node in any tree is not looked at; a context, as `Load`, tells nothing that its place does not.
        names = _FIELDS[kind] = tuple(name for name in kind._fields if name not in _LEAVES)
    found = []
    for name in names:
        value = getattr(node, name, None)
        if type(value) is list:
            found += [one for one in value if isinstance(one, gast.AST)]
        elif isinstance(value, gast.AST):
            found.append(value)
    if len(found) > 1:
        found.reverse()
    return found
