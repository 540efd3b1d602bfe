"""Walks of the inference that aren't taken again, and answers that are found out once."""

from collections.abc import Callable
from typing import Any

import gast
import pytest

from tfrewrite.facts import Facts
from tfrewrite.facts.walk.taken_before import Conversation, Walks
from tfrewrite.source import Source


class _Told:
    """Stands for an inference: what it says, and how often it was asked."""

    def __init__(self, **answers: int) -> None:
        self.answers = answers
        self.asked: list[str] = []


def _inference(**answers: int) -> Any:
    return _Told(**answers)


def _question(name: str) -> Callable[[Any], int]:
    def asked(told: _Told) -> int:
        told.asked.append(name)
        return told.answers[name]

    return asked


def _walk(conversation: Conversation) -> int:
    """Asks for `b` only where `a` is positive."""
    first = conversation.ask(_question("a"))
    return first + conversation.ask(_question("b")) if first > 0 else conversation.ask(_question("c"))


@pytest.mark.parametrize(
    ("answers", "found", "asked"),
    [
        ({"a": 1, "b": 2}, 3, ["a", "b"]),  # the same again
        ({"a": 1, "b": 5}, 6, ["a", "b"]),  # another answer later on
        ({"a": 0, "c": 7}, 7, ["a", "c"]),  # another way altogether
    ],
)
def test_a_walk_is_taken_again_where_it_would_be_told_otherwise(answers: dict[str, int], found: int, asked: list[str]) -> None:
    walks: Walks[int] = Walks()
    assert walks.taken("unit", _inference(a=1, b=2), _walk) == 3
    told = _inference(**answers)
    assert walks.taken("unit", told, _walk) == found
    assert told.asked == asked  # each of them once, whether it was walked again or not


def test_a_walk_that_would_be_told_the_same_is_not_taken() -> None:
    walks: Walks[int] = Walks()
    walks.taken("unit", _inference(a=1, b=2), _walk)
    walks.taken("unit", _inference(a=0, c=7), _walk)

    def never(conversation: Conversation) -> int:
        raise AssertionError("it is known")

    assert walks.taken("unit", _inference(a=1, b=2), never) == 3
    assert walks.taken("unit", _inference(a=0, c=7), never) == 7


def test_what_is_handed_over_in_another_world_is_walked_anew() -> None:
    facts = Facts(Source("import tensorflow as tf\n\n\ndef f(x):\n    return x + 1\n\n\nf(tf.zeros((2, 3)))\nf(tf.zeros((4, 3)))\n"))
    total = next(one for one in facts.nodes((gast.BinOp,)))
    calls = [one for one in facts.nodes((gast.Call,)) if facts.called(one) is None]
    of_any_call = facts.kind(total)
    inside = [facts.inside(call) for call in calls if isinstance(call, gast.Call)]
    assert [one.kind(total).shape for one in inside if one is not None] == [(2, 3), (4, 3)]
    assert facts.kind(total) == of_any_call
    assert of_any_call.shape not in ((2, 3), (4, 3))


def test_what_is_below_a_node_is_what_a_walk_gives() -> None:
    from tfrewrite.facts.scopes import walk_within

    facts = Facts(
        Source(
            "class A(B):\n    @d\n    def f(self, x=1):\n        return [lambda y: y + x for z in x if (w := z)]\n\n\nfor i in A: g(i)\n"
        )
    )
    for node in (facts.tree, *facts.scopes.parents):
        assert facts.scopes.within(node) == list(walk_within(node))
