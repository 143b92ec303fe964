#include "python/module/explaining.hpp"

#include "core/plan/planner.hpp"
#include "core/support/error.hpp"
#include "filters/analysis.hpp"
#include "filters/recipe_file.hpp"
#include "peers/peers.hpp"
#include "python/module/engines.hpp"
#include "python/module/filtering.hpp"
#include "python/module/recipes.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kg::python {

namespace {

nb::list rows_of(const Kernel& kernel) {
    nb::list rows;
    auto weight = kernel.weights.begin();
    for (int y = 0; y < kernel.height && weight != kernel.weights.end(); ++y) {
        nb::list row;
        for (int x = 0; x < kernel.width; ++x) row.append(*weight++);
        rows.append(row);
    }
    return rows;
}

/// One for each kernel of each enabled step.
nb::list kernels_of(const Recipe& recipe, const ImageRequest& request) {
    nb::list kernels;
    auto stage = request.stages.begin();
    for (const auto& step : recipe.steps) {
        if (!step.enabled) continue;
        for (std::size_t k = 0; k < stage->kernels.size(); ++k) {
            const auto& kernel = stage->kernels[k];
            const auto analysis = analyse(*stage, k);
            nb::dict entry;
            entry["step"] = to_text(step);
            entry["size"] = nb::make_tuple(kernel.height, kernel.width);
            entry["anchor"] = nb::make_tuple(kernel.anchor_x, kernel.anchor_y);
            entry["divisor"] = kernel.divisor;
            entry["offset"] = kernel.offset;
            entry["flip"] = kernel.flip;
            entry["rows"] = rows_of(kernel);
            entry["rank"] = analysis.rank;
            entry["gain"] = analysis.gain;
            entry["verdict"] = verdict(kernel, analysis);
            entry["remarks"] = nb::cast(remarks(analysis, stage->combine));
            kernels.append(entry);
        }
        ++stage;
    }
    return kernels;
}

nb::list answers_of(const Engine& engine, const ImageRequest& request) {
    nb::list answers;
    for (const auto& answer : algorithm_answers(engine, request)) {
        nb::dict entry;
        entry["id"] = nb::cast(answer.algorithm->id);
        entry["why_not"] = answer.why_not;
        const bool has_estimate = answer.why_not.empty() && std::isfinite(answer.microseconds);
        entry["microseconds"] = has_estimate ? nb::cast(answer.microseconds) : nb::none();
        answers.append(entry);
    }
    return answers;
}

nb::dict explain(const FilterOptions& options, const ImageShape& shape) {
    auto recipe = recipe_of(options.recipe);
    options.settings.apply_to(recipe);
    const auto prepared = prepared_for(options, shape);
    const auto& request = prepared->request();
    const auto& choice = prepared->choice();
    const auto plan = prepared->plan(*choice.engine);
    nb::dict explanation;
    explanation["recipe"] = to_text(recipe);
    explanation["engine"] = choice.engine->device().id;
    explanation["device"] = choice.engine->device().name;
    explanation["algorithm"] = plan->algorithm;
    explanation["reason"] = choice.with_reason(plan->reason, *choice.engine);
    explanation["notice"] = choice.notice;
    explanation["depth"] = nb::cast(name(request.out.depth));
    explanation["kernels"] = kernels_of(recipe, request);
    explanation["algorithms"] = answers_of(*choice.engine, request);
    return explanation;
}

void add_algorithms(nb::list& all, std::string_view engine, const char* kind, const std::string& why_not,
                    std::span<const Algorithm* const> algorithms) {
    for (const auto* algorithm : algorithms) {
        nb::dict entry;
        entry["id"] = nb::cast(algorithm->id);
        entry["engine"] = nb::cast(engine);
        entry["kind"] = nb::cast(kind);
        entry["title"] = nb::cast(algorithm->title);
        entry["summary"] = nb::cast(algorithm->summary);
        entry["source"] = nb::cast(algorithm->source);
        entry["unusable"] = why_not;
        all.append(entry);
    }
}

nb::list algorithms() {
    nb::list all;
    for (const auto& engine : {cpu_engine(), gpu_engine()}) {
        const auto& id = engine->device().id;
        const auto why_not = engine->usable(); // a library on it is no more usable than it is
        add_algorithms(all, id, "image", why_not, engine->algorithms());
        add_algorithms(all, id, "signal", why_not, engine->signal_algorithms());
        add_algorithms(all, id, "bank", why_not, engine->bank_algorithms());
        for (const auto* peer : peers::all())
            if (peer->is_on(*engine))
                add_algorithms(all, id, "image", why_not.empty() ? peer->absent() : why_not,
                               peer->algorithms);
    }
    return all;
}

} // namespace

void bind_explaining(nb::module_& module) {
    using Text = std::optional<std::string_view>;
    module.def(
        "explain",
        [](nb::handle recipe, std::int64_t width, std::int64_t height, int channels, std::string_view depth,
           bool has_alpha, std::string_view engine, Text algorithm) {
            ImageShape shape{{width, height}, {parse_depth(depth), channels}};
            if (has_alpha) shape.format.alpha = channels - 1;
            return explain({recipe, {}, has_alpha, false, engine, algorithm.value_or("")}, shape);
        },
        nb::arg("recipe").none(), nb::arg("width"), nb::arg("height"), nb::arg("channels"), nb::arg("depth"),
        nb::arg("has_alpha"), nb::arg("engine"), nb::arg("algorithm").none());
    module.def("algorithms", algorithms);
}

} // namespace kg::python
