"""The command line from outside: what it prints where, what it writes, and its exit codes."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FIRED, FIRES, REFUSED, ROOT, SLOW, Run
from leftovers import is_gone, wait_until

from tfrewrite import catalogue
from tfrewrite.report import advice

BY_SITE = frozenset(
    subprocess.run([sys.executable, "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True, check=True).stdout.split()
)
"""What an editable installation imports at every start."""
PYTHON_2 = "import tensorflow\nprint 'hello'\n"
EAGER = "import tensorflow as tf\n\ntf.config.run_functions_eagerly(True)\n\nx = tf.ones([2])\n"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    (tmp_path / "fires.py").write_text(FIRES)
    (tmp_path / "refused.py").write_text(REFUSED)
    (tmp_path / "plain.py").write_text("x = 1\n")


# Files


def test_only_what_is_needed_is_imported(tmp_path: Path, environment: dict[str, str]) -> None:
    program = "import sys; from tfrewrite.cli import main\ntry: main()\nexcept SystemExit: print(*sys.modules, file=sys.stderr)"
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", program, "--quiet", "fires.py"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        loaded = set(done.stderr.split())
        assert "tfrewrite.runner" in loaded
        assert not {"importlib.metadata", "numpy", "tensorflow", "rich", "memray"} & loaded - BY_SITE
        assert not [one for one in loaded if one.startswith(("tfrewrite.verify", "tfrewrite.live", "tfrewrite.transforms.while_loop"))]


@pytest.mark.smoke
def test_the_diff_is_shown_and_nothing_is_written(run: Run, tmp_path: Path) -> None:
    done = run("fires.py")
    assert done.returncode == 0
    assert done.stdout.startswith(b"--- a/fires.py\n+++ b/fires.py\n@@ -4,4 +4,4 @@ assign_add: ")
    assert done.stderr == b"1 of 1 file would change: 1 rewrite (assign_add 1)\n"
    assert (tmp_path / "fires.py").read_text() == FIRES
    subprocess.run(["git", "apply", "-"], input=done.stdout, cwd=tmp_path, check=True)
    assert (tmp_path / "fires.py").read_text() == FIRED


@pytest.mark.smoke
def test_inplace(run: Run, tmp_path: Path) -> None:
    done = run(".", "--inplace")
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"fires.py: 1 rewrite\n" in done.stderr and b"1 of 3 files rewritten" in done.stderr
    assert (tmp_path / "fires.py").read_text() == FIRED
    assert (tmp_path / "refused.py").read_text() == REFUSED
    assert run(".", "--check").returncode == 0


@pytest.mark.smoke
def test_check(run: Run) -> None:
    assert run("--check", ".").returncode == 1
    assert run("--check", "plain.py", "refused.py").returncode == 0
    assert run("--check", ".", "--ignore", "assign_add").returncode == 0


def test_a_file_that_cannot_be_handled_is_named_and_the_others_are_done(run: Run, tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(PYTHON_2)
    (tmp_path / "bytes.py").write_bytes(b"# tensorflow\n\n# \xff\n")
    done = run("--check", "missing.py", ".")
    assert done.returncode == 2  # beats the 1 of --check
    assert done.stdout.startswith(b"--- a/fires.py\n")
    assert b"missing.py: error: there is no such file or folder\n" in done.stderr
    assert b"old.py:2: error: looks like Python 2" in done.stderr
    assert b"bytes.py:3: error: not valid utf-8" in done.stderr
    assert b"; 3 files could not be handled\n" in done.stderr
    assert b"Traceback" not in done.stderr


def test_workers_give_the_same_bytes(run: Run, tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"many{number}.py").write_text(FIRES if number % 3 else PYTHON_2)
    one, two = run(".", "--no-cache", "--workers", "1", "-v"), run(".", "--no-cache", "--workers", "2", "-v")
    assert (one.returncode, one.stdout, one.stderr) == (two.returncode, two.stdout, two.stderr)
    assert one.stdout.count(b"--- a/") == 27


def test_quiet_and_verbose(run: Run, tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(PYTHON_2)
    quiet = run(".", "--quiet")
    assert quiet.stdout == b"" and quiet.stderr.startswith(b"old.py:2: error: ") and quiet.stderr.count(b"\n") == 1
    verbose = run("refused.py", "--verbose")
    assert verbose.stdout == b""
    assert re.match(rb"refused\.py:5:\d+: left alone: matmul_transpose: b is not known to have rank 2.*\n", verbose.stderr)


def test_what_is_a_mistake_is_told_in_every_run(run: Run, tmp_path: Path) -> None:
    (tmp_path / "eager.py").write_text(EAGER)
    said = rb"eager\.py:3:1: reported: run_eagerly: every tf\.function of the program runs eagerly .* --unsafe would rewrite it\.\n"
    for options in ([], ["--inplace"], ["--check"], ["--check"], ["--statistics"], ["--verbose"]):  # once from the cache
        done = run("eager.py", *options)
        assert done.returncode == 0 and len(re.findall(said, done.stderr)) == 1, options
    assert run("eager.py").stderr.endswith(b"nothing to rewrite in 1 file; 1 place reported\n")
    assert run("eager.py", "--quiet").stderr == b""
    assert b"reported" not in run("refused.py").stderr
    explained = run("explain", "eager.py").stdout
    assert b"it reports 1 place.\n" in explained and b"\nReported, line 3\n" in explained
    assert b"\nReported\n    in every run" in run("rule", "run_eagerly").stdout
    assert run("eager.py", "--unsafe", "--inplace").returncode == 0
    assert (tmp_path / "eager.py").read_text() == EAGER.replace("tf.config.run_functions_eagerly(True)\n\n", "")


def test_statistics(run: Run) -> None:
    done = run(".", "--statistics")
    assert b"--- a/" not in done.stdout
    assert re.search(rb"^assign_add +1 +0$", done.stdout, re.MULTILINE)
    assert re.search(rb"^matmul_transpose +0 +1$", done.stdout, re.MULTILINE)
    assert re.search(rb"^total +1 +1$", done.stdout, re.MULTILINE)
    assert b"3 files, 2 of them with TensorFlow, in which there are 12 lines" in done.stdout
    assert b"1 file would change, in 1 hunk: 83.3 hunks per 1,000 lines" in done.stdout
    assert re.search(rb"^ +1  matmul_transpose: unknown-shape \(.+\)$", run(".", "--statistics", "-v").stdout, re.MULTILINE)


def test_a_read_only_file(run: Run, tmp_path: Path) -> None:
    os.chmod(tmp_path / "fires.py", 0o444)
    done = run("fires.py", "--inplace")
    assert done.returncode == 2
    assert b"fires.py: error: is read-only" in done.stderr
    assert (tmp_path / "fires.py").read_text() == FIRES


@pytest.mark.parametrize("buffered", ["", "1"])
def test_a_full_disk(tmp_path: Path, environment: dict[str, str], buffered: str) -> None:
    if sys.platform != "linux":
        pytest.skip("/dev/full")
    with open("/dev/full", "wb") as full:
        environ = {**environment, "PYTHONUNBUFFERED": buffered}
        done = subprocess.run(
            [sys.executable, "-m", "tfrewrite", "fires.py"], stdout=full, stderr=subprocess.PIPE, cwd=tmp_path, env=environ
        )
    assert done.returncode == 2
    assert b"No space left on device" in done.stderr and b"Traceback" not in done.stderr


def test_folders_without_python_files_and_notebooks(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "n.ipynb").write_text("{}")
    done = run("empty")
    assert done.returncode == 0
    assert b"nothing to rewrite in 1 file" in done.stderr
    (tmp_path / "empty" / "n.ipynb").write_text('{"tensorflow": 2}')
    for command in (["empty"], ["empty/n.ipynb"], ["explain", "empty/n.ipynb"], ["tree", "empty/n.ipynb"]):
        done = run(*command)
        assert done.returncode == 2 and b"empty/n.ipynb: error: JSON, but not a notebook" in done.stderr
    (tmp_path / "empty" / "n.ipynb").unlink()
    done = run("empty")
    assert done.returncode == 0 and b"no Python files or notebooks in empty" in done.stderr


def test_a_command_that_does_not_exist(run: Run) -> None:
    done = run("explian", "plain.py")
    assert done.returncode == 2
    assert done.stderr.startswith(b"explian: error: there is no such file or folder, and no such command")
    assert done.stderr.endswith(b"nothing to rewrite in 1 file; 1 file could not be handled\n")


def test_errors_of_usage_name_the_program_as_it_is_called(run: Run) -> None:
    assert run("--inplace").stderr.startswith(b"Usage: tfrewrite [OPTIONS] PATH...\nTry 'tfrewrite --help' for help.\n")
    assert b"Usage: tfrewrite explain [OPTIONS] FILE" in run("explain", "-").stderr


def test_exclude(run: Run) -> None:
    assert run(".", "--exclude", "fires.*").stdout == b""


def test_settings_count_and_the_command_line_beats_them(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.tfrewrite]\nignore = ["assign_add"]\nexclude = ["refused.py"]\n')
    done = run(".")
    assert done.stdout == b"" and b"in 2 files" in done.stderr
    assert run(".", "--ignore", "trace_matmul").stdout != b""
    (tmp_path / "pyproject.toml").write_text("[tool.tfrewrite]\nunsave = true\n")
    done = run(".")
    assert done.returncode == 2 and b"pyproject.toml: [tool.tfrewrite] unsave: there is no such setting" in done.stderr
    (tmp_path / "pyproject.toml").write_text('[tool.tfrewrite]\nselect = ["assign_ad"]\n')
    done = run(".")
    assert done.returncode == 2 and b"pyproject.toml: [tool.tfrewrite]" in done.stderr and b"there is no rule 'assign_ad'" in done.stderr


def test_what_the_program_shall_need_less_of(run: Run, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    for default in (run("slow.py"), run("slow.py", "--for", "memory")):
        assert (default.returncode, default.stdout) == (0, b"")
        told = b"nothing to rewrite in 1 file; 2 places left alone, 1 of them saves time alone (--for time) (--verbose says why)\n"
        assert default.stderr == told
    why = b"it saves next to nothing at the peak, and compiling by XLA takes 80 MB of the process"
    verbose = run("slow.py", "--verbose").stderr
    assert b"slow.py:5:5: left alone: compiled_loop: " + why + b". --for time makes it.\n" in verbose and b"time alone" not in verbose
    for purpose in ("time", "both"):
        done = run("slow.py", "--for", purpose)
        assert b"+@tf.function(jit_compile=True)\n" in done.stdout and b"(for time: " + why + b")\n" in done.stdout
        assert done.stderr == b"1 of 1 file would change: 1 rewrite (compiled_loop 1)\n"
    assert b"Good for:    time: " + why in run("explain", "slow.py:5", "--for", "time").stdout.replace(b"\n" + b" " * 17, b" ")
    assert b"Good for:    memory" in run("explain", "fires.py:7").stdout
    (tmp_path / "twice.py").write_text(SLOW.replace("\n\nprint", "\n\n" + SLOW[SLOW.index("def") :].replace("power", "cube") + "\n\nprint"))
    assert b"; 4 places left alone, 2 of them save time alone (--for time) (" in run("twice.py").stderr


def test_what_it_is_for_can_be_set(run: Run, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "pyproject.toml").write_text('[tool.tfrewrite]\nfor = "time"\n')
    assert b"jit_compile=True" in run("slow.py").stdout
    assert run("slow.py", "--for", "memory").stdout == b"", "the command line beats it"
    assert run("slow.py", "--for", "both").stdout
    (tmp_path / "pyproject.toml").write_text('[tool.tfrewrite]\nfor = "speed"\n')
    done = run("slow.py")
    assert done.returncode == 2 and done.stdout == b""
    assert b"pyproject.toml: [tool.tfrewrite] for: has to be one of memory, time, both" in done.stderr


def test_a_wrong_purpose_names_the_right_ones(run: Run) -> None:
    done = run("fires.py", "--for", "speed")
    assert done.returncode == 2 and done.stdout == b""
    assert b"Invalid value for '--for': 'speed' is not one of 'memory', 'time', 'both'." in done.stderr


def test_no_more_than_so_much_is_added_for_time(run: Run, tmp_path: Path) -> None:
    """The sixth function that XLA would compile is left alone, and nobody is told to ask for time who did."""
    function = SLOW[SLOW.index("def") : SLOW.index("print")]
    names = [f"power_{index}" for index in range(7)]
    calls = "".join(f"print({name}(tf.zeros([10])), {name}(tf.ones([10])))\n" for name in names)
    (tmp_path / "many.py").write_text("import tensorflow as tf\n\n\n" + "".join(function.replace("power", name) for name in names) + calls)
    done = run("many.py", "--for", "time")
    assert done.stdout.count(b"+@tf.function(jit_compile=True)\n") == 5
    assert b"1 of 1 file would change: 5 rewrites (compiled_loop 5); " in done.stderr and b"time alone" not in done.stderr
    told = run("many.py", "--for", "time", "--verbose").stderr
    assert told.count(b"to save time no more than 140 MB are added to a file's program.\n") == 2


def test_a_wrong_rule_lists_the_rules(run: Run) -> None:
    done = run(".", "--select", "assign_add,nonsense")
    assert done.returncode == 2
    assert b"there is no rule 'nonsense'; the rules are array_input, assign_add, " in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--nonsense",),
        ("fires.py", "--fidelity", "exact"),
        ("fires.py", "--inplace", "--check"),
        ("-", "fires.py"),
        ("explain",),
        ("--check",),
    ],
)
def test_wrong_usage_is_explained(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert b"rror: " in done.stderr and b"Traceback" not in done.stderr and done.stdout == b""


def test_help(run: Run) -> None:
    nothing, helped, middle = run(), run("--help"), run("fires.py", "--help")
    assert nothing.returncode == helped.returncode == middle.returncode == 0
    assert nothing.stdout == helped.stdout == middle.stdout
    for word in ("--inplace", "--check", "explain", "rules", "tree", "Examples:", "Exit codes:", "pyproject.toml"):
        assert word.encode() in helped.stdout
    assert run("explain", "--help").returncode == 0
    assert re.fullmatch(rb"tfrewrite, version \d+\.\d+\.\d+\n", run("--version").stdout)


def test_a_file_named_like_a_command(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rules").write_text(FIRES)
    assert run("./rules").stdout.startswith(b"--- a/rules\n")


# Standard input


def test_standard_input(run: Run) -> None:
    assert run("-", given=FIRES.encode()).stdout == FIRED.encode()


@pytest.mark.parametrize("given", [b"", b"x = 1", b"\xef\xbb\xbfimport tensorflow\r\nx = 1\r", b"\xff not python", REFUSED.encode()])
def test_standard_input_passes_through_to_the_byte(run: Run, given: bytes) -> None:
    done = run("-", given=given)
    assert (done.returncode, done.stdout) == (0, given)


def test_standard_input_that_cannot_be_handled_gives_no_output(run: Run) -> None:
    done = run("-", "--stdin-filename", "sub/old.py", given=PYTHON_2.encode())
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"sub/old.py:2: error: looks like Python 2")


def test_standard_input_checked(run: Run) -> None:
    done = run("-", "--check", given=FIRES.encode())
    assert (done.returncode, done.stdout) == (1, b"")


# Explaining


@pytest.mark.smoke
def test_explain_a_rewrite(run: Run) -> None:
    done = run("explain", "fires.py")
    text = done.stdout.decode()
    assert done.returncode == 0
    assert "tfrewrite rewrites TensorFlow code so that it needs less memory" in text
    assert "fires.py: it would make 1 rewrite." in text
    assert "-    total.assign(total + " in text and "+    total.assign_add(" in text
    assert "bit for bit" in text and "tfrewrite rule assign_add" in text
    assert run("explain", "fires.py:7").stdout.decode().replace("fires.py, line 7:", "fires.py:") == text
    assert run("explain", "fires.py:7:5").stdout == run("explain", "fires.py:7").stdout


def test_explain_a_refusal(run: Run) -> None:
    text = run("explain", "refused.py:5").stdout.decode()
    assert "it leaves 1 place alone, though a rule's pattern is there" in text
    assert "    return tf.matmul(a, tf.transpose(b))\n" in text
    assert "Because:     b is not known to have rank 2" in text and "What helps:  " in text


def test_explain_advice_that_does_not_help(run: Run, tmp_path: Path) -> None:
    for topic in advice.TOPICS:
        done = run("explain", f"tf.{topic}")
        assert done.returncode == 0 and topic.encode() in done.stdout
        named = re.findall(r"tfrewrite rule (\w+)", done.stdout.decode())
        assert set(named) <= {one.name for one in catalogue.rules()}
        assert f"`{topic}`" in (ROOT / "docs" / "advice.md").read_text() and topic in run("explain", "--help").stdout.decode()
    (tmp_path / "del").write_text("import tensorflow\n")
    assert b"nothing to rewrite" in run("explain", "del").stdout  # a file of that name comes first


def test_explain_where_nothing_fits(run: Run, tmp_path: Path) -> None:
    text = run("explain", "refused.py:4").stdout.decode()
    assert "refused.py, line 4: nothing to rewrite" in text
    assert "None of the rules that looked at it found its pattern: " in text and "matmul_transpose" in text
    assert "There is something to say about line 5." in text
    text = run("explain", "fires.py:3").stdout.decode()
    assert "They saw calls of tf.Variable, tf.zeros." in text
    assert "does not mention TensorFlow" in run("explain", "plain.py").stdout.decode()
    (tmp_path / "old_api.py").write_text(REFUSED.replace("import tensorflow as tf", "import tensorflow.compat.v1 as tf"))
    assert "The file mentions tensorflow.compat.v1: " in run("explain", "old_api.py").stdout.decode()


def test_explain_where_rules_are_switched_off(run: Run, tmp_path: Path) -> None:
    (tmp_path / "off.py").write_text(FIRES.replace("# a comment", "# tfrewrite: off"))
    text = run("explain", "off.py").stdout.decode()
    assert "A comment switches rules off on line 7" in text and "There is no rule" not in text
    (tmp_path / "off.py").write_text(FIRES.replace("# a comment", "# tfrewrite: off=assing_add,assign_add"))
    assert "There is no rule assing_add to switch off" in run("explain", "off.py").stdout.decode()


@pytest.mark.parametrize("place", ["missing.py", "missing.py:3", "fires.py:900", "fires.py:0", ".", "old.py:1"])
@pytest.mark.parametrize("command", ["explain", "tree"])
def test_a_place_that_is_not_there(run: Run, tmp_path: Path, command: str, place: str) -> None:
    (tmp_path / "old.py").write_text(PYTHON_2)
    done = run(command, place)
    assert done.returncode == 2 and done.stdout == b""
    assert place.partition(":")[0].encode() in done.stderr and b"Traceback" not in done.stderr


def test_tree(run: Run) -> None:
    assert run("tree", "fires.py:7").stdout.startswith(b"Expr(value=Call(\n  func=Attribute(")
    assert run("tree", "fires.py").stdout.startswith(b"Module(")


def test_rules_and_their_pages(run: Run) -> None:
    listed = run("rules").stdout.decode()
    for rule in catalogue.rules():
        assert f"{rule.name} " in listed and rule.summary in listed
    page = run("rule", "assign_add").stdout.decode()
    for heading in ("Before", "After", "Why", "refused", "Equality", "# tfrewrite: off=assign_add"):
        assert heading in page
    done = run("rule", "nonsense")
    assert done.returncode == 2 and b"the rules are array_input" in done.stderr


def test_each_rule_has_a_page_without_the_others(run: Run) -> None:
    """A page imports its own rule alone, whatever that imports first."""
    for rule in catalogue.rules():
        page = run("rule", rule.name)
        assert page.returncode == 0 and page.stdout.startswith(rule.name.encode()), page.stderr


# Surroundings


def test_tensorflow_and_what_is_heavy_are_never_imported(run: Run, tmp_path: Path) -> None:
    traps = tmp_path.parent / f"{tmp_path.name}-traps"
    for name in ("tensorflow", "numpy", "keras", "rich", "pathspec", "fires"):
        (traps / name).mkdir(parents=True)
        (traps / name / "__init__.py").write_text(f"raise SystemExit('{name} was imported')\n")
    path = f"{traps}{os.pathsep}{ROOT}"
    for arguments in (
        ["fires.py"],
        ["fires.py", "--inplace", "--statistics"],
        ["explain", "refused.py"],
        ["rules"],
        [".", "--workers", "2"],
    ):
        done = run(*arguments, PYTHONPATH=path)
        assert done.returncode == 0, done.stderr


def test_names_and_output_in_a_poor_locale(run: Run, tmp_path: Path) -> None:
    (tmp_path / "ü.py").write_text(PYTHON_2)
    (tmp_path / os.fsdecode(b"\xff.py")).write_text(FIRES)
    done = run(".", LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 2 and b"Traceback" not in done.stderr
    assert b"--- a/\xff.py\n" in done.stdout


def test_a_reader_that_goes_away(tmp_path: Path, environment: dict[str, str]) -> None:
    for number in range(300):
        (tmp_path / f"many{number}.py").write_text(FIRES)
    command = f"{sys.executable} -m tfrewrite . --quiet --statistics; {sys.executable} -m tfrewrite . | head -1"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True)
    assert b"Traceback" not in done.stderr and b"BrokenPipe" not in done.stderr
    assert done.stdout.endswith(b"--- a/fires.py\n")


def on_a_terminal(arguments: list[str], folder: Path, environ: dict[str, str]) -> str:
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "tfrewrite", *arguments], cwd=folder, env=environ, stdin=follower, stdout=follower, stderr=follower
    ):
        os.close(follower)
        shown = b""
        while True:
            try:
                if not select.select([leader], [], [], 60)[0] or not (part := os.read(leader, 65536)):
                    break
            except OSError:
                break
            shown += part
    os.close(leader)
    return shown.decode()


def test_colors_on_terminals_only(run: Run, tmp_path: Path, environment: dict[str, str]) -> None:
    environ = {**environment, "TERM": "xterm"}
    assert "\x1b[31m-    total.assign(" in on_a_terminal(["fires.py"], tmp_path, environ)
    assert "\x1b[" not in on_a_terminal(["fires.py"], tmp_path, {**environ, "NO_COLOR": "1"})
    assert "\x1b[" not in on_a_terminal(["fires.py", "--color", "never"], tmp_path, environ)
    assert b"\x1b[" not in run("fires.py").stdout
    assert b"\x1b[31m" in run("fires.py", "--color", "always").stdout


def test_ctrl_c_ends_it_at_once_with_every_file_whole(tmp_path: Path, environment: dict[str, str]) -> None:
    names = [f"many{number}.py" for number in range(400)]
    for name in names:
        (tmp_path / name).write_text(FIRES)
    command = [sys.executable, "-m", "tfrewrite", ".", "--inplace", "--no-cache", "--workers", "2"]
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, start_new_session=True) as process:
        assert process.stderr is not None
        process.stderr.readline()  # the first file is written
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to the workers too
        rest = process.stderr.read()
    assert process.returncode == 130
    assert rest.endswith(b"interrupted: every file is whole\n") and b"Traceback" not in rest
    assert {(tmp_path / name).read_text() for name in names} <= {FIRES, FIRED}
    assert not list(tmp_path.glob(".*.tmp"))
    wait_until(lambda: is_gone(process.pid))  # no worker is left behind
