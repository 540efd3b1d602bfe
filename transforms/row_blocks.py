"""Compute what is broadcast and then reduced in blocks of rows instead of as a whole.

Before:  differences = x[:, None, :] - y[None, :, :]
         return tf.reduce_sum(tf.square(differences), axis=-1)
After:   def of_rows(rows):
             differences = rows[:, None, :] - y[None, :, :]
             return tf.reduce_sum(tf.square(differences), axis=-1)

         return tf.concat([of_rows(x[start : start + 16]) for start in range(0, x.shape[0], 16)], axis=0)

Also:    An inner function is written if a name goes into the blocks, or if the line would be too long.

Why:     Eager code holds all pairs of `x` and `y` at once, and their squares beside them, to make one number of each pair.
         A block of rows needs only what its iteration writes, and the result. Peak of a program and median of its CPU
         time, before and after:

             distances of 512 points of 64 numbers     135.3 ->  5.3 MB    74 -> 35 ms
             attention of 8 heads over 768 places       42.6 ->  9.8 MB    27 -> 25 ms
             a kernel of 800 and 400 points of 8        21.1 ->  8.0 MB    19 -> 16 ms

         Python starts the operations of each iteration. So a block writes half a megabyte for each operation, and twice as
         much if less than 64 MB are needed before or no tensor has 32 MB: attention in blocks of 32 queries took 32 ms for
         27; distances of 65 points to 129 of 1,000 numbers took 13.4 ms in blocks of 2 and 6.6 in blocks of 8, for 5.7.
         What needs less than 16 MB, or not half as much in blocks, is left alone: the nearest of 24 centres for 5,000
         points, 15.9 and 6.6 MB, took 2.2 and 2.8 ms.
Safety:  - **Sizes.** Refused unless all sizes are known in each call: they say how many rows a block has, and of no rows
           `tf.concat` would join nothing.
         - **Row by row.** Refused unless each operation is known to be computed row by row: elementwise ones, reductions
           and softmax over other axes, products. `tf.reshape` and `tf.cumsum(x, 0)` are not.
         - **Other readers.** Refused if the large tensor is read anywhere else: `return total, differences`, `locals()`, an
           inner function.
         - **Effects in between.** Refused unless only assignments of pure functions stand between: `moved()`, which assigns
           the variable of the differences, would come first.
         - **Rounding.** Same bits for correctly rounded operations and sums of up to 2,048 numbers along the last axes. `tf.exp`,
           `x ** 2` and products may differ: refused if `tf.argmax`, a comparison or a cast to integers follows.
         - **Overflow.** Refused for casts of floats to small integers, as `tf.cast(x * 1000.0, tf.uint8)`: what becomes of a
           number that doesn't fit depends on its place in the tensor.
         - **Tapes.** Refused under a `tf.GradientTape`, which keeps all blocks.
         - **Graphs.** Refused: the scheduler decides how many blocks are alive (68 -> 5.3 MB for the distances, on two
           cores), and XLA holds all (70 -> 68 MB). Refused too for a function that `compiled_loop` compiles.
         - **Repeated work.** Refused if every block would compute the same, as `tf.exp(keys)`: give it a name first.
         - **Comments.** Refused if a comment beside a moved line speaks of sizes: `# [512, 512, 64]` would be wrong of a
           block.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import gast

from tfrewrite.analyses.appended_lists import ever_taped
from tfrewrite.analyses.blocks_of_rows import Blocks, Taken, broadcasts, bytes_of, in_blocks, index_parts, shape_of, written
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.scopes import FUNCTIONS, block_of
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Purpose, Refusal, Rewrite, not_imported, transform
from tfrewrite.source import Span
from tfrewrite.worth import balance

_LEAST_PEAK = 16_000_000  # bytes: what is computed at once now
_LEAST_GAIN = 2  # times less
_PER_OPERATION = 500_000  # bytes that an iteration writes for each of its operations, which Python starts in some 15 microseconds
# Bytes. What is needed at once, or the largest tensor, that the allocator has at hand: an iteration has to be worth twice as much there.
_CACHED = 64_000_000
_MAPPED = 2**25  # from where on memory is mapped anew for each tensor
_ENOUGH = 0.5  # of that
_AS_GOOD = 1.5  # times the peak of the best axis, for one that is easier to read
_MOST_AT_ONCE = 16  # tensors, of which none can be smaller than so if they make that peak
_MOST_CALLS = 8  # of a function, that are looked at one by one
_SINKS = (gast.Call, gast.BinOp, gast.Compare)
_MAY_CHANGE = (gast.Call, gast.NamedExpr, gast.Await, gast.Yield, gast.YieldFrom)
_BETWEEN = (gast.Call, gast.keyword, gast.BinOp, gast.UnaryOp, gast.Subscript, gast.Attribute, gast.Tuple, gast.List, gast.Compare)


# Late: where a rule does without the large tensor, as product_sum does, there is none to divide.
@transform(
    gast.Assign,
    gast.Return,
    gast.Expr,
    fidelity=Fidelity.ROUNDING,
    mentions=("reduce_", "argm", "softmax", "norm", "matmul", "@"),
    late=True,
)
def row_blocks(statement: gast.Assign | gast.Return | gast.Expr, facts: Facts) -> Outcome:
    chosen = None if statement.value is None else _chosen(statement, facts)
    if isinstance(chosen, Refusal):
        return chosen if facts.only_eager(statement) and not ever_taped(statement, facts) else None
    if chosen is None:
        return None
    if _is_part_of_more(statement, chosen, facts):
        return None
    return _unsuited(chosen, statement, facts) or _written(chosen, statement, facts)


@dataclass(frozen=True)
class _Choice:
    blocks: Blocks
    rows: int
    """How many a block has."""


# What is computed in blocks


def _chosen(statement: gast.stmt, facts: Facts) -> _Choice | Refusal | None:
    """The outermost expression of a statement that gains, or the sentence why none does that should."""
    refusal: Refusal | None = None
    for sink in _sinks(statement.value, facts):
        found = _best(sink, statement, facts)
        if isinstance(found, _Choice):
            return found
        refusal = refusal or found
    return refusal


def _sinks(node: gast.AST, facts: Facts) -> Iterator[gast.expr]:
    """The expressions that are always evaluated, and once, from the outside in."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, _SINKS) and (kind := facts.kind(one)).is_tensor and kind.rank:
            yield one
        if isinstance(one, _BETWEEN):
            waiting += [child for child in gast.iter_child_nodes(one) if isinstance(child, _BETWEEN)][::-1]


def _views(sink: gast.expr, facts: Facts) -> list[Facts]:
    """The facts of all calls at once where they say all sizes, else of each call."""
    if shape_of(sink, facts) is not None:
        return [facts] if _reaches_large(sink, facts) else []
    function = facts.scopes.function_of(sink)
    calls = [] if function is None else facts.callers.calls(function, facts.world.callers_believed)
    if not 1 < len(calls) <= _MOST_CALLS:  # what a single call hands over is known
        return []
    views = [facts.inside(call) for call in calls]
    known = [one for one in views if one is not None and shape_of(sink, one) is not None]
    return known if len(known) == len(calls) else []


def _reaches_large(sink: gast.expr, facts: Facts) -> bool:
    """A quick look at what an expression and its names are made of: may it be worth following?"""
    waiting: list[gast.AST] = [sink]
    names: set[str] = set()
    for whole in waiting:
        for one in gast.walk(whole):
            if isinstance(one, gast.expr) and bytes_of(one, facts) >= _LEAST_PEAK / _MOST_AT_ONCE:
                return True
            if isinstance(one, gast.Name) and one.id not in names:
                names.add(one.id)
                given = [facts.parent(target) for target in facts.scopes.names[one].bindings.get(one.id, ())]
                waiting += [statement.value for statement in given if isinstance(statement, gast.Assign)]
    return False


def _best(sink: gast.expr, statement: gast.stmt, facts: Facts) -> _Choice | Refusal | None:
    views = _views(sink, facts)
    if not views:
        return None
    rank = len(shape_of(sink, views[0]) or ())
    found: list[_Choice] = []
    obstacle: Refusal | None = None
    for axis in range(rank):
        ways = [in_blocks(sink, axis, statement, one) for one in views]
        possible = [one for one in ways if isinstance(one, Blocks)]
        if len(possible) == len(ways):
            if (choice := _sized(possible)) is not None:
                found.append(choice)
        else:
            obstacle = obstacle or next(one for one in ways if isinstance(one, Refusal))
    if found:
        least = min(one.blocks.peak(one.rows) for one in found)
        good = [one for one in found if one.blocks.peak(one.rows) <= _AS_GOOD * least]
        return min(good, key=lambda one: (len(one.blocks.taken), one.blocks.axis))
    if obstacle is not None and obstacle.node is not sink and any(_is_large(sink, one) for one in views):
        return Refusal(sink, obstacle.code, f"{obstacle.reason}, so {facts.edit.short(sink, 'the result')} is computed at once")
    return None


def _sized(ways: Sequence[Blocks]) -> _Choice | None:
    """How many rows a block takes, if that gains in some calls and does no harm in any."""
    if len({(tuple((one.use, one.axis) for one in way.taken), way.followed) for way in ways}) > 1:
        return None
    largest = max(ways, key=lambda way: way.now)
    if largest.now < _LEAST_PEAK or largest.touched <= 0 or not largest.widened:
        return None
    most = (largest.now + largest.given) / _LEAST_GAIN - largest.given
    worth = _PER_OPERATION * (2 if largest.now < _CACHED or largest.largest <= _MAPPED else 1)
    wanted = largest.operations * worth / largest.touched
    rows = 2 ** max(math.ceil(math.log2(wanted)), 0)
    while rows > 1 and largest.peak(rows) > most:
        rows //= 2
    if largest.peak(rows) > most:
        return None
    if any(rows < way.rows and rows * way.touched < way.operations * worth * _ENOUGH for way in ways):
        return None
    return _Choice(largest, rows)


def _is_large(sink: gast.expr, facts: Facts) -> bool:
    """Is something broadcast for an expression that is much larger than what comes of it?"""
    peak, result = written(sink, facts)
    return peak >= max(_LEAST_PEAK, 2 * _LEAST_GAIN * result) and any(broadcasts(one, facts) for one in gast.walk(sink))


def _is_part_of_more(statement: gast.stmt, choice: _Choice, facts: Facts) -> bool:
    """Is it an assignment that goes into the blocks of a later statement?"""
    if not isinstance(statement, gast.Assign) or choice.blocks.sink is not statement.value:
        return False
    block = block_of(statement, facts.scopes.parents[statement])
    place = next(i for i, one in enumerate(block) if one is statement)
    for later in block[place + 1 :]:
        if isinstance(later, gast.Assign | gast.Return | gast.Expr) and later.value is not None:
            other = _chosen(later, facts)
            if isinstance(other, _Choice) and any(one is statement for one in other.blocks.followed):
                return True
    return False


# Why it isn't after all


def _unsuited(choice: _Choice, statement: gast.stmt, facts: Facts) -> Refusal | None:
    sink, blocks = choice.blocks.sink, choice.blocks
    shown = facts.edit.short(sink, "it")
    around = next((one for one in facts.scopes.ancestors(statement) if isinstance(one, (*FUNCTIONS, gast.ClassDef))), None)
    if isinstance(around, gast.ClassDef):
        return Refusal(sink, Code.CONTROL_FLOW, "in a class body a comprehension sees other names")
    if facts.mode(sink) is Mode.GRAPH and facts.contexts.compiled_by_xla(sink):
        return Refusal(sink, Code.XLA, "XLA holds all blocks at once: nothing is gained")
    if not facts.only_eager(sink):
        return Refusal(sink, Code.IN_GRAPH, "a graph may run it, and how many blocks that holds at once is up to its scheduler")
    if ever_taped(sink, facts) or facts.contexts.watches:
        return Refusal(sink, Code.UNDER_TAPE, "a tape may record it, and keeps what every block computes: nothing is gained")
    if blocks.whole:
        again = facts.edit.short(blocks.whole[0], "an operand")
        return Refusal(sink, Code.NO_GAIN, f"every block needs all of {again}, and would compute it again", "Give it a name before.")
    if (loop := _compiled_around(statement, facts)) is not None:
        return Refusal(
            sink,
            Code.PRECISION,
            f"the loop in {facts.source.shown_lines(loop.lineno)} is compiled with all that it calls, where {shown} is computed otherwise",
        )
    return None


def _compiled_around(node: gast.AST, facts: Facts, seen: frozenset[gast.AST] = frozenset()) -> gast.AST | None:
    """A loop that runs the node, and whose lists hold so much that XLA would pay for compiling it."""
    from tfrewrite.loops.compiled_function import saved_by_xla  # large, and hardly ever asked

    for ancestor in facts.scopes.ancestors(node):
        saved = saved_by_xla(ancestor, facts)
        if saved is not None and balance(saved, facts).purpose is Purpose.MEMORY:
            return ancestor
        if isinstance(ancestor, FUNCTIONS):
            if ancestor in seen:
                return None
            calls = [one.call for one in facts.callers.references(ancestor) if one.call is not None]
            loops = (_compiled_around(call, facts, seen | {ancestor}) for call in calls)
            return next((one for one in loops if one is not None), None)
    return None


# The text


def _written(choice: _Choice, statement: gast.stmt, facts: Facts) -> Outcome:
    sink, blocks = choice.blocks.sink, choice.blocks
    tf = facts.tensorflow(sink)
    if tf is None:
        return not_imported(sink, "so tf.concat can't be called")
    if facts.is_bound("range", statement):
        return Refusal(sink, Code.NAME_TAKEN, "range is given another meaning here, and the blocks are counted by Python's")
    now, later = blocks.now / 1e6, blocks.peak(choice.rows) / 1e6
    shown = facts.edit.short(sink, "the result")
    reason = f"in blocks of {choice.rows} out of {blocks.rows}, {shown} needs {later:.2g} MB at once, and {now:.3g} as a whole"
    inside = isinstance(facts.scopes.function_of(statement), gast.FunctionDef | gast.AsyncFunctionDef)
    if not blocks.followed:
        edits = _comprehension(choice, statement, tf, facts, must_fit=inside)
        if edits is not None:
            return Rewrite(sink, edits, reason, rounded=blocks.rounded)
    if not inside:
        return None
    written = _Function(choice, statement, tf, facts).edits()
    if isinstance(written, Refusal):
        return written
    first = blocks.followed[0] if blocks.followed else statement
    return Rewrite(sink, written, reason, region=(first, statement), rounded=blocks.rounded)


def _free(names: Sequence[str], node: gast.AST, facts: Facts) -> str:
    """The first of some names that means nothing yet."""
    scope = next(facts.scopes.of[one] for one in facts.scopes.ancestors(node) if one in facts.scopes.of)
    numbered = (f"{names[0]}_{number}" for number in range(2, 100))
    return next(one for one in (*names, *numbered) if not facts.is_bound(one, facts.scopes.statement(node)) and one not in scope.uses)


def _steps(choice: _Choice, start: str, facts: Facts) -> str:
    first = choice.blocks.taken[0]
    return f"for {start} in range(0, {facts.source.text_of(first.use)}.shape[{first.axis}], {choice.rows})"


def _comprehension(choice: _Choice, statement: gast.stmt, tf: str, facts: Facts, must_fit: bool) -> tuple[Edit, ...] | None:
    """The edits that put the sink into a comprehension where it stands; None where that can't be read."""
    source, blocks = facts.source, choice.blocks
    start = _free(("start", "begin", "first_row"), blocks.sink, facts)
    part = f"{start} : {start} + {choice.rows}"
    place = facts.edit.outer_span(blocks.sink)
    slices = [_slice(one, part, facts) for one in blocks.taken]
    span = source.span(blocks.sink)
    steps, axis = _steps(choice, start, facts), f"axis={blocks.axis}"
    lines = source.line_start(place.start), source.line_end(place.end)
    several = source.line_of(place.start) != source.line_of(place.end)
    width = lines[1] - lines[0] + sum(len(one.text) for one in slices) + len(f"{tf}.concat([ {steps}], {axis})")
    if not several and width <= facts.edit.longest_line:
        return (Edit(place.start, span.start, f"{tf}.concat(["), *slices, Edit(span.end, place.end, f" {steps}], {axis})"))
    line, newline, unit = source.indentation(place.start), source.newline, facts.edit.unit
    own = span.end - span.start + sum(len(one.text) for one in slices) + len(line) + 2 * len(unit)
    alone = blocks.sink is statement.value
    if must_fit and (several or own > facts.edit.longest_line or not alone):
        return None
    deeper = f"{newline}{line}{unit}"
    return (
        Edit(place.start, span.start, f"{tf}.concat({deeper}[{deeper}{unit}"),
        *slices,
        Edit(span.end, place.end, f"{deeper}{unit}{steps}{deeper}],{deeper}{axis},{newline}{line})"),
    )


def _slice(taken: Taken, part: str, facts: Facts) -> Edit:
    """Take some rows of a value where it stands: in the index that it has, or in one of its own."""
    index = facts.parent(taken.use)
    if isinstance(index, gast.Subscript) and index.value is taken.use:
        for source, _, written in index_parts(index, facts) or ():
            if source == taken.axis and written is not None:
                span = facts.source.span(written)
                return Edit(span.start, span.end, part)
    end = facts.edit.outer_span(taken.use).end
    return Edit(end, end, f"[{':, ' * taken.axis}{part}]")


@dataclass(frozen=True)
class _Function:
    """The text of an inner function that computes one block."""

    choice: _Choice
    statement: gast.stmt
    tf: str
    facts: Facts

    def edits(self) -> tuple[Edit, ...] | Refusal:
        source, blocks = self.facts.source, self.choice.blocks
        block = block_of(self.statement, self.facts.scopes.parents[self.statement])
        first = blocks.followed[0] if blocks.followed else self.statement
        places = [next(i for i, one in enumerate(block) if one is each) for each in (first, self.statement)]
        region = block[places[0] : places[1] + 1]
        moving = [
            one for one in region if one is self.statement or isinstance(one, gast.Delete) or any(one is each for each in blocks.followed)
        ]
        staying = [one for one in region if not any(one is each for each in moving)]
        if refusal := self._layout(region, moving) or self._order():
            return refusal
        begin, end = source.span(first).start, source.line_end(source.span(self.statement).end)
        indent, newline, unit = source.indentation(begin), source.newline, self.facts.edit.unit
        uses = {one: self._parameter(one) for one in blocks.taken}
        edits = [self._replaced(taken, name) for taken, name in uses.items()]
        gone = [(source.line_start(source.span(one).start), source.line_end(source.span(one).end)) for one in staying]
        edits += [Edit(*one) for one in gone]
        above = "".join(source.text[slice(*one)] for one in gone)
        parameters = list(dict.fromkeys(uses.values()))
        name = self._free_name()
        opening, gap = self.facts.edit.opening(first)
        head = f"def {name}({', '.join(parameters)}):{newline}"
        line = source.line_start(begin)
        if gap or above:
            blank = newline if gap or above else ""
            edits.append(Edit(line, line, f"{above}{blank}{indent}{head}{unit}"))
        else:
            edits.append(Edit(line, line, f"{indent}{head}{unit}"))
        inner = list(source.line_starts_in(Span(line, end)))
        edits += [
            Edit(one, one, unit)
            for one in inner
            if source.text[one : source.line_end(one)].strip() and not any(a <= one < b for a, b in gone)
        ]
        return (*edits, *self._ending(name, uses, end, indent))

    def _layout(self, region: Sequence[gast.stmt], moving: Sequence[gast.stmt]) -> Refusal | None:
        """Why the lines can't be moved in."""
        source, edit = self.facts.source, self.facts.edit
        span, place = source.span(self.statement), edit.outer_span(self.choice.blocks.sink)
        beside = source.text[span.start : place.start] + source.text[place.end : span.end]
        if "\n" in beside or "\r" in beside:
            return Refusal(self.choice.blocks.sink, Code.LAYOUT, "its statement spans several lines")
        for one in region:
            span = source.span(one)
            rest = source.text[span.end : source.line_end(span.end)].strip()
            if source.text[source.line_start(span.start) : span.start].strip() or (rest and not rest.startswith("#")):
                return Refusal(self.choice.blocks.sink, Code.LAYOUT, "it shares its line with another statement")
            if any("\n" in token.string or "\r" in token.string for token in source.tokens_in(span) if token.string.strip()):
                return Refusal(self.choice.blocks.sink, Code.LAYOUT, "a string of several lines is in it")
            if edit.has_comment_for_tools(one):
                return Refusal(self.choice.blocks.sink, Code.TEXT_LOST, "a comment beside it tells a tool about its line")
            if one is not self.statement and any(one is each for each in moving) and edit.has_comment_on_sizes(one):
                shown = edit.short(one.targets[0] if isinstance(one, gast.Assign) else one)
                return Refusal(
                    self.choice.blocks.sink,
                    Code.TEXT_LOST,
                    f"the comment beside {shown} mentions its sizes, and would be wrong for a block",
                )
        return None

    def _order(self) -> Refusal | None:
        """Why what moves up before the statement can't: something else of the statement comes first now."""
        facts, sink = self.facts, self.choice.blocks.sink
        path: list[gast.AST] = [sink]
        for one in facts.scopes.ancestors(sink):
            path.append(one)
            if one is self.statement:
                break
        beside = [child for one in path[1:] for child in gast.iter_child_nodes(one) if isinstance(child, gast.expr | gast.keyword)]
        others = [one.value if isinstance(one, gast.keyword) else one for one in beside if one not in path]
        read = [one for one in others if not isinstance(getattr(one, "ctx", None), gast.Store)]
        calls = [one for one in read if any(isinstance(each, _MAY_CHANGE) for each in gast.walk(one)) and not facts.pure(one)]
        return (
            Refusal(
                self.choice.blocks.sink,
                Code.EFFECTS,
                f"{facts.edit.short(calls[0], 'a call')} is evaluated with it, and may change what it is computed from",
            )
            if calls
            else None
        )

    def _key(self, taken: Taken) -> tuple[str, int]:
        return self.facts.source.text_of(taken.use), taken.axis

    def _parameter(self, taken: Taken) -> str:
        """What a block of some value is called."""
        keys = dict.fromkeys(self._key(one) for one in self.choice.blocks.taken)
        word = "rows" if all(axis == 0 for _, axis in keys) else "block"
        if len(keys) == 1:
            return _free((word, f"some_{word}"), self.choice.blocks.sink, self.facts)
        # Those of one name are numbered.
        names = {key: re.split(r"\W+", key[0].partition("[")[0])[-1].lstrip("_") for key in keys}
        key = self._key(taken)
        alike = [one for one in keys if names[one] == names[key]]
        number = f"_{alike.index(key) + 1}" if len(alike) > 1 else ""
        return _free((f"{names[key]}_{word}{number}",), self.choice.blocks.sink, self.facts)

    def _free_name(self) -> str:
        word = "rows" if self.choice.blocks.axis == 0 else "block"
        return _free((f"of_{word}", f"of_some_{word}"), self.choice.blocks.sink, self.facts)

    def _replaced(self, taken: Taken, name: str) -> Edit:
        span = self.facts.source.span(taken.use)
        return Edit(span.start, span.end, name)

    def _ending(self, name: str, uses: dict[Taken, str], end: int, indent: str) -> list[Edit]:
        """`return` what the statement computed, and the statement itself after the function."""
        source, blocks, tf = self.facts.source, self.choice.blocks, self.tf
        span, place = source.span(self.statement), self.facts.edit.outer_span(blocks.sink)
        prefix, suffix = source.text[span.start : place.start], source.text[place.end : span.end]
        comment = source.text[span.end : end].rstrip("\r\n")
        prefix += " " if prefix[-1:].isalnum() else ""
        newline, unit = source.newline, self.facts.edit.unit
        start = _free(("start", "begin", "first_row"), blocks.sink, self.facts)
        part = f"{start} : {start} + {self.choice.rows}"
        given = {uses[one]: f"{source.text_of(one.use)}[{':, ' * one.axis}{part}]" for one in blocks.taken}
        iteration, steps, axis = f"{name}({', '.join(given.values())})", _steps(self.choice, start, self.facts), f"axis={blocks.axis}"
        text = f"{tf}.concat([{iteration} {steps}], {axis})"
        longest = self.facts.edit.longest_line
        if len(indent) + len(prefix) + len(text) + len(suffix) > longest:
            deeper = f"{newline}{indent}{unit}"
            if len(deeper) - len(newline) + len(f"[{iteration} {steps}], {axis}") <= longest:
                inside = f"{deeper}[{iteration} {steps}], {axis}"
            elif len(deeper) - len(newline) + len(f"[{iteration} {steps}],") <= longest:
                inside = f"{deeper}[{iteration} {steps}],{deeper}{axis},"
            else:
                inside = f"{deeper}[{deeper}{unit}{iteration}{deeper}{unit}{steps}{deeper}],{deeper}{axis},"
            text = f"{tf}.concat({inside}{newline}{indent})"
        last = f"{indent}{prefix}{text}{suffix}{comment}"
        ended = source.text[:end].endswith(("\n", "\r"))
        after = f"{newline}{last}{newline}" if ended else f"{newline}{newline}{last}"
        edits = [Edit(span.start, place.start, "return ")] if prefix.strip() != "return" else []
        edits += [Edit(place.end, end - (len(newline) if ended else 0))] if suffix or comment else []
        return [*edits, Edit(end, end, after)]
