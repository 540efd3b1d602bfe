"""May a function be called once more than the program asks for, if what it holds on to is set back afterwards?"""

from __future__ import annotations

import builtins
import dis
import inspect
from collections.abc import Mapping
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

_COMPUTING = {
    "tensorflow", "numpy", "keras", "tf_keras", "tensorflow_probability", "ml_dtypes", "math", "cmath", "operator", "functools",
    "itertools", "collections", "dataclasses", "typing", "abc", "enum", "numbers", "statistics", "string", "re", "copy", "types",
    "contextlib", "fractions", "decimal", "builtins", "warnings", "sys", "tfrewrite", "opt_einsum", "einops", "scipy",
}  # fmt: skip
_REACHING_OUT = {"open", "input", "exec", "eval", "compile", "__import__", "breakpoint"}
_DRAWING = {"random", "shuffle", "dropout", "Dropout", "rng", "Generator", "get_global_generator", "choice", "RandomState", "default_rng"}
_STARTING = {"py_function", "numpy_function", "summary", "io", "save", "load_weights", "save_weights", "fit", "Dataset"}
_MOST_FUNCTIONS = 200


def why_not_again(function: FunctionType, given: Mapping[str, Any]) -> str:
    """Why a call more could be noticed; empty where it can't be."""
    waiting: list[tuple[FunctionType, Mapping[str, Any]]] = [(function, given)]
    met = {function}
    while waiting:
        one, values = waiting.pop()
        for name, value in _used(one.__code__, one, values):
            if reason := _why_not(name, value):
                return reason
            for inner in _functions(value):
                if inner not in met and not _is_computing(inner.__module__):
                    met.add(inner)
                    waiting.append((inner, {}))
        if len(met) > _MOST_FUNCTIONS:
            return "it calls more functions than can be looked at"
    return ""


def _used(code: CodeType, function: FunctionType, given: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The names and attributes that code reads, each with what it stands for; None where that isn't known."""
    found: list[tuple[str, Any]] = []
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    value: Any = None
    for one in dis.get_instructions(code):
        name = one.argval if isinstance(one.argval, str) else ""
        match one.opname:
            case "LOAD_GLOBAL" | "LOAD_NAME":
                value = function.__globals__.get(name, vars(builtins).get(name))
            case "LOAD_DEREF" | "LOAD_CLASSDEREF" if name in cells:
                value = _contents(cells[name])
            case opname if opname.startswith("LOAD_FAST") and name:
                value = given.get(name)
                continue
            case "LOAD_ATTR" | "LOAD_METHOD" | "LOAD_SUPER_ATTR":
                value = _attribute(value, name)
            case _:
                value = None
                continue
        found.append((name, value))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found += _used(constant, function, {})
    return found


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _attribute(owner: Any, name: str) -> Any:
    """An attribute, without running anything of the program's to get it."""
    if owner is None:
        return None
    if isinstance(owner, ModuleType):
        return getattr(owner, name, None) if _is_computing(owner.__name__) else vars(owner).get(name)
    found = inspect.getattr_static(owner, name, None)
    return found.__func__ if isinstance(found, staticmethod | classmethod) else found


def _why_not(name: str, value: Any) -> str:
    if name in _DRAWING:
        return f"it draws random numbers ({name})"
    if name in _REACHING_OUT or name in _STARTING:
        return f"it may do more than compute ({name})"
    if isinstance(value, ModuleType) and not _is_computing(value.__name__) and not _is_own(value):
        return f"it uses {value.__name__}, and what that does is not known"
    kind = type(value)
    if isinstance(value, BuiltinFunctionType) and not _is_computing(value.__module__ or "builtins"):
        return f"it calls {value.__name__}, and what that does is not known"
    if value is not None and not _is_computing(kind.__module__) and kind.__module__.partition(".")[0] in _OUTSIDE:
        return f"it uses a {kind.__name__}, and what that does is not known"
    return ""


_OUTSIDE = {
    "io",
    "_io",
    "socket",
    "subprocess",
    "threading",
    "_thread",
    "queue",
    "multiprocessing",
    "logging",
    "random",
    "sqlite3",
    "tempfile",
}


def _is_computing(module: str | None) -> bool:
    return (module or "").partition(".")[0] in _COMPUTING


def _is_own(module: ModuleType) -> bool:
    """Is it a module of the program's, whose functions can be looked at in their turn?"""
    path = getattr(module, "__file__", None)
    return isinstance(path, str) and "site-packages" not in path and not path.startswith(_LIBRARY)


_LIBRARY = dis.__file__.rpartition("dis.py")[0]


def _functions(value: Any) -> list[FunctionType]:
    match value:
        case FunctionType():
            return [value]
        case MethodType():
            return _functions(value.__func__)
        case property(fget=getter):
            return _functions(getter)
        case type():
            return [one for one in (vars(value).get(name) for name in ("__init__", "__call__", "call")) if isinstance(one, FunctionType)]
        case None | ModuleType():
            return []
    python = getattr(value, "python_function", None) if _is_computing(type(value).__module__) else None
    found = [python] if isinstance(python, FunctionType) else []
    return found + [
        one for one in (inspect.getattr_static(type(value), name, None) for name in ("__call__", "call")) if isinstance(one, FunctionType)
    ]
