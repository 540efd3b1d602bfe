"""Pass a NumPy array to compiled functions as one tensor instead of copying it into every graph.

Before:  table = np.load("table.npy").astype(np.float32)

         def embed(ids):
             return tf.gather(table, ids)

         rows = numbers.map(embed)
After:   table = tf.constant(np.load("table.npy").astype(np.float32))

         def embed(ids):
             return tf.gather(table, ids)

         rows = numbers.map(embed)

Also:    If the array is used elsewhere too, or is a global name, it is kept, and `table_tensor = tf.constant(table)` is
         added beside it.

Why:     A graph holds the arrays that its function reads, and every trace makes about seven copies of them. For 4 MB that
         a function of 20 traces reads, 568 MB are kept before and 7.9 after: 4 for the tensor, 1.9 for 20 traces, and the
         rest is what TensorFlow sets up once. For 100 MB read in `Dataset.map` the peak is 1,702 MB before (602 kept) and
         302 after (102 kept): `tf.constant` alone needs 300 for such an array. One trace of 100 kB: 3.6 and 2.1 MB. For
         10 kB nothing is gained, so arrays of less than 64 kB are left alone.
Safety:  - **Changed array.** Refused if anything may change the array, as the next trace would see it: `table[0] = 1`,
           `table += 1`, `table.sort()`, `np.copyto(table, x)`, a view, an unknown function, a module that imports it.
         - **Changed in place by a library.** Refused for `preprocess_input(table)` of Keras, `np.exp(x, table)` and
           `np.median(table, overwrite_input=True)`. `np.array(table, copy=False)` counts as a view.
         - **Dtype.** `x * table` gives the array the dtype of `x`, and tensors of two dtypes raise. The tensor is made
           with the dtype of `x`, so that has to be known.
         - **Shapes.** Refused unless they are known to fit: for `x * table` an array raises `NotImplementedError` and a
           tensor `ValueError`.
         - **Values while tracing.** Refused for `table[0]`, `for row in table` and `tf.reshape(x, table)`: they need
           numbers while the function is traced, and a tensor in a graph has none.
         - **Constants only.** Refused for `tf.exp(table)`: a graph computes it once a trace, and of a tensor in every
           call. The array has to meet an argument of the function.
         - **Constant folding.** Refused for `(x + table) - 1e8`: a graph adds constants first, so the result would be another
           number. `x / table` and `x * table * table` may differ in the last bits.
         - **Start of TensorFlow.** Refused if the file changes settings or uses processes: after `tf.constant`,
           `tf.config.set_visible_devices` raises, and a forked process may hang.
         - **Notebooks.** Refused at a notebook's top level: a cell that is written later may say `table.sort()`.
         - **Graphs of TensorFlow 1, devices.** Refused where the file uses `tf.compat.v1` graphs, which can't read an
           eager tensor, or `tf.distribute`: the tensor may be on another device.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import gast

from tfrewrite.analyses.array_memory import is_fresh
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.facts.scopes import DEFINITIONS, FUNCTIONS, LOOPS, Scope, parameters
from tfrewrite.kinds import FLOATS, ITEM_BYTES, Shape, same_dim
from tfrewrite.outcomes import Fidelity, Outcome, Refusal, Rewrite, not_imported, transform
from tfrewrite.rounding.operations import Backend, changed

_LEAST_BYTES = 2**16
_READS_BY = {
    "axis", "keepdims", "dtype", "bins", "range", "minlength", "return_index", "return_inverse", "return_counts", "rtol", "atol", "equal_nan",
    "ord", "sep", "end", "file", "flush",
}  # fmt: skip
_SHARES_BY = {"copy", "like", None}
_READING_METHODS = {"mean", "sum", "min", "max", "std", "var", "prod", "any", "all", "argmax", "argmin", "copy", "tolist", "astype", "item"}
_SETTINGS = {"shape", "dtype", "size", "ndim", "nbytes", "itemsize"}
_OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.MatMult)
_COMPARISONS = (gast.Lt, gast.LtE, gast.Gt, gast.GtE)
_OTHER_PROCESSES = {"multiprocessing", "concurrent", "joblib", "ray", "dask", "dill", "cloudpickle", "horovod", "torch", "jax"}
_LEAVE_TENSORFLOW_ALONE = {
    "numpy", "tensorflow", "keras", "matplotlib", "scipy", "pandas", "sklearn", "PIL", "tqdm", "h5py", "cv2", "seaborn", "absl", "click",
}  # fmt: skip
_LOOKS_INTO_GRAPHS = {"get_concrete_function", "captured_inputs", "as_graph_def"}
_BY_TEXT = {"globals", "locals", "vars", "eval", "exec", "__import__"}


@dataclass(frozen=True)
class _Use:
    """Where a compiled function meets the array. `dtype`: what it becomes there; none where it keeps its own."""

    node: gast.Name
    dtype: str | None


@transform(gast.Assign, fidelity=Fidelity.ROUNDING, mentions=("numpy",))
def captured_array(given: gast.Assign, facts: Facts) -> Outcome:
    match given:
        case gast.Assign(targets=[gast.Name(id=name) as target], value=gast.Call() | gast.BinOp() | gast.UnaryOp()):
            pass
        case _:
            return None
    owner = facts.scopes.names[target]
    if not isinstance(owner.node, (gast.Module, *DEFINITIONS)) or owner.lookup(name) is not owner:
        return None
    uses = [use for scope in (owner, *owner.below()) for use in scope.uses.get(name, ()) if scope.lookup(name) is owner]
    compiled = [use for use in uses if _is_compiled(use, owner, facts)]
    if not compiled or not _may_be_array(given.value, facts) or facts.mode(given) is Mode.GRAPH or _is_small(given.value, facts):
        return None
    others = [use for use in uses if not any(use is one for one in compiled)]
    if refusal := _changes(given, target, owner, others, facts) or _elsewhere(given, owner, facts):
        return refusal
    met: list[_Use] = []
    for use in compiled:
        if _stays(use, facts):
            others.append(use)
            continue
        found = _met(use, given, facts)
        if isinstance(found, Refusal):
            return found
        met.append(found)
    if not met:
        return None
    own = _dtype(given.value, facts)
    wanted = sorted({one.dtype or own or "" for one in met})
    if len(wanted) > 1:
        return Refusal(given, Code.OTHER_DTYPE, f"{name} becomes tensors of more than one dtype")
    explicit = wanted[0] if wanted[0] != (own or "") else ""
    written = _written(given, name, owner, met, others, explicit, facts)
    if not isinstance(written, Rewrite) or all(one.dtype is None for one in met):
        return replace(written, fidelity=Fidelity.BITWISE) if isinstance(written, Rewrite) else written
    # A graph computes with constants in other ways than with a tensor that it is handed.
    functions = list(dict.fromkeys(function for use in compiled if (function := facts.scopes.function_of(use)) is not None))
    return replace(written, rounded=changed(functions, facts, Backend.GRAPH))


def _written(
    given: gast.Assign, name: str, owner: Scope, met: Sequence[_Use], others: Sequence[gast.Name], dtype: str, facts: Facts
) -> Outcome:
    tf = facts.tensorflow(given)
    if tf is None:
        return not_imported(given)
    ending = f", {tf}.{dtype})" if dtype else ")"
    if not others and not isinstance(owner.node, gast.Module):
        edits = facts.edit.rebuild(given.value, [f"{tf}.constant(", (given.value, 1), ending])
        return Rewrite(given, edits, f"{name} becomes one tensor, and not a copy in the graph of every trace", region=(given,))
    new = f"{name}_TENSOR" if name.isupper() else f"{name}_tensor"
    if any(new in scope.bindings or new in scope.uses for scope in (facts.scopes.module, *facts.scopes.module.below())):
        return Refusal(given, Code.NAME_TAKEN, f"the tensor made of it would be called {new}, and something else is")
    line = facts.edit.insert_after(given, f"{new} = {tf}.constant({name}{ending}")
    if line is None:
        return Refusal(given, Code.LAYOUT, f"the statement of {name} shares its line with another")
    edits = tuple(edit for use in met for edit in facts.edit.rebuild(use.node, [new]))
    return Rewrite(given, (line, *edits), f"{new} is one tensor, where every trace made a copy of {name} for its graph", region=(given,))


# The array


def _may_be_array(value: gast.AST, facts: Facts) -> bool:
    return facts.kind(value).sort is Sort.ARRAY or _loaded(value, facts) is not None


def _loaded(value: gast.AST, facts: Facts) -> gast.Call | None:
    """The call that reads a file, where the array is what it read, perhaps of another dtype."""
    match value:
        case gast.Call(func=gast.Attribute(value=inner, attr="astype"), args=[_], keywords=[]):
            return _loaded(inner, facts)
        case gast.Call() if facts.op(value).is_loader and all(one.arg in ("dtype", "delimiter", "allow_pickle") for one in value.keywords):
            return value
    return None


def _dtype(value: gast.AST, facts: Facts) -> str | None:
    if (known := facts.kind(value).dtype) is not None or _loaded(value, facts) is None:
        return known
    match value:
        case gast.Call(func=gast.Attribute(attr="astype"), args=[dtype]):
            name = (facts.names(dtype) or "").rpartition(".")[2] if not isinstance(dtype, gast.Constant) else str(dtype.value)
            return name if name in ITEM_BYTES else None
    return None


def _is_fresh(value: gast.AST, facts: Facts) -> bool:
    """Is it an array that nothing else holds?"""
    if isinstance(value, gast.Call) and any(one.arg in _SHARES_BY for one in value.keywords):
        return False
    match value:
        case gast.BinOp() | gast.UnaryOp():
            return True
        case gast.Call(func=gast.Attribute(value=inner, attr="astype" | "copy")) if not value.keywords:
            return _may_be_array(inner, facts)
        case gast.Call(func=gast.Attribute(value=inner, attr="reshape")):
            return _is_fresh(inner, facts)
    return is_fresh(value, facts) or _loaded(value, facts) is not None


def _is_small(value: gast.AST, facts: Facts) -> bool:
    size = facts.kind(value).size
    return size is not None and size * ITEM_BYTES.get(facts.kind(value).dtype or "", 8) < _LEAST_BYTES


def _changes(given: gast.Assign, target: gast.Name, owner: Scope, others: Iterable[gast.Name], facts: Facts) -> Refusal | None:
    """Why the array may be another one when the next trace reads it, or why how large it is isn't known."""
    name = target.id
    if len(owner.bindings[name]) > 1 or name in owner.shared or any(isinstance(one, LOOPS) for one in facts.scopes.ancestors(given)):
        return Refusal(given, Code.MAY_CHANGE, f"{name} is assigned more than once, and a trace reads what it is by then")
    if not _is_fresh(given.value, facts):
        return Refusal(
            given, Code.OTHER_NAMES, f"{name} may share its memory with another array, which can be changed", "Make a copy of it: .copy()."
        )
    if facts.kind(given.value).size is None and _loaded(given.value, facts) is None:
        return Refusal(given, Code.UNKNOWN_SHAPE, f"how large {name} is isn't known, and small arrays gain nothing")
    if any(one in scope.uses for scope in (facts.scopes.module, *facts.scopes.module.below()) for one in _BY_TEXT):
        return Refusal(given, Code.OTHER_NAMES, f"names are read or assigned by text in this file, and {name} may be one of them")
    for use in others:
        if not _only_reads(use, facts):
            user = _shown(facts.scopes.parents[use], f"what reads {name}", facts)
            return Refusal(
                use, Code.OTHER_NAMES, f"{user} may change {name}, or pass it on to what does, and the next trace would see that"
            )
    return None


def _only_reads(node: gast.AST, facts: Facts) -> bool:
    """Is the array only computed with here: not changed, not given another name, not handed on?"""
    parent = facts.scopes.parents[node]
    match parent:
        case gast.BinOp() | gast.UnaryOp() | gast.Compare() | gast.FormattedValue():
            return True
        case gast.Attribute(attr=attr) if attr in _SETTINGS and isinstance(parent.ctx, gast.Load):
            return True
        case gast.Attribute(attr=attr) if attr in _READING_METHODS:
            call = facts.scopes.parents[parent]
            plain = isinstance(call, gast.Call) and call.func is parent and len(call.args) <= 1
            return plain and all(one.arg in ("axis", "keepdims") for one in call.keywords)
        case gast.Subscript(value=value, ctx=gast.Load()) if value is node:
            return _only_reads(parent, facts)
        case gast.Tuple() | gast.List() | gast.keyword():
            whole = facts.scopes.parents[parent]
            return isinstance(whole, gast.Call) and _makes_tensors(whole, facts)
        case gast.Call() if any(one is node for one in parent.args):
            row = facts.op(parent)
            if not row.is_read_only or (facts.called(parent) or "").startswith("tensorflow."):
                return _makes_tensors(parent, facts)
            if row.is_ufunc:
                return not parent.keywords and len(parent.args) == 1
            return all(one.arg in _READS_BY for one in parent.keywords) and len(parent.args) <= 2
    return False


def _makes_tensors(call: gast.Call, facts: Facts) -> bool:
    """Does a call copy what it is given into tensors? (Keras may change it in place, `tf.nest` and `tf.while_loop` hand it on.)"""
    name, row = facts.called(call) or "", facts.op(call)
    copies = row.is_known and row.name != "while_loop"
    return name.startswith("tensorflow.") and (copies or row.is_read_only)


# What else is in the way


def _elsewhere(given: gast.Assign, owner: Scope, facts: Facts) -> Refusal | None:
    """Why a tensor can't stand where the array is made: other files, other processes, settings of TensorFlow."""
    at_top = isinstance(owner.node, gast.Module)
    if at_top and facts.is_interactive:
        reason = "the name belongs to all cells of the notebook, and what is written in one later may need an array"
        return Refusal(given, Code.NOTEBOOK, reason, "Make it in the function that makes the compiled one.")
    roots = {name: node for node in facts.nodes((gast.Import, gast.ImportFrom)) for name in _roots(node)}
    if other := sorted(_OTHER_PROCESSES & roots.keys()):
        return Refusal(given, Code.SETTINGS, f"this file uses {other[0]}, and a process that is forked after a tensor was made may hang")
    attributes = facts.nodes((gast.Attribute, gast.Name))
    if any(facts.names(one) == "os.fork" for one in attributes):
        return Refusal(given, Code.SETTINGS, "this file forks, and a process that is forked after a tensor was made may hang")
    if looked := [one for one in attributes if getattr(one, "attr", "") in _LOOKS_INTO_GRAPHS]:
        return Refusal(
            looked[0], Code.OTHER_NAMES, "what a graph holds is looked at here, and it would hold a placeholder in place of the array"
        )
    if any((facts.names(one) or "").startswith("tensorflow.distribute") for one in attributes):
        return Refusal(given, Code.SETTINGS, "under tf.distribute a tensor that was made outside of a replica may be on another device")
    calls = facts.nodes((gast.Call,))
    settings = [call for call in calls if (facts.called(call) or "").startswith("tensorflow.config.")]
    if late := [one for one in settings if not _is_before(one, given, facts) and "list_" not in (facts.called(one) or "")]:
        return Refusal(
            late[0], Code.SETTINGS, "TensorFlow's settings can't be changed once a tensor was made", "Change them before the array is made."
        )
    if any(isinstance(one, gast.With | gast.AsyncWith) for one in facts.scopes.ancestors(given)):
        return Refusal(given, Code.CONTROL_FLOW, "what the with block around it means for a tensor is not known")
    if not facts.only_eager(given):
        return Refusal(given, Code.IN_GRAPH, "it may run while a graph is built, which would hold the tensor as it holds the array")
    if not at_top:
        return None
    if late := [one for one in attributes if facts.names(one) == "os.environ" and not _is_before(one, given, facts)]:
        return Refusal(
            late[0], Code.SETTINGS, "what the environment tells TensorFlow is read when the first tensor is made", "Set it at the top."
        )
    if not facts.callers.is_script and not facts.world.callers_believed:
        return Refusal(
            given,
            Code.CALLERS_UNKNOWN,
            "a file that imports this one may change the array, and a tensor would start TensorFlow while it is imported",
        )
    started = any(isinstance(call, gast.Call) and facts.allocates(call) and _is_before(call, given, facts) for call in calls)
    unknown = sorted(roots.keys() - _LEAVE_TENSORFLOW_ALONE - sys.stdlib_module_names - {"__future__"})
    if unknown and not started:
        return Refusal(
            given, Code.SETTINGS, f"{unknown[0]} may change TensorFlow's settings, which can't be changed once a tensor was made"
        )
    return None


def _roots(node: gast.AST) -> list[str]:
    if isinstance(node, gast.ImportFrom):
        return [(node.module or ".").partition(".")[0] if not node.level else "."]
    return [one.name.partition(".")[0] for one in node.names]


def _is_before(call: gast.AST, given: gast.Assign, facts: Facts) -> bool:
    """Has a call of the file's top level certainly been made when the array is?"""
    statement = facts.scopes.statement(call)
    whole = facts.parent(statement) is facts.tree and not isinstance(statement, (*DEFINITIONS, gast.ClassDef))
    inner = any(isinstance(one, FUNCTIONS) for one in facts.scopes.ancestors(call))
    return whole and not inner and facts.source.span(statement).end <= facts.source.span(given).start


# Where it is met


def _is_compiled(use: gast.Name, owner: Scope, facts: Facts) -> bool:
    """Is it certainly read while a function is traced, and not by the function that makes it?"""
    function = facts.scopes.function_of(use)
    if function is None or function is owner.node or facts.mode(use) is not Mode.GRAPH:
        return False
    for one in facts.scopes.ancestors(use):
        if one is owner.node:
            break
        for reference in facts.callers.references(one) if isinstance(one, FUNCTIONS) else ():
            match reference.call:
                case gast.Call(func=gast.Attribute(value=rows)) as call if not reference.direct and facts.names(call.func) is None:
                    if facts.kind(rows).sort is not Sort.DATASET:
                        return False  # pool.map(f, rows) is no graph
    return True


def _stays(use: gast.Name, facts: Facts) -> bool:
    """Does a compiled function read a size of the array, or a number that NumPy makes of it?"""
    match facts.scopes.parents[use]:
        case gast.Attribute():
            return _only_reads(use, facts)
        case gast.Call(args=[_], keywords=[]) as call:
            return facts.called(call) == "builtins.len"
    return False


def _met(use: gast.Name, given: gast.Assign, facts: Facts) -> _Use | Refusal:
    """How a compiled function computes with the array, where a tensor means the same."""
    name, own = use.id, _dtype(given.value, facts)
    parent = facts.scopes.parents[use]
    keeps = False
    match parent:
        case gast.keyword():
            parent = facts.scopes.parents[parent]
    match parent:
        case gast.BinOp(left=left, op=op, right=right) if isinstance(op, _OPERATORS):
            other = left if right is use else right
        case gast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, _COMPARISONS):
            other, keeps = left if right is use else right, True
        case gast.Call() if facts.op(parent).looks_up and set(facts.arguments(parent) or {}) == {"x", "indices"}:
            arguments = facts.arguments(parent) or {}
            other = arguments["indices"] if arguments["x"] is use else arguments["x"]
            if not _is_given(other, facts):
                return _alone(use, facts)
            return _Use(use, None)
        case gast.Call(args=[first, second], keywords=[]) if facts.op(parent).converts_second:
            other, keeps = first if second is use else second, first is use
        case _:
            return Refusal(
                use, Code.PYTHON_NUMBER, f"{_shown(parent, 'what reads it', facts)} may need the values of {name} while it is traced"
            )
    if not _is_given(other, facts):
        return _alone(use, facts)
    kind, shown = facts.kind(other), facts.edit.short(other)
    if not kind.is_tensor or kind.dtype is None:
        reason = f"{name} becomes a tensor of the dtype of {shown}, which is not known"
        return Refusal(
            use,
            Code.UNKNOWN_DTYPE,
            reason,
            f"Say so before, for instance by tf.cast or an input_signature, or write tf.constant({name}, dtype) beside {name}.",
        )
    if keeps and kind.dtype != own:
        return Refusal(use, Code.UNKNOWN_DTYPE, f"{name} keeps its own dtype beside {shown}, and it is not known to be {kind.dtype}")
    if kind.dtype not in ITEM_BYTES or kind.dtype == "bool" or kind.dtype.startswith("complex") != (own or "").startswith("complex"):
        return Refusal(use, Code.UNKNOWN_DTYPE, f"what becomes of {name} beside a tensor of {kind.dtype} is not known")
    left = parent.left if isinstance(parent, gast.BinOp | gast.Compare) else None
    if left is other and not _go_together(kind.shape, facts.kind(use).shape, parent):
        reason = f"{shown} and {name} are not known to fit, and where they don't, a tensor raises another error than an array"
        return Refusal(use, Code.UNKNOWN_SHAPE, reason, "Say what its shape is, for instance by tf.ensure_shape.")
    adds = isinstance(parent, gast.BinOp) and isinstance(parent.op, gast.Add | gast.Sub) or _called_sum(parent, facts)
    if adds and kind.dtype in FLOATS and _adds_constants(parent, facts):
        shown = facts.edit.short(parent, name)
        return Refusal(use, Code.PRECISION, f"a graph adds constants first: what is added to {shown} would meet it with other roundings")
    return _Use(use, kind.dtype)


def _go_together(a: Shape, b: Shape, operation: gast.AST) -> bool:
    """May what stands left of an array certainly meet it there?"""
    if not isinstance(a, tuple) or not isinstance(b, tuple):
        return a == ()
    if isinstance(operation, gast.BinOp) and isinstance(operation.op, gast.MatMult):
        return len(a) == len(b) == 2 and same_dim(a[1], b[0])
    return all(same_dim(x, y) or 1 in (x, y) for x, y in zip(reversed(a), reversed(b), strict=False))


def _alone(use: gast.Name, facts: Facts) -> Refusal:
    shown = facts.edit.short(facts.scopes.parents[use], "that")
    reason = f"a graph computes {shown} of constants alone once a trace, and would compute it in every call"
    return Refusal(use, Code.NO_GAIN, reason, f"Compute it beside {use.id}, outside of the function.")


def _is_given(node: gast.AST, facts: Facts, inside: frozenset[str] = frozenset()) -> bool:
    """Does it depend on what the compiled function is given?"""
    for one in gast.walk(node):
        if not isinstance(one, gast.Name) or one.id in inside or one not in facts.scopes.names:
            continue
        owner = facts.scopes.names[one].lookup(one.id)
        if owner is None or not isinstance(owner.node, FUNCTIONS) or facts.mode(_inner(owner.node)) is not Mode.GRAPH:
            continue
        if any(one.id == parameter.id for parameter in parameters(owner.node)):
            return True
        for binding in owner.bindings[one.id]:
            value = getattr(facts.scopes.parents.get(binding), "value", None)
            if isinstance(value, gast.AST) and _is_given(value, facts, inside | {one.id}):
                return True
    return False


def _inner(function: gast.AST) -> gast.AST:
    first: gast.AST = function.body[0] if isinstance(function.body, list) else function.body
    return first


def _shown(node: gast.AST, otherwise: str, facts: Facts) -> str:
    return facts.edit.short(node, otherwise) if isinstance(node, gast.expr | gast.stmt) else otherwise


def _called_sum(node: gast.AST, facts: Facts) -> bool:
    return facts.called(node) in ("tensorflow.add", "tensorflow.subtract")


def _adds_constants(sum_: gast.AST, facts: Facts) -> bool:
    """Does any compiled function of the file add something that is not made of what it is given?"""
    for node in facts.nodes((gast.BinOp, gast.AugAssign, gast.Call)):
        match node:
            case gast.BinOp(left=left, op=gast.Add() | gast.Sub(), right=right):
                operands = [left, right]
            case gast.AugAssign(op=gast.Add() | gast.Sub(), value=value):
                operands = [value]
            case gast.Call() if _called_sum(node, facts):
                operands = node.args
            case _:
                continue
        if node is not sum_ and facts.mode(node) is Mode.GRAPH and not all(_is_given(one, facts) for one in operands):
            return True
    return False
