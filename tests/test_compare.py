"""What the comparison accuses and what it lets pass: structure exactly, numbers by how far rounding reaches."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tfrewrite.verify.agent.photographer import Photographer
from tfrewrite.verify.compare import Compared, Identities, Reference, differences, judge, text_difference, ulps_between
from tfrewrite.verify.portrait import Store
from tfrewrite.verify.verdict import Verdict

pytestmark = pytest.mark.smoke

EQUIVALENT, SENSITIVE, UNDECIDED, DIFFERS = Verdict.EQUIVALENT, Verdict.SENSITIVE, Verdict.UNDECIDED, Verdict.DIFFERS
EPSILON = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23, "float64": 2.0**-52}
Hook = Callable[[Any], Any]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("store"))


@dataclasses.dataclass
class Point:
    x: Any
    y: Any = 0


def compare(store: Store, before: Any, after: Any, aspect: str = "value", references: dict[str, Reference] | None = None) -> Compared:
    left, right = Photographer(store).take(before), Photographer(store).take(after)
    return differences(left, right, (store, store), "result", aspect, references)


def evaluated(program: Callable[..., Any], *inputs: Any, dtype: str = "float32") -> Reference:
    """The program in float64, and how far it moves when every value in it moves by one ulp of the type it has in truth."""
    rng = np.random.default_rng(1)

    def moved(value: Any) -> Any:
        return value * (1 + EPSILON[dtype] * rng.choice([-1.0, 1.0], size=np.shape(value)))

    wide = [np.asarray(part, np.float64) for part in inputs]
    value = program(lambda part: part, *wide)
    draws = [np.square(program(moved, *map(moved, wide)) - value) for _ in range(3)]
    return Reference(value, np.sqrt(np.mean(draws, axis=0)))


def normal(*shape: int, seed: int = 0, dtype: str = "float32") -> Any:
    return tf.cast(np.random.default_rng(seed).normal(size=shape), dtype).numpy()


def product(hook: Hook, a: Any, b: Any) -> Any:
    return hook(a @ b)


def softmax(hook: Hook, x: Any) -> Any:
    powers = hook(np.exp(hook(x - x.max(-1, keepdims=True))))
    return hook(powers / hook(powers.sum(-1, keepdims=True)))


def variance(hook: Hook, x: Any) -> Any:
    return hook(np.square(hook(x - hook(x.mean(-1, keepdims=True)))).mean(-1))


def chain(hook: Hook, x: Any, w: Any, turns: int) -> Any:
    for _ in range(turns):
        x = hook(np.tanh(hook(hook(x @ w) + hook(x / 3))))
    return x


STRUCTURES: dict[str, tuple[Any, Any, str, str]] = {
    "list for a tuple": ([1], (1,), "type", "result"),
    "one element more": ([1], [1, 2], "structure", "result"),
    "key lost": ({"a": 1, "b": [2]}, {"a": 1}, "structure", "result['b']"),
    "order of keys": ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "structure", "result"),
    "a float for a tensor": ([tf.constant(1.0)], [1.0], "type", "result[0]"),
    "an array for a tensor": (tf.constant(1.0), np.array(1.0, np.float32), "type", "result"),
    "a bool for an int": (1, True, "type", "result"),
    "None for a tensor": (tf.constant(1.0), None, "type", "result"),
    "a tensor for a variable": (tf.Variable(1.0), tf.constant(1.0), "type", "result"),
    "dtype": (tf.constant(1.0), tf.constant(1.0, tf.float64), "dtype", "result"),
    "shape": (tf.zeros([2, 1]), tf.zeros([1, 2]), "shape", "result"),
    "an empty array of another shape": (tf.zeros([0, 3]), tf.zeros([3, 0]), "shape", "result"),
    "rows of a ragged tensor": (tf.ragged.constant([[1], []]), tf.ragged.constant([[], [1]]), "shape", "result.nested_row_splits[0]"),
    "dense for sparse": (tf.sparse.from_dense([0.0, 1.0]), tf.constant([0.0, 1.0]), "type", "result"),
    "attribute": (Point(1, 2), Point(1, 3), "value", "result.y"),
    "string": (["a", tf.constant(["x", "y"])], ["a", tf.constant(["x", "z"])], "value", "result[1]"),
    "integer": (tf.range(9), tf.range(9) // 8 + tf.range(9), "value", "result"),
    "another member of a set": ({"a", "b"}, {"a", "c"}, "value", "result{1}"),
    "trainable": (tf.Variable(1.0), tf.Variable(1.0, trainable=False), "type", "result"),
}


@pytest.mark.parametrize("name", STRUCTURES)
def test_what_is_not_a_number_is_compared_exactly(store: Store, name: str) -> None:
    before, after, aspect, where = STRUCTURES[name]
    for value in (before, after):
        assert compare(store, value, value) == Compared(EQUIVALENT, "bitwise")
    found = compare(store, before, after)
    assert found.difference is not None
    assert (found.verdict, found.difference.aspect, found.difference.where) == (DIFFERS, aspect, where)
    assert found.difference.before != found.difference.after


def test_the_same_object_in_two_places_is_part_of_the_meaning(store: Store) -> None:
    def shared(value: Any) -> list[Any]:
        return [value, [value]]

    assert compare(store, shared([1]), shared([1])).verdict is EQUIVALENT
    assert compare(store, [shared({}), [0]], [shared({}), [0]]).verdict is EQUIVALENT
    found = compare(store, shared([1]), [[1], [[1]]])
    assert found.difference and (found.difference.aspect, found.difference.where) == ("aliasing", "result[1][0]")
    a, b = np.ones(2), np.ones(2)
    found = compare(store, [a, b, a], [a, b, b])
    assert found.difference and found.difference.aspect == "aliasing" and "result[0]" in found.difference.before
    # Over several portraits: a result that is the argument itself, and one that is a copy of it.
    photographers, identities, array = (Photographer(store), Photographer(store)), Identities(), np.ones(3)
    pairs = [(array, array), (array, array.copy())]
    verdicts = [
        differences(photographers[0].take(one), photographers[1].take(other), (store, store), place, identities=identities).verdict
        for place, (one, other) in zip(("argument", "result"), pairs, strict=True)
    ]
    assert verdicts == [EQUIVALENT, DIFFERS]


def test_gradients(store: Store) -> None:
    slices = tf.IndexedSlices(tf.constant([[1.0], [2.0], [4.0]]), tf.constant([0, 2, 0]), tf.constant([3, 1]))
    other_order = tf.IndexedSlices(tf.constant([[2.0], [4.0], [1.0]]), tf.constant([2, 0, 0]), tf.constant([3, 1]))
    dense, wrong = tf.constant([[5.0], [0.0], [2.0]]), tf.constant([[5.0], [1.0], [2.0]])
    assert compare(store, slices, other_order, "gradient").verdict is EQUIVALENT
    assert compare(store, slices, other_order, "value").verdict is DIFFERS
    assert compare(store, dense, slices, "gradient").verdict is EQUIVALENT
    for before, after in ((slices, wrong), (dense, None), (None, dense)):
        found = compare(store, before, after, "gradient")
        assert found.difference and (found.verdict, found.difference.aspect) == (DIFFERS, "gradient")


def test_what_cannot_be_looked_into(store: Store) -> None:
    def generator() -> Any:
        return (number for number in [1])

    assert compare(store, generator(), generator()).verdict is UNDECIDED
    assert compare(store, generator(), generator(), "state").verdict is EQUIVALENT
    assert compare(store, generator(), [1]).verdict is DIFFERS


def right_versions() -> dict[str, tuple[Any, Any, Reference]]:
    """Other ways to calculate the same."""
    found: dict[str, tuple[Any, Any, Reference]] = {}
    for dtype in ("float32", "float16", "bfloat16", "float64"):
        for rows, inner in ((1, 3), (7, 40), (60, 100)):
            a, b = normal(rows, inner, dtype=dtype), normal(inner, 5, seed=1, dtype=dtype)
            left, right = tf.constant(a), tf.constant(b)
            case = f"{dtype} {rows}x{inner}"
            before = tf.matmul(left, right).numpy()
            broadcast = tf.reduce_sum(left[:, :, None] * right[None], 1).numpy()
            found[f"order of a product's sum, {case}"] = before, broadcast, evaluated(product, a, b, dtype=dtype)
            before, third = (left / 3).numpy(), (left * tf.constant(1 / 3, dtype)).numpy()
            found[f"a third, {case}"] = before, third, evaluated(lambda hook, x: hook(x / 3), a, dtype=dtype)
            before, unshifted = tf.nn.softmax(left).numpy(), (tf.exp(left) / tf.reduce_sum(tf.exp(left), -1, keepdims=True)).numpy()
            found[f"softmax without the maximum, {case}"] = before, unshifted, evaluated(softmax, a, dtype=dtype)
            before, squared = tf.math.reduce_variance(left, -1).numpy(), tf.reduce_mean(left * left, -1) - tf.reduce_mean(left, -1) ** 2
            found[f"variance by squares, {case}"] = before, squared.numpy(), evaluated(_variance_by_squares, a, dtype=dtype)
    a = normal(2000)
    near = (a * np.float32(1.1) - a * np.float32(1.1 + 1e-6), a * (np.float32(1.1) - np.float32(1.1 + 1e-6)))
    reference = evaluated(lambda hook, x: hook(hook(x * 1.1) - hook(x * (1.1 + 1e-6))), a)
    found["near zero by cancellation"] = *near, dataclasses.replace(reference, scale=float(np.abs(a).max()))
    small = np.array([3e-39, 1.0], np.float32)
    found["denormals flushed to zero"] = small, np.array([0, 1], np.float32), Reference(small.astype(np.float64), np.zeros(2))
    high = np.array([3e38, 1.0])
    found["overflowed inside"] = np.array([np.inf, 1], np.float32), high.astype(np.float32), Reference(high, np.zeros(2))
    found["relu of nearly zero"] = (
        np.array([0, 0, 2e-8, 1, 2, 3, 4, 5, 6, 7, 8], np.float32),
        np.array([3e-8, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8], np.float32),
        Reference(np.array([0, 0, 1e-8, 1, 2, 3, 4, 5, 6, 7, 8]), np.array([2e-8, 2e-8, 2e-8] + [1e-7] * 8)),
    )
    return found


def _variance_by_squares(hook: Hook, x: Any) -> Any:
    return hook(hook(hook(x * x).mean(-1)) - hook(hook(x.mean(-1)) ** 2))


def test_right_versions_are_not_accused() -> None:
    for name, (before, after, reference) in right_versions().items():
        judgement = judge(before, after, reference, before.dtype.name)
        assert judgement.verdict is EQUIVALENT, (name, judgement)


def wrong_versions() -> dict[str, tuple[Any, Any, Reference]]:
    """Each a small change for the worse."""
    found: dict[str, tuple[Any, Any, Reference]] = {}
    million = normal(1_000_000)
    one_wrong = million.copy()
    one_wrong[765_432] *= np.float32(1.001)
    found["one in a million"] = million, one_wrong, Reference(million * (1 + 3e-8), np.abs(million) * 1e-7)
    lost = np.array([1e8, 1.0], np.float32), np.array([1e8, 0.0], np.float32)
    found["a small value lost beside a large one"] = *lost, Reference(np.array([1e8 + 2, 1.0]), np.array([8.0, 1e-7]))
    for rows, inner in ((1, 3), (7, 40)):
        a, b = normal(rows, inner), normal(inner, 5, seed=1)
        reference, before = evaluated(product, a, b), a @ b
        for narrow in (tf.float16, tf.bfloat16):
            inside = tf.cast(tf.cast(a, narrow) @ tf.cast(b, narrow), tf.float32).numpy()
            found[f"{narrow.name} inside, {rows}x{inner}"] = before, inside, reference
        found[f"one term short, {rows}x{inner}"] = before, a[:, 1:] @ b[1:], reference
        scaled = (a * 5).astype(np.float32)
        before = tf.nn.softmax(scaled).numpy()
        powers = np.exp(scaled - scaled.max(-1, keepdims=True))
        guarded = powers / (powers.sum(-1, keepdims=True) + np.float32(1e-3))
        found[f"softmax with a guard, {rows}x{inner}"] = before, guarded.astype(np.float32), evaluated(softmax, scaled)
        shifted = (a + 100).astype(np.float32)
        before = np.var(shifted, -1)
        found[f"variance by n - 1, {rows}x{inner}"] = before, np.var(shifted, -1, ddof=1), evaluated(variance, shifted)
    zero: Any = np.zeros(3, np.float32)
    found["a zero that is none"] = zero, np.array([0, 1e-3, 0], np.float32), Reference(np.zeros(3), np.zeros(3))
    ones: Any = np.ones(2, np.float32)
    infinite: Any = np.array([1, np.inf], np.float32)
    found["infinite"] = ones, infinite, Reference(np.ones(2), np.full(2, 1e-7))
    found["not infinite any more"] = infinite, ones, Reference(infinite.astype(np.float64), np.zeros(2))
    found["NaN for infinite"] = infinite, np.array([1, np.nan], np.float32), Reference(infinite.astype(np.float64), np.zeros(2))
    found["the other infinity"] = infinite, -infinite, Reference(infinite.astype(np.float64), np.zeros(2))
    turned = np.array([1 + 1e-4j, 2], np.complex64)
    found["a small imaginary part lost"] = (
        turned,
        turned.real.astype(np.complex64),
        Reference(turned.astype(np.complex128), np.full(2, 1e-7)),
    )
    return found


def test_wrong_versions_are_caught() -> None:
    for name, (before, after, reference) in wrong_versions().items():
        judgement = judge(before, after, reference, before.dtype.name)
        assert judgement.verdict is DIFFERS, (name, judgement)
        assert judgement.index is not None and judgement.elements is not None and before[judgement.index] != after[judgement.index], name
    before, after, reference = wrong_versions()["one in a million"]
    judgement = judge(before, after, reference)
    assert (judgement.index, judgement.elements) == ((765_432,), (1, 1_000_000))
    assert "where the original is" in judgement.figures


def test_programs_that_amplify_rounding_are_judged_by_their_own_sensitivity() -> None:
    x, w = normal(20, 32), (normal(32, 32, seed=1) * np.float32(2 / np.sqrt(32))).astype(np.float32)

    def run(turns: int, third: bool) -> Any:
        state = x
        for _ in range(turns):
            state = np.tanh(state @ w + (state * np.float32(1 / 3) if third else state / np.float32(3)))
        return state

    short, long = (evaluated(functools.partial(chain, turns=turns), x, w) for turns in (3, 100))
    assert judge(run(3, False), run(3, True), short) == judge(run(3, False), run(3, True), short, "float32")
    assert judge(run(3, False), run(3, True), short).verdict is EQUIVALENT
    judgement = judge(run(100, False), run(100, True), long)
    assert judgement.verdict is SENSITIVE and "when its values move by one ulp" in judgement.figures
    assert judge(run(100, False), run(100, False), long).fidelity == "bitwise"
    assert judge(run(3, False), run(2, False), short).verdict is DIFFERS, "one turn short"
    assert judge(run(100, False), np.zeros_like(x), long).verdict is DIFFERS, "even chaos has a size"
    # The integer that a matter of rounding is turned into.
    assert judge(np.array([3, 7]), np.array([3, 8]), Reference(np.array([3.0, 8.0]), np.zeros(2)), "int64").verdict is SENSITIVE
    assert judge(np.array([3, 7]), np.array([3, 8]), Reference(np.array([3.0, 7.0]), np.zeros(2)), "int64").verdict is DIFFERS


def test_another_run_of_the_original_is_no_evaluation_in_float64() -> None:
    before, after = np.float32([1.0, 2.0]), np.float32([1.0, 2.5])
    moved = Reference(before.astype(np.float64), np.float64([0.0, 0.5]), by_noise=True)
    assert (
        judge(before, after, moved).figures
        == "differs by 0.5; the original moves by 0.5 when its results move as far as rounding moves them"
    )
    still = dataclasses.replace(moved, noise=np.float64([0.0, 0.0]))
    assert (judge(before, after, still).verdict, judge(before, after, still).figures) == (DIFFERS, "0.5 apart")


def test_without_a_float64_evaluation(store: Store) -> None:
    one = np.array([1.0, 1e-9], np.float32)
    cases = [
        ([1.0 + 2e-6, 1e-9], EQUIVALENT),
        ([1.0, -1e-9], UNDECIDED),
        ([1.0 + 1e-4, 1e-9], DIFFERS),
        ([1.0, 1e-3], DIFFERS),
        ([np.nan, 1e-9], DIFFERS),
    ]
    for after, verdict in cases:
        assert judge(one, np.array(after, np.float32), None).verdict is verdict, after
    found = compare(store, tf.constant([1.0, 1e-9]), tf.constant([1.0, -1e-9]))
    assert (found.verdict, "no float64 evaluation" in found.note) == (UNDECIDED, True)
    # A float that came out of a float32 tensor has the digits of float32, whatever Python stores it in.
    assert compare(store, float(np.float32(0.1)), float(np.nextafter(np.float32(0.1), np.float32(1)))).fidelity == "rounding"
    assert compare(store, 0.1, 0.1 + 1e-8).verdict is DIFFERS


def test_the_references_are_found_by_the_place(store: Store) -> None:
    before, after = {"loss": [tf.constant(1.0)], "f": 1.0}, {"loss": [tf.constant(1.01)], "f": 1.01}
    wide = Reference(np.array(1.02), np.array(0.02))
    assert compare(store, before, after).verdict is DIFFERS
    assert compare(store, before, after, references={"result['loss'][0]": wide}).difference.where == "result['f']"  # type: ignore[union-attr]
    found = compare(store, before, after, references={"result['loss'][0]": wide, "result['f']": wide})
    assert found.verdict is SENSITIVE and found.difference and found.difference.where == "result['loss'][0]"


def test_equal_is_equal() -> None:
    other_nan = np.array([0x7FC00001], np.uint32).view(np.float32)
    assert judge(np.array([np.nan], np.float32), other_nan, None).fidelity == "bitwise"
    assert judge(np.array([0.0]), np.array([-0.0]), None) == judge(np.array([-0.0]), np.array([0.0]), None)
    assert judge(np.array([0.0]), np.array([-0.0]), None).fidelity == "rounding"
    assert judge(np.zeros([0, 2]), np.zeros([0, 2]), None).verdict is EQUIVALENT
    assert judge(np.array(1.0), np.array(1.0), Reference(np.array(5.0), None)).fidelity == "bitwise"


@pytest.mark.parametrize("dtype", EPSILON)
def test_distances_are_counted_in_the_type_itself(dtype: str) -> None:
    epsilon = EPSILON[dtype]
    one, next_up, below, zero, minus_zero = (
        tf.cast(tf.constant(value, tf.float64), dtype).numpy() for value in (1.0, 1 + epsilon, 1 - epsilon, 0.0, -0.0)
    )
    assert ulps_between(one, next_up, dtype) == 1
    assert ulps_between(one, below, dtype) == 2
    assert ulps_between(zero, minus_zero, dtype) == 0
    assert ulps_between(one, -one, dtype) == 2 * ulps_between(zero, one, dtype)  # type: ignore[operator]
    assert ulps_between(one, one * np.nan, dtype) is None
    if dtype == "bfloat16":  # without ml_dtypes, its bits are all there is
        bits = np.array([0x3F80, 0x3F82], np.uint16)
        judgement = judge(bits[:1], bits[1:], None, dtype)
        assert (judgement.verdict, judge(bits[:1], bits[:1] + 64, None, dtype).verdict) == (EQUIVALENT, DIFFERS)


@pytest.mark.parametrize(
    "before, after, verdict",
    [
        ("loss 0.123456\n", "loss 0.123457\n", EQUIVALENT),
        ("[1.  2.5]", "[1.        2.5000002]", EQUIVALENT),
        ("tf.Tensor(1e-05)", "tf.Tensor(1.00002e-05)", EQUIVALENT),
        ("<a.B object at 0x7f01>", "<a.B object at 0x7fee>", EQUIVALENT),
        ("step 1: 0.35", "step 1: 0.36", UNDECIDED),
        ("1.5 at 2e-09", "1.5 at -3e-10", UNDECIDED),
        ("loss 0.123", "loss 0.125", DIFFERS),
        ("step 1", "step 2", DIFFERS),
        ("a\nb\n", "a\n", DIFFERS),
        ("loss 0.5", "loss nan", DIFFERS),
        ("a 1.0", "b 1.0", DIFFERS),
        ("v1.2.3", "v1.2.4", DIFFERS),
    ],
)
def test_printed_text(before: str, after: str, verdict: Verdict) -> None:
    for one, other in ((before, after), (after, before)):
        found = text_difference(one, other)
        assert found.verdict is verdict
        assert (found.difference is None) == (verdict is EQUIVALENT)
    assert text_difference(before, before) == Compared(EQUIVALENT, "bitwise")


def test_the_first_differing_line_is_shown() -> None:
    difference = text_difference("a\nb 0.5\nc", "a\nb 0.75\nc").difference
    assert difference and (difference.before, difference.after) == ("b 0.5", "b 0.75")
    difference = text_difference("a\nb\n", "a\n").difference
    assert difference and (difference.before, difference.after) == ("b", "(nothing more)")
