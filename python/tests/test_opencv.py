"""Results equal those of OpenCV to its own rounding, with its borders and anchors."""

import numpy as np
import pytest

import kernelglass as kg

cv2 = pytest.importorskip("cv2")

BORDERS = ["BORDER_CONSTANT", "BORDER_REPLICATE", "BORDER_REFLECT", "BORDER_REFLECT_101"]


@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize("size", [(3, 3), (4, 3), (5, 2), (1, 7), (11, 11)])
@pytest.mark.parametrize("shape", [(23, 31), (23, 31, 3)])
def test_filter2d_of_floats(rng, border, size, shape):
    array = rng.random(shape, np.float32)
    weights = rng.random(size, np.float32)
    code = getattr(cv2, border)
    expected = cv2.filter2D(array, -1, weights, borderType=code)
    result = kg.filter(array, kg.kernel(weights), border=kg.from_opencv(code))
    assert np.abs(result - expected).max() <= 2e-6 * weights.sum()


@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize("anchor", [(0, 0), (2, 1), (4, 2)])
def test_filter2d_of_bytes_with_an_anchor(rng, border, anchor):
    array = rng.integers(0, 256, (23, 31, 3), dtype=np.uint8)
    weights = rng.integers(-3, 6, (3, 5)).astype(np.float32)
    code = getattr(cv2, border)
    expected = cv2.filter2D(array, -1, weights, anchor=anchor, borderType=code)
    result = kg.filter(array, kg.kernel(weights, anchor=anchor), border=kg.from_opencv(code))
    assert np.array_equal(result, expected)


def test_box_and_gaussian_differ_by_one_at_most(rng):
    array = rng.integers(0, 256, (64, 64, 3), dtype=np.uint8)
    pairs = [
        (cv2.blur(array, (5, 5)), "box:size=5"),
        (cv2.GaussianBlur(array, (13, 13), 2), "gaussian:sigma=2:size=13"),
    ]
    for expected, recipe in pairs:
        difference = np.abs(kg.filter(array, recipe).astype(int) - expected.astype(int))
        assert difference.max() <= 1


def test_a_border_without_equivalent_is_refused():
    with pytest.raises(ValueError):
        kg.from_opencv(cv2.BORDER_TRANSPARENT)
