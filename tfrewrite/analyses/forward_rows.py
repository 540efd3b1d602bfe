"""Is each row of what a model or a function gives computed from the same row of what it is given, and of nothing else?

The body of the function, or the layers of the model, are followed from the first argument on. Of every value it is known
whether it has a row for each row of the batch, and of what sizes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import gast

from tfrewrite.analyses.keras_layers_alone import patched
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Kind, Sort
from tfrewrite.facts.scopes import Function, bound_arguments
from tfrewrite.kinds import ITEM_BYTES, UNKNOWN, Dim, broadcast, number, tensor
from tfrewrite.ops import op
from tfrewrite.ops.keras import applied_to
from tfrewrite.ops.made import Made, is_input
from tfrewrite.outcomes import Refusal

_OTHERWISE = ("add_loss", "activity_regularizer", "ActivityRegularization", "add_metric", "register_forward", "set_dtype_policy", "mixed_")
_MASKS = ("mask_zero", "Masking", "keras_mask", "compute_mask")
"""A mask goes with a tensor, and is lost when rows are taken of it or joined."""
_SHOWN = (".summary(", ".input_shape", ".output_shape", ".inputs", ".outputs", ".save(", ".export(", "plot_model", "SavedModel")
"""What tells the size of the first batch, with which a model was built."""
_TRAINING = frozenset({"training", "is_training", "train"})
_SAME_SIZES = frozenset({"nn.softmax", "nn.log_softmax", "nn.bias_add", "identity", "stop_gradient", "cast", "nn.l2_normalize"})
_POOLS = frozenset({"nn.max_pool", "nn.max_pool2d", "nn.avg_pool", "nn.avg_pool2d"})
_DEEPEST = 12


@dataclass(frozen=True)
class Forward:
    """What it takes to compute one row."""

    result: Kind
    widest: int
    """At least so many bytes are held at once for a row."""


@dataclass(frozen=True)
class _Value:
    kind: Kind
    of_rows: bool
    """Has it one row for each row of the batch?"""


_WHOLE = _Value(UNKNOWN, False)


def forward(call: gast.Call, facts: Facts) -> Forward | Refusal | None:
    """What `net(x)` computes for each row of `x`; None where `net` is no model or function of this file."""
    tracer = _Tracer(facts, call)
    given = facts.kind(call.args[0])
    shape = given.shape if isinstance(given.shape, tuple) else ()
    x = _Value(tensor(given.dtype, (None, *shape[1:])), True)
    tracer.given = x
    found = tracer.called(call, {id(call.args[0]): x}, {}, 0)
    if found is None:
        return None
    if tracer.wrong is None and not (found.of_rows and found.kind.sort is Sort.TENSOR):
        tracer.fail(call, Code.FORM, "its result is not known to be one tensor with a row for each row")
    return tracer.wrong or _why_not_called_again(call, tracer.built, facts) or Forward(found.kind, tracer.widest)


def is_followed(node: gast.AST, facts: Facts) -> bool:
    """Does an expression stand for a model or for a function of this file?"""
    return _owner(node, facts) is not None or facts.callers.function_named(node) is not None or isinstance(_instance(node, facts), Made)


def _instance(node: gast.AST, facts: Facts) -> object:
    found = facts.kind(node).instance
    if found is None and isinstance(node, gast.Attribute) and (owner := _owner(node.value, facts)) is not None:
        return facts.attribute_of(owner, node.attr).instance
    return found


def _owner(node: gast.AST, facts: Facts) -> gast.ClassDef | None:
    """The class of this file that an expression is an object of, which derives from one of Keras."""
    found = facts.kind(node).instance
    own = found.own if isinstance(found, Made) else None
    return own if isinstance(own, gast.ClassDef) and facts.callers.kept_by_keras(own) else None


@dataclass
class _Tracer:
    facts: Facts
    place: gast.Call
    wrong: Refusal | None = None
    widest: int = 0
    given: _Value | None = None
    """What the caller holds anyway."""
    built: bool = True
    """Is the model certainly built before, for batches of any size?"""
    around: list[gast.AST] = field(default_factory=list)

    def fail(self, node: gast.AST, code: Code, reason: str) -> _Value:
        if self.wrong is None:
            self.wrong = Refusal(self.place, code, reason)
        return _WHOLE

    def shown(self, node: gast.AST, otherwise: str = "what it computes") -> str:
        return self.facts.edit.short(node, otherwise)

    def unknown(self, node: gast.AST) -> _Value:
        return self.fail(node, Code.UNKNOWN_CALL, f"{self.shown(node)} is not known to be computed row by row")

    def computed(self, value: _Value, *operands: _Value) -> _Value:
        """Remember what an operation holds for each row."""
        held = (one for one in (value, *operands) if one.of_rows and one is not self.given)
        self.widest = max(self.widest, sum(_row_bytes(one.kind) for one in held))
        return value

    # Calls

    def called(self, call: gast.Call, known: Mapping[int, _Value], env: Mapping[str, _Value], depth: int) -> _Value | None:
        """What a call of a model, a layer or a function of this file gives; None for any other."""
        facts = self.facts
        if depth > _DEEPEST:
            return self.unknown(call)
        if (owner := _owner(call.func, facts)) is not None:
            method = facts.callers.own_method(owner, "call")
            self.built = False
            if method is None:
                return self.unknown(call)
            return self._function(method, call, known, env, depth, of_object=True)
        made = _instance(call.func, facts)
        if isinstance(made, Made) and made.own is None and made.name.startswith(("keras.layers.", "keras.Sequential", "keras.Model")):
            return self._object(made, call, known, env, depth)
        function = facts.callers.function_named(call.func)
        own = self._own_method(call.func)
        if function is None and own is None:
            return None
        if call is self.place and facts.kind(call).sort is not Sort.TENSOR:
            return self.fail(call, Code.UNKNOWN_VALUE, f"what {self.shown(call.func)} gives is not known to be a tensor")
        return self._function(own or function, call, known, env, depth, of_object=own is not None)

    def _own_method(self, func: gast.AST) -> Function | None:
        """The method that `self.encode(x)` calls, in a class of Keras."""
        match func:
            case gast.Attribute(value=gast.Name(id="self") as name, attr=attr):
                function = self.facts.scopes.function_of(name)
                owner = self.facts.scopes.class_of(function) if function is not None else None
                if owner is not None and self.facts.callers.kept_by_keras(owner):
                    return self.facts.callers.own_method(owner, attr)
        return None

    def _arguments(self, call: gast.Call, known: Mapping[int, _Value], env: Mapping[str, _Value], depth: int) -> dict[int, _Value]:
        values = [*call.args, *(one.value for one in call.keywords)]
        return {id(one): known[id(one)] if id(one) in known else self.value(one, env, depth) for one in values}

    def _function(
        self,
        function: Function | None,
        call: gast.Call,
        known: Mapping[int, _Value],
        env: Mapping[str, _Value],
        depth: int,
        of_object: bool,
    ) -> _Value:
        facts = self.facts
        if not isinstance(function, gast.FunctionDef) or function.decorator_list or function in self.around:
            return self.unknown(call.func)
        given = bound_arguments(function, call, of_object)
        if given is None:
            return self.fail(call, Code.FORM, f"what {self.shown(call.func)} is given is not written argument by argument")
        values = self._arguments(call, known, env, depth)
        inner = {name: values[id(one)] if id(one) in values else _Value(facts.kind(one), False) for name, one in given.items()}
        self.around.append(function)
        found = self._body(function.body, inner, depth + 1)
        self.around.pop()
        return found if found is not None else self.fail(call, Code.CONTROL_FLOW, f"{function.name} is not known to return a tensor")

    def _body(self, body: Sequence[gast.stmt], env: dict[str, _Value], depth: int) -> _Value | None:
        """What a block returns; None where it goes on."""
        for statement in body:
            if self.wrong is not None:
                return _WHOLE
            match statement:
                case gast.Expr(value=gast.Constant()) | gast.Pass():
                    pass
                case gast.Assign(targets=[gast.Name(id=name)], value=value):
                    env[name] = self.value(value, env, depth)
                case gast.AugAssign(target=gast.Name(id=name), value=value) if name in env:
                    env[name] = self._elementwise(statement, [env[name], self.value(value, env, depth)], env[name])
                case gast.Return(value=gast.expr() as value):
                    return self.value(value, env, depth)
                case gast.If(test=test, body=first, orelse=second):
                    truth = self._truth(test, env)
                    if truth is None:
                        return self.fail(test, Code.CONTROL_FLOW, f"whether {self.shown(test, 'a condition')} holds is not known")
                    if (found := self._body(first if truth else second, env, depth)) is not None:
                        return found
                case _:
                    return self.fail(statement, Code.CONTROL_FLOW, f"line {statement.lineno} is not known to be computed row by row")
        return None

    def _truth(self, test: gast.AST, env: Mapping[str, _Value]) -> bool | None:
        match test:
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                found = self._truth(operand, env)
                return None if found is None else not found
            case gast.Name(id=name) if name in env and not env[name].of_rows:
                kind = env[name].kind
                return False if kind.sort is Sort.NONE else bool(kind.value) if isinstance(kind.value, bool) else None
            case gast.Constant(value=bool() | None as value):
                return bool(value)
        return None

    # Expressions

    def value(self, node: gast.expr, env: Mapping[str, _Value], depth: int) -> _Value:
        facts = self.facts
        if self.wrong is not None:
            return _WHOLE
        match node:
            case gast.Name(id=name) if name in env:
                return env[name]
            case gast.Constant() | gast.Name():
                return _Value(facts.kind(node), False)
            case gast.List(elts=elements) | gast.Tuple(elts=elements):
                values = [self.value(one, env, depth) for one in elements]
                rows = any(one.of_rows for one in values)
                items = tuple(one.kind for one in values)
                if rows and not all(one.of_rows for one in values):
                    return self.unknown(node)
                return _Value(Kind(Sort.LIST, items=items), rows)
            case gast.BinOp(left=left, op=gast.MatMult(), right=right):
                return self._product(node, self.value(left, env, depth), self.value(right, env, depth))
            case gast.BinOp(left=left, op=operator, right=right):
                values = [self.value(left, env, depth), self.value(right, env, depth)]
                return _product_of_sizes(operator, *values) or self._elementwise(node, values)
            case gast.Subscript(value=shape, slice=gast.Constant(value=int(axis))) if (measured := _measured(shape)) is not None:
                return self._size(node, self.value(measured, env, depth), axis)
            case gast.Subscript(value=shape, slice=gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int(axis)))) if (
                measured := _measured(shape)
            ) is not None:
                return self._size(node, self.value(measured, env, depth), -axis)
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                return self._elementwise(node, [self.value(operand, env, depth)])
            case gast.Call():
                found = self.called(node, {}, env, depth)
                return found if found is not None else self._operation(node, env, depth)
            case gast.Subscript(value=inner) if self._adds_axis(node):
                x = self.value(inner, env, depth)
                sizes = _sizes(x.kind)
                return replace(x, kind=tensor(x.kind.dtype, (*sizes, 1))) if x.of_rows and sizes else x
        if any(isinstance(one, gast.Name) and one.id in env and env[one.id].of_rows for one in gast.walk(node)):
            return self.unknown(node)
        return self._weight(node) if self._is_read(node, env) else self.unknown(node)

    def _size(self, node: gast.AST, x: _Value, axis: int) -> _Value:
        """`x.shape[1]`, which is the same for every number of rows."""
        sizes = _sizes(x.kind)
        size = sizes[axis] if sizes is not None and -len(sizes) <= axis < len(sizes) else None
        if x.of_rows and (size is None or axis in (0, -len(sizes or ()))):
            return self.unknown(node)
        return _Value(number(size) if isinstance(size, int) else UNKNOWN, False)

    def _adds_axis(self, node: gast.Subscript) -> bool:
        """Is it `x[..., None]`?"""
        match node.slice:
            case gast.Tuple(elts=[gast.Constant(value=first), last]) if first is Ellipsis:
                none = isinstance(last, gast.Constant) and last.value is None
                return none or self.facts.names(last) in ("tensorflow.newaxis", "numpy.newaxis")
        return False

    def _is_read(self, node: gast.AST, env: Mapping[str, _Value]) -> bool:
        """Is it a weight or a setting: `self.w`, `weights["w1"]`, `2 * n`?"""
        return all(
            isinstance(one, gast.Name | gast.Attribute | gast.Subscript | gast.Constant | gast.BinOp | gast.operator | gast.expr_context)
            for one in gast.walk(node)
        )

    def _weight(self, node: gast.expr) -> _Value:
        """A weight, also one that a dictionary holds which nothing changes."""
        facts = self.facts
        match node:
            case gast.Subscript(value=gast.Name() as holder, slice=gast.Constant(value=str(key))):
                owner = facts.scopes.names[holder].lookup(holder.id) if holder in facts.scopes.names else None
                bindings = owner.bindings[holder.id] if owner is not None else []
                match facts.parent(bindings[0]) if len(bindings) == 1 else None:
                    case gast.Assign(targets=[gast.Name()], value=gast.Dict(keys=keys, values=values)):
                        if not _is_stored_into(holder.id, facts):
                            for name, value in zip(keys, values, strict=True):
                                if isinstance(name, gast.Constant) and name.value == key:
                                    return _Value(facts.kind(value), False)
        return _Value(facts.kind(node), False)

    def _operation(self, call: gast.Call, env: Mapping[str, _Value], depth: int) -> _Value:
        facts = self.facts
        row, arguments = facts.op(call), facts.arguments(call)
        known = (facts.called(call) or "").startswith("tensorflow.") and row.is_pure
        if not known or arguments is None:
            return self.unknown(call)
        settings = {key: one for key, one in arguments.items() if key == "name"}
        values = {key: self.value(one, env, depth) for key, one in arguments.items() if key not in settings}
        if not any(one.of_rows for one in values.values()):
            return _Value(facts.kind(call), False)
        x = values.get("x") or values.get("value") or values.get("values") or _WHOLE
        others = [one for key, one in values.items() if one is not x]
        alone = x.of_rows and not any(one.of_rows for one in others)
        if row.is_elementwise:
            return self._elementwise(call, list(values.values()))
        if row.name == "matmul" and set(values) == {"x", "y"}:
            return self._product(call, values["x"], values["y"])
        if not alone:
            return self.unknown(call)
        sizes = _sizes(x.kind)
        if row.name == "reshape" and "shape" in arguments:
            return self._reshaped(call, x, values["shape"].kind)
        if row.name in _SAME_SIZES:
            axis = _axis(arguments.get("axis"), facts)
            mixed = row.name not in ("nn.bias_add", "identity", "stop_gradient", "cast")
            if mixed and (len(sizes or ()) < 2 or axis == "unknown" or (isinstance(axis, int) and axis % len(sizes or (1,)) == 0)):
                return self.unknown(call)
            if mixed and axis is None and row.name == "nn.l2_normalize":
                return self.unknown(call)
            dtype = facts.kind(call).dtype if row.name == "cast" else x.kind.dtype
            return self.computed(_Value(tensor(dtype, x.kind.shape), True), x)
        if row.name == "nn.conv2d" or row.name in _POOLS:
            return self.computed(_Value(tensor(x.kind.dtype, _windows(sizes, values, arguments.get("padding"))), True), x)
        return self.unknown(call)

    def _elementwise(self, node: gast.AST, operands: Sequence[_Value], first: _Value | None = None) -> _Value:
        rows = [one for one in operands if one.of_rows]
        if not rows:
            return _Value(self.facts.kind(node), False)
        if not isinstance(node, gast.BinOp | gast.AugAssign | gast.UnaryOp | gast.Call):
            return self.unknown(node)
        shape = rows[0].kind.shape
        for one in operands:
            other = one.kind.shape if one.kind.sort is not Sort.NUMBER else ()
            if not isinstance(shape, tuple) or not isinstance(other, tuple) or one.kind.sort is Sort.LIST:
                return self.unknown(node)
            if one.of_rows and len(other) != len(shape):
                return self.unknown(node)
            if not one.of_rows and len(other) >= len(shape) and not (len(other) == len(shape) and other[0] == 1):
                return self.unknown(node)
            shape = (None, *_rest(broadcast(shape[1:], other[1:] if len(other) == len(shape) else other), len(shape) - 1))
        dtype = self.facts.kind(node).dtype if not isinstance(node, gast.AugAssign) else rows[0].kind.dtype
        return self.computed(_Value(tensor(dtype or rows[0].kind.dtype, shape), True), *operands)

    def _product(self, node: gast.AST, x: _Value, y: _Value) -> _Value:
        left, right = _sizes(x.kind), y.kind.shape
        if not x.of_rows or y.of_rows or left is None or len(left) != 2 or not isinstance(right, tuple) or len(right) != 2:
            return self.unknown(node) if x.of_rows or y.of_rows else _Value(self.facts.kind(node), False)
        return self.computed(_Value(tensor(x.kind.dtype, (None, right[-1])), True), x)

    def _reshaped(self, call: gast.Call, x: _Value, wanted: Kind) -> _Value:
        """`tf.reshape(x, [-1, 28, 28, 1])`, of which each row is one of `x`."""
        before = _sizes(x.kind)
        items = [one.value for one in wanted.items or ()]
        rest = [one for one in items[1:] if isinstance(one, int) and one >= 0]
        if (
            before is None
            or not items
            or items[0] != -1
            or len(rest) != len(items) - 1
            or not all(isinstance(one, int) for one in before[1:])
        ):
            return self.unknown(call)
        if math.prod(rest) != math.prod(one for one in before[1:] if isinstance(one, int)):
            return self.fail(call, Code.OTHER_SHAPE, f"{self.shown(call)} is not known to keep the rows")
        return _Value(tensor(x.kind.dtype, (None, *rest)), True)

    # Layers

    def _object(self, made: Made, call: gast.Call, known: Mapping[int, _Value], env: Mapping[str, _Value], depth: int) -> _Value:
        values = self._arguments(call, known, env, depth)
        positional = [values[id(one)] for one in call.args]
        for keyword in call.keywords:
            value = values[id(keyword.value)].kind
            off = value.sort is Sort.NONE or value.value is False
            if keyword.arg not in _TRAINING or not off:
                return self.fail(
                    call, Code.FORM, f"{self.shown(keyword, 'an argument')} of {self.shown(call.func)} is not known to be False"
                )
        if len(positional) != 1 or not positional[0].of_rows:
            return self.unknown(call)
        return self.layer(made, positional[0], call, depth)

    def layer(self, made: Made, x: _Value, node: gast.AST, depth: int) -> _Value:
        if self.wrong is not None:
            return x
        if made.name == "keras.Sequential":
            return self._sequence(made, x, node, depth)
        if made.name == "keras.Model":
            return self._functional(made, x, node, depth)
        row, short = op(f"tensorflow.{made.name}"), made.name.rpartition(".")[2]
        if made.own is not None or not row.is_by_row or (row.is_stateful and not row.minds_training) or row.applied is None:
            return self.fail(node, Code.UNKNOWN_CALL, f"what {short} computes is not known to be computed row by row")
        if short.startswith("Random"):
            return self.fail(node, Code.RANDOM, f"{short} draws random numbers wherever `training` isn't said to be False")
        inner = [kind.instance for _, kind in made.given if isinstance(kind.instance, Made)]
        if any(_mixes_rows(one, self.facts) for one in (made, *inner)):
            return self.fail(node, Code.SETTINGS, f"a setting of {short} may let it read other rows")
        if x.kind.sort is Sort.LIST:
            given = Kind(Sort.LIST, items=x.kind.items)
        else:
            given = x.kind
        found = applied_to(made, given)
        if found.sort is not Sort.TENSOR:
            return self.fail(node, Code.UNKNOWN_CALL, f"what {short} gives here is not known")
        shape = (None, *found.shape[1:]) if isinstance(found.shape, tuple) and found.shape else None
        return self.computed(_Value(tensor(found.dtype, shape), True), x)

    def _sequence(self, made: Made, x: _Value, node: gast.AST, depth: int) -> _Value:
        layers = made["layers"].items if made["layers"].sort in (Sort.LIST, Sort.TUPLE) else None
        first = layers[0] if layers else UNKNOWN
        if not (first.sort is Sort.SYMBOLIC or (isinstance(first.instance, Made) and first.instance.has("input_shape"))):
            self.built = False
        if layers is None:
            return self.fail(node, Code.UNKNOWN_CALL, f"the layers of {self.shown(getattr(node, 'func', node), 'the model')} are not known")
        for one in layers:
            if one.sort is Sort.SYMBOLIC:
                shape = one.shape if isinstance(one.shape, tuple) else (0,)
                if shape[0] is not None:
                    return self.fail(node, Code.OTHER_SHAPE, "the model asks for batches of one size")
                x = replace(x, kind=tensor(x.kind.dtype, _known_sizes(x.kind, shape)))
            elif isinstance(one.instance, Made):
                x = self.layer(one.instance, x, node, depth + 1)
            else:
                return self.fail(node, Code.UNKNOWN_CALL, "one of the model's layers is not known")
        return x

    def _functional(self, made: Made, x: _Value, node: gast.AST, depth: int) -> _Value:
        """A model of symbolic tensors: everything between its input and its output is followed."""
        calls = [
            one
            for one in self.facts.nodes((gast.Call,))
            if isinstance(one, gast.Call)
            and (self.facts.called(one) or "").removeprefix("tensorflow.") in ("keras.Model", "keras.models.Model")
            and self.facts.kind(one).instance == made
        ]
        arguments = self.facts.arguments(calls[0]) if len(calls) == 1 else None
        if arguments is None or not {"inputs", "outputs"} <= set(arguments):
            return self.fail(node, Code.UNKNOWN_CALL, "the layers of the model are not known")
        given = made["inputs"].shape
        if not isinstance(given, tuple) or given[0] is not None:
            return self.fail(node, Code.OTHER_SHAPE, "the model asks for batches of one size, or for several inputs")
        start = _Value(tensor(x.kind.dtype, _known_sizes(x.kind, given)), True)
        return self._symbolic(arguments["outputs"], arguments["inputs"], start, {}, depth + 1)

    def _symbolic(self, node: gast.expr, inputs: gast.expr, x: _Value, seen: dict[gast.AST, _Value], depth: int) -> _Value:
        if self.wrong is not None or depth > 50 * _DEEPEST:
            return self.unknown(node)
        facts = self.facts
        match node:
            case gast.Name():
                reaching = facts.flow.definitions(node)
                wanted = facts.flow.definitions(inputs) if isinstance(inputs, gast.Name) else None
                if reaching is None or len(reaching) != 1:
                    return self.unknown(node)
                if wanted is not None and len(wanted) == 1 and wanted[0] is reaching[0]:
                    return x
                if reaching[0] not in seen:
                    match facts.parent(reaching[0]):
                        case gast.Assign(targets=[gast.Name()], value=value):
                            seen[reaching[0]] = self._symbolic(value, inputs, x, seen, depth + 1)
                        case _:
                            return self.unknown(node)
                return seen[reaching[0]]
            case gast.List(elts=elements) | gast.Tuple(elts=elements):
                values = [self._symbolic(one, inputs, x, seen, depth + 1) for one in elements]
                return _Value(Kind(Sort.LIST, items=tuple(one.kind for one in values)), True)
            case gast.Call(func=func, args=[given], keywords=[]):
                made = _instance(func, facts)
                if isinstance(made, Made) and made.own is None:
                    return self.layer(made, self._symbolic(given, inputs, x, seen, depth + 1), node, depth + 1)
        return self.unknown(node)


def _why_not_called_again(call: gast.Call, built: bool, facts: Facts) -> Refusal | None:
    """Why a model may do more when it is called than to give a result."""
    text = facts.source.text
    if (word := next((one for one in _OTHERWISE if one in text), None)) is not None:
        return Refusal(call, Code.EFFECTS, f"{word} is written in this file: a model may do more than compute its result")
    if (word := next((one for one in _MASKS if one in text), None)) is not None:
        return Refusal(
            call, Code.EFFECTS, f"{word} is written in this file: a mask may go with what is given or computed, and would be lost"
        )
    if (store := patched(facts)) is not None:
        return Refusal(call, Code.EFFECTS, f"{facts.edit.short(store, 'a statement')} gives a model or a layer another part")
    if not built and (word := next((one for one in _SHOWN if one in text), None)) is not None:
        reason = f"{word} is written in this file, and would tell that a model was built with another number of rows"
        return Refusal(call, Code.EFFECTS, reason, "Begin the model with keras.Input.")
    return None


def _is_stored_into(name: str, facts: Facts) -> bool:
    """Is a dictionary given another member, or handed to something that may do so?"""
    for one in facts.nodes((gast.Name,)):
        if isinstance(one, gast.Name) and one.id == name and isinstance(one.ctx, gast.Load):
            match facts.parent(one):
                case gast.Subscript(ctx=gast.Load()):
                    pass
                case gast.Attribute(attr="values" | "items" | "keys"):
                    pass
                case _:
                    return True
    return False


def _measured(shape: gast.expr) -> gast.expr | None:
    """The `x` of `x.shape`, `x.get_shape()` and `x.get_shape().as_list()`."""
    match shape:
        case gast.Attribute(value=gast.expr() as x, attr="shape"):
            return x
        case gast.Call(func=gast.Attribute(value=gast.expr() as x, attr="get_shape"), args=[], keywords=[]):
            return x
        case gast.Call(func=gast.Attribute(value=inner, attr="as_list"), args=[], keywords=[]):
            return _measured(inner)
    return None


def _product_of_sizes(operator: gast.operator, a: _Value, b: _Value) -> _Value | None:
    match operator, a.kind, b.kind:
        case gast.Mult(), Kind(sort=Sort.NUMBER, value=int(first)), Kind(sort=Sort.NUMBER, value=int(second)):
            return _Value(number(first * second), False)
    return None


def _sizes(kind: Kind) -> tuple[Dim, ...] | None:
    return kind.shape if isinstance(kind.shape, tuple) else None


def _rest(shape: object, count: int) -> tuple[Dim, ...]:
    return shape if isinstance(shape, tuple) and len(shape) == count else (None,) * count


def _known_sizes(kind: Kind, shape: tuple[Dim, ...]) -> tuple[Dim, ...]:
    """The sizes of a batch that a model is made for."""
    own = _sizes(kind)
    return own if own is not None and len(own) == len(shape) and None not in own[1:] else (None, *shape[1:])


def _row_bytes(kind: Kind) -> int:
    if kind.items is not None:
        return sum(map(_row_bytes, kind.items))
    sizes = [one for one in (_sizes(kind) or (0, 0))[1:] if isinstance(one, int)]
    known = len(sizes) == len((_sizes(kind) or (0, 0))[1:])
    return math.prod(sizes) * ITEM_BYTES.get(kind.dtype or "", 4) if known and is_input(kind) else 0


def _axis(node: gast.expr | None, facts: Facts) -> int | str | None:
    if node is None or facts.kind(node).sort is Sort.NONE:
        return None
    value = facts.kind(node).value
    return value if type(value) is int else "unknown"


def _mixes_rows(made: Made, facts: Facts) -> bool:
    """May a setting let a layer look at other rows, or give its result a mask that is lost when results are joined?

    The axis of the batch, a state that is kept from batch to batch, a function of the program's own.
    """
    if made.has("stateful") or made.has("mask_zero") or made.name.endswith(".Masking"):
        return True
    if made.has("axis"):
        kind = made["axis"]
        axes = [one.value for one in kind.items] if kind.items is not None else [kind.value]
        if not all(type(one) is int and one != 0 for one in axes):
            return True
        if any(isinstance(one, int) and one < -1 for one in axes):
            return True
    own = any(key.endswith("activation") and kind.sort not in (Sort.TEXT, Sort.NONE) for key, kind in made.given)
    return own and not all(_is_plain(one, facts) for one in facts.nodes((gast.Call,)) if isinstance(one, gast.Call))


def _is_plain(call: gast.Call, facts: Facts) -> bool:
    """Is the activation that a layer is made with, if any, a text or a function of TensorFlow's?"""
    if not facts.op(call).is_layer:
        return True
    given = [(facts.arguments(call) or {}).get("activation"), *(one.value for one in call.keywords if str(one.arg).endswith("activation"))]
    return all(one is None or _is_known_activation(one, facts) for one in given)


def _is_known_activation(node: gast.AST, facts: Facts) -> bool:
    if isinstance(node, gast.Constant) and (node.value is None or isinstance(node.value, str)):
        return True
    name = facts.names(node) or ""
    return op(name).is_elementwise or name.startswith("tensorflow.keras.activations.") or name == "tensorflow.nn.softmax"


def _windows(x: tuple[Dim, ...] | None, values: Mapping[str, _Value], padding: gast.expr | None) -> tuple[Dim, ...]:
    """What a convolution or a pool of images gives."""
    if x is None or len(x) != 4 or "data_format" in values or "dilations" in values:
        return (None, None, None, None)
    filters = values["filters"].kind.shape if "filters" in values else None
    kernel = filters[:2] if isinstance(filters, tuple) and len(filters) == 4 else _pair(values.get("ksize", _WHOLE).kind)
    steps = _pair(values.get("strides", _WHOLE).kind)
    channels = x[3] if "filters" not in values else filters[3] if isinstance(filters, tuple) and len(filters) == 4 else None
    written = padding.value if isinstance(padding, gast.Constant) else None
    return (None, *(_placed(*one, written) for one in zip(x[1:3], kernel, steps, strict=True)), channels)


def _pair(kind: Kind) -> tuple[Dim, ...]:
    """`2`, `[2, 2]` and `[1, 2, 2, 1]` for the two axes of an image."""
    items = [kind.value] * 2 if kind.items is None else [one.value for one in kind.items]
    both = items[1:3] if len(items) == 4 else items * 2 if len(items) == 1 else items
    return tuple(one if type(one) is int else None for one in both) if len(both) == 2 else (None, None)


def _placed(size: Dim, kernel: Dim, step: Dim, padding: object) -> Dim:
    if not isinstance(size, int) or not isinstance(kernel, int) or not isinstance(step, int):
        return -(-size // step) if padding == "SAME" and isinstance(size, int) and isinstance(step, int) else None
    return -(-size // step) if padding == "SAME" else -(-(size - kernel + 1) // step) if padding == "VALID" else None
