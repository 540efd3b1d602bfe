"""What reads names that the text doesn't write: consoles, queries, debuggers, the frames of callers."""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts

SEE_CALLERS = frozenset({
    "eval", "query", "sql", "sqldf", "currentframe", "_getframe", "set_trace", "interact", "dump_session", "dump_module",
})  # fmt: skip
"""Functions and methods that may look at the names of who calls them."""
_CONSOLES = frozenset({"IPython.embed", "IPython.start_ipython", "IPython.terminal.embed.embed", "ptpython.repl.embed", "bpython.embed"})
_BY_TEXT = ("f_locals", "capture_locals", "show_locals", "cgitb", "pysnooper")


def shows_names(facts: Facts) -> bool:
    """Does the file say that something shows the names of its functions or of the script: a console, or a report of errors?"""
    return any(word in facts.source.text for word in _BY_TEXT) or facts.once(_opens_console)


def _opens_console(facts: Facts) -> bool:
    return any(facts.names(one) in _CONSOLES for one in facts.nodes((gast.Name, gast.Attribute)))
