"""What is said of datasets, against tf.data: their elements, how many there are, and what mapped functions do."""

from __future__ import annotations

from typing import Any

import pytest
import tensorflow as tf
from truth import contradiction

from tfrewrite.analyses.mapped_functions import effect_of
from tfrewrite.facts import Facts
from tfrewrite.kinds import Kind, Sort
from tfrewrite.ops import OPS
from tfrewrite.source import Source

SETTING = """\
import itertools
import os
import random
import tempfile
import time
import numpy as np
import tensorflow as tf

images, labels = np.zeros((10, 4, 4, 3), np.uint8), np.arange(10)
pairs = tf.data.Dataset.from_tensor_slices((images, labels))
numbers = tf.data.Dataset.range(7)
rows = tf.data.Dataset.from_tensor_slices(tf.zeros([6, 3]))
folder = tempfile.mkdtemp()
file = os.path.join(folder, "lines.txt")
with open(file, "w") as out:
    out.write("one\\ntwo\\n")
counter = tf.Variable(0)
unknown = open(file).read


def scaled(image, label):
    image = tf.cast(image, tf.float32) / 255.0
    return image, tf.one_hot(label, 10)


def printed(x):
    print(x)
    return x


def noisy(x):
    return x + tf.random.uniform([], maxval=3, dtype=tf.int64)


def counted(x):
    counter.assign_add(1)
    return x


def timed(x):
    return x + int(time.time())


def outside(x):
    return tf.py_function(lambda y: y, [x], tf.int64)


def called(x):
    return scaled(x, 1)


def generated():
    for i in range(3):
        yield np.zeros((2, 3), np.float32), i


spec = (tf.TensorSpec([2, 3], tf.float32), tf.TensorSpec(shape=(), dtype=tf.int32))
"""
PIPELINES = [
    "pairs",
    "numbers",
    "tf.data.Dataset.range(2, 9, 3)",
    "tf.data.Dataset.range(3, output_type=tf.int32)",
    "tf.data.Dataset.from_tensors(images)",
    "tf.data.Dataset.from_tensors((images, 1.0))",
    "tf.data.Dataset.from_tensor_slices([1.0, 2.0])",
    "tf.data.Dataset.from_tensor_slices(['a', 'b'])",
    "tf.data.Dataset.from_tensor_slices((images, [1] * 10))",
    "tf.data.Dataset.from_tensor_slices({'a': images})",
    "tf.data.Dataset.from_tensor_slices(images / 255.0)",
    "tf.data.Dataset.from_generator(generated, output_signature=spec)",
    "tf.data.Dataset.from_generator(lambda: iter([1]), tf.int32, ())",
    "tf.data.Dataset.from_generator(lambda: iter([[1, 2]]), output_types=tf.int64, output_shapes=[2])",
    "tf.data.Dataset.from_generator(generated, (tf.float32, tf.int32))",
    "tf.data.TextLineDataset(file)",
    "tf.data.TextLineDataset([file]).skip(1)",
    "tf.data.TFRecordDataset([])",
    "tf.data.Dataset.list_files(file)",
    "tf.data.Dataset.random(1).take(3)",
    "tf.data.Dataset.zip((numbers, rows))",
    "tf.data.Dataset.zip(numbers, rows)",
    "tf.data.Dataset.zip((numbers, (rows, pairs)))",
    "tf.data.Dataset.choose_from_datasets([numbers, numbers], tf.data.Dataset.range(2))",
    "tf.data.Dataset.sample_from_datasets([numbers, numbers], seed=1)",
    "pairs.map(scaled)",
    "pairs.map(scaled, num_parallel_calls=tf.data.AUTOTUNE)",
    "pairs.map(lambda x, y: (tf.image.resize(x, [2, 2]), y))",
    "pairs.map(lambda x, y: x)",
    "pairs.map(lambda x, y: {'x': x})",
    "pairs.map(lambda x, y: (x, (y, x)))",
    "pairs.map(lambda x, y: [y, y])",
    "pairs.map(lambda *both: both[0])",
    "numbers.map(lambda i: i + 1)",
    "numbers.map(lambda i: 1.5)",
    "numbers.map(lambda i: images[0])",
    "numbers.map(tf.square)",
    "numbers.map(called)",
    "numbers.map(noisy)",
    "numbers.map(printed).map(counted)",
    "pairs.batch(3)",
    "pairs.batch(5)",
    "pairs.batch(3, drop_remainder=True)",
    "pairs.batch(3, True)",
    "pairs.batch(5).batch(2)",
    "pairs.batch(len(labels))",
    "pairs.repeat().batch(4).take(3)",
    "pairs.repeat(2)",
    "pairs.repeat(2).batch(4)",
    "pairs.repeat(-1)",
    "pairs.batch(4).repeat(3)",
    "pairs.shuffle(10).cache().prefetch(1)",
    "pairs.shuffle(10, seed=3, reshuffle_each_iteration=False)",
    "pairs.take(3)",
    "pairs.take(-1)",
    "pairs.take(30)",
    "pairs.skip(3)",
    "pairs.skip(30)",
    "pairs.skip(3).take(2).batch(2)",
    "pairs.filter(lambda x, y: y > 3)",
    "pairs.shard(2, 0)",
    "pairs.enumerate()",
    "pairs.enumerate(5).map(lambda i, xy: xy[0])",
    "numbers.enumerate().batch(2)",
    "pairs.batch(3).unbatch()",
    "numbers.concatenate(tf.data.Dataset.range(2))",
    "rows.concatenate(tf.data.Dataset.from_tensor_slices(tf.ones([2, 5])))",
    "numbers.flat_map(lambda i: tf.data.Dataset.range(3))",
    "numbers.flat_map(lambda i: tf.data.Dataset.from_tensors(i).repeat(2))",
    "numbers.interleave(lambda i: tf.data.Dataset.from_tensors((i, 1.0)), cycle_length=2)",
    "numbers.interleave(tf.data.Dataset.from_tensors)",
    "numbers.window(2)",
    "pairs.window(3, drop_remainder=True)",
    "pairs.window(3).flat_map(lambda x, y: tf.data.Dataset.zip((x.batch(3), y.batch(3))))",
    "pairs.window(3).map(lambda x, y: x)",
    "rows.window(2).flat_map(lambda w: w.batch(2))",
    "numbers.scan(0.0, lambda s, i: (s + 1.0, tf.cast(i, tf.float32) * s))",
    "rows.scan(tf.zeros([3]), lambda s, row: (s + row, (s, row)))",
    "rows.scan(tf.zeros([1]), lambda s, row: (tf.concat([s, row], 0), s))",
    "pairs.scan(np.int64(0), lambda s, pair: (s + 1, pair[0]))",
    "pairs.scan((0, 1), lambda s, pair: (s, s[1]))",
    "numbers.scan(np.zeros(2), lambda s, i: (s, s))",
    "numbers.window(2, shift=1, drop_remainder=True).flat_map(lambda w: w.batch(2))",
    "rows.padded_batch(2)",
    "rows.padded_batch(4, padded_shapes=[5])",
    "rows.padded_batch(2, padded_shapes=([None]), drop_remainder=True)",
    "pairs.with_options(tf.data.Options())",
    "pairs.apply(lambda d: d.take(1))",
    "numbers.take_while(lambda i: i < 3)",
    "numbers.unique()",
    "pairs.batch(5).rebatch(2)",
    "numbers.ragged_batch(2)",
    "numbers.scan(np.int64(0), lambda s, i: (s + i, s))",
    "pairs.prefetch(tf.data.experimental.AUTOTUNE)",
]
# What is read of them.
READ = {
    "next(iter(pairs))": "tuple",
    "next(iter(pairs.batch(2)))[0]": "tensor",
    "next(iter(rows.as_numpy_iterator()))": "NumPy array",
    "next(rows.as_numpy_iterator())": "NumPy array",
    "next(numbers.as_numpy_iterator())": "unknown",
    "len(pairs)": "Python number",
    "len(pairs.batch(3))": "Python number",
    "len(numbers) // 2": "Python number",
    "pairs.cardinality()": "tensor",
    "list(rows)": "list",
    "[x for x, y in pairs]": "list",
    "list(rows.as_numpy_iterator())": "list",
    "numbers.reduce(np.int64(0), lambda s, i: s + i)": "unknown",
    "tf.data.experimental.cardinality(pairs)": "unknown",
    "[i for i, (x, y) in enumerate(pairs)][0]": "Python number",
    "[y for i, (x, y) in enumerate(pairs.take(2))]": "list",
}


def facts_of(text: str, more: str = "") -> Facts:
    return Facts(Source(f"{SETTING}{more}result = {text}\n", "x.py"))


def value_of(text: str) -> Any:
    names: dict[str, Any] = {}
    exec(f"{SETTING}result = {text}", names)
    return names["result"]


@pytest.mark.parametrize("text", PIPELINES)
def test_elements(text: str) -> None:
    facts = facts_of(text)
    kind = facts.kind(facts.tree.body[-1].value)
    assert contradiction(kind, value_of(text), {}) is None
    if not any(one in text for one in ("{", "ragged", "scan", "apply", "rebatch")):
        assert kind.sort is Sort.DATASET


@pytest.mark.smoke
def test_most_elements_are_known() -> None:
    kinds = [facts.kind(facts.tree.body[-1].value) for facts in map(facts_of, PIPELINES)]
    assert sum(kind.each is not None for kind in kinds) > 0.75 * len(PIPELINES)


@pytest.mark.parametrize("text", READ)
def test_what_is_read(text: str) -> None:
    facts = facts_of(text)
    kind = facts.kind(facts.tree.body[-1].value)
    assert kind.sort.value == READ[text]
    assert contradiction(kind, value_of(text), {}) is None


METHODS = [name.rpartition(".")[2] for name, row in OPS.items() if name.startswith("tensorflow.data.Dataset.") and row.keeps_order]


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.filterwarnings("ignore")
def test_methods_keep_the_order(name: str) -> None:
    row = OPS[f"tensorflow.data.Dataset.{name}"]
    numbers = tf.data.Dataset.range(7)
    needed: dict[str, Any] = {
        "batch": (3,), "concatenate": (numbers,), "filter": (lambda i: i < 5,), "flat_map": (tf.data.Dataset.from_tensors,),
        "map": (lambda i: i * 2,), "padded_batch": (2,), "rebatch": (2,), "shard": (2, 0), "skip": (2,), "take": (3,), "unbatch": (),
        "take_while": (lambda i: i < 5,), "window": (2,), "scan": (0, lambda s, i: (s, i)), "with_options": (tf.data.Options(),), "prefetch": (1,),
    }  # fmt: skip
    given = numbers.batch(2) if name in ("unbatch", "rebatch") else numbers
    found = getattr(given, name)(*needed.get(name, ()))
    if name == "window":
        found = found.flat_map(lambda one: one)
    if name in ("batch", "padded_batch", "rebatch"):
        found = found.unbatch()
    plain = [int(one[1] if isinstance(one, tuple) else one) for one in found.take(7)]
    assert plain == sorted(plain)
    if row.is_one_to_one:
        assert len(plain) == 7
    if row.keeps_elements:
        assert set(plain) <= set(range(7))


DATA, TUPLE, LIST, NOT_KNOWN = Sort.DATASET, Sort.TUPLE, Sort.LIST, Sort.UNKNOWN


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("'mnist', split='train'", DATA),
        ("'mnist', split='train[:10%]', as_supervised=True, shuffle_files=True", DATA),
        ("'mnist', split=name", DATA),
        ("'mnist', split=['train', 'test']", (LIST, DATA, DATA)),
        ("'mnist', split=('train', 'test'), as_supervised=True", (TUPLE, DATA, DATA)),
        ("'mnist', split=[name, 'test'], with_info=True", (TUPLE, (LIST, DATA, DATA), NOT_KNOWN)),
        ("'mnist', split='train', with_info=False", DATA),
        ("'mnist', split='train', with_info=informs()", NOT_KNOWN),
        ("'mnist'", NOT_KNOWN),
        ("'mnist', with_info=True", (TUPLE, NOT_KNOWN, NOT_KNOWN)),
        ("'mnist', split=None", NOT_KNOWN),
        ("'mnist', split=splits()", NOT_KNOWN),
        ("'mnist', split='train', batch_size=-1", NOT_KNOWN),
        ("'mnist', split='train', as_dataset_kwargs=more", NOT_KNOWN),
        ("'mnist', split='train', **more", NOT_KNOWN),
    ],
)
def test_what_is_loaded(arguments: str, expected: object) -> None:
    """By the documentation of TensorFlow Datasets, which the tests don't have."""
    facts = facts_of(f"tfds.load({arguments})", "import tensorflow_datasets as tfds\nname = 'train'\n")
    assert structure(facts.kind(facts.tree.body[-1].value)) == expected


def structure(kind: Kind) -> object:
    return kind.sort if kind.items is None else (kind.sort, *map(structure, kind.items))


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("scaled", ""),
        ("lambda x, y: (tf.cast(x, tf.float32) / 255.0, y)", ""),
        ("lambda x: x[..., tf.newaxis]", ""),
        ("lambda x: x + images[0]", ""),
        ("called", ""),
        ("tf.square", ""),
        ("printed", "has effects"),
        ("noisy", "draws random numbers"),
        ("counted", "counter"),
        ("timed", "time.time"),
        ("outside", "py_function"),
        ("lambda x: x + counter", "a variable"),
        ("lambda x: tf.random.normal([2]) + x", "draws random numbers"),
        ("lambda x: x + random.random()", "random.random"),
        ("lambda x: x + np.random.rand()", "draws random numbers"),
        ("lambda x: x + unknown", "unknown"),
        ("lambda x: unknown(x)", "unknown"),
        ("lambda x: x.unknown()", "unknown"),
        ("unknown", "unknown"),
        ("lambda x: itertools.count(x)", "itertools.count"),
        ("lambda x: noisy(x)", "draws random numbers"),
        ("generated", "generator"),
        ("lambda x: tf.map_fn(noisy, x)", ""),
    ],
)
def test_what_mapped_functions_do(function: str, said: str) -> None:
    facts = facts_of(f"numbers.map({function})")
    found = effect_of(facts.tree.body[-1].value.args[0], facts)
    if function == "lambda x: tf.map_fn(noisy, x)":
        assert found
        return
    assert (said in found) and bool(said) == bool(found), found
