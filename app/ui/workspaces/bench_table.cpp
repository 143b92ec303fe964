// The table of the Bench workspace. Own algorithms have a filled dot, those of other libraries a hollow
// diamond and the second text colour.

#include "app/ui/widgets/parts.hpp"
#include "app/ui/workspaces/bench_panels.hpp"
#include "core/support/capital.hpp"
#include "measure/report/row_text.hpp"
#include "measure/report/with_transfers.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <optional>
#include <string>

namespace kg::ui {

namespace {

using measure::ReportRow;
using measure::Standing;
using measure::Verdict;

float width_of(const char* longest, TextStyle style) {
    const ScopedText scope(style);
    return ImGui::CalcTextSize(longest).x + look().px(1);
}

/// Remarks stand in a column of their own where they fit into it, else below the row, in its whole width.
/// Where there is no room, the columns that the details repeat are left out: the names matter more.
struct Columns {
    bool interval = true, transfers = true, beside = false, remarks = false;
    int count() const { return 3 + interval + transfers + beside + remarks; }
};

struct Widths {
    float time = width_of("1000.0 ms", TextStyle::number),
          interval = width_of("(1000-1000)", TextStyle::number),
          all = width_of("With transfers", TextStyle::secondary),
          error = width_of("max 0.0000", TextStyle::number),
          beside = width_of("1000.0 ms 10.00x", TextStyle::number),
          remarks = width_of("Auto takes it, tie, holds conversions, 1000.0 ms without, 10 outliers",
                             TextStyle::secondary);
};

float name_width() { return width_of("opencv:GaussianBlur", TextStyle::body) + look().px(40); }

Columns columns_for(const Widths& widths, float room, bool beside) {
    const float name = name_width(), least = name + widths.time + widths.error + (beside ? widths.beside : 0);
    Columns columns{.beside = beside};
    columns.interval = least + widths.interval <= room;
    columns.transfers = columns.interval && least + widths.interval + widths.all <= room;
    columns.remarks = !beside && columns.transfers &&
                      least - name + widths.interval + widths.all + 2 * std::max(name, widths.remarks) <=
                          room;
    return columns;
}

/// Without remarks of their own, the reasons of rows without a time have half of the room that is left.
void share_room(Widths& widths, const Columns& columns, float room) {
    if (columns.remarks || columns.beside) return;
    const float used = name_width() + widths.time + widths.error + (columns.interval ? widths.interval : 0) +
                       (columns.transfers ? widths.all : 0);
    widths.error += std::max((room - used) / 2 - look().px(20), 0.0f); // the columns have margins
}

/// "0 differ", or the largest error in units of the result.
std::string error_text(const ReportRow& row) {
    if (row.checked == 0) return "";
    return row.differing == 0 ? "0 differ" : "max " + compact_number(row.max_error, 6);
}

/// The algorithm computed the image that is shown.
bool is_shown(const Document& document, const ReportRow& row) {
    const auto& result = document.result();
    return result && result->job.choice.engine->device().id == row.engine &&
           result->algorithm == row.algorithm;
}

std::string tooltip_of(const Standing& standing, const ReportRow& row) {
    auto text = standing.label(row) + (row.peer.empty() ? "" : ", of another library");
    if (!row.times) return text + ": " + measure::state_text(row) + ". " + capitalised(row.reason);
    text += ": " + measure::time_text(row.times->run).text();
    if (const auto differ = measure::difference_text(row.differing, row.checked, measure::samples_of(row));
        !differ.empty())
        text += "\n" + differ + "; largest error " + compact_number(row.max_error, 8) + " of " +
                compact_number(row.error_bound, 8) + " allowed";
    if (const auto all = measure::remarks(row, standing.ties(row)); !all.empty())
        text += "\n" + measure::joined(all, ", ");
    return text + "\nClick to compute the image by it";
}

void draw_mark(const ReportRow& row, ImVec2 corner, float height, Rgb ink) {
    auto* draw = ImGui::GetWindowDrawList();
    const ImVec2 middle{corner.x + look().px(6), corner.y + height / 2};
    const float size = look().px(4);
    if (row.peer.empty()) draw->AddCircleFilled(middle, size, colour_u32(ink));
    else
        draw->AddQuad({middle.x, middle.y - size}, {middle.x + size, middle.y}, {middle.x, middle.y + size},
                      {middle.x - size, middle.y}, colour_u32(ink), look().px(1.5f));
}

/// Right aligned in the type of numbers, in this colour.
void coloured_number(const std::string& text, Rgb ink) {
    ImGui::TableNextColumn();
    ImGui::PushStyleColor(ImGuiCol_Text, colour(ink));
    ImGui::AlignTextToFramePadding();
    number_cell(text);
    ImGui::PopStyleColor();
}

float line_height(TextStyle style) {
    const ScopedText scope(style);
    return ImGui::GetTextLineHeight();
}

/// Of a row that has a time. Where remarks stand below, each has room for them: a remark moves nothing.
float timed_height(const Columns& columns) {
    return ImGui::GetFrameHeight() + (columns.remarks ? 0 : line_height(TextStyle::secondary));
}

/// Text across the columns, from `left` to `right`.
void draw_over_columns(const std::string& text, ImVec2 left, float right, Rgb ink) {
    const ScopedText style(TextStyle::secondary);
    ImGui::TablePushBackgroundChannel();
    ImGui::GetWindowDrawList()->AddText(left, colour_u32(ink), shortened(text, right - left.x).c_str());
    ImGui::TablePopBackgroundChannel();
}

/// The right end of a row's text.
float end_of_row() { return ImGui::GetCurrentTable()->InnerClipRect.Max.x - look().px(4); }

/// The first cell, which is the whole row's button. True when it is clicked.
bool draw_name(const Standing& standing, const ReportRow& row, bool chosen, bool shown, Rgb ink,
               float row_height) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const auto corner = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetFrameHeight();
    const bool clicked = ImGui::Selectable(("##" + row.engine + " " + measure::algorithm_name(row)).c_str(),
                                           chosen, ImGuiSelectableFlags_SpanAllColumns, {0, row_height});
    help(tooltip_of(standing, row));
    draw_mark(row, corner, height, ink);
    const float left = corner.x + look().px(18);
    const float room = ImGui::GetContentRegionAvail().x - look().px(18) - (shown ? look().px(20) : 0);
    const float y = corner.y + (height - ImGui::GetTextLineHeight()) / 2;
    auto* draw = ImGui::GetWindowDrawList();
    const auto name = shortened(standing.label(row), room);
    draw->AddText({left, y}, colour_u32(ink), name.c_str());
    if (shown)
        draw->AddText({left + ImGui::CalcTextSize(name.c_str()).x + look().px(6), y},
                      colour_u32(look().theme.accent), icon::kEye);
    return clicked;
}

/// Text from the next cell to the column `before`, else to the end of the row.
void draw_across(const std::string& text, Rgb ink, std::optional<int> before = {}) {
    ImGui::TableNextColumn();
    const auto at = ImGui::GetCursorScreenPos();
    const float right = before ? ImGui::TableGetCellBgRect(ImGui::GetCurrentTable(), *before).Min.x -
                                     look().px(4)
                               : end_of_row();
    const float y = at.y + (ImGui::GetFrameHeight() - line_height(TextStyle::secondary)) / 2;
    draw_over_columns(text, {at.x, y}, right, ink);
}

void draw_beside(const BenchReports& reports, const ReportRow& row) {
    const auto other = reports.beside(row);
    if (!other) return coloured_number("", look().theme.second);
    const auto& theme = look().theme;
    const auto ink = other->order == measure::Order::faster   ? theme.ok
                     : other->order == measure::Order::slower ? theme.warn
                                                              : theme.second;
    coloured_number(measure::time_text(other->us).median + " " +
                        (other->ratio > 0 ? measure::ratio_text(other->ratio) : ""),
                    ink);
    help("The time of the report beside, and the time shown divided by it; green is faster here, amber "
         "slower");
}

bool draw_timed(const Document& document, const BenchReports& reports, const Standing& standing,
                const ReportRow& row, const Columns& columns) {
    const auto& theme = look().theme;
    const auto ink = row.peer.empty() ? theme.text : theme.second;
    const bool clicked = draw_name(standing, row, reports.row() == &row, is_shown(document, row), ink,
                                   timed_height(columns));
    const auto remarks = capitalised(measure::joined(measure::remarks(row, standing.ties(row)), ", "));
    const auto ink_of_remarks = measure::is_doubtful(row) ? theme.warn : theme.second;
    if (!columns.remarks) {
        const auto below = ImGui::GetCursorScreenPos();
        draw_over_columns(
            remarks, {below.x + look().px(18), below.y - line_height(TextStyle::secondary) - look().px(4)},
            end_of_row(), ink_of_remarks);
    }
    const auto time = measure::time_text(row.times->run);
    coloured_number(time.median, standing.leads(row) ? theme.ok : ink);
    if (columns.interval) coloured_number(time.interval, theme.second);
    if (columns.transfers)
        coloured_number(measure::time_text(measure::with_transfers(*row.times)).median, ink);
    coloured_number(error_text(row), theme.second);
    if (columns.beside) draw_beside(reports, row);
    if (columns.remarks) draw_across(remarks, ink_of_remarks);
    return clicked;
}

bool draw_untimed(const Standing& standing, const ReportRow& row, const BenchReports& reports) {
    const auto& theme = look().theme;
    const bool bad = row.verdict == Verdict::wrong || row.verdict == Verdict::failed;
    const bool clicked = draw_name(standing, row, reports.row() == &row, false,
                                   bad ? theme.error : theme.disabled, ImGui::GetFrameHeight());
    coloured_number(measure::state_text(row), bad ? theme.error : theme.disabled);
    draw_across(capitalised(row.reason), bad ? theme.text : theme.second);
    return clicked;
}

float head_height() { return line_height(TextStyle::secondary) + look().px(4); }

void set_up_columns(const Columns& columns, const Widths& widths) {
    constexpr auto kFixed = ImGuiTableColumnFlags_WidthFixed;
    ImGui::TableSetupColumn("Algorithm", ImGuiTableColumnFlags_WidthStretch, 1);
    ImGui::TableSetupColumn("Time", kFixed, widths.time);
    if (columns.interval) ImGui::TableSetupColumn("95 % CI", kFixed, widths.interval);
    if (columns.transfers) ImGui::TableSetupColumn("Transfers", kFixed, widths.all);
    ImGui::TableSetupColumn("Error", kFixed, widths.error);
    if (columns.beside) ImGui::TableSetupColumn("Beside", kFixed, widths.beside);
    if (columns.remarks) ImGui::TableSetupColumn("Remarks", ImGuiTableColumnFlags_WidthStretch, 1);
}

void draw_head_row(const BenchReports& reports, const Columns& columns) {
    const ScopedText style(TextStyle::secondary);
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers, head_height());
    const auto cell = [](const std::string& title, const char* tooltip, bool right) {
        ImGui::TableNextColumn();
        const float room = ImGui::GetContentRegionAvail().x;
        const auto text = shortened(title, room);
        if (right) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room - ImGui::CalcTextSize(text.c_str()).x);
        ImGui::TextUnformatted(text.c_str());
        help(tooltip);
    };
    cell("Algorithm",
         "Filled dots are Kernelglass's own algorithms, hollow diamonds those of other libraries", false);
    cell("Time", "The median of a run, without transfers; the fastest and its ties are green", true);
    if (columns.interval)
        cell("95 % CI", "This interval holds the true median with a confidence of 95 %", true);
    if (columns.transfers) cell("With transfers", "The median of a run with upload and download", true);
    cell("Error",
         "Compared with the float64 reference: no value differs after rounding, or the largest error", true);
    if (columns.beside)
        cell(reports.beside()->name, "The report beside, and the time shown divided by its time", true);
    if (columns.remarks)
        cell("Remarks", "What auto chooses, ties, conversions, doubts; or why there is no time", false);
}

/// Rows of the report beside for which the report shown has none, such as those of another engine.
void draw_only_beside(const BenchReports& reports, const Columns& columns) {
    const auto& theme = look().theme;
    for (const auto* row : reports.only_beside()) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        const auto corner = ImGui::GetCursorScreenPos();
        draw_mark(*row, corner, ImGui::GetFrameHeight(), theme.disabled);
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + look().px(18));
        ImGui::AlignTextToFramePadding();
        const auto label = measure::algorithm_name(*row) + " on " + row->engine;
        ImGui::TextColored(colour(theme.second), "%s",
                           shortened(label, ImGui::GetContentRegionAvail().x).c_str());
        const int last = columns.count() - 1;
        draw_across("only in " + reports.beside()->name, theme.second, last);
        ImGui::TableSetColumnIndex(last - 1);
        coloured_number(measure::time_text(row->times->run).median + "      ", theme.second);
    }
}

} // namespace

void draw_bench_table(const Document& document, const BenchReports& reports, const BenchActions& actions,
                      float height) {
    const auto* standing = reports.standing();
    if (!standing) {
        note("No measurement yet.");
        return;
    }
    Widths widths;
    const float room = ImGui::GetContentRegionAvail().x;
    const auto columns = columns_for(widths, room, reports.beside() != nullptr);
    share_room(widths, columns, room);
    const auto low_rows = standing->untimed.size() + reports.only_beside().size();
    const float body = height - head_height();
    const bool fits = static_cast<float>(standing->timed.size()) * timed_height(columns) +
                          static_cast<float>(low_rows) * ImGui::GetFrameHeight() <=
                      body;
    const float width = ImGui::GetContentRegionAvail().x - (fits ? 0 : ImGui::GetStyle().ScrollbarSize);
    // Head and rows are instances of one table, so that their columns agree. The rows scroll in a child
    // window of their own, because Tab would not reach those of a table that scrolls.
    const auto id = ImGui::GetID("rows");
    const auto begin = [&] {
        ImGui::PushOverrideID(id);
        const bool open = ImGui::BeginTable("rows", columns.count(),
                                            ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_PadOuterX,
                                            {width, 0});
        if (open) set_up_columns(columns, widths);
        return open;
    };
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {look().px(4), 0});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ImGui::GetStyle().ItemSpacing.x, 0}); // rows adjoin
    if (begin()) {
        draw_head_row(reports, columns);
        ImGui::EndTable();
    }
    ImGui::PopID();
    const ReportRow* clicked = nullptr;
    ImGui::BeginChild("body", {0, body}, ImGuiChildFlags_NavFlattened);
    if (begin()) {
        for (const auto* row : standing->timed)
            if (draw_timed(document, reports, *standing, *row, columns)) clicked = row;
        for (const auto* row : standing->untimed)
            if (draw_untimed(*standing, *row, reports)) clicked = row;
        draw_only_beside(reports, columns);
        ImGui::EndTable();
    }
    ImGui::PopID();
    ImGui::EndChild();
    ImGui::PopStyleVar(2);
    if (clicked) actions.choose(*clicked);
}

} // namespace kg::ui
