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
