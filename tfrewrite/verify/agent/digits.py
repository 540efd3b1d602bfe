"""Lets a program print its floats with all their digits: of two that were printed with few, nobody can say how far they are apart."""

from __future__ import annotations

import ast
import re

_SPEC = re.compile(r"(.*)\.(\d+)([eEfFgG%]?)$", re.DOTALL)
_PERCENT = re.compile(r"%(\([^)]*\))?([-+ #0]*(?:\d+|\*)?)\.(\d+)([eEfFgG])")
_FIELD = re.compile(r"\{([^{}:]*):([^{}]*\.\d+[eEfFgG%]?)\}")
_ENOUGH = 14
_ROUNDING = ("round", "around", "round_")
_PRINTING = ("print", "info", "debug", "warning", "write")


class WithAllDigits(ast.NodeTransformer):
    """Format specifications with more digits, wherever the program's text has them; `round` only where it is printed."""

    def __init__(self) -> None:
        self._printing = 0

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.FormattedValue:
        self.generic_visit(node)
        match node.format_spec:
            case ast.JoinedStr(values=[*_, ast.Constant(value=str() as text) as last]):
                last.value = wider(text)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.BinOp:
        self.generic_visit(node)
        match node:
            case ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str() as text) as format_):
                format_.value = _PERCENT.sub(lambda one: f"%{one[1] or ''}{one[2]}.{max(_ENOUGH, int(one[3]))}{one[4]}", text)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""
        prints = name in _PRINTING
        self._printing += prints
        self.generic_visit(node)
        self._printing -= prints
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str() as text) as format_, attr="format")):
                format_.value = _FIELD.sub(lambda one: f"{{{one[1]}:{wider(one[2])}}}", text)
            case ast.Call(func=ast.Name(id="format"), args=[_, ast.Constant(value=str() as text) as spec]):
                spec.value = wider(text)
            case ast.Call(args=[*_, ast.Constant(value=int() as digits) as last]) if name in _ROUNDING and self._printing:
                last.value = max(_ENOUGH, digits)
        if name == "set_printoptions":
            for keyword in node.keywords:
                if keyword.arg == "precision" and isinstance(keyword.value, ast.Constant):
                    keyword.value.value = _ENOUGH
        return node


def wider(spec: str) -> str:
    """`.2f` with as many digits as floats have."""
    found = _SPEC.fullmatch(spec)
    return spec if found is None else f"{found[1]}.{max(_ENOUGH, int(found[2]))}{found[3]}"
