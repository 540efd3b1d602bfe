"""What is said of findings in few words: by the sentences that rewrites are kept or dropped with, and by every report."""

from __future__ import annotations

from tfrewrite.plain_text import clean, counted
from tfrewrite.verify.program import MODULE
from tfrewrite.verify.verdict import Difference, Finding

_COUNTED = (" call", " calls", " input", " inputs")
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


def compared(finding: Finding) -> str:
    """What was compared, in few words: "12 calls, gradients of x, 4 edge inputs"."""
    whats = list(dict.fromkeys(clean(check.what) for check in finding.checks))
    gradients = [what for what in whats if what.startswith("gradient")]
    inputs = [what for what in whats if "=" in what and what not in gradients]
    counts = [what for what in whats if what[:1].isdigit() and what.endswith(_COUNTED)]
    of_all = f"{finding.calls:,} of {counted(finding.made, 'call')}" if finding.made > finding.calls else counted(finding.calls, "call")
    calls = [of_all] if finding.calls else [what for what in counts if what.endswith(_COUNTED[:2])]
    parts = calls + [what for what in counts if not what.endswith(_COUNTED[:2])]
    parts += [gradients[0] if len(gradients) == 1 and len(gradients[0]) <= 28 else "gradients"] if gradients else []
    parts += [counted(len(inputs), "edge input")] if inputs else []
    others = len(whats) - len(gradients) - len(inputs) - len(counts)
    parts += [counted(others, "more check" if parts else "check")] if others else []
    return ", ".join(parts) or ("output and state" if finding.function == MODULE else "no calls")


def heading_of(difference: Difference) -> str:
    """Where and what: "result[1]['loss'][0, 3], in call 2 of 5: another value"."""
    index = "" if difference.index is None else str(list(difference.index))
    place = f"{difference.place_of(clean(difference.where) + index)}{_in_call(difference)}"
    return f"{place}: {_ASPECTS.get(difference.aspect, clean(difference.aspect))}"


def _in_call(difference: Difference) -> str:
    return f", {difference.occasion.value.format(clean(difference.call))}" if difference.call else ""
