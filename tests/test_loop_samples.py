"""Loops as people write them: rewritten in every form of a program, each does what plain Python does."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from conftest import some
from loop_samples import PRELUDE, Sample, executed, read, replacing, samples, tried
from programs import anything

from tfrewrite.catalogue import rules
from tfrewrite.engine import rewrite
from tfrewrite.source import Source, apply_edits

SAMPLES = samples()


@pytest.mark.parametrize("sample", some(SAMPLES, SAMPLES[:1]), ids=str)
def test_means_what_plain_python_means(sample: Sample, record_property: Any) -> None:
    found = tried(sample.text, sample.groups, rules())
    record_property("loop samples", dict(found.counts))
    record_property("loop samples, what stands against them", found.reasons)
    assert not found.wrong, "\n".join(found.wrong)


@pytest.mark.smoke
def test_there_is_one_of_each() -> None:
    titles = Counter(map(str, SAMPLES))
    assert len(titles) == len(SAMPLES) >= 90


LEAKING = """
@tf.function
def leaking(x, n):
    outs = []
    for i in tf.range(n):
        outs.append(x + i)
    return tf.stack(outs)
"""


def test_without_a_turn_what_raises_goes_on_raising() -> None:
    import tensorflow as tf

    text = PRELUDE + LEAKING
    after = apply_edits(text, rewrite(Source(text, "sample.py"), anything(rules())).edits)
    assert "tf.TensorArray" in after
    for count in ("0", "tf.constant(0)", "tf.constant(-1)"):
        call = f"\n\nleaking(tf.ones([2]), {count})"
        assert executed(text + call).raised is not None
        assert isinstance(executed(after + call).raised, tf.errors.InvalidArgumentError)
    # Who hands it Python numbers gets what the loop gives eagerly.
    text += "\n\nif __name__ == '__main__':\n    some, none = leaking(tf.ones([2]), 2), leaking(tf.ones([2]), 0)"
    outcome = executed(apply_edits(text, rewrite(Source(text, "sample.py"), anything(rules())).edits))
    assert outcome.raised is None and outcome.values["some"].shape == (2, 2) and outcome.values["none"].shape == (0,)


# What must be noticed


SUM = """
=== a sum
def total(x, n):
    s = 0.0
    for i in range(n):
        s = s + x * i
        print(i)
    return s, i
>>> total(tf.constant([1.0, 2.0]), 3)
>>> total(tf.constant([1.0, 2.0]), 0)
>>>
>>> total(tf.constant([1.0, 2.0], tf.float64), 4)
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("range(n)", "range(n - 1)"),
        ("range(n)", "tf.range(n)"),
        ("range(n)", "range(max(n, 1))"),
        ("range(n)", "map(float, range(n))"),
        ("x * i", "x * (i + 1e-3)"),
        ("x * i", "tf.cast(tf.cast(x, tf.float32) * 0.1 * i, x.dtype) * 10"),
        ("x * i", "(x * i)[None]"),
        ("0.0", "tf.constant(0.0)"),
        ("print(i)", "print(i + 0.0)"),
        ("print(i)", "pass"),
    ],
)
def test_wrong_rules_are_found_out(old: str, new: str) -> None:
    (sample,) = read(SUM, "made up")
    found = tried(sample.text, sample.groups, (replacing(old, new),))
    assert found.wrong and found.counts["any form: rewritten"] == 1


@pytest.mark.smoke
def test_right_and_refusing_rules_are_counted() -> None:
    (sample,) = read(SUM, "made up")
    found = tried(sample.text, sample.groups, (replacing("x * i", "i * x"),))
    assert not found.wrong
    assert set(found.counts) == {
        "any form: rewritten", "module: rewritten", "module, unsafe: rewritten", "script: rewritten", "module that runs, unsafe: rewritten"
    }  # fmt: skip
    refused = tried(sample.text, sample.groups, (replacing("x * i", "x * i"),))
    assert refused.counts["script: no gain"] == 1 and refused.reasons == {"loop: nothing to do": 1}
    assert tried(sample.text, sample.groups, rules()[:1]).counts["any form: unseen"] == 1


def test_what_would_not_be_compared_is_no_sample() -> None:
    (sample,) = read("=== an object\nclass Thing:\n    pass\n>>> Thing()", "made up")
    with pytest.raises(AssertionError, match="can't be compared"):
        tried(sample.text, sample.groups, rules())
