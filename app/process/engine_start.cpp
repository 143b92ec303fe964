#include "app/process/engine_start.hpp"

#include "core/support/thread.hpp"
#include "gpu/engine.hpp"

#include <exception>
#include <thread>

namespace kg {

namespace {

/// A GPU's first queue brings up all that its later ones need.
void warm_up(Engine& engine) {
    try {
        engine.queue();
    } catch (const std::exception&) { // whoever uses it is told
    }
}

EngineStart::Engines start(const EngineWish& wish) {
    EngineStart::Engines engines{choose_engine(wish), {}};
    auto& chosen = *engines.choice.engine;
    if (chosen.device().id == "cpu") return engines;
    const auto first = try_thread([&] { warm_up(chosen); }); // without a thread, who comes first takes longer
    engines.further = further_gpus(wish, engines.choice);
    std::vector<std::jthread> others;
    for (const auto& engine : engines.further) others.push_back(try_thread([&] { warm_up(*engine); }));
    return engines;
}

} // namespace

EngineStart::EngineStart(const EngineWish& wish)
    : is_gpu_(wish.engine != "cpu" && gpu::has_driver()),
      engines_((is_gpu_ ? begin_work([wish] { return start(wish); })
                        : std::async(std::launch::deferred, start, wish))
                   .share()) {}

} // namespace kg
