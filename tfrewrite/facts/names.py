"""What a dotted name of a program really is: `tf.linalg.matmul`, `from tensorflow import matmul` and `mm = tf.matmul` are one thing."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cached_property

import gast

from tfrewrite.facts.scopes import FUNCTIONS, Scope, Scopes
from tfrewrite.ops.naming import canonical

_BACKEND = re.compile(r"KERAS_BACKEND[\"']?\s*\]?\s*(?:=|,|\s)\s*[\"']?(?P<name>\w+)|set_backend\(\s*[\"'](?P<set>\w+)")


def keras_computes_with(text: str) -> str:
    """The backend of Keras 3 that a file or its environment names; TensorFlow where neither does."""
    named = [found["name"] or found["set"] for found in _BACKEND.finditer(text)] if "BACKEND" in text or "set_backend" in text else []
    named += [os.environ["KERAS_BACKEND"]] if os.environ.get("KERAS_BACKEND") and not named else []
    return next((one for one in named if one != "tensorflow"), "tensorflow")


def assumes_backend(text: str) -> bool:
    """Does a file use Keras without TensorFlow, and not say what Keras computes with?"""
    named = "KERAS_BACKEND" in text or "set_backend" in text or bool(os.environ.get("KERAS_BACKEND"))
    return not named and re.search(r"^\s*(import|from) +keras\b", text, re.MULTILINE) is not None and "tensorflow" not in text


class Names:
    """Resolves expressions to the dotted names of what they refer to.

    `keras`: is Keras 3 the one that TensorFlow has too? Then `keras.ops` is `tf.keras.ops`. `beside`: files that are imported.
    """

    def __init__(self, scopes: Scopes, keras: bool = True, beside: Sequence[str] = ()) -> None:
        self._scopes = scopes
        self._keras = keras
        self._beside = beside
        self._bound: dict[tuple[int, str], str | None] = {}
        self._resolved: dict[gast.AST, str | None] = {}

    def __call__(self, node: gast.AST) -> str | None:
        """The canonical dotted name of an imported thing; None for everything else."""
        if node not in self._resolved:
            name = self._plain(node)
            found = self._canonical(name) if name else None
            self._resolved[node] = None if found is not None and self._patched and self._is_patched(found) else found
        return self._resolved[node]

    @cached_property
    def _patched(self) -> frozenset[str]:
        """What the file itself puts something else in the place of: `tf.transpose = mine`, `setattr(tf, ...)`."""
        found = {f"{base}.{store.attr}" for store in self._scopes.attribute_stores if (base := self._plain(store.value))}
        for scope in (self._scopes.module, *self._scopes.module.below()):
            for use in scope.uses.get("setattr", ()):
                match self._scopes.parents.get(use):
                    case gast.Call(args=[holder, gast.Constant(value=str(attr)), _]) if base := self._plain(holder):
                        found.add(f"{base}.{attr}")
                    case gast.Call(args=[holder, *_]) if base := self._plain(holder):
                        found.add(base)
        return frozenset(map(self._canonical, found))

    def _canonical(self, name: str) -> str:
        if f"{name}.".startswith("keras."):
            return canonical(f"tensorflow.{name}") if self._keras or name.startswith(_OF_ANY_BACKEND) else name
        return canonical(name)

    @cached_property
    def keras_is_set_up(self) -> bool:
        """Does the file, or one that it imports, name what changes the dtypes, the order of axes or the version of Keras?"""
        return self._sets(_SETTINGS)

    @cached_property
    def keras_data_is_set_up(self) -> bool:
        """Does it name what changes the order of axes of the images that Keras loads, whose dtype no setting changes?"""
        return self._sets(_SETTINGS_OF_DATA)

    def _sets(self, settings: frozenset[str]) -> bool:
        for node in self._scopes.parents:
            match node:
                case gast.Attribute(attr=name) | gast.alias(name=name) | gast.Constant(value=str(name)) if name in settings:
                    return True
        return any(_may_set_keras_up(one, settings) for one in self._beside)

    def is_replaced(self, name: str) -> bool:
        """Does the file itself put something else in the place of what a dotted name is in TensorFlow?"""
        return self._is_patched(self._canonical(name))

    def _is_patched(self, name: str) -> bool:
        return any(name == one or name.startswith(f"{one}.") for one in self._patched)

    def _plain(self, node: gast.AST) -> str | None:
        match node:
            case gast.Attribute(value=value, attr=attr):
                base = self._plain(value)
                return f"{base}.{attr}" if base else None
            case gast.Name(id=name) if node in self._scopes.names:
                return self._of_name(name, self._scopes.names[node])
        return None

    def of_name(self, name: str, scope: Scope) -> str | None:
        """What a name means in a scope."""
        found = self._of_name(name, scope)
        return self._canonical(found) if found else None

    def _of_name(self, name: str, scope: Scope) -> str | None:
        owner = scope.lookup(name)
        if owner is None:
            return None if self._stars() else f"builtins.{name}"
        key = (id(owner), name)
        if key not in self._bound:
            self._bound[key] = None  # while it is being found out: `tf = tf.compat.v1` leads nowhere
            found = {self._of_binding(node, owner) for node in owner.bindings[name]}
            found.discard("None")  # `except ImportError: tf = None`: nothing is ever called on that one
            # `from tensorflow import keras` and `import keras` are one thing.
            meant = {one and canonical(one) for one in found}
            self._bound[key] = min(one or "" for one in found) or None if len(meant) == 1 else None
        return self._bound[key]

    def _stars(self) -> bool:
        return "*" in self._scopes.module.bindings

    def _of_binding(self, node: gast.AST, owner: Scope) -> str | None:
        parent = self._scopes.parents.get(node)
        match node, parent:
            case gast.alias(name=str(name), asname=asname), gast.Import():
                return name if asname else name.partition(".")[0]
            case gast.alias(name=name), gast.ImportFrom(module=str(module), level=0 | None):
                return f"{module}.{name}"
            case gast.Name(), gast.Assign(targets=[_], value=gast.Constant(value=None)):
                return "None"
            case gast.Name(), gast.Assign(targets=[target], value=value) if target is node:
                # An alias such as `mm = tf.matmul`; a name that a loop or a function can give again is none.
                return None if isinstance(owner.node, FUNCTIONS) else self._plain(value)
        return None


_SETTINGS = frozenset({
    "set_floatx", "set_global_policy", "set_dtype_policy", "set_policy", "set_image_data_format", "mixed_float16", "mixed_bfloat16",
    "mixed_precision", "set_backend", "TF_USE_LEGACY_KERAS",
})  # fmt: skip
_OF_ANY_BACKEND = "keras.datasets."
"""Gives arrays of NumPy, whatever Keras computes with."""
_SETTINGS_OF_DATA = frozenset({"set_image_data_format", "image_data_format"})


def _may_set_keras_up(path: str, settings: frozenset[str]) -> bool:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return True
    return any(name in text for name in settings)


class Supposed(Names):
    """Names of which some are taken for others."""

    def __init__(self, plain: Names, scopes: Scopes, meant: Mapping[gast.AST, str]) -> None:
        super().__init__(scopes)
        self._plain_names = plain
        self._meant = meant

    def __call__(self, node: gast.AST) -> str | None:
        return self._meant[node] if node in self._meant else self._plain_names(node)
