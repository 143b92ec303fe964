#include "app/ui/shell/window_engines.hpp"

#include "display/interop/interop.hpp"

#include <utility>

namespace kg::ui {

WindowEngines window_engines(const WindowOptions& options) {
    WindowEngines engines;
    engines.options = engine_options(options, needs_drawing_device(options) ? display::drawing_device()
                                                                            : std::nullopt);
    auto choice = choose_engine(engines.options);
    engines.notice = choice.notice;
    const bool on_cpu = choice.engine->device().host_memory;
    if (!on_cpu) engines.gpu = choice.engine;
    engines.all.push_back(std::move(choice.engine));
    if (!on_cpu)
        engines.all.push_back(
            choose_engine({"cpu", engines.options.threads, {}, {}, engines.options.memory}).engine);
    return engines;
}

bool needs_drawing_device(const WindowOptions& options) {
    const auto& wanted = options.engine_options;
    return wanted.engine != "cpu" && options.display != "host" && !wanted.device;
}

EngineOptions engine_options(const WindowOptions& options, const std::optional<int>& drawing) {
    auto all = options.engine_options;
    all.algorithm.clear(); // each engine is shown, also one without it
    all.usual_device = drawing.value_or(0);
    return all;
}

} // namespace kg::ui
