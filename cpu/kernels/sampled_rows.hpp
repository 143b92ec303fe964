#pragma once
// The rows that every n-th output of every n-th row reaches, laid out so that a tap's samples are neighbours again.

#include "cpu/kernels/rows.hpp"
#include "cpu/kernels/sums.hpp"

#include <algorithm>
#include <stop_token>

namespace kg::cpu {

/// A row's pixels sorted by their place from the first one on, modulo `every`: those of one class are a line.
struct RowClasses {
    std::int64_t every, channels;
    std::int64_t reach; ///< columns to the left and right of an output's own, together
    std::int64_t outputs;

    std::int64_t count() const { return std::min(every, reach + 1); }
    std::int64_t pixels(std::int64_t c) const { return outputs + (reach - c) / every; }
    /// In samples, as the following.
    std::int64_t stride() const { return pixels(0) * channels + static_cast<std::int64_t>(kRowSlack); }
    std::int64_t size() const { return count() * stride(); }
    std::int64_t row_pixels() const { return (outputs - 1) * every + reach + 1; }
    /// Of the first output's sample that lies `column` pixels from the first one reached.
    std::int64_t place(std::int64_t column) const {
        return column % every * stride() + column / every * channels;
    }

    /// Lays out a row of row_pixels() pixels, whose samples have `bytes` each.
    void sort(const std::byte* row, std::byte* to, std::size_t bytes) const;
};

/// How the rows of a picture are laid out, and what memory that takes.
struct RowLayout {
    RowClasses classes;
    Depth depth;       ///< of the samples
    std::int64_t span; ///< rows that one output reaches,
    std::int64_t up;   ///< and those of them above its own

    /// Those of a block are kept, and where the next block reaches some of them those in between.
    std::int64_t rows_kept() const;
    std::size_t row_bytes() const;
    std::size_t bytes_kept() const { return static_cast<std::size_t>(rows_kept()) * row_bytes(); }
};

/// The rows that one block of outputs after the other reaches, each of them read once on the way down.
class SampledRows {
public:
    /// Outputs lie every n-th row from `first_column` of the source on, the leftmost that the first of them reaches. `memory`:
    /// layout.bytes_kept(), of whoever runs the plan, because fresh pages for every run would take longer than many a run.
    /// Layout and source must outlive it.
    SampledRows(const RowLayout& layout, std::byte* memory, const SourceRows& source,
                std::int64_t first_column);

    /// Places the rows that the block of `wanted` outputs reaches, the first of them at row y of the picture.
    void go_to(std::int64_t y, std::int64_t wanted, const std::stop_token& stop);

    /// out[r * stride + i] for the rows r of that block and i < count. Looks at `stop` after every `piece` samples.
    void sums(const BlockTaps& kernel, float* out, std::size_t count, std::size_t stride, std::size_t piece,
              const std::stop_token& stop) const;

private:
    const std::byte* row(std::int64_t y, std::int64_t i);
    void read(std::int64_t y, std::byte* to);

    const RowLayout& layout_;
    const SourceRows& source_;
    std::int64_t first_column_;
    std::byte* memory_;
    std::vector<std::int64_t> held_; ///< which row of the picture lies in each slot of the memory
    std::vector<std::byte> unsorted_;
    std::vector<const std::byte*> rows_; ///< that the block reaches
};

} // namespace kg::cpu
