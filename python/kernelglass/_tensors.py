"""signal() and bank(): signals through taps, and batches of channels through filter banks."""

from __future__ import annotations

from typing import Any, Sequence

from kernelglass import _core
from kernelglass._arrays import empty_like


def signal(
    array: Any,
    taps: Any,
    *,
    rate: float = 1.0,
    mode: str | None = None,
    border: str | None = None,
    anchor: int | None = None,
    flip: bool = False,
    dilation: int = 1,
    stride: int = 1,
    engine: str = "auto",
    algorithm: str | None = None,
) -> Any:
    """Sum the samples of signals with taps.

    Parameters
    ----------
    array : array of shape (..., samples)
        float32, float64, int32 or int64 in host memory; each row is a signal.
    taps : sequence of float or str
        In the order in which a correlation reads the samples, or a preset such as ``"lowpass:cutoff=1000"``.
    rate : float
        Samples per second, for presets whose parameters are in Hz or seconds.
    mode : {"full", "same", "valid"}, optional
        Which outputs; by default that of the preset, or ``"full"``.
    border : str, optional
        As for :func:`filter`, in mode ``"same"`` alone; by default that of the preset, or ``"zero"``.
    anchor : int, optional
        The tap over its output's sample in mode ``"same"``; by default half of the taps.
    flip : bool
        True for a convolution, as :func:`numpy.convolve`.
    dilation, stride : int
        Samples from a tap to the next, and from an output to the next.
    engine, algorithm : str, optional
        As for :func:`filter`.

    Returns
    -------
    array
        Of shape (..., outputs) and the type of `array`.

    Raises
    ------
    ValueError
        The message names the parameter.
    """
    import numpy

    samples = numpy.asarray(array)
    if samples.ndim == 0:
        raise ValueError("the signals have no dimension; samples are the last one")
    rows = numpy.ascontiguousarray(samples).reshape(-1, samples.shape[-1])
    taps = taps if isinstance(taps, str) else numpy.asarray(taps, float).ravel()
    result = _core.signal(
        rows, taps, empty_like, rate, mode, border, anchor, flip, dilation, stride, engine, algorithm
    )
    return result.reshape(samples.shape[:-1] + result.shape[-1:])


def bank(
    array: Any,
    weights: Any,
    *,
    bias: Sequence[float] = (),
    stride: int | tuple[int, int] = 1,
    dilation: int | tuple[int, int] = 1,
    padding: int | tuple[int, int] | str = 0,
    groups: int | None = None,
    border: str = "zero",
    layout: str = "nchw",
    tolerance: float = 0.0,
    engine: str = "auto",
    algorithm: str | None = None,
) -> Any:
    """Correlate all channels of a batch with many filters, as convolutional layers do.

    Parameters
    ----------
    array : array of 4 dimensions
        float32 in host memory, in the order of `layout`: items, channels, rows, columns.
    weights : array of shape (filters, channels / groups, rows, columns) or str
        Or a preset such as ``"gabor:orientations=4"``. Weights of one channel are for every channel by
        itself.
    bias : sequence of float
        A number per filter, or none.
    stride, dilation, padding : int or (rows, columns)
        As in :func:`torch.nn.functional.conv2d`; padding ``"same"`` gives as many outputs as inputs.
    groups : int, optional
        By default 1, or the number of channels for weights of one channel.
    border : str
        What the padding holds; as for :func:`filter`.
    layout : {"nchw", "nhwc", "chwn"}
        Of the batch and of the result.
    tolerance : float
        Relative to the largest number of the input.
    engine, algorithm : str, optional
        As for :func:`filter`.

    Returns
    -------
    array
        float32, in the same layout.

    Raises
    ------
    ValueError
        The message names the parameter.
    """
    import numpy

    def pair(value: Any) -> tuple[int, int]:
        return (value, value) if isinstance(value, int) else tuple(value)

    if isinstance(padding, str) and padding != "same":
        raise ValueError(f'padding is a number, (rows, columns) or "same", not "{padding}"')
    batch = numpy.ascontiguousarray(array)
    if not isinstance(weights, str):
        weights = numpy.ascontiguousarray(weights, numpy.float32)
    return _core.bank(
        batch,
        weights,
        empty_like,
        list(bias),
        pair(stride),
        pair(dilation),
        None if padding == "same" else pair(padding),
        groups,
        border,
        layout,
        tolerance,
        engine,
        algorithm,
    )
