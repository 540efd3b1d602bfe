"""What a file changes after it was made: attributes, lists and arrays in place, functions and globals of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import gast

from tfrewrite.facts.names import Names
from tfrewrite.facts.scopes import Function, Scope, Scopes, bound_arguments
from tfrewrite.ops import op

_OF_NO_ARRAYS = ("tensorflow.keras.", "tensorflow.Module", "torch.nn.")
"""Whose classes derive from no class of NumPy."""
_READERS = {"zip", "enumerate", "len", "list", "tuple", "reversed", "sum", "min", "max", "sorted", "print"}
_CHANGERS = {"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "resize", "popleft", "appendleft"}
_RUNNERS = frozenset({"cProfile", "profile", "pdb", "bdb", "code", "builtins", "rlcompleter"})
_CHANGING = frozenset({gast.Call, gast.Subscript, gast.AugAssign})
_OF_FUNCTIONS = ("__code__", "__defaults__", "__kwdefaults__", "__class__")
"""What may be put in the place of a function's own, or of the class of an object, so that another one is called."""
_REACHING = ("__dict__", "__init__", "__class__", "__setattr__", "__delattr__", "__setstate__")
"""What sets any attribute of an object, for who finds it by its name: `getattr(model, "__init__")(...)`."""


class Mutation:
    def __init__(
        self,
        scopes: Scopes,
        names: Names,
        nodes: Mapping[type[gast.AST], Sequence[gast.AST]],
        function_named: Callable[[gast.AST], Function | None],
    ) -> None:
        self._scopes = scopes
        self._names = names
        self._nodes = nodes
        self._function_named = function_named
        self._unchanged: dict[tuple[str, Scope], bool] = {}

    @cached_property
    def functions_are_changed(self) -> bool:
        """Does the file give a function other code or other defaults, or an object another class?"""
        return self._mocks or any(map(self.attribute_stores, _OF_FUNCTIONS))

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
        if self.functions_are_changed or any(value in _REACHING for value in spelled if isinstance(value, str)):
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
            if not self._scopes.asks_for_a_module(node)
        )
        by_itself = any(alias.name == "__main__" for alias in self._nodes.get(gast.alias, ()))
        by_its_name = any(
            isinstance(node.value, str) and "__main__" in node.value and not self._is_only_compared(node) and not self._is_a_remark(node)
            for node in self._nodes.get(gast.Constant, ())
        )
        by_its_name |= any(self._is_import_of_itself(node) for node in self._nodes.get(gast.Name, ()))
        by_text = any(node.id in ("exec", "globals") for node in self._nodes.get(gast.Name, ())) or self._runs_text
        return by_text or by_module or by_itself or by_its_name or self._mocks

    def _is_import_of_itself(self, name: gast.AST) -> bool:
        """Is it `importlib.import_module(__name__)`?"""
        call = self._scopes.parents.get(name) if getattr(name, "id", "") == "__name__" else None
        return isinstance(call, gast.Call) and self._names(call.func) in ("importlib.import_module", "builtins.__import__")

    def _is_only_compared(self, text: gast.AST) -> bool:
        return isinstance(self._scopes.parents.get(text), gast.Compare)

    def _is_a_remark(self, text: gast.AST) -> bool:
        """Is it a statement of its own, which Python leaves out, and no docstring?"""
        statement = self._scopes.parents.get(text)
        if not isinstance(statement, gast.Expr):
            return False
        return next(iter(getattr(self._scopes.parents.get(statement), "body", ())), statement) is not statement

    @cached_property
    def _runs_text(self) -> bool:
        """Is something imported that runs a text with the names of the script, as `cProfile.run("main()")` does?"""
        aliases, froms = self._nodes.get(gast.alias, ()), self._nodes.get(gast.ImportFrom, ())
        return any(name in _RUNNERS for name in [*(alias.name for alias in aliases), *(node.module for node in froms)])

    @cached_property
    def _mocks(self) -> bool:
        """Is there something in the file that puts other things in the place of functions and attributes for a while?"""
        aliases, froms = self._nodes.get(gast.alias, ()), self._nodes.get(gast.ImportFrom, ())
        modules = [*(alias.name for alias in aliases), *(node.module or "" for node in froms)]
        return any(name.split(".")[-1] in ("mock", "monkeypatch") for name in modules)

    @cached_property
    def arrays_are_reshaped(self) -> bool:
        """Does the file change the shape of arrays in place, by `x.shape = ...` or `x.resize(...)`?"""
        resizing = [one for one in self._nodes.get(gast.Attribute, ()) if one.attr == "resize" and self._names(one) is None]
        return not all(map(self._is_of_no_array, self.attribute_stores("shape"))) or not all(
            self._is_picture(one.value) for one in resizing
        )

    def _is_of_no_array(self, store: gast.Attribute) -> bool:
        """Is it `self.shape = ...` in a class that has nothing of NumPy's arrays?"""
        method = self._scopes.definition_around(store)
        if not isinstance(method, gast.FunctionDef) or method.decorator_list or not isinstance(store.value, gast.Name):
            return False
        first = next(iter(method.args.args), None)
        owner = self._scopes.class_of(method)
        binds = self._scopes.names[store.value].bindings.get(store.value.id, ())
        if first is None or owner is None or store.value.id != first.id or list(binds) != [first]:
            return False
        bases = [self._names(one) or "" for one in owner.bases]
        return not owner.keywords and all(one == "builtins.object" or one.startswith(_OF_NO_ARRAYS) for one in bases)

    def _is_picture(self, node: gast.AST, seen: frozenset[gast.AST] = frozenset()) -> bool:
        """Is it certainly a picture of PIL, whose `resize` makes another one?"""
        match node:
            case gast.Call(func=func) if (self._names(func) or "").startswith("PIL."):
                return True
            case gast.Call(func=gast.Attribute(value=value, attr="convert" | "resize" | "crop" | "rotate" | "transpose" | "copy")):
                return self._is_picture(value, seen)
            case gast.Name() if node in self._scopes.names:
                owner = self._scopes.names[node].lookup(node.id)
                given = [] if owner is None else owner.bindings.get(node.id, [])
                if owner is None or node.id in owner.shared or not given:
                    return False
                return all(one in seen or self._is_picture(self._given(one), seen | {one}) for one in given)
        return False

    def _given(self, target: gast.AST) -> gast.expr:
        """What an assignment, or a `with`, gives a name; nothing that is known where it is bound otherwise."""
        match self._scopes.parents.get(target):
            case gast.Assign(targets=[one], value=gast.expr() as value) if one is target:
                return value
            case gast.withitem(context_expr=gast.expr() as value, optional_vars=one) if one is target:
                return value
        return gast.Constant(value=None, kind=None)

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
            case gast.Attribute(attr="get" | "items" | "keys" | "values"):
                call = self._scopes.parents[parent]
                return isinstance(call, gast.Call) and call.func is parent
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
        function = self._function_named(call.func)
        if not isinstance(function, gast.FunctionDef) or function.decorator_list:
            return False
        given = bound_arguments(function, call, False) or {}
        name = next((name for name, value in given.items() if value is node), None)
        return name is not None and self.never_changed(name, self._scopes.of[function])


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
