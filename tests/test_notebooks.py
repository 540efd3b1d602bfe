"""Notebooks: their cells are one program, and what isn't edited keeps its bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import FIRED, FIRES, ROOT, Run, age
from hypothesis import given, settings
from hypothesis import strategies as st

from tfrewrite.codes import Code
from tfrewrite.engine import rewrite
from tfrewrite.facts import Facts
from tfrewrite.notebooks.program import Notebook, Untranslatable
from tfrewrite.notebooks.translation import OPEN, translated
from tfrewrite.outcomes import Edit
from tfrewrite.process import process
from tfrewrite.results import Outcome
from tfrewrite.runner import Request
from tfrewrite.source import PassedOver, Source, SourceError, apply_edits
from tfrewrite.standing import Standing, Surroundings

SCHEMA = json.loads((ROOT / "tfrewrite" / "report" / "schema.json").read_text())
OPTIONS = Request().options()
IMPORT = "import tensorflow as tf"
STEP, CALL = FIRES.partition("\n\n")[2].partition("\n\n\n")[::2]
DEFINED = f"{STEP}\n\n\n{CALL}".strip()
REWRITTEN = FIRED.partition("\n\n")[2].strip()


def notebook(
    *cells: str, counts: Sequence[int | None] = (), metadata: dict[str, Any] | None = None, listed: bool = True, indent: int | None = 1
) -> bytes:
    """The bytes of a notebook as Jupyter writes them; what begins with # Title is Markdown."""
    made = []
    for index, source in enumerate(cells):
        text: Any = source.splitlines(keepends=True) if listed else source
        if source.startswith("# Title"):
            made.append({"cell_type": "markdown", "metadata": {}, "source": text})
        else:
            count = counts[index] if counts else None
            made.append({"cell_type": "code", "execution_count": count, "id": f"c{index}", "metadata": {}, "outputs": [], "source": text})
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    whole = {"cells": made, "metadata": kernel if metadata is None else metadata, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(whole, indent=indent, ensure_ascii=False) + "\n").encode()


def handled(data: bytes, request: Request | None = None, path: str = "n.ipynb") -> Outcome:
    return process(data, path, OPTIONS if request is None else request.options())


def sources(data: bytes) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(data.decode("utf-8-sig"))["cells"]]


def after(data: bytes, path: str = "n.ipynb") -> bytes:
    outcome = handled(data, path=path)
    assert outcome.failure is None
    return Source.from_bytes(data, path).written(outcome.result.edits)


def facts_of(*cells: str, **more: Any) -> Facts:
    return Facts(Source.from_bytes(notebook(*cells, **more), "n.ipynb"))


# What cells mean


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("cell", "program"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("!pip install a \\\n  b\nx = 1", "pass\n\nx = 1"),
        ("pip install tensorflow", "pass"),
        ("files = !ls *.jpg", "files = __value__()"),
        ("d['a'] = !ls {path} $HOME", "d['a'] = __value__(lambda: (path, HOME,))"),
        ("for i in x:\n    !echo $i\n    %cd ..", "for i in x:\n    __value__(lambda: (i,))\n    pass"),
        ("%time y = f(x)", "pass; y = f(x)"),
        ("%timeit -n 10 f(x)", "for __turn__ in range(__turns__): f(x)"),
        ("%%timeit\nf(x)\ng(x)", "for __turn__ in range(__turns__):\n    f(x)\n    g(x)"),
        ("%%time\n\nf(x)", "pass\n\n__displayed__(f(x))"),
        ("%%capture out\nf(x);", "out = __value__()\nf(x);"),
        ("# a form\n%%bash\nls\nit's", "# a form\npass\n\n"),
        ("%%writefile a.py\nx = 1", "pass\n"),
        ("%%javascript\nalert('x')", "pass\n"),
        ("%run other.py", OPEN),
        ("x = %unheard of", f"x = {OPEN}"),
        ("%%cython\ncdef int x", f"{OPEN}\n"),
        ("x?", "pass"),
        ("?tf.matmul", "pass"),
        ("tf.matmul??\nx", "pass\n__displayed__(x)"),
        ('a = """\n%matplotlib\n"""', 'a = """\n%matplotlib\n"""'),
        ("a = (b\n% c)", "a = (b\n% c)"),
        ("a = b \\\n% c", "a = b \\\n% c"),
        ('print("share = %s, "\n      "%s" % (a, b))', 'print("share = %s, "\n      "%s" % (a, b))'),
        ("x = 'it''s' # it's\n!ls", "x = 'it''s' # it's\npass"),
        ("  x = 1\n  if x:\n    y = 2", "x = 1\nif x:\n  y = 2"),
        ("from __future__ import annotations\nx = 1", "pass\nx = 1"),
        ("await f(x)", "__displayed__(await f(x))"),
        ("%env KERAS_BACKEND=jax", "pass  # %env KERAS_BACKEND=jax"),
    ],
)
def test_magics_become_what_they_mean_on_the_same_lines(cell: str, program: str) -> None:
    found = translated(cell)
    assert (found.text, found.problem) == (program, "")
    for one in found.segments:
        if one.kept:
            assert found.text[one.start : one.end] == cell[one.cell_start : one.cell_end]
    assert [one.start for one in found.segments[1:]] == [one.end for one in found.segments[:-1]]
    assert [one.cell_start for one in found.segments[1:]] == [one.cell_end for one in found.segments[:-1]]


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("x", "__displayed__(x)"),
        ("x  # comment", "__displayed__(x)  # comment"),
        ("(x\n + y)", "__displayed__((x\n + y))"),
        ("x, y", "__displayed__((x, y))"),
        ("(x, y)", "__displayed__((x, y))"),
        ("'é'; é", "'é'; __displayed__(é)"),
        ("x;", "x;"),
        ("x ; # quiet", "x ; # quiet"),
        ("print(x)", "print(x)"),
        ("x = 1", "x = 1"),
        ("if x:\n    y", "if x:\n    y"),
    ],
)
def test_the_last_expression_of_a_cell_is_shown(cell: str, shown: str) -> None:
    assert translated(cell).text == shown


@pytest.mark.smoke
@pytest.mark.parametrize("cell", ["print 'x'", "x = (1", "return 1", "def f(:", "x = '\ud800'"])
def test_a_cell_that_is_not_python_may_do_anything(cell: str) -> None:
    found = translated(cell)
    assert found.text.rstrip("\n") == OPEN and "not valid Python" in found.problem
    assert found.text.count("\n") == cell.count("\n")


def test_what_is_shown_is_known_as_printed() -> None:
    facts = facts_of(IMPORT, "from IPython.display import display", "x = tf.ones([3])\ndisplay(x)\nx")
    calls = [facts.called(one) for one in facts.nodes([type(facts.tree.body[-1].value)])]
    assert calls.count("builtins.print") == 2


# Edits


@pytest.mark.smoke
@pytest.mark.parametrize("indent", [1, 2, 4, None])
@pytest.mark.parametrize("listed", [True, False])
def test_only_the_changed_lines_change(listed: bool, indent: int | None) -> None:
    data = notebook("# Title é", f"%matplotlib inline\n{IMPORT}", DEFINED, "step()\ntotal", listed=listed, indent=indent)
    result = after(data)
    assert sources(result) == ["# Title é", f"%matplotlib inline\n{IMPORT}", REWRITTEN, "step()\ntotal"]
    before, now = data.split(b"\n"), result.split(b"\n")
    assert len(before) == len(now) and sum(one != other for one, other in zip(before, now, strict=True)) == 1
    assert result == data.replace(b"total.assign(total + tf.ones([1000, 1000]))", b"total.assign_add(tf.ones([1000, 1000]))")
    assert after(result) == result


@pytest.mark.smoke
@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.rstrip(b"\n"),
        lambda data: data.replace("é".encode(), b"\\u00e9").replace("😀".encode(), b"\\ud83d\\ude00"),
        lambda data: data.replace(b'"metadata": {},', b'"metadata":{ "b" : [1.50, 1e5, NaN, "\\/"], "a":null },'),
        lambda data: data.replace(b'"outputs": []', b'"outputs": [{"output_type": "stream", "text": ["total.assign(total)\\n"]}]'),
    ],
)
def test_everything_else_keeps_its_bytes(spoil: Any) -> None:
    data = spoil(notebook(IMPORT, f"a = '😀é\\\"\t'\n{DEFINED}  # é", listed=True))
    result = after(data)
    wanted = data.replace(b"total.assign(total + tf.ones([1000, 1000]))", b"total.assign_add(tf.ones([1000, 1000]))")
    assert result == wanted != data


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("start", "end", "text", "wanted"),
    [
        (0, 0, "new\n", ["new\n", "one\n", "two\n", "three;"]),
        (4, 4, "new\nand\n", ["one\n", "new\n", "and\n", "two\n", "three;"]),
        (14, 14, "\nnew", ["one\n", "two\n", "three;\n", "new"]),
        (15, 15, "new\n", ["one\n", "two\n", "three;\n", "new"]),
        (4, 8, "", ["one\n", "three;"]),
        (8, 15, "", ["one\n", "two"]),
        (8, 14, "", ["one\n", "two\n"]),
        (3, 4, " ", ["one two\n", "three;"]),
        (4, 8, "2\n", ["one\n", "2\n", "three;"]),
        (8, 15, "3\n", ["one\n", "two\n", "3"]),
        (5, 6, 'W"\\é', ["one\n", 'tW"\\éo\n', "three;"]),
        (0, 15, "all\nnew\n", ["all\n", "new"]),
        (14, 14, "\n", ["one\n", "two\n", "three;\n"]),
    ],
)
def test_lines_stay_lines(start: int, end: int, text: str, wanted: list[str]) -> None:
    source = Source.from_bytes(notebook("one\ntwo\nthree;", "four;"), "n.ipynb")
    written = json.loads(source.written([Edit(start, end, text)]))
    assert [cell["source"] for cell in written["cells"]] == [wanted, ["four;"]]


def test_lines_at_the_end_that_go_one_by_one_do_not_meet() -> None:
    source = Source.from_bytes(notebook("one\ntwo\nthree;", "four;"), "n.ipynb")
    edits = [Edit(4, 8, ""), Edit(8, 15, "")]
    assert isinstance(source, Notebook) and source.obstacle(edits)
    assert [line for line in source.shown(edits).splitlines() if line] == ["one", "four;"]


TEXTS = st.text(st.sampled_from("ab\n\"\\é😀\t'#%( "), max_size=12)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(TEXTS, max_size=4).map("\n".join), min_size=1, max_size=3),
    st.integers(0, 60),
    st.integers(0, 12),
    TEXTS,
    st.booleans(),
    st.booleans(),
)
def test_any_edit_changes_its_cell_alone(cells: list[str], start: int, size: int, text: str, listed: bool, escaped: bool) -> None:
    data = notebook(*cells, listed=listed)
    if escaped:
        data = (json.dumps(json.loads(data), indent=2) + "\n").encode()
    source = Source.from_bytes(data, "n.ipynb")
    assert isinstance(source, Notebook)
    assert source.written(()) == data == source.to_bytes()
    assert source.shown().count("\n") == source.text.count("\n")
    edit = Edit(min(start, len(source.text)), min(start + size, len(source.text)), text)
    try:
        edits = source.cell_edits([edit])
    except Untranslatable:
        return
    written = source.written([edit])
    for number, (before, now) in enumerate(zip(cells, sources(written), strict=True), 1):
        assert now == (apply_edits(before, edits[number]) if number in edits else before)
    assert {**json.loads(data), "cells": 0} == {**json.loads(written), "cells": 0}


# Where cells end


@pytest.mark.smoke
def test_names_last_to_other_cells() -> None:
    cells = [IMPORT, "scores = []\nfor i in range(9):\n    scores.append(tf.ones([512, 512]) * i)\nprint(tf.add_n(scores))", "len(scores)"]
    whole = ["\n".join(cells[:2])]
    assert handled(notebook(*whole)).result.edits == ()
    for one in (cells, cells[:2]):
        data = notebook(*one)
        assert after(data) == data


def test_what_a_later_cell_may_read_is_live() -> None:
    facts = facts_of("x = 1\nx = 2\ny = x", "x = 3\nprint(x)\nx = 4")
    live = facts.liveness(facts.tree)
    first, second, third, fourth, fifth, sixth = facts.tree.body
    assert "x" not in live.after(first) and "x" in live.after(second) and "x" in live.after(third)
    assert "x" not in live.after(fifth) and "x" in live.after(sixth) and {"x", "y"} <= live.after(fourth) | {"x"}
    script = Facts(Source("x = 1\nx = 2\ny = x\nx = 3\nprint(x)\nx = 4\n"))
    assert "x" not in script.liveness(script.tree).after(script.tree.body[2])
    assert facts.is_interactive and not script.is_interactive


@pytest.mark.smoke
def test_cells_change_apart() -> None:
    source = Source.from_bytes(notebook("a = 1\nb = 2", "c = 3", "%time d = 4\nd"), "n.ipynb")
    assert isinstance(source, Notebook)

    def at(text: str, new: str) -> Edit:
        start = source.text.index(text)
        return Edit(start, start + len(text), new)

    assert source.obstacle([at("1", "5"), at("2", "6")]) == ""
    assert source.obstacle([at("1", "5"), at("3", "6")]) == "cells 1 and 2 would change together, and each of them may be run alone"
    assert source.obstacle([Edit(0, 0, "import numpy as np\n"), at("3", "np.ones(3)")]) == ""
    assert source.obstacle([at("2\n\nc", "2; c")]) == "the change would reach over several cells"
    assert source.obstacle([at("b = 2", "print(a)")]) == "b, which cell 1 gives, would be gone, and other cells may read it"
    assert source.obstacle([at("4", "5")]) == ""
    assert "magic" in source.obstacle([at("pass; d", "d")])
    assert "beside a magic" in source.obstacle([at("4", "[\n5]")])
    shown = source.text.index("__displayed__(d)") + len("__displayed__(d)")
    assert "what the cell shows" in source.obstacle([Edit(shown, shown, "\ndel d")])


def test_an_array_of_the_top_level_stays_an_array() -> None:
    cells = [
        f"{IMPORT}\nimport numpy as np",
        "table = np.ones([300, 300], np.float32)",
        "@tf.function\ndef f(x: tf.Tensor):\n    return x + table",
        "for i in range(5):\n    print(f(tf.ones([300, 300]) * i))",
    ]
    outcome = handled(notebook(*cells), Request(select=("captured_array",)))
    assert [one.code for one in outcome.result.refusals] == [Code.NOTEBOOK] and not outcome.result.edits
    script = process("\n".join(cells).encode(), "n.py", Request(select=("captured_array",)).options())
    assert [one.rule for one in script.result.rewrites] == ["captured_array"]


def test_bytes_of_the_top_level_are_scaled_where_they_were() -> None:
    cells = [
        f"{IMPORT}\nimport numpy as np\nimages = np.ones([3000, 30, 30], np.uint8)",
        "images = images.astype('float32')\nimages /= 255\nrows = tf.data.Dataset.from_tensor_slices(images).batch(50)",
        "for batch in rows:\n    print(tf.reduce_sum(batch))",
    ]
    outcome = handled(notebook(*cells), Request(select=("bytes_in_dataset",)))
    assert [one.code for one in outcome.result.refusals] == [Code.NOTEBOOK] and not outcome.result.edits
    script = process("\n".join(cells).encode(), "n.py", Request(select=("bytes_in_dataset",)).options())
    assert [one.rule for one in script.result.rewrites] == ["bytes_in_dataset"]


def test_an_array_that_another_cell_changes_is_copied() -> None:
    made = "import numpy as np\nx = np.ones([3000, 3000], np.float32)\ny = x"
    rows = "rows = tf.data.Dataset.from_tensor_slices(x).batch(500)"
    shown = "for batch in rows:\n    print(tf.reduce_sum(batch))"
    chosen = Request(select=("array_input",))
    again = handled(notebook(f"{IMPORT}\n{made}", "x *= 2", rows, shown), chosen)
    assert [one.code for one in again.result.refusals] == [Code.MAY_CHANGE] and not again.result.edits
    for cells in ([f"{IMPORT}\n{made}\nx *= 2", rows, shown], [f"{IMPORT}\nimport numpy as np", f"{made}\nx *= 2", rows, shown]):
        assert [one.rule for one in handled(notebook(*cells), chosen).result.rewrites] == ["array_input"]
    script = process("\n".join([IMPORT, made, "x *= 2", rows, shown]).encode(), "n.py", chosen.options())
    assert [one.rule for one in script.result.rewrites] == ["array_input"]


def test_an_import_goes_to_the_cell_that_imports_tensorflow() -> None:
    loop = "def f(x):\n    for _ in range(2000):\n        x = tf.tanh(x) * 0.5 + 1.0\n    return x"
    data = notebook("# Title", "%matplotlib inline\n" + IMPORT, loop, "r = f(tf.constant(0.5, tf.float64))\nprint(r)")
    outcome = handled(data, Request(select=("numpy_loop",), purpose="both"))
    assert [one.rule for one in outcome.result.rewrites] == ["numpy_loop"], outcome.result.refusals
    found = sources(Source.from_bytes(data, "n.ipynb").written(outcome.result.edits))
    assert found[1] == "%matplotlib inline\nimport numpy as np\n" + IMPORT and "np.tanh" in found[2]


# What lowers what is believed


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("counts", "note", "known"),
    [
        ((None, None, None, None), "", True),
        ((0, 0, 0, 0), "", True),
        ((1, 2, 3, 4), "", True),
        ((3, 4, 5, None), "", True),
        ((1, 2, 5, 6), "were run twice, or are gone", False),
        ((1, 4, 3, 2), "were run in another order", False),
    ],
)
def test_the_order_that_cells_were_run_in(counts: tuple[int | None, ...], note: str, known: bool) -> None:
    facts = facts_of(IMPORT, "x = tf.ones([3])\nsure = tf.ones([4])", "x = tf.concat([x, x], 0)", "print(x, sure)", counts=counts)
    shown = facts.tree.body[-1].value.args
    assert (facts.kind(shown[0]).dtype == "float32") is known
    assert facts.kind(shown[1]).dtype == "float32"
    assert len(facts.source.notes) == bool(note) and all(note in one for one in facts.source.notes)


@pytest.mark.smoke
def test_a_cell_that_is_not_read_is_named() -> None:
    data = notebook("# Title", IMPORT, "x = 1\nprint 'x'", DEFINED)
    outcome = handled(data)
    (note,) = outcome.notes
    assert note.startswith("cell 3:2 is not valid Python: ") and note.endswith("; it may do anything")
    # That cell may give `total` another value; without it nothing does.
    assert [one.rule for one in outcome.result.rewrites] == []
    assert [one.rule for one in handled(notebook("# Title", IMPORT, DEFINED)).result.rewrites] == ["assign_add"]
    assert handled(notebook(IMPORT, "%run a.py", DEFINED)).notes == (
        "cell 2 runs code that is not in it, or has a magic that is not known; it may do anything",
    )
    facts = facts_of(IMPORT, "x = tf.ones([3])", "print 'x'", "y = x")
    assert facts.callers.mutation.module_is_open and facts.kind(facts.tree.body[-1].value).dtype is None


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not valid JSON"),
        (b'{"cells": [}', "not valid JSON"),
        (b'{"cells": [], "a": 1,}', "not valid JSON"),
        (b'{"cells": []} x', "something follows its end"),
        (b"[1]", "JSON, but not a notebook"),
        (b'{"keras": 1}', "JSON, but not a notebook"),
        (b'{"cells": 1}', "JSON, but not a notebook"),
        (b'\n{"cells": "\xff"}', "not valid UTF-8"),
        (b"[" * 100_000, "nested too deep"),
    ],
)
def test_files_that_are_no_notebooks(data: bytes, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        Source.from_bytes(data, "n.ipynb")


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("metadata", "text", "said"),
    [
        ({"kernelspec": {"name": "ir", "language": "R"}}, "x <- 1", "a notebook in r, not in Python"),
        ({"kernelspec": {"name": "julia-1.9"}}, "x = 1", "a notebook in julia-1.9"),
        ({"language_info": {"name": "swift"}}, "let x = 1", "a notebook in swift"),
        (None, "%tensorflow_version 1.x", "TensorFlow 1"),
        (None, "InteractiveShell.ast_node_interactivity = 'all'", "ast_node_interactivity"),
    ],
)
def test_notebooks_that_are_passed_over(metadata: dict[str, Any] | None, text: str, said: str) -> None:
    data = notebook(text + "\n# tensorflow", metadata=metadata)
    with pytest.raises(PassedOver, match=said):
        Source.from_bytes(data, "n.ipynb")
    outcome = handled(data)
    assert outcome.failure is None and not outcome.changed and said in outcome.notes[0]


@pytest.mark.smoke
def test_notebooks_with_little_in_them() -> None:
    for data in (
        notebook(),
        notebook("# Title tensorflow"),
        notebook("", " \n"),
        notebook("# tensorflow"),
        b'{"cells": [1, {}, {"source": 2}]}',
    ):
        outcome = handled(data)
        assert outcome.failure is None and not outcome.changed and after(data) == data
    odd: dict[str, Any] = {"kernelspec": None, "language_info": [], "x": {}}
    assert "assign_add" in str(handled(notebook(IMPORT, DEFINED, metadata=odd)).result.rewrites)


def test_format_3() -> None:
    cells = [
        {"cell_type": "code", "language": "python", "input": text.splitlines(keepends=True), "prompt_number": 1}
        for text in (IMPORT, DEFINED)
    ]
    data = json.dumps({"metadata": {}, "nbformat": 3, "worksheets": [{"metadata": {}, "cells": cells}]}, indent=1).encode()
    result = after(data)
    assert result == data.replace(b"total.assign(total + tf.ones([1000, 1000]))", b"total.assign_add(tf.ones([1000, 1000]))") != data


# The command line


@pytest.fixture
def nb(tmp_path: Path) -> Path:
    path = tmp_path / "n.ipynb"
    path.write_bytes(notebook("# Title", f"!pip install x\n{IMPORT}", DEFINED, "step()\ntotal"))
    return path


@pytest.mark.smoke
def test_the_diff_names_cell_and_line_and_applies(run: Run, nb: Path) -> None:
    data = nb.read_bytes()
    done = run(".")
    assert done.returncode == 0 and b"@@ cell 3:5: assign_add: " in done.stdout and nb.read_bytes() == data
    subprocess.run(["git", "init", "-q"], cwd=nb.parent, check=True)
    subprocess.run(["git", "apply"], input=done.stdout, cwd=nb.parent, check=True)
    applied = nb.read_bytes()
    assert applied == after(data)
    nb.write_bytes(data)
    done = run(".", "--inplace")
    assert done.stderr.startswith(b"n.ipynb: 1 rewrite\n") and nb.read_bytes() == applied
    assert run("n.ipynb", "--check").returncode == 0
    nb.write_bytes(data)
    assert run("n.ipynb", "--check", "--quiet").returncode == 1
    age(nb)
    first, second = run(".", "-v"), run(".", "-v")
    assert first.stdout == second.stdout and first.stderr == second.stderr


@pytest.mark.smoke
def test_a_notebook_on_one_line_is_shown_by_cells(run: Run, nb: Path) -> None:
    nb.write_bytes(notebook(IMPORT, DEFINED, "text = '" + "x" * 3000 + "'", indent=None))
    out = run("n.ipynb").stdout.decode()
    assert out.startswith("--- a/n.ipynb:cell 2\t\n+++ b/n.ipynb:cell 2\t\n@@ -2,4 +2,4 @@ assign_add: ")
    assert "\n-    total.assign(total + tf.ones([1000, 1000]))  # a comment\n" in out and "xxx" not in out


@pytest.mark.smoke
def test_json_counts_lines_in_cells(run: Run, nb: Path) -> None:
    done = run("n.ipynb", "--format", "json")
    found = json.loads(done.stdout)
    jsonschema.validate(found, SCHEMA)
    (file,) = found["files"]
    (one,) = file["rewrites"]
    assert (one["cell"], one["line"], one["end_line"], one["column"]) == (3, 5, 5, 5)
    text = nb.read_text()
    assert apply_edits(text, [Edit(**edit) for edit in file["edits"]]).encode() == after(text.encode())
    nb.write_bytes(notebook(IMPORT, "print 'x'", "def f(a, b):\n    return tf.matmul(a, tf.transpose(b))\nf(1, 2)"))
    (file,) = json.loads(run("n.ipynb", "--format", "json").stdout)["files"]
    jsonschema.validate({**found, "files": [file]}, SCHEMA)
    assert [(one["cell"], one["line"], one["column"]) for one in file["refusals"]] == [(3, 2, 25)]
    assert file["notes"] and "cell 2:1" in file["notes"][0]


@pytest.mark.smoke
def test_columns_are_those_of_the_cell(run: Run, nb: Path) -> None:
    nb.write_bytes(notebook(IMPORT, "a, b = make()\ntf.matmul(a, tf.transpose(b))"))
    assert b"n.ipynb:cell 2:2:14: left alone: matmul_transpose: " in run("n.ipynb", "-v").stderr


@pytest.mark.smoke
@pytest.mark.parametrize("place", ["n.ipynb:3:5", "n.ipynb:cell 3:5", "n.ipynb:cell 3:5:5", "n.ipynb:3", "n.ipynb"])
def test_explain(run: Run, nb: Path, place: str) -> None:
    done = run("explain", place)
    said = done.stdout.decode()
    assert done.returncode == 0 and "Rewritten, cell 3, line 5\n    -    total.assign(total + tf.ones" in said
    assert "__displayed__" not in said
    if place != "n.ipynb":
        assert json.loads(run("explain", place, "--format", "json").stdout)["cell"] == 3


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("n.ipynb:1", "cell 1 is no code cell"),
        ("n.ipynb:3:99", "cell 3 has only"),
        ("n.ipynb:0", "count from 1"),
        ("n.ipynb:9", "cell 9 is no"),
    ],
)
def test_explain_of_places_that_are_not_there(run: Run, nb: Path, place: str, said: str) -> None:
    done = run("explain", place)
    assert done.returncode == 2 and said in done.stderr.decode()


@pytest.mark.smoke
@pytest.mark.parametrize("arguments", [["-"], ["-", "--stdin-filename", "n.ipynb"]])
def test_standard_input(run: Run, nb: Path, arguments: list[str]) -> None:
    data = nb.read_bytes()
    assert run(*arguments, given=data).stdout == after(data)


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("cells", "fires"),
    [
        ([IMPORT, f"# tfrewrite: off\n{DEFINED}"], False),
        ([f"# tfrewrite: off\n{IMPORT}", DEFINED], False),
        ([IMPORT, f"# tfrewrite: off\nx = 1\n{DEFINED}"], False),
        ([IMPORT, f"x = 1\n# tfrewrite: off\ny = 1\n{DEFINED}"], True),
        ([IMPORT, "# tfrewrite: off\nx = 1", DEFINED], True),
        ([IMPORT, DEFINED.replace("# a comment", "# tfrewrite: off=assign_add")], False),
    ],
)
def test_comments_switch_cells_off(cells: list[str], fires: bool) -> None:
    assert handled(notebook(*cells)).changed is fires


@pytest.mark.smoke
def test_exclude_and_links(run: Run, nb: Path) -> None:
    (nb.parent / "sub").mkdir()
    (nb.parent / "sub" / "m.ipynb").write_bytes(nb.read_bytes())
    (nb.parent / "pyproject.toml").write_text('[tool.tfrewrite]\nexclude = ["sub/", "n.ipynb"]\n')
    assert b"no Python files or notebooks in ." in run(".").stderr
    assert run("n.ipynb", "--check", "-q").returncode == 1


@pytest.mark.smoke
def test_errors_name_the_file_and_never_end_in_a_traceback(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_bytes(b'{"cells": ["tensorflow",]}')
    (tmp_path / "b.ipynb").write_bytes(b'{"tensorflow": 1}')
    (tmp_path / "c.ipynb").write_bytes(notebook("library(keras)", metadata={"kernelspec": {"name": "ir", "language": "R"}}))
    done = run(".")
    said = done.stderr.decode()
    assert done.returncode == 2 and "Traceback" not in said
    assert "a.ipynb:1: error: not valid JSON" in said and "b.ipynb: error: JSON, but not a notebook" in said
    assert "c.ipynb: note: passed over: a notebook in r, not in Python" in said


def test_large_outputs_cost_next_to_nothing() -> None:
    data = notebook(IMPORT, DEFINED)
    picture = b'"outputs": [{"output_type": "display_data", "data": {"image/png": "' + b"A\\n" * 3_000_000 + b'"}, "metadata": {}}]'
    large = data.replace(b'"outputs": []', picture, 1)
    assert len(large) > 9_000_000
    assert after(large) == large.replace(b"total.assign(total + tf.ones([1000, 1000]))", b"total.assign_add(tf.ones([1000, 1000]))")


def test_another_notebook_may_run_it(tmp_path: Path) -> None:
    path = tmp_path / "net.ipynb"
    path.write_bytes(notebook(IMPORT))
    other = tmp_path / "other.ipynb"
    other.write_bytes(notebook("# Title see net.ipynb"))
    assert not Source.from_file(str(path)).is_named_beside
    other.write_bytes(notebook("%run net.ipynb"))
    assert Source.from_file(str(path)).is_named_beside


# Keras alone


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("import keras\nkeras.ops.matmul", "tensorflow.keras.ops.matmul"),
        ("from keras import layers, ops\nops.matmul", "tensorflow.keras.ops.matmul"),
        ("from keras.layers import Dense as D\nD", "tensorflow.keras.layers.Dense"),
        ("import tensorflow as tf\ntf.keras.layers.Dense", "tensorflow.keras.layers.Dense"),
        ("import tf_keras\ntf_keras.layers.Dense", "tf_keras.layers.Dense"),
        ("import os\nos.environ['KERAS_BACKEND'] = 'jax'\nimport keras\nkeras.ops.matmul", "keras.ops.matmul"),
        ("import os\nos.environ['KERAS_BACKEND'] = 'tensorflow'\nimport keras\nkeras.ops.matmul", "tensorflow.keras.ops.matmul"),
        ("import os\nos.environ.setdefault('KERAS_BACKEND', 'torch')\nimport keras\nkeras.ops.matmul", "keras.ops.matmul"),
    ],
)
def test_names_of_keras(monkeypatch: pytest.MonkeyPatch, text: str, name: str) -> None:
    monkeypatch.delenv("KERAS_BACKEND", raising=False)
    facts = Facts(Source(text))
    assert facts.names(facts.tree.body[-1].value) == name
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    facts = Facts(Source(text))
    assert facts.names(facts.tree.body[-1].value) == (name if "KERAS_BACKEND" in text or "tf" in text else name.removeprefix("tensorflow."))


def test_a_magic_names_the_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KERAS_BACKEND", raising=False)
    facts = facts_of("%env KERAS_BACKEND=jax\nimport keras", "keras.ops.matmul;")
    assert facts.names(facts.tree.body[-1].value) == "keras.ops.matmul"


def test_a_file_of_keras_alone_is_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import keras\nx = (\n")
    done = run("a.py")
    assert done.returncode == 2 and b"not valid Python" in done.stderr
    (tmp_path / "a.py").write_text("import keras\n\nmodel = keras.Sequential()\nmodel.compile(run_eagerly=True)\nmodel.fit([1], [2])\n")
    done = run("a.py", "--unsafe")
    if b"model.compile()" in done.stdout:
        assert b"keras is taken to compute with TensorFlow" in done.stderr


# Running


def test_verify_runs_the_cells(run: Run, tmp_path: Path) -> None:
    """With magics, shell lines, what is displayed, and IPython itself imported."""
    cells = [
        f"%matplotlib inline\n!exit 1\n{IMPORT}\nfrom IPython.display import display, clear_output\nfrom IPython import display as ipd",
        "total = tf.Variable(tf.zeros([400, 400]))\nfiles = !ls\n\n\ndef step(x):\n    total.assign(total + x)\n    return total[0, :2]",
        "%time seen = step(tf.ones([400, 400]))\nclear_output(wait=True)\nipd.clear_output()\nipd.display(ipd.HTML('<b>'))\nhandle = display(seen, display_id=True)\nhandle.update(seen)",
        "%%timeit\nstep(tf.ones([400, 400]))",
        "get_ipython().run_line_magic('pwd', '')\nfor name in files:\n    print(name)\nseen",
    ]
    (tmp_path / "n.ipynb").write_bytes(notebook(*cells))
    done = run("n.ipynb", "--verify", "--calls", "2", "--select", "assign_add")
    assert done.returncode == 0, done.stderr
    assert b"cell 2:6: assign_add: " in done.stdout and b"(verified in 2 calls" in done.stdout, done.stderr


def test_a_notebook_finds_the_version_of_ipython(run: Run, tmp_path: Path) -> None:
    """Matplotlib asks for it when it makes a figure: what came after the first one was never run."""
    cells = [
        "import IPython\nassert IPython.version_info[:2] >= (8, 24) and IPython.__version__",
        f"{IMPORT}\ntotal = tf.Variable(tf.zeros([400, 400]))\n\n\ndef step(x):\n    total.assign(total + x)\n\n\nstep(tf.ones([400, 400]))",
    ]
    (tmp_path / "n.ipynb").write_bytes(notebook(*cells))
    done = run("n.ipynb", "--verify", "--calls", "2", "--select", "assign_add")
    assert done.returncode == 0 and b"verified in 1 call" in done.stdout and b"both end with" not in done.stdout, done.stderr


def test_verify_says_what_it_can_not_run(run: Run, nb: Path) -> None:
    done = run("n.ipynb", "--verify", "--run", "pytest")
    assert done.returncode == 2 and b"--run starts a program, and nothing that runs a notebook" in done.stderr
    nb.write_bytes(notebook(IMPORT, "%run other.py", DEFINED))
    done = run("n.ipynb", "--verify")
    assert done.returncode == 2 and b"can't be run as it is: cell 2 is code that only IPython runs" in done.stderr


def test_compare_takes_notebooks(run: Run, tmp_path: Path) -> None:
    data = notebook(IMPORT, DEFINED, "step()\ntotal[0, 0]")
    (tmp_path / "a.ipynb").write_bytes(data)
    (tmp_path / "b.ipynb").write_bytes(after(data))
    done = run("compare", "a.ipynb", "b.ipynb", "--no-measure")
    assert done.returncode == 0 and b"equivalent (bitwise)" in done.stdout, done.stderr


# In IPython


SHELL = """
import sys
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance(colors="NoColor")
for cell in sys.stdin.read().split("---\\n"):
    print("ok" if shell.run_cell(cell, store_history=True).success else "failed")
"""


def in_ipython(tmp_path: Path, *cells: str) -> str:
    environment = {**os.environ, "IPYTHONDIR": str(tmp_path), "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3"}
    command = [sys.executable, "-c", SHELL]
    done = subprocess.run(command, input="---\n".join(cells), capture_output=True, text=True, env=environment, timeout=600, check=True)
    return done.stdout


def test_the_magic_previews_a_cell_and_runs_it(tmp_path: Path) -> None:
    step = "def step():\n    total.assign(total + tf.ones([1000, 1000]))\n    return total[0, 0]\n"
    out = in_ipython(
        tmp_path,
        "%load_ext tfrewrite\n",
        f"{IMPORT}\ntotal = tf.Variable(tf.zeros([1000, 1000]))\n",
        step,
        f"%%tfrewrite\n{step}",
        "%%tfrewrite\nint(step())\n",
        "%%tfrewrite --nonsense\n1 / 0\n",
    )
    assert (
        "+++ b/In [4]\t\n" in out
        and "\n-    total.assign(total + tf.ones([1000, 1000]))\n+    total.assign_add(tf.ones([1000, 1000]))\n" in out
        and "assign_add: " in out
    )
    assert "tfrewrite: nothing to rewrite in this cell" in out and "Out[5]: 1\n" in out
    assert "No such option" in out and out.count("ZeroDivisionError") >= 1
    assert [line for line in out.splitlines() if line in ("ok", "failed")] == ["ok"] * 5 + ["failed"]


class Shell:
    """What the magic asks of IPython."""

    def __init__(self, *inputs: str) -> None:
        self.user_ns = {"In": ["", *inputs]}


@pytest.mark.smoke
def test_what_was_run_before() -> None:
    from tfrewrite.notebooks.magic import earlier_cells, preview

    shell = Shell(IMPORT, "x = 1", IMPORT, "", "%%tfrewrite -v\ny = 1\n")
    assert earlier_cells(shell, "y = 1") == [(2, "x = 1"), (3, IMPORT)]
    before = earlier_cells(Shell(IMPORT, DEFINED.partition("\n\n\n")[0], "def step():\n    total.assign(total + 1.0)"), CALL)
    said = preview(before, CALL.strip())
    assert "-    total.assign(total + tf.ones([1000, 1000]))" in said and "In [3]" not in said
    assert preview(before, "x = ").count("\n") == 0
    assert "left alone" in preview([(1, IMPORT)], "def f(a, b):\n    return tf.matmul(a, tf.transpose(b))", "-v")


def test_what_is_known_of_the_project_goes_along() -> None:
    data = notebook(IMPORT, DEFINED)
    source = Source.from_bytes(data, "n.ipynb").standing_in(Surroundings(Standing.SCRIPT))
    assert source.written(()) == data and source.standing is Standing.SCRIPT
    assert source.after([Edit(0, 0, "import os\n")]).standing is Standing.SCRIPT


def test_rewriting_is_stable() -> None:
    data = notebook(IMPORT, DEFINED, "step()\ntotal")
    source = Source.from_bytes(data, "n.ipynb")
    result = rewrite(source, OPTIONS)
    again = Source.from_bytes(source.written(result.edits), "n.ipynb")
    assert again.text == source.after(result.edits).text and rewrite(again, OPTIONS).edits == ()
