"""What the files say that a file imports from its project: whether they read its names, or give Keras methods of their own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

import gast

from tfrewrite.facts import Facts

_GUARD = re.compile(r"__name__\s*[=!]=\s*[\"']__main__[\"']|[\"']__main__[\"']\s*[=!]=\s*__name__")
_READS_CALLERS = re.compile(r"__main__|\bf_back\b|\b_getframe\b|\bcurrentframe\b|\binspect\.(?:stack|trace)\b|\bf_globals\b")


def imported_texts(facts: Facts) -> tuple[str | None, ...]:
    """The texts of the files of its project that a file imports, and of those that they import; None of one that can't be read."""
    return facts.once(_read)


def _read(facts: Facts) -> tuple[str | None, ...]:
    paths = {*(one.path for one in facts.source.around.modules), *_beside(facts)}
    return tuple(map(text_of, sorted(paths)))


def reads_the_script(facts: Facts) -> bool:
    """May a file that a script imports read the script's own names, as `sys.modules["__main__"].x` does?"""
    return any(text is None or _READS_CALLERS.search(_GUARD.sub("", text)) for text in imported_texts(facts))


def gives_methods(names: Iterable[str], facts: Facts) -> str | None:
    """A method that the file, one that it imports or one that imports it may give models: `tf.keras.Model.fit = logged`."""
    names = list(names)
    spelled = "|".join(map(re.escape, names))
    own = (one for one in names if facts.mutation.attribute_stores(one) or facts.mutation.set_by_text(one))
    if (found := next(own, None)) is not None:
        return found
    given = re.compile(rf"\.({spelled})\s*=(?!=)|(?:attr|patch|object)\w*\([^\n]*[\"'.]({spelled})[\"']")
    importers = (text_of(one.path) for one in facts.source.around.importers)
    for text in (*importers, *imported_texts(facts)):
        if text is None:
            return names[0]
        if (match := given.search(text)) is not None:
            return match[1] or match[2]
    return None


def text_of(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None


def _beside(facts: Facts) -> Iterator[str]:
    """The files of the same folder that are imported, whatever is known of the project."""
    folder = os.path.dirname(facts.source.path)
    for node in facts.nodes((gast.Import, gast.ImportFrom)):
        named = [node.module or ""] if isinstance(node, gast.ImportFrom) else [one.name for one in getattr(node, "names", [])]
        for name in {one.partition(".")[0] for one in named} - {""}:
            yield from (
                one for one in (os.path.join(folder, f"{name}.py"), os.path.join(folder, name, "__init__.py")) if os.path.isfile(one)
            )
