#pragma once
// A preset for signals: its parameters, declared once as those of image filters, and a function that designs
// the taps.

#include "core/image/border.hpp"
#include "core/request/signal_request.hpp"
#include "filters/filter.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace kg {

/// Taps and how they are meant to be applied.
struct SignalDesign {
    std::vector<double> taps;
    SignalMode mode = SignalMode::same;
    bool flip = false; ///< a convolution: the first tap weighs the sample itself, the next the one before
    Border border = Border::zero;
    std::optional<std::int64_t> anchor{}; ///< in the mode same; half of the taps
};

struct SignalFilter {
    std::string_view id, title, summary;
    std::vector<Parameter> parameters;
    /// Requires complete values within range. `rate` is that of the signal in samples per second, or 1 where
    /// it is not known: times are in samples then, and frequencies in periods per sample. `samples` is its
    /// length. Throws Error that names the parameter.
    SignalDesign (*build)(const Values&, double rate, std::int64_t samples);
};

/// All presets for signals, in the order of lists.
std::span<const SignalFilter* const> signal_filters();

/// Throws Error with a suggestion if there is no preset of that id.
const SignalFilter& find_signal_filter(std::string_view id);

/// Parses "lowpass:cutoff=1000:taps=101" and completes the values. Throws Error with a suggestion if there is
/// no preset or parameter of a name, and for values out of range.
std::pair<const SignalFilter*, Values> parse_signal_filter(std::string_view text);

} // namespace kg
