#include "app/ui/shell/window_engines.hpp"

#include "display/interop.hpp"

#include <utility>

namespace kg::ui {

WindowEngines window_engines(const WindowOptions& options) {
    WindowEngines engines;
    engines.wish = engine_wish(options, asks_who_draws(options) ? display::drawing_device() : std::nullopt);
    auto choice = choose_engine(engines.wish);
    engines.notice = choice.notice;
    const bool on_cpu = choice.engine->device().id == "cpu";
    if (!on_cpu) engines.gpu = choice.engine;
    engines.all.push_back(std::move(choice.engine));
    if (!on_cpu)
        engines.all.push_back(choose_engine({"cpu", options.threads, {}, {}, options.memory}).engine);
    return engines;
}

bool asks_who_draws(const WindowOptions& options) {
    return options.engine != "cpu" && options.display != "host" && !options.device;
}

EngineWish engine_wish(const WindowOptions& options, const std::optional<int>& drawing) {
    return {options.engine, options.threads, options.device, {}, options.memory, drawing.value_or(0)};
}

} // namespace kg::ui
