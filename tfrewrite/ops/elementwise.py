"""What gives each element of its result from the elements at the same place of its operands, which broadcast."""

from __future__ import annotations

from dataclasses import replace

from tfrewrite.kinds import INTEGERS, UNKNOWN, Kind, Sort, broadcast, tensor
from tfrewrite.ops import intervals
from tfrewrite.ops.call import REAL_PART, Call, arithmetic, as_tensor, divided, elementwise
from tfrewrite.ops.row import (
    ADDED,
    BOUNDED,
    DECIDED,
    EDGED,
    EVERYWHERE,
    EXPONENT,
    IN_GRAPHS,
    IN_XLA,
    LOGISTIC,
    MOVED,
    MULTIPLIED,
    ROOTED,
    STEEP,
    SUMMED,
    Op,
    Xla,
)
from tfrewrite.ops.shared_results import modulo, same, same_finite


def _to_bool(call: Call) -> Kind:
    return elementwise(call["x"], "bool")


def _binary(call: Call) -> Kind:
    return arithmetic(call["x"], call["y"])


def _divide(call: Call) -> Kind:
    # Of what isn't a TensorFlow value yet, a bool is left for NumPy to divide by an array.
    if any(call[name].sort is Sort.ARRAY and as_tensor(call[other]).dtype in ("bool", None) for name, other in (("x", "y"), ("y", "x"))):
        return UNKNOWN
    return divided(_binary(call))


def _compare(call: Call) -> Kind:
    return replace(_binary(call), dtype="bool", finite=True, fixed=True)


def _floormod(call: Call) -> Kind:
    return modulo(call["x"], call["y"], _binary(call))


def _cast(call: Call) -> Kind:
    x = as_tensor(call["x"])
    dtype = call.dtype()
    if call["x"].sort is Sort.VARIABLE and (dtype is None or dtype == x.dtype or x.dtype is None):
        return call["x"] if dtype is not None and dtype == x.dtype else UNKNOWN  # the variable itself
    widened = x.finite and (x.dtype in INTEGERS or x.dtype == "bool") and dtype in ("float32", "float64", "int64", "int32")
    kind = tensor(dtype, x.shape, finite=widened or (x.finite and dtype == x.dtype) or (x.finite and dtype == "float64"), fixed=x.fixed)
    if dtype in INTEGERS and x.dtype in INTEGERS and dtype in ("int32", "int64"):
        kind = replace(kind, below=x.below, value=x.value)
    return kind


def _where(call: Call) -> Kind:
    if not call.given("x"):
        return tensor("int64", (None, as_tensor(call["condition"]).rank))
    both = arithmetic(call["x"], call["y"])
    shape = broadcast(as_tensor(call["condition"]).shape, both.shape)
    finite = as_tensor(call["x"]).finite and as_tensor(call["y"]).finite
    return tensor(both.dtype, shape, finite=finite, fixed=both.fixed)


def _clip(call: Call) -> Kind:
    x = as_tensor(call["x"])
    kind = tensor(
        x.dtype, broadcast(x.shape, ()) if as_tensor(call["low"]).rank == 0 and as_tensor(call["high"]).rank == 0 else None, fixed=x.fixed
    )
    high = call["high"].value
    if call.integer("low") == 0 and isinstance(high, int) and high >= 0 and kind.dtype in INTEGERS:
        return replace(kind, below=high + 1)
    return kind


def _abs(call: Call) -> Kind:
    kind = same_finite(call)
    return replace(kind, dtype=REAL_PART.get(kind.dtype or "", kind.dtype))


def _complex(call: Call) -> Kind:
    real, imag = as_tensor(call["real"]), as_tensor(call["imag"])
    dtype = {"float32": "complex64", "float64": "complex128"}.get(real.dtype or "")
    both = real.shape if real.shape == imag.shape else None
    return tensor(dtype, both, finite=real.finite and imag.finite, fixed=real.fixed and imag.fixed)


def _part(call: Call) -> Kind:
    kind = elementwise(call["x"])
    finite = as_tensor(call["x"]).finite
    return replace(kind, dtype=REAL_PART.get(kind.dtype or "", kind.dtype), finite=finite)


ROWS = (
    Op(
        "abs",
        "x",
        _abs,
        "is_elementwise fits_all is_fused is_position_free is_never_negative",
        bits=EVERYWHERE,
        error=BOUNDED,
        numpy="abs",
        interval=intervals.absolute,
    ),
    Op(
        "acos",
        "x",
        same,
        "is_elementwise fits_all is_fused is_monotonic is_partial wants_floats",
        bits=IN_GRAPHS,
        error=EDGED,
        slow_in_xla="0.2 and 10 ms",
    ),
    Op("acosh", "x", same, "is_elementwise fits_all is_monotonic is_partial is_position_free wants_floats", bits=IN_GRAPHS, error=EDGED),
    Op(
        "add",
        "x y",
        _binary,
        "is_elementwise may_raise takes_numbers makes_node is_fused adds is_position_free keeps_sign converts_second",
        bits=IN_XLA,
        error=ADDED,
        xla=Xla(of_complex=True),
        numpy="add",
        interval=intervals.total,
    ),
    Op("as_string", traits="shows_sign", error=DECIDED),
    Op(
        "asin",
        "x",
        same,
        "is_elementwise fits_all is_fused is_monotonic is_partial wants_floats",
        bits=IN_GRAPHS,
        error=EDGED,
        slow_in_xla="0.4 and 8.8 ms",
    ),
    Op("asinh", "x", same, "is_elementwise fits_all is_monotonic is_position_free wants_floats", bits=IN_GRAPHS, error=BOUNDED),
    Op(
        "atan",
        "x",
        same,
        "is_elementwise fits_all is_fused is_monotonic wants_floats",
        bits=IN_GRAPHS,
        error=BOUNDED,
        slow_in_xla="0.4 and 11.8 ms",
    ),
    Op("atan2", "y x", _binary, "is_elementwise wants_tensor_first wants_floats shows_sign", bits=IN_GRAPHS, error=ROOTED),
    Op("atanh", "x", same, "is_elementwise fits_all is_monotonic is_partial wants_floats", bits=IN_GRAPHS, error=EDGED),
    Op("bitwise.bitwise_and", traits="is_operator is_elementwise is_position_free", bits=IN_GRAPHS),
    Op("bitwise.bitwise_or", traits="is_operator is_elementwise is_position_free", bits=IN_GRAPHS),
    Op("bitwise.bitwise_xor", traits="is_operator is_elementwise is_position_free", bits=IN_GRAPHS),
    Op("bitwise.invert", traits="is_operator is_elementwise is_position_free", bits=IN_GRAPHS),
    Op(
        "cast",
        "x dtype",
        _cast,
        "is_elementwise hands_on may_share fits_all is_fused is_position_free keeps_sign",
        bits=EVERYWHERE,
        interval=intervals.unchanged,
    ),
    Op(
        "clip_by_value",
        "x=t low=clip_value_min high=clip_value_max",
        _clip,
        "is_elementwise signs_zero is_position_free",
        bits=EVERYWHERE,
        error=BOUNDED,
        xla=Xla(of_nan="{} of NaN is NaN, and XLA gives a bound"),
    ),
    Op("complex", "real imag name", _complex, bits=IN_XLA),
    Op(
        "cos",
        "x",
        same,
        "is_elementwise fits_all makes_node is_fused wants_floats",
        bits=IN_GRAPHS,
        slow_in_xla="0.8 and 6.3 ms",
        numpy="cos",
        interval=intervals.unit,
    ),
    Op("cosh", "x", same, "is_elementwise fits_all is_position_free is_never_negative wants_floats", bits=IN_GRAPHS, error=EXPONENT),
    Op(
        "divide",
        "x y",
        _divide,
        "is_elementwise may_raise takes_numbers makes_node is_fused undoes is_undone divides is_position_free keeps_sign scales converts_second",
        bits=IN_XLA,
        numpy="divide",
        interval=intervals.quotient,
    ),
    Op(
        "equal",
        "x y",
        _compare,
        "is_elementwise wants_tensor_first takes_numbers is_position_free",
        bits=EVERYWHERE,
        error=DECIDED,
        xla=Xla(of_complex=True),
    ),
    Op(
        "exp",
        "x",
        same,
        "is_elementwise fits_all makes_node is_fused is_undone is_monotonic is_exponential is_never_negative wants_floats",
        bits=IN_GRAPHS,
        error=EXPONENT,
        numpy="exp",
        interval=intervals.exponential,
    ),
    Op(
        "floor",
        "x",
        same_finite,
        "is_elementwise fits_all is_fused is_monotonic is_position_free wants_floats",
        bits=EVERYWHERE,
        error=DECIDED,
    ),
    Op(
        "greater",
        "x y",
        _compare,
        "is_elementwise wants_tensor_first takes_numbers is_fused compares is_position_free",
        bits=EVERYWHERE,
        error=DECIDED,
    ),
    Op(
        "greater_equal",
        "x y",
        _compare,
        "is_elementwise wants_tensor_first takes_numbers is_fused compares is_position_free",
        bits=EVERYWHERE,
        error=DECIDED,
    ),
    Op(
        "less",
        "x y",
        _compare,
        "is_elementwise wants_tensor_first takes_numbers is_fused compares is_position_free",
        bits=EVERYWHERE,
        error=DECIDED,
    ),
    Op(
        "less_equal",
        "x y",
        _compare,
        "is_elementwise wants_tensor_first takes_numbers is_fused compares is_position_free",
        bits=EVERYWHERE,
        error=DECIDED,
    ),
    Op("logical_and", "x y", _compare, "is_elementwise is_position_free", bits=EVERYWHERE, error=DECIDED),
    Op("logical_not", "x", _to_bool, "is_elementwise fits_all is_position_free", bits=EVERYWHERE, error=DECIDED),
    Op("logical_or", "x y", _compare, "is_elementwise is_position_free", bits=EVERYWHERE, error=DECIDED),
    Op("math.angle", "x=input name", _part, "may_share is_position_free wants_floats shows_sign", bits=IN_XLA),
    Op("math.bessel_i0", "x", same, "wants_floats", bits=IN_GRAPHS, xla=Xla(compiles=False)),
    Op(
        "math.ceil",
        "x",
        same_finite,
        "is_elementwise fits_all is_fused is_monotonic is_position_free wants_floats",
        bits=EVERYWHERE,
        error=DECIDED,
    ),
    Op(
        "math.conj",
        "x",
        same_finite,
        "is_elementwise is_position_free keeps_sign",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
        itself_unless=("complex",),
    ),
    Op("math.digamma", "x", same, "is_elementwise fits_all is_position_free wants_floats", bits=IN_GRAPHS),
    Op("math.divide_no_nan", "x y", _divide, "is_elementwise takes_numbers divides is_position_free scales", bits=IN_XLA, error=ROOTED),
    Op(
        "math.erf",
        "x",
        same,
        "is_elementwise fits_all is_fused is_monotonic is_position_free wants_floats",
        bits=IN_GRAPHS,
        error=STEEP,
        xla=Xla(of_float64="{} of a large float64 is NaN, and XLA gives 1"),
    ),
    Op("math.erfc", "x", same, "is_elementwise fits_all is_monotonic wants_floats", bits=IN_GRAPHS),
    Op("math.erfinv", "x", same, "is_position_free wants_floats", bits=IN_GRAPHS, error=EDGED),
    Op("math.expm1", "x", same, "is_elementwise fits_all is_fused is_undone is_monotonic wants_floats", bits=IN_GRAPHS),
    Op(
        "math.floordiv",
        "x y",
        _binary,
        "is_elementwise is_checked may_raise wants_tensor_first takes_numbers is_position_free shows_sign",
        bits=IN_XLA,
        error=DECIDED,
        xla=Xla(of_integers="{} of integers raises for a zero divisor, and XLA gives a number"),
    ),
    Op("math.imag", "x=input name", _part, "is_elementwise is_position_free keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("math.is_finite", "x", _to_bool, "is_elementwise fits_all is_position_free wants_floats", bits=EVERYWHERE, error=DECIDED),
    Op("math.is_inf", "x", _to_bool, "is_elementwise fits_all is_position_free wants_floats", bits=EVERYWHERE, error=DECIDED),
    Op("math.is_nan", "x", _to_bool, "is_elementwise fits_all is_position_free wants_floats", bits=EVERYWHERE, error=DECIDED),
    Op("math.lgamma", "x", same, "is_elementwise fits_all is_position_free wants_floats", bits=IN_GRAPHS),
    Op(
        "math.log",
        "x",
        same,
        "is_elementwise fits_all is_fused undoes is_monotonic is_partial wants_floats takes_logarithm",
        bits=IN_GRAPHS,
        error=ROOTED,
        numpy="log",
        interval=intervals.logarithm,
    ),
    Op(
        "math.log1p",
        "x",
        same,
        "is_elementwise fits_all is_fused undoes is_monotonic is_partial wants_floats takes_logarithm",
        bits=IN_GRAPHS,
        error=ROOTED,
    ),
    Op("math.log_sigmoid", "x", same, "is_elementwise fits_all wants_floats", bits=IN_GRAPHS, error=SUMMED),
    Op("math.logical_xor", "x y", _compare, "is_elementwise is_position_free", bits=IN_XLA),
    Op(
        "math.mod",
        "x y",
        _floormod,
        "is_elementwise is_checked may_raise wants_tensor_first takes_numbers is_position_free",
        bits=IN_XLA,
        error=DECIDED,
        xla=Xla(of_integers="{} of integers raises for a zero divisor, and XLA gives a number"),
    ),
    Op(
        "math.multiply_no_nan",
        "x y",
        _binary,
        "is_elementwise takes_numbers multiplies is_position_free wants_floats scales",
        bits=IN_XLA,
        error=MULTIPLIED,
    ),
    Op("math.ndtri", error=EDGED),
    Op("math.nextafter", error=DECIDED),
    Op("math.real", "x=input name", _part, "is_elementwise may_share is_position_free keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op(
        "math.reciprocal",
        "x",
        same,
        "is_elementwise fits_all is_fused undoes is_undone takes_root wants_floats",
        bits=IN_GRAPHS,
        error=ROOTED,
    ),
    Op("math.rint", "x", same_finite, "is_elementwise fits_all is_monotonic is_position_free wants_floats", bits=EVERYWHERE, error=DECIDED),
    Op(
        "math.rsqrt",
        "x",
        same,
        "is_elementwise fits_all is_fused is_monotonic takes_root is_partial is_never_negative wants_floats",
        bits=IN_GRAPHS,
        error=ROOTED,
        slow_in_xla="0.2 and 1.8 ms",
    ),
    Op(
        "math.squared_difference",
        "x y",
        _binary,
        "is_elementwise wants_tensor_first takes_numbers is_fused multiplies is_position_free is_never_negative subtracts squares",
        bits=IN_XLA,
        error=SUMMED,
    ),
    Op("math.xlog1py", "x y", _binary, "is_elementwise wants_tensor_first wants_floats takes_logarithm", bits=IN_GRAPHS, error=ROOTED),
    Op("math.xlogy", "x y", _binary, "is_elementwise wants_tensor_first wants_floats takes_logarithm", bits=IN_GRAPHS, error=ROOTED),
    Op(
        "maximum",
        "x y",
        _binary,
        "is_elementwise wants_tensor_first takes_numbers makes_node is_fused signs_zero is_position_free keeps_sign converts_second",
        bits=EVERYWHERE,
        error=BOUNDED,
        xla=Xla(of_nan="{} of NaN is NaN, and XLA gives the other operand"),
        numpy="maximum",
        interval=intervals.larger,
    ),
    Op(
        "minimum",
        "x y",
        _binary,
        "is_elementwise wants_tensor_first takes_numbers makes_node is_fused signs_zero is_position_free keeps_sign converts_second",
        bits=EVERYWHERE,
        error=BOUNDED,
        xla=Xla(of_nan="{} of NaN is NaN, and XLA gives the other operand"),
        numpy="minimum",
        interval=intervals.smaller,
    ),
    Op(
        "multiply",
        "x y",
        _binary,
        "is_elementwise may_raise wants_tensor_first takes_numbers makes_node is_fused is_undone multiplies is_position_free keeps_sign scales converts_second",
        bits=IN_XLA,
        error=MULTIPLIED,
        numpy="multiply",
        interval=intervals.product,
    ),
    Op(
        "negative",
        "x",
        same_finite,
        "is_elementwise fits_all is_fused is_monotonic is_position_free",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
        numpy="negative",
        interval=intervals.negative,
    ),
    Op(
        "not_equal",
        "x y",
        _compare,
        "is_elementwise wants_tensor_first takes_numbers is_position_free",
        bits=EVERYWHERE,
        error=DECIDED,
        xla=Xla(of_complex=True),
    ),
    Op(
        "pow",
        "x y",
        _binary,
        "is_elementwise is_checked may_raise wants_tensor_first makes_node undoes is_undone is_exponential takes_root converts_second takes_power",
        error=ROOTED,
        xla=Xla(of_integers="{} of integers raises for a negative exponent and overflows otherwise under XLA"),
    ),
    Op(
        "round",
        "x",
        same_finite,
        "is_elementwise fits_all is_fused is_monotonic is_position_free",
        bits=EVERYWHERE,
        error=DECIDED,
        itself_unless=("float", "bfloat"),
    ),
    Op("scalar_mul", traits="scales", error=MULTIPLIED),
    Op(
        "sigmoid",
        "x",
        same_finite,
        "is_elementwise fits_all makes_node is_fused is_monotonic is_exponential is_activation is_never_negative wants_floats",
        bits=IN_GRAPHS,
        error=LOGISTIC,
    ),
    Op(
        "sign",
        "x",
        same_finite,
        "is_elementwise fits_all is_fused is_monotonic signs_zero is_position_free",
        bits=EVERYWHERE,
        error=DECIDED,
    ),
    Op(
        "sin",
        "x",
        same,
        "is_elementwise fits_all makes_node is_fused wants_floats",
        bits=IN_GRAPHS,
        slow_in_xla="0.8 and 6.4 ms",
        numpy="sin",
        interval=intervals.unit,
    ),
    Op("sinh", "x", same, "is_elementwise fits_all is_monotonic is_position_free wants_floats", bits=IN_GRAPHS),
    Op(
        "sqrt",
        "x",
        same,
        "is_elementwise fits_all makes_node is_fused undoes is_undone is_monotonic takes_root is_partial is_position_free is_never_negative wants_floats",
        bits=IN_XLA,
        error=ROOTED,
        numpy="sqrt",
        interval=intervals.root,
    ),
    Op(
        "square",
        "x",
        same,
        "is_elementwise fits_all makes_node is_fused is_undone multiplies is_position_free is_never_negative squares",
        bits=IN_XLA,
        error=MULTIPLIED,
        numpy="square",
        interval=intervals.square,
    ),
    Op(
        "subtract",
        "x y",
        _binary,
        "is_elementwise may_raise wants_tensor_first takes_numbers makes_node is_fused adds is_position_free converts_second subtracts",
        bits=IN_XLA,
        error=ADDED,
        xla=Xla(of_complex=True),
        numpy="subtract",
        interval=intervals.difference,
    ),
    Op("tan", "x", same, "is_elementwise fits_all makes_node is_position_free wants_floats", bits=IN_GRAPHS),
    Op(
        "tanh",
        "x",
        same_finite,
        "is_elementwise fits_all makes_node is_fused is_monotonic is_activation wants_floats",
        bits=IN_GRAPHS,
        error=BOUNDED,
        numpy="tanh",
        interval=intervals.unit,
    ),
    Op(
        "truediv",
        "x y",
        _divide,
        "is_elementwise may_raise takes_numbers is_fused undoes is_undone divides is_position_free keeps_sign scales",
        bits=IN_XLA,
        interval=intervals.quotient,
    ),
    Op(
        "where",
        "condition x y",
        _where,
        "is_elementwise wants_tensor_first makes_node is_fused is_position_free keeps_sign",
        bits=EVERYWHERE,
        error=BOUNDED,
        xla=Xla(of_complex=True),
    ),
)
