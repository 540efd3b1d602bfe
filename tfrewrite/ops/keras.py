"""Keras 3 on TensorFlow: data, models, losses, metrics, optimizers and functions. The layers stand in `keras_layers.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import gast

from tfrewrite.kinds import FLOATS, UNKNOWN, Dim, Kind, Shape, Sort, array, sequence, tensor
from tfrewrite.ops import arrays, op
from tfrewrite.ops.arrays import as_array
from tfrewrite.ops.call import Call, Rule
from tfrewrite.ops.keras_layers import joined
from tfrewrite.ops.made import Applied, Made, is_input, like, made, members
from tfrewrite.ops.row import Op


def _halves(dtype: str | None, shape: Shape, labels: str, label: tuple[Dim, ...], sizes: tuple[Dim, Dim]) -> Kind:
    """A training and a test set, each with its labels."""
    rest = shape if isinstance(shape, tuple) else ()
    parts = ((array(dtype, (size, *rest)), array(labels, (size, *label))) for size in sizes)
    return sequence(Sort.TUPLE, tuple(sequence(Sort.TUPLE, part) for part in parts))


def _images(shape: Shape, sizes: tuple[Dim, Dim], labels: str = "uint8", label: tuple[Dim, ...] = ()) -> Rule:
    return lambda call: _halves("uint8", shape, labels, label, sizes)


def _reviews(call: Call) -> Kind:
    """Lists of numbers, of different lengths."""
    whole = not any(call.given(name) for name in ("maxlen", "kwargs"))
    return _halves(None, (), "int64", (), (25000, 25000) if whole else (None, None))


def _wires(call: Call) -> Kind:
    whole = not any(call.given(name) for name in ("maxlen", "test_split"))
    return _halves(None, (), "int64", (), (8982, 2246) if whole else (None, None))


def _houses(dtype: str | None, columns: int, sizes: tuple[Dim, Dim]) -> Rule:
    def rule(call: Call) -> Kind:
        whole = not any(call.given(name) for name in ("test_split", "version"))
        return _halves(dtype, (columns,), dtype or "", (), sizes if whole else (None, None))

    return rule


# Models


def input_tensor(call: Call) -> Kind:
    """`keras.Input(shape=(28, 28))`, which has a batch axis more."""
    if call.given("tensor") or call.given("sparse") or call.given("ragged"):
        return UNKNOWN
    if call.given("batch_shape"):
        return Kind(Sort.SYMBOLIC, call.dtype("dtype", "float32"), _written(call["batch_shape"]))
    rest = _written(call["shape"])
    batch = call["batch_size"].value if type(call["batch_size"].value) is int else None
    return Kind(Sort.SYMBOLIC, call.dtype("dtype", "float32"), (batch, *rest) if rest is not None else None)


def _written(kind: Kind) -> tuple[Dim, ...] | None:
    if kind.items is not None:
        return tuple(item.value if type(item.value) is int else None for item in kind.items)
    return (kind.value,) if type(kind.value) is int else None


def _model(call: Call) -> Kind:
    given = tuple((name, call[name]) for name in ("inputs", "outputs") if call.given(name))
    return Kind(Sort.OBJECT, instance=Made("keras.Model", given))


def _sequential(call: Call) -> Kind:
    if not call.given("layers"):
        return Kind(Sort.OBJECT, instance=Made("keras.Sequential"))
    return Kind(Sort.OBJECT, instance=Made("keras.Sequential", (("layers", call["layers"]),)))


def applied_to(one: Made, given: Kind) -> Kind:
    """What an object gives for its first argument."""
    rule = op(f"tensorflow.{one.name}").applied
    return UNKNOWN if rule is None else rule(one, given)


def _functional(model: Made, given: Kind) -> Kind:
    outputs, inputs = model["outputs"], model["inputs"]
    if outputs.sort is not Sort.SYMBOLIC or inputs.sort is Sort.UNKNOWN:
        return UNKNOWN
    several = given.items or () if given.sort in (Sort.LIST, Sort.TUPLE) else (given,)
    if not several or not all(is_input(one) for one in several):
        return UNKNOWN
    symbolic = any(one.sort is Sort.SYMBOLIC for one in several)
    shape = (None, *outputs.shape[1:]) if isinstance(outputs.shape, tuple) and outputs.shape else None
    return Kind(Sort.SYMBOLIC, outputs.dtype, shape) if symbolic else tensor(outputs.dtype, shape)


def _one_after_the_other(model: Made, given: Kind) -> Kind:
    layers = model["layers"].items if model["layers"].sort in (Sort.LIST, Sort.TUPLE) else None
    if layers is None:
        return UNKNOWN
    found = given
    for one in layers:
        if one.sort is Sort.SYMBOLIC:
            continue  # keras.Input, which only says the shape
        if not isinstance(one.instance, Made):
            return UNKNOWN
        found = applied_to(one.instance, found)
    return found


def _predicted(call: Call) -> Kind:
    """Arrays, whatever the batches were."""
    model = call["self"].instance
    if not isinstance(model, Made):
        return UNKNOWN
    given = call["x"]
    data = given.each if given.sort is Sort.DATASET else given
    if data is not None and data.sort is Sort.TUPLE and data.items and given.sort is Sort.DATASET:
        data = data.items[0]
    if data is None or data.sort not in (Sort.ARRAY, Sort.TENSOR, Sort.SYMBOLIC) or not isinstance(data.shape, tuple) or not data.shape:
        return UNKNOWN
    found = applied_to(model, tensor(data.dtype, (None, *data.shape[1:])))
    if found.sort is not Sort.TENSOR or found.dtype is None or not isinstance(found.shape, tuple) or not found.shape:
        return UNKNOWN
    rows = data.shape[0] if given.sort is Sort.ARRAY else None
    return array(found.dtype, (rows, *found.shape[1:]))


def _initialised(made: Made, given: Kind) -> Kind:
    """A tensor of the sizes that an initializer is given."""
    sizes = tuple(item.value if type(item.value) is int else None for item in given.items or ())
    return tensor(None, sizes) if given.items is not None else tensor()


def _object(name: str) -> Rule:
    return lambda call: Kind(Sort.OBJECT, instance=Made(name))


def _none(call: Call) -> Kind:
    return Kind(Sort.NONE)


def _unknown(call: Call) -> Kind:
    return UNKNOWN


def _text(call: Call) -> Kind:
    return Kind(Sort.TEXT)


def _listed(call: Call) -> Kind:
    return Kind(Sort.LIST)


# Losses and metrics


def _loss(loss: Made, given: Kind) -> Kind:
    """The mean over the batch, if nothing else is told."""
    if given.sort not in (Sort.TENSOR, Sort.ARRAY, Sort.VARIABLE, Sort.NUMBER):
        return UNKNOWN
    reduced = loss.text("reduction", "sum_over_batch_size") in ("sum_over_batch_size", "sum", "mean", "auto")
    return tensor(loss.dtype, ()) if reduced else tensor()


def _metric(metric: Made, given: Kind) -> Kind:
    return tensor(None, ()) if given.sort in (Sort.TENSOR, Sort.ARRAY, Sort.VARIABLE, Sort.NUMBER) else UNKNOWN


def _result(call: Call) -> Kind:
    metric = call["self"].instance
    if isinstance(metric, Made) and metric.name.rpartition(".")[2] in _MEANS:
        return tensor(metric.dtype, ())
    return UNKNOWN


def _of_rows(call: Call) -> Kind:
    """A loss for each row."""
    x, y = _plain(call["x"]), _plain(call["labels"])
    if x.sort is not Sort.TENSOR or y.sort is not Sort.TENSOR:
        return UNKNOWN
    shape = x.shape[:-1] if isinstance(x.shape, tuple) and x.shape else None
    return tensor(x.dtype if x.dtype in FLOATS else None, shape)


def _plain(kind: Kind) -> Kind:
    """A Keras tensor, an array or a tensor, as a tensor."""
    return tensor(kind.dtype, kind.shape if isinstance(kind.shape, tuple) else None) if is_input(kind) else UNKNOWN


# Functions of tensors


def _operands(call: Call) -> list[Kind]:
    found = [call[name] for name in ("x", "y") if call.given(name)]
    return [*found, *(call["values"].items or ())] if call.given("values") else found


def of_tensors(rule: Rule, dtype: str = "", *, moves: bool = False) -> Rule:
    """`keras.ops`: NumPy's rules for shapes, and the dtype of floats; of integers Keras promotes otherwise."""

    def whole(call: Call) -> Kind:
        operands = _operands(call)
        if not operands or any(not is_input(one) and one.sort is not Sort.NUMBER for one in operands):
            return UNKNOWN
        tensors = [one for one in operands if is_input(one)]
        if not tensors:
            return UNKNOWN
        plain = {name: _without_symbols(kind) for name, kind in call.kinds.items()}
        found = rule(replace(call, kinds=plain))
        if found.sort not in (Sort.ARRAY, Sort.SCALAR, Sort.TENSOR):
            return UNKNOWN
        dtypes = {one.dtype for one in tensors}
        own = dtypes.pop() if len(dtypes) == 1 else None
        result = call.dtype("dtype") if call.given("dtype") else dtype or (own if moves or own in FLOATS else None)
        return like(members(tensors), result, found.shape)

    return whole


def _without_symbols(kind: Kind) -> Kind:
    if kind.sort is Sort.SYMBOLIC:
        return tensor(kind.dtype, kind.shape)
    if kind.sort in (Sort.LIST, Sort.TUPLE) and kind.items is not None:
        return replace(kind, items=tuple(map(_without_symbols, kind.items)))
    return kind


def _softmaxed(call: Call) -> Kind:
    x = call["x"]
    return like(x, x.dtype if x.dtype in FLOATS else None, x.shape) if is_input(x) else UNKNOWN


def _cast(call: Call) -> Kind:
    x = call["x"]
    return like(x, call.dtype("dtype"), x.shape) if is_input(x) else UNKNOWN


def _converted(call: Call) -> Kind:
    x = call["x"]
    if call.given("dtype"):
        return _cast(call)
    return like(x, x.dtype, x.shape) if is_input(x) else UNKNOWN


def _to_numpy(call: Call) -> Kind:
    x = _plain(call["x"])
    return array(x.dtype, x.shape) if x.sort is Sort.TENSOR and (x.rank or 0) > 0 and x.dtype != "string" else UNKNOWN


def _filled(call: Call) -> Kind:
    shape = call["shape"]
    sizes = tuple(one.value if type(one.value) is int else None for one in shape.items) if shape.items is not None else None
    return tensor(call.dtype("dtype", "float32"), sizes)


def _one_hot(call: Call) -> Kind:
    x = call["x"]
    if not is_input(x) or call.given("axis") or call.given("sparse"):
        return UNKNOWN
    count = call["num_classes"].value
    return like(
        x, call.dtype("dtype", "float32"), (*x.shape, count if type(count) is int else None) if isinstance(x.shape, tuple) else None
    )


def _joined(call: Call) -> Kind:
    items = call["values"].items
    if not items or any(not is_input(one) for one in items):
        return UNKNOWN
    return joined([one if one.sort is Sort.SYMBOLIC else _plain(one) for one in items], call.integer("axis", 0))


# Data


def _categories(call: Call) -> Kind:
    """`to_categorical` gives an axis more, and arrays of float64 where it is given arrays or lists."""
    x, count = call["x"], call["num_classes"].value
    own = as_array(x) if x.sort in (Sort.ARRAY, Sort.LIST, Sort.TUPLE) else UNKNOWN
    if own.sort is not Sort.ARRAY:
        return UNKNOWN
    rank, shape = own.rank, own.shape
    if rank is None or not isinstance(shape, tuple) or not shape:
        return array("float64")
    if rank > 1 and shape[-1] is None:
        return array("float64")
    shape = shape[:-1] if rank > 1 and shape[-1] == 1 else shape
    return array("float64", (*shape, count if type(count) is int else None))


def _padded(call: Call) -> Kind:
    """`pad_sequences` gives whole numbers, as many for each."""
    if call.given("dtype") and call.dtype("dtype") is None:
        return UNKNOWN
    x = call["sequences"]
    own = x.shape[0] if x.sort is Sort.ARRAY and isinstance(x.shape, tuple) and x.shape else len(x.items) if x.items is not None else None
    length = call["maxlen"].value
    return array(call.dtype("dtype", "int32"), (own, length if type(length) is int else None))


def _image_array(call: Call) -> Kind:
    """Always with an axis for channels."""
    return array(call.dtype("dtype", "float32"), (None, None, None))


def _image_folder(call: Call) -> Kind:
    if any(call.given(name) for name in ("data_format", "subset")) and not _is_written(call, "subset", ("training", "validation")):
        return UNKNOWN
    channels = {"rgb": 3, "rgba": 4, "grayscale": 1}.get(_told(call, "color_mode", "rgb") or "")
    size = call["image_size"].items if call.given("image_size") else None
    sides: tuple[Dim, ...] = (256, 256)
    if call.given("image_size"):
        whole = size is not None and len(size) == 2
        sides = tuple(one.value if type(one.value) is int else None for one in size) if whole and size is not None else (None, None)
    return _labelled(call, "float32", (*sides, channels))


def _text_folder(call: Call) -> Kind:
    if call.given("subset") and not _is_written(call, "subset", ("training", "validation")):
        return UNKNOWN
    return _labelled(call, "string", ())


def _told(call: Call, name: str, default: str | None) -> str | None:
    match call.nodes.get(name):
        case None:
            return default
        case gast.Constant(value=str(text)):
            return text
        case gast.Constant(value=None):
            return "None"
    return None


def _is_written(call: Call, name: str, texts: tuple[str, ...]) -> bool:
    return _told(call, name, None) in texts


def _labelled(call: Call, dtype: str, shape: tuple[Dim, ...]) -> Kind:
    labels = {"int": tensor("int32", ()), "binary": tensor("float32", (1,)), "categorical": tensor("float32", (None,))}
    mode = _told(call, "label_mode", "int")
    written = _told(call, "labels", "inferred")
    if mode is None or written not in ("inferred", "None") or call["batch_size"].sort not in (Sort.UNKNOWN, Sort.NUMBER):
        return Kind(Sort.DATASET)
    if call.given("batch_size") and call["batch_size"].sort is Sort.UNKNOWN:
        return Kind(Sort.DATASET)
    parts = [tensor(dtype, shape)] if mode == "None" or written == "None" else [tensor(dtype, shape), labels[mode]]
    batched = [tensor(one.dtype, (None, *one.shape)) for one in parts if isinstance(one.shape, tuple)]
    return Kind(Sort.DATASET, each=batched[0] if len(batched) == 1 else sequence(Sort.TUPLE, tuple(batched)))


_DATA = "is_no_tensor is_outside is_fresh"
_OUT = "is_no_tensor is_outside"
_EFFECT = f"{_OUT} is_effect"
_STATE = f"{_OUT} changes"

_MEANS = frozenset({
    "Mean", "Sum", "Accuracy", "BinaryAccuracy", "CategoricalAccuracy", "SparseCategoricalAccuracy", "TopKCategoricalAccuracy",
    "SparseTopKCategoricalAccuracy", "MeanSquaredError", "MeanAbsoluteError", "MeanAbsolutePercentageError", "RootMeanSquaredError",
    "BinaryCrossentropy", "CategoricalCrossentropy", "SparseCategoricalCrossentropy", "KLDivergence", "CosineSimilarity", "Hinge",
})  # fmt: skip
_OTHER_METRICS = (
    "AUC", "Precision", "Recall", "TruePositives", "TrueNegatives", "FalsePositives", "FalseNegatives", "F1Score", "FBetaScore", "IoU",
    "MeanIoU", "BinaryIoU", "OneHotIoU", "OneHotMeanIoU", "R2Score", "Poisson", "LogCoshError", "SquaredHinge", "CategoricalHinge",
    "MeanSquaredLogarithmicError", "PrecisionAtRecall", "RecallAtPrecision", "SensitivityAtSpecificity", "SpecificityAtSensitivity",
    "MeanMetricWrapper",
)  # fmt: skip
_LOSSES = (
    "BinaryCrossentropy", "BinaryFocalCrossentropy", "CategoricalCrossentropy", "CategoricalFocalCrossentropy", "CategoricalHinge",
    "CosineSimilarity", "Dice", "Hinge", "Huber", "KLDivergence", "LogCosh", "MeanAbsoluteError", "MeanAbsolutePercentageError",
    "MeanSquaredError", "MeanSquaredLogarithmicError", "Poisson", "SparseCategoricalCrossentropy", "SquaredHinge", "Tversky",
)  # fmt: skip
_OPTIMIZERS = (
    "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Ftrl", "Lamb", "Lion", "Nadam", "RMSprop", "SGD", "LossScaleOptimizer",
)  # fmt: skip
_SCHEDULES = ("CosineDecay", "CosineDecayRestarts", "ExponentialDecay", "InverseTimeDecay", "PiecewiseConstantDecay", "PolynomialDecay")
_INITIALIZERS = (
    "Constant", "GlorotNormal", "GlorotUniform", "HeNormal", "HeUniform", "LecunNormal", "LecunUniform", "Ones", "RandomNormal",
    "RandomUniform", "TruncatedNormal", "VarianceScaling", "Zeros",
)  # fmt: skip
_CALLBACKS = (
    "BackupAndRestore", "CSVLogger", "EarlyStopping", "LambdaCallback", "LearningRateScheduler", "ModelCheckpoint", "ProgbarLogger",
    "ReduceLROnPlateau", "TensorBoard", "TerminateOnNaN",
)  # fmt: skip
_ACTIVATIONS = (
    "elu", "exponential", "gelu", "hard_sigmoid", "leaky_relu", "linear", "log_softmax", "mish", "relu", "relu6", "selu", "sigmoid", "silu",
    "softmax", "softplus", "softsign", "swish", "tanh",
)  # fmt: skip
_ROWS_OF_LOSSES = (
    "binary_focal_crossentropy", "categorical_focal_crossentropy", "categorical_hinge", "hinge", "huber", "kl_divergence", "log_cosh",
    "mean_absolute_error", "mean_absolute_percentage_error", "mean_squared_logarithmic_error", "mse", "poisson", "squared_hinge",
    "binary_crossentropy",
)  # fmt: skip
_SAME = (
    "abs", "absolute", "cos", "cosh", "elu", "erf", "exp", "expm1", "gelu", "hard_sigmoid", "leaky_relu", "log", "log10", "log1p", "log2",
    "log_sigmoid", "negative", "reciprocal", "relu", "relu6", "rsqrt", "selu", "sigmoid", "sign", "silu", "sin", "sinh", "softplus",
    "softsign", "sqrt", "square", "swish", "tan", "tanh", "floor", "ceil",
)  # fmt: skip
_BROADCAST = ("add", "divide", "floor_divide", "maximum", "minimum", "mod", "multiply", "power", "subtract", "true_divide")
_ADAPTED = ("Discretization", "IntegerLookup", "Normalization", "StringLookup", "TextVectorization")
_MERGES = ("Add", "Average", "Maximum", "Minimum", "Multiply", "Subtract")
"""Layers that are functions as well."""
_COMPARED = ("equal", "greater", "greater_equal", "less", "less_equal", "not_equal", "logical_and", "logical_or")


def _classes(package: str, names: Sequence[str], applied: Applied | None, traits: str) -> tuple[Op, ...]:
    return tuple(Op(f"{package}.{name}", "", made(f"{package}.{name}"), traits, applied=applied) for name in sorted(names))


def _at_once(name: str) -> Rule:
    """`layers.add([x, y])`, which makes a layer and calls it."""
    of = made(f"keras.layers.{name}")

    def rule(call: Call) -> Kind:
        one = of(call).instance
        return applied_to(one, call["inputs"]) if isinstance(one, Made) else UNKNOWN

    return rule


def _methods(owner: str, rows: Mapping[str, tuple[str, Rule, str]]) -> tuple[Op, ...]:
    return tuple(Op(f"{owner}.{name}", parameters, rule, traits) for name, (parameters, rule, traits) in rows.items())


def _functions() -> tuple[Op, ...]:
    ops = [Op(f"keras.ops.{name}", "x", of_tensors(arrays.roots if name != "negative" else arrays.kept), _OUT) for name in _SAME]
    ops += [Op(f"keras.ops.{name}", "x=x1 y=x2", of_tensors(arrays.sums), _OUT) for name in _BROADCAST]
    ops += [Op(f"keras.ops.{name}", "x=x1 y=x2", of_tensors(arrays.comparisons, "bool"), _OUT) for name in _COMPARED]
    ops += [Op(f"keras.ops.{name}", "x axis keepdims", of_tensors(arrays.extremes), _OUT) for name in ("sum", "mean", "prod", "std", "var")]
    ops += [
        Op(f"keras.ops.{name}", "x axis keepdims", of_tensors(arrays.extremes, moves=True), _OUT) for name in ("max", "min", "amax", "amin")
    ]
    ops += [Op(f"keras.ops.{name}", "x axis keepdims", of_tensors(arrays.decisions, "bool"), _OUT) for name in ("all", "any")]
    ops += [Op(f"keras.ops.{name}", "x axis keepdims", of_tensors(arrays.places, "int32"), _OUT) for name in ("argmax", "argmin")]
    ops += [Op(f"keras.ops.{name}", "x axis", _softmaxed, _OUT) for name in ("softmax", "log_softmax")]
    ops += [Op(f"keras.activations.{name}", "x", _softmaxed, _OUT) for name in _ACTIVATIONS]
    return tuple(ops)


ROWS = (
    Op("keras.datasets.boston_housing.load_data", "path test_split seed", _houses("float64", 13, (404, 102)), _DATA),
    Op("keras.datasets.california_housing.load_data", "version path test_split seed", _houses(None, 8, (16512, 4128)), _DATA),
    Op("keras.datasets.cifar10.load_data", "", _images((32, 32, 3), (50000, 10000), label=(1,)), _DATA),
    Op("keras.datasets.cifar100.load_data", "label_mode", _images((32, 32, 3), (50000, 10000), "int64", (1,)), _DATA),
    Op("keras.datasets.fashion_mnist.load_data", "", _images((28, 28), (60000, 10000)), _DATA),
    Op("keras.datasets.imdb.get_word_index", "path", _unknown, _OUT),
    Op("keras.datasets.imdb.load_data", "path num_words skip_top maxlen", _reviews, _OUT),
    Op("keras.datasets.mnist.load_data", "path", _images((28, 28), (60000, 10000)), _DATA),
    Op("keras.datasets.reuters.load_data", "path num_words skip_top maxlen test_split", _wires, _DATA),
    Op("keras.Input", "shape batch_size dtype sparse", input_tensor, _OUT),
    Op("keras.Model", "inputs outputs", _model, _OUT, applied=_functional),
    Op("keras.Sequential", "layers", _sequential, _OUT, applied=_one_after_the_other),
    *(Op(f"keras.layers.{name.lower()}", "inputs", _at_once(name), _OUT) for name in _MERGES),
    Op("keras.layers.concatenate", "inputs axis", _at_once("Concatenate"), _OUT),
    Op("keras.layers.Layer", "", made("keras.layers.Layer"), f"{_OUT} is_layer"),
    *_classes("keras.losses", _LOSSES, _loss, _OUT),
    *_classes("keras.metrics", (*_MEANS, *_OTHER_METRICS), _metric, f"{_OUT} is_stateful"),
    *_classes("keras.optimizers", _OPTIMIZERS, None, f"{_OUT} is_stateful"),
    *_classes("keras.optimizers.schedules", _SCHEDULES, None, _OUT),
    *_classes("keras.initializers", _INITIALIZERS, _initialised, _OUT),
    *_classes("keras.callbacks", _CALLBACKS, None, _OUT),
    *_classes("keras.regularizers", ("L1", "L1L2", "L2"), None, _OUT),
    *_functions(),
    *(Op(f"keras.losses.{name}", "labels=y_true x=y_pred", _of_rows, _OUT) for name in _ROWS_OF_LOSSES),
    Op("keras.losses.categorical_crossentropy", "labels=y_true x=y_pred from_logits label_smoothing axis", _of_rows, _OUT),
    Op("keras.losses.sparse_categorical_crossentropy", "labels=y_true x=y_pred from_logits ignore_class axis", _of_rows, _OUT),
    Op("keras.ops.cast", "x dtype", _cast, _OUT),
    Op("keras.ops.clip", "x low=x_min high=x_max", of_tensors(arrays.same_array), _OUT),
    Op("keras.ops.concatenate", "values=xs axis", _joined, _OUT),
    Op("keras.ops.convert_to_numpy", "x", _to_numpy, _OUT),
    Op("keras.ops.convert_to_tensor", "x dtype", _converted, _OUT),
    Op("keras.ops.expand_dims", "x axis", of_tensors(arrays.expand_dims, moves=True), _OUT),
    Op("keras.ops.matmul", "x=x1 y=x2", of_tensors(arrays.matmul), _OUT),
    Op("keras.ops.one_hot", "x num_classes axis dtype sparse", _one_hot, _OUT),
    Op("keras.ops.ones", "shape dtype", _filled, _OUT),
    Op("keras.ops.ones_like", "x dtype", of_tensors(arrays.same_array, moves=True), _OUT),
    Op("keras.ops.reshape", "x shape=newshape", of_tensors(arrays.reshape, moves=True), _OUT),
    Op("keras.ops.squeeze", "x axis", of_tensors(arrays.squeeze, moves=True), _OUT),
    Op("keras.ops.stop_gradient", "variable", _unknown, _OUT),
    Op("keras.ops.transpose", "x perm=axes", of_tensors(arrays.transpose, moves=True), _OUT),
    Op("keras.ops.zeros", "shape dtype", _filled, _OUT),
    Op("keras.ops.zeros_like", "x dtype", of_tensors(arrays.same_array, moves=True), _OUT),
    *(Op(f"keras.random.{name}", "shape", _filled, f"{_OUT} is_random") for name in ("normal", "truncated_normal", "uniform")),
    Op("keras.random.SeedGenerator", "seed", _object("keras.random.SeedGenerator"), f"{_OUT} is_random"),
    Op(
        "keras.utils.image_dataset_from_directory",
        "directory labels label_mode class_names color_mode batch_size image_size",
        _image_folder,
        _OUT,
    ),
    Op("keras.utils.text_dataset_from_directory", "directory labels label_mode class_names batch_size", _text_folder, _OUT),
    Op("keras.utils.array_to_img", "x data_format scale dtype", _unknown, f"{_OUT} is_read_only"),
    Op("keras.utils.load_img", "", _unknown, _OUT),
    Op("keras.utils.img_to_array", "img data_format dtype", _image_array, _OUT),
    *(Op(f"keras.regularizers.{name}", "", _unknown, _OUT) for name in ("l1", "l1_l2", "l2")),
    Op("keras.models.load_model", "filepath", _unknown, _OUT),
    Op("keras.utils.get_file", "fname origin", _text, _EFFECT),
    Op("keras.utils.pad_sequences", "sequences maxlen dtype padding truncating value", _padded, f"{_OUT} is_fresh"),
    Op("keras.utils.plot_model", "model to_file", _unknown, _EFFECT),
    Op("keras.utils.set_random_seed", "seed", _none, f"{_STATE} is_random"),
    Op("keras.utils.to_categorical", "x num_classes", _categories, f"{_OUT} is_fresh"),
    Op("keras.backend.clear_session", "", _none, _STATE),
    *_methods(
        "keras.Model",
        {
            "compile": ("optimizer loss loss_weights metrics weighted_metrics run_eagerly steps_per_execution jit_compile", _none, _STATE),
            "evaluate": ("x y batch_size verbose sample_weight steps", _unknown, f"{_EFFECT} changes"),
            "fit": (
                "x y batch_size epochs verbose callbacks validation_split validation_data",
                _object("keras.callbacks.History"),
                f"{_EFFECT} changes is_random",
            ),
            "predict": ("x batch_size verbose steps callbacks", _predicted, f"{_EFFECT} is_fresh"),
            "predict_on_batch": ("x", _predicted, f"{_OUT} is_fresh"),
            "train_on_batch": ("x y sample_weight class_weight", _unknown, f"{_STATE} is_random"),
            "test_on_batch": ("x y sample_weight", _unknown, _STATE),
            "summary": ("line_length positions print_fn", _none, _EFFECT),
            "save": ("filepath overwrite", _none, _EFFECT),
            "save_weights": ("filepath overwrite", _none, _EFFECT),
            "load_weights": ("filepath", _unknown, _STATE),
            "get_layer": ("name index", _unknown, _OUT),
            "get_config": ("", _unknown, _OUT),
            "count_params": ("", _unknown, _OUT),
            "get_weights": ("", _listed, _OUT),
            "set_weights": ("weights", _none, _STATE),
            "build": ("input_shape", _none, _STATE),
            "add_loss": ("loss", _none, _STATE),
            "add_weight": ("", _unknown, f"{_STATE} is_random"),
            "reset_metrics": ("", _none, _STATE),
            "compute_loss": ("x y y_pred", _unknown, _OUT),
            "to_json": ("", _text, _OUT),
            "export": ("filepath", _unknown, _EFFECT),
        },
    ),
    *_methods("keras.Sequential", {"add": ("layer", _none, _STATE), "pop": ("", _unknown, _STATE)}),
    *_methods(
        "keras.layers.Layer",
        {
            "get_config": ("", _unknown, _OUT),
            "get_weights": ("", _listed, _OUT),
            "set_weights": ("weights", _none, _STATE),
            "build": ("", _none, _STATE),
            "add_weight": ("", _unknown, f"{_STATE} is_random"),
            "add_loss": ("loss", _none, _STATE),
            "count_params": ("", _unknown, _OUT),
        },
    ),
    *(row for name in _ADAPTED for row in _methods(f"keras.layers.{name}", {"adapt": ("data", _none, f"{_EFFECT} changes")})),
    *_methods(
        "keras.metrics.Metric",
        {
            "update_state": ("", _unknown, _STATE),
            "result": ("", _result, _OUT),
            "reset_state": ("", _none, _STATE),
            "add_weight": ("", _unknown, _STATE),
        },
    ),
    *_methods(
        "keras.optimizers.Optimizer",
        {
            "apply_gradients": ("grads_and_vars", _unknown, _STATE),
            "apply": ("grads trainable_variables", _unknown, _STATE),
            "build": ("variables", _none, _STATE),
        },
    ),
)
