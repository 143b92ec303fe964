#include "app/io/files/filled_file.hpp"

#include "app/io/files/files.hpp"
#include "app/io/files/unfinished.hpp"

#include <array>
#include <cerrno>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kg {

namespace fs = std::filesystem;
using io::write_failure;

void write_filled_descriptor(int descriptor, std::string_view name,
                             const std::function<void(ByteSink&)>& fill) {
    std::error_code error;
    const auto folder = fs::temp_directory_path(error);
    if (error)
        throw Error("no-temporary-folder", "there is no folder for temporary files; set TMPDIR to one");
    const auto temporary = folder / "(temporary file)";
    io::Unfinished unfinished;
    unfinished.create(temporary, {}, 0600);
    unfinished.remove(); // it is freed when it is closed
    FileSink sink(unfinished.file(), temporary);
    fill(sink);
    std::array<char, 1 << 16> block;
    for (std::uint64_t at = 0; at < sink.size();) {
        const auto got = ::pread(unfinished.file(), block.data(), block.size(), static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0 || !io::write_all(descriptor, {block.data(), static_cast<std::size_t>(got)}))
            throw write_failure(name, got == 0 ? EIO : errno, "write to");
        at += static_cast<std::uint64_t>(got);
    }
}

void write_filled_file(const fs::path& path, const std::function<void(ByteSink&)>& fill) {
    struct stat old {};
    const bool exists = ::stat(path.c_str(), &old) == 0;
    if (exists && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode)) {
        io::Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
        if (file.get() < 0) throw write_failure(quoted(path), errno);
        write_filled_descriptor(file.get(), quoted(path), fill);
        if (!file.close()) throw write_failure(quoted(path), errno);
        return;
    }
    if (exists && ::access(path.c_str(), W_OK) != 0) throw write_failure(quoted(path), errno);
    const auto target = io::behind_links(path);
    io::Unfinished unfinished;
    unfinished.fill(target, {}, fill);
    try {
        unfinished.take_name(target, true);
    } catch (...) {
        unfinished.remove();
        throw;
    }
}

} // namespace kg
