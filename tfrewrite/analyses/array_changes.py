"""May an array be changed in place once a statement has run?

Its memory is followed from where it comes from through every use of it, of its views and of what holds it. A use counts as a change unless
it is known that it only reads. Attributes are found by their spelling, whatever they are attributes of, and methods by their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import gast

from tfrewrite.analyses.array_holders import SETTINGS
from tfrewrite.analyses.array_memory import assigned, is_fresh, viewed_by
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Sort
from tfrewrite.facts.scopes import DEFINITIONS, FUNCTIONS, LOOPS, Function, bound_arguments, parameters
from tfrewrite.kinds import ITEM_BYTES
from tfrewrite.ops import op
from tfrewrite.ops.made import Made
from tfrewrite.ops.row import Op
from tfrewrite.outcomes import Refusal

_WITHOUT_MEMORY = (Sort.NUMBER, Sort.SCALAR, Sort.TENSOR, Sort.VARIABLE, Sort.SYMBOLIC, Sort.TEXT, Sort.NONE, Sort.DATASET, Sort.TAPE)
"""Values by which nobody changes an array."""
_CONTAINERS = (Sort.TUPLE, Sort.LIST, Sort.DICT)
_VIEWS = ("T", "real", "imag", "flat")
_SET_IN_PLACE = (*_VIEWS, "data", "dtype", "shape", "strides")
_PLAIN_DECORATORS = (
    "builtins.staticmethod",
    "builtins.classmethod",
    "builtins.property",
    "tensorflow.keras.saving.register_keras_serializable",
)
_OF_TENSORFLOW = ("keras.", "data.")
"""How the names of methods of TensorFlow's objects begin."""
_PLAIN_METHODS = frozenset({
    "__init__", "__call__", "__repr__", "__str__", "__len__", "__iter__", "__next__", "__getitem__", "__enter__", "__exit__", "__doc__",
})  # fmt: skip
"""Special methods that are handed no array but by a call or a subscript that names their object."""
_LAZY = ("builtins.map", "builtins.filter")
_BASES = ("builtins.object", "tensorflow.Module")


def may_change(arrays: Iterable[gast.AST], place: gast.AST, facts: Facts) -> Refusal | None:
    """Why the memory that expressions read may be another by the time that something reads it after `place`."""
    if facts.callers.is_found_by_text or facts.mutation.module_is_open:
        return Refusal(place, Code.MAY_CHANGE, "this file runs text or finds its names by text, by which any array may change")
    memory = _Memory(facts)
    for one in arrays:
        memory.comes_from(one)
    happening = (one for one in memory.changes if may_run_after(one[0], place, facts))
    for node, name in (*memory.escapes, *happening):
        line = facts.source.line_of(facts.source.span(node).start)
        text = facts.edit.short(node, "") if isinstance(node, gast.expr) else ""
        return Refusal(node, Code.MAY_CHANGE, f"{f'`{text}`' if text else f'line {line}'} may change the array behind {name} afterwards")
    return None


class _Memory:
    """Where some memory comes from, and what is done with it.

    `changes` are the places that change it, `escapes` those that aren't known to read it only: what they do, they may do whenever they like.
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._scopes = facts.scopes
        self._origins: set[gast.AST] = set()
        self._followed: set[gast.AST | str] = set()
        self._handing: set[gast.AST] = set()
        self.changes: list[tuple[gast.AST, str]] = []
        self.escapes: list[tuple[gast.AST, str]] = []

    # Where it comes from

    def comes_from(self, value: gast.AST | None) -> None:
        """Follow whatever has the memory of a value, or holds it."""
        if value is None or value in self._origins or self._has_none(value):
            return
        self._origins.add(value)
        match value:
            case gast.Name() if self._facts.names(value) is None:
                for binding in self._definitions(value):
                    self._is_given(binding, value)
            case gast.Attribute(value=owner, attr=attr):
                if self._is_own(attr):
                    self._attribute(attr)
                self.comes_from(owner)
            case gast.Call():
                self._comes_from_call(value)
            case gast.Subscript(value=inner) | gast.Starred(value=inner):
                if not is_fresh(value, self._facts):
                    self.comes_from(inner)
            case gast.BinOp() | gast.UnaryOp() | gast.Compare() if is_fresh(value, self._facts):
                pass
            case gast.Lambda() | gast.Yield() | gast.YieldFrom() | gast.Await():
                self._escape(value, value)
            case gast.ListComp(elt=inner) | gast.SetComp(elt=inner) | gast.GeneratorExp(elt=inner) | gast.DictComp(value=inner):
                self.comes_from(inner)
            case _:
                for one in gast.iter_child_nodes(value):
                    if isinstance(one, gast.expr):
                        self.comes_from(one)

    def _comes_from_call(self, call: gast.Call) -> None:
        row = self._facts.row(call)
        if is_fresh(call, self._facts) or row.is_fresh or row.is_loader or self._is_of_keras(call.func):
            return
        functions = self._functions(call)
        for function in functions or ():
            for value in self._given_back(function):
                self.comes_from(value)
            self._hands_out(function)
        if functions is None:
            if self._facts.called(call) is None and isinstance(call.func, gast.Attribute):
                self.comes_from(call.func.value)
            elif not row.name:
                self._escape(call, call)
            for one in _values(call):
                self.comes_from(one)

    def _definitions(self, name: gast.Name) -> list[gast.AST]:
        owner = self._scopes.names[name].lookup(name.id) if name in self._scopes.names else None
        if owner is None:
            return []
        found = self._facts.flow.definitions(name) if self._scopes.names[name] is owner and name.id not in owner.shared else None
        bindings = owner.bindings[name.id]
        return found if found and all(any(one is binding for binding in bindings) for one in found) else bindings

    def _is_given(self, binding: gast.AST, use: gast.AST) -> None:
        """What a name is given has the memory, and whatever else reads the name."""
        if binding in self._origins:
            return
        self._origins.add(binding)
        around, target = self._given_by(binding)
        match around:
            case gast.Assign(value=value):
                self.comes_from(_part(target, value, binding))
            case gast.AnnAssign(value=value) | gast.NamedExpr(value=value) | gast.For(iter=value) | gast.comprehension(iter=value):
                self.comes_from(value)
            case gast.AugAssign(value=value) if isinstance(binding, gast.Name):
                self.comes_from(value)
                owner = self._scopes.names[binding].lookup(binding.id)
                for one in owner.bindings[binding.id] if owner is not None else ():
                    self._is_given(one, use)
            case gast.withitem(context_expr=value):
                self.comes_from(value)
            case gast.arguments():
                self._is_handed(binding, self._scopes.parents[around])
            case _ if isinstance(binding, gast.FunctionDef | gast.ClassDef):
                pass  # what it gives is followed where it is called
            case _:
                self._escape(use, use)
        self._name(binding)

    def _given_by(self, target: gast.AST) -> tuple[gast.AST, gast.AST]:
        """The statement that gives a target something, and the whole of what stands before its `=`."""
        around = self._scopes.parents[target]
        while isinstance(around, gast.Tuple | gast.List | gast.Starred):
            around, target = self._scopes.parents[around], around
        return around, target

    def _is_handed(self, parameter: gast.AST, function: gast.AST) -> None:
        """Whatever calls of a function give a parameter of its has the memory too."""
        assert isinstance(function, FUNCTIONS) and isinstance(parameter, gast.Name)
        own = self._own_parameter(function)
        if own is parameter:
            owner = self._scopes.class_of(function)
            if owner is not None:
                self._class(owner)
            return
        for one in (*function.args.defaults, *function.args.kw_defaults):
            self.comes_from(one)
        for reference in _references(function, self._facts):
            call = self._scopes.parents.get(reference)
            if isinstance(call, gast.Call) and call.func is reference:
                given = bound_arguments(function, call, own is not None) or {}
                for value in [given[parameter.id]] if parameter.id in given else _values(call):
                    self.comes_from(value)
            elif not isinstance(function, gast.Lambda):
                self._escape(reference, parameter)

    # What is done with it

    def _name(self, binding: gast.AST) -> None:
        """Follow each use of what a name is given."""
        name = getattr(binding, "id", None) or getattr(binding, "name", None)
        if binding in self._followed or name is None:
            return
        self._followed.add(binding)
        scope = self._scopes.names[binding] if isinstance(binding, gast.Name) else self._scopes.module
        owner = scope.lookup(name)
        if owner is None:
            return
        users = self._facts.flow.users(binding) if name not in owner.shared else None
        uses: list[gast.AST] = [one for inner in owner.below() if inner.lookup(name) is owner for one in inner.uses.get(name, ())]
        uses += [*owner.uses.get(name, ()), *owner.bindings[name]] if users is None else users
        for use in uses:
            around = self._scopes.parents.get(use)
            if isinstance(around, gast.AugAssign) and around.target is use:
                self._added(around, use)
                self._name(use)
            elif isinstance(use, gast.Name) and isinstance(use.ctx, gast.Load):
                self._use(use)
        if isinstance(owner.node, gast.ClassDef):
            self._attribute(name)
            self._class(owner.node)

    def _attribute(self, attr: str) -> None:
        """Follow whatever is called so, of whatever object."""
        if attr in self._followed:
            return
        self._followed.add(attr)
        for one in self._scopes.attribute_stores:
            if one.attr == attr:
                around, target = self._given_by(one)
                if isinstance(around, gast.AugAssign):
                    self._added(around, one)
                elif isinstance(around, gast.Assign):
                    self.comes_from(_part(target, around.value, one))
                else:
                    self.comes_from(getattr(around, "value", None))
                self.comes_from(one.value)
        for one in self._facts.callers.attribute_loads(attr):
            if isinstance(one.ctx, gast.Load):
                self._use(one)
        for inner in self._scopes.module.below():
            for binding in inner.bindings.get(attr, ()) if isinstance(inner.node, gast.ClassDef) else ():
                if isinstance(binding, gast.FunctionDef):
                    for value in self._given_back(binding):
                        self.comes_from(value)
                elif isinstance(binding, gast.Name):
                    self._is_given(binding, binding)

    def _class(self, owner: gast.ClassDef) -> None:
        """Follow the objects of a class that hold it: outside, and as `self`."""
        if owner in self._followed:
            return
        self._followed.add(owner)
        for base in owner.bases:
            own = next((one for one in self._facts.nodes((gast.ClassDef,)) if getattr(one, "name", "") == getattr(base, "id", None)), None)
            if isinstance(own, gast.ClassDef):
                self._class(own)
            elif not self._is_harmless_base(base):
                self._escape(base, owner)
        for one in (*owner.decorator_list, *owner.keywords):
            self._escape(one, owner)
        for one in self._facts.nodes((gast.ClassDef,)):
            if isinstance(one, gast.ClassDef) and any(getattr(base, "id", "") == owner.name for base in one.bases):
                self._class(one)
        for method in owner.body:
            if isinstance(method, DEFINITIONS) and (own_name := self._own_parameter(method)) is not None:
                self._name(own_name)
        for name in self._facts.nodes((gast.Name,)):
            if isinstance(name, gast.Name) and name.id == owner.name and isinstance(name.ctx, gast.Load):
                self._use(name)

    def _is_harmless_base(self, base: gast.AST) -> bool:
        name = self._facts.names(base) or ""
        return name in _BASES or name.startswith("tensorflow.keras.")

    def _hands_out(self, function: gast.AST) -> None:
        """A function gives it back: follow whatever calls it, or is handed it."""
        if function in self._handing:
            return
        self._handing.add(function)
        for one in _references(function, self._facts):
            self._use(one)
        if (owner := self._scopes.class_of(function)) is not None:
            self._class(owner)

    def _use(self, use: gast.AST) -> None:
        """Follow one expression that has the memory, or holds it."""
        if use in self._followed or self._has_none(use):
            return
        self._followed.add(use)
        parent = self._scopes.parents[use]
        match parent:
            case gast.Attribute(ctx=gast.Load()):
                self._used_attribute(parent, use)
            case gast.Attribute(attr=attr):
                is_plain = self._facts.kind(use).sort is not Sort.ARRAY and attr not in _SET_IN_PLACE
                if not is_plain or self._facts.mutation.attributes_are_made_up or isinstance(parent.ctx, gast.Del):
                    self._change(parent, use)
            case gast.Subscript(value=value) if value is use:
                if isinstance(parent.ctx, gast.Load):
                    if not is_fresh_choice(parent, self._facts):
                        self._use(parent)
                elif not self._is_container(use):
                    self._change(parent, use)
                elif isinstance(added := self._scopes.parents[parent], gast.AugAssign):
                    self._added(added, parent)  # `arrays[0] *= 2` changes the array itself, and then puts it where it was
            case gast.Subscript(value=value):
                if self._facts.kind(value).sort not in (Sort.ARRAY, *_CONTAINERS, *_WITHOUT_MEMORY):
                    self._escape(parent, use)
            case gast.Call():
                self._used_call(parent, use, use)
            case gast.Starred() | gast.keyword() if isinstance(call := self._scopes.parents[parent], gast.Call):
                self._used_call(call, parent, use)
            case gast.Assign(targets=targets, value=value):
                for target in targets:
                    self._put(target, value, use)
            case gast.AnnAssign(target=target, value=value):
                self._put(target, value, use)
            case gast.NamedExpr(target=target):
                self._name(target)
                self._use(parent)
            case gast.AugAssign():
                self._added(parent, use)
            case gast.For(target=target, iter=value) | gast.comprehension(target=target, iter=value) if value is use:
                self._put_each(target, value, use)
            case gast.withitem(optional_vars=target):
                if target is not None:
                    self._put(target, None, use)
            case gast.Tuple() | gast.List() | gast.Set() | gast.Dict() | gast.Starred() | gast.BoolOp():
                self._use(parent)
            case gast.IfExp(test=test):
                if test is not use:
                    self._use(parent)
            case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
                self._use(parent)
            case gast.BinOp() | gast.UnaryOp() | gast.Compare():
                if self._meets_object(parent, use):
                    self._escape(parent, use)
                elif not self._computes(parent):
                    self._use(parent)
            case gast.Return() | gast.Yield() | gast.YieldFrom():
                function = self._scopes.function_of(parent)
                if function is not None:
                    self._hands_out(function)
            case gast.Lambda():
                self._hands_out(parent)
            case gast.arguments():
                taking = self._scopes.parents[parent]
                for one in parameters(taking) if isinstance(taking, FUNCTIONS) else ():
                    self._name(one)
            case gast.Expr() | gast.If() | gast.While() | gast.Assert() | gast.FormattedValue() | gast.Slice() | gast.comprehension():
                pass
            case gast.Delete():
                pass
            case _:
                self._escape(use if isinstance(parent, gast.ClassDef | gast.FunctionDef) else parent, use)

    def _used_attribute(self, read: gast.Attribute, use: gast.AST) -> None:
        attr, call, sort = read.attr, self._scopes.parents[read], self._facts.kind(use).sort
        called = isinstance(call, gast.Call) and call.func is read
        of_array = op(f"numpy.ndarray.{attr}")
        if attr in SETTINGS and (sort is Sort.ARRAY or not self._is_own(attr)):
            pass
        elif attr in _VIEWS and (sort is Sort.ARRAY or not self._is_own(attr)):
            self._use(read)
        elif isinstance(call, gast.Call) and called and (sort is Sort.ARRAY or self._is_container(use)):
            self._called_method(call, self._facts.row(call), use)
        elif sort is not Sort.ARRAY and self._is_own(attr):
            # An attribute or a method of the file's is followed by its name, unless it is an array's.
            if self._facts.mutation.attributes_are_made_up:
                self._use(read)
            elif not self._is_self(use) and (attr in _SET_IN_PLACE or (of_array is not op(None) and not of_array.is_fresh)):
                self._escape(read, use)
        elif isinstance(call, gast.Call) and called and of_array is not op(None):
            self._called_method(call, of_array, use)
        elif not (self._is_of_keras(use) or self._is_self(use) and self._is_of_keras_itself(use)):
            self._escape(read, use)

    def _called_method(self, call: gast.Call, row: Op, use: gast.AST) -> None:
        if self._is_container(use):
            attr = getattr(call.func, "attr", "")
            if call.keywords and row.changes:
                self._escape(call, use)  # the key of a sort
                return
            if row.changes and attr not in ("pop", "popitem", "setdefault"):
                return  # it is another list, of the same arrays
            if row.name or attr in ("items", "values", "keys", "get", "pop", "popitem", "copy", "update", "setdefault"):
                self._use(call)
                return
        elif row.changes or self._is_written(call):
            self._change(call, use)
            self._use(call)
            return
        elif row.is_fresh or row.is_read_only or row.name == "numpy.ndarray.astype":
            if not is_fresh(call, self._facts) and not row.is_read_only:
                self._use(call)
            return
        elif row.may_share:
            self._use(call)
            return
        self._escape(call, use)

    def _put(self, target: gast.AST, value: gast.AST | None, use: gast.AST) -> None:
        """Follow what a target is given."""
        match target:
            case gast.Name():
                if not self._has_none(target):
                    self._name(target)
            case gast.Tuple(elts=targets) | gast.List(elts=targets):
                parts: Iterable[gast.AST | None] = [None] * len(targets)
                if isinstance(value, gast.Tuple | gast.List) and not any(isinstance(one, gast.Starred) for one in (*targets, *value.elts)):
                    parts = value.elts if len(value.elts) == len(targets) else parts
                for one, part in zip(targets, parts, strict=True):
                    if part is None or self._holds(part, use):
                        self._put(one, part, use)
            case gast.Starred(value=inner):
                self._put(inner, None, use)
            case gast.Attribute(attr=attr, value=owner):
                if self._facts.names(owner) is not None or self._facts.mutation.attributes_are_made_up or self._is_set_by_method(attr):
                    self._escape(target, use)
                self._attribute(attr)
            case gast.Subscript(value=owner):
                kind = self._facts.kind(owner)
                if kind.sort is Sort.ARRAY and kind.dtype not in ITEM_BYTES:
                    self._escape(target, use)
                elif kind.sort is not Sort.ARRAY:
                    if self._has_operators and kind.sort not in _CONTAINERS:
                        self._escape(target, use)
                    self.comes_from(owner)
            case _:
                self._escape(target, use)

    def _put_each(self, target: gast.AST, values: gast.AST, use: gast.AST) -> None:
        """Follow what a loop gives its target: of `zip(x, y)` only what is followed."""
        parts: list[gast.AST] | None = None
        if isinstance(values, gast.Call) and not any(isinstance(one, gast.Starred) for one in values.args):
            name = self._facts.called(values)
            parts = values.args if name == "builtins.zip" else [values.func, *values.args[:1]] if name == "builtins.enumerate" else None
        if parts is None or not isinstance(target, gast.Tuple) or len(target.elts) != len(parts):
            self._put(target, None, use)
            return
        for one, part in zip(target.elts, parts, strict=True):
            if self._holds(part, use):
                self._put_each(one, part, use)

    def _holds(self, part: gast.AST, use: gast.AST) -> bool:
        """Is a part of `a, b = x, y` one that was followed so far?"""
        return any(one in self._followed for one in gast.walk(part)) or part is use

    def _added(self, statement: gast.AugAssign, use: gast.AST) -> None:
        """`x += y`."""
        kind = self._facts.kind(statement.target)
        if kind.sort in (Sort.NUMBER, Sort.SCALAR, Sort.TEXT) or (statement.value is use and kind.sort in (Sort.ARRAY, *_WITHOUT_MEMORY)):
            return
        if statement.value is use and self._meets_object(statement, use):
            self._escape(statement, use)
        if kind.sort in (Sort.LIST, Sort.DICT) or self._is_display(statement.value):
            self.comes_from(_read(statement.target))
            if isinstance(statement.target, gast.Name):
                self._name(statement.target)
            if kind.sort in (Sort.LIST, Sort.DICT):
                return
        self._change(statement, use)

    def _used_call(self, call: gast.Call, argument: gast.AST, use: gast.AST) -> None:
        """Follow what is handed to a call, or is called."""
        if call.func is use:
            if self._facts.kind(use).sort is Sort.ARRAY:
                return
            self._run(call, None, use)
            self._use(call)
            return
        name, row = self._facts.called(call) or "", self._facts.row(call)
        functions = self._functions(call)
        if functions is not None:
            self._run(call, argument, use)
        elif self._is_of_keras(call.func):
            return
        elif isinstance(call.func, gast.Attribute) and self._is_container(call.func.value) and row.changes:
            self.comes_from(call.func.value)
        elif self._is_written(call, argument):
            self._change(call, use)
            self._use(call)
        elif row.name.startswith("builtins.") or name.startswith("builtins."):
            self._used_builtin(call, row, use)
        elif name.startswith("tensorflow.") or row.name.startswith(_OF_TENSORFLOW):
            handed = isinstance(use, gast.Lambda) or self._facts.callers.function_named(use) is not None
            if not row.name or (row.is_control and not row.may_share and not handed):
                self._escape(call, use)
            elif not (row.is_read_only or row.name.startswith("data.")):
                self._use(call)  # a model that does nothing predicts the very array that it is given
        elif row.is_effect:
            self._use(call)
        elif row.changes:
            self._change(call, use)
        elif (
            not (row.is_fresh or row.may_share or row.is_read_only or row.creates)
            or self._keeps_objects(call, use)
            or self._meets_object(call, use)
        ):
            self._escape(call, use)
        elif viewed_by(call, self._facts) is not None or (not is_fresh(call, self._facts) and not row.is_read_only):
            self._use(call)

    def _used_builtin(self, call: gast.Call, row: Op, use: gast.AST) -> None:
        given = [one for one in call.args[:1] if row.name in _LAZY] + [one.value for one in call.keywords if one.arg == "key"]
        for one in given:
            function = self._facts.callers.function_named(one)
            if function is None:
                known = op(self._facts.names(one))
                if not (known.is_read_only or (known.is_fresh and not known.changes)):
                    self._escape(call, use)
            else:
                for parameter in parameters(function):
                    self._name(parameter)
                self._hands_out(function)
        starts = row.name == "builtins.sum" and (len(call.args) > 1 or bool(call.keywords))
        if row.may_share or starts:
            self._use(call)  # sum([[x], [y]], []) is a list of both
        elif not row.is_read_only and not self._has_none(call):
            self._escape(call, use)

    def _run(self, call: gast.Call, argument: gast.AST | None, use: gast.AST) -> None:
        """Follow an argument into the functions of the file that a call runs."""
        for function in self._functions(call) or ():
            if not all(self._is_plain(one) for one in getattr(function, "decorator_list", ())):
                self._escape(call, use)
            own = parameters(function)
            if (self_name := self._own_parameter(function)) is not None:
                own = [one for one in own if one is not self_name]
            given = bound_arguments(function, call, self_name is not None)
            if argument is None:
                continue
            if given is None:
                taking = own
            else:
                taken = {name for name, value in given.items() if value is use}
                taking = [one for one in own if one.id in taken]
            for parameter in taking:
                self._name(parameter)

    def _functions(self, call: gast.Call) -> list[Function] | None:
        """The functions of this file that a call may run; None where it may run others."""
        if self._facts.called(call) is not None:
            return None
        known = self._facts.function_called(call)
        if known is not None:
            return [known]
        found: list[Function] = []
        match call.func:
            case gast.Name(id=name) if call.func in self._scopes.names:
                owner = self._scopes.names[call.func].lookup(name)
                for binding in owner.bindings[name] if owner is not None else [None]:
                    if isinstance(binding, gast.FunctionDef):
                        found.append(binding)
                    elif isinstance(binding, gast.ClassDef):
                        if (made := self._making(binding)) is None:
                            return None
                        found += made
                    else:
                        return None
                return found
            case gast.Attribute(attr=attr, value=owner) if self._is_own_object(owner):
                for scope in self._scopes.module.below():
                    if isinstance(scope.node, gast.ClassDef):
                        found += [one for one in scope.bindings.get(attr, ()) if isinstance(one, gast.FunctionDef)]
                return found or None
        return None

    def _making(self, owner: gast.ClassDef, depth: int = 0) -> list[Function] | None:
        """The functions that make an object of a class; None where others may."""
        names = self._scopes.of[owner].bindings
        if owner.decorator_list or owner.keywords or "__new__" in names or depth > 9:
            return None
        if "__init__" in names:
            return [one for one in names["__init__"] if isinstance(one, gast.FunctionDef)]
        for base in owner.bases:
            own = next((one for one in self._facts.nodes((gast.ClassDef,)) if getattr(one, "name", "") == getattr(base, "id", None)), None)
            if isinstance(own, gast.ClassDef):
                return self._making(own, depth + 1)
        return None

    # What is known

    def _has_none(self, value: gast.AST) -> bool:
        return isinstance(value, gast.expr) and self._facts.kind(value).sort in _WITHOUT_MEMORY

    def _is_container(self, value: gast.AST) -> bool:
        return self._is_display(value) or self._facts.kind(value).sort in _CONTAINERS

    def _is_display(self, value: gast.AST) -> bool:
        return isinstance(value, gast.List | gast.Dict | gast.Tuple | gast.ListComp | gast.DictComp)

    def _is_own(self, attr: str) -> bool:
        """Does the file give something an attribute or a method of this name?"""
        return bool(self._facts.mutation.attribute_stores(attr)) or any(
            attr in one.bindings for one in self._scopes.module.below() if isinstance(one.node, gast.ClassDef)
        )

    def _is_self(self, value: gast.AST) -> bool:
        function = self._scopes.function_of(value)
        own = None if function is None else self._own_parameter(function)
        return own is not None and isinstance(value, gast.Name) and value.id == own.id

    def _is_own_object(self, value: gast.AST) -> bool:
        """Is it known to be an object of a class of this file?"""
        instance = self._facts.kind(value).instance
        if self._is_self(value) or isinstance(instance, gast.ClassDef) or (isinstance(instance, Made) and instance.own is not None):
            return True
        if isinstance(value, gast.Call):
            return self._facts.called(value) == "builtins.super" or self._makes_own(value)
        given = [self._scopes.parents[one] for one in self._definitions(value)] if isinstance(value, gast.Name) else []
        if isinstance(value, gast.Attribute):
            given = [self._scopes.parents[one] for one in self._facts.mutation.attribute_stores(value.attr)]
        return bool(given) and all(isinstance(one, gast.Assign) and self._makes_own(one.value) for one in given)

    def _makes_own(self, value: gast.AST) -> bool:
        owner = (
            self._scopes.names[value.func].lookup(value.func.id)
            if isinstance(value, gast.Call) and value.func in self._scopes.names
            else None
        )
        return owner is not None and all(isinstance(one, gast.ClassDef) for one in owner.bindings[value.func.id])

    def _is_of_keras(self, value: gast.AST) -> bool:
        """Is it a layer, a model or a loss, which makes tensors of what it is called with?"""
        return isinstance(self._facts.kind(value).instance, Made)

    def _is_of_keras_itself(self, value: gast.AST) -> bool:
        """Is it `self` in a class that derives from one of Keras?"""
        function = self._scopes.function_of(value)
        owner = None if function is None else self._scopes.class_of(function)
        return owner is not None and isinstance(value, gast.Name) and bool(self._facts.callers.kept_by_keras(owner))

    def _is_set_by_method(self, attr: str) -> bool:
        """May a property or a descriptor be given what an attribute is set to?"""
        classes = (one for one in self._scopes.module.below() if isinstance(one.node, gast.ClassDef))
        given = (self._scopes.parents[one] for found in classes for one in found.bindings.get(attr, ()) if isinstance(one, gast.Name))
        by_method = any(
            isinstance(one, gast.FunctionDef)
            for found in self._scopes.module.below()
            if isinstance(found.node, gast.ClassDef)
            for one in found.bindings.get(attr, ())
        )
        return by_method or any(isinstance(getattr(one, "value", None), gast.Call | gast.Name) for one in given)

    def _is_plain(self, decorator: gast.AST) -> bool:
        return self._facts.callers.is_tf_function(decorator) or self._facts.names(decorator) in _PLAIN_DECORATORS

    def _own_parameter(self, function: gast.AST) -> gast.Name | None:
        """`self`, of a method."""
        own = parameters(function) if isinstance(function, FUNCTIONS) else []
        return own[0] if own and self._facts.callers.takes_self(function) else None

    def _given_back(self, function: gast.AST) -> list[gast.AST]:
        if isinstance(function, gast.Lambda):
            return [function.body]
        leaving = (gast.Return, gast.Yield, gast.YieldFrom)
        assert isinstance(function, FUNCTIONS)
        return [one.value for one in self._scopes.within(function) if isinstance(one, leaving) and one.value is not None]

    def _meets_object(self, around: gast.AST, use: gast.AST) -> bool:
        """May an operator, or NumPy, hand it to a method of this file, as `x + other` does to `__radd__`?"""
        if not self._has_operators:
            return False
        others = (one for one in gast.walk(around) if isinstance(one, gast.Name | gast.Attribute | gast.Call | gast.Subscript))
        strange = (Sort.UNKNOWN, Sort.OBJECT)
        return any(one not in self._followed and self._facts.kind(one).sort in strange and self._facts.names(one) is None for one in others)

    @cached_property
    def _has_operators(self) -> bool:
        classes = (one for one in self._scopes.module.below() if isinstance(one.node, gast.ClassDef))
        return any(name.startswith("__") and name not in _PLAIN_METHODS for one in classes for name in one.bindings)

    def _computes(self, operation: gast.AST) -> bool:
        """Does an operator make a new array, or a number?"""
        if isinstance(operation, gast.Compare) and all(
            isinstance(one, gast.Is | gast.IsNot | gast.In | gast.NotIn) for one in operation.ops
        ):
            return True
        return isinstance(operation, gast.UnaryOp) and isinstance(operation.op, gast.Not) or is_fresh(operation, self._facts)

    def _keeps_objects(self, call: gast.Call, use: gast.AST) -> bool:
        """May it be an array of arrays that NumPy makes of a list?"""
        kind = self._facts.kind(call)
        return kind.sort is Sort.ARRAY and kind.dtype not in ITEM_BYTES and self._facts.kind(use).sort is not Sort.ARRAY

    def _is_written(self, call: gast.Call, argument: gast.AST | None = None) -> bool:
        """May a library work in the memory that it is given: `np.exp(x, out=x)`, `scale(x, copy=False)`, `inv(a, overwrite_a=True)`?"""
        asked = [
            one for one in call.keywords if one.arg in ("out", "copy", "inplace", "subok", None) or (one.arg or "").startswith("overwrite_")
        ]
        own = self._facts.row(call).name
        if own.startswith("tensorflow.") or not own:
            asked = [one for one in asked if one.arg == "inplace"]
        if own in ("numpy.array", "numpy.ndarray.astype"):
            asked = []  # `may_share` says so
        row = self._facts.row(call)
        place = row.parameters.index("out") if "out" in row.parameters else len(row.parameters) or len(call.args)
        return bool(asked) or (own.startswith("numpy.") and argument is not None and argument in call.args[place:])

    def _change(self, node: gast.AST, use: gast.AST) -> None:
        """It is changed here, and by nothing later."""
        self.changes.append((node, self._shown(use)))

    def _escape(self, node: gast.AST, use: gast.AST) -> None:
        """It isn't known what is done with it here, or later by whoever keeps it."""
        self.escapes.append((node if hasattr(node, "lineno") else use, self._shown(use)))

    def _shown(self, use: gast.AST) -> str:
        name = getattr(use, "name", None) if not isinstance(use, gast.expr) else None
        return f".{use.attr}" if isinstance(use, gast.Attribute) else name or self._facts.edit.short(use, "it")


def is_fresh_choice(node: gast.AST, facts: Facts) -> bool:
    """Is a subscript a copy of rows that are chosen by an array?"""
    return facts.kind(node).sort is Sort.ARRAY and is_fresh(node, facts)


def _values(call: gast.Call) -> Iterator[gast.AST]:
    yield from call.args
    yield from (one.value for one in call.keywords)


def _part(target: gast.AST, value: gast.AST | None, binding: gast.AST) -> gast.AST | None:
    """What a name is given of `a, b = x, y`."""
    if target is binding or not isinstance(target, gast.Tuple | gast.List) or not isinstance(value, gast.Tuple | gast.List):
        return value
    if len(target.elts) != len(value.elts) or any(isinstance(one, gast.Starred) for one in (*target.elts, *value.elts)):
        return value
    pairs = zip(target.elts, value.elts, strict=True)
    return next((_part(one, given, binding) for one, given in pairs if any(inner is binding for inner in gast.walk(one))), value)


def _read(target: gast.AST) -> gast.AST:
    return target.value if isinstance(target, gast.Subscript) else target


# When it happens


def may_run_after(node: gast.AST, place: gast.AST, facts: Facts, asked: frozenset[gast.AST] = frozenset()) -> bool:
    own, home = facts.scopes.function_of(node), facts.scopes.function_of(place)
    if any(isinstance(one, gast.GeneratorExp) for one in facts.scopes.ancestors(node)) or facts.called(node) in _LAZY:
        return True  # nobody knows when
    if own is home:
        if home is not None or facts.source.span(node).start > facts.source.span(place).end:
            return True  # a function may be called again, with the same arrays
        loops = [one for one in facts.scopes.ancestors(place) if isinstance(one, LOOPS)]
        return any(one in loops for one in facts.scopes.ancestors(node)) or _is_run_again(node, place, facts)
    if own is None and home is not None:
        # What calls the function that the place is in comes before it or after.
        if home in asked:
            return False
        calls = [one for one in _references(home, facts) if home not in facts.scopes.ancestors(one)]
        return not calls or any(not _is_called(one, facts) or may_run_after(node, one, facts, asked | {home}) for one in calls)
    if own is None or own in asked:
        return False
    references = _references(own, facts)
    if not references or own in facts.scopes.ancestors(place) or not _runs_when_called(own, facts):
        return True
    return any(not _is_called(one, facts) or may_run_after(one, place, facts, asked | {own}) for one in references)


def _is_run_again(node: gast.AST, place: gast.AST, facts: Facts) -> bool:
    """May a change be made once more, as its cell of a notebook is run again alone? Not where that makes another array first."""
    cells = facts.source.cells
    if cells is None or cells.place(node.lineno)[0] == cells.place(place.lineno)[0]:
        return False
    changed = node.target if isinstance(node, gast.AugAssign) else node
    while isinstance(changed, gast.Subscript | gast.Attribute | gast.Call):
        changed = changed.func if isinstance(changed, gast.Call) else changed.value
    if not isinstance(changed, gast.Name) or changed not in facts.scopes.names:
        return True
    owner = facts.scopes.names[changed].lookup(changed.id)
    own = cells.place(node.lineno)[0]
    before = [
        one
        for one in (owner.bindings[changed.id] if owner is not None else ())
        if cells.place(one.lineno)[0] == own and one.lineno < node.lineno and not isinstance(facts.parent(one), gast.AugAssign)
    ]
    for one in sorted(before, key=lambda one: one.lineno, reverse=True):
        if facts.parent(facts.scopes.statement(one)) is not facts.tree or not isinstance(one, gast.Name):
            return True
        if is_fresh(one, facts):
            return False
        value = assigned(one, facts)
        viewed = viewed_by(value, facts) if value is not None else None
        if not isinstance(viewed, gast.Name) or viewed.id != changed.id:
            return True  # it may be an array of another cell's
    return True


def _is_called(reference: gast.AST, facts: Facts) -> bool:
    call = facts.parent(reference)
    return isinstance(call, gast.Call) and call.func is reference


def _runs_when_called(function: Function, facts: Facts) -> bool:
    """Does a function run where it is called, and nowhere else?"""
    if isinstance(function, gast.Lambda | gast.AsyncFunctionDef) or function in facts.callers.generators or function.decorator_list:
        return False
    owner = facts.scopes.class_of(function)
    return owner is None or (not owner.bases and bool(facts.callers.calls_by_attribute(function.name)))


def _references(function: gast.AST, facts: Facts) -> list[gast.AST]:
    """Wherever a function may be reached from: by its name, wherever that is read."""
    name = getattr(function, "name", None)
    if name is None:
        match facts.parent(function):
            case gast.Assign(targets=[gast.Name(id=name)]):
                pass
            case _:
                return [function]
    found: list[gast.AST] = [one for one in facts.nodes((gast.Name,)) if one.id == name and isinstance(one.ctx, gast.Load)]
    return found + [one for one in facts.nodes((gast.Attribute,)) if one.attr == name and isinstance(one.ctx, gast.Load)]
