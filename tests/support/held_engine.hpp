#pragma once
// An engine that a test holds and releases.

#include "tests/support/detached_engine.hpp"

#include <atomic>
#include <memory>
#include <span>

namespace kg::testing {

/// Its queues begin no work until released.
class HeldEngine : public Engine {
public:
    const DeviceInfo& device() const override { return inner_->device(); }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
        return inner_->allocate(bytes, kind);
    }
    std::unique_ptr<Queue> queue(Priority priority) override {
        held_ = true;
        held_.notify_all();
        may_go_.wait(false);
        return inner_->queue(priority);
    }
    std::span<const Algorithm* const> algorithms() const override { return inner_->algorithms(); }
    void wait_until_held() { held_.wait(false); }
    void let_go() {
        may_go_ = true;
        may_go_.notify_all();
    }

private:
    std::shared_ptr<Engine> inner_ = make_detached_engine();
    std::atomic<bool> held_ = false, may_go_ = false;
};

} // namespace kg::testing
