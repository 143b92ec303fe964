"""explain() and algorithms(): what would run, and why."""

from __future__ import annotations

from typing import Any, Sequence

from kernelglass import _core


def explain(
    recipe: str | _core.Recipe,
    shape: Sequence[int] = (1080, 1920, 3),
    depth: str = "u8",
    *,
    alpha: bool = False,
    engine: str = "auto",
    algorithm: str | None = None,
) -> dict[str, Any]:
    """Describe a recipe's kernels and the algorithm that would compute it.

    Parameters
    ----------
    recipe : str or Recipe
        As for :func:`filter`.
    shape : sequence of int
        (height, width) or (height, width, channels) of the image.
    depth : str
        ``"u8"``, ``"u16"``, ``"f16"`` or ``"f32"``.
    alpha : bool
        The last channel is alpha.
    engine, algorithm : str, optional
        As for :func:`filter`.

    Returns
    -------
    dict
        ``recipe``, ``engine``, ``device``, ``algorithm``, ``reason``, ``notice`` and ``depth`` (of the
        result) as text; ``kernels``, a dict for each kernel with ``rows``, ``size``, ``anchor``, ``divisor``,
        ``rank``, ``gain``, ``verdict`` and ``remarks``; ``algorithms``, a dict for each with ``id``,
        ``why_not`` (empty where it fits) and the estimated ``microseconds``.

    Raises
    ------
    ValueError
        As for :func:`filter`.
    """
    if len(shape) not in (2, 3):
        raise ValueError(f"shape is (height, width) or (height, width, channels), not {tuple(shape)}")
    channels = shape[2] if len(shape) == 3 else 1
    return _core.explain(recipe, shape[1], shape[0], channels, depth, alpha, engine, algorithm)


def algorithms() -> list[dict[str, str]]:
    """List the algorithms of all engines.

    Returns
    -------
    list of dict
        ``id``, ``engine``, ``kind`` (``"image"``, ``"signal"`` or ``"bank"``), ``title``, ``summary``,
        ``source`` and ``unusable``: why it cannot be used on this machine, or an empty text.
    """
    return _core.algorithms()
