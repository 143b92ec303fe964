#pragma once
// Where the sums of a thread become outputs, and those that have to be computed again.

#include "gpu/kernels/volumes/volume_memory.hpp"

namespace kg::gpu {

/// Writes the outputs of a thread that lie inside the volume, minus the samples of `before` unless its data
/// is null. `sums` are the outputs afterwards.
KG_HOST_DEVICE inline void write_outputs(const VolumeLaunch& v, const VolumeMemory& to,
                                         const VolumeMemory& before, std::int64_t x, std::int64_t y,
                                         std::int64_t z, float (&sums)[kVolumeColumns]) {
    float* const own = to.row(y, z) + x;
    const float* const earlier = before.data ? before.row(y, z) + x : nullptr;
    if (v.vectors && x + kVolumeColumns <= v.columns.samples) {
        if (earlier) {
            float numbers[kVolumeColumns];
            ReadOnlyMemory::four(earlier, numbers);
            KG_UNROLL for (int i = 0; i < kVolumeColumns; ++i) sums[i] -= numbers[i];
        }
        return store_four(sums, own);
    }
    KG_UNROLL for (int i = 0; i < kVolumeColumns; ++i) {
        if (x + i >= v.columns.samples) continue;
        if (earlier) sums[i] -= ReadOnlyMemory::one(earlier + i);
        own[i] = sums[i];
    }
}

/// Computes outputs of a thread again whose sums may have met samples that are not finite under taps of zero.
template <typename Careful>
KG_HOST_DEVICE void repair_outputs(const VolumeLaunch& v, const VolumeMemory& to, const VolumeMemory& before,
                                   std::int64_t x, std::int64_t y, std::int64_t z, const Careful& careful) {
    for (int i = 0; i < kVolumeColumns && x + i < v.columns.samples; ++i) {
        float& output = to.row(y, z)[x + i];
        if (is_suspect(output)) output = careful(x + i, y, z) - (before.data ? before.row(y, z)[x + i] : 0);
    }
}

} // namespace kg::gpu
