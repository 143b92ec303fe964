#pragma once
// Estimates how much of each result was clamped. It computes the unclamped numbers again, which for whole
// images would add a tenth or more to a batch's time; so a sample of rows represents a large image.

#include "app/process/clipping/clipping.hpp"
#include "core/plan/engine.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace kg {

/// True if results can exceed the range of their format. False for integers that are only averaged or
/// converted, and for floats made of integers.
bool may_clip(const ImageRequest& request);

/// The strips of a result that are sampled. All have the same height except perhaps the last one, and begin
/// at multiples of the unclamped plan's row quantum.
std::vector<Rect> clip_strips(const ImageRequest& request, const Plan& plan);

/// Thread-safe.
class ClipSample {
public:
    /// The engine computes in host memory.
    explicit ClipSample(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}

    /// Counts all pixels of a small image, else about 256 K in strips spread over it. Empty if the engine
    /// cannot count, for example because memory is short.
    std::optional<Clipping> count(const ImageRequest& request, const ConstImageView& image);

private:
    std::shared_ptr<const Plan> plan_of(const ImageRequest& request);
    std::unique_ptr<Queue> take_queue();
    void give_back(std::unique_ptr<Queue> queue);

    const std::shared_ptr<Engine> engine_;
    std::mutex mutex_;
    struct Planned {
        ImageRequest request;
        std::shared_ptr<const Plan> plan;
    };
    std::vector<Planned> plans_;                 ///< most recently used last
    std::vector<std::unique_ptr<Queue>> queues_; ///< idle queues
};

} // namespace kg
