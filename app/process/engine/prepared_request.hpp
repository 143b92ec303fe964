#pragma once
// A request with the engine and the plan that compute it, for one image after another in host memory.

#include "app/process/engine/engines.hpp"
#include "core/plan/parts.hpp"
#include "core/request/request.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

struct RequestOutcome {
    std::shared_ptr<Engine> engine; ///< engine that computed it
    std::string algorithm, reason;  ///< the algorithm that ran, and why
    std::string notice;             ///< why it was done in parts, or by the fallback; may be empty
    Report report;                  ///< spans "upload", "filter", "download"
    std::int64_t parts = 1;         ///< number of parts; more than one if memory is short
};

/// Thread-safe: threads may run it at the same time. It plans with the first run.
class PreparedRequest {
public:
    /// Forces an algorithm, which may be another library's; empty = any.
    PreparedRequest(EngineChoice choice, ImageRequest request, std::string_view force = {});

    const EngineChoice& choice() const { return choice_; }
    const ImageRequest& request() const { return request_; }

    /// Waits for the result, which is computed in parts if the engine's memory is short, and by the fallback
    /// of the choice if its engine cannot. `image` and `result` have the formats of the request. Throws what
    /// the planner or the engine throws, and Cancelled when stopped.
    RequestOutcome run(const ConstImageView& image, const ImageView& result, const std::stop_token& stop = {},
                       const WaitFor& wait = wait_for_fence);

    /// True if a run on a processor takes at most some milliseconds.
    bool is_short() const { return is_short_; }
    /// The same as run() for an engine that computes in place, in the calling thread and without times. False
    /// if the engine is another one, or memory is short.
    bool run_here(const ConstImageView& image, const ImageView& result);

    /// The plan of an engine. Throws the errors of the planner.
    std::shared_ptr<const Plan> plan(Engine& engine, const std::stop_token& stop = {});

private:
    std::unique_ptr<Queue> take_queue();

    EngineChoice choice_;
    ImageRequest request_;
    std::string force_;
    bool is_short_;
    std::mutex mutex_;
    std::shared_ptr<const Plan> plan_, fallback_plan_;
    std::vector<std::unique_ptr<Queue>> queues_; ///< of run_here(), not in use
};

} // namespace kg
