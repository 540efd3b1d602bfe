"""What `benchmarks/programs.py` makes of programs, and of what it has measured."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from programs import Case, cases

from benchmarks import tables, training
from benchmarks.measuring import compiled, digest, everything, forms, measured, relabelled, statement
from benchmarks.scripts import by_default, needs, script
from tfrewrite.verify.processes import Processes
from tfrewrite.verify.runs import environment

PLAIN = "import tensorflow as tf\n\n\ndef f(x):\n    return x\n\n\nx = f(1)\ny = tf.abs(f(x))\n"
DECORATED = PLAIN.replace("def f", "@tf.function\ndef f")
METHOD = "import tensorflow as tf\n\nmodel = Model()\nresult = model.run(1)\n"


def test_the_function_that_the_last_statement_calls_is_compiled_from_its_definition_on() -> None:
    assert "    return x\nf = tf.function(f, jit_compile=True)\n" in compiled(PLAIN, ", jit_compile=True")
    assert "    return x\nf = tf.function(f.python_function)\n" in compiled(DECORATED, "")
    assert "model = Model()\nmodel.run = tf.function(model.run)\nresult" in compiled(METHOD, "")
    assert compiled("import tensorflow as tf\nx = tf.ones([2])\n", "") == ""


def test_forms_that_are_like_an_earlier_one_are_left_out() -> None:
    plain, decorated = Case(Path("p.py"), PLAIN, None), Case(Path("p.py"), DECORATED, None, "best")
    assert list(forms(plain, PLAIN, PLAIN, PLAIN)) == ["original", "function", "jit"]
    assert list(forms(decorated, "other", "other", "other")) == ["original", "jit", "rewritten", "best"]
    assert list(forms(plain, "one", "another", "third"))[-3:] == ["rewritten", "everything", "verified"]
    assert list(forms(plain, PLAIN, "another", "another"))[-2:] == ["everything", "verified"]


def test_where_the_last_statement_raises_the_one_before_is_measured() -> None:
    text = f"# raises\n{PLAIN}raise ValueError\n"
    assert measured(Case(Path("p.py"), text, None), text).endswith("y = tf.abs(f(x))\n")
    assert measured(Case(Path("p.py"), PLAIN, None), PLAIN) == PLAIN


@pytest.mark.parametrize("case", [case for case in cases() if case.name.startswith("programs/")], ids=lambda case: case.name)
@pytest.mark.smoke
def test_every_program_can_be_compiled_as_a_whole(case: Case) -> None:
    text = compiled(case.text, ", jit_compile=True", statement(case))
    assert text and ast.unparse(ast.parse(text).body[-1]) == ast.unparse(ast.parse(case.text).body[-1])


def entry(**peaks: Any) -> dict[str, Any]:
    found = {name: {"warm_peak": [peak, peak, peak]} if isinstance(peak, float) else peak for name, peak in peaks.items()}
    return {
        "forms": found,
        "rules": ["assign_add"],
        "what": "It adds.",
        "unsafe": False,
        "raises": False,
        "remarks": [],
        "reported": [],
        "refused": [],
    }


def test_cells_say_what_there_is_in_place_of_a_figure() -> None:
    one = entry(
        original=12.04, jit={"late": 60.0}, function={"raises": "TypeError"}, rewritten={"warm_peak": [4.0, 4.0, 4.1], "equal": "no"}
    )
    cells = [tables.cell(one, form, "warm_peak") for form in tables.FORMS]
    assert cells == ["12.0", "TypeError", "> 60 s", "4.0 ≠", "–", "–", "–"]


def test_numbers_have_three_digits_at_most() -> None:
    assert [tables.number(value) for value in (0.004, 0.256, 0.999, 1.04, 9.99, 15.93, 99.96, 1234.5)] == [
        "0.00",
        "0.26",
        "1.0",
        "1.0",
        "10.0",
        "15.9",
        "100",
        "1234",
    ]


def test_the_summary_names_what_is_worse_and_what_is_far_from_the_best() -> None:
    programs = {"worse": entry(original=1.0, rewritten=2.0, jit=1.0), "far": entry(original=9.0, rewritten=6.0, best=3.0, jit=8.0)}
    said = tables.summary({"programs": programs, "rounds": 1, "versions": {"tensorflow": "2", "python": "3"}})
    assert "all but [`worse`](corpus/programs/worse.py) (1.0 → 2.0 MB)" in said
    assert "0 of 2 programs are within 1.1x" in said and "[`far`](corpus/programs/far.py) 2.0x" in said
    assert "less in 1, as much in 0 and more in 1 ([`worse`](corpus/programs/worse.py))" in said


def needing(peak: float, resident: float, time: float, part: float = 0.01) -> dict[str, Any]:
    quantities = {"whole_peak": peak, "whole_resident": resident, "whole_time": time}
    return {"warm_peak": [1.0, 1.0, 1.0], **{name: [value, value * (1 - part), value * (1 + part)] for name, value in quantities.items()}}


def test_a_script_needs_more_where_it_is_neither_little_nor_noise() -> None:
    before = needing(10.0, 40.0, 1.0)
    assert tables.more(before, needing(10.9, 44.0, 1.1)) == []
    assert tables.more(before, needing(11.2, 46.0, 1.3)) == ["peak", "resident", "time"]
    assert tables.more(needing(40.0, 200.0, 0.1), needing(41.5, 209.0, 0.14)) == []
    assert tables.more(before, needing(11.2, 46.0, 1.3, part=0.3)) == []
    assert tables.more({}, before) == tables.more(before, {}) == []
    assert tables.whole(before, needing(8.0, 41.0, 0.5)) == ["10.0 → 8.0", "40.0 → 41.0", "1.0 → 0.50"]


def test_the_summary_names_the_scripts_that_need_more_as_a_whole() -> None:
    before, after = needing(10.0, 40.0, 1.0), needing(9.0, 60.0, 1.0)
    versions = {"rounds": 1, "versions": {"tensorflow": "2", "python": "3"}}
    programs = {"better": entry(original=before, rewritten=before, everything=after), "worse": entry(original=before, rewritten=after)}
    said = tables.summary({"programs": programs, **versions})
    assert "default these need more: [`worse`](corpus/programs/worse.py) (resident 40.0 → 60.0) (" in said
    assert "With `--verify` none does. With everything 1 do" in said
    programs["worse"]["forms"]["eagerly"] = before
    said = tables.summary({"programs": programs, **versions})
    assert "of the 1 scripts that are rewritten by default none needs more (" in said and "[`worse`](corpus/programs/worse.py)" in said


def test_what_needs_more_is_found_by_running_it() -> None:
    text = "import numpy as np\nx = np.ones([{0}, 1000, 1000], np.uint8)\ndel x\n"
    with Processes(environment("auto")) as processes:
        few, many = needs([text.format(2), text.format(30)], Path(__file__).with_name("p.py"), 1, processes)
    assert 2 <= few.peak[0] < 6 and 30 <= many.peak[0] < 34 and many.resident[0] > few.resident[0] + 20
    assert tables.more(few.figures(), many.figures())[:2] == ["peak", "resident"]


def test_a_program_that_raises_in_a_graph_is_compared_with_what_it_does_eagerly() -> None:
    case = Case(Path("p.py"), f"# raises in a graph\n{DECORATED}for i in tf.range(3):\n    f(i)\n", None)
    assert "for i in range(3)" in script(case) and "run_functions_eagerly(True)" in script(case)
    assert script(Case(Path("p.py"), PLAIN, None)) == PLAIN


def test_figures_are_kept_under_other_names_as_long_as_they_are_those_of_the_texts() -> None:
    (case,) = [one for one in cases() if one.name == "programs/naive_loop"]
    texts = forms(case, case.text, everything(case)[0], "")
    stored: dict[str, Any] = {"forms": {form: {"text": digest(text), "warm_peak": [1.0]} for form, text in texts.items()}}
    stored["forms"]["rewritten"] = stored["forms"].pop("everything")
    found = relabelled(case, stored)
    assert found is not None and set(found["forms"]) == set(texts)
    assert digest("x = 1  # one\n") == digest("x = 1\n") != digest("x = 2\n")
    del stored["forms"]["rewritten"]
    assert relabelled(case, stored) is None


@pytest.mark.smoke
def test_the_default_is_what_no_comment_asks_for() -> None:
    (case,) = [one for one in cases() if one.name == "programs/naive_loop"]
    assert by_default(case)[0] == case.text and everything(case)[0] == case.expected


def test_only_what_stands_between_marks_is_replaced() -> None:
    text = "before\n<!-- programs: made by make bench -->\nold\n<!-- end -->\nafter <!-- end -->\n"
    done = tables.filled(text, {"programs": {}})
    assert done.startswith("before\n<!-- programs: made by make bench -->\n| program |") and "old" not in done
    assert done.endswith("<!-- end -->\nafter <!-- end -->\n") and tables.filled(done, {"programs": {}}) == done


def test_the_picture_of_a_loop_in_segments_is_that_of_its_table() -> None:
    """Its memory grows by at most the power of 0.6 of the steps."""
    page = training.PICTURE.with_suffix(".md").read_text(encoding="utf-8")
    assert training.PICTURE.read_text(encoding="utf-8") == training.picture(page)
    assert f"({training.PICTURE.name})" in page
    powers = [float(row.split("|")[-2]) for row in page.splitlines() if row.startswith("| `checkpoint_loop` |") and row.count("|") == 7]
    assert powers and max(powers) <= 0.6
