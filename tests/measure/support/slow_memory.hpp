#pragma once
// An engine whose buffers take counted time to be filled, as those of a machine with slow memory do.

#include "core/plan/engine.hpp"
#include "tests/measure/support/counted_engine.hpp"
#include "tests/support/passing_queue.hpp"

#include <memory>
#include <span>
#include <utility>

namespace kg::testing {

/// Another engine, of which every upload takes `upload_us` of `time`.
class SlowMemory final : public Engine {
public:
    SlowMemory(std::shared_ptr<Engine> engine, CountedTime& time, double upload_us)
        : engine_(std::move(engine)), time_(time), upload_us_(upload_us) {}

    const DeviceInfo& device() const override { return engine_->device(); }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
        return engine_->allocate(bytes, kind);
    }
    std::unique_ptr<Queue> queue(Priority priority) override {
        return std::make_unique<SlowQueue>(engine_->queue(priority), time_, upload_us_);
    }
    std::span<const Algorithm* const> algorithms() const override { return engine_->algorithms(); }
    std::span<const Algorithm* const> signal_algorithms() const override {
        return engine_->signal_algorithms();
    }

private:
    class SlowQueue final : public PassingQueue {
    public:
        SlowQueue(std::unique_ptr<Queue> queue, CountedTime& time, double upload_us)
            : PassingQueue(std::move(queue)), time_(time), upload_us_(upload_us) {}
        void upload(const ConstImageView& from, const BufferView& to) override {
            time_.work(upload_us_, {});
            PassingQueue::upload(from, to);
        }

    private:
        CountedTime& time_;
        double upload_us_;
    };

    std::shared_ptr<Engine> engine_;
    CountedTime& time_;
    double upload_us_;
};

} // namespace kg::testing
