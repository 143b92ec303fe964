#pragma once
// A picture through a request into a file, as `kernelglass filter` writes it: the same decisions in the same order, so
// that the bytes are the same.

#include "app/process/engines.hpp"
#include "app/editor/worker/result.hpp"
#include "filters/recipe.hpp"

namespace kg {

/// What a file of this kind (".jpg") makes of a result, in words: "16 to 8 bit", "without alpha"; empty = nothing
/// changes. Throws Error for a kind that cannot be written.
std::string conversion_note(const ImageRequest& request, std::string_view extension);

/// Computes in full and writes, whatever the file replaces. Throws Error.
Saved filter_and_write(const EngineChoice& choice, const Picture& picture, const Recipe& recipe,
                       const std::string& algorithm, const std::filesystem::path& path);

} // namespace kg
