#include "core/plan/filter_step.hpp"

#include "core/support/error.hpp"

#include <algorithm>
#include <utility>

namespace kg {

const Algorithm& conversion(const Engine& engine) {
    const auto all = engine.algorithms();
    const auto found = std::ranges::find(all, kConvert, &Algorithm::id);
    if (found == all.end())
        throw Error("no-conversion", "the engine {} cannot convert pixel formats", engine.device().id);
    return **found;
}

FilterStep::FilterStep(ImageStep step, std::optional<Extent> timed)
    : size_(step.size), timed_(timed.value_or(step.size)), formats_(formats_around(step)), in_(step.in),
      out_(step.out), alpha_(step.alpha), asked_(std::move(step)) {}

/// Sums of the step's own integers are exact in every algorithm (semantics 11), also where a conversion makes
/// floats of the integers first.
bool FilterStep::must_be_exact() const {
    return is_integer(in_.depth) && step().tolerance == 0 &&
           sums_exactly(step().stages.front(), full_scale(in_));
}

FilterStep::Fit FilterStep::fit(const Engine& engine, const Algorithm& algorithm) {
    Fit result;
    for (const auto& formats : formats_) {
        auto& part = std::get<ImageStep>(asked_);
        part.in = formats.in, part.out = formats.out, part.alpha = formats.alpha;
        auto why = algorithm.why_not(asked_, engine);
        if (why.empty() && algorithm.error && formats.in != in_ && must_be_exact() &&
            algorithm.error(asked_) > 0)
            why = "it rounds its sums of floats, and sums of these integers have to be exact";
        if (why.empty()) {
            part.size = timed_;
            const double us = algorithm.cost(asked_, engine).microseconds;
            const double all = us * engine.cost_corrections().factor(algorithm.id, part) +
                               conversions(engine, formats);
            part.size = size_;
            return {&formats, {}, all, us};
        }
        // Few algorithms implement alpha weighting. For the others, the answer for the filter between the
        // conversions counts.
        if (result.why_not.empty() || formats.alpha != formats_.front().alpha)
            result.why_not = std::move(why);
    }
    return result;
}

ImageStep FilterStep::take() {
    auto step = std::get<ImageStep>(std::move(asked_));
    step.in = in_, step.out = out_, step.alpha = alpha_;
    return step;
}

double FilterStep::conversions(const Engine& engine, const FilterFormats& formats) const {
    double us = 0;
    for (const auto& filter :
         {conversion_between(step(), in_, formats.in), conversion_between(step(), formats.out, out_)})
        if (filter) us += conversion(engine).cost(*filter, engine).microseconds;
    return us;
}

} // namespace kg
