"""The names of other libraries for borders, and kernels as they mean them."""

from __future__ import annotations

from typing import Any, Sequence

from kernelglass import _core

_SCIPY = {
    "reflect": "reflect",
    "grid-mirror": "reflect",
    "mirror": "reflect101",
    "nearest": "replicate",
    "wrap": "wrap",
    "grid-wrap": "wrap",
}
_OPENCV = {0: "zero", 1: "replicate", 2: "reflect", 3: "wrap", 4: "reflect101"}


def from_scipy(mode: str = "reflect", cval: float = 0.0) -> str:
    """The border that :mod:`scipy.ndimage` calls `mode`.

    Parameters
    ----------
    mode : str
        ``"reflect"``, ``"grid-mirror"``, ``"mirror"``, ``"nearest"``, ``"wrap"``, ``"grid-wrap"``,
        ``"constant"`` or ``"grid-constant"``.
    cval : float
        The number outside under the constants, in units of full scale: SciPy's divided by 255 for uint8.

    Returns
    -------
    str
        For the parameter `border` of :func:`filter`.
    """
    if mode in ("constant", "grid-constant"):
        return "zero" if cval == 0 else f"constant={float(cval)!r}"
    if mode not in _SCIPY:
        raise ValueError(
            f'"{mode}" is not a mode of scipy.ndimage; it is one of '
            f"{', '.join([*_SCIPY, 'constant', 'grid-constant'])}"
        )
    return _SCIPY[mode]


def from_opencv(border: int, value: float = 0.0) -> str:
    """The border of a constant such as ``cv2.BORDER_REFLECT_101``.

    Parameters
    ----------
    border : int
        ``BORDER_CONSTANT``, ``BORDER_REPLICATE``, ``BORDER_REFLECT``, ``BORDER_WRAP`` or
        ``BORDER_REFLECT_101``.
    value : float
        The number outside under ``BORDER_CONSTANT``, in units of full scale.

    Returns
    -------
    str
        For the parameter `border` of :func:`filter`.
    """
    if border not in _OPENCV:
        raise ValueError(
            f"{border} is not a border of OpenCV that has an equivalent here; it is one of "
            f"BORDER_CONSTANT, _REPLICATE, _REFLECT, _WRAP and _REFLECT_101"
        )
    return f"constant={float(value)!r}" if border == 0 and value != 0 else _OPENCV[border]


def kernel(
    rows: Any,
    *,
    anchor: Sequence[int] | None = None,
    divisor: float | str = 1.0,
    offset: float = 0.0,
    flip: bool = False,
) -> _core.Recipe:
    """A recipe of one kernel.

    Parameters
    ----------
    rows : sequence of sequences of float, or array of 2 dimensions
        The weights, row by row, up to 1025 x 1025.
    anchor : (x, y), optional
        The weight over the output's pixel; by default half of the width and height, rounded down. That of
        SciPy's `origin` o is ``n // 2 + o`` in each direction.
    divisor : float or "auto"
        Divides the sum; auto keeps the brightness of a constant image.
    offset : float
        Added in units of full scale.
    flip : bool
        True for a convolution, as :func:`scipy.ndimage.convolve`: weights and anchor are rotated by 180
        degrees.

    Returns
    -------
    Recipe

    Raises
    ------
    ValueError
        The message names the row or the parameter.
    """
    if isinstance(divisor, str) and divisor != "auto":
        raise ValueError(f'divisor is a number or "auto", not "{divisor}"')
    return _core.kernel(
        rows, None if anchor is None else tuple(anchor), None if divisor == "auto" else divisor, offset, flip
    )
