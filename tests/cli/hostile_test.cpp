// Endless inputs, limited file sizes, and a second Ctrl+C.

#include "app/process/image/sample_image.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"
#include "tests/support/sanitizers.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace kg::testing {
namespace {

class CommandHostile : public Program {
protected:
    void SetUp() override { write_image(path("in.png"), sample_image({40, 30}).view()); }
    /// Expects an error and little memory use, except with a sanitizer, which reserves terabytes of address
    /// space.
    void refuses(const std::string& line, const std::string& code) {
        EXPECT_EQ(shell((kSanitized ? "" : "ulimit -v 4000000\n") + line), 2) << line << out_ << err_;
        EXPECT_EQ(codes_, std::vector<std::string>{code}) << line << "\n" << err_;
    }
};

TEST_F(CommandHostile, EndlessInputsAreRefused) {
    for (const auto* source : {"yes", "cat /dev/zero", "cat /dev/urandom"})
        for (const auto* reader : {"filter - o.png -f box", "info -", "compare - in.png"})
            refuses(std::string(source) + " | \"$K\" " + reader, "not-an-image");
    refuses("$K filter /dev/zero o.png -f box", "not-an-image");
    refuses("mkfifo pipe; yes > pipe & $K filter pipe o.png -f box", "not-an-image");
    for (const auto* flag : {"--kernel", "--recipe"}) {
        refuses(std::string("$K filter in.png o.png ") + flag + " /dev/zero", "file-too-large");
        refuses(std::string("yes 1 | \"$K\" filter in.png o.png ") + flag + " -", "file-too-large");
    }
    refuses("$K filter in.png o.png -f @/dev/urandom", "unknown-filter");
    EXPECT_FALSE(std::filesystem::exists(path("o.png")));
}

TEST_F(CommandHostile, EndlessListsReportsAndJournalsTakeLittleMemory) {
    // The kernel counts all allocations; sanitizers allocate memory of their own.
    const std::string limit = kSanitized ? "" : "ulimit -d 400000\n";
    ASSERT_EQ(shell(limit + "$K batch in.png out -f box -q --engine cpu --threads 2"), 0)
        << "the job fits into the limit: " << err_;
    const auto refused = [&](const std::string& line, const std::string& code) {
        EXPECT_EQ(shell(limit + line), 2) << line << out_ << err_;
        EXPECT_EQ(codes_, std::vector<std::string>{code}) << line << "\n" << err_;
    };
    for (const auto* list : {"/dev/zero", "- < /dev/zero"})
        refused(std::string("$K batch out -f box --files-from ") + list, "zero-bytes-in-list");
    refused("$K batch out -f box -0 --files-from /dev/zero", "too-many-names");
    refused("yes | \"$K\" batch out -f box --files-from -", "too-many-names");
    refused("yes | tr -d '\\n' | \"$K\" batch out -f box --files-from -", "name-too-long");
    for (const auto* line : {"$K bench diff /dev/zero in.png", "$K bench diff - in.png < /dev/zero"})
        refused(line, "file-too-large");
    refused("$K --headless --screenshot w.png --recipe /dev/zero", "file-too-large");
    refused("mkdir whole; $K batch merge /dev/zero whole", "file-too-large");
    refused("rm out/.kernelglass/journal.jsonl; ln -s /dev/zero out/.kernelglass/journal.jsonl; "
            "$K batch in.png out -f box",
            "file-too-large");
}

TEST_F(CommandHostile, AnEndlessFileOfSpeedsIsIgnored) {
    const std::string limit = kSanitized ? "" : "ulimit -d 400000\n";
    ASSERT_EQ(shell("$K batch in.png out -f box -q && ln -sf /dev/zero out/.kernelglass/speeds.jsonl"), 0)
        << err_;
    EXPECT_EQ(shell(limit + "$K batch in.png out -f box --redo --dry-run --engine cpu --threads 2"), 0)
        << err_;
}

TEST_F(CommandHostile, ImagesFromPipesHaveALimit) {
    refuses("(cat in.png; cat /dev/zero) | \"$K\" info -", "file-too-large");
}

TEST_F(CommandHostile, FilesHaveALimitThatAFlagLifts) {
    EXPECT_EQ(shell("cp in.png long.png && truncate -s 3G long.png"), 0);
    for (const auto* reader : {"filter long.png o.png -f box", "info long.png", "compare long.png in.png"})
        refuses(std::string("$K ") + reader, "file-too-large");
    EXPECT_EQ(shell("cp in.png long.png && truncate -s 1100M long.png && ! $K info - < long.png"), 0);
    for (const auto* line :
         {"$K filter long.png o.png -f box -q", "$K info long.png", "$K compare in.png long.png",
          "$K compare - in.png < long.png", "$K info - < long.png"})
        EXPECT_EQ(shell(std::string(line) + " --max-pixels 1200"), 0) << line << err_;
    if (shell("$K in.png --headless --screenshot w.png -q") != 0) GTEST_SKIP() << err_;
    EXPECT_EQ(shell("$K long.png --headless --screenshot w.png"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"file-too-large"}) << err_;
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
        refuses(std::string("$K ") + reader, "implausible-size");
    EXPECT_EQ(shell((kSanitized ? "" : "ulimit -v 4000000\n") + std::string("$K info wide.png --json")), 0)
        << err_;
    const auto file = nlohmann::json::parse(out_).at("files").at(0);
    EXPECT_EQ(file.at("width"), 2147483647);
    EXPECT_EQ(file.at("height"), 1);
}

TEST_F(CommandHostile, AFileSizeLimitIsAnErrorAndLeavesNothing) {
    EXPECT_EQ(shell("$K sample big.png -q; ulimit -f 8; $K filter big.png out.bmp -f box; code=$?; ls -A; "
                    "exit $code"),
              2);
    EXPECT_EQ(codes_, std::vector<std::string>{"cannot-write"}) << err_;
    EXPECT_EQ(out_, "big.png\nin.png\n");
}

TEST_F(CommandHostile, ASecondCtrlCStopsAtOnceAndLeavesNothing) {
    // The reference takes minutes for this box and checks the stop token only between rows.
    ASSERT_EQ(shell("$K sample big.png -q"), 0);
    EXPECT_EQ(
        shell("env --default-signal=INT \"$K\" filter big.png out.png -f box:size=61 --algorithm reference "
              "--engine cpu -v 2>said &\n"
              "until grep -q filtering said; do pause; done\n"
              "kill -INT $!; kill -INT $!; wait $!; code=$?; ls -A; exit $code"),
        130)
        << err_;
    EXPECT_EQ(out_, "big.png\nin.png\nsaid\n");
}

} // namespace
} // namespace kg::testing
