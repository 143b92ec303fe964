// The mean of a rectangle at a cost independent of its size: running sums down the columns, then along the
// rows.
//
// Fastest from a few columns and rows on; the gain grows with the box.
//
// Integers: each column sum adds the row that enters and subtracts the row that leaves, and the row sum does
// the same along the column sums. Nothing is rounded, so the bytes equal those of any other algorithm
// (semantics 11).
//
// Floats: nothing is subtracted, so the rounding error of a large sample does not outlive it, and NaN affects
// only the windows that contain it (semantics 10 and 12). A window is the end of one block of `size` samples
// and the beginning of the next (van Herk): down the columns, row by row, where a block of rows fits the
// cache (cpu/kernels/float_box.hpp); for larger boxes, and for integers whose sums exceed 2^31, in lines
// (cpu/kernels/line_sums.hpp).

#include "core/request/separate.hpp"
#include "core/request/step.hpp"
#include "core/support/stop.hpp"
#include "cpu/engine.hpp"
#include "cpu/kernels/box_rows.hpp"
#include "cpu/kernels/float_box.hpp"
#include "cpu/kernels/line_sums.hpp"
#include "cpu/kernels/lines.hpp"
#include "cpu/kernels/rows.hpp"
#include "cpu/runtime/chunk_plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace kg::cpu {

namespace {

/// Sums of `size` samples, the first of them `before` samples before the output.
class WindowFilter final : public LineFilter {
public:
    WindowFilter(int size, int before) : size_(size), before_(before) {}

    Span reads(Span outputs, std::int64_t) const override {
        return {outputs.begin - before_, outputs.end - before_ + size_ - 1};
    }
    std::int64_t segment() const override { return std::max<std::int64_t>(8192, 4 * size_); }
    void run(const float* in, Span outputs, std::int64_t, float* out,
             const std::stop_token& stop) const override {
        window_sums(in, outputs.begin - before_, outputs.end - outputs.begin, size_, out, stop);
    }

private:
    std::int64_t size_, before_;
};

/// Running sums of u8 and u16.
class IntegerPlan final : public ChunkPlan {
public:
    /// One chunk per core: each chunk begins by summing its first window.
    IntegerPlan(const ImageStep& step, float weight)
        : ChunkPlan(step, step.size.height), taps_(taps(step.stages.front().kernels.front())),
          weight_(weight), exact_(sums_exactly(step.stages.front(), full_scale(step.in))) {}

    /// Sums must stay below 2^31.
    static bool fits(const ImageStep& step) {
        const auto& kernel = step.stages.front().kernels.front();
        return is_integer(step.in.depth) &&
               static_cast<double>(kernel.width) * kernel.height * full_scale(step.in) < 0x1p31;
    }

private:
    /// Output rows [y0, y1) of dst.
    void filter_rows(const HostQueue::Context& context, const SourceRows& source, const ImageView& to,
                     const Rect& dst_covers, std::int64_t y0, std::int64_t y1) const override {
        const auto channels = static_cast<std::size_t>(step_.in.channels);
        const auto pixels = static_cast<std::size_t>(dst_covers.width), n = pixels * channels;
        const auto& covers = source.covers;
        const auto columns = static_cast<std::size_t>(covers.width) * channels;
        const Columns extended(step_.border, step_.size.width, covers.x, dst_covers.x - taps_.left(),
                               dst_covers.right() + taps_.right());
        std::vector<std::uint32_t> sums(columns), line(extended.count() * channels + kSumSlack),
            windows(n + kSumSlack);
        std::vector<float> out(n + kSumSlack), centre(n);
        const auto offsets = offset_row(step_, out.size());
        const std::vector<std::byte> zeros(columns * bytes(step_.in.depth));
        const auto row = [&](std::int64_t y) {
            const auto from = border_index(step_.border, y, step_.size.height);
            return from < 0 ? zeros.data() : source.pixels.row<std::byte>(from - covers.y);
        };
        const auto slide = [&](const std::byte* entering, const std::byte* leaving) {
            throw_if_stopped(context.stop);
            slide_down(entering, leaving, step_.in.depth, columns, sums.data());
        };
        const auto top = dst_covers.y + y0 - taps_.up();
        for (auto y = top; y < top + taps_.height - 1; ++y) slide(row(y), zeros.data());
        for (auto y = y0; y < y1; ++y) {
            const auto first = dst_covers.y + y - taps_.up();
            slide(row(first + taps_.height - 1), y == y0 ? zeros.data() : row(first - 1));
            extended.fill(sums.data(), channels, line.data());
            slide_along(line.data(), static_cast<std::size_t>(taps_.width), step_.in.channels, pixels,
                        windows.data());
            divide_sums(windows.data(), exact_, weight_, taps_.divisor, offsets.data(), n, out.data());
            if (const auto computed = computed_channels(step_); computed != all_channels(step_.in.channels)) {
                source.read(dst_covers.y + y, dst_covers.x, dst_covers.width, centre.data());
                pass_through(computed, step_.in.channels, centre.data(), out.data(), dst_covers.width);
            }
            write_row(out.data(), to, y, 0, static_cast<std::int64_t>(n));
        }
    }

    /// Column sums of the image, extended by the border.
    class Columns {
    public:
        /// `origin` is the column of the image at which the sums begin.
        Columns(Border border, std::int64_t width, std::int64_t origin, std::int64_t begin, std::int64_t end)
            : begin_(begin), end_(end), inside_begin_(std::clamp<std::int64_t>(0, begin, end)),
              inside_end_(std::clamp(width, begin, end)), origin_(origin) {
            for (auto x = begin; x < end; ++x)
                if (x < inside_begin_ || x >= inside_end_)
                    outside_.emplace_back(x - begin, border_index(border, x, width));
        }
        std::size_t count() const { return static_cast<std::size_t>(end_ - begin_); }
        void fill(const std::uint32_t* sums, std::size_t channels, std::uint32_t* line) const {
            const auto c = static_cast<std::int64_t>(channels);
            std::copy_n(sums + (inside_begin_ - origin_) * c, (inside_end_ - inside_begin_) * c,
                        line + (inside_begin_ - begin_) * c);
            for (const auto& [to, from] : outside_)
                for (std::int64_t i = 0; i < c; ++i)
                    line[to * c + i] = from < 0 ? 0 : sums[(from - origin_) * c + i];
        }

    private:
        std::int64_t begin_, end_, inside_begin_, inside_end_, origin_;
        std::vector<std::pair<std::int64_t, std::int64_t>> outside_; // position in the line, column or -1
    };

    Taps taps_;
    float weight_;
    bool exact_;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& r = std::get<ImageStep>(request);
    if (auto why = why_not_one_stage(r); !why.empty()) return why;
    return why_not_box(r);
}

Cost cost(const PlanStep& request, const Engine& engine) {
    const auto& r = std::get<ImageStep>(request);
    const auto& kernel = r.stages.front().kernels.front();
    const auto width = static_cast<double>(r.size.width), height = static_cast<double>(r.size.height);
    // Samples per microsecond and core, measured on a 2-core AVX-512 machine.
    double speed = 150, levels = 1;
    if (IntegerPlan::fits(r)) speed = 1400;
    else if (!is_integer(r.in.depth) && float_box_fits(r))
        speed = 5300, levels = 4.2 + std::log2(static_cast<double>(kernel.width));
    // Samples read beyond the outputs are summed too.
    const double longer = 1 + (kernel.width / width + kernel.height / height) / 2;
    return {width * height * r.in.channels * longer * levels / speed / threads_of(engine)};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    const float weight = flat_weight(step.stages.front());
    if (IntegerPlan::fits(step)) return std::make_shared<IntegerPlan>(step, weight);
    if (!is_integer(step.in.depth) && float_box_fits(step)) return float_box(step, weight);
    const auto t = taps(step.stages.front().kernels.front());
    return std::make_shared<LinePlan>(step, std::make_shared<WindowFilter>(t.height, t.anchor_y),
                                      std::make_shared<WindowFilter>(t.width, t.anchor_x), weight, 1);
}

} // namespace

extern const Algorithm kBox{"box",
                            "Box",
                            "Running sums down and along: the same time for any radius",
                            "van Herk 1992; Gil and Werman 1993, with sums in place of minima",
                            why_not,
                            cost,
                            plan};

} // namespace kg::cpu
