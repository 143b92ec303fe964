#pragma once
// A queue that forwards to another one. Queues of tests override the calls they observe or break.

#include "core/plan/engine.hpp"

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>

namespace kg::testing {

class PassingQueue : public Queue {
public:
    explicit PassingQueue(std::unique_ptr<Queue> queue) : queue_(std::move(queue)) {}
    void upload(const ConstImageView& from, const BufferView& to) override { queue_->upload(from, to); }
    void download(const BufferView& from, const ImageView& to) override { queue_->download(from, to); }
    void run(const std::shared_ptr<const Plan>& plan, std::span<const Item> items,
             std::stop_token stop) override {
        queue_->run(plan, items, std::move(stop));
    }
    void after(const Completion& completion) override { queue_->after(completion); }
    void mark(std::string span) override { queue_->mark(std::move(span)); }
    Completion fence(std::function<void()> wake) override { return queue_->fence(std::move(wake)); }

private:
    std::unique_ptr<Queue> queue_;
};

} // namespace kg::testing
