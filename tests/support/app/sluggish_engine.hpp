#pragma once
// An engine with runs that end only by a stop.

#include "core/support/error.hpp"
#include "cpu/runtime/host_queue.hpp"
#include "tests/support/passing_queue.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace kg::testing {

/// Computes like another engine, on the host; of the next runs `passing` pass, and then `stuck` end only by a
/// stop.
class SluggishEngine final : public Engine {
public:
    explicit SluggishEngine(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}
    const DeviceInfo& device() const override { return engine_->device(); }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
        return engine_->allocate(bytes, kind);
    }
    std::unique_ptr<Queue> queue(Priority priority) override {
        return std::make_unique<SluggishQueue>(*this, engine_->queue(priority));
    }
    std::span<const Algorithm* const> algorithms() const override { return engine_->algorithms(); }

    std::atomic<int> passing = 0, stuck = 0;
    std::atomic<int> sticking = 0; ///< runs that wait for a stop, or have been stopped

private:
    class Endless final : public Plan {
    public:
        explicit Endless(std::atomic<int>& sticking) : sticking_(sticking) {}
        Needs needs(const Rect& output) const override { return {output}; }
        void record(Queue& queue, std::span<const Item>, const BufferView&) const override {
            static_cast<cpu::HostQueue&>(queue).enqueue(
                [&sticking = sticking_](const cpu::HostQueue::Context& context) {
                    ++sticking;
                    std::mutex mutex;
                    std::unique_lock lock(mutex);
                    std::condition_variable_any stopped;
                    stopped.wait(lock, context.stop, [] { return false; });
                    throw Cancelled();
                });
        }

    private:
        std::atomic<int>& sticking_;
    };
    class SluggishQueue final : public PassingQueue {
    public:
        SluggishQueue(SluggishEngine& engine, std::unique_ptr<Queue> queue)
            : PassingQueue(std::move(queue)), engine_(engine) {}
        void run(const std::shared_ptr<const Plan>& plan, std::span<const Item> items,
                 std::stop_token stop) override {
            const bool passes = engine_.passing > 0 && engine_.passing-- > 0;
            const bool sticks = !passes && engine_.stuck > 0 && engine_.stuck-- > 0;
            PassingQueue::run(sticks ? std::make_shared<Endless>(engine_.sticking) : plan, items,
                              std::move(stop));
        }

    private:
        SluggishEngine& engine_;
    };

    std::shared_ptr<Engine> engine_;
};

} // namespace kg::testing
