#pragma once
// A queue that executes functions on host memory, in order, on its own thread. The CPU engine uses it
// directly. The test engine `detached` derives from it to verify that callers assume neither synchrony nor
// host pointers.

#include "core/plan/engine.hpp"
#include "core/support/job_thread.hpp"
#include "cpu/runtime/workers.hpp"

#include <exception>
#include <functional>
#include <optional>

namespace kg::cpu {

class HostQueue : public Queue {
public:
    /// `workers` are the threads that a task may use in addition to the queue's own.
    /// Without a thread of its own, each call computes what it enqueues before it returns.
    HostQueue(Engine& engine, std::shared_ptr<Workers> workers, bool own_thread = true);
    ~HostQueue() override = default; ///< finishes all enqueued work

    void upload(const ConstImageView& from, const BufferView& to) override;
    void download(const BufferView& from, const ImageView& to) override;
    void upload_tensor(const ConstTensorView& from, const BufferView& to) override;
    void download_tensor(const BufferView& from, const TensorView& to) override;
    void run(const std::shared_ptr<const Plan>& plan, std::span<const Item> items,
             std::stop_token stop) override;
    void after(const Completion& completion) override;
    void mark(std::string span) override;
    Completion fence(std::function<void()> wake) override;

    /// For plans of algorithms that compute on host memory. The task runs later, on the queue's thread; it is
    /// skipped if an earlier task has thrown. The context lets it stop early and use several cores.
    struct Context {
        std::stop_token stop;
        std::shared_ptr<Workers> workers;
    };
    void enqueue(std::function<void(const Context&)> task);
    /// The address of the pixels of a view. Valid only inside tasks: elsewhere a CPU may not be able to
    /// access the memory.
    virtual ImageView image(const BufferView& view) const;
    /// The same of the numbers of a view of a tensor.
    TensorView tensor(const BufferView& view) const;

protected:
    /// Called on the queue's thread before each task (the test engine delays here).
    virtual void before_task() {}
    /// The clock of the spans in a fence's report, in microseconds. Called only on the queue's thread.
    virtual double now_us() const;
    /// Must be called first in the destructor of a derived class, because tasks call its virtual functions.
    void finish() { thread_.finish(); }

private:
    Engine& engine_;
    std::shared_ptr<Workers> workers_;
    std::stop_token stop_;            // stop token of the run being recorded
    std::shared_ptr<Buffer> scratch_; // grows; in-order execution makes reuse safe

    // Accessed only by the queue's thread:
    std::exception_ptr failure_;
    std::optional<std::string> span_;
    double span_began_ = 0;
    Report report_;

    JobThread thread_; // last: it ends before the members its jobs use
};

/// Splits [0, rows) among the workers into chunks of `grain` rows, or fewer so that every worker gets one,
/// but at least `fewest`. Calls body(begin, end). Throws Cancelled if a stop is requested.
void parallel_rows(const HostQueue::Context& context, std::int64_t rows, std::int64_t grain,
                   const std::function<void(std::int64_t, std::int64_t)>& body, std::int64_t fewest = 1);

} // namespace kg::cpu
