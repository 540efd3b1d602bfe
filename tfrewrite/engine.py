"""Takes one file through the catalogue, in rounds, until nothing is left to rewrite.

A rewrite is applied whole or not at all; of rewrites that meet, the first in the text is applied and the others are
asked again in the next round. The engine checks its own work on every file that it changes, and keeps the original
where the check fails.
"""

from __future__ import annotations

import ast
import bisect
import builtins
import gc
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TYPE_CHECKING

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.outcomes import Basis, Edit, Evidence, Fidelity, Listed, Outcome, Purpose, Refusal, Rewrite, Rule
from tfrewrite.results import Applied, Lines, Refused, Result, touch
from tfrewrite.source import TOO_DEEP, Conflict, Source, SourceError, Span, concerns_tensorflow, in_order
from tfrewrite.standing import UNSEEN, Surroundings
from tfrewrite.suppression import Suppressions
from tfrewrite.worth import MOST_ADDED, balance, compiled_already, further

if TYPE_CHECKING:
    from tfrewrite.facts.observed import Observations, Observed
    from tfrewrite.facts.observed_facts import ObservedFacts
    from tfrewrite.recorded import Recorded

__all__ = ["MOST_ROUNDS", "Applied", "InternalError", "Options", "Refused", "Result", "compose", "rewrite"]

MOST_ROUNDS = 200
_LARGE = 500_000  # characters


class InternalError(Exception):
    """The engine's own mistake: a result that fails its check. The file is left as it was."""


@dataclass(frozen=True)
class Options:
    """What the user allows. `fidelity` is the least equality that is accepted."""

    rules: tuple[Rule | Listed, ...]
    unsafe: bool = False
    fidelity: Fidelity = Fidelity.ROUNDING
    behaviour: bool = False
    """What is meant to do something else is allowed too: it will be compared with what eager mode does."""
    observations: Observations | None = None
    """Of a run of the text that is rewritten. What rests on them is marked as observed, and has to be verified."""
    compared: bool = True
    """What rests on observations will be compared with the original. Else less is believed: types and shapes, and no values."""
    recorded: Recorded | None = None
    """Where observations may be found for a text that nobody runs."""
    wanted: Callable[[Applied], bool] | None = None
    """Of what could be done, only this."""
    purposes: frozenset[Purpose] = frozenset({Purpose.MEMORY})
    """What rewrites are made for."""
    around: Surroundings = UNSEEN
    """Who may call what the file defines."""
    lines: Lines | None = None
    """Only what stands on these lines of the file is rewritten, or told of."""


@dataclass
class _Progress:
    """The text so far, and how it came about."""

    source: Source
    edits: tuple[Edit, ...] = ()
    rewrites: list[Applied] = field(default_factory=list)
    observed: Observed | None = None
    """What was seen of the original, at its places in the text so far."""
    rivals: list[tuple[Applied, Applied]] = field(default_factory=list)


def rewrite(original: Source, options: Options) -> Result:
    """Rewrite one file.

    Raises `SourceError` for a file that can't be read, `InternalError` for a failed check, `ValueError` for observations
    of another text.
    """
    wanted = concerns_tensorflow(original.text)
    rules = [rule.load() for rule in options.rules if wanted and any(word in original.text for word in rule.mentions)]
    if not rules:
        _check_syntax(original)
        return Result()
    if options.lines is not None:
        options = replace(options, lines=original.lines_in_text(options.lines))
    progress = _Progress(original.standing_in(options.around))  # so that no tree lives longer than its round
    if options.observations is not None:
        from tfrewrite.facts.observed import Observed  # which only a run needs

        progress.observed = Observed.of(options.observations, original)
    for _ in range(MOST_ROUNDS):
        refusals = _round(progress, rules, options, original)
        if refusals is not None:
            break
        if len(original.text) > _LARGE:
            gc.collect()  # scopes and trees refer to each other: two rounds of a large file would be held at once
    else:
        raise InternalError(f"still changing after {MOST_ROUNDS} rounds")
    if progress.edits:
        _check(original, progress.source)
    rewrites = tuple(sorted(progress.rewrites, key=_place))
    # What only had to wait for its turn is made by now.
    rivals = tuple((made, other) for made, other in progress.rivals if not any(_same_place(one, other) for one in rewrites))
    return Result(progress.edits, rewrites, tuple(sorted(refusals, key=_place)), rivals)


def _same_place(a: Applied, b: Applied) -> bool:
    return (a.rule, *_extent(a)) == (b.rule, *_extent(b))


def _extent(one: Applied) -> tuple[int, int, int, int]:
    return one.line, one.column, one.end_line, one.end_column


def _place(one: Applied | Refused) -> tuple[int, int, str]:
    return one.line, one.column, one.rule


def _round(progress: _Progress, rules: Sequence[Rule], options: Options, original: Source) -> list[Refused] | None:
    """Make all rewrites that go together. Where there are none left: what was refused."""
    facts = _facts(progress)
    seen = progress.observed
    written = _written(progress)
    if seen is None:
        proposals, refusals = _ask(facts, rules, options, [], written)
    else:
        from tfrewrite.facts.observed_facts import observed_facts

        # The less is believed, the better: values only where types and shapes are not enough.
        beliefs = (False, True) if options.compared else (False,)
        observed = [] if seen.holds else [observed_facts(facts, seen, values) for values in beliefs]
        proposals, refusals = _ask(observed_facts(facts, seen) if seen.holds else facts, rules, options, observed, written)
    where = _locator(progress.edits, original)
    if (lines := options.lines) is not None:
        proposals = [(rule, one) for rule, one in proposals if touch(lines, *_lines(one.node, facts, original, where))]
        refusals = [one for one in refusals if touch(lines, *_lines(one[1].node, facts, original, where))]
    if (wanted := options.wanted) is not None:
        proposals = [(rule, one) for rule, one in proposals if wanted(_applied(rule, one, facts, original, where))]
    chosen: list[_Proposal] = []
    while proposals and not chosen:
        first = _compatible(proposals, facts)
        chosen = _affordable(first, facts, options, refusals)
        if not chosen:
            proposals = [one for one in proposals if not any(one[1] is rewrite for _, rewrite in first)]
    if chosen:
        if options.wanted is not None:
            progress.rivals += _rivals(proposals, chosen, facts, original, where)
        _apply(chosen, facts, progress, original, where)
        return None
    ours = _newly_written(progress, original)
    refusals = [one for one in refusals if not ours(one[1].node)]
    return [_placed(refusal, rule, offered, progress.source, original, where) for rule, refusal, offered in refusals]


def _affordable(chosen: Sequence[_Proposal], facts: Facts, options: Options, refusals: list[tuple[Rule, Refusal, bool]]) -> list[_Proposal]:
    """What of it doesn't add more to the memory of the process than time is worth; the rest is refused."""
    kept: list[_Proposal] = []
    total = compiled_already(facts)  # counted from the text, so that a second run comes to the same
    for rule, one in chosen:
        added = _added(one, kept, facts)
        if total + added > MOST_ADDED and one.otherwise is not None:
            other = _best(rule, one.otherwise, facts, options)
            one = other if isinstance(other, Rewrite) else one
            added = _added(one, kept, facts)
        if total + added > MOST_ADDED:
            reason = (
                f"{balance(one.worth, facts).said}, and to save time no more than {MOST_ADDED / 1e6:.0f} MB are added to a file's program"
            )
            refusals.append((rule, Refusal(one.node, Code.LIMIT, reason), False))
        else:
            total += added
            kept.append((rule, one))
    return kept


def _added(one: Rewrite, kept: Sequence[_Proposal], facts: Facts) -> int:
    """What a rewrite that is made for time adds to the memory of the process, beside those that are made with it."""
    found = balance(one.worth, facts)
    if found.purpose is not Purpose.TIME or one.worth is None:
        return 0
    again = any(other.worth is not None and other.worth.setup is one.worth.setup for _, other in kept)
    return further(one.worth.setup) if again else found.costs


def _facts(progress: _Progress) -> Facts:
    try:
        return Facts(progress.source)
    except SourceError as error:
        if not progress.edits:
            raise
        raise InternalError(f"the result would not be valid Python: {error.message}") from None
    except RecursionError:
        raise SourceError(progress.source.path, 0, TOO_DEEP) from None


def _check_syntax(source: Source) -> None:
    """A file that no rule looks at is still told about where it isn't valid Python."""
    if concerns_tensorflow(source.text):
        source.check_syntax()


_Proposal = tuple[Rule, Rewrite]


def _ask(
    facts: Facts,
    rules: Sequence[Rule],
    options: Options,
    observed: Sequence[ObservedFacts] = (),
    written: Callable[[gast.AST], bool] = lambda node: False,
) -> tuple[list[_Proposal], list[tuple[Rule, Refusal, bool]]]:
    proposals: list[_Proposal] = []
    refusals: list[tuple[Rule, Refusal, bool]] = []
    suppressions = Suppressions(facts)
    for rule in rules:
        for node in facts.places(rule.nodes):
            outcome = rule.apply(node, facts)
            if observed:
                outcome = _with_observations(rule, node, observed, outcome)
            if outcome is None or suppressions.covers(rule.name, outcome.node):
                continue
            if isinstance(outcome, Refusal):
                outcome = _with_callers_believed(rule, node, facts, outcome)
            verdict = _best(rule, outcome, facts, options) if isinstance(outcome, Rewrite) else (outcome, False)
            if isinstance(verdict, Rewrite):
                proposals.append((rule, verdict))
            elif rule.reports or not written(node) or written(verdict[0].node):
                # What a rewrite has put around the user's text is no pattern of the user's.
                refusals.append((rule, *verdict))
    return proposals, refusals


def _with_observations(rule: Rule, node: gast.AST, observed: Sequence[ObservedFacts], outcome: Outcome) -> Outcome:
    """What if the program always did what it was seen to do? Then it is a rewrite that has to be verified."""
    if isinstance(outcome, Rewrite) and outcome.evidence is Evidence.PROVEN:
        return outcome
    for facts in observed:
        facts.forget()
        second = rule.apply(node, facts)
        if isinstance(second, Rewrite) and second.evidence is Evidence.PROVEN and facts.was_run(second.node):
            # What one run never did proves nothing of what can be asked for.
            gradients = second.gradients or not isinstance(outcome, Rewrite) or outcome.gradients
            return replace(second, evidence=Evidence.OBSERVED, observed=facts.evidence, gradients=gradients)
    return outcome


def _with_callers_believed(rule: Rule, node: gast.AST, facts: Facts, refusal: Refusal) -> Refusal | Rewrite:
    """What if the calls in this file were the only calls? Then it is a rewrite without proof."""
    second = rule.apply(node, facts.given(facts.world.believing_callers()))
    if isinstance(second, Rewrite):
        reason = f"{refusal.reason} (every call in this file is fine, but other files may call the function differently)"
        if second.doubt is not None:
            reason += f"; {second.doubt.reason}"
        doubt = Refusal(second.node, Code.CALLERS_UNKNOWN, reason, refusal.remedy)
        return replace(second, evidence=Evidence.UNPROVEN, doubt=doubt, gradients=True)
    return refusal


def _best(rule: Rule, rewrite: Rewrite, facts: Facts, options: Options) -> Rewrite | tuple[Refusal, bool]:
    """The first of a rule's proposals for a place that may be made; of the refusals the first."""
    verdict = _judged(rule, rewrite, facts, options)
    if isinstance(verdict, Rewrite) or rewrite.otherwise is None:
        return verdict
    other = _best(rule, rewrite.otherwise, facts, options)
    return other if isinstance(other, Rewrite) else verdict


def _judged(rule: Rule, rewrite: Rewrite, facts: Facts, options: Options) -> Rewrite | tuple[Refusal, bool]:
    fidelity = rule.fidelity if rewrite.fidelity is None else rewrite.fidelity
    reported = rewrite.doubt.at(rewrite.node) if rule.reports and rewrite.doubt is not None else None
    if facts.has_numpy_behavior:
        reason = "a tensor computes as NumPy does in this file, and what dtype comes out is not known"
        return reported or Refusal(rewrite.node, Code.SETTINGS, reason), False
    if fidelity is Fidelity.ROUNDING and rewrite.rounded == () and not rewrite.signs_zero:
        fidelity = Fidelity.BITWISE
    if fidelity is not Fidelity.BEHAVIOUR and fidelity > options.fidelity:
        return Refusal(rewrite.node, Code.FIDELITY, f"its results agree only to {fidelity}, and {options.fidelity} is asked for"), False
    if lost := _lost_comment(rewrite, facts.source):
        if reported is not None:
            return reported.saying(f"{reported.reason} (to change it would lose the comment {lost!r})"), False
        remedy = "Move the comment out of the expression."
        return Refusal(rewrite.node, Code.TEXT_LOST, f"it would lose the comment {lost!r}", remedy), False
    if obstacle := facts.source.obstacle(rewrite.edits):
        return reported or Refusal(rewrite.node, Code.NOTEBOOK, obstacle), False
    if replaced := _replaced(rewrite, facts):
        return Refusal(rewrite.node, Code.SETTINGS, f"this file replaces {replaced}"), False
    if taken := _taken(rewrite, facts):
        return Refusal(rewrite.node, Code.NAME_TAKEN, f"{taken} is given another meaning here, and the new text calls Python's"), False
    if fidelity is Fidelity.ROUNDING and options.fidelity is Fidelity.ROUNDING:
        rewrite = _doubted(rewrite, facts, options)
    compared = fidelity is Fidelity.BEHAVIOUR and options.behaviour
    if (rewrite.evidence is Evidence.UNPROVEN or fidelity is Fidelity.BEHAVIOUR) and not (options.unsafe or compared):
        doubt = rewrite.doubt or Refusal(rewrite.node, Code.BEHAVIOUR, rewrite.reason)
        return doubt.at(rewrite.node), True
    found = balance(rewrite.worth, facts)
    if found.purpose not in options.purposes and not (rule.reports or fidelity is Fidelity.BEHAVIOUR):
        return Refusal(rewrite.node, Code.WORTH, found.said, f"--for {found.purpose} makes it."), False
    if rewrite.gradients and facts.callers.is_only_run and not facts.contexts.asks_for_gradients and _imports_libraries_alone(facts):
        rewrite = replace(rewrite, gradients=False)
    return replace(rewrite, fidelity=fidelity)


_LIBRARIES = frozenset({"tensorflow", "numpy", "math", *sys.stdlib_module_names})


def _imports_libraries_alone(facts: Facts) -> bool:
    """Is there no other module that could take gradients of what the file hands it?"""
    modules = [alias.name for one in facts.nodes((gast.Import,)) for alias in one.names]
    modules += [one.module or "." for one in facts.nodes((gast.ImportFrom,)) if isinstance(one, gast.ImportFrom)]
    return all(one.partition(".")[0] in _LIBRARIES for one in modules)


def _doubted(rewrite: Rewrite, facts: Facts, options: Options) -> Rewrite:
    """The rewrite, without proof where another rounding may be another answer."""
    from tfrewrite.rounding.decisions import reached  # which few files need

    among = rewrite.among or facts
    found = reached(rewrite.signs_zero, among, zeros=True)
    if found is None and rewrite.rounded != ():
        found = reached(rewrite.rounded or (rewrite.node,), among)
    if found is None or rewrite.evidence is not Evidence.PROVEN:
        return rewrite
    doubt = f"its results are rounded differently, and {found.reason}"
    if found.code is Code.ROUNDING_ZERO:
        doubt = f"a zero of its results may have another sign, and {found.reason}"
    if options.observations is not None and options.compared and not options.observations.holds:
        # The whole program will run beside the original, with all that it decides. A live function is compared alone.
        return replace(rewrite, evidence=Evidence.OBSERVED, observed=Basis(doubt))
    remedy = "--verify compares the results, and --fidelity tolerance makes it all the same."
    return replace(rewrite, evidence=Evidence.UNPROVEN, doubt=Refusal(rewrite.node, found.code, doubt, remedy))


def _lost_comment(rewrite: Rewrite, source: Source) -> str | None:
    if "#" not in source.text:
        return None
    kept = " ".join(edit.text for edit in rewrite.edits)
    for edit in rewrite.edits:
        if edit.start < edit.end and "#" in source.text[edit.start : edit.end]:
            for token in source.comments_in(Span(edit.start, edit.end)):
                if token.string not in kept:
                    return token.string
    return None


def _replaced(rewrite: Rewrite, facts: Facts) -> str | None:
    """A function that the new text calls, and that isn't TensorFlow's own in this file."""
    tensorflow = facts.tensorflow(rewrite.node)
    if tensorflow is None:
        return None
    called = (one for edit in rewrite.edits for one in re.findall(rf"\b{re.escape(tensorflow)}((?:\.\w+)+)", edit.text))
    return next((f"{tensorflow}{one}" for one in called if facts.names.is_replaced(f"tensorflow{one}")), None)


_CALLED = re.compile(r"(?<![\w.])([a-z]+)\(")


def _taken(rewrite: Rewrite, facts: Facts) -> str | None:
    """One of Python's functions that the new text calls, and that is something else there. What the user's text calls goes on being called."""
    removed = " ".join(facts.source.text[edit.start : edit.end] for edit in rewrite.edits)
    called = (name for edit in rewrite.edits for name in _CALLED.findall(edit.text) if hasattr(builtins, name))
    return next((name for name in called if f"{name}(" not in removed and facts.is_bound(name, rewrite.node)), None)


def _compatible(proposals: Sequence[_Proposal], facts: Facts) -> list[_Proposal]:
    """The rewrites that can be made together: first in the text, first served, but late rules after all others.

    The value of a rewritten node is what it was, so what was known about everything around it stays true, and rewrites
    of other nodes go together. One that needs a whole region to stay as it is gets that region to itself. One that has to
    wait keeps its region for the next round from late ones: they could make it impossible.
    """
    chosen: list[_Proposal] = []
    taken: list[Span] = []
    regions: list[tuple[Span, bool]] = []
    kept: list[tuple[Span, bool]] = []
    nodes: list[Span] = []
    for rule, rewrite in sorted(proposals, key=lambda one: (one[0].late, min(edit.start for edit in one[1].edits), one[0].name)):
        wide = bool(rewrite.region)
        region = facts.edit.region_span(*(rewrite.region or (rewrite.node,)))
        spans = [Span(edit.start, edit.end) for edit in rewrite.edits]
        node = facts.source.span(rewrite.node)
        waits = any(_meet(span, other) for span in spans for other in taken)
        # What one keeps and another rewrites as a whole may bind looser afterwards, and need brackets where it comes to stand.
        waits = waits or any(_beside(node, other) for other in taken) or any(_beside(one, span) for one in nodes for span in spans)
        before = [*regions, *(kept if rule.late else ())]
        waits = waits or any(region == other or ((wide or other_wide) and region.overlaps(other)) for other, other_wide in before)
        if not waits:
            chosen.append((rule, rewrite))
            taken += spans
            regions.append((region, wide))
            nodes.append(node)
        else:
            kept.append((region, wide))
    return chosen


def _rivals(
    proposals: Sequence[_Proposal], chosen: Sequence[_Proposal], facts: Facts, original: Source, where: Callable[[int], int]
) -> list[tuple[Applied, Applied]]:
    """What another rule would make of a node that is rewritten now."""
    made = {id(one.node): (rule, one) for rule, one in chosen}
    found = []
    for rule, one in proposals:
        winner = made.get(id(one.node))
        if winner is not None and winner[0] is not rule:
            found.append((_applied(*winner, facts, original, where), _applied(rule, one, facts, original, where)))
    return found


def _meet(a: Span, b: Span) -> bool:
    """Do two edits touch the same characters, or insert at the same place?"""
    return a.overlaps(b) or (a.start == b.start and (a.start == a.end or b.start == b.end)) or a == b


def _beside(node: Span, edit: Span) -> bool:
    """Does an edit end where a node begins, or begin where it ends? Then the node comes to stand beside something else."""
    return edit.end == node.start or edit.start == node.end


def _apply(chosen: Sequence[_Proposal], facts: Facts, progress: _Progress, original: Source, where: Callable[[int], int]) -> None:
    source = facts.source
    progress.rewrites += [_applied(rule, one, facts, original, where) for rule, one in chosen]
    edits = [edit for _, one in chosen for edit in one.edits]
    try:
        after = source.after(edits)
    except Conflict as error:
        raise InternalError(f"a rewrite contradicts itself: {error}") from None
    if progress.observed is not None:
        progress.observed = progress.observed.carried([(source.span(one.node), one.edits) for _, one in chosen])
    progress.source = after
    progress.edits = compose(len(original.text), progress.edits, edits)


def _applied(rule: Rule, one: Rewrite, facts: Facts, original: Source, where: Callable[[int], int]) -> Applied:
    span = facts.edit.region_span(one.node)
    start, end = where(span.start), where(span.end)
    assert one.fidelity is not None
    found = balance(one.worth, facts)
    return Applied(
        rule.name,
        original.line_of(start),
        start - original.line_start(start) + 1,
        original.line_of(end),
        one.reason,
        one.fidelity,
        one.evidence,
        one.doubt.reason if one.doubt is not None else "",
        tuple((original.line_of(where(edit.start)), original.line_of(where(edit.end))) for edit in one.edits),
        one.observed,
        end - original.line_start(end) + 1,
        gradients=one.gradients,
        later=one.later,
        purpose=str(found.purpose),
        balance=found.said,
        setup=found.costs,
    )


def _lines(node: gast.AST, facts: Facts, original: Source, where: Callable[[int], int]) -> tuple[int, int]:
    """The first and the last line of a node in the original text."""
    span = facts.edit.region_span(node)
    return original.line_of(where(span.start)), original.line_of(where(span.end))


def _newly_written(progress: _Progress, original: Source) -> Callable[[gast.AST], bool]:
    """Is something part of a helper that a rule has written, and no text of the user's, moved perhaps? Nobody can do anything about that."""
    pieces = _pieces(len(original.text), progress.edits)
    starts = list(accumulate((piece.length for piece in pieces), initial=0))
    source = progress.source

    def ours(node: gast.AST) -> bool:
        span = source.span(node)
        index = bisect.bisect_right(starts, span.start) - 1
        if index >= len(pieces) or pieces[index].text is None:
            return False
        return source.text[span.start : span.end].partition("\n")[0].strip() not in original.text

    return ours


def _placed(refusal: Refusal, rule: Rule, offered: bool, source: Source, original: Source, where: Callable[[int], int]) -> Refused:
    start = where(source.span(refusal.node).start)
    column = start - original.line_start(start) + 1
    line = original.line_of(start)
    return Refused(rule.name, line, column, refusal.code, refusal.reason, refusal.remedy, offered, reported=rule.reports)


def _check(before: Source, after: Source) -> None:
    """The result compiles, and holds every comment that the original held."""
    try:
        _compile(after)
    except (SyntaxError, ValueError) as error:
        try:
            _compile(before)
        except SyntaxError as own:  # parsed, but a `return` stands outside of a function, or the like
            raise SourceError(before.path, own.lineno or 0, f"not valid Python: {own.msg}") from None
        raise InternalError(f"the result would not be valid Python: {error}") from None
    lost = Counter(token.string for token in before.comments) - Counter(token.string for token in after.comments)
    if lost:
        raise InternalError(f"the result would lose the comment {next(iter(lost))!r}")


def _compile(source: Source) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if source.is_interactive else 0
        compile(source.text, source.path, "exec", flags, dont_inherit=True)


# Edits of edits


@dataclass(frozen=True)
class _Piece:
    """A stretch of a text: characters of the original, or (where `text` is set) new ones that stand at `start`."""

    start: int
    end: int
    text: str | None = None

    @property
    def length(self) -> int:
        return self.end - self.start if self.text is None else len(self.text)

    def cut(self, first: int, last: int) -> _Piece:
        if self.text is None:
            return _Piece(self.start + first, self.start + last)
        return _Piece(self.start, self.end, self.text[first:last])


def _pieces(length: int, edits: Sequence[Edit]) -> list[_Piece]:
    pieces = []
    position = 0
    for edit in edits:
        if position < edit.start:
            pieces.append(_Piece(position, edit.start))
        if edit.text:
            pieces.append(_Piece(edit.start, edit.end, edit.text))
        position = edit.end
    if position < length:
        pieces.append(_Piece(position, length))
    return pieces


def compose(length: int, first: Sequence[Edit], second: Sequence[Edit]) -> tuple[Edit, ...]:
    """Edits of a text of that length that do at once what `first`, and then `second` to its result, do."""
    pieces = iter(_pieces(length, first))
    result: list[_Piece] = []
    position = 0
    rest: _Piece | None = next(pieces, None)

    def advance(until: int, keep: bool) -> None:
        nonlocal position, rest
        while rest is not None and position < until:
            step = min(rest.length, until - position)
            if keep:
                result.append(rest.cut(0, step))
            rest = rest.cut(step, rest.length) if step < rest.length else next(pieces, None)
            position += step

    for edit in in_order(second):
        advance(edit.start, keep=True)
        if edit.text:
            here = length if rest is None else rest.start
            result.append(_Piece(here, here, edit.text))
        advance(edit.end, keep=False)
    while rest is not None:
        result.append(rest)
        rest = next(pieces, None)
    return tuple(_edits_of(result, length))


def _edits_of(pieces: Sequence[_Piece], length: int) -> Iterator[Edit]:
    position = 0
    pending = ""
    for piece in [*pieces, _Piece(length, length)]:
        if piece.text is not None:
            pending += piece.text
            continue
        if pending or piece.start > position:
            yield Edit(position, piece.start, pending)
        pending, position = "", piece.end


def _written(progress: _Progress) -> Callable[[gast.AST], bool]:
    """Whether a node begins with what a rewrite has written."""
    spans: list[Span] = []
    moved = 0
    for edit in progress.edits:
        spans.append(Span(edit.start + moved, edit.start + moved + len(edit.text)))
        moved += len(edit.text) - (edit.end - edit.start)
    starts = [span.start for span in spans]

    def written(node: gast.AST) -> bool:
        begin = progress.source.span(node).start
        at = bisect.bisect_right(starts, begin) - 1
        return at >= 0 and begin < spans[at].end

    return written


def _locator(edits: Sequence[Edit], original: Source) -> Callable[[int], int]:
    """Where a character of the edited text stands, or would stand, in the original."""
    pieces = _pieces(len(original.text), edits)
    starts = list(accumulate((piece.length for piece in pieces), initial=0))

    def where(offset: int) -> int:
        index = bisect.bisect_right(starts, offset) - 1
        if index >= len(pieces):
            return len(original.text)
        piece = pieces[index]
        return piece.start if piece.text is not None else piece.start + offset - starts[index]

    return where
