#include "app/process/engine/job_engine.hpp"

#include "core/plan/step_costs.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"

#include <cmath>
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

} // namespace

Weighed weigh_start(const ImageRequest& request, std::string_view algorithm, const Engine& cpu,
                    const IdleEngine& gpu) {
    const double on_cpu = estimate_us(cpu, request, algorithm);
    const auto start = time_text(gpu.start_us);
    if (on_cpu <= gpu.start_us)
        return {false, "on the CPU, which is predicted to take " + time_text(on_cpu) + ", while CUDA takes " +
                           start + " to start"};
    const auto engine = gpu.make();
    if (!engine->usable().empty() || !std::isfinite(on_cpu)) return {true, {}};
    const double on_gpu = gpu.start_us + transfer_us(request, gpu.transfer_bytes_per_us) +
                          estimate_us(*engine, request, algorithm);
    if (!std::isfinite(on_gpu)) return {true, {}};
    const auto times = time_text(on_cpu) + " on the CPU and " + time_text(on_gpu) + " on CUDA, " + start +
                       " of which to start it";
    return on_gpu < on_cpu ? Weighed{true, "on CUDA, since it is predicted to take " + times}
                           : Weighed{false, "on the CPU, since it is predicted to take " + times};
}

EngineChoice choose_engine_for(const EngineOptions& options, const ImageRequest& request) {
    if (!options.is_free() || !gpu::has_driver()) return choose_engine(options);
    const IdleEngine gpu{[&] { return gpu::make_engine(options.usual_device, options.memory); },
                         gpu::kStartUs, gpu::kTransferBytesPerUs};
    auto weighed = weigh_start(request, options.algorithm, *cpu::make_engine(), gpu);
    auto chosen = options;
    if (!weighed.takes_gpu) chosen.engine = "cpu";
    auto choice = choose_engine(chosen);
    choice.reason = std::move(weighed.reason);
    return choice;
}

} // namespace kg
