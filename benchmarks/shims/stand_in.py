"""Stands in for the data, downloads and plotting of a public script: random arrays of the same shapes, and modules that do nothing.

`benchmarks/trials.py` puts `import stand_in` before the text of a script, and this folder on its path.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import tempfile
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

_IDLE = ("matplotlib", "IPython", "imageio", "PIL", "tensorflow_docs", "sklearn", "mpl_toolkits", "seaborn", "tensorboard", "scipy")
Arrays = tuple[tuple[Any, Any], tuple[Any, Any]]


class Idle:
    """Takes any call, and is whatever is asked of it."""

    def __call__(self, *arguments: object, **named: object) -> Idle:
        return self

    def __getattr__(self, name: str) -> Idle:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key: object) -> Idle:
        return self

    def __iter__(self) -> Any:
        return iter([self, self])

    def __enter__(self) -> Idle:
        return self

    def __exit__(self, *error: object) -> None: ...


class _IdleModule(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Idle()


class _Modules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds what isn't installed of the modules that only draw or show."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if name.partition(".")[0] not in _IDLE:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _IdleModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None: ...


class Space:
    def __init__(self, size: int, shape: tuple[int, ...]) -> None:
        self.n, self.shape = size, shape


class CartPole:
    """A pole on a cart, as the well-known environment has it, in the new form of its interface."""

    def __init__(self) -> None:
        self.action_space, self.observation_space = Space(2, ()), Space(0, (4,))
        self._random = np.random.RandomState(3)
        self._state = np.zeros(4)

    def reset(self, seed: int | None = None) -> tuple[Any, dict[str, Any]]:
        self._state = self._random.uniform(-0.05, 0.05, 4)
        return self._state.astype("float32"), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        x, v, angle, spin = self._state
        force = 10.0 if action == 1 else -10.0
        inner = (force + 0.05 * spin**2 * np.sin(angle)) / 1.1
        turn = (9.8 * np.sin(angle) - np.cos(angle) * inner) / (0.5 * (4 / 3 - 0.1 * np.cos(angle) ** 2 / 1.1))
        push = inner - 0.05 * turn * np.cos(angle) / 1.1
        self._state = np.array([x + 0.02 * v, v + 0.02 * push, angle + 0.02 * spin, spin + 0.02 * turn])
        done = bool(abs(self._state[0]) > 2.4 or abs(self._state[2]) > 0.21)
        return self._state.astype("float32"), 1.0, done, False, {}


def _progress(items: Iterable[Any] = (), *arguments: object, **named: object) -> Iterable[Any]:
    return items


def _images(shape: tuple[int, ...], labels: tuple[int, ...], classes: int, counts: tuple[int, int]) -> Callable[..., Arrays]:
    def load_data(*arguments: object, **named: object) -> Arrays:
        random = np.random.RandomState(7)

        def part(count: int) -> tuple[Any, Any]:
            # As bytes at once: what stands in for a download must not hold more than the download does.
            return random.randint(0, 256, (count, *shape), "uint8"), random.randint(0, classes, (count, *labels), "uint8")

        return part(counts[0]), part(counts[1])

    return load_data


def _reviews(*arguments: object, num_words: int | None = None, maxlen: int | None = None, **named: object) -> Arrays:
    random = np.random.RandomState(7)

    def part(count: int) -> tuple[Any, Any]:
        texts: Any = np.empty(count, dtype=object)
        for at in range(count):
            texts[at] = random.randint(1, num_words or 20000, random.randint(20, 300)).tolist()
        return texts, random.randint(0, 2, count)

    return part(25000), part(25000)


def _file(fname: str | None = None, origin: str = "", *arguments: object, **named: object) -> str:
    name = os.path.basename(fname or origin)
    path = os.path.join(tempfile.gettempdir(), f"stand_in_{name}")
    random = np.random.RandomState(5)
    if name.endswith((".jpg", ".png", ".jpeg")):
        import tensorflow as tf

        tf.io.write_file(path, tf.io.encode_jpeg(random.randint(0, 256, (300, 400, 3)).astype("uint8")))
    else:
        letters = np.array(list("abcdefghijklmnopqrstuvwxyz      .,\n"))
        with open(path, "w") as file:
            file.write("".join(letters[random.randint(0, len(letters), 60_000)]))
    return path


class Picture:
    def __init__(self, path: str, size: Sequence[int] | None = None) -> None:
        import tensorflow as tf

        pixels = tf.io.decode_jpeg(tf.io.read_file(path))
        self.pixels = (pixels if size is None else tf.image.resize(pixels, size)).numpy().astype("float32")
        self.size = self.pixels.shape[1], self.pixels.shape[0]


def _picture(path: str, target_size: Sequence[int] | None = None, **named: object) -> Picture:
    return Picture(path, target_size)


def _pixels(picture: Picture, **named: object) -> Any:
    return picture.pixels.copy()


def table(name: str, *arguments: object, **named: object) -> Any:
    """A file of series, each behind its label: what `np.loadtxt` gives of it."""
    random = np.random.RandomState(7)
    rows = 1320 if "TEST" in name else 3601
    return np.concatenate([random.choice([-1.0, 1.0], (rows, 1)), random.normal(size=(rows, 500))], axis=1)


def _gymnasium() -> types.ModuleType:
    module = types.ModuleType("gymnasium")
    vars(module)["make"] = lambda *arguments, **named: CartPole()
    return module


def install() -> None:
    keras: Any = importlib.import_module("keras")
    # Keras asks for some of these modules itself, and must not find them.
    sys.meta_path.append(_Modules())
    if importlib.util.find_spec("gymnasium") is None:
        sys.modules["gymnasium"] = _gymnasium()
    if importlib.util.find_spec("tqdm") is None:
        sys.modules["tqdm"] = types.ModuleType("tqdm")
        vars(sys.modules["tqdm"])["tqdm"] = _progress
    drawn = {
        "mnist": ((28, 28), (), 10),
        "fashion_mnist": ((28, 28), (), 10),
        "cifar10": ((32, 32, 3), (1,), 10),
        "cifar100": ((32, 32, 3), (1,), 100),
    }
    for name, (shape, labels, classes) in drawn.items():
        counts = (60000, 10000) if len(shape) == 2 else (50000, 10000)
        getattr(keras.datasets, name).load_data = _images(shape, labels, classes, counts)
    keras.datasets.imdb.load_data = _reviews
    keras.utils.get_file = _file
    keras.utils.load_img = keras.preprocessing.image.load_img = _picture
    keras.utils.img_to_array = keras.preprocessing.image.img_to_array = _pixels
    keras.utils.plot_model = keras.utils.save_img = keras.preprocessing.image.save_img = Idle()
    keras.utils.array_to_img = keras.preprocessing.image.array_to_img = Idle()


install()
