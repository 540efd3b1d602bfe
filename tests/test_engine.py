"""The engine on real rewrites in odd surroundings, on rules that err, and on comments that say no."""

from __future__ import annotations

import ast
import importlib
import re
import sys
import textwrap
import types
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import gast
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from programs import anything

from tfrewrite import catalogue, engine
from tfrewrite.catalogue import CatalogueError, rules
from tfrewrite.codes import Code
from tfrewrite.engine import InternalError, Options, rewrite
from tfrewrite.facts import Facts
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, Rule, Setup, Worth, purposes
from tfrewrite.process import process, rewritten
from tfrewrite.source import Source, apply_edits
from tfrewrite.worth import GRAPH_FIRST, MOST_ADDED, XLA_EACH, XLA_FIRST, costs

pytestmark = pytest.mark.smoke

WHO_KNOWS = Refusal(gast.Pass(), Code.UNKNOWN_VALUE, "who knows")
FUZZ = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
OPTIONS = Options(rules())


def result_of(text: str, options: Options = OPTIONS) -> str:
    return apply_edits(text, rewrite(Source(text, "x.py"), options).edits)


# Odd surroundings

SNIPPETS = [
    ("total.assign(total + tf.ones([100, 100]))", "total.assign_add(tf.ones([100, 100]))"),
    ("total.assign(\n    total  # old\n    + tf.ones([100, 100])\n)", None),
    ("total.assign(((total)) - (tf.ones([100, 100])))", None),
    ("p = tf.matmul(m, tf.transpose(m))", "p = tf.matmul(m, m, transpose_b=True)"),
    ("p = tf.matmul(\n    m,\n    tf.transpose(m),\n)", None),
    ("p = m @ tf.transpose(m)", None),
    ("p = tf.matmul(tf.transpose(m), tf.matmul(m, tf.transpose(m)))", None),
    ("t = tf.linalg.trace(tf.matmul(m, m))", None),
    ("q = m * tf.tile(r, [100, 1])", "q = m * r"),
    ("q = (\n    m *\n    # tiled\n    tf.tile(r, [100, 1])\n)", None),
    ("q = tf.matmul(tf.linalg.diag(d), m)", None),
    ("q = tf.reduce_sum(tf.repeat(m, 3, axis=0), axis=1)", None),
]
HEAD = "import tensorflow as tf\ntotal = tf.Variable(tf.ones([100, 100]))\nm = tf.ones([100, 100])\nr = tf.ones([1, 100])\nd = tf.ones([100])\n"
AROUND = [
    "x = 'größe'",
    "# on its own é",
    "",
    "\x0c",
    "s = '''\n  a\n# no comment\n'''",
    "print('𝄞', \\\n    1)",
    "y = [\n    1,  # one\n]",
    "z = (lambda: 0)()",
]
FRAMES = [
    "{}",
    "if 1:\n    {}",
    "if 1:\n\t{}",
    "for i in range(2):\n  {}\nelse:\n  pass",
    "try:\n    {}\nfinally:\n    pass",
    "with open('f') as f:\n    {}",
]
FRAMES += [
    "def f():\n    {}\nf()",
    "class A:\n    {}",
    "if 1:\n    if 2:\n        while 3:\n            {}",
    "if 1: {}",
    "async def g():\n\t{}",
]


@st.composite
def odd_programs(draw: st.DrawFn) -> bytes:
    lines = [HEAD]
    for _ in range(draw(st.integers(1, 4))):
        lines += draw(st.lists(st.sampled_from(AROUND), max_size=3))
        snippet = draw(st.sampled_from(SNIPPETS))[0]
        frame = draw(st.sampled_from(FRAMES))
        if draw(st.booleans()):
            snippet = draw(st.sampled_from(["x = 1; {}", "{}; x = 1", "x = 1; {};"])).format(snippet)
        if draw(st.booleans()):
            snippet += draw(st.sampled_from(["  # beside é", "\t# beside", "  # \x0b\u2028 odd"]))
        indentation = re.search(r"([ \t]*)\{\}", frame)
        assert indentation is not None
        lines.append(frame.format(snippet.replace("\n", "\n" + indentation[1])))
    text = "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n  # last"]))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    text = text.replace("\n", end)
    encoding = draw(st.sampled_from(["utf-8", "bom", "latin-1", "cp1252", "shift_jis"]))
    if encoding == "bom":
        return b"\xef\xbb\xbf" + text.encode()
    if encoding == "utf-8":
        return text.encode()
    return (f"# coding: {encoding}{end}" + text.encode(encoding, "ignore").decode(encoding)).encode(encoding)


@settings(FUZZ, max_examples=150)
@given(odd_programs(), st.booleans())
def test_rewrites_in_odd_files(data: bytes, unsafe: bool) -> None:
    check_rewrites(data, unsafe)


@pytest.mark.fuzz
@settings(FUZZ, max_examples=3000, derandomize=False)
@given(odd_programs(), st.booleans())
def test_rewrites_in_odd_files_however_long_they_try(data: bytes, unsafe: bool) -> None:
    check_rewrites(data, unsafe)


def check_rewrites(data: bytes, unsafe: bool) -> None:
    try:
        ast.parse(data)
    except SyntaxError:
        assume(False)
    options = anything(rules(), unsafe)
    outcome = process(data, "odd.py", options)
    assert outcome.failure is None
    after = rewritten(data, "odd.py", outcome.result)
    ast.parse(after)
    source, new = Source.from_bytes(data, "odd.py"), Source.from_bytes(after, "odd.py")
    lost = Counter(one.string for one in source.comments) - Counter(one.string for one in new.comments)
    assert not lost
    assert not process(after, "odd.py", options).result.edits
    assert process(data, "odd.py", options) == outcome
    check_untouched(source, new, outcome.result)


def check_untouched(source: Source, new: Source, result: engine.Result) -> None:
    """Statements that no rewrite names are there as they were."""
    lines = {line for one in result.rewrites for first, last in ((one.line, one.end_line), *one.touched) for line in range(first, last + 1)}
    for edit in result.edits:
        assert source.line_of(edit.start) in lines or source.line_of(edit.end) in lines
    kept = [
        source.text_of(node)
        for node in gast.walk(source.tree)
        if isinstance(node, gast.stmt) and not lines & set(range(node.lineno, node.end_lineno + 1))
    ]
    assert not Counter(kept) - Counter(new.text_of(node) for node in gast.walk(new.tree) if isinstance(node, gast.stmt))
    assert result.edits or source.text == new.text
    crlf = source.text.count("\r\n") == source.text.count("\n") == source.text.count("\r") > 0
    if crlf:
        assert new.text.count("\r\n") == new.text.count("\n") == new.text.count("\r")


@pytest.mark.parametrize(("before", "after"), [pair for pair in SNIPPETS if pair[1] is not None])
def test_snippets_fire(before: str, after: str) -> None:
    assert result_of(HEAD + before + "\n", anything(rules())) == HEAD + after + "\n"


def test_what_cannot_be_written_back_is_left_alone() -> None:
    text = HEAD + "total.assign(total + tf.ones([100, 100]))\n"
    odd = b"# coding: utf-7\n" + text.encode("utf-7") + b"x = '+AGE-'\n"
    assert Source.from_bytes(odd, "x.py").to_bytes() != odd
    outcome = process(odd, "x.py", OPTIONS)
    assert outcome.failure is not None and "utf-7" in outcome.failure.message and not outcome.changed
    assert process(b"# coding: utf-7\nimport tensorflow\nx = '+AGE-'\n", "x.py", OPTIONS).failure is None


@pytest.mark.parametrize(
    ("text", "line"),
    [("return 1\n", 7), ("await f()\n", 7), ("def f():\n    x = 1\n    global x\n", 9), ("x: int = (yield)\n", 7)],
)
def test_a_file_that_does_not_compile_is_the_users(text: str, line: int) -> None:
    outcome = process((HEAD + "total.assign(total + tf.ones([100, 100]))\n" + text).encode(), "x.py", OPTIONS)
    assert outcome.failure is not None and outcome.failure.line == line
    assert "mistake of tfrewrite" not in outcome.failure.message and not outcome.changed


def test_failures_are_told_and_harm_nothing() -> None:
    for text, line in (("import tensorflow\nprint 'a'\n", 2), ("import tensorflow\nx = (\n", 2), ("import tensorflow\n\0", 2)):
        outcome = process(text.encode(), "x.py", OPTIONS)
        assert outcome.failure is not None and outcome.failure.line == line and not outcome.changed
    deep = "import tensorflow as tf\nx = tf.matmul(a, tf.transpose(b))" + " + a" * 5000
    outcome = process(deep.encode(), "x.py", OPTIONS)
    assert outcome.failure is not None and "nested" in outcome.failure.message
    for depth in range(50, 1000, 50):
        outcome = process(("import tensorflow as tf\nx = tf.matmul(a, tf.transpose(b))" + " + a" * depth).encode(), "x.py", OPTIONS)
        assert outcome.failure is None or "nested" in outcome.failure.message
    assert process(b"x = (\n", "x.py", OPTIONS).failure is None, "without TensorFlow in it, a file isn't looked at"


# Comments that say no

FIRST = "total.assign(total + tf.ones([100, 100]))"
SECOND = "total.assign(total - tf.ones([100, 100]))"


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        (f"{FIRST}\n{SECOND}", 2),
        (f"{FIRST}  # tfrewrite: off\n{SECOND}", 1),
        (f"{FIRST}  # tfrewrite:off\n{SECOND}", 1),
        (f"{FIRST}  #tfrewrite: off=assign_add\n{SECOND}", 1),
        (f"{FIRST}  # tfrewrite: off = assign_add , trace_matmul\n{SECOND}", 1),
        (f"{FIRST}  # tfrewrite: off=trace_matmul\n{SECOND}", 2),
        (f"{FIRST}  # noqa: E501  # tfrewrite: off\n{SECOND}", 1),
        (f"{FIRST}  # tfrewrite: off, it is read elsewhere\n{SECOND}", 1),
        (f"{FIRST}  # tfrewrite: off=assign_add because it is read elsewhere\n{SECOND}", 1),
        (f"{FIRST}  # tfrewrite: offended\n{SECOND}", 2),
        (f"{FIRST}  # not tfrewrite off\n{SECOND}", 2),
        (f"x = '# tfrewrite: off'; {FIRST}\n{SECOND}", 2),
        (f"{FIRST}; {SECOND}  # tfrewrite: off", 0),
        (f"# tfrewrite: off\n{FIRST}\n{SECOND}", 1),
        (f"# tfrewrite: off\n# because\n\n{FIRST}\n{SECOND}", 1),
        ("total.assign(  # tfrewrite: off\n    total\n    + tf.ones([100, 100]))\n" + SECOND, 1),
        ("total.assign(\n    total\n    + tf.ones([100, 100]))  # tfrewrite: off\n" + SECOND, 1),
        ("# tfrewrite: off\ntotal.assign(\n    total\n    + tf.ones([100, 100]))\n" + SECOND, 1),
        ("print(  # tfrewrite: off\n  m,\n  tf.matmul(m, tf.transpose(m)),\n)\n" + SECOND, 1),
        ("print(\n  tf.matmul(m, tf.transpose(m)),  # tfrewrite: off\n  tf.matmul(m, tf.transpose(m)),\n)", 1),
        ("print(\n  # tfrewrite: off\n  tf.matmul(m, tf.transpose(m)),\n  tf.matmul(m, tf.transpose(m)),\n)", 1),
        (f"if m is not None:  # tfrewrite: off\n    {FIRST}\n{SECOND}", 2),
        (f"# tfrewrite: off\nif m is not None:\n    {FIRST}\n{SECOND}", 2),
        (f"def f():  # tfrewrite: off\n    {FIRST}\n    {FIRST}\n{SECOND}", 1),
        (f"# tfrewrite: off\ndef f():\n    {FIRST}\n    {FIRST}\n{SECOND}", 1),
        (f"def f(\n    a,  # tfrewrite: off\n    b,\n):\n    {FIRST}\n    {FIRST}\n{SECOND}", 1),
        (f"def f(a, b\n) -> int:  # tfrewrite: off\n    {FIRST}\n    {FIRST}\n{SECOND}", 1),
        (f"def f():\n    # tfrewrite: off\n    {FIRST}\n    {FIRST}\n{SECOND}", 2),
        (f"def f():\n    {FIRST}  # tfrewrite: off\n    {FIRST}\n{SECOND}", 2),
        (f"def f(): {FIRST}  # tfrewrite: off\n{SECOND}", 1),
        (f"@print  # tfrewrite: off\ndef f():\n    {FIRST}\n{SECOND}", 1),
        (f"@print\n# tfrewrite: off\n@print\ndef f():\n    {FIRST}\n{SECOND}", 1),
        (f"# tfrewrite: off\n@print\ndef f():\n    {FIRST}\n{SECOND}", 1),
        (f"@print\ndef f():  # tfrewrite: off\n    {FIRST}\n{SECOND}", 1),
        (f"class A:\n    @print  # tfrewrite: off\n    def f(self):\n        {FIRST}\n    def g(self):\n        {FIRST}\n{SECOND}", 2),
        (f"class A:  # tfrewrite: off\n    def f(self):\n        {FIRST}\n    def g(self):\n        {FIRST}\n{SECOND}", 1),
        (f"# tfrewrite: off\nclass A(object):\n    def f(self):\n        {FIRST}\n{SECOND}", 1),
        (f"def f():\n    @print  # tfrewrite: off\n    def g():\n        {FIRST}\n    {FIRST}\n{SECOND}", 2),
        (f"def f():\n    def g():  # tfrewrite: off\n        {FIRST}\n    {FIRST}\n{SECOND}", 2),
        (f"async def f():  # tfrewrite: off\n    {FIRST}\n{SECOND}", 1),
        (f"match m:  # tfrewrite: off\n    case 1:\n        {FIRST}\n{SECOND}", 2),
        (f"{FIRST}\n{SECOND}\n# tfrewrite: off", 2),
        (f"{FIRST}\n{SECOND}\n  # tfrewrite: off\n", 2),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_suppressions(text: str, changed: int, end: str) -> None:
    result = rewrite(Source((HEAD + text).replace("\n", end), "x.py"), OPTIONS)
    assert len(result.rewrites) == changed


@pytest.mark.parametrize(
    "head",
    [
        "# tfrewrite: off\n",
        "#!/usr/bin/env python\n# coding: utf-8\n# tfrewrite: off\n\n'''Documentation.'''\n",
        "\n  # tfrewrite: off=assign_add\n",
    ],
)
def test_a_whole_file_is_left_alone(head: str) -> None:
    assert not rewrite(Source(head + HEAD + FIRST, "x.py"), OPTIONS).rewrites


def test_refusals_are_suppressed_too() -> None:
    text = "import tensorflow as tf\ndef f(a, b):\n    return tf.matmul(a, tf.transpose(b))"
    assert rewrite(Source(text, "x.py"), OPTIONS).refusals
    assert not rewrite(Source(text + "  # tfrewrite: off", "x.py"), OPTIONS).refusals


# Rules that err, meet, or never end


def a_rule(
    apply: object, name: str = "fake", nodes: tuple[type[gast.AST], ...] = (gast.Call,), fidelity: Fidelity = Fidelity.BITWISE
) -> Rule:
    return Rule(name, nodes, fidelity, ("tensorflow",), apply, "Fake.")  # type: ignore[arg-type]


def replacing(old: str, new: str, name: str = "fake", **more: object) -> Rule:
    """A rule that writes `new` over every call of `old`, and claims that nothing changes."""

    def apply(node: gast.Call, facts: Facts) -> Outcome:
        if isinstance(node.func, gast.Name) and node.func.id == old:
            span = facts.source.span(node)
            return Rewrite(node, (Edit(span.start, span.end, new),), "because", **more)  # type: ignore[arg-type]
        return None

    return a_rule(apply, name)


def engine_on(text: str, *given: Rule, **options: object) -> str:
    return result_of("import tensorflow\n" + text, Options(given, **options)).removeprefix("import tensorflow\n")  # type: ignore[arg-type]


@pytest.mark.parametrize("new", ["(", "x =", "a b", "'", "return", "\0", "await x", "\ufeff"])
def test_invalid_code_is_the_engines_own_mistake(new: str) -> None:
    text = "import tensorflow\nx = f()\n"
    with pytest.raises(InternalError):
        rewrite(Source(text, "x.py"), Options((replacing("f", new),)))
    outcome = process(text.encode(), "x.py", Options((replacing("f", new),)))
    assert outcome.failure is not None and "mistake of tfrewrite" in outcome.failure.message
    assert not outcome.changed and rewritten(text.encode(), "x.py", outcome.result) == text.encode()


@pytest.mark.parametrize("error", [KeyError("x"), AttributeError("no id"), AssertionError(), TypeError("3")])
def test_a_rule_that_raises_ends_with_its_file(error: Exception) -> None:
    def apply(node: gast.Call, facts: Facts) -> Outcome:
        raise error

    outcome = process(b"import tensorflow\nx = f()\n", "x.py", Options((a_rule(apply),)))
    assert outcome.failure is not None and not outcome.changed
    assert f"a mistake of tfrewrite: {type(error).__name__} in line " in outcome.failure.message
    assert "of test_engine.py" in outcome.failure.message


def test_a_lost_comment_is_refused() -> None:
    result = rewrite(Source("import tensorflow\nx = f(\n  # why\n)\ny = f()\n", "x.py"), Options((replacing("f", "1"),)))
    assert [one.line for one in result.rewrites] == [5]
    assert [(one.line, "'# why'" in one.reason) for one in result.refusals] == [(2, True)]


def test_a_moved_comment_is_fine() -> None:
    assert engine_on("x = f(\n  # why\n)\n", replacing("f", "(  # why\n  1)")) == "x = (  # why\n  1)\n"


def test_a_comment_lost_some_other_way_is_the_engines_own_mistake() -> None:
    rule = replacing("f", '"""')  # what follows becomes part of a string
    with pytest.raises(InternalError):
        engine_on("x = f()  # why\ny = g('''\"\"\"''')\n", rule)


def test_conflicting_edits_of_one_rewrite() -> None:
    def apply(node: gast.Call, facts: Facts) -> Outcome:
        span = facts.source.span(node)
        return Rewrite(node, (Edit(span.start, span.end, "1"), Edit(span.start + 1, span.end, "")), "because")

    outcome = process(b"import tensorflow\nx = f()\n", "x.py", Options((a_rule(apply),)))
    assert outcome.failure is not None and not outcome.changed


def test_overlapping_rewrites_wait_for_the_next_round() -> None:
    outer, inner = replacing("f", "h(1)", "outer"), replacing("g", "2", "inner")
    assert engine_on("x = f(g())\ny = g()\n", outer, inner) == "x = h(1)\ny = 2\n"
    assert engine_on("x = f(g())\ny = g()\n", inner, outer) == "x = h(1)\ny = 2\n"
    one, two = replacing("f", "1", "one"), replacing("f", "2", "two")
    assert engine_on("x = f()\n", one, two) == engine_on("x = f()\n", two, one) == "x = 1\n"


def test_rounds_lead_to_a_fixed_point() -> None:
    chain = [replacing(f"f{i}", f"f{i + 1}()", f"r{i}") for i in range(20)]
    assert engine_on("x = f0()\n", *chain) == "x = f20()\n"
    result = rewrite(Source("import tensorflow\nx = 1; y = f0()\n", "x.py"), Options(tuple(chain)))
    assert result.edits == (Edit(29, 33, "f20()"),) or apply_edits("import tensorflow\nx = 1; y = f0()\n", result.edits).endswith(
        "y = f20()\n"
    )
    assert {(one.line, one.column, one.end_line) for one in result.rewrites} == {(2, 12, 2)}


@pytest.mark.parametrize("name", ["transformer", "matrices"])
def test_nothing_is_refused_of_helpers_that_rules_have_written(name: str) -> None:
    text = (Path(__file__).parent.parent / "benchmarks" / "steps" / f"{name}.py").read_text()
    found = rewrite(Source(text, "x.py"), replace(OPTIONS, unsafe=True, fidelity=Fidelity.TOLERANCE, purposes=purposes("both")))
    places = {text.splitlines()[one.line - 1] for one in found.refusals}
    assert found.rewrites and places and all("train_step(" in one for one in places)


@pytest.mark.parametrize("given", [[("f", "f()")], [("f", "g()"), ("g", "f()")], [("f", "f(f())")]])
def test_what_never_ends_is_the_engines_own_mistake(given: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MOST_ROUNDS", 6)
    with pytest.raises(InternalError, match="still changing"):
        engine_on("x = f()\n", *(replacing(old, new, f"r_{old}") for old, new in given))


def test_a_region_is_kept_to_itself() -> None:
    rounds: list[str] = []

    def moves(node: gast.Call, facts: Facts) -> Outcome:
        if isinstance(node.func, gast.Name) and node.func.id == "f":
            rounds.append(facts.source.text)
            span = facts.source.span(node)
            return Rewrite(node, (Edit(span.start, span.end, "1"),), "because", region=tuple(facts.tree.body))
        return None

    assert engine_on("x = f()\ny = g()\n", a_rule(moves, "a"), replacing("g", "2", "b")) == "x = 1\ny = 2\n"
    assert engine_on("y = g()\nx = f()\n", a_rule(moves, "a"), replacing("g", "2", "b")) == "y = 2\nx = 1\n"
    assert any("y = 2" in text for text in rounds)


def test_edits_are_made_together_or_not_at_all() -> None:
    def both(node: gast.Module, facts: Facts) -> Outcome:
        calls = [one for one in facts.nodes([gast.Call]) if one.func.id == "f"]
        edits = tuple(Edit(facts.source.span(one).start, facts.source.span(one).end, "1") for one in calls)
        return Rewrite(calls[0], edits, "because") if len(calls) == 2 else None

    pair = a_rule(both, "b_pair", (gast.Module,))
    assert engine_on("x = f()\ny = f()\n", pair) == "x = 1\ny = 1\n"
    assert engine_on("x = h(f())\ny = f()\n", pair, replacing("h", "2", "a_single")) == "x = 2\ny = f()\n"


def test_fidelity_and_evidence() -> None:
    def graded(level: Fidelity | None) -> Rule:
        return replacing("f", "1", "graded", fidelity=level)

    grades = [one for one in Fidelity if one is not Fidelity.BEHAVIOUR]
    for level in grades:
        for asked in grades:
            expected = "print(1)\n" if level <= asked else "print(f())\n"
            assert engine_on("print(f())\n", graded(level), fidelity=asked) == expected
    result = rewrite(Source("import tensorflow\nx = f()\n", "x.py"), Options((graded(Fidelity.TOLERANCE),), fidelity=Fidelity.BITWISE))
    assert "tolerance" in result.refusals[0].reason and "bitwise" in result.refusals[0].reason and not result.refusals[0].offered
    for unsafe, expected in ((False, "x = f()\n"), (True, "x = 1\n")):  # other results are for who asks for them, however sure they are
        assert engine_on("x = f()\n", graded(Fidelity.BEHAVIOUR), fidelity=Fidelity.BITWISE, unsafe=unsafe) == expected
    doubtful = replacing("f", "1", evidence=Evidence.UNPROVEN, doubt=WHO_KNOWS)
    assert engine_on("x = f()\n", doubtful, unsafe=True) == "x = 1\n"
    refused = rewrite(Source("import tensorflow\nx = f()\n", "x.py"), Options((doubtful,)))
    assert not refused.edits and [(one.reason, one.offered) for one in refused.refusals] == [("who knows", True)]
    applied = rewrite(Source("import tensorflow\nx = f()\n", "x.py"), Options((doubtful,), unsafe=True)).rewrites[0]
    assert (applied.evidence, applied.doubt, applied.fidelity) == (Evidence.UNPROVEN, "who knows", Fidelity.BITWISE)


ROUNDED = Fidelity.ROUNDING
SHOWN, LEAVING, DECIDING = "print(f())\n", "x = f()\n", "print(int(f()))\n"


def outcome_on(text: str, rule: Rule, **options: object) -> engine.Result:
    return rewrite(Source("import tensorflow\n" + text, "x.py"), Options((rule,), **options))  # type: ignore[arg-type]


def test_what_is_rounded_otherwise_stays_where_that_may_be_another_answer() -> None:
    rounds = replacing("f", "1", fidelity=ROUNDED)
    for text, code in ((LEAVING, "rounding-leaves"), (DECIDING, "rounding-decides")):
        result = outcome_on(text, rounds)
        (refused,) = result.refusals
        assert not result.edits and (refused.code, refused.offered) == (code, True)
        assert refused.reason.startswith("its results are rounded differently, and ")
        assert refused.remedy == "--verify compares the results, and --fidelity tolerance makes it all the same."
        changed = text.replace("f()", "1")
        assert engine_on(text, rounds, fidelity=Fidelity.TOLERANCE) == engine_on(text, rounds, unsafe=True) == changed
        (asked,) = outcome_on(text, rounds, fidelity=Fidelity.BITWISE).refusals
        assert asked.reason == "its results agree only to rounding, and bitwise is asked for" and asked.code is Code.FIDELITY
    (unproven,) = outcome_on(LEAVING, rounds, unsafe=True).rewrites
    assert unproven.evidence is Evidence.UNPROVEN and unproven.doubt.startswith("its results are rounded differently")
    (proven,) = outcome_on(SHOWN, rounds).rewrites
    assert (proven.evidence, proven.doubt, proven.fidelity) == (Evidence.PROVEN, "", ROUNDED)


def test_what_rounds_nothing_keeps_every_bit() -> None:
    exact = replacing("f", "1", fidelity=ROUNDED, rounded=())
    for text in (SHOWN, LEAVING, DECIDING):
        (made,) = outcome_on(text, exact, fidelity=Fidelity.BITWISE).rewrites
        assert (made.fidelity, made.evidence) == (Fidelity.BITWISE, Evidence.PROVEN)


def to(node: gast.Call, facts: Facts, new: str, **more: object) -> Rewrite:
    span = facts.source.span(node)
    return Rewrite(node, (Edit(span.start, span.end, new),), f"it is {new}", **more)  # type: ignore[arg-type]


def choosing(*forms: tuple[str, dict[str, object]]) -> Rule:
    """A rule that writes the first of these for a call of f, and else the next one."""

    def apply(node: gast.Call, facts: Facts) -> Outcome:
        if not isinstance(node.func, gast.Name) or node.func.id != "f":
            return None
        found = None
        for new, more in reversed(forms):
            found = to(node, facts, new, otherwise=found, **more)
        return found

    return a_rule(apply)


NO_GAIN = Worth(Setup.XLA, 0)


def test_where_the_first_rounds_the_other_is_made() -> None:
    rule = choosing(("1", {"fidelity": ROUNDED}), ("2", {}))
    for text, fast in ((SHOWN, "print(1)\n"), (LEAVING, "x = 2\n"), (DECIDING, "print(int(2))\n")):
        assert engine_on(text, rule) == fast
    assert engine_on(LEAVING, rule, fidelity=Fidelity.TOLERANCE) == "x = 1\n" == engine_on(LEAVING, rule, unsafe=True)
    (made,) = outcome_on(LEAVING, rule).rewrites
    assert (made.reason, made.fidelity, made.evidence) == ("it is 2", Fidelity.BITWISE, Evidence.PROVEN)
    assert not outcome_on(LEAVING, rule).refusals


def test_where_the_first_costs_too_much_the_other_is_made() -> None:
    rule = choosing(("1", {"worth": NO_GAIN}), ("2", {"worth": Worth(Setup.NOTHING, 5_000_000)}))
    assert engine_on(LEAVING, rule) == "x = 2\n"
    for purpose in ("time", "both"):
        (made,) = outcome_on(LEAVING, rule, purposes=purposes(purpose)).rewrites
        assert (made.reason, made.purpose) == ("it is 1", "time")
        assert made.balance == "it saves next to nothing at the peak, and compiling by XLA takes 80 MB of the process"
    (made,) = outcome_on(LEAVING, rule).rewrites
    assert (made.purpose, made.balance) == ("memory", "it saves 5 MB")


def test_of_several_that_may_not_be_made_the_first_is_told() -> None:
    rule = choosing(("1", {"fidelity": ROUNDED}), ("2", {"worth": NO_GAIN}), ("3", {"evidence": Evidence.UNPROVEN, "doubt": WHO_KNOWS}))
    (refused,) = outcome_on(LEAVING, rule).refusals
    assert (refused.code, refused.offered) == ("rounding-leaves", True)
    assert engine_on(LEAVING, rule, purposes=purposes("both")) == "x = 2\n", "the second of three"
    rule = choosing(("1", {"fidelity": ROUNDED}), ("2", {"worth": NO_GAIN}), ("3", {}))
    assert engine_on(LEAVING, rule) == "x = 3\n"


def test_what_is_made_otherwise_is_placed_with_the_rest() -> None:
    last = Rewrite(gast.Pass(), (Edit(3, 4, "c"),), "c")
    first = Rewrite(gast.Pass(), (Edit(1, 2, "a"),), "a", otherwise=Rewrite(gast.Pass(), (Edit(2, 3, "b"),), "b", otherwise=last))
    moved = first.placed(lambda one: replace(one, edits=tuple(Edit(each.start + 10, each.end + 10, each.text) for each in one.edits)))
    starts = []
    at: Rewrite | None = moved
    while at is not None:
        starts.append((at.reason, at.edits[0].start))
        at = at.otherwise
    assert starts == [("a", 11), ("b", 12), ("c", 13)]


@pytest.mark.parametrize(
    ("worth", "purpose", "balance"),
    [
        (None, "memory", ""),
        (Worth(Setup.NOTHING, 1_000_000), "memory", "it saves 1 MB"),
        (Worth(Setup.NOTHING, 999_999), "time", "it saves 1 MB at the peak, and less than 1 MB counts for nothing"),
        (Worth(Setup.GRAPH, 7_000_000), "memory", "it saves 7 MB, and making a graph takes 6 MB"),
        (Worth(Setup.GRAPH, 6_500_000), "time", "it saves 6.5 MB at the peak, and making a graph takes 6 MB of the process"),
        (Worth(Setup.XLA, 200_000_000), "memory", "it saves 200 MB, and compiling by XLA takes 80 MB"),
        (Worth(Setup.XLA), "time", "what it saves is not known, and compiling by XLA takes 80 MB of the process"),
        (Worth(Setup.PRODUCT, 11_000_000), "memory", "it saves 11 MB, and the first matrix product takes 10 MB"),
    ],
)
def test_what_it_is_for_is_what_the_whole_process_saves(worth: Worth | None, purpose: str, balance: str) -> None:
    rule = replacing("f", "1", worth=worth)
    (made,) = outcome_on(LEAVING, rule, purposes=purposes("both")).rewrites
    assert (made.purpose, made.balance) == (purpose, balance)
    result = outcome_on(LEAVING, rule)
    if purpose == "memory":
        assert [one.balance for one in result.rewrites] == [balance]
    else:
        told = [(one.reason, one.remedy, one.code, one.offered) for one in result.refusals]
        assert told == [(balance, "--for time makes it.", "worth", False)]
        assert not outcome_on(LEAVING, rule, unsafe=True).edits, "what is asked for is another thing than what is proven"


@pytest.mark.parametrize(
    ("product", "is_set_up"),
    [
        ("tf.matmul(tf.ones([3, 3]), tf.ones([3, 3]))", True),
        ("tf.ones([3, 3]) @ tf.ones([3, 3])", True),
        ("tf.tensordot(tf.ones([3, 3, 3]), tf.ones([3, 3]), 1)", True),
        ("tf.matmul(tf.ones([2, 3, 3]), tf.ones([2, 3, 3]))", False),
        ("np.ones((3, 3), np.float32) @ np.ones((3, 3), np.float32)", False),
        ("tf.matmul(tf.ones([3, 3], tf.int32), tf.ones([3, 3], tf.int32))", False),
        ("tf.nn.conv2d(tf.ones([1, 8, 8, 3]), tf.ones([3, 3, 3, 8]), 1, 'SAME')", False),
    ],
)
def test_kernels_of_products_are_set_up_by_products_like_them(product: str, is_set_up: bool) -> None:
    """After NumPy's, after one of integers or a convolution, the first product of float32 takes as much as without them."""
    facts = Facts(Source(f"import numpy as np\nimport tensorflow as tf\nx = {product}\n", "x.py"))
    assert (costs(Setup.PRODUCT, facts) == 0) is is_set_up


@pytest.mark.parametrize(
    ("model", "makes_one"),
    [
        ("keras.Sequential([keras.layers.Dense(3)])", True),
        ("keras.Model(keras.Input((3,)), keras.Input((3,)))", True),
        ("KMeans(3)", False),
        ("made()", False),
    ],
)
def test_a_graph_is_made_by_what_keras_fits(model: str, makes_one: bool) -> None:
    facts = Facts(Source(f"from sklearn.cluster import KMeans\nfrom tensorflow import keras\nmodel = {model}\nmodel.fit(x, y)\n", "x.py"))
    assert (costs(Setup.GRAPH, facts) < GRAPH_FIRST) is makes_one


@pytest.mark.parametrize("together", [True, False], ids=["in one round", "in one round each"])
def test_no_more_than_so_much_is_added_to_save_time(together: bool) -> None:
    most = 1 + (MOST_ADDED - XLA_FIRST) // XLA_EACH
    rounds = 0

    def apply(node: gast.Call, facts: Facts) -> Outcome:
        nonlocal rounds
        if not isinstance(node.func, gast.Name) or node.func.id != "f":
            return None
        rounds += 1
        everything = () if together else tuple(facts.tree.body)
        return to(node, facts, "g(jit_compile=True)", worth=NO_GAIN, region=everything)

    count = most + 2
    result = outcome_on("x = f()\n" * count, a_rule(apply), purposes=purposes("both"))
    assert [one.line for one in result.rewrites] == list(range(2, 2 + most))
    assert [one.line for one in result.refusals] == [2 + most, 3 + most]
    assert rounds > count
    for one in result.refusals:
        assert one.reason.endswith(f"to save time no more than {MOST_ADDED // 10**6} MB are added to a file's program")
        assert (one.code, one.remedy) == ("limit", "")


def test_what_is_too_much_leaves_its_region_to_others() -> None:
    def dear(node: gast.Call, facts: Facts) -> Outcome:
        if not isinstance(node.func, gast.Name) or node.func.id != "f":
            return None
        return to(node, facts, "g(jit_compile=True)", worth=NO_GAIN, region=tuple(facts.tree.body))

    most = 1 + (MOST_ADDED - XLA_FIRST) // XLA_EACH
    text = "import tensorflow\n" + "x = f()\n" * (most + 1) + "y = h()\n"
    result = rewrite(Source(text, "x.py"), Options((a_rule(dear, "dear"), replacing("h", "1", "plain")), purposes=purposes("both")))
    assert [one.rule for one in result.rewrites] == ["dear"] * most + ["plain"]
    assert [(one.line, one.code) for one in result.refusals] == [(most + 2, "limit")]


def test_what_saves_memory_is_made_however_much_is_added() -> None:
    rule = replacing("f", "g(jit_compile=True)", worth=Worth(Setup.XLA, 10**9))
    assert len(outcome_on("x = f()\n" * 20, rule).rewrites) == 20


def test_refusals_are_placed_in_the_original() -> None:
    def refuses(node: gast.Call, facts: Facts) -> Outcome:
        return Refusal(node, Code.FORM, "no") if isinstance(node.func, gast.Name) and node.func.id == "g" else None

    text = "import tensorflow\nx = f(); z = g()\n\ny = g()\n"
    result = rewrite(Source(text, "x.py"), Options((a_rule(refuses, "no"), replacing("f", "(1 +\n\n\n2)", "yes"))))
    assert [(one.rule, one.line, one.column) for one in result.refusals] == [("no", 2, 14), ("no", 4, 5)]
    assert [(one.rule, one.line, one.column, one.end_line) for one in result.rewrites] == [("yes", 2, 5, 2)]


# The catalogue

GOOD = '"""Good.\n\nBefore:  a\nAfter:   b\n\nWhy:     c\nSafety:  - **Size.** Refused for `d`.\n"""\nimport gast\nfrom tfrewrite.outcomes import Fidelity, transform\n'
GOOD += "@transform(gast.Call, fidelity=Fidelity.BITWISE, mentions=('x',))\ndef {name}(node, facts):\n    return None\n"


def _guarded(safety: str) -> str:
    return GOOD.format(name="bad").replace("- **Size.** Refused for `d`.", safety)


MEETING = """\
import numpy as np
import tensorflow as tf


@tf.function
def scaled(x, k):
    return x * k


x = tf.ones([3])
for i in range(1500):
    scaled(x, i * 0.1)
temperature = 1.0
while temperature > 0.001:
    temperature *= 0.9
    scaled(x, temperature)
"""


def test_where_two_rules_meet_nothing_is_said_twice_and_nothing_about_their_own_text() -> None:
    found = rewrite(Source(MEETING), OPTIONS)
    text = apply_edits(MEETING, found.edits)
    assert "    scaled(x, tf.constant(np.array(i * 0.1, np.float32)))\n" in text
    assert "    scaled(x, tf.constant(temperature, tf.float32))\n" in text
    # Where the user hands over a number, none meets an eager tensor.
    assert not [one for one in found.refusals if one.rule == "scalar_cache"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A catalogue of its own, for one test."""
    package = types.ModuleType("tfrewrite.transforms")
    package.__path__ = [str(tmp_path)]
    for name in [name for name in sys.modules if name.startswith("tfrewrite.transforms.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "tfrewrite.transforms", package)
    before = set(sys.modules)
    catalogue.rules.cache_clear()
    importlib.invalidate_caches()
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("tfrewrite.transforms."):
            del sys.modules[name]
    catalogue.rules.cache_clear()


def test_a_good_catalogue_is_sorted(folder: Path) -> None:
    for name in ("zebra", "ape", "lion"):
        (folder / f"{name}.py").write_text(GOOD.format(name=name))
    assert [rule.name for rule in catalogue.rules()] == ["ape", "lion", "zebra"]
    assert catalogue.rules()[0].summary == "Good."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n", "bad.py has to declare exactly one"),
        (GOOD.format(name="other"), "a function named bad"),
        (GOOD.format(name="bad") + GOOD.format(name="second"), "exactly one"),
        (GOOD.format(name="bad") + "also = bad\n", "exactly one"),
        ("import no_such_module\n", "bad.py can't be imported: ModuleNotFoundError"),
        ("x = (\n", "bad.py can't be imported: SyntaxError"),
        ("1 / 0\n", "ZeroDivisionError"),
        (GOOD.format(name="bad").replace("Safety:", "Danger:"), "no section 'Safety'"),
        (GOOD.format(name="bad").split('"""\n')[1], "no section"),
        (_guarded("Only for `d`."), "transforms/bad.py: 'Safety' has to be a list of `- **Guard.** text`"),
        (_guarded("- **Size.** Refused."), "this isn't: '- **Size.** Refused.'"),
        (_guarded("- Refused for `d`."), "this isn't: '- Refused for `d`.'"),
        (_guarded("- **Size.** Refused\n           for\n           `d`."), "this isn't: '- **Size.** Refused'"),
        (_guarded("\n         ".join(["- **Size.** Refused for `d`."] * 26)), "it has 26 lines"),
    ],
)
def test_a_broken_catalogue_is_an_error_with_its_path(folder: Path, text: str, words: str) -> None:
    (folder / "good.py").write_text(GOOD.format(name="good"))
    (folder / "bad.py").write_text(text)
    with pytest.raises(CatalogueError, match=re.escape(words)):
        catalogue.rules()


def test_an_empty_catalogue_is_an_error(folder: Path) -> None:
    (folder / "__pycache__").mkdir()
    (folder / "notes.txt").write_text(textwrap.dedent("no rewrite"))
    with pytest.raises(CatalogueError, match="no rewrites found in"):
        catalogue.rules()


def test_what_a_rule_looks_for_is_known_before_it_is_imported() -> None:
    assert [(one.name, one.mentions) for one in catalogue.listed()] == [(one.name, one.mentions) for one in catalogue.rules()]
    assert [one.load() for one in catalogue.listed()] == list(catalogue.rules())


def test_unknown_names_are_errors() -> None:
    with pytest.raises(CatalogueError, match="there is no rule 'no_such'"):
        catalogue.chosen(["no_such"], [])
    assert [rule.name for rule in catalogue.chosen(["trace_matmul", "assign_add"], ["trace_matmul"])] == ["assign_add"]


def test_a_module_of_a_package_is_no_script(tmp_path: Path) -> None:
    text = "import tensorflow as tf\ndef f(a, b):\n    return tf.matmul(a, tf.transpose(b))\nprint(f(tf.ones([9, 8]), tf.ones([9, 8])))\n"
    path = str(tmp_path / "module.py")
    options = Options(rules())
    assert rewrite(Source(text, path), options).edits
    (tmp_path / "__init__.py").touch()
    result = rewrite(Source(text, path), options)
    assert not result.edits
    assert [(one.rule, one.offered) for one in result.refusals] == [("matmul_transpose", True)]
