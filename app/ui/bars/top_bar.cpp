#include "app/ui/bars/bars.hpp"

#include "app/process/image/teaching_image.hpp"
#include "app/ui/widgets/parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace kg::ui {

namespace {

/// Below this width only the File menu opens, and the copy button has no label.
constexpr float kNarrow = 1120;
constexpr float kNarrowest = 1040; ///< below it the label of the save button is short, too
constexpr float kChipRoom = 190;   ///< at least, so that the title does not jump with the chip's time

void draw_recent(const WindowState& window) {
    const bool open = ImGui::BeginMenu("Open recent", !window.recent_files.empty());
    if (!open) return help("Images opened and saved last");
    std::optional<std::filesystem::path> chosen;
    for (const auto& file : window.recent_files) {
        ImGui::PushID(&file);
        if (ImGui::MenuItem(safe_name(file.filename()).c_str())) chosen = file;
        help(safe_name(file));
        ImGui::PopID();
    }
    ImGui::EndMenu();
    if (chosen) window.open_recent(*chosen); // it changes the list
}

void draw_samples(const ActionTable& actions) {
    if (!ImGui::BeginMenu("Samples")) return help("Images that show what a filter does");
    menu_item(actions.find("sample"));
    for (const auto& image : teaching_images()) menu_item(actions.find("sample_" + std::string(image.id)));
    menu_item(actions.find("sample_numbers"));
    ImGui::EndMenu();
}

void draw_pages(const ActionTable& actions) {
    if (!ImGui::BeginMenu("Page")) return help("Pages of a file that has several");
    for (const auto* id : {"next_image_page", "previous_image_page"}) menu_item(actions.find(id));
    ImGui::EndMenu();
}

void draw_file_menu(const ActionTable& actions, const WindowState& window) {
    if (button("file menu", nullptr, "File", "Open, save, copy and close")) ImGui::OpenPopup("file menu");
    place_popup_at_item();
    if (!ImGui::BeginPopup("file menu")) return;
    menu_item(actions.find("open"));
    draw_recent(window);
    draw_samples(actions);
    draw_pages(actions);
    for (const auto* id : {"reload", "close_image"}) menu_item(actions.find(id));
    ImGui::Separator();
    for (const auto* id : {"save_again", "save", "save_preset"}) menu_item(actions.find(id));
    ImGui::Separator();
    for (const auto* id : {"copy", "copy_result", "paste"}) menu_item(actions.find(id));
    ImGui::Separator();
    menu_item(actions.find("quit"));
    ImGui::EndPopup();
}

void draw_scales(const ActionTable& actions) {
    const bool open = ImGui::BeginMenu("Scale");
    if (!open) return help("The size of text and panels");
    for (const auto* id : {"scale_100", "scale_125", "scale_150", "scale_175", "scale_200"})
        menu_item(actions.find(id));
    ImGui::Separator();
    for (const auto* id : {"larger", "smaller"}) menu_item(actions.find(id));
    ImGui::EndMenu();
}

void draw_view_menu(const ActionTable& actions) {
    if (button("menu", nullptr, "View", "What the window shows and where")) ImGui::OpenPopup("view menu");
    place_popup_at_item();
    if (!ImGui::BeginPopup("view menu")) return;
    for (const auto* id : {"fit", "actual_size", "original"}) menu_item(actions.find(id));
    ImGui::Separator();
    for (const auto* id : {"lock", "reset_layout"}) menu_item(actions.find(id));
    ImGui::Separator();
    menu_item(actions.find("present"));
    menu_item(actions.find("theme"));
    draw_scales(actions);
    menu_item(actions.find("log"));
    ImGui::Separator();
    for (const auto* id : {"palette", "shortcuts", "first_steps"}) menu_item(actions.find(id));
    ImGui::EndPopup();
}

void draw_workspaces(const ActionTable& actions, Workspace workspace) {
    constexpr std::array<const char*, kWorkspaces.size()> kHelp{
        "One image: make a recipe and see what it does (Ctrl+B)",
        "Lessons: what a convolution is and does",
        "Every algorithm on this image, verified and timed (Ctrl+M)",
        "A folder: filter all its images by the recipe (Ctrl+B)",
        "A sound or measurements: waveform, spectrum and taps of a filter",
        "Many filters at once, as a layer of a neural network has them: feature maps and their kernels"};
    std::array<const char*, kWorkspaces.size()> titles{};
    std::ranges::transform(kWorkspaces, titles.begin(), &WorkspaceName::title);
    int chosen = static_cast<int>(workspace);
    float width = 0;
    for (const auto* title : titles)
        width += ImGui::CalcTextSize(title).x + 2 * ImGui::GetStyle().FramePadding.x;
    if (segmented("workspace", titles, chosen, kHelp, std::max(look().px(280), width)))
        actions.run(kWorkspaces[static_cast<std::size_t>(chosen)].id);
}

/// Open, save, copy: the buttons of the File menu's most wanted actions.
void draw_file_buttons(const ActionTable& actions) {
    const bool narrow = ImGui::GetWindowWidth() < look().px(kNarrow);
    const bool narrowest = ImGui::GetWindowWidth() < look().px(kNarrowest);
    if (!narrow) {
        action_button(actions.find("open"), icon::kOpen, "Open");
        ImGui::SameLine();
    }
    action_button(actions.find("save"), icon::kSave, narrowest ? "Save..." : title(actions.find("save")));
    ImGui::SameLine();
    action_button(actions.find("copy"), icon::kCopy, narrow ? "" : "Copy as command");
}

/// At the right, as the chip of an image.
void draw_own_chip(const std::string& text, const std::string& help) {
    if (text.empty()) return;
    ImGui::SameLine();
    const float padding = look().px(20), room = ImGui::GetContentRegionAvail().x;
    const auto shown = fitting_chip_text(text, room - padding);
    float width = 0;
    {
        const ScopedText style(TextStyle::secondary);
        width = ImGui::CalcTextSize(shown.c_str()).x + padding;
    }
    if (shown.empty()) return ImGui::NewLine();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, room - width));
    chip("own engine", shown, Tone::plain, help, false, std::min(width, room));
}

} // namespace

void draw_top_bar(Document& document, const ActionTable& actions, const WindowState& window) {
    const bool any = document.image() != nullptr;
    const bool of_signal = window.workspace == Workspace::signal,
               of_bank = window.workspace == Workspace::bank;
    const bool playing = window.workspace != Workspace::batch && !of_signal && !of_bank;
    draw_file_menu(actions, window);
    ImGui::SameLine();
    draw_view_menu(actions);
    ImGui::SameLine();
    draw_file_buttons(actions);
    ImGui::SameLine(0, look().px(12));
    draw_workspaces(actions, window.workspace);
    ImGui::SameLine(0, look().px(12));
    action_button(actions.find("undo"), icon::kUndo, {});
    ImGui::SameLine();
    action_button(actions.find("redo"), icon::kRedo, {});
    if (!playing || window.running.empty()) {
        ImGui::SameLine(0, look().px(12));
    } else {
        ImGui::SameLine(0, look().px(12));
        if (chip("running", window.running, Tone::ok, "A batch is running. Click to see it (Ctrl+B)", true))
            actions.run("batch");
        ImGui::SameLine(0, look().px(12));
    }
    // The engine chip matters more than a long file name.
    const float chip = std::max(look().px(kChipRoom),
                                engine_chip_width(document, window.measuring) + look().px(8)),
                room = std::min(look().px(260), ImGui::GetContentRegionAvail().x - chip);
    ImGui::AlignTextToFramePadding();
    const auto& title = playing ? document.title() : window.inputs;
    ImGui::TextColored(colour(look().theme.second), "%s", shortened(title, room).c_str());
    if (!playing && !title.empty())
        help(of_signal ? "The open signal" : of_bank ? "The open images or array" : "The input images");
    if (playing && any)
        help(document.is_sample() ? "A generated image to play with"
                                  : safe_name(document.image()->path).c_str());
    if (of_signal || of_bank) return draw_own_chip(window.own_chip, window.own_chip_help);
    draw_engine_chip(document, actions, window.measuring, window.engine_notice);
}

} // namespace kg::ui
