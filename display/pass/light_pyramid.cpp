#include "display/pass/light_pyramid.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace kg::display {

namespace {

constexpr float kMostLight = 65504;     ///< the largest half float
constexpr std::int64_t kRowsAtOnce = 8; ///< rows of one task

template <typename Body>
void for_rows(std::int64_t rows, const Body& body) {
    tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, rows, kRowsAtOnce), [&](const auto& range) {
        for (auto y = range.begin(); y != range.end(); ++y) body(y);
    });
}

void halve(const HostTexels& texels, LightPyramid::Level& level) {
    const auto size = texels.size();
    level.resize({(size.width + 1) / 2, (size.height + 1) / 2});
    for_rows(level.size.height, [&](std::int64_t y) {
        const auto top = 2 * y, bottom = std::min(top + 1, size.height - 1);
        auto* row = level.row(y);
        for (std::int64_t x = 0; x < level.size.width; ++x) {
            const auto left = 2 * x, right = std::min(left + 1, size.width - 1);
            const auto sum = texels.light(left, top) + texels.light(right, top) + texels.light(left, bottom) +
                             texels.light(right, bottom);
            row[x] = limited(sum * 0.25f, kMostLight);
        }
    });
}

/// The same of opaque bytes, which are most images.
void halve_bytes(const HostTexels& texels, LightPyramid::Level& level) {
    const auto size = texels.size();
    level.resize({(size.width + 1) / 2, (size.height + 1) / 2});
    const auto& light = ByteColours::light();
    for_rows(level.size.height, [&](std::int64_t y) {
        const auto *top = texels.bytes(2 * y), *bottom = texels.bytes(std::min(2 * y + 1, size.height - 1));
        auto* row = level.row(y);
        const auto average = [&](std::int64_t left, std::int64_t right) {
            const auto sum = light(top + left) + light(top + right) + light(bottom + left) +
                             light(bottom + right);
            return sum * 0.25f;
        };
        const auto pairs = size.width / 2;
        for (std::int64_t x = 0; x < pairs; ++x) row[x] = average(8 * x, 8 * x + 4);
        if (pairs < level.size.width) row[pairs] = average(8 * pairs, 8 * pairs);
    });
}

/// As mipmaps are made: each texel is the sample at its centre, from the four around it.
void halve(const LightPyramid::Level& level, LightPyramid::Level& half) {
    half.resize(
        {std::max<std::int64_t>(level.size.width / 2, 1), std::max<std::int64_t>(level.size.height / 2, 1)});
    const auto around = [](std::int64_t at, std::int64_t count, std::int64_t size) {
        return Between::of((static_cast<double>(at) + 0.5) / static_cast<double>(count), size);
    };
    std::vector<Between> columns;
    for (std::int64_t x = 0; x < half.size.width; ++x)
        columns.push_back(around(x, half.size.width, level.size.width));
    for_rows(half.size.height, [&](std::int64_t y) {
        const auto rows = around(y, half.size.height, level.size.height);
        const auto *top = level.row(rows.first), *bottom = level.row(rows.second);
        auto* to = half.row(y);
        for (const auto& column : columns)
            *to++ = mixed(mixed(top[column.first], top[column.second], column.share),
                          mixed(bottom[column.first], bottom[column.second], column.share), rows.share);
    });
}

} // namespace

Between Between::of(double place, std::int64_t size) {
    const double at = place * static_cast<double>(size) - 0.5, whole = std::floor(at);
    const auto texel = [last = static_cast<double>(size - 1)](double v) {
        return static_cast<std::int32_t>(std::clamp(v, 0.0, last));
    };
    return {texel(whole), texel(whole + 1), static_cast<float>(at - whole)};
}

void LightPyramid::Level::resize(Extent to) {
    size = to;
    texels.resize(static_cast<std::size_t>(to.width * to.height));
}

void LightPyramid::refresh(const HostTexels& texels, bool changed, int last) {
    if (changed) count_ = 0;
    while (static_cast<int>(count_) <= last) {
        if (count_ > 0 && levels_[count_ - 1].size == Extent{1, 1}) return;
        if (count_ == levels_.size()) levels_.emplace_back();
        auto& level = levels_[count_];
        if (count_ > 0) halve(levels_[count_ - 1], level);
        else if (texels.are_opaque_bytes()) halve_bytes(texels, level);
        else halve(texels, level);
        ++count_;
    }
}

} // namespace kg::display
