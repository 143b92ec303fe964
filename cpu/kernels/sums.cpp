#include "cpu/kernels/sums.hpp"

#include "cpu/kernels/unrolled.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/vector_samples.hpp"

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
constexpr std::size_t kLanes = hn::MaxLanes(hn::ScalableTag<float>());

// ---------------------------------------------------------------- blocks of rows

// Sums are float, or double where semantics 11 requires it, with half as many per vector.
template <typename Sum>
constexpr std::size_t kSumLanes = hn::MaxLanes(hn::ScalableTag<Sum>());
template <typename Sum>
using Vec = hn::Vec<hn::ScalableTag<Sum>>;

// As many sums at once as the registers hold: 16 of 32 with AVX-512, otherwise 8 of 16.
constexpr std::size_t kWide = kLanes >= 16 ? 4 : 2;
template <typename Sum>
constexpr std::size_t kStep = kWide* kSumLanes<Sum>;
static_assert(kStep<float> <= kRowSlack && kBlockRows == 4);

template <typename Sum>
struct Block {
    Vec<Sum> v[kBlockRows][kWide];
};

template <int First, int Last, typename Sample, typename Sum>
HWY_INLINE void add_run(const BlockTaps::Tap* tap, const BlockTaps::Tap* end, const Sample* at,
                        Block<Sum>& sum) {
    const hn::ScalableTag<Sum> d;
    for (; tap != end; ++tap) {
        Vec<Sum> x[kWide];
        KG_UNROLLED
        for (std::size_t v = 0; v < kWide; ++v) x[v] = load_samples(d, at + tap->offset + v * kSumLanes<Sum>);
        KG_UNROLLED
        for (int r = First; r <= Last; ++r) {
            const auto weight = hn::Set(d, static_cast<Sum>(tap->weights[r]));
            KG_UNROLLED
            for (std::size_t v = 0; v < kWide; ++v) sum.v[r][v] = hn::MulAdd(weight, x[v], sum.v[r][v]);
        }
    }
}

template <typename Sum>
HWY_INLINE Block<Sum> zero_block() {
    Block<Sum> b;
    KG_UNROLLED
    for (auto& row : b.v) KG_UNROLLED
    for (auto& v : row) v = hn::Zero(hn::ScalableTag<Sum>());
    return b;
}

/// The sums of one block, kStep samples wide.
template <bool ByRows, typename Sample, typename Sum>
HWY_INLINE void sum_block(const BlockTaps& kernel, const std::byte* const* rows, std::size_t i, Sum* out,
                          std::size_t stride) {
    const hn::ScalableTag<Sum> d;
    Block<Sum> sum = zero_block<Sum>();
    [[maybe_unused]] Block<Sum> total = sum;
    const auto* taps = kernel.taps.data();
    for (const auto& run : kernel.runs) {
        const auto* at = reinterpret_cast<const Sample*>(rows[run.source_row]) + i;
        const auto *tap = taps + run.begin, *end = taps + run.end;
        switch (run.first * kBlockRows + run.last) {
        case 0: add_run<0, 0>(tap, end, at, sum); break;
        case 1: add_run<0, 1>(tap, end, at, sum); break;
        case 2: add_run<0, 2>(tap, end, at, sum); break;
        case 3: add_run<0, 3>(tap, end, at, sum); break;
        case 5: add_run<1, 1>(tap, end, at, sum); break;
        case 6: add_run<1, 2>(tap, end, at, sum); break;
        case 7: add_run<1, 3>(tap, end, at, sum); break;
        case 10: add_run<2, 2>(tap, end, at, sum); break;
        case 11: add_run<2, 3>(tap, end, at, sum); break;
        case 15: add_run<3, 3>(tap, end, at, sum); break;
        }
        if constexpr (ByRows) {
            if (&run == &kernel.runs.back() || (&run + 1)->source_row != run.source_row) {
                KG_UNROLLED
                for (int r = 0; r < kBlockRows; ++r) KG_UNROLLED
                for (std::size_t v = 0; v < kWide; ++v) {
                    total.v[r][v] = hn::Add(total.v[r][v], sum.v[r][v]);
                    sum.v[r][v] = hn::Zero(d);
                }
            }
        }
    }
    const Block<Sum>& result = ByRows ? total : sum;
    KG_UNROLLED
    for (int r = 0; r < kBlockRows; ++r) KG_UNROLLED
    for (std::size_t v = 0; v < kWide; ++v)
        hn::StoreU(result.v[r][v], d, out + static_cast<std::size_t>(r) * stride + i + v * kSumLanes<Sum>);
}

template <typename Sample, typename Sum>
void sum_blocks(const BlockTaps& kernel, const std::byte* const* rows, std::size_t begin, std::size_t end,
                Sum* out, std::size_t stride) {
    const auto sum = [&](std::size_t i) HWY_ATTR {
        if (kernel.by_rows) sum_block<true, Sample>(kernel, rows, i, out, stride);
        else sum_block<false, Sample>(kernel, rows, i, out, stride);
    };
    auto i = begin;
    for (; i + kStep<Sum> <= end; i += kStep<Sum>) sum(i);
    if (i >= end) return;
    // Recomputes a few samples instead of reading beyond the last.
    if (end >= kStep<Sum>) sum(end - kStep<Sum>);
    else sum(0);
}

template <typename Sum>
void sums_of_depth(const BlockTaps& kernel, const std::byte* const* rows, Depth depth, std::size_t begin,
                   std::size_t end, Sum* out, std::size_t stride) {
    switch (depth) {
    case Depth::u8: return sum_blocks<std::uint8_t>(kernel, rows, begin, end, out, stride);
    case Depth::u16: return sum_blocks<std::uint16_t>(kernel, rows, begin, end, out, stride);
    case Depth::f16: return; // unreachable: half floats are widened first
    case Depth::f32: return sum_blocks<float>(kernel, rows, begin, end, out, stride);
    case Depth::f64:
        if constexpr (std::is_same_v<Sum, double>) sum_blocks<double>(kernel, rows, begin, end, out, stride);
        return;
    }
}

void float32_block_sums(const BlockTaps& kernel, const std::byte* const* rows, Depth depth, std::size_t begin,
                        std::size_t end, float* out, std::size_t stride) {
    sums_of_depth(kernel, rows, depth, begin, end, out, stride);
}
void float64_block_sums(const BlockTaps& kernel, const std::byte* const* rows, Depth depth, std::size_t begin,
                        std::size_t end, double* out, std::size_t stride) {
    sums_of_depth(kernel, rows, depth, begin, end, out, stride);
}

// ---------------------------------------------------------------- along a row, and to the output

// An FMA has a latency of four cycles and two may issue per cycle, so eight sums are in flight (four where a
// vector fills both ports).
constexpr std::size_t kLine = kLanes >= 16 ? 4 : 8;

/// The result of one operation (Finish::rounds_to_float32). Rounding to double before does not change it:
/// quotients, products, sums and roots of floats are far enough from halves (Figueroa, When is Double
/// Rounding Innocuous?, 1995).
HWY_INLINE Vec<float> rounded(const Finish&, Vec<float> v) { return v; }
HWY_INLINE Vec<double> rounded(const Finish& finish, Vec<double> v) {
    const hn::ScalableTag<double> d;
    return finish.rounds_to_float32 ? hn::PromoteTo(d, hn::DemoteTo(hn::Rebind<float, decltype(d)>(), v)) : v;
}

template <typename Sum>
HWY_INLINE void line_quotients(const Finish& finish, std::size_t k, const Sum* line, Vec<Sum> (&sum)[kLine]) {
    const hn::ScalableTag<Sum> d;
    const auto& kernel = finish.kernels[k];
    KG_UNROLLED
    for (auto& s : sum) s = hn::Zero(d);
    for (const auto& tap : kernel.taps) {
        const auto weight = hn::Set(d, Sum{tap.weight});
        KG_UNROLLED
        for (std::size_t v = 0; v < kLine; ++v)
            sum[v] = hn::MulAdd(weight, hn::LoadU(d, line + tap.offset + v * kSumLanes<Sum>), sum[v]);
    }
    if (kernel.divisor == 1.0f) return;
    const auto divisor = hn::Set(d, Sum{kernel.divisor});
    KG_UNROLLED
    for (auto& s : sum) s = rounded(finish, hn::Div(s, divisor));
}

/// Vector v of the sum of the squares of all kernels' quotients times kSmallerSquares.
template <typename Sum>
HWY_INLINE Vec<Sum> smaller_squares(const Finish& finish, const Sum* const* lines, std::size_t i,
                                    std::size_t v) {
    const hn::ScalableTag<Sum> d;
    auto sum = hn::Zero(d);
    for (std::size_t k = 0; k < finish.kernels.size(); ++k) {
        Vec<Sum> quotients[kLine];
        line_quotients(finish, k, lines[k] + i, quotients);
        const auto small = hn::Mul(quotients[v], hn::Set(d, Sum{kSmallerSquares}));
        sum = rounded(finish, hn::Add(sum, rounded(finish, hn::Mul(small, small))));
    }
    return sum;
}

template <Combine How, typename Sum>
HWY_INLINE void finished_values(const Finish& finish, const Sum* const* lines, std::size_t i,
                                Vec<Sum> (&value)[kLine]) {
    const auto magnitude = [&](auto v) HWY_ATTR {
        return How == Combine::l1 ? hn::Abs(v) : rounded(finish, hn::Mul(v, v));
    };
    line_quotients(finish, 0, lines[0] + i, value);
    if constexpr (How != Combine::single) {
        KG_UNROLLED
        for (auto& v : value) v = magnitude(v);
        for (std::size_t k = 1; k < finish.kernels.size(); ++k) {
            Vec<Sum> next[kLine];
            line_quotients(finish, k, lines[k] + i, next);
            KG_UNROLLED
            for (std::size_t v = 0; v < kLine; ++v)
                value[v] = rounded(finish, hn::Add(value[v], magnitude(next[v])));
        }
        if (How == Combine::l2) KG_UNROLLED
        for (std::size_t v = 0; v < kLine; ++v)
            value[v] = rounded(finish, root_of_squares(value[v], [&]() HWY_ATTR {
                                   return smaller_squares(finish, lines, i, v);
                               }));
    }
    if (finish.offsets.empty()) return;
    KG_UNROLLED
    for (std::size_t v = 0; v < kLine; ++v) {
        const auto offset = load_samples(hn::ScalableTag<Sum>(),
                                         finish.offsets.data() + i + v * kSumLanes<Sum>);
        value[v] = rounded(finish, hn::Add(value[v], offset));
    }
}

template <typename Stored>
HWY_INLINE void store_values(Vec<float> value, Stored* to) {
    store_samples(value, to);
}
template <typename Stored>
HWY_INLINE void store_values(Vec<double> value, Stored* to) {
    store_doubles(value, to);
}

template <Combine How, typename Sum, typename Stored>
void finish_samples(const Finish& finish, const Sum* const* lines, std::size_t begin, std::size_t end,
                    Stored* to) {
    constexpr std::size_t kLineStep = kLine * kSumLanes<Sum>;
    static_assert(kLineStep <= kRowSlack);
    Vec<Sum> value[kLine];
    auto i = begin;
    for (; i + kLineStep <= end; i += kLineStep) {
        finished_values<How>(finish, lines, i, value);
        KG_UNROLLED
        for (std::size_t v = 0; v < kLine; ++v) store_values(value[v], to + i + v * kSumLanes<Sum>);
    }
    if (i >= end) return;
    Stored rest[kLineStep];
    finished_values<How>(finish, lines, i, value);
    KG_UNROLLED
    for (std::size_t v = 0; v < kLine; ++v) store_values(value[v], rest + v * kSumLanes<Sum>);
    std::copy_n(rest, end - i, to + i);
}

template <typename Sum>
void finish_to_depth(const Finish& finish, const Sum* const* lines, std::size_t begin, std::size_t end,
                     Depth depth, void* to) {
    const auto all = [&]<typename Stored>(Stored* at) HWY_ATTR {
        switch (finish.combine) {
        case Combine::single: return finish_samples<Combine::single>(finish, lines, begin, end, at);
        case Combine::l1: return finish_samples<Combine::l1>(finish, lines, begin, end, at);
        case Combine::l2: return finish_samples<Combine::l2>(finish, lines, begin, end, at);
        }
    };
    switch (depth) {
    case Depth::u8: return all(static_cast<std::uint8_t*>(to));
    case Depth::u16: return all(static_cast<std::uint16_t*>(to));
    case Depth::f16: return; // unreachable: half floats are narrowed afterwards
    case Depth::f32: return all(static_cast<float*>(to));
    case Depth::f64:
        if constexpr (std::is_same_v<Sum, double>) all(static_cast<double*>(to));
        return;
    }
}

void float32_finish_row(const Finish& finish, const float* const* lines, std::size_t begin, std::size_t end,
                        Depth depth, void* to) {
    finish_to_depth(finish, lines, begin, end, depth, to);
}
void float64_finish_row(const Finish& finish, const double* const* lines, std::size_t begin, std::size_t end,
                        Depth depth, void* to) {
    finish_to_depth(finish, lines, begin, end, depth, to);
}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(float32_block_sums);
HWY_EXPORT(float64_block_sums);
HWY_EXPORT(float32_finish_row);
HWY_EXPORT(float64_finish_row);

void block_sums(const BlockTaps& kernel, const std::byte* const* rows, Depth depth, std::size_t begin,
                std::size_t end, float* out, std::size_t stride) {
    HWY_DYNAMIC_DISPATCH(float32_block_sums)(kernel, rows, depth, begin, end, out, stride);
}
void block_sums(const BlockTaps& kernel, const std::byte* const* rows, Depth depth, std::size_t begin,
                std::size_t end, double* out, std::size_t stride) {
    HWY_DYNAMIC_DISPATCH(float64_block_sums)(kernel, rows, depth, begin, end, out, stride);
}
void finish_row(const Finish& finish, const float* const* lines, std::size_t begin, std::size_t end,
                Depth depth, void* to) {
    HWY_DYNAMIC_DISPATCH(float32_finish_row)(finish, lines, begin, end, depth, to);
}
void finish_row(const Finish& finish, const double* const* lines, std::size_t begin, std::size_t end,
                Depth depth, void* to) {
    HWY_DYNAMIC_DISPATCH(float64_finish_row)(finish, lines, begin, end, depth, to);
}

BlockTaps block_taps(const Taps& kernel, int up, int channels, bool by_rows) {
    return spaced_taps(
        kernel, up, 1, [&](int j) { return std::int64_t{j - kernel.anchor_x} * channels; }, by_rows);
}

BlockTaps spaced_taps(const Taps& kernel, int up, std::int64_t apart,
                      const std::function<std::int64_t(int)>& place, bool by_rows) {
    BlockTaps block;
    block.by_rows = by_rows;
    // The kernel's first row, relative to the stage's.
    const int top = up - kernel.anchor_y, rows_apart = static_cast<int>(apart);
    std::vector<std::ptrdiff_t> places;
    for (int j = 0; j < kernel.width; ++j) places.push_back(static_cast<std::ptrdiff_t>(place(j)));
    const auto present = [&](int source_row, int r, int column) {
        const int row = source_row - top - r * rows_apart;
        return row >= 0 && row < kernel.height && kernel.at(row, column) != 0.0f;
    };
    for (int s = top; s < top + kernel.height + (kBlockRows - 1) * rows_apart; ++s) {
        // Distant blocks leave rows between them that no output reaches.
        if ((s - top) % rows_apart >= kernel.height) continue;
        for (int j = 0; j < kernel.width; ++j)
            for (int first = 0; first < kBlockRows; ++first) {
                if (!present(s, first, j)) continue;
                BlockTaps::Tap tap{places[static_cast<std::size_t>(j)], {}};
                int last = first;
                for (; last < kBlockRows && present(s, last, j); ++last)
                    tap.weights[last] = kernel.at(s - top - last * rows_apart, j);
                const BlockTaps::Run run{s, first, last - 1, block.taps.size(), block.taps.size() + 1};
                block.taps.push_back(tap);
                const bool same = !block.runs.empty() && block.runs.back().source_row == s &&
                                  block.runs.back().first == run.first && block.runs.back().last == run.last;
                if (same) block.runs.back().end = run.end;
                else block.runs.push_back(run);
                first = last; // the row after the last has no tap here
            }
    }
    return block;
}

} // namespace kg::cpu
#endif
