"""Compute before the tape what no gradient is taken of.

Before:  with tf.GradientTape() as tape:
             wanted = teacher(images, training=False)
             loss = loss_fn(wanted, student(images, training=True))
         grads = tape.gradient(loss, student.trainable_variables)
After:   wanted = teacher(images, training=False)
         with tf.GradientTape() as tape:
             loss = loss_fn(wanted, student(images, training=True))
         grads = tape.gradient(loss, student.trainable_variables)

Why:     A tape keeps what its gradient may need, also of models that nobody takes it of. Fakes of 32 x 28 x 28 by three
         convolutions, for a discriminator that alone is trained: 51.0 -> 16.9 MB in a warm step. Where the generator is
         trained in turn the other step has the peak: 84.0 and 83.1 MB for the script. In a graph nothing is gained.
Safety:  - **Who is trained.** Refused unless every question is `tape.gradient(loss, model.trainable_variables)`: for
           `tape.gradient(loss, fakes)` the tape has to know where `fakes` came from.
         - **Shared layers.** Refused unless both models are made of layers of their own and stay so: `Sequential([..., shared])`
           isn't, nor is any after `critic.teacher = generator`.
         - **Variables.** Refused for statements that read a `tf.Variable` or call an unknown function, which may be trained.
         - **Order.** Only the first statements of the block are moved, in their order: what `tf.random.normal` draws stays.
         - **Watched tensors.** What follows a `tape.watch(x)` stays.
         - **Trained elsewhere.** Refused where `generator.trainable_variables` is read too: `--verify` measures.
         - **Small models.** Refused unless the hidden layers are known to give 1 MB, as `Dense(16)` isn't; `--verify` measures.
         - **Graphs.** Not rewritten in a `tf.function`, nor in a `train_step` that Keras runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast

from tfrewrite.analyses.keras_layers_alone import patched
from tfrewrite.analyses.model_sizes import size_of, sizes
from tfrewrite.analyses.training_steps import is_run_by_keras, made, tapes_of
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.scopes import DEFINITIONS, walk_within
from tfrewrite.kinds import Sort
from tfrewrite.loops.loop_text import holds_long_texts
from tfrewrite.ops import op
from tfrewrite.ops.made import Made
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, transform

_LEAST_BYTES = 1_000_000
_VARIABLES = frozenset({"trainable_variables", "trainable_weights", "variables", "weights"})
_ASKED = frozenset({
    *_VARIABLES, "trainable", "summary", "predict", "compile", "fit", "evaluate", "save", "save_weights", "load_weights", "count_params",
    "get_weights", "losses", "metrics", "built", "build", "input_shape", "output_shape", "train_on_batch", "predict_on_batch", "name", "export",
})  # fmt: skip
_MODELS = ("keras.Sequential", "keras.Model")
_METHODS = frozenset({"gradient", "stop_recording"})
_TRY = "--verify tries it, and keeps it where it saves."


@transform(gast.With, fidelity=Fidelity.BITWISE, mentions=("GradientTape",))
def narrow_tape(block: gast.With, facts: Facts) -> Outcome:
    tapes = tapes_of(block, facts)
    if not tapes or len(tapes) < len(block.items) or facts.mode(block) is not Mode.EAGER or is_run_by_keras(block, facts):
        return None
    first = [one for one in block.body[:-1] if isinstance(one, gast.Assign)][:1]
    if not first or first[0] is not block.body[0] or not any(_models(block.body[0], facts)):
        return None
    trained = _trained(tapes, block, facts)
    if isinstance(trained, Refusal):
        return trained
    moved: list[gast.stmt] = []
    refusal: Refusal | None = None
    for statement in block.body[:-1]:
        refusal = _why_recorded(statement, trained, tapes, facts)
        if refusal is not None:
            break
        moved.append(statement)
    while moved and not any(_models(moved[-1], facts)):
        moved.pop()
    if not moved:
        return None if refusal is None or _mentions(block.body[0], trained, facts) else refusal
    if (useless := _trained_too(moved, facts) or _too_small(moved, facts)) is not None and facts.of_the_text is facts:
        return useless
    if any(holds_long_texts(one, facts) for one in moved):
        return Refusal(block, Code.LAYOUT, "a string of several lines would be moved")
    edits = _edits(block, moved, facts)
    if edits is None:
        return Refusal(block, Code.LAYOUT, "the statements of the tape's block share lines")
    names = ", ".join(dict.fromkeys(_shown(one, facts) for statement in moved for one in _models(statement, facts)))
    return Rewrite(block, edits, f"no gradient of {names} is taken, and the tape need not keep what it computes", region=(block,))


# What is trained


def _trained(tapes: Sequence[gast.Name], block: gast.With, facts: Facts) -> list[gast.expr] | Refusal:
    """The models whose variables the tapes are asked for."""
    found: list[gast.expr] = []
    for tape in tapes:
        users = facts.flow.users(tape)
        if users is None or facts.scopes.names[tape].lookup(tape.id) is None:
            return Refusal(block, Code.OTHER_NAMES, f"what {tape.id} is asked is not known")
        for use in users:
            method, call = facts.parent(use), facts.parent(facts.parent(use) or use)
            if not isinstance(method, gast.Attribute) or method.attr not in _METHODS or not isinstance(call, gast.Call):
                return Refusal(block, Code.GRADIENTS, f"{tape.id} is asked for more than gradients of a model's variables")
            if method.attr == "stop_recording":
                continue
            sources = call.args[1] if len(call.args) > 1 else next((one.value for one in call.keywords if one.arg == "sources"), None)
            sources = facts.behind(sources) if sources is not None else None
            if (
                not isinstance(sources, gast.Attribute)
                or sources.attr not in _VARIABLES
                or not isinstance(made(facts.kind(sources.value)), Made)
            ):
                return Refusal(
                    block, Code.GRADIENTS, f"{tape.id} is asked for the gradient of what is not known to be the variables of a model"
                )
            found.append(sources.value)
    return found


def _why_recorded(statement: gast.stmt, trained: Sequence[gast.expr], tapes: Sequence[gast.Name], facts: Facts) -> Refusal | None:
    """Why a statement has to stay under the tape; None where nothing that is trained takes part in it."""
    if not isinstance(statement, gast.Assign) or not all(_is_plain(one) for one in statement.targets):
        return Refusal(statement, Code.FORM, "it is no plain assignment")
    for node in (statement, *walk_within(statement)):
        shown = facts.edit.short(node, "a part of it") if isinstance(node, gast.expr) else ""
        if isinstance(node, gast.Name) and any(node.id == tape.id for tape in tapes):
            return Refusal(node, Code.GRADIENTS, f"{shown} is the tape")
        if isinstance(node, gast.Name | gast.Attribute) and facts.kind(node).sort is Sort.VARIABLE:
            return Refusal(node, Code.GRADIENTS, f"{shown} is a variable, which may be trained")
        if isinstance(node, gast.Name | gast.Attribute) and (one := made(facts.kind(node))) is not None:
            if one.name.startswith(("keras.losses.", "keras.metrics.")):
                continue
            for model in trained:
                if not _are_apart(node, model, facts):
                    return Refusal(node, Code.GRADIENTS, f"{shown} may share layers with {facts.edit.short(model)}, which is trained")
        elif isinstance(node, gast.Call) and (refusal := _unknown_call(node, shown, facts)):
            return refusal
    return None


def _is_plain(target: gast.AST) -> bool:
    return isinstance(target, gast.Name) or (isinstance(target, gast.Tuple) and all(map(_is_plain, target.elts)))


def _unknown_call(call: gast.Call, shown: str, facts: Facts) -> Refusal | None:
    name = facts.called(call)
    if name is not None and name.startswith(("tensorflow.", "numpy.", "builtins.")):
        return None
    if made(facts.kind(call.func)) is not None:
        return None
    return Refusal(call, Code.UNKNOWN_CALL, f"what {shown} computes with is not known: it may be trained")


def _models(statement: gast.stmt, facts: Facts) -> Iterator[gast.Call]:
    """The calls of models in a statement."""
    for node in walk_within(statement):
        if isinstance(node, gast.Call) and (one := made(facts.kind(node.func))) is not None and one.name in _MODELS:
            yield node


def _mentions(statement: gast.stmt, trained: Sequence[gast.expr], facts: Facts) -> bool:
    """Does a statement use what is trained?"""
    nodes = [node for node in walk_within(statement) if isinstance(node, gast.Name | gast.Attribute)]
    return any(facts.same_object(node, model) for node in nodes for model in trained)


# Whether two models have layers in common


def _are_apart(one: gast.expr, other: gast.expr, facts: Facts) -> bool:
    """Are two objects certainly made of layers of their own?"""
    if facts.same_object(one, other):
        return False
    if patched(facts) is not None or not all(_stays_alone(each, facts) for each in (one, other)):
        return False
    makings = [_making(each, facts) for each in (one, other)]
    return None not in makings and makings[0] is not makings[1] and all(_is_made_alone(each, facts) for each in makings if each is not None)


def _making(node: gast.expr, facts: Facts) -> gast.Call | None:
    """The only call that makes what a name or an attribute stands for, if it can be no other."""
    match node:
        case gast.Name(id=name) if node in facts.scopes.names:
            owner = facts.scopes.names[node].lookup(name)
            bindings = owner.bindings[name] if owner is not None and name not in owner.shared else []
        case gast.Attribute(attr=attr) if not facts.mutation.attribute_is_hidden(attr):
            bindings = list(facts.mutation.attribute_stores(attr))
        case _:
            return None
    if len(bindings) != 1:
        return None
    match facts.parent(bindings[0]):
        case gast.Assign(targets=[target], value=gast.Call() as call) if target is bindings[0]:
            return call
    return None


def _stays_alone(model: gast.expr, facts: Facts) -> bool:
    """Is a model called, asked and trained only, and never handed to what may make it a part of another one?"""
    for use in facts.nodes((type(model),)):
        if not isinstance(use.ctx, gast.Load) or not _is_spelled_alike(use, model):
            continue
        parent = facts.parent(use)
        match parent:
            case gast.Call(func=func) if func is use:
                continue
            case gast.Call() | gast.keyword():
                call = parent if isinstance(parent, gast.Call) else facts.scopes.parents[parent]
                if (facts.called(call) or "").startswith(("tensorflow.train.", "builtins.print", "builtins.len")):
                    continue
            case gast.Attribute(attr="add"):
                added = facts.parent(parent)
                if isinstance(added, gast.Call) and all(isinstance(one, gast.Call) and _makes_layer(one, facts) for one in added.args):
                    continue
            case gast.Attribute(attr=attr) if attr in _ASKED:
                continue
        return False
    return True


def _is_spelled_alike(use: gast.AST, model: gast.expr) -> bool:
    match use, model:
        case gast.Name(id=name), gast.Name(id=other):
            return bool(name == other)
        case gast.Attribute(attr=name), gast.Attribute(attr=other):
            return bool(name == other)
    return False


def _is_made_alone(call: gast.Call, facts: Facts, depth: int = 0) -> bool:
    """Does a call make a model of nothing but layers that it makes itself?"""
    if depth > 3 or any(_holds_layers(node, facts) for part in (*call.args, *call.keywords) for node in gast.walk(part)):
        return False
    name = (facts.called(call) or "").removeprefix("tensorflow.")
    if name in _MODELS or op(f"tensorflow.{name}").is_layer:
        inner = [node for part in (*call.args, *call.keywords) for node in gast.walk(part) if isinstance(node, gast.Call)]
        return name == "keras.Sequential" and all(_makes_layer(one, facts) for one in inner)
    own = made(facts.kind(call))
    scope: object = facts.function_called(call)
    if scope is None and own is not None and isinstance(call.func, gast.Name):
        scope = own.own
    if not isinstance(scope, gast.AST) or _is_kept_between_calls(scope):
        return False
    inside = set(gast.walk(scope))
    return not any(_comes_from_outside(node, inside, facts) for node in inside)


def _is_kept_between_calls(scope: gast.AST) -> bool:
    """Has a function a default value, or a class an attribute of its own, that is made once and may be a layer?"""
    values: list[gast.AST] = []
    if isinstance(scope, DEFINITIONS):
        values = [one for one in (*scope.args.defaults, *scope.args.kw_defaults) if one is not None]
    elif isinstance(scope, gast.ClassDef):
        values = [one.value for one in scope.body if isinstance(one, gast.Assign | gast.AnnAssign) and one.value is not None]
    return any(isinstance(node, gast.Call | gast.Name | gast.Attribute) for one in values for node in gast.walk(one))


def _makes_layer(call: gast.Call, facts: Facts) -> bool:
    row = facts.op(call)
    return row.is_layer or row.name.startswith(("keras.Input", "keras.initializers.", "keras.regularizers.", "keras.constraints."))


def _holds_layers(node: gast.AST, facts: Facts) -> bool:
    """Is it a name of something that may have layers?"""
    if not isinstance(node, gast.Name | gast.Attribute) or facts.names(node) is not None:
        return False
    kind = facts.kind(node)
    return kind.sort not in (Sort.NUMBER, Sort.TEXT, Sort.NONE, Sort.TENSOR) and facts.names(node) is None


def _comes_from_outside(node: gast.AST, inside: set[gast.AST], facts: Facts) -> bool:
    """Is a layer or a model read that a function or class doesn't make itself?"""
    if not isinstance(node, gast.Name) or node not in facts.scopes.names or facts.names(node) is not None:
        return False
    owner = facts.scopes.names[node].lookup(node.id)
    if owner is None or any(one in inside for one in owner.bindings[node.id]):
        return False
    bound = owner.bindings[node.id][0]
    if isinstance(bound, (*DEFINITIONS, gast.ClassDef)):
        return True if not isinstance(bound, gast.ClassDef) else False
    return _holds_layers(node, facts)


# What it is worth


def _trained_too(moved: Sequence[gast.stmt], facts: Facts) -> Refusal | None:
    """A model that another step of the file trains needs as much there, so that the program gains nothing."""
    asked = [one for one in facts.nodes((gast.Attribute,)) if isinstance(one, gast.Attribute) and one.attr in _VARIABLES]
    for call in (one for statement in moved for one in _models(statement, facts)):
        if any(facts.same_object(one.value, call.func) for one in asked):
            shown = _shown(call, facts)
            return Refusal(call, Code.NO_GAIN, f"{shown} seems to be trained as well, and the step that does so needs as much", _TRY)
    return None


def _too_small(moved: Sequence[gast.stmt], facts: Facts) -> Refusal | None:
    """What the tape would have kept of the models is small, or not known."""
    total = 0
    for statement in moved:
        for call in _models(statement, facts):
            size = _kept(call, facts)
            if size is None:
                shown = facts.edit.short(call)
                return Refusal(call, Code.UNKNOWN_SHAPE, f"how much the tape keeps of {shown} is not known", _TRY)
            total += size
    if total < _LEAST_BYTES:
        return Refusal(moved[0], Code.TOO_SMALL, f"the tape keeps {total / 1e6:.1g} MB of it, which is nothing")
    return None


def _kept(call: gast.Call, facts: Facts) -> int | None:
    """What the layers of a model give before the last of them, in bytes; of one whose layers aren't known, what it gives itself."""
    model = made(facts.kind(call.func))
    known = sizes(model, facts.kind(call.args[0])) if model is not None and call.args else None
    if known is None:
        return size_of(facts.kind(call))
    return None if None in known.kept else sum(one for one in known.kept if one is not None)


def _shown(call: gast.Call, facts: Facts) -> str:
    return facts.edit.short(call.func)


# The new text


def _edits(block: gast.With, moved: Sequence[gast.stmt], facts: Facts) -> tuple[Edit, ...] | None:
    source = facts.source
    head = source.line_start(source.span(block).start)
    indent = source.indentation(source.span(block).start)
    inner = source.indentation(source.span(moved[0]).start)
    start, end = source.line_start(source.span(block.body[0]).start), source.line_end(source.span(moved[-1]).end)
    while source.text[source.line_start(start - 1) : start].lstrip().startswith("#"):
        start = source.line_start(start - 1)
    if start <= source.span(block.items[0].context_expr).end or source.text[head : source.span(block).start].strip():
        return None
    following = block.body[len(moved)]
    if source.line_start(source.span(following).start) < end or not inner.startswith(indent):
        return None
    while not source.text[end : source.line_end(end)].strip():
        end = source.line_end(end)
    lines = source.text[start:end].splitlines(keepends=True)
    if any(line.strip() and not line.startswith(inner) for line in lines):
        return None
    text = "".join(indent + line[len(inner) :] if line.strip() else line for line in lines)
    return Edit(head, head, text), Edit(start, end)
