"""Objects that a library makes: what they were made with, and what they give when they are called."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import gast

from tfrewrite.kinds import UNKNOWN, Dim, Kind, Shape, Sort, tensor
from tfrewrite.ops.call import Call


@dataclass(frozen=True)
class Made:
    """An object of a class of a library: a layer, a loss, a model. `given` are the arguments that it was made with.

    `dtype` is that of what it computes, where that is known.
    """

    name: str
    given: tuple[tuple[str, Kind], ...] = ()
    dtype: str | None = "float32"
    own: Hashable = None
    """The class of the program that derives from the library's of this name."""

    def __getitem__(self, name: str) -> Kind:
        return next((kind for key, kind in self.given if key == name), UNKNOWN)

    def has(self, name: str) -> bool:
        return any(key == name for key, _ in self.given)

    def integer(self, name: str, default: int | None = None) -> int | None:
        if not self.has(name):
            return default
        value = self[name].value
        return value if type(value) is int else None

    def flag(self, name: str, default: bool = False) -> bool | None:
        """A setting that is on or off; None where that isn't known."""
        if not self.has(name):
            return default
        value = self[name].value
        return value if isinstance(value, bool) else None

    def text(self, name: str, default: str) -> str | None:
        if not self.has(name):
            return default
        value = self[name].instance
        return value if isinstance(value, str) else None

    def sizes(self, name: str, count: int, default: int) -> tuple[int | None, ...]:
        """`3` and `(3, 3)` for each of so many axes."""
        if not self.has(name):
            return (default,) * count
        kind = self[name]
        if kind.items is not None and len(kind.items) == count:
            return tuple(item.value if type(item.value) is int else None for item in kind.items)
        return (kind.value if type(kind.value) is int else None,) * count


_FAMILIES = ("keras.layers.", "keras.metrics.", "keras.optimizers.", "keras.losses.", "keras.callbacks.")
_BASES = ("keras.layers.Layer", "keras.metrics.Metric", "keras.optimizers.Optimizer", "keras.losses.Loss", "keras.callbacks.Callback")


OF_KERAS = frozenset({
    "activity_regularizer", "autocast", "built", "call_signature_parameters", "compiled", "compiled_loss", "compiled_metrics",
    "compute_dtype", "distribute_reduction_method", "distribute_strategy", "dtype", "dtype_policy", "history", "input", "input_dtype",
    "input_shape", "input_spec", "inputs", "jit_compile", "layers", "loss", "losses", "metrics", "metrics_names", "metrics_variables",
    "model", "name", "non_trainable_variables", "non_trainable_weights", "optimizer", "output", "output_shape", "outputs", "params", "path",
    "predict_function", "quantization_mode", "run_eagerly", "steps_per_execution", "stop_evaluating", "stop_predicting", "stop_training",
    "supports_jit", "supports_masking", "test_function", "train_function", "trainable", "trainable_variables", "trainable_weights",
    "unrolled_steps_per_execution", "validation_data", "variable_dtype", "variables", "weights",
})  # fmt: skip
"""Attributes that Keras itself gives to layers, models and callbacks."""


def family(name: str) -> str:
    """The class whose methods the objects of a library's class have."""
    for prefix, base in zip(_FAMILIES, _BASES, strict=True):
        if name.startswith(prefix):
            return base
    return "keras.Model" if name == "keras.Sequential" else name


Applied = Callable[[Made, Kind], Kind]
"""What an object gives for its first argument."""


def made(name: str) -> Callable[[Call], Kind]:
    """The rule of a class: an object with the arguments that it is made with."""

    def rule(call: Call) -> Kind:
        given = tuple((key, _given(call, key)) for key in sorted(call.kinds))
        return Kind(Sort.OBJECT, instance=Made(name, given, call.dtype("dtype", "float32")))

    return rule


def _given(call: Call, key: str) -> Kind:
    """An argument, with the text itself of one that is written."""
    match call.nodes.get(key):
        case gast.Constant(value=str(text)):
            return Kind(Sort.TEXT, instance=text)
    return call.kinds[key]


def is_input(kind: Kind) -> bool:
    return kind.sort in (Sort.TENSOR, Sort.VARIABLE, Sort.SYMBOLIC, Sort.ARRAY)


def like(kind: Kind, dtype: str | None, shape: Shape) -> Kind:
    """A result: a Keras tensor where it is made of some."""
    found = tensor(dtype, shape)
    return Kind(Sort.SYMBOLIC, dtype, shape) if kind.sort is Sort.SYMBOLIC else found


def dims(kind: Kind, rank: int | None = None) -> tuple[Dim, ...] | None:
    """The sizes of what a layer is given; of one that takes a fixed rank these are all unknown but as many."""
    if isinstance(kind.shape, tuple):
        return kind.shape
    return None if rank is None else (None,) * rank


def members(kinds: Sequence[Kind]) -> Kind:
    """Which of several inputs says whether Keras tensors are made."""
    return next((one for one in kinds if one.sort is Sort.SYMBOLIC), kinds[0])
