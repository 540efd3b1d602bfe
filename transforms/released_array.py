"""Delete an array after its last use, before the model is trained.

Before:  images = np.concatenate([x_train, x_test])
         model.fit(images, labels)
After:   images = np.concatenate([x_train, x_test])
         del x_train, x_test
         model.fit(images, labels)

Why:     A name at the top level of a script keeps its array until the script ends, and a name in a function until that
         returns. `tf.data.Dataset.from_tensor_slices` copies its arrays, `x / 255` and `np.concatenate` make new ones. With 160 MB
         of `float64` that become `float32` before a loop: 400 -> 240 MB; with 160 MB that a dataset copies: 640 -> 480 MB.
Safety:  - **Later readers.** Not rewritten if anything may read the name later: a function, a lambda, a comprehension,
           `globals()`, `eval`, a debugger, `DataFrame.query`, `doctest`: `ds.map(lambda i: x_train[i])`.
         - **Other files.** At the top level only in scripts that no other file imports: `from train import x_train`. Not if a
           file that is imported reads `sys.modules["__main__"]`. Not for names in capitals: `IMAGES = np.zeros([60000, 28, 28])`.
         - **Notebooks.** Not at the top level of notebooks, whose cells are run again: `x_train / 255` would raise there.
         - **Views.** Refused if something else keeps the array, so that nothing is freed: `x_val = x_train[:5000]`,
           `images = x_train.reshape(-1, 784)`, a function that is not known: `keep(x_train)`.
         - **Its own memory.** Not rewritten unless the name's values are new arrays: `x = np.load(path, mmap_mode="r")`.
         - **No gain.** Only where a model is trained or a loop runs afterwards, and none did while the array was there:
           not between `model.fit(x_train)` and `model.evaluate(x_test)`.
         - **Sizes.** Not rewritten if arrays have less than 25 MB together, or unknown sizes: `np.load("small.npy")`.
         - **Given for certain.** Not rewritten unless a statement of the same block gives the name: `if flag: x = load()`.
         - **Shared line.** Not rewritten if the last reader shares its line: `y = x / 255; model.fit(y)`.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from tfrewrite.analyses.array_holders import TRAINING, bytes_of, holds
from tfrewrite.analyses.array_memory import is_fresh
from tfrewrite.analyses.imported_texts import reads_the_script
from tfrewrite.analyses.name_readers import SEE_CALLERS, shows_names
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.facts.scopes import DEFINITIONS, LOOPS, Scope, block_of
from tfrewrite.outcomes import Fidelity, Outcome, Refusal, Rewrite, transform
from tfrewrite.worth import NOISE

_BY_TEXT = ("numexpr", "from __main__")
_SEE_NAMES = {"eval", "exec", "locals", "globals", "vars", "dir", "breakpoint"}

_SEE_CALLERS = SEE_CALLERS | {"testmod", "get_objects", "get_referrers"}

_LEAST = 25_000_000
"""Bytes that are worth a line more: a process that has imported TensorFlow takes over ten times as much."""


@transform(
    gast.Assign,
    gast.AnnAssign,
    gast.Expr,
    gast.For,
    gast.With,
    gast.If,
    fidelity=Fidelity.BITWISE,
    mentions=("numpy", "load_data"),
    late=True,
)
def released_array(statement: gast.stmt, facts: Facts) -> Outcome:
    home = facts.parent(statement)
    if not isinstance(home, gast.Module | gast.FunctionDef):
        return None
    if not facts.once_for(home, _ever_trains):
        return None
    block = block_of(statement, home)
    place = next(index for index, one in enumerate(block) if one is statement)
    scope = facts.scopes.of[home]
    sizes = {name: _held(name, scope, block, place, facts) for name in _ending(statement, home, facts)}
    released = [(name, size) for name, size in sizes.items() if size is not None]
    # What takes longest to find out comes last.
    if not released or not _is_private(home, facts) or not any(_trains(one, facts) for one in block[place + 1 :]):
        return None
    for name, size in released:
        keeper = next((use for use in scope.uses.get(name, ()) if holds(use, facts) and not _only_renews(use, facts)), None)
        if keeper is not None:
            shown = facts.edit.short(facts.scopes.statement(keeper), "a statement")
            return Refusal(statement, Code.OTHER_NAMES, f"{name} is not read again, but {shown} may keep its {size / 1e6:,.0f} MB")
    if sum(size for _, size in released) < _LEAST:
        return None
    edit = facts.edit.insert_after(_end_of_chain(statement, block[place + 1 :], facts), f"del {', '.join(name for name, _ in released)}")
    if edit is None:
        return None
    shown = ", ".join(f"{name} ({size / 1e6:,.0f} MB)" for name, size in released)
    return Rewrite(statement, (edit,), f"{shown}: not held while the rest runs", region=(block[0], block[-1]))


def _end_of_chain(statement: gast.stmt, following: Sequence[gast.stmt], facts: Facts) -> gast.stmt:
    """The last of the statements that go on with the dataset that it makes: `rows = rows.batch(64)`."""
    if not isinstance(statement, gast.Assign) or facts.kind(statement.targets[0]).sort is not Sort.DATASET:
        return statement
    for after in following:
        match statement, after:
            case gast.Assign(targets=[gast.Name(id=name)]), gast.Assign(targets=[gast.Name(id=again)], value=value) if name == again:
                while isinstance(value, gast.Call | gast.Attribute):
                    value = value.func if isinstance(value, gast.Call) else value.value
                if not isinstance(value, gast.Name) or value.id != name:
                    return statement
                statement = after
            case _:
                return statement
    return statement


def _ending(statement: gast.stmt, home: gast.Module | gast.FunctionDef, facts: Facts) -> list[str]:
    """The names that a statement reads, and nothing after it."""
    live = facts.liveness_of_script if isinstance(home, gast.Module) else facts.liveness(home)
    names = [node for node in (statement, *facts.scopes.within(statement)) if isinstance(node, gast.Name)]
    read = [node.id for node in names if isinstance(node.ctx, gast.Load)]
    given = {node.id for node in names if not isinstance(node.ctx, gast.Load)}
    return [name for name in dict.fromkeys(read) if name not in live.after(statement) and name not in given]


def _is_private(home: gast.Module | gast.FunctionDef, facts: Facts) -> bool:
    """Can nothing but the text see the names of a function, or of the script?"""
    if any(word in facts.source.text for word in _BY_TEXT) or shows_names(facts) or facts.mutation.module_is_open:
        return False
    if facts.once(_sees_names):
        return False
    if isinstance(home, gast.FunctionDef):
        leaves = (gast.Yield, gast.YieldFrom, gast.Await)
        return facts.mode(home.body[0]) is not Mode.GRAPH and not any(isinstance(one, leaves) for one in facts.scopes.within(home))
    return not facts.is_interactive and facts.callers.is_only_run and not facts.source.is_named_beside and not reads_the_script(facts)


def _sees_names(facts: Facts) -> bool:
    """Does the file use what reads names that it doesn't write?"""
    names = {one.id for one in facts.nodes((gast.Name,)) if isinstance(one, gast.Name)}
    attributes = {one.attr for one in facts.nodes((gast.Attribute,)) if isinstance(one, gast.Attribute)}
    return bool(names & _SEE_NAMES or (names | attributes) & _SEE_CALLERS)


def _held(name: str, scope: Scope, block: Sequence[gast.stmt], place: int, facts: Facts) -> int | None:
    """How many bytes only this name holds, from before the statement on, and no model was trained meanwhile."""
    if name.isupper() or name in scope.shared or any(name in inner.outer for inner in scope.below()):
        return None
    begin, last = place, block[place]
    for binding in scope.bindings.get(name, ()):
        if not isinstance(binding, gast.Name) or not isinstance(binding.ctx, gast.Store):
            return None
        given = facts.scopes.statement(binding)
        index = next((index for index, one in enumerate(block) if one is given), None)
        if index is None or index >= place:
            return None
        if isinstance(given, gast.AugAssign):
            continue  # the same array, changed in place
        if not isinstance(given, gast.Assign):
            return None
        if not (is_fresh(binding, facts) or _is_its_own_view(given.value, name, facts)):
            return None
        begin = min(begin, index)
        last = given
    if begin == place:
        return None
    uses = [use for use in scope.uses.get(name, ()) if facts.scopes.statement(use) is not last]
    sizes = [bytes_of(facts.kind(use)) for use in uses]
    largest = max((size for size in sizes if size is not None), default=0)
    if largest < NOISE or any(_trains(one, facts) for one in block[begin : place + 1]):
        return None
    return largest


def _only_renews(use: gast.Name, facts: Facts) -> bool:
    """Does `x = x.reshape(-1, 784)` give the array to the same name again?"""
    match facts.scopes.statement(use):
        case gast.Assign(targets=[gast.Name(id=name)], value=value):
            return name == use.id and _is_its_own_view(value, use.id, facts)
    return False


def _is_its_own_view(value: gast.AST, name: str, facts: Facts) -> bool:
    """Is it `x.reshape(-1, 784)` where the name was `x` before, too? Then it holds what `x` held."""
    match value:
        case gast.Call(func=gast.Attribute(value=inner, attr="reshape")) if facts.called(value) is None:
            return _is_its_own_view(inner, name, facts)
        case gast.Call(args=[inner, *_]) if facts.called(value) in ("numpy.reshape", "numpy.expand_dims"):
            return _is_its_own_view(inner, name, facts)
    return isinstance(value, gast.Name) and value.id == name


def _ever_trains(home: gast.Module | gast.FunctionDef, facts: Facts) -> bool:
    return any(_trains(one, facts) for one in home.body)


def _trains(statement: gast.AST, facts: Facts, seen: frozenset[gast.AST] = frozenset()) -> bool:
    """Does a statement train or run a model, or loop over something that computes?"""
    if isinstance(statement, (*DEFINITIONS, gast.ClassDef)):
        return False
    nodes = (statement, *facts.scopes.within(statement))
    calls = [one for one in nodes if isinstance(one, gast.Call)]
    if any(isinstance(one.func, gast.Attribute) and one.func.attr in TRAINING and _is_method(one, facts) for one in calls):
        return True
    if any(isinstance(one, LOOPS) and _computes(one, facts) for one in nodes):
        return True
    functions = {function for call in calls if (function := facts.function_called(call)) is not None} - seen
    return any(
        _trains(one, facts, seen | functions) for function in functions if isinstance(function, DEFINITIONS) for one in function.body
    )


def _is_method(call: gast.Call, facts: Facts) -> bool:
    """Is it a method of an object, and no function of a module?"""
    name = facts.called(call)
    return name is None or name.startswith(("tensorflow.keras.", "keras."))


def _computes(loop: gast.AST, facts: Facts) -> bool:
    """Does a loop call what may take memory? Printing and drawing do not count."""
    calls = [one for one in facts.scopes.within(loop) if isinstance(one, gast.Call)]
    return any(
        facts.function_called(one) is not None
        or (facts.called(one) or "").startswith("tensorflow.")
        and not (facts.called(one) or "").endswith("print")
        for one in calls
    )
