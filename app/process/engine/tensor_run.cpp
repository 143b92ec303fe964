#include "app/process/engine/tensor_run.hpp"

#include "core/plan/wrapped_image.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"

#include <vector>

namespace kg {

void expect_tensor_room(const Engine& engine, double outputs, double bytes_per_output) {
    const auto memory = engine.device().memory_bytes;
    if (memory > 0 && outputs * bytes_per_output > static_cast<double>(memory))
        throw Error("result-too-large",
                    "the result has {} outputs, which need more than the {} of this machine's memory",
                    outputs, memory_text(memory));
}

double run_tensors(Engine& engine, const std::shared_ptr<const Plan>& plan, std::span<const TensorItem> items,
                   const std::stop_token& stop) {
    const bool in_place = engine.device().host_memory;
    const auto held = [&](const ConstTensorView& view) {
        return in_place
                   ? wrap_tensor(view)
                   : allocate_tensor(engine, view.format.element, view.format.channels, whole(view.size));
    };
    std::vector<Item> batch;
    for (const auto& item : items) batch.push_back({held(item.from), held(item.to)});
    const auto queue = engine.queue();
    if (!in_place)
        for (std::size_t i = 0; i < items.size(); ++i) queue->upload_tensor(items[i].from, batch[i].src);
    queue->mark("filter");
    queue->run(plan, batch, stop);
    if (!in_place) {
        queue->mark("download");
        for (std::size_t i = 0; i < items.size(); ++i) queue->download_tensor(batch[i].dst, items[i].to);
    }
    const auto completion = queue->fence();
    completion.wait();
    for (const auto& span : completion.report().spans)
        if (span.name == "filter") return span.microseconds;
    return 0;
}

} // namespace kg
