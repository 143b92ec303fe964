#!/usr/bin/env python3
"""Writes scipy_volumes.json: sums of volumes by scipy, which scipy_volumes_test.cpp compares with.

    pip install numpy scipy
    tests/conformance/scipy_volumes.py > tests/conformance/scipy_volumes.json

scipy.ndimage.correlate and convolve sum in three dimensions, with borders and moved centres. All numbers are
small whole ones, so that sums are exact and every case is compared exactly. Axes are those of NumPy: slices,
rows, columns.
"""

import json
import random
import sys

import numpy
import scipy.ndimage

BORDERS = {"zero": "constant", "replicate": "nearest", "reflect": "reflect", "reflect101": "mirror",
           "wrap": "wrap"}


def result(case):
    volume = numpy.array(case["samples"], float).reshape(case["size"])
    kernel = numpy.array(case["weights"], float).reshape(case["kernel"])
    anchor = numpy.array(case["anchor"])
    if case["flip"]:
        kernel, anchor = kernel[::-1, ::-1, ::-1], numpy.array(kernel.shape) - 1 - anchor
    origin = anchor - numpy.array(kernel.shape) // 2
    for _ in range(case["steps"]):
        volume = scipy.ndimage.correlate(volume, kernel, mode=BORDERS[case["border"]], origin=tuple(origin))
    return [int(number) for number in volume.ravel()]


def main():
    choose = random.Random(17)
    cases = []
    for number in range(60):
        kernel = [choose.choice([1, 2, 3, 4]) for _ in range(3)]
        # ndimage refuses to mirror an axis of 1, and passes a border but once.
        size = [extent + choose.choice([1, 2, 3]) for extent in kernel]
        case = {
            "size": size,
            "samples": [choose.randint(-9, 9) for _ in range(size[0] * size[1] * size[2])],
            "kernel": kernel,
            "weights": [choose.choice([-2, -1, 0, 1, 2]) for _ in range(kernel[0] * kernel[1] * kernel[2])],
            "anchor": [choose.randrange(extent) for extent in kernel],
            "flip": choose.random() < 0.5,
            "border": choose.choice(list(BORDERS)),
            "steps": choose.choice([1, 1, 2]),
        }
        case["result"] = result(case)
        cases.append(case)
    lines = ",\n  ".join(json.dumps(case) for case in cases)
    sys.stdout.write(f'{{"made_by": "tests/conformance/scipy_volumes.py, numpy {numpy.__version__}, '
                     f'scipy {scipy.__version__}",\n "cases": [\n  {lines}\n]}}\n')


if __name__ == "__main__":
    main()
