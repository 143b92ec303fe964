#include "app/io/files/files.hpp"

#include "app/io/files/unfinished.hpp"
#include "core/support/error.hpp"
#include "core/support/huge_pages.hpp"
#include "core/support/text.hpp"

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
using io::behind_links;
using io::Descriptor;
using io::pending_name;
using io::read_failure;
using io::stamp_of;
using io::Unfinished;
using io::write_all;
using io::write_failure;

/// Writes to pipes and devices directly. They must not be replaced: renaming over /dev/null would remove it
/// for everybody.
void write_into(const fs::path& path, std::string_view bytes) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0 || !write_all(file.get(), bytes) || !file.close())
        throw write_failure(quoted(path), errno);
}

/// Also true if the file system does not support fsync, which is no reason to lose the file.
bool is_synced(int file) {
    return ::fdatasync(file) == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
}

/// Opens for reading.
Descriptor opened(const fs::path& path) {
    std::error_code error;
    if (path.empty()) throw Error("no-name", "cannot read \"\": a file without a name");
    if (fs::is_directory(path, error))
        throw Error("is-a-folder", "cannot read {}: it is a folder", quoted(path));
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) throw read_failure(quoted(path), errno);
    return Descriptor(file);
}

} // namespace

std::string safe_name(const fs::path& path) { return printable(path.string()); }

std::string quoted(const fs::path& path) { return "\"" + safe_name(path) + "\""; }

std::string read_descriptor(int descriptor, std::string_view name, const ReadLimits& limits) try {
    constexpr std::size_t kStart = 16, kBlock = 1 << 16;
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) throw read_failure(name, errno);
    const bool is_file = S_ISREG(status.st_mode);
    const auto most = is_file && limits.whole_files ? UINT64_MAX - 1 : limits.most_bytes;
    const auto mebibytes = [](std::uint64_t size) { return std::to_string(size >> 20) + " MiB"; };
    std::string bytes;
    bool ended = false;
    const auto fill_to = [&](std::uint64_t size) {
        auto filled = bytes.size();
        bytes.reserve(size);
        advise_huge_pages(bytes.data() + filled, size - filled);
        bytes.resize(size);
        while (!ended && filled < size) {
            const auto got = ::read(descriptor, bytes.data() + filled, size - filled);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) throw read_failure(name, errno);
            ended = got == 0;
            filled += static_cast<std::size_t>(got);
        }
        bytes.resize(filled);
    };
    fill_to(kStart);
    if (limits.check_start) limits.check_start(bytes);
    if (const auto size = static_cast<std::uint64_t>(status.st_size); is_file && size > most)
        throw Error("file-too-large", "cannot read {}: it has {}, and the limit for {} is {}{}", name,
                    mebibytes(size), limits.of_file, mebibytes(most), limits.remedy);
    // One byte more than the file has, to detect its end at once.
    auto next = is_file ? static_cast<std::uint64_t>(status.st_size) + 1 : kBlock;
    // One byte more than twice as much: limits are powers of two, and the byte beyond one must not cause
    // another copy.
    for (; !ended; next = 2 * bytes.size() + 1) {
        if (bytes.size() > most)
            throw Error("file-too-large", "cannot read {}: it is longer than {}, the limit for {}", name,
                        mebibytes(most), limits.of);
        fill_to(std::min(std::max<std::uint64_t>(next, bytes.size() + 1), most + 1));
    }
    return bytes;
} catch (const std::bad_alloc&) {
    throw Error("out-of-memory", "cannot read {}: there is not enough memory for it", name);
}

std::string read_file(const fs::path& path, const ReadLimits& limits) {
    const auto file = opened(path);
    return read_descriptor(file.get(), quoted(path), limits);
}

void read_blocks(int descriptor, std::string_view name, const std::function<void(std::string_view)>& take) {
    std::array<char, 1 << 16> block;
    for (;;) {
        const auto count = ::read(descriptor, block.data(), block.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw read_failure(name, errno);
        if (count == 0) return;
        take({block.data(), static_cast<std::size_t>(count)});
    }
}

void read_blocks(const fs::path& path, const std::function<void(std::string_view)>& take) {
    const auto file = opened(path);
    read_blocks(file.get(), quoted(path), take);
}

void write_file(const fs::path& path, std::string_view bytes) {
    struct stat old {};
    const bool exists = ::stat(path.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode))
        throw Error("is-a-folder", "cannot write {}: it is a folder", quoted(path));
    if (exists && !S_ISREG(old.st_mode)) return write_into(path, bytes);
    if (exists && ::access(path.c_str(), W_OK) != 0) throw write_failure(quoted(path), errno);

    const auto target = behind_links(path);
    Unfinished unfinished;
    unfinished.create(target);
    bool done = !exists || ::fchmod(unfinished.file(), old.st_mode & 07777) == 0;
    done = done && write_all(unfinished.file(), bytes);
    // Without fsync the name could reach the disk before the bytes, and a power failure would replace the old
    // file by an empty one.
    done = done && is_synced(unfinished.file());
    const int reason = errno;
    try {
        if (!done) throw write_failure(quoted(path), reason);
        unfinished.take_name(target, true);
    } catch (...) {
        unfinished.remove();
        throw;
    }
}

void sync_name(const fs::path& path) noexcept try {
    const auto folder = behind_links(path).parent_path();
    const Descriptor descriptor(
        ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.get() >= 0) ::fsync(descriptor.get());
} catch (const std::exception&) { // the file is there, and complete
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
    stamp_ = place_->fill(target, tag, [bytes](ByteSink& file) { file.append(bytes); });
}

PendingFile::~PendingFile() {
    if (!has_name_) place_->remove();
}

bool PendingFile::take_name(bool may_replace) {
    has_name_ = place_->take_name(target_, may_replace);
    return has_name_;
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

} // namespace kg
