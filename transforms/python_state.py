"""Keep a Python counter that a compiled function changes in a `tf.Variable`, so that calls change it and not traces.

Before:  state = {"calls": 0}

         @tf.function
         def step(x):
             state["calls"] += 1
             return x + state["calls"]
After:   state = {"calls": tf.Variable(0, dtype=tf.int64, trainable=False)}

         @tf.function
         def step(x):
             state["calls"].assign_add(1)
             return x + tf.cast(state["calls"], x.dtype)

Why:     Python runs while a function is traced, and is no part of its graph: `step(tf.constant(1))` gives 2, 2, 2, ...
         where it gives 2, 3, 4, ... eagerly, and a list that is appended to holds one symbolic tensor. This is about
         being right. What it saves is the retracing if somebody passes the count as a Python number instead (300
         values: 33 MB).
Safety:  - **Other results.** They become those of eager mode. Every run reports the find; it is rewritten with `--unsafe`,
           or with `--verify` if a run shows that graphs then do what eager mode does.
         - **Counted on purpose.** Not reported for names such as `trace_count`, in tests, and in a file that calls
           `tf.config.run_functions_eagerly(True)`.
         - **State of one trace.** Not reported for a list that is emptied before it is filled, `+= 1` that the same block
           takes back, and a count that only names scopes.
         - **What is rewritten.** Integers that begin as one: a global, a name of the enclosing function, an element read
           only by its key, an attribute of a plain class or `tf.Module`. A float or a list is only reported.
         - **All uses.** Each has to be known: `+=` and `-=` of an integer, arithmetic with a tensor, `tf.print`,
           `tf.cast`, `return`, eager `int(count)`. `if count > 3`, `range(count)` and f-strings are only reported.
         - **Other files.** They find a variable where an `int` was, and a required parameter is taken for a tensor:
           `step(1)` has no dtype.
         - **Devices.** Refused if the file uses `tf.config` or `tf.distribute`: a variable may set devices up too early.
         - **Eager and graph.** Refused if eager code and a graph call the function: each needs another form, `state["calls"]`
           as `int` and as variable.
         - **Checkpoints.** A `tf.Module` gets one more variable: refused if the file names `m.variables`, checkpoints or
           saved models.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.facts.scopes import DEFINITIONS, FUNCTIONS, Function, Scope, block_of, walk_within
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, transform

_CONTAINERS = {
    "builtins.dict", "builtins.list", "builtins.set", "collections.defaultdict", "collections.Counter", "collections.OrderedDict",
    "collections.deque",
}  # fmt: skip
_CHANGERS = {"append", "extend", "insert", "add", "update", "pop", "remove", "clear", "discard", "popleft", "appendleft", "setdefault"}
_LITERALS = (gast.Dict, gast.List, gast.Set, gast.ListComp, gast.DictComp, gast.SetComp)
_BECOME_TENSORS = (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY)
_LISTS_VARIABLES = {"variables", "non_trainable_variables", "Checkpoint", "CheckpointManager", "saved_model", "_flatten"}
_SCOPES = {f"tensorflow.{name}" for name in ("name_scope", "compat.v1.name_scope", "compat.v1.variable_scope")}
_EAGERLY = {"tensorflow.config.run_functions_eagerly", "tensorflow.config.experimental_run_functions_eagerly"}


@dataclass(frozen=True)
class Place:
    """Where a Python value lives: a name, a member of what a name holds, or an attribute of a class's objects."""

    name: str
    owner: Scope | None = None
    key: str | int | None = None
    holder: gast.ClassDef | None = None


@transform(gast.AugAssign, gast.Assign, gast.Call, fidelity=Fidelity.BEHAVIOUR, mentions=("function",), reports=True)
def python_state(node: gast.AugAssign | gast.Assign | gast.Call, facts: Facts) -> Outcome:
    changed = _changed(node, facts)
    if changed is None or (function := facts.scopes.function_of(node)) is None or not _frozen(function, facts, set()):
        return None
    place = _place(changed, facts)
    if place is None or "trac" in facts.source.text_of(changed).lower() or not _outlives(place, function, facts):
        return None
    if facts.in_test(node) or any(facts.called(one) in _EAGERLY for one in facts.nodes((gast.Call,))):
        return None
    if _is_of_the_trace(node, place, function, facts):
        return None
    shown = facts.edit.short(changed, "this")
    says = f"{shown} is changed while a graph is traced, and not when it is called"
    if isinstance(node, gast.Call):
        if not _holds(place, facts, container=True):
            return None
        return Refusal(node, Code.BEHAVIOUR, says, "Return what is to be kept, or write it to a tf.Variable or tf.TensorArray.")
    if not _holds(place, facts, container=False):
        return None
    edits = _lifted(place, facts)
    if isinstance(edits, str):
        return Refusal(node, Code.BEHAVIOUR, says, f"Keep it in a tf.Variable, and change it by assign_add. (--unsafe does not: {edits}.)")
    reason = f"{shown} is a variable, which calls of the graph change as eager calls do"
    remedy = "Keep it in a tf.Variable, and change it by assign_add."
    doubt = Refusal(node, Code.BEHAVIOUR, says, remedy)
    return Rewrite(node, edits, reason, evidence=Evidence.UNPROVEN, doubt=doubt, region=(facts.tree.body[0], facts.tree.body[-1]))


# What is changed, and whether that happens in a trace


def _changed(node: gast.AST, facts: Facts) -> gast.expr | None:
    """The expression whose value a statement changes in Python."""
    match node:
        case gast.AugAssign(target=gast.expr() as changed):
            return changed
        case gast.Assign(targets=[gast.expr() as changed], value=gast.BinOp(left=left)) if _same(changed, left, facts):
            return changed
        case gast.Call(func=gast.Attribute(attr=attr, value=gast.expr() as changed)) if attr in _CHANGERS and isinstance(
            facts.parent(node), gast.Expr
        ):
            return changed
    return None


def _same(a: gast.AST, b: gast.AST, facts: Facts) -> bool:
    return type(a) is type(b) and facts.source.text_of(a) == facts.source.text_of(b)


def _frozen(function: gast.AST, facts: Facts, asked: set[gast.AST]) -> bool:
    """Does the function run only when a graph is traced: as one of tf.function, or called by one directly?"""
    if function in asked:
        return False
    asked.add(function)
    if facts.callers.may_be_traced(function):
        return facts.contexts.traced(function)
    references = facts.callers.references(function)
    callers = [facts.scopes.function_of(one.call) if one.direct and one.call is not None else None for one in references]
    return bool(callers) and all(one is not None and _frozen(one, facts, asked) for one in callers)


def _place(node: gast.expr, facts: Facts) -> Place | None:
    match node:
        case gast.Name(id=name) if node in facts.scopes.names:
            return Place(name, _owner(node, facts))
        case gast.Subscript(value=gast.Name(id=name) as held, slice=gast.Constant(value=str() | int() as key)):
            return Place(name, _owner(held, facts), key)
        case gast.Attribute(value=gast.Name(id="self"), attr=attr):
            function = facts.scopes.function_of(node)
            holder = facts.scopes.class_of(function) if function is not None else None
            return Place(attr, None, None, holder) if holder is not None else None
    return None


def _owner(name: gast.Name, facts: Facts) -> Scope | None:
    scope = facts.scopes.names[name]
    if scope.outer.get(name.id) is gast.Nonlocal and scope.parent is not None:
        return scope.parent.lookup(name.id)
    return scope.lookup(name.id)


def _outlives(place: Place, function: Function, facts: Facts) -> bool:
    """Does it belong to what is around every compiled function, not to what each trace makes anew?"""
    if place.holder is not None:
        return True
    if place.owner is None or not isinstance(place.owner.node, (gast.Module, *DEFINITIONS)):
        return False
    home = place.owner.node
    if isinstance(home, gast.Module):
        return True
    return home is not function and home in set(facts.scopes.ancestors(function)) and not _frozen(home, facts, set())


def _first_values(place: Place, facts: Facts) -> list[gast.expr | None]:
    """What it is given, other than by changing what it is; None for what can't be told."""
    if place.holder is not None:
        stores = [
            (one, facts.parent(one)) for one in facts.scopes.attribute_stores if one.attr == place.name and _in_class(one, place, facts)
        ]
        given = [getattr(one, "value", None) for store, one in stores if isinstance(one, gast.Assign) and not _changed_by(one, facts)]
        given += [one.value for one in place.holder.body if isinstance(one, gast.Assign) and _names(one) == [place.name]]
        return given
    if place.owner is None:
        return []
    parents = [facts.parent(one) for one in place.owner.bindings.get(place.name, ())]
    plain = [
        one for one in parents if not isinstance(one, gast.AugAssign) and not (isinstance(one, gast.Assign) and _changed_by(one, facts))
    ]
    return [one.value if isinstance(one, gast.Assign | gast.AnnAssign) else None for one in plain]


def _changed_by(statement: gast.Assign, facts: Facts) -> bool:
    return _changed(statement, facts) is not None


def _names(statement: gast.Assign) -> list[str]:
    return [one.id for one in statement.targets if isinstance(one, gast.Name)]


def _in_class(node: gast.Attribute, place: Place, facts: Facts) -> bool:
    function = facts.scopes.function_of(node)
    return (
        isinstance(node.value, gast.Name)
        and node.value.id == "self"
        and function is not None
        and facts.scopes.class_of(function) is place.holder
    )


def _holds(place: Place, facts: Facts, *, container: bool) -> bool:
    """Is it a Python number, or what holds one under a key; or a list, a dict or a set?"""
    values = _first_values(place, facts)
    if not values or any(value is None or _anew(value, facts) for value in values):
        return False
    if container or place.key is not None:
        return all(isinstance(one, _LITERALS) or facts.called(one) in _CONTAINERS for one in values if one is not None)
    return all(_number(one) is not None for one in values if one is not None)


def _anew(value: gast.expr, facts: Facts) -> bool:
    """Does each trace begin with a value of its own?"""
    function = facts.scopes.function_of(facts.scopes.statement(value))
    return function is not None and _frozen(function, facts, set())


def _number(node: gast.AST) -> int | float | None:
    match node:
        case gast.Constant(value=bool()):
            return None
        case gast.Constant(value=int() | float() as value):
            return value
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return None if (number := _number(operand)) is None else -number
    return None


# What belongs to each trace, and is right there


def _is_of_the_trace(node: gast.AugAssign | gast.Assign | gast.Call, place: Place, function: Function, facts: Facts) -> bool:
    if isinstance(node, gast.Call):
        return _begins_anew(node, place, function, facts)
    return _is_undone(node, place, facts) or _only_names(place, facts)


def _begins_anew(change: gast.Call, place: Place, function: Function, facts: Facts) -> bool:
    """Does every trace empty the container before it fills it?"""
    if _empties(facts.scopes.statement(change), place, facts):
        later = [one for one in walk_within(function) if isinstance(one, gast.Call) and one.lineno > change.lineno]
        return any((changed := _changed(one, facts)) is not None and _place(changed, facts) == place for one in later)
    child: gast.AST = facts.scopes.statement(change)
    while child is not function and isinstance(child, gast.stmt):
        parent = facts.scopes.parents[child]
        block = function.body if parent is function else block_of(child, parent)
        earlier = itertools.takewhile(lambda one: one is not child, block)  # noqa: B023
        if any(_empties(one, place, facts) for one in earlier):
            return True
        child = parent
    return False


def _empties(statement: gast.stmt, place: Place, facts: Facts) -> bool:
    match statement:
        case gast.Expr(value=gast.Call(func=gast.Attribute(attr="clear", value=held), args=[], keywords=[])):
            pass
        case gast.Delete(targets=[gast.Subscript(value=held, slice=gast.Slice(lower=None, upper=None, step=None))]):
            pass
        case gast.Assign(
            targets=[gast.Subscript(value=held, slice=gast.Slice(lower=None, upper=None, step=None))], value=gast.List(elts=[])
        ):
            pass
        case _:
            return False
    return _place(held, facts) == place


def _is_undone(change: gast.AST, place: Place, facts: Facts) -> bool:
    """Does the same block, or the `finally` of a `try` in it, take back what is added?"""
    if not isinstance(change, gast.AugAssign):
        return False
    parent = facts.scopes.parents[change]
    block = parent.body if isinstance(parent, FUNCTIONS) else block_of(change, parent)
    if isinstance(parent, gast.Try) and any(one is change for one in parent.finalbody):
        home = facts.scopes.parents[parent]
        block = [*(home.body if isinstance(home, FUNCTIONS) else block_of(parent, home)), *block]
    block = [*block, *(last for one in block if isinstance(one, gast.Try) for last in one.finalbody)]
    opposite = gast.Sub if isinstance(change.op, gast.Add) else gast.Add
    return any(
        isinstance(one, gast.AugAssign)
        and isinstance(one.op, opposite)
        and _place(one.target, facts) == place
        and _number(one.value) == _number(change.value) is not None
        for one in block
    )


def _only_names(place: Place, facts: Facts) -> bool:
    """Is the count read for nothing but names of operations, which belong to the graph?"""
    uses = _uses(place, facts)
    if isinstance(uses, str):
        return False
    reads = [one for one in uses if isinstance(one.ctx, gast.Load) and not _is_counted_on(one, facts)]
    return bool(reads) and all(_names_something(one, facts, frozenset()) for one in reads)


def _is_counted_on(use: gast.expr, facts: Facts) -> bool:
    statement = facts.scopes.statement(use)
    return isinstance(statement, gast.Assign) and _changed_by(statement, facts) and facts.parent(use) is statement.value


def _names_something(node: gast.AST, facts: Facts, seen: frozenset[gast.AST]) -> bool:
    """Does a text, or a number in it, become the name of a scope or of an operation, and nothing else?"""
    parent = facts.parent(node)
    if parent is None or node in seen:
        return False
    seen |= {node}
    match parent:
        case gast.FormattedValue() | gast.JoinedStr() | gast.BinOp(op=gast.Add() | gast.Mod()):
            return _names_something(parent, facts, seen)
        case gast.keyword(arg="name"):
            return True
        case gast.Call() if facts.called(parent) == "builtins.str":
            return _names_something(parent, facts, seen)
        case gast.Call(args=[first, *_]):
            return first is node and facts.called(parent) in _SCOPES
        case gast.Return():
            function = facts.scopes.function_of(parent)
            calls = [] if function is None else facts.callers.references(function)
            named = [one.call is not None and one.direct and _names_something(one.call, facts, seen) for one in calls]
            return bool(named) and all(named)
        case gast.Assign(targets=[gast.Name(id=name) as target]):
            scope = facts.scopes.names[target]
            known = scope.lookup(name) is scope and name not in scope.shared and scope.bindings[name] == [target]
            return (
                known
                and isinstance(scope.node, DEFINITIONS)
                and all(_names_something(one, facts, seen) for one in scope.uses.get(name, []))
            )
    return False


# Lifting it into a variable


def _lifted(place: Place, facts: Facts) -> tuple[Edit, ...] | str:
    """The edits that make a variable of it; or what stands in the way."""
    start = _start(place, facts)
    if isinstance(start, str):
        return start
    tensorflow, number = facts.tensorflow(start), _number(start)
    if not isinstance(number, int):
        return "it does not begin as an integer"
    if tensorflow is None:
        return "tensorflow is not imported under a name before it"
    if any((facts.called(one) or "").startswith(("tensorflow.config.", "tensorflow.distribute.")) for one in facts.nodes((gast.Call,))):
        return "the file configures devices, and a variable might set them up before"
    span = facts.source.span(start)
    text = f"{tensorflow}.Variable({facts.source.text_of(start)}, dtype={tensorflow}.int64, trainable=False)"
    edits = [Edit(span.start, span.end, text)]
    uses = _uses(place, facts)
    if isinstance(uses, str):
        return uses
    for use in uses:
        found = () if facts.parent(use) is facts.parent(start) else _use_edits(use, tensorflow, facts)
        if isinstance(found, str):
            return found
        edits += found
    return (*edits, *_declarations(place, uses, facts))


def _start(place: Place, facts: Facts) -> gast.expr | str:
    """The number that it begins as, where that stands in the text once and is run once."""
    values = _first_values(place, facts)
    if place.key is not None:
        match values:
            case [gast.Dict(keys=keys, values=members)]:
                found = [one for key, one in zip(keys, members, strict=True) if isinstance(key, gast.Constant) and key.value == place.key]
            case [gast.List(elts=members)] if isinstance(place.key, int) and 0 <= place.key < len(members):
                found = [members[place.key]]
            case _:
                found = []
        if len(found) != 1 or _number(found[0]) is None:
            return "its first value is not known"
        start: gast.expr = found[0]
    else:
        firsts = [one for one in values if one is not None and _is_first(one, place, facts)]
        if len(firsts) != 1:
            return "its first value is not known"
        start = firsts[0]
    statement = facts.scopes.statement(start)
    if isinstance(statement, gast.AnnAssign):
        return "it is annotated as a number"
    home = facts.parent(statement)
    if place.holder is not None:
        plain = all(facts.names(base) in ("tensorflow.Module", "builtins.object") for base in place.holder.bases)
        if not plain or place.holder.keywords or place.holder.decorator_list:
            return f"{place.holder.name} is no plain class"
        if any(facts.names(base) == "tensorflow.Module" for base in place.holder.bases) and (lister := _lister(facts)) is not None:
            return f"{lister} would find one variable more in {place.holder.name}"
        return start if isinstance(home, gast.FunctionDef) and home.name == "__init__" else "it is not assigned in __init__"
    assert place.owner is not None
    return start if home is place.owner.node else "it begins in a block"


def _lister(facts: Facts) -> str | None:
    """What the file names that lists, counts or saves the variables of a tf.Module."""
    names = [getattr(one, "attr", getattr(one, "id", "")) for one in facts.nodes((gast.Attribute, gast.Name))]
    return next((one for one in names if one in _LISTS_VARIABLES), None)


def _is_first(value: gast.expr, place: Place, facts: Facts) -> bool:
    """Is it a value that the name's own scope, or `__init__`, gives?"""
    statement = facts.scopes.statement(value)
    function = facts.scopes.function_of(statement)
    if place.holder is not None:
        return getattr(function, "name", "") == "__init__"
    return place.owner is not None and (function or facts.tree) is place.owner.node


def _uses(place: Place, facts: Facts) -> list[gast.expr] | str:
    """Every place in the file where it is read or written."""
    if place.holder is not None:
        found: list[gast.expr] = []
        if any(one.id in ("getattr", "setattr", "vars") for one in facts.nodes((gast.Name,))) or "__dict__" in facts.source.text:
            return "attributes are read by their names as text"
        for node in gast.walk(facts.tree):
            if isinstance(node, gast.Attribute) and node.attr == place.name:
                if not _in_class(node, place, facts) and facts.kind(node.value).instance is not place.holder:
                    return f"{facts.edit.short(node)} may be another one"
                found.append(node)
        return found
    names = [one for one in facts.scopes.names if one.id == place.name and _owner(one, facts) is place.owner]
    if place.owner is not None and place.owner.is_read_as_a_whole:
        return "names are read by locals(), eval or the like"
    if place.key is None:
        return list(names)
    members: list[gast.expr] = []
    for name in names:
        match facts.parent(name):
            case gast.Subscript(value=value, slice=gast.Constant(value=key)) as member if value is name:
                members += [member] if key == place.key else []
            case gast.Assign(targets=[target]) if target is name:
                pass
            case _:
                return f"{place.name} is used as a whole too, in {facts.source.shown_lines(name.lineno)}"
    return members


def _use_edits(use: gast.expr, tensorflow: str, facts: Facts) -> tuple[Edit, ...] | str:
    """What becomes of one use; or why nothing can."""
    span, parent = facts.source.span(use), facts.parent(use)
    line = f"in {facts.source.shown_lines(use.lineno)}"
    if any(isinstance(one, gast.JoinedStr) for one in facts.scopes.ancestors(use)):
        return f"an f-string reads it {line}"
    if not isinstance(use.ctx, gast.Load):
        return _written(use, parent, facts) or f"it is assigned something else than an integer {line}"
    statement = facts.scopes.statement(use)
    if isinstance(statement, gast.Assign) and _changed_by(statement, facts) and parent is statement.value and use is parent.left:
        return ()  # goes with the statement that changes it
    function = facts.scopes.function_of(use)
    if function is not None and any(
        one.call is not None and facts.callers.maps_rows(one.call, function) for one in facts.callers.references(function)
    ):
        return "a dataset or tf.map_fn calls the function too"
    if function is None or not (_frozen(function, facts, set()) or facts.mode(use) is Mode.GRAPH):
        if not _is_eager(function, facts, set()):
            return f"it is not known whether a graph or eager code reads it {line}"
        if isinstance(parent, gast.Call) and facts.called(parent) == "builtins.int":
            return ()
        return (Edit(span.start, span.start, "int("), Edit(span.end, span.end, ")"))
    match parent:
        case gast.BinOp(left=left, right=right, op=gast.Add() | gast.Sub() | gast.Mult()):
            dtype = _dtype(right if left is use else left, tensorflow, function, facts)
            if dtype is not None:
                return (Edit(span.start, span.start, f"{tensorflow}.cast("), Edit(span.end, span.end, f", {dtype})"))
        case gast.Return():
            return (Edit(span.start, span.start, f"{tensorflow}.cast("), Edit(span.end, span.end, f", {tensorflow}.int32)"))
        case gast.Call(args=args) if facts.called(parent) == "tensorflow.print" and use in args:
            return ()
        case gast.Call(args=[first, _]) if facts.called(parent) == "tensorflow.cast" and first is use:
            return ()
    return f"the graph would need the number itself {line}"


def _is_eager(function: Function | None, facts: Facts, asked: set[Function]) -> bool:
    """Does only eager code call the function, as far as the file shows?"""
    if function is None or function in asked:
        return True
    asked.add(function)
    name = getattr(function, "name", "")
    if facts.callers.may_be_traced(function) or name.startswith("__") and name != "__init__":
        return False  # Python itself calls what has two underscores, wherever that is
    if facts.callers.is_method(function):
        named = [one for one in facts.nodes((gast.Attribute,)) if one.attr == name]
        calls = [call if isinstance(call := facts.parent(one), gast.Call) and call.func is one else None for one in named]
    else:
        calls = [one.call if one.direct else None for one in facts.callers.references(function)]
    return all(
        one is not None and facts.mode(one) is not Mode.GRAPH and _is_eager(facts.scopes.function_of(one), facts, asked) for one in calls
    )


def _written(use: gast.expr, parent: gast.AST | None, facts: Facts) -> tuple[Edit, ...] | None:
    """`n += 1` and `n = n + 1` become `n.assign_add(1)`, `n = 0` becomes `n.assign(0)`."""
    target = facts.source.span(use)
    match parent:
        case gast.AugAssign(op=gast.Add() | gast.Sub() as op, value=value):
            method = "assign_add" if isinstance(op, gast.Add) else "assign_sub"
        case gast.Assign(targets=[_], value=gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=value)) if _same(
            use, left, facts
        ):
            method = "assign_add" if isinstance(op, gast.Add) else "assign_sub"
        case gast.Assign(targets=[_], value=value):
            method = "assign"
        case _:
            return None
    if not isinstance(_number(value), int) or not isinstance(parent, gast.stmt):
        return None
    whole, inner = facts.source.span(parent), facts.edit.outer_span(value)
    return (Edit(target.end, inner.start, f".{method}("), Edit(whole.end, whole.end, ")"))


def _dtype(other: gast.expr, tensorflow: str, function: Function, facts: Facts) -> str | None:
    """What a tensor that the number meets has for a dtype, as it can be written there."""
    kind = facts.kind(other)
    if kind.sort in (Sort.TENSOR, Sort.VARIABLE):
        if isinstance(other, gast.Name | gast.Attribute):
            return f"{facts.source.text_of(other)}.dtype"
        return f"{tensorflow}.{kind.dtype}" if kind.dtype is not None else None
    match other:
        case gast.BinOp(left=left, right=right, op=gast.Add() | gast.Sub() | gast.Mult()):
            return _dtype(left, tensorflow, function, facts) or _dtype(right, tensorflow, function, facts)
    # A compiled function's parameter is a tensor, unless somebody passes a Python number: then there is no dtype, and an error.
    required = function.args.args[: len(function.args.args) - len(function.args.defaults)]
    if kind.sort is Sort.UNKNOWN and isinstance(other, gast.Name) and any(one.id == other.id != "self" for one in required):
        sole = len(facts.scopes.of[function].bindings[other.id]) == 1
        tensors = all(one is not None and facts.kind(one).sort in _BECOME_TENSORS for one in _handed(function, other.id, facts))
        return f"{other.id}.dtype" if sole and tensors and facts.callers.may_be_traced(function) else None
    return None


def _handed(function: Function, parameter: str, facts: Facts) -> Iterator[gast.expr | None]:
    """What the calls that the file shows hand to a required parameter; None for what can't be told."""
    place = [one.id for one in function.args.args].index(parameter)
    calls: list[gast.AST | None]
    if facts.callers.is_method(function):
        place -= facts.callers.takes_self(function)
        calls = [one for one in facts.nodes((gast.Call,)) if _may_call_method(one, function, facts)]
    else:
        compiled = facts.callers.compilations(function)
        references = [one for one in facts.callers.references(function) if one.direct or one.call not in compiled]
        calls = [one.call for one in references if one.call is None or one.direct]
        if len(calls) < len(references):
            yield None  # handed to somebody who calls it
        if None in calls:  # returned, or given another name
            calls = [one for one in calls if one is not None]
            calls += [one for one in facts.nodes((gast.Call,)) if _calls_unknown(one, facts)]
    for call in calls:
        if not isinstance(call, gast.Call) or any(isinstance(one, gast.Starred) for one in call.args):
            yield None
        elif place < len(call.args):
            yield call.args[place]
        else:
            yield next((one.value for one in call.keywords if one.arg == parameter), None)


def _calls_unknown(call: gast.AST, facts: Facts) -> bool:
    """May what is called have come out of a function, or out of another name?"""
    if not isinstance(call, gast.Call) or isinstance(call.func, gast.Attribute) or not (call.args or call.keywords):
        return False
    return facts.called(call) is None and facts.callers.function_called(call) is None


def _may_call_method(call: gast.AST, method: Function, facts: Facts) -> bool:
    name = getattr(method, "name", "")
    if not isinstance(call, gast.Call):
        return False
    if name == "__call__":
        return facts.kind(call.func).instance is facts.scopes.class_of(method)
    return isinstance(call.func, gast.Attribute) and call.func.attr == name


def _declarations(place: Place, uses: list[gast.expr], facts: Facts) -> Iterator[Edit]:
    """Take out the `global` and `nonlocal` statements that speak of this name alone: nothing gives it a value there any more."""
    if place.holder is not None or place.key is not None:
        return
    functions = dict.fromkeys(facts.scopes.function_of(one) for one in uses)  # in the order of the text
    for function in functions:
        if function is None:
            continue
        for statement in walk_within(function):
            if isinstance(statement, gast.Global | gast.Nonlocal) and statement.names == [place.name]:
                yield from facts.edit.delete_statement(statement) or ()
