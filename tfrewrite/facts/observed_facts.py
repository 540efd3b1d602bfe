"""The facts of a program that was run: what its text doesn't say, the run may have shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

import gast

from tfrewrite.facts import Facts, Read
from tfrewrite.facts.call_graph import CallGraph
from tfrewrite.facts.contexts import Contexts, Mode
from tfrewrite.facts.infer import Inference
from tfrewrite.facts.names import Names
from tfrewrite.facts.observed import Observed, Ran, Seen, in_words, key_of
from tfrewrite.facts.scopes import Scopes
from tfrewrite.facts.walk.environment import Iterations
from tfrewrite.facts.worlds import World
from tfrewrite.kinds import Kind, Sort
from tfrewrite.ops import op
from tfrewrite.outcomes import Basis
from tfrewrite.source import Source

T = TypeVar("T")
N = TypeVar("N", bound=gast.AST)
_MOST_REASONS = 3


class ObservedFacts(Facts):
    """Answers as `Facts` does, and where that is nothing, from what was observed; it remembers which answers those were.

    Without `values` it believes what types and shapes were seen, but not that no tensor ever holds other numbers.
    """

    def __init__(self, source: Source, world: World, read: Read) -> None:
        assert world.observed is not None
        self._observed = world.observed
        super().__init__(source, world, read)
        self._plain = self.given(world.unobserved())
        whole = self.given(world.unsupposed())
        self._believed: dict[str, tuple[bool, int]] = {}
        """What was said by observation alone since `forget`: whether it follows from the rest, and the calls it was seen in."""
        if isinstance(whole, ObservedFacts) and whole is not self:
            self.contexts, self._believed = whole.contexts, whole._believed
        else:
            nodes, holds = read.by_type, self._observed.holds
            callers = CallGraph(self.tree, self.scopes, self.names, nodes, source.standing, None, self._ran, holds)
            self.contexts = Contexts(self.scopes, self.names, nodes, callers)

    def _named(self, names: Names) -> Names:
        return super()._named(_ObservedNames(names, self.scopes, self._seen))

    @cached_property
    def _inference(self) -> Inference:
        imports = None if self._observed.holds else self.imports
        return Inference(self.tree, self.scopes, self.names, self.contexts, self.world, self._kind_seen, imports=imports)

    def _seen(self, node: gast.AST) -> Seen | None:
        key = key_of(node, self.source)
        return None if key is None else self._observed.expressions.get(key)

    def _ran(self, function: gast.AST) -> Ran | None:
        key = key_of(function, self.source)
        return None if key is None else self._observed.functions.get(key)

    def _kind_seen(self, node: gast.AST) -> Kind | None:
        seen = self._seen(node)
        if seen is None:
            return None
        return seen.kind if self.world.values else seen.type

    def was_run(self, node: gast.AST) -> bool:
        """Was any of it evaluated? What was not can't be verified either, whatever is known of the names that it reads."""
        return self._observed.holds or any(self._seen(one) is not None for one in gast.walk(node))

    # What is asked

    def once(self, question: Callable[[Facts], T]) -> T:
        """Asked each time, so that what the answer rests on is known of each rewrite."""
        return question(self)

    def once_for(self, node: N, question: Callable[[N, Facts], T]) -> T:
        return question(node, self)

    def forget(self) -> None:
        self._believed.clear()

    @property
    def evidence(self) -> Basis | None:
        """What the answers since `forget` rest on; None where that is the text alone."""
        if not self._believed:
            return None
        roots = [reason for reason, (follows, _) in self._believed.items() if not follows] or list(self._believed)
        reasons = roots[:_MOST_REASONS]
        calls = min(count for _, count in self._believed.values())
        more = "; ..." if len(roots) > _MOST_REASONS else ""
        return Basis(f"{'; '.join(reasons)}{more}", calls)

    def _believe(self, reason: str, node: gast.AST, follows: bool = False) -> None:
        function = self.scopes.function_of(node)
        ran = self._ran(function) if function is not None else None
        seen = self._seen(node)
        count = ran.calls if ran is not None else seen.count if seen is not None else 1
        self._believed.setdefault(reason, (follows, count))

    def kind(self, node: gast.AST) -> Kind:
        kind = super().kind(node)
        known = self._plain.kind(node)
        if kind != known:
            shown, follows = self.edit.short(node), not isinstance(node, gast.Name | gast.Attribute)
            if _told(kind) != _told(known):
                self._believe(f"{shown} is {in_words(kind)}", node, follows)
            if kind.finite and not known.finite and (kind.dtype or "").startswith(("float", "bfloat", "complex")):
                self._believe(f"{shown} is finite", node, follows)
            if isinstance(kind.below, int) and kind.below != known.below:
                self._believe(f"{shown} lies below {kind.below}", node, follows)
        return kind

    def iterations(self, loop: gast.AST) -> Iterations | None:
        iterations, known = super().iterations(loop), self._plain.iterations(loop)
        if iterations is None or known is None:
            return iterations
        for seen, plain in ((iterations.before, known.before), (iterations.end, known.end)):
            for name, kind in seen.items():
                if _told(kind) != _told(plain.get(name, Kind())):
                    self._believe(f"{name} is {in_words(kind)}", loop)
        return iterations

    def mode(self, node: gast.AST) -> Mode:
        mode = super().mode(node)
        if mode is not self._plain.mode(node):
            self._believe(f"{self._function_name(node)} ran {'eagerly' if mode is Mode.EAGER else 'in a graph'}", node)
        return mode

    def taped(self, node: gast.AST) -> bool:
        taped = super().taped(node)
        if taped is not self._plain.taped(node):
            self._believe(f"{self._function_name(node)} ran outside of every gradient tape", node)
        return taped

    def called(self, node: gast.AST) -> str | None:
        name = super().called(node)
        if isinstance(node, gast.Call) and name is not None and name != self._plain.called(node):
            self._believe(f"{self.edit.short(node.func)} is {name}", node)
        return name

    def _function_name(self, node: gast.AST) -> str:
        return getattr(self.scopes.function_of(node), "name", "the lambda")

    def _pure_call(self, call: gast.Call) -> bool:
        if super()._pure_call(call):
            return True
        seen = self._seen(call.func)
        effects = self._observed.effects.get(seen.name) if seen is not None and seen.sort == "function" else None
        if effects is None or not effects.pure:
            return False
        self._believe(f"{self.edit.short(call.func)} has no effects", call)
        return True


def observed_facts(facts: Facts, observed: Observed, values: bool = True) -> ObservedFacts:
    """The facts of a program of which a run has shown something."""
    found = facts.given(World(observed=observed, values=values))
    assert isinstance(found, ObservedFacts)
    return found


class _ObservedNames(Names):
    """Names that the text leads to, and those of functions of TensorFlow's that were seen to be called."""

    def __init__(self, plain: Names, scopes: Scopes, seen: Callable[[gast.AST], Seen | None]) -> None:
        super().__init__(scopes)
        self._plain_names = plain
        self._parents = scopes.parents
        self._look = seen

    def __call__(self, node: gast.AST) -> str | None:
        known = self._plain_names(node)
        if known is not None and known.startswith(("tensorflow.", "numpy.", "builtins.")):
            return known
        parent = self._parents.get(node)
        if isinstance(parent, gast.Call) and parent.func is node:
            seen = self._look(node)
            if seen is not None and seen.sort == "function" and seen.name.startswith("tensorflow.") and op(seen.name).is_pure:
                return seen.name
        return known


def _told(kind: Kind) -> str:
    return "" if kind.sort is Sort.UNKNOWN and not isinstance(kind.shape, tuple) else in_words(kind)
