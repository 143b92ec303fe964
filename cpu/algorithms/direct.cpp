// The sum as it is written: every tap of every kernel, in f32 with fused multiply-adds.
//
// Wins for small kernels, and is the way that serves every kernel, border and anchor. The picture is taken in tiles
// that stay in the L2 cache: a tile's source is extended by the border and widened to f32 once, after that no tap asks
// where it is, and interleaved channels need no care because a neighbour is `channels` floats away.

#include "core/error.hpp"
#include "core/sample.hpp"
#include "core/step.hpp"
#include "cpu/direct_rows.hpp"
#include "cpu/engine.hpp"
#include "cpu/host_queue.hpp"

#include <algorithm>
#include <cstring>

namespace kg::cpu {

namespace {

constexpr std::int64_t kTileRows = 32;
constexpr std::int64_t kTileFloats = 64 * 1024; // 256 KiB of a 1 to 2 MiB L2

/// The f32 copy of a tile's source with its border, rows `stride` floats apart.
struct Tile {
    std::int64_t stride;
    std::vector<float> samples;
};

template <typename Sample>
void widen_row(const Sample* row, const Rect& covers, Border border, std::int64_t width, std::int64_t first,
               std::int64_t count, int channels, float* to) {
    const auto put = [&](std::int64_t begin, std::int64_t end) { // columns of the picture that exist
        const auto* from = row + (begin - covers.x) * channels;
        float* at = to + (begin - first) * channels;
        for (std::int64_t i = 0; i < (end - begin) * channels; ++i) at[i] = static_cast<float>(from[i]);
    };
    const auto inside_begin = std::clamp<std::int64_t>(first, 0, width),
               inside_end = std::clamp<std::int64_t>(first + count, 0, width);
    if (inside_begin < inside_end) put(inside_begin, inside_end);
    const auto outside = [&](std::int64_t begin, std::int64_t end) {
        for (auto x = begin; x < end; ++x) {
            const auto from = border_index(border, x, width);
            for (int c = 0; c < channels; ++c)
                to[(x - first) * channels + c] =
                    from < 0 ? 0.0f : static_cast<float>(row[(from - covers.x) * channels + c]);
        }
    };
    outside(first, std::min<std::int64_t>(first + count, 0));
    outside(std::max(first, width), first + count);
}

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
                const ConstImageView from = host.image(item.src);
                const auto to = host.image(item.dst);
                const auto rows = std::max<std::int64_t>(kTileRows, self->reach_.up + self->reach_.down);
                parallel_rows(context, to.size.height, rows, [&](std::int64_t y0, std::int64_t y1) {
                    self->filter_rows(context, from, item.src.covers, to, item.dst.covers, y0, y1);
                });
            });
    }

private:
    /// Output rows [y0, y1) of dst, tile by tile.
    void filter_rows(const HostQueue::Context& context, const ConstImageView& from, const Rect& src_covers,
                     const ImageView& to, const Rect& dst_covers, std::int64_t y0, std::int64_t y1) const {
        const std::int64_t channels = step_.in.channels, halo_rows = reach_.up + reach_.down,
                           halo_columns = reach_.left + reach_.right;
        const auto fitting = kTileFloats / channels / (y1 - y0 + halo_rows) - halo_columns;
        const auto columns = std::min(to.size.width, std::max<std::int64_t>(64, fitting));
        Tile tile{(columns + halo_columns) * channels + static_cast<std::int64_t>(kRowSlack), {}};
        tile.samples.resize(static_cast<std::size_t>(tile.stride * (y1 - y0 + halo_rows) + tile.stride));
        std::vector<float> out(static_cast<std::size_t>(columns * channels) + kRowSlack), offsets(out.size());
        const float offset = offset_in(step_.stages.front(), step_.in);
        for (std::size_t i = 0; i < offsets.size(); ++i)
            offsets[i] = static_cast<int>(i % static_cast<std::size_t>(channels)) == step_.in.alpha ? 0.0f
                                                                                                    : offset;
        const auto kernels = tap_rows(tile.stride);

        for (std::int64_t x0 = 0; x0 < to.size.width; x0 += columns) {
            const auto width = std::min(columns, to.size.width - x0);
            fill(tile, from, src_covers, dst_covers.x + x0 - reach_.left, width + halo_columns,
                 dst_covers.y + y0 - reach_.up, y1 - y0 + halo_rows);
            for (auto y = y0; y < y1; ++y) {
                if (context.stop.stop_requested()) throw Cancelled();
                const float* centre = tile.samples.data() + (y - y0 + reach_.up) * tile.stride +
                                      reach_.left * channels;
                filter_row(kernels, step_.stages.front().combine, centre, offsets.data(), out.data(),
                           static_cast<std::size_t>(width * channels));
                pass_through(centre, out.data(), width);
                write(out.data(), to, y, x0 * channels, width * channels);
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

    /// The source of a tile: `columns` x `rows` from (first_x, first_y) of the picture, extended by the border.
    void fill(Tile& tile, const ConstImageView& from, const Rect& covers, std::int64_t first_x,
              std::int64_t columns, std::int64_t first_y, std::int64_t rows) const {
        for (std::int64_t r = 0; r < rows; ++r) {
            float* to = tile.samples.data() + r * tile.stride;
            const auto y = border_index(step_.border, first_y + r, step_.size.height);
            const auto widen = [&](const auto* row) {
                widen_row(row, covers, step_.border, step_.size.width, first_x, columns, step_.in.channels,
                          to);
            };
            if (y < 0) std::fill_n(to, columns * step_.in.channels, 0.0f);
            else if (step_.in.depth == Depth::u8) widen(from.row<std::uint8_t>(y - covers.y));
            else widen(from.row<float>(y - covers.y));
        }
    }

    void pass_through(const float* centre, float* out, std::int64_t width) const {
        const auto computed = computed_channels(step_);
        for (int c = 0; c < step_.in.channels; ++c)
            if (!(computed >> c & 1u))
                for (std::int64_t x = 0; x < width; ++x)
                    out[x * step_.in.channels + c] = centre[x * step_.in.channels + c];
    }

    static void write(const float* from, const ImageView& to, std::int64_t y, std::int64_t begin,
                      std::int64_t count) {
        if (to.format.depth == Depth::u8)
            round_row(from, to.row<std::uint8_t>(y) + begin, static_cast<std::size_t>(count));
        else std::memcpy(to.row<float>(y) + begin, from, static_cast<std::size_t>(count) * sizeof(float));
    }

    ImageRequest step_;
    Reach reach_;
    std::vector<Taps> taps_;
};

std::string why_not(const Request& request, const Engine&) {
    return why_not_plain_stage(std::get<ImageRequest>(request));
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
