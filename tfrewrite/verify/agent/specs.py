"""What a function takes, said in words: `x=f32[8, 100], ids=i32[8] in 0..99, n=20`.

Such a text stands in a comment of the user's, `# tfrewrite: inputs(...)`, and in the labels of inputs that were made up. It is
read into specs, and values are made of them; values are described as specs, and those are said as text. The three fit:
what is said of a made value is read as the spec that it was made of.
"""

from __future__ import annotations

import ast
import builtins
import io
import math
import re
import tokenize
from collections import OrderedDict, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FunctionType
from typing import Any

from tfrewrite.verify.agent.values import root_of

SHORT = {
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
    "bfloat16": "bf16",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint8": "u8",
    "uint16": "u16",
    "uint32": "u32",
    "uint64": "u64",
    "complex64": "c64",
    "complex128": "c128",
    "bool": "bool",
    "string": "str",
}
_LONG = {short: long for long, short in SHORT.items()} | {long: long for long in SHORT}
_FORMS = {
    "variable": "variable",
    "var": "variable",
    "np": "ndarray",
    "ndarray": "ndarray",
    "ragged": "ragged",
    "sparse": "sparse",
    "tensor": "tensor",
}
_PREFIX = {"tensor": "", "variable": "variable ", "ndarray": "np ", "ragged": "ragged ", "sparse": "sparse "}
UNKNOWN_SIZE = 5
"""Of a dimension that is said to be None: odd, so that halves and pairs are told apart."""


class SpecError(ValueError):
    """A declaration that can't be read, with the place and what was expected there."""


@dataclass(frozen=True)
class ArraySpec:
    dtype: str
    """As TensorFlow names it: float32, bfloat16, bool, string."""
    shape: tuple[int | None, ...]
    form: str = "tensor"
    """tensor, variable, ndarray, ragged (None where the rows differ in length) or sparse"""
    low: float | None = None
    high: float | None = None
    """The least and the largest value, both of which occur where there is room for them."""

    @property
    def is_integer(self) -> bool:
        return self.dtype.startswith(("int", "uint"))


@dataclass(frozen=True)
class SequenceSpec:
    kind: str
    """list, tuple or set"""
    members: tuple[Spec, ...]


@dataclass(frozen=True)
class MappingSpec:
    items: tuple[tuple[Spec, Spec], ...]


@dataclass(frozen=True)
class ValueSpec:
    """A value that is used as it stands: a number, a string, or an object that the module has a name for."""

    value: Any = field(compare=False)
    text: str

    @staticmethod
    def of(value: object) -> ValueSpec:
        return ValueSpec(value, repr(value))


@dataclass(frozen=True)
class CallSpec:
    """A value that is made by a call, anew each time: `Point(f32[2], 3)`, `Model(3)`."""

    callee: ValueSpec
    positional: tuple[Spec, ...]
    named: tuple[tuple[str, Spec], ...] = ()


Spec = ArraySpec | SequenceSpec | MappingSpec | ValueSpec | CallSpec


@dataclass(frozen=True)
class ParsedSpec:
    """The arguments of one call."""

    positional: tuple[Spec, ...] = ()
    named: tuple[tuple[str, Spec], ...] = ()

    def __str__(self) -> str:
        words = [say(one) for one in self.positional]
        return ", ".join(words + [f"{name}={say(one)}" for name, one in self.named])

    def make(self, seed: int = 0) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments, which are the same ones for the same seed."""
        maker = Maker(seed, default_limit([*self.positional, *(one for _, one in self.named)]))
        return tuple(maker.make(one) for one in self.positional), {name: maker.make(one) for name, one in self.named}


def default_limit(specs: Sequence[Spec]) -> int:
    """How many different integers there are where no range is given: few enough to be indices of any axis that is there."""
    sizes = [size for spec in specs for one in arrays(spec) if not one.is_integer for size in one.shape if size is not None and size > 1]
    return min([10, *sizes])


def arrays(spec: Spec) -> Iterator[ArraySpec]:
    match spec:
        case ArraySpec():
            yield spec
        case SequenceSpec(_, members):
            for member in members:
                yield from arrays(member)
        case MappingSpec(items):
            for _, member in items:
                yield from arrays(member)
        case CallSpec(_, positional, named):
            for member in (*positional, *(one for _, one in named)):
                yield from arrays(member)


class Maker:
    """Makes values of specs, from a random generator of its own: nobody else's numbers are touched."""

    def __init__(self, seed: int = 0, limit: int = 10) -> None:
        import numpy

        self._generator: Any = numpy.random.default_rng([20, seed])
        self._limit = limit

    def make(self, spec: Spec) -> Any:
        match spec:
            case ValueSpec(value):
                return value
            case SequenceSpec(kind, members):
                made = [self.make(member) for member in members]
                return {"list": list, "tuple": tuple, "set": set}[kind](made)
            case MappingSpec(items):
                return {self.make(key): self.make(member) for key, member in items}
            case CallSpec(callee, positional, named):
                return callee.value(*map(self.make, positional), **{name: self.make(one) for name, one in named})
            case ArraySpec(form="ragged"):
                return self._ragged(spec)
            case ArraySpec():
                return _in_form(self._array(spec, tuple(UNKNOWN_SIZE if size is None else size for size in spec.shape)), spec)

    def _array(self, spec: ArraySpec, shape: tuple[int, ...]) -> Any:
        import numpy

        generator, count = self._generator, math.prod(shape)
        if spec.dtype == "string":
            words = [f"{'abcdefghij'[index % 10]}{index // 10 or ''}" for index in range(count)]
            return numpy.array(words, dtype=object).reshape(shape)
        if spec.dtype == "bool":
            flat = generator.integers(0, 2, count).astype(bool)
            flat[: min(2, count)] = [True, False][: min(2, count)]
            return generator.permutation(flat).reshape(shape)
        if spec.is_integer:
            low = int(spec.low) if spec.low is not None else 0
            high = int(spec.high) if spec.high is not None else max(low, 255 if spec.dtype == "uint8" else self._limit - 1)
            flat = generator.integers(low, high, count, endpoint=True, dtype="uint64" if high >= 2**63 else "int64")
            flat[: min(2, count)] = [low, high][: min(2, count)]
            return generator.permutation(flat).reshape(shape).astype(spec.dtype)
        flat = generator.normal(size=count)
        if spec.low is not None and spec.high is not None:
            flat = generator.uniform(spec.low, spec.high, count)
        if spec.dtype.startswith("complex"):
            flat = flat + 1j * generator.normal(size=count)
        return flat.reshape(shape).astype(_numpy_dtype(spec.dtype))

    def _ragged(self, spec: ArraySpec) -> Any:
        """Rows of one member more or fewer than two, none among them: what is right for even rows is wrong for these."""
        import tensorflow as tf

        outer = [UNKNOWN_SIZE if size is None else size for size in spec.shape]
        last = max((axis for axis, size in enumerate(spec.shape) if size is None), default=0)
        total, lengths = outer[0] if outer else 0, []
        for axis in range(1, last + 1):
            size = spec.shape[axis]
            lengths.append([size if size is not None else (row * 2 + 1) % 4 for row in range(total)])
            total = sum(lengths[-1])
        value = tf.convert_to_tensor(self._array(spec, (total, *outer[last + 1 :])), dtype=spec.dtype)
        for axis, rows in reversed(list(enumerate(lengths, 1))):
            size = spec.shape[axis]
            if size is None:
                value = tf.RaggedTensor.from_row_lengths(value, tf.constant(rows, tf.int64))
            else:
                value = tf.RaggedTensor.from_uniform_row_length(value, size, nrows=len(rows))
        return value


def _numpy_dtype(name: str) -> Any:
    if name != "bfloat16":
        return name
    import tensorflow as tf

    return tf.bfloat16.as_numpy_dtype


def _in_form(array: Any, spec: ArraySpec) -> Any:
    if spec.form == "ndarray":
        return array
    import tensorflow as tf

    match spec.form:
        case "variable":
            return tf.Variable(array, dtype=spec.dtype)
        case "sparse":
            import numpy

            kept = numpy.arange(array.size).reshape(array.shape) % 3 == 0
            return tf.SparseTensor(numpy.argwhere(kept).reshape(-1, array.ndim), tf.constant(array[kept], spec.dtype), array.shape)
        case _:
            return tf.constant(array, dtype=spec.dtype)


def say(spec: Spec) -> str:
    match spec:
        case ArraySpec(dtype, shape, form, low, high):
            sizes = ", ".join(str(size) for size in shape)
            limits = "" if low is None or high is None else f" in {low}..{high}"
            return f"{_PREFIX[form]}{SHORT.get(dtype, dtype)}[{sizes}]{limits}"
        case SequenceSpec("list", members):
            return f"[{', '.join(map(say, members))}]"
        case SequenceSpec("set", members):
            return f"{{{', '.join(map(say, members))}}}" if members else "set()"
        case SequenceSpec(_, members):
            return f"({', '.join(map(say, members))}{',' if len(members) == 1 else ''})"
        case MappingSpec(items):
            return f"{{{', '.join(f'{say(key)}: {say(member)}' for key, member in items)}}}"
        case CallSpec(callee, positional, named):
            return f"{callee.text}({ParsedSpec(positional, named)})"
        case ValueSpec(_, text):
            return text


def describe(value: Any) -> Spec:
    """The spec of a value. Where no declaration can say it, its text is that of no value: `<Model>`."""
    match value:
        case None | bool() | int() | float() | str() | bytes():
            return _plain(value)
        case complex():
            return CallSpec(ValueSpec(complex, "complex"), (_plain(value.real), _plain(value.imag)))
        case tuple() if hasattr(value, "_fields"):
            return CallSpec(ValueSpec(type(value), type(value).__name__), tuple(map(describe, value)))
        case list() | tuple() if type(value) in (list, tuple):
            return SequenceSpec(type(value).__name__, tuple(map(describe, value)))
        case set() if type(value) is set:
            return SequenceSpec("set", tuple(sorted(map(describe, value), key=say)))
        case dict() if type(value) in (dict, OrderedDict, defaultdict):
            return MappingSpec(tuple((describe(key), describe(member)) for key, member in value.items()))
        case range():
            return CallSpec(ValueSpec(range, "range"), tuple(map(describe, (value.start, value.stop, value.step))))
        case slice():
            return CallSpec(ValueSpec(slice, "slice"), tuple(map(describe, (value.start, value.stop, value.step))))
        case _:
            return _array_spec(value) or _named_spec(value)


def _plain(value: Any) -> Spec:
    if type(value) not in (type(None), bool, int, float, str, bytes):
        return _array_spec(value) or _named_spec(value)
    return ValueSpec.of(value)


def _array_spec(value: Any) -> Spec | None:
    import numpy
    import tensorflow as tf

    if isinstance(value, numpy.generic):
        scalar = value.item()
        if isinstance(scalar, (bool, int, float)):
            return CallSpec(ValueSpec(type(value), f"np.{type(value).__name__}"), (ValueSpec.of(scalar),))
        return None
    if isinstance(value, tf.RaggedTensor):
        return _ranged("ragged", value.dtype.name, tuple(value.shape.as_list()), value.flat_values)
    if isinstance(value, tf.SparseTensor):
        return _ranged("sparse", value.dtype.name, tuple(value.shape.as_list()), None)
    if isinstance(value, numpy.ndarray):
        dtype = "string" if value.dtype.kind in "OUS" and all(isinstance(one, (str, bytes)) for one in value.flat) else value.dtype.name
        return _ranged("ndarray", dtype, value.shape, value) if dtype in SHORT else None
    if isinstance(value, tf.Tensor) and hasattr(value, "numpy"):
        return _ranged("tensor", value.dtype.name, tuple(value.shape), value) if value.dtype.name in SHORT else None
    if is_variable(value):
        array = variable_of(value)
        return _ranged("variable", array.dtype.name, tuple(array.shape), array)
    return None


def _ranged(form: str, dtype: str, shape: tuple[int | None, ...], values: Any) -> ArraySpec:
    spec = ArraySpec(dtype, shape, form)
    if not spec.is_integer or values is None:
        return spec
    import numpy

    array = numpy.asarray(values)
    return ArraySpec(dtype, shape, form, int(array.min()), int(array.max())) if array.size else spec


def is_variable(value: Any) -> bool:
    import tensorflow as tf

    return isinstance(variable_of(value), tf.Variable)


def variable_of(value: Any) -> Any:
    """The tf.Variable inside of a Keras variable; anything else is itself."""
    kinds = type(value).__mro__
    # Other objects of Keras may import what isn't there when they are asked for an attribute.
    own = any(root_of(kind) == "keras" and kind.__name__ in ("Variable", "KerasVariable") for kind in kinds)
    return getattr(value, "value", value) if own else value


def _named_spec(value: Any) -> ValueSpec:
    import tensorflow as tf

    if isinstance(value, tf.DType):
        return ValueSpec(value, f"tf.{value.name}")
    names = getattr(value, "_tf_api_names", None) if callable(value) else None
    if names:
        return ValueSpec(value, f"tf.{min(names, key=len)}")
    if isinstance(value, (type, FunctionType, BuiltinFunctionType)) and value.__name__.isidentifier():
        return ValueSpec(value, value.__name__)
    return ValueSpec(value, f"<{type(value).__name__}>")


_TOKEN = re.compile(
    r"""\s*(?:
        (?P<string>[bBrRuU]{0,2}(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))
      | (?P<number>[+-]?(?:\d[\d_]*\.(?!\.)\d*|\.\d+|\d[\d_]*)(?:[eE][+-]?\d+)?(?![\w]))
      | (?P<dots>\.\.\.?)
      | (?P<name>[+-]?[^\W\d]\w*)
      | (?P<mark>[][(){}=:,.])
    )""",
    re.VERBOSE,
)
_CONSTANTS = {"None": None, "True": True, "False": False, "nan": math.nan, "inf": math.inf, "-inf": -math.inf, "+inf": math.inf}
_WRAPPER = re.compile(r"^\s*(?:#\s*tfrewrite:\s*)?inputs\s*\((?P<inside>.*)\)\s*$", re.DOTALL)


def parse(declaration: str, namespace: Mapping[str, Any]) -> ParsedSpec:
    """What a declaration says; SpecError where it can't be read."""
    wrapped = _WRAPPER.match(declaration)
    return _Parser(wrapped["inside"] if wrapped else declaration, namespace).arguments()


class _Parser:
    """Reads from left to right: each method reads one thing and stands behind it."""

    def __init__(self, text: str, namespace: Mapping[str, Any]) -> None:
        self._text = text
        self._namespace = namespace
        self._tokens = list(self._split())
        self._at = 0

    def _split(self) -> Iterator[tuple[str, str, int]]:
        place = 0
        while self._text[place:].strip():
            found = _TOKEN.match(self._text, place)
            if found is None or found.lastgroup is None:
                raise self._error("a value", place)
            yield found.lastgroup, found[found.lastgroup], found.start(found.lastgroup)
            place = found.end()
        yield "end", "", len(self._text)

    def _error(self, wanted: str, place: int | None = None) -> SpecError:
        place = self._tokens[self._at][2] if place is None else place
        rest = self._text[place:].strip()
        found = f"{rest[:20]!r}" if rest else "the end"
        return SpecError(f"inputs({self._text.strip()}), column {place + 1}: expected {wanted}, found {found}")

    def _peek(self, ahead: int = 0) -> tuple[str, str]:
        kind, text, _ = self._tokens[min(self._at + ahead, len(self._tokens) - 1)]
        return kind, text

    def _take(self, *marks: str) -> bool:
        if self._peek() in [("mark", mark) for mark in marks]:
            self._at += 1
            return True
        return False

    def _expect(self, mark: str, wanted: str = "") -> None:
        if not self._take(mark):
            raise self._error(wanted or repr(mark))

    def arguments(self) -> ParsedSpec:
        spec = self._arguments(("end", ""), "',' or the end")
        return spec

    def _arguments(self, end: tuple[str, str], wanted: str) -> ParsedSpec:
        positional: list[Spec] = []
        named: list[tuple[str, Spec]] = []
        while self._peek() != end:
            kind, text = self._peek()
            if kind == "name" and self._peek(1) == ("mark", "="):
                if text in dict(named):
                    raise self._error(f"each name once ({text} is there already)")
                self._at += 2
                named.append((text, self.value()))
            elif named:
                raise self._error("name=value, as unnamed arguments come first")
            else:
                positional.append(self.value())
            if not self._take(",") and self._peek() != end:
                raise self._error(wanted)
        return ParsedSpec(tuple(positional), tuple(named))

    def value(self) -> Spec:
        kind, text = self._peek()
        match kind, text:
            case "string", _:
                self._at += 1
                return ValueSpec.of(ast.literal_eval(text))
            case "number", _:
                self._at += 1
                return ValueSpec.of(ast.literal_eval(text.lstrip("+")))
            case "dots", "...":
                self._at += 1
                return ValueSpec(..., "...")
            case "mark", "[":
                self._at += 1
                return SequenceSpec("list", self._members("]")[0])
            case "mark", "(":
                self._at += 1
                members, comma = self._members(")")
                return members[0] if len(members) == 1 and not comma else SequenceSpec("tuple", members)
            case "mark", "{":
                self._at += 1
                return self._braces()
            case "name", _ if text in _CONSTANTS:
                self._at += 1
                return ValueSpec(_CONSTANTS[text], text.lstrip("+"))
            case "name", _:
                return self._named(text)
            case _:
                raise self._error("a value such as f32[8, 100], 20, 'abc', [f32[3], f32[3]] or {'a': i32[2]}")

    def _members(self, end: str) -> tuple[tuple[Spec, ...], bool]:
        members: list[Spec] = []
        comma = False
        while not self._take(end):
            if members and not comma:
                raise self._error(f"',' or {end!r}")
            members.append(self.value())
            comma = self._take(",")
        return tuple(members), comma

    def _braces(self) -> Spec:
        items: list[tuple[Spec, Spec]] = []
        singles: list[Spec] = []
        while not self._take("}"):
            key = self.value()
            if not singles and self._take(":"):
                items.append((key, self.value()))
            elif not items:
                singles.append(key)
            else:
                raise self._error("':' and the value of the key")
            if not self._take(",") and self._peek() != ("mark", "}"):
                raise self._error("',' or '}'")
        return SequenceSpec("set", tuple(singles)) if singles else MappingSpec(tuple(items))

    def _named(self, text: str) -> Spec:
        after = self._peek(1)
        if text in _FORMS and (after[1] in _LONG or (after == ("mark", "(") and self._peek(2)[1] in _LONG and text not in self._namespace)):
            self._at += 1
            enclosed = self._take("(")
            spec = self._array(_FORMS[text])
            if enclosed:
                self._expect(")")
            return spec
        if text in _LONG and (after == ("mark", "[") or text not in {*self._namespace, *vars(builtins)}):
            return self._array("tensor")
        return self._reference()

    def _array(self, form: str) -> ArraySpec:
        dtype = _LONG[self._peek()[1]]
        self._at += 1
        self._expect("[", "'[' and the sizes, as in f32[8, 100], or f32[] for a single number")
        shape: list[int | None] = []
        while not self._take("]"):
            kind, text = self._peek()
            if kind == "number" and text.replace("_", "").isdigit():
                shape.append(int(text))
            elif text == "None":
                shape.append(None)
            else:
                raise self._error("a size: a whole number, or None for any")
            self._at += 1
            if not self._take(",") and self._peek() != ("mark", "]"):
                raise self._error("',' or ']'")
        low, high = self._range(dtype)
        return ArraySpec(dtype, tuple(shape), form, low, high)

    def _range(self, dtype: str) -> tuple[float | None, float | None]:
        if self._peek() != ("name", "in"):
            return None, None
        self._at += 1
        low = self._limit(dtype)
        if self._peek() != ("dots", ".."):
            raise self._error("'..' between the least and the largest value, as in 0..99")
        self._at += 1
        high = self._limit(dtype)
        if low > high:
            raise self._error("the least value first, then the largest")
        return low, high

    def _limit(self, dtype: str) -> float:
        kind, text = self._peek()
        number = ast.literal_eval(text.lstrip("+")) if kind == "number" else None
        whole = dtype.startswith(("int", "uint"))
        if dtype in ("bool", "string") or dtype.startswith("complex"):
            raise self._error(f"no range: {dtype} has none")
        if number is None or (whole and not isinstance(number, int)):
            raise self._error("a whole number" if whole else "a number")
        self._at += 1
        return number if whole else float(number)

    def _reference(self) -> Spec:
        """A name of the module, what it is an attribute or an item of, or what a call of it makes."""
        start = self._tokens[self._at][2]
        spec: Spec = ValueSpec(self._look_up(self._peek()[1]), self._peek()[1])
        self._at += 1
        while self._peek()[1] in (".", "[", "(") and self._peek()[0] == "mark":
            if isinstance(spec, CallSpec):
                raise self._error("',' or the end: what a call makes has to have a name in the module to be used further")
            assert isinstance(spec, ValueSpec)
            if self._take("("):
                inside = self._arguments(("mark", ")"), "',' or ')'")
                self._at += 1
                if not callable(spec.value):
                    raise self._error(f"something that can be called: {spec.text} is a {type(spec.value).__name__}", start)
                spec = CallSpec(spec, inside.positional, inside.named)
                continue
            try:
                if self._take("."):
                    name = self._peek()[1]
                    spec = ValueSpec(getattr(spec.value, name), f"{spec.text}.{name}")
                    self._at += 1
                else:
                    self._at += 1
                    key = self.value()
                    assert isinstance(key, ValueSpec)
                    self._expect("]")
                    spec = ValueSpec(spec.value[key.value], f"{spec.text}[{key.text}]")
            except (AttributeError, LookupError, TypeError, AssertionError):
                raise self._error(f"an attribute or an item that {spec.text} has", start) from None
        return spec

    def _look_up(self, name: str) -> Any:
        if name in self._namespace:
            return self._namespace[name]
        if name == "tf":
            import tensorflow

            return tensorflow
        if name == "np":
            import numpy

            return numpy
        if hasattr(builtins, name):
            return getattr(builtins, name)
        raise self._error("a dtype with sizes (f32[8, 100]), a plain value, or a name that the module has")


def declared(text: str, function_line: int, end_line: int) -> list[str]:
    """What the comments `# tfrewrite: inputs(...)` of a function say, each in its own inputs.

    They stand directly above the function, on the lines of its decorators and of its `def`, or before its first statement.
    """
    first, last = _header(text, function_line, end_line)
    comments = _comments(text)
    while first - 1 in comments and not text.splitlines()[first - 2].split("#")[0].strip():
        first -= 1
    found = []
    for line in sorted(line for line in comments if first <= line <= last):
        words = comments[line]
        for start in re.finditer(r"#\s*tfrewrite:\s*inputs\s*\(|(?<=\))[\s,;]*inputs\s*\(", words):
            inside = _enclosed(words[start.end() :], [comments[later] for later in _following(line, comments)])
            if inside is not None:
                found.append(inside)
    return found


def _header(text: str, function_line: int, end_line: int) -> tuple[int, int]:
    """The lines from the first decorator to the first statement of the body (its docstring aside)."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return function_line, min(function_line + 3, end_line)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first <= function_line <= node.lineno:
                body = node.body[1:] if ast.get_docstring(node) is not None and len(node.body) > 1 else node.body
                return first, body[0].lineno
    return function_line, min(function_line + 3, end_line)


def _comments(text: str) -> dict[int, str]:
    found = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                found[token.start[0]] = token.string
    except (tokenize.TokenError, SyntaxError):
        pass
    return found


def _following(line: int, comments: Mapping[int, str]) -> Iterator[int]:
    while (line := line + 1) in comments:
        yield line


def _enclosed(words: str, more: Sequence[str]) -> str | None:
    """The text up to the bracket that closes what was opened before it, which may stand in one of the next comments."""
    depth, quote, taken = 1, "", ""
    for part in (words, *(" " + one.lstrip("#").lstrip() for one in more)):
        for index, letter in enumerate(part):
            if quote:
                quote = "" if letter == quote and part[index - 1] != "\\" else quote
            elif letter in "'\"":
                quote = letter
            elif letter in "([{":
                depth += 1
            elif letter in ")]}":
                depth -= 1
                if depth == 0:
                    return (taken + part[:index]).strip()
        taken += part
    return None
