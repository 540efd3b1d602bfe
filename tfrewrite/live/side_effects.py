"""May a function be called more often than the program asks for, so that nobody notices?

Only where everything that it reaches is known: functions of TensorFlow and NumPy that compute, the program's own functions, made of
such; values of which a copy can be kept and set back. What isn't known counts as something that can't be undone.
"""

from __future__ import annotations

import builtins
import dis
import functools
import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

from tfrewrite.live.dispatch import is_dispatcher
from tfrewrite.live.written import WRAPPED

_LIBRARIES = {"tensorflow", "numpy", "math", "cmath", "operator", "typing", "collections", "dataclasses", "__future__"}
_BUILTINS = frozenset(
    "abs all any bool bytes callable chr complex dict divmod enumerate filter float format frozenset getattr hasattr hash int isinstance "
    "issubclass len list map max min object ord pow print range repr reversed round set slice sorted str sum super tuple type zip "
    "Exception ValueError TypeError KeyError IndexError RuntimeError AssertionError NotImplementedError ArithmeticError "
    "ZeroDivisionError AttributeError StopIteration Ellipsis NotImplemented".split()
)
_METHODS = frozenset(
    # of tensors, variables, arrays and TensorArrays
    "numpy shape dtype ndim size rank T get_shape as_list num_elements is_compatible_with value read_value assign assign_add assign_sub "
    "astype reshape ravel flatten copy sum mean max min dot transpose item tolist argmax argmin any all clip std var round take repeat "
    "write stack concat read unstack gather scatter name handle trainable graph device "
    # of tapes
    "watch gradient jacobian batch_jacobian stop_recording __enter__ __exit__ "
    # of what Python is made of
    "append extend insert pop remove clear sort reverse index count keys values items get setdefault update add discard union join split "
    "strip format startswith endswith replace lower upper real imag".split()
)
_TENSORFLOW = frozenset(
    "tensorflow.function tensorflow.GradientTape tensorflow.TensorArray tensorflow.TensorSpec tensorflow.while_loop".split()
)
_LAYERS = frozenset(
    "Dense EinsumDense Conv1D Conv2D Conv3D LayerNormalization Embedding Flatten Reshape ReLU LeakyReLU Activation Softmax Add Multiply "
    "Subtract Concatenate Average Maximum Minimum AveragePooling1D AveragePooling2D MaxPooling1D MaxPooling2D GlobalAveragePooling1D "
    "GlobalAveragePooling2D ZeroPadding2D".split()
)
_PLAIN = (type(None), bool, int, float, complex, str, bytes, range, slice, type(Ellipsis))
_DESCRIPTORS = (MethodDescriptorType, WrapperDescriptorType, GetSetDescriptorType, MemberDescriptorType)
_FRAMES = {"_getframe", "currentframe", "stack", "getouterframes", "stacklevel", "extract_stack", "walk_stack", "f_back"}
_MOST = 500


def looks_at_callers(code: CodeType) -> bool:
    """Does it ask who calls it? There would be one more between the two of them."""
    names = {*code.co_names, *(name for one in code.co_consts if isinstance(one, tuple) for name in one if isinstance(name, str))}
    if names & (_FRAMES - {"stack"}) or ("stack" in names and "inspect" in names):
        return True
    return any(looks_at_callers(one) for one in code.co_consts if isinstance(one, CodeType))


def why_not_again(function: FunctionType, given: Mapping[str, Any], held: Sequence[Any]) -> str:
    """Why a call more could be noticed; empty where it can't be. `held` are the values that are set back, but for the arguments."""
    values = _Values()
    waiting: list[tuple[FunctionType, Mapping[str, Any]]] = [(function, given)]
    for value in (*given.values(), *held):
        if reason := values.why_not(value):
            return reason
    for value in given.values():
        called = _functions(value)
        if name := next((one.__name__ for one in called if isinstance(value, FunctionType | MethodType) or _holds_more(one)), ""):
            return f"it is passed {name}, and what that changes is not known"
        waiting += [(one, {}) for one in called]
    met = {one.__code__ for one, _ in waiting}
    while waiting:
        one, names = waiting.pop()
        for name, value, owner in _used(one.__code__, one, names):
            if reason := _why_not(name, value, owner):
                return reason
            for inner in _functions(value):
                if inner.__code__ not in met:
                    met.add(inner.__code__)
                    waiting.append((inner, {}))
        if len(met) > _MOST:
            return "it calls more functions than can be looked at"
    return ""


def _holds_more(function: FunctionType) -> bool:
    return any(name != "__class__" for name in function.__code__.co_freevars)


_UNKNOWN = object()


def _used(code: CodeType, function: FunctionType, given: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """The names and attributes that code uses: each with what it stands for, if that is known, and what it belongs to."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    value: Any = _UNKNOWN
    for one in dis.get_instructions(code):
        name = one.argval if isinstance(one.argval, str) else ""
        owner: Any = None
        match one.opname:
            case "LOAD_GLOBAL" | "LOAD_NAME":
                value = function.__globals__.get(name, vars(builtins).get(name, _UNKNOWN))
            case "LOAD_DEREF" | "LOAD_CLASSDEREF" if name in cells:
                value = _contents(cells[name])
            case "LOAD_ATTR" | "LOAD_METHOD" | "LOAD_SUPER_ATTR" | "LOAD_SUPER_METHOD":
                owner, value = value, _attribute(value, name)
            case (
                "STORE_GLOBAL"
                | "DELETE_GLOBAL"
                | "STORE_ATTR"
                | "DELETE_ATTR"
                | "IMPORT_NAME"
                | "LOAD_BUILD_CLASS"
                | "YIELD_VALUE"
                | "SEND"
            ):
                owner, value = one.opname, _UNKNOWN
            case opname if opname.startswith("LOAD_FAST") and name:
                value = given.get(name, _UNKNOWN)
                continue
            case "PUSH_NULL" | "CACHE" | "COPY_FREE_VARS" | "RESUME" | "EXTENDED_ARG" | "PRECALL":
                continue
            case _:
                value = _UNKNOWN
                continue
        yield name, value, owner
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _used(constant, function, {})


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _UNKNOWN


def _attribute(owner: Any, name: str) -> Any:
    """An attribute, without running anything of the program's to get it."""
    if owner is _UNKNOWN:
        return _UNKNOWN
    if isinstance(owner, ModuleType):
        return getattr(owner, name, _UNKNOWN) if _is_library(owner.__name__) else vars(owner).get(name, _UNKNOWN)
    found = inspect.getattr_static(owner, name, _UNKNOWN)
    return found.__func__ if isinstance(found, staticmethod | classmethod) else found


_WORDS = {
    "STORE_GLOBAL": "changes a global", "DELETE_GLOBAL": "deletes a global", "STORE_ATTR": "changes an attribute",
    "DELETE_ATTR": "deletes an attribute", "IMPORT_NAME": "imports something", "LOAD_BUILD_CLASS": "makes a class",
    "YIELD_VALUE": "runs piece by piece", "SEND": "runs piece by piece",
}  # fmt: skip


def _why_not(name: str, value: Any, owner: Any) -> str:
    """Why what is used may leave something behind."""
    if isinstance(owner, str) and owner in _WORDS:
        return f"it {_WORDS[owner]}" + (f" ({name})" if name else "")
    if value is _UNKNOWN:
        return "" if owner is not None and name in _METHODS else f"what {name} does is not known"
    match value:
        case ModuleType():
            known = (_is_library(value.__name__) and value.__name__ != "numpy.random") or _is_own(value)
            return "" if known else f"it uses {value.__name__}, and what that does is not known"
        case BuiltinFunctionType():
            return _why_not_of_c(name, value)
        case FunctionType() if _is_library(value.__module__):
            return _why_not_of_library(name, value)
        case FunctionType() | MethodType() | property():
            return ""  # looked at in its turn
        case type():
            return _why_not_made(value)
    if isinstance(value, _DESCRIPTORS):
        return "" if name in _METHODS else f"what {name} does is not known"
    return _Values().why_not(value)


def _why_not_of_c(name: str, value: BuiltinFunctionType) -> str:
    module = value.__self__.__name__ if isinstance(value.__self__, ModuleType) else value.__module__
    if module == "builtins":
        return "" if value.__name__ in _BUILTINS else f"it calls {name}"
    bound = value.__self__ is not None and not isinstance(value.__self__, ModuleType)
    return "" if _is_library(module) and not bound and "random" not in str(module) else f"it calls {name}"


def _why_not_of_library(name: str, value: FunctionType) -> str:
    from tfrewrite.ops import op
    from tfrewrite.verify.agent.observer import public_name

    public = public_name(value)
    if public is not None:
        return "" if public in _TENSORFLOW or op(public).is_pure else f"it calls {public}"
    if (
        value.__module__.startswith("numpy")
        and "random" not in value.__module__
        and not name.startswith(("save", "load", "seterr", "memmap"))
    ):
        return ""
    return "" if name in _METHODS else f"what {name} does is not known"


def _why_not_made(made: type) -> str:
    """Why an object of a class may not be made, or its class not be asked for anything."""
    module = str(made.__module__)
    if module == "builtins":
        return "" if made.__name__ in _BUILTINS else f"it makes a {made.__name__}"
    full = f"{module.partition('.')[0]}.{made.__name__}"
    if module.startswith("numpy") and "random" not in module:
        return ""
    if _is_library(module):
        return (
            ""
            if full in _TENSORFLOW or made.__name__ in ("DType", "TensorShape", "Tensor", "Variable", "Module")
            else f"it makes a {made.__name__}"
        )
    if type(made) is not type or any(
        "__init_subclass__" in vars(one) or "__new__" in vars(one) for one in made.__mro__[:-1] if one is not tuple
    ):
        return (
            "" if issubclass(made, tuple) and hasattr(made, "_fields") else f"it makes a {made.__name__}, whose class does more than that"
        )
    return ""


class _Values:
    """Can values be kept and set back?"""

    def __init__(self) -> None:
        self._met: set[int] = set()

    def why_not(self, value: Any, depth: int = 0) -> str:
        if isinstance(value, _PLAIN) or id(value) in self._met:
            return ""
        self._met.add(id(value))
        if len(self._met) > 20 * _MOST or depth > 20:
            return "it holds on to more than can be looked at"
        kind = type(value)
        name = f"{kind.__module__}.{kind.__name__}"
        match value:
            case list() | tuple() | set() | frozenset() if kind in (list, tuple, set, frozenset) or hasattr(value, "_fields"):
                return self._first(value, depth)
            case dict() if kind is dict:
                return self._first([*value.keys(), *value.values()], depth)
            case FunctionType():
                return (
                    ""
                    if not _undecorated(value).__closure__ or depth == 0
                    else f"it is given or holds a function, {value.__name__}, that holds on to more"
                )
            case ModuleType() | type():
                return ""
            case BuiltinFunctionType() if isinstance(value.__self__, ModuleType | None):
                return ""  # asked about where it is called
        if self._is_tensor(value):
            return ""
        if kind.__module__.startswith("keras.") and kind.__name__ in _LAYERS and getattr(value, "built", False):
            return ""
        if (
            getattr(kind, "__dictoffset__", 0)
            and str(kind.__module__).partition(".")[0] not in sys.stdlib_module_names
            and not _is_installed(kind)
        ):
            if (
                isinstance(value, Iterator)
                or "__getattr__" in vars(kind)
                or "__setattr__" in vars(kind)
                or isinstance(value, list | dict | set)
            ):
                return f"a {kind.__name__} does more than hold values"
            return self._first(vars(value).values(), depth)
        compiled: Any = value
        if name.startswith("tensorflow.") and hasattr(compiled, "python_function"):
            return "" if compiled.experimental_get_tracing_count() else f"{getattr(value, '__name__', 'a tf.function')} was never traced"
        return f"a {kind.__name__} is among what it uses, and what becomes of that is not known"

    def _first(self, values: Any, depth: int) -> str:
        return next(filter(None, (self.why_not(one, depth + 1) for one in values)), "")

    def _is_tensor(self, value: Any) -> bool:
        import numpy as np
        import tensorflow as tf

        plain = tf.Tensor, tf.RaggedTensor, tf.SparseTensor, tf.IndexedSlices, tf.TensorShape, tf.DType, np.generic, np.dtype
        if isinstance(value, plain) or (type(value) is np.ndarray and not value.dtype.hasobject):
            return True
        return isinstance(value, tf.Variable) and type(value).__module__.startswith("tensorflow.")


def _is_library(module: str | None) -> bool:
    return isinstance(module, str) and module.partition(".")[0] in _LIBRARIES


def _is_own(module: ModuleType) -> bool:
    """Is it a module of the program's, whose functions can be looked at in their turn?"""
    path = getattr(module, "__file__", None)
    return isinstance(path, str) and "site-packages" not in path and not path.startswith(_LIBRARY)


def _is_installed(kind: type) -> bool:
    module = sys.modules.get(str(kind.__module__))
    return module is not None and module.__name__ != "__main__" and not _is_own(module)


_LIBRARY = dis.__file__.rpartition("dis.py")[0]


def _functions(value: Any) -> list[FunctionType]:
    """The program's functions that may run where a value is used."""
    found: list[Any]
    match value:
        case FunctionType():
            found = [value]
        case MethodType():
            found = [value.__func__]
        case property(fget=getter):
            found = [getter]
        case functools.partial():
            found = _functions(value.func)
        case type():
            found = [inspect.getattr_static(value, name, None) for name in ("__init__", "__post_init__")]
        case _ if value is _UNKNOWN or isinstance(value, (ModuleType, *_PLAIN)):
            found = []
        case _:
            found = [getattr(value, "python_function", None), inspect.getattr_static(type(value), "__call__", None)]
    plain = [_undecorated(one) for one in found if isinstance(one, FunctionType)]
    return [one for one in plain if not _is_library(one.__module__) and not one.__module__.startswith("keras")]


def _undecorated(function: FunctionType) -> FunctionType:
    """While its caller is compared, a decorated function does what the original does."""
    original = getattr(function, WRAPPED, None) if is_dispatcher(function) else None
    return original if isinstance(original, FunctionType) else function
