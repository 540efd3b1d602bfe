"""Replace a persistent tape that computes gradients once by an ordinary one.

Before:  with tf.GradientTape(persistent=True) as tape:
After:   with tf.GradientTape() as tape:

Also:    `dw = tape.gradient(loss, w)` and `db = tape.gradient(loss, b)` become `dw, db = tape.gradient(loss, [w, b])`.

Why:     An ordinary tape frees what it recorded while it computes the gradient. A persistent one keeps all of it (eight
         layers: 17.2 -> 15.7 MB), and also records the gradient's own computation if `gradient` is called inside of its
         block (31.9 -> 15.7 MB).
Safety:  - **Several calls.** Refused unless the text holds one `tape.gradient`, or adjacent ones for the same target and
           one variable or tensor each: an ordinary tape raises at the second call.
         - **Loops.** Refused if a loop asks more often than it opens the tape: `if step == 0: with ...`, or a `continue`
           before the `with`.
         - **Other users.** Refused if the tape or its `gradient` is passed on, stored on an object, opened again
           (`with tape:`), or known to another function; also if `locals()` may read it.
         - **Other methods.** Refused for `jacobian`, `batch_jacobian`, `reset` and `stop_recording`.
         - **Several tapes of one name.** Refused if two tapes may arrive at one `tape.gradient`.
         - **After the gradient.** Refused if `tape.watch` follows it, which raises on an ordinary tape, or
           `watched_variables()`, which no longer sees later reads.
         - **Swallowed errors.** Refused under a `with` block that may skip the tape's block, as `contextlib.suppress`.
         - **Custom gradients.** Two calls are not joined in a file with `tf.custom_gradient`, which may print.
         - **Graphs.** Refused in a `tf.function` and in a `train_step` that Keras compiles: nothing is gained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.scopes import COMPREHENSIONS, FUNCTIONS, LOOPS, block_of
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, transform

# What Keras calls from the graphs that it makes itself.
_STEPS = {"train_step", "test_step", "predict_step"}


# Gradients that are functions of the file's own, which would run once instead of each time: they may print or count.
_OWN_GRADIENTS = ("custom_gradient", "recompute_grad", "py_function", "numpy_function")


@transform(gast.With, fidelity=Fidelity.BITWISE, mentions=("persistent",))
def persistent_tape(block: gast.With, facts: Facts) -> Outcome:
    refusal: Refusal | None = None
    for item in block.items:
        call = item.context_expr
        if facts.called(call) == "tensorflow.GradientTape" and (setting := _persistent(call)) is not None:
            outcome = _plain(block, call, setting, item.optional_vars, facts)
            if isinstance(outcome, Rewrite):
                return outcome
            refusal = refusal or outcome
    return refusal


def _persistent(call: gast.Call) -> gast.AST | None:
    settings: list[gast.AST] = [
        keyword
        for keyword in call.keywords
        if keyword.arg == "persistent" and isinstance(keyword.value, gast.Constant) and keyword.value.value is True
    ]
    return settings[0] if settings else None


def _plain(block: gast.With, call: gast.Call, setting: gast.AST, tape: gast.AST | None, facts: Facts) -> Refusal | Rewrite | None:
    if tape is None:
        return None
    if not isinstance(tape, gast.Name):
        return Refusal(call, Code.OTHER_NAMES, "the tape is stored where others may use it again")
    uses = _uses(tape, facts)
    if isinstance(uses, Refusal):
        return uses.at(call)
    questions = []
    for use in uses:
        match facts.parent(use), facts.parent(facts.parent(use) or use):
            case gast.Attribute(attr="gradient"), gast.Call(func=func) as question if func is facts.parent(use):
                questions.append(question)
            case gast.Attribute(attr="watch" | "watched_variables"), gast.Call():
                pass
            case gast.Attribute(attr=attr), _:
                return Refusal(call, Code.GRADIENTS, f"{tape.id}.{attr} may need a persistent tape")
            case _:
                return Refusal(call, Code.OTHER_NAMES, f"{tape.id} is passed on, and may be used again elsewhere")
    if not questions:
        return None
    together = _together(questions, facts)
    if together is None:
        return Refusal(
            call,
            Code.GRADIENTS,
            f"{tape.id} computes {len(questions)} gradients, and an ordinary tape computes one",
            f"Where the target is the same, compute all gradients in one call: a_gradient, b_gradient = {tape.id}.gradient(loss, [a, b]).",
        )
    if _repeated(questions[0], block, facts):
        return Refusal(
            call,
            Code.GRADIENTS,
            f"{tape.id} may compute a gradient more often than it is opened, in a loop",
            "Open the tape in the same iteration.",
        )
    if late := next((method for use in uses if (method := _watches_after(use, questions[0], facts))), None):
        return Refusal(call, Code.GRADIENTS, f"{tape.id}.{late} follows the gradient, and an ordinary tape is gone by then")
    if facts.mode(block) is Mode.GRAPH:
        return Refusal(call, Code.IN_GRAPH, "in a graph a persistent tape costs nothing: the graph keeps what it needs either way")
    if _step_of_keras(block, facts):
        return Refusal(call, Code.IN_GRAPH, "Keras runs this method in a graph, where a persistent tape costs nothing")
    if facts.source.comments_in(facts.source.span(call)):
        return Refusal(call, Code.TEXT_LOST, "a comment is beside the setting", "Move the comment out of the call.")
    once = "once for all" if len(questions) > 1 else "once"
    edits = (facts.edit.remove_argument(call, setting), *together)
    return Rewrite(call, edits, f"{tape.id} is used {once}, and need not keep what it recorded", region=(block, *questions))


def _together(questions: Sequence[gast.Call], facts: Facts) -> tuple[Edit, ...] | None:
    """The edits that make one question of several; none for a single one, None where they don't go together."""
    if len(questions) == 1:
        return ()
    first, *others = (_simple_question(question, facts) for question in questions)
    if first is None or any(word in facts.source.text for word in _OWN_GRADIENTS):
        return None
    edits: list[Edit] = []
    names, sources = [first.name.id], [facts.source.text_of(first.source)]
    for position, other in enumerate(others, 1):
        if (
            other is None
            or not facts.same_object(first.target, other.target)
            or not _follows(first.statement, other.statement, position, facts)
        ):
            return None
        removal = facts.edit.delete_statement(other.statement)
        if removal is None:
            return None
        edits += removal
        names.append(other.name.id)
        sources.append(facts.source.text_of(other.source))
    read = {node.id for question in questions for node in gast.walk(question) if isinstance(node, gast.Name)}
    if len(set(names)) < len(names) or read & set(names):
        return None
    name, source = facts.source.span(first.name), facts.edit.outer_span(first.source)
    more_names, more_sources = (", ".join(["", *texts[1:]]) for texts in (names, sources))
    return (
        Edit(name.end, name.end, more_names),
        Edit(source.start, source.start, "["),
        Edit(source.end, source.end, f"{more_sources}]"),
        *edits,
    )


@dataclass(frozen=True)
class _Question:
    """`name = tape.gradient(target, source)`"""

    statement: gast.Assign
    name: gast.Name
    target: gast.Name
    source: gast.expr


def _simple_question(question: gast.Call, facts: Facts) -> _Question | None:
    match facts.parent(question), question:
        case gast.Assign(targets=[gast.Name() as name]) as statement, gast.Call(args=[gast.Name() as target, source], keywords=[]):
            if facts.kind(source).is_tensor and isinstance(source, gast.Name | gast.Attribute):
                return _Question(statement, name, target, source)
    return None


def _follows(first: gast.stmt, statement: gast.stmt, position: int, facts: Facts) -> bool:
    """Is a statement the one that many places behind the first, in the same list?"""
    home = facts.parent(first)
    if home is None or facts.parent(statement) is not home:
        return False
    siblings = block_of(first, home)
    place = next(index for index, one in enumerate(siblings) if one is first)
    return place + position < len(siblings) and siblings[place + position] is statement


def _uses(tape: gast.Name, facts: Facts) -> list[gast.Name] | Refusal:
    """Every place that reads this tape, or why they aren't all known."""
    scope = facts.scopes.names[tape]
    owner = scope.lookup(tape.id)
    if owner is None or owner is not scope or tape.id in owner.shared or isinstance(owner.node, gast.ClassDef):
        return Refusal(tape, Code.OTHER_NAMES, f"{tape.id} belongs to another scope, where it may be used again")
    if owner.is_read_as_a_whole:
        return Refusal(tape, Code.OTHER_NAMES, "locals(), eval or the like may read any name here")
    for inner in owner.below():
        if inner.lookup(tape.id) is owner and tape.id in inner.uses:
            if isinstance(inner.node, COMPREHENSIONS):
                return Refusal(tape, Code.GRADIENTS, f"{tape.id} computes a gradient in a loop")
            return Refusal(tape, Code.OTHER_NAMES, f"another function knows {tape.id}, and may use it again")
    uses = owner.uses.get(tape.id, [])
    if sum(not isinstance(getattr(one, "ctx", None), gast.Del) for one in owner.bindings[tape.id]) == 1:
        return uses
    reading = facts.flow.users(tape)
    if reading is None or any(facts.flow.definitions(use) is None for use in uses):
        return Refusal(
            tape, Code.MAY_CHANGE, f"{tape.id} is assigned more than once, and which one computes the gradient can't be followed"
        )
    mine = [use for use in uses if any(use is one for one in reading)]
    if any(len(facts.flow.definitions(use) or ()) != 1 for use in mine):
        return Refusal(tape, Code.MAY_CHANGE, f"{tape.id} is assigned more than once, and may be used again")
    return mine


def _repeated(question: gast.AST, block: gast.With, facts: Facts) -> bool:
    """Is there a loop around the question that doesn't open the tape anew, and before, in every iteration?"""
    child, around = question, {id(one) for one in (block, *facts.scopes.ancestors(block))}
    opened = False
    for ancestor in facts.scopes.ancestors(question):
        if ancestor is block:
            return False
        if isinstance(ancestor, FUNCTIONS):
            return False
        if isinstance(child, gast.stmt):
            opened = opened or _opens(block, child, ancestor, facts)
        if isinstance(ancestor, LOOPS):
            return not opened or id(ancestor) not in around
        child = ancestor
    return False


def _opens(block: gast.With, statement: gast.stmt, home: gast.AST, facts: Facts) -> bool:
    """Is the tape's block, perhaps within other with blocks, one of the statements that come before in the same list?"""
    outermost: gast.AST = block
    while facts.parent(outermost) is not home and _passes_errors_on(facts.parent(outermost), facts):
        outermost = facts.parent(outermost) or home
    siblings = block_of(statement, home) if facts.parent(outermost) is home else []
    places = [index for index, one in enumerate(siblings) if one is outermost or one is statement]
    return len(places) == 2 and siblings[places[0]] is outermost


def _passes_errors_on(block: gast.AST | None, facts: Facts) -> bool:
    """Is it a with block of TensorFlow's? Another may swallow an error, and go on behind a tape that it never opened."""
    return isinstance(block, gast.With) and all((facts.called(item.context_expr) or "").startswith("tensorflow.") for item in block.items)


def _watches_after(use: gast.AST, question: gast.AST, facts: Facts) -> str | None:
    """What a tape is told, or asked, about what it watches after it was asked for a gradient."""
    match facts.parent(use):
        case gast.Attribute(attr="watch" | "watched_variables" as attr) as method:
            return str(attr) if facts.source.span(method).start > facts.source.span(question).start else None
    return None


def _step_of_keras(block: gast.With, facts: Facts) -> bool:
    function = facts.scopes.function_of(block)
    return function is not None and facts.callers.is_method(function) and getattr(function, "name", "") in _STEPS
