"""Report `get_memory_info()` of no device, which raises an error.

Before:  tf.config.experimental.get_memory_info()
After:   tf.config.experimental.get_memory_info("GPU:0")

Why:     The figures belong to one device, and there is no default: without it the call is a `TypeError`. Only the author
         knows which device is meant, so it is reported in every run, and never rewritten. On a CPU the figures count
         tensors of 256 kB and more; with `TF_ENABLE_ONEDNN_OPTS=0` there are none, unless `TF_CPU_ALLOCATOR_USE_BFC=1`.
Safety:  - **Unknown arguments.** Not reported for `get_memory_info(*given)` and `get_memory_info(**given)`, which may name
           the device.
         - **Expected error.** Not reported in a `try` block, where the `TypeError` may be expected.
"""

from __future__ import annotations

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.outcomes import Fidelity, Outcome, Refusal, transform

_PER_DEVICE = {
    "tensorflow.config.experimental.get_memory_info", "tensorflow.config.experimental.get_memory_usage",
    "tensorflow.config.experimental.reset_memory_stats",
}  # fmt: skip


@transform(gast.Call, fidelity=Fidelity.BITWISE, mentions=("get_memory_", "reset_memory_stats"), reports=True)
def memory_info_device(call: gast.Call, facts: Facts) -> Outcome:
    name = facts.called(call) or ""
    if name not in _PER_DEVICE or call.args or call.keywords:
        return None
    if any(isinstance(one, gast.Try | gast.With) for one in facts.scopes.ancestors(call)):
        return None
    short = name.rpartition(".")[2]
    return Refusal(call, Code.RAISES, f"{short} asks about one device, and raises without its name", f'Write {short}("GPU:0"), or "CPU:0".')
