#pragma once
// Chooses the engine: the GPU if there is one, else the CPU, and reports why.

#include "core/plan/engine.hpp"
#include "core/support/error.hpp"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

struct EngineChoice {
    std::shared_ptr<Engine> engine;
    std::string notice; ///< a notice for the user, such as why the GPU is not used; may be empty
    /// Takes over what `engine` cannot compute; null if the user named the engine, or if there is no other.
    std::shared_ptr<Engine> fallback{};
    std::string reason{}; ///< why auto chose this engine for a job, if it compared (job_engine.hpp)

    /// `why` the algorithm was chosen, extended by why the engine was, if it is the one that computed.
    std::string with_reason(std::string why, const Engine& done_by) const;
};

/// To be called in a catch block: the reason why a request goes to the fallback. That is the case if the
/// engine has no algorithm for it, not enough memory even for a small part, or was lost. Otherwise rethrows,
/// with the remedy if the user can choose one.
std::string why_elsewhere(const EngineChoice& choice);

/// True if a forced algorithm, or the library behind it, refused to plan a request that another algorithm may
/// support. Any other error is a failure, which another algorithm would only hide.
bool is_refusal(const Error& error);

/// compute(engine), or compute(fallback) if the engine cannot; `notice` then begins with the reason, followed
/// by what compute() assigned to it.
template <typename Compute>
auto with_fallback(const EngineChoice& choice, std::string& notice, Compute compute) {
    std::string why;
    try {
        return compute(choice.engine);
    } catch (...) {
        why = why_elsewhere(choice);
    }
    auto result = compute(choice.fallback);
    const auto& device = choice.fallback->device();
    notice = "Using " + (device.host_memory ? "the CPU" : device.name) + ": " + why +
             (notice.empty() ? "" : ". ") + notice;
    return result;
}

/// The values of --engine.
inline constexpr std::array<std::string_view, 3> kEngines{"auto", "cpu", "cuda"};

/// The engine that the user asks for.
struct EngineOptions {
    std::string engine = "auto"; ///< one of kEngines
    int threads = 0;
    std::optional<int> device{}; ///< a named device is required (a GPU, from 0)
    std::string algorithm{};     ///< forced; empty = any
    std::size_t memory = 0;      ///< bytes that the engine may use; 0 = what is available
    int usual_device = 0;        ///< the GPU if none is named

    /// True if any engine will do: the user named neither an engine nor a device.
    bool is_free() const { return engine == "auto" && !device; }
};

/// Auto chooses the GPU unless it cannot be used or only the CPU has the algorithm. Throws Unavailable if the
/// requested engine cannot be used, Error for unknown names.
EngineChoice choose_engine(const EngineOptions& options);

/// The machine's other GPUs, to be used in turn with the chosen one: none if it is not a GPU, or if the user
/// named one.
std::vector<std::shared_ptr<Engine>> further_gpus(const EngineOptions& options, const EngineChoice& choice);

/// The first engine with the algorithm, its own or that of another library; without a name the first engine.
/// Throws Error if none has it.
std::shared_ptr<Engine> engine_with(std::span<const std::shared_ptr<Engine>> engines,
                                    std::string_view algorithm);

/// Algorithms that --algorithm accepts for an engine: its own filtering algorithms, and those of available
/// libraries.
std::vector<std::string_view> algorithms_of(const Engine& engine);

/// All engines, usable or not, for lists.
std::vector<std::shared_ptr<Engine>> all_engines(int threads = 0);

} // namespace kg
