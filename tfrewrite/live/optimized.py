"""One function that rewrites itself: for each kind of calls, what was made for it."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import FrameType, FunctionType
from typing import TYPE_CHECKING, Any, Literal

from tfrewrite.live.dispatch import Choice, choose, is_dispatch, signature_of

if TYPE_CHECKING:
    from tfrewrite.live.report import Report
    from tfrewrite.live.rewritten_functions import Made
    from tfrewrite.live.seeing import Constants, Sight
    from tfrewrite.live.written import Written
    from tfrewrite.outcomes import Rule

SWITCH = "TFREWRITE"
_MOST_KINDS = 16
_MOST_SIZES = 4
_MOST_EARLY = 8
_comparing = threading.Lock()
"""Comparing redirects the output of the process, so only one thread does it at a time."""


class OptimizeWarning(UserWarning):
    """A function that is called as it was written, and why."""


class NotEquivalent(AssertionError):
    """What was made of a function differs from it, and no fallback was allowed."""


@dataclass(frozen=True)
class Settings:
    verify: bool | Literal["always"] = True
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    unsafe: bool = False
    fallback: bool = True
    purpose: str = "memory"
    fidelity: str = "rounding"


@dataclass
class Version:
    """What was made for one kind of calls."""

    context: str
    """"", "under a tape" or "in a graph"."""

    kind: str
    """Which, in words: "x: float32[100, 100], n: int"."""
    ranks: str
    """The same without sizes: "x: float32[?, ?], n: int"."""
    made: Made
    function: FunctionType | None
    """None where the original is called."""
    tests: tuple[str, ...]
    quick_tests: tuple[str, ...]
    said: str = ""
    is_pure: bool = False
    """Of a call in a graph: it does nothing but compute."""
    is_open: bool = False
    """Nothing could be said this time: the original raised, or another thread was comparing. The next call has its turn."""
    guarded: Callable[..., Any] | None = field(default=None, repr=False)


def is_switched_off() -> bool:
    return os.environ.get(SWITCH, "").lower() in ("off", "0", "no", "false")


class Optimized:
    """Keeps what was made of a function, and finds what a call is to run."""

    def __init__(self, original: FunctionType, settings: Settings, rules: tuple[Rule, ...]) -> None:
        self.original = original
        self.settings = settings
        self.versions: list[Version] = []
        self.dispatch: FunctionType | None = None
        self.shown: list[Any] = []
        """Objects that show what the dispatcher does: a `tf.function` of it, a partial."""
        self.reason = ""
        """Why the original is called, where it always is."""
        self._rules = rules
        self._lock = threading.Lock()
        self._said: set[str] = set()
        self._early = 0
        self._signature = signature_of(original)

    @cached_property
    def written(self) -> Written | str:
        """Where the source stands, or why it can't be had."""
        from tfrewrite.live.written import Unavailable, written

        try:
            return written(self.original)
        except Unavailable as reason:
            return str(reason)

    @cached_property
    def constants(self) -> Constants:
        from tfrewrite.live.seeing import Constants

        return Constants(self._signature.parameters)

    # Calls

    def find(self, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        """What a call is to run. A thread that can't find out at once runs the original."""
        if is_switched_off() or "tensorflow" not in sys.modules or not self._lock.acquire(blocking=False):
            return _converted(self.original)
        try:
            return self._found(args, kwargs)
        except (NotEquivalent, OptimizeWarning):
            raise
        except Exception as error:  # ours, whatever it is: nobody's program may end because of it
            self.versions = []  # it may be one of them that fails
            self._give_up(f"tfrewrite failed: {type(error).__name__}: {error}")
            return _converted(self.original)
        finally:
            self._lock.release()

    def _found(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Callable[..., Any]:
        if isinstance(self.written, str):
            self._give_up(self.written)
            return _converted(self.original)
        from tfrewrite.live.seeing import Replaced, see
        from tfrewrite.live.written import Unavailable, untrue

        if changed := untrue(self.written, self.original.__globals__):
            self._give_up(f"{changed} isn't what its file says: it was assigned another value")
            return _converted(self.original)
        given = self._signature.bind(*args, **kwargs)
        given.apply_defaults()
        ranks = _kind(given.arguments, sizes=False)
        alike = [one for one in self.versions if one.ranks == ranks]
        sizes = len(alike) < _MOST_SIZES
        try:
            sight = see(self.original, self.written, given.arguments, self.constants, sizes=sizes)
        except Replaced:
            return _converted(self.original)
        except Unavailable as reason:
            self._give_up(str(reason))
            return _converted(self.original)
        context = _context_test(sight, self.constants)
        tests = (context, *sight.tests)
        known = next((one for one in alike if one.tests == tests), None)
        if known is None:
            if _comparing.locked():
                return _converted(self.original)  # part of what is compared, or of another thread's: its turn comes
            if len([one for one in self.versions if one.function is not None]) >= _MOST_KINDS or len(self.versions) >= 4 * _MOST_KINDS:
                self._give_up(f"it is called with more than {_MOST_KINDS} kinds of arguments")
                return _converted(self.original)
            if self._is_early(sight, given.arguments):
                return _converted(self.original)
            known = self._version(sight, tests, _kind(given.arguments, sizes=sizes), ranks, sizes=sizes)
            self.versions.append(known)
            done = False
            try:
                self._try(known, sight, args, kwargs, given.arguments)
                done = not known.is_open
            except (NotEquivalent, OptimizeWarning):
                done = True
                raise
            finally:
                if not done:  # or it was interrupted
                    self.versions = [one for one in self.versions if one is not known]
                self._choose()
        elif self.settings.verify == "always":
            self._try(known, sight, args, kwargs, given.arguments)
        if known.is_open:
            return _converted(self.original)
        return known.guarded or _converted(known.function or self.original)

    def _is_early(self, sight: Sight, given: Mapping[str, Any]) -> bool:
        """Would comparing make variables that are only made once, by the program's own first call?"""
        if sight.graph or not self.settings.verify or self._early >= _MOST_EARLY:
            return False
        from tfrewrite.live.trials import is_early

        self._early += 1
        return is_early(self.original, given)

    def _version(self, sight: Sight, tests: tuple[str, ...], kind: str, ranks: str, *, sizes: bool) -> Version:
        from tfrewrite.engine import InternalError, Options, Result
        from tfrewrite.live.rewritten_functions import Made, function_of, made_once
        from tfrewrite.outcomes import Fidelity, purposes
        from tfrewrite.source import SourceError

        assert not isinstance(self.written, str)
        try:
            settings = self.settings
            fidelity = Fidelity[settings.fidelity.upper()]
            options = Options(self._rules, settings.unsafe, fidelity, purposes=purposes(settings.purpose))
            one = made_once(self.written, sight, options, self.original)
            function = None if one.code is None else function_of(one, self.original)
        except (SourceError, InternalError) as error:
            one, function = Made(Result(), self.written.text, failure=str(error)), None
        except LookupError as name:
            one, function = Made(Result(), self.written.text, failure=f"the rewritten function would need {name} from around it"), None
        if function is not None and not sizes and one.is_traced:
            function, one = None, replace(one, failure="it is called with tensors of many sizes, and would be traced for each of them")
        version = Version(
            "in a graph" if sight.graph else "under a tape" if sight.taped else "",
            kind,
            ranks,
            one,
            function,
            tests,
            (tests[0], *sight.quick_tests),
            one.failure,
        )
        return version

    def _try(self, version: Version, sight: Sight, args: tuple[Any, ...], kwargs: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        """Compare, where that is asked for and can be done; take the original where they differ."""
        function = version.function
        if function is None:
            return
        if sight.graph:
            version.said = version.said or "not compared: a graph is made, in which nothing has a value yet"
            from tfrewrite.live.trials import is_pure

            version.is_pure = is_pure(self.original, given)
            version.guarded = self._guarded(version, function)
            return
        if not self.settings.verify:
            return
        from tfrewrite.live.trials import tried

        if not _comparing.acquire(blocking=False):
            version.is_open = True
            return
        try:
            found = tried(self.original, function, args, kwargs, given, taped=sight.taped)
        finally:
            _comparing.release()
        version.said, version.is_open = found.said, found.raises
        if found.agrees is False:
            self._take_back(version, found.said)

    def _take_back(self, version: Version, said: str) -> None:
        version.function = None
        version.said = f"taken back: {said}"
        version.guarded = None
        self._choose()
        message = f"what tfrewrite made of {self.name} differs from it: {said}"
        if not self.settings.fallback:
            self.versions.remove(version)  # so that every call says so
            raise NotEquivalent(message)
        self._warn(f"{message}. The original is called for arguments of this kind; please report it")

    def _guarded(self, version: Version, function: FunctionType) -> Callable[..., Any]:
        """While a graph is made: where the rewritten function fails and the original doesn't, the original it is."""

        def call(*args: Any, **kwargs: Any) -> Any:
            if version.function is None:
                return _converted(self.original)(*args, **kwargs)
            import tensorflow as tf

            graph: Any = tf.compat.v1.get_default_graph()
            made = len(graph.get_operations())
            try:
                return _converted(function)(*args, **kwargs)
            except Exception as error:
                if not version.is_pure or _has_effects(graph.get_operations()[made:]):
                    raise  # another attempt would do part of it twice
                lines = str(error).strip().splitlines() or [""]
                failure = f"it fails in a graph: {type(error).__name__}: {lines[-1]}"
            result = _converted(self.original)(*args, **kwargs)  # what it raises is what the program raises
            self._take_back(version, failure)
            return result

        call.autograph_info__ = {}  # type: ignore[attr-defined]
        return call

    def _choose(self) -> None:
        """Let the dispatcher know about all versions, so that it need not ask again."""
        if self.dispatch is not None:
            choose(self.dispatch, self._choices(), self.constants.values)
            self.tell()

    def _choices(self) -> list[Choice]:
        if self.settings.verify == "always":
            return []
        return [Choice(one.function or self.original, one.quick_tests) for one in self.versions if one.tests[0] != _NEVER]

    def _give_up(self, reason: str) -> None:
        """Call the original from now on where nothing was made yet, and look no more."""
        self.reason = reason
        if self.dispatch is not None:
            choose(self.dispatch, self._choices(), self.constants.values, self._call_original)
        self._warn(f"{self.name} is called as it was written: {reason}")

    def _call_original(self, *args: Any, **kwargs: Any) -> Any:
        return _converted(self.original)(*args, **kwargs)

    # What is said

    def tell(self) -> None:
        """Put what was made where users look for it: functions have no properties."""
        source = self.source
        rewrites = [one for version in self.versions for one in version.made.result.rewrites if version.function is not None]
        refusals = [one for version in self.versions for one in version.made.result.refusals]
        for shown in (self.dispatch, *self.shown):
            vars(shown).update(source=source, rewrites=rewrites, refusals=refusals)

    @property
    def source(self) -> str:
        """Of the function as it was rewritten last, with what it needs; else as it was written."""
        from tfrewrite.live.rewritten_functions import source_of

        if isinstance(self.written, str):
            return ""
        made = next((one.made for one in reversed(self.versions) if one.function is not None), None)
        return source_of(self.written, made)

    def diff(self) -> str:
        """What was rewritten, as a unified diff of the file."""
        from tfrewrite.live.report import diff_of

        return "" if isinstance(self.written, str) else diff_of(self.written, self.versions)

    def report(self) -> Report:
        """What became of the function for each kind of arguments, as a table."""
        from tfrewrite.live.report import Report

        return Report(self.name, self.reason, tuple(self.versions))

    @property
    def name(self) -> str:
        return self.original.__qualname__

    def _warn(self, message: str) -> None:
        if message not in self._said:
            self._said.add(message)
            warnings.warn(message, OptimizeWarning, stacklevel=outside())


_NEVER = "False"
_READING = {"ReadVariableOp", "VarHandleOp", "Placeholder", "ResourceGather", "StatefulPartitionedCall"}
_ARRAYS = {"tensorflow", "numpy", "keras"}


def _context_test(sight: Sight, constants: Constants) -> str:
    """Is it eager code, and under a tape as it was? While a graph is made, the dispatcher always asks."""
    if sight.graph:
        return _NEVER
    from tensorflow.python import pywrap_tfe
    from tensorflow.python.eager import context

    untaped = f"{constants.name(pywrap_tfe.TFE_Py_TapeSetIsEmpty, 'untaped')}()"
    untaped = f"not {untaped}" if sight.taped else untaped
    local = getattr(context.context(), "_thread_local_data", None)
    if hasattr(local, "is_eager"):
        return f"{constants.name(local, 'thread')}.is_eager and {untaped}"
    return f"{constants.name(context.executing_eagerly, 'eagerly')}() and {untaped}"


def _has_effects(operations: Sequence[Any]) -> bool:
    """Would some of these operations of a graph be noticed, were they left in it?"""
    return any(one.op_def is None or (one.op_def.is_stateful and one.type not in _READING) for one in operations)


def _converted(function: FunctionType) -> Callable[..., Any]:
    """A function that is called from code that AutoGraph doesn't convert, as if it were called from code that it does."""
    if "tensorflow" not in sys.modules:
        return function
    import tensorflow as tf

    if tf.executing_eagerly():
        return function
    autograph = tf.__internal__.autograph
    context = _given_context() or autograph.control_status_ctx()
    if context.status.name == "DISABLED" or (context.status.name != "ENABLED" and not _is_called_by_tensorflow()):
        return function
    converted: Callable[..., Any] = autograph.tf_convert(function, context)
    return converted


def _is_called_by_tensorflow() -> bool:
    """Code that a dataset converts for itself runs in a context that says nothing of it."""
    return str(_caller().f_globals.get("__name__")).startswith(("tensorflow.python.autograph.", "tensorflow.python.data."))


def _given_context() -> Any:
    """What a dataset converts its functions in, if one calls us: it takes us for converted."""
    return _caller().f_locals.get("ag_ctx") if str(_caller().f_globals.get("__name__")).startswith("tensorflow.python.") else None


def _in_words(value: Any, *, sizes: bool) -> str:
    if type(value).__module__.partition(".")[0] not in _ARRAYS:
        return type(value).__name__  # nothing else is asked: it may be a function of the program's that answers
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    if dtype is None or shape is None:
        return type(value).__name__
    try:
        dims = [str(size) if sizes and size is not None else "?" for size in tuple(shape)]
        name = getattr(dtype, "name", str(dtype))
    except (TypeError, ValueError):
        return f"{type(value).__name__}"
    return f"{name}[{', '.join(dims)}]"


def _kind(given: Mapping[str, Any], *, sizes: bool) -> str:
    return ", ".join(f"{name}: {_in_words(value, sizes=sizes)}" for name, value in given.items())


def outside() -> int:
    """How far up the caller stands who isn't tfrewrite."""
    frame, depth = sys._getframe(0), 0
    while frame.f_back is not None and (_is_ours(frame) or frame.f_code.co_filename.startswith("<tfrewrite")):
        frame, depth = frame.f_back, depth + 1
    return depth


def _caller() -> FrameType:
    """What calls the dispatcher, a rewritten function too."""
    frame = sys._getframe(0)
    while frame.f_back is not None and _is_ours(frame):
        frame = frame.f_back
    return frame


def _is_ours(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).startswith("tfrewrite.") or is_dispatch(frame.f_code)
