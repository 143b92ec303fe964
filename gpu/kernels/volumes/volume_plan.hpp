#pragma once
// Base of the plans for volumes: whole volumes in device memory, and scratch of the same size.

#include "core/plan/engine.hpp"
#include "core/plan/volume_states.hpp"
#include "gpu/runtime/queue.hpp"

#include <functional>
#include <span>

namespace kg::gpu {

class VolumePlan : public Plan {
public:
    Needs needs(const Rect& output) const final;
    /// Items follow each other in the same scratch: one volume occupies a GPU.
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const final;

protected:
    /// `scratch_slices` are as large as those of the request.
    VolumePlan(const VolumeRequest& request, std::int64_t scratch_slices)
        : request_(request), scratch_slices_(scratch_slices) {}

    struct Run {
        CudaQueue& queue;
        VolumeMemory source, result; ///< with the slices of the request (tensor_slices())
        VolumeMemory scratch;
    };
    virtual void compute(const Run& run) const = 0;

    /// Computes all steps one after another: body(from, before, to), whose `before` is null under first
    /// order. `scratch` holds one volume if VolumeStates needs it. Ends early if the run is stopped.
    using StepBody =
        std::function<void(const VolumeMemory& from, const VolumeMemory& before, const VolumeMemory& to)>;
    void compute_steps(const Run& run, const VolumeMemory& scratch, const StepBody& body) const;
    /// Copies the slices of one volume.
    void copy(CudaQueue& queue, const VolumeMemory& from, const VolumeMemory& to) const;

    const VolumeRequest& request() const { return request_; }

private:
    VolumeMemory scratch_memory(std::byte* data) const;

    VolumeRequest request_;
    std::int64_t scratch_slices_;
};

/// Instructions per sample of the sums of a stencil of the 27 neighbours.
double stencil_instructions(const VolumeRequest& request);

/// What a step takes at least: it reads and writes a volume, and reads another under second order, at the
/// speed of an H200's memory, in `passes` passes; and so many instructions per sample.
double volume_step_microseconds(const VolumeRequest& request, double instructions, double passes);

} // namespace kg::gpu
