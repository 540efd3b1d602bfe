"""What is said of findings in few words: by the sentences that rewrites are kept or dropped with, and by every report."""

from __future__ import annotations

from tfrewrite.plain_text import clean, counted
from tfrewrite.verify.plan import Raised
from tfrewrite.verify.program import MODULE
from tfrewrite.verify.verdict import Difference, Finding, Subject

_LONGEST_GRADIENT = 28
_ASPECTS = {
    "structure": "another structure",
    "type": "another type",
    "dtype": "another dtype",
    "shape": "another shape",
    "value": "another value",
    "gradient": "another gradient",
    "state": "another state afterwards",
    "argument": "it is called with something else",
    "mutation": "the argument is changed in another way",
    "aliasing": "one object in one version, two in the other",
    "output": "other output",
    "exception": "another exception",
    "order": "another order of calls",
    "randomness": "other random numbers",
}


_NEXT_STEPS = {
    "ModuleNotFoundError": "install what it imports beside tfrewrite, or put it on PYTHONPATH",
    "EOFError": "if it asks for input, give it by --run, such as --run \"sh -c 'echo 3 | python FILE'\"",
    "OSError": 'start it where its files are; arguments are given by --run "python FILE ARGUMENTS"',
}
"""By the type of an exception, or one that it is derived from."""


def next_step(raised: Raised) -> str:
    """What to do about an original that ends with an exception, as the end of a sentence."""
    known = (_NEXT_STEPS[one] for one in (raised.type, *raised.bases) if one in _NEXT_STEPS)
    return f" ({next(known, 'without --verify, it is rewritten by what its text alone proves')})"


def compared(finding: Finding) -> str:
    """What was compared, in few words: "12 calls, gradients of x, 4 edge inputs"."""
    named: dict[Subject, dict[str, None]] = {subject: {} for subject in Subject}
    for check in finding.checks:
        named[check.subject][clean(check.what)] = None
    calls, inputs, single, gradients, others = (list(named[subject]) for subject in Subject)
    of_all = f"{finding.calls:,} of {counted(finding.made, 'call')}" if finding.made > finding.calls else counted(finding.calls, "call")
    parts = [*([of_all] if finding.calls else calls), *inputs]
    if gradients:
        parts.append(gradients[0] if len(gradients) == 1 and len(gradients[0]) <= _LONGEST_GRADIENT else "gradients")
    parts += [counted(len(single), "edge input")] if single else []
    parts += [counted(len(others), "more check" if parts else "check")] if others else []
    return ", ".join(parts) or ("output and state" if finding.function == MODULE else "no calls")


def heading_of(difference: Difference) -> str:
    """Where and what: "result[1]['loss'][0, 3], in call 2 of 5: another value"."""
    index = "" if difference.index is None else str(list(difference.index))
    place = f"{difference.place_of(clean(difference.where) + index)}{_in_call(difference)}"
    return f"{place}: {_ASPECTS.get(difference.aspect, clean(difference.aspect))}"


def _in_call(difference: Difference) -> str:
    return f", {difference.occasion.value.format(clean(difference.call))}" if difference.call else ""
