"""Run an eager training step as a graph, which frees what the gradient no longer needs.

Before:  for x, y in dataset:
             with tf.GradientTape() as tape:
                 logits = model(x, training=True)
                 loss = loss_fn(y, logits)
             grads = tape.gradient(loss, model.trainable_weights)
             optimizer.apply_gradients(zip(grads, model.trainable_weights))
             print(float(loss))
After:   @tf.function
         def train_step(x, y):
             with tf.GradientTape() as tape:
                 logits = model(x, training=True)
                 loss = loss_fn(y, logits)
             grads = tape.gradient(loss, model.trainable_weights)
             optimizer.apply_gradients(zip(grads, model.trainable_weights))
             return loss


         for x, y in dataset:
             loss = train_step(x, y)
             print(float(loss))

Also:    A function or method that is such a step gets `@tf.function` above its `def`.

Why:     An eager step holds what every operation gave until the gradient is computed, and every gradient until the optimizer
         is done. Six blocks of a transformer, 16 rows of 64 words: 226 -> 108 MB in a warm step, with dropout 249 -> 118, and
         dense layers with dropout 161 -> 97; a whole script of three blocks 122 -> 92. It is no gain everywhere: a graph
         computes gradients side by side, and plain convolutions need 47 MB eagerly, 64 in a graph, VGG16 122 and 148. The
         text doesn't tell, so by default nothing is made of it: `--verify` measures, `--for time` takes it for its time, 0.2
         to 1.0 of that of eager code.
Safety:  - **Rounding.** Products, biases and activations are fused, and training carries the last bits on: 7e-6 of a loss after
           nine steps. Made with `--fidelity tolerance`, or with `--verify`, which compares.
         - **Effects.** Refused for `print`, `.numpy()`, `float(loss)`, `losses.append(loss)` or an assertion between the tape and
           the optimizer: a graph runs Python once. What follows the optimizer stays outside.
         - **Random numbers.** Refused for `tf.random.normal` and NumPy's. Dropout of Keras 3 draws the same in a graph.
         - **What changes.** Refused if `layer.trainable`, `dropout.rate`, `optimizer.momentum` or the like may be assigned after
           the first step, for `learning_rate = ...`, and for what the step reads and is given again: `model = build()`.
         - **Values.** Refused for `if loss > 1.0` and for a tensor that is unpacked, `a, b = model(x)`.
         - **Arguments.** Refused unless they are tensors, or arrays handed to Keras alone: a number `step` would be traced
           again each time, `y - array` of float64 raises in a graph, a new optimizer in each epoch too.
         - **Layers.** Refused for `Lambda` and layers of texts, and for models that the text doesn't know. A `call` of the file's
           own classes is looked through.
         - **Sizes.** Batches of sizes that aren't known get `reduce_retracing=True`, and are refused where `x.shape` is read.
         - **Graphs.** Refused with `tf.distribute` and `run_functions_eagerly`; Keras' own `train_step` is one already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gast

from tfrewrite.analyses.compiled_steps import StepReader, changes_training, own_names
from tfrewrite.analyses.training_steps import Step, is_run_by_keras, loops_around, made, training_step
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.scopes import FUNCTIONS, block_of, parameters, walk_within
from tfrewrite.kinds import FLOATS, Kind, Sort
from tfrewrite.loops.loop_text import holds_long_texts
from tfrewrite.loops.outlining import above, apart
from tfrewrite.loops.plans import Names
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, Setup, Worth, transform

_WIDTH = 100
_ENDS = (gast.Return, gast.Break, gast.Continue)


@transform(gast.With, fidelity=Fidelity.ROUNDING, mentions=("GradientTape",))
def compiled_step(block: gast.With, facts: Facts) -> Outcome:
    step = training_step(block, facts)
    if step is None or facts.mode(block) is not Mode.EAGER or is_run_by_keras(block, facts):
        return None
    tf = facts.tensorflow(block)
    if tf is None or facts.taped(block):
        return None
    loops = loops_around(block, facts)
    function = facts.scopes.function_of(block)
    if (function is None and not loops) or not isinstance(function, gast.FunctionDef | None):
        return None  # a single step
    if len(step.targets) < len(step.questions):
        return Refusal(block, Code.FORM, "what a tape is asked for the gradient of isn't written as its argument")
    refusal = changes_training(_first_use(loops[-1] if loops else function, facts), facts)
    if refusal is not None:
        return refusal.at(block)
    if loops:
        outcome = _outlined(step, loops[-1], tf, facts)
    else:
        outcome = _decorated(step, function, tf, facts) if isinstance(function, gast.FunctionDef) else None
    return outcome.at(block) if isinstance(outcome, Refusal) else outcome


def _first_use(node: gast.AST | None, facts: Facts) -> gast.AST | None:
    """Where in the text the first step is made: a loop of the top level, or the first thing there that calls its function.

    Nowhere that is known, where functions call each other in a circle, or may do so by their names: `profile.run()` in `def run(self)`.
    """
    seen: set[gast.AST] = set()
    while node is not None and (function := node if isinstance(node, gast.FunctionDef) else facts.scopes.function_of(node)) is not None:
        references = facts.callers.references(function)
        if function in seen or not references or any(one.call is None or not one.direct for one in references):
            return None
        seen.add(function)
        node = min((one.node for one in references), key=lambda one: one.lineno)
    return node


def _rewrite(step: Step, node: gast.stmt, edits: Sequence[Edit], region: gast.AST, reason: str) -> Rewrite:
    return Rewrite(
        node,
        tuple(edits),
        reason,
        region=(region,),
        rounded=tuple(step.targets),
        worth=Worth(Setup.GRAPH),
    )


# A function that is a step


def _decorated(step: Step, function: gast.FunctionDef, tf: str, facts: Facts) -> Rewrite | Refusal | None:
    if not facts.callers.called_repeatedly(function):
        return None
    name = function.name
    if function.decorator_list:
        return Refusal(function, Code.UNKNOWN_CALL, f"{name} is decorated: what that makes of a graph is not known")
    if function.args.vararg is not None or function.args.kwarg is not None:
        return Refusal(function, Code.FORM, f"{name} takes any number of arguments, each of which would be traced")
    own = parameters(function)[1 if facts.callers.takes_self(function) else 0 :]
    handed = frozenset(one.id for one in own)
    reader = StepReader(facts, frozenset(gast.walk(function)), handed, facts.of_the_text is not facts)
    refusal = reader.obstacle(function.body)
    for parameter in own:
        refusal = refusal or _argument(parameter.id, facts.kind(parameter), _uses(parameter.id, function.body), facts)
    refusal = refusal or _returned(function, facts)
    if refusal is not None:
        return refusal
    setting = _setting([facts.kind(one) for one in own])
    if setting and reader.reads_shapes:
        return Refusal(function, Code.UNKNOWN_SHAPE, "it reads a shape, which a graph that is made for all sizes doesn't know")
    start = facts.source.span(function).start
    indent = facts.source.indentation(start)
    edit = Edit(start, start, f"@{tf}.function{setting}{facts.source.newline}{indent}")
    return _rewrite(step, function, (edit,), function, f"{name} is a training step, which a graph runs without what eager mode holds")


def _returned(function: gast.FunctionDef, facts: Facts) -> Refusal | None:
    """A graph gives tensors, whatever Python would."""
    for node in walk_within(function):
        if isinstance(node, gast.Return) and node.value is not None and not _is_tensors(facts.kind(node.value), node.value, facts):
            if (text := facts.edit.short(node.value, "what it returns")) and facts.of_the_text is facts:
                return Refusal(node, Code.UNKNOWN_VALUE, f"{text} is not known to be a tensor, and a graph returns nothing else")
    return None


def _is_tensors(kind: Kind, node: gast.AST, facts: Facts) -> bool:
    if isinstance(node, gast.Tuple | gast.List):
        return all(_is_tensors(facts.kind(one), one, facts) for one in node.elts)
    if isinstance(node, gast.Dict):
        return all(_is_tensors(facts.kind(one), one, facts) for one in node.values)
    if kind.sort is Sort.TUPLE and kind.items is not None:
        return all(one.sort is Sort.TENSOR for one in kind.items)
    return kind.sort in (Sort.TENSOR, Sort.NONE)


def _uses(name: str, body: Sequence[gast.stmt]) -> list[gast.Name]:
    return [one for one in own_names(body) if one.id == name and isinstance(one.ctx, gast.Load)]


def _argument(name: str, kind: Kind, uses: Sequence[gast.Name], facts: Facts) -> Refusal | None:
    """Why what is handed over may be traced again and again, or mean something else as a tensor."""
    match kind.sort:
        case Sort.TENSOR | Sort.NONE:
            return None
        case Sort.LIST | Sort.TUPLE if kind.items is not None and all(one.sort is Sort.TENSOR for one in kind.items):
            return None
        case Sort.OBJECT if made(kind) is not None:
            reason = f"{name} is an object of Keras that may be another each time, and a graph makes variables in its first call only"
            return Refusal(facts.tree, Code.MAY_CHANGE, reason)
        case Sort.NUMBER if kind.value is not None and isinstance(kind.value, int | float):
            return None
        case Sort.NUMBER:
            return Refusal(
                facts.tree, Code.PYTHON_NUMBER, f"{name} is a Python number that isn't always the same: each would be traced again"
            )
        case Sort.ARRAY:
            other = next((one for one in uses if not _is_handed_to_keras(one, facts)), None)
            if other is None or kind.dtype in FLOATS - {"float64"}:
                return None
            return Refusal(
                facts.tree, Code.OTHER_DTYPE, f"{name} is a NumPy array, which takes part otherwise than as a tensor of its own dtype"
            )
    return Refusal(facts.tree, Code.UNKNOWN_VALUE, f"{name} is not known to be a tensor ({kind}), and anything else is traced again")


def _is_handed_to_keras(use: gast.Name, facts: Facts) -> bool:
    """Is it an argument of a model, a layer or a loss, which make a tensor of it themselves?"""
    parent = facts.parent(use)
    parent = facts.parent(parent) if isinstance(parent, gast.keyword) else parent
    if not isinstance(parent, gast.Call) or parent.func is use:
        return False
    return made(facts.kind(parent.func)) is not None or facts.op(parent).name in ("cast", "convert_to_tensor")


def _setting(kinds: Sequence[Kind]) -> str:
    """Batches of which only the last is smaller are traced twice; of any other sizes, once more for all of them."""
    tensors = [one for one in kinds if one.sort in (Sort.TENSOR, Sort.ARRAY)]
    known = all(isinstance(one.shape, tuple) and all(isinstance(dim, int) for dim in one.shape[1:]) for one in tensors)
    return "" if known else "(reduce_retracing=True)"


# A step that stands in a loop


@dataclass(frozen=True)
class _Outline:
    """What is handed to the new function, and what of it is read later."""

    arguments: tuple[str, ...]
    results: tuple[str, ...]


def _outlined(step: Step, loop: gast.For | gast.AsyncFor | gast.While, tf: str, facts: Facts) -> Rewrite | Refusal | None:
    first, last = step.statements[0], step.statements[-1]
    found = _outline(step, loop, facts)
    if isinstance(found, Refusal):
        return found
    if any(isinstance(node, _ENDS) for one in step.statements for node in walk_within(one)):
        return Refusal(first, Code.CONTROL_FLOW, "the step is left in between")
    if any(holds_long_texts(one, facts) for one in step.statements):
        return Refusal(first, Code.LAYOUT, "a string of several lines is part of the step")
    inside = frozenset(node for one in (*step.statements, *step.releases) for node in gast.walk(one))
    reader = StepReader(facts, inside, frozenset(found.arguments), facts.of_the_text is not facts)
    refusal = reader.obstacle(step.statements)
    names = list(own_names(step.statements))
    given = {one.id: one for one in reversed(names) if one.id in found.arguments and isinstance(one.ctx, gast.Load)}
    for name in found.arguments:
        refusal = refusal or _argument(name, facts.kind(given[name]), _uses(name, step.statements), facts)
    if refusal is not None:
        return refusal
    source, unit, newline = facts.source, facts.edit.unit, facts.source.newline
    start, end = source.line_start(source.span(first).start), source.line_end(source.span(last).end)
    own = source.indentation(source.span(first).start)
    if source.text[start : source.span(first).start].strip() or source.text[source.span(last).end : end].strip().startswith(";"):
        return Refusal(first, Code.LAYOUT, "the step shares a line with another statement")
    parent = facts.parent(loop)
    if parent is None or not isinstance(parent, (gast.Module, *FUNCTIONS)):
        return Refusal(loop, Code.CONTROL_FLOW, "the loop is part of a condition or a block, and the new function would be too")
    base = source.indentation(source.span(loop).start)
    name = _free_name(step, facts)
    lines = source.text[start:end].splitlines()
    gone = source.line_end(source.span(step.releases[-1]).end) if step.releases else end
    if any(isinstance(one, gast.Name) and one.id in (*found.arguments, *found.results) for each in step.releases for one in each.targets):
        return Refusal(first, Code.OTHER_NAMES, "what is handed over, or read later, is deleted")
    moved = [f"{base}{unit}{line[len(own) :]}" if line.strip() else "" for line in lines]
    if any(line.strip() and not line.startswith(own) for line in lines):
        return Refusal(first, Code.LAYOUT, "a line of the step is indented less than the step")
    setting = _setting([facts.kind(given[one]) for one in found.arguments])
    if setting and reader.reads_shapes:
        return Refusal(first, Code.UNKNOWN_SHAPE, "it reads a shape, which a graph that is made for all sizes doesn't know")
    head = [f"{base}@{tf}.function{setting}", f"{base}def {name}({', '.join(found.arguments)}):"]
    tail = [f"{base}{unit}return {', '.join(found.results)}"] if found.results else []
    at_top = isinstance(parent, gast.Module)
    place = above(loop, facts) if at_top else _above_within(loop, facts)
    before = apart(place, facts) if at_top else _apart_within(place, loop, facts)
    text = before + newline.join([*head, *moved, *tail, "", *(["", ""] if at_top else [""])])
    call = f"{name}({', '.join(found.arguments)})"
    call = f"{own}{', '.join(found.results)} = {call}{newline}" if found.results else f"{own}{call}{newline}"
    if len(head[-1]) > _WIDTH or len(call) > _WIDTH:
        return Refusal(first, Code.LAYOUT, "the step reads so many names that they don't fit a line")
    edits = (Edit(place, place, text), Edit(start, gone, call))
    return _rewrite(step, first, edits, loop, "the training step is run as a graph, without what eager mode holds")


def _outline(step: Step, loop: gast.For | gast.AsyncFor | gast.While, facts: Facts) -> _Outline | Refusal:
    """The names that the step reads of the loop, and those that the rest of the program reads of the step."""
    first, last = step.statements[0], step.statements[-1]
    function = facts.scopes.function_of(first)
    scope = facts.scopes.of[function] if function is not None else facts.scopes.module
    assert function is None or isinstance(function, gast.FunctionDef)
    alone = function is not None or not facts.callers.is_only_run
    live = facts.liveness(function or facts.tree) if alone else facts.liveness_of_script
    names = list(own_names(step.statements))
    given = {one.id for one in names if not isinstance(one.ctx, gast.Load)}
    within = set(gast.walk(loop))
    varying = {name for name, bindings in scope.bindings.items() if any(one in within for one in bindings)}
    read = dict.fromkeys(one.id for one in names if isinstance(one.ctx, gast.Load))
    before = live.before(first)
    inside = {node for one in (*step.statements, *step.releases) for node in gast.walk(one)}
    arguments = [one for one in read if one in varying and (one not in given or (one in before and not _given_first(one, names)))]
    arguments.sort(key=lambda name: min((one.lineno, one.col_offset) for one in scope.bindings[name] if one in within))
    stores = [one for one in names if not isinstance(one.ctx, gast.Load)]
    results = list(dict.fromkeys(one.id for one in stores if one.id in live.after(last) and _is_read_later(one, inside, facts)))
    if scope.is_read_as_a_whole or any(name in scope.shared for name in given):
        return Refusal(first, Code.OTHER_NAMES, "something else may read the names of the step")
    if refusal := _given_perhaps(results, names, inside, facts):
        return refusal
    tapes = {one.id for one in step.tapes}
    for name in results:
        kinds = [facts.kind(one) for one in names if one.id == name and not isinstance(one.ctx, gast.Load)]
        if name in tapes:
            return Refusal(first, Code.OTHER_NAMES, f"{name} is asked again after the step")
        if facts.of_the_text is facts and not all(one.sort is Sort.TENSOR for one in kinds) and not _is_gradient(name, step, facts):
            return Refusal(first, Code.UNKNOWN_VALUE, f"{name}, which is read after the step, is not known to be a tensor")
    return _Outline(tuple(arguments), tuple(results))


def _given_perhaps(results: Sequence[str], names: Sequence[gast.Name], inside: set[gast.AST], facts: Facts) -> Refusal | None:
    """A result that not every step has can't be returned by all."""
    first = {one.id: one for one in reversed(names) if not isinstance(one.ctx, gast.Load)}
    for name, one in first.items():
        if name in results:
            around = [each for each in facts.scopes.ancestors(one) if each in inside]
            if any(isinstance(each, gast.If | gast.For) for each in around):
                return Refusal(one, Code.CONTROL_FLOW, f"{name}, which is read after the step, is given in a condition or a loop of it")
    return None


def _is_read_later(store: gast.Name, inside: set[gast.AST], facts: Facts) -> bool:
    """May a value that the step gives be read outside of it?"""
    users = facts.flow.users(store)
    return users is None or any(one not in inside for one in users)


def _given_first(name: str, names: Sequence[gast.Name]) -> bool:
    """Is the first thing that the step does to a name to give it a value? (A statement's value is read before.)"""
    uses = [one for one in names if one.id == name]
    stores = [one for one in uses if not isinstance(one.ctx, gast.Load)]
    return bool(stores) and all(one.lineno >= stores[0].lineno for one in uses) and not _reads_itself(stores[0], uses)


def _reads_itself(store: gast.Name, uses: Sequence[gast.Name]) -> bool:
    return any(isinstance(one.ctx, gast.Load) and one.lineno == store.lineno for one in uses)


def _is_gradient(name: str, step: Step, facts: Facts) -> bool:
    """Is it what a tape gave, a tensor or a list of them?"""
    targets = [facts.parent(question) for question in step.questions]
    return any(isinstance(one, gast.Assign) and isinstance(one.targets[0], gast.Name) and one.targets[0].id == name for one in targets)


def _free_name(step: Step, facts: Facts) -> str:
    """A name that nothing else has; every loop of a file gets another one."""
    module = facts.scopes.module
    names = Names({name for one in (module, *module.below()) for name in (*one.bindings, *one.uses)})
    steps = [
        one for one in facts.nodes((gast.With,)) if isinstance(one, gast.With) and training_step(one, facts) and loops_around(one, facts)
    ]
    found = [names.fresh("train_step", "training_step") for _ in steps]
    return found[steps.index(step.statements[0])] if step.statements[0] in steps else found[-1]


def _above_within(loop: gast.stmt, facts: Facts) -> int:
    """Where the line of a loop in a function begins, or that of the comments above it."""
    source = facts.source
    start = source.line_start(source.span(loop).start)
    while start > 0 and source.text[source.line_start(start - 1) : start].lstrip().startswith("#"):
        start = source.line_start(start - 1)
    return start


def _apart_within(place: int, loop: gast.stmt, facts: Facts) -> str:
    """An empty line above a function inside of another, unless the block begins there."""
    parent = facts.parent(loop)
    assert parent is not None
    first = block_of(loop, parent)[0] is loop
    lines = facts.source.text[:place].splitlines()
    return "" if first or not lines or not lines[-1].strip() else facts.source.newline
