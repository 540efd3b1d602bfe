"""For people's own tests: `assert_equivalent(f, g, x, peak_at_most=0.8)`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tfrewrite.report import comparison as words
from tfrewrite.verify import quantities, wording
from tfrewrite.verify.verdict import Comparison, Finding, Verdict

__all__ = ["assert_equivalent"]


def assert_equivalent(
    f: Any,
    g: Any,
    *args: Any,
    kwargs: Mapping[str, Any] | None = None,
    inputs: Iterable[Sequence[Any]] = (),
    gradients: bool = True,
    peak_at_most: float | None = None,
    ignore: Sequence[str] = (),
    seed: int = 7,
) -> Comparison:
    """Fail unless `g` does what `f` does: both are called with the same arguments and the same seeds, in this process.

    Compared are results (structure, types, dtypes, shapes, and values as far as rounding can't excuse them), gradients with
    respect to float tensors among the arguments and the trainable variables that are read, arguments that are changed,
    what stays in the object that a method belongs to, in closures and in the module's globals, printed output, and
    exceptions. Before each call all of that is set back to what it was, and so it is in the end, but for what a first call makes, such
    as the weights of a layer. `ignore` names what need not be the same afterwards. A `tf.function` that was called before is not
    traced anew: what happens while it is traced isn't seen then.

    `inputs` are further sets of arguments: `inputs=[(x, 0), (x, 1)]`. `peak_at_most` is the part of f's peak that a warm call of g
    may need; the exact meter needs `TF_ENABLE_ONEDNN_OPTS=0` in the environment before TensorFlow is imported.

    Functions, tf.functions, lambdas, bound methods, Keras layers and models, and other objects that can be called will do. Where each
    has an object of its own, both have to start in the same state. Gives what was found out, with the costs if they were measured.
    """
    __tracebackhide__ = True
    sets = [*([args] if args or not inputs else []), *(tuple(one) for one in inputs)]
    if peak_at_most is not None and not peak_at_most > 0:
        raise ValueError(f"the ratio of peaks has to be above 0, not {peak_at_most}")
    for one in (f, g):
        if not callable(one):
            raise TypeError(f"{one!r} can't be called: pass the functions themselves, and their arguments after them")
    from tfrewrite.verify.in_process import Wanted, compare

    found = compare(f, g, Wanted(sets, dict(kwargs or {}), gradients, peak_at_most, tuple(ignore), seed))
    if words.exit_code(found):
        raise AssertionError(_message(found))
    return found


def _message(found: Comparison) -> str:
    """What pytest shows: where, both values, and what it was judged by."""
    (finding,) = found.findings
    lines = [f"{found.before} and {found.after} {_VERDICTS[finding.verdict]}"]
    if (difference := finding.difference) is not None:
        lines += ["", wording.heading_of(difference)]
        for label, values in zip(("before", "after"), words.values_of(difference), strict=True):
            lines += [f"  {label if not index else '':<9}  {value}" for index, value in enumerate(values)]
    lines += [f"  {label:<9}  {text}" for label, text in words.facts_of(finding) if label != words.HELPS]
    for _, text in words.limit_lines(found):
        lines += ["", text, *(f"  {line}" for line in _peaks(finding)), *(f"  {line}" for line in words.meter_lines(found))]
    return "\n".join([*lines, *(f"  {note}" for note in found.notes)])


def _peaks(finding: Finding) -> list[str]:
    one = quantities.change(quantities.WARM_PEAK, finding.costs)
    return [] if one is None else [f"peak of a warm call: {one}"]


_VERDICTS = {
    Verdict.EQUIVALENT: "do the same, but the peak is too high",
    Verdict.SENSITIVE: "do the same up to their own sensitivity, but the peak is too high",
    Verdict.UNDECIDED: "can't be compared",
    Verdict.DIFFERS: "differ",
}
