"""Python's own functions: what they do to a rounding error."""

from __future__ import annotations

from tfrewrite.kinds import UNKNOWN, Kind, Sort, number
from tfrewrite.ops.call import Call
from tfrewrite.ops.row import BOUNDED, DECIDED, EDGED, EVERYWHERE, EXPONENT, MOVED, MULTIPLIED, ROOTED, STEEP, SUMMED, Op


def _text(call: Call) -> Kind:
    return Kind(Sort.TEXT)


def _nothing(call: Call) -> Kind:
    return Kind(Sort.NONE)


def _flag(call: Call) -> Kind:
    return number(None, "bool")


def _whole(call: Call) -> Kind:
    return number(None, "int")


def _real(call: Call) -> Kind:
    return number(None, "float")


def _unknown(call: Call) -> Kind:
    return UNKNOWN


_ANY = "a0 a1 a2 a3 a4 a5 a6 a7"
_TEXTS = ("ascii", "bin", "chr", "format", "hex", "input", "oct", "repr", "str")
_FLAGS = ("callable", "hasattr", "isinstance", "issubclass")
_OTHERS = (
    "bytes", "complex", "delattr", "dict", "dir", "filter", "frozenset", "getattr", "globals", "iter", "locals", "map", "next", "object",
    "open", "property", "set", "setattr", "staticmethod", "classmethod", "super", "type", "vars", "AssertionError", "AttributeError",
    "Exception", "FileNotFoundError", "ImportError", "IndexError", "KeyError", "NotImplementedError", "OSError", "RuntimeError",
    "StopIteration", "SystemExit", "TypeError", "ValueError",
)  # fmt: skip

ROWS = (
    *(Op(f"builtins.{name}", _ANY, _text, "is_outside") for name in _TEXTS),
    *(Op(f"builtins.{name}", _ANY, _flag, "is_outside") for name in _FLAGS),
    *(Op(f"builtins.{name}", _ANY, _whole, "is_outside") for name in ("id", "ord")),
    *(Op(f"builtins.{name}", traits="is_outside") for name in _OTHERS),
    Op("random.choice", "seq", _unknown, "is_outside is_random"),
    Op("random.gauss", "mu sigma", _real, "is_outside is_random"),
    Op("random.randint", "a b", _whole, "is_outside is_random"),
    Op("random.random", "", _real, "is_outside is_random"),
    Op("random.randrange", "start stop step", _whole, "is_outside is_random"),
    Op("random.sample", "population k", _unknown, "is_outside is_random"),
    Op("random.seed", "a version", _nothing, "is_outside is_random changes"),
    Op("random.shuffle", "x", _nothing, "is_outside is_random changes"),
    Op("random.uniform", "a b", _real, "is_outside is_random"),
    Op("time.perf_counter", "", _real, "is_outside"),
    Op("time.process_time", "", _real, "is_outside"),
    Op("time.sleep", "secs", _nothing, "is_outside is_effect"),
    Op("time.time", "", _real, "is_outside"),
    Op("builtins.abs", traits="is_never_negative", bits=EVERYWHERE, error=BOUNDED),
    Op("builtins.all", error=DECIDED),
    Op("builtins.any", error=DECIDED),
    Op("builtins.bool", error=DECIDED),
    Op("builtins.divmod", error=DECIDED),
    Op("builtins.enumerate", traits="keeps_sign", error=MOVED),
    Op("builtins.float", traits="keeps_sign", error=MOVED),
    Op("builtins.hash", error=DECIDED),
    Op("builtins.int", error=DECIDED),
    Op("builtins.list", traits="keeps_sign", error=MOVED),
    Op("builtins.max", traits="keeps_sign", error=BOUNDED),
    Op("builtins.min", traits="keeps_sign", error=BOUNDED),
    Op("builtins.pow", error=ROOTED),
    Op("builtins.print", _ANY, _nothing, "is_outside is_effect"),
    Op("builtins.range", bits=EVERYWHERE, error=DECIDED),
    Op("builtins.reversed", traits="keeps_sign", error=MOVED),
    Op("builtins.round", bits=EVERYWHERE, error=DECIDED),
    Op("builtins.slice", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("builtins.sorted", error=DECIDED),
    Op("builtins.sum", traits="keeps_sign", error=SUMMED),
    Op("builtins.tuple", traits="keeps_sign", error=MOVED),
    Op("builtins.zip", traits="keeps_sign", error=MOVED),
    Op("math.acos", error=EDGED),
    Op("math.acosh", error=EDGED),
    Op("math.asin", error=EDGED),
    Op("math.asinh", error=BOUNDED),
    Op("math.atan", error=BOUNDED),
    Op("math.atan2", error=ROOTED),
    Op("math.atanh", error=EDGED),
    Op("math.ceil", bits=EVERYWHERE, error=DECIDED),
    Op("math.cosh", traits="is_never_negative", error=EXPONENT),
    Op("math.erf", error=STEEP),
    Op("math.exp", traits="is_never_negative", error=EXPONENT),
    Op("math.fabs", traits="is_never_negative", error=BOUNDED),
    Op("math.floor", bits=EVERYWHERE, error=DECIDED),
    Op("math.fmod", error=DECIDED),
    Op("math.fsum", error=SUMMED),
    Op("math.hypot", error=STEEP),
    Op("math.isclose", error=DECIDED),
    Op("math.isfinite", error=DECIDED),
    Op("math.isinf", error=DECIDED),
    Op("math.isnan", error=DECIDED),
    Op("math.log", error=ROOTED),
    Op("math.log10", error=ROOTED),
    Op("math.log1p", error=ROOTED),
    Op("math.log2", error=ROOTED),
    Op("math.nextafter", error=DECIDED),
    Op("math.pow", error=ROOTED),
    Op("math.prod", error=MULTIPLIED),
    Op("math.remainder", error=DECIDED),
    Op("math.sqrt", traits="is_never_negative", error=ROOTED),
    Op("math.tanh", error=BOUNDED),
    Op("math.trunc", error=DECIDED),
    Op("statistics.fsum", error=SUMMED),
    Op("statistics.mean", error=SUMMED),
    Op("statistics.median", error=DECIDED),
)
