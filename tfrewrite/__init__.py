"""Rewrites TensorFlow code so that it needs less memory, and says why."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["NotEquivalent", "OptimizeWarning", "__version__", "compare", "load_ipython_extension", "optimize_memory"]

_HOMES = {
    "compare": "tfrewrite.verify.api",
    "optimize_memory": "tfrewrite.live.decorator",
    "load_ipython_extension": "tfrewrite.notebooks.magic",
    "NotEquivalent": "tfrewrite.live.optimized",
    "OptimizeWarning": "tfrewrite.live.optimized",
}

if TYPE_CHECKING:
    from tfrewrite.live.decorator import optimize_memory
    from tfrewrite.live.optimized import NotEquivalent, OptimizeWarning
    from tfrewrite.notebooks.magic import load_ipython_extension
    from tfrewrite.verify.api import compare


def __getattr__(name: str) -> Any:
    """What most users of the package don't need is imported when somebody asks for it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
