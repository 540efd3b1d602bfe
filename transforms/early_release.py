"""Delete an eager intermediate after its last use.

Before:  y = tf.square(x)
         z = y * 2
         w = z + 1
After:   y = tf.square(x)
         z = y * 2
         del y
         w = z + 1

Why:     A local name keeps its tensor in memory until the function returns. With `x` of 4 MB three tensors are alive at
         the end before, and at most two at any time after: 12.0 and 8.0 MB.
Safety:  - **Later readers.** Not rewritten if anything may read the name later: a loop, a closure, `nonlocal`, `locals()`,
           `eval`, a debugger, or an expression in a string (`numexpr`, `DataFrame.query`).
         - **Assigned once.** Not rewritten if the name is assigned more than once, or elsewhere than in the function's own
           block: `if flag: y = x`.
         - **Graphs.** Refused in a graph, where `del` frees nothing: `y = square(x); z = y * 2; return z + 1` needs 4.0 MB
           with and without it.
         - **Tapes.** Not rewritten unless some call is known to run eagerly and under no `tf.GradientTape`, which keeps what it
           recorded: 12.0 MB with and without `del`.
         - **Shared memory.** Not rewritten if the tensor has another name, is stored somewhere, or shares its memory
           (`tf.reshape`, `tf.identity`, slices): nothing would be freed.
         - **No lower peak.** Not rewritten unless the function's peak falls, over all branches, by a tenth and, for known
           sizes, by 256 kB: not before `return z`, nor if an earlier statement has the peak.
         - **Unknown sizes.** Refused if nobody says how large `x` is: a thousand numbers are noise. Not rewritten if sizes
           can't be compared, as that of `unknown_function(x)`.
         - **Shared line.** Not rewritten if the last statement that reads the name shares its line: `z = y * 2; print(z)`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import gast

from tfrewrite.analyses.held_memory import Buffer, Memory, Meter, Moment, joins, may_share, total
from tfrewrite.analyses.name_readers import SEE_CALLERS, shows_names
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.scopes import walk_within
from tfrewrite.kinds import Sort
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, transform

_SEES_ALL = {"builtins.locals", "builtins.vars", "builtins.eval", "builtins.exec", "builtins.dir", "builtins.breakpoint"}
_SEES_CALLERS = SEE_CALLERS | {"evaluate"}
_READERS = {"builtins.print", "builtins.float", "builtins.int", "builtins.len", "builtins.str", "builtins.repr", "builtins.bool"}
_LEAST_BYTES = 2**18
_LEAST_SHARE = 0.1  # of the peak
_TOLERANCE = 0.05  # of the peak: how much of the gain is given away for fewer dels


@dataclass(frozen=True)
class _Life:
    """A name that alone holds a tensor, up to the last statement of the function's block that reads it."""

    name: str
    buffer: Buffer
    last: int


@transform(gast.FunctionDef, fidelity=Fidelity.BITWISE, mentions=("tensorflow",))
def early_release(function: gast.FunctionDef, facts: Facts) -> Outcome:
    if (useless := _ends_in_a_graph(function, facts)) is not None:
        reason = "in a graph del frees nothing: the name is gone before the graph runs, which frees each tensor after its last use anyway"
        return Refusal(
            useless, Code.IN_GRAPH, reason, "It does no harm. To need less memory there, compute less at once: tfrewrite explain del."
        )
    if sum(isinstance(statement, gast.Assign | gast.AnnAssign) for statement in function.body) < 2:
        return None
    if facts.mode(function.body[0]) is not Mode.EAGER or facts.taped(function.body[0]) or not _keeps_names_to_itself(function, facts):
        return None
    meter = Meter(function, facts)
    helpful = _helpful(_lives(function, meter, facts), meter.moments)
    edits: list[Edit] = []
    for last in sorted({life.last for life in helpful}):
        ended = ", ".join(life.name for life in helpful if life.last == last)
        edit = facts.edit.insert_after(function.body[last], f"del {ended}")
        if edit is None:
            return None
        edits.append(edit)
    if not edits:
        return None
    names = [life.name for life in helpful]
    shown = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    owns = "are not needed" if len(names) > 1 else "is not needed"
    found = Rewrite(function, tuple(edits), f"{shown} {owns} while what comes after is computed", region=(function,))
    if _is_in_numbers(_bound([], meter.moments)):
        return found
    reason = f"how much memory {shown} {'take' if len(names) > 1 else 'takes'} is not known, and less than {_LEAST_BYTES // 1024} kB counts for nothing"
    doubt = Refusal(function, Code.UNKNOWN_SHAPE, reason, "--verify sees how large they are in a run.")
    return replace(found, evidence=Evidence.UNPROVEN, doubt=doubt)


def _ends_in_a_graph(function: gast.FunctionDef, facts: Facts) -> gast.Delete | None:
    """The first `del` of a name that somebody wrote in a function that is always traced."""
    if not facts.nodes((gast.Delete,)):
        return None
    for node in walk_within(function):
        if isinstance(node, gast.Delete) and all(isinstance(one, gast.Name) for one in node.targets):
            return node if facts.mode(node) is Mode.GRAPH else None
    return None


def _keeps_names_to_itself(function: gast.FunctionDef, facts: Facts) -> bool:
    """Can nothing but the text of the function see its names?"""
    if shows_names(facts):
        return False  # another function may look at this one's names
    for node in walk_within(function):
        match node:
            case gast.Yield() | gast.YieldFrom() | gast.Await() | gast.Global() | gast.Nonlocal():
                return False
            case gast.Call(func=func) if (
                facts.called(node) in _SEES_ALL or (getattr(func, "attr", None) or getattr(func, "id", "")) in _SEES_CALLERS
            ):
                return False
    return True


# The names


def _lives(function: gast.FunctionDef, meter: Meter, facts: Facts) -> list[_Life]:
    """The names that are given once, by a statement of the function's own block, to a tensor with memory of its own."""
    scope = facts.scopes.of[function]
    live = facts.liveness(function)
    inner = {name for child in scope.below() for name in (*child.uses, *child.bindings)}
    found = []
    for place, statement in enumerate(function.body):
        match statement:
            case (
                gast.Assign(targets=[gast.Name(id=name) as target], value=value)
                | gast.AnnAssign(target=gast.Name(id=name) as target, value=value)
            ):
                alone = scope.bindings[name] == [target] and name not in inner and name not in scope.shared
                if (
                    not alone
                    or value is None
                    or name not in meter.names
                    or facts.kind(target).sort is not Sort.TENSOR
                    or not _owns_memory(value, facts)
                ):
                    continue
                uses = scope.uses.get(name, [])
                if uses and all(_only_computes(use, facts) for use in uses):
                    last = max((index for index, one in enumerate(function.body) if name in live.before(one)), default=None)
                    if last is not None and last > place:
                        found.append(_Life(name, meter.names[name], last))
    return found


def _owns_memory(value: gast.AST, facts: Facts) -> bool:
    match value:
        case gast.BinOp() | gast.UnaryOp(op=gast.USub()) | gast.Compare():
            return True
        case gast.Call():
            return not may_share(value, facts)
    return False


def _only_computes(use: gast.AST, facts: Facts) -> bool:
    """Is the tensor only read here: not given another name, put into something, or handed to what may keep it?"""
    parent = facts.parent(use)
    match parent:
        case gast.BinOp() | gast.UnaryOp() | gast.Compare() | gast.AugAssign() | gast.FormattedValue():
            return True
        case gast.Attribute(attr="shape" | "dtype"):
            return True
        case gast.Attribute(attr="numpy"):
            return isinstance(facts.parent(parent), gast.Call)
        case gast.Subscript(value=value) if value is use:
            return _only_computes(parent, facts)
        case gast.keyword():
            return _only_computes(parent, facts)
        case gast.List() | gast.Tuple():
            return joins(facts.parent(parent), facts)
        case gast.Call() if facts.called(parent) in _READERS:
            return True
        case gast.Call() if (facts.called(parent) or "").startswith("tensorflow."):
            return not may_share(parent, facts) or _only_computes(parent, facts)
    return False


# The choice


def _helpful(lives: list[_Life], moments: list[Moment]) -> list[_Life]:
    """The names whose release lowers the peak, as few as bring most of it."""
    before, lowest = _bound([], moments), _bound(lives, moments)
    if not lives or not _is_reached(before, moments) or not _worth(before, lowest):
        return []
    most = sum(lowest.values()) + _TOLERANCE * sum(before.values())
    chosen = list(lives)
    for life in reversed(lives):
        without = [one for one in chosen if one is not life]
        if sum(_bound(without, moments).values()) <= most:
            chosen = without
    return sorted(chosen, key=lambda life: life.last) if _worth(before, _bound(chosen, moments)) else []


def _worth(before: Memory, after: Memory) -> bool:
    gain = sum(before.values()) - sum(after.values())
    return gain >= _LEAST_SHARE * sum(before.values()) and (not _is_in_numbers(before) or gain >= _LEAST_BYTES)


def _is_in_numbers(memory: Memory) -> bool:
    """Else it is in sizes that have names."""
    return set(memory) <= {("bytes",), ("elements",)}


def _bound(released: list[_Life], moments: list[Moment]) -> Memory:
    """What is never exceeded: the most of each unit that is held at any moment."""
    gone = {life.buffer: life.last for life in released}
    most = Memory()
    for moment in moments:
        most |= total(one for one in moment.held if moment.statement <= gone.get(one, moment.statement))
    return most


def _is_reached(bound: Memory, moments: list[Moment]) -> bool:
    """Is there a moment that holds all of that? Else sizes that can't be compared decide where the peak is."""
    return any(total(moment.held) == bound for moment in moments)
