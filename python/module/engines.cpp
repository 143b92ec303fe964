#include "python/module/engines.hpp"

#include "app/process/engine/job_engine.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace kg::python {

namespace {

/// The process's engine of the same device.
std::shared_ptr<Engine> shared(const std::shared_ptr<Engine>& engine, int gpu) {
    if (!engine) return nullptr;
    return engine->device().host_memory ? cpu_engine() : gpu_engine(gpu);
}

EngineChoice choose_shared(const EngineOptions& options) {
    auto choice = choose_engine(options);
    const int gpu = options.device.value_or(0);
    choice.engine = shared(choice.engine, gpu);
    choice.fallback = shared(choice.fallback, gpu);
    return choice;
}

/// Throws Error unless it is one of kEngines.
void check_name(std::string_view engine) {
    if (std::ranges::find(kEngines, engine) != kEngines.end()) return;
    choose_engine({.engine = std::string(engine)}); // throws
}

} // namespace

// Never destroyed: threads of Python may still compute when the process ends.
std::shared_ptr<Engine> cpu_engine() {
    static const auto& engine = *new std::shared_ptr(cpu::make_engine());
    return engine;
}

std::shared_ptr<Engine> gpu_engine(int gpu) {
    static auto& mutex = *new std::mutex;
    static auto& engines = *new std::map<int, std::shared_ptr<Engine>>;
    const std::lock_guard lock(mutex);
    auto& engine = engines[gpu];
    if (!engine) engine = gpu::make_engine(gpu);
    return engine;
}

EngineChoice engine_for(std::string_view engine, std::string_view algorithm, const ImageRequest& request) {
    EngineOptions options{.engine = std::string(engine), .algorithm = std::string(algorithm)};
    if (!options.is_free()) return choose_shared(options);
    std::string reason;
    if (gpu::has_driver()) {
        const IdleEngine gpu{[] { return gpu_engine(); }, gpu::is_started() ? 0 : gpu::kStartUs,
                             gpu::kTransferBytesPerUs};
        auto weighed = weigh_start(request, algorithm, *cpu_engine(), gpu);
        if (!weighed.takes_gpu) options.engine = "cpu";
        reason = std::move(weighed.reason);
    }
    auto choice = choose_shared(options);
    choice.reason = std::move(reason);
    return choice;
}

std::shared_ptr<Engine> engine_for_tensors(std::string_view engine) {
    check_name(engine);
    if (engine != "cuda") return cpu_engine();
    return choose_shared({.engine = "cuda"}).engine;
}

EngineChoice engine_on_gpu(std::string_view engine, int gpu) {
    check_name(engine);
    if (engine == "cpu")
        throw Error("array-device", "the array is on a GPU, and engine=\"cpu\" computes in host memory; copy "
                                    "it there, or leave out the engine");
    return choose_shared({.engine = "cuda", .device = std::max(gpu, 0)});
}

} // namespace kg::python
