#include "app/document/job.hpp"

#include "measure/peers/peers.hpp"

namespace kg {

Outcome run_job(Engine& engine, const ImageRequest& request, const ConstImageView& picture,
                std::string_view force, std::stop_token stop) {
    const auto prepared = measure::plan_with_peers(engine, request, force);
    Outcome outcome{Image(request.size, request.out), prepared->algorithm, prepared->reason, {}};
    const auto area = whole(request.size);
    const Item item{allocate_view(engine, request.in, area), allocate_view(engine, request.out, area)};
    const auto queue = engine.queue();
    queue->mark("upload");
    queue->upload(picture, item.src);
    queue->mark("filter");
    queue->run(prepared, {&item, 1}, std::move(stop));
    queue->mark("download");
    queue->download(item.dst, outcome.image.view());
    const auto done = queue->fence();
    done.wait();
    outcome.report = done.report();
    return outcome;
}

} // namespace kg
