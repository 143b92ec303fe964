#include "app/io/files/byte_access.hpp"

#include "app/io/files/files.hpp"
#include "core/support/error.hpp"
#include "core/support/huge_pages.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kg {

namespace {

FileError failure(const char* verb, const std::filesystem::path& path, int reason) {
    return {verb, quoted(path), std::strerror(reason)};
}

} // namespace

std::string ByteSource::read_string(std::uint64_t at, std::size_t count) const {
    if (at >= size()) return {};
    std::string bytes(std::min<std::uint64_t>(count, size() - at), '\0');
    bytes.resize(read(at, bytes.data(), bytes.size()));
    return bytes;
}

FileBytes::FileBytes(const std::filesystem::path& path) : path_(path) {
    struct stat status {};
    // O_NONBLOCK: opening a pipe would wait for a writer
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool opened = file_ >= 0 && ::fstat(file_, &status) == 0;
    const int reason = errno;
    if (opened && S_ISREG(status.st_mode)) {
        size_ = static_cast<std::uint64_t>(status.st_size);
        return;
    }
    if (file_ >= 0) ::close(file_); // the destructor does not run
    if (!opened) throw failure("read", path, reason);
    throw Error("not-a-file", "cannot read {}: it is not a file", quoted(path));
}

FileBytes::~FileBytes() { ::close(file_); }

std::size_t FileBytes::read(std::uint64_t at, char* to, std::size_t count) const {
    std::size_t filled = 0;
    while (filled < count) {
        const auto got = ::pread(file_, to + filled, count - filled, static_cast<off_t>(at + filled));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw failure("read", path_, errno);
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
    }
    return filled;
}

void StringSink::write(std::uint64_t at, std::string_view bytes) {
    if (at == bytes_.size()) {
        bytes_.append(bytes);
        return;
    }
    if (const auto end = at + bytes.size(), had = std::uint64_t{bytes_.size()}; end > had) {
        bytes_.reserve(end);
        advise_huge_pages(bytes_.data() + had, end - had);
        bytes_.resize(end);
    }
    std::memcpy(bytes_.data() + at, bytes.data(), bytes.size());
}

void FileSink::write(std::uint64_t at, std::string_view bytes) {
    const auto end = at + bytes.size();
    while (!bytes.empty()) {
        const auto written = ::pwrite(file_, bytes.data(), bytes.size(),
                                      static_cast<off_t>(end - bytes.size()));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) throw failure("write", target_, written < 0 ? errno : EIO);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    size_ = std::max<std::uint64_t>(size_, end);
}

void FileSink::clear() {
    if (::ftruncate(file_, 0) != 0) throw failure("write", target_, errno);
    size_ = 0;
}

} // namespace kg
