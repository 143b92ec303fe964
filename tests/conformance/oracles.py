#!/usr/bin/env python3
"""Random requests through the program, against scipy.ndimage, OpenCV for Python and ImageMagick.

    oracles.py PROGRAM [COUNT]

Every request is a command line as a user would type it: an image file, a kernel file, a border. The output is
compared with that of the other libraries, sample by sample, within semantics 11 and 12. The exit code is 0 if
all agree, 1 with a line for each difference, and 77 if scipy or OpenCV is missing.
"""
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

try:
    import cv2
    import numpy
    import scipy.ndimage
except ImportError as error:
    print(f"the oracles need python3-scipy and python3-opencv: {error}")
    sys.exit(77)

FULL_SCALE = {"uint8": 255.0, "uint16": 65535.0, "float32": 1.0}
SCIPY_BORDER = {"zero": "constant", "replicate": "nearest", "reflect": "reflect", "reflect101": "mirror",
                "wrap": "wrap"}
OPENCV_BORDER = {"zero": cv2.BORDER_CONSTANT, "replicate": cv2.BORDER_REPLICATE,
                 "reflect": cv2.BORDER_REFLECT, "reflect101": cv2.BORDER_REFLECT_101}


def correlate_scipy(plane, weights, anchor, border):
    """scipy counts the origin from the centre and moves the kernel in the opposite direction."""
    height, width = weights.shape
    origin = (anchor[1] - height // 2, anchor[0] - width // 2)
    return scipy.ndimage.correlate(plane.astype(float), weights, mode=SCIPY_BORDER[border],
                                   origin=(origin[0], origin[1]))


def correlate_opencv(plane, weights, anchor, border):
    return cv2.filter2D(plane.astype(float), cv2.CV_64F, weights, anchor=tuple(anchor),
                        borderType=OPENCV_BORDER[border])


def write_image(path, pixels):
    """pixels: height x width x channels, RGB(A) order."""
    order = {1: [0], 3: [2, 1, 0], 4: [2, 1, 0, 3]}[pixels.shape[2]]
    settings = [cv2.IMWRITE_TIFF_COMPRESSION, 1] if path.suffix == ".tif" else []
    if not cv2.imwrite(str(path), numpy.ascontiguousarray(pixels[:, :, order]), settings):
        raise RuntimeError(f"cannot write {path}")


def read_image(path):
    pixels = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if pixels is None:
        raise RuntimeError(f"cannot read {path}")
    if pixels.ndim == 2:
        return pixels[:, :, None]
    return pixels[:, :, {3: [2, 1, 0], 4: [2, 1, 0, 3]}[pixels.shape[2]]]


def random_image(dice, shape, depth):
    generator = numpy.random.default_rng(dice.randrange(1 << 30))
    if depth == "float32":
        return generator.uniform(-0.5, 1.5, shape).astype(depth)
    return generator.integers(0, int(FULL_SCALE[depth]) + 1, shape).astype(depth)


def random_kernel(dice):
    width, height = dice.randint(1, 9), dice.randint(1, 9)
    if dice.random() < 0.5:
        rows = [[dice.randint(-4, 6) for _ in range(width)] for _ in range(height)]
        divisor = dice.choice([1, 3, 16, 7])
    else:
        rows = [[round(dice.uniform(-1, 1.2), 3) for _ in range(width)] for _ in range(height)]
        divisor = dice.choice([1, 2.5])
    return {"rows": rows, "anchor": [dice.randrange(width), dice.randrange(height)], "divisor": divisor,
            "offset": dice.choice([0, 0, 0.25]), "flip": dice.random() < 0.3}


def as_correlation(kernel):
    """The weights as stored by the program (f32), rotated by 180 degrees for true convolution."""
    weights = numpy.array(kernel["rows"], dtype=numpy.float32).astype(float)
    anchor = list(kernel["anchor"])
    if kernel["flip"]:
        weights = weights[::-1, ::-1].copy()
        anchor = [weights.shape[1] - 1 - anchor[0], weights.shape[0] - 1 - anchor[1]]
    return weights, anchor


def disagreement(got, want, magnitude, extents, depth):
    """None, or where and by how much the result violates semantics 11 (integers) or 12 (floats)."""
    if depth == "float32":
        wrong = numpy.abs(got - want) > 2 * (extents + 2) * 2.0**-23 * magnitude
    else:
        want = numpy.clip(want, 0, FULL_SCALE[depth])
        slack = 1 / 64 if depth == "uint8" else extents / 512
        rounded = numpy.rint(want)
        near_half = numpy.abs(want - numpy.floor(want) - 0.5) <= slack
        wrong = (got != rounded) & ~(near_half & (numpy.abs(got - rounded) <= 1))
    if not wrong.any():
        return None
    y, x, channel = numpy.argwhere(wrong)[0]
    return f"{wrong.sum()} samples, first at x {x} y {y} channel {channel}: {got[y, x, channel]}, " \
           f"should be {want[y, x, channel]}"


def run(program, folder, source, target, flags):
    line = [program, "filter", str(source), str(target), *flags, "-q"]
    done = subprocess.run(line, capture_output=True, text=True, cwd=folder)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(line)}: {done.stderr}")


def check_kernel(program, folder, dice, number):
    depth = dice.choice(list(FULL_SCALE))
    shape = (dice.randint(1, 50), dice.randint(1, 50), dice.choice([1, 3]))
    border = dice.choice(list(SCIPY_BORDER))
    # scipy and OpenCV mirror an image only as far as requested; the program has no limit.
    kernel, pixels = random_kernel(dice), random_image(dice, shape, depth)
    source, target = folder / f"{number}.tif", folder / f"{number}-out.tif"
    write_image(source, pixels)
    (folder / f"{number}.json").write_text(json.dumps(kernel))
    listed = "float64" if depth == "uint16" else "direct"  # `direct` is too coarse for 16 bits
    algorithm = dice.choice([[], [], ["--algorithm", listed], ["--algorithm", "reference"]])
    run(program, folder, source, target,
        ["--kernel", f"{number}.json", "--border", border, "--engine", "cpu", *algorithm])
    got = read_image(target).astype(float)
    weights, anchor = as_correlation(kernel)
    offset = kernel["offset"] * FULL_SCALE[depth]
    oracles = {"scipy": correlate_scipy}
    if border in OPENCV_BORDER and min(shape[:2]) > 10:
        oracles["OpenCV"] = correlate_opencv
    for name, correlate in oracles.items():
        planes = [correlate(pixels[:, :, c], weights, anchor, border) for c in range(shape[2])]
        want = numpy.stack(planes, axis=2) / kernel["divisor"] + offset
        sums = [correlate_scipy(numpy.abs(pixels[:, :, c].astype(float)), numpy.abs(weights), anchor, border)
                for c in range(shape[2])]
        magnitude = numpy.stack(sums, axis=2) / abs(kernel["divisor"]) + offset
        wrong = disagreement(got, want, magnitude, sum(weights.shape), depth)
        if wrong:
            yield f"{name}: {shape} {depth} {border} {kernel}: {wrong}"


def check_named(program, folder, dice, number):
    """Named filters against the equivalent functions of scipy."""
    depth = dice.choice(["uint8", "float32"])
    pixels = random_image(dice, (dice.randint(12, 50), dice.randint(12, 50), 1), depth)
    border = dice.choice(list(SCIPY_BORDER))
    mode = SCIPY_BORDER[border]
    sigma, size = round(dice.uniform(0.4, 3), 2), dice.choice([3, 5, 9])
    radius = int(numpy.ceil(4 * sigma))
    named = {
        f"gaussian:sigma={sigma}": (
            lambda p: scipy.ndimage.gaussian_filter(p, sigma, mode=mode, radius=radius), 4 * radius + 2),
        f"unsharp:sigma={sigma}:amount=1": (
            lambda p: 2 * p - scipy.ndimage.gaussian_filter(p, sigma, mode=mode, radius=radius),
            4 * radius + 2),
        f"box:size={size}": (lambda p: scipy.ndimage.uniform_filter(p, size, mode=mode), 2 * size),
        "prewitt:direction=x": (lambda p: scipy.ndimage.prewitt(p, axis=1, mode=mode), 6),
        "prewitt:direction=y": (lambda p: scipy.ndimage.prewitt(p, axis=0, mode=mode), 6),
        "laplacian": (lambda p: scipy.ndimage.laplace(p, mode=mode), 6),
        "sobel:direction=x": (lambda p: scipy.ndimage.sobel(p, axis=1, mode=mode), 6),
        "sobel:direction=y": (lambda p: scipy.ndimage.sobel(p, axis=0, mode=mode), 6),
        "sobel": (lambda p: numpy.hypot(scipy.ndimage.sobel(p, axis=0, mode=mode),
                                        scipy.ndimage.sobel(p, axis=1, mode=mode)), 6),
    }
    step = dice.choice(list(named))
    function, extents = named[step]
    source, target = folder / f"{number}.tif", folder / f"{number}-out.tif"
    write_image(source, pixels)
    run(program, folder, source, target, ["-f", step, "--border", border, "--engine", "cpu"])
    got = read_image(target).astype(float)
    want = function(pixels[:, :, 0].astype(float))[:, :, None]
    magnitude = numpy.full(want.shape, 12 * numpy.abs(pixels.astype(float)).max())
    wrong = disagreement(got, want, magnitude, extents, depth)
    if wrong:
        yield f"scipy {step}: {pixels.shape} {depth} {border}: {wrong}"


def check_imagemagick(program, folder, dice, number):
    """8 bit, kernels of odd sizes, by Convolve of ImageMagick's HDRI build, which rotates the kernel."""
    virtual = {"replicate": "Edge", "reflect": "Mirror", "wrap": "Tile", "zero": "Black"}
    border = dice.choice(list(virtual))
    size = dice.choice([3, 5])
    rows = [[dice.randint(-2, 5) for _ in range(size)] for _ in range(size)]
    total = sum(map(sum, rows))
    divisor = abs(total) if total else 1
    pixels = random_image(dice, (dice.randint(8, 40), dice.randint(8, 40), 3), "uint8")
    source, target, theirs = (folder / f"{number}{end}.png" for end in ("", "-out", "-magick"))
    write_image(source, pixels)
    (folder / f"{number}.json").write_text(json.dumps({"rows": rows, "divisor": divisor}))
    run(program, folder, source, target,
        ["--kernel", f"{number}.json", "--border", border, "--engine", "cpu"])
    text = f"{size}x{size}:" + ",".join(str(w) for row in rows for w in row)
    subprocess.run(["convert-im6.q16", str(source), "-virtual-pixel", virtual[border], "-define",
                    f"convolve:scale={1 / divisor!r}", "-morphology", "Correlate", text, "-depth", "8",
                    str(theirs)],
                   check=True, capture_output=True)
    difference = numpy.abs(read_image(target).astype(int) - read_image(theirs).astype(int))
    if difference.max() > 1:  # 16 bits and a reciprocal: one level off at ties
        yield f"ImageMagick: {pixels.shape} {border} {rows} / {divisor}: {difference.max()} levels"


def main():
    program, count = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2]) if len(sys.argv) > 2 else 200
    dice = random.Random(20)
    checks = [check_kernel, check_kernel, check_kernel, check_named]
    if shutil.which("convert-im6.q16"):
        checks.append(check_imagemagick)
    ran, failures = {}, []
    with tempfile.TemporaryDirectory() as name:
        for number in range(count):
            check = checks[number % len(checks)]
            ran[check.__name__] = ran.get(check.__name__, 0) + 1
            failures += check(program, pathlib.Path(name), dice, number)
    print("\n".join(failures) if failures else f"{count} requests agree: {ran}")
    return 1 if failures else 0


sys.exit(main())
