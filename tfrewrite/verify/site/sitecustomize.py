"""Python runs this by itself when it starts: what a command runs gets the version under test here."""

import importlib.machinery
import importlib.util
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _attach(home: str) -> None:
    """Only tfrewrite itself comes from its folder: what stands beside it there may be made for another Python."""
    package = os.path.join(home, "tfrewrite")
    if "tfrewrite" not in sys.modules:
        start = os.path.join(package, "__init__.py")
        _load("tfrewrite", importlib.util.spec_from_file_location("tfrewrite", start, submodule_search_locations=[package]))
    from tfrewrite.verify.agent import hook

    hook.attach() if os.environ.get("TFREWRITE_PLAN") else hook.record()


def _next() -> None:
    """Nobody is to notice that this one is here: run the sitecustomize that stands behind it, if there is one."""
    sys.path[:] = [one for one in sys.path if os.path.abspath(one or ".") != _HERE]
    _load("sitecustomize", importlib.machinery.PathFinder.find_spec("sitecustomize"))


def _load(name: str, spec: importlib.machinery.ModuleSpec | None) -> None:
    if spec is not None and spec.loader is not None:
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)


if os.environ.get("TFREWRITE_PLAN") or os.environ.get("TFREWRITE_RECORD"):
    try:
        _attach(os.environ["TFREWRITE_HOME"])
    except Exception as _error:
        _plan = os.environ.get("TFREWRITE_PLAN") or os.path.join(os.environ["TFREWRITE_RECORD"], "plan")
        with open(os.path.join(os.path.dirname(_plan), "problem"), "w", encoding="utf-8") as _file:
            _file.write(f"{sys.executable} can't be followed: {type(_error).__name__}: {_error}")
_next()
