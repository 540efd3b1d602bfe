"""`tfrewrite lsp`: an editor's view. Diagnostics while one types, hover with the rule's page, quick fixes, and "fix all".

It needs pygls. A document is analysed as it stands in the editor when nobody has typed for a moment, in a thread, so that the editor
never waits; what was found is dropped where the text has changed since.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from tfrewrite import __version__, catalogue
from tfrewrite.garbage import collect
from tfrewrite.outcomes import Edit
from tfrewrite.process import process
from tfrewrite.projects import Projects
from tfrewrite.report import pages
from tfrewrite.report.annotations import Annotation, Level, annotations_of, evidence
from tfrewrite.runner import Request, surroundings
from tfrewrite.session import change
from tfrewrite.settings import Settings, SettingsError, load
from tfrewrite.source import SourceError

NAME = "tfrewrite"
PAUSE = 0.1
"""Seconds without a keystroke, after which a document is analysed."""
FIX_ALL = f"{lsp.CodeActionKind.SourceFixAll.value}.{NAME}"
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_SEVERITIES = {
    Level.WARNING: lsp.DiagnosticSeverity.Information,
    Level.NOTE: lsp.DiagnosticSeverity.Hint,
}


@dataclass(frozen=True)
class Analysis:
    """What there is to say about a text. Lines count from 1, as in all reports."""

    text: str
    annotations: Sequence[Annotation] = ()
    edits: Sequence[Edit] = ()


@dataclass
class _State:
    """What the server knows; all of it can be found out again."""

    found: dict[str, Analysis] = field(default_factory=dict)
    waiting: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    projects: Projects = field(default_factory=Projects)
    told: set[str] = field(default_factory=set)
    """Problems with settings that were shown."""


def analysed(path: str, text: str, settings: Settings, projects: Projects) -> Analysis:
    """Take a text through the engine. One that can't be parsed, as while somebody types, has nothing to say."""
    if _LONE_RETURN.search(text):
        return Analysis(text)  # tools disagree on what its lines are
    request = Request.of(settings)
    data = text.encode("utf-8", "surrogatepass")
    options = request.options_for(request.options(), path, surroundings(request, projects)(path))
    outcome = process(data, path, options)
    if outcome.failure is not None:
        return Analysis(text)
    try:
        changed = change(outcome, data) if outcome.changed else None
    except SourceError:
        return Analysis(text)
    told = [one for one in annotations_of(outcome, changed, verbose=True) if _is_worth_telling(one)]
    return Analysis(text, told, outcome.result.edits)


def _is_worth_telling(one: Annotation) -> bool:
    """Of what is left alone, only that about which the author can do something."""
    return one.refusal is None or one.refusal.reported or bool(one.refusal.remedy) or one.refusal.offered


def server() -> LanguageServer:
    language_server = LanguageServer(NAME, __version__)
    state = _State()

    async def analyse(uri: str) -> Analysis:
        document = language_server.workspace.get_text_document(uri)
        known = state.found.get(uri)
        if known is not None and known.text == document.source:
            return known
        found = await asyncio.to_thread(_analysed_or_nothing, language_server, state, _path(document), document.source)
        state.found[uri] = found
        return found

    async def publish(uri: str, pause: float) -> None:
        await asyncio.sleep(pause)
        found = await analyse(uri)
        document = language_server.workspace.get_text_document(uri)
        if document.source == found.text:
            diagnostics = [_diagnostic(one, document) for one in found.annotations]
            language_server.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics, version=document.version)
            )
        await asyncio.to_thread(collect)

    def soon(uri: str, pause: float) -> None:
        if (waiting := state.waiting.pop(uri, None)) is not None:
            waiting.cancel()
        state.waiting[uri] = asyncio.get_running_loop().create_task(publish(uri, pause))

    @language_server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        soon(params.text_document.uri, 0.0)

    @language_server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def typed(params: lsp.DidChangeTextDocumentParams) -> None:
        soon(params.text_document.uri, PAUSE)

    @language_server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        # Other files may call what this one defines, and the other way round; settings may have been what was saved.
        state.projects = Projects()
        state.found.clear()
        for uri in list(state.waiting):
            soon(uri, 0.0)

    @language_server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        if (waiting := state.waiting.pop(uri, None)) is not None:
            waiting.cancel()
        state.found.pop(uri, None)
        language_server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri=uri, diagnostics=[]))

    @language_server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        found = await analyse(params.text_document.uri)
        line = params.position.line + 1
        here = [one for one in found.annotations if one.line <= line <= one.end_line]
        if not here:
            return None
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n---\n\n".join(map(_page, here))))

    kinds = [lsp.CodeActionKind.QuickFix, FIX_ALL]

    @language_server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=kinds))
    async def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = params.text_document.uri
        found = await analyse(uri)
        document = language_server.workspace.get_text_document(uri)
        if document.source != found.text:
            return []
        first, last = params.range.start.line + 1, params.range.end.line + 1
        fixes = [_fix(one, document) for one in found.annotations if one.patches and one.line <= last and first <= one.end_line]
        whole = [_fix_all(found, document)] if found.edits else []
        return [one for one in (*fixes, *whole) if _is_asked_for(one, params.context.only)]

    return language_server


def _analysed_or_nothing(language_server: LanguageServer, state: _State, path: str, text: str) -> Analysis:
    try:
        return analysed(path, text, load([path]), state.projects)
    except (SettingsError, catalogue.CatalogueError) as error:
        if str(error) not in state.told:
            state.told.add(str(error))
            language_server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, f"{NAME}: {error}"))
        return Analysis(text)


def _path(document: TextDocument) -> str:
    """A text that was never saved has no place in any project."""
    return to_fs_path(document.uri) or os.path.basename(document.uri)


def _is_asked_for(action: lsp.CodeAction, only: Sequence[str | lsp.CodeActionKind] | None) -> bool:
    kind = str(getattr(action.kind, "value", action.kind))
    wanted = [str(getattr(one, "value", one)) for one in only or ()]
    return not wanted or any(kind == one or kind.startswith(f"{one}.") for one in wanted)


def _diagnostic(one: Annotation, document: TextDocument) -> lsp.Diagnostic:
    last = _line(document, one.end_line)
    first, end = one.columns or (len(last) - len(last.lstrip()) + 1, len(last) + 1)
    start = first if one.line == one.end_line or one.columns else 1
    return lsp.Diagnostic(
        range=_range(document, (one.line - 1, start - 1), (one.end_line - 1, end - 1)),
        message=f"{one.title}: {one.message}",
        severity=lsp.DiagnosticSeverity.Warning if one.refusal is not None and one.refusal.reported else _SEVERITIES[one.level],
        code=one.rules[0],
        source=NAME,
    )


def _line(document: TextDocument, number: int) -> str:
    lines = _LINE.findall(document.source)
    return lines[number - 1].rstrip("\r\n") if 0 < number <= len(lines) else ""


def _range(document: TextDocument, start: tuple[int, int], end: tuple[int, int]) -> lsp.Range:
    """In the units that the editor counts in, which is not always characters."""
    characters = lsp.Range(lsp.Position(*start), lsp.Position(*end))
    return document.position_codec.range_to_client_units(_LINE.findall(document.source), characters)


def _fix(one: Annotation, document: TextDocument) -> lsp.CodeAction:
    edits = [
        lsp.TextEdit(_range(document, (patch.first - 1, 0), (patch.last - 1, len(_line(document, patch.last)))), patch.after)
        for patch in one.patches
    ]
    title = f"Rewrite with {', '.join(one.rules)}"
    return lsp.CodeAction(
        title=title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[_diagnostic(one, document)],
        edit=_workspace_edit(document, edits),
        is_preferred=True,
    )


def _fix_all(found: Analysis, document: TextDocument) -> lsp.CodeAction:
    edits = [
        lsp.TextEdit(_range(document, _position(found.text, edit.start), _position(found.text, edit.end)), edit.text)
        for edit in found.edits
    ]
    return lsp.CodeAction(title="Make all rewrites of tfrewrite", kind=FIX_ALL, edit=_workspace_edit(document, edits))


def _position(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset), offset - (text.rfind("\n", 0, offset) + 1)


def _workspace_edit(document: TextDocument, edits: Sequence[lsp.TextEdit]) -> lsp.WorkspaceEdit:
    named = lsp.OptionalVersionedTextDocumentIdentifier(uri=document.uri, version=document.version)
    return lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(text_document=named, edits=list(edits))])


def _page(one: Annotation) -> str:
    grounds = ", ".join(dict.fromkeys(evidence(rewrite) for rewrite in one.rewrites))
    parts = [f"**{one.title}**{f' ({grounds})' if grounds else ''}", one.message]
    for name in one.rules:
        (listed,) = catalogue.chosen([name], [])
        parts.append(pages.rule_markdown(listed.load()))
    return "\n\n".join(parts)
