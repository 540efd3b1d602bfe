"""Which lines of a program hold most of its memory at its peak."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tfrewrite.verify import plan as plans
from tfrewrite.verify.case import Watcher, how
from tfrewrite.verify.plan import Profile, Profiled
from tfrewrite.verify.processes import End, Limits, Processes, Task
from tfrewrite.verify.runs import environment, until_interrupted

_ENTRY = "tfrewrite.verify.agent.line_profile:main"
_READING = 120.0
"""Seconds that what was recorded may take to be read."""


class ProfileError(Exception):
    """There is no profile, and why."""


def profile(file: Path, arguments: Sequence[str], seconds: float, memory: int | None, watcher: Watcher) -> Profiled:
    """Run a script as it is until it ends, its time is over, or somebody presses Ctrl-C. Raises `ProfileError`."""
    folder = Path(tempfile.mkdtemp(prefix="tfrewrite-"))
    plan = Profile(str(file.absolute()), tuple(arguments), str(folder), seconds)
    plans.write(folder / "plan", plan)
    watcher.stage(f"running {file}: to its end, for {seconds:.0f} s, or until Ctrl-C")
    try:
        with Processes(environment("memray"), needed=("tensorflow", "memray")) as processes, until_interrupted(True) as interrupted:

            def stop() -> bool:
                if interrupted():
                    (folder / plan.stop).touch()
                return False

            task = Task(_ENTRY, str(folder / "plan"), folder)
            ended = processes.run(task, Limits(seconds + _READING, memory), stop=stop)
        found = folder / plans.END
        if ended.how is End.LOST:
            raise ProfileError(ended.message)
        if not found.exists():
            raise ProfileError(f"{file} {how(ended)}: give it more memory with --memory-limit, or less to do")
        result: Profiled = plans.read(found)
        return result
    finally:
        shutil.rmtree(folder, ignore_errors=True)
