"""Arrays on a GPU. Skipped with the reason where there is none."""

import time

import numpy as np
import pytest

import kernelglass as kg
from conftest import noise
from cuda_driver import Driver, GpuArray


@pytest.fixture
def driver():
    made = Driver()
    if any(entry["engine"] == "cuda" and entry["unusable"] for entry in kg.algorithms()) or not any(
        entry["engine"] == "cuda" and entry["kind"] == "image" for entry in kg.algorithms()
    ):
        pytest.skip("the module has no usable CUDA engine")
    return made


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float16, np.float32])
@pytest.mark.parametrize("shape", [(61, 47), (64, 48, 3), (33, 65, 4)])
@pytest.mark.parametrize("recipe", ["gaussian:sigma=2", "sobel", "box:size=9 | sharpen"])
def test_the_result_is_that_of_the_engine_in_host_memory(driver, rng, dtype, shape, recipe):
    array = noise(rng, shape, dtype)
    out = GpuArray(driver, np.zeros_like(array))
    assert kg.filter(GpuArray(driver, array), recipe, out=out) is out
    driver.synchronize()
    assert np.array_equal(out.download(), kg.filter(array, recipe, engine="cuda"))


def test_work_is_in_the_order_of_the_stream(driver, rng):
    stream = driver.stream()
    first, second = noise(rng, (1500, 2000), np.uint8), noise(rng, (1500, 2000), np.uint8)
    array, out = GpuArray(driver, first), GpuArray(driver, first)
    expected = kg.filter(second, "gaussian:sigma=5", engine="cuda")
    for _ in range(20):
        array.upload(first, stream)
        kg.filter(array, "gaussian:sigma=5", out=out, stream=stream)
        array.upload(second, stream)
        kg.filter(array, "gaussian:sigma=5", out=out, stream=stream)
        assert np.array_equal(out.download(stream), expected)


def test_what_a_gpu_cannot_use_is_a_value_error(driver, rng):
    host = noise(rng, (8, 8, 4), np.uint8)
    array = GpuArray(driver, host)
    for call in (
        lambda: kg.filter(array, "box", engine="cpu", out=array),
        lambda: kg.filter(array, "box", out=array),
        lambda: kg.filter(array, "box", out=np.empty_like(host)),
        lambda: kg.filter(host, "box", out=array),
        lambda: kg.filter(GpuArray(driver, host, 1), "box", out=GpuArray(driver, host)),
    ):
        with pytest.raises(ValueError):
            call()


def test_the_time_of_a_call_is_reported(driver, rng, record_property):
    array, out = (GpuArray(driver, noise(rng, (64, 64), np.uint8)) for _ in range(2))
    calls = 2000
    for _ in range(100):
        kg.filter(array, "box:size=3", out=out)
    driver.synchronize()
    began = time.perf_counter()
    for _ in range(calls):
        kg.filter(array, "box:size=3", out=out)
    microseconds = (time.perf_counter() - began) / calls * 1e6
    driver.synchronize()
    record_property("microseconds", microseconds)
    print(f"{microseconds:.1f} us to enqueue a call")


def test_pytorch_and_cupy_get_their_own_arrays(driver, rng):
    array = noise(rng, (40, 50, 3), np.float32)
    expected = kg.filter(array, "gaussian:sigma=2", engine="cuda")
    ran = False
    for name in ("torch", "cupy"):
        try:
            library = __import__(name)
        except ImportError:
            continue
        given = library.asarray(array)
        if name == "torch":
            given = given.cuda()
        result = kg.filter(given, "gaussian:sigma=2")
        assert type(result) is type(given) and result.device == given.device
        back = result.cpu().numpy() if name == "torch" else library.asnumpy(result)
        assert np.array_equal(back, expected)
        ran = True
    if not ran:
        pytest.skip("neither PyTorch nor CuPy is installed")
