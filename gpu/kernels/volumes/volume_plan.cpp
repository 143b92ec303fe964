#include "gpu/kernels/volumes/volume_plan.hpp"

#include "gpu/kernels/tensor_address.hpp"
#include "gpu/runtime/error.hpp"

#include <algorithm>
#include <limits>

namespace kg::gpu {

namespace {

/// Rows of scratch begin at multiples of 16 bytes, as vectors of a launch do.
std::size_t scratch_pitch(const VolumeExtent& size) {
    constexpr std::size_t kVector = 16;
    return (static_cast<std::size_t>(size.width) * sizeof(float) + kVector - 1) / kVector * kVector;
}

VolumeMemory memory_of(const BufferView& view) {
    return {number_address(view), view.pitch, view.tensor->channel_stride};
}

void copy_rows(CudaQueue& queue, const VolumeMemory& from, const VolumeMemory& to, std::size_t row_bytes,
               std::int64_t rows) {
    constexpr std::size_t kMostPitch = std::numeric_limits<std::int32_t>::max(); // of a copy of several rows
    if (std::max(from.pitch, to.pitch) <= kMostPitch) {
        check(cudaMemcpy2DAsync(to.data, to.pitch, from.data, from.pitch, row_bytes,
                                static_cast<std::size_t>(rows), cudaMemcpyDeviceToDevice, queue.stream()));
        return;
    }
    for (std::int64_t y = 0; y < rows; ++y)
        check(cudaMemcpyAsync(to.row(y, 0), from.row(y, 0), row_bytes, cudaMemcpyDeviceToDevice,
                              queue.stream()));
}

} // namespace

Needs VolumePlan::needs(const Rect&) const {
    const auto& size = request_.size;
    const auto slice = scratch_pitch(size) * static_cast<std::size_t>(size.height);
    return {{0, 0, size.width, size.height}, static_cast<std::size_t>(scratch_slices_) * slice, 1};
}

VolumeMemory VolumePlan::scratch_memory(std::byte* data) const {
    const auto pitch = scratch_pitch(request_.size);
    return {data, pitch, pitch * static_cast<std::size_t>(request_.size.height)};
}

void VolumePlan::record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const {
    auto& cuda = static_cast<CudaQueue&>(queue);
    const auto own = scratch_memory(scratch_slices_ > 0 ? address_of(scratch) : nullptr);
    for (const auto& [from, to] : items) {
        if (cuda.stop_requested()) return;
        compute({cuda, memory_of(from), memory_of(to), own});
    }
}

void VolumePlan::compute_steps(const Run& run, const VolumeMemory& scratch, const StepBody& body) const {
    const VolumeStates states(request_, run.source, run.result, scratch);
    for (std::int64_t step = 1; step <= request_.steps; ++step) {
        if (run.queue.stop_requested()) return;
        body(states.after(step - 1), request_.second_order ? states.after(step - 2) : VolumeMemory{},
             states.after(step));
    }
    if (request_.second_order && request_.steps == 1) copy(run.queue, states.after(0), run.result);
}

void VolumePlan::copy(CudaQueue& queue, const VolumeMemory& from, const VolumeMemory& to) const {
    const auto& [width, height, depth] = request_.size;
    const auto row_bytes = static_cast<std::size_t>(width) * sizeof(float);
    const auto is_dense = [&, rows = static_cast<std::size_t>(height)](const VolumeMemory& m) {
        return m.slice == m.pitch * rows;
    };
    if (is_dense(from) && is_dense(to)) return copy_rows(queue, from, to, row_bytes, height * depth);
    for (std::int64_t z = 0; z < depth; ++z) copy_rows(queue, from.from(z), to.from(z), row_bytes, height);
}

double stencil_instructions(const VolumeRequest& request) {
    constexpr double kFaces = 7 + 5 + 3, kAll = 27 + 9 + 3; // taps, rows and slices
    const auto& weights = request.kernel.weights;           // empty if there are factors
    return !weights.empty() && std::ranges::count(weights, 0.0F) >= 20 ? kFaces : kAll;
}

double volume_step_microseconds(const VolumeRequest& request, double instructions, double passes) {
    // Of an H200. It issues nine times as many instructions, but volumes of 0.3 to 8 million samples, which
    // were measured, keep it waiting.
    constexpr double kLaunchUs = 4, kBytesPerUs = 4.3e6, kInstructionsPerUs = 3.4e6;
    const double samples = static_cast<double>(request.size.width) *
                           static_cast<double>(request.size.height) * static_cast<double>(request.size.depth);
    const double bytes = sizeof(float) * (2 * passes + (request.second_order ? 1 : 0));
    return passes * kLaunchUs + samples * std::max(bytes / kBytesPerUs, instructions / kInstructionsPerUs);
}

} // namespace kg::gpu
