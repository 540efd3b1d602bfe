"""Files as they are in the world: read, placed, taken apart and put together again to the byte."""

from __future__ import annotations

import ast
import codecs
import pickle
import re
import sys
import time
import tokenize
from collections.abc import Iterator
from typing import Any

import gast
import pytest
from conftest import ROOT
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tfrewrite import trees
from tfrewrite.engine import compose
from tfrewrite.outcomes import Edit
from tfrewrite.source import Conflict, Source, SourceError, Span, apply_edits

BOM = codecs.BOM_UTF8
FUZZ = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def ascii_start(text: str) -> str:
    return ascii(text[:12])


def read(data: bytes | str) -> Source:
    return Source.from_bytes(data.encode() if isinstance(data, str) else data, "x.py")


def refusal(data: bytes | str) -> SourceError:
    with pytest.raises(SourceError) as found:
        _ = read(data).tree
    assert found.value.path == "x.py" and found.value.message
    assert str(found.value).startswith("x.py")
    return found.value


# Bytes


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"x = 1",
        b"x = 1\r\ny = 2\r\n",
        b"x = 1\ry = 2\r",
        b"x = 1\ny = 2\r\nz = 3\rw = 4",
        b"if x:\n\ty = 1\n\tz = 2\n",
        b"\x0cx = 1\n\x0c\ny = 2\n",
        b"x = '\x0b\x0c\x1c'  # \x0b \x0c \x1c \x1d \x1e\ny = 2\n",
        "x = '\u2028\x85'  # \u2028 \x85\ny = 2\n".encode(),
        BOM,
        BOM + b"x = 1\r\n",
        BOM + b"# coding: utf-8\nx = 1\n",
        BOM + b"# coding: utf-8-sig\nx = 1\n",
        b"# coding: utf-8-sig\nx = '\xc3\xa9'\n",
        b"# -*- coding: latin-1 -*-\nx = '\xe9'  # \xff\n",
        b"#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\nx = '\x80'\n",
        b"# coding: shift_jis\nx = '" + "表示".encode("shift_jis") + b"'\n",
        b"# coding: euc-jp\r\nx = '" + "表示".encode("euc-jp") + b"'\r\n",
        "größe = 'ä' + '𝄞' + 'e\u0301'\n".encode(),
        b"x = 1 \\\n  + 2; y = 3\n",
        b"if x: y = 1; z = 2\n",
    ],
)
@pytest.mark.smoke
def test_comes_out_as_it_went_in(data: bytes) -> None:
    source = read(data)
    assert source.to_bytes() == data
    assert source.to_bytes(source.apply([])) == data
    assert source.with_text(source.text).to_bytes() == data
    assert isinstance(source.tree, gast.Module)
    for token in source.tokens:
        assert source.text[token.start : token.end].replace("\r\n", "\n").replace("\r", "\n") == token.string.replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"# coding: no-such\nx = 1\n", 1, "unknown encoding"),
        (b"# coding: no-such\nx = '\xe9'\n", 1, "unknown encoding"),
        (BOM + b"# coding: latin-1\nx = 1\n", 1, "encoding"),
        (b"# coding: rot13\nk = 1\n", 1, "rot13"),
        (b"# coding: hex\n", 1, "hex"),
        (b"# coding: undefined\nx = 1\n", 1, "undefined"),
        (b"x = 1\ny = '\xe9'\n", 2, "utf-8"),
        (b"x = 1\r\ry = '\xe9'\r", 3, "utf-8"),
        (b"# one\n\xff\n", 2, "utf-8"),
        (b"# a\n# b\n# c\n# \xff\n", 4, "utf-8"),
        (b"# coding: ascii\nx = 1\ny = '\xe9'\n", 3, "ascii"),
        (b"x = 1\ny = '\x00'\n", 2, "null byte"),
        (b"x = 1\n\x00", 2, "null byte"),
        ("\ufeff\ufeffx = 1\n".encode(), 1, "U+FEFF"),
        (b"\xff\xfex\x00 \x00=\x00", 1, "utf-8"),
        (b"x = (1\n", 1, "never closed"),
        (b"x = 1\n  y = 2\n", 2, "unexpected indent"),
        (b"if x:\n\ty = 1\n        z = 2\n", 3, "tabs"),
        (b"x = '''\n", 1, "unterminated"),
        ("x = 1\ny = “2”\n".encode(), 2, "U+201C"),
        (b"x = 1\r\ny = $\r\n", 2, "not valid Python"),
    ],
)
@pytest.mark.smoke
def test_what_cannot_be_read_is_told_with_its_line(data: bytes, line: int, words: str) -> None:
    error = refusal(data)
    assert error.line == line
    assert words.lower() in error.message.lower()
    assert str(error).startswith(f"x.py:{line}: ")


@pytest.mark.parametrize(
    "statement",
    ["print 'a'", "print x, y", "exec 'x = 1'", "raise ValueError, 'no'", "x = 0777", "x = 10L", "x = ur'a'", "x <> y"],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_python_2_is_named_with_its_line(statement: str, end: str) -> None:
    error = refusal(f"# 0777 print 'old'{end}x = 'print 1'{end}{statement}{end}")
    assert error.line == 3 and "Python 2" in error.message


def test_python_2_except_is_named_with_its_line() -> None:
    error = refusal("try:\n    f()\nexcept (A, B), e:\n    pass\n")
    assert error.line == 3 and "Python 2" in error.message


def test_broken_python_3_is_not_called_python_2() -> None:
    assert "Python 2" not in refusal("x = 'print 1'\ny = (\n").message
    assert "Python 2" not in refusal("mode = 0o777\nprinter = = 2\n").message


def test_errors_travel_between_processes() -> None:
    error = refusal("x = (\n")
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.path, copy.line, copy.message, str(copy)) == (error.path, error.line, error.message, str(error))
    assert str(SourceError("x.py", 0, "no")) == "x.py: no"


# Size and depth


def test_fifty_thousand_lines() -> None:
    text = "".join(f"def f_{i}(x, y=({i})):  # é {i}\n    z = (x +  # why\n         y); return z\n\n\n" for i in range(10_000))
    source = read(text)
    start = time.process_time()
    nodes = [(node, parent) for parent in gast.walk(source.tree) for node in gast.iter_child_nodes(parent) if isinstance(node, gast.expr)]
    for node, parent in nodes:
        source.outer_span(node, parent)
    for node, _ in nodes[::10]:
        source.comments_in(source.span(node))
    assert len(source.comments) == 20_000
    assert source.apply([Edit(token.start, token.end, "#") for token in source.comments]).count("# ") == 0
    # Seconds of the processor; anything that looks at the whole file for each node takes minutes.
    assert time.process_time() - start < 30


@pytest.mark.parametrize("letter", ["a", "é"])
def test_one_line_of_a_megabyte(letter: str) -> None:
    source = read("x = [" + f"'{letter}', " * 60_000 + "]\n")
    start = time.process_time()
    constants = source.tree.body[0].value.elts
    assert {source.text_of(node) for node in constants} == {f"'{letter}'"}
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    "text",
    [
        " + ".join(["a"] * 5000),
        " + ".join(["a"] * 100_000),
        "(" * 5000 + "a" + ")" * 5000,
        "(" * 150 + "a" + ")" * 150,
        "[" * 90 + "]" * 90,
        "f(" * 90 + ")" * 90,
        "f(" * 5000 + ")" * 5000,
        "f" + "()" * 5000,
        "f" + ".a" * 20_000,
        "x" + "[0]" * 3000,
        "not " * 5000 + "a",
        "-" * 5000 + "a",
        "lambda: " * 3000 + "a",
        "a if b else " * 3000 + "c",
        "a ** " * 3000 + "b",
        "if a:\n    pass\n" + "elif a:\n    pass\n" * 5000,
        "".join("    " * i + "if a:\n" for i in range(95)) + "    " * 95 + "pass\n",
        "".join(" " * i + "if a:\n" for i in range(3000)) + " " * 3000 + "pass\n",
        "x = '" + "a" * 1_000_000 + "'",
        "x = " + "'a' " * 20_000,
        "x = " + "1, " * 50_000,
    ],
    ids=lambda text: ascii(text[:12]),
)
@pytest.mark.smoke
def test_depth(text: str) -> None:
    source = read(text)
    try:
        tree = source.tree
    except SourceError as error:
        assert "nested" in error.message or "indentation" in error.message, error
        return
    assert source.tokens
    for node in list(walk(tree))[:50]:
        if isinstance(node, gast.expr):
            assert source.text_of(node)


# The tree is the one that gast would make

CONSTRUCTS = """
import os.path as p, sys
from . import *
@decorated(1, *a, k=2, **b)
class C(Base, metaclass=M):
    x: int = 1
    (y): "str"
    def method(self, a, /, b: int = 1, *c: str, d=2, e, **f) -> None:
        global g
        nonlocal_ = lambda u, v=0, *w, z, **q: (yield)
        try:
            raise E(1) from None
        except (A, B) as e:
            del x[1:2, ..., ::3], e
        except:
            pass
        else:
            assert x, "y"
        finally:
            return not -x ** ~y @ z // +w
async def co():
    async with a as b, c:
        async for i, *j in d:
            await e
        else:
            break
    return [i async for i in x if i if j], {**a, 1: 2}, {1, *b}, {k: v for k, v in z}, (i for i in x)
while (n := f(1.5j, b"x", u"y", None, True, ...)) < 2 <= 3 is not 4 in d not in e:
    x += f"{n!r:>{width}} and {n=}" if a and b or c else x.y[0]
with (open("a") as f, g): x = y = 1
match x:
    case {"a": [1, *rest], **more} | C(1, k=None) if y: pass
    case -1 | "s" | a.b as name: pass
    case _: pass
"""


def assert_same(made: Any, wanted: Any) -> None:
    assert type(made) is type(wanted)
    match made:
        case list():
            assert len(made) == len(wanted)
            for one, other in zip(made, wanted, strict=True):
                assert_same(one, other)
        case ast.AST():
            assert vars(made).keys() == vars(wanted).keys()
            for name, value in vars(made).items():
                assert_same(value, vars(wanted)[name])
        case _:
            assert repr(made) == repr(wanted)


@pytest.mark.parametrize(
    "text", [CONSTRUCTS, "", *(path.read_text() for path in sorted((ROOT / "tfrewrite").glob("*.py")))], ids=ascii_start
)
def test_the_tree_is_that_of_gast(text: str) -> None:
    assert_same(trees.as_gast(ast.parse(text)), gast.gast.ast_to_gast(ast.parse(text)))


def test_types_of_newer_versions() -> None:
    text = "type A[T: int, *Ts, **P] = list[T]\ndef f[T](x: T): pass\nclass C[T]: pass\n"
    if sys.version_info >= (3, 12):
        assert_same(trees.as_gast(ast.parse(text)), gast.gast.ast_to_gast(ast.parse(text)))


def test_the_trees_of_others_stay_as_they_are() -> None:
    trees.as_gast(ast.parse(CONSTRUCTS))
    other = ast.parse("x = a and not b + (c < d)\ny += 1\n")
    assert all(type(node).__module__ == "ast" for node in ast.walk(other))


# Every node of odd files


def walk(node: Any) -> Iterator[Any]:
    """All nodes, however deep, but nothing inside of an f-string, which has no place in the text before Python 3.12."""
    stack = [node]
    while stack:
        one = stack.pop()
        yield one
        if not isinstance(one, ast.JoinedStr | gast.JoinedStr):
            stack.extend(child for child in (ast.iter_child_nodes if isinstance(one, ast.AST) else gast.iter_child_nodes)(one))


SIMPLE = [
    "x = 1",
    "größe: int = (a)",
    "a, *b = (c), d",
    "x = y = ((z))",
    "x += (yield_)",
    "x = a if (b) else (c)",
    "x = (a, b)[(0)]",
    "x = m[1:(2), ..., ::3]",
    "x = 'é' 'ü' + \"𝄞\"",
    "x = '''a\n  b # no comment\n'''",
    "x = f'{a!r:>{b}} {{é}}'",
    "x = f'''{\n a}'''",
    "x = b'a' if not (a) else -(+b)",
    "x = (a  # why\n  + b)",
    "x = \\\n  a + \\\n  b",
    "x = [\n  1,  # one\n  2,\n]",
    "x = {**a, 'k': (v)}",
    "x = {1, *b}",
    "f((a), *(b), k=(c), **(d))",
    "f(a,)",
    "f((a for a in b))",
    "f(a for a in b)",
    "f(a)(b)((c))",
    "(f)(a)",
    "f(\n  # before\n  a,  # after\n  (\n   b  # inside\n  ),\n)",
    "(lambda a, *b, c=(1), **d: (a))",
    "x = [(a) for a in (b) if (c) if d]",
    "x = {a: b for a, b in c}",
    "(n := (1))",
    "x = (a) < (b) <= c",
    "x = (a) and (b) or not c",
    "del (a), b[0]",
    "assert (a), (b)",
    "raise (A) from (b)",
    "import a.b as c, d",
    "from a import (b, c as d)",
    "from . import (e)",
    "global g",
    "pass",
    "...",
    "'docstring é'",
    "(a).b.c.d",
    "x = (((a)).b)(c)",
    "x = a @ (b) ** -(c)",
    "x = 0x1F + 1_000 + 1j + .5",
    "x: (int)",
    "print(a, end='')",
]
COMPOUND = [
    "if (a):\n{}\nelif (b):\n{}\nelse:\n{}",
    "for (i), j in (k):\n{}\nelse:\n{}",
    "while (a):\n{}",
    "with (a) as b, (c):\n{}",
    "with (a):\n{}",
    "try:\n{}\nexcept (A) as e:\n{}\nelse:\n{}\nfinally:\n{}",
    "def f(a, /, b: (int) = (1), *c, d=(2), **e) -> (int):\n{}",
    "@(dec)\n@dec2((a))\ndef f(\n    a,  # first\n):\n{}",
    "async def f():\n  async with (a) as b:\n    x = (await (b))\n  async for i in (c): pass\n  x = [i async for i in (d)]\n",
    "class A:\n{}",
    "class A(B):\n{}",
    "@dec\nclass A((B), C, metaclass=(M)):\n{}",
    "class A(((B))):\n{}",
    "match (a):\n  case 1 | (2) | None:\n    pass\n  case A(b, k=(1)) if (c):\n    pass\n  case [x, *_] | {{'k': x, **_}}:\n    pass\n  case str() as s:\n    pass",
    "with (\n  (a) as b,\n  c as d,\n):\n{}",
    "def f():\n  return (yield (a))\n",
    "def f(): return (a)",
    "if a: x = (1); y = 2",
]
if sys.version_info >= (3, 11):
    COMPOUND.append("try:\n{}\nexcept* (A, B) as e:\n{}")
if sys.version_info >= (3, 12):
    SIMPLE += [
        "x = f'{f'{'a' + (b)}'}'",
        "x = f'é{ (a) + f(b)  # é\n }é' + (c)",
        "type X[T: (int)] = (list[T])",
        "x = f'{{{(a)}}}' + (b)",
    ]
    COMPOUND += ["def f[T, *Ts, **P](a: (T)) -> T:\n{}", "class A[T: (int)]((B), C):\n{}"]
COMMENTS = ["", "", "", "  # plain", "  # größe 𝄞", "  # \x0b \x1c \u2028 \x85 \x0c", "\t# tab  "]


@st.composite
def block(draw: st.DrawFn, depth: int) -> str:
    lines = []
    for _ in range(draw(st.integers(1, 4 if depth == 2 else 2))):
        if depth and draw(st.booleans()):
            template = draw(st.sampled_from(COMPOUND))
            indentation = draw(st.sampled_from(["    ", "\t", "  ", " "]))
            blocks = [indented(draw(block(depth - 1)), indentation) for _ in range(template.replace("{{", "").count("{}"))]
            lines.append(template.format(*blocks) if "{}" in template else template.replace("{{", "{").replace("}}", "}"))
        else:
            line = "; ".join(draw(st.lists(st.sampled_from(SIMPLE), min_size=1, max_size=3)))
            lines.append(line + draw(st.sampled_from(["", "", ";"])) + draw(st.sampled_from(COMMENTS)))
        if draw(st.booleans()):
            lines.append(draw(st.sampled_from(["", "\x0c", "# on its own", "   ", "  # odd"])))
    return "\n".join([*lines, "pass"])


def indented(text: str, indentation: str) -> str:
    return "\n".join(indentation + line for line in text.split("\n"))


@st.composite
def odd_texts(draw: st.DrawFn) -> str:
    text = draw(block(2))
    ends = draw(st.sampled_from([["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"], ["\n", "\r\n", "\r"]]))
    if len(ends) > 1:
        parts = text.split("\n")
        text = "".join(part + draw(st.sampled_from(ends)) for part in parts[:-1]) + parts[-1]
    else:
        text = text.replace("\n", ends[0])
    return text + draw(st.sampled_from(["", ends[0], ends[0] * 2, "  ", "# last"]))


@st.composite
def odd_files(draw: st.DrawFn) -> bytes:
    text = draw(odd_texts())
    encoding = draw(st.sampled_from(["utf-8", "utf-8", "bom", "latin-1", "cp1252", "euc-jp", "utf-8-sig"]))
    if encoding == "bom":
        return BOM + text.encode()
    if encoding == "utf-8":
        return text.encode()
    codec = "utf-8" if encoding == "utf-8-sig" else encoding
    return (f"# -*- coding: {encoding} -*-\n" + text.encode(codec, "ignore").decode(codec)).encode(codec)


def plain_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def shape(node: ast.AST) -> str:
    """A tree less the difference between what is read and what is written to."""
    return re.sub(r"ctx=(Store|Load|Del)\(\)", "ctx", ast.dump(node))


@settings(FUZZ, max_examples=300)
@given(odd_files())
def test_odd_files(data: bytes) -> None:
    check_odd_file(data)


@pytest.mark.fuzz
@settings(FUZZ, max_examples=5000, derandomize=False)
@given(odd_files())
def test_odd_files_however_long_they_try(data: bytes) -> None:
    check_odd_file(data)


def check_odd_file(data: bytes) -> None:
    try:
        source = Source.from_bytes(data, "odd.py")
        tree = ast.parse(source.text)
    except SyntaxError:
        assume(False)
    assert source.to_bytes() == data
    assert ast.dump(tree) == ast.dump(ast.parse(data))
    check_spans(source, tree)
    check_outer_spans(source, tree)
    check_tokens(source)


def check_spans(source: Source, tree: ast.Module) -> None:
    spans = set()
    for node in walk(tree):
        if not hasattr(node, "lineno"):
            continue
        span = source.span(node)
        spans.add(span)
        text = source.text[span.start : span.end]
        assert plain_lines(text) == ast.get_source_segment(plain_lines(source.text), node)
        assert source.line_of(span.start) == node.lineno
        assert source.line_start(span.start) <= span.start <= span.end <= source.line_end(span.end)
        if isinstance(node, ast.expr) and not any(isinstance(one, ast.Slice) for one in (node, *getattr(node, "elts", ()))):
            if isinstance(node, ast.Starred):
                continue
            again = ast.parse(f"({text}\n)", mode="eval").body
            assert shape(again) == shape(node)
        elif isinstance(node, ast.stmt) and not text.startswith("elif"):
            head = source.text[source.line_start(span.start) : span.start]
            if head.strip(" \t\f") or not source.indentation(span.start):
                again_in = ast.parse(text).body[0]
            else:
                again_in = ast.parse(f"if 1:\n{source.indentation(span.start)}{text}").body[0].body[0]  # type: ignore[attr-defined]
            without_decorators = ast.dump(node) if not getattr(node, "decorator_list", None) else None
            assert without_decorators in (None, ast.dump(again_in))
    for node in walk(source.tree):
        if hasattr(node, "lineno"):
            assert source.span(node) in spans


def check_outer_spans(source: Source, tree: ast.Module) -> None:
    """What has its parentheses around it can be replaced by anything else in parentheses."""
    skipped = (ast.arguments, ast.MatchValue, ast.MatchClass, ast.MatchMapping, ast.JoinedStr, ast.FormattedValue)
    for parent in walk(tree):
        children = [child for child in ast.iter_child_nodes(parent) if hasattr(child, "lineno")]
        if isinstance(parent, ast.JoinedStr):
            continue
        for node in children:
            outer = source.outer_span(as_gast(node), as_gast(parent))
            inner = source.span(node)  # type: ignore[arg-type]
            assert inner in outer
            if hasattr(parent, "lineno"):
                whole = source.span(parent)
                decorates = node in getattr(parent, "decorator_list", ())
                assert decorates or outer in whole
                bare = isinstance(node, ast.GeneratorExp) and inner.end == whole.end
                assert bare or not (isinstance(parent, ast.Call) and outer.end == whole.end)
            if isinstance(node, ast.Starred | ast.Slice | ast.keyword | ast.alias) or not isinstance(node, ast.expr):
                assert outer == inner
                continue
            if isinstance(parent, skipped) or isinstance(parent, ast.NamedExpr | ast.AnnAssign) and parent.target is node:
                continue
            if type(parent).__name__ == "TypeAlias" and isinstance(node, ast.Name):
                continue
            if outer.end - outer.start > inner.end - inner.start:
                assert source.text[outer.start] == "(" and source.text[outer.end - 1] == ")"
            if isinstance(node, ast.GeneratorExp) and isinstance(parent, ast.Call) and inner.end == source.span(parent).end:  # type: ignore[arg-type]
                continue
            replaced = source.text[: outer.start] + "(zzz_)" + source.text[outer.end :]
            assert "zzz_" in shape(replaced_tree(tree, parent, node))
            assert shape(ast.parse(replaced)) == shape(replaced_tree(tree, parent, node))


def as_gast(node: ast.AST) -> Any:
    """A node of gast's class with the same place, which is all that a span takes from it."""
    made = getattr(gast, type(node).__name__, gast.Name)()
    for name in (*node._fields, *node._attributes):
        if hasattr(node, name):
            setattr(made, name, getattr(node, name))
    return made


def replaced_tree(tree: ast.Module, parent: ast.AST, node: ast.AST) -> ast.Module:
    class Replace(ast.NodeTransformer):
        def visit(self, one: ast.AST) -> Any:
            if one is not parent:
                return self.generic_visit(one)
            fields = {}
            for name in one._fields:
                value = getattr(one, name, None)
                if value is node:
                    value = ast.Name("zzz_", ast.Load())
                elif isinstance(value, list):
                    value = [ast.Name("zzz_", ast.Load()) if item is node else item for item in value]
                fields[name] = value
            return type(one)(**fields)

    def copied(one: Any) -> Any:
        if one is parent:
            return Replace().visit(one)
        if isinstance(one, list):
            return [copied(item) for item in one]
        if isinstance(one, ast.AST):
            return type(one)(**{name: copied(getattr(one, name)) for name in one._fields if hasattr(one, name)})
        return one

    result: ast.Module = copied(tree)
    return result


def check_tokens(source: Source) -> None:
    end = 0
    for token in source.tokens:
        assert end <= token.start <= token.end
        end = token.end
        text = plain_lines(source.text[token.start : token.end])
        if tokenize.tok_name[token.type] != "FSTRING_MIDDLE":  # whose string has its doubled braces halved
            assert text == plain_lines(token.string)
        assert source.next_token(token.start) == token or token.type == tokenize.COMMENT
        assert token in source.tokens_in(Span(token.start, token.end))
    for comment in source.comments:
        assert comment.string.startswith("#") and "\n" not in comment.string
        assert source.comments_in(Span(comment.start, comment.start + 1)) == [comment]
    shown = {plain_lines(token.string) for token in source.comments}
    for written in (one.strip(" \t") for one in COMMENTS if one):
        if written in source.text:
            assert any(written in one for one in shown)


# Edits


@st.composite
def edits(draw: st.DrawFn, length: int) -> list[Edit]:
    """Edits that don't overlap, insertions at one place among them."""
    found = []
    position = 0
    for _ in range(draw(st.integers(0, 5))):
        start = draw(st.integers(position, length))
        end = draw(st.integers(start, min(length, start + 4)))
        found.append(Edit(start, end, draw(st.text("XYZ", max_size=3))))
        position = end
    return found


def naive(text: str, changes: list[Edit]) -> str:
    for edit in reversed(changes):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


@settings(FUZZ, max_examples=500)
@given(st.data(), st.text("abcdefghij", max_size=20))
@pytest.mark.smoke
def test_edits_are_made_as_if_one_by_one(data: st.DataObject, text: str) -> None:
    changes = data.draw(edits(len(text)))
    assert apply_edits(text, changes) == naive(text, changes)
    places = {(edit.start, edit.end) for edit in changes}
    if len(places) == len(changes):
        assert apply_edits(text, data.draw(st.permutations(changes))) == naive(text, changes)


@settings(FUZZ, max_examples=500)
@given(st.integers(0, 20), st.integers(1, 10), st.integers(0, 20), st.integers(1, 10))
def test_overlapping_edits_are_a_conflict(a: int, length: int, b: int, other: int) -> None:
    text = "x" * 40
    first, second = Edit(a, a + length, "A"), Edit(b, b + other, "B")
    if max(a, b) < min(a + length, b + other):
        with pytest.raises(Conflict):
            apply_edits(text, [first, second])
    else:
        assert apply_edits(text, [first, second]) == naive(text, sorted([first, second]))


@settings(FUZZ, max_examples=1000)
@given(st.data(), st.text("abcdefghij", max_size=20))
def test_composed_edits_do_what_the_two_did(data: st.DataObject, text: str) -> None:
    first = data.draw(edits(len(text)))
    middle = apply_edits(text, first)
    second = data.draw(edits(len(middle)))
    composed = compose(len(text), first, second)
    assert apply_edits(text, composed) == apply_edits(middle, second)
    assert all(a.end < b.start for a, b in zip(composed, composed[1:], strict=False)), "touching edits are one"
    third = data.draw(edits(len(apply_edits(middle, second))))
    assert apply_edits(text, compose(len(text), composed, third)) == apply_edits(apply_edits(middle, second), third)


@settings(FUZZ, max_examples=100)
@given(odd_files(), st.data())
def test_an_edit_changes_nothing_else(data: bytes, drawn: st.DataObject) -> None:
    source = Source.from_bytes(data, "odd.py")
    start = drawn.draw(st.integers(0, len(source.text)))
    end = drawn.draw(st.integers(start, len(source.text)))
    after = source.to_bytes(source.apply([Edit(start, end, "new")]))
    before, rest = source.to_bytes(source.text[:start]), source.with_text("")
    tail = Source(source.text[end:], "x", source.encoding).to_bytes()
    assert rest.text == ""
    assert after == before + b"new" + tail
    assert data.startswith(before) and data.endswith(tail)


# Small things


def test_newline_is_the_one_used_most() -> None:
    assert read("").newline == "\n"
    assert read("a\r\nb\r\nc\n").newline == "\r\n"
    assert read("a\rb\rc\n").newline == "\r"
    assert read("a\nb\r\n").newline == "\n"


def test_indentation() -> None:
    source = read("if x:\n \t\x0cy = 1\n\u3000# z\n")
    assert source.indentation(source.text.index("y")) == " \t\x0c"
    assert source.indentation(0) == ""
    assert source.indentation(source.text.index("# z")) == ""


def test_next_token_passes_over_comments() -> None:
    source = read("x = (  # one\n  # two\n  y)\n")
    found = source.next_token(source.text.index("(") + 1)
    assert found is not None and found.string == "y"
    assert source.next_token(len(source.text)) is None


def test_warnings_of_the_user_stay_the_users(recwarn: pytest.WarningsRecorder) -> None:
    assert read("x = '\\d' is 1\n").tree
    assert not recwarn.list
