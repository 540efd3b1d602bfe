"""`--format json` keeps to its schema, and says what the other views say."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import FIRED, FIRES, REFUSED, SLOW, Run

from tfrewrite.codes import Code
from tfrewrite.outcomes import Purpose

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = json.loads(resources.files("tfrewrite.report").joinpath("schema.json").read_text("utf-8"))


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    (tmp_path / "fires.py").write_text(FIRES)
    (tmp_path / "refused.py").write_text(REFUSED)
    (tmp_path / "old.py").write_text("import tensorflow\nprint 'x'\n")
    (tmp_path / "plain.py").write_text("x = 1\n")


def valid(output: bytes) -> Any:
    document = json.loads(output)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    return document


def test_the_schema_is_one_and_is_strict_enough() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate({"version": 1, "tool": {"name": "tfrewrite", "version": "1"}, "files": [{}]})


@pytest.mark.smoke
def test_a_run_over_all_sorts_of_files(run: Run, tmp_path: Path) -> None:
    done = run(".", "missing.py", "--format", "json")
    assert done.returncode == 2
    document = valid(done.stdout)
    files = {one["path"]: one for one in document["files"]}
    assert {path: one["status"] for path, one in files.items()} == {
        "missing.py": "failed",
        "fires.py": "changed",
        "old.py": "failed",
        "refused.py": "unchanged",
    }
    assert files["old.py"]["error"]["line"] == 2
    assert files["missing.py"]["error"] == {"message": "there is no such file or folder"}
    (refusal,) = files["refused.py"]["refusals"]
    assert (refusal["rule"], refusal["line"], refusal["offered"]) == ("matmul_transpose", 5, False)
    assert document["summary"] == {
        "files": 5, "with_tensorflow": 3, "lines": 14, "changed": 1, "failed": 2, "hunks": 1,
        "rewrites": {"assign_add": 1}, "refusals": {"matmul_transpose": 1},
    }  # fmt: skip
    changed = files["fires.py"]
    text = FIRES
    for edit in reversed(changed["edits"]):
        text = text[: edit["start"]] + edit["text"] + text[edit["end"] :]
    assert text == FIRED
    subprocess.run(["git", "apply", "-"], input=changed["diff"].encode(), cwd=tmp_path, check=True)
    assert (tmp_path / "fires.py").read_text() == FIRED


def test_a_mistake_that_is_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "eager.py").write_text("import tensorflow as tf\n\ntf.config.run_functions_eagerly(True)\n")
    (file,) = valid(run("eager.py", "--format", "json").stdout)["files"]
    assert [(one["rule"], one["offered"], one["reported"]) for one in file["refusals"]] == [("run_eagerly", True, True)]


LITTLE = "it saves next to nothing at the peak, and compiling by XLA takes 80 MB of the process"


def test_what_a_rewrite_is_for(run: Run, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    (file,) = valid(run("fires.py", "--format", "json").stdout)["files"]
    (made,) = file["rewrites"]
    assert made["purpose"] == "memory" and "balance" not in made, "nothing has to be set up"
    (file,) = valid(run("slow.py", "--format", "json").stdout)["files"]
    first, second = file["refusals"]
    assert file["rewrites"] == [] and (first["rule"], first["code"], first["reason"]) == ("compiled_loop", "worth", LITTLE)
    assert (first["remedy"], first["offered"]) == ("--for time makes it.", False) and second["code"] == "no-gain"
    for purpose in ("time", "both"):
        (file,) = valid(run("slow.py", "--for", purpose, "--format", "json").stdout)["files"]
        (made,) = file["rewrites"]
        assert (made["rule"], made["purpose"], made["balance"]) == ("compiled_loop", "time", LITTLE)
        assert f"(for time: {LITTLE})" in file["diff"]


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("print(tf.argmax(p, axis=1))", "rounding-decides"),
        ("print(tf.sqrt(p - tf.reduce_mean(p)))", "rounding-cancels"),
        ("q = p * 2.0", "rounding-leaves"),
        ("print(tf.numpy_function(read, [p], tf.float32))", "rounding-unknown"),
    ],
)
def test_what_another_rounding_leads_to(run: Run, tmp_path: Path, end: str, code: str) -> None:
    head = "import tensorflow as tf\nfrom here import read\nx = tf.ones([600, 500])\n"
    (tmp_path / "rounds.py").write_text(f"{head}p = tf.matmul(x, tf.transpose(x))\n{end}\n")
    (file,) = valid(run("rounds.py", "--format", "json").stdout)["files"]
    (refused,) = file["refusals"]
    assert (refused["rule"], refused["line"], refused["code"], refused["offered"]) == ("matmul_transpose", 4, code, True)
    assert refused["remedy"] == "--verify compares the results, and --fidelity tolerance makes it all the same."
    (file,) = valid(run("rounds.py", "--fidelity", "tolerance", "--format", "json").stdout)["files"]
    assert [(one["rule"], one["fidelity"], one["evidence"]) for one in file["rewrites"]] == [("matmul_transpose", "rounding", "proven")]


def test_every_code_is_one_of_the_schema() -> None:
    assert SCHEMA["$defs"]["refusal"]["properties"]["code"]["enum"] == [str(one) for one in Code]
    purposes = SCHEMA["$defs"]["rewrite"]["properties"]["purpose"]["enum"]
    assert purposes == [str(one) for one in Purpose]


def _meanings() -> dict[str, str]:
    """What is written below each code."""
    (made,) = (one for one in ast.parse((ROOT / "tfrewrite" / "codes.py").read_text("utf-8")).body if isinstance(one, ast.ClassDef))
    found = {}
    for one, below in pairwise(made.body):
        match one, below:
            case ast.Assign(value=ast.Constant(value=str() as code)), ast.Expr(value=ast.Constant(value=str() as meaning)):
                found[code] = meaning
    return found


def test_the_documentation_has_every_code_with_its_meaning() -> None:
    meanings = _meanings()
    assert list(meanings) == [str(one) for one in Code]
    assert all(one == one.strip() and one.endswith(".") and "\n" not in one and "|" not in one for one in meanings.values())
    rows = re.findall(r"^\| `([^`]+)` \| (.+) \|$", (ROOT / "docs" / "codes.md").read_text("utf-8"), re.MULTILINE)
    assert rows == list(meanings.items())
    assert all(str(one) == one.name.lower().replace("_", "-") for one in Code)


def test_every_code_is_used() -> None:
    files = [*(ROOT / "tfrewrite").rglob("*.py"), *(ROOT / "transforms").glob("*.py")]
    used = {name for file in files for name in re.findall(r"\bCode\.([A-Z_]+)\b", file.read_text("utf-8"))}
    assert used == {one.name for one in Code}


def test_nothing_to_say(run: Run) -> None:
    assert valid(run("plain.py", "--format", "json").stdout)["files"] == []


def test_check_and_inplace(run: Run, tmp_path: Path) -> None:
    assert run("fires.py", "--check", "--format", "json").returncode == 1
    document = valid(run("fires.py", "--inplace", "--format", "json").stdout)
    assert document["files"][0]["status"] == "changed"
    assert (tmp_path / "fires.py").read_text() == FIRED


def test_a_file_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    os.chmod(tmp_path / "fires.py", 0o444)
    done = run("fires.py", "--inplace", "--format", "json")
    assert done.returncode == 2
    assert valid(done.stdout)["files"][0]["status"] == "failed"


def test_standard_input(run: Run) -> None:
    document = valid(run("-", "--format", "json", "--stdin-filename", "x.py", given=FIRES.encode()).stdout)
    assert document["files"][0]["path"] == "x.py" and "+    total.assign_add(" in document["files"][0]["diff"]
    assert valid(run("-", "--format", "json", given=b"import tensorflow\nx = (").stdout)["summary"]["failed"] == 1


def test_explain(run: Run) -> None:
    whole = valid(run("explain", "fires.py", "--format", "json").stdout)
    assert "line" not in whole and len(whole["files"][0]["rewrites"]) == 1
    line = valid(run("explain", "fires.py:7", "--format", "json").stdout)
    assert line["line"] == 7 and line["files"] == whole["files"]
    other = valid(run("explain", "fires.py:3", "--format", "json").stdout)
    assert other["line"] == 3 and other["files"][0]["rewrites"] == []
    assert valid(run("explain", "refused.py", "--format", "json").stdout)["files"][0]["status"] == "unchanged"


def test_text_in_other_encodings_and_names_that_are_not_text(run: Run, tmp_path: Path) -> None:
    text = "# coding: latin-1\n" + FIRES.replace("a comment", "ein Kommentar über ÿ")
    name = os.fsdecode(b"\xff.py")
    (tmp_path / name).write_bytes(text.encode("latin-1"))
    (one,) = valid(run(name, "--format", "json").stdout)["files"]
    assert one["path"] == name and "über ÿ" in one["diff"]
