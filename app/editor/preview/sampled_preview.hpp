#pragma once
// Every n-th pixel of every n-th row of one filter's result: what a large kernel makes of the whole picture, at once.

#include "app/editor/preview/early_preview.hpp"

namespace kg {

/// Makes such previews on an engine that computes on host memory.
class Sampler {
public:
    explicit Sampler(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}

    /// As many pixels as there is time for, but no more than the view shows. Null for what is more than one filter, for what
    /// cpu/runtime/sampled_plan.hpp does not do, and where there is time for every pixel that is seen. Throws std::bad_alloc.
    std::unique_ptr<EarlyPreview> begin(const Job& job, const std::vector<StepCost>& steps, double piece_us);

private:
    class Samples;
    /// The picture in the numbers that the filter works on. Edits of a filter leave it as it is.
    struct Converted {
        std::shared_ptr<const Picture> picture;
        ImageRequest step;
        BufferView pixels;
        bool is_done = false;
    };

    void convert_later(const Job& job, const ImageRequest& step);

    std::shared_ptr<Engine> engine_;
    Converted converted_;
    double slower_ = 1; ///< how many times what the costs say
};

} // namespace kg
