#pragma once
// A filtering step as the planner asks about it.

#include "core/plan/cut.hpp"
#include "core/plan/engine.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kg {

inline constexpr std::string_view kConvert = "convert"; ///< of every engine: the way between pixel formats

/// Throws Error if the engine has none.
const Algorithm& conversion(const Engine& engine);

/// One step that each way of an engine is asked whether and how fast it does it. Copies of a large kernel cost more than the
/// answers, so there is one, in which only the formats change.
class FilterStep {
public:
    explicit FilterStep(ImageRequest step);

    /// The most direct formats in which an algorithm can do the step.
    struct Fit {
        const FilterFormats* formats = nullptr; ///< as long as this step lives
        std::string why_not;                    ///< of the most direct ones, if there are none
        double microseconds = 0;                ///< predicted, conversions included
    };
    Fit fit(const Engine& engine, const Algorithm& algorithm);

    /// In the formats that were asked for last.
    const ImageRequest& step() const { return std::get<ImageRequest>(asked_); }
    /// As it was; then no more may be asked of it.
    ImageRequest take();

private:
    double conversions(const Engine& engine, const FilterFormats& formats) const;

    std::vector<FilterFormats> formats_;
    PixelFormat in_, out_;
    AlphaMode alpha_;
    Request asked_;
};

} // namespace kg
