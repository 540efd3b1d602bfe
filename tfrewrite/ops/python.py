"""Python's own functions: what they do to a rounding error."""

from __future__ import annotations

from tfrewrite.kinds import UNKNOWN, Kind, Sort, number
from tfrewrite.ops.call import Call
from tfrewrite.ops.row import BOUNDED, DECIDED, EDGED, EVERYWHERE, EXPONENT, MOVED, MULTIPLIED, ROOTED, SETTLED, STEEP, SUMMED, Op


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
_TEXTS = ("ascii", "bin", "chr", "hex", "input", "oct")
_FLAGS = ("callable", "hasattr", "isinstance")
_OTHERS = (
    "bytes", "complex", "delattr", "dir", "getattr", "globals", "locals", "object", "open", "property", "setattr", "staticmethod", "classmethod", "super", "vars", "AssertionError", "AttributeError",
    "Exception", "FileNotFoundError", "ImportError", "IndexError", "KeyError", "NotImplementedError", "OSError", "RuntimeError",
    "StopIteration", "SystemExit", "TypeError", "ValueError",
)  # fmt: skip
_HANDING_ON = ("dict", "filter", "frozenset", "iter", "map", "next", "set")
"""What they return has what they are given."""

ROWS = (
    *(Op(f"builtins.{name}", _ANY, _text, "is_outside") for name in _TEXTS),
    *(Op(f"builtins.{name}", _ANY, _flag, "is_outside", error=SETTLED) for name in _FLAGS),
    Op("builtins.issubclass", _ANY, _flag, "is_outside"),
    Op("builtins.id", _ANY, _whole, "is_outside", error=SETTLED),
    Op("builtins.ord", _ANY, _whole, "is_outside"),
    *(Op(f"builtins.{name}", traits="is_outside") for name in _OTHERS),
    *(Op(f"builtins.{name}", traits="is_outside may_share") for name in _HANDING_ON),
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
    Op("builtins.abs", traits="is_never_negative is_read_only", bits=EVERYWHERE, error=BOUNDED),
    Op("builtins.all", traits="is_read_only", error=DECIDED),
    Op("builtins.any", traits="is_read_only", error=DECIDED),
    Op("builtins.bool", traits="is_read_only", error=DECIDED),
    Op("builtins.divmod", traits="is_read_only", error=DECIDED),
    Op("builtins.enumerate", traits="keeps_sign may_share", error=MOVED),
    Op("builtins.float", traits="keeps_sign is_read_only", error=MOVED),
    Op("builtins.format", _ANY, _text, "is_outside writes_text"),
    Op("builtins.hash", traits="is_read_only", error=DECIDED),
    Op("builtins.int", traits="is_read_only", error=DECIDED),
    Op("builtins.len", traits="is_read_only", error=SETTLED),
    Op("builtins.list", traits="keeps_sign may_share", error=MOVED),
    Op("builtins.max", traits="keeps_sign may_share", error=BOUNDED),
    Op("builtins.min", traits="keeps_sign may_share", error=BOUNDED),
    Op("builtins.pow", traits="takes_power", error=ROOTED),
    Op("builtins.print", _ANY, _nothing, "is_outside is_effect is_read_only prints"),
    Op("builtins.range", bits=EVERYWHERE, error=DECIDED),
    Op("builtins.repr", _ANY, _text, "is_outside is_read_only writes_text"),
    Op("builtins.reversed", traits="keeps_sign may_share", error=MOVED),
    Op("builtins.round", traits="is_read_only", bits=EVERYWHERE, error=DECIDED),
    Op("builtins.slice", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("builtins.sorted", traits="may_share", error=DECIDED),
    Op("builtins.str", _ANY, _text, "is_outside is_read_only writes_text"),
    Op("builtins.sum", traits="keeps_sign is_read_only totals", error=SUMMED),
    Op("builtins.tuple", traits="keeps_sign may_share", error=MOVED),
    Op("builtins.type", traits="is_outside may_share", error=SETTLED),
    Op("builtins.zip", traits="keeps_sign may_share", error=MOVED),
    Op("math.acos", error=EDGED),
    Op("math.acosh", error=EDGED),
    Op("math.asin", error=EDGED),
    Op("math.asinh", error=BOUNDED),
    Op("math.atan", error=BOUNDED),
    Op("math.atan2", traits="shows_sign", error=ROOTED),
    Op("math.atanh", error=EDGED),
    Op("math.ceil", bits=EVERYWHERE, error=DECIDED),
    Op("math.copysign", traits="shows_sign"),
    Op("math.cosh", traits="is_never_negative", error=EXPONENT),
    Op("math.erf", error=STEEP),
    Op("math.exp", traits="is_never_negative", error=EXPONENT),
    Op("math.fabs", traits="is_never_negative", error=BOUNDED),
    Op("math.floor", bits=EVERYWHERE, error=DECIDED),
    Op("math.fmod", error=DECIDED),
    Op("math.fsum", traits="totals", error=SUMMED),
    Op("math.hypot", error=STEEP),
    Op("math.isclose", error=DECIDED),
    Op("math.isfinite", error=DECIDED),
    Op("math.isinf", error=DECIDED),
    Op("math.isnan", error=DECIDED),
    Op("math.log", traits="takes_logarithm", error=ROOTED),
    Op("math.log10", traits="takes_logarithm", error=ROOTED),
    Op("math.log1p", traits="takes_logarithm", error=ROOTED),
    Op("math.log2", traits="takes_logarithm", error=ROOTED),
    Op("math.nextafter", error=DECIDED),
    Op("math.pow", traits="takes_power", error=ROOTED),
    Op("math.prod", traits="takes_product", error=MULTIPLIED),
    Op("math.remainder", error=DECIDED),
    Op("math.sqrt", traits="is_never_negative", error=ROOTED),
    Op("math.tanh", error=BOUNDED),
    Op("math.trunc", error=DECIDED),
    Op("statistics.fsum", traits="totals", error=SUMMED),
    Op("statistics.mean", error=SUMMED),
    Op("statistics.median", error=DECIDED),
)
