#pragma once
// A window in the workspace Bench, whose jobs take little time.

#include "app/bench/report_file.hpp"
#include "tests/measure/support/few_cold_bytes.hpp"
#include "tests/measure/support/sample_report.hpp"
#include "tests/ui/support/playground_fixture.hpp"

namespace kg::testing {

using ui::BenchDesk;
using Phase = BenchState::Phase;

class BenchTest : public PlaygroundTest {
protected:
    bool start_bench(const HarnessOptions& look = {}, Extent size = {96, 64}) {
        WindowOptions options;
        options.workspace = Workspace::bench;
        options.files = {folder_ / "photo.png"};
        write_image(options.files[0], sample_image(size).view());
        options.recipe.steps = {parse_step("gaussian:sigma=1")};
        options.has_recipe = true;
        if (!start(options, look)) return false;
        bench().adjust_jobs(make_quick);
        return true;
    }
    /// Without limits of time, so that every row has a time however busy the machine is.
    static void make_quick(BenchJob& job) {
        job.rules.seconds = 0;
        job.rules.limits = false;
        job.rules.comparison.most_cold_bytes = measure::kFewColdBytes;
        job.rules.comparison.timing.most_warm_up_us = 1;
    }
    BenchDesk& bench() { return playground_->bench(); }
    Phase phase() { return bench().session().state()->phase; }
    void click(const char* region, const char* icon, const char* label, const char* id) {
        harness_->run(label, [&](ImGuiTestContext* ctx) {
            ctx->SetRef(region);
            ctx->ItemClick(named(icon, label, id).c_str());
        });
    }
    void click_row(const std::string& row, bool by_key = false) {
        harness_->run(row.c_str(), [&](ImGuiTestContext* ctx) {
            const auto item = "//bench sheet/**/##" + row;
            if (!by_key) return ctx->ItemClick(item.c_str());
            ctx->NavMoveTo(item.c_str());
            ctx->KeyPress(ImGuiKey_Enter);
        });
        settle();
    }
    /// A report that this machine did not measure, as a file.
    fs::path write_report(const measure::BenchReport& report, const std::string& name) {
        const auto path = folder_ / name;
        write_file(path, report_as(path, report));
        return path;
    }
    const measure::ReportRow* timed(const std::string& algorithm) {
        for (const auto* row : bench().reports().standing()->timed)
            if (measure::algorithm_name(*row) == algorithm) return row;
        return nullptr;
    }
};

} // namespace kg::testing
