#include "tests/support/detached_engine.hpp"

#include "core/support/error.hpp"
#include "core/support/memory_budget.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <random>

namespace kg::testing {

namespace {

class DetachedBuffer final : public Buffer {
public:
    DetachedBuffer(std::shared_ptr<MemoryBudget> budget, std::size_t bytes, BufferKind kind)
        : share_(std::move(budget), kind == BufferKind::device ? bytes : 0), size_(bytes),
          bytes_(static_cast<std::byte*>(::operator new(bytes, kAlignment))), kind_(kind) {
        std::fill_n(bytes_.get(), size_, std::byte{0xcd}); // poison that exposes reads of unwritten bytes
    }
    std::size_t size() const override { return size_; }
    std::byte* host() override { return kind_ == BufferKind::staging ? bytes_.get() : nullptr; }
    std::byte* hidden() { return bytes_.get(); }

private:
    static constexpr std::align_val_t kAlignment{256};
    struct Free {
        void operator()(std::byte* memory) const { ::operator delete(memory, kAlignment); }
    };
    MemoryShare share_;
    std::size_t size_;
    std::unique_ptr<std::byte, Free> bytes_;
    BufferKind kind_;
};

class DetachedQueue final : public cpu::HostQueue {
public:
    DetachedQueue(Engine& engine, unsigned seed)
        : HostQueue(engine, std::make_shared<cpu::Workers>(1)), random_(seed) {}
    ~DetachedQueue() override { finish(); }

    ImageView image(const BufferView& view) const override {
        auto* buffer = dynamic_cast<DetachedBuffer*>(view.memory.get());
        if (!buffer) throw Error("foreign-buffer", "a buffer of another engine reached the detached engine");
        return {
            buffer->hidden() + view.offset, view.pitch, {view.covers.width, view.covers.height}, view.format};
    }

protected:
    void before_task() override { std::this_thread::sleep_for(std::chrono::microseconds(random_() % 300)); }

private:
    std::minstd_rand random_;
};

class DetachedEngine final : public Engine {
public:
    DetachedEngine(unsigned seed, std::size_t memory_limit)
        : seed_(seed), budget_(std::make_shared<MemoryBudget>(memory_limit)) {
        info_.memory_limit = memory_limit;
    }
    const DeviceInfo& device() const override { return info_; }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
        return std::make_shared<DetachedBuffer>(budget_, bytes, kind);
    }
    std::unique_ptr<Queue> queue(Priority) override {
        return std::make_unique<DetachedQueue>(*this, ++seed_);
    }
    std::span<const Algorithm* const> algorithms() const override { return cpu::algorithms(); }
    std::span<const Algorithm* const> signal_algorithms() const override { return cpu::signal_algorithms(); }
    std::span<const Algorithm* const> bank_algorithms() const override { return cpu::bank_algorithms(); }
    std::span<const Algorithm* const> volume_algorithms() const override { return cpu::volume_algorithms(); }

private:
    std::atomic<unsigned> seed_;
    std::shared_ptr<MemoryBudget> budget_;
    DeviceInfo info_{"detached", "a thread of its own", "for tests: asynchronous, no host memory", 0, 20'000};
};

} // namespace

std::shared_ptr<Engine> make_detached_engine(unsigned seed, std::size_t memory_limit) {
    return std::make_shared<DetachedEngine>(seed, memory_limit);
}

} // namespace kg::testing
