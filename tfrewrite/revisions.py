"""Which lines of files have changed since a git revision, for reviews that are to show only what their author just wrote."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tfrewrite.plain_text import readable
from tfrewrite.results import Lines

_HUNK = re.compile(rb"@@ -\S+ \+(?P<first>\d+)(?:,(?P<count>\d+))? @@")
_WHOLE: Lines = ((1, 10**9),)
_ESCAPE = re.compile(rb'\\(?:([0-7]{3})|(["\\abfnrtv]))')
_LETTERS = dict(zip(b'"\\abfnrtv', b'"\\\a\b\f\n\r\t\v', strict=True))


class RevisionError(Exception):
    """The changes since a revision can't be told; the message says why, and what to do."""


@dataclass(frozen=True)
class Changes:
    """The lines that have changed, by the real paths of files."""

    files: Mapping[str, Lines] = field(default_factory=dict)

    def lines(self, path: str) -> Lines:
        return self.files.get(os.path.realpath(path), ())


def changes_since(revision: str, paths: Iterable[str]) -> Changes:
    """What has changed in the repositories of these paths, untracked files whole.

    Compared is with the commit at which the work left the revision, as in a review: what others have changed there since is theirs.
    """
    files: dict[str, Lines] = {}
    for root in dict.fromkeys(_root(path) for path in paths):
        base = _base(root, revision)
        found = _git(root, "-c", "core.quotepath=off", "diff", "--no-color", "--no-ext-diff", "--unified=0", "--find-renames", base, "--")
        files |= {os.path.realpath(os.path.join(root, name)): lines for name, lines in _changed(found.split(b"\n"))}
        names = _git(root, "ls-files", "--others", "--exclude-standard", "-z").split(b"\0")
        files |= {os.path.realpath(os.path.join(root, os.fsdecode(name))): _WHOLE for name in names if name}
    return Changes(files)


def _root(path: str) -> str:
    folder = path if os.path.isdir(path) else os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        folder = "."
    try:
        return os.fsdecode(_git(folder, "rev-parse", "--show-toplevel")).rstrip("\n")
    except RevisionError as error:
        raise RevisionError(f"{path} is in no git repository that could tell what has changed ({error})") from None


def _base(root: str, revision: str) -> str:
    try:
        commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}").decode().strip()
    except RevisionError:
        hint = "in a shallow clone, fetch it first: git fetch --depth=1 origin REV, or fetch-depth: 0 of actions/checkout"
        raise RevisionError(f"git knows no revision {revision!r} in {root} ({hint})") from None
    try:
        return _git(root, "merge-base", commit, "HEAD").decode().strip()
    except RevisionError:  # no common history, of which a shallow clone may have none
        return commit


def _git(folder: str, *arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", folder, *arguments], capture_output=True, check=False)
    except OSError as error:
        raise RevisionError(f"git can't be run: {error.strerror}") from None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        raise RevisionError(readable(lines[0]) if lines else f"git {arguments[0]} ended with exit code {done.returncode}")
    return done.stdout


def _changed(diff: Sequence[bytes]) -> Iterator[tuple[str, Lines]]:
    """The files of a diff without context, and the lines that are new in them."""
    name, lines = "", list[tuple[int, int]]()
    skipped = 0  # lines of a hunk, which may look like anything
    for line in diff:
        if skipped and line[:1] in (b"+", b"-", b"\\"):
            skipped -= line[:1] != b"\\"
        elif line.startswith(b"+++ "):
            if name and lines:
                yield name, tuple(lines)
            name, lines = _name(line[4:]), []
        elif hunk := _HUNK.match(line):
            first, count = int(hunk["first"]), int(hunk["count"] or 1)
            skipped = count + _removed(line)
            if count:
                lines.append((first, first + count - 1))
    if name and lines:
        yield name, tuple(lines)


def _removed(line: bytes) -> int:
    count = line.split()[1].partition(b",")[2]
    return int(count) if count else 1


def _name(quoted: bytes) -> str:
    """The path after `+++ `, which git quotes where it has to; empty for a file that is gone."""
    text = quoted.rstrip(b"\t")
    if text.startswith(b'"'):
        text = _ESCAPE.sub(lambda found: bytes([int(found[1], 8)]) if found[1] else bytes([_LETTERS[found[2][0]]]), text[1:-1])
    return "" if text == b"/dev/null" else os.fsdecode(text.partition(b"/")[2])
