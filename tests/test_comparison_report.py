"""The views of a comparison: all of them say all that was found out, and nothing that was put into them breaks them."""

from __future__ import annotations

import json
import math
import os
import re
import select
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import resources
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from tfrewrite.plain_text import clean
from tfrewrite.report import comparison as report
from tfrewrite.report.comparison_html import html
from tfrewrite.report.comparison_json import json_text
from tfrewrite.report.comparison_markdown import markdown
from tfrewrite.verify import quantities, wording
from tfrewrite.verify.verdict import (
    Check,
    Comparison,
    Cost,
    Costs,
    Difference,
    Figure,
    Finding,
    Obstacle,
    Occasion,
    Remedy,
    Subject,
    Timeline,
    Verdict,
)

pytestmark = pytest.mark.smoke

SCHEMA = json.loads(resources.files("tfrewrite.report").joinpath("comparison.schema.json").read_text("utf-8"))
ESCAPE = re.compile("\x1b\\[[0-9;]*m")
MB = 1e6


def figure(value: float, spread: float = 0.0, repeats: int = 5) -> Figure:
    return Figure(value, value - spread / 2, value + spread / 2, repeats)


def cost(peak: float, *, time: float = 0.0352, leak: float = 0.0, nodes: int | None = 12) -> Cost:
    steps = ((0.0, 0.0), (0.2, peak / 3), (0.5, peak), (0.7, peak / 2), (1.0, peak / 4))
    return Cost(
        figure(peak * 1.2), figure(peak, 2e3), figure(leak), figure(1.31, 0.1, 1), figure(time, time / 50), nodes, 1 if nodes else None, Timeline(steps)
    )  # fmt: skip


def costs(before: float, after: float, meter: str = "memray (exact)", **more: float) -> Costs:
    return Costs(cost(before), cost(after, nodes=None if before == after else 340, **more), meter)


CHECKS = (
    Check("12 recorded calls", Verdict.EQUIVALENT, subject=Subject.CALLS),
    Check("gradients of x, w", Verdict.EQUIVALENT, "within 3 ulp", Subject.GRADIENTS),
    Check("n=0", Verdict.EQUIVALENT, subject=Subject.INPUT),
    Check("x=float32[1, 64]", Verdict.EQUIVALENT, subject=Subject.INPUT),
)
SAME = Finding("attention", Verdict.EQUIVALENT, "rounding", checks=CHECKS, calls=12, costs=costs(72.0 * MB, 6.7 * MB, time=0.019), line=12)
EXACT = Finding("pairwise_distances", Verdict.EQUIVALENT, "bitwise", checks=CHECKS[:1], calls=3, costs=costs(12.0 * MB, 12.0 * MB), line=40)
CHAOS = Finding(
    "Model.roll_out",
    Verdict.SENSITIVE,
    reason="it amplifies rounding: an ulp of its inputs moves the result by 1.7 after 100 steps",
    difference=Difference("result", "value", "0.31", "-0.82", (3,), 2.1e7, (64, 64), "1.7 apart, where an ulp of h moves it by 1.6"),
    checks=(Check("one step at 100 recorded states", Verdict.EQUIVALENT, "2 ulp at most"), Check("10 of 100 steps", Verdict.EQUIVALENT)),
    calls=5,
    costs=Costs(cost(203 * MB), cost(18 * MB, time=0.056), "memray (exact)"),
    line=71,
)
WRONG = Finding(
    "train_step",
    Verdict.DIFFERS,
    difference=Difference(
        "result[1]['loss']",
        "value",
        "0.30685282",
        "0.30685297",
        (0, 3),
        5.0,
        (1, 1000),
        "0.31 from float64, where the original is 2e-07 away",
        "x=float32[0, 3], n=0",
        "call 2 of 5",
        Occasion.CALL,
    ),
    checks=(*CHECKS[:2], Check("zero turns (n=0)", Verdict.DIFFERS, "shape [0, 3] against [3]", Subject.INPUT)),
    calls=5,
    costs=costs(30 * MB, 33.1 * MB, leak=4.2e4),
    line=103,
    culprit="diag_matmul at line 108",
)
PRINTS = Finding(
    "report_progress",
    Verdict.DIFFERS,
    difference=Difference("printed output", "output", "step 1\nloss\t0.5\n", "step 1\n", call="call 1 of 1", occasion=Occasion.CALL),
    calls=1,
    reason="functions were run eagerly: the original fails under tf.function",
)
LOST = Finding(
    "load_weights", Verdict.UNDECIDED, reason="not called, and no inputs could be made up for it", line=140, remedy=Remedy.INPUTS
)
SLOW = Finding("evaluate", Verdict.UNDECIDED, reason="timed out after 60 s", calls=2, remedy=Remedy.TIME)
UNCHANGED = [Finding(f"helper_{number}", Verdict.EQUIVALENT, "bitwise", calls=number, changed=False) for number in range(1, 15)]
HOSTILE = Finding(
    "Größe|`<b>`.naïve_計算_" + "long" * 30,
    Verdict.DIFFERS,
    difference=Difference("a|b\x1b[31m``` @someone <script>x</script>", "value", "```\n| <i>&amp;\u202e |", "\x00\x07\udc80 é", (10**15,), math.inf, (10**12, 10**15)),
    reason="<img src=x onerror=y> | `tick` \x1b]0;title\x07",
    calls=10**9,
    costs=Costs(cost(9.3e13), cost(math.nan), "memray (exact)"),
    culprit="rule|`x`<u>",
    checks=(Check("x=<nan> | `", Verdict.DIFFERS, "a|b", Subject.INPUT),),
)  # fmt: skip
EVERY = (SAME, EXACT, CHAOS, WRONG, PRINTS, LOST, SLOW, *UNCHANGED)
ENVIRONMENT = {"tensorflow": "2.21.0", "python": "3.11.7", "TF_ENABLE_ONEDNN_OPTS": "0"}


def sample(*findings: Finding, **more: object) -> Comparison:
    return replace(Comparison("before.py", "after.py", findings, seconds=4.2, environment=ENVIRONMENT), **more)  # type: ignore[arg-type]


SAMPLES = {
    "everything": sample(*EVERY, notes=("stopped after 60 s", "the first call of train_step was not measured")),
    "one": sample(SAME),
    "equivalent": sample(SAME, EXACT, *UNCHANGED, limit=1.0),
    "bitwise": sample(EXACT, *UNCHANGED),
    "sensitive": sample(CHAOS),
    "undecided": sample(SAME, LOST, SLOW),
    "differs": sample(WRONG, LOST),
    "hostile": sample(HOSTILE, before="<be|`fore`>.py", notes=("<note> `|`",)),
    "problem": sample(problem="before.py: SyntaxError: invalid <syntax> (line 3)\x1b[2J"),
    "nothing": sample(),
    "unchanged": sample(*UNCHANGED),
    "whole program": sample(replace(WRONG, function="<module>", costs=None), SAME),
    "limit exceeded": sample(SAME, replace(EXACT, costs=costs(30 * MB, 27.9 * MB)), limit=0.8),
    "limit unknown": sample(SAME, replace(EXACT, costs=None), limit=0.8),
    "rss": sample(replace(SAME, costs=costs(72 * MB, 69 * MB, "RSS"))),
    "figures missing": sample(replace(SAME, costs=Costs(Cost(), Cost(figure(3.0)), "RSS")), replace(EXACT, costs=None)),
    "many": sample(*(replace(EVERY[number % 7], function=f"Layer{number}.call", line=number + 1) for number in range(50))),
}  # fmt: skip
ALL = pytest.mark.parametrize("comparison", SAMPLES.values(), ids=SAMPLES)


def plain(comparison: Comparison, width: int = 100, *, verbose: bool = False) -> str:
    return report.text(comparison, color=False, width=width, verbose=verbose)


def squeezed(text: str) -> str:
    """Without what the layout put between the characters."""
    return re.sub(r"\s+", "", text)


def seen(text: str) -> str:
    """What a reader of the page sees of a text, spelled out where it is not for terminals."""
    return squeezed(clean(text))


def names(comparison: Comparison) -> list[str]:
    shown = [one for one in comparison.findings if one not in report.folded(comparison)]
    return [seen(report.name_of(one)) for one in shown]


def values(comparison: Comparison) -> list[str]:
    found = [one.difference for one in comparison.findings if one.difference]
    return [seen(line) for one in found for value in (one.before, one.after) for line in value.split("\n")]


@ALL
@pytest.mark.parametrize("width", [40, 60, 76, 80, 107, 120])
def test_text_says_everything_at_any_width(comparison: Comparison, width: int) -> None:
    text = plain(comparison, width)
    assert max(map(len, text.split("\n"))) <= width
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\ud800-\udfff]", text)
    # A table breaks a name in its own column, so that it can't be read on in one go.
    parts = {part for line in text.split("\n") for part in line.split()}
    for name in names(comparison):
        assert name in squeezed(text) or all(any(name[at : at + 8] in part for part in parts) for at in range(0, len(name), 40))
    for value in values(comparison):
        assert value in squeezed(text)
    for finding in comparison.findings:
        changes = [
            quantities.change(quantity, finding.costs)
            for quantity in (quantities.WARM_PEAK, quantities.WARM_TIME, quantities.FIRST_PEAK, quantities.FIRST_TIME)
        ]
        assert report.folded(comparison) or all(str(one) in text for one in changes if one)
        assert seen(finding.culprit) in squeezed(text)
        assert finding.verdict is Verdict.EQUIVALENT or seen(finding.reason) in squeezed(text)
    assert seen(comparison.problem) in squeezed(text)
    colored = report.text(comparison, color=True, width=width)
    assert ESCAPE.sub("", colored).replace(" ", "") == text.replace(" ", "")
    assert not comparison.findings or colored != text


@ALL
def test_text_on_a_terminal_that_has_only_ascii(comparison: Comparison) -> None:
    text = report.text(comparison, color=False, width=80, encoding="ascii")
    assert text.isascii() and max(map(len, text.split("\n"))) <= 80


def test_the_text_of_a_good_change() -> None:
    text = plain(SAMPLES["equivalent"], 120)
    assert re.search(r"attention +equivalent \(rounding\) +peak 72\.0 -> 6\.7 MB \(0\.09\) +peak 86\.4 -> 8\.0 MB \(0\.09\)", text)
    assert re.search(r"12 calls, gradients of x, w.* time 35\.2 -> 19\.0 ms \(0\.54\)", text)
    assert "peak 12.0 MB (no difference)" in text
    assert "14 unchanged functions: the same in 105 calls" in text and "helper_" not in text
    assert "16 functions equivalent; highest peak of a warm call 72.0 -> 12.0 MB (0.17)" in text
    assert "memory measured with memray (exact); repeats agree within" in text
    assert "helper_3" in plain(SAMPLES["equivalent"], 120, verbose=True)
    assert "tensorflow 2.21.0" in plain(SAMPLES["equivalent"], 120, verbose=True)


def test_the_text_of_a_difference() -> None:
    text = plain(SAMPLES["differs"])
    expected = ["result[1]['loss'][0, 3], in call 2 of 5: another value", "0.30685282", "0.30685297", "5 ulp, 1 of 1,000 elements"]
    expected += ["0.31 from float64", "x=float32[0, 3], n=0", "diag_matmul at line 108", "leak 0.0 -> 42.0 kB"]
    expected += ["zero turns (n=0): differs (shape [0, 3] against [3])", "# tfrewrite: inputs(x=f32[8, 100], n=20)"]
    expected += ["1 function undecided, 1 differs"]
    assert [one for one in expected if one not in text] == []


@pytest.mark.parametrize(
    ("before", "after"),
    [("a\tb", "a   b"), ("x\n", "x"), ("", " "), ("\x1b", "\\x1b"), ("a" * 900, "a" * 899 + "b"), ("a\n" * 90, "a\n" * 89 + "b\n")],
)
def test_values_that_look_alike_are_told_apart(before: str, after: str) -> None:
    difference = Difference("printed output", "output", before, after)
    first, second = report.values_of(difference)
    assert first != second


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0, "0 B"), (412, "412 B"), (41_200, "41.2 kB"), (90_000, "90.0 kB"), (12.0 * MB, "12.0 MB"), (512 * MB, "512 MB"),
     (1570 * MB, "1,570 MB"), (9.3e13, "93.0 TB"), (-4 * MB, "-4.0 MB"), (math.nan, "?"), (math.inf, "?")],
)  # fmt: skip
def test_bytes(value: float, expected: str) -> None:
    assert quantities.size(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [(0.00052, "0.52 ms"), (1.3, "1.3 s"), (0.0352, "35.2 ms"), (3.1e-5, "31.0 us"), (0.113, "113 ms")]
)
def test_times(value: float, expected: str) -> None:
    assert quantities.seconds(value) == expected


CALLS, INPUTS, INPUT, GRADIENTS, OTHER = Subject


@pytest.mark.parametrize(
    ("calls", "checks", "expected"),
    [
        (
            12,
            {"12 recorded calls": CALLS, "gradients of x, w": GRADIENTS, "n=0": INPUT, "x=float32[1, 64]": INPUT},
            "12 calls, gradients of x, w, 2 edge inputs",
        ),
        (1, {"1 recorded call": CALLS, "gradients": GRADIENTS, "5 edge inputs": INPUTS}, "1 call, 5 edge inputs, gradients"),
        (0, {"2 inputs": INPUTS, "1 edge input": INPUTS, "one step at 9 states": OTHER}, "2 inputs, 1 edge input, 1 more check"),
        (0, {"3 recorded calls": CALLS}, "3 recorded calls"),
        (0, {"gradients = inputs": OTHER}, "1 check"),
        (0, {}, "no calls"),
    ],
)
def test_what_was_compared(calls: int, checks: Mapping[str, Subject], expected: str) -> None:
    twice = (*checks.items(), *checks.items())
    found = Finding("f", Verdict.EQUIVALENT, calls=calls, checks=tuple(Check(what, Verdict.EQUIVALENT, "", one) for what, one in twice))
    assert wording.compared(found) == expected


def test_the_place_of_an_element_is_told_before_the_time() -> None:
    found = Difference("self.steps", "state", "1.0", "2.0", (0, 3), call="call 2 of 5", occasion=Occasion.CALL, after_call=True)
    assert wording.heading_of(found) == "self.steps[0, 3] after the call, in call 2 of 5: another state afterwards"
    assert wording.heading_of(replace(found, index=None, call="")) == "self.steps after the call: another state afterwards"
    made_up, as_it_is = (replace(found, call="a call", occasion=one) for one in (Occasion.INPUTS, Occasion.AS_IT_IS))
    assert wording.heading_of(made_up).startswith("self.steps[0, 3] after the call, with a call: ")
    assert wording.heading_of(as_it_is).startswith("self.steps[0, 3] after the call, a call: ")
    document = json.loads(json_text(sample(replace(WRONG, difference=found))))
    assert document["functions"][0]["difference"]["where"] == "self.steps after the call"


@pytest.mark.parametrize("remedy", Remedy)
def test_what_helps_is_what_was_found_out_and_not_a_word_of_the_reason(remedy: Remedy) -> None:
    for reason in ("nothing calls memory_of_time", "random inputs repeat themselves", ""):
        finding = Finding("f", Verdict.UNDECIDED, reason=reason, remedy=remedy)
        told = [text for label, text in report.facts_of(finding) if label == "what helps"]
        assert told == ([] if remedy is Remedy.DECLARATION else [str(remedy)])
    assert not [label for label, _ in report.facts_of(replace(finding, verdict=Verdict.DIFFERS)) if label == "what helps"]


def test_of_several_obstacles_the_first_remedy_is_said() -> None:
    obstacles = [Obstacle("it was stopped after 60 s", Remedy.TIME), Obstacle("nothing calls it", Remedy.INPUTS), Obstacle("gone")]
    assert min(one.remedy for one in obstacles) is Remedy.INPUTS
    assert obstacles[0].under("with n=0") == Obstacle("with n=0 it was stopped after 60 s", Remedy.TIME)


def pair(before: Figure | None, after: Figure | None, meter: str = "memray (exact)") -> Costs:
    return Costs(Cost(warm_peak=before), Cost(warm_peak=after), meter)


@pytest.mark.parametrize(
    ("costs", "expected"),
    [
        (pair(figure(12 * MB), figure(4 * MB)), "12.0 -> 4.0 MB (0.33)"),
        (pair(figure(8 * MB), figure(0)), "8.0 -> 0.0 MB (0.00)"),
        (pair(figure(8 * MB), figure(1200)), "8.0 -> 0.00 MB (<0.01)"),
        (pair(figure(0), figure(4 * MB)), "0.0 -> 4.0 MB"),
        (pair(figure(12 * MB, 5 * MB), figure(9 * MB)), "12.0 MB (no difference)"),
        (pair(figure(500), figure(900)), "500 B (no difference)"),
        (pair(figure(12 * MB), figure(8 * MB), "RSS"), "12.0 MB (no difference)"),
        (pair(figure(100 * MB, repeats=1), figure(99 * MB, repeats=1)), "100 MB (no difference)"),
        (pair(figure(12 * MB), None), "12.0 MB -> ?"),
        (pair(figure(12 * MB), figure(math.nan)), "12.0 MB -> ?"),
    ],
)
def test_a_difference_inside_the_spread_is_none(costs: Costs, expected: str) -> None:
    assert str(quantities.change(quantities.WARM_PEAK, costs)) == expected
    assert quantities.change(quantities.WARM_PEAK, pair(None, None)) is None


@pytest.mark.parametrize(
    ("name", "code"),
    [("everything", 1), ("one", 0), ("equivalent", 1), ("bitwise", 0), ("sensitive", 0), ("undecided", 2), ("differs", 1), ("problem", 2),
     ("nothing", 2), ("unchanged", 0), ("limit exceeded", 1), ("limit unknown", 2)],
)  # fmt: skip
def test_exit_codes(name: str, code: int) -> None:
    comparison = SAMPLES[name] if name != "equivalent" else replace(SAMPLES[name], limit=0.5)
    assert report.exit_code(comparison) == code
    assert json.loads(json_text(comparison))["exit_code"] == code


@pytest.mark.parametrize(
    ("before", "after", "limit", "said", "code"),
    [
        (figure(30 * MB), figure(27.9 * MB), 0.8, "peak 0.93 of the original's, more than the 0.80 asked for", 1),
        (figure(30 * MB), figure(24.06 * MB), 0.8, "peak 0.802 of the original's, more than the 0.80 asked for", 1),
        (figure(30 * MB), figure(24 * MB), 0.8, "", 0),
        (figure(30 * MB, 3 * MB), figure(28 * MB), 0.95, "peak no different from the original's, more than the 0.95 asked for", 1),
        (figure(30 * MB, 3 * MB), figure(31 * MB), 1.0, "", 0),
        (figure(0), figure(MB), 0.8, "peak 1.0 MB, where the original needs none, more than the 0.80 asked for", 1),
        (figure(30 * MB), None, 0.8, "peak not measured", 2),
    ],
)  # fmt: skip
def test_the_peak_that_was_asked_for(before: Figure, after: Figure | None, limit: float, said: str, code: int) -> None:
    comparison = sample(replace(SAME, costs=pair(before, after)), *UNCHANGED, limit=limit)
    assert report.exit_code(comparison) == code
    assert all(said in view for view in (plain(comparison, 120), html(comparison).replace("&#x27;", "'"), markdown(comparison)))
    assert [line for _, line in report.limit_lines(comparison)] != [] or not said


@ALL
def test_json_keeps_to_its_schema(comparison: Comparison) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    document = json.loads(json_text(comparison), parse_constant=refuse)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert [one["function"] for one in document["functions"]] == [one.function for one in comparison.findings]
    given = [(one.difference.before, one.difference.after) for one in comparison.findings if one.difference]
    assert [(one["difference"]["before"], one["difference"]["after"]) for one in document["functions"] if "difference" in one] == given


def test_the_schema_is_strict() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    objects = [one for one in (SCHEMA, *walk(SCHEMA)) if one.get("type") == "object"]
    assert len(objects) > 8 and all("additionalProperties" in one for one in objects)
    document = json.loads(json_text(SAMPLES["everything"]))
    document["functions"][0]["costs"]["before"]["warm_peak"]["value"] = None
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(document)


def walk(tree: Any) -> Iterator[dict[str, Any]]:
    for one in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        if isinstance(one, dict):
            yield one
        yield from walk(one)


@ALL
def test_html_is_well_formed_and_escaped(comparison: Comparison) -> None:
    page = html(comparison)
    tree = ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>"))
    page.encode("utf-8")
    tags = {one.tag.rpartition("}")[2] for one in tree.iter()}
    assert not tags & {"script", "img", "i", "u", "x", "link", "a", "iframe"}
    attributes = {name for one in tree.iter() for name in one.attrib}
    assert not [name for name in attributes if name.startswith("on") or name in ("src", "href")]
    assert "url(" not in page and "@import" not in page
    shown = squeezed("".join(tree.itertext()))
    assert all(name in shown for name in [*names(comparison), *values(comparison)])
    assert all(seen(one.function) in shown for one in report.folded(comparison))


@ALL
def test_markdown_keeps_its_shape(comparison: Comparison) -> None:
    page = markdown(comparison)
    blocks, fence, table = [], "", []
    for line in page.split("\n"):
        if fence:
            fence = "" if line == fence else fence
        elif opened := re.match("`{3,}", line):
            fence = opened[0]
        else:
            blocks.append(line)
            table += [len(re.findall(r"(?<!\\)\|", line))] if line.startswith("|") else []
    assert not fence and len(set(table)) <= 1
    assert not comparison.findings or table or comparison == SAMPLES["unchanged"]
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", "\n".join(blocks))
    assert not set(re.findall("<[^>]*>", outside)) - {
        "<details>",
        "<details open>",
        "</details>",
        "<summary>",
        "</summary>",
        "<b>",
        "</b>",
        "<!-- -->",
    }
    assert "@someone" not in outside and "`" not in outside
    assert blocks.count("</details>") == page.count("<details")
    for name in names(comparison):
        assert name in squeezed(page).replace("\\|", "|")
    for value in values(comparison):
        assert value in squeezed(page)


def test_progress_says_nothing_where_nobody_looks(capfd: pytest.CaptureFixture[str]) -> None:
    with report.Progress() as progress:
        progress.stage("running the original")
        progress.advance(1, 3)
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_progress_is_gone_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    import pty

    monkeypatch.setenv("TERM", "xterm")
    master, slave = pty.openpty()
    with os.fdopen(slave, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with report.Progress() as progress:
            progress.stage("running [the] original\x1b[2J")
            progress.advance(1, 3)
        terminal.flush()
        written = ""
        while select.select([master], [], [], 0.2)[0]:
            written += os.read(master, 1 << 16).decode()
    os.close(master)
    assert "running [the] original\\x1b[2J" in written and "1/3" in written
    assert written.rstrip().endswith("\x1b[2K")


def test_a_log_is_told_of_steps_that_begin_late(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for wanted, logged, said in ((True, True, "12 s: running the original\n"), (True, False, ""), (False, True, "")):
        now = iter((100.0, 103.0, 112.0))
        monkeypatch.setattr("time.monotonic", lambda now=now: next(now))
        with report.Progress(wanted=wanted, logged=logged) as progress:
            progress.stage("watching p.py")
            progress.stage("running the original")
        assert capsys.readouterr().err == said
