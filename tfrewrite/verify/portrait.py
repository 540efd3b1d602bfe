"""Portraits: what can be seen of a value, as plain data that outlives the process that had the value.

The arrays of a portrait stand in a store, a folder with one file for each different content. Numbers are given to what has
an identity (lists, dicts, objects, variables, arrays: everything that could be changed in place), so that two portraits
also tell whether the same object stands in two places.
"""

from __future__ import annotations

import array
import ast
import collections
import dataclasses
import enum
import functools
import hashlib
import importlib
import io
import os
import pickle
import queue
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from tfrewrite.verify import of_keras


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
Members: TypeAlias = list[tuple[str, Any]]

_QUANTIZED = {"qint8": "int8", "quint8": "uint8", "qint16": "int16", "quint16": "uint16", "qint32": "int32"}
_SINGLETONS = (type(None), type(...), type(NotImplemented))
_NUMBERS = (bool, int, float, complex, str, bytes)
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodWrapperType, types.WrapperDescriptorType)
_METHODS = (types.MethodType, types.MethodDescriptorType, types.ClassMethodDescriptorType)
_BY_REPR = {"datetime", "decimal", "fractions", "ipaddress", "pathlib", "re", "uuid", "zoneinfo"}
"""Modules of the standard library whose values can't be changed and show everything in their repr."""
_MACHINERY = {
    *("_asyncio", "_contextvars", "_ctypes", "_io", "_queue", "_thread", "_weakref", "_weakrefset", "asyncio", "codecs", "concurrent"),
    *("contextlib", "contextvars", "ctypes", "inspect", "io", "logging", "memray", "multiprocessing", "queue", "selectors", "signal"),
    *("socket", "sqlite3", "subprocess", "tempfile", "threading", "tracemalloc", "unittest", "weakref"),
}
"""Modules whose values are means of a program, never what it computes: not to be able to look into them is no loss."""
_LIBRARIES = {"keras", "tensorflow", "tf_keras"}
_BOOKKEEPING = {
    *("built", "call_signature_parameters", "compiled", "history", "model", "name", "predict_function", "test_function", "train_function"),
}
"""Public attributes of Keras's objects that number names, keep compiled functions, or lead back to the owner."""
_ALSO_OWN = {"history", "model"}
"""Those of them that a class of the program's may use for data of its own."""
LOSSES = ".losses"
_SAID = {".config", ".content", LOSSES}
"""Parts that are said by methods, and are no attributes."""


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

    name = _QUANTIZED.get(name, name)
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
            return Opaque(_type_name(type(value)), f"can't be read: {type(problem).__name__}")

    def _plain(self, value: Any) -> Plain | Opaque | None:
        kind = type(value)
        if kind in _NUMBERS or value is None:
            return Plain(kind.__name__, value)
        if isinstance(value, enum.Enum):
            return Plain(_type_name(kind), value.name if value.name is not None else repr(value.value))
        if kind in _SINGLETONS or kind in (range, slice):
            return Plain(kind.__name__, repr(value))
        if isinstance(value, type):
            return Plain("type", _type_name(value))
        if isinstance(value, types.ModuleType):
            return Plain("module", value.__name__)
        if (function := _function(value)) is not None and not _is_bound(value):
            return function
        if _root(kind) in _BY_REPR:
            return Plain(_type_name(kind), repr(value))
        tf = sys.modules.get("tensorflow")
        if tf is not None and isinstance(value, (tf.DType, tf.TensorShape, tf.TypeSpec)):
            return Plain(_type_name(kind), repr(value))
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
        if (variable := _variable(value)) is not None:
            number, known = self._number(variable)
            if known:
                return known
            static = _static(variable.shape)
            if not self._contents:
                return Array("variable", variable.dtype.name, static, "", number, bool(variable.trainable), static)
            with tf.init_scope():  # a variable has values inside of a graph that is being traced, too
                array = variable.numpy()
            return self._values("variable", variable.dtype.name, array, number, trainable=bool(variable.trainable), static_shape=static)
        if isinstance(value, tf.Tensor):
            if tf.is_symbolic_tensor(value):
                return Array("symbolic", value.dtype.name, _static(value.shape))
            if value.dtype in (tf.resource, tf.variant):
                return Opaque(f"tensor of {value.dtype.name}", "a handle of TensorFlow's")
            if not self._contents:
                return Array("tensor", value.dtype.name, _static(value.shape))
            shown = self._values("tensor", value.dtype.name, value.numpy())
            return shown if (mask := of_keras.mask(value)) is None else dataclasses.replace(shown, mask=self._mask(mask))
        if _root(type(value)) in _LIBRARIES and type(value).__name__ == "KerasTensor":
            return Array("symbolic", str(value.dtype), _static(value.shape))
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
        name, kind, mutable = _classify(value)
        if kind == "opaque" and (content := _content(value)) is not None:
            own, same = self._number(value)
            return same or Composite(name, "object", ((".content()", self._look(content, depth + 1)),), own)
        if kind == "opaque":
            machinery = _is_machinery(type(value)) and not any(hasattr(type(value), word) for word in ("get_next", "lookup"))
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
            if all(type(part) in _NUMBERS for _, part in parts):
                digest = hashlib.blake2b(repr(parts).encode(), digest_size=20).hexdigest()
                return Composite(name, kind, ((f" of {len(parts)} members", Plain("digest", digest)),), number)
            return Opaque(name, f"too large to look into: {len(parts)} members")
        if (
            kind == "object"
            and _root(type(value)) in _LIBRARIES
            and getattr(value, "built", True) is False
            and hasattr(value, "get_config")
        ):
            parts = [*parts, (".get_config()", _nameless(value.get_config()))]
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
    import io

    file = io.BytesIO()
    pickler = pickle.Pickler(file, 4)
    pickler.fast = True
    pickler.dump(strings)
    return file.getvalue()


def _root(kind: type) -> str:
    return str(getattr(kind, "__module__", "") or "").partition(".")[0]


def _type_name(kind: type) -> str:
    module, name = getattr(kind, "__module__", "") or "", getattr(kind, "__qualname__", kind.__name__)
    return str(name) if module == "builtins" else f"{module}.{name}"


def _static(shape: Any) -> tuple[int | None, ...] | None:
    if getattr(shape, "rank", 0) is None:
        return None
    return tuple(None if length is None else int(length) for length in shape)


def _function(value: Any) -> Plain | None:
    """Functions by name, whether compiled by tf.function or not: that is the very thing that a rewrite may change."""
    kind = type(value)
    if _root(kind) in _LIBRARIES and "polymorphic_function" in kind.__module__:
        inner = getattr(value, "python_function", None)
        return Plain("function", _qualified(inner if inner is not None else value))
    if isinstance(value, _METHODS):
        return Plain("method", _qualified(value))
    if isinstance(value, _FUNCTIONS):
        return Plain("function", _qualified(value))
    return None


def _is_bound(value: Any) -> bool:
    """A method of an object that can be looked into: which object that is makes a difference."""
    if not isinstance(value, types.MethodType) or isinstance(value.__self__, (type, types.ModuleType)):
        return False
    return _classify(value.__self__)[1] != "opaque"


def _qualified(function: Any) -> str:
    while isinstance(function, functools.partial):
        function = function.func
    function = getattr(function, "__wrapped__", function)
    module = getattr(function, "__module__", None)
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", type(function).__name__)
    found = f"{module}.{name}" if module and module != "builtins" else str(name)
    # No name leads to what was made inside of a function: what it does is all that there is to know it by.
    return f"{found} {_made_of(function)}" if "<" in str(name) and isinstance(function, types.FunctionType) else found


def _made_of(function: types.FunctionType) -> str:
    """A digest of what a function does, and of the numbers and words that it was made with."""
    cells = [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)]
    known = [value for value in (*cells, *(function.__defaults__ or ())) if type(value) in _NUMBERS]
    return hashlib.blake2b(repr((_instructions(function.__code__), known)).encode(), digest_size=4).hexdigest()


def _is_filled(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def _instructions(code: types.CodeType) -> tuple[Any, ...]:
    """Without lines and the names of local variables, which may change without a meaning."""
    constants = [_instructions(one) if isinstance(one, types.CodeType) else one for one in code.co_consts]
    return code.co_code, constants, code.co_names, code.co_argcount, code.co_kwonlyargcount


def _variable(value: Any) -> Any:
    """The variable of TensorFlow's that this is, or that a variable of Keras's stands for; None if it is no variable."""
    tf = sys.modules.get("tensorflow")
    if tf is None:
        return None
    if isinstance(value, tf.Variable):
        return value
    if _root(type(value)) != "keras" or not any(base.__name__ == "Variable" for base in type(value).__mro__):
        return None
    # `value.value` may be a copy of another dtype (autocast); the variable itself has only a private name.
    inner = getattr(value, "_value", None)
    inner = value.value if inner is None else inner
    return inner if isinstance(inner, tf.Variable) else None


def _is_machinery(kind: type) -> bool:
    return _root(kind) in _MACHINERY | _LIBRARIES


def _classify(value: Any) -> tuple[str, str, bool]:
    """The name and the kind of what has parts, and whether it can be changed in place. Kind opaque: it can't be looked into."""
    kind = type(value)
    name = _type_name(kind)
    for container in (list, dict, set, tuple, frozenset):
        if isinstance(value, container):
            # TensorFlow and Keras put wrappers of their own in the place of containers that are attributes.
            name = container.__name__ if _root(kind) in _LIBRARIES else name
            if issubclass(container, (list, tuple)):
                return name, "sequence", container is list
            return name, "mapping" if container is dict else "set", container is not frozenset
    if isinstance(value, collections.deque):
        return name, "sequence", True
    np, tf = sys.modules.get("numpy"), sys.modules.get("tensorflow")
    if np is not None and isinstance(value, np.ndarray):
        return name, "sequence" if kind is np.ndarray else "object", True
    if tf is not None:
        if isinstance(value, tf.TensorArray):
            return "tensorflow.TensorArray", "tensor", False
        for public in ("RaggedTensor", "SparseTensor", "IndexedSlices"):
            if isinstance(value, getattr(tf, public)):
                return f"tensorflow.{public}", "tensor", False
        if isinstance(value, tf.__internal__.CompositeTensor) and _is_tensor_like(value, tf):
            return name, "opaque" if hasattr(value, "get_next") else "tensor", False
        if isinstance(value, tf.random.Generator):
            return name, "object", True
    if isinstance(value, types.MethodType):
        return name, "object", False
    if isinstance(value, _NUMBERS):
        return name, "object", False
    if isinstance(value, functools.partial) or _random_state(value) is not None or isinstance(value, BaseException):
        return name, "object", True
    if isinstance(value, (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType, types.FrameType, types.CodeType)):
        return name, "opaque", True
    if _is_machinery(kind) and not _is_state(value):
        return name, "opaque", True
    if hasattr(kind, "__dictoffset__") and (kind.__dictoffset__ or any("__slots__" in vars(base) for base in kind.__mro__)):
        return name, "object", not _is_frozen(kind)
    return name, "opaque", True


def _is_frozen(kind: type) -> bool:
    """A dataclass whose objects can't be changed: one of them is as good as another that is equal."""
    return dataclasses.is_dataclass(kind) and bool(getattr(kind, "__dataclass_params__").frozen)  # noqa: B009


def _is_tensor_like(value: Any, tf: Any) -> bool:
    """Composite tensors of the program's own may be modules with attributes; a library's are what they are made of."""
    return not isinstance(value, tf.Module) or _root(type(value)) == "tensorflow"


def _nameless(config: Any) -> Any:
    """A layer's configuration without names, which only count the layers of their kind."""
    match config:
        case dict():
            return {key: _nameless(part) for key, part in config.items() if key != "name"}
        case list() | tuple():
            return [_nameless(part) for part in config]
    return config


def _content(value: Any) -> Any:
    """What public methods of well-known types tell of those that have no attributes to look at."""
    match value:
        case bytearray() | memoryview() | array.array():
            return bytes(value)
        case io.StringIO() | io.BytesIO():
            return value.getvalue()
        case queue.Queue():
            return list(value.queue)
    if _root(type(value)) in _LIBRARIES:
        if hasattr(value, "SerializeToString"):
            return value.SerializeToString(deterministic=True)
        if hasattr(value, "get_config"):
            return value.get_config()
    return None


def _is_state(value: Any) -> bool:
    return "tensorflow" in sys.modules and isinstance(value, _state_types("keras" in sys.modules, "tf_keras" in sys.modules))


@functools.cache
def _state_types(keras: bool, legacy: bool) -> tuple[type, ...]:
    """The types of Keras's and TensorFlow's objects that hold what a program computes. TensorFlow loads Keras when it is first used."""
    found: list[Any] = [sys.modules["tensorflow"].Module]
    for library in [name for name, loaded in (("keras", keras), ("tf_keras", legacy)) if loaded]:
        for path in (
            *("layers.Layer", "metrics.Metric", "losses.Loss", "random.SeedGenerator", "callbacks.Callback"),
            *("optimizers.Optimizer", "optimizers.schedules.LearningRateSchedule"),
        ):
            try:
                found.append(functools.reduce(getattr, path.split("."), sys.modules[library]))
            except AttributeError:  # the older of the two has no seed generators
                continue
    return tuple(found)


def members(value: Any) -> Members:
    """The parts of a container, composite tensor or object, each with the words that lead to it. Of sets: none."""
    kind = type(value)
    own = _root(kind) in _LIBRARIES
    if isinstance(value, dict):
        # Of the program's own subclasses only what dict itself stores is read: their methods are the program's code.
        items = list(value.items() if own else dict.items(value))
        factory = [(".default_factory", value.default_factory)] if isinstance(value, collections.defaultdict) else []
        parts = [(f"[{_key(key, at)}]", part) for at, (key, part) in enumerate(items)]
        # A label can't tell objects apart: as keys they are parts themselves.
        keys = [(f".keys()[{at}]", key) for at, (key, _) in enumerate(items) if not _is_spelled(key)]
        return factory + parts + keys + ([] if own else attributes(value))
    if isinstance(value, tuple):
        parts = list(value) if own else list(tuple.__iter__(value))
        fields = getattr(kind, "_fields", None)
        if isinstance(fields, tuple) and len(fields) == len(parts):
            return [(f".{field}", part) for field, part in zip(fields, parts, strict=True)]
        return _numbered(parts) + ([] if own else attributes(value))
    if isinstance(value, list):
        return _numbered(list(value) if own else list(list.__iter__(value))) + ([] if own else attributes(value))
    if isinstance(value, collections.deque):
        return [(".maxlen", value.maxlen), *_numbered(list(collections.deque.__iter__(value))), *attributes(value)]
    np, tf = sys.modules.get("numpy"), sys.modules.get("tensorflow")
    if np is not None and isinstance(value, np.ndarray):
        if kind is np.ndarray:
            places = [(f"[{', '.join(map(str, at))}]", value[at]) for at in np.ndindex(value.shape)]
            return [(".shape", tuple(value.shape)), *places]
        mask = [(".mask", np.array(value.mask)), (".fill_value", value.fill_value)] if isinstance(value, np.ma.MaskedArray) else []
        return [(".data", np.array(value.data if mask else value)), *mask]
    if tf is not None and (tensors := _components(value, tf)) is not None:
        return tensors
    if (state := _random_state(value)) is not None:
        return [(".state", state)]
    if isinstance(value, functools.partial):
        return [(".func", value.func), (".args", value.args), (".keywords", value.keywords), *attributes(value)]
    if isinstance(value, BaseException):
        return [(".args", value.args), *attributes(value)]
    if isinstance(value, types.MethodType):
        return [(".__func__", value.__func__), (".__self__", value.__self__)]
    if (plain := next((base for base in _NUMBERS if isinstance(value, base)), None)) is not None:
        return [(f".({plain.__name__})", _as_plain(plain, value)), *attributes(value)]
    if isinstance(value, (set, frozenset)):
        return []
    return attributes(value)


def _numbered(parts: list[Any]) -> Members:
    return [(f"[{at}]", part) for at, part in enumerate(parts)]


def _as_plain(kind: Any, value: Any) -> Any:
    """What an object of a subclass of Python's own numbers or texts is as one of these, past any method of the subclass."""
    match value:
        case int():
            return int.__int__(value)
        case float():
            return float.__float__(value)
        case str():
            return str.__str__(value)
        case bytes():
            return bytes.__getitem__(value, slice(None))
    return kind.__pos__(value)


def _is_spelled(key: Any) -> bool:
    """Does its label say all of a key?"""
    if isinstance(key, tuple):
        return all(map(_is_spelled, key))
    return not _key(key, 0).startswith("key 0, a ")


def _key(key: Any, at: int) -> str:
    if _root(type(key)) == "numpy" and hasattr(key, "item") and not hasattr(key, "__len__"):
        return repr(key.item())
    if isinstance(key, (*_NUMBERS, type(None))) and not isinstance(key, enum.Enum):
        return repr(key)
    if isinstance(key, tuple):
        return f"({', '.join(_key(part, at) for part in key)}{',' if len(key) == 1 else ''})"
    if isinstance(key, enum.Enum):
        return f"{type(key).__qualname__}.{key.name}"
    if isinstance(key, type) or _function(key) is not None:
        return _qualified(key)
    return f"key {at}, a {type(key).__name__}"


def _components(value: Any, tf: Any) -> Members | None:
    if isinstance(value, tf.TensorArray):
        # Reading an element may clear it: the list behind an eager array is looked at, where it can be reached.
        implementation = getattr(value, "_implementation", None)
        elements = getattr(implementation, "_tensor_array", None)
        parts: Members = [(".dtype", value.dtype), (".element_shape", value.element_shape)]
        if elements is None:
            return parts if getattr(value, "flow", None) is None else [*parts, (".flow", value.flow)]
        return [*parts, (".dynamic_size", bool(value.dynamic_size)), *_numbered(list(elements))]
    if isinstance(value, tf.RaggedTensor):
        splits = [(f".nested_row_splits[{at}]", split) for at, split in enumerate(value.nested_row_splits)]
        return [(".shape", value.shape), (".flat_values", value.flat_values), *splits]
    if isinstance(value, tf.SparseTensor):
        return [(".indices", value.indices), (".values", value.values), (".dense_shape", value.dense_shape)]
    if isinstance(value, tf.IndexedSlices):
        return [(".values", value.values), (".indices", value.indices), (".dense_shape", value.dense_shape)]
    if isinstance(value, tf.__internal__.CompositeTensor) and _is_tensor_like(value, tf):
        parts = [(".spec", tf.type_spec_from_value(value))]
        return parts + _numbered(tf.nest.flatten(value, expand_composites=True))
    if isinstance(value, tf.random.Generator):
        return [(".algorithm", int(value.algorithm)), (".state", value.state)]
    return None


def _random_state(value: Any) -> str | None:
    """The state of one of Python's or NumPy's generators of random numbers, in words that can be read again."""
    import random

    np = sys.modules.get("numpy")
    if isinstance(value, random.Random) and not isinstance(value, random.SystemRandom):
        return repr(random.Random.getstate(value))
    if np is None:
        return None
    if isinstance(value, np.random.Generator):
        return repr(_spelled(value.bit_generator.state))
    if isinstance(value, np.random.RandomState):
        return repr(_spelled(value.get_state(legacy=False)))
    return None


def _spelled(state: Any) -> Any:
    """The same with lists in the place of arrays, and numbers of Python's in the place of NumPy's."""
    if isinstance(state, dict):
        return {key: _spelled(part) for key, part in state.items()}
    return state.tolist() if hasattr(state, "tolist") else state


def attributes(value: Any) -> Members:
    """The attributes that stand in an object, in the order of their names. What a library keeps for itself is left out."""
    kind = type(value)
    found = dict(_dictionary(value))
    for base in kind.__mro__:
        slots = vars(base).get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            descriptor = vars(base).get(slot)
            if slot not in ("__dict__", "__weakref__") and isinstance(descriptor, types.MemberDescriptorType):
                try:
                    found[slot] = descriptor.__get__(value)
                except AttributeError:  # a slot that nothing was put into
                    continue
    names = _names_of_libraries(kind.__mro__)
    for name in _cached(kind.__mro__):
        found.pop(name, None)
    parts = [(f".{name}", found[name]) for name in sorted(map(str, found)) if _is_own(value, name, found.get(name), names)]
    if _is_state(value):
        variables = _variables(value)
        parts += [(f".variables[{at}]", variable) for at, variable in enumerate(variables)]
        parts += of_keras.rules(variables)
    if of_keras.is_layer(value) and (added := of_keras.losses(value)):
        parts.append((LOSSES, added))
    return parts


def _dictionary(value: Any) -> dict[str, Any]:
    """The attributes themselves, past any `__getattribute__`."""
    try:
        found = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return found if isinstance(found, dict) else {}


def _variables(value: Any) -> list[Any]:
    """All variables of a layer, model, optimizer, metric or module, by the library's own property."""
    for base in type(value).__mro__:
        found = vars(base).get("variables")
        if _root(base) in _LIBRARIES and isinstance(found, property) and found.fget is not None:
            return list(found.fget(value))
    return []


def _is_own(value: Any, name: str, part: Any, names: frozenset[str]) -> bool:
    """Whether an attribute is the program's, or one of a library's that says something about what is computed."""
    if name.startswith(("_self_", "_tf_api", "__")):
        return False
    if name not in names:
        return True
    if name.startswith("_"):
        return False
    if name in _BOOKKEEPING and _is_state(value) and not (name in _ALSO_OWN and _is_data_of(value, part)):
        return False
    if _is_state(value) and _function(part) is not None and hasattr(type(value), name):
        return False
    kind = type(part)
    return _root(kind) not in _LIBRARIES or isinstance(part, (list, tuple, dict, set)) or _is_state(part) or _is_tensor(part)


def _is_data_of(value: Any, part: Any) -> bool:
    """Whether a class of the program's has put data there."""
    if _root(type(value)) in _LIBRARIES or isinstance(part, bool):
        return False
    return isinstance(part, list | tuple | dict | set | int | float) or _root(type(part)) == "numpy" or _is_tensor(part)


def _is_tensor(value: Any) -> bool:
    tf = sys.modules.get("tensorflow")
    if tf is None:
        return False
    return isinstance(value, (tf.Tensor, tf.__internal__.CompositeTensor)) or _variable(value) is not None


@functools.cache
def _cached(bases: tuple[Any, ...]) -> frozenset[str]:
    """The properties whose values are kept where attributes are: whether they have been asked for is no state."""
    return frozenset(name for base in bases for name, part in vars(base).items() if isinstance(part, functools.cached_property))


@functools.cache
def _names_of_libraries(bases: tuple[Any, ...]) -> frozenset[str]:
    """All names that the methods of its libraries' base classes mention: their own attributes are among them.

    Read from the code itself, so that it holds for every version of Keras and TensorFlow.
    """
    names: set[str] = set()
    for base in bases:
        if _root(base) in _LIBRARIES or (_root(base) in sys.stdlib_module_names and base.__module__ != "builtins"):
            names.update(vars(base).get("__annotations__", ()))
            for part in vars(base).values():
                names.update(_mentioned(part))
    return frozenset(names)


def _mentioned(part: Any) -> Iterator[str]:
    match part:
        case staticmethod() | classmethod():
            yield from _mentioned(part.__func__)
        case property():
            for function in (part.fget, part.fset, part.fdel):
                yield from _mentioned(function)
        case types.FunctionType():
            yield from _mentioned(part.__code__)
            if hasattr(part, "__wrapped__"):
                yield from _mentioned(part.__wrapped__)
        case types.CodeType():
            yield from part.co_names
            for constant in part.co_consts:
                yield from _mentioned(constant)


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


class NotRepeatable(Exception):
    """A value that can't be made again from its portrait; the reason is the message."""


class Rebuilder:
    """Makes values again. What stands under one number in several portraits becomes one object again."""

    def __init__(self, store: Store, *, forget: bool = True) -> None:
        self.store = store
        self._forget = forget
        self._made: dict[int, Any] = {}

    def rebuild(self, portrait: Portrait, live: Any = None) -> Any:
        match portrait:
            case Plain():
                return _rebuild_plain(portrait, live)
            case Array():
                made = self._array(portrait, live)
                return self._keep(portrait.identity, made)
            case Composite(kind="object"):
                return self._object(portrait, live)
            case Composite(kind="tensor"):
                there = dict(members(live)) if live is not None and _type_name_of(live) == portrait.type else {}
                return _rebuild_tensor(portrait, {label: self.rebuild(part, there.get(label)) for label, part in portrait.members}, live)
            case Composite():
                return self._container(portrait, live)
            case Same(identity=number):
                if number in self._made:
                    return self._made[number]
                return _or_live(live, "an object that was seen elsewhere")
            case Opaque(type=name, note=note):
                return _or_live(live, f"{name}: {note or 'not to be made again'}")

    def _keep(self, number: int | None, made: Any) -> Any:
        if number is not None:
            self._made[number] = made
        return made

    def _array(self, portrait: Array, live: Any) -> Any:
        import numpy as np

        if portrait.kind == "symbolic":
            return _or_live(live, "a tensor of a graph")
        values = self.store.array(portrait)
        if portrait.kind == "scalar":
            return values[()]
        if portrait.kind == "ndarray":
            if isinstance(live, np.ndarray) and live.flags.writeable and (live.shape, str(live.dtype)) == (values.shape, portrait.dtype):
                live[...] = values
                return live
            made = values.copy()
            made.setflags(write=portrait.writable)
            return made
        tf = importlib.import_module("tensorflow")
        with tf.init_scope():
            tensor = _tensor(tf, values, portrait.dtype)
            if portrait.kind == "tensor":
                return tensor
            if (variable := _variable(live)) is not None and variable.dtype.name == portrait.dtype:
                variable.assign(tensor)
                return live
            return tf.Variable(tensor, trainable=bool(portrait.trainable), shape=tf.TensorShape(portrait.static_shape))

    def _container(self, portrait: Composite, live: Any) -> Any:
        parts = portrait.members
        if live is not None and _type_name_of(live) != portrait.type:
            live = None
        there = dict(members(live)) if live is not None else {}
        if portrait.type == "numpy.ndarray":
            return self._keep(portrait.identity, self._object_array(portrait, there))
        made = live if live is not None else _empty(portrait)
        if made is not None:
            self._keep(portrait.identity, made)
        content = [(label, self.rebuild(part, there.get(label))) for label, part in parts if label.startswith(("[", "{"))]
        match made:
            case dict():
                keys = {f"[{_key(key, at)}]": key for at, key in enumerate(made)}
                fresh = {_read_key(label, keys): part for label, part in content}
                if list(fresh) != list(made) or any(fresh[key] is not made[key] for key in fresh):
                    made.clear()
                    made.update(fresh)
            case list():
                if len(made) != len(content) or any(old is not new for old, (_, new) in zip(list(made), content, strict=True)):
                    made[:] = [part for _, part in content]
            case collections.deque() | set():
                made.clear()
                made.update(part for _, part in content) if isinstance(made, set) else made.extend(part for _, part in content)
            case _:
                return self._immutable(portrait, there, live)
        return made

    def _immutable(self, portrait: Composite, there: dict[str, Any], live: Any) -> Any:
        values = [self.rebuild(part, there.get(label)) for label, part in portrait.members]
        if portrait.type == "tuple":
            return tuple(values)
        if portrait.type == "frozenset":
            return frozenset(values)
        kind = type(live) if live is not None else _find(portrait.type)
        if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return tuple.__new__(kind, values)
        return _or_live(live, f"a {portrait.type}")

    def _object_array(self, portrait: Composite, there: dict[str, Any]) -> Any:
        import numpy as np

        (_, shape), *places = portrait.members
        made = np.empty(self.rebuild(shape), dtype=object)
        for at, (label, part) in zip(np.ndindex(made.shape), places, strict=True):
            made[at] = self.rebuild(part, there.get(label))
        return made

    def _object(self, portrait: Composite, live: Any) -> Any:
        if live is not None and _type_name(type(live)) == portrait.type:
            self._keep(portrait.identity, live)
            self.pin(portrait, live)
            return live
        if portrait.type in _GENERATORS:
            made = self._keep(portrait.identity, _GENERATORS[portrait.type]())
            self.pin(portrait, made)
            return made
        if portrait.type == "tensorflow.python.ops.stateful_random_ops.Generator":
            tf = importlib.import_module("tensorflow")
            parts = {label: self.rebuild(part) for label, part in portrait.members}
            return self._keep(portrait.identity, tf.random.Generator.from_state(parts[".state"], parts[".algorithm"]))
        kind = _find(portrait.type)
        if not isinstance(kind, type) or not dataclasses.is_dataclass(kind):
            raise NotRepeatable(f"a {portrait.type} can't be made again")
        made = self._keep(portrait.identity, object.__new__(kind))
        for label, part in portrait.members:
            object.__setattr__(made, label[1:], self.rebuild(part))
        return made

    def pin(self, portrait: Composite, live: Any) -> None:
        """Set an object back to what it was: the values of its variables and arrays, its plain attributes, its containers."""
        there = dict(members(live))
        if ".state" in there and (state := dict(portrait.members).get(".state")) is not None and _random_state(live) is not None:
            _set_random_state(live, self.rebuild(state))
            return
        if (np := sys.modules.get("numpy")) is not None and isinstance(live, np.ndarray):
            for label, part in portrait.members:
                if label != ".fill_value":
                    (live.mask if label == ".mask" else np.asarray(live))[...] = self.rebuild(part)
            return
        dictionary = _dictionary(live)
        if of_keras.is_layer(live):
            of_keras.set_losses(live, self._losses(dict(portrait.members).get(LOSSES)))
        for label, part in portrait.members:
            if isinstance(part, Opaque) or label in _SAID:
                continue
            now = there.get(label)
            try:
                then = self.rebuild(part, now)
            except NotRepeatable:
                if now is None:
                    raise
                continue
            name = label[1:]
            if then is now or not name.isidentifier():
                continue
            if name in dictionary or label not in there:
                dictionary[name] = then
            else:
                object.__setattr__(live, name, then)
        if not self._forget:
            return
        for name in _cached(type(live).__mro__):
            dictionary.pop(name, None)
        recorded = {label for label, _ in portrait.members}
        for label, part in there.items():
            # What a later call added is taken away again, but never what compiled functions may hold on to.
            if label not in recorded and label[1:] in dictionary and not _is_state(live) and _is_data(part):
                del dictionary[label[1:]]

    def _losses(self, portrait: Portrait | None) -> list[list[Any]]:
        """Those of each layer; without those of a graph, which can't be made again."""
        layers = [part for _, part in portrait.members] if isinstance(portrait, Composite) else []
        parts = [[one for _, one in layer.members] if isinstance(layer, Composite) else [] for layer in layers]
        return [[self.rebuild(one) for one in part if isinstance(one, Array) and one.kind == "tensor"] for part in parts]


def _is_data(value: Any) -> bool:
    np, tf = sys.modules.get("numpy"), sys.modules.get("tensorflow")
    if isinstance(value, (*_NUMBERS, type(None))) or (np is not None and isinstance(value, (np.ndarray, np.generic))):
        return True
    if isinstance(value, (list, tuple)):
        return all(_is_data(part) for part in value)
    if isinstance(value, dict):
        return all(_is_data(part) for part in value.values())
    return tf is not None and isinstance(value, tf.Tensor) and _variable(value) is None


def rebuild(portrait: Portrait, store: Store, live: Any = None, *, forget: bool = True) -> Any:
    """Make a value again. `live`, where given, is what stands in its place now: parts that can't be made are taken from it,
    and what has an identity (variables, arrays, containers, objects) is set back in place. Unless it is to `forget`, objects
    keep what they have remembered beyond what the portrait shows."""
    return Rebuilder(store, forget=forget).rebuild(portrait, live)


def _or_live(live: Any, what: str) -> Any:
    if live is None:
        raise NotRepeatable(f"can't make again {what}")
    return live


def _type_name_of(value: Any) -> str:
    return _classify(value)[0]


def _rebuild_plain(portrait: Plain, live: Any) -> Any:
    name, value = portrait.type, portrait.value
    if live is not None and _same_plain(portrait, live):
        return live
    if name in ("NoneType", "bool", "int", "float", "complex", "str", "bytes"):
        return value
    if name in ("range", "slice"):
        arguments = str(value).partition("(")[2].rstrip(")")
        try:
            return {"range": range, "slice": slice}[name](*ast.literal_eval(f"({arguments},)"))
        except (ValueError, SyntaxError):
            return _or_live(live, str(value))
    if name == "ellipsis":
        return ...
    if name == "module":
        found = sys.modules.get(str(value))
    elif name in ("type", "function"):
        found = _find(str(value))
    else:
        kind = _find(name)
        found = getattr(kind, str(value), None) if isinstance(kind, type) and issubclass(kind, enum.Enum) else None
        if found is None and (spelled := _TENSORFLOWS.get(name)) is not None:
            found = spelled(importlib.import_module("tensorflow"), str(value))
    if found is None or not _same_plain(portrait, found):
        return _or_live(live, f"{name} {value}")
    return found


def _dtype_from(tf: Any, text: str) -> Any:
    return tf.as_dtype(text.removeprefix("tf."))


def _shape_from(tf: Any, text: str) -> Any:
    inner = text.partition("(")[2].removesuffix(")")
    return tf.TensorShape(None if inner.startswith("<") else ast.literal_eval(inner))


_TENSORFLOWS: dict[str, Callable[[Any, str], Any]] = {
    "tensorflow.python.framework.dtypes.DType": _dtype_from,
    "tensorflow.python.framework.tensor_shape.TensorShape": _shape_from,
}


def _same_plain(portrait: Plain, live: Any) -> bool:
    store = Photographer.__new__(Photographer)
    try:
        now = store._plain(live)
    except Exception:
        return False
    if not isinstance(now, Plain) or now.type != portrait.type:
        return False
    return now.value == portrait.value and repr(now.value) == repr(portrait.value)


def _find(name: str) -> Any:
    """What stands under a qualified name in the modules that are loaded already. Nothing is imported: that runs code."""
    parts = name.split(".")
    for cut in range(len(parts) - 1, -1, -1):
        module = sys.modules.get(".".join(parts[:cut]) or "builtins")
        if module is None:
            continue
        found: Any = module
        for part in parts[cut:]:
            found = getattr(found, part, None)
        if found is not None:
            return found
    return None


def _tensor(tf: Any, values: Any, dtype: str) -> Any:
    if dtype == "string":
        return tf.constant(values.reshape(-1).tolist(), dtype=tf.string, shape=values.shape)
    if dtype in _QUANTIZED:
        return tf.bitcast(tf.constant(values), tf.as_dtype(dtype))
    return tf.constant(values, dtype=tf.as_dtype(dtype))


def _rebuild_tensor(portrait: Composite, parts: dict[str, Any], live: Any) -> Any:
    tf = importlib.import_module("tensorflow")
    numbered = [part for label, part in parts.items() if label.startswith("[")]
    with tf.init_scope():
        match portrait.type:
            case "tensorflow.RaggedTensor":
                splits = [part for label, part in parts.items() if label.startswith(".nested_row_splits")]
                return tf.RaggedTensor.from_nested_row_splits(parts[".flat_values"], splits, validate=False)
            case "tensorflow.SparseTensor":
                return tf.SparseTensor(parts[".indices"], parts[".values"], parts[".dense_shape"])
            case "tensorflow.IndexedSlices":
                return tf.IndexedSlices(parts[".values"], parts[".indices"], parts[".dense_shape"])
            case "tensorflow.TensorArray" if ".dynamic_size" in parts:
                shape = parts[".element_shape"]
                dynamic = parts[".dynamic_size"]
                made = tf.TensorArray(
                    parts[".dtype"],
                    size=len(numbered),
                    dynamic_size=dynamic,
                    element_shape=shape,
                    infer_shape=False,
                    clear_after_read=False,
                )
                for at, part in enumerate(numbered):
                    if part is not None:
                        made = made.write(at, part)
                return made
    if live is not None and len(tf.nest.flatten(live, expand_composites=True)) == len(numbered):
        return tf.nest.pack_sequence_as(live, numbered, expand_composites=True)
    return _or_live(live, f"a {portrait.type}")


def _empty(portrait: Composite) -> Any:
    """An empty container of the type, to be filled; None where it can't be filled in place."""
    match portrait.type:
        case "list":
            return []
        case "dict":
            return {}
        case "set":
            return set()
        case "collections.OrderedDict":
            return collections.OrderedDict()
        case "collections.Counter":
            return collections.Counter()
        case "collections.defaultdict":
            factory = dict(portrait.members)[".default_factory"]
            return collections.defaultdict(_rebuild_plain(factory, None) if isinstance(factory, Plain) else None)
        case "collections.deque":
            limit = dict(portrait.members)[".maxlen"]
            return collections.deque(maxlen=limit.value if isinstance(limit, Plain) and isinstance(limit.value, int) else None)
    return None


def _read_key(label: str, keys: dict[str, Any]) -> Any:
    if label in keys:
        return keys[label]
    try:
        return ast.literal_eval(label[1:-1])
    except (ValueError, SyntaxError):
        raise NotRepeatable(f"a mapping with the key {label[1:-1]}") from None


def _python_generator() -> Any:
    import random

    return random.Random()


def _numpy_generator() -> Any:
    import numpy as np

    return np.random.default_rng()


def _numpy_legacy_generator() -> Any:
    import numpy as np

    return np.random.RandomState()


_GENERATORS: dict[str, Callable[[], Any]] = {
    "random.Random": _python_generator,
    "numpy.random._generator.Generator": _numpy_generator,
    "numpy.random.mtrand.RandomState": _numpy_legacy_generator,
}


def _set_random_state(value: Any, spelled: str) -> None:
    import random

    state = ast.literal_eval(spelled)
    if isinstance(value, random.Random):
        value.setstate(state)
    elif hasattr(value, "bit_generator"):
        value.bit_generator.state = state
    else:
        import numpy as np

        inner = {**state["state"], "key": np.array(state["state"]["key"], dtype=np.uint32)} if "key" in state["state"] else state["state"]
        value.set_state({**state, "state": inner})
