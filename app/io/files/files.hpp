#pragma once
// Whole files as bytes. Writing goes beside the target and renames, so that a failure leaves nothing new and destroys
// nothing old.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kg {

/// How much is read, and whether it is worth reading: a device or a pipe may never end.
struct ReadLimits {
    std::uint64_t most_bytes = std::uint64_t{1} << 30;
    bool whole_files = false;                   ///< the limit holds for pipes and devices only
    std::string_view of = "a pipe or a device"; ///< what the limit is for, in its sentence
    std::string_view of_file = "a file";        ///< the same in that of a file that is too long
    std::string_view way_out{};                 ///< how such a file is read all the same
    /// Gets the first 16 bytes (fewer if there are no more) before the rest is read; throws Error to refuse.
    std::function<void(std::string_view)> check_start{};
};

/// To its end. Throws Error naming the file.
std::string read_file(const std::filesystem::path& path, const ReadLimits& limits = {});

/// From an open file, which stays open; `name` is what sentences call it.
std::string read_descriptor(int descriptor, std::string_view name, const ReadLimits& limits = {});

/// Gives `take` one block after the other, to the end: for what is not to be in memory as a whole, and for lists that may
/// have no end, which `take` refuses by throwing. Throws Error naming the file.
void read_blocks(const std::filesystem::path& path, const std::function<void(std::string_view)>& take);
/// The same from an open file, which stays open.
void read_blocks(int descriptor, std::string_view name, const std::function<void(std::string_view)>& take);

/// Replaces a file, keeping its permissions; a link is followed; pipes and devices are written to as they are. The bytes are on
/// the disk before they have the name, so that a power cut, too, leaves the old file or the new one. Throws Error naming the file.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// The new name lasts, too, as soon as this returns, not only some seconds later: for what a person was told is saved. It takes
/// about as long as the bytes. Where a folder cannot be brought to the disk nothing happens.
void sync_name(const std::filesystem::path& path) noexcept;

/// What of a file changes along with its bytes, and can be looked at without reading them.
struct FileStamp {
    std::uint64_t inode = 0, bytes = 0;
    std::int64_t modified_ns = 0; ///< since 1970
    bool operator==(const FileStamp&) const = default;
};
/// Of what a link leads to, unless it is a link's own that is wanted; nothing if there is no file.
std::optional<FileStamp> file_stamp(const std::filesystem::path& path, bool follow_links = true);

/// A file that is on the disk, whole, before it has its name: beside its target, and gone again unless take_name() is called.
class PendingFile {
public:
    /// Writes the bytes through to the disk. `tag` is part of the name until then, so that remove_pending() finds what a
    /// process left that was killed. An existing target's permissions are kept. Throws Error naming the target.
    PendingFile(const std::filesystem::path& target, std::string_view bytes, std::uint32_t tag);
    ~PendingFile();
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    const FileStamp& stamp() const { return stamp_; } ///< as it will be under its name, too
    /// False if something has the name, which may not be replaced. A link is replaced, not what it leads to.
    bool take_name(bool may_replace);

private:
    class Place;
    std::unique_ptr<Place> place_;
    std::filesystem::path target_;
    FileStamp stamp_;
    bool has_name_ = false;
};

/// Removes the pending files of this tag in a folder, which must be nobody's any more; returns how many there were.
int remove_pending(const std::filesystem::path& folder, std::uint32_t tag);

/// Removes what write_file() calls and PendingFiles of this process have not finished yet. For signal handlers that end the program.
void remove_unfinished_files() noexcept;

/// The path as a terminal may show it, see printable().
std::string safe_name(const std::filesystem::path& path);
/// "\"path\"", as sentences name files; just as safe.
std::string quoted(const std::filesystem::path& path);

} // namespace kg
