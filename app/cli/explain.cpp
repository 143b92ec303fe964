// kernelglass explain: describes kernels and the algorithm chosen for them.

#include "app/cli/command.hpp"
#include "app/cli/flags/recipe_flags.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/cli/terminal/text_columns.hpp"
#include "app/process/engine/job_engine.hpp"
#include "core/plan/planner.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "filters/analysis.hpp"
#include "peers/peers.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace kg {

namespace {

struct ExplainOptions {
    RecipeFlags flags;
    Switches switches;
};

constexpr Extent kSize{1920, 1080}; ///< image size of the predictions
constexpr PixelFormat kPixels{Depth::u8, 3, -1};

/// One kernel of the recipe.
struct KernelOfStep {
    std::string step;
    const Stage* stage;
    std::size_t index;
    Analysis analysis;

    const Kernel& kernel() const { return stage->kernels[index]; }
    std::string verdict_text() const { return verdict(kernel(), analysis); }
};

std::vector<KernelOfStep> kernels_of(const Recipe& recipe, const ImageRequest& request) {
    std::vector<KernelOfStep> kernels;
    std::size_t at = 0;
    for (const auto& step : recipe.steps) {
        if (!step.enabled) continue;
        const auto& stage = request.stages[at++];
        for (std::size_t k = 0; k < stage.kernels.size(); ++k)
            kernels.push_back({to_text(step), &stage, k, analyse(stage, k)});
    }
    return kernels;
}

std::string combined_text(Combine combine) {
    switch (combine) {
    case Combine::single: return {};
    case Combine::l1: return ", combined as the sum of magnitudes";
    case Combine::l2: return ", combined as the root of the sum of squares";
    }
    return {};
}

/// Prints the weights with as many digits as fit into the columns.
void print_weights(const Kernel& kernel) {
    constexpr int kLargestShown = 15, kMostDigits = 5, kFewestDigits = 2;
    constexpr std::size_t kIndent = 4, kBetween = 2;
    if (kernel.width > kLargestShown || kernel.height > kLargestShown) return;
    const auto width = static_cast<std::size_t>(kernel.width);
    std::size_t needed = 0;
    for (int digits = kMostDigits; digits >= kFewestDigits; --digits) {
        std::vector<std::string> cells;
        std::size_t widest = 0;
        for (const float weight : kernel.weights) {
            char cell[24];
            std::snprintf(cell, sizeof cell, "%.*g", digits, static_cast<double>(weight));
            widest = std::max(widest, cells.emplace_back(cell).size());
        }
        needed = kIndent + width * (widest + kBetween) - kBetween;
        if (needed > text_columns()) continue;
        for (std::size_t i = 0; i < cells.size(); ++i)
            std::cout << std::string(i % width == 0 ? kIndent : kBetween, ' ')
                      << std::string(widest - cells[i].size(), ' ') << cells[i]
                      << (i % width == width - 1 ? "\n" : "");
        return;
    }
    std::cout << "    (the weights need " << needed << " columns; set COLUMNS=" << needed
              << " to show them)\n";
}

/// Formats integers with all their digits.
std::string plain_number(float value) {
    constexpr float kMostDigits = 1e9f;
    if (value != std::rint(value) || std::fabs(value) >= kMostDigits) return to_text(value);
    return std::to_string(std::lrint(value));
}

/// The step as typed, shortened if it is long.
std::string title(const std::string& step) {
    constexpr std::size_t kLongestTitle = 60;
    return step.size() <= kLongestTitle ? step : step.substr(0, kLongestTitle) + "...";
}

void print(const KernelOfStep& each) {
    const auto& kernel = each.kernel();
    const auto count = each.stage->kernels.size();
    const auto added = offset(*each.stage);
    std::cout << flowed(each.verdict_text(), 0) << '\n';
    auto head = title(each.step);
    if (count > 1)
        head += ", kernel " + std::to_string(each.index + 1) + " of " + std::to_string(count) +
                combined_text(each.stage->combine);
    head += ": " + std::to_string(kernel.width) + " x " + std::to_string(kernel.height) + ", anchor " +
            std::to_string(kernel.anchor_x) + "," + std::to_string(kernel.anchor_y) + ", divisor " +
            plain_number(kernel.divisor) + (added == 0 ? "" : ", offset " + to_text(added)) +
            (kernel.flip ? ", flipped" : "");
    std::cout << "  " << flowed(head, 2) << '\n';
    if (has_weights(*each.stage)) print_weights(kernel);
    std::string remarked;
    for (const auto& remark : remarks(each.analysis, each.stage->combine))
        remarked += (remarked.empty() ? "" : " ") + remark;
    if (count == 1 && added == 0 && each.analysis.rank > 0 && std::fabs(each.analysis.gain) < 1e-6)
        remarked += std::string(remarked.empty() ? "" : " ") +
                    "Offset 0.5 (:offset=0.5 after the step, or --signed half) shows 0 as middle grey.";
    if (!remarked.empty()) std::cout << "  " << flowed(remarked, 2) << '\n';
}

void print_algorithms(const std::vector<AlgorithmAnswer>& algorithms) {
    std::cout << "Algorithms:\n";
    for (const auto& algorithm : algorithms) {
        auto line = std::string(algorithm.algorithm->id) + ": ";
        if (!algorithm.why_not.empty()) line += "no, " + algorithm.why_not;
        else if (std::isinf(algorithm.microseconds)) line += "only if selected with --algorithm";
        else line += "predicted " + time_text(algorithm.microseconds);
        std::cout << "  " << flowed(line, 4) << '\n';
    }
}

nlohmann::ordered_json document_of(const KernelOfStep& each) {
    const auto& kernel = each.kernel();
    const auto& a = each.analysis;
    nlohmann::ordered_json document{{"step", each.step},
                                    {"verdict", each.verdict_text()},
                                    {"width", kernel.width},
                                    {"height", kernel.height},
                                    {"anchor", {kernel.anchor_x, kernel.anchor_y}},
                                    {"divisor", kernel.divisor},
                                    {"offset", offset(*each.stage)},
                                    {"flip", kernel.flip},
                                    {"rank", a.rank},
                                    {"gain", a.gain},
                                    {"taps", a.taps},
                                    {"zeros", a.zeros},
                                    {"symmetric_x", a.symmetric_x},
                                    {"symmetric_y", a.symmetric_y},
                                    {"symmetric_turn", a.symmetric_turn},
                                    {"integer", a.integer},
                                    {"exact", a.exact},
                                    {"flat_rows", a.flat_rows},
                                    {"gaussian", nullptr}};
    if (a.gaussian) document["gaussian"] = {{"sigma", a.gaussian->sigma}, {"error", a.gaussian->error}};
    return document;
}

nlohmann::ordered_json document_of(const AlgorithmAnswer& algorithm) {
    const bool predicted = algorithm.why_not.empty() && std::isfinite(algorithm.microseconds);
    return {{"algorithm", algorithm.algorithm->id},
            {"why_not", algorithm.why_not},
            {"microseconds",
             predicted ? nlohmann::ordered_json(algorithm.microseconds) : nlohmann::ordered_json(nullptr)}};
}

int explain(const ExplainOptions& o) {
    refuse_shared_stream(o.flags.files());
    const auto recipe = o.flags.recipe();
    const auto request = request_for(recipe, kSize, kPixels);
    if (request.stages.empty())
        throw Error("missing-step",
                    "explain needs a step: -f gaussian:sigma=2, --kernel FILE or --recipe FILE");
    for (const auto& note : o.flags.notes(recipe)) o.switches.note(note);
    const auto kernels = kernels_of(recipe, request);
    const auto choice = choose_engine_for(o.flags.engine_options, request);
    if (!choice.notice.empty()) o.switches.detail(choice.notice);
    std::string notice;
    std::shared_ptr<Engine> engine;
    const auto chosen = with_fallback(choice, notice, [&](const std::shared_ptr<Engine>& one) {
        engine = one;
        return peers::plan_with_peers(*one, request, o.flags.engine_options.algorithm);
    });
    if (!notice.empty()) o.switches.note(notice);
    const auto algorithms = algorithm_answers(*engine, request);
    const auto reason = choice.with_reason(chosen->reason, *engine);

    if (o.switches.json) {
        nlohmann::ordered_json document{{"schema", "kernelglass-explain/2"},
                                        {"kernels", nlohmann::ordered_json::array()},
                                        {"image", {{"width", kSize.width}, {"height", kSize.height}}},
                                        {"engine", engine->device().id},
                                        {"algorithm", chosen->algorithm},
                                        {"reason", reason},
                                        {"algorithms", nlohmann::ordered_json::array()}};
        for (const auto& each : kernels) document["kernels"].push_back(document_of(each));
        for (const auto& algorithm : algorithms) document["algorithms"].push_back(document_of(algorithm));
        std::cout << document_text(document);
        return kDone;
    }
    if (o.switches.quiet) {
        for (const auto& each : kernels) std::cout << each.verdict_text() << '\n';
        return kDone;
    }
    for (const auto& each : kernels) print(each);
    std::cout << flowed("For " + std::to_string(kSize.width) + " x " + std::to_string(kSize.height) +
                            " RGB on " + engine->device().id + ": " + reason + ".",
                        0)
              << '\n';
    if (o.switches.verbose) print_algorithms(algorithms);
    return kDone;
}

Action declare_explain(CLI::App& app) {
    const auto o = std::make_shared<ExplainOptions>();
    o->flags.add_to(app);
    o->switches.add_to(app);
    return [o] { return explain(*o); };
}

} // namespace

extern const Command kExplainCommand;
const Command kExplainCommand{
    "explain",
    "Describe a kernel and the algorithm chosen for it",
    "The verdict comes first. -q prints only the verdict; -v adds every algorithm with its predicted time or "
    "the reason why it does not apply. Predictions are for an 8-bit RGB image of 1920 x 1080.",
    {{"kernelglass explain -f gaussian:sigma=2", "show whether the kernel is separable, and its algorithm"},
     {"kernelglass explain --kernel my.txt -v", "describe a kernel from a file and list all algorithms"}},
    declare_explain};

} // namespace kg
