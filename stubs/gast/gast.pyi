import ast

from gast import Module

def ast_to_gast(node: ast.Module) -> Module: ...
