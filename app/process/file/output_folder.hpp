#pragma once
// Creates the folder of an output when the output is written.

#include "app/io/files/files.hpp"
#include "core/support/error.hpp"

#include <filesystem>
#include <system_error>

namespace kg {

/// Also creates its parents. Throws Error naming the folder.
inline void make_folder_of(const std::filesystem::path& target) {
    std::error_code error;
    std::filesystem::create_directories(target.parent_path(), error);
    if (error)
        throw Error("cannot-make-folder", "cannot make the folder {}: {}", quoted(target.parent_path()),
                    error.message());
}

} // namespace kg
