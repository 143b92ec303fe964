"""Recipes, kernels, explanations and lists."""

import pickle

import numpy as np
import pytest

import kernelglass as kg


def test_a_recipe_reads_back_from_text_json_and_pickle():
    recipe = kg.Recipe("gaussian:sigma=2 | sharpen | border=wrap", light="linear")
    assert recipe.steps == ["gaussian:sigma=2", "sharpen"]
    assert str(recipe) == recipe.text
    assert recipe.settings == {"border": "wrap", "light": "linear"}
    for copy in (
        kg.Recipe(recipe.text),
        kg.Recipe(recipe.json),
        kg.Recipe(recipe),
        eval(repr(recipe), vars(kg)),
        pickle.loads(pickle.dumps(recipe)),
    ):
        assert copy == recipe and hash(copy) == hash(recipe)
    assert recipe != kg.Recipe("gaussian:sigma=2") and recipe != "gaussian:sigma=2"


def test_a_preset_is_a_recipe():
    assert kg.Recipe("crisp").steps == ["unsharp:amount=0.3:sigma=5", "unsharp:amount=0.8:sigma=1"]


def test_recipes_follow_one_another():
    assert (kg.Recipe("box") | "sobel").steps == ["box", "sobel"]


def test_a_recipe_object_filters_as_its_text(rng):
    array = rng.integers(0, 256, (20, 20), dtype=np.uint8)
    recipe = kg.Recipe("gaussian:sigma=1 | sobel")
    assert np.array_equal(kg.filter(array, recipe), kg.filter(array, recipe.text))
    other = kg.Recipe("box:size=5")
    assert np.array_equal(kg.filter(array, other), kg.filter(array, "box:size=5"))


@pytest.mark.parametrize(
    "rows",
    [
        [[1, 2, 1], [2, 4, 2], [1, 2, 1]],
        np.float64([[1, 2, 1], [2, 4, 2], [1, 2, 1]]),
        (np.int8([1, 2, 1]), (2, 4, 2), [1, 2, 1]),
    ],
)
def test_rows_of_any_kind_are_a_kernel(rows):
    kernel = kg.explain(kg.kernel(rows, divisor="auto"))["kernels"][0]
    assert kernel["rows"] == [[1, 2, 1], [2, 4, 2], [1, 2, 1]]
    assert kernel["divisor"] == 16 and kernel["anchor"] == (1, 1) and kernel["rank"] == 1


def test_anchor_offset_and_flip_are_those_of_the_kernel():
    array = np.float32([[0, 0, 1, 0, 0]])
    rows = [[1, 2, 3]]
    assert kg.filter(array, kg.kernel(rows), border="zero").tolist() == [[0, 3, 2, 1, 0]]
    assert kg.filter(array, kg.kernel(rows, flip=True), border="zero").tolist() == [[0, 1, 2, 3, 0]]
    assert kg.filter(array, kg.kernel(rows, anchor=(0, 0)), border="zero").tolist() == [[3, 2, 1, 0, 0]]
    assert kg.filter(array, kg.kernel(rows, offset=0.5), border="zero").tolist() == [
        [0.5, 3.5, 2.5, 1.5, 0.5]
    ]


@pytest.mark.parametrize(
    "arguments,message",
    [
        (([[1, 2], [3]],), "row 2 of the kernel has 1 numbers, and the first has 2"),
        ((3,), "a kernel is a list of rows"),
        (([1, 2],), "a kernel is a list of rows"),
        (("abc",), "a kernel is a list of rows"),
        (([["a"]],), "is none"),
        (([[float("nan")]],), "finite"),
        (([],), "width and height must be 1 to 1025"),
        (([[0] * 1026],), "at most 1025"),
    ],
)
def test_what_is_no_kernel_is_a_value_error(arguments, message):
    with pytest.raises(ValueError) as error:
        kg.kernel(*arguments)
    assert message in str(error.value)


def test_parameters_of_a_kernel_are_checked():
    for settings in ({"divisor": 0}, {"divisor": "most"}, {"anchor": (3, 0)}, {"anchor": (-1, 0)}):
        with pytest.raises(ValueError):
            kg.kernel([[1, 1, 1]], **settings)


def test_explain_names_the_algorithm_that_runs():
    explanation = kg.explain("box:size=9", (64, 64), "u8", engine="cpu", algorithm="direct")
    assert explanation["algorithm"] == "direct" and explanation["engine"] == "cpu"
    assert explanation["kernels"][0]["size"] == (9, 9)
    assert {"direct", "reference"} <= {answer["id"] for answer in explanation["algorithms"]}
    with pytest.raises(ValueError):
        kg.explain("box", (64,))


def test_algorithms_lists_every_kind():
    listed = kg.algorithms()
    assert {entry["kind"] for entry in listed} == {"image", "signal", "bank"}
    assert any(entry["id"] == "reference" and entry["unusable"] == "" for entry in listed)


def test_names_of_other_libraries_are_translated():
    assert [kg.from_scipy(mode) for mode in ("reflect", "mirror", "nearest", "grid-wrap")] == [
        "reflect",
        "reflect101",
        "replicate",
        "wrap",
    ]
    assert kg.from_scipy("constant") == "zero" and kg.from_scipy("constant", 0.5) == "constant=0.5"
    assert kg.from_scipy("constant", np.float64(0.25)) == "constant=0.25"
    assert kg.from_opencv(0, np.float32(0.25)) == "constant=0.25"
    assert [kg.from_opencv(border) for border in range(5)] == [
        "zero",
        "replicate",
        "reflect",
        "wrap",
        "reflect101",
    ]
    for wrong in (lambda: kg.from_scipy("reflect101"), lambda: kg.from_opencv(5)):
        with pytest.raises(ValueError):
            wrong()
