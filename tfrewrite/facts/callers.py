"""Who calls a function, and in what: a graph, a tape, eagerly."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import gast

from tfrewrite.facts.names import Names
from tfrewrite.facts.scopes import COMPREHENSIONS, DEFINITIONS, FUNCTIONS, LOOPS, Function, Scope, Scopes, bound_arguments, walk_within
from tfrewrite.ops import op

if TYPE_CHECKING:
    from tfrewrite.facts.observed import Ran

_ROW_MAPPERS = ("map", "filter", "flat_map", "interleave", "map_and_batch")
_MAPPERS = {"tensorflow.map_fn", "tensorflow.vectorized_map"}
_HIGHER_ORDER = {
    "tensorflow.map_fn", "tensorflow.vectorized_map", "tensorflow.while_loop", "tensorflow.cond", "tensorflow.scan", "tensorflow.foldl",
    "tensorflow.foldr", "tensorflow.switch_case", "tensorflow.case", "tensorflow.recompute_grad", "tensorflow.custom_gradient",
    "tensorflow.nest.map_structure",
}  # fmt: skip
_READERS = {"zip", "enumerate", "len", "list", "tuple", "reversed", "sum", "min", "max", "sorted", "print"}


_WATCHERS = {"watch", "gradients", "hessians", "compute_gradients", "minimize", "ForwardAccumulator", "make_vjp", "value_and_gradient"}
_CHANGERS = {"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "resize", "popleft", "appendleft"}

_OF_FUNCTIONS = ("__code__", "__defaults__", "__kwdefaults__", "__class__")
"""What may be put in the place of a function's own, or of the class of an object, so that another one is called."""
_REACHING = ("__dict__", "__init__", "__class__", "__setattr__", "__delattr__", "__setstate__")
"""What sets any attribute of an object, for who finds it by its name: `getattr(model, "__init__")(...)`."""
_PLAIN_METHODS = frozenset({"__init__", "__call__", "__repr__", "__str__", "__len__", "__iter__", "__getitem__", "__contains__", "__doc__"})
_CUSTOMS = frozenset({"__new__", "__getattribute__", "__getattr__", "__setattr__", "__call__"})
_COUNTS_TRACES = {"experimental_get_tracing_count", "pretty_printed_concrete_signatures", "_list_all_concrete_functions"}


_OF_GRADIENTS = frozenset({
    "GradientTape", "gradient", "gradients", "jacobian", "batch_jacobian", "hessians", "minimize", "fit", "train_on_batch", "train_step",
    "ForwardAccumulator", "value_and_gradient", "value_and_gradients_function", "custom_gradient", "recompute_grad", "compute_gradients",
    "make_vjp", "keras", "tf_keras", "tensorflow_probability", "sonnet", "importlib", "__import__", "eval", "exec", "runpy",
})  # fmt: skip


class Mode(enum.Enum):
    EAGER = "eager"
    GRAPH = "graph"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Reference:
    """One place that names a function: a call of it, or its being handed to something."""

    node: gast.Name | gast.Lambda | gast.Attribute
    call: gast.Call | None
    direct: bool


class Callers:
    def __init__(
        self,
        tree: gast.Module,
        scopes: Scopes,
        names: Names,
        nodes: Mapping[type[gast.AST], Sequence[gast.AST]],
        in_package: bool,
        ran: Callable[[gast.AST], Ran | None] | None = None,
        ran_holds: bool = False,
    ) -> None:
        """`ran` says how functions ran. If that holds, nothing that the text says of their calls does."""
        self._tree = tree
        self._nodes = nodes
        self._in_package = in_package
        self._scopes = scopes
        self._names = names
        self._ran = ran
        self._ran_holds = ran_holds
        self._modes: dict[gast.AST, Mode] = {}
        self._only_eager: dict[gast.AST, bool] = {}
        self._taped: dict[gast.AST, bool] = {}
        self._compilations: dict[gast.AST, list[gast.AST]] = {}
        self._signatures: dict[gast.AST, list[gast.expr] | None] = {}
        self._traced: dict[gast.AST, bool] = {}
        self._unchanged: dict[tuple[str, Scope], bool] = {}
        self._calls: dict[tuple[Function, bool], list[gast.Call]] = {}
        self._only_made: dict[gast.ClassDef, bool] = {}
        """Of a class: does the file do nothing else with it than to make objects of it?"""

    @property
    def is_live(self) -> bool:
        """Does the program run, so that whatever else it does now may change what the text gives once?"""
        return self._ran_holds

    # Functions and their names

    def function_named(self, node: gast.AST) -> Function | None:
        """The function of this file that an expression stands for, if it can be no other."""
        if isinstance(node, gast.Lambda):
            return node
        if not isinstance(node, gast.Name) or node not in self._scopes.names or self._functions_are_changed:
            return None
        owner = self._scopes.names[node].lookup(node.id)
        if owner is None or len(owner.bindings[node.id]) != 1:
            return None
        binding = owner.bindings[node.id][0]
        if isinstance(binding, DEFINITIONS) and not isinstance(owner.node, gast.ClassDef):
            return binding
        match self._scopes.parents.get(binding):
            case gast.Assign(targets=[_], value=gast.Lambda() as function):
                return function
            case gast.Assign(targets=[_], value=gast.Call(func=func, args=[inner, *_])) if self._names(func) == "tensorflow.function":
                return self.function_named(inner)
        return None

    @cached_property
    def _functions_are_changed(self) -> bool:
        """Does the file give a function other code or other defaults, or an object another class?"""
        return self._mocks or any(map(self.attribute_stores, _OF_FUNCTIONS))

    def class_named(self, node: gast.AST) -> gast.ClassDef | None:
        """The class of this file that an expression stands for, if calling it can only make a plain instance of it."""
        if not isinstance(node, gast.Name) or node not in self._scopes.names:
            return None
        owner = self._scopes.names[node].lookup(node.id)
        match owner.bindings[node.id] if owner is not None else None:
            case [gast.ClassDef(decorator_list=[], keywords=[]) as found] if not self._customised(found):
                return found
        return None

    def kept_by_keras(self, found: gast.ClassDef) -> str:
        """The class of Keras that a class of this file derives from; nothing where it is none, or does otherwise than a plain one."""
        if found.keywords or any(isinstance(one, DEFINITIONS) and one.name in _CUSTOMS for one in found.body) or self.is_live:
            return ""
        names = [(self._names(base) or "").removeprefix("tensorflow.") for base in found.bases]
        if [one for one in names if one.startswith("keras.")] and names[0].startswith("keras."):
            return names[0]
        base = self._class_of(found.bases[0]) if found.bases else None
        return "" if base is None or base is found else self.kept_by_keras(base)

    def _class_of(self, node: gast.AST) -> gast.ClassDef | None:
        if not isinstance(node, gast.Name) or node not in self._scopes.names:
            return None
        owner = self._scopes.names[node].lookup(node.id)
        match owner.bindings[node.id] if owner is not None else None:
            case [gast.ClassDef() as found]:
                return found
        return None

    def class_of_keras(self, node: gast.AST) -> gast.ClassDef | None:
        """The class of this file that an expression stands for, where that derives from one of Keras."""
        found = self._class_of(node)
        return found if found is not None and self.kept_by_keras(found) else None

    def own_method(self, owner: object, name: str) -> Function | None:
        """The method of a class that derives from one of Keras, if it can be no other."""
        if not isinstance(owner, gast.ClassDef) or self.is_live:
            return None
        match self._scopes.of[owner].bindings.get(name):
            case [gast.FunctionDef() as method] if not (
                self.attribute_stores(name) or self.set_by_text(name) or self._functions_are_changed
            ):
                return method
        return None

    def attribute_loads(self, name: str) -> list[gast.Attribute]:
        """Where attributes of such a name are read."""
        return self._attributes.get(name, [])

    def _customised(self, found: gast.ClassDef) -> bool:
        special = {"__new__", "__getattribute__", "__getattr__", "__setattr__"}
        bases = [self._names(base) for base in found.bases]
        known = all(base in ("tensorflow.Module", "builtins.object") for base in bases)
        return not known or any(isinstance(one, DEFINITIONS) and one.name in special for one in found.body)

    def function_called(self, call: gast.Call) -> Function | None:
        return self.function_named(call.func)

    def method_of(self, owner: object, name: str) -> Function | None:
        """The method that an object of this file's own class has by a name, if it can be no other."""
        if not isinstance(owner, gast.ClassDef) or self.is_live:
            return None
        match self._scopes.of[owner].bindings.get(name):
            case [gast.FunctionDef() | gast.AsyncFunctionDef() as method]:
                changed = self.attribute_stores(name) or self.set_by_text(name) or self._functions_are_changed
                return None if changed else method
        return None

    def sole_class(self, function: Function) -> gast.ClassDef | None:
        """The class whose objects alone a method is called on, in a file that is run and not imported."""
        owner = self._scopes.class_of(function)
        if owner is None or not self.is_script or self.is_live or isinstance(function, gast.Lambda) or function.decorator_list:
            return None
        if owner not in self._only_made:
            names = self._loads.get(owner.name, [])
            plain = all(self.class_named(one) is owner and self._is_made(one) for one in names)
            self._only_made[owner] = bool(names) and plain and not self._is_found_otherwise(owner)
        return owner if self._only_made[owner] and not self.taken_from_class(function) else None

    @cached_property
    def _loads(self) -> dict[str, list[gast.Name]]:
        found: dict[str, list[gast.Name]] = {}
        for node in self._scopes.names:
            if isinstance(node.ctx, gast.Load):
                found.setdefault(node.id, []).append(node)
        return found

    @cached_property
    def _attributes(self) -> dict[str, list[gast.Attribute]]:
        found: dict[str, list[gast.Attribute]] = {}
        for node in self._nodes.get(gast.Attribute, ()):
            assert isinstance(node, gast.Attribute)
            found.setdefault(node.attr, []).append(node)
        return found

    def _is_made(self, name: gast.Name) -> bool:
        """Is it `Model` in `Model(...)`? What is handed on, or a base class, may become anything."""
        call = self._scopes.parents[name]
        return isinstance(call, gast.Call) and call.func is name

    def are_apart(self, one: gast.ClassDef, other: gast.ClassDef) -> bool:
        """Is no object of a class, for all that the file shows, ever one of the other class, or handed to a method of it?

        A class may derive from both, and `Other.__init__(self)` may be called on whatever there is.
        """
        parents = {found: [self._scopes.parents[name] for name in self._loads.get(found.name, ())] for found in (one, other)}
        if all(any(isinstance(parent, gast.ClassDef) for parent in around) for around in parents.values()):
            return False
        return not any(isinstance(parent, gast.Attribute | gast.Assign | gast.NamedExpr) for parent in parents[other])

    def _is_found_otherwise(self, owner: gast.ClassDef) -> bool:
        """May a class be called by another name than its own: as `cls`, `type(self)` or `self.__class__`?"""
        methods = (one for one in owner.body if isinstance(one, DEFINITIONS))
        by_itself = any(self._names(one) == "builtins.classmethod" for method in methods for one in method.decorator_list)
        return by_itself or self._types_are_taken

    @cached_property
    def _types_are_taken(self) -> bool:
        """Is the class of some object asked for, other than to compare or to name it?"""
        found: list[gast.AST] = [one for one in self._attributes.get("__class__", ()) if isinstance(one.ctx, gast.Load)]
        for name in self._loads.get("type", ()):
            call = self._scopes.parents[name]
            found.append(call if isinstance(call, gast.Call) and call.func is name else name)
        parents = [self._scopes.parents[one] for one in found]
        named = [isinstance(one, gast.Attribute) and one.attr in ("__name__", "__qualname__", "__module__") for one in parents]
        return not all(known or isinstance(one, gast.Compare) for known, one in zip(named, parents, strict=True))

    def makings(self, owner: gast.ClassDef) -> list[gast.Call]:
        """The calls that make an object of a class, of which nothing else is done."""
        calls = [self._scopes.parents[one] for one in self._loads.get(owner.name, ()) if self.class_named(one) is owner]
        return [one for one in calls if isinstance(one, gast.Call)]

    def calls_by_attribute(self, name: str) -> list[gast.Call]:
        """Every `x.name(...)` of the file, where nothing else is done with an attribute of that name."""
        found = self._attributes.get(name, [])
        parents = [self._scopes.parents[one] for one in found]
        calls = [call for one, call in zip(found, parents, strict=True) if isinstance(call, gast.Call) and call.func is one]
        by_text = self._found_by_text or "getattr" in self._loads or self._finds_attributes
        return calls if len(calls) == len(found) and not by_text else []

    @cached_property
    def _finds_attributes(self) -> bool:
        """Does something that the file imports read attributes by their names?"""
        names = {alias.name for alias in self._nodes.get(gast.alias, ())} | self._attributes.keys()
        return not names.isdisjoint(("attrgetter", "methodcaller", "getmembers", "__getattribute__"))

    def may_be_traced_with(self, owner: gast.ClassDef) -> bool:
        """May a graph be traced for an object of a class, which it keeps for good, with all its variables?

        Only where every object is made by a line of the module's own that runs once, and is told apart by what it is.
        """
        special = {name for name in self._scopes.of[owner].bindings if name.startswith("__") and name.endswith("__")}
        if self._is_found_otherwise(owner):
            return False
        if special - _PLAIN_METHODS:  # __eq__, __hash__, __slots__, __array__: it may be taken for something else than itself
            return False
        around = (ancestor for one in self._loads.get(owner.name, ()) for ancestor in self._scopes.ancestors(one))
        return not any(isinstance(one, (*LOOPS, *COMPREHENSIONS, *FUNCTIONS)) for one in around)

    def compiled_function(self, name: gast.AST) -> Function | None:
        """The function of this file that a name runs as a graph of its own: decorated, or given as `name = tf.function(f)`."""
        function = self.function_named(name)
        if function is None or not isinstance(name, gast.Name):
            return None
        return function if self.makes_graph(function) or self._compiled(Reference(name, None, True)) else None

    def makes_graph(self, function: gast.AST) -> bool:
        """Is a function decorated by `tf.function`?"""
        return any(self._is_tf_function(one) for one in getattr(function, "decorator_list", ()))

    @cached_property
    def _references(self) -> dict[gast.AST, list[Reference]]:
        found: dict[gast.AST, list[Reference]] = {}
        for node in self._scopes.names:
            if isinstance(node.ctx, gast.Load) and (function := self.function_named(node)) is not None:
                found.setdefault(function, []).append(self._reference(node))
        return found

    def _reference(self, node: gast.Name) -> Reference:
        parent = self._scopes.parents.get(node)
        match parent:
            case gast.Call() if parent.func is node:
                return Reference(node, parent, True)
            case gast.Call() if node in parent.args:
                return Reference(node, parent, False)
        return Reference(node, self._mapping(node), False)

    def _mapping(self, node: gast.AST) -> gast.Call | None:
        """The `tf.map_fn(fn=f, elems=rows)` that a function is handed to by its keyword."""
        keyword = self._scopes.parents.get(node)
        call = self._scopes.parents.get(keyword) if isinstance(keyword, gast.keyword) else None
        if not isinstance(call, gast.Call) or (mapped := self.mapped(call)) is None:
            return None
        return call if mapped[0] is node else None

    def references(self, function: gast.AST) -> list[Reference]:
        if isinstance(function, gast.Lambda):
            parent = self._scopes.parents.get(function)
            call = parent if isinstance(parent, gast.Call) and function in parent.args else self._mapping(function)
            if call is not None:
                return [Reference(function, call, False), *self._references.get(function, [])]
        if (calls := self._method_calls(function)) is not None:
            return [Reference(call.func, call, True) for call in calls]
        return self._references.get(function, [])

    def _method_calls(self, function: gast.AST) -> list[gast.Call] | None:
        """Every call of a method, whatever else has one of that name; None where there may be others."""
        if not isinstance(function, DEFINITIONS) or function.name.startswith("__") or not self.is_method(function):
            return None
        return (self.calls_by_attribute(function.name) or None) if self.sole_class(function) is not None else None

    def is_method(self, function: gast.AST) -> bool:
        return self._scopes.class_of(function) is not None

    def takes_self(self, function: gast.AST) -> bool:
        """Is it a method whose first parameter is not an argument of its calls?"""
        return self.is_method(function) and all(self._names(one) != "builtins.staticmethod" for one in function.decorator_list)

    def taken_from_class(self, function: Function) -> bool:
        """Is a method read as `A.method`, and may be called on an object of another class? (`A.__init__` never is.)"""
        name, owner = getattr(function, "name", ""), self._scopes.class_of(function)
        for node in self._attributes.get(name, ()):
            if name != "__init__" and isinstance(node.value, gast.Name) and node.value in self._scopes.names:
                scope = self._scopes.names[node.value].lookup(node.value.id)
                if scope is not None and any(binding is owner for binding in scope.bindings[node.value.id]):
                    return True
        return False

    def plainly_decorated(self, function: gast.AST) -> bool:
        """No decorator but `tf.function`: the function is called as it is written."""
        if isinstance(function, gast.Lambda):
            return True
        return all(self._is_tf_function(one) for one in function.decorator_list)

    def _is_tf_function(self, node: gast.AST) -> bool:
        match node:
            case gast.Call(func=func, args=[first, *_]) if self._names(func) == "functools.partial":
                return self._names(first) == "tensorflow.function"
            case gast.Call(func=func):
                return self._names(func) == "tensorflow.function"
        return self._names(node) == "tensorflow.function"

    def signature(self, function: gast.AST) -> list[gast.expr] | None:
        """The entries of the `input_signature` that a function is compiled with."""
        if function not in self._signatures:
            self._signatures[function] = self._found_signature(function)
        return self._signatures[function]

    def _found_signature(self, function: gast.AST) -> list[gast.expr] | None:
        if isinstance(function, gast.Lambda):
            return None
        for decorator in function.decorator_list:
            if isinstance(decorator, gast.Call) and self._is_tf_function(decorator):
                for keyword in decorator.keywords:
                    if keyword.arg == "input_signature" and isinstance(keyword.value, gast.List | gast.Tuple):
                        return list(keyword.value.elts)
        return None

    def may_be_traced(self, function: gast.AST) -> bool:
        return bool(self.compilations(function))

    def may_have_signature(self, function: gast.AST) -> bool:
        """May an `input_signature`, wherever it is given, make tensors of numbers and arrays?"""
        calls = [one for one in self.compilations(function) if isinstance(one, gast.Call)]
        return any(len(call.args) > 1 or any(one.arg in ("input_signature", None) for one in call.keywords) for call in calls)

    def compilations(self, function: gast.AST) -> list[gast.AST]:
        """The decorators and calls that make a graph of a function."""
        if function not in self._compilations:
            self._compilations[function] = self._found_compilations(function)
        return self._compilations[function]

    def _found_compilations(self, function: gast.AST) -> list[gast.AST]:
        decorators = [] if isinstance(function, gast.Lambda) else [one for one in function.decorator_list if self._is_tf_function(one)]
        calls = [one.call for one in self.references(function) if one.call is not None and not one.direct]
        return decorators + [call for call in calls if self._names(call.func) == "tensorflow.function"]

    # Calls

    def calls(self, function: Function, believed: bool) -> list[gast.Call]:
        """Every call of a function, where it can have no other; with `believed`, where the file shows no other."""
        key = (function, believed)
        if key not in self._calls:
            self._calls[key] = self._found_calls(function, believed)
        return self._calls[key]

    def _found_calls(self, function: Function, believed: bool) -> list[gast.Call]:
        references = self.references(function)
        if not self.plainly_decorated(function) or not references or self.is_method(function) or self.is_held(function):
            return []
        if not all(self._understood(one, function) for one in references):
            return []
        if not believed and not self.is_closed(function):
            return []
        calls = [one.call for one in references if one.call is not None and self._passes_arguments(one, function)]
        return calls

    def called_repeatedly(self, function: Function, seen: frozenset[gast.AST] = frozenset()) -> bool:
        """Does the file show more than one call of a function: in a loop, in several places, or in what is called repeatedly?

        What is rewritten while it is called will be called again, or nobody would have asked for that.
        """
        if self.is_held(function):
            return True
        calls = [one.call for one in self.references(function) if one.direct and one.call is not None]
        if len(calls) > 1:
            return True
        for call in calls:
            for ancestor in self._scopes.ancestors(call):
                if isinstance(ancestor, (*LOOPS, *COMPREHENSIONS)):
                    return True
                if isinstance(ancestor, FUNCTIONS):
                    return ancestor not in seen and self.called_repeatedly(ancestor, seen | {function})
        return False

    def _understood(self, reference: Reference, function: Function) -> bool:
        return reference.call is not None and (reference.direct or self.maps_rows(reference.call, function) or self._wraps(reference.call))

    def _passes_arguments(self, reference: Reference, function: Function) -> bool:
        return reference.direct or (reference.call is not None and self.maps_rows(reference.call, function))

    def _wraps(self, call: gast.Call) -> bool:
        """`g = tf.function(f)`, where `g` is a name that can be followed in its turn."""
        match self._scopes.parents.get(call):
            case gast.Assign(targets=[gast.Name()]):
                return self._names(call.func) == "tensorflow.function"
        return False

    def maps_rows(self, call: gast.Call, function: gast.AST) -> bool:
        """`dataset.map(f)` and `tf.map_fn(f, rows)`: the function gets one row after the other."""
        if (mapped := self.mapped(call)) is not None:
            return self.function_named(mapped[0]) is function
        match call:
            case gast.Call(func=gast.Attribute(attr=attr), args=[first, *_]) if attr in _ROW_MAPPERS:
                return self.function_named(first) is function
        return False

    def mapped(self, call: gast.Call) -> tuple[gast.AST, gast.AST] | None:
        """The function and the rows of a `tf.map_fn(f, rows)`."""
        if self._names(call.func) not in _MAPPERS or any(isinstance(one, gast.Starred) for one in call.args):
            return None
        given = dict(zip(("fn", "elems"), call.args, strict=False)) | {one.arg: one.value for one in call.keywords}
        return (given["fn"], given["elems"]) if "fn" in given and "elems" in given else None

    def is_closed(self, function: Function) -> bool:
        """Can nothing outside of this file call the function?"""
        owner = self._scopes.of[function].parent
        assert owner is not None
        if isinstance(function, gast.Lambda) and isinstance(self._scopes.parents.get(function), gast.Call | gast.keyword):
            return True
        if self._found_by_text:
            return False
        if self._method_calls(function) is not None:
            return True
        return isinstance(owner.node, FUNCTIONS) or (isinstance(owner.node, gast.Module) and function in self._run_by_script)

    @cached_property
    def _found_by_text(self) -> bool:
        """May a function be called by its name as text: `globals()["f"](x)`, `eval("f(x)")`, `sys.modules[...]`?"""
        names = {"globals", "locals", "vars", "eval", "exec", "__import__"}
        return any(node.id in names for node in self._nodes.get(gast.Name, ())) or any(
            node.attr in ("modules", "import_module", "f_globals", "f_locals") for node in self._nodes.get(gast.Attribute, ())
        )

    @cached_property
    def _run_by_script(self) -> set[gast.AST]:
        """The functions that the file's top level runs, directly or by way of others, whoever executes the file.

        A module of a package is there to be imported, even if it makes its constants by functions of its own.
        """
        if "__all__" in self._scopes.module.bindings or self._in_package:
            return set()
        top = [one for one in self._tree.body if not isinstance(one, (*DEFINITIONS, gast.ClassDef)) and not self.is_main_guard(one)]
        if any(self._asks_for_name(statement) for statement in top):
            return set()  # `main = __name__ == "__main__"`: what that decides isn't followed
        waiting = [function for statement in top for function in self._functions_used(statement)]
        found: set[gast.AST] = set()
        while waiting:
            function = waiting.pop()
            if function not in found:
                found.add(function)
                waiting += self._functions_used(function)
        return found

    @cached_property
    def is_script(self) -> bool:
        """Is the file there to be run? Then nobody else is likely to call what it defines."""
        if self._in_package or "__all__" in self._scopes.module.bindings:
            return False
        top = [one for one in self._tree.body if not isinstance(one, (*DEFINITIONS, gast.ClassDef, gast.Import, gast.ImportFrom))]
        calls = [node for one in top for node in (one, *walk_within(one)) if isinstance(node, gast.Call)]
        loops = any(isinstance(one, gast.For | gast.While) for one in top)
        return loops or any(self.is_main_guard(one) for one in top) or any(self._names(call.func) is None for call in calls)

    @property
    def is_only_run(self) -> bool:
        """Is it a script that nobody can import without running all of it?"""
        if self._in_package or "__all__" in self._scopes.module.bindings:
            return False
        top = [one for one in self._tree.body if not isinstance(one, (*DEFINITIONS, gast.ClassDef))]
        # `TABLE = table(400)` is what a module does, too.
        acts = any(isinstance(one, gast.Expr) and isinstance(one.value, gast.Call) for one in top) or any(
            isinstance(one, LOOPS) for one in top
        )
        return acts and not any(self._asks_for_name(one) for one in top)

    def _functions_used(self, node: gast.AST) -> list[Function]:
        """The functions of this file that are called, or handed to a call, somewhere below."""
        calls = [one for one in (node, *walk_within(node)) if isinstance(one, gast.Call)]
        named = (self.function_named(one) for call in calls for one in (call.func, *call.args))
        return [function for function in named if function is not None]

    def is_main_guard(self, statement: gast.AST) -> bool:
        """Is it `if __name__ == "__main__":`, however that is written?"""
        return isinstance(statement, gast.If) and self._asks_for_name(statement.test)

    def _asks_for_name(self, node: gast.AST) -> bool:
        """Does something below depend on `__name__`, which isn't only handed on, as to `logging.getLogger`?"""
        names = (one for one in (node, *walk_within(node)) if isinstance(one, gast.Name) and one.id == "__name__")
        return not all(isinstance(self._scopes.parents[name], gast.Call | gast.keyword | gast.FormattedValue) for name in names)

    # Context

    def traced(self, function: gast.AST) -> bool:
        """Is the function itself compiled by `tf.function`, or run by a data set?"""
        if function not in self._traced:
            self._traced[function] = self._is_traced(function)
        return self._traced[function]

    def _is_traced(self, function: gast.AST) -> bool:
        if self.makes_graph(function):
            return True
        references = self.references(function)
        return bool(references) and all(
            one.call is not None
            and (
                self._compiled(one)
                or (not one.direct and self.maps_rows(one.call, function) and self._names(one.call.func) not in _MAPPERS)
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
        if any((ran := self._run_of(one)) is not None and ran.compiled for one in functions):
            return True
        calls = [one for function in functions for one in function.decorator_list if isinstance(one, gast.Call)]
        calls += [one.call for function in functions for one in self.references(function) if one.call is not None and not one.direct]
        return any(keyword.arg in ("jit_compile", "experimental_compile") for call in calls for keyword in call.keywords)

    def mode(self, node: gast.AST) -> Mode:
        """How the code at a node runs: always in a graph, in eager calls too, or nobody knows."""
        function = self._scopes.function_of(node)
        if function is None:
            return Mode.UNKNOWN if self._graph_mode_file else Mode.EAGER
        if function not in self._modes:
            self._modes[function] = Mode.UNKNOWN
            self._modes[function] = Mode.UNKNOWN if self.is_held(function) else self._function_mode(function)
            if self._modes[function] is Mode.UNKNOWN and (ran := self._run_of(function)) is not None:
                self._modes[function] = Mode.EAGER if ran.eager else Mode.GRAPH
        return self._modes[function]

    def only_in_a_graph(self, node: gast.AST) -> bool:
        """Does the code at a node run in no eager call, whoever calls its function? What is handed to `tf.function` may be called itself."""
        function = self._scopes.function_of(node)
        if function is None or self.mode(node) is not Mode.GRAPH:
            return False
        inner = self._scopes.function_of(function) is not None
        return self.makes_graph(function) or (self.is_closed(function) and (inner or self.is_script))

    def only_eager(self, node: gast.AST) -> bool:
        """Does the code at a node certainly run in no graph, whoever calls its function?"""
        function = self._scopes.function_of(node)
        if self._graph_mode_file or function is None:
            return not self._graph_mode_file
        if function not in self._only_eager:
            self._only_eager[function] = False  # while its callers are asked, which it may be one of
            self._only_eager[function] = self._never_in_a_graph(function)
        return self._only_eager[function]

    def _never_in_a_graph(self, function: Function) -> bool:
        if (ran := self._run_of(function)) is not None:
            return not ran.graph
        if self._reads_eagerly(function):
            return True
        if not self.plainly_decorated(function) or self.traced(function) or not self.is_closed(function):
            return False
        references = self.references(function)
        return bool(references) and all(
            one.call is not None and one.direct and not self._compiled(one) and self.only_eager(one.call) for one in references
        )

    def is_held(self, function: gast.AST) -> bool:
        """Is it known how the function runs, whatever calls of it the text shows?"""
        return self._ran_holds and self._run_of(function) is not None

    def _run_of(self, function: gast.AST) -> Ran | None:
        """How a function ran, where that was observed."""
        ran = self._ran(function) if self._ran is not None else None
        return ran if ran is not None and ran.eager + ran.graph else None

    @cached_property
    def _graph_mode_file(self) -> bool:
        """compat.v1 code may run without eager execution anywhere."""
        text = {alias.name for alias in self._nodes.get(gast.alias, ())}
        modules = {node.module or "" for node in self._nodes.get(gast.ImportFrom, ())}
        attributes = {node.attr for node in self._nodes.get(gast.Attribute, ())}
        return (
            any("compat.v1" in name for name in text | modules)
            or "v1" in attributes
            or bool(attributes & {"disable_eager_execution", "disable_v2_behavior", "as_default", "Session"})
        )

    def _function_mode(self, function: Function) -> Mode:
        if self._graph_mode_file:
            return Mode.UNKNOWN
        if self.traced(function):
            return Mode.GRAPH
        if self._reads_eagerly(function):
            return Mode.EAGER
        if not self.plainly_decorated(function) or isinstance(function, gast.AsyncFunctionDef):
            return Mode.UNKNOWN
        modes = [self._reference_mode(one) for one in self.references(function)]
        if Mode.EAGER in modes:
            return Mode.EAGER
        outer = self._scopes.function_of(function)
        if outer is not None and self.mode(function) is Mode.GRAPH:
            return Mode.GRAPH
        if modes and set(modes) == {Mode.GRAPH} and self.is_closed(function):
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
            references = [one for one in self.references(function) if one.direct and one.call is not None]
            if references and not self.is_held(function):
                self._taped[function] = not any(not self.taped(one.call) for one in references if one.call is not None)
            if self._taped[function] and (ran := self._run_of(function)) is not None:
                self._taped[function] = not ran.untaped
        return self._taped[function]

    def under_a_tape(self, node: gast.AST, seen: frozenset[gast.AST] = frozenset()) -> bool:
        """Does the file itself show a tape that may be recording here, around the node or around a call of its function?"""
        function = self._scopes.function_of(node)
        if self._in_tape(node) or function is None or function in seen:
            return self._in_tape(node)
        calls = [one.call for one in self.references(function) if one.direct and one.call is not None]
        return any(self.under_a_tape(call, seen | {function}) for call in calls)

    @cached_property
    def _enters_by_hand(self) -> bool:
        """Is a block entered that no `with` shows the end of: `tape.__enter__()`, `stack.enter_context(tape)`?"""
        return not self._attributes.keys().isdisjoint(("__enter__", "enter_context"))

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

    # Attributes and lists

    @cached_property
    def counts_traces(self) -> bool:
        """Does the file ask how often functions were traced, or for what?"""
        return any(node.attr in _COUNTS_TRACES for node in self._nodes.get(gast.Attribute, ()))

    @cached_property
    def watches(self) -> bool:
        """Does anything in the file take gradients for more than what its variables say is trained?"""
        names = {node.attr for node in self._nodes.get(gast.Attribute, ())} | {node.name for node in self._nodes.get(gast.alias, ())}
        return not names.isdisjoint(_WATCHERS)

    def changes_in_place(self, function: Function, name: str) -> bool:
        """May a function change the list or array that it knows by this name?"""
        return name in self._changed_names.get(function, ())

    @cached_property
    def _changed_names(self) -> dict[gast.AST, set[str]]:
        """For functions and classes, the names of the lists and arrays that their own statements change in place."""
        found: dict[gast.AST, set[str]] = {}
        for node in self._scopes.parents:
            if (
                type(node) in _CHANGING
                and (name := _changed_in_place(node))
                and (owner := self._scopes.definition_around(node)) is not None
            ):
                found.setdefault(owner, set()).add(name)
        return found

    @cached_property
    def generators(self) -> set[gast.AST]:
        """The functions that yield."""
        yields = (node for node in self._scopes.parents if type(node) in _YIELDS)
        return {owner for one in yields if (owner := self._scopes.definition_around(one)) is not None}

    def is_assigned(self, name: str) -> bool:
        """Is the variable of this name assigned a value somewhere in the file?"""
        return any(
            isinstance(node, gast.Attribute) and node.attr == "assign" and getattr(node.value, "id", None) == name
            for node in self._nodes.get(gast.Attribute, ())
        )

    @cached_property
    def _stores(self) -> dict[str, list[gast.Attribute]]:
        found: dict[str, list[gast.Attribute]] = {}
        for node in self._nodes.get(gast.Attribute, ()):
            if isinstance(node, gast.Attribute) and not isinstance(node.ctx, gast.Load):
                found.setdefault(node.attr, []).append(node)
        return found

    def attribute_stores(self, name: str) -> list[gast.Attribute]:
        return self._stores.get(name, [])

    def is_set_later(self, name: str) -> bool:
        """Does the file set an attribute of this name outside of an `__init__`?"""
        functions = (self._scopes.function_of(store) for store in self.attribute_stores(name))
        return self.set_by_text(name) or any(getattr(function, "name", "") != "__init__" for function in functions)

    def attribute_is_hidden(self, name: str) -> bool:
        """May an attribute be given by something else than `x.name = ...`: a class, `setattr`, `__dict__`?"""
        return name in self._class_names or self.set_by_text(name)

    def set_by_text(self, name: str) -> bool:
        return not self._set_by_text.isdisjoint((name, "*"))

    @cached_property
    def attributes_are_made_up(self) -> bool:
        """Does a class of the file say itself what its attributes are?"""
        return not self._class_names.isdisjoint(("__getattr__", "__getattribute__", "__setattr__"))

    def may_have_effects(self, node: gast.Attribute | gast.Subscript) -> bool:
        """May reading an attribute or member run a method of this file?"""
        if isinstance(node, gast.Subscript):
            return "__getitem__" in self._class_names
        return self.attributes_are_made_up or node.attr in self._class_names

    @cached_property
    def _class_names(self) -> set[str]:
        scopes = (scope for scope in self._scopes.module.below() if isinstance(scope.node, gast.ClassDef))
        return {name for scope in scopes for name, nodes in scope.bindings.items() if not all(map(self._only_annotates, nodes))}

    def _only_annotates(self, node: gast.AST) -> bool:
        parent = self._scopes.parents.get(node)
        return isinstance(parent, gast.AnnAssign) and parent.value is None

    @cached_property
    def _set_by_text(self) -> set[str]:
        """The attributes that `setattr` gives; "*" where that may be any."""
        found = {"*"} if any(node.attr == "__dict__" for node in self._nodes.get(gast.Attribute, ())) else set()
        for node in self._nodes.get(gast.Attribute, ()):
            if node.attr in ("setattr", "__setattr__", "delattr", "__delattr__"):  # object.__setattr__(self, "w", ...)
                call = self._scopes.parents[node]
                texts = [one.value for one in getattr(call, "args", ()) if isinstance(one, gast.Constant) and isinstance(one.value, str)]
                found.update(texts[:1] or ["*"])
            elif node.attr == "__init__" and getattr(self._scopes.function_of(node), "name", "") != "__init__":
                found.add("*")  # an object begins anew
        spelled = (getattr(node, "value", None) for node in self._nodes.get(gast.Constant, ()))
        if self._functions_are_changed or any(value in _REACHING for value in spelled if isinstance(value, str)):
            found.add("*")
        for node in self._nodes.get(gast.Name, ()):
            match self._builtin(node), self._scopes.parents.get(node):
                case "setattr" | "delattr", gast.Call(args=[_, gast.Constant(value=str(name)), *_]):
                    found.add(name)
                case ("setattr" | "delattr" | "vars", _) | ("type", gast.Call(args=[_, _, _])):
                    found.add("*")
        return found

    def _builtin(self, node: gast.AST) -> str:
        """What a name is called among Python's own, whatever the file imports it as."""
        known = self._names(node) or ""
        return known.removeprefix("builtins.") if known.startswith("builtins.") else getattr(node, "id", "")

    @cached_property
    def module_is_open(self) -> bool:
        """May the file's global names be given by text that is executed, or through `globals()`?"""
        attributes = self._nodes.get(gast.Attribute, ())
        by_module = any(
            node.attr in ("__globals__", "f_globals") or (node.attr == "modules" and self._names(node) == "sys.modules")
            for node in attributes
        )
        by_itself = any(alias.name == "__main__" for alias in self._nodes.get(gast.alias, ()))
        by_text = any(node.id in ("exec", "globals") for node in self._nodes.get(gast.Name, ()))
        return by_text or by_module or by_itself or self._mocks

    @cached_property
    def _mocks(self) -> bool:
        """Is there something in the file that puts other things in the place of functions and attributes for a while?"""
        aliases, froms = self._nodes.get(gast.alias, ()), self._nodes.get(gast.ImportFrom, ())
        modules = [*(alias.name for alias in aliases), *(node.module or "" for node in froms)]
        return any(name.split(".")[-1] in ("mock", "monkeypatch") for name in modules)

    @cached_property
    def arrays_are_reshaped(self) -> bool:
        """Does the file change the shape of arrays in place, by `x.shape = ...` or `x.resize(...)`?"""
        attributes = self._nodes.get(gast.Attribute, ())
        return bool(self.attribute_stores("shape")) or any(one.attr == "resize" and self._names(one) is None for one in attributes)

    def is_initialised_after(self, function: Function, store: gast.AST) -> bool:
        """Does an `__init__` call another one, such as that of its base class, after it gave an attribute?"""
        calls = [one for one in self._scopes.within(function) if isinstance(one, gast.Call)]
        others = [one for one in calls if isinstance(one.func, gast.Attribute) and one.func.attr == "__init__"]
        return any((one.lineno, one.col_offset) > (store.lineno, store.col_offset) for one in others)

    def never_changed(self, name: str, owner: Scope) -> bool:
        """Is a list only ever read, by things that don't change it?"""
        if (name, owner) not in self._unchanged:
            self._unchanged[name, owner] = False  # while the functions are asked that it is handed to
            uses = [node for scope in (owner, *owner.below()) for node in scope.uses.get(name, ()) if scope.lookup(name) is owner]
            self._unchanged[name, owner] = len(owner.bindings.get(name, ())) == 1 and all(self._only_reads(node) for node in uses)
        return self._unchanged[name, owner]

    def only_grows(self, name: str, owner: Scope) -> bool:
        """Is a list the function's own alone, which only appends to it and reads it?"""
        if len(owner.bindings.get(name, ())) != 1 or any(name in one.uses for one in owner.below()) or name in owner.shared:
            return False
        return all(self._only_reads(node) or self._appends(node) for node in owner.uses.get(name, ()))

    def _appends(self, node: gast.Name) -> bool:
        method = self._scopes.parents[node]
        call = self._scopes.parents[method]
        match method, call:
            case gast.Attribute(attr="append"), gast.Call(func=func, args=[_], keywords=[]) if func is method:
                return isinstance(self._scopes.parents[call], gast.Expr)
        return False

    def only_computed_with(self, name: str, owner: Scope) -> bool:
        """Is a name read only by TensorFlow's functions, which change no member of any list inside?"""
        uses = [node for scope in (owner, *owner.below()) for node in scope.uses.get(name, ()) if scope.lookup(name) is owner]
        parents = [self._scopes.parents[node] for node in uses]
        return all(isinstance(one, gast.Call) and (self._names(one.func) or "").startswith("tensorflow.") for one in parents)

    def _only_reads(self, node: gast.Name) -> bool:
        parent = self._scopes.parents[node]
        match parent:
            case gast.Subscript(ctx=gast.Load()) | gast.For() | gast.comprehension() | gast.Starred():
                return True
            case gast.Call(func=gast.Attribute(attr="gradient" | "apply_gradients" | "jacobian")):
                return True
            case gast.Call(func=func):
                name = self._names(func) or ""
                reads = name.startswith("numpy.") and op(name).returns is not None and not op(name).changes
                return (
                    reads
                    or name.removeprefix("builtins.") in _READERS
                    or name.startswith("tensorflow.")
                    or self._hands_to_readers(node, parent)
                )
        return False

    def _hands_to_readers(self, node: gast.Name, call: gast.Call) -> bool:
        """Is a list handed to a plain function of this file that only reads it too?"""
        function = self.function_named(call.func)
        if not isinstance(function, gast.FunctionDef) or function.decorator_list:
            return False
        given = bound_arguments(function, call, False) or {}
        name = next((name for name, value in given.items() if value is node), None)
        return name is not None and self.never_changed(name, self._scopes.of[function])


_CHANGING = frozenset({gast.Call, gast.Subscript, gast.AugAssign})
_YIELDS = frozenset({gast.Yield, gast.YieldFrom})


def _changed_in_place(node: gast.AST) -> str:
    """The name of the list or array that a node changes."""
    match node:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)) if attr in _CHANGERS:
            return str(name)
        case gast.Subscript(value=gast.Name(id=name), ctx=gast.Store() | gast.Del()):
            return str(name)
        case gast.AugAssign(target=gast.Name(id=name)):
            return str(name)
    return ""
