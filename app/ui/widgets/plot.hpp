#pragma once
// A plot that only shows: caption, tooltip and focus belong to the item below it.

#include "app/ui/widgets/look.hpp"

#include <implot.h>

#include <optional>
#include <string>
#include <vector>

namespace kg::ui {

inline constexpr auto kPlotAxis = ImPlotAxisFlags_NoHighlight | ImPlotAxisFlags_NoInitialFit |
                                  ImPlotAxisFlags_NoMenus;

/// A caption and a plot of this size below it, from construction to destruction. False where nothing is to be
/// drawn. The plot itself takes no input.
class CaptionedPlot {
public:
    CaptionedPlot(const char* id, const char* caption, const std::string& tooltip, float width, float height);
    CaptionedPlot(const CaptionedPlot&) = delete;
    CaptionedPlot& operator=(const CaptionedPlot&) = delete;
    ~CaptionedPlot();
    explicit operator bool() const { return begun_; }

private:
    std::optional<ScopedText> style_;
    bool begun_ = false;
};

/// The style of a line in this colour; the weight is a length.
ImPlotSpec plot_line(Rgb c, float weight = 1.5f);
void plot_ticks(ImAxis axis, const std::vector<double>& values, const std::vector<const char*>& names);

} // namespace kg::ui
