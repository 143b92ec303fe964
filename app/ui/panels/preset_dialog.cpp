#include "app/ui/panels/preset_dialog.hpp"

#include "app/ui/widgets/dialog.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/thread.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace kg::ui {

namespace {

const char* const kPresetPopup = "##preset";
constexpr float kWidth = 460;

const Preset* find(const Document& document, const std::string& id) {
    const auto& own = document.presets().own();
    const auto found = std::ranges::find(own, id, &Preset::id);
    return found == own.end() ? nullptr : &*found;
}

int index_of_group(std::string_view id) {
    const auto groups = preset_groups();
    return static_cast<int>(std::ranges::find(groups, id, &PresetGroup::id) - groups.begin());
}

} // namespace

void PresetDialog::begin(const Document& document) {
    const auto* preset = find(document, question_->id);
    title_ = preset ? preset->title : "";
    group_ = index_of_group(preset ? std::string_view(preset->group) : preset_groups().back().id);
    begins_ = true;
    ImGui::OpenPopup(kPresetPopup);
}

void PresetDialog::answer(Document& document) {
    auto& list = document.presets();
    const auto group = std::string(preset_groups()[static_cast<std::size_t>(group_)].id);
    try {
        switch (question_->kind) {
        case PresetQuestion::Kind::save: {
            const auto id = list.save(title_, group, document.recipe());
            document.report(Message::Kind::info,
                            "Saved the preset " + title_ + "; on the command line it is -f " + id + ".");
            break;
        }
        case PresetQuestion::Kind::rename: list.rename(question_->id, title_, group); break;
        case PresetQuestion::Kind::remove: list.remove(question_->id); break;
        }
    } catch (const std::exception& error) {
        document.report(as_error(error));
    }
}

PresetDialog::Reply PresetDialog::draw_name(Document& document) {
    const bool saves = question_->kind == PresetQuestion::Kind::save;
    heading(saves ? "Save as preset" : "Rename the preset");
    if (saves) note("The recipe " + short_name(document.recipe()) + " with its settings");
    if (std::exchange(begins_, false)) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(-1);
    const bool entered = ImGui::InputTextWithHint("##title", "Name", &title_,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    help("The name in the Presets panel");
    std::vector<const char*> groups;
    for (const auto& group : preset_groups()) groups.push_back(group.title.data());
    choice("group", groups, group_, "The kind of preset, which the search finds");
    space();
    const bool named = title_.find_first_not_of(' ') != std::string::npos;
    ImGui::BeginDisabled(!named);
    const bool pressed = primary_button("confirm", icon::kSave, saves ? "Save" : "Rename", "Enter");
    ImGui::EndDisabled();
    ImGui::SameLine();
    const bool cancelled = button("cancel", nullptr, "Cancel", "Escape");
    return {named && (pressed || entered), cancelled};
}

/// Enter alone does not confirm: Back is first and has the keyboard focus.
PresetDialog::Reply PresetDialog::draw_removal(Document& document) {
    heading("Delete the preset?");
    const auto* preset = find(document, question_->id);
    notice(Tone::warning, (preset ? preset->title : question_->id) + " and its file are removed.");
    space();
    Reply reply;
    reply.cancelled = button("back", nullptr, "Back", "Keep the preset (Escape)");
    ImGui::SameLine();
    reply.confirmed = button("delete", icon::kClose, "Delete", "Remove the preset's file");
    return reply;
}

bool PresetDialog::draw(Document& document) {
    if (auto asked = document.presets().take_question()) {
        question_ = std::move(asked);
        begin(document);
    }
    if (!question_) return false;
    if (!begin_dialog(kPresetPopup, look().px(kWidth))) {
        question_.reset();
        return false;
    }
    const auto reply = question_->kind == PresetQuestion::Kind::remove ? draw_removal(document)
                                                                       : draw_name(document);
    if (reply.confirmed) answer(document);
    if (reply.confirmed || reply.cancelled || ImGui::IsKeyPressed(ImGuiKey_Escape, false)) {
        question_.reset();
        ImGui::CloseCurrentPopup();
    }
    end_dialog();
    return reply.confirmed;
}

} // namespace kg::ui
