"""Installs a wheel into fresh environments of Python 3.10 to 3.13 and uses it there: `python scripts/try_wheel.py build/dist`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

VERSIONS = ("3.10", "3.11", "3.12", "3.13")
PROGRAM = """\
import tensorflow as tf

total = tf.Variable(tf.zeros([1000, 1000]))


def step():
    total.assign(total + tf.ones([1000, 1000]))
"""


def interpreter(version: str) -> str | None:
    """The Python of that version, if there is one that runs and can make environments."""
    managed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates = [sys.executable, shutil.which(f"python{version}"), *map(str, sorted(managed.glob(f"{version}.*/bin/python")))]
    question = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
    for one in filter(None, candidates):
        done = subprocess.run([one, "-c", question], capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout.strip() == version:
            return one
    return None


def tried(python: str, wheel: Path, folder: Path) -> str:
    """What is wrong with the wheel in a fresh environment; empty if nothing is."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    command = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([command, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel], check=True)
    (folder / "step.py").write_text(PROGRAM)
    done = subprocess.run([command, "-m", "tfrewrite", "step.py"], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode or "+    total.assign_add(" not in done.stdout:
        return done.stdout + done.stderr
    modules = "import sys, tfrewrite.cli; print(sorted({'tensorflow', 'numpy', 'memray'} & set(sys.modules)))"
    light = subprocess.run([command, "-c", modules], capture_output=True, text=True, check=False)
    return "" if light.stdout.strip() == "[]" else f"it imports more than it may: {light.stdout}{light.stderr}"


def main(folder: str) -> int:
    wheels = sorted(Path(folder).glob("*.whl"))
    if len(wheels) != 1:
        print(f"{folder} has {len(wheels)} wheels, and one was expected: run make dist", file=sys.stderr)
        return 2
    problems = 0
    for version in VERSIONS:
        python = interpreter(version)
        if python is None:
            print(f"Python {version}: not here, so not tried")
            continue
        with tempfile.TemporaryDirectory() as place:
            problem = tried(python, wheels[0].resolve(), Path(place))
        problems += bool(problem)
        print(f"Python {version}: {problem or 'works'}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
