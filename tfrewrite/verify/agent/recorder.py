"""Records the calls of a program's functions while it runs."""

from __future__ import annotations

import ast
import builtins
import functools
import io
import linecache
import os
import pickle
import re
import sys
import threading
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, groupby, islice
from operator import itemgetter
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType, TracebackType
from typing import Any

from tfrewrite.verify.agent import state, training
from tfrewrite.verify.agent.hook import as_script
from tfrewrite.verify.agent.instrument import HOOK
from tfrewrite.verify.agent.noise import Noise
from tfrewrite.verify.agent.photographer import Photographer
from tfrewrite.verify.agent.training import Training
from tfrewrite.verify.output import without_log
from tfrewrite.verify.plan import CALLS, CALLS_BY_DEFAULT, CLAIMED, ENOUGH, AnyPortrait, Call, Counts, Plan, Raised
from tfrewrite.verify.portrait import Store
from tfrewrite.verify.program import Function

_MOST_ORDERED = 100_000
_MOST_KEPT = 50_000_000
_MARGIN = re.compile(r"^(?=.)", re.MULTILINE)
Position = tuple[int, int, int]
"""Of what was printed so far: through Python, by C++, and through Python to standard error."""
_ASSERTIONS = ("assertion failed", "Assert", "Condition x")


@dataclass(frozen=True)
class Live:
    """A call as it is about to happen: what is called, and with what."""

    function: str
    target: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    names: tuple[str, ...]

    @property
    def values(self) -> tuple[Any, ...]:
        return (*self.args, *self.kwargs.values())


@dataclass
class Process:
    """The process that a recorder is in."""

    first: bool = True
    """Not started from another Python of the same run: what several of those do has no order."""
    foreign: bool = False
    """Started by somebody else, who may put streams of his own in the place of the standard ones."""
    name: str = ""

    def __post_init__(self) -> None:
        self.name = self.name or f"{time.time_ns():020}.{os.getpid()}"


@dataclass
class _Frame:
    """A call that goes on."""

    function: str
    recorded: bool = False
    entered: bool = False
    """Seen from outside, at its tf.function: its body, run eagerly, is the same call and not another one."""
    order: int = 0
    number: int = 0
    live: Live | None = None
    before: tuple[AnyPortrait, AnyPortrait] | None = None
    photographer: Photographer | None = None
    taped: bool = False
    printed_from: Position = (0, 0, 0)
    result: Any = None
    within: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """What was written at once."""

    text: str
    number: int
    """Of all that is written, to whatever stream."""
    at: int
    """How far the descriptor was that C++ prints to."""


_NUMBERS = count()


class Kept:
    """What was written, as far as it may fill the memory: of very much only the end."""

    def __init__(self) -> None:
        self._parts: deque[Part] = deque()
        self._size = 0
        self.count = 0

    def append(self, text: str) -> None:
        self._parts.append(Part(text, next(_NUMBERS), descriptor_position()))
        self._size += len(text)
        self.count += 1
        while self._size > _MOST_KEPT and len(self._parts) > 1:
            self._size -= len(self._parts.popleft().text)

    def since(self, count: int) -> list[Part]:
        """The parts that were written after so many others."""
        return list(islice(self._parts, max(0, len(self._parts) - (self.count - count)), None))


class Output(io.TextIOBase):
    """Stands before a stream and keeps what passes, leaving out what is logged or warned."""

    def __init__(self, stream: Any, quiet: tuple[str, ...] = ()) -> None:
        self._stream = stream
        self._quiet = quiet
        self.parts = Kept()

    def write(self, text: str) -> int:
        self._stream.write(text)  # which refuses what isn't a text
        if not self._quiet or not _written_by(self._quiet):
            self.parts.append(text)
        return len(text)

    def flush(self) -> None:
        self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    # These three would be found in the base class, and say that nothing is known.

    @property
    def encoding(self) -> Any:  # type: ignore[override]
        return self._stream.encoding

    @property
    def errors(self) -> Any:  # type: ignore[override]
        return self._stream.errors

    @property
    def newlines(self) -> Any:  # type: ignore[override]
        return self._stream.newlines

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return int(self._stream.fileno())

    def writable(self) -> bool:
        return True

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts.since(0))


def _written_by(modules: tuple[str, ...]) -> bool:
    frame = sys._getframe(2)
    for _ in range(6):
        if frame.f_globals.get("__name__", "").partition(".")[0] in modules:
            return True
        if frame.f_back is None:
            break
        frame = frame.f_back
    return False


class _Local(threading.local):
    def __init__(self) -> None:
        self.stack: list[_Frame] = []


@dataclass
class Recorder:
    """What the instrumented code calls."""

    plan: Plan
    functions: Sequence[Function]
    process: Process = field(default_factory=Process)
    on_call: Callable[[Live], None] | None = None
    """Instead of recording: told of the first call that could be repeated."""
    globals: dict[str, Any] = field(default_factory=dict)
    originals: dict[str, FunctionType] = field(default_factory=dict)
    """The functions as they were defined, before any decorator."""
    counts: Counter[str] = field(default_factory=Counter)
    order: list[str] = field(default_factory=list)
    taped: set[str] = field(default_factory=set)
    training: Training = field(default_factory=Training)
    paused: int = 0

    def __post_init__(self) -> None:
        self._local = _Local()
        self._lock = threading.RLock()
        self._total = 0
        self._places = {line: one.name for one in self.functions for line in (one.first_line, one.line)}
        self._by_name = {one.name: one for one in self.functions}
        self._store = Store(Path(self.plan.store))
        self._stream: Any = None
        self._environment = dict(os.environ)
        self.output = Output(sys.stdout)
        self.errors: Output | None = None
        self.noise = Noise(self.plan.noise, self.plan.errors) if self.plan.noise else None

    def hooks(self, text: str) -> dict[str, Callable[[ModuleType], None]]:
        """What to do when modules that matter are imported."""
        return training.hooks(self.training, text)

    def function(self, name: str) -> Function | None:
        return self._by_name.get(name)

    # What the code calls

    def begin(self, namespace: dict[str, Any]) -> None:
        """The program starts to run, in these globals."""
        as_script(namespace)
        if not self.globals:
            self.globals = namespace
        watch_functions(self)

    def register(self, index: int) -> Callable[[FunctionType], FunctionType]:
        def keep(function: FunctionType) -> FunctionType:
            name = self.functions[index].name
            # A file can be imported under several names: the first is the one that is looked at.
            if function.__globals__ is self.globals or name not in self.originals:
                self.originals[name] = function
            return function

        return keep

    def around(self, index: int, variables: dict[str, Any], body: Callable[[], Any]) -> Any:
        with self.call(index, variables):
            return self.result(body())

    def call(self, index: int, variables: dict[str, Any]) -> _Guard:
        function = self.functions[index]
        return _Guard(self, lambda: self._inner(function, variables), function.name)

    def started(self, index: int, variables: dict[str, Any]) -> None:
        """A generator is asked for its first value."""
        function = self.functions[index]
        if self.on_call is None or self.paused or _tracing():
            return
        if (live := self._inner(function, variables)) is not None:
            self.paused += 1
            try:
                with _recording():
                    self.on_call(live)
            finally:
                self.paused -= 1

    def result(self, value: Any) -> Any:
        """What the function that is running returns: as it is, unless noise is asked for."""
        stack = self._local.stack
        if self.noise is not None and stack and stack[-1].order:
            value = self.noise.moved(value, stack[-1].function)
        if stack and stack[-1].recorded:
            stack[-1].result = value
        return value

    # Frames

    def _inner(self, function: Function, variables: dict[str, Any]) -> Live | None:
        target = self.originals.get(function.name) or self.globals.get(function.name)
        if target is None:
            return None
        args, kwargs, names = bound(function, variables)
        return Live(function.name, target, args, kwargs, names)

    def enter(self, name: str, live: Callable[[], Live | None], *, outside: bool = False) -> _Frame:
        stack = self._local.stack
        frame = _Frame(name, entered=not outside)
        inside = bool(stack) and stack[-1].function == name and not stack[-1].entered
        if inside:
            stack[-1].entered = True
        # What runs within a probe, while a function is traced, or once more for its gradient, is no call of its own.
        elif not self.paused and not _tracing() and not _recomputing():
            with self._lock:
                self._open(frame, live, stack)
        stack.append(frame)
        return frame

    def _open(self, frame: _Frame, find: Callable[[], Live | None], stack: Sequence[_Frame]) -> None:
        self.counts[frame.function] += 1
        self._total += 1
        frame.order, frame.number = self._total, self.counts[frame.function]
        if frame.function not in self.taped and _taped():
            self.taped.add(frame.function)
        frame.within = tuple(one.function for one in stack if one.order)
        # What a rewritten function calls is its own affair.
        if len(self.order) < _MOST_ORDERED and not any(name in self.plan.rewritten for name in frame.within):
            self.order.append(frame.function)
        if self.on_call is None and not _is_sampled(frame.number, self.plan.calls):
            return
        live = find()
        if live is None:
            return
        if self.on_call is not None:
            self.paused += 1
            try:
                with _recording():
                    self.on_call(live)
            finally:
                self.paused -= 1
            return
        frame.live, frame.recorded, frame.taped = live, True, _taped()
        frame.photographer = Photographer(self._store)
        frame.before = self._look(live, frame.photographer)
        frame.printed_from = self.position()

    def leave(self, frame: _Frame, error: BaseException | None) -> None:
        stack = self._local.stack
        while stack and stack.pop() is not frame:
            pass
        if self.noise is not None and frame.order and frame.live is not None and error is None:
            self.noise.move_variables((*frame.live.values, *self.shared().values()))
        if frame.recorded:
            with self._lock:
                self._close(frame, error)

    def _close(self, frame: _Frame, error: BaseException | None) -> None:
        assert frame.live is not None and frame.before is not None and frame.photographer is not None
        printed = self.printed_since(frame.printed_from)
        photographer = frame.photographer
        photographer.look_again()
        arguments, state = self._look(frame.live, photographer)
        result = photographer.take(frame.result) if error is None else None
        raised = raised_of(error, self.plan.file) if error is not None else None
        self._write(
            Call(
                frame.function,
                frame.number,
                frame.order,
                frame.within,
                traced=False,
                taped=frame.taped,
                names=frame.live.names,
                positional=len(frame.live.args),
                arguments=frame.before[0],
                arguments_after=arguments,
                state=frame.before[1],
                state_after=state,
                result=result,
                raised=raised,
                printed=printed,
                forgotten=photographer.forgotten(),
                compiled=is_compiled(frame.live.target),
                apart=not self.process.first,
            )
        )
        wanted = dict(self.plan.enough) or dict.fromkeys(self.plan.focus or self.counts, self.plan.calls)
        if all(self.counts[name] >= number for name, number in wanted.items()):
            Path(self.plan.folder, ENOUGH).touch()

    def _look(self, live: Live, photographer: Photographer) -> tuple[AnyPortrait, AnyPortrait]:
        return photographer.take(live.values), self.state(photographer)

    def state(self, photographer: Photographer) -> AnyPortrait:
        return photographer.take(self.shared())

    def shared(self) -> dict[str, Any]:
        """The values that functions share."""
        found = {name: self.globals[name] for name in self.plan.state if name in self.globals}
        found = {name: value for name, value in found.items() if not isinstance(value, ModuleType | FunctionType)}
        found.update(state.of_classes(self.globals))
        found.update(state.of_functions(self.originals))
        found.update(state.of_modules(self.plan.file))
        found.update(state.of_process(self._environment))
        return found

    # What is printed

    def position(self) -> Position:
        self._listen()
        return self.output.parts.count, descriptor_position(), self.errors.parts.count if self.errors is not None else 0

    def _listen(self) -> None:
        """A test runner may have put streams of its own in the place of the standard ones."""
        if isinstance(sys.stdout, Output):
            self.output = sys.stdout
        else:
            self.output = sys.stdout = Output(sys.stdout)
        if self.process.foreign and sys.stderr is not None:
            if not isinstance(sys.stderr, Output):
                sys.stderr = Output(sys.stderr)
            self.errors = sys.stderr

    def printed_since(self, position: Position) -> str:
        """What was written since then, in the order in which it was, each line of the other stream marked as such."""
        output = sys.stdout if isinstance(sys.stdout, Output) else self.output
        parts = output.parts.since(position[0])
        others = self.errors.parts.since(position[2]) if self.errors is not None else []
        text = descriptor_text(position[1])
        if self.process.foreign:
            for part in others:
                # It went the same way as what C++ prints. Warnings and logs are no result of a call.
                text = text.replace(part.text, "", 1)
            return "".join(part.text for part in parts) + text
        if not text and not others:
            return "".join(part.text for part in parts)
        return _transcript(parts, others, position[1])

    # Files

    def _write(self, record: object) -> None:
        if self._stream is None:
            self._stream = Path(self.plan.folder, f"{CALLS}.{self.process.name}").open("wb")
        pickle.dump(record, self._stream)
        self._stream.flush()

    def finish(self) -> Counts:
        counts = Counts(tuple(self.counts.items()), tuple(self.order), tuple(sorted(self.taped)))
        self._write(counts)
        return counts

    # Other processes

    def forked(self) -> None:
        """In a process that the program has forked: what it does is recorded apart."""
        self.process = Process(first=False, foreign=self.process.foreign)
        self.counts.clear()
        self.order.clear()
        self.taped.clear()
        self._stream = None
        self._lock = threading.RLock()

    def claim(self) -> bool:
        """Let one process of the run make the probe. False: another one does."""
        try:
            Path(self.plan.folder, CLAIMED).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


class _Guard:
    """The `with` of an instrumented function."""

    __slots__ = ("_frame", "_live", "_name", "_recorder")

    def __init__(self, recorder: Recorder, live: Callable[[], Live | None], name: str) -> None:
        self._recorder = recorder
        self._live = live
        self._name = name
        self._frame: _Frame | None = None

    def __enter__(self) -> None:
        self._frame = self._recorder.enter(self._name, self._live)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        assert self._frame is not None
        self._recorder.leave(self._frame, error)


def bound(function: Function, variables: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any], tuple[str, ...]]:
    """The arguments of a call, from the local variables that its body starts with."""
    parameters = function.parameters
    names = [one.arg for one in (*parameters.posonlyargs, *parameters.args)]
    args = [variables[name] for name in names]
    if parameters.vararg is not None:
        rest = variables[parameters.vararg.arg]
        names += [f"{parameters.vararg.arg}[{index}]" for index in range(len(rest))]
        args += rest
    kwargs = {one.arg: variables[one.arg] for one in parameters.kwonlyargs}
    if parameters.kwarg is not None:
        kwargs.update(variables[parameters.kwarg.arg])
    return tuple(args), kwargs, (*names, *kwargs)


def named(function: Function | None, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[str, ...]:
    """What the arguments of a call from outside are called."""
    known = [one.arg for one in (*function.parameters.posonlyargs, *function.parameters.args)] if function is not None else []
    names = known[: len(args)]
    return (*names, *(f"args[{index}]" for index in range(len(names), len(args))), *kwargs)


# tf.functions


def watch_functions(recorder: Recorder) -> None:
    """Let calls of tf.functions be recorded: their bodies are built anew from the text, and tell nothing."""
    kind = function_type()
    if kind is None or hasattr(kind, "tfrewrite_original"):
        return
    original = kind.__call__
    kind.tfrewrite_original = original

    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
        name, instance = _identify(recorder, self)
        if name is None:
            return original(self, *args, **kwargs)
        values = args if instance is None else (instance, *args)
        known = recorder.function(name)
        with watched(recorder, name, lambda: Live(name, caller(original, self, instance), values, kwargs, named(known, values, kwargs))):
            return recorder.result(original(self, *args, **kwargs))

    kind.__call__ = __call__


def caller(original: Callable[..., Any], function: Any, instance: Any) -> Callable[..., Any]:
    """Calls a tf.function past the recorder; the first argument of a method is bound already."""
    if instance is None:
        return _Direct(function, lambda *args, **kwargs: original(function, *args, **kwargs))
    return _Direct(function, lambda _, *args, **kwargs: original(function, *args, **kwargs), instance)


@dataclass(frozen=True)
class _Direct:
    """A tf.function that is called without being recorded."""

    function: Any
    run: Callable[..., Any]
    instance: Any = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.run(*args, **kwargs)


def is_compiled(target: Any) -> bool:
    """Is it a tf.function that this calls?"""
    kind = function_type()
    return isinstance(target, _Direct) or (kind is not None and isinstance(target, kind))


@contextmanager
def watched(recorder: Recorder, name: str, live: Callable[[], Live | None]) -> Iterator[None]:
    frame = recorder.enter(name, live, outside=True)
    try:
        yield
    except BaseException as error:
        recorder.leave(frame, error)
        raise
    recorder.leave(frame, None)


def function_type() -> Any:
    if "tensorflow" not in sys.modules:
        return None
    try:
        from tensorflow.python.eager.polymorphic_function import polymorphic_function
    except ImportError:
        return None
    return polymorphic_function.Function


def _identify(recorder: Recorder, function: Any) -> tuple[str | None, Any]:
    """Which of the program's functions a tf.function is made of, and the object whose method it is."""
    from tensorflow.python.util import tf_decorator

    _, target = tf_decorator.unwrap(function._python_function)
    instance = getattr(target, "__self__", None)
    code = getattr(getattr(target, "__func__", target), "__code__", None)
    if code is None or code.co_filename != recorder.plan.file:
        return None, None
    name = recorder._places.get(code.co_firstlineno)
    if name is None:
        name = next((key for key, value in recorder.globals.items() if value is function and key in recorder.plan.functions), None)
    return name, getattr(instance, "target", instance)


def _tracing() -> bool:
    tensorflow = sys.modules.get("tensorflow")
    return tensorflow is not None and not tensorflow.executing_eagerly()


@contextmanager
def _recording() -> Iterator[None]:
    """Tapes record, though the call is one that none of the program's looks at: `tf.recompute_grad` makes such calls."""
    if "tensorflow" not in sys.modules:
        yield
        return
    from tensorflow.python import pywrap_tfe

    stopped = pywrap_tfe.TFE_Py_TapeSetIsStopped()
    if stopped:
        pywrap_tfe.TFE_Py_TapeSetRestartOnThread()
    try:
        yield
    finally:
        if stopped:
            pywrap_tfe.TFE_Py_TapeSetStopOnThread()


def _recomputing() -> bool:
    """Does `tf.recompute_grad` run a function again, for its gradient?"""
    code = _recomputation() if "tensorflow.python.ops.custom_gradient" in sys.modules else None
    frame: FrameType | None = None if code is None else sys._getframe()
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    return frame is not None


@functools.cache
def _recomputation() -> CodeType | None:
    """The function in `tf.recompute_grad` that the gradient calls."""
    from tensorflow.python.ops import custom_gradient

    inner = _code_within(custom_gradient.recompute_grad.__code__, "inner")
    return None if inner is None else _code_within(inner, "grad_wrapper")


def _code_within(code: CodeType, name: str) -> CodeType | None:
    return next((one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == name), None)


def _taped() -> bool:
    if "tensorflow" not in sys.modules:
        return False
    try:
        from tensorflow.python import pywrap_tfe
    except ImportError:
        return False
    return not pywrap_tfe.TFE_Py_TapeSetIsEmpty()


# Exceptions


def raised_of(error: BaseException, file: str) -> Raised:
    trace = traceback.extract_tb(error.__traceback__)
    message = str(error)
    kind = type(error)
    module = "" if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}."
    asserted = kind.__name__ == "InvalidArgumentError" and any(word in message for word in _ASSERTIONS)
    through = any("autograph" in one.filename or "func_graph" in one.filename for one in trace)
    own = _is_raised_at(file, _line_of(error, trace, file))
    lines = "".join(traceback.format_list(trace[-3:]))
    return Raised(f"{module}{kind.__qualname__}", message, own or asserted, through, lines, _bases(kind))


def _bases(kind: type[BaseException]) -> tuple[str, ...]:
    """What callers may catch it as; how the program's own types are built on each other is its own affair."""
    return tuple(base.__qualname__ for base in kind.__mro__[1:-1] if base.__module__ == "builtins" or base.__module__ != kind.__module__)


def _line_of(error: BaseException, trace: Sequence[traceback.FrameSummary], file: str) -> int:
    """The program's line that raised it, also where AutoGraph has built the function anew; 0 where it came from elsewhere."""
    translated = getattr(getattr(error, "ag_error_metadata", None), "translated_stack", None)
    if translated:
        last = translated[-1]
        return int(last.lineno) if getattr(last, "filename", "") == file else 0
    return (trace[-1].lineno or 0) if trace and trace[-1].filename == file else 0


def _is_raised_at(file: str, line: int) -> bool:
    """Does that line hold a `raise` or an `assert`, rather than a call that fails?"""
    return line in _raising(file, "".join(linecache.getlines(file))) if line else False


@functools.lru_cache(maxsize=4)
def _raising(file: str, text: str) -> frozenset[int]:
    try:
        tree = ast.parse(text, file)
    except SyntaxError:
        return frozenset()
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Raise | ast.Assert)]
    return frozenset(line for node in found for line in range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _is_sampled(number: int, calls: int) -> bool:
    """The first calls; and unless their number was asked for, one in five of the next, and then fewer and fewer."""
    if number <= calls or calls != CALLS_BY_DEFAULT:
        return number <= calls
    return (number <= 10 * calls and number % 5 == 0) or number & (number - 1) == 0


# What C++ prints


def descriptor_position() -> int:
    try:
        return os.lseek(2, 0, os.SEEK_CUR)
    except OSError:
        return -1


def descriptor_text(start: int, end: int | None = None) -> str:
    """What tf.print wrote to standard error since then, where that goes to a file."""
    if start < 0:
        return ""
    try:
        end = os.lseek(2, 0, os.SEEK_CUR) if end is None else end
        if end <= start:
            return ""
        with open("/proc/self/fd/2", "rb") as file:
            file.seek(start)
            return without_log(file.read(end - start).decode(errors="replace"))
    except OSError:
        return ""


def _transcript(parts: Sequence[Part], others: Sequence[Part], start: int) -> str:
    own = {part.number for part in parts}
    pieces: list[tuple[bool, str]] = []
    for part in sorted((*parts, *others), key=lambda part: part.number):
        if part.at > start >= 0:
            pieces.append((False, descriptor_text(start, part.at)))
            start = part.at
        pieces.append((part.number in own, part.text))
    pieces.append((False, descriptor_text(start)))
    streams = [(mine, "".join(text for _, text in group)) for mine, group in groupby(filter(itemgetter(1), pieces), key=itemgetter(0))]
    return "".join(text if mine else _MARGIN.sub("stderr: ", text) for mine, text in streams)


def install(recorder: Recorder) -> None:
    setattr(builtins, HOOK, recorder)
