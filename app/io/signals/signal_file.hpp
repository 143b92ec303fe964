#pragma once
// Files of signals: WAV, NumPy's .npy and text with numbers (CSV).

#include "core/image/tensor.hpp"
#include "core/request/signal_request.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kg {

/// Numbers as samples have them, one signal behind the other.
using SignalNumbers = SignalTaps;

/// How a WAV file stores a sample.
enum class WavSample : std::uint8_t { u8, s16, s24, s32, f32, f64 };

struct SignalData {
    SignalNumbers numbers;
    std::int64_t signals = 1;             ///< channels of WAV, rows of NumPy, columns of text
    std::uint32_t rate = 0;               ///< samples per second; 0 = the file states none
    std::optional<WavSample> stored = {}; ///< of a WAV file
    /// What the file has and write_signals() does not write: "metadata (LIST)"; may be empty.
    std::string dropped{};

    std::int64_t samples() const; ///< of each signal
    ConstTensorView view() const;
};

/// Reads signals of whichever of the formats the bytes have. Without `type`, samples of WAV are f32, or f64
/// where f32 does not hold them all; those of text are f64; and those of NumPy have the type that holds the
/// array's. Samples of WAV are -1 to 1 as floats, and as stored as integers, where 8 bits become signed.
/// `what` begins the messages. Throws Error for damaged and unknown files, and for numbers that `type` cannot
/// hold.
SignalData read_signals(std::string_view bytes, const std::string& what, std::optional<Element> type = {});

enum class SignalFormat : std::uint8_t { wav, npy, csv };
/// By extension, in any case: .wav, .npy, .csv or .txt. Throws Error for another one.
SignalFormat signal_format(std::string_view extension);

struct WrittenSignals {
    std::string bytes;
    std::int64_t clipped = 0; ///< samples of WAV that were beyond its range, or not numbers
};

/// Samples per second of a WAV file whose data state none.
inline constexpr std::uint32_t kUsualRate = 44100;

/// The content of a file. WAV has the rate of the data, or kUsualRate, and stores samples as `stored`:
/// floats are rounded to nearest with ties to even, and clamped. Text has a column per signal, and reads back
/// exactly. Throws Error for what WAV cannot hold: more than 65535 signals, or 4 GiB.
WrittenSignals write_signals(const SignalData& data, SignalFormat format, WavSample stored = WavSample::s16);

/// The numbers as another type. Throws Error, which begins with `what`, for one that it cannot hold: integers
/// are whole and in range.
SignalNumbers converted(SignalNumbers numbers, Element type, const std::string& what);

/// The number that is 1 as a float: 32768 of 16 bits, and 1 of floats.
double full_scale(WavSample sample);

constexpr std::string_view name(WavSample sample) {
    constexpr std::string_view names[] = {"8", "16", "24", "32", "float", "double"};
    return names[static_cast<int>(sample)];
}

} // namespace kg
