#include "app/process/job.hpp"

#include "app/process/engine/prepared_request.hpp"

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
    auto done = PreparedRequest(choice, request, force).run(image, outcome.image.view(), stop);
    outcome.engine = std::move(done.engine);
    outcome.algorithm = std::move(done.algorithm);
    outcome.reason = std::move(done.reason);
    outcome.notice = std::move(done.notice);
    outcome.report = std::move(done.report);
    outcome.parts = done.parts;
    return outcome;
}

JobOutcome run_job(const std::shared_ptr<Engine>& engine, const ImageRequest& request,
                   const ConstImageView& image, std::string_view force, const std::stop_token& stop) {
    return run_job(EngineChoice{engine, {}}, request, image, force, stop);
}

} // namespace kg
