"""Follows the values through a program without running it, and remembers the kind of every expression.

One function at a time: names carry their kinds from statement to statement, branches join, loops are repeated until
nothing changes. What a function is called with is known from its annotations, its `input_signature`, and its calls
where no call can come from elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import gast

from tfrewrite.facts.contexts import Contexts
from tfrewrite.facts.imported import Imports, Thing, value_of
from tfrewrite.facts.names import Names
from tfrewrite.facts.scopes import COMPREHENSIONS, DEFINITIONS, FUNCTIONS, Function, Scope, Scopes, parameters
from tfrewrite.facts.walk.environment import Env, Iterations, See
from tfrewrite.facts.walk.kept_kinds import holds_lists, in_all_calls, named, out_of_graph, without_lists
from tfrewrite.facts.walk.observed_walk import ObservedWalk
from tfrewrite.facts.walk.statements import Walk
from tfrewrite.facts.walk.taken_before import Conversation, Taken
from tfrewrite.facts.worlds import World
from tfrewrite.kinds import DTYPES, UNKNOWN, Kind, Sort, Symbol, join, map_symbols, number, refined, rekeyed, sequence, tensor
from tfrewrite.ops.call import dims_of
from tfrewrite.ops.made import OF_KERAS, Made, family
from tfrewrite.ops.shared_results import row_of

if TYPE_CHECKING:
    from tfrewrite.facts.importers import ImporterCall


_ANNOTATIONS = {
    "tensorflow.Tensor": Kind(Sort.TENSOR),
    "tensorflow.Variable": Kind(Sort.VARIABLE),
    "numpy.ndarray": Kind(Sort.ARRAY, fixed=True),
    "builtins.int": number(None, "int"),
    "builtins.float": number(None, "float"),
    "builtins.bool": number(None, "bool"),
    "builtins.str": Kind(Sort.TEXT),
}
_SET_UP_BY_KERAS = frozenset({"build", "compile"})
_LIST_READERS = frozenset({"len", "enumerate", "zip", "reversed", "list", "tuple"})
_SET_UP_BY_KERAS = frozenset({"build", "compile"})
_WITHOUT_KIND = (gast.alias, *DEFINITIONS, gast.ClassDef)
_NOT_FOLLOWED = (gast.Yield, gast.YieldFrom, gast.Await, gast.Global, gast.Nonlocal, gast.Try, gast.With, gast.While)
_MOST_CALLS = 4  # that are followed into functions that call each other
_MOST_NODES = 400  # of a function that is followed for each of its calls


class Inference:
    """The kinds of all expressions of one module, found out one scope at a time when first asked for."""

    def __init__(
        self,
        tree: gast.Module,
        scopes: Scopes,
        names: Names,
        contexts: Contexts,
        world: World,
        seen: See | None = None,
        unsettled: Collection[str] = (),
        imports: Imports | None = None,
        taken: Taken | None = None,
    ) -> None:
        """`unsettled`: names of the module whose values may come from other places than the text's order says.

        `taken`: walks that were taken in other worlds, where nothing differs but callers and what was handed over or assumed.
        """
        self._taken = taken or Taken()
        self._imports = imports
        self._tree = tree
        self._unsettled = unsettled
        self._scopes = scopes
        self._names = names
        self._contexts = contexts
        self._callers = contexts.callers
        self._mutation = contexts.callers.mutation
        self._seen = seen
        self._believes_callers = world.callers_believed
        self._believed = world.believed
        self._handed = dict(world.handed)
        self._assumed = {loop: dict(kinds) for loop, kinds in world.assumed}
        self._kinds: dict[gast.AST, Kind] = {}
        self._returns: dict[gast.AST, Sequence[Kind]] = {}
        self._done: set[gast.AST] = set()
        self._running: set[gast.AST] = set()
        self._attributes: dict[tuple[gast.AST, str], Kind] = {}
        self._following: list[gast.AST] = []
        self._changes = 0
        self._followed: dict[Hashable, Kind | None] = {}
        """What calls give that were followed since anything has become known."""
        self._iterations: dict[gast.AST, Iterations] = {}
        self._short: dict[gast.AST, bool] = {}
        self._insides: dict[gast.AST, set[int]] = {}

    def is_unsettled(self, name: str) -> bool:
        return name in self._unsettled or self._mutation.module_is_open

    def iterations(self, loop: gast.AST) -> Iterations | None:
        """What a loop's names are before it and after an iteration; None for a loop that is never reached."""
        self.kind(loop.body[0])  # follows the function that the loop stands in
        return self._iterations.get(loop)

    def kind(self, node: gast.AST) -> Kind:
        """What is known of an expression's value; of a name that is assigned, what it is given."""
        self._follow(self._tree)
        self._follow(self._unit(node))
        return self._kinds.get(node, UNKNOWN)

    def _unit(self, node: gast.AST) -> gast.AST:
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Param):
            return self._scopes.names[node].node
        return self._scopes.function_of(node) or self._tree

    def _follow(self, unit: gast.AST) -> None:
        """Everything is unknown until a walk has ended, so what one walk finds is true whatever it was told.

        The first walk of a unit asks nothing of the functions that it calls: they may need to know what it calls them
        with. Where it called any, a second walk asks them.
        """
        if unit in self._done or unit in self._running:
            return
        self._changed()
        self._running.add(unit)
        before = len(self._attributes)
        calls_own = self._walked(unit, ask_functions=False)
        self._running.discard(unit)
        # What attributes are given was asked for before it was known what this unit hands to the functions that give them.
        for owner, name in [*self._attributes][before:]:
            self._attributes.pop((owner, name))
            self._done.difference_update(self._scopes.function_of(one) for one in self._mutation.attribute_stores(name))
        self._done.add(unit)
        self._changed()
        if calls_own:
            self._walked(unit, ask_functions=True)
            if unit is self._tree:
                # What functions are called with is known better now: what was found out about them meanwhile was
                # true, but may say too little.
                self._done = {unit}
                self._attributes.clear()
            self._changed()

    def _walked(self, unit: gast.AST, *, ask_functions: bool) -> bool:
        """Walk through a unit, and remember what is found. Does it call any function of the file?"""
        key = unit, ask_functions, frozenset(self._following)
        found = self._taken.units.taken(key, self, lambda conversation: self._walk(unit, conversation, ask_functions).run())
        self._returns[unit] = found.returns
        self._kinds.update(found.kinds)
        self._iterations.update(found.iterations)
        return found.called_own

    def _walk(self, unit: gast.AST, conversation: Conversation, ask_functions: bool) -> Walk:
        if self._seen is None:
            return Walk(self, unit, conversation, ask_functions=ask_functions)
        return ObservedWalk(self, unit, conversation, self._seen, ask_functions=ask_functions)

    def _changed(self) -> None:
        """More, or less, is known now than when calls were followed."""
        self._changes += 1
        self._followed.clear()

    def may_be_followed(self, function: Function) -> bool:
        """Can a call of it be followed from here, at little cost?"""
        enough = len(self._following) >= _MOST_CALLS or function in self._following or isinstance(function, gast.AsyncFunctionDef)
        return not enough and self.is_short(function)

    def followed(self, function: Function, given: Env, ask_functions: bool) -> Kind | None:
        """What a function returns when its parameters are of these kinds, by a walk that asks nothing of a run."""
        call = function, tuple(given.items()), ask_functions, frozenset(self._following)
        if call in self._followed:
            return self._followed[call]
        before = self._changes
        self._following.append(function)
        found = self._taken.calls.taken(
            call, self, lambda conversation: Walk(self, function, conversation, ask_functions=ask_functions).followed(given)
        )
        self._following.pop()
        if before == self._changes:
            self._followed[call] = found
        return found

    def assumed(self, loop: gast.AST) -> Mapping[str, Kind] | None:
        """What some names are taken to be when a loop begins."""
        return self._assumed.get(loop)

    def is_short(self, function: Function) -> bool:
        """Is it a plain function that can be followed for each of its calls at little cost?"""
        if function not in self._short:
            nodes = self._scopes.within(function)
            short = len(nodes) <= _MOST_NODES and not getattr(function, "decorator_list", ())
            self._short[function] = short and not any(isinstance(one, _NOT_FOLLOWED) for one in nodes)
        return self._short[function]

    def inside(self, function: gast.AST) -> set[int]:
        """The identities of all nodes of a function."""
        if function not in self._insides:
            self._insides[function] = {id(node) for node in gast.walk(function)}
        return self._insides[function]

    def method_called(self, call: gast.Call) -> Function | None:
        """The method that a call on an object of this file's own class runs."""
        self._follow(self._tree)
        self._follow(self._unit(call))
        named = isinstance(call.func, gast.Attribute)
        owner = self._kinds.get(call.func.value if named else call.func, UNKNOWN).instance
        return self._callers.method_of(owner, call.func.attr if named else "__call__")

    # What comes from other files

    def imported(self, node: gast.AST) -> Thing | None:
        """What an expression stands for that the file imports from its project, unless it puts something else in its place."""
        thing = None if self._imports is None else self._imports.thing(node)
        if thing is None:
            return None
        name = thing.name
        return None if self._mutation.attribute_stores(name) or self._mutation.set_by_text(name) else thing

    def imported_value(self, node: gast.AST) -> Kind | None:
        thing = self.imported(node)
        return None if thing is None else value_of(thing, self._names.keras_is_set_up)

    def returned_for(self, function: Function, given: Mapping[str, Kind]) -> Kind:
        """What a function of this file returns where its parameters are of these kinds."""
        self._follow(self._tree)
        known = self.returned(function)
        found = self.followed(function, Env(given), True) if self.may_be_followed(function) else None
        return known if found is None else refined(known, found)

    # What one scope learns from others

    def teller(self, name: str, scope: Scope) -> Scope | None:
        """The scope that a name belongs to, where that may know what the name is given."""
        owner = scope.lookup(name)
        if owner is None or isinstance(owner.node, gast.ClassDef) or name in owner.shared:
            return None
        if owner is self._scopes.module and all(isinstance(one, _WITHOUT_KIND) for one in owner.bindings[name]):
            return None
        return owner

    def outer_name(self, name: str, owner: Scope) -> Kind:
        """A name that belongs to another scope: whatever that scope gives it anywhere."""
        self._follow(self._unit(owner.node) if isinstance(owner.node, COMPREHENSIONS) else owner.node)
        kind: Kind | None = None
        for binding in owner.bindings[name]:
            found = self._kinds.get(binding, UNKNOWN)
            kind = found if kind is None else join(kind, found)
        kind = kind or UNKNOWN
        if len(owner.bindings[name]) > 1:
            kind = map_symbols(kind, lambda symbol: None)
        kind = map_symbols(kind, lambda symbol: None if symbol.loops else symbol)
        return self.settled(kind, name, owner)

    def settled(self, kind: Kind, name: str, owner: Scope) -> Kind:
        """Lists and arrays can be changed by whoever holds them: keep only what no change can take away."""
        if isinstance(kind.instance, Made) and kind.instance.name == "keras.Sequential" and self._callers.attribute_loads("add"):
            return replace(kind, instance=Made(kind.instance.name))
        if kind.sort is Sort.DICT and not self._mutation.never_changed(name, owner):
            return Kind(Sort.DICT)
        if kind.sort is Sort.LIST and not self._mutation.never_changed(name, owner):
            return Kind(Sort.LIST, each=kind.each) if self._mutation.only_grows(name, owner) else Kind(Sort.LIST)
        if holds_lists(kind) and not self._mutation.only_computed_with(name, owner):
            return replace(kind, items=kind.items and tuple(map(without_lists, kind.items)), each=kind.each and without_lists(kind.each))
        return kind

    def class_of_self(self, node: gast.AST) -> gast.ClassDef | None:
        """The class whose own object a name stands for: `self` in one of its methods."""
        function = self._scopes.function_of(node) if isinstance(node, gast.Name) else None
        owner = self._scopes.class_of(function) if function is not None else None
        return owner if owner is not None and self._is_self(node, function) else None

    def attribute_of(self, owner: gast.ClassDef, name: str) -> Kind:
        """`self.w`, where the class gives it in `__init__` alone and nothing else in the file does."""
        key = (owner, name)
        if key not in self._attributes:
            self._changed()
            self._attributes[key] = UNKNOWN
            self._attributes[key] = self._assigned_attribute(owner, name)
            self._changed()
        return self._attributes[key]

    def _is_self(self, node: gast.AST, function: gast.AST | None) -> bool:
        if not isinstance(node, gast.Name) or not isinstance(function, DEFINITIONS):
            return False
        if not self._callers.takes_self(function) or any(self._names(one) == "builtins.classmethod" for one in function.decorator_list):
            return False
        positional = parameters(function)
        own = self._scopes.of[function]
        if not positional or node.id != positional[0].id or self._scopes.names[node].lookup(node.id) is not own:
            return False
        return len(own.bindings[node.id]) == 1 and not self._callers.taken_from_class(function)

    def _assigned_attribute(self, owner: gast.ClassDef, name: str) -> Kind:
        stores = [one for one in self._mutation.attribute_stores(name) if not self._belongs_to_another(one, owner)]
        if len(stores) != 1 or self._mutation.attribute_is_hidden(name) or self._mutation.attributes_are_made_up:
            return UNKNOWN
        store = stores[0]
        function = self._scopes.function_of(store)
        parent = self._scopes.parents[store]
        match self._scopes.parents[parent] if isinstance(parent, gast.Tuple) else parent:
            case gast.Assign(targets=[target], value=value) if target is store:
                pass
            case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=values)) if len(targets) == len(values):
                value = next((given for target, given in zip(targets, values, strict=True) if target is store), None)
                if value is None or any(isinstance(one, gast.Starred) for one in (*targets, *values)):
                    return UNKNOWN
            case gast.AnnAssign(target=target, value=gast.expr() as value) if target is store:
                pass
            case _:
                return UNKNOWN
        if not isinstance(function, DEFINITIONS) or self._scopes.class_of(function) is not owner:
            return UNKNOWN
        of_keras = bool(self._callers.kept_by_keras(owner))
        if of_keras and name in OF_KERAS:
            return UNKNOWN  # Keras gives it too
        if function.name != "__init__":
            # Another call of `compile` gives it anew, of the same sort.
            again = of_keras and function.name in _SET_UP_BY_KERAS
            return map_symbols(without_lists(self.kind(value)), lambda symbol: None) if again else UNKNOWN
        if self._mutation.is_initialised_after(function, store):
            return UNKNOWN  # a base class from elsewhere may give it again
        kind = self._kept_list(self.kind(value), name)
        # What `__init__` is given is the same for all that one object keeps of it.
        fixed_size = map_symbols(
            kind, lambda symbol: None if symbol.loops else rekeyed(symbol, lambda key: ("attribute", id(owner), key), symbol.loops)
        )
        if kind.is_tensor and kind.shape is None or fixed_size != kind:
            # The same object for good, so its sizes are the same wherever it is read.
            fixed_size = named(fixed_size, ("attribute", id(owner), name), f"self.{name}", frozenset())
        return fixed_size

    def _kept_list(self, kind: Kind, name: str) -> Kind:
        """A list that an attribute holds and the file only reads or appends to keeps what its members have in common."""
        if kind.sort is not Sort.LIST:
            return without_lists(kind)
        each = kind.each
        for use in self._callers.attribute_loads(name):
            if not isinstance(use.ctx, gast.Load):
                continue
            parent = self._scopes.parents[use]
            match parent:
                case gast.For(iter=one) | gast.comprehension(iter=one) if one is use:
                    pass
                case gast.Subscript(value=one, ctx=gast.Load()) if one is use:
                    pass
                case gast.Call(func=func) if (self._names(func) or "").removeprefix("builtins.") in _LIST_READERS:
                    pass
                case gast.Attribute(attr="append"):
                    call = self._scopes.parents[parent]
                    if not isinstance(call, gast.Call) or call.func is not parent or len(call.args) != 1 or call.keywords:
                        return Kind(Sort.LIST)
                    member = without_lists(self.kind(call.args[0]))
                    each = member if each is None and kind.items == () else join(each, member) if each is not None else None
                    kind = Kind(Sort.LIST)
                case _:
                    return Kind(Sort.LIST)
        return Kind(Sort.LIST, each=None if each is None else map_symbols(without_lists(each), lambda symbol: None))

    def _belongs_to_another(self, store: gast.Attribute, owner: gast.ClassDef) -> bool:
        """Is it an attribute of an object of another class, which has nothing to do with this one?"""
        function = self._scopes.function_of(store)
        other = None if function is None else self._scopes.class_of(function)
        if other is None or other is owner or not self._is_self(store.value, function):
            return False
        if not self._callers.are_apart(owner, other):
            return False
        names = [one for base in (*owner.bases, *other.bases) for one in gast.walk(base) if isinstance(one, gast.Name)]
        own = {"object", *(one.id for one in names if self._names(one) is not None)}
        return not {one.id for one in names} - own

    def returned(self, function: gast.AST) -> Kind:
        """What a function of this file returns; sizes that only it knows are forgotten."""
        if (
            not isinstance(function, FUNCTIONS)
            or isinstance(function, gast.AsyncFunctionDef)
            or not self._callers.plainly_decorated(function)
        ):
            return UNKNOWN
        self._follow(function)
        if function not in self._done:
            return UNKNOWN
        if function in self._callers.generators:
            return UNKNOWN
        found = self._returns.get(function, [])
        if not found:
            return UNKNOWN
        kind = found[0]
        for other in found[1:]:
            kind = join(kind, other)
        kind = without_lists(kind)
        return map_symbols(out_of_graph(kind) if self._callers.may_be_traced(function) else kind, lambda symbol: None)

    def parameter(self, function: Function, index: int, name: gast.Name) -> Kind:
        if (handed := self._handed.get(name)) is not None:
            return named(handed, id(name), name.id, frozenset())
        if index == 0 and (holder := self._scopes.class_of(function)) is not None and self._callers.takes_self(function):
            if (base := self._callers.kept_by_keras(holder)) and not isinstance(function, gast.Lambda) and not function.decorator_list:
                return Kind(Sort.OBJECT, value=Symbol((id(name), "object"), name.id), instance=Made(family(base)))
        if index == 0 and (owner := self._callers.sole_class(function)) is not None:
            return Kind(Sort.OBJECT, value=Symbol((id(name), "object"), name.id), instance=owner)
        kind = self._declared(function, index, name)
        if kind == UNKNOWN:
            kind = self._from_calls(function, index, name)
        elif (kind.is_tensor or kind.sort is Sort.NUMBER) and self._callers.signature(function) is None:
            # An annotation says no dtype, no shape and no value.
            kind = refined(kind, self._from_calls(function, index, name))
        if self._callers.may_have_signature(function) and not kind.is_tensor:
            kind = UNKNOWN  # a number may have become a tensor
        if self._contexts.traced(function) and kind.sort is Sort.ARRAY:
            kind = tensor(kind.dtype, kind.shape)
        elif kind.sort in (Sort.TENSOR, Sort.ARRAY) and not self._contexts.traced(function):
            kind = replace(kind, fixed=False)
        if kind.sort is Sort.UNKNOWN and self._mutation.changes_in_place(function, name.id):
            return UNKNOWN
        extra = function.args.vararg, function.args.kwarg
        if name in extra:
            return UNKNOWN
        if kind.value is None and (kind.sort in (Sort.UNKNOWN, Sort.OBJECT) or (kind.sort is Sort.NUMBER and kind.dtype == "int")):
            kind = replace(kind, value=Symbol((id(name), "value"), name.id))
        if kind.sort not in (Sort.UNKNOWN, Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY):
            return kind
        return named(replace(kind, fixed=False), id(name), name.id, frozenset())

    def _declared(self, function: Function, index: int, name: gast.Name) -> Kind:
        if (specs := self._callers.signature(function)) is not None:
            position = index - (1 if self._callers.takes_self(function) else 0)
            if 0 <= position < len(specs):
                return self._of_spec(specs[position])
        declared = UNKNOWN if name.annotation is None else self._annotated(name.annotation)
        if declared.sort is Sort.TENSOR:
            # Variables and arrays are given for tensors too: where the file shows it, the annotation is no promise.
            arrays = Sort.ARRAY if self._contexts.traced(function) else Sort.TENSOR
            given = {self._argument(function, index, name, call).sort for call in self._callers.calls(function, believed=True)}
            given |= {self._argument_elsewhere(function, index, name, call).sort for call in self._callers.calls_elsewhere(function) or ()}
            return declared if given <= {Sort.TENSOR, Sort.UNKNOWN, arrays} else UNKNOWN
        return declared

    def _annotated(self, annotation: gast.AST) -> Kind:
        match annotation:
            case gast.Constant(value=str(text)):
                tail = text.strip().split(".")[-1]
                return _ANNOTATIONS.get(f"tensorflow.{tail}", UNKNOWN) if text in ("tf.Tensor", "tf.Variable") else UNKNOWN
        return _ANNOTATIONS.get(self._names(annotation) or "", UNKNOWN)

    def _of_spec(self, spec: gast.AST) -> Kind:
        match spec:
            case gast.Call(func=func, args=args, keywords=keywords) if self._names(func) == "tensorflow.TensorSpec":
                given = dict(zip(("shape", "dtype"), args, strict=False)) | {one.arg: one.value for one in keywords if one.arg}
                shape = dims_of(_literal_shape(given["shape"])) if "shape" in given else None
                dtype = self.dtype(given["dtype"]) if "dtype" in given else "float32"
                return tensor(dtype, shape)
        return UNKNOWN

    def _from_calls(self, function: Function, index: int, name: gast.Name) -> Kind:
        believed = self._believes_callers or function in self._believed
        calls = self._callers.calls(function, believed) or self._calls_of_method(function)
        others: tuple[ImporterCall, ...] = ()
        if not calls and (found := self._callers.calls_elsewhere(function)) is not None:
            calls, others = self._callers.calls(function, True), found
        kinds = [self._argument(function, index, name, call) for call in calls]
        kinds += [self._argument_elsewhere(function, index, name, call) for call in others]
        if not kinds:
            return UNKNOWN
        kind = in_all_calls(kinds, id(function), name.id)
        # Where the function only reads a list, nobody changes it: who handed it over has said so of its own name.
        own = kind.sort is Sort.LIST and not holds_lists(kind) and self._mutation.never_changed(name.id, self._scopes.of[function])
        return kind if own else without_lists(kind)

    def _calls_of_method(self, function: Function) -> list[gast.Call]:
        """Every call of a method, where it is known what it is called on."""
        owner = self._callers.sole_class(function)
        name = getattr(function, "name", "")
        if owner is None or (name.startswith("__") and name != "__init__"):
            return []
        if name == "__init__":
            return self._callers.makings(owner)
        calls = self._callers.calls_by_attribute(name)
        methods = [self.method_called(one) for one in calls]
        # Another class may have a method of that name, where it is known which of them each call is made on.
        return [] if None in methods else [call for call, method in zip(calls, methods, strict=True) if method is function]

    def _argument(self, function: Function, index: int, name: gast.Name, call: gast.Call) -> Kind:
        if self._callers.maps_rows(call, function):
            mapped = self._callers.mapped(call)
            if mapped is not None:
                # A tuple of tensors arrives as one tuple, a list as one list.
                elems = self.kind(mapped[1])
                return row_of(elems) if index == 0 and elems.sort is not Sort.LIST else UNKNOWN
            rows = self.kind(call.func.value).each
            if rows is None:
                return UNKNOWN
            if rows.sort is Sort.TUPLE:
                return rows.items[index] if rows.items is not None and index < len(rows.items) else UNKNOWN
            return rows if index == 0 else UNKNOWN
        if any(isinstance(one, gast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
            return UNKNOWN
        place = index - 1 if self._callers.takes_self(function) else index
        if 0 <= place < len(call.args) and name in (*function.args.posonlyargs, *function.args.args):
            return self.kind(call.args[place])
        for keyword in call.keywords:
            if keyword.arg == name.id:
                return self.kind(keyword.value)
        return self._default(function, name)

    def _argument_elsewhere(self, function: Function, index: int, name: gast.Name, call: ImporterCall) -> Kind:
        if call.starred:
            return UNKNOWN
        if index < len(call.arguments) and name in (*function.args.posonlyargs, *function.args.args):
            return call.arguments[index]
        return next((kind for keyword, kind in call.keywords if keyword == name.id), None) or self._default(function, name)

    def _default(self, function: Function, name: gast.Name) -> Kind:
        positional = [*function.args.posonlyargs, *function.args.args]
        if name in positional:
            place = positional.index(name) - len(positional) + len(function.args.defaults)
            return self.kind(function.args.defaults[place]) if place >= 0 else UNKNOWN
        return UNKNOWN

    def dtype(self, node: gast.AST, record: Mapping[gast.AST, Kind] | None = None) -> str | None:
        """The dtype that an expression names: `tf.float32`, `np.float32`, `"float32"`, `x.dtype`."""
        match node:
            case gast.Constant(value=str(text)):
                return text if text in DTYPES else None
            case gast.Attribute(value=value, attr="dtype"):
                return (self._kinds if record is None else record).get(value, UNKNOWN).dtype
        match self._names(node):
            case "builtins.float":
                return "float32"  # to TensorFlow; NumPy sees it otherwise
            case "builtins.int":
                return "int64"
            case "builtins.bool":
                return "bool"
            case str(name) if name.startswith(("tensorflow.", "numpy.")) and name.count(".") == 1:
                short = name.partition(".")[2]
                return short if short in DTYPES else None
        return None


def _literal_shape(node: gast.AST) -> Kind:
    match node:
        case gast.List(elts=elts) | gast.Tuple(elts=elts):
            items = [one.value if isinstance(one, gast.Constant) and isinstance(one.value, int) else None for one in elts]
            return sequence(Sort.TUPLE, tuple(number(value) for value in items))
    return UNKNOWN
