#pragma once
// Which engine does the work: the GPU when there is one, else the CPU, and why.

#include "core/engine.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kg {

struct EngineChoice {
    std::shared_ptr<Engine> engine;
    std::string notice; ///< what a person should know, such as why the GPU is not used; may be empty
};

/// `wanted` is auto, cpu or cuda; a `device` that is named (a GPU, from 0) is wanted, too. Throws Unavailable if what is
/// wanted cannot be used, Error for other words.
EngineChoice choose_engine(std::string_view wanted, int threads = 0, std::optional<int> device = {});

/// All engines, usable or not, for lists.
std::vector<std::shared_ptr<Engine>> all_engines(int threads = 0);

} // namespace kg
