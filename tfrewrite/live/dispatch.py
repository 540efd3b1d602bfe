"""The function that stands for the original: it looks at its arguments, and calls what was made for such ones.

It is written anew whenever there is one more kind of calls, and put in place of itself: its identity, its name, signature and
whatever else is known of the original stay.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter
from types import CodeType, FunctionType
from typing import Any

_FIND = "_tfrewrite_find"
_CHOSEN = "_tfrewrite_chosen"
_FAILURE = "_tfrewrite_failure"
_FILE = "<string>"
"""AutoGraph calls code of that file as it is. It doesn't look at `autograph_info__` where the function is the `__call__` of an object,
and would convert it by the text of any other dispatcher of that name."""
_BODY = """\
    try:
        {name} = {chosen}
    except {failure}:
        {name} = None
    if {name} is None:
        {name} = {find}({arguments})
    return {name}({arguments})
"""


@dataclass(frozen=True)
class Choice:
    """A function for calls of which all the tests are true."""

    function: Callable[..., Any]
    tests: tuple[str, ...]


def signature_of(function: FunctionType) -> inspect.Signature:
    """What the code itself takes, whatever the function says of itself."""
    bare = FunctionType(function.__code__, {}, function.__name__, function.__defaults__, function.__closure__)
    bare.__kwdefaults__ = function.__kwdefaults__
    return inspect.signature(bare)


def dispatcher(original: FunctionType, find: Callable[..., Callable[..., Any]]) -> FunctionType:
    """A function that asks `find` for every call which function is to do it."""
    code, namespace = _written(original, (), {}, find)
    function = FunctionType(code, namespace, original.__name__, original.__defaults__)
    functools.update_wrapper(function, original)
    function.__kwdefaults__ = original.__kwdefaults__
    # AutoGraph leaves alone what has this attribute, and goes on in what it calls.
    function.autograph_info__ = {}  # type: ignore[attr-defined]
    return function


def is_dispatcher(function: Any) -> bool:
    return isinstance(function, FunctionType) and is_dispatch(function.__code__)


def is_dispatch(code: CodeType) -> bool:
    return code.co_filename == _FILE and any(name.startswith(_CHOSEN) for name in code.co_varnames)


def choose(function: FunctionType, choices: Sequence[Choice], constants: Mapping[str, Any], last: Callable[..., Any] | None = None) -> None:
    """Let a dispatcher choose among some functions before it asks; with `last`, it never asks."""
    namespace = function.__globals__
    code, new = _written(function, choices, constants, namespace[_free(_FIND, signature_of(function).parameters)], last)
    for name, value in new.items():
        namespace.setdefault(name, value)
    function.__code__ = code


def _written(
    function: FunctionType,
    choices: Sequence[Choice],
    constants: Mapping[str, Any],
    find: Callable[..., Any],
    last: Callable[..., Any] | None = None,
) -> tuple[Any, dict[str, Any]]:
    parameters = list(signature_of(function).parameters.values())
    functions = [one.function for one in choices]
    chosen = "None" if last is None else f"_last_{id(last)}"
    for one in reversed(choices):
        chosen = f"_made_{id(one.function)} if {' and '.join(one.tests) or 'True'} else {chosen}"
    arguments = ", ".join(map(_passed, parameters))
    names = {one.name for one in parameters}
    name, finding, failure = (_free(one, names) for one in (_CHOSEN, _FIND, _FAILURE))
    body = _BODY.format(name=name, chosen=chosen, find=finding, failure=failure, arguments=arguments)
    text = f"def dispatch({_taken(parameters)}):\n{body}"
    namespace: dict[str, Any] = {
        finding: find,
        failure: Exception,
        **constants,
        **{f"_made_{id(one)}": one for one in functions},
        **({} if last is None else {f"_last_{id(last)}": last}),
    }
    made: dict[str, Any] = dict(namespace)
    exec(compile(text, _FILE, "exec", dont_inherit=True), made)
    code = made["dispatch"].__code__.replace(co_name=function.__name__)
    if sys.version_info >= (3, 11):
        code = code.replace(co_qualname=function.__qualname__)
    return code, {**namespace, "__builtins__": made["__builtins__"], "__name__": function.__module__}


def _free(name: str, taken: Container[str]) -> str:
    """The name, or one like it that no parameter has."""
    return name if name not in taken else _free(f"{name}_", taken)


def _passed(parameter: Parameter) -> str:
    match parameter.kind:
        case Parameter.VAR_POSITIONAL:
            return f"*{parameter.name}"
        case Parameter.VAR_KEYWORD:
            return f"**{parameter.name}"
        case Parameter.KEYWORD_ONLY:
            return f"{parameter.name}={parameter.name}"
    return parameter.name


def _taken(parameters: Sequence[Parameter]) -> str:
    """The parameters as a `def` has them; defaults stand in the function object."""
    parts: list[str] = []
    before: Any = None
    for one in parameters:
        if before is Parameter.POSITIONAL_ONLY and one.kind is not Parameter.POSITIONAL_ONLY:
            parts.append("/")
        if one.kind is Parameter.KEYWORD_ONLY and before not in (Parameter.KEYWORD_ONLY, Parameter.VAR_POSITIONAL):
            parts.append("*")
        stars = "*" if one.kind is Parameter.VAR_POSITIONAL else "**" if one.kind is Parameter.VAR_KEYWORD else ""
        parts.append(f"{stars}{one.name}")
        before = one.kind
    if before is Parameter.POSITIONAL_ONLY:
        parts.append("/")
    return ", ".join(parts)
