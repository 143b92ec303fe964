#include "cpu/kernels/box_rows.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/box_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using U32 = hn::ScalableTag<std::uint32_t>;

template <typename Stored>
void slide_down_samples(const Stored* entering, const Stored* leaving, std::size_t n, std::uint32_t* sums) {
    const U32 d;
    const hn::Rebind<Stored, U32> stored;
    const auto N = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + N <= n; i += N) {
        const auto in = hn::PromoteTo(d, hn::LoadU(stored, entering + i)),
                   out = hn::PromoteTo(d, hn::LoadU(stored, leaving + i));
        hn::StoreU(hn::Add(hn::LoadU(d, sums + i), hn::Sub(in, out)), d, sums + i);
    }
    for (; i < n; ++i)
        sums[i] += static_cast<std::uint32_t>(entering[i]) - static_cast<std::uint32_t>(leaving[i]);
}

void slide_down(const void* entering, const void* leaving, Depth depth, std::size_t n, std::uint32_t* sums) {
    if (depth == Depth::u8)
        slide_down_samples(static_cast<const std::uint8_t*>(entering),
                           static_cast<const std::uint8_t*>(leaving), n, sums);
    else
        slide_down_samples(static_cast<const std::uint16_t*>(entering),
                           static_cast<const std::uint16_t*>(leaving), n, sums);
}

#if HWY_TARGET != HWY_SCALAR
using Four = hn::FixedTag<std::uint32_t, 4>;

/// Pixels that fit a vector of four: one sum of all channels moves from pixel to pixel. With three channels
/// the fourth lane belongs to no pixel; the next store overwrites it.
template <std::size_t Channels>
void slide_along_pixels(const std::uint32_t* columns, std::size_t size, std::size_t pixels,
                        std::uint32_t* out) {
    const Four d;
    auto sum = hn::Zero(d);
    for (std::size_t i = 0; i < size; ++i) sum = hn::Add(sum, hn::LoadU(d, columns + i * Channels));
    for (std::size_t i = 0; i < pixels; ++i, columns += Channels, out += Channels) {
        hn::StoreU(sum, d, out);
        sum = hn::Add(sum, hn::Sub(hn::LoadU(d, columns + size * Channels), hn::LoadU(d, columns)));
    }
}

/// One or two channels: the changes of four samples are summed within the vector, then added to the sum
/// before them.
template <std::size_t Channels>
void slide_along_samples(const std::uint32_t* columns, std::size_t size, std::size_t pixels,
                         std::uint32_t* out) {
    const Four d;
    std::uint32_t first[4] = {};
    for (std::size_t i = 0; i < size * Channels; ++i) first[i % Channels] += columns[i];
    for (std::size_t c = Channels; c < 4; ++c) first[c] = first[c % Channels];
    auto sum = hn::LoadU(d, first); // sum of the pixel before the next vector, in every lane of its channel
    std::copy_n(first, Channels, out);
    for (std::size_t i = Channels; i < pixels * Channels; i += 4) {
        const auto* at = columns + i - Channels;
        auto change = hn::Sub(hn::LoadU(d, at + size * Channels), hn::LoadU(d, at));
        if constexpr (Channels == 1) change = hn::Add(change, hn::ShiftLeftLanes<1>(d, change));
        change = hn::Add(change, hn::ShiftLeftLanes<2>(d, change));
        const auto sums = hn::Add(sum, change);
        hn::StoreU(sums, d, out + i);
        if constexpr (Channels == 1) {
            sum = hn::Broadcast<3>(sums);
        } else {
            const hn::FixedTag<std::uint64_t, 2> pairs;
            const auto last = hn::BitCast(pairs, sums);
            sum = hn::BitCast(d, hn::InterleaveUpper(pairs, last, last));
        }
    }
}
#else
template <std::size_t Channels>
void slide_along_pixels(const std::uint32_t* columns, std::size_t size, std::size_t pixels,
                        std::uint32_t* out) {
    std::uint32_t sum[Channels] = {};
    for (std::size_t i = 0; i < size * Channels; ++i) sum[i % Channels] += columns[i];
    for (std::size_t i = 0; i < pixels * Channels; ++i) {
        out[i] = sum[i % Channels];
        sum[i % Channels] += columns[i + size * Channels] - columns[i];
    }
}
template <std::size_t Channels>
void slide_along_samples(const std::uint32_t* columns, std::size_t size, std::size_t pixels,
                         std::uint32_t* out) {
    slide_along_pixels<Channels>(columns, size, pixels, out);
}
#endif

void slide_along(const std::uint32_t* columns, std::size_t size, int channels, std::size_t pixels,
                 std::uint32_t* out) {
    if (channels == 1) slide_along_samples<1>(columns, size, pixels, out);
    else if (channels == 2) slide_along_samples<2>(columns, size, pixels, out);
    else if (channels == 3) slide_along_pixels<3>(columns, size, pixels, out);
    else slide_along_pixels<4>(columns, size, pixels, out);
}

void divide_exactly(const std::uint32_t* sums, float weight, float divisor, const float* offsets,
                    std::size_t n, float* out) {
    const hn::ScalableTag<float> d;
    const hn::RebindToSigned<decltype(d)> whole;
    const auto weights = hn::Set(d, weight), divisors = hn::Set(d, divisor);
    for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
        const auto sum = hn::ConvertTo(d, hn::BitCast(whole, hn::LoadU(U32(), sums + i)));
        hn::StoreU(hn::Add(hn::Div(hn::Mul(sum, weights), divisors), hn::LoadU(d, offsets + i)), d, out + i);
    }
}

void divide_widely(const std::uint32_t* sums, float weight, float divisor, const float* offsets,
                   std::size_t n, float* out) {
    const hn::ScalableTag<double> d;
    const hn::Rebind<std::int32_t, decltype(d)> whole;
    const hn::Rebind<float, decltype(d)> narrow;
    const auto weights = hn::Set(d, static_cast<double>(weight)),
               divisors = hn::Set(d, static_cast<double>(divisor));
    for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
        const auto sum = hn::PromoteTo(d, hn::LoadU(whole, reinterpret_cast<const std::int32_t*>(sums + i)));
        const auto quotient = hn::DemoteTo(narrow, hn::Div(hn::Mul(sum, weights), divisors));
        hn::StoreU(hn::Add(quotient, hn::LoadU(narrow, offsets + i)), narrow, out + i);
    }
}

void divide_sums(const std::uint32_t* sums, bool exact, float weight, float divisor, const float* offsets,
                 std::size_t n, float* out) {
    static_assert(HWY_MAX_BYTES / sizeof(float) <= kSumSlack);
    (exact ? divide_exactly : divide_widely)(sums, weight, divisor, offsets, n, out);
}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(slide_down);
HWY_EXPORT(slide_along);
HWY_EXPORT(divide_sums);

void slide_down(const void* entering, const void* leaving, Depth depth, std::size_t n, std::uint32_t* sums) {
    HWY_DYNAMIC_DISPATCH(slide_down)(entering, leaving, depth, n, sums);
}
void slide_along(const std::uint32_t* columns, std::size_t size, int channels, std::size_t pixels,
                 std::uint32_t* out) {
    HWY_DYNAMIC_DISPATCH(slide_along)(columns, size, channels, pixels, out);
}
void divide_sums(const std::uint32_t* sums, bool exact, float weight, float divisor, const float* offsets,
                 std::size_t n, float* out) {
    HWY_DYNAMIC_DISPATCH(divide_sums)(sums, exact, weight, divisor, offsets, n, out);
}

} // namespace kg::cpu
#endif
