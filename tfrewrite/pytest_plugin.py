"""A plugin for pytest: `@pytest.mark.tf_memory("24 MB")`, the fixture `tf_equivalent`, and `--tf-memory-report`.

It loads with every run of pytest where tfrewrite is installed, so it imports nothing heavy before a test asks for it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tfrewrite.verify.agent.meters import Meter
    from tfrewrite.verify.verdict import Comparison

MARKER = "tf_memory"
_MOST = 10
_USAGE = f'@pytest.mark.{MARKER} takes one size, such as @pytest.mark.{MARKER}("24 MB")'


@dataclass(frozen=True)
class _Peak:
    """What a test needed, as it goes from the process that ran it to the one that reports."""

    peak: int
    limit: int | None
    meter: str

    @property
    def values(self) -> list[Any]:
        return [self.peak, self.limit, self.meter]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("tfrewrite").addoption(
        "--tf-memory-report",
        metavar="N",
        nargs="?",
        type=int,
        const=_MOST,
        help=f"Measure the peak of each test's memory, and show the N tests that need most (default: {_MOST}).",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f'{MARKER}(limit): the test fails if its peak of memory is above the limit, such as "24 MB".')


@pytest.fixture
def tf_equivalent() -> Callable[..., Comparison]:
    """`tf_equivalent(f, g, x)` fails unless `g` does what `f` does: `tfrewrite.testing.assert_equivalent`."""
    from tfrewrite.testing import assert_equivalent

    return assert_equivalent


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    marker = item.get_closest_marker(MARKER)
    wanted = marker is not None or item.config.getoption("tf_memory_report") is not None
    if not wanted or not isinstance(item, pytest.Function):
        return (yield)
    limit = None if marker is None else _limit(marker)
    function = item.obj
    if inspect.iscoroutinefunction(function):
        if marker is not None:
            pytest.fail(
                f"{MARKER} can't measure a coroutine: put what is to be measured into a function that the test calls", pytrace=False
            )
        return (yield)
    meter, why = _meter()
    found: list[_Peak] = []
    # In place of the function, for functions and methods of unittest's classes alike: fixtures and setUp are not measured.
    item.obj = _measuring(function, limit, meter, found)
    try:
        result = yield
    finally:
        item.obj = function
        item.user_properties += [(MARKER, one.values) for one in found]
    for one in found:
        if one.limit is not None and one.peak > one.limit:
            pytest.fail(_too_much(one, why), pytrace=False)
    return result


def _measuring(function: Callable[..., Any], limit: int | None, meter: Meter, found: list[_Peak]) -> Callable[..., Any]:
    @functools.wraps(function)
    def measured(*arguments: Any, **named: Any) -> Any:
        one = meter.measure(functools.partial(function, *arguments, **named))
        if one.peak is not None:
            found.append(_Peak(one.peak, limit, meter.name))
        if one.raised is not None:
            raise one.raised
        if one.peak is None and limit is not None:
            pytest.fail(f"the memory of the test could not be measured by {meter.name}", pytrace=False)
        return one.result

    return measured


def _limit(marker: pytest.Mark) -> int:
    from tfrewrite.verify.api import CompareError, parse_size

    match marker.args:
        case (str() as text,) if not marker.kwargs:
            try:
                return parse_size(text)
            except CompareError as error:
                pytest.fail(f"{_USAGE}: {error}", pytrace=False)
    pytest.fail(_USAGE, pytrace=False)


@functools.cache
def _meter() -> tuple[Meter, str]:
    try:
        import tensorflow as tf

        from tfrewrite.verify.agent.meters import choose
    except ImportError as error:
        pytest.fail(f"{MARKER} needs TensorFlow, NumPy and memray ({error}): pip install 'tfrewrite[verify]'", pytrace=False)
    tf.reduce_sum(tf.ones([2]) * 2.0)  # what TensorFlow sets up first is no memory of the first test's
    return choose()


def _too_much(one: _Peak, why: str) -> str:
    from tfrewrite.verify.quantities import size

    assert one.limit is not None
    exact = f" ({why}: the exact meter needs TF_ENABLE_ONEDNN_OPTS=0 before TensorFlow is imported)" if why else ""
    return f"the test needs {size(one.peak)} at its peak, and {size(one.limit)} is its limit; measured with {one.meter}{exact}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    most = config.getoption("tf_memory_report")
    if most is None:
        return
    from tfrewrite.verify.quantities import size

    found: dict[str, _Peak] = {}
    for report in [one for kind in ("passed", "failed") for one in terminalreporter.stats.get(kind, ())]:
        for name, values in report.user_properties:
            if name == MARKER:
                found[report.nodeid] = _Peak(*values)
    terminalreporter.section("peaks of memory")
    for name, one in sorted(found.items(), key=lambda pair: (-pair[1].peak, pair[0]))[:most]:
        limit = f"  (limit {size(one.limit)})" if one.limit is not None else ""
        terminalreporter.write_line(f"{size(one.peak):>9}  {name}{limit}")
    for meter in sorted({one.meter for one in found.values()}):
        terminalreporter.write_line(f"measured with {meter}")
    if not found:
        terminalreporter.write_line("no test was measured")
