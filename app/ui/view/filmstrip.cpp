#include "app/ui/view/filmstrip.hpp"

#include "app/ui/widgets/parts.hpp"

#include <cmath>

namespace kg::ui {

namespace {

constexpr float kCellWidth = 88;

std::string tooltip(const FilmImage& image, std::size_t place) {
    auto text = safe_name(image.path);
    if (image.unreadable) text += "\nThis file cannot be read.";
    if (!image.damage.empty()) text += "\n" + image.damage;
    if (place < 9) text += "\nKey " + std::to_string(place + 1);
    return text + "\nDelete removes it from the strip; the file stays";
}

} // namespace

void Filmstrip::draw(Document& document, const std::function<void()>& filter_all) {
    thumbnails_.sweep();
    const auto& theme = look().theme;
    const auto film = document.film(); // copied: a click below may change it
    const float height = ImGui::GetContentRegionAvail().y, gap = look().px(4);
    const auto words = "Filter all " + std::to_string(film.size()) + "...##all";
    if (ImGui::Button(words.c_str(), {0, height})) filter_all();
    help("Go to the workspace Batch with all these images and this recipe; nothing is written yet");
    for (std::size_t i = 0; i < film.size(); ++i) {
        const auto& image = film[i];
        const ImVec2 size{look().px(kCellWidth), height};
        ImGui::SameLine(0, gap);
        ImGui::PushID(static_cast<int>(i));
        const auto at = ImGui::GetCursorScreenPos();
        const bool shown = i == document.film_place();
        if (row("##image", size, shown) && !shown) document.show(i);
        help(tooltip(image, i));
        if (ImGui::IsItemFocused() && ImGui::IsKeyPressed(ImGuiKey_Delete, false)) document.close(i);
        if (shown && shown_ != i) {
            ImGui::SetScrollHereX(0.5f);
            shown_ = i;
        }
        ScopedText style(TextStyle::secondary);
        const float line = ImGui::GetTextLineHeight(), pad = look().px(4);
        if (image.thumbnail)
            thumbnails_.draw(image.thumbnail, {at.x + pad, at.y + pad},
                             {size.x - 2 * pad, height - line - 3 * pad});
        const auto name = shortened(safe_name(image.path.filename()), size.x - 2 * pad);
        const float width = ImGui::CalcTextSize(name.c_str()).x;
        ImGui::GetWindowDrawList()->AddText(
            {at.x + std::floor((size.x - width) / 2), at.y + height - line - pad},
            colour_u32(image.unreadable        ? theme.error
                       : !image.damage.empty() ? theme.warn
                       : shown                 ? theme.text
                                               : theme.second),
            name.c_str());
        ImGui::PopID();
    }
}

} // namespace kg::ui
