"""Each folder of the engine opens with a map of all its files."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import tfrewrite

ENGINE = Path(tfrewrite.__file__).parent
ROOMS = sorted(file.parent for file in ENGINE.rglob("__init__.py") if len(list(file.parent.glob("*.py"))) > 2 and file.parent != ENGINE)


@pytest.mark.smoke
@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.relative_to(ENGINE).as_posix())
def test_a_folder_names_its_files(room: Path) -> None:
    shown = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8")))
    assert shown, "it has no map"
    named = set(re.findall(r"\w+", shown))
    files = {file.stem for file in room.glob("*.py")} - {"__init__"}
    assert sorted(files - named) == []
