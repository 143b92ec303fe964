#pragma once
// The detached engine with a record of its staging memory and of the host addresses of its transfers.

#include "tests/support/detached_engine.hpp"
#include "tests/support/passing_queue.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace kg::testing {

class TransferWatch final : public Engine {
public:
    struct Transfers {
        std::vector<const std::byte*> from, to; ///< in the order of the calls
        std::size_t elsewhere = 0;              ///< transfers outside all staging memory
    };
    Transfers transfers() const {
        const std::lock_guard lock(mutex_);
        return transfers_;
    }
    /// The existing staging memory.
    std::size_t staging_bytes() const {
        const std::lock_guard lock(mutex_);
        return bytes_now();
    }
    std::size_t most_staging_bytes() const {
        const std::lock_guard lock(mutex_);
        return most_bytes_;
    }
    void fail_staging(bool fails) { fails_ = fails; }

    const DeviceInfo& device() const override { return inner_->device(); }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
        if (kind != BufferKind::staging) return inner_->allocate(bytes, kind);
        if (fails_) throw std::bad_alloc();
        auto buffer = inner_->allocate(bytes, kind);
        const std::lock_guard lock(mutex_);
        staging_.push_back(buffer);
        most_bytes_ = std::max(most_bytes_, bytes_now());
        return buffer;
    }
    std::unique_ptr<Queue> queue(Priority priority) override {
        return std::make_unique<WatchedQueue>(*this, inner_->queue(priority));
    }
    std::span<const Algorithm* const> algorithms() const override { return inner_->algorithms(); }

private:
    class WatchedQueue final : public PassingQueue {
    public:
        WatchedQueue(TransferWatch& watch, std::unique_ptr<Queue> queue)
            : PassingQueue(std::move(queue)), watch_(watch) {}
        void upload(const ConstImageView& from, const BufferView& to) override {
            watch_.note(watch_.transfers_.from, from);
            PassingQueue::upload(from, to);
        }
        void download(const BufferView& from, const ImageView& to) override {
            watch_.note(watch_.transfers_.to, to);
            PassingQueue::download(from, to);
        }

    private:
        TransferWatch& watch_;
    };

    void note(std::vector<const std::byte*>& transfers, const ConstImageView& image) {
        const std::lock_guard lock(mutex_);
        transfers.push_back(image.data);
        const auto* end = image.data + image.pitch * static_cast<std::size_t>(image.size.height);
        transfers_.elsewhere += std::ranges::none_of(staging_, [&](const auto& each) {
            const auto buffer = each.lock();
            return buffer && image.data >= buffer->host() && end <= buffer->host() + buffer->size();
        });
    }
    std::size_t bytes_now() const {
        std::size_t bytes = 0;
        for (const auto& each : staging_)
            if (const auto buffer = each.lock()) bytes += buffer->size();
        return bytes;
    }

    std::shared_ptr<Engine> inner_ = make_detached_engine();
    std::atomic<bool> fails_ = false;
    mutable std::mutex mutex_;
    std::vector<std::weak_ptr<Buffer>> staging_;
    std::size_t most_bytes_ = 0;
    Transfers transfers_;
};

} // namespace kg::testing
