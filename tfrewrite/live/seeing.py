"""What a call shows: the kinds of its arguments, of what the function reads from outside, and the state of TensorFlow.

Every one of these facts comes with a test, so that a function that was rewritten for some kinds runs for no others. What
can't be tested at every call isn't believed: what tensors and numbers hold, and what calls give.
"""

from __future__ import annotations

import ast
import cmath
import inspect
import types
import weakref
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import CodeType, FunctionType
from typing import Any

from tfrewrite.facts.observed import Observations, Place, Ran, Seen, digest
from tfrewrite.live.dispatch import is_dispatcher
from tfrewrite.live.written import FunctionNode, Unavailable, Written, public_module
from tfrewrite.ops.naming import canonical
from tfrewrite.verify.agent.observer import is_replaced, keras_variable, public_name

_MOST_ITEMS = 16
_MOST_PATHS = 24


class Replaced(Exception):
    """Something else stands where the text says that a function of TensorFlow does: now, and perhaps not later."""


@dataclass
class Constants:
    """The objects that tests compare with, by the names that the tests have for them."""

    taken: Container[str] = ()
    """The names of the parameters, which a test would find in place of ours."""
    values: dict[str, Any] = field(default_factory=dict)
    _names: dict[int, str] = field(default_factory=dict)

    def name(self, value: Any, wish: str) -> str:
        if id(value) not in self._names:
            name = f"_{wish}_{len(self.values)}"
            while name in self.taken:
                name += "_"
            self.values[name] = value
            self._names[id(value)] = name
        return self._names[id(value)]


@dataclass(frozen=True)
class Sight:
    """What was seen, and the expressions that are all true wherever it would be seen again."""

    observations: Observations
    tests: tuple[str, ...]
    quick_tests: tuple[str, ...]
    outside: tuple[str, ...]
    """What a graph would keep of what stands outside: which numbers, and which objects."""
    """The same, but that what stands outside of the arguments is first asked whether it is the very object that was seen."""
    graph: bool
    taped: bool


def surroundings() -> tuple[bool, bool]:
    """Is a graph being made, and may a gradient tape be recording?"""
    import tensorflow as tf
    from tensorflow.python import pywrap_tfe

    return not tf.executing_eagerly(), not pywrap_tfe.TFE_Py_TapeSetIsEmpty()


def see(function: FunctionType, written: Written, given: Mapping[str, Any], constants: Constants, *, sizes: bool = True) -> Sight:
    """Look at a call. `given` are the values of all parameters; without `sizes`, only the ranks of tensors are believed."""
    graph, taped = surroundings()
    looker = _Looker(constants, sizes=sizes, graph=graph, taped=taped)
    node = written.node
    expressions: dict[Place, Seen] = {}
    tests: dict[str, str] = {}
    outside: list[str] = []
    """Each with the quicker one that does as well."""
    called = dict(zip(_parameters(node), _names(function.__code__), strict=True))
    for name, own in called.items():
        seen, test = looker.look(given[own], own)
        expressions[_place(name, "Name")] = seen
        tests[test] = test
    reader = _Reader(function, node, given, written.imported)
    paths = {one.arg: expressions[_place(one, "Name")] for one in _parameters(node)}
    for one, path, value in reader.reads():
        if callable(value) and (public := public_name(value)) and path.partition(".")[0] not in given:
            expressions[_place(one)] = Seen("function", name=public)
            test = looker.very(value, reader.spelled(path, constants))
            tests[test] = test
        elif path not in paths and len(paths) < _MOST_PATHS:
            paths[path], test, quick = looker.outside(value, reader.spelled(path, constants), passed=path.partition(".")[0] in given)
            tests[test] = quick
            outside.append(_kept(path, value))
        elif path not in paths:
            raise Unavailable("it reads more from outside than can be tested at every call")
        if path in paths:
            expressions[_place(one)] = paths[path]
    for helper, body in _helpers(function, written, given):
        reader = _Reader(helper, body, {}, written.imported)
        for _, path, value in reader.reads():
            _, test, quick = looker.outside(value, reader.spelled(path, constants), passed=False)
            tests[test] = quick
            outside.append(_kept(path, value))
    ran = Ran(1, int(not graph), int(not graph and not taped), int(graph), 0)
    observations = Observations(digest(written.text), expressions, {_place(node): ran}, holds=True)
    return Sight(observations, tuple(tests), tuple(tests.values()), tuple(outside), graph, taped)


def _names(code: CodeType) -> tuple[str, ...]:
    """Of the parameters, which a class changes those of that begin with two underscores."""
    plain = code.co_argcount + code.co_kwonlyargcount
    more = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    positional, only_named = code.co_varnames[: code.co_argcount], code.co_varnames[code.co_argcount : plain]
    extra = code.co_varnames[plain : plain + more]
    return (*positional, *only_named, *extra)


def _kept(path: str, value: Any) -> str:
    return f"{path}={value!r}" if isinstance(value, int | float | complex | str | bytes) else f"{path}@{id(value)}"


def _helpers(function: FunctionType, written: Written, given: Mapping[str, Any]) -> Iterator[tuple[FunctionType, FunctionNode]]:
    """The functions of the text that the analysis looks into: those that are called by their names, and methods."""
    for name, said in written.said:
        live = function.__globals__.get(name)
        if isinstance(said, ast.FunctionDef) and isinstance(live, FunctionType):
            yield live, said
    methods = {one.name: one for one in written.methods}
    for attribute in {one.attr for one in ast.walk(written.node) if isinstance(one, ast.Attribute)} & methods.keys():
        for value in given.values():
            live = inspect.getattr_static(type(value), attribute, None)
            if isinstance(live, FunctionType):
                yield live, methods[attribute]


def _parameters(node: FunctionNode) -> list[ast.arg]:
    arguments = node.args
    extra = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra]


def _place(node: Any, kind: str = "") -> Place:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, kind or type(node).__name__


class _Reader:
    """Finds out what the names and attributes in a function stand for before it is called, where the call can't change that."""

    def __init__(self, function: FunctionType, node: FunctionNode, given: Mapping[str, Any], imported: Sequence[tuple[str, str]]) -> None:
        self._node = node
        self._given = given
        self._globals = function.__globals__
        cells = function.__closure__ or ()
        self._cells = dict(zip(function.__code__.co_freevars, cells, strict=True))
        self._bound = _bound(node)
        self._imported = dict(imported)
        self._stored = {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute) and not isinstance(one.ctx, ast.Load)}

    def reads(self) -> Iterator[tuple[ast.expr, str, Any]]:
        """Each name and attribute that is read, its path from a name, and its value."""
        body = [self._node.body] if isinstance(self._node, ast.Lambda) else self._node.body
        for one in (inner for statement in body for inner in ast.walk(statement)):
            if isinstance(one, ast.Name | ast.Attribute) and isinstance(one.ctx, ast.Load):
                try:
                    yield one, *self._value(one)
                except LookupError:
                    continue

    def spelled(self, path: str, constants: Constants) -> str:
        """The path as a test reads it: of a parameter by its name, else by the globals or the cell that it stands in."""
        name, dot, rest = path.partition(".")
        if name in self._given:
            return path
        if name in self._cells:
            return f"{constants.name(self._cells[name], 'cell')}.cell_contents{dot}{rest}"
        if rest and isinstance(self._globals.get(name), types.ModuleType):
            return f"{constants.name(self._globals[name], 'module')}.{rest}"  # that it is this one is a test of its own
        return f"{constants.name(self._globals, 'globals')}[{name!r}]{dot}{rest}"

    def _value(self, node: ast.expr) -> tuple[str, Any]:
        """Raises `LookupError` where it isn't known, or an attribute is more than what stands in the object."""
        match node:
            case ast.Name(id=name) if name not in self._bound:
                if name in self._given:
                    return name, self._given[name]
                if name in self._cells:
                    return name, _contents(self._cells[name])
                value = self._globals[name]
                if name in self._imported and is_replaced(self._imported[name], value):
                    raise Replaced(name)
                return name, value
            case ast.Attribute(value=base, attr=attribute) if attribute not in self._stored:
                path, owner = self._value(base)
                if isinstance(owner, types.ModuleType):
                    name = f"{public_module(owner.__name__)}.{attribute}"
                    # The attribute of a lazy module is made when it is asked for, but that is all that happens.
                    try:
                        value = getattr(owner, attribute)
                    except AttributeError:
                        raise LookupError from None
                    if name.startswith("tensorflow.") and is_replaced(canonical(name), value):
                        raise Replaced(name)
                    return f"{path}.{attribute}", value
                return f"{path}.{attribute}", _held(owner, attribute)
        raise LookupError


def _contents(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        raise LookupError from None


def _held(owner: Any, attribute: str) -> Any:
    """What an object holds by a name: no property, and nothing that `__getattr__` would make up."""
    if not hasattr(owner, "__dict__") or isinstance(owner, type) or attribute not in vars(owner):
        raise LookupError
    if hasattr(inspect.getattr_static(type(owner), attribute, None), "__set__"):
        raise LookupError
    return vars(owner)[attribute]


def _bound(node: FunctionNode) -> set[str]:
    """Names that the function, or one within it, gives a value: what they stand for changes."""
    found: set[str] = set()
    for one in ast.walk(node):
        match one:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) if one is not node:
                found.add(name)
            case ast.alias(name=name, asname=asname):
                found.add(asname or name.partition(".")[0])
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.add(name)
            case ast.MatchMapping(rest=str(name)):
                found.add(name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.update(names)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda() if one is not node:
                found.update(name.arg for name in _parameters(one))
    return found


class _Looker:
    """Describes a value, and says how to test that another one fits the description."""

    def __init__(self, constants: Constants, *, sizes: bool, graph: bool, taped: bool) -> None:
        import numpy as np
        import tensorflow as tf

        self._tf, self._np, self._keras = tf, np, keras_variable()
        self._eager = type(tf.constant(0)) if not graph else None
        self._constants = constants
        self._sizes = sizes
        self._graph, self._taped = graph, taped

    def outside(self, value: Any, path: str, *, passed: bool) -> tuple[Seen, str, str]:
        """What is read from outside of the arguments, or (where it is `passed`) from one: with a test and a quicker one.

        A graph keeps what it finds outside while it is made: so the same number has to stand there, and the same tensor, too.
        """
        seen, test = self.look(value, path)
        if isinstance(value, int | float | complex | str | bytes):
            test = f"{test} and {self._equal(value, path)}"
            return seen, test, test
        if isinstance(value, types.ModuleType | type | types.BuiltinFunctionType | self._np.ufunc):
            test = self.very(value, path)
            return seen, test, test
        if isinstance(value, FunctionType):
            test = self.very(value, path)
            if not is_dispatcher(value) and public_name(value) is None:
                # What reloads a module may leave the function and change what it does.
                parts = (("__code__", value.__code__), ("__defaults__", value.__defaults__), ("__kwdefaults__", value.__kwdefaults__))
                test = " and ".join([test, *(self.very(part, f"{path}.{name}") for name, part in parts)])
            return seen, test, test
        if isinstance(value, self._tf.Variable | self._tf.Tensor | self._np.ndarray):
            same = f"{path} is {self._constants.name(weakref.ref(value), 'seen')}()"
            return (seen, f"({same} or {test})", f"({same} or {test})") if passed else (seen, same, same)
        return seen, test, test

    def very(self, value: Any, path: str) -> str:
        """Is it the very object?"""
        return f"{path} is {self._constants.name(value, 'very')}"

    def _equal(self, value: Any, path: str) -> str:
        """Is it the same number or text? That it is of the same type is a test of its own."""
        plain = next(one for one in (int, float, complex, str, bytes) if isinstance(value, one))
        if type(value) not in (bool, plain) and not isinstance(value, self._np.generic):
            return self.very(value, path)  # as of an enumeration: it may compare and be written in its own way
        written = plain.__repr__(value)
        if plain is float and (value != value or value in (float("inf"), float("-inf"), 0.0)):
            return f"{path}.hex() == {value.hex()!r}"
        if plain is complex and not (cmath.isfinite(value) and value.real and value.imag):
            return f"{self._constants.name(repr, 'repr')}({path}) == {repr(value)!r}"
        return f"{path} == {written}"

    def look(self, value: Any, path: str, depth: int = 0) -> tuple[Seen, str]:
        seen, tests = self._look(value, path, depth)
        tests = [f"{self._constants.name(type, 'type')}({path}) is {self._constants.name(type(value), 'type')}", *tests]
        return replace(seen, graph=self._graph, taped=self._taped), " and ".join(tests)

    def _look(self, value: Any, path: str, depth: int) -> tuple[Seen, list[str]]:
        tf = self._tf
        kind = type(value)
        if kind in (bool, int, float, complex):
            return Seen("number", kind.__name__, ()), []
        if kind in (str, bytes):
            return Seen("text"), []
        if value is None:
            return Seen("none"), []
        if kind in (tuple, list):
            return self._sequence(value, path, depth)
        if kind is self._np.ndarray:
            dtype = self._constants.name(value.dtype, "dtype")
            return Seen("array", str(value.dtype), self._shape(value.shape)), [
                f"{path}.dtype == {dtype}",
                self._shape_test(f"{path}.shape", value.shape),
            ]
        if isinstance(value, tf.Tensor):
            shape = None if value.shape.rank is None else tuple(value.shape.as_list())
            if kind is not self._eager:
                dtype = self._constants.name(value.dtype, "dtype")
                return Seen("tensor", value.dtype.name, shape), [
                    f"{path}.dtype is {dtype}",
                    f"{path}.shape.as_list() == {None if shape is None else [*shape]}",
                ]
            assert shape is not None
            number = value._datatype_enum()
            return Seen("tensor", value.dtype.name, self._shape(shape)), [
                f"{path}._datatype_enum() == {number}", self._quick_shape_test(value, path, shape),
            ]  # fmt: skip
        if isinstance(value, tf.Variable) and kind.__module__.partition(".")[0] == "tensorflow":
            dtype, sizes = self._constants.name(value.dtype, "dtype"), self._constants.name(value.shape, "shape")
            shape = None if value.shape.rank is None else tuple(value.shape.as_list())
            tests = [f"{path}.dtype is {dtype}", f"({path}.shape is {sizes} or {path}.shape.as_list() == {sizes}.as_list())"]
            trainable = bool(value.trainable)
            return Seen("variable", value.dtype.name, shape, trainable=trainable), [*tests, f"{path}.trainable is {trainable}"]
        if self._keras is not None and isinstance(value, self._keras):
            dtype, shape = str(value.dtype), tuple(value.shape)
            return Seen("other", dtype, shape), [f"{path}.dtype == {dtype!r}", f"{path}.shape == {shape}"]
        return Seen("other"), []

    def _sequence(self, value: Sequence[Any], path: str, depth: int) -> tuple[Seen, list[str]]:
        sort = type(value).__name__
        if len(value) > _MOST_ITEMS or depth:
            return Seen(sort), []
        seen: list[Seen] = []
        tests = [f"{self._constants.name(len, 'len')}({path}) == {len(value)}"]
        for index, item in enumerate(value):
            one, test = self.look(item, f"{path}[{index}]", depth + 1)
            seen.append(one)
            tests.append(test)
        return Seen(sort, items=tuple(seen)), tests

    def _shape(self, shape: tuple[int, ...]) -> tuple[int | None, ...]:
        return shape if self._sizes else (None,) * len(shape)

    def _quick_shape_test(self, value: Any, path: str, shape: tuple[int, ...]) -> str:
        """The tensor itself takes longer to say than the shape that it gave somebody before and keeps."""
        asking = self._shape_test(f"{path}._shape_tuple()", shape)
        if getattr(getattr(value, "_tensor_shape", None), "_dims", None) != shape:
            return asking
        return f"({asking} if {path}._tensor_shape is None else {self._shape_test(f'{path}._tensor_shape._dims', shape)})"

    def _shape_test(self, path: str, shape: tuple[int, ...]) -> str:
        return f"{path} == {shape}" if self._sizes else f"{self._constants.name(len, 'len')}({path}) == {len(shape)}"
