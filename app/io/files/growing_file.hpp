#pragma once
// A PendingFile that is written piece by piece, for what is not in memory as a whole.

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
    /// As PendingFile does it, with what `fill` writes; what that throws goes on to the caller.
    GrowingFile(const std::filesystem::path& target, const std::function<void(ByteSink&)>& fill,
                std::uint32_t tag);
    ~GrowingFile();
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;

    const FileStamp& stamp() const { return stamp_; } ///< as it will be under its name, too
    std::filesystem::path place() const;              ///< where it is until then
    bool take_name(bool may_replace);

private:
    std::unique_ptr<io::Unfinished> place_;
    const std::filesystem::path target_;
    FileStamp stamp_;
    bool has_name_ = false;
};

} // namespace kg
