#pragma once
// Which engine does the work: the GPU when there is one, else the CPU, and why.

#include "core/engine.hpp"

#include <string>
#include <vector>

namespace kg {

struct EngineChoice {
    std::shared_ptr<Engine> engine;
    std::string notice; ///< what a person should know, such as why the GPU is not used; may be empty
};

/// `wanted` is auto, cpu or cuda. Throws Unavailable if cuda is forced and cannot be used, Error for other words.
EngineChoice choose_engine(std::string_view wanted, int threads = 0, int device = 0);

/// All engines, usable or not, for lists.
std::vector<std::shared_ptr<Engine>> all_engines(int threads = 0);

} // namespace kg
