#pragma once
// A fence of a CUDA queue: an event, and the objects that must live until it completes.

#include "core/plan/completion.hpp"
#include "gpu/runtime/owners.hpp"

#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>

namespace kg::gpu {

/// Work enqueued between two fences.
struct Stretch {
    struct Mark {
        std::string name;
        Event begin;
    };
    std::vector<std::shared_ptr<const void>> keep; ///< buffers, plans and jobs in use by the work
    std::vector<std::stop_token> stops;
    std::vector<Completion> waited_for; ///< their failures are also this stretch's
    std::vector<Mark> marks;
    std::map<std::string, std::int64_t> counts;
    /// Called when all work is done; throws for errors it finds; may be empty.
    std::function<void()> check;
};

class CudaCompletion final : public CompletionState {
public:
    CudaCompletion(std::shared_ptr<EventPool> pool, Event end, Stretch stretch);
    ~CudaCompletion() override;
    bool ready() override;
    void wait() override;
    Report report() override;
    cudaEvent_t event() const { return end_.get(); }

private:
    void settle(cudaError_t status);

    std::shared_ptr<EventPool> pool_;
    Event end_;
    std::mutex mutex_;
    bool settled_ = false;
    Stretch stretch_; // emptied when settled
    Report report_;
    std::exception_ptr failure_;
};

/// Stands for a fence that could not be enqueued, for example on a lost device.
class FailedCompletion final : public CompletionState {
public:
    explicit FailedCompletion(std::exception_ptr failure) : failure_(std::move(failure)) {}
    bool ready() override { return true; }
    void wait() override { std::rethrow_exception(failure_); }
    Report report() override { return {}; }

private:
    std::exception_ptr failure_;
};

} // namespace kg::gpu
