#include "app/process/file/recipe_record.hpp"

#include "core/support/error.hpp"
#include "filters/recipe_file.hpp"

#include <algorithm>
#include <utility>

namespace kg {

std::optional<MadeBy> record_of(const Recipe& recipe, const Metadata& of_image) {
    auto done = recipe;
    std::erase_if(done.steps, [](const Step& step) { return !step.enabled; });
    if (done.steps.empty()) return made_by(of_image);
    constexpr std::size_t kLongest = 4096; // characters for people, who do not read thousands of weights
    auto text = to_text(done);
    if (text.size() > kLongest) text.clear();
    return MadeBy{"Kernelglass " KG_VERSION, std::move(text), to_json(done)};
}

Recipe recipe_of(const MadeBy& made, std::string_view name) {
    constexpr std::size_t kMostBytes = std::size_t{16} << 20;
    if (made.json.size() > kMostBytes)
        throw Error("recipe-too-long", "recipe in {}: it is longer than any that is written there", name);
    auto recipe = parse_recipe(made.json, "in " + std::string(name));
    if (recipe.steps.empty()) throw Error("recipe-without-steps", "recipe in {}: it has no steps", name);
    return recipe;
}

Recipe recipe_in_image(std::string_view bytes, std::string_view name) {
    const auto made = probe(bytes, name).made_by;
    if (!made)
        throw Error(
            "image-without-recipe",
            "{} is an image that carries no recipe; Kernelglass writes one into PNG, JPEG, TIFF, WebP "
            "and OpenEXR, but not with --strip or --no-recipe, and other programs may remove it",
            name);
    return recipe_of(*made, name);
}

std::string program_of(const MadeBy& made) {
    constexpr std::size_t kLongest = 60;
    auto program = made.program.substr(0, kLongest);
    std::ranges::replace_if(
        program, [](unsigned char c) { return c < 32 || c > 126; }, '?');
    return program.empty() ? "an unnamed program" : program;
}

} // namespace kg
