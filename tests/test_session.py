"""What a run does when a file moves under it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FIRED, FIRES, ROOT
from leftovers import is_gone, wait_until

from tfrewrite.files import discover
from tfrewrite.runner import Request, run
from tfrewrite.session import Session, View

pytestmark = pytest.mark.smoke


@pytest.mark.parametrize("inplace", [False, True])
@pytest.mark.parametrize("later", [FIRES + "\n", "x = 1\n", None])
def test_edits_are_never_made_to_another_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], inplace: bool, later: str | None
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.py", "b.py"):
        Path(name).write_text(FIRES)
    handled = list(run(discover(["."]).files, Request()))
    if later is None:
        Path("a.py").unlink()
    else:
        Path("a.py").write_text(later)
    session = Session(View(inplace=inplace))
    session.run(iter(handled), 2)
    assert session.finish() == 2
    said = capsys.readouterr()
    assert ("a.py: error: can't be read again" if later is None else "a.py: error: changed since it was read") in said.err
    assert later is None or Path("a.py").read_text() == later
    assert Path("b.py").read_text() == (FIRED if inplace else FIRES)
    assert "a/a.py" not in said.out and (inplace or "a/b.py" in said.out)


def test_being_terminated_is_as_clean_as_ctrl_c(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"many{number}.py").write_text(FIRES)
    command = [sys.executable, "-m", "tfrewrite", ".", "--inplace", "--no-cache", "--workers", "2"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=tmp_path, env=environ, stderr=subprocess.PIPE, start_new_session=True) as process:
        assert process.stderr is not None
        process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        assert b"Traceback" not in process.stderr.read()
    assert process.returncode == 128 + signal.SIGTERM
    assert {path.read_text() for path in tmp_path.glob("*.py")} <= {FIRES, FIRED}
    assert not list(tmp_path.glob(".*.tmp"))
    wait_until(lambda: is_gone(process.pid))
