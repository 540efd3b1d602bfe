"""Portraits: what can be seen of a value, as plain data that outlives the process that had the value.

The arrays of a portrait stand in a store, a folder with one file for each different content. Numbers are given to what has
an identity (lists, dicts, objects, variables, arrays: everything that could be changed in place), so that two portraits
also tell whether the same object stands in two places.
"""

from __future__ import annotations

from dataclasses import dataclass

Portrait = "Plain | Array | Composite | Same | Opaque"


@dataclass(frozen=True, slots=True)
class Plain:
    """A value of Python's own that has no parts: None, a bool, a number, a string, bytes, a range, a type, a function.

    `value` is the value itself where it is None, a bool, int, float, complex, str or bytes, and its name otherwise.
    """

    type: str
    value: object


@dataclass(frozen=True, slots=True)
class Array:
    """A tensor, a variable, an array or a NumPy scalar."""

    kind: str
    """tensor, symbolic (a tensor of a graph: no values), variable, ndarray, or scalar (of NumPy)"""
    dtype: str
    shape: tuple[int | None, ...] | None
    """Symbolic: what is known of it. Everything else: the sizes."""
    blob: str = ""
    """The name of its bytes in the store, in C order; strings as a pickled list of bytes. Empty for symbolic tensors."""
    identity: int | None = None
    trainable: bool | None = None
    static_shape: tuple[int | None, ...] | None = None
    """Of variables: the shape that they were declared with."""
    writable: bool = True


@dataclass(frozen=True, slots=True)
class Composite:
    """A value that has parts: a list, a mapping, a ragged or sparse tensor, an object with its attributes."""

    type: str
    """The qualified name of the type: list, dict, __main__.Model, tensorflow.RaggedTensor"""
    kind: str
    """sequence, mapping, set, tensor (ragged, sparse, indexed slices, ...), or object"""
    members: tuple[tuple[str, Plain | Array | Composite | Same | Opaque], ...]
    """Each with the words that lead to it: [0], ['key'], .attribute"""
    identity: int | None = None


@dataclass(frozen=True, slots=True)
class Same:
    """The object that stands elsewhere already, under this number."""

    identity: int


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value that can't be looked into, or is too deep or too large for it: a generator, a file, a lock."""

    type: str
    note: str = ""
