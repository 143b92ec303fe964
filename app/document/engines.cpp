#include "app/document/engines.hpp"

#include "core/error.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"

namespace kg {

EngineChoice choose_engine(std::string_view wanted, int threads, std::optional<int> device) {
    if (wanted == "cpu") {
        if (device.value_or(0) != 0)
            throw Unavailable("There is no CPU " + std::to_string(*device) +
                              ": the processor is one device; `kernelglass list devices` shows the GPUs");
        return {cpu::make_engine(threads), {}};
    }
    if (wanted != "auto" && wanted != "cuda")
        throw Error("\"" + std::string(wanted) + "\" is not an engine; it is one of auto, cpu, cuda");
    auto gpu = gpu::make_engine(device.value_or(0));
    const auto reason = gpu->usable();
    if (reason.empty()) return {std::move(gpu), {}};
    if (wanted == "cuda") throw Unavailable("The CUDA engine cannot be used: " + reason);
    if (device)
        throw Unavailable("GPU " + std::to_string(*device) + " cannot be used: " + reason +
                          ". Without --device the CPU computes");
    return {cpu::make_engine(threads), "Using the CPU: " + reason};
}

std::vector<std::shared_ptr<Engine>> all_engines(int threads) {
    return {cpu::make_engine(threads), gpu::make_engine()};
}

} // namespace kg
