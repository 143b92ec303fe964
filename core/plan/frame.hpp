#pragma once
// Border `constant`: filters run on a larger image, the frame, in which the pixels around the image are
// filled with the pixel outside it before each filter (semantics 2). No output of the image reaches beyond
// the frame, so algorithms need not know this border.

#include "core/plan/engine.hpp"

#include <memory>

namespace kg {

/// The frame of a request: its size, and the place of the image in it.
struct BorderFrame {
    Extent size;
    Rect image;
};

/// True if the steps of the request run in a frame.
bool has_frame(const ImageRequest& request);

/// The frame of a request that has one: every filter's reach fits around the image. The image begins at
/// multiples of the tiles of most algorithms, so that strips have the bytes of the whole.
BorderFrame frame_of(const ImageRequest& request);

/// A conversion that also writes the pixels that its source lacks (ImageStep::filled): `conversion` is the
/// engine's plan of the step, which serves both. Throws as Engine::allocate() and Queue.
std::shared_ptr<const Plan> filling_plan(Engine& engine, const ImageStep& step,
                                         std::shared_ptr<const Plan> conversion);

/// The plan of a request from the plan of its steps in the frame.
std::shared_ptr<Plan> plan_in_frame(std::shared_ptr<const Plan> steps, const BorderFrame& frame);

} // namespace kg
