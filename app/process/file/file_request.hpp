#pragma once
// From an opened image, a recipe and the format of the output file to a request, and from its result to that
// file.

#include "app/io/image_file.hpp"
#include "filters/recipe.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kg {

struct FileRequest {
    ImageRequest request;
    /// What the format cannot hold unchanged: "PNG does not hold f32: written as u16".
    std::vector<std::string> notes;
    bool opaque = false; ///< alpha is full everywhere, which changes the request (core/request/opaque.hpp)
};

/// The first half of file_request(), for chunks of an image: converts the samples to the colours of the
/// request. Converted pixels are in memory of the source as far as it goes.
void prepare_colours(LoadedImage& image, const Recipe& recipe, std::string_view format,
                     ImageMemorySource* memory = nullptr);

/// Uses the depth of the recipe, else that of the file, as far as `format` (id or extension) holds it, and
/// the light and the premultiplication of that format. If the light changes, colours are first converted to
/// sRGB if their profile is another one (semantics 5), and are not premultiplied in the result. If alpha is
/// full everywhere, there is no alpha weighting (core/request/opaque.hpp). Throws Error, also if signed
/// results are to be kept in a depth without values below 0. `memory` as above.
FileRequest file_request(LoadedImage& image, const Recipe& recipe, std::string_view format,
                         ImageMemorySource* memory = nullptr);

/// Extends `options` for the file of a result by the metadata of the source image, which must outlive them,
/// and by the recipe.
WriteOptions result_options(const LoadedImage& made_from, const Recipe& recipe, const WriteOptions& options);

/// Encodes the file of a result, as every command and the window do: with the metadata of the source image
/// and the recipe. Errors and notes as in encode_image().
Encoded encode_result(const ConstImageView& result, const LoadedImage& made_from, const Recipe& recipe,
                      std::string_view format, std::string_view name, const WriteOptions& options = {});

/// The pixel format in the file of a result: encoders round results that were computed wider (write_as).
PixelFormat stored_pixels(PixelFormat result, const LoadedImage& made_from);

} // namespace kg
