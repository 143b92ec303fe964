#!/usr/bin/env python3
"""Writes torch_banks.json: filter banks by PyTorch, which torch_banks_test.cpp compares with.

    pip install torch numpy
    tests/conformance/torch_banks.py > tests/conformance/torch_banks.json

torch.nn.functional.conv2d computes the outputs in float64. Inputs and weights are small whole numbers, so
that sums are exact and every case is compared exactly. Both files number them by the same rule (numbers()),
and the outputs are stored as their sum, a sum weighted by place, and the first few. Borders are those of
torch's pad().
"""

import json
import random
import sys

import torch
import torch.nn.functional

BORDERS = {"zero": "constant", "replicate": "replicate", "reflect101": "reflect", "wrap": "circular"}
FIRST = 6


def numbers(seed, count):
    """Whole numbers from -4 to 4 of a linear congruential generator."""
    found, state = [], seed
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        found.append((state >> 16) % 9 - 4)
    return found


def tensor(seed, *shape):
    count = 1
    for extent in shape:
        count *= extent
    return torch.tensor(numbers(seed, count), dtype=torch.float64).reshape(shape)


def outputs(case):
    n, c, h, w, k, r, s, groups = (case[key] for key in "nchwkrsg")
    image = tensor(case["seed"], n, c, h, w)
    weights = tensor(case["seed"] + 1, k, c // groups, r, s)
    bias = tensor(case["seed"] + 2, k) if case["bias"] else None
    top, left, bottom, right = case["padding"]
    padded = torch.nn.functional.pad(image, (left, right, top, bottom), mode=BORDERS[case["border"]])
    return torch.nn.functional.conv2d(padded, weights, bias, tuple(case["stride"]), 0,
                                      tuple(case["dilation"]), groups)


def random_case(choose, seed):
    groups = choose.choice([1, 1, 1, 2, 3])
    case = {
        "seed": seed,
        "n": choose.choice([1, 1, 2, 3]),
        "c": groups * choose.choice([1, 1, 2, 3, 5]),
        "k": groups * choose.choice([1, 2, 3, 6, 7]),
        "r": choose.choice([1, 2, 3, 3, 3, 4, 5, 7]),
        "s": choose.choice([1, 2, 3, 3, 3, 4, 5, 6]),
        "g": groups,
        "bias": choose.random() < 0.5,
        "stride": [choose.choice([1, 1, 2, 3]), choose.choice([1, 1, 2, 4])],
        "dilation": [choose.choice([1, 1, 1, 2, 3]), choose.choice([1, 1, 1, 2, 3])],
        "border": choose.choice(["zero", "zero", "replicate", "reflect101", "wrap"]),
    }
    if choose.random() < 0.2:  # those that Winograd's method supports
        case.update(r=3, s=3, stride=[1, 1], dilation=[1, 1])
    reach = [(case["r"] - 1) * case["dilation"][0] + 1, (case["s"] - 1) * case["dilation"][1] + 1]
    case["h"] = reach[0] + choose.choice([0, 1, 2, 5, 9])
    case["w"] = reach[1] + choose.choice([0, 1, 3, 6, 14, 29])
    # torch's reflection and circulation want paddings below the size.
    most = [min(4, case["h"] - 1), min(4, case["w"] - 1)]
    case["padding"] = [choose.randint(0, most[0]), choose.randint(0, most[1]), choose.randint(0, most[0]),
                       choose.randint(0, most[1])]
    return case


def main():
    choose = random.Random(16)
    cases = []
    for seed in range(500):
        case = random_case(choose, 10 * seed + 1)
        found = outputs(case)
        case["shape"] = list(found.shape)
        flat = found.flatten()
        places = torch.arange(flat.numel(), dtype=torch.float64) % 1009 + 1
        case["sum"] = int(flat.sum())
        case["weighted"] = int((flat * places).sum())
        case["first"] = [int(number) for number in flat[:FIRST]]
        cases.append(case)
    sys.stdout.write('{"made_by": "tests/conformance/torch_banks.py, torch ' + torch.__version__ +
                     '",\n "cases": [\n')
    sys.stdout.write(",\n".join("  " + json.dumps(case, separators=(",", ":")) for case in cases) + "\n]}\n")


main()
