"""Arrays in a GPU's memory by NVIDIA's driver alone, for tests on machines without CuPy and PyTorch."""

import ctypes

import numpy as np
import pytest


class Driver:
    """Skips the test where there is no driver or no GPU."""

    def __init__(self):
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
        except OSError:
            pytest.skip("no NVIDIA driver")
        if self.library.cuInit(0) != 0:
            pytest.skip("no usable NVIDIA GPU")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        assert status == 0, f"{name} failed with {status}"

    def stream(self):
        """The handle of a stream that does not wait for the default one."""
        handle = ctypes.c_void_p()
        self.call("cuStreamCreate", ctypes.byref(handle), 1)
        return handle.value

    def synchronize(self):
        self.call("cuCtxSynchronize")


class GpuArray:
    """A copy of a NumPy array in the GPU's memory; `offset` bytes behind the beginning of its memory."""

    def __init__(self, driver, array, offset=0):
        self.driver, self.like, self.memory = driver, np.ascontiguousarray(array), ctypes.c_uint64()
        driver.call("cuMemAlloc_v2", ctypes.byref(self.memory), ctypes.c_size_t(self.like.nbytes + offset))
        self.address = self.memory.value + offset
        self.upload(self.like)

    def __del__(self):
        self.driver.library.cuMemFree_v2(self.memory)

    @property
    def __cuda_array_interface__(self):
        return {
            "shape": self.like.shape,
            "typestr": self.like.dtype.str,
            "data": (self.address, False),
            "version": 3,
        }

    def upload(self, array, stream=None):
        self.driver.call(
            "cuMemcpyHtoDAsync_v2",
            ctypes.c_uint64(self.address),
            array.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_size_t(array.nbytes),
            ctypes.c_void_p(stream),
        )

    def download(self, stream=None):
        result = np.empty_like(self.like)
        self.driver.call(
            "cuMemcpyDtoHAsync_v2",
            result.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_uint64(self.address),
            ctypes.c_size_t(result.nbytes),
            ctypes.c_void_p(stream),
        )
        self.driver.call("cuStreamSynchronize", ctypes.c_void_p(stream))
        return result
