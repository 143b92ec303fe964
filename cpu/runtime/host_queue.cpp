#include "cpu/runtime/host_queue.hpp"

#include "core/image/copy_pixels.hpp"
#include "core/image/copy_tensor.hpp"
#include "core/support/error.hpp"
#include "core/support/stop.hpp"
#include "core/support/thread.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace kg::cpu {

namespace {

class HostCompletion final : public CompletionState {
public:
    bool ready() override {
        std::lock_guard lock(mutex_);
        return done_;
    }
    void wait() override {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return done_; });
        if (failure_) std::rethrow_exception(failure_);
    }
    Report report() override {
        std::lock_guard lock(mutex_);
        return report_;
    }
    void finish(Report report, std::exception_ptr failure) {
        std::lock_guard lock(mutex_);
        report_ = std::move(report);
        failure_ = std::move(failure);
        done_ = true;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    Report report_;
    std::exception_ptr failure_;
};

} // namespace

HostQueue::HostQueue(Engine& engine, std::shared_ptr<Workers> workers, bool own_thread)
    : engine_(engine), workers_(std::move(workers)), thread_(own_thread) {}

double HostQueue::now_us() const {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void HostQueue::enqueue(std::function<void(const Context&)> task) {
    thread_.push([this, task = std::move(task), context = Context{stop_, workers_}] {
        if (failure_) return;
        try {
            throw_if_stopped(context.stop);
            before_task();
            task(context);
        } catch (...) {
            failure_ = std::current_exception();
        }
    });
}

ImageView HostQueue::image(const BufferView& view) const {
    auto* bytes = view.memory->host();
    if (!bytes)
        throw Error("foreign-buffer",
                    "this buffer does not belong to an engine that computes on host memory");
    return {bytes + view.offset, view.pitch, {view.covers.width, view.covers.height}, view.format};
}

TensorView HostQueue::tensor(const BufferView& view) const {
    const auto at = image(view);
    return {at.data, *view.tensor, at.pitch, at.size};
}

void HostQueue::upload(const ConstImageView& from, const BufferView& to) {
    check_transfer(from, to);
    enqueue([this, from, to](const Context&) { copy_pixels(from, image(to)); });
}

void HostQueue::download(const BufferView& from, const ImageView& to) {
    check_transfer(to, from);
    enqueue([this, from, to](const Context&) { copy_pixels(image(from), to); });
}

void HostQueue::upload_tensor(const ConstTensorView& from, const BufferView& to) {
    check_tensor_transfer(from, to);
    enqueue([this, from, to](const Context&) { copy_tensor(from, tensor(to)); });
}

void HostQueue::download_tensor(const BufferView& from, const TensorView& to) {
    check_tensor_transfer(to, from);
    enqueue([this, from, to](const Context&) { copy_tensor(tensor(from), to); });
}

void HostQueue::run(const std::shared_ptr<const Plan>& plan, std::span<const Item> items,
                    std::stop_token stop) {
    if (items.empty()) return;
    const auto bytes = plan->needs(items.front().dst.covers).scratch_bytes * items.size();
    if (bytes > 0 && (!scratch_ || scratch_->size() < bytes)) {
        scratch_.reset(); // before allocating the larger one, because memory may be short
        scratch_ = engine_.allocate(bytes);
    }
    stop_ = std::move(stop);
    const auto scratch_width = static_cast<std::int64_t>(bytes);
    plan->record(*this, items, {scratch_, 0, bytes, PixelFormat{}, {0, 0, scratch_width, 1}});
    stop_ = {};
}

void HostQueue::after(const Completion& completion) {
    // The caller may be the one to be waited for.
    if (!thread_.start() && !completion.ready()) throw no_thread();
    enqueue([completion](const Context&) { completion.wait(); });
}

void HostQueue::mark(std::string span) {
    thread_.push([this, span = std::move(span)] {
        const auto now = now_us();
        if (span_) report_.spans.push_back({*span_, now - span_began_});
        span_ = span;
        span_began_ = now;
    });
}

Completion HostQueue::fence(std::function<void()> wake) {
    auto state = std::make_shared<HostCompletion>();
    thread_.push([this, state, wake = std::move(wake)] {
        if (span_) report_.spans.push_back({*span_, now_us() - span_began_});
        span_.reset();
        state->finish(std::exchange(report_, {}), std::exchange(failure_, nullptr));
        if (wake) wake();
    });
    return Completion(state);
}

void parallel_rows(const HostQueue::Context& context, std::int64_t rows, std::int64_t grain,
                   const std::function<void(std::int64_t, std::int64_t)>& body, std::int64_t fewest) {
    const Workers::Chunk chunk = [&](std::int64_t begin, std::int64_t end) {
        throw_if_stopped(context.stop);
        body(begin, end);
    };
    // A strip of a chain may be lower than the preferred chunk of a caller; every core still gets a share of
    // it.
    const auto workers = context.workers->count();
    grain = std::clamp<std::int64_t>((rows + workers - 1) / workers, fewest, std::max(fewest, grain));
    if (workers > 1 && rows > grain) return context.workers->spread(rows, grain, chunk);
    for (std::int64_t y = 0; y < rows; y += grain) chunk(y, std::min(rows, y + grain));
}

} // namespace kg::cpu
