"""Portraits: what can be seen of a value, as plain data that outlives the process that had the value.

The arrays of a portrait stand in a store, a folder with one file for each different content. Numbers are given to what has
an identity (lists, dicts, objects, variables, arrays: everything that could be changed in place), so that two portraits
also tell whether the same object stands in two places.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import os
import pickle
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias


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
    mask: str = ""
    """Of a tensor that came out of a layer of Keras's: the blob of the mask that goes with it."""
    shares: int | None = None
    """The number of the first array before it that it has memory in common with: writing to the one changes the other."""


@dataclass(frozen=True, slots=True)
class Composite:
    """A value that has parts: a list, a mapping, a ragged or sparse tensor, an object with its attributes."""

    type: str
    """The qualified name of the type: list, dict, __main__.Model, tensorflow.RaggedTensor"""
    kind: str
    """sequence, mapping, set, tensor (ragged, sparse, indexed slices, ...), or object"""
    members: tuple[tuple[str, Portrait], ...]
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


Portrait: TypeAlias = Plain | Array | Composite | Same | Opaque
QUANTIZED = {"qint8": "int8", "quint8": "uint8", "qint16": "int16", "quint16": "uint16", "qint32": "int32"}


class Store:
    """A folder with one file for each different content, named after it: equal names are equal bytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def put(self, data: Any) -> str:
        """Write bytes, or anything with the buffer of bytes, unless they are there already; the name that they have."""
        name = hashlib.blake2b(data, digest_size=20).hexdigest()
        path = self.folder / name
        if not path.exists():
            # Both versions may write into one store at the same time: only a complete file ever gets the name.
            handle, partial = tempfile.mkstemp(dir=self.folder, prefix=".")
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(partial, path)
        return name

    def get(self, name: str) -> bytes:
        return (self.folder / name).read_bytes()

    def array(self, portrait: Array) -> Any:
        """The values: strings as an object array of bytes, what NumPy has no type for as unsigned integers of its width."""
        import numpy as np

        if portrait.shape is None or not portrait.blob:
            raise ValueError(f"{describe(portrait)} has no values")
        data = self.get(portrait.blob)
        if portrait.dtype == "string":
            array: Any = np.empty(_count(portrait.shape), dtype=object)
            array[:] = pickle.loads(data)
            return array.reshape(portrait.shape)
        dtype = _numpy_dtype(portrait.dtype)
        if dtype is None:
            dtype = np.dtype(f"u{max(1, len(data) // max(1, _count(portrait.shape)))}")
        return np.frombuffer(data, dtype=dtype).reshape(portrait.shape) if data else np.empty(portrait.shape, dtype)


def _numpy_dtype(name: str) -> Any:
    """NumPy's type of this name, from ml_dtypes where NumPy itself has none; None if nobody has."""
    import numpy as np

    name = QUANTIZED.get(name, name)
    try:
        return np.dtype(ast.literal_eval(name) if name.startswith("[") else name)
    except (TypeError, ValueError, SyntaxError):
        pass
    try:
        return np.dtype(getattr(importlib.import_module("ml_dtypes"), name))
    except (ImportError, AttributeError, TypeError):
        return None


def _count(shape: tuple[int | None, ...]) -> int:
    count = 1
    for length in shape:
        count *= length or 0
    return count


def size(portrait: Portrait) -> int:
    """How many elements all of its arrays have."""
    match portrait:
        case Array(shape=shape):
            return _count(shape or ())
        case Composite(members=parts):
            return sum(size(part) for _, part in parts)
        case _:
            return 0


def leaves(portrait: Portrait, where: str) -> Iterator[tuple[str, Plain | Array | Same | Opaque]]:
    """Everything that has no parts, each with the words that lead to it."""
    if isinstance(portrait, Composite):
        for label, part in portrait.members:
            yield from leaves(part, where + label)
    else:
        yield where, portrait


def describe(portrait: Portrait, room: int = 72) -> str:
    """A few words for people: `float32[8, 100]`, `variable float32[3]`, `list of 3`, `20`, `'abc'`, `{'a': float32[2]}`."""
    match portrait:
        case Plain(type="str" | "bytes", value=str() | bytes() as text):
            return repr(text) if len(text) <= 40 else f"{text[:40]!r}..."
        case Plain(type=name, value=value) if name in ("int", "float", "bool", "complex", "NoneType"):
            return repr(value)
        case Plain(type="range" | "slice" | "ellipsis" | "NotImplementedType", value=value):
            return str(value)
        case Plain(type=name, value=value):
            return f"{name} {value}"
        case Array(kind=kind, dtype=dtype, shape=shape):
            known = "?" if shape is None else ", ".join("?" if length is None else str(length) for length in shape)
            return f"{'' if kind in ('tensor', 'scalar') else kind + ' '}{dtype}[{known}]"
        case Composite():
            return _describe_composite(portrait, room)
        case Same(identity=number):
            return f"the same object as #{number}"
        case Opaque(type=name):
            return f"a {name}"


def _describe_composite(portrait: Composite, room: int) -> str:
    name, parts = portrait.type, portrait.members
    short = name.rpartition(".")[2]
    spelled = ""
    if portrait.kind == "mapping":
        spelled = "{" + ", ".join(f"{label[1:-1]}: {describe(part, room // 2)}" for label, part in parts[:5]) + "}"
    elif name in ("list", "tuple") and parts and len(parts) <= 3:
        inner = ", ".join(describe(part, room // 2) for _, part in parts)
        spelled = f"[{inner}]" if name == "list" else f"({inner}{',' if len(parts) == 1 else ''})"
    if spelled and len(parts) <= 5 and len(spelled) <= room:
        return spelled
    if portrait.kind == "tensor":
        inner = ", ".join(describe(part) for label, part in parts if isinstance(part, Array) and "values" in label)
        return f"{short}({inner})" if inner else short
    return f"a {short}" if portrait.kind == "object" else f"{short} of {len(parts)}"
