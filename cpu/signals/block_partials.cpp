// Full convolution by blocks: a block of 32 samples and a block of 32 taps give a tile of products with 64
// skewed rows of 32 columns. Row s holds the products of samples i and taps s - i, so the sum of a row is one
// partial result; the last row is empty and only aligns. The first 32 partials of the tile (a, b) belong to
// the outputs of block a + b, the last 32 to those of block a + b + 1. Merging adds, for each block of
// outputs, the partials of all its tiles.
//
// Every tile is independent, which suits many threads; a thread here computes the halves of the tiles that
// its block of outputs needs. Blocks at the ends are as short as the lengths ask for. Modes, borders and
// strides are those of the full convolution of the extended signal, of which some outputs are kept; dilated
// taps have zeros between them.

#include "cpu/runtime/signal_plan.hpp"

#include <array>

namespace kg::cpu::signals {

namespace {

constexpr std::int64_t kBlock = 32;
constexpr std::int64_t kMostTaps = std::int64_t{1} << 22; // with the zeros of the dilation

template <typename T>
using Block = std::array<T, kBlock>;

/// Outputs per block: the convolution has 32, of which each `stride`th is kept.
std::int64_t outputs_per_block(const SignalRequest& request) {
    return std::max<std::int64_t>(1, kBlock / request.stride);
}

template <typename T>
class BlockPartialsPlan final : public SignalPlan<T> {
public:
    explicit BlockPartialsPlan(const SignalRequest& request)
        : SignalPlan<T>(request, outputs_per_block(request), true) {
        // A correlation is the convolution with reversed taps.
        const auto span = tap_span(request);
        blocks_.resize(static_cast<std::size_t>((span + kBlock - 1) / kBlock));
        for (const auto& tap : this->taps_) {
            const auto place = span - 1 - tap.place;
            blocks_[static_cast<std::size_t>(place / kBlock)][static_cast<std::size_t>(place % kBlock)] =
                tap.weight;
        }
    }

private:
    void compute(const SignalLine<T>& line, Span outputs, T* out) const override {
        // In the convolution of the extended signal, output k reads the samples k - span + 1 to k.
        const auto block = this->chunks_around(outputs);
        const auto stride = this->request_.stride, span = tap_span(this->request_);
        const auto begin = this->first_ + span - 1 + block.begin * stride;
        const auto end = begin + (block.end - block.begin - 1) * stride + 1;
        const auto sums = merged(line, begin, {begin - span + 1, end});
        for (auto i = outputs.begin; i < outputs.end; ++i)
            out[i - outputs.begin] = sums[static_cast<std::size_t>((i - block.begin) * stride)];
    }

    /// Outputs `begin` to begin + 31 of the convolution, correct where they need no samples but `read`.
    Block<T> merged(const SignalLine<T>& line, std::int64_t begin, Span read) const {
        auto samples = loaded(line, begin, read);
        Block<T> sums{};
        for (const auto& taps : blocks_) {
            begin -= kBlock;
            const auto before = loaded(line, begin, read);
            add_first_half(samples, taps, sums);
            add_last_half(before, taps, sums);
            samples = before;
        }
        return sums;
    }

    /// A block of samples, zeros where they are not read.
    static Block<T> loaded(const SignalLine<T>& line, std::int64_t first, Span read) {
        Block<T> block{};
        const auto begin = std::max(first, read.begin), end = std::min(first + kBlock, read.end);
        if (begin < end) line.load(begin, end - begin, 1, block.data() + (begin - first));
        return block;
    }

    /// Rows 0 to 31 of the tile.
    static void add_first_half(const Block<T>& samples, const Block<T>& taps, Block<T>& sums) {
        for (std::size_t row = 0; row < kBlock; ++row) {
            T partial = 0;
            for (std::size_t i = 0; i <= row; ++i) partial = product(partial, samples[i], taps[row - i]);
            sums[row] = add_wrapped(sums[row], partial);
        }
    }

    /// Rows 32 to 63, of which the last is empty.
    static void add_last_half(const Block<T>& samples, const Block<T>& taps, Block<T>& sums) {
        for (std::size_t row = 0; row < kBlock; ++row) {
            T partial = 0;
            for (std::size_t i = row + 1; i < kBlock; ++i)
                partial = product(partial, samples[i], taps[kBlock + row - i]);
            sums[row] = add_wrapped(sums[row], partial);
        }
    }

    /// A zero is no tap: what lies under it may be infinite.
    static T product(T sum, T sample, T tap) { return tap == 0 ? sum : add_product(sum, sample, tap); }

    std::vector<Block<T>> blocks_; ///< the taps of the convolution
};

std::string why_not(const PlanStep& step, const Engine&) {
    return tap_span(std::get<SignalRequest>(step)) > kMostTaps
               ? "the taps, with the zeros of their dilation, are more than 2^22"
               : "";
}

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<SignalRequest>(step);
    constexpr double kProductsPerUs = 700;
    const auto across = (output_count(request) - 1) * std::min(request.stride, kBlock) / kBlock + 1,
               down = (tap_span(request) - 1) / kBlock + 1;
    const double tiles = static_cast<double>(across) * static_cast<double>(down);
    return {tiles * static_cast<double>(request.signals * kBlock * kBlock) / kProductsPerUs /
            threads_of(engine)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine&, const PlanContext&) {
    return make_signal_plan<BlockPartialsPlan>(step);
}

} // namespace

extern const Algorithm kBlockPartials{"block_partials",
                                      "Block partials",
                                      "Tiles of 32 samples and 32 taps, whose partial sums are merged",
                                      "full convolution by 32 x 32 blocks (docs/seeds.md 2 and 3)",
                                      why_not,
                                      cost,
                                      plan};

} // namespace kg::cpu::signals
