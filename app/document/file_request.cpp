#include "app/document/file_request.hpp"

#include "app/io/colour.hpp"
#include "app/io/pixels.hpp"
#include "core/error.hpp"
#include "core/opaque.hpp"

#include <utility>

namespace kg {

namespace {

/// What is to change between stored and linear light must not be multiplied by alpha meanwhile (semantics 5).
void divide_by_alpha(Picture& picture) {
    const auto& format = picture.image.format();
    if (!format.linear && format.premultiplied)
        picture.image = io::with_premultiplied(picture.image.view(), false);
}

/// Values below 0 need floats, of the result and in the file.
Depth depth_for_signed(const Recipe& recipe, const FileFormat& file) {
    const auto wanted = recipe.depth.value_or(Depth::f32);
    const std::string rule = "signed keep leaves values below 0 as they are, which ";
    if (is_integer(wanted))
        throw Error(rule + std::string(name(wanted)) +
                    " cannot hold; choose depth f32 or f16, or signed clamp, half or absolute");
    if (is_integer(storable(file.id, wanted).depth))
        throw Error(rule + std::string(file.title) +
                    " cannot hold; write .tif, .exr or .pfm, or choose signed clamp, half or absolute");
    return wanted;
}

} // namespace

void prepare_colours(Picture& picture, const Recipe& recipe, std::string_view format) {
    auto pixels = picture.image.format();
    pixels.linear = picture.linear;
    picture.image.relabel(pixels);
    if (recipe.light != Light::linear && format_of(format).linear == picture.linear) return;
    convert_to_srgb(picture);
    divide_by_alpha(picture);
}

FileRequest file_request(Picture& picture, const Recipe& recipe, std::string_view format) {
    prepare_colours(picture, recipe, format);
    const auto& file = format_of(format);
    FileRequest result{request_for(recipe, picture.image.size(), picture.image.format()), {}};
    auto& out = result.request.out;
    if (recipe.sign == SignedMode::keep) out.depth = depth_for_signed(recipe, file);
    else if (!recipe.depth && picture.stored == Depth::f16)
        out.depth = Depth::f16; // such files are read as f32
    const auto depth = storable(format, out.depth).depth;
    if (depth != out.depth)
        result.notes.push_back(std::string(file.title) + " does not hold " + std::string(name(out.depth)) +
                               ": written as " + std::string(name(depth)));
    out.depth = depth;
    out.linear = file.linear;
    // Where light changes, colour leaves straight: the curve is not for what is multiplied by alpha. Encoders multiply.
    out.premultiplied = file.premultiplied && out.alpha >= 0 && out.linear == result.request.in.linear;
    validate(result.request);
    auto plain = for_opaque(result.request);
    result.opaque = plain.alpha != result.request.alpha && is_opaque(std::as_const(picture.image).view());
    if (result.opaque) result.request = std::move(plain);
    return result;
}

} // namespace kg
