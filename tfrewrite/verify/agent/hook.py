"""Puts the version under test in the place of a file, for whatever imports or executes it. Nothing on disk changes.

Every Python that a command starts comes through here before it runs anything, whether or not it will ever meet the file:
so nothing is imported at this point that the program may want to prepare for, NumPy and TensorFlow least of all.

There is no `from __future__` here: `compile` is called for others, and it inherits what its caller imports from there.
"""

import ast
import builtins
import importlib.machinery
import importlib.util
import linecache
import os
import random
import sys
from collections.abc import Callable, Sequence
from types import CodeType, ModuleType
from typing import Any

from tfrewrite.verify.agent import written_files

PLAN, FILE, VERSION, HOME, WITHIN = "TFREWRITE_PLAN", "TFREWRITE_FILE", "TFREWRITE_VERSION", "TFREWRITE_HOME", "TFREWRITE_WITHIN"
"""Environment variables: a run's plan, the file, where the text stands that takes its place, the folder that tfrewrite is in,
and the first Python of the run that others were started from."""
SEED, EAGER = "TFREWRITE_SEED", "TFREWRITE_EAGER"
RECORD, ROOT = "TFREWRITE_RECORD", "TFREWRITE_ROOT"
"""In place of a plan: the folder that takes what is seen of all files of a project, and where these files stand."""
ATTACHED, PROBLEM = "attached", "problem"
"""Marks in the folder of a run: that a Python was started which knows of it, and why one could not do its work."""

_FROM_FUTURE = 0x1FF0000
_ONLY_TREE = 0x400
"""Flags of `compile`."""

Imported = dict[str, Callable[[ModuleType], None]]
Replaced = Callable[[str], tuple[str, Callable[[], CodeType]] | None]
"""Of a path, the text and the code that take the file's place; None for all other files."""


def install(file: str, text: str, code: Callable[[], CodeType], imported: Imported | None = None) -> None:
    """From here on, who imports `file`, executes it or looks at its lines gets `text`, run as `code`.

    `imported` says what to do as soon as modules of these names have been imported.
    """
    show_lines(file, text)
    sys.path_importer_cache.pop(file, None)
    replace(lambda path: (text, code) if _same(path, file) else None, imported)


def replace(replaced: Replaced, imported: Imported | None = None) -> None:
    """The same for any number of files, except for the lines that are looked at."""
    # `python FILE` and runpy ask these whether the path is something that holds a __main__, such as an archive.
    sys.path_hooks.insert(0, _script_hook(replaced))
    _load(replaced)
    _compile(replaced)
    sys.meta_path.insert(0, _Watcher({**(imported or {}), "_pytest.assertion.rewrite": lambda module: _leave_to_us(module, replaced)}))


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


def _load(replaced: Replaced) -> None:
    """Whoever finds a file, in whatever way, loads it with this class or one that is derived from it."""
    loader: Any = importlib.machinery.SourceFileLoader
    original_code, original_source = loader.get_code, loader.get_source

    def get_code(self: Any, fullname: str) -> Any:
        found = replaced(self.path)
        return original_code(self, fullname) if found is None else found[1]()

    def get_source(self: Any, fullname: str) -> Any:
        found = replaced(self.path)
        return original_source(self, fullname) if found is None else found[0]

    loader.get_code, loader.get_source = get_code, get_source


def _compile(replaced: Replaced) -> None:
    """Tools such as coverage and cProfile read scripts and compile them on their own."""
    original: Any = builtins.compile

    def compile(source: Any, filename: Any, mode: str, flags: int = 0, dont_inherit: bool = False, *rest: Any, **named: Any) -> Any:  # noqa: A001
        caller = sys._getframe(1)
        if not dont_inherit:
            flags |= caller.f_code.co_flags & _FROM_FUTURE
        executed = mode == "exec" and not flags & _ONLY_TREE and isinstance(source, str | bytes)
        # What importlib compiles may be written to a file; what it executes comes from its loader.
        if executed and isinstance(filename, str) and "importlib" not in caller.f_code.co_filename:
            found = replaced(filename)
            if found is not None:
                return found[1]()
        return original(source, filename, mode, flags, True, *rest, **named)

    builtins.compile = compile


def _leave_to_us(module: ModuleType, replaced: Replaced) -> None:
    """pytest reads the tests from their files to rewrite what they assert: not these, should they hold tests."""
    hook: Any = getattr(module, "AssertionRewritingHook", None)
    if hook is None:
        return
    original = hook.find_spec

    def find_spec(self: Any, *arguments: Any, **named: Any) -> Any:
        spec = original(self, *arguments, **named)
        return None if spec is not None and spec.origin and replaced(spec.origin) is not None else spec

    hook.find_spec = find_spec


class _Watcher:
    """Finds what the finders after it find, and looks when the modules that matter have been loaded."""

    def __init__(self, imported: Imported) -> None:
        self._imported = imported

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in self._imported:
            return None
        for finder in sys.meta_path:
            spec = finder.find_spec(fullname, path, target) if finder is not self and hasattr(finder, "find_spec") else None
            if spec is not None:
                self._watch(spec.loader, self._imported[fullname])
                return spec
        return None

    def _watch(self, loader: Any, then: Callable[[ModuleType], None]) -> None:
        original = getattr(loader, "exec_module", None)
        if original is None or not hasattr(loader, "__dict__"):
            return

        def exec_module(module: ModuleType) -> None:
            original(module)
            then(module)

        loader.exec_module = exec_module


def _script_hook(replaced: Replaced) -> Callable[[str], Any]:
    class Script:
        def __init__(self, path: str) -> None:
            self._path = path

        def find_spec(self, fullname: str, target: ModuleType | None = None) -> importlib.machinery.ModuleSpec | None:
            if fullname != "__main__":
                return None
            from_code = _called_by("run_path")
            if sys.path and _same(sys.path[0], self._path):
                # The "archive" was put there. A script has its folder, and what runpy.run_path runs has nothing.
                if from_code:
                    del sys.path[0]
                else:
                    sys.path[0] = os.path.dirname(os.path.realpath(self._path))
            loader = importlib.machinery.SourceFileLoader("__main__", self._path)
            return importlib.machinery.ModuleSpec(
                "__main__", loader, origin=self._path if from_code else os.path.join(os.getcwd(), self._path)
            )

    def hook(path: str) -> Any:
        if replaced(path) is None:
            raise ImportError(path)
        return Script(path)

    return hook


def as_script(namespace: dict[str, Any]) -> None:
    """What was found as the __main__ of an "archive" is to look like a script: multiprocessing, for one, asks for that."""
    if getattr(namespace.get("__spec__"), "name", "") == "__main__":
        by_code = _called_by("run_path")
        package = str(namespace.get("__name__", "")).rpartition(".")[0] if by_code else None
        namespace.update(__spec__=None, __package__=package, __cached__=None)


def _called_by(name: str) -> bool:
    frame: Any = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name == name and "runpy" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


def _same(path: str, file: str) -> bool:
    if os.path.basename(path) != os.path.basename(file) and not os.path.islink(path):
        return False
    return os.path.realpath(path) == os.path.realpath(file)


# Processes that somebody else starts


def environment(plan: str, file: str, version: str, seed: int, eager: bool) -> dict[str, str]:
    """Lets every Python that is started with this environment load the version under test."""
    return {
        **_path(),
        # What is compiled may be the version under test: nobody must find that in place of the file later.
        "PYTHONDONTWRITEBYTECODE": "1",
        PLAN: plan,
        FILE: file,
        VERSION: version,
        SEED: str(seed),
        EAGER: "1" if eager else "",
    }


def recording_environment(folder: str, root: str) -> dict[str, str]:
    """Lets every Python that is started with this environment tell what it sees of the files below a folder."""
    return {**_path(), RECORD: folder, ROOT: root}


def _path() -> dict[str, str]:
    verify = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    paths = [os.path.join(verify, "site"), *filter(None, [os.environ.get("PYTHONPATH", "")])]
    return {"PYTHONPATH": os.pathsep.join(paths), HOME: os.path.dirname(os.path.dirname(verify))}


def attach() -> None:
    """Wait, in a process that somebody else has started, for the program to be imported or executed."""
    plan, file = os.environ[PLAN], os.environ[FILE]
    with open(os.environ[VERSION], "rb") as version:
        text = version.read().decode()
    _mark(plan, ATTACHED, sys.executable)
    first = os.environ.setdefault(WITHIN, str(os.getpid())) == str(os.getpid())
    found: list[CodeType] = []

    def code() -> CodeType:
        if not found:
            found.append(_recorded(plan, file, text, first))
        return found[0]

    random.seed(int(os.environ[SEED]))
    install(file, text, code, {"numpy": _settle_numpy, "tensorflow": _settle_tensorflow, **written_files.watch(plan)})


def record() -> None:
    """Wait for files of a project to be imported or executed, and note what their expressions are."""
    folder, root = os.environ[RECORD], os.path.join(os.path.realpath(os.environ[ROOT]), "")
    found: list[Any] = []
    _mark(os.path.join(folder, "plan"), ATTACHED, sys.executable)

    def replaced(path: str) -> tuple[str, Callable[[], CodeType]] | None:
        # Asked for each module that is imported: nothing is loaded before the first one that stands there.
        if not isinstance(path, str) or not path.endswith(".py") or not os.path.realpath(path).startswith(root):
            return None
        if not found:
            try:
                from tfrewrite.verify.agent.recording import Sightings

                found.append(Sightings(folder))
            except Exception as error:
                _mark(os.path.join(folder, "plan"), PROBLEM, f"{sys.executable} can't record what the program does: {error}")
                found.append(None)
        return None if found[0] is None else found[0].of(path)

    replace(replaced)


def _recorded(plan: str, file: str, text: str, first: bool) -> CodeType:
    """The code that tells of its calls; where that can't be had, the judge is told why."""
    try:
        from tfrewrite.verify.agent.main import attached

        return attached(plan, first)
    except Exception as error:
        _mark(plan, PROBLEM, f"{sys.executable} can't record what the program does: {type(error).__name__}: {error}")
        return compile(ast.parse(text, file), file, "exec", dont_inherit=True)


def _settle_numpy(numpy: Any) -> None:
    numpy.random.seed(int(os.environ[SEED]))


def _settle_tensorflow(tensorflow: Any) -> None:
    tensorflow.random.set_seed(int(os.environ[SEED]))
    if os.environ[EAGER]:
        tensorflow.config.run_functions_eagerly(True)


def _mark(plan: str, name: str, text: str) -> None:
    with open(os.path.join(os.path.dirname(plan), name), "w", encoding="utf-8") as mark:
        mark.write(text)
