// Two slopes at once: kernels with integer factors (Sobel, Scharr, Prewitt) over the same picture, combined to a length.
//
// A sample is loaded once for both slopes, each row is summed along once for all the outputs it serves, and both slopes are
// combined in registers. Integer factors keep sums of integers exact, so that the bytes are those of `direct` (semantics
// 11). Bytes whose sums fit 16 bits are summed there, twice as many at a time.
//
// It does not win yet: `separable`, which reads the picture without copying it into tiles, takes seven to nine tenths of its
// time for a Sobel of 3 x 3 (docs/results/cpu-sums.json), so it is for comparison until it reads as directly.

#include "core/error.hpp"
#include "core/step.hpp"
#include "cpu/engine.hpp"
#include "cpu/gradient_rows.hpp"
#include "cpu/host_queue.hpp"
#include "cpu/rows.hpp"

#include <algorithm>

namespace kg::cpu {

namespace {

constexpr std::int64_t kTileRows = 64;
constexpr std::int64_t kTileBytes = 256 * 1024; // of a 1 to 2 MiB L2

/// A kernel as correlation in the frame of its stage.
FactoredKernel factored(const Kernel& kernel, IntegerFactors factors, const Reach& reach, int channels) {
    if (kernel.flip) {
        std::ranges::reverse(factors.row);
        std::ranges::reverse(factors.column);
    }
    const auto t = taps(kernel);
    FactoredKernel result;
    result.divisor = t.divisor;
    for (std::size_t j = 0; j < factors.row.size(); ++j)
        if (factors.row[j] != 0)
            result.row.push_back(
                {(static_cast<std::ptrdiff_t>(j) - t.left()) * channels, static_cast<float>(factors.row[j])});
    for (std::size_t i = 0; i < factors.column.size(); ++i)
        result.column[i + static_cast<std::size_t>(reach.up - t.up())] = static_cast<float>(
            factors.column[i]);
    return result;
}

constexpr auto run_of(float) { return gradient_rows; }
constexpr auto run_of(std::uint8_t) { return gradient_bytes; }

void read(const SourceRows& source, std::int64_t y, std::int64_t first, std::int64_t count, float* to) {
    source.read(y, first, count, to);
}
/// The same in bytes.
void read(const SourceRows& source, std::int64_t y, std::int64_t first, std::int64_t count,
          std::uint8_t* to) {
    const std::int64_t channels = source.pixels.format.channels;
    const auto row = border_index(source.border, y, source.size.height);
    std::fill_n(to, count * channels, std::uint8_t{0});
    if (row < 0) return;
    const auto* from = source.pixels.row<std::uint8_t>(row - source.covers.y);
    const auto copy = [&](std::int64_t begin, std::int64_t pixel, std::int64_t pixels) {
        std::copy_n(from + (pixel - source.covers.x) * channels, pixels * channels,
                    to + (begin - first) * channels);
    };
    const auto inside_begin = std::clamp<std::int64_t>(0, first, first + count),
               inside_end = std::clamp(source.size.width, first, first + count);
    if (inside_begin < inside_end) copy(inside_begin, inside_begin, inside_end - inside_begin);
    for (auto x = first; x < first + count; ++x) {
        if (x == inside_begin) x = inside_end;
        if (x == first + count) break;
        if (const auto column = border_index(source.border, x, source.size.width); column >= 0)
            copy(x, column, 1);
    }
}

void keep_channels(unsigned computed, int channels, const float* source, float* out, std::int64_t pixels) {
    pass_through(computed, channels, source, out, pixels);
}
void keep_channels(unsigned computed, int channels, const std::uint8_t* source, std::uint8_t* out,
                   std::int64_t pixels) {
    for (std::int64_t i = 0; i < pixels * channels && computed != all_channels(channels); ++i)
        if (!(computed >> (i % channels) & 1u)) out[i] = source[i];
}

void write(const float* from, const ImageView& to, std::int64_t y, std::int64_t begin, std::int64_t count) {
    write_row(from, to, y, begin, count);
}
void write(const std::uint8_t* from, const ImageView& to, std::int64_t y, std::int64_t begin,
           std::int64_t count) {
    std::copy_n(from, count, to.row<std::uint8_t>(y) + begin);
}

class GradientPlan final : public Plan {
public:
    explicit GradientPlan(const ImageRequest& step)
        : step_(step), reach_(reach(step.stages.front())), kernels_{kernel(0), kernel(1)},
          in_bytes_(step.in.depth == Depth::u8 && step.out.depth == Depth::u8 && fits_bytes(kernels_)) {}

    Needs needs(const Rect& output) const override {
        return {source_rect(step_.stages.front(), step_.border, step_.size, output), 0, 1};
    }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& host = static_cast<HostQueue&>(queue);
        const auto self = std::make_shared<GradientPlan>(*this); // the task may outlive the caller's plan
        for (const auto& item : items)
            host.enqueue([&host, self, item](const HostQueue::Context& context) {
                const SourceRows source{host.image(item.src), item.src.covers, self->step_.size,
                                        self->step_.border};
                const auto to = host.image(item.dst);
                parallel_rows(context, to.size.height, kTileRows, [&](std::int64_t y0, std::int64_t y1) {
                    if (self->in_bytes_)
                        self->filter_rows<std::uint8_t>(context, source, to, item.dst.covers, y0, y1);
                    else self->filter_rows<float>(context, source, to, item.dst.covers, y0, y1);
                });
            });
    }

private:
    FactoredKernel kernel(std::size_t k) const {
        const auto& stage = step_.stages.front();
        return factored(stage.kernels[k], stage.factors[k], reach_, step_.in.channels);
    }

    /// Output rows [y0, y1) of dst, tile by tile.
    template <typename Sample>
    void filter_rows(const HostQueue::Context& context, const SourceRows& source, const ImageView& to,
                     const Rect& dst_covers, std::int64_t y0, std::int64_t y1) const {
        const std::int64_t channels = step_.in.channels, halo_rows = reach_.up + reach_.down,
                           halo_columns = reach_.left + reach_.right, rows = y1 - y0;
        const auto fitting = kTileBytes / static_cast<std::int64_t>(sizeof(Sample)) / channels /
                             (rows + halo_rows);
        const auto columns = std::min(to.size.width, std::max<std::int64_t>(1, fitting));
        const auto slack = static_cast<std::int64_t>(kGradientSlack);
        const auto stride = (columns + halo_columns) * channels + slack,
                   out_stride = columns * channels + slack;
        // A pass is made for 3, 5 or 7 rows; where the kernels have fewer it reads on, and weighs what it reads by 0.
        std::vector<Sample> tile(static_cast<std::size_t>(stride * (rows + kMostGradientRows - 1))),
            out(static_cast<std::size_t>(out_stride * rows));
        const auto offsets = offset_row(step_, static_cast<std::size_t>(out_stride));
        const auto computed = computed_channels(step_);
        for (std::int64_t x0 = 0; x0 < to.size.width; x0 += columns) {
            if (context.stop.stop_requested()) throw Cancelled();
            const auto width = std::min(columns, to.size.width - x0);
            for (std::int64_t r = 0; r < rows + halo_rows; ++r)
                read(source, dst_covers.y + y0 - reach_.up + r, dst_covers.x + x0 - reach_.left,
                     width + halo_columns, tile.data() + r * stride);
            const Sample* top = tile.data() + reach_.left * channels;
            constexpr auto kRows = run_of(Sample{});
            kRows(kernels_, reach_.up + reach_.down + 1, step_.stages.front().combine, top, stride,
                  static_cast<std::size_t>(rows), static_cast<std::size_t>(width * channels), offsets.data(),
                  out.data(), out_stride);
            for (std::int64_t r = 0; r < rows; ++r) {
                Sample* row = out.data() + r * out_stride;
                keep_channels(computed, step_.in.channels, top + (r + reach_.up) * stride, row, width);
                write(row, to, y0 + r, x0 * channels, width * channels);
            }
        }
    }

    ImageRequest step_;
    Reach reach_;
    std::array<FactoredKernel, 2> kernels_;
    bool in_bytes_;
};

std::string why_not(const Request& request, const Engine&) {
    const auto& r = std::get<ImageRequest>(request);
    if (auto why = why_not_one_stage(r); !why.empty()) return why;
    const auto& stage = r.stages.front();
    if (stage.combine == Combine::single || stage.kernels.size() != 2) return "it combines two kernels";
    if (stage.factors.size() != 2) return "its kernels must have exact integer factors";
    const auto all = reach(stage);
    return all.up + all.down < kMostGradientRows && all.left + all.right < kMostGradientRows
               ? ""
               : "its kernels reach over at most 7 rows and columns";
}

Cost cost(const Request& request, const Engine& engine) {
    const auto& r = std::get<ImageRequest>(request);
    double factors = 0;
    for (const auto& f : r.stages.front().factors)
        for (const auto* side : {&f.row, &f.column})
            factors += static_cast<double>(std::ranges::count_if(*side, [](int v) { return v != 0; }));
    const auto samples = static_cast<double>(r.size.width) * static_cast<double>(r.size.height) *
                         r.in.channels;
    constexpr double kSamplesPerMicrosecond =
        1800; // per core, beside the products: roots, and rows to f32 and back
    const Speed speed;
    return {(samples * (factors / speed.taps_per_us + 1 / kSamplesPerMicrosecond) +
             bytes_moved(r) / speed.bytes_per_us) /
            threads_of(engine)};
}

std::shared_ptr<const Plan> plan(const Request& request, Engine&) {
    return std::make_shared<GradientPlan>(std::get<ImageRequest>(request));
}

} // namespace

extern const Algorithm kGradient{"gradient",
                                 "Gradient",
                                 "Both slopes in one pass, from integer factors",
                                 "docs/semantics.md 4 and 11",
                                 why_not,
                                 cost,
                                 plan};

} // namespace kg::cpu
