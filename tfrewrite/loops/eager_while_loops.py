"""A `tf.while_loop` that eager code runs is a Python loop: the rules look at it as if it were written so.

There its functions are called iteration by iteration, numbers stay Python numbers until the end, and its other arguments say nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from tokenize import COMMENT

import gast

from tfrewrite.codes import Code
from tfrewrite.engine import compose
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import Function, Scope, block_of
from tfrewrite.kinds import Sort
from tfrewrite.outcomes import Edit, Outcome, Refusal, Rewrite

_IGNORED = {"shape_invariants", "parallel_iterations", "swap_memory", "name"}


@dataclass(frozen=True)
class _Function:
    """What `tf.while_loop` calls: its parameters, what it does first, and what it returns."""

    parameters: tuple[str, ...]
    lines: str
    result: gast.expr
    given: frozenset[str]
    """The names of its own, beside the parameters."""
    changed: frozenset[str] = frozenset()
    """The parameters that it gives other values before it returns."""
    gone: tuple[Edit, ...] = ()
    """The edits that take its definition away."""


@dataclass(frozen=True)
class _Variable:
    """One loop variable: what it is called in the loop, what it begins as, and the name of its last value."""

    name: str
    initial: gast.expr
    target: gast.Name
    after: gast.expr
    """What an iteration makes of it."""


@dataclass(frozen=True)
class PythonLoop:
    """The file with the loop written in Python."""

    edits: tuple[Edit, ...]
    facts: Facts
    loop: gast.For | gast.While


def as_python(statement: gast.Assign, facts: Facts, rule: Callable[[gast.For | gast.While, Facts], Outcome]) -> Outcome:
    """What a rule says of the loop that a statement runs, as edits of the file as it is."""
    found = python_loop(statement, facts)
    if not isinstance(found, PythonLoop):
        return found
    match rule(found.loop, found.facts):
        case Refusal() as refusal:
            return replace(refusal, node=statement)
        case Rewrite() as outcome:
            top = next(ancestor for ancestor in (statement, *facts.scopes.ancestors(statement)) if facts.parent(ancestor) is facts.tree)
            first, length = found.edits, len(facts.source.text)
            return outcome.placed(lambda one: replace(one, node=statement, edits=compose(length, first, one.edits), region=(top,)))
    return None


def python_loop(statement: gast.Assign, facts: Facts) -> PythonLoop | Refusal | None:
    """The Python loop that does what an eager `tf.while_loop` does; None where the statement runs none."""
    call = statement.value
    if not isinstance(call, gast.Call) or facts.called(call) != "tensorflow.while_loop" or not facts.only_eager(statement):
        return None
    found = _expanded(statement, call, facts)
    if isinstance(found, Refusal):
        return found
    edits, begin = found
    other = facts.edited(edits)
    loop = next(node for node in other.nodes([gast.For, gast.While]) if other.source.span(node).start == begin)
    assert isinstance(loop, gast.For | gast.While)
    return PythonLoop(edits, other, loop)


def _expanded(statement: gast.Assign, call: gast.Call, facts: Facts) -> tuple[tuple[Edit, ...], int] | Refusal:
    """The edits that write the loop in Python, and where it begins then."""
    source = facts.source
    arguments = {
        **dict(zip(("cond", "body", "loop_vars"), call.args, strict=False)),
        **{keyword.arg: keyword.value for keyword in call.keywords},
    }
    if len(call.args) > 3 or not {"cond", "body", "loop_vars"} <= set(arguments) or None in arguments:
        return Refusal(call, Code.FORM, "what tf.while_loop is given can't be told apart")
    if other := next((name for name in arguments if name not in {"cond", "body", "loop_vars"} | _IGNORED), None):
        return Refusal(arguments[other], Code.FORM, f"{other} says more than the loop's functions do")
    span = source.span(statement)
    line = source.line_start(span.start)
    alone = not source.text[line : span.start].strip() and not source.text[span.end : source.line_end(span.end)].strip()
    if not alone or any(token.type == COMMENT for token in source.tokens_in(span)):
        return Refusal(call, Code.LAYOUT, "a comment or another statement is beside the loop")
    test = _function(arguments["cond"], statement, facts)
    body = _function(arguments["body"], statement, facts)
    for one in (test, body):
        if isinstance(one, Refusal):
            return one
    assert isinstance(test, _Function) and isinstance(body, _Function)
    if test.lines or test.parameters != body.parameters:
        return Refusal(
            arguments["cond"], Code.FORM, "the condition does more than to compare, or names the loop's variables otherwise than the body"
        )
    variables = _variables(statement, arguments["loop_vars"], body)
    if isinstance(variables, Refusal):
        return variables
    if refusal := _misunderstood(statement, variables, body, facts):
        return refusal
    indent, newline, unit = source.indentation(span.start), source.newline, facts.edit.unit
    count = _counted(statement, test.result, variables, body, facts)
    before = "".join(
        f"{indent}{variable.name} = {source.text_of(variable.initial)}{newline}"
        for variable in variables
        if variable is not count and not _is_name(variable.initial, variable.name)
    )
    head = f"while {_enclosed(test.result, facts)}:" if count is None else f"for {count.name} in {_range(count, test.result, facts)}:"
    iteration = "".join(f"{indent}{unit}{text}{newline}" for text in _iteration(variables, count, facts))
    after = "".join(
        f"{indent}{variable.target.id} = {variable.name}{newline}"
        for variable in variables
        if variable.target.id != variable.name and variable.target.id in _read_later(statement, facts)
    )
    text = f"{before}{indent}{head}{newline}{body.lines}{iteration}{after}"
    gone = sorted({*body.gone, *test.gone}, key=lambda edit: edit.start)
    shift = sum(len(one.text) - (one.end - one.start) for one in gone)
    end = source.line_end(span.end)
    return (*gone, Edit(line, end, text)), line + shift + len(before) + len(indent)


def _owner(statement: gast.AST, facts: Facts) -> Function | gast.Module:
    return facts.scopes.function_of(statement) or facts.tree


def _is_name(node: gast.AST, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name


def _enclosed(node: gast.AST, facts: Facts) -> str:
    text = facts.source.text_of(node)
    return f"({text})" if "\n" in text else text


def _function(node: gast.expr, statement: gast.Assign, facts: Facts) -> _Function | Refusal:
    """A lambda, or a function that is defined above the loop for it alone."""
    match node:
        case gast.Lambda(args=arguments, body=result):
            parameters = _parameters(arguments)
            if parameters is None:
                return Refusal(node, Code.FORM, "the loop's functions have parameters that aren't passed by position")
            return _Function(parameters, "", result, frozenset())
        case gast.Name(id=name):
            scope = facts.scopes.of[_owner(statement, facts)]
            bindings = scope.bindings.get(name, [])
            uses = [use for one in (scope, *scope.below()) for use in one.uses.get(name, ())]
            match bindings:
                case [gast.FunctionDef() as function] if uses == [node] and name not in scope.shared:
                    return _defined(function, statement, facts)
    return Refusal(
        node, Code.FORM, f"{facts.edit.short(node, 'a function')} is not a function that is beside the loop and is there for it alone"
    )


def _parameters(arguments: gast.arguments) -> tuple[str, ...] | None:
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults or arguments.posonlyargs:
        return None
    return tuple(argument.id for argument in arguments.args)


def _defined(function: gast.FunctionDef, statement: gast.Assign, facts: Facts) -> _Function | Refusal:
    source = facts.source
    parameters, scope = _parameters(function.args), facts.scopes.of[function]
    parent = facts.parent(statement)
    assert parent is not None
    block = block_of(statement, parent)
    if facts.parent(function) is not parent or function not in block or function.lineno > statement.lineno:
        return Refusal(function, Code.CONTROL_FLOW, f"{function.name} is defined in another block than the loop")
    if parameters is None or function.decorator_list or scope.outer or scope.children:
        return Refusal(function, Code.FORM, f"{function.name} is more than a plain function of its parameters")
    result = function.body[-1]
    if not isinstance(result, gast.Return) or result.value is None:
        return Refusal(function, Code.FORM, f"{function.name} doesn't end with what it returns")
    if any(isinstance(node, gast.Return) and node is not result for node in gast.walk(function)):
        return Refusal(function, Code.CONTROL_FLOW, f"{function.name} returns in several places")
    colon = facts.edit.colon(source.span(function.returns).end if function.returns is not None else _closing(function, facts))
    begin, end = source.line_end(colon), source.line_start(source.span(result).start)
    last = source.span(result).end
    whole = facts.edit.block_end(result, source.indentation(source.span(result).start))
    inner = source.indentation(source.span(statement).start) + facts.edit.unit
    if source.line_of(colon) == source.line_of(source.span(function.body[0]).start) or source.text[colon + 1 : begin].strip():
        return Refusal(function, Code.LAYOUT, f"{function.name} has a block or a comment on its first line")
    if source.text[last:whole].strip() or any(token.type == COMMENT for token in source.tokens_in(source.span(result))):
        return Refusal(function, Code.TEXT_LOST, f"a comment is where {function.name} returns")
    if source.indentation(source.span(result).start) != inner:
        return Refusal(function, Code.LAYOUT, f"{function.name} isn't indented as the loop would be")
    stop = whole
    while stop < len(source.text) and not source.text[stop : source.line_end(stop)].strip():
        stop = source.line_end(stop)
    start = source.line_start(source.span(function).start)
    changed = frozenset(name for name in parameters if len(scope.bindings[name]) > 1)
    given = frozenset(scope.bindings) - set(parameters)
    return _Function(parameters, source.text[begin:end], result.value, given, changed, (Edit(start, stop),))


def _closing(function: gast.FunctionDef, facts: Facts) -> int:
    """The end of the parameters."""
    if not function.args.args:
        return facts.source.span(function).start
    last = function.args.args[-1]
    return facts.source.span(last.annotation or last).end


def _variables(statement: gast.Assign, given: gast.expr, body: _Function) -> list[_Variable] | Refusal:
    targets: list[gast.AST] = []
    match statement.targets:
        case [gast.Tuple(elts=elts) | gast.List(elts=elts)]:
            targets = list(elts)
    names = [target for target in targets if isinstance(target, gast.Name)]
    initials = list(given.elts) if isinstance(given, gast.Tuple | gast.List) else []
    results = list(body.result.elts) if isinstance(body.result, gast.Tuple | gast.List) else []
    if not targets or len(names) != len(targets):
        return Refusal(statement, Code.FORM, "what tf.while_loop returns isn't assigned to names, one for each loop variable")
    if not len(names) == len(initials) == len(results) == len(body.parameters):
        return Refusal(given, Code.FORM, "the loop variables aren't written one by one, before the loop and where its body returns")
    if any(isinstance(one, gast.Starred) for one in (*initials, *results)):
        return Refusal(given, Code.FORM, "the loop variables are unpacked from something")
    return [
        _Variable(name, initial, target, after)
        for name, initial, target, after in zip(body.parameters, initials, names, results, strict=True)
    ]


def _misunderstood(statement: gast.Assign, variables: Sequence[_Variable], body: _Function, facts: Facts) -> Refusal | None:
    """Would a name mean something else in a Python loop, or what comes out be of another kind?"""
    owner = _owner(statement, facts)
    scope, live = facts.scopes.of[owner], _read_later(statement, facts)
    own = [variable.name for variable in variables]
    targets = [variable.target.id for variable in variables if variable.target.id != "_"]
    if len(set(targets)) != len(targets) or len(set(own)) != len(own):
        return Refusal(statement, Code.NAME_TAKEN, "a name stands for two of the loop's variables")
    if scope.is_read_as_a_whole:
        return Refusal(statement, Code.OTHER_NAMES, "the names of its function are read by locals(), eval or the like")
    for variable in variables:
        itself = _is_name(variable.initial, variable.name)
        if not itself and any(isinstance(node, gast.Name) and node.id in own for node in gast.walk(variable.initial)):
            return Refusal(
                variable.initial, Code.NAME_TAKEN, "a loop variable begins as something that is called as another one is in the loop"
            )
        if variable.name != variable.target.id and not (itself and variable.name not in live) and _is_taken(variable.name, scope):
            return Refusal(variable.initial, Code.NAME_TAKEN, f"{variable.name} means something else outside of the loop")
        if variable.name != variable.target.id and variable.target.id in own:
            return Refusal(variable.target, Code.NAME_TAKEN, f"{variable.target.id} is another variable in the loop")
        if variable.target.id in live and facts.kind(variable.initial).sort is not Sort.TENSOR:
            return Refusal(
                variable.initial,
                Code.UNKNOWN_VALUE,
                f"{variable.target.id} is not known to be a tensor before the loop, and is one after it",
            )
    if known := next((name for name in sorted(body.given) if _is_taken(name, scope) or name in own), None):
        return Refusal(statement, Code.NAME_TAKEN, f"{known} means something else outside of the loop")
    return None


def _read_later(statement: gast.Assign, facts: Facts) -> frozenset[str]:
    """The names that may be read after the loop; nobody reads the `_` that takes what isn't wanted."""
    owner = _owner(statement, facts)
    return facts.liveness(owner).after(statement) - ({"_"} - set(facts.scopes.of[owner].uses))


def _is_taken(name: str, scope: Scope) -> bool:
    """Would a new name of a function be one that it, or a function inside of it, knows as something else?"""
    within = list(scope.below())
    inside = any(name in one.uses and one.lookup(name) not in within for one in within)
    return inside or name in scope.bindings or name in scope.uses or isinstance(scope.node, gast.Module)


def _counted(statement: gast.Assign, test: gast.expr, variables: Sequence[_Variable], body: _Function, facts: Facts) -> _Variable | None:
    """The variable that goes up by one to a Python int, and that nothing else reads or gives."""
    match test:
        case gast.Compare(left=gast.Name(id=name), ops=[gast.Lt()], comparators=[stop]):
            pass
        case _:
            return None
    one = next((variable for variable in variables if variable.name == name), None)
    own = {variable.name for variable in variables}
    kind = facts.kind(stop)
    if one is None or kind.sort is not Sort.NUMBER or kind.dtype != "int" or name in body.changed:
        return None
    if any(isinstance(node, gast.Name) and node.id in own for node in gast.walk(stop)) or facts.kind(one.initial).dtype != "int":
        return None
    if not isinstance(one.initial, gast.Constant) or one.target.id in _read_later(statement, facts):
        return None
    match one.after:
        case gast.BinOp(left=gast.Name(id=left), op=gast.Add(), right=gast.Constant(value=1)) if left == name:
            return one
    return None


def _range(count: _Variable, test: gast.expr, facts: Facts) -> str:
    assert isinstance(test, gast.Compare) and isinstance(count.initial, gast.Constant)
    stop = facts.source.text_of(test.comparators[0])
    return f"range({stop})" if count.initial.value == 0 else f"range({facts.source.text_of(count.initial)}, {stop})"


def _iteration(variables: Sequence[_Variable], count: _Variable | None, facts: Facts) -> list[str]:
    """What gives the variables their next values, all at once; a number that counts comes last, by itself."""
    changed = [variable for variable in variables if variable is not count and not _is_name(variable.after, variable.name)]
    last = [one for one in changed if facts.kind(one.initial).sort is Sort.NUMBER and _only_of_itself(one)]
    together = [one for one in changed if one not in last]
    texts = (
        [f"{', '.join(one.name for one in together)} = {', '.join(_enclosed(one.after, facts) for one in together)}"] if together else []
    )
    return texts + [f"{one.name} = {_enclosed(one.after, facts)}" for one in last]


def _only_of_itself(one: _Variable) -> bool:
    return all(node.id == one.name for node in gast.walk(one.after) if isinstance(node, gast.Name))
