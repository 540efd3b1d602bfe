"""How a template shows the numbers that are written into it: with so few digits that another rounding is another text?"""

from __future__ import annotations

import re
import string

_FEW_DIGITS = 3
_PERCENT = re.compile(
    r"%(?:\([^)]*\))?[-+ 0#]*(?P<width>\*|\d+)?(?:\.(?P<digits>\*|\d*))?[hlL]?(?P<kind>.)",
    re.DOTALL,
)
_BRACES = re.compile(r"(?:.?[<>=^])?[-+ ]?z?#?0?\d*[,_]?(?:\.(?P<digits>\d+))?(?P<kind>[a-zA-Z%]?)", re.DOTALL)


def percent_loses(template: str, cancelled: bool) -> str:
    """The first part of a template of `%` that shows too little, or of which that isn't known; empty where there is none."""
    for found in _PERCENT.finditer(template):
        kind, digits = found["kind"], found["digits"]
        if kind == "%":
            continue
        known = "*" not in (found["width"], digits) and kind in "eEfFgGsra"
        if not known or _loses(kind, digits, cancelled):
            return found[0]
    return ""


def braces_lose(template: str, cancelled: bool) -> str:
    """The same of a template of `str.format`, and of f-strings."""
    try:
        parts = list(string.Formatter().parse(template))
    except ValueError:
        return template
    for _, field, spec, conversion in parts:
        if field is None:
            continue
        shown = f"{{{field}{f'!{conversion}' if conversion else ''}{f':{spec}' if spec else ''}}}"
        found = _BRACES.fullmatch(spec or "")
        if found is None or "." in field or "[" in field:
            return shown
        kind, digits = found["kind"], found["digits"]
        if (kind and kind not in "eEfFgG%s") or _loses("s" if conversion else kind, digits, cancelled):
            return shown
    return ""


def _loses(kind: str, digits: str | None, cancelled: bool) -> bool:
    if kind in ("s", "r", "a"):
        return bool(digits)  # a text that is cut
    if kind in ("f", "F", "%") and cancelled:
        return True  # a fixed number of places, of which few may be left
    return digits is not None and int(digits or 0) < _FEW_DIGITS
