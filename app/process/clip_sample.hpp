#pragma once
// How much of each result was clamped away. The numbers before clamping must be computed once more, which for whole pictures
// would take a tenth and more of a batch's time: so rows all over a large picture stand for all of it.

#include "app/process/clipping.hpp"
#include "core/plan/engine.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace kg::batch {

/// True if the numbers of a result can lie beyond what its format holds. False for integers that are only averaged or
/// converted, and for floats made of integers.
bool may_clip(const ImageRequest& request);

/// The parts of a result that are looked at: strips of rows as high as each other but perhaps the last, which begin where the
/// plan of the unclamped numbers allows it.
std::vector<Rect> clip_strips(const ImageRequest& request, const Plan& plan);

/// Thread-safe.
class ClipSample {
public:
    /// The engine computes in host memory.
    explicit ClipSample(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}

    /// `pixels` are those looked at: all of a small picture, else about 256 K, of strips of rows spread over it. Nothing where the
    /// engine cannot count, because memory is short, say.
    std::optional<Clipping> count(const ImageRequest& request, const ConstImageView& picture);

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
    std::vector<Planned> plans_;                 ///< the last used behind
    std::vector<std::unique_ptr<Queue>> queues_; ///< that nobody uses
};

} // namespace kg::batch
