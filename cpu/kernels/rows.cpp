#include "cpu/kernels/rows.hpp"

#include "core/request/sample.hpp"

#include <algorithm>

namespace kg::cpu {

template <typename Copy, typename Clear>
void SourceRows::for_each_run(std::int64_t y, std::int64_t first, std::int64_t count, Copy copy,
                              Clear clear) const {
    const auto from = border_index(border, y, size.height);
    if (from < 0) return clear(first, count);
    const auto* row = pixels.row<std::byte>(from - covers.y);
    const auto pixel_bytes = static_cast<std::int64_t>(bytes_per_pixel(pixels.format));
    const auto at = [&](std::int64_t pixel) { return row + (pixel - covers.x) * pixel_bytes; };
    const auto inside_begin = std::clamp<std::int64_t>(0, first, first + count),
               inside_end = std::clamp(size.width, first, first + count);
    if (inside_begin < inside_end) copy(inside_begin, at(inside_begin), inside_end - inside_begin);
    const auto outside = [&](std::int64_t begin, std::int64_t end) {
        for (auto x = begin; x < end; ++x) {
            const auto column = border_index(border, x, size.width);
            if (column < 0) clear(x, 1);
            else copy(x, at(column), 1);
        }
    };
    outside(first, std::min<std::int64_t>(first + count, 0));
    outside(std::max(first, size.width), first + count);
}

template <typename Number>
void SourceRows::read(std::int64_t y, std::int64_t first, std::int64_t count, Number* to) const {
    const std::int64_t channels = pixels.format.channels;
    const auto copy = [&](std::int64_t x, const std::byte* from, std::int64_t n) {
        widen(from, pixels.format.depth, static_cast<std::size_t>(n * channels), to + (x - first) * channels);
    };
    for_each_run(y, first, count, copy, [&](std::int64_t x, std::int64_t n) {
        std::fill_n(to + (x - first) * channels, n * channels, Number{0});
    });
}

template void SourceRows::read(std::int64_t, std::int64_t, std::int64_t, float*) const;
template void SourceRows::read(std::int64_t, std::int64_t, std::int64_t, double*) const;

void SourceRows::read_stored(std::int64_t y, std::int64_t first, std::int64_t count, std::byte* to) const {
    const auto pixel = static_cast<std::int64_t>(bytes_per_pixel(pixels.format));
    const auto copy = [&](std::int64_t x, const std::byte* from, std::int64_t n) {
        std::copy_n(from, n * pixel, to + (x - first) * pixel);
    };
    for_each_run(y, first, count, copy, [&](std::int64_t x, std::int64_t n) {
        std::fill_n(to + (x - first) * pixel, n * pixel, std::byte{0});
    });
}

std::vector<float> offset_row(const ImageStep& step, std::size_t samples) {
    std::vector<float> offsets(samples, offset_in(step.stages.front(), step.in));
    if (step.in.alpha >= 0)
        for (auto i = static_cast<std::size_t>(step.in.alpha); i < samples;
             i += static_cast<std::size_t>(step.in.channels))
            offsets[i] = 0.0f;
    return offsets;
}

} // namespace kg::cpu
