#include "gpu/runtime/queue.hpp"

#include "core/image/copy_tensor.hpp"
#include "core/support/thread.hpp"

#include <cuda.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>
#include <utility>

namespace kg::gpu {

namespace {

// Large enough to amortise a copy's latency, small enough to be pinned in about a millisecond.
constexpr std::size_t kPinnedBytes = std::size_t{4} << 20;
// Scratch of the items that are recorded together. Launch overhead is negligible for items that take more
// than a fraction of this.
constexpr std::size_t kMostBatchScratch = std::size_t{256} << 20;

/// Rows that the CPU copies when the stream reaches them.
struct HostCopy {
    std::byte* to;
    std::size_t to_pitch;
    const std::byte* from;
    std::size_t from_pitch, row_bytes, rows;

    static void CUDART_CB run(void* self) {
        const auto& c = *static_cast<const HostCopy*>(self);
        if (c.to_pitch == c.row_bytes && c.from_pitch == c.row_bytes) {
            std::memcpy(c.to, c.from, c.row_bytes * c.rows);
            return;
        }
        for (std::size_t y = 0; y < c.rows; ++y)
            std::memcpy(c.to + y * c.to_pitch, c.from + y * c.from_pitch, c.row_bytes);
    }
};

/// The same for numbers of a tensor, whatever the strides on both sides.
struct HostTensorCopy {
    ConstTensorView from;
    TensorView to;

    static void CUDART_CB run(void* self) {
        const auto& c = *static_cast<const HostTensorCopy*>(self);
        copy_tensor(c.from, c.to);
    }
};

/// Some rows and columns of one channel.
TensorView region_of(const TensorView& view, const Rect& region, std::int64_t channel) {
    TensorView some{
        view.at(region.x, region.y, channel), view.format, view.pitch, {region.width, region.height}};
    some.format.channels = 1;
    return some;
}

/// True for page-locked memory, as our staging buffers have: copies to and from it do not block the caller.
bool is_pinned(const void* memory) {
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, memory));
    return attributes.type == cudaMemoryTypeHost;
}

/// The driver's cuStreamWaitValue32, resolved at run time because the program must start without a driver.
CUresult wait_for_value(CUstream stream, CUdeviceptr word, std::uint32_t value) {
    using Function = CUresult(CUDAAPI*)(CUstream, CUdeviceptr, cuuint32_t, unsigned);
    static const auto function = [] {
        void* found = nullptr;
        cudaDriverEntryPointQueryResult result{};
        check(cudaGetDriverEntryPointByVersion("cuStreamWaitValue32", &found, 12000, cudaEnableDefault,
                                               &result));
        return reinterpret_cast<Function>(found);
    }();
    return function ? function(stream, word, value, CU_STREAM_WAIT_VALUE_GEQ) : CUDA_ERROR_NOT_SUPPORTED;
}

} // namespace

CudaQueue::CudaQueue(std::shared_ptr<DeviceResources> resources, Priority priority)
    : resources_(std::move(resources)), stream_(priority == Priority::high), current_(stream_.get()) {}

CudaQueue::~CudaQueue() {
    // The attendant first: the stream may be waiting for it.
    attendant_.finish();
    wait_for_streams();
    for (const auto& fence : in_flight_) fence->ready();
    for (auto& mark : stretch_.marks) resources_->events->give(std::move(mark.begin));
}

void CudaQueue::wait_for_streams() noexcept {
    cudaStreamSynchronize(stream_.get());
    for (const auto& branch : branch_streams_) cudaStreamSynchronize(branch.stream.get());
}

template <typename T>
T* CudaQueue::keep(std::shared_ptr<T> what) {
    auto* raw = what.get();
    stretch_.keep.push_back(std::move(what));
    return raw;
}

void CudaQueue::let_go_of_what_is_done() {
    while (!in_flight_.empty() && in_flight_.front()->ready()) in_flight_.pop_front();
}

void CudaQueue::copy(Side to, Side from, std::size_t row_bytes, std::size_t rows) {
    if (rows == 1 || (to.pitch == row_bytes && from.pitch == row_bytes))
        check(cudaMemcpyAsync(to.data, from.data, row_bytes * rows, cudaMemcpyDefault, stream()));
    else
        check(cudaMemcpy2DAsync(to.data, to.pitch, from.data, from.pitch, row_bytes, rows, cudaMemcpyDefault,
                                stream()));
}

void CudaQueue::copy_through_pinned(Side device, Side host, std::size_t row_bytes, std::size_t rows,
                                    bool to_device) {
    if (!pinned_ || pinned_->size() < row_bytes)
        pinned_ = std::make_shared<PinnedMemory>(std::max(kPinnedBytes, row_bytes));
    keep(pinned_);
    const auto rows_at_once = pinned_->size() / row_bytes;
    const auto by_cpu = [&](HostCopy job) {
        check(cudaLaunchHostFunc(stream(), &HostCopy::run, keep(std::make_shared<HostCopy>(job))));
    };
    // Stream order alone keeps one transfer from overwriting another in the pinned memory.
    for (std::size_t y = 0; y < rows; y += rows_at_once) {
        const auto n = std::min(rows_at_once, rows - y);
        auto* on_host = host.data + y * host.pitch;
        const Side on_device{device.data + y * device.pitch, device.pitch},
            between{pinned_->data(), row_bytes};
        if (to_device) {
            by_cpu({between.data, row_bytes, on_host, host.pitch, row_bytes, n});
            copy(on_device, between, row_bytes, n);
        } else {
            copy(between, on_device, row_bytes, n);
            by_cpu({on_host, host.pitch, between.data, row_bytes, row_bytes, n});
        }
    }
}

void CudaQueue::upload(const ConstImageView& from, const BufferView& to) {
    check_transfer(from, to);
    make_current(resources_->device);
    const Side device{address_of(to), to.pitch}, host{const_cast<std::byte*>(from.data), from.pitch};
    const auto row_bytes = static_cast<std::size_t>(from.size.width) * bytes_per_pixel(from.format);
    const auto rows = static_cast<std::size_t>(from.size.height);
    keep(to.memory);
    stretch_.counts["bytes uploaded"] += static_cast<std::int64_t>(row_bytes * rows);
    if (is_pinned(from.data)) copy(device, host, row_bytes, rows);
    else copy_through_pinned(device, host, row_bytes, rows, true);
}

void CudaQueue::download(const BufferView& from, const ImageView& to) {
    check_transfer(to, from);
    make_current(resources_->device);
    const Side device{address_of(from), from.pitch}, host{to.data, to.pitch};
    const auto row_bytes = static_cast<std::size_t>(to.size.width) * bytes_per_pixel(to.format);
    const auto rows = static_cast<std::size_t>(to.size.height);
    keep(from.memory);
    stretch_.counts["bytes downloaded"] += static_cast<std::int64_t>(row_bytes * rows);
    if (is_pinned(to.data)) copy(host, device, row_bytes, rows);
    else copy_through_pinned(device, host, row_bytes, rows, false);
}

void CudaQueue::upload_tensor(const ConstTensorView& from, const BufferView& to) {
    check_tensor_transfer(from, to);
    transfer_tensor(to, {const_cast<std::byte*>(from.data), from.format, from.pitch, from.size}, true);
}

void CudaQueue::download_tensor(const BufferView& from, const TensorView& to) {
    check_tensor_transfer(to, from);
    transfer_tensor(from, to, false);
}

/// Region by region of what fits into pinned memory: a signal may be longer.
void CudaQueue::transfer_tensor(const BufferView& device, const TensorView& host, bool to_device) {
    make_current(resources_->device);
    keep(device.memory);
    const TensorView on_device{address_of(device), *device.tensor, device.pitch, host.size};
    const auto number = bytes(host.format.element);
    const auto most = static_cast<std::int64_t>(kPinnedBytes / number);
    const auto columns = std::min(host.size.width, most), rows = std::min(host.size.height, most / columns);
    for (std::int64_t c = 0; c < host.format.channels; ++c)
        for (std::int64_t y = 0; y < host.size.height; y += rows)
            for (std::int64_t x = 0; x < host.size.width; x += columns) {
                const Rect region{x, y, std::min(columns, host.size.width - x),
                                  std::min(rows, host.size.height - y)};
                transfer_region(region_of(on_device, region, c), region_of(host, region, c), to_device);
            }
    stretch_.counts[to_device ? "bytes uploaded" : "bytes downloaded"] += host.size.width * host.size.height *
                                                                          host.format.channels *
                                                                          static_cast<std::int64_t>(number);
}

/// Through pinned rows, unless the host memory is pinned and its columns lie next to each other.
void CudaQueue::transfer_region(const TensorView& device, const TensorView& host, bool to_device) {
    const auto number = bytes(host.format.element);
    const auto row_bytes = static_cast<std::size_t>(host.size.width) * number,
               rows = static_cast<std::size_t>(host.size.height);
    const bool direct = host.format.column_stride == number && is_pinned(host.data);
    auto between = host;
    if (!direct) {
        if (!pinned_) pinned_ = std::make_shared<PinnedMemory>(kPinnedBytes);
        keep(pinned_);
        between = {pinned_->data(), {host.format.element, 1, number, row_bytes * rows}, row_bytes, host.size};
    }
    const auto by_cpu = [&](const TensorView& from, const TensorView& to) {
        check(cudaLaunchHostFunc(stream(), &HostTensorCopy::run,
                                 keep(std::make_shared<HostTensorCopy>(HostTensorCopy{from, to}))));
    };
    const auto by_device = [&](Side one, Side other, std::size_t bytes_of_row, std::size_t count) {
        if (to_device) copy(one, other, bytes_of_row, count);
        else copy(other, one, bytes_of_row, count);
    };
    if (!direct && to_device) by_cpu(host, between);
    if (device.format.column_stride == number)
        by_device({device.data, device.pitch}, {between.data, between.pitch}, row_bytes, rows);
    else // a column of single numbers for each row
        for (std::int64_t y = 0; y < host.size.height; ++y)
            by_device({device.at(0, y), device.format.column_stride}, {between.at(0, y), number}, number,
                      static_cast<std::size_t>(host.size.width));
    if (!direct && !to_device) by_cpu(between, host);
}

void CudaQueue::run(const std::shared_ptr<const Plan>& plan, std::span<const Item> items,
                    std::stop_token stop) {
    if (items.empty()) return;
    make_current(resources_->device);
    let_go_of_what_is_done();
    if (stop.stop_possible()) {
        stretch_.stops.push_back(stop);
        if (stop.stop_requested()) return;
        if (!board_) board_ = std::make_shared<StopBoard>(resources_->device);
        auto watch = board_->watch(stop);
        stop_flag_ = watch.flag;
        stretch_.keep.push_back(std::move(watch.listener));
    }
    const auto each = plan->needs(items.front().dst.covers).scratch_bytes;
    const auto at_once = std::clamp<std::size_t>(kMostBatchScratch / std::max<std::size_t>(each, 1), 1,
                                                 items.size());
    const auto bytes = each * at_once;
    // In a guard build each run has scratch of its own, so that it begins as NaN and ends at a red zone.
    if (bytes > 0 && (!scratch_ || scratch_->size() < bytes || resources_->memory->guard())) {
        scratch_.reset(); // freed first: memory may be short
        scratch_ = std::make_shared<DeviceBuffer>(resources_->memory, bytes);
    }
    if (resources_->memory->guard()) guard(*plan, items);
    stretch_.keep.push_back(plan);
    if (scratch_) stretch_.keep.push_back(scratch_);
    for (const auto& item : items) {
        stretch_.keep.push_back(item.src.memory);
        stretch_.keep.push_back(item.dst.memory);
    }
    stop_ = std::move(stop);
    const BufferView scratch{scratch_, 0, bytes, PixelFormat{}, {0, 0, static_cast<std::int64_t>(bytes), 1}};
    // One after the other in the same scratch.
    for (std::size_t first = 0; first < items.size(); first += at_once)
        plan->record(*this, items.subspan(first, std::min(at_once, items.size() - first)), scratch);
    stop_ = {};
    stop_flag_ = {};
}

/// Records the names of the buffers that the plan may write, for the guard's message.
void CudaQueue::guard(const Plan& plan, std::span<const Item> items) {
    const auto called = [&](Buffer* buffer, const char* role) {
        guarded_.emplace_back(buffer, std::string("the ") + role + " of " + plan.algorithm);
    };
    for (const auto& item : items) {
        called(item.src.memory.get(), "source");
        called(item.dst.memory.get(), "result");
    }
    if (scratch_) called(scratch_.get(), "scratch");
}

void CudaQueue::launch(const void* kernel, dim3 grid, dim3 block, std::size_t shared_bytes,
                       void** arguments) {
    check(cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream()));
    ++stretch_.counts["launches"];
}

void CudaQueue::record_independent(std::span<const std::function<void()>> branches) {
    if (branches.empty()) return;
    assert(current_ == stream_.get() && "branches contain no branches");
    // Urgent: the blocks of a large branch on the queue's own stream would delay those of small ones.
    while (branch_streams_.size() + 1 < branches.size()) branch_streams_.push_back({Stream(true)});
    const auto own = stream_.get();
    check(cudaEventRecord(forked_.get(), own));
    std::size_t forked = 0;
    const auto join = [&] {
        current_ = own;
        for (std::size_t i = 0; i < forked; ++i) {
            check(cudaEventRecord(branch_streams_[i].done.get(), branch_streams_[i].stream.get()));
            check(cudaStreamWaitEvent(own, branch_streams_[i].done.get()));
        }
    };
    try {
        for (; forked + 1 < branches.size(); ++forked) {
            current_ = branch_streams_[forked].stream.get();
            check(cudaStreamWaitEvent(current_, forked_.get()));
            branches[forked]();
        }
        current_ = own;
        branches.back()();
    } catch (...) {
        forked = std::min(forked + 1, branches.size() - 1);
        try {
            join();
        } catch (const Error&) { // the first error counts; wait_for_streams() waits for all branches
        }
        throw;
    }
    join();
}

void CudaQueue::after(const Completion& completion) {
    if (!completion.state()) return;
    make_current(resources_->device);
    stretch_.waited_for.push_back(completion);
    if (const auto* own = dynamic_cast<const CudaCompletion*>(completion.state().get())) {
        check(cudaStreamWaitEvent(stream(), own->event(), 0));
        return;
    }
    // waiting here could block the work waited for
    if (!attendant_.start() && !completion.ready()) throw no_thread();
    if (!gate_) {
        gate_ = std::make_shared<PinnedMemory>(sizeof(std::uint32_t));
        std::memset(gate_->data(), 0, gate_->size());
    }
    auto* word = reinterpret_cast<std::uint32_t*>(gate_->data());
    const auto number = ++gates_;
    if (wait_for_value(stream(), reinterpret_cast<CUdeviceptr>(word), number) != CUDA_SUCCESS)
        throw Error("cannot-wait-for-engine",
                    "this GPU's driver cannot wait for another engine's work; wait for it before queueing "
                    "what needs it");
    attendant_.push([completion, word, number] {
        try {
            completion.wait();
        } catch (...) { // the next fence waits again and throws it
        }
        std::atomic_ref(*word).store(number, std::memory_order_release);
    });
}

void CudaQueue::mark(std::string span) {
    make_current(resources_->device);
    auto event = resources_->events->take(EventKind::timed);
    check(cudaEventRecord(event.get(), stream()));
    stretch_.marks.push_back({std::move(span), std::move(event)});
}

Completion CudaQueue::fence(std::function<void()> wake) {
    std::shared_ptr<CompletionState> state;
    try {
        make_current(resources_->device);
        let_go_of_what_is_done();
        auto event = resources_->events->take(stretch_.marks.empty() ? EventKind::plain : EventKind::timed);
        check(cudaEventRecord(event.get(), stream()));
        if (!guarded_.empty())
            stretch_.check = [memory = resources_->memory, names = std::exchange(guarded_, {})] {
                memory->guard()->check(names);
            };
        in_flight_.push_back(
            std::make_shared<CudaCompletion>(resources_->events, std::move(event), std::move(stretch_)));
        state = in_flight_.back();
    } catch (...) {         // passed to whoever waits for this fence
        wait_for_streams(); // earlier work must complete before its objects are released
        state = std::make_shared<FailedCompletion>(std::current_exception());
    }
    stretch_ = {};
    guarded_.clear();
    if (wake)
        attendant_.push([state, wake = std::move(wake)] {
            try {
                state->wait();
            } catch (...) { // the completion reports it
            }
            wake();
        });
    return Completion(state);
}

} // namespace kg::gpu
