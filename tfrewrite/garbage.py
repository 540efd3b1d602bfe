"""How often Python looks for garbage."""

from __future__ import annotations

import gc


def collect_less() -> None:
    """What is imported stays, and trees are many objects of which few are garbage before their file is done: look for it seldom."""
    gc.freeze()
    gc.set_threshold(150_000, 20, 100)


def collect_when_idle() -> None:
    """From now on nothing looks for garbage but `collect`, while nobody waits: in the middle of an analysis that takes a tenth of a second."""
    gc.disable()


def collect() -> None:
    gc.collect()
