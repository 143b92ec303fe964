#include "app/ui/widgets/parts.hpp"
#include "app/ui/workspaces/bench_panels.hpp"
#include "core/reference/reference.hpp"

#include <algorithm>
#include <vector>

namespace kg::ui {

namespace {

constexpr float kMapHeight = 132;

/// The reference and the other timed algorithms of the row's engine.
std::vector<std::string> others_of(const measure::Standing& standing, const measure::ReportRow& row) {
    std::vector<std::string> all{std::string(kReferenceId)};
    for (const auto* other : standing.timed)
        if (other != &row && other->engine == row.engine && measure::algorithm_name(*other) != measure::kAuto)
            all.push_back(measure::algorithm_name(*other));
    return all;
}

/// The difference belongs to the image and the request that are shown.
bool is_of_screen(const Document& document, const ResultDifference& difference) {
    const auto& result = document.result();
    return result && &result->job.image->pixels == difference.of.image.get() &&
           result->request() == difference.of.request;
}

void draw_map(const ResultDifference& difference, Thumbnails& thumbnails, const BenchActions& actions) {
    note(difference_text(difference) + ".");
    if (difference.differing == 0) return;
    const auto corner = ImGui::GetCursorScreenPos();
    const ImVec2 size{ImGui::GetContentRegionAvail().x, look().px(kMapHeight)};
    if (ImGui::InvisibleButton("map", size, ImGuiButtonFlags_EnableNav))
        actions.show_pixel(difference.x, difference.y);
    help("Where the results differ: white is the largest difference. Click to see its pixel in Play");
    thumbnails.draw(difference.map, corner, size);
}

} // namespace

void BenchDifference::draw(const Document& document, const BenchReports& reports, const BenchState& state,
                           const BenchActions& actions) {
    thumbnails_.sweep();
    const auto* row = reports.row();
    if (!row || !row->times || measure::algorithm_name(*row) == measure::kAuto) return;
    const auto others = others_of(*reports.standing(), *row);
    if (std::ranges::find(others, with_) == others.end()) with_ = others.front();
    heading("Difference of results");
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    if (ImGui::BeginCombo("##with", ("With " + with_).c_str())) {
        for (const auto& other : others)
            if (ImGui::Selectable(other.c_str(), other == with_)) with_ = other;
        ImGui::EndCombo();
    }
    help("The result that this algorithm's result is compared with");
    ImGui::BeginDisabled(state.running());
    if (button("compare", icon::kDifference, "Compare results",
               "Compute this recipe on this image by both, and compare every value"))
        actions.compare(*row, with_);
    ImGui::EndDisabled();
    if (state.difference && is_of_screen(document, *state.difference))
        draw_map(*state.difference, thumbnails_, actions);
}

} // namespace kg::ui
