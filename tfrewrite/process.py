"""One file from bytes to outcome: what the command line, the cache and the workers pass around."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tfrewrite.engine import InternalError, Options, rewrite
from tfrewrite.results import Cells, Failure, Outcome, Result
from tfrewrite.source import PassedOver, Source, SourceError, concerns_tensorflow

__all__ = ["Failure", "Outcome", "Unverified", "process", "rewritten"]


class Unverified(Exception):
    """The program can't be run, so nothing can be said of a rewrite of it; the text says why."""


def process(data: bytes, path: str, options: Options, make: Callable[[Source, Options], Result] = rewrite) -> Outcome:
    """Take one file through the engine. Never raises for anything that stands in the file."""
    if not concerns_tensorflow(data):
        return Outcome(path)
    cells: Cells | None = None
    try:
        source = Source.from_bytes(data, path)
        cells = source.cells
        said = ""
        if options.recorded is not None:
            source.check_syntax()
            observations, said = options.recorded.of(path, source.text)
            options = replace(options, observations=observations, compared=False)
        result = make(source, options)
        result = source.placed(result)
        if result.edits and source.to_bytes() != data:
            return Outcome(
                path, failure=Failure(0, f"{source.encoding} writes one text in several ways: it can't be written back as it was")
            )
        return Outcome(path, result, cells=cells, notes=(*source.notes, *filter(None, [said]), *assumptions(source, result)))
    except PassedOver as error:
        return Outcome(path, notes=(error.message,))
    except SourceError as error:
        return Outcome(path, failure=Failure(error.line, error.message), cells=cells)
    except Unverified as error:
        return Outcome(path, failure=Failure(0, str(error)))
    except InternalError as error:
        return Outcome(path, failure=Failure(0, f"left as it was, by a mistake of tfrewrite: {error}; please report it"))
    except RecursionError:
        return Outcome(path, failure=Failure(0, "expressions are nested too deep to be analysed"))
    except _MISTAKES as error:
        # One file that nobody thought of is no reason to lose what is known of all the others.
        said = f"{type(error).__name__} {_place(error)}: {error}"
        return Outcome(path, failure=Failure(0, f"left as it was, by a mistake of tfrewrite: {said}; please report it"))


_MISTAKES = (ArithmeticError, AssertionError, AttributeError, LookupError, NameError, StopIteration, TypeError)
"""What a rule or an analysis ends with where it meets a program that it doesn't know."""


def _place(error: BaseException) -> str:
    """Where in tfrewrite an exception was raised."""
    import traceback  # which only a mistake needs

    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    return f"in line {line} of {Path(frame.f_code.co_filename).name}"


def rewritten(data: bytes, path: str, result: Result) -> bytes:
    """The file's bytes after the result's edits."""
    return Source.from_bytes(data, path).written(result.edits)


def assumptions(source: Source, result: Result) -> tuple[str, ...]:
    """What a rewrite of the file takes for granted that the file doesn't say."""
    from tfrewrite.facts.names import assumes_backend

    if result.rewrites and assumes_backend(source.text):
        return ("keras is taken to compute with TensorFlow, as neither the file nor KERAS_BACKEND names another backend",)
    return ()
