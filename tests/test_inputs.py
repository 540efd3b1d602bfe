"""Made-up arguments: what declarations say, what is guessed, and how arguments are varied."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given, settings
from hypothesis import strategies as st

from tfrewrite.verify.agent.inputs import Inputs, SpecError, Unmakeable, candidates, declared, fresh, parse, spec
from tfrewrite.verify.agent.photographer import Photographer
from tfrewrite.verify.agent.provoked import provoked, state_moved
from tfrewrite.verify.agent.specs import SHORT, ArraySpec, MappingSpec, ParsedSpec, SequenceSpec, Spec, ValueSpec, describe
from tfrewrite.verify.agent.variations import VARIATIONS, variations
from tfrewrite.verify.clues import Clues, clues
from tfrewrite.verify.plan import Axes, Count, Edge
from tfrewrite.verify.portrait import Array, Plain, Store, leaves
from tfrewrite.verify.program import Program

# Declarations

_SIZES = st.lists(st.integers(0, 4), max_size=3).map(tuple)


def _arrays() -> st.SearchStrategy[ArraySpec]:
    forms = st.sampled_from(["tensor", "variable", "ndarray"])
    plain = st.builds(ArraySpec, st.sampled_from(sorted(name for name in SHORT if "int" not in name)), _SIZES, forms)
    limits = st.tuples(st.integers(0, 50), st.integers(0, 50)).map(sorted)
    whole = st.builds(
        lambda dtype, shape, form, between: ArraySpec(dtype, shape, form, between[0], between[1] if math.prod(shape) > 1 else between[0]),
        st.sampled_from(sorted(name for name in SHORT if "int" in name)),
        _SIZES.filter(math.prod),
        forms,
        limits,
    )
    ragged = st.builds(
        lambda rows, more: ArraySpec("float32", (rows, None, *more), "ragged"), st.integers(1, 4), _SIZES.map(lambda s: s[:1])
    )
    return plain | whole | ragged


_VALUES = st.none() | st.booleans() | st.integers(-99, 99) | st.floats(allow_nan=False) | st.text(max_size=8) | st.binary(max_size=4)
_SPECS: st.SearchStrategy[Spec] = st.recursive(
    _arrays() | _VALUES.map(ValueSpec.of),
    lambda inner: (
        st.builds(SequenceSpec, st.sampled_from(["list", "tuple"]), st.lists(inner, max_size=3).map(tuple))
        | st.dictionaries(st.text(max_size=3), inner, max_size=3).map(
            lambda items: MappingSpec(tuple((ValueSpec.of(key), one) for key, one in items.items()))
        )
    ),
    max_leaves=5,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_SPECS, max_size=2), st.dictionaries(st.sampled_from(["x", "ids", "n", "ü"]), _SPECS, max_size=3))
@pytest.mark.smoke
def test_what_is_said_is_read_as_what_was_meant_and_made_as_it_was_said(positional: list[Spec], named: dict[str, Spec]) -> None:
    meant = ParsedSpec(tuple(positional), tuple(named.items()))
    assert parse(str(meant), {}) == meant
    args, kwargs = meant.make()
    assert spec(Inputs(args, kwargs)) == str(meant)
    assert [describe(value) for value in args] == positional


NAMESPACE = {"tf": tf, "np": np, "MODEL": object(), "Point": tf.TensorSpec, "f32": 5, "TABLE": {"a": 1.5}}


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("w=var(f32[3, 3]), v=variable f64[]", "w=variable f32[3, 3], v=variable f64[]"),
        ("x=np f32[2, 3], s=sparse f32[4, 5]", "x=np f32[2, 3], s=sparse f32[4, 5]"),
        ("x=float32[1_0,], ids=int32[4] in -2..9", "x=f32[10], ids=i32[4] in -2..9"),
        ("rate=.5, low=-1e-3, n=+4, z=-inf", "rate=0.5, low=-0.001, n=4, z=-inf"),
        ("act=tf.nn.relu, dtype=tf.float64, a=TABLE['a']", "act=tf.nn.relu, dtype=tf.float64, a=1.5"),
        ("n=f32, one=(f32[1],), two=(3)", "n=5, one=(f32[1],), two=3"),
        ("k=np.float32(0.5), r=range(0, 3, 1)", "k=np.float32(0.5), r=range(0, 3, 1)"),
        ("# tfrewrite: inputs('a, b)', s={1, 2})", "'a, b)', s={1, 2}"),
    ],
)
def test_declarations(text: str, made: str) -> None:
    args, kwargs = parse(text, NAMESPACE).make()
    assert spec(Inputs(args, kwargs)) == made


def test_an_object_of_the_module_is_itself_and_said_by_its_name() -> None:
    _, kwargs = parse("model=MODEL", NAMESPACE).make()
    assert kwargs["model"] is NAMESPACE["MODEL"]
    assert spec(Inputs((), kwargs), namespace=NAMESPACE) == "model=MODEL"
    assert spec(Inputs((kwargs["model"],)), ["m"]) == "m=<object>"


@pytest.mark.parametrize(
    ("text", "place", "wanted"),
    [
        ("x=f32[8, y]", 10, "a size"),
        ("x=f32[8", 8, "',' or ']'"),
        ("x=f64", 6, "'[' and the sizes"),
        ("x=i32[3] in 0..", 16, "a whole number"),
        ("x=i32[3] in 5..2", 17, "the least value first"),
        ("x=bool[3] in 0..1", 14, "no range"),
        ("model=OTHER", 7, "a name that the module has"),
        ("x=tf.nothing", 3, "an attribute or an item that tf has"),
        ("x=3 y=4", 5, "','"),
        ("x=3, 4", 6, "name=value"),
        ("x=3, x=4", 6, "each name once"),
        ("x=$", 3, "a value"),
        ("x=<Model>", 3, "a value"),
    ],
)
def test_what_can_t_be_read_is_said_with_its_place(text: str, place: int, wanted: str) -> None:
    with pytest.raises(SpecError) as error:
        parse(text, {"tf": tf})
    assert f"column {place}: expected" in str(error.value) and wanted in str(error.value), error.value


def test_integers_are_in_range_of_the_smallest_axis_and_reach_both_ends() -> None:
    args, _ = parse("f32[4, 100], i32[50], i64[50] in 7..9", {}).make()
    assert set(args[1].numpy()) == {0, 1, 2, 3}
    assert set(args[2].numpy()) == {7, 8, 9}


def test_nobody_else_s_random_numbers_are_drawn() -> None:
    before = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]
    tf.random.set_seed(3)
    first = tf.random.normal([2]).numpy()
    tf.random.set_seed(3)
    [one, *_] = candidates(lambda model, x: model(x), name="f", declarations=[], namespace={})
    parse("x=f32[3], s=str[2], r=ragged f32[3, None]", {}).make()
    list(variations(Inputs((tf.ones([2]), 3))))
    assert (tf.random.normal([2]).numpy() == first).all()
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # type: ignore[index]


PROGRAM = '''\
# tfrewrite: inputs(x=f32[1])
import tensorflow as tf

# tfrewrite: inputs(x=f32[2],
#                   s="a)")
@decorated(
    1  # tfrewrite: inputs(x=f32[3])
)
def first(x):  # tfrewrite: inputs(x=f32[4]), inputs(x=f32[5])
    """What it does."""
    # tfrewrite: inputs(x=f32[6])
    y = x
    # tfrewrite: inputs(x=f32[7])
    return "# tfrewrite: inputs(x=f32[8])"

def second(x):
    return x
'''


def test_comments_belong_to_the_function_that_they_stand_at() -> None:
    wanted = ['x=f32[2], s="a)"', "x=f32[3]", "x=f32[4]", "x=f32[5]", "x=f32[6]"]
    assert [text.replace("                  ", "") for text in declared(PROGRAM, 9, 14)] == wanted
    assert declared(PROGRAM, 6, 14) == declared(PROGRAM, 9, 14)
    assert declared(PROGRAM, 16, 17) == []


def test_declared_inputs_are_the_only_ones_and_have_to_fit() -> None:
    def function(x: Any, n: int) -> Any:
        return x

    [one, two] = candidates(function, name="f", declarations=["x=f32[2], n=3", "f32[0], 1"], namespace={})
    assert (one.label, one.origin, one.kwargs["x"].shape) == ("x=f32[2], n=3", "declared in a comment", [2])
    assert two.args[1] == 1
    for wrong, why in [
        ("x=f32[2]", "missing a required argument: 'n'"),
        ("x=f32[2], n=", "expected a value"),
        ("x=int('a'), n=1", "ValueError"),
    ]:
        with pytest.raises(Unmakeable, match=why):
            list(candidates(function, name="f", declarations=[wrong], namespace={}))


# Guesses

FUNCTIONS = """\
def rnn(xs, h, w, u):
    outputs = []
    for x in tf.unstack(xs, axis=1):
        h = tf.tanh(tf.matmul(x, w) + tf.matmul(h, u))
        outputs.append(h)
    return tf.stack(outputs, 1), h

def lstm_cell(x, h, c, kernel, bias):
    i, f, g, o = tf.split(tf.matmul(tf.concat([x, h], 1), kernel) + bias, 4, axis=1)
    c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
    return tf.sigmoid(o) * tf.tanh(c), c

def multi_head(x, wq, wk, wv, wo, num_heads):
    b, t, d = x.shape
    def split(y):
        return tf.transpose(tf.reshape(y, [b, t, num_heads, d // num_heads]), [0, 2, 1, 3])
    q, k, v = split(x @ wq), split(x @ wk), split(x @ wv)
    y = tf.matmul(tf.nn.softmax(tf.matmul(q, k, transpose_b=True)), v)
    return tf.reshape(tf.transpose(y, [0, 2, 1, 3]), [b, t, d]) @ wo

def sparse_loss(batch, w):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(batch["y"], batch["x"] @ w)

def pairwise(x, y):
    return tf.reduce_sum(tf.square(x[:, None, :] - y[None, :, :]), axis=-1)

def embedding_bag(table, ids):
    return tf.reduce_mean(tf.gather(table, ids), axis=1)

def power(a, n):
    result = tf.eye(a.shape[0])
    for _ in range(n):
        result = tf.matmul(result, a)
    return result

def layers(x, params):
    for w, b in params:
        x = tf.nn.relu(x @ w + b)
    return x

def train_step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    weights = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    return loss

def descend(w, gradient, rate):
    w.assign_sub(rate * gradient)
    return w.read_value()

def pooled(x, mode):
    if mode == "mean":
        return tf.reduce_mean(x, 1)
    raise ValueError(mode)

def checked(x, y):
    if len(x.shape) != 3:
        raise ValueError("not of rank 3")
    return tf.einsum("bij,jk->bik", x, y)

def words(sentences):
    return tf.strings.split(sentences)

def doubles(x):
    return tf.linalg.inv(tf.convert_to_tensor(x, tf.float64))

def through_a_helper(inputs, matrix):
    return helper(inputs, matrix) + BIAS

def helper(p, q):
    return tf.einsum("ij,jk->ik", p, q)

def annotated(x: tf.Tensor, n: int, names: "list[str] | None" = None, act: Callable[[tf.Tensor], tf.Tensor] = tf.tanh):
    return [act(x) * i for i in range(n)]

def patches(images, size):
    n, h, w, c = images.shape
    return tf.reshape(images, [n, h // size, size, w // size, size, c])

class Layer:
    def __init__(self):
        self.w = tf.Variable(tf.ones([7, 4]))

    def call(self, x):
        return x @ self.w

    @tf.function
    def compiled(self, ids, n):
        return tf.gather(self.w, ids) * float(n)
"""


@pytest.fixture(scope="module")
def namespace() -> Mapping[str, Any]:
    made: dict[str, Any] = {"tf": tf, "Callable": Callable, "BIAS": tf.ones([6])}
    exec(compile(FUNCTIONS, "functions.py", "exec"), made)
    return made


def _tries(function: Any, name: str, namespace: Mapping[str, Any]) -> tuple[int, Inputs]:
    for count, inputs in enumerate(candidates(function, name=name, declarations=[], namespace=namespace, text=FUNCTIONS), 1):
        try:
            function(*inputs.args, **inputs.kwargs)
        except Exception:
            continue
        return count, inputs
    raise AssertionError(f"nothing made for {name} ran")


def test_the_body_shows_what_a_function_takes(namespace: Mapping[str, Any]) -> None:
    functions = {name: value for name, value in namespace.items() if isinstance(value, FunctionType)}
    tries = {name: _tries(function, name, namespace)[0] for name, function in functions.items()}
    layer = namespace["Layer"]()
    tries |= {name: _tries(getattr(layer, name), name, namespace)[0] for name in ("call", "compiled")}
    assert len(tries) == 20
    assert max(tries.values()) <= 3 and list(tries.values()).count(1) >= 18, tries


def test_sizes_of_different_axes_differ_where_nothing_wants_them_equal(namespace: Mapping[str, Any]) -> None:
    _, inputs = _tries(namespace["pairwise"], "pairwise", namespace)
    assert inputs.label == "x=f32[2, 3], y=f32[5, 3] (guessed)"
    _, inputs = _tries(namespace["embedding_bag"], "embedding_bag", namespace)
    table, ids = inputs.kwargs["table"], inputs.kwargs["ids"]
    assert ids.dtype == tf.int32 and set(ids.numpy().flat) <= set(range(table.shape[0]))


def test_a_signature_is_kept_to_with_sizes_that_go_together() -> None:
    signature = [tf.TensorSpec([None, 8]), tf.TensorSpec([None], tf.int32), {"a": tf.TensorSpec([2, None], tf.float64)}]

    def loss(x: Any, y: Any, more: Any) -> Any:
        return tf.nn.sparse_softmax_cross_entropy_with_logits(y, x), more["a"]

    signed = tf.function(loss, input_signature=signature)
    found = [(one.origin, spec(one)) for one in candidates(signed, name="loss", declarations=[], namespace={})]
    assert found[0] == ("input_signature", "x=f32[2, 8], y=i32[2] in 0..7, more={'a': f64[2, 3]}")
    assert any("x=f32[5, 8], y=i32[5]" in text for _, text in found)


def test_what_the_module_has_under_the_name_or_with_the_attributes_is_taken() -> None:
    class Table:
        rows = 3

    table, x = Table(), tf.ones([4])
    function = eval("lambda table, x: x * table.rows")
    [one, *_] = candidates(
        function, name="f", declarations=[], namespace={"other": 3, "t": table, "x": x}, text="f = lambda table, x: x * table.rows"
    )
    assert one.kwargs["x"] is x and one.label.endswith("x=x (guessed)")


def test_without_a_source_shapes_are_tried_all_the_same() -> None:
    function = eval("lambda x, w: tf.matmul(x, w)", {"tf": tf})
    assert _tries(function, "f", {})[1].origin == "guessed"


def test_what_can_t_be_made_says_what_to_write() -> None:
    class Handle:
        pass

    def use(handle: Handle, n: int) -> None:
        pass

    use.__annotations__ = {"handle": Handle, "n": int}
    with pytest.raises(
        Unmakeable, match=r"use\(\) takes an object of Handle as handle: say what use\(\) takes: # tfrewrite: inputs\(handle="
    ):
        list(candidates(use, name="use", declarations=[], namespace={}))
    held = Handle()
    assert next(candidates(use, name="use", declarations=[], namespace={"held": held})).kwargs["handle"] is held


def test_candidates_are_few_and_each_another_one() -> None:
    def function(a, b, c, d, e):  # type: ignore[no-untyped-def]
        return a

    found = [one.label for one in candidates(function, name="f", declarations=[], namespace={})]
    assert 10 < len(found) <= 60 and len(set(found)) == len(found)


# Copies and variations


def test_fresh_shares_nothing_that_can_change() -> None:
    shared = [1]
    array, variable, model = np.ones(3), tf.Variable([1.0], trainable=False, name="v"), object()
    given = Inputs((shared, {"a": shared, "t": (array, tf.ones([2]))}), {"v": variable, "m": model})
    copy = fresh(given)
    assert copy.args[0] is copy.args[1]["a"] and copy.args[0] is not shared
    copy.args[0].append(2)
    copy.args[1]["t"][0][0] = 5
    copy.kwargs["v"].assign([2.0])
    assert shared == [1] and array[0] == 1 and variable.numpy() == [1.0]
    assert copy.args[1]["t"][1] is given.args[1]["t"][1] and copy.kwargs["m"] is model
    assert (copy.kwargs["v"].trainable, copy.kwargs["v"].name) == (False, "v:0")


def test_a_list_that_contains_itself_is_copied() -> None:
    ring: list[Any] = [1]
    ring.append(ring)
    copy = fresh(Inputs((ring,))).args[0]
    assert copy is not ring and copy[1] is copy


def _labels(found: Iterator[Inputs]) -> list[str]:
    return [one.label for one in found]


def test_zero_and_one_turn_and_emptiness_come_first() -> None:
    inputs = Inputs((), {"x": tf.reshape(tf.range(24.0), [8, 3]), "y": tf.range(8), "n": 20, "xs": [tf.ones([2])] * 3, "flag": True})
    labels = _labels(variations(inputs))
    assert {"n=0", "n=1", "x, y empty along axis 0", "xs empty", "flag=False"} <= set(labels[:6])
    assert {"n=2", "n=19", "x, y cut to 1 along axis 0", "x, y cut to 5 along axis 0", "NaN in x", "+inf in x", "x all zeros"} <= set(
        labels
    )
    assert len(labels) <= VARIATIONS and len(set(labels)) == len(labels)


def test_each_differs_in_the_one_respect_that_its_label_says() -> None:
    inputs = Inputs(
        (tf.constant([[1.0, -2.0], [3.0, 4.0]]), [np.arange(4)], {"n": 2}), {"s": tf.constant(["a", "b"]), "v": tf.Variable([1.0, 2.0])}
    )
    before = spec(inputs), [inputs.args[0].numpy(), inputs.args[1][0].copy(), inputs.kwargs["v"].numpy()]
    found = {one.label: one for one in variations(inputs, names=["x", "ids", "options"])}
    assert np.isnan(found["NaN in x"].args[0][0, 0]) and found["NaN in x"].args[0][0, 1] == -2.0
    assert found["options['n']=0"].args[2] == {"n": 0}
    assert found["ids empty"].args[1] == []
    assert (found["NaN in v"].kwargs["v"].numpy()[1], inputs.kwargs["v"].numpy()[0]) == (2.0, 1.0)
    assert all(isinstance(one.kwargs["v"], tf.Variable) and one.kwargs["v"] is not inputs.kwargs["v"] for one in found.values())
    assert all(one.args[2] is not inputs.args[2] for one in found.values())
    after = spec(inputs), [inputs.args[0].numpy(), inputs.args[1][0].copy(), inputs.kwargs["v"].numpy()]
    assert before[0] == after[0] and all((one == other).all() for one, other in zip(before[1], after[1], strict=True))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_large_small_and_denormal_are_so_in_each_dtype(dtype: str) -> None:
    found = {one.label: one.args[0].numpy().astype("float64") for one in variations(Inputs((tf.constant([1.0, 3.0], dtype),)), names=["x"])}
    tiny = float(tf.as_dtype(dtype).as_numpy_dtype(1)) * float(np.finfo("float32" if dtype == "bfloat16" else dtype).tiny)
    assert np.isfinite(found["x very large"]).all() and found["x very large"].max() >= 9999
    assert 0 < found["x very small"].min() < 1e-3
    assert 0 < found["x denormal"].max() < tiny
    assert (found["x negative"] == [-1.0, -3.0]).all()


def test_integers_wrap_around_and_repeat() -> None:
    found = {one.label: one.args[0].numpy().tolist() for one in variations(Inputs((tf.constant([3, 5, 7], tf.int8),)), names=["i"])}
    assert found["i with the extremes of its dtype (arithmetic wraps around)"] == [127, 5, -128]
    assert found["i with a value twice"] == [3, 3, 7]
    assert found["i all at its largest"] == [7, 7, 7]


def test_what_is_special_about_an_input_does_not_hang_on_names() -> None:
    """An argument that is called small_info is neither small nor infinite."""

    def found(name: str) -> list[tuple[str, Edge, Count | None, Axes | None, int | None]]:
        inputs = Inputs((), {name: tf.reshape(tf.range(24.0), [8, 3]), "scale": 2.0, "n": 20})
        seen = (*variations(inputs), *provoked(inputs, [], Clues(numbers=(8,), dtypes=True, reduces=True, exponentials=True)))
        return [(one.label.replace(name, "x"), one.edge, one.count, one.family, one.size) for one in seen]

    counts = [None if one[2] is None else replace(one[2], name="x") for one in found("small_info")]
    assert counts == [None if one[2] is None else replace(one[2], name="x") for one in found("x")]
    assert [(one[:2], one[3:]) for one in found("small_info")] == [(one[:2], one[3:]) for one in found("x")]
    edges = {label: edge for label, edge, *_ in found("x")}
    assert edges["x empty along axis 0"] is edges["x with 0 for each size of 3"] is Edge.EMPTY
    assert edges["NaN in x"] is Edge.NAN and edges["scale=nan"] is Edge.NAN and edges["scale=inf"] is Edge.INFINITE
    assert edges["-inf in the middle of x"] is Edge.INFINITE and edges["x very large"] is Edge.LARGE
    assert edges["x denormal"] is Edge.DENORMAL and edges["scale=1e+18"] is Edge.HUGE
    assert (edges["x shifted far from zero"], edges["x in the thousands"], edges["x in float64"]) == (
        Edge.AWAY,
        Edge.THOUSANDS,
        Edge.DOUBLE,
    )
    assert edges["n=0"] is edges["x cut to 1 along axis 0"] is edges["x all zeros"] is Edge(0)
    told = {label: (count, family, size) for label, _, count, family, size in found("x")}
    assert told["n=0"] == (Count("n", 0), None, None) and told["n=8"] == (Count("n", 8), None, None)
    assert told["x cut to 1 along axis 0"] == (Count("x", 1, rows=True), Axes(8), 1)
    assert told["x empty along axis 0"] == (None, Axes(8), 0)
    assert told["x with 1 for each size of 3"] == (None, Axes(3, everywhere=True), 1)
    assert told["n=-1"] == (None, None, None)


def test_axes_of_one_size_are_cut_together() -> None:
    inputs = Inputs((), {"x": tf.ones([2, 4]), "w": tf.ones([4, 3])})
    shapes = [(tuple(one.kwargs["x"].shape), tuple(one.kwargs["w"].shape)) for one in variations(inputs, edges=False)]
    assert ((2, 0), (0, 3)) in shapes and ((0, 4), (4, 3)) in shapes and ((2, 3), (3, 3)) in shapes


def test_parts_can_be_left_out() -> None:
    inputs = Inputs((), {"x": 1.5, "eps": 1.0})
    assert any(one.kwargs == {"x": 1.5} for one in variations(inputs, optional=["eps"]))
    assert not list(variations(Inputs((tf.ones([2]),)), edges=False, sizes=False))


def test_what_can_t_be_varied_stays_the_same_object() -> None:
    model = tf.keras.layers.Dense(2)
    assert all(one.args[0] is model for one in variations(Inputs((model, 3))))


_CLUES = """
import tensorflow as tf

BLOCK = 96
scale = 1.0


def set_scale(value):
    global scale
    scale = value


class Model:
    def __init__(self):
        self.fixed = 1.0

    def anneal(self):
        self.rate = 0.5


def f(x, n, k, j, how, p):
    m = n * 2 + 1
    if how == "mean" or p > 0.25:
        return tf.reduce_mean(x) * float(m) + k
    for i in range(k * 2):
        x = x + i
    return x, [0] * j
"""


def test_texts_say_what_is_worth_trying() -> None:
    other = _CLUES.replace("x = x + i", "x = tf.cast(x, tf.float32)[:BLOCK] + i")
    found = clues(Program(_CLUES, "a.py"), Program(other, "a.py"), "f")
    assert found.words == ("mean",) and found.fractions == (0.25,)
    assert found.blocks == (96,) and found.dtypes and found.reduces and not found.exponentials
    assert found.assigned == ("rate", "scale")
    assert {"n", "p"} <= set(found.unbounded) and not {"k", "j"} & set(found.unbounded)


@pytest.mark.parametrize(
    "body",
    [
        "while i < n: i = i + 1",
        "return 2**n",
        "return 'a' * n",
        "return tf.zeros([n])",
        "return tf.constant(0.0, shape=n)",
        "m = n; return g(m)",
        "return x[n]",
        "return [i for i in range(n)]",
        "return tf.while_loop(lambda i: i < n, g, [0])",
    ],
)
def test_no_number_is_made_large_that_may_cost_as_much(body: str) -> None:
    program = Program(f"def f(x, n, i=0):\n    {body}\n", "a.py")
    assert "n" not in clues(program, program, "f").unbounded


def test_sizes_beyond_a_block_and_values_far_from_zero() -> None:
    inputs = Inputs((tf.reshape(tf.range(24.0), [2, 4, 3]), 5), {})
    found = {one.label: one for one in provoked(inputs, ["x", "n"], Clues(numbers=(8,), blocks=(64,), dtypes=True, reduces=True))}
    assert found["x with 131 for each size of 4"].args[0].shape == (2, 131, 3)
    assert {"n=8", "n=17"} <= set(found) and not any("=1048579" in label for label in found)
    far = found["x shifted far from zero"].args[0]
    assert far.dtype == tf.float32 and float(tf.reduce_min(far)) > 1000 * float(tf.reduce_max(far) - tf.reduce_min(far))
    doubled = found["x in float64"].args[0]
    assert doubled.dtype == tf.float64 and bool(tf.reduce_any(tf.cast(tf.cast(doubled, tf.float32), tf.float64) != doubled))


def test_state_that_hides_what_is_done_with_it_is_moved(tmp_path: Path) -> None:
    class Model:
        def __init__(self) -> None:
            self.mean, self.scale = tf.Variable([0.0, 0.0]), tf.Variable(1.0)
            self.steps, self.rate, self.fixed = tf.Variable(3), 1.0, 2.0

    store = Store(tmp_path)
    portrait = Photographer(store).take((Model(), tf.Variable(1.0)))
    moved = state_moved(portrait, store, ["rate"])
    changed = {where: part for (where, part), (_, old) in zip(leaves(moved, ""), leaves(portrait, ""), strict=True) if part != old}
    assert sorted(changed) == ["[0].mean", "[0].rate", "[0].scale"]
    mean, rate = changed["[0].mean"], changed["[0].rate"]
    assert isinstance(mean, Array) and isinstance(rate, Plain) and rate.value != 1.0
    values = store.array(mean)
    assert values[0] != values[1] and 0 < min(values)
