"""What is known about one program. Asked lazily, found out once: `Facts` has all the questions.

scopes        which scope a name belongs to, and what binds it there
names         what a dotted name is, whatever it was imported as
flow          which definition reaches a use, with `chains` of beniget's
liveness      which names may still be read after a statement
infer         the kind of every expression, found by a `walk` through each scope, with `array_values` for NumPy's
call_graph    which functions an expression stands for, and every call of them in the file
importers     calls of them in other files of the project
imported      what the file takes from others: constants, classes, functions
contexts      does the code at a place run eagerly, in a graph, under XLA, under a tape?
mutation      what the file changes after it was made
worlds        what may be taken for true beside what the text says
observed      what a run has shown, with `observed_facts`, which are made of it
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Container, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

import gast

from tfrewrite import edits
from tfrewrite.codes import Code
from tfrewrite.facts.call_graph import CallGraph
from tfrewrite.facts.contexts import Contexts, Mode
from tfrewrite.facts.flow import Flow
from tfrewrite.facts.imported import Imports
from tfrewrite.facts.infer import Inference
from tfrewrite.facts.liveness import Liveness
from tfrewrite.facts.mutation import Mutation
from tfrewrite.facts.names import Names, Supposed, keras_computes_with
from tfrewrite.facts.scopes import DEFINITIONS, FUNCTIONS, Function, Scopes, block_of, bound_arguments, parameters
from tfrewrite.facts.walk.environment import Iterations
from tfrewrite.facts.walk.taken_before import Taken
from tfrewrite.facts.worlds import OF_THE_TEXT, World
from tfrewrite.kinds import Kind, Sort
from tfrewrite.ops import method, op
from tfrewrite.ops.operators import of_operator
from tfrewrite.ops.row import UNKNOWN_OP, Op
from tfrewrite.outcomes import Edit, Refusal
from tfrewrite.source import Source
from tfrewrite.standing import Standing

__all__ = ["Facts", "Kind", "Mode", "Sort", "World"]

T = TypeVar("T")
N = TypeVar("N", bound=gast.AST)
_SIMPLE = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Return, gast.Expr)
_WITH_NUMPY = frozenset({"tensorflow", "keras", "tf_keras"})
_TESTING = ("test", "setUp", "setup_", "tearDown", "teardown_")
SMALL = 16  # elements: what fits a cache line costs the same with and without


def _holds(kind: Kind, owner: gast.ClassDef) -> bool:
    return kind.instance is owner or any(_holds(one, owner) for one in kind.items or ())


class Read:
    """What the text of a file says, whatever is supposed beside it, and the facts of all worlds that were asked for."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tree = source.tree
        self.scopes = Scopes(self.tree)
        self.imports: Imports | None = None
        if source.around.imports:
            self.imports = Imports(source.around, self.scopes)
        beside = () if self.imports is None else self.imports.paths
        self.names = Names(self.scopes, keras_computes_with(source.text) == "tensorflow", beside)
        self.by_type = _sorted_by_type(self.tree, self.scopes)
        within_texts = _in_texts(self.scopes) if gast.JoinedStr in self.by_type else frozenset()
        self.in_text = {kind: [one for one in nodes if one not in within_texts] for kind, nodes in self.by_type.items()}
        """The nodes that have a place in the text."""
        elsewhere = None
        if source.standing is Standing.IMPORTED:
            from tfrewrite.facts.importers import Importers  # which is made of facts itself

            elsewhere = Importers(source.path, source.around)
        callers = CallGraph(self.tree, self.scopes, self.names, self.by_type, source.standing, elsewhere)
        self.contexts = Contexts(self.scopes, self.names, self.by_type, callers)
        self.flow = Flow(self.tree, self.scopes, self.names)
        self.edit = edits.Editor(source, self.scopes)
        self.liveness: dict[gast.AST, Liveness] = {}
        self.worlds: dict[World, Facts] = {}
        self.taken: dict[tuple[tuple[gast.AST, str], ...], Taken] = {}
        """The walks that were taken through the text, by what its names mean."""
        self.edited: Facts | None = None


class Facts:
    """Everything that a transform may ask about one version of one file, in one `World`."""

    def __init__(self, source: Source, world: World = OF_THE_TEXT, read: Read | None = None) -> None:
        self.world = world
        self._read = read = read or Read(source)
        read.worlds.setdefault(world, self)
        self.source = source
        self.tree = read.tree
        self.scopes = read.scopes
        self.flow = read.flow
        self.edit = read.edit
        self.names: Names = self._named(read.names)
        self.contexts = read.contexts
        self.imports = read.imports
        self._inside: dict[gast.Call, Facts | None] = {}
        self._shown_around: dict[gast.ClassDef, bool] = {}
        self._answers: dict[Hashable, Any] = {}

    def once(self, question: Callable[[Facts], T]) -> T:
        """The answer to a question about the whole file, which is found out once."""
        if question not in self._answers:
            self._answers[question] = question(self)
        answer: T = self._answers[question]
        return answer

    def once_for(self, node: N, question: Callable[[N, Facts], T]) -> T:
        """The answer to a question about a part of it, likewise."""
        if (question, node) not in self._answers:
            self._answers[question, node] = question(node, self)
        answer: T = self._answers[question, node]
        return answer

    def given(self, world: World) -> Facts:
        """The facts of the same text in another world."""
        found = self._read.worlds.get(world)
        if found is None:
            found = self._read.worlds[world] = self._of(world)
        return found

    def _of(self, world: World) -> Facts:
        if world.observed is None:
            return Facts(self.source, world, self._read)
        from tfrewrite.facts.observed_facts import ObservedFacts  # which is made of facts itself

        return ObservedFacts(self.source, world, self._read)

    def edited(self, edits: Iterable[Edit]) -> Facts:
        """The facts of the text after some edits, by the text alone. The last ones are kept, as callers are believed next."""
        edits = list(edits)
        text = self.source.apply(edits)
        last = self._read.edited
        if last is None or last.source.text != text:
            last = self._read.edited = Facts(self.source.after(edits))
        return last.given(World(self.world.callers_believed))

    def _named(self, names: Names) -> Names:
        return Supposed(names, self.scopes, dict(self.world.meant)) if self.world.meant else names

    @property
    def callers(self) -> CallGraph:
        return self.contexts.callers

    @property
    def mutation(self) -> Mutation:
        return self.contexts.callers.mutation

    @property
    def of_the_text(self) -> Facts:
        """What the text alone says, without what a run has shown."""
        return self if self.world.observed is None else self.given(self.world.unobserved())

    @cached_property
    def _inference(self) -> Inference:
        taken = self._read.taken.setdefault(self.world.meant, Taken())
        return Inference(self.tree, self.scopes, self.names, self.contexts, self.world, None, self._unsettled, self.imports, taken)

    def iterations(self, loop: gast.AST) -> Iterations | None:
        """What a loop's names are before it and after each of its iterations; None for one that is never reached."""
        return self._inference.iterations(loop)

    def function_called(self, call: gast.Call) -> Function | None:
        """The function of this file that a call runs: one that it names, or the method of an object whose class is known."""
        return self.callers.function_called(call) or self._inference.method_called(call)

    def inside(self, call: gast.Call) -> Facts | None:
        """The same facts, were this call the only one of the function that it runs; None where what goes where isn't written."""
        if call not in self._inside:
            function = self.function_called(call)
            given = None if function is None else self._handed_over(call, function)
            self._inside[call] = None if given is None else self.given(self.world.supposing(given))
        return self._inside[call]

    def _handed_over(self, call: gast.Call, function: Function) -> dict[gast.AST, Kind] | None:
        of_object = self.callers.function_called(call) is None
        given = bound_arguments(function, call, of_object)
        if given is None:
            return None
        by_name = {one.id: one for one in parameters(function)}
        handed: dict[gast.AST, Kind] = {by_name[name]: self.kind(value) for name, value in given.items()}
        if of_object:
            handed[parameters(function)[0]] = self.kind(call.func.value if isinstance(call.func, gast.Attribute) else call.func)
        return handed

    def is_shown_around(self, owner: gast.ClassDef) -> bool:
        """Is an object of a class of this file handed to something of which it isn't known what it does with it?"""
        if (plain := self.given(self.world.unsupposed())) is not self:
            return plain.is_shown_around(owner)
        if owner not in self._shown_around:
            self._shown_around[owner] = False  # while the calls are looked at
            calls = (one for one in self.nodes([gast.Call]) if isinstance(one, gast.Call) and not self._is_familiar(one))
            given = (value for call in calls for value in (*call.args, *(one.value for one in call.keywords)))
            self._shown_around[owner] = any(_holds(self.kind(value), owner) for value in given)
        return self._shown_around[owner]

    def _is_familiar(self, call: gast.Call) -> bool:
        """Does a call run something of this file, of TensorFlow or of Python's own, or put its arguments into a list?"""
        name = self.called(call)
        if name is not None:
            return name.startswith(("tensorflow.", "builtins.", "copy."))
        if isinstance(call.func, gast.Attribute) and call.func.attr in ("append", "extend", "insert", "add"):
            return True
        return self.callers.class_named(call.func) is not None or self.function_called(call) is not None

    def nodes(self, types: Sequence[type[gast.AST]]) -> list[gast.AST]:
        return [node for one in types for node in self._read.by_type.get(one, ())]

    def places(self, types: Sequence[type[gast.AST]]) -> list[gast.AST]:
        """The nodes that can be rewritten. Before Python 3.12 an expression in an f-string has no place in the text."""
        return [node for one in types for node in self._read.in_text.get(one, ())]

    # Values

    def called(self, node: gast.AST) -> str | None:
        """The canonical name of the function that a call calls."""
        return self.names(node.func) if isinstance(node, gast.Call) else None

    def op(self, node: gast.AST) -> Op:
        """What is known of the function that a call calls, or of what an operator does to tensors."""
        match node:
            case gast.Call(func=function):
                return op(self.names(function))
            case gast.BinOp(op=operator) | gast.AugAssign(op=operator) | gast.UnaryOp(op=operator) | gast.Compare(ops=[operator]):
                return of_operator(operator)
        return UNKNOWN_OP

    def row(self, call: gast.Call) -> Op:
        """What is known of what a call calls, methods of arrays and datasets among it."""
        row = self.op(call)
        if row is UNKNOWN_OP and isinstance(call.func, gast.Attribute) and self.called(call) is None:
            return op(method(self.kind(call.func.value), call.func.attr))
        return row

    def arguments(self, call: gast.Call) -> dict[str, gast.expr] | None:
        """A known function's arguments by the names of its row; None for a starred call or an unknown function."""
        row = self.row(call)
        starred = any(isinstance(one, gast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords)
        if row.returns is None or starred or len(call.args) > len(row.parameters):
            return None
        found = dict(zip(row.parameters, call.args, strict=False))
        for keyword in call.keywords:
            name = row.parameter(keyword.arg)
            if name in found:
                return None
            found[name] = keyword.value
        return found

    def kind(self, node: gast.AST) -> Kind:
        return self._inference.kind(node)

    def imported(self, node: gast.AST) -> bool:
        """Does an expression stand for something that another file of the project defines?"""
        return self.imports is not None and self.imports.thing(node) is not None

    def returned(self, function: gast.AST) -> Kind:
        """What a function of this file returns, whatever it is called with."""
        return self._inference.returned(function)

    def returned_for(self, function: Function, given: Mapping[str, Kind]) -> Kind:
        """What a function of this file returns where its parameters are of these kinds."""
        return self._inference.returned_for(function, given)

    def attribute_of(self, owner: gast.ClassDef, name: str) -> Kind:
        """What the objects of a class of this file have by a name, where its `__init__` alone gives it."""
        return self._inference.attribute_of(owner, name)

    def same_object(self, a: gast.AST, b: gast.AST) -> bool:
        """Are both the same name or dotted path, written in one expression?"""
        match a, b:
            case gast.Name(id=x), gast.Name(id=y):
                return bool(x == y)
            case gast.Attribute(value=x, attr=i), gast.Attribute(value=y, attr=j):
                return i == j and self.same_object(x, y)
        return False

    def behind(self, node: gast.AST, *functions: str) -> gast.AST:
        """The expression itself, or the one that its name was given just for this use (see `inlined`).

        With `functions`, only calls of these are of interest.
        """
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and self._may_be(node, functions):
            assignment = self.inlined(node)
            if assignment is not None:
                value: gast.AST = assignment.value
                return value
        return node

    def _may_be(self, use: gast.Name, functions: tuple[str, ...]) -> bool:
        """A quick look at what the name is given anywhere, before its definitions are followed."""
        for binding in self.scopes.names[use].bindings.get(use.id, ()):
            parent = self.scopes.parents.get(binding)
            if isinstance(parent, gast.Assign) and (not functions or self.called(parent.value) in functions):
                return True
        return False

    def inlined(self, use: gast.Name) -> gast.Assign | None:
        """The assignment that a name's only use could take the place of, with nothing else changing.

        The value has to be free of effects and to read only what can't have changed when the use is reached.
        """
        assignment = self.flow.sole_definition(use)
        if assignment is None or not self.pure(assignment.value) or self.scopes.names[use].is_read_as_a_whole:
            return None
        home = self.scopes.parents[assignment]
        statement = self.scopes.statement(use)
        if self.scopes.parents[statement] is not home or not isinstance(statement, _SIMPLE):
            return None
        block = block_of(assignment, home)
        if not any(one is statement for one in block):
            return None
        first = next(i for i, one in enumerate(block) if one is assignment)
        last = next(i for i, one in enumerate(block) if one is statement)
        if self._conditionally_evaluated(use, statement) or not self._lasting(assignment.value, block[first + 1 : last + 1], use):
            return None
        # A name that is taken away needs no `del` after its use, where that takes nothing else away.
        deletions = self._deletions(assignment)
        if deletions is None or not all(any(one is after for after in block[last + 1 :]) for one in deletions):
            return None
        return assignment

    def _deletions(self, assignment: gast.Assign) -> list[gast.Delete] | None:
        """The `del name` of what an assignment gave; None where one deletes more than that."""
        names = self.flow.deletions(assignment.targets[0])
        statements = [one for name in names if isinstance(one := self.scopes.parents[name], gast.Delete) and len(one.targets) == 1]
        return statements if len(statements) == len(names) else None

    def _conditionally_evaluated(self, use: gast.AST, statement: gast.stmt) -> bool:
        for ancestor in self.scopes.ancestors(use):
            if ancestor is statement:
                return False
            if isinstance(ancestor, gast.BoolOp | gast.IfExp | gast.Compare | gast.Lambda):
                return True
        return True

    def _rebound_elsewhere(self, use: gast.Name) -> bool:
        """Does another scope give the name a value, by `global` or `nonlocal`?"""
        owner = self.scopes.names[use].lookup(use.id)
        return owner is not None and use.id in owner.shared

    def _lasting(self, value: gast.AST, between: Iterable[gast.stmt], use: gast.AST) -> bool:
        """Does an expression mean the same after these statements? (The last of them holds it.)"""
        read = {node.id for node in gast.walk(value) if isinstance(node, gast.Name)}
        if any(isinstance(node, gast.Name) and self._rebound_elsewhere(node) for node in gast.walk(value)):
            return False
        values = [self.kind(node) for node in gast.walk(value) if isinstance(node, gast.Name) and self.names(node) is None]
        later = set(self.scopes.ancestors(use))  # a call that takes the value as an argument comes after it
        for statement in between:
            for node in (statement, *self.scopes.within(statement)):
                if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load) and node.id in read:
                    # The statement that holds the use assigns only after it.
                    if statement is not list(between)[-1]:
                        return False
                if isinstance(node, gast.NamedExpr | gast.Await | gast.Yield | gast.YieldFrom):
                    return False
                if isinstance(node, gast.Attribute) and node.attr in ("watch", "reset"):
                    return False  # a tape records what comes after, and not what came before
                if isinstance(node, gast.Call) and node not in later and self._may_watch(node):
                    return False
                if isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef | gast.alias | gast.Match):
                    return False  # they give names too, and are too rare to look into
        # A tensor can't change; anything else can, in whatever is called or stored on the way.
        if all(kind.sort in (Sort.TENSOR, Sort.NUMBER) for kind in values):
            return True
        *before, _ = between  # what the last one stores, it stores after the use
        calls = (
            node for statement in between for node in self.scopes.within(statement) if isinstance(node, gast.Call) and node not in later
        )
        return all(map(self.pure, calls)) and not any(map(self._stores, before))

    def _may_watch(self, call: gast.Call) -> bool:
        """May an unknown function tell a tape to watch something?"""
        if (self.called(call) or "").startswith(("tensorflow.", "builtins.")):
            return False
        return self.contexts.watches or any(self.kind(one).sort is Sort.TAPE for one in call.args)

    def _stores(self, statement: gast.stmt) -> bool:
        """May a statement change something that is not a name of its own: an attribute, a member, a list in place?"""
        for node in (statement, *self.scopes.within(statement)):
            if isinstance(node, gast.Attribute | gast.Subscript) and not isinstance(node.ctx, gast.Load):
                return True
            if isinstance(node, gast.AugAssign | gast.For | gast.AsyncFor | gast.With | gast.AsyncWith):
                return True
        return False

    def pure(self, node: gast.AST, also: Collection[gast.AST] = ()) -> bool:
        """Free of effects, and the same every time: known functions and operators of names and constants.

        `also` are calls that are known to be so otherwise.
        """
        for one in (node, *self.scopes.within(node)):
            match one:
                case gast.Call() if one in also:
                    pass
                case gast.Attribute() if (call := self.parent(one)) in also and isinstance(call, gast.Call) and call.func is one:
                    pass
                case gast.Call() if not self._pure_call(one):
                    return False
                case gast.NamedExpr() | gast.Await() | gast.Yield() | gast.YieldFrom() | gast.Lambda():
                    return False
                case gast.Attribute() | gast.Subscript() if self.names(one) is None and self.mutation.may_have_effects(one):
                    return False
                case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp() | gast.JoinedStr():
                    return False
        return True

    def _pure_call(self, call: gast.Call) -> bool:
        return (self.called(call) or "").startswith("tensorflow.") and self.op(call).is_pure

    def product(self, node: gast.AST) -> tuple[gast.AST, gast.AST] | None:
        """The operands of `tf.matmul(a, b)` or `a @ b`."""
        match node:
            case gast.BinOp(left=left, op=gast.MatMult(), right=right):
                return left, right
            case gast.Call() if self.called(node) == "tensorflow.matmul":
                arguments = self.arguments(node) or {}
                if "x" in arguments and "y" in arguments:
                    return arguments["x"], arguments["y"]
        return None

    def allocates(self, call: gast.Call) -> bool:
        """Is it a call of a known function that makes a new buffer from tensors?"""
        row = self.op(call)
        if row.itself_unless:
            dtype = self.kind((self.arguments(call) or {}).get("x", call)).dtype or ""
            return dtype.startswith(row.itself_unless)
        return row.is_known and not row.may_share and not row.creates and (self.called(call) or "").startswith("tensorflow.")

    def negligible(self, kind: Kind) -> bool:
        """Is a tensor known to be so small that nobody gains by its absence?"""
        return kind.size is not None and kind.size < SMALL

    # Names that stand for one expression

    def removal(self, use: gast.AST) -> tuple[Edit, ...] | None:
        """The edits that take away the assignment behind a name whose only use goes; none for any other expression."""
        assignment = self.inlined(use) if isinstance(use, gast.Name) else None
        if assignment is None:
            return ()
        parts = [self.edit.delete_statement(one) for one in (assignment, *(self._deletions(assignment) or ()))]
        return None if None in parts else tuple(edit for part in parts for edit in part or ())

    def obstacle(self, node: gast.AST, *uses: gast.AST) -> Refusal:
        """Why an assignment behind a name can't be taken away, and so a node not be rewritten."""
        assignments = [found for use in uses if isinstance(use, gast.Name) and (found := self.inlined(use)) is not None]
        statements = [(each.targets[0], one) for each in assignments for one in (each, *(self._deletions(each) or ()))]
        names = [self.source.text_of(name) for name, one in statements if self.edit.delete_statement(one) is None]
        if any(self.edit.has_comment_on_sizes(one) for _, one in statements):
            return Refusal(node, Code.TEXT_LOST, f"the comment beside {names[0]} mentions its sizes, and would be wrong elsewhere")
        if any(self.edit.has_comment_for_tools(one) for _, one in statements):
            reason = f"the comment beside {names[0]} tells a tool about its line, and would mean more on a line of its own"
            return Refusal(node, Code.TEXT_LOST, reason)
        return Refusal(node, Code.LAYOUT, f"the statement of {names[0]} shares its line with another, or is all that its block has")

    def moved(self, *uses: gast.AST) -> tuple[gast.AST, ...]:
        """The region that must stay as it is where expressions behind names are moved to their uses."""
        origins = [assignment for use in uses if isinstance(use, gast.Name) and (assignment := self.inlined(use)) is not None]
        return (*origins, self.scopes.statement(uses[0])) if origins else ()

    def orphans(self, gone: Iterable[gast.AST]) -> tuple[gast.Assign, ...]:
        """The assignments that nothing reads any more once these expressions are gone, and that do nothing else."""
        names = [node for one in gone for node in gast.walk(one) if isinstance(node, gast.Name)]
        found: list[gast.Assign] = []
        for name in names:
            assignment = self._only_for(name, names)
            if (
                assignment is not None
                and all(assignment is not one for one in found)
                and self.edit.delete_statement(assignment) is not None
            ):
                found.append(assignment)
                names += [node for node in gast.walk(assignment.value) if isinstance(node, gast.Name)]
        return tuple(found)

    def _only_for(self, use: gast.Name, uses: Sequence[gast.Name]) -> gast.Assign | None:
        """The assignment that a use's value comes from, where only these uses read it."""
        scope = self.scopes.names[use]
        if not isinstance(scope.node, FUNCTIONS) or scope.lookup(use.id) is not scope or scope.is_read_as_a_whole or use.id in scope.shared:
            return None
        reaching = self.flow.definitions(use)
        if reaching is None or len(reaching) != 1:
            return None
        users = self.flow.users(reaching[0])
        if users is None or not all(any(user is one for one in uses) for user in users):
            return None
        match self.scopes.parents.get(reaching[0]):
            case gast.Assign(targets=[gast.Name() as target]) as assignment if target is reaching[0] and self.pure(assignment.value):
                return assignment
        return None

    def pure_function(self, function: gast.AST) -> bool:
        """Does a function only compute its result? Its calls are of known functions, its names its own or never rebound."""
        body = function.body if isinstance(function.body, list) else [function.body]
        allowed = (gast.Assign, gast.Return, gast.expr)
        if not all(isinstance(one, allowed) for one in body):
            return False
        values = [one.value if isinstance(one, gast.Assign | gast.Return) else one for one in body]
        targets = [target for one in body if isinstance(one, gast.Assign) for target in one.targets]
        return all(value is not None and self.pure(value) for value in values) and all(isinstance(one, gast.Name) for one in targets)

    def liveness(self, function: Function | gast.Module) -> Liveness:
        """Which names of a function, or of the module, may be read where."""
        known = self._read.liveness
        if function not in known:
            known[function] = Liveness(function, self.scopes, self._ends_of_cells if function is self.tree else frozenset())
        return known[function]

    @property
    def is_interactive(self) -> bool:
        """May somebody run any part of the file again, or a part that is written later? (The cells of a notebook.)

        Then the names of its top level outlive whatever reads them last in the text: a rule that ends a life has to ask.
        """
        return self.source.is_interactive

    @cached_property
    def _unsettled(self) -> frozenset[str]:
        """The names that several cells give values, of cells that were run in another order than they stand in."""
        cells = self.source.cells
        if cells is None or not self.source.is_disordered:
            return frozenset()
        bound = {name: {cells.place(getattr(one, "lineno", 1))[0] for one in nodes} for name, nodes in self.scopes.module.bindings.items()}
        return frozenset(name for name, found in bound.items() if len(found) > 1)

    @cached_property
    def _ends_of_cells(self) -> frozenset[gast.AST]:
        """The last statement of each cell: what is run next may be any other."""
        cells = self.source.cells
        if cells is None:
            return frozenset(self.tree.body) if self.is_interactive else frozenset()
        last = {cells.place(one.lineno)[0]: one for one in self.tree.body}
        return frozenset(last.values())

    @cached_property
    def liveness_of_script(self) -> Liveness:
        """Which names of the module may be read where, if nobody imports it."""
        return Liveness(self.tree, self.scopes, self._ends_of_cells, imported=False)

    # Context

    def mode(self, node: gast.AST) -> Mode:
        return self.contexts.mode(node)

    def only_eager(self, node: gast.AST) -> bool:
        if self.contexts.only_eager(node):
            return True
        function = self.scopes.function_of(node)
        calls = [] if function is None else [one.call for one in self.callers.references(function)]
        eager = [call is not None and self.mode(call) is Mode.EAGER for call in calls]
        return self.world.callers_believed and bool(calls) and all(eager) and self.mode(node) is Mode.EAGER

    def taped(self, node: gast.AST) -> bool:
        return self.contexts.taped(node)

    def in_test(self, node: gast.AST) -> bool:
        """Does it stand in a test, which does on purpose what programs do by mistake?"""
        file = os.path.basename(self.source.path)
        if file.startswith("test") or file.endswith("_test.py") or file == "conftest.py":
            return True
        for function in (one for one in self.scopes.ancestors(node) if isinstance(one, DEFINITIONS)):
            decorators = [one.func if isinstance(one, gast.Call) else one for one in function.decorator_list]
            if function.name.startswith(_TESTING) or any(getattr(one, "attr", getattr(one, "id", "")) == "fixture" for one in decorators):
                return True
        bases = [base for one in self.nodes((gast.ClassDef,)) for base in one.bases]
        return any(str(getattr(base, "attr", getattr(base, "id", ""))).endswith("TestCase") for base in bases)

    # Places

    def parent(self, node: gast.AST) -> gast.AST | None:
        return self.scopes.parents.get(node)

    def tensorflow(self, node: gast.AST) -> str | None:
        """What TensorFlow is called where the node stands, if it was imported as a whole."""
        return self._imported("tensorflow", node)

    def _imported(self, module: str, node: gast.AST) -> str | None:
        for one in gast.walk(node):
            if isinstance(one, gast.Name) and self.names(one) == module:
                found: str = one.id
                return found
        scope = next(self.scopes.of[one] for one in self.scopes.ancestors(node) if one in self.scopes.of)
        for name, bindings in self.scopes.module.bindings.items():
            if (
                scope.lookup(name) is self.scopes.module
                and self._imported_before(bindings[0], node)
                and self.names.of_name(name, scope) == module
            ):
                return name
        return None

    def numpy(self, node: gast.AST) -> tuple[str, tuple[Edit, ...]] | None:
        """What NumPy is called where the node stands, and the edits that import it, beside TensorFlow or Keras, where nothing does yet."""
        return self._brought("numpy", "np", _WITH_NUMPY, node)

    def whole_tensorflow(self, node: gast.AST) -> tuple[str, tuple[Edit, ...]] | None:
        """The same of TensorFlow, beside something of its own, or Keras, which computes with it."""
        return self._brought("tensorflow", "tf", {"tensorflow", "keras"}, node)

    def _brought(self, module: str, short: str, by: Container[str], node: gast.AST) -> tuple[str, tuple[Edit, ...]] | None:
        if (name := self._imported(module, node)) is not None:
            return name, ()
        if self.is_bound(short, node):
            return None
        for statement in self.tree.body:
            if _imports_of(statement, by):
                start = self.source.span(statement).start
                plain = start == self.source.line_start(start) and start < self.source.span(node).start
                return (short, (Edit(start, start, f"import {module} as {short}{self.source.newline}"),)) if plain else None
        return None

    def is_bound(self, name: str, node: gast.AST) -> bool:
        """Has a name a meaning at the file's top, or where the node stands or inside of it?"""
        around = [self.scopes.of[one] for one in (node, *self.scopes.within(node), *self.scopes.ancestors(node)) if one in self.scopes.of]
        if any(name in scope.bindings for scope in (self.scopes.module, *around)) or any(
            one.name == "*" for one in self.nodes((gast.alias,))
        ):
            return True
        return any(name in scope.outer for scope in self.scopes.module.below())

    @cached_property
    def has_numpy_behavior(self) -> bool:
        """Does the file name what makes tensors compute as NumPy's arrays do, whose dtypes are promoted?"""
        name = "enable_numpy_behavior"
        if name not in self.source.text:
            return False
        nodes = self.nodes((gast.Attribute, gast.Name, gast.alias, gast.Constant))
        texts = [getattr(one, field, "") for one in nodes for field in ("attr", "id", "name", "value")]
        return any(isinstance(one, str) and one.endswith(name) for one in texts)

    def _imported_before(self, binding: gast.AST, node: gast.AST) -> bool:
        """Is it an import that has certainly been run when the node is? (One under `if TYPE_CHECKING:` never is.)"""
        if not isinstance(binding, gast.alias):
            return False
        statement = self.scopes.statement(binding)
        where = self.scopes.parents[statement]
        return isinstance(where, gast.Module | gast.Try) and self.source.span(statement).start < self.source.span(node).start


def _imports_of(statement: gast.stmt, packages: Container[str]) -> bool:
    """Does it import something of these packages?"""
    match statement:
        case gast.Import(names=names):
            return any(one.name.partition(".")[0] in packages for one in names)
        case gast.ImportFrom(module=str(module), level=0 | None):
            return module.partition(".")[0] in packages
    return False


def _sorted_by_type(tree: gast.Module, scopes: Scopes) -> dict[type[gast.AST], list[gast.AST]]:
    """The nodes of each type, in the order of the text."""
    found: dict[type[gast.AST], list[gast.AST]] = {gast.Module: [tree]}
    for node in scopes.parents:
        found.setdefault(type(node), []).append(node)
    return found


def _in_texts(scopes: Scopes) -> frozenset[gast.AST]:
    """What stands inside of f-strings."""
    inside: set[gast.AST] = set()
    for node, parent in scopes.parents.items():
        if parent in inside or isinstance(parent, gast.JoinedStr):
            inside.add(node)
    return frozenset(inside)
