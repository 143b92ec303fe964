#pragma once
// One request of a benchmark of signals on one engine: its numbers, and its algorithms while they are timed.

#include "measure/comparison.hpp"
#include "measure/signal_bench.hpp"
#include "measure/signal_verifier.hpp"

#include <memory>
#include <optional>

namespace kg::measure {

/// Signals in host memory, as an image of their bytes: what rotations hold and transfer. A row has room for
/// the samples of a signal and for its outputs.
class SignalBytes {
public:
    explicit SignalBytes(const SignalCase& of);
    const Image& image() const { return image_; }
    /// The request whose buffers hold such images.
    ImageRequest as_request() const;
    ConstTensorView samples() const;
    /// The outputs in an image that a run has written.
    ConstTensorView outputs(const Image& result) const;

private:
    const SignalRequest& request_;
    Image image_;
};

/// One candidate, from its plan to its last verification.
class SignalRunner {
public:
    SignalRunner(const SignalRequest& request, const SignalBytes& bytes, const SignalVerifier& verifier,
                 const ComparisonRules& rules)
        : request_(request), bytes_(bytes), verifier_(verifier), rules_(rules) {}

    /// Plans, verifies and warms up. The row has the verdict, or the reason why there is none.
    void prepare(const Candidate& who, const std::shared_ptr<Rotation>& rotation,
                 const std::stop_token& stop);
    bool is_timed() const { return timed_ != nullptr; }
    bool has_samples() const { return !run_.empty() && !download_.empty(); }
    void run_round(const Engine& engine, const std::stop_token& stop);
    void verify_again(const std::stop_token& stop);
    /// There was no time for it.
    void leave_unmeasured();
    /// With the statistics of the samples so far.
    Row row() const;

private:
    template <typename Body>
    void or_failed(Body body);
    void verify(const std::stop_token& stop);

    const SignalRequest& request_;
    const SignalBytes& bytes_;
    const SignalVerifier& verifier_;
    const ComparisonRules& rules_;
    Row row_;
    std::unique_ptr<TimedAlgorithm> timed_;
    const Algorithm* judged_as_ = nullptr;
    FirstCall first_;
    std::vector<double> run_, upload_, download_, processor_, clock_mhz_;
    double spent_us_ = 0;
};

} // namespace kg::measure
