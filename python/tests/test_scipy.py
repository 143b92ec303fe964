"""Correlations and convolutions equal those of scipy.ndimage, with its names of borders."""

import numpy as np
import pytest

import kernelglass as kg

ndimage = pytest.importorskip("scipy.ndimage")

MODES = ["reflect", "grid-mirror", "mirror", "nearest", "wrap", "grid-wrap", "constant", "grid-constant"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", [(1, 1), (3, 3), (4, 3), (5, 2), (1, 6), (9, 9)])
@pytest.mark.parametrize("flip", [False, True])
def test_floats_agree_to_the_rounding_of_float32(rng, mode, size, flip):
    array = rng.random((13, 17), np.float32)
    weights = rng.integers(-8, 9, size).astype(np.float32)
    function = ndimage.convolve if flip else ndimage.correlate
    expected = function(array.astype(float), weights, mode=mode, cval=0.25)
    result = kg.filter(array, kg.kernel(weights, flip=flip), border=kg.from_scipy(mode, 0.25))
    assert np.abs(result - expected).max() <= 1e-5 * (1 + np.abs(weights).sum())


@pytest.mark.parametrize("origin", [-1, 0, 1])
@pytest.mark.parametrize("size", [(3, 3), (4, 5)])
@pytest.mark.parametrize("flip", [False, True])
def test_origin_moves_the_anchor(rng, origin, size, flip):
    array = rng.random((9, 9), np.float32)
    weights = rng.random(size, np.float32)
    function = ndimage.convolve if flip else ndimage.correlate
    expected = function(array.astype(float), weights, mode="nearest", origin=origin)
    kernel = kg.kernel(weights, anchor=(size[1] // 2 + origin, size[0] // 2 + origin), flip=flip)
    assert np.allclose(kg.filter(array, kernel, border=kg.from_scipy("nearest")), expected, atol=1e-6)


@pytest.mark.parametrize("mode", MODES)
def test_integers_are_the_rounded_sums(rng, mode):
    array = rng.integers(0, 256, (20, 21), dtype=np.uint8)
    exact = ndimage.uniform_filter(array.astype(float), 5, mode=mode)
    result = kg.filter(array, "box:size=5", border=kg.from_scipy(mode))
    assert np.abs(result - exact).max() <= 0.5 + 1e-9


def test_a_gaussian_of_the_same_size_agrees(rng):
    array = rng.random((40, 40), np.float32)
    expected = ndimage.gaussian_filter(array.astype(float), 2, mode="mirror", radius=6)
    result = kg.filter(array, "gaussian:sigma=2:size=13", border=kg.from_scipy("mirror"))
    assert np.abs(result - expected).max() < 1e-6
