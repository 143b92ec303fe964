"""signal() and bank() against NumPy."""

import numpy as np
import pytest

import kernelglass as kg


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_a_flipped_signal_is_the_convolution_of_numpy(rng, dtype, mode):
    signal, taps = rng.integers(-9, 10, 100).astype(dtype), rng.integers(-9, 10, 7)
    result = kg.signal(signal, taps, mode=mode, flip=True)
    assert result.dtype == dtype
    assert np.array_equal(result, np.convolve(signal, taps.astype(dtype), mode))


def test_rows_of_any_shape_are_signals(rng):
    signals = rng.random((3, 4, 50))
    result = kg.signal(signals[:, ::2, ::-1], [1, 2, 3])
    assert result.shape == (3, 2, 52)
    assert np.allclose(result[2, 1], np.correlate(signals[2, 2, ::-1], [1, 2, 3], "full"))


def test_a_preset_takes_the_rate():
    time = np.arange(4000) / 8000
    low, high = np.sin(2 * np.pi * 100 * time), np.sin(2 * np.pi * 3000 * time)
    result = kg.signal(low + high, "lowpass:cutoff=1000", rate=8000)
    assert np.abs(result - low)[200:-200].max() < 0.02


def test_a_bank_is_a_layer_of_convolutions(rng):
    batch = rng.random((2, 3, 9, 8), np.float32)
    weights = rng.random((4, 3, 3, 2), np.float32)
    result = kg.bank(batch, weights, bias=[1, 2, 3, 4], stride=2, padding=(1, 0))
    padded = np.pad(batch, ((0, 0), (0, 0), (1, 1), (0, 0)))
    expected = np.empty_like(result)
    for n, k, y, x in np.ndindex(*result.shape):
        window = padded[n, :, 2 * y : 2 * y + 3, 2 * x : 2 * x + 2]
        expected[n, k, y, x] = (window.astype(float) * weights[k]).sum() + k + 1
    assert result.shape == (2, 4, 5, 4)
    assert np.allclose(result, expected, rtol=1e-5)
    by_layout = kg.bank(
        batch.transpose(0, 2, 3, 1), weights, bias=[1, 2, 3, 4], stride=2, padding=(1, 0), layout="nhwc"
    )
    assert np.array_equal(by_layout.transpose(0, 3, 1, 2), result)


def test_a_preset_is_for_every_channel():
    assert kg.bank(np.ones((1, 3, 20, 20), np.float32), "gabor:orientations=4", padding="same").shape == (
        1,
        12,
        20,
        20,
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda: kg.signal(np.float32(1), [1]),
        lambda: kg.signal(np.zeros(4, np.uint8), [1]),
        lambda: kg.signal(np.zeros(4, np.int32), [0.5]),
        lambda: kg.signal(np.zeros(0, np.float32), [1]),
        lambda: kg.signal(np.zeros(4, np.float32), []),
        lambda: kg.signal(np.zeros(4, np.float32), [np.nan]),
        lambda: kg.signal(np.zeros(4, np.float32), "low"),
        lambda: kg.signal(np.zeros(4, np.float32), [1], mode="most"),
        lambda: kg.signal(np.zeros(4, np.float32), [1], mode="full", border="wrap"),
        lambda: kg.signal(np.zeros(4, np.float32), [1], stride=0),
        lambda: kg.bank(np.zeros((2, 2), np.float32), np.zeros((1, 1, 1, 1))),
        lambda: kg.bank(np.zeros((1, 1, 4, 4)), np.zeros((1, 1, 1, 1))),
        lambda: kg.bank(np.zeros((1, 2, 4, 4), np.float32), np.zeros((1, 3, 1, 1))),
        lambda: kg.bank(np.zeros((1, 1, 4, 4), np.float32), np.zeros((1, 1, 9, 9))),
        lambda: kg.bank(np.zeros((1, 1, 4, 4), np.float32), np.zeros((1, 1, 1, 1)), padding="most"),
        lambda: kg.bank(np.zeros((1, 1, 4, 4), np.float32), np.zeros((1, 1, 1, 1)), layout="hwcn"),
    ],
)
def test_what_does_not_fit_is_a_value_error(call):
    with pytest.raises(ValueError) as error:
        call()
    assert str(error.value)
