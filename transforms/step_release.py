"""Delete the gradients of a training step before the next one.

Before:  for x, y in dataset:
             with tf.GradientTape() as tape:
                 loss = loss_fn(y, model(x))
             grads = tape.gradient(loss, model.trainable_weights)
             optimizer.apply_gradients(zip(grads, model.trainable_weights))
After:   for x, y in dataset:
             with tf.GradientTape() as tape:
                 loss = loss_fn(y, model(x))
             grads = tape.gradient(loss, model.trainable_weights)
             optimizer.apply_gradients(zip(grads, model.trainable_weights))
             del grads

Why:     The name holds the gradients, as large as the model, while the next step computes. Dense layers of 1024, SGD: 30.7 -> 19.5 MB;
         VGG16 181 -> 122. Beside the optimizer's own tensors nothing is gained: Adam, two products of [2048, 2048] on 32
         rows: 84 MB before and after. `compiled_step`, where it is made, makes this needless.
Safety:  - **Later readers.** Refused if the next iteration or anything after the loop reads the name: `print(grads)`.
         - **Other holders.** Refused if the gradients are stored or get a second name: `kept = grads`, `every.append(grads)`.
         - **Names of modules.** Refused at the top level of a file that others may import, or of a notebook, with `locals()`,
           `global grads` or `cProfile.run("train()")`.
         - **No lower peak.** Refused unless the gradients take 1 MB, and activations or gradients more than the optimizer's
           tensors: `Adam` makes three of the largest weight's size.
         - **Unknown sizes.** Refused for models whose layers aren't known, as `build()`: `--verify` measures.
         - **Functions.** Not rewritten outside of a loop: `def train_step(x)` forgets its names itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gast

from tfrewrite.analyses.imported_texts import reads_the_script
from tfrewrite.analyses.model_sizes import sizes
from tfrewrite.analyses.training_steps import Step, is_run_by_keras, made, training_step
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.scopes import LOOPS, block_of, walk_within
from tfrewrite.kinds import Sort
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, transform

_LEAST_BYTES = 1_000_000
_VARIABLES = frozenset({"trainable_variables", "trainable_weights"})
_PASSING = frozenset({"zip", "enumerate", "list", "tuple", "reversed"})
_READING = frozenset({"sum", "len", "float", "print", "any", "all"})
_TRY = "--verify tries it, and keeps it where it saves."


@transform(gast.With, fidelity=Fidelity.BITWISE, mentions=("GradientTape",), late=True)
def step_release(block: gast.With, facts: Facts) -> Outcome:
    step = training_step(block, facts)
    loop = facts.parent(block)
    if step is None or not isinstance(loop, LOOPS) or facts.mode(block) is not Mode.EAGER or is_run_by_keras(block, facts):
        return None
    if facts.taped(block):
        return None
    function = facts.scopes.function_of(block)
    scope = facts.scopes.of[function] if function is not None else facts.scopes.module
    statements = block_of(block, loop)
    held: list[_Held] = []
    for question in step.questions:
        one = _held(question, statements, facts)
        if isinstance(one, Refusal):
            return one
        if one is not None:
            held.append(one)
    if not held:
        return None
    later = {name for inner in scope.below() for name in inner.uses if inner.lookup(name) is scope}
    if scope.is_read_as_a_whole or any(one.name in scope.shared | later or scope.lookup(one.name) is not scope for one in held):
        return Refusal(block, Code.OTHER_NAMES, f"something else may read {held[0].name}")
    open_to_others = facts.is_interactive or facts.mutation.module_is_open or not facts.callers.is_only_run
    if function is None and (open_to_others or reads_the_script(facts)):
        return Refusal(block, Code.OTHER_NAMES, f"{held[0].name} is a name of the module, which others may read")
    if (refusal := _why_no_gain(step, facts)) is not None and facts.of_the_text is facts:
        return refusal
    edits: list[Edit] = []
    for one in held:
        edit = facts.edit.insert_after(one.last, f"del {one.name}")
        if edit is None:
            return Refusal(one.last, Code.LAYOUT, f"the last statement that reads {one.name} shares its line")
        edits.append(edit)
    names = " and ".join(dict.fromkeys(one.name for one in held))
    return Rewrite(block, tuple(edits), f"{names} would be held until the next step has computed its own", region=(loop,))


@dataclass(frozen=True)
class _Held:
    """The name of gradients, and the last statement of the loop's own that reads them."""

    name: str
    last: gast.stmt


def _held(question: gast.Call, statements: Sequence[gast.stmt], facts: Facts) -> _Held | Refusal | None:
    match facts.parent(question):
        case gast.Assign(targets=[gast.Name() as target]) as given if any(one is given for one in statements):
            pass
        case _:
            return None  # nothing holds them, or it isn't told for how long
    users = facts.flow.users(target)
    if users is None or any(isinstance(getattr(one, "ctx", None), gast.Del) for one in users):
        return None
    last = next(place for place, one in enumerate(statements) if one is given)
    inside = [set(gast.walk(one)) for one in statements]
    for use in users:
        place = next((place for place, nodes in enumerate(inside) if use in nodes), None)
        if place is None or place < last and use not in inside[last]:
            return Refusal(question, Code.OTHER_NAMES, f"{target.id} is read after the loop, or by the next iteration")
        last = max(last, place)
    if any(_keeps(use, facts) for use in users):
        return Refusal(question, Code.OTHER_NAMES, f"{target.id} is known by another name too, or kept")
    if any(isinstance(one, gast.Break | gast.Continue | gast.Return) for one in walk_within(statements[last])):
        return None
    return _Held(target.id, statements[last])


def _keeps(use: gast.AST, facts: Facts) -> bool:
    """May a use of gradients hold them, or others of their size, for longer than its statement?"""
    parent = facts.parent(use)
    while True:
        match parent:
            case gast.Call() if _ends_there(parent, facts):
                return False
            case gast.Call() if (facts.called(parent) or "").removeprefix("builtins.") not in _PASSING:
                return True
            case gast.Call() | gast.Tuple() | gast.List() | gast.Starred() | gast.keyword() | gast.comprehension() | gast.GeneratorExp():
                parent = facts.parent(parent)
            case _:
                return not isinstance(parent, gast.For)


def _ends_there(call: gast.Call, facts: Facts) -> bool:
    """Does a call read what it is given, and give nothing of that size?"""
    if isinstance(call.func, gast.Attribute) and call.func.attr in ("apply_gradients", "apply"):
        return True
    name = facts.called(call) or ""
    return name.removeprefix("builtins.") in _READING or (name.startswith("tensorflow.") and facts.kind(call).sort is Sort.TENSOR)


def _why_no_gain(step: Step, facts: Facts) -> Refusal | None:
    """Beside the next step's activations or gradients, the last gradients weigh; beside what the optimizer computes they are gone already."""
    (question, *_) = step.questions
    sources = facts.behind(question.args[1]) if len(question.args) > 1 else None
    if not isinstance(sources, gast.Attribute) or sources.attr not in _VARIABLES or (model := made(facts.kind(sources.value))) is None:
        return Refusal(question, Code.UNKNOWN_SHAPE, "how large the gradients are is not known", _TRY)
    calls = [node for one in step.statements for node in walk_within(one) if isinstance(node, gast.Call) and node.args]
    applied = next((one for one in calls if facts.same_object(one.func, sources.value)), None)
    known = sizes(model, facts.kind(applied.args[0])) if applied is not None else None
    if known is None or not known.weights:
        return Refusal(question, Code.UNKNOWN_SHAPE, f"how large the gradients of {facts.edit.short(sources.value)} are is not known", _TRY)
    gradients, largest = sum(known.weights), max(known.weights)
    beside = max(sum(one for one in known.kept if one is not None), gradients) - _temporaries(step, facts) * largest
    if min(gradients, beside) < _LEAST_BYTES:
        return Refusal(question, Code.TOO_SMALL, f"the gradients take {gradients / 1e6:.1g} MB, and the peak of a step lies elsewhere")
    return None


def _temporaries(step: Step, facts: Facts) -> int:
    """How many tensors of a variable's size an optimizer makes while it changes one."""
    owners = [made(facts.kind(call.func.value)) for call in step.updates if isinstance(call.func, gast.Attribute)]
    return 1 if all(one is not None and one.name == "keras.optimizers.SGD" and not one.has("momentum") for one in owners) else 3
