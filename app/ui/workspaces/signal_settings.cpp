#include "app/ui/workspaces/signal_settings.hpp"

#include "app/ui/widgets/parameter.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/capital.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/text.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace kg::ui {

namespace {

constexpr double kMostSteps = 1 << 20; ///< strides, dilations and anchors that can be typed
constexpr std::array kStored{WavSample::u8,  WavSample::s16, WavSample::s24,
                             WavSample::s32, WavSample::f32, WavSample::f64};
constexpr std::array kElements{Element::f32, Element::f64, Element::i32, Element::i64};

void draw_file(SignalDocument& document, const SignalActions& actions) {
    const auto& data = *document.source()->data;
    const auto rate = document.edit().rate != 0 ? document.edit().rate : data.rate;
    heading("Signal", std::string(name(data.view().format.element)));
    const auto samples = static_cast<double>(data.samples());
    fact("Samples", std::to_string(data.samples()));
    fact("Length", rate == 0 ? "no rate is stated" : short_number(samples / rate, 4) + " s");
    fact("Channels", std::to_string(data.signals));
    label("Rate, Hz");
    double value = rate;
    const auto edit = number_field("##rate", value,
                                   {.decimals = 0,
                                    .width = ImGui::GetContentRegionAvail().x,
                                    .tooltip = "Samples per second; 0 where the file states none: then times "
                                               "are in samples, and frequencies in "
                                               "periods per sample"});
    constexpr double kMostRate = 0xffffffff;
    if (edit.changed && value >= 0 && value <= kMostRate) {
        const auto wanted = static_cast<std::uint32_t>(std::lround(value));
        document.set_rate(wanted == data.rate ? 0 : wanted, true);
    }
    if (edit.finished) document.finish_gesture();
    if (button("open signal", icon::kOpen, "Open...",
               "Open a WAV, NumPy or CSV file; or drop it here (Ctrl+O)"))
        actions.open();
    ImGui::SameLine();
    if (button("save signal", icon::kSave, "Save...",
               "Compute and write a .wav, .npy or .csv file, which any player can play (Ctrl+S)"))
        actions.save();
}

void draw_channel(SignalDocument& document) {
    constexpr std::int64_t kMostSegments = 5;
    const auto count = document.source()->data->signals;
    if (count < 2) return;
    if (count > kMostSegments) {
        auto value = static_cast<double>(document.channel() + 1);
        const auto edit = slider("channel",
                                 {.label = "Channel",
                                  .minimum = 1,
                                  .maximum = static_cast<double>(count),
                                  .step = 1,
                                  .decimals = 0,
                                  .tooltip = "The channel that is drawn; all are filtered"},
                                 value);
        if (edit.changed) document.show_channel(std::lround(value) - 1);
        if (edit.reset) document.show_channel(0);
        return;
    }
    std::vector<std::string> texts;
    for (std::int64_t i = 1; i <= count; ++i) texts.push_back(std::to_string(i));
    std::vector<const char*> names;
    for (const auto& text : texts) names.push_back(text.c_str());
    auto chosen = static_cast<int>(document.channel());
    if (labelled_choice("channel", "Channel", names, chosen, "The channel that is drawn; all are filtered"))
        document.show_channel(chosen);
}

void draw_preset(SignalDocument& document) {
    std::vector<std::string> titles;
    int chosen = 0;
    for (const auto* filter : signal_filters()) {
        if (filter->id == document.edit().filter) chosen = static_cast<int>(titles.size());
        titles.emplace_back(filter->title);
    }
    label("Preset");
    const auto& now = *signal_filters()[static_cast<std::size_t>(chosen)];
    if (combo("##preset", titles, chosen, now.summary))
        document.choose_preset(signal_filters()[static_cast<std::size_t>(chosen)]->id);
}

/// A frequency has the track of the signal's: up to just below half of its rate.
Parameter on_track(Parameter parameter, double rate) {
    constexpr double kLowest = 5e-5, kHighest = 0.499;
    if (parameter.unit == "Hz") parameter.minimum = kLowest * rate, parameter.maximum = kHighest * rate;
    return parameter;
}

void draw_parameters(SignalDocument& document) {
    const auto& edit = document.edit();
    const auto known = edit.rate != 0 ? edit.rate : document.source()->data->rate;
    const double rate = known == 0 ? 1 : known;
    const auto& parameters = find_signal_filter(edit.filter).parameters;
    const bool designed = !edit.taps.has_value();
    ImGui::BeginDisabled(!designed); // they stay in their place
    for (const auto& parameter : parameters) {
        const int decimals = known == 0 && parameter.unit == "Hz" ? 4 : 2;
        const auto made = parameter_field(on_track(parameter, rate), value_of(document.edit(), parameter),
                                          decimals);
        if (made.reset) document.reset_value(parameter.id);
        else if (made.value) document.set_value(parameter.id, *made.value, made.ongoing);
        if (made.finished) document.finish_gesture();
    }
    ImGui::EndDisabled();
    if (designed) return;
    note("The taps are edited.");
    if (button("reset taps", icon::kUndo, "Back to the preset", "Design the taps by the preset again"))
        document.reset_taps();
}

/// An integer beside its label. Typed numbers are ongoing edits.
template <typename Set>
void integer(SignalDocument& document, const char* text, const char* id, std::int64_t number, double least,
             const char* tooltip, Set set) {
    label(text);
    auto value = static_cast<double>(number);
    const auto edit = number_field(
        id, value, {.decimals = 0, .width = ImGui::GetContentRegionAvail().x, .tooltip = tooltip});
    if (edit.changed) set(std::llround(std::clamp(value, least, kMostSteps)));
    if (edit.finished) document.finish_gesture();
}

/// How the taps are applied.
void draw_steps(SignalDocument& document) {
    const bool by_preset = document.preset_flips();
    bool flip = document.flip();
    ImGui::BeginDisabled(by_preset);
    if (tick("flip", "Flip the taps", flip,
             by_preset ? "The preset convolves: it reverses the taps"
                       : "Convolve: reverse the taps. Without it they correlate"))
        document.set_flip(flip);
    ImGui::EndDisabled();
    integer(document, "Stride", "##stride", document.edit().stride, 1, "Samples from an output to the next",
            [&](std::int64_t number) { document.set_stride(number, true); });
    integer(document, "Dilation", "##dilation", document.edit().dilation, 1, "Samples from a tap to the next",
            [&](std::int64_t number) { document.set_dilation(number, true); });
    ImGui::BeginDisabled(document.mode() != SignalMode::same);
    integer(document, "Anchor", "##anchor", document.anchor(), 0,
            "The tap over its output's sample, counted from 0, in the mode Same",
            [&](std::int64_t number) { document.set_anchor(number, true); });
    bool middle = !document.edit().anchor;
    if (tick("middle", "Usual anchor", middle,
             "That of the preset, or the middle tap, below which the sample of an output then lies"))
        document.set_anchor(middle ? std::nullopt : std::optional(document.anchor()));
    ImGui::EndDisabled();
}

void draw_sums(SignalDocument& document) {
    heading("Output");
    constexpr std::array kModeNames{"Full", "Same", "Valid"};
    auto mode = static_cast<int>(document.mode());
    if (labelled_choice(
            "mode", "Mode", kModeNames, mode,
            "Full: every output that a sample reaches. Same: an output for each sample. Valid: the "
            "outputs that read nothing outside"))
        document.set_mode(static_cast<SignalMode>(mode));
    std::vector<std::string> borders;
    for (const auto border : kBorders) borders.push_back(capitalised(name(border)));
    const auto at = std::ranges::find(kBorders, document.border());
    auto border = at == kBorders.end() ? 0 : static_cast<int>(at - kBorders.begin());
    label("Border");
    ImGui::BeginDisabled(document.mode() != SignalMode::same);
    if (combo("##border", borders, border, "What lies outside of the signal, in the mode Same"))
        document.set_border(kBorders[static_cast<std::size_t>(border)]);
    ImGui::EndDisabled();
    draw_steps(document);
    std::vector<std::string> types{"As file"};
    for (const auto element : kElements) types.emplace_back(name(element));
    const auto type = document.edit().type;
    int chosen = 0;
    for (std::size_t i = 0; i < kElements.size(); ++i)
        if (type == kElements[i]) chosen = static_cast<int>(i) + 1;
    label("Type");
    if (combo("##type", types, chosen, "Of samples, taps and sums; sums of integers are exact and wrap"))
        document.set_type(chosen == 0 ? std::optional<Element>()
                                      : kElements[static_cast<std::size_t>(chosen) - 1]);
    std::vector<std::string> bits{"As file"};
    int stored = 0;
    for (std::size_t i = 0; i < kStored.size(); ++i) {
        if (document.edit().bits == kStored[i]) stored = static_cast<int>(i) + 1;
        bits.emplace_back(name(kStored[i]));
    }
    label("Bits");
    if (combo("##bits", bits, stored,
              "Of the samples of a WAV file that is saved; float and double clip nothing"))
        document.set_bits(stored == 0 ? std::optional<WavSample>()
                                      : kStored[static_cast<std::size_t>(stored) - 1]);
}

} // namespace

/// One field for all taps. It keeps what is typed until it can be used.
void SignalSettings::draw_list(SignalDocument& document) {
    const auto taps = document.taps();
    const bool listed = taps.size() <= kMostTapsDragged;
    if (refused_.empty() && !std::ranges::equal(taps, listed_)) {
        listed_ = listed ? std::vector<double>(taps.begin(), taps.end()) : std::vector<double>();
        typed_ = listed ? taps_text(listed_) : std::string();
    }
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    ImGui::InputTextWithHint("##taps", listed ? "1,2,1" : "too many to list", &typed_);
    if (ImGui::IsItemDeactivatedAfterEdit()) {
        try {
            const auto numbers = parse_taps(typed_, Element::f64, "Taps");
            refused_.clear();
            document.set_taps(std::get<std::vector<double>>(numbers));
        } catch (const Error& error) { // not a failure of the program: it stands beside the field
            refused_ = capitalised(error.what());
        }
    }
    help("All taps, with a comma between each two, such as 0.25,0.5,0.25. Enter uses them");
    if (refused_.empty()) return;
    notice(Tone::warning, refused_);
    if (button("discard taps", icon::kUndo, "Discard the text", "Show the taps in use again")) {
        refused_.clear();
        listed_.clear();
        typed_.clear();
    }
}

void SignalSettings::draw_taps(SignalDocument& document, SignalPlots& plots) {
    heading("Taps", std::to_string(document.taps().size()));
    draw_list(document);
    if (document.taps().empty() || document.taps().size() > kMostEditedTaps) return;
    const auto now = document.taps();
    auto place = static_cast<double>(std::min(plots.tap(), now.size() - 1));
    const auto tap = static_cast<std::size_t>(place);
    label("Tap");
    const auto chosen = number_field("##tap", place,
                                     {.decimals = 0,
                                      .width = ImGui::GetContentRegionAvail().x,
                                      .tooltip = "A tap, counted from 0",
                                      .step = 1});
    if (chosen.changed)
        plots.select_tap(static_cast<std::size_t>(
            std::clamp(std::round(place), 0.0, static_cast<double>(now.size() - 1))));
    double value = now[tap];
    label("Value");
    const auto edit = number_field(
        "##value", value,
        {.decimals = 6, .width = ImGui::GetContentRegionAvail().x, .tooltip = "The value of this tap"});
    if (edit.changed) document.set_tap(tap, value, true);
    if (edit.finished) document.finish_gesture();
}

void SignalSettings::draw(SignalDocument& document, SignalPlots& plots, const SignalActions& actions) {
    if (!document.source()) {
        heading("Signal");
        if (primary_button("open signal", icon::kOpen, "Open...", "Open a WAV, NumPy or CSV file (Ctrl+O)"))
            actions.open();
        return;
    }
    draw_file(document, actions);
    draw_channel(document);
    heading("Filter");
    draw_preset(document);
    draw_parameters(document);
    if (!document.why_not().empty()) notice(Tone::warning, capitalised(document.why_not()));
    draw_sums(document);
    draw_taps(document, plots);
}

} // namespace kg::ui
