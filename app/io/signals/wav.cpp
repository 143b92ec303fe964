// WAV: RIFF chunks with linear samples of 8 (unsigned), 16, 24 and 32 bits, or floats of 32 and 64.
// Source: Microsoft and IBM, "Multimedia Programming Interface and Data Specifications 1.0", 1991;
// WAVEFORMATEXTENSIBLE.

#include "app/io/codecs/bytes.hpp"
#include "app/io/signals/formats.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace kg::io {

namespace {

constexpr std::uint32_t kPcm = 1, kFloat = 3, kExtensible = 0xfffe, kUnknownLength = 0xffffffff;

struct Format {
    std::uint32_t tag = 0, channels = 0, rate = 0, block = 0, bits = 0;
    std::uint32_t mask = 0; ///< of WAVEFORMATEXTENSIBLE: the loudspeakers
    WavSample sample = WavSample::s16;
};

std::size_t bytes_of(WavSample sample) {
    constexpr std::size_t kBytes[] = {1, 2, 3, 4, 4, 8};
    return kBytes[static_cast<int>(sample)];
}
bool is_float(WavSample sample) { return sample == WavSample::f32 || sample == WavSample::f64; }

Format parse_format(std::string_view chunk, const std::string& what) {
    Format format;
    format.tag = little_endian(chunk, 0, 2);
    format.channels = little_endian(chunk, 2, 2);
    format.rate = little_endian(chunk, 4, 4);
    format.block = little_endian(chunk, 12, 2);
    format.bits = little_endian(chunk, 14, 2);
    constexpr std::size_t kMask = 20, kSubformat = 24; // its first two bytes are the tag
    if (format.tag == kExtensible) {
        format.mask = little_endian(chunk, kMask, 4);
        format.tag = little_endian(chunk, kSubformat, 2);
    }
    const auto find = [&](bool floats) -> std::optional<WavSample> {
        for (const auto sample :
             {WavSample::u8, WavSample::s16, WavSample::s24, WavSample::s32, WavSample::f32, WavSample::f64})
            if (is_float(sample) == floats && bytes_of(sample) * 8 == format.bits) return sample;
        return {};
    };
    const auto sample = format.tag == kPcm ? find(false) : format.tag == kFloat ? find(true) : std::nullopt;
    if (!sample)
        throw Error("unsupported-wav",
                    "{}: its samples are of format {} with {} bits; linear samples of 8, 16, 24 and 32 bits "
                    "and floats of 32 and 64 bits are read",
                    what, format.tag, format.bits);
    format.sample = *sample;
    if (format.rate == 0) throw Error("damaged-file", "{}: it has 0 samples per second", what);
    if (format.channels == 0 || format.block != format.channels * bytes_of(*sample))
        throw Error("damaged-file", "{}: {} channels of {} bits do not make blocks of {} bytes", what,
                    format.channels, format.bits, format.block);
    return format;
}

struct Contents {
    Format format;
    std::string_view data;
};

/// Ids of chunks of metadata, also behind the samples, where a file may end early.
std::string metadata_of(std::string_view bytes) {
    std::string ids;
    std::size_t at = 12;
    while (at + 8 <= bytes.size()) {
        const auto id = bytes.substr(at, 4);
        for (const auto* const known : {"LIST", "id3 ", "bext", "iXML", "cue ", "smpl"})
            if (id == known) ids += (ids.empty() ? "" : ", ") + std::string(trimmed(id));
        const std::size_t length = little_endian(bytes, at + 4, 4);
        at += 8 + length + length % 2;
    }
    return ids;
}

/// What write_wav() does not write. It has no mask, which stands for one or two usual loudspeakers.
std::string dropped_from(std::string_view bytes, const Format& format) {
    constexpr std::uint32_t kMono = 4, kStereo = 3;
    std::string dropped = metadata_of(bytes);
    if (!dropped.empty()) dropped = "metadata (" + dropped + ")";
    if (format.mask != 0 && !(format.channels == 1 && format.mask == kMono) &&
        !(format.channels == 2 && format.mask == kStereo))
        dropped += std::string(dropped.empty() ? "" : " and ") + "the channel mask";
    return dropped;
}

Contents contents_of(std::string_view bytes, const std::string& what) {
    Contents contents;
    bool has_format = false;
    std::size_t at = 12;
    while (at + 8 <= bytes.size()) {
        const auto id = bytes.substr(at, 4);
        std::size_t length = little_endian(bytes, at + 4, 4);
        at += 8;
        // Programs that write into a pipe do not know the length.
        if (id == "data" && length == kUnknownLength) {
            length = bytes.size() - at;
            if (has_format) length -= length % contents.format.block;
        }
        if (length > bytes.size() - at)
            throw Error("truncated-file", "{}: this WAV file ends before its samples do", what);
        const auto chunk = bytes.substr(at, length);
        if (id == "fmt ") contents.format = parse_format(chunk, what), has_format = true;
        if (id == "data") {
            if (!has_format) throw Error("damaged-file", "{}: its samples come before their format", what);
            if (length % contents.format.block != 0)
                throw Error("damaged-file", "{}: its {} bytes of samples end within a block of {}", what,
                            length, contents.format.block);
            contents.data = chunk;
            return contents;
        }
        at += length + length % 2;
    }
    throw Error("truncated-file", "{}: this WAV file has no samples", what);
}

/// The sample as it is stored; 8 bits become signed.
std::int64_t stored_integer(const char* at, WavSample sample) {
    std::int64_t bits = 0;
    for (std::size_t i = bytes_of(sample); i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(at[i]);
    const auto half = std::int64_t{1} << (8 * bytes_of(sample) - 1);
    if (sample == WavSample::u8) return bits - half;
    return bits < half ? bits : bits - 2 * half;
}

double stored_float(const char* at, WavSample sample) {
    std::uint64_t bits = 0;
    for (std::size_t i = bytes_of(sample); i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(at[i]);
    return sample == WavSample::f64
               ? std::bit_cast<double>(bits)
               : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

/// Channels become signals one behind the other.
template <typename T, typename Value>
std::vector<T> apart(const Contents& contents, Value value) {
    const auto& format = contents.format;
    const std::size_t channels = format.channels, frames = contents.data.size() / format.block;
    std::vector<T> numbers(channels * frames);
    for (std::size_t frame = 0; frame < frames; ++frame)
        for (std::size_t channel = 0; channel < channels; ++channel)
            numbers[channel * frames + frame] = static_cast<T>(
                value(contents.data.data() + frame * format.block + channel * bytes_of(format.sample)));
    return numbers;
}

template <typename T>
void put_bits(std::string& bytes, T bits, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) bytes += static_cast<char>(bits >> (8 * i) & 255);
}

/// Appends integers; floats are in units of full scale. Returns true if it was clamped, or not a number.
template <typename T>
bool put_integer(std::string& bytes, T number, WavSample stored) {
    const double scale = full_scale(stored);
    double value = static_cast<double>(number);
    if constexpr (std::is_floating_point_v<T>) value *= scale;
    const double clamped = std::isnan(value) ? 0 : std::clamp(std::nearbyint(value), -scale, scale - 1);
    auto integer = static_cast<std::int64_t>(clamped);
    if (stored == WavSample::u8) integer += 128;
    put_bits(bytes, static_cast<std::uint64_t>(integer), bytes_of(stored));
    return std::isnan(value) || std::nearbyint(value) != clamped;
}

template <typename T>
bool put_float(std::string& bytes, T number, WavSample stored) {
    const auto value = static_cast<double>(number);
    if (stored == WavSample::f64) {
        put_bits(bytes, std::bit_cast<std::uint64_t>(value), sizeof(double));
        return false;
    }
    constexpr double kMost = std::numeric_limits<float>::max();
    const bool beyond = std::isfinite(value) && std::fabs(value) > kMost;
    const auto clamped = static_cast<float>(beyond ? std::copysign(kMost, value) : value);
    put_bits(bytes, std::bit_cast<std::uint32_t>(clamped), sizeof(float));
    return beyond;
}

} // namespace

bool is_wav_file(std::string_view bytes) {
    return bytes.starts_with("RIFF") &&
           bytes.substr(std::min<std::size_t>(8, bytes.size())).starts_with("WAVE");
}

SignalData read_wav(std::string_view bytes, const std::string& what, std::optional<Element> type) try {
    const auto contents = contents_of(bytes, what);
    const auto sample = contents.format.sample;
    SignalData data;
    data.signals = contents.format.channels;
    data.rate = contents.format.rate;
    data.stored = sample;
    data.dropped = dropped_from(bytes, contents.format);
    const double scale = full_scale(sample);
    if (is_float(sample)) {
        const auto value = [&](const char* at) { return stored_float(at, sample); };
        if (sample == WavSample::f32) data.numbers = apart<float>(contents, value);
        else data.numbers = apart<double>(contents, value);
    } else if (type == Element::i32 || type == Element::i64) {
        data.numbers = apart<std::int32_t>(contents,
                                           [&](const char* at) { return stored_integer(at, sample); });
    } else {
        const auto value = [&](const char* at) {
            return static_cast<double>(stored_integer(at, sample)) / scale;
        };
        // A 32-bit float holds 24 bits exactly.
        if (sample == WavSample::s32) data.numbers = apart<double>(contents, value);
        else data.numbers = apart<float>(contents, value);
    }
    return data;
} catch (const Error& error) {
    if (std::string_view(error.what()).starts_with(what)) throw;
    throw error.after(what + ": "); // a chunk ends early
}

WrittenSignals write_wav(const SignalData& data, WavSample stored) {
    constexpr std::uint32_t kHeader = 36;
    const auto samples = static_cast<std::uint64_t>(data.samples());
    const auto channels = static_cast<std::uint64_t>(data.signals), block = channels * bytes_of(stored);
    const auto length = samples * block;
    if (channels > std::numeric_limits<std::uint16_t>::max() ||
        block > std::numeric_limits<std::uint16_t>::max())
        throw Error("too-many-channels", "a WAV file has no room for {} signals; write .npy or .csv",
                    channels);
    if (length > std::numeric_limits<std::uint32_t>::max() - kHeader - 1)
        throw Error("wav-too-long", "a WAV file holds at most 4 GiB, and the result has {} bytes; write .npy",
                    length);
    const auto rate = data.rate == 0 ? kUsualRate : data.rate;
    WrittenSignals written;
    auto& bytes = written.bytes;
    const auto put = [&](std::uint64_t number, int count) {
        put_little_endian(bytes, static_cast<std::uint32_t>(number), count);
    };
    bytes = "RIFF";
    put(kHeader + length + length % 2, 4);
    bytes += "WAVEfmt ";
    put(16, 4);
    put(is_float(stored) ? kFloat : kPcm, 2);
    put(channels, 2);
    put(rate, 4);
    put(rate * block, 4);
    put(block, 2);
    put(8 * bytes_of(stored), 2);
    bytes += "data";
    put(length, 4);
    bytes.reserve(bytes.size() + length + 1);
    std::visit(
        [&](const auto& numbers) {
            for (std::size_t i = 0; i < samples; ++i)
                for (std::size_t channel = 0; channel < channels; ++channel) {
                    const auto number = numbers[channel * samples + i];
                    written.clipped += is_float(stored) ? put_float(bytes, number, stored)
                                                        : put_integer(bytes, number, stored);
                }
        },
        data.numbers);
    if (length % 2 != 0) bytes += '\0';
    return written;
}

} // namespace kg::io

namespace kg {

double full_scale(WavSample sample) {
    const bool is_float = sample == WavSample::f32 || sample == WavSample::f64;
    return is_float ? 1 : std::ldexp(1.0, static_cast<int>(8 * io::bytes_of(sample)) - 1);
}

} // namespace kg
