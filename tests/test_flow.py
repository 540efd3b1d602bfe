"""Which assignments arrive at the last `print(x)` of a program, also where errors are caught."""

from __future__ import annotations

import gast
import pytest

from tfrewrite.facts import Facts
from tfrewrite.source import Source

PROGRAMS = [
    ("x = 1\nx = 2\nprint(x)", {2}),
    ("try:\n    x = 1\n    f()\n    x = 2\nexcept ValueError:\n    pass\nprint(x)", {2, 4}),
    ("try:\n    x = 1\n    f()\n    x = 2\nexcept ValueError:\n    raise\nprint(x)", {4}),
    ("try:\n    x = 1\n    f()\n    x = 2\nexcept ValueError:\n    print(x)", {2, 4}),
    ("try:\n    x = 1\n    f()\n    x = 2\nfinally:\n    print(x)", {2, 4}),
    ("try:\n    x = 1\n    f()\n    x = 2\nfinally:\n    f()\nprint(x)", {4}),
    ("try:\n    f()\nexcept ValueError:\n    x = 1\n    f()\n    x = 2\nelse:\n    x = 3\nfinally:\n    print(x)", {4, 6, 8}),
    ("for i in f():\n    try:\n        x = 1\n        f()\n        x = 2\n    except ValueError:\n        continue\nprint(x)", {3, 5}),
    ("x = 0\nwith f():\n    x = 1\n    f()\n    x = 2\nprint(x)", {1, 3, 5}),
    ("x = 0\nwith open('f'):\n    x = 1\n    f()\n    x = 2\nprint(x)", {5}),
    ("import tensorflow as tf\nwith tf.GradientTape() as tape:\n    x = 1\n    f()\n    x = 2\nprint(x)", {5}),
    ("def f():\n    global x\n    x = 1\ntry:\n    x = 2\n    f()\n    x = 3\nexcept ValueError:\n    pass\nprint(x)", {5, 7}),
]


@pytest.mark.parametrize(("text", "lines"), PROGRAMS)
@pytest.mark.smoke
def test_what_arrives(text: str, lines: set[int]) -> None:
    facts = Facts(Source(text, "program.py"))
    *_, use = (one for one in facts.nodes((gast.Name,)) if isinstance(one, gast.Name) and one.id == "x" and isinstance(one.ctx, gast.Load))
    assert {one.lineno for one in facts.flow.definitions(use) or ()} >= lines
    if "global" not in text:
        assert {one.lineno for one in facts.flow.definitions(use) or ()} == lines
