// Pixel formats into each other: depth, light, premultiplication, sign. No filter, so it is never chosen by itself; the
// planner puts it where an algorithm does not read or write a format.

#include "core/conversion.hpp"
#include "core/half.hpp"
#include "core/sample.hpp"
#include "core/step.hpp"
#include "cpu/engine.hpp"
#include "cpu/host_queue.hpp"

#include <algorithm>

namespace kg::cpu {

namespace {

void load(const ConstImageView& from, std::int64_t y, std::int64_t begin, std::int64_t count, float* to) {
    const auto copy = [&](const auto* row) {
        for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<float>(row[begin + i]);
    };
    switch (from.format.depth) {
    case Depth::u8: return copy(from.row<std::uint8_t>(y));
    case Depth::u16: return copy(from.row<std::uint16_t>(y));
    case Depth::f16:
        for (std::int64_t i = 0; i < count; ++i) to[i] = half_to_float(from.row<std::uint16_t>(y)[begin + i]);
        return;
    case Depth::f32: return copy(from.row<float>(y));
    }
}

void save(const ImageView& to, std::int64_t y, std::int64_t begin, std::int64_t count, const float* from) {
    const auto put = [&]<typename Sample>(Sample* row) {
        for (std::int64_t i = 0; i < count; ++i) row[begin + i] = SampleTraits<Sample>::from(from[i]);
    };
    switch (to.format.depth) {
    case Depth::u8: return put(to.row<std::uint8_t>(y));
    case Depth::u16: return put(to.row<std::uint16_t>(y));
    case Depth::f16:
        for (std::int64_t i = 0; i < count; ++i) {
            const float finite = std::isfinite(from[i]) ? std::clamp(from[i], -65504.0f, 65504.0f) : from[i];
            to.row<std::uint16_t>(y)[begin + i] = float_to_half(finite);
        }
        return;
    case Depth::f32: return put(to.row<float>(y));
    }
}

class ConvertPlan final : public Plan {
public:
    explicit ConvertPlan(const ImageRequest& step) : conversion_(PixelConversion::from(step)) {}

    Needs needs(const Rect& output) const override { return {output, 0, 1}; }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& host = static_cast<HostQueue&>(queue);
        for (const auto& item : items)
            host.enqueue([&host, conversion = conversion_, src = item.src.crop(item.dst.covers),
                          dst = item.dst](const auto& context) {
                const ConstImageView from = host.image(src);
                const auto to = host.image(dst);
                const std::int64_t channels = conversion.channels, width = from.size.width;
                constexpr std::int64_t kBlock = 256; // pixels on the stack at a time
                parallel_rows(context, from.size.height, 16, [&](std::int64_t y0, std::int64_t y1) {
                    float block[kBlock * kMaxChannels];
                    for (auto y = y0; y < y1; ++y)
                        for (std::int64_t x = 0; x < width; x += kBlock) {
                            const auto pixels = std::min(kBlock, width - x);
                            load(from, y, x * channels, pixels * channels, block);
                            for (std::int64_t i = 0; i < pixels; ++i) conversion(block + i * channels);
                            save(to, y, x * channels, pixels * channels, block);
                        }
                });
            });
    }

private:
    PixelConversion conversion_;
};

std::string why_not(const Request& request, const Engine&) {
    return why_not_conversion(std::get<ImageRequest>(request));
}

Cost cost(const Request& request, const Engine& engine) {
    return {bytes_moved(std::get<ImageRequest>(request)) / Speed{}.bytes_per_us / threads_of(engine)};
}

std::shared_ptr<const Plan> plan(const Request& request, Engine&) {
    return std::make_shared<ConvertPlan>(std::get<ImageRequest>(request));
}

} // namespace

extern const Algorithm kConvert{
    "convert",
    "Convert",
    "Changes depth, light and premultiplication; put between steps by the planner",
    "IEC 61966-2-1 for the sRGB curve",
    why_not,
    cost,
    plan};

} // namespace kg::cpu
