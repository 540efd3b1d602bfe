"""The other half of the exam of the equivalence harness (see `test_pairs.py`)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pairs import Pair
from test_pairs import PAIRS, examine

from tfrewrite.verify.processes import Processes


@pytest.mark.parametrize("pair", PAIRS[1::2], ids=str)
def test_pairs(pair: Pair, judging: Processes, tmp_path: Path) -> None:
    examine(pair, judging, tmp_path)
    shutil.rmtree(tmp_path)
