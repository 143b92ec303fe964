#include "core/support/user_folder.hpp"

#include <cstdlib>

namespace kg {

namespace {

/// Empty unless the variable is an absolute path.
std::filesystem::path named_by(const char* variable) {
    const char* path = std::getenv(variable);
    return path && *path == '/' ? path : std::filesystem::path();
}

} // namespace

std::filesystem::path user_folder(const char* variable, const char* below_home) {
    if (const auto folder = named_by(variable); !folder.empty()) return folder / "kernelglass";
    if (const auto home = named_by("HOME"); !home.empty()) return home / below_home / "kernelglass";
    return {};
}

} // namespace kg
