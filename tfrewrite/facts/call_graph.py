"""Which functions, methods and classes of a file an expression stands for, and every call of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import gast

from tfrewrite.facts.mutation import Mutation
from tfrewrite.facts.names import Names
from tfrewrite.facts.scopes import COMPREHENSIONS, DEFINITIONS, FUNCTIONS, LOOPS, Function, Scopes
from tfrewrite.standing import Standing

if TYPE_CHECKING:
    from tfrewrite.facts.importers import ImporterCall, Importers
    from tfrewrite.facts.observed import Ran

_ROW_MAPPERS = ("map", "filter", "flat_map", "interleave", "map_and_batch")
MAPPERS = {"tensorflow.map_fn", "tensorflow.vectorized_map"}
_PLAIN_METHODS = frozenset({"__init__", "__call__", "__repr__", "__str__", "__len__", "__iter__", "__getitem__", "__contains__", "__doc__"})
_CUSTOMS = frozenset({"__new__", "__getattribute__", "__getattr__", "__setattr__", "__call__"})
_MAKING_COMMANDS = frozenset({"fire.Fire", "defopt.run", "tensorflow.compat.v1.app.run", "absl.app.run"})
"""What calls functions of the file by what people type, where it is handed none."""
_RUNNING_TEXT = frozenset({
    "cProfile.run", "cProfile.runctx", "profile.run", "profile.runctx", "pdb.run", "pdb.runeval",
    "timeit.timeit", "timeit.repeat", "timeit.Timer",
})  # fmt: skip
_INTERACTIVE = frozenset({"IPython.embed", "IPython.start_ipython", "code.interact", "code.InteractiveConsole"})
_TAKING = tuple({one.partition(".")[0] + "." for one in (*_MAKING_COMMANDS, *_RUNNING_TEXT, *_INTERACTIVE) if "tensorflow" not in one}) + (
    "tensorflow.compat.v1.app.",
)
_YIELDS = frozenset({gast.Yield, gast.YieldFrom})


@dataclass(frozen=True)
class Reference:
    """One place that names a function: a call of it, or its being handed to something."""

    node: gast.Name | gast.Lambda | gast.Attribute
    call: gast.Call | None
    direct: bool


class CallGraph:
    def __init__(
        self,
        tree: gast.Module,
        scopes: Scopes,
        names: Names,
        nodes: Mapping[type[gast.AST], Sequence[gast.AST]],
        standing: Standing,
        elsewhere: Importers | None = None,
        ran: Callable[[gast.AST], Ran | None] | None = None,
        ran_holds: bool = False,
    ) -> None:
        """`ran` says how functions ran. If that holds, nothing that the text says of their calls does."""
        self.mutation = Mutation(scopes, names, nodes, self.function_named)
        self._tree = tree
        self._nodes = nodes
        self._standing = standing
        self._elsewhere = elsewhere
        self._scopes = scopes
        self._names = names
        self._ran = ran
        self._ran_holds = ran_holds
        self._compilations: dict[gast.AST, list[gast.AST]] = {}
        self._signatures: dict[gast.AST, list[gast.expr] | None] = {}
        self._calls: dict[tuple[Function, bool], list[gast.Call]] = {}
        self._only_made: dict[gast.ClassDef, bool] = {}
        """Of a class: does the file do nothing else with it than to make objects of it?"""

    @property
    def is_live(self) -> bool:
        """Does the program run, so that whatever else it does now may change what the text gives once?"""
        return self._ran_holds

    def function_named(self, node: gast.AST) -> Function | None:
        """The function of this file that an expression stands for, if it can be no other."""
        if isinstance(node, gast.Lambda):
            return node
        if not isinstance(node, gast.Name) or node not in self._scopes.names or self.mutation.functions_are_changed:
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

    def class_named(self, node: gast.AST) -> gast.ClassDef | None:
        """The class of this file that an expression stands for, if calling it can only make a plain instance of it."""
        if not isinstance(node, gast.Name) or node not in self._scopes.names:
            return None
        owner = self._scopes.names[node].lookup(node.id)
        match owner.bindings[node.id] if owner is not None else None:
            case [gast.ClassDef(decorator_list=[], keywords=[]) as found] if not self._customised(found):
                return found
        return None

    def kept_by_keras(self, found: gast.ClassDef, below: tuple[gast.ClassDef, ...] = ()) -> str:
        """The class of Keras that a class of this file derives from; nothing where it is none, or does otherwise than a plain one."""
        if found.keywords or any(isinstance(one, DEFINITIONS) and one.name in _CUSTOMS for one in found.body) or self.is_live:
            return ""
        names = [(self._names(base) or "").removeprefix("tensorflow.") for base in found.bases]
        if [one for one in names if one.startswith("keras.")] and names[0].startswith("keras."):
            return names[0]
        base = self._class_of(found.bases[0]) if found.bases else None
        return "" if base is None or base in (*below, found) else self.kept_by_keras(base, (*below, found))

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
                self.mutation.attribute_stores(name) or self.mutation.set_by_text(name) or self.mutation.functions_are_changed
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
                changed = self.mutation.attribute_stores(name) or self.mutation.set_by_text(name) or self.mutation.functions_are_changed
                return None if changed else method
        return None

    def sole_class(self, function: Function) -> gast.ClassDef | None:
        """The class whose objects alone a method is called on, in a file that is run and not imported."""
        owner = self._scopes.class_of(function)
        if (
            owner is None
            or not self.is_script
            or self.is_live
            or self._found_by_text
            or isinstance(function, gast.Lambda)
            or function.decorator_list
        ):
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
        return all(self.is_tf_function(one) for one in function.decorator_list)

    def is_tf_function(self, node: gast.AST) -> bool:
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
            if isinstance(decorator, gast.Call) and self.is_tf_function(decorator):
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
        decorators = [] if isinstance(function, gast.Lambda) else [one for one in function.decorator_list if self.is_tf_function(one)]
        calls = [one.call for one in self.references(function) if one.call is not None and not one.direct]
        return decorators + [call for call in calls if self._names(call.func) == "tensorflow.function"]

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

    def calls_elsewhere(self, function: Function) -> tuple[ImporterCall, ...] | None:
        """The calls that other files make of a function, where those and the calls of this file are all that there are."""
        if self._elsewhere is None or not isinstance(function, gast.FunctionDef) or self._found_by_text or self.is_held(function):
            return None
        bindings = self._scopes.module.bindings
        if self._scopes.parents.get(function) is not self._tree or bindings.get(function.name) != [function] or "__all__" in bindings:
            return None
        if self.mutation.functions_are_changed or not self.plainly_decorated(function):
            return None
        if not all(self._understood(one, function) for one in self.references(function)):
            return None
        return self._elsewhere.calls(function.name)

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
        if self._names(call.func) not in MAPPERS or any(isinstance(one, gast.Starred) for one in call.args):
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

    @property
    def is_found_by_text(self) -> bool:
        """May what the file defines be reached by its name as text?"""
        return self._found_by_text

    @cached_property
    def _found_by_text(self) -> bool:
        """May a function be called by its name as text: `globals()["f"](x)`, `eval("f(x)")`, `sys.modules[...]`?"""
        names = {"globals", "locals", "vars", "eval", "exec", "__import__"}
        attributes = self._nodes.get(gast.Attribute, ())
        return (
            any(node.id in names for node in self._nodes.get(gast.Name, ()))
            or any(
                node.attr in ("modules", "import_module", "f_globals", "f_locals", "run_cell_magic")
                and not self._scopes.asks_for_a_module(node)
                for node in attributes
            )
            or any(node.attr in ("run_cell", "run_line_magic") and self._runs_code(self._scopes.parents[node]) for node in attributes)
            or any(alias.name in ("doctest", "__main__") for alias in self._nodes.get(gast.alias, ()))
            or any(map(self._takes_the_module, self._nodes.get(gast.Call, ())))
        )

    def _takes_the_module(self, call: gast.AST) -> bool:
        """Does a library get at everything in the file: to run a text, to make a command line of it, to let people try it?"""
        name = self._names(getattr(call, "func", call)) or ""
        if not isinstance(call, gast.Call) or not name.startswith(_TAKING):
            return False
        if name in _MAKING_COMMANDS:
            return not call.args and all(one.arg not in ("component", "main") for one in call.keywords)
        given = [*call.args, *(one.value for one in call.keywords if one.arg in ("stmt", "setup", "statement"))]
        return name in _INTERACTIVE or (name in _RUNNING_TEXT and any(not isinstance(one, gast.Lambda | gast.Name) for one in given[:2]))

    def _runs_code(self, call: gast.AST) -> bool:
        """Is it a magic whose text may call something: `run_line_magic("time", "fit(x)")`, unlike `("matplotlib", "inline")`?"""
        texts = [one.value if isinstance(one, gast.Constant) else None for one in getattr(call, "args", ())]
        return not texts or any(not isinstance(text, str) or "(" in text for text in texts)

    @cached_property
    def _run_by_script(self) -> set[gast.AST]:
        """The functions that the file's top level runs, directly or by way of others, whoever executes the file.

        A module of a package is there to be imported, even if it makes its constants by functions of its own.
        """
        if self._is_open:
            return set()
        top = [one for one in self._tree.body if not isinstance(one, (*DEFINITIONS, gast.ClassDef))]
        if self._standing is Standing.SCRIPT:
            return self._reached(top, self._definitions_named)
        top = [one for one in top if not self.is_main_guard(one)]
        if any(self._asks_for_name(statement) for statement in top):
            return set()  # `main = __name__ == "__main__"`: what that decides isn't followed
        return self._reached(top, self._functions_used)

    @property
    def _is_open(self) -> bool:
        """Is the file there to be imported?"""
        return self._standing in (Standing.ANYONE, Standing.IMPORTED) or "__all__" in self._scopes.module.bindings

    def _reached(self, start: Sequence[gast.AST], used: Callable[[gast.AST], Sequence[gast.AST]]) -> set[gast.AST]:
        waiting = [one for statement in start for one in used(statement)]
        found: set[gast.AST] = set()
        while waiting:
            if (one := waiting.pop()) not in found:
                found.add(one)
                waiting += used(one)
        return found

    @cached_property
    def is_script(self) -> bool:
        """Is the file there to be run? Then nobody else is likely to call what it defines."""
        if self._is_open:
            return False
        top = [one for one in self._tree.body if not isinstance(one, (*DEFINITIONS, gast.ClassDef, gast.Import, gast.ImportFrom))]
        calls = [node for one in top for node in (one, *self._scopes.within(one)) if isinstance(node, gast.Call)]
        loops = any(isinstance(one, gast.For | gast.While) for one in top)
        return loops or any(self.is_main_guard(one) for one in top) or any(self._names(call.func) is None for call in calls)

    @cached_property
    def is_only_run(self) -> bool:
        """Is it a script that nobody can import without running all of it?"""
        if self._is_open:
            return False
        top = [one for one in self._tree.body if not isinstance(one, (*DEFINITIONS, gast.ClassDef))]
        # `TABLE = table(400)` is what a module does, too.
        acts = any(isinstance(one, gast.Expr) and isinstance(one.value, gast.Call) for one in top) or any(
            isinstance(one, LOOPS) for one in top
        )
        guarded = any(self._asks_for_name(one) for one in top)
        return acts or guarded if self._standing is Standing.SCRIPT else acts and not guarded

    def _functions_used(self, node: gast.AST) -> list[Function]:
        """The functions of this file that are called, or handed to a call, somewhere below."""
        calls = [one for one in (node, *self._scopes.within(node)) if isinstance(one, gast.Call)]
        named = (self.function_named(one) for call in calls for one in (call.func, *call.args))
        return [function for function in named if function is not None]

    def _definitions_named(self, node: gast.AST) -> list[gast.AST]:
        """The functions and classes of this file that are named somewhere below, whatever is done with them."""
        inside = [one for one in gast.walk(node) if isinstance(one, gast.Name) and isinstance(one.ctx, gast.Load)]
        owners = ((one, self._scopes.names[one].lookup(one.id)) for one in inside if one in self._scopes.names)
        bindings = [binding for one, owner in owners if owner is not None for binding in owner.bindings[one.id]]
        functions = [function for one in inside if (function := self.function_named(one)) is not None]
        return [*functions, *(one for one in bindings if isinstance(one, (*DEFINITIONS, gast.ClassDef)))]

    def is_main_guard(self, statement: gast.AST) -> bool:
        """Is it `if __name__ == "__main__":`, however that is written?"""
        return isinstance(statement, gast.If) and self._asks_for_name(statement.test)

    def _asks_for_name(self, node: gast.AST) -> bool:
        """Does something below depend on `__name__`, which isn't only handed on, as to `logging.getLogger`?"""
        names = (one for one in (node, *self._scopes.within(node)) if isinstance(one, gast.Name) and one.id == "__name__")
        return not all(isinstance(self._scopes.parents[name], gast.Call | gast.keyword | gast.FormattedValue) for name in names)

    def is_held(self, function: gast.AST) -> bool:
        """Is it known how the function runs, whatever calls of it the text shows?"""
        return self._ran_holds and self.run_of(function) is not None

    def run_of(self, function: gast.AST) -> Ran | None:
        """How a function ran, where that was observed."""
        ran = self._ran(function) if self._ran is not None else None
        return ran if ran is not None and ran.eager + ran.graph else None

    @cached_property
    def generators(self) -> set[gast.AST]:
        """The functions that yield."""
        yields = (node for node in self._scopes.parents if type(node) in _YIELDS)
        return {owner for one in yields if (owner := self._scopes.definition_around(one)) is not None}
