// The Timing tab with real runs: its buttons, and its rows beside a GPU.

#include "app/editor/timing/timing_text.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <atomic>
#include <iostream>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

const HarnessOptions kSmallWindow{
    .size = {1120, 640}}; // small for software rendering, with all columns shown

class TimingTest : public PlaygroundTest {
protected:
    /// Drawing is timed, too.
    bool start(WindowOptions options, const HarnessOptions& look) {
        if (!PlaygroundTest::start(std::move(options), look)) return false;
        harness_->draw_every_frame();
        return true;
    }
    const Timings& timings() { return document().timings(); }
    void click(const std::string& button) {
        harness_->run(button.c_str(), [&](ImGuiTestContext* ctx) {
            ctx->ItemClick("//right/tabs/Timing");
            ctx->ItemClick(("//right/tabs/Timing/" + button).c_str());
        });
    }
    void run_twenty_times() {
        document().run_again(20);
        harness_->frames_until([&] { return document().runs_left() == 0 && playground_->settled(); });
        harness_->frames_until([&] { return timings()[TimingRow::draw].settled(); });
    }
};

TEST_F(TimingTest, HoldsForgetsAndCopies) {
    if (!start({}, kSmallWindow)) GTEST_SKIP() << kNoOpenGl;
    EXPECT_TRUE(timings().from_rest()) << "the first";
    EXPECT_EQ(timings().subject().path, PresentationPath::host);
    run_twenty_times();
    EXPECT_FALSE(timings().from_rest());
    const auto counted = timings()[TimingRow::filter].count();

    click(named(icon::kPause, "Pause", "pause"));
    EXPECT_TRUE(timings().paused());
    document().run_again(2);
    settle();
    EXPECT_EQ(timings()[TimingRow::filter].count(), counted);
    harness_->save_screenshot("timing_paused");
    click(named(icon::kPlay, "Resume", "pause"));
    EXPECT_FALSE(timings().paused());

    harness_->run("copy", [&](ImGuiTestContext* ctx) { // there is no clipboard outside of a script
        ctx->SetRef("//right/tabs/Timing");
        ctx->ItemClick(named(icon::kCopy, "Copy text", "text").c_str());
        EXPECT_EQ(std::string(ImGui::GetClipboardText()), timing_text(timings()));
        ctx->ItemClick(named(icon::kCopy, "Copy CSV", "csv").c_str());
        EXPECT_EQ(std::string(ImGui::GetClipboardText()), timing_csv(timings()));
    });
    EXPECT_NE(timing_csv(timings()).find("\ninput_to_pixels,"), std::string::npos);

    click(named(icon::kRefresh, "Reset", "reset"));
    for (const auto row : kTimingRows) EXPECT_EQ(timings()[row].latest(), 0);
    document().run_again(1);
    settle();
    EXPECT_GT(timings()[TimingRow::response].latest(), timings()[TimingRow::filter].latest());
    EXPECT_TRUE(timings()[TimingRow::upload].latest() == 0) << "the image is on the engine already";
}

TEST_F(TimingTest, SavesWhatItCopies) {
    WindowOptions options;
    options.files = {photo()};
    if (!start(options, kSmallWindow)) GTEST_SKIP() << kNoOpenGl;
    run_twenty_times();
    harness_->frames_until(
        [&] { return timings()[TimingRow::draw].count() == timings()[TimingRow::filter].count(); });
    const auto save = named(icon::kSave, "Save CSV...", "save");
    const auto file = folder_ / "kernelglass-timing.csv";
    const auto csv = timing_csv(timings());
    click(save);
    harness_->save_screenshot("timing_save");
    harness_->run("as proposed, beside the image", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("##file prompt");
        ctx->ItemClick(named(icon::kSave, "Save", "confirm").c_str());
    });
    settle();
    EXPECT_EQ(read_file(file), csv);
    EXPECT_EQ(document().messages().back().text, "Saved " + file.string());
    EXPECT_TRUE(document().saved_path().empty()) << "no image has been saved";

    const auto replaces = options.files.front(), nowhere = folder_ / "no such folder" / "times.csv";
    const auto image = read_file(replaces);
    for (const auto& [path, code] : {std::pair{replaces, "replaces-original"}, {nowhere, "no-folder"}}) {
        click(save);
        harness_->run("name", [&, path = path](ImGuiTestContext* ctx) { type_path(ctx, path); });
        settle();
        EXPECT_EQ(document().messages().back().kind, Message::Kind::error) << path;
        EXPECT_EQ(document().messages().back().code(), code) << document().messages().back().text;
    }
    EXPECT_EQ(read_file(replaces), image);
    EXPECT_FALSE(fs::exists(nowhere));
}

TEST_F(TimingTest, AnotherViewResetsTheRowsOfDrawing) {
    if (!start({}, kSmallWindow)) GTEST_SKIP() << kNoOpenGl;
    run_twenty_times();
    const auto counted = timings()[TimingRow::filter].count();
    document().view.mode = ViewState::Mode::result;
    harness_->frames(2);
    EXPECT_EQ(timings()[TimingRow::draw].count(), 0u);
    EXPECT_EQ(timings()[TimingRow::frame].count(), 0u);
    EXPECT_EQ(timings()[TimingRow::filter].count(), counted);

    run_twenty_times();
    const auto zoom = playground_->view().zoom();
    harness_->run("zoom", [&](ImGuiTestContext* ctx) {
        const auto* view = ImGui::FindWindowByName("view");
        ctx->MouseMoveToPos({view->Pos.x + view->Size.x / 2, view->Pos.y + view->Size.y / 2});
        ctx->MouseWheelY(1);
    });
    ASSERT_NE(playground_->view().zoom(), zoom);
    EXPECT_EQ(timings()[TimingRow::draw].count(), 0u);
    EXPECT_EQ(timings()[TimingRow::frame].count(), 0u);
    EXPECT_GT(timings()[TimingRow::presentation_gl].count(), counted);
}

/// In every frame of a drag the numbers belong to the result on the screen, never to an earlier filter.
TEST_F(TimingTest, NumbersSwapWithTheImage) {
    if (!start({}, kSmallWindow)) GTEST_SKIP() << kNoOpenGl;
    std::uint64_t last = 0;
    int results = 0;
    harness_->set_frame([&] {
        const auto options = playground_->draw();
        const auto& result = document().result();
        EXPECT_EQ(playground_->view().shown_stamp(), result->stamp);
        if (result->preview) return options; // not timed
        EXPECT_EQ(timings().subject(), TimingSubject::of(*result, PresentationPath::host));
        EXPECT_EQ(timings()[TimingRow::filter].latest(), result->filter_us);
        for (const auto row : kTimingRows)
            if (timings()[row].count() > 0) {
                EXPECT_LE(timings()[row].samples().back().run, result->stamp);
            }
        results += result->stamp != last;
        last = result->stamp;
        return options;
    });
    for (int i = 0; i < 30; ++i) {
        document().set_value("sigma", std::to_string(0.5 + 0.2 * i), Gesture::ongoing);
        harness_->frames(3);
        if (i % 6 == 5) settle(); // a slow machine has no result yet
    }
    document().finish_gesture();
    settle();
    EXPECT_GT(results, 3);
}

/// A blocked display is polled again, also when nothing else happens.
TEST_F(TimingTest, AResultInFlightKeepsTheLoopAwake) {
    if (!start({}, kSmallWindow)) GTEST_SKIP() << kNoOpenGl;
    double options = 0;
    harness_->set_frame([&] { return options = playground_->draw(); });
    harness_->frames_until([&] { return options > 1; }); // no overlay is about to change
    struct Open final : CompletionState {
        bool ready() override { return is_open; }
        void wait() override { is_open.wait(false); }
        Report report() override { return {}; }
        std::atomic<bool> is_open = false;
    };
    const auto gate = std::make_shared<Open>();
    auto late = *document().result();
    late.stamp += 1000;
    late.ready = Completion(gate);
    playground_->view().present(std::make_shared<const Result>(late));
    harness_->frames(1);
    EXPECT_LE(options, 0.05);
    gate->is_open = true;
    gate->is_open.notify_all();
    harness_->frames_until([&] { return options > 1; });
}

/// Beside a GPU, with its own OpenGL: all rows by both presentation paths. The numbers are printed for the
/// record, not judged.
TEST_F(TimingTest, RowsOfBothPathsBesideAGpu) {
    for (const Extent size : {Extent{1920, 1080}, Extent{3840, 2160}})
        for (const auto* display : {"auto", "host"}) {
            playground_.reset();
            harness_.reset();
            harness_ = harness_or_skip();
            if (!harness_) GTEST_SKIP() << kNoOpenGl;
            harness_->draw_every_frame();
            WindowOptions options;
            options.headless = true;
            options.engine_options.engine = "cuda";
            options.display = display;
            options.recipe.steps = {parse_step("gaussian:sigma=2")};
            options.has_recipe = true;
            options.files = {folder_ / "image.png"};
            write_image(options.files.front(), sample_image(size).view());
            try {
                playground_ = std::make_unique<Playground>(harness_->context(), harness_->layer(), options);
            } catch (const Unavailable& reason) {
                GTEST_SKIP() << "NO CUDA HERE, ITS ROWS WERE NOT TESTED: " << reason.what();
            }
            harness_->set_frame([this] { return playground_->draw(); });
            settle();
            for (int i = 0; i < 3; ++i) run_twenty_times();
            SCOPED_TRACE(timing_text(timings()));
            std::cout << timing_text(timings());
            EXPECT_EQ(timings().subject().engine->device().id, "cuda");
            if (std::string(display) == "host") {
                EXPECT_EQ(timings().subject().path, PresentationPath::host);
            }
            for (const auto row : kTimingRows)
                if (row != TimingRow::upload) {
                    EXPECT_GE(timings()[row].count(), 50u) << timing_words(row, timings().subject()).title;
                    EXPECT_GT(timings()[row].median(), 0);
                    EXPECT_LT(timings()[row].median(), 1e6);
                }
            EXPECT_GE(timings()[TimingRow::response].median(), timings()[TimingRow::filter].median());
            EXPECT_GE(timings()[TimingRow::response].median(), timings()[TimingRow::frame].median());
            EXPECT_EQ(engine_word(timings().subject()), "GPU");
        }
}

} // namespace
} // namespace kg
