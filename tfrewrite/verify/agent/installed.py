"""Where Python's own modules and installed packages stand: what is there is no code of the program's."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig

_PACKAGES = ("site-packages", "dist-packages")


@functools.cache
def libraries() -> tuple[str, ...]:
    """Folders, with a separator at their end. An environment may see the packages of another (`venv --system-site-packages`)."""
    paths = sysconfig.get_paths()
    places = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    places |= {place for place in sys.path if os.path.basename(place) in _PACKAGES}
    return tuple(os.path.join(place, "") for place in sorted(places | {*map(os.path.realpath, places)}))
