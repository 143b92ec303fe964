#include "app/io/files.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kg {

namespace {

namespace fs = std::filesystem;

Error failure(const char* verb, std::string_view name, int reason) {
    return Error(std::string("cannot ") + verb + " " + std::string(name) + ": " + std::strerror(reason));
}

/// An open file; closes itself unless close() was asked to say how that went.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    int get() const { return number_; }
    bool close() { return ::close(std::exchange(number_, -1)) == 0; }

private:
    int number_;
};

bool write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

/// "No such file" of a file that is to be made is about its folder.
Error creation_failure(const fs::path& target, int reason) {
    const auto folder = target.parent_path();
    std::error_code ignored;
    if (reason == ENOENT && !folder.empty() && !fs::exists(folder, ignored))
        return Error("cannot write " + quoted(target) + ": there is no folder " + quoted(folder));
    return failure("write", quoted(target), reason);
}

/// Names of files that are being written, where a signal handler can read them: fixed places, no memory taken.
struct UnfinishedPlace {
    std::atomic<bool> taken{false}, ours{false}; ///< `ours`: the path is whole, and a file there is our own
    char path[PATH_MAX];
};
std::array<UnfinishedPlace, 64> unfinished_places;

std::string pending_name(std::uint32_t tag, std::uint32_t number) {
    char name[24];
    std::snprintf(name, sizeof name, ".kg%08x%08x", tag, number);
    return name;
}

FileStamp stamp_of(const struct stat& status) {
    constexpr std::int64_t kNanoseconds = 1'000'000'000;
    return {status.st_ino, static_cast<std::uint64_t>(status.st_size),
            status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec};
}

/// A file beside the target until it takes its name, which is short so that it fits wherever the target's does;
/// remove_unfinished_files() knows it for as long as this lives.
class Unfinished {
public:
    Unfinished() {
        for (auto& place : unfinished_places)
            if (!place.taken.exchange(true)) {
                place_ = &place;
                return;
            }
        throw Error("too many files are being written at once");
    }
    Unfinished(Unfinished&&) = delete;
    ~Unfinished() {
        place_->ours = false;
        place_->taken = false;
    }

    /// Opens the file for writing. Signal handlers know its name before it is there, so that none can come in between;
    /// 64 bits, at least half of them random, say that they do not take what others made.
    int create(const fs::path& target, std::optional<std::uint32_t> tag = {}) {
        std::random_device random;
        const auto path = (target.parent_path() / pending_name(tag.value_or(random()), random())).string();
        if (path.size() >= PATH_MAX) throw failure("write", quoted(target), ENAMETOOLONG);
        std::memcpy(place_->path, path.c_str(), path.size() + 1);
        place_->ours = true;
        const int file = ::open(place_->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0) throw creation_failure(target, errno);
        return file;
    }
    const char* path() const { return place_->path; }

private:
    UnfinishedPlace* place_ = nullptr;
};

/// A pipe or a device cannot be replaced, and must not be: renaming over /dev/null would take it from everybody.
void write_into(const fs::path& path, std::string_view bytes) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0 || !write_all(file.get(), bytes) || !file.close())
        throw failure("write", quoted(path), errno);
}

/// Where the bytes finally lie when `path` is a link, also one to a file that does not exist yet.
fs::path behind_links(fs::path path) {
    std::error_code error;
    for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(path, error)); ++links)
        path = path.parent_path() / fs::read_symlink(path, error); // an absolute target replaces the parent
    return path;
}

} // namespace

std::string safe_name(const fs::path& path) {
    auto name = path.string();
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(name[at]); };
        const bool second_set = byte(i) == 0xc2 && i + 1 < name.size() && byte(i + 1) >= 0x80 &&
                                byte(i + 1) < 0xa0;
        if (second_set) name.replace(i, 2, "?"); // U+0080 to U+009F steer terminals, too
        else if (byte(i) < 32 || byte(i) == 127) name[i] = '?';
    }
    return name;
}

std::string quoted(const fs::path& path) { return "\"" + safe_name(path) + "\""; }

std::string read_descriptor(int descriptor, std::string_view name, const ReadLimits& limits) try {
    constexpr std::size_t kStart = 16, kBlock = 1 << 16;
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) throw failure("read", name, errno);
    const bool is_file = S_ISREG(status.st_mode);
    const auto most = is_file && limits.whole_files ? UINT64_MAX - 1 : limits.most_bytes;
    const auto mebibytes = [](std::uint64_t size) { return std::to_string(size >> 20) + " MiB"; };
    std::string bytes;
    bool ended = false;
    const auto fill_to = [&](std::uint64_t size) {
        auto filled = bytes.size();
        bytes.resize(size);
        while (!ended && filled < size) {
            const auto got = ::read(descriptor, bytes.data() + filled, size - filled);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) throw failure("read", name, errno);
            ended = got == 0;
            filled += static_cast<std::size_t>(got);
        }
        bytes.resize(filled);
    };
    fill_to(kStart);
    if (limits.check_start) limits.check_start(bytes);
    if (const auto size = static_cast<std::uint64_t>(status.st_size); is_file && size > most)
        throw Error("cannot read " + std::string(name) + ": it has " + mebibytes(size) +
                    ", and the limit for " + std::string(limits.of_file) + " is " + mebibytes(most) +
                    std::string(limits.way_out));
    auto next = is_file ? static_cast<std::uint64_t>(status.st_size) +
                              1 // one more, so that the end is seen at once
                        : kBlock;
    for (; !ended; next = 2 * bytes.size()) {
        if (bytes.size() > most)
            throw Error("cannot read " + std::string(name) + ": it goes on after " + mebibytes(most) +
                        ", which is the limit for " + std::string(limits.of));
        fill_to(std::min(std::max<std::uint64_t>(next, bytes.size() + 1), most + 1));
    }
    return bytes;
} catch (const std::bad_alloc&) {
    throw Error("cannot read " + std::string(name) + ": there is not enough memory for it");
}

std::string read_file(const fs::path& path, const ReadLimits& limits) {
    std::error_code error;
    if (path.empty()) throw Error("cannot read \"\": a file without a name");
    if (fs::is_directory(path, error)) throw Error("cannot read " + quoted(path) + ": it is a folder");
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) throw failure("read", quoted(path), errno);
    return read_descriptor(file.get(), quoted(path), limits);
}

void write_file(const fs::path& path, std::string_view bytes) {
    struct stat old {};
    const bool exists = ::stat(path.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) throw Error("cannot write " + quoted(path) + ": it is a folder");
    if (exists && !S_ISREG(old.st_mode)) return write_into(path, bytes);
    if (exists && ::access(path.c_str(), W_OK) != 0) throw failure("write", quoted(path), errno);

    const auto target = behind_links(path);
    Unfinished unfinished;
    Descriptor file(unfinished.create(target));
    bool done = !exists || ::fchmod(file.get(), old.st_mode & 07777) == 0;
    done = done && write_all(file.get(), bytes);
    done = done && file.close() && ::rename(unfinished.path(), target.c_str()) == 0;
    if (done) return;
    const int reason = errno;
    ::unlink(unfinished.path());
    throw failure("write", quoted(path), reason);
}

std::optional<FileStamp> file_stamp(const fs::path& path, bool follow_links) {
    struct stat status {};
    const int failed = follow_links ? ::stat(path.c_str(), &status) : ::lstat(path.c_str(), &status);
    if (failed) return {};
    return stamp_of(status);
}

class PendingFile::Place : public Unfinished {};

PendingFile::PendingFile(const fs::path& target, std::string_view bytes, std::uint32_t tag)
    : place_(std::make_unique<Place>()), target_(target) {
    struct stat old {
    }, written{};
    const bool exists = ::lstat(target.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode))
        throw Error("cannot write " + quoted(target) + ": there is a folder of that name");
    Descriptor file(place_->create(target, tag));
    bool done = !exists || !S_ISREG(old.st_mode) || ::fchmod(file.get(), old.st_mode & 07777) == 0;
    done = done && write_all(file.get(), bytes) && ::fsync(file.get()) == 0;
    done = done && ::fstat(file.get(), &written) == 0 && file.close();
    if (!done) {
        const int reason = errno;
        ::unlink(place_->path());
        throw failure("write", quoted(target), reason);
    }
    stamp_ = stamp_of(written);
}

PendingFile::~PendingFile() {
    if (!has_name_) ::unlink(place_->path());
}

bool PendingFile::take_name(bool may_replace) {
    const auto* from = place_->path();
    const auto* to = target_.c_str();
    int result = may_replace ? ::rename(from, to)
                             : ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
    if (result != 0 && !may_replace && (errno == EINVAL || errno == ENOSYS)) { // not on every file system
        result = ::link(from, to);
        if (result == 0) ::unlink(from);
    }
    if (result != 0 && !may_replace && errno == EEXIST) return false;
    if (result != 0) throw failure("write", quoted(target_), errno);
    has_name_ = true;
    return true;
}

int remove_pending(const fs::path& folder, std::uint32_t tag) {
    const auto start = pending_name(tag, 0).substr(0, 11), whole = pending_name(0, 0);
    std::error_code error;
    std::vector<fs::path> left;
    for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
        const auto name = i->path().filename().string();
        const bool hexadecimal = name.find_first_not_of("0123456789abcdef", 3) == std::string::npos;
        if (name.starts_with(start) && name.size() == whole.size() && hexadecimal) left.push_back(i->path());
    }
    int removed = 0;
    for (const auto& path : left) removed += ::unlink(path.c_str()) == 0;
    return removed;
}

void remove_unfinished_files() noexcept {
    for (const auto& place : unfinished_places)
        if (place.ours.load()) ::unlink(place.path);
}

} // namespace kg
