"""The pages of the documentation's site: made of what stands in the repository, and of the rules' docstrings.

`mkdocs.yml` names this file as a hook: before a build it writes all pages into the folder of its sources. Links between files of the
repository become links between pages, so every page reads in the repository as well as on the site.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path
from posixpath import join, normpath, relpath
from typing import Any

from tfrewrite import catalogue
from tfrewrite.report.pages import rule_markdown

ROOT = Path(__file__).resolve().parent.parent
NAVIGATION: tuple[tuple[str, str], ...] = (
    ("Home", "index.md"),
    ("Using it", "using.md"),
    ("Notebooks", "notebooks.md"),
    ("On a live function", "decorator.md"),
    ("Code review", "reviews.md"),
    ("Editors", "editors.md"),
    ("In your tests", "testing.md"),
    ("Equivalence", "equivalence.md"),
    ("Promises", "promises.md"),
    ("Loops", "loops.md"),
    ("Rules", "rules/index.md"),
    ("Codes of refusals", "codes.md"),
    ("Advice that doesn't help", "advice.md"),
    ("Beside other tools", "alternatives.md"),
    ("Benchmarks", "benchmarks.md"),
    ("Architecture", "architecture.md"),
    ("Contributing", "contributing.md"),
    ("Changelog", "changelog.md"),
)
_MEASURED = {
    "Costs of compiling": "costs",
    "Break-even of loops": "break_even",
    "Bits of each operation": "bits",
    "Training steps": "training",
}
_STYLE = "site.css"
_LEAST_SPACES = 2
"""In the part of a reason that is worth showing: some cases ask for a name alone."""
_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)(?=[)#])")
_IMAGE = re.compile(r'<img src="([^"]+)" alt="([^"]*)"[^>]*>')


def sources(root: Path = ROOT) -> dict[str, str]:
    """The files of the repository that become pages, each with its place on the site."""
    top = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
    written = {f"docs/{file.name}": file.name for file in sorted((root / "docs").glob("*.md"))}
    measured = {f"benchmarks/{name}.md": f"benchmarks/{name}.md" for name in _MEASURED.values()}
    return top | written | measured


def pages(root: Path = ROOT) -> dict[str, str]:
    """Every page's place on the site, and its Markdown."""
    made = dict(_rules(root)) | dict(_programs(root))
    targets = _targets(root)
    for file, place in sources(root).items():
        text = (root / file).read_text(encoding="utf-8")
        made[place] = _titled(_moved(text, file, place, targets), place)
    return made


def pictures(root: Path = ROOT) -> dict[str, str]:
    return {place: (root / file).read_text(encoding="utf-8") for file, place in _drawn(root).items()}


def _drawn(root: Path) -> dict[str, str]:
    """Every picture's place in the repository, and on the site."""
    found = sorted((root / "benchmarks").glob("**/*.svg"))
    return {file.relative_to(root).as_posix(): f"pictures/{file.name}" for file in found}


def navigation() -> list[dict[str, Any]]:
    """What stands beside each page: the pages, with every rule under the rules."""
    rules = [{"All rules": "rules/index.md"}, *({rule.name: f"rules/{rule.name}.md"} for rule in catalogue.rules())]
    measured = [{"Programs": "benchmarks.md"}, *({title: f"benchmarks/{name}.md"} for title, name in _MEASURED.items())]
    inner = {"Rules": rules, "Benchmarks": [*measured, {"The programs' texts": "programs/index.md"}]}
    return [{title: inner.get(title, place)} for title, place in NAVIGATION]


def _targets(root: Path) -> dict[str, str]:
    """Where on the site a link to a file of the repository leads."""
    programs = {f"corpus/programs/{name}.py": f"programs/{name}.md" for name in _names(root)}
    rules = {f"transforms/{rule.name}.py": f"rules/{rule.name}.md" for rule in catalogue.rules()}
    return {**sources(root), **programs, **rules, **_drawn(root), "transforms": "rules/index.md", "corpus/programs": "programs/index.md"}


def _moved(text: str, file: str, place: str, targets: Mapping[str, str]) -> str:
    """A page's text with its links as they have to be on the site. A link that leads nowhere there is an error."""

    def target(link: str) -> str:
        named = normpath(join(file.rpartition("/")[0], link))
        if named not in targets:
            raise ValueError(f"{file} links to {link}, which is no page of the site")
        return relpath(targets[named], place.rpartition("/")[0] or ".")

    def image(found: re.Match[str]) -> str:
        return f"![{found[2]}]({target(found[1])}){{ width=49% }}"

    linked = _LINK.sub(lambda found: target(found[1]), text)
    return _IMAGE.sub(image, linked).replace("<details>", '<details markdown="1">')


def _titled(text: str, place: str) -> str:
    """A page that is a table alone has its name in the navigation as its title."""
    title = next((one for one, name in _MEASURED.items() if place == f"benchmarks/{name}.md"), "")
    return text if not title or text.startswith("# ") else f"# {title}\n\n{text}"


def _rules(root: Path) -> Iterator[tuple[str, str]]:
    lines = ["# The rules", "", "| rule | results | what it does |", "|---|---|---|"]
    for rule in catalogue.rules():
        lines.append(f"| [`{rule.name}`]({rule.name}.md) | {rule.fidelity} | {rule.summary} |")
        yield f"rules/{rule.name}.md", rule_markdown(rule) + _cases(root / "corpus" / rule.name)
    yield "rules/index.md", "\n".join(lines) + "\n"


def _cases(folder: Path) -> str:
    """The cases of a rule that have to be left alone, each with what is said of it."""
    lines = []
    for file in sorted(folder.glob("*.py")):
        said = re.findall(rf"# refused: {folder.name}: (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
        lines += [f"| `{file.stem}` | {_cell(reason)} |" for reason in dict.fromkeys(said) if reason.count(" ") >= _LEAST_SPACES]
    if not lines:
        return ""
    head = f"Programs in `corpus/{folder.name}/` that are left alone, with the part of the reason that the tests ask for:"
    return "\n".join(["\n## Cases", "", head, "", "| case | reason |", "|---|---|", *lines]) + "\n"


def _cell(text: str) -> str:
    return "".join(f"\\{one}" if one in "|*_[`" else one for one in html.escape(text, quote=False))


def _names(root: Path) -> list[str]:
    files = (root / "corpus" / "programs").glob("*.py")
    return sorted(file.stem for file in files if not file.stem.endswith((".expected", ".best")))


def _programs(root: Path) -> Iterator[tuple[str, str]]:
    """A page for each program that is measured: what it is, what it becomes with everything asked for, and the best by hand."""
    forms = {"": "As it is", ".expected": "Rewritten", ".best": "The best by hand"}
    lines = ["# The programs", ""]
    for name in _names(root):
        parts = [f"# {name}"]
        for ending, title in forms.items():
            file = root / "corpus" / "programs" / f"{name}{ending}.py"
            if file.exists():
                parts += [f"## {title}", f"```python\n{file.read_text(encoding='utf-8').rstrip()}\n```"]
        lines.append(f"- [`{name}`]({name}.md)")
        yield f"programs/{name}.md", "\n\n".join(parts) + "\n"
    yield "programs/index.md", "\n".join(lines) + "\n"


def write(folder: Path, root: Path = ROOT) -> None:
    """Writes what has changed, and deletes what is no page any more."""
    files = pages(root) | pictures(root) | {_STYLE: (root / "docs" / _STYLE).read_text(encoding="utf-8")}
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
    for file in folder.rglob("*.*"):
        if file.relative_to(folder).as_posix() not in files:
            file.unlink()


def on_config(config: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """What mkdocs calls before it reads its sources."""
    write(Path(config["docs_dir"]))
    config["nav"] = navigation()
    return config
