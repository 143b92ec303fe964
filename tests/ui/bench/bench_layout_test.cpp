// The layout of the Bench workspace in every state, size and theme.

#include "app/ui/widgets/widgets.hpp"
#include "measure/report/row_text.hpp"
#include "tests/ui/bench/bench_fixture.hpp"
#include "tests/ui/support/layout_checks.hpp"

namespace kg {
namespace {

using namespace kg::testing;

class BenchLayoutTest : public BenchTest, public ::testing::WithParamInterface<LayoutLook> {
protected:
    void check(const char* state) {
        check_layout(*harness_, GetParam(), "bench", state,
                     {"top bar", "bench", "bench head", "bench sheet", "bench details", "status"});
    }
};

TEST_P(BenchLayoutTest, NothingOverlapsOrIsCutAndAllHasHelpInEveryState) {
    if (!start_bench(GetParam().options())) GTEST_SKIP() << kNoOpenGl;
    check("empty");
    auto report = measure::sweep();
    report.rows[0].times->run.too_few = true;
    report.rows[0].chosen = true;
    bench().open(write_report(report, "mine with quite a long name.json"));
    settle();
    check("sweep");
    bench().reports().choose_request(1);
    bench().reports().choose_row(bench().reports().standing()->untimed.front()->name);
    check("wrong");
    bench().open(write_report(measure::one_request(), "other.json"));
    check("beside");
    bench().measure();
    harness_->frames_until([&] { return phase() == Phase::running; });
    bench().actions().pause();
    harness_->frames_until([&] { return phase() == Phase::paused; });
    check("paused");
    bench().actions().stop();
    settle();
}

TEST_P(BenchLayoutTest, RemarksHaveRoomForAllOfTheirText) {
    if (!start_bench(GetParam().options())) GTEST_SKIP() << kNoOpenGl;
    auto report = measure::one_request();
    for (auto& row : report.rows) {
        if (!row.times) continue;
        row.chosen = true;
        row.alone_us = 123.4;
        row.times->run.outliers = 10;
    }
    bench().reports().take_own(std::make_shared<const RankedReport>(std::move(report), "own"));
    settle();
    harness_->save_screenshot("bench_remarks_" + GetParam().name());
    const auto* row = bench().reports().standing()->timed.front();
    const auto text = measure::joined(measure::remarks(*row, true), ", ");
    float width = 0;
    harness_->set_frame([&] {
        {
            const ui::ScopedText style(ui::TextStyle::secondary);
            width = ImGui::CalcTextSize(text.c_str()).x + ui::look().px(30);
        }
        return playground_->draw();
    });
    harness_->frames(2);
    harness_->run("the first row", [&](ImGuiTestContext* ctx) {
        const auto name = "//bench sheet/**/##" + row->engine + " " + measure::algorithm_name(*row);
        const auto box = ctx->ItemInfo(name.c_str()).RectFull;
        const bool below = box.GetHeight() > ui::look().px(35); // else in a column of their own
        IM_CHECK_LT(width, box.GetWidth() / (below ? 1 : 3));
    });
}

INSTANTIATE_TEST_SUITE_P(Sizes, BenchLayoutTest,
                         ::testing::ValuesIn(looks({{1280, 800, true, 1},
                                                    {1280, 800, false, 1},
                                                    {900, 600, false, 1},
                                                    {1920, 1080, true, 1},
                                                    {1920, 1200, false, 1.5f},
                                                    {1280, 800, false, 1, 0.4f}})));

} // namespace
} // namespace kg
