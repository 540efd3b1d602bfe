"""Add tensors up for their mean instead of copying all of them into one first.

Before:  for gradient, _ in towers:
             gradients.append(tf.expand_dims(gradient, 0))
         mean = tf.reduce_mean(tf.concat(gradients, 0), 0)
After:   for gradient, _ in towers:
             gradients.append(gradient)
         mean = tf.add_n(gradients) / len(gradients)

Also:    `tf.reduce_mean(tf.stack([a, b, c]), axis=0)` becomes `tf.add_n([a, b, c]) / 3`.

Why:     Every member is copied, with an axis more where `tf.concat` joins them, and all of them once more into one. For four of 6 MB:
         30 -> 12 MB eagerly, and 30 -> 6 MB in a graph. The mean differs by rounding.
Safety:  - **Integers.** Refused unless the members are known to be tensors of `tf.float32` or `tf.float64`: the mean of integers is
           an integer, and `tf.add_n(x) / n` isn't. What comes of an argument, `--verify` tries.
         - **Half floats.** Refused for `tf.float16` and `tf.bfloat16`: the sum may overflow where the mean doesn't.
         - **Other axes.** Refused unless the mean is that along the first axis, and nothing else: `axis=1`, `keepdims=True`.
         - **Other members.** Refused if a member has not the new axis: `gradients.append(g[:1])` before `tf.concat`.
         - **Other uses.** Refused if the list or what is made of it is read elsewhere: `print(len(gradients))`.
         - **Few or small ones.** Refused for a single member, `[a]`, or if less than 1 MB is known to be saved.
         - **XLA.** Refused under `jit_compile=True`: XLA does not build the large tensor.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from tfrewrite.analyses.appended_lists import collected
from tfrewrite.codes import Code
from tfrewrite.edits import PRODUCT
from tfrewrite.facts import Facts
from tfrewrite.kinds import ITEM_BYTES, Kind
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, transform
from tfrewrite.worth import NOISE

_JOINS = ("tensorflow.concat", "tensorflow.stack")
_DTYPES = {"float32", "float64"}
_FEW = 4
"""Members that a list is taken to have, whose number isn't known."""


@transform(gast.Call, fidelity=Fidelity.ROUNDING, mentions=("reduce_mean",))
def mean_of_gradients(mean: gast.Call, facts: Facts) -> Outcome:
    given = facts.arguments(mean) or {}
    if facts.called(mean) != "tensorflow.reduce_mean" or "x" not in given:
        return None
    joined = facts.behind(given["x"], *_JOINS)
    if not isinstance(joined, gast.Call) or facts.called(joined) not in _JOINS:
        return None
    parts = facts.arguments(joined) or {}
    axis = facts.kind(parts["axis"]).value if "axis" in parts else 0
    if "values" not in parts or axis != 0 or not set(parts) <= {"values", "axis", "name"}:
        return None
    is_stack = facts.called(joined) == "tensorflow.stack"
    members = _members(parts["values"], is_stack, facts)
    if members is None or isinstance(members, Refusal):
        return members
    if not set(given) <= {"x", "axis", "name"} or "axis" not in given or facts.kind(given["axis"]).value != 0:
        return Refusal(mean, Code.FORM, "only the mean along the first axis, and of nothing else, is that of the members")
    plain = members if is_stack else _without_axes(members, facts)
    if plain is None:
        return Refusal(mean, Code.FORM, "not every member is known to have the new axis alone, as tf.expand_dims(x, 0) gives it")
    counted = not isinstance(parts["values"], gast.Name)
    if (refusal := _problem(mean, plain, len(plain) if counted else _FEW, facts)) is not None:
        return refusal
    return _added(mean, given["x"], parts["values"], members, plain, facts)


def _members(values: gast.expr, is_stack: bool, facts: Facts) -> tuple[gast.expr, ...] | Refusal | None:
    """What is joined: the members of a list that stands there, or those that a list is appended."""
    match values:
        case gast.List(elts=elements) if len(elements) > 1 and not any(isinstance(one, gast.Starred) for one in elements):
            return tuple(elements)
        case gast.Name() if not is_stack:
            target = next(iter(facts.flow.definitions(values) or ()), None)
            assignment = facts.parent(target) if isinstance(target, gast.Name) else None
            if not isinstance(target, gast.Name) or not isinstance(assignment, gast.Assign) or assignment.targets != [target]:
                return None
            if not isinstance(assignment.value, gast.List) or assignment.value.elts:
                return None
            grown = collected(target, assignment.value, facts)
            if isinstance(grown, Refusal):
                return grown if _are_expanded(values, facts) else None
            if not grown.appends:
                return None
            if list(grown.reads) != [values]:
                return Refusal(values, Code.OTHER_NAMES, f"{values.id} is read elsewhere too")
            return grown.members
    return None


def _are_expanded(values: gast.Name, facts: Facts) -> bool:
    """Does the file look as if members were given an axis, so that a refusal is of interest?"""
    return any(facts.called(one) == "tensorflow.expand_dims" for one in facts.nodes((gast.Call,)))


def _without_axes(members: Sequence[gast.expr], facts: Facts) -> tuple[gast.expr, ...] | None:
    """Of `tf.expand_dims(x, 0)` each, the `x`."""
    found = []
    for one in members:
        call = facts.behind(one, "tensorflow.expand_dims")
        given = (facts.arguments(call) or {}) if isinstance(call, gast.Call) else {}
        if not isinstance(call, gast.Call) or facts.called(call) != "tensorflow.expand_dims" or set(given) != {"x", "axis"}:
            return None
        if facts.kind(given["axis"]).value != 0:
            return None
        found.append(given["x"])
    return tuple(found)


def _problem(mean: gast.Call, members: Sequence[gast.expr], count: int, facts: Facts) -> Refusal | None:
    for one in members:
        kind = facts.kind(one)
        if kind.dtype is not None and kind.dtype not in _DTYPES:
            reason = f"{facts.edit.short(one, 'a member')} is of {kind.dtype}, whose sum is another dtype than the mean, or may overflow"
            return Refusal(mean, Code.OTHER_DTYPE, reason)
    sizes = [_bytes(facts.kind(one)) for one in members]
    largest = max((one for one in sizes if one is not None), default=None)
    if largest is not None and None not in sizes and largest * count < NOISE:
        return Refusal(mean, Code.TOO_SMALL, "the members are small: less than 1 MB counts for nothing")
    if facts.contexts.compiled_by_xla(mean):
        return Refusal(mean, Code.NO_GAIN, "XLA doesn't build the large tensor")
    return None


def _bytes(kind: Kind) -> int | None:
    return None if kind.size is None or kind.dtype is None else kind.size * ITEM_BYTES[kind.dtype]


def _added(
    mean: gast.Call, joined: gast.expr, values: gast.expr, members: Sequence[gast.expr], plain: Sequence[gast.expr], facts: Facts
) -> Outcome:
    tensorflow = facts.tensorflow(mean)
    if tensorflow is None or facts.is_bound("len", mean):
        return Refusal(mean, Code.NAME_TAKEN, "tensorflow or len is not known by its name here", "Write `import tensorflow as tf`.")
    gone = [joined, *(one for one, inner in zip(members, plain, strict=True) if one is not inner)]
    removals = [facts.removal(one) for one in gone]
    if any(one is None for one in removals):
        return facts.obstacle(mean, *gone)
    edits: list[Edit] = [edit for one in removals for edit in one or ()]
    if isinstance(values, gast.Name):
        for one, inner in zip(members, plain, strict=True):
            edits += facts.edit.rebuild(one, [(inner, 1)])
        text: list[str | tuple[gast.AST, int]] = [f"{tensorflow}.add_n(", (values, 1), f") / len({values.id})"]
    else:
        separated = [part for one in plain for part in (", ", (one, 1))][1:]
        text = [f"{tensorflow}.add_n([", *separated, f"]) / {len(plain)}"]
    edits += facts.edit.rebuild(mean, text, PRODUCT)
    unknown = next((one for one in plain if not facts.kind(one).is_tensor or facts.kind(one).dtype is None), None)
    doubt = None
    if unknown is not None:
        shown = facts.edit.short(unknown, "a member")
        doubt = Refusal(mean, Code.UNKNOWN_DTYPE, f"{shown} is not known to be a tensor of floats, and the mean of integers is an integer")
    evidence = Evidence.PROVEN if doubt is None else Evidence.UNPROVEN
    region = tuple(node for one in gone for node in facts.moved(one))
    return Rewrite(
        mean, tuple(edits), "the tensors are added up, and not copied into one before", Fidelity.ROUNDING, evidence, doubt, region=region
    )
