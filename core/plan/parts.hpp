#pragma once
// Runs a plan on an image in host memory and writes the result to host memory: as a whole if the engine has
// enough memory, otherwise rectangle by rectangle with identical bytes. An engine that computes on host
// memory does so in place.

#include "core/plan/engine.hpp"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace kg {

struct PartsOutcome {
    Report report;          ///< report on all rectangles together: spans "upload", "filter", "download"
    std::int64_t parts = 1; ///< computed rectangles
};

/// True if nothing is transferred. What lies in place is not counted against a memory limit, so an engine
/// with one computes in its own buffers.
bool computes_in_place(const DeviceInfo& device);

/// Waits for the work of a queue.
using WaitFor = std::function<Report(Queue&)>;
Report wait_for_fence(Queue& queue);

/// `image` and `result` are whole images in the formats of the plan. If memory is short (for a buffer, for
/// scratch, or during the run), the rectangles are halved: first in height, in multiples of the plan's row
/// quantum, and in width where a band's halo would exceed its rows. Throws std::bad_alloc if even a small
/// rectangle does not fit, and the errors of the engine. Under wrap, a rectangle at the edge of the image
/// needs the opposite edge too, so less memory is saved.
PartsOutcome run_in_parts(Engine& engine, const std::shared_ptr<const Plan>& plan,
                          const ConstImageView& image, const ImageView& result, std::stop_token stop = {},
                          const WaitFor& wait = wait_for_fence);

/// The same for a region of an image. `source` holds the pixels of the rectangle `covers`, which must contain
/// everything the plan needs. `result` receives `outputs`, which must begin at a multiple of the plan's row
/// quantum.
PartsOutcome run_in_parts(Engine& engine, const std::shared_ptr<const Plan>& plan,
                          const ConstImageView& source, const Rect& covers, const ImageView& result,
                          const Rect& outputs, std::stop_token stop = {},
                          const WaitFor& wait = wait_for_fence);

/// "Computed in 12 parts, because NAME has not enough memory for the whole image"
std::string parts_text(const DeviceInfo& device, std::int64_t parts);

} // namespace kg
