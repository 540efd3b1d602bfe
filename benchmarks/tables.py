"""The tables of whole programs in the README and in `docs/`, and their pictures: made of what `programs.py` has stored, and of nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tfrewrite.report.picture import svg
from tfrewrite.verify.verdict import Timeline

ROOT = Path(__file__).resolve().parent.parent
STORED = ROOT / "benchmarks" / "programs.json"
PAGES = ("README.md", "docs/benchmarks.md")
FOLDER = ROOT / "benchmarks" / "pictures"
PICTURES = (
    "newton_logistic",
    "triplet_loss",
    "page_rank",
    "ensemble",
    "attention",
    "moving_average",
    "inefficient_computation_eager",
    "style_loss",
)
"""The programs whose memory over one call may be drawn: the first of them that gain a third by default."""
_MOST_PICTURES, _LEAST_GAIN = 5, 1.5
ARTICLES = (
    "large_tensor_creation",
    "inefficient_computation",
    "inefficient_computation_eager",
    "conditional_computation",
    "accumulate_tensors",
    "increment_state",
    "increment_state_reported",
    "process_data",
    "eager_allocation",
    "graph_and_session",
    "variable_scopes",
    "process_element",
    "process_element_del",
    "process_element_jit",
    "naive_loop",
    "optimized_loop",
    "numpy_loop",
)
"""The fifteen programs of the articles, in their order, each with its variants after it."""
FORMS = {
    "original": "original",
    "function": "`tf.function`",
    "jit": "`jit_compile`",
    "rewritten": "rewritten",
    "everything": "everything",
    "verified": "`--verify`",
    "best": "by hand",
}
_CLOSE = 1.1
_GRAIN = 0.03
"""MB: what Python's own objects make of a difference, which nobody rewrites a program for."""
_MARKED = re.compile(r"(<!-- (?P<name>[a-z ]+): made by make bench -->\n).*?(<!-- end -->)", re.DOTALL)
_FILE = re.compile(r'(?<=\]\()(?=corpus/)|(?<=src=")(?=benchmarks/)')
"""Where the path of a linked file begins."""
Entry = Mapping[str, Any]


# What is stored


def load() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return found


def save(stored: Mapping[str, Any]) -> None:
    text = json.dumps(stored, indent=1, sort_keys=True, ensure_ascii=False)
    # Figures stand on one line each, and so do the points of a curve.
    text = re.sub(r"\[\s+(-?[\d.e+-]+),\s+(-?[\d.e+-]+)(?:,\s+(-?[\d.e+-]+))?\s+\]", _on_one_line, text)
    text = re.sub(r"\],\n\s+\[", "], [", text)
    STORED.write_text(text + "\n", encoding="utf-8")


def _on_one_line(found: re.Match[str]) -> str:
    return f"[{', '.join(one for one in found.groups() if one is not None)}]"


def _peak(entry: Entry, form: str) -> float | None:
    return _figure(entry, form, "warm_peak")


def _figure(entry: Entry, form: str, quantity: str) -> float | None:
    found = entry["forms"].get(form, {}).get(quantity)
    return None if found is None else float(found[0])


def _equal(entry: Entry, form: str) -> bool:
    return bool(entry["forms"].get(form, {}).get("equal") != "no")


def _before(entry: Entry) -> str:
    """The form that a program is compared with: where it raises in a graph, what it does eagerly."""
    return "eagerly" if "eagerly" in entry["forms"] else "original"


def _after(entry: Entry) -> str:
    """What a user gets from the text alone, or else from a run."""
    return _first(entry, "rewritten", "verified")


def _default(entry: Entry) -> str:
    """What a user gets who asks for nothing."""
    return _first(entry, "rewritten")


def _everything(entry: Entry) -> str:
    """What a user gets who asks for all that the text allows."""
    return _first(entry, "everything", "rewritten")


def _by_run(entry: Entry) -> str:
    """What a user gets who lets the program run."""
    return _first(entry, "verified", "rewritten")


def _smallest(entry: Entry) -> str:
    """What needs least of all that a user can get."""
    known = {form: peak for form in (_before(entry), "rewritten", "everything", "verified") if (peak := _peak(entry, form)) is not None}
    return min(known, key=known.__getitem__, default=_before(entry))


def _first(entry: Entry, *forms: str) -> str:
    """The first of the forms that there is, else what the program is now."""
    return next((form for form in forms if form in entry["forms"]), _before(entry))


# Numbers for people


def number(value: float) -> str:
    """Three digits at most, and two behind the point."""
    return f"{value:.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2f}" if value < 0.995 else f"{value:.1f}"


def _change(entry: Entry, quantity: str) -> str:
    before, after = (_figure(entry, form, quantity) for form in (_before(entry), _after(entry)))
    if before is None:
        return "–"
    return number(before) if after is None or _after(entry) == _before(entry) else f"{number(before)} → {number(after)}"


# Whole scripts

_MORE = {"whole_peak": (1.0, 1.05, "peak"), "whole_resident": (5.0, 1.05, "resident"), "whole_time": (0.05, 1.2, "time")}
"""From which difference on, and from how many times as much, a script needs more: MB, MB and seconds, which also are what is noise."""


_SAID = [said for _, _, said in _MORE.values()]


def more(before: Mapping[str, Sequence[float]], after: Mapping[str, Sequence[float]]) -> list[str]:
    """Of what a script needs more as a whole than the original, and not by noise alone: no run of it needs as little as one of the original."""
    both = {name: (before[name], after[name]) for name in _MORE if name in before and name in after}
    return [_MORE[name][2] for name, (one, other) in both.items() if _is_more(*_MORE[name][:2], one, other)]


def _is_more(grain: float, part: float, before: Sequence[float], after: Sequence[float]) -> bool:
    return after[0] - before[0] > grain and after[0] > before[0] * part and after[1] > before[2]


def whole(before: Mapping[str, Sequence[float]], after: Mapping[str, Sequence[float]]) -> list[str]:
    """What two scripts need as a whole, quantity by quantity."""
    return [" → ".join(number(one[name][0]) if name in one else "–" for one in (before, after)) for name in _MORE]


_WHOLE = "whole script: peak, MB; resident, MB; time, s"


def _whole(entry: Entry) -> str:
    """In one cell, what the script needs as it is, and rewritten by default."""
    before, after = (entry["forms"][form] for form in (_before(entry), _default(entry)))
    if not _MORE.keys() & before.keys():
        return "–"
    same = _default(entry) == _before(entry)
    return "; ".join(cell.partition(" ")[0] if same else cell for cell in whole(before, after))


def _scripts(programs: Mapping[str, Entry]) -> str:
    """What whole scripts need, with everything that can be asked for too."""
    heads = [f"{quantity}, {form}" for quantity in ("peak", "resident", "time") for form in ("original", "rewritten", "everything")]
    lines = [f"| program | {' | '.join(heads)} |", f"|---|{'--:|' * len(heads)}"]
    for name, entry in sorted(programs.items()):
        found = [entry["forms"].get(form, {}) for form in (_before(entry), "rewritten", "everything")]
        if len([one for one in found if _MORE.keys() & one.keys()]) > 1:
            cells = [number(one[quantity][0]) if quantity in one else "–" for quantity in _MORE for one in found]
            lines.append(f"| {' | '.join([_link(name), *cells])} |")
    return "\n".join(lines) + "\n"


# Tables


def articles(stored: Mapping[str, Any]) -> str:
    lines = [
        f"| program | what it does | what tfrewrite does | results | peak, MB | time, ms | {_WHOLE} |",
        "|---|---|---|---|--:|--:|--:|",
    ]
    for name in ARTICLES:
        if (entry := stored["programs"].get(name)) is not None:
            figures = (_change(entry, "warm_peak"), _change(entry, "warm_time"), _whole(entry))
            lines.append(f"| {' | '.join((_link(name), entry['what'], done(entry), results(entry), *figures))} |")
    return "\n".join(lines) + "\n"


def _link(name: str) -> str:
    return f"[`{name}`](corpus/programs/{name}.py)"


def done(entry: Entry) -> str:
    """Which rules have done something, or why nothing was done."""
    if entry["rules"]:
        return _names(entry["rules"])
    told = "reported: " if entry["reported"] else "left alone: "
    reasons = [*entry["reported"], *entry["remarks"], *entry["refused"]]
    said = told + _short(reasons[0]) if reasons else "left alone: no rule knows anything to gain"
    asked = "`--unsafe`" if entry["unsafe"] else "`--for both --fidelity tolerance`"
    by_run, most = entry.get("rules_verified", []), entry.get("rules_of_everything", [])
    further = {f"`--verify` or {asked}": by_run} if by_run == most else {"`--verify`": by_run, asked: most}
    return "; ".join([said, *(f"with {option}: {_names(rules)}" for option, rules in further.items() if rules)])


def _names(rules: Sequence[str]) -> str:
    return ", ".join(f"`{rule}`" for rule in rules)


def _short(reason: str) -> str:
    """What is said first."""
    first = re.split(r"(?<=\S)[:.;] |, and it isn't known", reason.replace("|", r"\|"), maxsplit=1)[0].rstrip(".")
    return first if re.match(r"[A-Z][A-Z\d]|NumPy", first) or not first[1:2].islower() else first[0].lower() + first[1:]


def results(entry: Entry) -> str:
    if _after(entry) == _before(entry):
        return "it raises, as it did" if entry["raises"] else "unchanged"
    found = entry["forms"][_after(entry)]
    if "python_state" in (*entry["rules"], *entry.get("rules_verified", ())):
        return "those of eager mode" if _equal(entry, _after(entry)) else "not equal"
    said = {"bitwise": "equal", "rounding": "equal to rounding"}.get(found.get("equal", ""), "not equal")
    return f"it raised; {said} to eager mode" if "eagerly" in entry["forms"] else said


def everything(stored: Mapping[str, Any]) -> str:
    programs = {name: entry for name, entry in sorted(stored["programs"].items()) if name not in ARTICLES}
    peaks = _table(programs, "warm_peak", {_WHOLE: _whole})
    times = _table(programs, "warm_time")
    return "\n".join(
        (
            "The peak of a warm call in MB:",
            "",
            peaks,
            "<details><summary>The time of a warm call in ms</summary>",
            "",
            times,
            "</details>",
            "<details><summary>What whole scripts need: peak and resident memory in MB, total time in s</summary>",
            "",
            _scripts(stored["programs"]),
            "</details>",
            "",
            "rewritten: by default; everything: with `--for both --fidelity tolerance`, which may cost the process more than a call saves; "
            "≠: the results are others; an error's name: it can't be run so; –: the same text as a form before it, or nothing to gain by "
            "hand. Whole scripts run from the first line to the last, in a process that has imported TensorFlow; their memory is what they add "
            "to it, original → rewritten.",
            "",
        )
    )


def _table(programs: Mapping[str, Entry], quantity: str, more: Mapping[str, Callable[[Entry], str]] | None = None) -> str:
    further = more or {}
    heads = [*FORMS.values(), *further]
    lines = [f"| program | {' | '.join(heads)} | rules |", f"|---|{'--:|' * len(heads)}---|"]
    for name, entry in programs.items():
        cells = [*(cell(entry, form, quantity) for form in FORMS), *(one(entry) for one in further.values())]
        lines.append(f"| {' | '.join([_link(name), *cells, _used(entry)])} |")
    return "\n".join(lines) + "\n"


def _used(entry: Entry) -> str:
    """The rules that make the first form which isn't the original."""
    if entry["rules"]:
        return _names(entry["rules"])
    by_run, most = entry.get("rules_verified"), entry.get("rules_of_everything")
    return f"`--verify`: {_names(by_run)}" if by_run else f"everything: {_names(most)}" if most else "–"


def cell(entry: Entry, form: str, quantity: str) -> str:
    found = entry["forms"].get(form)
    if found is None:
        return "–"
    if quantity in found:
        return number(found[quantity][0]) + ("" if _equal(entry, form) else " ≠")
    return f"> {found['late']:.0f} s" if "late" in found else found.get("raises", "–")


# The summary


def summary(stored: Mapping[str, Any]) -> str:
    programs = stored["programs"]
    versions = stored["versions"]
    rewritten, most, by_run = (
        sum(1 for one in programs.values() if form in one["forms"]) for form in ("rewritten", "everything", "verified")
    )
    lines = [
        f"{len(programs)} programs, of which {rewritten} are rewritten by default, {most} become something else with everything asked for "
        f"(`--for both --fidelity tolerance`) and {by_run} with `--verify`. TensorFlow {versions['tensorflow']}, Python "
        f"{versions['python']}, two cores; {_rounds(stored['rounds'])}, each form in a process of its own.",
        "",
        f"- **Never worse as a whole:** {_worse_as_a_whole(programs)}",
        f"- **Never worse in a warm call:** {_worse(programs)}",
        f"- **Close to the best by hand:** {_closeness(programs, _default)}; with `--verify` {_closeness(programs, _by_run)}, with everything "
        f"{_closeness(programs, _everything)}.{_farthest(programs)}",
        f"- **Against `tf.function(jit_compile=True)`** around the same function: {_against_jit(programs)}",
        f"- **Time** of a warm call: {_times(programs, _default)}; with everything {_times(programs, _everything)}.",
        f"- **First calls** trace and compile: {_first_calls(programs, _default)}; with everything {_first_calls(programs, _everything)}.",
        f"- **Spread:** peaks of one form differ by {_spread(programs, 'warm_peak')} from round to round, times by {_spread(programs, 'warm_time')} "
        "(medians over all forms).",
    ]
    return "\n".join(lines) + "\n"


def _rounds(count: int) -> str:
    return "one round" if count == 1 else f"medians of {count} rounds"


def _times(programs: Mapping[str, Entry], form: Callable[[Entry], str]) -> str:
    pairs = _pairs(programs, "warm_time", form)
    slower = [f"{_link(name)} {after / before:.1f}x" for name, (before, after) in pairs.items() if after > 1.5 * before]
    ratios = sorted(after / before for before, after in pairs.values())
    middle = f"{ratios[len(ratios) // 2]:.2f}x the original's in the middle of {len(ratios)}" if ratios else "nothing was rewritten"
    return f"{middle}, more than 1.5x in {', '.join(slower)}" if slower else f"{middle}, and nowhere more than 1.5x"


def _first_calls(programs: Mapping[str, Entry], form: Callable[[Entry], str]) -> str:
    pairs = _pairs(programs, "first_peak", form)
    higher = [after - before for before, after in pairs.values() if not _within(after, 1.1 * before)]
    most = f", by {number(max(higher))} MB at most" if higher else ""
    return f"their peak is higher than the original's in {len(higher)} of {len(pairs)}{most}"


def _pairs(programs: Mapping[str, Entry], quantity: str, form: Callable[[Entry], str]) -> dict[str, tuple[float, float]]:
    """Of those that are rewritten."""
    found = {}
    for name, entry in programs.items():
        before, after = (_figure(entry, one, quantity) for one in (_before(entry), form(entry)))
        if before and after and form(entry) != _before(entry):
            found[name] = (before, after)
    return found


def _within(value: float, limit: float) -> bool:
    return value <= limit or value - limit <= _GRAIN


def _worse(programs: Mapping[str, Entry]) -> str:
    found = []
    for name, entry in programs.items():
        for form in ("rewritten", "everything", "verified"):
            before, after = _peak(entry, _before(entry)), _peak(entry, form)
            if before is not None and after is not None and not _within(after, before * 1.01):
                found.append(f"{_link(name)} ({number(before)} → {number(after)} MB)")
    found = list(dict.fromkeys(found))
    return "no rewritten form has a higher peak than its original." if not found else f"all but {', '.join(found)}."


def _worse_as_a_whole(programs: Mapping[str, Entry]) -> str:
    ran = {name: entry for name, entry in programs.items() if "eagerly" not in entry["forms"]}
    raised = {name: entry for name, entry in programs.items() if name not in ran}
    worse, others = (_needing_more(some, "rewritten") for some in (ran, raised))
    compared = sum(1 for entry in ran.values() if _MORE.keys() & entry["forms"].get("rewritten", {}).keys())
    said = f"these need more: {', '.join(worse)}" if worse else "none needs more"
    raising = f" {', '.join(others)} raises as it is, and needs more than it would in eager mode." if others else ""
    by_run, most = (_needing_more(ran, form) for form in ("verified", "everything"))
    running = f"these do: {', '.join(by_run)}" if by_run else "none does"
    return (
        f"of the {compared} scripts that are rewritten by default {said} (a peak 5 % and 1 MB higher, 5 % and 5 MB of resident memory, "
        f"20 % and 0.05 s of time).{raising} With `--verify` {running}. With everything {len(most)} do, most of it for XLA: that is why it "
        "isn't the default."
    )


def _needing_more(programs: Mapping[str, Entry], form: str) -> list[str]:
    """The programs whose script needs more in this form, and of what."""
    found = []
    for name, entry in programs.items():
        before, after = entry["forms"][_before(entry)], entry["forms"].get(form, {})
        if said := more(before, after):
            figures = [f"{one} {each}" for one, each in zip(_SAID, whole(before, after), strict=True) if one in said]
            found.append(f"{_link(name)} ({', '.join(figures)})")
    return found


def _ratios(programs: Mapping[str, Entry], form: Callable[[Entry], str]) -> dict[str, float]:
    """What the rewritten programs need for what the best by hand do. Where hands gain nothing, the original is the best."""
    found = {}
    for name, entry in programs.items():
        best, reached = _peak(entry, "best"), _peak(entry, form(entry))
        if best is None:
            best = _peak(entry, _before(entry))
        if best is not None and reached is not None:
            found[name] = 1.0 if _within(reached, best) else reached / best
    return found


def _closeness(programs: Mapping[str, Entry], form: Callable[[Entry], str]) -> str:
    ratios = _ratios(programs, form)
    return f"{sum(ratio <= _CLOSE for ratio in ratios.values())} of {len(ratios)} programs are within {_CLOSE}x"


def _farthest(programs: Mapping[str, Entry]) -> str:
    far = sorted(((ratio, name) for name, ratio in _ratios(programs, _smallest).items() if ratio > _CLOSE), reverse=True)
    return f" Further away, whatever is asked for: {', '.join(f'{_link(name)} {number(ratio)}x' for ratio, name in far)}." if far else ""


def _against_jit(programs: Mapping[str, Entry]) -> str:
    kinds: dict[str, list[str]] = {kind: [] for kind in ("less", "same", "more", "other", "fails")}
    for name, entry in programs.items():
        jit, mine = entry["forms"].get("jit"), _peak(entry, _everything(entry))
        if jit is None or mine is None:
            continue
        kind = "fails" if "warm_peak" not in jit else "other" if not _equal(entry, "jit") else _compared(mine, jit["warm_peak"][0])
        kinds[kind].append(name)
    more = f" ({', '.join(map(_link, kinds['more']))})" if kinds["more"] else ""
    return (
        f"it can't be run so in {len(kinds['fails'])} programs and gives other results in {len(kinds['other'])}; of the others everything needs "
        f"less in {len(kinds['less'])}, as much in {len(kinds['same'])} and more in {len(kinds['more'])}{more}."
    )


def _compared(mine: float, other: float) -> str:
    if _within(mine, other * 1.02) and _within(other, mine * 1.02):
        return "same"
    return "less" if mine < other else "more"


def _spread(programs: Mapping[str, Entry], quantity: str) -> str:
    figures = [form[quantity] for entry in programs.values() for form in entry["forms"].values() if quantity in form]
    apart = sorted((high - low) / middle for middle, low, high in figures if middle)
    return f"{100 * apart[len(apart) // 2]:.1g}%" if apart else "nothing"


# Pictures


def pictures(stored: Mapping[str, Any]) -> dict[str, str]:
    """The file of each picture, and what stands in it."""
    measured = {name: stored["programs"][name] for name in PICTURES if name in stored["programs"]}
    drawn = ((name, _drawn(name, entry)) for name, entry in measured.items() if _gain(entry) >= _LEAST_GAIN)
    return dict([(f"{name}.svg", text) for name, text in drawn if text][:_MOST_PICTURES])


def _gain(entry: Entry) -> float:
    before, after = _peak(entry, _before(entry)), _peak(entry, _default(entry))
    return before / max(after, 1e-3) if before and after is not None else 1.0


def _drawn(name: str, entry: Entry) -> str:
    before, after = (_curve(entry["forms"].get(form, {})) for form in ("original", _default(entry)))
    return svg(before, after, title=f"{name}: memory in use over one call", alone=True) + "\n" if before and after else ""


def _curve(form: Mapping[str, Any]) -> Timeline | None:
    found = form.get("timeline")
    return None if found is None else Timeline(tuple((part, used) for part, used in found["points"]), found["axis"])


def gallery(stored: Mapping[str, Any]) -> str:
    """The pictures, two beside each other."""
    lines = [f'<img src="benchmarks/pictures/{file}" alt="{_alt(stored, file)}" width="49%">' for file in pictures(stored)]
    return "\n".join(lines) + "\n"


def _alt(stored: Mapping[str, Any], file: str) -> str:
    name = file.removesuffix(".svg")
    entry = stored["programs"][name]
    before, after = _peak(entry, "original") or 0.0, _peak(entry, _default(entry)) or 0.0
    return f"{name}: memory over one call, {number(before)} MB at its peak before and {number(after)} MB after"


# Scripts that work on data

_OF_DATA = (
    "scaled_images", "shuffle_first", "cache_first", "released_array", "array_input", "bytes_in_dataset", "batched_forward",
    "fit_input", "preallocated_array", "predict_on_batch", "sparse_labels", "mean_of_gradients",
)  # fmt: skip
_MADE = (
    ("rules", "rewritten", "by default"),
    ("rules_verified", "verified", "`--verify`"),
    ("rules_of_everything", "everything", "`--unsafe`"),
)


def of_data(stored: Mapping[str, Any]) -> str:
    """What whole scripts need for which the rules for data were made, against the best form by hand."""
    lines = ["| rule | script | made | before, MB | after | by hand | after : by hand |", "|---|---|---|--:|--:|--:|--:|"]
    for rule in _OF_DATA:
        for name, entry in sorted(stored["programs"].items()):
            made = next(((form, how) for key, form, how in _MADE if rule in entry.get(key, ()) and form in entry["forms"]), None)
            figures = [_figure(entry, form, "whole_peak") for form in (_before(entry), made[0], "best")] if made is not None else []
            before, after, best = figures or (None, None, None)
            if made is not None and before is not None and after is not None and best is not None:
                cells = (f"`{rule}`", _link(name), made[1], *map(number, (before, after, best)), f"{after / best:.2f}x")
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


# Where all of it goes

BLOCKS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "programs": articles,
    "all programs": everything,
    "programs in short": summary,
    "pictures of programs": gallery,
    "scripts of data": of_data,
}


def filled(text: str, stored: Mapping[str, Any], up: str = "") -> str:
    """A text with what is made of the stored figures between its marks. Files are linked by way of `up`."""

    def block(found: re.Match[str]) -> str:
        made = BLOCKS[found["name"]](stored)
        return f"{found[1]}{re.sub(_FILE, up, made)}{found[3]}"

    return _MARKED.sub(block, text)


def publish() -> None:
    stored = load()
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        (ROOT / page).write_text(filled(text, stored, "../" * page.count("/")), encoding="utf-8")
    FOLDER.mkdir(exist_ok=True)
    drawn = pictures(stored)
    for old in FOLDER.glob("*.svg"):
        if old.name not in drawn:
            old.unlink()
    for file, text in drawn.items():
        (FOLDER / file).write_text(text, encoding="utf-8")


_QUANTITIES = (
    ("warm_peak", "MB"),
    ("warm_time", "ms"),
    ("first_peak", "MB at first"),
    ("first_time", "ms at first"),
    ("whole_peak", "MB as a whole"),
    ("whole_resident", "MB resident"),
    ("whole_time", "s"),
)


def line(name: str, entry: Entry) -> str:
    """One program while it is being measured: each form's peak and time with their spread."""
    return "\n".join((f"{name}: {done(entry)}", *_lines(entry)))


def _lines(entry: Entry) -> Iterator[str]:
    for form, found in entry["forms"].items():
        said = [
            found[key] if key != "late" else f"takes more than {found[key]:.0f} s" for key in ("equal", "raises", "late") if key in found
        ]
        for quantity, unit in _QUANTITIES:
            if quantity in found:
                middle, low, high = map(number, found[quantity])
                said.append(f"{middle} {unit}" + ("" if low == high else f" ({low} to {high})"))
        yield f"  {form:10} {', '.join(said)}"
