#include "app/ui/workspaces/batch_panels.hpp"

#include "app/batch/session/session_text.hpp"
#include "app/io/formats.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/quantity_text.hpp"
#include "filters/recipe_file.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace kg::ui {

namespace {

using batch::BatchSettings;
using batch::OnExists;

/// A combo box, for more than five choices or long ones. True when the selection changed.
bool combo(const char* id, const std::vector<std::string>& titles, std::size_t& selected,
           const char* tooltip) {
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    const bool open = ImGui::BeginCombo(id, titles[selected].c_str());
    if (!open) {
        help(tooltip);
        return false;
    }
    bool changed = false;
    for (std::size_t i = 0; i < titles.size(); ++i)
        if (ImGui::Selectable(titles[i].c_str(), i == selected) && i != selected)
            selected = i, changed = true;
    ImGui::EndCombo();
    return changed;
}

void draw_format(BatchSettings& settings) {
    std::vector<std::string> titles{"As the input"}, ids{""};
    for (const auto& format : written_formats()) {
        titles.emplace_back(format.title);
        ids.emplace_back(format.id);
    }
    auto chosen = static_cast<std::size_t>(std::ranges::find(ids, settings.format) - ids.begin());
    label("Format");
    if (combo("##format", titles, chosen, "The file format to write")) settings.format = ids[chosen];
    if (!settings.has_quality()) return;
    double quality = settings.quality;
    SliderSpec spec;
    spec.label = "Quality";
    spec.minimum = 1;
    spec.maximum = 100;
    spec.step = 1;
    spec.decimals = 0;
    spec.tooltip = "Quality of JPEG files, 1 to 100; other formats are lossless";
    const auto edit = slider("quality", spec, quality);
    if (edit.reset) settings.quality = BatchSettings::kDefaultQuality;
    else if (edit.changed) settings.quality = static_cast<int>(std::lround(quality));
}

void draw_exists(BatchSettings& settings) {
    const std::vector<std::string> titles{"Keep it and report as failed", "Skip", "Replace",
                                          "Rename, as photo-2.jpg"};
    auto chosen = static_cast<std::size_t>(settings.on_exists);
    ImGui::TextUnformatted("If it exists");
    if (combo("##exists", titles, chosen,
              "What to do where a file with an output's name exists that this job did not make"))
        settings.on_exists = static_cast<OnExists>(chosen);
}

void draw_inputs(batch::Session& session, BatchSettings& settings, const BatchActions& actions) {
    heading("Images");
    if (button("inputs", icon::kOpen, "Choose folder...",
               "The folder of the images to filter (Ctrl+O); or drop one onto the window", -1))
        actions.choose_inputs();
    if (settings.inputs.empty()) return note("Or drop a folder, or images, anywhere onto the window.");
    ImGui::TextUnformatted(shortened(batch::inputs_text(settings), ImGui::GetContentRegionAvail().x).c_str());
    help(safe_name(settings.inputs.front()));
    tick("recursive", "Subfolders", settings.recursive,
         "Include subfolders; the output folder gets the same tree");
    const auto scan = session.scan();
    if (scan->busy) return note("Scanning...");
    if (scan->images > 0) note(counted(scan->images, "image"));
}

/// The end of a path, which matters more than its beginning.
std::string end_of_path(const std::string& path, float room) {
    auto begin = path.find('/', 1);
    while (begin != std::string::npos && ImGui::CalcTextSize(("..." + path.substr(begin)).c_str()).x > room)
        begin = path.find('/', begin + 1);
    return begin == std::string::npos ? path : "..." + path.substr(begin);
}

void draw_recipe(const Recipe& recipe, const BatchActions& actions) {
    heading("Recipe");
    if (std::ranges::none_of(recipe.steps, &Step::enabled))
        notice(Tone::warning, "No steps: the images are only converted.");
    else paragraph(to_text(recipe));
    if (button("edit", nullptr, "Edit in Play", "Go to the workspace Play to edit the recipe (Ctrl+B)", -1))
        actions.edit_recipe();
}

} // namespace

void BatchSettingsPanel::draw_output(BatchSettings& settings, const BatchActions& actions) {
    heading("Output");
    if (out_of_ != settings.out) out_text_ = (out_of_ = settings.out).string();
    const float square = ImGui::GetFrameHeight();
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - square - ImGui::GetStyle().ItemSpacing.x);
    ImGui::InputTextWithHint("##out", "A folder to write into", &out_text_);
    if (ImGui::IsItemDeactivatedAfterEdit()) settings.out = out_of_ = out_text_;
    help("The folder to write into" +
         (settings.out.empty() ? std::string() : ": " + safe_name(settings.out)) +
         ". It is created if it does not exist; originals are never changed");
    ImGui::SameLine();
    if (button("out", icon::kOpen, {}, "Choose the folder to write into")) actions.choose_output();
    const float room = ImGui::GetContentRegionAvail().x;
    if (const auto path = safe_name(settings.out); ImGui::CalcTextSize(path.c_str()).x > room - 2 * square) {
        ScopedText style(TextStyle::secondary);
        ImGui::TextUnformatted(shortened(end_of_path(path, room), room).c_str());
        help(path);
    }
    draw_format(settings);
    draw_exists(settings);
}

void BatchSettingsPanel::draw(batch::Session& session, const BatchActions& actions) {
    const bool running = session.running();
    auto settings = running ? session.work()->settings : session.settings();
    if (running) note("Locked while the batch runs:");
    ImGui::BeginDisabled(running);
    draw_inputs(session, settings, actions);
    draw_recipe(settings.recipe, actions);
    draw_output(settings, actions);
    ImGui::EndDisabled();
    if (!running) session.choose(settings);
}

} // namespace kg::ui
