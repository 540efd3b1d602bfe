"""What a notebook's program expects of IPython, for a run without it: values are shown as text, magics and shell lines do nothing."""

from __future__ import annotations

import builtins
import os
import re
import sys
from types import ModuleType
from typing import Any

_VERSION = (9, 0, 0)
"""Matplotlib asks for it when a figure is made."""
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def install() -> None:
    """From here on, programs of this process find what they expect."""
    os.environ.setdefault("MPLBACKEND", "agg")
    names = {
        "display": _display,
        "get_ipython": get_ipython,
        "__displayed__": _displayed,
        "__value__": lambda *names: _Nothing(),
        "__unknown__": "",
        "__turns__": 1,
    }
    vars(builtins).update(names)
    # Also where IPython is installed: it would find no shell, and a run is to be the same everywhere.
    for name in ("IPython", "IPython.core", "IPython.display", "IPython.core.display"):
        sys.modules[name] = _Module(name)
    vars(sys.modules["IPython"]).update(__version__=".".join(map(str, _VERSION)), version_info=(*_VERSION, ""))


def _displayed(value: Any) -> None:
    if value is not None:
        # Where an object lies is another place in every run.
        print(_ADDRESS.sub("", repr(value)))


def _display(*values: Any, **options: Any) -> Any:
    for value in values:
        _displayed(value)
    return _SHELL if options.get("display_id") else None


class _Nothing(list[Any]):
    """What a shell line gives, where none is run: no lines. It takes whatever is done with it."""

    def __call__(self, *values: Any, **options: Any) -> _Nothing:
        return self

    def __getattr__(self, name: str) -> _Nothing:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __repr__(self) -> str:
        return ""


class _Module(ModuleType):
    """A module of IPython."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if (inner := sys.modules.get(f"{self.__name__}.{name}")) is not None:
            return inner
        return _display if name == "display" else get_ipython if name == "get_ipython" else _Shown


class _Shown:
    """Such as HTML(...) and Image(...)."""

    def __init__(self, *values: Any, **options: Any) -> None: ...

    def __repr__(self) -> str:
        return "<shown>"


_SHELL = _Nothing()


def get_ipython() -> Any:
    return _SHELL
