#pragma once
// One step over a volume on the GPU, or a pass of one: the kernel that its taps are fastest with. What all
// algorithms for volumes are made of, so that equal taps give equal bytes.

#include "core/plan/volume_states.hpp"
#include "core/request/volume_request.hpp"
#include "gpu/kernels/volumes/dense_tile.hpp"
#include "gpu/kernels/volumes/stencil_march.hpp"
#include "gpu/runtime/queue.hpp"

#include <memory>
#include <span>

namespace kg::gpu {

class VolumeStep {
public:
    /// `taps` in the order in which they are summed. Size and border are those of the request; `outside` is
    /// the sample outside under `constant`. Copies weights to the device. Throws std::bad_alloc.
    VolumeStep(const VolumeRequest& request, std::span<const VolumeTap> taps, float outside, Engine& engine);

    /// Sums from one volume to another, minus the samples of `before` unless its data is null.
    void launch(CudaQueue& queue, const VolumeMemory& from, const VolumeMemory& before,
                const VolumeMemory& to) const;

private:
    void launch_march(CudaQueue& queue, VolumeLaunch& v) const;
    void launch_dense(CudaQueue& queue, VolumeLaunch& v) const;

    VolumeExtent size_;
    Border border_;
    float outside_;
    bool is_stencil_;
    Stencil stencil_{}; ///< if is_stencil_
    MarchGrid march_{}; ///< likewise
    DenseGrid dense_{}; ///< if not
    VolumeBlocks blocks_{};
    const void* kernel_;
    std::shared_ptr<CudaBuffer> weights_; ///< of the dense kernel
};

} // namespace kg::gpu
