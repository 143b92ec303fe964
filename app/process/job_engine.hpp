#pragma once
// Which engine does a single job, whose program ends with it: there the start of CUDA counts. A window and a batch start it once,
// for all their pictures.

#include "app/process/engines.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace kg {

/// A GPU's engine that is not running yet.
struct IdleEngine {
    std::function<std::shared_ptr<Engine>()> make; ///< which takes a part of the start
    double start_us = 0;                           ///< until it computes
    double transfer_bytes_per_us = 0; ///< to the GPU and back, from where a program's pictures lie
};

struct Weighed {
    bool takes_gpu = false;
    std::string reason; ///< in words; empty where there was nothing to weigh
};

/// Who has the result first by the engines' estimates. A pure function of the request, the devices and the constants: `cpu` is the
/// whole processor, however many of its threads compute. The GPU's engine is made only where the start alone does not decide.
/// A way that is named is estimated alone. The GPU is taken where the CPU has no estimate, or where it cannot be used, of which
/// whoever uses it is told.
Weighed weigh_start(const ImageRequest& request, std::string_view algorithm, const Engine& cpu,
                    const IdleEngine& gpu);

/// As choose_engine(wish), but auto weighs the start of CUDA.
EngineChoice choose_engine_for(const EngineWish& wish, const ImageRequest& request);

} // namespace kg
