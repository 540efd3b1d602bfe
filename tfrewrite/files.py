"""Which files are meant: what was given, and what stands in the folders that were given.

Folders are listed, files are never opened here: a run that finds everything in the cache reads no user file at all.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

USUAL_FOLDERS = frozenset(
    (
        *(".git", ".hg", ".svn", ".bzr"),
        *(".venv", "venv", ".tox", ".nox", ".eggs", "__pypackages__", "node_modules", "build", "dist"),
        *("__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".ipynb_checkpoints"),
    )
)
ENDINGS = (".py", ".ipynb")


@dataclass(frozen=True, slots=True)
class Found:
    """A file to handle: its path as it is shown, and what tells whether it has changed."""

    path: str
    mtime_ns: int
    size: int


@dataclass(frozen=True)
class Problem:
    """A path that can't be handled, and why."""

    path: str
    message: str


@dataclass(frozen=True)
class Exclusion:
    """Patterns as in a .gitignore file, read from that folder."""

    folder: str
    patterns: tuple[str, ...]


@dataclass
class Discovery:
    """What the given paths hold."""

    files: list[Found] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def discover(paths: Iterable[str], exclusions: Sequence[Exclusion] = ()) -> Discovery:
    """All files below the paths, each once, sorted. A path that is given itself is handled whatever its name is."""
    discovery = Discovery()
    walker = _Walker(discovery)
    excluded = [_Ignore(os.path.realpath(exclusion.folder), _spec(exclusion.patterns), None) for exclusion in exclusions]
    for path in map(os.path.normpath, paths):
        try:
            status = os.stat(path)
        except (OSError, ValueError) as error:
            discovery.problems.append(Problem(path, _unreachable(error)))
            continue
        if stat.S_ISDIR(status.st_mode):
            root = os.path.realpath(path)
            walker.walk(path, root, _parents(root), [_sparing(root, ignore) for ignore in excluded])
        elif not stat.S_ISREG(status.st_mode):
            discovery.problems.append(Problem(path, "not a regular file; to read standard input, give - as the path"))
        else:
            walker.add(path, os.path.realpath(path), status, linked=os.path.islink(path))
    discovery.files = walker.result()
    return discovery


def _unreachable(error: OSError | ValueError) -> str:
    match error:
        case FileNotFoundError():
            return "there is no such file or folder"
        case OSError(strerror=str() as reason):
            return f"can't be read: {reason}"
    return "is not a valid path"


@dataclass(frozen=True)
class _Ignore:
    """One .gitignore, the folder that it speaks about, and the next one to ask."""

    folder: str
    spec: GitIgnoreSpec
    next: _Ignore | None

    def covers(self, path: str) -> bool:
        """Is that real path (a folder's ends with a slash) ignored? The innermost file that mentions it decides."""
        ignore: _Ignore | None = self
        while ignore is not None:
            if path.startswith(ignore.folder + os.sep) or ignore.folder == os.sep:
                verdict = ignore.spec.check_file(path[len(ignore.folder) :].lstrip(os.sep)).include
                if verdict is not None:
                    return verdict
            ignore = ignore.next
        return False


class _Walker:
    """Lists folders below the given ones. Links to folders are not followed, so there are no loops."""

    def __init__(self, discovery: Discovery) -> None:
        self.discovery = discovery
        self.found: dict[str, tuple[bool, Found]] = {}

    def add(self, path: str, real: str, status: os.stat_result, *, linked: bool) -> None:
        found = (linked, Found(path, status.st_mtime_ns, status.st_size))
        self.found[real] = min(found, self.found.get(real, found), key=lambda one: (one[0], one[1].path))

    def result(self) -> list[Found]:
        return sorted((found for _, found in self.found.values()), key=lambda one: one.path.split(os.sep))

    def walk(self, top: str, real_top: str, ignore: _Ignore | None, excluded: Sequence[_Ignore]) -> None:
        # A stack, not recursion: folders can be nested deeper than Python's stack.
        stack = [(top, real_top, ignore, True)]
        while stack:
            folder, real, ignore, given = stack.pop()
            try:
                with os.scandir(folder) as listing:
                    entries = list(listing)
            except OSError as error:
                self.discovery.problems.append(Problem(folder, _unreachable(error)))
                continue
            names = {entry.name for entry in entries}
            if not given and "pyvenv.cfg" in names:
                continue
            if ".gitignore" in names:
                ignore = _read_ignore(real, ignore)
            here = [*excluded, ignore] if ignore else excluded
            stack += [(path, inner, ignore, False) for path, inner in self._visit(entries, folder, real, here)]

    def _visit(self, entries: list[os.DirEntry[str]], folder: str, real: str, ignores: Sequence[_Ignore]) -> Iterator[tuple[str, str]]:
        """Takes the files among the entries, and gives the folders to go on with."""
        for entry in entries:
            name = entry.name
            path = name if folder == os.curdir else os.path.join(folder, name)
            inner = os.path.join(real, name)
            if entry.is_dir(follow_symlinks=False):
                if name not in USUAL_FOLDERS and not any(ignore.covers(inner + os.sep) for ignore in ignores):
                    yield path, inner
            elif name.endswith(ENDINGS):
                if not any(ignore.covers(inner) for ignore in ignores):
                    self._take(entry, path, inner)

    def _take(self, entry: os.DirEntry[str], path: str, inner: str) -> None:
        try:
            status = entry.stat()
        except OSError:
            return  # a link to nothing, or a file that went away while its folder was listed
        if stat.S_ISREG(status.st_mode):
            linked = entry.is_symlink()
            self.add(path, os.path.realpath(inner) if linked else inner, status, linked=linked)


def _spec(lines: Iterable[str]) -> GitIgnoreSpec:
    # Only here, because its import takes longer than most runs have files to list.
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(lines)


def _read_ignore(folder: str, outer: _Ignore | None) -> _Ignore | None:
    try:
        with open(os.path.join(folder, ".gitignore"), encoding="utf-8", errors="surrogateescape") as file:
            return _Ignore(folder, _spec(file), outer)
    except (OSError, ValueError):
        return outer  # what can't be read, or isn't a pattern, ignores nothing


def _parents(real: str) -> _Ignore | None:
    """The .gitignore files above a given folder, up to the top of its repository."""
    above = [real]
    while not os.path.exists(os.path.join(above[-1], ".git")):
        parent = os.path.dirname(above[-1])
        if parent == above[-1]:
            return None  # not in a repository
        above.append(parent)
    ignore = None
    for folder in reversed(above[1:]):
        if os.path.exists(os.path.join(folder, ".gitignore")):
            ignore = _read_ignore(folder, ignore)
            ignore = ignore and _sparing(real, ignore)
    return ignore


def _sparing(given: str, ignore: _Ignore) -> _Ignore:
    """Without the patterns that cover a given folder itself: who names a folder wants it."""
    relative = os.path.relpath(given, ignore.folder) + "/"
    if relative == "./" or relative.startswith("../"):
        return ignore
    kept = [pattern for pattern in ignore.spec.patterns if pattern.include is None or not pattern.match_file(relative)]
    return _Ignore(ignore.folder, type(ignore.spec)(kept), ignore.next)
