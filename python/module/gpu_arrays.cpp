#include "python/module/gpu_arrays.hpp"

#include "core/support/error.hpp"
#include "gpu/foreign.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace kg::python {

namespace {

/// Queues that no call is using. They stay, because a queue that ends waits for its work.
class QueuePool {
public:
    std::unique_ptr<Queue> take(Engine& engine) {
        {
            const std::lock_guard lock(mutex_);
            auto& free = free_[&engine];
            if (!free.empty()) {
                auto queue = std::move(free.back());
                free.pop_back();
                return queue;
            }
        }
        return engine.queue();
    }
    void give(Engine& engine, std::unique_ptr<Queue> queue) {
        const std::lock_guard lock(mutex_);
        free_[&engine].push_back(std::move(queue));
    }

private:
    std::mutex mutex_;
    std::map<Engine*, std::vector<std::unique_ptr<Queue>>> free_;
};

BufferView borrowed(Engine& engine, const Array& array, const ImageShape& shape, const char* what) {
    if (!has_image_rows(array))
        throw Error(
            "array-strides",
            "{} has gaps between its columns or channels, which arrays on a GPU must not have; make a "
            "contiguous copy of it",
            what);
    const auto pixel = bytes_per_pixel(shape.format);
    if (shape.format.channels % 2 == 0 && reinterpret_cast<std::uintptr_t>(array.data()) % pixel != 0)
        throw Error("array-alignment", "{} does not begin at a multiple of its pixel's {} bytes; copy it",
                    what, pixel);
    const auto view = image_view(array, shape);
    const auto size = view.pitch * static_cast<std::size_t>(shape.size.height);
    return {gpu::borrow(engine, array.data(), size), 0, view.pitch, shape.format, whole(shape.size)};
}

} // namespace

void compute_on_gpu(PreparedRequest& prepared, const Array& array, const ImageShape& shape, const Array& out,
                    const ImageShape& out_shape, std::optional<std::uintptr_t> stream) {
    static auto& pool = *new QueuePool; // never destroyed: the driver may end first
    auto& engine = *prepared.choice().engine;
    const Item item{borrowed(engine, array, shape, "the array"), borrowed(engine, out, out_shape, "out")};
    void* const order = stream ? reinterpret_cast<void*>(*stream) : array.stream();
    const nb::gil_scoped_release released;
    const auto plan = prepared.plan(engine);
    auto queue = pool.take(engine);
    queue->after(gpu::work_on(engine, order));
    queue->run(plan, {&item, 1});
    gpu::let_wait(engine, order, queue->fence());
    pool.give(engine, std::move(queue));
}

} // namespace kg::python
