"""Losses that are the mean over rows of what each row alone gives: a linear layer, and the cross-entropy over its results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import gast

from tfrewrite.analyses.layers_run_again import makers
from tfrewrite.analyses.training_steps import made
from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import LOOPS, block_of, walk_within
from tfrewrite.kinds import Dim, Sort
from tfrewrite.ops.made import Made
from tfrewrite.outcomes import Refusal

_LOSSES = {"nn.sparse_softmax_cross_entropy_with_logits", "nn.softmax_cross_entropy_with_logits"}
_KERAS_LOSSES = {"keras.losses.sparse_categorical_crossentropy", "keras.losses.categorical_crossentropy"}
_OBJECTS = {"keras.losses.SparseCategoricalCrossentropy", "keras.losses.CategoricalCrossentropy"}
_TENSORS = (Sort.TENSOR, Sort.VARIABLE)
_MEAN = (None, "sum_over_batch_size", "mean")
_ITEM = 4


@dataclass(frozen=True)
class LossOfRows:
    """The statements that compute it, the last of which gives it, and what they read: rows, and what all rows share."""

    statements: tuple[gast.stmt, ...]
    value: gast.expr
    rows: gast.Name
    labels: gast.Name
    shared: tuple[str, ...]
    layer: gast.expr | None
    """The linear layer, where it is an object."""
    held: tuple[str, ...]
    """Names of numbers and objects that may stand for something else by the time that the gradient is computed."""
    size: int | None
    """Bytes of the results of the linear layer for all rows, where they are known."""


def loss_of_rows(call: gast.Call, facts: Facts, on_trial: bool) -> LossOfRows | Refusal | None:
    """The same of a cross-entropy; None of anything else."""
    found = _cross_entropy(call, facts)
    if found is None:
        return None
    labels, results, value = found
    statement = facts.scopes.statement(call)
    chain = _chain(statement, results, facts)
    if not any(_is_linear(node, facts) for one in (*chain, results) for node in gast.walk(one)):
        return None
    match statement:
        case gast.Assign(targets=[gast.Name()], value=given) | gast.Return(value=given) if given is value:
            pass
        case _:
            return Refusal(call, Code.FORM, "the loss is not a value of its own: its mean over all rows", "Give it a name.")
    reader = _Reader(facts, on_trial, chain)
    if refusal := reader.read(results):
        return refusal
    shape = reader.shape
    if not isinstance(labels, gast.Name) or reader.rows is None:
        return Refusal(call, Code.FORM, "the labels, or what the linear layer is given, have no name", "Give them one.")
    if refusal := reader.wrong_labels(labels):
        return refusal
    if refusal := reader.read_elsewhere(statement):
        return refusal
    size = None if shape is None or not all(isinstance(one, int) for one in shape) else _ITEM
    for one in shape or ():
        size = size * one if size is not None and isinstance(one, int) else None
    statements = (*reader.chain, statement)
    return LossOfRows(statements, value, reader.rows, labels, tuple(reader.shared), reader.layer, reader.held(statements), size)


def _cross_entropy(call: gast.Call, facts: Facts) -> tuple[gast.expr, gast.expr, gast.expr] | None:
    """Its labels, what it is computed of, and its mean over all rows."""
    name = facts.op(call).name
    if name in _LOSSES | _KERAS_LOSSES:
        given = dict(zip(("y_true", "y_pred") if name in _KERAS_LOSSES else ("labels", "logits"), call.args, strict=False))
        given |= {one.arg: one.value for one in call.keywords if one.arg}
        labels, results = given.pop("labels", given.pop("y_true", None)), given.pop("logits", given.pop("y_pred", None))
        told = given.pop("from_logits", None)
        given.pop("name", None)
        if labels is None or results is None or given or (name in _KERAS_LOSSES) is not _is_true(told):
            return None
        mean = facts.parent(call)
        match mean:
            case gast.Call(args=[one], keywords=[]) if one is call and facts.op(mean).name in ("reduce_mean", "math.reduce_mean"):
                return labels, results, mean
        return None
    loss = made(facts.kind(call.func))
    if loss is None or loss.name not in _OBJECTS or not _is_mean(loss):
        return None
    match call:
        case gast.Call(args=[labels, results], keywords=[]):
            return labels, results, call
    return None


def _is_true(node: gast.AST | None) -> bool:
    return isinstance(node, gast.Constant) and node.value is True


def _is_mean(loss: Made) -> bool:
    plain = loss.text("reduction", "sum_over_batch_size") in _MEAN and not loss.has("ignore_class")
    return plain and loss.flag("from_logits") is True


def _chain(last: gast.stmt, results: gast.expr, facts: Facts) -> tuple[gast.stmt, ...]:
    """The assignments right before a statement that lead to what the loss is computed of."""
    parent = facts.parent(last)
    assert parent is not None
    block = block_of(last, parent)
    index = next(number for number, one in enumerate(block) if one is last)
    needed = {one.id for one in gast.walk(results) if isinstance(one, gast.Name)}
    first = index
    while first > 0 and not any(_is_linear(one, facts) for one in gast.walk(results)):
        match block[first - 1]:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) | gast.AugAssign(target=gast.Name(id=name), value=value):
                pass
            case _:
                break
        if name not in needed or not _leads(block[first - 1], value, facts):
            break
        needed |= {one.id for one in gast.walk(value) if isinstance(one, gast.Name)}
        first -= 1
        if any(_is_linear(one, facts) for one in gast.walk(value)):
            break
    return tuple(block[first:index])


def _leads(statement: gast.stmt, value: gast.expr, facts: Facts) -> bool:
    """Is it a step from the rows of a linear layer to a loss: the layer itself, or plain arithmetic?"""
    match value:
        case gast.BinOp():
            return True
        case gast.Call():
            return _is_product(value, facts) or _dense(value, facts) or facts.op(value).name in ("nn.bias_add",)
    return isinstance(statement, gast.AugAssign)


def _is_linear(node: gast.AST, facts: Facts) -> bool:
    match node:
        case gast.BinOp(op=gast.MatMult()):
            return True
        case gast.Call():
            return _is_product(node, facts) or _dense(node, facts)
    return False


def _is_product(node: gast.AST, facts: Facts) -> bool:
    return isinstance(node, gast.Call) and facts.op(node).name in ("matmul", "linalg.matmul")


def _dense(call: gast.Call, facts: Facts) -> bool:
    """Is it a layer `Dense`, as a name or an attribute, that is given one tensor?"""
    if len(call.args) != 1 or call.keywords or not isinstance(call.func, gast.Name | gast.Attribute):
        return False
    one = made(facts.kind(call.func))
    if one is not None:
        return one.name == "keras.layers.Dense"
    calls = makers(call.func, facts)
    return bool(calls) and all(facts.op(each).name == "keras.layers.Dense" for each in calls or ())


@dataclass
class _Reader:
    """Reads formulas that give each row what that row alone says."""

    facts: Facts
    on_trial: bool
    chain: tuple[gast.stmt, ...]
    rows: gast.Name | None = None
    shared: dict[str, gast.Name] = field(default_factory=dict)
    is_linear: bool = False
    layer: gast.expr | None = None
    shape: tuple[Dim, ...] | None = None
    """Of the results of the linear layer."""

    def read(self, results: gast.expr) -> Refusal | None:
        for statement in self.chain:
            match statement:
                case gast.Assign(value=value):
                    refusal = self._of_rows(value)
                case gast.AugAssign(target=target, op=gast.Add() | gast.Sub() | gast.Mult() | gast.Div(), value=value):
                    refusal = self._of_rows(target) or self._of_all(value)
                case _:
                    refusal = self._unclear(statement)
            if refusal is not None:
                return refusal
        return self._of_rows(results)

    def _unclear(self, node: gast.AST) -> Refusal:
        shown = self.facts.edit.short(node, "a part of the loss")
        return Refusal(node, Code.FORM, f"{shown} is not known to be computed row by row")

    def _is_own(self, name: gast.Name) -> bool:
        """Is it given by the chain?"""
        given = {one.targets[0].id for one in self.chain if isinstance(one, gast.Assign)}
        return name.id in given

    def _of_rows(self, node: gast.expr) -> Refusal | None:
        match node:
            case gast.Name() if self._is_own(node):
                return None
            case gast.BinOp(left=left, op=gast.MatMult(), right=right):
                return self._linear(node, left, right)
            case gast.BinOp(left=left, op=gast.Add() | gast.Sub() | gast.Mult() | gast.Div(), right=right):
                if self._is_shared(right):
                    return self._of_rows(left) or self._of_all(right)
                return self._of_rows(right) or self._of_all(left)
            case gast.Call() if _is_product(node, self.facts):
                match node:
                    case gast.Call(args=[left, right], keywords=others) if all(one.arg == "transpose_b" for one in others):
                        return self._linear(node, left, right)
            case gast.Call(args=[left, right], keywords=[]) if self.facts.op(node).name == "nn.bias_add":
                return self._of_rows(left) or self._of_all(right)
            case gast.Call(args=[given]) if _dense(node, self.facts):
                self.layer = node.func
                return self._linear(node, given, None)
        return self._unclear(node)

    def _is_shared(self, node: gast.expr) -> bool:
        """Does nothing of the chain lead to it?"""
        mentioned = [one for one in (node, *walk_within(node)) if isinstance(one, gast.Name)]
        return not any(self._is_own(one) for one in mentioned) and not any(_is_linear(one, self.facts) for one in gast.walk(node))

    def _linear(self, node: gast.expr, left: gast.expr, right: gast.expr | None) -> Refusal | None:
        if not isinstance(left, gast.Name) or self._is_own(left):
            return Refusal(node, Code.FORM, "what the linear layer is given has no name, and would be computed by every block")
        kind = self.facts.kind(left)
        if kind.sort is not Sort.TENSOR and not self.on_trial:
            return Refusal(left, Code.UNKNOWN_VALUE, f"{left.id} is not known to be a tensor")
        if kind.dtype != "float32" and not (self.on_trial and kind.dtype is None):
            return Refusal(left, Code.UNKNOWN_DTYPE, f"{left.id} is not known to be of float32, nor the loss")
        if isinstance(kind.shape, tuple) and len(kind.shape) < 2:
            return self._unclear(node)
        if self.is_linear:
            return Refusal(node, Code.FORM, "it has two linear layers")
        self.rows, self.is_linear = left, True
        shape = self.facts.kind(node).shape
        self.shape = shape if isinstance(shape, tuple) else None
        return None if right is None else self._of_all(right, matrix=True)

    def _of_all(self, node: gast.expr, matrix: bool = False) -> Refusal | None:
        """What all rows share: a number, a bias, a matrix."""
        match node:
            case gast.Constant(value=int() | float()):
                return None
            case gast.Name():
                kind = self.facts.kind(node)
                if kind.sort is Sort.NUMBER and not matrix:
                    return None
                if kind.sort not in _TENSORS and not (self.on_trial and kind.sort is Sort.UNKNOWN):
                    return Refusal(node, Code.UNKNOWN_VALUE, f"{node.id} is not known to be a tensor")
                if isinstance(kind.shape, tuple) and (len(kind.shape) != 2 if matrix else len(kind.shape) > 1):
                    return self._unclear(node)
                if not isinstance(kind.shape, tuple) and not self.on_trial:
                    return Refusal(node, Code.UNKNOWN_SHAPE, f"the shape of {node.id} is not known")
                self.shared[node.id] = node
                return None
        shown = self.facts.edit.short(node, "an operand")
        return Refusal(node, Code.FORM, f"{shown} has no name, and would be computed by every block", "Give it one.")

    def wrong_labels(self, labels: gast.Name) -> Refusal | None:
        """Why the labels aren't known to have a row for each of the rows."""
        assert self.rows is not None
        ours, theirs = self.facts.kind(self.rows), self.facts.kind(labels)
        if labels.id in self.shared or labels.id == self.rows.id or self._is_own(labels):
            return self._unclear(labels)
        first, other = (one.shape[0] if isinstance(one.shape, tuple) and one.shape else None for one in (ours, theirs))
        if (first is None or first != other) and not self.on_trial:
            return Refusal(labels, Code.UNKNOWN_SHAPE, f"{self.rows.id} and {labels.id} are not known to have as many rows")
        if theirs.sort not in (Sort.TENSOR, Sort.ARRAY) and not self.on_trial:
            return Refusal(labels, Code.UNKNOWN_VALUE, f"{labels.id} is not known to be a tensor")
        if self.rows.id in self.shared:
            return Refusal(labels, Code.OTHER_NAMES, f"{self.rows.id} is what all rows share, too")
        return None

    def held(self, statements: Sequence[gast.stmt]) -> tuple[str, ...]:
        names = [one for statement in statements for one in gast.walk(statement) if isinstance(one, gast.Name)]
        loaded = [one for one in names if isinstance(one.ctx, gast.Load) and one in self.facts.scopes.names]
        others = [one for one in loaded if not self._is_own(one) and one.id not in self.shared and self.facts.names(one) is None]
        return tuple(dict.fromkeys(one.id for one in others if self._may_change(one)))

    def _may_change(self, name: gast.Name) -> bool:
        """Is a name that is neither rows nor labels given more than once?"""
        owner = self.facts.scopes.names[name].lookup(name.id)
        if owner is None:
            return False
        bindings = owner.bindings[name.id]
        return len(bindings) > 1 or any(isinstance(one, LOOPS) for each in bindings for one in self.facts.scopes.ancestors(each))

    def read_elsewhere(self, last: gast.stmt) -> Refusal | None:
        """Why not all that the chain gives is for the loss alone."""
        inside = {node for one in (*self.chain, last) for node in gast.walk(one)}
        for store in _stores(self.chain):
            users = self.facts.flow.users(store)
            if users is None or any(one not in inside for one in users):
                return Refusal(store, Code.OTHER_NAMES, f"{store.id} is read again after the loss")
        scope = self.facts.scopes.names[self.rows] if self.rows in self.facts.scopes.names else None
        if scope is not None and scope.is_read_as_a_whole:
            return Refusal(last, Code.OTHER_NAMES, "something else may read the names of the loss")
        return None


def _stores(chain: Sequence[gast.stmt]) -> Iterator[gast.Name]:
    for statement in chain:
        target = statement.targets[0] if isinstance(statement, gast.Assign) else getattr(statement, "target", None)
        if isinstance(target, gast.Name):
            yield target
