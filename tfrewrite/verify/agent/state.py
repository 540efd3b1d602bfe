"""What the calls of a program's functions share: globals, classes, attributes of functions, other modules, random numbers.

Each value is named by the words that lead to it. What can be set back is set back by the same words; names in parentheses
stand for what can only be looked at.
"""

from __future__ import annotations

import enum
import hashlib
import os
import random
import sys
from collections.abc import Iterable, Iterator, Mapping
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from tfrewrite.verify import keras_state
from tfrewrite.verify.agent.specs import is_variable, variable_of
from tfrewrite.verify.agent.values import members
from tfrewrite.verify.plan import generator_of

_CODE = (FunctionType, BuiltinFunctionType, MethodType, ModuleType, type, staticmethod, classmethod, property)
_LARGEST = 1 << 16
"""Bytes of a value in another module that is looked at: larger ones are its data, not its state."""


_MOST_LOOKED_AT = 20_000


def of_classes(namespace: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What stands in the classes of the program itself."""
    for name, owner in sorted(namespace.items()):
        if isinstance(owner, type) and owner.__module__ == namespace.get("__name__") and not issubclass(owner, enum.Enum):
            yield from _of_class(name, owner)


def _of_class(path: str, owner: type) -> Iterator[tuple[str, Any]]:
    for key, value in sorted(vars(owner).items()):
        if isinstance(value, type) and value.__qualname__.startswith(f"{owner.__qualname__}."):
            yield from _of_class(f"{path}.{key}", value)
        elif not key.startswith("__") and _is_data(value):
            yield f"{path}.{key}", value


def of_functions(functions: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, function in sorted(functions.items()):
        for key, value in sorted(getattr(function, "__dict__", {}).items()):
            if not key.startswith("_") and _is_data(value):
                yield f"{name}.{key}", value


def of_modules(file: str) -> Iterator[tuple[str, Any]]:
    """Small plain values in the modules that stand beside the program."""
    for name, module in _BESIDE.modules(file):
        for key, value in sorted(vars(module).items()):
            if (
                not key.startswith("_")
                and isinstance(value, bool | int | float | str | list | dict | set | tuple)
                and _size(value) < _LARGEST
            ):
                yield f"{name}.{key}", value


class _Beside:
    """The modules that stand beside a program. They are looked for again only where the imported ones have changed: TensorFlow's are
    thousands, and compute their attributes."""

    def __init__(self) -> None:
        self._file = ""
        self._imported: dict[str, ModuleType] = {}
        self._found: list[tuple[str, ModuleType]] = []

    def modules(self, file: str) -> list[tuple[str, ModuleType]]:
        if file != self._file or sys.modules != self._imported:
            self._file, self._imported = file, dict(sys.modules)
            folder = os.path.dirname(file) + os.sep
            files = {name: getattr(module, "__file__", None) or "" for name, module in self._imported.items() if name != "__main__"}
            names = [name for name, path in files.items() if path.startswith(folder) and path != file and "site-packages" not in path]
            self._found = [(name, self._imported[name]) for name in sorted(names)]
        return self._found


_BESIDE = _Beside()


def of_process(start: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """The environment as far as it has changed, and where the global generators of random numbers are."""
    changed = {key: os.environ.get(key) for key in {*start, *os.environ} if start.get(key) != os.environ.get(key)}
    yield "(environment)", dict(sorted(changed.items()))
    yield generator_of("Python"), _digest(random.getstate())
    if "numpy" in sys.modules:
        import numpy as np

        kind, keys, *rest = (*np.random.get_state(),)
        yield "(floating-point errors of NumPy)", np.geterr()
        yield generator_of("NumPy"), _digest((kind, str(np.asarray(keys).tobytes()), rest))
    yield "(settings of Keras)", keras_state.settings()
    if (state := _tensorflow_random()) is not None:
        yield generator_of("TensorFlow"), _digest(state)


def _tensorflow_random() -> object:
    if "tensorflow" not in sys.modules:
        return None
    try:
        from tensorflow.python.eager import context

        generator = context.context()._rng
    except (ImportError, AttributeError):
        return None
    return None if generator is None else generator.getstate()


def _is_data(value: Any) -> bool:
    if isinstance(value, _CODE) or hasattr(type(value), "__get__"):
        return False
    return not callable(value)


def _size(value: Any) -> int:
    """Roughly, without going far into it."""
    if isinstance(value, list | tuple | set | dict):
        return 64 * len(value)
    return sys.getsizeof(value)


def _digest(state: object) -> str:
    return hashlib.blake2b(repr(state).encode(), digest_size=6).hexdigest()


def owner_of(path: str, namespace: Mapping[str, Any], functions: Mapping[str, Any]) -> Any:
    """What a value that is named by a dotted path is an attribute of; None where that isn't there any more."""
    if path in functions:
        return functions[path]
    first, *rest = path.split(".")
    found = namespace.get(first)
    if found is None:
        return sys.modules.get(path)
    for part in rest:
        found = getattr(found, part, None)
    return found


def variables_in(values: Iterable[Any]) -> list[Any]:
    """The variables of TensorFlow's that can be reached, each once."""
    found: dict[int, Any] = {}
    pending = list(values)
    seen: set[int] = set()
    while pending and len(seen) < _MOST_LOOKED_AT:
        value = pending.pop()
        if id(value) in seen or isinstance(value, str | bytes | int | float):
            continue
        seen.add(id(value))
        if is_variable(value):
            variable = variable_of(value)
            if variable.shape.is_fully_defined():
                found[id(variable)] = variable
        else:
            pending += [part for _, part in members(value)]
    return list(found.values())
