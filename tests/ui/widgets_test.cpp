// The widgets under a simulated mouse and keyboard, and their look.

#include "app/ui/widgets/parts.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "app/ui/shell/file_dialog.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/layout.hpp"
#include "display/image_pass.hpp"
#include "tests/support/standstill.hpp"
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
        ctx->ItemClick("weight");
        ctx->KeyCharsReplaceEnter("-1/4");
        IM_CHECK_EQ(weight, -0.25);
        IM_CHECK_EQ(counts.finished, 1);

        ctx->ItemClick("weight");
        ctx->KeyCharsReplace("8");
        ctx->KeyPress(ImGuiKey_Escape);
        IM_CHECK_EQ(weight, -0.25);

        ctx->ItemClick("weight");
        ctx->KeyCharsReplaceEnter("rubbish");
        IM_CHECK_EQ(weight, -0.25);

        ctx->NavMoveTo("weight"); // by keyboard alone
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
        ctx->ItemDragWithDelta("cell 0", {-12, 0});
        IM_CHECK_EQ(weights[0], -2.0);
        IM_CHECK_EQ(counts.finished, 1);
        ctx->ItemDragWithDelta("cell 1", {8, 0});
        IM_CHECK(std::abs(weights[1] - 0.7) < 1e-9);
    });
    harness->run("wheel: a burst is one gesture", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("column");
        ctx->MouseMove("cell 0");
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
        ctx->NavMoveTo("cell 0");
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
        harness->save_screenshot("save_prompt"); // shows what .jpg does not hold
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
        const Region image("picture", r.image, RegionStyle::image);
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

/// Every widget in the window's layout over an image drawn by the image pass, for inspection in both themes.
class Gallery {
public:
    Gallery() : pixels_(GL_TEXTURE_2D) {
        constexpr int kSide = 512;
        std::vector<std::array<std::uint8_t, 4>> texels;
        for (int y = 0; y < kSide; ++y)
            for (int x = 0; x < kSide; ++x) {
                const auto d = (x - 256) * (x - 256) + (y - 256) * (y - 256);
                texels.push_back({static_cast<std::uint8_t>(x / 2), static_cast<std::uint8_t>(y / 2),
                                  static_cast<std::uint8_t>(d / 64),
                                  static_cast<std::uint8_t>(d < 60000 ? 255 : 60)});
            }
        glTextureStorage2D(pixels_.id(), 1, GL_RGBA8, kSide, kSide);
        glTextureSubImage2D(pixels_.id(), 0, 0, 0, kSide, kSide, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
        image_ = {pixels_.id(), 1, {kSide, kSide}, {kSide, kSide}, 1, {Depth::u8, 4, 3}};
    }

    double draw() {
        const auto display = ImGui::GetIO().DisplaySize;
        const auto r = compute_layout(display.x, display.y, look().scale);
        draw_bars(r);
        draw_left(r.left);
        draw_right(r.right);
        const Region region("picture", r.image, RegionStyle::image);
        const Extent view{static_cast<std::int64_t>(r.image.width),
                          static_cast<std::int64_t>(r.image.height)};
        const auto s = look().theme.surround;
        display::PassSettings settings;
        settings.view = display::ViewTransform::fit(image_.size, view);
        settings.surround = {s.r / 255.0f, s.g / 255.0f, s.b / 255.0f};
        pass_.draw(view, {}, image_, settings);
        ImGui::Image(static_cast<ImTextureID>(pass_.texture()), {r.image.width, r.image.height});
        return FramePacer::kNever;
    }

private:
    void draw_bars(const LayoutRects& r) {
        {
            const Region top("top", r.top_bar, RegionStyle::bar);
            button("open", icon::kOpen, "Open", "Open an image");
            ImGui::SameLine();
            button("save", icon::kSave, "Save", "Save the result");
            ImGui::SameLine();
            button("undo", icon::kUndo, {}, "Undo");
            ImGui::SameLine();
            button("redo", icon::kRedo, {}, "Redo");
            ImGui::SameLine();
            chip("engine", "CPU · direct · 4.31 ms", Tone::plain, "How it is computed", true);
            ImGui::SameLine();
            chip("warning", "host upload", Tone::warning, "Why");
        }
        {
            const Region bar("view bar", r.view_bar, RegionStyle::bar);
            segmented("mode", std::array{"Result", "Split", "Side", "Difference"}, mode_, {}, look().px(320));
        }
        const Region status("status", r.status, RegionStyle::bar);
        const ScopedText small(TextStyle::secondary);
        ImGui::TextUnformatted("x 120  y 64   (137, 90, 12)");
    }
    void draw_left(const Box& box) {
        const Region left("left", box, RegionStyle::column);
        heading("Gaussian", "3 of 4");
        slider(
            "sigma",
            {.label = "Sigma", .minimum = 0.1, .maximum = 20, .step = 0.1, .logarithmic = true, .unit = "px"},
            sigma_);
        slider("a long one", {.label = "A very long label indeed", .minimum = 0, .maximum = 1}, amount_);
        tick("on", "Normalise", on_, "Divide by the sum");
        heading("Kernel");
        for (int i = 0; i < 9; ++i) {
            if (i % 3 != 0) ImGui::SameLine();
            number_field(("##" + std::to_string(i)).c_str(), weights_[static_cast<std::size_t>(i)],
                         {.decimals = 4, .width = look().px(72), .tooltip = "Weight"});
        }
        note("Sum 1. Separable: rank 1; 6 products instead of 9. Words of explanation wrap.");
        notice(Tone::warning, "A forced algorithm does not fit: auto is used.");
        notice(Tone::error, "The file could not be read.");
        notice(Tone::ok, "Saved.");
        primary_button("go", icon::kPlay, "Measure", "Measure all algorithms");
        ImGui::SameLine();
        ImGui::BeginDisabled();
        button("copy", icon::kCopy, "Copy command", "Copy");
        ImGui::EndDisabled();
    }
    void draw_right(const Box& box) {
        const Region right("right", box, RegionStyle::column);
        if (ImGui::BeginTabBar("tabs")) {
            if (ImGui::BeginTabItem("Timing")) {
                {
                    const ScopedText big(TextStyle::verdict);
                    ImGui::TextUnformatted("4.31 ms");
                }
                static const char* const kBorders[] = {"zero", "replicate", "reflect"};
                ImGui::Combo("##border", &border_, kBorders, 3);
                ImGui::InputText("##text", text_.data(), text_.size());
                ImGui::TextUnformatted("图像滤波  Größe  Сигма");
                ImGui::EndTabItem();
            }
            if (ImGui::BeginTabItem("Kernel")) ImGui::EndTabItem();
            ImGui::EndTabBar();
        }
    }

    display::Texture pixels_;
    display::PassImage image_;
    display::ImagePass pass_;
    int mode_ = 1, border_ = 0;
    double sigma_ = 2, amount_ = 0.35;
    bool on_ = true;
    std::array<double, 9> weights_{0.0625, 0.125, 0.0625, 0.125, 0.25, 0.125, 0.0625, 0.125, 0.0625};
    std::array<char, 32> text_{"text"};
};

int distinct_colours(const Image& image) {
    std::vector<std::uint32_t> seen;
    for (std::int64_t y = 0; y < image.size().height; y += 3) {
        const auto* row = image.view().row<const std::uint32_t>(y);
        seen.insert(seen.end(), row, row + image.size().width);
    }
    std::sort(seen.begin(), seen.end());
    return static_cast<int>(std::unique(seen.begin(), seen.end()) - seen.begin());
}

TEST(Gallery, IsTheSameEveryFrameAndNothingJumps) {
    struct Case {
        const char* name;
        kg::testing::HarnessOptions options;
    };
    for (const auto& c : {Case{"gallery_dark", {}}, Case{"gallery_light", {.theme = kLight}},
                          Case{"gallery_dark_2x", {.size = {2560, 1600}, .scale = 2}}}) {
        const auto harness = harness_or_skip(c.options);
        if (!harness) GTEST_SKIP() << kNoOpenGl;
        Gallery gallery;
        harness->set_frame([&] { return gallery.draw(); });
        harness->frames(FramePacer::kSettleFrames);
        const auto first = harness->screenshot();
        harness->frames(6);
        const auto later = harness->screenshot();
        EXPECT_GT(distinct_colours(first), 1000) << c.name; // the image is drawn
        for (std::int64_t y = 0; y < first.size().height; ++y) {
            const auto* a = first.view().row<const std::uint32_t>(y);
            ASSERT_TRUE(std::equal(a, a + first.size().width, later.view().row<const std::uint32_t>(y)))
                << c.name << " row " << y;
        }
        std::cout << "[   LOOK   ] " << harness->save_screenshot(c.name).string() << '\n';
    }
}

} // namespace
