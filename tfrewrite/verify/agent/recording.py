"""Notes what the expressions of a project's files are, in a process of a program that somebody else has started."""

from __future__ import annotations

import ast
import atexit
import json
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType

from tfrewrite.recorded import FileFacts
from tfrewrite.source import Source, SourceError, concerns_tensorflow
from tfrewrite.verify.agent.installed import libraries
from tfrewrite.verify.agent.observer import Observer
from tfrewrite.verify.plan import OBSERVED

_LOOKING = 1.0
_WRITING = 0.02
"""The part of the time that may go into keeping what was seen."""
_PACKAGES = ("site-packages", "dist-packages")


class Sightings:
    """Observes the files of a project that a process loads. The process may be ended at any time: what was seen is kept now and then."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._process = os.getpid()
        self._watched: dict[str, _Watched | None] = {}
        self._over = threading.Event()
        self._writing = threading.RLock()
        atexit.register(self._end)
        # Pools of processes end theirs in this way, and soon after their last call.
        if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, self._terminated)

    def of(self, path: str) -> tuple[str, Callable[[], CodeType]] | None:
        """Text and code in the place of a file's own, where it is one that is looked at."""
        real = os.path.realpath(path)
        if real not in self._watched:
            self._watched[real] = _watched(real, os.path.abspath(path))
        found = self._watched[real]
        return None if found is None else (found.text, lambda: self._code(found))

    def _code(self, one: _Watched) -> CodeType:
        if one.observer is None:
            one.observer = Observer(one.text, one.path, eagerly=False)
            one.observer.__enter__()
            if sum(each is not None and each.observer is not None for each in self._watched.values()) == 1:
                threading.Thread(target=self._keep, daemon=True).start()
        return one.observer.code

    def _keep(self) -> None:
        due = 0.0
        while not self._over.wait(_LOOKING):
            if (started := time.monotonic()) > due:
                self._write()
                due = time.monotonic() + (time.monotonic() - started) / _WRITING

    def _end(self) -> None:
        if os.getpid() != self._process:
            return  # a fork: what it inherited is told by the one that it was forked from
        self._over.set()
        for one in list(self._watched.values()):
            if one is not None and one.observer is not None:
                one.observer.__exit__(None, None, None)
        self._write()

    def _terminated(self, number: int, frame: object) -> None:
        if os.getpid() == self._process:
            self._write()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _write(self) -> None:
        with self._writing:
            seen = {
                path: FileFacts.of(one.text, one.observer.observations()).to_data()
                for path, one in list(self._watched.items())
                if one is not None and one.observer is not None
            }
            final = os.path.join(self._folder, f"{OBSERVED}.{self._process}")
            partial = os.path.join(self._folder, f"partial.{self._process}")
            with open(partial, "w", encoding="utf-8") as file:
                json.dump(seen, file)
            os.replace(partial, final)


@dataclass
class _Watched:
    text: str
    path: str
    observer: Observer | None = None


def _watched(real: str, path: str) -> _Watched | None:
    """Nothing of a file that doesn't concern TensorFlow, that is installed, or that can't be read: Python will say so itself."""
    if real.startswith(libraries()) or any(part in _PACKAGES for part in real.split(os.sep)):
        return None
    try:
        with open(real, "rb") as file:
            data = file.read()
        if not concerns_tensorflow(data):
            return None
        text = Source.from_bytes(data, path).text
        ast.parse(text)
    except (OSError, SourceError, SyntaxError, ValueError):
        return None
    return _Watched(text, path)
