#pragma once
// What plans for volumes on the CPU have in common: whole volumes in host memory, their rows in parallel.

#include "core/plan/engine.hpp"
#include "cpu/runtime/host_queue.hpp"
#include "cpu/runtime/volume_rows.hpp"

#include <cstddef>
#include <functional>
#include <memory>

namespace kg::cpu {

/// Slices in memory, whose rows are float32 next to each other.
struct VolumeMemory {
    std::byte* data = nullptr;
    std::size_t pitch = 0, slice = 0; ///< bytes from a row and from a slice to the next

    float* row(std::int64_t y, std::int64_t z) const {
        return reinterpret_cast<float*>(data + static_cast<std::size_t>(z) * slice +
                                        static_cast<std::size_t>(y) * pitch);
    }
    /// From another slice on.
    VolumeMemory from(std::int64_t z) const {
        return {data + static_cast<std::size_t>(z) * slice, pitch, slice};
    }
};

/// Held by shared pointers, as a task may outlive the caller's.
class VolumePlan : public Plan, public std::enable_shared_from_this<VolumePlan> {
public:
    Needs needs(const Rect&) const final;
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const final;

protected:
    /// `scratch_slices` are as large as those of the request.
    VolumePlan(const VolumeRequest& request, std::int64_t scratch_slices)
        : request_(request), scratch_slices_(scratch_slices) {}

    struct Run {
        const HostQueue::Context& context;
        VolumeMemory source, result; ///< with the slices of the request (tensor_slices())
        VolumeMemory scratch;
    };
    virtual void compute(const Run& run) const = 0;

    const VolumeRequest request_;

    /// Calls body(y, z) for all rows of some slices on all threads.
    using RowBody = std::function<void(std::int64_t y, std::int64_t z)>;
    void for_rows(const HostQueue::Context& context, std::int64_t slices, const RowBody& body) const;
    /// The rows of a volume as VolumeRows reads them.
    auto rows_of(const VolumeMemory& volume) const {
        return
            [volume, border = request_.border, depth = request_.size.depth](std::int64_t y, std::int64_t z) {
                const auto slice = border_index(border, z, depth);
                return slice < 0 ? nullptr : volume.row(y, slice);
            };
    }
    /// Copies the slices of one volume.
    void copy(const HostQueue::Context& context, const VolumeMemory& from, const VolumeMemory& to) const;

private:
    std::int64_t scratch_slices_;
};

/// The volumes of a request over time, of which two or three are held at a time: those of the last steps end
/// in the result.
class VolumeStates {
public:
    /// `scratch` holds one volume if the request needs_scratch().
    VolumeStates(const VolumeRequest& request, const VolumeMemory& source, const VolumeMemory& result,
                 const VolumeMemory& scratch);
    static bool needs_scratch(const VolumeRequest& request) {
        return request.steps > (request.second_order ? 2 : 1);
    }
    /// The volume after `step` steps; 0 is the source, -1 the volume before it.
    VolumeMemory after(std::int64_t step) const;

private:
    const VolumeRequest& request_;
    VolumeMemory source_;
    VolumeMemory held_[3]; ///< after the last step, the one before it, and before that
};

/// Samples of one volume.
inline double volume_samples(const VolumeRequest& request) {
    return static_cast<double>(request.size.width) * static_cast<double>(request.size.height) *
           static_cast<double>(request.size.depth);
}

/// Estimated microseconds of `taps` taps per sample, and of `passes` passes through memory, each of which
/// reads and writes a volume.
double volume_microseconds(const VolumeRequest& request, double taps, double passes, const Engine& engine);

} // namespace kg::cpu
