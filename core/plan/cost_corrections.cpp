#include "core/plan/cost_corrections.hpp"

#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <tuple>

namespace kg {

namespace {

constexpr std::string_view kSchema = "kernelglass-costs/1";

auto group_of(const CostSample& s) {
    return std::tuple(std::string_view(s.algorithm), s.depth, s.channels, s.alpha);
}
auto key_of(const CostSample& s) {
    return std::tuple_cat(group_of(s), std::tuple(s.megapixels, s.kernel_size));
}

/// The value at x of the line through points of increasing abscissas; beyond them, that of the nearest.
template <typename Abscissa, typename Value>
double interpolated(double x, std::size_t count, Abscissa abscissa, Value value) {
    std::size_t above = 0;
    while (above < count && abscissa(above) < x) ++above;
    if (above == 0) return value(0);
    if (above == count) return value(count - 1);
    const double x0 = abscissa(above - 1), share = (x - x0) / (abscissa(above) - x0);
    return (1 - share) * value(above - 1) + share * value(above);
}

Depth depth_named(std::string_view word) {
    for (const auto depth : {Depth::u8, Depth::u16, Depth::f16, Depth::f32})
        if (name(depth) == word) return depth;
    throw Error("bad-costs", "{} is not a depth; it is one of u8, u16, f16, f32", in_quotes(word));
}

double parse_positive(std::string_view text, std::string_view what) {
    const double number = parse_number(text, what);
    if (!(number > 0)) throw Error("bad-value", "{} must be above 0, not {}", what, in_quotes(text));
    return number;
}

int parse_count(std::string_view text, std::string_view what, int most) {
    const double number = parse_positive(text, what);
    if (number != std::floor(number) || number > most)
        throw Error("bad-value", "{} must be a whole number up to {}, not {}", what, most, in_quotes(text));
    return static_cast<int>(number);
}

std::vector<std::string_view> words_of(std::string_view line) {
    auto words = split(line, ' ');
    std::erase(words, std::string_view());
    return words;
}

CostSample parse_sample(std::string_view line) {
    constexpr int kLargestKernel = 65535;
    const auto words = words_of(line);
    if (words.size() != 6)
        throw Error("bad-costs",
                    "a line has six values: algorithm, depth, channels, megapixels, kernel size, factor");
    const bool alpha = words[2].ends_with('a');
    return {std::string(words[0]),
            depth_named(words[1]),
            parse_count(words[2].substr(0, words[2].size() - alpha), "channels", kMaxChannels),
            parse_positive(words[3], "megapixels"),
            parse_count(words[4], "kernel size", kLargestKernel),
            parse_positive(words[5], "factor"),
            alpha};
}

void check_header(std::string_view line, std::string_view engine) {
    const auto words = words_of(line);
    if (words.size() < 2 || words[0] != kSchema || words[1] != engine)
        throw Error("bad-costs", "the first line does not begin with {} {}", kSchema, engine);
}

} // namespace

CostCorrections::CostCorrections(std::vector<CostSample> samples) {
    std::ranges::stable_sort(samples, {}, key_of);
    std::size_t same = 0; // samples averaged in samples_.back()
    for (auto& sample : samples) {
        if (!(sample.factor > 0 && sample.megapixels > 0 && sample.kernel_size > 0))
            throw Error("bad-costs", "the sizes and the factor of {} must be above 0", sample.algorithm);
        if (!samples_.empty() && key_of(samples_.back()) == key_of(sample)) {
            auto& mean = samples_.back().factor;
            ++same;
            mean *= std::pow(sample.factor / mean, 1.0 / static_cast<double>(same));
        } else {
            samples_.push_back(std::move(sample));
            same = 1;
        }
    }
}

CostCorrections CostCorrections::with_earlier(const CostCorrections& earlier) const {
    auto samples = samples_;
    for (const auto& sample : earlier.samples_)
        if (!std::ranges::binary_search(samples_, key_of(sample), {}, key_of)) samples.push_back(sample);
    return CostCorrections(std::move(samples));
}

double CostCorrections::factor(std::string_view algorithm, const ImageStep& step) const {
    const auto measured = [&](bool alpha) {
        const std::tuple group(algorithm, step.in.depth, step.in.channels, alpha);
        return std::span(std::ranges::lower_bound(samples_, group, {}, group_of),
                         std::ranges::upper_bound(samples_, group, {}, group_of));
    };
    auto found = measured(is_alpha_weighted(step));
    if (found.empty()) found = measured(false);
    if (found.empty() || step.stages.empty()) return 1;
    std::vector<std::span<const CostSample>> sizes; // samples of one image size each
    for (auto begin = found.begin(); begin != found.end();) {
        const auto end = std::find_if(begin, found.end(),
                                      [&](const auto& s) { return s.megapixels != begin->megapixels; });
        sizes.emplace_back(begin, end);
        begin = end;
    }
    const auto& kernel = step.stages.front().kernels.front();
    const double kernel_size = std::log(std::max(kernel.width, kernel.height)),
                 megapixels = std::log(static_cast<double>(step.size.width) *
                                       static_cast<double>(step.size.height) * 1e-6);
    const auto of_size = [&](std::size_t i) {
        const auto& samples = sizes[i];
        return interpolated(
            kernel_size, samples.size(), [&](std::size_t k) { return std::log(samples[k].kernel_size); },
            [&](std::size_t k) { return std::log(samples[k].factor); });
    };
    return std::exp(interpolated(
        megapixels, sizes.size(), [&](std::size_t i) { return std::log(sizes[i].front().megapixels); },
        of_size));
}

std::string costs_text(const CostCorrections& corrections, std::string_view engine, std::string_view device) {
    std::string text = std::string(kSchema) + " " + std::string(engine) + " " + std::string(device) +
                       "\n# algorithm depth channels megapixels kernel-size measured/estimated\n";
    for (const auto& s : corrections.samples()) {
        const auto rounded = [](double v) {
            char digits[32];
            std::snprintf(digits, sizeof digits, "%.5g", v);
            return std::string(digits);
        };
        text += s.algorithm + " " + std::string(name(s.depth)) + " " + std::to_string(s.channels) +
                (s.alpha ? "a " : " ") + rounded(s.megapixels) + " " + std::to_string(s.kernel_size) + " " +
                rounded(s.factor) + "\n";
    }
    return text;
}

bool is_costs_text(std::string_view text) {
    return text.starts_with(kSchema.substr(0, kSchema.find('/') + 1));
}

CostCorrections parse_costs(std::string_view text, std::string_view file, std::string_view engine) {
    std::vector<CostSample> samples;
    std::size_t at = 0, number = 0;
    for (const auto line : split(text, '\n')) {
        try {
            if (number++ == 0) check_header(line, engine);
            else if (!line.empty() && !line.starts_with('#')) samples.push_back(parse_sample(line));
        } catch (const Error& error) {
            throw error_at(file, text, at, error);
        }
        at = std::min(text.find('\n', at), text.size() - 1) + 1;
    }
    return CostCorrections(std::move(samples));
}

} // namespace kg
