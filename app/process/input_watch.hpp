#pragma once
// Did a file stay the same while it was read?

#include "app/io/files/files.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>

namespace kg::batch {

class InputWatch {
public:
    explicit InputWatch(std::filesystem::path path);

    /// Empty where there is no file.
    const std::optional<FileStamp>& before() const { return before_; }
    /// As the journal keeps it. Throws Error naming the file if it changed meanwhile.
    FileStamp stamp() const;
    /// The same; so many bytes must have been read.
    FileStamp stamp(std::size_t bytes) const;

private:
    std::filesystem::path path_;
    std::optional<FileStamp> before_;
};

} // namespace kg::batch
