"""A version of a program as text: its functions, what state they share, and how two versions differ."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

MODULE = "<module>"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPILED = {"call", "train_step", "test_step", "predict_step"}
"""Methods that Keras compiles."""
_BLOCKS = ("body", "orelse", "finalbody", "handlers")


@dataclass(frozen=True)
class Function:
    """A top-level function or a method, where it stands and what it takes."""

    name: str
    """Qualified: Model.step"""
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    first_line: int
    """The line of its first decorator, if it has any."""
    line: int
    end_line: int
    resumable: bool
    """A generator or coroutine: its body doesn't run when it is called."""

    @property
    def parameters(self) -> ast.arguments:
        return self.node.args


@dataclass(frozen=True)
class Program:
    """One version, parsed. Raises SyntaxError where it isn't Python."""

    text: str
    path: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    @cached_property
    def functions(self) -> dict[str, Function]:
        """By name. Where a name is defined twice, the last definition counts, as it does for callers."""
        return {function.name: function for function in _functions(self.tree.body, "")}

    @cached_property
    def repeated(self) -> frozenset[str]:
        """Functions that are defined more than once: properties with setters, overloads, alternatives of an `if`."""
        names = [function.name for function in _functions(self.tree.body, "")]
        return frozenset(name for name in names if names.count(name) > 1)

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        return dict(_classes(self.tree.body, ""))

    @cached_property
    def relative(self) -> bool:
        """Does it import from its own package, so that it can't be run as a script?"""
        return any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(self.tree))

    @cached_property
    def globals(self) -> dict[str, str]:
        """The names that the top level binds other than by def, and how it does."""
        found: dict[str, str] = {}
        for statement in _plain_statements(self.tree.body):
            shape = ast.dump(statement)
            for name in sorted(_bound(statement)):
                found[name] = found.get(name, "") + shape
        return found

    @cached_property
    def state(self) -> tuple[str, ...]:
        """The top level's names that functions use, which may change from call to call."""
        used = {node.id for function in self.functions.values() for node in ast.walk(function.node) if isinstance(node, ast.Name)} | {
            name
            for function in self.functions.values()
            for node in ast.walk(function.node)
            if isinstance(node, ast.Global)
            for name in node.names
        }
        imported = {
            name for statement in ast.walk(self.tree) if isinstance(statement, ast.Import | ast.ImportFrom) for name in _bound(statement)
        }
        declared = {name for node in ast.walk(self.tree) if isinstance(node, ast.Global) for name in node.names}
        return tuple(sorted((used & set(self.globals) | declared) - imported))

    @cached_property
    def _shapes(self) -> dict[str, str]:
        """What each function, class and name of the top level is, in a form that leaves out places and comments."""
        found = dict(self.globals)
        for function in _functions(self.tree.body, ""):
            found[function.name] = found.get(function.name, "") + ast.dump(_without_docstring(function.node))
        for name, node in _classes(self.tree.body, ""):
            rest = [statement for statement in node.body if not isinstance(statement, _FUNCTIONS)]
            found[name] = "".join(map(ast.dump, [*node.bases, *node.keywords, *node.decorator_list, *rest]))
        return found

    @cached_property
    def main(self) -> str:
        """What the top level does, apart from defining things."""
        return "".join(
            ast.dump(statement) for statement in _plain_statements(self.tree.body) if not isinstance(statement, ast.Import | ast.ImportFrom)
        )

    @cached_property
    def in_graphs(self) -> frozenset[str]:
        """The functions that compiled ones may call, by the names that these mention, and theirs in turn."""
        found: frozenset[str] = frozenset()
        more = {name for name, function in self.functions.items() if _is_compiled(function) or name.rpartition(".")[2] in _COMPILED}
        more |= {name for node in ast.walk(self.tree) if _is_given_to_graphs(node) for name in _mentioned(node) & self.functions.keys()}
        while more - found:
            found |= more
            words = {word for name in more for word in self.uses(name)}
            more = {name for name in self.functions if name.rpartition(".")[2] in words}
        return found

    @cached_property
    def of_scripts(self) -> frozenset[str]:
        """The names of the top level that are only there when the program is run, not when it is imported."""
        guards = [statement for statement in self.tree.body if _is_guard(statement)]
        inside = {name for guard in guards for one in _plain_statements([guard]) for name in _bound(one)}
        rest = [statement for statement in self.tree.body if not _is_guard(statement)]
        return frozenset(inside - {name for one in _plain_statements(rest) for name in _bound(one)})

    def uses(self, name: str) -> frozenset[str]:
        """The names and attributes that a function, class or global mentions."""
        return self._uses.get(name, frozenset())

    @cached_property
    def _uses(self) -> dict[str, frozenset[str]]:
        found = {name: _used(function.node) for name, function in self.functions.items()}
        for name, node in _classes(self.tree.body, ""):
            outer = [*node.bases, *node.decorator_list, *(one for one in node.body if not isinstance(one, _FUNCTIONS))]
            found[name] = frozenset().union(*map(_mentioned, outer)) if outer else frozenset()
        for statement in _plain_statements(self.tree.body):
            for name in _bound(statement):
                found[name] = found.get(name, frozenset()) | _mentioned(statement)
        return found


def rewritten(before: Program, after: Program) -> frozenset[str]:
    """The functions of both versions whose own text differs."""
    common = before.functions.keys() & after.functions.keys()
    return frozenset(name for name in common if before._shapes[name] != after._shapes[name])


def defined_otherwise(before: Program, after: Program) -> tuple[str, ...]:
    """The globals and classes that the versions define differently."""
    names = (before._shapes.keys() | after._shapes.keys()) - before.functions.keys() - after.functions.keys()
    return tuple(sorted(name for name in names if before._shapes.get(name) != after._shapes.get(name)))


def unsettled(before: Program, after: Program) -> frozenset[str]:
    """Functions that are the same in both versions, but for whom something that is no common function means another thing.

    Such as a class that they belong to or name, a global, an import, a decorator, or a function that takes the place of what
    came from elsewhere.
    """
    common = before.functions.keys() & after.functions.keys()
    names = before._shapes.keys() | after._shapes.keys()
    changed = {name for name in names if before._shapes.get(name) != after._shapes.get(name)}
    # A function that only one version has matters to those that named it all the same.
    others = changed - common
    if "*" in others:
        return frozenset(common)
    while more := {name for name, node in after.classes.items() if name not in others and _bases(node) & others}:
        others |= more
    decorators = touched(before, after)
    found = set()
    for name in common:
        mentioned = before.uses(name) & after.uses(name)
        decorated = {word for one in getattr(before.functions[name].node, "decorator_list", ()) for word in _mentioned(one)}
        if mentioned & others or name.rpartition(".")[0] in others or decorated & decorators:
            found.add(name)
    return frozenset(found)


def overriding(before: Program, after: Program) -> list[str]:
    """Methods that only the other version has, in a class that may have inherited them before."""
    added = [name for name in after.functions if name not in before.functions and "." in name]
    return [name for name in added if (node := before.classes.get(name.rpartition(".")[0])) is not None and _overrides(before, node, name)]


def _overrides(program: Program, node: ast.ClassDef, name: str) -> bool:
    method = name.rpartition(".")[2]
    return any(f"{base}.{method}" in program.functions for base in _bases(node))


def only_when_run(before: Program, after: Program) -> tuple[str, ...]:
    """Names that whoever imports the first finds there, and of the second only who runs it."""
    return tuple(sorted(name for name in after.of_scripts & before.globals.keys() if name not in before.of_scripts))


def _is_guard(statement: ast.stmt) -> bool:
    match statement:
        case ast.If(test=ast.Compare(left=left, comparators=[right])):
            return any(isinstance(one, ast.Name) and one.id == "__name__" for one in (left, right))
    return False


def _is_compiled(function: Function) -> bool:
    return any("function" in _mentioned(one) for one in getattr(function.node, "decorator_list", ()))


def _is_given_to_graphs(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="function" | "map" | "map_fn" | "while_loop" | "scan" | "vectorized_map")):
            return True
    return False


def _bases(node: ast.ClassDef) -> set[str]:
    return {word for base in node.bases for word in _mentioned(base)}


def signature_change(before: Function, after: Function) -> tuple[str, str] | None:
    """Where callers of the first can't call the second in the same way: what the first takes there, and what the second does."""
    if before.name.rpartition(".")[2].startswith("_") and not before.name.endswith("__"):
        return None
    mine, his = (_parameters(function.parameters) for function in (before, after))
    for name, shape in mine.items():
        other = his.get(name)
        if other is None:
            return name, "no such parameter"
        if shape != other:
            return _spelled(name, *shape), _spelled(name, *other)
    return None


_KINDS = {"property": "property", "cached_property": "property", "staticmethod": "static method", "classmethod": "class method"}


def kind_change(before: Function, after: Function) -> tuple[str, str] | None:
    """Where the one is reached in another way than the other: as a property, or without an object."""
    mine, his = (
        next((_KINDS[name] for name in _decorators(function.node) if name in _KINDS), "method" if "." in function.name else "function")
        for function in (before, after)
    )
    return None if mine == his else (f"a {mine}", f"a {his}")


def _decorators(node: ast.AST) -> Iterator[str]:
    for one in getattr(node, "decorator_list", ()):
        match one:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield name


def _parameters(arguments: ast.arguments) -> dict[str, tuple[str, str]]:
    """Each parameter's way of being passed, and its default as it is written."""
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + [*arguments.defaults]
    kinds = [f"positional {at}" if at < len(arguments.posonlyargs) else f"either {at}" for at in range(len(positional))]
    found = {one.arg: (kind, _default(default)) for one, kind, default in zip(positional, kinds, defaults, strict=True)}
    found |= {one.arg: ("keyword", _default(default)) for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)}
    for name, one in (("*", arguments.vararg), ("**", arguments.kwarg)):
        if one is not None:
            found[name] = (name, "")
    return found


def _spelled(name: str, kind: str, default: str) -> str:
    return f"{name}={default} ({kind})" if default else f"{name} ({kind})"


def _default(node: ast.expr | None) -> str:
    return "" if node is None else repr(node.value) if isinstance(node, ast.Constant) else ast.unparse(node)


def touched(before: Program, after: Program) -> frozenset[str]:
    """The functions of both versions that differ, or that use something that differs."""
    names = before._shapes.keys() | after._shapes.keys()
    different = {name for name in names if before._shapes.get(name) != after._shapes.get(name)}
    while True:
        # A method is found by its own name alone: which class an object belongs to isn't known here.
        known = {name.rpartition(".")[2] for name in different}
        more = {
            name for name in names - different if (before.uses(name) | after.uses(name)) & known or name.rpartition(".")[0] in different
        }
        if not more:
            break
        different |= more
    return frozenset(different & before.functions.keys() & after.functions.keys())


def _functions(statements: Sequence[ast.stmt], prefix: str) -> Iterator[Function]:
    for statement in _flattened(statements):
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                first = min([statement.lineno, *(one.lineno for one in statement.decorator_list)])
                resumable = isinstance(statement, ast.AsyncFunctionDef) or _yields(statement)
                yield Function(prefix + statement.name, statement, first, statement.lineno, statement.end_lineno or 0, resumable)
            case ast.ClassDef():
                yield from _functions(statement.body, f"{prefix}{statement.name}.")
            case ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                body = _lambda(value)
                if body is not None and not prefix and not _yields(body):
                    yield Function(name, body, body.lineno, body.lineno, body.end_lineno or 0, False)


def _classes(statements: Sequence[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for statement in _flattened(statements):
        if isinstance(statement, ast.ClassDef):
            yield prefix + statement.name, statement
            yield from _classes(statement.body, f"{prefix}{statement.name}.")


def _flattened(statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """With the statements in blocks such as `if` and `try`, which still belong to the same level."""
    for statement in statements:
        yield statement
        if not isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
            for block in _BLOCKS:
                for one in getattr(statement, block, []):
                    yield from _flattened(one.body if isinstance(one, ast.ExceptHandler) else [one])


def _plain_statements(statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    return [
        one for one in statements if not isinstance(one, (*_FUNCTIONS, ast.ClassDef)) and not _is_docstring(one) and not _is_lambda(one)
    ]


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_lambda(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name()], value=value) | ast.AnnAssign(target=ast.Name(), value=ast.expr() as value):
            return _lambda(value) is not None
    return False


def _lambda(value: ast.expr) -> ast.Lambda | None:
    """The one function without a name that this is, or that it is made of: `tf.function(lambda x: ...)`."""
    match value:
        case ast.Lambda():
            return value
        case ast.Call(args=[ast.Lambda() as body]):
            return body
    return None


def _without_docstring(node: ast.AST) -> ast.AST:
    if isinstance(node, _FUNCTIONS) and len(node.body) > 1 and _is_docstring(node.body[0]):
        copy = type(node)(**{name: getattr(node, name) for name in node._fields})
        copy.body = node.body[1:]
        return copy
    return node


def _bound(statement: ast.AST) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                names.add(name)
            case ast.alias(name=name, asname=asname):
                names.add(asname or name.partition(".")[0])
    return names


def _mentioned(node: ast.AST) -> frozenset[str]:
    found = set()
    for one in ast.walk(node):
        match one:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                found.add(name)
    return frozenset(found)


def _used(function: ast.AST) -> frozenset[str]:
    """The names and attributes that a function mentions, but for its own variables: those are no names of the module."""
    own, free = _variables(function)
    attributes = {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}
    return _mentioned(function) - (own - free - attributes)


def _variables(function: ast.AST) -> tuple[set[str], set[str]]:
    """What is bound in a function's own scope, and what it or a function in it declares to be of another one."""
    arguments = getattr(function, "args", None)
    own = {one.arg for one in ast.walk(arguments) if isinstance(one, ast.arg)} if arguments is not None else set()
    free = {name for node in ast.walk(function) if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}
    body = getattr(function, "body", ())
    pending: list[ast.AST] = list(body) if isinstance(body, list) else []
    while pending:
        node = pending.pop()
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                own.add(name)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda() | ast.ListComp() | ast.SetComp():
                continue
            case ast.DictComp() | ast.GeneratorExp():
                continue
        pending += ast.iter_child_nodes(node)
    # Its defaults are evaluated outside of it.
    outside = {name for one in _defaults(arguments) for name in _mentioned(one)}
    return own - outside, free


def _defaults(arguments: ast.arguments | None) -> list[ast.expr]:
    return [] if arguments is None else [*arguments.defaults, *(one for one in arguments.kw_defaults if one is not None)]


def _yields(function: ast.AST) -> bool:
    """Does the function's own body, not one inside of it, yield?"""
    pending = list(ast.iter_child_nodes(function))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom | ast.Await):
            return True
        if not isinstance(node, (*_FUNCTIONS, ast.Lambda, ast.ClassDef)):
            pending += ast.iter_child_nodes(node)
    return False
