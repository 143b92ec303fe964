#pragma once
// The centre of the workspace Signal: waveforms before and after, spectra, the gain of the taps, and the taps
// themselves, which one drags.

#include "app/editor/signal/signal_document.hpp"

#include <imgui.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace kg::ui {

/// Up to so many taps each one is dragged; of more, those that are not zero.
inline constexpr std::size_t kMostTapsDragged = 1024;

/// A stretch of an axis.
struct Stretch {
    double from = 0, to = 1;
    double length() const { return to - from; }
    bool operator==(const Stretch&) const = default;
};

class SignalPlots {
public:
    /// Fills the region. Tests find the plots by "before", "after", "spectrum", "gain" and "taps".
    void draw(SignalDocument& document);

    /// The seconds that both waveforms show; samples where the rate is not known.
    const Stretch& shown() const { return shown_; }
    bool shows_all() const { return shown_ == all_; }
    void show_all() { source_.reset(); }
    /// The tap that keys move and the column's number field edits.
    std::size_t tap() const { return tap_; }
    void select_tap(std::size_t tap) { tap_ = tap; }

private:
    struct Drawn {
        std::weak_ptr<const SignalResult> result;
        Stretch shown;
        int columns = 0;
        Waveform before, after;
    };
    void follow(const SignalResult& result);
    void update_waveforms(const std::shared_ptr<const SignalResult>& result, int columns);
    void move(ImGuiID item, float width);
    void draw_waveform(const SignalResult& result, bool after, float width, float height);
    void draw_taps(SignalDocument& document, float width, float height);
    void take_tap(SignalDocument& document, std::span<const double> taps, const Stretch& range);
    void drag_tap(SignalDocument& document);
    void tap_keys(SignalDocument& document, ImGuiID item, std::span<const double> taps, const Stretch& range);

    std::weak_ptr<const SignalSource> source_; ///< of which `shown_` is
    std::uint32_t rate_ = 0;
    Stretch all_, shown_;
    Drawn drawn_;
    std::size_t tap_ = 0;
    std::optional<Stretch> held_; ///< the range of the taps while one is dragged
    bool dragging_ = false;
};

} // namespace kg::ui
