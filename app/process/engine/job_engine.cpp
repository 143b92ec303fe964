#include "app/process/engine/job_engine.hpp"

#include "core/plan/planner.hpp"
#include "core/plan/step_costs.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace kg {

namespace {

/// Infinite if there is no estimate.
double estimate_us(const Engine& engine, const ImageRequest& request, std::string_view algorithm) {
    const auto costs = step_costs(engine, request, algorithm);
    double sum = costs.empty() ? std::numeric_limits<double>::infinity() : 0;
    for (const auto& cost : costs) sum += cost.microseconds;
    return sum;
}

double transfer_us(const ImageRequest& request, double bytes_per_us) {
    const auto bytes = bytes_per_pixel(request.in) + bytes_per_pixel(request.out);
    return static_cast<double>(request.size.width) * static_cast<double>(request.size.height) *
           static_cast<double>(bytes) / bytes_per_us;
}

/// What the engines' estimates are for.
struct Job {
    std::function<double(const Engine&)> estimate_us; ///< infinite if there is none
    double transfer_us = 0;                           ///< to the GPU and back
    bool gpu_if_unknown = true;                       ///< where the GPU has no estimate
};

Weighed weigh(const Job& job, const Engine& cpu, const IdleEngine& gpu) {
    const double on_cpu = job.estimate_us(cpu);
    const auto start = time_text(gpu.start_us);
    if (on_cpu <= gpu.start_us)
        return {false, "on the CPU, which is predicted to take " + time_text(on_cpu) + ", while CUDA takes " +
                           start + " to start"};
    const auto engine = gpu.make();
    if (!engine->usable().empty() || !std::isfinite(on_cpu)) return {true, {}};
    const double on_gpu = gpu.start_us + job.transfer_us + job.estimate_us(*engine);
    if (!std::isfinite(on_gpu)) return {job.gpu_if_unknown, {}};
    const auto times = time_text(on_cpu) + " on the CPU and " + time_text(on_gpu) + " on CUDA, " + start +
                       " of which to start it";
    return on_gpu < on_cpu ? Weighed{true, "on CUDA, since it is predicted to take " + times}
                           : Weighed{false, "on the CPU, since it is predicted to take " + times};
}

/// Of the named algorithm, or of the fastest one.
double tensor_estimate_us(const Engine& engine, const Request& request, std::string_view algorithm) {
    double best = std::numeric_limits<double>::infinity();
    for (const auto& answer : algorithm_answers(engine, request))
        if (answer.why_not.empty() && (algorithm.empty() || answer.algorithm->id == algorithm))
            best = std::min(best, answer.microseconds);
    return best;
}

/// The GPU that a free choice compares with.
IdleEngine idle_gpu(const EngineOptions& options) {
    return {[&options] { return gpu::make_engine(options.usual_device, options.memory); }, gpu::kStartUs,
            gpu::kTransferBytesPerUs};
}

EngineChoice chosen(EngineOptions options, Weighed weighed) {
    if (!weighed.takes_gpu) options.engine = "cpu";
    auto choice = choose_engine(options);
    choice.reason = std::move(weighed.reason);
    return choice;
}

/// `bytes` are those of all items and their results.
EngineChoice choose_for_tensors(const EngineOptions& options, const Request& request, double bytes,
                                std::span<const Algorithm* const> on_gpu) {
    auto any = options; // of the algorithms for images
    any.algorithm.clear();
    if (!options.is_free() || !gpu::has_driver()) return choose_engine(any);
    if (!options.algorithm.empty() &&
        std::ranges::find(on_gpu, std::string_view(options.algorithm), &Algorithm::id) == on_gpu.end())
        return chosen(any, {false, {}});
    const auto gpu = idle_gpu(options);
    const auto estimate = [&](const Engine& engine) {
        return tensor_estimate_us(engine, request, options.algorithm);
    };
    return chosen(any, weigh({estimate, bytes / gpu.transfer_bytes_per_us, false}, *cpu::make_engine(), gpu));
}

} // namespace

Weighed weigh_start(const ImageRequest& request, std::string_view algorithm, const Engine& cpu,
                    const IdleEngine& gpu) {
    return weigh({[&](const Engine& engine) { return estimate_us(engine, request, algorithm); },
                  transfer_us(request, gpu.transfer_bytes_per_us)},
                 cpu, gpu);
}

EngineChoice choose_engine_for(const EngineOptions& options, const ImageRequest& request) {
    if (!options.is_free() || !gpu::has_driver()) return choose_engine(options);
    return chosen(options, weigh_start(request, options.algorithm, *cpu::make_engine(), idle_gpu(options)));
}

EngineChoice choose_engine_for(const EngineOptions& options, const SignalRequest& request) {
    const double numbers = static_cast<double>(request.samples + output_count(request)) *
                           static_cast<double>(request.signals);
    return choose_for_tensors(options, request, numbers * static_cast<double>(bytes(element(request))),
                              gpu::signal_algorithms());
}

EngineChoice choose_engine_for(const EngineOptions& options, const BankRequest& request) {
    const auto out = output_size(request);
    const auto numbers = [](Extent size, std::int64_t channels) {
        return static_cast<double>(size.width) * static_cast<double>(size.height) *
               static_cast<double>(channels);
    };
    const double of_item = numbers(request.size, request.channels) + numbers(out, request.filters);
    return choose_for_tensors(options, request, static_cast<double>(request.items) * of_item * sizeof(float),
                              gpu::bank_algorithms());
}

EngineChoice choose_engine_for(const EngineOptions& options, const VolumeRequest& request) {
    const double samples = static_cast<double>(request.size.width) *
                           static_cast<double>(request.size.height) *
                           static_cast<double>(tensor_slices(request));
    return choose_for_tensors(options, request, 2 * samples * sizeof(float), gpu::volume_algorithms());
}

} // namespace kg
