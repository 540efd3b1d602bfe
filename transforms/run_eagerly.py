"""Remove a debugging switch that keeps every `tf.function` from being compiled.

Before:  import tensorflow as tf

         tf.config.run_functions_eagerly(True)
         step(x)
After:   import tensorflow as tf

         step(x)

Why:     With this left in, every `tf.function` of the program, those of libraries too, runs op by op: no fused operations,
         and every name holds its tensor. `y = square(x); z = y * 2; return z + 1` needs 12.0 MB for `x` of 4 MB, and 4.0 as
         a graph; 1000 iterations of a loop over `[10, 10]` take 134 ms, and 11. `enable_debug_mode` does the same to the
         functions of a `tf.data` pipeline (5000 elements: 1.4 s, and 0.5), `compile(run_eagerly=True)` to a Keras model.
Safety:  - **On request.** Rewritten with `--unsafe` only, and reported in every run: a function may need `.numpy()`,
           `print`, a debugger or a Python counter, and results differ in rounding.
         - **Memory of graphs.** Not every graph needs less: the gradient of eight products of `[500, 500]` takes 13.9 MB
           eagerly and 17.6 in a graph.
         - **Functions that need it.** Only reported if a compiled function of the file calls `.numpy()`.
         - **Deliberate use.** Not reported in tests, under `if debug:`, in `try` or `with`, in a function of its own, with a
           name or parameter as value, or if the file switches it back.
         - **Layout.** Only reported if the line is all that its block has, or if a comment belongs to it: `# for the
           debugger`.
         - **Second switch.** Only reported if another line of the file that is kept switches the same:
           `tf.config.run_functions_eagerly(True)` twice.
"""

from __future__ import annotations

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import DEFINITIONS, Function
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, transform

_FUNCTIONS = "every tf.function of the program"
_MODEL = "every step of the model"
_SWITCHES = {
    "tensorflow.config.run_functions_eagerly": _FUNCTIONS,
    "tensorflow.config.experimental_run_functions_eagerly": _FUNCTIONS,
    "tensorflow.data.experimental.enable_debug_mode": "every function of a tf.data pipeline",
}
_STEPS = {"call", "__call__", "train_step", "test_step", "predict_step", "update_state", "result"}


@transform(
    gast.Call, gast.Assign, fidelity=Fidelity.ROUNDING, mentions=("run_functions_eagerly", "enable_debug_mode", "run_eagerly"), reports=True
)
def run_eagerly(node: gast.Call | gast.Assign, facts: Facts) -> Outcome:
    edits: tuple[Edit, ...] | None
    match node:
        case gast.Call(func=gast.Attribute(attr="compile"), keywords=keywords):
            given = [one for one in keywords if one.arg == "run_eagerly" and _is_true(one.value)]
            if not given or _on_purpose(node, facts):
                return None
            what, edits = _MODEL, (facts.edit.remove_argument(node, given[0]),)
        case gast.Assign(targets=[gast.Attribute(attr="run_eagerly", value=gast.Name(id=name))], value=value):
            if name == "self" or not _is_true(value) or _on_purpose(node, facts) or _switched_back(node, facts):
                return None
            what, edits = _MODEL, facts.edit.delete_paragraph(node)
        case gast.Call():
            what, statement = _SWITCHES.get(facts.called(node) or "", ""), facts.parent(node)
            if not what or not isinstance(statement, gast.Expr) or not _is_on(node):
                return None
            if _on_purpose(node, facts) or _switched_back(node, facts):
                return None
            edits = facts.edit.delete_paragraph(statement)
        case _:
            return None
    return _outcome(node, what, edits, facts)


def _outcome(node: gast.Call | gast.Assign, what: str, edits: tuple[Edit, ...] | None, facts: Facts) -> Outcome:
    remedy = "Remove it where it was there for debugging."
    says = f"{what} runs eagerly with this left in"
    if (reader := _reads_values(node, facts)) is not None:
        return Refusal(node, Code.PYTHON_NUMBER, f"{says}, and {reader} needs that: it calls .numpy()", remedy)
    if edits is None:
        return Refusal(node, Code.LAYOUT, f"{says}, and its line can't be taken out by itself: {_what_stays(node, facts)}", remedy)
    if (other := _other_switch(node, facts)) is not None:
        return Refusal(
            node, Code.SETTINGS, f"{says}, and line {facts.source.line_of(facts.source.span(other).start)} switches it on too", remedy
        )
    doubt = f"{says}, and it isn't known that nothing needs that, by .numpy(), print or state in Python"
    return Rewrite(node, edits, f"{what} is a graph again", evidence=Evidence.UNPROVEN, doubt=Refusal(node, Code.BEHAVIOUR, doubt, remedy))


def _what_stays(node: gast.AST, facts: Facts) -> str:
    """Why a statement can't go with its line."""
    statement, source = facts.scopes.statement(node), facts.source
    span = source.span(statement)
    before, after = source.text[source.line_start(span.start) : span.start], source.text[span.end : source.line_end(span.end)]
    if before.strip() or after.strip() not in ("", ";") and not after.lstrip().startswith("#"):
        return "it shares its line with another statement"
    return "a comment or its block belongs to it"


def _other_switch(node: gast.AST, facts: Facts) -> gast.AST | None:
    """Another call that switches the same on, and that would stay."""
    if facts.called(node) not in _SWITCHES:
        return None
    for one in facts.nodes((gast.Call,)):
        if one is not node and facts.called(one) == facts.called(node):
            statement = facts.parent(one)
            goes = isinstance(statement, gast.Expr) and not _on_purpose(one, facts) and facts.edit.delete_paragraph(statement) is not None
            if not goes:
                return one
    return None


def _is_true(node: gast.AST) -> bool:
    return isinstance(node, gast.Constant) and node.value is True


def _is_on(call: gast.AST) -> bool:
    assert isinstance(call, gast.Call)
    given = [*call.args, *(one.value for one in call.keywords)]
    return (
        len(given) <= 1
        and all(map(_is_true, given))
        and bool(given) == (getattr(call.func, "attr", getattr(call.func, "id", "")) != "enable_debug_mode")
    )


# Who wants it so


def _on_purpose(node: gast.AST, facts: Facts) -> bool:
    """Is it in a test, or under something that decides about it?"""
    inner: gast.AST = node
    for ancestor in facts.scopes.ancestors(node):
        match ancestor:
            case gast.If() if not facts.callers.is_main_guard(ancestor):
                return True
            case gast.Try() | gast.With() | gast.AsyncWith() | gast.Match() | gast.Lambda() | gast.IfExp() | gast.BoolOp():
                return True
            case gast.FunctionDef() | gast.AsyncFunctionDef() if [one for one in ancestor.body if not _is_docstring(one)] == [inner]:
                return True
        inner = ancestor
    return facts.in_test(node)


def _is_docstring(statement: gast.stmt) -> bool:
    return isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Constant)


def _switched_back(node: gast.Call | gast.Assign, facts: Facts) -> bool:
    """Does the file also give the switch another value than a plain True?"""
    if isinstance(node, gast.Assign):
        others = [one for one in facts.scopes.attribute_stores if one.attr == "run_eagerly"]
        return not all(isinstance(store := facts.parent(one), gast.Assign) and _is_true(store.value) for one in others)
    same = [one for one in facts.nodes((gast.Call,)) if facts.called(one) in _SWITCHES and facts.called(one) == facts.called(node)]
    return not all(map(_is_on, same))


def _reads_values(node: gast.Call | gast.Assign, facts: Facts) -> str | None:
    """A function of the file that would be compiled, and calls `.numpy()`."""
    for method in facts.nodes((gast.Attribute,)):
        call = facts.parent(method)
        if method.attr != "numpy" or not isinstance(call, gast.Call) or call.func is not method:
            continue
        for function in facts.scopes.ancestors(method):
            if isinstance(function, DEFINITIONS) and _would_be_compiled(function, node, facts):
                return str(function.name)
    return None


def _would_be_compiled(function: Function, node: gast.AST, facts: Facts) -> bool:
    if facts.called(node) in _SWITCHES:
        return facts.contexts.traced(function)
    names = {one.id for one in gast.walk(node) if isinstance(one, gast.Name)}
    return function.name in names or (function.name in _STEPS and facts.callers.is_method(function))
