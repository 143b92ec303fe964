#include "app/process/job.hpp"

#include "core/plan/parts.hpp"
#include "peers/peers.hpp"

namespace kg {

Outcome run_job(const EngineChoice& choice, const ImageRequest& request, const ConstImageView& picture,
                std::string_view force, const std::stop_token& stop) {
    Outcome outcome;
    outcome.image = Image(request.size,
                          request.out); // before any engine is tried: it needs this much memory anyway
    auto done = with_fallback(choice, outcome.notice, [&](const std::shared_ptr<Engine>& engine) {
        const auto prepared = peers::plan_with_peers(*engine, request, force);
        outcome.engine = engine;
        outcome.algorithm = prepared->algorithm;
        outcome.reason = prepared->reason;
        return run_in_parts(*engine, prepared, picture, outcome.image.view(), stop);
    });
    outcome.report = std::move(done.report);
    outcome.parts = done.parts;
    if (done.parts > 1)
        outcome.notice += (outcome.notice.empty() ? "" : ". ") +
                          parts_text(outcome.engine->device(), done.parts);
    return outcome;
}

Outcome run_job(const std::shared_ptr<Engine>& engine, const ImageRequest& request,
                const ConstImageView& picture, std::string_view force, const std::stop_token& stop) {
    return run_job(EngineChoice{engine, {}}, request, picture, force, stop);
}

} // namespace kg
