#pragma once
// A picture from host memory through a plan and back into host memory: as a whole where the engine has the memory for it,
// else part by part with the same bytes. Whoever has a picture in a file computes this way.

#include "core/plan/engine.hpp"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace kg {

struct PartsReport {
    Report report;          ///< of all parts together: spans "upload", "filter", "download"
    std::int64_t parts = 1; ///< that were computed
};

/// Waits for what is in a queue.
using WaitFor = std::function<Report(Queue&)>;
Report wait_for_fence(Queue& queue);

/// `picture` and `result` are whole pictures in the formats that the plan was made for. Memory that is short (of a buffer, of
/// scratch, on the way) halves the parts: first in height, in multiples of the plan's row quantum, and in width where rows
/// would cost more than they hold. Throws std::bad_alloc when even a small part does not fit, and what the engine throws. Under
/// wrap a part at the picture's edge needs the picture from end to end, so that less is gained.
PartsReport run_in_parts(Engine& engine, const std::shared_ptr<const Plan>& plan,
                         const ConstImageView& picture, const ImageView& result, std::stop_token stop = {},
                         const WaitFor& wait = wait_for_fence);

/// The same of a part of a picture: `covers` are the pixels of it that `source` holds, of which there must be at least what the
/// plan needs, and `outputs`, which begin at a multiple of the plan's row quantum, those that `result` gets.
PartsReport run_in_parts(Engine& engine, const std::shared_ptr<const Plan>& plan,
                         const ConstImageView& source, const Rect& covers, const ImageView& result,
                         const Rect& outputs, std::stop_token stop = {},
                         const WaitFor& wait = wait_for_fence);

/// "Computed in 12 parts, because NAME has not enough memory for the whole picture"
std::string parts_text(const DeviceInfo& device, std::int64_t parts);

} // namespace kg
