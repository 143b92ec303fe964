#pragma once
// One picture through one request: upload, run, download, with what it took and how it was done.

#include "app/process/engines.hpp"
#include "core/plan/planner.hpp"

#include <cstdint>
#include <string>

namespace kg {

struct Outcome {
    Image image;
    std::string algorithm, reason; ///< what ran and why
    Report report;                 ///< spans "upload", "filter", "download"
    std::int64_t parts = 1;        ///< that it was computed in; more than one where memory is short
    std::shared_ptr<Engine> engine{};
    std::string notice{}; ///< why it was done in parts, or by the fallback; empty = neither
};

/// Waits for the result, which is computed in parts where the engine's memory is short (core/plan/parts.hpp). Throws what the
/// planner or the engine threw; Cancelled when stopped.
Outcome run_job(const EngineChoice& choice, const ImageRequest& request, const ConstImageView& picture,
                std::string_view force = {}, const std::stop_token& stop = {});
/// On this engine alone.
Outcome run_job(const std::shared_ptr<Engine>& engine, const ImageRequest& request,
                const ConstImageView& picture, std::string_view force = {}, const std::stop_token& stop = {});

} // namespace kg
