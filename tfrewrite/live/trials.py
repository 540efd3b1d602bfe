"""Runs a function and what was made of it side by side, once, and sets everything back."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType, MethodType, ModuleType
from typing import Any

from tfrewrite.live.side_effects import why_not_again

_MOST_BYTES = 1 << 25
_MOST_OBJECTS = 2000


@dataclass(frozen=True)
class Tried:
    """`agrees` is None where nothing could be compared."""

    agrees: bool | None
    said: str
    raises: bool = False
    """The original itself raises, so that nothing can be said about it."""


def tried(
    original: FunctionType,
    rewritten: FunctionType,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    given: Mapping[str, Any],
    *,
    taped: bool,
) -> Tried:
    if reason := _obstacle(original, given):
        return Tried(None, f"not compared, because {reason}")
    from tfrewrite.report import comparison as words
    from tfrewrite.verify import wording
    from tfrewrite.verify.in_process import Wanted, compare
    from tfrewrite.verify.verdict import Verdict

    functions = (original, rewritten)
    if is_method(original) and args:
        functions, args = tuple(MethodType(one, args[0]) for one in functions), args[1:]  # type: ignore[assignment]
    try:
        found = compare(*functions, Wanted([tuple(args)], kwargs, gradients=taped, seeded=False, quiet=True))
    except Exception:
        return Tried(None, "not compared, because something that it uses can't be copied")
    (finding,) = found.findings
    match finding.verdict:
        case Verdict.EQUIVALENT | Verdict.SENSITIVE:
            return Tried(True, f"compared in the first call: {words.verdict_words(finding)}")
        case Verdict.UNDECIDED:
            return Tried(None, f"not compared, because {finding.reason}")
    assert finding.difference is not None
    if finding.difference.original_raises:
        return Tried(None, "", raises=True)
    before, after = (" ".join(lines) for lines in words.values_of(finding.difference))
    return Tried(False, f"{wording.heading_of(finding.difference)}: {before} before, {after} after")


def is_early(function: FunctionType, given: Mapping[str, Any]) -> bool:
    """Are there layers or tf.functions around that the program's own first call has to make something in?"""
    waiting = [*given.values(), *_held(function, given)]
    met: set[int] = set()
    while waiting and len(met) < _MOST_OBJECTS:
        one = waiting.pop()
        if id(one) in met:
            continue
        met.add(id(one))
        if inspect.getattr_static(one, "built", True) is False or (is_compiled(one) and not one.experimental_get_tracing_count()):
            return True
        if isinstance(one, list | tuple):
            waiting += one
        elif hasattr(one, "__dict__") and not isinstance(one, type | ModuleType | FunctionType):
            waiting += [value for value in vars(one).values() if hasattr(value, "__dict__") or isinstance(value, list | tuple)]
    return False


def is_pure(function: FunctionType, given: Mapping[str, Any]) -> bool:
    return not why_not_again(function, given, _held(function, given))


def is_compiled(function: Any) -> bool:
    """Is it what `tf.function` gives?"""
    of_tensorflow = type(function).__module__.startswith("tensorflow.") and hasattr(function, "experimental_get_tracing_count")
    return of_tensorflow and isinstance(getattr(function, "python_function", None), FunctionType)


def _held(function: FunctionType, given: Mapping[str, Any]) -> list[Any]:
    """What a function reads besides its arguments, and what is set back after a call."""
    from tfrewrite.verify.agent.captured_state import held

    bound = MethodType(function, given["self"]) if is_method(function) and "self" in given else function
    return [place.get() for place in held(bound).values()]


def is_method(function: FunctionType) -> bool:
    code = function.__code__
    return code.co_argcount > 0 and code.co_varnames[0] == "self" and "." in function.__qualname__


def _obstacle(original: FunctionType, given: Mapping[str, Any]) -> str:
    import tensorflow as tf

    if tf.distribute.has_strategy():
        return "it runs under a distribution strategy"
    size = sum(_size(value) for value in tf.nest.flatten([value for value in given.values() if _is_plain(value)]))
    if size > _MOST_BYTES:
        return f"its arguments take {size / 1e6:.0f} MB, and copies of them as much again"
    return why_not_again(original, given, _held(original, given))


def _is_plain(value: Any) -> bool:
    return isinstance(value, list | tuple | dict) or type(value).__module__.partition(".")[0] in ("numpy", "tensorflow")


def _size(value: Any) -> int:
    if type(value).__module__.partition(".")[0] not in ("numpy", "tensorflow"):
        return 0
    if type(value).__module__.startswith("numpy"):
        return int(getattr(value, "nbytes", 0))
    shape: Any = getattr(value, "shape", None)
    elements = shape.num_elements() if hasattr(shape, "num_elements") else None
    return 0 if elements is None else int(elements) * int(getattr(getattr(value, "dtype", None), "size", 8))
