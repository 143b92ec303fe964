#pragma once
// The folder of an output is made when there is something to put into it.

#include "app/io/files/files.hpp"
#include "core/support/error.hpp"

#include <filesystem>
#include <system_error>

namespace kg::batch {

/// With those above it. Throws Error naming the folder.
inline void make_folder_of(const std::filesystem::path& target) {
    std::error_code error;
    std::filesystem::create_directories(target.parent_path(), error);
    if (error) throw Error("cannot make the folder " + quoted(target.parent_path()) + ": " + error.message());
}

} // namespace kg::batch
