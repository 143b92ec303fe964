#include "app/document/engines.hpp"

#include "core/error.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"

namespace kg {

EngineChoice choose_engine(std::string_view wanted, int threads, int device) {
    if (wanted == "cpu") return {cpu::make_engine(threads), {}};
    if (wanted != "auto" && wanted != "cuda")
        throw Error("\"" + std::string(wanted) + "\" is not an engine; it is one of auto, cpu, cuda");
    auto gpu = gpu::make_engine(device);
    const auto reason = gpu->usable();
    if (reason.empty()) return {std::move(gpu), {}};
    if (wanted == "cuda") throw Unavailable("The CUDA engine cannot be used: " + reason);
    return {cpu::make_engine(threads), "Using the CPU: " + reason};
}

std::vector<std::shared_ptr<Engine>> all_engines(int threads) {
    return {cpu::make_engine(threads), gpu::make_engine()};
}

} // namespace kg
