// Two slopes at once: kernels with integer factors (Sobel, Scharr, Prewitt) over the same picture, combined to a length.
//
// Wins over one kernel after the other because a sample is loaded once, each row is summed along once for all the outputs
// it serves, and both slopes are combined in registers. Integer factors keep sums of integers exact, so that the bytes are
// those of `direct` (semantics 11).

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
constexpr std::int64_t kTileFloats = 64 * 1024; // 256 KiB of a 1 to 2 MiB L2

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

class GradientPlan final : public Plan {
public:
    explicit GradientPlan(const ImageRequest& step)
        : step_(step), reach_(reach(step.stages.front())), kernels_{kernel(0), kernel(1)} {}

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
                    self->filter_rows(context, source, to, item.dst.covers, y0, y1);
                });
            });
    }

private:
    FactoredKernel kernel(std::size_t k) const {
        const auto& stage = step_.stages.front();
        return factored(stage.kernels[k], stage.factors[k], reach_, step_.in.channels);
    }

    /// Output rows [y0, y1) of dst, tile by tile.
    void filter_rows(const HostQueue::Context& context, const SourceRows& source, const ImageView& to,
                     const Rect& dst_covers, std::int64_t y0, std::int64_t y1) const {
        const std::int64_t channels = step_.in.channels, halo_rows = reach_.up + reach_.down,
                           halo_columns = reach_.left + reach_.right, rows = y1 - y0;
        const auto columns = std::min(to.size.width, kTileFloats / channels / (rows + halo_rows));
        const auto slack = static_cast<std::int64_t>(kGradientSlack);
        const auto stride = (columns + halo_columns) * channels + slack,
                   out_stride = columns * channels + slack;
        std::vector<float> tile(static_cast<std::size_t>(stride * (rows + halo_rows))),
            out(static_cast<std::size_t>(out_stride * rows));
        const auto offsets = offset_row(step_, static_cast<std::size_t>(out_stride));
        const auto computed = computed_channels(step_);
        for (std::int64_t x0 = 0; x0 < to.size.width; x0 += columns) {
            if (context.stop.stop_requested()) throw Cancelled();
            const auto width = std::min(columns, to.size.width - x0);
            for (std::int64_t r = 0; r < rows + halo_rows; ++r)
                source.read(dst_covers.y + y0 - reach_.up + r, dst_covers.x + x0 - reach_.left,
                            width + halo_columns, tile.data() + r * stride);
            const float* top = tile.data() + reach_.left * channels;
            gradient_rows(kernels_, reach_.up + reach_.down + 1, step_.stages.front().combine, top, stride,
                          static_cast<std::size_t>(rows), static_cast<std::size_t>(width * channels),
                          offsets.data(), out.data(), out_stride);
            for (std::int64_t r = 0; r < rows; ++r) {
                float* row = out.data() + r * out_stride;
                pass_through(computed, step_.in.channels, top + (r + reach_.up) * stride, row, width);
                write_row(row, to, y0 + r, x0 * channels, width * channels);
            }
        }
    }

    ImageRequest step_;
    Reach reach_;
    std::array<FactoredKernel, 2> kernels_;
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
