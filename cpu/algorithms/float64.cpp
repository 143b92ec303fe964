// Every tap as defined, summed in float64.
//
// For integers whose weights sum to many times the divisor: a 7 x 7 Sobel on 16 bits sums terms of up to 84
// million to a result of 65535. A float32 has 24 bits, so such sums are off by several levels; semantics 11
// allows one, next to a tie. A float64 has 53 bits: the product of a sample and a weight is exact, and the
// sum is practically exact until its single rounding to the output.
//
// Never fastest: vectors hold half as many doubles, so it takes about twice the time of `direct`. The planner
// chooses it where float32 is too coarse (core/request/rounding.hpp); users choose it to measure the error of
// float32. Where every sum is exact in float32 too, the operations after the sum are float32 as well, so that
// the bytes equal those of all other algorithms.

#include "core/image/sample.hpp"
#include "cpu/runtime/block_plan.hpp"
#include "cpu/runtime/block_source.hpp"
#include "cpu/runtime/chunk_plan.hpp"
#include "cpu/engine.hpp"

#include <algorithm>

namespace kg::cpu {

namespace {

constexpr std::int64_t kChunkRows = 32;      // rows per task of a thread
constexpr std::int64_t kStripSamples = 2048; // sums of a block: 64 KiB, half of an L2

/// Rounds to an integer, ties to even, for values near the range of integers. Larger values have no fraction
/// bits.
double to_integer(double v) { return (v + 0x1.8p52) - 0x1.8p52; }

/// Converts sums to an output row, in `Number` until the last step. sums[k * stride + i] is kernel k's sum
/// for sample i.
template <typename Number, Combine How>
void finish_row(const double* sums, std::size_t stride, const std::vector<Number>& divisors,
                const float* offsets, std::size_t n, bool integers, float* out) {
    for (std::size_t i = 0; i < n; ++i) {
        Number value = 0;
        for (std::size_t k = 0; k < divisors.size(); ++k)
            value = combined(How, value, static_cast<Number>(sums[k * stride + i]) / divisors[k]);
        value = finished(How, value, static_cast<Number>(offsets[i]));
        out[i] = static_cast<float>(integers ? to_integer(static_cast<double>(value)) : value);
    }
}

/// Each thread keeps the sums of kBlockRows rows of a strip, and copies of at most the rows that its chunk
/// reaches (cpu/runtime/block_source.hpp).
class Float64Plan final : public ChunkPlan {
public:
    explicit Float64Plan(const ImageStep& step)
        : ChunkPlan(step, kChunkRows), reach_(reach(step.stages.front())),
          exact_(!step.float64_sums && sums_exactly(step.stages.front(), full_scale(step.in))) {
        std::size_t products = 1;
        for (const auto& kernel : step.stages.front().kernels) {
            taps_.push_back(block_taps(taps(kernel), reach_.up, step.in.channels));
            products += taps_.back().taps.size();
        }
        check_interval_ = check_interval(2 * products);
    }

private:
    /// Output rows [y0, y1) of dst, strip by strip.
    void filter_rows(const HostQueue::Context& context, const SourceRows& source, const ImageView& to,
                     const Rect& covers, std::int64_t y0, std::int64_t y1) const override {
        const std::int64_t channels = step_.in.channels,
                           columns = std::min(to.size.width, kStripSamples / channels);
        const auto stride = static_cast<std::size_t>(columns * channels) + kRowSlack;
        std::vector<double> sums(taps_.size() * kBlockRows * stride);
        std::vector<float> row(stride), own(stride);
        const auto offsets = offset_row(step_, stride);
        const auto computed = computed_channels(step_);

        for (std::int64_t x0 = 0; x0 < to.size.width; x0 += columns) {
            const auto width = std::min(columns, to.size.width - x0), x = covers.x + x0;
            const BlockSource strip(source, reach_, {x, x + width}, {covers.y + y0, covers.y + y1},
                                    context.stop);
            for (auto y = y0; y < y1; y += kBlockRows) {
                for (std::size_t k = 0; k < taps_.size(); ++k)
                    strip.sums(taps_[k], covers.y + y, sums.data() + k * kBlockRows * stride, stride,
                               check_interval_, context.stop);
                for (auto r = y; r < std::min(y + kBlockRows, y1); ++r) {
                    finish(sums.data() + static_cast<std::size_t>(r - y) * stride, kBlockRows * stride,
                           offsets.data(), static_cast<std::size_t>(width * channels), row.data());
                    if (computed != all_channels(step_.in.channels)) {
                        source.read(covers.y + r, x, width, own.data());
                        pass_through(computed, step_.in.channels, own.data(), row.data(), width);
                    }
                    write_row(row.data(), to, r, x0 * channels, width * channels);
                }
            }
        }
    }

    void finish(const double* sums, std::size_t stride, const float* offsets, std::size_t n,
                float* out) const {
        const auto in = [&]<typename Number>(Number) {
            const auto& stage = step_.stages.front();
            std::vector<Number> divisors;
            for (const auto& kernel : stage.kernels) divisors.push_back(static_cast<Number>(kernel.divisor));
            const bool integers = is_integer(step_.out.depth);
            switch (stage.combine) {
            case Combine::single:
                return finish_row<Number, Combine::single>(sums, stride, divisors, offsets, n, integers, out);
            case Combine::l1:
                return finish_row<Number, Combine::l1>(sums, stride, divisors, offsets, n, integers, out);
            case Combine::l2:
                return finish_row<Number, Combine::l2>(sums, stride, divisors, offsets, n, integers, out);
            }
        };
        if (exact_) in(float{});
        else in(double{});
    }

    Reach reach_;
    bool exact_;
    std::vector<BlockTaps> taps_;
    std::size_t check_interval_ = 0; ///< samples between two checks of the stop token
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& r = std::get<ImageStep>(request);
    auto why = why_not_blocks(r, Sums::float64);
    return why.empty() && !has_weights(r.stages.front()) ? kTooManyWeights : why;
}

Cost cost(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    constexpr double kWider = 2; // products take twice the space
    return block_cost(step, {kWider * std::max(listed_products(step.stages.front()), 1.0), 0}, engine);
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    return std::make_shared<Float64Plan>(std::get<ImageStep>(request));
}

} // namespace

extern const Algorithm kFloat64{"float64",
                                "Float64 sums",
                                "Every tap as it is written, in float64, where float32 is too coarse",
                                "the definition (docs/semantics.md 1 and 11)",
                                why_not,
                                cost,
                                plan};

} // namespace kg::cpu
