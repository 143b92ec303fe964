#pragma once
// From an opened picture, a recipe and the format of the file to write, to the request that computes what goes into it.

#include "app/io/image_file.hpp"
#include "filters/recipe.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kg {

struct FileRequest {
    ImageRequest request;
    std::vector<std::string>
        notes;           ///< what the format cannot hold as it is: "PNG does not hold f32: written as u16"
    bool opaque = false; ///< alpha is full everywhere, which makes it another request (core/image/opaque.hpp)
};

/// The first half of file_request(), for parts of a picture: makes its numbers those that the request is for.
void prepare_colours(Picture& picture, const Recipe& recipe, std::string_view format);

/// Depth as the recipe or else the file has it, as far as `format` (id or ending) holds it; linear light and premultiplied
/// alpha as files of that format mean them. Where light changes, colours
/// are first converted to sRGB if a profile says that they are others (semantics 5), and leave straight. Alpha that is full
/// everywhere is no coverage (core/image/opaque.hpp). Throws Error, also
/// where signed results are to be kept as they are in a depth that has no numbers below 0.
FileRequest file_request(Picture& picture, const Recipe& recipe, std::string_view format);

/// The format of the samples that a file gets of a result in `result`: encoders round what was computed wider (write_as).
PixelFormat stored_pixels(PixelFormat result, const Picture& made_from);

} // namespace kg
