#include "app/process/signal_job.hpp"

#include "core/plan/planner.hpp"
#include "core/plan/signal_planner.hpp"
#include "core/plan/signal_verification.hpp"
#include "core/plan/wrapped_image.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"

#include <algorithm>

namespace kg {

namespace {

/// Numbers for the outputs, of the type of the taps.
SignalNumbers empty_numbers(const SignalRequest& request) {
    const auto count = static_cast<std::size_t>(output_count(request) * request.signals);
    return std::visit(
        [&]<typename T>(const std::vector<T>&) -> SignalNumbers { return std::vector<T>(count); },
        request.taps);
}

/// Memory may be promised that is not there: it is refused before it is touched.
void expect_room(const Engine& engine, const SignalRequest& request) {
    const double outputs = static_cast<double>(output_count(request)) * static_cast<double>(request.signals),
                 needed = outputs * static_cast<double>(bytes(element(request)));
    const auto memory = engine.device().memory_bytes;
    if (memory > 0 && needed > static_cast<double>(memory))
        throw Error("result-too-large",
                    "the result has {} outputs, more than the {} of this machine's memory", outputs,
                    memory_text(memory));
}

} // namespace

SignalOutcome run_signal_job(Engine& engine, const SignalRequest& request, const SignalData& signals,
                             std::string_view algorithm, bool verify, const std::stop_token& stop) {
    const auto plan = kg::plan(engine, request, algorithm);
    expect_room(engine, request);
    SignalOutcome outcome{{empty_numbers(request), request.signals, signals.rate, signals.stored},
                          engine.device().id,
                          plan->algorithm,
                          plan->reason,
                          0,
                          {}};
    // The rate of every stride-th sample, at least one per second.
    const auto stride = static_cast<std::uint64_t>(request.stride);
    if (signals.rate > 0)
        outcome.result.rate = static_cast<std::uint32_t>(
            std::max<std::uint64_t>(1, (signals.rate + stride / 2) / stride));

    const auto to = outcome.result.view();
    const TensorView target{const_cast<std::byte*>(to.data), to.format, to.pitch, to.size};
    const bool in_place = engine.device().host_memory;
    const auto held = [&](const ConstTensorView& view) {
        return in_place ? wrap_tensor(view) : allocate_tensor(engine, element(request), 1, whole(view.size));
    };
    const Item item{held(signals.view()), held(to)};
    const auto queue = engine.queue();
    if (!in_place) queue->upload_tensor(signals.view(), item.src);
    queue->mark("filter");
    queue->run(plan, std::span(&item, 1), stop);
    if (!in_place) queue->mark("download"), queue->download_tensor(item.dst, target);
    const auto completion = queue->fence();
    completion.wait();
    for (const auto& span : completion.report().spans)
        if (span.name == "filter") outcome.microseconds = span.microseconds;
    if (verify)
        outcome.verification = compare_with_reference(request, signals.view(), to,
                                                      inexact_signal_algorithm(engine, *plan), stop);
    return outcome;
}

} // namespace kg
