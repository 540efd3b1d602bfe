"""What one file says of the modules that it imports, by its lines alone: it may be a notebook, a page, or not parse at all."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from tfrewrite.projects import PYTHON, TEXTS, Scan

_RUN_BY_PYTHON = (*PYTHON, ".ipynb", ".qmd", ".rmd")
_WORD = r"[^\W\d]\w*"
_IMPORT = re.compile(
    rf"(?:^|[;:'\"`])[ \t>'\"`.]*(?:from(?=[ \t.])[ \t]*(?P<base>\.*[ \t]*(?:{_WORD}(?:\.{_WORD})*)?)[ \t]*\bimport\b[ \t]*"
    rf"(?P<names>\([^)]*\)|[^\n;#]*)|import[ \t]+(?P<modules>{_WORD}[^\n;#]*))",
    re.MULTILINE,
)
_ANY = "*"
_BY_TEXT = re.compile(
    r"(?<!\w)(?:import_module|__import__|run_module|run_path|import_string)\b(?:\s*\(\s*(?:(?P<kind>[rRuUbBfF]*)(?P<quote>['\"])"
    r"(?P<text>[^'\"\n]*)(?P=quote)\s*(?P<after>[,)]?))?)?"
)
_TEXT_IMPORTS = ("import_module", "__import__", "run_module", "run_path", "import_string")
_UNTOLD = re.compile(
    r"(?:(?<![\w.])|\bbuiltins\.)exec_?\s*\(\s*[^)\s]|\beval\s*\(\s*compile\b|\bexecfile\b|\bspec_from_file_location\b|\bload_source\b|\bload_module\b|\b(?:iter_modules|walk_packages)\b"
    r"|LazyLoader|\blazy_loader\b|_LazyModule|\bSourceFileLoader\b|\bpydoc\b|modules\[['\"]__main__['\"]\]"
    r"|\bimport\s+__main__|\bfrom\s+__main__"
)
_UNTOLD_WORDS = (
    *(
        "exec(",
        "exec (",
        "exec_(",
        "compile",
        "load_module",
        "execfile",
        "spec_from_file_location",
        "load_source",
        "iter_modules",
        "walk_packages",
        "Lazy",
        "lazy_loader",
    ),
    *("SourceFileLoader", "pydoc", "['__main__']", '["__main__"]', "import __main__", "from __main__"),
)
_QUOTED = re.compile(rf"['\"=][ \t]*({_WORD}(?:\.{_WORD})*)(:{_WORD}(?:\.{_WORD})*)?(?=['\"])")
_WRITTEN = re.compile(rf"(?<![\w./-])({_WORD}(?:\.{_WORD})*)(:{_WORD}(?:\.{_WORD})*)?(?![\w./-])")
_FILES = frozenset({
    "py", "txt", "md", "rst", "csv", "tsv", "json", "yaml", "yml", "toml", "cfg", "ini", "h5", "hdf5", "keras", "npy", "npz", "pkl",
    "png", "jpg", "jpeg", "gif", "svg", "pdf", "zip", "gz", "tar", "tgz", "log", "sh", "ipynb", "html", "pb", "ckpt", "tflite", "org", "com", "io",
})  # fmt: skip
_RUN = re.compile(r"%(?:run|load)\s+([^\n\"]*)")
_LONG = 5_000
_NEAR = 20
_SHEBANG = re.compile(r"#![^\n]*python")
_SHELL = re.compile(r"-m\s+[\w.]+")


def scan(text: str, name: str) -> Scan:
    """Everything in a file that may make a module known to somebody."""
    suffix = os.path.splitext(name)[1].lower() or (".py" if _SHEBANG.match(text) else ".sh")
    if suffix == ".ipynb":
        lines = (line for line in text.split("\n") if len(line) < _LONG or "import" in line)  # the others are pictures
        text = "\n".join(lines).replace("\\n", "\n").replace('\\"', '"')
    named = _named(text, suffix)
    text = text.replace("\\\n", " ")
    targets: set[str] = set()
    untold: set[str] = set()
    for match in _IMPORT.finditer("\n".join(_lines(text))):
        if (modules := match["modules"]) is not None:
            targets.update(_first_words(modules))
        else:
            base = match["base"].replace(" ", "").replace("\t", "")
            joint = "" if base.endswith(".") or not base else "."
            targets.add(base)
            targets.update(f"{base}{joint}{word}" for word in _first_words(match["names"]) if word != _ANY)
    if suffix in _RUN_BY_PYTHON:
        if any(word in text for word in _TEXT_IMPORTS):
            for match in _BY_TEXT.finditer(text):
                if not _is_comment(text, match.start()):
                    _by_text(match, text, targets, untold)
        if name != "setup.py" and any(word in text for word in _UNTOLD_WORDS):  # what setup.py executes is a file with a version
            if not all(_is_comment(text, match.start()) for match in _UNTOLD.finditer(text)):
                untold.add("")
    for match in _RUN.finditer(text):
        targets.update(os.path.splitext(os.path.basename(path))[0] for path in match[1].split())
        if "{" in match[1] or "$" in match[1]:
            untold.add("")
    return Scan(tuple(sorted(targets - {""})), named, tuple(sorted(untold)))


def _lines(text: str) -> Iterator[str]:
    """The lines that import something, with those between the parentheses behind it; few of a text are of interest."""
    place = text.find("import")
    while place >= 0:
        end = place
        if text[place + len("import") :][:_NEAR].lstrip(" \t").startswith("("):
            end = max(text.find(")", place), place)
        end = text.find("\n", end)
        end = len(text) if end < 0 else end
        line = text[text.rfind("\n", 0, place) + 1 : end]
        if not line.lstrip(" \t'\"").startswith("#"):
            yield line
        place = text.find("import", end)


def _is_comment(text: str, place: int) -> bool:
    return text[text.rfind("\n", 0, place) + 1 : place].lstrip(" \t'\"").startswith("#")


def _first_words(text: str) -> Iterator[str]:
    for part in re.sub(r"#[^\n]*", "", text).strip(" \t()").replace("\n", " ").split(","):
        if found := re.match(r"[\s('\"]*(\*|[\w.]+)", part):
            yield found[1]


def _by_text(match: re.Match[str], text: str, targets: set[str], untold: set[str]) -> None:
    """`import_module("a.b")` is an import; of `import_module(f"a.{name}")` only the beginning is known."""
    line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
    if "(" not in match[0]:
        if not re.search(r"\bimport\b", line):
            untold.add("")  # it is handed to something
        return
    if re.search(r"\bdef\s*$", line):
        return
    written = match["text"]
    if written is None:
        untold.add("")
    elif "f" in (match["kind"] or "").lower() or not match["after"] or "%" in written:
        untold.add(re.split(r"[{%]", written.lstrip("."))[0] if not written.startswith(("{", "%")) else "")
    else:
        targets.add(os.path.splitext(os.path.basename(written))[0] if "/" in written or written.endswith(".py") else written.lstrip("."))


def _named(text: str, suffix: str) -> tuple[str, ...]:
    """Texts such as "pkg.module" and "module:function", which entry points and configurations are made of.

    Where the first part alone can be a module, two dots follow: "model.h5" names no `model.py`.
    """
    if suffix not in (*PYTHON, *TEXTS, ".sh", ".gin"):
        return ()
    found = _QUOTED.finditer(text) if suffix in PYTHON else _WRITTEN.finditer(_SHELL.sub(" ", text))
    names = set()
    for match in found:
        name, rest = match[1], match[2]
        if rest:
            names.add(f"{name}..")
        elif "." in name:
            plain = suffix in PYTHON or name.rpartition(".")[2].lower() in _FILES
            names.add(name if plain else f"{name}..")
    return tuple(sorted(names))
