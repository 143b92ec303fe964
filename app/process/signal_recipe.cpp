#include "app/process/signal_recipe.hpp"

#include "app/process/engine/job_engine.hpp"
#include "app/process/signal_job.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "filters/signal_filter.hpp"

#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

namespace kg {

namespace {

constexpr std::size_t kMostTapsTyped = 49; // as many as weights of a kernel

bool is_number(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    double ignored = 0;
    const auto* const last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, ignored);
    return error == std::errc{} && end == last && std::isfinite(ignored);
}

/// A tap on each line: the lines of a file, or of one without its heading.
std::string lines_of(std::string_view list, const std::string& what, Element type = Element::f64) {
    const bool integers = type == Element::i32 || type == Element::i64;
    std::string lines;
    int tap = 0;
    for (const auto field : split(list, ',')) {
        const auto number = trimmed(field);
        ++tap;
        if (!is_number(number))
            throw Error("not-a-number", "{} are numbers with a comma between each two; {} is none", what,
                        in_quotes(number));
        if (integers && number.find_first_not_of("+-0123456789") != std::string_view::npos)
            throw Error("not-a-number",
                        "{}: tap {} is {}, and taps of {} are whole numbers; choose --type f64", what, tap,
                        number, name(type));
        lines += std::string(number) + "\n";
    }
    return lines;
}

} // namespace

SignalRequest signal_request(const SignalRecipe& recipe, const SignalData& signals) {
    const auto type = signals.view().format.element;
    SignalRequest request;
    if (recipe.filter.empty()) {
        request.taps = converted(recipe.taps, type, "taps");
    } else {
        const auto [filter, values] = parse_signal_filter(recipe.filter);
        auto design = filter->build(values, signals.rate == 0 ? 1 : signals.rate, signals.samples());
        request.taps = converted(std::move(design.taps), type, std::string(filter->id) + ": its taps");
        request.mode = design.mode;
        request.flip = design.flip;
        request.border = design.border;
        request.anchor = design.anchor;
    }
    request.samples = signals.samples();
    request.signals = signals.signals;
    request.mode = recipe.mode.value_or(request.mode);
    if (request.mode != SignalMode::same) { // those of a preset
        request.border = Border::zero;
        request.anchor.reset();
    }
    request.border = recipe.border.value_or(request.border);
    request.outside = recipe.outside;
    if (recipe.anchor) request.anchor = recipe.anchor;
    request.flip = request.flip || recipe.flip;
    request.dilation = recipe.dilation;
    request.stride = recipe.stride;
    validate(request);
    return request;
}

SignalOutcome run_signals(const EngineOptions& engines, const SignalRequest& request,
                          const SignalData& signals, bool verify, const std::stop_token& stop,
                          std::string& notice) {
    const auto choice = choose_engine_for(engines, request);
    auto done = with_fallback(choice, notice, [&](const std::shared_ptr<Engine>& engine) {
        auto outcome = run_signal_job(*engine, request, signals, engines.algorithm, verify, stop);
        outcome.reason = choice.with_reason(outcome.reason, *engine);
        return outcome;
    });
    if (notice.empty()) notice = choice.notice;
    return done;
}

WrittenSignals written_signals(const SignalData& result, SignalFormat format,
                               std::optional<WavSample> stored) {
    return write_signals(result, format, stored.value_or(result.stored.value_or(WavSample::s16)));
}

std::vector<std::string> notes_of_writing(const SignalData& input, const SignalData& result,
                                          SignalFormat format, std::optional<WavSample> stored) {
    std::vector<std::string> notes;
    // Another format is not expected to keep it.
    const bool same_format = format == (input.stored ? SignalFormat::wav : SignalFormat::csv);
    if (same_format && !input.dropped.empty())
        notes.push_back("left out: " + input.dropped + " of the input");
    if (format != SignalFormat::wav) return notes;
    if (result.rate == 0)
        notes.push_back(std::to_string(kUsualRate) + " samples per second, as the input has no rate");
    const auto element = result.view().format.element;
    const bool integers = element == Element::i32 || element == Element::i64;
    if (!integers || !result.stored || !stored || full_scale(*stored) == full_scale(*result.stored))
        return notes;
    const double decibels = 20 * std::log10(full_scale(*result.stored) / full_scale(*stored));
    notes.push_back("integers are written as they are: " + short_number(std::fabs(decibels), 3) + " dB " +
                    (decibels < 0 ? "quieter" : "louder") + " with --bits " + std::string(name(*stored)) +
                    " than the input; without --type they keep their level");
    return notes;
}

SignalNumbers parse_taps(std::string_view list, Element type, const std::string& what) {
    // With a heading: what is no number is refused below it.
    return read_signals("taps\n" + lines_of(list, what, type), what, type).numbers;
}

std::string taps_text(std::span<const double> taps) {
    constexpr double kWhole = 0x1p63;
    std::string text;
    for (const double tap : taps) {
        // Without an exponent: text of integers has none.
        const bool whole = tap == std::trunc(tap) && std::fabs(tap) < kWhole;
        text += (text.empty() ? "" : ",") +
                (whole ? std::to_string(static_cast<std::int64_t>(tap)) : to_text(tap));
    }
    return text;
}

CommandText command_text(const SignalCommand& command) {
    CommandLine line(command.folder);
    const auto& recipe = command.recipe;
    const auto out = std::filesystem::absolute(command.out);
    auto in = command.in.empty() ? command.in : std::filesystem::absolute(command.in);
    if (command.in.empty()) {
        in = out.parent_path() / "sample.wav";
        line.word("kernelglass"), line.word("sample"), line.word(in.string());
        line.then();
    }
    line.word("kernelglass"), line.word("signal"), line.word(in.string()), line.word(out.string());
    if (!recipe.filter.empty()) {
        line.flag("-f", recipe.filter);
    } else {
        const auto& taps = std::get<std::vector<double>>(recipe.taps);
        const auto text = taps_text(taps);
        if (taps.size() <= kMostTapsTyped) line.word("--taps=" + text); // one word: it may begin with a minus
        else line.file_flag("--taps", "taps.csv", lines_of(text, "taps"));
    }
    if (recipe.flip) line.word("--flip");
    if (recipe.mode) line.flag("--mode", name(*recipe.mode));
    if (recipe.border)
        line.flag("--border", std::string(name(*recipe.border)) +
                                  (*recipe.border == Border::constant ? "=" + to_text(recipe.outside) : ""));
    if (recipe.anchor) line.flag("--anchor", std::to_string(*recipe.anchor));
    if (recipe.dilation != 1) line.flag("--dilation", std::to_string(recipe.dilation));
    if (recipe.stride != 1) line.flag("--stride", std::to_string(recipe.stride));
    if (command.bits && signal_format(out.extension().string()) == SignalFormat::wav)
        line.flag("--bits", name(*command.bits));
    if (command.type) line.flag("--type", name(*command.type));
    if (command.rate) line.flag("--rate", std::to_string(*command.rate));
    line.computed_by(command.engine.engine, {});
    if (command.engine.device) line.flag("--device", std::to_string(*command.engine.device));
    return std::move(line).take();
}

} // namespace kg
