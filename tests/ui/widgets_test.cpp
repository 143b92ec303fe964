// The widgets under a simulated mouse and keyboard, and their look.

#include "app/ui/bars/bars.hpp"
#include "app/ui/shell/file_dialog.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/image_words.hpp"
#include "app/ui/widgets/layout.hpp"
#include "app/ui/widgets/parts.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "filters/filter.hpp"
#include "tests/support/check.hpp"
#include "tests/support/standstill.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/ui/support/harness.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <thread>
#include <vector>

#include <unistd.h>

namespace {

using namespace kg;
using namespace kg::ui;
using kg::testing::Harness;
using kg::testing::harness_or_skip;
using kg::testing::kNoOpenGl;

/// One column of a window, drawn by `draw`.
void in_column(Harness& harness, const std::function<void()>& draw) {
    harness.set_frame([draw] {
        const Region region("column", {0, 0, 288, 600}, RegionStyle::column);
        draw();
        return FramePacer::kNever;
    });
}

struct Counts {
    int changed = 0, finished = 0, reset = 0;
    void add(const Edit& e) {
        changed += e.changed;
        finished += e.finished;
        reset += e.reset;
    }
};

TEST(Slider, DragsByMouseAndKeyboardResetsByDoubleClickAndTakesTypedFractions) {
    const auto harness = harness_or_skip();
    if (!harness) GTEST_SKIP() << kNoOpenGl;
    double sigma = 2;
    Counts counts;
    in_column(*harness, [&] {
        const auto edit = slider(
            "sigma", {.label = "Sigma", .minimum = 0, .maximum = 10, .step = 0.1, .decimals = 1}, sigma);
        if (edit.reset) sigma = 5;
        counts.add(edit);
    });
    harness->run("drag", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("column");
        ctx->ItemDragWithDelta("sigma/##track", {200, 0});
        IM_CHECK_EQ(sigma, 10.0);
        IM_CHECK(counts.changed >= 1);
        IM_CHECK_EQ(counts.finished, 1);

        ctx->ItemDoubleClick("sigma/##track");
        IM_CHECK_EQ(counts.reset, 1);
        IM_CHECK_EQ(sigma, 5.0);

        ctx->ItemClick("sigma/##number");
        ctx->KeyCharsReplaceEnter("7/2");
        IM_CHECK_EQ(sigma, 3.5);

        ctx->ItemClick("sigma/##number");
        ctx->KeyCharsReplaceEnter("99");
        IM_CHECK_EQ(sigma, 10.0); // never beyond the limits

        ctx->NavMoveTo("sigma/##track");
        ctx->NavActivate();
        ctx->KeyPress(ImGuiKey_LeftArrow);
        IM_CHECK(sigma < 10.0 && sigma > 9.0);
    });
}

TEST(NumberField, ReportsATypedValueOnceFinishedAndEscapeRestoresIt) {
    const auto harness = harness_or_skip();
    if (!harness) GTEST_SKIP() << kNoOpenGl;
    double weight = 1;
    Counts counts;
    in_column(*harness, [&] {
        counts.add(number_field("weight", weight, {.decimals = 4, .width = 64, .tooltip = "A weight"}));
    });
    harness->run("type", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("column");
        ctx->ItemClick("##weight");
        ctx->KeyCharsReplaceEnter("-1/4");
        IM_CHECK_EQ(weight, -0.25);
        IM_CHECK_EQ(counts.finished, 1);

        ctx->ItemClick("##weight");
        ctx->KeyCharsReplace("8");
        ctx->KeyPress(ImGuiKey_Escape);
        IM_CHECK_EQ(weight, -0.25);

        ctx->ItemClick("##weight");
        ctx->KeyCharsReplaceEnter("rubbish");
        IM_CHECK_EQ(weight, -0.25);

        ctx->NavMoveTo("##weight"); // by keyboard alone
        ctx->KeyPress(ImGuiKey_Enter);
        ctx->KeyCharsReplaceEnter("3");
        IM_CHECK_EQ(weight, 3.0);
    });
}

TEST(NumberField, OfAGridTakesDragsTheWheelAndTyping) {
    const auto harness = harness_or_skip();
    if (!harness) GTEST_SKIP() << kNoOpenGl;
    double weights[2] = {1, 0.5};
    Counts counts;
    int digits = 0;
    in_column(*harness, [&] {
        for (int i = 0; i < 2; ++i) {
            if (i > 0) ImGui::SameLine();
            const auto name = "cell " + std::to_string(i);
            counts.add(
                number_field(name.c_str(), weights[i],
                             {.decimals = 3, .width = 64, .tooltip = "A weight", .step = i == 0 ? 1 : 0.1}));
        }
        digits += ImGui::Shortcut(ImGuiKey_7, ImGuiInputFlags_RouteGlobal);
    });
    harness->run("drag", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("column");
        ctx->ItemDragWithDelta("##cell 0", {-12, 0});
        IM_CHECK_EQ(weights[0], -2.0);
        IM_CHECK_EQ(counts.finished, 1);
        ctx->ItemDragWithDelta("##cell 1", {8, 0});
        IM_CHECK(std::abs(weights[1] - 0.7) < 1e-9);
    });
    harness->run("wheel: a burst is one gesture", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("column");
        ctx->MouseMove("##cell 0");
        ctx->MouseWheelY(2);
        IM_CHECK_EQ(weights[0], -2.0); // another cell has the focus
        ctx->NavMoveTo("##cell 0");
        ctx->MouseMove("##cell 0");
        counts = {};
        ctx->MouseWheelY(2);
        ctx->MouseWheelY(-1);
        IM_CHECK_EQ(weights[0], -1.0);
        IM_CHECK(counts.changed >= 2);
        IM_CHECK_EQ(counts.finished, 0);
        ctx->SleepNoSkip(1, 0.1f);
        IM_CHECK_EQ(counts.finished, 1);
    });
    harness->run("keys", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("column");
        ctx->MouseMoveToPos({500, 500});
        ctx->NavMoveTo("##cell 0");
        ctx->KeyPress(ImGuiKey_RightArrow);
        ctx->KeyPress(ImGuiKey_7);
        ctx->KeyChars("7/2");
        ctx->Yield(2);
        ctx->KeyPress(ImGuiKey_Enter);
        ctx->Yield(2);
        IM_CHECK_EQ(weights[1], 3.5);
        IM_CHECK_EQ(weights[0], -1.0);
        IM_CHECK_EQ(digits, 0); // the cell has the keyboard
        ctx->KeyPress(ImGuiKey_Escape);
        ctx->KeyPress(ImGuiKey_LeftArrow);
        ctx->KeyPress(ImGuiKey_Enter);
        ctx->KeyCharsReplaceEnter("4");
        IM_CHECK_EQ(weights[0], 4.0);
    });
}

TEST(NumberField, EndsWhenAFieldBeforeItIsOpened) {
    const auto harness = harness_or_skip();
    if (!harness) GTEST_SKIP() << kNoOpenGl;
    std::array<double, 2> values{1, 2};
    std::array<Counts, 2> counts;
    in_column(*harness, [&] {
        for (std::size_t i = 0; i < values.size(); ++i)
            counts[i].add(
                number_field(i == 0 ? "first" : "second", values[i], {.width = 64, .tooltip = "A number"}));
    });
    (void)take_refused_text();
    harness->run("a number", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("column");
        ctx->ItemClick("##second");
        ctx->KeyChars("3");
        ctx->Yield(2);
        IM_CHECK_EQ(counts[1].finished, 0);
        ctx->ItemClick("##first");
        IM_CHECK_EQ(values[1], 3.0);
        IM_CHECK_EQ(counts[1].finished, 1);
        IM_CHECK_EQ(counts[0].finished, 0);
        ctx->KeyCharsReplaceEnter("4");
        IM_CHECK_EQ(values[0], 4.0);
        IM_CHECK_EQ(counts[0].finished, 1);
        IM_CHECK_EQ(counts[1].finished, 1);
    });
    harness->run("a text that is none, left by Shift+Tab", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("column");
        ctx->ItemClick("##second");
        ctx->KeyChars("5x");
        ctx->Yield(2);
        ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_Tab);
        ctx->Yield(2);
        IM_CHECK_EQ(values[1], 3.0);
        IM_CHECK_EQ(counts[1].finished, 2);
    });
    EXPECT_EQ(take_refused_text(), "5x");
}

TEST(LabelledChoice, ALabelThatDoesNotFitBesideItStandsAbove) {
    const auto harness = harness_or_skip();
    if (!harness) GTEST_SKIP() << kNoOpenGl;
    constexpr std::array<const char*, 2> kChoices{"4", "8"};
    std::array<float, 2> heights{};
    int selected = 0;
    in_column(*harness, [&] {
        std::size_t at = 0;
        for (const auto* text : {"Norm", "Neighbours"}) {
            const float begin = ImGui::GetCursorPosY();
            labelled_choice(text, text, kChoices, selected, "help");
            heights[at++] = ImGui::GetCursorPosY() - begin;
        }
    });
    harness->run("look", [&](ImGuiTestContext* ctx) { ctx->Yield(2); });
    EXPECT_GT(heights[0], 0);
    EXPECT_GT(heights[1], heights[0] + look().px(8));
}

TEST(EngineChip, LeavesOutWordsBeforeItCutsTheTime) {
    const auto harness = harness_or_skip();
    if (!harness) GTEST_SKIP() << kNoOpenGl;
    const std::string dot = " \xC2\xB7 ", whole = "CPU" + dot + "direct" + dot + "1.2 ms, first runs";
    const std::vector<std::string> texts{whole, "CPU" + dot + "direct" + dot + "1.2 ms",
                                         "CPU" + dot + "1.2 ms", "1.2 ms"};
    std::vector<std::string> exact, narrower;
    std::string steady, of_benchmark;
    in_column(*harness, [&] {
        const auto width_of = [](const std::string& text) {
            const ScopedText style(TextStyle::secondary);
            return ImGui::CalcTextSize(text.c_str()).x;
        };
        exact.clear(), narrower.clear();
        for (const auto& text : texts) {
            exact.push_back(fitting_chip_text(whole, width_of(text)));
            narrower.push_back(fitting_chip_text(whole, width_of(text) - 1));
        }
        steady = fitting_chip_text(texts[1], width_of(texts[1]), "CPU" + dot + "direct" + dot + "888.8 ms");
        of_benchmark = fitting_chip_text("Measuring 3 of 18", width_of("Measuring 3 of 18") - 1);
    });
    harness->frames(1);
    EXPECT_EQ(exact, texts);
    EXPECT_EQ(std::vector(narrower.begin(), narrower.end() - 1), std::vector(texts.begin() + 1, texts.end()));
    EXPECT_TRUE(narrower.back().ends_with("...")) << narrower.back();
    EXPECT_EQ(steady, texts[2]) << "a longer time would have no room";
    EXPECT_TRUE(of_benchmark.starts_with("Measuring") && of_benchmark.ends_with("...")) << of_benchmark;
}

TEST(Segmented, ReportsAChangeOnce) {
    const auto harness = harness_or_skip();
    if (!harness) GTEST_SKIP() << kNoOpenGl;
    int selected = 0, changes = 0;
    in_column(*harness, [&] {
        changes += segmented("mode", std::array{"Result", "Split", "Side"}, selected);
    });
    harness->run("click", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("column");
        ctx->ItemClick("mode/Split");
        ctx->ItemClick("mode/Split");
        IM_CHECK_EQ(selected, 1);
        IM_CHECK_EQ(changes, 1);
    });
}

TEST(FileDialog, PromptAnswersOnceWithThePath) {
    const auto harness = harness_or_skip();
    if (!harness) GTEST_SKIP() << kNoOpenGl;
    FileDialog dialog;
    dialog.prefer_prompt(true);
    std::vector<FileDialog::Answer> answers;
    harness->set_frame([&] {
        if (auto answer = dialog.poll()) answers.push_back(*answer);
        return FramePacer::kNever;
    });
    dialog.ask_save(
        "a/b.png",
        [](const std::filesystem::path& path) {
            return path.extension() == ".jpg" ? std::string("16 to 8 bit") : std::string();
        },
        [](const std::filesystem::path&) { return false; });
    harness->run("confirm", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("##file prompt");
        ctx->ItemClick("##path");
        ctx->KeyCharsReplace("x/y.jpg");
        ctx->Yield(2);
    });
    harness->save_screenshot("save_prompt"); // shows what .jpg does not hold
    harness->run("answer", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("##file prompt");
        ctx->ItemInputValue("##path", "x/y.png");
        ctx->Yield(3);
        IM_CHECK_EQ(answers.size(), 1u);
        IM_CHECK_STR_EQ(answers[0].paths.at(0).c_str(), "x/y.png");
        IM_CHECK(!dialog.is_open());
    });
    dialog.ask_open(".");
    harness->frames(3);
    harness->save_screenshot("file_prompt");
    harness->run("cancel", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("##file prompt");
        ctx->ItemClick("Cancel##cancel");
        ctx->Yield(3);
        IM_CHECK_EQ(answers.size(), 2u);
        IM_CHECK(answers[1].paths.empty());
    });
}

TEST(Loop, WakesFromAnotherThread) {
    const auto harness = harness_or_skip();
    if (!harness) GTEST_SKIP() << kNoOpenGl;
    harness->context().wait(0);
    std::thread worker([&, waits = ::gettid()] {
        EXPECT_TRUE(kg::testing::falls_asleep(waits));
        harness->context().wake();
    });
    EXPECT_TRUE(harness->context().wait(FramePacer::kNever));
    worker.join();
    EXPECT_FALSE(harness->context().wait(0)) << "one wake ends one wait";
}

TEST(Region, ANarrowWindowsRightColumnLiesOverTheImageAlsoAfterAClickIntoIt) {
    const auto harness = harness_or_skip({.size = {900, 600}});
    if (!harness) GTEST_SKIP() << kNoOpenGl;
    const auto r = compute_layout(900, 600, 1);
    ASSERT_TRUE(r.right_overlays);
    harness->set_frame([&] {
        { const Region right("right", r.right, RegionStyle::column); }
        const Region image("image", r.image, RegionStyle::image);
        ImGui::InvisibleButton("all", {r.image.width, r.image.height});
        return FramePacer::kNever;
    });
    harness->run("click", [&](ImGuiTestContext* ctx) {
        ctx->MouseMoveToPos({r.image.x + 20, r.image.y + 20});
        ctx->MouseClick();
    });
    const auto seen = harness->screenshot();
    const auto* row = seen.view().row<std::uint8_t>(300);
    EXPECT_EQ(row[4 * 890], kDark.panel.r);
    EXPECT_EQ(row[4 * 300], kDark.surround.r);
}

TEST(ImageWords, CountsBeyondTheFormatNameItsLimits) {
    EXPECT_EQ(outside_text(12'345, 3, {Depth::u16, 3}), "12 k below 0, 3 above 65535");
    EXPECT_EQ(outside_text(0, 1, {Depth::u8, 1}), "0 below 0, 1 above 255");
    EXPECT_EQ(outside_text(7, 2, {Depth::f32, 3}), "7 below 0, 2 above 1");
}

TEST(ImageWords, FactsNameTheTypeOfAFileOnce) {
    const kg::testing::TemporaryFolder folder("facts");
    const auto facts = [&](const char* name, PixelFormat format, const WriteOptions& options = {}) {
        const auto path = folder.path() / name;
        write_image(path, kg::testing::random_image({20, 10}, format, 5).view(), options);
        return facts_text(read_image(path));
    };
    const std::string linear = " \xC2\xB7 linear light";
    EXPECT_EQ(facts("half.exr", {Depth::f32, 3}, {.depth = Depth::f16}), "20 x 10, half float RGB" + linear);
    EXPECT_EQ(facts("float.exr", {Depth::f32, 4, 3}), "20 x 10, float RGB with alpha" + linear);
    EXPECT_EQ(facts("deep.png", {Depth::u16, 1}), "20 x 10, 16-bit grey");
    EXPECT_EQ(facts("plain.png", {Depth::u8, 3}), "20 x 10, 8-bit RGB");
}

TEST(ImageWords, ChoicesAreNamedForPeople) {
    EXPECT_EQ(choice_title("nw"), "NW, top left");
    EXPECT_EQ(choice_title("image"), "Image");
    EXPECT_EQ(choice_title("magnitude"), "Magnitude");
    EXPECT_EQ(choice_title("4"), "4");
    EXPECT_EQ(choice_title(""), "");
    for (const auto& light : find_filter("emboss").parameters.front().choices)
        EXPECT_NE(choice_title(light).find(", "), std::string::npos) << light;
}

TEST(Label, OneThatIsTooLongForItsColumnHasALineOfItsOwn) {
    const auto harness = harness_or_skip();
    if (!harness) GTEST_SKIP() << kNoOpenGl;
    float beside = 0, below = 0, longer = 0;
    in_column(*harness, [&] {
        label("Border");
        beside = ImGui::GetCursorPosX();
        ImGui::NewLine();
        below = ImGui::GetCursorPosX();
        label("Where the light comes from");
        longer = ImGui::GetCursorPosX();
    });
    harness->frames(2);
    EXPECT_GT(beside, below);
    EXPECT_EQ(longer, below) << "else the next item would cover it";
}

TEST(Shortened, TheEndOfAnotherTextStaysWholeWhereThereIsRoom) {
    const auto harness = harness_or_skip();
    if (!harness) GTEST_SKIP() << kNoOpenGl;
    const std::string begin = "Item 1, 45 deg, 4 px", end = ", channel 1";
    std::string whole, cut, narrow;
    in_column(*harness, [&] {
        const auto width_of = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
        whole = shortened_begin(begin, end, width_of(begin + end));
        cut = shortened_begin(begin, end, width_of("Item 1, 45..." + end) + 1);
        narrow = shortened_begin(begin, end, width_of(end) / 2);
    });
    harness->frames(2);
    EXPECT_EQ(whole, begin + end);
    EXPECT_EQ(cut, "Item 1, 45..." + end);
    EXPECT_TRUE(narrow.starts_with("It") && narrow.ends_with("...")) << narrow;
}

TEST(Fact, AValueHasTheRestOfTheLineAndIsCutOnlyThere) {
    const auto harness = harness_or_skip();
    if (!harness) GTEST_SKIP() << kNoOpenGl;
    float room = 0, whole = 0, fitting = 0, cut = 0, name_end = 0, cut_begin = 0;
    in_column(*harness, [&] {
        room = ImGui::GetContentRegionAvail().x;
        name_end = ImGui::GetCursorScreenPos().x + ImGui::CalcTextSize("File").x;
        std::string value = "w";
        while (ImGui::CalcTextSize(value.c_str()).x < 0.8f * room) value += "w";
        whole = ImGui::CalcTextSize(value.c_str()).x;
        fact("File", value);
        fitting = ImGui::GetItemRectSize().x;
        fact("File", value + value);
        cut = ImGui::GetItemRectSize().x;
        cut_begin = ImGui::GetItemRectMin().x;
    });
    harness->frames(2);
    EXPECT_EQ(fitting, whole);
    EXPECT_LT(cut, room);
    EXPECT_GT(cut, 0.8f * room) << "all of the rest of the line is used";
    EXPECT_GT(cut_begin, name_end) << "the name is not covered";
}

} // namespace
