"""filter(): an array through a recipe."""

from __future__ import annotations

from typing import Any

from kernelglass import _core
from kernelglass._arrays import current_stream, empty_like, of_kind


def filter(
    array: Any,
    recipe: str | _core.Recipe,
    *,
    border: str | None = None,
    light: str | None = None,
    alpha: bool | str | None = None,
    signed: str | None = None,
    channels: str | None = None,
    depth: str | None = None,
    tolerance: float | None = None,
    engine: str = "auto",
    algorithm: str | None = None,
    linear: bool = False,
    out: Any = None,
    stream: int | None = None,
) -> Any:
    """Filter an image.

    Parameters
    ----------
    array : array of shape (height, width) or (height, width, channels)
        Pixels as uint8, uint16, float16 or float32; floats have white at 1. NumPy arrays with any strides,
        and arrays of CuPy, PyTorch and other libraries with ``__cuda_array_interface__`` or DLPack. An array
        on a GPU stays there, and needs rows without gaps between its pixels.
    recipe : str or Recipe
        Such as ``"gaussian:sigma=2 | sharpen"``, or the id of a preset; see :class:`Recipe`.
    border : str, optional
        ``"reflect101"`` (default), ``"reflect"``, ``"replicate"``, ``"wrap"``, ``"zero"`` or
        ``"constant=0.5"``: the pixels assumed outside the image. :func:`from_scipy` and :func:`from_opencv`
        translate names.
    light : str, optional
        ``"stored"`` (default) or ``"linear"``: sums are of the stored numbers or of linear light (sRGB).
    alpha : bool or str, optional
        None or False: no channel is alpha. Otherwise the last of 2 or 4 channels is alpha, which weights
        colour by ``"premultiplied"`` (the recipe's default), is a channel like any other by ``"straight"``,
        or is copied by ``"keep"``. True takes the recipe's.
    signed : str, optional
        ``"clamp"`` (default), ``"absolute"``, ``"half"`` or ``"keep"``: values below 0. ``"keep"`` gives
        floats.
    channels : str, optional
        Channels to filter, as letters of ``"rgba"``; the others are copied.
    depth : str, optional
        ``"u8"``, ``"u16"``, ``"f16"`` or ``"f32"``: of the result. By default that of the array.
    tolerance : float, optional
        Largest error allowed, as a fraction of full scale; admits faster algorithms. By default 0.
    engine : {"auto", "cpu", "cuda"}
        For arrays in host memory, auto is the predicted faster one. Arrays on a GPU are filtered there.
    algorithm : str, optional
        An id of :func:`algorithms`; by default the one predicted fastest.
    linear : bool
        The numbers are linear light already.
    out : array, optional
        Receives the result; of the result's shape and type. May be `array` itself in host memory.
    stream : int, optional
        Handle of the CUDA stream in whose order an array on a GPU is used. By default the current one of
        PyTorch or CuPy, or that of the array's interface.

    Returns
    -------
    array
        Of the kind of `array`: NumPy, CuPy, PyTorch, ...; `out` if it is given.

    Raises
    ------
    ValueError
        The recipe, the settings or the arrays do not fit; the message names cause and remedy.
    MemoryError
        There is not enough memory.

    Examples
    --------
    >>> import numpy as np
    >>> import kernelglass as kg
    >>> kg.filter(np.uint8([[0, 0, 9, 0, 0]]), "box:size=3", border="zero")
    array([[0, 1, 1, 1, 0]], dtype=uint8)
    """
    has_alpha = alpha is not None and alpha is not False
    return _core.filter(
        array,
        recipe,
        out,
        empty_like,
        of_kind,
        current_stream,
        border,
        light,
        alpha if has_alpha and alpha is not True else None,
        has_alpha,
        signed,
        channels,
        depth,
        tolerance,
        engine,
        algorithm,
        linear,
        stream,
    )
