#include "gpu/runtime/completion.hpp"

#include <chrono>

namespace kg::gpu {

namespace {
// Sleeping on an event and waking again takes tens of microseconds; for short work the thread spins.
constexpr std::chrono::microseconds kAwake{200};
} // namespace

CudaCompletion::CudaCompletion(std::shared_ptr<EventPool> pool, Event end, Stretch stretch)
    : pool_(std::move(pool)), end_(std::move(end)), stretch_(std::move(stretch)) {}

CudaCompletion::~CudaCompletion() {
    for (auto& mark : stretch_.marks) pool_->give(std::move(mark.begin));
    pool_->give(std::move(end_));
}

bool CudaCompletion::ready() {
    {
        std::lock_guard lock(mutex_);
        if (settled_) return true;
    }
    const auto status = cudaEventQuery(end_.get());
    if (status == cudaErrorNotReady) {
        cudaGetLastError();
        return false;
    }
    settle(status);
    return true;
}

void CudaCompletion::wait() {
    const auto until = std::chrono::steady_clock::now() + kAwake;
    while (!ready())
        if (std::chrono::steady_clock::now() > until) settle(cudaEventSynchronize(end_.get()));
    std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
}

Report CudaCompletion::report() {
    std::lock_guard lock(mutex_);
    return report_;
}

void CudaCompletion::settle(cudaError_t status) {
    Stretch done; // released after the lock: destructors of its objects may be slow
    std::lock_guard lock(mutex_);
    if (settled_) return;
    settled_ = true;
    done = std::move(stretch_);
    stretch_ = {};
    try {
        check(status);
        if (done.check) done.check();
        for (const auto& other : done.waited_for) other.wait(); // it completed before this fence
        for (const auto& stop : done.stops)
            if (stop.stop_requested()) throw Cancelled();
        for (std::size_t i = 0; i < done.marks.size(); ++i) {
            const auto end = i + 1 < done.marks.size() ? done.marks[i + 1].begin.get() : end_.get();
            float milliseconds = 0;
            check(cudaEventElapsedTime(&milliseconds, done.marks[i].begin.get(), end));
            report_.spans.push_back({done.marks[i].name, milliseconds * 1e3});
        }
    } catch (...) {
        failure_ = std::current_exception();
    }
    report_.counts = std::move(done.counts);
    for (auto& mark : done.marks) pool_->give(std::move(mark.begin));
}

} // namespace kg::gpu
