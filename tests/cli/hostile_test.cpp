// Endless inputs, limited file sizes, names at their limit, hostile names, and a second Ctrl+C.

#include "app/process/sample_image.hpp"
#include "app/io/files/percent.hpp"
#include "core/support/text.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/documented_json.hpp"
#include "tests/support/sanitizers.hpp"

#include <nlohmann/json.hpp>

#include <csignal>
#include <cstddef>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
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

class CommandHostile : public Program {
protected:
    void SetUp() override { write_image(path("in.png"), sample_image({40, 30}).view()); }
    /// Expects an error and little memory use, except with a sanitizer, which reserves terabytes of address
    /// space.
    void refuses(const std::string& line, const std::string& message) {
        EXPECT_EQ(shell((kSanitized ? "" : "ulimit -v 4000000\n") + line), 2) << line << out_ << err_;
        EXPECT_NE(err_.find(message), std::string::npos) << line << "\n" << err_;
    }
};

TEST_F(CommandHostile, EndlessInputsAreRefused) {
    for (const auto* source : {"yes", "cat /dev/zero", "cat /dev/urandom"})
        for (const auto* reader : {"filter - o.png -f box", "info -", "compare - in.png"})
            refuses(std::string(source) + " | \"$K\" " + reader,
                    "cannot open standard input: it is not an image");
    refuses("$K filter /dev/zero o.png -f box", "cannot open \"/dev/zero\": it is not an image");
    refuses("mkfifo pipe; yes > pipe & $K filter pipe o.png -f box",
            "cannot open \"pipe\": it is not an image");
    for (const auto* flag : {"--kernel", "--recipe"}) {
        refuses(std::string("$K filter in.png o.png ") + flag + " /dev/zero",
                "\"/dev/zero\": it goes on after 64 MiB, which is the limit for a kernel or a recipe");
        refuses(std::string("yes 1 | \"$K\" filter in.png o.png ") + flag + " -",
                "standard input: it goes on after 64 MiB");
    }
    refuses("$K filter in.png o.png -f @/dev/urandom", "there is no filter or preset \"@/dev/urandom\"");
    EXPECT_FALSE(std::filesystem::exists(path("o.png")));
}

TEST_F(CommandHostile, EndlessListsReportsAndJournalsTakeLittleMemory) {
    // The kernel counts all allocations; sanitizers allocate memory of their own.
    const std::string limit = kSanitized ? "" : "ulimit -d 400000\n";
    ASSERT_EQ(shell(limit + "$K batch in.png out -f box -q --engine cpu --threads 2"), 0)
        << "the job fits into the limit: " << err_;
    const auto refused = [&](const std::string& line, const std::string& message) {
        EXPECT_EQ(shell(limit + line), 2) << line << out_ << err_;
        EXPECT_NE(err_.find(message), std::string::npos) << line << "\n" << err_;
    };
    for (const auto* list : {"/dev/zero", "- < /dev/zero"})
        refused(std::string("$K batch out -f box --files-from ") + list, "-0 reads such lists");
    refused("$K batch out -f box -0 --files-from /dev/zero",
            "the list has more than 10000000 names, which is the limit; give it in parts");
    refused("yes | \"$K\" batch out -f box --files-from -", "the list has more than 10000000 names");
    refused("yes | tr -d '\\n' | \"$K\" batch out -f box --files-from -",
            "longer than the 4095 bytes that the system allows");
    for (const auto* line : {"$K bench diff /dev/zero in.png", "$K bench diff - in.png < /dev/zero"})
        refused(line, "it goes on after 64 MiB");
    refused("$K --headless --screenshot w.png --recipe /dev/zero", "it goes on after 64 MiB");
    refused("mkdir whole; $K batch merge /dev/zero whole", "it goes on after 64 MiB");
    refused("rm out/.kernelglass/journal.jsonl; ln -s /dev/zero out/.kernelglass/journal.jsonl; "
            "$K batch in.png out -f box",
            "it goes on after 64 MiB, which is the limit for a journal that is a pipe or a device");
}

TEST_F(CommandHostile, AnEndlessFileOfSpeedsIsIgnored) {
    const std::string limit = kSanitized ? "" : "ulimit -d 400000\n";
    ASSERT_EQ(shell("$K batch in.png out -f box -q && ln -sf /dev/zero out/.kernelglass/speeds.jsonl"), 0)
        << err_;
    EXPECT_EQ(shell(limit + "$K batch in.png out -f box --redo --dry-run --engine cpu --threads 2"), 0)
        << err_;
}

TEST_F(CommandHostile, ImagesFromPipesHaveALimit) {
    refuses(
        "(cat in.png; cat /dev/zero) | \"$K\" info -",
        "cannot read standard input: it goes on after 1024 MiB, which is the limit for a pipe or a device");
}

TEST_F(CommandHostile, FilesHaveALimitThatAFlagLifts) {
    EXPECT_EQ(shell("cp in.png long.png && truncate -s 3G long.png"), 0);
    for (const auto* reader : {"filter long.png o.png -f box", "info long.png", "compare long.png in.png"})
        refuses(std::string("$K ") + reader,
                "cannot read \"long.png\": it has 3072 MiB, and the limit for an image is 1024 MiB; "
                "`--max-pixels N` opens more");
    EXPECT_EQ(shell("cp in.png long.png && truncate -s 1100M long.png && ! $K info - < long.png"), 0);
    for (const auto* line :
         {"$K filter long.png o.png -f box -q", "$K info long.png", "$K compare in.png long.png",
          "$K compare - in.png < long.png", "$K info - < long.png"})
        EXPECT_EQ(shell(std::string(line) + " --max-pixels 1200"), 0) << line << err_;
    if (shell("$K in.png --headless --screenshot w.png -q") != 0) GTEST_SKIP() << err_;
    EXPECT_EQ(shell("$K long.png --headless --screenshot w.png"), 2);
    EXPECT_NE(err_.find("`--max-pixels N` opens more"), std::string::npos) << err_;
    EXPECT_EQ(shell("$K long.png --headless --screenshot w.png --max-pixels 1200"), 0) << err_;
}

TEST_F(CommandHostile, AnAbsurdWidthTakesNoMemory) { // two rows in libpng would be 16 GiB
    constexpr char kWide[] = "\x89PNG\r\n\x1a\n"
                             "\0\0\0\x0dIHDR\x7f\xff\xff\xff\0\0\0\x01\x08\x06\0\0\0\xa0\x36\x33\xdd"
                             "\0\0\0\x09IDAT\x78\x9c\x63\0\0\0\x01\0\x01\x5e\xff\x7d\xf9"
                             "\0\0\0\0IEND\xae\x42\x60\x82";
    std::ofstream(path("wide.png"), std::ios::binary) << std::string(kWide, sizeof kWide - 1);
    for (const auto* reader : {"filter wide.png o.png -f box", "filter wide.png o.png -f box --memory 64M",
                               "compare wide.png in.png"})
        refuses(std::string("$K ") + reader, "but has only 66 bytes, as no real image does");
    EXPECT_EQ(shell((kSanitized ? "" : "ulimit -v 4000000\n") + std::string("$K info wide.png")), 0) << err_;
    EXPECT_NE(out_.find("2147483647 x 1,"), std::string::npos) << out_;
}

TEST_F(CommandHostile, NamesOfFilesDoNotReachTheTerminalRaw) {
    EXPECT_EQ(
        shell("cp in.png \"$(printf 'a\\033[31m\\302\\233b\\303\\244.bmp')\"; $K info -- *.bmp missing* -v; "
              "$K filter \"$(printf 'no\\033[2J.png')\" o.png -f box"),
        2);
    EXPECT_EQ(err_.find('\033'), std::string::npos) << err_;
    EXPECT_NE(err_.find("\"no%1B[2J.png\""), std::string::npos) << err_;
}

TEST_F(CommandHostile, NamesInResultsDoNotReachTheTerminalRaw) {
    const std::string name = "n=$(printf 'a\\033[31m\\302\\233b\\177\\303\\244.png')\n";
    for (const auto* line :
         {"$K filter in.png \"$n\" -f box", "$K sample \"$n\"", "cp in.png \"$n\"; $K info -- *.png"}) {
        EXPECT_EQ(shell(name + line), 0) << line << err_;
        EXPECT_NE(out_.find("a%1B[31m%C2%9Bb%7F\xc3\xa4.png: "), std::string::npos) << line << out_;
    }
    for (const auto* line :
         {"$K filter in.png \"$n\" -f box", "$K sample \"$n\"", "cp in.png \"$n\"; $K info a*.png"}) {
        EXPECT_EQ(shell(name + line + " --json"), 0) << line << err_;
        EXPECT_NE(out_.find("\"a\\u001b[31m\\u009bb\\u007f\xc3\xa4.png\""), std::string::npos)
            << line << out_;
        const auto document = nlohmann::json::parse(out_);
        const auto& named = document.contains("files") ? document.at("files").at(0).at("file")
                                                       : document.at("output");
        EXPECT_EQ(named, "a\033[31m\302\233b\177\303\244.png") << "nothing is lost";
    }
    EXPECT_EQ(shell("mkdir \"$(printf 'f\\033[2J')\"; \"$K\" f*"), 2);
    EXPECT_EQ(err_.find('\033'), std::string::npos) << err_;
    if (shell("$K in.png --headless --screenshot w.png -q") != 0) GTEST_SKIP() << err_;
    EXPECT_EQ(shell(name + "$K in.png --headless --screenshot \"$n\""), 0) << err_;
    EXPECT_EQ(out_.find('\033'), std::string::npos) << out_;
}

/// Messages are UTF-8 without control characters; JSON preserves the name of the file.
TEST_F(CommandHostile, NamesThatAreNotUtf8AreEncodedInMessagesAndJson) {
    const std::string name = "n=$(printf 'caf\\351 \\342\\200.png')\ncp in.png \"$n\"\n",
                      shown = "caf%E9 %E2%80.png";
    const auto expect_shown = [&](const std::string& line, int exit_code) {
        EXPECT_EQ(shell(name + line), exit_code) << line << out_ << err_;
        EXPECT_TRUE(is_utf8(out_ + err_)) << line << out_ << err_;
        EXPECT_NE((out_ + err_).find(shown), std::string::npos) << line << "\n" << out_ << err_;
    };
    expect_shown("$K filter in.png \"$n\" -f box", 0);
    expect_shown("$K info \"$n\"", 0);
    expect_shown("$K info \"no$n\"", 2);
    expect_shown("$K sample \"$n\"", 0);
    expect_shown("$K compare \"no$n\" in.png", 2);
    expect_shown("$K batch \"$n\" out --dry-run -f box", 0);
    expect_shown("$K batch \"no$n\" in.png out -f box", 1);
    expect_shown("$K batch in.png \"$n\" -f box", 2);
    expect_shown("$K explain --kernel \"no$n\"", 2);
    expect_shown("$K explain --recipe \"no$n\"", 2);
    expect_shown("$K bench diff \"no$n\" in.png", 2);

    const std::string encoded = "caf%E9%20%E2%80.png";
    const auto expect_encoded = [&](const std::string& line, const char* place, const std::string& key,
                                    const std::string& schema) {
        ASSERT_EQ(shell(name + line), 0) << line << err_;
        EXPECT_EQ(undocumented(out_, schema), std::vector<std::string>{}) << line;
        const auto document = nlohmann::json::parse(out_);
        const auto& object = *place ? document.at(place).at(0) : document;
        EXPECT_EQ(object.at(key), encoded) << line << out_;
        const auto keys = object.at("percent_encoded").get<std::set<std::string>>();
        EXPECT_TRUE(keys.contains(key)) << line << out_;
        EXPECT_EQ(percent_decoded(object.at(key).get<std::string>()), "caf\xe9 \xe2\x80.png");
    };
    expect_encoded("$K filter \"$n\" o.png -f box --json", "", "input", "kernelglass-filter/1");
    expect_encoded("$K filter in.png \"$n\" -f box --json", "", "output", "kernelglass-filter/1");
    expect_encoded("$K info \"$n\" --json", "files", "file", "kernelglass-info/1");
    expect_encoded("$K compare in.png \"$n\" --json", "", "b", "kernelglass-compare/1");
    expect_encoded("$K sample \"$n\" --json", "", "output", "kernelglass-sample/1");
    expect_encoded("$K batch \"$n\" out -f box --json", "files", "input", "kernelglass-batch/1");
    expect_encoded("$K batch \"$n\" out -f box --dry-run --json", "files", "output", "kernelglass-batch/1");
    expect_encoded("$K batch \"$n\" out -f box --jsonl -q", "", "input", "kernelglass-batch-file/1");
    expect_encoded("$K batch in.png -o \"$n.d\" -f box -q; $K batch merge \"$n.d\" -o \"$n.d\" --json | "
                   "sed 's/[.]d\"/\"/'",
                   "", "output", "kernelglass-batch-merge/1");
}

TEST_F(CommandHostile, AFileSizeLimitIsAnErrorAndLeavesNothing) {
    EXPECT_EQ(shell("$K sample big.png -q; ulimit -f 8; $K filter big.png out.bmp -f box; code=$?; ls -A; "
                    "exit $code"),
              2);
    EXPECT_NE(err_.find("cannot write \"out.bmp\": File too large"), std::string::npos) << err_;
    EXPECT_EQ(out_, "big.png\nin.png\n");
}

TEST_F(CommandHostile, NamesUpToTheLimitOfTheFileSystem) {
    for (const std::size_t length : {251, 255}) {
        const auto name = std::string(length - 4, 'n') + ".png";
        EXPECT_EQ(shell("$K filter in.png " + name + " -f box -q && $K filter in.png " + name +
                        " -f box -q && ls " + name),
                  0)
            << err_;
    }
    EXPECT_EQ(shell("$K filter in.png " + std::string(252, 'n') + ".png -f box"), 2);
    EXPECT_NE(err_.find("File name too long"), std::string::npos) << err_;
}

TEST_F(CommandHostile, ASecondCtrlCStopsAtOnceAndLeavesNothing) {
    // The reference takes minutes for this box and checks the stop token only between rows.
    ASSERT_EQ(shell("$K sample big.png -q"), 0);
    EXPECT_EQ(
        shell("env --default-signal=INT \"$K\" filter big.png out.png -f box:size=61 --algorithm reference "
              "--engine cpu -v 2>said &\n"
              "while ! grep -q filtering said; do sleep 0.05; done\n"
              "kill -INT $!; kill -INT $!; wait $!; code=$?; ls -A; exit $code"),
        130)
        << err_;
    EXPECT_EQ(out_, "big.png\nin.png\nsaid\n");
}

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
