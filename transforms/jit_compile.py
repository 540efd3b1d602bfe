"""Let XLA compile a formula whose steps need each other, so that no step is kept.

Before:  @tf.function
         def bell(x):
             rising = tf.exp(x)
             falling = tf.exp(-x)
             return (rising - falling) / (rising + falling)
After:   @tf.function(jit_compile=True)
         def bell(x):
             ...

Why:     A graph runs operation by operation, and holds what a later one still needs: 16.0 MB with `x` of 4 MB. XLA makes
         one loop over the elements of all of it: 4.0 MB, the result alone, and 0.8 ms for 2.4.
         `(x - y) * (x + y) + x * y`: 12.0 -> 4.0 MB; `0.5 * x * (1 + tanh(...))`: 8.0 -> 4.0 MB. To compile takes 0.1 to
         0.3 s and 2 to 8 MB, in the first call.
Safety:  - **Formulas only.** Proven for at most 12 elementwise operations on tensors of one size, scalars and numbers.
           Others are tried with `--verify`: `softmax(matmul(q, k))` takes 8.8 MB in a graph, 17.2 under XLA.
         - **Chains.** Refused if a graph holds no more either: `square(x) * 2 + 1` takes 4.0 MB with and without XLA.
           Refused too for results of less than 4 MB.
         - **Slow operations.** Refused for `sin`, `cos`, `atan` and the like, and for `rsqrt`: they take 8 times as long
           under XLA.
         - **Sizes.** Refused unless all calls are known and have one size: XLA compiles again for each size, and 100 sizes
           of `x[:n]` take 31 MB.
         - **Other meaning under XLA.** Refused for `maximum(nan, 1)` (XLA: 1), `x[3]` of 3 rows (XLA: row 2), random
           numbers and assertions.
         - **Numbers that cancel.** Refused for `1 + 1e8 - 1e8` (a graph: 1, XLA: 0), `log(exp(1000.0))` (XLA: 1000, not
           infinite) and `x / x`.
         - **Rounding.** Refused where other last bits decide something: `floor(1 / x)`, or a caller that casts to `tf.int32`. The
           example above needs `--fidelity tolerance`, as `rising - falling` may cancel.
         - **Cost of XLA.** Refused unless the result is larger than what XLA costs the process: 80 MB for the first
           function, 15 for each other one. With `--for time` any result counts, also `bell(x)` of 4 MB.
         - **Tapes and other graphs.** Refused under a `tf.GradientTape`, which keeps what XLA computes, and for functions
           that compiled functions call.
         - **Modules.** Refused for a function that others may import, as `bell` of a library: their sizes and tapes are
           unknown.
"""

from __future__ import annotations

from dataclasses import dataclass

import gast

from tfrewrite.analyses.elementwise_formulas import LEAST_BYTES, MOST_OPERATIONS, Obstacle, formula, why_not_alone
from tfrewrite.analyses.moves_into_graphs import Move
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Sort
from tfrewrite.facts.scopes import walk_within
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, Setup, Worth, transform
from tfrewrite.rounding.operations import Backend, beyond_rounding, changed

_HARMLESS_SETTINGS = {"autograph"}


@dataclass(frozen=True)
class _Site:
    """A function, and the decorator or call of `tf.function` that compiles it."""

    function: gast.FunctionDef
    maker: gast.AST
    is_decorated: bool


@transform(gast.FunctionDef, gast.Call, fidelity=Fidelity.ROUNDING, mentions=("function",))
def jit_compile(node: gast.FunctionDef | gast.Call, facts: Facts) -> Outcome:
    site = _site(node, facts)
    if site is None or facts.contexts.compiled_by_xla(site.function.body[0]) or not _only_computes(site.function, facts):
        return None
    function = site.function
    if refusal := _settings(site) or why_not_alone(function, facts):
        return refusal.at(node)
    if not facts.callers.called_repeatedly(function):
        return Refusal(node, Code.NO_GAIN, f"{function.name} is called once, and to compile it takes longer")
    found = Move(facts, True).obstacle(function.body) or beyond_rounding(function.body, facts, Backend.XLA)
    if found is not None:
        return found.saying(f"{facts.edit.short(found.node, 'an operation')}: {found.reason}")
    edit = _edit(site, facts)
    if edit is None:
        return None
    result = formula(function, facts)
    if isinstance(result, Obstacle):
        why = result.why
        if result.differs:
            return why.saying(f"{facts.edit.short(why.node, 'an operation')}: {why.reason}")
        return _on_trial(node, function, edit, f"{facts.edit.short(why.node, 'a part')}: {why.reason}", facts)
    if result.slow:
        return Refusal(node, Code.NO_GAIN, result.slow)
    if not result.forks:
        return Refusal(
            node,
            Code.NO_GAIN,
            "no step of it needs two others at once: as a graph it holds no more than its result already, whatever names its steps have",
        )
    if result.size < LEAST_BYTES:
        return Refusal(node, Code.TOO_SMALL, f"it saves about {result.size / 1e6:.2g} MB, and to compile it takes 2 to 8 MB")
    if result.operations > MOST_OPERATIONS:
        return _on_trial(node, function, edit, f"XLA may make several loops of {result.operations} operations", facts)
    worth = Worth(Setup.XLA, result.size)  # a graph holds two steps at least beside each other, and XLA the result alone
    reason = f"XLA keeps none of the steps of {function.name}"
    return Rewrite(node, (edit,), reason, region=(function,), rounded=changed(function.body, facts, Backend.XLA), worth=worth)


def _on_trial(node: gast.AST, function: gast.FunctionDef, edit: Edit, why: str, facts: Facts) -> Outcome:
    """XLA compiles it to something that means the same, and nobody knows whether that needs less."""
    if refusal := _known_to_lose(function, facts):
        return refusal.at(node)
    if (unknown := _size_unknown(function, facts)) is not None:
        return Refusal(unknown, Code.UNKNOWN_SHAPE, f"the size of {unknown.id} is not known, and XLA compiles again for each")
    reason = f"XLA compiles {function.name}"
    if facts.of_the_text is not facts:  # what a run has shown is tried out, and kept where the peak falls
        return Rewrite(node, (edit,), reason, region=(function,), rounded=changed(function.body, facts, Backend.XLA))
    doubt = Refusal(
        node,
        Code.XLA,
        f"{why}, and what XLA holds at once is known only by trial",
        "--verify tries it, and keeps it where it saves.",
    )
    return Rewrite(node, (edit,), reason, evidence=Evidence.UNPROVEN, doubt=doubt, region=(function,))


def _site(node: gast.FunctionDef | gast.Call, facts: Facts) -> _Site | None:
    match node:
        case gast.FunctionDef(decorator_list=[maker]) if facts.contexts.makes_graph(node):
            plain = facts.names(maker) == "tensorflow.function" or facts.called(maker) == "tensorflow.function"
            return _Site(node, maker, True) if plain else None
        case gast.Call(args=[gast.Name() as name]) if facts.called(node) == "tensorflow.function":
            function = facts.callers.function_named(name)
            if isinstance(function, gast.FunctionDef) and isinstance(facts.parent(node), gast.Assign):
                return _Site(function, node, False) if not function.decorator_list else None
    return None


def _only_computes(function: gast.FunctionDef, facts: Facts) -> bool:
    """Is it a program's function of tensors, one assignment after the other, of at least two operations?"""
    statements = [one for one in function.body if not (isinstance(one, gast.Expr) and isinstance(one.value, gast.Constant))]
    if facts.callers.is_method(function) or not all(isinstance(one, gast.Assign | gast.AnnAssign | gast.Return) for one in statements):
        return False
    nodes = [node for one in statements for node in walk_within(one)]
    operations = [one for one in nodes if isinstance(one, gast.BinOp | gast.UnaryOp | gast.Compare | gast.Call)]
    if sum(facts.kind(one).sort is Sort.TENSOR for one in operations) < 2 or facts.in_test(function):
        return False
    return all(facts.called(one) is not None for one in nodes if isinstance(one, gast.Call))


def _settings(site: _Site) -> Refusal | None:
    if not isinstance(site.maker, gast.Call):
        return None
    keywords = [one.arg or "**" for one in site.maker.keywords]
    if not {"input_signature", "reduce_retracing"}.isdisjoint(keywords):
        return Refusal(site.maker, Code.NO_GAIN, "its tf.function is made for tensors of several sizes, and XLA compiles again for each")
    known = len(site.maker.args) == (0 if site.is_decorated else 1) and _HARMLESS_SETTINGS.issuperset(keywords)
    return None if known else Refusal(site.maker, Code.XLA, "what its tf.function is given may not go with XLA")


def _edit(site: _Site, facts: Facts) -> Edit | None:
    setting = "jit_compile=True"
    end = facts.source.span(site.maker).end
    match site.maker:
        case gast.Call(args=[], keywords=[]):
            return Edit(end - 1, end - 1, setting)
        case gast.Call():
            return facts.edit.append_argument(site.maker, setting)
    return Edit(end, end, f"({setting})")


# Where only a trial tells


def _known_to_lose(function: gast.FunctionDef, facts: Facts) -> Refusal | None:
    """What XLA was measured to need more memory for, whatever is around it."""
    names = [(facts.called(one) or "").removeprefix("tensorflow.") for one in walk_within(function) if isinstance(one, gast.Call)]
    products = any(facts.product(one) is not None for one in walk_within(function)) or "einsum" in names
    if products and any(one in ("nn.softmax", "nn.log_softmax", "reduce_logsumexp") for one in names):
        return Refusal(function, Code.NO_GAIN, "XLA holds the product twice for the softmax: 8.8 MB become 17.2 of 8 x 512 x 512 numbers")
    if any(one.startswith("reduce_") for one in names):
        for one in walk_within(function):
            if isinstance(one, gast.BinOp) and (rank := facts.kind(one).rank) is not None and rank > 2:
                sides = [facts.kind(side).size for side in (one.left, one.right)]
                size = facts.kind(one).size
                if size is not None and all(side is not None and side < size for side in sides):
                    return Refusal(
                        function,
                        Code.NO_GAIN,
                        "XLA holds what is broadcast before it is reduced, and its copy: 65.0 MB become 67.0 of 500 x 500 x 64 numbers",
                    )
    return None


def _size_unknown(function: gast.FunctionDef, facts: Facts) -> gast.Name | None:
    parameters = facts.scopes.of[function].bindings
    for nodes in parameters.values():
        for one in nodes:
            if isinstance(facts.parent(one), gast.arguments) and isinstance(one, gast.Name):
                kind = facts.kind(one)
                if kind.sort is not Sort.TENSOR or kind.size is None:
                    return one
    return None
