#pragma once
// What a batch has done, kept in its output folder, so that the same line again goes on where the last one ended.
//
// The guarantee: a line says which bytes an output has, and it is on the disk before the output gets its name. So whatever
// stands under an output's name and is what a line says was made by that job from that input; whatever does not was not, and
// is dealt with as any file that exists. A process that is killed at any moment, or a machine that loses power, leaves whole
// outputs, absent ones and at most a torn last line, which is ignored.
//
// One line is {"check":"<16 hexadecimal digits>","entry":{...}}: the check is XXH3 of the entry's text. File names have what is
// not plain ASCII as %XX, because they may be any bytes, and JSON is UTF-8.

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

/// How a file is known again: by its stamp without reading it, else by its hash.
struct FileProof {
    std::string hash;
    FileStamp stamp{};
};

/// True if the file is the one that the proof is of.
bool is_proven(const std::filesystem::path& path, const FileProof& proof, bool follow_links);

struct JournalEntry {
    std::filesystem::path name;   ///< planned for the output, relative to the output folder
    std::filesystem::path output; ///< that it got: another one where files are renamed
    std::string job;              ///< hash of the recipe and of what else decides about the bytes
    FileProof in, out;
};

/// All lines of all journals of an output folder, the newest of a file last.
class JournalRecord {
public:
    /// No journal is an empty one; lines that do not check are left out. Throws Error if one cannot be read.
    static JournalRecord read(const std::filesystem::path& out);
    /// Of these journals alone.
    static JournalRecord read_files(std::span<const std::filesystem::path> journals);

    /// Of outputs planned under that name, oldest first.
    const std::vector<JournalEntry>& of(const std::filesystem::path& name) const;
    /// By the planned name.
    const std::map<std::filesystem::path, std::vector<JournalEntry>>& entries() const { return entries_; }
    std::size_t damaged_lines() const { return damaged_; }

private:
    std::map<std::filesystem::path, std::vector<JournalEntry>> entries_;
    std::size_t damaged_ = 0;
};

/// Of a shard, or of a whole job; there need be none.
std::filesystem::path journal_file(const std::filesystem::path& out, const std::string& shard);

/// The folder in an output folder that is the program's own.
std::filesystem::path journal_folder(const std::filesystem::path& out);

/// The journals in there, one of each shard that ran; none where there is no such folder.
std::vector<std::filesystem::path> journal_files(const std::filesystem::path& out);

/// One process at a time writes a journal. Thread-safe.
class Journal {
public:
    /// `shard` is part of the file's name: "2-of-4"; empty for whole jobs. Creates file and folders where there are none; writes to
    /// it only in add(). Throws Error, also while another process has it open.
    Journal(const std::filesystem::path& out, const std::string& shard);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    /// They are on the disk when this returns; those of several threads share one write to it.
    void add(const JournalEntry& entry) { add(std::span(&entry, 1)); }
    void add(std::span<const JournalEntry> entries);
    const std::filesystem::path& path() const { return path_; }
    /// Of pending files: no other process that may be alive has the same.
    std::uint32_t tag() const { return tag_; }

private:
    void append(const std::string& lines);

    std::filesystem::path path_;
    int file_ = -1;
    std::uint32_t tag_ = 0;
    bool is_torn_ = false; ///< its last line has no end
    std::mutex mutex_;
    std::condition_variable synced_;
    std::uint64_t written_ = 0, safe_ = 0; ///< calls of add(), and how many of them are on the disk
    bool syncing_ = false;
};

} // namespace kg::batch
