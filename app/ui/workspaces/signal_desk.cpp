#include "app/ui/workspaces/signal_desk.hpp"

#include "core/support/text.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace kg::ui {

SignalDesk::SignalDesk(Document& document, SignalDocument::Setup setup, SignalActions actions)
    : document_(document), actions_(std::move(actions)), signal_(std::move(setup)) {}

void SignalDesk::enter() {
    if (!signal_.source() && !signal_.busy()) signal_.open_sample();
}

void SignalDesk::follow() {
    signal_.update();
    report_all(document_, signal_.take_messages());
}

bool SignalDesk::is_signal(const std::filesystem::path& file) {
    constexpr std::array<std::string_view, 4> kExtensions{".wav", ".npy", ".csv", ".txt"};
    return std::ranges::find(kExtensions, lower_case(file.extension().string())) != kExtensions.end();
}

bool SignalDesk::is_sound(const std::filesystem::path& file) {
    return lower_case(file.extension().string()) == ".wav";
}

void SignalDesk::take(std::span<const std::filesystem::path> files) {
    if (files.empty()) return;
    signal_.open(files.front());
    if (files.size() > 1)
        document_.report(Message::Kind::warning,
                         Error("one-signal",
                               "Opened {} alone: the workspace Signal shows one file at a time.",
                               safe_name(files.front().filename())));
}

std::string SignalDesk::why_nothing() const { return signal_.source() ? "" : "No signal is open"; }

std::string SignalDesk::why_no_file() const {
    if (!signal_.source()) return why_nothing();
    return signal_.source()->path.empty() ? "The signal is not of a file" : "";
}

void SignalDesk::save_again() {
    if (signal_.saved_path().empty()) ask_save();
    else signal_.save(signal_.saved_path());
}

std::string SignalDesk::chip() const {
    const auto& result = signal_.result();
    if (!result) return {};
    const auto& done = *result->outcome;
    return engine_text(done.engine, done.algorithm, done.microseconds);
}

std::string SignalDesk::title() const { return signal_.source() ? signal_.source()->title : std::string(); }

void SignalDesk::draw(ViewPanel& view, const LayoutRects& layout) {
    {
        const Region region("signal", layout.left, RegionStyle::column);
        settings_.draw(signal_, plots_, actions_);
    }
    const auto& bar = layout.view_bar;
    const Box centre{bar.x, bar.y, ImGui::GetIO().DisplaySize.x - bar.x, layout.left.height};
    const Region region("signal plots", centre, RegionStyle::head);
    plots_.draw(signal_);
    view.draw_toast(document_, {centre.x, centre.y}, {centre.width, centre.height});
}

} // namespace kg::ui
