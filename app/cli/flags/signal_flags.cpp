#include "app/cli/flags/signal_flags.hpp"

#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/cli/flags/tensor_flags.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <CLI/CLI.hpp>

#include <array>
#include <filesystem>

namespace kg {

namespace {

/// The value whose name is the word.
template <typename Value, std::size_t N>
Value parse_word(std::string_view flag, const std::string& word, const std::array<Value, N>& values) {
    std::vector<std::string_view> names;
    for (const auto value : values) {
        if (name(value) == word) return value;
        names.push_back(name(value));
    }
    throw Error("bad-value", "{} must be one of {}, not {}", flag, listed(names), in_quotes(word));
}

/// Also where a number is mistyped: a comma, and no file of that name.
bool is_list_of_numbers(const std::string& word) {
    std::error_code ignored;
    const bool fits = word.find_first_not_of("0123456789+-.eE, ") == std::string::npos &&
                      word.find_first_of("0123456789") != std::string::npos;
    return fits || (word.find(',') != std::string::npos && !std::filesystem::exists(word, ignored));
}

/// "1,2,1", or the only signal of a file.
SignalNumbers read_taps(const std::string& word, Element type,
                        const std::function<std::string(const std::string&)>& read) {
    if (is_list_of_numbers(word)) return parse_taps(word, type, "--taps");
    const auto what = "--taps: " + input_name(word);
    auto taps = read_signals(read(word), what, type);
    if (taps.signals > 1 && taps.samples() > 1)
        throw Error("many-signals", "{}: there are {} signals in it; taps are one", what, taps.signals);
    return std::move(taps.numbers);
}

} // namespace

std::vector<std::string> SignalFlags::files(const std::string& input) const {
    std::vector<std::string> all{input};
    if (!taps_.empty() && !is_list_of_numbers(taps_)) all.push_back(taps_);
    return all;
}

void SignalFlags::add_to(CLI::App& app) {
    constexpr auto kTaps = "Taps", kSums = "Sums";
    add_value(app, "--taps", "FILE|NUMBERS",
              "Taps: a file of one signal (WAV, .npy, CSV), or numbers such as 1,2,1",
              [this](const std::string& word) { taps_ = word; })
        ->group(kTaps);
    add_value(
        app, "-f,--filter", "PRESET",
        "Taps of a preset, id[:key=value]..., such as lowpass:cutoff=1000; it sets mode, flip and border "
        "unless their flags are given",
        [this](const std::string& word) { recipe_.filter = word; })
        ->group(kTaps);
    app.add_flag("--flip", recipe_.flip,
                 "Convolve: reverse the taps (default: correlate, or as the preset does)")
        ->group(kSums);
    add_value(app, "--mode", "full|same|valid",
              "Outputs: all that a sample reaches, one for each sample, or those that read nothing outside "
              "(default: full, or that of the preset)",
              [this](const std::string& word) {
                  recipe_.mode = parse_word(
                      "--mode", word, std::array{SignalMode::full, SignalMode::same, SignalMode::valid});
              })
        ->group(kSums);
    add_tensor_border(app, "What lies outside in the mode same (default: zero, or that of the preset)",
                      [this](Border border, double outside) {
                          recipe_.border = border;
                          recipe_.outside = outside;
                      });
    constexpr auto kMost = kMostSamples;
    add_integer(app, "--anchor",
                "The tap over its output's sample in the mode same (default: half of the taps)", 0, kMost,
                [this](std::int64_t n) { recipe_.anchor = n; })
        ->group(kSums);
    add_integer(app, "--dilation", "Samples from a tap to the next (default: 1)", 1, kMost,
                [this](std::int64_t n) { recipe_.dilation = n; })
        ->group(kSums);
    add_integer(app, "--stride", "Samples from an output to the next (default: 1)", 1, kMost,
                [this](std::int64_t n) { recipe_.stride = n; })
        ->group(kSums);
    add_value(app, "--type", "f32|f64|i32|i64",
              "Type of samples, taps and sums (default: that of the file: f32 for WAV, f64 for CSV)",
              [this](const std::string& word) {
                  type_ = parse_word("--type", word,
                                     std::array{Element::f32, Element::f64, Element::i32, Element::i64});
              })
        ->group(kSums);
    constexpr std::int64_t kMostRate = 0xffffffff;
    add_integer(app, "--rate", "Samples per second (default: that of the file)", 1, kMostRate,
                [this](std::int64_t n) { rate_ = static_cast<std::uint32_t>(n); })
        ->group("Files");
}

SignalRequest SignalFlags::request(const SignalData& signals,
                                   const std::function<std::string(const std::string&)>& read) const {
    if (taps_.empty() == recipe_.filter.empty())
        throw Error("no-taps", "{}",
                    taps_.empty() ? "there are no taps: give --taps or a preset with -f"
                                  : "--taps and -f exclude each other");
    auto recipe = recipe_;
    if (recipe.filter.empty()) recipe.taps = read_taps(taps_, signals.view().format.element, read);
    return signal_request(recipe, signals);
}

} // namespace kg
