"""Arguments of calls: copies of them, and made-up ones for functions that nothing calls."""

from __future__ import annotations

import copy
import inspect
import itertools
import random
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tfrewrite.verify.agent.guessed_arguments import Guesser, Impossible
from tfrewrite.verify.agent.specs import (
    ParsedSpec,
    Spec,
    SpecError,
    ValueSpec,
    declared,
    describe,
    is_variable,
    parse,
    variable_of,
)
from tfrewrite.verify.plan import Axes, Count, Edge
from tfrewrite.verify.verdict import Obstacle, Remedy

__all__ = ["Inputs", "ParsedSpec", "SpecError", "Unmakeable", "by_place", "candidates", "declared", "fresh", "parse", "spec"]

CANDIDATES = 60


class Unmakeable(Exception):
    """No arguments can be made: a sentence that says what is missing, and what helps."""

    def __init__(self, said: str, remedy: Remedy = Remedy.ENTRY_POINT) -> None:
        super().__init__(said)
        self.why = Obstacle(said, remedy)


@dataclass(frozen=True)
class Inputs:
    """The arguments of a call."""

    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    """For people: "n=0", "x empty along axis 0", "x=f32[2, 3], n=3 (guessed)"."""
    origin: str = ""
    """declared in a comment, input_signature, annotations, guessed, no arguments, or varied"""
    strained: bool = False
    """Of a kind that the program may never pass: a version may refuse them, and rounding may grow."""
    family: Axes | None = None
    """Which sizes were changed. One that can't be any other can't be 0 or 1 either: those are broadcast, or add up to nothing."""
    size: int | None = None
    """What they were changed to."""
    edge: Edge = Edge(0)
    count: Count | None = None
    """What there is another number of."""


def candidates(
    function: Callable[..., Any],
    *,
    name: str,
    declarations: Sequence[str],
    namespace: Mapping[str, Any],
    literals: Collection[object] = (),
    text: str | None = None,
) -> Iterator[Inputs]:
    """Arguments that the function may take, the likeliest first; Unmakeable where none can be thought of.

    Declared ones are the only ones where there are any. `function` is bound to its object already. The `text` of the module
    serves where Python doesn't find the function's source by itself.
    """
    if declarations:
        yield from (_declared(function, name, one, namespace) for one in declarations)
        return
    try:
        guesser = Guesser(function, namespace, literals, text)
        if not guesser.parameters:
            yield Inputs(origin="no arguments")
            return
        seen: set[str] = set()
        for made, origin in guesser.candidates(_signature(function)):
            said = str(made)
            if said in seen:
                continue
            seen.add(said)
            inputs = _made(made, f"{said} ({origin})" if origin == "guessed" else said, origin)
            if inputs is not None:
                yield inputs
            if len(seen) == CANDIDATES:
                return
    except Impossible as problem:
        raise Unmakeable(f"{name}() takes {problem.why} as {problem.parameter}: {advice(function, name)}", Remedy.DECLARATION) from None


def advice(function: Callable[..., Any], name: str) -> str:
    """What to write where no arguments could be made, or none of those made were taken."""
    try:
        required = [one.name for one in inspect.signature(function).parameters.values() if one.kind <= one.KEYWORD_ONLY and one.kind != 2]
    except (TypeError, ValueError):
        required = []
    examples = dict(zip(required, ("f32[8, 100]", "20", "f32[8]"), strict=False))
    return f"say what {name}() takes: # tfrewrite: inputs({', '.join(f'{one}={example}' for one, example in examples.items())})"


def _declared(function: Callable[..., Any], name: str, declaration: str, namespace: Mapping[str, Any]) -> Inputs:
    try:
        made = parse(declaration, namespace)
        args, kwargs = made.make()
    except SpecError as problem:
        raise Unmakeable(str(problem), Remedy.INPUTS) from None
    except Exception as problem:
        raise Unmakeable(f"inputs({declaration}) of {name}() can't be made: {type(problem).__name__}: {problem}", Remedy.INPUTS) from None
    try:
        inspect.signature(function).bind(*args, **kwargs)
    except TypeError as problem:
        raise Unmakeable(f"inputs({declaration}) doesn't fit {name}{inspect.signature(function)}: {problem}", Remedy.INPUTS) from None
    except ValueError:
        pass  # A function of C without a signature.
    return Inputs(args, kwargs, str(made), "declared in a comment")


def _made(made: ParsedSpec, label: str, origin: str) -> Inputs | None:
    try:
        args, kwargs = made.make()
    except Exception:  # The program's own classes may refuse what was guessed for them.
        return None
    args, kwargs = copied((args, kwargs))
    return Inputs(args, kwargs, label, origin)


def _signature(function: Any) -> Sequence[Any] | None:
    """The input signature of a tf.function, without the object that it is bound to."""
    signature = getattr(function, "input_signature", None)
    return signature if isinstance(signature, (list, tuple)) else None


def spec(inputs: Inputs, names: Sequence[str] = (), namespace: Mapping[str, Any] | None = None) -> str:
    """The inputs as a declaration would say them; what none can say is in angle brackets, or by its name in the namespace."""
    named = {id(value): name for name, value in reversed(list((namespace or {}).items())) if not name.startswith("__")}

    def said(value: Any) -> Spec:
        made = describe(value)
        return ValueSpec(value, named[id(value)]) if str(ParsedSpec((made,))).startswith("<") and id(value) in named else made

    positional = tuple(said(value) for value in inputs.args)
    keywords = tuple((name, said(value)) for name, value in inputs.kwargs.items())
    known = min(len(names), len(positional))
    first = tuple(zip(names, positional[:known], strict=False))
    return str(ParsedSpec((), first + keywords)) if known == len(positional) else str(ParsedSpec(positional, keywords))


def by_place(function: Callable[..., Any], inputs: Inputs) -> Inputs:
    """The arguments as most programs hand them over: what a function can't do without, by its place.

    Not all functions take both: one of `tf.recompute_grad` has no gradient for what it is handed by its name.
    """
    kwargs = inputs.kwargs
    try:
        known = list(inspect.signature(function).parameters.values())[len(inputs.args) :]
    except (TypeError, ValueError):
        return inputs
    needed = itertools.takewhile(
        lambda one: one.kind is one.POSITIONAL_OR_KEYWORD and one.default is one.empty and one.name in kwargs, known
    )
    moved = [one.name for one in needed]
    others = {name: value for name, value in kwargs.items() if name not in moved}
    return replace(inputs, args=(*inputs.args, *(kwargs[name] for name in moved)), kwargs=others)


def fresh(inputs: Inputs) -> Inputs:
    """The same inputs, of which nothing that can be changed in place is shared.

    Lists, dicts, sets, arrays, variables and random generators are copied, and stay one where they were one. Tensors are shared.
    So are other objects: a copy of a model or an optimizer is not always the same thing.
    """
    args, kwargs = copied((inputs.args, dict(inputs.kwargs)))
    return replace(inputs, args=args, kwargs=kwargs)


Path = tuple[object, ...]


def copied(value: Any, changed: Mapping[Path, Any] | None = None) -> Any:
    """A copy in which other values stand at some places."""
    return _Copier(changed or {}).copy(value, ())


class _Copier:
    def __init__(self, changed: Mapping[Path, Any]) -> None:
        self._changed = changed
        self._made: dict[int, tuple[Any, Any]] = {}

    def copy(self, value: Any, path: Path) -> Any:
        if path in self._changed:
            return self._changed[path]
        if id(value) in self._made:
            return self._made[id(value)][1]
        made = self._copied(value, path)
        if made is not value and not isinstance(value, tuple):
            self._made[id(value)] = (value, made)
        return made

    def _copied(self, value: Any, path: Path) -> Any:
        match value:
            case None | bool() | int() | float() | complex() | str() | bytes():
                return value
            case tuple():
                members = [self.copy(member, (*path, index)) for index, member in enumerate(value)]
                if all(one is other for one, other in zip(members, value, strict=True)):
                    return value
                return type(value)(*members) if hasattr(value, "_fields") else tuple(members)
            case list() | deque() if type(value) in (list, deque):
                made: list[Any] | deque[Any] = deque(maxlen=value.maxlen) if isinstance(value, deque) else []
                self._made[id(value)] = (value, made)  # It may contain itself.
                made.extend(self.copy(member, (*path, index)) for index, member in enumerate(value))
                return made
            case dict() if type(value) in (dict, OrderedDict, defaultdict):
                filled = copy.copy(value)
                self._made[id(value)] = (value, filled)
                for key, member in value.items():
                    filled[key] = self.copy(member, (*path, key))
                return filled
            case set() | bytearray() if type(value) in (set, bytearray):
                return copy.copy(value)
            case random.Random():
                return copy.deepcopy(value)
            case _:
                return _other_copied(value)


def _other_copied(value: Any) -> Any:
    import numpy

    try:
        if isinstance(value, numpy.ndarray):
            return numpy.array(value, copy=True, subok=True) if value.dtype != object else copy.deepcopy(value)
        if isinstance(value, (numpy.random.Generator, numpy.random.RandomState)):
            return copy.deepcopy(value)
        if is_variable(value):
            return variable_like(value, variable_of(value).read_value())
    except Exception:  # What can't be copied is shared, as other objects are.
        return value
    return value


def variable_like(like: Any, content: Any) -> Any:
    """A variable with this content, that is otherwise like another."""
    import tensorflow as tf

    if like is not variable_of(like):
        return type(like)(content, trainable=like.trainable, dtype=like.dtype, name=like.name)
    shape = like.shape if like.shape.is_compatible_with(content.shape) else None
    name = like.name.split(":")[0]
    return tf.Variable(content, trainable=like.trainable, dtype=like.dtype, shape=shape, name=name)
