"""Measures every form of the whole programs of the corpus: what `programs.py` does."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from queue import SimpleQueue
from typing import Any

from programs import Case, cases, over_numbers

from benchmarks import tables
from benchmarks.forked import Answer, Forks
from benchmarks.scripts import by_default, needs, script
from tfrewrite.catalogue import rules
from tfrewrite.engine import Options, Result, rewrite
from tfrewrite.outcomes import Fidelity, purposes
from tfrewrite.process import process
from tfrewrite.report.remarks import remarks
from tfrewrite.source import Source, apply_edits
from tfrewrite.verify.file_verification import Setup, verified
from tfrewrite.verify.processes import Processes
from tfrewrite.verify.runs import environment

_LATE = 25.0
"""Seconds in which a form has to run, its first call among them."""
_LIMIT = 60.0
"""Seconds for each run of --verify."""
_SLOW = 8.0
"""Seconds of a first call, from which on one round has to do."""
_DRAWN = ("original", "rewritten")
_UNITS = {"warm_peak": 1e-6, "first_peak": 1e-6, "warm_time": 1e3, "first_time": 1e3}


class Silent:
    def stage(self, text: str) -> None: ...
    def advance(self, done: int, total: int) -> None: ...


# The forms of a program


def compiled(text: str, how: str, at: int = -1) -> str:
    """The program with the outermost function that the statement calls under `tf.function`; "" where there is none."""
    tree = ast.parse(text)
    defined = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree.body[at]):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in defined:
                function = f"{name}.python_function" if defined[name].decorator_list else name
                return _after(text, defined[name].end_lineno or 0, f"{name} = tf.function({function}{how})")
            case ast.Call(func=ast.Attribute(value=ast.Name()) as method) if not (call := ast.unparse(method)).startswith("tf."):
                return _after(text, tree.body[at - 1].end_lineno or 0, f"{call} = tf.function({call}{how})")
    return ""


def _after(text: str, line: int, statement: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:line], statement + "\n", *lines[line:]])


def decorated(text: str, at: int = -1) -> str:
    """How the program itself compiles the function that the statement calls: "", "function" or "jit"."""
    tree = ast.parse(text)
    called = {node.func.id for node in ast.walk(tree.body[at]) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in called and node.decorator_list:
            return "jit" if "jit_compile" in ast.unparse(node.decorator_list[0]) else "function"
    return ""


def statement(case: Case) -> int:
    """Which statement is measured: the last, or where that one raises, the one before."""
    return -2 if case.raises else -1


def measured(case: Case, text: str) -> str:
    """The text up to the statement that is measured."""
    last = ast.parse(text).body[statement(case)]
    return "".join(text.splitlines(keepends=True)[: last.end_lineno])


def everything(case: Case) -> tuple[str, Result]:
    """What becomes of a program with --for both --fidelity tolerance, and --unsafe where its comments ask for that."""
    options = Options(rules(), case.unsafe, Fidelity.TOLERANCE, purposes=purposes("both"))
    result = rewrite(Source(case.text, str(case.path)), options)
    return apply_edits(case.text, result.edits), result


def by_verifying(case: Case, processes: Processes) -> tuple[str, Result | str]:
    """What becomes of a program with --verify and nothing else, or why nothing does."""
    make = partial(verified, setup=Setup(seconds=_LIMIT), processes=processes, watcher=Silent())
    outcome = process(case.text.encode(), str(case.path), Options(rules()), make)
    if outcome.failure is not None:
        return case.text, outcome.failure.message
    return apply_edits(case.text, outcome.result.edits), outcome.result


def forms(case: Case, rewritten: str, most: str, by_run: str) -> dict[str, str]:
    """The texts of a program: as it is, rewritten by default, with every option, and by a run. Those that are like an earlier one are left out."""
    at = statement(case)
    own = decorated(case.text, at)
    found = {"original": case.text}
    if case.raises_in_a_graph:
        found["eagerly"] = over_numbers(case.text)
    if own != "function":
        found["function"] = compiled(case.text, "", at)
    if own != "jit":
        found["jit"] = compiled(case.text, ", jit_compile=True", at)
    if rewritten != case.text:
        found["rewritten"] = rewritten
    if most not in (case.text, rewritten):
        found["everything"] = most
    if by_run not in (case.text, rewritten, ""):
        found["verified"] = by_run
    found["best"] = case.best or ""
    return {name: text for name, text in found.items() if text}


# Measuring


def program(case: Case, rounds: int, servers: Sequence[Forks], processes: Processes) -> dict[str, Any]:
    rewritten, result = by_default(case)
    most, made = everything(case)
    by_run, seen = by_verifying(case, processes)
    found = about(case, result, made) | about_run(seen)
    texts = forms(case, rewritten, most, by_run)
    results = {"rewritten": result, "everything": made, "verified": seen if isinstance(seen, Result) else Result()}
    eagerly = [form for form, one in results.items() if any(each.fidelity is Fidelity.BEHAVIOUR for each in one.rewrites)]
    found["forms"] = measure(case, texts, eagerly, rounds, servers)
    add_whole(case, texts, found["forms"], rounds, processes)
    for name, text in texts.items():
        found["forms"][name]["text"] = digest(text)
    return found


def digest(text: str) -> str:
    """What tells whether figures are those of a program, whatever its comments say."""
    return hashlib.sha256(ast.dump(ast.parse(text)).encode()).hexdigest()[:12]


def relabelled(case: Case, stored: dict[str, Any]) -> dict[str, Any] | None:
    """What is stored of a program, under other names where the rules make other texts now; None if one of these wasn't measured."""
    rewritten, result = by_default(case)
    most, made = everything(case)
    texts = forms(case, rewritten, most, "")
    known = {form["text"]: form for form in stored["forms"].values()}
    if any(digest(text) not in known for text in texts.values()):
        return None
    kept = {name: known[digest(text)] for name, text in texts.items()}
    by_run = stored["forms"].get("verified")
    if by_run is not None and by_run["text"] not in (digest(case.text), digest(rewritten)):
        kept["verified"] = by_run
    about_runs = {key: stored[key] for key in ("rules_verified", "taken_back", "unverified") if key in stored}
    return about(case, result, made) | about_runs | {"forms": kept}


def add_whole(case: Case, texts: dict[str, str], found: dict[str, dict[str, Any]], rounds: int, processes: Processes) -> None:
    """To what is known of a program's forms, what those need as whole scripts that a user may get."""
    chosen = [
        name for name in ("eagerly" if "eagerly" in texts else "original", "rewritten", "everything", "verified", "best") if name in texts
    ]
    measured = needs([script(case) if name == "eagerly" else texts[name] for name in chosen], case.path, rounds, processes)
    for name, one in zip(chosen, measured, strict=True):
        kept = {key: value for key, value in found.get(name, {}).items() if not key.startswith("whole_")}
        found[name] = kept | {key: [_rounded(value) for value in values] for key, values in one.figures().items()}


def about(case: Case, result: Result, made: Result) -> dict[str, Any]:
    """What stands in the tables beside figures."""
    source = Source(case.text, str(case.path))
    reported = [one.reason for one in result.refusals if one.reported]
    refused = [one.reason for one in result.refusals if not one.reported]
    return {
        "what": (ast.get_docstring(ast.parse(case.text)) or "").partition("\n")[0],
        "rules": sorted({one.rule for one in result.rewrites}),
        "rules_of_everything": sorted({one.rule for one in made.rewrites}),
        "refused": refused[:3],
        "remarks": [one.said for one in remarks(source)][:3],
        "reported": reported,
        "unsafe": case.unsafe,
        "raises": case.raises,
    }


def about_run(seen: Result | str) -> dict[str, Any]:
    if isinstance(seen, str):
        return {"unverified": seen}
    by_run = sorted({one.rule for one in seen.rewrites})
    taken_back = [f"{one.rule}: {one.reason}" for one in seen.refusals if one.verification is not None]
    return {"rules_verified": by_run, "taken_back": taken_back[:5]}


def measure(case: Case, texts: dict[str, str], eagerly: Sequence[str], rounds: int, servers: Sequence[Forks]) -> dict[str, Any]:
    """Of each form what it costs, and whether it is equal: those of `eagerly` to what the original does in eager mode."""

    def equal(name: str) -> Callable[[Forks], Answer]:
        more = {"path": str(case.path), "original": case.text, "eagerly": name in eagerly}
        return lambda server: server.ask("equal", texts[name], limit=_LATE, **more)

    def look(name: str, kind: str, **more: Any) -> Callable[[Forks], Answer]:
        return lambda server: server.ask(kind, measured(case, texts[name]), eagerly=name == "eagerly", limit=_LATE, **more)

    others = [name for name in texts if name not in ("original", "eagerly")]
    answers = dict(zip(others, _spread([equal(name) for name in others], servers), strict=True))
    found: dict[str, dict[str, Any]] = {name: _said(answers.get(name, {})) for name in texts}
    times: dict[str, list[Answer]] = {name: [] for name, one in found.items() if not _failed(one)}
    for _ in range(rounds):
        for name, own in times.items():
            if not _failed(found[name]) and (not own or own[0]["first_time"] < _SLOW):
                answer = look(name, "time")(servers[0])
                if _failed(answer):
                    found[name] |= _said(answer)
                else:
                    own.append(answer)
    running = [(name, number) for name, own in times.items() if not _failed(found[name]) for number in range(len(own))]
    drawn = case.path.stem in tables.PICTURES
    asked = [look(name, "memory", timeline=drawn and number == 0 and name in _DRAWN) for name, number in running]
    peaks = _spread(asked, servers)
    for name in dict.fromkeys(name for name, _ in running):
        own = [one for (other, _), one in zip(running, peaks, strict=True) if other == name]
        found[name] |= _said(own[0]) if _failed(own[0]) else _figures(times[name], own)
    return found


def _spread(asked: Sequence[Callable[[Forks], Answer]], servers: Sequence[Forks]) -> list[Answer]:
    """All answers, from as many processes at once as there are servers."""
    free: SimpleQueue[Forks] = SimpleQueue()
    for server in servers:
        free.put(server)

    def one(ask: Callable[[Forks], Answer]) -> Answer:
        server = free.get()
        try:
            return ask(server)
        finally:
            free.put(server)

    with ThreadPoolExecutor(len(servers)) as pool:
        return list(pool.map(one, asked))


def _failed(answer: dict[str, Any]) -> bool:
    return "raises" in answer or "late" in answer


def _said(answer: Answer) -> dict[str, Any]:
    """What is kept of an answer that holds no figures."""
    return {key: answer[key] for key in ("difference", "equal", "late", "raises") if key in answer}


def _figures(times: Sequence[Answer], peaks: Sequence[Answer]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, factor in _UNITS.items():
        values = [one[name] * factor for one in (*times, *peaks) if name in one]
        found[name] = [_rounded(value) for value in (statistics.median(values), min(values), max(values))]
    if "points" in peaks[0]:
        found["timeline"] = {"axis": peaks[0]["axis"], "points": peaks[0]["points"]}
    return found


def _rounded(value: float) -> float:
    """Three digits, and none that stands for less than a thousandth of a unit."""
    return round(float(f"{value:.3g}"), 3)


def measure_all(words: Sequence[str], rounds: int, changed: bool = False) -> None:
    """Measure the programs that have one of the words in their names, all for none, and store what is found after each.

    With `changed` only those of which the rules make a text that wasn't measured.
    """
    chosen = [one for one in cases() if one.name.startswith("programs/") and wanted(one.path.stem, words)]
    if not chosen:
        raise SystemExit(f"no program has {' or '.join(words)} in its name")
    results = dict(tables.load()["programs"]) if (words or changed) and tables.STORED.exists() else {}
    if changed:
        known = {case.path.stem: found for case in chosen if (found := relabelled(case, results[case.path.stem])) is not None}
        chosen = [case for case in chosen if case.path.stem not in known]
        results |= known
        tables.save({"programs": results, "rounds": rounds, "versions": versions()})
    began = time.perf_counter()
    for case, found in each(chosen, rounds):
        results[case.path.stem] = found
        print(f"{tables.line(case.path.stem, found)}\n  after {time.perf_counter() - began:.0f} s", flush=True)
        tables.save({"programs": results, "rounds": rounds, "versions": versions()})


def measure_whole(words: Sequence[str], rounds: int) -> None:
    """Measure the whole scripts alone, and keep what else is stored."""
    stored = tables.load()
    with Processes(environment("auto")) as processes:
        for case in cases():
            name = case.path.stem
            if case.name.startswith("programs/") and wanted(name, words) and name in stored["programs"]:
                found = stored["programs"][name]["forms"]
                texts = forms(case, by_default(case)[0], everything(case)[0], "")
                known = {form: text for form, text in texts.items() if found.get(form, {}).get("text") == digest(text)}
                add_whole(case, known, found, rounds, processes)
                print(tables.line(name, stored["programs"][name]), flush=True)
                tables.save(stored)


def wanted(name: str, words: Sequence[str]) -> bool:
    return not words or any(word in name for word in words)


def each(chosen: Sequence[Case], rounds: int) -> Iterator[tuple[Case, dict[str, Any]]]:
    servers = [Forks() for _ in range(min(2, os.cpu_count() or 1))]
    try:
        with Processes(environment("auto")) as processes:
            for case in chosen:
                yield case, program(case, rounds, servers, processes)
    finally:
        for server in servers:
            server.close()


def versions() -> dict[str, str]:
    found = {"python": ".".join(platform.python_version_tuple()[:2])}
    for name in ("tensorflow", "tensorflow-cpu"):
        with contextlib.suppress(PackageNotFoundError):
            found["tensorflow"] = version(name)
    return found
