#pragma once
// The rows that every n-th output of every n-th row reaches, laid out so that the samples of a tap are
// adjacent.

#include "cpu/kernels/rows.hpp"
#include "cpu/kernels/sums.hpp"

#include <algorithm>
#include <stop_token>

namespace kg::cpu {

/// The pixels of a row grouped by their column from the first one on, modulo `every`. Each class is a
/// contiguous line.
struct RowClasses {
    std::int64_t every, channels;
    std::int64_t reach; ///< columns to the left and right of an output's own, together
    std::int64_t outputs;

    std::int64_t count() const { return std::min(every, reach + 1); }
    std::int64_t pixels(std::int64_t c) const { return outputs + (reach - c) / every; }
    /// In samples, as are the following members.
    std::int64_t stride() const { return pixels(0) * channels + static_cast<std::int64_t>(kRowSlack); }
    std::int64_t size() const { return count() * stride(); }
    std::int64_t row_pixels() const { return (outputs - 1) * every + reach + 1; }
    /// The position of the first output's sample that lies `column` pixels from the first one reached.
    std::int64_t place(std::int64_t column) const {
        return column % every * stride() + column / every * channels;
    }

    /// Lays out a row of row_pixels() pixels whose samples have `bytes` bytes each.
    void sort(const std::byte* row, std::byte* to, std::size_t bytes) const;
};

/// The layout of the rows of an image, and the memory it takes.
struct RowLayout {
    RowClasses classes;
    Depth depth;       ///< depth of the samples
    std::int64_t span; ///< rows that one output reaches
    std::int64_t up;   ///< rows of them above its own

    /// The rows of one block, plus the rows between if consecutive blocks overlap.
    std::int64_t rows_kept() const;
    std::size_t row_bytes() const;
    std::size_t bytes_kept() const { return static_cast<std::size_t>(rows_kept()) * row_bytes(); }
};

/// The rows that successive blocks of outputs reach. Each row is read once, from top to bottom.
class SampledRows {
public:
    /// Outputs lie in every n-th column from `first_column` of the source on, the leftmost that the first
    /// output reaches. `memory` holds layout.bytes_kept() bytes and belongs to the caller, because fresh
    /// pages would often take longer than the run. Layout and source must outlive this object.
    SampledRows(const RowLayout& layout, std::byte* memory, const SourceRows& source,
                std::int64_t first_column);

    /// Loads the rows that the block of `wanted` outputs reaches, the first of them at row y of the image.
    void go_to(std::int64_t y, std::int64_t wanted, const std::stop_token& stop);

    /// out[r * stride + i] for the rows r of that block and i < count. Checks `stop` after every `interval`
    /// samples.
    void sums(const BlockTaps& kernel, float* out, std::size_t count, std::size_t stride,
              std::size_t interval, const std::stop_token& stop) const;

private:
    const std::byte* row(std::int64_t y, std::int64_t i);
    void read(std::int64_t y, std::byte* to);

    const RowLayout& layout_;
    const SourceRows& source_;
    std::int64_t first_column_;
    std::byte* memory_;
    std::vector<std::int64_t> held_; ///< the image row in each slot of the memory
    std::vector<std::byte> unsorted_;
    std::vector<const std::byte*> rows_; ///< reached by the block
};

} // namespace kg::cpu
