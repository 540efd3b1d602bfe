"""What is known of training steps: how large models are, against Keras, and where a step begins and ends."""

from __future__ import annotations

import math
from typing import Any

import gast
import pytest

from tfrewrite.analyses.model_sizes import sizes
from tfrewrite.analyses.training_steps import made, training_step
from tfrewrite.facts import Facts
from tfrewrite.source import Source

_HEAD = "import tensorflow as tf\nfrom tensorflow import keras\nfrom tensorflow.keras import layers\n"
MODELS = {
    "dense": ((4, 10), "layers.Dense(20), layers.Dense(5, use_bias=False)"),
    "convolutions": (
        (2, 12, 12, 3),
        "layers.Conv2D(8, 3), layers.Conv2DTranspose(4, (3, 5), strides=2), layers.Flatten(), layers.Dense(3)",
    ),
    "sequences": ((2, 7, 6), "layers.Conv1D(8, 3), layers.LSTM(16, return_sequences=True), layers.GRU(8), layers.Dense(2)"),
    "plain recurrence": ((2, 7, 6), "layers.SimpleRNN(32), layers.BatchNormalization(), layers.Dense(2)"),
}


@pytest.mark.parametrize("name", MODELS)
def test_gradients_are_as_large_as_is_said(name: str) -> None:
    shape, layers = MODELS[name]
    text = f"{_HEAD}model = keras.Sequential([{layers}])\ny = model(tf.ones({list(shape)}))\n"
    facts = Facts(Source(text))
    (call,) = [one for one in facts.nodes((gast.Call,)) if isinstance(one, gast.Call) and facts.source.text_of(one.func) == "model"]
    model = made(facts.kind(call.func))
    assert model is not None
    known = sizes(model, facts.kind(call.args[0]))
    assert known is not None
    names: dict[str, Any] = {}
    exec(text, names)
    real = [4 * one.numpy().size for one in names["model"].trainable_weights]
    assert sum(known.weights) <= sum(real) and max(known.weights) == max(real)
    assert len(known.kept) <= len(names["model"].layers)
    for size, layer in zip(known.kept, (one for one in names["model"].layers if "flatten" not in one.name), strict=False):
        assert size == 4 * shape[0] * math.prod(layer.output.shape[1:])


def test_a_model_of_unknown_layers_has_no_sizes() -> None:
    text = f"{_HEAD}import mine\nmodel = keras.Sequential([layers.Dense(4), mine.Layer()])\ny = model(tf.ones([2, 3]))\n"
    facts = Facts(Source(text))
    (call,) = [one for one in facts.nodes((gast.Call,)) if isinstance(one, gast.Call) and facts.source.text_of(one.func) == "model"]
    model = made(facts.kind(call.func))
    assert model is None or sizes(model, facts.kind(call.args[0])) is None


def test_a_step_goes_from_its_first_tape_to_its_last_update() -> None:
    text = f"""{_HEAD}
first, second = keras.optimizers.Adam(), keras.optimizers.Adam()
for x in rows:
    print("before")
    with tf.GradientTape() as a:
        loss = f(x)
    grads = a.gradient(loss, one)
    first.apply_gradients(zip(grads, one))
    with tf.GradientTape() as b:
        loss = g(x)
    grads = b.gradient(target=loss, sources=two)
    second.apply_gradients(zip(grads, two))
    del grads
    print("after")
"""
    facts = Facts(Source(text))
    opening, other = (one for one in facts.nodes((gast.With,)) if isinstance(one, gast.With))
    step = training_step(opening, facts)
    assert step is not None and training_step(other, facts) is None
    assert [one.id for one in step.tapes] == ["a", "b"] and len(step.questions) == len(step.targets) == len(step.updates) == 2
    assert len(step.statements) == 6 and len(step.releases) == 1
