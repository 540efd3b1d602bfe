"""Where functions are defined: their nodes, in the text of the program or where they are installed, and what they are beneath decorators."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from types import FunctionType, MethodType
from typing import Any

from tfrewrite.verify.agent.stand_in_values import Node

LIBRARIES = ("tensorflow", "numpy", "keras")
"""What their functions do is a matter of the table of operations: their bodies aren't read."""


def owner_of(function: Any) -> Any:
    """The object that a method is bound to. A method that is a tf.function holds it weakly, and by a name of TensorFlow's own."""
    owner = getattr(unwrapped(function), "__self__", getattr(function, "__self__", None))
    target = getattr(owner, "weakrefself_target__", None)
    return target() if target is not None else owner


def described(function: Any) -> Any:
    """What says which arguments a call takes: of an object that can be called its method, of a class its constructor."""
    if inspect.isclass(function):
        return function.__init__ if isinstance(vars(function).get("__init__"), FunctionType) else function
    kind = type(function)
    if isinstance(function, (FunctionType, MethodType)) or kind.__module__.split(".")[0] == "tensorflow":
        return function
    for name in ("call", "__call__"):
        method = inspect.getattr_static(kind, name, None)
        if isinstance(method, FunctionType) and method.__module__.split(".")[0] not in LIBRARIES:
            return getattr(function, name)
    return function


def unwrapped(function: Any) -> Any:
    """The function of Python's that is beneath a tf.function, a partial or a decorator that says what it wraps."""
    for _ in range(20):
        inner = None
        for name in ("python_function", "__wrapped__"):
            inner = inner or getattr(function, name, None)
        if inner is None or inner is function:
            break
        bound = getattr(function, "__self__", None)
        if bound is not None and not isinstance(inner, MethodType) and isinstance(inner, FunctionType):
            inner = MethodType(inner, bound)
        function = inner
    return function


class Sources:
    """Finds the definitions of functions, in the text of the program or where they are installed."""

    def __init__(self, text: str | None = None) -> None:
        self._tree = _parsed(text) if text else None
        self._known: dict[Any, Node | None] = {}

    def node(self, function: Any) -> Node | None:
        plain = unwrapped(function)
        plain = getattr(plain, "__func__", plain)
        code = getattr(plain, "__code__", None)
        if code is None or (plain.__module__ or "").split(".")[0] in LIBRARIES:
            return None
        if code not in self._known:
            self._known[code] = self._in_text(code) or _in_file(plain)
        return self._known[code]

    def _in_text(self, code: Any) -> Node | None:
        for node in _functions(self._tree) if self._tree is not None else ():
            lines = [node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))]
            if min(lines) == code.co_firstlineno and getattr(node, "name", "<lambda>") == code.co_name:
                return node
        return None


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def _functions(tree: ast.AST) -> Iterator[Node]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield node


def _in_file(function: Any) -> Node | None:
    try:
        text = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError, IndentationError):
        return None
    tree = _parsed(text) or _parsed(f"({text.strip()})")
    name = function.__name__
    wanted = [node for node in _functions(tree) if getattr(node, "name", "<lambda>") == name] if tree is not None else []
    return wanted[0] if wanted else None
