"""Tries one function on its own: measures it, and calls it with recorded, varied or made-up arguments.

The program runs until it calls the function for the first time, so that everything that the function needs is there. What
follows happens in place of that call, and the program ends with it. A function that the program never calls is tried at
the program's end, with arguments that are made up.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import operator
import os
import pickle
import signal
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from tfrewrite.verify.agent import gradients
from tfrewrite.verify.agent.inputs import Inputs, Unmakeable, by_place, candidates, fresh, spec
from tfrewrite.verify.agent.noise import Noise
from tfrewrite.verify.agent.photographer import Photographer
from tfrewrite.verify.agent.pieces import MANNERS, Yielded, consumed
from tfrewrite.verify.agent.provoked import fillings, options, provoked, state_moved
from tfrewrite.verify.agent.rebuild import NotRepeatable, rebuild
from tfrewrite.verify.agent.recorder import Live, Recorder, caller, function_type, is_compiled, named, raised_of
from tfrewrite.verify.agent.references import references
from tfrewrite.verify.agent.state import owner_of, variables_in
from tfrewrite.verify.agent.variations import VARIATIONS, variations
from tfrewrite.verify.plan import OUTCOMES, TRIED, AnyPortrait, Built, Edge, Failed, Measurements, Outcome, Probe, Raised, Skipped, Trial
from tfrewrite.verify.portrait import Composite, Store
from tfrewrite.verify.verdict import Obstacle, Occasion, Remedy

_SECONDS_OF_SEARCH = 30.0
_LARGE = 1 << 22
"""Elements of arguments beyond which only a few variations are tried: each of them takes as long as a call."""
_SECONDS_OF_EDGES = 30.0
_LEAST_SECONDS, _TIMES_AS_LONG = 5.0, 20
"""How long an edge input may take at least, and how much longer than the function's own calls: of some, a loop never ends."""
"""After so many, of the processor's time or of the clock's, no edge input is begun: each may have to be traced and compiled anew."""
_LONG_CALL, _TIMES_OF_LONG_CALL = 3.0, 2
"""Seconds from which on a call, such as that of a `main`, is measured as seldom as possible, and how often it is timed then."""
_SLOW = 5.0
"""Seconds of the processor's time: of edge inputs no gradients are taken where the first call needs more."""
KEPT = "a result that is kept while it is called again"
CHANGED = "called again after its object has changed"
_SPECIAL = ~Edge.HUGE
"""Variations of which no gradients are taken: they overflow on other ways than values."""
_FEW = 6
_MOST_FILLED = 2
_UNTIL_ENDED = 10.0


def prepare(own: Recorder) -> None:
    """Let the program run until it calls the function that is to be tried."""
    probe = own.plan.probe
    assert probe is not None
    own.on_call = lambda live: _met(own, probe, live) if live.function == probe.function else None


def _met(own: Recorder, probe: Probe, live: Live) -> None:
    """The program calls it: try it here, and let the program end."""
    if not own.claim():
        own.on_call = None
        return
    with _writer(own) as write:
        try:
            _Laboratory(own, probe, live, write).work()
        except Exception as error:  # the judge says that it could not be tried, and why
            write(Failed(Obstacle(f"could not be tried on its own: {type(error).__name__}: {error}")))
    _stop(own)


def uncalled(own: Recorder, raised: Raised | None) -> None:
    """The program is at its end and has not called it."""
    probe = own.plan.probe
    assert probe is not None
    if not own.claim():
        return
    own.paused += 1
    with _writer(own) as write:
        try:
            live = _made_up(own, probe)
            _Laboratory(own, probe, live, write, made_up=True).work()
        except Unmakeable as error:
            ended = f"the program ended with {raised.type}: {raised.message.splitlines()[0] if raised.message else ''};" if raised else ""
            write(Failed(error.why.under(ended) if ended else error.why))
        except Exception as error:
            write(Failed(Obstacle(f"could not be tried on its own: {type(error).__name__}: {error}")))
    _stop(own)


@contextmanager
def _writer(own: Recorder) -> Iterator[Callable[[object], None]]:
    with Path(own.plan.folder, OUTCOMES).open("ab") as file:

        def write(record: object) -> None:
            pickle.dump(record, file)
            file.flush()

        yield write


def _stop(own: Recorder) -> None:
    """End here, without what the program would do at its end."""
    Path(own.plan.folder, TRIED).touch()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass
    if own.process.foreign or not own.process.first:
        # Others wait for this process, and would do whatever comes next: the judge ends all of them now.
        time.sleep(_UNTIL_ENDED)
    os._exit(0)


# Functions that nobody calls


def _made_up(own: Recorder, probe: Probe) -> Live:
    """The function as its module has it; arguments come later."""
    target: Any = own.globals.get(probe.function.partition(".")[0])
    if target is None:
        raise Unmakeable(f"{probe.function} is not defined when the program ends")
    *path, last = probe.function.split(".")[1:] or [""]
    if not last:
        return Live(probe.function, target, (), {}, ())
    for name in path:
        target = getattr(target, name)
    kind = inspect.getattr_static(target, last)
    if isinstance(kind, staticmethod | classmethod):
        return Live(probe.function, getattr(target, last), (), {}, ())
    instance = _instance(own, target)
    method = getattr(instance, last)
    if (compiled := function_type()) is not None and isinstance(method, compiled):
        # Its input_signature, where it has one, knows nothing of the object: only what is bound to that can be called.
        return Live(
            probe.function, caller(getattr(compiled, "tfrewrite_original", compiled.__call__), method, instance), (instance,), {}, ("self",)
        )
    return Live(probe.function, getattr(target, last), (instance,), {}, ("self",))


def _instance(own: Recorder, owner: Any) -> Any:
    """An object of that class: one that the program has made, or a new one."""
    for value in own.globals.values():
        if type(value) is owner:
            return value
    declared: list[str] = []
    found = None
    for inputs in islice(candidates(owner, name=owner.__name__, declarations=declared, namespace=own.globals), 20):
        try:
            return owner(*inputs.args, **inputs.kwargs)
        except Exception as error:
            found = error
    raise Unmakeable(f"no {owner.__name__} could be made to call it on" + (f" ({type(found).__name__}: {found})" if found else ""))


def decorated(own: Recorder, live: Live) -> Callable[..., Any]:
    """What callers call: with decorators around the body that was reached."""
    owner, _, name = live.function.rpartition(".")
    if own.originals.get(live.function) is not live.target:
        return live.target
    found: Any = own.globals.get(name) if not owner else None
    for index, part in enumerate(owner.split(".") if owner else []):
        found = getattr(found, part, None) if index else own.globals.get(part)
    if owner and found is not None:
        found = inspect.getattr_static(found, name, None)
    if isinstance(found, property | functools.cached_property):
        return operator.attrgetter(name)
    return found if callable(found) and not isinstance(found, staticmethod | classmethod) else live.target


def _remembering(fine: Sequence[Trial]) -> Iterator[Trial]:
    """What becomes of a result while the function is called again, and whether it notices that something is not what it was.

    Nobody may write over what was given away, and what was worked out once holds only as long as what it was made from.
    """
    first, others = fine[0], fine[1:]
    alike = [one for one in others if one.spec == first.spec and one.state == first.state and _of_same_object(one, first)]
    then = next(iter(alike), others[0] if others else first)
    yield replace(first, label=KEPT, occasion=Occasion.CALL, gradients=False, then=then, twice=True)
    if (moved := next((one for one in others if one.state != first.state or not _of_same_object(one, first)), None)) is not None:
        yield replace(first, label=CHANGED, occasion=Occasion.INPUTS, gradients=False, then=moved)


def _of_second_inputs(trial: Trial) -> Trial:
    """A number that stands among other arguments than the program's own says nothing of iterations."""
    count = trial.count if trial.count is not None and trial.count.rows else None
    return replace(trial, label=f"{trial.label}, second inputs", count=count)


def _of_same_object(one: Trial, other: Trial) -> bool:
    if one.names[:1] != ("self",) or not isinstance(one.arguments, Composite) or not isinstance(other.arguments, Composite):
        return True
    return one.arguments.members[0] == other.arguments.members[0]


class _TooLong(BaseException):
    """Not an Exception: programs catch those."""


@contextmanager
def _given_up_after(seconds: float | None) -> Iterator[None]:
    """Ends what is done inside by an exception, as soon as Python gets to run, where the system can tell the time."""
    if seconds is None or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def give_up(*_: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


class _Patience:
    """How long trials take."""

    def __init__(self) -> None:
        self._began = self._now()
        self._edges: tuple[float, float] | None = None
        self.is_slow: bool | None = None
        self.longest = _LEAST_SECONDS

    def _now(self) -> tuple[float, float]:
        return time.process_time(), time.monotonic()

    def tried(self) -> None:
        if self.is_slow is None:
            took = self._now()
            self.is_slow = took[0] - self._began[0] > _SLOW
            self.longest = max(_LEAST_SECONDS, _TIMES_AS_LONG * (took[1] - self._began[1]))

    def ends(self) -> bool:
        """Asked before each edge input: the other inputs are tried however long it takes."""
        now = self._now()
        self._edges = self._edges or now
        return any(one - start > _SECONDS_OF_EDGES for one, start in zip(now, self._edges, strict=True))


@dataclass
class _Laboratory:
    """Where one function is tried."""

    own: Recorder
    probe: Probe
    live: Live
    write: Callable[[object], None]
    made_up: bool = False
    first: str = ""
    """The label of the first trial."""

    def __post_init__(self) -> None:
        self.bases: list[Inputs] = []
        self.built: list[tuple[Any, Any]] | None = None
        self.store = Store(Path(self.own.plan.store))
        self.target = self._in_graph() if self.probe.as_graph or self.probe.by_xla else decorated(self.own, self.live)

    def _in_graph(self) -> Callable[..., Any]:
        import tensorflow as tf

        tf.config.run_functions_eagerly(False)
        compiled: Callable[..., Any] = tf.function(self.live.target, jit_compile=True if self.probe.by_xla else None)
        return compiled

    def work(self) -> None:
        self._look_around()
        trials = self._trials() if self.probe.trials is None else self.probe.trials
        self.first = trials[0].label if trials else ""
        if self.probe.measure:
            self._measure(trials)
        if self.probe.only_measure:
            return
        if self.probe.measure or self.probe.prepared:
            self._prepare(trials)
        fine = []
        patience = _Patience()
        for trial in trials:
            if trial.origin == "varied" and not self.probe.shadow:
                if patience.ends():
                    self.write(Skipped(trial.label))
                    continue
                trial = replace(trial, gradients=trial.gradients and not patience.is_slow)
            # What the original has come to the end of, the other version has to, or is found to take too long.
            limit = patience.longest if trial.origin == "varied" and self.probe.trials is None else None
            outcome = self._try_for(limit, trial)
            if outcome is None:
                self.write(Skipped(trial.label))
                continue
            patience.tried()
            self.write(outcome)
            if isinstance(outcome, Outcome) and outcome.raised is None and trial.then is None:
                fine.append(trial)
        if self.probe.trials is None and not self.probe.as_called:
            for outcome in self._filled(self.bases[0], patience.longest):
                self.write(outcome)
        if self.probe.trials is None and fine:
            for kept in _remembering(fine):
                self.write(self._try(kept))

    def _look_around(self) -> None:
        photographer = Photographer(self.store)
        self.arguments = photographer.take(self.live.values)
        self.state = self.own.state(photographer)

    # Which calls

    def _trials(self) -> tuple[Trial, ...]:
        own: list[Trial] = []
        if self.made_up:
            bases = self._search()
            own = [self._trial(one, one.label, one.origin or "made up") for one in bases]
        else:
            bases = [Inputs(self.live.args, self.live.kwargs)]
            first = self._trial(bases[0], "as the program calls it", "recorded")
            own = [replace(first, occasion=Occasion.AS_IT_IS), *self.probe.recorded[1:]]
        self.bases = bases
        if self.probe.as_called:
            return tuple(own)
        varied = self._varied(bases[0])
        # Labels tell the calls of the versions apart.
        varied += [_of_second_inputs(one) for base in bases[1:2] for one in self._varied(base)]
        varied += self._in_pieces(own)
        # What isn't a number stays in whatever state can't be set back: that comes last.
        return (*own, *sorted(varied, key=lambda one: bool(one.edge & _SPECIAL)))

    def _in_pieces(self, own: Sequence[Trial]) -> list[Trial]:
        """Other ways of going through what a generator gives, or of leaving what a context manager has begun."""
        function = self.own.function(self.probe.function)
        if not own or function is None or not function.resumable or isinstance(function.node, ast.AsyncFunctionDef):
            return []
        base = replace(own[0], origin="varied", occasion=Occasion.INPUTS, gradients=False)
        return [replace(base, label=manner, manner=manner) for manner in MANNERS]

    def _varied(self, base: Inputs) -> list[Trial]:
        most = _FEW if _elements(base) > _LARGE else VARIATIONS
        names, clues = named(self.own.function(self.probe.function), base.args, {}), self.probe.clues
        suggested = (*provoked(base, names, clues), *options(base, self._left_out(base), clues))
        found = [self._state_moved(base)]
        for one in (*suggested, *islice(variations(base, names=names), most)):
            try:
                found.append(self._trial(one, one.label, "varied"))
            except NotRepeatable:
                continue
        return [one for one in found if one is not None]

    def _left_out(self, base: Inputs) -> dict[str, object]:
        """Parameters that keep their defaults."""
        try:
            signature = inspect.signature(self.live.target)
            given = signature.bind_partial(*base.args, **base.kwargs).arguments
        except (TypeError, ValueError):
            return {}
        plain = (bool, int, float, str, type(None))
        left = [
            one
            for name, one in signature.parameters.items()
            if name not in given and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
        ]
        return {one.name: one.default for one in left if isinstance(one.default, plain)}

    def _state_moved(self, base: Inputs) -> Trial | None:
        trial = self._trial(base, "its state moved", "varied")
        names = self.probe.clues.assigned
        arguments = state_moved(trial.arguments, self.store, names)
        state = state_moved(self.state, self.store, names, shared=True)
        return None if (arguments, state) == (trial.arguments, self.state) else replace(trial, arguments=arguments, state=state)

    def _filled(self, base: Inputs, limit: float) -> Iterator[Outcome]:
        """Calls with something for each parameter that is None, as far as the original accepts it.

        They come last: what the original refuses leaves traces that the other version's calls would not have.
        """
        names = named(self.own.function(self.probe.function), base.args, {})
        for _, possible in fillings(base, names, self._left_out(base), self.probe.clues.words):
            accepted = 0
            for one in possible:
                try:
                    outcome = self._try_for(limit, self._trial(one, one.label, "varied"))
                except NotRepeatable:
                    continue
                if isinstance(outcome, Outcome) and outcome.raised is None:
                    yield outcome
                    accepted += 1
                if accepted == _MOST_FILLED:
                    break

    def _trial(self, inputs: Inputs, label: str, origin: str) -> Trial:
        said = _spec(inputs)
        if self.made_up:
            inputs = by_place(self.live.target, inputs)
        values = (*inputs.args, *inputs.kwargs.values())
        names = named(self.own.function(self.probe.function), inputs.args, inputs.kwargs)
        portrait = Photographer(self.store).take(values)
        return Trial(
            label,
            origin,
            portrait,
            names,
            len(inputs.args),
            said,
            gradients=not inputs.edge & _SPECIAL,
            state=self.state,
            strained=inputs.strained,
            family=inputs.family,
            size=inputs.size,
            edge=inputs.edge,
            count=inputs.count,
        )

    def _search(self) -> list[Inputs]:
        """Arguments that the function accepts, made up."""
        bound = self._without_self()
        tried = 0
        error: Exception | None = None
        found: list[Inputs] = []
        until = time.monotonic() + _SECONDS_OF_SEARCH
        declared = list(self.probe.declarations)
        for one in candidates(
            bound, name=self.probe.function, declarations=declared, namespace=self.own.globals, text=self.probe.text or None
        ):
            tried += 1
            whole = replace(one, args=(*self.live.args, *one.args))
            try:
                copy = fresh(whole)
                with self._pinned(), _quiet():
                    self.target(*copy.args, **copy.kwargs)
                found.append(whole)
            except Exception as problem:
                error = problem
            if time.monotonic() > until or (found and not declared) or len(found) > 3:
                break
        if not found:
            last = f", the last of them with {type(error).__name__}: {_first_line(error)}" if error is not None else ""
            raise Unmakeable(
                f"nothing calls it, and {tried} made-up inputs failed{last}; say what it takes in a comment on its def: "
                "# tfrewrite: inputs(x=f32[8, 100], n=20)",
                Remedy.DECLARATION,
            )
        return found

    def _without_self(self) -> Callable[..., Any]:
        if not self.live.args:
            return self.live.target
        *_, last = self.probe.function.split(".")
        method: Callable[..., Any] = getattr(self.live.args[0], last)
        return method

    # One call

    def _repeatedly(self, trial: Trial) -> Any:
        """Nothing is forgotten in between: what the function remembers is what this is about."""
        assert trial.then is not None
        again = [trial] if trial.twice else []
        moved = trial.then.state != trial.state
        calls = [self._arguments(trial), *(self._arguments(one, restored=False) for one in again)]

        def run(*_: Any, **__: Any) -> Any:
            assert trial.then is not None
            results = [consumed(self.target(*args, **kwargs)) for args, kwargs in calls]
            args, kwargs = self._arguments(trial.then, restored=moved, forget=False)
            return (*results, consumed(self.target(*args, **kwargs)))

        return run

    def _try_for(self, seconds: float | None, trial: Trial) -> Outcome | Failed | None:
        """None where a call is given up."""
        try:
            with _given_up_after(seconds):
                return self._try(trial)
        except _TooLong:
            return None

    def _try(self, trial: Trial) -> Outcome | Failed:
        try:
            plain = self._call(trial)
        except NotRepeatable as reason:
            return Failed(Obstacle(f"{trial.label}: {reason}"))
        if self.built is None:
            self._keep_what_is_built()
        if trial.gradients and self.probe.gradients and plain.raised is None:
            try:
                plain = self._gradients(trial, plain)
            except NotRepeatable:
                pass
        return plain

    def _prepare(self, trials: Sequence[Trial]) -> None:
        """Make what the first call makes, where that of the original was made to be measured."""
        if not self.probe.measure:
            args, kwargs = self._measured_arguments(trials)
            with _quiet(), contextlib.suppress(Exception):
                self.target(*args, **kwargs)
        self._keep_what_is_built()

    def _keep_what_is_built(self) -> None:
        """What the first call has made, no portrait of the time before it can set back: layers and optimizers that were not built.

        As far as it is the same in both versions, all later trials start from what the original's first call has made.
        """
        variables = variables_in((*self.live.values, *self.own.shared().values()))
        self.built = [(one, one.read_value()) for one in variables]
        if self.probe.built is None:
            self.write(Built(tuple(Photographer(self.store).take(value) for _, value in self.built)))
            return
        values = [rebuild(one, self.store) for one in self.probe.built]
        if [(one.shape, one.dtype) for one in values] == [(value.shape, value.dtype) for _, value in self.built]:
            self.built = list(zip(variables, values, strict=True))

    def _call(self, trial: Trial) -> Outcome:
        with ExitStack() as closing:
            return self._seen(trial, closing)

    def _seen(self, trial: Trial, closing: ExitStack) -> Outcome:
        args, kwargs = self._arguments(trial)
        target = self._repeatedly(trial) if trial.then is not None else self.target
        values = (*args, *kwargs.values())
        photographer = Photographer(self.store)
        given = tuple(photographer.take(one, contents=False) for one in (values, self.own.shared()))
        self._seed(trial)
        self.own.training.begin()
        pieces: list[Any] = []
        result, raised = None, None
        position = self.own.position()
        with _shadowed(self.probe.shadow) as shadow:
            try:
                result = consumed(target(*args, **kwargs), trial.manner, pieces, closing)
            except Exception as error:
                raised = raised_of(error, self.own.plan.file)
                result = Yielded(tuple(pieces)) if pieces else None
        printed = self.own.printed_since(position)
        photographer.look_again()
        after = photographer.take(values)
        state = self.own.state(photographer)
        portrait = photographer.take(result) if raised is None or pieces else None
        forgotten = photographer.forgotten()
        steps = self.own.training.shown()
        static = Photographer(self.store).take(self._static(trial, args, kwargs)) if raised is None else None
        seen = Outcome(trial, portrait, raised, after, state, printed, compiled=is_compiled(self.target))
        if steps:
            seen = replace(seen, steps=Photographer(self.store).take(steps), rate=self.own.training.rate())
        if shadow is None:
            return replace(seen, static=static, given=(given[0], given[1]), forgotten=forgotten)
        known = [(values, "arguments"), (result, "result"), (self.own.shared(), "state")]
        found = tuple(one for value, where in known for one in references(value, where, shadow.of, self.store))
        return replace(seen, references=found, random=shadow.random)

    def _static(self, trial: Trial, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What is known of the result's shape while a graph is built that calls this function."""
        function = getattr(self.target, "function", None)
        try:
            with _quiet():
                if function is not None:
                    own = args if getattr(self.target, "instance", None) is None else args[1:]
                    return function.get_concrete_function(*own, **kwargs).structured_outputs
                if self.probe.in_graphs and trial.origin == "recorded" and trial.label == self.first:
                    import tensorflow as tf

                    own, by_name = tf.nest.map_structure(_less_known, (args, kwargs))
                    return tf.function(self.target).get_concrete_function(*own, **by_name).structured_outputs
        except Exception:
            return None
        return None

    def _gradients(self, trial: Trial, plain: Outcome) -> Outcome:
        """What it gives, with its gradients."""
        found, plain = self._differentiated(trial, plain, gradients.of_result)
        if not isinstance(found, gradients.Gradients):
            return replace(plain, gradients_raised=found)
        whole = found.found
        # Both cost as much as the call once more: the program's own calls, or those made up, are enough for them.
        if found.leaves and trial.origin != "varied":
            left, plain = self._differentiated(trial, plain, gradients.of_what_is_left)
            whole = {**(whole or {}), **left} if isinstance(left, dict) else whole
        if self.probe.second and not plain.nested and whole is not None and trial.label == self.first:
            second, plain = self._differentiated(trial, plain, gradients.of_gradients)
            whole = {**whole, **second} if isinstance(second, dict) else whole
        portrait = None if whole is None else Photographer(self.store).take(whole)
        return replace(plain, gradients=portrait)

    def _differentiated(self, trial: Trial, plain: Outcome, way: Callable[[gradients.Subject], Any]) -> tuple[Any, Outcome]:
        """Gradients, or what was raised in their place."""
        args, kwargs = self._arguments(trial)
        values = dict(zip(trial.names, (*args, *kwargs.values()), strict=True))
        subject = gradients.Subject(lambda: consumed(self.target(*args, **kwargs)), values, self.own.shared)
        self._seed(trial)
        with _shadowed(self.probe.shadow) as shadow, _quiet():
            with gradients.counted_tapes() as tapes:
                try:
                    found: Any = way(subject)
                except Exception as error:
                    found = raised_of(error, self.own.plan.file)
            whole = found.found if isinstance(found, gradients.Gradients) else found
            known = references(whole, "gradients", shadow.of, self.store) if shadow is not None and isinstance(whole, dict) else ()
        own_tapes = 2 if way is gradients.of_gradients else 1
        return found, replace(plain, references=(*plain.references, *known), nested=plain.nested or len(tapes) > own_tapes)

    def _arguments(self, trial: Trial, *, restored: bool = True, forget: bool = True) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of a trial made again; what functions share is as it was when the trial was thought of."""
        if restored:
            for variable, value in self.built or ():
                variable.assign(value)
            self._restore(trial.state if trial.state is not None else self.state)
        count = len(trial.names)
        live = (*self.live.values, *(None,) * count)[:count] if len(self.live.values) <= count else self.live.values[:count]
        values = rebuild(trial.arguments, self.store, live, forget=forget)
        if self.probe.noise:
            noise = Noise(self.probe.noise)
            values = [noise.moved(one) for one in values]
            noise.move(variables_in((*self.live.values, *self.own.shared().values())))
        return tuple(values[: trial.positional]), dict(zip(trial.names[trial.positional :], values[trial.positional :], strict=True))

    def _restore(self, portrait: AnyPortrait) -> None:
        namespace = self.own.globals
        for name, part in getattr(portrait, "members", ()):
            key = name.strip("[]'\"")
            path, _, attribute = key.rpartition(".")
            if (path or key).partition(".")[0] in self.own.plan.loose or key.startswith("("):
                continue
            owner = owner_of(path, namespace, self.own.originals) if path else None
            if path and owner is None:
                continue
            live = getattr(owner, attribute, None) if path else namespace.get(key)
            try:
                value = rebuild(part, self.store, live)
            except NotRepeatable:
                continue
            if path:
                setattr(owner, attribute, value)
            elif live is not value:
                namespace[key] = value

    @contextmanager
    def _pinned(self) -> Iterator[None]:
        yield
        self._restore(self.state)

    def _seed(self, trial: Trial) -> None:
        """The same random numbers for the same trial, whichever others were made before it."""
        from tfrewrite.verify.agent.main import seed

        if self.own.plan.seeded:
            seed(self.own.plan.seed + zlib.crc32(trial.label.encode()) % 1000)

    # What it costs

    def _measure(self, trials: Sequence[Trial]) -> None:
        from tfrewrite.verify.agent import meters

        meter, note = meters.choose(self.probe.meter)
        args, kwargs = self._measured_arguments(trials)
        call = functools.partial(self.target, *args, **kwargs)
        with _quiet():
            first = meter.measure(call)
            if first.raised is not None:
                self.write(Measurements(meter.name, note, _known(first.peak), first_time=(first.seconds,)))
                return
            first = replace(first, result=None)
            if first.seconds > _LONG_CALL:
                warm = [replace(meters.of_long_call(meter, self._again(trials)), result=None)]
                times = meters.timed(self._again(trials), repeats=_TIMES_OF_LONG_CALL)
            else:
                # The first of them still fills what is filled once.
                warm = meter.repeat(self._again(trials), self.probe.measure + 1, timeline=True)[1:]
                times = meters.timed(self._again(trials), repeats=_repeats(min(one.seconds for one in warm)))
        nodes, traces = meters.graph_figures(self._functions())
        peaks = tuple(float(one.peak) for one in warm if one.peak is not None)
        stays = tuple(float(one.stays) for one in warm if one.stays is not None)
        self.write(
            Measurements(
                meter.name,
                note,
                _known(first.peak),
                peaks,
                stays,
                (first.seconds,),
                tuple(times),
                nodes,
                traces,
                warm[-1].timeline,
                trials[0].spec if trials else "",
            )
        )

    def _measured_arguments(self, trials: Sequence[Trial]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        if self.made_up and trials:
            return self._arguments(trials[0])
        return self.live.args, dict(self.live.kwargs)

    def _again(self, trials: Sequence[Trial]) -> Callable[[], Any]:
        trial = self.probe.heaviest or (trials[0] if trials else None)
        try:
            args, kwargs = self._arguments(replace(trial, state=self.state)) if trial else (self.live.args, dict(self.live.kwargs))
        except NotRepeatable:
            args, kwargs = self.live.args, dict(self.live.kwargs)
        return functools.partial(self.target, *args, **kwargs)

    def _functions(self) -> list[Any]:
        """The tf.functions that the program has: its own and those of its classes."""
        kind = function_type()
        own = [getattr(self.target, "function", self.target), *self.own.globals.values()]
        for value in list(own):
            if isinstance(value, type) and value.__module__ == self.own.globals.get("__name__"):
                own += vars(value).values()
        found = [one for one in own if kind is not None and isinstance(one, kind)]
        return list({id(one): one for one in found}.values())


def _less_known(value: Any) -> Any:
    """A tensor as a graph may know it that is built for batches of any size."""
    import tensorflow as tf

    if not isinstance(value, tf.Tensor) or not value.shape.rank:
        return value
    return tf.TensorSpec([None, *value.shape[1:]], value.dtype)


def _known(value: int | None) -> tuple[float, ...]:
    return () if value is None else (float(value),)


def _repeats(seconds: float) -> int:
    return max(3, min(15, int(0.3 / max(seconds, 1e-4))))


def _first_line(error: BaseException) -> str:
    """The line that says something: in AutoGraph's messages that is the last."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [""]
    return lines[-1 if "in user code" in lines[0] else 0][:200]


def _spec(inputs: Inputs) -> str:
    try:
        return spec(inputs)
    except Exception:
        return ""


def _elements(inputs: Inputs) -> int:
    import tensorflow as tf

    return sum(int(tf.size(one)) for one in tf.nest.flatten((inputs.args, dict(inputs.kwargs))) if isinstance(one, tf.Tensor))


# What is printed


@contextmanager
def _quiet() -> Iterator[None]:
    """What is printed meanwhile is not the program's."""
    stream = sys.stdout
    with open(os.devnull, "w") as nowhere:
        sys.stdout = nowhere
        try:
            yield
        finally:
            sys.stdout = stream


@contextmanager
def _shadowed(wanted: bool) -> Iterator[Any]:
    if not wanted:
        yield None
        return
    from tfrewrite.verify.agent.shadow import Shadow

    with Shadow() as shadow:
        yield shadow
