"""Cuts trainings short: what a program does with its data shows in the first batches, and most of its time goes into the later ones.

`fit` gets fewer epochs of fewer batches, and a loop of the program over a `Dataset` or a `range` ends once optimizers have taken some steps in it.
How many depends on what the program asks for and never on the time: two versions of one program are cut in the same places.
"""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from tfrewrite.verify.plan import BATCHES, CUT, HURRY, Plan

_TRAINER = "keras.src.backend.tensorflow.trainer"
_OPTIMIZERS = "keras.src.optimizers.base_optimizer"
_ITERATORS = "tensorflow.python.data.ops.iterator_ops"
_LEAST = 2
"""Batches of an epoch."""
_OFTEN = 64
"""Iterations at each of which it is looked whether it was the last; of later ones, at so large a part."""
_LOOP, _HOOK = "_tfrewrite_loop", "__tfrewrite_loop__"


@dataclass
class _Loop:
    """A loop of the program in which optimizers may take steps."""

    began: int
    """How many they had taken before."""
    others: int
    """How many loops had been cut before."""
    iterations: int = 0
    late: float | None = None
    """Since when the iteration runs that a short training would not have."""


class LoopsAsked(ast.NodeTransformer):
    """Lets the loops of a program ask what to go through."""

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.iter = ast.copy_location(ast.Call(ast.copy_location(ast.Name(_HOOK, ast.Load()), node.iter), [node.iter], []), node.iter)
        return node


def leave_loops() -> None:
    """They go through all that there is."""
    setattr(builtins, _HOOK, lambda values: values)


class Cutting:
    """Ends trainings early, or notes how much of the program's time that would save."""

    def __init__(self, plan: Plan) -> None:
        self._short = bool(plan.short)
        self._batches = plan.short or BATCHES
        self._mark = Path(plan.folder, CUT)
        self._hurry = Path(plan.folder, HURRY) if plan.observe else None
        """Is there once the program has been watched for long enough."""
        self._limits: list[int | None] = []
        """Of the batches of an epoch, for each `fit`, `evaluate` and `predict` that is running; None: all."""
        self._uncounted: list[Any] = []
        """Models whose training began with all of its epochs."""
        self._optimizers: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        """By their `id`: a program's own may not be hashable."""
        self._loops = 0
        """Of the program, that were cut, or would have been: how many."""
        self.spare = 0.0
        """Seconds that went into what is left out of trainings that are cut short."""

    def hooks(self) -> dict[str, Callable[[ModuleType], None]]:
        """What to do when Keras is imported, if it isn't yet. The program's own loops ask from here on."""
        setattr(builtins, _HOOK, self.loop)
        if _TRAINER in sys.modules:
            self._watch(sys.modules[_TRAINER])
            return {}
        return {_TRAINER: self._watch}

    def _watch(self, trainer: ModuleType) -> None:
        kind, batches = getattr(trainer, "TensorFlowTrainer", None), getattr(trainer, "TFEpochIterator", None)
        optimizer = getattr(sys.modules.get(_OPTIMIZERS), "BaseOptimizer", None)
        iterator = getattr(sys.modules.get(_ITERATORS), "OwnedIterator", None)
        name = next((one for one in ("_enumerate_iterator", "enumerate_epoch") if hasattr(batches, one)), None)
        if kind is None or name is None or optimizer is None or iterator is None:
            return  # of another version: trainings are as long as they are
        kind.fit = self._fit(kind.fit)
        kind.evaluate = self._limited(kind.evaluate, lambda: self._limits[-1] if self._limits else self._batches)
        kind.predict = self._limited(kind.predict, lambda: None)  # how many rows it gives is what others build on
        setattr(batches, name, self._epoch(getattr(batches, name)))
        optimizer.apply = self._apply(optimizer.apply)
        iterator.__next__ = self._next(iterator.__next__)

    # What Keras runs

    def _fit(self, original: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(original)

        @wraps(original)
        def fit(*args: Any, **named: Any) -> Any:
            try:
                given = signature.bind(*args, **named)
            except TypeError:
                return original(*args, **named)  # which says it in its own words
            given.apply_defaults()
            epochs, first = given.arguments.get("epochs"), given.arguments.get("initial_epoch")
            if not isinstance(epochs, int) or not isinstance(first, int) or epochs <= first:
                return original(*args, **named)
            wanted, most = epochs - first, self._batches // _LEAST
            if self._short:
                given.arguments["epochs"] = first + min(wanted, most)
                if wanted > most:
                    self._mark.touch()
            if not self._short:
                self._uncounted.append(args[0])
            with self._within(max(_LEAST, self._batches // wanted)):
                return original(*given.args, **given.kwargs)

        return fit

    def _limited(self, original: Callable[..., Any], limit: Callable[[], int | None]) -> Callable[..., Any]:
        @wraps(original)
        def limited(*args: Any, **named: Any) -> Any:
            with self._within(limit()):
                return original(*args, **named)

        return limited

    @contextmanager
    def _within(self, limit: int | None) -> Iterator[None]:
        self._limits.append(limit)
        try:
            yield
        finally:
            self._limits.pop()

    def _epoch(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(original)
        def batches(iterator: Any) -> Iterator[Any]:
            limit = self._limits[-1] if self._limits else None
            for at, batch in enumerate(original(iterator)):
                late = limit is not None and at >= limit
                if late and self._is_over():
                    self._mark.touch()
                    iterator.data_adapter.on_epoch_end()
                    for model in self._uncounted:
                        model.stop_training = True
                    self._uncounted.clear()
                    return
                started = time.perf_counter()
                yield batch
                self.spare += time.perf_counter() - started if late else 0.0

        return batches

    # Loops of the program's own

    def _apply(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(original)
        def apply(optimizer: Any, *args: Any, **named: Any) -> Any:
            self._optimizers[id(optimizer)] = optimizer
            return original(optimizer, *args, **named)

        return apply

    def _next(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(original)
        def following(iterator: Any) -> Any:
            # Who asks for one element after the other counts them himself, and would be surprised that there are no more.
            if self._limits or not _is_at_loop(sys._getframe(1)):
                return original(iterator)
            if (loop := vars(iterator).get(_LOOP)) is None:
                loop = vars(iterator)[_LOOP] = _Loop(self._steps(), self._loops)
            if self._ends(loop):
                raise StopIteration
            loop.iterations += 1
            return original(iterator)

        return following

    def loop(self, values: Any) -> Any:
        """What a loop of the program goes through, in place of these."""
        return self._some_of(values) if type(values) is range else values

    def _some_of(self, values: range) -> Iterator[int]:
        loop: _Loop | None = None
        due = 0
        for at, value in enumerate(values):
            # To look costs as much as many additions: in a loop of many iterations it is done now and then.
            if at >= due and self._optimizers:
                due = at + 1 + at // _OFTEN
                if not self._limits and sys.modules["tensorflow"].executing_eagerly():
                    loop = loop or _Loop(self._steps(), self._loops)
                    loop.iterations = at
                    if self._ends(loop):
                        return
            yield value

    def _ends(self, loop: _Loop) -> bool:
        """Does a loop end before its next iteration?"""
        now = time.perf_counter()
        if loop.late is not None:
            self.spare += now - loop.late
        elif not self._is_enough(loop):
            return False
        else:
            self._loops += 1
        loop.late = now
        if not self._is_over():
            return False
        self._mark.touch()
        return True

    def _is_enough(self, loop: _Loop) -> bool:
        taken = self._steps() - loop.began
        if self._loops > loop.others:  # around one that was cut short: these are epochs
            return taken > 0 and loop.iterations >= self._batches // _LEAST
        return taken >= max(_LEAST, self._batches >> min(self._loops, self._batches))

    def _steps(self) -> int:
        """That all optimizers have taken so far, in graphs as well."""
        return sum(int(one.iterations.numpy()) for one in self._optimizers.values())

    def _is_over(self) -> bool:
        if not self._short and self._hurry is not None and self._hurry.exists():
            self._short = True
        return self._short


def _is_at_loop(frame: FrameType) -> bool:
    """Is it at the head of a loop that asks for an element?"""
    return dis.opname[frame.f_code.co_code[frame.f_lasti]] == "FOR_ITER"
