"""Who imports a file, found out from small projects; and that nothing is believed which isn't sure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import gast
import pytest
from conftest import Run, age

from tfrewrite import catalogue
from tfrewrite.engine import Options, rewrite
from tfrewrite.facts import Facts
from tfrewrite.import_lines import scan
from tfrewrite.outcomes import Fidelity
from tfrewrite.projects import Projects
from tfrewrite.source import Source
from tfrewrite.standing import Standing

pytestmark = pytest.mark.smoke

MARKER = {"pyproject.toml": "[tool.black]\n"}
LIBRARY = {"pyproject.toml": '[project]\nname = "net"\n'}
DYNAMIC = "import importlib, sys\nmodule = importlib.import_module(sys.argv[1])\n"


def notebook(*lines: str) -> str:
    cell = {"cell_type": "code", "source": [f"{line}\n" for line in lines], "outputs": [], "metadata": {}, "execution_count": 1}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def make(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, Standing.SCRIPT),
        ({"other.py": "import trainer\n"}, Standing.SCRIPT),
        ({"other.py": "# import train\n"}, Standing.SCRIPT),
        ({"other.py": "import os, train as t\n"}, Standing.IMPORTED),
        ({"other.py": "from train import (  # all\n    fit,\n)\n"}, Standing.IMPORTED),
        ({"other.py": "from .train import fit\n"}, Standing.IMPORTED),
        ({"other.py": "from . import train\n"}, Standing.IMPORTED),
        ({"other.py": "from.train import fit\n"}, Standing.IMPORTED),
        ({"other.py": "from \\\n  train import fit\n"}, Standing.IMPORTED),
        ({"other.py": "if True: import train\n"}, Standing.IMPORTED),
        ({"other.py": "import os; import train\n"}, Standing.IMPORTED),
        ({"other.py": "exec('import train')\n"}, Standing.ANYONE),
        ({"other.py": "def f():\n\timport\ttrain\n"}, Standing.IMPORTED),
        ({"a/other.py": "from .. import train\n"}, Standing.IMPORTED),
        ({"a/other.py": "from . import train\n"}, Standing.SCRIPT),
        ({"a/other.py": "import sys; sys.path.append('..')\nimport train\n"}, Standing.IMPORTED),
        ({"a/train.py": "", "a/other.py": "from a.train import fit\n"}, Standing.SCRIPT),
        ({"a/train.py": "", "other.py": "import train\n"}, Standing.IMPORTED),
        ({"note.ipynb": notebook("import numpy as np", "from train import fit")}, Standing.IMPORTED),
        ({"note.ipynb": notebook("%run train.py")}, Standing.IMPORTED),
        ({"note.ipynb": notebook("%run other.py", "print('train')")}, Standing.SCRIPT),
        ({"README.md": "Use it:\n\n    >>> from train import fit\n"}, Standing.IMPORTED),
        ({"README.md": "Run `python train.py`.\n"}, Standing.SCRIPT),
        ({"run": "#!/usr/bin/env python\nimport train\n"}, Standing.IMPORTED),
        ({"run": "python -m train --steps 3\n"}, Standing.SCRIPT),
        ({"run.sh": "python -c 'import train; train.fit()'\n"}, Standing.ANYONE),
        ({"other.py": "import importlib\nm = importlib.import_module('train')\n"}, Standing.IMPORTED),
        ({"other.py": "m = __import__('train')\n"}, Standing.IMPORTED),
        ({"other.py": DYNAMIC}, Standing.UNSEEN),
        ({"other.py": "from importlib import import_module\nall = [*map(import_module, names)]\n"}, Standing.UNSEEN),
        ({"other.py": "import importlib\nimportlib.import_module(f'models.{name}')\n"}, Standing.SCRIPT),
        ({"other.py": "import importlib\nimportlib.import_module('models.' + name)\n"}, Standing.SCRIPT),
        ({"other.py": "import importlib\nimportlib.import_module(f'tr{name}')\n"}, Standing.UNSEEN),
        ({"other.py": "import runpy\nrunpy.run_path('train.py')\n"}, Standing.IMPORTED),
        ({"other.py": "import runpy\nrunpy.run_path(path)\n"}, Standing.UNSEEN),
        ({"other.py": "exec(open('train.py').read())\n"}, Standing.UNSEEN),
        ({"other.py": "model.exec(1)\nprint('we exec')\n"}, Standing.SCRIPT),
        ({"other.py": "import __main__\n__main__.fit()\n"}, Standing.UNSEEN),
        ({"setup.cfg": "[options.entry_points]\nconsole_scripts =\n    fit = train:main\n"}, Standing.UNSEEN),
        ({"tool.toml": 'fit = "train:main"\n'}, Standing.UNSEEN),
        ({"conf/net.yaml": "_target_: train.fit\n"}, Standing.UNSEEN),
        ({"other.py": "save('train.h5')\n"}, Standing.SCRIPT),
        ({"other.py": "import train (\n"}, Standing.IMPORTED),
        ({".venv/lib/other.py": "import train\n"}, Standing.SCRIPT),
    ],
)
def test_a_script_is_what_nobody_imports(files: Mapping[str, str], expected: Standing, tmp_path: Path) -> None:
    make(tmp_path, {**MARKER, "train.py": "print(1)\n", **files})
    assert Projects().surroundings(str(tmp_path / "train.py")).standing is expected


@pytest.mark.parametrize(
    ("name", "files", "expected"),
    [
        ("net/layers.py", {**LIBRARY, "net/__init__.py": ""}, Standing.ANYONE),
        ("net/layers.py", {**MARKER, "net/__init__.py": ""}, Standing.SCRIPT),
        ("net/layers.py", {**MARKER, "net/__init__.py": "from .layers import dense\n"}, Standing.IMPORTED),
        ("net/layers.py", {**LIBRARY, "net/__init__.py": "from .layers import dense\n"}, Standing.ANYONE),
        ("src/net/layers.py", LIBRARY, Standing.UNSEEN),
        ("layers.py", {"setup.py": "from setuptools import setup\nsetup(py_modules=['layers'])\n"}, Standing.UNSEEN),
        ("examples/layers.py", LIBRARY, Standing.SCRIPT),
        ("examples/layers.py", {**LIBRARY, "examples/run.py": "import layers"}, Standing.IMPORTED),
        ("net/__init__.py", {**MARKER, "run.py": "import net.layers\n"}, Standing.ANYONE),
        ("tests/test_net.py", MARKER, Standing.UNSEEN),
        ("conftest.py", MARKER, Standing.UNSEEN),
        ("a/b/layers.py", {**MARKER, "a/c/run.py": "from ..b.layers import dense\n"}, Standing.IMPORTED),
        ("a/b/layers.py", {**MARKER, "a/c/run.py": "from a.b import layers\n"}, Standing.IMPORTED),
        ("a/b/layers.py", {**MARKER, "a/c/run.py": "from a.d import layers\n"}, Standing.SCRIPT),
    ],
)
def test_what_is_installed_is_open_to_strangers(name: str, files: Mapping[str, str], expected: Standing, tmp_path: Path) -> None:
    make(tmp_path, {**files, name: "x = 1\n"})
    assert Projects().surroundings(str(tmp_path / name)).standing is expected


def test_what_is_imported_by_an_importer_counts_too(tmp_path: Path) -> None:
    make(tmp_path, {**MARKER, "a.py": "", "b.py": "from a import f\n", "c.py": "import b\n", "d.py": "import numpy\n"})
    found = Projects().surroundings(str(tmp_path / "a.py"))
    assert [one.path for one in found.importers] == [str(tmp_path / "b.py"), str(tmp_path / "c.py")]
    assert "b.py" in found.said


def test_without_a_project_only_the_folder_is_seen(tmp_path: Path) -> None:
    """Nobody knows what lies elsewhere and imports it, unless the folder is named for a project."""
    make(tmp_path, {"train.py": "", "lib.py": "", "run.py": "import lib\n", "deep/other.py": "import train\n"})
    alone = Projects([str(tmp_path / "train.py")])
    assert alone.surroundings(str(tmp_path / "train.py")).standing is Standing.UNSEEN
    assert alone.surroundings(str(tmp_path / "lib.py")).standing is Standing.ANYONE
    whole = Projects([str(tmp_path)])
    assert whole.surroundings(str(tmp_path / "run.py")).standing is Standing.SCRIPT
    assert whole.surroundings(str(tmp_path / "train.py")).standing is Standing.IMPORTED


def test_a_repository_is_one_project(tmp_path: Path) -> None:
    """A part with a pyproject.toml of its own may be imported by the others; a submodule by what it is part of."""
    make(tmp_path, {".git/HEAD": "", "one/pyproject.toml": "", "one/lib.py": "", "two/run.py": "import lib\n"})
    make(tmp_path, {"three/.git": "gitdir: ../.git/modules/three\n", "three/more.py": "", "two/again.py": "import more\n"})
    for name in ("one/lib.py", "three/more.py"):
        assert Projects().surroundings(str(tmp_path / name)).standing is Standing.IMPORTED


def test_a_link_gives_a_file_another_name(tmp_path: Path) -> None:
    make(tmp_path, {**MARKER, "src/train.py": "", "other.py": ""})
    (tmp_path / "lib").symlink_to("src")
    (tmp_path / "src" / "round").symlink_to("..")
    (tmp_path / "fit.py").symlink_to("src/train.py")
    for text in ("from lib.train import fit\n", "import fit\n"):
        (tmp_path / "other.py").write_text(text)
        assert Projects().surroundings(str(tmp_path / "src" / "train.py")).standing is Standing.ANYONE
    (tmp_path / "other.py").write_text("import nothing\n")
    assert Projects().surroundings(str(tmp_path / "src" / "train.py")).standing is Standing.SCRIPT


def test_what_files_import_is_kept_between_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TFREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    work = tmp_path / "work"
    make(work, {**MARKER, "train.py": "", "other.py": "x = 1\n"})
    for one in work.iterdir():
        age(one)
    path = str(work / "train.py")
    first = Projects(cached=True).surroundings(path)
    assert first.standing is Standing.SCRIPT
    monkeypatch.setattr("tfrewrite.import_lines.scan", None)
    assert Projects(cached=True).surroundings(path) == first
    monkeypatch.undo()
    (work / "other.py").write_text("import train\n")
    assert Projects(cached=True).surroundings(path).standing is Standing.IMPORTED


def test_text_is_looked_at_for_what_it_imports() -> None:
    found = scan("import a.b as c, d\nfrom .e import f as g, (h)\nfrom i import *\n'''\nimport j\n'''\n", "x.py")
    assert found.targets == (".e", ".e.f", ".e.h", "a.b", "d", "i", "j")
    assert found.untold == () and found.named == ()


# What is made of it

GUARDED = """\
import tensorflow as tf


def product(a, b):
    return tf.matmul(a, tf.transpose(b))


def main():
    print(product(tf.ones([300, 400]), tf.ones([500, 400])))


if __name__ == "__main__":
    main()
"""


def changes(run: Run, *arguments: str, given: bytes = b"") -> bool:
    done = run(*arguments, given=given)
    assert done.returncode == 0, done.stderr
    return b"transpose_b" in done.stdout


def explained(run: Run, *arguments: str) -> str:
    done = run("explain", "train.py", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """`run` starts there."""
    make(tmp_path, {**MARKER, "train.py": GUARDED})
    return tmp_path


def test_a_guarded_script_is_believed_in_a_project(project: Path, run: Run) -> None:
    assert changes(run, "train.py")
    assert not changes(run, "train.py", "--callers", "file")
    assert not changes(run, "train.py", "--callers", "anyone")
    make(project, {"other.py": "import train\n"})
    assert not changes(run, "train.py")
    (project / "other.py").unlink()
    make(project, {"pyproject.toml": '[tool.tfrewrite]\ncallers = "file"\n'})
    assert not changes(run, "train.py")
    assert changes(run, "train.py", "--callers", "project")
    (project / "pyproject.toml").unlink()
    assert not changes(run, "train.py"), "a file that lies in no project may be imported from anywhere"
    assert changes(run, "."), "a folder that is named is a project"


def test_explain_says_what_was_believed(project: Path, run: Run) -> None:
    assert "no other file" in explained(run)
    make(project, {"other.py": "import train\n"})
    assert "imported by other.py" in explained(run)
    assert "anybody" in explained(run, "--callers", "anyone")
    assert "Callers" not in explained(run, "--callers", "file")


def test_a_result_lasts_until_somebody_imports_the_file(project: Path, run: Run) -> None:
    for one in project.glob("*.*"):
        age(one)
    for _ in range(2):
        assert changes(run, "train.py")
    make(project, {"other.py": "import train\n"})
    age(project / "other.py")
    for _ in range(2):
        assert not changes(run, "train.py")
    (project / "other.py").unlink()
    assert changes(run, "train.py")


def test_workers_are_told_the_same(project: Path, run: Run) -> None:
    make(project, {f"train{number}.py": GUARDED for number in range(4)})
    make(project, {"other.py": "import train2\n"})
    alone, together = (run(".", "--no-cache", "--workers", count).stdout for count in ("1", "3"))
    assert alone == together
    assert alone.count(b"\n+++ ") == 4


def test_standard_input_stands_where_its_name_says(project: Path, run: Run) -> None:
    text = GUARDED.encode()
    assert changes(run, "-", "--stdin-filename", "train.py", given=text)
    assert not changes(run, "-", given=text)
    make(project, {"other.py": "import train\n"})
    assert not changes(run, "-", "--stdin-filename", "train.py", given=text)


# What other files call

LIB = """\
import tensorflow as tf


def product(a, b):
    return tf.matmul(a, tf.transpose(b))
"""
MATRICES = "tf.ones([3, 4]), tf.ones([5, 4])"
RUN = f"import tensorflow as tf\nfrom lib import product\n\nprint(product({MATRICES}))\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"run.py": RUN}, True),
        ({"run.py": RUN, "again.py": RUN}, True),
        ({"run.py": RUN.replace("product(", "product(b=tf.zeros([2, 4]), a=tf.zeros([1, 4]) if True else ")}, False),
        ({"run.py": f"import tensorflow as tf\nimport lib as l\nl.product({MATRICES})\n"}, True),
        ({"run.py": f"import tensorflow as tf\nimport lib\nif __name__ == '__main__':\n    lib.product({MATRICES})\n"}, True),
        ({"run.py": f"import tensorflow as tf\nfrom lib import product as p\ndef main():\n    p({MATRICES})\nmain()\n"}, True),
        ({"run.py": f"import tensorflow as tf\nfrom lib import *\nproduct({MATRICES})\n"}, True),
        ({"run.py": f"import tensorflow as tf\nfrom lib import *\nproduct({MATRICES})\neval('product(x)')\n"}, False),
        ({"run.py": "import tensorflow as tf\nfrom lib import product\ndef f(x):\n    return product(x, x)\n"}, False),
        ({"run.py": "import tensorflow as tf\nfrom lib import product\ndef f(x):\n    return product(x, x)\nf(tf.ones([5, 5]))\n"}, True),
        ({"run.py": RUN + "product(tf.ones([2, 3, 4]), tf.ones([2, 5, 4]))\n"}, False),
        ({"run.py": RUN, "again.py": RUN.replace("[5, 4]", "[2, 5, 4]")}, False),
        ({"run.py": RUN + "hand(product)\n"}, False),
        ({"run.py": RUN + "product(*pairs)\n"}, False),
        ({"run.py": RUN + "import lib\nhand(lib)\n"}, False),
        ({"run.py": RUN + "import lib\ngetattr(lib, name)(x)\n"}, False),
        ({"run.py": RUN + "import lib\nlib.__dict__[name](x)\n"}, False),
        ({"run.py": RUN + "import lib\nlib.product = print\n"}, False),
        ({"run.py": RUN + "import sys\nsys.modules['lib'].product(x, y)\n"}, False),
        ({"run.py": RUN + "model.product(x)\ntf.nn.product(x)\n"}, True),
        ({"run.py": RUN + "def product(x):\n    return x\n"}, False),
        ({"run.py": RUN + "try:\n    from lib import product\nexcept ImportError:\n    product = None\n"}, False),
        ({"run.py": RUN, "broken.py": "from lib import product\nproduct(\n"}, False),
        ({"run.py": RUN, "broken.py": "import re\nprint 'product'\n"}, True),
        ({"run.py": RUN, "README.md": "    from lib import product\n"}, False),
        ({"run.py": RUN, "note.ipynb": notebook("import lib", "%matplotlib inline", "lib.other(1)")}, True),
        ({"run.py": RUN, "note.ipynb": notebook("import lib", f"lib.product({MATRICES})")}, False),
        ({"run.py": RUN, "note.ipynb": notebook("%run lib.py")}, False),
        ({"run.py": RUN, "mid.py": "from lib import product\n", "far.py": "import mid\nmid.product(1, 2)\n"}, False),
        ({"run.py": RUN, "mid.py": "from lib import product as p\n", "far.py": "import mid\nmid.p(1, 2)\n"}, False),
        ({"run.py": RUN, "mid.py": "import lib as l\n", "far.py": "import mid\nmid.l.product(1, 2)\n"}, False),
        ({"run.py": RUN, "mid.py": "import lib\n", "far.py": "from mid import lib\nlib.product(1, 2)\n"}, False),
        ({"run.py": RUN, "mid.py": "from lib import *\n", "far.py": "from mid import *\nproduct(1, 2)\n"}, False),
        ({"run.py": RUN, "far.py": "import importlib\nimportlib.import_module('lib').product(1, 2)\n"}, False),
        ({"run.py": RUN, "far.py": "from unittest import mock\nimport lib\nwith mock.patch('lib.product'):\n    pass\n"}, False),
        ({"run.py": RUN, "setup.py": "from setuptools import setup\nsetup(py_modules=['lib'])\n"}, False),
        ({"run.py": "import lib\n"}, False),
    ],
)
def test_calls_of_other_files_are_followed(files: Mapping[str, str], expected: bool, tmp_path: Path) -> None:
    make(tmp_path, {**MARKER, "lib.py": LIB, **files})
    assert changed(tmp_path / "lib.py") is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LIB, True),
        (LIB + "\n\nprint(product(tf.ones([2, 2]), tf.ones([2, 2])))\n", True),
        (LIB + "\n\nprint(product(tf.ones([2, 2, 2]), tf.ones([2, 2, 2])))\n", False),
        (LIB + "\n\nhand(product)\n", False),
        (LIB + "\n\n__all__ = ['product']\n", False),
        (LIB + "\n\nglobals()['product'](x)\n", False),
        (LIB + "\n\nproduct = tf.function(product)\n", False),
        (LIB.replace("def product", "@decorated\ndef product"), False),
        (LIB.replace("(a, b):", "(a, b=None):"), True),
    ],
)
def test_what_the_file_itself_does_counts_too(text: str, expected: bool, tmp_path: Path) -> None:
    make(tmp_path, {**MARKER, "lib.py": text, "run.py": RUN})
    assert changed(tmp_path / "lib.py") is expected


@pytest.mark.parametrize(
    ("around", "expected"),
    [
        ("{}", (True, False)),
        ("with tf.GradientTape() as tape:\n    {}", (True, True)),
        ("@tf.function\ndef step():\n    {}\n\n\nstep()", (False, False)),
        ("def step():\n    {}\n\n\nstep()", (True, False)),
        ("def step():\n    {}\n", (False, True)),
    ],
)
def test_what_calls_of_other_files_run_in(around: str, expected: tuple[bool, bool], tmp_path: Path) -> None:
    text = f"import tensorflow as tf\nfrom lib import product\n\n\n{around.format(f'product({MATRICES})')}\n"
    make(tmp_path, {**MARKER, "lib.py": LIB, "run.py": text})
    facts = facts_of(tmp_path / "lib.py")
    (function,) = (one for one in facts.tree.body if isinstance(one, gast.FunctionDef))
    assert (facts.only_eager(function.body[0]), facts.taped(function.body[0])) == expected


def test_a_result_depends_on_what_others_call(tmp_path: Path, run: Run) -> None:
    make(tmp_path, {**MARKER, "lib.py": LIB, "run.py": RUN})
    for one in tmp_path.glob("*.*"):
        age(one)
    for _ in range(2):
        assert changes(run, "lib.py", "--fidelity", "tolerance")
    make(tmp_path, {"run.py": RUN.replace("[5, 4]", "[2, 5, 4]")})
    age(tmp_path / "run.py", 30)
    for _ in range(2):
        assert not changes(run, "lib.py", "--fidelity", "tolerance")


def facts_of(path: Path) -> Facts:
    around = Projects().surroundings(str(path))
    return Facts(Source.from_file(str(path)).standing_in(around))


def changed(path: Path) -> bool:
    around = Projects().surroundings(str(path))
    options = Options(catalogue.chosen(["matmul_transpose"], []), fidelity=Fidelity.TOLERANCE, around=around)
    return bool(rewrite(Source.from_file(str(path)), options).edits)
