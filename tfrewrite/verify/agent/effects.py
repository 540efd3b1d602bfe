"""What a function does besides computing its result, found out by tracing it once into a graph that nobody runs.

The graph tells about operations with a state; what Python does while it is traced is watched, since a graph can't show
that a list grew. Whatever can't be traced, or isn't known to be harmless, counts as having effects.
"""

from __future__ import annotations

import dis
import functools
import os
import sys
from collections.abc import Iterable
from types import CodeType, FrameType
from typing import Any

from tfrewrite.facts.observed import Effects
from tfrewrite.verify.agent.installed import libraries

_STORES = frozenset(
    "STORE_ATTR DELETE_ATTR STORE_GLOBAL DELETE_GLOBAL STORE_SUBSCR DELETE_SUBSCR STORE_SLICE STORE_DEREF IMPORT_NAME YIELD_VALUE".split()
)
_HARMLESS = frozenset(
    "len isinstance issubclass getattr hasattr callable abs min max sum any all sorted round divmod pow id hash items keys values get format join".split()
)
_READS = frozenset({"ReadVariableOp", "VariableV2", "ResourceGather", "ResourceGatherNd"})
_WORDS = {
    "Random": "draws random numbers",
    "Assign": "assigns to a variable",
    "PyFunc": "calls back into Python",
    "Print": "prints",
    "Assert": "may fail an assertion",
}


def effects_of(function: Any, arguments: Iterable[Any], named: dict[str, Any]) -> Effects | None:
    """None where the function can't be traced with these arguments; tensors are given as a `tf.TensorSpec`."""
    import tensorflow as tf

    watch = _Watch(getattr(function, "__code__", None))
    before = sys.getprofile()
    try:
        compiled = tf.function(function, autograph=False)
        sys.setprofile(watch)
        try:
            concrete = compiled.get_concrete_function(*arguments, **named)
        finally:
            sys.setprofile(before)
        captures = tuple(
            sorted(f"{one.dtype.name}{list(one.shape) if one.shape.rank is not None else '[...]'}" for one in concrete.captured_inputs)
        )
        reason = watch.reason or _reason(concrete.graph.as_graph_def())
    except Exception:
        # The function's own errors too: with a tensor of a graph it may not work at all.
        return None
    return Effects(not reason, reason, captures)


def _reason(graph: Any) -> str:
    """Why the operations of a graph are not the same every time, or not all."""
    own = {one.signature.name for one in graph.library.function}
    names = [node.op for node in graph.node]
    names += [node.op for one in graph.library.function for node in one.node_def]
    for name in sorted({*names} - own):
        if name in _READS:
            return "reads a variable"
        if name == "Placeholder" or "PartitionedCall" in name:
            continue
        if _is_stateful(name):
            return next((words for part, words in _WORDS.items() if part in name), f"has a state, by {name}")
    return ""


@functools.cache
def _is_stateful(operation: str) -> bool:
    try:
        from tensorflow.python.framework import op_def_registry

        return bool(op_def_registry.get(operation).is_stateful)
    except Exception:
        return True  # no such table, or not in it


class _Watch:
    """Looks, as a profiler, at the Python code outside of TensorFlow and NumPy that is run."""

    def __init__(self, code: CodeType | None) -> None:
        self.reason = "" if code is not None else "is not a Python function"
        self._known: dict[CodeType, str] = {}
        self._own = _package(code.co_filename) if code is not None else ""

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if self.reason or event not in ("call", "c_call") or not self._is_of_program(frame):
            return
        code = frame.f_code
        if event == "c_call":
            name = getattr(argument, "__name__", "")
            if name not in _HARMLESS and argument is not sys.setprofile:
                self.reason = f"calls {name}"
        else:
            if code not in self._known:
                self._known[code] = _stores(code)
            self.reason = self._known[code]

    def _is_of_program(self, frame: FrameType | None) -> bool:
        """Is it the function's own package or other code of the program, or of a library that one of these has called?

        What TensorFlow does, and what it calls for that, is no concern: the graph shows it.
        """
        while frame is not None:
            path = frame.f_code.co_filename
            if path.startswith(self._own):
                return True
            if path.startswith(_trusted()):
                return False
            if not path.startswith((*libraries(), "<")):  # "<string>" is what data classes and the like are made of
                return True
            frame = frame.f_back
        return False


def _stores(code: CodeType) -> str:
    if any(one.opname in _STORES for one in dis.get_instructions(code)):
        return f"{code.co_name} changes more than its own names"
    return ""


def _package(path: str) -> str:
    """Where a library's package begins, for a file of one; else the file itself."""
    place = next((one for one in sorted(libraries(), key=len, reverse=True) if path.startswith(one)), None)
    return path if place is None else place + path[len(place) :].partition(os.sep)[0]


@functools.cache
def _trusted() -> tuple[str, ...]:
    import numpy as np
    import tensorflow as tf

    return tuple(os.path.dirname(str(one)) + os.sep for one in (tf.__file__, np.__file__, __file__))
