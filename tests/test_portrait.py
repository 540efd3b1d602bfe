"""What portraits show of values, that equal values give equal portraits in two processes, and that values can be made again."""

from __future__ import annotations

import collections
import dataclasses
import enum
import functools
import os
import random
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import tensorflow as tf

from tfrewrite.verify.agent.photographer import Photographer
from tfrewrite.verify.agent.rebuild import NotRepeatable, rebuild
from tfrewrite.verify.judge import moved
from tfrewrite.verify.portrait import Array, Composite, Opaque, Plain, Same, Store, describe, leaves, size


class Colour(enum.Enum):
    RED = 1


class Pair(NamedTuple):
    left: Any
    right: Any


@dataclasses.dataclass
class Point:
    x: float
    tags: list[str]


class Slotted:
    __slots__ = ("filled", "unfilled")

    def __init__(self) -> None:
        self.filled = [1]


class Trap:
    """Whose own code must never run when a portrait is taken."""

    def __init__(self) -> None:
        self.weight = 1.0

    @property
    def danger(self) -> float:
        raise AssertionError("read")

    def __iter__(self) -> Any:
        raise AssertionError("walked")

    def __len__(self) -> int:
        raise AssertionError("measured")

    def __eq__(self, other: object) -> bool:
        raise AssertionError("compared")

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise AssertionError("judged")

    def __repr__(self) -> str:
        raise AssertionError("shown")

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"asked for {name}")


class Counter(tf.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.total = tf.Variable([1.0, 2.0])
        self.seen = ["a", {"deep": [1]}]
        self.steps = 0
        self._private = tf.constant(3)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("store"))


def take(store: Store, value: Any) -> Any:
    return Photographer(store).take(value)


def sparse() -> Any:
    return tf.SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 3])


def written() -> Any:
    return tf.TensorArray(tf.float32, size=3, clear_after_read=False).write(0, 1.0).write(2, 5.0)


REPEATABLE: dict[str, Callable[[], Any]] = {
    "numbers": lambda: [None, True, 7, -0.0, float("nan"), 2 + 1j, "é" * 50, b"\x00", range(2, 9, 3), slice(1, None), ..., 10**30],
    "names": lambda: [int, Point, os.path.join, len, os, Colour.RED, tf.float32, tf.TensorShape([None, 3]), tf.TensorShape(None)],
    "tensors": lambda: [
        tf.constant([[1.5, 2.5]]),
        tf.constant(3, tf.int64),
        tf.constant([["a", ""], ["é", "a"]]),
        tf.constant([], tf.string),
        tf.zeros([0, 3]),
        tf.constant([True]),
        tf.constant([1, 2.5], tf.bfloat16),
        tf.constant([1, 2.5], tf.float16),
        tf.constant([1j], tf.complex64),
        tf.cast([1.0, 2.0], tf.dtypes.experimental.float8_e5m2),
        tf.quantization.quantize([1.0, 2.0], 0.0, 3.0, tf.qint8)[0],
    ],
    "arrays": lambda: [
        np.arange(6.0).reshape(2, 3).T,
        np.float32(2.5),
        np.int64(3),
        np.array("text"),
        np.array([(1, 2.0)], dtype=[("a", "<i4"), ("b", "<f8")]),
        np.array([None, [1, "x"]], dtype=object),
        np.array(["2020-01-01"], dtype="datetime64[D]"),
        np.broadcast_to(np.float32(1), (2, 2)),
    ],
    "containers": lambda: (
        [1, (2,), [], {}, (), set()],
        {"b": 1, "a": [tf.constant(1.0)], 3: None, (1, "x"): 2, None: 0},
        collections.OrderedDict(x=1),
        collections.defaultdict(list, {"k": [1]}),
        collections.deque([1, 2], maxlen=3),
        {"z", "a", 3},
        frozenset({(1, 2)}),
        Pair(1, [2]),
        Point(1.5, ["t"]),
    ),
    "variables": lambda: [tf.Variable([1.0, 2.0], trainable=False), tf.Variable([1, 2], shape=tf.TensorShape([None]))],
    "composite tensors": lambda: [
        tf.ragged.constant([[1, 2], [], [3]]),
        tf.ragged.constant([[[1.0], []], []]),
        sparse(),
        tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([4]), tf.constant([9, 1])),
        written(),
    ],
    "random numbers": lambda: [random.Random(3), np.random.default_rng(4), np.random.RandomState(5), tf.random.Generator.from_seed(6)],
}


@pytest.mark.parametrize("name", REPEATABLE)
def test_equal_values_have_equal_portraits_and_can_be_made_again(store: Store, name: str) -> None:
    portrait = take(store, REPEATABLE[name]())
    assert not [leaf for _, leaf in leaves(portrait, "") if isinstance(leaf, Opaque)]
    assert repr(take(store, REPEATABLE[name]())) == repr(portrait)
    assert repr(take(store, rebuild(portrait, store))) == repr(portrait)


@pytest.mark.parametrize(
    "left, right",
    [
        ([1], (1,)),
        (1, 1.0),
        (1, True),
        (0.0, -0.0),
        ("a", b"a"),
        (tf.constant(1.0), np.float32(1)),
        (tf.constant([1.0]), tf.Variable([1.0])),
        (tf.constant([1.0]), tf.constant([[1.0]])),
        (tf.constant([0], tf.int32), tf.constant([0], tf.int64)),
        (tf.Variable([1.0]), tf.Variable([1.0], trainable=False)),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (Pair(1, 2), (1, 2)),
        (collections.deque([1]), collections.deque([1], maxlen=2)),
        (tf.ragged.constant([[1], []]), tf.ragged.constant([[], [1]])),
        (random.Random(1), random.Random(2)),
        (np.arange(2), np.broadcast_to(np.arange(2), (2,))),
        (tf.constant(["ab", "c"]), tf.constant(["a", "bc"])),
        (Point(1.0, []), Point(1.0, ["t"])),
        (functools.partial(max, 1), functools.partial(max, 2)),
        (ValueError("a"), ValueError("b")),
    ],
)
@pytest.mark.smoke
def test_what_differs_looks_different(store: Store, left: Any, right: Any) -> None:
    assert repr(take(store, left)) != repr(take(store, right))


def test_the_same_object_is_known_again_over_several_portraits(store: Store) -> None:
    photographer = Photographer(store)
    array, variable, cycle = np.ones(2), tf.Variable(1.0), [1]
    cycle.append(cycle)  # type: ignore[arg-type]
    match photographer.take([array, variable, cycle]):
        case Composite(members=((_, Array(identity=int() as first)), (_, Array(identity=int() as second)), (_, Composite(identity=third)))):
            assert photographer.take({"v": variable, "a": array, "c": cycle}).members == (  # type: ignore[union-attr]
                ("['v']", Same(second)),
                ("['a']", Same(first)),
                ("['c']", Same(third)),  # type: ignore[arg-type]
            )
        case other:
            pytest.fail(repr(other))
    tensor = tf.constant(1.0)
    assert Same not in {type(leaf) for _, leaf in leaves(photographer.take([tensor, tensor, "s", "s", (1,), (1,)]), "")}
    again = rebuild(take(store, [cycle, cycle]), store)
    assert again[0] is again[1] is again[0][1]


def test_the_programs_own_code_is_not_run(store: Store) -> None:
    match take(store, [Trap(), Slotted(), (number for number in [1]), object()]):
        case Composite(
            members=(
                (_, Composite(kind="object", members=((".weight", Plain("float", 1.0)),))),
                (_, Composite(members=((".filled", Composite()),))),
                (_, Opaque("generator", note)),
                (_, Opaque("object")),
            )
        ):
            assert note
        case other:
            pytest.fail(repr(other))


def test_limits_are_kept(store: Store) -> None:
    deep: Any = []
    for _ in range(100):
        deep = [deep]
    assert "too deep" in [leaf.note for _, leaf in leaves(Photographer(store, limit_depth=5).take(deep), "")][0]  # type: ignore[union-attr]
    match Photographer(store, limit_members=10).take([[0] * 5, [[]] * 20, 1]):
        case Composite(members=((_, Composite()), (_, Opaque("list", note)), (_, Plain()))):
            assert "20 members" in note
        case other:
            pytest.fail(repr(other))


def test_tensors_and_variables_inside_of_a_graph(store: Store) -> None:
    seen: list[Any] = []
    variable, captured = tf.Variable([1.0]), tf.constant([2.0])

    @tf.function(input_signature=[tf.TensorSpec([None, 3])])  # type: ignore[untyped-decorator]
    def traced(x: Any) -> Any:
        seen.append(take(store, [x, variable, captured]))
        return x

    traced(tf.ones([2, 3]))
    match seen[0]:
        case Composite(members=((_, Array("symbolic", "float32", (None, 3), "")), (_, Array("variable") as inner), (_, Array("tensor")))):
            assert store.array(inner).tolist() == [1.0]
        case other:
            pytest.fail(repr(other))
    assert ".traced " in take(store, traced).value
    assert take(store, traced) == take(store, traced.python_function)
    with pytest.raises(NotRepeatable):
        rebuild(seen[0], store)


@pytest.mark.smoke
def test_the_live_object_is_kept_and_set_back(store: Store) -> None:
    counter = Counter()
    alias = counter.total
    portrait = take(store, [counter, alias])
    counter.total.assign([9.0, 9.0])
    counter.seen[1]["deep"].append(2)  # type: ignore[index]
    counter.steps, counter._private = 5, tf.constant(4)
    again = rebuild(portrait, store, [counter, alias])
    assert again[0] is counter and again[1] is alias is counter.total
    assert take(store, [counter, alias]) == portrait

    array, stream, inner = np.arange(3.0), random.Random(1), [1]
    mapping: dict[str, Any] = {"k": inner, "l": 2}
    portrait = take(store, (array, mapping, stream, Point(1.0, ["a"])))
    point = Point(2.0, ["a", "b"])
    point.extra = 1  # type: ignore[attr-defined]
    array += 1
    inner.append(2)
    mapping["new"] = 1
    stream.random()
    again = rebuild(portrait, store, (array, mapping, stream, point))
    assert again[0] is array and again[1] is mapping and mapping["k"] is inner and again[3] is point
    assert take(store, again) == portrait


class Grid(np.ndarray):  # type: ignore[misc,unused-ignore]
    pass


class Boxed(tf.experimental.ExtensionType):  # type: ignore[misc]
    inside: tf.Tensor
    size: int


def test_unusual_arrays_and_tensors_are_set_back(store: Store) -> None:
    masked: Any = np.ma.array([1, 2], mask=[False, True])
    own: Any = np.arange(2).view(Grid)
    boxed = Boxed(tf.constant(1.0), 3)
    portrait = take(store, (masked, own, boxed))
    masked[0], masked[1], own[0] = 5, 6, 5
    again = rebuild(portrait, store, (masked, own, Boxed(tf.constant(2.0), 3)))
    assert again[0] is masked and again[1] is own
    assert take(store, again) == portrait


def test_what_cannot_be_made_is_taken_from_the_live_value(store: Store) -> None:
    generator = (number for number in [1])
    here = lambda: 1  # noqa: E731
    portrait = take(store, {"a": generator, "f": here, "x": 2})
    with pytest.raises(NotRepeatable):
        rebuild(portrait, store)
    assert rebuild(portrait, store, {"a": generator, "f": here, "x": 3}) == {"a": generator, "f": here, "x": 2}


def test_descriptions_and_sizes(store: Store) -> None:
    described = {
        "float32[8, 100]": tf.zeros([8, 100]),
        "variable float32[3]": tf.Variable(tf.zeros([3])),
        "ndarray float64[2]": np.zeros(2),
        "20": 20,
        "'abc'": "abc",
        repr("a" * 40) + "...": "a" * 50,
        "{'a': float32[2]}": {"a": tf.zeros([2])},
        "list of 30": [1] * 30,
        "(1, float32[])": (1, tf.constant(1.0)),
        "None": None,
        "a Point": Point(1.0, []),
        "RaggedTensor(int32[1])": tf.ragged.constant([[1]]),
    }
    assert {describe(take(store, value)): None for value in described.values()} == dict.fromkeys(described)
    assert size(take(store, [tf.zeros([8, 100]), {"a": np.zeros(3)}, 5])) == 803
    assert [where for where, _ in leaves(take(store, {"a": [1, Point(2.0, [])]}), "result")] == ["result['a'][0]", "result['a'][1].x"]


KERAS = """
    import sys
    from pathlib import Path
    import random, numpy as np, tensorflow as tf
    from tfrewrite.verify.agent.photographer import Photographer
    from tfrewrite.verify.portrait import Store

    class Model(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = tf.keras.layers.Dense(2)
            self.drop = tf.keras.layers.Dropout(0.5)
            self.losses_seen = []
            self._steps = 0
            self.options = {"a": {1, "b", "c", "d"}}

        def call(self, x, training=False):
            self._steps += 1
            return self.drop(self.dense(x), training=training)

    for _ in range(int(sys.argv[2])):  # names of layers and ids of objects differ from here on
        tf.keras.layers.Dense(1)
    tf.keras.utils.set_random_seed(1)
    model = Model()
    model.compile("adam", "mse", metrics=["mae"])
    x, y = np.ones((4, 3), "float32"), np.ones((4, 2), "float32")
    store = Store(Path(sys.argv[1]))
    portraits = [Photographer(store).take(model)]
    model(x, training=True)
    portraits.append(Photographer(store).take(model))
    history = model.fit(x, y, epochs=2, verbose=0)
    portraits.append(Photographer(store).take([model, history]))
    print(len(set(map(repr, portraits))))
    for portrait in portraits:
        print(portrait)
"""


def test_two_processes_that_build_the_same_model_give_the_same_portrait(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(textwrap.dedent(KERAS))
    outputs = []
    root = Path(__file__).parent.parent
    for offset in "03":
        environment = {**os.environ, "PYTHONPATH": str(root), "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONHASHSEED": offset}
        command = [sys.executable, str(tmp_path / "model.py"), str(tmp_path / "store"), offset]
        outputs.append(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert outputs[0] == outputs[1]
    assert outputs[0].startswith("3\n"), "what a call and a training step change must show"
    assert len(outputs[0]) < 30_000 and "Opaque" not in outputs[0]
    assert "_steps" in outputs[0] and "losses_seen" in outputs[0] and "seed_generator" in outputs[0]


@pytest.mark.filterwarnings("error")
def test_infinities_do_not_move(tmp_path: Path) -> None:
    store = Store(tmp_path)
    one, other = (Photographer(store).take(np.array([np.inf, -np.inf, value])) for value in (1.0, 1.5))
    ((_, reference),) = moved(one, other, "x", store)
    assert reference.noise.tolist() == [0.0, 0.0, 0.5]
