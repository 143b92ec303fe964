#include "app/batch/plan/journal.hpp"

#include "app/io/files/percent.hpp"
#include "app/process/file/hash.hpp"
#include "app/process/file/output_folder.hpp"
#include "core/support/error.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace kg::batch {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kHead = "{\"check\":\"", kMiddle = "\",\"entry\":", kTail = "}";
constexpr std::size_t kCheckDigits = 16;

std::string check_of(std::string_view entry) {
    char text[kCheckDigits + 1];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(short_hash_of(entry)));
    return text;
}

Json json_of(const FileVerification& verification) {
    return {{"hash", verification.hash},
            {"bytes", verification.stamp.bytes},
            {"inode", verification.stamp.inode},
            {"modified_ns", verification.stamp.modified_ns}};
}

FileVerification verification_of(const Json& json) {
    return {json.at("hash"), {json.at("inode"), json.at("bytes"), json.at("modified_ns")}};
}

std::string line_of(const JournalEntry& entry) {
    const auto text = Json{{"name", percent_encoded(entry.name.string())},
                           {"output", percent_encoded(entry.output.string())},
                           {"job", entry.job},
                           {"in", json_of(entry.in)},
                           {"out", json_of(entry.out)}}
                          .dump();
    return std::string(kHead) + check_of(text) + std::string(kMiddle) + text + std::string(kTail) + "\n";
}

/// True for relative paths that stay inside the folder they are resolved against.
bool is_below(const fs::path& path) {
    return path.is_relative() && std::ranges::find(path, "..") == path.end();
}

/// Empty if the line is not a complete entry.
std::optional<JournalEntry> entry_of(std::string_view line) {
    const auto start = kHead.size() + kCheckDigits + kMiddle.size();
    if (line.size() < start + kTail.size() || !line.starts_with(kHead) || !line.ends_with(kTail)) return {};
    const auto text = line.substr(start, line.size() - start - kTail.size());
    if (line.substr(kHead.size(), kCheckDigits + kMiddle.size()) != check_of(text) + std::string(kMiddle))
        return {};
    try {
        const auto json = Json::parse(text);
        JournalEntry entry{percent_decoded(json.at("name").get<std::string>()),
                           percent_decoded(json.at("output").get<std::string>()), json.at("job"),
                           verification_of(json.at("in")), verification_of(json.at("out"))};
        if (is_below(entry.name) && is_below(entry.output)) return entry;
        return {};                    // a journal only describes files below its own folder
    } catch (const std::exception&) { // written by another version
        return {};
    }
}

Error trouble(const char* what, const fs::path& path, int reason) {
    return {"cannot-write", "cannot {} the journal {}: {}", what, quoted(path), std::strerror(reason)};
}

} // namespace

bool is_verified(const fs::path& path, const FileVerification& verification, bool follow_links) {
    const auto stamp = file_stamp(path, follow_links);
    if (!stamp || stamp->bytes != verification.stamp.bytes) return false;
    if (*stamp == verification.stamp) return true;
    std::error_code error;
    const auto type = follow_links ? fs::status(path, error).type() : fs::symlink_status(path, error).type();
    return type == fs::file_type::regular && hash_of_file(path) == verification.hash;
}

fs::path journal_folder(const fs::path& out) { return out / ".kernelglass"; }

fs::path journal_file(const fs::path& out, const std::string& shard) {
    return journal_folder(out) / ("journal" + (shard.empty() ? "" : "-" + shard) + ".jsonl");
}

std::vector<fs::path> journal_files(const fs::path& out) {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& file : fs::directory_iterator(journal_folder(out), none)) {
        const auto name = file.path().filename().string();
        if (name.starts_with("journal") && name.ends_with(".jsonl")) files.push_back(file.path());
    }
    std::ranges::sort(files);
    return files;
}

JournalRecord JournalRecord::read(const fs::path& out) { return read_files(journal_files(out)); }

JournalRecord JournalRecord::read_files(std::span<const fs::path> journals) {
    const ReadLimits any_length{.most_bytes = std::uint64_t{64} << 20,
                                .whole_files = true,
                                .of = "a journal that is a pipe or a device"};
    JournalRecord record;
    for (const auto& file : journals) {
        const auto text = read_file(file, any_length);
        for (std::string_view rest = text; !rest.empty();) {
            const auto end = rest.find('\n');
            const auto line = rest.substr(0, end);
            rest.remove_prefix(std::min(rest.size(), line.size() + 1));
            if (auto entry = entry_of(line)) record.entries_[entry->name].push_back(std::move(*entry));
            else ++record.damaged_;
        }
    }
    return record;
}

const std::vector<JournalEntry>& JournalRecord::of(const fs::path& name) const {
    static const std::vector<JournalEntry> none;
    const auto found = entries_.find(name);
    return found == entries_.end() ? none : found->second;
}

Journal::Journal(const fs::path& out, const std::string& shard)
    : path_(journal_file(out, shard)),
      tag_(static_cast<std::uint32_t>(short_hash_of(path_.filename().string()))) {
    make_folder_of(path_);
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file_ < 0) throw trouble("open", path_, errno);
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
        const int reason = errno;
        ::close(file_);
        if (reason == EWOULDBLOCK)
            throw Error("folder-in-use",
                        "another batch is writing to {}; wait for it, or choose another folder", quoted(out));
        throw trouble("lock", path_, reason);
    }
    char last = '\n';
    const auto length = ::lseek(file_, 0, SEEK_END);
    is_torn_ = length > 0 && ::pread(file_, &last, 1, length - 1) == 1 && last != '\n';
    const int folder = ::open(path_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) ::fsync(folder), ::close(folder); // the new directory entry must be durable, too
}

Journal::~Journal() { ::close(file_); }

/// Appends all lines or nothing: a partial write on a full disk is truncated.
void Journal::append(const std::string& lines) {
    const auto before = ::lseek(file_, 0, SEEK_END);
    std::string_view rest = lines;
    while (!rest.empty()) {
        const auto count = ::write(file_, rest.data(), rest.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            const int reason = errno;
            [[maybe_unused]] const int cut = ::ftruncate(file_, before);
            throw trouble("write", path_, reason);
        }
        rest.remove_prefix(static_cast<std::size_t>(count));
    }
}

void Journal::add(std::span<const JournalEntry> entries) {
    std::string lines;
    for (const auto& entry : entries) lines += line_of(entry);
    std::unique_lock lock(mutex_);
    append(is_torn_ ? "\n" + lines : lines); // starts a new line after a torn one
    is_torn_ = false;
    const auto own = ++written_;
    while (safe_ < own) {
        if (syncing_) {
            synced_.wait(lock);
            continue;
        }
        syncing_ = true; // covers all calls whose lines are written by now
        const auto reached = written_;
        lock.unlock();
        const int failed = ::fsync(file_) != 0 ? errno : 0;
        lock.lock();
        syncing_ = false;
        if (!failed) safe_ = reached;
        synced_.notify_all();
        if (failed) throw trouble("write", path_, failed);
    }
}

} // namespace kg::batch
