#pragma once
// One request of a benchmark of tensors on one engine: its numbers, and its algorithms while they are timed.

#include "measure/samples.hpp"
#include "measure/tensor_work.hpp"

#include <memory>

namespace kg::measure {

/// Sources in host memory, as an image of their bytes in one row: what rotations hold and transfer. The row
/// has room for the sources and for the results.
class TensorBytes {
public:
    explicit TensorBytes(const TensorWork& of);
    const Image& image() const { return image_; }
    /// The request whose buffers hold such images.
    ImageRequest as_request() const;
    const std::byte* sources() const { return image_.view().data; }

private:
    Image image_;
};

/// One candidate, from its plan to its last verification.
class TensorRunner {
public:
    TensorRunner(const TensorWork& work, const TensorBytes& bytes, const TensorVerifier& verifier,
                 const ComparisonRules& rules)
        : work_(work), memory_(bytes.sources()), verifier_(verifier), rules_(rules) {}

    /// Plans, verifies and warms up. The row has the verdict, or the reason why there is none.
    void prepare(const Candidate& who, const std::shared_ptr<Rotation>& rotation,
                 const std::stop_token& stop);
    bool is_timed() const { return timed_ != nullptr; }
    bool has_samples() const { return samples_.are_complete(); }
    void run_round(const Engine& engine, const RoundShare& share, const TimeLimit& limit);
    void verify_again(const std::stop_token& stop);
    /// There was no time for it.
    void leave_unmeasured();
    /// With the statistics of the samples so far.
    Row row() const;

private:
    template <typename Body>
    void or_failed(Body body);
    void verify(const std::stop_token& stop);

    const TensorWork& work_;
    const std::byte* memory_;
    const TensorVerifier& verifier_;
    const ComparisonRules& rules_;
    Row row_;
    std::unique_ptr<TimedAlgorithm> timed_;
    const Algorithm* judged_as_ = nullptr;
    FirstCall first_;
    Samples samples_;
    std::size_t fingerprint_ = 0; ///< of the result that was verified
};

} // namespace kg::measure
