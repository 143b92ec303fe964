#include "app/process/file_request.hpp"

#include "app/io/metadata/colour.hpp"
#include "app/io/fitting.hpp"
#include "app/io/pixels.hpp"
#include "core/support/error.hpp"
#include "core/image/opaque.hpp"

#include <utility>

namespace kg {

namespace {

/// What is to change between stored and linear light must not be multiplied by alpha meanwhile (semantics 5).
bool is_to_be_divided(const PixelFormat& pixels) { return !pixels.linear && pixels.premultiplied; }

/// True if the result cannot leave multiplied by alpha: the curve is not for such colour.
bool meets_curve(const ImageRequest& r) {
    const bool works_linear = r.in.linear || (r.light == Light::linear && !r.stages.empty());
    return works_linear != r.out.linear && (!r.out.linear || uses_coverage(r));
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
    const auto view = std::as_const(picture.image).view();
    // Colours that change stay floats until the result is stored (semantics 7).
    if (has_other_colours(picture) || is_to_be_divided(pixels))
        picture.image = io::converted(view, Depth::f32, pixels.linear && pixels.premultiplied);
    convert_to_srgb(picture);
}

FileRequest file_request(Picture& picture, const Recipe& recipe, std::string_view format) {
    const auto read_as = picture.image.format().depth;
    prepare_colours(picture, recipe, format);
    const auto& file = format_of(format);
    FileRequest result{request_for(recipe, picture.image.size(), picture.image.format()), {}};
    auto& out = result.request.out;
    if (recipe.sign == SignedMode::keep) out.depth = depth_for_signed(recipe, file);
    else if (!recipe.depth && picture.stored == Depth::f16)
        out.depth = Depth::f16; // such files are read as f32
    else if (!recipe.depth) out.depth = read_as;
    const auto depth = storable(format, out.depth).depth;
    if (depth != out.depth)
        result.notes.push_back(std::string(file.title) + " does not hold " + std::string(name(out.depth)) +
                               ": written as " + std::string(name(depth)));
    out.depth = depth;
    out.linear = file.linear;
    out.premultiplied = out.alpha >= 0 && io::holds_premultiplied(file, picture.metadata);
    if (out.premultiplied && meets_curve(result.request)) { // the writer multiplies, and then rounds, once
        out.premultiplied = false;
        out.depth = Depth::f32;
        picture.write_as = depth;
    }
    validate(result.request);
    auto plain = for_opaque(result.request);
    result.opaque = plain.alpha != result.request.alpha && is_opaque(std::as_const(picture.image).view());
    if (result.opaque) result.request = std::move(plain);
    return result;
}

PixelFormat stored_pixels(PixelFormat result, const Picture& made_from) {
    result.depth = made_from.write_as.value_or(result.depth);
    return result;
}

} // namespace kg
