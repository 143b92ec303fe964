#pragma once
// Settings for looking at images: never part of a recipe, never saved, not undone.

#include "app/ui/view/chip_row.hpp"
#include "display/pass/pass_settings.hpp"

#include <array>

namespace kg {
struct Result;
}

namespace kg::ui {

struct ViewSettings {
    display::ViewOnly colours;
    bool outside = false; ///< what the first step reads outside the image is drawn around it
    display::PassDifference difference = display::PassDifference::absolute;

    bool operator==(const ViewSettings&) const = default;
};

inline constexpr double kMostStops = 8; ///< limit of the exposure, brighter or darker
inline constexpr std::array kChannelNames{"All colours", "Red", "Green", "Blue", "Alpha", "Luminance"};
inline constexpr std::array kMapNames{"Off", "Viridis", "Cividis", "Signed"};

/// The pixels that the first step of a result reads outside the image; none without a step.
display::PassPadding padding_of(const Result& result);

/// A button that opens the settings.
void draw_view_settings(ViewSettings& settings);
inline constexpr const char* kViewSettings = "View only";

/// One chip for each setting that is on; a click turns it off. `padding` is what is drawn around the image.
void draw_view_chips(ChipRow& row, ViewSettings& settings, const display::PassPadding& padding);
/// How a difference is shown; a click goes on to the next kind.
void draw_difference_chip(ChipRow& row, ViewSettings& settings);

} // namespace kg::ui
