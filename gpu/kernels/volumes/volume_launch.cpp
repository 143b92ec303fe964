#include "gpu/kernels/volumes/volume_launch.hpp"

namespace kg::gpu {

bool is_aligned(const VolumeMemory& m) {
    constexpr std::size_t kVector = kVolumeColumns * sizeof(float);
    return reinterpret_cast<std::uintptr_t>(m.data) % kVector == 0 && m.pitch % kVector == 0 &&
           m.slice % kVector == 0;
}

VolumeLaunch volume_launch(const VolumeExtent& size, Border border, float outside, const VolumeMemory& from,
                           const VolumeMemory& before, const VolumeMemory& to, StopFlag stop) {
    return {from,
            before,
            to,
            stop,
            {border, size.width},
            {border, size.height},
            {border, size.depth},
            border == Border::constant ? outside : 0,
            is_aligned(from) && is_aligned(before) && is_aligned(to)};
}

} // namespace kg::gpu
