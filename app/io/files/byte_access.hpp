#pragma once
// Access to files in sections, so that an image can be read or written without its whole file in memory.

#include "core/support/error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace kg {

/// The system's refusal to open, read or write a file: "cannot VERB NAME: REASON", with the code
/// "cannot-VERB" and the arguments name and reason. A caller that names the file and the purpose itself uses
/// the reason alone.
class FileError : public Error {
public:
    /// `verb` is "read" or "write".
    FileError(std::string_view verb, std::string_view name, std::string_view reason)
        : Error(Error("cannot-" + std::string(verb), "{}: {}", name, reason)
                    .after("cannot " + std::string(verb) + " ")) {}
    const std::string& name() const { return arguments()[0]; }
    const std::string& reason() const { return arguments()[1]; }
};

class ByteSource {
public:
    virtual ~ByteSource() = default;
    virtual std::uint64_t size() const = 0;
    /// Reads up to `count` bytes from offset `at`; returns how many there are. Throws Error if the disk
    /// fails.
    virtual std::size_t read(std::uint64_t at, char* to, std::size_t count) const = 0;
    /// The same as a string.
    std::string read_string(std::uint64_t at, std::size_t count) const;
};

/// Bytes in memory, which must outlive this.
class MemoryBytes final : public ByteSource {
public:
    explicit MemoryBytes(std::string_view bytes) : bytes_(bytes) {}
    std::uint64_t size() const override { return bytes_.size(); }
    std::size_t read(std::uint64_t at, char* to, std::size_t count) const override {
        return at < bytes_.size() ? bytes_.copy(to, count, at) : 0;
    }

private:
    std::string_view bytes_;
};

/// A file that stays open while this exists.
class FileBytes final : public ByteSource {
public:
    /// Throws Error naming the file, also for pipes and devices, which cannot be read twice.
    explicit FileBytes(const std::filesystem::path& path);
    ~FileBytes() override;
    FileBytes(const FileBytes&) = delete;
    FileBytes& operator=(const FileBytes&) = delete;

    std::uint64_t size() const override { return size_; } ///< at the time of opening
    std::size_t read(std::uint64_t at, char* to, std::size_t count) const override;

private:
    std::filesystem::path path_;
    int file_ = -1;
    std::uint64_t size_ = 0;
};

/// The destination of a file's bytes.
class ByteSink {
public:
    virtual ~ByteSink() = default;
    virtual std::uint64_t size() const = 0;
    /// Writes over existing bytes or beyond the end. Throws Error or std::bad_alloc if there is no room.
    virtual void write(std::uint64_t at, std::string_view bytes) = 0;
    void append(std::string_view bytes) { write(size(), bytes); }
    /// Reads back up to `count` bytes from offset `at`; returns how many there are. 0 if output cannot be
    /// read.
    virtual std::size_t read_back(std::uint64_t, char*, std::size_t) const { return 0; }
    /// Discards all bytes.
    virtual void clear() = 0;
};

/// A file in memory.
class StringSink final : public ByteSink {
public:
    std::uint64_t size() const override { return bytes_.size(); }
    void write(std::uint64_t at, std::string_view bytes) override;
    void clear() override { bytes_.clear(); }
    std::size_t read_back(std::uint64_t at, char* to, std::size_t count) const override {
        return MemoryBytes(bytes_).read(at, to, count);
    }
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

/// An open file for reading and writing, empty at first.
class FileSink final : public ByteSink {
public:
    /// The descriptor is not closed; `target` names the file in messages.
    FileSink(int descriptor, std::filesystem::path target) : file_(descriptor), target_(std::move(target)) {}
    std::uint64_t size() const override { return size_; }
    void write(std::uint64_t at, std::string_view bytes) override;
    void clear() override;

private:
    const int file_;
    const std::filesystem::path target_;
    std::uint64_t size_ = 0;
};

/// Discards its bytes; for dry runs.
class NullSink final : public ByteSink {
public:
    std::uint64_t size() const override { return size_; }
    void write(std::uint64_t at, std::string_view bytes) override {
        size_ = std::max<std::uint64_t>(size_, at + bytes.size());
    }
    void clear() override { size_ = 0; }

private:
    std::uint64_t size_ = 0;
};

} // namespace kg
