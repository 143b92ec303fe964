#pragma once
// Whether the file of the shown image has changed since it was read.

#include "app/io/files/files.hpp"

#include <filesystem>
#include <optional>
#include <utility>

namespace kg {

class FileWatch {
public:
    /// `stamp` is of before reading; empty = there is no file to watch.
    void begin(std::filesystem::path path, const std::optional<FileStamp>& stamp) {
        path_ = std::move(path), stamp_ = stamp, changed_ = false;
    }
    /// Looks at the file once. A file that is gone, as for a moment while it is replaced, has not changed.
    void look() {
        if (!stamp_ || changed_) return;
        const auto now = file_stamp(path_);
        changed_ = now && *now != *stamp_;
    }
    bool changed() const { return changed_; }

private:
    std::filesystem::path path_;
    std::optional<FileStamp> stamp_;
    bool changed_ = false;
};

} // namespace kg
