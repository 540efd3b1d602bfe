"""The command line: glue between the parts, which are imported where they are needed."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import click

from tfrewrite import __version__
from tfrewrite.garbage import collect_less, collect_when_idle
from tfrewrite.meter_names import METERS
from tfrewrite.report.documents import ENDINGS, FORMS

if TYPE_CHECKING:
    from tfrewrite.cache import Cache
    from tfrewrite.files import Exclusion, Found
    from tfrewrite.projects import Projects
    from tfrewrite.recorded import Recorded
    from tfrewrite.revisions import Changes
    from tfrewrite.runner import Handled, Request
    from tfrewrite.session import View
    from tfrewrite.settings import Settings
    from tfrewrite.verify.file_verification import Setup

_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 110}
INTERRUPTED = 130
BROKEN_PIPE = 141

_EXAMPLES = """\
Examples:
  tfrewrite train.py                    show what would change, as a diff
  tfrewrite train.py | git apply        make the change with another tool
  tfrewrite src --inplace               write it
  tfrewrite train.py --verify           run it, and keep only what is equivalent and saves memory
  tfrewrite net.py --verify --run "pytest tests/test_net.py"
  tfrewrite src -o report.html          a page; other forms: --format
  tfrewrite . --diff-base origin/main   only what touches lines that this branch has changed
  tfrewrite src --check --quiet         for hooks and CI: exit 1 if anything would change
  tfrewrite profile train.py            which lines hold most memory at the peak?
  tfrewrite pkg --facts facts.tfr       use what "tfrewrite record -o facts.tfr -- python -m pkg.train" has seen
  tfrewrite explain train.py:42         why was this line rewritten, or left alone?
  tfrewrite explain train.ipynb:7:3     the same for line 3 of a notebook's cell 7
  tfrewrite src --select assign_add,diag_matmul --ignore early_release

Folders are searched for *.py and *.ipynb; .gitignore and folders such as build or .venv are respected.
Settings are read from [tool.tfrewrite] of the nearest pyproject.toml, under the names of the options:
select, ignore, unsafe, fidelity, for, callers, exclude, workers, record-seconds.  In code, "# tfrewrite: off" or "# tfrewrite: off=RULE"
on a line, a def or at the top of a file prevents rewrites.

Exit codes: 0 done, 1 --check found something, 2 some file could not be handled.
"""


class _Commands(click.Group):
    """A group whose first word may also be a path: then `rewrite` is meant, which has no name on the command line."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args:
            click.echo(ctx.get_help())
            ctx.exit()
        if args[0] not in self.commands and args[0] not in ("--help", "-h", "--version"):
            args = ["rewrite", *args]
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _format_help(ctx, formatter, self)


class _Rewrite(click.Command):
    def make_context(self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any) -> click.Context:
        return super().make_context("tfrewrite", args, **extra)  # its errors shouldn't speak of a name that it hasn't got

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        assert isinstance(cli, click.Group)
        _format_help(ctx, formatter, cli)


def _format_help(ctx: click.Context, formatter: click.HelpFormatter, group: click.Group) -> None:
    formatter.write_usage("tfrewrite", "PATH... [OPTIONS]")
    formatter.write_usage("tfrewrite", "COMMAND ...", prefix="       ")
    formatter.write_paragraph()
    formatter.write_text(
        "Rewrites TensorFlow code so that it needs less memory. Shows the diff of what it would do, and writes nothing "
        "unless --inplace is given. The code is only read, never imported or run, unless --verify is given. A PATH is a file, a folder, "
        "or - for standard input (the result goes to standard output)."
    )
    with formatter.section("Options"):
        records = [param.get_help_record(ctx) for param in group.commands["rewrite"].params if isinstance(param, click.Option)]
        formatter.write_dl([record for record in records if record] + [("--version", "Show the version."), ("--help", "Show this page.")])
    with formatter.section("Commands"):
        formatter.write_dl([(name, command.get_short_help_str(100)) for name, command in group.commands.items() if not command.hidden])
    formatter.write_paragraph()
    formatter.write(_EXAMPLES)


def _names(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...] | None:
    """Names may be given apart or with commas between them."""
    return tuple(name.strip() for value in values for name in value.split(",") if name.strip()) or None


def rewrite_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say which rewrites are wanted."""
    from tfrewrite.settings import CALLERS, FIDELITIES, PURPOSES

    for option in (
        click.option("--unsafe", is_flag=True, default=None, help="Also make rewrites that are not proven."),
        click.option(
            "--fidelity",
            type=click.Choice(FIDELITIES),
            help="How close results are to the original's: the same bits; other rounding where it decides nothing; any rounding.  [default: rounding]",
        ),
        click.option(
            "--for",
            "purpose",
            type=click.Choice(PURPOSES),
            help="Only rewrites that save this in the whole program.  [default: memory]",
        ),
        click.option(
            "--callers",
            type=click.Choice(CALLERS),
            help="Where all callers of a function stand: in its project, in its file, or anywhere.  [default: project]",
        ),
        click.option("--ignore", metavar="RULE", multiple=True, callback=_names, help="Don't use these rules."),
        click.option("--select", metavar="RULE", multiple=True, callback=_names, help="Use only these rules."),
    ):
        command = option(command)
    return command


_VERIFYING = ("run", "calls", "trials", "budget", "timeout", "record_seconds", "memory_limit", "meter", "cluster")


def _how_to_verify(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of --verify, which mean nothing without it: so none has a default here."""
    for option in (
        click.option("--cluster", metavar="ADDRESS", help="With --verify: hand the files to the workers of this Dask scheduler."),
        click.option("--meter", type=click.Choice(METERS), help="With --verify: how to measure memory."),
        click.option(
            "--memory-limit",
            metavar="SIZE",
            callback=lambda *given: _size(*given),
            help="With --verify: the memory that each run may use, such as 2GB.",
        ),
        click.option(
            "--timeout",
            metavar="SECONDS",
            type=click.FloatRange(min=0, min_open=True),
            help="With --verify: the time that each run may take.  [default: 600]",
        ),
        click.option(
            "--record-seconds",
            metavar="SECONDS",
            type=click.FloatRange(min=0, min_open=True),
            help="With --verify: cut trainings short in a program that goes on for longer, or stop it and judge by what it did until then.  [default: 60]",
        ),
        click.option(
            "--budget",
            metavar="SIZE",
            callback=lambda *given: _size(*given),
            help="With --verify: what the program may need at its peak, such as 2GB; of the rewrites that stay below, those that take least time.",
        ),
        click.option(
            "--trials",
            type=click.IntRange(min=0),
            help="With --verify: how many candidates to try that only a measurement can choose.  [default: 20]",
        ),
        click.option(
            "--calls", type=click.IntRange(min=1), help="With --verify: how many calls of each function to compare.  [default: 10]"
        ),
        click.option("--run", metavar="COMMAND", help="With --verify: run this, such as a test suite, instead of the file."),
    ):
        command = option(command)
    return command


_color = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="When to use colours.  [default: on terminals, unless NO_COLOR is set]",
)
_format = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print the result.  [default: text]"
)


@click.group(cls=_Commands, add_help_option=True, context_settings=_CONTEXT)
@click.version_option(__version__, prog_name="tfrewrite")
def cli() -> None:
    pass


@cli.command("rewrite", cls=_Rewrite, hidden=True, context_settings=_CONTEXT)
@click.argument("paths", nargs=-1, metavar="PATH...")
@click.option("-i", "--inplace", is_flag=True, help="Write the changes into the files.")
@click.option("--check", is_flag=True, help="Exit 1 if anything would change.")
@rewrite_options
@click.option("--verify", is_flag=True, help="Run the program, and keep only rewrites that are equivalent and save memory.")
@_how_to_verify
@click.option(
    "--facts", metavar="FILE", type=click.Path(dir_okay=False), help="Also use what tfrewrite record has seen of the files in a run."
)
@click.option("--diff-base", metavar="REV", help="Only what touches lines that have changed since this git revision, such as origin/main.")
@click.option("--exclude", metavar="PATTERN", multiple=True, help="Skip files in folders that match this, as in a .gitignore file.")
@click.option("--statistics", is_flag=True, help="Print counts by rule instead of the diff; with -v also the reasons for refusals.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="How to print the result: for people, for programs, or for a code review.  [default: as the ending of --output says, else text]",
)
@click.option("-o", "--output", metavar="FILE", type=click.Path(dir_okay=False), help="Write the report to this file.")
@_color
@click.option("-q", "--quiet", is_flag=True, help="Print only errors.")
@click.option("-v", "--verbose", is_flag=True, help="Also print what was left alone, and why.")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="How many processes to use.  [default: one for each CPU, if that is faster; with --verify one]",
)
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache of results.")
@click.option("--stdin-filename", metavar="PATH", help="The name of standard input in messages.")
def _rewrite(paths: tuple[str, ...], inplace: bool, check: bool, verify: bool, **options: Any) -> int:
    from tfrewrite.session import View

    if not paths:
        raise click.UsageError("say which files: tfrewrite PATH..., or - for standard input (tfrewrite . is everything here)")
    if inplace and check:
        raise click.UsageError("--inplace writes and --check does not: give one of them")
    if options["quiet"] and options["verbose"]:
        raise click.UsageError("--quiet and --verbose exclude each other")
    setup = _setup(options, _settings(paths, {})) if verify else None
    if not verify and (given := [name for name in _VERIFYING if options[name] is not None]):
        raise click.UsageError(f"--{given[0].replace('_', '-')} says how to run the program: that goes with --verify")
    form, output = _form(options), options["output"]
    view = View(inplace, check, options["statistics"], form, options["quiet"], options["verbose"], options["color"], verify, output)
    chosen = {key: options[key] for key in ("select", "ignore", "unsafe", "fidelity", "purpose", "callers", "workers")}
    if "-" in paths:
        if len(paths) > 1:
            raise click.UsageError("- stands for standard input and goes with no other path")
        if verify:
            raise click.UsageError("--verify runs the program, and standard input is not one: give the path of its file")
        if options["diff_base"] is not None:
            raise click.UsageError(
                "--diff-base asks git what has changed, and standard input is in no repository: give the path of its file"
            )
        if options["facts"] is not None:
            raise click.UsageError("--facts holds facts of files, and standard input is none: give the path of its file")
        return _rewrite_stdin(options["stdin_filename"], view, chosen)
    changes, recorded = _changes(options["diff_base"], paths), _recorded(options["facts"])
    return _rewrite_files(
        paths,
        view,
        chosen,
        options["exclude"],
        cached=not options["no_cache"],
        setup=setup,
        changes=changes,
        recorded=recorded,
        cluster=options["cluster"] or "",
    )


def _form(options: dict[str, Any]) -> str:
    """What the result is printed as."""
    output = options["output"]
    form = options["form"] or ENDINGS.get(os.path.splitext(output or "")[1].lower(), "text")
    if output is not None and form == "text":
        kinds = ", ".join(one for one in FORMS if one != "text")
        raise click.UsageError(f"--output {output}: say what kind of report by its ending ({', '.join(ENDINGS)}) or --format ({kinds})")
    if output is not None and not os.path.isdir(folder := os.path.dirname(output) or "."):
        raise click.UsageError(f"there is no folder {folder} to write {output} to")
    if options["statistics"] and form not in ("text", "json"):
        raise click.UsageError(f"--statistics prints a table, and --format {form} a report: give one of them")
    return str(form)


def _changes(revision: str | None, paths: Sequence[str]) -> Changes | None:
    if revision is None:
        return None
    from tfrewrite.revisions import RevisionError, changes_since

    try:
        return changes_since(revision, paths)
    except RevisionError as error:
        raise click.BadParameter(str(error), param_hint="--diff-base") from None


def _recorded(path: str | None) -> Recorded | None:
    if path is None:
        return None
    from tfrewrite.recorded import FactsError, load

    try:
        return load(path)
    except FactsError as error:
        raise click.BadParameter(str(error), param_hint="--facts") from None


def _setup(options: dict[str, Any], settings: Settings) -> Setup:
    from tfrewrite.verify.api import CompareError, command_of, parse_size

    try:
        from tfrewrite.verify.file_verification import Setup

        command = command_of(options["run"])
    except ImportError as error:
        raise click.UsageError(f"--verify needs NumPy ({error}): pip install 'tfrewrite[verify]'") from None
    except CompareError as error:
        raise click.BadParameter(str(error), param_hint="--run") from None
    given = {"command": command, "calls": options["calls"], "seconds": options["timeout"], "memory": options["memory_limit"]}
    given["trials"] = options["trials"]
    given["record_seconds"] = options["record_seconds"] or settings.record_seconds
    try:
        given["budget"] = options["budget"] or (parse_size(settings.budget) if settings.budget else None)
    except CompareError as error:
        raise click.UsageError(f"{settings.source}: [tool.tfrewrite] budget: {error}") from None
    return Setup(**{name: value for name, value in (*given.items(), ("meter", options["meter"])) if value is not None})


def _rewrite_files(
    paths: Sequence[str],
    view: View,
    chosen: dict[str, Any],
    exclude: tuple[str, ...],
    *,
    cached: bool,
    setup: Setup | None,
    changes: Changes | None,
    recorded: Recorded | None,
    cluster: str = "",
) -> int:
    from tfrewrite import files, runner
    from tfrewrite.projects import Projects
    from tfrewrite.session import Session, say

    settings = _settings(paths, chosen)
    session = Session(view)
    discovery = files.discover(paths, _exclusions(settings, exclude))
    if not discovery.files and not discovery.problems and not view.quiet:
        say(f"no Python files or notebooks in {', '.join(paths)}")
    if recorded is not None and discovery.files and not recorded.concerns(one.path for one in discovery.files):
        known = ", ".join(sorted(recorded.files)) or "no file"
        said = f"{recorded.path} holds facts of {known}, and of none of these files: start tfrewrite in the folder where they were recorded"
        raise click.BadParameter(said, param_hint="--facts")
    if changes is not None:
        discovery.files = [one for one in discovery.files if changes.lines(one.path)]
    request = runner.Request.of(settings, changes, recorded)
    projects = Projects(paths, cached=cached)
    # What is cached of a file holds for the whole of it, and for its text alone.
    plain = setup is None and changes is None and recorded is None
    cache = _cache(settings, request) if cached and discovery.files and plain else None
    try:
        if setup is not None:
            one_by_one = _verified(discovery.files, request, setup, not view.quiet, projects, settings.workers, cluster)
        else:
            one_by_one = runner.run(discovery.files, request, settings.workers, cache, projects)
        with contextlib.closing(one_by_one) as handled:
            problems = (runner.failed(one.path, one.message + _command_hint(one.path)) for one in discovery.problems)
            session.run(itertools.chain(problems, handled), len(discovery.files))
    finally:
        if cache is not None:
            cache.save()
    return session.finish()


def _verified(
    files: Sequence[Found],
    request: Request,
    setup: Setup,
    shown: bool,
    projects: Projects,
    workers: int,
    cluster: str,
) -> Generator[Handled, None, None]:
    """The files as --verify leaves them: one after the other, several at once, or from the workers of a cluster."""
    from tfrewrite.report.comparison import Progress
    from tfrewrite.verify.file_verification import verify_files
    from tfrewrite.verify.spread import ClusterError, verify_on_cluster, verify_together
    from tfrewrite.verify.turns import NoTurns

    watching = partial(Progress, wanted=shown, logged=True)
    try:
        if cluster and files:
            yield from verify_on_cluster(files, request, setup, watching, projects, cluster)
        elif workers > 1 and len(files) > 1:
            yield from verify_together(files, request, setup, watching, projects, workers)
        else:
            yield from verify_files(files, request, setup, watching, projects)
    except ClusterError as error:
        raise click.UsageError(str(error)) from None
    except NoTurns as error:
        raise click.UsageError(f"--workers {workers} with --verify: {error}") from None


def _command_hint(path: str) -> str:
    bare_word = path.isalpha() and not os.path.lexists(path)
    return ", and no such command (tfrewrite --help lists them)" if bare_word else ""


def _rewrite_stdin(name: str | None, view: View, chosen: dict[str, Any]) -> int:
    from tfrewrite import runner
    from tfrewrite.projects import Projects
    from tfrewrite.session import Session

    settings = _settings([name] if name else [], chosen)
    data = sys.stdin.buffer.read()
    session = Session(view)
    projects = Projects() if name else None
    session.run_text(runner.handle_data(name or "<stdin>", data, runner.Request.of(settings), projects), data)
    return session.finish()


@cli.command()
@click.argument("place", metavar="FILE[:LINE]|NOTEBOOK[:CELL[:LINE]]|TOPIC")
@rewrite_options
@_format
@_color
def explain(place: str, form: str, color: str, **chosen: Any) -> int:
    """Say what was rewritten or refused there, why, and what would make a refused rewrite possible.

    A TOPIC is a piece of advice on memory that measurement refutes: vectorized_map, clear_session, del, while_loop.
    """
    from tfrewrite import runner
    from tfrewrite.report import advice
    from tfrewrite.session import View, explain

    if (said := advice.about(place)) is not None and not os.path.lexists(place):
        click.echo(said)
        return 0
    path, *where = _place_in_notebook(place) or _place(place)
    request = runner.Request.of(_settings([path], chosen))
    return explain(path, tuple(one for one in where if one is not None), request, View(form=form, color=color))


@cli.command()
@_color
def rules(color: str) -> int:
    """List the rules."""
    from tfrewrite import catalogue
    from tfrewrite.report import pages
    from tfrewrite.report.terminal import wants_color

    click.echo(pages.rule_list(catalogue.rules(), color=wants_color(color, sys.stdout)), nl=False, color=True)
    return 0


@cli.command()
@click.argument("name")
@_color
def rule(name: str, color: str) -> int:
    """Show a rule's page: an example, why it needs less memory, when it is refused."""
    from tfrewrite import catalogue
    from tfrewrite.report import pages
    from tfrewrite.report.terminal import wants_color

    (found,) = catalogue.chosen([name], [])
    click.echo(pages.rule_page(found.load(), color=wants_color(color, sys.stdout)), nl=False, color=True)
    return 0


@cli.command()
@click.argument("place", metavar="FILE[:LINE]")
def tree(place: str) -> int:
    """Show the syntax tree that the rewrites see, of a file or of the statement at a line."""
    from tfrewrite.report.tree import dump
    from tfrewrite.source import Source

    path, line = _place(place)
    click.echo(dump(Source.from_file(path), line).strip("\n"))
    return 0


_COMPARE_EXAMPLES = """\b
Examples:
  tfrewrite compare train.py train_new.py                            are they equivalent, and what do they need?
  tfrewrite compare train.py train_new.py --function Model.step      only this method
  tfrewrite compare old.py new.py --run "pytest tests/test_model.py" what the tests call, in both versions
  git show HEAD:train.py | tfrewrite compare - train.py              the committed version against the file
  tfrewrite compare a.py b.py --peak-at-most 0.8 -o report.html      exit 1 unless it saves a fifth

\b
Exit codes: 0 everything is equivalent; 1 something differs, or the peak is above --peak-at-most;
2 it could not be run or decided.
"""


def _size(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    from tfrewrite.verify.api import CompareError, parse_size

    try:
        return parse_size(value)
    except CompareError as error:
        raise click.BadParameter(str(error)) from None


@cli.command(epilog=_COMPARE_EXAMPLES)
@click.argument("before", metavar="BEFORE.py")
@click.argument("after", metavar="AFTER.py")
@click.option(
    "--function",
    "functions",
    metavar="NAME",
    multiple=True,
    callback=_names,
    help="Compare this function or method, such as Model.step.  [default: all that differ]",
)
@click.option("--run", metavar="COMMAND", help="Run this command instead, once with each version in place of BEFORE.py.")
@click.option(
    "--calls",
    type=click.IntRange(min=1),
    default=10,
    help="How many calls of each function to record.  [default: the first 10 and a few of the later ones]",
)
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    default=600.0,
    help="The time that each run may take.  [default: 600]",
)
@click.option(
    "--memory-limit",
    metavar="SIZE",
    callback=_size,
    help="The memory that each run may use, including 0.2 GB of TensorFlow itself: 2GB, 500MB.",
)
@click.option(
    "--peak-at-most",
    metavar="RATIO",
    type=click.FloatRange(min=0, min_open=True),
    help="Exit 1 if a warm call needs more than this part of the original's peak.",
)
@click.option(
    "--meter",
    type=click.Choice(METERS),
    default="auto",
    help="How to measure memory.  [default: the most exact that works here]",
)
@click.option("--no-measure", is_flag=True, help="Compare without measuring.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "html"]),
    help="How to print the report.  [default: as the ending of --output says, else text]",
)
@click.option("-o", "--output", metavar="FILE", type=click.Path(dir_okay=False), help="Write the report to this file.")
@_color
@click.option("-q", "--quiet", is_flag=True, help="Print only errors; the exit code says the rest.")
@click.option("-v", "--verbose", is_flag=True, help="Also print what is unchanged, and every check.")
def compare(before: str, after: str, functions: tuple[str, ...] | None, no_measure: bool, **options: Any) -> int:
    """Run two versions of a program, and say whether they are equivalent and what they need."""
    if options["quiet"] and options["verbose"]:
        raise click.UsageError("--quiet and --verbose exclude each other")
    if no_measure and options["peak_at_most"] is not None:
        raise click.UsageError("--peak-at-most needs the measurements that --no-measure leaves out")
    from tfrewrite.comparing import View, run

    view = View(options.pop("form"), options.pop("output"), options.pop("color"), options.pop("quiet"), options.pop("verbose"))
    try:
        return run(before, after, view, functions=functions or (), measure=not no_measure, **options)
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        return INTERRUPTED


_PROFILE_EXAMPLES = """\b
Examples:
  tfrewrite profile train.py                       the ten lines that hold most at the peak
  tfrewrite profile train.py --epochs 1            whatever follows the file is for the program
  tfrewrite profile -n 20 -o memory.svg train.py   more lines, and a picture
"""


@cli.command(epilog=_PROFILE_EXAMPLES, context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False))
@click.argument("arguments", metavar="[ARGUMENTS]...", nargs=-1, type=click.UNPROCESSED)
@click.option("-n", "--lines", type=click.IntRange(min=1), default=10, help="How many lines to show.  [default: 10]")
@click.option(
    "-o", "--output", metavar="FILE.svg", type=click.Path(dir_okay=False), help="Write a picture of memory over time to this file."
)
@click.option(
    "--seconds",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    default=600.0,
    help="Stop the program after so many; Ctrl-C does too.  [default: 600]",
)
@click.option("--memory-limit", metavar="SIZE", callback=_size, help="The memory that the program may use: 2GB, 500MB.")
def profile(file: str, arguments: tuple[str, ...], lines: int, output: str | None, seconds: float, memory_limit: int | None) -> int:
    """Run a script, and show which of its lines hold most memory at the peak."""
    from pathlib import Path

    from tfrewrite.session import FAILED, say

    if output is not None and not os.path.isdir(folder := os.path.dirname(output) or "."):
        raise click.UsageError(f"there is no folder {folder} to write {output} to")
    try:
        from tfrewrite.report.comparison import Progress
        from tfrewrite.report.profile import profile_svg, profile_text
        from tfrewrite.verify.profile import ProfileError
        from tfrewrite.verify.profile import profile as run
    except ImportError as error:
        raise click.UsageError(f"profile needs NumPy and memray ({error}): pip install 'tfrewrite[verify]'") from None
    try:
        with Progress() as progress:
            found = run(Path(file), arguments, seconds, memory_limit, progress)
    except ProfileError as problem:
        say(f"error: {problem}")
        return FAILED
    click.echo(profile_text(found, file, lines), nl=False)
    if output is not None:
        Path(output).write_text(profile_svg(found, file), encoding="utf-8")
    return FAILED if found.raised is not None else 0


_RECORD_EXAMPLES = """\b
Examples:
  tfrewrite record -o facts.tfr -- python -m pkg.train --epochs 1     note what the expressions of all files here are
  tfrewrite pkg --facts facts.tfr                                     rewrite them with that, also on another machine
  tfrewrite record -o facts.tfr --seconds 120 -- python train.py      for two minutes; Ctrl-C ends it too
  tfrewrite record -o facts.tfr -- pytest tests                       adds to what the file holds already
"""


@cli.command(epilog=_RECORD_EXAMPLES, context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("command", metavar="-- COMMAND...", nargs=-1, type=click.UNPROCESSED, required=True)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    required=True,
    help="Write the facts to this file, or add them to those that it holds.",
)
@click.option(
    "--seconds",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    help="End the program after so many.  [default: at its end]",
)
def record(command: tuple[str, ...], output: str, seconds: float | None) -> int:
    """Run a command, and note types, dtypes and shapes of what the files of this folder compute, for --facts.

    The command runs as it is. Only the files below the current folder are looked at. Numbers of Python that did not change are kept, and
    no contents of tensors or arrays except the least and the largest of small ones of integers.
    """
    from tfrewrite.recorded import FactsError, Recorded, load
    from tfrewrite.session import FAILED, say

    if not os.path.isdir(folder := os.path.dirname(output) or "."):
        raise click.UsageError(f"there is no folder {folder} to write {output} to")
    try:
        known = load(output) if os.path.exists(output) else Recorded(output)
    except FactsError as error:
        raise click.BadParameter(f"{error}, or give another name", param_hint="--output") from None
    from tfrewrite.verify.recording import RecordError
    from tfrewrite.verify.recording import record as run

    try:
        found = run(command, os.getcwd(), seconds)
    except RecordError as problem:
        say(f"error: {problem}")
        return FAILED
    ended = "was stopped" if found.stopped else "ended" if not found.code else f"ended with exit code {found.code}"
    calls = sum(ran.calls for one in found.files.values() for ran in one.observations.functions.values())
    if not found.files:
        say(f"error: the command {ended}, and ran no file below {os.getcwd()} that uses TensorFlow: start it in the folder of the project")
        return FAILED
    known.with_run(found.files).save()
    count = len(found.files)
    say(f"the command {ended} after {found.seconds:.0f} s: {calls:,} calls in {count} file{'' if count == 1 else 's'}; facts in {output}")
    return 0 if found.stopped else abs(found.code)


@cli.command()
def lsp() -> int:
    """Serve an editor by the Language Server Protocol, on standard input and output."""
    try:
        from tfrewrite.language_server import server
    except ImportError as error:
        raise click.UsageError(f"lsp needs pygls ({error}): pip install 'tfrewrite[lsp]'") from None
    collect_when_idle()
    server().start_io()
    return 0


def _place_in_notebook(place: str) -> tuple[str, int, int | None] | None:
    """NOTEBOOK:CELL, NOTEBOOK:CELL:LINE, or as reports print them: "NOTEBOOK:cell CELL:LINE:COLUMN"."""
    found = re.fullmatch(r"(?P<path>.+\.ipynb):(?:cell )?(?P<cell>\d+)(?::(?P<line>\d+)(?::\d+)?)?", place)
    if found is None or os.path.exists(place):
        return None
    cell, line = int(found["cell"]), int(found["line"] or 1)
    if not (cell and line):
        raise click.UsageError(f"{place}: cells and lines count from 1")
    return found["path"], cell, line if found["line"] else None


def _place(place: str) -> tuple[str, int | None]:
    """FILE, FILE:LINE, or FILE:LINE:COLUMN as other tools print it."""
    if place == "-":
        raise click.UsageError("standard input can only be rewritten (tfrewrite -): give the name of a file here")
    parts = place.split(":")
    for count in range(min(2, len(parts) - 1), 0, -1):
        path = ":".join(parts[:-count])
        if path and all(part.isdecimal() for part in parts[-count:]) and not os.path.exists(place):
            if not int(parts[-count]):
                raise click.UsageError(f"{place}: lines count from 1")
            return path, int(parts[-count])
    return place, None


def _settings(paths: Sequence[str], chosen: dict[str, Any]) -> Settings:
    from tfrewrite import settings

    found = settings.load(paths)
    result = found.with_options(**chosen)
    if result.select or result.ignore:
        from tfrewrite import catalogue

        try:
            catalogue.chosen(found.select, found.ignore)
        except catalogue.CatalogueError as error:
            raise settings.SettingsError(f"{found.source}: [tool.tfrewrite] select, ignore: {error}") from None
        catalogue.chosen(result.select, result.ignore)
    return result


def _exclusions(settings: Settings, exclude: tuple[str, ...]) -> list[Exclusion]:
    from tfrewrite.files import Exclusion

    given = [Exclusion(settings.folder, settings.exclude)] if settings.exclude else []
    return [*given, *([Exclusion(os.getcwd(), exclude)] if exclude else [])]


def _cache(settings: Settings, request: Request) -> Cache:
    from tfrewrite.cache import Cache, fingerprint

    return Cache(settings.folder or os.getcwd(), fingerprint(request, os.environ.get("KERAS_BACKEND")))


def _terminated(number: int, frame: object) -> NoReturn:
    raise SystemExit(128 + number)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """The console script. Every way out passes here, and none of them is a traceback for what the user did."""
    collect_less()
    signal.signal(signal.SIGTERM, _terminated)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    code = _run(args)
    try:
        sys.stdout.flush()
    except OSError as error:
        code = _expected(error)
        # Python would complain about it once more when it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def _run(args: Sequence[str] | None) -> int:
    try:
        return cli.main(args, prog_name="tfrewrite", standalone_mode=False) or 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted: every file is whole", err=True)
        return INTERRUPTED
    except Exception as error:
        return _expected(error)


def _expected(error: Exception) -> int:
    """Say what is wrong, where the error is one that is meant for people."""
    from tfrewrite import session
    from tfrewrite.catalogue import CatalogueError
    from tfrewrite.runner import RunnerError
    from tfrewrite.settings import SettingsError
    from tfrewrite.source import SourceError

    match error:
        case BrokenPipeError():
            return BROKEN_PIPE  # nobody reads on, and nobody wants to hear about it
        case SourceError():
            session.error(error.path, error.line, error.message)
        case CatalogueError() | RunnerError() | SettingsError() | OSError():
            session.say(f"error: {error}")
        case _:
            raise error
    return session.FAILED
