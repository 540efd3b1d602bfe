"""Makes values again from their portraits, and sets what is there back to what it was."""

from __future__ import annotations

import ast
import collections
import dataclasses
import enum
import importlib
import sys
from collections.abc import Callable
from typing import Any

from tfrewrite.verify import keras_state
from tfrewrite.verify.agent.photographer import Photographer
from tfrewrite.verify.agent.values import (
    LOSSES,
    NUMBERS,
    SAID,
    cached_properties,
    classified,
    dictionary_of,
    is_state,
    key_of,
    members,
    random_state_of,
    type_name,
    variable_of,
)
from tfrewrite.verify.portrait import QUANTIZED, Array, Composite, Opaque, Plain, Portrait, Same, Store


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
            if (variable := variable_of(live)) is not None and variable.dtype.name == portrait.dtype:
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
                keys = {f"[{key_of(key, at)}]": key for at, key in enumerate(made)}
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
        if live is not None and type_name(type(live)) == portrait.type:
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
        if any(label == ".content()" for label, _ in portrait.members):
            return  # all that is known is what it says of itself
        if ".state" in there and (state := dict(portrait.members).get(".state")) is not None and random_state_of(live) is not None:
            _set_random_state(live, self.rebuild(state))
            return
        if (np := sys.modules.get("numpy")) is not None and isinstance(live, np.ndarray):
            for label, part in portrait.members:
                if label != ".fill_value":
                    (live.mask if label == ".mask" else np.asarray(live))[...] = self.rebuild(part)
            return
        dictionary = dictionary_of(live)
        if keras_state.is_layer(live):
            keras_state.set_losses(live, self._losses(dict(portrait.members).get(LOSSES)))
        for label, part in portrait.members:
            if isinstance(part, Opaque) or label in SAID:
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
        for name in cached_properties(type(live).__mro__):
            dictionary.pop(name, None)
        recorded = {label for label, _ in portrait.members}
        for label, part in there.items():
            # What a later call added is taken away again, but never what compiled functions may hold on to.
            if label not in recorded and label[1:] in dictionary and not is_state(live) and _is_data(part):
                del dictionary[label[1:]]

    def _losses(self, portrait: Portrait | None) -> list[list[Any]]:
        """Those of each layer; without those of a graph, which can't be made again."""
        layers = [part for _, part in portrait.members] if isinstance(portrait, Composite) else []
        parts = [[one for _, one in layer.members] if isinstance(layer, Composite) else [] for layer in layers]
        return [[self.rebuild(one) for one in part if isinstance(one, Array) and one.kind == "tensor"] for part in parts]


def _is_data(value: Any) -> bool:
    np, tf = sys.modules.get("numpy"), sys.modules.get("tensorflow")
    if isinstance(value, (*NUMBERS, type(None))) or (np is not None and isinstance(value, (np.ndarray, np.generic))):
        return True
    if isinstance(value, (list, tuple)):
        return all(_is_data(part) for part in value)
    if isinstance(value, dict):
        return all(_is_data(part) for part in value.values())
    return tf is not None and isinstance(value, tf.Tensor) and variable_of(value) is None


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
    return classified(value)[0]


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
    if dtype in QUANTIZED:
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
