"""What the code at a place runs in: a graph, XLA, a gradient tape, or eagerly."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from functools import cached_property

import gast

from tfrewrite.facts.call_graph import MAPPERS, CallGraph, Reference
from tfrewrite.facts.names import Names
from tfrewrite.facts.scopes import DEFINITIONS, FUNCTIONS, Function, Scopes

_HIGHER_ORDER = {
    "tensorflow.map_fn", "tensorflow.vectorized_map", "tensorflow.while_loop", "tensorflow.cond", "tensorflow.scan", "tensorflow.foldl",
    "tensorflow.foldr", "tensorflow.switch_case", "tensorflow.case", "tensorflow.recompute_grad", "tensorflow.custom_gradient",
    "tensorflow.nest.map_structure",
}  # fmt: skip
_WATCHERS = {"watch", "gradients", "hessians", "compute_gradients", "minimize", "ForwardAccumulator", "make_vjp", "value_and_gradient"}
_COUNTS_TRACES = {"experimental_get_tracing_count", "pretty_printed_concrete_signatures", "_list_all_concrete_functions"}
_OF_GRADIENTS = frozenset({
    "GradientTape", "gradient", "gradients", "jacobian", "batch_jacobian", "hessians", "minimize", "fit", "train_on_batch", "train_step",
    "ForwardAccumulator", "value_and_gradient", "value_and_gradients_function", "custom_gradient", "recompute_grad", "compute_gradients",
    "make_vjp", "keras", "tf_keras", "tensorflow_probability", "sonnet", "importlib", "__import__", "eval", "exec", "runpy",
})  # fmt: skip


_WRITERS = ("tensorflow.summary.create_file_writer", "tensorflow.summary.create_noop_writer")


class Mode(enum.Enum):
    EAGER = "eager"
    GRAPH = "graph"
    UNKNOWN = "unknown"


class Contexts:
    def __init__(self, scopes: Scopes, names: Names, nodes: Mapping[type[gast.AST], Sequence[gast.AST]], callers: CallGraph) -> None:
        self.callers = callers
        self._scopes = scopes
        self._names = names
        self._nodes = nodes
        self._modes: dict[gast.AST, Mode] = {}
        self._only_eager: dict[gast.AST, bool] = {}
        self._taped: dict[gast.AST, bool] = {}
        self._traced: dict[gast.AST, bool] = {}

    def compiled_function(self, name: gast.AST) -> Function | None:
        """The function of this file that a name runs as a graph of its own: decorated, or given as `name = tf.function(f)`."""
        function = self.callers.function_named(name)
        if function is None or not isinstance(name, gast.Name):
            return None
        return function if self.makes_graph(function) or self._compiled(Reference(name, None, True)) else None

    def makes_graph(self, function: gast.AST) -> bool:
        """Is a function decorated by `tf.function`?"""
        return any(self.callers.is_tf_function(one) for one in getattr(function, "decorator_list", ()))

    def traced(self, function: gast.AST) -> bool:
        """Is the function itself compiled by `tf.function`, or run by a dataset?"""
        if function not in self._traced:
            self._traced[function] = self._is_traced(function)
        return self._traced[function]

    def _is_traced(self, function: gast.AST) -> bool:
        if self.makes_graph(function):
            return True
        references = self.callers.references(function)
        return bool(references) and all(
            one.call is not None
            and (
                self._compiled(one)
                or (not one.direct and self.callers.maps_rows(one.call, function) and self._names(one.call.func) not in MAPPERS)
                or (not one.direct and self._names(one.call.func) == "tensorflow.function")
            )
            for one in references
        )

    def _compiled(self, reference: Reference) -> bool:
        """Is it a call of `g`, where `g = tf.function(f)`?"""
        name = reference.node
        if not reference.direct or not isinstance(name, gast.Name) or (owner := self._scopes.names[name].lookup(name.id)) is None:
            return False
        match self._scopes.parents.get(owner.bindings[name.id][0]):
            case gast.Assign(value=gast.Call(func=func)):
                return self._names(func) == "tensorflow.function"
        return False

    def compiled_by_xla(self, node: gast.AST) -> bool:
        """Does any function around the node say `jit_compile`, in its decorator or where it is handed to `tf.function`?"""
        functions = [one for one in self._scopes.ancestors(node) if isinstance(one, DEFINITIONS)]
        if any((ran := self.callers.run_of(one)) is not None and ran.compiled for one in functions):
            return True
        calls = [one for function in functions for one in function.decorator_list if isinstance(one, gast.Call)]
        calls += [
            one.call for function in functions for one in self.callers.references(function) if one.call is not None and not one.direct
        ]
        return any(keyword.arg in ("jit_compile", "experimental_compile") for call in calls for keyword in call.keywords)

    def mode(self, node: gast.AST) -> Mode:
        """How the code at a node runs: always in a graph, in eager calls too, or nobody knows."""
        function = self._scopes.function_of(node)
        if function is None:
            return Mode.UNKNOWN if self._graph_mode_file else Mode.EAGER
        if function not in self._modes:
            self._modes[function] = Mode.UNKNOWN
            self._modes[function] = Mode.UNKNOWN if self.callers.is_held(function) else self._function_mode(function)
            if self._modes[function] is Mode.UNKNOWN and (ran := self.callers.run_of(function)) is not None:
                self._modes[function] = Mode.EAGER if ran.eager else Mode.GRAPH
        return self._modes[function]

    def only_in_a_graph(self, node: gast.AST) -> bool:
        """Does the code at a node run in no eager call, whoever calls its function? What is handed to `tf.function` may be called itself."""
        function = self._scopes.function_of(node)
        if function is None or self.mode(node) is not Mode.GRAPH:
            return False
        inner = self._scopes.function_of(function) is not None
        return self.makes_graph(function) or (self.callers.is_closed(function) and (inner or self.callers.is_script))

    def only_eager(self, node: gast.AST) -> bool:
        """Does the code at a node certainly run in no graph, whoever calls its function?"""
        function = self._scopes.function_of(node)
        if self._graph_mode_file or function is None:
            return not self._graph_mode_file
        if function not in self._only_eager:
            self._only_eager[function] = False  # while its callers are asked, which it may be one of
            self._only_eager[function] = self._never_in_a_graph(function)
        return self._only_eager[function]

    def knows_shapes(self, node: gast.AST) -> bool:
        """Is every size of what the code at a node is handed known when it runs or is traced? A graph of any size may know none."""
        function = self._scopes.function_of(node)
        if self.only_eager(node):
            return True
        if not isinstance(function, gast.FunctionDef) or len(function.decorator_list) != 1 or not self.callers.is_closed(function):
            return False
        decorator = function.decorator_list[0]
        settings = (
            {one.arg for one in decorator.keywords} | ({None} if decorator.args else set()) if isinstance(decorator, gast.Call) else set()
        )
        references = self.callers.references(function)
        return (
            self.callers.is_tf_function(decorator)
            and settings <= {"jit_compile", "autograph"}
            and bool(references)
            and all(one.call is not None and one.direct and self.only_eager(one.call) for one in references)
        )

    def _never_in_a_graph(self, function: Function) -> bool:
        if (ran := self.callers.run_of(function)) is not None:
            return not ran.graph
        if self._reads_eagerly(function):
            return True
        if not self.callers.plainly_decorated(function) or self.traced(function):
            return False
        elsewhere = self.callers.calls_elsewhere(function)
        if elsewhere is None and not self.callers.is_closed(function):
            return False
        references = self.callers.references(function)
        return (
            bool(references or elsewhere)
            and all(one.only_eager for one in elsewhere or ())
            and all(one.call is not None and one.direct and not self._compiled(one) and self.only_eager(one.call) for one in references)
        )

    @cached_property
    def _graph_mode_file(self) -> bool:
        """compat.v1 code may run without eager execution anywhere."""
        text = {alias.name for alias in self._nodes.get(gast.alias, ())}
        modules = {node.module or "" for node in self._nodes.get(gast.ImportFrom, ())}
        reads = self._nodes.get(gast.Attribute, ())
        attributes = {node.attr for node in reads if node.attr != "as_default" or not self._is_writer(node.value)}
        return (
            any("compat.v1" in name for name in text | modules)
            or "v1" in attributes
            or bool(attributes & {"disable_eager_execution", "disable_v2_behavior", "as_default", "Session"})
        )

    def _is_writer(self, node: gast.AST) -> bool:
        """Is it a writer of summaries, which becomes the default one by `as_default`, as a graph does?"""
        match node:
            case gast.Call(func=func):
                return self._names(func) in _WRITERS
            case gast.Name(id=name) if node in self._scopes.names:
                owner = self._scopes.names[node].lookup(name)
                stores = [] if owner is None or name in owner.shared else owner.bindings.get(name, [])
            case gast.Attribute(attr=name):
                stores = [one for one in self._scopes.attribute_stores if one.attr == name]
            case _:
                return False
        given = [self._scopes.parents.get(one) for one in stores]
        return bool(given) and all(isinstance(one, gast.Assign) and self._is_made_writer(one.value) for one in given)

    def _is_made_writer(self, node: gast.AST) -> bool:
        return isinstance(node, gast.Call) and self._is_writer(node)

    def _function_mode(self, function: Function) -> Mode:
        if self._graph_mode_file:
            return Mode.UNKNOWN
        if self.traced(function):
            return Mode.GRAPH
        if self._reads_eagerly(function):
            return Mode.EAGER
        if not self.callers.plainly_decorated(function) or isinstance(function, gast.AsyncFunctionDef):
            return Mode.UNKNOWN
        elsewhere = self.callers.calls_elsewhere(function)
        modes = [self._reference_mode(one) for one in self.callers.references(function)] + [one.mode for one in elsewhere or ()]
        if Mode.EAGER in modes:
            return Mode.EAGER
        outer = self._scopes.function_of(function)
        if outer is not None and self.mode(function) is Mode.GRAPH:
            return Mode.GRAPH
        if modes and set(modes) == {Mode.GRAPH} and (elsewhere is not None or self.callers.is_closed(function)):
            return Mode.GRAPH
        return Mode.UNKNOWN

    def _reference_mode(self, reference: Reference) -> Mode:
        if reference.call is None:
            return Mode.UNKNOWN
        if self._compiled(reference):
            return Mode.GRAPH
        if reference.direct:
            return self.mode(reference.call)
        if self._names(reference.call.func) in _HIGHER_ORDER:
            return self.mode(reference.call) if self.mode(reference.call) is Mode.GRAPH else Mode.UNKNOWN
        return Mode.UNKNOWN

    def _reads_eagerly(self, function: Function) -> bool:
        """`.numpy()` on what a TensorFlow function returned can only work in eager code."""
        for value in self._read_values.get(function, ()):
            name = value.func if isinstance(value, gast.Call) else value
            if isinstance(name, gast.Name) or (self._names(name) or "").startswith("tensorflow."):
                return True
        return False

    @cached_property
    def _read_values(self) -> dict[gast.AST | None, list[gast.AST]]:
        """What each function calls `.numpy()` on, whatever else happens."""
        found: dict[gast.AST | None, list[gast.AST]] = {}
        for method in self._nodes.get(gast.Attribute, ()):
            call = self._scopes.parents[method]
            if (
                method.attr == "numpy"
                and isinstance(call, gast.Call)
                and call.func is method
                and not call.args
                and not self._conditional(call)
            ):
                found.setdefault(self._scopes.function_of(method), []).append(method.value)
        return found

    def _conditional(self, node: gast.AST) -> bool:
        for ancestor in self._scopes.ancestors(node):
            if isinstance(ancestor, FUNCTIONS):
                return False
            if isinstance(ancestor, gast.If | gast.IfExp | gast.Try | gast.BoolOp | gast.Match):
                return True
        return False

    def taped(self, node: gast.AST) -> bool:
        """May a gradient tape be recording here? False only where every known call is outside of one."""
        function = self._scopes.function_of(node)
        if self._in_tape(node):
            return True
        if function is None:
            return False
        if function not in self._taped:
            self._taped[function] = True
            references = [one for one in self.callers.references(function) if one.direct and one.call is not None]
            elsewhere = self.callers.calls_elsewhere(function) or ()
            if references and not self.callers.is_held(function):
                self._taped[function] = not any(not self.taped(one.call) for one in references if one.call is not None)
            if elsewhere:
                self._taped[function] = any(one.taped for one in elsewhere) or (bool(references) and self._taped[function])
            if self._taped[function] and (ran := self.callers.run_of(function)) is not None:
                self._taped[function] = not ran.untaped
        return self._taped[function]

    def under_a_tape(self, node: gast.AST, seen: frozenset[gast.AST] = frozenset()) -> bool:
        """Does the file itself show a tape that may be recording here, around the node or around a call of its function?"""
        function = self._scopes.function_of(node)
        if self._in_tape(node) or function is None or function in seen:
            return self._in_tape(node)
        calls = [one.call for one in self.callers.references(function) if one.direct and one.call is not None]
        return any(self.under_a_tape(call, seen | {function}) for call in calls)

    @cached_property
    def _enters_by_hand(self) -> bool:
        """Is a block entered that no `with` shows the end of: `tape.__enter__()`, `stack.enter_context(tape)`?"""
        return any(node.attr in ("__enter__", "enter_context") for node in self._nodes.get(gast.Attribute, ()))

    @cached_property
    def asks_for_gradients(self) -> bool:
        """Does the file name anything that takes gradients, or hands its functions to what may?"""
        attributes = (node.attr for node in self._nodes.get(gast.Attribute, ()) if isinstance(node, gast.Attribute))
        names = (node.id for node in self._nodes.get(gast.Name, ()) if isinstance(node, gast.Name))
        aliases = (alias.name.rpartition(".")[2] for alias in self._nodes.get(gast.alias, ()) if isinstance(alias, gast.alias))
        return not _OF_GRADIENTS.isdisjoint((*attributes, *names, *aliases))

    def _in_tape(self, node: gast.AST) -> bool:
        if self._enters_by_hand:
            return True
        for ancestor in self._scopes.ancestors(node):
            match ancestor:
                case gast.With(items=items):
                    if any(self._opens_tape(item.context_expr) for item in items):
                        return True
                case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.Lambda():
                    return False
        return False

    def _opens_tape(self, node: gast.AST) -> bool:
        name = self._names(node.func) if isinstance(node, gast.Call) else None
        # What isn't TensorFlow's own may well be a tape in disguise.
        return (
            name is None
            or name in ("tensorflow.GradientTape", "tensorflow.autodiff.ForwardAccumulator")
            or not name.startswith(("tensorflow.", "builtins."))
        )

    @cached_property
    def counts_traces(self) -> bool:
        """Does the file ask how often functions were traced, or for what?"""
        return any(node.attr in _COUNTS_TRACES for node in self._nodes.get(gast.Attribute, ()))

    @cached_property
    def watches(self) -> bool:
        """Does anything in the file take gradients for more than what its variables say is trained?"""
        names = {node.attr for node in self._nodes.get(gast.Attribute, ())} | {node.name for node in self._nodes.get(gast.alias, ())}
        return not names.isdisjoint(_WATCHERS)
