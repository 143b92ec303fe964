#include "app/ui/workspaces/signal_desk.hpp"

#include "app/ui/widgets/widgets.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace kg::ui {

bool SignalDesk::is_signal(const std::filesystem::path& file) {
    constexpr std::array<std::string_view, 4> kExtensions{".wav", ".npy", ".csv", ".txt"};
    return std::ranges::find(kExtensions, lower_case(file.extension().string())) != kExtensions.end();
}

bool SignalDesk::is_sound(const std::filesystem::path& file) {
    return lower_case(file.extension().string()) == ".wav";
}

void SignalDesk::take(std::span<const std::filesystem::path> files) {
    if (files.empty()) return;
    signal().open(files.front());
    if (files.size() > 1)
        document().report(Message::Kind::warning,
                          Error("one-signal",
                                "Opened {} alone: the workspace Signal shows one file at a time.",
                                safe_name(files.front().filename())));
}

void SignalDesk::draw(ViewPanel& view, const LayoutRects& layout) {
    {
        const Region region("signal", layout.left, RegionStyle::column);
        settings_.draw(signal(), plots_, actions());
    }
    const auto& bar = layout.view_bar;
    const Box centre{bar.x, bar.y, ImGui::GetIO().DisplaySize.x - bar.x, layout.left.height};
    const Region region("signal plots", centre, RegionStyle::head);
    if (!refused().empty()) {
        notice(Tone::error, refused());
        view.mark_seen(document());
    }
    plots_.draw(signal());
    view.draw_toast(document(), {centre.x, centre.y}, {centre.width, centre.height});
}

} // namespace kg::ui
