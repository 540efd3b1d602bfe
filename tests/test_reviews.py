"""The forms for code review say what the diff says, in ways that the tools that read them accept."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from conftest import FIRES, REFUSED, Run
from test_notebooks import notebook

from tfrewrite.report.highlighting import differences, html_line, paired, syntax
from tfrewrite.report.markdown_text import plain

HOSTILE = FIRES.replace("# a comment", "# </script><script>alert('%0A::error::')</script> | `x` <!-- @team #1 -->")
IMAGES = """\
import tensorflow as tf

(x_train, y_train), _ = tf.keras.datasets.mnist.load_data()
x_train = x_train / 255.0
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.evaluate(x_train, y_train)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with files of all sorts, the run being in a folder of it."""
    inner = tmp_path / "pkg"
    inner.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (inner / "a b.py").write_text(HOSTILE)
    (inner / "images.py").write_bytes(IMAGES.replace("\n", "\r\n").encode())
    (inner / "refused.py").write_text(REFUSED)
    (inner / "old.py").write_text("import tensorflow\nprint 'x'\n")
    (inner / "note.ipynb").write_bytes(notebook("# Title", *FIRES.split("\n\n\n")))
    return inner


def document(run: Run, form: str, *more: str) -> Any:
    return json.loads(run("pkg", "--format", form, *more).stdout)


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def replaced(text: str, parts: Sequence[tuple[int, int, str]]) -> str:
    """The text with whole lines replaced, the last first. They count from 1, and the new text has no line break at its end."""
    whole = lines(text)
    for first, last, new in sorted(parts, reverse=True):
        end = re.search(r"[\r\n]*$", whole[last - 1])
        assert end is not None
        whole[first - 1 : last] = [new + end[0]]
    return "".join(whole)


def rewritten(run: Run, path: Path) -> str:
    return run("-", "--stdin-filename", path, "--no-cache", given=path.read_bytes()).stdout.decode()


@pytest.mark.smoke
def test_annotations_of_github(run: Run, folder: Path) -> None:
    done = run("pkg", "--format", "github", "--verbose")
    found = done.stdout.decode().splitlines()
    parsed = [re.fullmatch(r"::(error|warning|notice) (.*?)::(.*)", line) for line in found]
    assert all(parsed) and done.returncode == 2
    told = [(one[1], dict(part.split("=", 1) for part in one[2].split(",")), unquote(one[3])) for one in parsed if one]
    kinds = {(kind, unquote(properties["file"])) for kind, properties, _ in told}
    assert kinds == {
        ("warning", "pkg/a b.py"), ("warning", "pkg/images.py"), ("warning", "pkg/note.ipynb"), ("notice", "pkg/refused.py"), ("error", "pkg/old.py"),
    }  # fmt: skip
    (hostile,) = [one for one in told if one[1]["file"] == "pkg/a b.py"]
    assert hostile[1]["line"] == hostile[1]["endLine"] == "7" and hostile[1]["title"] == "tfrewrite%3A assign_add"
    assert "-    total.assign(total + tf.ones([1000, 1000]))  # </script>" in hostile[2]
    # Nothing in a file can begin a command of its own.
    assert sum(line.startswith("::") for line in found) == len(found)


def test_a_code_quality_report_of_gitlab(run: Run, folder: Path) -> None:
    issues = document(run, "gitlab")
    for one in issues:
        assert set(one) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert one["severity"] in ("info", "minor", "major", "critical", "blocker") and one["location"]["lines"]["begin"] >= 1
    assert len({one["fingerprint"] for one in issues}) == len(issues)
    assert {one["location"]["path"] for one in issues} == {"pkg/a b.py", "pkg/images.py", "pkg/note.ipynb", "pkg/old.py"}


def test_fingerprints_follow_the_lines(run: Run, folder: Path) -> None:
    def prints() -> dict[str, str]:
        return {one["location"]["path"]: one["fingerprint"] for one in document(run, "gitlab", "--no-cache")}

    before = prints()
    path = folder / "a b.py"
    path.write_text(HOSTILE.replace("\n\n\n", "\n\n\n\nOTHER = 1\n\n\n"))
    assert prints() == before  # the same lines at another place
    path.write_text(HOSTILE.replace("1000", "2000"))
    after = prints()
    assert after.pop("pkg/a b.py") != before.pop("pkg/a b.py") and after == before
    twice = HOSTILE + "\n\ndef again():\n    " + HOSTILE.splitlines()[-1].strip() + "\n"
    path.write_text(twice)
    found = [one["fingerprint"] for one in document(run, "gitlab", "--no-cache")]
    assert len(set(found)) == len(found) == 5


def test_suggestions_of_rdjson_lead_to_what_inplace_writes(run: Run, folder: Path) -> None:
    diagnostics = document(run, "rdjson")["diagnostics"]
    for name in ("a b.py", "images.py"):
        path = folder / name
        mine = [one for one in diagnostics if one["location"]["path"] == f"pkg/{name}"]
        parts = []
        for one in mine:
            (suggestion,) = one["suggestions"]
            # A comment can only change the lines that it stands at.
            assert suggestion["range"] == one["location"]["range"]
            parts.append((suggestion["range"]["start"]["line"], suggestion["range"]["end"]["line"], suggestion["text"]))
        assert replaced(path.read_bytes().decode(), parts) == rewritten(run, path)


def test_fixes_of_sarif_lead_to_what_inplace_writes(run: Run, folder: Path) -> None:
    (log,) = document(run, "sarif", "--verbose")["runs"]
    rules = log["tool"]["driver"]["rules"]
    for name in ("a b.py", "images.py"):
        path = folder / name
        mine = [one for one in log["results"] if unquote(_uri(one)) == f"pkg/{name}"]
        assert all(rules[one["ruleIndex"]]["id"] == one["ruleId"] for one in mine)
        text = path.read_bytes().decode()
        fixes = {json.dumps(change) for one in mine for fix in one.get("fixes", ()) for change in fix["artifactChanges"]}
        parts = []
        for change in map(json.loads, fixes):
            for one in change["replacements"]:
                region = one["deletedRegion"]
                last = lines(text)[region["endLine"] - 1].rstrip("\r\n")
                assert region["startColumn"] == 1 and region["endColumn"] == len(last) + 1
                parts.append((region["startLine"], region["endLine"], one["insertedContent"]["text"]))
        assert replaced(text, parts) == rewritten(run, path)
    levels = {(one["ruleId"], one["level"]) for one in log["results"]}
    assert {("assign_add", "warning"), ("matmul_transpose", "note"), ("tfrewrite", "error")} <= levels


def _uri(result: Any) -> str:
    return str(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])


_SARIF = {
    "log": {"$schema", "version", "runs"},
    "run": {"columnKind", "results", "tool"},
    "result": {"ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints", "fixes", "properties"},
    "region": {"startLine", "endLine", "startColumn", "endColumn"},
    "rule": {"id", "shortDescription", "fullDescription", "help", "defaultConfiguration", "properties"},
}
"""What is used of the standard. A run of all rules' cases was checked against its schema, which allows no other names."""


def test_sarif_uses_the_names_of_the_standard(run: Run, folder: Path) -> None:
    log = document(run, "sarif", "--verbose")
    (found,) = log["runs"]
    assert log["version"] == "2.1.0" and set(log) == _SARIF["log"] and set(found) == _SARIF["run"]
    for result in found["results"]:
        assert set(result) <= _SARIF["result"] and result["level"] in ("error", "warning", "note")
        place = result["locations"][0]["physicalLocation"]
        assert set(place) <= {"artifactLocation", "region"} and place["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
        region = place.get("region", {})
        assert set(region) <= _SARIF["region"] and all(isinstance(one, int) and one >= 1 for one in region.values())
    for rule in found["tool"]["driver"]["rules"]:
        assert set(rule) <= _SARIF["rule"] and rule["shortDescription"]["text"]
    page = next(rule for rule in found["tool"]["driver"]["rules"] if rule["id"] == "assign_add")
    assert "w.assign_add(d)" in page["help"]["text"] and page["help"]["markdown"].startswith("# assign_add")


def test_a_comment_for_a_pull_request(run: Run, folder: Path) -> None:
    text = run("pkg", "--format", "markdown", "--verbose").stdout.decode()
    assert text.startswith("### tfrewrite: 3 rewrites in 3 files\n")
    assert "| `pkg/a b.py:7` | `assign_add` |" in text and "`pkg/note.ipynb:cell 3:2`" in text
    assert "1 place left alone" in text and "`pkg/old.py:2`" in text
    outside = re.sub(r"^(`{3,})diff\n.*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert "<script" not in outside and "@team" not in outside
    assert plain("<b>@me `x` | y") == "&#60;b>@<!-- -->me &#96;x&#96; &#124; y"


def test_a_comment_has_room_for_so_much(run: Run, tmp_path: Path) -> None:
    long = FIRES + "".join(
        f"\n\ndef step{index}():\n    total.assign(total + {'tf.ones([1000, 1000]) * ' * 9}2.0)\n" for index in range(300)
    )
    (tmp_path / "long.py").write_text(long)
    (tmp_path / "short.py").write_text(FIRES)
    text = run(".", "--format", "markdown").stdout.decode()
    assert len(text) < 65_536 and "### tfrewrite: 302 rewrites in 2 files" in text and "and 202 more" in text
    assert "Diff of short.py" in text and "1 diff left out" in text


class _Page(HTMLParser):
    """The names of a page's elements, its anchors, and what stands in the cells of its diffs."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.smoke
def test_a_page_that_works_offline_and_runs_nothing(run: Run, folder: Path, tmp_path: Path) -> None:
    done = run("pkg", "--output", "report.html", "--verbose")
    assert done.stdout == b"" and b"3 of 5 files would change" in done.stderr
    page = _Page()
    text = (tmp_path / "report.html").read_text("utf-8")
    page.feed(text)
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "link", "img", "iframe", "object"} and "default-src 'none'" in text
    assert not any(name.startswith("on") or name == "src" for _, attributes in page.elements for name in attributes)
    shown = "".join(page.texts)
    assert "</script><script>alert(" in shown and "assign_add" in shown and "looks like Python 2" in shown
    # Whoever uses a keyboard or listens finds the way: files by links, tables with captions, what is folded by a summary.
    targets = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
    links = {str(attributes["href"]).removeprefix("#") for tag, attributes in page.elements if tag == "a"}
    assert links and links <= targets
    assert [tag for tag, _ in page.elements].count("caption") == 3 and "removed: " in shown and "added: " in shown


def test_a_report_goes_to_a_file_by_its_ending(run: Run, folder: Path, tmp_path: Path) -> None:
    assert run("pkg", "-o", "x.sarif").returncode == 2
    assert json.loads((tmp_path / "x.sarif").read_text())["version"] == "2.1.0"
    assert b"say what kind of report by its ending" in run("pkg", "-o", "x.pdf").stderr
    assert b"there is no folder" in run("pkg", "-o", "none/x.html").stderr
    assert b"--format github a report: give one of them" in run("pkg", "--format", "github", "--statistics").stderr


# The lines of a diff beside each other


def test_syntax_keeps_the_text() -> None:
    text = 'def f(x):\n    """Two\n    lines."""\n    return x + 1.5  # why\n\n\n@d\nclass A: pass'
    assert [line for line, _ in syntax(text)] == text.split("\n")
    assert html_line("a<b", (), ((1, 3),), "ins") == "a<ins>&lt;b</ins>"
    line, spans = syntax("return 1  # <x>\n")[0]
    assert html_line(line, spans, (), "del") == '<span class="k">return</span> <span class="n">1</span>  <span class="c"># &lt;x&gt;</span>'


def test_lines_that_are_alike_stand_beside_each_other() -> None:
    before, after = ["x = f(a, b)", "y = 1"], ["import new", "", "x = g(a, b)", "y = 1", "z = 2"]
    assert list(paired(before, after)) == [(None, 0), (None, 1), (0, 2), (1, 3), (None, 4)]
    assert differences("x = f(a, b)", "x = g(a, b)") == ([(4, 5)], [(4, 5)])
    assert differences("abc", "xyz + 1") == ([], [])


# --diff-base


def _git(folder: Path, *arguments: str) -> None:
    name = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *name, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def history(tmp_path: Path) -> Iterator[Path]:
    """A branch that leaves main after files were committed; main goes on."""
    other = FIRES.replace("step", "other").replace("total", "sum_of_all")
    _git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "two.py").write_text(FIRES + other.partition("\n\n")[2])
    (tmp_path / "näme.py").write_text(FIRES)
    (tmp_path / "note.ipynb").write_bytes(notebook(*FIRES.split("\n\n\n"), "total.assign(total + tf.ones([1000, 1000]))\nprint(1)"))
    _git(tmp_path, "add", ".")
    _git(tmp_path, "commit", "-qm", "one")
    _git(tmp_path, "checkout", "-qb", "work")
    yield tmp_path


def changed(run: Run, *arguments: str) -> dict[str, list[int]]:
    files = json.loads(run(".", "--format", "json", *arguments).stdout)["files"]
    return {one["path"]: [rewrite["line"] for rewrite in one["rewrites"]] for one in files if one["rewrites"]}


def test_only_what_has_changed_since_a_revision(run: Run, history: Path) -> None:
    assert len(changed(run)) == 3
    assert changed(run, "--diff-base", "main") == {}
    text = (history / "two.py").read_text()
    (history / "two.py").write_text(text.replace("sum_of_all.assign(sum_of_all + ", "sum_of_all.assign(sum_of_all +  "))
    (history / "new.py").write_text(FIRES)
    (history / "näme.py").rename(history / "other.py")  # the same lines under another name
    _git(history, "add", "other.py", "näme.py")
    (line,) = [number for number, one in enumerate(text.splitlines(), 1) if "sum_of_all.assign" in one]
    assert changed(run, "--diff-base", "main") == {"two.py": [line], "new.py": [7]}
    _git(history, "commit", "-qam", "two")
    assert changed(run, "--diff-base", "main") == {"two.py": [line], "new.py": [7]}
    assert changed(run, "--diff-base", "HEAD") == {"new.py": [7]}
    # What others do on main is theirs.
    _git(history, "checkout", "-q", "main")
    (history / "two.py").write_text("import tensorflow as tf\n" * 30)
    _git(history, "commit", "-qam", "three")
    _git(history, "checkout", "-q", "work")
    assert changed(run, "--diff-base", "main") == {"two.py": [line], "new.py": [7]}


def test_only_the_cell_that_has_changed(run: Run, history: Path) -> None:
    path = history / "note.ipynb"
    path.write_text(path.read_text().replace("print(1)", "print(2)"))
    assert changed(run, "--diff-base", "main") == {}
    path.write_text(
        path.read_text().replace("total.assign(total + tf.ones([1000, 1000]))\\n", "total.assign(total +  tf.ones([1000, 1000]))\\n")
    )
    files = json.loads(run(".", "--format", "json", "--diff-base", "main").stdout)["files"]
    assert [(one["cell"], one["line"]) for file in files for one in file["rewrites"]] == [(3, 1)]


def test_revisions_that_git_does_not_know(run: Run, history: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    done = run(".", "--diff-base", "nowhere")
    assert done.returncode == 2 and b"git knows no revision 'nowhere'" in done.stderr
    outside = tmp_path_factory.mktemp("outside") / "x.py"
    outside.write_text(FIRES)
    assert b"is in no git repository" in run(outside, "--diff-base", "main").stderr
    assert b"--diff-base asks git" in run("-", "--diff-base", "main").stderr
    assert b"git knows no revision '--help'" in run(".", "--diff-base=--help").stderr
