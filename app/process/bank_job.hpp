#pragma once
// One job of a filter bank: the request, computed by an engine for all items of a batch in host memory.

#include "core/image/batch.hpp"
#include "core/image/image.hpp"
#include "core/plan/bank_tiling.hpp"
#include "core/plan/engine.hpp"
#include "core/plan/verification.hpp"

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace kg {

struct BankOutcome {
    Batch result; ///< in the layout of the input
    std::string engine, algorithm, reason;
    double microseconds = 0; ///< by the engine's clock
    std::optional<Verification> verification;
    std::optional<BankTiling> tiling{}; ///< how the outputs were divided; empty where it is not stated
};

/// `request` has the size and the channels of the batch. Forces `algorithm` unless it is empty. With
/// `verify`, every item is compared with the reference. Throws the errors of the planner and the engine,
/// and Cancelled.
BankOutcome run_bank_job(Engine& engine, const BankRequest& request, const Batch& batch,
                         std::string_view algorithm, bool verify, const std::stop_token& stop = {});

/// Images of one size and format as a batch of their channels, alpha included and last: 0 is black, 1 full
/// scale. Throws Error for images of different sizes or channels.
Batch batch_of(std::span<const ConstImageView> images, Layout layout);

} // namespace kg
