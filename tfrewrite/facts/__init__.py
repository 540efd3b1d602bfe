"""What is known about one program: names, kinds, flow, context. Asked lazily, found out once."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Sequence
from functools import cached_property

import gast

from tfrewrite.facts.callers import Callers, Mode
from tfrewrite.facts.flow import Flow
from tfrewrite.facts.infer import Inference
from tfrewrite.facts.kinds import Kind, Sort
from tfrewrite.facts.names import Names
from tfrewrite.facts.ops import ALLOCATING, KEYWORDS, NOT_PURE, OPS
from tfrewrite.facts.scopes import FUNCTIONS, Scopes, block_of, walk_within
from tfrewrite.outcomes import Edit
from tfrewrite.source import Source, Span

__all__ = ["ATOM", "FACTOR", "PRODUCT", "Facts", "Kind", "Mode", "Sort"]

_SIMPLE = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Return, gast.Expr)
# What binds tighter comes later: an expression stands without parentheses where something looser is expected.
_PRECEDENCE: dict[type[gast.AST], int] = {
    gast.NamedExpr: 0, gast.Yield: 0, gast.YieldFrom: 0, gast.Lambda: 1, gast.IfExp: 1, gast.BoolOp: 2, gast.Compare: 4,
}  # fmt: skip
_OPERATORS: dict[type[gast.AST], int] = {
    gast.BitOr: 5, gast.BitXor: 6, gast.BitAnd: 7, gast.LShift: 8, gast.RShift: 8, gast.Add: 9, gast.Sub: 9,
    gast.Mult: 10, gast.Div: 10, gast.FloorDiv: 10, gast.Mod: 10, gast.MatMult: 10, gast.Pow: 12,
}  # fmt: skip
SMALL = 16  # elements: what fits a cache line costs the same with and without
ATOM = 14
FACTOR = 11
PRODUCT = 10


class Facts:
    """Everything that a transform may ask about one version of one file."""

    tree: gast.Module
    scopes: Scopes
    names: Names
    callers: Callers
    flow: Flow
    _by_type: dict[type[gast.AST], list[gast.AST]]

    def __init__(self, source: Source, believe_callers: bool = False, shared: Facts | None = None) -> None:
        self.source = source
        self._believe_callers = believe_callers
        if shared is not None:
            # What the text says doesn't depend on who is believed.
            self.tree, self.scopes, self.names, self.callers, self.flow = (
                shared.tree,
                shared.scopes,
                shared.names,
                shared.callers,
                shared.flow,
            )
            self._by_type = shared._by_type
            return
        self.tree = source.tree
        self.scopes = Scopes(self.tree)
        self.names = Names(self.scopes)
        self._by_type = _sorted_by_type(self.tree, self.scopes)
        self.callers = Callers(self.tree, self.scopes, self.names, self._by_type)
        self.flow = Flow(self.tree, self.scopes)

    @cached_property
    def believing_callers(self) -> Facts:
        """The same facts, were the calls that this file shows the only ones there are."""
        return self if self._believe_callers else Facts(self.source, True, self)

    @cached_property
    def _inference(self) -> Inference:
        return Inference(self.tree, self.scopes, self.names, self.callers, self._believe_callers)

    def nodes(self, types: Sequence[type[gast.AST]]) -> list[gast.AST]:
        return [node for one in types for node in self._by_type.get(one, ())]

    # Values

    def name(self, node: gast.AST) -> str | None:
        """The canonical dotted name of what an expression refers to."""
        return self.names(node)

    def called(self, node: gast.AST) -> str | None:
        """The canonical name of the function that a call calls."""
        return self.names(node.func) if isinstance(node, gast.Call) else None

    def arguments(self, call: gast.Call) -> dict[str, gast.expr] | None:
        """A known function's arguments by the names of `ops.py`; None for a starred call or an unknown function."""
        op = OPS.get((self.called(call) or "").removeprefix("tensorflow."))
        starred = any(isinstance(one, gast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords)
        if op is None or starred or len(call.args) > len(op.parameters):
            return None
        found = dict(zip(op.parameters, call.args, strict=False))
        for keyword in call.keywords:
            name = keyword.arg if keyword.arg in op.parameters else KEYWORDS.get(keyword.arg, keyword.arg)
            if name in found:
                return None
            found[name] = keyword.value
        return found

    def kind(self, node: gast.AST) -> Kind:
        return self._inference.kind(node)

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
        return assignment

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
        for statement in between:
            for node in (statement, *walk_within(statement)):
                if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load) and node.id in read:
                    # The statement that holds the use assigns only after it.
                    if statement is not list(between)[-1]:
                        return False
                if isinstance(node, gast.NamedExpr | gast.Await | gast.Yield | gast.YieldFrom):
                    return False
                if isinstance(node, gast.Attribute) and node.attr in ("watch", "reset"):
                    return False  # a tape records what comes after, and not what came before
                if isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef | gast.alias | gast.Match):
                    return False  # they give names too, and are too rare to look into
        # A tensor can't change; anything else can, in whatever is called or stored on the way.
        if all(kind.sort in (Sort.TENSOR, Sort.NUMBER) for kind in values):
            return True
        *before, _ = between  # what the last one stores, it stores after the use
        later = set(self.scopes.ancestors(use))  # a call that takes the value as an argument comes after it
        calls = (node for statement in between for node in walk_within(statement) if isinstance(node, gast.Call) and node not in later)
        return all(map(self.pure, calls)) and not any(map(self._stores, before))

    def _stores(self, statement: gast.stmt) -> bool:
        """May a statement change something that is not a name of its own: an attribute, a member, a list in place?"""
        for node in (statement, *walk_within(statement)):
            if isinstance(node, gast.Attribute | gast.Subscript) and not isinstance(node.ctx, gast.Load):
                return True
            if isinstance(node, gast.AugAssign | gast.For | gast.AsyncFor | gast.With | gast.AsyncWith):
                return True
        return False

    def pure(self, node: gast.AST) -> bool:
        """Free of effects, and the same every time: known functions and operators of names and constants."""
        for one in (node, *walk_within(node)):
            match one:
                case gast.Call():
                    name = self.called(one) or ""
                    short = name.removeprefix("tensorflow.")
                    if short not in OPS or short in NOT_PURE or not name.startswith("tensorflow."):
                        return False
                case gast.NamedExpr() | gast.Await() | gast.Yield() | gast.YieldFrom() | gast.Lambda():
                    return False
                case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp() | gast.JoinedStr():
                    return False
        return True

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
        return (self.called(call) or "").removeprefix("tensorflow.") in ALLOCATING

    def negligible(self, kind: Kind) -> bool:
        """Is a tensor known to be so small that nobody gains by its absence?"""
        return kind.size is not None and kind.size < SMALL

    # Names that stand for one expression

    def removal(self, use: gast.AST) -> tuple[Edit, ...] | None:
        """The edits that take away the assignment behind a name whose only use goes; none for any other expression."""
        assignment = self.inlined(use) if isinstance(use, gast.Name) else None
        return () if assignment is None else self.delete_statement(assignment)

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
            if assignment is not None and all(assignment is not one for one in found) and self.delete_statement(assignment) is not None:
                found.append(assignment)
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

    # Context

    def mode(self, node: gast.AST) -> Mode:
        return self.callers.mode(node)

    def taped(self, node: gast.AST) -> bool:
        return self.callers.taped(node)

    # Places and edits

    def parent(self, node: gast.AST) -> gast.AST | None:
        return self.scopes.parents.get(node)

    def short(self, node: gast.AST, otherwise: str = "its operand") -> str:
        """An expression as it can be quoted in a sentence."""
        text = self.source.text_of(node)
        return otherwise if len(text) > 40 or len(text.splitlines()) > 1 else text

    def outer_span(self, node: gast.AST) -> Span:
        return self.source.outer_span(node, self.parent(node))

    def region_span(self, *nodes: gast.AST) -> Span:
        spans = [self.source.span(node) for node in nodes]
        return Span(min(span.start for span in spans), max(span.end for span in spans))

    def tensorflow(self, node: gast.AST) -> str | None:
        """What TensorFlow is called where the node stands, if it was imported as a whole."""
        for one in gast.walk(node):
            if isinstance(one, gast.Name) and self.names(one) == "tensorflow":
                found: str = one.id
                return found
        scope = self.scopes.of[self.scopes.function_of(node) or self.tree]
        for name, bindings in self.scopes.module.bindings.items():
            if (
                isinstance(bindings[0], gast.alias)
                and scope.lookup(name) is self.scopes.module
                and self.names.of_name(name, scope) == "tensorflow"
            ):
                return name
        return None

    def precedence(self, node: gast.AST) -> int:
        """How tight an expression binds."""
        match node:
            case gast.BinOp(op=op):
                return _OPERATORS[type(op)]
            case gast.UnaryOp(op=op):
                return 3 if isinstance(op, gast.Not) else 11
            case gast.Await():
                return 13
            case gast.Tuple():
                return ATOM if self.source.text_of(node).startswith("(") else 0
        return _PRECEDENCE.get(type(node), ATOM)

    def _needed(self, node: gast.AST) -> int:
        """How tight an expression must bind to stand in this node's place without parentheses."""
        parent = self.parent(node)
        match parent:
            case gast.BinOp(left=left, op=op):
                level = _OPERATORS[type(op)]
                if isinstance(op, gast.Pow):
                    return ATOM if left is node else 11
                return level if left is node else level + 1
            case gast.UnaryOp(op=gast.Not()):
                return 3
            case gast.UnaryOp():
                return 11
            case gast.Compare():
                return 5
            case gast.BoolOp():
                return 4
            case gast.Attribute() | gast.Await() | gast.Starred():
                return ATOM
            case gast.Subscript(value=value) if value is node:
                return ATOM
            case gast.Call(func=func) if func is node:
                return ATOM
            case gast.IfExp():
                return 2
        return 1

    def rebuild(self, node: gast.AST, parts: Sequence[str | tuple[gast.AST, int]], precedence: int = ATOM) -> tuple[Edit, ...]:
        """Put something else in an expression's place, made of new text and of expressions that stand inside it.

        Each expression comes with how tight it must bind there; `precedence` is how tight the result binds. Expressions
        that keep their order aren't touched themselves.
        """
        place = self.outer_span(node)
        enclosed = place != self.source.span(node)
        needs_brackets = precedence < self._needed(node) or (enclosed and self._spans_lines(place))
        pieces: list[str | gast.AST] = ["("] if needs_brackets else []
        for part in parts:
            if isinstance(part, str):
                pieces.append(part)
            else:
                inner, needed = part
                brackets = self.precedence(inner) < needed or not self._stands_alone(inner)
                pieces += ["(", inner, ")"] if brackets else [inner]
        pieces += [")"] if needs_brackets else []
        kept = [self.source.span(piece) for piece in pieces if isinstance(piece, gast.AST)]
        if any(a.end > b.start for a, b in itertools.pairwise(kept)) or not all(span in place for span in kept):
            return (Edit(place.start, place.end, "".join(one if isinstance(one, str) else self.source.text_of(one) for one in pieces)),)
        edits: list[Edit] = []
        position, pending = place.start, ""
        column = place.start - self.source.line_start(place.start)
        for piece in pieces:
            if isinstance(piece, str):
                pending += piece
                continue
            span = self.source.span(piece)
            if not pending and self._better_on_its_line(node, span, column, place):
                start = position - len(self.source.text[:position]) + len(self.source.text[:position].rstrip(" "))
                kept_break = self.source.line_start(span.start) - len(self.source.newline)
                edits.append(Edit(start, kept_break))
                column, position, pending = span.end - self.source.line_start(span.end), span.end, ""
                continue
            column += len(pending)
            edits += [Edit(position, span.start, pending), *self._realigned(span, column, place)]
            lines = self._spans_lines(span)
            column = span.end - self.source.line_start(span.end) if lines else column + span.end - span.start
            position, pending = span.end, ""
        return (*edits, Edit(position, place.end, pending))

    def _better_on_its_line(self, node: gast.AST, span: Span, column: int, place: Span) -> bool:
        """Would an expression that has a line of its own make the line that it moves up to too long?"""
        source = self.source
        line = source.line_start(span.start)
        if line <= place.start or source.text[line : span.start].strip() or not self._in_brackets(node):
            return False
        longest = max(source.line_end(start) - start for start in (source.line_start(place.start), *source.line_starts_in(place)))
        return column + len(source.text[span.start : min(span.end, source.line_end(span.start))].rstrip()) > max(79, longest)

    def _in_brackets(self, node: gast.AST) -> bool:
        """May a line end before the node, because some bracket is open there?"""
        for ancestor in self.scopes.ancestors(node):
            if isinstance(ancestor, gast.stmt):
                return False
            match ancestor:
                case gast.Call(func=func):
                    inside = func is not node
                case gast.Subscript(value=value):
                    inside = value is not node
                case _:
                    inside = isinstance(ancestor, gast.List | gast.Set | gast.Dict) or self.outer_span(ancestor) != self.source.span(
                        ancestor
                    )
            if inside:
                return True
            node = ancestor
        return False

    def _realigned(self, span: Span, column: int, place: Span) -> list[Edit]:
        """Move the further lines of an expression along with its first one, which comes to stand in another column."""
        source = self.source
        starts = [start for start in source.line_starts_in(span) if source.text[start : source.line_end(start)].strip()]
        if not starts:
            return []
        indents = [source.indentation(start) for start in starts]
        old_start, own_indent = span.start - source.line_start(span.start), source.indentation(span.start)
        if len(own_indent) == old_start or min(map(len, indents)) > old_start:
            shift = column - old_start  # aligned with where the expression begins
        else:
            shift = len(source.indentation(place.start)) - len(own_indent)  # aligned with the line that it begins in
        in_string = any(token.start < start < token.end for token in source.tokens_in(span) for start in starts)
        if shift == 0 or in_string or min(map(len, indents)) + shift < 0 or any(indent.strip(" ") for indent in indents):
            return []
        return [Edit(start, start, " " * shift) if shift > 0 else Edit(start, start - shift) for start in starts]

    def _spans_lines(self, span: Span) -> bool:
        return self.source.line_of(span.start) != self.source.line_of(span.end)

    def _stands_alone(self, node: gast.AST) -> bool:
        """Can the text be read without the brackets that stand around it now?"""
        text = self.source.text_of(node)
        if "\n" not in text and "\r" not in text:
            return True
        try:
            ast.parse(text, mode="eval")
        except SyntaxError:
            return False
        return True

    def unwrap(self, outer: gast.AST, inner: gast.AST) -> tuple[Edit, ...]:
        """Delete what stands around `inner` within `outer`; the text of `inner` isn't touched."""
        return self.rebuild(outer, [(inner, 0)], self.precedence(inner))

    def append_argument(self, call: gast.Call, text: str) -> Edit:
        """Add an argument to a call that has some, in the layout that its arguments have."""
        last = max((*call.args, *(one.value for one in call.keywords)), key=lambda one: self.source.span(one).end)
        keyword = next((one for one in call.keywords if one.value is last), None)
        end = self._argument_end(call, last)
        begin = self.source.span(keyword if keyword is not None else last).start
        line_start = self.source.line_start(begin)
        head = self.source.text[line_start:begin]
        if not head.strip(" \t\f") and self.source.line_of(begin) > self.source.line_of(self.source.span(call).start):
            return Edit(end, end, f",{self.source.newline}{head}{text}")
        return Edit(end, end, f", {text}")

    def _argument_end(self, call: gast.Call, argument: gast.AST) -> int:
        return self.source.outer_span(argument, call).end

    def remove_argument(self, call: gast.Call, keyword: gast.AST) -> Edit:
        """Delete a keyword argument and the comma that goes with it."""
        everything = sorted((self.source.outer_span(one, call) for one in call.args), key=lambda span: span.start) + [
            self._keyword_span(call, one) for one in call.keywords
        ]
        everything.sort()
        span = self._keyword_span(call, keyword)
        place = everything.index(span)
        if place > 0:
            return Edit(everything[place - 1].end, span.end)
        if len(everything) > 1:
            return Edit(span.start, everything[1].start)
        opening = self.source.next_token(self.source.outer_span(call.func, call).end)
        assert opening is not None
        return Edit(opening.end, self.source.span(call).end - 1)

    def _keyword_span(self, call: gast.Call, keyword: gast.AST) -> Span:
        return Span(self.source.span(keyword).start, self.source.outer_span(keyword.value, call).end)

    def insert_after(self, statement: gast.stmt, text: str) -> Edit | None:
        """A new line after a statement; None where the statement shares its last line with another."""
        span = self.source.span(statement)
        end = self.source.line_end(span.end)
        rest = self.source.text[span.end : end].strip()
        if rest and not rest.startswith("#"):
            return None
        head = self.source.text[self.source.line_start(span.start) : span.start]
        if head.strip(" \t\f"):
            return None
        end = self._comments_end(end, head)
        if not self.source.text[:end].endswith(("\n", "\r")):
            return Edit(end, end, f"{self.source.newline}{head}{text}")
        return Edit(end, end, f"{head}{text}{self.source.newline}")

    def _comments_end(self, start: int, head: str) -> int:
        """Where the comment lines end that stand deeper than `head`, at the end of a block's last suite."""
        text = self.source.text
        while start < len(text):
            end = self.source.line_end(start)
            indentation = self.source.indentation(start)
            if not text[start:end].lstrip().startswith("#") or len(indentation) <= len(head):
                break
            start = end
        return start

    def delete_statement(self, statement: gast.stmt) -> tuple[Edit, ...] | None:
        """Take a statement out with its line; a comment beside it stays, on a line of its own.

        None where the statement shares a line with another, or is all that its block has.
        """
        parent = self.scopes.parents[statement]
        block = block_of(statement, parent)
        span = self.source.span(statement)
        start, end = self.source.line_start(span.start), self.source.line_end(span.end)
        if len(block) == 1 or self.source.text[start : span.start].strip(" \t\f"):
            return None
        rest = self.source.text[span.end : end]
        if not rest.strip():
            return (Edit(start, end),)
        if rest.lstrip().startswith("#"):
            return (Edit(span.start, span.end + len(rest) - len(rest.lstrip())),)
        return None


def _sorted_by_type(tree: gast.Module, scopes: Scopes) -> dict[type[gast.AST], list[gast.AST]]:
    """The nodes of each type, in the order of the text, leaving out what stands inside of f-strings.

    Before Python 3.12 an expression in an f-string has no place in the text, so nothing can be edited there.
    """
    found: dict[type[gast.AST], list[gast.AST]] = {gast.Module: [tree]}
    inside: set[gast.AST] = set()
    for node, parent in scopes.parents.items():
        if parent in inside or isinstance(parent, gast.JoinedStr):
            inside.add(node)
        else:
            found.setdefault(type(node), []).append(node)
    return found
