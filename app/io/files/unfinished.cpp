#include "app/io/files/unfinished.hpp"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/xattr.h>

namespace kg {

namespace io {

namespace fs = std::filesystem;

/// The name of an unfinished file, for signal handlers: fixed slots without allocation.
struct Unfinished::Place {
    /// `ours`: the path is complete, and a file there is our own
    std::atomic<bool> taken{false}, ours{false};
    char path[PATH_MAX];
};
Unfinished::Place Unfinished::places_[64];

Error read_failure(std::string_view name, int reason) {
    return Error("cannot-read", "{}: {}", name, std::strerror(reason)).after("cannot read ");
}

Error write_failure(std::string_view name, int reason, std::string_view verb) {
    return Error("cannot-write", "{}: {}", name, std::strerror(reason))
        .after("cannot " + std::string(verb) + " ");
}

FileStamp stamp_of(const struct stat& status) {
    constexpr std::int64_t kNanoseconds = 1'000'000'000;
    return {status.st_ino, static_cast<std::uint64_t>(status.st_size),
            status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec};
}

fs::path behind_links(fs::path path) {
    constexpr int kMostLinks = 40; // the limit of Linux
    const auto name = quoted(path);
    std::error_code error;
    for (int links = 0; fs::is_symlink(fs::symlink_status(path, error)); ++links) {
        if (links == kMostLinks) throw write_failure(name, ELOOP);
        path = path.parent_path() / fs::read_symlink(path, error); // an absolute target replaces the parent
    }
    return path;
}

bool write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

std::string pending_name(std::uint32_t tag, std::uint32_t number) {
    char name[24];
    std::snprintf(name, sizeof name, ".kg%08x%08x", tag, number);
    return name;
}

namespace {

constexpr auto kOpenFiles = "/proc/self/fd";

/// "No such file" for a file to be created refers to its folder.
Error creation_failure(const fs::path& target, int reason) {
    const auto folder = target.parent_path();
    std::error_code ignored;
    if (reason == ENOENT && !folder.empty() && !fs::exists(folder, ignored))
        return Error("no-folder", "cannot write {}: there is no folder {}", quoted(target), quoted(folder));
    return write_failure(quoted(target), reason);
}

bool has_default_acl(const char* folder) {
    return ::getxattr(folder, "system.posix_acl_default", nullptr, 0) > 0;
}

/// Reads the umask from /proc. umask() would change it for a moment, which other threads could see.
mode_t current_umask() {
    std::ifstream status("/proc/self/status");
    for (std::string field; status >> field;)
        if (mode_t mask = 0; field == "Umask:" && status >> std::oct >> mask) return mask;
    return 077;
}

bool copy_all(int from, int to) {
    std::vector<char> buffer(std::size_t{1} << 20);
    for (off_t at = 0;;) {
        const auto count = ::pread(from, buffer.data(), buffer.size(), at);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count == 0;
        if (!write_all(to, {buffer.data(), static_cast<std::size_t>(count)})) return false;
        at += count;
    }
}

} // namespace

Unfinished::Unfinished() {
    for (auto& place : places_)
        if (!place.taken.exchange(true)) {
            place_ = &place;
            return;
        }
    throw Error("too-many-files", "too many files are being written at once");
}

Unfinished::~Unfinished() {
    place_->ours = false;
    place_->taken = false;
}

const char* Unfinished::path() const { return place_->path; }

void Unfinished::create(const fs::path& target, std::optional<std::uint32_t> tag, mode_t mode) {
    if (!tag && create_without_name(target, mode)) return;
    choose_name(target, tag);
    file_ = Descriptor(::open(path(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (file_.get() < 0) throw creation_failure(target, errno);
}

/// On failure, for whatever reason, creating a named file reports the error.
bool Unfinished::create_without_name(const fs::path& target, mode_t mode) {
    if (::access(kOpenFiles, X_OK) != 0) return false; // it could not be given a name
    const auto parent = target.parent_path();
    const auto* const folder = parent.empty() ? "." : parent.c_str();
    file_ = Descriptor(::open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode));
    has_no_name_ = file_.get() >= 0 && restrict_mode(folder, mode);
    return has_no_name_;
}

/// Applies the umask, which some kernels ignore for unnamed files. A default ACL of the folder takes
/// precedence.
bool Unfinished::restrict_mode(const char* folder, mode_t mode) {
    struct stat status {};
    if (::fstat(file(), &status) != 0) return false;
    if ((status.st_mode & 0777) != mode) return true; // a mask was applied
    return has_default_acl(folder) || ::fchmod(file(), mode & ~current_umask()) == 0;
}

void Unfinished::choose_name(const fs::path& target, std::optional<std::uint32_t> tag) {
    std::random_device random;
    const auto path = (target.parent_path() / pending_name(tag.value_or(random()), random())).string();
    if (path.size() >= PATH_MAX) throw write_failure(quoted(target), ENAMETOOLONG);
    std::memcpy(place_->path, path.c_str(), path.size() + 1);
    place_->ours = true;
}

FileStamp Unfinished::fill(const fs::path& target, std::optional<std::uint32_t> tag,
                           const std::function<void(ByteSink&)>& fill) {
    struct stat old {
    }, written{};
    const bool exists = ::lstat(target.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode))
        throw Error("is-a-folder", "cannot write {}: there is a folder of that name", quoted(target));
    create(target, tag);
    try {
        if (exists && S_ISREG(old.st_mode) && ::fchmod(file(), old.st_mode & 07777) != 0)
            throw write_failure(quoted(target), errno);
        FileSink sink(file(), target);
        fill(sink);
        const bool done = ::fsync(file()) == 0 && ::fstat(file(), &written) == 0 &&
                          (has_no_name_ || file_.close());
        if (!done) throw write_failure(quoted(target), errno);
    } catch (...) {
        remove();
        throw;
    }
    return stamp_of(written);
}

int Unfinished::give_name(const fs::path& target, bool may_replace) {
    const auto* to = target.c_str();
    if (has_no_name_) {
        const auto open_file = std::string(kOpenFiles) + "/" + std::to_string(file());
        const auto link_to = [&](const char* name) {
            return ::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
        };
        const int result = link_to(to);
        if (result == 0 || (errno == EEXIST && !may_replace)) return result;
        choose_name(target, {}); // only a named file can replace another
        if (link_to(path()) != 0 && !copy_under_name()) return -1;
        has_no_name_ = false;
    }
    if (file() >= 0 && !file_.close()) return -1;
    if (may_replace) return ::rename(path(), to);
    const int result = ::renameat2(AT_FDCWD, path(), AT_FDCWD, to, RENAME_NOREPLACE);
    if (result == 0 || (errno != EINVAL && errno != ENOSYS)) return result;
    const int linked = ::link(path(), to); // not supported by every file system
    if (linked == 0) ::unlink(path());
    return linked;
}

/// Copies the file to a named one, for systems that create unnamed files but cannot link them.
bool Unfinished::copy_under_name() {
    struct stat status {};
    Descriptor named(::open(path(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (named.get() < 0 || ::fstat(file(), &status) != 0 || !copy_all(file(), named.get()) ||
        ::fchmod(named.get(), status.st_mode & 07777) != 0 || ::fsync(named.get()) != 0)
        return false;
    file_ = std::move(named);
    return true;
}

bool Unfinished::take_name(const fs::path& target, bool may_replace) {
    const int result = give_name(target, may_replace);
    if (result != 0 && !may_replace && errno == EEXIST) return false;
    if (result != 0) throw write_failure(quoted(target), errno);
    return true;
}

void Unfinished::remove() noexcept {
    if (place_->ours) ::unlink(path());
}

} // namespace io

void remove_unfinished_files() noexcept {
    for (const auto& place : io::Unfinished::places_)
        if (place.ours.load()) ::unlink(place.path);
}

} // namespace kg
