"""The plugin for pytest, used as people use it: by a run of pytest on tests of their own."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

TESTS = """\
import unittest

import pytest
import tensorflow as tf


def square(x):
    return x * x


@pytest.mark.tf_memory("5 MB")
def test_that_fits(size=500_000):
    assert float(tf.reduce_sum(square(tf.ones([size])))) == size


@pytest.mark.tf_memory("3 MB")
def test_that_needs_too_much():
    held = [square(tf.ones([500_000])) for _ in range(4)]
    assert len(held) == 4


class TestOfUnittest(unittest.TestCase):
    def setUp(self):
        self.large = tf.ones([5_000_000])

    @pytest.mark.tf_memory("2 MB")
    def test_without_what_is_set_up(self):
        self.assertEqual(float(self.large[0]), 1.0)


@pytest.fixture
def large():
    return tf.ones([5_000_000])


@pytest.mark.tf_memory("2 MB")
@pytest.mark.parametrize("index", [0, 1])
def test_without_its_fixtures(large, index):
    assert float(large[index]) == 1.0


@pytest.mark.tf_memory("2 MB")
def test_that_fails():
    assert tf.ones([3]).shape == [4]


@pytest.mark.tf_memory("2 MB")
def test_that_is_skipped():
    pytest.skip("not here")


@pytest.mark.tf_memory(24)
def test_with_a_number():
    pass


@pytest.mark.tf_memory("much")
def test_with_a_word():
    pass


@pytest.mark.tf_memory("1 MB")
async def test_of_a_coroutine():
    pass


def test_without_a_limit():
    tf.ones([2_000_000])


def test_that_two_are_equivalent(tf_equivalent):
    tf_equivalent(square, tf.square, tf.constant([1.0, 2.0]))


def test_that_two_are_not(tf_equivalent):
    tf_equivalent(square, tf.sqrt, tf.constant([1.0, 2.0]))
"""


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("plugin")
    (folder / "test_it.py").write_text(TESTS)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n")
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:xdist", "--tf-memory-report=4", "-p", "no:cacheprovider", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False, timeout=600)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def of(output: str, outcome: str) -> set[str]:
    return set(re.findall(rf"^{outcome} test_it\.py::([\w:\[\]]+)", output, re.MULTILINE))


def test_limits_of_memory(output: str) -> None:
    assert of(output, "PASSED") == {
        "test_that_fits", "TestOfUnittest::test_without_what_is_set_up", "test_without_its_fixtures[0]", "test_without_its_fixtures[1]",
        "test_without_a_limit", "test_that_two_are_equivalent",
    }  # fmt: skip
    assert of(output, "FAILED") == {
        "test_that_needs_too_much", "test_that_fails", "test_with_a_number", "test_with_a_word", "test_of_a_coroutine", "test_that_two_are_not",
    }  # fmt: skip
    assert "1 skipped" in output


def test_what_a_failure_says(output: str) -> None:
    found = re.search(r"the test needs ([\d.]+) MB at its peak, and 3\.0 MB is its limit; measured with memray \(exact\)", output)
    assert found is not None and 7.5 < float(found[1]) < 12
    assert '@pytest.mark.tf_memory takes one size, such as @pytest.mark.tf_memory("24 MB")' in output
    assert "'much' is no size" in output and "can't measure a coroutine" in output


def test_the_report_begins_with_what_needs_most(output: str) -> None:
    report = output.partition("peaks of memory")[2].splitlines()[1:5]
    assert "test_that_needs_too_much" in report[0] and "(limit 3.0 MB)" in report[0]
    assert any("test_without_a_limit" in line for line in report) and len(report) == 4
