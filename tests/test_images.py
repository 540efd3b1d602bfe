"""What is said of pictures, texts and Python's own functions, against what they give."""

from __future__ import annotations

from typing import Any

import gast
import pytest
import tensorflow as tf
from truth import contradiction

from tfrewrite.facts import Facts
from tfrewrite.kinds import Sort
from tfrewrite.ops import OPS
from tfrewrite.source import Source

SETTING = """\
import os
import random
import tempfile
import time
import numpy as np
import tensorflow as tf

picture = tf.ones([8, 6, 3])
many = tf.ones([2, 8, 6, 3])
bytes_ = tf.zeros([8, 6, 3], tf.uint8)
grey = tf.ones([8, 6, 1])
array = np.zeros((8, 6, 3), np.uint8)
jpeg = tf.io.encode_jpeg(bytes_)
png = tf.io.encode_png(bytes_)
file = os.path.join(tempfile.mkdtemp(), "x")
tf.io.write_file(file, jpeg)
words = tf.constant(["a b", "C"])
word = "a b"
digits = tf.constant(["1", "2.5"])
"""
EXPRESSIONS = [
    *(f"tf.image.{name}({x})" for name in ("flip_left_right", "random_flip_up_down") for x in ("picture", "many", "bytes_", "array")),
    *(f"tf.image.{name}({x}, 0.5)" for name in ("adjust_brightness", "random_brightness", "random_hue") for x in ("picture", "bytes_")),
    *(f"tf.image.convert_image_dtype({x}, tf.float32)" for x in ("picture", "bytes_", "many", "array")),
    *(f"tf.image.per_image_standardization({x})" for x in ("picture", "bytes_", "many")),
    "tf.image.random_contrast(picture, 0.1, 0.2)",
    "tf.image.random_crop(picture, [4, 4, 3])",
    "tf.image.random_crop(bytes_, size=(4, 4, 3))",
    "tf.image.crop_to_bounding_box(many, 0, 0, 4, 5)",
    "tf.image.crop_to_bounding_box(bytes_, 0, 0, target_height=4, target_width=5)",
    "tf.image.resize_with_crop_or_pad(picture, 4, 10)",
    "tf.image.rgb_to_grayscale(bytes_)",
    "tf.image.grayscale_to_rgb(grey)",
    "tf.image.resize(picture, [4, 5])",
    "tf.image.resize(bytes_, (4, 5))",
    "tf.image.resize(bytes_, (8, 6))",
    "tf.image.resize(array, (8, 5))",
    "tf.image.resize(many, size=[4, 5], method='nearest')",
    "tf.image.resize(bytes_, [4, 5], method='nearest')",
    "tf.image.resize(picture, [4, 5], preserve_aspect_ratio=True)",
    "tf.io.decode_jpeg(jpeg)",
    "tf.image.decode_jpeg(jpeg, channels=3)",
    "tf.image.decode_png(png, 1)",
    "tf.io.decode_png(png, channels=3, dtype=tf.uint16)",
    "tf.io.decode_image(jpeg)",
    "tf.image.decode_image(jpeg, channels=3, expand_animations=False)",
    "tf.io.read_file(file)",
    "tf.strings.lower(words)",
    "tf.strings.lower(word)",
    "tf.strings.regex_replace(words, 'a', 'b')",
    "tf.strings.length(words)",
    "tf.strings.to_number(digits)",
    "tf.strings.to_number('3', tf.int32)",
    "tf.strings.split(words)",
    "tf.strings.strip(words)",
    "str(3)",
    "repr(words)",
    "'{}'.format(3)",
    "f'{3}'.upper()",
    "word.split()",
    "word.startswith('a')",
    "word.find('b')",
    "', '.join(['a'])",
    "isinstance(3, int)",
    "hasattr(3, 'x')",
    "ord('a')",
    "random.random()",
    "random.randint(1, 3)",
    "random.uniform(1, 3)",
    "time.time()",
    "time.perf_counter()",
    "print()",
]


@pytest.mark.filterwarnings("ignore")
def test_kinds() -> None:
    facts = Facts(Source(SETTING + "".join(f"use({one})\n" for one in EXPRESSIONS), "x.py"))
    calls = [node for node in facts.nodes([gast.Call]) if isinstance(node.func, gast.Name) and node.func.id == "use"]
    names: dict[str, Any] = {}
    exec(SETTING, names)
    known, wrong = 0, []
    for text, call in zip(EXPRESSIONS, sorted(calls, key=lambda call: call.lineno), strict=True):
        kind = facts.kind(call.args[0])
        value = eval(text, dict(names))
        if not isinstance(value, tf.RaggedTensor) and (found := contradiction(kind, value, {})) is not None:
            wrong.append(f"{text}: {found}; said: {kind}")
        known += kind.sort is not Sort.UNKNOWN
    assert not wrong, "\n".join(wrong)
    assert known > 0.9 * len(EXPRESSIONS)


def test_what_shows_values_is_known_to_show_them() -> None:
    text = "import matplotlib.pyplot as plt\nimport numpy as np\nfig, (a, b) = plt.subplots(1, 2)\na.imshow(np.zeros(3))\nx = plt.imread('x')\n"
    facts = Facts(Source(text, "x.py"))
    *_, shown, read = facts.tree.body
    assert facts.row(shown.value).is_effect
    assert facts.kind(read.value).sort is Sort.UNKNOWN


def test_what_draws_random_numbers_says_so() -> None:
    assert all(OPS[name].is_random for name in ("random.random", "tensorflow.image.random_crop", "numpy.random.Generator.normal"))
    assert OPS["builtins.list.append"].changes and OPS["random.shuffle"].changes and OPS["time.sleep"].is_effect
