#include "gpu/engine.hpp"

#include "core/support/embedded.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/shared_library.hpp"
#include "core/support/text.hpp"
#include "gpu/limits.hpp"
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace kg {
extern const std::span<const EmbeddedFile> cost_files; // gpu/costs/*.txt
}

namespace kg::gpu {

namespace {

// Strips of chains only bound memory. Strips that stay in the L2 are launches of a few microseconds, whose
// beginnings and ends cost more than the traffic that they save: on an H200, blur and sharpen of 4096 x 4096
// RGBA8 takes 1500 us with 24 MiB, 990 with 160 MiB and 830 in one strip (docs/optimisations.md).
constexpr std::size_t kStripBytes = std::size_t{1} << 30, kStripsPerMemory = 32;
/// DeviceInfo::small_step_us, from an H100, where three steps in the rectangles around a composed filter of
/// 4096 x 4096 took 62 to 66 us more; on an H200 65 to 68 (docs/results/h200-bench-recipe.json).
constexpr double kSmallStepMicroseconds = 21;

std::atomic<bool> has_started = false;

std::string limit_text(std::size_t limit) {
    return limit > 0 ? " of which " + memory_text(limit) + " may be used" : std::string();
}

/// The constants in the file that KERNELGLASS_COSTS names, else those measured on an H200, for GPUs of all
/// architectures.
CostCorrections costs_of_device() {
    const char* named = std::getenv("KERNELGLASS_COSTS");
    if (!named || !*named) return parse_costs(cost_files.front().content, "the built-in constants", "cuda");
    std::ifstream file(named, std::ios::binary);
    std::ostringstream text;
    std::error_code ignored;
    if (std::filesystem::is_directory(named, ignored) || !file || !(text << file.rdbuf()))
        throw Error("cannot-read", "the file {} that KERNELGLASS_COSTS names cannot be read",
                    in_quotes(named));
    return parse_costs(std::move(text).str(), in_quotes(named), "cuda");
}

} // namespace

CudaEngine::CudaEngine(int device, std::size_t memory_limit) : index_(device) {
    // Counting devices and reading their properties starts the driver, but creates no context and takes no
    // memory.
    int count = 0, driver = 0;
    cudaDeviceProp properties{};
    auto status = cudaDriverGetVersion(&driver); // 0 without a driver
    if (status == cudaSuccess) status = cudaGetDeviceCount(&count);
    if (status == cudaSuccess && device >= count) {
        why_unusable_ = "there is no NVIDIA GPU number " + std::to_string(device) + "; this machine has " +
                        std::to_string(count);
        return;
    }
    if (status == cudaSuccess) status = cudaGetDeviceProperties(&properties, device);
    if (status != cudaSuccess) {
        cudaGetLastError(); // clears the error for later calls of check()
        why_unusable_ = why_no_device(status, driver);
        return;
    }
    const auto capability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
    limits_ = {properties.multiProcessorCount, properties.maxThreadsPerMultiProcessor,
               properties.sharedMemPerBlockOptin, static_cast<std::size_t>(properties.l2CacheSize)};
    info_ = {"cuda",
             properties.name,
             std::to_string(properties.totalGlobalMem >> 20) + " MiB" + limit_text(memory_limit) +
                 ", compute capability " + capability + ", driver for CUDA " + version_text(driver),
             properties.totalGlobalMem,
             std::min(kStripBytes, properties.totalGlobalMem / kStripsPerMemory),
             memory_limit,
             capability,
             "CUDA " + version_text(driver)};
    info_.small_step_us = kSmallStepMicroseconds;
    try {
        costs_ = costs_of_device();
    } catch (const Error& error) {
        why_unusable_ = error.what();
    }
    if (const int oldest = oldest_architecture(); properties.major * 10 + properties.minor < oldest)
        why_unusable_ = info_.name + " has compute capability " + capability +
                        ", but this program was built for " + std::to_string(oldest / 10) + "." +
                        std::to_string(oldest % 10) + " and newer";
}

std::string CudaEngine::usable() const {
    if (!why_unusable_.empty()) return why_unusable_;
    std::lock_guard lock(mutex_);
    return resources_ ? resources_->memory->why_lost()
                      : std::string(); // nothing can have failed before the first use
}

std::shared_ptr<DeviceResources> CudaEngine::resources() {
    if (!why_unusable_.empty()) throw Unavailable("no-usable-gpu", "{}", why_unusable_);
    std::lock_guard lock(mutex_);
    has_started = true;
    make_current(index_);
    if (!resources_) resources_ = std::make_shared<DeviceResources>(index_, info_.memory_limit);
    return resources_;
}

std::shared_ptr<Buffer> CudaEngine::allocate(std::size_t bytes, BufferKind kind) {
    const auto own = resources();
    switch (kind) {
    case BufferKind::device: return std::make_shared<DeviceBuffer>(own->memory, bytes);
    case BufferKind::staging:
        // Any thread may release the buffer: without a current device, CUDA would initialise the first one
        // for the call.
        return {new StagingBuffer(bytes), [device = index_](StagingBuffer* buffer) {
                    cudaSetDevice(device);
                    delete buffer;
                }};
    }
    return nullptr;
}

std::unique_ptr<Queue> CudaEngine::queue(Priority priority) {
    return std::make_unique<CudaQueue>(resources(), priority);
}

std::span<const Algorithm* const> CudaEngine::algorithms() const { return gpu::algorithms(); }
std::span<const Algorithm* const> CudaEngine::signal_algorithms() const { return gpu::signal_algorithms(); }
std::span<const Algorithm* const> CudaEngine::bank_algorithms() const { return gpu::bank_algorithms(); }
std::span<const Algorithm* const> CudaEngine::volume_algorithms() const { return gpu::volume_algorithms(); }

const CudaEngine& cuda_engine(const Engine& engine) {
    const auto* cuda = dynamic_cast<const CudaEngine*>(&engine);
    if (!cuda) throw Error("foreign-engine", "the engine {} is not a CUDA engine", engine.device().id);
    return *cuda;
}

int capability_of(const Engine& engine) {
    return static_cast<int>(std::lround(10 * std::atof(engine.device().compute_capability.c_str())));
}

std::shared_ptr<CudaBuffer> device_copy(std::span<const std::byte> bytes, Engine& engine) {
    auto buffer = std::dynamic_pointer_cast<CudaBuffer>(engine.allocate(bytes.size(), BufferKind::device));
    const Stream stream;
    const WaitAtEnd wait(stream);
    check(cudaMemcpyAsync(buffer->device_address(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice,
                          stream.get()));
    check(cudaStreamSynchronize(stream.get()));
    return buffer;
}

std::size_t cache_bytes(const Engine& engine) { return cuda_engine(engine).limits().cache_bytes; }

std::string pci_bus_id(const Engine& engine) {
    char text[32] = "";
    if (cudaDeviceGetPCIBusId(text, sizeof text, cuda_engine(engine).index()) == cudaSuccess) return text;
    cudaGetLastError(); // clears the error for later calls of check()
    return {};
}

std::shared_ptr<Engine> make_engine(int device, std::size_t memory_limit) {
    return std::make_shared<CudaEngine>(device, memory_limit);
}

bool is_cuda(const Engine& engine) { return dynamic_cast<const CudaEngine*>(&engine) != nullptr; }

bool has_driver() {
    // CUDA's own cudaDriverGetVersion() starts the driver, which takes a good part of a second.
    return SharedLibrary("libcuda.so.1", "NVIDIA's driver").absent().empty();
}

bool is_started() { return has_started; }

int device_count() {
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
    cudaGetLastError(); // clears the error for later calls of check()
    return 0;
}

} // namespace kg::gpu
