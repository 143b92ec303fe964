#include "app/process/file/input_watch.hpp"

#include "core/support/error.hpp"

#include <chrono>
#include <utility>

namespace kg {

namespace {

/// A file modified this shortly before it was read may change again with the same time stamp.
constexpr auto kFresh = std::chrono::seconds(2);

} // namespace

InputWatch::InputWatch(std::filesystem::path path) : path_(std::move(path)), before_(file_stamp(path_)) {}

FileStamp InputWatch::stamp() const { return stamp(before_ ? before_->bytes : 0); }

FileStamp InputWatch::stamp(std::size_t bytes) const {
    if (!before_ || before_ != file_stamp(path_) || before_->bytes != bytes)
        throw Error("file-changed", "{} changed while it was read; the same command reads it again",
                    quoted(path_));
    auto stamp = *before_;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    if (std::chrono::nanoseconds(stamp.modified_ns) > now - kFresh) stamp.modified_ns = 0;
    return stamp;
}

} // namespace kg
