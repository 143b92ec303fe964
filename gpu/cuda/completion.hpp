#pragma once
// A fence of a CUDA queue: an event, and what must live until it has come.

#include "core/completion.hpp"
#include "gpu/cuda/owners.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <stop_token>
#include <thread>

namespace kg::gpu {

/// What was enqueued between two fences.
struct Stretch {
    struct Mark {
        std::string name;
        Event begin;
    };
    std::vector<std::shared_ptr<const void>> keep; ///< buffers, plans and jobs that the work uses
    std::vector<std::stop_token> stops;
    std::vector<Completion> waited_for; ///< their failures are this stretch's too
    std::vector<Mark> marks;
    std::map<std::string, std::int64_t> counts;
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

/// A thread that does a queue's waiting, in the order of the stream: it wakes people at fences and lets the stream go on
/// when work of another engine is done. CUDA's own host callbacks could do neither: they must not wait for other work,
/// and they do not come after an error.
class Attendant {
public:
    Attendant() = default;
    ~Attendant() { finish(); }
    Attendant(const Attendant&) = delete;
    Attendant& operator=(const Attendant&) = delete;
    void push(std::function<void()> job); ///< jobs do not throw
    void finish();                        ///< does what was pushed, then ends

private:
    void loop();
    std::mutex mutex_;
    std::condition_variable work_;
    std::deque<std::function<void()>> jobs_;
    bool ending_ = false;
    std::thread thread_; // begins with the first job
};

} // namespace kg::gpu
