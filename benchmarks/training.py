"""What the rules for training save in whole steps, beside what a user could write instead: `benchmarks/training.md`.

    python benchmarks/training.py [WORD...] > benchmarks/training.md     all programs, or those whose names contain one of the words

Each form of a program of `benchmarks/steps/` runs in a process of its own. Its last statement is a third training step, which is
measured: the exact peak, then the least CPU time of three more. What that step did to the variables is compared with what
it did in the program as it is: how far it is off, as a part of how far the variables moved.
"""

from __future__ import annotations

import ast
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = Path(__file__).resolve().parent / "steps"
SETTINGS = {"TF_ENABLE_ONEDNN_OPTS": "0", "TF_CPP_MIN_LOG_LEVEL": "3"}
"""memray doesn't see what oneDNN allocates."""
LIMIT = 600
EXPONENTS = (64, 256, 1024, 4096)
PICTURE = Path(__file__).resolve().parent / "training.svg"
"""Of the table of exponents."""


@dataclass(frozen=True)
class Form:
    """One way to write a program."""

    name: str
    text: Callable[[str], str]


@dataclass(frozen=True)
class Measured:
    peak: float
    """MB, of a warm step."""
    first: float
    """MB, from the first line to the end of the second step."""
    seconds: float
    variables: str
    """The file that holds them, before and after the measured step."""


# How programs are written otherwise


def as_it_is(text: str) -> str:
    return text


def by(*names: str) -> Callable[[str], str]:
    """As these rules rewrite it, whether or not that is worth it."""

    def rewritten(text: str) -> str:
        from tfrewrite.catalogue import rules
        from tfrewrite.engine import Options, rewrite
        from tfrewrite.outcomes import Fidelity, purposes
        from tfrewrite.source import Source, apply_edits

        chosen = tuple(rule for rule in rules() if rule.name in names)
        result = rewrite(Source(text, "program.py"), Options(chosen, True, Fidelity.TOLERANCE, purposes=purposes("both")))
        used = {one.rule for one in result.rewrites}
        if used != set(names):
            raise ValueError(f"{', '.join(sorted(set(names) - used))} left it alone: {[one.reason for one in result.refusals]}")
        return apply_edits(text, result.edits)

    return rewritten


def with_text(before: str, after: str, then: Callable[[str], str] = as_it_is) -> Callable[[str], str]:
    def changed(text: str) -> str:
        if before not in text:
            raise ValueError(f"{before} is not in the program")
        return then(text).replace(before, after)

    return changed


_BLOCK = "x = block(x, training=training)"
_AGAIN = "x = recomputed(block, x, training)"
_NOT_THE_LAST = f"x = block(x, training=training) if block is self.blocks[-1] else {_AGAIN[4:]}"
_PLAIN = with_text(_BLOCK, "x = tf.recompute_grad(lambda x, block=block: block(x, training=training))(x)", by("compiled_step"))
_BARE = with_text(_BLOCK, "x = tf.recompute_grad(block)(x)", by("compiled_step"))
_SCOPE = ("model = Classifier(1000, 64, 12, 64)", "with keras.RematScope(mode='full'):\n    model = Classifier(1000, 64, 12, 64)")
_LOOP = "def train_step(state):\n"
_FITTED = (
    Form("as it is", as_it_is),
    Form("`recompute_blocks`", by("recompute_blocks")),
)
PROGRAM_FORMS = {
    "transformer": (
        Form("as it is", as_it_is),
        Form("`compiled_step`", by("compiled_step")),
        Form("`recompute_blocks`", by("recompute_blocks")),
        Form("both", by("compiled_step", "recompute_blocks")),
        Form("both, but for the last block", lambda text: by("compiled_step", "recompute_blocks")(text).replace(_AGAIN, _NOT_THE_LAST)),
        Form("a graph, `tf.recompute_grad(block)(x)`", _BARE),
        Form("a graph, `tf.recompute_grad` that is told `training`", _PLAIN),
        Form("a graph, `keras.RematScope('full')`", with_text(*_SCOPE, by("compiled_step"))),
    ),
    "transformer_fit": (
        Form("as it is", as_it_is),
        Form("`recompute_blocks`", by("recompute_blocks")),
        Form("`keras.RematScope('full')`", with_text(*_SCOPE)),
    ),
    "unet_fit": _FITTED,
    "vit_fit": _FITTED,
    "resnet": (
        Form("as it is", as_it_is),
        Form("`compiled_step`", by("compiled_step")),
        Form("`recompute_blocks`", by("recompute_blocks")),
        Form("both", by("compiled_step", "recompute_blocks")),
    ),
    "vgg": (Form("as it is", as_it_is), Form("`compiled_step`", by("compiled_step"))),
    "vocabulary": (
        Form("as it is", as_it_is),
        Form("`loss_by_rows`", by("loss_by_rows")),
        Form("`compiled_step`", by("compiled_step")),
        Form("both", by("compiled_step", "loss_by_rows")),
    ),
    "network_by_hand": (Form("as it is", as_it_is), Form("`checkpoint_loop`", by("checkpoint_loop"))),
    "matrices": (
        Form("as it is", as_it_is),
        Form("`checkpoint_loop`", by("checkpoint_loop")),
        Form("a graph", with_text(_LOOP, f"@tf.function\n{_LOOP}")),
        Form("a graph, `checkpoint_loop`", lambda text: by("checkpoint_loop")(with_text(_LOOP, f"@tf.function\n{_LOOP}")(text))),
    ),
}
NOTES = {
    "unet_fit": """\
The last block of a U-Net is the largest by far, and to compute it again saves nothing: its gradient comes first. Half of the memory would need cuts
inside of it, where two tensors cross.""",
    "resnet": """\
One step from the same state has gradients that are 2e-06 apart as a graph. Three steps are chaos here: a weight that moves by 1e-07 of itself moves the
gradients of a step by 1e-03.""",
}
"""What there is to say of a table."""


# What is measured


def main(words: list[str]) -> None:
    sys.path.insert(0, str(ROOT))
    print("# Training steps\n")
    print(
        "What a warm step needs, what the first two need, and CPU time, each form in a process of its own; made by `python benchmarks/training.py`."
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, forms in PROGRAM_FORMS.items():
            if not words or any(word in name for word in words):
                print("\n" + "\n".join(_table(name, forms, Path(folder))), flush=True)
        if not words or any(word in "exponents" for word in words):
            print("\n" + "\n".join(_exponents(Path(folder))), flush=True)


def _table(name: str, forms: tuple[Form, ...], folder: Path) -> Iterator[str]:
    text = (PROGRAMS / f"{name}.py").read_text()
    yield f"**`{name}`.** {ast.get_docstring(ast.parse(text))}\n"
    yield "| form | warm step, MB | first steps, MB | CPU time | variables off by |"
    yield "|---|--:|--:|--:|--:|"
    first: Measured | None = None
    for number, form in enumerate(forms):
        found = measured(form.text(text), folder / f"{name}_{number}")
        if isinstance(found, str):
            yield f"| {form.name} | raises {found} | | | |"
            continue
        first = first or found
        ratios = f"{found.peak:.1f} ({found.peak / first.peak:.2f}x) | {found.first:.0f}"
        yield f"| {form.name} | {ratios} | {found.seconds / first.seconds:.2f}x | {_off(first, found)} |"
    if name in NOTES:
        yield f"\n{NOTES[name]}"


def _off(first: Measured, other: Measured) -> str:
    import numpy as np

    ours, theirs = np.load(first.variables), np.load(other.variables)
    before, after, found = (np.concatenate([one.ravel() for one in _ordered(*each)]) for each in ((ours, "b"), (ours, "a"), (theirs, "a")))
    return f"{np.linalg.norm(found - after) / np.linalg.norm(after - before):.0e}"


def _ordered(stored: Any, letter: str) -> list[Any]:
    names = sorted((one for one in stored.files if one.startswith(letter)), key=lambda one: int(one[1:]))
    return [stored[one] for one in names]


def _exponents(folder: Path) -> Iterator[str]:
    """The loop of matrices in more and more steps."""
    text = (PROGRAMS / "matrices.py").read_text()
    rows: list[str] = []
    yield "**`checkpoint_loop` over n steps of `matrices`,** 64x64, eager, warm step in MB:\n"
    yield f"| n | {' | '.join(f'{n:,}' for n in EXPONENTS)} | n to the power of |"
    yield f"|---|{'--:|' * (len(EXPONENTS) + 1)}"
    for number, form in enumerate(PROGRAM_FORMS["matrices"][:2]):
        peaks = []
        for n in EXPONENTS:
            # Of 64x64, as 4,096 steps of 256x256 need gigabytes as they are.
            small = re.sub(r"\b256, 256\b", "64, 64", text).replace("tf.eye(256)", "tf.eye(64)").replace("range(256)", f"range({n})")
            found = measured(form.text(small), folder / f"steps_{number}_{n}")
            peaks.append(math.nan if isinstance(found, str) else found.peak)
        rows.append(f"| {form.name} | {' | '.join(f'{one:.2f}' for one in peaks)} | {_power(peaks):.2f} |")
        yield rows[-1]
    PICTURE.write_text(picture("\n".join(rows)), encoding="utf-8")
    yield f"\n![Memory over steps, both axes logarithmic]({PICTURE.name})"


def _power(peaks: Sequence[float]) -> float:
    """By which power of n they grow: the slope of the line that fits their logarithms best."""
    steps, used = [math.log(n) for n in EXPONENTS], [math.log(one) for one in peaks]
    middle, mean = sum(steps) / len(steps), sum(used) / len(used)
    slope = sum((n - middle) * (one - mean) for n, one in zip(steps, used, strict=True))
    return slope / sum((n - middle) ** 2 for n in steps)


def picture(page: str) -> str:
    """Of the rows of the table of exponents."""
    sys.path.insert(0, str(ROOT))
    from tfrewrite.report.picture import growth

    found = re.findall(rf"^\| (.+?) \|((?: [\d.]+ \|){{{len(EXPONENTS)}}}) ([\d.]+) \|$", page, re.MULTILINE)
    curves = [
        (
            f"{name.strip('`')}: n to the power of {power}",
            [(n, 1e6 * float(one)) for n, one in zip(EXPONENTS, peaks.split(" |"), strict=False)],
        )
        for name, peaks, power in found
    ]
    return growth(curves, title="Peak of a step of training, over the steps of its loop")


def measured(text: str, place: Path) -> Measured | str:
    """What a program needs, or the error that it raises."""
    place.with_suffix(".py").write_text(text)
    run = subprocess.run(
        [sys.executable, __file__, "--one", str(place)],
        env=os.environ | SETTINGS,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    if run.returncode:
        named = [line for line in run.stderr.splitlines() if re.match(r"[\w.]+(Error|Exception)\b", line)]
        return (named or ["an error"])[-1].partition(":")[0]
    return Measured(**json.loads(run.stdout.splitlines()[-1]))


def one(place: Path) -> None:
    """In a process of its own: runs a program, and measures its last statement."""
    import gc
    import time

    import memray
    import numpy as np
    import tensorflow as tf

    path = place.with_suffix(".py")
    tree = ast.parse(path.read_text())
    tf.linalg.matmul(tf.ones([300, 300]), tf.ones([300, 300]))  # sets up the kernels
    head, last = (compile(ast.Module(body, []), str(path), "exec") for body in (tree.body[:-1], tree.body[-1:]))
    space: dict[str, Any] = {"__name__": "__main__", "__file__": str(path)}
    capture = place.with_suffix(".first")
    with memray.Tracker(capture):
        exec(head, space)
    first = memray.FileReader(capture).metadata.peak_memory / 1e6
    start = _variables(space)
    gc.collect()
    capture = place.with_suffix(".warm")
    with memray.Tracker(capture):
        exec(last, space)
    peak = memray.FileReader(capture).metadata.peak_memory / 1e6
    after = _variables(space)
    times = []
    for _ in range(3):
        begun = time.process_time()
        exec(last, space)
        times.append(time.process_time() - begun)
    stored = str(place.with_suffix(".npz"))
    np.savez(stored, **{f"b{i}": one for i, one in enumerate(start)}, **{f"a{i}": one for i, one in enumerate(after)})
    print(json.dumps({"peak": peak, "first": first, "seconds": min(times), "variables": stored}))


def _variables(space: dict[str, Any]) -> list[Any]:
    """The values of those that a program trains."""
    import numpy as np
    import tensorflow as tf

    found = [one for name in ("model", "head") if name in space for one in space[name].trainable_variables]
    return [np.array(one) for one in (found or [one for one in space.values() if isinstance(one, tf.Variable)])]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--one", place]:
            one(Path(place))
        case words:
            main(words)
