"""`@optimize_memory`: the rewrites of the catalogue on a live function, with what is known when it is called."""

from __future__ import annotations

import functools
import inspect
import linecache
import sys
import warnings
from collections.abc import Callable, Sequence
from types import FunctionType, MethodType
from typing import Any, Concatenate, Literal, ParamSpec, Protocol, TypeVar, overload

from tfrewrite.live.dispatch import choose, dispatcher, is_dispatcher
from tfrewrite.live.optimized import Optimized, OptimizeWarning, Settings, is_switched_off, outside
from tfrewrite.live.side_effects import looks_at_callers
from tfrewrite.live.trials import is_compiled
from tfrewrite.settings import FIDELITIES, PURPOSES

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R", covariant=True)
S = TypeVar("S", contravariant=True)

_SEVERAL = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR | inspect.CO_ITERABLE_COROUTINE


class OptimizedFunction(Protocol[P, R]):
    """A function that rewrites itself when it is called."""

    __name__: str
    __qualname__: str
    original: Any
    """The function as it was."""
    source: str
    """The text of the function as it was rewritten last, or as it was written."""
    rewrites: Sequence[Any]
    refusals: Sequence[Any]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> OptimizedFunction[P, R]: ...

    @overload
    def __get__(self: OptimizedFunction[Concatenate[S, Q], R], instance: S, owner: type | None = None) -> OptimizedFunction[Q, R]: ...

    def diff(self) -> str:
        """What was rewritten, as a unified diff."""

    def report(self) -> Any:
        """What became of it, for each kind of arguments: a table that notebooks and terminals show."""


@overload
def optimize_memory(function: Callable[P, R], /) -> OptimizedFunction[P, R]: ...


@overload
def optimize_memory(
    *,
    verify: bool | Literal["always"] = True,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    unsafe: bool = False,
    purpose: Literal["memory", "time", "both"] = "memory",
    fidelity: Literal["bitwise", "rounding", "tolerance"] = "rounding",
    fallback: bool = True,
) -> Callable[[Callable[P, R]], OptimizedFunction[P, R]]: ...


def optimize_memory(
    function: Any = None,
    /,
    *,
    verify: bool | Literal["always"] = True,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    unsafe: bool = False,
    purpose: Literal["memory", "time", "both"] = "memory",
    fidelity: Literal["bitwise", "rounding", "tolerance"] = "rounding",
    fallback: bool = True,
) -> Any:
    """Rewrite a function so that it needs less memory, when it is called and with what is known then.

    For each kind of arguments (types, dtypes, shapes) the function is rewritten once. With `verify`, the first call of each kind
    runs the original and the rewritten function with the same arguments and sets everything back, before the one that is
    chosen does the call; "always" does so in every call. Where they differ, the original is used, and a warning says what
    differed; without `fallback`, `NotEquivalent` is raised. `select` and `ignore` name rules; `unsafe` allows unproven rewrites.
    To compile takes memory itself: for "memory" only what saves more than it costs the process is done, for "time" and "both" what makes
    calls faster, too. What callers decide by the results isn't seen: unless `fidelity` is "tolerance", they stay the same bits
    wherever that can't be shown to be harmless.

    What can't be rewritten (a generator, a function without source) is returned as it is, with a warning. Wrong settings
    count as a mistake in the program: they raise.
    """
    settings = Settings(verify, _names("select", select), _names("ignore", ignore), unsafe, fallback, purpose, fidelity)
    if verify not in (True, False, "always"):
        raise ValueError(f'verify is True, False or "always", not {verify!r}')
    for name, value, known in (("purpose", purpose, PURPOSES), ("fidelity", fidelity, FIDELITIES)):
        if value not in known:
            raise ValueError(f"{name} is one of {', '.join(known)}, not {value!r}")
    from tfrewrite.catalogue import CatalogueError, chosen

    try:
        rules = chosen(settings.select, settings.ignore) if settings.select or settings.ignore else None
    except CatalogueError as error:
        raise ValueError(str(error)) from None
    if function is None:
        return lambda decorated: _decorated(decorated, settings, rules)
    return _decorated(function, settings, rules)


def _names(option: str, value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str) or not all(isinstance(one, str) for one in value):
        raise TypeError(f"{option} takes a list of names of rules, such as [{'early_release'!r}], not {value!r}")
    return tuple(value)


def _decorated(function: Any, settings: Settings, rules: Any) -> Any:
    try:
        return _optimized(function, settings, rules)
    except OptimizeWarning:
        raise  # who turns warnings into errors wants that
    except Exception as error:  # ours, or of an object that doesn't even say what it is
        return _unchanged(function, f"tfrewrite failed: {type(error).__name__}: {error}")


def _optimized(function: Any, settings: Settings, rules: Any) -> Any:
    again = functools.partial(_optimized, settings=settings, rules=rules)
    match function:
        case staticmethod() | classmethod():
            return type(function)(again(function.__func__))
        case functools.partial():
            return _of_partial(function, again(function.func))
        case MethodType():
            return MethodType(again(function.__func__), function.__self__)
        case FunctionType():
            if is_dispatcher(function):
                return function  # it was decorated twice
            return _of_function(function, settings, rules)
    if is_compiled(function):
        return _of_compiled(function, settings, rules)
    call = None if isinstance(function, type) else inspect.getattr_static(type(function), "__call__", None)
    if isinstance(call, FunctionType):
        library = str(call.__globals__.get("__name__")).partition(".")[0]
        if library not in (*_LIBRARIES, *sys.stdlib_module_names) or library == "__main__":
            return MethodType(_of_function(call, settings, rules), function)
        if library in _LIBRARIES:
            return _unchanged(function, f"it is a {type(function).__name__}, which {library} calls; decorate its call")
    return _unchanged(function, _why_not(function))


_LIBRARIES = ("keras", "tensorflow", "tf_keras")


def _of_partial(function: Any, inner: Any) -> Any:
    if inner is function.func:
        return function
    made = functools.partial.__new__(type(function), inner, *function.args, **function.keywords)
    vars(made).update(vars(function))
    _let_show(made, inner, function)
    return made


def _let_show(shown: Any, inner: Any, original: Any) -> None:
    """Let an object that calls a function show what becomes of that."""
    for name in ("diff", "report", "source", "rewrites", "refusals"):
        setattr(shown, name, getattr(inner, name))
    shown.original = original
    inner.report.__self__.shown.append(shown)


def _why_not(function: Any) -> str:
    if isinstance(function, type):
        return "it is a class; decorate its methods"
    if callable(function):
        return f"it is a {type(function).__name__}, which has no Python source"
    return f"it is a {type(function).__name__}, which can't be called"


def _of_function(function: FunctionType, settings: Settings, rules: Any) -> Any:
    code = function.__code__
    if code.co_flags & _SEVERAL:
        return _unchanged(function, "it is a generator or a coroutine, which runs piece by piece")
    if looks_at_callers(code):
        return _unchanged(function, "it looks at who calls it, and there would be one more in between")
    if not linecache.getlines(code.co_filename, function.__globals__):
        return _unchanged(function, f"its source can't be found ({code.co_filename})")
    if rules is None:
        from tfrewrite.catalogue import rules as all_rules

        rules = all_rules()
    optimized = Optimized(function, settings, rules)
    dispatch: Any = dispatcher(function, optimized.find)
    optimized.dispatch = dispatch
    dispatch.original = function
    dispatch.diff = optimized.diff
    dispatch.report = optimized.report
    dispatch.source, dispatch.rewrites, dispatch.refusals = _text_of(function), [], []
    if is_switched_off():
        choose(dispatch, [], {}, optimized._call_original)
    return dispatch


def _text_of(function: FunctionType) -> str:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError, IndentationError):
        return ""


def _of_compiled(function: Any, settings: Settings, rules: Any) -> Any:
    """Another `tf.function` with the same options, of the function that rewrites itself while it is traced."""
    inner = _optimized(function.python_function, settings, rules)
    if inner is function.python_function:
        return function
    from tensorflow.python.util import tf_decorator

    # Its name, signature and documentation are put on it where tf.function does it, too.
    compiled = tf_decorator.make_decorator(inner, function._clone(inner), decorator_name="tf.function")
    _let_show(compiled, inner, function)
    return compiled


def _unchanged(function: Any, reason: str) -> Any:
    try:
        name = getattr(function, "__qualname__", None) or repr(function)
    except Exception:
        name = f"a {type(function).__name__}"
    warnings.warn(f"{name} is called as it was written: {reason}", OptimizeWarning, stacklevel=outside())
    return function


__all__ = ["OptimizedFunction", "optimize_memory"]
