#pragma once
// Filters an image into a file with the decisions of `kernelglass filter`, in the same order, so that the
// bytes are identical.

#include "app/editor/worker/result.hpp"
#include "app/io/image_file.hpp"
#include "app/process/engine/engines.hpp"
#include "filters/recipe.hpp"

namespace kg {

/// Conversion that a file of this extension (".jpg") implies for a result: "16 to 8 bit", "without alpha";
/// empty where nothing changes. Throws Error for an extension that cannot be written.
std::string conversion_note(const ImageRequest& request, std::string_view extension);

/// Computes in full. The bytes of the file of this extension, and what has to be reported of it; `name` names
/// it in messages. Throws Error.
Encoded filter_and_encode(const EngineChoice& choice, const LoadedImage& image, const Recipe& recipe,
                          const std::string& algorithm, const std::string& extension,
                          const std::string& name);

/// The notes in one line; may be empty.
std::string one_line(const std::vector<std::string>& notes);

/// The same, and writes the file, replacing an existing one. Throws Error.
Saved filter_and_write(const EngineChoice& choice, const LoadedImage& image, const Recipe& recipe,
                       const std::string& algorithm, const std::filesystem::path& path);

} // namespace kg
