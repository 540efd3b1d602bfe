"""Compute a loss over many classes in blocks of rows, each of them again for its gradient.

Before:  logits = tf.matmul(hidden, kernel) + bias
         loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=words, logits=logits))
After:   def loss_of_rows(hidden, words, kernel, bias):
             logits = tf.matmul(hidden, kernel) + bias
             return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=words, logits=logits))

         loss = mean_by_rows(loss_of_rows, hidden, words, kernel, bias)

Also:    `loss_fn(words, logits)` of `keras.losses.SparseCategoricalCrossentropy(from_logits=True)`; labels of classes,
         `softmax_cross_entropy_with_logits`; contrastive losses, `tf.matmul(a, b, transpose_b=True) / temperature`; a layer
         `Dense`. The helper is written above the first class or function of the file.

Why:     A gradient keeps the results for all classes, and what the loss makes of them, several times their size. In eight
         blocks an eighth of that is needed at once. 1,024 rows and a vocabulary of 20,000, peak and CPU time of a warm step:

             eager code                   328 -> 84 MB     0.37 -> 0.44 s
             `tf.function`                133 -> 44 MB     0.24 -> 0.34 s
             with `jit_compile=True`      219 -> 48 MB     0.23 -> 0.20 s

         The matrix has a gradient in each block, so few rows gain nothing: left alone if the results are known to need less
         than 16 MB, as a contrastive loss over a batch of 528 (1.1 MB: 8 MB became 11). It is always measured: `--verify`
         keeps it where it saves, `--unsafe` makes it unmeasured, and `tfrewrite explain` shows where it is possible.
Safety:  - **Row by row.** Refused unless it is a product with what all rows share, more of the kind, and the mean of a
           cross-entropy: `tf.nn.softmax(logits, axis=0)` mixes rows.
         - **Gradients.** What all rows share is an argument of each block, as are the variables of a layer: what is captured
           has none. Refused for `Dense` under Keras 2 or a policy of mixed precision.
         - **Other readers.** Refused if the results are read again: `return loss, logits`.
         - **Second derivatives.** Refused if a gradient is taken under a tape, or by `tape.jacobian`.
         - **Names.** Refused unless operands have names: `tf.matmul(encoder(x), kernel)` would run the encoder in each block.
         - **Rounding.** A mean of blocks is rounded otherwise: refused if `loss > 1.0` decides something.
         - **Sizes.** Of a number of rows that a graph doesn't know, `[None, 64]`, the helper computes all at once.
"""

from __future__ import annotations

import gast

from tfrewrite.analyses.helper_functions import above_comments, helper_of, joined
from tfrewrite.analyses.layers_run_again import why_no_second_derivative
from tfrewrite.analyses.losses_of_rows import LossOfRows, loss_of_rows
from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.loops.loop_text import holds_long_texts
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, transform

_LEAST = 16e6
_WIDTH = 100
_HELPER = '''\
def {name}(loss, rows, labels, *shared):
    """The mean of a loss over rows, in eight blocks, each of which is computed again for its gradient."""
    if not rows.shape[0] or rows.shape[0] < 8:
        return loss(rows, labels, *shared)

    @{tf}.recompute_grad
    def of_block(rows, labels, *shared):
        return loss(rows, labels, *shared) * rows.shape[0]

    # Gradients reach what is an argument.
    labels, *shared = [{tf}.convert_to_tensor(x) for x in (labels, *shared)]
    size = rows.shape[0] // 8
    whole = 8 * size
    blocks = tuple({tf}.reshape(x[:whole], [8, size, *x.shape[1:]]) for x in (rows, labels))
    total = {tf}.reduce_sum(
        {tf}.map_fn(lambda block: of_block(*block, *shared), blocks, fn_output_signature=rows.dtype, parallel_iterations=1)
    )
    if whole < rows.shape[0]:
        total += of_block(rows[whole:], labels[whole:], *shared)
    return total / rows.shape[0]
'''
_WITH_LAYER = '''\
def {name}(loss, rows, labels, *shared, layer):
    """The mean of a loss over rows, in eight blocks, each of which is computed again for its gradient."""
    if not rows.shape[0] or rows.shape[0] < 8:
        return loss(rows, labels, *shared)
    if not layer.built:
        layer(rows[:1])
    variables = layer.trainable_variables

    @{tf}.recompute_grad
    def of_block(rows, labels, *values):
        with {keras}.StatelessScope(list(zip(variables, values))):
            return loss(rows, labels, *values[len(variables) :]) * rows.shape[0]

    # Gradients reach what is an argument.
    labels, *values = [{tf}.convert_to_tensor(x) for x in (labels, *variables, *shared)]
    size = rows.shape[0] // 8
    whole = 8 * size
    blocks = tuple({tf}.reshape(x[:whole], [8, size, *x.shape[1:]]) for x in (rows, labels))
    total = {tf}.reduce_sum(
        {tf}.map_fn(lambda block: of_block(*block, *values), blocks, fn_output_signature=rows.dtype, parallel_iterations=1)
    )
    if whole < rows.shape[0]:
        total += of_block(rows[whole:], labels[whole:], *values)
    return total / rows.shape[0]
'''
_SETTINGS = ("mixed_", "tf_keras", "TF_USE_LEGACY_KERAS", "set_floatx", "set_dtype_policy")
_TRY = "--verify tries it, and keeps it where it saves."


@transform(gast.Call, fidelity=Fidelity.ROUNDING, mentions=("ross_entropy", "rossentropy"), late=True)
def loss_by_rows(call: gast.Call, facts: Facts) -> Outcome:
    on_trial = facts.of_the_text is not facts
    found = loss_of_rows(call, facts, on_trial)
    if found is None or not facts.taped(call) or _is_by_rows(call, facts):
        return None
    if isinstance(found, Refusal):
        return found
    if found.size is not None and found.size < _LEAST:
        reason = f"all that it makes of its rows is {found.size / 1e6:,.1f} MB, and each block has a gradient of the matrix"
        return Refusal(call, Code.TOO_SMALL, reason)
    if found.size is None and not on_trial:
        return Refusal(call, Code.UNKNOWN_SHAPE, "how large the results for all classes are is not known", _TRY)
    if (refusal := why_no_second_derivative(call, facts)) is not None:
        return refusal
    if found.layer is not None and (word := next((one for one in _SETTINGS if one in facts.source.text), None)) is not None:
        return Refusal(call, Code.SETTINGS, f"the file names {word}, and what dtype the layer computes in, and how, is not known")
    return _rewritten(call, found, facts)


def _is_by_rows(call: gast.Call, facts: Facts) -> bool:
    """Does it stand in what is called for blocks already?"""
    function = facts.scopes.function_of(call)
    if not isinstance(function, gast.FunctionDef):
        return False
    given = [one for one in facts.nodes((gast.Name,)) if getattr(one, "id", "") == function.name]
    return any(isinstance(use := facts.parent(one), gast.Call) and use.func is not one for one in given)


def _is_tape(node: gast.AST, facts: Facts) -> bool:
    return isinstance(node, gast.With) and any(facts.called(one.context_expr) == "tensorflow.GradientTape" for one in node.items)


def _rewritten(call: gast.Call, found: LossOfRows, facts: Facts) -> Outcome:
    first, last = found.statements[0], found.statements[-1]
    source, newline, unit = facts.source, facts.source.newline, facts.edit.unit
    begun, end = source.line_start(source.span(first).start), source.line_end(source.span(last).end)
    start = above_comments(begun, facts)
    own = source.indentation(source.span(first).start)
    text = source.text[start:end]
    if source.text[begun : source.span(first).start].strip() or ";" in text:
        return Refusal(call, Code.LAYOUT, "the loss shares a line with another statement")
    if any(holds_long_texts(one, facts) for one in found.statements):
        return Refusal(call, Code.LAYOUT, "a string of several lines is part of the loss")
    if any(line.strip() and not line.startswith(own) for line in text.splitlines()):
        return Refusal(call, Code.LAYOUT, "a line of the loss is indented less than it")
    inner = next((one for one in ("loss_of_rows", "loss_of_some_rows") if not facts.is_bound(one, call)), None)
    if inner is None:
        return Refusal(call, Code.NAME_TAKEN, "loss_of_rows means something else already")
    template = _HELPER if found.layer is None else _WITH_LAYER
    written = helper_of(template, "mean_by_rows", call, facts)
    if isinstance(written, Refusal):
        return written
    helper, edits = written
    arguments = ", ".join((found.rows.id, found.labels.id, *found.shared))
    layer = "" if found.layer is None else f", layer={source.text_of(found.layer)}"
    value = source.span(found.value).start
    head = source.span(last).start
    moved = text[: head - start] + "return " + text[value - start :]
    lines = [f"{own}{unit}{line[len(own) :]}" if line.strip() else "" for line in moved.splitlines()]
    given = source.text[head:value]
    before = source.text[:start].splitlines()
    apart = [""] if before and before[-1].strip() and not before[-1].rstrip().endswith(":") else []
    held = [f"{one}={one}" for one in found.held if one not in (found.rows.id, found.labels.id)]
    new = [
        *apart,
        f"{own}def {inner}({', '.join([arguments, *held])}):",
        *lines,
        "",
        f"{own}{given}{helper}({inner}, {arguments}{layer})",
        "",
    ]
    if any(len(new[one]) > _WIDTH for one in (len(apart), -2)):
        return Refusal(call, Code.LAYOUT, "the loss reads so many names that they don't fit a line")
    reason = "the loss is computed in blocks of rows, and each again for its gradient"
    later = not any(_is_tape(one, facts) for one in facts.scopes.ancestors(last))
    edits = joined([*edits, Edit(start, end, newline.join(new))])
    rewrite = Rewrite(last, tuple(edits), reason, region=(first, last), later=later, rounded=(found.value,))
    if facts.of_the_text is not facts:
        return rewrite
    assert found.size is not None
    doubt = f"the loss could be computed in blocks of rows, each of them again for its gradient: all results are {found.size / 1e6:,.0f} MB"
    refusal = Refusal(call, Code.TRADE, doubt, _TRY)
    return Rewrite(
        last, tuple(edits), reason, evidence=Evidence.UNPROVEN, doubt=refusal, region=(first, last), later=later, rounded=(found.value,)
    )
