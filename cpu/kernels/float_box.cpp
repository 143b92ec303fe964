#include "cpu/kernels/float_box.hpp"

#include "core/support/stop.hpp"
#include "cpu/kernels/line_sums.hpp"
#include "cpu/kernels/rows.hpp"
#include "cpu/runtime/chunk_plan.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace kg::cpu {

namespace {

constexpr std::int64_t kFastFloats = 128 * 1024;      // 512 KiB, a core's second-level cache
constexpr std::int64_t kMostFloats = 2 * 1024 * 1024; // 8 MiB
// A core begins its rows with the sums of a block, which many cores should not do for a few rows each.
constexpr std::int64_t kMostRows = 128;
// Width of a strip in kernels: its halo is summed twice.
constexpr std::int64_t kFewestWidths = 4, kGoodWidths = 16;

/// A window of `size` samples as powers of two: 2^level samples from `offset`, the largest first.
struct Term {
    std::int64_t level, offset;
};
std::vector<Term> terms(std::int64_t size) {
    std::vector<Term> all;
    std::int64_t offset = 0;
    for (std::int64_t level = 40; level >= 0; --level)
        if (size >> level & 1) {
            all.push_back({level, offset});
            offset += std::int64_t{1} << level;
        }
    return all;
}

/// Sums of `size` rows that follow each other. Blocks of `size` rows are counted from row 0 of the image, so
/// that the sums do not depend on where they begin. Of the block in which a window begins, the sums from each
/// row to its end are kept; those of the next block grow with every window.
/// Source: van Herk 1992, Gil and Werman 1993 (their minimum, with sums).
class ColumnSums {
public:
    ColumnSums(std::int64_t size, std::int64_t samples)
        : size_(size), samples_(static_cast<std::size_t>(samples)),
          ends_(static_cast<std::size_t>(size) * samples_), beginning_(samples_), row_(samples_) {}

    /// out = sum of rows [top, top + size), where top is one more than in the call before. `read(r, to)`
    /// reads row r.
    template <typename Read>
    void window(std::int64_t top, const Read& read, float* out) {
        if (top >= block_end_) begin_block(top, read);
        const float* end = ends_.data() + static_cast<std::size_t>(top - ends_top_) * samples_;
        if (block_end_ == top + size_) { // the block itself
            std::copy_n(end, samples_, out);
            return;
        }
        while (summed_ < top + size_ - 1) {
            read(summed_++, row_.data());
            add_rows(beginning_.data(), row_.data(), samples_, beginning_.data());
        }
        read(summed_++, row_.data());
        add_to_both(row_.data(), end, samples_, beginning_.data(), out);
    }

private:
    template <typename Read>
    void begin_block(std::int64_t top, const Read& read) {
        block_end_ = (top >= 0 ? top / size_ : -((size_ - 1 - top) / size_)) * size_ + size_;
        ends_top_ = top;
        for (auto r = block_end_ - 1; r >= top; --r) {
            float* end = ends_.data() + static_cast<std::size_t>(r - top) * samples_;
            read(r, end);
            if (r + 1 < block_end_) add_rows(end, end + samples_, samples_, end);
        }
        std::ranges::fill(beginning_, 0.0f);
        summed_ = block_end_;
    }

    std::int64_t size_;
    std::size_t samples_;
    std::vector<float> ends_;      // from row ends_top_ on
    std::vector<float> beginning_; // sum of rows [block_end_, summed_)
    std::vector<float> row_;
    std::int64_t ends_top_ = 0, block_end_ = std::numeric_limits<std::int64_t>::min(), summed_ = 0;
};

/// out[i] = sum of the pixels of the window that begins at pixel i. `line` holds the pixels of all windows
/// and is overwritten.
void sum_along(const std::vector<Term>& terms, std::int64_t channels, std::int64_t samples, float* line,
               float* out) {
    // The smallest term first: between two terms, the sums in the line are doubled as often as needed.
    std::int64_t level = 0;
    for (auto term = terms.rbegin(); term != terms.rend(); ++term) {
        const auto end = term->offset + (std::int64_t{1} << term->level);
        for (; level < term->level; ++level) {
            const auto needed = samples + channels * (end - (std::int64_t{2} << level));
            add_rows(line, line + (channels << level), static_cast<std::size_t>(needed), line);
        }
        const float* at = line + term->offset * channels;
        if (term == terms.rbegin()) std::copy_n(at, samples, out);
        else add_rows(out, at, static_cast<std::size_t>(samples), out);
    }
}

/// Samples of a row that are summed down the columns together, halo included.
std::int64_t strip_samples(const ImageStep& step) {
    const auto& kernel = step.stages.front().kernels.front();
    const auto good = kGoodWidths * kernel.width * step.in.channels;
    return std::max(kFastFloats / kernel.height, std::min(good, kMostFloats / kernel.height));
}

class FloatBoxPlan final : public ChunkPlan {
public:
    /// One chunk per core: each chunk begins by summing a block.
    FloatBoxPlan(const ImageStep& step, float weight)
        : ChunkPlan(step, step.size.height), taps_(taps(step.stages.front().kernels.front())),
          along_(terms(taps_.width)), weight_(weight) {}

private:
    /// Output rows [y0, y1) of dst, strip by strip, so that the kept rows stay in the cache.
    void filter_rows(const HostQueue::Context& context, const SourceRows& source, const ImageView& to,
                     const Rect& dst_covers, std::int64_t y0, std::int64_t y1) const override {
        const std::int64_t channels = step_.in.channels, halo = taps_.width - 1;
        const auto strip = std::min(to.size.width, strip_samples(step_) / channels - halo);
        const auto computed = computed_channels(step_);
        const auto offsets = offset_row(step_, static_cast<std::size_t>(strip * channels));
        std::vector<float> line(static_cast<std::size_t>((strip + halo) * channels)), out(offsets.size()),
            centre(offsets.size());
        for (std::int64_t x0 = 0; x0 < to.size.width; x0 += strip) {
            const auto width = std::min(strip, to.size.width - x0), samples = width * channels;
            const auto left = dst_covers.x + x0 - taps_.left(), top = dst_covers.y - taps_.up();
            ColumnSums columns(taps_.height, (width + halo) * channels);
            const auto read = [&](std::int64_t y, float* row) { source.read(y, left, width + halo, row); };
            for (auto y = y0; y < y1; ++y) {
                throw_if_stopped(context.stop);
                columns.window(top + y, read, line.data());
                sum_along(along_, channels, samples, line.data(), out.data());
                divide_row(out.data(), weight_, taps_.divisor, offsets.data(),
                           static_cast<std::size_t>(samples));
                if (computed != all_channels(step_.in.channels)) {
                    source.read(dst_covers.y + y, dst_covers.x + x0, width, centre.data());
                    pass_through(computed, step_.in.channels, centre.data(), out.data(), width);
                }
                write_row(out.data(), to, y, x0 * channels, samples);
            }
        }
    }

    Taps taps_;
    std::vector<Term> along_;
    float weight_;
};

} // namespace

bool float_box_fits(const ImageStep& step) {
    const auto& kernel = step.stages.front().kernels.front();
    return kernel.height <= kMostRows &&
           strip_samples(step) >= kFewestWidths * kernel.width * step.in.channels;
}

std::shared_ptr<const Plan> float_box(const ImageStep& step, float weight) {
    return std::make_shared<FloatBoxPlan>(step, weight);
}

} // namespace kg::cpu
