#include "cpu/kernels/sampled_rows.hpp"

#include "cpu/runtime/block_source.hpp"

#include <cstring>
#include <limits>

namespace kg::cpu {

namespace {

constexpr auto kNoRow = std::numeric_limits<std::int64_t>::min();

template <std::size_t Pixel>
void sort_pixels(const RowClasses& classes, const std::byte* row, std::byte* to, std::size_t bytes) {
    const auto line = static_cast<std::size_t>(classes.stride()) * bytes,
               step = static_cast<std::size_t>(classes.every) * Pixel;
    for (std::int64_t c = 0; c < classes.count(); ++c) {
        auto* at = to + static_cast<std::size_t>(c) * line;
        const auto* from = row + static_cast<std::size_t>(c) * Pixel;
        for (auto left = classes.pixels(c); left > 0; --left, from += step, at += Pixel)
            std::memcpy(at, from, Pixel);
    }
}

} // namespace

void RowClasses::sort(const std::byte* row, std::byte* to, std::size_t bytes) const {
    // Constants let the compiler copy a pixel in one or two moves.
    switch (static_cast<std::size_t>(channels) * bytes) {
    case 1: return sort_pixels<1>(*this, row, to, bytes);
    case 2: return sort_pixels<2>(*this, row, to, bytes);
    case 3: return sort_pixels<3>(*this, row, to, bytes);
    case 4: return sort_pixels<4>(*this, row, to, bytes);
    case 6: return sort_pixels<6>(*this, row, to, bytes);
    case 8: return sort_pixels<8>(*this, row, to, bytes);
    case 12: return sort_pixels<12>(*this, row, to, bytes);
    case 16: return sort_pixels<16>(*this, row, to, bytes);
    }
}

std::int64_t RowLayout::rows_kept() const {
    return std::min((kBlockRows - 1) * classes.every + span, kBlockRows * span);
}

std::size_t RowLayout::row_bytes() const {
    constexpr std::size_t kAligned = 64;
    const auto all = (static_cast<std::size_t>(classes.size()) + kRowSlack) * bytes(depth);
    return (all + kAligned - 1) / kAligned * kAligned;
}

SampledRows::SampledRows(const RowLayout& layout, std::byte* memory, const SourceRows& source,
                         std::int64_t first_column)
    : layout_(layout), source_(source), first_column_(first_column), memory_(memory),
      held_(static_cast<std::size_t>(layout.rows_kept()), kNoRow),
      unsorted_(
          (static_cast<std::size_t>(layout.classes.row_pixels() * layout.classes.channels) + kRowSlack) *
          bytes(layout.depth)),
      rows_(static_cast<std::size_t>((kBlockRows - 1) * layout.classes.every + layout.span)) {}

void SampledRows::read(std::int64_t y, std::byte* to) {
    const auto& classes = layout_.classes;
    if (layout_.depth == source_.pixels.format.depth)
        source_.read_stored(y, first_column_, classes.row_pixels(), unsorted_.data());
    else source_.read(y, first_column_, classes.row_pixels(), reinterpret_cast<float*>(unsorted_.data()));
    classes.sort(unsorted_.data(), to, bytes(layout_.depth));
}

/// The row `y`, which is row `i` of a block.
const std::byte* SampledRows::row(std::int64_t y, std::int64_t i) {
    const auto n = static_cast<std::int64_t>(held_.size()), every = layout_.classes.every;
    const bool apart = every >= layout_.span; // no row serves two outputs
    const auto slot = static_cast<std::size_t>(apart ? i / every * layout_.span + i % every
                                                     : ((y % n) + n) % n);
    auto* at = memory_ + slot * layout_.row_bytes();
    if (held_[slot] != y) read(y, at);
    held_[slot] = y;
    return at;
}

void SampledRows::go_to(std::int64_t y, std::int64_t wanted, const std::stop_token& stop) {
    const auto every = layout_.classes.every, top = y - layout_.up;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(rows_.size()); ++i) {
        throw_if_stopped(stop);
        // Rows between distant outputs are reached by none of them. No rows follow the last requested output.
        const bool reached = i - std::min(i / every, wanted - 1) * every < layout_.span;
        rows_[static_cast<std::size_t>(i)] = reached ? row(top + i, i) : rows_[0];
    }
}

void SampledRows::sums(const BlockTaps& kernel, float* out, std::size_t count, std::size_t stride,
                       std::size_t interval, const std::stop_token& stop) const {
    for (std::size_t begin = 0; begin < count; begin += interval) {
        throw_if_stopped(stop);
        block_sums(kernel, rows_.data(), layout_.depth, begin, std::min(count, begin + interval), out,
                   stride);
    }
}

} // namespace kg::cpu
