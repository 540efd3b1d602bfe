"""Which definition reaches which use (by beniget), and whether a value may be read elsewhere or later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from tfrewrite.facts.names import Names
from tfrewrite.facts.scopes import COMPREHENSIONS, DEFINITIONS, FUNCTIONS, LOOPS, Scopes

if TYPE_CHECKING:
    from tfrewrite.facts.chains import Chains

_HAND_ERRORS_ON = frozenset({
    "builtins.open", "warnings.catch_warnings", "numpy.errstate", "numpy.printoptions", "numpy.load", "contextlib.redirect_stdout",
    "contextlib.redirect_stderr", "contextlib.closing", "contextlib.nullcontext", "threading.Lock", "threading.RLock", "gzip.open",
    "zipfile.ZipFile", "tarfile.open", "urllib.request.urlopen", "tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.notebook.tqdm", "h5py.File",
    "PIL.Image.open", "pandas.option_context",
})  # fmt: skip


class Flow:
    """Definitions and uses of one module, found out for one of its functions or classes at a time."""

    def __init__(self, tree: gast.Module, scopes: Scopes, names: Names) -> None:
        self._tree = tree
        self._scopes = scopes
        self._names = names
        self._found: dict[gast.AST, Chains | None] = {}

    def definitions(self, use: gast.Name) -> list[gast.AST] | None:
        """The nodes whose value may arrive at a use; None where that isn't known."""
        chains = self._chains(use)
        return None if chains is None else chains.definitions.get(use)

    def users(self, definition: gast.AST) -> list[gast.AST] | None:
        """The uses that a definition may arrive at; None where that isn't known."""
        chains = self._chains(definition)
        return None if chains is None else chains.users.get(definition)

    def _chains(self, node: gast.AST) -> Chains | None:
        """What defines and what is used, in the part of the module that knows a name; None where beniget gives up."""
        unit = self._unit(node)
        if unit not in self._found:
            from tfrewrite.facts.chains import follow  # beniget, which not every file needs

            self._found[unit] = follow(
                unit if isinstance(unit, gast.Module) else gast.Module(body=[unit], type_ignores=[]), self.may_swallow
            )
        return self._found[unit]

    def may_swallow(self, block: gast.AST) -> bool:
        """May a `with` block end well though it was left by an error?"""
        return not all(self._hands_errors_on(one.context_expr) for one in getattr(block, "items", ()))

    def _hands_errors_on(self, manager: gast.AST) -> bool:
        opened = manager.func if isinstance(manager, gast.Call) else manager
        name = self._names(opened) or ""
        return name.startswith(("tensorflow.", "matplotlib.", "multiprocessing.", "concurrent.", "tempfile.")) or name in _HAND_ERRORS_ON

    def _unit(self, node: gast.AST) -> gast.AST:
        """The function or class of the top level whose own name it is, else the whole module: chains take much memory."""
        scope = self._scopes.names.get(node) if isinstance(node, gast.Name) else None
        if scope is None or scope.node is self._tree:
            return self._tree
        top = next((one for one in (node, *self._scopes.ancestors(node)) if self._scopes.parents.get(one) is self._tree), None)
        return top if isinstance(top, (*DEFINITIONS, gast.ClassDef)) else self._tree

    def sole_definition(self, use: gast.Name) -> gast.Assign | None:
        """The `name = value` whose value a use certainly reads, and which nothing else reads: at most it is deleted (see `deletions`)."""
        scope = self._scopes.names[use]
        if not isinstance(scope.node, FUNCTIONS) or scope.lookup(use.id) is not scope or use.id in scope.shared:
            return None
        reaching = self.definitions(use)
        if reaching is None or len(reaching) != 1:
            return None
        if [one for one in self.users(reaching[0]) or () if not isinstance(getattr(one, "ctx", None), gast.Del)] != [use]:
            return None
        match self._scopes.parents.get(reaching[0]):
            case gast.Assign(targets=[gast.Name() as target]) as assignment if target is reaching[0]:
                return assignment if self._once_each(assignment, use) else None
        return None

    def deletions(self, definition: gast.AST) -> list[gast.AST]:
        """The names in `del name` that take away what a definition gave."""
        return [one for one in self.users(definition) or () if isinstance(getattr(one, "ctx", None), gast.Del)]

    def _once_each(self, assignment: gast.Assign, use: gast.Name) -> bool:
        """Is the use evaluated exactly when, and as often as, the assignment? (No loop, branch or lambda between.)"""
        home = self._scopes.parents[assignment]
        child: gast.AST = use
        for ancestor in self._scopes.ancestors(use):
            if isinstance(child, gast.stmt) and ancestor is home:
                return True
            if isinstance(ancestor, (*LOOPS, *FUNCTIONS, *COMPREHENSIONS, gast.ClassDef, gast.If, gast.Try)):
                return False
            child = ancestor
        return False
