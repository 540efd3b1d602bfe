"""Puts a rewritten file in the place of the original, whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat

_WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


class WriteError(Exception):
    """The file was not written; the original is as it was."""


def replace_file(path: str, before: bytes, after: bytes) -> None:
    """Write `after` to a file that holds `before`. Raises `WriteError`, with the original untouched."""
    target = os.path.realpath(path)
    try:
        mode = os.stat(target).st_mode
    except OSError as error:
        raise WriteError(f"can't be written: {error.strerror}") from None
    # Renaming asks only the folder for permission, and root is never refused anything: so the file's own bits are asked.
    if not mode & _WRITE_BITS:
        raise WriteError("is read-only: make it writable (chmod u+w), or leave it out")
    temporary = os.path.join(os.path.dirname(target), f".{os.path.basename(target)[:200]}.{os.urandom(4).hex()}.tmp")
    try:
        _write(temporary, after, mode, target)
        if _read(target) != before:
            raise WriteError("changed since it was read, so it was left alone: run tfrewrite again")
        os.replace(temporary, target)
    except OSError as error:
        raise WriteError(f"can't be written: {error.strerror}; it was left as it was") from None
    finally:
        # Also after Ctrl-C. Once the file has been renamed there is nothing of that name.
        with contextlib.suppress(OSError):
            os.unlink(temporary)
    _sync_folder(os.path.dirname(target))


def _write(temporary: str, data: bytes, mode: int, target: str) -> None:
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with open(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        _keep_owner(temporary, target)
        os.chmod(temporary, stat.S_IMODE(mode))
        os.fsync(file.fileno())


def _keep_owner(temporary: str, target: str) -> None:
    if hasattr(os, "chown"):
        status = os.stat(target)
        if (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
            with contextlib.suppress(PermissionError):
                os.chown(temporary, status.st_uid, status.st_gid)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _sync_folder(folder: str) -> None:
    """Make the rename itself last through a power cut, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder or os.curdir, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
