#pragma once
// What plans for volumes on the CPU have in common: whole volumes in host memory, their rows in parallel.

#include "core/plan/engine.hpp"
#include "core/plan/volume_states.hpp"
#include "cpu/runtime/host_queue.hpp"
#include "cpu/runtime/volume_rows.hpp"

#include <cstddef>
#include <functional>
#include <memory>

namespace kg::cpu {

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

/// Samples of one volume.
inline double volume_samples(const VolumeRequest& request) {
    return static_cast<double>(request.size.width) * static_cast<double>(request.size.height) *
           static_cast<double>(request.size.depth);
}

/// Estimated microseconds of `taps` taps per sample, and of `passes` passes through memory, each of which
/// reads and writes a volume.
double volume_microseconds(const VolumeRequest& request, double taps, double passes, const Engine& engine);

} // namespace kg::cpu
