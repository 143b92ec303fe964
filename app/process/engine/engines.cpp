#include "app/process/engine/engines.hpp"

#include "core/plan/filter_step.hpp"
#include "core/plan/planner.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "peers/peers.hpp"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

namespace kg {

namespace {

/// The engine by the options alone, whether or not it has the algorithm.
EngineChoice preferred(const EngineOptions& options) {
    const auto& [wanted, threads, device, algorithm, memory, usual_device] = options;
    if (wanted == "cpu") {
        if (device.value_or(0) != 0)
            throw Unavailable(
                "unknown-device",
                "There is no CPU {}: the processor is one device; `kernelglass list devices` shows the GPUs",
                *device);
        return {cpu::make_engine(threads, memory), {}};
    }
    if (wanted != "auto" && wanted != "cuda")
        throw Error("unknown-engine", "\"{}\" is not an engine; it is one of {}", wanted, listed(kEngines));
    auto gpu = gpu::make_engine(device.value_or(usual_device), memory);
    const auto reason = gpu->usable();
    if (reason.empty()) return {std::move(gpu), {}};
    if (wanted == "cuda")
        throw Unavailable("unusable-engine",
                          "The CUDA engine cannot be used: {}. --engine auto or cpu computes on the CPU",
                          reason);
    if (device)
        throw Unavailable("unusable-device", "GPU {} cannot be used: {}. Without --device the CPU computes",
                          *device, reason);
    return {cpu::make_engine(threads, memory), "Using the CPU: " + reason};
}

bool has(const Engine& engine, std::string_view algorithm) {
    const auto algorithms = algorithms_of(engine);
    return std::ranges::find(algorithms, algorithm) != algorithms.end();
}

/// The id of the engine that has the algorithm; empty if none has.
std::string engine_of(std::string_view algorithm) {
    for (const auto& engine : all_engines())
        if (has(*engine, algorithm)) return engine->device().id;
    return {};
}

} // namespace

std::string EngineChoice::with_reason(std::string why, const Engine& done_by) const {
    if (!reason.empty() && &done_by == engine.get()) why += "; " + reason;
    return why;
}

EngineChoice choose_engine(const EngineOptions& options) {
    auto choice = preferred(options);
    std::vector<std::shared_ptr<Engine>> engines{choice.engine};
    if (options.is_free() && !choice.engine->device().host_memory)
        engines.push_back(cpu::make_engine(options.threads, options.memory));
    auto engine = engine_with(engines, options.algorithm);
    if (engine != choice.engine)
        return {std::move(engine), "Using the CPU: only it has the algorithm " + options.algorithm};
    if (engines.size() > 1 && (options.algorithm.empty() || has(*engines.back(), options.algorithm)))
        choice.fallback = engines.back();
    return choice;
}

std::vector<std::shared_ptr<Engine>> further_gpus(const EngineOptions& options, const EngineChoice& choice) {
    std::vector<std::shared_ptr<Engine>> further;
    if (options.device || !gpu::is_cuda(*choice.engine)) return further;
    for (int number = 0; number < gpu::device_count(); ++number) {
        if (number == options.usual_device) continue; // the chosen GPU
        auto gpu = gpu::make_engine(number, options.memory);
        if (gpu->usable().empty()) further.push_back(std::move(gpu));
    }
    return further;
}

std::string why_elsewhere(const EngineChoice& choice) {
    const auto& device = choice.engine->device();
    const bool is_cpu = device.host_memory;
    constexpr auto kRemedy = ". --engine auto or cpu computes on the CPU";
    try {
        throw;
    } catch (const NoAlgorithm& error) {
        if (choice.fallback) return "the engine " + device.id + " has no algorithm for this";
        if (is_cpu) throw;
        throw NoAlgorithm(error, "", kRemedy);
    } catch (const std::bad_alloc&) {
        if (is_cpu) throw;
        const Error error("out-of-memory", "{} has not enough memory, not even for a small part of the image",
                          device.name);
        if (choice.fallback) return error.what();
        throw Error(error, "", kRemedy);
    } catch (const Unavailable& error) {
        if (choice.fallback) return error.what();
        if (is_cpu) throw;
        throw Unavailable(error, "", kRemedy);
    }
}

bool is_refusal(const Error& error) {
    static constexpr std::string_view kRefusals[] = {
        "algorithm-refused", // by the planner
        "no-algorithm",      // by the planner, or by cuDNN
        "library-unusable",  // it is absent, or of another engine
        "cudnn-refused",     "onednn-refused",
        "cublas-failed",    // its message names another algorithm as the remedy
        "cufft-failed",     // its message names another algorithm as the remedy
        "npp-failed",       // while planning, NPP only computes the size of a buffer
        "missing-function", // in another version of the library
    };
    return std::ranges::find(kRefusals, error.code()) != std::end(kRefusals);
}

std::shared_ptr<Engine> engine_with(std::span<const std::shared_ptr<Engine>> engines,
                                    std::string_view algorithm) {
    if (algorithm.empty()) return engines.front();
    std::vector<std::string_view> algorithms;
    for (const auto& engine : engines) {
        if (has(*engine, algorithm)) return engine;
        for (const auto known : algorithms_of(*engine))
            if (std::ranges::find(algorithms, known) == algorithms.end()) algorithms.push_back(known);
    }
    if (algorithm == kConvert)
        throw Error("not-a-filtering-algorithm",
                    "convert is for conversions between pixel formats and is chosen by itself; --algorithm "
                    "names a filtering algorithm: {}",
                    listed(algorithms));
    const auto whose = engines.size() == 1 ? "the engine " + engines.front()->device().id + " has"
                                           : std::string("there is");
    if (const auto other = engine_of(algorithm); !other.empty())
        throw Error("algorithm-of-other-engine",
                    "{} no algorithm {}; the engine {} has it. The algorithms are {}. `kernelglass list "
                    "algorithms` and `kernelglass list peers` describe them",
                    whose, in_quotes(algorithm), other, listed(algorithms));
    throw Error("unknown-algorithm",
                "{} no algorithm {}{} The algorithms are {}. `kernelglass list algorithms` and `kernelglass "
                "list peers` describe them",
                whose, in_quotes(algorithm), suggestion(algorithm, algorithms), listed(algorithms));
}

std::vector<std::string_view> algorithms_of(const Engine& engine) {
    std::vector<std::string_view> algorithms;
    for (const auto* algorithm : engine.algorithms())
        if (algorithm->id != kConvert) algorithms.push_back(algorithm->id);
    for (const auto* peer : peers::all())
        if (peer->is_on(engine) && !peer->algorithms.empty() && peer->absent().empty())
            for (const auto* algorithm : peer->algorithms) algorithms.push_back(algorithm->id);
    return algorithms;
}

std::vector<std::shared_ptr<Engine>> all_engines(int threads) {
    return {cpu::make_engine(threads), gpu::make_engine()};
}

} // namespace kg
