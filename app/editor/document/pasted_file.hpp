#pragma once
// Files of pasted images, in a folder of the user's cache.

#include <filesystem>
#include <string>

namespace kg {

/// Makes an empty file "Clipboard N" with this extension (".png") in the folder, which is made too. N is one
/// more than the largest there. Both are for the user alone. Throws Error.
std::filesystem::path new_pasted_file(const std::filesystem::path& folder, const std::string& extension);

/// Removes such files that were written more than 30 days ago. Errors are ignored: the cache is only larger.
void remove_old_pasted_files(const std::filesystem::path& folder);

} // namespace kg
