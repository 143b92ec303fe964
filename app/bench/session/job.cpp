#include "app/bench/session/job.hpp"

#include "app/bench/sweep.hpp"
#include "core/request/opaque.hpp"
#include "core/support/error.hpp"
#include "filters/recipe_file.hpp"

#include <utility>

namespace kg {

namespace {

constexpr double kRecipeSeconds = 20, kSizesSeconds = 45; ///< for each engine

double seconds_for(const BenchSubject& subject, double seconds) {
    return seconds * static_cast<double>(subject.engines.size());
}

/// Cases on the image itself.
void use_image(std::vector<measure::BenchCase>& cases, const BenchSubject& subject) {
    for (auto& each : cases) {
        each.image = subject.image;
        if (subject.opaque) each.request = for_opaque(each.request);
    }
}

/// A sweep states depth and channels of images; this one may also be linear, premultiplied or scaled.
void describe_image(std::vector<measure::BenchCase>& cases, const BenchSubject& subject) {
    auto settings = subject.recipe;
    settings.steps.clear();
    for (auto& each : cases) {
        auto stages = std::move(each.request.stages);
        each.request = request_for(settings, subject.image->size(), subject.image->format());
        each.request.stages = std::move(stages);
        validate(each.request);
    }
}

} // namespace

BenchJob recipe_job(const BenchSubject& subject) {
    auto recipe = subject.recipe;
    std::erase_if(recipe.steps, [](const Step& step) { return !step.enabled; });
    if (recipe.steps.empty())
        throw Error("missing-step",
                    "There is nothing to measure: the recipe has no step. Add a filter first.");
    BenchJob job;
    job.cases = cases_of(recipe, std::vector{recipe.border}, {}, subject.image);
    use_image(job.cases, subject);
    job.engines = subject.engines;
    job.title = subject.image_name + ", " + to_text(recipe);
    job.rules.seconds = seconds_for(subject, kRecipeSeconds);
    return job;
}

BenchJob kernel_sizes_job(const BenchSubject& subject, const Step& step) {
    const auto format = subject.image->format();
    Sweep sweep;
    sweep.recipe = subject.recipe;
    sweep.recipe.steps.clear();
    sweep.sizes = {subject.image->size()};
    sweep.depths = {format.depth};
    sweep.channels = {{format.channels, format.alpha >= 0}};
    sweep.borders = {subject.recipe.border};
    sweep.filters = {has_kernel_size(step) ? step.filter : std::string(kDense)};
    BenchJob job;
    job.cases = cases_of(sweep);
    describe_image(job.cases, subject);
    use_image(job.cases, subject);
    job.engines = subject.engines;
    job.title = subject.image_name + ", " + sweep.filters.front() + " over kernel sizes";
    job.rules.seconds = seconds_for(subject, kSizesSeconds);
    return job;
}

} // namespace kg
