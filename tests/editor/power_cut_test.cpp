// Files after a power cut: the bytes are on the disk before the file gets its name, and a saved file keeps
// its name.

#include "app/editor/document/export.hpp"
#include "app/process/image/sample_image.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe_file.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <functional>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

/// Called for syncs of this thread; returns the disk's error, 0 = none.
thread_local std::function<int(int file)> on_sync;

int sync_as_asked(long call, int file) {
    if (const int error = on_sync ? on_sync(file) : 0) {
        errno = error;
        return -1;
    }
    return static_cast<int>(::syscall(call, file));
}

} // namespace

// Replaces the C library's function for this program.
extern "C" int fsync(int file) { return sync_as_asked(SYS_fsync, file); }
extern "C" int fdatasync(int file) { return sync_as_asked(SYS_fdatasync, file); }

namespace kg::testing {
namespace {

namespace fs = std::filesystem;

class PowerCut : public ::testing::Test {
protected:
    void TearDown() override { on_sync = {}; }
    /// Records what is synced: "N bytes" while `target` holds older content, "the folder" with its state.
    void watch(const fs::path& target) {
        on_sync = [this, target](int file) {
            struct stat status {};
            EXPECT_EQ(::fstat(file, &status), 0);
            const auto now = fs::exists(target) ? read_file(target) : "nothing";
            seen_.push_back(
                (S_ISDIR(status.st_mode) ? "the folder" : std::to_string(status.st_size) + " bytes") +
                " over " + (now.size() > 9 ? "all" : now));
            return 0;
        };
    }

    TemporaryFolder folder_{"power_cut"};
    const fs::path file_ = folder_.path() / "file";
    std::vector<std::string> seen_;
};

TEST_F(PowerCut, TheBytesAreOnTheDiskBeforeTheyHaveTheName) {
    watch(file_);
    write_file(file_, "old");
    write_file(file_, "brand-new");
    EXPECT_EQ(seen_, (std::vector<std::string>{"3 bytes over nothing", "9 bytes over old"}));
}

TEST_F(PowerCut, ADiskThatCannotKeepTheBytesKeepsTheOldFile) {
    write_file(file_, "old");
    on_sync = [](int) { return EIO; };
    EXPECT_THROW(write_file(file_, "brand-new"), Error);
    EXPECT_THROW(write_file(folder_.path() / "other", "brand-new"), Error);
    on_sync = {};
    EXPECT_EQ(read_file(file_), "old");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1) << "nothing else is left";
}

TEST_F(PowerCut, WhereTheFileSystemCannotSyncTheFileIsWrittenAllTheSame) {
    write_file(file_, "old");
    for (const int error : {EINVAL, ENOSYS, ENOTSUP}) {
        on_sync = [error](int) { return error; };
        write_file(file_, std::to_string(error));
        on_sync = {};
        EXPECT_EQ(read_file(file_), std::to_string(error));
    }
}

TEST_F(PowerCut, WhatTheWindowSavesKeepsItsName) {
    const auto path = folder_.path() / "saved.png";
    fs::create_symlink(path, folder_.path() / "link.png");
    LoadedImage image;
    image.pixels = sample_image({40, 30});
    watch(path);
    filter_and_write({cpu::make_engine(1), {}}, image, parse_recipe("box", "recipe"), {},
                     folder_.path() / "link.png");
    ASSERT_EQ(seen_.size(), 2U);
    EXPECT_NE(seen_[0].find(" bytes over nothing"), std::string::npos) << seen_[0];
    EXPECT_EQ(seen_[1], "the folder over all");
}

TEST_F(PowerCut, WhereAFolderCannotBeSyncedTheFileIsThereAllTheSame) {
    write_file(file_, "old");
    on_sync = [](int) { return EIO; };
    sync_name(file_);
    sync_name(folder_.path() / "no" / "such" / "file");
    EXPECT_EQ(read_file(file_), "old");
}

} // namespace
} // namespace kg::testing
