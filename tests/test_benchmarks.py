"""What `benchmarks/programs.py` makes of programs, and of what it has measured."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from programs import Case, cases

from benchmarks import tables
from benchmarks.measuring import compiled, forms, measured, statement

PLAIN = "import tensorflow as tf\n\n\ndef f(x):\n    return x\n\n\nx = f(1)\ny = tf.abs(f(x))\n"
DECORATED = PLAIN.replace("def f", "@tf.function\ndef f")
METHOD = "import tensorflow as tf\n\nmodel = Model()\nresult = model.run(1)\n"


def test_the_function_that_the_last_statement_calls_is_compiled_from_its_definition_on() -> None:
    assert "    return x\nf = tf.function(f, jit_compile=True)\n" in compiled(PLAIN, ", jit_compile=True")
    assert "    return x\nf = tf.function(f.python_function)\n" in compiled(DECORATED, "")
    assert "model = Model()\nmodel.run = tf.function(model.run)\nresult" in compiled(METHOD, "")
    assert compiled("import tensorflow as tf\nx = tf.ones([2])\n", "") == ""


def test_forms_that_are_like_an_earlier_one_are_left_out() -> None:
    assert list(forms(Case(Path("p.py"), PLAIN, None), PLAIN, PLAIN)) == ["original", "function", "jit"]
    assert list(forms(Case(Path("p.py"), DECORATED, None, "best"), "other", "other")) == ["original", "jit", "rewritten", "best"]
    assert list(forms(Case(Path("p.py"), PLAIN, None), "one", "another"))[-2:] == ["rewritten", "verified"]


def test_where_the_last_statement_raises_the_one_before_is_measured() -> None:
    text = f"# raises\n{PLAIN}raise ValueError\n"
    assert measured(Case(Path("p.py"), text, None), text).endswith("y = tf.abs(f(x))\n")
    assert measured(Case(Path("p.py"), PLAIN, None), PLAIN) == PLAIN


@pytest.mark.parametrize("case", [case for case in cases() if case.name.startswith("programs/")], ids=lambda case: case.name)
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
    assert cells == ["12.0", "TypeError", "> 60 s", "4.0 ≠", "–", "–"]


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


def test_only_what_stands_between_marks_is_replaced() -> None:
    text = "before\n<!-- programs: made by make bench -->\nold\n<!-- end -->\nafter <!-- end -->\n"
    done = tables.filled(text, {"programs": {}})
    assert done.startswith("before\n<!-- programs: made by make bench -->\n| program |") and "old" not in done
    assert done.endswith("<!-- end -->\nafter <!-- end -->\n") and tables.filled(done, {"programs": {}}) == done
