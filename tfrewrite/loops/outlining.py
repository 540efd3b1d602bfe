"""Moves a loop out of eager code into a function of the module that TensorFlow compiles, and calls it in its place.

What the loop reads comes in as arguments: tensors as they are, Python numbers as tensors of the dtype that they meet, so
that another number is no reason to trace the function again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import DEFINITIONS, walk_within
from tfrewrite.facts.scopes import parameters as parameters_of
from tfrewrite.kinds import OF_PYTHON, Kind, Sort, spelled_dtype
from tfrewrite.loops.autograph_and_tapes import shape_is_unasked
from tfrewrite.loops.bodies import is_followed, is_tensor
from tfrewrite.loops.calls import is_constant, is_made_once, is_own, may_be_handed
from tfrewrite.loops.carried import Carried, is_too_large
from tfrewrite.loops.headers import Counted, is_path
from tfrewrite.loops.integers import Literal
from tfrewrite.loops.lists import Form, Listed, taken_out
from tfrewrite.loops.loop_text import apply_to, holds_long_texts, last_index, members, replaced, some_iterations, write
from tfrewrite.loops.numbers import Numbers, typed
from tfrewrite.loops.plans import Names, Nest, reads_any
from tfrewrite.outcomes import Edit, Refusal
from tfrewrite.source import Span

_WIDTH = 100


@dataclass(frozen=True)
class Parameter:
    """What the new function is given. `number` is its type where it is a Python number that becomes a tensor."""

    name: str
    argument: str
    number: str = ""


@dataclass(frozen=True)
class Read:
    """An expression that the loop reads and doesn't give: a name, or a path such as `self.w`."""

    text: str
    nodes: tuple[gast.expr, ...]
    kind: Kind


@dataclass(frozen=True)
class Outlined:
    """A loop as a function of its own: the edits, its name, and whether sizes are made that XLA can't compile."""

    edits: tuple[Edit, ...]
    name: str
    makes_sizes: bool
    place: gast.stmt
    """The statement of the top level that the new function stands before."""


def outline(nest: Nest, xla: bool, handed: Mapping[gast.AST, str] | None = None) -> Outlined | Refusal:
    """The edits that move the loop; with `xla` it is compiled by XLA, which can't be where it `makes_sizes`.

    Numbers that are `handed` over become arguments, tensors of the dtypes that they are given.
    """
    facts, plan = nest.facts, nest.plan
    loop = plan.body.loop
    if refusal := _hides_a_shape(nest):
        return refusal
    reads = _reads(nest)
    if isinstance(reads, Refusal):
        return reads
    if holds_long_texts(loop, facts):
        return Refusal(loop, Code.LAYOUT, "a string of several lines is inside of the loop")
    parameters: list[Parameter] = []
    renamed: list[Edit] = []
    shorter: dict[str, str] = {}
    extra: dict[str, str] = {}
    written_anew = {node for each in plan.all() if isinstance(each.header, Counted) for node in gast.walk(each.body.loop.iter)}
    unread = written_anew - {node for each in plan.all() if isinstance(each.header, Counted) for node in each.header.written()}
    for read in reads:
        one = _parameter(read, nest)
        if isinstance(one, Refusal):
            return one
        if one.number:
            extra[read.text] = one.number
        if not unread.issuperset(read.nodes):  # a range of which the text says how many iterations it has reads no number
            parameters.append(one)
        if one.name != read.text:
            shorter[read.text] = one.name
            renamed += [_replace(node, one.name, facts) for node in read.nodes]
    for number, dtype in (handed or {}).items():
        argument = f"{nest.tf}.constant({facts.source.text_of(number)}, {spelled_dtype(dtype, nest.tf)})"
        known = next((parameter for parameter in parameters if parameter.argument == argument), None)
        if known is None:
            parameters.append(known := Parameter(nest.names.fresh("divisor"), argument))
        renamed.append(_replace(number, known.name, facts))
    # Without an iteration everything stays the object that it was, and nothing is traced that may not go together.
    guard = bool(some_iterations(plan, facts))
    begun = {} if guard else {variable.name: start for variable in plan.carried if (start := _only_begins(variable.name, nest)) is not None}
    first = [
        _initial(variable, nest)
        for variable in plan.carried
        if variable.from_before and variable.name not in begun and not variable.begins_as_zeros
    ]
    parameters += first
    initials = {one.name: one.name for one in first if one.argument != one.name}
    initials |= {variable.name: _begun(variable, begun[variable.name], nest) for variable in plan.carried if variable.name in begun}
    firsts = dict.fromkeys(path.name for listed in plan.lists for path in listed.firsts)
    parameters += [Parameter(name, name) for name in firsts if name not in [parameter.name for parameter in parameters]]
    inside = replace(nest, plan=plan.respelled(lambda node: _with_names(node, renamed, facts)))
    spans = [facts.source.span(each.body.loop.iter) for each in plan.all() if isinstance(each.header, Counted)]
    in_blocks = [edit for edit in renamed if not any(span.start <= edit.start < span.end for span in spans)]
    written = write(inside, extra, initials, one_at_a_time=not xla, renamed=in_blocks, shorter=shorter)
    if isinstance(written, Refusal):
        return written
    place = top_statement(loop, facts)
    if not imported_above(nest.tf, place, facts):
        return Refusal(loop, Code.NAME_TAKEN, f"{nest.tf} is not imported above, where the loop's function would be")
    decorator = f"@{nest.tf}.function(jit_compile=True)" if xla else f"@{nest.tf}.function"
    name = _name(nest, place)
    function = _function(inside, name, decorator, parameters, written.edits, guard)
    if foreign := _dtype_of_another({parameter.name for parameter in parameters}, function, nest):
        return Refusal(loop, Code.UNKNOWN_DTYPE, f"the dtype of what the loop computes is that of {foreign}, which the loop doesn't read")
    call = _call(nest, name, parameters, guard)
    if call is None:
        return Refusal(loop, Code.NO_GAIN, "nothing reads what the loop computes")
    joins = _joins(nest, guard)
    if joins is None:
        return Refusal(loop, Code.LAYOUT, f"the statement that makes the list {plan.lists[0].name} can't be taken out")
    before = above(place, facts)
    span = _lines(nest)
    gone = [edit for one in begun.values() for edit in facts.edit.delete_statement(one) or ()]
    edits = (Edit(before, before, apart(before, facts) + function), *gone, *joins, Edit(span.start, span.end, call))
    return Outlined(edits, name, written.makes_sizes, place)


def _dtype_of_another(own: Collection[str], function: str, nest: Nest) -> str | None:
    """A parameter of the user's function whose dtype the new one asks for, and which isn't handed to it."""
    names = {one.id for one in parameters_of(nest.function)} if isinstance(nest.function, gast.FunctionDef) else set()
    return next((name for name in sorted(names - {*own}) if re.search(rf"\b{name}\.dtype\b", function)), None)


def _with_names(node: gast.AST, renamed: Sequence[Edit], facts: Facts) -> str:
    """The text of an expression with the names that it has in the new code."""
    span = facts.source.span(node)
    return apply_to(facts.source.text, span, [edit for edit in renamed if span.start <= edit.start and edit.end <= span.end])


def _replace(node: gast.AST, text: str, facts: Facts) -> Edit:
    span = facts.source.span(node)
    return Edit(span.start, span.end, text)


def _hides_a_shape(nest: Nest) -> Refusal | None:
    """In a graph, where the loop may run too, what a function returns is of a shape that it knows itself while it is traced."""
    facts, plan, loop = nest.facts, nest.plan, nest.plan.body.loop
    if facts.only_eager(loop):
        return None
    collected = [listed for listed in plan.lists if listed.is_array and not _knows_its_length(listed, nest)]
    grown = [variable.name for variable in plan.carried if variable.grows and variable.live]
    for name in (*(listed.source for listed in collected), *grown):
        uses = [use for use in facts.scopes.of[nest.function].uses.get(name, ()) if use.lineno > loop.end_lineno]
        if not all(shape_is_unasked(use, facts) for use in uses):
            return Refusal(
                loop,
                Code.UNKNOWN_SHAPE,
                f"in a graph that calls this, {name} would no longer be of a known shape",
                "Say how many iterations there are.",
            )
    return None


def of_any_length(nest: Nest) -> Refusal | None:
    """A list for which XLA would compile the loop again and again: for each length that it gets; None without one."""
    for listed in nest.plan.lists:
        headers = [each.header for each in nest.plan.way(listed)]
        known = all(isinstance(each, Counted) and (each.iterations is not None or _counts_rows(each, nest.facts)) for each in headers)
        if listed.is_array and not known:
            return Refusal(nest.plan.body.loop, Code.UNKNOWN_COUNT, f"it would be compiled for each length of {listed.source}")
    return None


def of_any_size(nest: Nest) -> Refusal | None:
    """A tensor of no known size, for each of which XLA would compile the loop again; None without one."""
    reads = _reads(nest)
    read = [] if isinstance(reads, Refusal) else [(read.text, read.kind) for read in reads]
    carried = [(variable.name, nest.kinds_before.get(variable.name, Kind())) for variable in nest.plan.carried if variable.from_before]
    for name, kind in (*read, *carried):
        if any(member.sort in (Sort.TENSOR, Sort.ARRAY) and member.size is None for member in _within(kind)):
            return Refusal(
                nest.plan.body.loop, Code.UNKNOWN_SHAPE, f"the size of {name} is not known, and for each it would be compiled again"
            )
    return None


def _within(kind: Kind) -> list[Kind]:
    return [member for item in kind.items for member in _within(item)] if kind.items else [kind]


def _counts_rows(header: Counted, facts: Facts) -> bool:
    """Is the number of iterations the size of a tensor, which a graph knows while it is traced?"""
    match header.stop.node:
        case gast.Subscript(value=gast.Attribute(value=measured, attr="shape")):
            return is_tensor(facts.kind(measured))
        case gast.Subscript(value=gast.Call(args=[measured]) as call) if facts.called(call) == "tensorflow.shape":
            return is_tensor(facts.kind(measured))
        case gast.Call(args=[measured]) as call if facts.called(call) == "builtins.len":
            return is_tensor(facts.kind(measured))
    return bool(header.rows)


def _knows_its_length(one: Listed, nest: Nest) -> bool:
    header, added = nest.plan.header, members(one, nest.plan)
    if one.open_because or not isinstance(header, Counted):
        return False
    is_number = isinstance(added, Literal)
    if one.concat:
        return is_number and header.iterations is not None and one.joined_shape(added) is not None
    return is_number or (not one.through and header.start.value is not None and _counts_rows(header, nest.facts))


def _joined(one: Listed, nest: Nest) -> str:
    text = one.joined(nest.tf, ordered=False)
    if not one.concat or nest.facts.only_eager(nest.plan.body.loop) or not _knows_its_length(one, nest):
        return text
    return f"{nest.tf}.ensure_shape({text}, {one.joined_shape(members(one, nest.plan))})"


# What the loop reads


def _reads(nest: Nest) -> list[Read] | Refusal:
    facts, plan = nest.facts, nest.plan
    loop = plan.body.loop
    own = {*plan.body.assigned, *(listed.source for listed in plan.lists)}
    for one in plan.all():
        if isinstance(one.header, Counted):
            own |= {row.name for row in one.header.rows} | ({one.header.index} if one.header.index else set())
    found: dict[str, list[gast.expr]] = {}
    header = plan.header
    computed = [row.source for row in header.rows if not is_path(row.source)] if isinstance(header, Counted) else []
    for source in computed:  # it is handed over as it is, and known by another name
        assert isinstance(source, gast.expr)
        found[facts.source.text_of(source)] = [source]
    first = loop.test if isinstance(loop, gast.While) else loop.iter
    elsewhere = [node for node in _values([first], facts) if not any(node in gast.walk(one) for one in computed)]
    for node in [*elsewhere, *_values(loop.body, facts)]:
        prefix = _known_prefix(node, facts)
        root = _root(prefix)
        if root.id in own or _is_global(prefix, root, facts):
            continue
        found.setdefault(facts.source.text_of(prefix), []).append(prefix)
    return [Read(text, tuple(nodes), facts.kind(nodes[0])) for text, nodes in found.items()]


def _values(nodes: Iterable[gast.AST], facts: Facts) -> Iterator[gast.expr]:
    """The names and dotted paths whose values are read, outermost first."""
    for node in nodes:
        match node:
            case gast.Name(ctx=gast.Load()):
                yield node
            case gast.Attribute(ctx=gast.Load()) if is_path(node):
                if facts.names(node) is None:
                    yield node
            case gast.Call(func=func, args=args, keywords=keywords):
                known = facts.of_the_text.names(func) is not None or facts.callers.function_called(node) is not None
                # Of a method what it belongs to is read: a bound method is another object every time.
                yield from _values([*([] if known else [_owner(func)]), *args, *(keyword.value for keyword in keywords)], facts)
            case _:
                yield from _values(gast.iter_child_nodes(node), facts)


def _owner(func: gast.AST) -> gast.AST:
    while isinstance(func, gast.Attribute):
        func = func.value
    return func


def _root(node: gast.expr) -> gast.Name:
    while isinstance(node, gast.Attribute):
        node = node.value
    assert isinstance(node, gast.Name)
    return node


def _known_prefix(node: gast.expr, facts: Facts) -> gast.expr:
    """Of `self.w.shape`, what is a value itself: `self.w`."""
    prefixes = [node]
    while isinstance(prefixes[-1], gast.Attribute):
        prefixes.append(prefixes[-1].value)
    for one in reversed(prefixes):
        if facts.kind(one).sort in (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY, Sort.NUMBER, Sort.LIST, Sort.TUPLE):
            return one
    return node


def _is_global(prefix: gast.expr, root: gast.Name, facts: Facts) -> bool:
    """Is it a name of the module's that never changes, and that the new function can read itself?"""
    owner = facts.scopes.names[root].lookup(root.id)
    if owner is None:
        return True
    if owner is not facts.scopes.module or root.id in owner.shared or len(owner.bindings[root.id]) != 1:
        return False
    binding = owner.bindings[root.id][0]
    if isinstance(binding, (*DEFINITIONS, gast.alias)):
        return True
    return (_is_called(root, facts) and is_made_once(root, facts)) or (prefix is root and is_constant(root, facts))


def _is_called(name: gast.AST, facts: Facts) -> bool:
    """Is it what a followed call calls, or the object whose method that is?"""
    parent = facts.parent(name)
    while isinstance(parent, gast.Attribute):
        name, parent = parent, facts.parent(parent)
    return isinstance(parent, gast.Call) and parent.func is name and (is_followed(parent, facts) or is_own(parent, facts))


def _is_handed_on(name: gast.AST, facts: Facts) -> bool:
    """Is an object handed to a function of this file, or one whose method is called?"""
    parent = facts.parent(name)
    call = facts.parent(parent) if isinstance(parent, gast.keyword) else parent
    return may_be_handed(facts.kind(name), facts) and (_is_called(name, facts) or is_own(call or name, facts))


def _parameter(read: Read, nest: Nest) -> Parameter | Refusal:
    facts, kind = nest.facts, read.kind
    node = read.nodes[0]
    name = read.text
    if isinstance(node, gast.Subscript):
        name = nest.names.fresh("rows", "all_rows")
    elif not isinstance(node, gast.Name):
        assert isinstance(node, gast.Attribute)
        plain = node.attr.strip("_")
        name = nest.names.fresh(plain, f"{plain}_value" if plain.isidentifier() else "value")
    match kind.sort:
        case Sort.TENSOR | Sort.VARIABLE:
            return Parameter(name, read.text)
        case Sort.ARRAY:
            if all(_meets_its_own(node, kind, facts) for node in read.nodes):
                return Parameter(name, read.text)
            return Refusal(
                node, Code.OTHER_DTYPE, f"{read.text} is a NumPy array, and takes part otherwise than as a tensor of its own dtype"
            )
        case Sort.LIST | Sort.TUPLE if kind.items and all(is_tensor(item) for item in kind.items):
            return Parameter(name, read.text)
        case Sort.NUMBER:
            return _number(read, name, nest)
        case Sort.OBJECT if isinstance(node, gast.Name) and all(_is_handed_on(node, facts) for node in read.nodes):
            assert isinstance(kind.instance, gast.ClassDef)
            plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind.instance.name).lower().strip("_")
            return Parameter(nest.names.fresh(plain, f"this_{plain or 'object'}") if name == "self" else name, read.text)
        case Sort.UNKNOWN | Sort.OBJECT if isinstance(node, gast.Name) and all(_is_called(node, facts) for node in read.nodes):
            if kind.instance is not None:
                return Refusal(node, Code.NO_GAIN, f"the compiled function would keep every object that {read.text} may be")
            return Parameter(name, read.text)
    return Refusal(node, Code.UNKNOWN_VALUE, f"{read.text} is not known to be a tensor or a number ({kind})")


def _meets_its_own(node: gast.AST, kind: Kind, facts: Facts) -> bool:
    """Is an array an operand beside a tensor of its own dtype, which makes a tensor of it?"""
    match facts.parent(node):
        case gast.BinOp(left=left, right=right):
            other = facts.kind(right if left is node else left)
        case gast.Call() as call if (arguments := facts.arguments(call)) and {"x", "y"} <= set(arguments):
            other = facts.kind(arguments["y"] if arguments["x"] is node else arguments["x"])
        case _:
            return False
    return is_tensor(other) and other.dtype is not None and other.dtype == kind.dtype


def _number(read: Read, name: str, nest: Nest) -> Parameter | Refusal:
    """A Python number comes as a tensor, of the dtype of what it meets where that is but one."""
    facts, tf, kind = nest.facts, nest.tf, typed(read.kind)
    loop = nest.plan.body.loop
    around = _given_around(read.text, loop, facts)
    anew = Refusal(
        read.nodes[0], Code.NO_GAIN, f"{read.text} differs in each iteration of the outer loop, which would be traced again for each"
    )
    if kind == "bool" or not kind:
        return anew if around and not kind else Parameter(name, read.text)
    numbers = Numbers(facts, tf, {**nest.varying, read.text: kind}, nest.bounds)
    if numbers.convert([loop.test if isinstance(loop, gast.While) else loop.iter, *loop.body]) is not None:
        if around:
            return anew
        if kind == "float" and not isinstance(facts.of_the_text.kind(read.nodes[0]).value, float):
            if (call := next((facts.parent(node) for node in read.nodes if is_own(facts.parent(node), facts)), None)) is not None:
                shown = facts.edit.short(call, "a function")
                return Refusal(
                    call,
                    Code.PYTHON_NUMBER,
                    f"{read.text} may be any number, and for each the loop would be traced again: {shown} needs Python's",
                )
            if unknown := next((one.dtype for _, one in facts.world.handed if "." in (one.dtype or "")), None):
                return Refusal(
                    read.nodes[0],
                    Code.UNKNOWN_DTYPE,
                    f"{read.text} may be any number, and for each the loop would be traced again, as {unknown} is not known",
                    "Cast what the loop computes with to the dtype that is meant.",
                )
        return Parameter(name, read.text)  # a size, an axis: it has to be a Python number, and is traced for each
    met = [(whole, dtype) for whole, dtype in numbers.met if any(node in read.nodes for node in gast.walk(whole))]
    if any(numbers.type_of(whole) == "bool" and not reads_any(nest.varying, whole) for whole, _ in met):
        return Parameter(name, read.text)  # a condition that Python decides
    if name in nest.capped:
        return Parameter(name, f"{tf}.constant(min({read.text}, 2**31 - 1))", kind)
    dtypes = {dtype for _, dtype in met}
    if all(isinstance(whole, gast.Name | gast.Attribute) for whole, _ in met) and len(dtypes) == 1 and "" not in dtypes:
        (dtype,) = dtypes
        if is_too_large(facts.kind(read.nodes[0]), dtype):
            return Parameter(name, read.text)  # it becomes infinite where it meets a tensor, and raises as one
        plain = OF_PYTHON[kind] == dtype and not _is_annotated(name, nest)
        return Parameter(name, f"{tf}.constant({read.text})" if plain else f"{tf}.constant({read.text}, {spelled_dtype(dtype, tf)})")
    plain = kind == "int" and not _is_annotated(name, nest)
    argument = f"{tf}.constant({read.text})" if plain else f"{tf}.constant({read.text}, {tf}.{'int32' if kind == 'int' else 'float64'})"
    return Parameter(name, argument, kind)


def _given_around(name: str, loop: gast.AST, facts: Facts) -> list[gast.For | gast.While]:
    """The loops around one that give a name another value in their iterations."""
    function = facts.scopes.function_of(loop)
    found = []
    for ancestor in facts.scopes.ancestors(loop):
        if ancestor is function:
            break
        if isinstance(ancestor, gast.For | gast.While):
            if any(isinstance(node, gast.Name) and node.id == name and isinstance(node.ctx, gast.Store) for node in walk_within(ancestor)):
                found.append(ancestor)
    return found


def _initial(one: Carried, nest: Nest) -> Parameter:
    """The first value of a loop variable."""
    iterations = nest.kinds_before
    before = iterations[one.name] if one.name in iterations else Kind()
    if before.sort is not Sort.NUMBER:
        return Parameter(one.name, one.name)
    tf = nest.tf
    default = OF_PYTHON.get(before.dtype or "") == one.dtype
    default = default and not _is_annotated(one.name, nest)
    return Parameter(one.name, f"{tf}.constant({one.name})" if default else f"{tf}.constant({one.name}, {spelled_dtype(one.dtype, tf)})")


def _is_annotated(name: str, nest: Nest) -> bool:
    """Is it an argument whose type only an annotation tells? Who says float may be given an int."""
    arguments = getattr(nest.function, "args", None)
    given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs] if arguments is not None else []
    return any(one.id == name and one.annotation is not None for one in given)


def _only_begins(name: str, nest: Nest) -> gast.Assign | None:
    """The `s = 0.0` before the loop that nothing but the loop reads."""
    facts, loop = nest.facts, nest.plan.body.loop
    scope = facts.scopes.of[nest.function]
    before = [binding for binding in scope.bindings.get(name, ()) if binding.lineno < loop.lineno]
    inside = loop.lineno, loop.end_lineno
    if any(not inside[0] <= use.lineno for use in scope.uses.get(name, ())) or any(name in inner.uses for inner in scope.below()):
        return None
    match [facts.parent(one) for one in before]:
        case [gast.Assign(targets=[gast.Name()], value=gast.Constant(value=int() | float())) as start]:
            in_line = facts.parent(start) is facts.parent(loop) and facts.edit.delete_statement(start) is not None
            return start if in_line else None
    return None


def _begun(one: Carried, start: gast.Assign, nest: Nest) -> str:
    if one.begins_as_zeros:
        return one.initial
    text, tf = nest.facts.source.text_of(start.value), nest.tf
    default = OF_PYTHON.get(nest.facts.kind(start.value).dtype or "") == one.dtype
    return text if default else f"{tf}.constant({text}, {spelled_dtype(one.dtype, tf)})"


# The new text


def top_statement(loop: gast.AST, facts: Facts) -> gast.stmt:
    top = loop
    for ancestor in facts.scopes.ancestors(loop):
        if isinstance(ancestor, gast.Module):
            break
        top = ancestor
    assert isinstance(top, gast.stmt)
    return top


def imported_above(tf: str, place: gast.stmt, facts: Facts) -> bool:
    """Is it the module itself that has imported TensorFlow under that name, before the statement?"""
    for binding in facts.scopes.module.bindings.get(tf, ()):
        statement = facts.scopes.statement(binding) if isinstance(binding, gast.alias) else None
        if statement is not None and facts.parent(statement) is facts.tree and statement.lineno < place.lineno:
            return True
    return False


def _name(nest: Nest, place: gast.stmt) -> str:
    """A name that no other loop is given in the same round: functions of one name that stand apart each have their own."""
    facts = nest.facts
    function = nest.function
    same: list[gast.AST]
    if isinstance(function, gast.Module):
        plain = next(
            (one.strip("_") for one in (*(each.name for each in nest.plan.carried), *(each.source for each in nest.plan.lists))), ""
        )
        same = [node for node in facts.nodes([gast.For, gast.While]) if facts.scopes.function_of(node) is None]
    else:
        plain = getattr(function, "name", "").strip("_")
        same = [node for node in facts.nodes([gast.FunctionDef]) if getattr(node, "name", "").strip("_") == plain]
    places = list(dict.fromkeys(top_statement(one, facts) for one in same))
    module = facts.scopes.module
    names = Names({name for one in (module, *module.below()) for name in (*one.bindings, *one.uses)})
    return [names.fresh(f"_{plain}_loop") for _ in places][places.index(place)]


def above(place: gast.stmt, facts: Facts) -> int:
    """Where the new function goes: above the statement, its decorators and the comments that belong to it."""
    source = facts.source
    first = min([source.span(place).start, *(source.span(decorator).start for decorator in getattr(place, "decorator_list", ()))])
    start = source.line_start(first)
    while start > 0 and source.text[source.line_start(start - 1) : start].startswith("#"):
        start = source.line_start(start - 1)
    return start


def apart(start: int, facts: Facts) -> str:
    """The empty lines that are missing above a function of the module."""
    above = facts.source.text[:start].splitlines()[-2:]
    return facts.source.newline * (2 - next((place for place, line in enumerate(reversed(above)) if line.strip()), len(above) and 2))


def _lines(nest: Nest) -> Span:
    source, loop = nest.facts.source, nest.plan.body.loop
    inner = source.indentation(source.span(loop.body[0]).start)
    return Span(source.line_start(source.span(loop).start), nest.facts.edit.block_end(loop.body[-1], inner))


def _function(nest: Nest, name: str, decorator: str, parameters: Sequence[Parameter], edits: Sequence[Edit], guard: bool) -> str:
    source, plan, tf = nest.facts.source, nest.plan, nest.tf
    newline, unit = source.newline, nest.facts.edit.unit
    own = source.indentation(source.span(plan.body.loop).start)
    span = _lines(nest)
    body = apply_to(source.text, span, edits)
    lines = [unit + line[len(own) :] if line.startswith(own) and line.strip() else line for line in body.splitlines()]
    while lines and not lines[0].strip():
        lines.pop(0)
    made = [f"{unit}{listed.name} = {listed.made(tf, members(listed, plan))}" for listed in plan.lists if listed.is_array]
    results = [*(variable.name for variable in plan.carried if variable.live), *(_joined(listed, nest) for listed in plan.lists)]
    head = f"def {name}({', '.join(parameter.name for parameter in parameters)}):"
    text = [decorator, head, *made, *([""] if made else []), *lines, f"{unit}return {', '.join(results)}", "", "", ""]
    return newline.join(text)


def _call(nest: Nest, name: str, parameters: Sequence[Parameter], guard: bool) -> str | None:
    """The statements that take the loop's place."""
    facts, plan = nest.facts, nest.plan
    source, newline, unit, tf = facts.source, facts.source.newline, facts.edit.unit, nest.tf
    live = [variable for variable in plan.carried if variable.live]
    results = [*(variable.name for variable in live), *(_result(listed) for listed in plan.lists)]
    if not results:
        return None
    indent = source.indentation(source.span(plan.body.loop).start)
    lines = []
    if guard:
        lines.append(f"{indent}if {some_iterations(plan, facts)}:")
        indent += unit
    opening, closing = "", ""
    numbers = [variable for variable in live if variable.number]
    if numbers and len(results) == 1:
        opening, closing, numbers = f"{numbers[0].number}(", ")", []
    sums = [listed for listed in plan.lists if guard and listed.form is Form.SUM]
    if sums and len(results) == 1:
        opening, closing, results, sums = "[", "]", [sums[0].source], []
    grown = [listed for listed in plan.lists if listed.form is Form.GROWN and not listed.begins_empty]
    if grown and len(results) == 1:
        opening, closing, results, grown = f"{tf}.concat([{grown[0].source}, ", "], 0)", [grown[0].source], []
    arguments = [parameter.argument for parameter in parameters]
    line = f"{indent}{', '.join(results)} = {opening}{name}({', '.join(arguments)}){closing}"
    if len(line) > _WIDTH:
        rows = "".join(f"{indent}{unit}{argument},{newline}" for argument in arguments)
        line = f"{indent}{', '.join(results)} = {opening}{name}({newline}{rows}{indent}){closing}"
    lines.append(line)
    lines += [f"{indent}{one.source} = [{one.name}]" for one in sums]
    lines += [f"{indent}{listed.source} = {tf}.concat([{listed.source}, {listed.name}], 0)" for listed in grown]
    lines += [f"{indent}{number.name} = {number.number}({number.name})" for number in numbers]
    if plan.index_after:
        lines.append(f"{indent}{last_index(nest)}")
    return newline.join([*lines, ""])


def _joins(nest: Nest, guard: bool) -> list[Edit] | None:
    """After the loop, each list is the tensor that was to be made of it. Where there may be no iteration it stays a list till then."""
    if guard:
        return []
    facts = nest.facts
    gone = taken_out(nest.plan.lists, facts)
    if gone is None:
        return None
    edits = [*gone]
    for listed in nest.plan.lists:
        for join in listed.joins:
            edits += replaced(join, _ordered(listed, nest.tf), facts)
        if listed.form is Form.SUM:
            edits += [edit for length in listed.lengths for edit in replaced(length, str(listed.length), facts)]
    return edits


def _ordered(one: Listed, tf: str) -> str:
    """The tensor that the list was made. Its axes are put in order by eager code: the compiled function would hold both at once."""
    return f"{tf}.transpose({_result(one)}, {list(one.order)})" if one.order else _result(one)


def _result(one: Listed) -> str:
    """The name that is given what the new function collects."""
    return one.source if one.form is Form.GROWN and one.begins_empty else one.name
