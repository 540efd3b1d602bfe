"""Define a compiled function once instead of in every iteration or every call.

Before:  def smooth(x):
             @tf.function
             def average(x):
                 return (x[1:] + x[:-1]) / 2

             return average(x)

         for batch in batches:
             smooth(batch)
After:   @tf.function
         def average(x):
             return (x[1:] + x[:-1]) / 2


         def smooth(x):
             return average(x)

         for batch in batches:
             smooth(batch)

Also:    A function in a loop that reads locals which stay the same is moved in front of the loop only.

Why:     A new function object is traced again when it is called. Nothing is kept once it is collected, but every call needs
         the memory and time of a trace: `tanh(x * 2) + x` on `[100, 100]`, 0.35 -> 0.045 MB and 3.9 -> 0.13 ms in each
         call after the first. 100 calls need 0.8 MB before, and 3.4 if the collector has not run.
Safety:  - **Closures.** Refused if the function reads a local of the call that it is moved out of (`rate` in
           `return x * rate` would be undefined), a name that the loop assigns, or has defaults or `nonlocal`.
         - **Effects.** Refused if the function prints, counts, creates a `tf.Variable` or reads what changes: Python would
           run in one trace only. `--unsafe` assumes that an unknown function does none of this.
         - **Random numbers.** Refused for `tf.random.normal`: each new function begins with the same numbers.
         - **Names at the new place.** Refused if an annotation (`def f(x: Batch)`) is not defined there yet, and for names
           such as `__rate`, which are others outside of a class.
         - **Identity.** Refused if the function is returned, stored, compared or passed on: `handlers.append(average)`
           needs a new object each time.
         - **Kept graphs.** Refused unless the arguments are known to have one shape and dtype: `average(x[:n])` would keep
           a graph for each size. Refused also if the function reads a NumPy array.
         - **No gain.** Not rewritten unless the file itself makes the function more than once, and in tests, which make
           functions again on purpose: `def test_retracing(): ...`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import gast

from tfrewrite.analyses.call_places import arguments, as_called_here
from tfrewrite.analyses.trace_effects import Trace, changing, why_traces_count
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.facts.scopes import COMPREHENSIONS, DEFINITIONS, FUNCTIONS, LOOPS, Function, Scope, block_of, parameters
from tfrewrite.kinds import Kind, Symbol
from tfrewrite.loops.loop_text import holds_long_texts
from tfrewrite.loops.outlining import above, apart, imported_above, top_statement
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, transform
from tfrewrite.source import Span


@dataclass(frozen=True)
class _Made:
    """A compiled function as it is made: `@tf.function def name`, or `name = tf.function(...)`."""

    statement: gast.stmt
    name: str
    function: Function
    home: Function | None
    """The function that it stands in."""
    loop: gast.stmt | None
    """The outermost loop of that function around it."""


@transform(gast.FunctionDef, gast.Assign, fidelity=Fidelity.BITWISE, mentions=("function",))
def function_in_loop(statement: gast.FunctionDef | gast.Assign, facts: Facts) -> Outcome:
    made = _made(statement, facts)
    if made is None or isinstance(made, Refusal):
        return made
    if made.home is not None and facts.mode(statement) is Mode.GRAPH:
        return None  # traced with what is around it
    if refusal := _stands_badly(made, facts) or _is_an_object(made, facts) or _defined_with(made, facts):
        return refusal
    closed_over = list(_closed_over(made, facts))
    to_module = made.home is not None and not closed_over
    if not to_module and (refusal := _closure_changes(made, closed_over, facts)):
        return replace(refusal, remedy="Pass it as an argument." if closed_over else "")
    trace = why_traces_count(made.function, facts)
    if trace is not None and trace.certain:
        return Refusal(statement, trace.why.code, f"{made.name} would be traced once only: {trace.why.reason}")
    if refusal := _shapes(made, to_module, facts) or _arrays(made, facts):
        return refusal
    return _moved(made, to_module, trace, facts)


def _made(statement: gast.FunctionDef | gast.Assign, facts: Facts) -> _Made | Refusal | None:
    if not _makes_graph(statement, facts):
        return None
    home, loop = facts.scopes.function_of(statement), _outermost_loop(statement, facts)
    once = loop is None and (home is None or not _made_again(home, facts, set()))
    if once or facts.in_test(statement):
        return None
    match statement:
        case gast.FunctionDef(name=name):
            if facts.scopes.class_of(statement) is not None or not facts.callers.plainly_decorated(statement):
                return None
            return _Made(statement, name, statement, home, loop)
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(args=[compiled, *_])):
            function = facts.callers.function_named(compiled)
            if function is None:
                shown = facts.edit.short(compiled, "what is compiled")
                return Refusal(statement, Code.MAY_CHANGE, f"{shown} is not known to be the same function every time")
            return _Made(statement, name, function, home, loop)
    return None


def _makes_graph(statement: gast.FunctionDef | gast.Assign, facts: Facts) -> bool:
    if isinstance(statement, gast.FunctionDef):
        return facts.contexts.makes_graph(statement)
    return facts.called(statement.value) == "tensorflow.function"


def _shown(function: gast.AST) -> str:
    return getattr(function, "name", "the function")


def _outermost_loop(node: gast.AST, facts: Facts) -> gast.stmt | None:
    """The outermost loop of its function, or of the module, that a statement stands in."""
    found = None
    for ancestor in facts.scopes.ancestors(node):
        if isinstance(ancestor, (*FUNCTIONS, gast.ClassDef)):
            break
        if isinstance(ancestor, LOOPS):
            found = ancestor
    return found


def _stands_badly(made: _Made, facts: Facts) -> Refusal | None:
    """Does it stand where it may not be made, or among what can't be taken apart?"""
    for ancestor in facts.scopes.ancestors(made.statement):
        if ancestor is made.home or isinstance(ancestor, gast.Module):
            break
        if not isinstance(ancestor, LOOPS):
            return Refusal(made.statement, Code.CONTROL_FLOW, f"{made.name} is made under a condition, or in a with or try block")
    block = block_of(made.statement, facts.scopes.parents[made.statement])
    lines = _lines(made, facts)
    first = _first(made.statement, facts)
    alone = not facts.source.text[facts.source.line_start(first) : first].strip()
    rest = facts.source.text[facts.source.span(made.statement).end : lines.end].partition("\n")[0].strip()
    if len(block) == 1 or not alone or (rest and not rest.startswith("#")):
        return Refusal(made.statement, Code.LAYOUT, f"{made.name} shares its lines with something else, or is all that its block has")
    if holds_long_texts(made.statement, facts):
        return Refusal(made.statement, Code.LAYOUT, "a string of several lines is inside of it")
    return None


def _scope(made: _Made, facts: Facts) -> Scope:
    return facts.scopes.module if made.home is None else facts.scopes.of[made.home]


def _is_an_object(made: _Made, facts: Facts) -> Refusal | None:
    """May somebody ask which function object it is, or know it by another name?"""
    scope, name = _scope(made, facts), made.name
    if len(scope.bindings.get(name, ())) != 1 or name in scope.shared or name in scope.outer:
        return Refusal(made.statement, Code.MAY_CHANGE, f"{name} is assigned more than one value")
    if facts.contexts.counts_traces:
        return Refusal(
            made.statement, Code.EFFECTS, f"this file counts how often functions are traced, and {name} would be traced less often"
        )
    for one in (scope, *scope.below()):
        if one.is_read_as_a_whole:
            return Refusal(made.statement, Code.OTHER_NAMES, "locals(), eval or the like may read any name here")
        for use in one.uses.get(name, ()):
            if one.lookup(name) is not scope:
                continue
            parent = facts.parent(use)
            if any(ancestor is made.statement for ancestor in facts.scopes.ancestors(use)):
                return Refusal(made.statement, Code.CONTROL_FLOW, f"{name} calls itself")
            if not (isinstance(parent, gast.Call) and parent.func is use):
                return Refusal(made.statement, Code.OTHER_NAMES, f"{name} is not only called: its holder may need a new one each time")
            if (use.lineno, use.col_offset) < (made.statement.lineno, made.statement.col_offset):
                return Refusal(made.statement, Code.CONTROL_FLOW, f"{name} is called above the place where it is made")
            if made.loop is not None and not any(ancestor is made.loop for ancestor in facts.scopes.ancestors(use)):
                return Refusal(made.statement, Code.UNKNOWN_COUNT, f"{name} is called after the loop, which may have no iteration")
    if not _calls(made, facts):
        return Refusal(made.statement, Code.NO_GAIN, f"nothing calls {name}")
    return None


def _calls(made: _Made, facts: Facts) -> list[gast.Call]:
    scope = _scope(made, facts)
    uses = [use for one in (scope, *scope.below()) for use in one.uses.get(made.name, ()) if one.lookup(made.name) is scope]
    return [parent for use in uses if isinstance(parent := facts.parent(use), gast.Call)]


def _when_made(made: _Made, facts: Facts) -> list[gast.AST]:
    """What is computed when the function is made, not when it is called."""
    if isinstance(made.statement, gast.Assign):
        call = made.statement.value
        return [call.func, *call.args, *(one.value for one in call.keywords)]
    function = made.function
    defaults = [one for one in (*function.args.defaults, *function.args.kw_defaults) if one is not None]
    annotations = [*(one.annotation for one in parameters(function)), getattr(function, "returns", None)]
    evaluated = [] if _annotations_are_texts(facts) else [one for one in annotations if one is not None]
    return [*function.decorator_list, *defaults, *evaluated]


def _annotations_are_texts(facts: Facts) -> bool:
    imports = [node for node in facts.nodes([gast.ImportFrom]) if isinstance(node, gast.ImportFrom) and node.module == "__future__"]
    return any(alias.name == "annotations" for node in imports for alias in node.names)


def _defined_with(made: _Made, facts: Facts) -> Refusal | None:
    """Are its settings and defaults the same every time?"""
    for node in _when_made(made, facts):
        if isinstance(node, gast.Lambda):
            if node.args.defaults or any(node.args.kw_defaults):
                return Refusal(made.statement, Code.MAY_CHANGE, f"{made.name} has defaults, which are computed each time that it is made")
            continue
        for one in gast.walk(node):
            if isinstance(one, gast.Call) and facts.called(one) is None:
                return Refusal(
                    made.statement,
                    Code.UNKNOWN_CALL,
                    f"what {facts.edit.short(one, 'a call')} gives each time that {made.name} is made is not known",
                )
    if isinstance(made.statement, gast.FunctionDef):
        arguments = made.statement.args
        if not all(isinstance(one, gast.Constant) for one in (*arguments.defaults, *filter(None, arguments.kw_defaults))):
            return Refusal(made.statement, Code.MAY_CHANGE, f"{made.name} has defaults, which are computed each time that it is made")
    return None


def _closed_over(made: _Made, facts: Facts) -> Iterator[gast.Name]:
    """The names of enclosing functions that it reads."""
    for node in gast.walk(made.statement):
        if isinstance(node, gast.Name) and node in facts.scopes.names and isinstance(node.ctx, gast.Load):
            owner = facts.scopes.names[node].lookup(node.id)
            if owner is not None and isinstance(owner.node, (*FUNCTIONS, *COMPREHENSIONS)) and not _is_within(owner, made.statement, facts):
                yield node


def _is_within(owner: Scope, statement: gast.stmt, facts: Facts) -> bool:
    return any(one is statement for one in (owner.node, *facts.scopes.ancestors(owner.node)))


def _closure_changes(made: _Made, closed_over: list[gast.Name], facts: Facts) -> Refusal | None:
    """What keeps it from being made before the loop."""
    if made.loop is not None and (given := _given_in_the_loop(made, made.loop, facts)):
        return Refusal(made.statement, Code.MAY_CHANGE, f"{given}, which {made.name} is made with, is assigned in the loop")
    if made.loop is None:
        name = closed_over[0].id
        return Refusal(
            made.statement, Code.OTHER_NAMES, f"{made.name} closes over {name}, which belongs to {_shown(made.home or made.statement)}"
        )
    for name in closed_over:
        owner = facts.scopes.names[name].lookup(name.id)
        assert owner is not None
        if changing(name.id, owner, facts) or any(one is made.loop for one in facts.scopes.ancestors(owner.bindings[name.id][0])):
            return Refusal(made.statement, Code.MAY_CHANGE, f"{made.name} closes over {name.id}, which differs in each iteration")
        if getattr(owner.bindings[name.id][0], "lineno", 0) > made.loop.lineno:
            return Refusal(made.statement, Code.MAY_CHANGE, f"{name.id}, which {made.name} reads, is assigned below the loop")
    return None


def _given_in_the_loop(made: _Made, loop: gast.stmt, facts: Facts) -> str:
    """A name that is not there before the loop, or is given again in it, and that the function is made with."""
    for node in _when_made(made, facts):
        names = () if isinstance(node, gast.Lambda) else (one for one in gast.walk(node) if isinstance(one, gast.Name))
        for name in names:
            if name in facts.scopes.names and (owner := facts.scopes.names[name].lookup(name.id)):
                inside = any(one is loop for binding in owner.bindings[name.id] for one in facts.scopes.ancestors(binding))
                if inside or name.id in owner.shared:
                    return str(name.id)
    return ""


def _made_again(function: Function | None, facts: Facts, seen: set[gast.AST]) -> bool:
    """Does the file show that a function is called more than once?"""
    if function is None or function in seen:
        return False
    seen.add(function)
    if facts.callers.is_method(function):
        return _method_called_again(function, facts)
    references = facts.callers.references(function)
    calls = [one.call for one in references if one.direct and one.call is not None]
    if len(calls) > 1 or len(references) > len(calls):
        return len(calls) > 1 or any(one.call is not None for one in references if not one.direct)
    return any(_in_a_loop(call, facts) or _made_again(facts.scopes.function_of(call), facts, seen) for call in calls)


def _method_called_again(method: Function, facts: Facts) -> bool:
    """By its name alone: whatever object it is called on."""
    named = [node for node in facts.nodes([gast.Attribute]) if getattr(node, "attr", "") == getattr(method, "name", "")]
    calls = [call for node in named if isinstance(call := facts.parent(node), gast.Call) and call.func is node]
    return len(calls) > 1 or any(_in_a_loop(call, facts) for call in calls)


def _in_a_loop(node: gast.AST, facts: Facts) -> bool:
    for ancestor in facts.scopes.ancestors(node):
        if isinstance(ancestor, (*LOOPS, *COMPREHENSIONS)):
            return True
        if isinstance(ancestor, FUNCTIONS):
            return False
    return False


def _shapes(made: _Made, to_module: bool, facts: Facts) -> Refusal | None:
    """May it be called with more shapes than its calls in the text? Then each would keep a graph."""
    if facts.callers.may_have_signature(made.function):
        return None
    homes = () if made.home is None else (made.home,)
    loops = {id(made.loop)} | {id(one) for one in gast.walk(made.loop) if isinstance(one, LOOPS)} if made.loop is not None else set()
    for call in _calls(made, facts):
        if any(isinstance(one, gast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
            return Refusal(made.statement, Code.FORM, f"what {made.name} is called with is unpacked")
        here = as_called_here(call, made.function, False, facts, homes, shapes=True)
        for argument in arguments(call):
            if not _in_one_shape(argument, here.kind(argument), None if to_module else loops):
                shown = facts.edit.short(argument, "an argument")
                return Refusal(
                    made.statement,
                    Code.UNKNOWN_SHAPE,
                    f"{shown} is not known to come in one shape and dtype: {made.name}, if it lasts, keeps a graph for each",
                )
    return None


def _in_one_shape(node: gast.expr, kind: Kind, loops: set[int] | None) -> bool:
    """Is an argument the same to a trace every time? `loops`: it has to be so in these only, not for good."""
    if isinstance(node, gast.Constant):
        return True
    if kind.sort not in (Sort.TENSOR, Sort.ARRAY) or kind.dtype is None:
        return False

    def lasts(one: object) -> bool:
        return isinstance(one, int) or (isinstance(one, Symbol) and loops is not None and loops.isdisjoint(one.loops))

    return all(map(lasts, kind.shape)) if isinstance(kind.shape, tuple) else lasts(kind.shape)


def _arrays(made: _Made, facts: Facts) -> Refusal | None:
    for node in gast.walk(made.function):
        if isinstance(node, gast.Name) and node in facts.scopes.names and isinstance(node.ctx, gast.Load):
            owner = facts.scopes.names[node].lookup(node.id)
            if owner is not None and not _is_within(owner, made.statement, facts) and facts.kind(node).sort is Sort.ARRAY:
                return Refusal(made.statement, Code.NO_GAIN, f"the graph of {made.name} has copies of {node.id}, and would keep them")
    return None


# The move


def _moved(made: _Made, to_module: bool, trace: Trace | None, facts: Facts) -> Rewrite | Refusal:
    source, statement = facts.source, made.statement
    if to_module:
        place = top_statement(statement, facts)
        if refusal := _clashes(made, facts) or _mangled(made, facts) or _not_yet_there(made, place, facts):
            return refusal
        start, indentation = above(place, facts), ""
    else:
        assert made.loop is not None
        place = made.loop
        first = source.span(place).start
        start, indentation = _with_comments(first, facts), source.indentation(first)
    span = _lines(made, facts)
    own = source.indentation(_first(statement, facts))
    lines = [line[len(own) :] if line.startswith(own) else line.lstrip() for line in source.text[span.start : span.end].splitlines()]
    text = source.newline.join(f"{indentation}{line}" if line.strip() else "" for line in lines) + source.newline
    if isinstance(statement, gast.FunctionDef) or to_module:
        empty = source.newline * (1 if indentation else 2)
        text = (apart(start, facts) if not indentation else _break(start, facts)) + text + empty
    edits = (Edit(start, start, text), Edit(*_gone(span, facts)))
    where = "for all calls" if to_module else "before the loop"
    reason = f"{made.name} is made once, {where}"
    if trace is not None:
        return Rewrite(statement, edits, reason, evidence=Evidence.UNPROVEN, doubt=trace.why, region=(place, statement))
    return Rewrite(statement, edits, reason, region=(place, statement))


def _break(start: int, facts: Facts) -> str:
    """An empty line above a function inside of another one, unless it begins its block."""
    line = facts.source.text[facts.source.line_start(start - 1) : start].strip()
    return facts.source.newline if line and not line.endswith(":") else ""


def _first(statement: gast.stmt, facts: Facts) -> int:
    """Where a statement begins, its decorators included."""
    starts = [facts.source.span(statement).start]
    for decorator in getattr(statement, "decorator_list", ()):
        begin = facts.source.span(decorator).start
        starts.append(facts.source.line_start(begin) + len(facts.source.indentation(begin)))
    return min(starts)


def _with_comments(first: int, facts: Facts) -> int:
    """Where the comments begin that stand above a statement, or its line."""
    source = facts.source
    start, own = source.line_start(first), source.indentation(first)
    while start > 0 and source.text[source.line_start(start - 1) : start].startswith(f"{own}#"):
        start = source.line_start(start - 1)
    return start


def _lines(made: _Made, facts: Facts) -> Span:
    """The lines of a statement, with the comments above that belong to it."""
    source, statement = facts.source, made.statement
    start = _with_comments(_first(statement, facts), facts)
    if isinstance(statement, gast.FunctionDef):
        last = statement.body[-1]
        return Span(start, facts.edit.block_end(last, source.indentation(source.span(last).start)))
    return Span(start, source.line_end(source.span(statement).end))


def _gone(span: Span, facts: Facts) -> tuple[int, int]:
    """The lines to delete: with the empty ones around, where a block begins above, or below, where there are some above too."""
    text, source = facts.source.text, facts.source
    first, end = span.start, span.end
    while first > 0 and not text[source.line_start(first - 1) : first].strip():
        first = source.line_start(first - 1)
    opens = first > 0 and text[source.line_start(first - 1) : first].partition("#")[0].rstrip().endswith(":")
    if opens or first < span.start:
        while end < len(text) and not text[end : source.line_end(end)].strip():
            end = source.line_end(end)
    return first if opens else span.start, end


def _clashes(made: _Made, facts: Facts) -> Refusal | None:
    """Does the module, or another function, know something else by the name?"""
    module, scope = facts.scopes.module, _scope(made, facts)
    taken = made.name in module.bindings or made.name in module.uses or "*" in module.bindings or facts.mutation.module_is_open
    for one in module.below():
        if one is scope or isinstance(one.node, gast.ClassDef):
            continue
        if any(isinstance(node, DEFINITIONS) or not isinstance(node, gast.Name) for node in one.bindings.get(made.name, ())):
            taken = True
        if made.name in one.uses and one.lookup(made.name) in (None, module):
            taken = True
    outer = scope.parent
    while outer is not None and outer is not module:
        taken = taken or made.name in outer.bindings
        outer = outer.parent
    return (
        Refusal(
            made.statement, Code.NAME_TAKEN, f"{made.name} is the name of something else too, in the module or in another of its functions"
        )
        if taken
        else None
    )


def _mangled(made: _Made, facts: Facts) -> Refusal | None:
    """A name that a class puts its own in front of: `__rate` in `class Model` is `_Model__rate`."""
    if not any(isinstance(one, gast.ClassDef) for one in facts.scopes.ancestors(made.statement)):
        return None
    names = re.findall(r"\b__\w+", facts.source.text_of(made.statement))
    own = next((one for one in (made.name, *names) if one.startswith("__") and not one.endswith("__")), None)
    return None if own is None else Refusal(made.statement, Code.NAME_TAKEN, f"{own} is another name outside of its class")


def _not_yet_there(made: _Made, place: gast.stmt, facts: Facts) -> Refusal | None:
    """Is everything that it is made with there, above the statement before which it comes to stand?"""
    for node in _when_made(made, facts):
        for name in () if isinstance(node, gast.Lambda) else gast.walk(node):
            if isinstance(name, gast.Name) and name in facts.scopes.names and (owner := facts.scopes.names[name].lookup(name.id)):
                binding = owner.bindings[name.id][0]
                defined = isinstance(binding, DEFINITIONS) and facts.parent(binding) is facts.tree and binding.lineno < place.lineno
                given = len(owner.bindings[name.id]) == 1 and facts.parent(facts.scopes.statement(binding)) is facts.tree
                if not (
                    imported_above(name.id, place, facts) or defined or (given and facts.scopes.statement(binding).lineno < place.lineno)
                ):
                    return Refusal(
                        made.statement,
                        Code.NAME_TAKEN,
                        f"{name.id}, which {made.name} is made with, is not there yet above {_shown(place)}",
                    )
    return None
