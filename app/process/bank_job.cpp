#include "app/process/bank_job.hpp"

#include "app/process/engine/tensor_run.hpp"
#include "core/image/half.hpp"
#include "core/plan/bank_planner.hpp"
#include "core/plan/bank_verification.hpp"
#include "core/plan/float_verdict.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "peers/peers.hpp"

#include <cstring>
#include <vector>

namespace kg {

namespace {

template <typename Sample, typename Number>
void copy_channels(const ConstImageView& image, const TensorView& item, Number number) {
    const auto channels = image.format.channels;
    for (std::int64_t y = 0; y < image.size.height; ++y) {
        const auto* row = image.row<Sample>(y);
        for (std::int64_t x = 0; x < image.size.width; ++x)
            for (int c = 0; c < channels; ++c) {
                const float value = number(*row++);
                std::memcpy(item.at(x, y, c), &value, sizeof value);
            }
    }
}

void copy_image(const ConstImageView& image, const TensorView& item) {
    const auto scale = static_cast<float>(full_scale(image.format));
    const auto scaled = [&](auto sample) { return static_cast<float>(sample) / scale; };
    switch (image.format.depth) {
    case Depth::u8: return copy_channels<std::uint8_t>(image, item, scaled);
    case Depth::u16: return copy_channels<std::uint16_t>(image, item, scaled);
    case Depth::f16:
        return copy_channels<std::uint16_t>(image, item,
                                            [&](std::uint16_t half) { return half_to_float(half) / scale; });
    case Depth::f32: return copy_channels<float>(image, item, scaled);
    case Depth::f64: return copy_channels<double>(image, item, scaled);
    }
}

} // namespace

BankOutcome run_bank_job(Engine& engine, const BankRequest& request, const Batch& batch,
                         std::string_view algorithm, bool verify, const std::stop_token& stop) {
    const auto plan = peers::plan_with_peers(engine, request, algorithm);
    const BatchShape shape{batch.shape.items, request.filters, output_size(request)};
    expect_tensor_room(engine,
                       static_cast<double>(shape.items) * static_cast<double>(shape.channels) *
                           static_cast<double>(shape.size.width) * static_cast<double>(shape.size.height),
                       sizeof(float));
    BankOutcome outcome{{shape, batch.layout, std::vector<float>(static_cast<std::size_t>(shape.count()))},
                        engine.device().id,
                        plan->algorithm,
                        plan->reason,
                        0,
                        {},
                        bank_tiling(engine, request, *plan)};
    std::vector<TensorItem> items;
    for (std::int64_t n = 0; n < shape.items; ++n) items.push_back({batch.item(n), outcome.result.item(n)});
    outcome.microseconds = run_tensors(engine, plan, items, stop);
    if (!verify) return outcome;
    outcome.verification.emplace();
    const auto* inexact = inexact_bank_algorithm(engine, *plan);
    if (!inexact) inexact = peers::find_peer_algorithm(engine, request, plan->algorithm);
    for (std::int64_t n = 0; n < shape.items; ++n)
        include(*outcome.verification,
                compare_with_reference(request, batch.item(n), outcome.result.item(n), inexact, stop),
                "item " + std::to_string(n));
    return outcome;
}

Batch batch_of(std::span<const ConstImageView> images, Layout layout) {
    const auto& first = images.front();
    Batch batch{{std::ssize(images), first.format.channels, first.size}, layout, {}, first.format.alpha >= 0};
    batch.numbers.resize(static_cast<std::size_t>(batch.shape.count()));
    for (std::size_t i = 0; i < images.size(); ++i) {
        if (images[i].size != first.size || images[i].format.channels != first.format.channels)
            throw Error(
                "sizes-differ",
                "the images of a batch must have one size and the same channels: image {} has {} x {} "
                "with {}, the first {} x {} with {}",
                i + 1, images[i].size.width, images[i].size.height,
                counted(static_cast<std::size_t>(images[i].format.channels), "channel"), first.size.width,
                first.size.height, first.format.channels);
        copy_image(images[i], batch.item(static_cast<std::int64_t>(i)));
    }
    return batch;
}

} // namespace kg
