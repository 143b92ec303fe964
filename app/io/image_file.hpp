#pragma once
// Pictures from and to files. OpenCV decodes and encodes; nothing of it shows here. RGB(A) order, alpha and depth kept.

#include "core/image.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kg {

struct Picture {
    Image image;
    std::filesystem::path path;
    std::vector<std::string> notes; ///< what one must know: "16-bit", "page 1 of 3"
};

/// Throws Error with a sentence that names the file and the reason.
Picture read_picture(const std::filesystem::path& path);

/// What a file format can hold of a picture: the depth nearest to the one asked for, and whether alpha survives.
struct Storable {
    Depth depth;
    bool alpha;
};
/// `extension` with or without its dot. Throws Error listing the known ones.
Storable storable(std::string_view extension, Depth wanted);

/// Encodes by the path's extension, writes beside the target and renames, so that a failure leaves nothing new and
/// destroys nothing old. The picture's depth must be what storable() says; alpha is dropped where it cannot be kept.
/// JPEG quality 95.
void write_picture(const std::filesystem::path& path, const ConstImageView& picture);

/// A whole file as bytes, and bytes as a whole file (temporary + rename). Throw Error naming the file.
std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::string_view bytes);

} // namespace kg
