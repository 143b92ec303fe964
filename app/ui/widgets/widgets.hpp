#pragma once
// The program's own widgets. All fill the remaining width unless stated otherwise, are 28 high (times scale),
// are reachable by the keyboard, and show `help` when hovered for half a second. Tests find a button by "ICON
// label##id" and a tick by "label##id".

#include "app/ui/widgets/look.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kg::ui {

// --- text and structure

/// A semibold line with a small margin above, for a section of a panel. `detail` is small and right aligned.
void heading(std::string_view text, std::string_view detail = {});
/// A tooltip for the previous item, after half a second: beside or below its region, so that it covers none
/// of the item's neighbours. None while the item is dragged or typed into. Every item has one.
void help(std::string_view text);
/// Wrapped, in the colour of explanations.
void note(std::string_view text);
/// Wrapped, with an icon; for what a person may want to change or must know.
enum class Tone { plain, ok, warning, error };
void notice(Tone tone, std::string_view text);

// --- buttons

/// Label with an icon before it; an empty label makes a square button (then `help` is its name). `width` 0 =
/// as needed.
bool button(const char* id, const char* icon, std::string_view label, std::string_view tooltip,
            float width = 0);
/// The one button of a panel in the accent colour.
bool primary_button(const char* id, const char* icon, std::string_view label, std::string_view tooltip,
                    float width = 0);
/// Two to five choices side by side, one of them selected. True when `selected` changed. `width` 0 = all that
/// is left.
bool segmented(const char* id, std::span<const char* const> labels, int& selected,
               std::span<const char* const> tooltips = {}, float width = 0);
/// A small rounded label, in the flow of text. Returns true when clicked; `clickable` chips highlight under
/// the mouse. It is at least `width` wide.
bool chip(const char* id, std::string_view text, Tone tone, std::string_view tooltip, bool clickable = false,
          float width = 0);
/// A labelled check box.
bool tick(const char* id, std::string_view label, bool& on, std::string_view tooltip);

// --- numbers

struct Edit {
    bool changed = false;  ///< the value changed: an ongoing gesture
    bool finished = false; ///< the drag or typing has ended: seal the gesture
    bool reset = false;    ///< double-click or Delete: reset to the default; `value` is unchanged
};

struct SliderSpec {
    std::string_view label{};
    double minimum = 0, maximum = 1;
    double step = 0; ///< values are multiples of it; 0 = any
    int decimals = 2;
    bool logarithmic = false; ///< needs minimum > 0
    std::string_view unit{};  ///< after the number, such as "px"
    std::string_view tooltip{};
};
/// Two lines: label and editable number, below them the track. The arrow keys step finely. Typed numbers may
/// lie outside the track, never outside [minimum, maximum]; fractions such as 1/9 are accepted.
Edit slider(const char* id, const SliderSpec& spec, double& value);

struct NumberSpec {
    int decimals = 2;
    float width = 0;
    std::string_view tooltip{};
    /// For a cell: dragging changes it by this step, and so does the wheel once the cell has the focus;
    /// typing needs no click. 0 = a plain field.
    double step = 0;
    /// Shows as many digits as fit (compact_number()); the open field has all digits and scrolls. False =
    /// `decimals`.
    bool compact = false;
    float height = 0; ///< 0 = a row's
};
/// A number field in the mono font, right aligned. Enter or leaving the field confirms, Escape restores; so
/// does a text that is no number (take_refused_text()). An open field moves nothing beside it. A burst of the
/// wheel is one gesture. The id is never shown; tests find the field by "##id".
Edit number_field(const char* id, double& value, const NumberSpec& spec);
/// What the previous item shows while it is an open number field; nothing for other items.
std::optional<std::string> open_text();
/// The text that was last typed into a number field and is no number, once: the field has its earlier value
/// again.
std::optional<std::string> take_refused_text();
/// Focuses the previous item for the keyboard, without activating it.
void focus_item();

/// "2", "-0.5", "1e-3", "1/9", with surrounding spaces. Empty for any other text and for values that are not
/// finite.
std::optional<double> parse_number(std::string_view text);
/// Without trailing zeros: 2, 0.5, 0.1111 (4 decimals).
std::string format_number(double value, int decimals);
/// The most accurate text of at most this many characters, such as 0.1111, .111 or 8e-5; "~0" for a number
/// that is too small for them, never "0". Longer only where even its first digit needs more characters.
std::string compact_number(double value, int characters);

} // namespace kg::ui
