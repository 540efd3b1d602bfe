"""Finds the catalogue in a clone that was not installed: it stands in the top-level folder `transforms/`.

In an installed package the folder `tfrewrite/transforms/` takes precedence over this module and it is never imported.
"""

import os

__path__ = [os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "transforms")]
