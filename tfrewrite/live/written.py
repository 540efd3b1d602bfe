"""Where the source of a live function stands: its file, notebook cell or prompt, and the place in it."""

from __future__ import annotations

import ast
import linecache
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType

from tfrewrite.live.dispatch import is_dispatcher
from tfrewrite.ops.naming import canonical
from tfrewrite.source import steadily

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Said = ast.FunctionDef | ast.Constant | ModuleType
"""What a text says of a name: that it is a function, a number or text, or a module."""
Route = tuple[tuple[str, int], ...]
"""The way to a function's code: the names of what it stands in, each with its number among those of the same name."""

_FUTURES = 0x1FE0000
"""The flags of code that `from __future__ import ...` sets, which change what a text means."""


OURS = "optimize_memory"
WRAPPED = "__wrapped__"


class Unavailable(Exception):
    """The source of a function can't be had, and the message says why."""


@dataclass(frozen=True)
class Written:
    """The text that a function stands in, and where."""

    path: str
    text: str
    """What linecache has, after what `before` says."""
    before: str
    """Imports that say what the names of modules mean, for a text that stands in no file."""
    as_it_stands: str
    """The text of the file, of which `text` has our own decorators as comments."""
    node: FunctionNode
    route: Route
    flags: int
    said: tuple[tuple[str, Said], ...] = ()
    """What the text alone says of names that the function needs."""
    imported: tuple[tuple[str, str], ...] = ()
    """The names that stand for functions of TensorFlow, and which."""
    codes: tuple[tuple[str, CodeType], ...] = ()
    """What it says of functions among them, compiled."""
    methods: tuple[ast.FunctionDef, ...] = ()
    """Of all classes of the text, those that no other has by the same name."""

    @property
    def first_line(self) -> int:
        return first_line(self.node)

    @property
    def own_text(self) -> str:
        return self.text.removeprefix(self.before)

    @property
    def last_line(self) -> int:
        return self.node.end_lineno or self.node.lineno


def written(function: FunctionType) -> Written:
    """Raises `Unavailable` where there is no source, or it doesn't say what the function does."""
    code = function.__code__
    text = "".join(linecache.getlines(code.co_filename, function.__globals__))
    if not text:
        raise Unavailable(f"its source can't be found ({code.co_filename})")
    flags = code.co_flags & _FUTURES
    try:
        _, whole = _parsed(text, code.co_filename, flags)
        before = _imports(text, function.__globals__)
        text = before + text
        tree, _ = _parsed(text, code.co_filename, flags)
    except (SyntaxError, ValueError, RecursionError):
        raise Unavailable("the text that its source is in is no valid Python by itself") from None
    line = code.co_firstlineno
    nodes = [one for one in _functions(tree) if first_line(one) == line + before.count("\n") and _name(one) == code.co_name]
    routes = [route for route, one in _codes(whole, ()) if one.co_name == code.co_name and one.co_firstlineno == line]
    if len(nodes) > 1 or len(routes) > 1:
        raise Unavailable("several functions of that name begin on its line, and nobody can tell which of them it is")
    if not nodes or not routes or not _is_same(code, code_at(whole, routes[0])):
        raise Unavailable("its source isn't what it was when the function was made")
    said = tuple(_settled(nodes[0], tree))
    lines = {one.lineno - before.count("\n"): name for name, one in said if isinstance(one, ast.FunctionDef)}
    codes = tuple((lines[one.co_firstlineno], one) for (_, *inner), one in _codes(whole, ()) if not inner and one.co_firstlineno in lines)
    node, as_it_stands = nodes[0], text.removeprefix(before)
    if bare := _without_ours(text, node):
        text, (tree, _) = bare, _parsed(bare, code.co_filename, flags)
        node = next(one for one in _functions(tree) if one.lineno == node.lineno and _name(one) == code.co_name)
    return Written(
        code.co_filename, text, before, as_it_stands, node, routes[0], flags, said, tuple(_imported(tree)), codes, tuple(_methods(tree))
    )


def _parsed(text: str, path: str, flags: int) -> tuple[ast.Module, CodeType]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape in the user's file is the user's
        return steadily(lambda: (ast.parse(text, path), compile(text, path, "exec", flags=flags, dont_inherit=True)))


def _functions(tree: ast.Module) -> Iterator[FunctionNode]:
    for one in ast.walk(tree):
        if isinstance(one, FunctionNode):
            yield one


def _without_ours(text: str, node: FunctionNode) -> str:
    """The text with the decorators that ask for the rewriting as comments, every character in its place; empty without any."""
    lines = text.splitlines(keepends=True)
    for one in getattr(node, "decorator_list", ()):
        named = one.func if isinstance(one, ast.Call) else one
        if getattr(named, "id", getattr(named, "attr", "")) == OURS:
            lines[one.lineno - 1] = lines[one.lineno - 1].replace("@", "#", 1)
            for number in range(one.lineno, one.end_lineno):
                lines[number] = f"#{lines[number][1:]}" if lines[number].strip() else lines[number]
    bare = "".join(lines)
    return "" if bare == text else bare


def untrue(written: Written, namespace: Mapping[str, object]) -> str:
    """A name of which the text says something that isn't true of the live module; empty where there is none."""
    codes = dict(written.codes)
    return next((name for name, said in written.said if not _is_true(namespace.get(name), said, codes.get(name))), "")


def _methods(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    found = [one for owner in tree.body if isinstance(owner, ast.ClassDef) for one in owner.body if isinstance(one, ast.FunctionDef)]
    names = Counter(one.name for one in found)
    yield from (one for one in found if names[one.name] == 1)


def _settled(node: FunctionNode, tree: ast.Module) -> Iterator[tuple[str, Said]]:
    """What the text says of the names that a function needs, and that the functions need which it calls."""
    rebound = Counter(name for one in ast.walk(tree) for name in _given(one))
    known = {name: said for one in tree.body for name, said in _said(one) if rebound[name] <= 1}
    waiting: list[ast.AST] = [node]
    met: set[str] = set()
    while waiting:
        for one in ast.walk(waiting.pop()):
            if isinstance(one, ast.Name) and one.id in known and one.id not in met:
                met.add(one.id)
                said = known[one.id]
                yield one.id, said
                if isinstance(said, ast.FunctionDef):
                    waiting.append(said)


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and (statement.module or "").partition(".")[0] == "tensorflow" and not statement.level:
            for one in statement.names:
                yield one.asname or one.name, canonical(f"{statement.module}.{one.name}")


def _given(node: ast.AST) -> Sequence[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.Global(names=names):
            return [*names, *names]
    return []


def _said(statement: ast.stmt) -> Iterator[tuple[str, Said]]:
    """The names that a statement of a module gives a value that the text alone settles, each with a word for it."""
    match statement:
        case ast.Import(names=names):
            for one in names:
                if one.name.partition(".")[0] in ("tensorflow", "numpy"):
                    yield one.asname or one.name.partition(".")[0], ModuleType(one.name.partition(".")[0])
        case ast.FunctionDef(name=name, decorator_list=[]):
            yield name, statement
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() as value):
            yield name, value


def _is_true(live: object, said: Said, code: CodeType | None) -> bool:
    match said:
        case ast.Constant(value=value):
            return type(live) is type(value) and repr(live) == repr(value)
        case ast.FunctionDef():
            live = getattr(live, WRAPPED, live) if is_dispatcher(live) else live
            return isinstance(live, FunctionType) and code is not None and _is_same(live.__code__, code)
    return str(getattr(live, "__name__", "")).partition(".")[0] == said.__name__


def code_at(whole: CodeType, route: Route) -> CodeType:
    """Raises `LookupError` where there is none."""
    for name, number in route:
        whole = [one for one in whole.co_consts if isinstance(one, CodeType) and one.co_name == name][number]
    return whole


def _codes(code: CodeType, route: Route) -> Iterator[tuple[Route, CodeType]]:
    met: dict[str, int] = {}
    for one in code.co_consts:
        if isinstance(one, CodeType):
            number = met.get(one.co_name, 0)
            met[one.co_name] = number + 1
            here = (*route, (one.co_name, number))
            yield here, one
            yield from _codes(one, here)


def first_line(node: ast.stmt | FunctionNode) -> int:
    """The line of its first decorator, if it has any."""
    lines: list[int] = [node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))]
    return min(lines)


def _name(node: FunctionNode) -> str:
    return "<lambda>" if isinstance(node, ast.Lambda) else node.name


def _is_same(one: CodeType, other: CodeType) -> bool:
    """Do they do the same, wherever they stand?"""
    return (
        one.co_code == other.co_code
        and (one.co_names, one.co_varnames, one.co_freevars, one.co_cellvars)
        == (other.co_names, other.co_varnames, other.co_freevars, other.co_cellvars)
        and len(one.co_consts) == len(other.co_consts)
        and all(_is_same_constant(a, b) for a, b in zip(one.co_consts, other.co_consts, strict=True))
    )


def _is_same_constant(one: object, other: object) -> bool:
    if isinstance(one, CodeType) and isinstance(other, CodeType):
        return _is_same(one, other)
    return type(one) is type(other) and repr(one) == repr(other)


def _imports(text: str, namespace: Mapping[str, object]) -> str:
    """For a cell or a prompt, whose imports stand in another one: the modules that its names are."""
    if re.search(r"^\s*(import|from)\s+tensorflow\b", text, re.MULTILINE):
        return ""
    words = set(re.findall(r"\w+", text))
    modules = sorted(
        (name, value.__name__)
        for name, value in namespace.items()
        if name in words and type(value) is ModuleType and name.isidentifier() and _is_dotted(value.__name__)
    )
    modules = [(name, public_module(module)) for name, module in modules]
    if not any(module.partition(".")[0] == "tensorflow" for _, module in modules):
        return ""
    return "".join(f"import {module} as {name}\n" for name, module in modules if not re.search(rf"\bimport\b.*\b{name}\b", text))


def _is_dotted(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))


def public_module(module: str) -> str:
    """TensorFlow's own module has a longer name than it is imported by."""
    return re.sub(r"^tensorflow\._api\.v\d+(\.v\d+)?|^tensorflow\.python$", "tensorflow", module)
