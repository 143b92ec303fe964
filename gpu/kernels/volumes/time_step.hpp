#pragma once
// Two steps of a stencil at once on the GPU (gpu/kernels/volumes/time_tile.hpp).

#include "core/request/volume_request.hpp"
#include "gpu/kernels/volumes/time_tile.hpp"
#include "gpu/runtime/queue.hpp"

namespace kg::gpu {

class TimeStep {
public:
    /// The kernel of the request is_stencil().
    TimeStep(const VolumeRequest& request, Engine& engine);

    /// From one volume to the second next. Under second order `before` is the one before `from`, and `first`
    /// receives the one between; otherwise their data is null.
    void launch(CudaQueue& queue, const VolumeMemory& from, const VolumeMemory& before,
                const VolumeMemory& first, const VolumeMemory& second) const;

private:
    VolumeExtent size_;
    Border border_;
    float outside_;
    Stencil stencil_;
    TimeBlocks blocks_;
};

} // namespace kg::gpu
