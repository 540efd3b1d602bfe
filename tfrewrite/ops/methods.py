"""Methods of texts, lists, tensors and tapes, and of what other libraries make: what they change, and that they are known."""

from __future__ import annotations

from tfrewrite.kinds import UNKNOWN, Kind, Sort, number, sequence
from tfrewrite.ops.call import Call
from tfrewrite.ops.row import Op


def _nothing(call: Call) -> Kind:
    return Kind(Sort.NONE)


def _text(call: Call) -> Kind:
    return Kind(Sort.TEXT)


def _words(call: Call) -> Kind:
    return Kind(Sort.LIST)


def _flag(call: Call) -> Kind:
    return number(None, "bool")


def _count(call: Call) -> Kind:
    return number(None, "int")


def _unknown(call: Call) -> Kind:
    return UNKNOWN


def _loaded(call: Call) -> Kind:
    """`tfds.load`: a dataset for each split that is named. What elements it has isn't said anywhere."""
    split, informs = call["split"], call["with_info"]
    settings = ("batch_size", "as_dataset_kwargs")
    if any(call.given(name) for name in settings) or (call.given("with_info") and not isinstance(informs.value, bool)):
        return UNKNOWN
    found = _of_split(split) if call.given("split") else UNKNOWN  # else a dict
    return sequence(Sort.TUPLE, (found, UNKNOWN)) if call.given("with_info") and informs.value else found


def _of_split(kind: Kind) -> Kind:
    if kind.sort in (Sort.LIST, Sort.TUPLE) and kind.items is not None:
        return sequence(kind.sort, tuple(map(_of_split, kind.items)))
    return Kind(Sort.DATASET) if kind.sort is Sort.TEXT else UNKNOWN


def _texts(call: Call) -> Kind:
    return Kind(Sort.LIST, each=Kind(Sort.TEXT))


_TEXTS = ("capitalize", "format", "join", "ljust", "lower", "lstrip", "replace", "rjust", "rstrip", "strip", "title", "upper", "zfill")
_OF_TENSORS = ("get_shape", "numpy", "ref", "set_shape")
_OF_VARIABLES = ("assign", "assign_add", "assign_sub", "numpy", "read_value", "scatter_nd_update", "value")
_OF_TAPES = ("batch_jacobian", "gradient", "jacobian", "reset", "stop_recording", "watch", "watched_variables")

_OF_OTHERS = (
    "PIL.Image.fromarray", "PIL.Image.open", "collections.Counter", "collections.deque", "datetime.datetime.now", "pandas.DataFrame",
    "pandas.read_csv", "pathlib.Path", "re.compile",
)  # fmt: skip

ROWS = (
    Op("tensorflow_datasets.load", "name split data_dir batch_size", _loaded, "is_outside"),
    *(Op(f"os.path.{name}", "", _text, "is_outside") for name in ("abspath", "basename", "dirname", "expanduser", "join", "normpath")),
    *(Op(f"os.path.{name}", "", _flag, "is_outside") for name in ("exists", "isdir", "isfile")),
    Op("os.listdir", "", _texts, "is_outside"),
    *(Op(f"os.{name}", "", _nothing, "is_outside is_effect") for name in ("makedirs", "mkdir", "remove")),
    Op("glob.glob", "", _texts, "is_outside"),
    *(Op(f"builtins.str.{name}", "", _text, "is_outside") for name in _TEXTS),
    *(Op(f"builtins.str.{name}", "", _words, "is_outside") for name in ("rsplit", "split", "splitlines")),
    *(Op(f"builtins.str.{name}", "", _flag, "is_outside") for name in ("endswith", "isdigit", "startswith")),
    *(Op(f"builtins.str.{name}", "", _count, "is_outside") for name in ("count", "find", "index", "rfind")),
    *(Op(f"builtins.str.{name}", "", _unknown, "is_outside") for name in ("decode", "encode")),
    *(
        Op(f"builtins.list.{name}", traits="is_outside changes")
        for name in ("append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort")
    ),
    *(Op(f"builtins.list.{name}", traits="is_outside") for name in ("copy", "count", "index")),
    *(Op(f"builtins.dict.{name}", traits="is_outside changes") for name in ("clear", "pop", "popitem", "setdefault", "update")),
    *(Op(f"builtins.dict.{name}", traits="is_outside") for name in ("copy", "get", "items", "keys", "values")),
    *(Op(name, "", _unknown, "is_outside") for name in _OF_OTHERS),
    *(Op(name, "", _text, "is_outside") for name in ("re.sub", "textwrap.dedent")),
    Op("tempfile.mkdtemp", "", _text, "is_outside is_effect"),
    *(Op(f"tensorflow.config.list_{name}_devices", "", _words, "is_outside is_no_tensor") for name in ("logical", "physical")),
    *(Op(f"tensorflow.Tensor.{name}", traits="is_outside") for name in _OF_TENSORS),
    *(Op(f"tensorflow.Variable.{name}", traits="is_outside") for name in _OF_VARIABLES),
    *(Op(f"tensorflow.GradientTape.{name}", traits="is_outside") for name in _OF_TAPES),
)
