#include "core/plan/volume_states.hpp"

namespace kg {

VolumeStates::VolumeStates(const VolumeRequest& request, const VolumeMemory& source,
                           const VolumeMemory& result, const VolumeMemory& scratch)
    : request_(request), source_(source), held_{result, scratch, scratch} {
    if (request.second_order) held_[0] = result.from(request.size.depth), held_[1] = result;
}

VolumeMemory VolumeStates::after(std::int64_t step) const {
    if (step <= 0) return source_.from(request_.second_order ? (step + 1) * request_.size.depth : 0);
    return held_[(request_.steps - step) % (request_.second_order ? 3 : 2)];
}

} // namespace kg
