// `bench` on the command line: it runs, verifies, writes its reports and rejects invalid command lines. No
// time is asserted.

#include "app/process/image/sample_image.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace kg::testing {
namespace {

using Json = nlohmann::json;

class Bench : public Program {
protected:
    Json report(const std::string& file) { return Json::parse(read_file(path(file))); }

    /// Checks the invariants of the rows of a report: a correct algorithm has times, and every verdict has a
    /// reason.
    static void check_rows(const Json& report) {
        EXPECT_FALSE(report.at("rows").empty());
        for (const auto& row : report.at("rows")) {
            SCOPED_TRACE(row.at("name").dump());
            const bool right = row.at("verdict") == "right";
            EXPECT_EQ(row.at("median_us").is_null(), !right);
            EXPECT_NE(row.at("verdict"), "wrong") << row.at("reason");
            EXPECT_NE(row.at("verdict"), "failed") << row.at("reason");
            EXPECT_EQ(row.at("reason").get<std::string>().empty(), false);
            if (!right) continue;
            EXPECT_GT(row.at("median_us"), 0);
            EXPECT_LE(row.at("ci_low_us"), row.at("median_us"));
            EXPECT_GE(row.at("ci_high_us"), row.at("median_us"));
            EXPECT_GE(row.at("samples"), 1); // how many depends on the machine
            EXPECT_LE(row.at("max_error"), row.at("error_bound"));
        }
    }
};

constexpr const char* kSmall =
    "$K bench --engine cpu --threads 2 --size 97x61 --kernel-size 3,7 --seconds 6 ";

TEST_F(Bench, SignalsHaveRowsOfTheTextsExperiments) {
    ASSERT_EQ(shell("$K bench signal --engine cpu --threads 2 --algorithm block_partials,seed:serial "
                    "--seconds 10 -o signals.json -o signals.html"),
              0)
        << err_;
    const auto r = report("signals.json");
    EXPECT_EQ(r.at("schema"), "kernelglass-bench/1");
    EXPECT_EQ(r.at("rows").size(), 2 * 12u);
    for (const auto& row : r.at("rows").get<std::vector<Json>>()) {
        EXPECT_TRUE(row.at("name").get<std::string>().starts_with("signal/")) << row;
        EXPECT_NE(row.at("verdict"), "wrong") << row.at("reason");
        EXPECT_NE(row.at("verdict"), "failed") << row.at("reason");
    }
    // Whether it has a time depends on the machine; SignalBench measures it without a time limit.
    EXPECT_EQ(r.at("rows").at(1).at("name"), "signal/seed:serial/i32/1024x1/m1024/full/zero/cpu");
    EXPECT_NE(r.at("rows").at(1).at("verdict"), "refused") << r.at("rows").at(1).at("reason");
    const bool timed = std::ranges::any_of(r.at("rows"),
                                           [](const Json& row) { return row.at("median_us") > 0; });
    EXPECT_EQ(shell("$K bench diff signals.json signals.json"), timed ? 0 : 2) << err_;
    EXPECT_EQ(shell("$K bench signal --size 4k"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"unexpected-flag"}) << err_;
    EXPECT_EQ(shell("$K bench signal --engine cpu --algorithm box"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"unknown-algorithm"}) << err_;
}

TEST_F(Bench, FilterBanksHaveRowsOfTheTextsExperiment) {
    ASSERT_EQ(shell("$K bench bank --engine cpu --threads 2 --rows seed,layouts,padding --algorithm "
                    "direct,naive --seconds 10 -o banks.json -o banks.html"),
              0)
        << err_;
    const auto r = report("banks.json");
    EXPECT_EQ(r.at("schema"), "kernelglass-bench/1");
    EXPECT_EQ(r.at("rows").size(), 2 * (2 + 3 + 4u));
    for (const auto& row : r.at("rows").get<std::vector<Json>>()) {
        EXPECT_NE(row.at("verdict"), "wrong") << row.at("reason");
        EXPECT_NE(row.at("verdict"), "failed") << row.at("reason");
    }
    EXPECT_EQ(r.at("rows").at(0).at("name"), "bank/direct/nchw/n1/c6/768x512/to6/k6x6/zero/cpu");
    EXPECT_EQ(r.at("rows").at(0).at("outputs"), 6 * 763 * 507);
    EXPECT_EQ(shell("$K bench bank --rows sead"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"unknown-rows"}) << err_;
    EXPECT_NE(err_.find("did you mean"), std::string::npos) << err_;
    EXPECT_EQ(shell("$K bench bank --kernel-size 3"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"unexpected-flag"}) << err_;
    EXPECT_EQ(shell("$K bench --rows seed"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"unexpected-flag"}) << err_;
}

TEST_F(Bench, VolumesHaveRowsOfStencils) {
    ASSERT_EQ(shell("$K bench volume --engine cpu --threads 2 --rows stencils --algorithm direct "
                    "--seconds 10 -o volumes.json"),
              0)
        << err_;
    const auto r = report("volumes.json");
    EXPECT_EQ(r.at("rows").size(), 4u);
    for (const auto& row : r.at("rows").get<std::vector<Json>>()) {
        EXPECT_TRUE(row.at("name").get<std::string>().starts_with("volume/direct/120x120x120/")) << row;
        EXPECT_NE(row.at("verdict"), "wrong") << row.at("reason");
        EXPECT_NE(row.at("verdict"), "failed") << row.at("reason");
    }
}

TEST_F(Bench, ASmallSweepRunsAndVerifiesEveryAlgorithm) {
    // Sixteen requests share the seconds: six were too few on a slow machine, where then no algorithm had a
    // time.
    const std::string sweep =
        "$K bench --engine cpu --threads 2 --size 97x61 --kernel-size 3,7 --seconds 20 ";
    ASSERT_EQ(shell(sweep + "--filters dense,gaussian --depth u8,f32 --channels 1,4 -o r.json"), 0) << err_;
    EXPECT_NE(out_.find("fastest"), std::string::npos) << out_;
    const auto r = report("r.json");
    EXPECT_EQ(r.at("schema"), "kernelglass-bench/1");
    check_rows(r);
    std::set<std::string> names;
    int timed = 0, took_part = 0;
    for (const auto& row : r.at("rows")) {
        EXPECT_TRUE(names.insert(row.at("name")).second) << row.at("name");
        timed += row.at("verdict") == "right";
        took_part += row.at("verdict") == "right" || row.at("verdict") == "stopped"; // out of time
    }
    EXPECT_TRUE(names.contains("image/direct/u8x4/97x61/k7x7/reflect101/dense/cpu"));
    EXPECT_TRUE(names.contains("image/opencv:GaussianBlur/f32x1/97x61/k3x3/reflect101/gaussian/cpu"));
    EXPECT_GE(took_part, 2 * 2 * (2 * 2 + 2 * 4)); // direct and filter2D; at least two more for Gaussians
    EXPECT_GE(timed, 4);                           // however slow the machine
}

TEST_F(Bench, EveryFormatOfReportIsWrittenAndReported) {
    ASSERT_EQ(shell(std::string(kSmall) + "-o a.json -o a.csv -o a.md -o a.html"), 0) << err_;
    for (const auto* file : {"a.json", "a.csv", "a.md", "a.html"}) {
        EXPECT_NE(err_.find(file), std::string::npos) << err_;
        EXPECT_NE(read_file(path(file)).find("direct"), std::string::npos) << file;
    }
    EXPECT_EQ(read_file(path("a.html")).find("http://"), std::string::npos);
    EXPECT_EQ(read_file(path("a.html")).find("https://"), std::string::npos);
}

TEST_F(Bench, ImageTimesAGivenImageAndRecipe) {
    write_image(path("photo.png"), sample_image({80, 60}).view());
    ASSERT_EQ(
        shell("$K bench image photo.png -f gaussian:sigma=1 -f sobel --engine cpu --seconds 6 -o r.json"), 0)
        << err_;
    const auto r = report("r.json");
    check_rows(r);
    for (const auto& row : r.at("rows")) {
        EXPECT_EQ(row.at("width"), 80);
        EXPECT_EQ(row.at("height"), 60);
        EXPECT_EQ(row.at("filter"), "gaussian:sigma=1 | sobel");
    }
}

TEST_F(Bench, SelectedAlgorithmsAndLibraries) {
    ASSERT_EQ(shell(std::string(kSmall) + "--algorithm direct --peers none -o r.json"), 0) << err_;
    const auto r = report("r.json");
    for (const auto& row : r.at("rows")) EXPECT_EQ(row.at("algorithm"), "direct");
    ASSERT_EQ(shell(std::string(kSmall) + "--algorithm opencv:filter2D,direct -o r.json"), 0) << err_;
    EXPECT_EQ(report("r.json").at("rows").size(), 4U);
}

TEST_F(Bench, AReportIsNoSlowerThanItself) {
    ASSERT_EQ(shell(std::string(kSmall) + "-q -o r.json"), 0) << err_;
    EXPECT_EQ(shell("$K bench diff r.json r.json"), 0) << out_ << err_;
    auto slower = report("r.json");
    for (auto& row : slower["rows"])
        for (const auto* key : {"median_us", "p5_us", "p95_us", "ci_low_us", "ci_high_us"})
            if (!row[key].is_null()) row[key] = row[key].get<double>() * 3;
    write_file(path("slow.json"), slower.dump());
    EXPECT_EQ(shell("$K bench diff r.json slow.json"), 1) << out_ << err_;
    EXPECT_EQ(shell("$K bench diff slow.json r.json"), 0) << out_ << err_;
    EXPECT_EQ(shell("$K bench diff r.json slow.json --bound 400"), 0) << out_ << err_;
}

TEST_F(Bench, ADiffWithNothingToCompareIsNotATie) {
    ASSERT_EQ(shell(std::string(kSmall) + "-q -o r.json"), 0) << err_;
    auto other = report("r.json");
    other["rows"] = Json::array();
    write_file(path("other.json"), other.dump());
    EXPECT_EQ(shell("$K bench diff r.json other.json --json"), 2) << out_ << err_;
    const auto counts = Json::parse(out_).at("counts");
    EXPECT_EQ(counts.at("tie"), 0);
    EXPECT_EQ(counts.at("only_old"), report("r.json").at("rows").size()) << counts;
}

TEST_F(Bench, AFullDiskDoesNotLoseTheMeasurement) {
    EXPECT_EQ(shell("ln -s /dev/full full.json; ln -s /dev/full full.csv; " + std::string(kSmall) +
                    "-o full.json -o r.html -o full.csv"),
              2);
    ASSERT_EQ(joined_codes(), "cannot-write, cannot-write") << "one error of each file: " << err_;
    EXPECT_EQ(arguments_[0].front(), "\"full.json\"");
    EXPECT_EQ(arguments_[1].front(), "\"full.csv\"");
    EXPECT_NE(out_.find("direct"), std::string::npos) << out_;
    EXPECT_NE(read_file(path("r.html")).find("direct"), std::string::npos);
}

TEST_F(Bench, InvalidCommandLinesAreErrors) {
    write_file(path("no.json"), "{}");
    write_image(path("photo.png"), sample_image({8, 6}).view());
    const std::pair<const char*, const char*> lines[] = {
        {"$K bench imge", "unknown-subcommand"},
        {"$K bench diff a.json", "not-two-reports"},
        {"$K bench diff no.json no.json", "missing-entry"},
        {"$K bench diff none.json no.json", "cannot-read"},
        {"$K bench -o r.txt", "bad-extension"},
        {"$K bench -o nowhere/r.json", "no-folder"},
        {"$K bench --size 10", "bad-size"},
        {"$K bench --size 0x5", "bad-value"},
        {"$K bench --kernel-size 2000", "bad-kernel-size"},
        {"$K bench --kernel-size 9-3", "bad-range"},
        {"$K bench --filters gausian", "unknown-filter"},
        {"$K bench --filters gaussian --kernel-size 3x5", "kernel-not-square"},
        {"$K bench --depth u7", "unknown-choice"},
        {"$K bench --channels 5", "bad-value"},
        {"$K bench --border mirror", "unknown-choice"},
        {"$K bench --engine gpu", "unknown-engine"},
        {"KERNELGLASS_COLD=16 $K bench --engine cpu", "bad-value"},
        {"$K bench --algorithm direkt", "unknown-algorithm"},
        {"$K bench --peers opencw", "unknown-library"},
        {"$K bench --peers none,opencv", "conflicting-flags"},
        {"$K bench --peers none --algorithm opencv:filter2D", "algorithm-not-timed"},
        {"$K bench --algorithm reference", "algorithm-not-timed"},
        {"$K bench diff no.json no.json -o d.md", "unexpected-flag"},
        {"$K bench --seconds 0", "bad-value"},
        {"$K bench image photo.png", "missing-step"},
        {"$K bench image photo.png -f box --size 4k", "unexpected-flag"},
        {"$K bench image none.png -f box", "cannot-read"},
        {"$K bench -f box --kernel-size 3", "conflicting-flags"},
        {"$K bench image photo.png -f box -o photo.png", "bad-extension"}};
    expect_refused(lines);
}

TEST_F(Bench, TuneKeepsEarlierConstantsOfWhatTheReportsLack) {
    const std::string head = "kernelglass-costs/1 cuda x\n", kept = "tiled u16 3 0.5 21 1.25";
    write_file(path("old.txt"), head + kept + "\nfourier f32 1 16.777 1025 9\n");
    ASSERT_EQ(
        shell("$K bench tune old.txt '" KG_SOURCE_DIR "/docs/results/h200-bench-large-f32.json' -o new.txt"),
        0)
        << err_;
    const auto text = read_file(path("new.txt"));
    EXPECT_NE(text.find("\n" + kept + "\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\nfourier f32 1 16.777 1025 "), std::string::npos) << text;
    EXPECT_EQ(text.find("\nfourier f32 1 16.777 1025 9\n"), std::string::npos) << "the report is newer";
    EXPECT_EQ(shell("$K bench tune old.txt old.txt -o old.txt"), 2) << "it would replace its input";
}

TEST_F(Bench, CtrlCKeepsTheRowsMeasured) {
    const auto line =
        "env --default-signal=INT \"$K\" bench --engine cpu --size 640x480 --filters "
        "dense,gaussian --kernel-size 3-31 -o r.json & "
        "until grep -q 'SigCgt:.*[2367abef]$' /proc/$!/status; do pause; done; "
        "sleep 3; kill -INT $!; wait $!"; // time for some rows; the handler is installed long before
    EXPECT_EQ(shell(line), 130) << err_;
    const auto r = report("r.json");
    EXPECT_EQ(r.at("complete"), false);
    EXPECT_NE(err_.find("stopped"), std::string::npos) << err_;
}

} // namespace
} // namespace kg::testing
