#pragma once
// An engine that computes, and never says that it is done.

#include "cpu/engine.hpp"
#include "tests/support/check.hpp"

#include <memory>

namespace kg::testing {

/// A queue whose work is never done, as far as its fences say.
class DeafQueue final : public Queue {
public:
    explicit DeafQueue(std::unique_ptr<Queue> queue) : queue_(std::move(queue)) {}
    void upload(const ConstImageView& from, const BufferView& to) override { queue_->upload(from, to); }
    void download(const BufferView& from, const ImageView& to) override { queue_->download(from, to); }
    void run(const std::shared_ptr<const Plan>& plan, std::span<const Item> items,
             std::stop_token stop) override {
        queue_->run(plan, items, std::move(stop));
    }
    void after(const Completion& completion) override { queue_->after(completion); }
    void mark(std::string span) override { queue_->mark(std::move(span)); }
    Completion fence(std::function<void()>) override {
        queue_->fence().wait();
        return Completion(std::make_shared<Gate>());
    }

private:
    std::unique_ptr<Queue> queue_;
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
