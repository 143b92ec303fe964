#pragma once
// The engines of a program that uses the library: made once, because the first use of a GPU takes a third of
// a second. Kernelglass itself chooses by what its user asked for (app/process/engine/engines.hpp).

#include "core/plan/engine.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace kg {

struct Engines {
    std::shared_ptr<Engine> engine;     ///< computes what it can
    std::shared_ptr<Engine> fallback{}; ///< computes the rest; null: errors of `engine` are thrown
    std::string notice{};               ///< why the GPU is not used; may be empty
};

/// "auto" takes the GPU, with the CPU as its fallback, or the CPU where no GPU can be used; "cpu" and "cuda"
/// name one engine, without a fallback. `threads` are the CPU's, 0 = all cores. Throws Unavailable if the
/// named engine cannot be used, Error for other words.
Engines make_engines(std::string_view which = "auto", int threads = 0);

} // namespace kg
