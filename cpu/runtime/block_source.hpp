#pragma once
// The rows that block sums are made of: the picture's own where all taps lie in it, copies that the border has extended
// elsewhere. A row of the picture is copied once, however often the border repeats it, so that a kernel much larger than
// the picture takes no more memory than the picture.

#include "core/support/stop.hpp"
#include "cpu/kernels/rows.hpp"
#include "cpu/kernels/sums.hpp"

#include <stop_token>

namespace kg::cpu {

class BlockSource {
public:
    /// For sums at `columns` x `rows`, places of the picture, that reach so far from there; the rows of a block may lie `apart`.
    /// `source` must outlive it.
    BlockSource(const SourceRows& source, const Reach& reach, Span columns, Span rows,
                const std::stop_token& stop, std::int64_t apart = 1);
    BlockSource(BlockSource&&) = default; // a copy would point into what it was copied from
    BlockSource& operator=(BlockSource&&) = delete;

    /// A stretch of the columns, and where each source row has the first of them.
    struct Part {
        Span columns;
        Depth depth = Depth::f32;
        std::vector<const std::byte*>
            rows{}; ///< from the topmost that the first output row reaches; 6 * apart more than needed
        std::vector<float> copies{};
    };
    /// From left to right.
    const std::vector<Part>& parts() const { return parts_; }

    /// out[r * stride + i] for the kBlockRows rows from y on (beyond rows.end they are of no use) and all samples i of the
    /// columns; writes up to kRowSlack floats more. Looks at `stop` after every `piece` samples, a multiple of kRowSlack.
    template <typename Sum> // float or double
    void sums(const BlockTaps& kernel, std::int64_t y, Sum* out, std::size_t stride, std::size_t piece,
              const std::stop_token& stop) const;

private:
    void place_inner(Part& part) const;
    void place_copies(Part& part, const std::stop_token& stop) const;
    std::int64_t picture_row(std::size_t i) const {
        return border_index(source_->border, top_ + static_cast<std::int64_t>(i), source_->size.height);
    }

    const SourceRows* source_;
    Reach reach_;
    std::int64_t channels_, first_column_, top_, row_count_;
    std::vector<Part> parts_;
    std::vector<std::byte> no_row_; ///< zeros in any depth
};

} // namespace kg::cpu
