#pragma once
// Which engine does the work: the GPU when there is one, else the CPU, and why.

#include "core/plan/engine.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

struct EngineChoice {
    std::shared_ptr<Engine> engine;
    std::string notice; ///< what a person should know, such as why the GPU is not used; may be empty
    /// Computes what `engine` turns out not to be able to; null where a person named the engine, or there is no other.
    std::shared_ptr<Engine> fallback{};
    std::string reason{}; ///< why auto took this engine for a job, where it weighed (job_engine.hpp)

    /// `why` its way was chosen, and why the engine, if it is the one that did it.
    std::string with_reason(std::string why, const Engine& done_by) const;
};

/// Inside a catch block: why a request goes on to the fallback, in words, if another engine may well carry it out: there is
/// no way for it on this one, not enough memory even for a small part, or the device is lost. Else rethrows, with the remedy
/// where a person can choose one.
std::string why_elsewhere(const EngineChoice& choice);

/// compute(engine), on the fallback if the engine cannot: then `notice` says why, else it stays as it is.
template <typename Compute>
auto with_fallback(const EngineChoice& choice, std::string& notice, Compute compute) {
    std::string why;
    try {
        return compute(choice.engine);
    } catch (...) {
        why = why_elsewhere(choice);
    }
    auto result = compute(choice.fallback);
    notice = "Using the CPU: " + why;
    return result;
}

/// What a person asked for.
struct EngineWish {
    std::string engine = "auto"; ///< auto, cpu or cuda
    int threads = 0;
    std::optional<int> device{}; ///< one that is named (a GPU, from 0) is wanted, too
    std::string algorithm{};     ///< the way to force; empty = any
    std::size_t memory = 0;      ///< bytes that the engine may use; 0 = what there is
    int usual_device = 0;        ///< the GPU where none is named
};

/// Auto takes the GPU unless it cannot be used or only the CPU has the algorithm. Throws Unavailable if what is wanted
/// cannot be used, Error for other words.
EngineChoice choose_engine(const EngineWish& wish);

/// The machine's other GPUs, to take turns with the one that was chosen: none where it is no GPU, or where a person named one.
std::vector<std::shared_ptr<Engine>> further_gpus(const EngineWish& wish, const EngineChoice& choice);

/// The first engine that has the way, its own or another library's for it; with no way named the first. Throws Error if
/// none has it.
std::shared_ptr<Engine> engine_with(std::span<const std::shared_ptr<Engine>> engines,
                                    std::string_view algorithm);

/// What --algorithm may name on an engine: its ways of filtering, and those of other libraries that are here.
std::vector<std::string_view> ways_of(const Engine& engine);

/// All engines, usable or not, for lists.
std::vector<std::shared_ptr<Engine>> all_engines(int threads = 0);

} // namespace kg
