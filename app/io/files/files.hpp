#pragma once
// Reading and writing whole files. A file is written beside its target and renamed, so that a failure leaves
// the old file intact and no new one.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kg {

/// Limits on reading: a device or a pipe may never end.
struct ReadLimits {
    std::uint64_t most_bytes = std::uint64_t{1} << 30;
    bool whole_files = false;                   ///< the limit holds for pipes and devices only
    std::string_view of = "a pipe or a device"; ///< what the limit applies to, in its message
    std::string_view of_file = "a file";        ///< the same in the message on a file that is too long
    /// the remedy, appended to the message on a file that is too long
    std::string_view remedy{};
    /// Receives the first 16 bytes (fewer if there are no more) before the rest is read; throws Error to
    /// refuse.
    std::function<void(std::string_view)> check_start{};
};

/// Reads a file to its end. Throws Error naming the file.
std::string read_file(const std::filesystem::path& path, const ReadLimits& limits = {});

/// Reads from an open descriptor, which stays open; `name` names the file in messages.
std::string read_descriptor(int descriptor, std::string_view name, const ReadLimits& limits = {});

/// Passes one block after the other to `take`, up to the end, so that the whole need not be in memory. `take`
/// throws to refuse the rest, for example of an endless list. Throws Error naming the file.
void read_blocks(const std::filesystem::path& path, const std::function<void(std::string_view)>& take);
/// The same from an open descriptor, which stays open.
void read_blocks(int descriptor, std::string_view name, const std::function<void(std::string_view)>& take);

/// Replaces a file and keeps its permissions. Links are followed; pipes and devices are written directly. The
/// bytes are durable before the rename, so that a power failure leaves the old file or the new one. Throws
/// Error naming the file.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// Makes a new name durable before it returns, instead of some seconds later; called before a result is
/// reported as saved. Takes about as long as the bytes. Does nothing if the folder cannot be synced.
void sync_name(const std::filesystem::path& path) noexcept;

/// Attributes that change along with the bytes of a file, and can be compared without reading them.
struct FileStamp {
    std::uint64_t inode = 0, bytes = 0;
    std::int64_t modified_ns = 0; ///< since 1970
    bool operator==(const FileStamp&) const = default;
};
/// The stamp of a link's target, or of the link itself without `follow_links`; empty if there is no file.
std::optional<FileStamp> file_stamp(const std::filesystem::path& path, bool follow_links = true);

/// A complete, durable file without its final name. It is beside its target, and removed unless take_name()
/// is called.
class PendingFile {
public:
    /// Writes the bytes durably. `tag` is part of the temporary name, by which remove_pending() finds the
    /// files of a killed process. Keeps the permissions of an existing target. Throws Error naming the
    /// target.
    PendingFile(const std::filesystem::path& target, std::string_view bytes, std::uint32_t tag);
    ~PendingFile();
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    const FileStamp& stamp() const { return stamp_; } ///< also valid after take_name()
    /// Renames the file. False if the name exists and may not be replaced. A link is replaced, not its
    /// target.
    bool take_name(bool may_replace);

private:
    class Place;
    std::unique_ptr<Place> place_;
    std::filesystem::path target_;
    FileStamp stamp_;
    bool has_name_ = false;
};

/// Removes the pending files of a tag from a folder; no live process may own them. Returns how many there
/// were.
int remove_pending(const std::filesystem::path& folder, std::uint32_t tag);

/// Removes unfinished files of write_file() and PendingFile in this process. Async-signal-safe, for handlers
/// that end the program.
void remove_unfinished_files() noexcept;

/// The path with unprintable characters replaced, see printable().
std::string safe_name(const std::filesystem::path& path);
/// "\"path\"", as messages name files, with unprintable characters replaced.
std::string quoted(const std::filesystem::path& path);

} // namespace kg
