"""What of a training step a graph would do otherwise, beside rounding: effects, random numbers, values that Python reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import gast

from tfrewrite.analyses.imported_texts import imported_texts
from tfrewrite.analyses.layers_run_again import is_known, makers
from tfrewrite.analyses.moves_into_graphs import Move
from tfrewrite.analyses.trace_effects import changing
from tfrewrite.analyses.training_steps import made
from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import COMPREHENSIONS, LOOPS, Function, Scope, bound_arguments, parameters, walk_within
from tfrewrite.kinds import Sort
from tfrewrite.ops import op
from tfrewrite.ops.made import Made
from tfrewrite.outcomes import Refusal

_PLAIN_BUILTINS = frozenset({
    "zip", "len", "range", "enumerate", "list", "tuple", "dict", "reversed", "sum", "isinstance", "super", "abs", "min", "max", "sorted",
})  # fmt: skip
_READS = frozenset({"float", "int", "bool", "str", "repr", "format", "round"})
_PYTHON = (Sort.NUMBER, Sort.TEXT, Sort.NONE)
_TAPE_METHODS = frozenset({"gradient", "watch", "stop_recording"})
_VARIABLE_METHODS = frozenset({"assign", "assign_add", "assign_sub", "read_value", "value"})
_OPTIMIZER_METHODS = frozenset({"apply_gradients", "apply"})
_METRIC_METHODS = frozenset({"update_state", "result", "__call__"})
_DICTIONARY_METHODS = frozenset({"values", "items", "keys"})
_MODEL_ATTRIBUTES = frozenset({
    "trainable_variables", "trainable_weights", "variables", "weights", "non_trainable_variables", "non_trainable_weights", "losses",
    "layers", "value", "shape", "dtype", "T", "name",
})  # fmt: skip
_CHANGERS = frozenset({
    "append", "extend", "insert", "pop", "remove", "clear", "update", "setdefault", "sort", "reverse", "add", "discard", "popitem",
})  # fmt: skip
_PREPARING = frozenset({
    "Lambda", "TextVectorization", "StringLookup", "IntegerLookup", "Hashing", "HashedCrossing", "Discretization", "CategoryEncoding",
})  # fmt: skip
_SHAPES = frozenset({"get_shape", "as_list"})
_KEPT = frozenset({
    "trainable", "training", "activation", "recurrent_activation", "rate", "dropout", "recurrent_dropout", "noise_shape", "stddev",
    "momentum", "epsilon", "nesterov", "amsgrad", "centered", "beta_1", "beta_2", "rho", "weight_decay", "clipnorm", "clipvalue",
    "global_clipnorm", "use_ema", "ema_momentum", "ema_overwrite_frequency", "gradient_accumulation_steps", "loss_scale_factor",
    "inner_optimizer", "label_smoothing", "from_logits", "reduction", "ignore_class", "alpha", "beta", "gamma", "delta", "margin", "factor",
    "scale", "offset", "negative_slope", "threshold", "max_value", "mask", "use_bias", "call", "fn", "loss", "layer", "cell", "kernel", "bias",
    "weights", "embeddings", "seed", "seed_generator", "supports_masking", "activity_regularizer", "kernel_regularizer", "bias_regularizer",
    "recurrent_regularizer", "embeddings_regularizer", "gamma_regularizer", "beta_regularizer", "kernel_constraint", "bias_constraint",
    "recurrent_constraint", "embeddings_constraint", "gamma_constraint", "beta_constraint",
})  # fmt: skip
"""What layers, optimizers and losses of Keras read each time, and a graph of them keeps as it was."""
_SET_ELSEWHERE = re.compile(
    rf"(?<!\bself)\.({'|'.join(sorted(_KEPT))})\s*(?:[-+*/]|//)?=(?!=)|\bsetattr\([^\n]*[\"']({'|'.join(sorted(_KEPT))})[\"']"
)
"""The same in the text of another file. What an object sets of itself is looked at where a step reads it."""
_NOTHING_TO_A_STEP = frozenset({"stop_training", "history", "name"})
_SETTINGS = frozenset({"run_functions_eagerly", "disable_eager_execution", "distribute", "mixed_precision"})
_CONTEXTS = frozenset({"tensorflow.GradientTape", "tensorflow.name_scope"})


@dataclass(eq=False)
class StepReader:
    """Looks for the first thing in statements, and in what they call, that a graph would do otherwise or once.

    `inside` are the nodes that become part of the graph: names that are given there are the graph's own. `on_trial`, what isn't
    known is passed over, as it will be compared.
    """

    facts: Facts
    inside: frozenset[gast.AST]
    handed: frozenset[str]
    """Names that the graph is handed as arguments."""
    on_trial: bool
    python: frozenset[str] = frozenset()
    """Names of the function that is looked at that stand for numbers, texts or None, whoever calls it."""
    reads_shapes: bool = False
    """Was something found that asks for a shape while the graph is made?"""
    _seen: set[tuple[gast.AST, frozenset[str]]] = field(default_factory=set)

    def obstacle(self, statements: Iterable[gast.AST]) -> Refusal | None:
        for statement in statements:
            for node in (statement, *walk_within(statement)):
                if refusal := self._node(node):
                    return refusal
        return None

    def _of_function(self, function: Function, call: gast.AST | None = None) -> Refusal | None:
        """The same of a function that becomes part of the graph, as it is called there."""
        of_object = self.facts.callers.takes_self(function)
        given = bound_arguments(function, call, of_object) or {} if isinstance(call, gast.Call) else {}
        python = frozenset(name for name, value in given.items() if self._is_python(value))
        python |= _told_by_keras(function) if call is None else frozenset()
        if (function, python) in self._seen:
            return None
        self._seen.add((function, python))
        if isinstance(function, gast.AsyncFunctionDef) or not self.facts.callers.plainly_decorated(function):
            return Refusal(
                function, Code.UNKNOWN_CALL, f"what the decorator of {getattr(function, 'name', 'a function')} does is not known"
            )
        if self.facts.contexts.traced(function):
            return None  # a graph of its own, which this one calls
        inside = self.inside | set(gast.walk(function))
        inner = StepReader(self.facts, inside, frozenset(), self.on_trial, python, _seen=self._seen)
        refusal = inner.obstacle(function.body if isinstance(function.body, list) else [function.body])
        self.reads_shapes = self.reads_shapes or inner.reads_shapes
        return refusal

    def _node(self, node: gast.AST) -> Refusal | None:
        match node:
            case gast.With():
                if all(self.facts.called(one.context_expr) in _CONTEXTS for one in node.items) or self._pauses_tape(node):
                    return None
                return Refusal(node, Code.CONTROL_FLOW, "what a with block does in a graph is not known")
            case gast.While() | gast.Try() | gast.AsyncFor() | gast.AsyncWith() | gast.Match():
                return Refusal(node, Code.CONTROL_FLOW, "a while, try or match is part of it")
            case gast.Assert() | gast.Raise():
                return Refusal(node, Code.RAISES, "what it checks would be checked once, while the graph is made")
            case gast.Global() | gast.Nonlocal():
                return Refusal(node, Code.EFFECTS, f"it assigns {node.names[0]} for others, which a graph does once")
            case gast.Yield() | gast.YieldFrom() | gast.Await() | gast.NamedExpr():
                return Refusal(node, Code.CONTROL_FLOW, "a graph can't be left in between")
            case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.ClassDef() | gast.Lambda() | gast.Import() | gast.ImportFrom():
                return Refusal(node, Code.FORM, "a function, a class or an import is part of it")
            case gast.JoinedStr():
                return Refusal(node, Code.EFFECTS, "it makes a text of what has no value yet while the graph is made")
            case gast.If(test=test) | gast.IfExp(test=test):
                return self._condition(test)
            case gast.BoolOp() | gast.UnaryOp(op=gast.Not()):
                return self._condition(node)
            case gast.comprehension(iter=rows, ifs=tests):
                return self._rows(rows) or next(filter(None, map(self._condition, tests)), None)
            case gast.For(iter=rows):
                return self._rows(rows)
            case gast.Assign(targets=[gast.Tuple() | gast.List()], value=value):
                return self._unpacked(value)
            case gast.Attribute(ctx=gast.Store() | gast.Del()) | gast.Subscript(ctx=gast.Store() | gast.Del()):
                return Refusal(node, Code.EFFECTS, f"it changes {self.facts.edit.short(node, 'something')}, which a graph does once")
            case gast.AugAssign(target=gast.Name()) if self.facts.kind(node.target).sort in (Sort.ARRAY, Sort.LIST):
                return Refusal(node, Code.EFFECTS, f"it changes {self.facts.edit.short(node.target)} in place")
            case gast.BinOp(left=left, right=right) | gast.Compare(left=left, comparators=[right]):
                return self._operands(node, left, right)
            case gast.Call():
                return self._call(node)
            case gast.Attribute(ctx=gast.Load()):
                return self._attribute(node)
            case gast.Name(ctx=gast.Load()):
                return self._name(node)
        return None

    def _pauses_tape(self, block: gast.With) -> bool:
        return all(
            isinstance(one.context_expr, gast.Call)
            and isinstance(one.context_expr.func, gast.Attribute)
            and one.context_expr.func.attr == "stop_recording"
            for one in block.items
        )

    # What Python decides

    def _condition(self, test: gast.AST) -> Refusal | None:
        if self._is_python(test):
            return None
        return Refusal(test, Code.CONTROL_FLOW, f"{self.facts.edit.short(test, 'a condition')} may be decided by a tensor")

    def _is_python(self, node: gast.AST) -> bool:
        match node:
            case gast.BoolOp(values=values):
                return all(map(self._is_python, values))
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                return self._is_python(operand)
            case gast.Compare(ops=[gast.Is() | gast.IsNot()]):
                return True
            case gast.Compare(left=left, comparators=comparators):
                return all(map(self._is_python, (left, *comparators)))
            case gast.Call(func=func) if self.facts.names(func) in ("builtins.isinstance", "builtins.len", "builtins.hasattr"):
                return True
        if isinstance(node, gast.Name) and node.id in self.python:
            return True
        return self.facts.kind(node).sort in _PYTHON

    def _rows(self, rows: gast.AST) -> Refusal | None:
        kind, name = self.facts.kind(rows), (self.facts.called(rows) or "").removeprefix("builtins.")
        if (
            name in ("range", "zip", "enumerate", "reversed")
            or kind.sort in (Sort.LIST, Sort.TUPLE)
            or isinstance(rows, gast.List | gast.Tuple)
        ):
            return None
        if isinstance(rows, gast.Attribute) and rows.attr in _MODEL_ATTRIBUTES:
            return None
        if isinstance(rows, gast.Call) and isinstance(rows.func, gast.Attribute) and rows.func.attr in _DICTIONARY_METHODS:
            return None
        if isinstance(rows, gast.Name) and self._is_gradients(rows):
            return None
        if isinstance(rows, gast.Attribute | gast.Subscript) and self._layers(rows):
            return None
        return self._unknown(
            Refusal(rows, Code.CONTROL_FLOW, f"what {self.facts.edit.short(rows, 'it')} is that a loop goes over is not known")
        )

    def _unpacked(self, value: gast.AST) -> Refusal | None:
        """The rows of a tensor can't be unpacked in a graph."""
        kind = self.facts.kind(value)
        if kind.sort in (Sort.TUPLE, Sort.LIST) or isinstance(value, gast.Tuple | gast.List):
            return None
        if isinstance(value, gast.Call) and kind.sort is not Sort.TENSOR:
            return None
        return Refusal(value, Code.CONTROL_FLOW, f"{self.facts.edit.short(value, 'a tensor')} may be a tensor whose rows are unpacked")

    def _is_gradients(self, name: gast.Name) -> bool:
        """Is it the list that a tape gave?"""
        given = [self.facts.parent(one) for one in self.facts.scopes.names[name].bindings.get(name.id, ())]
        return bool(given) and all(
            isinstance(one, gast.Assign)
            and isinstance(one.value, gast.Call)
            and isinstance(one.value.func, gast.Attribute)
            and one.value.func.attr == "gradient"
            for one in given
        )

    # Values

    def _operands(self, node: gast.AST, left: gast.AST, right: gast.AST) -> Refusal | None:
        """An array that is handed over is a tensor of its own dtype in the graph."""
        for one, other in ((left, right), (right, left)):
            array = self.facts.kind(one)
            if array.sort is not Sort.ARRAY or not isinstance(one, gast.Name) or one.id not in self.handed:
                continue
            if array.dtype is None or array.dtype != self.facts.kind(other).dtype:
                shown = self.facts.edit.short(one)
                return Refusal(
                    node, Code.OTHER_DTYPE, f"{shown} is a NumPy array, and takes part otherwise than as a tensor of its own dtype"
                )
        return self._moved(node)

    def _unknown(self, refusal: Refusal) -> Refusal | None:
        """What the text doesn't know a run will show."""
        return None if self.on_trial else refusal

    def _name(self, name: gast.Name) -> Refusal | None:
        facts = self.facts
        if name.id in self.handed or name not in facts.scopes.names or facts.names(name) is not None:
            return None
        owner = facts.scopes.names[name].lookup(name.id)
        if owner is None:
            return self._unknown(Refusal(name, Code.UNKNOWN_VALUE, f"where {name.id} comes from is not known"))
        if all(one in self.inside for one in owner.bindings[name.id]):
            return None
        parent = facts.parent(name)
        if isinstance(parent, gast.Call) and parent.func is name and facts.callers.function_called(parent) is not None:
            return None
        if reason := self._changes(name, owner):
            return Refusal(name, Code.MAY_CHANGE, f"{reason}, and a graph would keep what it was")
        kind = facts.kind(name)
        if (
            kind.sort in (*_PYTHON, Sort.TENSOR, Sort.VARIABLE)
            or made(kind) is not None
            or isinstance(owner.bindings[name.id][0], gast.ClassDef)
        ):
            return None
        if kind.sort is Sort.ARRAY:
            return Refusal(name, Code.MAY_CHANGE, f"{name.id} is a NumPy array, which a graph would keep as it was")
        if self._is_only_read(name.id, owner):
            return None
        if (change := self._changed_between(name.id, owner)) is not None:
            shown = self.facts.edit.short(self.facts.parent(change) or change, name.id)
            return Refusal(change, Code.MAY_CHANGE, f"{shown} changes what a graph would keep as it was")
        return self._unknown(Refusal(name, Code.UNKNOWN_VALUE, f"what {name.id} is, and whether it stays that, is not known"))

    def _changes(self, name: gast.Name, owner: Scope) -> str:
        """Why a name that the graph reads from outside may be another by its next call."""
        bindings = owner.bindings[name.id]
        outside = [one for one in bindings if one not in self.inside]
        if len(outside) < len(bindings) or name.id in owner.shared:
            return f"{name.id} is given in the step and outside of it"
        if isinstance(self.facts.parent(outside[0]), gast.arguments):
            return "" if len(outside) == 1 else f"{name.id} is assigned more than one value"
        return changing(name.id, owner, self.facts)

    def _is_only_read(self, name: str, owner: Scope) -> bool:
        """Is what a name stands for read, by index, in a loop or as a dictionary's values, and never changed by this file?"""
        for scope in (owner, *owner.below()):
            for use in scope.uses.get(name, ()):
                if scope.lookup(name) is owner and not self._reads(use):
                    return False
        return len(owner.bindings[name]) == 1

    def _changed_between(self, name: str, owner: Scope) -> gast.Name | None:
        """Where the file changes what a name stands for, in a function or in a loop: between two steps perhaps."""
        for scope in (owner, *owner.below()):
            for use in scope.uses.get(name, ()):
                if scope.lookup(name) is owner and self._changes_what_it_is(use) and self._is_again(use):
                    return use
        return None

    def _changes_what_it_is(self, use: gast.Name) -> bool:
        match self.facts.parent(use):
            case gast.Subscript(ctx=gast.Store() | gast.Del()) | gast.Attribute(ctx=gast.Store() | gast.Del()):
                return True
            case gast.Attribute(attr=attr):
                return attr in _CHANGERS
        return False

    def _is_again(self, node: gast.AST) -> bool:
        return self.facts.scopes.function_of(node) is not None or any(isinstance(one, LOOPS) for one in self.facts.scopes.ancestors(node))

    def _reads(self, use: gast.Name) -> bool:
        match self.facts.parent(use):
            case gast.Subscript(ctx=gast.Load()) | gast.For() | gast.comprehension() | gast.Compare() | gast.BinOp() | gast.Starred():
                return True
            case gast.Attribute(ctx=gast.Load(), attr=attr):
                return attr not in _CHANGERS
            case gast.Call() as call if call.func is not use:
                name = self.facts.called(call) or ""
                known = name.startswith("tensorflow.") or name.removeprefix("builtins.") in _PLAIN_BUILTINS
                return known or (isinstance(call.func, gast.Attribute) and call.func.attr in ("gradient", "apply_gradients", "apply"))
            case gast.Call():
                return True
        return False

    def _attribute(self, node: gast.Attribute) -> Refusal | None:
        facts = self.facts
        if facts.names(node) is not None:
            return None
        parent = facts.parent(node)
        if isinstance(parent, gast.Call) and parent.func is node:
            return None  # the call says so itself
        if node.attr == "numpy":
            return Refusal(node, Code.PYTHON_NUMBER, "it reads a value by .numpy(), and in a graph there is none yet")
        kind, base = facts.kind(node), facts.kind(node.value)
        self.reads_shapes = self.reads_shapes or node.attr in ("shape", "ndim")
        if base.is_tensor or base.sort is Sort.TAPE or (made(base) is not None and node.attr in _MODEL_ATTRIBUTES):
            return None
        if facts.mutation.is_set_later(node.attr):
            shown = facts.edit.short(node, "an attribute")
            return Refusal(
                node, Code.MAY_CHANGE, f"{shown} is assigned another value outside of __init__, and a graph would keep what it was"
            )
        if kind.sort in (*_PYTHON, Sort.TENSOR, Sort.VARIABLE) or made(kind) is not None or isinstance(kind.instance, gast.ClassDef):
            return None
        if self._layers(node):
            return self._added_later(node)
        if isinstance(parent, gast.Attribute) or node.attr in _MODEL_ATTRIBUTES:
            return (
                None
                if made(base) is not None or isinstance(parent, gast.Attribute)
                else self._unknown(Refusal(node, Code.UNKNOWN_VALUE, f"what {facts.edit.short(node, 'an attribute')} is is not known"))
            )
        return self._unknown(Refusal(node, Code.UNKNOWN_VALUE, f"what {facts.edit.short(node, 'an attribute')} is is not known"))

    def _layers(self, node: gast.AST) -> tuple[Made, ...]:
        """What an object's list of layers holds, or what a loop over it gives; nothing unless all of it is known."""
        calls = makers(node, self.facts) or ()
        found = tuple(one for call in calls if is_known(call, self.facts) and (one := made(self.facts.kind(call))) is not None)
        return found if len(found) == len(calls) else ()

    def _added_later(self, node: gast.Attribute) -> Refusal | None:
        """Why an object's list of layers may be another one by the next call."""
        for call in self.facts.nodes((gast.Call,)):
            match call:
                case gast.Call(func=gast.Attribute(value=gast.Attribute(attr=attr), attr=change)) if (
                    attr == node.attr and change in _CHANGERS
                ):
                    function = self.facts.scopes.function_of(call)
                    if not isinstance(function, gast.FunctionDef) or function.name not in ("__init__", "build"):
                        shown = self.facts.edit.short(call.func, "a method")
                        return Refusal(call, Code.MAY_CHANGE, f"{shown} changes what a graph would keep as it was")
        return None

    # Calls

    def _call(self, call: gast.Call) -> Refusal | None:
        facts, name = self.facts, self.facts.called(call)
        if (function := facts.function_called(call)) is not None:
            return self._of_function(function, call)
        shown = facts.edit.short(call.func, "a function")
        if name is None:
            return self._object(call, shown)
        if name.startswith("builtins."):
            return self._builtin(call, name.removeprefix("builtins."))
        if not name.startswith("tensorflow."):
            return Refusal(call, Code.EFFECTS, f"{shown} runs once, while the graph is made")
        if name in _CONTEXTS:
            return None
        row = facts.op(call)
        if row.name.startswith("keras."):
            return self._of_keras(call, row.name, shown)
        if row.is_random or name.startswith("tensorflow.random."):
            if "stateless" not in name:
                return Refusal(call, Code.RANDOM, f"{shown} draws other numbers in a graph")
            return None
        if row.prints or row.is_effect or name.startswith(("tensorflow.summary.", "tensorflow.io.", "tensorflow.py_function")):
            return Refusal(call, Code.EFFECTS, f"{shown} has an effect, which a graph has once or at another time")
        if row.name in ("Variable", "function", "numpy_function", "py_function"):
            return Refusal(call, Code.EFFECTS, f"{shown} makes something new, which a graph can do once only")
        return self._moved(call)

    def _moved(self, node: gast.AST) -> Refusal | None:
        """What a graph makes of an operation of TensorFlow."""
        found = Move(self.facts, False).of(node)
        return self._unknown(found) if found is not None and found.code is Code.UNKNOWN_CALL else found

    def _builtin(self, call: gast.Call, name: str) -> Refusal | None:
        if name in _PLAIN_BUILTINS:
            return None
        if name == "print":
            return Refusal(call, Code.EFFECTS, "it prints, which a graph does once")
        if name in _READS and all(self.facts.kind(one).sort in _PYTHON for one in call.args):
            return None
        if name in _READS:
            return Refusal(call, Code.PYTHON_NUMBER, f"it reads a value by {name}(), and in a graph there is none yet")
        return Refusal(call, Code.UNKNOWN_CALL, f"what {name}() does in a graph is not known")

    def _of_keras(self, call: gast.Call, name: str, shown: str) -> Refusal | None:
        row = op(f"tensorflow.{name}")
        if row.is_layer or name.startswith(("keras.metrics.", "keras.optimizers.", "keras.Model", "keras.Sequential", "keras.random.")):
            return Refusal(call, Code.EFFECTS, f"{shown} makes something with variables or seeds, which a graph does once")
        if row.is_effect or row.changes or row.is_random or not row.name.startswith(("keras.losses.", "keras.ops.", "keras.activations.")):
            return self._unknown(Refusal(call, Code.UNKNOWN_CALL, f"what {shown} does in a graph is not known"))
        return None

    def _object(self, call: gast.Call, shown: str) -> Refusal | None:
        """A call of an object, or of one of its methods."""
        facts = self.facts
        if (one := made(facts.kind(call.func))) is not None:
            told = next((keyword.value for keyword in call.keywords if keyword.arg == "training"), None)
            return self._applied(call, one, shown) or (None if told is None else self._condition(told))
        if layers := self._layers(call.func):
            return next(filter(None, (self._applied(call, one, shown) for one in layers)), None)
        if isinstance(call.func, gast.Attribute):
            owner, attr = call.func.value, call.func.attr
            kind = facts.kind(owner)
            own = made(kind)
            if attr == "numpy":
                return Refusal(call, Code.PYTHON_NUMBER, "it reads a value by .numpy(), and in a graph there is none yet")
            if kind.sort is Sort.TAPE and attr in _TAPE_METHODS:
                return None
            if kind.sort is Sort.VARIABLE and attr in _VARIABLE_METHODS:
                return None
            if attr in _SHAPES and not call.args:
                self.reads_shapes = True
                return None
            if own is not None and own.name.startswith("keras.optimizers.") and attr in _OPTIMIZER_METHODS:
                return None
            if own is not None and own.name.startswith("keras.metrics.") and attr in _METRIC_METHODS:
                return None
            if attr in _DICTIONARY_METHODS and not call.args:
                return None
            if attr == "append" and self._is_listed_here(owner):
                return None
            if attr in _CHANGERS:
                return Refusal(call, Code.EFFECTS, f"{shown} changes something, which a graph does once")
            if attr in _OPTIMIZER_METHODS and self.on_trial:
                return None
        return self._unknown(Refusal(call, Code.UNKNOWN_CALL, f"what {shown} does in a graph is not known"))

    def _is_listed_here(self, owner: gast.AST) -> bool:
        """Is it a list that the graph itself begins with?"""
        if not isinstance(owner, gast.Name) or (scope := self.facts.scopes.names[owner].lookup(owner.id)) is None:
            return False
        given = scope.bindings[owner.id]
        return all(one in self.inside and isinstance(getattr(self.facts.parent(one), "value", None), gast.List) for one in given)

    def _applied(self, call: gast.AST, one: Made, shown: str) -> Refusal | None:
        """What Keras does when an object of it is called."""
        if one.own is not None:
            return self._own(call, one.own, shown)
        last = one.name.rpartition(".")[2]
        if last in _PREPARING:
            return Refusal(call, Code.UNKNOWN_CALL, f"what {shown} does in a graph is not known: it may be {last}")
        if one.name == "keras.Sequential":
            layers = one["layers"]
            if layers.items is None:
                return self._anywhere(call, shown)
            for layer in layers.items:
                inner = made(layer)
                if layer.sort is not Sort.SYMBOLIC and inner is None:
                    return self._unknown(Refusal(call, Code.UNKNOWN_CALL, f"not all layers of {shown} are known"))
                if inner is not None and (refusal := self._applied(call, inner, shown)):
                    return refusal
            return None
        if one.name == "keras.Model":
            return self._anywhere(call, shown)
        return (
            None
            if one.name.startswith(("keras.layers.", "keras.losses.", "keras.metrics."))
            else self._unknown(Refusal(call, Code.UNKNOWN_CALL, f"what {shown} does in a graph is not known"))
        )

    def _own(self, call: gast.AST, owner: object, shown: str) -> Refusal | None:
        """An object of a class of this file: its `call` becomes part of the graph."""
        method = self.facts.callers.method_of(owner, "call")
        if method is None:
            return self._unknown(Refusal(call, Code.UNKNOWN_CALL, f"what {shown} does in a graph is not known"))
        return self._of_function(method, call)

    def _anywhere(self, call: gast.AST, shown: str) -> Refusal | None:
        """A model of layers that the text names somewhere: none of the file's may be one that a graph runs otherwise."""
        for one in self.facts.nodes((gast.Call,)):
            row = self.facts.op(one)
            if row.is_layer and row.name.rpartition(".")[2] in _PREPARING:
                return Refusal(one, Code.UNKNOWN_CALL, f"{shown} may hold it, and what that does in a graph is not known")
        for owner in self.facts.nodes((gast.ClassDef,)):
            method = self.facts.callers.method_of(owner, "call")
            if method is not None and (refusal := self._of_function(method)):
                return refusal
        return None


def _told_by_keras(function: Function) -> frozenset[str]:
    """Of the `call` of a layer in a functional model: what Keras hands on as it was given to the model, which a step gives a constant."""
    positional = [*function.args.posonlyargs, *function.args.args]
    defaults = zip(reversed(positional), reversed(function.args.defaults), strict=False)
    settings = {one.id for one, value in defaults if isinstance(value, gast.Constant) and isinstance(value.value, bool)}
    return frozenset({*settings, "training"} & {one.id for one in (*positional, *function.args.kwonlyargs)})


def own_names(statements: Sequence[gast.AST]) -> Iterator[gast.Name]:
    """The names in statements, in the order of the text, less those of comprehensions."""
    nodes = [node for one in statements for node in (one, *walk_within(one))]
    hidden = {
        name.id
        for node in nodes
        if isinstance(node, COMPREHENSIONS)
        for part in node.generators
        for name in gast.walk(part.target)
        if isinstance(name, gast.Name)
    }
    names = [node for node in nodes if isinstance(node, gast.Name) and node.id not in hidden]
    return iter(sorted(names, key=lambda one: (one.lineno, one.col_offset)))


def changes_training(first_use: gast.AST | None, facts: Facts) -> Refusal | None:
    """A setting of models or optimizers that the file changes where a graph would not see it: not before the first use of the step."""
    for store in facts.scopes.attribute_stores:
        if store.attr in ("learning_rate", "lr", "_learning_rate"):
            return Refusal(store, Code.MAY_CHANGE, f"{store.attr} is assigned, and a graph may not see it")
        if _is_setting_of_keras(store, facts) and not _is_before(store, first_use, facts):
            return Refusal(store, Code.MAY_CHANGE, f"{store.attr} may be assigned after the first step, and a graph would not see it")
    if (name := next(filter(facts.mutation.set_by_text, (*sorted(_KEPT), "learning_rate")), None)) is not None:
        return Refusal(
            facts.tree, Code.MAY_CHANGE, f"the file sets attributes by their names, perhaps {name}, and a graph would not see it"
        )
    for text in imported_texts(facts):
        found = None if text is None else _SET_ELSEWHERE.search(text)
        if text is None or found is not None:
            what = found[1] or found[2] if found is not None else "what layers go by"
            reason = f"a file that it imports may set {what} after the first step, and a graph would not see it"
            return Refusal(facts.tree, Code.MAY_CHANGE, reason)
    for call in facts.nodes((gast.Call,)):
        match call:
            case gast.Call(func=gast.Attribute(value=owner, attr="add" | "pop")) if facts.scopes.function_of(call) is None:
                model = made(facts.kind(owner))
                if model is not None and model.name == "keras.Sequential" and not _is_before(call, first_use, facts):
                    return Refusal(call, Code.MAY_CHANGE, "layers of a model change after the first step, and a graph would not see it")
    for one in facts.nodes((gast.Attribute, gast.alias)):
        name = getattr(one, "attr", getattr(one, "name", "")).rpartition(".")[2]
        if name in _SETTINGS:
            return Refusal(one, Code.SETTINGS, f"the file uses {name}, and what graphs are run by is not known")
    return None


def _is_setting_of_keras(store: gast.Attribute, facts: Facts) -> bool:
    """Is an attribute that is assigned one that a layer, an optimizer or a loss goes by?"""
    if store.attr == "trainable":
        return True
    kind, function = facts.kind(store.value), facts.scopes.function_of(store)
    if isinstance(store.value, gast.Name) and function is not None and facts.callers.takes_self(function):
        if store.value.id == parameters(function)[0].id:
            return False  # its own: what the step reads of these is looked at where it reads it
    if (one := made(kind)) is not None:
        return store.attr not in _NOTHING_TO_A_STEP and (one.own is None or store.attr in _KEPT)
    return store.attr in _KEPT and not isinstance(kind.instance, gast.ClassDef)


def _is_before(store: gast.AST, first_use: gast.AST | None, facts: Facts) -> bool:
    """Is something certainly done before something else, and never again?"""
    if first_use is None or facts.scopes.function_of(store) is not None or store.lineno >= first_use.lineno:
        return False
    around = {one for one in facts.scopes.ancestors(first_use) if isinstance(one, LOOPS)}
    return not any(one in around for one in facts.scopes.ancestors(store))
