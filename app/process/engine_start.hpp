#pragma once
// Engines on their way: to start CUDA takes half a second, in which other things can be done.

#include "app/process/engines.hpp"

#include <future>
#include <memory>
#include <vector>

namespace kg {

class EngineStart {
public:
    struct Engines {
        EngineChoice choice;
        std::vector<std::shared_ptr<Engine>> further; ///< of further_gpus()
    };
    /// Begins, in a thread of its own, where there may be a GPU; without one there is nothing to begin.
    explicit EngineStart(const EngineWish& wish);

    /// It may turn out to be none.
    bool is_gpu() const { return is_gpu_; }
    /// Waits for them. Throws what choose_engine() throws.
    const Engines& get() const { return engines_.get(); }

private:
    bool is_gpu_;
    std::shared_future<Engines> engines_;
};

} // namespace kg
