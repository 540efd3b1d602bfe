"""The run that only watches: it notes what the original's expressions are, for rewrites that the text alone doesn't prove."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from pathlib import Path
from types import CodeType
from typing import Any

from tfrewrite.facts.observed import Observations
from tfrewrite.verify.agent.observer import Observer
from tfrewrite.verify.plan import ENOUGH, OBSERVED, REACHED, Plan, write

_LOOKING = 0.5
_PATIENCE = 10.0
"""Seconds without anything new after which a program that goes on may have shown what it does."""
_WRITING = 0.02
"""The part of the time that may go into keeping what was seen."""


class Sightings:
    """Observes the file from the moment that it is executed, and writes down what was seen of it.

    A run may be ended at any time: what was seen is kept from time to time, not only at the end.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.text = Path(plan.version).read_bytes().decode()
        self._observer = Observer(self.text, plan.file, eagerly=plan.eager, short=True)
        self._started = False
        self._reached = 0
        self._over = threading.Event()

    def code(self) -> CodeType:
        if not self._started:
            self._started = True
            self._observer.__enter__()
            threading.Thread(target=self._keep, daemon=True).start()
        return self._observer.code

    def end(self) -> None:
        """The program is at its end."""
        if not self._started:
            return
        self._over.set()
        self._observer.__exit__(None, None, None)
        self._write(self._observer.observations())
        # To learn what callees do they are traced, and whatever they do then must not cost what is known already.
        with contextlib.suppress(Exception):
            self._write(self._observer.observations(self._namespace()))

    def _namespace(self) -> dict[str, Any]:
        modules = [vars(module) for module in list(sys.modules.values()) if hasattr(module, "__dict__")]
        return next((one for one in modules if one.get("__file__") == self._plan.file), {})

    def _keep(self) -> None:
        started = newest = time.monotonic()
        known, due = 0, started
        while not self._over.wait(_LOOKING):
            now = time.monotonic()
            self._tell_place()
            if (seen := self._observer.seen_so_far()) > known:
                known, newest = seen, now
            enough = now - newest > max(_PATIENCE, 2 * (newest - started))
            mark = Path(self._plan.folder, ENOUGH)
            if now > due or enough and not mark.exists():
                self._write(self._observer.observations())
                took = time.monotonic() - now
                due = now + took / _WRITING
            if enough:
                mark.touch()

    def _tell_place(self) -> None:
        """Where it is, should it be stopped there."""
        line = _line_of_top_level(self._plan.file)
        if line is not None and line != self._reached:
            self._reached = line
            self._put(REACHED, line)

    def _write(self, observations: Observations) -> None:
        self._put(OBSERVED, observations)

    def _put(self, name: str, value: object) -> None:
        """The whole of it, or what was there before: the program may be stopped at any time."""
        final = Path(self._plan.folder, f"{name}.{os.getpid()}")
        partial = final.with_name(f"partial-{final.name}.{threading.get_ident()}")
        write(partial, value)
        os.replace(partial, final)


def _line_of_top_level(file: str) -> int | None:
    """The line that the file's own top level is at; None where it isn't being executed."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    found = None
    while frame is not None:
        if frame.f_code.co_filename == file and frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") == "__main__":
            found = frame.f_lineno
        frame = frame.f_back
    return found
