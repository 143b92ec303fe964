#include "app/process/job.hpp"

#include "core/plan/parts.hpp"
#include "peers/peers.hpp"

#include <iterator>
#include <utility>

namespace kg {

void JobOutcome::add(JobOutcome&& later) {
    auto all_notes = std::move(notes);
    all_notes.insert(all_notes.end(), std::move_iterator(later.notes.begin()),
                     std::move_iterator(later.notes.end()));
    later.notes = std::move(all_notes);
    later.seconds += seconds;
    if (later.input_format.empty()) later.input_format = std::move(input_format);
    if (later.output_format.empty()) later.output_format = std::move(output_format);
    if (later.damage.empty()) later.damage = std::move(damage);
    later.opaque = later.opaque || opaque;
    *this = std::move(later);
}

void JobOutcome::add_notice() {
    if (!notice.empty()) notes.push_back(notice);
}

JobOutcome run_job(const EngineChoice& choice, const ImageRequest& request, const ConstImageView& image,
                   std::string_view force, const std::stop_token& stop, ImageMemorySource* memory) {
    JobOutcome outcome;
    // Allocated before any engine is used: the result needs this memory in any case.
    outcome.image = Image(request.size, request.out, memory);
    auto done = with_fallback(choice, outcome.notice, [&](const std::shared_ptr<Engine>& engine) {
        const auto prepared = peers::plan_with_peers(*engine, request, force, {stop});
        outcome.engine = engine;
        outcome.algorithm = prepared->algorithm;
        outcome.reason = prepared->reason;
        auto all = run_in_parts(*engine, prepared, image, outcome.image.view(), stop);
        if (all.parts > 1) outcome.notice = parts_text(engine->device(), all.parts);
        return all;
    });
    outcome.report = std::move(done.report);
    outcome.parts = done.parts;
    return outcome;
}

JobOutcome run_job(const std::shared_ptr<Engine>& engine, const ImageRequest& request,
                   const ConstImageView& image, std::string_view force, const std::stop_token& stop) {
    return run_job(EngineChoice{engine, {}}, request, image, force, stop);
}

} // namespace kg
