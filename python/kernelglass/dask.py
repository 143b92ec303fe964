"""Arrays of Dask, chunk by chunk, with the bytes of the whole image. Needs ``kernelglass[dask]``."""

from __future__ import annotations

from itertools import accumulate, product
from typing import Any

import dask.array as da
import numpy as np
from dask.array.overlap import ensure_minimum_chunksize

from kernelglass import _core
from kernelglass._arrays import _NUMPY, empty_like

__all__ = ["filter"]

_DEPTHS = {np.dtype(_NUMPY[depth]): depth for depth in ("u8", "u16", "f16", "f32")}
_Halo = dict[int, tuple[int, int]]


def filter(
    array: da.Array,
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
) -> da.Array:
    """Filter an image that is a Dask array: lazily, and on any scheduler.

    A chunk and its halo, the pixels around it that its outputs depend on, are filtered as a rectangle of the
    whole image by the plan for the whole image. The result therefore has the bytes of
    :func:`kernelglass.filter` on the whole image, if all processes choose the same engine and algorithm.

    Parameters
    ----------
    array : dask.array.Array of shape (height, width) or (height, width, channels)
        uint8, uint16, float16 or float32, in chunks of NumPy arrays of known sizes. Chunks smaller than the
        halo are merged, and all channels become one chunk. Under ``border="wrap"`` the edges of an image
        depend on the opposite ones, and the chunks grow to nearly all of it.
    recipe, border, light, alpha, signed, channels, depth, tolerance, engine, algorithm, linear
        As for :func:`kernelglass.filter`. The engine is that of each worker; ``"cuda"`` copies chunks to the
        worker's GPU. The process that calls this function plans too, and needs an engine of the same kind.

    Returns
    -------
    dask.array.Array
        Of the same shape.

    Raises
    ------
    ValueError
        As for :func:`kernelglass.filter`. Also raised by a worker whose plan needs a larger halo than the
        plan of this process, because it chose another engine or algorithm.

    Examples
    --------
    >>> import dask.array as da
    >>> import kernelglass.dask
    >>> image = da.from_zarr("in.zarr")
    >>> kernelglass.dask.filter(image, "gaussian:sigma=2").to_zarr("out.zarr")
    """
    _check(array)
    has_alpha = alpha is not None and alpha is not False
    if has_alpha and (array.ndim == 2 or array.shape[2] % 2):
        raise ValueError(
            f"an array of shape {array.shape} has no alpha: alpha is the last of 2 or 4 channels"
        )
    whole = {
        "recipe": _core.Recipe(
            recipe,
            border=border,
            light=light,
            alpha=alpha if isinstance(alpha, str) else None,
            signed=signed,
            channels=channels,
            depth=depth,
            tolerance=tolerance,
        ).json,  # text, by which a process finds the plan again
        "size": array.shape[:2],
        "channels": array.shape[2] if array.ndim == 3 else 1,
        "depth": _DEPTHS[array.dtype],
        "has_alpha": has_alpha,
        "linear": linear,
        "engine": engine,
        "algorithm": algorithm,
    }
    _, result_depth, depends_on_opaque = _core.region(**whole, is_opaque=False, outputs=(0, 0, 1, 1))
    may_be_opaque = depends_on_opaque and array.dtype.kind == "u"
    array, halo = _with_room(array, whole, [False, True] if may_be_opaque else [False])
    dtype = np.dtype(_NUMPY[result_depth])
    return da.map_overlap(
        _filter_chunk,
        array,
        depth=halo,
        boundary="none",
        trim=False,
        allow_rechunk=False,
        dtype=dtype,
        meta=np.empty((0,) * array.ndim, dtype),
        chunks=array.chunks,
        halo=halo,
        whole=whole,
        is_opaque=_is_opaque(array) if may_be_opaque else False,
    )


def _check(array: Any) -> None:
    if not isinstance(array, da.Array):
        raise ValueError(f"an array of Dask is needed, not {type(array).__name__}; see dask.array.from_array")
    if array.ndim not in (2, 3):
        raise ValueError(
            f"an image has the shape (height, width) or (height, width, channels), not {array.shape}"
        )
    if array.dtype not in _DEPTHS:
        raise ValueError(f"pixels are uint8, uint16, float16 or float32, not {array.dtype}")
    if np.isnan(array.shape).any():
        raise ValueError("the sizes of chunks are unknown; array.compute_chunk_sizes() finds them")
    if 0 in array.shape:
        raise ValueError(f"an array of shape {array.shape} holds no pixels")


def _is_opaque(array: da.Array) -> da.Array:
    """Whether alpha is full everywhere, which is a property of the whole image (semantics 7)."""
    return (array[..., -1] == np.iinfo(array.dtype).max).all()


def _with_room(array: da.Array, whole: dict, opacities: list[bool]) -> tuple[da.Array, _Halo]:
    """The array in chunks that are no smaller than the halo, and the halo before and behind them."""
    if array.ndim == 3:
        array = array.rechunk({2: -1})
    while True:
        halo = _halo(array.chunks, whole, opacities)
        chunks = {axis: ensure_minimum_chunksize(max(halo[axis]), array.chunks[axis]) for axis in halo}
        if all(chunks[axis] == array.chunks[axis] for axis in halo):
            return array, halo
        array = array.rechunk(chunks)


def _halo(chunks: tuple, whole: dict, opacities: list[bool]) -> _Halo:
    """Rows (axis 0) and columns (axis 1) that any chunk needs before its first and behind its last."""
    top = left = bottom = right = 0
    ys, xs = ([(end - n, n) for end, n in zip(accumulate(along), along)] for along in chunks[:2])
    for (y, rows), (x, columns), is_opaque in product(ys, xs, opacities):
        (first_y, first_x, all_rows, all_columns), _, _ = _core.region(
            **whole, is_opaque=is_opaque, outputs=(y, x, rows, columns)
        )
        top, left = max(top, y - first_y), max(left, x - first_x)
        bottom = max(bottom, first_y + all_rows - y - rows)
        right = max(right, first_x + all_columns - x - columns)
    return {0: (top, bottom), 1: (left, right)}


def _filter_chunk(
    chunk: np.ndarray, halo: _Halo, whole: dict, is_opaque: bool, block_info: dict | None = None
) -> np.ndarray:
    """The outputs of a chunk, which comes with its halo inside the image."""
    (y, bottom), (x, right) = block_info[None]["array-location"][:2]
    return _core.filter_region(
        chunk,
        (max(0, y - halo[0][0]), max(0, x - halo[1][0])),
        empty_like,
        **whole,
        is_opaque=bool(is_opaque),
        outputs=(y, x, bottom - y, right - x),
    )
