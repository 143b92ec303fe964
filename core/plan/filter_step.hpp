#pragma once
// The planner's queries about one filtering step.

#include "core/plan/cut.hpp"
#include "core/plan/engine.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// The id of the format conversion, which every engine has.
inline constexpr std::string_view kConvert = "convert";

/// Throws Error if the engine has no conversion.
const Algorithm& conversion(const Engine& engine);

/// A step about which each algorithm of an engine is asked whether and how fast it computes it. A copy of a
/// large kernel costs more than the answer, so there is one copy, in which only the formats change.
class FilterStep {
public:
    /// Times are estimated for outputs of the extent `timed`, by default for the whole image.
    explicit FilterStep(ImageStep step, std::optional<Extent> timed = {});

    /// The most direct formats in which an algorithm can compute the step.
    struct Fit {
        const FilterFormats* formats = nullptr; ///< valid while this step lives
        std::string why_not;                    ///< for the most direct formats, if there are none
        double microseconds = 0;                ///< estimated, conversions included
        double formula_us = 0; ///< estimate of the algorithm's formula, without the engine's corrections
    };
    Fit fit(const Engine& engine, const Algorithm& algorithm);

    /// In the formats that were asked for last.
    const ImageStep& step() const { return std::get<ImageStep>(asked_); }
    /// As it was; then no more may be asked of it.
    ImageStep take();

private:
    bool must_be_exact() const;
    double conversions(const Engine& engine, const FilterFormats& formats) const;

    Extent size_, timed_;
    std::vector<FilterFormats> formats_;
    PixelFormat in_, out_;
    AlphaMode alpha_;
    PlanStep asked_;
};

} // namespace kg
