// Findings of a batch: failures and outliers.

#include "app/batch/report/findings.hpp"
#include "tests/batch/support/session_fixture.hpp"

namespace kg::testing {
namespace {

TEST(BatchFindings, ReportTheMostFrequentReason) {
    std::vector<Finding> findings;
    EXPECT_EQ(batch::why_failed(findings), "");
    const auto fail = [&](const char* input, const char* message, const char* output = "") {
        findings.push_back({Finding::Kind::failed, input, output, message});
    };
    fail("in/a.png", "cannot write \"out/a.png\": No space left on device");
    findings.push_back({Finding::Kind::slow, "in/b.png", "out/b.png", "9.0 s, 9 times the usual 1.0 s"});
    EXPECT_EQ(batch::why_failed(findings), "1 failed: No space left on device.");
    auto different = findings;
    different.push_back({Finding::Kind::failed, "in/f.png", {}, "There is not enough memory."});
    EXPECT_EQ(batch::why_failed(different), "") << "no reason is the most frequent";
    fail("in/c.png", "cannot write \"out/c.png\": No space left on device");
    fail("in/say \": no.png", "cannot read \"in/say \": no.png\": it is not an image");
    fail("in/d.png", "There is not enough memory.");
    fail("in/e.png", "\"out/e.png\" exists already and was left alone", "out/e.png");
    EXPECT_EQ(batch::why_failed(findings), "5 failed, 2 of them: No space left on device.");
    EXPECT_EQ(batch::reason(findings[3]), "it is not an image");
    EXPECT_EQ(batch::reason(findings[4]), "There is not enough memory.");
    EXPECT_EQ(batch::reason(findings[5]), "exists already and was left alone");
    EXPECT_EQ(batch::reason(findings[1]), "9.0 s, 9 times the usual 1.0 s");
}

TEST(BatchFindings, WhatIsUnlikeTheOthersStandsOut) {
    std::vector<batch::Task> tasks(12);
    batch::Findings findings("out");
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        tasks[i].input.path = "in/" + std::to_string(i) + ".png";
        tasks[i].output = std::to_string(i) + ".png";
        batch::FileResult result;
        result.task = &tasks[i];
        result.output_bytes = i == 3 ? 90u << 20 : 2u << 20;
        result.seconds.filter = i == 5 ? 9 : i == 6 ? 7 : 1;
        if (i == 7) result.clipping = Clipping{.pixels = 200, .below = 50, .above = 26};
        if (i == 2) result.clipping = Clipping{.pixels = 200, .below = 4};
        if (i == 8) result.damage = "damaged: it ends after 3 of 9 rows";
        if (i == 9) result.error = Error("gone", "in/9.png: gone");
        findings.add(result);
        if (i == 3) {
            EXPECT_TRUE(findings.all().empty()) << "a few files have no median";
        }
    }
    auto all = findings.all();
    ASSERT_EQ(all.size(), 6u);
    using Kind = Finding::Kind;
    std::vector<Kind> kinds;
    for (const auto& each : all) kinds.push_back(each.kind);
    EXPECT_EQ(kinds,
              (std::vector{Kind::clipped, Kind::damaged, Kind::failed, Kind::slow, Kind::slow, Kind::large}));
    EXPECT_EQ(all[0].text, "38 % of the pixels");
    EXPECT_EQ(all[3].text, "9.0 s, 9 times the usual 1.0 s");
    EXPECT_EQ(all[3].output, fs::path("out/5.png"));
    EXPECT_EQ(all[5].text, "90 MiB, 45 times the usual 2 MiB");
    EXPECT_EQ(batch::limits_text(findings.usual()),
              "4 times the usual 1.0 s or 2 MiB, or more than 5 % clipped");
    EXPECT_EQ(batch::limits_text({}), "more than 5 % clipped");
    all = in_order(all, batch::FindingOrder::kind, false);
    EXPECT_EQ(all[0].kind, Kind::failed);
    EXPECT_EQ(all[3].output, fs::path("out/5.png")) << "the most extreme first";
    all = in_order(all, batch::FindingOrder::text, true);
    EXPECT_EQ(all[0].kind, Kind::large) << "45 times, before 9 and 7 times as long";
    EXPECT_EQ(all[1].kind, Kind::clipped) << "7.6 times the limit, before 9 / 4";
}

} // namespace
} // namespace kg::testing
