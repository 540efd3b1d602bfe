"""A loop whose gradient is taken, as segments of steps that are computed again for the gradient: what a step reads, gives and keeps.

What a recomputed function reads decides whether its gradients are right. Its arguments and the variables that it reads get theirs;
a tensor that it captures gets none, silently. So every tensor that a tape may follow has to be an argument, and everything else has
to be the same when it is read for the second time.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import gast

from tfrewrite.analyses.gradient_paths import followed_from, given_to, gradient_source, returned_to
from tfrewrite.analyses.keras_layers_alone import layers_called
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.liveness import Liveness
from tfrewrite.facts.scopes import DEFINITIONS, FUNCTIONS, LOOPS, Function, Scope, bound_arguments, walk_within
from tfrewrite.kinds import FLOATS, INTEGERS, ITEM_BYTES, Kind, Sort, same_shape
from tfrewrite.loops.autograph_and_tapes import autographed, never_autographed
from tfrewrite.loops.bodies import Body, assigned_variable, is_followed, read_body
from tfrewrite.loops.calls import followed, is_own
from tfrewrite.loops.carried import settled
from tfrewrite.loops.headers import Counted, read_header
from tfrewrite.ops.made import Made
from tfrewrite.outcomes import Refusal
from tfrewrite.rounding.training import takes_gradient

_CHANGING = frozenset({
    "assign", "assign_add", "assign_sub", "apply_gradients", "apply", "minimize", "set_weights", "load_weights", "scatter_update",
    "scatter_nd_update", "scatter_add", "scatter_sub", "fit", "train_on_batch", "restore",
})  # fmt: skip
_OTHER_DERIVATIVES = frozenset({
    "jacobian", "batch_jacobian", "hessians", "jvp", "ForwardAccumulator", "__enter__", "enter_context", "recompute_grad",
})  # fmt: skip
_PLAIN = (Sort.TENSOR, Sort.ARRAY, Sort.NUMBER, Sort.TEXT, Sort.NONE)
_HARMLESS = frozenset(
    {"append", "extend", "numpy", "update_state", "result", "gradient", "watch", "format", "join", "items", "keys", "values"}
)
_LIBRARIES = frozenset({"tensorflow", "keras", "tf_keras", "numpy", "builtins", "tqdm", "matplotlib", *sys.stdlib_module_names})
"""What is called of others may do anything."""
_FLAT = frozenset({"floor", "round", "ceil", "rint", "sign", "floordiv", "floormod", "mod", "one_hot", "zeros_like", "ones_like"})
_WITHOUT_DERIVATIVE = frozenset({*INTEGERS, "bool", "string"})
_OF_TAPES = ("gradient", "watch")
_STEEP = frozenset({
    "sqrt", "math.sqrt", "math.rsqrt", "norm", "linalg.norm", "pow", "math.pow", "math.acos", "math.asin", "acos", "asin", "math.acosh",
    "acosh", "math.reduce_std", "math.reduce_euclidean_norm", "math.atan2", "atan2", "math.xlogy", "math.xlog1py", "math.l2_normalize",
    "linalg.normalize", "math.log", "math.divide_no_nan", "linalg.cholesky", "linalg.svd", "linalg.eigh",
})  # fmt: skip
"""Operations with a finite value where the derivative is none: a zero from behind becomes NaN there."""


@dataclass(frozen=True)
class State:
    """What a segment is given and gives back. `dtype` is set where it begins as a Python number, and has to become a tensor."""

    name: str
    dtype: str = ""


@dataclass(frozen=True)
class Variable:
    """A variable that a step reads: by its name, or as `self.w`."""

    text: str
    nodes: tuple[gast.expr, ...]


@dataclass(frozen=True)
class Segmented:
    """A loop that can be computed in segments."""

    loop: gast.For
    header: Counted
    states: tuple[State, ...]
    """What passes from step to step, in the order in which a step gives it."""
    results: tuple[str, ...]
    """What the last step alone gives to what comes after the loop."""
    lists: tuple[str, ...]
    """What the steps append to."""
    followed: tuple[str, ...]
    """The tensors that a tape may follow, which a step reads and doesn't give."""
    bound: tuple[str, ...]
    """What else is read, and may stand for something else by the time that the gradient is taken."""
    gradients: tuple[gast.Call, ...]
    """Where the gradients are taken."""
    variables: tuple[Variable, ...]
    kept: int | None
    """How many bytes a tape keeps of one step, at least; None where that isn't known."""
    carried: int

    @property
    def steps(self) -> int | None:
        return self.header.iterations


def segmented(loop: gast.For, facts: Facts) -> Segmented | Refusal | None:
    """What a loop is under its tapes, or why it can't be recomputed; None where no tape of the file records it."""
    tapes = list(_tapes_around(loop, facts))
    if not tapes:
        return None
    body = read_body(loop, facts, lambda call: bool(layers_called(call, facts)))
    if isinstance(body, Refusal):
        return body
    header = read_header(loop, facts)
    if isinstance(header, Refusal):
        return header
    if not isinstance(header, Counted) or header.rows or header.start.value != 0 or header.step != 1:
        return Refusal(loop, Code.FORM, "it isn't a loop over range(n), of which segments can be told apart by a number")
    reading = _Reading(loop, body, header, tapes, facts)
    found = reading.found()
    nested = isinstance(found, Segmented) and facts.mode(loop) is Mode.GRAPH
    return (reading.why_not_nested(found) or found) if nested and isinstance(found, Segmented) else found


def _tapes_around(node: gast.AST, facts: Facts, seen: frozenset[gast.AST] = frozenset()) -> Iterator[gast.With]:
    """The `with` blocks that record a node: around it, or around the calls of its function."""
    for ancestor in facts.scopes.ancestors(node):
        if isinstance(ancestor, gast.With) and any(_opens_tape(item, facts) for item in ancestor.items):
            yield ancestor
        if isinstance(ancestor, FUNCTIONS):
            if ancestor not in seen:
                for one in facts.callers.references(ancestor):
                    if one.direct and one.call is not None:
                        yield from _tapes_around(one.call, facts, seen | {ancestor})
            return


def _is_converted(node: gast.AST, facts: Facts) -> bool:
    """Does AutoGraph convert the function that a node stands in, or each that calls it?"""
    if autographed(node, facts):
        return True
    function = facts.scopes.function_of(node)
    if not isinstance(function, gast.FunctionDef) or function.decorator_list or never_autographed(node, facts):
        return False
    calls = [one.call if one.direct else None for one in facts.callers.references(function)]
    closed = facts.callers.is_script or facts.callers.is_closed(function)
    return closed and bool(calls) and all(one is not None and autographed(one, facts) for one in calls)


def _is_recorded(block: gast.With, facts: Facts) -> bool:
    """May another tape record what a tape's block does?"""
    function = facts.scopes.function_of(block)
    if facts.contexts.under_a_tape(block) or function is None:
        return sum(isinstance(one, gast.With) for one in facts.scopes.ancestors(block)) > 0 or facts.contexts.under_a_tape(block)
    if not (facts.callers.is_script or facts.callers.is_closed(function)):
        return True
    return any(facts.contexts.under_a_tape(call) for call in facts.callers.calls_by_attribute(getattr(function, "name", "")))


def _may_be_repeated(node: gast.AST, facts: Facts, seen: frozenset[gast.AST] = frozenset()) -> bool:
    """Is a node of a graph inside of a loop, perhaps one around a call of its function? (A `tf.function` is a graph by itself.)"""
    for ancestor in facts.scopes.ancestors(node):
        if isinstance(ancestor, LOOPS):
            return True
        if isinstance(ancestor, FUNCTIONS):
            if facts.contexts.makes_graph(ancestor) or ancestor in seen:
                return False
            calls = [one.call for one in facts.callers.references(ancestor)]
            return any(one is None or _may_be_repeated(one, facts, seen | {ancestor}) for one in calls)
    return False


def _opens_tape(item: gast.withitem, facts: Facts) -> bool:
    return facts.called(item.context_expr) == "tensorflow.GradientTape"


@dataclass(frozen=True)
class _Reading:
    loop: gast.For
    body: Body
    header: Counted
    tapes: list[gast.With]
    facts: Facts

    def found(self) -> Segmented | Refusal:
        gradients = self._gradients()
        if isinstance(gradients, Refusal):
            return gradients
        if refusal := self._obstacle() or self._changed_between(gradients):
            return refusal
        given = self._given()
        if isinstance(given, Refusal):
            return given
        states, results, lists = given
        reads = self._reads({one.name for one in states} | set(results) | set(lists))
        if isinstance(reads, Refusal):
            return reads
        connected, bound = reads
        carried = [self._size(self._settled.kind(_stores(one.name, self.loop)[-1])) for one in states]
        size = sum(one or 0 for one in carried)
        return Segmented(
            self.loop,
            self.header,
            states,
            results,
            lists,
            connected,
            bound,
            tuple(gradients),
            self._variables(),
            self._kept(connected),
            size,
        )

    # The tapes

    def _gradients(self) -> list[gast.Call] | Refusal:
        """The calls that take gradients, where that is all that is done with the tapes."""
        facts, found = self.facts, []
        for node in facts.nodes([gast.Attribute, gast.Name, gast.alias]):
            name = getattr(node, "attr", getattr(node, "id", getattr(node, "name", "")))
            if name in _OTHER_DERIVATIVES:
                return Refusal(self.loop, Code.GRADIENTS, f"the file mentions {name}, and what is recomputed has a first derivative only")
        if facts.contexts.watches and _has_frozen_variables(facts):
            reason = "a tape may watch a variable that isn't trainable, for which what is recomputed gives no gradient"
            return Refusal(self.loop, Code.GRADIENTS, reason)
        for block in dict.fromkeys(self.tapes):
            item = next(one for one in block.items if _opens_tape(one, facts))
            if any(one.arg in ("persistent", None) for one in item.context_expr.keywords) or item.context_expr.args:
                return Refusal(block, Code.GRADIENTS, "the tape is persistent: for each gradient the steps would be computed again")
            if _is_recorded(block, facts):
                reason = "another tape may record this one, and what is recomputed has a first derivative only"
                return Refusal(block, Code.GRADIENTS, reason)
            if not isinstance(item.optional_vars, gast.Name):
                return Refusal(block, Code.OTHER_NAMES, "the tape has no name of its own")
            scope = facts.scopes.names[item.optional_vars]
            for use in scope.uses.get(item.optional_vars.id, ()):
                method = _method_called(use, facts)
                if method is None or method.func.attr not in _OF_TAPES or any(_reads_outer(one, use.id, scope) for one in scope.below()):
                    return Refusal(use, Code.OTHER_NAMES, f"{use.id}, the tape, is used for more than to take a gradient")
                if method.func.attr == "gradient":
                    found.append(method)
        if not found:
            return Refusal(self.loop, Code.NO_GAIN, "no gradient is taken of it")
        given = {*self.body.assigned, *(one.name for each in _all(self.body) for one in each.appends)}
        for call in found:
            if (source := gradient_source(call, self._owner, given, facts)) is not None:
                reason = f"a gradient is taken by {source}, which the loop gives: the steps after it would be computed from another tensor"
                return Refusal(call, Code.GRADIENTS, reason)
        return found

    def _changed_between(self, gradients: list[gast.Call]) -> Refusal | None:
        """Is a variable changed between the steps and the gradient, for which they are computed again?"""
        facts = self.facts
        for block in dict.fromkeys(self.tapes):
            function = facts.scopes.function_of(block)
            last = max(one.end_lineno for one in gradients)
            for node in _with_lambdas(function or facts.tree):
                if not block.lineno <= getattr(node, "lineno", 0) <= last or any(one in gradients for one in gast.walk(node)):
                    continue
                if one := self._changes_meanwhile(node, block):
                    reason = f"{one} may change a variable before the gradient is taken, for which the steps are computed again"
                    return Refusal(node, Code.MAY_CHANGE, reason)
        return None

    def _changes_meanwhile(self, node: gast.AST, block: gast.With) -> str:
        """What in a statement may change a variable, or a layer: a call, a `with` of an object's, a property, an attribute."""
        facts = self.facts
        match node:
            case gast.Call():
                return self._changes(node)
            case gast.With(items=items) if node is not block:
                opened = [one.context_expr for one in items if not (facts.called(one.context_expr) or "").startswith("tensorflow.")]
                return facts.edit.short(opened[0], "what a `with` opens") if opened else ""
            case gast.Attribute(ctx=gast.Store()) if isinstance(facts.kind(node.value).instance, Made):
                return facts.edit.short(node)
            case gast.Attribute(attr=attr, ctx=gast.Load()):
                own = [one for one in facts.nodes([gast.FunctionDef]) if isinstance(one, gast.FunctionDef) and one.name == attr]
                calls = (call for one in own if one.decorator_list for call in walk_within(one) if isinstance(call, gast.Call))
                return next(filter(None, map(self._changes, calls)), "")
        return ""

    def _changes(self, call: gast.Call, seen: frozenset[gast.AST] = frozenset()) -> str:
        facts = self.facts
        if isinstance(call.func, gast.Attribute) and call.func.attr in _CHANGING:
            return facts.edit.short(call.func, call.func.attr)
        function = facts.function_called(call)
        if function is None and self._is_unknown(call):
            return facts.edit.short(call.func, "a function")
        if function is None or function in seen:
            return ""
        calls = (node for node in walk_within(function) if isinstance(node, gast.Call))
        return next(filter(None, (self._changes(one, seen | {function}) for one in calls)), "")

    def _is_unknown(self, call: gast.Call) -> bool:
        """Is it a call of something that may do anything, variables included?"""
        facts = self.facts
        name = facts.called(call)
        if name is not None and name.partition(".")[0] not in _LIBRARIES or facts.imported(call.func):
            return True  # of another file of the project, whatever is known of what it returns
        if name is not None or facts.callers.class_named(call.func) is not None or facts.kind(call).sort is not Sort.UNKNOWN:
            return False
        if isinstance(call.func, gast.Attribute):
            return call.func.attr not in _HARMLESS and facts.kind(call.func.value).sort in (Sort.UNKNOWN, Sort.OBJECT)
        return not is_followed(call, facts)

    # What an iteration does

    def _obstacle(self) -> Refusal | None:
        facts, loop = self.facts, self.loop
        function = facts.scopes.function_of(loop)
        if function is not None and not isinstance(function, gast.FunctionDef):
            return Refusal(loop, Code.CONTROL_FLOW, "the loop is in a lambda or a coroutine")
        if function is not None and not (facts.callers.is_script or facts.callers.is_closed(function)):
            reason = "others may call its function, and take second derivatives or change variables before they take gradients"
            return Refusal(loop, Code.CALLERS_UNKNOWN, reason, "--callers known says that there are no others.")
        for one in facts.scopes.ancestors(loop):
            if one is function:
                break
            if isinstance(one, gast.Try) or (isinstance(one, gast.With) and any(_may_swallow(item, facts) for item in one.items)):
                reason = "an error in a step may be caught around the loop, and the names would be those of the segment's beginning"
                return Refusal(loop, Code.RAISES, reason)
        scope = facts.scopes.of[function or facts.tree]
        if scope.is_read_as_a_whole or any(isinstance(node, gast.Yield | gast.YieldFrom) for node in walk_within(function or facts.tree)):
            return Refusal(loop, Code.OTHER_NAMES, "the names of its function are read by locals(), eval or the like, or it is a generator")
        if any(one.breaks for one in _all(self.body)):
            return Refusal(loop, Code.CONTROL_FLOW, "the loop breaks off, and segments would go on")
        for nodes, known in self._computed():
            for node in nodes:
                if isinstance(node, gast.Call) and assigned_variable(node, known) is not None:
                    return Refusal(node, Code.EFFECTS, "the loop assigns a variable, which a second run would do twice")
                if isinstance(node, gast.Call) and (known.called(node) or "") in ("tensorflow.stop_gradient", "tensorflow.cond"):
                    return Refusal(node, Code.GRADIENTS, f"{known.edit.short(node.func)} is in the loop: a gradient of None would be zeros")
                if (flat := self._flat_operand(node, known)) is not None:
                    shown = known.edit.short(flat)
                    reason = f"{shown} has no derivative there: a gradient of None would be zeros"
                    return Refusal(node, Code.GRADIENTS, reason)
                if known.op(node).looks_up and any(known.kind(one).sort is Sort.VARIABLE for one in node.args):
                    return Refusal(
                        node, Code.GRADIENTS, f"{known.edit.short(node.func)} reads rows of a variable, whose gradient would be dense"
                    )
                if isinstance(node, gast.If | gast.IfExp | gast.While) and known.kind(node.test).sort is not Sort.NUMBER:
                    return Refusal(node, Code.PYTHON_NUMBER, f"{known.edit.short(node.test, 'a condition')} is decided by a tensor")
        if facts.source.line_of(facts.source.span(loop).start) == facts.source.line_of(facts.source.span(loop.body[0]).start):
            return Refusal(loop, Code.LAYOUT, "the loop's block is on the line of its header")
        return None

    def _flat_operand(self, node: gast.AST, known: Facts) -> gast.AST | None:
        """What is compared, rounded or searched, and may depend on a variable that nothing else depends on."""
        name = (known.called(node) or "").removeprefix("tensorflow.").removeprefix("math.")
        row = known.op(node)
        whole = isinstance(node, gast.Call) and known.called(node) is not None and known.kind(node).dtype in _WITHOUT_DERIVATIVE
        if not (isinstance(node, gast.Compare) or whole or row.compares or row.finds_place or name in _FLAT):
            return None
        states = set(self._names_given()[0])
        operands: list[gast.AST] = [node.left, *node.comparators] if isinstance(node, gast.Compare) else [*node.args]
        for one in operands:
            kind = known.kind(one)
            own = isinstance(one, gast.Name) and one.id in states
            if kind.is_tensor and kind.dtype not in ("int32", "int64", "bool") and not own and not self._is_unconnected(one):
                return one
        return None

    def _computed(self) -> Iterator[tuple[list[gast.AST], Facts]]:
        """The nodes of a step, and of the functions of the file that it calls, each with what is known of them."""
        yield [node for one in self.loop.body for node in (one, *walk_within(one))], self.facts
        for call in followed(self.loop.body, self.facts):
            yield [node for one in call.function.body for node in (one, *walk_within(one))], call.facts

    @property
    def _owner(self) -> Function | gast.Module:
        return self.facts.scopes.function_of(self.loop) or self.facts.tree

    @property
    def _settled(self) -> Facts:
        """With the numbers that become tensors taken for tensors."""
        return settled([self.body], self._owner, self.facts)

    def _given(self) -> tuple[tuple[State, ...], tuple[str, ...], tuple[str, ...]] | Refusal:
        """What passes from step to step, what comes out of the last one, and what is collected."""
        facts, loop, known = self.facts, self.loop, self._settled
        iterations, plain = known.iterations(loop), facts.iterations(loop)
        if iterations is None or plain is None:
            return Refusal(loop, Code.NO_GAIN, "the loop is never reached")
        scope = facts.scopes.of[self._owner]
        for name in self.body.assigned:
            if scope.lookup(name) is not scope or name in scope.shared or any(_reads_outer(inner, name, scope) for inner in scope.below()):
                return Refusal(loop, Code.OTHER_NAMES, f"{name}, which the loop assigns, is known to other functions too")
        if self.header.index in self.body.assigned or self.header.index in self._live_after:
            return Refusal(loop, Code.MAY_CHANGE, f"{self.header.index}, the index, is assigned in the loop or read after it")
        carried, results = self._names_given()
        states = []
        for name in carried:
            before, end = plain.before.get(name, Kind()), iterations.end.get(name, Kind())
            if end.sort is not Sort.TENSOR or end.dtype not in FLOATS:
                return Refusal(loop, Code.UNKNOWN_VALUE, f"{name}, a state, is not known to be a tensor of floats ({end})")
            if before.sort is Sort.TENSOR and before.dtype == end.dtype:
                states.append(State(name))
            elif before.sort is Sort.NUMBER and before.dtype in ("int", "float"):
                states.append(State(name, end.dtype))
            else:
                return Refusal(loop, Code.UNKNOWN_VALUE, f"{name}, a state, is not known to be a tensor of {end.dtype} ({before})")
        for name in results:
            if known.kind(_stores(name, loop)[-1]).sort is not Sort.TENSOR or known.kind(_stores(name, loop)[-1]).dtype not in FLOATS:
                return Refusal(loop, Code.UNKNOWN_VALUE, f"{name}, which is read after the loop, is not known to be a tensor of floats")
        if not states:
            return Refusal(loop, Code.NO_GAIN, "no state passes from step to step")
        lists = self._lists()
        if isinstance(lists, Refusal):
            return lists
        if results or lists:
            if (steep := self._steep()) is not None:
                reason = f"nothing may depend on what is collected, and the derivative of {facts.edit.short(steep)} may not be finite"
                return Refusal(steep, Code.NOT_FINITE, f"{reason}: a gradient would be NaN")
        if (unread := self._unread({*(one.name for one in states), *results}, set(lists))) is not None:
            reason = f"nothing under the tape depends on {unread}, and a gradient of None would be zeros"
            return Refusal(loop, Code.GRADIENTS, reason)
        return tuple(states), tuple(results), lists

    @property
    def _live(self) -> Liveness:
        facts = self.facts
        ends = isinstance(self._owner, gast.Module) and facts.callers.is_only_run and not facts.is_interactive
        return facts.liveness_of_script if ends else facts.liveness(self._owner)

    @property
    def _live_after(self) -> Collection[str]:
        return self._live.after(self.loop)

    def _names_given(self) -> tuple[list[str], list[str]]:
        """The names that a step gives to the next one, and those that it gives to what comes after the loop alone."""
        live = self._live.carried(self.loop)
        carried = [one for one in self.body.assigned if one in live]
        return carried, [one for one in self.body.assigned if one in self._live_after and one not in carried]

    def _lists(self) -> tuple[str, ...] | Refusal:
        facts = self.facts
        names = tuple(dict.fromkeys(one.name for each in _all(self.body) for one in each.appends))
        scope = facts.scopes.of[self._owner]
        for name in names:
            if scope.lookup(name) is not scope or not all(
                isinstance(one, gast.Name) and isinstance(one.ctx, gast.Store) for one in scope.bindings[name]
            ):
                return Refusal(self.loop, Code.OTHER_NAMES, f"{name} is a list of somebody else's, who may look into it if a step raises")
            appends = [one for one in self.body.appends if one.name == name]
            reads = [node for node in _names(self.loop) if node.id == name]
            if len(reads) != len(appends) or any(one.front for one in appends):
                return Refusal(self.loop, Code.OTHER_NAMES, f"{name} is read while it is appended to")
            if any(facts.kind(one.value).sort is not Sort.TENSOR or facts.kind(one.value).dtype not in FLOATS for one in appends):
                return Refusal(self.loop, Code.UNKNOWN_VALUE, f"what is appended to {name} is not known to be a tensor of floats")
            if facts.kind(reads[0]).sort is not Sort.LIST:
                return Refusal(self.loop, Code.UNKNOWN_VALUE, f"{name} is not known to be a list")
        return names

    def _unread(self, given: set[str], lists: set[str]) -> str | None:
        """A name that the loop gives, on which nothing depends of what a gradient may be taken: variables that only it reads get None."""
        wanted = self._wanted(lists) & (given | lists)
        steps = list(self._steps())
        while more := {name for targets, read in steps if targets & wanted for name in read} - wanted:
            wanted |= more
        return min({*self.body.assigned, *lists} - wanted - set(_inner_targets(self.loop)), default=None)

    def _steps(self) -> Iterator[tuple[set[str], set[str]]]:
        """What each statement of an iteration gives, with what it reads."""
        for one in self.loop.body:
            for node in (one, *walk_within(one)):
                if isinstance(node, gast.Assign | gast.AugAssign | gast.AnnAssign | gast.Expr):
                    names = [each for each in gast.walk(node) if isinstance(each, gast.Name)]
                    read = set(followed_from(node, self.facts))
                    targets = {each.id for each in names if isinstance(each.ctx, gast.Store)}
                    if isinstance(node, gast.Expr):
                        targets = {append.name for append in self.body.appends if append.statement is node}
                    yield targets, read | (targets if isinstance(node, gast.AugAssign) else set())

    def _wanted(self, lists: set[str]) -> set[str]:
        """The names after the loop that a gradient is taken of, or that are handed to who calls and takes it."""
        facts, function = self.facts, self._owner
        inside = {node for one in self.loop.body for node in gast.walk(one)}
        gradients = [node for node in walk_within(function) if isinstance(node, gast.Call) and takes_gradient(node, facts)]
        if gradients and any(one in self.tapes for one in facts.scopes.ancestors(self.loop)):
            targets = [(facts.arguments(one) or {}).get("target", one.args[0] if one.args else None) for one in gradients]
            return given_to([one for one in targets if one is not None], inside, lists, facts)
        return returned_to(function, inside, lists, facts) if isinstance(function, gast.FunctionDef) else set()

    # What a step reads

    def _reads(self, given: set[str]) -> tuple[tuple[str, ...], tuple[str, ...]] | Refusal:
        """The tensors that have to be arguments, and the names that have to be bound; all others are read as they are."""
        facts, connected, bound = self.facts, [], []
        own = {*given, *self.body.assigned, self.header.index, *_inner_targets(self.loop)}
        for node in _names(self.loop):
            if node.id in own or node.id in connected or node.id in bound:
                continue
            owner = facts.scopes.names[node].lookup(node.id)
            if owner is None or all(isinstance(one, (*DEFINITIONS, gast.alias, gast.ClassDef)) for one in owner.bindings[node.id]):
                continue
            if node.id in owner.shared:
                return Refusal(node, Code.MAY_CHANGE, f"{node.id} is assigned by another function too")
            kind = facts.kind(node)
            if refusal := self._why_not_read(node, kind):
                return refusal
            if kind.sort is Sort.TENSOR and kind.dtype in FLOATS and not self._is_unconnected(node):
                connected.append(node.id)
            elif len(owner.bindings[node.id]) > 1 or self._is_given_in_a_loop(owner.bindings[node.id][0]):
                bound.append(node.id)
        for call in followed(self.loop.body, facts):
            for kept in (one for one in walk_within(call.function) if isinstance(one, gast.Attribute) and facts.names(one) is None):
                if call.facts.kind(kept).sort is Sort.TENSOR and not call.facts.kind(kept.value).is_tensor:
                    shown = call.facts.edit.short(kept)
                    return Refusal(kept, Code.GRADIENTS, f"{shown}, which a method reads, may need a gradient, and would get none")
            for node in (one for one in walk_within(call.function) if isinstance(one, gast.Name) and isinstance(one.ctx, gast.Load)):
                owner = facts.scopes.names[node].lookup(node.id)
                if owner is facts.scopes.module and facts.kind(node).sort is Sort.TENSOR and not self._is_unconnected(node):
                    return Refusal(node, Code.GRADIENTS, f"{node.id}, which a function reads, may need a gradient, and would get none")
        return tuple(connected), tuple(bound)

    def _why_not_read(self, node: gast.Name, kind: Kind) -> Refusal | None:
        """Why a value can't be read twice, or from inside of a function."""
        facts = self.facts
        if kind.sort in (Sort.TENSOR, Sort.VARIABLE, Sort.NUMBER, Sort.TEXT, Sort.NONE):
            if kind.sort is Sort.TENSOR and kind.dtype is None and not self._is_unconnected(node):
                return Refusal(node, Code.UNKNOWN_DTYPE, f"the dtype of {node.id} is not known")
            return None
        if self._is_called(node):
            return None
        attribute = facts.parent(node)
        if isinstance(attribute, gast.Attribute):
            call = facts.parent(attribute)
            if facts.kind(attribute).sort in (Sort.VARIABLE, Sort.NUMBER) or (isinstance(call, gast.Call) and is_own(call, facts)):
                return None  # what a method reads of its object is judged with the functions that are called
        return Refusal(node, Code.UNKNOWN_VALUE, f"{node.id} is not known to be a tensor, a variable or a number ({kind})")

    def _is_called(self, node: gast.AST) -> bool:
        """Is it a layer that is called, or the object that it belongs to, or what a run has shown to compute and do no more?"""
        for func in (node, self.facts.parent(node)):
            call = self.facts.parent(func) if func is not None else None
            if isinstance(call, gast.Call) and call.func is func:
                return is_followed(call, self.facts) or bool(layers_called(call, self.facts))
        return False

    def _is_given_in_a_loop(self, binding: gast.AST) -> bool:
        return any(isinstance(one, LOOPS) for one in self.facts.scopes.ancestors(binding))

    def _is_unconnected(self, node: gast.AST, seen: frozenset[gast.AST] = frozenset()) -> bool:
        """Is it certain that no tape follows a tensor: no gradient reaches it, and none has to?"""
        facts = self.facts
        if facts.contexts.watches or node in seen or not facts.pure(node):
            return False
        seen |= {node}
        for one in gast.walk(node):
            if not isinstance(one, gast.Name) or facts.names(one) is not None:
                continue
            if facts.kind(one).sort not in _PLAIN:  # a variable's value, read under a tape, is followed
                return False
            owner = facts.scopes.names[one].lookup(one.id)
            if owner is None:
                continue
            for binding in owner.bindings[one.id]:
                if isinstance(binding, (*DEFINITIONS, gast.alias, gast.ClassDef)):
                    continue
                if not self._gives_unconnected(binding, seen):
                    return False
        return True

    def _gives_unconnected(self, binding: gast.AST, seen: frozenset[gast.AST]) -> bool:
        """Is what a name is given there out of every tape's sight?"""
        facts = self.facts
        if isinstance(facts.parent(binding), gast.arguments):
            function = next((one for one in facts.scopes.ancestors(binding) if isinstance(one, FUNCTIONS)), None)
            if not isinstance(function, gast.FunctionDef):
                return False
            if not any(True for _ in _tapes_around(function.body[0], facts)):
                return True  # no tape records when it is called
            of_object = facts.callers.is_method(function)
            calls = [one.call if one.direct else None for one in facts.callers.references(function)]
            handed = [None if call is None else bound_arguments(function, call, of_object) for call in calls]
            return bool(handed) and all(one is not None and self._is_unconnected(one[binding.id], seen) for one in handed)
        statement = facts.scopes.statement(binding)
        if not any(True for _ in _tapes_around(statement, facts)):
            return True
        match statement:
            case gast.Assign(targets=[gast.Name()], value=value):
                return self._is_unconnected(value, seen)
        return False

    def _variables(self) -> tuple[Variable, ...]:
        """The variables that the loop's own text reads."""
        found: dict[str, list[gast.expr]] = {}
        for one in self.loop.body:
            for node in (one, *walk_within(one)):
                if isinstance(node, gast.Name | gast.Attribute) and self.facts.kind(node).sort is Sort.VARIABLE:
                    found.setdefault(self.facts.source.text_of(node), []).append(node)
        return tuple(Variable(text, tuple(nodes)) for text, nodes in found.items())

    # In a graph, where a segment is a loop of its own inside of a loop over all segments

    def why_not_nested(self, found: Segmented) -> Refusal | None:
        facts, loop = self.facts, self.loop
        if not _is_converted(loop, facts):
            return Refusal(loop, Code.CONTROL_FLOW, "AutoGraph may not convert the function, so that no loop of the graph's own is made")
        if facts.contexts.compiled_by_xla(loop):
            return Refusal(loop, Code.XLA, "XLA keeps more of nested loops than of one (256 steps: 102 MB, and 320 in segments)")
        if any(facts.mode(one) is not Mode.GRAPH for one in self.tapes):
            return Refusal(loop, Code.GRADIENTS, "the tape is outside of the graph, which would have to take a gradient of nested loops")
        if _may_be_repeated(loop, facts):
            reason = "it is in another loop, and what is captured there would be that of another iteration for the gradient"
            return Refusal(loop, Code.GRADIENTS, reason)
        called = (one for one in walk_within(loop) if isinstance(one, gast.Call) and self._is_called(one.func))
        if (layer := next(called, None)) is not None:
            shown = facts.edit.short(layer.func)
            return Refusal(layer, Code.GRADIENTS, f"{shown} may read variables, and in a loop of the graph's own they have to be arguments")
        if found.bound:
            return Refusal(loop, Code.MAY_CHANGE, f"{found.bound[0]} is given several values, and may be another one for the gradient")
        if found.results or found.lists:
            name = (*found.results, *found.lists)[0]
            return Refusal(
                loop, Code.CONTROL_FLOW, f"{name} comes out of the loop, which a loop of the graph's own gives no value before it"
            )
        if (node := next((one for one in _names(loop) if one.id == self.header.index and not self._is_place(one)), None)) is not None:
            return Refusal(node, Code.PYTHON_NUMBER, f"{node.id} is a Python number, and in a loop of the graph's own it is a tensor")
        if (steep := self._steep()) is not None:
            shown = facts.edit.short(steep)
            reason = f"nothing may depend on the last state, and the derivative of {shown} may not be finite: a gradient would be NaN"
            return Refusal(steep, Code.NOT_FINITE, reason)
        handed = {*found.followed, *(one.name for one in found.states), *self.body.assigned}
        for node in _names(loop):
            if node.id not in handed and facts.kind(node).sort is Sort.TENSOR and not self._is_of_the_graph(node):
                reason = f"{node.id} may be a tensor of outside of the graph, of which a gradient in nested loops can't be built"
                return Refusal(node, Code.GRADIENTS, reason, "Hand it to the function.")
        for call in followed(loop.body, facts):
            for one in walk_within(call.function):
                owner = facts.scopes.names[one].lookup(one.id) if isinstance(one, gast.Name) and one in facts.scopes.names else None
                if owner is facts.scopes.module and call.facts.kind(one).sort is Sort.TENSOR:
                    reason = f"{call.facts.edit.short(one)}, which a function reads, is a tensor of outside of the graph"
                    return Refusal(one, Code.GRADIENTS, reason, "Hand it over.")
                if call.facts.kind(one).sort is Sort.VARIABLE:
                    shown = call.facts.edit.short(one)
                    reason = f"{shown} is read by a function, and in a loop of the graph's own it has to be an argument"
                    return Refusal(one, Code.GRADIENTS, reason, "Hand it over.")
        return self._why_not_kept()

    def _is_of_the_graph(self, node: gast.AST, seen: frozenset[gast.AST] = frozenset()) -> bool:
        """Is a tensor certainly made in the graph, or handed to the function that makes it?"""
        facts = self.facts
        if not isinstance(node, gast.Name):
            return facts.mode(node) is Mode.GRAPH and not isinstance(node, gast.Attribute | gast.Constant)
        bound = facts.flow.definitions(node) if node in facts.scopes.names else None
        return bool(bound) and all(self._gives_of_the_graph(one, seen | {node}) for one in bound or () if one not in seen)

    def _gives_of_the_graph(self, binding: gast.AST, seen: frozenset[gast.AST]) -> bool:
        facts = self.facts
        parent = facts.parent(binding)
        if isinstance(parent, gast.arguments):
            function = next((one for one in facts.scopes.ancestors(binding) if isinstance(one, FUNCTIONS)), None)
            if not isinstance(function, gast.FunctionDef) or facts.contexts.makes_graph(function):
                return function is not None
            calls = [one.call if one.direct else None for one in facts.callers.references(function)]
            handed = [None if one is None else bound_arguments(function, one, facts.callers.is_method(function)) for one in calls]
            values = [None if one is None else one.get(getattr(binding, "id", "")) for one in handed]
            return bool(values) and all(
                one is not None and one not in seen and self._is_of_the_graph(one, seen | {binding}) for one in values
            )
        match parent:
            case gast.Assign(targets=[gast.Name()], value=value):
                return self._is_of_the_graph(value, seen | {binding})
            case gast.Assign(targets=[gast.Tuple()], value=gast.Call()) | gast.AugAssign() | gast.For():
                return facts.mode(binding) is Mode.GRAPH
        return isinstance(parent, gast.Tuple) and facts.mode(binding) is Mode.GRAPH

    def _is_place(self, node: gast.Name) -> bool:
        """Is the index the place of a row: `x[t]`, `x[:, t]`?"""
        around = self.facts.parent(node)
        around = self.facts.parent(around) if isinstance(around, gast.Tuple) else around
        return isinstance(around, gast.Subscript) and self.facts.kind(around.value).sort is Sort.TENSOR

    def _steep(self) -> gast.AST | None:
        for nodes, inside in self._computed():
            for node in nodes:
                if (inside.called(node) or "").removeprefix("tensorflow.") in _STEEP:
                    return node
                if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Pow):
                    return node
        return None

    def _why_not_kept(self) -> Refusal | None:
        """Does each state keep its shape?"""
        plain, iterations = self.facts.iterations(self.loop), self._settled.iterations(self.loop)
        if plain is None or iterations is None:
            return None
        for name in self._names_given()[0]:
            before, end = plain.before.get(name, Kind()), iterations.end.get(name, Kind())
            first = () if before.sort is Sort.NUMBER else before.shape
            if first is None or not same_shape(first, end.shape):
                return Refusal(self.loop, Code.UNKNOWN_SHAPE, f"{name}, a state, is not known to keep its shape")
        return None

    # What a tape keeps

    def _kept(self, connected: tuple[str, ...]) -> int | None:
        """At least so many bytes of a step; None where a size isn't known.

        An elementwise operation other than a sum needs its operand or its result for its gradient; a product's gradient by what
        all steps share is kept for each step until all of them are added up, other than by a loop of a graph, which adds as it goes.
        """
        adds_up = self.header.tensor and self.facts.mode(self.loop) is Mode.GRAPH
        total = 0
        for nodes, known in self._computed():
            for node in nodes:
                row = known.op(node)
                if row.is_elementwise and not row.adds and not row.subtracts and isinstance(node, gast.Call):
                    size = self._size(known.kind(node))
                    if size is None:
                        return None
                    total += size
                if isinstance(node, gast.Call) and (layers := layers_called(node, known)):
                    size = self._size(known.kind(node))
                    if size is None:
                        return None
                    total += size + sum(self._hidden(layer, known.kind(node)) for layer in layers[:-1])
                product = known.product(node) if isinstance(node, gast.expr) else None
                for operand in product if product is not None and not adds_up else ():
                    shared = known.kind(operand).sort is Sort.VARIABLE or (isinstance(operand, gast.Name) and operand.id in connected)
                    total += (self._size(known.kind(operand)) or 0) if shared else 0
        return total

    @staticmethod
    def _hidden(layer: Made, result: Kind) -> int:
        """How many bytes a layer in the middle gives, where that is known."""
        units, shape = layer.integer("units"), result.shape
        if units is None or not isinstance(shape, tuple):
            return 0
        return units * math.prod(dim for dim in shape[:-1] if isinstance(dim, int)) * ITEM_BYTES.get(result.dtype or "", 4)

    @staticmethod
    def _size(kind: Kind) -> int | None:
        return None if kind.size is None else kind.size * ITEM_BYTES.get(kind.dtype or "", 4)


def _has_frozen_variables(facts: Facts) -> bool:
    """May the file have variables that a tape doesn't watch by itself?"""
    told = any(isinstance(one, gast.keyword) and one.arg == "trainable" for one in facts.nodes([gast.keyword]))
    by_place = any(
        facts.called(one) == "tensorflow.Variable" and len(one.args) > 1 for one in facts.nodes([gast.Call]) if isinstance(one, gast.Call)
    )
    return told or by_place or any(one.attr == "trainable" for one in facts.scopes.attribute_stores)


def _may_swallow(item: gast.withitem, facts: Facts) -> bool:
    """May what a `with` opens catch an error of its block?"""
    return not (facts.called(item.context_expr) or "").startswith("tensorflow.")


def _with_lambdas(root: gast.AST) -> Iterator[gast.AST]:
    """The nodes of a function's own, and those of the lambdas in it."""
    for node in walk_within(root):
        yield from gast.walk(node) if isinstance(node, gast.Lambda) else (node,)


def length(steps: int) -> int:
    """How many steps a segment has: as many as there are segments, about."""
    return math.isqrt(max(steps - 1, 0)) + 1


def _method_called(use: gast.AST, facts: Facts) -> gast.Call | None:
    """The call of a method of what a name stands for."""
    method = facts.parent(use)
    call = facts.parent(method) if isinstance(method, gast.Attribute) else None
    return call if isinstance(call, gast.Call) and call.func is method else None


def _reads_outer(inner: Scope, name: str, scope: Scope) -> bool:
    return name in inner.uses and inner.lookup(name) is scope


def _all(body: Body) -> Iterator[Body]:
    yield body
    for inner in body.inner:
        yield from _all(inner)


def _stores(name: str, loop: gast.For) -> list[gast.Name]:
    nodes = (node for one in loop.body for node in (one, *walk_within(one)))
    return [node for node in nodes if isinstance(node, gast.Name) and node.id == name and isinstance(node.ctx, gast.Store)]


def _names(loop: gast.For) -> list[gast.Name]:
    """The names that a step reads, in the order of the text."""
    nodes = (node for one in loop.body for node in (one, *walk_within(one)))
    found = [node for node in nodes if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load)]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _inner_targets(loop: gast.For) -> Iterator[str]:
    for one in loop.body:
        for node in (one, *walk_within(one)):
            if isinstance(node, gast.For):
                yield from (name.id for name in gast.walk(node.target) if isinstance(name, gast.Name))
