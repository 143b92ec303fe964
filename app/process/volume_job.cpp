#include "app/process/volume_job.hpp"

#include "app/process/engine/tensor_run.hpp"
#include "core/plan/planner.hpp"
#include "core/plan/volume_verification.hpp"
#include "core/support/error.hpp"

#include <utility>

namespace kg {

namespace {

/// The volumes that the request reads.
VolumeData states_of(const VolumeRequest& request, const VolumeData& volume) {
    auto states = volume;
    if (!request.second_order || volume.volumes == 2) return states;
    states.volumes = 2;
    states.samples.insert(states.samples.end(), volume.samples.begin(), volume.samples.end());
    return states;
}

} // namespace

VolumeOutcome run_volume_job(Engine& engine, const VolumeRequest& request, const VolumeData& volume,
                             std::string_view algorithm, bool verify, const std::stop_token& stop) {
    if (volume.volumes == 2 && !request.second_order)
        throw Error("two-volumes", "there are two volumes; this kernel is applied to one");
    const auto plan = kg::plan(engine, request, algorithm);
    const auto source = states_of(request, volume);
    VolumeOutcome outcome{{std::vector<float>(source.samples.size()), source.size, source.volumes},
                          engine.device().id,
                          plan->algorithm,
                          plan->reason,
                          0,
                          {}};
    const auto to = outcome.result.view();
    const TensorItem item{source.view(), {const_cast<std::byte*>(to.data), to.format, to.pitch, to.size}};
    outcome.microseconds = run_tensors(engine, plan, std::span(&item, 1), stop);
    if (verify) outcome.verification = compare_with_reference(request, source.view(), to, stop);
    if (volume.volumes < source.volumes) { // began at rest: the last volume is the result
        auto& samples = outcome.result.samples;
        samples.erase(samples.begin(), samples.begin() + std::ssize(volume.samples));
        outcome.result.volumes = 1;
    }
    return outcome;
}

} // namespace kg
