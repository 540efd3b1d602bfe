"""A unified diff that `git apply` and `patch` take, each hunk headed by its rules and their reasons.

It is made from the edits, not by comparing two texts, so it costs as much as there is text. Everything that is printed
is the file's own bytes. For tools that apply diffs only a line feed ends a line, whatever else ends one for Python.
"""

from __future__ import annotations

import bisect
import itertools
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tfrewrite.engine import Applied, Result

CONTEXT = 3
_LEAST_GAP = 2  # lines between two hunks: one for each, as context
_NO_NEWLINE = b"\\ No newline at end of file\n"
_PLAIN_NAME = re.compile(rb'[^"\\\x00-\x1f\x7f]*')


@dataclass(frozen=True)
class Block:
    """Lines `start` up to `end` of the original that become lines `new_start` up to `new_end`. All count from 0."""

    start: int
    end: int
    new_start: int
    new_end: int


@dataclass(frozen=True)
class Hunk:
    """Blocks that are printed together, and the rewrites that made them."""

    blocks: tuple[Block, ...]
    rewrites: tuple[Applied, ...]

    @property
    def heading(self) -> str:
        return "; ".join(
            dict.fromkeys(f"{_where(rewrite)}{rewrite.rule}: {' '.join(reason(rewrite).split())}" for rewrite in self.rewrites)
        )


def _where(one: Applied) -> str:
    return f"{one.place}: " if one.place else ""


def reason(one: Applied) -> str:
    """Why, and for how often that was seen where it is not proven; what was seen is for `explain` to say."""
    worth = f"for {one.purpose}: {one.balance}" if one.balance else ""
    notes = (worth, one.observed.heading if one.observed is not None else "", one.verification.said if one.verification is not None else "")
    told = "; ".join(filter(None, notes))
    return f"{one.reason} ({told})" if told else one.reason


def unified(path: str, before: bytes, after: bytes, text: str, result: Result) -> Iterator[bytes]:
    """The lines of the diff, line ends included. `text` is what `before` decodes to: the edits are places in it."""
    if before == after:
        return
    old, new = lines_of(before), lines_of(after)
    name = shown_path(path)
    yield b"--- " + _name(b"a/" + name) + b"\n"
    yield b"+++ " + _name(b"b/" + name) + b"\n"
    found = hunks(old, new, text, result)
    for hunk, (lead, tail) in zip(found, contexts(found, len(old)), strict=True):
        yield from _print(hunk, lead, tail, old, new)


def decoded(diff: Iterable[bytes], encoding: str) -> Iterator[str]:
    """The lines of a diff of a file in that encoding. The headings are UTF-8 in any diff."""
    for index, line in enumerate(diff):
        yield line.decode("utf-8" if index < 2 or line.startswith(b"@@") else encoding, "replace")


def shown_path(path: str) -> bytes:
    """The path as `patch -p1` wants it: from here down, or from the root of the file system."""
    absolute = os.path.abspath(path)
    relative = os.path.relpath(absolute)
    outside = relative == os.pardir or relative.startswith(os.pardir + os.sep)
    return os.fsencode((absolute if outside else relative).replace(os.sep, "/").lstrip("/"))


def _name(name: bytes) -> bytes:
    if not _PLAIN_NAME.fullmatch(name):
        return b'"' + b"".join(_quoted(byte) for byte in name) + b'"'
    # Without the tab, a tool could take what follows a blank for the file's date.
    return name + b"\t" if b" " in name else name


def _quoted(byte: int) -> bytes:
    if byte in b'"\\':
        return b"\\%c" % byte
    return b"%c" % byte if 32 <= byte != 127 else b"\\%03o" % byte


def lines_of(data: bytes) -> list[bytes]:
    """The lines as tools for diffs see them."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def hunks(old: Sequence[bytes], new: Sequence[bytes], text: str, result: Result) -> list[Hunk]:
    """The blocks, those together that one rewrite made or that have no room for a heading between them."""
    groups: list[list[Hunk]] = []
    for one in single_blocks(old, new, text, result):
        gap = one.blocks[0].start - groups[-1][-1].blocks[0].end if groups else 0
        related = groups and any(made is other for made in one.rewrites for part in groups[-1] for other in part.rewrites)
        if not groups or gap > 2 * CONTEXT or (gap >= _LEAST_GAP and not related):
            groups.append([])
        groups[-1].append(one)
    return [joined(group) for group in groups]


def contexts(found: Sequence[Hunk], lines: int) -> list[tuple[int, int]]:
    """How many lines to show before and after each hunk. Neighbours share what is between them.

    Tools take a hunk that ends with less context than it begins with for the end of the file, so none does.
    """
    gaps = [after.blocks[0].start - before.blocks[-1].end for before, after in itertools.pairwise(found)]
    leads = [found[0].blocks[0].start, *(gap // 2 for gap in gaps)] if found else []
    tails = [*(gap - gap // 2 for gap in gaps), lines - found[-1].blocks[-1].end] if found else []
    shown = []
    for hunk, lead, tail in zip(found, leads, tails, strict=True):
        tail = min(tail, CONTEXT)
        at_end = hunk.blocks[-1].end + tail == lines
        shown.append((min(lead, CONTEXT if at_end else tail), tail))
    return shown


def sites(parts: Sequence[Hunk]) -> list[Hunk]:
    """The blocks, those together that one rewrite made."""
    found: list[Hunk] = []
    for part in parts:
        related = [one for one in found if any(rewrite is other for rewrite in part.rewrites for other in one.rewrites)]
        found = [one for one in found if not any(one is other for other in related)] + [joined([*related, part])]
    return sorted(found, key=lambda one: one.blocks[0].start)


def joined(parts: Sequence[Hunk]) -> Hunk:
    blocks = tuple(block for part in parts for block in part.blocks)
    return Hunk(blocks, tuple({id(rewrite): rewrite for part in parts for rewrite in part.rewrites}.values()))


def single_blocks(old: Sequence[bytes], new: Sequence[bytes], text: str, result: Result) -> list[Hunk]:
    """Every block that differs, alone, with the rewrites that touch it."""
    touched = _touched(text, result)
    if not _explains(touched, old, new):
        # The encoding writes the same text in more than one way: then any line may differ.
        touched = [Block(0, len(old), 0, len(new))]
    rewrites = _rewrites_by_line(text, result.rewrites)
    pairs = ((block, _trimmed(block, old, new)) for block in touched)
    return [Hunk((trimmed,), _made_by(block, rewrites)) for block, trimmed in pairs if trimmed is not None]


def _touched(text: str, result: Result) -> list[Block]:
    """The lines that hold edits, in blocks that share no line."""
    breaks = [match.end() for match in re.finditer("\n", text)]
    blocks: list[Block] = []
    shift = 0
    for edit in result.edits:
        first, last = bisect.bisect_right(breaks, edit.start), bisect.bisect_right(breaks, edit.end)
        added = edit.text.count("\n") - (last - first)
        if blocks and first < blocks[-1].end:
            whole = blocks.pop()
            blocks.append(Block(whole.start, last + 1, whole.new_start, last + 1 + shift + added))
        else:
            blocks.append(Block(first, last + 1, first + shift, last + 1 + shift + added))
        shift += added
    return blocks


def _explains(blocks: Sequence[Block], old: Sequence[bytes], new: Sequence[bytes]) -> bool:
    """Is everything between the blocks the same in both?"""
    position = new_position = 0
    for block in (*blocks, Block(len(old), len(old), len(new), len(new))):
        if old[position : block.start] != new[new_position : block.new_start]:
            return False
        position, new_position = block.end, block.new_end
    return True


def _trimmed(block: Block, old: Sequence[bytes], new: Sequence[bytes]) -> Block | None:
    """Without the lines at both ends that are in fact the same: an inserted line touches the one that it stands before."""
    start, new_start = block.start, block.new_start
    end, new_end = min(block.end, len(old)), min(block.new_end, len(new))
    while start < end and new_start < new_end and old[start] == new[new_start]:
        start, new_start = start + 1, new_start + 1
    while start < end and new_start < new_end and old[end - 1] == new[new_end - 1]:
        end, new_end = end - 1, new_end - 1
    return Block(start, end, new_start, new_end) if start < end or new_start < new_end else None


def _rewrites_by_line(text: str, rewrites: Sequence[Applied]) -> dict[int, list[Applied]]:
    """The rewrites that touch a line. They count Python's lines, which a carriage return ends too."""
    python = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
    breaks = [match.end() for match in re.finditer("\n", text)]
    found: dict[int, list[Applied]] = {}
    for rewrite in rewrites:
        for first, last in rewrite.touched:
            start, end = (bisect.bisect_right(breaks, python[min(line, len(python)) - 1]) for line in (first, last))
            for line in range(start, end + 1):
                found.setdefault(line, []).append(rewrite)
    return found


def _made_by(block: Block, rewrites: dict[int, list[Applied]]) -> tuple[Applied, ...]:
    return tuple({id(rewrite): rewrite for line in range(block.start, block.end) for rewrite in rewrites.get(line, ())}.values())


def _print(hunk: Hunk, lead: int, tail: int, old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[bytes]:
    first, last = hunk.blocks[0], hunk.blocks[-1]
    old_range = _range(first.start - lead, last.end + tail)
    new_range = _range(first.new_start - lead, last.new_end + tail)
    heading = f" {hunk.heading}" if hunk.heading else ""
    yield f"@@ -{old_range} +{new_range} @@{heading}\n".encode("utf-8", "replace")
    position = first.start - lead
    for block in _without_seams(hunk.blocks):
        yield from _marked(b" ", old[position : block.start])
        yield from changed_lines(block, old, new)
        position = block.end
    yield from _marked(b" ", old[position : position + tail])


def _without_seams(blocks: Sequence[Block]) -> Iterator[Block]:
    """Blocks that follow each other without a line between them, as one: first what goes, then what comes."""
    pending = blocks[0]
    for block in blocks[1:]:
        if (block.start, block.new_start) == (pending.end, pending.new_end):
            pending = Block(pending.start, block.end, pending.new_start, block.new_end)
        else:
            yield pending
            pending = block
    yield pending


def changed_lines(block: Block, old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[bytes]:
    yield from _marked(b"-", old[block.start : block.end])
    yield from _marked(b"+", new[block.new_start : block.new_end])


def _range(start: int, end: int) -> str:
    count = end - start
    if count == 1:
        return str(start + 1)
    return f"{start + 1 if count else start},{count}"


def _marked(mark: bytes, lines: Sequence[bytes]) -> Iterator[bytes]:
    for line in lines:
        if line.endswith(b"\n"):
            yield mark + line
        else:
            yield mark + line + b"\n"
            yield _NO_NEWLINE
