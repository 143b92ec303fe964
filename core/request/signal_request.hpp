#pragma once
// What to compute of signals, never how: sums along one dimension (semantics 15).

#include "core/image/border.hpp"
#include "core/image/tensor.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace kg {

enum class SignalMode : std::uint8_t {
    full,  ///< every output that any sample reaches; zeros outside
    same,  ///< an output for each sample, around the anchor; the border outside
    valid, ///< the outputs that read nothing outside
};
constexpr std::string_view name(SignalMode mode) {
    constexpr std::string_view names[] = {"full", "same", "valid"};
    return names[static_cast<int>(mode)];
}

/// The taps have the type of the samples, in which the sums are computed.
using SignalTaps = std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>,
                                std::vector<std::int64_t>>;

/// A batch of signals of one length, each summed with the same taps.
struct SignalRequest {
    std::int64_t samples = 0; ///< of each signal as a whole: borders and frames begin there
    std::int64_t signals = 1;
    SignalTaps taps; ///< in the order in which a correlation reads the samples
    SignalMode mode = SignalMode::full;
    bool flip = false;            ///< convolution: the taps are reversed together with their anchor
    Border border = Border::zero; ///< `same` alone has another one
    double outside = 0;           ///< the sample outside under `constant`; a whole number for integers
    std::int64_t dilation = 1;    ///< samples from a tap to the next
    std::int64_t stride = 1;      ///< samples from an output to the next
    std::optional<std::int64_t> anchor{}; ///< the tap over its output's sample in `same`; half of the taps

    bool operator==(const SignalRequest&) const = default;
};

/// The largest number of samples, taps times dilation, and samples between outputs.
inline constexpr std::int64_t kMostSamples = std::int64_t{1} << 40;

/// Throws Error with a message that names the parameter: no samples or taps, a number that is not positive
/// or larger than kMostSamples, taps that are not finite, an anchor outside the taps, a border or an anchor
/// in another mode than `same`, no output at all.
void validate(const SignalRequest& request);

Element element(const SignalRequest& request);
std::int64_t tap_count(const SignalRequest& request);
/// Samples from the first tap to the last, both included: (taps - 1) * dilation + 1.
std::int64_t tap_span(const SignalRequest& request);
/// The outputs of each signal.
std::int64_t output_count(const SignalRequest& request);
/// The sample under the first tap at output 0; negative outside. At output i it is i * stride later.
std::int64_t first_sample(const SignalRequest& request);
/// The range of samples that contains all on which the outputs depend, borders resolved. Not empty.
Span source_samples(const SignalRequest& request, Span outputs);

/// A tap that is not zero, at a number of samples behind the first one.
template <typename T>
struct PlacedTap {
    std::int64_t place = 0;
    T weight{};
};
/// The taps in the order in which they are summed: as given, or reversed by `flip`. A zero is no tap
/// (semantics 1), so there may be none. T is the type of the request's taps.
template <typename T>
std::vector<PlacedTap<T>> placed_taps(const SignalRequest& request) {
    const auto& taps = std::get<std::vector<T>>(request.taps);
    std::vector<PlacedTap<T>> placed;
    const auto count = static_cast<std::int64_t>(taps.size());
    for (std::int64_t j = 0; j < count; ++j)
        if (const T weight = taps[static_cast<std::size_t>(request.flip ? count - 1 - j : j)]; weight != 0)
            placed.push_back({j * request.dilation, weight});
    return placed;
}

} // namespace kg
