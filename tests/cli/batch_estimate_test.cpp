// Samples and dry runs of `batch` on the command line.

#include "tests/cli/support/batch_fixture.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;

TEST_F(CommandBatch, ASampleAndADryRunReportAndWriteNoMore) {
    expect("$K batch -r in out -f box --dry-run", 0, "in/photo.jpg -> out/photo.jpg", "");
    EXPECT_NE(out_.find("Would write 6 images, about "), std::string::npos) << out_;
    EXPECT_NE(out_.find(" at a time. Estimated from 6 sampled images."), std::string::npos) << out_;
    EXPECT_FALSE(fs::exists(path("out")));
    expect("$K batch -r in out -f box --sample 2", 0, "2 images done", "all 6 images would take about ");
    EXPECT_EQ(files_in("out").size(), 2U);
    write_file(path("in/torn.png"), read_file(path("in/sample.png")).substr(0, 200));
    expect("$K batch -r in out -f box --dry-run", 0, "Would write 5 images, about ", "");
    EXPECT_NE(out_.find("; 2 are up to date. Estimated from 5 sampled images, 1 of which failed."),
              std::string::npos)
        << out_;
    expect("$K batch in/torn.png other -f box --dry-run", 0,
           "Would write 1 image; no estimate, because the sampled image failed.", "");
    expect("$K batch in/deep.tif in/photo.jpg out -f sobel --on-exists skip --dry-run", 0, "exist", "");
}

TEST_F(CommandBatch, ADryRunEstimatesFromEarlierRunsAndWarnsOfASmallDisk) {
    ASSERT_EQ(shell("$K batch -r in out -f box -q"), 0) << err_;
    const auto speeds = read_file(path("out/.kernelglass/speeds.jsonl"));
    EXPECT_EQ(std::ranges::count(speeds, '\n'), 1);
    ASSERT_EQ(shell("$K batch -r in out -f box -q && rm out/photo.jpg"), 0) << err_;
    EXPECT_EQ(read_file(path("out/.kernelglass/speeds.jsonl")), speeds) << "nothing was done";
    auto json = nlohmann::json::parse(speeds);
    json["seconds"] = 0.5; // too short a run
    write_file(path("out/.kernelglass/speeds.jsonl"), json.dump() + "\n");
    expect("$K batch -r in out -f box --dry-run", 0, "Estimated from 1 sampled image.", "");
    json["seconds"] = 60;
    write_file(path("out/.kernelglass/speeds.jsonl"), "torn {\n" + json.dump() + "\n");
    expect("$K batch -r in out -f box --dry-run", 0,
           "; 5 are up to date. Estimated from 6 images of earlier runs on this machine.", "");
    EXPECT_EQ(shell("$K batch -r in out -f box --dry-run --json"), 0);
    const auto report = nlohmann::json::parse(out_);
    const auto expected = 60 * static_cast<double>(fs::file_size(path("in/photo.jpg"))) /
                          json["bytes_read"].get<double>();
    EXPECT_NEAR(report.at("predicted_seconds"), expected, 1e-6);
    const auto range_by = [&](const std::vector<double>& seconds_of_runs) {
        std::string lines;
        for (const auto seconds : seconds_of_runs) {
            json["seconds"] = seconds;
            lines += json.dump() + "\n";
        }
        write_file(path("out/.kernelglass/speeds.jsonl"), lines);
        EXPECT_EQ(shell("$K batch -r in out -f box --dry-run --json"), 0);
        const auto range = nlohmann::json::parse(out_).at("predicted_seconds_range");
        return std::pair(range.at(0).get<double>() / expected, range.at(1).get<double>() / expected);
    };
    const auto expect_range = [](std::pair<double, double> range, double least, double most) {
        EXPECT_NEAR(range.first, least, 1e-6);
        EXPECT_NEAR(range.second, most, 1e-6);
    };
    expect_range(range_by({60}), 1 / 1.2, 1.2);
    // From the fastest to the slowest, and a fifth more.
    expect_range(range_by({48, 72}), 0.8 / 1.2, 1.2 * 1.2);
    write_file(path("out/.kernelglass/speeds.jsonl"), std::string(40'000, '\n') + json.dump() + "\n");
    ASSERT_EQ(shell("$K batch -r in out -f box -q"), 0) << err_;
    EXPECT_LT(fs::file_size(path("out/.kernelglass/speeds.jsonl")), 4000U) << "only the last lines are kept";
    fs::remove(path("out/photo.jpg"));
    // Another job.
    expect("$K batch -r in out -f sobel --redo --dry-run", 0, " sampled image", "");
    expect("$K batch -r in out -f box --dry-run -j 1", 0, ", 1 at a time; 5 are up to date.", "");
    ASSERT_EQ(shell("$K batch -r in out -f box --dry-run -j 1 --json"), 0) << err_;
    const auto basis = nlohmann::json::parse(out_).at("predicted_by");
    EXPECT_FALSE(basis.at("earlier_runs")) << "another number at a time";
    EXPECT_EQ(basis.at("images"), 1);

    if (shell("mkdir small && mount -t tmpfs -o size=16k none small") != 0) return;
    EXPECT_EQ(shell("$K batch -r in small/out -f box --dry-run"), 0);
    EXPECT_NE(err_.find("are free on the file system of \"small/out\""), std::string::npos) << err_;
    EXPECT_EQ(shell("umount small"), 0) << err_;
}

} // namespace
} // namespace kg::testing
