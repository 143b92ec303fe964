#include "app/panels/bars.hpp"

#include "app/panels/parts.hpp"

#include <cmath>
#include <cstdio>

namespace kg::ui {

namespace {

std::string time_text(double us) {
    char text[24];
    if (!std::isfinite(us)) return "slow";
    if (us < 1000) std::snprintf(text, sizeof text, "%.0f us", us);
    else if (us < 1e6) std::snprintf(text, sizeof text, "%.2f ms", us / 1000);
    else std::snprintf(text, sizeof text, "%.1f s", us / 1e6);
    return text;
}

std::string upper(std::string text) {
    for (auto& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

std::string chip_text(const Document& document) {
    const auto& result = document.result();
    if (!result) return "Starting";
    auto algorithm = result->algorithm; // conversions around it are in the list, not on the chip
    for (const std::string_view conversion : {"convert > ", " > convert"})
        for (auto at = algorithm.find(conversion); at != std::string::npos; at = algorithm.find(conversion)) algorithm.erase(at, conversion.size());
    return upper(result->job.engine->device().id) + " \xC2\xB7 " + algorithm + " \xC2\xB7 " + time_text(result->filter_us);
}

void draw_choices(Document& document) {
    const auto& result = document.result();
    if (result) {
        heading("How it is computed");
        note(result->notice.empty() ? result->reason : result->notice);
        space();
    }
    const float width = look().px(360);
    const auto line = [&](const char* id, const Way& way, const std::string& title, const std::string& remark, bool usable, const std::string& why) {
        const auto at = ImGui::GetCursorScreenPos();
        const ImVec2 size{width, ImGui::GetFrameHeight()};
        ImGui::BeginDisabled(!usable);
        const bool pressed = row(id, size, document.way() == way);
        ImGui::EndDisabled();
        help(why.c_str());
        row_text(at, size, title, remark, usable);
        if (pressed) {
            document.choose(way);
            ImGui::CloseCurrentPopup();
        }
    };
    line("auto", {}, "Auto", "cheapest that fits", true, "Let the program choose by predicted time");
    for (const auto& choice : document.choices()) {
        const auto id = choice.way.engine + " " + choice.way.algorithm;
        const bool usable = choice.why_not.empty();
        line(id.c_str(), choice.way, upper(choice.way.engine) + ", " + choice.title, usable ? "about " + time_text(choice.microseconds) : choice.why_not, usable,
             usable ? "Always compute this way" : choice.why_not);
    }
}

} // namespace

void draw_engine_chip(Document& document) {
    const auto text = chip_text(document);
    const bool yielded = document.result() && !document.result()->notice.empty();
    const float theme_button = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.x;
    float width = look().px(20); // the chip's own padding
    {
        const ScopedText style(TextStyle::secondary);
        width += ImGui::CalcTextSize(text.c_str()).x;
    }
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - width - theme_button);
    if (chip("engine", text, yielded ? Tone::warning : Tone::plain, "Engine, algorithm and time of what is shown. Click for all ways", true))
        ImGui::OpenPopup("ways");
    if (ImGui::BeginPopup("ways")) {
        draw_choices(document);
        ImGui::EndPopup();
    }
}

} // namespace kg::ui
