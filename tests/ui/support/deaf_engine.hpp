#pragma once
// An engine that computes, but whose fences are never signalled.

#include "cpu/engine.hpp"
#include "tests/support/gate.hpp"
#include "tests/support/passing_queue.hpp"

#include <memory>

namespace kg::testing {

/// A queue whose fences are never signalled.
class DeafQueue final : public PassingQueue {
public:
    using PassingQueue::PassingQueue;
    Completion fence(std::function<void()>) override {
        PassingQueue::fence({}).wait();
        return Completion(std::make_shared<Gate>());
    }
};

class DeafEngine final : public Engine {
public:
    const DeviceInfo& device() const override { return engine_->device(); }
    std::string usable() const override { return engine_->usable(); }
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
        return engine_->allocate(bytes, kind);
    }
    std::unique_ptr<Queue> queue(Priority priority) override {
        return std::make_unique<DeafQueue>(engine_->queue(priority));
    }
    std::span<const Algorithm* const> algorithms() const override { return engine_->algorithms(); }

private:
    std::shared_ptr<Engine> engine_ = cpu::make_engine(1);
};

} // namespace kg::testing
