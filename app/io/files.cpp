#include "app/io/files.hpp"

#include "core/error.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kg {

namespace {

namespace fs = std::filesystem;

Error failure(const char* verb, const fs::path& path, int reason) {
    return Error(std::string("cannot ") + verb + " " + quoted(path) + ": " + std::strerror(reason));
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

/// A pipe or a device cannot be replaced, and must not be: renaming over /dev/null would take it from everybody.
void write_into(const fs::path& path, std::string_view bytes) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0 || !write_all(file.get(), bytes) || !file.close()) throw failure("write", path, errno);
}

/// Where the bytes finally lie when `path` is a link, also one to a file that does not exist yet.
fs::path behind_links(fs::path path) {
    std::error_code error;
    for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(path, error)); ++links)
        path = path.parent_path() / fs::read_symlink(path, error); // an absolute target replaces the parent
    return path;
}

} // namespace

std::string quoted(const fs::path& path) { return "\"" + path.string() + "\""; }

std::string read_file(const fs::path& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) throw Error("cannot read " + quoted(path) + ": it is a folder");
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) throw failure("read", path, errno);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) throw failure("read", path, errno);
    std::string bytes;
    std::size_t filled = 0;
    bytes.resize(static_cast<std::size_t>(status.st_size) + 1); // one more, so that the end is seen at once
    for (;;) {
        if (filled == bytes.size()) bytes.resize(2 * bytes.size());
        const auto got = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw failure("read", path, errno);
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
    }
    bytes.resize(filled);
    return bytes;
}

void write_file(const fs::path& path, std::string_view bytes) {
    struct stat old {};
    const bool exists = ::stat(path.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) throw Error("cannot write " + quoted(path) + ": it is a folder");
    if (exists && !S_ISREG(old.st_mode)) return write_into(path, bytes);
    if (exists && ::access(path.c_str(), W_OK) != 0) throw failure("write", path, errno);

    static std::atomic<unsigned> count{0};
    const auto target = behind_links(path);
    auto temporary = target;
    temporary += ".part" + std::to_string(::getpid()) + "-" + std::to_string(count++);
    Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.get() < 0) throw failure("write", path, errno);
    bool done = !exists || ::fchmod(file.get(), old.st_mode & 07777) == 0;
    done = done && write_all(file.get(), bytes);
    done = done && file.close() && ::rename(temporary.c_str(), target.c_str()) == 0;
    if (done) return;
    const int reason = errno;
    ::unlink(temporary.c_str());
    throw failure("write", path, reason);
}

} // namespace kg
