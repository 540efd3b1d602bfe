"""What became of a function, for people: a diff, and a table for terminals and notebooks."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tfrewrite.live.optimized import Version
    from tfrewrite.live.written import Written

_HEADINGS = ("called with", "what became of it", "compared")


@dataclass(frozen=True)
class Report:
    """A table, in notebooks and in terminals."""

    name: str
    reason: str
    versions: tuple[Version, ...]

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        return [(_called(one), "\n".join(_became(one)), _said(one)) for one in self.versions]

    @property
    def note(self) -> str:
        if self.reason:
            return f"{self.name} is called as it was written: {self.reason}"
        return "" if self.versions else f"{self.name} wasn't called yet"

    def __rich_console__(self, console: Any, options: Any) -> Any:
        from rich.table import Table
        from rich.text import Text

        if self.versions:
            table = Table(title=Text(self.name), title_justify="left", show_lines=True)
            for heading in _HEADINGS:
                table.add_column(heading, overflow="fold")
            for row in self.rows:
                table.add_row(*map(Text, row))
            yield table
        if self.note:
            yield Text(self.note)

    def __str__(self) -> str:
        from rich.console import Console

        stream = StringIO()
        Console(file=stream, width=100, force_terminal=False).print(self)
        return stream.getvalue().rstrip()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        lines = [f"<p><code>{html.escape(self.name)}</code></p>"] if self.versions else []
        if self.versions:
            lines.append(
                "<table><thead><tr>" + "".join(f"<th style='text-align:left'>{one}</th>" for one in _HEADINGS) + "</tr></thead><tbody>"
            )
            for row in self.rows:
                cells = (html.escape(one).replace("\n", "<br>") for one in row)
                lines.append("<tr>" + "".join(f"<td style='text-align:left;vertical-align:top'>{one}</td>" for one in cells) + "</tr>")
            lines.append("</tbody></table>")
        if self.note:
            lines.append(f"<p>{html.escape(self.note)}</p>")
        return "\n".join(lines)


def _called(one: Version) -> str:
    kind = one.kind or "no arguments"
    return f"{kind}, {one.context}" if one.context else kind


def _became(one: Version) -> list[str]:
    if one.function is not None:
        return [f"{made.rule}, line {made.line}: {made.reason}" for made in one.made.result.rewrites]
    if one.made.result.rewrites:
        return ["the original is called"]
    refusals = one.made.result.refusals
    if not refusals:
        return ["as it was: no rule has anything to say"]
    return [f"as it was: {made.rule}, line {made.line}: {made.reason}" for made in refusals]


def _said(one: Version) -> str:
    return one.said or ("" if one.function is None else "not asked for")


def diff_of(written: Written, versions: Sequence[Version]) -> str:
    """One diff of the file for each text that was made; where there are several, each headed by the kinds that it is for."""
    from tfrewrite.report.diff import decoded, unified
    from tfrewrite.source import apply_edits

    kinds: dict[str, list[Version]] = {}
    for one in versions:
        if one.function is not None:
            kinds.setdefault(one.made.text, []).append(one)
    parts = []
    for made in kinds.values():
        result = made[0].made.result
        after = apply_edits(written.as_it_stands, result.edits)
        diff = unified(written.path, written.as_it_stands.encode(), after.encode(), written.as_it_stands, result)
        lines = decoded(diff, "utf-8")
        heading = "".join(f"# for {one.kind}\n" for one in made) if len(kinds) > 1 else ""
        parts.append(heading + "".join(lines))
    return "".join(parts)
