"""The canonical name of what TensorFlow offers under many.

TensorFlow's public API has many names for one function. `aliases.txt`, made from TensorFlow by `scripts/make_aliases.py`, leads
every one of them to a single name, which is what rows of the table and transforms compare with.
"""

from __future__ import annotations

import functools
import os

# `import tensorflow.compat.v2 as tf` is TensorFlow as we know it.
_SAME_PACKAGE = ("tensorflow.compat.v2.", "tensorflow._api.v2.v2.")


@functools.cache
def aliases() -> dict[str, str]:
    """From every other public name to the canonical one, both without `tensorflow.`."""
    table = {}
    # Not importlib.resources: importing it takes longer than reading the file.
    with open(os.path.join(os.path.dirname(__file__), "aliases.txt"), encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("#"):
                canonical, *others = line.split()
                table.update(dict.fromkeys(others, canonical))
    return table


_SHOWING = frozenset({"builtins.display", "IPython.display.display", "IPython.core.display.display", "builtins.__displayed__"})
"""What shows a value in a notebook, as its last expression is shown too: no row has to know them beside `print`."""


def canonical(name: str) -> str:
    """The one name that a public name of TensorFlow is known by here."""
    if name in _SHOWING:
        return "builtins.print"
    for prefix in _SAME_PACKAGE:
        if f"{name}.".startswith(prefix):
            name = "tensorflow." + name[len(prefix) :] if len(name) > len(prefix) else "tensorflow"
    if name.startswith("keras."):
        name = f"tensorflow.{name}"
    if not name.startswith("tensorflow."):
        return name
    short = name.removeprefix("tensorflow.")
    return "tensorflow." + aliases().get(short, short)
