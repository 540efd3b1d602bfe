"""Who may call what a file defines: what is known of the file from outside of it, as a value that workers are sent."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Standing(enum.Enum):
    """How a file stands among those that may import it."""

    UNSEEN = "unseen"
    """Nothing is known but the file itself."""
    ANYONE = "anyone"
    """Anybody may import it."""
    IMPORTED = "imported"
    """Other files that are known import it, and nobody else does."""
    SCRIPT = "script"
    """Nobody imports it: it is run."""


@dataclass(frozen=True)
class Importer:
    """A file that imports another, or one that does, and how it stands itself."""

    path: str
    standing: Standing


@dataclass(frozen=True)
class Imported:
    """A file of the project that others import, and who could put something else in the place of what it defines."""

    path: str
    imports: tuple[tuple[str, str], ...]
    """The files that it imports itself, by the names that it spells; none that imports it in its turn."""
    changers: tuple[str, ...]
    """The files that import it, or one that does."""
    named: frozenset[str]
    """What follows its name in the texts of files: `"config.BATCH"`."""
    is_open: bool
    """May anybody import it who installs the project?"""
    stamp: str
    """Changes with the file, and with what may change it."""


@dataclass(frozen=True)
class Surroundings:
    """How a file stands in its project, by which files, and in words."""

    standing: Standing = Standing.UNSEEN
    importers: tuple[Importer, ...] = ()
    """The files that import it, or import one that does: all of them, where it is `IMPORTED`."""
    said: str = ""
    stamp: str = ""
    """Changes with everything outside of the file that was believed. What is found out about it now doesn't last without one."""
    imports: tuple[tuple[str, str], ...] = ()
    """The files of the project that it imports, by the names that it spells."""
    modules: tuple[Imported, ...] = ()
    """Those, and the ones that they import."""


UNSEEN = Surroundings(stamp="-")
ANYONE = Surroundings(Standing.ANYONE, said="anybody may call what it defines, because `callers` is set to `anyone`", stamp="-")
