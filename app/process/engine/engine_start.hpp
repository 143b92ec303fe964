#pragma once
// Starts engines in the background: CUDA takes tenths of a second to start, in which other work can be done.

#include "app/process/engine/engines.hpp"

#include <future>
#include <memory>
#include <vector>

namespace kg {

class EngineStart {
public:
    struct Engines {
        EngineChoice choice;
        std::vector<std::shared_ptr<Engine>> further; ///< from further_gpus()
    };
    /// Starts the engines in a thread of its own, if there may be a GPU; otherwise there is nothing to start.
    explicit EngineStart(const EngineOptions& options);

    /// The engine may still turn out not to be a GPU.
    bool is_gpu() const { return is_gpu_; }
    /// Waits for the engines. Throws what choose_engine() throws.
    const Engines& get() const { return engines_.get(); }

private:
    bool is_gpu_;
    std::shared_future<Engines> engines_;
};

} // namespace kg
