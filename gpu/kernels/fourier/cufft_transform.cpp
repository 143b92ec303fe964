#include "gpu/kernels/fourier/cufft_transform.hpp"

#include "gpu/runtime/owners.hpp"
#include "gpu/runtime/unless_lost.hpp"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

namespace kg::gpu {

namespace {

FourierType type_of(const TransformShape& shape) {
    const bool there = shape.direction == Direction::forward;
    if (shape.precision == Precision::float32)
        return there ? FourierType::float_to_complex : FourierType::complex_to_float;
    return there ? FourierType::double_to_complex : FourierType::complex_to_double;
}

/// Transforms in use by plans and the last few that were, in order of use.
class SharedTransforms {
public:
    std::shared_ptr<const Transform> get(const TransformShape& shape) {
        if (auto known = find(shape)) return known;
        // Outside the lock: creation takes milliseconds, for which other threads need not wait.
        return keep(shape, std::make_shared<const Transform>(shape));
    }

private:
    static constexpr std::size_t kRecent = 12; // transforms of four plans
    using Known = std::pair<TransformShape, std::weak_ptr<const Transform>>;
    using Transforms = std::deque<std::shared_ptr<const Transform>>;

    std::shared_ptr<const Transform> find(const TransformShape& shape) {
        Transforms old;
        const std::lock_guard lock(mutex_);
        return known(shape, old);
    }
    /// Returns `transform`, or the one that another thread has created meanwhile.
    std::shared_ptr<const Transform> keep(const TransformShape& shape,
                                          std::shared_ptr<const Transform> made) {
        Transforms old;
        const std::lock_guard lock(mutex_);
        if (auto other = known(shape, old)) return other;
        std::erase_if(all_, [](const auto& known) { return known.second.expired(); });
        all_.emplace_back(shape, made);
        remember(made, old);
        return made;
    }
    std::shared_ptr<const Transform> known(const TransformShape& shape, Transforms& old) {
        const auto place = std::ranges::find(all_, shape, &Known::first);
        auto transform = place != all_.end() ? place->second.lock() : nullptr;
        if (transform) remember(transform, old);
        return transform;
    }
    /// Appends it as the most recently used. Evicted transforms move to `old`, to be destroyed after the
    /// lock, for the same reason.
    void remember(const std::shared_ptr<const Transform>& transform, Transforms& old) {
        std::erase(recent_, transform);
        recent_.push_back(transform);
        for (; recent_.size() > kRecent; recent_.pop_front()) old.push_back(std::move(recent_.front()));
    }

    std::mutex mutex_;
    std::vector<Known> all_;
    Transforms recent_;
};

} // namespace

Transform::Transform(const TransformShape& shape) : device_(shape.device) {
    make_current(device_);
    handle_ = unless_lost([&] {
        return std::make_unique<const FourierHandle>(type_of(shape), shape.width, shape.height, shape.frames);
    });
}

Transform::~Transform() {
    cudaSetDevice(device_);
    handle_.reset();
}

void Transform::enqueue(cudaStream_t stream, std::byte* frames, std::byte* work) const {
    const std::lock_guard lock(one_at_a_time_);
    unless_lost([&] { handle_->enqueue(stream, frames, work); });
}

std::shared_ptr<const Transform> shared_transform(const TransformShape& shape) {
    // Never destroyed: at exit CUDA may be unloaded first.
    static auto& all = *new SharedTransforms;
    return all.get(shape);
}

} // namespace kg::gpu
