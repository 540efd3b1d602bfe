"""Watches a program from inside: what its expressions evaluate to, how its functions run, what its callees do.

The program's tree is changed before it is compiled: expressions that the analysis could ask about pass through a
recorder, which hands them on unchanged. Their places in the text stay, so tracebacks and everything that looks up source
code see the program as it was written. While the program is observed, the first calls of compiled functions run eagerly, and
it is noted that they would not. Later calls like these run as graphs, or a long training would take many times as long. AutoGraph
converts the text, not the tree: what it makes has recorders of its own (`graph_hooks.py`), which see what is traced.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import itertools
import math
import sys
import threading
import types
import weakref
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import CodeType, FunctionType, MethodType, ModuleType, TracebackType
from typing import Any

from tfrewrite.facts.observed import Effects, LoopCounts, Observations, Place, Ran, Seen, digest, joined
from tfrewrite.verify.agent.effects import effects_of
from tfrewrite.verify.agent.graph_hooks import hooked
from tfrewrite.verify.agent.hook import as_script
from tfrewrite.verify.agent.instrument import first_statement
from tfrewrite.verify.agent.short_trainings import LoopsAsked

_HOT, _EAGER_CALLS, _MOST_EAGER_CALLS = 200, 10, 400
"""Calls of a compiled function that run eagerly: so many in any case, then so many with each kind of arguments, and no more than these.

What is called less often takes little time either way, and is seen whole.
"""
_LOOKS = 32
"""How often an expression is looked at closely; after that, only one in `_EVERY` times is."""
_EVERY = 16
_MOST_ITEMS = 16
_MOST_CALLEES = 100
_MOST_ELEMENTS = 2**16
"""Larger tensors are not searched for NaN, infinity and the largest number."""
_WRAPPED = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.Compare, ast.IfExp, ast.NamedExpr)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_numbers = itertools.count()


def place_of(node: Any, kind: str = "") -> Place:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, kind or type(node).__name__


@dataclass(frozen=True)
class _Argument:
    """The number of the expression that is handed over, if it has one, and its text's tree, for constants."""

    number: int | None
    node: ast.expr


@dataclass(frozen=True)
class _Call:
    callee: int
    positional: tuple[_Argument, ...]
    named: tuple[tuple[str, _Argument], ...]


class Instrumented:
    """A program's tree with recorders in it, and the place that each of their numbers stands for."""

    def __init__(self, text: str, path: str, hook: str, short: bool) -> None:
        self.tree = ast.parse(text, path)
        self.hook = hook
        self.expressions: list[Place] = []
        self.functions: list[Place] = []
        self.parameters: list[tuple[int, ...]] = []
        """Of each function, the numbers of its parameters among the expressions."""
        self.loops: list[Place] = []
        self.calls: list[_Call] = []
        self._modules = _library_names(self.tree)
        self._bound = _bound_names(self.tree)
        self._depth = 0
        _Wrapper(self).visit(self.tree)
        if short:
            LoopsAsked().visit(self.tree)
        began = ast.parse(f"{hook}.began(globals())").body
        self.tree.body[(first := first_statement(self.tree)) : first] = began
        ast.fix_missing_locations(self.tree)

    def compiled(self, path: str) -> CodeType:
        code: CodeType = compile(self.tree, path, "exec", dont_inherit=True)
        return code

    def is_library(self, node: ast.AST) -> bool:
        """Is it a dotted name that begins with an imported TensorFlow or NumPy? The text alone says what that is."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self._modules

    def is_builtin(self, name: str) -> bool:
        return name not in self._bound and hasattr(builtins, name)


def _library_names(tree: ast.Module) -> set[str]:
    """Names that `import tensorflow as tf` and the like give, and nothing else does."""
    names = {
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name in ("tensorflow", "numpy")
    }
    return names - {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}


def _bound_names(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.alias(name=name, asname=asname):
                found.add(asname or name.partition(".")[0])
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.update(names)
    return found


class _Wrapper(ast.NodeTransformer):
    """Puts the recorders into a tree. What it doesn't visit stays as it is: patterns, annotations, decorators, f-strings."""

    def __init__(self, program: Instrumented) -> None:
        self._program = program

    def _call(self, what: str, node: ast.AST, *arguments: ast.expr) -> ast.Call:
        """A call of a recorder that stands, for whoever looks, where the node stands."""
        program = self._program
        hook = ast.copy_location(ast.Name(program.hook, ast.Load()), node)
        method = ast.copy_location(ast.Attribute(hook, what, ast.Load()), node)
        return ast.copy_location(ast.Call(method, list(arguments), []), node)

    def _number(self, number: int, node: ast.AST) -> ast.Constant:
        return ast.copy_location(ast.Constant(number), node)

    def _seen(self, original: Place, node: ast.expr) -> tuple[ast.expr, int]:
        number = len(self._program.expressions)
        self._program.expressions.append(original)
        return self._call("seen", node, self._number(number, node), node), number

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, _WRAPPED) and isinstance(getattr(node, "ctx", None) or ast.Load(), ast.Load):
            return self._expression(node)[0]
        return super().visit(node)

    def _expression(self, node: ast.expr) -> tuple[ast.expr, int | None]:
        """The expression with recorders inside, and one around it if it is of interest; with the number of that one."""
        program = self._program
        if program.is_library(node):
            return node, None
        match node:
            case ast.Name(id=name) if name in ("self", "cls") or name.startswith("__") or program.is_builtin(name):
                return node, None
            case ast.Call():
                original = place_of(node)
                self._arguments(node)
                return self._seen(original, node)
            case _ if isinstance(node, _WRAPPED) and isinstance(getattr(node, "ctx", None) or ast.Load(), ast.Load):
                original = place_of(node)
                self.generic_visit(node)
                return self._seen(original, node)
        return super().visit(node), None

    def _arguments(self, node: ast.Call) -> None:
        node.func, callee = self._expression(node.func)
        simple = not any(isinstance(one, ast.Starred) for one in node.args) and all(one.arg is not None for one in node.keywords)
        positional: list[_Argument] = []
        for index, argument in enumerate(node.args):
            node.args[index], number = self._expression(argument)
            positional.append(_Argument(number, argument))
        named: list[tuple[str, _Argument]] = []
        for keyword in node.keywords:
            argument = keyword.value
            keyword.value, number = self._expression(argument)
            named.append((keyword.arg or "", _Argument(number, argument)))
        if callee is not None and simple:
            self._program.calls.append(_Call(callee, tuple(positional), tuple(named)))

    # What may not be looked into

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.JoinedStr:
        return node  # before Python 3.12 what stands inside has no place in the text

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        node.target = self.visit(node.target)
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        if node.guard is not None:
            node.guard = self.visit(node.guard)
        node.body = self._block(node.body)
        return node

    def visit_TypeAlias(self, node: ast.AST) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        """Only the functions: what a class body evaluates is rarely of interest, and often a description."""
        node.body = [
            self.visit(one) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else one for one in node.body
        ]
        return node

    def _block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        block: list[ast.stmt] = []
        for statement in statements:
            found = self.visit(statement)
            block += found if isinstance(found, list) else [found]
        return block

    # Functions

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> Any:
        return self._function(node)

    def _function(self, node: Any) -> Any:
        entering = ast.copy_location(ast.Expr(self._entering(node, node.body[0])), node.body[0])
        first = 1 if ast.get_docstring(node, clean=False) is not None else 0
        if first == len(node.body):  # a docstring is all there is: nothing to see
            return node
        node.body = [*node.body[:first], entering, *self._block(node.body[first:])]
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        # The recorder returns None, so the value is that of the body.
        entering = self._entering(node, node.body)
        node.body = ast.copy_location(ast.BoolOp(ast.Or(), [entering, self.visit(node.body)]), node.body)
        return node

    def _entering(self, node: Any, where: ast.AST) -> ast.Call:
        arguments = node.args
        extra = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra]
        numbers = []
        for name in names:
            numbers.append(len(self._program.expressions))
            self._program.expressions.append(place_of(name, "Name"))
        number = len(self._program.functions)
        self._program.functions.append(place_of(node))
        self._program.parameters.append(tuple(numbers))
        values = [ast.copy_location(ast.Name(name.arg, ast.Load()), where) for name in names]
        return self._call("entered", where, self._number(number, where), *values)

    # Loops

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        return self._loop(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> list[ast.stmt]:
        return self._loop(node)

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        return self._loop(node)

    def _loop(self, node: Any) -> list[ast.stmt]:
        number = len(self._program.loops)
        self._program.loops.append(place_of(node))
        starting, turning = (
            ast.copy_location(ast.Expr(self._call(what, node, self._number(number, node))), node) for what in ("looping", "turning")
        )
        self.generic_visit(node)
        node.body = [turning, *node.body]
        return [starting, node]


class _Node:
    """What is known so far of one expression: natively and, apart from that, while a graph was traced."""

    __slots__ = ("count", "eager", "symbolic", "failed", "type")

    def __init__(self) -> None:
        self.count = 0
        self.eager: Seen | None = None
        self.symbolic: Seen | None = None
        self.failed = False
        self.type: type | None = None


class _Loop:
    __slots__ = ("entries", "least", "most", "total", "current")

    def __init__(self) -> None:
        self.entries = self.most = self.total = 0
        self.least = -1
        self.current = 0

    def start(self) -> None:
        self.settle()
        self.entries += 1
        self.current = 0

    def settle(self) -> None:
        if self.entries:
            self.most = max(self.most, self.current)
            self.least = self.current if self.least < 0 else min(self.least, self.current)


class _State(threading.local):
    """What surrounds the code that a thread is at."""

    functions = 0
    compiled = 0
    tapes = 0


class Observer:
    """Observes one text while it is the `with` block's: run `code` in it, then ask for `observations()`.

    No object of the program is kept alive. Several observers can be at work at once, one for each text.
    """

    def __init__(self, text: str, path: str, *, eagerly: bool = True, short: bool = False) -> None:
        """`eagerly`: let the first calls of compiled functions run eagerly. `short`: its loops ask what to go through."""
        self._text = text
        self._path = path
        self._eagerly = eagerly
        self._hook = f"__tfrewrite_{next(_numbers)}__"
        self.program = Instrumented(text, path, self._hook, short)
        self.code = self.program.compiled(path)
        self._nodes = [_Node() for _ in self.program.expressions]
        self._loops = [_Loop() for _ in self.program.loops]
        self._ran = [[0, 0, 0, 0, 0] for _ in self.program.functions]
        self._looker: _Looker | None = None
        self._undo = contextlib.ExitStack()

    def __enter__(self) -> Observer:
        self._looker = _Looker()
        self._undo.enter_context(_surroundings(self._eagerly))
        self._undo.enter_context(hooked(self, self._path))
        setattr(builtins, self._hook, self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        # The recorders stay where they are: functions of the program may be called later, by an exit handler for one.
        self._looker = None
        self._undo.close()

    # Called by the program

    def began(self, namespace: dict[str, Any]) -> None:
        as_script(namespace)

    def seen(self, number: int, value: Any) -> Any:
        node = self._nodes[number]
        node.count += 1
        if node.count <= _LOOKS or not node.count % _EVERY or type(value) is not node.type:
            self._look(node, value)
        return value

    def entered(self, number: int, *values: Any) -> None:
        looker = self._looker
        if looker is None:
            return
        ran = self._ran[number]
        traced = looker.traced()
        if not (traced and not _state.functions):  # Keras traces functions to learn their shapes: that is no call
            ran[0] += 1
            if traced or _state.functions:
                ran[3] += 1
                ran[4] += _state.compiled > 0
            else:
                ran[1] += 1
                ran[2] += not _state.tapes
        for index, value in zip(self.program.parameters[number], values, strict=True):
            self.seen(index, value)

    def looping(self, number: int) -> None:
        self._loops[number].start()

    def turning(self, number: int) -> None:
        loop = self._loops[number]
        loop.total += 1
        loop.current += 1

    def _look(self, node: _Node, value: Any) -> None:
        looker = self._looker
        if node.failed or looker is None:
            return
        try:
            seen = looker.look(value)
            node.type = type(value) if type(value) in looker.known else None
        except Exception:
            # Whatever a value does when it is looked at, the program must not notice.
            node.failed = True
            return
        if looker.is_symbolic(value):
            node.symbolic = seen if node.symbolic is None else joined(node.symbolic, seen)
        else:
            node.eager = seen if node.eager is None else joined(node.eager, seen)

    # What came of it

    def seen_so_far(self) -> int:
        """How many of its expressions were evaluated."""
        return sum(node.count > 0 for node in self._nodes)

    def observations(self, namespace: dict[str, Any] | None = None) -> Observations:
        """What was seen. With the names of the program, once it has ended, also what the functions that it calls do."""
        expressions = {}
        for place, node in zip(self.program.expressions, self._nodes, strict=True):
            if (found := node.eager or node.symbolic) is not None and not node.failed:
                expressions[place] = replace(found, count=node.count)
        functions = {place: Ran(*ran) for place, ran in zip(self.program.functions, self._ran, strict=True) if ran[0]}
        loops = {}
        for place, loop in zip(self.program.loops, self._loops, strict=True):
            if loop.entries:
                loop.settle()
                loops[place] = LoopCounts(loop.entries, max(loop.least, 0), loop.most, loop.total)
        effects = {} if namespace is None else self._effects(namespace)
        return Observations(digest(self._text), expressions, functions, loops, effects)

    def _effects(self, namespace: dict[str, Any]) -> dict[str, Effects]:
        """Traces run the program's code again, so nothing may be observed any more."""
        assert self._looker is None
        found: dict[str, Effects] = {}
        for call in self.program.calls:
            callee = self._nodes[call.callee].eager
            if callee is None or callee.sort != "function" or callee.name.startswith(("tensorflow.", "numpy.")) or callee.name in found:
                continue
            function = _resolved(callee.name, namespace)
            if function is None or len(found) >= _MOST_CALLEES:
                continue
            try:
                positional = [self._given(one) for one in call.positional]
                named = {name: self._given(one) for name, one in call.named}
            except LookupError:
                continue
            if (one := effects_of(function, positional, named)) is not None:
                found[callee.name] = one
        return found

    def _given(self, argument: _Argument) -> Any:
        """Something like what a call was given. Raises `LookupError` where that isn't known."""
        if isinstance(argument.node, ast.Constant):
            return argument.node.value
        seen = self._nodes[argument.number].eager if argument.number is not None else None
        if seen is None:
            raise LookupError
        return _alike(seen)


_state = _State()


@contextlib.contextmanager
def _surroundings(eagerly: bool) -> Iterator[None]:
    """Let compiled functions run eagerly, or not, and count who is inside of one, or of a gradient tape."""
    import tensorflow as tf

    compiled = type(tf.function(lambda: None))
    with contextlib.ExitStack() as undo:
        undo.callback(tf.config.run_functions_eagerly, tf.config.functions_run_eagerly())
        if eagerly:
            tf.config.run_functions_eagerly(True)
        _replace(undo, compiled, "__call__", _counting_calls)
        for tape in (tf.GradientTape, tf.autodiff.ForwardAccumulator):
            _replace(undo, tape, "__enter__", functools.partial(_counting_tapes, step=1))
            _replace(undo, tape, "__exit__", functools.partial(_counting_tapes, step=-1))
        yield


def _replace(undo: contextlib.ExitStack, owner: Any, name: str, wrapper: Callable[[Any], Any]) -> None:
    original = getattr(owner, name)
    undo.callback(setattr, owner, name, original)
    setattr(owner, name, functools.wraps(original)(wrapper(original)))


def _counting_calls(original: Callable[..., Any]) -> Callable[..., Any]:
    import tensorflow as tf

    known: weakref.WeakKeyDictionary[Any, Counter[Any]] = weakref.WeakKeyDictionary()
    graphs = _Graphs()

    def call(self: Any, *arguments: Any, **named: Any) -> Any:
        compiled = bool(getattr(self, "_jit_compile", False))
        with graphs.run(tf.executing_eagerly() and _is_well_known(known.setdefault(self, Counter()), arguments, named)):
            _state.functions += 1
            _state.compiled += compiled
            try:
                return original(self, *arguments, **named)
            finally:
                _state.functions -= 1
                _state.compiled -= compiled

    return call


class _Graphs:
    """Lets calls run as graphs while others run eagerly, in whatever thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = 0

    @contextlib.contextmanager
    def run(self, wanted: bool) -> Iterator[None]:
        import tensorflow as tf

        with self._lock:
            # The program, or TensorFlow itself, may have said that no function is to run eagerly.
            wanted = wanted and (self._running > 0 or tf.config.functions_run_eagerly())
            if wanted:
                self._running += 1
                tf.config.run_functions_eagerly(False)
        try:
            yield
        finally:
            if wanted:
                with self._lock:
                    self._running -= 1
                    if not self._running:
                        tf.config.run_functions_eagerly(True)


def _is_well_known(looked_at: Counter[Any], arguments: Sequence[Any], named: Mapping[str, Any]) -> bool:
    """Has such a call been looked at often enough? If not, it is about to be."""
    signature = (*map(_signature, arguments), *((name, _signature(value)) for name, value in named.items()))
    if (made := looked_at.total()) >= _MOST_EAGER_CALLS or made >= _HOT and looked_at[signature] >= _EAGER_CALLS:
        return True
    looked_at[signature] += 1
    return False


def _signature(value: Any) -> Any:
    """What a graph is traced anew for, as far as it matters to those who look."""
    if type(value) in (bool, int, str, type(None)):
        return type(value), value
    try:
        return type(value), str(getattr(value, "dtype", "")), str(getattr(value, "shape", ""))
    except Exception:
        return type(value)


def _counting_tapes(original: Callable[..., Any], step: int) -> Callable[..., Any]:
    def count(self: Any, *arguments: Any) -> Any:
        result = original(self, *arguments)
        _state.tapes += step
        return result

    return count


class _Looker:
    """Describes values. It looks only at types that it knows: an attribute of any other may be a function of the program."""

    def __init__(self) -> None:
        import numpy as np
        import tensorflow as tf

        self._tf = tf
        self.known: dict[type, Callable[[Any], Seen]] = {
            int: lambda value: Seen("number", "int", (), value),
            float: lambda value: Seen("number", "float", (), value),
            bool: lambda value: Seen("number", "bool", (), value),
            complex: lambda value: Seen("number", "complex", ()),
            str: lambda value: Seen("text"),
            bytes: lambda value: Seen("text"),
            type(None): lambda value: Seen("none"),
            tuple: lambda value: self._sequence("tuple", value),
            list: lambda value: self._sequence("list", value),
            tf.TensorShape: self._of_shape,
            np.ndarray: self._array,
            FunctionType: lambda value: Seen("function", name=self._name(value)),
            types.BuiltinFunctionType: lambda value: Seen("function", name=self._name(value)),
            MethodType: self._method,
            ModuleType: lambda value: Seen("module", name=value.__name__),
            type(tf.constant(0)): self._tensor,
        }
        self._bases = [(tf.Tensor, self._tensor), (tf.Variable, self._variable), (tf.data.Dataset, self._dataset), (type, self._type)]
        self._keras = keras_variable()

    def traced(self) -> bool:
        return not self._tf.executing_eagerly()

    def is_symbolic(self, value: Any) -> bool:
        return self._tf.Tensor in type(value).__mro__ and self._tf.is_symbolic_tensor(value)

    def look(self, value: Any) -> Seen:
        seen = self._describe(value)
        return _surrounded(seen, traced=self.is_symbolic(value)) if _state.functions or _state.tapes or self.traced() else seen

    def _describe(self, value: Any) -> Seen:
        if (known := self.known.get(type(value))) is not None:
            return known(value)
        bases = type(value).__mro__
        for base, describe in self._bases:
            if base in bases:
                return describe(value)
        if self._keras is not None and self._keras in bases:
            return Seen("other", str(value.dtype), tuple(value.shape))
        return Seen("other", name=_full_name(type(value)))

    def _sequence(self, sort: str, value: Sequence[Any]) -> Seen:
        return Seen(sort, items=tuple(map(self._describe, value)) if len(value) <= _MOST_ITEMS and not _is_nested(value) else None)

    def _of_shape(self, shape: Any) -> Seen:
        sizes = None if shape.rank is None else tuple(shape.as_list())
        items = None if sizes is None else tuple(Seen() if size is None else Seen("number", "int", (), size) for size in sizes)
        return Seen("tuple", items=items)

    def _tensor(self, value: Any) -> Seen:
        if self._tf.is_symbolic_tensor(value):
            shape = None if value.shape.rank is None else tuple(value.shape.as_list())
            return Seen("tensor", value.dtype.name, shape)
        return self._with_bounds(Seen("tensor", value.dtype.name, tuple(value.shape.as_list())), value)

    def _variable(self, value: Any) -> Seen:
        if type(value).__module__.partition(".")[0] != "tensorflow":
            return Seen("other", value.dtype.name, tuple(value.shape))
        shape = None if value.shape.rank is None else tuple(value.shape.as_list())
        return Seen("variable", value.dtype.name, shape, trainable=bool(value.trainable))

    def _dataset(self, value: Any) -> Seen:
        count = int(value.cardinality()) if self._tf.executing_eagerly() else -1
        return Seen("dataset", value=count if count >= 0 else None, items=(self._element(value.element_spec),))

    def _element(self, spec: Any) -> Seen:
        """What elements of a dataset are said to be."""
        if type(spec) is tuple:
            return Seen("tuple", items=tuple(map(self._element, spec)))
        if type(spec) is not self._tf.TensorSpec:
            return Seen()
        return Seen("tensor", spec.dtype.name, None if spec.shape.rank is None else tuple(spec.shape.as_list()))

    def _array(self, value: Any) -> Seen:
        return self._with_bounds(Seen("array", str(value.dtype), tuple(value.shape)), value)

    def _with_bounds(self, seen: Seen, value: Any) -> Seen:
        """Values that decide whether a rewrite is possible: are all finite, and between which numbers do they lie?"""
        assert seen.shape is not None
        if not 0 < math.prod(size or 0 for size in seen.shape) <= _MOST_ELEMENTS:
            return replace(seen, finite=0 in seen.shape)
        array = value if seen.sort == "array" else value.numpy()
        match array.dtype.kind:
            case "i" | "u":
                return replace(seen, finite=True, low=int(array.min()), high=int(array.max()))
            case "f" | "c" | "V":
                import numpy as np

                return replace(seen, finite=bool(np.isfinite(array).all()))
        return seen

    def _type(self, value: Any) -> Seen:
        return Seen("type", name=_full_name(value))

    def _method(self, value: Any) -> Seen:
        owner = value.__self__
        return Seen("function", name=f"{_full_name(owner if isinstance(owner, type) else type(owner))}.{value.__func__.__name__}")

    def _name(self, value: Any) -> str:
        return public_name(value) or _full_name(value)


def _surrounded(seen: Seen, *, traced: bool) -> Seen:
    items = None if seen.items is None else tuple(_surrounded(one, traced=traced) for one in seen.items)
    return replace(seen, items=items, graph=traced or _state.functions > 0, taped=_state.tapes > 0)


def _resolved(name: str, namespace: dict[str, Any]) -> Any:
    """The function of a full name, in the program or a module that is loaded; None for one within another function."""
    parts = name.split(".")
    for split in range(len(parts) - 1, 0, -1):
        module, path = ".".join(parts[:split]), parts[split:]
        if module == namespace.get("__name__"):
            value: Any = namespace.get(path[0])
        elif module in sys.modules:
            value = vars(sys.modules[module]).get(path[0])
        else:
            continue
        for part in path[1:]:
            value = vars(value).get(part) if isinstance(value, type) else None
        return value if isinstance(value, FunctionType) else None
    return None


def _alike(seen: Seen) -> Any:
    import tensorflow as tf

    match seen:
        case Seen(sort="tensor", dtype=str(dtype), shape=shape):
            return tf.TensorSpec(shape, dtype)
        case Seen(sort="number", value=int() | float() as value):
            return value
        case Seen(sort="none"):
            return None
        case Seen(sort="tuple" | "list" as sort, items=tuple() as items):
            return (tuple if sort == "tuple" else list)(map(_alike, items))
    raise LookupError


def _is_nested(value: Sequence[Any]) -> bool:
    """Lists in lists can be deep, or hold themselves."""
    return any(type(one) in (list, tuple) and any(type(inner) in (list, tuple) for inner in one) for one in value)


def _full_name(value: Any) -> str:
    return f"{getattr(value, '__module__', None) or ''}.{getattr(value, '__qualname__', '')}".strip(".")


def keras_variable() -> Any:
    """Keras's own kind of variable, where Keras is loaded: it has a dtype and a shape, but isn't TensorFlow's."""
    keras = sys.modules.get("keras")
    return getattr(keras, "Variable", None)


def public_name(value: Any) -> str | None:
    """The name of a function of TensorFlow that the analysis knows."""
    return _public_names().get(id(value))


@functools.cache
def _public_names() -> dict[int, str]:
    """The functions of TensorFlow that the analysis knows, by identity: they live as long as TensorFlow does."""
    import tensorflow as tf

    from tfrewrite.ops import TENSORFLOW
    from tfrewrite.ops.naming import aliases, canonical

    found = {}
    for name in sorted({*(row.name for row in TENSORFLOW), *aliases().values()}):
        if name.startswith(("compat.", "python.", "keras.")):
            continue
        value: Any = tf
        for part in name.split("."):
            value = getattr(value, part, None)
        if isinstance(value, FunctionType) and not _is_put_there(value):
            found[id(value)] = canonical(f"tensorflow.{name}")
    return found


def is_replaced(name: str, value: Any) -> bool:
    """Is it something else that somebody has put in the place of what TensorFlow has by a canonical name?"""
    public = public_name(value)
    if public is not None:
        return public != name
    if isinstance(value, FunctionType):
        return _is_put_there(value)
    made_by = str(type(value).__module__).partition(".")[0]
    return made_by not in ("builtins", "tensorflow", "numpy", "ml_dtypes", *_MAKERS) or name in _public_names().values()


_MAKERS = ("keras", "tf_keras", "contextlib")


def _is_put_there(value: FunctionType) -> bool:
    """It may say that it is the one that it wraps."""
    return str(value.__globals__.get("__name__")).partition(".")[0] not in ("tensorflow", *_MAKERS)
