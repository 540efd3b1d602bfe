"""Notes what a program changes on disk, and keeps what was there: when the run has ended, the judge puts it back.

Runs are several, with trainings cut short, of versions that may be wrong: nobody wants their checkpoints in place of his own. And each is to find
what the others have found, as a training that goes on from its last checkpoint shows.

Nothing is imported here that a program may want to prepare for: every Python that a command starts comes through here.
"""

import json
import os
import shutil
import stat
import sys
import threading
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

JOURNAL, COPIES = "written", "copies"
"""In a run's folder: what was changed, and what was there before."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_SYSTEM = ("/dev", "/proc", "/sys", "/run")
_CACHES = (
    "KERAS_HOME", "XDG_CACHE_HOME", "TFHUB_CACHE_DIR", "TFDS_DATA_DIR", "HF_HOME", "MPLCONFIGDIR", "NUMBA_CACHE_DIR", "TORCH_HOME",
)  # fmt: skip
"""Environment variables that name folders of what was loaded or compiled once."""


class Changes:
    """What a process is about to change on disk."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        home = os.path.expanduser("~")
        self._home = os.path.join(home, "") if os.path.isabs(home) else None
        self._spared = [os.path.dirname(folder), *_SYSTEM, *filter(None, map(os.environ.get, _CACHES))]
        self._seen: set[str] = set()
        self._busy = threading.local()
        self._lock = threading.RLock()
        self._fetches = False
        """Has it asked others for something? What it makes then may be what it was given, which nobody wants to load again."""

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        """What Python tells of all that it does."""
        known = _EVENTS.get(event)
        if known is None or getattr(self._busy, "now", False):
            return
        if event in ("socket.connect", "urllib.Request"):
            self._fetches = self._fetches or not _is_near(arguments)
        elif event != "open" or _writes(*arguments[1:3]):
            self.keep(known(arguments), event in ("os.rename", "shutil.rmtree"))

    def keep(self, paths: Iterable[Any], whole: bool = False) -> None:
        """Before these change: note whether they are there, and keep what they hold; of folders what is in them only if they go as a whole."""
        for path in paths:
            if isinstance(path, str | bytes | os.PathLike):
                self._guarded(self._keep_all if whole else self._keep, os.fsdecode(path))

    def keep_those_that_begin_with(self, prefix: Any) -> None:
        """The same of files whose names are made by others."""
        if isinstance(prefix, str | bytes | os.PathLike):
            self._guarded(self._keep_family, os.fsdecode(prefix))

    def _guarded(self, keep: Callable[[str], None], path: str) -> None:
        if getattr(self._busy, "now", False) or "://" in path or "\0" in path:
            return
        self._busy.now = True
        try:
            with self._lock:
                path = os.path.abspath(path)
                if not self._is_spared(path):
                    keep(path)
        except OSError:
            pass  # the program will meet the same
        finally:
            self._busy.now = False

    def _is_spared(self, path: str) -> bool:
        if "__pycache__" in path or any(path == one or path.startswith(os.path.join(one, "")) for one in self._spared):
            return True
        return self._home is not None and path.startswith(self._home + ".")

    def _keep(self, path: str) -> None:
        if path in self._seen:
            return
        self._seen.add(path)
        try:
            status = os.lstat(path)
        except FileNotFoundError:
            parent = os.path.dirname(path)
            if parent != path:
                self._keep_missing(parent)
            self._note({"path": path, "was": "nothing", "fetched": self._fetches})
            return
        if stat.S_ISLNK(status.st_mode):
            self._note({"path": path, "was": "link", "to": os.readlink(path)})
            self._keep(os.path.realpath(path))
        elif stat.S_ISDIR(status.st_mode):
            self._note({"path": path, "was": "folder", "mode": stat.S_IMODE(status.st_mode)})
        elif stat.S_ISREG(status.st_mode):
            copies = os.path.join(self._folder, COPIES)
            os.makedirs(copies, exist_ok=True)
            copy = os.path.join(copies, os.urandom(8).hex())
            shutil.copy2(path, copy)
            self._note({"path": path, "was": "file", "copy": copy})

    def _keep_all(self, path: str) -> None:
        self._keep(path)
        if os.path.isdir(path) and not os.path.islink(path):
            for name in os.listdir(path):
                self._keep_all(os.path.join(path, name))

    def _keep_missing(self, path: str) -> None:
        if not os.path.lexists(path) and not self._is_spared(path):
            self._keep(path)

    def _keep_family(self, prefix: str) -> None:
        folder, start = os.path.split(prefix)
        self._keep_missing(folder)
        there = sorted(name for name in os.listdir(folder) if name.startswith(start)) if os.path.isdir(folder) else []
        for name in there:
            self._keep_all(os.path.join(folder, name))
        if prefix + "*" not in self._seen:
            self._seen.add(prefix + "*")
            self._note({"path": prefix, "was": "family", "names": there, "fetched": self._fetches})

    def _note(self, entry: dict[str, Any]) -> None:
        line = json.dumps(entry).encode() + b"\n"
        descriptor = os.open(os.path.join(self._folder, JOURNAL), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, line)
        finally:
            os.close(descriptor)


_Noted = Callable[[Changes, tuple[Any, ...], dict[str, Any]], None]
"""Keeps what a call with these arguments is about to change."""


def watch(plan: str) -> dict[str, Callable[[ModuleType], None]]:
    """From here on, note what this process and its forks change on disk. Returns what to do when libraries are imported that write by themselves."""
    changes = Changes(os.path.dirname(os.path.abspath(plan)))
    sys.addaudithook(changes.audit)
    hooks = {name: _hook(changes, calls) for name, calls in _LIBRARIES.items()}
    for name in [one for one in hooks if one in sys.modules]:
        hooks.pop(name)(sys.modules[name])
    return hooks


def _hook(changes: Changes, calls: dict[str, _Noted]) -> Callable[[ModuleType], None]:
    def follow(module: ModuleType) -> None:
        for path, noted in calls.items():
            owner: Any = module
            *parents, name = path.split(".")
            for parent in parents:
                owner = getattr(owner, parent, None)
            if (original := getattr(owner, name, None)) is not None:
                setattr(owner, name, _noting(original, changes, noted))

    return follow


def _noting(original: Any, changes: Changes, noted: _Noted) -> Any:
    def called(*args: Any, **named: Any) -> Any:
        noted(changes, args, named)
        return original(*args, **named)

    for name in ("__name__", "__qualname__", "__module__", "__doc__", "__wrapped__", "__signature__"):
        if hasattr(original, name):
            setattr(called, name, getattr(original, name))
    return called


def _argument(args: tuple[Any, ...], named: dict[str, Any], at: int, name: str) -> Any:
    """What is given for a parameter; of a tensor that is no part of a graph its value."""
    given = named.get(name, args[at] if len(args) > at else None)
    return given.numpy() if given is not None and hasattr(given, "numpy") else given


def _first(changes: Changes, args: tuple[Any, ...], named: dict[str, Any]) -> None:
    changes.keep(args[:1])


def _whole(changes: Changes, args: tuple[Any, ...], named: dict[str, Any]) -> None:
    changes.keep(args[:1], whole=True)


def _first_two(changes: Changes, args: tuple[Any, ...], named: dict[str, Any]) -> None:
    changes.keep(args[:2], whole=True)


def _second(changes: Changes, args: tuple[Any, ...], named: dict[str, Any]) -> None:
    changes.keep(args[1:2])


def _path_of_writer(changes: Changes, args: tuple[Any, ...], named: dict[str, Any]) -> None:
    changes.keep([_argument(args, named, 1, "path")])


def _hdf5(changes: Changes, args: tuple[Any, ...], named: dict[str, Any]) -> None:
    if _argument(args, named, 2, "mode") not in (None, "r"):
        changes.keep([_argument(args, named, 1, "name")])


def _prefix(changes: Changes, args: tuple[Any, ...], named: dict[str, Any]) -> None:
    changes.keep_those_that_begin_with(_argument(args, named, 1, "file_prefix"))


def _cache(changes: Changes, args: tuple[Any, ...], named: dict[str, Any]) -> None:
    if (prefix := _argument(args, named, 1, "filename")) not in (None, ""):
        changes.keep_those_that_begin_with(prefix)


def _events(changes: Changes, args: tuple[Any, ...], named: dict[str, Any]) -> None:
    folder = _argument(args, named, 1, "logdir")
    if isinstance(folder, str | bytes | os.PathLike):
        changes.keep_those_that_begin_with(os.path.join(os.fsdecode(folder), "events.out.tfevents"))


_LIBRARIES: dict[str, dict[str, _Noted]] = {
    "h5py._hl.files": {"File.__init__": _hdf5},
    "cv2": {"imwrite": _first, "VideoWriter": _first},
    "tensorflow.python.lib.io._pywrap_file_io": {
        "WritableFile": _first,
        "DeleteFile": _first,
        "CreateDir": _first,
        "RecursivelyCreateDir": _first,
        "DeleteRecursively": _whole,
        "CopyFile": _second,
        "RenameFile": _first_two,
    },
    "tensorflow.python.lib.io.tf_record": {"TFRecordWriter.__init__": _path_of_writer},
    "tensorflow.python.checkpoint.functional_saver": {"MultiDeviceSaver.save": _prefix},
    "tensorflow.python.data.ops.dataset_ops": {"DatasetV2.cache": _cache},
    "tensorflow.python.ops.gen_summary_ops": {"create_summary_file_writer": _events},
}
"""What writes files without Python: functions of modules, and which of their arguments say where."""


def _in_folder(arguments: tuple[Any, ...], at: int, descriptor: int) -> list[Any]:
    """A path that may be one below a folder that is open."""
    path, folder = arguments[at], arguments[descriptor] if len(arguments) > descriptor else -1
    if not isinstance(folder, int) or folder < 0:
        return [path]
    try:
        return [os.path.join(os.readlink(f"/proc/self/fd/{folder}"), os.fsdecode(path))]
    except (OSError, TypeError):
        return []


_EVENTS: dict[str, Callable[[tuple[Any, ...]], Iterable[Any]]] = {
    "open": lambda given: given[:1],
    "os.mkdir": lambda given: _in_folder(given, 0, 2),
    "os.rename": lambda given: [*_in_folder(given, 0, 2), *_in_folder(given, 1, 3)],
    "os.remove": lambda given: _in_folder(given, 0, 1),
    "os.rmdir": lambda given: _in_folder(given, 0, 1),
    "os.link": lambda given: _in_folder(given, 1, 3),
    "os.symlink": lambda given: _in_folder(given, 1, 2),
    "os.truncate": lambda given: given[:1],
    "shutil.rmtree": lambda given: _in_folder(given, 0, 1),
    "sqlite3.connect": lambda given: given[:1] if given[0] != ":memory:" else (),
    "socket.connect": lambda given: (),
    "urllib.Request": lambda given: (),
}


def _writes(mode: Any, flags: Any) -> bool:
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return isinstance(flags, int) and flags != -1 and bool(flags & _WRITING)


def _is_near(arguments: tuple[Any, ...]) -> bool:
    """Is what it connects to on this machine?"""
    if isinstance(arguments[0], str):
        return arguments[0].startswith("file:")
    address = arguments[1]
    if not isinstance(address, tuple):
        return True  # a socket of this machine
    return str(address[0]) in ("localhost", "::1", "") or str(address[0]).startswith("127.")


# What the judge does when a run has ended


def put_back(folder: str) -> str:
    """Make everything as it was before a run. Returns why that can't be done, and where what was there is kept."""
    try:
        with open(os.path.join(folder, JOURNAL), "rb") as file:
            entries = [json.loads(line) for line in file.read().splitlines()]
    except FileNotFoundError:
        return ""
    found: dict[str, dict[str, Any]] = {}
    for entry in entries:
        if not _is_of_the_run(entry["path"], found):
            found.setdefault(entry["path"] + ("*" if entry["was"] == "family" else ""), entry)
    stay = [entry["path"] for entry in found.values() if entry.get("fetched")]
    failed = []
    for step in (_without_what_was_not, _with_folders, _with_files):
        for entry in sorted(found.values(), key=lambda one: len(one["path"]), reverse=step is _without_what_was_not):
            try:
                step(entry, stay)
            except OSError as error:
                failed.append(f"{entry['path']} ({error.strerror})")
    return f"what the program has changed can't be put back: {', '.join(dict.fromkeys(failed))}" if failed else ""


def _is_of_the_run(path: str, found: dict[str, dict[str, Any]]) -> bool:
    """Has the run itself made it, before it changed it?"""
    above = path
    while (above := os.path.dirname(above)) != os.path.dirname(above):
        if found.get(above, {}).get("was") == "nothing":
            return True
    families = (one for one in found.values() if one["was"] == "family" and path.startswith(one["path"]))
    return any(not any(path.startswith(os.path.join(os.path.dirname(one["path"]), name)) for name in one["names"]) for one in families)


def _without_what_was_not(entry: dict[str, Any], stay: list[str]) -> None:
    path = entry["path"]
    if entry["was"] == "nothing" and not any(one == path or one.startswith(os.path.join(path, "")) for one in stay):
        _remove(path)
    elif entry["was"] == "family" and not entry["fetched"]:
        folder, start = os.path.split(path)
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            if name.startswith(start) and name not in entry["names"]:
                _remove(os.path.join(folder, name))


def _with_folders(entry: dict[str, Any], stay: list[str]) -> None:
    path = entry["path"]
    if entry["was"] == "folder" and not os.path.isdir(path):
        _remove(path)
        os.makedirs(path)
        os.chmod(path, entry["mode"])


def _with_files(entry: dict[str, Any], stay: list[str]) -> None:
    path = entry["path"]
    if entry["was"] == "link" and not (os.path.islink(path) and os.readlink(path) == entry["to"]):
        _remove(path)
        os.symlink(entry["to"], path)
    elif entry["was"] == "file" and not _is_same(path, entry["copy"]):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.islink(path) or os.path.isdir(path):
            _remove(path)
        shutil.copy2(entry["copy"], path)


def _is_same(path: str, copy: str) -> bool:
    """It was opened, and nothing was written."""
    try:
        one, other = os.lstat(path), os.lstat(copy)
    except FileNotFoundError:
        return False
    return (one.st_mode, one.st_size, one.st_mtime_ns) == (other.st_mode, other.st_size, other.st_mtime_ns)


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.remove(path)
