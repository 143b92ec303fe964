// `bench display` on the command line. No time is asserted.

#include "tests/support/app/program.hpp"
#include "tests/support/documented_json.hpp"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <set>

namespace kg::testing {
namespace {

using Json = nlohmann::json;

using BenchDisplay = Program;

TEST_F(BenchDisplay, EveryRowIsVerifiedAndItsFiguresAreExplained) {
    const auto exit_code = shell(
        "$K bench display --size 64x48 --kernel-size 3,7 --engine cpu --threads 2 --seconds 6 "
        "-q -o d.json");
    if (exit_code == 3) GTEST_SKIP() << "NOTHING DRAWS HERE, NOTHING WAS TESTED: " << err_;
    ASSERT_EQ(exit_code, 0) << err_ << out_;
    EXPECT_NE(out_.find("60 frames a second"), std::string::npos) << out_;
    const auto text = read_file(path("d.json"));
    EXPECT_EQ(undocumented(text, "kernelglass-display/4"), std::vector<std::string>{});
    const auto json = Json::parse(text);
    std::set<std::string> meanings, kinds;
    for (const auto& meaning : json.at("meanings")) meanings.insert(meaning.at("name"));
    for (const auto& row : json.at("rows")) {
        SCOPED_TRACE(row.at("name").dump());
        kinds.insert(row.at("what"));
        EXPECT_EQ(row.at("reason"), "");
        EXPECT_FALSE(row.at("figures").empty());
        for (const auto& figure : row.at("figures")) {
            EXPECT_TRUE(meanings.contains(figure.at("name"))) << figure;
            EXPECT_GE(figure.at("samples"), 3);
            EXPECT_LE(figure.at("p5_us"), figure.at("median_us"));
            EXPECT_GE(figure.at("p95_us"), figure.at("median_us"));
        }
    }
    EXPECT_EQ(kinds, (std::set<std::string>{"presentation", "draw", "drag"}));
    EXPECT_NE(json.at("no_interop"), ""); // results of the CPU have no interop path
}

TEST_F(BenchDisplay, OnlyTheNamedRows) {
    const auto exit_code = shell(
        "$K bench display --rows draw --size 64x48 --depth u8 --engine cpu --seconds 2 "
        "-q -o d.json");
    if (exit_code == 3) GTEST_SKIP() << "NOTHING DRAWS HERE, NOTHING WAS TESTED: " << err_;
    ASSERT_EQ(exit_code, 0) << err_ << out_;
    std::vector<std::string> names;
    const auto json = Json::parse(read_file(path("d.json")));
    for (const auto& row : json.at("rows")) names.push_back(row.at("name"));
    EXPECT_EQ(names, (std::vector<std::string>{"draw/64x48/u8x4/actual", "draw/64x48/u8x4/fit",
                                               "draw/64x48/u8x4/zoom"}));
}

TEST_F(BenchDisplay, InvalidCommandLinesAreErrors) {
    const std::pair<const char*, const char*> lines[] = {
        {"$K bench display photo.png", "unexpected-flag"},
        {"$K bench display -f box", "unexpected-flag"},
        {"$K bench display --channels 3", "unexpected-flag"},
        {"$K bench display --engine cpu,auto", "unexpected-flag"},
        {"$K bench display -o d.csv", "bad-extension"},
        {"$K bench display --rows drav", "unknown-rows"},
        {"$K bench displa", "unknown-subcommand"}};
    expect_refused(lines);
}

} // namespace
} // namespace kg::testing
