// Conversion between pixel formats: depth, light, premultiplication, sign. It does not filter, so it is never
// chosen as an algorithm; the planner inserts it where an algorithm does not read or write a format.

#include "core/request/conversion.hpp"
#include "core/request/step.hpp"
#include "cpu/engine.hpp"
#include "cpu/kernels/light.hpp"
#include "cpu/kernels/rows.hpp"
#include "cpu/runtime/host_queue.hpp"

#include <algorithm>

namespace kg::cpu {

namespace {

/// Converts a block of pixels in float64, of which at least one format is.
void convert(const PixelConversion& c, Depth, Depth, double* pixels, std::int64_t count) {
    if (c.plain() && !c.rescales()) return; // only the depth changes
    for (std::int64_t i = 0; i < count; ++i) c(pixels + i * c.channels);
}

/// Converts a block of pixels. Common conversions use vectors or tables with the same operations as the
/// scalar code.
void convert(const PixelConversion& c, Depth from, Depth to, float* pixels, std::int64_t count) {
    if (decodes_by_table(c, from)) return decode_pixels(c, from, pixels, count);
    if (encodes_by_table(c, to)) return encode_pixels(c, pixels, count);
    const bool rgba = c.channels == 4 && c.alpha == 3;
    const bool weighs_alone = c.weighted_offset == 0 && !c.clamps_alpha;
    if (c.keeps_sign() && weighs_alone && !c.decode && !c.encode && c.in_scale == c.out_scale) {
        if (!c.premultiply && !c.unpremultiply) return; // only the depth changes
        const auto n = static_cast<std::size_t>(count);
        if (rgba && !c.unpremultiply) return premultiply_rgba(pixels, n, c.in_scale, c.computed);
        if (rgba && !c.premultiply) return unpremultiply_rgba(pixels, n, c.in_scale, c.computed);
    }
    for (std::int64_t i = 0; i < count; ++i) c(pixels + i * c.channels);
}

template <typename Number>
void convert_rows(const PixelConversion& conversion, const ConstImageView& from, const ImageView& to,
                  std::int64_t begin, std::int64_t end) {
    const std::int64_t channels = conversion.channels, width = from.size.width;
    constexpr std::int64_t kBlock = 256;      // pixels on the stack at a time
    Number block[kBlock * kMaxChannels + 16]; // and one vector of slack
    for (auto y = begin; y < end; ++y)
        for (std::int64_t x = 0; x < width; x += kBlock) {
            const auto pixels = std::min(kBlock, width - x);
            read_row(from, y, x * channels, pixels * channels, block);
            convert(conversion, from.format.depth, to.format.depth, block, pixels);
            write_row(block, to, y, x * channels, pixels * channels);
        }
}

class ConvertPlan final : public Plan {
public:
    explicit ConvertPlan(const ImageStep& step) : conversion_(PixelConversion::from(step)) {}

    Needs needs(const Rect& output) const override { return {output, 0, 1}; }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& host = static_cast<HostQueue&>(queue);
        for (const auto& item : items)
            host.enqueue([&host, conversion = conversion_, src = item.src.crop(item.dst.covers),
                          dst = item.dst](const auto& context) {
                const ConstImageView from = host.image(src);
                const auto to = host.image(dst);
                const bool float64 = from.format.depth == Depth::f64 || to.format.depth == Depth::f64;
                parallel_rows(context, from.size.height, 16, [&](std::int64_t y0, std::int64_t y1) {
                    if (float64) convert_rows<double>(conversion, from, to, y0, y1);
                    else convert_rows<float>(conversion, from, to, y0, y1);
                });
            });
    }

private:
    PixelConversion conversion_;
};

std::string why_not(const PlanStep& request, const Engine&) {
    return why_not_conversion(std::get<ImageStep>(request));
}

Cost cost(const PlanStep& request, const Engine& engine) {
    return {bytes_moved(std::get<ImageStep>(request)) / CoreSpeed{}.bytes_per_us / threads_of(engine)};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    return std::make_shared<ConvertPlan>(std::get<ImageStep>(request));
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
