"""Results of the kind of the array that they are made from."""

from __future__ import annotations

import sys
from typing import Any

_NUMPY = {
    "u8": "uint8",
    "u16": "uint16",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "i32": "int32",
    "i64": "int64",
}


def empty_like(array: Any, element: str, shape: tuple[int, ...] | None = None) -> Any:
    """An array of the library and on the device of `array`, of its shape unless another is given."""
    name = _NUMPY[element]
    library = type(array).__module__.partition(".")[0]
    if library == "torch":
        torch = sys.modules["torch"]
        return torch.empty(
            array.shape if shape is None else shape, dtype=getattr(torch, name), device=array.device
        )
    if library == "cupy":
        cupy = sys.modules["cupy"]
        with cupy.cuda.Device(array.device):
            return cupy.empty(array.shape if shape is None else shape, dtype=name)
    if library != "numpy" and hasattr(array, "__cuda_array_interface__"):
        raise ValueError(f"an array of {library} is not made here; give one as out")
    import numpy

    if shape is None:
        shape = array.shape if hasattr(array, "shape") else numpy.asarray(array).shape
    return numpy.empty(shape, name)


def of_kind(array: Any, result: Any) -> Any:
    """The result of empty_like(), as an array of the library of `array` where that was a NumPy array."""
    if type(result) is type(array) or not hasattr(array, "__array_namespace__"):
        return result
    return array.__array_namespace__().from_dlpack(result)


def current_stream(array: Any) -> int | None:
    """The handle of the stream on which the array's library works now; None if it is not known."""
    library = type(array).__module__.partition(".")[0]
    if library == "torch":
        return sys.modules["torch"].cuda.current_stream(array.device).cuda_stream
    if library == "cupy":
        return sys.modules["cupy"].cuda.get_current_stream().ptr
    return None
