#include "library/engines.hpp"

#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"

#include <utility>

namespace kg {

Engines make_engines(std::string_view which, int threads) {
    if (which == "cpu") return {cpu::make_engine(threads)};
    if (which != "auto" && which != "cuda")
        throw Error("unknown-engine", "{} is not an engine; it is one of auto, cpu, cuda", in_quotes(which));
    auto gpu = gpu::make_engine();
    const auto why_not = gpu->usable();
    if (which == "cuda") {
        if (why_not.empty()) return {std::move(gpu)};
        throw Unavailable("unusable-engine",
                          "The CUDA engine cannot be used: {}. The engines auto and cpu compute on the CPU",
                          why_not);
    }
    if (why_not.empty()) return {std::move(gpu), cpu::make_engine(threads)};
    return {cpu::make_engine(threads), nullptr, "Using the CPU: " + why_not};
}

} // namespace kg
