#!/usr/bin/env python3
"""Writes scipy_signals.json: sums of signals by scipy and numpy, which scipy_signals_test.cpp compares with.

    pip install numpy scipy
    tests/conformance/scipy_signals.py > tests/conformance/scipy_signals.json

scipy.signal computes the modes full and valid, scipy.ndimage the mode same with borders. Neither knows
dilation or stride: taps get zeros between them, and outputs are left out. All numbers are small whole ones or
halves, so that float64 sums are exact and every case is compared exactly.
"""

import json
import random
import sys

import numpy
import scipy.ndimage
import scipy.signal

BORDERS = {"zero": "constant", "replicate": "nearest", "reflect": "reflect", "reflect101": "mirror",
           "wrap": "wrap"}


def dilated(taps, dilation):
    spread = numpy.zeros((len(taps) - 1) * dilation + 1)
    spread[::dilation] = taps
    return spread


def outputs(case):
    signal = numpy.array(case["signal"], float)
    taps = dilated(numpy.array(case["taps"], float), case["dilation"])
    border = BORDERS[case["border"]]
    if case["mode"] == "same" and case["anchor"] is None:
        sums = scipy.ndimage.convolve1d if case["flip"] else scipy.ndimage.correlate1d
        found = sums(signal, taps, mode=border)
    elif case["mode"] == "same":
        # ndimage's origin moves the centre; both count it in the taps as given.
        anchor = case["anchor"] * case["dilation"]
        if case["flip"]:
            taps, anchor = taps[::-1], len(taps) - 1 - anchor
        origin = anchor - len(taps) // 2
        found = scipy.ndimage.correlate1d(signal, taps, mode=border, origin=origin)
    elif case["flip"]:
        found = scipy.signal.convolve(signal, taps, mode=case["mode"], method="direct")
    else:
        found = scipy.signal.correlate(signal, taps, mode=case["mode"], method="direct")
    return found[:: case["stride"]].tolist()


def main():
    choose = random.Random(15)
    cases = []
    for number in range(500):
        taps = choose.choice([1, 2, 3, 4, 5, 8])
        dilation = choose.choice([1, 1, 2, 3])
        span = (taps - 1) * dilation + 1
        mode = ["full", "same", "valid"][number % 3]
        # ndimage wants the centre of the taps within them, and signals that the border does not pass twice.
        samples = choose.choice([1, 2, 3, 7, 16, 33])
        if mode != "full":
            samples = span + choose.choice([0, 1, 2, 9, 20])
        # Its default centre of dilated taps is another one.
        has_anchor = mode == "same" and (dilation > 1 or choose.random() < 0.5)
        case = {
            "signal": [choose.randint(-9, 9) / 2 for _ in range(samples)],
            "taps": [choose.choice([-3, -2, -1, 0.5, 1, 2, 3]) for _ in range(taps)],
            "mode": mode,
            "flip": choose.random() < 0.5,
            "border": choose.choice(list(BORDERS)) if mode == "same" else "zero",
            "anchor": choose.randrange(taps) if has_anchor else None,
            "dilation": dilation,
            "stride": choose.choice([1, 1, 2, 3]),
        }
        case["outputs"] = outputs(case)
        cases.append(case)
    versions = f"numpy {numpy.__version__}, scipy {scipy.__version__}"
    sys.stdout.write('{"made_by": "tests/conformance/scipy_signals.py, ' + versions + '",\n "cases": [\n')
    sys.stdout.write(",\n".join("  " + json.dumps(case) for case in cases) + "\n]}\n")


main()
