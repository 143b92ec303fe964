#include "cpu/kernels/line_sums.hpp"

#include "core/support/stop.hpp"
#include "cpu/kernels/lines.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/line_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using F64 = hn::ScalableTag<double>;
using F32 = hn::Rebind<float, F64>;
using Vec = hn::Vec<F64>;

HWY_INLINE Vec wide(const float* at) { return hn::PromoteTo(F64(), hn::LoadU(F32(), at)); }
HWY_INLINE void narrow_to(Vec v, float* at) { hn::StoreU(hn::DemoteTo(F32(), v), F32(), at); }

/// `ends` holds min(size, count) times kLanes numbers.
void window_sums(const float* in, std::int64_t first, std::int64_t count, std::int64_t size, double* ends,
                 float* out, const std::stop_token& stop) {
    const F64 d;
    const auto N = static_cast<std::int64_t>(hn::Lanes(d));
    static_assert(kLanes % (4 * HWY_MAX_BYTES / sizeof(double)) == 0);
    // Four vectors, because an addition has a latency of four cycles.
    for (std::int64_t lane = 0; lane < kLanes; lane += 4 * N) {
        Vec a, b, c, e;
        const auto clear = [&] { a = b = c = e = hn::Zero(d); };
        const auto add = [&](std::int64_t place) {
            const float* from = in + (place - first) * kLanes + lane;
            a = hn::Add(a, wide(from));
            b = hn::Add(b, wide(from + N));
            c = hn::Add(c, wide(from + 2 * N));
            e = hn::Add(e, wide(from + 3 * N));
        };
        for (auto begin = first; begin < first + count;) { // windows that begin in one block
            throw_if_stopped(stop);
            const auto block = begin >= 0 ? begin / size : -((size - 1 - begin) / size);
            const auto block_end = (block + 1) * size, last = std::min(first + count, block_end);
            clear();
            auto place = block_end;
            while (place > last) add(--place);
            while (place > begin) {
                add(--place);
                double* end = ends + (place - begin) * 4 * N;
                hn::StoreU(a, d, end);
                hn::StoreU(b, d, end + N);
                hn::StoreU(c, d, end + 2 * N);
                hn::StoreU(e, d, end + 3 * N);
            }
            clear();
            place = block_end;
            for (auto start = begin; start < last; ++start) {
                while (place < start + size) add(place++);
                const double* end = ends + (start - begin) * 4 * N;
                float* to = out + (start - first) * kLanes + lane;
                narrow_to(hn::Add(hn::LoadU(d, end), a), to);
                narrow_to(hn::Add(hn::LoadU(d, end + N), b), to + N);
                narrow_to(hn::Add(hn::LoadU(d, end + 2 * N), c), to + 2 * N);
                narrow_to(hn::Add(hn::LoadU(d, end + 3 * N), e), to + 3 * N);
            }
            begin = last;
        }
    }
}

/// Position p denotes the window that begins there. Before position 0 the line is taken as zero, so the
/// recursion starts with an empty window and needs no other initial value.
template <int Terms>
void cosine_sums_of(const CosineWindow& window, const float* in, std::int64_t count, std::int64_t begin,
                    std::int64_t end, float* out, double* sums, const std::stop_token& stop) {
    const F64 d;
    const auto N = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t lane = 0; lane < kLanes; lane += N) {
        throw_if_stopped(stop);
        Vec sum = hn::Zero(d), change_before = sum;
        Vec now[Terms + 1], before[Terms + 1], twice_cosine[Terms + 1], edge[Terms + 1];
        for (std::size_t t = 0; t < Terms; ++t) {
            now[t] = before[t] = hn::Zero(d);
            twice_cosine[t] = hn::Set(d, window.terms[t].twice_cosine);
            edge[t] = hn::Set(d, window.terms[t].edge);
        }
        const auto constant = hn::Set(d, window.constant);
        const auto step = [&](Vec change) { // from one window to the next
            sum = hn::Add(sum, change);
            const auto bend = hn::Sub(change, change_before);
            change_before = change;
            for (std::size_t t = 0; t < Terms; ++t) {
                const auto next = hn::MulAdd(twice_cosine[t], now[t], hn::MulSub(edge[t], bend, before[t]));
                before[t] = now[t];
                now[t] = next;
            }
        };
        const float* entering = in + lane;
        for (std::int64_t p = -window.size; p < 0; ++p, entering += kLanes) step(wide(entering));
        const float* leaving = in + lane;
        for (std::int64_t p = 0; p < count; ++p, entering += kLanes, leaving += kLanes) {
            if (p >= begin && p < end) {
                auto value = hn::Mul(constant, sum);
                for (std::size_t t = 0; t < Terms; ++t) value = hn::Add(value, now[t]);
                narrow_to(value, out + (p - begin) * kLanes + lane);
            }
            if (p + 1 < count) step(hn::Sub(wide(entering), wide(leaving)));
        }
        hn::StoreU(sum, d, sums + lane);
    }
}

void cosine_sums(const CosineWindow& window, const float* in, std::int64_t count, std::int64_t begin,
                 std::int64_t end, float* out, double* sums, const std::stop_token& stop) {
    static constexpr decltype(&cosine_sums_of<0>) kByTerms[kMostCosines + 1] = {
        cosine_sums_of<0>, cosine_sums_of<1>, cosine_sums_of<2>, cosine_sums_of<3>, cosine_sums_of<4>,
        cosine_sums_of<5>, cosine_sums_of<6>, cosine_sums_of<7>, cosine_sums_of<8>};
    kByTerms[window.terms.size()](window, in, count, begin, end, out, sums, stop);
}

void add_rows(const float* a, const float* b, std::size_t n, float* out) {
    const hn::ScalableTag<float> d;
    const auto N = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + N <= n; i += N) hn::StoreU(hn::Add(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i);
    for (; i < n; ++i) out[i] = a[i] + b[i];
}

void add_to_both(const float* in, const float* ends, std::size_t n, float* sums, float* out) {
    const hn::ScalableTag<float> d;
    const auto N = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + N <= n; i += N) {
        const auto sum = hn::Add(hn::LoadU(d, sums + i), hn::LoadU(d, in + i));
        hn::StoreU(sum, d, sums + i);
        hn::StoreU(hn::Add(hn::LoadU(d, ends + i), sum), d, out + i);
    }
    for (; i < n; ++i) out[i] = ends[i] + (sums[i] += in[i]);
}

void divide_row(float* row, float weight, float divisor, const float* offsets, std::size_t n) {
    const hn::ScalableTag<float> d;
    const auto N = hn::Lanes(d);
    const auto weights = hn::Set(d, weight), divisors = hn::Set(d, divisor);
    std::size_t i = 0;
    for (; i + N <= n; i += N)
        hn::StoreU(
            hn::Add(hn::Div(hn::Mul(hn::LoadU(d, row + i), weights), divisors), hn::LoadU(d, offsets + i)), d,
            row + i);
    for (; i < n; ++i) row[i] = row[i] * weight / divisor + offsets[i];
}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(window_sums);
HWY_EXPORT(cosine_sums);
HWY_EXPORT(add_rows);
HWY_EXPORT(add_to_both);
HWY_EXPORT(divide_row);

void window_sums(const float* in, std::int64_t first, std::int64_t count, std::int64_t size, float* out,
                 const std::stop_token& stop) {
    std::vector<double> ends(static_cast<std::size_t>(std::min(size, count) * kLanes));
    HWY_DYNAMIC_DISPATCH(window_sums)(in, first, count, size, ends.data(), out, stop);
}

void cosine_sums(const CosineWindow& window, const float* in, std::int64_t count, std::int64_t begin,
                 std::int64_t end, float* out, double* sums, const std::stop_token& stop) {
    HWY_DYNAMIC_DISPATCH(cosine_sums)(window, in, count, begin, end, out, sums, stop);
}

void add_rows(const float* a, const float* b, std::size_t n, float* out) {
    HWY_DYNAMIC_DISPATCH(add_rows)(a, b, n, out);
}

void add_to_both(const float* in, const float* ends, std::size_t n, float* sums, float* out) {
    HWY_DYNAMIC_DISPATCH(add_to_both)(in, ends, n, sums, out);
}

void divide_row(float* row, float weight, float divisor, const float* offsets, std::size_t n) {
    HWY_DYNAMIC_DISPATCH(divide_row)(row, weight, divisor, offsets, n);
}

} // namespace kg::cpu
#endif
