"""Which expressions keep a NumPy array alive: a view of it, another name, a list; and which only read it."""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts, Sort
from tfrewrite.kinds import ITEM_BYTES, Kind

SETTINGS = frozenset({"shape", "dtype", "ndim", "size", "nbytes", "itemsize"})
_COPYING_METHODS = frozenset({
    "astype", "copy", "mean", "sum", "min", "max", "std", "var", "any", "all", "argmax", "argmin", "tolist", "item", "round", "clip", "cumsum",
    "dot", "prod", "flatten", "repeat", "take", "nonzero", "tobytes",
})  # fmt: skip
_VIEWING_METHODS = frozenset({"reshape", "ravel", "squeeze", "transpose", "swapaxes", "view"})
_COPYING = frozenset({
    "concatenate", "vstack", "hstack", "stack", "mean", "sum", "min", "max", "amin", "amax", "std", "var", "median", "unique", "bincount",
    "argmax", "argmin", "array", "isnan", "isfinite", "where", "pad", "repeat", "tile", "append", "histogram", "percentile", "prod", "save",
    "divide", "subtract", "multiply", "add", "true_divide", "abs", "log", "exp", "sqrt", "square", "any", "all", "shape", "size", "ndim",
    "array_equal", "allclose", "dot", "matmul", "random.permutation", "copy", "sort", "argsort", "roll", "take", "delete", "resize",
})  # fmt: skip
_VIEWING = frozenset(
    {"reshape", "expand_dims", "squeeze", "transpose", "ravel", "asarray", "moveaxis", "swapaxes", "split", "array_split", "flip"}
)
_READING = frozenset({"len", "print", "float", "int", "bool", "str", "repr", "min", "max", "sum", "range", "type", "isinstance"})
_COPYING_DATASETS = frozenset({"tensorflow.data.Dataset.from_tensor_slices", "tensorflow.data.Dataset.from_tensors"})
_COPYING_OTHERS = frozenset({
    "sklearn.model_selection.train_test_split", "tensorflow.keras.utils.to_categorical", "keras.utils.to_categorical",
    "tensorflow.keras.preprocessing.sequence.pad_sequences", "keras.preprocessing.sequence.pad_sequences",
    "tensorflow.keras.utils.pad_sequences", "keras.utils.pad_sequences",
})  # fmt: skip
_DRAWING = ("matplotlib.", "seaborn.")
TRAINING = frozenset({"fit", "fit_generator", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch", "search"})
"""Methods of models, which hold nothing of what they are given once they are done."""


def bytes_of(kind: Kind) -> int | None:
    """How much memory an array of this kind takes, where that is known."""
    width = ITEM_BYTES.get(kind.dtype or "")
    return None if kind.sort is not Sort.ARRAY or kind.size is None or width is None else kind.size * width


def holds(use: gast.AST, facts: Facts) -> bool:
    """May what is done with an array keep it alive, in part or whole, when the statement is done?"""
    parent = facts.parent(use)
    match parent:
        case gast.BinOp() | gast.Compare() | gast.UnaryOp() | gast.FormattedValue():
            return False
        case gast.AugAssign(value=value) if value is use:
            return False
        case gast.Expr():
            return False
        case gast.Attribute(attr=attr) if isinstance(parent.ctx, gast.Load) and attr in SETTINGS:
            return False
        case gast.Attribute(attr=attr) if isinstance(parent.ctx, gast.Load) and attr in _COPYING_METHODS:
            return not _is_called(parent, facts)
        case gast.Attribute(attr=attr) if isinstance(parent.ctx, gast.Load) and attr in _VIEWING_METHODS:
            return not _is_called(parent, facts) or holds(facts.scopes.parents[parent], facts)
        case gast.Attribute(attr="T"):
            return holds(parent, facts)
        case gast.Subscript(value=value) if value is use and isinstance(parent.ctx, gast.Load):
            return holds(parent, facts)
        case gast.Slice() | gast.Subscript():
            return not isinstance(parent, gast.Slice) and not isinstance(getattr(parent, "ctx", None), gast.Load)
        case gast.Tuple() | gast.List() | gast.keyword() | gast.Dict():
            whole = facts.parent(parent)
            return not isinstance(whole, gast.Call | gast.keyword | gast.Tuple | gast.List | gast.Dict | gast.Subscript) or holds(
                parent, facts
            )
        case gast.Call(func=func) if func is not use:
            return _keeps(parent, facts)
    return True


def _is_called(method: gast.Attribute, facts: Facts) -> bool:
    call = facts.parent(method)
    return isinstance(call, gast.Call) and call.func is method and not any(one.arg in ("copy", "out", None) for one in call.keywords)


def _keeps(call: gast.Call, facts: Facts) -> bool:
    """May a call keep what it is given, or give a part of it back that is kept?"""
    name = facts.called(call) or ""
    if name.startswith("numpy."):
        short = name.removeprefix("numpy.")
        if any(one.arg in ("copy", "out") for one in call.keywords):
            return True
        return short not in _COPYING and (short not in _VIEWING or holds(call, facts))
    if name.startswith("builtins."):
        return name.removeprefix("builtins.") not in _READING
    if name in _COPYING_DATASETS or name in _COPYING_OTHERS or name.startswith(_DRAWING):
        return False
    if name.startswith("tensorflow."):
        return not (facts.op(call).is_known or name in ("tensorflow.constant", "tensorflow.convert_to_tensor"))
    return not (not name and isinstance(call.func, gast.Attribute) and call.func.attr in TRAINING)
