"""Puts the version under test in the place of a file, for whatever imports or executes it. Nothing on disk changes."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import os
import sys
from collections.abc import Callable, Sequence
from types import CodeType, ModuleType
from typing import Any


def install(file: str, text: str, code: Callable[[], CodeType]) -> None:
    """From here on, who imports `file`, executes it or looks at its lines gets `text`, run as `code`."""
    show_lines(file, text)
    loader = _Loader(file, text, code)
    sys.meta_path.insert(0, _Finder(file, loader))
    # `python FILE` and runpy ask these whether the path is something that holds a __main__, such as an archive.
    sys.path_hooks.insert(0, _script_hook(file, loader))
    sys.path_importer_cache.pop(file, None)


def show_lines(file: str, text: str) -> None:
    """AutoGraph, inspect and tracebacks read the version's lines, even after somebody has emptied the cache of lines."""
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    entry = (len(text), None, lines, file)
    linecache.cache[file] = entry
    original = linecache.updatecache

    def updatecache(filename: str, module_globals: Any = None) -> list[str]:
        if filename == file:
            linecache.cache[file] = entry
            return lines
        return original(filename, module_globals)

    linecache.updatecache = updatecache


class _Loader(importlib.abc.InspectLoader):
    def __init__(self, file: str, text: str, code: Callable[[], CodeType]) -> None:
        self.path = file
        self._text = text
        self._code = code

    def get_source(self, fullname: str) -> str:
        return self._text

    def get_code(self, fullname: str) -> CodeType:
        return self._code()

    def get_filename(self, fullname: str) -> str:
        return self.path

    def is_package(self, fullname: str) -> bool:
        return os.path.basename(self.path) == "__init__.py"

    def exec_module(self, module: ModuleType) -> None:
        exec(self._code(), vars(module))


class _Finder(importlib.abc.MetaPathFinder):
    """Finds what the finders after it find, and changes who loads the one file."""

    def __init__(self, file: str, loader: _Loader) -> None:
        self._file = file
        self._loader = loader

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.rpartition(".")[2] not in (_stem(self._file), os.path.basename(os.path.dirname(self._file))):
            return None
        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                return self._ours(spec) if spec.origin and _same(spec.origin, self._file) else spec
        return None

    def _ours(self, spec: importlib.machinery.ModuleSpec) -> importlib.machinery.ModuleSpec | None:
        return importlib.util.spec_from_file_location(
            spec.name, spec.origin, loader=self._loader, submodule_search_locations=spec.submodule_search_locations
        )


def _script_hook(file: str, loader: _Loader) -> Callable[[str], Any]:
    class Script(importlib.abc.PathEntryFinder):
        def find_spec(self, fullname: str, target: ModuleType | None = None) -> importlib.machinery.ModuleSpec | None:
            if fullname != "__main__":
                return None
            if sys.path and _same(sys.path[0], file):
                sys.path[0] = os.path.dirname(file)  # Python has put the "archive" there: a script has its folder
            spec = importlib.machinery.ModuleSpec("__main__", loader, origin=file)
            spec.has_location = True
            return spec

    def hook(path: str) -> Any:
        if not _same(path, file):
            raise ImportError(path)
        return Script()

    return hook


def _stem(file: str) -> str:
    return os.path.splitext(os.path.basename(file))[0]


def _same(path: str, file: str) -> bool:
    return os.path.basename(path) == os.path.basename(file) and os.path.realpath(path) == os.path.realpath(file)
