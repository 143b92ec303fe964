#include "measure/limits.hpp"

#include "core/request/separate.hpp"
#include "core/support/error.hpp"
#include "cpu/limits.hpp"
#include "gpu/engine.hpp"
#include "gpu/limits.hpp"
#include "measure/noise.hpp"
#include "measure/statistics.hpp"
#include "measure/timed_algorithm.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace kg::measure {

namespace {

constexpr std::size_t kColdCpu = std::size_t{128} << 20, kColdGpu = 250'000'000;
constexpr std::size_t kCpuCaches = 4, kGpuCaches = 5; // multiples of the cache that are cold
constexpr std::size_t kShareOfMemory = 8;

constexpr double kAddsUs = 4e3; // one run of the loop: short, so that some are not disturbed
constexpr std::size_t kCopySamples = 15;
constexpr double kCopyWarmUp = 0.3; // share of the time for a copy
/// Buffers of half the bytes each: noise, those in which it is staged, the source and the result.
constexpr std::size_t kCopyBuffers = 5;
constexpr std::size_t kFilledBytes = std::size_t{8} << 20; // filled to learn how long all buffers take

bool is_cpu(const Engine& engine) { return engine.device().host_memory; }
bool is_gpu(const Engine& engine) { return gpu::is_cuda(engine); }

double span_us(const Completion& fence) {
    fence.wait();
    return fence.report().spans.front().microseconds;
}

/// How long new host memory takes to be filled, which is mostly the system's handing out of pages.
double fill_us(std::size_t bytes, TimeSource& time) {
    const double begin_us = time.now_us();
    const std::vector<std::byte> filled(kFilledBytes);
    const volatile std::byte last = filled.back(); // so that the buffer is not optimised away
    static_cast<void>(last);
    return (time.now_us() - begin_us) * static_cast<double>(bytes) / kFilledBytes;
}

/// Microseconds of so many rounds.
double adds_us(Engine& engine, Queue& queue, const Item& item, std::int64_t rounds,
               const std::stop_token& stop) {
    const auto plan = is_cpu(engine) ? cpu::multiply_adds(engine, rounds)
                                     : gpu::multiply_adds(engine, rounds);
    queue.mark("multiply-adds");
    queue.run(plan, {&item, 1}, stop);
    return span_us(queue.fence());
}

bool separable(const Stage& stage, std::size_t kernel) {
    return !std::holds_alternative<std::monostate>(stage.generator) || separate(stage, kernel).has_value();
}

std::string line_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

/// "1024K" in bytes; 0 for anything else.
std::size_t cache_size(const std::string& text) {
    std::size_t number = 0, i = 0;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9' && i < 12; ++i)
        number = number * 10 + static_cast<std::size_t>(text[i] - '0');
    const auto unit = text.substr(i);
    return unit == "K" ? number << 10 : unit == "M" ? number << 20 : unit == "G" ? number << 30 : 0;
}

} // namespace

std::span<const Algorithm* const> copy_limits(const Engine& engine) {
    return is_cpu(engine)   ? cpu::copies()
           : is_gpu(engine) ? gpu::copies()
                            : std::span<const Algorithm* const>{};
}

double copy_gb_per_s(const std::shared_ptr<Engine>& engine, const std::stop_token& stop, double most_us,
                     TimeSource& time, std::size_t most_bytes) {
    const auto cold = std::min(cold_bytes(*engine), most_bytes);
    double end_us = time.now_us();
    const auto unless_stopped = [&] {
        if (stop.stop_requested()) throw Cancelled();
    };
    unless_stopped();
    // Before buffers are allocated.
    if (is_cpu(*engine) && fill_us(kCopyBuffers * cold / 2, time) > most_us) throw Cancelled();
    constexpr std::int64_t kWidth = 4096; // whole lines of any cache
    const PixelFormat format{Depth::u8, 4};
    const auto half = static_cast<std::int64_t>(cold / 2);
    const ImageRequest request{{kWidth, half / (kWidth * 4) + 1}, format, format};
    const auto noise = noise_image(request.size, format);
    unless_stopped();
    const auto rotation = std::make_shared<Rotation>(engine, request, noise.view(), std::size_t{0});
    double best = 0;
    const auto copies = copy_limits(*engine);
    const double most_of_one = most_us / static_cast<double>(std::max<std::size_t>(copies.size(), 1));
    TimingRules rules;
    rules.time = &time;
    for (const auto* copy : copies) {
        unless_stopped();
        end_us += most_of_one; // the first sample's time includes allocation of the buffers
        rules.most_warm_up_us = std::clamp(kCopyWarmUp * (end_us - time.now_us()), 0.0,
                                           TimingRules{}.most_warm_up_us);
        TimedAlgorithm algorithm(rotation, copy->plan(ImageStep(request), *engine, {stop}), rules, stop);
        algorithm.warm_up(stop);
        std::vector<double> samples;
        while (samples.empty() || (samples.size() < kCopySamples && time.now_us() < end_us))
            samples.push_back(algorithm.sample(stop));
        const auto pixels = static_cast<double>(request.size.width * request.size.height);
        best = std::max(best, pixels * 8 / 1e3 / summarize(samples).median);
    }
    return best;
}

Rate multiply_adds_g_per_s(Engine& engine, const std::stop_token& stop, double most_us) {
    if (!is_cpu(engine) && !is_gpu(engine)) return {};
    const auto view = allocate_view(engine, {Depth::f32, 1}, {0, 0, 1024, 1});
    const Item item{view, allocate_view(engine, view.format, view.covers)};
    const auto queue = engine.queue();
    const double per_round = is_cpu(engine) ? cpu::multiply_adds_per_round(engine)
                                            : gpu::multiply_adds_per_round(engine);
    std::int64_t rounds = 1;
    double us = adds_us(engine, *queue, item, rounds, stop);
    while (us < kAddsUs / 2) {
        rounds *= std::clamp<std::int64_t>(static_cast<std::int64_t>(kAddsUs / std::max(us, 1.0)), 2, 100);
        us = adds_us(engine, *queue, item, rounds, stop);
    }
    const auto sample = [&] {
        const double took = adds_us(engine, *queue, item, rounds, stop);
        return RateSample{per_round * static_cast<double>(rounds) / took / 1e3, took};
    };
    return steady_rate(sample, {}, most_us);
}

double products(const ImageRequest& request) {
    double sum = 0;
    for (const auto& stage : request.stages)
        for (std::size_t k = 0; k < stage.kernels.size(); ++k) {
            const double width = stage.kernels[k].width, height = stage.kernels[k].height;
            sum += separable(stage, k) ? std::min(width * height, width + height) : width * height;
        }
    return sum;
}

double arithmetic_us(const ImageRequest& request, double multiply_adds_g_per_s) {
    if (multiply_adds_g_per_s <= 0) return 0;
    const double samples = static_cast<double>(request.size.width) *
                           static_cast<double>(request.size.height) *
                           std::popcount(computed_channels(request));
    return products(request) * samples / multiply_adds_g_per_s / 1e3;
}

std::size_t cold_bytes(const Engine& engine) {
    const auto wanted = is_gpu(engine) ? std::max(kColdGpu, kGpuCaches * gpu::cache_bytes(engine))
                                       : std::max(kColdCpu, kCpuCaches * last_level_cache_bytes());
    return std::min(wanted, engine.device().memory_bytes / kShareOfMemory);
}

std::size_t last_level_cache_bytes(const std::filesystem::path& devices) {
    int last = 0;
    std::map<std::string, std::size_t> slices; // slices of the last level, by the cores that share each
    for (int cpu = 0; std::filesystem::exists(devices / ("cpu" + std::to_string(cpu))); ++cpu)
        for (int index = 0;; ++index) {
            const auto cache = devices / ("cpu" + std::to_string(cpu)) / "cache" /
                               ("index" + std::to_string(index));
            const auto level = line_of(cache / "level");
            if (level.size() != 1) break;
            if (line_of(cache / "type") == "Instruction" || level.front() - '0' < last) continue;
            if (level.front() - '0' > last) slices.clear();
            last = level.front() - '0';
            slices[line_of(cache / "shared_cpu_list")] = cache_size(line_of(cache / "size"));
        }
    std::size_t sum = 0;
    for (const auto& [cores, bytes] : slices) sum += bytes;
    return sum;
}

} // namespace kg::measure
