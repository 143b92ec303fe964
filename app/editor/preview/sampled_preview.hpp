#pragma once
// Every n-th pixel of every n-th row of one filter's result: shows a large kernel's effect on the whole image
// at once.

#include "app/editor/preview/early_preview.hpp"

namespace kg {

/// Makes sampled previews on an engine that computes on host memory.
class SampledPreviewer {
public:
    explicit SampledPreviewer(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}

    /// As many pixels as the time allows, at most the view's resolution. Null for a chain, for a filter in
    /// the frame of a border, for requests that cpu/runtime/sampled_plan.hpp does not support, and where
    /// every visible pixel fits the time. Throws std::bad_alloc.
    std::unique_ptr<EarlyPreview> begin(const ScreenJob& job, const std::vector<StepCost>& steps,
                                        double step_us);

private:
    class Samples;
    /// The image converted to the filter's working format. Edits of the filter do not change it.
    struct Converted {
        std::shared_ptr<const LoadedImage> image;
        ImageRequest step;
        BufferView pixels;
        bool is_done = false;
    };

    void convert_later(const ScreenJob& job, const ImageRequest& step);

    std::shared_ptr<Engine> engine_;
    Converted converted_;
    double slower_ = 1; ///< measured time over predicted cost
};

} // namespace kg
