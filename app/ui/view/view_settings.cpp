#include "app/ui/view/view_settings.hpp"

#include "app/editor/worker/result.hpp"
#include "core/request/conversion.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <iterator>

namespace kg::ui {

namespace {

constexpr const char* kMapChips[] = {"", "Viridis", "Cividis", "Signed colours"};
constexpr const char* kDifferences[] = {"Absolute", "Signed", "Heat map"};
constexpr const char* kOff = "View only, never saved. Click to turn it off";
constexpr float kWidth = 264;
constexpr double kLeastGamma = 0.2, kMostGamma = 5;

void number(const char* id, const SliderSpec& spec, float& value, float none) {
    double exact = static_cast<double>(value);
    const auto edit = slider(id, spec, exact);
    if (edit.changed) value = static_cast<float>(exact);
    if (edit.reset) value = none;
}

void draw_channel(display::PassChannel& channel) {
    label("Channel");
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    const auto index = static_cast<std::size_t>(channel);
    if (!ImGui::BeginCombo("##channel", kChannelNames[index]))
        return help("Shows one channel as grey, or as the false colour below");
    for (std::size_t i = 0; i < std::size(kChannelNames); ++i)
        if (ImGui::Selectable(kChannelNames[i], i == index)) channel = static_cast<display::PassChannel>(i);
    ImGui::EndCombo();
}

void draw_settings(ViewSettings& settings) {
    auto& colours = settings.colours;
    heading("View only", "never saved");
    number("exposure",
           {.label = "Exposure",
            .minimum = -kMostStops,
            .maximum = kMostStops,
            .step = 0.25,
            .unit = "stops",
            .tooltip = "Linear light times a power of two: shows what is below black or above white"},
           colours.exposure, 0);
    number("gamma",
           {.label = "Gamma",
            .minimum = kLeastGamma,
            .maximum = kMostGamma,
            .step = 0.05,
            .logarithmic = true,
            .tooltip = "The displayed colour to the power of one over gamma"},
           colours.gamma, 1);
    draw_channel(colours.channel);
    int map = static_cast<int>(colours.map);
    ImGui::TextUnformatted("False colour");
    if (choice("map", kMapNames, map,
               "Colours by the luminance or the channel: from black to white, or from -1 by 0 to 1"))
        colours.map = static_cast<display::PassMap>(map);
    tick("zebra", "Zebra where clamped", colours.zebra,
         "Stripes where a channel is stored as 0 or less, or as full scale or more: there it may have been "
         "clamped");
    tick("outside", "Pixels outside the image", settings.outside,
         "Draws around the image what the first step reads there, by the border of the recipe");
    if (button("reset", icon::kRefresh, "Reset", "Turn all of these off")) settings = {};
}

} // namespace

display::PassPadding padding_of(const Result& result) {
    const auto& request = result.job.request;
    if (request.stages.empty()) return {};
    const auto around = reach(request.stages.front());
    display::PassPadding padding{around.left, around.right, around.up, around.down, request.border};
    if (request.border != Border::constant) return padding;
    const auto& in = request.in;
    const bool grey = in.channels - (in.alpha >= 0 ? 1 : 0) == 1;
    const float alpha = in.alpha < 0 ? 1 : request.outside[static_cast<std::size_t>(in.alpha)];
    for (std::size_t c = 0; c < 3; ++c) {
        const float stored = request.outside[grey ? 0 : c];
        const float value = in.premultiplied && alpha > 0 ? stored / alpha : stored;
        padding.colour[c] = in.linear ? linear_to_srgb(value) : value;
    }
    padding.colour[3] = alpha;
    return padding;
}

void draw_view_settings(ViewSettings& settings) {
    if (button("view only", nullptr, kViewSettings,
               "Exposure, gamma, channel, false colour, zebra, pixels outside the image: for looking alone"))
        ImGui::OpenPopup("view settings");
    const auto end = ImGui::GetItemRectMax();
    ImGui::SetNextWindowPos({end.x, end.y + look().px(4)}, ImGuiCond_Always, {1, 0}); // over the image
    ImGui::SetNextWindowContentSize({look().px(kWidth), 0});
    if (!ImGui::BeginPopup("view settings")) return;
    {
        const ScopedPopupColours colours;
        draw_settings(settings);
    }
    ImGui::EndPopup();
}

void draw_view_chips(ChipRow& row, ViewSettings& settings, const display::PassPadding& padding) {
    auto& colours = settings.colours;
    const display::ViewOnly none;
    const auto off = [&](const char* id, const std::string& text) {
        return row.place(id, text + "  " + icon::kClose, Tone::plain, kOff, true);
    };
    if (colours.exposure != none.exposure) {
        const auto stops = short_number(static_cast<double>(colours.exposure), 3);
        if (off("exposure off", "Exposure " + std::string(colours.exposure > 0 ? "+" : "") + stops))
            colours.exposure = none.exposure;
    }
    if (colours.gamma != none.gamma &&
        off("gamma off", "Gamma " + short_number(static_cast<double>(colours.gamma), 3)))
        colours.gamma = none.gamma;
    if (colours.channel != none.channel &&
        off("channel off", std::string(kChannelNames[static_cast<std::size_t>(colours.channel)]) + " alone"))
        colours.channel = none.channel;
    if (colours.map != none.map && off("map off", kMapChips[static_cast<std::size_t>(colours.map)]))
        colours.map = none.map;
    if (colours.zebra && off("zebra off", "Zebra")) colours.zebra = false;
    if (!settings.outside) return;
    const auto pixels = std::max({padding.left, padding.right, padding.up, padding.down});
    const auto border = std::string(name(padding.border));
    if (pixels > 0 && off("outside off", "Outside: " + border + ", " + std::to_string(pixels) + " px"))
        settings.outside = false;
    if (pixels == 0 &&
        row.place("outside off", std::string("Outside: nothing here  ") + icon::kClose, Tone::plain,
                  "The first step reads the original. Its pixels outside the image are drawn unless the view "
                  "shows a difference or A is another image. Click to turn it off",
                  true))
        settings.outside = false;
}

void draw_difference_chip(ChipRow& row, ViewSettings& settings) {
    const auto kind = static_cast<std::size_t>(settings.difference);
    if (row.place("difference", kDifferences[kind], Tone::plain,
                  "Absolute: every channel by itself. Signed: blue where B is smaller, orange where it is "
                  "larger, white where both are equal. Heat map: the largest channel. Click for the next",
                  true))
        settings.difference = static_cast<display::PassDifference>((kind + 1) % std::size(kDifferences));
}

} // namespace kg::ui
