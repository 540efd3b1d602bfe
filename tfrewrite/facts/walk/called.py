"""What calls give: of operations, Keras layers, built-ins, methods, and functions of the file, which are followed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import gast

from tfrewrite.facts.imported import Foreign, Thing, class_of, function_of, portable
from tfrewrite.facts.scopes import DEFINITIONS, Function, bound_arguments, parameters
from tfrewrite.facts.walk.assignments import Assignments
from tfrewrite.facts.walk.constants_and_dtypes import is_number, of_any_dtype, of_constant
from tfrewrite.facts.walk.environment import Env
from tfrewrite.facts.walk.kept_kinds import without_lists
from tfrewrite.kinds import DTYPES, INTEGERS, UNKNOWN, Entries, Kind, Sort, Symbol, map_symbols, number, refined, sequence, tensor
from tfrewrite.ops import method, op
from tfrewrite.ops.call import Call, elementwise
from tfrewrite.ops.made import Made, family, is_input
from tfrewrite.ops.row import Op

_NUMPY_DTYPES = {
    "float": "float64", "double": "float64", "single": "float32", "half": "float16", "int": "int64", "int_": "int64", "bool_": "bool",
    "f4": "float32", "f8": "float64", "i4": "int32", "i8": "int64", "u1": "uint8",
}  # fmt: skip
_MATH_FUNCTIONS = frozenset({
    "sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "pow", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh",
    "tanh", "fabs", "hypot", "radians", "degrees",
})  # fmt: skip


_EXACT = 2**53
"""Up to here each int is a float."""


class Calls(Assignments):
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
        return UNKNOWN if self._names.keras_is_set_up and not is_number(found) else found

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
        return self._ask(lambda inference: inference.returned(function)) if self._ask_functions else UNKNOWN

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
        if not self._all.may_be_followed(function):
            return known
        found = self._ask(lambda inference: inference.followed(function, env, self._ask_functions))
        return known if found is None else refined(known, found)

    def _handed_over(self, function: gast.FunctionDef, call: gast.Call, owner: Kind | None) -> Env | None:
        """The parameters of a function in a call of it; None where what goes where isn't written."""
        given = bound_arguments(function, call, owner is not None)
        if given is None:
            return None
        made = {} if owner is None else {parameters(function)[0].id: owner}
        constants = {name: of_constant(value.value) for name, value in given.items() if isinstance(value, gast.Constant)}
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
        if row.returns is None or (name.startswith("tensorflow.keras.") and self._is_set_up(name)):
            return UNKNOWN
        call = self.bound(node, row)
        if call is None:
            return tensor() if name.startswith("tensorflow.") and not row.is_no_tensor else UNKNOWN
        returns = row.returns
        return of_any_dtype(
            lambda kinds: returns(replace(call, kinds=dict(zip(call.kinds, kinds, strict=True)))), tuple(call.kinds.values())
        )

    def _is_set_up(self, name: str) -> bool:
        """May a setting of Keras change what its function gives?"""
        of_data = name.startswith("tensorflow.keras.datasets.")
        return self._names.keras_data_is_set_up if of_data else self._names.keras_is_set_up

    def _builtin(self, node: gast.Call, name: str) -> Kind:
        kinds = [self._record.get(one, UNKNOWN) for one in node.args]
        match name.removeprefix("builtins."), kinds:
            case "len", [Kind(sort=Sort.DATASET, value=count)]:
                return number(count if isinstance(count, int) else None, "int")
            case "len", [Kind(items=tuple() as items)]:
                return number(len(items))
            case "len", [Kind(shape=tuple() as shape)] if shape:
                return number(shape[0], "int")
            case "int", [Kind(sort=Sort.NUMBER, value=None, dtype="float")] if (value := self._number_of(node.args[0])) is not None:
                return number(int(value))
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

    def _number_of(self, node: gast.expr) -> int | float | None:
        """What Python computes of numbers that are known: `len(x) * 0.8`. Nothing where that is no usual number."""
        kind = self._record.get(node, UNKNOWN)
        if kind.sort is not Sort.NUMBER:
            return None
        found = kind.value if isinstance(kind.value, int | float) else None
        if isinstance(node, gast.BinOp) and found is None:
            a, b = self._number_of(node.left), self._number_of(node.right)
            match node.op:
                case _ if a is None or b is None:
                    return None
                case gast.Add():
                    found = a + b
                case gast.Sub():
                    found = a - b
                case gast.Mult():
                    found = a * b
                case gast.Div() if b:
                    found = a / b
        return found if found is not None and abs(found) < _EXACT else None

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

    def _dict_of(self, entries: Mapping[str | int, gast.AST]) -> Kind:
        return Kind(Sort.DICT, instance=Entries(tuple((key, self._kept_in_dict(value)) for key, value in entries.items())))

    def _kept_in_dict(self, node: gast.AST) -> Kind:
        """What holds of a value for as long as a dict holds it, whatever others do with it."""
        kind = map_symbols(without_lists(self._record.get(node, UNKNOWN)), lambda symbol: None)
        if isinstance(kind.instance, Made) and kind.instance.name == "keras.Sequential" and self._all._callers.attribute_loads("add"):
            return replace(kind, instance=Made(kind.instance.name))
        return kind


def _is_told(kind: Kind) -> bool:
    if kind.items is not None:
        return all(map(_is_told, kind.items))
    return kind.sort is not Sort.UNKNOWN and (not kind.is_tensor or (kind.dtype is not None and kind.shape is not None))


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
    return of_constant(node.value) if isinstance(node, gast.Constant) else UNKNOWN
