"""Which arguments a function could take: what its signature says, and what else its body and its names suggest.

For each parameter there are alternatives, the likelier the cheaper. Combinations of them are tried on the body (`body_walk.py`)
and put in order by their costs and by how badly they fit; each is then given sizes, once such that different axes differ in
size and once such that as many as possible are equal, as the body may not tell which belong together.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import heapq
import inspect
import math
import re
import types
import typing
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tfrewrite.verify.agent.body_walk import Reader
from tfrewrite.verify.agent.function_sources import Sources, described, owner_of, unwrapped
from tfrewrite.verify.agent.specs import (
    ArraySpec,
    CallSpec,
    MappingSpec,
    ParsedSpec,
    SequenceSpec,
    Spec,
    ValueSpec,
    describe,
)
from tfrewrite.verify.agent.stand_in_values import (
    UNKNOWN,
    Affine,
    Const,
    Dictionary,
    Group,
    Local,
    Many,
    Node,
    Operation,
    Size,
    Slot,
    Tensor,
)
from tfrewrite.verify.agent.values import root_of

_SIZES = (2, 3, 5, 7, 4, 6, 9, 11, 13, 8, 10, 12)
_EQUAL = 4
_TRIED = 160
"""How many combinations are tried on the body."""
_UNITS = 3
_ARRAYS = {"floats": "float32", "ints": "int32", "bools": "bool", "strings": "string"}
_LIKE = {"floats": "float", "ints": "int", "bools": "bool", "strings": "string"}
_FORMED = {"variable": "variable", "ndarray": "ndarray", "ragged": "ragged"}


class Impossible(Exception):
    """No arguments can be thought of: the parameter, and why."""

    def __init__(self, parameter: str, why: str) -> None:
        super().__init__(parameter, why)
        self.parameter = parameter
        self.why = why


@dataclass(frozen=True)
class Guess:
    """What a parameter may be."""

    kind: str
    """floats, ints, bools, strings; variable, ndarray, ragged (of floats); int, index, axis, float, bool, str, none; list, tuple,
    dict, record, callable, shape, dtype, model, optimizer, dataset; value (a given object); omitted (its default)"""
    rank: int = 0
    parts: tuple[tuple[str, Guess], ...] = ()
    value: Any = None
    text: str = ""
    dims: tuple[int | None, ...] | None = None
    """Of a tensor whose signature says its shape."""
    dtype: str = ""


Alternatives = list[tuple[float, Guess]]


@dataclass(frozen=True)
class Parameter:
    name: str
    kind: Any
    default: Any
    annotation: Any

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty


def parameters_of(function: Callable[..., Any]) -> list[Parameter]:
    """What a caller may give, without the object that a method is bound to."""
    plain = unwrapped(function)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        signature = inspect.signature(plain)
    hints = _hints(plain.__init__ if inspect.isclass(plain) else plain)
    found = [
        Parameter(one.name, one.kind, one.default, hints.get(one.name, one.annotation))
        for one in signature.parameters.values()
        if one.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    ]
    if (
        found
        and found[0].name == "self"
        and owner_of(function) is not None
        and signature == inspect.signature(getattr(plain, "__func__", plain))
    ):
        return found[1:]
    return found


def _hints(plain: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(plain, include_extras=True)
    except Exception:  # What an annotation evaluates to is the program's business.
        return {}


# What names suggest: the kind, and the ranks in order of likelihood.
_NAMES: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    (r"(is|use|return|with|should|do|has)_\w+|training|causal|verbose|normalize[d]?|reverse|keepdims?|flag|shuffle|train", "bool", ()),
    (r"(\w+_)?mask", "bools", (2, 1, 3, 4)),
    (r"axis|dim", "axis", ()),
    (r"i|j|idx|index|pos|position|level", "index", ()),
    (r"n|m|k|num|(num|n|max|min)_\w+|(\w+_)?(steps?|count|iterations|iters?|epochs?|times|length|size|units|dim|depth)", "int", ()),
    (r"horizon|window|stride|block|chunk|maxlen|seed|heads|repeats|degree|order|width|height|batch|rounds|turns|clusters|bins", "int", ()),
    (r"lr|eta|rate|eps|epsilon|temperature|alpha|momentum|decay|tau|sigma|threshold|dropout|factor|margin|dt|lam|lambda_", "float", ()),
    (
        r"learning_rate|(\w+_)?(rate|weight_decay|decay|eps|epsilon|scale|coef|coeff|ratio|prob|lr)|beta_?[12]|clip|temp|p|stddev",
        "float",
        (),
    ),
    (
        r"ids|indices|index|labels?|tokens?|classes|segments?|actions|words|lengths?|lens|seq_lens?|(\w+_)(ids|idx|indices|tokens|labels|lengths|lens)",
        "ints",
        (1, 2, 0, 3),
    ),
    (r"sentences?|texts?|strings|documents|lines", "strings", (1, 0)),
    (r"name|mode|method|reduction|padding|scope|prefix|text|message|string|kind|data_format", "str", ()),
    (r"f|fn|func|function|activation|act|g|callback|\w*_(fn|func|function)|criterion", "callable", ()),
    (r"(\w+_)?shape|dims|sizes", "shape", ()),
    (r"(\w+_)?dtype", "dtype", ()),
    (r"model|net|network|layer|encoder|decoder|generator|discriminator|actor|critic|policy", "model", ()),
    (r"optimizer|optimiser|opt", "optimizer", ()),
    (r"dataset|ds", "dataset", ()),
    (r"batch|features|params|parameters|config|options|data|example|cache|sample|record", "dict", ()),
    (
        r"[xyabcwhz]s|(\w+_)?(tensors|list|layers|arrays|grads|gradients|losses|states|chunks|batches|parts|items|variables|members|seq_list)",
        "list",
        (),
    ),
    (r"(\w+_)?(image|img|picture|frame|feature_map)s?", "floats", (4, 3, 2)),
    (
        r"q|v|query|keys?|values?|queries|\w+_(seq|sequence)|sequences?|seq|hidden|hiddens|hidden_states|memory|context",
        "floats",
        (3, 2, 4, 1),
    ),
    (
        r"b|bias|gamma|beta|vector|vec|d|scale|probs|diagonal|mean|std|variance|coefficients|prior|r|returns|rewards?|values",
        "floats",
        (1, 2, 0, 3),
    ),
    (
        r"logits|scores|[wu]|w\w*|weights?|kernel|matrix|a|embeddings?|table|theta|w_\w+|u_\w+|\w*_(weights?|kernel|matrix)",
        "floats",
        (2, 3, 1, 4),
    ),
    (r"x|inputs?|z|h|c|y|state|targets?|tensor|outputs?|predictions|preds?|y_true|y_pred|points|samples|t|s", "floats", (2, 1, 3, 4, 0)),
)
_RANKS = (2, 1, 3, 0, 4)


def by_name(name: str) -> tuple[str, tuple[int, ...]]:
    for pattern, kind, ranks in _NAMES:
        if re.fullmatch(pattern, name, re.IGNORECASE):
            return kind, ranks or _RANKS
    return "", _RANKS


def _scores(slot: Slot) -> defaultdict[str, float]:
    scores: defaultdict[str, float] = defaultdict(float, {"floats": 2.0})
    for vote, weight in slot.votes.items():
        for kind, share in _SUPPORTS.get(vote, {vote: 1.0} if not vote.startswith("rank") else {"floats": 1.0}).items():
            scores[kind] += min(weight, 12) * share
    named, _ = by_name(slot.name)
    if named:
        scores[named] += 5
    if slot.member is not None and slot.member.positions:
        scores["list"] += 6
        scores["dataset"] += 3
    return scores


_SUPPORTS: dict[str, dict[str, float]] = {
    "array": {"floats": 1.0, "ints": 0.6, "bools": 0.2, "variable": 0.3, "ndarray": 0.4, "list": -0.8, "dict": -0.8},
    "floats": {"floats": 1.0, "variable": 0.4},
    "number": {"int": 1.0},
    "numeric": {"floats": 1.0, "float": 0.8},
    "iterable": {"list": 0.7, "floats": 0.6, "dataset": 0.2},
    "sequence": {"tuple": 0.8, "floats": 0.3},
    "sized": {"list": 0.5, "floats": 0.5},
    "indexable": {"list": 0.5, "floats": 0.6, "tuple": 0.3},
    "object": {"object": 1.0},
    "ndarray": {"ndarray": 1.5},
    "none": {},
    "tensorarray": {},
}


class Guesser:
    """For one function: reads it once with nothing known, and then with combinations of guesses."""

    def __init__(
        self, function: Callable[..., Any], namespace: Mapping[str, Any], literals: Collection[object], text: str | None = None
    ) -> None:
        self._namespace = namespace
        self._literals = literals
        self._sources = Sources(text)
        self.function = described(function)
        self._unbound = inspect.isclass(function) and self.function is not function
        self.parameters = parameters_of(function if inspect.isclass(function) else self.function)
        self._node: Node | None = self._sources.node(self.function)
        self._words = _words(self._node)
        self._slots = {one.name: Slot(one.name) for one in self.parameters}
        self.read(self.reader(), self._slots)

    def read(self, reader: Reader, stand_ins: Mapping[str, Any]) -> None:
        if self._node is None:
            return
        plain = unwrapped(self.function)
        owner = owner_of(self.function)
        namespace = {**getattr(getattr(plain, "__func__", plain), "__globals__", {}), **self._namespace, **_closure(plain)}
        try:
            first = UNKNOWN if self._unbound else reader.concrete(owner) if owner is not None else None
            reader.call(Local(self._node, {}, namespace, first), [], stand_ins)
        except (RecursionError, AttributeError, TypeError, ValueError, IndexError, KeyError, AssertionError):
            reader.clash()  # To read the body is a help, not a condition: the arguments are tried anyway.

    def reader(self) -> Reader:
        return Reader(self._sources.node)

    def candidates(self, signature: Sequence[Any] | None = None) -> Iterator[tuple[ParsedSpec, str]]:
        """The likeliest first, each with what it rests on."""
        alternatives, origin = self._alternatives(signature)
        combinations = list(products([alternatives[one.name] for one in self.parameters], _TRIED))
        ranked = []
        for number, (cost, guesses) in enumerate(combinations):
            fitted = Fitted(self, guesses)
            ranked.append((cost + 3 * fitted.reader.conflicts, number, fitted))
        ranked.sort(key=lambda one: one[:2])
        fits = [fitted for _, _, fitted in ranked]
        for fitted, equal, change in _order(fits, signature is not None, "float64" in self._words, "int64" in self._words):
            yield fitted.spec(equal, change), origin

    def _alternatives(self, signature: Sequence[Any] | None) -> tuple[dict[str, Alternatives], str]:
        found: dict[str, Alternatives] = {}
        origins = set()
        for position, parameter in enumerate(self.parameters):
            if signature is not None and position < len(signature):
                found[parameter.name] = [(0.0, _of_signature(signature[position]))]
                origins.add("input_signature")
                continue
            annotated = self._annotated(parameter.annotation, self._slots[parameter.name])
            found[parameter.name] = self._of_parameter(parameter, annotated)
            origins.add("annotations" if annotated else "guessed")
            if not found[parameter.name]:
                raise Impossible(parameter.name, self._why_not(parameter))
        origin = "input_signature" if "input_signature" in origins else "guessed" if "guessed" in origins else "annotations"
        return found, origin

    def _why_not(self, parameter: Parameter) -> str:
        if inspect.isclass(parameter.annotation):
            return f"an object of {parameter.annotation.__name__}"
        used = sorted(self._slots[parameter.name].attributes)
        return f"an object with .{', .'.join(used[:3])}" if used else "an object that can't be guessed"

    def _of_parameter(self, parameter: Parameter, annotated: Alternatives) -> Alternatives:
        slot = self._slots[parameter.name]
        omitted = [] if parameter.required else [(0.0, Guess("omitted", value=parameter.default))]
        dearer = 0.0 if parameter.required else 2.0 if parameter.default is None else 1.0
        made = annotated or [*self._of_module(slot), *(self._of_default(parameter) or self._of_slot(slot))]
        if not annotated and _foreign(parameter.annotation):
            made = []
        made = [*omitted, *((cost + dearer, guess) for cost, guess in made)]
        return sorted(made, key=lambda one: one[0])[:8]

    def _of_default(self, parameter: Parameter) -> Alternatives:
        """Another value of the kind of the default: what only the default shows would be little."""
        match parameter.default:
            case bool() as default:
                return [(1.0, Guess("value", value=not default))]
            case int() as default:
                return [(1.0, Guess("int", value=3 if default != 3 else 2))]
            case float() as default:
                return [(1.0, Guess("float", value=default * 2 + 0.5))]
            case str():
                return [(1.0, Guess("value", value=choice)) for choice in self._slots[parameter.name].choices[:3]]
            case _:
                return []

    def _of_module(self, slot: Slot) -> Alternatives:
        """What the module has under the parameter's name: a script often calls its function with just that."""
        for name in (slot.name, slot.name.upper(), f"_{slot.name}"):
            value = self._namespace.get(name)
            if value is None or isinstance(value, (types.ModuleType, type)):
                continue
            if callable(value) and not _is_object(value) and "callable" not in slot.votes:
                continue
            if _elements(value) <= 1_000_000:
                return [(-1.0, Guess("value", value=value, text=name))]
        if not slot.attributes:
            return []
        return [
            (0.0, Guess("value", value=value, text=name))
            for name, value in self._namespace.items()
            if _is_object(value)
            and not name.startswith("__")
            and all(hasattr(type(value), one) or one in _own(value) for one in slot.attributes)
        ][:2]

    def _of_slot(self, slot: Slot) -> Alternatives:
        scores = _scores(slot)
        best = max(scores.values())
        found: Alternatives = []
        for kind, score in sorted(scores.items(), key=lambda one: (-one[1], one[0]))[:5]:
            if best - score <= 6:
                found += [(cost + (best - score) * 0.5, guess) for cost, guess in self._of_kind(kind, slot)]
        return sorted(found, key=lambda one: one[0])[:8]

    def _of_kind(self, kind: str, slot: Slot) -> Alternatives:
        if kind in _ARRAYS or kind in _FORMED:
            return [(cost, Guess(kind, rank)) for cost, rank in self._ranks(slot)[:5]]
        match kind:
            case "tuple" if slot.positions:
                members = [slot.positions.get(index, Slot("")) for index in range(slot.length)]
                combined = products([self._of_slot(member)[:3] for member in members], 8)
                return [(cost, Guess("record", parts=tuple(("", one) for one in made), value=tuple)) for cost, made in combined]
            case "list" | "tuple":
                length = slot.length or (2 if kind == "tuple" else 3)
                return [(cost, Guess(kind, length, (("", part),))) for cost, part in self._of_slot(slot.element())[:3]]
            case "dict":
                if not slot.keys and not slot.votes["dict"]:
                    return []
                keys = slot.keys or {"a": slot.element(), "b": slot.element()}
                named = list(keys)
                combined = products([self._of_slot(keys[key])[:3] or [(0.0, Guess("floats", 2))] for key in named], 6)
                return [(cost, Guess("dict", parts=tuple(zip(named, guesses, strict=True)))) for cost, guesses in combined]
            case "dataset":
                inner = slot.element()
                elements = self._of_kind("tuple", inner) if inner.length else self._of_slot(inner)
                return [(cost, Guess("dataset", parts=(("", one),))) for cost, one in elements[:4]]
            case "int":
                literal = [value for value in self._literals if type(value) is int and 1 < value < 100][:1]
                heads = 2 if "head" in slot.name else 3
                return [(0.0, Guess("int", value=heads)), *((2.0, Guess("int", value=value)) for value in literal)]
            case "index":
                return [(0.0, Guess("index", value=1 if slot.name in ("i", "j", "idx", "index", "t") else 2))]
            case "seed":
                return [(0.0, Guess("value", value=(1, 2)))]
            case "axis":
                return [(0.0, Guess("value", value=-1)), (0.5, Guess("value", value=0)), (1.0, Guess("value", value=1))]
            case "float":
                return [(0.0, Guess("float", value=0.5))]
            case "bool":
                return [(0.0, Guess("value", value=True)), (0.5, Guess("value", value=False))]
            case "str":
                choices = [*slot.choices, *sorted(value for value in self._literals if isinstance(value, str) and value.isidentifier())]
                return [(0.2 * index, Guess("value", value=choice)) for index, choice in enumerate([*choices[:4], "name"])]
            case "callable":
                return [(0.0, Guess("callable", slot.arity))]
            case "shape":
                return [(0.0, Guess("shape", 2)), (0.6, Guess("shape", 1)), (1.0, Guess("shape", 3))]
            case "dtype" | "model" | "optimizer":
                return [(0.0, Guess(kind))]
            case _:
                return []

    def _ranks(self, slot: Slot) -> list[tuple[float, int]]:
        _, ranks = by_name(slot.name)
        wanted = {int(vote[4:]): weight for vote, weight in slot.votes.items() if vote.startswith("rank")}
        found = []
        for rank in range(6):
            if rank in wanted:
                found.append((0.0, rank))
            elif rank >= slot.rank and (rank in ranks or rank in _RANKS):
                place = ranks.index(rank) if rank in ranks else len(ranks) + 1
                found.append((0.6 * place + (4.0 if wanted else 0.0), rank))
        return sorted(found)

    def _annotated(self, annotation: Any, slot: Slot) -> Alternatives:
        """Of an annotation, or nothing where it says nothing."""
        origin, inside = typing.get_origin(annotation), typing.get_args(annotation)
        if annotation is None or annotation is type(None):
            return [(0.0, Guess("none"))]
        if _is_spec(annotation):
            return [(0.0, _of_signature(annotation))]
        if origin is typing.Annotated:
            exact = [one for one in inside[1:] if _is_spec(one)]
            return self._annotated(exact[0] if exact else inside[0], slot)
        if origin is typing.Literal:
            return [(0.5 * index, Guess("value", value=one)) for index, one in enumerate(inside)]
        if origin in (typing.Union, types.UnionType):
            members = [one for one in inside if one is not type(None)]
            found = [(cost + index, guess) for index, one in enumerate(members) for cost, guess in self._annotated(one, slot)]
            return [*found, (4.0, Guess("none"))] if found and len(members) < len(inside) else found
        if origin in (list, collections.abc.Sequence, collections.abc.Iterable):
            parts = self._annotated(inside[0], slot.element()) if inside else self._of_slot(slot.element())
            return [(cost, Guess("list", 3, (("", part),))) for cost, part in parts[:4]]
        if origin is tuple:
            return self._annotated_tuple(inside, slot)
        if origin in (dict, collections.abc.Mapping):
            keys = list(slot.keys) or ["a", "b"]
            known = [self._annotated(inside[1], slot.key(key))[:3] for key in keys] if len(inside) == 2 else []
            return (
                [(cost, Guess("dict", parts=tuple(zip(keys, made, strict=True)))) for cost, made in products(known, 6)]
                if all(known)
                else []
            )
        if origin is collections.abc.Callable:
            taken = len(inside[0]) if inside and isinstance(inside[0], list) else slot.arity
            return [(0.0, Guess("callable", taken))]
        return self._annotated_class(annotation, slot)

    def _annotated_tuple(self, inside: Sequence[Any], slot: Slot) -> Alternatives:
        if len(inside) == 2 and inside[1] is Ellipsis:
            if inside[0] is int and ("shape" in slot.votes or "shape" in slot.name):
                return self._of_kind("shape", slot)
            return [(cost, Guess("tuple", slot.length or 2, (("", part),))) for cost, part in self._annotated(inside[0], slot.element())]
        parts = [self._annotated(one, Slot("")) or self._of_slot(Slot("")) for one in inside]
        return [(cost, Guess("record", parts=tuple(("", one) for one in made), value=tuple)) for cost, made in products(parts, 6)]

    def _annotated_class(self, annotation: Any, slot: Slot) -> Alternatives:
        simple = {int: "int", float: "float", bool: "bool", str: "str", list: "list", tuple: "tuple", dict: "dict"}
        if annotation in (inspect.Parameter.empty, Any, object) or isinstance(annotation, (str, typing.TypeVar)):
            return []
        if isinstance(annotation, type) and annotation in simple:
            kind, (named, _) = simple[annotation], by_name(slot.name)
            kind = named if kind == "int" and named in ("axis", "index") else kind
            return self._of_kind(kind, slot) or ([(0.0, Guess("dict"))] if kind == "dict" else [])
        known = _known_class(annotation)
        if known == "tensor":
            scores = _scores(slot)
            kinds = [kind for kind in sorted(_ARRAYS, key=lambda kind: -scores[kind]) if scores[kind] > 0]
            return [(cost + index, Guess(kind, rank)) for index, kind in enumerate(kinds[:2]) for cost, rank in self._ranks(slot)[:4]]
        if known:
            return self._of_kind(known, slot)
        if not isinstance(annotation, type):
            return []
        instances = [(name, value) for name, value in self._namespace.items() if isinstance(value, annotation)]
        found: Alternatives = [(0.0, Guess("value", value=value, text=name)) for name, value in instances[:2]]
        if issubclass(annotation, enum.Enum):
            return [
                (0.2 * place, Guess("value", value=one, text=f"{annotation.__name__}.{one.name}")) for place, one in enumerate(annotation)
            ]
        return found or self._record(annotation, slot)

    def _record(self, annotation: type, slot: Slot) -> Alternatives:
        """Of a dataclass or a named tuple: a guess for each of its fields."""
        if dataclasses.is_dataclass(annotation):
            names = [one.name for one in dataclasses.fields(annotation) if one.init]
        elif issubclass(annotation, tuple) and hasattr(annotation, "_fields"):
            names = list(annotation._fields)
        else:
            return []
        hints = _hints(annotation)
        parts = [self._annotated(hints.get(name, Any), slot.key(name)) or self._of_slot(slot.key(name)) for name in names]
        return [(cost, Guess("record", parts=tuple(zip(names, made, strict=True)), value=annotation)) for cost, made in products(parts, 6)]


class Fitted:
    """A guess for each parameter, and what the body makes of them."""

    def __init__(self, guesser: Guesser, guesses: Sequence[Guess]) -> None:
        self._guesser = guesser
        self._guesses = dict(zip((one.name for one in guesser.parameters), guesses, strict=True))
        self._stand_ins: dict[str, Any] = {}
        self._dims: list[int] = []
        self.reader = guesser.reader()
        for name, guess in self._guesses.items():
            if guess.kind != "omitted":
                self._stand_ins[name] = self._stand_in(guess)
        guesser.read(self.reader, self._stand_ins)

    def _stand_in(self, guess: Guess) -> Any:
        sizes = self.reader.sizes
        if guess.kind in _ARRAYS or guess.kind in _FORMED:
            known = guess.dims if guess.dims is not None else (None,) * guess.rank
            dims = tuple(sizes.new(size) for size in known)
            self._dims += dims
            return Tensor(dims, _LIKE.get(guess.kind, "float"))
        match guess.kind:
            case "int" | "index":
                dim = sizes.new()
                sizes.preferred[dim] = guess.value
                return Size(dim)
            case "float":
                return Const(guess.value)
            case "none":
                return Const(None)
            case "list" | "tuple":
                member = self._stand_in(guess.parts[0][1])
                return Many(member) if guess.kind == "list" else Group([member] * guess.rank, "tuple")
            case "dict":
                return Dictionary({key: self._stand_in(part) for key, part in guess.parts})
            case "record":
                made = [self._stand_in(part) for _, part in guess.parts]
                names = [name for name, _ in guess.parts]
                return Dictionary(dict(zip(names, made, strict=True))) if dataclasses.is_dataclass(guess.value) else Group(made, "tuple")
            case "callable":
                return Operation(("tensorflow", "identity" if guess.rank < 2 else "maximum"))
            case "shape":
                return Group([Size(sizes.new(size)) for size in _SIZES[: guess.rank]], "tuple")
            case "dtype":
                return Operation(("tensorflow", "float32"))
            case "model":
                return Affine(_UNITS)
            case "dataset":
                return Many(self._stand_in(guess.parts[0][1]))
            case "value":
                return self.reader.concrete(guess.value)
            case _:
                return UNKNOWN

    def spec(self, equal: int, change: Mapping[str, str]) -> ParsedSpec:
        """With sizes: all that are not bound to others of the one size, or, if that is 0, all different."""
        size_of = solved(self.reader, self._dims, equal)
        positional: list[Spec] = []
        named: list[tuple[str, Spec]] = []
        skipped = False
        for parameter in self._guesser.parameters:
            guess = self._guesses[parameter.name]
            if guess.kind == "omitted":
                skipped = True
                continue
            made = self._made(guess, self._stand_ins[parameter.name], size_of, change)
            if parameter.kind is inspect.Parameter.POSITIONAL_ONLY and not skipped:
                positional.append(made)
            else:
                named.append((parameter.name, made))
        return ParsedSpec(tuple(positional), tuple(named))

    def _made(self, guess: Guess, stand_in: Any, size_of: Callable[[int], int], change: Mapping[str, str]) -> Spec:
        if guess.kind in _ARRAYS or guess.kind in _FORMED:
            assert isinstance(stand_in, Tensor) and stand_in.dims is not None
            dtype = guess.dtype or _ARRAYS.get(guess.kind, "float32")
            dtype = dtype if guess.dtype else change.get(dtype, dtype)
            shape: tuple[int | None, ...] = tuple(size_of(dim) for dim in stand_in.dims)
            if guess.kind == "ragged":
                shape = (shape[0], None, *shape[2:]) if len(shape) > 1 else (3, None)
            spec = ArraySpec(dtype, shape, _FORMED.get(guess.kind, "tensor"))
            if "positive" in change and dtype.startswith(("float", "bfloat")):
                return replace(spec, low=0.1, high=2.0)
            if spec.is_integer and stand_in.bounds:
                return replace(spec, low=0, high=max(0, min(size_of(dim) for dim in stand_in.bounds) - 1))
            return spec
        match guess.kind:
            case "int" | "index":
                return ValueSpec.of(size_of(stand_in.dim))
            case "float":
                return ValueSpec.of(guess.value)
            case "none":
                return ValueSpec.of(None)
            case "list":
                return SequenceSpec("list", (self._made(guess.parts[0][1], stand_in.member, size_of, change),) * guess.rank)
            case "tuple":
                return SequenceSpec("tuple", tuple(self._made(guess.parts[0][1], one, size_of, change) for one in stand_in.members))
            case "dict":
                items = [(key, self._made(part, stand_in.members[key], size_of, change)) for key, part in guess.parts]
                return MappingSpec(tuple((ValueSpec.of(key), made) for key, made in items))
            case "record":
                parts = list(stand_in.members.values()) if isinstance(stand_in, Dictionary) else stand_in.members
                fields = tuple(self._made(part, one, size_of, change) for (_, part), one in zip(guess.parts, parts, strict=True))
                return (
                    SequenceSpec("tuple", fields)
                    if guess.value is tuple
                    else CallSpec(ValueSpec(guess.value, guess.value.__name__), fields)
                )
            case "shape":
                return SequenceSpec("tuple", tuple(ValueSpec.of(size) for size in _SIZES[: guess.rank]))
            case "value":
                return ValueSpec(guess.value, guess.text) if guess.text else describe(guess.value)
            case "dataset":
                return CallSpec(ValueSpec(_dataset, "dataset"), (self._made(guess.parts[0][1], stand_in.member, size_of, change),))
            case _:
                return _of_library(guess)


def _of_library(guess: Guess) -> Spec:
    import tensorflow as tf

    match guess.kind, guess.rank:
        case "dtype", _:
            return ValueSpec(tf.float32, "tf.float32")
        case "callable", (0 | 1):
            return ValueSpec(tf.nn.relu, "tf.nn.relu")
        case "callable", 2:
            return ValueSpec(tf.math.squared_difference, "tf.math.squared_difference")
        case "callable", _:
            return ValueSpec(_first, "first")
        case "model", _:
            return CallSpec(ValueSpec(_model, "model"), ())
        case _:
            return CallSpec(ValueSpec(_optimizer, "optimizer"), ())


def _first(first: Any, *more: Any) -> Any:
    return first


def _model() -> Any:
    """A layer whose weights are always the same; Keras would draw their seeds from Python's random numbers."""
    import random

    import tensorflow as tf

    before = random.getstate()
    try:
        slope = tf.keras.initializers.Constant(0.1)
        return tf.keras.Sequential([tf.keras.layers.Dense(_UNITS, kernel_initializer=slope, activation="tanh")])
    finally:
        random.setstate(before)


def _optimizer() -> Any:
    import tensorflow as tf

    return tf.keras.optimizers.SGD(0.1)


def _dataset(element: Any) -> Any:
    import tensorflow as tf

    return tf.data.Dataset.from_tensors(element).repeat(3)


def solved(reader: Reader, dims: Sequence[int], equal: int) -> Callable[[int], int]:
    """A size for each unknown, that keeps what the body asks for as far as it can be kept."""
    sizes = reader.sizes
    values = {sizes.find(size): known for size, known in sizes.known.items() if sizes.find(size) == size}
    used: set[int] = set()
    joint = sizes.relations()

    def spread() -> None:
        for relations, joined, parted in ((joint, math.prod, _divided), (sizes.sums, sum, _subtracted)):
            for whole, parts in relations:
                whole, roots = sizes.find(whole), [sizes.find(part) for part in parts]
                unknown = [root for root in roots if root not in values]
                if not unknown:
                    values.setdefault(whole, joined(values[root] for root in roots))
                elif len(unknown) == 1 and whole in values:
                    values[unknown[0]] = parted(values[whole], [values[root] for root in roots if root != unknown[0]])

    def settle() -> None:
        before = -1
        while len(values) != before:
            before = len(values)
            spread()

    def size_of(dim: int, depth: int = 0) -> int:
        root = sizes.find(dim)
        if root not in values and depth < 8:
            for whole, parts in [*joint, *sizes.sums]:
                if sizes.find(whole) == root and root not in map(sizes.find, parts):
                    for part in parts:
                        size_of(part, depth + 1)
                    settle()
        if root not in values:
            values[root] = _chosen(sizes.preferred.get(root), sizes.least.get(root, 0), sizes.multiple.get(root, 1), equal, used)
            settle()
        used.add(values[root])
        return max(0, values[root])

    settle()
    for dim in dims:
        size_of(dim)
    return size_of


def _chosen(preferred: int | None, least: int, multiple: int, equal: int, used: Collection[int]) -> int:
    if preferred is not None:
        return preferred
    if equal:
        return -(-max(least, equal) // multiple) * multiple
    fitting = [size for size in _SIZES if size >= least and size % multiple == 0]
    return next((size for size in fitting if size not in used), fitting[0] if fitting else -(-max(least, 2) // multiple) * multiple)


def _divided(whole: int, factors: Sequence[int]) -> int:
    return whole // (math.prod(factors) or 1)


def _subtracted(whole: int, parts: Sequence[int]) -> int:
    return whole - sum(parts)


def products(alternatives: Sequence[Alternatives], limit: int) -> Iterator[tuple[float, list[Guess]]]:
    """Combinations of one alternative of each, the cheapest first."""
    if not all(alternatives):
        return
    start = (0,) * len(alternatives)
    waiting = [(sum(choices[0][0] for choices in alternatives), start)]
    seen = {start}
    while waiting and limit:
        cost, places = heapq.heappop(waiting)
        limit -= 1
        yield cost, [choices[place][1] for choices, place in zip(alternatives, places, strict=True)]
        for position, place in enumerate(places):
            moved = (*places[:position], place + 1, *places[position + 1 :])
            if place + 1 < len(alternatives[position]) and moved not in seen:
                seen.add(moved)
                heapq.heappush(waiting, (cost + alternatives[position][place + 1][0] - alternatives[position][place][0], moved))


def _order(fits: Sequence[Fitted], signed: bool, doubles: bool, longs: bool) -> Iterator[tuple[Fitted, int, Mapping[str, str]]]:
    """Which combination, which sizes, which dtypes: by turns, so that one wrong assumption doesn't cost all tries."""
    if signed:
        for fitted in fits[:3]:
            yield from ((fitted, equal, {}) for equal in (0, 5, 3, 2, 1))
        return
    changes: list[dict[str, str]] = [{}]
    if doubles:
        changes.insert(0 if not longs else 1, {"float32": "float64"})
    if longs:
        changes.insert(0, {"int32": "int64"})
    if doubles and longs:
        changes.append({"float32": "float64", "int32": "int64"})
    for number, fitted in enumerate(fits[:28]):
        for change in changes if number < 2 else changes[:1] if number > 5 else changes[:2]:
            yield fitted, 0, change
        if number % 3 == 1 and number < 30:
            yield fits[number // 3], _EQUAL, {}
    for fitted in fits[:5]:
        yield fitted, 0, {"positive": ""}
    for fitted in fits[:20]:
        yield fitted, _EQUAL, {}
    for fitted in fits[:10]:
        yield fitted, 1, {}


def _of_signature(spec: Any) -> Guess:
    """The guess of one entry of an input signature, which is a spec or a nest of them."""
    match spec:
        case dict():
            return Guess("dict", parts=tuple((str(key), _of_signature(one)) for key, one in spec.items()))
        case list() | tuple():
            return Guess("record", parts=tuple(("", _of_signature(one)) for one in spec), value=tuple)
        case _ if _is_spec(spec):
            rank = spec.shape.rank
            dims = tuple(spec.shape.as_list()) if rank is not None else (None, None)
            name = spec.dtype.name
            kind = "ints" if "int" in name else {"bool": "bools", "string": "strings"}.get(name, "floats")
            ragged = type(spec).__name__ == "RaggedTensorSpec"
            return Guess("ragged" if ragged else kind, len(dims), dims=dims, dtype=name)
        case _:
            return Guess("value", value=spec)


def _is_spec(value: Any) -> bool:
    return type(value).__name__ in ("TensorSpec", "RaggedTensorSpec") and hasattr(value, "shape") and hasattr(value, "dtype")


def _foreign(annotation: Any) -> bool:
    """Whether it is a class of the program's own: no array is taken for an object of that."""
    libraries = ("builtins", "typing", "collections", "abc", "tensorflow", "keras", "numpy", "typing_extensions", "types", "inspect")
    protocol = getattr(annotation, "_is_protocol", False)
    return isinstance(annotation, type) and not protocol and annotation.__module__.split(".")[0] not in libraries


def _known_class(annotation: Any) -> str:
    module, name = getattr(annotation, "__module__", "") or "", getattr(annotation, "__name__", str(annotation))
    root = module.split(".")[0]
    if root == "numpy":
        return "ndarray" if "array" in str(annotation).lower() else "float" if "float" in name else "int" if "int" in name else ""
    if root not in ("tensorflow", "keras"):
        return "ndarray" if "ndarray" in str(annotation) else ""
    if name.endswith("Variable"):
        return "variable"
    if "RaggedTensor" in name:
        return "ragged"
    if name in ("DType",):
        return "dtype"
    if "Dataset" in name:
        return "dataset"
    if name in ("Model", "Layer", "Sequential", "Functional"):
        return "model"
    if "Optimizer" in name:
        return "optimizer"
    return "tensor" if "Tensor" in name and "Shape" not in name and "Array" not in name else "shape" if "TensorShape" in name else ""


def _is_object(value: Any) -> bool:
    """Whether it is of a class of the program's own or of Keras."""
    not_one = (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type)
    return not isinstance(value, not_one) and root_of(type(value)) not in ("tensorflow", "builtins", "numpy")


def _own(value: Any) -> Mapping[str, Any]:
    return getattr(value, "__dict__", {})


def _elements(value: Any) -> int:
    shape = getattr(value, "shape", None)
    try:
        return math.prod(int(size) for size in shape) if shape is not None else 0
    except (TypeError, ValueError):
        return 0


def _closure(plain: Any) -> dict[str, Any]:
    function = getattr(plain, "__func__", plain)
    cells = getattr(function, "__closure__", None) or ()
    names = getattr(getattr(function, "__code__", None), "co_freevars", ())
    found = {}
    for name, cell in zip(names, cells, strict=False):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue  # A name that has no value yet.
    return found


def _words(node: Node | None) -> frozenset[str]:
    import ast

    if node is None:
        return frozenset()
    return frozenset(
        word
        for one in ast.walk(node)
        for word in ([one.attr] if isinstance(one, ast.Attribute) else [one.value] if isinstance(one, ast.Constant) else [])
        if isinstance(word, str)
    )
