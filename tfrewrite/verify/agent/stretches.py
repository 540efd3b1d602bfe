"""Measures stretches of a program's top level: what stands in no function has no calls that could be measured."""

from __future__ import annotations
import __future__

import ast
import builtins
import functools
import operator
import os
from collections.abc import Sequence
from pathlib import Path
from types import CodeType
from typing import Any

from tfrewrite.verify.agent.short_trainings import LoopsAsked
from tfrewrite.verify.plan import ENOUGH, STRETCHES, Plan, write

_NAME = "__tfrewrite_stretch__"
_FUTURE = functools.reduce(operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names))
"""What a program has imported from the future holds for each part of it."""


class Stretches:
    """Runs the statements between given lines under a meter, the others as they are."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._meter: Any = None
        self._measured: list[tuple[int, str, int]] = []
        self.text = Path(plan.version).read_bytes().decode()
        tree = ast.parse(self.text, plan.file)
        if plan.short:
            LoopsAsked().visit(tree)
        self._main, self._parts = _divided(tree, plan.file, plan.stretches)

    def code(self) -> CodeType:
        setattr(builtins, _NAME, self._measure)
        return self._main

    def end(self) -> None:
        """Each stretch was written down when it had run."""

    def _measure(self, index: int, namespace: dict[str, Any]) -> None:
        from tfrewrite.verify.agent import meters

        if self._meter is None:
            self._meter, _ = meters.choose(self._plan.meter)
        found = self._meter.measure(lambda: exec(self._parts[index], namespace))
        if found.peak is not None:
            self._measured.append((index, self._meter.name, found.peak))
            write(Path(self._plan.folder, f"{STRETCHES}.{os.getpid()}"), tuple(self._measured))
            if len(self._measured) == len(self._parts) and found.raised is None:
                Path(self._plan.folder, ENOUGH).touch()
        if found.raised is not None:
            raise found.raised


def _divided(tree: ast.Module, path: str, stretches: Sequence[tuple[int, int]]) -> tuple[CodeType, list[CodeType]]:
    """The program's code with a call in the place of each stretch, and the code of the stretches."""
    body: list[ast.stmt] = []
    parts: list[list[ast.stmt]] = [[] for _ in stretches]
    for statement in tree.body:
        index = next((at for at, (first, last) in enumerate(stretches) if first <= statement.lineno <= last), None)
        if index is None:
            body.append(statement)
            continue
        if not parts[index]:
            call = ast.parse(f"{_NAME}({index}, globals())", path).body[0]
            ast.increment_lineno(call, statement.lineno - 1)
            body.append(call)
        parts[index].append(statement)
    tree.body = body
    main = _compiled(tree, path)
    return main, [_compiled(ast.Module(part, []), path, main.co_flags & _FUTURE) for part in parts]


def _compiled(tree: ast.Module, path: str, flags: int = 0) -> CodeType:
    code: CodeType = compile(tree, path, "exec", flags=flags, dont_inherit=True)
    return code
