"""Finds the rewrites: every module of `tfrewrite.transforms` declares one function of its own name."""

from __future__ import annotations

import ast
import functools
import importlib
import os
import pkgutil
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tfrewrite.outcomes import Listed, Rule

SECTIONS = ("Before", "After", "Also", "Why", "Safety")
_OPTIONAL = "Also"
_GUARD = re.compile(r"- \*\*(?P<guard>[^*]+)\.\*\* (?P<case>.+)")
_GUARD_LINES, _SAFETY_LINES = 2, 25
_FORM = f"`- **Guard.** text`, with a counter-example in backticks, each of at most {_GUARD_LINES} lines and all of at most {_SAFETY_LINES}"
_NONE = "no rewrites found in {}"
_MENTIONS = re.compile(r"^@transform\([^@]*?\bmentions=(\([^()]*(?:\"[^\"]*\"[^()]*)*\))", re.MULTILINE)


class CatalogueError(Exception):
    """The catalogue is broken: a module can't be imported, or isn't a rewrite."""


@dataclass(frozen=True)
class Page:
    """A rule's documentation, taken apart."""

    summary: str
    sections: dict[str, str]

    def guards(self) -> list[str]:
        """The items of `Safety`, each with its lines."""
        return re.split(r"\n(?=- )", self.sections["Safety"])


@functools.cache
def rules() -> tuple[Rule, ...]:
    """All rewrites, sorted by name."""
    package = importlib.import_module("tfrewrite.transforms")
    found = [_load(package.__name__, module.name) for module in pkgutil.iter_modules(package.__path__)]
    if not found:
        raise CatalogueError(_NONE.format(", ".join(package.__path__)))
    return tuple(sorted(found, key=lambda rule: rule.name))


@functools.cache
def listed() -> tuple[Listed, ...]:
    """The same, each imported when it is needed."""
    package = importlib.import_module("tfrewrite.transforms")
    found = [_listed(package.__name__, module) for module in pkgutil.iter_modules(package.__path__)]
    if not found:
        raise CatalogueError(_NONE.format(", ".join(package.__path__)))
    return tuple(sorted(found, key=lambda rule: rule.name))


def _listed(package: str, module: pkgutil.ModuleInfo) -> Listed:
    load = functools.cache(lambda: _load(package, module.name))
    try:
        with open(os.path.join(getattr(module.module_finder, "path", ""), f"{module.name}.py"), encoding="utf-8") as file:
            mentions = _MENTIONS.search(file.read())
        return Listed(module.name, ast.literal_eval(mentions[1]), load) if mentions else _imported(load)
    except (OSError, ValueError, SyntaxError):
        return _imported(load)


def _imported(load: Callable[[], Rule]) -> Listed:
    """Of a rule that doesn't say in plain text which words it looks for."""
    rule = load()
    return Listed(rule.name, rule.mentions, load)


def _load(package: str, name: str) -> Rule:
    try:
        module = importlib.import_module(f"{package}.{name}")
    except Exception as error:
        raise CatalogueError(f"transforms/{name}.py can't be imported: {type(error).__name__}: {error}") from error
    declared = [value for value in vars(module).values() if isinstance(value, Rule)]
    if [rule.name for rule in declared] != [name]:
        raise CatalogueError(f"transforms/{name}.py has to declare exactly one @transform, a function named {name}")
    rule = replace(declared[0], documentation=(module.__doc__ or "").strip())
    documented = page(rule)
    missing = [section for section in SECTIONS if section not in documented.sections and section != _OPTIONAL]
    if missing:
        raise CatalogueError(f"the docstring of transforms/{name}.py has no section {missing[0]!r}")
    if misformed := _misformed(documented):
        raise CatalogueError(f"the docstring of transforms/{name}.py: 'Safety' has to be a list of {_FORM}; {misformed}")
    return rule


def _misformed(documented: Page) -> str:
    """What isn't as it has to be in `Safety`."""
    guards = documented.guards()
    lines = sum(guard.count("\n") + 1 for guard in guards)
    if lines > _SAFETY_LINES:
        return f"it has {lines} lines"
    for guard in guards:
        found = _GUARD.fullmatch(" ".join(line.strip() for line in guard.splitlines()))
        if found is None or not re.search(r"`[^`]+`", found["case"]) or guard.count("\n") >= _GUARD_LINES:
            return f"this isn't: {guard.splitlines()[0]!r}"
    return ""


def page(rule: Rule) -> Page:
    """The sections of a rule's docstring, their common indentation removed."""
    summary, _, rest = rule.documentation.partition("\n")
    parts = re.split(rf"^({'|'.join(SECTIONS)}):", rest, flags=re.MULTILINE)
    sections = {name: _dedent(name, text) for name, text in zip(parts[1::2], parts[2::2], strict=True)}
    return Page(summary, sections)


def _dedent(name: str, text: str) -> str:
    lines = (" " * (len(name) + 1) + text).rstrip().splitlines()
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[margin:] for line in lines)


def chosen(select: Sequence[str], ignore: Sequence[str]) -> tuple[Listed, ...]:
    """The rules that were asked for. Raises `CatalogueError` for a name that isn't one."""
    known = {rule.name: rule for rule in listed()}
    for name in (*select, *ignore):
        if name not in known:
            raise CatalogueError(f"there is no rule {name!r}; the rules are {', '.join(known)}")
    return tuple(rule for name, rule in known.items() if (not select or name in select) and name not in ignore)
