"""Write tfrewrite/ops/aliases.txt: TensorFlow names that are the same object.

    python scripts/make_aliases.py            # rewrite the file
    python scripts/make_aliases.py --check    # exit 1 if the file is out of date

The installed TensorFlow is asked, so run this where TensorFlow can be imported.
The public modules are walked and their functions, classes and dtypes grouped by
identity.  Every group gets one canonical public name (see ``_rank``); the other
public names become its aliases, and so do the names which the modules under
``tensorflow.python`` give to the same object (see ``_internal_names``).

Two functions that differ only by a wrapper of PATCH_MODULE count as one object.

Each line of the file reads ``canonical alias alias ...``, sorted, with the leading
``tensorflow.`` left off.  An object that has only one name has no line.

Left out:

* ``raw_ops``: its functions are wrappers of their own, the same as nothing else.
* Keras, with the modules that are views of it (``losses``, ``metrics``,
  ``optimizers``, ``initializers``): it is released apart from TensorFlow, and none
  of its objects is also one of TensorFlow's.
* numpy's own types under ``experimental.numpy``: which of their names coincide
  depends on numpy and on the platform.
* constants (numbers, strings, None, tuples): being one object says nothing there.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType

OUTPUT = Path(__file__).resolve().parent.parent / "tfrewrite" / "ops" / "aliases.txt"
COMMAND = "python scripts/make_aliases.py"

PREFIX = "tensorflow."
COMPAT = "compat.v"
INTERNAL = "tensorflow.python."
SKIPPED_MODULES = frozenset({"raw_ops"})
MAX_COMPAT = 1  # compat.v1 yes, compat.v1.compat.v2 no

# While it is being imported, TensorFlow replaces many of its functions by wrappers
# made in this module, which only add WeakTensor support.  Names taken before and
# after that (compat.v1.math.add, math.add) hold the bare and the wrapped function.
PATCH_MODULE = "weak_tensor_ops"

# Internal modules of which every public object is recorded, not only what they
# define: their users also reach generated ops and re-exported names through them.
FACADES = (
    "data.ops.dataset_ops",
    "eager.backprop",
    "eager.context",
    "eager.def_function",
    "eager.polymorphic_function.polymorphic_function",
    "framework.config",
    "framework.constant_op",
    "framework.dtypes",
    "framework.errors",
    "framework.indexed_slices",
    "framework.ops",
    "framework.random_seed",
    "framework.sparse_tensor",
    "framework.tensor",
    "framework.tensor_conversion",
    "framework.tensor_shape",
    "framework.tensor_spec",
    "framework.tensor_util",
    "framework.type_spec",
    "module.module",
    "ops.array_ops",
    "ops.array_ops_stack",
    "ops.bitwise_ops",
    "ops.check_ops",
    "ops.clip_ops",
    "ops.cond",
    "ops.control_flow_assert",
    "ops.control_flow_case",
    "ops.control_flow_ops",
    "ops.control_flow_switch_case",
    "ops.custom_gradient",
    "ops.data_flow_ops",
    "ops.embedding_ops",
    "ops.functional_ops",
    "ops.gradients",
    "ops.gradients_impl",
    "ops.histogram_ops",
    "ops.image_ops",
    "ops.image_ops_impl",
    "ops.init_ops",
    "ops.init_ops_v2",
    "ops.io_ops",
    "ops.linalg.linalg",
    "ops.linalg.linalg_impl",
    "ops.linalg_ops",
    "ops.linalg_ops_impl",
    "ops.logging_ops",
    "ops.lookup_ops",
    "ops.manip_ops",
    "ops.map_fn",
    "ops.math_ops",
    "ops.nn",
    "ops.nn_impl",
    "ops.nn_ops",
    "ops.numpy_ops",
    "ops.parallel_for.control_flow_ops",
    "ops.parsing_ops",
    "ops.random_ops",
    "ops.resource_variable_ops",
    "ops.script_ops",
    "ops.session_ops",
    "ops.sort_ops",
    "ops.sparse_ops",
    "ops.special_math_ops",
    "ops.state_ops",
    "ops.stateless_random_ops",
    "ops.string_ops",
    "ops.summary_ops_v2",
    "ops.tensor_array_ops",
    "ops.variable_scope",
    "ops.variables",
    "ops.while_loop",
    "platform.gfile",
    "platform.test",
    "platform.tf_logging",
)


class Group:
    """One object and the names it goes by, ``tensorflow.`` left off."""

    def __init__(self, obj: object) -> None:
        # Holding the object keeps its id() from being given to another one.
        self.obj = obj
        self.public: list[str] = []
        self.internal: list[str] = []

    def line(self) -> str | None:
        """The group's line in the file; None when the object has a single name."""
        canonical, *others = sorted(self.public, key=self._rank)
        aliases = sorted([*others, *self.internal])
        return " ".join([canonical, *aliases]) if aliases else None

    def _rank(self, name: str) -> tuple[bool, bool, int, int, str]:
        """Sort key that puts the canonical name first.

        A name outside compat wins; then, for a dtype, its own name (float64, not
        double); then the fewest dots (so the root module first), the shortest name
        and the alphabet.
        """
        own = getattr(self.obj, "name", None) if _is_dtype(self.obj) else None
        foreign = own is not None and name.rpartition(".")[2] != own
        return (name.startswith(COMPAT), foreign, name.count("."), len(name), name)


def _is_dtype(obj: object) -> bool:
    kind = type(obj)
    return kind.__name__ == "DType" and kind.__module__.startswith(INTERNAL)


def _is_groupable(obj: object) -> bool:
    """Is being the same object telling for this one?"""
    if isinstance(obj, (type, FunctionType, BuiltinFunctionType)):
        return str(getattr(obj, "__module__", "")).partition(".")[0] != "numpy"
    return _is_dtype(obj)


def _bare(obj: object) -> object:
    """The object without the wrappers of PATCH_MODULE; other wrappers stay."""
    while isinstance(obj, FunctionType) and hasattr(obj, "__wrapped__"):
        if Path(obj.__code__.co_filename).stem != PATCH_MODULE:
            break
        obj = obj.__wrapped__
    return obj


def _namespace(module: ModuleType) -> dict[str, object]:
    """A module's ``__dict__``, got without waking a lazy loader."""
    namespace: dict[str, object] = object.__getattribute__(module, "__dict__")
    return namespace


def _is_public_module(module: ModuleType) -> bool:
    """Is this one of the generated API modules?  Not so: Keras, implementation."""
    return "_api" in Path(str(_namespace(module).get("__file__"))).parts


def _walk_public(module: ModuleType, path: str = "") -> Iterator[tuple[str, object]]:
    """The (name, object) pairs of an API module and of those below it."""
    for attribute in sorted(dir(module)):
        if attribute.startswith("_"):
            continue
        name = f"{path}{attribute}"
        value: object = getattr(module, attribute, None)
        if not isinstance(value, ModuleType):
            if _is_groupable(value):
                yield name, _bare(value)
        elif attribute not in SKIPPED_MODULES and name.count(COMPAT) <= MAX_COMPAT and _is_public_module(value):
            yield from _walk_public(value, f"{name}.")


def _import_facades() -> set[str]:
    """Import the facades this TensorFlow has; their full names."""
    found = set()
    for facade in FACADES:
        name = INTERNAL + facade
        try:
            importlib.import_module(name)
        except ModuleNotFoundError:
            continue
        found.add(name)
    return found


def _defining_module(obj: object) -> str:
    """Where the object was defined, seen through decorators."""
    inner = inspect.unwrap(obj) if isinstance(obj, FunctionType) else obj
    return str(getattr(inner, "__module__", ""))


def _internal_names(facades: set[str]) -> Iterator[tuple[str, object]]:
    """The (name, object) pairs of the loaded modules under ``tensorflow.python``.

    A facade gives all it holds, any other module only what it defines itself.
    """
    for module_name, module in sorted(sys.modules.items()):
        if not module_name.startswith(INTERNAL):
            continue
        for attribute, value in sorted(_namespace(module).items()):
            if attribute.startswith("_") or not _is_groupable(value):
                continue
            if module_name in facades or _defining_module(value) == module_name:
                yield f"{module_name.removeprefix(PREFIX)}.{attribute}", _bare(value)


def _groups(tensorflow: ModuleType) -> list[Group]:
    """All public objects with their public and internal names."""
    groups: dict[int, Group] = {}
    for name, obj in _walk_public(tensorflow):
        groups.setdefault(id(obj), Group(obj)).public.append(name)
    for name, obj in _internal_names(_import_facades()):
        group = groups.get(id(obj))
        if group is not None:
            group.internal.append(name)
    return list(groups.values())


def build() -> str:
    """The text of the alias file for the TensorFlow that is installed."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    tensorflow = importlib.import_module("tensorflow")
    lines = sorted(line for group in _groups(tensorflow) if (line := group.line()))
    header = (
        f"# Made by `{COMMAND}` from TensorFlow {tensorflow.__version__}; "
        "do not edit. Each line: canonical alias alias ..., less `tensorflow.`"
    )
    return "\n".join([header, *lines]) + "\n"


def _report_difference(text: str) -> int:
    """Compare with the file on disk: 0 if it is the same, else 1 and a message."""
    old = OUTPUT.read_bytes() if OUTPUT.exists() else b""
    if old == text.encode():
        return 0
    before, after = set(old.decode().splitlines()), set(text.splitlines())
    print(
        f"{OUTPUT} is out of date ({len(after - before)} lines to add, {len(before - after)} to drop); run `{COMMAND}`",
        file=sys.stderr,
    )
    return 1


def main(arguments: list[str] | None = None) -> int:
    """Write the file, or check it; the exit status."""
    parser = argparse.ArgumentParser(description="Write the TensorFlow alias table.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if it differs")
    options = parser.parse_args(arguments)
    text = build()
    if options.check:
        return _report_difference(text)
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    OUTPUT.write_bytes(text.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
