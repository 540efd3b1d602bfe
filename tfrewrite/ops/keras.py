"""Keras 3 on TensorFlow."""

from __future__ import annotations

from tfrewrite.kinds import Dim, Kind, Shape, Sort, array, sequence
from tfrewrite.ops.call import Call, Rule
from tfrewrite.ops.row import Op


def _halves(dtype: str | None, shape: Shape, labels: str, label: tuple[Dim, ...], sizes: tuple[Dim, Dim]) -> Kind:
    """A training and a test set, each with its labels."""
    rest = shape if isinstance(shape, tuple) else ()
    parts = ((array(dtype, (size, *rest)), array(labels, (size, *label))) for size in sizes)
    return sequence(Sort.TUPLE, tuple(sequence(Sort.TUPLE, part) for part in parts))


def _images(shape: Shape, sizes: tuple[Dim, Dim], labels: str = "uint8", label: tuple[Dim, ...] = ()) -> Rule:
    return lambda call: _halves("uint8", shape, labels, label, sizes)


def _reviews(call: Call) -> Kind:
    """Lists of numbers, of different lengths."""
    whole = not any(call.given(name) for name in ("maxlen", "kwargs"))
    return _halves(None, (), "int64", (), (25000, 25000) if whole else (None, None))


def _wires(call: Call) -> Kind:
    whole = not any(call.given(name) for name in ("maxlen", "test_split"))
    return _halves(None, (), "int64", (), (8982, 2246) if whole else (None, None))


def _houses(dtype: str | None, columns: int, sizes: tuple[Dim, Dim]) -> Rule:
    def rule(call: Call) -> Kind:
        whole = not any(call.given(name) for name in ("test_split", "version"))
        return _halves(dtype, (columns,), dtype or "", (), sizes if whole else (None, None))

    return rule


_DATA = "is_no_tensor is_outside is_fresh"

ROWS = (
    Op("keras.datasets.boston_housing.load_data", "path test_split seed", _houses("float64", 13, (404, 102)), _DATA),
    Op("keras.datasets.cifar10.load_data", "", _images((32, 32, 3), (50000, 10000), label=(1,)), _DATA),
    Op("keras.datasets.cifar100.load_data", "label_mode", _images((32, 32, 3), (50000, 10000), "int64", (1,)), _DATA),
    Op("keras.datasets.fashion_mnist.load_data", "", _images((28, 28), (60000, 10000)), _DATA),
    Op("keras.datasets.imdb.load_data", "path num_words skip_top maxlen", _reviews, "is_no_tensor is_outside"),
    Op("keras.datasets.mnist.load_data", "path", _images((28, 28), (60000, 10000)), _DATA),
    Op("keras.datasets.reuters.load_data", "path num_words skip_top maxlen test_split", _wires, _DATA),
)
