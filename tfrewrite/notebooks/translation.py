"""One code cell as Python: magics, shell lines and help are replaced by what they mean to the program, on the same lines.

What is Python is kept as it is, and it is known of every other character where it comes from. IPython isn't needed: these are the rules of
its input transformers, as far as a program depends on them. The new text uses four names, which no notebook defines:

    __displayed__(x)     the value of a cell's last expression is shown
    __value__()          a value that nobody knows, such as the lines of `files = !ls`
    exec(__unknown__)    text is executed that isn't here: any name may get another value
    for __turn__ in range(__turns__)    what `%timeit` repeats
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from tfrewrite.source import steadily

OPEN = "exec(__unknown__)"
_NOTHING = "pass"
_TURNS = "for __turn__ in range(__turns__): "

_NO_CODE = frozenset({
    "alias", "alias_magic", "autoawait", "autocall", "automagic", "autoreload", "autosave", "bash", "bookmark", "cat", "cd", "clear", "cls", "colors",
    "conda", "config", "connect_info", "cp", "debug", "dhist", "dirs", "doctest_mode", "env", "gui", "hist", "history", "killbgscripts", "ldir",
    "less", "lf", "lk", "ll", "load_ext", "logoff", "logon", "logstart", "logstate", "logstop", "ls", "lsmagic", "lx", "magic", "man", "mamba",
    "matplotlib", "micromamba", "mkdir", "more", "mv", "notebook", "page", "pdb", "pdef", "pdoc", "pfile", "pinfo", "pinfo2", "pip", "popd",
    "pprint", "precision", "psearch", "psource", "pushd", "pwd", "pycat", "qtconsole", "quickref", "rehashx", "reload_ext", "rep", "rm", "rmdir",
    "save", "sc", "set_env", "shell", "subplots", "sx", "system", "tb", "tensorboard", "tensorflow_version", "tfrewrite", "unalias",
    "unload_ext", "uv", "watermark", "who", "who_ls", "whos", "xmode",
})  # fmt: skip
"""Line magics that execute nothing of the notebook and give none of its names another value."""
_OTHER_CODE = frozenset({
    "!", "bash", "cmd", "file", "HTML", "html", "javascript", "js", "latex", "Latex", "markdown", "Markdown", "perl", "pypy", "python", "python2",
    "python3", "ruby", "script", "sh", "shell", "svg", "SVG", "sx", "system", "writefile",
})  # fmt: skip
"""Cell magics whose body isn't executed by this Python."""
_BODY = frozenset({"time", "capture", "tfrewrite", "wandb"})
_REPEATED = frozenset({"timeit", "prun", "memit", "mprun", "lprun"})
_AUTOMAGIC = frozenset({
    "cat", "cd", "clear", "conda", "cp", "env", "load_ext", "ls", "matplotlib", "mkdir", "mv", "pip", "pwd", "reload_ext", "rm", "rmdir", "who", "whos",
})  # fmt: skip

_HELP = re.compile(r"%{0,2}[^\W\d][\w.*\[\]'\"]*\?{1,2}")
_TARGET = r"\*?[^\W\d]\w*(?:\.\w+|\[[^\[\]=]*\])*"
_ASSIGNED = re.compile(rf"(?P<head>{_TARGET}(?:\s*,\s*{_TARGET})*\s*,?\s*=\s*)(?P<escape>[!%])(?!=)(?P<rest>.*)")
_MAGIC = re.compile(r"%(?P<name>[^\W\d][\w.]*)(?P<rest>.*)")
_CELL_MAGIC = re.compile(r"%%(?P<name>[\w!.]+)(?P<rest>.*)")
_OPTIONS = re.compile(r"(\s*-\w+(\s+\d+)?(?=\s|$))*\s*")
_NAMES = re.compile(r"(?<![\w$])\$\{?([^\W\d]\w*)|\{([^{}]*)\}")
_NAME = re.compile(r"[^\W\d]\w*")
_LINE_END = re.compile(r"\r\n|\r|\n")
_FUTURE = re.compile(r"from\s+__future__\s+import\s+[\w\s,]+(#.*)?")
_LEXEME = re.compile(
    r"""(?P<quote>\"\"\"|'''|"|')|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comment>\#[^\r\n]*)"""
    r"""|(?P<joined>\\(?:\r\n|\r|\n))|(?P<end>\r\n|\r|\n)""",
    re.VERBOSE,
)
_QUOTED = {
    quote: re.compile(rf"(?:\\.|(?!{quote})[^\\{'' if len(quote) == 3 else chr(10)}])*(?:{quote})?", re.DOTALL)
    for quote in ('"""', "'''", '"', "'")
}
_LARGEST = 1_000_000  # characters of a cell; what is larger holds data


@dataclass(frozen=True)
class Segment:
    """Where a stretch of the program comes from. If `kept`, it is the cell's own text, character by character."""

    start: int
    end: int
    cell_start: int
    cell_end: int
    kept: bool


@dataclass(frozen=True)
class Translation:
    text: str
    segments: tuple[Segment, ...]
    problem: str = ""
    """Why the cell isn't read, if it isn't: then its text says that anything may happen there."""
    line: int = 0
    """The line of the cell that is to blame."""


def translated(cell: str) -> Translation:
    """A cell's source as Python of the same number of lines."""
    if len(cell) > _LARGEST:
        return _unread(cell, "too large to be code that somebody wrote", 0)
    written = _written(cell)
    text = written.text
    try:
        tree = _compiled(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if _is_automagic(cell):
            return _constant(cell, _NOTHING)
        match error:
            case SyntaxError(lineno=line, msg=str(said)):
                count = len(_LINE_END.findall(cell)) + 1
                return _unread(cell, f"not valid Python: {said}", min(line or 0, count))
            case RecursionError() | MemoryError():
                return _unread(cell, "nested too deep to be analysed", 0)
        return _unread(cell, f"not valid Python: {error}", 0)
    return _displaying(written, tree)


def _compiled(text: str) -> ast.Module:
    """The tree of a cell, which may await at its top."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = steadily(lambda: ast.parse(text))
        compile(tree, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    return tree


def _unread(cell: str, problem: str, line: int) -> Translation:
    constant = _constant(cell, OPEN)
    return Translation(constant.text, constant.segments, problem, line)


def _constant(cell: str, statement: str) -> Translation:
    """A statement in the place of all that a cell holds."""
    text = statement + "".join(_LINE_END.findall(cell))
    return Translation(text, (Segment(0, len(text), 0, len(cell), False),))


def _is_automagic(cell: str) -> bool:
    """Is it `pip install x`: one line whose first word is a magic's name?"""
    words = cell.split()
    return len(cell.strip().splitlines()) == 1 and len(words) > 1 and words[0] in _AUTOMAGIC


class _Writer:
    """Puts a program together of what is kept of a cell and of what takes the place of the rest."""

    def __init__(self, cell: str) -> None:
        self.cell = cell
        self.segments: list[Segment] = []
        self._parts: list[str] = []
        self._size = 0

    def keep(self, start: int, end: int) -> None:
        self._add(self.cell[start:end], start, end, kept=True)

    def put(self, text: str, start: int, end: int) -> None:
        self._add(text, start, end, kept=False)

    def _add(self, text: str, start: int, end: int, *, kept: bool) -> None:
        if text or start < end:
            self.segments.append(Segment(self._size, self._size + len(text), start, end, kept))
            self._parts.append(text)
            self._size += len(text)

    def translation(self) -> Translation:
        return Translation("".join(self._parts), tuple(self.segments))


def _written(cell: str) -> Translation:
    writer = _Writer(cell)
    starts = [0, *(match.end() for match in _LINE_END.finditer(cell))]
    lines = [(start, end) for start, end in pairwise([*starts, len(cell)])]
    first = next((index for index, (start, end) in enumerate(lines) if _says_something(cell[start:end])), None)
    if first is None:
        writer.keep(0, len(cell))
        return writer.translation()
    start, end = lines[first]
    magic = _CELL_MAGIC.match(cell[start:end].rstrip())
    if magic is not None:
        writer.keep(0, start)
        if not _cell_magic(writer, magic["name"], magic["rest"], start, end):
            return writer.translation()
        start = end
    else:
        start = 0
    indent = len(cell[lines[first][0] :]) - len(cell[lines[first][0] :].lstrip(" \t")) if magic is None else 0
    _code(writer, start, cell[lines[first][0] :][:indent])
    return writer.translation()


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _cell_magic(writer: _Writer, name: str, rest: str, start: int, end: int) -> bool:
    """Write the line of a `%%` magic. Is what follows code of the notebook?"""
    cell = writer.cell
    stop = start + len(cell[start:end].rstrip("\r\n"))
    words = [word for word in rest.split() if not word.startswith("-")]
    if name in _BODY and (not words or name != "time"):
        known = name != "capture" or not words or _NAME.fullmatch(words[0])
        given = f"{words[0]} = __value__()" if name == "capture" and words and known else _NOTHING if known else OPEN
        writer.put(given, start, stop)
        writer.keep(stop, end)
        return True
    breaks = "".join(_LINE_END.findall(cell[start:]))
    if name in _OTHER_CODE:
        binds = "--out" in rest or "--err" in rest or "--proc" in rest
        writer.put((OPEN if binds else _NOTHING) + breaks, start, len(cell))
    elif name in _REPEATED and not words and (body := _indented(cell[end:])) is not None:
        writer.put(f"{_TURNS.strip()}{cell[stop:end]}{body}", start, len(cell))
    else:
        writer.put(OPEN + breaks, start, len(cell))
    return False


def _indented(body: str) -> str | None:
    """What is repeated, as a block; None for what is no plain Python."""
    try:
        _compiled(body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not any(_says_something(line) for line in body.splitlines()) or '"""' in body or "'''" in body:
        return None
    return "".join(f"    {line}" for line in body.splitlines(keepends=True))


def _code(writer: _Writer, start: int, indent: str) -> None:
    """Write Python, line by line; what stands where a statement begins may be a magic."""
    cell, position = writer.cell, start
    while position < len(cell):
        if indent and cell.startswith(indent, position):
            writer.put("", position, position + len(indent))
            position += len(indent)
        end = _end_of_line(cell, position)
        if _line(writer, position, end):
            position = end
        else:
            stop = _end_of_statement(cell, position)
            if indent:
                for one in _lines_of(cell, position, stop):
                    lead = len(indent) if one[0] > position and cell.startswith(indent, one[0]) else 0
                    writer.put("", one[0], one[0] + lead)
                    writer.keep(one[0] + lead, one[1])
            else:
                writer.keep(position, stop)
            position = stop


def _lines_of(cell: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    breaks = [match.end() for match in _LINE_END.finditer(cell, start, end)]
    yield from ((one, other) for one, other in pairwise([start, *breaks, end]) if one < other)


def _end_of_line(cell: str, position: int) -> int:
    """The end of a magic's line, with those that a backslash joins to it; before the line break."""
    while True:
        found = _LINE_END.search(cell, position)
        if found is None:
            return len(cell)
        if found.start() == 0 or cell[found.start() - 1] != "\\":
            return found.start()
        position = found.end()


def _end_of_statement(cell: str, position: int) -> int:
    """The beginning of the next line that isn't inside of brackets or of a string."""
    depth = 0
    while True:
        found = _LEXEME.search(cell, position)
        if found is None:
            return len(cell)
        position = found.end()
        match found.lastgroup:
            case "open":
                depth += 1
            case "close":
                depth = max(0, depth - 1)
            case "end" if depth == 0:
                return position
            case "quote":
                body = _QUOTED[found["quote"]].match(cell, position)
                assert body is not None
                position = body.end()


def _line(writer: _Writer, start: int, end: int) -> bool:
    """Write a line that is no Python, or that is best not read as such. Was it one?"""
    raw = writer.cell[start:end]
    text = raw.strip()
    lead = start + len(raw) - len(raw.lstrip())
    stop = start + len(raw.rstrip())
    breaks = "".join(_LINE_END.findall(raw))
    if not text:
        return False
    if text[0] == "?" or _HELP.fullmatch(text) or _FUTURE.fullmatch(text):
        replaced = _NOTHING
    elif text[0] == "!":
        replaced = _shell(text)
    elif text[0] in ",;/" and len(text) > 1 and text[1] not in " =":
        replaced = OPEN
    elif magic := _MAGIC.fullmatch(text.replace("\n", " ").replace("\r", " ")):
        return _line_magic(writer, magic["name"], magic["rest"], (start, lead, stop, end), breaks)
    elif assigned := _ASSIGNED.fullmatch(text.replace("\n", " ").replace("\r", " ")):
        head = lead + len(assigned["head"])
        name = assigned["rest"].split(None, 1)[:1]
        known = assigned["escape"] == "!" or (name and name[0] in _NO_CODE)
        writer.keep(start, head)
        writer.put((_value(assigned["rest"]) if known else OPEN) + breaks, head, end)
        return True
    else:
        return False
    writer.keep(start, lead)
    writer.put(replaced + breaks, lead, end)
    return True


def _line_magic(writer: _Writer, name: str, rest: str, at: tuple[int, int, int, int], breaks: str) -> bool:
    start, lead, stop, end = at
    writer.keep(start, lead)
    options = _OPTIONS.match(rest)
    assert options is not None
    code = stop - len(rest) + options.end()
    if name in ("time", *_REPEATED) and not breaks and _is_simple(writer.cell[code:stop]):
        if name == "time":
            writer.put(f"{_NOTHING}; ", lead, code)
            writer.keep(code, stop)
        else:
            writer.put(_TURNS + writer.cell[code:stop], lead, stop)
        writer.keep(stop, end)
        return True
    replaced = _shell(rest) if name in _NO_CODE else OPEN
    if "KERAS_BACKEND" in rest:
        replaced += f"  # {writer.cell[lead:stop].splitlines()[0]}"  # what Keras computes with is looked for in the text
    writer.put(replaced + breaks, lead, end)
    return True


def _is_simple(code: str) -> bool:
    """Is it Python of one line that may follow another statement?"""
    try:
        body = _compiled(f"pass; {code}").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return len(body) > 1


def _shell(text: str) -> str:
    """What a command means to the program: nothing but the names that are put into it."""
    return value if (value := _value(text)) != "__value__()" else _NOTHING


def _value(text: str) -> str:
    names = dict.fromkeys(name for match in _NAMES.finditer(text) for name in ([match[1]] if match[1] else _NAME.findall(match[2])))
    # In a function that is never called: what `$HOME` is, the shell knows.
    return f"__value__(lambda: ({', '.join(names)},))" if names and _is_simple(f"({', '.join(names)},)") else "__value__()"


def _displaying(written: Translation, tree: ast.Module) -> Translation:
    """With the value of the last expression shown, if that is one and no semicolon follows it."""
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        return written
    starts = [0, *(match.end() for match in _LINE_END.finditer(written.text))]
    start, end = (
        _character(written.text, starts, *place)
        for place in ((last.lineno, last.col_offset), (last.end_lineno or 0, last.end_col_offset or 0))
    )
    around = [one for one in written.segments if one.start <= start and end <= one.end and one.kept]
    rest = re.sub(r"#[^\r\n]*", "", written.text[end:]).strip()
    match last.value:
        case ast.Call(func=ast.Name(id="print")):
            return written
    if not around or rest.startswith(";"):
        return written
    opening, closing = "__displayed__(", ")"
    if isinstance(last.value, ast.Tuple) and not written.text.startswith("(", start):
        opening, closing = "__displayed__((", "))"
    segments: list[Segment] = []
    moved = 0
    for one in written.segments:
        if one is not around[0]:
            segments.append(Segment(one.start + moved, one.end + moved, one.cell_start, one.cell_end, one.kept))
            continue
        shift = one.cell_start - one.start
        a, b, c, d = one.start, start, end, one.end
        segments += [
            Segment(a, b, a + shift, b + shift, True),
            Segment(b, b + len(opening), b + shift, b + shift, False),
            Segment(b + len(opening), c + len(opening), b + shift, c + shift, True),
            Segment(c + len(opening), c + len(opening) + len(closing), c + shift, c + shift, False),
            Segment(c + len(opening) + len(closing), d + len(opening) + len(closing), c + shift, d + shift, True),
        ]
        moved = len(opening) + len(closing)
    text = f"{written.text[:start]}{opening}{written.text[start:end]}{closing}{written.text[end:]}"
    return Translation(text, tuple(segments))


def _character(text: str, starts: list[int], line: int, column: int) -> int:
    """The character at a place of the tree, whose columns count bytes."""
    start = starts[line - 1]
    stop = starts[line] if line < len(starts) else len(text)
    return start + len(text[start:stop].encode()[:column].decode())
