#include "tests/support/lost_engine.hpp"

#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"

#include <atomic>

namespace kg::testing {

namespace {

struct Device {
    std::atomic<int> runs_left = -1; ///< negative = unlimited
    std::atomic<bool> lost = false;
    void check() const {
        if (lost) throw DeviceLost("device-lost", "{}", kLostWords);
    }
};

class LosableQueue final : public cpu::HostQueue {
public:
    LosableQueue(Engine& engine, std::shared_ptr<Device> device)
        : HostQueue(engine, std::make_shared<cpu::Workers>(1)), device_(std::move(device)) {}
    ~LosableQueue() override { finish(); }
    void run(const std::shared_ptr<const Plan>& plan, std::span<const Item> items,
             std::stop_token stop) override {
        device_->check();
        // Fails in flight, not in this call.
        if (device_->runs_left >= 0 && device_->runs_left-- == 0) device_->lost = true;
        HostQueue::run(plan, items, std::move(stop));
    }

protected:
    void before_task() override { device_->check(); }

private:
    std::shared_ptr<Device> device_;
};

class CpuThatCanBeLost final : public LosableEngine {
public:
    const DeviceInfo& device() const override { return info_; }
    std::string usable() const override { return state_->lost ? kLostWords : ""; }
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
        state_->check();
        return cpu_->allocate(bytes, kind);
    }
    std::unique_ptr<Queue> queue(Priority) override {
        state_->check();
        return std::make_unique<LosableQueue>(*this, state_);
    }
    std::span<const Algorithm* const> algorithms() const override { return cpu::algorithms(); }
    void lose(int after_runs) override { state_->runs_left = after_runs; }

private:
    std::shared_ptr<Engine> cpu_ = cpu::make_engine(1);
    std::shared_ptr<Device> state_ = std::make_shared<Device>();
    DeviceInfo info_{"cuda", "a GPU of this test", "can be lost", 0, 20'000};
};

} // namespace

std::shared_ptr<LosableEngine> make_losable_engine() { return std::make_shared<CpuThatCanBeLost>(); }

} // namespace kg::testing
