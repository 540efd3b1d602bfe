"""What is known of operations: one row each, in one table.

`row.py` says what a row can hold, `call.py` what the rules that compute a result see of a call, `shared_results.py` holds those that
several operations share, `intervals.py` between which numbers results lie, `proofs.py` which sizes are the same, `made.py` what objects
of a library are. `operators.py` says which operation an operator stands for,
`naming.py` which of its many names is an operation's canonical one. The rows stand in files by subject:

    elementwise  reductions  linalg  indexing  shapes  making  nn  random  control          TensorFlow's
    python  numpy  data  keras  keras_layers  images  methods                                                             what others offer

Of the second line, all but the first are read when they are first asked for. `arrays.py` holds what NumPy's functions have in common.
A new operation is a row in the file of its subject; a new thing to know of operations is an attribute of `Op`. The tests check the
table against TensorFlow: names, parameters, and that no trait contradicts another.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterator, Mapping

from tfrewrite.kinds import UNKNOWN, Kind, Sort
from tfrewrite.ops import control, elementwise, indexing, linalg, making, nn, python, random, reductions, shapes
from tfrewrite.ops.call import Call
from tfrewrite.ops.made import Made, family
from tfrewrite.ops.row import NOT_KNOWN, UNKNOWN_OP, Op

TENSORFLOW = (
    *elementwise.ROWS,
    *reductions.ROWS,
    *linalg.ROWS,
    *indexing.ROWS,
    *shapes.ROWS,
    *making.ROWS,
    *nn.ROWS,
    *random.ROWS,
    *control.ROWS,
)
_LATER = (
    ("numpy.", "numpy"),
    ("tensorflow.data.", "data"),
    ("tensorflow.keras.layers.", "keras_layers"),
    ("tensorflow.keras.", "keras"),
    *((f"tensorflow.{package}.", "images") for package in ("image", "io", "strings")),
    *(
        (f"{owner}.", "methods")
        for owner in (
            "os",
            "glob",
            "tensorflow_datasets",
            "builtins.str",
            "builtins.dict",
            "builtins.list",
            "PIL",
            "collections",
            "datetime",
            "pandas",
            "pathlib",
            "re",
            "tempfile",
            "tensorflow.config",
            "textwrap",
            "tensorflow.Tensor",
            "tensorflow.Variable",
            "tensorflow.GradientTape",
        )
    ),
)
"""The names that begin so have their rows in that file, which is read when the first of them is asked for."""


_WHOLE = ("numpy", "methods")
"""The files whose rows have whole names."""


class _Table(Mapping[str, Op]):
    """The rows by their whole canonical names."""

    def __init__(self) -> None:
        self._rows = {f"tensorflow.{row.name}": row for row in TENSORFLOW} | {row.name: row for row in python.ROWS}
        self._unread = dict(_LATER)

    def __getitem__(self, name: str) -> Op:
        if name not in self._rows:
            for prefix in [one for one in self._unread if name.startswith(one)]:
                self._read(prefix)
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        for prefix in [*self._unread]:
            self._read(prefix)
        return iter(self._rows)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _read(self, prefix: str) -> None:
        file = self._unread.pop(prefix)
        rows: tuple[Op, ...] = importlib.import_module(f"tfrewrite.ops.{file}").ROWS
        package = "tensorflow." if file not in _WHOLE else ""
        for row in rows:
            self._rows[package + row.name] = row
        for row in rows:
            if (row.error is NOT_KNOWN) and (namesake := _namesake(package + row.name)) is not UNKNOWN_OP:
                row.takes_over(namesake)


OPS: Mapping[str, Op] = _Table()
"""By the whole canonical name."""

_OWNERS = {
    Sort.ARRAY: "numpy.ndarray", Sort.SCALAR: "numpy.ndarray", Sort.DATASET: "tensorflow.data.Dataset", Sort.TEXT: "builtins.str",
    Sort.LIST: "builtins.list", Sort.DICT: "builtins.dict", Sort.TENSOR: "tensorflow.Tensor", Sort.VARIABLE: "tensorflow.Variable", Sort.TAPE: "tensorflow.GradientTape",
}  # fmt: skip


def method(owner: Kind, name: str) -> str:
    """The canonical name of a method of what is known to be an array, a dataset, a generator."""
    if owner.sort is Sort.GENERATOR and isinstance(owner.instance, str):
        return f"{'numpy.random.Generator' if owner.instance == 'numpy.random' else owner.instance}.{name}"
    if owner.instance == "shown":
        return f"matplotlib.{name}"
    if isinstance(owner.instance, Made):
        own = f"tensorflow.{owner.instance.name}.{name}"
        return own if own in OPS else f"tensorflow.{family(owner.instance.name)}.{name}"
    return f"{_OWNERS[owner.sort]}.{name}" if owner.sort in _OWNERS else ""


# Here an operation goes by the name that it has in NumPy or in TensorFlow, and takes other arguments.
_NAMESAKES = (
    ("tensorflow.experimental.numpy.", ("numpy.",)),
    ("tensorflow.keras.ops.", ("numpy.", "tensorflow.", "tensorflow.nn.", "tensorflow.math.")),
    ("tensorflow.keras.activations.", ("tensorflow.nn.", "tensorflow.")),
)
# What holds of an operation whatever arguments it takes.
_OF_NUMBERS = {
    "is_never_negative", "keeps_sign", "totals", "takes_product", "takes_power", "subtracts", "multiplies", "squares", "scales", "inverts", "takes_logarithm",
    "shows_sign", "dtype_follows",
}  # fmt: skip


@functools.cache
def op(name: str | None) -> Op:
    """The row of what a canonical name names; one that says nothing for what isn't known."""
    return OPS.get(name or "") or _namesake(name or "")


@functools.cache
def _namesake(name: str) -> Op:
    for prefix, packages in _NAMESAKES:
        if name.startswith(prefix):
            last = name.rpartition(".")[2]
            known = (OPS[package + last] for package in packages if package + last in OPS)
            for row in known:
                numbers = " ".join(sorted(set(row.traits) & _OF_NUMBERS))
                return Op(name, traits=numbers, bits=row.bits, error=row.error)
    if name.startswith(_MEASURING):
        return Op(name, "", _read, "is_outside is_read_only")
    if not name.startswith(_SHOWING):
        return UNKNOWN_OP
    # They read pictures, or hand on what they are given.
    return Op(name, "", _read if "imread" in name or name.startswith("tqdm.") else _shown, "is_outside is_effect")


_SHOWING = ("matplotlib.", "seaborn.", "IPython.display.", "tqdm.", "logging.", "warnings.")
"""What these do to values is nothing: they show them."""

_MEASURING = ("sklearn.metrics.",)
"""These compute numbers of what they are given."""


def _shown(call: Call) -> Kind:
    return Kind(Sort.OBJECT, instance="shown")


def _read(call: Call) -> Kind:
    return UNKNOWN
