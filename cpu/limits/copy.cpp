// The lower bound of filtering: every byte of the input is read once, every byte of the output written once.
//
// There are two algorithms, because neither is always the fastest. `limit:copy` leaves its bytes in the
// caches and is faster for images in cache. `limit:copy_streaming` writes past the caches, which saves
// reading lines that are overwritten entirely, and is faster for images in memory.

#include "cpu/limits.hpp"
#include "cpu/runtime/host_queue.hpp"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/limits/copy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/cache_control.h>

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// `unit` bytes of output at each of `Spread` positions, from as many at each of `Fold` positions.
template <std::size_t Fold, std::size_t Spread, bool Streaming>
void move_units(const std::uint8_t* from, std::uint8_t* to, std::size_t unit) {
    const hn::ScalableTag<std::uint8_t> d;
    const auto N = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + N <= unit; i += N) {
        auto v = hn::LoadU(d, from + i);
        for (std::size_t f = 1; f < Fold; ++f) v = hn::Xor(v, hn::LoadU(d, from + f * unit + i));
        for (std::size_t s = 0; s < Spread; ++s) {
            if constexpr (Streaming) hn::Stream(v, d, to + s * unit + i);
            else hn::StoreU(v, d, to + s * unit + i);
        }
    }
    for (; i < unit; ++i) {
        auto v = from[i];
        for (std::size_t f = 1; f < Fold; ++f) v ^= from[f * unit + i];
        for (std::size_t s = 0; s < Spread; ++s) to[s * unit + i] = v;
    }
}

template <bool Streaming>
void move_row(const std::uint8_t* from, std::uint8_t* to, std::size_t unit, std::size_t fold,
              std::size_t spread) {
    // Sample sizes are 1, 2 and 4 bytes, so one of the two is 1 and the other is 1, 2 or 4.
    if (fold == 4) return move_units<4, 1, Streaming>(from, to, unit);
    if (fold == 2) return move_units<2, 1, Streaming>(from, to, unit);
    if (spread == 4) return move_units<1, 4, Streaming>(from, to, unit);
    if (spread == 2) return move_units<1, 2, Streaming>(from, to, unit);
    move_units<1, 1, Streaming>(from, to, unit);
}

void copy_row(const std::uint8_t* from, std::uint8_t* to, std::size_t unit, std::size_t fold,
              std::size_t spread) {
    if (fold == 1 && spread == 1) std::memcpy(to, from, unit);
    else move_row<false>(from, to, unit, fold, spread);
}

void stream_row(const std::uint8_t* from, std::uint8_t* to, std::size_t unit, std::size_t fold,
                std::size_t spread) {
    const auto N = hn::Lanes(hn::ScalableTag<std::uint8_t>());
    if (spread > 1 && unit % N != 0) return move_row<false>(from, to, unit, fold, spread);
    const auto off = reinterpret_cast<std::uintptr_t>(to) % N;
    if (off == 0) return move_row<true>(from, to, unit, fold, spread);
    if (fold > 1 || spread > 1) return move_row<false>(from, to, unit, fold, spread);
    const auto head = std::min(unit, N - off); // up to the first whole vector
    std::memcpy(to, from, head);
    move_row<true>(from + head, to + head, unit - head, 1, 1);
}

void end_stream() { hwy::FlushStream(); }

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(copy_row);
HWY_EXPORT(stream_row);
HWY_EXPORT(end_stream);

namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 18; // per task of a worker

class CopyPlan final : public Plan {
public:
    explicit CopyPlan(bool streaming) : streaming_(streaming) {}

    Needs needs(const Rect& output) const override { return {output, 0, 1}; }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& host = static_cast<HostQueue&>(queue);
        for (const auto& item : items)
            host.enqueue([&host, src = item.src.crop(item.dst.covers), dst = item.dst,
                          streaming = streaming_](const HostQueue::Context& context) {
                const ConstImageView from = host.image(src);
                const auto to = host.image(dst);
                const auto width = static_cast<std::size_t>(to.size.width);
                const auto in = width * bytes_per_pixel(from.format),
                           out = width * bytes_per_pixel(to.format);
                const auto unit = std::min(in, out);
                const auto row = streaming ? HWY_DYNAMIC_DISPATCH(stream_row)
                                           : HWY_DYNAMIC_DISPATCH(copy_row);
                const auto flush = HWY_DYNAMIC_DISPATCH(end_stream);
                const auto rows = static_cast<std::int64_t>(kChunkBytes / std::max(in, out) + 1);
                parallel_rows(context, to.size.height, rows, [&](std::int64_t y0, std::int64_t y1) {
                    for (auto y = y0; y < y1; ++y)
                        row(from.row<std::uint8_t>(y), to.row<std::uint8_t>(y), unit, in / unit, out / unit);
                    flush(); // another thread may read them next
                });
            });
    }

private:
    bool streaming_;
};

std::string why_not(const PlanStep&, const Engine&) { return {}; }
Cost cost(const PlanStep&, const Engine&) { return {Cost::kOnlyWhenForced}; }

template <bool streaming>
std::shared_ptr<const Plan> plan(const PlanStep&, Engine&, const PlanContext&) {
    return std::make_shared<CopyPlan>(streaming);
}

constexpr Algorithm kCopy{
    "limit:copy", "Copy",  "Reads and writes the bytes of a request and leaves them in the caches",
    "memcpy",     why_not, cost,
    plan<false>},
    kStreaming{"limit:copy_streaming",
               "Streaming copy",
               "Reads the bytes of a request and writes past the caches",
               "non-temporal stores",
               why_not,
               cost,
               plan<true>};

} // namespace

std::span<const Algorithm* const> copies() {
    static constexpr const Algorithm* all[] = {&kCopy, &kStreaming};
    return all;
}

} // namespace kg::cpu
#endif
