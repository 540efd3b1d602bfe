"""What draws random numbers."""

from __future__ import annotations

from dataclasses import replace

from tfrewrite.kinds import INTEGERS, Kind, Sort, Symbol, tensor
from tfrewrite.ops.call import MOST_IN_HALF, Call, dims_of
from tfrewrite.ops.row import IN_GRAPHS, Op
from tfrewrite.ops.shared_results import same_finite


def _random(call: Call) -> Kind:
    given = [call[name].value for name in ("mean", "stddev", "minval", "maxval") if call.given(name)]
    # Normal numbers go up to some six times stddev.
    plain = all(isinstance(value, int | float) and abs(value) <= MOST_IN_HALF / 8 for value in given)
    dtype = call.dtype("dtype", "float32")
    kind = tensor(dtype, dims_of(call["shape"]), finite=plain, fixed=True)
    top = call["maxval"].value
    if dtype in INTEGERS and call.integer("minval", 0) == 0 and isinstance(top, int | Symbol):
        return replace(kind, below=top)
    return kind


def _generator(call: Call) -> Kind:
    return Kind(Sort.GENERATOR)


ROWS = (
    Op("random.Generator.from_non_deterministic_state", "", _generator, "is_no_tensor is_random"),
    Op("random.Generator.from_seed", "seed alg", _generator, "is_no_tensor is_random"),
    Op("random.get_global_generator", "", _generator, "is_no_tensor is_random"),
    Op("random.normal", "shape mean stddev dtype", _random, "is_random"),
    Op("random.shuffle", "x=value", same_finite, "is_random is_heavy"),
    Op("random.stateless_normal", "shape seed mean stddev dtype", _random, bits=IN_GRAPHS),
    Op("random.stateless_truncated_normal", "shape seed mean stddev dtype", _random, bits=IN_GRAPHS),
    Op("random.stateless_uniform", "shape seed minval maxval dtype", _random, bits=IN_GRAPHS),
    Op("random.truncated_normal", "shape mean stddev dtype", _random, "is_random"),
    Op("random.uniform", "shape minval maxval dtype", _random, "is_random"),
)
