#include "app/process/engine/engine_start.hpp"

#include "core/support/thread.hpp"
#include "gpu/engine.hpp"

#include <exception>
#include <thread>

namespace kg {

namespace {

/// Creates the first queue of a GPU, which initialises what later queues share.
void warm_up(Engine& engine) {
    try {
        engine.queue();
    } catch (const std::exception&) { // reported to the first user of the engine
    }
}

EngineStart::Engines start(const EngineOptions& options) {
    EngineStart::Engines engines{choose_engine(options), {}};
    auto& chosen = *engines.choice.engine;
    if (chosen.device().host_memory) return engines;
    const auto first = try_thread([&] { warm_up(chosen); }); // without a thread, who comes first takes longer
    engines.further = further_gpus(options, engines.choice);
    std::vector<std::jthread> others;
    for (const auto& engine : engines.further) others.push_back(try_thread([&] { warm_up(*engine); }));
    return engines;
}

} // namespace

EngineStart::EngineStart(const EngineOptions& options)
    : is_gpu_(options.engine != "cpu" && gpu::has_driver()),
      engines_((is_gpu_ ? begin_work([options] { return start(options); })
                        : std::async(std::launch::deferred, start, options))
                   .share()) {}

} // namespace kg
