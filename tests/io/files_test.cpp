// Whole files: a failed write leaves nothing behind, devices and links are respected.

#include "app/io/files/files.hpp"
#include "tests/io/support/image_files.hpp"
#include "tests/support/error_code.hpp"

#include <csignal>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;

TEST_F(ImageFile, ReadingRefusesWhatIsNoImageBeforeReadingAllOfIt) {
    EXPECT_EQ(code_of([] { read_image("/dev/zero"); }), "not-an-image");
    EXPECT_EQ(code_of([&] { read_image(folder_); }), "is-a-folder");
    const auto read = [&] { read_image(path("absent.png")); };
    EXPECT_EQ(code_of(read), "cannot-read");
    EXPECT_EQ(arguments_of(read).front(), quoted(path("absent.png")));
}

TEST_F(ImageFile, AFailedWriteLeavesNothingNewAndDestroysNothingOld) {
    write_file(path("old.bin"), "precious");
    const auto child = ::fork(); // its limit on the size of files stands for a full disk
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{1000, 1000};
        ::setrlimit(RLIMIT_FSIZE, &small);
        const auto fails = [&](const char* name) {
            const auto write = [&] { write_file(path(name), std::string(100000, 'x')); };
            return code_of(write) == "cannot-write" && arguments_of(write).front() == quoted(path(name));
        };
        ::_exit(fails("old.bin") && fails("new.bin") ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_EQ(read_file(path("old.bin")), "precious");
    EXPECT_EQ(files(), 1u);
}

TEST_F(ImageFile, DevicesAreWrittenToAndNotReplaced) {
    const auto write = [] { write_file("/dev/full", "x"); };
    EXPECT_EQ(code_of(write), "cannot-write");
    EXPECT_EQ(arguments_of(write).front(), "\"/dev/full\"");
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
    EXPECT_NO_THROW(write_file("/dev/null", "x"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(ImageFile, TargetsThatCannotBeWrittenAreNamed) {
    EXPECT_EQ(code_of([&] { write_file(folder_, "x"); }), "is-a-folder");
    const auto beside_nothing = [&] { write_file(path("no/such/x.png"), "x"); };
    EXPECT_EQ(code_of(beside_nothing), "no-folder");
    EXPECT_EQ(arguments_of(beside_nothing),
              (std::vector<std::string>{quoted(path("no/such/x.png")), quoted(path("no/such"))}));
    write_file(path("file"), "x");
    const auto in_a_file = [&] { write_file(path("file/x.png"), "x"); };
    EXPECT_EQ(code_of(in_a_file), "cannot-write");
    EXPECT_EQ(arguments_of(in_a_file).front(), quoted(path("file/x.png")));
    EXPECT_EQ(files(), 1u);
}

TEST_F(ImageFile, WritingFollowsLinksAndKeepsPermissions) {
    write_file(path("real"), "old");
    fs::permissions(path("real"), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("real", path("link"));
    write_file(path("link"), "new");
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(read_file(path("real")), "new");
    EXPECT_EQ(fs::status(path("real")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("fresh", path("dangling"));
    write_file(path("dangling"), "made");
    EXPECT_EQ(read_file(path("fresh")), "made");
}

} // namespace
} // namespace kg::testing
