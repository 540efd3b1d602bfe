import ast
from typing import Any

def ast_to_gast(node: ast.AST) -> Any: ...
