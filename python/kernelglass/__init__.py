"""Convolution filters for arrays, on an NVIDIA GPU or the processor.

Recipes, rules for exactness and results are those of the program kernelglass: see :func:`filter`.
"""

from kernelglass._core import Recipe, version as __version__
from kernelglass._explain import algorithms, explain
from kernelglass._filter import filter
from kernelglass._names import from_opencv, from_scipy, kernel
from kernelglass._program import batch, bench
from kernelglass._tensors import bank, signal

__all__ = [
    "Recipe",
    "algorithms",
    "bank",
    "batch",
    "bench",
    "explain",
    "filter",
    "from_opencv",
    "from_scipy",
    "kernel",
    "signal",
]
