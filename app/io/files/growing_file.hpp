#pragma once
// A PendingFile for contents that are not in memory as a whole.

#include "app/io/files/byte_access.hpp"
#include "app/io/files/files.hpp"

#include <functional>
#include <memory>

namespace kg {

namespace io {
class Unfinished;
} // namespace io

class GrowingFile {
public:
    /// Like PendingFile, with the bytes that `fill` writes; exceptions of `fill` are passed on.
    GrowingFile(const std::filesystem::path& target, const std::function<void(ByteSink&)>& fill,
                std::uint32_t tag);
    ~GrowingFile();
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;

    const FileStamp& stamp() const { return stamp_; } ///< also valid after take_name()
    std::filesystem::path place() const;              ///< the temporary path
    bool take_name(bool may_replace);

private:
    std::unique_ptr<io::Unfinished> place_;
    const std::filesystem::path target_;
    FileStamp stamp_;
    bool has_name_ = false;
};

} // namespace kg
