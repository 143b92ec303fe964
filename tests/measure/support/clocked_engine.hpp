#pragma once
// An engine with a clock of its own, which only work advances: times are the same on every machine.

#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"

#include <atomic>

namespace kg::testing {

/// Computes as the CPU engine does, in one thread. Each task takes `kTask` of its clock, plus the time passed
/// to take().
class ClockedEngine final : public Engine {
public:
    static constexpr double kTask = 10; ///< microseconds

    const DeviceInfo& device() const override { return engine_->device(); }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
        return engine_->allocate(bytes, kind);
    }
    std::unique_ptr<Queue> queue(Priority) override { return std::make_unique<ClockedQueue>(*this); }
    std::span<const Algorithm* const> algorithms() const override { return engine_->algorithms(); }
    std::span<const Algorithm* const> signal_algorithms() const override {
        return engine_->signal_algorithms();
    }
    /// For tasks: advances the clock.
    static void take(double microseconds) { now_us_ += microseconds; }

private:
    class ClockedQueue final : public cpu::HostQueue {
    public:
        explicit ClockedQueue(Engine& engine) : HostQueue(engine, std::make_shared<cpu::Workers>(1)) {}
        ~ClockedQueue() override { finish(); }

    protected:
        void before_task() override { take(kTask); }
        double now_us() const override { return now_us_; }
    };

    static inline std::atomic<double> now_us_ = 0;
    std::shared_ptr<Engine> engine_ = cpu::make_engine(1);
};

} // namespace kg::testing
