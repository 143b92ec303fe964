// Two slopes at once: kernels with integer factors (Sobel, Scharr, Prewitt) over the same image, combined to
// a magnitude.
//
// A sample is loaded once for both slopes, each row is summed along once for all outputs it contributes to,
// and both slopes are combined in registers. Integer factors keep sums of integers exact, so the bytes equal
// those of `direct` (semantics 11). Bytes whose sums fit 16 bits are summed in 16 bits, twice as many at a
// time.
//
// Faster than `separable` for bytes, whose sums are narrower than those of any other algorithm; not for
// floats (docs/results/cpu-bench-gradient.json).

#include "core/request/step.hpp"
#include "cpu/engine.hpp"
#include "cpu/kernels/gradient_rows.hpp"
#include "cpu/kernels/rows.hpp"
#include "cpu/runtime/block_source.hpp"
#include "cpu/runtime/chunk_plan.hpp"

#include <algorithm>
#include <cmath>

namespace kg::cpu {

namespace {

// Rows per task of a thread.
constexpr std::int64_t kBlock = kGradientBlockRows, kChunkRows = 4 * kBlock;

/// A kernel as a correlation in the frame of its stage.
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

/// True if sums of bytes fit 16 bits.
bool fit_16_bits(const std::vector<IntegerFactors>& kernels) {
    const auto magnitude = [](const std::vector<int>& factors) {
        double sum = 0;
        for (const int factor : factors) sum += std::abs(static_cast<double>(factor));
        return sum;
    };
    return std::ranges::all_of(kernels, [&](const IntegerFactors& kernel) {
        return magnitude(kernel.row) * magnitude(kernel.column) * 255 <= 32767;
    });
}

class GradientPlan final : public ChunkPlan {
public:
    explicit GradientPlan(const ImageStep& step)
        : ChunkPlan(step, kChunkRows),
          reach_(reach(step.stages.front())), work_{{kernel(0), kernel(1)},
                                                    reach_.up + reach_.down + 1,
                                                    reach_.left + reach_.right + 1,
                                                    reach_.left,
                                                    step.in.channels,
                                                    step.stages.front().combine,
                                                    fit_16_bits(step.stages.front().factors)} {}

private:
    FactoredKernel kernel(std::size_t k) const {
        const auto& stage = step_.stages.front();
        return factored(stage.kernels[k], stage.factors[k], reach_, step_.in.channels);
    }

    /// Output rows [y0, y1) of dst, block by block.
    void filter_rows(const HostQueue::Context& context, const SourceRows& source, const ImageView& to,
                     const Rect& covers, std::int64_t y0, std::int64_t y1) const override {
        const BlockSource rows(source, reach_, {covers.x, covers.right()}, {covers.y + y0, covers.y + y1},
                               context.stop);
        const auto channels = static_cast<std::size_t>(step_.in.channels);
        const auto pixel = bytes_per_pixel(to.format);
        const auto offsets = offset_row(step_,
                                        static_cast<std::size_t>(to.size.width) * channels + kGradientSlack);
        const bool plain = std::ranges::all_of(offsets, [](float v) { return v == 0; });
        for (auto y = y0; y < y1; y += kBlock) {
            throw_if_stopped(context.stop);
            const auto count = static_cast<std::size_t>(std::min(kBlock, y1 - y));
            for (const auto& section : rows.sections()) {
                const auto first = static_cast<std::size_t>(section.columns.begin - covers.x),
                           n = static_cast<std::size_t>(section.columns.end - section.columns.begin) *
                               channels;
                gradient_block(work_, section.rows.data() + (y - y0), section.depth, count, n,
                               plain ? nullptr : offsets.data() + first * channels, step_.out.depth,
                               to.row<std::byte>(y) + first * pixel, to.pitch);
            }
            keep_channels(source, to, covers, y, y + static_cast<std::int64_t>(count));
        }
    }

    Reach reach_;
    GradientWork work_;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& r = std::get<ImageStep>(request);
    if (auto why = why_not_one_stage(r); !why.empty()) return why;
    if (r.in.depth != r.out.depth || r.in.depth == Depth::f16)
        return "it reads u8, u16 or f32 and writes the same";
    const auto& stage = r.stages.front();
    if (stage.combine == Combine::single || stage.kernels.size() != 2) return "it combines two kernels";
    if (stage.factors.size() != 2) return "its kernels must have exact integer factors";
    const auto all = reach(stage);
    return all.up + all.down < kMostGradientRows && all.left + all.right < kMostGradientRows
               ? ""
               : "its kernels reach over at most 7 rows and columns";
}

Cost cost(const PlanStep& request, const Engine& engine) {
    const auto& r = std::get<ImageStep>(request);
    double factors = 0;
    for (const auto& f : r.stages.front().factors)
        for (const auto* line : {&f.row, &f.column})
            factors += static_cast<double>(std::ranges::count_if(*line, [](int v) { return v != 0; }));
    const auto samples = static_cast<double>(r.size.width) * static_cast<double>(r.size.height) *
                         r.in.channels;
    // Per core, in addition to the products: roots, and conversion of samples to vectors and back.
    // Fitted on a 2-core AVX-512 machine.
    const bool bytes = r.in.depth == Depth::u8 && fit_16_bits(r.stages.front().factors);
    const double samples_per_us = bytes ? 3700 : 1650, wider = bytes ? 2 : 1;
    const CoreSpeed speed;
    return {(samples * (factors / wider / speed.taps_per_us + 1 / samples_per_us) +
             bytes_moved(r) / speed.bytes_per_us) /
            threads_of(engine)};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    return std::make_shared<GradientPlan>(std::get<ImageStep>(request));
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
