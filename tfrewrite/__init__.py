"""Rewrites TensorFlow code so that it needs less memory, and says why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["__version__", "compare", "optimize_memory"]

if TYPE_CHECKING:
    from tfrewrite.live.decorator import optimize_memory
    from tfrewrite.verify.api import compare


def __getattr__(name: str) -> Any:
    """What most users of the package don't need is imported when somebody asks for it."""
    if name == "compare":
        from tfrewrite.verify.api import compare

        return compare
    if name == "optimize_memory":
        from tfrewrite.live.decorator import optimize_memory

        return optimize_memory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
