"""Who imports a file: the other files of its project, read for their import statements alone.

A project is the repository that a file lies in, or the nearest folder with a `pyproject.toml` or `setup.py`, or a folder that
was named on the command line. Of every file that can import another, the lines are kept that say what: names of modules, text that
may name one, and whether anything is imported whose name isn't written. A name means every file that it could mean,
whatever `sys.path` is: `import layers` is `layers.py` in any folder. What can't be told makes a file one that anybody
may import, so nothing is believed that isn't sure.
"""

from __future__ import annotations

import itertools
import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from tfrewrite import __version__
from tfrewrite.files import USUAL_FOLDERS, Found
from tfrewrite.standing import UNSEEN, Imported, Importer, Standing, Surroundings

if TYPE_CHECKING:
    from tfrewrite.cache import Cache

MOST_FILES = 30_000
"""Of a project: in more nobody is looked for."""
MARKERS = ("pyproject.toml", "setup.py")
_METADATA = ("pyproject.toml", "setup.py", "setup.cfg")
PYTHON = (".py", ".pyw", ".pyx")
TEXTS = (".toml", ".cfg", ".ini", ".yaml", ".yml")
_READ = (*PYTHON, *TEXTS, ".ipynb", ".qmd", ".rmd", ".md", ".rst", ".gin", ".sh", ".bash", ".zsh", ".bat", ".ps1")
_NOT_SHIPPED = frozenset({
    "ci", "bin", "debian", "doc", "docs", "documentation", "manpages", "news", "test", "tests", "unit_test", "unit_tests", "example",
    "examples", "scripts", "tools", "util", "utils", "build", "benchmark", "benchmarks", "exercise", "exercises", "notebooks", "tasks",
})  # fmt: skip
"""The folders that setuptools leaves out of a distribution where nothing else is said, and notebooks."""
_FOUND_BY_NAME = frozenset({"conftest.py", "__init__.py", "sitecustomize.py", "usercustomize.py", "noxfile.py", "setup.py"})
"""Files that Python and other tools look for and import."""

_LONG_SCRIPT = 500_000
"""A file without an ending that is larger is data."""
_MOST_SHOWN = 3
_RECENT = 2_000_000_000
_MOST_IMPORTERS = 100
"""Of a file whose callers are looked for."""
_MOST_IMPORTED = 40
"""That one file imports, and those import: nothing is known of more."""
_LIBRARIES = frozenset({"tensorflow", "keras", "tf_keras", "numpy", "tensorflow_datasets", *sys.stdlib_module_names})


@dataclass(frozen=True)
class Scan:
    """What one file says of other modules."""

    targets: tuple[str, ...] = ()
    """The modules that it imports, with the dots of relative imports before them."""
    named: tuple[str, ...] = ()
    """Dotted names in its texts, which may be those of modules."""
    untold: tuple[str, ...] = ()
    """The beginnings of modules' names that aren't written out: "" is any module."""


@dataclass(frozen=True)
class _Member:
    """A file of a project: its path, what tells whether it has changed, what it says, and the modules that it may be."""

    path: str
    mtime_ns: int
    size: int
    scan: Scan
    names: tuple[tuple[str, ...], ...]


class Project:
    """The files below some folders, and who of them imports whom. Everything is found out when it is first asked for."""

    def __init__(self, roots: Sequence[str], *, deep: bool = True, index: Index | None = None) -> None:
        self.roots = tuple(roots)
        self._deep = deep
        self._index = index
        self._started = time.time_ns()
        self._known: dict[str, Surroundings] = {}
        self._light: dict[str, Standing] = {}
        self._direct: dict[str, set[str]] = {}
        self._who_changes: dict[str, tuple[str, ...] | None] = {}
        self._modules: dict[tuple[str, tuple[tuple[str, str], ...]], Imported] = {}

    @cached_property
    def _members(self) -> dict[str, _Member] | None:
        """By their real paths; None where there are too many."""
        found: dict[str, _Member] = {}
        listed = list(itertools.islice(_listed(self.roots, self._deep), MOST_FILES + 1))
        if len(listed) > MOST_FILES:
            return None
        for path, real, status in listed:
            scanned = self._scanned(Found(path, status.st_mtime_ns, status.st_size))
            known = found.get(real)
            names = (*(known.names if known else ()), _parts(path))
            found[real] = _Member(path, status.st_mtime_ns, status.st_size, scanned, names)
        if self._index is not None:
            self._index.save()
        return found

    def _scanned(self, found: Found) -> Scan:
        if self._index is not None and (known := self._index.get(found)) is not None:
            return known
        from tfrewrite.import_lines import scan  # which nobody needs where all is known from the last run

        try:
            with open(found.path, encoding="utf-8", errors="replace") as file:
                result = scan(file.read(), os.path.basename(found.path))
        except OSError:
            return Scan(untold=("",))  # nobody knows what it imports
        if self._index is not None:
            self._index.put(found, result)
        return result

    @cached_property
    def _absolute(self) -> dict[tuple[str, ...], set[str]]:
        """By the parts of every module that is imported or runs on the way there, the files that import it."""
        found: dict[tuple[str, ...], set[str]] = {}
        for real, member in (self._members or {}).items():
            for target in member.scan.targets:
                if not target.startswith("."):
                    parts = tuple(target.split("."))
                    for count in range(1, len(parts) + 1):
                        found.setdefault(parts[:count], set()).add(real)
        return found

    @cached_property
    def _relative(self) -> dict[tuple[str, ...], set[str]]:
        """The same of relative imports, by the parts of the whole path."""
        found: dict[tuple[str, ...], set[str]] = {}
        for real, member in (self._members or {}).items():
            for target in member.scan.targets:
                bare = target.lstrip(".")
                for here in member.names if (dots := len(target) - len(bare)) else ():
                    folder = here if os.path.basename(member.path).startswith("__init__.") else here[:-1]
                    base = folder[: len(folder) - (dots - 1)]
                    parts = (*base, *bare.split(".")) if bare else base
                    for count in range(len(base), len(parts) + 1):
                        found.setdefault(parts[:count], set()).add(real)
        return found

    @cached_property
    def _mentions(self) -> dict[tuple[str, ...], set[str]]:
        """By the parts of the modules that texts may name, the files that they are in."""
        found: dict[tuple[str, ...], set[str]] = {}
        for real, member in (self._members or {}).items():
            for name in member.scan.named:
                parts = tuple(name.rstrip(".").split("."))
                for count in range(1 if name.endswith("..") else 2, len(parts) + 1):
                    found.setdefault(parts[:count], set()).add(real)
        return found

    @cached_property
    def _untold(self) -> list[tuple[str, str]]:
        """The beginnings of what is imported by names that aren't written, and by which file."""
        members = sorted((self._members or {}).items())
        return [(beginning, real) for real, member in members for beginning in member.scan.untold]

    @cached_property
    def _shipped_from(self) -> list[str]:
        """The folders whose metadata makes distributions."""
        found = []
        for real in self._members or {}:
            if os.path.basename(real) in _METADATA and _makes_distribution(real):
                found.append(os.path.dirname(real))
        return sorted(set(found))

    def surroundings(self, path: str) -> Surroundings:
        """How a file stands in the project."""
        real = os.path.realpath(path)
        if real not in self._known:
            self._known[real] = self._found(real)
        return self._known[real]

    def _found(self, real: str) -> Surroundings:
        members = self._members
        if members is None:
            return replace(
                UNSEEN, said=f"the project in {self._named} has more than {MOST_FILES:,} files, and nobody looked who imports it"
            )
        names = members[real].names if real in members else (_parts(real),)
        direct = sorted(self._direct_importers(real, names))
        if (doubt := self._doubt(real, names)) is not None:
            return self._stamped(real, Standing.ANYONE if direct else Standing.UNSEEN, (), doubt)
        if direct:
            shown = _listing([self._short(one) for one in direct])
            if self._is_shipped(real, surely=False):
                return self._stamped(real, Standing.ANYONE, (), f"{shown} and anybody who installs the project may import it")
            if not self._deep:
                return self._stamped(real, Standing.ANYONE, (), f"{shown} import it, and it lies in no project, so others may too")
            if (importers := self._all_importers(real, direct)) is None:
                return self._stamped(real, Standing.ANYONE, (), f"{shown} import it, and more than {_MOST_IMPORTERS} files import these")
            if len(names) > 1:
                return self._stamped(real, Standing.ANYONE, (), f"{shown} import it, and it has several names")
            return self._stamped(real, Standing.IMPORTED, importers, f"it is imported by {shown}, and by no other file of {self._named}")
        if not self._deep:
            return self._stamped(real, Standing.UNSEEN, (), "it lies in no project, so files that import it may lie anywhere")
        if self._is_shipped(real, surely=True):
            return self._stamped(real, Standing.ANYONE, (), "who installs the project may import it")
        if self._is_shipped(real, surely=False):
            return self._stamped(real, Standing.UNSEEN, (), "who installs the project may be able to import it")
        return self._stamped(
            real, Standing.SCRIPT, (), f"no other file of {self._named} imports it, so only this file calls what it defines"
        )

    @property
    def _named(self) -> str:
        return _listing([os.path.relpath(one) if one.startswith(os.getcwd() + os.sep) else one for one in self.roots])

    def _short(self, real: str) -> str:
        root = next((one for one in self.roots if real.startswith(one + os.sep)), "")
        return os.path.relpath(real, root) if root else real

    def _stamped(self, real: str, standing: Standing, importers: Iterable[str], said: str) -> Surroundings:
        members = self._members or {}
        found = tuple(Importer(path, self._light_standing(path)) for path in sorted(importers))
        state = [(one.path, one.standing.value, members[one.path].mtime_ns, members[one.path].size) for one in found]
        imports, modules = self._imported(real, is_script=standing is Standing.SCRIPT)
        known = Surroundings(standing, found, said, "", imports, modules)
        if any(mtime_ns > self._started - _RECENT for _, _, mtime_ns, _ in state) or not all(one.stamp for one in modules):
            return known  # it may be written again without its time moving on
        return replace(known, stamp=_digest((standing.value, state, said, imports, [one.stamp for one in modules])))

    # What it imports

    def _imported(self, real: str, is_script: bool) -> tuple[tuple[tuple[str, str], ...], tuple[Imported, ...]]:
        """The files of the project that a file imports, by the names that it spells, and all that those import."""
        if not self._deep or real not in (self._members or {}):
            return (), ()
        beside = os.path.dirname(real) if is_script else ""
        links: dict[str, dict[str, str]] = {}
        waiting = [real]
        while waiting and len(links) <= _MOST_IMPORTED:
            if (path := waiting.pop(0)) not in links:
                links[path] = self._links(path, first=os.path.dirname(path) == beside)
                waiting += sorted(links[path].values())
        ahead = {path: _reached(path, links) for path in links}
        for path, found in links.items():
            # Of files that import each other, what is known of one would depend on which of them is asked about first.
            links[path] = {name: one for name, one in found.items() if one in links and path not in ahead[one]}
        used = sorted(_reached(real, links))
        return tuple(sorted(links[real].items())), tuple(self._module(path, links[path]) for path in used)

    def _links(self, real: str, first: bool) -> dict[str, str]:
        members = self._members or {}
        found = ((target, self._file_of(target, real, first)) for target in members[real].scan.targets)
        return {target: path for target, path in found if path is not None and path != real and self._is_followed(path)}

    def _file_of(self, target: str, by: str, first: bool) -> str | None:
        """The one file that a name of a module can mean; `first` says that the folder of the file that imports it comes first."""
        members = self._members or {}
        if len(members[by].names) > 1:
            return None
        bare = target.lstrip(".")
        (here,) = members[by].names
        folder = here if os.path.basename(by).startswith("__init__.") else here[:-1]
        if dots := len(target) - len(bare):
            base = folder[: len(folder) - (dots - 1)]
            whole = (*base, *bare.split(".")) if bare else base
            found = [one for one in self._by_last.get(whole[-1], ()) if members[one].names == (whole,)] if whole else []
            return found[0] if len(found) == 1 else None
        parts = tuple(bare.split("."))
        if parts[0] in _LIBRARIES:
            return None
        found = [one for one in self._by_last.get(parts[-1], ()) if any(name[-len(parts) :] == parts for name in members[one].names)]
        roots = {one: members[one].names[0][: -len(parts)] for one in found}
        near = [one for one, root in roots.items() if _may_be_searched(root, here[:-1])]
        return near[0] if len(near) == 1 and (len(found) == 1 or (first and roots[near[0]] == here[:-1])) else None

    def _is_followed(self, real: str) -> bool:
        """Is it a plain module, and known who imports it?"""
        member = (self._members or {})[real]
        untold = any(_may_begin(beginning, parts) for beginning, _ in self._untold for parts in member.names)
        return real.endswith(".py") and len(member.names) == 1 and not untold and self._changers(real) is not None

    def _changers(self, real: str) -> tuple[str, ...] | None:
        if real not in self._who_changes:
            direct = sorted(self._direct_importers(real, (self._members or {})[real].names))
            found = self._all_importers(real, direct)
            self._who_changes[real] = None if found is None else tuple(sorted(found))
        return self._who_changes[real]

    def _module(self, real: str, links: Mapping[str, str]) -> Imported:
        members = self._members or {}
        imports, changers = tuple(sorted(links.items())), self._changers(real) or ()
        if (known := self._modules.get((real, imports))) is None:
            (name,) = members[real].names
            named = frozenset(one for end in _ends(name) for one in self._named_within.get(end, ()))
            is_open = self._is_shipped(real, surely=False)
            state = [(one, members[one].mtime_ns, members[one].size) for one in (real, *changers)]
            recent = any(mtime_ns > self._started - _RECENT for _, mtime_ns, _ in state)
            stamp = "" if recent else _digest((state, imports, sorted(named), is_open))
            known = self._modules[real, imports] = Imported(real, imports, changers, named, is_open, stamp)
        return known

    @cached_property
    def _by_last(self) -> dict[str, list[str]]:
        """The files by the last of their names."""
        found: dict[str, list[str]] = {}
        for real, member in (self._members or {}).items():
            if real.endswith(".py"):
                for name in {parts[-1] for parts in member.names if parts}:
                    found.setdefault(name, []).append(real)
        return found

    @cached_property
    def _named_within(self) -> dict[tuple[str, ...], set[str]]:
        """By what may be a module, the names that follow it in texts."""
        found: dict[tuple[str, ...], set[str]] = {}
        for member in (self._members or {}).values():
            for name in member.scan.named:
                parts = tuple(name.rstrip(".").split("."))
                for count in range(1, len(parts)):
                    found.setdefault(parts[:count], set()).add(parts[count])
        return found

    def _light_standing(self, real: str) -> Standing:
        """How a file stands, but for who imports it: what is imported by others is open to all."""
        if real not in self._light:
            names = (self._members or {})[real].names
            imported = bool(self._direct_importers(real, names))
            self._light[real] = Standing.ANYONE if imported else self._found(real).standing
        return self._light[real]

    def _all_importers(self, real: str, direct: Sequence[str]) -> set[str] | None:
        """The files that import it, those that import these, and so on: what one imports, others can take from it."""
        members = self._members or {}
        found, waiting = set(direct), list(direct)
        while waiting:
            path = waiting.pop()
            new = self._direct_importers(path, members[path].names) - found - {real}
            found |= new
            waiting += new
            if len(found) > _MOST_IMPORTERS:
                return None
        return found

    def _direct_importers(self, real: str, names: Sequence[tuple[str, ...]]) -> set[str]:
        if real not in self._direct:
            found: set[str] = set()
            for parts in names:
                found |= self._relative.get(parts, set())
                for end in _ends(parts):
                    found |= self._absolute.get(end, set())
            self._direct[real] = found - {real}
        return self._direct[real]

    def _doubt(self, real: str, names: Sequence[tuple[str, ...]]) -> str | None:
        """Why it may be imported by what isn't written as an import."""
        name = os.path.basename(real)
        if name in _FOUND_BY_NAME or name.startswith("test_") or name.endswith("_test.py"):
            return "tools that look for files of its name may import it"
        for beginning, other in self._untold:
            if other != real and any(_may_begin(beginning, parts) for parts in names):
                return f"{self._short(other)} imports modules whose names it doesn't spell, and this may be one"
        for end in (end for parts in names for end in _ends(parts)):
            if others := sorted(self._mentions.get(end, set()) - {real}):
                return f"{self._short(others[0])} spells its name in a text"
        return None

    def _is_shipped(self, real: str, *, surely: bool) -> bool:
        """Is it part of a distribution: in one of its packages; or else anywhere that tools may find it?"""
        if not self._shipped_from:
            return False
        if os.path.isfile(os.path.join(os.path.dirname(real), "__init__.py")):
            return True
        if surely:
            return False
        for folder in self._shipped_from:
            if real.startswith(folder + os.sep):
                inner = real[len(folder) + 1 :].split(os.sep)
                if inner[0] == "src" and len(inner) > 1 or len(inner) == 1 or inner[0].lower() not in _NOT_SHIPPED:
                    return True
        return False


def _may_be_searched(root: tuple[str, ...], folder: tuple[str, ...]) -> bool:
    """May Python look in a folder for the modules that a file of another one imports?"""
    return folder[: len(root)] == root or (root[-1:] == ("src",) and folder[: len(root) - 1] == root[:-1])


def _digest(state: object) -> str:
    import hashlib

    return hashlib.blake2b(repr(state).encode("utf-8", "backslashreplace"), digest_size=12).hexdigest()


def _reached(start: str, links: Mapping[str, Mapping[str, str]]) -> set[str]:
    """The files that one imports, and those that these import; not it itself, unless one of them does."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = set(links.get(waiting.pop(), {}).values()) - found
        found |= new
        waiting += new
    return found & links.keys()


def _ends(parts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """What a module may be called: its last name, the last two, and so on, whatever folder `sys.path` has."""
    return (parts[-count:] for count in range(1, len(parts) + 1))


def _may_begin(beginning: str, parts: tuple[str, ...]) -> bool:
    """May a module's dotted name, from any folder on, begin like that?"""
    return not beginning or any(".".join(end).startswith(beginning) for end in _ends(parts))


def _parts(path: str) -> tuple[str, ...]:
    """The names of a file's folders, and its own where it isn't that of the folder."""
    folder, name = os.path.split(os.path.abspath(path))
    stem = os.path.splitext(name)[0]
    folders = tuple(one for one in folder.split(os.sep) if one)
    return folders if stem == "__init__" else (*folders, stem)


def _listing(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_SHOWN]) + (f" and {len(names) - _MOST_SHOWN} others" if len(names) > _MOST_SHOWN else "")


def _makes_distribution(path: str) -> bool:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return True
    match os.path.basename(path):
        case "setup.py":
            return "setup(" in text
        case "setup.cfg":
            return "[metadata]" in text
    return any(line.strip().startswith(("[project", "[tool.poetry", "[tool.flit")) for line in text.split("\n"))


def _listed(roots: Sequence[str], deep: bool) -> Iterator[tuple[str, str, os.stat_result]]:
    """Every file below the folders that can import another: its path, its real path, and what tells of changes.

    Links to folders are followed, as Python does, since they give their files other names.
    """
    stack: list[tuple[str, frozenset[str]]] = [(root, frozenset()) for root in roots]
    while stack:
        folder, links = stack.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            continue
        if folder not in roots and any(entry.name == "pyvenv.cfg" for entry in entries):
            continue
        for entry in entries:
            try:
                if entry.is_dir():
                    real = os.path.realpath(entry.path) if entry.is_symlink() else ""
                    if deep and entry.name not in USUAL_FOLDERS and real not in links:
                        stack.append((entry.path, links | {real} if real else links))
                elif (plain := "." not in entry.name) or entry.name.lower().endswith(_READ):
                    status = entry.stat()
                    if stat.S_ISREG(status.st_mode) and not (plain and status.st_size > _LONG_SCRIPT):
                        yield entry.path, os.path.realpath(entry.path) if links or entry.is_symlink() else entry.path, status
            except OSError:
                continue


class Index:
    """What the files of a project import, kept between runs."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    @classmethod
    def of(cls, root: str) -> Index:
        from tfrewrite.cache import Cache

        status = os.stat(os.path.join(os.path.dirname(__file__), "import_lines.py"))
        return cls(Cache(root, repr(("imports", __version__, status.st_mtime_ns, status.st_size))))

    def get(self, found: Found) -> Scan | None:
        match self._cache.get(found):
            case [_, _, list() as targets, list() as named, list() as untold]:
                return Scan(tuple(targets), tuple(named), tuple(untold))
        return None

    def put(self, found: Found, known: Scan) -> None:
        self._cache.put(found, [found.mtime_ns, found.size, list(known.targets), list(known.named), list(known.untold)])

    def save(self) -> None:
        self._cache.save()


class Projects:
    """The projects of the files of one run, which begin where files are asked about."""

    def __init__(self, named: Iterable[str] = (), *, cached: bool = False) -> None:
        """`named` are the paths of the command line: a folder that lies in no project is taken for one."""
        self._folders = tuple(dict.fromkeys(os.path.realpath(one) for one in named if os.path.isdir(one)))
        self._cached = cached
        self._projects: dict[tuple[str, ...], Project] = {}
        self._of_folder: dict[str, Project] = {}

    def surroundings(self, path: str) -> Surroundings:
        folder = os.path.dirname(os.path.realpath(path))
        if folder not in self._of_folder:
            self._of_folder[folder] = self._found(folder)
        return self._of_folder[folder].surroundings(path)

    def _found(self, folder: str) -> Project:
        root = root_of(folder)
        inside = root is None and any(f"{folder}{os.sep}".startswith(f"{one.rstrip(os.sep)}{os.sep}") for one in self._folders)
        roots = (root,) if root is not None else self._folders if inside else (folder,)
        if roots not in self._projects:
            deep = inside or root is not None
            index = Index.of(os.pathsep.join(roots)) if self._cached and deep else None
            self._projects[roots] = Project(roots, deep=deep, index=index)
        return self._projects[roots]


def root_of(folder: str) -> str | None:
    """The repository that a folder lies in, or the nearest folder above that says that it is a project.

    What is part of another repository may be imported by that.
    """
    marked: str | None = None
    here = folder
    while True:
        git = os.path.join(here, ".git")
        if os.path.isdir(git) or (os.path.isfile(git) and not _is_submodule(git)):
            return here
        if marked is None and any(os.path.isfile(os.path.join(here, one)) for one in MARKERS):
            marked = here
        above = os.path.dirname(here)
        if above == here:
            return marked
        here = above


def _is_submodule(git: str) -> bool:
    try:
        with open(git, encoding="utf-8", errors="replace") as file:
            return "/modules/" in file.read()
    except OSError:
        return False
