"""kernelglass.dask: chunks have the bytes of the whole image, in one process and in a cluster of four."""

import importlib

import numpy as np
import pytest

import kernelglass as kg
from conftest import noise
from kernelglass._arrays import empty_like
from test_docs import PAGE

da = pytest.importorskip("dask.array", reason="Dask is not installed: pip install 'kernelglass[dask]'")
kgd = importlib.import_module("kernelglass.dask")

BORDERS = ["zero", "replicate", "reflect", "reflect101", "wrap", "constant=0.5"]
RECIPES = [
    "gaussian:sigma=1.5",
    "sobel",
    "box:size=9",
    "gaussian:sigma=1 | sharpen",
    "emboss | motion:length=7:angle=30",
    "custom:size=4x2:weights=1,2,-3,4,5,6,7,8",
]
DTYPES = [np.uint8, np.uint16, np.float16, np.float32]


def expect_bytes_of_the_whole(image, chunks, recipe, **settings):
    """Returns the array of the result."""
    expected = kg.filter(image, recipe, **settings)
    lazy = kgd.filter(da.from_array(image, chunks=chunks), recipe, **settings)
    assert lazy.shape == expected.shape and lazy.dtype == expected.dtype
    result = lazy.compute(scheduler="synchronous")
    assert result.dtype == expected.dtype
    assert np.array_equal(result.view(np.uint8), expected.view(np.uint8))
    return lazy


@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_chunks_have_the_bytes_of_the_whole(rng, border, recipe, dtype):
    image = noise(rng, (149, 131), dtype)
    lazy = expect_bytes_of_the_whole(image, (37, 41), recipe, border=border, engine="cpu")
    assert lazy.npartitions == 1 if border == "wrap" else lazy.npartitions > 4


@pytest.mark.parametrize("border", ["reflect", "constant=0.5"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("depth", ["u8", "u16", "f16", "f32"])
def test_channels_and_depths(rng, border, dtype, depth):
    image = noise(rng, (90, 70, 3), dtype)
    for settings in ({"light": "linear"}, {"signed": "half"}, {"channels": "gb"}):
        expect_bytes_of_the_whole(
            image, (31, 29, 2), "gaussian:sigma=1 | laplacian", border=border, depth=depth, **settings
        )


@pytest.mark.parametrize("alpha", [None, True, "premultiplied", "straight", "keep"])
@pytest.mark.parametrize("opaque", ["everywhere", "but for a pixel", "nowhere"])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
def test_alpha_is_opaque_only_where_the_whole_is(rng, alpha, opaque, dtype):
    image = noise(rng, (120, 80, 4), dtype)
    if opaque != "nowhere":
        image[..., 3] = np.iinfo(dtype).max if dtype != np.float32 else 1
    if opaque == "but for a pixel":
        image[100, 70, 3] = 0
    for recipe in ("gaussian:sigma=2", "disk:radius=2.5 | sharpen"):
        expect_bytes_of_the_whole(image, (50, 33, 4), recipe, alpha=alpha)


@pytest.mark.parametrize("algorithm", ["direct", "separable", "float64"])
@pytest.mark.parametrize("chunks", [((1, 70, 129), (150,)), ((200,), (3, 100, 47)), ((64, 136), (64, 86))])
def test_odd_chunks_and_every_algorithm(rng, algorithm, chunks):
    image = noise(rng, (200, 150), np.float32)
    expect_bytes_of_the_whole(image, chunks, "gaussian:sigma=3", engine="cpu", algorithm=algorithm)


def test_chunks_smaller_than_the_halo_are_merged(rng):
    image = noise(rng, (80, 90), np.float32)
    lazy = expect_bytes_of_the_whole(image, (5, 5), "gaussian:sigma=3", engine="cpu", algorithm="direct")
    assert all(min(along) >= 12 for along in lazy.chunks) and lazy.npartitions > 1
    expect_bytes_of_the_whole(image[:7, :3], (2, 2), "gaussian:sigma=3")
    expect_bytes_of_the_whole(image[:1, :1], (1, 1), "gaussian:sigma=3", border="wrap")


@pytest.mark.parametrize("place,sources", [((0, 0), 4), ((1500, 1500), 9), ((3999, 0), 4)])
def test_a_chunk_reads_its_neighbours_alone(place, sources):
    read = []

    def source(block_info=None):
        read.append(block_info[None]["chunk-location"])
        return np.zeros((1000, 1000), np.uint8)

    lazy = da.map_blocks(
        source, chunks=((1000,) * 4, (1000,) * 4), dtype=np.uint8, meta=np.empty((0, 0), np.uint8)
    )
    result = kgd.filter(lazy, "box:size=9", engine="cpu")
    assert result.chunks == lazy.chunks
    result[place].compute(scheduler="synchronous")
    assert len(set(read)) == sources


def test_a_recipe_with_settings_and_a_kernel(rng):
    image = noise(rng, (70, 60), np.uint8)
    expect_bytes_of_the_whole(image, 30, kg.Recipe("box:size=5 | sobel", border="reflect", signed="keep"))
    expect_bytes_of_the_whole(image, 30, kg.kernel(rng.random((5, 3)), anchor=(0, 4), divisor="auto"))
    expect_bytes_of_the_whole(image, 30, "box:size=5", tolerance=0.01, linear=True)


def test_a_region_is_refused_without_its_halo():
    whole = dict(
        recipe="box:size=5", size=(90, 90), channels=1, depth="u8", has_alpha=False, linear=False,
        engine="cpu", algorithm="direct", is_opaque=False, outputs=(40, 40, 20, 20),
    )  # fmt: skip
    (y, x, rows, columns), depth, _ = kg._core.region(**whole)
    assert y <= 38 and (x, columns, depth) == (38, 24, "u8")
    held = np.zeros((rows, columns), np.uint8)
    assert kg._core.filter_region(held, (y, x), empty_like, **whole).shape == (20, 20)
    for array, begin, message in (
        (held[:-1], (y, x), "plans to read"),
        (held, (y + 1, x), "plans to read"),
        (held.astype(np.uint16), (y, x), "of u8"),
        (np.zeros((rows, columns, 3), np.uint8), (y, x), "with 1 channels"),
    ):
        with pytest.raises(ValueError, match=message):
            kg._core.filter_region(array, begin, empty_like, **whole)
    for outputs in ((80, 0, 11, 1), (-1, 0, 1, 1), (0, 0, 0, 1)):
        with pytest.raises(ValueError, match="not in an image"):
            kg._core.region(**{**whole, "outputs": outputs})


def test_chunks_of_any_strides_and_alignment(rng):
    image = noise(rng, (60, 50), np.uint16)
    unaligned = np.frombuffer(b"x" + image.tobytes(), np.uint16, offset=1).reshape(image.shape)
    assert not unaligned.flags.aligned  # as a cluster receives chunks
    for view in (unaligned, np.asfortranarray(image), image[::-1, ::2]):
        lazy = da.from_array(view, chunks=view.shape).map_blocks(lambda _, view=view: view, dtype=np.uint16)
        result = kgd.filter(lazy, "gaussian:sigma=1").compute(scheduler="synchronous")
        assert np.array_equal(result, kg.filter(view.copy(), "gaussian:sigma=1"))


@pytest.mark.parametrize(
    "array,settings,message",
    [
        (np.zeros((4, 4), np.uint8), {}, "an array of Dask"),
        (da.zeros((4, 4, 4, 4), dtype=np.uint8), {}, "has the shape"),
        (da.zeros((4, 4), dtype=np.int32), {}, "not int32"),
        (da.zeros((0, 4), dtype=np.uint8), {}, "no pixels"),
        (da.zeros((4, 4, 3), dtype=np.uint8), {"alpha": True}, "has no alpha"),
        (da.zeros((4, 4, 5), dtype=np.uint8), {}, "channels"),
        (da.zeros((4, 4), dtype=np.uint8), {"border": "mirror"}, "mirror"),
        (da.zeros((4, 4), dtype=np.uint8), {"algorithm": "tiledd"}, "tiledd"),
    ],
)
def test_what_does_not_fit_is_a_value_error_before_anything_is_computed(array, settings, message):
    with pytest.raises(ValueError, match=message):
        kgd.filter(array, "box", **settings)


def test_the_code_of_the_page_filters_zarr(rng, tmp_path, monkeypatch):
    pytest.importorskip("zarr", reason="Zarr is not installed")
    if not PAGE.exists():
        pytest.skip("the tests are not beside the documents")
    image = noise(rng, (70, 60, 3), np.uint8)
    monkeypatch.chdir(tmp_path)
    da.from_array(image, chunks=(30, 25, 3)).to_zarr("in.zarr")
    section = PAGE.read_text().partition("\n## Arrays of Dask\n")[2]
    exec(section.split("```\n")[1], {})
    expected = kg.filter(image, "gaussian:sigma=2", engine="cpu")
    assert np.array_equal(da.from_zarr("out.zarr").compute(), expected)


@pytest.mark.long
@pytest.mark.parametrize("engine", ["cpu", "cuda"])
def test_four_processes_filter_zarr_into_zarr(rng, tmp_path, engine):
    if not any(row["engine"] == engine and not row["unusable"] for row in kg.algorithms()):
        pytest.skip(f"there is no usable {engine} engine")
    distributed = pytest.importorskip("dask.distributed", reason="distributed is not installed")
    pytest.importorskip("zarr", reason="Zarr is not installed")
    image = noise(rng, (1500, 1300, 4), np.uint16)
    da.from_array(image, chunks=(300, 260, 4)).to_zarr(str(tmp_path / "in.zarr"))
    with (
        distributed.LocalCluster(
            n_workers=4,
            processes=True,
            threads_per_worker=1,
            dashboard_address=None,
            local_directory=str(tmp_path),
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.wait_for_workers(4)
        for number, (recipe, settings) in enumerate(
            (
                ("gaussian:sigma=2 | sharpen", {"border": "reflect", "alpha": True}),
                ("sobel", {"border": "constant=0.2", "signed": "keep"}),
                ("box:size=31", {"border": "zero", "depth": "f32"}),
            )
        ):
            target = str(tmp_path / f"out{number}.zarr")
            lazy = kgd.filter(da.from_zarr(str(tmp_path / "in.zarr")), recipe, engine=engine, **settings)
            assert lazy.npartitions > 4
            lazy.to_zarr(target)
            result = da.from_zarr(target).compute()
            expected = kg.filter(image, recipe, engine=engine, **settings)
            assert result.dtype == expected.dtype and np.array_equal(result, expected)
        done_by = client.run(lambda dask_worker: dask_worker.state.executed_count)
        assert len(done_by) == 4 and all(count > 0 for count in done_by.values())
