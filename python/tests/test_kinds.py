"""Arrays of other libraries, by stand-ins that have their protocols alone."""

import numpy as np
import pytest

import kernelglass as kg
from conftest import noise


class Foreign:
    """An array with DLPack and no buffer, such as one of JAX."""

    def __init__(self, array):
        self.array = array
        self.shape = array.shape

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Standard(Foreign):
    """The same of a library with the array API standard."""

    def __array_namespace__(self):
        class Namespace:
            from_dlpack = staticmethod(lambda array: Standard(np.from_dlpack(array)))

        return Namespace


class OnGpu:
    """An array on a GPU; there is no memory at its address."""

    shape = (4, 4)

    def __init__(self, kind="<f4"):
        self.__cuda_array_interface__ = {
            "shape": (4, 4),
            "typestr": kind,
            "data": (4096, False),
            "version": 3,
            "strides": None,
        }


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float16, np.float32])
def test_dlpack_without_a_buffer(rng, dtype):
    array = noise(rng, (9, 8, 3), dtype)
    expected = kg.filter(array, "gaussian:sigma=1")
    assert np.array_equal(kg.filter(Foreign(array), "gaussian:sigma=1"), expected)
    assert np.array_equal(
        kg.filter(Foreign(array[::2, :, ::-1]), "gaussian:sigma=1"),
        kg.filter(array[::2, :, ::-1], "gaussian:sigma=1"),
    )
    out = Foreign(np.empty_like(array))
    assert kg.filter(array, "gaussian:sigma=1", out=out) is out
    assert np.array_equal(out.array, expected)


def test_a_library_with_the_standard_gets_its_own_kind(rng):
    array = noise(rng, (9, 8), np.uint8)
    result = kg.filter(Standard(array), "box")
    assert type(result) is Standard
    assert np.array_equal(result.array, kg.filter(array, "box"))


def test_pytorch_gets_tensors(rng):
    torch = pytest.importorskip("torch")
    array = noise(rng, (9, 8), np.uint8)
    result = kg.filter(torch.from_numpy(array), "box")
    assert isinstance(result, torch.Tensor) and np.array_equal(result.numpy(), kg.filter(array, "box"))


def test_memory_of_no_gpu_is_a_value_error():
    array = np.zeros((4, 4), np.float32)
    for call in (
        lambda: kg.filter(OnGpu(), "box"),
        lambda: kg.filter(array, "box", out=OnGpu()),
        lambda: kg.filter(OnGpu("<c8"), "box"),
        lambda: kg.filter(OnGpu(3), "box"),
    ):
        with pytest.raises(ValueError):
            call()
