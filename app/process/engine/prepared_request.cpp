#include "app/process/engine/prepared_request.hpp"

#include "core/plan/wrapped_image.hpp"
#include "cpu/engine.hpp"
#include "peers/peers.hpp"

#include <new>
#include <utility>

namespace kg {

namespace {

/// Products of all kernels, whatever the algorithm: 2^24 take a core some milliseconds.
bool takes_little(const ImageRequest& request) {
    constexpr double kFew = 1 << 24;
    double taps = 1;
    for (const auto& stage : request.stages)
        for (const auto& kernel : stage.kernels)
            taps += static_cast<double>(kernel.width) * static_cast<double>(kernel.height);
    return taps * static_cast<double>(request.size.width) * static_cast<double>(request.size.height) *
               static_cast<double>(request.in.channels) <=
           kFew;
}

} // namespace

PreparedRequest::PreparedRequest(EngineChoice choice, ImageRequest request, std::string_view force)
    : choice_(std::move(choice)), request_(std::move(request)), force_(force),
      is_short_(takes_little(request_)) {}

std::shared_ptr<const Plan> PreparedRequest::plan(Engine& engine, const std::stop_token& stop) {
    auto& known = &engine == choice_.engine.get() ? plan_ : fallback_plan_;
    {
        const std::lock_guard lock(mutex_);
        if (known) return known;
    }
    auto made = peers::plan_with_peers(engine, request_, force_, {stop});
    const std::lock_guard lock(mutex_);
    return known = std::move(made);
}

RequestOutcome PreparedRequest::run(const ConstImageView& image, const ImageView& result,
                                    const std::stop_token& stop, const WaitFor& wait) {
    RequestOutcome outcome;
    auto done = with_fallback(choice_, outcome.notice, [&](const std::shared_ptr<Engine>& engine) {
        const auto prepared = plan(*engine, stop);
        outcome.engine = engine;
        outcome.algorithm = prepared->algorithm;
        outcome.reason = prepared->reason;
        auto all = run_in_parts(*engine, prepared, image, result, stop, wait);
        if (all.parts > 1) outcome.notice = parts_text(engine->device(), all.parts);
        return all;
    });
    outcome.report = std::move(done.report);
    outcome.parts = done.parts;
    return outcome;
}

bool PreparedRequest::run_here(const ConstImageView& image, const ImageView& result) {
    if (!computes_in_place(choice_.engine->device())) return false;
    const auto prepared = plan(*choice_.engine);
    auto queue = take_queue();
    if (!queue) return false;
    try {
        const Item item{wrap_image(image, whole(image.size)), wrap_image(result, whole(result.size))};
        queue->run(prepared, {&item, 1});
        queue->fence().wait();
    } catch (const std::bad_alloc&) {
        return false;
    }
    const std::lock_guard lock(mutex_);
    queues_.push_back(std::move(queue));
    return true;
}

std::unique_ptr<Queue> PreparedRequest::take_queue() {
    {
        const std::lock_guard lock(mutex_);
        if (!queues_.empty()) {
            auto queue = std::move(queues_.back());
            queues_.pop_back();
            return queue;
        }
    }
    return cpu::calling_queue(*choice_.engine);
}

} // namespace kg
