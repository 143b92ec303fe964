"""filter() on arrays in host memory: results, kinds, strides and messages."""

import numpy as np
import pytest

import kernelglass as kg
from conftest import noise

DTYPES = [np.uint8, np.uint16, np.float16, np.float32]


def test_a_box_has_the_sums_of_semantics():
    array = np.uint8([[0, 0, 9, 0, 0]])
    assert kg.filter(array, "box:size=3", border="zero").tolist() == [[0, 1, 1, 1, 0]]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shape", [(7, 5), (7, 5, 1), (7, 5, 2), (7, 5, 3), (7, 5, 4), (1, 1), (1, 9), (9, 1)]
)
def test_identity_returns_a_new_array_of_the_same_kind(rng, dtype, shape):
    array = noise(rng, shape, dtype)
    result = kg.filter(array, "identity")
    assert type(result) is np.ndarray and result.dtype == dtype and result.shape == shape
    assert not np.shares_memory(result, array)
    assert np.array_equal(result, array)


@pytest.mark.parametrize("dtype", DTYPES)
def test_views_of_any_strides_give_the_bytes_of_their_copies(rng, dtype):
    whole = noise(rng, (40, 60, 4), dtype)
    views = [
        whole[3:30, 5:50],
        whole[::2, ::3],
        whole[::-1],
        whole[:, ::-1],
        whole[..., :3],
        whole[..., ::-1],
        whole[..., 1],
        whole.transpose(1, 0, 2),
        whole[:1],
        whole[:, :1],
        np.broadcast_to(whole[:1], (9, 60, 4)),
    ]
    for view in views:
        expected = kg.filter(view.copy(), "gaussian:sigma=1")
        assert np.array_equal(kg.filter(view, "gaussian:sigma=1"), expected)
        out = np.zeros((*view.shape[:2], 2, *view.shape[2:]), dtype)[:, :, 0]  # with gaps between columns
        assert kg.filter(view, "gaussian:sigma=1", out=out) is out
        assert np.array_equal(out, expected)


def test_out_may_be_the_array_and_overlap_it(rng):
    array = noise(rng, (30, 30), np.uint8)
    expected = kg.filter(array, "gaussian:sigma=2")
    same = array.copy()
    assert kg.filter(same, "gaussian:sigma=2", out=same) is same
    assert np.array_equal(same, expected)
    memory = np.zeros((35, 30), np.uint8)
    memory[:30] = array
    kg.filter(memory[:30], "gaussian:sigma=2", out=memory[5:])
    assert np.array_equal(memory[5:], expected)


def test_a_read_only_array_and_other_buffers_are_sources(rng):
    array = noise(rng, (9, 9), np.uint8)
    expected = kg.filter(array, "box")
    array.flags.writeable = False
    assert np.array_equal(kg.filter(array, "box"), expected)
    assert np.array_equal(kg.filter(memoryview(array), "box"), expected)


@pytest.mark.parametrize(
    "depth,dtype", [("u8", np.uint8), ("u16", np.uint16), ("f16", np.float16), ("f32", np.float32)]
)
def test_depth_chooses_the_type_of_the_result(rng, depth, dtype):
    array = noise(rng, (8, 8), np.uint8)
    result = kg.filter(array, "identity", depth=depth)
    assert result.dtype == dtype
    assert np.array_equal(kg.filter(result, "identity", depth="u8"), array)


def test_half_floats_are_the_rounded_results_of_floats(rng):
    array = noise(rng, (20, 20, 3), np.float16)
    expected = kg.filter(array.astype(np.float32), "gaussian:sigma=1.5", depth="f16")
    assert np.array_equal(kg.filter(array, "gaussian:sigma=1.5"), expected)


def test_signed_keep_gives_floats_below_zero():
    array = np.zeros((3, 3), np.uint8)
    array[1, 1] = 255
    result = kg.filter(array, "laplacian", signed="keep")
    assert result.dtype == np.float32 and result.min() < 0


def test_alpha_weights_colour_only_where_it_is_asked_for():
    array = np.zeros((1, 3, 4), np.uint8)
    array[0, 1] = 255, 0, 0, 255
    plain = kg.filter(array, "box:size=3", border="zero")
    weighted = kg.filter(array, "box:size=3", border="zero", alpha=True)
    assert plain[0, 0].tolist() == [28, 0, 0, 28]
    assert weighted[0, 0].tolist() == [255, 0, 0, 28]
    kept = kg.filter(array, "box:size=3", border="zero", alpha="keep")
    assert kept[..., 3].tolist() == array[..., 3].tolist()
    assert np.array_equal(kg.filter(array, "box:size=3", border="zero", alpha="straight"), plain)


def test_an_opaque_image_has_the_bytes_of_one_without_alpha(rng):
    array = noise(rng, (12, 12, 4), np.uint8)
    array[..., 3] = 255
    result = kg.filter(array, "gaussian:sigma=1", alpha=True)
    assert np.array_equal(result[..., :3], kg.filter(array[..., :3], "gaussian:sigma=1"))


def test_channels_that_are_not_chosen_are_copied(rng):
    array = noise(rng, (8, 8, 3), np.uint8)
    result = kg.filter(array, "box:size=5", channels="g")
    assert np.array_equal(result[..., [0, 2]], array[..., [0, 2]])
    assert np.array_equal(result[..., 1], kg.filter(array[..., 1], "box:size=5"))


def test_settings_replace_those_of_the_recipe(rng):
    array = noise(rng, (8, 8), np.uint8)
    assert np.array_equal(
        kg.filter(array, "box | border=wrap", border="zero"), kg.filter(array, "box | border=zero")
    )
    assert not np.array_equal(kg.filter(array, "box | border=wrap"), kg.filter(array, "box | border=zero"))


def test_every_algorithm_that_fits_gives_the_same_bytes(rng):
    array = noise(rng, (50, 60, 3), np.uint8)
    expected = kg.filter(array, "gaussian:sigma=2", engine="cpu", algorithm="reference")
    ran = 0
    for answer in kg.explain("gaussian:sigma=2", array.shape, engine="cpu")["algorithms"]:
        if answer["why_not"] or answer["id"] == "convert":
            continue
        result = kg.filter(array, "gaussian:sigma=2", engine="cpu", algorithm=answer["id"])
        difference = np.abs(result.astype(int) - expected.astype(int)).max()
        assert difference <= 1, answer["id"]
        ran += 1
    assert ran >= 3


@pytest.mark.parametrize(
    "array,message",
    [
        ([[1, 2]], "the array is of type list, not an array"),
        (None, "the array is of type NoneType, not an array"),
        ("text", "the array is of type str, not an array"),
        (np.zeros((4, 4)), "numbers of type f64"),
        (np.zeros((4, 4), np.int8), "numbers of type i8"),
        (np.zeros((4, 4), bool), "numbers of a type that is not supported"),
        (np.zeros((4, 4), complex), "numbers of a type that is not supported"),
        (np.zeros((4, 4), ">u2"), "numbers of a type that is not supported"),
        (np.zeros((4, 4), object), "numbers of a type that is not supported"),
        (np.zeros((4, 4), "datetime64[s]"), "no format in Python's buffer protocol"),
        (np.zeros((4, 4), [("a", "u1")]), "numbers of a type that is not supported"),
        (np.zeros(4, np.uint8), "shape (4,)"),
        (np.zeros((), np.uint8), "0 dimensions"),
        (np.zeros((2, 2, 2, 2), np.uint8), "shape (2, 2, 2, 2)"),
        (np.zeros((4, 4, 5), np.uint8), "5 channels"),
        (np.zeros((4, 4, 0), np.uint8), "0 channels"),
        (np.zeros((0, 4), np.uint8), "no pixels"),
        (np.zeros((4, 0, 3), np.uint8), "no pixels"),
    ],
)
def test_what_is_no_image_is_a_value_error(array, message):
    with pytest.raises(ValueError) as error:
        kg.filter(array, "box")
    assert message in str(error.value)


@pytest.mark.parametrize(
    "out,message",
    [
        (np.zeros((4, 5), np.uint8), "out has shape (4, 5), and the result has (4, 4)"),
        (np.zeros((4, 4, 1), np.uint8), "out has shape (4, 4, 1)"),
        (np.zeros((4, 4), np.uint16), "out has numbers of type u16, and the result has u8"),
        (np.zeros((4, 4), np.int64), "numbers of type i64"),
        (np.broadcast_to(np.uint8(0), (4, 4)), "out is read-only"),
        ([[0] * 4] * 4, "out is of type list, not an array"),
        (bytes(16), "out has shape (16,)"),
    ],
)
def test_what_cannot_hold_the_result_is_a_value_error(out, message):
    with pytest.raises(ValueError) as error:
        kg.filter(np.zeros((4, 4), np.uint8), "box", out=out)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "settings,message",
    [
        ({"border": "mirror"}, '"mirror" is not a border'),
        ({"light": "dark"}, '"dark" is not a'),
        ({"alpha": "most", "channels": "r"}, "has no alpha"),
        ({"alpha": True}, "has no alpha"),
        ({"signed": "keep", "depth": "u8"}, "signed keep leaves values below 0"),
        ({"channels": "x"}, '"x" is not a choice of channels'),
        ({"depth": "u32"}, '"u32" is not a depth'),
        ({"tolerance": -1}, "a tolerance is 0 or more"),
        ({"tolerance": float("nan")}, "a tolerance is 0 or more"),
        ({"engine": "gpu"}, '"gpu" is not an engine'),
        ({"algorithm": "tiledd"}, 'no algorithm "tiledd"'),
    ],
)
def test_unknown_settings_are_value_errors(settings, message):
    with pytest.raises(ValueError) as error:
        kg.filter(np.zeros((4, 4, 3), np.uint8), "box", **settings)
    assert message in str(error.value)


def test_an_unknown_mode_for_alpha_is_a_value_error():
    with pytest.raises(ValueError, match='"most" is not a mode for alpha'):
        kg.filter(np.zeros((4, 4, 4), np.uint8), "box", alpha="most")


@pytest.mark.parametrize(
    "recipe,message",
    [
        ("gausian", 'there is no filter "gausian"; did you mean "gaussian"?'),
        ("box:size=0", "size"),
        ("", "no"),
        (3, "this one is of type int"),
        (None, "this one is of type NoneType"),
    ],
)
def test_what_is_no_recipe_is_a_value_error(recipe, message):
    array = np.zeros((4, 4), np.uint8)
    if recipe == "":  # as a file, it has no steps: the image is converted
        assert np.array_equal(kg.filter(array, recipe), array)
        return
    with pytest.raises(ValueError) as error:
        kg.filter(array, recipe)
    assert message in str(error.value)
