#include "gpu/kernels/volumes/volume_box.hpp"

#include <algorithm>

namespace kg::gpu {

namespace {

/// The 7 of the 27 neighbours that the stencil of faces multiplies.
constexpr int kFaces[] = {4, 10, 12, 13, 14, 16, 22};

} // namespace

BoxedTaps boxed(std::span<const VolumeTap> taps, int step) {
    VolumePoint first = taps.empty() ? VolumePoint{} : taps.front().offset, last = first;
    for (const auto& [at, weight] : taps) {
        first = {std::min(first.x, at.x), std::min(first.y, at.y), std::min(first.z, at.z)};
        last = {std::max(last.x, at.x), std::max(last.y, at.y), std::max(last.z, at.z)};
    }
    const auto extent = [](std::int64_t from, std::int64_t to) { return static_cast<int>(to - from + 1); };
    BoxedTaps all{{static_cast<int>(first.x), static_cast<int>(first.y), static_cast<int>(first.z),
                   extent(first.x, last.x), extent(first.y, last.y), extent(first.z, last.z)},
                  {}};
    auto& box = all.box;
    box.pitch = (box.width + step - 1) / step * step;
    all.weights.resize(static_cast<std::size_t>(box.pitch) * static_cast<std::size_t>(box.height) *
                       static_cast<std::size_t>(box.depth));
    for (const auto& [at, weight] : taps)
        all.weights[static_cast<std::size_t>(((at.z - first.z) * box.height + at.y - first.y) * box.pitch +
                                             at.x - first.x)] = weight;
    return all;
}

bool is_stencil(const VolumeBox& box) {
    const auto is_near = [](int first, int extent) { return first >= -1 && first + extent <= 2; };
    return is_near(box.x, box.width) && is_near(box.y, box.height) && is_near(box.z, box.depth);
}

bool is_stencil(const VolumeRequest& request) {
    const auto is_near = [](const std::vector<VolumeTap>& taps) { return is_stencil(boxed(taps, 1).box); };
    if (!has_factors(request.kernel)) return is_near(placed_taps(request));
    return is_near(placed_factor_taps(request, 0)) && is_near(placed_factor_taps(request, 1)) &&
           is_near(placed_factor_taps(request, 2));
}

Stencil stencil_of(std::span<const VolumeTap> taps) {
    Stencil stencil{};
    for (const auto& [at, weight] : taps)
        stencil.weights[static_cast<std::size_t>((at.z + 1) * 9 + (at.y + 1) * 3 + at.x + 1)] = weight;
    const auto of_faces = std::ranges::count_if(kFaces, [&](int i) { return stencil.weights[i] != 0; });
    stencil.faces = of_faces == std::ssize(taps);
    stencil.has_zeros = std::ssize(taps) < (stencil.faces ? std::ssize(kFaces) : 27);
    return stencil;
}

} // namespace kg::gpu
