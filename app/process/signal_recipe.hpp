#pragma once
// What `kernelglass signal` does to a file, from its flags or from the window: taps or a preset, and how they
// are applied.

#include "app/io/signals/signal_file.hpp"
#include "app/process/command_text.hpp"
#include "app/process/engine/engines.hpp"
#include "core/request/signal_request.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

struct SignalOutcome;

struct SignalRecipe {
    std::string filter{};                 ///< a preset as text, such as "lowpass:cutoff=1000"; empty = `taps`
    SignalNumbers taps{};                 ///< of the type of the samples
    std::optional<SignalMode> mode{};     ///< empty = that of the preset, or full
    std::optional<Border> border{};       ///< empty = that of the preset, or zero
    double outside = 0;                   ///< the sample outside under `constant`
    bool flip = false;                    ///< a convolution; a preset may ask for it, too
    std::optional<std::int64_t> anchor{}; ///< empty = that of the preset, or half of the taps
    std::int64_t dilation = 1, stride = 1;
};

/// The request for these signals. A preset designs its taps for their rate. Throws Error that names the
/// parameter.
SignalRequest signal_request(const SignalRecipe& recipe, const SignalData& signals);

/// Chooses the engine for the request, computes, and falls back. `notice` receives why another engine
/// computed; it may stay empty. With `verify` the result is compared with the reference. Throws the errors of
/// both engines, and Cancelled.
SignalOutcome run_signals(const EngineOptions& engines, const SignalRequest& request,
                          const SignalData& signals, bool verify, const std::stop_token& stop,
                          std::string& notice);

/// The content of a file for the result: WAV stores samples as `stored`, by default as the input did, else in
/// 16 bits.
WrittenSignals written_signals(const SignalData& result, SignalFormat format,
                               std::optional<WavSample> stored = {});

/// What the file to write, of samples `stored`, does not keep of the input: metadata, or the level where
/// integers are computed as stored.
std::vector<std::string> notes_of_writing(const SignalData& input, const SignalData& result,
                                          SignalFormat format, std::optional<WavSample> stored = {});

/// "0.25,0.5,0.25" as numbers of a type. Throws Error that begins with `what`.
SignalNumbers parse_taps(std::string_view list, Element type, const std::string& what);
/// The list that parse_taps() reads as these numbers.
std::string taps_text(std::span<const double> taps);

struct SignalCommand {
    std::filesystem::path in; ///< empty = the generated sample, which the command then writes first
    std::filesystem::path out;
    SignalRecipe recipe;
    std::optional<Element> type{};       ///< of samples and sums; empty = that of the file
    std::optional<WavSample> bits{};     ///< of a WAV file to write; empty = those of the file
    std::optional<std::uint32_t> rate{}; ///< samples per second; empty = that of the file
    EngineOptions engine{};
    std::filesystem::path folder; ///< for taps that are too many to type
};

/// `kernelglass signal IN OUT` with absolute paths and the flags that are needed. The recipe's taps are f64.
CommandText command_text(const SignalCommand& command);

} // namespace kg
