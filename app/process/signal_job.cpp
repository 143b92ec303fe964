#include "app/process/signal_job.hpp"

#include "app/process/engine/tensor_run.hpp"
#include "core/plan/planner.hpp"
#include "core/plan/signal_planner.hpp"
#include "core/plan/signal_verification.hpp"

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

} // namespace

SignalOutcome run_signal_job(Engine& engine, const SignalRequest& request, const SignalData& signals,
                             std::string_view algorithm, bool verify, const std::stop_token& stop) {
    const auto plan = kg::plan(engine, request, algorithm);
    expect_tensor_room(engine,
                       static_cast<double>(output_count(request)) * static_cast<double>(request.signals),
                       static_cast<double>(bytes(element(request))));
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
    const TensorItem item{signals.view(), target};
    outcome.microseconds = run_tensors(engine, plan, std::span(&item, 1), stop);
    if (verify)
        outcome.verification = compare_with_reference(request, signals.view(), to,
                                                      inexact_signal_algorithm(engine, *plan), stop);
    return outcome;
}

} // namespace kg
