#include "core/support/shared_library.hpp"

#include "core/support/error.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

#include <dlfcn.h>

namespace kg {

namespace {

constexpr const char* kToolkitFolder = "/usr/local/cuda/lib64";

/// Candidate paths, in order. The loader searches for a bare name.
std::vector<std::string> candidates(const std::string& file) {
    std::vector<std::string> paths;
    const char* folders = std::getenv(kLibraryFolders);
    std::istringstream list(folders ? folders : "");
    for (std::string folder; std::getline(list, folder, ':');)
        if (!folder.empty()) paths.push_back(folder + "/" + file);
    paths.push_back(file);
    paths.push_back(std::string(kToolkitFolder) + "/" + file);
    return paths;
}

} // namespace

SharedLibrary::SharedLibrary(std::string_view file, std::string_view brought_by) : file_(file) {
    // An error while loading an existing file is more informative than the absence of other candidates.
    std::string broken;
    for (const auto& path : candidates(file_)) {
        if ((handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))) return;
        const char* why = dlerror();
        std::error_code ignored;
        if (why && broken.empty() && path != file_ && std::filesystem::exists(path, ignored)) broken = why;
    }
    absent_ = broken.empty() ? file_ + " was not found; it comes with " + std::string(brought_by) +
                                   ". If it lies in another folder, name that folder in " + kLibraryFolders
                             : file_ + " does not load: " + broken;
}

void* SharedLibrary::address_of(const std::string& name) const {
    return handle_ ? dlsym(handle_, name.c_str()) : nullptr;
}

void* SharedLibrary::required(const std::string& name) const {
    if (!absent_.empty()) throw Unavailable("missing-library", "{}", absent_);
    if (void* found = address_of(name)) return found;
    throw Unavailable("missing-function", "{} has no function {}; another version of it is needed", file_,
                      name);
}

} // namespace kg
