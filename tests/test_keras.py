"""What is said of Keras, against Keras: what layers give, what they do in training, and whether they mix rows."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import gast
import numpy as np
import pytest
import tensorflow as tf
from truth import contradiction

from tfrewrite.facts import Facts
from tfrewrite.kinds import Kind, Sort
from tfrewrite.ops import OPS, op
from tfrewrite.ops.keras_layers import ROWS as LAYERS
from tfrewrite.ops.made import OF_KERAS
from tfrewrite.ops.naming import canonical
from tfrewrite.source import Source

keras: Any = importlib.import_module("keras")
SETTING = """\
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

images = tf.ones([2, 8, 6, 3])
wide = tf.ones([2, 8, 6, 4])
volumes = tf.ones([2, 6, 6, 6, 2])
sequences = tf.ones([2, 7, 5])
vectors = tf.ones([2, 5])
words = tf.constant([[1, 2, 3], [3, 2, 1]])
texts = tf.constant(["a b", "b c d"])
doubles = np.ones((2, 5))
bytes_ = np.ones((2, 8, 6, 3), np.uint8)
symbolic = keras.Input([8, 6, 3])
tokens = keras.Input(shape=(3,), dtype="int32")
steps = keras.Input((None, 5))
labels = np.array([0, 2, 1])
"""
# The arguments that a layer is made with, and what it is called with.
MADE: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "Activation": (("'relu'", "'softmax'"), ("vectors", "symbolic", "words", "doubles")),
    "ActivityRegularization": (("0.1",), ("vectors",)),
    "AdditiveAttention": (("",), ("[sequences, sequences]", "[steps, steps]")),
    "AlphaDropout": (("0.5",), ("vectors", "steps")),
    "Attention": (
        ("", "use_scale=True", "score_mode='concat'"),
        (
            "[sequences, sequences]",
            "[sequences[:, :2], sequences]",
            "[sequences, sequences, sequences[..., :2]]",
            "[steps, steps]",
            "[doubles[:, None], sequences]",
            "(sequences, sequences)",
            "[images, images]",
        ),
    ),
    "Bidirectional": (
        ("layers.LSTM(4)", "layers.GRU(4, return_sequences=True)", "layers.LSTM(4), merge_mode='sum'"),
        ("sequences", "steps"),
    ),
    "CategoryEncoding": (("5",), ("words",)),
    "CenterCrop": (("4, 4",), ("images", "symbolic")),
    "Concatenate": (("", "axis=1", "axis=-1"), ("[images, images]", "[vectors, doubles]", "[symbolic, symbolic]", "[images, wide]")),
    "Conv1D": (("4, 3", "4, 3, padding='same'", "4, 3, 2, 'causal'", "4, 2, dilation_rate=2"), ("sequences", "steps")),
    "Conv2D": (
        (
            "4, 3",
            "4, (3, 2), padding='same', strides=2",
            "filters=4, kernel_size=3, strides=(2, 1)",
            "4, 3, dilation_rate=2, activation='relu'",
            "4, 3, 2, 'SAME'",
        ),
        ("images", "symbolic", "bytes_"),
    ),
    "Conv3D": (("4, 3", "4, 2, strides=2, padding='same'"), ("volumes",)),
    "Conv1DTranspose": (("4, 3", "4, 3, strides=2, padding='same'"), ("sequences",)),
    "Conv2DTranspose": (
        ("4, 3", "4, 3, strides=2, padding='SAME'", "4, 3, strides=2, padding='same'", "4, 2, strides=3"),
        ("images", "symbolic"),
    ),
    "Conv3DTranspose": (("4, 3", "4, 3, 2, 'same'"), ("volumes",)),
    "ConvLSTM1D": (("2, 3",), ("tf.ones([2, 3, 5, 2])",)),
    "ConvLSTM2D": (("2, 3",), ("tf.ones([2, 3, 5, 5, 2])",)),
    "ConvLSTM3D": (("2, 2",), ("tf.ones([2, 3, 4, 4, 4, 2])",)),
    "Cropping1D": (("1", "(1, 2)", ""), ("sequences", "steps")),
    "Cropping2D": (("1", "((1, 2), (0, 1))", "(1, 2)", ""), ("images", "symbolic", "bytes_")),
    "Cropping3D": (("1", "", "(1, 1, 2)"), ("volumes",)),
    "Dense": (("3", "units=3, activation='relu'", "3, dtype='float64'"), ("vectors", "images", "doubles", "steps", "words")),
    "DepthwiseConv1D": (("3", "3, padding='same', depth_multiplier=2"), ("sequences",)),
    "DepthwiseConv2D": (("3", "(3, 3), 2, 'same'", "3, depth_multiplier=2"), ("images", "symbolic")),
    "Discretization": (("[0.0, 1.0]",), ("vectors",)),
    "Dot": (("1",), ("[vectors, vectors]",)),
    "Dropout": (("0.5", "rate=0.1, seed=3"), ("vectors", "steps", "doubles", "images")),
    "EinsumDense": (("'ab,bc->ac', 3",), ("vectors",)),
    "Embedding": (("10, 4", "input_dim=10, output_dim=4, mask_zero=True"), ("words", "tokens", "words.numpy()", "words[0]")),
    "Flatten": (("",), ("images", "symbolic", "words", "words[0]", "bytes_", "steps")),
    "GRU": (("4", "4, return_sequences=True", "4, return_state=True"), ("sequences", "steps")),
    "GaussianDropout": (("0.5",), ("vectors",)),
    "GaussianNoise": (("0.5",), ("vectors", "symbolic")),
    "GroupNormalization": (("1",), ("images",)),
    "GroupQueryAttention": (("4, 4, 2",), ("sequences, sequences",)),
    "HashedCrossing": (("5",), ("(words[:, :1], words[:, :1])",)),
    "Hashing": (("5",), ("words",)),
    "IntegerLookup": (("vocabulary=[1, 2, 3]", "vocabulary=[1, 2], output_mode='multi_hot'"), ("words", "tokens")),
    "LSTM": (("4", "4, return_sequences=True", "units=4, return_state=True"), ("sequences", "steps", "sequences.numpy()")),
    "Lambda": (("lambda x: x[:, 0]",), ("images",)),
    "MultiHeadAttention": (("2, 4", "num_heads=2, key_dim=4, output_shape=(3,)"), ("sequences, sequences",)),
    "Normalization": (("mean=0.0, variance=1.0",), ("vectors", "words")),
    "Permute": (("(2, 1)",), ("sequences", "steps")),
    "RNN": (
        (
            "layers.LSTMCell(4)",
            "layers.GRUCell(4), return_sequences=True",
            "[layers.LSTMCell(4), layers.SimpleRNNCell(3)]",
            "layers.StackedRNNCells([layers.LSTMCell(4), layers.GRUCell(2)]), return_sequences=True",
            "cell=layers.GRUCell(units=3)",
            "layers.LSTMCell(4), return_state=True",
            "layers.LSTMCell(4, dtype='float64')",
            "layers.LSTMCell(4, dtype='float64'), dtype='float64'",
        ),
        ("sequences", "steps", "sequences.numpy()"),
    ),
    "RandomBrightness": (("0.1",), ("images",)),
    "RandomContrast": (("0.1",), ("images",)),
    "RandomCrop": (("4, 4",), ("images", "symbolic")),
    "RandomFlip": (("", "'horizontal'"), ("images", "symbolic")),
    "RandomRotation": (("0.1",), ("images",)),
    "RandomTranslation": (("0.1, 0.1",), ("images",)),
    "RandomZoom": (("0.1",), ("images", "images[0]")),
    "RepeatVector": (("3",), ("vectors", "doubles")),
    "Rescaling": (("1.0 / 255", "1.0 / 255, offset=-1.0"), ("bytes_", "images", "words", "symbolic")),
    "Reshape": (("(6, 8, 3)", "(-1,)", "[4, -1]", "target_shape=(144,)"), ("images", "symbolic", "bytes_")),
    "Resizing": (("4, 5", "4, 5, crop_to_aspect_ratio=True"), ("images", "bytes_", "symbolic", "images[0]")),
    "SeparableConv1D": (("4, 3", "4, 3, padding='same'"), ("sequences",)),
    "SeparableConv2D": (("4, 3", "4, 3, 2, 'same'"), ("images", "symbolic")),
    "SimpleRNN": (("4", "4, return_sequences=True"), ("sequences",)),
    "SpatialDropout1D": (("0.5",), ("sequences",)),
    "SpatialDropout2D": (("0.5",), ("images",)),
    "SpatialDropout3D": (("0.5",), ("volumes",)),
    "SpectralNormalization": (("layers.Dense(3)",), ("vectors",)),
    "StringLookup": (("vocabulary=['a', 'b']", "vocabulary=['a', 'b'], invert=True"), ("tf.constant(['a', 'c'])", "words[0] - 1")),
    "TextVectorization": (
        ("vocabulary=['a', 'b']", "vocabulary=['a', 'b'], output_sequence_length=4", "vocabulary=['a'], output_mode='multi_hot'"),
        ("texts", "texts[:, None]", "['a b']"),
    ),
    "TimeDistributed": (("layers.Dense(3)",), ("sequences",)),
    "UpSampling1D": (("", "3"), ("sequences",)),
    "UpSampling2D": (("", "(2, 3)", "size=3, interpolation='bilinear'"), ("images", "symbolic", "bytes_")),
    "UpSampling3D": (("", "2"), ("volumes",)),
    "ZeroPadding1D": (("1", "(1, 2)", ""), ("sequences", "steps")),
    "ZeroPadding2D": (("", "1", "((1, 0), (2, 3))", "padding=(1, 2)"), ("images", "symbolic", "bytes_")),
    "ZeroPadding3D": (("", "1"), ("volumes",)),
}
MERGED = (
    "[vectors, vectors]",
    "[images, images]",
    "[symbolic, symbolic]",
    "[vectors, doubles]",
    "[images, images[:, :1]]",
    "[words, words]",
)
BY_RANK = {1: ("sequences", "steps"), 2: ("images", "symbolic"), 3: ("volumes",)}
# They are called by others.
CELLS = {"LSTMCell", "GRUCell", "SimpleRNNCell", "StackedRNNCells"}
PRIVATE = [row for row in LAYERS if row.name.rpartition(".")[2] not in CELLS]


def cases(name: str) -> list[tuple[str, str]]:
    if name in MADE:
        made, given = MADE[name]
    elif "Pooling" in name:
        rank = int(name[-2])
        made = ("", "keepdims=True") if name.startswith("Global") else ("", "3", "2, strides=1", "pool_size=2, strides=2, padding='same'")
        given = BY_RANK[rank]
    elif name in ("Add", "Average", "Maximum", "Minimum", "Multiply", "Subtract"):
        made, given = ("",), MERGED
    else:
        made, given = ("",), ("vectors", "images", "symbolic", "doubles", "words")
    return [(f"layers.{name}({one})", value) for one in made for value in given]


def compared(expressions: list[str], setting: str = SETTING) -> list[Kind]:
    facts = Facts(Source(setting + "".join(f"use({one})\n" for one in expressions), "x.py"))
    calls = [node for node in facts.nodes([gast.Call]) if isinstance(node.func, gast.Name) and node.func.id == "use"]
    kinds = [facts.kind(call.args[0]) for call in sorted(calls, key=lambda call: call.lineno)]
    names: dict[str, Any] = {}
    exec(setting, names)
    known, wrong = [], []
    for text, kind in zip(expressions, kinds, strict=True):
        try:
            value = eval(text, dict(names))
        except (TypeError, ValueError, AttributeError, tf.errors.OpError, NotImplementedError):
            continue
        if (found := contradiction(kind, value, {})) is not None:
            wrong.append(f"{text}: {found}; said: {kind}")
        known.append(kind)
    assert not wrong, "\n".join(wrong)
    return known


def test_there_are_rows_of_many_layers() -> None:
    assert len(LAYERS) >= 80


@pytest.mark.parametrize("row", LAYERS, ids=lambda row: row.name)
def test_parameters_of_layers(row: Any) -> None:
    names = [name for name in inspect.signature(getattr(keras.layers, row.name.rpartition(".")[2]).__init__).parameters if name != "self"]
    assert tuple(names[: len(row.parameters)]) == row.parameters


@pytest.mark.parametrize("row", PRIVATE, ids=lambda row: row.name)
def test_what_layers_give(row: Any) -> None:
    texts = [f"{made}({given})" for made, given in cases(row.name.rpartition(".")[2])]
    kinds = compared(texts)
    assert kinds
    assert row.applied is None or any(kind.dtype is not None and kind.rank is not None for kind in kinds)


@pytest.mark.parametrize("row", [row for row in LAYERS if row.is_by_row and row.applied], ids=lambda row: row.name)
def test_layers_treat_rows_alone(row: Any) -> None:
    """Outside of training a row gives the same alone as in its batch."""
    names: dict[str, Any] = {}
    exec(SETTING, names)
    tried = 0
    for made, given in cases(row.name.rpartition(".")[2]):
        value = eval(given, dict(names))
        parts = value if isinstance(value, list | tuple) else [value]
        if any(isinstance(one, keras.KerasTensor) or len(np.shape(one)) < 2 for one in parts) or given == "images[0]":
            continue
        try:
            layer = eval(made, dict(names))
            whole = layer(value) if "," not in given or isinstance(value, list) else layer(*value)
            alone = layer([one[:1] for one in parts]) if isinstance(value, list) else layer(value[:1])
        except (TypeError, ValueError, AttributeError, tf.errors.OpError):
            continue
        if row.minds_training and row.is_random and row.name.rpartition(".")[2].startswith("Random"):
            continue  # they draw whenever they are called by themselves
        if not isinstance(whole, list | tuple):
            np.testing.assert_allclose(np.asarray(whole)[:1], np.asarray(alone), rtol=1e-4, atol=1e-5)
            tried += 1
    assert tried or row.is_random or row.name.rpartition(".")[2] in ("TextVectorization", "StringLookup")


@pytest.mark.parametrize(
    "row", [row for row in LAYERS if row.applied and row.name.rpartition(".")[2] not in CELLS], ids=lambda row: row.name
)
def test_what_layers_do_in_training(row: Any) -> None:
    """Only those that mind training give something else then, or change their state."""
    if row.minds_training:
        assert row.is_random or row.is_stateful
        return
    names: dict[str, Any] = {}
    exec(SETTING, names)
    for made, given in cases(row.name.rpartition(".")[2])[:4]:
        value = eval(given, dict(names))
        try:
            layer = eval(made, dict(names))
            if "training" not in inspect.signature(layer.call).parameters or isinstance(value, tuple):
                continue
            plain = layer(value, training=False)
            before = [one.numpy() for one in layer.variables]
            trained = layer(value, training=True)
        except (TypeError, ValueError, AttributeError, tf.errors.OpError):
            continue
        if not isinstance(plain, list | tuple | keras.KerasTensor):
            np.testing.assert_array_equal(np.asarray(plain), np.asarray(trained))
        for old, new in zip(before, layer.variables, strict=True):
            np.testing.assert_array_equal(old, new.numpy())


SCORED = [
    "layers.MultiHeadAttention(2, 4)(sequences, sequences, return_attention_scores=True)",
    "layers.MultiHeadAttention(2, 4)(sequences, sequences, return_attention_scores=bool(labels[0]))",
    "layers.Attention()([sequences, sequences], return_attention_scores=True)",
    "layers.Attention()([sequences, sequences], None, False, True)",
    "layers.AdditiveAttention()([sequences, sequences], return_attention_scores=True)",
]


def test_scores_come_beside_what_is_attended() -> None:
    assert all(kind.sort is Sort.UNKNOWN for kind in compared(SCORED))
    plain = compared(["layers.MultiHeadAttention(2, 4)(sequences, sequences, return_attention_scores=False)"])
    assert plain[0].shape == (2, 7, 5)


MODELS = """
sequential = keras.Sequential([keras.Input((8, 6, 3)), layers.Conv2D(4, 3), layers.Flatten(), layers.Dense(10)])
grown = keras.Sequential()
grown.add(layers.Dense(7))
grown.add(layers.Dense(3, activation="softmax"))
start = keras.Input(shape=(8, 6, 3))
x = layers.Conv2D(4, 3, padding="same")(start)
x = layers.BatchNormalization()(x)
skip = x
x = layers.ReLU()(x)
x = x + skip
x = layers.GlobalAveragePooling2D()(x)
functional = keras.Model(start, layers.Dense(2)(x))


class Block(layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.dense = layers.Dense(5)
        self.norm = layers.LayerNormalization()
        self.parts = [layers.Dense(5) for _ in range(3)]

    def call(self, inputs):
        x = self.dense(inputs)
        for part in self.parts:
            x = part(x)
        return self.norm(x)


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.block = Block(3)
        self.out = layers.Dense(4)

    def call(self, inputs, training=False):
        return self.out(self.block(inputs))


net = Net()
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
many = keras.losses.MeanSquaredError(reduction="none")
mean = keras.metrics.Mean()
tokenizer = layers.TextVectorization(vocabulary=["a", "b"], output_sequence_length=4)
embedded = keras.Sequential([layers.Embedding(20, 6), layers.GlobalAveragePooling1D(), layers.Dense(1)])
"""
OF_MODELS = [
    "sequential(images)",
    "sequential(bytes_)",
    "sequential(images.numpy())",
    "sequential(symbolic)",
    "sequential.predict(np.zeros((5, 8, 6, 3)), verbose=0)",
    "sequential.predict(images, verbose=0)",
    "sequential.predict(tf.data.Dataset.from_tensor_slices((images, [1, 2])).batch(2), verbose=0)",
    "sequential.predict_on_batch(bytes_)",
    "grown(vectors)",
    "grown.predict(doubles, verbose=0)",
    "functional(images)",
    "functional(symbolic)",
    "functional(images, training=True)",
    "functional.predict(bytes_, verbose=0)",
    "functional.summary(print_fn=lambda *args, **named: None)",
    "functional.compile('sgd', 'mse')",
    "functional.get_weights()",
    "net(vectors)",
    "net(doubles)",
    "net(keras.Input((5,)))",
    "net.block(vectors)",
    "Block(2)(vectors)",
    "embedded(words)",
    "embedded(tokenizer(texts))",
    "loss(tf.constant([1, 2]), sequential(images))",
    "loss([1, 2], vectors)",
    "many(vectors, vectors)",
    "mean(vectors)",
    "mean.result()",
    "keras.losses.mse(vectors, vectors)",
    "keras.losses.mean_squared_error(vectors, vectors)",
    "keras.losses.sparse_categorical_crossentropy(words[:, 0], vectors)",
    "tf.keras.losses.BinaryCrossentropy()(vectors, vectors)",
    "skip",
    "x",
    "start",
    "symbolic[:, 0]",
    "symbolic[..., :1]",
    "symbolic * 2",
    "symbolic + symbolic",
    "-symbolic",
    "symbolic.shape",
    "symbolic.dtype",
    "tokens + 1",
    "tokens + 1.5",
    "keras.Input(batch_shape=(2, 3))",
    "keras.Input(shape=(), dtype='string')",
    "keras.Input((4,), batch_size=3)",
    "keras.layers.Input(shape=(None, 3))",
    "keras.layers.add([vectors, vectors])",
    "keras.layers.multiply([symbolic, symbolic])",
    "keras.layers.average([images, images])",
    "keras.layers.maximum((vectors, vectors))",
    "keras.layers.concatenate([vectors, vectors])",
    "keras.layers.concatenate([images, images], axis=1)",
    "keras.layers.concatenate([symbolic, symbolic], axis=-1)",
    "keras.utils.to_categorical(labels)",
    "keras.utils.to_categorical(labels, 5)",
    "keras.utils.to_categorical(labels[:, None], num_classes=3)",
    "keras.utils.to_categorical([[1, 2], [0, 1]], 3)",
    "keras.utils.pad_sequences([[1], [1, 2]])",
    "keras.utils.pad_sequences([[1], [1, 2]], maxlen=4, dtype='float32')",
    "keras.preprocessing.sequence.pad_sequences(np.array([[1], [1, 2]], dtype=object), maxlen=2)",
    "keras.utils.set_random_seed(1)",
    "keras.backend.clear_session()",
    "keras.random.normal((2, 3))",
    "keras.random.uniform([2, 3])",
    "keras.activations.relu(vectors)",
    "keras.activations.softmax(images)",
    "keras.optimizers.Adam(1e-3)",
    "keras.metrics.Accuracy()(words, words)",
    "keras.metrics.AUC().result()",
    "keras.optimizers.SGD().apply_gradients(zip([tf.ones([5])], [tf.Variable(tf.ones([5]))]))",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", OF_MODELS)
def test_models(text: str) -> None:
    compared([text], SETTING + MODELS)


def test_most_of_models_is_known() -> None:
    kinds = compared(OF_MODELS, SETTING + MODELS)
    assert sum(kind.sort is not Sort.UNKNOWN for kind in kinds) > 0.8 * len(kinds)


GIVEN = ("vectors", "images", "symbolic", "words", "doubles", "tokens")
FUNCTIONS = {name: row for name, row in OPS.items() if name.startswith("tensorflow.keras.ops.") and row.returns is not None}
WRITTEN: dict[str, tuple[str, ...]] = {
    "cast": ("vectors, 'int32'", "words, 'float32'", "symbolic, 'float16'", "vectors, dtype=tf.float64"),
    "clip": ("vectors, 0, 1", "words, 0.0, 1.0", "symbolic, -1, 1"),
    "concatenate": ("[vectors, vectors]", "[vectors, vectors], axis=1", "[symbolic, symbolic], -1", "[words, words]", "[vectors, doubles]"),
    "expand_dims": ("vectors, 0", "symbolic, axis=-1", "words, 1"),
    "one_hot": ("words, 5", "tokens, num_classes=5", "words, 5, dtype='int32'", "labels, 3"),
    "ones": ("(2, 3)", "[2], dtype='int32'", "()"),
    "zeros": ("(2, 3)", "[2], 'float16'"),
    "reshape": ("images, (2, -1)", "symbolic, (-1, 144)", "words, [6]", "doubles, (-1,)"),
    "squeeze": ("images[:1], 0", "vectors[:, :, None], axis=-1"),
    "transpose": ("images, (0, 3, 1, 2)", "vectors", "symbolic, axes=(0, 2, 1, 3)"),
    "matmul": ("vectors, tf.ones([5, 2])", "sequences, tf.ones([5, 2])", "steps, steps"),
    "stop_gradient": ("vectors",),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.filterwarnings("ignore")
def test_functions(name: str) -> None:
    last, row = name.rpartition(".")[2], FUNCTIONS[name]
    texts = [f"keras.ops.{last}({one})" for one in WRITTEN.get(last, ())]
    if not texts and row.parameters[:2] == ("x", "y"):
        texts = [f"keras.ops.{last}({a}, {b})" for a in GIVEN for b in (a, "2", "0.5")]
    if not texts:
        axes = ("", ", axis=-1", ", axis=(0, 1)", ", axis=1, keepdims=True") if "axis" in row.parameters else ("",)
        texts = [f"keras.ops.{last}({x}{axis})" for x in GIVEN for axis in axes]
    kinds = compared(texts)
    assert kinds and (last == "stop_gradient" or any(kind.sort is not Sort.UNKNOWN for kind in kinds))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("keras.layers.MaxPool2D", "keras.layers.MaxPooling2D"),
        ("tensorflow.keras.layers.GlobalAvgPool1D", "keras.layers.GlobalAveragePooling1D"),
        ("tensorflow.keras.layers.Convolution2D", "keras.layers.Conv2D"),
        ("tensorflow.losses.MeanSquaredError", "keras.losses.MeanSquaredError"),
        ("keras.models.Model", "keras.Model"),
        ("tensorflow.keras.layers.Input", "keras.Input"),
        ("keras.losses.mean_squared_error", "keras.losses.mse"),
    ],
)
def test_names_of_keras(text: str, name: str) -> None:
    assert canonical(text) == f"tensorflow.{name}" and op(f"tensorflow.{name}").returns is not None
    one, other = keras, keras
    for part in text.removeprefix("tensorflow.").removeprefix("keras.").split("."):
        one = getattr(one, part)
    for part in name.removeprefix("keras.").replace("losses.mse", "losses.mean_squared_error").split("."):
        other = getattr(other, part)
    assert one is other


@pytest.mark.parametrize(
    "setting",
    [
        "keras.mixed_precision.set_global_policy('mixed_float16')",
        "tf.keras.backend.set_floatx('float64')",
        "import os\nos.environ['TF_USE_LEGACY_KERAS'] = '1'",
    ],
)
def test_nothing_is_said_where_a_program_sets_keras_up(setting: str) -> None:
    facts = Facts(Source(f"{SETTING}{setting}\nresult = layers.Dense(3)(vectors)\n", "x.py"))
    assert facts.kind(facts.tree.body[-1].value).sort is Sort.UNKNOWN


def test_another_backend_is_not_tensorflow() -> None:
    text = "import os\nos.environ['KERAS_BACKEND'] = '{}'\nimport keras\nresult = keras.utils.to_categorical([1, 2], 3)\n"
    for backend, sort in (("jax", Sort.UNKNOWN), ("tensorflow", Sort.ARRAY)):
        facts = Facts(Source(text.format(backend), "x.py"))
        assert facts.kind(facts.tree.body[-1].value).sort is sort


@pytest.mark.parametrize(
    ("asked", "made"),
    [
        ("super().compile()", "keras.Model"),
        ("self.optimizer.apply(1)", "keras.optimizers.Optimizer"),
        ("self.tracker.result()", "keras.metrics.Mean"),
        ("self.loss.call()", None),
        ("self.later.result()", None),
        ("self.optimizer", None),
    ],
)
def test_what_keras_and_its_compile_give_an_object(asked: str, made: str | None) -> None:
    text = (
        f"{SETTING}class Own(keras.Model):\n    def compile(self, **more):\n        super().compile(**more)\n"
        "        self.tracker = keras.metrics.Mean()\n        self.loss = keras.metrics.Mean()\n"
        "    def other(self):\n        self.later = keras.metrics.Mean()\n"
        f"    def train_step(self, data):\n        return {asked}\n"
    )
    facts = Facts(Source(text, "x.py"))
    last = facts.tree.body[-1].body[-1].body[-1].value
    owner = last.func.value if asked.endswith(")") else last
    assert getattr(facts.kind(owner).instance, "name", None) == made


def test_attributes_of_keras_are_known_by_name() -> None:
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(np.ones([2, 2]), np.ones([2, 1]), verbose=0)
    plain = {name for name in dir(model) if not name.startswith("_") and not callable(getattr(model, name, None))}
    assert plain | {"train_function", "model", "params"} <= OF_KERAS
