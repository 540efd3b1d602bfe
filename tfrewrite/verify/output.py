"""What a program prints, apart from what TensorFlow logs on the same stream."""

from __future__ import annotations

import re

_LOGGED = re.compile(
    r"^(?:"
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+: [IWEF] .*"  # TensorFlow
    r"|[IWEF]\d{4} \d\d:\d\d:\d+\.\d+ .*"  # absl, in Python and in C++, where the seconds may be those of an epoch
    r"|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.]+:.*"  # Python's logging
    r"|WARNING: All log messages before absl::InitializeLog\(\) is called are written to STDERR"
    r"|To enable the following instructions: .*"
    r")\n?",
    re.MULTILINE,
)


def without_log(text: str) -> str:
    return _LOGGED.sub("", text)


_MOVES = re.compile("(\x08+|\r)")
_COLOURS = re.compile("\x1b\\[[0-9;]*m")
_SPEED = re.compile(r"(?<=[━] )\d+(?:[mu]?s|:[\d:]+) \d+[mu]?s/(?:step|epoch)|(?<=\d - )\d+s - \d+[mu]?s/(?:step|epoch)")
"""How long it took, in the lines of Keras' progress: `10/10 ━━━━ 2s 5ms/step - loss: 0.3`, `10/10 - 2s - 5ms/step - loss: 0.3`."""


def shown(text: str) -> str:
    """What a reader sees in the end of what was printed: progress bars write over themselves, and tell how fast they were."""
    if "\x1b" in text:
        text = _COLOURS.sub("", text)
    if "\r" in text or "\x08" in text:
        text = "\n".join(_overwritten(line) if "\r" in line or "\x08" in line else line for line in text.split("\n"))
    return _SPEED.sub("(its time)", text) if "/step" in text or "/epoch" in text else text


def _overwritten(line: str) -> str:
    """The line once all moves of the cursor are made."""
    seen, at = "", 0
    for part in _MOVES.split(line):
        if part.startswith("\r"):
            at = 0
        elif part.startswith("\x08"):
            at = max(0, at - len(part))
        else:
            seen = seen[:at] + part + seen[at + len(part) :]
            at += len(part)
    return seen.rstrip()
