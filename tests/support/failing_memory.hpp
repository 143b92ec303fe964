#pragma once
// The CPU engine with a shortage of pinned memory, or with failing transfers.

#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "tests/support/passing_queue.hpp"

#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace kg::testing {

class FailingMemory final : public Engine {
public:
    /// The staging buffer whose allocation fails, counted from now: 1 is the next. 0 = none.
    void fail_staging(int next) { staging_left_ = next; }
    /// The download that fails, counted from now over all queues. 0 = none.
    void fail_download(int next) { downloads_left_ = next; }
    /// All staging memory ever allocated.
    const std::vector<std::weak_ptr<Buffer>>& staging() const { return staging_; }

    const DeviceInfo& device() const override { return cpu_->device(); }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
        if (kind != BufferKind::staging) return cpu_->allocate(bytes, kind);
        if (staging_left_ > 0 && --staging_left_ == 0) throw std::bad_alloc();
        auto buffer = cpu_->allocate(bytes, kind);
        staging_.push_back(buffer);
        return buffer;
    }
    std::unique_ptr<Queue> queue(Priority priority) override {
        return std::make_unique<FailingQueue>(*this, cpu_->queue(priority));
    }
    std::span<const Algorithm* const> algorithms() const override { return cpu_->algorithms(); }

private:
    class FailingQueue final : public PassingQueue {
    public:
        FailingQueue(FailingMemory& engine, std::unique_ptr<Queue> queue)
            : PassingQueue(std::move(queue)), engine_(engine) {}
        void download(const BufferView& from, const ImageView& to) override {
            if (engine_.downloads_left_ > 0 && --engine_.downloads_left_ == 0) throw std::bad_alloc();
            PassingQueue::download(from, to);
        }

    private:
        FailingMemory& engine_;
    };

    std::shared_ptr<Engine> cpu_ = cpu::make_engine(1);
    int staging_left_ = 0, downloads_left_ = 0;
    std::vector<std::weak_ptr<Buffer>> staging_;
};

} // namespace kg::testing
