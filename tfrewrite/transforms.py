"""Finds the catalogue in a clone that was not installed: it stands in the top-level folder `transforms/`.

In an installed package the folder `tfrewrite/transforms/` takes precedence over this module and it is never imported.
"""

from pathlib import Path

__path__ = [str(Path(__file__).resolve().parent.parent / "transforms")]
