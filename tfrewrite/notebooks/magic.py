"""`%load_ext tfrewrite`, then `%%tfrewrite` on a cell: shows what would be rewritten in it, and runs it as it is.

The cells that were run so far, in the order in which they were run, are the program before it.
"""

from __future__ import annotations

import ast
import shlex
from collections.abc import Iterator, Sequence
from typing import Any

import click

from tfrewrite.cli import rewrite_options
from tfrewrite.engine import InternalError, Options, rewrite
from tfrewrite.notebooks.program import Notebook
from tfrewrite.plain_text import counted
from tfrewrite.report.notebook_diff import by_cell
from tfrewrite.report.terminal import refusal_line
from tfrewrite.results import Applied, Result
from tfrewrite.runner import Request
from tfrewrite.source import SourceError

_NAME = "In"


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext tfrewrite` calls."""

    def tfrewrite(line: str, cell: str) -> None:
        print(preview(earlier_cells(shell, cell), cell, line), end="")
        result = shell.run_cell(cell, store_history=False)
        if not result.success:
            raise _Failed

    shell.register_magic_function(tfrewrite, "cell", "tfrewrite")


class _Failed(Exception):
    """The cell has failed, and its own error was shown: a notebook that is run as a whole ends here."""

    def _render_traceback_(self) -> list[str]:
        return []


def earlier_cells(shell: Any, cell: str) -> list[tuple[int, str]]:
    """What was executed before the cell that runs now, without what was replaced since: a cell that was run again, or defined anew."""
    manager = getattr(shell, "history_manager", None)
    inputs: Sequence[str] = shell.user_ns["In"] if manager is None else manager.input_hist_raw
    cells = [(count, text) for count, text in enumerate(inputs) if count and text.strip()]
    if cells and "%%tfrewrite" in cells[-1][1] and cells[-1][1].rstrip().endswith(cell.rstrip()):
        cells.pop()  # the one that runs
    last = {text: count for count, text in cells}
    return [(count, text) for count, text in cells if last[text] == count]


def preview(before: Sequence[tuple[int, str]], cell: str, line: str = "") -> str:
    """What to say about a cell that follows others."""
    try:
        options, verbose = _options(line)
    except click.ClickException as error:
        return f"tfrewrite: {error.format_message()}\n"
    number = max((count for count, _ in before), default=0) + 1
    try:
        notebook = Notebook([*_current(before, cell), (number, cell)], _NAME)
        if notebook.problem_of(number):
            return ""  # IPython says it better
        result = notebook.placed(rewrite(notebook, _only(options, notebook, number)))
    except (SourceError, InternalError) as error:
        return f"tfrewrite: {error}\n"
    return "".join(_said(notebook, result, number, verbose=verbose))


def _options(line: str) -> tuple[Options, bool]:
    @click.command("%%tfrewrite", add_help_option=False)
    @rewrite_options
    @click.option("-v", "--verbose", is_flag=True)
    def asked(verbose: bool, **chosen: Any) -> tuple[Options, bool]:
        given = {name: value for name, value in chosen.items() if value is not None}
        return Request(**given).options(), verbose

    found: tuple[Options, bool] = asked.main(shlex.split(line), standalone_mode=False)
    return found


def _only(options: Options, notebook: Notebook, number: int) -> Options:
    def wanted(one: Applied) -> bool:
        return notebook.cells.place(one.line)[0] == number

    return Options(options.rules, options.unsafe, options.fidelity, wanted=wanted, purposes=options.purposes)


def _current(before: Sequence[tuple[int, str]], cell: str) -> list[tuple[int, str]]:
    """The cells but for those that only define what is defined again later."""
    kept: list[tuple[int, str]] = []
    later = _defined(cell)[0]
    for count, text in reversed(before):
        defines, only = _defined(text)
        if not (only and defines and defines <= later):
            kept.append((count, text))
        later |= defines
    return kept[::-1]


def _defined(text: str) -> tuple[frozenset[str], bool]:
    """The functions and classes that a cell defines, and whether it does nothing else."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return frozenset(), False
    found = [one for one in body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
    return frozenset(one.name for one in found), len(found) == len(body)


def _said(notebook: Notebook, result: Result, number: int, *, verbose: bool) -> Iterator[str]:
    refused = [one for one in result.refusals if notebook.cells.place(one.line)[0] == number]
    if result.edits:
        yield from (line.decode() for line in by_cell(notebook, result, lambda cell: f"{_NAME} [{cell}]"))
    else:
        yield "tfrewrite: nothing to rewrite in this cell"
        if refused and not verbose:
            yield f"; {counted(len(refused), 'place')} left alone (%%tfrewrite -v says why)"
        yield "\n"
    if verbose:
        for one in refused:
            yield f"{refusal_line(f'line {notebook.cells.place(one.line)[1]}', one)}\n"
