#include "app/panels/batch_panels.hpp"

#include "app/batch/session_text.hpp"
#include "app/panels/parts.hpp"

#include <algorithm>

namespace kg::ui {

namespace {

using batch::Finding;
using batch::FindingOrder;

struct Column {
    const char *title, *help;
    FindingOrder order;
};
constexpr Column kColumns[] = {
    {"What", "Sort by what it is", FindingOrder::kind},
    {"Picture", "Sort by name", FindingOrder::name},
    {"How much", "Sort by how far beyond the usual it is; of failures by the sentence", FindingOrder::text}};

Rgb ink_of(Finding::Kind kind) {
    const auto& theme = look().theme;
    switch (kind) {
    case Finding::Kind::failed: return theme.error;
    case Finding::Kind::damaged:
    case Finding::Kind::clipped: return theme.warn;
    case Finding::Kind::slow:
    case Finding::Kind::large: break;
    }
    return theme.text;
}

void draw_head_row() {
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (int i = 0; i < static_cast<int>(std::size(kColumns)); ++i) {
        ImGui::TableSetColumnIndex(i);
        ImGui::TableHeader(kColumns[i].title);
        help(kColumns[i].help);
    }
}

/// Of a sentence that begins with a file's name, what follows it: the row has the name already.
std::string reason(const std::string& sentence) {
    const auto name = sentence.find("\": ");
    return name == std::string::npos ? sentence : sentence.substr(name + 3);
}

void draw_row(const Finding& finding, const BatchActions& actions) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const float height = ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().CellPadding.y;
    constexpr auto kWhole = ImGuiSelectableFlags_SpanAllColumns;
    ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, {0, 0.5f});
    ImGui::PushStyleColor(ImGuiCol_Text, colour(ink_of(finding.kind)));
    const bool clicked = ImGui::Selectable(std::string(title(finding.kind)).c_str(), false, kWhole,
                                           {0, height});
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    if (clicked) actions.open(finding.input, finding.output);
    help(safe_name(finding.input) + "\n" + finding.text + "\nClick to open it in Play");
    const auto cell = [height](const std::string& text) {
        ImGui::TableNextColumn();
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() + (height - ImGui::GetTextLineHeight()) / 2);
        ImGui::TextUnformatted(shortened(text, ImGui::GetContentRegionAvail().x).c_str());
    };
    cell(safe_name(finding.input.filename()));
    cell(reason(finding.text));
}

} // namespace

/// The rows of the newest state, sorted as they are.
void BatchFindings::take(const batch::Session& session) {
    const auto work = session.work();
    if (work == of_) return;
    of_ = work;
    rows_ = work->findings;
    sort(rows_, order_, descending_);
}

void BatchFindings::draw(Document& document, const batch::Session& session, const BatchActions& actions) {
    take(session);
    heading("Failures and outliers");
    note(batch::findings_text(rows_, of_->usual));
    if (rows_.empty()) return;
    if (button("copy", icon::kCopy, "Copy list", "Copy all lines as text", -1)) {
        ImGui::SetClipboardText(batch::list_text(rows_).c_str());
        document.say(Message::Kind::info, "Copied the list of failures and outliers.");
    }
    constexpr auto kFlags = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY |
                            ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg;
    if (!ImGui::BeginTable("findings", static_cast<int>(std::size(kColumns)), kFlags)) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    // The first is as wide as its longest word and the sign of the order.
    const float word = ImGui::CalcTextSize("Damaged").x + look().px(4);
    constexpr float kShares[] = {0, 1, 1.2f};
    ImGui::TableSetupColumn(kColumns[0].title,
                            ImGuiTableColumnFlags_DefaultSort | ImGuiTableColumnFlags_WidthFixed, word);
    for (std::size_t i = 1; i < std::size(kColumns); ++i)
        ImGui::TableSetupColumn(kColumns[i].title, ImGuiTableColumnFlags_WidthStretch, kShares[i]);
    draw_head_row();
    if (auto* specs = ImGui::TableGetSortSpecs(); specs && specs->SpecsDirty && specs->SpecsCount > 0) {
        order_ = kColumns[specs->Specs->ColumnIndex].order;
        descending_ = specs->Specs->SortDirection == ImGuiSortDirection_Descending;
        sort(rows_, order_, descending_);
        specs->SpecsDirty = false;
    }
    ImGuiListClipper clipper; // there may be thousands
    clipper.Begin(static_cast<int>(rows_.size()));
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            ImGui::PushID(i);
            draw_row(rows_[static_cast<std::size_t>(i)], actions);
            ImGui::PopID();
        }
    ImGui::EndTable();
}

} // namespace kg::ui
