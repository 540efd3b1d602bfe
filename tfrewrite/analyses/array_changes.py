"""May an array be changed in place once a statement has run: by its name, by another name of it, or by what is handed it?

Attributes that may share memory are found by their spelling, whatever they are attributes of. That can only find more changes than
there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import gast

from tfrewrite.analyses.array_memory import is_fresh, viewed_by
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Sort
from tfrewrite.facts.scopes import DEFINITIONS, LOOPS, Function, parameters
from tfrewrite.ops.made import Made
from tfrewrite.outcomes import Refusal

_SETTINGS = {"shape", "dtype", "size", "ndim", "nbytes", "itemsize"}
_WITHOUT_MEMORY = (Sort.NUMBER, Sort.SCALAR, Sort.TENSOR, Sort.SYMBOLIC, Sort.TEXT, Sort.NONE)
"""Values that nothing can change."""
_VIEWS = {
    "reshape", "view", "ravel", "squeeze", "transpose", "swapaxes", "diagonal", "T", "flat", "real", "imag", "iloc", "loc", "at", "iat", "values",
}  # fmt: skip
_FRESH_METHODS = {
    "astype", "copy", "flatten", "tolist", "tobytes", "item", "repeat", "take", "round", "clip", "mean", "sum", "min", "max", "std", "var",
    "prod", "any", "all", "argmax", "argmin", "argsort", "cumsum", "cumprod", "dot", "nonzero", "numpy",
}  # fmt: skip
_CHANGING_METHODS = {"sort", "fill", "put", "itemset", "partition", "resize", "setflags", "setfield", "byteswap"}
_CHANGING_FUNCTIONS = {
    f"numpy.{name}" for name in ("copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis", "random.shuffle")
}
_LIBRARIES = ("tensorflow", "keras", "numpy", "builtins", "matplotlib", "sklearn", "pandas", "scipy", "math", "seaborn", "tqdm", "PIL")
_READING_BUILTINS = {
    f"builtins.{name}"
    for name in (
        "abs", "all", "any", "bool", "complex", "dict", "enumerate", "filter", "float", "format", "hash", "id", "int", "isinstance", "iter",
        "len", "list", "map", "max", "min", "next", "open", "print", "range", "repr", "reversed", "round", "set", "slice", "sorted", "str",
        "sum", "tuple", "type", "zip",
    )
}  # fmt: skip
_BY_TEXT = {"vars", "locals", "globals", "eval", "exec", "__import__"}
_SET_IN_PLACE = frozenset({"flat", "real", "imag", "dtype", "shape", "strides", "data"})
_KEEPING_METHODS = {"append", "extend", "insert", "add", "update", "setdefault", "appendleft", "put_nowait"}
_READING_METHODS = {
    "fit", "evaluate", "predict", "predict_on_batch", "train_on_batch", "test_on_batch", "adapt", "imshow", "plot", "scatter", "hist", "matshow",
    "write", "format", "join", "index", "count", "set_data", "summary", "score", "fit_transform", "transform", "inverse_transform",
    "call", "assign", "flow", "set_weights",
}  # fmt: skip


def may_change(arrays: Iterable[gast.AST], place: gast.AST, facts: Facts) -> Refusal | None:
    """Why the memory that expressions read may be another by the time that something reads it after `place`."""
    names = shared_memory({one for array in arrays for one in _names(array, facts)}, facts)
    by_text = next((one for one in facts.nodes((gast.Name,)) if getattr(one, "id", "") in _BY_TEXT and facts.names(one) != one.id), None)
    if by_text is not None:
        return Refusal(by_text, Code.MAY_CHANGE, f"`{getattr(by_text, 'id', '')}` may change any array by its name")
    for node in facts.nodes((gast.Subscript, gast.AugAssign, gast.Call, gast.Delete, gast.Attribute)):
        changed = next((one for one in _changed(node, facts) if one in names), None)
        if changed is not None and _may_run_after(node, place, facts, frozenset()):
            shown = (
                facts.edit.short(node, f"a statement on {_spelled(changed)}")
                if isinstance(node, gast.expr)
                else facts.source.line_of(facts.source.span(node).start)
            )
            where = f"`{shown}`" if isinstance(shown, str) else f"line {shown}"
            return Refusal(node, Code.MAY_CHANGE, f"{where} may change the array behind {_spelled(changed)} afterwards")
    return None


def shared_memory(names: set[str], facts: Facts) -> set[str]:
    """All names that may stand for memory of one of these."""
    links: dict[str, set[str]] = {}
    for given, source in _given(facts):
        for one in given:
            for other in source:
                links.setdefault(one, set()).add(other)
                links.setdefault(other, set()).add(one)
    found, waiting = set(names), list(names)
    while waiting:
        for other in links.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def _names(node: gast.AST, facts: Facts) -> Iterator[str]:
    for one in gast.walk(node):
        if isinstance(one, gast.Name) and one.id:
            yield _key(one, facts)
        elif isinstance(one, gast.Attribute):
            yield f".{one.attr}"


def _given(facts: Facts) -> Iterator[tuple[set[str], set[str]]]:
    """Names, and those whose memory they may be given."""
    for node in facts.nodes(
        (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.NamedExpr, gast.For, gast.comprehension, gast.withitem, gast.Call, *DEFINITIONS)
    ):
        match node:
            case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=values)) if len(targets) == len(values):
                yield from ((_targets(one, facts), _shares(value, facts)) for one, value in zip(targets, values, strict=True))
            case gast.Assign(targets=targets, value=value):
                yield from ((_targets(one, facts), _shares(value, facts)) for one in targets)
            case gast.AnnAssign(target=target, value=value) | gast.NamedExpr(target=target, value=value) if value is not None:
                yield _targets(target, facts), _shares(value, facts)
            case gast.For(target=target, iter=value) | gast.comprehension(target=target, iter=value):
                yield _targets(target, facts), _shares(value, facts)
            case gast.withitem(optional_vars=gast.AST() as target, context_expr=value):
                yield _targets(target, facts), _shares(value, facts)
            case gast.Call(func=gast.Attribute(value=receiver, attr=attr)) if attr in _KEEPING_METHODS:
                given = (*node.args, *(one.value for one in node.keywords))
                yield _shares(receiver, facts), {name for one in given for name in _shares(one, facts)}
            case gast.AugAssign(target=target, op=gast.Add() | gast.BitOr(), value=gast.List() | gast.Dict() | gast.Tuple() as value):
                yield _targets(target, facts), _shares(value, facts)
            case gast.Call():
                for function in _run_by(node, facts):
                    yield from _handed(node, function, facts)
                yield from _handed_on(node, facts)
            case gast.FunctionDef(name=name) | gast.AsyncFunctionDef(name=name):
                yield from _by_default(node, facts)
                leaving = (gast.Return, gast.Yield, gast.YieldFrom)
                returned = [one.value for one in facts.scopes.within(node) if isinstance(one, leaving) and one.value is not None]
                yield {f"{name}()", f".{name}"}, {found for one in returned for found in _shares(one, facts)}


def _by_default(function: Function, facts: Facts) -> Iterator[tuple[set[str], set[str]]]:
    """`def scaled(images=x)`: the parameters are names of what they are without an argument."""
    given = [one for one in (*function.args.defaults, *function.args.kw_defaults) if one is not None]
    shared = {name for one in given for name in _shares(one, facts)}
    if shared:
        yield from (({_key(one, facts)}, shared) for one in parameters(function))


def _run_by(call: gast.Call, facts: Facts) -> list[gast.FunctionDef]:
    """The functions of this file that a call may run, by their names: one that it names, a method, a class's `__init__`."""
    name = getattr(call.func, "id", None) or getattr(call.func, "attr", None)
    found = []
    for one in facts.nodes((gast.FunctionDef,)):
        if isinstance(one, gast.FunctionDef):
            owner = facts.scopes.class_of(one)
            if one.name == name or (one.name in ("__init__", "__call__", "call") and (owner is None or owner.name == name)):
                found.append(one)
    return found


def _handed(call: gast.Call, function: gast.FunctionDef, facts: Facts) -> Iterator[tuple[set[str], set[str]]]:
    own = parameters(function)
    if facts.scopes.class_of(function) is not None and own and own[0].id in ("self", "cls"):
        own = own[1:]
    names = {one.id: _key(one, facts) for one in own}
    for place, argument in enumerate(call.args if own else ()):
        starred = isinstance(argument, gast.Starred)
        yield set(names.values()) if starred else {_key(own[min(place, len(own) - 1)], facts)}, _shares(argument, facts)
    for keyword in call.keywords:
        yield {names[keyword.arg]} if keyword.arg in names else set(names.values()), _shares(keyword.value, facts)


def _handed_on(call: gast.Call, facts: Facts) -> Iterator[tuple[set[str], set[str]]]:
    """`map(change, x)` hands x, or its rows, to a function of this file."""
    values = [*call.args, *(one.value for one in call.keywords)]
    functions = [function for one in values if (function := facts.callers.function_named(one)) is not None]
    if functions:
        given = {name for one in values for name in _shares(one, facts)}
        given |= _shares(call.func.value, facts) if isinstance(call.func, gast.Attribute) else set()
        for function in functions:
            yield {_key(one, facts) for one in parameters(function)}, given


def _targets(target: gast.AST, facts: Facts) -> set[str]:
    match target:
        case gast.Name():
            return {_key(target, facts)}
        case gast.Attribute(attr=attr):
            return {f".{attr}"}
        case gast.Subscript(value=value) | gast.Starred(value=value):
            return _targets(value, facts)  # what is put into a list is reached by its name
        case gast.Tuple(elts=elements) | gast.List(elts=elements):
            return {name for one in elements for name in _targets(one, facts)}
    return set()


def _key(name: gast.Name, facts: Facts) -> str:
    """A name with where the scope that it belongs to begins."""
    owner = facts.scopes.names[name].lookup(name.id) if name in facts.scopes.names else None
    return f"{name.id}#{getattr(owner.node, 'lineno', 0)}:{getattr(owner.node, 'col_offset', 0)}" if owner is not None else str(name.id)


def _spelled(key: str) -> str:
    return key.partition("#")[0].removesuffix("()")


def _shares(value: gast.AST, facts: Facts) -> set[str]:
    """The names whose memory a value may share."""
    if isinstance(value, gast.expr) and facts.kind(value).sort in _WITHOUT_MEMORY:
        return set()
    match value:
        case gast.Name():
            return {_key(value, facts)} if facts.names(value) is None else set()
        case gast.Attribute(attr=attr, value=inner):
            if attr in _SETTINGS or facts.names(value) is not None:
                return set()
            return {f".{attr}", *(_shares(inner, facts) if attr in _VIEWS else ())}
        case gast.Constant() | gast.JoinedStr() | gast.Compare() | gast.UnaryOp():
            return set()
        case gast.Lambda(body=body):
            return _shares(body, facts)  # what it is called for
    if is_fresh(value, facts):
        return set()
    match value:
        case gast.Subscript(value=inner) | gast.Starred(value=inner) | gast.Await(value=inner):
            return _shares(inner, facts)
        case gast.NamedExpr(target=target, value=inner):
            return _targets(target, facts) | _shares(inner, facts)
        case gast.BinOp(op=operation) if not isinstance(operation, gast.Add | gast.Mult):
            return set()  # lists are joined by `+`, and their members stay what they are
        case gast.Call():
            return _shared_by_call(value, facts)
    return {name for one in gast.iter_child_nodes(value) for name in _shares(one, facts)}


def _is_of_keras(node: gast.AST, facts: Facts) -> bool:
    """Is it a layer, a model or a loss, which makes tensors of what it is called with?"""
    if isinstance(facts.kind(node).instance, Made):
        return True
    stores = [one for one in facts.scopes.attribute_stores if isinstance(node, gast.Attribute) and one.attr == node.attr]
    values = [getattr(facts.parent(one), "value", one) for one in stores]
    return bool(values) and all(isinstance(facts.kind(one).instance, Made) for one in values)


def _shared_by_call(call: gast.Call, facts: Facts) -> set[str]:
    if _is_of_keras(call.func, facts):
        return set()
    if (viewed := viewed_by(call, facts)) is not None:
        return _shares(viewed, facts)
    name, row = facts.called(call), facts.row(call)
    given = {found for one in (*call.args, *(one.value for one in call.keywords)) for found in _shares(one, facts)}
    if name is None:
        match call.func:
            case gast.Attribute(value=receiver, attr=attr) if attr in _FRESH_METHODS:
                return given | _shares(receiver, facts) if any(one.arg == "copy" for one in call.keywords) else set()
            case gast.Attribute(value=receiver, attr=attr) if attr in _VIEWS:
                return _shares(receiver, facts)
            case gast.Attribute(value=receiver):
                return given | _shares(receiver, facts)
            case gast.Name(id=own):
                return given | {f"{own}()"} | _shares(call.func, facts)
        return given
    if name.startswith("numpy."):
        return set() if row.is_known and not row.may_share and not any(one.arg == "copy" for one in call.keywords) else given
    fresh = name.startswith(("tensorflow.", "math.")) or name == "sklearn.model_selection.train_test_split"
    return set() if fresh and not name.endswith(".preprocess_input") else given


def _changed(node: gast.AST, facts: Facts) -> set[str]:
    """The names whose memory a node may change."""
    match node:
        case gast.Subscript(value=value, ctx=gast.Store() | gast.Del()):
            return _shares(value, facts)
        case gast.AugAssign(target=gast.Name() as target) if facts.kind(target).sort not in (Sort.NUMBER, Sort.TENSOR, Sort.TEXT):
            return {_key(target, facts)}
        case gast.AugAssign(target=gast.Attribute() | gast.Subscript() as target):
            return _shares(target, facts)
        case gast.Attribute(attr=attr, value=value, ctx=gast.Store() | gast.Del()) if attr in _SET_IN_PLACE:
            return _shares(value, facts)
        case gast.Attribute(attr=attr, value=value, ctx=gast.Load()) if not _only_reads(node, facts):
            # `x.__setitem__(0, 1)`, `fill = x.fill`, `x.ctypes.data`
            return _shares(value, facts) if attr not in _KEEPING_METHODS else set()
        case gast.Call():
            return _changed_by_call(node, facts)
    return set()


def _only_reads(attribute: gast.Attribute, facts: Facts) -> bool:
    """Is it known what an attribute does, if it is one of an array? A method has to be called where it stands."""
    attr, parent = attribute.attr, facts.parent(attribute)
    if attr in _SETTINGS | _VIEWS or facts.kind(attribute.value).sort is not Sort.ARRAY:
        return True
    if not isinstance(parent, gast.Call) or parent.func is not attribute:
        return False
    return attr in _FRESH_METHODS | _CHANGING_METHODS | _READING_METHODS or bool(facts.row(parent).parameters)


def _changed_by_call(call: gast.Call, facts: Facts) -> set[str]:
    name = facts.called(call)
    out = {found for one in call.keywords if one.arg == "out" for found in _shares(one.value, facts)}
    given = {found for one in (*call.args, *(one.value for one in call.keywords)) for found in _shares(one, facts)}
    if any(_may_change_in_place(one, facts) for one in call.args):
        return given | out  # `map(np.random.shuffle, x)`
    if _works_in_place(call, facts):
        return given | out
    if name is not None:
        if facts.row(call).changes and call.args:
            return out | _shares(call.args[0], facts)
        if name in _CHANGING_FUNCTIONS or name.endswith((".shuffle", ".preprocess_input")):
            return given | out
        if name.startswith("numpy."):
            known = facts.op(call).parameters
            written = call.args[known.index("out") if "out" in known else len(known) :]
            return out | {found for one in written for found in _shares(one, facts)}
        if name.startswith("builtins."):
            return out if name in _READING_BUILTINS else given
        return out if name.partition(".")[0] in _LIBRARIES else given
    match call.func:
        case gast.Attribute(value=receiver, attr="shuffle") if facts.kind(receiver).sort is Sort.GENERATOR:
            return given | out
        case gast.Attribute(value=receiver, attr=attr) if attr in _CHANGING_METHODS or facts.row(call).changes:
            return out | _shares(receiver, facts)
        case gast.Attribute(value=receiver) if facts.kind(receiver).sort in (*_WITHOUT_MEMORY, Sort.DATASET, Sort.TAPE, Sort.VARIABLE):
            return out
        case gast.Attribute(attr=attr) if attr in _READING_METHODS | _KEEPING_METHODS | _FRESH_METHODS | _VIEWS:
            return out
    if _run_by(call, facts) or _is_of_keras(call.func, facts):
        return out  # its parameters are names of that memory too
    return given | out


def _may_change_in_place(function: gast.AST, facts: Facts) -> bool:
    """Is it the name of a function that changes what it is given?"""
    name = facts.names(function) or ""
    return name in _CHANGING_FUNCTIONS or name.endswith(".shuffle")


def _works_in_place(call: gast.Call, facts: Facts) -> bool:
    """Does a library work in the memory that it is given: `scale(x, copy=False)`, `inv(a, overwrite_a=True)`?

    What an object was made with isn't followed: `StandardScaler(copy=False)` lets any `fit_transform` of the file do so.
    """
    name, method = facts.called(call), getattr(call.func, "attr", "")
    if name is None and method not in ("fit_transform", "transform", "inverse_transform"):
        return False
    if name is not None and (name.startswith(("tensorflow.", "builtins.")) or name in ("numpy.array", "numpy.nan_to_num")):
        return False
    asked = call.keywords if name is not None else [one for one in facts.nodes((gast.keyword,)) if isinstance(one, gast.keyword)]
    return any(one.arg in ("copy", "inplace") or (one.arg or "").startswith("overwrite_") for one in asked)


def _may_run_after(node: gast.AST, place: gast.AST, facts: Facts, asked: frozenset[gast.AST]) -> bool:
    own, home = facts.scopes.function_of(node), facts.scopes.function_of(place)
    if own is home:
        if home is not None or facts.source.span(node).start > facts.source.span(place).end:
            return True  # a function may be called again, with the same arrays
        loops = [one for one in facts.scopes.ancestors(place) if isinstance(one, LOOPS)]
        return any(one in loops for one in facts.scopes.ancestors(node))
    if own is None and home is not None:
        # What calls the function that the place is in comes before it or after.
        if home in asked:
            return False
        calls = [one for one in _references(home, facts) if home not in facts.scopes.ancestors(one)]
        return not calls or any(_may_run_after(node, one, facts, asked | {home}) for one in calls)
    if own is None or own in asked:
        return False
    references = _references(own, facts)
    if not references or own in facts.scopes.ancestors(place):
        return True
    return any(_may_run_after(one, place, facts, asked | {own}) for one in references)


def _references(function: gast.AST, facts: Facts) -> list[gast.AST]:
    """Wherever a function may be reached from: by its name, wherever that is read."""
    name = getattr(function, "name", None)
    if name is None:
        return [facts.scopes.parents[function]]
    found: list[gast.AST] = [one for one in facts.nodes((gast.Name,)) if one.id == name and isinstance(one.ctx, gast.Load)]
    return found + [one for one in facts.nodes((gast.Attribute,)) if one.attr == name]
