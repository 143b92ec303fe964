#include "core/plan/filter_step.hpp"

#include "core/support/error.hpp"

#include <algorithm>
#include <utility>

namespace kg {

const Algorithm& conversion(const Engine& engine) {
    const auto all = engine.algorithms();
    const auto found = std::ranges::find(all, kConvert, &Algorithm::id);
    if (found == all.end())
        throw Error("the engine " + engine.device().id + " has no way to convert pixel formats");
    return **found;
}

FilterStep::FilterStep(ImageRequest step)
    : formats_(formats_around(step)), in_(step.in), out_(step.out), alpha_(step.alpha),
      asked_(std::move(step)) {}

FilterStep::Fit FilterStep::fit(const Engine& engine, const Algorithm& algorithm) {
    Fit result;
    for (const auto& formats : formats_) {
        auto& part = std::get<ImageRequest>(asked_);
        part.in = formats.in, part.out = formats.out, part.alpha = formats.alpha;
        auto why = algorithm.why_not(asked_, engine);
        if (why.empty())
            return {&formats, {}, algorithm.cost(asked_, engine).microseconds + conversions(engine, formats)};
        // Few ways weigh colour by coverage: of the others counts what they say of the filter within the conversions.
        if (result.why_not.empty() || formats.alpha != formats_.front().alpha)
            result.why_not = std::move(why);
    }
    return result;
}

ImageRequest FilterStep::take() {
    auto step = std::get<ImageRequest>(std::move(asked_));
    step.in = in_, step.out = out_, step.alpha = alpha_;
    return step;
}

double FilterStep::conversions(const Engine& engine, const FilterFormats& formats) const {
    double us = 0;
    for (const auto& part :
         {conversion_between(step(), in_, formats.in), conversion_between(step(), formats.out, out_)})
        if (part) us += conversion(engine).cost(*part, engine).microseconds;
    return us;
}

} // namespace kg
