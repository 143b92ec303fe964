// `bench slider` on the command line. No time is asserted.

#include "tests/support/app/program.hpp"
#include "tests/support/documented_json.hpp"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <set>

namespace kg::testing {
namespace {

using Json = nlohmann::json;

using BenchSlider = Program;

TEST_F(BenchSlider, EveryEditIsShownAndEveryImageVerified) {
    const auto exit_code = shell(
        "$K bench slider --size 160x120 --engine cpu --threads 2 --seconds 1 -q -o s.json");
    if (exit_code == 3) GTEST_SKIP() << "NOTHING DRAWS HERE, NOTHING WAS TESTED: " << err_;
    ASSERT_EQ(exit_code, 0) << err_ << out_;
    const auto text = read_file(path("s.json"));
    EXPECT_EQ(undocumented(text, "kernelglass-slider/3"), std::vector<std::string>{});
    const auto json = Json::parse(text);
    EXPECT_EQ(json.at("path"), "host upload");
    std::set<std::string> meanings, names;
    for (const auto& meaning : json.at("meanings")) meanings.insert(meaning.at("name"));
    for (const auto& row : json.at("rows")) {
        SCOPED_TRACE(row.at("name").dump());
        EXPECT_TRUE(names.insert(row.at("name")).second);
        EXPECT_EQ(row.at("reason"), "");
        EXPECT_EQ(row.at("edits"), 5);
        EXPECT_GE(row.at("shown"), 1);
        EXPECT_GE(row.at("proved"), 1) << "the last image always is";
        EXPECT_LE(row.at("proved"), row.at("shown"));
        std::set<std::string> figures;
        for (const auto& figure : row.at("figures")) {
            figures.insert(figure.at("name"));
            EXPECT_LE(figure.at("median_us"), figure.at("p95_us"));
            EXPECT_LE(figure.at("p95_us"), figure.at("longest_us"));
            if (figure.at("name") == "first") {
                EXPECT_EQ(figure.at("samples"), 5) << "one sample per edit";
            }
        }
        // Measured only if a GPU draws, and only where several images were shown.
        figures.insert("drawn");
        if (row.at("shown") == 1) figures.insert({"computed", "to_texture"});
        EXPECT_EQ(figures, meanings);
    }
    EXPECT_EQ(names.size(), 11u);
}

TEST_F(BenchSlider, InvalidCommandLinesAreErrors) {
    const std::pair<const char*, const char*> lines[] = {
        {"$K bench slider photo.png", "unexpected-flag"},
        {"$K bench slider --size hd,fhd", "unexpected-flag"},
        {"$K bench slider --kernel-size 3", "unexpected-flag"},
        {"$K bench slider --engine cpu,auto", "unexpected-flag"},
        {"$K bench slider -o s.csv", "bad-extension"},
        {"$K bench slidr", "unknown-subcommand"}};
    expect_refused(lines);
}

} // namespace
} // namespace kg::testing
