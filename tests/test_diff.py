"""The diff is taken by `git apply` and `patch`, and gives the rewritten file to the byte."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tfrewrite.engine import Applied, Result
from tfrewrite.outcomes import Edit, Evidence, Fidelity
from tfrewrite.report.diff import unified
from tfrewrite.report.terminal import colored_diff
from tfrewrite.source import Source, apply_edits

pytestmark = pytest.mark.smoke

TOOLS = (["git", "apply", "--whitespace=nowarn"], ["patch", "-p1", "--binary", "--no-backup-if-mismatch", "-s", "-i"])


def result_of(source: Source, edits: list[Edit], reason: str = "why") -> Result:
    def applied(edit: Edit) -> Applied:
        lines = (source.line_of(edit.start), source.line_of(edit.end))
        return Applied("rule", lines[0], 1, lines[1], reason, Fidelity.BITWISE, Evidence.PROVEN, "", (lines,))

    return Result(tuple(edits), tuple(map(applied, edits)))


def diff_of(path: str, before: bytes, edits: list[Edit]) -> tuple[bytes, bytes]:
    source = Source.from_bytes(before, path)
    after = source.to_bytes(apply_edits(source.text, edits))
    return b"".join(unified(path, before, after, source.text, result_of(source, edits))), after


def applied_by(tool: list[str], name: str, before: bytes, diff: bytes) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        target, patch = Path(folder, name), Path(folder, "the.patch")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(before)
        patch.write_bytes(diff)
        done = subprocess.run([*tool, str(patch)], cwd=folder, capture_output=True)
        assert done.returncode == 0, (done.stderr, done.stdout, diff)
        return target.read_bytes()


pieces = st.one_of(
    st.sampled_from(
        [
            "\n",
            "\n",
            "\n",
            "\r\n",
            "\r\n",
            "\r",
            "\t",
            "\f",
            "\x0b",
            "\x1c",
            "é",
            "…",
            "\u2028",
            "\x85",
            "-- x",
            "++ y",
            "@@ -1 +1 @@",
            "\\ ",
        ]
    ),
    st.sampled_from(["x = 1", "# c", " ", "def f():", "    return"]),
)
lines = st.tuples(st.lists(pieces, max_size=2).map("".join), st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])).map("".join)
mixed = st.one_of(pieces, lines, lines, lines)
long_texts = st.one_of(st.lists(mixed, max_size=20), st.lists(mixed, min_size=40, max_size=80)).map("".join)


@st.composite
def changes(draw: st.DrawFn) -> tuple[bytes, list[Edit]]:
    text = draw(long_texts)
    kind = draw(st.sampled_from(["utf-8", "bom", "latin-1", "cp1252", "shift_jis"]))
    encoding = "utf-8" if kind == "bom" else kind
    if encoding != "utf-8":
        text = f"# coding: {encoding}\n" + text.encode(encoding, "replace").decode(encoding)
    try:
        data = (b"\xef\xbb\xbf" if kind == "bom" else b"") + text.encode(encoding)
        assume(Source.from_bytes(data, "x.py").text == text)
    except (UnicodeEncodeError, UnicodeDecodeError):
        assume(False)
    edits: list[Edit] = []
    start = 20 if encoding != "utf-8" else 0  # after the cookie
    for gap, length in draw(st.lists(st.tuples(st.integers(0, 80), st.integers(0, 9)), min_size=2, max_size=8)):
        start += gap
        if start + length <= len(text):
            new = "".join(draw(st.lists(pieces, max_size=4)))
            edits.append(Edit(start, start + length, new.encode(encoding, "replace").decode(encoding)))
        start += length
    return data, edits


def check(change: tuple[bytes, list[Edit]]) -> None:
    before, edits = change
    diff, after = diff_of("x.py", before, edits)
    if before == after:
        assert diff == b""
        return
    assume(before and after)  # a tool may take these for a file that is made or deleted
    for tool in TOOLS:
        assert applied_by(tool, "x.py", before, diff) == after


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(changes())
def test_tools_apply_it(change: tuple[bytes, list[Edit]]) -> None:
    check(change)


@pytest.mark.fuzz
@settings(max_examples=5000, deadline=None, suppress_health_check=list(HealthCheck))
@given(changes())
def test_tools_apply_it_however_long_they_try(change: tuple[bytes, list[Edit]]) -> None:
    check(change)


NUMBERED = "".join(f"line {number}\n" for number in range(1, 41))


def replacing(text: str, *pairs: tuple[str, str]) -> list[Edit]:
    return sorted(Edit(text.index(old), text.index(old) + len(old), new) for old, new in pairs)


def test_shape() -> None:
    diff, _ = diff_of("x.py", NUMBERED.encode(), replacing(NUMBERED, ("line 10\n", "ten\n"), ("line 30\n", "")))
    assert diff.decode() == (
        "--- a/x.py\n+++ b/x.py\n"
        "@@ -7,7 +7,7 @@ rule: why\n line 7\n line 8\n line 9\n-line 10\n+ten\n line 11\n line 12\n line 13\n"
        "@@ -27,7 +27,6 @@ rule: why\n line 27\n line 28\n line 29\n-line 30\n line 31\n line 32\n line 33\n"
    )


def test_an_inserted_line_is_all_that_is_marked() -> None:
    diff, _ = diff_of("x.py", NUMBERED.encode(), [Edit(NUMBERED.index("line 10"), NUMBERED.index("line 10"), "new\n")])
    marked = [line for line in diff.decode().splitlines()[2:] if line[0] in "+-"]
    assert marked == ["+new"]
    assert "@@ rule: why" in diff.decode()


def test_close_changes_share_the_lines_between_them_and_have_a_heading_each() -> None:
    changes = (("line 10\n", "ten\n"), ("line 17\n", "17\n"), ("line 20\n", "20\n"))
    diff, _ = diff_of("x.py", NUMBERED.encode(), replacing(NUMBERED, *changes))
    headings = [line for line in diff.decode().splitlines() if line.startswith("@@")]
    assert headings == ["@@ -7,7 +7,7 @@ rule: why", "@@ -16,3 +16,3 @@ rule: why", "@@ -19,5 +19,5 @@ rule: why"]


def test_changes_with_no_room_between_them_share_a_hunk_and_name_a_reason_once() -> None:
    diff, _ = diff_of("x.py", NUMBERED.encode(), replacing(NUMBERED, ("line 10\n", "ten\n"), ("line 12\n", "12\n")))
    headings = [line for line in diff.decode().splitlines() if line.startswith("@@")]
    assert headings == ["@@ -7,9 +7,9 @@ rule: why"]


def test_of_lines_that_follow_each_other_all_go_before_any_comes() -> None:
    old, new = "line 10\n", "ten\n"
    edits = replacing(NUMBERED, (old, new), ("line 11\n", "eleven\n"))
    diff, _ = diff_of("x.py", NUMBERED.encode(), edits)
    assert b"-line 10\n-line 11\n+ten\n+eleven\n" in diff


def test_a_hunk_names_its_own_rewrites_only() -> None:
    source = Source(NUMBERED, "x.py")
    edits = replacing(NUMBERED, ("line 10\n", "ten\n"), ("line 30\n", "thirty\n"))
    rewrites = [
        Applied(name, line, 1, line, reason, Fidelity.BITWISE, Evidence.PROVEN, "", ((line, line),))
        for name, line, reason in (("one", 10, "because\n of this"), ("two", 30, "because of that"))
    ]
    after = apply_edits(NUMBERED, edits).encode()
    lines = list(unified("x.py", NUMBERED.encode(), after, source.text, Result(tuple(edits), tuple(rewrites))))
    assert [line for line in lines if line.startswith(b"@@")] == [
        b"@@ -7,7 +7,7 @@ one: because of this\n",
        b"@@ -27,7 +27,7 @@ two: because of that\n",
    ]


def test_rules_are_found_where_carriage_returns_end_lines_for_python_only() -> None:
    text = "a\rb\rc\n" * 20
    source = Source(text, "x.py")
    start = text.index("c", 60)
    edits = [Edit(start, start + 1, "d")]
    after = apply_edits(text, edits).encode()
    diff = b"".join(unified("x.py", text.encode(), after, text, result_of(source, edits)))
    assert b"@@ rule: why\n" in diff


@pytest.mark.parametrize("before", [b"x = 1", b"\xef\xbb\xbfx = 1\r\ny = 2", b"# coding: latin-1\nx = '\xe9'\n# \xff", b"a\rb\r"])
def test_ends(before: bytes) -> None:
    source = Source.from_bytes(before, "x.py")
    for edit in (Edit(len(source.text), len(source.text), "\nz"), Edit(len(source.text) - 1, len(source.text), "9\n")):
        diff, after = diff_of("x.py", before, [edit])
        for tool in TOOLS:
            assert applied_by(tool, "x.py", before, diff) == after


@pytest.mark.parametrize("name", ["a b.py", "sub/ü.py", 'quo"te.py', "tab\tname.py", "back\\slash.py", "tail .py"])
def test_names(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    diff, after = diff_of(name, b"x = 1\n", [Edit(0, 1, "y")])
    for tool in TOOLS:
        assert applied_by(tool, name, b"x = 1\n", diff) == after


def test_paths_are_given_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    inside, _ = diff_of(str(tmp_path / "sub" / "x.py"), b"x", [Edit(0, 1, "y")])
    outside, _ = diff_of("/somewhere/x.py", b"x", [Edit(0, 1, "y")])
    assert inside.startswith(b"--- a/sub/x.py\n+++ b/sub/x.py\n")
    assert outside.startswith(b"--- a/somewhere/x.py\n")


def test_an_encoding_that_writes_one_text_in_several_ways() -> None:
    before = b"# coding: utf-7\nx = '+AOk-'\ny = '+-'\n# +AGE-\n" + b"z = 1\n" * 10
    diff, after = diff_of("x.py", before, [Edit(16, 17, "w")])
    for tool in TOOLS:
        assert applied_by(tool, "x.py", before, diff) == after


def test_colors_disarm_the_terminal() -> None:
    lines = list(colored_diff(["--- a\n", "+++ b\n", "@@ -1 +1 @@ rule: why\n", "-x = '\x1b[2J'\r\n", "+--- y\n", " z\n"]))
    assert "\x1b[2J" not in "".join(lines) and "\\x1b[2J" in lines[3]
    assert lines[3].startswith("\x1b[31m-x") and lines[4].startswith("\x1b[32m+--- y") and lines[5] == " z\n"


@pytest.mark.parametrize("tool", ["git", "patch"])
def test_tools_are_there(tool: str) -> None:
    assert shutil.which(tool), f"{tool} is needed to try diffs"
