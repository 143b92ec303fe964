#include "cpu/runtime/block_source.hpp"

#include <algorithm>

namespace kg::cpu {

BlockSource::BlockSource(const SourceRows& source, const Reach& reach, Span columns, Span rows,
                         const std::stop_token& stop, std::int64_t apart)
    : source_(&source), reach_(reach), channels_(source.pixels.format.channels), first_column_(columns.begin),
      top_(rows.begin - reach.up), row_count_(rows.end - rows.begin + reach.up + reach.down) {
    auto inner_begin = std::clamp<std::int64_t>(reach.left, columns.begin, columns.end);
    auto inner_end = std::clamp(source.size.width - reach.right, inner_begin, columns.end);
    const auto depth = source.pixels.format.depth;
    const auto copied_as = depth == Depth::f64 ? Depth::f64 : Depth::f32;
    // Half floats and rows shorter than a vector are not summed directly.
    if (depth == Depth::f16 || (inner_end - inner_begin) * channels_ < static_cast<std::int64_t>(kRowSlack))
        inner_begin = inner_end = columns.end;
    no_row_.resize(
        (static_cast<std::size_t>((columns.end - columns.begin + reach.left + reach.right) * channels_) +
         kRowSlack) *
        bytes(copied_as));
    // From left to right, because stores beyond the last sample of a section belong to the next section.
    if (columns.begin < inner_begin)
        place_copies(sections_.emplace_back(Section{{columns.begin, inner_begin}, copied_as}), stop);
    if (inner_begin < inner_end)
        place_inner(sections_.emplace_back(Section{{inner_begin, inner_end}, depth}));
    if (inner_end < columns.end)
        place_copies(sections_.emplace_back(Section{{inner_end, columns.end}, copied_as}), stop);
    constexpr std::size_t kBeyond = 6; // rows after the last are summed in its block, but not used
    for (auto& section : sections_)
        section.rows.resize(section.rows.size() + kBeyond * static_cast<std::size_t>(apart),
                            section.rows.back());
}

void BlockSource::place_inner(Section& section) const {
    const auto& pixels = source_->pixels;
    const auto pixel = bytes_per_pixel(pixels.format);
    const auto column = static_cast<std::size_t>(section.columns.begin - source_->covers.x) * pixel;
    const auto* none = no_row_.data() + static_cast<std::size_t>(reach_.left) * pixel;
    for (std::size_t i = 0; i < static_cast<std::size_t>(row_count_); ++i) {
        const auto from = image_row(i);
        section.rows.push_back(from < 0 ? none : pixels.row<std::byte>(from - source_->covers.y) + column);
    }
}

void BlockSource::place_copies(Section& section, const std::stop_token& stop) const {
    const auto first = section.columns.begin - reach_.left,
               count = section.columns.end - section.columns.begin + reach_.left + reach_.right;
    const auto sample = bytes(section.depth),
               stride = (static_cast<std::size_t>(count * channels_) + kRowSlack) * sample;
    constexpr auto kNone = ~std::size_t{0};
    const auto reached = border_span(source_->border, {top_, top_ + row_count_}, source_->size.height);
    std::vector<std::size_t> copy(static_cast<std::size_t>(reached.end - reached.begin), kNone);
    std::vector<std::int64_t> copied;
    const auto copy_of = [&](std::int64_t row) -> std::size_t& {
        return copy[static_cast<std::size_t>(row - reached.begin)];
    };
    for (std::size_t i = 0; i < static_cast<std::size_t>(row_count_); ++i)
        if (const auto row = image_row(i); row >= 0 && copy_of(row) == kNone) {
            copy_of(row) = copied.size();
            copied.push_back(row);
        }
    section.copies.resize(copied.size() * stride);
    for (std::size_t c = 0; c < copied.size(); ++c) {
        throw_if_stopped(stop);
        auto* to = section.copies.data() + c * stride;
        if (section.depth == Depth::f64) source_->read_stored(copied[c], first, count, to);
        else source_->read(copied[c], first, count, reinterpret_cast<float*>(to));
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(row_count_); ++i) {
        const auto row = image_row(i);
        const auto* at = row < 0 ? no_row_.data() : section.copies.data() + copy_of(row) * stride;
        section.rows.push_back(at + static_cast<std::size_t>(reach_.left * channels_) * sample);
    }
}

template <typename Sum>
void BlockSource::sums(const BlockTaps& kernel, std::int64_t y, Sum* out, std::size_t stride,
                       std::size_t interval, const std::stop_token& stop) const {
    for (const auto& section : sections_) {
        const auto* rows = section.rows.data() + (y - reach_.up - top_);
        const auto n = static_cast<std::size_t>((section.columns.end - section.columns.begin) * channels_);
        for (std::size_t begin = 0; begin < n; begin += interval) {
            throw_if_stopped(stop);
            block_sums(kernel, rows, section.depth, begin, std::min(n, begin + interval),
                       out + (section.columns.begin - first_column_) * channels_, stride);
        }
    }
}

template void BlockSource::sums(const BlockTaps&, std::int64_t, float*, std::size_t, std::size_t,
                                const std::stop_token&) const;
template void BlockSource::sums(const BlockTaps&, std::int64_t, double*, std::size_t, std::size_t,
                                const std::stop_token&) const;

} // namespace kg::cpu
