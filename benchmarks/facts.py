"""How much is known of programs: values, calls and callers, counted over files.

    python benchmarks/facts.py FOLDER_OR_FILE ...     # a table, one row for each argument
    python benchmarks/facts.py --alone FOLDER ...     # of each file alone, without the other files of its project
    python benchmarks/facts.py --missing FOLDER ...   # and which functions are called most often of which nothing is known
    python benchmarks/facts.py --current FOLDER ...   # only of files that can run with the TensorFlow that is installed

Counted are expressions that have a value (no names of modules, functions and classes), calls, and functions. The same files give the
same counts.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import sys
import types
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import gast

from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import DEFINITIONS
from tfrewrite.kinds import Sort
from tfrewrite.ops.made import Made
from tfrewrite.ops.row import UNKNOWN_OP
from tfrewrite.projects import Projects
from tfrewrite.source import Source, SourceError

_ARRAYS = (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY, Sort.SYMBOLIC)
COLUMNS = ("files", "expressions", "with kind", "tensors", "with dtype", "and rank", "and shape", "calls", "known", "functions", "callers")


def files(path: Path) -> Iterator[Path]:
    """Modules and notebooks."""
    yield from sorted(one for kind in ("*.py", "*.ipynb") for one in path.rglob(kind)) if path.is_dir() else [path]


def is_current(facts: Facts) -> bool:
    """Can a file run here: does it use TensorFlow or Keras, nothing that TensorFlow 2 has no longer, and no other backend of Keras?"""
    names = {facts.names(node) for node in facts.nodes((gast.Attribute, gast.Name))}
    used = {name for name in names if name is not None and name.startswith(("tensorflow.", "keras."))}
    return bool(used) and all(map(_is_there, used))


@functools.cache
def _is_there(name: str) -> bool:
    """Names of `keras` are those of TensorFlow's where that is the backend."""
    if name.startswith(("keras.", "tensorflow.compat.v1.")):
        return False
    try:
        functools.reduce(getattr, name.split(".")[1:], importlib.import_module("tensorflow"))
    except AttributeError:
        # What is an attribute of an attribute is of an object, not of a module.
        owner = name.rpartition(".")[0]
        return owner != "tensorflow" and _is_there(owner) and not _is_module(owner)
    return True


def _is_module(name: str) -> bool:
    found = functools.reduce(getattr, name.split(".")[1:], importlib.import_module("tensorflow"))
    return isinstance(found, types.ModuleType)


def count(facts: Facts, missing: Counter[str]) -> Counter[str]:
    found: Counter[str] = Counter(files=1)
    for node in facts.scopes.parents:
        match node:
            case gast.Call():
                known = is_known(node, facts)
                found.update({"calls": 1, "known": int(known)})
                if not known:
                    missing[_spelled(node, facts)] += 1
            case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.Lambda():
                callers = facts.callers.calls(node, facts.world.callers_believed) or facts._inference._calls_of_method(node)
                found.update({"functions": 1, "callers": int(bool(callers))})
        if _has_value(node, facts):
            found.update(_of_value(node, facts))
    return found


def _has_value(node: gast.AST, facts: Facts) -> bool:
    if not isinstance(node, gast.expr) or isinstance(node, gast.Slice | gast.Starred | gast.Lambda | gast.JoinedStr | gast.FormattedValue):
        return False
    if not isinstance(getattr(node, "ctx", gast.Load()), gast.Load) or isinstance(node, gast.Constant):
        return False
    if isinstance(node, gast.Name) and (facts.callers.function_named(node) or facts.callers.class_named(node)):
        return False
    parent = facts.parent(node)
    of_call = isinstance(parent, gast.Call) and parent.func is node
    return not of_call and facts.names(node) is None


def _of_value(node: gast.AST, facts: Facts) -> Counter[str]:
    kind = facts.kind(node)
    found = Counter({"expressions": 1, "with kind": int(kind.sort is not Sort.UNKNOWN)})
    if kind.sort in _ARRAYS:
        rank = kind.dtype is not None and kind.rank is not None
        sizes = rank and isinstance(kind.shape, tuple) and all(isinstance(one, int) for one in kind.shape)
        found.update({"tensors": 1, "with dtype": int(kind.dtype is not None), "and rank": int(rank), "and shape": int(sizes)})
    return found


def is_known(call: gast.Call, facts: Facts) -> bool:
    """Has what a call calls a row in the table, or does it stand in this file?"""
    if facts.function_called(call) is not None or facts.callers.class_named(call.func) is not None:
        return True
    if facts.row(call) is not UNKNOWN_OP or facts.kind(call).sort is not Sort.UNKNOWN:
        return True
    if _begins_base(call, facts) or isinstance(facts.kind(call.func).instance, Made):
        return True  # a layer, a loss, a model of known layers
    return isinstance(call.func, gast.Name) and any(isinstance(one, (*DEFINITIONS, gast.ClassDef)) for one in _bindings(call.func, facts))


def _begins_base(call: gast.Call, facts: Facts) -> bool:
    """`super().__init__()` of a class that derives from nothing or from one of Keras."""
    match call.func:
        case gast.Attribute(value=gast.Call(func=of), attr="__init__") if facts.names(of) == "builtins.super":
            function = facts.scopes.function_of(call)
            owner = None if function is None else facts.scopes.class_of(function)
            return owner is not None and (not owner.bases or bool(facts.callers.kept_by_keras(owner)))
    return False


def _bindings(name: gast.Name, facts: Facts) -> list[gast.AST]:
    owner = facts.scopes.names[name].lookup(name.id) if name in facts.scopes.names else None
    return owner.bindings[name.id] if owner is not None else []


def _spelled(call: gast.Call, facts: Facts) -> str:
    if (name := facts.called(call)) is not None:
        return name
    if isinstance(call.func, gast.Attribute):
        return f"{facts.kind(call.func.value).sort.value}.{call.func.attr}"
    return facts.source.text_of(call.func)[:40] if isinstance(call.func, gast.Name) else "?"


def of_path(path: Path, missing: Counter[str], projects: Projects | None, *, current: bool) -> Counter[str]:
    """`projects`: with what the other files of each one's project say; None for each file alone."""
    total: Counter[str] = Counter()
    for file in files(path):
        try:
            source = Source.from_bytes(file.read_bytes(), str(file))
            source = source if projects is None else source.standing_in(projects.surroundings(str(file)))
            facts = Facts(source)
            if not current or is_current(facts):
                total.update(count(facts, missing))
        except (SourceError, RecursionError):
            total["unread"] += 1
    return total


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def row(name: str, total: Counter[str]) -> str:
    shares = {
        "with kind": "expressions", "with dtype": "tensors", "and rank": "tensors", "and shape": "tensors", "known": "calls",
        "callers": "functions",
    }  # fmt: skip
    cells = [percent(total[one], total[shares[one]]) if one in shares else str(total[one]) for one in COLUMNS]
    return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("paths", nargs="+", type=Path)
    options.add_argument("--missing", action="store_true", help="say which unknown functions are called most often")
    options.add_argument("--alone", action="store_true", help="know each file by itself, whatever else its project has")
    options.add_argument("--current", action="store_true", help="only files that can run with the TensorFlow that is installed")
    given = options.parse_args()
    sys.setrecursionlimit(10_000)
    missing: Counter[str] = Counter()
    print(f"| | {' | '.join(COLUMNS)} |\n|---|{'--:|' * len(COLUMNS)}")
    projects = None if given.alone else Projects(map(str, given.paths))
    for path in given.paths:
        print(row(path.name, of_path(path, missing, projects, current=given.current)), flush=True)
    for name, times in missing.most_common(150) if given.missing else ():
        print(f"{times:6} {name}")


if __name__ == "__main__":
    main()
