"""batch() and bench(): what the program kernelglass does, where it is installed."""

from __future__ import annotations

import os
from typing import Any, Iterable

from kernelglass import _core


def program() -> str:
    """The path of the program: that of the environment variable KERNELGLASS, or the one on PATH.

    Raises
    ------
    ValueError
        It is not installed.
    """
    import shutil

    path = os.environ.get("KERNELGLASS") or shutil.which("kernelglass")
    if not path:
        raise ValueError(
            "the program kernelglass is not on PATH, and batch() and bench() start it; install it from the "
            "Debian package or by scripts/run, or name it in the environment variable KERNELGLASS"
        )
    return path


def _run(arguments: list[str], accepted: tuple[int, ...] = (0,)) -> str:
    """The standard output. Raises ValueError with the program's message."""
    import subprocess

    done = subprocess.run([program(), *arguments], capture_output=True, text=True)
    if done.returncode not in accepted:
        message = done.stderr.strip().removeprefix("kernelglass: ")
        raise ValueError(message or f"kernelglass ended with exit code {done.returncode}")
    return done.stdout


def _recipe_file(recipe: str | _core.Recipe, folder: str) -> str:
    path = os.path.join(folder, "recipe.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(_core.Recipe(recipe).json)
    return path


def batch(
    inputs: str | os.PathLike | Iterable[str | os.PathLike],
    folder: str | os.PathLike,
    recipe: str | _core.Recipe,
    *,
    recursive: bool = False,
    engine: str = "auto",
    algorithm: str | None = None,
    flags: Iterable[str] = (),
) -> dict[str, Any]:
    """Filter files of images into a folder, as ``kernelglass batch`` does.

    Parameters
    ----------
    inputs : path or iterable of paths
        Files and folders.
    folder : path
        Receives the results and the journal.
    recipe : str or Recipe
        As for :func:`filter`.
    recursive : bool
        Also the folders inside folders.
    engine, algorithm : str, optional
        As for :func:`filter`.
    flags : iterable of str
        Others of the command, such as ``("--on-exists", "overwrite")``.

    Returns
    -------
    dict
        The document ``kernelglass-batch`` of docs/json.md. Files that failed are in it.

    Raises
    ------
    ValueError
        The program is not installed, or could not begin; its message.
    """
    import json
    import tempfile

    paths = [inputs] if isinstance(inputs, (str, os.PathLike)) else list(inputs)
    with tempfile.TemporaryDirectory() as place:
        arguments = ["batch", *map(os.fspath, paths), "-o", os.fspath(folder), "--json"]
        arguments += ["--recipe", _recipe_file(recipe, place), "--engine", engine]
        if recursive:
            arguments.append("--recursive")
        if algorithm:
            arguments += ["--algorithm", algorithm]
        return json.loads(_run([*arguments, *flags], accepted=(0, 1)))


def _write_netpbm(array: Any, path: str) -> None:
    """PAM for integers, PFM for floats of one or three channels."""
    import numpy

    pixels = numpy.asarray(array)
    if pixels.ndim not in (2, 3):
        raise ValueError(
            f"the array has shape {pixels.shape}; an image has (height, width) or (height, width, channels)"
        )
    height, width = pixels.shape[:2]
    channels = pixels.shape[2] if pixels.ndim == 3 else 1
    kinds = {1: "GRAYSCALE", 2: "GRAYSCALE_ALPHA", 3: "RGB", 4: "RGB_ALPHA"}
    if pixels.dtype in (numpy.uint8, numpy.uint16) and channels in kinds:
        largest = numpy.iinfo(pixels.dtype).max
        head = (
            f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {channels}\nMAXVAL {largest}\n"
            f"TUPLTYPE {kinds[channels]}\nENDHDR\n"
        )
        content = pixels.astype(pixels.dtype.newbyteorder(">")).tobytes()
    elif pixels.dtype == numpy.float32 and channels in (1, 3):
        head = f"{'PF' if channels == 3 else 'Pf'}\n{width} {height}\n-1.0\n"
        content = pixels[::-1].astype("<f4").tobytes()
    else:
        raise ValueError("bench() takes uint8 or uint16 of 1 to 4 channels, or float32 of 1 or 3")
    with open(path, "wb") as file:
        file.write(head.encode() + content)


def bench(
    array: Any,
    recipe: str | _core.Recipe,
    *,
    engine: str = "auto",
    algorithms: Iterable[str] = (),
    seconds: float | None = None,
) -> dict[str, Any]:
    """Verify and time every algorithm on an image, as ``kernelglass bench image`` does.

    Parameters
    ----------
    array : array of shape (height, width) or (height, width, channels)
        uint8 or uint16, or float32 of 1 or 3 channels, in host memory.
    recipe : str or Recipe
        As for :func:`filter`.
    engine : {"auto", "cpu", "cuda"}
        Engines to compute on.
    algorithms : iterable of str
        Only these ids; by default all.
    seconds : float, optional
        Time limit; rows beyond it are not measured.

    Returns
    -------
    dict
        The report, as docs/bench.schema.json describes it.

    Raises
    ------
    ValueError
        The program is not installed, or refuses the image or the recipe.
    """
    import json
    import tempfile

    made = _core.Recipe(recipe)
    if "channels" in made.settings:
        raise ValueError("bench() times all channels; make a recipe without channels=")
    with tempfile.TemporaryDirectory() as place:
        is_float = str(getattr(array, "dtype", "")) == "float32"
        image = os.path.join(place, "image.pfm" if is_float else "image.pam")
        report = os.path.join(place, "report.json")
        _write_netpbm(array, image)
        arguments = ["bench", "image", image, "--engine", engine, "-o", report, "-q"]
        for step in made.steps:
            arguments += ["-f", step]
        for name, value in made.settings.items():
            arguments += [f"--{name}", str(value)]
        if algorithms:
            arguments += ["--algorithm", ",".join(algorithms)]
        if seconds is not None:
            arguments += ["--seconds", str(seconds)]
        _run(arguments)
        with open(report, encoding="utf-8") as file:
            return json.load(file)
