"""Compute the blocks of a network again for the gradient, instead of keeping what is computed inside of them.

Before:  for block in self.blocks:
             x = block(x, training=training)
After:   for block in self.blocks:
             x = recomputed(block, x, training)

Also:    Blocks that are called one after the other, `x = self.stage1(x, training=training)`, all but the last; and loops that
         build a functional model: `cuts.append(x)` in them, and `recompute_between(keras.Model(inputs, outputs), cuts)`; a
         `keras.Sequential` of layers of the file's own: `recompute_layers(keras.Sequential([...]), Block)`. The helpers are
         written above the first class or function of the file.

Why:     A gradient keeps every tensor that a block computes. Recomputed, a block keeps its input alone, and runs a second
         time, from the state and the seeds that it had, without effects: with the same dropout masks, and without a second
         update of statistics. A script that trains six transformer blocks eagerly: 103 -> 55.2 MB, 13.2 -> 15.1 s, the same bits.
         A warm step of twelve blocks: 143 -> 16.7 MB, as a graph 75.6 -> 13.0, by `fit` 75.3 -> 13.5; tracing the graph takes
         longer and more memory, which decides where blocks are small. To leave out the last block of a loop saved no time.
         It takes up to 1.5 times as long, so it is always measured: `--verify` keeps it where it saves, `--unsafe` makes it
         unmeasured, and `tfrewrite explain` shows where it is possible.
Safety:  - **Dropout, statistics.** Plain `tf.recompute_grad` draws another mask in the second run, and updates the statistics
           of `BatchNormalization` twice. The helper restores them by `keras.StatelessScope`, which Keras 2 doesn't have.
         - **Training.** Both runs are told the same `training`. Refused if blocks mind it and `call(self, x)` has no such
           parameter. Only `--verify` takes blocks that have none themselves: Keras 3.8 and older forget it.
         - **Other arguments.** A tensor that a block captures has no gradient: `block(x, context)` hands `context` over.
         - **Losses.** Refused if the file names `add_loss` or `activity_regularizer`, whose losses would have no gradient.
         - **Masks.** Refused if the file names `mask_zero`, `Masking` or `compute_mask`: such a mask would be lost.
         - **Second derivatives.** Refused if a gradient is taken under a tape, as in a gradient penalty, or by `jacobian`.
         - **Effects.** Refused if a block prints, changes an attribute, `self.scores = scores`, or draws random numbers that
           aren't a layer's own, `tf.random.normal(shape)`.
         - **Single layers.** Not rewritten for layers that keep little but their input, as `Dense`.
         - **Builders.** Refused unless one tensor alone is handed from iteration to iteration: `skips.append(x)`.
         - **Unknown layers.** From the text refused unless it is known what makes the layers: `Net(blocks)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import gast

from tfrewrite.analyses.functional_cuts import Cuts, cuts
from tfrewrite.analyses.helper_functions import above_comments, helper_of, joined, written_already
from tfrewrite.analyses.layers_run_again import (
    call_of,
    class_of_file,
    is_block,
    is_composite,
    is_known,
    is_layer_class,
    keras_name,
    makers,
    minds_training,
    reached,
    takes_training,
    training_default,
    why_not_again,
    why_not_in_file,
)
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.scopes import parameters, walk_within
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, transform

_CALLS = ("call", "__call__")
_SEQUENTIAL = {"keras.Sequential", "keras.models.Sequential"}
_RECOMPUTED = '''\
def {name}(layer, x, training=None):
    """Call a layer, and keep only its input for the gradient, which calls it again from the same state and seeds."""
    if not layer.built:
        return layer(x, training=training)
    state = layer.non_trainable_variables
    before = [{tf}.identity(variable) for variable in state]
    first = True

    def forward(x):
        nonlocal first
        if first:
            first = False
            return layer(x, training=training)
        # The same dropout masks once more, and no second update of statistics.
        with {keras}.StatelessScope(list(zip(state, before))):
            return layer(x, training=training)

    return {tf}.recompute_grad(forward)(x)
'''
_WITH_OTHERS = '''\
def {name}(layer, *inputs, training=None, **options):
    """Call a layer, and keep only its inputs for the gradient, which calls it again from the same state and seeds."""
    if not layer.built:
        return layer(*inputs, training=training, **options)
    state = layer.non_trainable_variables
    before = [{tf}.identity(variable) for variable in state]
    values = {tf}.nest.flatten((inputs, options))
    # Gradients reach what is an argument of `forward`; numbers, masks and None have none.
    floats = [i for i, value in enumerate(values) if {tf}.is_tensor(value) and value.dtype.is_floating]
    first = True

    def forward(*tensors):
        nonlocal first
        given = dict(zip(floats, tensors))
        args, kwargs = {tf}.nest.pack_sequence_as((inputs, options), [given.get(i, value) for i, value in enumerate(values)])
        if first:
            first = False
            return layer(*args, training=training, **kwargs)
        # The same dropout masks once more, and no second update of statistics.
        with {keras}.StatelessScope(list(zip(state, before))):
            return layer(*args, training=training, **kwargs)

    return {tf}.recompute_grad(forward)(*[values[i] for i in floats])
'''
_BETWEEN = '''\
def {name}(model, cuts):
    """Let a functional model compute again for its gradient what lies between these tensors of it."""
    cuts = [x for x in cuts if x is not model.input]
    if len(cuts) < 2:
        return model
    start = {keras}.Model(model.input, cuts[0], name=model.name)
    blocks = [{keras}.Model(x, y, name=model.name) for x, y in zip(cuts, cuts[1:])]
    end = {keras}.Model(cuts[-1], model.output, name=model.name)

    def call(inputs, training=None, mask=None):
        x = start(inputs, training=training, mask=mask)
        for block in blocks:
            x = {recomputed}(block, x, training)
        return end(x, training=training)

    model.call = call
    return model
'''


@dataclass(frozen=True)
class _Site:
    """A call of a block in `call`, and the calls that have made it; none are known of what comes from elsewhere."""

    statement: gast.Assign
    call: gast.Call
    made: tuple[gast.Call, ...] | None
    looped: bool

    @property
    def training(self) -> gast.expr | None:
        given = next((one.value for one in self.call.keywords if one.arg == "training"), None)
        if given is None and len(self.call.args) == 2 and isinstance(self.call.args[1], gast.Name) and self.call.args[1].id == "training":
            return self.call.args[1]
        return given

    @property
    def others(self) -> list[gast.keyword]:
        return [one for one in self.call.keywords if one.arg != "training"]

    @property
    def inputs(self) -> list[gast.expr]:
        return [one for one in self.call.args if one is not self.training]

    @property
    def is_plain(self) -> bool:
        """Does it take one tensor, and `training`?"""
        return len(self.inputs) == 1 and not self.others and not isinstance(self.inputs[0], gast.List | gast.Tuple | gast.Dict)


_LAYERS = '''\
def {name}(model, *blocks):
    """Let a sequential model compute its layers of these classes again for its gradient, but for the last layer."""

    def call(inputs, training=None, mask=None):
        x = inputs
        for layer in model.layers:
            again = isinstance(layer, blocks) and layer is not model.layers[-1]
            x = {recomputed}(layer, x, training) if again else layer(x, training=training)
        return x

    model.call = call
    return model
'''


@transform(gast.FunctionDef, gast.For, gast.Call, fidelity=Fidelity.ROUNDING, mentions=("keras",), late=True)
def recompute_blocks(node: gast.FunctionDef | gast.For | gast.Call, facts: Facts) -> Outcome:
    if isinstance(node, gast.FunctionDef):
        return _of_call(node, facts) if _is_call(node, facts) else None
    if isinstance(node, gast.Call):
        return _of_sequential(node, facts)
    holder = facts.parent(node)
    if not isinstance(holder, gast.FunctionDef | gast.Module) or next(one for one in holder.body if isinstance(one, gast.For)) is not node:
        return None  # all loops of a builder go together
    found = cuts(holder.body, facts)
    return _of_builder(holder, found, facts) if isinstance(found, Cuts) else found


def _is_call(function: gast.FunctionDef, facts: Facts) -> bool:
    owner = facts.scopes.class_of(function)
    return function.name in _CALLS and owner is not None and is_layer_class(owner, facts)


# Blocks that are called


def _of_call(function: gast.FunctionDef, facts: Facts) -> Outcome:
    sites = _sites(function, facts)
    if not sites:
        return None
    # A live function is compared in one call at most: that doesn't tell what unknown layers do, nor what another Keras would.
    seen = facts.world.observed
    on_trial = seen is not None and not seen.holds
    first = sites[0].call
    made = [one for site in sites for one in site.made or ()]
    unknown = next((site for site in sites if site.made is None or not all(is_known(one, facts) for one in site.made)), None)
    if unknown is not None and not on_trial:
        reason = f"what {facts.edit.short(unknown.call.func, 'it')} is made by is not known, nor what it would do twice"
        return Refusal(unknown.call, Code.UNKNOWN_CALL, reason, _TRY)
    if (refusal := why_not_in_file(first, facts) or why_not_again(reached(made, facts), facts)) is not None:
        return refusal.at(first)
    minds = unknown is not None or minds_training(reached(made, facts), facts)
    untold = next((one for one in made if not takes_training(one, facts) and minds_training(reached([one], facts), facts)), None)
    if untold is not None and not on_trial:
        return _forgotten(first, untold, facts)
    if (refusal := _why_untold(function, sites, made, facts) if minds else None) is not None:
        return refusal
    written = _helper(function, all(one.is_plain for one in _all_sites(facts)), facts)
    if isinstance(written, Refusal):
        return written
    name, helper = written
    edits = list(helper)
    for site in sites:
        edits += _recomputed(site, name, minds, facts)
    what = facts.edit.short(first.func, "each block")
    return _offered(function, first, edits, what, [site.call for site in sites], facts)


def _forgotten(place: gast.AST, untold: gast.Call, facts: Facts) -> Refusal:
    shown = facts.edit.short(untold.func, "a layer")
    reason = f"the call of {shown} has no parameter training, and Keras 3.8 and older would forget it in the second run"
    return Refusal(place, Code.GRADIENTS, reason, "Give it one, and pass it on to the layers that mind it.")


_TRY = "--verify tries it, and keeps it where it saves."


def _offered(
    region: gast.AST, place: gast.AST, edits: Iterable[Edit], what: str, values: Iterable[gast.AST], facts: Facts, least: int | None = None
) -> Rewrite:
    """A rewrite that is made where it is measured."""
    reason = f"{what} keeps its input alone for the gradient, and is computed again"
    # What a model that is built here runs in, as the graph of `fit`, is another question.
    rounded = () if isinstance(region, gast.FunctionDef) and _is_call(region, facts) and facts.mode(place) is Mode.EAGER else tuple(values)
    if facts.of_the_text is not facts:
        return Rewrite(region, tuple(edits), reason, region=(region,), later=True, rounded=rounded)
    size = f", of {least / 1e6:,.0f} MB at least" if least else ""
    doubt = f"{what} could be computed again for the gradient, instead of keeping what is inside of it{size}: up to 1.5 times the time"
    refusal = Refusal(place, Code.TRADE, doubt, _TRY)
    return Rewrite(region, tuple(edits), reason, evidence=Evidence.UNPROVEN, doubt=refusal, region=(region,), later=True, rounded=rounded)


def _sites(function: gast.FunctionDef, facts: Facts, around: tuple[gast.FunctionDef, ...] = ()) -> list[_Site]:
    """The calls of blocks: all in loops, and all but the last of those that stand one after the other.

    Blocks whose own blocks are recomputed are not recomputed themselves: the smaller they are, the less is needed at once.
    """
    found = [site for node in facts.scopes.within(function) if (site := _site(node, function, facts)) is not None]
    found = [site for site in found if not _holds_blocks(site, facts, (*around, function))]
    found.sort(key=lambda one: (one.call.lineno, one.call.col_offset))
    chain = [site for site in found if not site.looped]
    last = chain[-1] if chain and found and found[-1] is chain[-1] else None
    return [site for site in found if site is not last]


def _holds_blocks(site: _Site, facts: Facts, around: tuple[gast.FunctionDef, ...]) -> bool:
    for owner in reached(site.made or (), facts).definitions:
        method = facts.callers.method_of(owner, "call")
        if isinstance(method, gast.FunctionDef) and method not in around and _is_call(method, facts) and _sites(method, facts, around):
            return True
    return False


def _site(node: gast.AST, function: gast.FunctionDef, facts: Facts) -> _Site | None:
    match node:
        case gast.Assign(targets=[target], value=gast.Call(func=called, args=[_, *_]) as call):
            pass
        case _:
            return None
    if any(isinstance(one, gast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
        return None
    looped = next((one for one in facts.scopes.ancestors(node) if isinstance(one, gast.For | gast.While) or one is function), function)
    in_loop = isinstance(looped, gast.For)
    if isinstance(looped, gast.While) or (not in_loop and facts.parent(node) is not function):
        return None
    match called:
        case gast.Attribute(value=gast.Name(id="self")) if (
            _feeds_itself(target, call) if in_loop else not _is_given(call.args[0], function, facts)
        ):
            made = makers(called, facts)
        case gast.Subscript(value=gast.Attribute(value=gast.Name(id="self"))) if in_loop and _feeds_itself(target, call):
            made = makers(called, facts)
        case gast.Name() if in_loop and _feeds_itself(target, call) and _loops_over_own(called, looped, facts):
            made = makers(called, facts)
        case _:
            return None
    if made is None:
        return _Site(node, call, None, True) if in_loop else None
    counts = is_composite if in_loop else is_block
    if not made or not all(counts(one, facts) and (in_loop or is_known(one, facts)) for one in made):
        return None
    return _Site(node, call, made, in_loop)


def _is_given(node: gast.AST, function: gast.FunctionDef, facts: Facts) -> bool:
    """Is it what `call` is given? What comes first keeps little, and may well be given numbers of words."""
    given = set(parameters(function))
    return isinstance(node, gast.Name) and not given.isdisjoint(facts.flow.definitions(node) or ())


def _feeds_itself(target: gast.AST, call: gast.Call) -> bool:
    given = {one.id for one in gast.walk(target) if isinstance(one, gast.Name)}
    read = {
        one.id for value in (*call.args, *(one.value for one in call.keywords)) for one in gast.walk(value) if isinstance(one, gast.Name)
    }
    return not given.isdisjoint(read)


def _loops_over_own(name: gast.Name, loop: gast.AST, facts: Facts) -> bool:
    """Is it what a loop takes from an attribute of the object?"""
    assert isinstance(loop, gast.For)
    named = any(isinstance(one, gast.Name) and one.id == name.id for one in gast.walk(loop.target))
    return named and any(
        isinstance(one, gast.Attribute) and isinstance(one.value, gast.Name) and one.value.id == "self" for one in gast.walk(loop.iter)
    )


def _all_sites(facts: Facts) -> Iterator[_Site]:
    """Those of the whole file, for which one helper has to do."""
    for function in facts.nodes((gast.FunctionDef,)):
        if isinstance(function, gast.FunctionDef) and _is_call(function, facts):
            yield from _sites(function, facts)


def _why_untold(function: gast.FunctionDef, sites: Sequence[_Site], made: Sequence[gast.Call], facts: Facts) -> Refusal | None:
    """Why it isn't known what the blocks, which mind it, are told of training: the second run has to be told the same."""
    if all(site.training is not None for site in sites):
        return None
    if (default := training_default(function)) is None:
        reason = "call has no parameter training, so what its blocks are told is known in the first run alone"
        return Refusal(
            function,
            Code.GRADIENTS,
            reason,
            "Give it one and pass it on. Keras tells a model that it trains only then, so dropout may begin.",
        )
    rebound = [
        one for one in walk_within(function) if isinstance(one, gast.Name) and one.id == "training" and not isinstance(one.ctx, gast.Load)
    ]
    others = [training_default(method) for one in made if (method := call_of(one, facts)) is not None]
    if rebound or any(isinstance(one, gast.Constant) and one.value for one in (default, *others)):
        reason = "what the blocks are told of training isn't what call is: it has another value, or another default"
        return Refusal(function, Code.MAY_CHANGE, reason, "Pass training to each block.")
    return None


def _recomputed(site: _Site, name: str, minds: bool, facts: Facts) -> tuple[Edit, ...]:
    """The call of a block by the helper."""
    parts: list[str | tuple[gast.AST, int]] = [f"{name}(", (site.call.func, 1)]
    for one in site.inputs:
        parts += [", ", (one, 1)]
    label = "" if site.is_plain else "training="
    if site.training is not None:
        parts += [f", {label}", (site.training, 1)]
    elif minds:
        parts += [f", {label}training"]
    for other in site.others:
        parts += [f", {other.arg}=", (other.value, 1)]
    return facts.edit.rebuild(site.call, [*parts, ")"])


# Functional models


def _of_builder(node: gast.FunctionDef | gast.Module, found: Cuts, facts: Facts) -> Outcome:
    place = found.loops[0][0]
    used = [one for statement in node.body for one in (statement, *walk_within(statement)) if isinstance(one, gast.Call)]
    calls = [one for loop, _ in found.loops for one in walk_within(loop) if isinstance(one, gast.Call)]
    if not any(keras_name(one.func, facts).startswith("keras.layers.") or is_known(one, facts) or _is_own(one, facts) for one in calls):
        return None
    if (refusal := why_not_in_file(place, facts) or why_not_again(reached(used, facts), facts)) is not None:
        return refusal.at(place)
    lists = "cuts" if not facts.is_bound("cuts", node) else "recomputed_from"
    if facts.is_bound(lists, node):
        return Refusal(place, Code.NAME_TAKEN, f"{lists} means something else already")
    heads = [facts.edit.head_of_body(loop.body, facts.source.span(loop.iter).end) for loop, _ in found.loops]
    start = facts.source.span(place).start
    line = facts.source.line_start(start)
    above = above_comments(line, facts)
    if None in heads or facts.source.text[line:start].strip():
        return Refusal(place, Code.LAYOUT, "the loop shares its lines with other statements")
    written = _helper(place, True, facts)
    if isinstance(written, Refusal):
        return written
    recomputed, helper = written
    more = helper_of(_BETWEEN, "recompute_between", place, facts, recomputed)
    if isinstance(more, Refusal):
        return more
    between, second = more
    newline = facts.source.newline
    edits = [Edit(above, above, f"{facts.source.text[line:start]}{lists} = []{newline}")]
    for (_, handed), head in zip(found.loops, heads, strict=True):
        assert head is not None
        edits.append(Edit(head[0], head[0], f"{head[1]}{lists}.append({handed}){newline}"))
    edits += facts.edit.rebuild(found.model, [f"{between}(", (found.model, 1), f", {lists})"])
    return _offered(
        node if isinstance(node, gast.FunctionDef) else place,
        place,
        joined([*helper, *second, *edits]),
        "each iteration of the loop",
        [found.model],
        facts,
    )


def _is_own(call: gast.Call, facts: Facts) -> bool:
    return facts.callers.function_called(call) is not None


# Sequential models


def _of_sequential(call: gast.Call, facts: Facts) -> Outcome:
    """A model of layers that the file defines itself, one after the other."""
    match facts.parent(call):
        case gast.Assign(targets=[gast.Name()]) | gast.Return() if keras_name(call.func, facts) in _SEQUENTIAL and call.args:
            layers = call.args[0]
        case _:
            return None
    made = makers(layers, facts) or ()
    blocks = [one for one in made if (owner := class_of_file(one.func, facts)) is not None and is_layer_class(owner, facts)]
    repeated = [one for one in gast.walk(layers) if isinstance(one, gast.ListComp) or isinstance(getattr(one, "op", None), gast.Mult)]
    several = any(one in blocks for node in repeated for one in gast.walk(node))
    if not blocks or (len(blocks) < 3 and not several) or _is_part(call, facts):
        return None
    if (refusal := why_not_in_file(call, facts) or why_not_again(reached(blocks, facts), facts)) is not None:
        return refusal.at(call)
    untold = next((one for one in blocks if not takes_training(one, facts) and minds_training(reached([one], facts), facts)), None)
    if untold is not None:
        return _forgotten(call, untold, facts)
    written = _helper(call, True, facts)
    if isinstance(written, Refusal):
        return written
    recomputed, helper = written
    more = helper_of(_LAYERS, "recompute_layers", call, facts, recomputed)
    if isinstance(more, Refusal):
        return more
    name, second = more
    classes = ", ".join(dict.fromkeys(facts.source.text_of(one.func) for one in blocks))
    edits = [*helper, *second, *facts.edit.rebuild(call, [f"{name}(", (call, 1), f", {classes})"])]
    return _offered(call, call, joined(edits), f"each {classes}", [call], facts)


def _is_part(call: gast.Call, facts: Facts) -> bool:
    """May the model be made for a class, whose own call of it is computed again as a whole?"""
    function = facts.scopes.function_of(call)
    if function is None:
        return False
    uses = [function, *(one.node for one in facts.callers.references(function))]
    return any(isinstance(one, gast.ClassDef) for use in uses for one in facts.scopes.ancestors(use))


# The helpers


def _helper(node: gast.AST, plain: bool, facts: Facts) -> tuple[str, list[Edit]] | Refusal:
    """The name of the helper, and the edits that write it where the file has none."""
    other = written_already(_WITH_OTHERS, "recomputed", node, facts)
    if other is not None:
        return other, []
    return helper_of(_RECOMPUTED if plain else _WITH_OTHERS, "recomputed", node, facts)
