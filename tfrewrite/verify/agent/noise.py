"""Moves what a program calculates by some units in the last place: how far its later results move tells how sensitive it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

_SEED = 20


class Noise:
    def __init__(self, ulps: float, errors: Iterable[tuple[str, str, float]] = ()) -> None:
        import numpy as np

        self._ulps = ulps
        self._errors = {(function, where): error for function, where, error in errors}
        self._random = np.random.default_rng(_SEED)

    def moved(self, value: Any, function: str = "", where: str = "result") -> Any:
        """The same structure, with each float in it moved. On a tape it is the same value plus a constant."""
        import numpy as np
        import tensorflow as tf

        least = self._errors.get((function, where), 0.0)
        match value:
            case float():
                return value + float(self._step(np.asarray(value), least))
            case list():
                value[:] = [self.moved(one, function, f"{where}[{place}]") for place, one in enumerate(value)]
                return value
            case tuple() if type(value) is tuple:
                return tuple(self.moved(one, function, f"{where}[{place}]") for place, one in enumerate(value))
            case dict():
                value.update({key: self.moved(one, function, f"{where}[{key!r}]") for key, one in value.items()})
                return value
            case np.ndarray() if value.dtype.kind == "f":
                return value + self._step(value, least)
        if tf.is_tensor(value) and isinstance(value, tf.Tensor) and value.dtype.is_floating and not tf.is_symbolic_tensor(value):
            return value + tf.constant(self._step(value.numpy(), least), value.dtype)
        return value

    def move_variables(self, values: tuple[Any, ...]) -> None:
        self.move(_variables(values))

    def move(self, variables: Iterable[Any]) -> None:
        for one in variables:
            if one.dtype.is_floating and one.trainable:
                one.assign_add(self._step(one.numpy()))

    def move_what_is_made(self) -> None:
        """From here on, variables that are trained start from a little beside what they would start from."""
        from tensorflow.python.ops import resource_variable_ops

        kind: Any = resource_variable_ops.ResourceVariable
        original = kind.__init__
        inside: list[bool] = []

        def initialized(variable: Any, *arguments: Any, **named: Any) -> None:
            original(variable, *arguments, **named)
            if not inside and type(variable) is kind and variable.trainable and variable.dtype.is_floating and _is_ready(variable):
                inside.append(True)
                try:
                    variable.assign_add(self._step(variable.numpy()))
                finally:
                    inside.pop()

        kind.__init__ = initialized

    def _step(self, array: Any, least: float = 0.0) -> Any:
        """At least half of what is asked for: a single small one would say that nothing moves."""
        import numpy as np

        epsilon = float(np.finfo(array.dtype).eps) if array.dtype in (np.float16, np.float32, np.float64) else 2.0**-7
        size = np.maximum(np.abs(np.where(np.isfinite(array), array, 0)) * epsilon * self._ulps, least)
        draws = self._random.uniform(-1, 1, array.shape)
        return (size * np.copysign(0.5 + np.abs(draws) / 2, draws)).astype(array.dtype)


def _is_ready(variable: Any) -> bool:
    """Can it be read and changed where it is made? Not in a graph."""
    import tensorflow as tf

    return bool(tf.executing_eagerly())


def _variables(values: tuple[Any, ...]) -> Iterator[Any]:
    import tensorflow as tf

    for value in values:
        if isinstance(value, tf.Variable):
            yield value
        elif hasattr(value, "trainable_variables"):
            yield from (
                getattr(one, "value", one) for one in value.trainable_variables if isinstance(getattr(one, "value", one), tf.Variable)
            )
