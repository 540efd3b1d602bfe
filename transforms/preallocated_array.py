"""Write what a loop computes into one array instead of a list that is copied into one.

Before:  frames = []
         for i in range(50):
             frames.append(render(i).numpy())
         frames = np.stack(frames)
After:   frames = np.empty((50, 1000, 1000), np.float32)
         for i in range(50):
             frames[i] = render(i).numpy()

Also:    For `np.array(frames)`, under another name, `video = np.stack(frames)`, or in a `return`. Where the loop does not
         count, it is made to: `for index, image in enumerate(images):`.

Why:     The list holds all arrays until `np.stack` has copied them. For 50 arrays of 4 MB: 400 -> 208 MB. Nothing like that
         helps `tf.stack`: filled by `assign`, a `tf.Variable` needs as much, and 16 times the time. A script that computes 120
         frames of 1 MB: 241 -> 125 MB.
Safety:  - **Shape and dtype.** Refused unless those of the elements are known, the same in each iteration, and the same in
           NumPy 1 and 2: of other shapes `np.stack` raises, and of other dtypes it makes a common one.
         - **Count.** Refused unless the loop is known to run a certain number of times, once at least: `np.stack([])` raises,
           and `np.array([])` is an array of `float64`.
         - **Early ends.** Refused if the loop may be left: `if i > 3: break`.
         - **Changed elements.** Refused unless each element is a new array that nothing changes afterwards: the list holds
           the array itself, so after `frames.append(frame)` it sees `frame += 1`.
         - **Order in memory.** Refused unless the elements are known to lie in the order of their axes, as those of
           `frame.T` and `frame[:, :, [2, 1, 0]]` don't: `np.stack` keeps what order they have.
         - **Casts.** Refused for a `dtype` that is no name of NumPy, and for one that `np.stack` refuses: `dtype=wanted`.
         - **Views.** Refused for parts of another array, which take no memory in a list: `rows.append(x[i : i + 20])`.
         - **Other readers.** Refused if the list is read otherwise: `frames[-1]`, a closure, `locals()`, and if an array of
           another name may be read before it is complete, after a caught error. At the top level in scripts only.
         - **Sizes.** Refused if the result is known to have less than 1 MB: 50 arrays of shape `[10, 10]`.
"""

from __future__ import annotations

from dataclasses import dataclass

import gast

from tfrewrite.analyses.appended_lists import block_around, members, unclaimed
from tfrewrite.analyses.array_holders import holds
from tfrewrite.analyses.array_memory import is_fresh
from tfrewrite.analyses.imported_texts import reads_the_script
from tfrewrite.analyses.memory_order import is_in_order
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.facts.scopes import DEFINITIONS, blocks, walk_within
from tfrewrite.kinds import FLOATS, INTEGERS, ITEM_BYTES, Kind
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, not_imported, transform
from tfrewrite.worth import NOISE

_JOINS = frozenset({"numpy.stack", "numpy.array", "numpy.asarray"})
_LEAVES = (gast.Break, gast.Continue, gast.Return, gast.Yield, gast.YieldFrom, gast.Await)


@dataclass(frozen=True)
class _Grown:
    """`name = []`, a loop that appends one element in each iteration, and what makes an array of them."""

    target: gast.Name
    statement: gast.Assign
    loop: gast.For
    append: gast.Call
    join: gast.Call

    @property
    def name(self) -> str:
        return str(self.target.id)

    @property
    def member(self) -> gast.expr:
        found: gast.expr = self.append.args[0]
        return found


@transform(gast.Assign, fidelity=Fidelity.BITWISE, mentions=("append",))
def preallocated_array(statement: gast.Assign, facts: Facts) -> Outcome:
    match statement:
        case gast.Assign(targets=[gast.Name() as target], value=gast.List(elts=[])):
            pass
        case _:
            return None
    grown = _grown(target, statement, facts)
    if grown is None:
        return None
    if (refusal := _not_alone(grown, facts) or _not_followed(grown, facts)) is not None:
        return refusal
    count, kind = members(grown.loop.iter, facts), facts.kind(grown.member)
    if refusal := _unknown(grown, count, kind, facts):
        return refusal
    assert count is not None and kind.size is not None
    total = count * kind.size * ITEM_BYTES[kind.dtype or ""]
    if total < NOISE:
        return Refusal(statement, Code.TOO_SMALL, f"{grown.name} has {total / 1e6:.2g} MB: less than 1 MB counts for nothing")
    if not _is_made_here(grown, facts):
        shown = facts.edit.short(grown.member, f"what {grown.name} is appended")
        reason = f"{shown} is not known to be a new array that nothing changes afterwards: a part of another one takes no memory in a list"
        return Refusal(grown.append, Code.MAY_CHANGE, reason, "Append what makes the array: frames.append(f(x).numpy()).")
    if not is_in_order(grown.member, facts):
        shown = facts.edit.short(grown.member, f"what {grown.name} is appended")
        return Refusal(
            grown.append, Code.LAYOUT, f"the axes of {shown} may lie in another order in memory, which the whole array would keep"
        )
    return _written(grown, kind, count, total, facts)


def _grown(target: gast.Name, statement: gast.Assign, facts: Facts) -> _Grown | None:
    """The loop and the array of a list, where it is read by nothing else."""
    scope, home = facts.scopes.names[target], facts.parent(statement)
    assert home is not None
    uses = scope.uses.get(target.id, [])
    joins = [call for use in uses if (call := _join(use, facts)) is not None]
    appends = [call for use in uses if (call := _append(use, facts)) is not None]
    if len(joins) != 1 or len(appends) != 1:
        return None
    loop = facts.parent(facts.scopes.statement(appends[0]))
    if not isinstance(loop, gast.For) or facts.parent(loop) is not home:
        return None
    block = block_around(statement, facts)
    places = [
        next((index for index, one in enumerate(block) if one is node), -1) for node in (statement, loop, _top(joins[0], home, facts))
    ]
    return _Grown(target, statement, loop, appends[0], joins[0]) if places == sorted(places) and places[0] >= 0 else None


def _top(node: gast.AST, home: gast.AST, facts: Facts) -> gast.AST:
    """The statement of a block that holds the node."""
    return next((one for one in (node, *facts.scopes.ancestors(node)) if facts.parent(one) is home), node)


def _join(use: gast.Name, facts: Facts) -> gast.Call | None:
    match facts.parent(use):
        case gast.Call(args=[first]) as call if first is use and facts.called(call) in _JOINS:
            axis = next((one.value for one in call.keywords if one.arg == "axis"), None)
            known = all(one.arg in ("axis", "dtype") for one in call.keywords)
            return call if known and (axis is None or facts.kind(axis).value == 0) else None
    return None


def _append(use: gast.Name, facts: Facts) -> gast.Call | None:
    method = facts.parent(use)
    call = facts.parent(method) if isinstance(method, gast.Attribute) and method.attr == "append" else None
    match call:
        case gast.Call(args=[member], keywords=[]) if call.func is method and isinstance(facts.parent(call), gast.Expr):
            return None if isinstance(member, gast.Starred) else call
    return None


# Whether it may be done


def _not_alone(grown: _Grown, facts: Facts) -> Refusal | None:
    """Why something else may see the list."""
    name, scope = grown.name, facts.scopes.names[grown.target]
    if not isinstance(scope.node, (gast.Module, *DEFINITIONS)) or scope.lookup(name) is not scope or name in scope.shared:
        return Refusal(grown.statement, Code.OTHER_NAMES, f"{name} belongs to another scope too")
    if any(name in inner.uses and inner.lookup(name) is scope for inner in scope.below()):
        return Refusal(grown.statement, Code.OTHER_NAMES, f"{name} is also known to an inner function or a comprehension")
    if scope.is_read_as_a_whole or "f_locals" in facts.source.text:
        return Refusal(grown.statement, Code.OTHER_NAMES, "locals(), eval or the like may read any name here")
    if isinstance(scope.node, gast.Module) and (
        facts.mutation.module_is_open or not facts.callers.is_only_run or facts.source.is_named_beside or reads_the_script(facts)
    ):
        return Refusal(grown.statement, Code.OTHER_NAMES, f"{name} is a global name: others may read it")
    result = _result(grown, facts)
    assigned = [one for one in scope.bindings[name] if one is not grown.target and one is not result]
    read = [one for one in scope.uses.get(name, ()) if one is not grown.join.args[0] and one is not grown.append.func.value]
    if assigned or not all(result is not None and _is_given_by(one, result, facts) for one in read):
        return Refusal(grown.statement, Code.OTHER_NAMES, f"{name} is read or assigned elsewhere too")
    return None


def _is_given_by(use: gast.Name, result: gast.Name, facts: Facts) -> bool:
    """Is the array read there, and not the list?"""
    reaching = facts.flow.definitions(use)
    return reaching is not None and len(reaching) == 1 and reaching[0] is result


def _not_followed(grown: _Grown, facts: Facts) -> Refusal | None:
    """Why the loop or the text isn't of a form that can be changed."""
    if grown.loop.orelse or any(isinstance(one, _LEAVES) for one in walk_within(grown.loop)):
        return Refusal(grown.statement, Code.CONTROL_FLOW, f"the loop may be left before {grown.name} has all of its elements")
    if facts.mode(grown.loop) is Mode.GRAPH:
        return Refusal(grown.statement, Code.IN_GRAPH, "it runs while a graph is made")
    if "\n" in facts.source.text_of(grown.append):
        return Refusal(grown.append, Code.LAYOUT, f"what {grown.name} is appended spans several lines")
    return None


def _unknown(grown: _Grown, count: int | None, kind: Kind, facts: Facts) -> Refusal | None:
    shown = facts.edit.short(grown.member, f"what {grown.name} is appended")
    if kind.sort is not Sort.ARRAY:
        return Refusal(grown.append, Code.UNKNOWN_VALUE, f"{shown} is not known to be a NumPy array")
    if kind.dtype not in ITEM_BYTES or kind.dtype == "bfloat16":
        return Refusal(grown.append, Code.UNKNOWN_DTYPE, f"the dtype of {shown} is not known")
    if kind.size is None:
        return Refusal(grown.append, Code.UNKNOWN_SHAPE, f"the shape of {shown} is not known")
    if not count:
        reason = "how often the loop runs is not known, or whether it does at all"
        return Refusal(grown.statement, Code.UNKNOWN_COUNT, reason)
    return None


def _is_made_here(grown: _Grown, facts: Facts) -> bool:
    """Is each element a new array that nothing changes, or holds, once it is appended?"""
    member = grown.member
    if not isinstance(member, gast.Name):
        return _is_new(member, facts)
    reaching = facts.flow.definitions(member)
    if reaching is None or len(reaching) != 1:
        return False
    match facts.parent(reaching[0]):
        case gast.Assign(targets=[given], value=value) as statement if given is reaching[0] and facts.parent(statement) is grown.loop:
            if not _is_new(value, facts):
                return False
        case _:
            return False
    appended = facts.source.span(grown.append).start
    users = facts.flow.users(reaching[0])
    return users is not None and all(
        one is member or (facts.source.span(one).end < appended and not holds(one, facts) and _is_read(one)) for one in users
    )


def _is_read(use: gast.AST) -> bool:
    return isinstance(getattr(use, "ctx", None), gast.Load)


def _is_new(value: gast.AST, facts: Facts) -> bool:
    match value:
        case gast.Call(func=gast.Attribute(value=inner, attr="numpy"), args=[], keywords=[]):
            return facts.kind(inner).sort is Sort.TENSOR
    return is_fresh(value, facts)


# The text


def _result(grown: _Grown, facts: Facts) -> gast.Name | None:
    """The name that `x = np.stack(name)` gives to the array."""
    match facts.parent(grown.join):
        case gast.Assign(targets=[gast.Name() as result], value=value) if value is grown.join:
            return result
    return None


def _written(grown: _Grown, kind: Kind, count: int, total: int, facts: Facts) -> Outcome:
    result, scope = _result(grown, facts), facts.scopes.names[grown.target]
    if result is None and isinstance(scope.node, gast.Module):
        reason = f"{grown.name} is a global name, and would be an array in place of a list"
        return Refusal(grown.statement, Code.OTHER_NAMES, reason, f"Give the array the name: {grown.name} = np.stack({grown.name}).")
    asked = next((one.value for one in grown.join.keywords if one.arg == "dtype"), None)
    if asked is not None and (refusal := _why_not_of_dtype(asked, grown, kind, facts)) is not None:
        return refusal
    numpy = facts.numpy(grown.statement)
    if numpy is None:
        return not_imported(grown.statement, library="NumPy")
    name = grown.name
    if result is not None and result.id != name:
        if len(scope.bindings[result.id]) > 1 or _is_read_before(result, scope.uses.get(result.id, ()), facts):
            return Refusal(grown.statement, Code.NAME_TAKEN, f"{result.id} has another meaning before it is the array")
        if seen := _why_seen_before(result, grown, facts):
            return Refusal(grown.statement, Code.OTHER_NAMES, seen, f"Give the array the name of the list: {name} = np.stack({name}).")
        name = result.id
    source, edit = facts.source, facts.edit
    counted = _counted(grown, facts)
    if counted is None:
        return Refusal(grown.statement, Code.FORM, "the loop does not count its iterations, and its variable is assigned in it")
    index, header = counted
    dtype = source.text_of(asked) if asked is not None else f"{numpy[0]}.{_spelled(kind.dtype)}"
    sizes = ", ".join(str(size) for size in (count, *(kind.shape if isinstance(kind.shape, tuple) else ())))
    target, append, member = source.span(grown.target), source.span(grown.append), source.outer_span(grown.member, grown.append)
    made = edit.rebuild(grown.statement.value, [f"{numpy[0]}.empty(({sizes}), {dtype})"])
    stored = (Edit(append.start, member.start, f"{name}[{index}] = "), Edit(member.end, append.end))
    gone = edit.delete_statement(facts.scopes.statement(grown.join)) if result is not None else edit.rebuild(grown.join, [name])
    if gone is None:
        return Refusal(grown.join, Code.LAYOUT, f"the statement of {name} shares its line, or is all that its block has")
    reason = f"{name} is filled as its elements come: {2 * total / 1e6:,.0f} -> {total / 1e6:,.0f} MB, and no list beside it"
    named = () if name == grown.name else (Edit(target.start, target.end, name),)
    region = (grown.statement, _top(grown.join, facts.scopes.parents[grown.statement], facts))
    return Rewrite(grown.statement, (*numpy[1], *named, *made, *header, *stored, *gone), reason, region=region)


def _why_not_of_dtype(asked: gast.expr, grown: _Grown, kind: Kind, facts: Facts) -> Refusal | None:
    """Why the array can't be made of this dtype before the loop."""
    name = facts.names(asked) or ""
    written = isinstance(asked, gast.Constant) or name.startswith(("numpy.", "tensorflow.", "builtins."))
    dtype = facts.kind(grown.join).dtype
    if not written or dtype not in ITEM_BYTES:
        shown = facts.edit.short(asked, "the dtype")
        return Refusal(grown.join, Code.UNKNOWN_DTYPE, f"{shown} is not known to be the same dtype before the loop")
    if facts.called(grown.join) == "numpy.stack" and not _goes_into(kind.dtype or "", dtype):
        return Refusal(grown.join, Code.RAISES, f"np.stack makes no {dtype} of {kind.dtype}, and raises")
    return None


def _goes_into(dtype: str, other: str) -> bool:
    """Is a dtype cast to the other one where NumPy takes care of its kind?"""
    return dtype == other or (dtype in FLOATS and other in FLOATS) or (dtype in INTEGERS | {"bool"} and other in FLOATS)


def _spelled(dtype: str | None) -> str:
    return "bool_" if dtype == "bool" else str(dtype)


def _is_read_before(result: gast.Name, uses: object, facts: Facts) -> bool:
    start = facts.source.span(result).start
    return isinstance(uses, list) and any(facts.source.span(one).start < start for one in uses)


def _why_seen_before(result: gast.Name, grown: _Grown, facts: Facts) -> str:
    """Why something may meet the array under another name than the list's while it is not complete; empty where nothing does.

    Until it is, the name has no value, or still that of the last time.
    """
    scope = facts.scopes.names[result]
    if result.id in scope.shared or any(result.id in inner.uses and inner.lookup(result.id) is scope for inner in scope.below()):
        return f"{result.id} is also known to an inner function or a comprehension, which may read it before it is complete"
    inside: gast.AST = grown.statement
    for around in facts.scopes.ancestors(grown.statement):
        if isinstance(around, (*DEFINITIONS, gast.Module)):
            break
        if isinstance(around, gast.Try | gast.TryStar) or (
            isinstance(around, gast.With | gast.AsyncWith) and facts.flow.may_swallow(around)
        ):
            block = next((one for one in blocks(around) if any(each is inside for each in one)), [])
            held = {id(node) for one in block for node in gast.walk(one)}
            if not all(id(one) in held for one in scope.uses.get(result.id, ())):
                return f"an error in the loop may be caught, and {result.id} would not be complete where it is read then"
        inside = around
    return ""


def _counted(grown: _Grown, facts: Facts) -> tuple[str, tuple[Edit, ...]] | None:
    """What counts the iterations, and the edits that make it so."""
    loop = grown.loop
    given = {node.id for one in loop.body for node in (one, *walk_within(one)) if isinstance(node, gast.Name) and not _is_read(node)}
    called = facts.called(loop.iter)
    match loop.target, loop.iter:
        case gast.Name(id=index), gast.Call(args=[_], keywords=[]) if called == "builtins.range":
            return None if index in given else (index, ())
        case gast.Name(id=index), gast.Call(args=[start, _], keywords=[]) if called == "builtins.range" and facts.kind(start).value == 0:
            return None if index in given else (index, ())
        case gast.Tuple(elts=[gast.Name(id=index), _]), gast.Call(args=[_], keywords=[]) if called == "builtins.enumerate":
            return None if index in given else (index, ())
    index = unclaimed(("index", "place"), grown.target, facts)
    target, rows = facts.source.outer_span(loop.target, loop), facts.source.outer_span(loop.iter, loop)
    text = facts.source.text[target.start : target.end]
    bracketed = f"({text})" if isinstance(loop.target, gast.Tuple) and not text.startswith("(") else text
    return index, (
        Edit(target.start, target.end, f"{index}, {bracketed}"),
        Edit(rows.start, rows.start, "enumerate("),
        Edit(rows.end, rows.end, ")"),
    )
