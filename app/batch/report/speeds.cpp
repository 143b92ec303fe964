#include "app/batch/report/speeds.hpp"

#include "app/batch/plan/journal.hpp"
#include "app/process/file/hash.hpp"
#include "core/support/error.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <deque>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace kg::batch {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr auto kSchema = "kernelglass-batch-speed/2";

fs::path file_in(const fs::path& out) { return journal_folder(out) / "speeds.jsonl"; }

/// Empty if the file is missing or not a regular file, such as an endless device.
std::string text_of(const fs::path& path) try {
    constexpr std::uint64_t kMostBytes = 1 << 20; // shorten() keeps the file well below
    return read_file(path, {.most_bytes = kMostBytes});
} catch (const Error&) {
    return {};
}

/// The latest lines suffice.
void shorten(const fs::path& path) {
    constexpr std::uintmax_t kLong = 32 << 10;
    constexpr std::size_t kKept = 32;
    std::error_code none;
    if (const auto length = fs::file_size(path, none); none || length < kLong) return;
    std::deque<std::string> lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line); lines.push_back(line))
        if (lines.size() == kKept) lines.pop_front();
    std::string text;
    for (const auto& line : lines) text += line + "\n";
    write_file(path, text);
}

} // namespace

std::vector<RunSpeed> read_speeds(const fs::path& out, const std::string& job, const std::string& place) {
    std::vector<RunSpeed> speeds;
    std::istringstream lines(text_of(file_in(out)));
    for (std::string line; std::getline(lines, line);) try {
            const auto json = Json::parse(line);
            if (json.at("schema") != kSchema || json.at("job") != job || json.at("place") != place) continue;
            speeds.push_back({job, place, json.at("images"), json.at("bytes_read"), json.at("bytes_written"),
                              json.at("seconds")});
        } catch (const Json::exception&) { // torn, or written by another version
        }
    return speeds;
}

void add_speed(const fs::path& out, const RunSpeed& speed) noexcept try {
    const auto line = Json{{"schema", kSchema},
                           {"job", speed.job},
                           {"place", speed.place},
                           {"images", speed.images},
                           {"bytes_read", speed.bytes_read},
                           {"bytes_written", speed.bytes_written},
                           {"seconds", speed.seconds}}
                          .dump() +
                      "\n";
    shorten(file_in(out));
    const int file = ::open(file_in(out).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0) return;
    // Shards share the file: a single write() keeps lines whole.
    [[maybe_unused]] const auto written = ::write(file, line.data(), line.size());
    ::close(file);
} catch (const std::exception&) {
}

std::string place_of(const std::string& device, int at_a_time) {
    constexpr std::size_t kLongest = 256;
    char host[kLongest] = "";
    ::gethostname(host, sizeof host - 1);
    return hash_of(std::string(host) + "\n" + device + "\n" + std::to_string(at_a_time));
}

} // namespace kg::batch
