#include "app/io/signals/signal_file.hpp"

#include "app/io/signals/formats.hpp"
#include "core/image/numpy_header.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace kg {

namespace {

/// True if To holds the value of the number, of which floats may round to fewer digits.
template <typename To, typename From>
bool holds(From number) {
    if constexpr (std::is_floating_point_v<To>) {
        return std::isnan(static_cast<double>(number)) || std::isinf(static_cast<double>(number)) ||
               std::isfinite(static_cast<To>(number));
    } else if constexpr (std::is_integral_v<From>) {
        return std::in_range<To>(number);
    } else {
        // The smallest is a power of two, which floats hold; the largest is not.
        const double wide = static_cast<double>(number);
        const double least = static_cast<double>(std::numeric_limits<To>::min());
        return wide == std::trunc(wide) && wide >= least && wide < -least;
    }
}

template <typename To, typename From>
std::vector<To> converted_numbers(const std::vector<From>& from, const std::string& what) {
    std::vector<To> to;
    to.reserve(from.size());
    for (const From number : from) {
        if (!holds<To>(number)) {
            constexpr bool whole = std::is_integral_v<To>;
            throw Error("number-out-of-type", "{}: the number {} cannot be {}: {}", what,
                        to_text(static_cast<double>(number)),
                        whole ? "an integer of " + std::to_string(8 * sizeof(To)) + " bits"
                              : std::string("a 32-bit float"),
                        whole ? "choose --type f32 or f64" : "choose --type f64");
        }
        to.push_back(static_cast<To>(number));
    }
    return to;
}

template <typename To>
SignalNumbers converted_to(const SignalNumbers& numbers, const std::string& what) {
    return std::visit([&](const auto& from) -> SignalNumbers { return converted_numbers<To>(from, what); },
                      numbers);
}

/// The kind of a file of another format, by its first bytes; empty = unknown.
std::string_view other_kind(std::string_view bytes) {
    using namespace std::string_view_literals;
    static constexpr std::pair<std::string_view, std::string_view> kinds[] = {
        {"fLaC"sv, "FLAC audio"},
        {"OggS"sv, "Ogg audio"},
        {"ID3"sv, "MP3 audio"},
        {"RF64"sv, "an RF64 file, a WAV file of more than 4 GiB"},
        {"RIFX"sv, "a RIFX file, a WAV file of big-endian numbers"},
        {"RIFF"sv, "a RIFF file, but no WAV file"},
        {"FORM"sv, "an AIFF file"},
        {".snd"sv, "an AU file"}};
    for (const auto& [begin, kind] : kinds)
        if (bytes.starts_with(begin)) return kind;
    // The first 11 bits of a frame of MPEG audio are set; layer 0 is none, which UTF-16 text has.
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
    if (bytes.size() > 2 && byte(0) == 0xff && byte(1) >= 0xe0 && (byte(1) & 6) != 0 && byte(1) != 0xfe)
        return "MP3 audio";
    if (bytes.substr(0, 8).ends_with("ftyp")) return "an MPEG-4 file";
    if (!is_numpy_file(bytes) && (bytes.starts_with('\x93') || bytes.substr(0, 6).ends_with("NUMPY")))
        return "a NumPy array whose first bytes are damaged";
    return {};
}

Element type_of(const SignalNumbers& numbers) {
    SignalRequest request;
    request.taps = numbers;
    return element(request);
}

} // namespace

std::int64_t SignalData::samples() const {
    return std::visit([&](const auto& all) { return std::ssize(all) / signals; }, numbers);
}

ConstTensorView SignalData::view() const {
    return std::visit(
        [&]<typename T>(const std::vector<T>& all) -> ConstTensorView {
            return {reinterpret_cast<const std::byte*>(all.data()),
                    {type_of(SignalNumbers(std::vector<T>())), 1, sizeof(T), all.size() * sizeof(T)},
                    static_cast<std::size_t>(samples()) * sizeof(T),
                    {samples(), signals}};
        },
        numbers);
}

SignalData read_signals(std::string_view bytes, const std::string& what, std::optional<Element> type) {
    const bool is_wav = io::is_wav_file(bytes);
    if (const auto kind = is_wav ? std::string_view() : other_kind(bytes); !kind.empty())
        throw Error("unknown-signal-format",
                    "{}: this is {}; WAV, NumPy arrays (.npy) and text (CSV) are read", what, kind);
    auto data = is_wav                 ? io::read_wav(bytes, what, type)
                : is_numpy_file(bytes) ? io::read_npy(bytes, what)
                                       : io::read_csv(bytes, what, type);
    if (data.samples() < 1) throw Error("no-samples", "{}: there are no samples in it", what);
    if (type) data.numbers = converted(std::move(data.numbers), *type, what);
    return data;
}

SignalFormat signal_format(std::string_view extension) {
    const auto lower = lower_case(extension);
    if (lower == ".wav") return SignalFormat::wav;
    if (lower == ".npy") return SignalFormat::npy;
    if (lower == ".csv" || lower == ".txt") return SignalFormat::csv;
    throw Error("unknown-signal-format", "signals are written as .wav, .npy, .csv and .txt, not {}",
                in_quotes(extension));
}

WrittenSignals write_signals(const SignalData& data, SignalFormat format, WavSample stored) {
    switch (format) {
    case SignalFormat::wav: return io::write_wav(data, stored);
    case SignalFormat::npy: return {io::write_npy(data), 0};
    case SignalFormat::csv: return {io::write_csv(data), 0};
    }
    return {};
}

SignalNumbers converted(SignalNumbers numbers, Element type, const std::string& what) {
    if (type_of(numbers) == type) return numbers;
    switch (type) {
    case Element::f32: return converted_to<float>(numbers, what);
    case Element::f64: return converted_to<double>(numbers, what);
    case Element::i32: return converted_to<std::int32_t>(numbers, what);
    case Element::i64: return converted_to<std::int64_t>(numbers, what);
    case Element::i8:
    case Element::u8:
    case Element::i16:
    case Element::u16:
    case Element::f16: break;
    }
    throw Error("bad-value", "signals are of type f32, f64, i32 or i64, not {}", name(type));
}

} // namespace kg
