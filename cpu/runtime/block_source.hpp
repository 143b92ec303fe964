#pragma once
// The source rows of block sums: the image's own rows where all taps lie in it, and elsewhere copies extended
// by the border. A row of the image is copied once, however often the border repeats it, so a kernel much
// larger than the image needs no more memory than the image.

#include "core/support/stop.hpp"
#include "cpu/kernels/rows.hpp"
#include "cpu/kernels/sums.hpp"

#include <stop_token>

namespace kg::cpu {

class BlockSource {
public:
    /// For sums at the positions `columns` x `rows` of the image with this reach. The rows of a block may be
    /// `apart` rows from each other. `source` must outlive this object.
    BlockSource(const SourceRows& source, const Reach& reach, Span columns, Span rows,
                const std::stop_token& stop, std::int64_t apart = 1);
    BlockSource(BlockSource&&) = default; // a copy would point into the original
    BlockSource& operator=(BlockSource&&) = delete;

    /// A range of columns, with a pointer to its first column in each source row.
    struct Section {
        Span columns;
        Depth depth = Depth::f32;
        /// From the topmost row that the first output row reaches; 6 * apart more than needed.
        std::vector<const std::byte*> rows{};
        std::vector<std::byte> copies{}; ///< f64 of f64, f32 of everything else
    };
    /// From left to right.
    const std::vector<Section>& sections() const { return sections_; }

    /// out[r * stride + i] for the kBlockRows rows from y on (rows beyond rows.end are unused) and all
    /// samples i of the columns. Writes up to kRowSlack numbers more. Checks `stop` after every `interval`
    /// samples, a multiple of kRowSlack.
    template <typename Sum> // float or double
    void sums(const BlockTaps& kernel, std::int64_t y, Sum* out, std::size_t stride, std::size_t interval,
              const std::stop_token& stop) const;

private:
    void place_inner(Section& section) const;
    void place_copies(Section& section, const std::stop_token& stop) const;
    std::int64_t image_row(std::size_t i) const {
        return border_index(source_->border, top_ + static_cast<std::int64_t>(i), source_->size.height);
    }

    const SourceRows* source_;
    Reach reach_;
    std::int64_t channels_, first_column_, top_, row_count_;
    std::vector<Section> sections_;
    std::vector<std::byte> no_row_; ///< zeros in any depth
};

} // namespace kg::cpu
