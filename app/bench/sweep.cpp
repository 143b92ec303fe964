#include "app/bench/sweep.hpp"

#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "filters/recipe_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <random>
#include <set>

namespace kg {

namespace {

/// The sizes that a range such as `3-31` selects.
constexpr std::array kUsualKernelSizes{3,  5,  7,  9,  11, 13,  15,  17,  21,  25,
                                       31, 41, 51, 63, 89, 127, 191, 255, 511, 1023};

bool has_parameter(const Filter& filter, std::string_view id) {
    return std::ranges::find(filter.parameters, id, &Parameter::id) != filter.parameters.end();
}

/// A named filter at a kernel size; a filter without sizes is unchanged.
Step step_of(const Filter& filter, Extent size) {
    Step step{std::string(filter.id), {}, {}};
    if (size.width != size.height && has_parameter(filter, "width") && has_parameter(filter, "height")) {
        step.values["width"] = std::to_string(size.width);
        step.values["height"] = std::to_string(size.height);
    } else if (has_parameter(filter, "size")) {
        if (size.width != size.height)
            throw Error("kernel-not-square", "the filter {} has square kernels; {} is not square",
                        step.filter, extent_text(size));
        step.values["size"] = std::to_string(size.width);
    }
    return step;
}

/// The part of a request that does not depend on the image.
struct Chain {
    std::vector<Stage> stages;
    std::string filter, recipe;
};

std::vector<Chain> chains_of(const Sweep& sweep) {
    std::vector<Chain> chains;
    if (!sweep.recipe.steps.empty()) {
        Chain chain{{}, short_name(sweep.recipe), to_text(sweep.recipe)};
        for (const auto& step : sweep.recipe.steps)
            if (step.enabled) chain.stages.push_back(stage_of(step));
        return {chain};
    }
    for (const auto& id : sweep.filters) {
        const auto before = chains.size();
        std::optional<Error> refusal;
        std::set<std::string> seen; // a filter without sizes is listed once
        for (const auto size : sweep.kernel_sizes) {
            try {
                if (id == kDense) {
                    chains.push_back({{dense_stage(size)}, id, "dense:size=" + extent_text(size)});
                    continue;
                }
                const auto step = step_of(find_filter(id), size);
                if (seen.insert(to_text(step)).second)
                    chains.push_back({{stage_of(step)}, id, to_text(step)});
            } catch (const Error& e) {
                // Other filters continue where Sobel ends at 7 and listed weights at 1025.
                refusal = e;
            }
        }
        if (chains.size() == before && refusal) throw *refusal;
    }
    return chains;
}

/// `all` is quoted where nothing stands in the place of the number.
std::int64_t parse_number(std::string_view word, std::int64_t most, const std::string& what,
                          std::string_view all = {}) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size() || number < 1 || number > most)
        throw Error("bad-value", "{} is not a {}: a whole number from 1 to {}",
                    in_quotes(word.empty() ? all : word), what, most);
    return number;
}

std::vector<double> tolerances_of(std::span<const double> asked, const Recipe& recipe) {
    return asked.empty() ? std::vector{recipe.tolerance} : std::vector(asked.begin(), asked.end());
}

/// The tolerance is part of a row's name: less exact results are other work.
std::string with_tolerance(const std::string& filter, double tolerance) {
    return tolerance > 0 ? filter + ",tolerance=" + to_text(tolerance) : filter;
}

/// Adds a case once: axes may repeat a value, but the rows of a report have unique names.
void add_once(std::vector<measure::BenchCase>& cases, measure::BenchCase more) {
    const bool there = std::ranges::any_of(cases, [&](const measure::BenchCase& c) {
        return c.filter == more.filter && c.request == more.request;
    });
    if (!there) cases.push_back(std::move(more));
}

/// WIDTHxHEIGHT.
std::optional<Extent> parse_rectangle(std::string_view word, std::int64_t most, const std::string& what) {
    const auto cross = word.find('x');
    if (cross == std::string_view::npos) return std::nullopt;
    return Extent{parse_number(word.substr(0, cross), most, what, word),
                  parse_number(word.substr(cross + 1), most, what, word)};
}

} // namespace

std::string extent_text(Extent size) {
    return std::to_string(size.width) + "x" + std::to_string(size.height);
}

bool has_kernel_size(const Step& step) {
    return step.filter != "custom" && has_parameter(find_filter(step.filter), "size");
}

Stage dense_stage(Extent size, unsigned seed) {
    std::mt19937 random(static_cast<unsigned>(size.width * 2000 + size.height) + seed * 2654435761u);
    std::vector<float> weights(static_cast<std::size_t>(size.width * size.height));
    for (auto& w : weights) w = static_cast<float>(1 + random() % 1000);
    float sum = 0;
    for (const float w : weights) sum += w;
    for (auto& w : weights) w /= sum;
    return {{make_kernel(static_cast<int>(size.width), static_cast<int>(size.height), std::move(weights))}};
}

std::vector<measure::BenchCase> cases_of(const Sweep& sweep) {
    std::vector<measure::BenchCase> cases;
    const auto chains = chains_of(sweep);
    for (const auto depth : sweep.depths)
        for (const auto& channels : sweep.channels)
            for (const auto border : sweep.borders)
                for (const auto size : sweep.sizes)
                    for (const double tolerance : tolerances_of(sweep.tolerances, sweep.recipe))
                        for (const auto& chain : chains) {
                            auto settings = sweep.recipe;
                            settings.steps.clear();
                            settings.border = border;
                            settings.tolerance = tolerance;
                            auto request = request_for(
                                settings, size,
                                {depth, channels.count, channels.alpha ? channels.count - 1 : -1});
                            request.stages = chain.stages;
                            validate(request);
                            add_once(cases, {std::move(request), with_tolerance(chain.filter, tolerance),
                                             chain.recipe});
                        }
    std::ranges::stable_sort(cases, {}, [&](const measure::BenchCase& c) {
        const auto at = std::ranges::find(sweep.filters, c.filter.substr(0, c.filter.find(',')));
        return at - sweep.filters.begin(); // sorted by filter, in the order given
    });
    return cases;
}

std::vector<measure::BenchCase> cases_of(const Recipe& recipe, std::span<const Border> borders,
                                         std::span<const double> tolerances,
                                         const std::shared_ptr<const Image>& image) {
    std::vector<measure::BenchCase> cases;
    for (const auto border : borders)
        for (const double tolerance : tolerances_of(tolerances, recipe)) {
            auto with = recipe;
            with.border = border;
            with.tolerance = tolerance;
            auto request = request_for(with, image->size(), image->format());
            add_once(cases, {std::move(request), with_tolerance(short_name(recipe), tolerance),
                             to_text(recipe), image});
        }
    return cases;
}

std::vector<Extent> parse_sizes(std::string_view list) {
    constexpr std::int64_t kMost = 1 << 20;
    constexpr std::pair<std::string_view, Extent> kNamed[] = {
        {"hd", {1280, 720}}, {"fhd", {1920, 1080}}, {"4k", {3840, 2160}}, {"8k", {7680, 4320}}};
    std::vector<Extent> sizes;
    for (const auto word : split(list, ',')) {
        const auto named = std::ranges::find(kNamed, word, [](const auto& n) { return n.first; });
        if (named != std::end(kNamed)) {
            sizes.push_back(named->second);
            continue;
        }
        const auto size = parse_rectangle(word, kMost, "width or height of an image");
        if (!size)
            throw Error("bad-size", "{} is not a size; write 1920x1080, or hd, fhd, 4k, 8k", in_quotes(word));
        sizes.push_back(*size);
    }
    return sizes;
}

std::vector<Extent> parse_kernel_sizes(std::string_view list) {
    const auto what = "kernel size";
    std::vector<Extent> sizes;
    for (const auto word : split(list, ',')) {
        if (const auto size = parse_rectangle(word, kMaxGeneratedSize, what)) {
            sizes.push_back(*size);
            continue;
        }
        const auto dash = word.find('-');
        const auto low = parse_number(word.substr(0, dash), kMaxGeneratedSize, what, word);
        if (dash == std::string_view::npos) {
            sizes.push_back({low, low});
            continue;
        }
        const auto high = parse_number(word.substr(dash + 1), kMaxGeneratedSize, what, word);
        if (high < low)
            throw Error("bad-range", "the range {} must go from the smaller to the larger size",
                        in_quotes(word));
        sizes.push_back({low, low});
        for (const int size : kUsualKernelSizes)
            if (size > low && size < high) sizes.push_back({size, size});
        if (high > low) sizes.push_back({high, high});
    }
    return sizes;
}

std::vector<ChannelLayout> parse_channel_layouts(std::string_view list) {
    std::vector<ChannelLayout> layouts;
    for (auto word : split(list, ',')) {
        const bool alpha = word == "2a" || word == "4a";
        if (alpha) word.remove_suffix(1);
        layouts.push_back({static_cast<int>(parse_number(word, kMaxChannels, "number of channels")), alpha});
    }
    return layouts;
}

std::vector<std::string> parse_filters(std::string_view list) {
    std::vector<std::string> ids;
    for (const auto word : split(list, ',')) {
        if (word != kDense) find_filter(word); // throws for an unknown filter and lists the known ones
        ids.emplace_back(word);
    }
    return ids;
}

} // namespace kg
