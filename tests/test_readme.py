"""What README.md, CONTRIBUTING.md and docs/ show is so: outputs, files, options, rules, figures, and the rule that a newcomer is led to write."""

from __future__ import annotations

import ast
import inspect
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import gast
import pytest
from click import Group
from conftest import ROOT
from programs import CORPUS, Case, cases, differences, peak, run

import tfrewrite
from benchmarks import tables
from tfrewrite import testing
from tfrewrite.catalogue import page, rules
from tfrewrite.cli import cli
from tfrewrite.facts import Facts
from tfrewrite.loops.graph_and_xla import operations, why_not_xla
from tfrewrite.loops.headers import Counted
from tfrewrite.loops.plans import Nest, plan_nest
from tfrewrite.outcomes import Fidelity
from tfrewrite.source import Source

README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
DOCS = {f"docs/{file.name}": file.read_text(encoding="utf-8") for file in sorted((ROOT / "docs").glob("*.md"))}
PAGES = {"README.md": README, "CONTRIBUTING.md": CONTRIBUTING, "CHANGELOG.md": CHANGELOG, **DOCS}
FOR_USERS = "\n".join([README, *DOCS.values()])
ARCHITECTURE = DOCS["docs/architecture.md"]
RULES = {rule.name: rule for rule in rules()}


def blocks(text: str, what: str) -> list[tuple[str, str]]:
    """The fenced blocks under `<!-- WHAT: NAME -->`, each with its name."""
    found: list[tuple[str, str]] = re.findall(rf"<!-- {what}: ([^\n]+) -->\n```\w*\n(.*?)```", text, re.DOTALL)
    return found


def _tfrewrite(command: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    program, *arguments = shlex.split(command)
    assert program == "tfrewrite"
    return subprocess.run([sys.executable, "-m", "tfrewrite", *arguments], capture_output=True, cwd=folder, env=environment, timeout=300)


# Outputs


SHOWN = blocks(FOR_USERS, "the output of")
LIKE = blocks(FOR_USERS, "like the output of")


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_prints_what_the_pages_show(command: str, output: str, environment: dict[str, str]) -> None:
    assert _tfrewrite(command, ROOT, environment).stdout.decode() == output


@pytest.mark.parametrize(("command", "output"), LIKE, ids=[command for command, _ in LIKE])
def test_prints_something_like_what_the_pages_show(command: str, output: str, environment: dict[str, str]) -> None:
    """Where figures are measured, what is said without figures is the same."""
    assert _verdicts(_tfrewrite(command, ROOT, environment).stdout.decode()) == _verdicts(output) != []


def _verdicts(text: str) -> list[tuple[str, str]]:
    """Each function with what is said of it. In a narrow column "(the whole program)" takes two lines."""
    return re.findall(r"^(\S+|\(the whole)(?: program\))? +((?:equivalent|differs|undecided)(?: \(\w+\))?)", text, re.MULTILINE)


def test_the_demo_is_what_make_demo_shows() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert "DEMO := $(firstword $(wildcard corpus/demo.py)" in makefile and "@$(BIN)/tfrewrite $(DEMO)\n" in makefile
    assert "tfrewrite corpus/demo.py" in dict(blocks(README, "the output of"))
    # What it compares there is what the rewrite gives, and that is the expected file.
    assert "tfrewrite - --quiet < $(DEMO) > build/demo.py\n" in makefile and "tfrewrite compare $(DEMO) build/demo.py\n" in makefile
    assert "tfrewrite compare corpus/demo.py corpus/demo.expected.py" in dict(blocks(README, "like the output of"))


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 250


def test_live_functions_report_what_the_readme_shows(environment: dict[str, str], tmp_path: Path) -> None:
    (program,), (output,) = (blocks(FOR_USERS, what) for what in ("the program", "the output of the program"))
    assert program[0] == output[0]
    (tmp_path / "program.py").write_text(program[1])
    command = [sys.executable, str(tmp_path / "program.py")]
    printed = subprocess.run(
        command, capture_output=True, cwd=tmp_path, env={**environment, "COLUMNS": "100"}, timeout=300, check=True
    ).stdout
    assert [line.rstrip() for line in printed.decode().splitlines()] == output[1].splitlines()


@pytest.mark.parametrize("name", PAGES)
def test_every_block_is_checked(name: str) -> None:
    fenced = PAGES[name].count("\n```") // 2
    kinds = ("the output of", "like the output of", "the output of the program", "the program", "the file")
    assert fenced == sum(len(blocks(PAGES[name], kind)) for kind in kinds)


def test_how_it_works_is_how_it_works() -> None:
    """What is said of the one program that is followed through the code."""
    path = CORPUS / "compiled_loop" / "many_small_steps.py"
    part = ARCHITECTURE
    assert textwrap.indent(path.read_text().partition("\n\n\n")[2], "    ") in part
    facts = Facts(Source(path.read_text(), str(path)))
    (loop,) = facts.nodes([gast.For])
    assert isinstance(loop, gast.For) and facts.callers.is_script and facts.only_eager(loop) and not facts.taped(loop)
    kinds = {str(facts.kind(node)) for node in facts.nodes([gast.Name]) if isinstance(node, gast.Name) and node.id == "state"}
    assert kinds == {"tensor of float32, shape [10, 10]"} and "float32 tensor of shape `[10, 10]`" in part
    nest = plan_nest(loop, facts, "tf", hands_over=True)
    assert isinstance(nest, Nest) and [(one.name, one.live, one.invariant) for one in nest.plan.carried] == [("state", True, "state.shape")]
    assert isinstance(nest.plan.header, Counted) and nest.plan.header.iterations == 1000 and not why_not_xla(nest)
    assert operations(nest) == 4000 and "4,000" in part


# Figures


def _numbers(text: str) -> set[float]:
    return {float(one.replace(",", "")) for one in re.findall(r"\d[\d,]*(?:\.\d+)?", text)}


def test_what_the_demo_needs_was_measured() -> None:
    found = re.search(r"the original needs (\d+\.\d) MB at\s+its peak where the rewritten one needs (\d+\.\d)", README)
    assert found is not None
    for figure, path in zip(found.groups(), ("demo.py", "demo.expected.py"), strict=True):
        assert peak((CORPUS / path).read_text(), str(CORPUS / path)) / 1e6 == pytest.approx(float(figure), rel=0.03)


def test_what_compiling_needs_was_measured() -> None:
    found = re.search(r"as a whole\s+it needs (\d+\.\d) MB before and (\d+\.\d) after", README)
    assert found is not None
    for figure, name in zip(found.groups(), ("many_small_steps.py", "many_small_steps.expected.py"), strict=True):
        path = CORPUS / "compiled_loop" / name
        assert peak(path.read_text(), str(path)) / 1e6 == pytest.approx(float(figure), rel=0.3)


def test_figures_of_rules_stand_on_their_pages() -> None:
    rows = re.findall(r"^\| \[`(\w+)`\]\(transforms/\1.py\) \| ([\d.]+) MB \| ([^|]+) \| ([^|]+) \|$", README, re.MULTILINE)
    assert len(rows) > 20
    for rule, before, after, _ in rows:
        told = _numbers(page(RULES[rule]).sections["Why"])
        assert float(before) in told, (rule, before)
        assert after.strip() == "nothing" or _numbers(after) <= told, (rule, after)


def test_figures_of_advice_are_those_that_explain_shows(environment: dict[str, str]) -> None:
    topics = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$", DOCS["docs/advice.md"], re.MULTILINE)
    assert len(topics) == 4
    for topic, said in topics:
        told = _tfrewrite(f"tfrewrite explain {topic}", ROOT, environment).stdout.decode()
        assert _numbers(said) <= _numbers(told), topic


def test_tables_are_what_was_measured() -> None:
    stored = tables.load()
    for name, text in PAGES.items():
        assert tables.filled(text, stored, "../" * name.count("/")) == text
    marked = {name: re.findall(r"<!-- ([a-z ]+): made by make bench -->", text) for name, text in PAGES.items()}
    assert sorted(name for names in marked.values() for name in names) == sorted(tables.BLOCKS)
    assert {name for name, names in marked.items() if names} == set(tables.PAGES)


def test_pictures_are_what_was_measured() -> None:
    drawn = tables.pictures(tables.load())
    assert {file.name: file.read_text(encoding="utf-8") for file in tables.FOLDER.glob("*.svg")} == drawn
    assert len(drawn) >= 3


def test_programs_that_were_measured_are_those_of_the_corpus() -> None:
    programs = {file.stem for file in (ROOT / "corpus" / "programs").glob("*.py") if not file.stem.endswith((".expected", ".best"))}
    assert set(tables.load()["programs"]) == programs
    assert set(tables.ARTICLES) <= programs


# Names


_OF_USERS = {"conftest.py", "layers.py", "setup.py"}
"""Files of users' projects, which pages may name."""


@pytest.mark.parametrize("name", PAGES)
def test_names_files_that_exist(name: str) -> None:
    named = re.findall(r"`((?:tfrewrite|transforms|corpus|tests|benchmarks|scripts)/[a-z_./]*)`", PAGES[name])
    for file in named:
        assert (ROOT / file).exists(), file
    for link in re.findall(r"\]\((?![a-z]+:|#)([^)#\s]+)", PAGES[name]):
        assert ((ROOT / name).parent / link).exists(), link
    modules = {file.name for folder in ("tfrewrite", "transforms") for file in (ROOT / folder).rglob("*")}
    for file in re.findall(r"`([a-z_]+\.(?:py|txt|json))`", PAGES[name]):
        assert file in modules | _OF_USERS or (ROOT / "benchmarks" / file).exists(), file
    for file in re.findall(r"`([A-Z]+(?:\.md)?)`", PAGES[name]):
        assert (ROOT / file).exists(), file


def test_how_it_works_names_all_modules_for_loops() -> None:
    part = ARCHITECTURE
    missing = [file.name for file in (ROOT / "tfrewrite" / "loops").glob("[a-z]*.py") if f"`{file.name}`" not in part]
    assert missing == []


@pytest.mark.parametrize("name", PAGES)
def test_names_options_commands_and_targets_that_exist(name: str) -> None:
    assert isinstance(cli, Group)
    text = re.sub(r"python benchmarks/\S+( \w+)*", "", PAGES[name])
    options = {one for command in cli.commands.values() for param in command.params for one in param.opts} | {"--help", "--version"}
    mine = " ".join([*re.findall(r"`([^`\n]+)`", text), *re.findall(r"^ +(tfrewrite [^#\n]+)", text, re.MULTILINE)])
    others = "".join((ROOT / file).read_text() for file in ("benchmarks/programs.py", "tfrewrite/pytest_plugin.py"))
    unknown = {one for one in re.findall(r"(?<![\w-])--[a-z][a-z-]+", mine) if one not in options and f'"{one}"' not in others}
    assert unknown == set()
    targets = set(re.findall(r"^([a-z-]+|\.venv/installed):", (ROOT / "Makefile").read_text(), re.MULTILINE)) | {".venv/installed"}
    assert set(re.findall(r"(?:`|^    )make ([a-z./-]+)", text, re.MULTILINE)) <= targets
    commands = set(re.findall(r"\btfrewrite (explain|rules|rule|tree|compare|profile|record|lsp)\b", text))
    assert commands <= set(cli.commands)


def test_names_rules_that_exist() -> None:
    shown = {Path(file).stem for file, _ in blocks(CONTRIBUTING, "the file")}
    for text in PAGES.values():
        named = re.findall(r"(?:tfrewrite rule |--ignore |--select |off=)([a-z_]+)\b", text)
        assert set(named) <= {*RULES, *shown}, set(named)
    assert {name for name in RULES if f"`{name}`" not in CHANGELOG} == set()


def test_names_of_the_interface_are_those_of_the_code() -> None:
    signature = inspect.signature(tfrewrite.optimize_memory)
    (written,) = re.findall(r"^    @optimize_memory\((.*)\)$", FOR_USERS, re.MULTILINE)
    call = ast.parse(f"f({written})", mode="eval").body
    assert isinstance(call, ast.Call)
    given = {one.arg: ast.literal_eval(one.value) for one in call.keywords}
    defaults = {name: one.default for name, one in signature.parameters.items() if one.kind is one.KEYWORD_ONLY}
    assert {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()} == defaults
    assert {"gradients", "peak_at_most"} <= set(inspect.signature(testing.assert_equivalent).parameters)
    for name in re.findall(r"tfrewrite\.([A-Za-z_]+)\b(?=[(`])", FOR_USERS):
        assert hasattr(tfrewrite, name), name
    assert tfrewrite.__version__ in CHANGELOG


# The rule that CONTRIBUTING.md leads to


FILES = dict(blocks(CONTRIBUTING, "the file"))


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with what somebody has added who followed the page."""
    folder = tmp_path_factory.mktemp("contributed")
    for name in ("tfrewrite", "transforms"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in FILES.items():
        assert not (ROOT / name).exists(), f"{name} is an example, and no part of the catalogue"
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def contributed() -> Iterator[Case]:
    for name, text in FILES.items():
        if name.startswith("corpus/") and not name.endswith(".expected.py"):
            yield Case(ROOT / name, text, FILES.get(name.replace(".py", ".expected.py")))


@pytest.fixture
def there(clone: Path, environment: dict[str, str]) -> Callable[[str], subprocess.CompletedProcess[bytes]]:
    return lambda command: _tfrewrite(command, clone, {**environment, "PYTHONPATH": str(clone)})


def test_outputs_of_the_rule_that_is_added(there: Callable[[str], subprocess.CompletedProcess[bytes]]) -> None:
    shown = blocks(CONTRIBUTING, "the output of")
    assert shown
    for command, output in shown:
        assert there(command).stdout.decode() == output
    (rule,) = (Path(name).stem for name in FILES if name.startswith("transforms/"))
    assert there(f"tfrewrite rule {rule}").stdout.decode().startswith(f"{rule}: ")


def test_cases_of_the_rule_that_is_added(clone: Path, there: Callable[[str], subprocess.CompletedProcess[bytes]]) -> None:
    found = list(contributed())
    assert len([one for one in found if one.expected is None]) > len([one for one in found if one.expected is not None]) > 0
    for case in found:
        path = str(case.path.relative_to(ROOT))
        left = there(f"tfrewrite {path} -v").stderr.decode()
        for line, rule, reason in case.refusals:
            assert re.search(rf"^{path}:{line}:\d+: left alone: {rule}: .*{re.escape(reason)}", left, re.MULTILINE), left
        before = run(case.text, path)
        assert before.raised is None and before.values
        there(f"tfrewrite {path} --inplace")
        assert (clone / path).read_text() == (case.expected or case.text)
        if case.expected is not None:
            assert differences(before, run(case.expected, path), Fidelity.BITWISE) == []
            assert case.peak is not None and peak(case.expected, path) <= case.peak * peak(case.text, path)


@pytest.mark.smoke
def test_the_marks_of_cases_are_those_that_are_read() -> None:
    """Each mark that the page explains stands in some case, where the corpus tests obey it."""
    marks = re.findall(r"`# ([a-z][a-z ]+)(?::[^`]*)?`", CONTRIBUTING.partition("## What a case looks like")[2].partition("## Adding")[0])
    assert len(marks) >= 6
    texts = [case.text for case in cases()]
    for mark in marks:
        assert any(re.search(rf"# {mark}\b", text) for text in texts), mark
