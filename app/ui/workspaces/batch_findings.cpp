#include "app/ui/workspaces/batch_panels.hpp"

#include "app/batch/session/session_text.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/capital.hpp"
#include "core/support/quantity_text.hpp"

#include <imgui_internal.h>

#include <string>

namespace kg::ui {

namespace {

using batch::Finding;
using batch::FindingOrder;

struct Column {
    const char *title, *help;
    FindingOrder order;
};
constexpr Column kColumns[] = {
    {"Kind", "Sort by kind", FindingOrder::kind},
    {"Image", "Sort by name", FindingOrder::name},
    {"Amount", "Sort by the distance from the usual value; failures by their message", FindingOrder::text}};

Rgb ink_of(Finding::Kind kind) {
    const auto& theme = look().theme;
    switch (kind) {
    case Finding::Kind::failed: return theme.error;
    case Finding::Kind::damaged:
    case Finding::Kind::not_finite:
    case Finding::Kind::clipped: return theme.warn;
    case Finding::Kind::slow:
    case Finding::Kind::large:
    case Finding::Kind::done: break;
    }
    return theme.text;
}

/// It has no result to compare with.
bool is_opened(const Finding& finding) {
    return finding.kind == Finding::Kind::failed || finding.output.empty();
}

/// Height including the gap between two rows.
float finding_height() { return 2 * ImGui::GetFrameHeight() - look().px(8); }

void draw_head_row() {
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (int i = 0; i < static_cast<int>(std::size(kColumns)); ++i) {
        ImGui::TableSetColumnIndex(i);
        ImGui::TableHeader(kColumns[i].title);
        help(kColumns[i].help);
    }
}

/// Two lines, because the column is narrow: the image, and below it the reason. True when clicked.
bool draw_row(const Finding& finding) {
    const auto& theme = look().theme;
    const auto& style = ImGui::GetStyle();
    const float line = ImGui::GetTextLineHeight(), pad = look().px(3);
    const float height = finding_height() - 2 * style.CellPadding.y;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const auto at = ImGui::GetCursorScreenPos();
    ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, {0, pad / (height - line)});
    ImGui::PushStyleColor(ImGuiCol_Text, colour(ink_of(finding.kind)));
    const bool clicked = ImGui::Selectable(std::string(title(finding.kind)).c_str(), false,
                                           ImGuiSelectableFlags_SpanAllColumns, {0, height});
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    help(safe_name(finding.input) + "\n" + capitalised(finding.text) +
         (is_opened(finding) ? "\nClick to open it in Play" : "\nClick to compare before and after in Play"));
    ImGui::TableNextColumn();
    const float name = ImGui::GetCursorScreenPos().x;
    ImGui::TablePushBackgroundChannel(); // the text spans the columns
    const float right = ImGui::GetCurrentTable()->InnerClipRect.Max.x - look().px(2);
    auto* draw = ImGui::GetWindowDrawList();
    draw->AddText({name, at.y + pad}, colour_u32(theme.text),
                  shortened(safe_name(finding.input.filename()), right - name).c_str());
    {
        ScopedText secondary(TextStyle::secondary);
        draw->AddText({at.x, at.y + pad + line + look().px(2)}, colour_u32(theme.second),
                      shortened(capitalised(reason(finding)), right - at.x).c_str());
    }
    ImGui::TablePopBackgroundChannel();
    return clicked;
}

} // namespace

const std::vector<Finding>& BatchFindings::findings() const {
    if (is_of_scan()) return found_;
    return all_ ? *of_->done : of_->findings;
}

/// No batch of these inputs has begun: the findings are those of the scan.
bool BatchFindings::is_of_scan() const { return of_->state == batch::BatchProgress::State::none; }

void BatchFindings::sort() { rows_ = sorted(findings(), order_, descending_); }

/// Takes the rows of the newest state. Findings of another folder's batch do not apply to the current choice.
void BatchFindings::take(const batch::Session& session) {
    static const auto kNoWork = std::make_shared<const batch::BatchProgress>();
    auto work = session.work();
    if (work->settings.inputs != session.settings().inputs || work->settings.out != session.settings().out)
        work = kNoWork;
    const auto scan = session.scan();
    if (work == of_ && (scan == scan_ || !is_of_scan())) return;
    of_ = work;
    scan_ = scan;
    all_ = all_ && of_->done;
    if (is_of_scan()) {
        found_ = findings_of(*scan);
        text_ = found_.empty() ? batch::findings_text({}, {})
                               : "Found while reading the inputs. Click one to open it in Play.";
    } else {
        text_ = batch::findings_text(of_->findings, of_->usual);
    }
    sort();
}

void BatchFindings::draw(Document& document, const batch::Session& session, const BatchActions& actions) {
    take(session);
    const bool counts = is_of_scan() && !found_.empty();
    heading(counts ? counted(found_.size(), "input") + (found_.size() == 1 ? " has" : " have") + " a problem"
                   : std::string("Failures and outliers"));
    if (of_->done && !of_->done->empty()) {
        const std::string some = "Outliers", done = "Done " + std::to_string(of_->done->size()) + "###done";
        const char* const choices[] = {some.c_str(), done.c_str()};
        int chosen = all_ ? 1 : 0;
        if (choice("which", choices, chosen, "Failures and outliers, or all finished images")) {
            all_ = chosen == 1;
            sort();
        }
    }
    note(all_ ? "Click one to compare before and after." : text_);
    if (rows_.empty()) return;
    if (button("copy", icon::kCopy, "Copy list", "Copy all lines as text", -1)) {
        ImGui::SetClipboardText(batch::list_text(findings(), rows_).c_str());
        document.report(Message::Kind::info, "Copied the list of " + counted(rows_.size(), "image") + ".");
    }
    draw_table(actions);
}

void BatchFindings::draw_table(const BatchActions& actions) {
    constexpr auto kFlags = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY |
                            ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg;
    if (!ImGui::BeginTable("findings", static_cast<int>(std::size(kColumns)), kFlags)) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    // The first column fits its longest title and the sort arrow.
    const float word = ImGui::CalcTextSize("Not finite").x + look().px(4);
    constexpr float kShares[] = {0, 1, 1.2f};
    ImGui::TableSetupColumn(kColumns[0].title,
                            ImGuiTableColumnFlags_DefaultSort | ImGuiTableColumnFlags_WidthFixed, word);
    for (std::size_t i = 1; i < std::size(kColumns); ++i)
        ImGui::TableSetupColumn(kColumns[i].title, ImGuiTableColumnFlags_WidthStretch, kShares[i]);
    draw_head_row();
    if (auto* specs = ImGui::TableGetSortSpecs(); specs && specs->SpecsDirty && specs->SpecsCount > 0) {
        order_ = kColumns[specs->Specs->ColumnIndex].order;
        descending_ = specs->Specs->SortDirection == ImGuiSortDirection_Descending;
        sort();
        specs->SpecsDirty = false;
    }
    ImGuiListClipper clipper; // there may be thousands of rows
    clipper.Begin(static_cast<int>(rows_.size()), finding_height());
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            ImGui::PushID(i);
            const auto& finding = findings()[rows_[static_cast<std::size_t>(i)]];
            if (draw_row(finding)) {
                if (is_opened(finding)) actions.open(finding.input);
                else actions.compare(finding.input, finding.output, of_->settings.recipe);
            }
            ImGui::PopID();
        }
    ImGui::EndTable();
}

} // namespace kg::ui
