"""Make a tape that is asked for a gradient only once an ordinary one.

Before:  with tf.GradientTape(persistent=True) as tape:
After:   with tf.GradientTape() as tape:

Why:     An ordinary tape lets go of what it recorded while it computes the gradient; a persistent one keeps all of it, and
         records the gradient's own computation too when it is asked inside of its block (84 -> 40 MB).
Safety:  A second question to an ordinary tape is an error: exactly one gradient call may stand in the text, in no loop
         that the tape isn't opened in, and in no function that is defined on the way. The tape may not be handed on,
         stored, returned or known to another scope; jacobian and stop_recording stay. In a graph nothing is gained.
"""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.scopes import COMPREHENSIONS, FUNCTIONS, LOOPS
from tfrewrite.outcomes import Fidelity, Outcome, Refusal, Rewrite, transform


@transform(gast.With, fidelity=Fidelity.BITWISE, mentions=("persistent",))
def persistent_tape(block: gast.With, facts: Facts) -> Outcome:
    for item in block.items:
        call = item.context_expr
        if facts.called(call) == "tensorflow.GradientTape" and (setting := _persistent(call)) is not None:
            return _plain(block, call, setting, item.optional_vars, facts)
    return None


def _persistent(call: gast.Call) -> gast.AST | None:
    for keyword in call.keywords:
        if keyword.arg == "persistent" and isinstance(keyword.value, gast.Constant) and keyword.value.value is True:
            return keyword
    return None


def _plain(block: gast.With, call: gast.Call, setting: gast.AST, tape: gast.AST | None, facts: Facts) -> Outcome:
    if tape is None:
        return None
    if not isinstance(tape, gast.Name):
        return Refusal(call, "the tape is stored where others may ask it again")
    scope = facts.scopes.names[tape]
    owner = scope.lookup(tape.id)
    if owner is None or owner is not scope or owner.bindings[tape.id] != [tape] or tape.id in owner.shared:
        return Refusal(call, f"the name {tape.id} is given more than once")
    if any(inner.lookup(tape.id) is owner and tape.id in inner.uses for inner in owner.below()):
        return Refusal(call, f"another function knows {tape.id}, and may ask it again")
    asked = 0
    for use in owner.uses.get(tape.id, ()):
        match facts.parent(use), facts.parent(facts.parent(use) or use):
            case gast.Attribute(attr="gradient"), gast.Call(func=func) as question if func is facts.parent(use):
                asked += 1
                if _repeated(question, block, facts):
                    return Refusal(call, f"{tape.id} is asked for a gradient in a loop")
            case gast.Attribute(attr="watch" | "watched_variables"), gast.Call():
                pass
            case gast.Attribute(attr=attr), _:
                return Refusal(call, f"{tape.id}.{attr} may need a persistent tape")
            case gast.Delete(), _:
                pass
            case _:
                return Refusal(call, f"{tape.id} is handed on, and may be asked again elsewhere")
    if asked == 0:
        return None
    if asked > 1:
        return Refusal(call, f"{tape.id} is asked for {asked} gradients", "Ask once, for all sources together: tape.gradient(loss, [a, b]).")
    if facts.mode(block) is Mode.GRAPH:
        return Refusal(call, "in a graph a persistent tape costs nothing: the graph keeps what it needs either way")
    return Rewrite(call, (facts.remove_argument(call, setting),), f"{tape.id} is asked once, and need not keep what it recorded")


def _repeated(question: gast.AST, block: gast.With, facts: Facts) -> bool:
    """Does the question stand in a loop that opens no new tape in each turn?"""
    for ancestor in facts.scopes.ancestors(question):
        if ancestor is block:
            return False
        if isinstance(ancestor, (*LOOPS, *COMPREHENSIONS, *FUNCTIONS)):
            return all(ancestor is not outer for outer in facts.scopes.ancestors(block))
    return False
