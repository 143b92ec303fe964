#pragma once
// Chooses the engine for a single job, whose program ends with it, so that the start of CUDA counts. A window
// and a batch start it once for all their images.

#include "app/process/engine/engines.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace kg {

/// A GPU engine that is not started.
struct IdleEngine {
    std::function<std::shared_ptr<Engine>()> make; ///< takes a share of the start
    double start_us = 0;                           ///< until it computes
    double transfer_bytes_per_us = 0;              ///< to the GPU and back, from ordinary host memory
};

struct Weighed {
    bool takes_gpu = false;
    std::string reason; ///< may be empty, if there was nothing to compare
};

/// Compares the engines' estimates, including the start. A pure function of the request, the devices and the
/// constants: `cpu` is the whole processor, however many threads compute. The GPU engine is only made if the
/// start alone does not decide. A named algorithm is estimated alone. The GPU is chosen if the CPU has no
/// estimate, or if the GPU cannot be used, which its user then reports.
Weighed weigh_start(const ImageRequest& request, std::string_view algorithm, const Engine& cpu,
                    const IdleEngine& gpu);

/// Like choose_engine(options), but auto takes the start of CUDA into account.
EngineChoice choose_engine_for(const EngineOptions& options, const ImageRequest& request);

/// The same for signals, whose algorithms have names of their own: the planner refuses unknown ones. Auto
/// chooses the CPU where the GPU does not support the request or the named algorithm.
EngineChoice choose_engine_for(const EngineOptions& options, const SignalRequest& request);

/// The same for a batch of a filter bank.
EngineChoice choose_engine_for(const EngineOptions& options, const BankRequest& request);

/// The same for volumes.
EngineChoice choose_engine_for(const EngineOptions& options, const VolumeRequest& request);

} // namespace kg
