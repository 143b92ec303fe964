#include "app/editor/document/pasted_file.hpp"

#include "app/io/files/files.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kg {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "Clipboard ";
constexpr std::chrono::days kKept{30};

/// N of "Clipboard N.png"; 0 for other files.
int number_of(const fs::path& path) {
    const auto stem = path.stem().string();
    int number = 0;
    if (stem.starts_with(kName))
        std::from_chars(stem.data() + kName.size(), stem.data() + stem.size(), number);
    return number;
}

} // namespace

fs::path new_pasted_file(const fs::path& folder, const std::string& extension) {
    std::error_code error;
    fs::create_directories(folder.parent_path(), error);
    ::mkdir(folder.c_str(), S_IRWXU); // a failure shows when the file is made
    int number = 0;
    for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error))
        number = std::max(number, number_of(file->path()));
    for (;;) { // another window may take the same number
        auto path = folder / (std::string(kName) + std::to_string(++number) + extension);
        const int descriptor = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC,
                                      S_IRUSR | S_IWUSR);
        if (descriptor >= 0) {
            ::close(descriptor);
            return path;
        }
        if (errno != EEXIST)
            throw Error("cannot-write", "The pasted image cannot be kept as {}: {}.", quoted(path),
                        std::generic_category().message(errno));
    }
}

void remove_old_pasted_files(const fs::path& folder) {
    std::error_code error;
    const auto oldest = fs::file_time_type::clock::now() - kKept;
    for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error)) {
        std::error_code ignored;
        const auto written = fs::last_write_time(file->path(), ignored);
        if (!ignored && number_of(file->path()) > 0 && written < oldest) fs::remove(file->path(), ignored);
    }
}

} // namespace kg
