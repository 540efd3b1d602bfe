"""Takes portraits of values."""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import io
import pickle
import sys
import types
from typing import Any

from tfrewrite.verify import keras_state
from tfrewrite.verify.agent.values import (
    BY_REPR,
    LIBRARIES,
    NUMBERS,
    SINGLETONS,
    classified,
    content_of,
    function_of,
    is_bound,
    is_machinery,
    members,
    nameless,
    root_of,
    shape_known_of,
    type_name,
    variable_of,
)
from tfrewrite.verify.portrait import Array, Composite, Opaque, Plain, Portrait, Same, Store


class Photographer:
    """Takes portraits of values. What has an identity keeps its number over all of one photographer's portraits."""

    def __init__(self, store: Store, limit_depth: int = 24, limit_members: int = 50_000) -> None:
        self.store = store
        self.limit_depth = limit_depth
        self.limit_members = limit_members
        self._numbers: dict[int, int] = {}
        # An id is free for another object as soon as its owner is gone: nothing that was numbered may go.
        self._alive: list[Any] = []
        self._seen: set[int] = set()
        self._blocks: dict[int, list[int]] = {}
        self._members_left = limit_members
        self._contents = True

    def take(self, value: Any, *, contents: bool = True) -> Portrait:
        """The portrait of a value. What can't be looked into is opaque: this never raises and runs none of the program's code.

        Without `contents` it shows which objects there are, and no numbers.
        """
        self._members_left = self.limit_members
        self._contents = contents
        return self._look(value, 0)

    def look_again(self) -> None:
        """From here on, objects are shown once more, under the numbers that they have."""
        self._seen.clear()

    def forgotten(self) -> tuple[int, ...]:
        """What was shown before the second look and not since, and nobody knows any more: nothing that becomes of it can be seen."""
        held_here = 2  # by the list, and as an argument
        places = set(range(len(self._alive))) - self._seen
        return tuple(at for at in sorted(places) if sys.getrefcount(self._alive[at]) <= held_here)

    def _look(self, value: Any, depth: int) -> Portrait:
        try:
            return self._plain(value) or self._array(value) or self._composite(value, depth)
        except Exception as problem:  # a library's object may do anything when it is read
            return Opaque(type_name(type(value)), f"can't be read: {type(problem).__name__}")

    def _plain(self, value: Any) -> Plain | Opaque | None:
        kind = type(value)
        if kind in NUMBERS or value is None:
            return Plain(kind.__name__, value)
        if isinstance(value, enum.Enum):
            return Plain(type_name(kind), value.name if value.name is not None else repr(value.value))
        if kind in SINGLETONS or kind in (range, slice):
            return Plain(kind.__name__, repr(value))
        if isinstance(value, type):
            return Plain("type", type_name(value))
        if isinstance(value, types.ModuleType):
            return Plain("module", value.__name__)
        if (function := function_of(value)) is not None and not is_bound(value):
            return function
        if root_of(kind) in BY_REPR:
            return Plain(type_name(kind), repr(value))
        tf = sys.modules.get("tensorflow")
        if tf is not None and isinstance(value, (tf.DType, tf.TensorShape, tf.TypeSpec)):
            return Plain(type_name(kind), repr(value))
        if tf is not None and isinstance(value, tf.data.Dataset):
            return Opaque("tensorflow.data.Dataset", f"the elements of a dataset of {value.element_spec!r} are not looked at")
        return None

    def _array(self, value: Any) -> Portrait | None:
        np, tf = sys.modules.get("numpy"), sys.modules.get("tensorflow")
        if np is not None and isinstance(value, np.generic):
            return self._values("scalar", str(value.dtype), np.asarray(value))
        if np is not None and type(value) is np.ndarray and not value.dtype.hasobject:
            number, known = self._number(value)
            if known:
                return known
            shown = self._values("ndarray", str(value.dtype), value, identity=number, writable=bool(value.flags.writeable))
            return dataclasses.replace(shown, shares=self._shares(value, number))
        if tf is None:
            return None
        if (variable := variable_of(value)) is not None:
            number, known = self._number(variable)
            if known:
                return known
            static = shape_known_of(variable.shape)
            if not self._contents:
                return Array("variable", variable.dtype.name, static, "", number, bool(variable.trainable), static)
            with tf.init_scope():  # a variable has values inside of a graph that is being traced, too
                array = _read(tf, variable)
            return self._values("variable", variable.dtype.name, array, number, trainable=bool(variable.trainable), static_shape=static)
        if isinstance(value, tf.Tensor):
            if tf.is_symbolic_tensor(value):
                return Array("symbolic", value.dtype.name, shape_known_of(value.shape))
            if value.dtype in (tf.resource, tf.variant):
                return Opaque(f"tensor of {value.dtype.name}", "a handle of TensorFlow's")
            if not self._contents:
                return Array("tensor", value.dtype.name, shape_known_of(value.shape))
            shown = self._values("tensor", value.dtype.name, value.numpy())
            return shown if (mask := keras_state.mask(value)) is None else dataclasses.replace(shown, mask=self._mask(mask))
        if root_of(type(value)) in LIBRARIES and type(value).__name__ == "KerasTensor":
            return Array("symbolic", str(value.dtype), shape_known_of(value.shape))
        return None

    def _values(
        self,
        kind: str,
        dtype: str,
        values: Any,
        identity: int | None = None,
        *,
        trainable: bool | None = None,
        static_shape: tuple[int | None, ...] | None = None,
        writable: bool = True,
    ) -> Array:
        import numpy as np

        array = np.asarray(values)
        if not self._contents:
            blob = ""
        elif dtype == "string":
            blob = self.store.put(_pickled(array.reshape(-1).tolist() if array.dtype == object else [values]))
        else:
            blob = self.store.put(memoryview(np.ascontiguousarray(array).reshape(-1).view(np.uint8)) if array.size else b"")
        return Array(kind, dtype, tuple(array.shape), blob, identity, trainable, static_shape, writable)

    def _composite(self, value: Any, depth: int) -> Portrait:
        name, kind, mutable = classified(value)
        if kind == "opaque" and (content := content_of(value)) is not None:
            own, same = self._number(value)
            return same or Composite(name, "object", ((".content()", self._look(content, depth + 1)),), own)
        if kind == "opaque":
            machinery = is_machinery(type(value)) and not any(hasattr(type(value), word) for word in ("get_next", "lookup"))
            return Opaque(name, "" if machinery else "can't be looked into")
        if depth >= self.limit_depth:
            return Opaque(name, "too deep to look into")
        number = None
        if mutable:
            number, known = self._number(value)
            if known:
                return known
        if kind == "set":
            parts = [(f"{{{at}}}", member) for at, member in enumerate(sorted(value, key=self._set_key))]
        else:
            parts = members(value)
        if len(parts) > self._members_left:
            if all(type(part) in NUMBERS for _, part in parts):
                digest = hashlib.blake2b(repr(parts).encode(), digest_size=20).hexdigest()
                return Composite(name, kind, ((f" of {len(parts)} members", Plain("digest", digest)),), number)
            return Opaque(name, f"too large to look into: {len(parts)} members")
        if (
            kind == "object"
            and root_of(type(value)) in LIBRARIES
            and getattr(value, "built", True) is False
            and hasattr(value, "get_config")
        ):
            parts = [*parts, (".get_config()", nameless(value.get_config()))]
        self._members_left -= len(parts)
        return Composite(name, kind, tuple((label, self._look(part, depth + 1)) for label, part in parts), number)

    def _mask(self, mask: Any) -> str:
        shown = self._array(mask)
        return shown.blob or "a mask" if isinstance(shown, Array) else "a mask"

    def _number(self, value: Any) -> tuple[int, Same | None]:
        """The number of what has an identity, and whether it has been seen already."""
        number = self._numbers.setdefault(id(value), len(self._alive))
        if number == len(self._alive):
            self._alive.append(value)
        if number in self._seen:
            return number, Same(number)
        self._seen.add(number)
        return number, None

    def _shares(self, value: Any, number: int) -> int | None:
        import numpy as np

        owner = value
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        block = self._blocks.setdefault(id(owner if owner.base is None else owner.base), [])
        found = next((one for one in block if one != number and _overlap(self._alive[one], value)), None)
        if number not in block:
            block.append(number)
        return found

    def _set_key(self, member: Any) -> tuple[str, str]:
        """An order that two processes agree on: the hashes that a set is ordered by are not the same in both."""
        if isinstance(member, (str, bytes, int, float, complex, tuple)) or member is None:
            return type(member).__name__, repr(member)
        return type(member).__name__, repr(Photographer(self.store, 3, 100).take(member))


def _overlap(one: Any, other: Any) -> bool:
    import numpy as np

    shares: Any = np.shares_memory
    try:
        return bool(shares(one, other, max_work=1000))
    except RuntimeError:  # too hard to say
        return bool(np.may_share_memory(one, other))


def _pickled(strings: list[bytes]) -> bytes:
    """Without a memo: whether two equal strings are one object must not show in the bytes."""

    file = io.BytesIO()
    pickler = pickle.Pickler(file, 4)
    pickler.fast = True
    pickler.dump(strings)
    return file.getvalue()


def _read(tf: Any, variable: Any) -> Any:
    """What a variable holds, without a word to those who watch which variables a function reads: `tf.recompute_grad` is one."""
    handle = getattr(variable, "_handle", None)
    if not isinstance(handle, tf.Tensor):  # a distributed one, or a copy
        return variable.numpy()
    return tf.raw_ops.ReadVariableOp(resource=handle, dtype=variable.dtype).numpy()
