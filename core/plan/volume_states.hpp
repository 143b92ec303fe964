#pragma once
// The volumes of a request over time in an engine's memory, for the algorithms of every engine.

#include "core/image/host_device.hpp"
#include "core/request/volume_request.hpp"

#include <cstddef>
#include <cstdint>

namespace kg {

/// Slices in memory, whose rows are float32 next to each other.
struct VolumeMemory {
    std::byte* data = nullptr;
    std::size_t pitch = 0, slice = 0; ///< bytes from a row and from a slice to the next

    KG_HOST_DEVICE float* row(std::int64_t y, std::int64_t z) const {
        return reinterpret_cast<float*>(data + static_cast<std::size_t>(z) * slice +
                                        static_cast<std::size_t>(y) * pitch);
    }
    /// From another slice on.
    VolumeMemory from(std::int64_t z) const {
        return {data + static_cast<std::size_t>(z) * slice, pitch, slice};
    }
};

/// The volumes of a request, of which two or three are held at a time: those of the last steps end in the
/// result.
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

} // namespace kg
