#pragma once
// Fast verification of long signals: some runs of outputs, at the ends, in the middle and at random places,
// as if each were a signal of its own.

#include "core/image/tensor.hpp"
#include "core/plan/engine.hpp"
#include "core/plan/verification.hpp"
#include "core/request/signal_request.hpp"

#include <stop_token>
#include <vector>

namespace kg::measure {

inline constexpr double kMostSignalProducts = 2e7;

class SignalVerifier {
public:
    /// Verifies all outputs if that takes at most `most_products` multiplications of the reference, otherwise
    /// as many as they allow, at least 64 at each end of every signal that is looked at. `signals` must
    /// outlive it.
    SignalVerifier(SignalRequest request, const ConstTensorView& signals,
                   double most_products = kMostSignalProducts);
    /// Verifies a result of all outputs; throws as compare_with_reference() does.
    Verification verify(const ConstTensorView& result, const Algorithm* algorithm = nullptr,
                        const std::stop_token& stop = {}) const;

private:
    /// Outputs of one signal, with the samples that they read, border resolved.
    struct Run {
        std::int64_t signal, first;
        SignalRequest request;
        std::vector<std::byte> samples;
    };
    void add_run(std::int64_t signal, std::int64_t first, std::int64_t count);

    SignalRequest request_;
    ConstTensorView signals_;
    std::vector<Run> runs_; ///< empty: all outputs
};

} // namespace kg::measure
