#include "measure/signal_verifier.hpp"

#include "core/plan/signal_verification.hpp"
#include "core/reference/signal_terms.hpp"

#include <algorithm>
#include <cstring>
#include <random>

namespace kg::measure {

namespace {

constexpr std::int64_t kFewestOutputs = 64, kRuns = 8;

TensorFormat format_of(Element element) { return {element, 1, bytes(element), bytes(element)}; }

} // namespace

SignalVerifier::SignalVerifier(SignalRequest request, const ConstTensorView& signals, double most_products)
    : request_(std::move(request)), signals_(signals) {
    const auto outputs = output_count(request_);
    const double taps = static_cast<double>(tap_count(request_));
    if (static_cast<double>(outputs) * static_cast<double>(request_.signals) * taps <= most_products) return;
    const auto each = std::min(
        outputs, std::max(kFewestOutputs, static_cast<std::int64_t>(most_products / taps / kRuns)));
    const auto last = outputs - each;
    std::mt19937_64 random(5);
    for (std::int64_t run = 0; run < kRuns; ++run) {
        const auto at = run == 0   ? 0
                        : run == 1 ? last
                        : run == 2
                            ? last / 2
                            : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(last + 1));
        add_run(run % request_.signals, at, each);
    }
}

void SignalVerifier::add_run(std::int64_t signal, std::int64_t first, std::int64_t count) {
    Run run{signal, first, request_, {}};
    run.request.samples = (count - 1) * request_.stride + tap_span(request_);
    run.request.signals = 1;
    run.request.mode = SignalMode::valid;
    run.request.border = Border::zero;
    run.request.anchor.reset();
    std::visit(
        [&]<typename T>(const std::vector<T>&) {
            run.samples.resize(static_cast<std::size_t>(run.request.samples) * sizeof(T));
            const auto begin = first_sample(request_) + first * request_.stride;
            for (std::int64_t i = 0; i < run.request.samples; ++i) {
                const auto inside = border_index(request_.border, begin + i, request_.samples);
                const T sample = inside >= 0 ? signal_number<T>(signals_, inside, signal)
                                 : request_.border == Border::constant ? static_cast<T>(request_.outside)
                                                                       : T{0};
                std::memcpy(run.samples.data() + static_cast<std::size_t>(i) * sizeof(T), &sample,
                            sizeof sample);
            }
        },
        request_.taps);
    runs_.push_back(std::move(run));
}

Verification SignalVerifier::verify(const ConstTensorView& result, const Algorithm* algorithm,
                                    const std::stop_token& stop) const {
    if (runs_.empty()) return compare_with_reference(request_, signals_, result, algorithm, stop);
    Verification all;
    for (const auto& run : runs_) {
        const auto format = format_of(element(request_));
        auto outputs = result;
        outputs.data = result.at(run.first, run.signal);
        outputs.size = {output_count(run.request), 1};
        const ConstTensorView samples{
            run.samples.data(), format, run.samples.size(), {run.request.samples, 1}};
        const auto one = compare_with_reference(run.request, samples, outputs, algorithm, stop);
        all.samples += one.samples;
        all.differing += one.differing;
        all.max_error = std::max(all.max_error, one.max_error);
        all.bound = std::max(all.bound, one.bound);
        if (one.wrong > 0 && all.wrong == 0)
            all.first_wrong = "from output " + std::to_string(run.first) + " of signal " +
                              std::to_string(run.signal) + " on, " + one.first_wrong;
        all.wrong += one.wrong;
    }
    return all;
}

} // namespace kg::measure
