"""What runs leave behind: processes are known by a mark in their environment, one for each process of tests."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path

from tfrewrite.verify import warm

MARK = secrets.token_hex(8)


def alive() -> list[str]:
    """The command lines of all processes of these tests, but of those that programs are forked from."""
    found = []
    for process in warm.table().values():
        try:
            marked = f"MARK={MARK}".encode() in Path(f"/proc/{process.pid}/environ").read_bytes()
        except OSError:
            continue
        if marked and not process.zombie and process.parent != os.getpid():
            found.append(Path(f"/proc/{process.pid}/cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for what comes at once where nothing else runs on the machine; what hasn't come after minutes never will."""
    deadline = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_gone(group: int) -> bool:
    """Has every process of a group ended?"""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False
