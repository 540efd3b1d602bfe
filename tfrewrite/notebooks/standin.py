"""What a notebook's program expects of IPython, for a run without it: values are shown as text, magics and shell lines do nothing."""

from __future__ import annotations

import builtins
import importlib.util
import os
import re
import sys
from types import ModuleType
from typing import Any

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
    if importlib.util.find_spec("IPython") is None:
        for name in ("IPython", "IPython.core", "IPython.display", "IPython.core.display"):
            sys.modules[name] = _Module(name)


def _displayed(value: Any) -> None:
    if value is not None:
        # Where an object lies is another place in every run.
        print(_ADDRESS.sub("", repr(value)))


def _display(*values: Any, **options: Any) -> None:
    for value in values:
        _displayed(value)


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
    """IPython, where it isn't installed."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _display if name == "display" else get_ipython if name == "get_ipython" else _Shown


class _Shown:
    """Such as HTML(...) and Image(...)."""

    def __init__(self, *values: Any, **options: Any) -> None: ...

    def __repr__(self) -> str:
        return "<shown>"


_SHELL = _Nothing()


def get_ipython() -> Any:
    return _SHELL
