"""Random requests equal the bytes of the program with the same engine. KG_REQUESTS sets their number."""

import os
import subprocess

import numpy as np

import kernelglass as kg
import netpbm
from conftest import noise

REQUESTS = int(os.environ.get("KG_REQUESTS", 60))
BORDERS = ["zero", "replicate", "reflect", "reflect101", "wrap", "constant=0.5", "constant=0.1,0.2,0.3,0.4"]


def random_step(rng):
    size = int(rng.choice([1, 2, 3, 4, 5, 7, 9, 15, 31]))
    sigma = round(float(rng.uniform(0.3, 6)), 2)
    weights = ",".join(str(n) for n in rng.integers(-4, 9, 9))
    return str(
        rng.choice(
            [
                f"box:size={size}",
                f"gaussian:sigma={sigma}",
                f"binomial:size={size}",
                "sobel",
                "scharr",
                "prewitt",
                "laplacian",
                f"log:sigma={sigma}",
                "sharpen",
                f"unsharp:sigma={sigma}",
                "emboss",
                "motion:length=7:angle=30",
                f"disk:radius={sigma}",
                f"custom:size=3x3:weights={weights}",
                "identity",
            ]
        )
    )


def random_request(rng):
    """An array, the settings, and whether its last channel is alpha."""
    dtype = rng.choice([np.uint8, np.uint16, np.float32])
    channels = int(rng.choice([1, 3] if dtype == np.float32 else [1, 2, 3, 4]))
    height, width = (int(n) for n in rng.choice([1, 2, 3, 8, 13, 17, 33, 64, 90], 2))
    array = noise(rng, (height, 2 * width, channels), dtype)[:, :: int(rng.choice([1, 2]))][:, :width]
    alpha = channels in (2, 4)
    if alpha and rng.random() < 0.3:
        array[..., -1] = np.iinfo(dtype).max
    settings = {"border": str(rng.choice(BORDERS))}
    if rng.random() < 0.25:
        settings["light"] = "linear"
    if rng.random() < 0.3:
        settings["signed"] = str(rng.choice(["clamp", "absolute", "half"]))
    if dtype != np.float32 and rng.random() < 0.2:
        settings["depth"] = str(rng.choice(["u8", "u16"]))
    if channels >= 3 and rng.random() < 0.2:
        settings["channels"] = str(rng.choice(["r", "gb", "rgb"]))
    if alpha:
        settings["alpha"] = str(rng.choice(["premultiplied", "straight", "keep"]))
    if rng.random() < 0.2:
        settings["tolerance"] = 1 / 255
    steps = [random_step(rng) for _ in range(int(rng.choice([1, 1, 2, 3])))]
    return array, steps, settings, alpha


def bytes_of_program(program, folder, array, steps, settings, alpha):
    extension = "pfm" if array.dtype == np.float32 else "pam"
    source, target = folder / f"in.{extension}", folder / f"out.{extension}"
    netpbm.write(source, array, alpha)
    words = [program, "filter", str(source), str(target), "-q", "--engine", "cpu"]
    for step in steps:
        words += ["-f", step]
    for name, value in settings.items():
        words += [f"--{name}", str(value)]
    done = subprocess.run(words, capture_output=True, text=True)
    return (netpbm.read(target), "") if done.returncode == 0 else (None, done.stderr)


def test_random_requests_have_the_bytes_of_the_program(program, tmp_path):
    computed = 0
    for number in range(REQUESTS):
        array, steps, settings, alpha = random_request(np.random.default_rng([29, number]))
        expected, message = bytes_of_program(program, tmp_path, array, steps, settings, alpha)
        what = f"request {number}: {array.shape} {array.dtype} {steps} {settings}"
        try:
            result = kg.filter(array, " | ".join(steps), engine="cpu", **settings)
        except ValueError as error:
            assert expected is None and str(error) in message, f"{what}: {error}, {message}"
            continue
        assert expected is not None, f"{what}: {message}"
        assert result.dtype == expected.dtype, what
        assert np.array_equal(result.view(np.uint8), expected.reshape(result.shape).view(np.uint8)), what
        computed += 1
    assert computed > REQUESTS * 0.9


def test_errors_have_the_messages_of_the_program(program, tmp_path):
    array = np.zeros((4, 4), np.uint8)
    for steps, settings in (
        (["box:size=0"], {}),
        (["gaussian:sigma=-1"], {}),
        (["box:sizes=3"], {}),
        (["box"], {"border": "mirror"}),
        (["box"], {"channels": "x"}),
        (["box"], {"algorithm": "tiledd"}),
        (["sobel"], {"algorithm": "box"}),
        (["box"], {"signed": "keep", "depth": "u8"}),
    ):
        _, message = bytes_of_program(program, tmp_path, array[..., None], steps, settings, False)
        try:
            kg.filter(array, " | ".join(steps), engine="cpu", **settings)
        except ValueError as error:
            text = str(error).split(": line 1, column 1: ")[-1]
            text = text.split(" The algorithms are ")[0]  # the program has those of OpenCV, too
            assert text in message, (text, message)
        else:
            raise AssertionError((steps, settings))


def test_batch_and_bench_start_the_program(program, tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELGLASS", program)
    array = noise(np.random.default_rng(1), (12, 10, 3), np.uint8)
    (tmp_path / "in").mkdir()
    for name in ("a", "b"):
        netpbm.write(tmp_path / "in" / f"{name}.pam", array, False)
    document = kg.batch(tmp_path / "in", tmp_path / "out", "gaussian:sigma=1 | border=wrap", engine="cpu")
    assert document["schema"].startswith("kernelglass-batch")
    expected = kg.filter(array, "gaussian:sigma=1", border="wrap")
    assert np.array_equal(netpbm.read(tmp_path / "out" / "a.pam"), expected)
    report = kg.bench(array, "box:size=3 | border=wrap", engine="cpu", algorithms=["direct"], seconds=1)
    assert "direct" in str(report)
    try:
        kg.batch(tmp_path / "none", tmp_path / "out", "box")
    except ValueError as error:
        assert "none" in str(error)
    else:
        raise AssertionError("a folder that is not there is an error")


def test_without_the_program_the_message_names_the_remedy(monkeypatch):
    monkeypatch.delenv("KERNELGLASS", raising=False)
    monkeypatch.setenv("PATH", "")
    for call in (lambda: kg.batch("in", "out", "box"), lambda: kg.bench(np.zeros((4, 4), np.uint8), "box")):
        try:
            call()
        except ValueError as error:
            assert "environment variable KERNELGLASS" in str(error)
        else:
            raise AssertionError("no error")
