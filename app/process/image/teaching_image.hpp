#pragma once
// Small images that show what a filter does: each has one property, and nothing else.

#include "core/image/image.hpp"

#include <span>
#include <string_view>

namespace kg {

struct TeachingImage {
    std::string_view id, title, summary;
    Image (*make)();
};

/// All of them, grey of 8 bits.
std::span<const TeachingImage> teaching_images();

/// Throws Error with a suggestion if there is none of that id.
const TeachingImage& find_teaching_image(std::string_view id);

/// An image of 8-bit grey values: rows separated by `/`, values by spaces, such as "1 2 3 / 4 5 6". Throws
/// Error unless all are whole numbers from 0 to 255, and all rows of one length.
Image image_of_numbers(std::string_view text);

} // namespace kg
