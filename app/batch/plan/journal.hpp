#pragma once
// The record of what a batch has done, kept in its output folder, so that the same command resumes where the
// last one ended.
//
// Invariant: an entry with the hash of an output is on the disk before the output gets its name. An output
// that matches its entry was therefore made by that job from that input; any other file is treated as a file
// that exists already. After a kill or a power loss at any moment, outputs are complete or absent, and at
// most the last line is torn and ignored.
//
// A line is {"check":"<16 hexadecimal digits>","entry":{...}}, where the check is XXH3 of the entry's text.
// Bytes of file names that are not plain ASCII are written as %XX, because names may be any bytes and JSON is
// UTF-8.

#include "app/io/files/files.hpp"

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kg::batch {

/// Identifies a file: by its stamp without reading it, else by its hash.
struct FileVerification {
    std::string hash;
    FileStamp stamp{};
};

/// True if the file is the one that the verification describes.
bool is_verified(const std::filesystem::path& path, const FileVerification& verification, bool follow_links);

struct JournalEntry {
    std::filesystem::path name;   ///< planned for the output, relative to the output folder
    std::filesystem::path output; ///< actual name; differs from the planned one where files are renamed
    std::string job;              ///< hash of the recipe and of everything else that determines the bytes
    FileVerification in, out;
};

/// All entries of all journals of an output folder, the newest entry of a file last.
class JournalRecord {
public:
    /// A missing journal is an empty one; lines with a wrong check are skipped. Throws Error if a journal
    /// cannot be read.
    static JournalRecord read(const std::filesystem::path& out);
    /// Reads these journals only.
    static JournalRecord read_files(std::span<const std::filesystem::path> journals);

    /// Entries of outputs planned under that name, oldest first.
    const std::vector<JournalEntry>& of(const std::filesystem::path& name) const;
    /// All entries, keyed by the planned name.
    const std::map<std::filesystem::path, std::vector<JournalEntry>>& entries() const { return entries_; }
    std::size_t damaged_lines() const { return damaged_; }

private:
    std::map<std::filesystem::path, std::vector<JournalEntry>> entries_;
    std::size_t damaged_ = 0;
};

/// The journal file of a shard or of a whole job; it need not exist.
std::filesystem::path journal_file(const std::filesystem::path& out, const std::string& shard);

/// The program's own folder inside an output folder.
std::filesystem::path journal_folder(const std::filesystem::path& out);

/// The journals in that folder, one per shard that ran; none if the folder does not exist.
std::vector<std::filesystem::path> journal_files(const std::filesystem::path& out);

/// The journal of a running batch. One process at a time writes it. Thread-safe.
class Journal {
public:
    /// `shard` is part of the file's name: "2-of-4"; empty for whole jobs. Creates the file and its folders
    /// where they do not exist; later only add() writes. Throws Error, also while another process has the
    /// journal open.
    Journal(const std::filesystem::path& out, const std::string& shard);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    /// Entries are durable when this returns; calls of several threads share one fsync.
    void add(const JournalEntry& entry) { add(std::span(&entry, 1)); }
    void add(std::span<const JournalEntry> entries);
    const std::filesystem::path& path() const { return path_; }
    /// Tag of pending files; no other live process has the same.
    std::uint32_t tag() const { return tag_; }

private:
    void append(const std::string& lines);

    std::filesystem::path path_;
    int file_ = -1;
    std::uint32_t tag_ = 0;
    bool is_torn_ = false; ///< the last line lacks its line feed
    std::mutex mutex_;
    std::condition_variable synced_;
    std::uint64_t written_ = 0, safe_ = 0; ///< calls of add(), and how many of them are durable
    bool syncing_ = false;
};

} // namespace kg::batch
