#include "app/document/engine_start.hpp"

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
    std::jthread first([&] { warm_up(chosen); });
    engines.further = further_gpus(wish, engines.choice);
    std::vector<std::jthread> others;
    for (const auto& engine : engines.further) others.emplace_back([&] { warm_up(*engine); });
    others.clear(); // they end
    first.join();
    return engines;
}

} // namespace

EngineStart::EngineStart(const EngineWish& wish)
    : is_gpu_(wish.engine != "cpu" && gpu::has_driver()),
      engines_(std::async(is_gpu_ ? std::launch::async : std::launch::deferred, start, wish).share()) {}

} // namespace kg
