#include "cpu/engine.hpp"

#include "core/support/memory_budget.hpp"
#include "core/support/quantity_text.hpp"
#include "cpu/kernels/samples.hpp"
#include "cpu/runtime/host_queue.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>

#include <algorithm>
#include <fstream>
#include <new>

#include <unistd.h>

namespace kg::cpu {

namespace {

class HostBuffer final : public Buffer {
public:
    HostBuffer(std::shared_ptr<MemoryBudget> budget, std::size_t bytes)
        : share_(std::move(budget), bytes), size_(bytes),
          bytes_(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{256}))) {}
    ~HostBuffer() override { ::operator delete (bytes_, std::align_val_t{256}); }
    HostBuffer(const HostBuffer&) = delete;
    HostBuffer& operator=(const HostBuffer&) = delete;
    std::size_t size() const override { return size_; }
    std::byte* host() override { return bytes_; }

private:
    MemoryShare share_;
    std::size_t size_;
    std::byte* bytes_;
};

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "CPU";
}

std::size_t l2_bytes() {
    const long size = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return size > 0 ? static_cast<std::size_t>(size) : std::size_t{1} << 20;
}

class CpuEngine final : public Engine {
public:
    CpuEngine(int threads, std::size_t memory_limit)
        : threads_(threads > 0 ? threads : tbb::info::default_concurrency()),
          budget_(std::make_shared<MemoryBudget>(memory_limit)) {
        info_ = {"cpu",
                 processor_name(),
                 std::to_string(threads_) + " threads, " + simd_target() +
                     (memory_limit > 0 ? ", at most " + memory_text(memory_limit) : ""),
                 static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                     static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE)),
                 l2_bytes() * static_cast<std::size_t>(threads_),
                 memory_limit};
        info_.host_memory = true;
    }
    const DeviceInfo& device() const override { return info_; }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
        // Staging memory does not count against the limit, as on a GPU: the limit bounds computing, not
        // display.
        static const auto unlimited = std::make_shared<MemoryBudget>();
        return std::make_shared<HostBuffer>(kind == BufferKind::staging ? unlimited : budget_, bytes);
    }
    std::unique_ptr<Queue> queue(Priority) override { return std::make_unique<HostQueue>(*this, workers_); }
    std::span<const Algorithm* const> algorithms() const override { return cpu::algorithms(); }
    std::span<const Algorithm* const> signal_algorithms() const override { return cpu::signal_algorithms(); }
    std::span<const Algorithm* const> bank_algorithms() const override { return cpu::bank_algorithms(); }
    std::span<const Algorithm* const> volume_algorithms() const override { return cpu::volume_algorithms(); }
    std::unique_ptr<Queue> calling_queue() { return std::make_unique<HostQueue>(*this, workers_, false); }
    int threads() const { return threads_; }

private:
    int threads_;
    std::shared_ptr<MemoryBudget> budget_;
    std::shared_ptr<Workers> workers_ = std::make_shared<Workers>(threads_);
    DeviceInfo info_;
};

} // namespace

std::shared_ptr<Engine> make_engine(int threads, std::size_t memory_limit) {
    // oneTBB caps all arenas at the number of cores. The limit is raised for callers that request more
    // threads.
    constexpr int kMostThreads = 256;
    if (threads > tbb::info::default_concurrency()) {
        static const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, kMostThreads);
    }
    return std::make_shared<CpuEngine>(std::min(threads, kMostThreads), memory_limit);
}

std::unique_ptr<Queue> calling_queue(Engine& engine) {
    auto* cpu = dynamic_cast<CpuEngine*>(&engine);
    return cpu ? cpu->calling_queue() : nullptr;
}

int threads_of(const Engine& engine) {
    const auto* cpu = dynamic_cast<const CpuEngine*>(&engine);
    return cpu ? cpu->threads() : 1;
}

} // namespace kg::cpu
