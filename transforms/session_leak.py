"""Close a `tf.compat.v1` session after its last use, by a `with` block.

Before:  sess = tf.compat.v1.Session()
         sess.run(init)
         total = sess.run(loss)
         report(total)
After:   with tf.compat.v1.Session() as sess:
             sess.run(init)
             total = sess.run(loss)
         report(total)

Why:     A session holds the variables of its graph until it is closed or its last name is gone. With 12 MB of variables and
         48 MB needed by what comes after, the peak is 60.2 MB before and 48.1 after, in a script as in a function. A
         function that ends with the last use frees its session anyway (48.1 MB in both forms), but not after an error
         whose traceback somebody keeps: 60.2 and 48.1 again. Sessions that a loop opens replace each other: 12.4 MB in
         both.
Safety:  - **All uses known.** Refused unless one name holds the session and it is used only by `run`, `graph`,
           `eval(session=...)`, `run(session=...)` and `tf.compat.v1.train.Saver`, in the same block.
         - **Other users.** Refused if the session is returned, stored, passed to a function, known to an inner function, or
           if the name is assigned again: `self.session = sess`.
         - **Generators, modules, notebooks.** Refused in a generator, which would keep it open at `yield`, in a module
           whose `sess` others may import, and at the top level of a notebook, whose cells may be run again.
         - **Nothing to gain.** Refused if what follows the last use, in the function or script, needs no memory: `print(total)`.
         - **Other processes.** Refused for `tf.compat.v1.Session("grpc://...")`, whose state is elsewhere.
         - **Default session.** In the block it is the default one. Refused if `eval()` without a session,
           `get_default_session()` or Keras may ask for that.
         - **Default graph.** With `graph=...` operations would go into its graph: refused unless they stand under
           `with graph.as_default():`. `--unsafe` rewrites where code may run eagerly or call unknown functions.
         - **Not allowed inside.** Refused if `tf.compat.v1.reset_default_graph()` or an `InteractiveSession` would stand
           in the block.
         - **`InteractiveSession`.** Refused: `tf.compat.v1.InteractiveSession()` is the default session of code elsewhere
           too. Each keeps its variables for good: 96.6 MB for four of them with 12 MB each.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Sort
from tfrewrite.facts.scopes import FUNCTIONS, block_of, walk_within
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, transform

_SESSION = "tensorflow.compat.v1.Session"
_INTERACTIVE = "tensorflow.compat.v1.InteractiveSession"
_GRAPH_MODE = {"tensorflow.compat.v1.disable_eager_execution", "tensorflow.compat.v1.disable_v2_behavior"}
_SETTINGS = {"config", "graph"}
_STACKED = {"reset_default_graph", "InteractiveSession"}
_HARMLESS = {"builtins", "numpy", "matplotlib", "pandas", "scipy", "PIL", "cv2", "tqdm", "absl"} | set(sys.stdlib_module_names)
_NO_TENSORS = {Sort.NUMBER, Sort.TEXT, Sort.NONE, Sort.ARRAY}
_SAY = "Say which graph it belongs to by a with block around it: with graph.as_default():."
_READERS = {
    f"builtins.{name}" for name in ("print", "len", "str", "repr", "float", "int", "isinstance", "type", "id", "hasattr", "getattr")
}
_PLAIN_METHODS = {
    "append", "extend", "add", "update", "items", "keys", "values", "get", "pop", "format", "join", "split", "strip", "startswith",
    "endswith", "replace", "write", "flush", "read", "readlines", "mean", "sum", "max", "min", "std", "argmax", "argmin", "reshape",
    "astype", "tolist", "copy", "flatten", "transpose", "as_default", "add_summary", "get_shape", "get_tensor_by_name",
    "get_operation_by_name",
}  # fmt: skip


@transform(gast.Call, fidelity=Fidelity.BITWISE, mentions=("Session(",), late=True)
def session_leak(call: gast.Call, facts: Facts) -> Outcome:
    name, assignment = facts.called(call), facts.parent(call)
    if name not in (_SESSION, _INTERACTIVE) or not isinstance(assignment, gast.Assign):
        return None
    match assignment.targets:
        case [gast.Name() as target]:
            pass
        case [gast.Attribute() | gast.Subscript()]:
            return Refusal(call, Code.OTHER_NAMES, "the session is stored, and somebody else may use it", "Close it where its owner ends.")
        case _:
            return None
    uses = _uses(target, facts)
    if any(_ends(use, facts) for use in uses) or (not uses and name == _SESSION):
        return None
    if name == _INTERACTIVE:
        reason = f"{target.id} stays the default session, which code elsewhere may rely on, and keeps its variables until it is closed"
        return Refusal(call, Code.OTHER_NAMES, reason, f"Write with tf.compat.v1.Session() as {target.id}:, or close it.")
    if refusal := _holder_problem(target, call, facts):
        return refusal
    block = block_of(assignment, facts.scopes.parents[assignment])
    last = _last_use(block, assignment, uses, facts)
    if last is None:
        return Refusal(call, Code.OTHER_NAMES, f"{target.id} is used outside of the block that opens it")
    inside = block[block.index(assignment) + 1 : block.index(last) + 1]
    for use in uses:
        if refusal := _use_problem(use, target, facts):
            return refusal
    if refusal := _block_problem(call, inside, facts):
        return refusal
    outcome = _enclosed(call, assignment, inside, uses, facts)
    after = _following(last, facts.scopes.names[target].node, facts)
    if isinstance(outcome, Rewrite) and not any(_takes_memory(one, facts) for one in after):
        reason = f"nothing that needs memory follows the last use of {target.id}, and the session goes with its name"
        return Refusal(call, Code.NO_GAIN, reason)
    return outcome


def _following(last: gast.stmt, home: gast.AST, facts: Facts) -> Iterator[gast.stmt]:
    """What may run after a statement in its function, or at the top level, while a name of it is still there."""
    statement: gast.AST = last
    for parent in facts.scopes.ancestors(last):
        if isinstance(statement, gast.stmt):
            block = block_of(statement, parent)
            yield from block[block.index(statement) + 1 :]
        if parent is home:
            return
        statement = parent


def _takes_memory(statement: gast.stmt, facts: Facts) -> bool:
    """Does it more than show, give names to what there is, and return?"""
    match statement:
        case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.ClassDef() | gast.Import() | gast.ImportFrom():
            return False
    calls = (one for one in gast.walk(statement) if isinstance(one, gast.Call))
    return any(facts.called(one) not in _READERS for one in calls) or any(isinstance(one, gast.BinOp) for one in gast.walk(statement))


def _enclosed(call: gast.Call, assignment: gast.Assign, inside: list[gast.stmt], uses: list[gast.Name], facts: Facts) -> Outcome:
    target, source = assignment.targets[0], facts.source
    whole, value = source.span(assignment), facts.edit.outer_span(call)
    moved = facts.edit.indented(assignment, inside[-1])
    end = source.line_end(whole.end)
    alone = not source.text[source.line_start(whole.start) : whole.start].strip() and whole.end == value.end
    rest = source.text[whole.end : end].strip()
    if moved is None or not alone or (rest and not rest.startswith("#")):
        return Refusal(call, Code.LAYOUT, "its lines are shared with other statements, or indented in more than one way")
    edits = (Edit(whole.start, value.start, "with "), Edit(whole.end, whole.end, f" as {target.id}:"), *moved)
    doubt = _doubt(call, inside, uses, facts)
    reason = f"{target.id} is closed, and frees its variables, after its last use"
    region = (assignment, *inside)
    if doubt:
        return Rewrite(assignment, edits, reason, evidence=Evidence.UNPROVEN, doubt=doubt, region=region)
    return Rewrite(assignment, edits, reason, region=region)


# The name


def _uses(target: gast.Name, facts: Facts) -> list[gast.Name]:
    """Everything that reads the name, in the order of the text."""
    owner = facts.scopes.names[target].lookup(target.id)
    if owner is None:
        return []
    found = [use for scope in (owner, *owner.below()) for use in scope.uses.get(target.id, ()) if scope.lookup(target.id) is owner]
    return sorted(found, key=lambda use: facts.source.span(use).start)


def _ends(use: gast.Name, facts: Facts) -> bool:
    """Does somebody already close the session here: by `close`, or by a `with` of the session itself?"""
    match facts.parent(use):
        case gast.Attribute(attr="close" | "__exit__" | "__enter__") | gast.withitem():
            return True
        case gast.Call(func=gast.Attribute(attr="enter_context" | "closing") | gast.Name(id="closing")):
            return True
    return False


def _holder_problem(target: gast.Name, call: gast.Call, facts: Facts) -> Refusal | None:
    scope = facts.scopes.names[target]
    owner = scope.lookup(target.id)
    if owner is not scope or isinstance(scope.node, gast.ClassDef) or target.id in scope.shared:
        return Refusal(call, Code.OTHER_NAMES, f"{target.id} is known outside of its function")
    if scope.is_read_as_a_whole:
        return Refusal(call, Code.OTHER_NAMES, "locals(), eval or the like may read any name here")
    if len(scope.bindings[target.id]) != 1:
        return Refusal(call, Code.MAY_CHANGE, f"{target.id} is assigned another value, or deleted, too")
    if call.args or not {one.arg for one in call.keywords} <= _SETTINGS:
        return Refusal(call, Code.OTHER_NAMES, "the session's process may be another one than this, with variables that others use")
    if isinstance(scope.node, gast.Module) and facts.is_interactive:
        reason = f"{target.id} belongs to all cells of the notebook, and one that is run again may use it"
        return Refusal(call, Code.NOTEBOOK, reason, f"Write with tf.compat.v1.Session() as {target.id}:, if its cell alone needs it.")
    if isinstance(scope.node, gast.Module) and not facts.callers.is_script:
        return Refusal(call, Code.CALLERS_UNKNOWN, f"other modules may import {target.id} from this one", "Open it in a function.")
    return None


def _last_use(block: list[gast.stmt], assignment: gast.stmt, uses: list[gast.Name], facts: Facts) -> gast.stmt | None:
    """The last statement of the block that uses the session, where all that use it follow its assignment there."""
    below = block[block.index(assignment) + 1 :]
    found = []
    for use in uses:
        holding = next((one for one in below if one is facts.scopes.statement(use) or one in facts.scopes.ancestors(use)), None)
        if holding is None:
            return None
        found.append(holding)
    return max(found, key=below.index)


# What is done with it


def _use_problem(use: gast.Name, target: gast.Name, facts: Facts) -> Refusal | None:
    home = facts.scopes.names[target].node
    around = itertools.takewhile(lambda one: one is not home, facts.scopes.ancestors(use))
    if any(isinstance(one, (*FUNCTIONS, gast.ClassDef, gast.GeneratorExp)) for one in around):
        return Refusal(facts.scopes.statement(use), Code.OTHER_NAMES, f"{use.id} is known to an inner function, which may be called later")
    match parent := facts.parent(use):
        case gast.Attribute(attr="graph"):
            return None
        case gast.Attribute(attr="run") if isinstance(runs := facts.parent(parent), gast.Call) and runs.func is parent:
            return None
        case gast.Attribute(attr="as_default"):
            return Refusal(
                facts.scopes.statement(use),
                Code.CONTROL_FLOW,
                f"{use.id}.as_default() is a with block already, which does not close it",
                "Open the session in the with itself.",
            )
        case gast.keyword(arg="session") if _takes_session(facts.parent(parent)):
            return None
        case gast.Call(func=gast.Attribute(attr="save" | "restore", value=saver), args=[first, *_]) if first is use and _is_saver(
            saver, facts
        ):
            return None
        case gast.Return() | gast.Tuple() | gast.List() | gast.Dict() | gast.Assign() | gast.Yield():
            return Refusal(facts.scopes.statement(use), Code.OTHER_NAMES, f"{use.id} is passed on, and may be used later")
        case gast.Call() | gast.keyword():
            return Refusal(
                facts.scopes.statement(use),
                Code.OTHER_NAMES,
                f"{use.id} is passed to a function, which may keep it",
                f"Close {use.id} where it isn't needed any more.",
            )
    return Refusal(facts.scopes.statement(use), Code.OTHER_NAMES, f"not every use of {use.id} is known to end with its block")


def _takes_session(call: gast.AST | None) -> bool:
    return isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute) and call.func.attr in ("eval", "run")


def _is_saver(node: gast.AST, facts: Facts) -> bool:
    if not isinstance(node, gast.Name) or (owner := facts.scopes.names[node].lookup(node.id)) is None:
        return False
    values = [getattr(facts.parent(binding), "value", None) for binding in owner.bindings[node.id]]
    return all(value is not None and facts.called(value) == "tensorflow.compat.v1.train.Saver" for value in values)


# What else stands in the block: the session is the default one there, and its graph the default graph


def _block_problem(call: gast.Call, inside: list[gast.stmt], facts: Facts) -> Refusal | None:
    if any(one.attr == "get_default_session" for one in facts.nodes((gast.Attribute,))):
        return Refusal(call, Code.OTHER_NAMES, "this file asks for the default session, which this one would be")
    for node in _reached(inside, facts):
        if isinstance(node, gast.Attribute | gast.Name) and (facts.names(node) or "").rpartition(".")[2] in _STACKED:
            return Refusal(call, Code.CONTROL_FLOW, f"{facts.edit.short(node, node.attr)} can't be inside of a with block")
    for node in (node for statement in inside for node in (statement, *walk_within(statement))):
        match node:
            case gast.Yield() | gast.YieldFrom() | gast.Await() | gast.AsyncFor() | gast.AsyncWith():
                return Refusal(call, Code.CONTROL_FLOW, "the session would stay the default one between the iterations of a generator")
            case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.ClassDef() | gast.Lambda():
                return Refusal(call, Code.CONTROL_FLOW, "a function is defined where the session would be open", "Define it before.")
            case gast.Call(func=gast.Attribute(attr="eval" | "run" as method), keywords=keywords) if not (
                any(one.arg == "session" for one in keywords) or _on_session(node, facts)
            ):
                return Refusal(call, Code.OTHER_NAMES, f"{method}() without a session would take this one", f"Write {method}(session=...).")
            case gast.Call() if "keras" in (facts.called(node) or "").split("."):
                return Refusal(call, Code.OTHER_NAMES, f"{facts.edit.short(node.func)} would take this session for its own")
            case gast.Call() if _graph(call) is not None and _builds(node, facts) and not _same_graph(call, node, facts):
                return Refusal(
                    call, Code.IN_GRAPH, f"{facts.edit.short(node.func)} would be built in the session's graph, and isn't now", _SAY
                )
        for operand in _operands(node, facts):
            if facts.kind(operand).sort in (Sort.TENSOR, Sort.VARIABLE) and not _same_graph(call, node, facts):
                return Refusal(
                    call,
                    Code.IN_GRAPH,
                    f"{_shown(operand, facts)} may be an eager tensor, and computing with it would be part of the graph",
                    _SAY,
                )
    return None


def _reached(inside: list[gast.stmt], facts: Facts) -> list[gast.AST]:
    """What stands in the block, and in the functions of the file that it names, and those name."""
    waiting: list[gast.AST] = list(inside)
    found: dict[gast.AST, None] = {}
    while waiting:
        for node in gast.walk(waiting.pop()):
            if node not in found:
                found[node] = None
                function = facts.callers.function_named(node)
                waiting += [function] if function is not None else []
    return list(found)


def _builds(call: gast.Call, facts: Facts) -> bool:
    return (facts.called(call) or "").startswith("tensorflow.")


def _on_session(call: gast.Call, facts: Facts) -> bool:
    held = getattr(call.func, "value", None)
    if not isinstance(held, gast.Name):
        return False
    owner = facts.scopes.names[held].lookup(held.id)
    holders = [facts.parent(binding) for binding in owner.bindings[held.id]] if owner is not None else []
    values = [getattr(one, "value", None) or getattr(one, "context_expr", None) for one in holders]
    return bool(values) and all(value is not None and facts.called(value) == _SESSION for value in values)


def _doubt(call: gast.Call, inside: list[gast.stmt], uses: list[gast.Name], facts: Facts) -> Refusal | None:
    """What the block does that may mean something else in it, as far as this can't be known."""
    given = {facts.parent(facts.parent(use) or use) for use in uses} | {facts.parent(use) for use in uses}
    nodes = [node for one in inside for node in (one, *walk_within(one))]
    for other in nodes:
        if isinstance(other, gast.Call):
            if other in given or _on_session(other, facts):
                continue
            name = facts.called(other) or ""
            root, method = name.partition(".")[0], getattr(other.func, "attr", "")
            if root == "tensorflow":
                if not _same_graph(call, other, facts):
                    return Refusal(
                        call,
                        Code.IN_GRAPH,
                        f"{facts.edit.short(other.func)} would be built in the session's graph, and it isn't known that it is now",
                        _SAY,
                    )
            elif root not in _HARMLESS and (name or method not in _PLAIN_METHODS):
                shown = facts.edit.short(other.func, f"{method}()" if method else "a call")
                return Refusal(call, Code.UNKNOWN_CALL, f"{shown} may ask for the default session, which this one would be")
        for operand in _operands(other, facts):
            if not _plain(operand, facts, set()) and not _same_graph(call, other, facts):
                return Refusal(
                    call,
                    Code.IN_GRAPH,
                    f"{_shown(operand, facts)} may be an eager tensor, and computing with it would be part of the graph",
                    _SAY,
                )
    return None


def _shown(operand: gast.expr, facts: Facts) -> str:
    return facts.edit.short(operand, f"what {facts.source.shown_lines(operand.lineno)} computes with")


def _operands(node: gast.AST, facts: Facts) -> list[gast.expr]:
    """What an operation would be built from, were it a tensor."""
    match node:
        case gast.BinOp(left=left, right=right):
            return [left, right]
        case gast.Compare(left=left, ops=ops, comparators=others) if not all(isinstance(op, gast.Is | gast.IsNot) for op in ops):
            return [left, *others]
        case gast.AugAssign(target=target, value=value):
            return [target, value]
        case (
            gast.Subscript(value=value)
            | gast.Match(subject=value)
            | gast.For(iter=value)
            | gast.comprehension(iter=value)
            | gast.UnaryOp(operand=value)
        ):
            return [value]
        case gast.If(test=test) | gast.While(test=test) | gast.IfExp(test=test) | gast.Assert(test=test):
            return [] if isinstance(test, gast.Compare) else [test]
        case gast.BoolOp(values=values):
            return [one for one in values[:-1] if not isinstance(one, gast.Compare)]  # the last one's truth isn't asked for
        case gast.Starred(value=value):
            return [value]
        case gast.Call(args=args) if (name := facts.called(node) or "").startswith("builtins.") and name not in _READERS:
            return list(args)
        case gast.Assign(targets=[gast.Tuple() | gast.List()], value=value):
            return [value]
    return []


def _plain(node: gast.AST, facts: Facts, asked: set[gast.AST]) -> bool:
    """Is a value certainly no tensor: a number, a text, what a session or NumPy returned, or made of these alone?"""
    if facts.names(node) is not None or facts.kind(node).sort in _NO_TENSORS:
        return True
    match node:
        case gast.Name():
            owner = facts.scopes.names[node].lookup(node.id)
            givers = owner.bindings[node.id] if owner is not None and node.id not in owner.shared else [None]
            fresh = [one for one in givers if one not in asked]
            asked.update(one for one in givers if one is not None)
            return all(one is not None and _gives_plain(one, facts, asked) for one in fresh)
        case gast.Call(func=func, args=args, keywords=keywords):
            if (
                _on_session(node, facts)
                or facts.called(node) == _SESSION
                or (_takes_session(node) and any(one.arg == "session" for one in keywords))
            ):
                return True
            given = [*args, *(one.value for one in keywords)]
            if (facts.called(node) or "").partition(".")[0] not in _HARMLESS:
                given.append(func.value if isinstance(func, gast.Attribute) else func)
                if facts.called(node) is not None:
                    return False
            return all(_plain(one, facts, asked) for one in given)
        case gast.Attribute(value=value):
            return _plain(value, facts, asked)
        case gast.Constant() | gast.JoinedStr():
            return True
        case gast.Lambda() | gast.Await() | gast.Yield() | gast.YieldFrom():
            return False
    parts = [one for one in gast.iter_child_nodes(node) if isinstance(one, gast.expr)]
    parts += [one.iter for one in getattr(node, "generators", ())]
    return all(_plain(one, facts, asked) for one in parts)


def _gives_plain(binding: gast.AST, facts: Facts, asked: set[gast.AST]) -> bool:
    target = binding
    while isinstance(facts.parent(target), gast.Tuple | gast.List | gast.Starred):
        target = facts.parent(target) or target
    match facts.parent(target):
        case gast.Assign(value=value) | gast.AugAssign(value=value) | gast.NamedExpr(value=value):
            return _plain(value, facts, asked)
        case gast.AnnAssign(value=value) if value is not None:
            return _plain(value, facts, asked)
        case gast.For(iter=value, target=own) | gast.comprehension(iter=value, target=own) if own is target:
            return _plain(value, facts, asked)
    return False


def _same_graph(call: gast.Call, other: gast.AST, facts: Facts) -> bool:
    """Does a call of TensorFlow run in the session's graph anyway?"""
    if (facts.called(other) or "").startswith(
        ("tensorflow.io.", "tensorflow.compat.v1.logging.", "tensorflow.compat.v1.gfile.", "tensorflow.compat.v1.Graph")
    ):
        return True
    if isinstance(other, gast.Call) and facts.called(other) == _SESSION and _graph(other) is not None:
        return True
    graph = _graph(call)
    if graph is None and any(facts.called(one) in _GRAPH_MODE for one in facts.nodes((gast.Call,))):
        return _surrounding(call, facts) == _surrounding(other, facts)
    around, inside = _surrounding(call, facts), _surrounding(other, facts)
    if len(inside) > len(around):
        return True  # in a graph that the block itself names
    return bool(around) and around == inside and (graph is None or facts.source.text_of(graph) == around[0])


def _graph(session: gast.Call) -> gast.expr | None:
    return next((one.value for one in session.keywords if one.arg == "graph"), None)


def _surrounding(node: gast.AST, facts: Facts) -> list[str]:
    """The graphs whose `as_default()` blocks hold the node in its function, the innermost first."""
    found = []
    for ancestor in facts.scopes.ancestors(node):
        match ancestor:
            case gast.With(items=items):
                for item in reversed(items):
                    match item.context_expr:
                        case gast.Call(func=gast.Attribute(attr="as_default", value=graph)):
                            found.append(
                                item.optional_vars.id if isinstance(item.optional_vars, gast.Name) else facts.source.text_of(graph)
                            )
            case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.Lambda():
                break
    return found
