"""What a function holds on to from call to call: the object that it is bound to, its closure, globals, default arguments."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from tfrewrite.verify.agent.recorder import function_type

SELF = "self"
_MACHINERY = {"__builtins__", "__class__"}
_LIBRARIES = {"keras", "numpy", "tensorflow", "tf_keras"}


@dataclass(frozen=True)
class Place:
    """Where a value stands."""

    get: Callable[[], Any]
    put: Callable[[Any], None] | None = None
    """None where nothing else can be put there: then the value can only be changed in place."""


class Places(MutableMapping[str, Any]):
    """The values that stand in places, by name, as they would stand in a module's globals."""

    def __init__(self, places: dict[str, Place]) -> None:
        self.places = places
        self._first = {name: place.get() for name, place in places.items()}

    def __getitem__(self, name: str) -> Any:
        return self.places[name].get()

    def __setitem__(self, name: str, value: Any) -> None:
        place = self.places[name]
        if place.put is None:
            return
        # A tensor that was made again is as good as the one that stood here, but others may know that one.
        first = self._first[name]
        place.put(first if _is_tensor(first) else value)

    def __delitem__(self, name: str) -> None:
        raise TypeError("a place can't be taken away")

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


def held(function: Any) -> dict[str, Place]:
    """The places whose values a call of the function may read or change, of its own module and closure."""
    found: dict[str, Place] = {}
    _visit(function, found, set(), None)
    return found


def instance_of(function: Any) -> Any:
    """The object that a method is bound to, or that is called itself; None for plain functions."""
    function = _python_function(function)
    if isinstance(function, functools.partial):
        return instance_of(function.func)
    if isinstance(function, MethodType):
        owner = function.__self__
        return None if isinstance(owner, type | ModuleType) else getattr(owner, "target", owner)
    return None if _is_code(function) else function


def parameters_of(function: Any) -> tuple[inspect.Parameter, ...]:
    """None for what doesn't say. A Keras layer takes what its `call` takes."""
    if _is_layer(function):
        function = function.call
    try:
        return tuple(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return ()


def _visit(function: Any, found: dict[str, Place], seen: set[int], module: dict[str, Any] | None) -> None:
    function = _python_function(function)
    if id(function) in seen:
        return
    seen.add(id(function))
    if isinstance(function, functools.partial):
        for name, value in (*enumerate(function.args), *function.keywords.items()):
            _note(found, f"bound {name}", _fixed(value))
        _visit(function.func, found, seen, module)
        return
    instance = instance_of(function)
    if instance is not None:
        _note(found, SELF, _fixed(instance))
        for name in ("__call__", "call") if not isinstance(function, MethodType) else ():
            _visit(getattr(type(instance), name, None), found, seen, module)
    plain = getattr(function, "__func__", function)
    if not isinstance(plain, FunctionType) or (plain.__module__ or "").partition(".")[0] in _LIBRARIES:
        return
    if module is None:
        module = plain.__globals__
    elif plain.__globals__ is not module and not plain.__closure__:
        return  # of another module: its own affair, as its globals are
    _visit_plain(plain, found, seen, module)
    for one in [instance, *(place.get() for place in list(found.values()))]:
        for method in _methods(one, _names(plain.__code__)):
            _visit(method, found, seen, module)


def _methods(value: Any, names: set[str]) -> Iterator[Any]:
    """The methods of an object's class that go by one of the names, which may be what a function calls."""
    for owner in type(value).__mro__:
        if owner.__module__.partition(".")[0] not in (*_LIBRARIES, "builtins"):
            for name in sorted(names & vars(owner).keys()):
                method = _python_function(vars(owner)[name])
                if isinstance(method, FunctionType):
                    yield method


def _visit_plain(function: FunctionType, found: dict[str, Place], seen: set[int], module: dict[str, Any]) -> None:
    cells = {name: cell for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False) if _is_filled(cell)}
    for name, cell in cells.items():
        _meet(name, cell.cell_contents, _in_cell(cell), found, seen, module)
    if function.__globals__ is module:
        for name in sorted(_names(function.__code__) & module.keys() - _MACHINERY):
            _meet(name, module[name], _in_module(module, name), found, seen, module)
    for parameter in inspect.signature(function, follow_wrapped=False).parameters.values():
        if parameter.default is not inspect.Parameter.empty:
            _note(found, parameter.name, _fixed(parameter.default))
    if (wrapped := getattr(function, "__wrapped__", None)) is not None:
        _visit(wrapped, found, seen, module)


def _meet(name: str, value: Any, place: Place, found: dict[str, Place], seen: set[int], module: dict[str, Any]) -> None:
    if isinstance(value, ModuleType | type | BuiltinFunctionType):
        return
    if _is_code(value):
        _visit(value, found, seen, module)
    else:
        _note(found, name, place)


def _note(found: dict[str, Place], name: str, place: Place) -> None:
    value, number = place.get(), 2
    free = name
    while free in found and found[free].get() is not value:
        free, number = f"{name} ({number})", number + 1
    found.setdefault(free, place)


def _is_filled(cell: CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def _fixed(value: Any) -> Place:
    return Place(lambda: value)


def _in_cell(cell: CellType) -> Place:
    def put(value: Any) -> None:
        cell.cell_contents = value

    return Place(lambda: cell.cell_contents, put)


def _in_module(module: dict[str, Any], name: str) -> Place:
    def put(value: Any) -> None:
        module[name] = value

    return Place(lambda: module.get(name), put)


def _names(code: CodeType) -> set[str]:
    """The names that it may look up in its module, those of functions inside of it among them."""
    inner = [_names(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*inner)


def _is_code(value: Any) -> bool:
    compiled = function_type()
    return isinstance(value, FunctionType | MethodType | BuiltinFunctionType | type | functools.partial) or (
        compiled is not None and isinstance(value, compiled)
    )


def _python_function(function: Any) -> Any:
    """The function that a tf.function was made of, bound where that was; anything else as it is."""
    compiled = function_type()
    if compiled is None or not isinstance(function, compiled):
        return function
    try:
        from tensorflow.python.util import tf_decorator

        _, target = tf_decorator.unwrap(function._python_function)
    except (ImportError, AttributeError):
        return getattr(function, "python_function", function)
    owner = getattr(target, "__self__", None)
    plain = getattr(target, "__func__", target)
    # TensorFlow binds to a stand-in that holds the object weakly.
    strong = getattr(owner, "target", owner)
    inner = getattr(owner, "weakrefself_func__", None)
    if callable(inner) and inner() is not None:
        plain = inner()
    return target if strong is None else MethodType(plain, strong)


def _is_layer(value: Any) -> bool:
    layer = getattr(sys.modules.get("keras"), "Layer", None)
    return layer is not None and isinstance(value, layer)


def _is_tensor(value: Any) -> bool:
    tensorflow = sys.modules.get("tensorflow")
    return tensorflow is not None and isinstance(value, tensorflow.Tensor) and not isinstance(value, tensorflow.Variable)
