// `batch` on the command line: the same bytes as `filter`, and what is up to date.

#include "gpu/engine.hpp"
#include "tests/cli/support/batch_fixture.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;

TEST_F(CommandBatch, OutputsAreThoseOfFilterForAnyNumberAtATime) {
    // `auto` need not take the same engine for an image as for a folder, and engines may differ by a level.
    std::vector<std::string> lines;
    for (const std::string engine : {" --engine cpu", " --engine cuda"})
        if (engine.ends_with("cpu") || gpu::make_engine()->usable().empty())
            for (const auto* flags :
                 {"-f gaussian:sigma=2", "-f sobel -f box --light linear --border wrap",
                  "-f unsharp --format jpg --quality 80", "-f box --depth u16 --format tif --strip"})
                lines.push_back(flags + engine);
    for (const auto& flags : lines) {
        ASSERT_EQ(shell("rm -rf one; find in -type f | while read -r f; do g=one/${f#in/}; case '" + flags +
                        "' in *jpg*) g=${g%.*}.jpg;; *tif*) g=${g%.*}.tif;; esac\n" +
                        "mkdir -p \"$(dirname \"$g\")\"; $K filter \"$f\" \"$g\" -q " + flags +
                        " || exit 1; done"),
                  0)
            << err_;
        const auto expected = files_in("one");
        ASSERT_EQ(expected.size(), 6U);
        for (const auto* jobs : {"-j 1", "-j 2", "-j 8", "-j 3 --threads 1", "-j 2 --in-flight 1M"}) {
            EXPECT_EQ(shell(std::string("rm -rf out; $K batch -r in out -q ") + jobs + " " + flags), 0)
                << err_;
            EXPECT_EQ(files_in("out"), expected) << flags << " " << jobs;
        }
    }
}

TEST_F(CommandBatch, TheSameCommandDoesNothingAgainButRedoesAChangedInput) {
    expect("$K batch -r in out -f box", 0, "6 images done", "");
    const auto before = files_in("out");
    expect("$K batch -r in out -f box", 0, "Nothing to do; 6 are up to date.", "");
    expect("cp -a in copy; $K batch --json -r copy out -f box", 0, BatchCounts{.up_to_date = 6});
    expect("touch in/photo.jpg; $K batch --json -r in out -f box", 0, BatchCounts{.up_to_date = 6});
    write_image(path("in/photo.jpg"), random_image({64, 48}, {Depth::u8, 3}, 9).view());
    expect("$K batch -r in out -f box", 0, "1 image done", "");
    EXPECT_NE(files_in("out").at("photo.jpg"), before.at("photo.jpg"));
    expect("rm out/sample.png; $K batch --json -r in out -f box", 0, BatchCounts{.done = 1, .up_to_date = 5});
    expect("$K batch --json -r in out -f box --redo", 0, BatchCounts{.done = 6});
    expect("echo x >> out/sample.png; $K batch -r in out -f box", 1, "5 are up to date; 1 failed",
           "\"out/sample.png\" exists already and was left alone");
}

TEST_F(CommandBatch, ExistingOutputsAreTreatedAsOnExistsRequests) {
    ASSERT_EQ(shell("mkdir out; echo mine > out/photo.jpg"), 0);
    expect("$K batch --json in out -f box", 1, BatchCounts{.done = 2, .failed = 1}, "file-exists");
    expect("$K batch in out -f box --on-exists skip", 0, "1 exists and was kept", "");
    EXPECT_EQ(read_file(path("out/photo.jpg")), "mine\n");
    expect("$K batch --json in out -f box --on-exists rename", 0, BatchCounts{.done = 1, .up_to_date = 2});
    expect("$K batch --json in out -f box --on-exists rename", 0, BatchCounts{.up_to_date = 3});
    EXPECT_EQ(read_file(path("out/photo.jpg")), "mine\n");
    EXPECT_TRUE(fs::exists(path("out/photo-2.jpg")));
    expect("$K batch in out -f sobel", 1, "No image was made; 3 failed", "exist already and were left alone");
    expect("$K batch --json in out -f sobel --on-exists overwrite", 0, BatchCounts{.done = 3});
    EXPECT_NE(read_file(path("out/photo.jpg")), "mine\n");
}

TEST_F(CommandBatch, OnlyOneRunAtATimeWritesToAFolder) {
    many_images(4);
    ASSERT_EQ(shell("mkdir -p out/.kernelglass"), 0);
    EXPECT_EQ(shell("flock out/.kernelglass/journal.jsonl \"$K\" batch many out -f box"), 2) << out_;
    EXPECT_EQ(codes_, std::vector<std::string>{"folder-in-use"}) << err_;
}

TEST_F(CommandBatch, ShardsTogetherAreTheWhole) {
    const auto expected = many_images(12);
    std::size_t done = 0;
    for (const auto* shard : {"1/3", "2/3", "3/3"}) {
        ASSERT_EQ(shell(std::string("$K batch -r many out -f gaussian:sigma=3 --json --shard ") + shard), 0)
            << err_;
        done += nlohmann::json::parse(out_).at("done").get<std::size_t>();
    }
    EXPECT_EQ(done, expected.size());
    EXPECT_EQ(files_in("out"), expected);
    expect("$K batch --json -r many out -f gaussian:sigma=3", 0, BatchCounts{.up_to_date = 12});
}

TEST_F(CommandBatch, ClippedImagesAreCounted) {
    expect("$K batch in out -f box", 0, "time).", "");
    expect("$K batch in clipped -f custom:size=1x1:weights=3", 0,
           "time); 3 of them with more than 1 % of the pixels clipped.", "3 times as bright");
    EXPECT_EQ(shell("$K batch in again -f custom:size=1x1:weights=3 --json"), 0) << err_;
    const auto json = nlohmann::json::parse(out_);
    EXPECT_EQ(json.at("clipped"), 3);
    for (const auto& file : json.at("files")) {
        EXPECT_EQ(file.at("clipped").at("below"), 0);
        EXPECT_GT(file.at("clipped").at("above"), 0);
        EXPECT_GT(file.at("clipped").at("looked_at"), 0);
    }
}

} // namespace
} // namespace kg::testing
