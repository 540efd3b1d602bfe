"""The exam of the equivalence harness: programs, and right and wrong versions of them, from `corpus/equivalence/`.

A file holds sections, whole programs under lines of the form `=== before: NAME`, `=== wrong: WHAT IS WRONG` and
`=== right: WHY IT IS RIGHT`: every wrong or right version belongs to the last `before` above it. Lines that begin with `: ` right
below such a line are options, `: KEY: VALUE`; those of a `before` hold for all of its versions that don't say otherwise:

    verdict   what the harness has to say, where it isn't "equivalent" of a right version and "differs" of a wrong one
    function  whose verdict it is
    aspect    how the first difference is to be named (`Difference.aspect`)
    fidelity  bitwise or rounding, of a right version
    witness   an expression: evaluated after either program it shows that the pair is what it says
              (without one, what the programs print and leave in their globals shows it)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "corpus" / "equivalence"
_KINDS = ("before", "wrong", "right")
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "verdict": ("equivalent", "sensitive", "undecided", "differs"),
    "fidelity": ("bitwise", "rounding"),
    "aspect": (
        *("structure", "type", "dtype", "shape", "value", "gradient", "state"),
        *("mutation", "aliasing", "output", "exception", "order", "randomness"),
    ),
}
_FREE = ("function", "witness")


class Malformed(ValueError):
    """A file of the exam that can't be read as one: an exam with a typing error must not pass for a shorter one."""


@dataclass(frozen=True)
class Pair:
    """Two versions of a program, and what is true of them."""

    topic: str
    name: str
    """Of the original."""
    kind: str
    """wrong or right"""
    what: str
    """What is wrong with the second version, or why it is right."""
    before: str
    after: str
    options: Mapping[str, str]
    line: int
    """Where the second version's section begins in its file."""

    @property
    def verdict(self) -> str:
        return self.options.get("verdict", "differs" if self.kind == "wrong" else "equivalent")

    def __str__(self) -> str:
        return f"{self.topic}/{self.name}: {self.kind}: {self.what}"


@dataclass
class _Section:
    place: str
    line: int
    kind: str
    title: str
    options: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)


def pairs() -> list[Pair]:
    """All pairs, in the order of the files' names and of their lines."""
    found = [pair for path in sorted(FOLDER.glob("*.txt")) for pair in read(path.read_text(encoding="utf-8"), path.stem)]
    if not found:
        raise Malformed(f"{FOLDER.name} holds no pairs")
    return found


def read(text: str, topic: str) -> list[Pair]:
    """The pairs of one file."""
    found: list[Pair] = []
    before: _Section | None = None
    names: set[str] = set()
    for section in _sections(text, topic):
        if section.kind == "before":
            if before is not None and not any(pair.name == before.title for pair in found):
                raise Malformed(f"{before.place}: {before.title} has no versions")
            if section.title in names:
                raise Malformed(f"{section.place}: {section.title} has been used before")
            names.add(section.title)
            before = section
            continue
        if before is None:
            raise Malformed(f"{section.place}: a version of what?")
        options = {**before.options, **section.options}
        pair = Pair(topic, before.title, section.kind, section.title, _program(before), _program(section), options, section.line)
        if pair.before == pair.after:
            raise Malformed(f"{section.place}: both versions are the same")
        if any(str(pair) == str(other) for other in found):
            raise Malformed(f"{section.place}: {section.title} stands here twice")
        found.append(pair)
    if before is None or found[-1:] == [] or found[-1].name != before.title:
        raise Malformed(f"{topic}: the last program has no versions")
    return found


def _sections(text: str, topic: str) -> Iterator[_Section]:
    section: _Section | None = None
    for number, line in enumerate(text.splitlines(), 1):
        place = f"{topic}.txt:{number}"
        if line.startswith("==="):
            if section is not None:
                yield section
            kind, colon, title = line.removeprefix("===").partition(":")
            if not colon or kind.strip() not in _KINDS or not title.strip():
                raise Malformed(f"{place}: not one of {_KINDS} and a title: {line}")
            section = _Section(place, number, kind.strip(), title.strip())
        elif section is None:
            if line.strip():
                raise Malformed(f"{place}: stands before the first section")
        elif line.startswith(": ") and not section.lines:
            key, value = _option(line, place)
            if key in section.options:
                raise Malformed(f"{place}: {key} is given twice")
            section.options[key] = value
        else:
            section.lines.append(line)
    if section is not None:
        yield section


def _option(line: str, place: str) -> tuple[str, str]:
    key, colon, value = (part.strip() for part in line.removeprefix(": ").partition(":"))
    if not colon or not value or key not in (*_CHOICES, *_FREE):
        raise Malformed(f"{place}: not an option: {line}")
    if key in _CHOICES and value not in _CHOICES[key]:
        raise Malformed(f"{place}: {key} is one of {', '.join(_CHOICES[key])}, not {value}")
    return key, value


def _program(section: _Section) -> str:
    text = "\n".join(section.lines).strip("\n") + "\n"
    try:
        compile(text, section.place, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise Malformed(f"{section.place}: not a program: {error}") from error
    return text
