#pragma once
// One picture through one request on one engine: upload, run, download, with what it took.

#include "core/planner.hpp"

#include <string>

namespace kg {

struct Outcome {
    Image image;
    std::string algorithm, reason; ///< what ran and why
    Report report;                 ///< spans "upload", "filter", "download"
};

/// Waits for the result. Throws what the planner or the engine threw; Cancelled when stopped.
Outcome run_job(Engine& engine, const ImageRequest& request, const ConstImageView& picture,
                std::string_view force = {}, std::stop_token stop = {});

} // namespace kg
