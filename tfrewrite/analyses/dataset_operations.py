"""What depends on the operations that a dataset is made of: order, iterators in checkpoints, memory; and how two change places."""

from __future__ import annotations

from dataclasses import dataclass

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Kind, Sort
from tfrewrite.kinds import ITEM_BYTES
from tfrewrite.outcomes import Edit, Refusal, Rewrite, Setup, Worth
from tfrewrite.source import Span

_MOST, _FEW = 2**62, 16
_LEAST_GROWTH = 64
"""Bytes of an element. A buffer of a few numbers more is none of anybody's concern."""
_SHOW = {f"builtins.{name}" for name in ("print", "str", "repr", "type", "isinstance", "format")}
_WRITES = frozenset({"format", "debug", "info", "warning", "error", "critical", "log", "write", "writelines", "print", "pprint", "pp"})
"""Methods of texts, loggers, files and printers that write what they are given."""
_OF_MODELS = frozenset({"fit", "evaluate", "predict", "adapt"})
_BETWEEN = frozenset({"batch", "padded_batch", "ragged_batch", "map", "filter", "window", "enumerate", "flat_map", "interleave", "unbatch"})
"""What stays between the two when the dataset's graph is optimized: `take(-1)`, `skip(0)` and `prefetch(0)` do not."""


def why_next_to_repeat(end: gast.Call, facts: Facts) -> str:
    """Why a `repeat` may follow a dataset's last method directly; nothing where it is known that none does.

    `shuffle(n, seed=1).repeat(2)` becomes one operation, whose second epoch has another order than that of `shuffle` alone.
    """
    while True:
        method = facts.parent(end)
        call = facts.parent(method) if isinstance(method, gast.Attribute) else None
        if not isinstance(method, gast.Attribute) or not isinstance(call, gast.Call) or call.func is not method:
            break
        if method.attr in _BETWEEN:
            return ""
        if method.attr == "repeat":
            return "with the repeat behind it TensorFlow makes one operation of the shuffle, which orders later epochs otherwise"
        end = call
    repeats = any(isinstance(one, gast.Attribute) and one.attr in ("repeat", "apply") for one in facts.nodes((gast.Attribute,)))
    if repeats or not facts.callers.is_script:
        return "a repeat may follow it elsewhere, and TensorFlow makes one operation of the two, which orders later epochs otherwise"
    return ""


def saves_iterators(facts: Facts) -> bool:
    """May the file save an iterator in a checkpoint, with the state of each operation?"""
    nodes = facts.nodes((gast.Name, gast.Attribute))
    named = {facts.names(one) or "" for one in nodes}
    iterates = "builtins.iter" in named or any(getattr(one, "attr", "") == "__iter__" for one in nodes)
    return iterates and any(one.startswith("tensorflow.train.Checkpoint") for one in named)


def kept_in_files(facts: Facts) -> gast.AST | None:
    """Where files may keep a dataset as the operations that it is made of: in a saved module that holds it, or as the name of a snapshot."""
    nodes = [(one, facts.names(one) or getattr(one, "attr", "")) for one in facts.nodes((gast.Attribute, gast.Name))]
    snapshot = next((one for one, name in nodes if name in ("snapshot", "tensorflow.data.experimental.snapshot")), None)
    saved = next((one for one, name in nodes if name == "tensorflow.saved_model.save"), None)
    if snapshot is None and saved is not None and any(_may_be_captured(one, facts) for one, _ in nodes):
        return saved
    return snapshot


def _may_be_captured(node: gast.AST, facts: Facts) -> bool:
    """Is it a dataset that a function of a module reads, or that an object may hold?"""
    if facts.kind(node).sort is not Sort.DATASET or not isinstance(getattr(node, "ctx", None), gast.Load):
        return False
    parent = facts.parent(node)
    match parent:
        case gast.Assign(targets=targets) if not all(isinstance(one, gast.Name) for one in targets):
            return True
        case gast.Tuple() | gast.List() | gast.Dict() | gast.Return():
            return True
    call = facts.parent(parent) if isinstance(parent, gast.keyword) else parent
    if isinstance(call, gast.Call) and call.func is not node:
        taking = facts.function_called(call)
        known = (facts.called(call) or "").startswith(("tensorflow.", "builtins.")) or getattr(call.func, "attr", "") in _OF_MODELS
        if not known and (taking is None or not _is_plain(taking, facts)):
            return True
    function = facts.scopes.function_of(node)
    own = isinstance(node, gast.Name) and function is not None and facts.scopes.names[node].lookup(node.id) is facts.scopes.of[function]
    return function is not None and not (own and _is_plain(function, facts))


def _is_plain(function: gast.AST, facts: Facts) -> bool:
    """Is it a function that nothing traces, and no method?"""
    return isinstance(function, gast.FunctionDef) and not function.decorator_list and facts.scopes.class_of(function) is None


def held_later(cache: gast.Call, facts: Facts) -> int:
    """At most so many elements as the cache gives are held by what may follow: by `shuffle` and `prefetch`, or in a list.

    Not by a `shuffle` that follows directly and can go to where the elements are small.
    """
    each = facts.kind(cache).each
    found = 0
    for call in (one for one in facts.nodes((gast.Call,)) if isinstance(one, gast.Call)):
        given = call.func.value if isinstance(call.func, gast.Attribute) and call.func.attr in ("shuffle", "prefetch") else None
        if given is None and facts.called(call) in ("builtins.list", "builtins.tuple", "builtins.sorted") and call.args:
            found = _MOST if _holds_elements(call.args[0], each, facts) else found
        elif given is not None and _holds_elements(given, each, facts):
            if given is cache and call.func.attr == "shuffle" and not why_next_to_repeat(call, facts):
                continue
            size = (facts.arguments(call) or {}).get("buffer_size", call.args[0] if call.args else None)
            room = facts.kind(size).value if size is not None else None
            automatic = size is not None and (facts.names(size) or "").endswith("AUTOTUNE")
            found = max(found, _FEW if automatic else room if type(room) is int else _MOST)
    return found


def _holds_elements(data: gast.AST, each: Kind | None, facts: Facts) -> bool:
    kind = facts.kind(data)
    return kind.sort is Sort.DATASET and element_bytes(kind.each) == element_bytes(each)


def shown_somewhere(facts: Facts) -> gast.AST | None:
    """Where the file shows what a dataset is, or asks for its class: `print(data)`, `data.__class__`."""
    for node in facts.nodes((gast.Call, gast.FormattedValue, gast.Attribute, gast.BinOp)):
        if any(facts.kind(part).sort is Sort.DATASET for one in _shown(node, facts) for part in _parts(one)):
            return node
    return None


def _shown(node: gast.AST, facts: Facts) -> list[gast.expr]:
    match node:
        case gast.Call(func=function, args=given, keywords=more):
            method = getattr(function, "attr", None)
            return [*given, *(one.value for one in more)] if facts.called(node) in _SHOW or method in _WRITES else []
        case gast.FormattedValue(value=value) | gast.BinOp(op=gast.Mod(), right=value):
            return [value]
        case gast.Attribute(value=value, attr=attr) if attr.startswith("_"):
            return [value]
    return []


def _parts(node: gast.expr) -> list[gast.expr]:
    """An expression, and what a list, a tuple or a dict is made of."""
    members = node.values if isinstance(node, gast.Dict) else getattr(node, "elts", ())
    return [node, *(part for one in members for part in _parts(one))]


# Two methods that change places


@dataclass(frozen=True)
class Mapped:
    """`source.map(function)`, before a method that could come first; `before` and `after` it an element takes so many bytes."""

    call: gast.Call
    source: gast.expr
    function: gast.AST
    shown: str
    before: int
    after: int

    @property
    def growth(self) -> int:
        return self.after - self.before

    def less(self, saves: int | None) -> str:
        """What is saved, in words: where the whole isn't known, of one element."""
        return f"{saves / 1e6:,.0f} MB less" if saves is not None else f"{self.before:,} bytes for each in place of {self.after:,}"


def mapped_before(end: gast.Call, call: gast.AST | None, facts: Facts) -> Mapped | Refusal | None:
    """What a call maps over a dataset, if elements take more after it and come in the same order; `end` could come before it."""
    match call:
        case gast.Call(func=gast.Attribute(value=source, attr="map")) if facts.kind(source).sort is Sort.DATASET:
            pass
        case _:
            return None
    given = facts.arguments(call) or {}
    function = given.get("map_func")
    if function is None:
        return Refusal(end, Code.FORM, "what is mapped over the dataset is not known")
    shown = facts.edit.short(function, "the function")
    before, after = element_bytes(facts.kind(source).each), element_bytes(facts.kind(call).each)
    if before is None or after is None:
        return Refusal(end, Code.UNKNOWN_SHAPE, f"how large elements are before and after {shown} is not known")
    if after - before < _LEAST_GROWTH:
        return Refusal(end, Code.NO_GAIN, f"elements take {before:,} bytes before {shown}, and {after:,} after it")
    if "deterministic" in given or sets_order(facts):
        return Refusal(end, Code.RANDOM, "the order in which elements are mapped is not the same in every run")
    return Mapped(call, source, function, shown, before, after)


def why_same_kind_is_needed(end: gast.Call, facts: Facts) -> Refusal | None:
    """Why a dataset that ends with this call has to end with the same method as before."""
    if facts.once(shown_somewhere) is not None:
        return Refusal(end, Code.EFFECTS, "the file shows what a dataset is called, and it would be another kind of dataset")
    if facts.once(saves_iterators):
        return Refusal(end, Code.EFFECTS, "a checkpoint may hold an iterator, whose state would be another one")
    return None


def put_first(end: gast.Call, mapped: Mapped, saves: int | None, what: str, facts: Facts) -> Rewrite | Refusal:
    """The method before what is mapped; `what` is what saves so many bytes."""
    edits = exchanged(mapped.call, end, facts)
    if edits is None:
        return Refusal(end, Code.TEXT_LOST, "the comment between the two would come to stand beside the other one")
    return Rewrite(
        end, edits, f"{what} elements as they are before {mapped.shown}: {mapped.less(saves)}", worth=worth_of(saves), later=True
    )


def worth_of(saves: int | None) -> Worth | None:
    return None if saves is None else Worth(Setup.NOTHING, saves)


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
    before, after = segment(first, facts), segment(second, facts)
    text = facts.source.text
    if "#" in text[before.start : after.end]:
        return None
    moved = Edit(before.start, before.end, text[after.start : after.end])
    return moved, Edit(after.start, after.end, text[before.start : before.end])


def segment(call: gast.Call, facts: Facts) -> Span:
    """The dot, the name and the arguments of a method's call, with what stands before the dot."""
    source = facts.source
    text = source.text
    start = text.rindex(".", 0, source.span(call.func).end)
    while text[start - 1].isspace() or text[start - 1] == "\\":
        start -= 1
    return Span(start, source.span(call).end)
