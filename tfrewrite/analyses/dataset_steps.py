"""What the methods of a data set that follow each other hold, and how two of them change places."""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts, Kind, Sort
from tfrewrite.kinds import ITEM_BYTES
from tfrewrite.outcomes import Edit
from tfrewrite.source import Span


def element_bytes(kind: Kind | None) -> int | None:
    """What an element takes, where that is known."""
    match kind:
        case Kind(sort=Sort.TUPLE, items=tuple() as items):
            parts = [element_bytes(one) for one in items]
            known = [one for one in parts if one is not None]
            return sum(known) if len(known) == len(parts) else None
        case Kind(sort=Sort.TENSOR) if kind.size is not None and kind.dtype in ITEM_BYTES:
            return kind.size * ITEM_BYTES[kind.dtype]
    return None


def sets_order(facts: Facts) -> bool:
    """Does the file say of any dataset that its order may vary?"""
    return any(getattr(one, "attr", "").endswith("deterministic") for one in facts.scopes.attribute_stores)


def exchanged(first: gast.Call, second: gast.Call, facts: Facts) -> tuple[Edit, ...] | None:
    """The edits that let the second of two methods come first; None where a comment stands between them."""
    before, after = _segment(first, facts), _segment(second, facts)
    text = facts.source.text
    if "#" in text[before.start : after.end]:
        return None
    moved = Edit(before.start, before.end, text[after.start : after.end])
    return moved, Edit(after.start, after.end, text[before.start : before.end])


def _segment(call: gast.Call, facts: Facts) -> Span:
    """The dot, the name and the arguments of a method's call, with what stands before the dot."""
    source = facts.source
    text = source.text
    start = text.rindex(".", 0, source.span(call.func).end)
    while text[start - 1].isspace() or text[start - 1] == "\\":
        start -= 1
    return Span(start, source.span(call).end)
