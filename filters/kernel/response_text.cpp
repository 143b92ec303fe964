#include "filters/kernel/response_text.hpp"

#include "core/support/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace kg {

namespace {

using Kind = DetailEffect::Kind;

constexpr double kCancelledSum = 1e-5; ///< the remainder of a sum of 0 in floats
constexpr double kTenth = 0.1;

std::string rounded_text(double value) { return short_number(value, 2); }

std::string times_text(double factor) {
    char text[32];
    std::snprintf(text, sizeof text, factor < 10 ? "%.1f" : "%.0f", factor);
    return text;
}

double period(std::size_t i) { return Response::kSize / static_cast<double>(i); }

using Radial = decltype(Response::radial);

/// The period from which on all shorter ones pass the test, up to 2 pixels; 0 if there is none.
template <typename Test>
double longest_period(const Radial& radial, Test test) {
    std::size_t i = radial.size();
    while (i > 1 && test(radial[i - 1])) --i;
    return i < radial.size() ? period(i) : 0;
}

/// The mean of all directions, or half of the strongest where that is more: what is left of a detail that may
/// lie in any direction.
Radial left_of_details(const Response& r) {
    Radial left = r.radial;
    for (int y = 0; y < Response::kSize; ++y)
        for (int x = 0; x < Response::kSize; ++x) {
            const auto distance = static_cast<std::size_t>(
                std::lround(std::hypot(x - Response::kSize / 2, y - Response::kSize / 2)));
            if (distance < left.size()) left[distance] = std::max(left[distance], r.at(x, y) / 2);
        }
    return left;
}

bool cancels(const Response& r) { return std::fabs(r.gain) <= kCancelledSum * r.largest(); }

} // namespace

DetailEffect detail_effect(const Response& r) {
    const auto peak = std::ranges::max_element(r.radial);
    if (*peak == 0) return {};
    const auto at = static_cast<std::size_t>(peak - r.radial.begin());
    if (cancels(r)) return {Kind::selects, period(std::max<std::size_t>(at, 1)), r.largest()};
    const double gain = std::fabs(r.gain);
    if (const double p = longest_period(left_of_details(r), [&](double v) { return v < kTenth * gain; });
        p > 0)
        return {Kind::removes, p, 0};
    if (const double p = longest_period(r.radial, [&](double v) { return v < (1 - kTenth) * gain; }); p > 0)
        return {Kind::weakens, p, r.radial.back() / gain};
    if (const double p = longest_period(r.radial, [&](double v) { return v > (1 + kTenth) * gain; }); p > 0)
        return {Kind::strengthens, p, r.largest() / gain};
    return {Kind::keeps, 0, 1};
}

EdgeEffect edge_effect(const Response& r) {
    const auto& values = r.step.values;
    const auto count = [&](auto test) {
        return static_cast<int>(std::ranges::count_if(values, test) * r.step.every);
    };
    if (cancels(r)) {
        double most = 0;
        for (const double v : values) most = std::max(most, std::fabs(v));
        return {true, count([&](double v) { return std::fabs(v) > kTenth * most; }), 0};
    }
    double most = 0;
    for (const double v : values) most = std::max(most, v / r.gain);
    const auto between = [&](double v) { return v / r.gain > kTenth && v / r.gain < 1 - kTenth; };
    return {false, count(between), std::max(most - 1, 0.0)};
}

std::string detail_text(const Response& r) {
    const auto effect = detail_effect(r);
    const auto pixels = rounded_text(effect.pixels) + " pixels";
    switch (effect.kind) {
    case Kind::keeps: return "Details of every size are kept.";
    case Kind::removes: return "Details that repeat within " + pixels + " or less are removed.";
    case Kind::weakens:
        return "Details that repeat within " + pixels + " or less are weakened, the finest to " +
               rounded_text(100 * effect.factor) + " % on average.";
    case Kind::strengthens:
        return "Details that repeat within " + pixels + " or less are strengthened, up to " +
               times_text(effect.factor) + " times.";
    case Kind::selects:
        return "Flat areas vanish; details that repeat within about " + pixels + " are strongest (up to " +
               times_text(effect.factor) + " times).";
    case Kind::nothing: return "All weights are 0: nothing passes.";
    }
    return {};
}

std::string radial_text(const Response& r) {
    const std::string curve = " The curve is the mean of all directions.";
    if (cancels(r)) return detail_text(r) + curve;
    const double finest = r.radial.back() / std::fabs(r.gain);
    return detail_text(r) + " A pattern that alternates every pixel keeps " +
           rounded_text(100 * std::min(finest, 99.0)) + " % of its contrast on average." + curve;
}

std::string edge_text(const Response& r) {
    const auto effect = edge_effect(r);
    const auto pixels = std::to_string(effect.pixels) + (effect.pixels == 1 ? " pixel" : " pixels");
    const std::string edge = r.is_down ? "A horizontal edge" : "A vertical edge";
    if (effect.is_line && effect.pixels == 0) return edge + " vanishes.";
    if (effect.is_line) return edge + " becomes a line of " + pixels + "; flat areas vanish.";
    auto text = edge + (effect.pixels == 0 ? std::string(" stays sharp") : " is spread over " + pixels);
    if (effect.overshoot > 0.01)
        text += " and overshoots by " + rounded_text(100 * effect.overshoot) + " % of its height";
    return text + ".";
}

std::string noise_text(const Response& r) {
    const auto factor = rounded_text(r.noise_gain);
    if (r.noise_gain < 0.995) return "Noise of single pixels is weakened to " + factor + " of its strength.";
    if (r.noise_gain > 1.005) return "Noise of single pixels is strengthened, " + factor + " times.";
    return "Noise of single pixels stays as strong as it is.";
}

std::string impulse_text(const Response& r) {
    const std::string text = "What one bright pixel becomes, along ", line = r.is_down ? "column" : "row";
    if (r.impulse_below == 0) return text + "its " + line + ".";
    const auto count = std::labs(r.impulse_below);
    const std::string direction = r.is_down
                                      ? (r.impulse_below > 0 ? " to the right of it" : " to the left of it")
                                      : (r.impulse_below > 0 ? " below it" : " above it");
    return text + "the " + line + " that is " + std::to_string(count) + (count == 1 ? " pixel" : " pixels") +
           direction + ".";
}

} // namespace kg
