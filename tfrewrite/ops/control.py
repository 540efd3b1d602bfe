"""What runs functions, holds state or stands for something else than a tensor."""

from __future__ import annotations

import gast

from tfrewrite.kinds import UNKNOWN, Kind, Shape, Sort, sequence, tensor
from tfrewrite.ops import proofs
from tfrewrite.ops.call import Call, as_tensor
from tfrewrite.ops.data import spec
from tfrewrite.ops.row import ADDED, DECIDED, EVERYWHERE, SETTLED, Op


def _variable(call: Call) -> Kind:
    value = as_tensor(call["value"])
    trainable = call["trainable"].value if call.given("trainable") else True
    dtype = call.dtype("dtype", value.dtype)
    if any(call.given(name) for name in ("shape", "validate_shape", "synchronization", "aggregation")):
        return UNKNOWN  # its shape may change, or what an assignment does depends on where it is made
    return Kind(Sort.VARIABLE, dtype, value.shape, trainable=trainable if isinstance(trainable, bool) else None)


def _while_loop(call: Call) -> Kind:
    """Its variables keep their dtypes, and of their shapes what the invariants say."""
    items = call["loop_vars"].items
    if items is None or call["loop_vars"].sort is not Sort.TUPLE:
        return UNKNOWN
    given = call.nodes.get("shape_invariants")
    invariants = given.elts if isinstance(given, gast.Tuple) and len(given.elts) == len(items) else [None] * len(items)
    variables = call.nodes["loop_vars"].elts if isinstance(call.nodes["loop_vars"], gast.Tuple) else [None] * len(items)
    return sequence(Sort.TUPLE, tuple(map(_invariant, items, variables, invariants)))


def _invariant(kind: Kind, variable: gast.AST | None, invariant: gast.AST | None) -> Kind:
    if kind.sort not in (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY, Sort.NUMBER):
        return UNKNOWN
    first = as_tensor(kind)
    shape: Shape = None
    match invariant:
        case gast.Attribute(value=gast.Name(id=name), attr="shape") if isinstance(variable, gast.Name) and variable.id == name:
            shape = first.shape
        case gast.Call(func=gast.Attribute(attr="TensorShape"), args=[gast.List(elts=elts)]):
            sizes = [one.value if isinstance(one, gast.Constant) and isinstance(one.value, int) else None for one in elts]
            shape = tuple(sizes)
    return tensor(first.dtype, shape)


def _tape(call: Call) -> Kind:
    return Kind(Sort.TAPE)


ROWS = (
    Op("GradientTape", "persistent watch_accessed_variables", _tape, "may_share is_no_tensor is_control is_stateful"),
    Op("IndexedSlices", traits="is_control"),
    Op("TensorArray", traits="is_control", bits=EVERYWHERE),
    Op("TensorShape", traits="is_control", bits=EVERYWHERE),
    Op("TensorSpec", "shape dtype name", spec, "is_no_tensor is_control"),
    Op(
        "Variable",
        "value=initial_value trainable validate_shape caching_device name variable_def dtype import_scope constraint synchronization aggregation shape",
        _variable,
        "may_share is_no_tensor is_stateful needs_known_sizes dtype_follows",
        bits=EVERYWHERE,
    ),
    Op("assert_equal", traits="is_read_only", error=DECIDED),
    Op("assert_greater", traits="is_read_only", error=DECIDED),
    Op("assert_less", traits="is_read_only", error=DECIDED),
    Op("assign_add", traits="is_operator adds", error=ADDED),
    Op("assign_sub", traits="is_operator adds", error=ADDED),
    Op("case", traits="is_control", error=DECIDED),
    Op("cond", "pred true_fn false_fn", traits="is_control", error=DECIDED),
    Op("control_dependencies", traits="is_control"),
    Op("custom_gradient", traits="is_control"),
    Op("debugging.assert_all_finite", traits="is_read_only"),
    Op("debugging.assert_shapes", "shapes data summarize message name", traits="may_raise", proves=proofs.written_out),
    Op("debugging.assert_near", traits="is_read_only", error=DECIDED),
    Op("debugging.check_numerics", traits="may_raise"),
    Op("foldl", "fn elems initializer", traits="is_control"),
    Op("foldr", "fn elems initializer", traits="is_control"),
    Op("function", "f=func", traits="is_control"),
    Op("gradients", traits="is_control"),
    Op("group", traits="is_control"),
    Op("hessians", traits="is_control"),
    Op("is_tensor", error=SETTLED),
    Op("map_fn", "fn elems", traits="is_control"),
    Op("name_scope", traits="is_control"),
    Op("nest.flatten", traits="is_control may_share"),
    Op("nest.map_structure", traits="is_control"),
    Op("nest.pack_sequence_as", traits="is_control may_share"),
    Op("no_op", traits="is_control"),
    Op("numpy_function", traits="is_control"),
    Op("print", traits="is_control is_read_only prints", bits=EVERYWHERE),
    Op("py_function", traits="is_control"),
    Op("recompute_grad", "f", traits="is_control"),
    Op("scan", "fn elems initializer", traits="is_control"),
    Op("switch_case", traits="is_control", error=DECIDED),
    Op("timestamp", traits="is_control"),
    Op("vectorized_map", "fn elems", traits="is_control"),
    Op(
        "while_loop",
        "cond body loop_vars shape_invariants parallel_iterations back_prop swap_memory maximum_iterations name",
        _while_loop,
        "may_share is_no_tensor is_control is_stateful needs_known_sizes",
    ),
)
