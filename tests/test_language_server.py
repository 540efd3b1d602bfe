"""The language server, spoken to by a client as an editor speaks to it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from conftest import FIRED, FIRES, REFUSED, ROOT
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

TYPED = FIRES.replace("# a comment", "# 🙂 ünïcode").replace("    total.assign", "    '🙂🙂'; total.assign")


class Editor:
    """One document after the other, and what the server has said about each."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.published: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()
        self.messages: list[str] = []
        client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self.published.put_nowait(params))
        client.feature(lsp.WINDOW_SHOW_MESSAGE)(lambda params: self.messages.append(params.message))

    async def open(self, path: Path, text: str) -> list[lsp.Diagnostic]:
        item = lsp.TextDocumentItem(path.as_uri(), "python", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return list((await self.next()).diagnostics)

    def type(self, path: Path, version: int, text: str) -> None:
        identifier = lsp.VersionedTextDocumentIdentifier(version, path.as_uri())
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, [change]))

    async def next(self) -> lsp.PublishDiagnosticsParams:
        return await asyncio.wait_for(self.published.get(), 120)

    async def actions(self, path: Path, line: int, only: list[str] | None = None) -> list[lsp.CodeAction]:
        place = lsp.Range(lsp.Position(line, 0), lsp.Position(line, 1))
        context = lsp.CodeActionContext([], only=only)
        params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(path.as_uri()), place, context)
        found = await self.client.text_document_code_action_async(params)
        return [one for one in found or [] if isinstance(one, lsp.CodeAction)]


def applied(text: str, action: lsp.CodeAction) -> str:
    """The text after the action, in an editor that counts in UTF-16."""
    assert action.edit is not None and action.edit.document_changes is not None
    (change,) = action.edit.document_changes
    assert isinstance(change, lsp.TextDocumentEdit)
    units = text.encode("utf-16-le")
    starts = [0, *(index + 2 for index in range(0, len(units), 2) if units[index : index + 2] == b"\n\0")]

    def offset(position: lsp.Position) -> int:
        return starts[position.line] + 2 * position.character

    for edit in sorted(change.edits, key=lambda one: offset(one.range.start), reverse=True):
        assert isinstance(edit, lsp.TextEdit)
        units = units[: offset(edit.range.start)] + edit.new_text.encode("utf-16-le") + units[offset(edit.range.end) :]
    return units.decode("utf-16-le")


@pytest.fixture
def talk(tmp_path: Path) -> Callable[[Callable[[Editor], Coroutine[Any, Any, None]]], None]:
    async def session(what: Callable[[Editor], Coroutine[Any, Any, None]]) -> None:
        client = LanguageClient("tests", "1")
        editor = Editor(client)
        environ = {**os.environ, "PYTHONPATH": str(ROOT)}
        await client.start_io(sys.executable, "-m", "tfrewrite", "lsp", env=environ, cwd=tmp_path)
        await client.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), root_uri=tmp_path.as_uri()))
        client.initialized(lsp.InitializedParams())
        try:
            await what(editor)
        finally:
            await client.shutdown_async(None)
            client.exit(None)
            ending: Any = client  # which has no types
            await ending.stop()

    return lambda what: asyncio.run(session(what))


def test_what_an_editor_shows(talk: Callable[..., None], tmp_path: Path) -> None:
    path = tmp_path / "train.py"

    async def session(editor: Editor) -> None:
        (found,) = await editor.open(path, TYPED)
        assert (found.source, found.code, found.severity) == ("tfrewrite", "assign_add", lsp.DiagnosticSeverity.Information)
        # The faces count twice for the editor.
        start = TYPED.splitlines()[6].index("total") + 2
        assert (found.range.start.line, found.range.start.character) == (6, start)
        fix, all_of_them = await editor.actions(path, 6)
        expected = TYPED.replace("total.assign(total + tf.ones([1000, 1000]))", "total.assign_add(tf.ones([1000, 1000]))")
        assert applied(TYPED, fix) == applied(TYPED, all_of_them) == expected
        assert fix.kind == lsp.CodeActionKind.QuickFix and str(all_of_them.kind) == "source.fixAll.tfrewrite"
        assert [str(one.kind) for one in await editor.actions(path, 0, ["source.fixAll"])] == ["source.fixAll.tfrewrite"]
        assert await editor.actions(path, 0, ["refactor"]) == []
        params = lsp.HoverParams(lsp.TextDocumentIdentifier(path.as_uri()), lsp.Position(6, 3))
        hover = await editor.client.text_document_hover_async(params)
        assert hover is not None and isinstance(hover.contents, lsp.MarkupContent) and "# assign_add" in hover.contents.value
        nothing = lsp.HoverParams(lsp.TextDocumentIdentifier(path.as_uri()), lsp.Position(0, 0))
        assert await editor.client.text_document_hover_async(nothing) is None

    talk(session)


def test_what_is_typed_is_analysed_when_typing_pauses(talk: Callable[..., None], tmp_path: Path) -> None:
    path = tmp_path / "train.py"

    async def session(editor: Editor) -> None:
        assert await editor.open(path, "import tensorflow as tf\n") == []
        for version, size in enumerate(range(1, 30), 2):
            editor.type(path, version, FIRES[: size * 8])  # most of these are no Python
        editor.type(path, 40, FIRES)
        while (told := await editor.next()).version != 40:
            assert not told.diagnostics
        assert [one.code for one in told.diagnostics] == ["assign_add"]
        editor.type(path, 41, FIRED)
        assert not (await editor.next()).diagnostics
        editor.type(path, 42, "def broken(:\n")
        assert not (await editor.next()).diagnostics

    talk(session)


def test_settings_refusals_and_files_that_are_saved(talk: Callable[..., None], tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    (tmp_path / "pyproject.toml").write_text('[tool.tfrewrite]\nignore = ["assign_add"]\n')

    async def session(editor: Editor) -> None:
        assert await editor.open(path, FIRES) == []
        (tmp_path / "pyproject.toml").write_text("[tool.tfrewrite]\nignore = 3\n")
        editor.client.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(path.as_uri())))
        assert not (await editor.next()).diagnostics
        assert len(editor.messages) == 1 and "has to be a list of rule names" in editor.messages[0]
        (tmp_path / "pyproject.toml").unlink()
        editor.client.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(path.as_uri())))
        assert [one.code for one in (await editor.next()).diagnostics] == ["assign_add"]
        (refused,) = await editor.open(tmp_path / "other.py", REFUSED)
        assert refused.severity == lsp.DiagnosticSeverity.Hint and "is not known to have rank 2" in refused.message
        editor.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(path.as_uri())))
        closed = await editor.next()
        assert closed.uri == path.as_uri() and not closed.diagnostics

    talk(session)
