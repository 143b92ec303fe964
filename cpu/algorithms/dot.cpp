// Bytes times 16-bit integers, two products per lane: by one instruction with AVX-512 VNNI, by two with AVX2.
//
// 8-bit samples are integers already. The weights are quantised as finely as their sums fit 32 bits, and the
// resulting error is bounded before anything is summed (core/request/integer_weights.hpp). Integer sums do
// not round, so integer weights give the bytes of `direct`, and the order of summation is irrelevant. Weights
// of more than 16 bits have a second digit, which is summed first and shifted; only the taps that have one
// pay for it.
//
// Rows are laid out once as pairs of neighbours in the kernel. The loop is then that of `direct`, with half
// the taps and without widening.

#include "core/request/step.hpp"
#include "cpu/engine.hpp"
#include "cpu/kernels/dot_rows.hpp"
#include "cpu/kernels/rows.hpp"
#include "cpu/runtime/block_source.hpp"
#include "cpu/runtime/chunk_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kg::cpu {

namespace {

constexpr int kMostExtent = 127;          // pairs are kept for all rows that a block reaches
constexpr std::int64_t kChunkRows = 64;   // rows per task of a thread
constexpr std::int64_t kRingPairs = 6144; // kept for a strip: about 24 KiB, half an L1 cache
constexpr std::int64_t kLeastStrip = 384; // samples

/// Columns computed from one ring of pairs: a multiple of whole vectors of samples.
std::int64_t strip_columns(const ImageStep& step) {
    const auto rows = step.stages.front().kernels.front().height + kDotRows - 1;
    const auto columns = std::max(kLeastStrip, kRingPairs / rows) / step.in.channels;
    const auto unit = std::int64_t{kDotSlack} / std::gcd<std::int64_t>(kDotSlack, step.in.channels);
    return columns / unit * unit;
}

class DotPlan final : public ChunkPlan {
public:
    DotPlan(const ImageStep& step, const IntegerWeights& weights)
        : ChunkPlan(step, kChunkRows), kernel_(step.stages.front().kernels.front()),
          reach_(reach(step.stages.front())),
          taps_(dot_taps(weights, kernel_.width, kernel_.height, step.in.channels)),
          divisor_(std::ldexp(kernel_.divisor, weights.shift)) {}

private:
    /// The pairs of the rows that a block reaches, each computed once, from top to bottom.
    class Ring {
    public:
        /// For blocks of `rows` source rows; pairs that begin at `end` or later are not needed.
        Ring(const SourceRows& source, std::size_t rows, std::int64_t end, std::int64_t x,
             std::int64_t pixels)
            : source_(source), end_(end), x_(x), pixels_(pixels),
              samples_(static_cast<std::size_t>(pixels * source.pixels.format.channels)),
              copy_(samples_ + kDotSlack + kMaxChannels) {
            const auto lines = (samples_ + kDotSlack) / std::size(Line{}.pairs) + 1;
            memory_.resize(rows * lines);
            for (std::size_t i = 0; i < rows; ++i) rows_.push_back(memory_[i * lines].pairs);
        }

        /// Advances to the next block, whose topmost source row is y.
        const std::uint32_t* const* block(std::int64_t y) {
            const auto count = static_cast<std::int64_t>(rows_.size());
            auto row = y;
            if (made_) { // all but the last row exist
                std::rotate(rows_.begin(), rows_.begin() + kDotRows, rows_.end());
                row += count - kDotRows;
            }
            made_ = true;
            for (; row < std::min(end_, y + count); ++row)
                pair_samples(stored(row), samples_, source_.pixels.format.channels,
                             rows_[static_cast<std::size_t>(row - y)]);
            return rows_.data();
        }

    private:
        /// The samples of the row: in place if enough samples follow them, otherwise a copy.
        const std::uint8_t* stored(std::int64_t y) {
            const auto& covers = source_.covers;
            const auto from = border_index(source_.border, y, source_.size.height);
            const auto beyond = (covers.right() - x_ - pixels_) * source_.pixels.format.channels;
            if (from >= 0 && x_ >= covers.x && beyond >= static_cast<std::int64_t>(kDotSlack) + kMaxChannels)
                return source_.pixels.row<std::uint8_t>(from - covers.y) +
                       (x_ - covers.x) * source_.pixels.format.channels;
            source_.read_stored(y, x_, pixels_, reinterpret_cast<std::byte*>(copy_.data()));
            return copy_.data();
        }

        const SourceRows& source_;
        std::int64_t end_, x_, pixels_;
        bool made_ = false;
        std::size_t samples_;
        std::vector<std::uint8_t> copy_;
        struct alignas(64) Line {
            std::uint32_t pairs[16];
        };
        std::vector<Line> memory_; ///< reused by the rows in rotation
        std::vector<std::uint32_t*> rows_;
    };

    /// Output rows [y0, y1) of dst, strip by strip.
    void filter_rows(const HostQueue::Context& context, const SourceRows& source, const ImageView& to,
                     const Rect& covers, std::int64_t y0, std::int64_t y1) const override {
        const std::int64_t channels = step_.in.channels, columns = strip_columns(step_);
        DotFinish finish{divisor_};
        const auto offsets = offset_row(
            step_, static_cast<std::size_t>(std::min(columns, to.size.width) * channels) + kDotSlack);
        if (std::ranges::any_of(offsets, [](float v) { return v != 0; })) finish.offsets = offsets.data();
        for (std::int64_t x0 = 0; x0 < to.size.width; x0 += columns) {
            const auto width = std::min(columns, to.size.width - x0);
            Ring ring(source, static_cast<std::size_t>(kernel_.height) + kDotRows - 1,
                      covers.y + y1 + reach_.down, covers.x + x0 - reach_.left,
                      width + reach_.left + reach_.right);
            for (auto y = y0; y < y1; y += kDotRows) {
                throw_if_stopped(context.stop);
                dot_block(taps_, ring.block(covers.y + y - reach_.up),
                          static_cast<std::size_t>(std::min<std::int64_t>(kDotRows, y1 - y)),
                          static_cast<std::size_t>(width * channels), finish,
                          to.row<std::uint8_t>(y) + x0 * channels, to.pitch);
            }
        }
        keep_channels(source, to, covers, y0, y1);
    }

    const Kernel kernel_;
    Reach reach_;
    DotTaps taps_;
    float divisor_;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& r = std::get<ImageStep>(request);
    if (auto why = why_not_one_stage(r); !why.empty()) return why;
    if (!has_dot_products())
        return "it is for processors with AVX-512 VNNI, or with AVX2 and without AVX-512";
    if (r.in.depth != Depth::u8 || r.out.depth != Depth::u8)
        return "it sums bytes, not floats, as linear light, alpha weighting and other depths need";
    const auto& stage = r.stages.front();
    if (stage.combine != Combine::single) return "it does not combine kernels";
    if (!has_weights(stage)) return kTooManyWeights;
    const auto& kernel = stage.kernels.front();
    if (std::max(kernel.width, kernel.height) > kMostExtent)
        return "its kernels have at most 127 x 127 weights";
    return integer_weights(kernel) ? "" : "32 bits are too few for sums of these weights";
}

Cost cost(const PlanStep& request, const Engine& engine) {
    const auto& r = std::get<ImageStep>(request);
    const auto& kernel = r.stages.front().kernels.front();
    const auto& weights = integer_weights(kernel);
    if (!weights) return {Cost::kOnlyWhenForced};
    const double pairs = dot_products(*weights, kernel.width, kernel.height);
    const auto padded = [](double n, double unit) { return std::ceil(n / unit) * unit; };
    const auto width = static_cast<double>(r.size.width), height = static_cast<double>(r.size.height),
               channels = static_cast<double>(r.in.channels);
    const double rows = padded(height, kDotRows), chunks = std::ceil(height / kChunkRows),
                 strips = std::ceil(width / static_cast<double>(strip_columns(r)));
    const double summed = rows * padded(width * channels, kDotSlack) * pairs;
    // Pairs of rows shared by two chunks, and of columns shared by two strips, are computed twice.
    const double beyond_columns = strips * (kernel.width - 1), beyond_rows = chunks * (kernel.height - 1);
    const double laid_out = (height + beyond_rows) * (width + beyond_columns) * channels;
    const double outside = (height + beyond_rows) * (kernel.width - 1);
    // Per core, measured on a 2-core AVX-512 machine; with AVX2 in proportion to the time of `direct`.
    constexpr double kPairsPerUs[] = {28000, 40000}, kSamplesPerUs = 10000, kLaidOutPerUs = 15000;
    const CoreSpeed speed;
    return {(summed / kPairsPerUs[dot_lanes() / 16] + width * height * channels / kSamplesPerUs +
             laid_out / kLaidOutPerUs + outside / speed.places_per_us + bytes_moved(r) / speed.bytes_per_us) /
            threads_of(engine)};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    return std::make_shared<DotPlan>(step, *integer_weights(step.stages.front().kernels.front()));
}

} // namespace

extern const Algorithm kDot{"dot",
                            "Dot",
                            "Bytes times whole numbers, two taps in one instruction",
                            "Intel, Deep Learning Boost: vector neural network instructions (VPDPWSSD)",
                            why_not,
                            cost,
                            plan};

} // namespace kg::cpu
