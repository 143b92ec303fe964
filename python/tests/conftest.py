"""What the tests of the module share: random images, the program to compare with, and the report."""

import json
import os
import shutil

import numpy as np
import pytest

FULL_SCALE = {"uint8": 255, "uint16": 65535, "float16": 1.0, "float32": 1.0}


@pytest.fixture
def rng():
    return np.random.default_rng(20261129)


def noise(rng, shape, dtype):
    """An image of random numbers over the whole scale."""
    if np.issubdtype(dtype, np.integer):
        return rng.integers(0, FULL_SCALE[np.dtype(dtype).name] + 1, shape, dtype=dtype)
    return rng.random(shape, np.float32).astype(dtype)


@pytest.fixture(scope="session")
def program():
    """The program kernelglass of the same sources; tests that need it skip without it."""
    path = os.environ.get("KERNELGLASS") or shutil.which("kernelglass")
    if not path or not os.access(path, os.X_OK):
        pytest.skip("the program kernelglass is not there: set KERNELGLASS to its path")
    return path


def pytest_terminal_summary(terminalreporter):
    """Writes the report of GoogleTest that scripts/count-tests reads, where GTEST_OUTPUT names its file."""
    kind, _, path = os.environ.get("GTEST_OUTPUT", "").partition(":")
    if kind != "json":
        return
    results = {"passed": "COMPLETED", "failed": "COMPLETED", "error": "COMPLETED", "skipped": "SKIPPED"}
    suites = {}
    for outcome, result in results.items():
        for report in terminalreporter.stats.get(outcome, []):
            file, _, name = report.nodeid.partition("::")
            case = {
                "name": name or "collection",
                "result": result,
                "time": f"{getattr(report, 'duration', 0):.3f}s",
            }
            if outcome in ("failed", "error"):
                case["failures"] = [{"failure": report.longreprtext}]
            suites.setdefault(os.path.basename(file), []).append(case)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(
            {"testsuites": [{"name": name, "testsuite": cases} for name, cases in suites.items()]}, file
        )
