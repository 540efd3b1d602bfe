"""Runs the programs of the corpus, before and after, and compares what is left of them."""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import io
import math
import random
import re
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Protocol, TypeVar

from tfrewrite.catalogue import rules
from tfrewrite.engine import Options, Result, rewrite
from tfrewrite.outcomes import Fidelity, Rule, purposes
from tfrewrite.source import Source, apply_edits

CORPUS = Path(__file__).parent.parent / "corpus"
_REFUSED = re.compile(r"# refused: (?P<rule>\w+): (?P<reason>.+)$")
_PEAK = re.compile(r"^# peak at most: (?P<ratio>[\d.]+)$", re.MULTILINE)
_FIDELITY = re.compile(r"^# fidelity: (?P<name>\w+)\r?$", re.MULTILINE)
_PURPOSE = re.compile(r"^# for: (?P<name>\w+)\r?$", re.MULTILINE)
_LEAVES = re.compile(r"^# leaves besides: (?P<names>.+)$", re.MULTILINE)
_DELETES = re.compile(r"^# deletes: (?P<names>.+)$", re.MULTILINE)
_WARM: set[str] = set()
"""The programs that this process has run: what the first run of one takes for all others isn't asked for again."""
_ELEMENTS = 20
"""Of a dataset that is left: so many are compared."""
_ROOM = 0.9
"""The part of what was promised that one run of each half has to keep, to be believed."""
_NUMBER = re.compile(r"-?\d+\.\d*(?:e[+-]?\d+)?|-?\d+e[+-]?\d+")


@dataclass(frozen=True)
class Case:
    """One program: a text, what shall become of it, and what its comments promise.

    `# unsafe` on a line of its own asks for unproven rewrites too, `# fidelity: tolerance` for those whose rounding may decide something,
    `# for: both` for those that save time and no memory of the whole program, `# raises` says that the program raises, `# raises in a graph` that
    it does so unless it is run eagerly, or over Python numbers at least, which is what it means then; `# peak at most: 0.7` promises a ratio of memory, and
    `# refused: RULE: REASON` at the end of a line a refusal there whose sentence contains REASON.

    What stands in `corpus/programs/` are whole programs, whose last statement is what `benchmarks/programs.py` measures. They may
    have a best form that somebody wrote by hand, with the same names and the same last statement, in `NAME.best.py`.
    """

    path: Path
    text: str
    expected: str | None
    best: str | None = None

    @property
    def name(self) -> str:
        return str(self.path.relative_to(CORPUS).with_suffix(""))

    @property
    def unsafe(self) -> bool:
        return "# unsafe" in self.text.splitlines()

    @property
    def options(self) -> Options:
        """What is asked for, of all rules."""
        fidelity, purpose = _FIDELITY.search(self.text), _PURPOSE.search(self.text)
        return Options(
            rules(),
            self.unsafe,
            Fidelity[fidelity["name"].upper()] if fidelity else Fidelity.ROUNDING,
            purposes=purposes(purpose["name"] if purpose else "memory"),
        )

    @property
    def raises(self) -> bool:
        return "# raises" in self.text.splitlines()

    @property
    def raises_in_a_graph(self) -> bool:
        return "# raises in a graph" in self.text.splitlines()

    @property
    def peak(self) -> float | None:
        found = _PEAK.search(self.text)
        return float(found["ratio"]) if found else None

    @property
    def besides(self) -> list[str]:
        found = _LEAVES.search(self.text)
        return found["names"].split(", ") if found else []

    @property
    def deletes(self) -> list[str]:
        found = _DELETES.search(self.text)
        return found["names"].split(", ") if found else []

    @property
    def refusals(self) -> list[tuple[int, str, str]]:
        lines = enumerate(self.text.splitlines(), 1)
        return [(number, found["rule"], found["reason"].strip()) for number, line in lines if (found := _REFUSED.search(line))]

    def rewritten(self, options: Options | None = None) -> tuple[str, Result]:
        return _rewritten(self.text, str(self.path), options or self.options)


@functools.cache
def _rewritten(text: str, path: str, options: Options) -> tuple[str, Result]:
    """Many tests ask for the same."""
    result = rewrite(Source(text, path), options)
    return apply_edits(text, result.edits), result


def anything(rules: tuple[Rule, ...], unsafe: bool = False) -> Options:
    """What can be rewritten, be it for time, and wherever its rounding leads: for tests of how it is done."""
    return Options(rules, unsafe, Fidelity.TOLERANCE, purposes=purposes("both"))


def cases() -> list[Case]:
    found = []
    for path in sorted(CORPUS.rglob("*.py")):
        if not path.name.endswith((".expected.py", ".best.py")):
            expected, best = (path.with_suffix(f".{which}.py") for which in ("expected", "best"))
            found.append(Case(path, _text(path), *(_text(one) if one.exists() else None for one in (expected, best))))
    return found


class Text(Protocol):
    @property
    def text(self) -> str: ...


_Text = TypeVar("_Text", bound=Text)


def telling(found: Sequence[_Text]) -> list[_Text]:
    """Those in which some construct of Python stands, or some attribute's name, that stands in none before.

    They are enough for what doesn't ask what a program is about, but executes it in another way.
    """
    seen: set[tuple[str, ...]] = set()
    kept = []
    for one in found:
        if new := _constructs(ast.parse(one.text)) - seen:
            seen |= new
            kept.append(one)
    return kept


def _constructs(tree: ast.AST) -> set[tuple[str, ...]]:
    nodes = list(ast.walk(tree))
    names = {(node.attr,) for node in nodes if isinstance(node, ast.Attribute)}
    fields = ((node, name, value) for node in nodes for name, value in ast.iter_fields(node))
    parts = ((node, name, part) for node, name, value in fields for part in (value if isinstance(value, list) else [value]))
    return names | {(type(node).__name__, name, type(part).__name__) for node, name, part in parts if isinstance(part, ast.AST)}


def _text(path: Path) -> str:
    """With the line ends that the file has."""
    return path.read_bytes().decode("utf-8")


@dataclass
class Run:
    """What a program left behind."""

    values: dict[str, Any] = field(default_factory=dict)
    printed: str = ""
    raised: BaseException | None = None


def run(text: str, path: str, *, eagerly: bool = False) -> Run:
    """Execute a program as a script, with every seed set."""
    import numpy as np
    import tensorflow as tf

    if not eagerly:
        _WARM.add(text)
    tf.keras.utils.set_random_seed(7)
    tf.config.run_functions_eagerly(eagerly)
    random.seed(7)
    np.random.seed(7)
    namespace: dict[str, Any] = {"__name__": "__main__", "__file__": path}
    result = Run()
    printed = io.StringIO()
    # AutoGraph reads a function's source from the file that its code names.
    with tempfile.NamedTemporaryFile("w", suffix=".py", encoding="utf-8") as script, contextlib.redirect_stdout(printed):
        script.write(text)
        script.flush()
        try:
            exec(compile(text, script.name, "exec", dont_inherit=True), namespace)
        except Exception as error:
            result.raised = error
        finally:
            _switch_back()
    result.printed = printed.getvalue()
    result.values = {
        name: value
        for name, value in namespace.items()
        if not name.startswith("__") and not isinstance(value, ModuleType | FunctionType | type) and not callable(value)
    }
    return result


def meant(case: Case) -> Run:
    """What a program that raises in a graph gives eagerly, or over Python numbers at least."""
    eager = run(case.text, str(case.path), eagerly=True)
    return run(over_numbers(case.text), str(case.path), eagerly=True) if eager.raised else eager


def over_numbers(text: str) -> str:
    """The program with each of its loops over tf.range a loop of Python."""
    return text.replace(" in tf.range(", " in range(")


def _switch_back() -> None:
    """What a program sets for all of TensorFlow is gone with it, as with its process."""
    import tensorflow as tf
    from tensorflow.python.data.ops import debug_mode

    tf.config.run_functions_eagerly(False)
    debug_mode.toggle_debug_mode(False)


def differences(before: Run, after: Run, fidelity: Fidelity, besides: Sequence[str] = (), deletes: Sequence[str] = ()) -> list[str]:
    """What tells the two runs apart, but for the names that only the second leaves, or deletes; nothing if they mean the same."""
    found = []
    if type(before.raised) is not type(after.raised):
        found.append(f"raised {before.raised!r} before, {after.raised!r} after")
    if not _same_print(before.printed, after.printed, fidelity):
        found.append(f"printed {before.printed!r} before, {after.printed!r} after")
    expected = [one for one in before.values if one not in deletes]
    if [one for one in after.values if one not in besides] != expected or not set(besides) <= set(after.values):
        found.append(f"left {list(before.values)} before, {list(after.values)} after")
    for name in before.values:
        if name in after.values:
            found += [f"{name}{where}" for where in _compare(before.values[name], after.values[name], fidelity)]
    return found


def _same_print(before: str, after: str, fidelity: Fidelity) -> bool:
    if fidelity is Fidelity.BITWISE or before == after:
        return before == after
    numbers = zip(_NUMBER.findall(before), _NUMBER.findall(after), strict=False)
    close = all(math.isclose(float(x), float(y), rel_tol=1e-4, abs_tol=1e-6) for x, y in numbers)
    return close and _NUMBER.sub("#", before) == _NUMBER.sub("#", after)


def _compare(before: Any, after: Any, fidelity: Fidelity) -> list[str]:
    import numpy as np
    import tensorflow as tf

    if fidelity is Fidelity.BEHAVIOUR and isinstance(before, int) and isinstance(after, tf.Variable):
        after = int(after)
    if _of_one_class(before, after):
        return _compare(vars(before), vars(after), fidelity)
    if isinstance(before, tf.data.Dataset) and isinstance(after, tf.data.Dataset):
        return _compare_datasets(before, after, fidelity)
    if type(before) is not type(after):
        return [f": {type(before).__name__} before, {type(after).__name__} after"]
    match before:
        case list() | tuple():
            if len(before) != len(after):
                return [f": {len(before)} members before, {len(after)} after"]
            pairs = enumerate(zip(before, after, strict=True))
            return [f"[{index}]{where}" for index, (x, y) in pairs for where in _compare(x, y, fidelity)]
        case Mapping():
            if list(before) != list(after):
                return [f": keys {list(before)} before, {list(after)} after"]
            return [f"[{key!r}]{where}" for key in before for where in _compare(before[key], after[key], fidelity)]
        case tf.IndexedSlices():
            return _compare(tf.convert_to_tensor(before), tf.convert_to_tensor(after), fidelity)
        case tf.Tensor() | tf.Variable() | np.ndarray() | np.generic():
            return _compare_arrays(before, after, fidelity)
        case float() | int() | str() | bytes() | bool() | None:
            return [] if before == after else _compare_arrays(np.asarray(before), np.asarray(after), fidelity)
    return []


def _compare_datasets(before: Any, after: Any, fidelity: Fidelity) -> list[str]:
    """Whatever they are made of: what they say of their elements, and the first of these."""
    if before.element_spec != after.element_spec:
        return [f": elements are {before.element_spec} before, {after.element_spec} after"]
    if int(before.cardinality()) != int(after.cardinality()):
        return [f": {int(before.cardinality())} elements before, {int(after.cardinality())} after"]
    return _compare(list(before.take(_ELEMENTS)), list(after.take(_ELEMENTS)), fidelity)


def _of_one_class(before: Any, after: Any) -> bool:
    """Are these objects of a class that each run of the program has defined for itself?"""
    one, other = type(before), type(after)
    return one is not other and one.__module__ == other.__module__ == "__main__" and one.__qualname__ == other.__qualname__


def _of_a_graph(value: Any) -> bool:
    """Is it a tensor that a program under compat.v1 has left, which has no value of its own?"""
    import tensorflow as tf

    return isinstance(value, tf.Tensor) and not hasattr(value, "numpy")


def _compare_arrays(before: Any, after: Any, fidelity: Fidelity) -> list[str]:
    import numpy as np

    if before.dtype != after.dtype or before.shape != after.shape:
        return [f": {before.dtype}{tuple(before.shape)} before, {after.dtype}{tuple(after.shape)} after"]
    if _of_a_graph(before) or _of_a_graph(after):
        return [] if _of_a_graph(before) and _of_a_graph(after) else [": a tensor of a graph, and one that has a value"]
    x, y = np.asarray(before), np.asarray(after)
    if fidelity is Fidelity.BITWISE or not np.issubdtype(x.dtype, np.inexact):
        return [] if np.array_equal(x, y, equal_nan=np.issubdtype(x.dtype, np.inexact)) else [": values differ"]
    precision = rounding(x.dtype)
    return [] if np.allclose(x, y, rtol=precision, atol=precision, equal_nan=True) else [": values differ by more than rounding"]


def rounding(dtype: Any) -> float:
    """How far values may be apart that are equal but for rounding, relative to them and absolutely."""
    import numpy as np

    return 1e-10 if dtype in (np.float64, np.complex128) else 2e-5


def peak(text: str, path: str) -> float:
    """The exact peak of memory of a warm run of a program, in bytes: the median of three.

    How many turns of a loop a graph runs at once is up to the scheduler; everything else is the same in each run, once
    the graphs of earlier runs have been collected.
    """
    return statistics.median(_peak(text, path) for _ in range(3))


def peaks(before: str, after: str, path: str, ratio: float) -> tuple[float, float]:
    """The peaks of two programs, as far as the question is whether the second's is at most that part of the first's.

    One run of each is enough where the promise is kept with room to spare: a scheduler doesn't move a peak so far. The median of
    three lies between any two of them: where all of two runs each agree, a third decides nothing.
    """
    first, second = [_peak(before, path)], [_peak(after, path)]
    if second[0] <= _ROOM * ratio * first[0]:
        return first[0], second[0]
    first, second = [*first, _peak(before, path)], [*second, _peak(after, path)]
    if max(second) <= ratio * min(first):
        return min(first), max(second)
    return statistics.median([*first, _peak(before, path)]), statistics.median([*second, _peak(after, path)])


def _peak(text: str, path: str) -> int:
    import memray

    if text not in _WARM:
        run(text, path)
    gc.collect()
    with tempfile.TemporaryDirectory() as folder:
        capture = Path(folder) / "capture"
        with memray.Tracker(capture):
            run(text, path)
        return memray.FileReader(capture).metadata.peak_memory
