#include "app/ui/widgets/parts.hpp"
#include "app/ui/workspaces/bench_panels.hpp"
#include "measure/report/row_text.hpp"

#include <vector>

namespace kg::ui {

namespace {

void draw_engines(const Document& document, int& engines) {
    if (document.engines().size() < 2) return;
    std::vector<std::string> names{"All"};
    for (const auto& engine : document.engines()) names.push_back(engine->device().id);
    std::vector<const char*> choices;
    for (const auto& name : names) choices.push_back(name.c_str());
    heading("Engines");
    choice("engines", choices, engines, "The engines to measure");
}

/// A list of reports with "None" first where `place` may be empty. True when it changed.
bool report_combo(const char* id, const BenchReports& reports, std::optional<std::size_t>& place,
                  std::optional<std::size_t> without, const char* tooltip) {
    const auto name = [&](std::size_t i) {
        const auto& report = *reports.all()[i];
        return report.name + "##" + std::to_string(i);
    };
    const auto before = place;
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    if (ImGui::BeginCombo(id, place ? reports.all()[*place]->name.c_str() : "None")) {
        if (without && ImGui::Selectable("None", !place)) place.reset();
        for (std::size_t i = 0; i < reports.all().size(); ++i)
            if (without != i && ImGui::Selectable(name(i).c_str(), place == i)) place = i;
        ImGui::EndCombo();
    }
    help(tooltip);
    return place != before;
}

/// One of several requests: a kernel size of a sweep.
void draw_request(BenchReports& reports) {
    const auto& standings = reports.shown()->standings;
    if (standings.size() < 2) return;
    ImGui::TextUnformatted("Request");
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    const auto& chosen = reports.standing()->any();
    const auto text = [](const measure::ReportRow& row) {
        return row.filter + ", " + measure::kernel_text(row) + ", " + row.depth + " x " +
               std::to_string(row.channels);
    };
    if (ImGui::BeginCombo("##request", text(chosen).c_str())) {
        for (std::size_t i = 0; i < standings.size(); ++i)
            if (ImGui::Selectable((text(standings[i].any()) + "##" + std::to_string(i)).c_str(),
                                  reports.standing() == &standings[i]))
                reports.choose_request(i);
        ImGui::EndCombo();
    }
    help("The kernel size or request whose algorithms are listed");
}

void draw_comparison(const BenchReports& reports) {
    const auto* difference = reports.difference();
    if (!difference) return;
    for (const auto& text : difference->notes) note(text);
    if (difference->compared() == 0)
        notice(Tone::warning, "The two reports have no row in common: image size, depth, border and filter "
                              "must agree.");
}

} // namespace

void draw_bench_settings(const Document& document, BenchReports& reports, int& engines, bool stale,
                         const BenchActions& actions) {
    if (stale)
        notice(Tone::plain, "Recipe or image changed since this measurement. Measure again for new times.");
    space();
    draw_engines(document, engines);
    heading("Reports");
    if (button("open", icon::kOpen, "Open report...",
               "A report that `kernelglass bench` or Export wrote as JSON, also of another machine; or drop "
               "it here"))
        actions.open_report();
    if (!reports.shown()) {
        note("Reports of other machines can stand beside your own.");
        return;
    }
    draw_request(reports);
    if (reports.all().size() < 2) return;
    ImGui::TextUnformatted("Shown");
    auto shown = reports.shown_place();
    if (report_combo("##shown", reports, shown, {}, "The report whose rows are listed")) reports.show(*shown);
    ImGui::TextUnformatted("Beside it");
    auto beside = reports.beside_place();
    if (report_combo("##beside", reports, beside, reports.shown_place(),
                     "A report whose times stand in a column of their own"))
        reports.put_beside(beside);
    draw_comparison(reports);
}

} // namespace kg::ui
