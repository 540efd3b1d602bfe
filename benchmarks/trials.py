"""Public scripts under `--verify`, as people would start them: what is kept of each, what that saves, what the run costs.

    python benchmarks/trials.py SOURCES FOLDER [WORD...]     SOURCES holds the repositories by name, FOLDER takes what is made

None of the scripts is kept here: only where each is found, what is replaced in its text because it doesn't run with this Keras or goes on for
long after its trainings, and `shims/stand_in.py`, which stands in for data and pictures. Trainings are as long as their authors made them:
a script alone is stopped after ALONE seconds (60), and its `--verify` after LONGEST (900).
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SHIMS = ROOT / "benchmarks" / "shims"
_LONGEST = int(os.environ.get("LONGEST", "900"))
_ALONE = int(os.environ.get("ALONE", "60"))
Changes = tuple[tuple[str, str], ...]
_SHOWN: Changes = ((r"weights=\"imagenet\"", "weights=None"),)


@dataclass(frozen=True)
class Script:
    kind: str
    repository: str
    path: str
    changes: Changes = ()

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[0].replace("/", "-").lower()


def _keras_io(kind: str, path: str, *changes: tuple[str, str]) -> Script:
    return Script(kind, "keras-io", f"examples/{path}.py", (*changes, *_SHOWN))


def _examples(kind: str, path: str, *changes: tuple[str, str]) -> Script:
    return Script(kind, "TensorFlow2.0-Examples", f"{path}.py", changes)


def _handbook(kind: str, path: str, *changes: tuple[str, str]) -> Script:
    return Script(kind, "tensorflow-handbook", f"source/_static/code/zh/{path}.py", changes)


def _guide(kind: str, path: str, *changes: tuple[str, str]) -> Script:
    return Script(kind, "keras-io", f"guides/{path}.py", (*changes, *_SHOWN))


def _docs(kind: str, path: str, *changes: tuple[str, str]) -> Script:
    return Script(kind, "docs", f"site/en/{path}.ipynb", (*changes, (r"^ *[!%].*$", "")))


def _tutorials(kind: str, path: str, *changes: tuple[str, str]) -> Script:
    return Script(kind, "TensorFlow-2.x-Tutorials", f"{path}.py", changes)


def _notebook(kind: str, path: str, *changes: tuple[str, str]) -> Script:
    return Script(kind, "TensorFlow-Examples", f"tensorflow_v2/notebooks/{path}.ipynb", changes)


SCRIPTS = (
    _keras_io("image classification", "vision/mnist_convnet"),
    _keras_io("autoencoder", "vision/autoencoder"),
    _keras_io("VAE", "generative/vae"),
    _keras_io("GAN", "generative/wgan_gp"),
    _keras_io("metric learning", "vision/metric_learning", (r"image_size \* \w+, image_size", r"0 * 1, 0")),
    _keras_io("text classification", "nlp/text_classification_with_transformer"),
    _keras_io("text classification", "nlp/bidirectional_lstm_imdb"),
    _keras_io("reinforcement learning", "rl/actor_critic_cartpole", (r"while True:  # Run until solved", "for _ in range(12):")),
    _keras_io(
        "style transfer",
        "generative/neural_style_transfer",
        (r"iterations = 4000", "iterations = 3"),
        (r"img_nrows = 400", "img_nrows = 160"),
    ),
    _keras_io(
        "transformer",
        "vision/image_classification_with_vision_transformer",
        (r"batch_size = 256", "batch_size = 16"),
        (r"transformer_layers = 8", "transformer_layers = 4"),
    ),
    _keras_io("contrastive", "vision/siamese_contrastive"),
    _keras_io("distillation", "vision/knowledge_distillation"),
    _keras_io("audio-like regression", "keras_recipes/antirectifier"),
    _keras_io("sequence to sequence", "nlp/addition_rnn"),
    _keras_io("text generation", "generative/lstm_character_level_text_generation", (r"range\(400\)", "range(20)")),
    _keras_io("deep dream", "generative/deep_dream", (r"iterations = 20", "iterations = 2")),
    _keras_io("VQ-VAE", "generative/vq_vae"),
    _keras_io("conditional GAN", "generative/conditional_gan"),
    _keras_io("image classification", "vision/mlp_image_classification"),
    _keras_io("image classification", "vision/convmixer"),
    _keras_io("image classification", "vision/eanet"),
    _keras_io("image classification", "vision/perceiver_image_classification"),
    _keras_io("generative", "generative/pixelcnn", (r"range\(rows\)", "range(2)")),
    _keras_io("interpretation", "vision/grad_cam"),
    _keras_io("interpretation", "vision/integrated_gradients", (r"num_steps=50", "num_steps=8")),
    _keras_io("augmentation", "vision/mixup"),
    _keras_io("augmentation", "vision/cutmix"),
    _keras_io("contrastive", "vision/supervised-contrastive-learning"),
    _keras_io("custom layer", "vision/involution"),
    _keras_io(
        "unsupervised",
        "vision/forwardforward",
        (r"from tensorflow.compiler.tf2xla.python import xla", ""),
        (r"accuracy_score\(", "np.equal("),
    ),
    _keras_io("time series", "timeseries/timeseries_classification_from_scratch", (r"np\.loadtxt", "stand_in.table")),
    _keras_io("time series", "timeseries/timeseries_classification_transformer", (r"np\.loadtxt", "stand_in.table")),
    _examples("custom loop", "2-Basical_Models/CNN", ("reset_states", "reset_state")),
    _examples("custom loop", "2-Basical_Models/Multilayer_Perceptron"),
    _examples("regression", "2-Basical_Models/Linear_Regression"),
    _examples("regression", "2-Basical_Models/Logistic_Regression"),
    _examples("autoencoder", "3-Neural_Network_Architecture/autoencoder", (r"\blr=", "learning_rate=")),
    _examples("GAN", "6-Generative_Adversarial_Networks/dcgan", (r"^get_ipython.*$", "train(train_dataset, EPOCHS)")),
    _handbook(
        "text generation",
        "model/text_generation/rnn",
        (r"(get_initial_state\(batch_size=self\.batch_size), dtype=tf\.float32", r"\1"),
        (r"range\(400\)", "range(20)"),
    ),
    _handbook("custom layer", "model/custom/linear"),
    _handbook("image classification", "model/cnn/cnn_example"),
    _notebook("regression", "2_BasicModels/linear_regression"),
    _notebook("regression", "2_BasicModels/logistic_regression"),
    _notebook(
        "autoencoder", "3_NeuralNetworks/autoencoder", (r"(\w+)\.values\(\) ?\+ ?(\w+)\.values\(\)", r"[*\1.values(), *\2.values()]")
    ),
    _notebook("recurrent", "3_NeuralNetworks/bidirectional_rnn"),
    _notebook("custom loop", "3_NeuralNetworks/convolutional_network"),
    _notebook("custom loop", "3_NeuralNetworks/convolutional_network_raw"),
    _notebook("GAN", "3_NeuralNetworks/dcgan"),
    _notebook("recurrent", "3_NeuralNetworks/dynamic_rnn"),
    _notebook("custom loop", "3_NeuralNetworks/neural_network"),
    _notebook("custom loop", "3_NeuralNetworks/neural_network_raw"),
    _notebook("recurrent", "3_NeuralNetworks/recurrent_network"),
    _notebook("custom layer", "4_Utils/build_custom_layers"),
    _docs("quickstart", "tutorials/quickstart/beginner"),
    _docs("quickstart", "tutorials/quickstart/advanced"),
    _docs("image classification", "tutorials/images/cnn"),
    _docs("image classification", "tutorials/keras/classification"),
    _docs("GAN", "tutorials/generative/dcgan"),
    _guide("custom loop", "writing_a_custom_training_loop_in_tensorflow"),
    _guide("guide", "training_with_built_in_methods"),
    _guide("custom loop", "custom_train_step_in_tensorflow"),
    _tutorials("VAE", "12-VAE/main"),
    _tutorials("custom loop", "05-FashionMNIST/mnist_matmul", (r"add_variable\(", "add_weight(")),
    _tutorials("image classification", "05-FashionMNIST/mnist_fit"),
    _tutorials("custom loop", "03-Play-with-MNIST/main", (r"\blr=", "learning_rate="), ("reset_states", "reset_state")),
    _tutorials("text classification", "09-RNN-Sentiment-Analysis/main", (r", input_length=\w+", "")),
    _tutorials("residual network", "08-ResNet/main"),
)


@dataclass(frozen=True)
class Tried:
    """What came of one script."""

    name: str
    kind: str
    seconds: float = 0.0
    """The script alone, from the start of Python to its end, or until it was stopped."""
    spent: float = 0.0
    """`--verify` of it."""
    work: float = 0.0
    """The script's time of all processors, which says more than its seconds on a machine that others use as well."""
    work_spent: float = 0.0
    """The same of `--verify`."""
    code: int = 0
    kept: tuple[str, ...] = ()
    before: float | None = None
    after: float | None = None
    said: str = ""


def made(script: Script, sources: Path, folder: Path) -> Path:
    """The script's folder, with its text made short."""
    text = (sources / script.repository / script.path).read_text()
    if script.path.endswith(".ipynb"):
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code")
    for pattern, by in script.changes:
        text = re.sub(pattern, by, text, flags=re.MULTILINE)
    path = folder / script.name / "script.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    future = "".join(re.findall(r"^from __future__ .*\n", text, re.MULTILINE))
    path.write_text(f"{future}import stand_in\n" + re.sub(r"^from __future__ .*\n", "", text, flags=re.MULTILINE))
    return path


def tried(script: Script, path: Path) -> Tried:
    env = {**os.environ, "PYTHONPATH": str(SHIMS), "TF_CPP_MIN_LOG_LEVEL": "3"}
    found = Tried(script.name, script.kind)
    started, worked = time.monotonic(), _worked()
    try:
        alone = subprocess.run([sys.executable, "script.py"], cwd=path.parent, env=env, capture_output=True, text=True, timeout=_ALONE)
    except subprocess.TimeoutExpired:
        alone = None
    found = replace(found, seconds=time.monotonic() - started, work=_worked() - worked)
    if alone is not None and alone.returncode:
        found = replace(found, said=f"fails by itself: {alone.stderr.strip().splitlines()[-1:]}; ")
    started, worked = time.monotonic(), _worked()
    command = [sys.executable, "-m", "tfrewrite", "script.py", "--verify", "--format", "json", "--no-cache", "-v"]
    try:
        verified = subprocess.run(command, cwd=path.parent, env=env, capture_output=True, text=True, timeout=_LONGEST)
    except subprocess.TimeoutExpired as stopped:
        (path.parent / "verify.err").write_bytes(stopped.stderr or b"")  # what it was doing when it was stopped
        return replace(found, spent=time.monotonic() - started, code=-1, said=f"{found.said}took more than {_LONGEST} s")
    found = replace(found, spent=time.monotonic() - started, work_spent=_worked() - worked, code=verified.returncode)
    (path.parent / "verify.json").write_text(verified.stdout)
    (path.parent / "verify.err").write_text(verified.stderr)
    return _with_figures(found, verified.stdout, verified.stderr)


def _worked() -> float:
    """Seconds of all processors that went into processes that have ended, and into theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _with_figures(found: Tried, out: str, errors: str) -> Tried:
    try:
        report = json.loads(out)
    except ValueError:
        return replace(found, said=found.said + (errors or out).strip()[-300:])
    file: dict[str, Any] = next(iter(report["files"]), {})
    program = file.get("program", {})
    return replace(
        found,
        kept=tuple(f"{one['rule']}:{one['line']}" for one in file.get("rewrites", ())),
        before=program.get("peak_before", program.get("resident_before")),
        after=program.get("peak_after", program.get("resident_after")),
        said=found.said + str(file.get("error") or program.get("said") or "")[:300],
    )


def main(sources: Path, folder: Path, words: list[str]) -> None:
    for script in SCRIPTS:
        if words and not any(word in script.name for word in words):
            continue
        found = tried(script, made(script, sources, folder))
        (folder / script.name / "tried.json").write_text(json.dumps(asdict(found)))
        print(
            f"{found.name}: {found.seconds:.0f} s, verify {found.spent:.0f} s, {found.work:.0f} and {found.work_spent:.0f} s of CPU, exit {found.code}: {', '.join(found.kept) or 'nothing'} "
            f"{found.before} -> {found.after} {found.said}",
            flush=True,
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
