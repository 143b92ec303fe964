#include "cpu/runtime/volume_plan.hpp"

#include "cpu/engine.hpp"

#include <algorithm>
#include <utility>

namespace kg::cpu {

Needs VolumePlan::needs(const Rect&) const {
    const auto& size = request_.size;
    const auto scratch = static_cast<std::size_t>(scratch_slices_ * size.width * size.height) * sizeof(float);
    return {{0, 0, size.width, size.height}, scratch, 1};
}

void VolumePlan::record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const {
    auto& host = static_cast<HostQueue&>(queue);
    for (const auto& item : items) // one after the other, so one scratch serves them all
        host.enqueue([&host, self = shared_from_this(), item, scratch](const HostQueue::Context& context) {
            const auto memory_of = [&](const BufferView& view) {
                const auto tensor = host.tensor(view);
                return VolumeMemory{tensor.data, tensor.pitch, tensor.format.channel_stride};
            };
            const auto& size = self->request_.size;
            const auto pitch = static_cast<std::size_t>(size.width) * sizeof(float);
            self->compute({context,
                           memory_of(item.src),
                           memory_of(item.dst),
                           {self->scratch_slices_ > 0 ? host.image(scratch).data : nullptr, pitch,
                            pitch * static_cast<std::size_t>(size.height)}});
        });
}

void VolumePlan::for_rows(const HostQueue::Context& context, std::int64_t slices, const RowBody& body) const {
    constexpr std::int64_t kSamplesPerTask = 16384;
    const auto height = request_.size.height;
    parallel_rows(context, slices * height, std::max<std::int64_t>(1, kSamplesPerTask / request_.size.width),
                  [&](std::int64_t begin, std::int64_t end) {
                      for (auto row = begin; row < end; ++row) body(row % height, row / height);
                  });
}

void VolumePlan::copy(const HostQueue::Context& context, const VolumeMemory& from,
                      const VolumeMemory& to) const {
    for_rows(context, request_.size.depth, [&](std::int64_t y, std::int64_t z) {
        std::copy_n(from.row(y, z), request_.size.width, to.row(y, z));
    });
}

double volume_microseconds(const VolumeRequest& request, double taps, double passes, const Engine& engine) {
    const CoreSpeed core;
    const double samples = volume_samples(request);
    constexpr double kBytesPerPass = 2 * sizeof(float);
    return samples * std::max(taps / core.taps_per_us, 1 / core.samples_per_us) / threads_of(engine) +
           samples * passes * kBytesPerPass / core.bytes_per_us;
}

} // namespace kg::cpu
