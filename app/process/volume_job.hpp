#pragma once
// One job of volumes: the request, computed by an engine from a volume in host memory.

#include "app/io/volumes/volume_file.hpp"
#include "core/plan/engine.hpp"
#include "core/plan/verification.hpp"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace kg {

struct VolumeOutcome {
    VolumeData result; ///< as many volumes as the source has
    std::string engine, algorithm, reason;
    double microseconds = 0; ///< by the engine's clock
    std::optional<Verification> verification;
};

/// `request` has the size of the volume. One of second order begins at rest with a source of one volume,
/// which is then the volume before, too. Forces `algorithm` unless it is empty. With `verify`, the result is
/// compared with the reference. Throws Error for two volumes and a request of first order, the errors of the
/// planner and the engine, and Cancelled.
VolumeOutcome run_volume_job(Engine& engine, const VolumeRequest& request, const VolumeData& volume,
                             std::string_view algorithm, bool verify, const std::stop_token& stop = {});

} // namespace kg
