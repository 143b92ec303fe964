#include "app/ui/workspaces/batch_panels.hpp"

#include "app/ui/widgets/parts.hpp"
#include "core/support/capital.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace kg::ui {

namespace {

constexpr float kCell = 212;        ///< minimum width of a cell
constexpr float kLargest = 2 * 260; ///< maximum width: small images are not enlarged
constexpr float kShape = 0.75f;     ///< height over width of an image's cell

std::string remark(const batch::PreviewedImage& previewed) {
    if (previewed.failure.has_value()) return "failed";
    if (!previewed.done) return "";
    if (!previewed.damage.empty()) return "damaged";
    if (!previewed.clipped) return "";
    const auto percent = std::lround(*previewed.clipped * 100);
    return (percent == 0 && *previewed.clipped > 0 ? "< 1" : std::to_string(percent)) + " % clipped";
}

Rgb ink_of(const batch::PreviewedImage& previewed) {
    const auto& theme = look().theme;
    if (previewed.failure.has_value()) return theme.error;
    return !previewed.damage.empty() || previewed.clipped.value_or(0) > batch::kMuchClipped ? theme.warn
                                                                                            : theme.text;
}

/// A line centred in the remaining width, at this height.
void centred(const std::string& text, float y) {
    const float room = ImGui::GetContentRegionAvail().x;
    const auto words = shortened(text, room);
    ImGui::SetCursorPos({ImGui::GetCursorPosX() + (room - ImGui::CalcTextSize(words.c_str()).x) / 2, y});
    ImGui::TextUnformatted(words.c_str());
}

/// Shown without inputs: the first action, in the middle of the window.
void draw_empty(const BatchActions& actions) {
    const float third = std::floor(ImGui::GetWindowHeight() / 3);
    {
        ScopedText style(TextStyle::verdict);
        centred("Drop a folder here", third);
    }
    {
        ScopedText style(TextStyle::secondary);
        centred("or images, anywhere on the window", ImGui::GetCursorPosY());
    }
    const char* words = "Choose folder...";
    const float width = ImGui::CalcTextSize(words).x + look().px(60), room = ImGui::GetContentRegionAvail().x;
    ImGui::SetCursorPos(
        {ImGui::GetCursorPosX() + std::floor((room - width) / 2), ImGui::GetCursorPosY() + look().px(12)});
    if (primary_button("first", icon::kOpen, words, "The folder of the images to filter (Ctrl+O)", width))
        actions.choose_inputs();
}

/// The number of columns with the largest cells that all fit without scrolling, else with the smallest cells.
int columns_for(std::size_t count, ImVec2 room, float gap, float below) {
    const auto most = std::max(1, static_cast<int>((room.x + gap) / (look().px(kCell) + gap)));
    for (int columns = 1; columns < most; ++columns) {
        const float width = (room.x + gap) / static_cast<float>(columns) - gap;
        const auto rows = (count + static_cast<std::size_t>(columns) - 1) / static_cast<std::size_t>(columns);
        if (width <= kLargest && static_cast<float>(rows) * (width / 2 * kShape + below) <= room.y)
            return columns;
    }
    return most;
}

/// A clickable thumbnail.
bool small_image(const char* id, Thumbnails& thumbnails, const std::shared_ptr<const Image>& image,
                 ImVec2 size, const std::string& tooltip) {
    const auto at = ImGui::GetCursorScreenPos();
    const bool clicked = ImGui::InvisibleButton(id, size, ImGuiButtonFlags_EnableNav);
    help(tooltip);
    const auto& theme = look().theme;
    auto* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(at, {at.x + size.x, at.y + size.y},
                        colour_u32(ImGui::IsItemHovered() ? theme.hover : theme.panel), look().px(4));
    const float pad = look().px(3);
    if (image) thumbnails.draw(image, {at.x + pad, at.y + pad}, {size.x - 2 * pad, size.y - 2 * pad});
    return clicked;
}

/// Drawn in place of an image that failed, and on one whose file is damaged.
void draw_sign(ImVec2 corner, ImVec2 size, Rgb ink) {
    const auto sign = ImGui::CalcTextSize(icon::kAlert);
    ImGui::GetWindowDrawList()->AddText(
        {std::floor(corner.x + (size.x - sign.x) / 2), std::floor(corner.y + (size.y - sign.y) / 2)},
        colour_u32(ink), icon::kAlert);
}

/// "\nDamaged: it ends after 56 of 600 rows, the rest is empty": a further line of a tooltip, or nothing.
std::string damage_line(const std::string& damage) {
    return damage.empty() ? damage : "\n" + capitalised(damage);
}

} // namespace

/// Before a preview: some of the inputs as they are.
void BatchSheet::draw_inputs(const batch::Scan& scan, const BatchActions& actions) {
    const float gap = ImGui::GetStyle().ItemSpacing.x, line = look().px(16);
    const auto room = ImGui::GetContentRegionAvail();
    const auto columns = std::max(1, static_cast<int>((room.x + gap) / (look().px(kCell) * 0.75f + gap)));
    const float width = std::floor((room.x + gap) / static_cast<float>(columns) - gap);
    const ImVec2 size{width, std::floor(width * kShape)};
    for (std::size_t i = 0; i < scan.sample.size(); ++i) {
        const auto& sampled = scan.sample[i];
        if (static_cast<int>(i) % columns != 0) ImGui::SameLine(0, gap);
        ImGui::PushID(static_cast<int>(i));
        ImGui::BeginGroup();
        const auto corner = ImGui::GetCursorScreenPos();
        const auto problem = sampled.not_finite && sampled.damage.empty()
                                 ? std::string(batch::kContainsNotFinite)
                                 : sampled.damage;
        const bool failed = sampled.failure.has_value(), damaged = !problem.empty();
        const auto ink = failed ? look().theme.error : damaged ? look().theme.warn : look().theme.second;
        if (small_image("input", thumbnails_, sampled.thumbnail, size,
                        safe_name(sampled.input) + "\n" +
                            (failed ? capitalised(sampled.failure->what()) : "Click to open it in Play") +
                            damage_line(problem)))
            actions.open(sampled.input);
        if (failed || damaged) draw_sign(corner, size, ink);
        const auto at = ImGui::GetCursorScreenPos();
        ScopedText small(TextStyle::secondary);
        ImGui::Dummy({width, line});
        ImGui::GetWindowDrawList()->AddText(at, colour_u32(ink),
                                            shortened(safe_name(sampled.input.filename()), width).c_str());
        ImGui::EndGroup();
        ImGui::PopID();
    }
}

void BatchSheet::draw(const batch::Session& session, const BatchActions& actions) {
    thumbnails_.sweep();
    const auto preview = session.preview();
    const bool running = session.running();
    const auto& inputs = running ? session.work()->settings.inputs : session.settings().inputs;
    // A preview of other inputs does not apply.
    const bool any = !preview->images.empty() && preview->settings.inputs == inputs;
    if (inputs.empty() && !any) return draw_empty(actions);
    if (!any) {
        if (running)
            note("You can keep working in Play meanwhile. Failures and outliers are listed at the right.");
        else if (!preview->busy && session.scan()->images > 0)
            note("\"Preview\" shows some of the images here, before and after, and estimates the time and "
                 "disk space for all of them.");
        if (!running) draw_inputs(*session.scan(), actions);
        return;
    }
    if (!preview->busy && !running && preview->settings != session.settings())
        notice(Tone::warning, "These previews have other settings. Preview again to update them.");
    else note("Before and after. Click one to open it in Play.");
    const auto& style = ImGui::GetStyle();
    const float gap = style.ItemSpacing.x;
    const auto room = ImGui::GetContentRegionAvail();
    const float below = 2 * style.ItemSpacing.y + look().px(16); // the line of the name
    const int columns = columns_for(preview->images.size(), room, gap, below);
    const float width = std::floor((room.x + gap) / static_cast<float>(columns) - gap);
    const float between = look().px(2);
    const ImVec2 half{std::floor((width - between) / 2), std::floor((width - between) / 2 * kShape)};
    for (std::size_t i = 0; i < preview->images.size(); ++i) {
        const auto& previewed = preview->images[i];
        if (static_cast<int>(i) % columns != 0) ImGui::SameLine(0, gap);
        ImGui::PushID(static_cast<int>(i));
        ImGui::BeginGroup();
        const auto name = safe_name(previewed.input) + damage_line(previewed.damage);
        if (small_image("before", thumbnails_, previewed.before, half,
                        name + "\nBefore. Click to open it in Play"))
            actions.open(previewed.input);
        ImGui::SameLine(0, between);
        const auto corner = ImGui::GetCursorScreenPos();
        const bool failed = previewed.failure.has_value();
        if (small_image("after", thumbnails_, previewed.after, half,
                        name + (failed ? "\n" + capitalised(previewed.failure->what())
                                       : "\nAfter. Click to compare before and after in Play"))) {
            if (failed) actions.open(previewed.input);
            else actions.compare(previewed.input, previewed.output, preview->settings.recipe);
        }
        if (failed || !previewed.damage.empty()) draw_sign(corner, half, ink_of(previewed));
        const auto at = ImGui::GetCursorScreenPos();
        ScopedText small(TextStyle::secondary);
        ImGui::Dummy({width, ImGui::GetTextLineHeight()});
        const auto words = remark(previewed);
        const float taken = words.empty() ? 0 : ImGui::CalcTextSize(words.c_str()).x + gap;
        auto* draw = ImGui::GetWindowDrawList();
        draw->AddText(at, colour_u32(look().theme.second),
                      shortened(safe_name(previewed.input.filename()), width - taken).c_str());
        draw->AddText({at.x + width - taken + gap, at.y}, colour_u32(ink_of(previewed)), words.c_str());
        ImGui::EndGroup();
        ImGui::PopID();
    }
}

} // namespace kg::ui
