// Files that are being written when a signal or a kill ends the program.

#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"
#include "tests/support/eventually.hpp"

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kg::testing {
namespace {

TEST(UnfinishedFiles, AreRemovedBySignalHandlersOnRequest) {
    const TemporaryFolder temporary("part");
    const auto& folder = temporary.path();
    const auto writing = folder / "out.png";
    // The temporary name exists only during the write, so a child writes: the parent sees the name appear and
    // sends the signal.
    const auto child = ::fork();
    if (child == 0) {
        std::signal(SIGTERM, [](int) {
            remove_unfinished_files();
            ::_exit(42);
        });
        const std::string bytes(std::size_t{1} << 28, 'x');
        for (;;) PendingFile(writing, bytes, 1);
    }
    const auto count = [&] {
        std::size_t unfinished = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            unfinished += entry.path() != writing ? 1 : 0;
        return unfinished;
    };
    std::size_t unfinished = 0;
    EXPECT_TRUE(eventually([&] { return (unfinished = count()) > 0; }));
    EXPECT_EQ(unfinished, 1u) << "the file being written";
    ::kill(child, SIGTERM);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 42);
    EXPECT_EQ(count(), 0u);
}

TEST(UnfinishedFiles, AreRemovedByASignalRightAfterTheirCreation) {
    const TemporaryFolder temporary("gap");
    const auto& folder = temporary.path();
    const auto child = ::fork();
    if (child == 0) {
        std::signal(SIGTERM, [](int) {
            remove_unfinished_files();
            ::_exit(42);
        });
        if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(1);
        ::raise(SIGSTOP);
        PendingFile(folder / "out.png", "pixels", 1);
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!WIFSTOPPED(status)) GTEST_SKIP() << "PTRACE IS NOT PERMITTED HERE";
    // Steps from one entry or exit of a system call to the next: the first with a file is the exit of open().
    bool sent = false;
    while (WIFSTOPPED(status)) {
        if (!sent && !std::filesystem::is_empty(folder)) {
            ::kill(child, SIGTERM);
            sent = true;
        }
        const int arriving = WSTOPSIG(status) == SIGTERM ? SIGTERM : 0;
        ASSERT_EQ(::ptrace(PTRACE_SYSCALL, child, nullptr, arriving), 0);
        ::waitpid(child, &status, 0);
    }
    EXPECT_TRUE(sent);
    EXPECT_EQ(WEXITSTATUS(status), 42);
    EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(UnfinishedFiles, WithoutNamesLeaveNothingWheneverTheProcessIsKilled) {
    const TemporaryFolder temporary("killed");
    const auto& folder = temporary.path();
    const auto target = folder / "out.png";
    if (const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR, 0600); file < 0)
        GTEST_SKIP() << "THIS FILE SYSTEM DOES NOT SUPPORT O_TMPFILE";
    else ::close(file);
    int before = 0, after = 0;
    for (int moment = 0, status = 0; !WIFEXITED(status) || moment == 0; ++moment) {
        const auto child = ::fork();
        if (child == 0) {
            if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(1);
            ::raise(SIGSTOP);
            write_file(target, "pixels");
            ::_exit(0);
        }
        ::waitpid(child, &status, 0);
        if (!WIFSTOPPED(status)) GTEST_SKIP() << "PTRACE IS NOT PERMITTED HERE";
        // Steps from one entry or exit of a system call to the next.
        for (int i = 0; i < moment && WIFSTOPPED(status); ++i) {
            ASSERT_EQ(::ptrace(PTRACE_SYSCALL, child, nullptr, 0), 0);
            ::waitpid(child, &status, 0);
        }
        if (WIFSTOPPED(status)) {
            ::kill(child, SIGKILL);
            int ended = 0;
            ::waitpid(child, &ended, 0);
        }
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            names.insert(entry.path().filename().string());
        if (names.empty()) {
            ++before;
            continue;
        }
        ++after;
        EXPECT_EQ(names, std::set<std::string>{"out.png"}) << "at moment " << moment;
        EXPECT_EQ(read_file(target), "pixels") << "at moment " << moment;
        std::filesystem::remove(target);
    }
    EXPECT_GT(before, 4);
    EXPECT_GT(after, 1);
}

TEST(UnfinishedFiles, AreWrittenIfAFileWithoutANameCannotBeLinked) {
    const TemporaryFolder temporary("unlinkable");
    const auto &folder = temporary.path(), fresh = folder / "new.png", old = folder / "old.png";
    write_file(old, "old");
    ASSERT_EQ(::chmod(old.c_str(), 0604), 0);
    const std::string pixels(std::size_t{3} << 20, 'p');
    const auto child = ::fork();
    if (child == 0) {
        sock_filter steps[] = {
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_linkat, 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        };
        const sock_fprog filter{std::size(steps), steps};
        if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
            ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
            ::_exit(2);
        ::umask(027);
        try {
            for (const auto& target : {fresh, old}) write_file(target, pixels);
        } catch (const std::exception& e) {
            std::cerr << e.what() << std::endl;
            ::_exit(1);
        }
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "SECCOMP IS NOT PERMITTED HERE";
    EXPECT_EQ(status, 0);
    for (const auto& target : {fresh, old}) EXPECT_TRUE(read_file(target) == pixels) << target;
    using std::filesystem::perms;
    EXPECT_EQ(std::filesystem::status(fresh).permissions(), perms{0640});
    EXPECT_EQ(std::filesystem::status(old).permissions(), perms{0604});
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 2) << "nothing else is left";
}

TEST(UnfinishedFiles, HaveThePermissionsOfNewFiles) {
    const TemporaryFolder temporary("umask");
    for (const mode_t mask : {022, 077, 0}) {
        const auto path = temporary.path() / std::to_string(mask);
        const auto before = ::umask(mask);
        write_file(path, "pixels");
        ::umask(before);
        EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms{0666 & ~mask});
    }
}

} // namespace
} // namespace kg::testing
