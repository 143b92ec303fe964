#include "python/module/recipes.hpp"

#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "filters/analysis.hpp"
#include "filters/preset.hpp"
#include "filters/recipe_file.hpp"

#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <atomic>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

namespace kg::python {

namespace {

std::uint64_t next_number() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

/// A number, from anything that float() accepts.
float number_of(nb::handle object) {
    const double value = PyFloat_AsDouble(object.ptr());
    if (value != -1 || !PyErr_Occurred()) return static_cast<float>(value);
    PyErr_Clear();
    throw Error("not-a-number", "a kernel's weights are numbers; {} is none",
                std::string_view(nb::repr(object).c_str()));
}

bool is_sequence(nb::handle object) {
    return PySequence_Check(object.ptr()) && !PyUnicode_Check(object.ptr());
}

std::vector<float> row_of(nb::handle row) {
    if (!is_sequence(row))
        throw Error("kernel-rows", "a kernel is a list of rows, each a list of numbers, or a 2-D array");
    std::vector<float> numbers;
    for (const auto item : nb::iter(row)) numbers.push_back(number_of(item));
    return numbers;
}

std::optional<std::string_view> text_of(nb::handle source) {
    std::string_view text;
    if (PyUnicode_Check(source.ptr()) && nb::try_cast(source, text)) return text;
    return std::nullopt;
}

Error not_a_recipe(nb::handle source) {
    return {"not-a-recipe",
            "a recipe is text such as \"gaussian:sigma=2 | sharpen\", or a kernelglass.Recipe; this one is "
            "of type {}; "
            "kernelglass.kernel() makes one of the rows of a kernel",
            std::string_view(nb::inst_name(source).c_str())};
}

/// The settings that are not the defaults, by the names of the command's flags.
nb::dict settings_of(const Recipe& recipe) {
    const Recipe usual;
    nb::dict settings;
    if (recipe.border != usual.border || recipe.border_colour != usual.border_colour)
        settings["border"] = border_text(recipe.border, recipe.border_colour);
    if (recipe.light != usual.light) settings["light"] = name(recipe.light);
    if (recipe.alpha != usual.alpha) settings["alpha"] = name(recipe.alpha);
    if (recipe.sign != usual.sign) settings["signed"] = name(recipe.sign);
    if (!recipe.channels.empty()) settings["channels"] = recipe.channels;
    if (recipe.depth) settings["depth"] = name(*recipe.depth);
    if (recipe.tolerance > 0) settings["tolerance"] = recipe.tolerance;
    return settings;
}

} // namespace

void Settings::apply_to(Recipe& recipe) const {
    if (border) std::tie(recipe.border, recipe.border_colour) = parse_border_and_colour(*border);
    if (light) recipe.light = parse_light(*light);
    if (alpha) recipe.alpha = parse_alpha(*alpha);
    if (sign) recipe.sign = parse_sign(*sign);
    if (channels) recipe.channels = parse_channels(*channels);
    if (depth) recipe.depth = parse_depth(*depth);
    if (!tolerance) return;
    if (!(*tolerance >= 0) || std::isinf(*tolerance))
        throw Error("bad-tolerance", "a tolerance is 0 or more, not {}", *tolerance);
    recipe.tolerance = *tolerance;
}

void Settings::append_to(std::string& key) const {
    for (const auto& text : {border, light, alpha, sign, channels, depth}) {
        if (text) key += *text;
        key += text ? '\x1f' : '\x1e';
    }
    if (tolerance) key.append(reinterpret_cast<const char*>(&*tolerance), sizeof *tolerance);
}

NumberedRecipe::NumberedRecipe(kg::Recipe given) : recipe(std::move(given)), number(next_number()) {}

Recipe recipe_of_text(std::string_view text) {
    for (const auto& preset : presets())
        if (preset.id == text) return preset.recipe;
    constexpr std::size_t kShown = 60;
    return parse_recipe(text, text.size() <= kShown ? in_quotes(text) : "as text");
}

Recipe recipe_of(nb::handle source) {
    if (const auto text = text_of(source)) return recipe_of_text(*text);
    NumberedRecipe* recipe = nullptr;
    if (nb::try_cast(source, recipe) && recipe) return recipe->recipe;
    throw not_a_recipe(source);
}

void append_key(nb::handle source, std::string& key) {
    if (const auto text = text_of(source)) {
        (key += *text) += '\0';
        return;
    }
    NumberedRecipe* recipe = nullptr;
    if (!nb::try_cast(source, recipe) || !recipe) throw not_a_recipe(source);
    (key += '#').append(reinterpret_cast<const char*>(&recipe->number), sizeof recipe->number);
}

Recipe kernel_recipe(nb::handle rows, std::optional<std::pair<int, int>> anchor, std::optional<float> divisor,
                     float offset, bool flip) {
    if (!is_sequence(rows))
        throw Error("kernel-rows", "a kernel is a list of rows, each a list of numbers, or a 2-D array");
    std::vector<float> weights;
    std::size_t width = 0, height = 0;
    for (const auto row : nb::iter(rows)) {
        const auto numbers = row_of(row);
        if (height++ == 0) width = numbers.size();
        if (numbers.size() != width)
            throw Error("kernel-rows", "row {} of the kernel has {} numbers, and the first has {}", height,
                        numbers.size(), width);
        weights.insert(weights.end(), numbers.begin(), numbers.end());
        if (width > kMaxKernelSize || height > kMaxKernelSize)
            throw Error("kernel-too-large", "a kernel has at most {} rows of {} numbers", kMaxKernelSize,
                        kMaxKernelSize);
    }
    Step step{.filter = "custom", .values = {}, .kernel = {}};
    step.kernel = make_kernel(static_cast<int>(width), static_cast<int>(height), std::move(weights));
    auto& kernel = *step.kernel;
    if (anchor) std::tie(kernel.anchor_x, kernel.anchor_y) = *anchor;
    kernel.divisor = divisor.value_or(auto_divisor(kernel));
    kernel.offset = offset;
    kernel.flip = flip;
    validate(kernel);
    Recipe recipe;
    recipe.steps.push_back(std::move(step));
    return recipe;
}

void bind_recipes(nb::module_& module) {
    using OptionalText = std::optional<std::string_view>;
    nb::class_<NumberedRecipe>(
        module, "Recipe", R"(Steps in order, and how image borders, light, alpha and channels are treated.

Parameters
----------
source : str or Recipe
    Text such as ``"gaussian:sigma=2 | sharpen | border=wrap"``, the JSON of a recipe file, the id of a
    preset, or another recipe.
border, light, alpha, signed, channels, depth, tolerance : optional
    Replace the recipe's settings; as for :func:`kernelglass.filter`.

Raises
------
ValueError
    The text is not a recipe; the message names line and column.
)")
        .def(
            "__init__",
            [](NumberedRecipe* self, nb::handle source, OptionalText border, OptionalText light,
               OptionalText alpha, OptionalText sign, OptionalText channels, OptionalText depth,
               std::optional<double> tolerance) {
                auto recipe = recipe_of(source);
                Settings{border, light, alpha, sign, channels, depth, tolerance}.apply_to(recipe);
                new (self) NumberedRecipe(std::move(recipe));
            },
            nb::arg("source").none(), nb::kw_only(), nb::arg("border") = nb::none(),
            nb::arg("light") = nb::none(), nb::arg("alpha") = nb::none(), nb::arg("signed") = nb::none(),
            nb::arg("channels") = nb::none(), nb::arg("depth") = nb::none(),
            nb::arg("tolerance") = nb::none(),
            nb::sig("def __init__(self, source: str | Recipe, *, border: str | None = None, "
                    "light: str | None = None, alpha: str | None = None, signed: str | None = None, "
                    "channels: str | None = None, depth: str | None = None, "
                    "tolerance: float | None = None) -> None"))
        .def_prop_ro(
            "text", [](const NumberedRecipe& self) { return to_text(self.recipe); },
            "The recipe as one line of text, which reads back as the same recipe.")
        .def_prop_ro(
            "json", [](const NumberedRecipe& self) { return to_json(self.recipe); },
            "The content of a recipe file in JSON.")
        .def_prop_ro(
            "steps",
            [](const NumberedRecipe& self) {
                nb::list steps;
                for (const auto& step : self.recipe.steps) steps.append(to_text(step));
                return steps;
            },
            nb::sig("def steps(self) -> list[str]"), "The steps as text.")
        .def_prop_ro(
            "settings", [](const NumberedRecipe& self) { return settings_of(self.recipe); },
            nb::sig("def settings(self) -> dict[str, str | float]"),
            "The settings that are not the defaults, by the names of filter()'s parameters.")
        .def(
            "__or__",
            [](const NumberedRecipe& self, nb::handle more) {
                auto recipe = self.recipe;
                append(recipe, recipe_of(more));
                return NumberedRecipe(std::move(recipe));
            },
            nb::sig("def __or__(self, more: str | Recipe) -> Recipe"),
            "This recipe followed by the steps of another; its settings win where they are not the defaults.")
        .def("__str__", [](const NumberedRecipe& self) { return to_text(self.recipe); })
        .def("__repr__",
             [](const NumberedRecipe& self) {
                 return "Recipe(" + std::string(nb::repr(nb::cast(to_text(self.recipe))).c_str()) + ")";
             })
        .def(
            "__eq__",
            [](const NumberedRecipe& self, nb::handle other) {
                NumberedRecipe* recipe = nullptr;
                return nb::try_cast(other, recipe) && recipe && recipe->recipe == self.recipe;
            },
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__",
             [](const NumberedRecipe& self) { return std::hash<std::string>()(to_text(self.recipe)); })
        .def(
            "__reduce__",
            [](nb::handle self) {
                return nb::make_tuple(self.type(),
                                      nb::make_tuple(to_json(nb::cast<NumberedRecipe&>(self).recipe)));
            },
            nb::sig("def __reduce__(self) -> tuple"));
    module.def(
        "kernel",
        [](nb::handle rows, std::optional<std::pair<int, int>> anchor, std::optional<float> divisor,
           float offset,
           bool flip) { return NumberedRecipe(kernel_recipe(rows, anchor, divisor, offset, flip)); },
        nb::arg("rows").none(), nb::arg("anchor").none(), nb::arg("divisor").none(), nb::arg("offset"),
        nb::arg("flip"));
}

} // namespace kg::python
