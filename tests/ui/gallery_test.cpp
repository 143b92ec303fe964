// The look of every widget.

#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/layout.hpp"
#include "app/ui/widgets/parts.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "display/pass/image_pass.hpp"
#include "tests/ui/support/harness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <vector>

namespace {

using namespace kg;
using namespace kg::ui;
using kg::testing::harness_or_skip;
using kg::testing::kNoOpenGl;

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
        const Region region("image", r.image, RegionStyle::image);
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
