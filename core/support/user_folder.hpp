#pragma once
// The program's folders in the home of the user.

#include <filesystem>

namespace kg {

/// The folder kernelglass in the one that `variable` names, such as XDG_CONFIG_HOME, else in `below_home`,
/// such as .config, of HOME. Only absolute paths count, as in the XDG Base Directory Specification. Empty
/// if there is none. It need not exist.
std::filesystem::path user_folder(const char* variable, const char* below_home);

} // namespace kg
