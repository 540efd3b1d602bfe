"""What optimizers are given: of the first steps of a training, each variable's gradient by its size and a weighed sum.

Where a trajectory ends depends on every rounding on its way: Adam makes a whole step of a gradient that is zero but for rounding. What
each step is given tells two trainings apart long before that. In graphs, and in what XLA compiles, variables of our own take it down.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from tfrewrite.verify.plan import STEPS, Stepped

OPTIMIZERS = "keras.src.optimizers.base_optimizer"
_EXPORTS = ("saved_model", ".export(", "tf.Module")
"""Who writes a graph with its variables into a file would miss ours."""
_MOST_WEIGHED = 1 << 20
"""Elements of a gradient: of more, some are weighed."""


@dataclass
class _Taken:
    """The steps of one optimizer."""

    names: tuple[str, ...]
    sums: Any
    """Of each step and variable: the size, and the weighed sum."""
    count: Any
    optimizer: Any
    """Kept, so that its number stays its own."""


@dataclass
class Training:
    """The steps that the program's optimizers take, in the order of their first ones."""

    taken: dict[int, _Taken] = field(default_factory=dict)

    def watch(self, module: ModuleType) -> None:
        """Keras' optimizers tell about their steps from here on."""
        kind = module.BaseOptimizer
        original = kind.apply

        def apply(optimizer: Any, grads: Any, trainable_variables: Any = None) -> Any:
            chosen = getattr(optimizer, "_trainable_variables", ()) if trainable_variables is None else trainable_variables
            self._note(optimizer, list(grads), list(chosen))
            return original(optimizer, grads, trainable_variables)

        kind.apply = apply

    def begin(self) -> None:
        """Count from here on."""
        for one in self.taken.values():
            one.count.assign(0)
            one.sums.assign(one.sums * 0.0)

    def shown(self) -> dict[str, Any]:
        """Of each optimizer that took a step since then: the sums, as tensors."""
        return {f"optimizer {at}": one.sums.read_value() for at, one in enumerate(self.taken.values()) if int(one.count)}

    def rate(self) -> float:
        """The largest rate at which one of those optimizers learns."""
        return max((_rate(one.optimizer) for one in self.taken.values() if int(one.count)), default=0.0)

    def steps(self) -> tuple[Stepped, ...]:
        found = []
        for one in self.taken.values():
            count = int(one.count)
            found.append(Stepped(one.names, count, one.sums.numpy()[:count].tolist(), _rate(one.optimizer)))
        return tuple(found)

    def _note(self, optimizer: Any, gradients: list[Any], variables: list[Any]) -> None:
        import tensorflow as tf

        if tf.distribute.has_strategy() or len(gradients) != len(variables) or not gradients:
            return
        taken = self.taken.get(id(optimizer))
        if taken is None:
            taken = self._begun(optimizer, variables)
        if len(taken.names) != len(variables):
            return  # not the variables that it began with
        row = tf.stack([_sums(one) for one in gradients])
        at = tf.minimum(taken.count, STEPS - 1)
        early = taken.count < STEPS
        taken.sums.assign(tf.tensor_scatter_nd_update(taken.sums, [[at]], [tf.where(early, row, taken.sums[STEPS - 1])]))
        taken.count.assign_add(1)

    def _begun(self, optimizer: Any, variables: list[Any]) -> _Taken:
        import tensorflow as tf

        names = tuple(str(getattr(one, "path", None) or one.name) for one in variables)
        with tf.init_scope():
            sums = tf.Variable(tf.zeros([STEPS, len(names), 2]), trainable=False)
            count = tf.Variable(0, trainable=False)
        self.taken[id(optimizer)] = taken = _Taken(names, sums, count, optimizer)
        return taken


def _rate(optimizer: Any) -> float:
    """At which it learns now; 0 where that is not to be known."""
    import numpy as np

    found = np.asarray(getattr(optimizer, "learning_rate", 0.0))
    return float(found) if found.dtype.kind == "f" and found.ndim == 0 else 0.0


def _sums(gradient: Any) -> Any:
    import tensorflow as tf

    if gradient is None:
        return tf.zeros([2])
    if isinstance(gradient, tf.IndexedSlices):
        gradient = tf.convert_to_tensor(gradient)
    flat = tf.cast(tf.reshape(gradient, [-1]), tf.float32)
    some = flat[:: (flat.shape[0] or 0) // _MOST_WEIGHED + 1]
    weights = tf.cos(tf.cast(tf.range(1, tf.size(some) + 1), tf.float32))
    return tf.stack([tf.sqrt(tf.reduce_sum(tf.square(flat))), tf.reduce_sum(some * weights)])


def hooks(training: Training, text: str) -> dict[str, Any]:
    """What to do when Keras is imported, if it isn't yet."""
    if any(one in text for one in _EXPORTS):
        return {}
    module = sys.modules.get(OPTIMIZERS)
    if module is not None:
        training.watch(module)
        return {}
    return {OPTIMIZERS: training.watch}
