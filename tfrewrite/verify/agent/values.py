"""What values consist of: their kinds, their names, their parts, each with the words that lead to it."""

from __future__ import annotations

import array
import collections
import dataclasses
import enum
import functools
import hashlib
import io
import queue
import sys
import types
from collections.abc import Iterator
from typing import Any, TypeAlias

from tfrewrite.verify import keras_state
from tfrewrite.verify.portrait import Plain

Members: TypeAlias = list[tuple[str, Any]]
SINGLETONS = (type(None), type(...), type(NotImplemented))
NUMBERS = (bool, int, float, complex, str, bytes)
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodWrapperType, types.WrapperDescriptorType)
_METHODS = (types.MethodType, types.MethodDescriptorType, types.ClassMethodDescriptorType)
BY_REPR = {"datetime", "decimal", "fractions", "ipaddress", "pathlib", "re", "uuid", "zoneinfo"}
"""Modules of the standard library whose values can't be changed and show everything in their repr."""
_MACHINERY = {
    *("_asyncio", "_contextvars", "_ctypes", "_io", "_queue", "_thread", "_weakref", "_weakrefset", "asyncio", "codecs", "concurrent"),
    *("contextlib", "contextvars", "ctypes", "inspect", "io", "logging", "memray", "multiprocessing", "queue", "selectors", "signal"),
    *("socket", "sqlite3", "subprocess", "tempfile", "threading", "tracemalloc", "unittest", "weakref"),
}
"""Modules whose values are means of a program, never what it computes: not to be able to look into them is no loss."""
LIBRARIES = {"keras", "tensorflow", "tf_keras"}
_BOOKKEEPING = {
    *("built", "call_signature_parameters", "compiled", "history", "model", "name", "predict_function", "test_function", "train_function"),
    *("stop_evaluating", "stop_predicting"),
}
"""Public attributes of Keras's objects that number names, keep compiled functions, lead back to the owner, or are a loop's own."""
_ALSO_OWN = {"history", "model"}
"""Those of them that a class of the program's may use for data of its own."""
LOSSES = ".losses"
SAID = {".get_config()", ".content()", LOSSES}
"""Parts that are said by methods, and are no attributes."""


def root_of(kind: type) -> str:
    return str(getattr(kind, "__module__", "") or "").partition(".")[0]


def type_name(kind: type) -> str:
    module, name = getattr(kind, "__module__", "") or "", getattr(kind, "__qualname__", kind.__name__)
    return str(name) if module == "builtins" else f"{module}.{name}"


def shape_known_of(shape: Any) -> tuple[int | None, ...] | None:
    if getattr(shape, "rank", 0) is None:
        return None
    return tuple(None if length is None else int(length) for length in shape)


def function_of(value: Any) -> Plain | None:
    """Functions by name, whether compiled by tf.function or not: that is the very thing that a rewrite may change."""
    kind = type(value)
    if root_of(kind) in LIBRARIES and "polymorphic_function" in kind.__module__:
        inner = getattr(value, "python_function", None)
        return Plain("function", _qualified(inner if inner is not None else value))
    if isinstance(value, _METHODS):
        return Plain("method", _qualified(value))
    if isinstance(value, _FUNCTIONS):
        return Plain("function", _qualified(value))
    return None


def is_bound(value: Any) -> bool:
    """A method of an object that can be looked into: which object that is makes a difference."""
    if not isinstance(value, types.MethodType) or isinstance(value.__self__, (type, types.ModuleType)):
        return False
    return classified(value.__self__)[1] != "opaque"


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
    known = [value for value in (*cells, *(function.__defaults__ or ())) if type(value) in NUMBERS]
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


def variable_of(value: Any) -> Any:
    """The variable of TensorFlow's that this is, or that a variable of Keras's stands for; None if it is no variable."""
    tf = sys.modules.get("tensorflow")
    if tf is None:
        return None
    if isinstance(value, tf.Variable):
        return value
    if root_of(type(value)) != "keras" or not any(base.__name__ == "Variable" for base in type(value).__mro__):
        return None
    # `value.value` may be a copy of another dtype (autocast); the variable itself has only a private name.
    inner = getattr(value, "_value", None)
    inner = value.value if inner is None else inner
    return inner if isinstance(inner, tf.Variable) else None


def is_machinery(kind: type) -> bool:
    return root_of(kind) in _MACHINERY | LIBRARIES


def classified(value: Any) -> tuple[str, str, bool]:
    """The name and the kind of what has parts, and whether it can be changed in place. Kind opaque: it can't be looked into."""
    kind = type(value)
    name = type_name(kind)
    for container in (list, dict, set, tuple, frozenset):
        if isinstance(value, container):
            # TensorFlow and Keras put wrappers of their own in the place of containers that are attributes.
            name = container.__name__ if root_of(kind) in LIBRARIES else name
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
    if isinstance(value, NUMBERS):
        return name, "object", False
    if isinstance(value, functools.partial) or random_state_of(value) is not None or isinstance(value, BaseException):
        return name, "object", True
    if isinstance(value, (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType, types.FrameType, types.CodeType)):
        return name, "opaque", True
    if is_machinery(kind) and not is_state(value):
        return name, "opaque", True
    if hasattr(kind, "__dictoffset__") and (kind.__dictoffset__ or any("__slots__" in vars(base) for base in kind.__mro__)):
        return name, "object", not _is_frozen(kind)
    return name, "opaque", True


def _is_frozen(kind: type) -> bool:
    """A dataclass whose objects can't be changed: one of them is as good as another that is equal."""
    return dataclasses.is_dataclass(kind) and bool(getattr(kind, "__dataclass_params__").frozen)  # noqa: B009


def _is_tensor_like(value: Any, tf: Any) -> bool:
    """Composite tensors of the program's own may be modules with attributes; a library's are what they are made of."""
    return not isinstance(value, tf.Module) or root_of(type(value)) == "tensorflow"


def nameless(config: Any) -> Any:
    """A layer's configuration without names, which only count the layers of their kind."""
    match config:
        case dict():
            return {key: nameless(part) for key, part in config.items() if key != "name"}
        case list() | tuple():
            return [nameless(part) for part in config]
    return config


def content_of(value: Any) -> Any:
    """What public methods of well-known types tell of those that have no attributes to look at."""
    match value:
        case bytearray() | memoryview() | array.array():
            return bytes(value)
        case io.StringIO() | io.BytesIO():
            return value.getvalue()
        case queue.Queue():
            return list(value.queue)
    if root_of(type(value)) in LIBRARIES:
        if hasattr(value, "SerializeToString"):
            return value.SerializeToString(deterministic=True)
        if hasattr(value, "get_config"):
            return value.get_config()
    return None


def is_state(value: Any) -> bool:
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
    own = root_of(kind) in LIBRARIES
    if isinstance(value, dict):
        # Of the program's own subclasses only what dict itself stores is read: their methods are the program's code.
        items = list(value.items() if own else dict.items(value))
        factory = [(".default_factory", value.default_factory)] if isinstance(value, collections.defaultdict) else []
        parts = [(f"[{key_of(key, at)}]", part) for at, (key, part) in enumerate(items)]
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
    if (state := random_state_of(value)) is not None:
        return [(".state", state)]
    if isinstance(value, functools.partial):
        return [(".func", value.func), (".args", value.args), (".keywords", value.keywords), *attributes(value)]
    if isinstance(value, BaseException):
        return [(".args", value.args), *attributes(value)]
    if isinstance(value, types.MethodType):
        return [(".__func__", value.__func__), (".__self__", value.__self__)]
    if (plain := next((base for base in NUMBERS if isinstance(value, base)), None)) is not None:
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
    return not key_of(key, 0).startswith("key 0, a ")


def key_of(key: Any, at: int) -> str:
    if root_of(type(key)) == "numpy" and hasattr(key, "item") and not hasattr(key, "__len__"):
        return repr(key.item())
    if isinstance(key, (*NUMBERS, type(None))) and not isinstance(key, enum.Enum):
        return repr(key)
    if isinstance(key, tuple):
        return f"({', '.join(key_of(part, at) for part in key)}{',' if len(key) == 1 else ''})"
    if isinstance(key, enum.Enum):
        return f"{type(key).__qualname__}.{key.name}"
    if isinstance(key, type) or function_of(key) is not None:
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


def random_state_of(value: Any) -> str | None:
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
    found = dict(dictionary_of(value))
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
    for name in cached_properties(kind.__mro__):
        found.pop(name, None)
    parts = [(f".{name}", found[name]) for name in sorted(map(str, found)) if _is_own(value, name, found.get(name), names)]
    if is_state(value):
        variables = _variables(value)
        parts += [(f".variables[{at}]", variable) for at, variable in enumerate(variables)]
        parts += keras_state.rules(variables)
    if keras_state.is_layer(value) and (added := keras_state.losses(value)):
        parts.append((LOSSES, added))
    return parts


def dictionary_of(value: Any) -> dict[str, Any]:
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
        if root_of(base) in LIBRARIES and isinstance(found, property) and found.fget is not None:
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
    if name in _BOOKKEEPING and is_state(value) and not (name in _ALSO_OWN and _is_data_of(value, part)):
        return False
    if is_state(value) and function_of(part) is not None and hasattr(type(value), name):
        return False
    kind = type(part)
    return root_of(kind) not in LIBRARIES or isinstance(part, (list, tuple, dict, set)) or is_state(part) or _is_tensor(part)


def _is_data_of(value: Any, part: Any) -> bool:
    """Whether a class of the program's has put data there."""
    if root_of(type(value)) in LIBRARIES or isinstance(part, bool):
        return False
    return isinstance(part, list | tuple | dict | set | int | float) or root_of(type(part)) == "numpy" or _is_tensor(part)


def _is_tensor(value: Any) -> bool:
    tf = sys.modules.get("tensorflow")
    if tf is None:
        return False
    return isinstance(value, (tf.Tensor, tf.__internal__.CompositeTensor)) or variable_of(value) is not None


@functools.cache
def cached_properties(bases: tuple[Any, ...]) -> frozenset[str]:
    """The properties whose values are kept where attributes are: whether they have been asked for is no state."""
    return frozenset(name for base in bases for name, part in vars(base).items() if isinstance(part, functools.cached_property))


@functools.cache
def _names_of_libraries(bases: tuple[Any, ...]) -> frozenset[str]:
    """All names that the methods of its libraries' base classes mention: their own attributes are among them.

    Read from the code itself, so that it holds for every version of Keras and TensorFlow.
    """
    names: set[str] = set()
    for base in bases:
        if root_of(base) in LIBRARIES or (root_of(base) in sys.stdlib_module_names and base.__module__ != "builtins"):
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
