#include "app/editor/signal/signal_result.hpp"

#include "app/io/files/files.hpp"
#include "app/process/sample_signal.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

namespace kg {

namespace {

std::shared_ptr<const SignalSource> source_of(std::filesystem::path path, std::string title,
                                              std::string bytes, const std::string& what) {
    auto data = std::make_shared<const SignalData>(read_signals(bytes, what));
    return std::make_shared<const SignalSource>(
        SignalSource{std::move(path), std::move(title), std::move(bytes), std::move(data)});
}

std::string what_of(const SignalSource& source) {
    return source.path.empty() ? "the sample" : quoted(source.path);
}

SignalChannel channel_of(const std::shared_ptr<const SignalData>& data, std::int64_t channel) {
    const auto samples = static_cast<std::size_t>(data->samples());
    auto spectrum = std::visit(
        [&](const auto& numbers) {
            return welch_spectrum(
                std::span(numbers).subspan(static_cast<std::size_t>(channel) * samples, samples));
        },
        data->numbers);
    return {Envelope(data, channel), std::move(spectrum)};
}

/// Symmetrical taps do not shift a signal; those of a convolution begin at the sample itself.
double shift_of(const SignalRequest& request) {
    if (request.mode == SignalMode::same) return 0;
    const auto span = tap_span(request);
    return static_cast<double>(first_sample(request) + (request.flip ? span - 1 : span / 2));
}

/// With zeros between the taps, whose gain they have; none where they are too many for it.
std::vector<double> dilated(const std::vector<double>& taps, const SignalRequest& request) {
    if (request.dilation == 1) return taps;
    const auto span = tap_span(request);
    if (span > static_cast<std::int64_t>(kMostGainTaps)) return {};
    std::vector<double> all(static_cast<std::size_t>(span));
    for (std::size_t i = 0; i < taps.size(); ++i)
        all[i * static_cast<std::size_t>(request.dilation)] = taps[i];
    return all;
}

/// Request and outcome; `result` has source, edit and data.
void filter_into(const SignalJob& job, SignalResult& result, const std::stop_token& stop) {
    const auto request = signal_request(recipe_of(job.edit), *result.before);
    result.taps = std::get<std::vector<double>>(converted(request.taps, Element::f64, "taps"));
    result.mode = request.mode;
    result.border = request.border;
    result.flip = request.flip;
    result.anchor = request.anchor;
    result.stride = static_cast<double>(request.stride);
    result.shift = shift_of(request);
    result.outcome = std::make_shared<const SignalOutcome>(
        run_signals(job.engines, request, *result.before, false, stop, result.notice));
    result.gain = tap_gain(dilated(result.taps, request));
}

} // namespace

std::shared_ptr<const SignalSource> sample_source() {
    return source_of({}, "Sample signal", sample_signal_file(), "the sample");
}

std::shared_ptr<const SignalSource> read_source(const std::filesystem::path& path) {
    const ReadLimits limits{.of = "signals", .of_file = "signals"};
    return source_of(path, safe_name(path.filename()), read_file(path, limits), quoted(path));
}

std::shared_ptr<const SignalData> data_of(const SignalSource& source, const SignalEdit& edit) {
    const bool same_rate = edit.rate == 0 || edit.rate == source.data->rate;
    if (!edit.type && same_rate) return source.data;
    auto data = edit.type ? read_signals(source.bytes, what_of(source), edit.type) : *source.data;
    if (edit.rate != 0) data.rate = edit.rate;
    return std::make_shared<const SignalData>(std::move(data));
}

std::shared_ptr<const SignalResult> compute(const SignalJob& job, const std::stop_token& stop) {
    const auto* latest = job.latest && job.latest->source == job.source ? job.latest.get() : nullptr;
    const bool same_data = latest && latest->edit.type == job.edit.type && latest->edit.rate == job.edit.rate;
    SignalResult result;
    if (same_data && latest->edit == job.edit) {
        result = *latest;
    } else {
        result.source = job.source;
        result.edit = job.edit;
        result.before = same_data ? latest->before : data_of(*job.source, job.edit);
        filter_into(job, result, stop);
    }
    result.channel = std::clamp<std::int64_t>(job.channel, 0, result.before->signals - 1);
    const bool same_channel = same_data && latest->channel == result.channel;
    result.signal = same_channel ? latest->signal : channel_of(result.before, result.channel);
    // The result lives as long as its outcome.
    const std::shared_ptr<const SignalData> after(result.outcome, &result.outcome->result);
    result.filtered = channel_of(after, result.channel);
    return std::make_shared<const SignalResult>(std::move(result));
}

} // namespace kg
