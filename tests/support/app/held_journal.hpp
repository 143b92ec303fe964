#pragma once
// Blocks a scan for images after it has found them all and reads the journal.

#include "app/batch/plan/journal.hpp"
#include "tests/support/eventually.hpp"

#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kg::testing {

/// Replaces an output folder's journal: its reader blocks until released and gets an empty one; then it is
/// removed.
class HeldJournal {
public:
    explicit HeldJournal(const std::filesystem::path& out) : path_(batch::journal_file(out, {})) {
        std::filesystem::create_directories(path_.parent_path());
        ::mkfifo(path_.c_str(), 0600);
    }
    HeldJournal(const HeldJournal&) = delete;
    HeldJournal& operator=(const HeldJournal&) = delete;
    ~HeldJournal() { let_go(); }

    /// Waits for a reader; false if none comes.
    bool is_read() {
        return eventually([this] { return opens(); });
    }
    void let_go() {
        std::error_code gone;
        opens();
        std::filesystem::remove(path_, gone);
        if (writes_ >= 0) ::close(writes_);
        writes_ = -1;
    }

private:
    bool opens() { // open() fails without a reader
        if (writes_ < 0) writes_ = ::open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        return writes_ >= 0;
    }

    std::filesystem::path path_;
    int writes_ = -1;
};

} // namespace kg::testing
