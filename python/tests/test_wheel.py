"""What is installed: version, types, libraries. Those of a wheel are inside it."""

import ast
import importlib.metadata
import re
import subprocess
from pathlib import Path

import pytest

import kernelglass as kg

FOLDER = Path(kg.__file__).parent


def test_the_version_is_that_of_the_package():
    try:
        installed = importlib.metadata.version("kernelglass")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package is not installed")
    assert kg.__version__ == installed


def test_types_and_stubs_are_installed():
    assert (FOLDER / "py.typed").exists()
    stub = FOLDER / "_core.pyi"
    if not stub.exists():
        pytest.skip("the stub is made by pip install")
    names = {node.name for node in ast.parse(stub.read_text()).body if hasattr(node, "name")}
    assert {"Recipe", "filter", "explain", "algorithms", "signal", "bank", "kernel"} <= names


def test_everything_public_is_documented():
    for name in kg.__all__:
        document = getattr(kg, name).__doc__
        assert document and len(document.splitlines()[0]) < 100, name
        if name not in ("Recipe", "algorithms"):
            assert re.search(r"\n +Parameters\n +-+\n", document), name
            assert re.search(r"\n +Returns\n +-+\n", document), name


def test_no_codec_and_nothing_of_another_licence_is_linked():
    if any(entry["id"].startswith("opencv:") and not entry["unusable"] for entry in kg.algorithms()):
        pytest.skip("built beside the program, which has OpenCV")
    module = next(FOLDER.glob("_core*.so"))
    needed = subprocess.run(["ldd", str(module)], capture_output=True, text=True, check=True).stdout
    assert not re.search(r"opencv|exiv2|libGL|libjpeg|libpng|tiff", needed, re.I), needed
    bundled = FOLDER.parent / "kernelglass.libs"
    if not bundled.exists():
        pytest.skip("libraries are bundled by auditwheel")
    assert {re.match(r"lib[a-z]+", file.name).group() for file in bundled.iterdir()} <= {
        "libtbb",
        "libhwy",
        "libstdc",
        "libgcc_s",
    }
    assert {file.stem for file in (FOLDER / "licences").iterdir()} == {"libhwy1", "libtbb12"}
    for line in needed.splitlines():
        if "libtbb" in line or "libhwy" in line:
            assert "kernelglass.libs" in line, line
