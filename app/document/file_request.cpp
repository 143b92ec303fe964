#include "app/document/file_request.hpp"

#include "app/io/colour.hpp"
#include "app/io/pixels.hpp"

namespace kg {

namespace {

/// Semantics 5: what is summed in linear light must be sRGB or linear already, and not multiplied by alpha.
void bring_to_light(Picture& picture) {
    convert_to_srgb(picture);
    const auto& format = picture.image.format();
    if (!format.linear && format.premultiplied)
        picture.image = io::with_premultiplied(picture.image.view(), false);
}

} // namespace

FileRequest file_request(Picture& picture, const Recipe& recipe, std::string_view format) {
    auto pixels = picture.image.format();
    pixels.linear = picture.linear;
    picture.image.relabel(pixels);
    if (recipe.light == Light::linear) bring_to_light(picture);

    FileRequest result{request_for(recipe, picture.image.size(), picture.image.format()), {}};
    auto& out = result.request.out;
    const auto& file = format_of(format);
    const bool keeps_f16 = !recipe.depth && picture.stored == Depth::f16 && recipe.sign != SignedMode::keep;
    if (keeps_f16) out.depth = Depth::f16; // such files are read as f32
    const auto depth = storable(format, out.depth).depth;
    if (depth != out.depth)
        result.notes.push_back(std::string(file.title) + " does not hold " + std::string(name(out.depth)) +
                               ": written as " + std::string(name(depth)));
    out.depth = depth;
    out.linear = file.linear;
    out.premultiplied = file.premultiplied && out.alpha >= 0;
    validate(result.request);
    return result;
}

} // namespace kg
