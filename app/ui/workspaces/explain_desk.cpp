#include "app/ui/workspaces/explain_desk.hpp"

#include "app/ui/widgets/parts.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <filesystem>
#include <utility>

namespace kg::ui {

namespace {

constexpr float kWider = 72; ///< a column's width beyond that of Play
constexpr std::array<const char*, kLessonPanels.size()> kPanels{"Pixel", "Kernel", "Timing"};
/// Ids of the panels below the text.
constexpr std::array<std::string_view, 3> kControls{"recipe", "border", "kernel_grid"};
constexpr std::array<std::pair<std::string_view, ViewState::Mode>, 4> kModes{{
    {"result", ViewState::Mode::result},
    {"split", ViewState::Mode::split},
    {"side", ViewState::Mode::side},
    {"difference", ViewState::Mode::difference},
}};

/// A lesson's file; the message about a missing one has the lessons of the program.
Lesson read_own_lesson(const std::string& asked) {
    std::error_code ignored;
    if (std::filesystem::exists(asked, ignored)) return read_lesson(asked);
    std::vector<std::string_view> ids;
    for (const auto& lesson : lessons()) ids.push_back(lesson.id);
    throw Error("unknown-lesson", "there is no lesson {}{} It is a Markdown file, or one of {}",
                in_quotes(asked), suggestion(asked, ids), listed(ids));
}

/// Those of the program, and before them the one that was asked for, if it is a file.
std::vector<Lesson> all_lessons(const std::string& asked) {
    std::vector<Lesson> all;
    const auto own = std::ranges::find(lessons(), asked, &Lesson::id) == lessons().end();
    if (!asked.empty() && own) all.push_back(read_own_lesson(asked));
    all.insert(all.end(), lessons().begin(), lessons().end());
    return all;
}

void draw_block(const LessonBlock& block) {
    switch (block.kind) {
    case LessonBlock::Kind::paragraph: paragraph(block.text); break;
    case LessonBlock::Kind::item:
        ImGui::Bullet();
        ImGui::SameLine();
        paragraph(block.text);
        return; // items of a list stay together
    case LessonBlock::Kind::note: notice(Tone::plain, block.text); break;
    case LessonBlock::Kind::drawing: {
        const ScopedText style(TextStyle::number);
        ImGui::TextUnformatted(block.text.c_str());
        break;
    }
    }
    space();
}

} // namespace

ExplainDesk::ExplainDesk(Document& document, ViewPanel& view, const std::string& lesson)
    : document_(document), view_(view), all_(all_lessons(lesson)) {
    const auto asked = std::ranges::find(all_, lesson, &Lesson::id);
    if (asked != all_.end()) lesson_ = static_cast<std::size_t>(asked - all_.begin());
}

void ExplainDesk::enter() {
    if (before_) return;
    before_ = Before{{}, document_.film_place(), document_.image(), document_.title(), document_.view};
    for (const auto& image : document_.film()) before_->paths.push_back(image.path);
    document_.set_aside();
    set_up();
}

void ExplainDesk::leave() {
    if (!before_) return;
    const auto before = *std::exchange(before_, std::nullopt);
    image_.reset();
    view_.show_figure({});
    if (!before.paths.empty()) {
        document_.open(before.paths);
        document_.show(before.place);
    } else if (before.image) {
        document_.open_unsaved(before.image, before.title);
    }
    document_.bring_back();
    document_.view = before.view;
    view_.unpin();
    view_.fit();
}

void ExplainDesk::go_to(std::size_t lesson, std::size_t page) {
    lesson_ = std::min(lesson, all_.size() - 1);
    page_ = std::min(page, all_[lesson_].pages.size() - 1);
    turned_ = true;
    if (before_) set_up();
}

/// Image, recipe, pixel, view and panel as the current page wants them, whatever was changed since.
void ExplainDesk::set_up() {
    const auto& pages = lesson().pages;
    for (std::size_t i = 0; i <= page_; ++i) {
        const auto& page = pages[i];
        if (!page.panel.empty()) panel_ = page.panel;
        for (const auto& [word, mode] : kModes)
            if (page.view == word) document_.view.mode = mode;
    }
    try {
        image_ = std::make_shared<const LoadedImage>(LoadedImage{image_of(lesson(), page_), {}});
        document_.open_unsaved(image_, "Lesson: " + lesson().title);
    } catch (const Error& error) {
        document_.report(error);
    }
    document_.start_over(recipe_of(lesson(), page_)); // undo concerns what is tried on this page
    document_.view.original_stays = false;
    promises_ = pages[page_].expect.has_value();
    view_.show_figure(pages[page_].figure);
    view_.fit();
    view_.unpin();
}

/// Not before: the pixel need not exist in the image that is still shown.
void ExplainDesk::follow() {
    check_promise();
    const auto& result = document_.result();
    if (!image_ || !result || result->job.image != image_) return;
    image_.reset();
    if (const auto pin = pin_of(lesson(), page_)) view_.pin(*pin);
}

/// The result's value at the pixel, once it is read, against the page's `expect`; not after an edit.
void ExplainDesk::check_promise() {
    if (!promises_ || image_) return;
    const auto& page = lesson().pages[page_];
    const auto pin = pin_of(lesson(), page_);
    const auto& reading = document_.reading();
    if (!page.expect || !pin || document_.recipe() != recipe_of(lesson(), page_)) {
        promises_ = false;
        return;
    }
    if (document_.filtering() || !reading || reading->after.empty() ||
        std::pair(reading->x, reading->y) != *pin)
        return;
    promises_ = false;
    if (const double found = reading->after.front(); found != *page.expect)
        document_.report(Message::Kind::warning,
                         Error("broken-promise",
                               "{}, page \"{}\": the result at {},{} is {}, not {}, which `expect` promises "
                               "in line {}",
                               lesson().title, page.title, pin->first, pin->second, short_number(found, 7),
                               short_number(*page.expect, 7), page.lines.expect));
}

LayoutRects ExplainDesk::layout(LayoutRects window) const {
    const float wider = window.right_overlays ? 0 : look().px(kWider);
    window.left.width += wider;
    for (auto* box : {&window.view_bar, &window.image, &window.film}) {
        box->x += wider;
        box->width = std::max(box->width - 2 * wider, 0.0f);
    }
    window.right.x -= wider;
    window.right.width += wider;
    return window;
}

void ExplainDesk::draw_choice(const std::function<void()>& present) {
    const char* const kPresent = "Present";
    const float taken = ImGui::CalcTextSize((std::string(icon::kExpand) + "  " + kPresent).c_str()).x +
                        2 * ImGui::GetStyle().FramePadding.x + ImGui::GetStyle().ItemSpacing.x;
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - taken);
    if (ImGui::BeginCombo("##lesson", lesson().title.c_str(), ImGuiComboFlags_HeightLarge)) {
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (ImGui::Selectable(all_[i].title.c_str(), i == lesson_)) go_to(i, 0);
        ImGui::EndCombo();
    }
    help("Choose a lesson");
    ImGui::SameLine();
    if (button("present", icon::kExpand, kPresent, "Image and panel alone, and larger; Escape ends it (F11)"))
        present();
}

void ExplainDesk::draw_steps() {
    ImGui::BeginDisabled(!can_turn(-1));
    if (button("previous", nullptr, "Back", "The page before (Page Up)")) turn(-1);
    ImGui::EndDisabled();
    ImGui::SameLine();
    const bool last = page_ + 1 == lesson().pages.size();
    ImGui::BeginDisabled(!can_turn(1));
    if (primary_button("next", nullptr, last ? "Next lesson" : "Next", "The next page (Page Down)")) turn(1);
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (button("again", icon::kRefresh, {}, "Image, recipe and pixel as the page begins")) set_up();
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    note(std::to_string(page_ + 1) + " of " + std::to_string(lesson().pages.size()));
}

/// As high as its text, and at most `most`; then it scrolls.
void ExplainDesk::draw_page(float most) {
    ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, most});
    ImGui::BeginChild("page", {0, 0}, ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_NavFlattened);
    if (std::exchange(turned_, false)) ImGui::SetScrollY(0);
    for (const auto& block : lesson().pages[page_].blocks) draw_block(block);
    if (lesson().pages[page_].figure && !view_.pinned())
        note("Mark a pixel by a click: what is read for it is counted here.");
    if (const auto figure = view_.figure(document_)) {
        heading("At the marked pixel");
        for (const auto& line : figure->text) paragraph(line);
        note(figure->reads.empty() ? "Mark another pixel by a click."
                                   : "Mark another pixel by a click, or change the kernel.");
    }
    ImGui::EndChild();
}

void ExplainDesk::draw_controls(std::span<const std::unique_ptr<Panel>> panels, float below) {
    const Scroller scroller("controls", below);
    for (const auto& panel : panels) {
        if (std::ranges::find(kControls, panel->id()) == kControls.end()) continue;
        ImGui::PushID(panel->id().data());
        panel->draw(document_);
        ImGui::PopID();
        space();
    }
}

void ExplainDesk::draw_lesson(std::span<const std::unique_ptr<Panel>> panels,
                              const std::function<void()>& present) {
    // Of what page and controls share; what is counted at a marked pixel belongs to the text.
    const float most = lesson().pages[page_].figure ? 0.72f : 0.6f;
    draw_choice(present);
    if (page_ == 0) note(lesson().summary);
    heading(lesson().pages[page_].title);
    const float padding = ImGui::GetStyle().WindowPadding.y,
                steps = ImGui::GetFrameHeightWithSpacing() + look().px(8),
                room = ImGui::GetContentRegionAvail().y - steps;
    draw_page(std::max(most * room, look().px(120)));
    draw_controls(panels, padding + steps);
    draw_steps();
}

void ExplainDesk::draw_caption() {
    draw_steps();
    ImGui::SameLine(0, look().px(16));
    ImGui::AlignTextToFramePadding();
    const auto text = shortened(lesson().pages[page_].title, ImGui::GetContentRegionAvail().x);
    ImGui::TextUnformatted(text.c_str());
}

float ExplainDesk::panel_width(float window) const {
    constexpr float kPanel = 360, kMostShare = 0.5f;
    return std::min(look().px(kPanel), kMostShare * window);
}

void ExplainDesk::draw_panel(std::span<const std::unique_ptr<Panel>> panels) {
    auto chosen = static_cast<int>(std::ranges::find(kLessonPanels, panel_) - kLessonPanels.begin());
    if (choice("panel", kPanels, chosen, "What to see of the image and its recipe"))
        panel_ = kLessonPanels[static_cast<std::size_t>(chosen)];
    space();
    for (const auto& panel : panels)
        if (panel->id() == panel_) panel->draw(document_);
}

std::optional<std::pair<std::size_t, std::size_t>> ExplainDesk::page_after(int by) const {
    if (by > 0) {
        if (page_ + 1 < lesson().pages.size()) return {{lesson_, page_ + 1}};
        if (lesson_ + 1 < all_.size()) return {{lesson_ + 1, 0}};
    } else {
        if (page_ > 0) return {{lesson_, page_ - 1}};
        if (lesson_ > 0) return {{lesson_ - 1, all_[lesson_ - 1].pages.size() - 1}};
    }
    return {};
}

void ExplainDesk::turn(int by) {
    if (const auto place = page_after(by)) go_to(place->first, place->second);
}

} // namespace kg::ui
