#include "app/ui/bars/bars.hpp"

#include "app/editor/comparison/comparison.hpp"
#include "app/editor/timing/timing_text.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/plan/filter_step.hpp"
#include "core/support/capital.hpp"
#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <string_view>
#include <vector>

namespace kg::ui {

namespace {

constexpr std::string_view kDot = " \xC2\xB7 ";
constexpr float kChipPadding = 20; ///< both sides
constexpr float kLeastChip = 105;  ///< narrower, it takes the place of the button beside it

std::string predicted(double us) {
    return std::isfinite(us) ? "predicted " + time_text(us) : "slow, only on request";
}

/// The filter's time as the Timing tab shows it, where that describes the image on the screen.
std::string filter_time(const Document& document) {
    const auto& timings = document.timings();
    const bool same = !timings.paused() && timings.is_of_screen();
    const auto text = same ? filter_time_text(timings) : std::string();
    return text.empty() ? time_text(document.result()->filter_us) : text;
}

/// "convert > direct > direct > convert" as "direct": each algorithm once; the list behind the chip also
/// shows conversions.
std::string main_algorithms(std::string_view algorithms) {
    std::vector<std::string> main;
    constexpr std::string_view between = " > ";
    for (std::size_t begin = 0; begin < algorithms.size();) {
        const auto end = std::min(algorithms.find(between, begin), algorithms.size());
        const std::string name(algorithms.substr(begin, end - begin));
        begin = end + between.size();
        if (name != kConvert && std::ranges::find(main, name) == main.end()) main.push_back(name);
    }
    std::string text;
    for (const auto& name : main) text += (text.empty() ? "" : " + ") + name;
    return text.empty() ? std::string(kConvert) : text;
}

/// Engine and algorithm, and behind them the time.
std::string chip_text(const Document& document, const std::string& time) {
    const auto& result = document.result();
    if (!result) return "Starting";
    return upper_case(result->job.choice.engine->device().id) + std::string(kDot) +
           main_algorithms(result->algorithm) + std::string(kDot) + time;
}
std::string chip_text(const Document& document) {
    const auto& result = document.result();
    return chip_text(document, !result || result->preview ? "preview" : filter_time(document));
}

/// "CPU · direct · 1.2 ms, first runs", then without ", first runs", without the algorithm, and the time
/// alone. Other texts have no shorter ones.
std::array<std::string, 4> shorter_texts(const std::string& text) {
    const auto whole = text.substr(0, text.find(kFirstRuns));
    const auto first = whole.find(kDot), last = whole.rfind(kDot);
    if (first == last) return {text, whole, whole, whole};
    return {text, whole, whole.substr(0, first) + whole.substr(last), whole.substr(last + kDot.size())};
}

/// The chip with its longest number: it has room for it, so that nothing moves when the number changes.
std::string longest_text(const Document& document, const std::string& measuring) {
    if (measuring.empty()) return chip_text(document, std::string("888.8 ms") + kFirstRuns);
    std::string text;
    for (const char c : measuring) {
        const bool is_digit = c >= '0' && c <= '9';
        if (is_digit && !text.empty() && text.back() == '8') continue;
        text += is_digit ? "88" : std::string(1, c);
    }
    return text;
}

float width_of(const std::string& text) {
    const ScopedText style(TextStyle::secondary);
    return ImGui::CalcTextSize(text.c_str()).x + look().px(kChipPadding);
}

/// The button beside the chip.
float bench_button_width() { return ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.x; }

/// This algorithm alone computed what is shown.
bool is_used(const Document& document, const Selection& selection) {
    const auto& result = document.result();
    return result && result->job.choice.engine->device().id == selection.engine &&
           main_algorithms(result->algorithm) == selection.algorithm;
}

void draw_choices(Document& document, const std::string& notice) {
    const auto& result = document.result();
    const float width = look().px(360);
    if (result) {
        heading("How it is computed", result->preview ? "" : "measured " + filter_time(document));
        note(result->refusal ? result->why_yielded() : result->reason);
        if (!notice.empty()) note(notice);
        note("Predicted times are for an idle machine.");
        space();
    }
    const auto line = [&](const char* id, const Selection& selection, const std::string& title,
                          const std::string& remark, bool usable, const std::string& why) {
        const auto at = ImGui::GetCursorScreenPos();
        const ImVec2 size{width, ImGui::GetFrameHeight()};
        ImGui::BeginDisabled(!usable);
        const bool pressed = row(id, size, document.selection().algorithm == selection.algorithm);
        ImGui::EndDisabled();
        help(why.c_str());
        row_text(at, size, title, remark, usable);
        if (pressed) {
            document.choose(selection);
            ImGui::CloseCurrentPopup();
        }
    };
    line("auto", {}, "Auto", "fastest predicted", true, "Let the program choose by predicted time");
    const auto measured = result && !result->preview ? "measured " + filter_time(document) : "in use";
    for (const auto& choice : document.choices()) {
        const auto id = choice.selection.engine + " " + choice.selection.algorithm;
        const bool usable = choice.why_not.empty();
        line(id.c_str(), choice.selection, upper_case(choice.selection.engine) + ", " + choice.title,
             usable ? (is_used(document, choice.selection) ? measured : predicted(choice.microseconds))
                    : capitalised(choice.why_not),
             usable, usable ? "Always use this algorithm" : capitalised(choice.why_not));
    }
    heading("Other libraries");
    for (const auto& [source, title, why_not] : document.comparison().peers()) {
        const auto id = source.selection.engine + " " + source.selection.algorithm;
        const bool usable = why_not.empty();
        line(id.c_str(), source.selection,
             upper_case(source.selection.engine) + ", " + source.selection.algorithm,
             !usable                               ? capitalised(why_not)
             : is_used(document, source.selection) ? measured
                                                   : "",
             usable, usable ? "The result by this library, for comparison" : capitalised(why_not));
    }
}

} // namespace

std::string fitting_chip_text(const std::string& text, float width, const std::string& longest) {
    const ScopedText style(TextStyle::secondary);
    const auto shorter = shorter_texts(text), room = shorter_texts(longest.empty() ? text : longest);
    for (std::size_t i = 0; i < shorter.size(); ++i)
        if (ImGui::CalcTextSize(room[i].c_str()).x <= width) return shorter[i];
    return shortened(shorter.back(), width);
}

float engine_chip_width(const Document& document, const std::string& measuring) {
    return std::max(width_of(measuring.empty() ? chip_text(document) : measuring),
                    width_of(longest_text(document, measuring))) +
           bench_button_width();
}

void draw_engine_chip(Document& document, const ActionTable& actions, const std::string& measuring,
                      const std::string& notice) {
    ImGui::SameLine();
    const float all = ImGui::GetContentRegionAvail().x;
    const bool has_button = all - bench_button_width() > look().px(kLeastChip);
    const float room = has_button ? all - bench_button_width() : all;
    const auto text = fitting_chip_text(measuring.empty() ? chip_text(document) : measuring,
                                        room - look().px(kChipPadding), longest_text(document, measuring));
    const bool yielded = document.result() && document.result()->refusal;
    const float width = std::max(
        width_of(text), std::min(engine_chip_width(document, measuring) - bench_button_width(), room));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, room - width));
    if (!measuring.empty()) {
        if (chip("measuring", text, Tone::plain, "A benchmark is running; edits pause it. Click to see it",
                 true, width))
            actions.run("bench");
        return;
    }
    if (chip("engine", text, yielded ? Tone::warning : Tone::plain,
             chip_text(document) + "\nEngine, algorithm and time of what is shown. Click for all algorithms" +
                 (notice.empty() ? "" : "\n" + notice),
             true, width))
        ImGui::OpenPopup("algorithms");
    const auto corner = ImGui::GetItemRectMax();
    if (has_button) {
        ImGui::SameLine();
        if (button("measure all", icon::kChart, {},
                   "To Bench, which verifies and times every algorithm on this image (Ctrl+M)"))
            actions.run("bench");
    }
    // Below the chip, right aligned with it.
    const float below = corner.y + look().px(4), least = look().px(100);
    ImGui::SetNextWindowPos({corner.x, below}, ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowSizeConstraints(
        {0, 0}, {FLT_MAX, std::max(ImGui::GetIO().DisplaySize.y - below - look().px(28), least)});
    if (ImGui::BeginPopup("algorithms")) {
        draw_choices(document, notice);
        ImGui::EndPopup();
    }
}

} // namespace kg::ui
