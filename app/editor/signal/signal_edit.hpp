#pragma once
// What a person edits in the workspace Signal, and the names of the edits.

#include "app/process/signal_recipe.hpp"
#include "filters/signal_filter.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

struct SignalEdit {
    std::string filter = "lowpass"; ///< id of the preset
    Values values{};                ///< of its parameters; the others have their defaults
    /// Replace those of the preset, with `flip` and `anchor` as it had them.
    std::optional<std::vector<double>> taps{};
    bool flip = false;                     ///< a convolution; a preset may ask for it, too
    std::optional<SignalMode> mode{};      ///< empty = that of the preset
    std::optional<Border> border{};        ///< in the mode same; empty = that of the preset
    std::int64_t stride = 1, dilation = 1; ///< samples from an output, or a tap, to the next
    /// The tap over its output's sample, in the mode same; empty = that of the preset, else half of the taps.
    std::optional<std::int64_t> anchor{};
    std::optional<Element> type{};   ///< empty = that of the file
    std::optional<WavSample> bits{}; ///< of a WAV file that is saved; empty = those of the file
    std::uint32_t rate = 0;          ///< samples per second; 0 = that of the file

    bool operator==(const SignalEdit&) const = default;
};

/// A preset with values for all parameters that have no default for a signal of this rate, 0 where it is not
/// known: frequencies within its range, and times in samples. How samples are read, taken and stored stays as
/// in `before`: type, rate, stride, dilation and bits.
SignalEdit with_preset(const SignalEdit& before, std::string_view id, std::uint32_t rate);

/// Its text, as after -f.
std::string preset_text(const SignalEdit& edit);
/// The value of a parameter: what was set, or the default.
std::string value_of(const SignalEdit& edit, const Parameter& parameter);

SignalRecipe recipe_of(const SignalEdit& edit);

/// "Low pass cutoff 1000 to 1200", "Tap 3 0.5 to 0.25", "Mode same to full".
std::string describe_change(const SignalEdit& before, const SignalEdit& after);

} // namespace kg
