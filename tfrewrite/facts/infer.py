"""Follows the values through a program without running it, and remembers the kind of every expression.

One function at a time: names carry their kinds from statement to statement, branches join, loops are repeated until
nothing changes. What a function is called with is known from its annotations, its `input_signature`, and its calls
where no call can come from elsewhere.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import gast

from tfrewrite.equalities import NONE_KNOWN, Equalities, Equality
from tfrewrite.facts.contexts import Contexts
from tfrewrite.facts.imported import Foreign, Imports, Thing, class_of, function_of, portable, value_of
from tfrewrite.facts.names import Names
from tfrewrite.facts.scopes import COMPREHENSIONS, DEFINITIONS, FUNCTIONS, Function, Scope, Scopes, bound_arguments, parameters, walk_within
from tfrewrite.facts.worlds import World
from tfrewrite.kinds import (
    DTYPES,
    FLOATS,
    INTEGERS,
    UNKNOWN,
    Dim,
    Entries,
    Kind,
    Shape,
    Sort,
    Symbol,
    broadcast,
    contradicts,
    divided_by,
    join,
    join_all,
    map_symbols,
    number,
    of_shape,
    refined,
    rekeyed,
    same_shape,
    sequence,
    size_at,
    taken_from,
    tensor,
    times,
)
from tfrewrite.ops import method, op
from tfrewrite.ops.call import Call, arithmetic, as_tensor, dims_of, divided, elementwise, one_dtype
from tfrewrite.ops.made import OF_KERAS, Made, family, is_input
from tfrewrite.ops.operators import of_operator
from tfrewrite.ops.row import Op
from tfrewrite.ops.shared_results import matmul_shape, modulo, row_of

if TYPE_CHECKING:
    from tfrewrite.facts.importers import ImporterCall


class Env(dict[str, Kind]):
    """The kinds of the names at one place, and which of their sizes are known to be the same there."""

    def __init__(self, kinds: Mapping[str, Kind] = MappingProxyType({}), same: Equalities = NONE_KNOWN) -> None:
        super().__init__(kinds)
        self.same = same

    def copy(self) -> Env:
        return Env(self, self.same)

    def given(self, kinds: Mapping[str, Kind]) -> Env:
        """The same, where some names are others."""
        return Env({**self, **kinds}, self.same)

    def learn(self, equalities: Iterable[Equality]) -> None:
        self.same = self.same.with_(equalities)


See = Callable[[gast.AST], Kind | None]
"""What a run has seen of an expression."""
MOST_ROUNDS = 6  # of following a loop before what still changes is given up as unknown

_ANNOTATIONS = {
    "tensorflow.Tensor": Kind(Sort.TENSOR),
    "tensorflow.Variable": Kind(Sort.VARIABLE),
    "numpy.ndarray": Kind(Sort.ARRAY, fixed=True),
    "builtins.int": number(None, "int"),
    "builtins.float": number(None, "float"),
    "builtins.bool": number(None, "bool"),
    "builtins.str": Kind(Sort.TEXT),
}


@dataclass(frozen=True)
class Iterations:
    """The kinds of the names that a loop gives: before it, at the beginning of any iteration, and at the end of any.

    Sizes that only one iteration knows are forgotten at its end. `same` are the sizes that are known to be the same after any iteration.
    """

    before: Mapping[str, Kind]
    head: Mapping[str, Kind]
    end: Mapping[str, Kind]
    same: Equalities = NONE_KNOWN


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
    ) -> None:
        """`unsettled`: names of the module whose values may come from other places than the text's order says."""
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
        self._returns: dict[gast.AST, list[Kind]] = {}
        self._done: set[gast.AST] = set()
        self._running: set[gast.AST] = set()
        self._attributes: dict[tuple[gast.AST, str], Kind] = {}
        self._following: list[gast.AST] = []
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
        self._running.add(unit)
        before = len(self._attributes)
        walk = self._walk(unit, ask_functions=False)
        walk.run()
        self._running.discard(unit)
        # What attributes are given was asked for before it was known what this unit hands to the functions that give them.
        for owner, name in [*self._attributes][before:]:
            self._attributes.pop((owner, name))
            self._done.difference_update(self._scopes.function_of(one) for one in self._mutation.attribute_stores(name))
        self._done.add(unit)
        if walk.called_own:
            self._walk(unit, ask_functions=True).run()
            if unit is self._tree:
                # What functions are called with is known better now: what was found out about them meanwhile was
                # true, but may say too little.
                self._done = {unit}
                self._attributes.clear()

    def _walk(self, unit: gast.AST, *, ask_functions: bool) -> _Walk:
        if self._seen is None:
            return _Walk(self, unit, ask_functions=ask_functions)
        return _ObservedWalk(self, unit, self._seen, ask_functions=ask_functions)

    def is_short(self, function: gast.FunctionDef | gast.Lambda) -> bool:
        """Is it a plain function that can be followed for each of its calls at little cost?"""
        if function not in self._short:
            nodes = self._scopes.within(function)
            short = len(nodes) <= _MOST_NODES and not getattr(function, "decorator_list", ())
            self._short[function] = short and not any(isinstance(one, _NOT_FOLLOWED) for one in nodes)
        return self._short[function]

    def inside(self, function: gast.FunctionDef | gast.Lambda) -> set[int]:
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
        walk = _Walk(self, self._tree, ask_functions=True)
        return walk._followed(function, Env(given), known)

    # What one scope learns from others

    def outer_name(self, node: gast.Name, scope: Scope) -> Kind:
        """A name that belongs to another scope: whatever that scope gives it anywhere."""
        owner = scope.lookup(node.id)
        if owner is None or isinstance(owner.node, gast.ClassDef) or node.id in owner.shared:
            return UNKNOWN
        if owner is self._scopes.module and all(isinstance(one, _WITHOUT_KIND) for one in owner.bindings[node.id]):
            return UNKNOWN
        self._follow(self._unit(owner.node) if isinstance(owner.node, COMPREHENSIONS) else owner.node)
        kind: Kind | None = None
        for binding in owner.bindings[node.id]:
            found = self._kinds.get(binding, UNKNOWN)
            kind = found if kind is None else join(kind, found)
        kind = kind or UNKNOWN
        if len(owner.bindings[node.id]) > 1:
            kind = map_symbols(kind, lambda symbol: None)
        kind = map_symbols(kind, lambda symbol: None if symbol.loops else symbol)
        return self.settled(kind, node.id, owner)

    def settled(self, kind: Kind, name: str, owner: Scope) -> Kind:
        """Lists and arrays can be changed by whoever holds them: keep only what no change can take away."""
        if isinstance(kind.instance, Made) and kind.instance.name == "keras.Sequential" and self._callers.attribute_loads("add"):
            return replace(kind, instance=Made(kind.instance.name))
        if kind.sort is Sort.DICT and not self._mutation.never_changed(name, owner):
            return Kind(Sort.DICT)
        if kind.sort is Sort.LIST and not self._mutation.never_changed(name, owner):
            return Kind(Sort.LIST, each=kind.each) if self._mutation.only_grows(name, owner) else Kind(Sort.LIST)
        if _holds_lists(kind) and not self._mutation.only_computed_with(name, owner):
            return replace(kind, items=kind.items and tuple(map(without_lists, kind.items)), each=kind.each and without_lists(kind.each))
        return kind

    def attribute(self, node: gast.Attribute) -> Kind:
        """`self.w`, where the class gives it in `__init__` alone and nothing else in the file does."""
        if not isinstance(node.value, gast.Name):
            return UNKNOWN
        function = self._scopes.function_of(node)
        owner = self._scopes.class_of(function) if function is not None else None
        if owner is None or not self._is_self(node.value, function):
            return UNKNOWN
        return self.attribute_of(owner, node.attr)

    def attribute_of(self, owner: gast.ClassDef, name: str) -> Kind:
        key = (owner, name)
        if key not in self._attributes:
            self._attributes[key] = UNKNOWN
            self._attributes[key] = self._assigned_attribute(owner, name)
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
        kind = _in_all_calls(kinds, id(function), name.id)
        # Where the function only reads a list, nobody changes it: who handed it over has said so of its own name.
        own = kind.sort is Sort.LIST and not _holds_lists(kind) and self._mutation.never_changed(name.id, self._scopes.of[function])
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


_WITHOUT_KIND = (gast.alias, *DEFINITIONS, gast.ClassDef)


def without_lists(kind: Kind) -> Kind:
    """The kind without the members of lists: whoever else holds a list can change it."""
    if kind.sort in (Sort.LIST, Sort.DICT):
        return Kind(kind.sort)
    if kind.items is None and kind.each is None:
        return kind
    return replace(kind, items=kind.items and tuple(map(without_lists, kind.items)), each=kind.each and without_lists(kind.each))


def _holds_lists(kind: Kind) -> bool:
    members = (*(kind.items or ()), *((kind.each,) if kind.each is not None else ()))
    return any(member.sort in (Sort.LIST, Sort.DICT) or _holds_lists(member) for member in members)


def _of_object(kind: Kind, owner: Kind) -> Kind:
    """An attribute of one particular object: another one of its class may have other sizes."""
    whose = owner.value
    if not isinstance(whose, Symbol):
        return map_symbols(kind, lambda symbol: None)
    return map_symbols(kind, lambda symbol: rekeyed(symbol, lambda key: (key, whose.key), whose.loops))


def out_of_graph(kind: Kind) -> Kind:
    """What a graph hands out: tensors stay tensors, and what else becomes one is not looked into."""
    match kind.sort:
        case Sort.TENSOR | Sort.NONE:
            return kind
        case Sort.TUPLE | Sort.LIST:
            each = None if kind.each is None else out_of_graph(kind.each)
            return replace(kind, value=None, items=kind.items and tuple(map(out_of_graph, kind.items)), each=each)
    return UNKNOWN


def _in_all_calls(kinds: Sequence[Kind], function: int, name: str) -> Kind:
    """What a parameter is whoever calls. Sizes that are the same in each of the calls stay the same, though each call has its own."""
    kind = map_symbols(join_all(tuple(kinds)), lambda symbol: None)
    if kind.sort is Sort.NUMBER and kind.value is None and kind.dtype == "int":
        return replace(kind, value=_in_each([one.value for one in kinds], function, name))
    if kind.items is not None:
        members = [[one.items[place] for one in kinds if one.items is not None] for place in range(len(kind.items))]
        return replace(kind, items=tuple(_in_all_calls(one, function, f"{name}[{place}]") for place, one in enumerate(members)))
    shapes = [one.shape for one in kinds if isinstance(one.shape, tuple)]
    if not isinstance(kind.shape, tuple) or len(shapes) != len(kinds):
        return kind
    sizes = (
        known if known is not None else _in_each([one[axis] for one in shapes], function, f"{name}.shape[{axis}]")
        for axis, known in enumerate(kind.shape)
    )
    return of_shape(kind, tuple(sizes))


def _in_each(sizes: Sequence[object], function: int, name: str) -> Symbol | None:
    """One of a function's sizes by what it is in each call."""
    known = tuple(one for one in sizes if isinstance(one, int | Symbol) and not isinstance(one, bool))
    return Symbol((function, "calls", known), name) if len(known) == len(sizes) else None


def _literal_shape(node: gast.AST) -> Kind:
    match node:
        case gast.List(elts=elts) | gast.Tuple(elts=elts):
            items = [one.value if isinstance(one, gast.Constant) and isinstance(one.value, int) else None for one in elts]
            return sequence(Sort.TUPLE, tuple(number(value) for value in items))
    return UNKNOWN


def named(kind: Kind, key: object, name: str, loops: frozenset[int]) -> Kind:
    """The kind with symbols in place of the sizes that aren't known."""
    match kind.shape:
        case None:
            return of_shape(kind, Symbol((key, "shape"), name, loops))
        case tuple() if None in kind.shape:
            dims = (Symbol((key, axis), f"{name}.shape[{axis}]", loops) if dim is None else dim for axis, dim in enumerate(kind.shape))
            return of_shape(kind, tuple(dims))
    return kind


class _Walk:
    """One pass through the statements of a module or function."""

    def __init__(self, inference: Inference, unit: gast.AST, *, ask_functions: bool) -> None:
        self.called_own = False
        self._ask_functions = ask_functions
        self._all = inference
        self._unit = unit
        self._scopes = inference._scopes
        self._names = inference._names
        self._record: dict[gast.AST, Kind] = {}
        self._scope = self._scopes.of[unit]
        self._loops: tuple[int, ...] = ()
        self._exits: list[list[Env]] = []
        self._class_names: tuple[str, ...] = ()
        self._returns: list[Kind] = []
        self._apart = False
        """Is it one call alone that is followed, which says nothing of others?"""

    def run(self) -> None:
        env = Env()
        match self._unit:
            case gast.Module(body=body):
                self._block(body, env)
            case gast.Lambda(body=body):
                self._enter(env)
                self._returns.append(self._expression(body, env))
            case gast.FunctionDef(body=body) | gast.AsyncFunctionDef(body=body):
                self._enter(env)
                if self._block(body, env) is not None:
                    self._returns.append(Kind(Sort.NONE))
        self._all._returns[self._unit] = self._returns
        self._all._kinds.update(self._record)

    def _enter(self, env: Env) -> None:
        assert isinstance(self._unit, FUNCTIONS)
        for index, name in enumerate(parameters(self._unit)):
            if name.id not in self._scope.shared:  # else an inner function may give it anew
                env[name.id] = self._record[name] = self._all.parameter(self._unit, index, name)

    # Statements: each takes the names' kinds before it and leaves those after it; None where it doesn't end.

    def _block(self, statements: Sequence[gast.stmt], env: Env | None) -> Env | None:
        for statement in statements:
            if env is None:
                # Never reached: its expressions are recorded as unknown.
                return None
            env = self._statement(statement, env)
        return env

    def _statement(self, statement: gast.stmt, env: Env) -> Env | None:
        match statement:
            case gast.Assign(targets=targets, value=value):
                self._learn_from_unpacking(targets, value, env)
                kind = self._expression(value, env)
                for target in targets:
                    self._bind(target, kind if len(targets) == 1 else without_lists(kind), env)
            case gast.AnnAssign(target=target, value=value):
                if value is not None:
                    self._bind(target, self._expression(value, env), env)
            case gast.AugAssign(target=target, op=op, value=value):
                self._augmented(target, op, value, env)
            case gast.Expr(value=value):
                self._expression(value, env)
                self._learn_from_call(value, env)
                self._layer_added(value, env)
                self._appended(value, env)
            case gast.Return(value=value):
                self._returns.append(Kind(Sort.NONE) if value is None else self._expression(value, env))
                return None
            case gast.If(test=test, body=body, orelse=orelse):
                self._expression(test, env)
                holds, fails = env.copy(), env.copy()
                self._learn_from_test(test, True, holds)
                self._learn_from_test(test, False, fails)
                return self._join(statement, self._block(body, holds), self._block(orelse, fails))
            case gast.While(test=test, body=body, orelse=orelse):
                return self._loop(statement, env)
            case gast.For() | gast.AsyncFor():
                self._expression(statement.iter, env)
                return self._loop(statement, env)
            case gast.With(items=items, body=body) | gast.AsyncWith(items=items, body=body):
                return self._with(statement, items, body, env)
            case gast.Try(body=body) | gast.TryStar(body=body):
                return self._try(statement, env)
            case gast.Match(subject=subject, cases=cases):
                self._expression(subject, env)
                ends = [self._case(case, env) for case in cases]
                result: Env | None = env
                for end in ends:
                    result = self._join(statement, result, end)
                return result
            case gast.Break() | gast.Continue():
                if self._exits:
                    self._exits[-1].append(env.copy())
                return None
            case gast.Raise():
                self._children(statement, env)
                return None
            case gast.Assert(test=test):
                self._children(statement, env)
                self._learn_from_test(test, True, env)
            case gast.Delete(targets=targets):
                for target in targets:
                    if isinstance(target, gast.Name):
                        env.pop(target.id, None)
                    else:
                        self._children(target, env)
            case gast.FunctionDef() | gast.AsyncFunctionDef():
                for node in (*statement.decorator_list, *statement.args.defaults, *(one for one in statement.args.kw_defaults if one)):
                    self._expression(node, env)
                env[statement.name] = UNKNOWN
            case gast.ClassDef():
                for node in (*statement.decorator_list, *statement.bases, *(one.value for one in statement.keywords)):
                    self._expression(node, env)
                self._class_body(statement, env)
                env[statement.name] = UNKNOWN
            case gast.Import() | gast.ImportFrom():
                for alias in statement.names:
                    env[alias.asname or alias.name.partition(".")[0]] = UNKNOWN
            case _:
                self._children(statement, env)
        return env

    def _class_body(self, statement: gast.ClassDef, env: Env) -> None:
        inner = env.copy()
        outer_names, self._class_names = self._class_names, tuple(self._scopes.of[statement].bindings)
        for one in statement.body:
            after = self._statement(one, inner)
            inner = inner if after is None else after
        self._class_names = outer_names

    def _children(self, node: gast.AST, env: Env) -> None:
        for child in gast.iter_child_nodes(node):
            if isinstance(child, gast.expr):
                self._expression(child, env)
            elif not isinstance(child, gast.stmt):
                self._children(child, env)

    def _case(self, case: gast.AST, env: Env) -> Env | None:
        for node in gast.walk(case.pattern):
            if name := getattr(node, "name", None) or getattr(node, "rest", None):
                env[name] = UNKNOWN
        if case.guard is not None:
            self._perhaps(case.guard, env)
        # What a pattern has taken stays where its guard fails.
        return self._block(case.body, env.copy())

    def _with(self, statement: gast.AST, items: Iterable[gast.AST], body: Sequence[gast.stmt], env: Env) -> Env | None:
        known = True
        for item in items:
            kind = self._expression(item.context_expr, env)
            called = item.context_expr.func if isinstance(item.context_expr, gast.Call) else item.context_expr
            known = known and (self._names(called) or "").startswith("tensorflow.")
            if item.optional_vars is not None:
                self._bind(item.optional_vars, kind if kind.sort is Sort.TAPE else UNKNOWN, env)
        after = self._block(body, env.copy())
        # A context manager may swallow an exception: then not all of the body was run.
        return after if known else self._join(statement, after, self._forget(statement, env))

    def _try(self, statement: gast.AST, env: Env) -> Env | None:
        interrupted = self._forget(statement, env)
        left = len(self._exits[-1]) if self._exits else 0
        end = self._block(statement.body, env.copy())
        end = self._block(statement.orelse, end)
        for handler in statement.handlers:
            start = interrupted.copy()
            if isinstance(handler.name, gast.Name):
                start[handler.name.id] = UNKNOWN
            end = self._join(statement, end, self._block(handler.body, start))
        if statement.finalbody:
            # What leaves the loop from here runs it on its way.
            for leaving in self._exits[-1][left:] if self._exits else ():
                leaving.update(dict.fromkeys(self._assigned_in(statement.finalbody), UNKNOWN))
            after_end = self._block(statement.finalbody, end)
            # It runs after an exception too: of its expressions, what holds then is what holds.
            after = self._block(statement.finalbody, interrupted.copy())
            return None if after is None else after_end
        return end

    def _forget(self, statement: gast.AST, env: Env) -> Env:
        """Some of the statement may have been run: what it assigns anywhere is unknown."""
        return env.given(dict.fromkeys(self._assigned_in([statement]), UNKNOWN))

    def _assigned_in(self, statements: Sequence[gast.AST]) -> list[str]:
        nodes = (node for statement in statements for node in (statement, *walk_within(statement)))
        found = {
            name
            for node in nodes
            for name in (getattr(node, "name", None), getattr(node, "rest", None), getattr(node, "asname", None))
            if isinstance(name, str)
        }
        nodes = (node for statement in statements for node in (statement, *walk_within(statement)))
        found |= {node.id for node in nodes if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load)}
        return sorted(found)

    def _loop(self, statement: gast.AST, env: Env) -> Env | None:
        if (assumed := self._all._assumed.get(statement)) is not None:
            env = env.given({name: named(kind, (id(statement), name), name, frozenset(self._loops)) for name, kind in assumed.items()})
        before = env.copy()
        start = env.copy()
        outer = self._loops
        self._loops = (*outer, id(statement))
        for rounds in itertools.count():
            self._exits.append([])
            inner = start.copy()
            if isinstance(statement, gast.While):
                self._expression(statement.test, inner)
            else:
                self._bind(statement.target, self._element(statement.iter, inner, statement), inner)
            ends: list[Env | None] = [self._block(statement.body, inner)]
            ends += self._exits.pop()
            carried: Env | None = before
            for end in ends:
                carried = self._join(statement, carried, None if end is None else self._next_iteration(end, statement))
            assert carried is not None
            if carried == start:
                break
            if rounds >= MOST_ROUNDS:
                carried |= dict.fromkeys(self._assigned_in([statement]), UNKNOWN)
                if carried == start:
                    break
            start = carried
        self._loops = outer
        if not self._apart:
            left = self._end_of_iteration(statement, ends)
            same = left.same
            kinds = [{name: same.settled(kind) for name, kind in env.items()} for env in (before, start, left)]
            self._all._iterations[statement] = Iterations(kinds[0], kinds[1], kinds[2], same)
        last = start.copy()
        if isinstance(statement, gast.While):
            self._expression(statement.test, last)
        after: Env | None = last
        for end in ends:
            after = self._join(statement, after, end)
        if not statement.orelse or after is None:
            return after
        end = self._block(statement.orelse, after.copy())
        # A loop that is broken off passes its else by.
        return self._join(statement, end, after) if any(isinstance(node, gast.Break) for node in walk_within(statement)) else end

    def _end_of_iteration(self, loop: gast.AST, ends: Iterable[Env | None]) -> Env:
        end: Env | None = None
        for one in ends:
            end = self._join(loop, end, None if one is None else self._next_iteration(one, loop))
        return end or Env()

    def _next_iteration(self, env: Env, loop: gast.AST) -> Env:
        """What an iteration leaves for the next one: sizes that are of this one alone are forgotten."""
        mine = id(loop)
        kinds = {name: map_symbols(kind, lambda symbol: None if mine in symbol.loops else symbol) for name, kind in env.items()}
        return Env(kinds, env.same.after_iteration(mine))

    def _join(self, where: gast.AST, a: Env | None, b: Env | None) -> Env | None:
        if a is None or b is None:
            return b if a is None else a
        joined = Env(same=a.same.in_common(b.same))
        dims = _either_way(a.same, b.same) if a.same or b.same else None
        for name in [*a, *(name for name in b if name not in a)]:
            if name in a and name in b:
                kind = join(a[name], b[name], dims)
                if kind.is_tensor and kind not in (a[name], b[name]):
                    kind = named(kind, (id(where), name), name, frozenset(self._loops))
                joined[name] = kind
            else:
                # Unbound on one of the paths: where it is read, it was bound.
                joined[name] = a.get(name) or b[name]
        return joined

    # Names

    def _appended(self, call: gast.AST, env: Env) -> None:
        """A list holds one member more, and how many is no longer known."""
        match call:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="append"), args=[member], keywords=[]):
                before, added = env.get(name, UNKNOWN), self._record.get(member, UNKNOWN)
                if before.sort is Sort.LIST:
                    env[name] = join(Kind(Sort.LIST, items=before.items, each=before.each), Kind(Sort.LIST, each=without_lists(added)))

    def _layer_added(self, call: gast.AST, env: Env) -> None:
        """`model.add(layer)` of a model that is made here."""
        match call:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="add" | "pop" as attr), args=given, keywords=[]):
                model = env.get(name, UNKNOWN).instance
                if isinstance(model, Made) and model.name == "keras.Sequential":
                    layers = model["layers"].items if model.has("layers") else ()
                    added = [self._record.get(one, UNKNOWN) for one in given]
                    known = layers is not None and attr == "add" and len(added) == 1 and not self._loops
                    kinds = sequence(Sort.LIST, (*layers, *added)) if known and layers is not None else Kind(Sort.LIST)
                    env[name] = replace(env[name], instance=replace(model, given=(("layers", kinds),)))

    def _bind(self, target: gast.AST, kind: Kind, env: Env) -> None:
        match target:
            case gast.Name(id=name):
                if kind.is_tensor:
                    kind = named(kind, id(target), name, frozenset(self._loops))
                if kind.sort is Sort.NUMBER and kind.dtype == "int" and kind.value is None:
                    kind = replace(kind, value=Symbol((id(target), "value"), name, frozenset(self._loops)))
                if isinstance(self._unit, gast.Module) and self._all.is_unsettled(name):
                    kind = UNKNOWN
                self._record[target] = kind
                if name not in self._scope.shared and (self._scope.lookup(name) is self._scope or name in env):
                    env[name] = kind
            case gast.Tuple(elts=elts) | gast.List(elts=elts):
                self._unpack(elts, kind, env)
            case gast.Starred(value=value):
                self._bind(value, UNKNOWN, env)
            case _:
                self._children(target, env)

    def _unpack(self, elts: Sequence[gast.AST], kind: Kind, env: Env) -> None:
        starred = any(isinstance(one, gast.Starred) for one in elts)
        if kind.items is not None and len(kind.items) == len(elts) and not starred:
            for one, item in zip(elts, kind.items, strict=True):
                self._bind(one, item, env)
        else:
            each = kind.each if kind.sort in (Sort.LIST, Sort.TUPLE) and kind.each is not None else UNKNOWN
            if kind.is_tensor:
                each = row_of(kind)
            if kind.instance == "shown":
                each = kind
            for one in elts:
                self._bind(one, map_symbols(each, lambda symbol: None), env)

    def _augmented(self, target: gast.AST, op: gast.AST, value: gast.AST, env: Env) -> None:
        right = self._expression(value, env)
        match target:
            case gast.Name(id=name):
                left = env.get(name, UNKNOWN)
                kind = self._arithmetic(op, left, right)
                if left.sort is Sort.ARRAY and not right.is_tensor:
                    kind = UNKNOWN if right.sort is Sort.UNKNOWN else Kind(Sort.ARRAY, left.dtype, left.shape)  # in place
                if left.sort is Sort.LIST:
                    kind = Kind(Sort.LIST)
                self._bind(target, kind, env)
            case _:
                self._children(target, env)

    def _learn_shape(self, name: str, rank: int, env: Env) -> None:
        """The program goes on only if the name's value has that rank."""
        kind = env.get(name, UNKNOWN)
        if kind.sort in (Sort.UNKNOWN, Sort.ARRAY) and self._all._mutation.arrays_are_reshaped:
            return
        if kind.sort in (Sort.UNKNOWN, Sort.VARIABLE) and self._all._mutation.is_assigned(name):
            return  # a variable of no fixed shape takes another rank
        if isinstance(kind.shape, Symbol) and kind.sort in (Sort.UNKNOWN, Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY):
            env.learn([(kind.shape, (None,) * rank)])
        elif name in env and kind.shape is None and kind.sort in (Sort.UNKNOWN, Sort.TENSOR):
            env[name] = replace(kind, shape=(None,) * rank)

    def _learn_from_unpacking(self, targets: Sequence[gast.AST], value: gast.AST, env: Env) -> None:
        """`n, m = x.shape` goes on only if there are two."""
        match targets, value:
            case [gast.Tuple(elts=elts) | gast.List(elts=elts)], (
                gast.Attribute(value=gast.Name(id=name), attr="shape")
                | gast.Call(func=gast.Attribute(value=gast.Attribute(value=gast.Name(id=name), attr="shape"), attr="as_list"), args=[])
            ) if not any(isinstance(one, gast.Starred) for one in elts):
                self._learn_shape(name, len(elts), env)

    def _learn_from_call(self, value: gast.AST, env: Env) -> None:
        match value:
            case gast.Call(func=func, args=[gast.Name(id=name), gast.Constant(value=int(rank)), *_]) if self._names(func) in (
                "tensorflow.assert_rank",
                "tensorflow.compat.v1.assert_rank",
            ):
                self._learn_shape(name, rank, env)
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=name), attr="set_shape"), args=[gast.List(elts=elts) | gast.Tuple(elts=elts)]
            ):
                self._learn_shape(name, len(elts), env)
            case gast.Call(
                func=gast.Attribute(value=gast.Attribute(value=gast.Name(id=name), attr="shape"), attr="assert_has_rank"),
                args=[gast.Constant(value=int(rank))],
            ):
                self._learn_shape(name, rank, env)

    def _learn_from_test(self, test: gast.AST, holds: bool, env: Env) -> None:
        """What is known of sizes where a condition holds, or where it doesn't."""
        match test:
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                self._learn_from_test(operand, not holds, env)
            case gast.BoolOp(op=gast.And() | gast.Or() as op, values=values):
                if isinstance(op, gast.And) == holds:
                    for value in values:
                        self._learn_from_test(value, holds, env)
            case gast.Compare(left=left, ops=ops, comparators=others):
                equal = gast.Eq if holds else gast.NotEq
                if not all(isinstance(one, equal) for one in ops) or (len(ops) > 1 and not holds):
                    return
                for one, other in itertools.pairwise([left, *others]):
                    self._learn_equal(one, other, env)

    def _learn_equal(self, left: gast.AST, right: gast.AST, env: Env) -> None:
        match left, right:
            case (
                (
                    gast.Call(func=gast.Name(id="len"), args=[gast.Attribute(value=gast.Name(id=name), attr="shape")])
                    | gast.Attribute(value=gast.Attribute(value=gast.Name(id=name), attr="shape"), attr="rank" | "ndims")
                ),
                gast.Constant(value=int(rank)),
            ):
                self._learn_shape(name, rank, env)
                return
        a, b = (self._record.get(one, UNKNOWN) for one in (left, right))
        if a.sort is b.sort is Sort.TUPLE:
            self._learn([(_sizes_in(a), _sizes_in(b))], env)
        elif a.sort in (Sort.NUMBER, Sort.UNKNOWN) and b.sort in (Sort.NUMBER, Sort.UNKNOWN):
            # An index has one value where it is compared, and others in the iterations that rules think of.
            if not any(isinstance(one.value, Symbol) and one.value.loops for one in (a, b)):
                self._learn([(_size_in(a), _size_in(b))], env)

    def _learn_from_operation(self, node: gast.AST, env: Env) -> None:
        """What is known of the sizes of operands, as the operation hasn't raised."""
        match node:
            case gast.BinOp(left=left, op=gast.MatMult(), right=right):
                kinds = [self._record.get(one, UNKNOWN) for one in (left, right)]
                if any(isinstance(one, gast.Name) and self._all._mutation.is_assigned(one.id) for one in (left, right)):
                    return  # a variable of no fixed shape takes another one
                if all(one.sort in (Sort.TENSOR, Sort.VARIABLE) for one in kinds):
                    self._learn(
                        of_operator(node.op).equalities(Call({"x": kinds[0], "y": kinds[1]}, {"x": left, "y": right}, self._dtype)), env
                    )
            case gast.Call(func=func) if (name := self._names(func)) is not None and (row := op(name)).proves_sizes:
                if (call := self.bound(node, row)) is not None:
                    self._learn(row.equalities(call), env)

    def _learn(self, equalities: Iterable[Equality], env: Env) -> None:
        """Of a graph that may know no sizes while it is traced, only how many axes there are."""
        env.learn(equalities if self._knows_shapes else [one for one in equalities if isinstance(one[1], tuple) and not any(one[1])])

    @cached_property
    def _knows_shapes(self) -> bool:
        unit = self._unit
        return not isinstance(unit, FUNCTIONS) or self._all._contexts.knows_shapes(
            unit.body if isinstance(unit, gast.Lambda) else unit.body[0]
        )

    # Expressions

    def _expression(self, node: gast.AST, env: Env) -> Kind:
        kind = self._evaluate(node, env)
        if not isinstance(node, gast.Name):
            self._learn_from_operation(node, env)
            kind = env.same.settled(kind)
        if kind.is_tensor and not isinstance(node, gast.Name):
            kind = named(kind, id(node), "this", frozenset(self._loops))
        if kind.sort is Sort.ARRAY and self._all._mutation.arrays_are_reshaped:
            kind = replace(kind, shape=None)
        if kind is UNKNOWN:
            self._record.pop(node, None)  # nothing need be remembered of it
        else:
            self._record[node] = kind
        return kind

    def _perhaps(self, node: gast.AST, env: Env) -> Kind:
        """An expression that is evaluated only sometimes: what it learns or binds may not be so afterwards."""
        inner = env.copy()
        kind = self._expression(node, inner)
        both = self._join(node, env.copy(), inner)
        env.update({name: UNKNOWN if name not in env else known for name, known in (both or {}).items()})
        return kind

    def _evaluate(self, node: gast.AST, env: Env) -> Kind:
        match node:
            case gast.Name() | gast.Attribute() if (found := self._all.imported_value(node)) is not None:
                return found
            case gast.Name(id=name):
                if name in env:
                    kind = env.same.settled(env[name])
                    return self._all.settled(kind, name, self._scope) if kind.sort in (Sort.LIST, Sort.TUPLE, Sort.DICT) else kind
                scope = self._scopes.names.get(node)
                return self._all.outer_name(node, scope) if scope is not None and scope.lookup(name) is not self._scope else UNKNOWN
            case gast.Constant(value=value):
                return _of_constant(value)
            case gast.Call():
                return self._call(node, env)
            case gast.Attribute(value=value, attr=attr):
                return self._attribute(node, self._expression(value, env), attr)
            case gast.Tuple(elts=elts):
                return self._display(Sort.TUPLE, elts, env)
            case gast.List(elts=elts):
                return self._display(Sort.LIST, elts, env)
            case gast.Dict(keys=keys, values=values):
                return self._dict(keys, values, env)
            case gast.BinOp(left=left, op=op, right=right):
                return self._arithmetic(op, self._expression(left, env), self._expression(right, env))
            case gast.UnaryOp(op=op, operand=operand):
                return self._unary(op, self._expression(operand, env))
            case gast.Compare():
                return self._compare(node, env)
            case gast.Subscript(value=value, slice=index):
                return self._subscript(self._expression(value, env), index, env)
            case gast.IfExp(test=test, body=body, orelse=orelse):
                self._expression(test, env)
                return join(self._perhaps(body, env), self._perhaps(orelse, env))
            case gast.BoolOp(values=[first, *others]):
                kinds = [self._expression(first, env), *(self._perhaps(other, env) for other in others)]
                dtypes = {kind.dtype for kind in kinds}
                return number(None, dtypes.pop() if len(dtypes) == 1 else None) if all(_is_number(one) for one in kinds) else UNKNOWN
            case gast.NamedExpr(target=target, value=value):
                kind = without_lists(self._expression(value, env))
                before = env.get(target.id)
                self._bind(target, kind, env)
                if before is not None and target.id in env:
                    # `done or (x := y)`: nobody knows whether it is evaluated.
                    env[target.id] = map_symbols(join(before, env[target.id]), lambda symbol: None)
                return kind
            case gast.ListComp() | gast.SetComp() | gast.GeneratorExp() | gast.DictComp():
                return self._comprehension(node, env)
            case gast.Lambda():
                for default in (*node.args.defaults, *(one for one in node.args.kw_defaults if one)):
                    self._expression(default, env)
                return UNKNOWN
        self._children(node, env)
        return UNKNOWN

    def _display(self, sort: Sort, elts: Sequence[gast.AST], env: Env) -> Kind:
        kinds = tuple(self._expression(one, env) for one in elts)
        return Kind(sort) if any(isinstance(one, gast.Starred) for one in elts) else sequence(sort, kinds)

    def _dict(self, keys: Sequence[gast.AST | None], values: Sequence[gast.AST], env: Env) -> Kind:
        for key, value in zip(keys, values, strict=True):
            if key is not None:
                self._expression(key, env)
            self._expression(value, env)
        written = [key.value for key in keys if isinstance(key, gast.Constant) and isinstance(key.value, str | int)]
        if len(written) < len(keys) or len(set(written)) < len(keys) or len(keys) > _MOST_MEMBERS:
            return Kind(Sort.DICT)
        return self._dict_of(dict(zip(written, values, strict=True)))

    def _dict_of(self, entries: Mapping[str | int, gast.AST]) -> Kind:
        return Kind(Sort.DICT, instance=Entries(tuple((key, self._kept_in_dict(value)) for key, value in entries.items())))

    def _kept_in_dict(self, node: gast.AST) -> Kind:
        """What holds of a value for as long as a dict holds it, whatever others do with it."""
        kind = map_symbols(without_lists(self._record.get(node, UNKNOWN)), lambda symbol: None)
        if isinstance(kind.instance, Made) and kind.instance.name == "keras.Sequential" and self._all._callers.attribute_loads("add"):
            return replace(kind, instance=Made(kind.instance.name))
        return kind

    def _comprehension(self, node: gast.AST, env: Env) -> Kind:
        for one in walk_within(node):
            if isinstance(one, gast.NamedExpr):
                env[one.target.id] = UNKNOWN  # never evaluated, or many times
        outer = self._loops
        self._loops = (*outer, id(node))
        inner = env.given(dict.fromkeys(self._class_names, UNKNOWN))  # it doesn't see the names of a class body around it
        for generator in node.generators:
            self._expression(generator.iter, inner)
            self._bind_inner(generator.target, self._element(generator.iter, inner, generator), inner)
            for test in generator.ifs:
                self._expression(test, inner)
        if isinstance(node, gast.DictComp):
            self._expression(node.key, inner)
            self._expression(node.value, inner)
            each = UNKNOWN
        else:
            each = self._expression(node.elt, inner)
        self._loops = outer
        mine = id(node)
        each = map_symbols(each, lambda symbol: None if mine in symbol.loops else symbol)
        return Kind(Sort.LIST, each=each) if isinstance(node, gast.ListComp) else UNKNOWN

    def _bind_inner(self, target: gast.AST, kind: Kind, env: Env) -> None:
        for name in gast.walk(target):
            if isinstance(name, gast.Name):
                env[name.id] = UNKNOWN
        self._bind(target, kind, env)

    def _element(self, iterable: gast.AST, env: Env, loop: gast.AST) -> Kind:
        """What one iteration over an expression gives."""
        kind = self._record.get(iterable, UNKNOWN)
        match iterable:
            case gast.Call(func=func, args=args) if not any(isinstance(one, gast.Starred) for one in args):
                match self._names(func):
                    case "builtins.range":
                        index = number(Symbol((id(loop), "index"), "the index", frozenset(self._loops)))
                        return replace(index, below=_below_of_range([self._record.get(arg, UNKNOWN).value for arg in args]))
                    case "tqdm.tqdm" | "tqdm.auto.tqdm" | "tqdm.notebook.tqdm" if args:
                        return self._element(args[0], env, loop)
                    case "builtins.reversed" if len(args) == 1:
                        return self._element(args[0], env, loop)
                    case "builtins.zip":
                        return self._zipped([self._record.get(arg, UNKNOWN) for arg in args], loop)
                    case "builtins.enumerate" if args:
                        index = number(Symbol((id(loop), "index"), "the index", frozenset(self._loops)))
                        inner = isinstance(args[0], gast.Call) and self._names(args[0].func) == "builtins.zip"
                        member = (
                            self._element(args[0], env, loop) if inner else self._of_one_iteration(self._record.get(args[0], UNKNOWN), loop)
                        )
                        return sequence(Sort.TUPLE, (index, member))
        return self._of_one_iteration(kind, loop)

    def _zipped(self, kinds: Sequence[Kind], loop: gast.AST) -> Kind:
        """Lists that agree in shape member by member, as variables and their gradients do, agree in every iteration."""
        members = [self._of_one_iteration(kind, loop) for kind in kinds]
        rows = [kind.items for kind in kinds if kind.items is not None]
        if len(rows) == len(kinds) and all(
            len(row) == len(rows[0])
            and all(one.as_operand.is_tensor and same_shape(one.shape, first.shape) for one, first in zip(row, rows[0], strict=True))
            for row in rows
        ):
            shape = members[0].shape
            if not (isinstance(shape, tuple) and None not in shape):
                shared = Symbol((id(loop), "member", "shape"), "this turn's member", frozenset(self._loops))
                members = [replace(member, shape=shared) for member in members]
        return sequence(Sort.TUPLE, tuple(members))

    def _of_one_iteration(self, kind: Kind, loop: gast.AST) -> Kind:
        match kind.sort:
            case Sort.TENSOR | Sort.VARIABLE:
                return row_of(kind)
            case Sort.ARRAY if isinstance(kind.shape, tuple) and kind.shape:
                from tfrewrite.facts import array_values

                return array_values.made(kind.dtype, kind.shape[1:])
            case Sort.LIST | Sort.TUPLE | Sort.DATASET | Sort.ITERATOR if kind.each is not None:
                return kind.each
        return UNKNOWN

    def _attribute(self, node: gast.Attribute, base: Kind, attr: str) -> Kind:
        match attr:
            case "shape" if base.sort is Sort.SYMBOLIC and isinstance(base.shape, tuple):
                return sequence(Sort.TUPLE, tuple(number(dim, "int") if isinstance(dim, int) else UNKNOWN for dim in base.shape))
            case "shape" if base.shape is not None and base.sort is not Sort.NUMBER:
                if isinstance(base.shape, tuple) and self._within_layer:
                    # Keras traces it with sizes of None.
                    return sequence(Sort.TUPLE, tuple(number(dim, "int") if isinstance(dim, int) else UNKNOWN for dim in base.shape))
                if isinstance(base.shape, tuple):
                    return sequence(Sort.TUPLE, tuple(number(dim, "int") for dim in base.shape))
                return Kind(Sort.TUPLE, value=base.shape)
            case "T" if base.sort is Sort.ARRAY:
                return replace(base, shape=tuple(reversed(base.shape)) if isinstance(base.shape, tuple) else None)
            case "pi" | "e" | "tau" if self._names(node) in _MATH_CONSTANTS:
                return number(getattr(math, attr))
            case "rank" | "ndims" | "ndim" if base.sort is Sort.TUPLE or base.sort is Sort.ARRAY:
                return number(None, "int")
            case "size" if base.sort is Sort.ARRAY:
                return number(base.size, "int")
            case "nbytes" | "itemsize" if base.sort is Sort.ARRAY:
                return number(None, "int")
        if isinstance(base.instance, tuple) and base.items is not None and attr in base.instance:
            return base.items[base.instance.index(attr)]
        if isinstance(base.instance, gast.ClassDef):
            return _of_object(self._all.attribute_of(base.instance, attr), base)
        if isinstance(base.instance, Made) and (given := _GIVEN_BY_KERAS.get((family(base.instance.name), attr))) is not None:
            # Before `compile` it is None, of which no method is called.
            asked = isinstance(self._scopes.parents[node], gast.Attribute) and not self._all._mutation.attribute_stores(attr)
            return Kind(Sort.OBJECT, instance=Made(given)) if asked else UNKNOWN
        return self._all.attribute(node)

    def _subscript(self, base: Kind, index: gast.AST, env: Env) -> Kind:
        self._expression(index, env)
        position = self._record.get(index, UNKNOWN).value
        if base.items is not None and isinstance(position, int) and -len(base.items) <= position < len(base.items):
            return base.items[position]
        if base.sort is Sort.TUPLE and isinstance(base.value, Symbol) and isinstance(position, int):
            return number(size_at(base.value, position))
        if base.is_tensor and base.dtype == "int32" and isinstance(base.value, Symbol) and base.rank == 1 and isinstance(position, int):
            symbol = size_at(base.value, position)
            return replace(tensor(base.dtype, ()), value=symbol)
        if base.instance == "shown":
            return base
        if isinstance(base.instance, Entries):
            return base.instance.of(index.value) if isinstance(index, gast.Constant) else UNKNOWN
        if base.sort in (Sort.LIST, Sort.TUPLE) and base.each is not None and not isinstance(index, gast.Slice):
            return map_symbols(base.each, lambda symbol: None)
        if base.sort is Sort.ARRAY:
            from tfrewrite.facts import array_values

            return array_values.indexed(base, index, lambda size, part: _slice_size(size, part, self._record), self._index)
        if base.sort is Sort.SYMBOLIC:
            return _symbolic(self._sliced(tensor(base.dtype, base.shape), index))
        return self._sliced(base, index) if base.is_tensor else UNKNOWN

    def _index(self, part: gast.AST) -> Kind:
        return _NONE if self._is_new_axis(part) else self._record.get(part, UNKNOWN)

    def _sliced(self, base: Kind, index: gast.AST) -> Kind:
        parts = index.elts if isinstance(index, gast.Tuple) else [index]
        plain = tensor(base.dtype, finite=base.finite, fixed=base.fixed)
        if isinstance(base.shape, Symbol) and None not in (gone := [self._takes_one(part) for part in parts]):
            return of_shape(plain, taken_from(base.shape, tuple(map(bool, gone))))
        if not isinstance(base.shape, tuple):
            return plain
        taken = sum(1 for part in parts if not self._is_new_axis(part) and not is_ellipsis(part))
        if sum(map(is_ellipsis, parts)) > 1 or taken > len(base.shape):
            return UNKNOWN
        rest = list(base.shape)
        shape: list[Dim] = []
        for part in parts:
            if self._is_new_axis(part):
                shape.append(1)
            elif is_ellipsis(part):
                keep = len(rest) - sum(1 for one in parts[parts.index(part) + 1 :] if not self._is_new_axis(one))
                shape += rest[:keep]
                rest = rest[keep:]
            elif isinstance(part, gast.Slice):
                size = rest.pop(0)
                shape.append(_slice_size(size, part, self._record))
            elif (kind := self._record.get(part, UNKNOWN)).sort is Sort.NUMBER or (kind.sort is Sort.TENSOR and kind.shape == ()):
                rest.pop(0)
            else:
                return plain
        shape += rest
        kind = tensor(base.dtype, tuple(shape), finite=base.finite, fixed=base.fixed)
        return replace(kind, below=base.below)

    def _takes_one(self, part: gast.AST) -> bool | None:
        """Does an index take one element of an axis, or all of them? None where it does something else."""
        if isinstance(part, gast.Slice):
            return False if part.lower is part.upper is part.step is None else None
        kind = self._record.get(part, UNKNOWN)
        return True if kind.sort is Sort.NUMBER and kind.dtype == "int" and not self._is_new_axis(part) else None

    def _is_new_axis(self, part: gast.AST) -> bool:
        if isinstance(part, gast.Constant):
            return part.value is None
        return self._names(part) in ("tensorflow.newaxis", "numpy.newaxis")

    def _unary(self, op: gast.AST, operand: Kind) -> Kind:
        match op, operand:
            case gast.USub(), Kind(sort=Sort.NUMBER, value=int() | float() as value) if not isinstance(value, bool):
                return number(-value)
            case gast.USub() | gast.UAdd(), Kind(sort=Sort.TENSOR | Sort.VARIABLE):
                return replace(elementwise(operand), finite=operand.finite)
            case gast.Invert(), Kind(sort=Sort.TENSOR | Sort.VARIABLE):
                return elementwise(operand)
            case gast.USub() | gast.UAdd(), Kind(sort=Sort.NUMBER):
                return replace(operand, value=None, below=None)
            case gast.USub() | gast.UAdd() | gast.Invert(), Kind(sort=Sort.ARRAY | Sort.SCALAR):
                from tfrewrite.facts import array_values

                known = operand.shape is not None
                return array_values.made(operand.dtype, operand.shape) if known else replace(operand, value=None, below=None)
            case gast.Not(), _:
                return number(None, "bool")
        return UNKNOWN

    def _compare(self, node: gast.Compare, env: Env) -> Kind:
        left = self._expression(node.left, env)
        right = [self._expression(one, env) for one in node.comparators][-1]
        if Sort.SYMBOLIC in (left.sort, right.sort):
            return UNKNOWN
        if (
            len(node.ops) == 1
            and not isinstance(node.ops[0], gast.Is | gast.IsNot | gast.In | gast.NotIn)
            and (left.is_tensor or right.is_tensor)
        ):
            kind = arithmetic(left, right)
            return tensor("bool", kind.shape)
        if len(node.ops) == 1 and _are_arrays(left, right) and not isinstance(node.ops[0], gast.Is | gast.IsNot | gast.In | gast.NotIn):
            from tfrewrite.facts import array_values

            return array_values.arithmetic((left, right), "bool")
        return number(None, "bool") if left.sort is right.sort is Sort.NUMBER else UNKNOWN

    def _arithmetic(self, op: gast.AST, left: Kind, right: Kind) -> Kind:
        return _of_any_dtype(lambda kinds: self._operated(op, kinds[0], kinds[1]), (left, right))

    def _operated(self, op: gast.AST, left: Kind, right: Kind) -> Kind:
        left, right = left.as_operand, right.as_operand
        if Sort.SYMBOLIC in (left.sort, right.sort):
            return _of_symbolic(left, right)
        if left.sort is right.sort is Sort.NUMBER:
            return _number_arithmetic(op, left, right)
        if not (left.is_tensor or right.is_tensor):
            if left.sort is Sort.LIST and left.items is not None and (joined := _listed(op, left.items, right)) is not None:
                return sequence(Sort.LIST, joined)
            if not _are_arrays(left, right):
                return UNKNOWN
            from tfrewrite.facts import array_values

            return array_values.operated(op, left, right)
        match op:
            case gast.MatMult():
                a, b = as_tensor(left), as_tensor(right)
                return tensor(one_dtype(a.dtype, b.dtype), matmul_shape(a.shape, b.shape), fixed=a.fixed and b.fixed)
            case gast.Div():
                return divided(arithmetic(left, right))
            case gast.Mod() if left.sort in (Sort.TEXT, Sort.UNKNOWN):
                return Kind(left.sort)  # what is formatted, or may be
            case gast.Mod():
                return modulo(left, right, arithmetic(left, right))
            case gast.Add() | gast.Sub() | gast.Mult() | gast.FloorDiv() | gast.Pow() | gast.BitAnd() | gast.BitOr() | gast.BitXor():
                return arithmetic(left, right)
        return tensor()

    # Calls

    def _call(self, node: gast.Call, env: Env) -> Kind:
        name = self._names(node.func)
        base = UNKNOWN
        if not isinstance(node.func, gast.Attribute):
            self._expression(node.func, env)
        elif name is None or self._names(node.func.value) is None:  # else it is a module
            base = self._expression(node.func.value, env)
        for argument in node.args:
            self._expression(argument, env)
        for keyword in node.keywords:
            self._expression(keyword.value, env)
        if name is not None and name.startswith("math."):
            numbers = all(self._record.get(one, UNKNOWN).sort is Sort.NUMBER for one in node.args) and not node.keywords
            return number(None, "float") if numbers and name.removeprefix("math.") in _MATH_FUNCTIONS else UNKNOWN
        if (thing := self._all.imported(node.func)) is not None:
            return self._called_elsewhere(thing, node)
        if name is not None and not name.startswith("builtins."):
            return self._library_call(node, name)
        if name is not None:
            return self._builtin(node, name)
        if (function := self._all._callers.function_called(node)) is not None:
            returned = self._returned(function)
            return returned if _is_told(returned) else self._returned_for(function, node, returned)
        if (made := self._all._callers.class_named(node.func)) is not None:
            return Kind(Sort.OBJECT, value=Symbol((id(node), "object"), "this object", frozenset(self._loops)), instance=made)
        if (own := self._all._callers.class_of_keras(node.func)) is not None:
            return self._object_of_keras(Made(family(self._all._callers.kept_by_keras(own)), own=own), node)
        if (method := self._method_called(node, base)) is not None:
            returned = self._returned(method)
            owner = base if isinstance(node.func, gast.Attribute) else self._record.get(node.func, UNKNOWN)
            return returned if _is_told(returned) else self._returned_for(method, node, returned, owner)
        called = self._record.get(node.func, UNKNOWN)
        if isinstance(node.func, gast.Attribute):
            found = self._method(node, base, node.func.attr)
            if found.sort is not Sort.UNKNOWN:
                return found
            called = self._record[node.func] = self._attribute(node.func, base, node.func.attr)
        return self._applied(called, node) if isinstance(called.instance, Made) else UNKNOWN

    def _called_elsewhere(self, thing: Thing, call: gast.Call) -> Kind:
        """What a function of another file returns, or an object of its class."""
        if (own := class_of(thing)) is not None:
            return self._object_of_keras(Made(family(own.facts.callers.kept_by_keras(own.node)), own=own), call)
        if (function := function_of(thing)) is None:
            return UNKNOWN
        found = thing.facts.returned(function)
        given = bound_arguments(function, call, False)
        if given is not None and not _is_told(found) and not self._names.keras_is_set_up:
            handed = {name: portable(self._record.get(value, _default_of(value))) for name, value in given.items()}
            found = thing.facts.returned_for(function, handed)
        found = portable(found, thing.facts)
        return UNKNOWN if self._names.keras_is_set_up and not _is_number(found) else found

    def _object_of_keras(self, layer: Made, call: gast.Call) -> Kind:
        return Kind(Sort.OBJECT, value=Symbol((id(call), "object"), "this object", frozenset(self._loops)), instance=layer)

    def _applied(self, called: Kind, node: gast.Call) -> Kind:
        """What an object of Keras gives when it is called."""
        one = called.instance
        if not isinstance(one, Made) or self._names.keras_is_set_up or any(isinstance(arg, gast.Starred) for arg in node.args):
            return UNKNOWN
        first = next((arg for arg in (*node.args, *(kw.value for kw in node.keywords if kw.arg in ("inputs", "x", "query")))), None)
        given = self._record.get(first, UNKNOWN) if first is not None else UNKNOWN
        if one.own is not None:
            return self._called_layer(called, node, given)
        if one.name.endswith("Attention") and (len(node.args) > 3 or any(self._may_be_on(kw) for kw in node.keywords)):
            return UNKNOWN
        if given.sort is Sort.UNKNOWN and first is not None and self._within_layer:
            given = replace(given, sort=Sort.TENSOR)  # Keras tensors aren't handed to methods of layers
            found = self._result_of(one, given)
            return found if found.sort is Sort.TENSOR and op(f"tensorflow.{one.name}").is_layer else UNKNOWN
        return self._result_of(one, given)

    def _may_be_on(self, keyword: gast.keyword) -> bool:
        """May a call ask for the scores beside the result?"""
        return keyword.arg in (None, "return_attention_scores") and self._record.get(keyword.value, UNKNOWN).value is not False

    def _result_of(self, one: Made, given: Kind) -> Kind:
        rule = op(f"tensorflow.{one.name}").applied
        return UNKNOWN if rule is None else rule(one, given)

    @cached_property
    def _within_layer(self) -> bool:
        """Is it a method of a layer or model of this file, which Keras calls with tensors?"""
        if not isinstance(self._unit, gast.FunctionDef) or self._unit.name not in _CALLED_BY_KERAS:
            return False
        owner = self._scopes.class_of(self._unit)
        return owner is not None and family(self._all._callers.kept_by_keras(owner)) in ("keras.layers.Layer", "keras.Model")

    def _called_layer(self, called: Kind, node: gast.Call, given: Kind) -> Kind:
        """What a layer of this file gives: what its `call` returns for the tensors that Keras makes of its arguments."""
        assert isinstance(called.instance, Made)
        own = called.instance.own
        method = own if isinstance(own, Foreign) else self._all._callers.own_method(own, "call")
        if method is None or not (is_input(given) or given.sort is Sort.UNKNOWN):
            return UNKNOWN
        found = method.returned("call") if isinstance(method, Foreign) else self._returned(method)
        if given.sort is Sort.SYMBOLIC:
            return Kind(Sort.SYMBOLIC, found.dtype, found.shape) if found.is_tensor and isinstance(found.shape, tuple) else UNKNOWN
        return found if given.sort is not Sort.UNKNOWN or self._within_layer else UNKNOWN

    def _method_called(self, node: gast.Call, base: Kind) -> Function | None:
        """The method that a call on an object of this file's own class runs."""
        name = node.func.attr if isinstance(node.func, gast.Attribute) else "__call__"
        owner = base.instance if isinstance(node.func, gast.Attribute) else self._record.get(node.func, UNKNOWN).instance
        return self._all._callers.method_of(owner, name)

    def _returned(self, function: Function) -> Kind:
        self.called_own = True
        return self._all.returned(function) if self._ask_functions else UNKNOWN

    def _returned_for(self, function: Function, call: gast.Call, known: Kind, owner: Kind | None = None) -> Kind:
        """What a plain function returns for what this call hands to it, where that says more than what is known of any call.

        `owner` is the object that a method is called on.
        """
        if not isinstance(function, gast.FunctionDef) or not self._all.is_short(function):
            return known
        env = self._handed_over(function, call, owner)
        return known if env is None else self._followed(function, env, known)

    def _followed(self, function: Function, env: Env, known: Kind) -> Kind:
        """What a function returns when its parameters are of these kinds."""
        if len(self._all._following) >= _MOST_CALLS or function in self._all._following or isinstance(function, gast.AsyncFunctionDef):
            return known
        if not self._all.is_short(function):
            return known
        self._all._following.append(function)
        walk = _Walk(self._all, function, ask_functions=self._ask_functions)
        walk._apart = True
        if isinstance(function, gast.Lambda):
            walk._returns.append(walk._expression(function.body, env))
        elif walk._block(function.body, env) is not None:
            walk._returns.append(Kind(Sort.NONE))
        self._all._following.pop()
        mine = self._all.inside(function)
        kinds = [map_symbols(without_lists(one), lambda symbol: None if _made_in(symbol, mine) else symbol) for one in walk._returns]
        return refined(known, join_all(tuple(kinds))) if kinds else known

    def _handed_over(self, function: gast.FunctionDef, call: gast.Call, owner: Kind | None) -> Env | None:
        """The parameters of a function in a call of it; None where what goes where isn't written."""
        given = bound_arguments(function, call, owner is not None)
        if given is None:
            return None
        made = {} if owner is None else {parameters(function)[0].id: owner}
        constants = {name: _of_constant(value.value) for name, value in given.items() if isinstance(value, gast.Constant)}
        return Env({**made, **{name: self._record.get(value, UNKNOWN) for name, value in given.items()}, **constants})

    def bound(self, node: gast.Call, row: Op, own: Kind | None = None) -> Call | None:
        """The arguments of a call by the names of a row; `own` is what a method is called on."""
        if row.is_outside and row.parameters and len(node.args) > len(row.parameters):
            return None
        if any(isinstance(one, gast.Starred) for one in node.args) or any(one.arg is None for one in node.keywords):
            return None
        nodes = dict(zip(row.parameters, node.args, strict=False))
        for keyword in node.keywords:
            nodes.setdefault(row.parameter(keyword.arg), keyword.value)
        kinds = {name: self._record.get(value, UNKNOWN) for name, value in nodes.items()}
        if own is not None:
            kinds["self"] = own
        return Call(kinds, nodes, self._numpy_dtype if row.name.startswith("numpy.") else self._dtype, self._called_with)

    def _called_with(self, node: gast.expr, given: Sequence[Kind]) -> Kind:
        """What a function of this file returns that something else calls with these arguments."""
        function = self._all._callers.function_named(node)
        if function is None:
            return UNKNOWN
        known = self._returned(function) if isinstance(function, DEFINITIONS) else UNKNOWN
        names = parameters(function)
        plain = not (function.args.vararg or function.args.kwarg or function.args.kwonlyargs)
        if _is_told(known) or not plain or not len(names) - len(function.args.defaults) <= len(given) <= len(names):
            return known
        return self._followed(function, Env({name.id: kind for name, kind in zip(names, given, strict=False)}), known)

    def _dtype(self, node: gast.AST) -> str | None:
        return self._all.dtype(node, self._record)

    def _numpy_dtype(self, node: gast.AST) -> str | None:
        """What NumPy takes for a dtype."""
        match node:
            case gast.Constant(value=str(text)):
                return _NUMPY_DTYPES.get(text, text if text in DTYPES - {"string", "bfloat16"} else None)
        name = self._names(node) or ""
        if (own := _NUMPY_DTYPES.get(name.removeprefix("builtins.").removeprefix("numpy."))) is not None:
            return own
        return self._dtype(node)

    def _library_call(self, node: gast.Call, name: str) -> Kind:
        row = op(name)
        if row.returns is None or (name.startswith("tensorflow.keras.") and self._names.keras_is_set_up):
            return UNKNOWN
        call = self.bound(node, row)
        if call is None:
            return tensor() if name.startswith("tensorflow.") and not row.is_no_tensor else UNKNOWN
        returns = row.returns
        return _of_any_dtype(
            lambda kinds: returns(replace(call, kinds=dict(zip(call.kinds, kinds, strict=True)))), tuple(call.kinds.values())
        )

    def _builtin(self, node: gast.Call, name: str) -> Kind:
        kinds = [self._record.get(one, UNKNOWN) for one in node.args]
        match name.removeprefix("builtins."), kinds:
            case "len", [Kind(sort=Sort.DATASET, value=count)]:
                return number(count if isinstance(count, int) else None, "int")
            case "len", [Kind(items=tuple() as items)]:
                return number(len(items))
            case "len", [Kind(shape=tuple() as shape)] if shape:
                return number(shape[0], "int")
            case ("len" | "int", [_]):
                return number(kinds[0].value if isinstance(kinds[0].value, int) and name.endswith("int") else None, "int")
            case "float", [_]:
                return number(None, "float")
            case ("tuple", [Kind(items=tuple() as items)]):
                return sequence(Sort.TUPLE, items)
            case ("list", [Kind(items=tuple() as items)]):
                return sequence(Sort.LIST, items)
            case ("list" | "tuple" as made, [Kind(each=Kind() as each, sort=Sort.LIST | Sort.TUPLE)]):
                return Kind(Sort.LIST if made == "list" else Sort.TUPLE, each=each)
            case "list", [Kind(sort=Sort.DATASET | Sort.ITERATOR, each=each)]:
                return Kind(Sort.LIST, each=each)
            case "iter", [Kind(sort=Sort.DATASET | Sort.ITERATOR, each=each)]:
                return Kind(Sort.ITERATOR, each=each)
            case "next", [Kind(sort=Sort.ITERATOR, each=Kind() as each)]:
                return each
            case "zip" | "enumerate", _:
                return UNKNOWN
            case "super", []:
                return self._base_of_keras(node)
            case "dict", []:
                given = {one.arg: one.value for one in node.keywords if one.arg}
                return self._dict_of(given) if len(given) == len(node.keywords) else Kind(Sort.DICT)
            case "dict", [_]:
                return Kind(Sort.DICT)
            case "abs", [Kind(sort=Sort.TENSOR) as x] if not (x.dtype or "complex").startswith("complex"):
                return elementwise(x)
        row = op(name)
        call = self.bound(node, row) if row.returns is not None else None
        return UNKNOWN if call is None or row.returns is None else row.returns(call)

    def _base_of_keras(self, node: gast.Call) -> Kind:
        """`super()` in a class that derives from one of Keras, and from none of the file's own."""
        function = self._scopes.function_of(node)
        owner = None if function is None else self._scopes.class_of(function)
        if owner is None or len(owner.bases) != 1 or not (base := self._all._callers.kept_by_keras(owner)):
            return UNKNOWN
        direct = (self._names(owner.bases[0]) or "").removeprefix("tensorflow.") == base
        return Kind(Sort.OBJECT, instance=Made(family(base))) if direct else UNKNOWN

    def _row_of_method(self, node: gast.Call, row: Op, base: Kind) -> Kind:
        """What a method returns that has a row of its own."""
        call = self.bound(node, row, base)
        return UNKNOWN if call is None or row.returns is None else row.returns(call)

    def _method(self, node: gast.Call, base: Kind, name: str) -> Kind:
        match base.sort, name:
            case Sort.TAPE, "gradient":
                sources = node.args[1] if len(node.args) > 1 else next((one.value for one in node.keywords if one.arg == "sources"), None)
                return _gradient(self._record.get(sources, UNKNOWN)) if sources is not None else UNKNOWN
            case Sort.VARIABLE, "read_value" | "value":
                return tensor(base.dtype, base.shape)
            case Sort.TENSOR | Sort.VARIABLE, "numpy":
                from tfrewrite.facts import array_values

                return array_values.out_of_tensor(base)
            case Sort.SCALAR, "astype":
                return replace(self._row_of_method(node, op(method(base, name)), base), sort=Sort.SCALAR)
            case Sort.SCALAR, _ if name != "item":
                return UNKNOWN
            case Sort.OBJECT, _ if base.instance == "shown":
                return base
            case Sort.OBJECT, _ if isinstance(base.instance, Made) and isinstance(own := base.instance.own, Foreign) and own.defines(name):
                return UNKNOWN if self._names.keras_is_set_up else own.returned(name)
            case Sort.OBJECT, _ if isinstance(base.instance, Made):
                if (function := self._all._callers.own_method(base.instance.own, name)) is not None:
                    return self._returned(function)
                return UNKNOWN if self._names.keras_is_set_up else self._row_of_method(node, op(method(base, name)), base)
            case Sort.ARRAY | Sort.SCALAR | Sort.DATASET | Sort.TEXT, _:
                return self._row_of_method(node, op(method(base, name)), base)
            case Sort.DICT, "get" if isinstance(base.instance, Entries) and isinstance(
                key := node.args[0] if node.args else None, gast.Constant
            ):
                return base.instance.of(key.value)
            case Sort.TUPLE, "as_list" if base.items is not None:
                return sequence(Sort.LIST, base.items)
            case Sort.TENSOR | Sort.VARIABLE, "get_shape":
                return self._attribute(node.func, base, "shape")
            case Sort.GENERATOR, _ if isinstance(base.instance, str):
                return self._row_of_method(node, op(method(base, name)), base)
            case Sort.GENERATOR, "normal" | "truncated_normal" | "uniform":
                return self._row_of_method(node, op(f"tensorflow.random.{name}"), base)
        return UNKNOWN


class _ObservedWalk(_Walk):
    """A pass that knows what a run has seen of the expressions, and believes it where the text says nothing."""

    def __init__(self, inference: Inference, unit: gast.AST, seen: See, *, ask_functions: bool) -> None:
        super().__init__(inference, unit, ask_functions=ask_functions)
        self._seen = seen

    def _enter(self, env: Env) -> None:
        super()._enter(env)
        assert isinstance(self._unit, FUNCTIONS)
        for name in parameters(self._unit):
            if name.id in env and (seen := self._seen(name)) is not None:
                if seen.sort is Sort.NUMBER and self._all._callers.may_have_signature(self._unit):
                    continue  # the run was given a number, a graph makes a tensor of it
                known = env[name.id]  # by an annotation, which a call with something else refutes
                kind = seen if contradicts(known, seen) else refined(known, seen)
                env[name.id] = self._record[name] = named(kind, id(name), name.id, frozenset())

    def _evaluate(self, node: gast.AST, env: Env) -> Kind:
        known = super()._evaluate(node, env)
        seen = self._seen(node)
        if seen is None:
            return known
        kind = refined(known, seen)
        if isinstance(node, gast.Name) and node.id in env and kind != known:
            # The next one who reads the name reads the same sizes.
            kind = env[node.id] = named(kind, id(node), node.id, frozenset(self._loops)) if kind.shape is not None else kind
        return kind


_NUMPY_DTYPES = {
    "float": "float64", "double": "float64", "single": "float32", "half": "float16", "int": "int64", "int_": "int64", "bool_": "bool",
    "f4": "float32", "f8": "float64", "i4": "int32", "i8": "int64", "u1": "uint8",
}  # fmt: skip
_LIST_READERS = frozenset({"len", "enumerate", "zip", "reversed", "list", "tuple"})
_GIVEN_BY_KERAS = {
    ("keras.Model", "optimizer"): "keras.optimizers.Optimizer",
    ("keras.callbacks.Callback", "model"): "keras.Model",
}  # fmt: skip
_SET_UP_BY_KERAS = frozenset({"build", "compile"})
_CALLED_BY_KERAS = frozenset({"call", "train_step", "test_step", "predict_step"})
_MATH_CONSTANTS = frozenset({"math.pi", "math.e", "math.tau", "numpy.pi", "numpy.e"})
_MATH_FUNCTIONS = frozenset({
    "sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "pow", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh",
    "tanh", "fabs", "hypot", "radians", "degrees",
})  # fmt: skip
_NOT_FOLLOWED = (gast.Yield, gast.YieldFrom, gast.Await, gast.Global, gast.Nonlocal, gast.Try, gast.With, gast.While)
_MOST_NODES = 400  # of a function that is followed for each of its calls
_MOST_MEMBERS = 1024  # of a list that is written as a product
_MOST_CALLS = 4  # that are followed into functions that call each other


def _is_told(kind: Kind) -> bool:
    if kind.items is not None:
        return all(map(_is_told, kind.items))
    return kind.sort is not Sort.UNKNOWN and (not kind.is_tensor or (kind.dtype is not None and kind.shape is not None))


def _made_in(symbol: Symbol, nodes: set[int]) -> bool:
    """Does a size belong to something that is made inside of these nodes?"""
    return _mentions(symbol.key, nodes)


def _mentions(key: object, nodes: set[int]) -> bool:
    match key:
        case int():
            return key in nodes
        case Symbol():
            return _mentions(key.key, nodes)
        case tuple() | frozenset():
            return any(_mentions(one, nodes) for one in key)
    return False


def _gradient(sources: Kind) -> Kind:
    """A gradient has the structure of what it is taken for, and the shape of each source."""
    match sources:
        case Kind(sort=Sort.LIST | Sort.TUPLE as sort, items=tuple() as items):
            return replace(sequence(sort, tuple(_gradient(item) for item in items)), sort=sort)
        case Kind(sort=Sort.TENSOR | Sort.VARIABLE) if sources.dtype not in INTEGERS:
            return Kind(Sort.GRADIENT, sources.dtype, sources.shape)
    return UNKNOWN  # None, of integers


def _default_of(node: gast.AST) -> Kind:
    """What a parameter has where a call doesn't give it: a constant of the other file."""
    return _of_constant(node.value) if isinstance(node, gast.Constant) else UNKNOWN


def _is_number(kind: Kind) -> bool:
    return kind.sort is Sort.NUMBER


_TEXT, _NONE = Kind(Sort.TEXT), Kind(Sort.NONE)


def _of_constant(value: object) -> Kind:
    match value:
        case str() | bytes():
            return _TEXT
        case None:
            return _NONE
        case bool() | int() | float():
            return number(value)
        case complex():
            return number(None, "complex")
    return UNKNOWN


def _number_arithmetic(op: gast.AST, left: Kind, right: Kind) -> Kind:
    a, b = left.value, right.value
    match op, a, b:
        case (gast.Mult(), Symbol() as size, int() as factor) | (gast.Mult(), int() as factor, Symbol() as size):
            if left.dtype == right.dtype == "int" and (product := times(size, factor)) is not None:
                return number(product)
        case gast.FloorDiv(), Symbol() as size, int() as parts if parts > 0 and left.dtype == right.dtype == "int":
            if isinstance(quotient := divided_by(size, parts), Symbol):
                return number(quotient)
    if isinstance(a, int) and isinstance(b, int) and not isinstance(op, gast.Pow | gast.LShift):
        match op:
            case gast.Add():
                return number(a + b)
            case gast.Sub():
                return number(a - b)
            case gast.Mult():
                return number(a * b)
            case gast.FloorDiv() if b:
                return number(a // b)
            case gast.Mod() if b:
                return number(a % b)
            case gast.Div() if b:
                return number(a / b) if max(abs(a), abs(b)) < 2**53 else number(None, "float")
    match op:
        case gast.Div():
            return number(None, "float")
        case gast.Pow() if left.dtype == "float" and (right.dtype == "int" or (right.dtype == "float" and isinstance(a, float) and a > 0)):
            return number(None, "float")
        case gast.Pow():
            return number(None)  # (-2.0) ** 0.5 is complex, 2 ** -1 a float, 2 ** 40 no int32
    if "complex" in (left.dtype, right.dtype) or None in (left.dtype, right.dtype):
        return number(None)
    return number(None, "float" if "float" in (left.dtype, right.dtype) else "int")


_EACH_DTYPE = ("float32", "int32", "uint8", "complex64", "bool")


def _of_any_dtype(rule: Callable[[tuple[Kind, ...]], Kind], operands: tuple[Kind, ...]) -> Kind:
    """A result whose dtype is that of a name only where it is so whatever that is: `x / 2` of integers is of float64."""
    result = rule(operands)
    if not _has_dtype_of_name(result):
        return result
    for dtype in _EACH_DTYPE:
        other = rule(tuple(_with_dtype(one, dtype) for one in operands))
        if _dtypes(other) not in (_dtypes(_with_dtype(result, dtype)), _dtypes(result)):
            return _with_dtype(result, None)
    return result


def _has_dtype_of_name(kind: Kind) -> bool:
    members = (*(kind.items or ()), *((kind.each,) if kind.each is not None else ()))
    return "." in (kind.dtype or "") or any(map(_has_dtype_of_name, members))


def _with_dtype(kind: Kind, dtype: str | None) -> Kind:
    """The kind with that dtype wherever it is that of a name."""
    if not _has_dtype_of_name(kind):
        return kind
    return replace(
        kind,
        dtype=dtype if "." in (kind.dtype or "") else kind.dtype,
        items=None if kind.items is None else tuple(_with_dtype(one, dtype) for one in kind.items),
        each=None if kind.each is None else _with_dtype(kind.each, dtype),
    )


def _dtypes(kind: Kind) -> object:
    return kind.dtype, *map(_dtypes, kind.items or ()), None if kind.each is None else _dtypes(kind.each)


def _sizes_in(kind: Kind) -> Shape:
    """The sizes that a tuple such as `x.shape` holds."""
    if kind.items is not None:
        return tuple(map(_size_in, kind.items))
    return kind.value if isinstance(kind.value, Symbol) else None


def _size_in(kind: Kind) -> Dim:
    return kind.value if isinstance(kind.value, int | Symbol) and not isinstance(kind.value, bool) else None


def _either_way(a: Equalities, b: Equalities) -> Callable[[Dim, Dim], Dim]:
    """What is known of a size that is one where some sizes are the same, and another where others are."""

    def joined(x: Dim, y: Dim) -> Dim:
        if b.are_same(x, y):
            return x
        return y if a.are_same(x, y) else None

    return joined


def is_ellipsis(part: gast.AST) -> bool:
    return isinstance(part, gast.Constant) and part.value is Ellipsis


def _symbolic(kind: Kind) -> Kind:
    return Kind(Sort.SYMBOLIC, kind.dtype, kind.shape if isinstance(kind.shape, tuple) else None)


def _of_symbolic(left: Kind, right: Kind) -> Kind:
    """What an operator makes of Keras tensors: floats of one dtype, or of one and a number."""
    kinds = [one for one in (left, right) if one.sort in (Sort.SYMBOLIC, Sort.TENSOR, Sort.VARIABLE)]
    if len(kinds) + sum(one.sort is Sort.NUMBER for one in (left, right)) < 2:
        return Kind(Sort.SYMBOLIC)
    dtypes = {one.dtype for one in kinds}
    shape = broadcast(*(one.shape if one.sort is not Sort.NUMBER else () for one in (left, right)))
    return Kind(Sort.SYMBOLIC, dtypes.pop() if len(dtypes) == 1 and dtypes <= FLOATS else None, shape)


def _are_arrays(left: Kind, right: Kind) -> bool:
    """Does NumPy compute with the two?"""
    sorts = {left.sort, right.sort}
    with_lists = Sort.ARRAY in sorts and sorts <= {Sort.ARRAY, Sort.SCALAR, Sort.NUMBER, Sort.LIST, Sort.TUPLE}
    return with_lists or (Sort.SCALAR in sorts and sorts <= {Sort.SCALAR, Sort.NUMBER})


def _listed(op: gast.AST, items: tuple[Kind, ...], other: Kind) -> tuple[Kind, ...] | None:
    """The members of `[1, 2] * 3` and of `[1] + [2]`."""
    match op, other:
        case gast.Mult(), Kind(sort=Sort.NUMBER, value=int() as times) if 0 < times * len(items) <= _MOST_MEMBERS:
            return items * times
        case gast.Add(), Kind(sort=Sort.LIST, items=tuple() as more):
            return (*items, *more)
    return None


def _slice_size(size: Dim, part: gast.Slice, record: Mapping[gast.AST, Kind]) -> Dim:
    if part.lower is None and part.upper is None and part.step is None:
        return size
    if not isinstance(size, int):
        return None
    if (steady := _steady_size(size, part, record)) is not None:
        return steady
    ends = [None if one is None else record.get(one, UNKNOWN) for one in (part.lower, part.upper, part.step)]
    if any(one is not None and (one.sort is not Sort.NUMBER or type(one.value) is not int) for one in ends):
        return None
    lower, upper, step = (one.value if one is not None and isinstance(one.value, int) else None for one in ends)
    return None if step == 0 else len(range(size)[slice(lower, upper, step)])


def _steady_size(size: int, part: gast.Slice, record: Mapping[gast.AST, Kind]) -> int | None:
    """How many rows `x[i : i + k]` and `x[i * k : (i + 1) * k]` have for every i, where none of them reaches beyond the end."""
    match part:
        case gast.Slice(lower=gast.Name(id=name) as index, upper=gast.BinOp(left=left, op=gast.Add(), right=right), step=None):
            length = right if _is_name(left, name) else left if _is_name(right, name) else None
            times = 1
        case gast.Slice(
            lower=gast.BinOp(left=gast.Name(id=name) as index, op=gast.Mult(), right=length),
            upper=gast.BinOp(left=gast.BinOp(left=left, op=gast.Add(), right=gast.Constant(value=1)), op=gast.Mult(), right=other),
            step=None,
        ) if _is_name(left, name) and gast.dump(length) == gast.dump(other):
            times = 0
        case _:
            return None
    below = record.get(index, UNKNOWN).below
    rows = record.get(length, UNKNOWN).value if length is not None else None
    if type(below) is not int or type(rows) is not int or below < 1 or rows < 1:
        return None
    first = below - 1 if times else (below - 1) * rows
    return rows if first + rows <= size else None


def _is_name(node: gast.AST, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name


def _below_of_range(arguments: Sequence[int | float | bool | Symbol | None]) -> Dim:
    """What all numbers of a range lie below, where none of them is negative."""
    known = [one for one in arguments if type(one) is int]
    if len(known) == len(arguments) and 0 not in known[2:]:
        turns = range(*known)
        return max(turns) + 1 if turns and min(turns) >= 0 else None
    match arguments:
        case [Symbol() as stop] | [int(0), Symbol() as stop]:
            return stop
    return None
