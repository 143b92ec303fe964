#pragma once
// Files that are made beside their targets, for files.cpp and growing_file.cpp.

#include "app/io/files/byte_access.hpp"
#include "app/io/files/files.hpp"
#include "core/support/error.hpp"

#include <functional>
#include <optional>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace kg::io {

/// "cannot read NAME: No such file or directory"
Error failure(const char* verb, std::string_view name, int reason);

FileStamp stamp_of(const struct stat& status);

/// Where the bytes finally lie when `path` is a link, also one to a file that does not exist yet. Throws Error for links that lead
/// in a circle.
std::filesystem::path behind_links(std::filesystem::path path);

/// False where they do not all go there; errno says why.
bool write_all(int file, std::string_view bytes);

/// An open file; closes itself unless close() was asked to say how that went.
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

/// What files are called until they have their names. Half of the digits are the tag.
std::string pending_name(std::uint32_t tag, std::uint32_t number);

/// A file beside the target until it takes its name. With a tag it has one of its own meanwhile, which is short so that it fits
/// wherever the target's does, and by which remove_pending() finds what a process left that was killed. Without one it has none
/// where the file system knows files without names: such a process leaves nothing then.
/// remove_unfinished_files() knows the name for as long as this lives.
class Unfinished {
public:
    Unfinished();
    Unfinished(Unfinished&&) = delete;
    ~Unfinished();

    /// Opens the file for reading and writing. Signal handlers know its name before it is there, so that none can come in
    /// between; 64 bits, at least half of them random, say that they do not take what others made.
    void create(const std::filesystem::path& target, std::optional<std::uint32_t> tag = {},
                mode_t mode = 0666);
    int file() const { return file_.get(); }
    /// Creates it, with an existing target's permissions, and brings what `fill` writes to the disk; where that throws, it is
    /// gone again.
    FileStamp fill(const std::filesystem::path& target, std::optional<std::uint32_t> tag,
                   const std::function<void(ByteSink&)>& fill);
    /// Closes it. False if something has the name, which may not be replaced. A link is replaced, not what it leads to. Throws Error.
    bool take_name(const std::filesystem::path& target, bool may_replace);
    /// Takes its own name away, if it has one; what is open stays open.
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
