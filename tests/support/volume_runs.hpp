#pragma once
// Runs of volumes on an engine, for tests: samples in, samples out.

#include "core/plan/engine.hpp"
#include "core/plan/planner.hpp"
#include "core/plan/volume_verification.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace kg::testing {

/// The slices of a request behind one another.
inline ConstTensorView view_of(const std::vector<float>& samples, const VolumeRequest& r) {
    const auto row = static_cast<std::size_t>(r.size.width) * sizeof(float);
    return {reinterpret_cast<const std::byte*>(samples.data()),
            {Element::f32, tensor_slices(r), sizeof(float), row * static_cast<std::size_t>(r.size.height)},
            row,
            {r.size.width, r.size.height}};
}

/// The available engines with algorithms for volumes: cpu with 2 threads, and cuda if it has any.
inline std::vector<std::shared_ptr<Engine>> volume_engines() {
    std::vector<std::shared_ptr<Engine>> all{cpu::make_engine(2)};
    if (auto gpu = gpu::make_engine(); gpu->usable().empty() && !gpu->volume_algorithms().empty())
        all.push_back(std::move(gpu));
    return all;
}

/// The result of the request, through the engine's own buffers, whose rows are padded, on the given queue or
/// a new one.
inline std::vector<float> volume_of(Engine& engine, const VolumeRequest& r, const std::vector<float>& samples,
                                    std::string_view algorithm = {}, Queue* shared_queue = nullptr) {
    const auto plan = kg::plan(engine, r, algorithm);
    const Rect slice{0, 0, r.size.width, r.size.height};
    const auto slices = tensor_slices(r);
    const Item item{allocate_tensor(engine, Element::f32, slices, slice),
                    allocate_tensor(engine, Element::f32, slices, slice)};
    std::vector<float> result(samples.size());
    const auto view = view_of(result, r);
    const auto own = shared_queue ? nullptr : engine.queue(); // creating one takes a GPU milliseconds
    auto* queue = shared_queue ? shared_queue : own.get();
    queue->upload_tensor(view_of(samples, r), item.src);
    queue->run(plan, std::span(&item, 1));
    queue->download_tensor(item.dst, {const_cast<std::byte*>(view.data), view.format, view.pitch, view.size});
    queue->fence().wait();
    return result;
}

} // namespace kg::testing
