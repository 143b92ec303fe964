#pragma once
// A queue of the CUDA engine: a stream, a scratch arena, and pinned memory for transfers.

#include "core/plan/engine.hpp"
#include "core/support/job_thread.hpp"
#include "gpu/runtime/completion.hpp"
#include "gpu/runtime/memory.hpp"
#include "gpu/runtime/stop.hpp"

#include <deque>
#include <vector>

namespace kg::gpu {

/// Resources shared by the queues of one engine. Created on first use: until then there is no CUDA context.
struct DeviceResources {
    DeviceResources(int index, std::size_t memory_limit)
        : device(index), memory(std::make_shared<MemoryPool>(index, memory_limit)) {}
    int device;
    std::shared_ptr<MemoryPool> memory;
    std::shared_ptr<EventPool> events = std::make_shared<EventPool>();
};

class CudaQueue final : public Queue {
public:
    CudaQueue(std::shared_ptr<DeviceResources> resources, Priority priority);
    ~CudaQueue() override; ///< completes the enqueued work

    void upload(const ConstImageView& from, const BufferView& to) override;
    void download(const BufferView& from, const ImageView& to) override;
    void upload_tensor(const ConstTensorView& from, const BufferView& to) override;
    void download_tensor(const BufferView& from, const TensorView& to) override;
    void run(const std::shared_ptr<const Plan>& plan, std::span<const Item> items,
             std::stop_token stop) override;
    void after(const Completion& completion) override;
    void mark(std::string span) override;
    Completion fence(std::function<void()> wake) override;
    /// Records each branch on a stream of its own; the last one on the queue's.
    void record_independent(std::span<const std::function<void()>> branches) override;

    /// For plans: launches a kernel whose parameters are `arguments` (one pointer each, copied before this
    /// returns).
    void launch(const void* kernel, dim3 grid, dim3 block, std::size_t shared_bytes, void** arguments);
    /// For plans: keeps an object alive until the work launched so far has completed.
    void keep_until_done(std::shared_ptr<const void> what) { stretch_.keep.push_back(std::move(what)); }
    StopFlag stop_flag() const { return stop_flag_; }
    bool stop_requested() const { return stop_.stop_requested(); }
    cudaStream_t stream() const { return current_; }

private:
    /// The stream of a branch. The last branch runs on the queue's own stream.
    struct BranchStream {
        Stream stream;
        Event done{EventKind::plain};
    };
    struct Side { ///< one end of a transfer: the first byte, and the pitch
        std::byte* data;
        std::size_t pitch;
    };
    void copy(Side to, Side from, std::size_t row_bytes, std::size_t rows);
    void copy_through_pinned(Side device, Side host, std::size_t row_bytes, std::size_t rows, bool to_device);
    void transfer_tensor(const BufferView& device, const TensorView& host, bool to_device);
    void transfer_region(const TensorView& device, const TensorView& host, bool to_device);
    template <typename T>
    T* keep(std::shared_ptr<T> what);
    void guard(const Plan& plan, std::span<const Item> items);
    void let_go_of_what_is_done();
    void wait_for_streams() noexcept; ///< errors are those of the work

    std::shared_ptr<DeviceResources> resources_;
    Stream stream_;
    cudaStream_t current_; // on which work is recorded: that of stream_ or of a BranchStream
    std::vector<BranchStream> branch_streams_; // created on first use
    Event forked_{EventKind::plain};
    std::shared_ptr<StopBoard> board_;      // created by the first run that can be stopped
    std::shared_ptr<DeviceBuffer> scratch_; // grows; in-order execution makes reuse safe
    std::shared_ptr<PinnedMemory> pinned_;  // likewise
    std::shared_ptr<PinnedMemory> gate_;    // number of the last completed foreign completion
    std::uint32_t gates_ = 0;
    std::stop_token stop_; // stop token of the run being recorded
    StopFlag stop_flag_;
    Stretch stretch_;     // since the last fence
    BufferNames guarded_; // guard builds: buffers that the stretch's runs may write
    std::deque<std::shared_ptr<CudaCompletion>> in_flight_;
    /// Does the queue's waiting, in stream order: notifies waiters at fences and lets the stream continue
    /// when work of another engine is done. CUDA's host callbacks can do neither: they must not wait for
    /// other work, and they are not called after an error.
    JobThread attendant_;
};

} // namespace kg::gpu
