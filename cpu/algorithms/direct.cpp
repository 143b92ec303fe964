// The sum as it is written: every tap of every kernel, in f32 with fused multiply-adds.
//
// Wins for small kernels, and is the way that serves every kernel, border and anchor. The picture is taken in tiles
// that stay in the L2 cache: a tile's source is extended by the border and widened to f32 once, after that no tap asks
// where it is, and interleaved channels need no care because a neighbour is `channels` floats away.

#include "core/error.hpp"
#include "core/step.hpp"
#include "cpu/direct_rows.hpp"
#include "cpu/engine.hpp"
#include "cpu/host_queue.hpp"
#include "cpu/rows.hpp"

#include <algorithm>

namespace kg::cpu {

namespace {

constexpr std::int64_t kTileRows = 32;
constexpr std::int64_t kTileFloats = 64 * 1024; // 256 KiB of a 1 to 2 MiB L2

/// The f32 copy of a tile's source with its border, rows `stride` floats apart.
struct Tile {
    std::int64_t stride;
    std::vector<float> samples;
};

class DirectPlan final : public Plan {
public:
    explicit DirectPlan(const ImageRequest& step) : step_(step), reach_(reach(step.stages.front())) {
        for (const auto& kernel : step.stages.front().kernels) taps_.push_back(taps(kernel));
    }

    Needs needs(const Rect& output) const override {
        return {source_rect(step_.stages.front(), step_.border, step_.size, output), 0, 1};
    }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& host = static_cast<HostQueue&>(queue);
        const auto self = std::make_shared<DirectPlan>(*this); // the task may outlive the caller's plan
        for (const auto& item : items)
            host.enqueue([&host, self, item](const HostQueue::Context& context) {
                const SourceRows source{host.image(item.src), item.src.covers, self->step_.size,
                                        self->step_.border};
                const auto to = host.image(item.dst);
                const auto rows = std::max<std::int64_t>(kTileRows, self->reach_.up + self->reach_.down);
                parallel_rows(context, to.size.height, rows, [&](std::int64_t y0, std::int64_t y1) {
                    self->filter_rows(context, source, to, item.dst.covers, y0, y1);
                });
            });
    }

private:
    /// Output rows [y0, y1) of dst, tile by tile.
    void filter_rows(const HostQueue::Context& context, const SourceRows& source, const ImageView& to,
                     const Rect& dst_covers, std::int64_t y0, std::int64_t y1) const {
        const std::int64_t channels = step_.in.channels, halo_rows = reach_.up + reach_.down,
                           halo_columns = reach_.left + reach_.right;
        const auto fitting = kTileFloats / channels / (y1 - y0 + halo_rows) - halo_columns;
        const auto columns = std::min(to.size.width, std::max<std::int64_t>(64, fitting));
        Tile tile{(columns + halo_columns) * channels + static_cast<std::int64_t>(kRowSlack), {}};
        tile.samples.resize(static_cast<std::size_t>(tile.stride * (y1 - y0 + halo_rows) + tile.stride));
        std::vector<float> out(static_cast<std::size_t>(columns * channels) + kRowSlack);
        const auto offsets = offset_row(step_, out.size());
        const auto computed = computed_channels(step_);
        const auto kernels = tap_rows(tile.stride);

        for (std::int64_t x0 = 0; x0 < to.size.width; x0 += columns) {
            const auto width = std::min(columns, to.size.width - x0);
            for (std::int64_t r = 0; r < y1 - y0 + halo_rows; ++r)
                source.read(dst_covers.y + y0 - reach_.up + r, dst_covers.x + x0 - reach_.left,
                            width + halo_columns, tile.samples.data() + r * tile.stride);
            for (auto y = y0; y < y1; ++y) {
                if (context.stop.stop_requested()) throw Cancelled();
                const float* centre = tile.samples.data() + (y - y0 + reach_.up) * tile.stride +
                                      reach_.left * channels;
                filter_row(kernels, step_.stages.front().combine, centre, offsets.data(), out.data(),
                           static_cast<std::size_t>(width * channels));
                pass_through(computed, step_.in.channels, centre, out.data(), width);
                write_row(out.data(), to, y, x0 * channels, width * channels);
            }
        }
    }

    std::vector<TapRows> tap_rows(std::int64_t stride) const {
        std::vector<TapRows> all;
        for (const auto& t : taps_) {
            TapRows rows;
            rows.divisor = t.divisor;
            for (int i = 0; i < t.height; ++i) {
                rows.row_begin.push_back(rows.taps.size());
                for (int j = 0; j < t.width; ++j)
                    if (t.at(i, j) != 0.0f) // a zero weight is no tap: NaN must not leak through it
                        rows.taps.push_back(
                            {(i - t.anchor_y) * stride + (j - t.anchor_x) * step_.in.channels, t.at(i, j)});
            }
            rows.row_begin.push_back(rows.taps.size());
            all.push_back(std::move(rows));
        }
        return all;
    }

    ImageRequest step_;
    Reach reach_;
    std::vector<Taps> taps_;
};

std::string why_not(const Request& request, const Engine&) {
    const auto& r = std::get<ImageRequest>(request);
    auto why = why_not_one_stage(r);
    return why.empty() && !has_weights(r.stages.front()) ? kTooManyWeights : why;
}

Cost cost(const Request& request, const Engine& engine) {
    const auto& r = std::get<ImageRequest>(request);
    double taps = 0;
    for (const auto& kernel : r.stages.front().kernels)
        taps += static_cast<double>(std::ranges::count_if(kernel.weights, [](float w) { return w != 0; }));
    const auto samples = static_cast<double>(r.size.width) * static_cast<double>(r.size.height) *
                         r.in.channels;
    return {samples *
            (taps / Speed{}.taps_per_us +
             static_cast<double>(bytes(r.in.depth) + bytes(r.out.depth)) / Speed{}.bytes_per_us) /
            threads_of(engine)};
}

std::shared_ptr<const Plan> plan(const Request& request, Engine&) {
    return std::make_shared<DirectPlan>(std::get<ImageRequest>(request));
}

} // namespace

extern const Algorithm kDirect{"direct",
                               "Direct",
                               "Every tap as it is written, f32 with fused multiply-adds",
                               "the definition (docs/semantics.md 1)",
                               why_not,
                               cost,
                               plan};

} // namespace kg::cpu
