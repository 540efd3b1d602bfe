"""Takes one function of a text through the catalogue, and makes a function that can be called of what comes out."""

from __future__ import annotations

import ast
import functools
import itertools
import linecache
import tokenize
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from types import CodeType, FunctionType, ModuleType
from typing import Any

from tfrewrite.codes import Code
from tfrewrite.engine import Applied, InternalError, Options, Refused, Result, rewrite
from tfrewrite.facts.observed import Observations
from tfrewrite.live.seeing import Sight
from tfrewrite.live.written import FunctionNode, Written, code_at, first_line
from tfrewrite.outcomes import Edit
from tfrewrite.source import Source, apply_edits, steadily

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Made:
    """What became of a function's text. Without `code`, nothing was rewritten."""

    result: Result
    text: str
    code: CodeType | None = None
    decorators: tuple[str, ...] = ()
    """What the function is decorated with now and wasn't before, the outermost first."""
    helpers: tuple[ast.stmt, ...] = ()
    """Statements that the text has besides, at its top level, which the function needs."""
    path: str = ""
    failure: str = ""
    """Why it can't be used, though something was rewritten."""

    @property
    def is_traced(self) -> bool:
        """Does some of it become a graph, for each size of what it is given?"""
        return bool(self.decorators) or any(isinstance(one, ast.FunctionDef) and one.decorator_list for one in self.helpers)


_made: dict[tuple[Any, ...], Made] = {}
_MOST_KEPT = 512


def made_once(written: Written, sight: Sight, options: Options, function: FunctionType) -> Made:
    """The same for the same code and facts: a function within another one is made anew in each call of that."""
    observations = sight.observations
    rules = tuple(rule.name for rule in options.rules)
    facts = (tuple(observations.expressions.items()), tuple(observations.functions.items()))
    key = (
        id(function.__globals__),
        written.path,
        function.__code__,
        written.route,
        observations.digest,
        facts,
        rules,
        options.unsafe,
        options.fidelity,
        tuple(sorted(map(str, options.purposes))),
    )
    for known in (key, (*key, sight.outside)):
        if known in _made:
            return _made[known]
    one = made(written, observations, options, tuple(function.__globals__))
    if len(_made) >= _MOST_KEPT:
        _made.pop(next(iter(_made)))
    # A graph keeps what it finds outside while it is made; one that finds nothing there is as good for other closures.
    _made[key if _finds_nothing_outside(one, function.__globals__) else (*key, sight.outside)] = one
    return one


def _finds_nothing_outside(one: Made, namespace: Mapping[str, Any]) -> bool:
    own = {name for helper in one.helpers for name in _defined(helper)}
    return not any(_reads(helper, namespace) - own for helper in one.helpers)


def _reads(helper: ast.stmt, namespace: Mapping[str, Any]) -> set[str]:
    """The names in it that its module gives a value, but for the libraries."""
    waiting, found = [compile(ast.Module([helper], []), "", "exec", dont_inherit=True)], set()
    while waiting:
        code = waiting.pop()
        found |= namespace.keys() & set(code.co_names)
        waiting += [one for one in code.co_consts if isinstance(one, CodeType)]
    return {name for name in found if getattr(namespace[name], "__name__", "") not in _LIBRARIES or type(namespace[name]) is not ModuleType}


_LIBRARIES = ("tensorflow", "numpy", "math")


def made(written: Written, observations: Observations, options: Options, taken: Sequence[str]) -> Made:
    """Rewrite one function of a text, and nothing else in it. `taken` are names that its module has by now."""
    source = Source(written.text, written.path)
    options = replace(options, observations=observations, wanted=lambda one: _is_within(one, written))
    refused: list[Refused] = []
    for _ in options.rules:
        result = rewrite(source, options)
        outside = _reaching_outside(result, written)
        if not outside:
            break
        refused += [_refused(one) for one in result.rewrites if one.rule in outside]
        options = replace(options, rules=tuple(rule for rule in options.rules if rule.name not in outside))
    refusals = [one for one in result.refusals if written.first_line <= one.line <= written.last_line]
    result = _in_own_text(Result(result.edits, result.rewrites, (*refusals, *refused)), written.before)
    if not result.edits:
        return Made(result, written.own_text)
    return _compiled(result, apply_edits(written.own_text, result.edits), written, taken)


def _in_own_text(result: Result, before: str) -> Result:
    """The same, placed in the text without what was put before it."""
    lines, characters = before.count("\n"), len(before)
    if not lines:
        return result
    edits = tuple(Edit(one.start - characters, one.end - characters, one.text) for one in result.edits)
    rewrites = tuple(
        replace(
            one,
            line=one.line - lines,
            end_line=one.end_line - lines,
            touched=tuple((first - lines, last - lines) for first, last in one.touched),
        )
        for one in result.rewrites
    )
    return Result(edits, rewrites, tuple(replace(one, line=one.line - lines) for one in result.refusals))


def _is_within(one: Applied, written: Written) -> bool:
    return written.first_line <= one.line and one.end_line <= written.last_line


def _refused(one: Applied) -> Refused:
    reason = "it would also change what is outside of the function, and that has been run already"
    return Refused(
        one.rule, one.line, one.column, Code.EFFECTS, reason, "Let tfrewrite change the file, with the edits that are made for a run."
    )


def _reaching_outside(result: Result, written: Written) -> set[str]:
    """Rules that change lines outside of the function, where they don't only add some."""
    found = set()
    for one in result.rewrites:
        for first, last in one.touched:
            if not (written.first_line <= first and last <= written.last_line) and first != last:
                found.add(one.rule)
    return found


def _compiled(result: Result, text: str, written: Written, taken: Sequence[str]) -> Made:
    old = steadily(lambda: ast.parse(written.own_text))
    new = steadily(lambda: ast.parse(text))
    added = _added(old, new)
    if added is None:
        return Made(result, text, failure="the rewrite changes what is outside of the function, and that has been run already")
    names = {name for one in added for name in _defined(one)}
    if clashing := {name for name in names if name in taken}:
        text = _renamed(text, {name: _fresh(name, {*taken, *names}) for name in clashing})
        added = _added(old, steadily(lambda: ast.parse(text)))
        assert added is not None
    path = f"<tfrewrite {next(_numbers)}: {written.path}>"
    try:
        whole = compile(text, path, "exec", flags=written.flags, dont_inherit=True)
        code = code_at(whole, written.route)
    except (SyntaxError, ValueError, LookupError) as error:
        raise InternalError(f"the rewritten function can't be compiled: {error}") from None
    node = _at(steadily(lambda: ast.parse(text)), code)
    decorators = [ast.unparse(one) for one in getattr(node, "decorator_list", ())]
    before = [ast.unparse(one) for one in getattr(written.node, "decorator_list", ())]
    if decorators[len(decorators) - len(before) :] != before:
        return Made(result, text, failure="it changes how the function is decorated, and that has been done already")
    return Made(result, text, code, tuple(decorators[: len(decorators) - len(before)]), tuple(added), path)


def _at(tree: ast.Module, code: CodeType) -> FunctionNode | None:
    for one in ast.walk(tree):
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and first_line(one) == code.co_firstlineno:
            if getattr(one, "name", "<lambda>") == code.co_name:
                return one
    return None


def _added(old: ast.Module, new: ast.Module) -> list[ast.stmt] | None:
    """The statements that a text has besides at its top level; None if it isn't all that differs, one statement aside."""
    shapes = [ast.dump(one) for one in old.body]
    added: list[ast.stmt] = []
    position = changed = 0
    for one in new.body:
        if position < len(shapes) and (ast.dump(one) == shapes[position] or _is_the_same(one, old.body[position])):
            changed += ast.dump(one) != shapes[position]
            position += 1
        else:
            added.append(one)
    fits = position == len(shapes) and changed <= 1 and all(isinstance(one, ast.FunctionDef | ast.Assign | ast.Import) for one in added)
    return added if fits else None


def _is_the_same(one: ast.stmt, other: ast.stmt) -> bool:
    """Is it what became of a definition or assignment, or of what isn't either?"""
    return type(one) is type(other) and _defined(one) == _defined(other)


def _defined(one: ast.stmt) -> tuple[str, ...]:
    match one:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.Assign(targets=targets):
            return tuple(name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))
        case ast.Import(names=names):
            return tuple(name.asname or name.name for name in names)
    return ()


def _fresh(name: str, taken: set[str]) -> str:
    return next(one for number in itertools.count(2) if (one := f"{name}_{number}") not in taken)


def _renamed(text: str, names: dict[str, str]) -> str:
    """The text with other names for what only it has."""
    lines = text.splitlines(keepends=True)
    starts = [0, *itertools.accumulate(map(len, lines))]
    edits = []
    for token in tokenize.generate_tokens(StringIO(text).readline):
        if token.type == tokenize.NAME and token.string in names:
            start = starts[token.start[0] - 1] + token.start[1]
            edits.append(Edit(start, start + len(token.string), names[token.string]))
    return apply_edits(text, edits)


# Functions


def function_of(one: Made, original: FunctionType) -> Any:
    """The rewritten function: with the globals, closure and defaults of the original. Raises `LookupError` without a fitting closure."""
    assert one.code is not None
    cells = dict(zip(original.__code__.co_freevars, original.__closure__ or (), strict=True))
    closure = tuple(cells[name] for name in one.code.co_freevars)
    linecache.cache[one.path] = (len(one.text), None, one.text.splitlines(keepends=True), one.path)
    for statement in one.helpers:
        if not all(name in original.__globals__ for name in _defined(statement)):
            module = ast.Module([statement], [])
            exec(compile(module, one.path, "exec", dont_inherit=True), original.__globals__)
    function = FunctionType(one.code, original.__globals__, original.__name__, original.__defaults__, closure)
    functools.update_wrapper(function, original)
    del function.__wrapped__  # type: ignore[attr-defined]
    function.__kwdefaults__ = original.__kwdefaults__
    for decorator in reversed(one.decorators):
        function = eval(compile(decorator, one.path, "eval", dont_inherit=True), original.__globals__)(function)
    return function


def source_of(written: Written, one: Made | None) -> str:
    """The text of a function: as it was rewritten, below the functions that it needs, or as it was written."""
    if one is None or one.code is None:
        return _lines(written.text, written.node)
    tree = steadily(lambda: ast.parse(one.text))
    parts = [_lines(one.text, helper) for helper in one.helpers]
    node = _at(tree, one.code)
    return "\n\n".join([*parts, *([_lines(one.text, node)] if node is not None else [])])


def _lines(text: str, node: ast.stmt | FunctionNode) -> str:
    return "".join(text.splitlines(keepends=True)[first_line(node) - 1 : node.end_lineno])
