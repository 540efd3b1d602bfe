"""What a file imports from its project: what is said of it, against what it is when the program runs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gast
import pytest
from conftest import Run, age
from test_projects import DYNAMIC, MARKER, facts_of, make, notebook
from truth import contradiction

from tfrewrite.catalogue import chosen, rules
from tfrewrite.engine import Options, rewrite
from tfrewrite.facts import Facts
from tfrewrite.kinds import Kind, Sort
from tfrewrite.outcomes import Fidelity, Purpose
from tfrewrite.projects import Projects
from tfrewrite.source import Source

CONFIG = """\
import numpy as np
import tensorflow as tf

BATCH, HIDDEN = 32, 64
RATE: float = 0.5
NAME = "net"
SIZES = (8, 4)
NAMES = ["a", "b"]
WEIGHTS = tf.ones([3, 4])
TABLE = np.zeros((2, 3), np.float32)
STATE = tf.Variable(tf.zeros([2]))
NOTHING = None
if RATE > 0.1:
    STEPS = 10
else:
    STEPS = 0.5
EPOCHS = 1
EPOCHS += 1


def counted():
    global COUNT
    COUNT = COUNT + 1.0


COUNT = 0
"""
LAYERS = """\
import tensorflow as tf
from tensorflow import keras

from config import HIDDEN


class Block(keras.layers.Layer):
    def __init__(self, units=HIDDEN):
        super().__init__()
        self.dense = keras.layers.Dense(units)

    def call(self, x):
        return self.dense(x)

    def get_config(self):
        return 3


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def call(self, x):
        return tf.cast(self.block(x), tf.float64)


class Deep(Block):
    def call(self, x):
        return tf.cast(x, tf.int32)


class Plain:
    units = 3
"""
MODEL = """\
import tensorflow as tf
from tensorflow import keras

import config
from layers import Block, Net


def build_model(units):
    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(units), keras.layers.Dense(config.HIDDEN)])


def functional():
    inputs = keras.Input((4,))
    return keras.Model(inputs, Block()(inputs))


def block():
    return Block()


def double(x, by=2):
    return x * by


def pair(x):
    return tf.reduce_sum(x, axis=0), x.shape[0]


def numbers():
    yield 1


@tf.function
def traced(x):
    return tf.cast(x, tf.int32)


shared = keras.Sequential([keras.layers.Dense(3)])
"""
PACKAGE = {
    "net/__init__.py": "from .parts import WIDTH, made\nfrom . import parts\n",
    "net/parts.py": "import tensorflow as tf\nfrom ..config import HIDDEN\nfrom .deep.more import DEPTH\n\nWIDTH = 5\n\n\ndef made():\n    return tf.ones([WIDTH, DEPTH])\n",
    "net/deep/more.py": "DEPTH = 7\n",
}
FILES = {**MARKER, "config.py": CONFIG, "layers.py": LAYERS, "model.py": MODEL}
FILES |= {name: text.replace("from ..config import HIDDEN\n", "") for name, text in PACKAGE.items()}
BEGIN = """\
import tensorflow as tf
import config
import config as c
import layers
import net.parts
import net.deep.more as more
from config import *
from config import BATCH, HIDDEN, RATE, NAME, SIZES, WEIGHTS, TABLE
from layers import Block, Deep, Net
from model import build_model, double as twice, functional
from net import WIDTH, made, parts
import model

x = tf.ones([BATCH, 4])
"""
USES = [
    "BATCH", "HIDDEN", "RATE", "NAME", "SIZES", "SIZES[1]", "WEIGHTS", "TABLE", "WEIGHTS * 2", "config.BATCH", "c.RATE", "config.NAMES", "c.STATE",
    "config.NOTHING", "c.STEPS", "config.EPOCHS", "c.COUNT", "x", "tf.zeros([HIDDEN, c.SIZES[0]])", "Block()(x)", "layers.Block(3)(x)",
    "Block().get_config()", "Deep()(x)", "Net()(x)", "layers.Plain.units", "layers.HIDDEN", "build_model(3)(x)", "functional()(x)",
    "model.block()(x)", "twice(x)", "twice(3)", "twice(x, 0.5)", "twice(TABLE)", "twice(by=3, x=TABLE)", "model.pair(x)", "model.pair(x)[1]", "model.numbers()",
    "model.traced(x)", "model.shared(x)", "WIDTH", "made()", "net.parts.WIDTH", "parts.WIDTH", "more.DEPTH", "net.parts.made()",
    "model.config.HIDDEN", "model.Block()(x)",
]  # fmt: skip


def shown(facts: Facts) -> list[Kind]:
    calls = [one for one in facts.nodes([gast.Call]) if isinstance(one.func, gast.Name) and one.func.id == "use"]
    return [facts.kind(call.args[0]) for call in sorted(calls, key=lambda call: call.lineno)]


def ran(folder: Path, text: str) -> list[Any]:
    """The values that the program hands to `use`."""
    found: list[Any] = []
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        exec(compile(text, "main.py", "exec"), {"__name__": "__main__", "use": found.append})
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(folder) in str(getattr(sys.modules[name], "__file__", "") or getattr(sys.modules[name], "__path__", "")):
                del sys.modules[name]
    return found


def test_what_is_imported_is_what_it_is_when_it_runs(tmp_path: Path) -> None:
    text = BEGIN + "".join(f"use({one})\n" for one in USES)
    make(tmp_path, {**FILES, "main.py": text})
    kinds = shown(facts_of(tmp_path / "main.py"))
    wrong = {
        one: f"{found}; said: {kind}"
        for one, kind, value in zip(USES, kinds, ran(tmp_path, text), strict=True)
        if (found := contradiction(kind, value, {})) is not None
    }
    assert not wrong
    unknown = {one for one, kind in zip(USES, kinds, strict=True) if kind.sort is Sort.UNKNOWN}
    # What may be one thing or another, generators, classes of classes, models that others may add to, and names behind names.
    assert unknown == {
        "c.STEPS", "config.EPOCHS", "c.COUNT", "Deep()(x)", "layers.Plain.units", "model.numbers()", "functional()(x)", "model.config.HIDDEN",
        "model.shared(x)",
    }  # fmt: skip


USE = "import tensorflow as tf\nfrom lib import SIZE\nimport lib\n\nuse(SIZE)\n"
LIB = "SIZE = 3\n"


@pytest.mark.parametrize(
    ("files", "known"),
    [
        ({}, True),
        ({"other.py": "import lib\nlib.OTHER = 3\n"}, True),
        ({"other.py": "import lib\nlib.SIZE = 4\n"}, False),
        ({"other.py": "import lib\nlib.SIZE += 4\n"}, False),
        ({"other.py": "import lib\ndel lib.SIZE\n"}, False),
        ({"other.py": "import lib\nfor lib.SIZE in range(3):\n    pass\n"}, False),
        ({"other.py": "import lib\nsetattr(lib, 'SIZE', 4)\n"}, False),
        ({"other.py": "import lib\nsetattr(lib, name, 4)\n"}, False),
        ({"other.py": "import lib\nclass A:\n    def f(self, name):\n        setattr(self, name, 4)\n"}, True),
        ({"other.py": "import lib\nvars(lib)['SIZE'] = 4\n"}, False),
        ({"other.py": "import lib\nlib.__dict__.update(SIZE=4)\n"}, False),
        ({"other.py": "import lib\nexec('lib.SIZE = 4')\n"}, False),
        ({"other.py": "import lib\nimport sys\nsys.modules['lib'].SIZE = 4\n"}, False),
        ({"other.py": "import lib\nmodel.eval()\nprint(vars(arguments))\n"}, True),
        ({"test_lib.py": "def test_it(monkeypatch):\n    monkeypatch.setattr('lib.SIZE', 4)\n"}, False),
        ({"test_lib.py": "import lib\nfrom unittest import mock\n@mock.patch.object(lib, 'SIZE', 4)\ndef test_it():\n    pass\n"}, False),
        ({"test_lib.py": "import lib\nfrom unittest import mock\n@mock.patch.multiple(lib, SIZE=4)\ndef test_it():\n    pass\n"}, False),
        ({"mid.py": "import lib\n", "other.py": "import mid\nmid.lib.SIZE = 4\n"}, False),
        ({"other.py": DYNAMIC}, False),
        ({"note.ipynb": notebook("import lib", "lib.SIZE = 4")}, False),
        ({"note.ipynb": notebook("import lib", "print(lib.SIZE)")}, False),
        ({"note.ipynb": notebook("import lib", "lib.other()")}, True),
        ({"broken.py": "import lib\nlib.SIZE = (\n"}, False),
        ({"setup.py": "from setuptools import setup\nsetup(py_modules=['lib'])\n"}, False),
        ({"lib.py": "SIZE = 3\nSIZE = 4\n"}, False),
        ({"lib.py": "SIZE = 3\n\n\ndef f():\n    global SIZE\n    SIZE = 4.0\n"}, False),
        ({"lib.py": "SIZE = 3\nglobals()['SIZE'] = 4\n"}, False),
        ({"lib.py": "SIZE = (\n"}, False),
        ({"lib.py": "from main import x as SIZE\n"}, False),
        ({"lib/__init__.py": "SIZE = 4\n"}, False),
        ({"src/lib.py": "SIZE = 4\n"}, False),
        ({"other/lib.py": "SIZE = 4\n"}, True),
        ({"lib.py": "from far import SIZE\n", "far.py": "SIZE = 4\n"}, True),
        ({"lib.py": "from far import *\n", "far.py": "SIZE = 4\n"}, False),
        ({"main.py": USE.replace("use(", "SIZE = 'a'\nuse(")}, False),
        ({"main.py": USE.replace("use(", "lib.SIZE = 'a'\nuse(")}, False),
        ({"main.py": USE.replace("from lib", "from .lib").replace("import lib\n", "")}, True),
        ({"main.py": "import tensorflow as tf\ntry:\n    from lib import SIZE\nexcept ImportError:\n    SIZE = 'a'\nuse(SIZE)\n"}, False),
    ],
)  # fmt: skip
def test_constants_are_believed_that_nobody_changes(files: Mapping[str, str], known: bool, tmp_path: Path) -> None:
    make(tmp_path, {**MARKER, "main.py": USE, "lib.py": LIB, **files})
    (kind,) = shown(facts_of(tmp_path / "main.py"))
    assert (kind.sort is Sort.NUMBER) is known


def test_names_of_libraries_are_not_the_projects(tmp_path: Path) -> None:
    make(tmp_path, {**MARKER, "main.py": "import tensorflow as tf\nfrom random import SIZE\nuse(SIZE)\n", "random.py": LIB})
    assert shown(facts_of(tmp_path / "main.py")) == [Kind()]


def test_a_file_elsewhere_is_not_taken_for_a_module_beside(tmp_path: Path) -> None:
    make(tmp_path, {**MARKER, "a/main.py": USE, "b/lib.py": LIB, "c/d/main.py": USE, "c/lib.py": "SIZE = 4\n"})
    assert shown(facts_of(tmp_path / "a" / "main.py")) == [Kind()]
    assert shown(facts_of(tmp_path / "c" / "d" / "main.py"))[0].value is None, "there are two"
    (tmp_path / "b" / "lib.py").unlink()
    assert shown(facts_of(tmp_path / "c" / "d" / "main.py"))[0].value == 4


def test_without_a_project_nothing_is_followed(tmp_path: Path) -> None:
    make(tmp_path, {"main.py": USE, "lib.py": LIB})
    assert shown(facts_of(tmp_path / "main.py")) == [Kind()]


SETTING = """\
import tensorflow as tf
from tensorflow import keras

from helpers import settle

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8), keras.layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.01)


def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True)))
    grads = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
    return loss


for epoch in range(3):
    settle(model.layers[0], epoch)
    print(float(train_step(tf.ones([2, 4]))))
"""


@pytest.mark.parametrize(
    ("body", "setting"),
    [
        ("layer.trainable = epoch < 2", "trainable"),
        ("layer.rate *= 0.5", "rate"),
        ('setattr(layer, "activation", None)', "activation"),
        ("print(layer.trainable == True, layer.rating == 1)", ""),
    ],
)
def test_settings_of_layers_that_an_imported_file_changes(tmp_path: Path, body: str, setting: str) -> None:
    make(tmp_path, {"train.py": SETTING, "helpers.py": f"def settle(layer, epoch):\n    {body}\n"})
    path = str(tmp_path / "train.py")
    around = Projects().surroundings(path)
    options = Options(chosen(["compiled_step"], []), fidelity=Fidelity.TOLERANCE, purposes=frozenset(Purpose), around=around)
    result = rewrite(Source(SETTING, path), options)
    assert bool(result.rewrites) is not bool(setting)
    assert not setting or f"may set {setting} after the first step" in result.refusals[0].reason


def test_files_that_import_each_other_are_the_same_whoever_is_asked_first(tmp_path: Path) -> None:
    make(tmp_path, {**MARKER, "main.py": USE, "lib.py": "from far import BIG\nSIZE = 3\n", "far.py": "from lib import SIZE\nBIG = SIZE\n"})
    around = Projects().surroundings(str(tmp_path / "main.py"))
    assert [one.imports for one in around.modules] == [()]
    assert shown(facts_of(tmp_path / "main.py"))[0].value == 3


def test_what_another_file_sets_up_counts(tmp_path: Path) -> None:
    setup = "from tensorflow import keras\nkeras.mixed_precision.set_global_policy('mixed_float16')\n"
    main = "from tensorflow import keras\nimport tensorflow as tf\nimport lib\nuse(keras.layers.Dense(3)(tf.ones([2, 3])))\n"
    make(tmp_path, {**MARKER, "main.py": main, "lib.py": ""})
    assert shown(facts_of(tmp_path / "main.py"))[0].dtype == "float32"
    make(tmp_path, {"lib.py": setup})
    assert shown(facts_of(tmp_path / "main.py"))[0].dtype is None


SCALED = """\
import numpy as np
from tensorflow import keras
import lib


def run():
    images = np.zeros((1000, 28, 28), np.uint8) / 255.0
    model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(images, images[:, 0, 0])
"""


@pytest.mark.parametrize(("file", "marked"), [("lib.py", True), ("lib.py", False), ("main.py", True)])
def test_models_that_compute_in_float64_by_what_another_file_says(file: str, marked: bool, tmp_path: Path) -> None:
    files = {**(MARKER if marked else {}), "images.py": SCALED, "lib.py": "", "main.py": "import images\nimages.run()\n"}
    make(tmp_path, files)
    assert "scaled_images" in rules_of(tmp_path / "images.py")
    make(tmp_path, {file: "from tensorflow import keras\nkeras.backend.set_floatx('float64')\n" + files[file]})
    assert "scaled_images" not in rules_of(tmp_path / "images.py")


PREDICTED = """\
import numpy as np
from tensorflow import keras
import lib

model = keras.Sequential([keras.Input([4]), keras.layers.Dense(1)])
for i in range(3):
    print(model.predict(np.full((1, 4), i), verbose=0))
"""
GIVEN = (
    "from tensorflow import keras\nplain = keras.Model.{0}\nkeras.Model.{0} = lambda self, *given, **more: plain(self, *given, **more)\n"
)


@pytest.mark.parametrize("marked", [True, False])
def test_methods_of_keras_that_another_file_replaces(marked: bool, tmp_path: Path) -> None:
    files = {**(MARKER if marked else {}), "images.py": f"{SCALED}\n\nrun()\n", "agent.py": PREDICTED}
    make(tmp_path, {**files, "lib.py": "def fit(x):\n    return x.fit == 3\n"})
    assert "scaled_images" in rules_of(tmp_path / "images.py") and "predict_on_batch" in rules_of(tmp_path / "agent.py")
    make(tmp_path, {"lib.py": GIVEN.format("fit")})
    assert "scaled_images" not in rules_of(tmp_path / "images.py") and "predict_on_batch" in rules_of(tmp_path / "agent.py")
    make(tmp_path, {"lib.py": GIVEN.format("predict")})
    assert "scaled_images" in rules_of(tmp_path / "images.py") and "predict_on_batch" not in rules_of(tmp_path / "agent.py")


RELEASED = """\
import numpy as np
import tensorflow as tf
import lib

pixels = np.random.rand(5000, 1000)
scaled = pixels.astype("float32")
for _ in range(3):
    print(tf.reduce_sum(scaled))
lib.show()
"""


@pytest.mark.parametrize(
    ("lib", "reads"),
    [
        ("def show():\n    print(3)\n\n\nif __name__ == '__main__':\n    show()\n", False),
        ("import sys\n\n\ndef show():\n    print(sys.modules['__main__'].pixels.shape)\n", True),
        ("import inspect\n\n\ndef show():\n    print(inspect.stack()[1].frame.f_locals['pixels'].shape)\n", True),
    ],
)
def test_names_of_a_script_that_another_file_reads(lib: str, reads: bool, tmp_path: Path) -> None:
    make(tmp_path, {**MARKER, "main.py": RELEASED, "lib.py": lib})
    assert ("released_array" in rules_of(tmp_path / "main.py")) is not reads


def rules_of(path: Path) -> set[str]:
    """The rules that rewrite a file of a project."""
    options = Options(rules(), around=Projects().surroundings(str(path)))
    return {one.rule for one in rewrite(Source(path.read_text(), str(path)), options).rewrites}


@pytest.mark.parametrize(
    ("line", "known"), [("print(lib.TABLE)", True), ("lib.TABLE.shape = (6,)", False), ("lib.TABLE.resize((6,))", False)]
)
def test_arrays_that_others_give_another_shape(line: str, known: bool, tmp_path: Path) -> None:
    lib = "import numpy as np\nTABLE = np.zeros((2, 3))\n"
    make(
        tmp_path,
        {**MARKER, "main.py": "import tensorflow as tf\nimport lib\nuse(lib.TABLE)\n", "lib.py": lib, "other.py": f"import lib\n{line}\n"},
    )
    (kind,) = shown(facts_of(tmp_path / "main.py"))
    assert kind.sort is Sort.ARRAY and (kind.shape == (2, 3)) is known


LAYER = """\
from tensorflow import keras


class Block(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(3)

    def call(self, x):
        return self.dense(x)
"""


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("print(lib.Block)", True),
        ("lib.Block.call = print", False),
        ("block = lib.Block()\nblock.dense = print", False),
        ("class Mine:\n    def __init__(self):\n        self.dense = 3", True),
    ],
)
def test_layers_that_others_change(line: str, known: bool, tmp_path: Path) -> None:
    main = "import tensorflow as tf\nimport lib\nuse(lib.Block()(tf.ones([2, 2])))\n"
    make(tmp_path, {**MARKER, "main.py": main, "lib.py": LAYER, "other.py": f"import lib\n{line}\n"})
    (kind,) = shown(facts_of(tmp_path / "main.py"))
    assert (kind.sort is Sort.TENSOR) is known


TRANSPOSED = (
    "import tensorflow as tf\nfrom lib import made\n\nleft, right = made(3), made(5)\nprint(tf.matmul(left, tf.transpose(right)))\n"
)


def test_a_result_lasts_until_what_is_imported_changes(tmp_path: Path, run: Run) -> None:
    def changes() -> bool:
        done = run("main.py", "--fidelity", "tolerance")
        assert done.returncode == 0, done.stderr
        return b"transpose_b" in done.stdout

    lib = "import tensorflow as tf\n\n\ndef made(n):\n    return tf.ones([n, 4])\n"
    make(tmp_path, {**MARKER, "main.py": TRANSPOSED, "lib.py": lib, "other.py": "import lib\n"})
    for one in tmp_path.glob("*.*"):
        age(one)
    for _ in range(2):
        assert changes()
    make(tmp_path, {"lib.py": lib.replace("[n, 4]", "[2, n, 4]")})
    age(tmp_path / "lib.py", 30)
    for _ in range(2):
        assert not changes()
    make(tmp_path, {"lib.py": lib})
    age(tmp_path / "lib.py", 20)
    assert changes()
    make(tmp_path, {"other.py": "import lib\nlib.made = print\n"})
    age(tmp_path / "other.py", 20)
    for _ in range(2):
        assert not changes()
