#pragma once
// One job of signals: the request, computed by an engine from signals in host memory.

#include "app/io/signals/signal_file.hpp"
#include "core/plan/engine.hpp"
#include "core/plan/verification.hpp"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace kg {

struct SignalOutcome {
    SignalData result; ///< at the rate of the input divided by the stride
    std::string engine, algorithm, reason;
    double microseconds = 0; ///< by the engine's clock
    std::optional<Verification> verification;
};

/// `request` has the size and the type of `signals`. Forces `algorithm` unless it is empty. With `verify`,
/// the result is compared with the reference. Throws the errors of the planner and the engine, and Cancelled.
SignalOutcome run_signal_job(Engine& engine, const SignalRequest& request, const SignalData& signals,
                             std::string_view algorithm, bool verify, const std::stop_token& stop = {});

} // namespace kg
