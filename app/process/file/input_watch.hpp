#pragma once
// Detects changes of a file while it is read.

#include "app/io/files/files.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>

namespace kg {

class InputWatch {
public:
    explicit InputWatch(std::filesystem::path path);

    /// Empty if there is no file.
    const std::optional<FileStamp>& before() const { return before_; }
    /// The stamp for the journal. Throws Error naming the file if it changed meanwhile.
    FileStamp stamp() const;
    /// The same; also throws unless this many bytes were read.
    FileStamp stamp(std::size_t bytes) const;

private:
    std::filesystem::path path_;
    std::optional<FileStamp> before_;
};

} // namespace kg
