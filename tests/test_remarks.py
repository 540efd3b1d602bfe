"""What `explain` says where no rule has a pattern, and nothing is to be gained."""

from __future__ import annotations

import pytest
from programs import CORPUS

from tfrewrite.report.remarks import remarks
from tfrewrite.source import Source

pytestmark = pytest.mark.smoke

HEAD = "import numpy as np\nimport tensorflow as tf\n\n\n"


def said(text: str) -> list[tuple[int, str]]:
    return [(one.line, one.said) for one in remarks(Source(text))]


@pytest.mark.parametrize(
    ("program", "line", "part"),
    [
        ("large_tensor_creation", 7, "draws random numbers, and XLA would draw others"),
        ("conditional_computation", 7, "condition is a value of Python"),
        ("process_data", 8, "the graph holds one iteration, whatever their number"),
        ("numpy_loop", 9, "NumPy computes every iteration"),
        ("graph_and_session", 11, "The with block closes the session where it ends"),
        ("variable_scopes", 13, "Closing it by hand inside of the block does no harm"),
    ],
)
def test_programs_that_stay_as_they_are(program: str, line: int, part: str) -> None:
    [found] = said((CORPUS / "programs" / f"{program}.py").read_text())
    assert found[0] == line and part in found[1]


@pytest.mark.parametrize(
    "text",
    [
        # A tensor decides.
        "@tf.function\ndef f(x):\n    if tf.reduce_sum(x) > 0:\n        return x\n    return -x\n\n\nf(tf.ones([2]))\n",
        # Perhaps a tensor.
        "@tf.function\ndef f(x, flag):\n    return x if flag else -x\n\n\nf(tf.ones([2]), tf.constant(True))\nf(tf.ones([2]), False)\n",
        "@tf.function\ndef f(x, flag: bool):\n    flag = x[0] > 0\n    return x if flag else -x\n\n\nf(tf.ones([2]), True)\n",
        # Not in a graph.
        "def f(x, flag):\n    return x if flag else -x\n\n\nf(tf.ones([2]), True)\n",
        "def f(n):\n    return tf.random.normal([n])\n\n\nf(3)\n",
        "def f(x):\n    for row in tf.range(3):\n        x = x + 1\n    return x\n\n\nf(3)\n",
        # The same numbers wherever they are drawn.
        "@tf.function\ndef f(n):\n    return tf.random.stateless_normal([n], [1, 2])\n\n\nf(3)\n",
        # Python's numbers: it is unrolled.
        "@tf.function\ndef f(x):\n    for _ in range(3):\n        x = x + 1\n    return x\n\n\nf(tf.ones([2]))\n",
        # TensorFlow computes in it.
        "def f(x):\n    for i in range(3):\n        x = tf.tanh(x) + np.cos(i)\n    return x\n\n\nf(tf.ones([2]))\n",
        "def f(x):\n    session = tf.compat.v1.Session()\n    session.close()\n",
    ],
)
def test_where_there_is_nothing_to_say(text: str) -> None:
    assert said(HEAD + text) == []


def test_a_loop_under_a_tape_keeps_every_turn() -> None:
    body = "    for i in tf.range(3):\n        x = x * 1.5\n    return x\n\n\n"
    assert said(f"{HEAD}@tf.function\ndef f(x):\n{body}f(tf.ones([2]))\n")
    taped = "with tf.GradientTape() as tape:\n    y = f(tf.ones([2]))\n"
    assert said(f"{HEAD}@tf.function\ndef f(x):\n{body}{taped}") == []
