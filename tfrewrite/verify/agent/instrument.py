"""Makes a program's functions tell when they are called.

Only the code that Python runs is changed, never the text: AutoGraph, `inspect` and tracebacks see the user's lines. The
body of each function runs inside of a `with`, and what it returns passes through the recorder:

    def f(x):                    def f(x):
        return x + 1      ->         with __tfrewrite__.call(3, locals()):
                                         return __tfrewrite__.result(x + 1)

A function that AutoGraph converts is built again from the text, without any of this: it is recorded where its
`tf.function` is called.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from types import CodeType

from tfrewrite.verify.agent.digits import WithAllDigits
from tfrewrite.verify.agent.short_trainings import LoopsAsked
from tfrewrite.verify.program import Function, Program

HOOK = "__tfrewrite__"


def instrumented(program: Program, names: Collection[str], *, digits: bool = False, short: bool = False) -> tuple[CodeType, list[Function]]:
    """The program's code, and the functions that it tells about by number.

    `digits`: it prints floats with all of theirs; `short`: its loops ask what to go through.
    """
    # Parsed anew: the tree is going to be changed.
    own = Program(program.text, program.path)
    if digits:
        WithAllDigits().visit(own.tree)
    if short:
        LoopsAsked().visit(own.tree)
    functions = [function for name, function in own.functions.items() if name in names]
    for index, function in enumerate(functions):
        _instrument(index, function)
    begin = ast.Expr(_hook("begin", ast.Call(ast.Name("globals", ast.Load()), [], [])))
    own.tree.body.insert(first_statement(own.tree), begin)
    ast.fix_missing_locations(own.tree)
    return compile(own.tree, program.path, "exec", dont_inherit=True), functions


def first_statement(tree: ast.Module) -> int:
    """Where a statement may stand first: after the docstring and what is imported from the future."""
    start = 1 if ast.get_docstring(tree, clean=False) is not None else 0
    while start < len(tree.body) and isinstance(statement := tree.body[start], ast.ImportFrom) and statement.module == "__future__":
        start += 1
    return start


def _instrument(index: int, function: Function) -> None:
    node = function.node
    number = ast.Constant(index)
    variables = ast.Call(ast.Name("locals", ast.Load()), [], [])
    if isinstance(node, ast.Lambda):
        none = ast.arguments(posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[])
        node.body = ast.copy_location(_hook("around", number, variables, ast.Lambda(none, node.body)), node.body)
        return
    # The last decorator is the first that is applied: it sees the function itself.
    node.decorator_list.append(_hook("register", number))
    start = 1 if ast.get_docstring(node, clean=False) is not None else 0
    if function.resumable:
        if isinstance(node, ast.FunctionDef) and len(node.body) > start:
            # Its body runs while others do: that it is begun is all that it tells.
            node.body.insert(start, ast.copy_location(ast.Expr(_hook("started", number, variables)), node.body[start]))
        return
    body = [_Returns().visit(statement) for statement in node.body[start:]]
    if body:
        guard = ast.With(items=[ast.withitem(_hook("call", number, variables))], body=body)
        node.body[start:] = [ast.copy_location(guard, body[0])]


class _Returns(ast.NodeTransformer):
    """Lets what a function returns pass through the recorder; functions inside of it keep theirs."""

    def visit_Return(self, node: ast.Return) -> ast.Return:
        if node.value is not None:
            value = node.value
            node.value = ast.copy_location(_hook("result", value), value)
            ast.fix_missing_locations(node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node


def _hook(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name(HOOK, ast.Load()), name, ast.Load()), list(arguments), [])
