#include "app/process/file/file_request.hpp"

#include "app/io/fitting.hpp"
#include "app/io/metadata/colour.hpp"
#include "app/io/pixels.hpp"
#include "app/process/file/recipe_record.hpp"
#include "core/request/opaque.hpp"
#include "core/support/error.hpp"

#include <utility>

namespace kg {

namespace {

/// Colour that is converted between stored and linear light must not be premultiplied meanwhile (semantics
/// 5).
bool is_to_be_divided(const PixelFormat& pixels) { return !pixels.linear && pixels.premultiplied; }

/// True if the result cannot be premultiplied, because the transfer curve does not apply to premultiplied
/// colour.
bool meets_curve(const ImageRequest& r) {
    const bool works_linear = r.in.linear || (r.light == Light::linear && !r.stages.empty());
    return works_linear != r.out.linear && (!r.out.linear || is_alpha_weighted(r));
}

/// The depth for values below 0, which must be a float in the result and in the file.
Depth depth_in_file(const Recipe& recipe, const FileFormat& file) {
    const auto wanted = depth_for_signed(recipe);
    if (is_integer(storable(file.id, wanted).depth))
        throw Error(
            "format-cannot-hold-signed",
            "signed keep leaves values below 0 as they are, which {} cannot hold; write .tif, .exr or "
            ".pfm, or choose signed clamp, half or absolute",
            file.title);
    return wanted;
}

} // namespace

void prepare_colours(LoadedImage& image, const Recipe& recipe, std::string_view format,
                     ImageMemorySource* memory) {
    auto pixels = image.pixels.format();
    pixels.linear = image.linear;
    image.pixels.relabel(pixels);
    if (recipe.light != Light::linear && format_of(format).linear == image.linear) return;
    const auto view = std::as_const(image.pixels).view();
    // Colours that are converted stay floats until the result is stored (semantics 7).
    if (has_other_colours(image) || is_to_be_divided(pixels))
        image.pixels = io::converted(view, Depth::f32, pixels.linear && pixels.premultiplied, memory);
    convert_to_srgb(image);
}

FileRequest file_request(LoadedImage& image, const Recipe& recipe, std::string_view format,
                         ImageMemorySource* memory) {
    const auto read_as = image.pixels.format().depth;
    prepare_colours(image, recipe, format, memory);
    const auto& file = format_of(format);
    FileRequest result{request_for(recipe, image.pixels.size(), image.pixels.format()), {}};
    auto& out = result.request.out;
    if (recipe.sign == SignedMode::keep) out.depth = depth_in_file(recipe, file);
    else if (!recipe.depth && image.stored == Depth::f16)
        out.depth = Depth::f16; // such files are read as f32
    else if (!recipe.depth) out.depth = read_as;
    const auto depth = storable(format, out.depth).depth;
    if (depth != out.depth)
        result.notes.push_back(std::string(file.title) + " does not hold " + std::string(name(out.depth)) +
                               ": written as " + std::string(name(depth)));
    out.depth = depth;
    out.linear = file.linear;
    out.premultiplied = out.alpha >= 0 && io::holds_premultiplied(file, image.metadata);
    if (out.premultiplied && meets_curve(result.request)) { // the writer multiplies and then rounds once
        out.premultiplied = false;
        out.depth = Depth::f32;
        image.write_as = depth;
    }
    validate(result.request);
    result.opaque = depends_on_opaque(result.request) && is_opaque(std::as_const(image.pixels).view());
    if (result.opaque) result.request = for_opaque(std::move(result.request));
    return result;
}

WriteOptions result_options(const LoadedImage& made_from, const Recipe& recipe, const WriteOptions& options) {
    auto own = options;
    own.metadata = &made_from.metadata;
    own.depth = made_from.write_as;
    own.made_by = record_of(recipe, made_from.metadata);
    return own;
}

Encoded encode_result(const ConstImageView& result, const LoadedImage& made_from, const Recipe& recipe,
                      std::string_view format, std::string_view name, const WriteOptions& options) {
    return encode_image(result, format, name, result_options(made_from, recipe, options));
}

PixelFormat stored_pixels(PixelFormat result, const LoadedImage& made_from) {
    result.depth = made_from.write_as.value_or(result.depth);
    return result;
}

} // namespace kg
