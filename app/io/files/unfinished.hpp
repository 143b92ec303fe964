#pragma once
// Files under construction beside their targets, for files.cpp and growing_file.cpp.

#include "app/io/files/byte_access.hpp"
#include "app/io/files/files.hpp"
#include "core/support/error.hpp"

#include <functional>
#include <optional>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace kg::io {

/// "cannot read NAME: No such file or directory" and "cannot write NAME: ...", with the codes "cannot-read"
/// and "cannot-write". The arguments are the name and the reason.
/// `verb`: "write", or "write to" for a stream.
Error read_failure(std::string_view name, int reason);
Error write_failure(std::string_view name, int reason, std::string_view verb = "write");

FileStamp stamp_of(const struct stat& status);

/// Resolves links, including a link to a file that does not exist yet. Throws Error if links form a circle.
std::filesystem::path behind_links(std::filesystem::path path);

/// False if not all bytes were written; errno has the reason.
bool write_all(int file, std::string_view bytes);

/// Owns a file descriptor. close() closes it early and reports whether that succeeded.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    int get() const { return number_; }
    bool close() { return ::close(std::exchange(number_, -1)) == 0; }

private:
    int number_;
};

/// The temporary name of a pending file. Half of its digits are the tag.
std::string pending_name(std::uint32_t tag, std::uint32_t number);

/// A file beside the target until it takes the target's name. With a tag it has a temporary name, short
/// enough for any file system, by which remove_pending() finds the files of a killed process. Without a tag
/// it has no name if the file system supports unnamed files; a killed process then leaves nothing behind.
/// remove_unfinished_files() knows its name while this exists.
class Unfinished {
public:
    Unfinished();
    Unfinished(Unfinished&&) = delete;
    ~Unfinished();

    /// Opens the file for reading and writing. The name is registered for signal handlers before the file
    /// exists, so that no signal can come in between. 64 bits, at least half of them random, ensure that a
    /// handler does not remove a file of others.
    void create(const std::filesystem::path& target, std::optional<std::uint32_t> tag = {},
                mode_t mode = 0666);
    int file() const { return file_.get(); }
    /// Creates the file with the permissions of an existing target, and writes the bytes of `fill` durably.
    /// Removes it if `fill` throws.
    FileStamp fill(const std::filesystem::path& target, std::optional<std::uint32_t> tag,
                   const std::function<void(ByteSink&)>& fill);
    /// Closes the file and renames it. False if the name exists and may not be replaced. A link is replaced,
    /// not its target. Throws Error.
    bool take_name(const std::filesystem::path& target, bool may_replace);
    /// Removes the temporary name, if there is one; open descriptors stay valid.
    void remove() noexcept;
    const char* path() const;

private:
    bool create_without_name(const std::filesystem::path& target, mode_t mode);
    bool restrict_mode(const char* folder, mode_t mode);
    bool copy_under_name();
    void choose_name(const std::filesystem::path& target, std::optional<std::uint32_t> tag);
    int give_name(const std::filesystem::path& target, bool may_replace);

    struct Place;
    static Place places_[64];
    friend void kg::remove_unfinished_files() noexcept;

    Place* place_ = nullptr;
    Descriptor file_;
    bool has_no_name_ = false;
};

} // namespace kg::io
