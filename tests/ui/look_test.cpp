// Colours and layout, without drawing.

#include "app/ui/shell/loop.hpp"
#include "app/ui/widgets/layout.hpp"
#include "app/ui/widgets/widgets.hpp"

#include <gtest/gtest.h>
#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace {

using namespace kg::ui;

double channel(std::uint8_t c) {
    const double v = c / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}
double luminance(Rgb c) { return 0.2126 * channel(c.r) + 0.7152 * channel(c.g) + 0.0722 * channel(c.b); }
/// Contrast ratio of WCAG 2.2.
double contrast(Rgb a, Rgb b) {
    const auto low = std::min(luminance(a), luminance(b)), high = std::max(luminance(a), luminance(b));
    return (high + 0.05) / (low + 0.05);
}

TEST(Theme, TextCanBeRead) {
    for (const auto& t : {kDark, kLight}) {
        for (const auto& behind : {t.panel, t.field, t.hover}) {
            EXPECT_GE(contrast(t.text, behind), 4.5);
            EXPECT_GE(contrast(t.second, behind), 4.5);
        }
        EXPECT_GE(contrast(t.ink, t.accent), 4.5);
        for (const auto& word : {t.ok, t.warn, t.error}) EXPECT_GE(contrast(word, t.panel), 4.5);
        for (const auto& data : {t.data_a, t.data_b, t.accent}) EXPECT_GE(contrast(data, t.panel), 3.0);
    }
}

/// A field on a panel, and one in a popup, whose colours are exchanged.
TEST(Theme, FieldsCanBeSeenOnPanelsAndInPopups) {
    ImGui::CreateContext();
    ImPlot::CreateContext();
    for (const auto& theme : {kDark, kLight}) {
        Look look{.theme = theme};
        ImGui::GetIO().UserData = &look;
        apply_style(look);
        const auto stands_out = [](ImGuiCol field, ImGuiCol behind) {
            const auto rgb = [](const ImVec4& c) {
                const auto byte = [](float v) { return static_cast<std::uint8_t>(std::lround(v * 255)); };
                return Rgb{byte(c.x), byte(c.y), byte(c.z)};
            };
            return contrast(rgb(ImGui::GetStyleColorVec4(field)), rgb(ImGui::GetStyleColorVec4(behind)));
        };
        EXPECT_GE(stands_out(ImGuiCol_FrameBg, ImGuiCol_WindowBg), 1.1);
        EXPECT_GE(stands_out(ImGuiCol_Button, ImGuiCol_WindowBg), 1.1);
        const ScopedPopupColours colours;
        EXPECT_GE(stands_out(ImGuiCol_FrameBg, ImGuiCol_PopupBg), 1.1);
        EXPECT_GE(stands_out(ImGuiCol_Button, ImGuiCol_PopupBg), 1.1);
    }
    ImPlot::DestroyContext();
    ImGui::DestroyContext();
}

/// Distance in CIELAB (D65); about 2 is just visible side by side.
double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
    const auto lab = [](const std::array<double, 3>& linear) {
        const auto& [r, g, b_] = linear;
        const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
        const double x = f((0.4124 * r + 0.3576 * g + 0.1805 * b_) / 0.9505),
                     y = f(0.2126 * r + 0.7152 * g + 0.0722 * b_),
                     z = f((0.0193 * r + 0.1192 * g + 0.9505 * b_) / 1.089);
        return std::array{116 * y - 16, 500 * (x - y), 200 * (y - z)};
    };
    const auto [la, aa, ba] = lab(a);
    const auto [lb, ab, bb] = lab(b);
    return std::hypot(la - lb, aa - ab, ba - bb);
}

/// What a deuteranope sees of a colour, in linear sRGB: Vienot, Brettel and Mollon, "Digital video
/// colourmaps for checking the legibility of displays by dichromats", 1999.
std::array<double, 3> seen_by_deuteranopes(Rgb c) {
    const double r = channel(c.r), g = channel(c.g), b = channel(c.b);
    const double both = 0.29275 * r + 0.70725 * g;
    return {both, both, std::clamp(-0.02234 * r + 0.02234 * g + b, 0.0, 1.0)};
}

TEST(Theme, TheDataColoursDifferForDeuteranopes) {
    EXPECT_LT(distance(seen_by_deuteranopes({204, 51, 51}), seen_by_deuteranopes({102, 153, 51})), 10)
        << "red and green do not";
    for (const auto& t : {kDark, kLight})
        EXPECT_GT(distance(seen_by_deuteranopes(t.data_a), seen_by_deuteranopes(t.data_b)), 50);
}

TEST(Theme, GreysHaveNoHue) {
    for (const auto& t : {kDark, kLight})
        for (const auto& grey :
             {t.surround, t.panel, t.field, t.hover, t.press, t.line, t.text, t.second, t.disabled}) {
            EXPECT_EQ(grey.r, grey.g);
            EXPECT_EQ(grey.g, grey.b);
        }
}

/// A colour that differs between a style of all magenta and a fresh style was left at the default.
TEST(Theme, NoColourIsLeftAtImGuisDefault) {
    ImGui::CreateContext();
    ImPlot::CreateContext();
    Look light{.theme = kLight};
    apply_style(light);
    const auto light_style = ImGui::GetStyle();
    const auto light_plot = ImPlot::GetStyle();
    Look dark{.theme = kDark};
    apply_style(dark);
    const auto dark_style = ImGui::GetStyle();
    const auto dark_plot = ImPlot::GetStyle();
    const auto of_theme = [](const ImVec4& c, const Theme& t) {
        if (c.w == 0) return true;
        for (const auto& named : {t.surround, t.panel, t.field, t.hover, t.press, t.line, t.text, t.second,
                                  t.disabled, t.accent, t.ink, t.ok, t.warn, t.error, t.data_a, t.data_b}) {
            const auto v = colour(named);
            if (v.x == c.x && v.y == c.y && v.z == c.z) return true;
        }
        return false;
    };
    for (int i = 0; i < ImGuiCol_COUNT; ++i) {
        EXPECT_TRUE(of_theme(dark_style.Colors[i], kDark)) << ImGui::GetStyleColorName(i);
        EXPECT_TRUE(of_theme(light_style.Colors[i], kLight)) << ImGui::GetStyleColorName(i);
    }
    for (int i = 0; i < ImPlotCol_COUNT; ++i) {
        EXPECT_TRUE(of_theme(dark_plot.Colors[i], kDark)) << ImPlot::GetStyleColorName(i);
        EXPECT_TRUE(of_theme(light_plot.Colors[i], kLight)) << ImPlot::GetStyleColorName(i);
        EXPECT_GE(dark_plot.Colors[i].w, 0) << "automatic: " << ImPlot::GetStyleColorName(i);
    }
    ImPlot::DestroyContext();
    ImGui::DestroyContext();
}

TEST(Layout, At1280x800IsAsSpecified) {
    const auto r = compute_layout(1280, 800, 1);
    EXPECT_EQ(r.top_bar, (Box{0, 0, 1280, 40}));
    EXPECT_EQ(r.left, (Box{0, 40, 288, 736}));
    EXPECT_EQ(r.view_bar, (Box{288, 40, 704, 36}));
    EXPECT_EQ(r.image, (Box{288, 76, 704, 700}));
    EXPECT_EQ(r.right, (Box{992, 40, 288, 736}));
    EXPECT_EQ(r.status, (Box{0, 776, 1280, 24}));
    EXPECT_FALSE(r.right_overlays);
    EXPECT_GE(r.image.width * r.image.height, 0.45f * 1280 * 800);
}

TEST(Layout, NarrowWindowsPutTheRightColumnOverTheImage) {
    EXPECT_FALSE(compute_layout(1100, 800, 1).right_overlays);
    const auto r = compute_layout(1099, 800, 1);
    EXPECT_TRUE(r.right_overlays);
    EXPECT_EQ(r.image.width, 1099 - 288);
    EXPECT_EQ(r.right.right(), 1099);
    EXPECT_EQ(r.right.y, r.image.y);
    EXPECT_EQ(compute_layout(1099, 800, 1, false).right.width, 0);
    EXPECT_TRUE(compute_layout(1280, 800, 1.5f).right_overlays);
}

TEST(Layout, BoxesCoverTheWindowOnceAndAreNeverNegative) {
    for (const float width : {0.0f, 1.0f, 100.0f, 640.0f, 1280.0f, 2560.0f})
        for (const float height : {0.0f, 10.0f, 50.0f, 480.0f, 1440.0f})
            for (const float scale : {1.0f, 1.5f, 2.0f}) {
                const auto r = compute_layout(width, height, scale);
                float area = 0;
                for (const auto& box : {r.top_bar, r.left, r.view_bar, r.image, r.right, r.status}) {
                    EXPECT_GE(box.width, 0);
                    EXPECT_GE(box.height, 0);
                    EXPECT_LE(box.right(), width);
                    EXPECT_LE(box.bottom(), height);
                    area += box.width * box.height;
                }
                if (r.right_overlays) area -= r.right.width * r.right.height;
                EXPECT_NEAR(area, width * height, 1) << width << "x" << height << " at " << scale;
            }
}

TEST(FramePacer, SettlesLooksOnceMoreAndThenSleepsUntilSomethingHappens) {
    FramePacer pacer;
    const auto next = [&](double options) {
        const auto sleep = pacer.sleep_before_next_frame(options);
        pacer.drawn();
        return sleep;
    };
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < FramePacer::kSettleFrames; ++i) EXPECT_EQ(next(FramePacer::kNever), 0);
        EXPECT_EQ(next(FramePacer::kNever), FramePacer::kLateSeconds); // for changes by time alone
        for (int i = 1; i < FramePacer::kLateFrames; ++i) EXPECT_EQ(next(FramePacer::kNever), 0);
        EXPECT_EQ(next(FramePacer::kNever), FramePacer::kNever);
        EXPECT_EQ(next(0.1), 0.1);
        EXPECT_EQ(next(0), 0); // an animation runs
        pacer.woken();
    }
}

TEST(Numbers, AreReadAsPeopleWriteThem) {
    EXPECT_EQ(parse_number("2"), 2);
    EXPECT_EQ(parse_number(" -0.5 "), -0.5);
    EXPECT_EQ(parse_number("+1e-3"), 1e-3);
    EXPECT_EQ(parse_number("1/8"), 0.125);
    EXPECT_EQ(parse_number("-1 / 4"), -0.25);
    for (const char* wrong : {"", " ", "1/", "/2", "1/0", "abc", "1.2.3", "nan", "inf", "1 2", "0x10"})
        EXPECT_FALSE(parse_number(wrong)) << wrong;
}

TEST(Numbers, AreWrittenWithoutTrailingZeros) {
    EXPECT_EQ(format_number(2, 2), "2");
    EXPECT_EQ(format_number(0.5, 4), "0.5");
    EXPECT_EQ(format_number(1.0 / 9, 4), "0.1111");
    EXPECT_EQ(format_number(-0.0001, 2), "0");
    EXPECT_EQ(format_number(100, 0), "100");
}

} // namespace
