#include "cpu/runtime/block_plan.hpp"

#include "core/image/weights.hpp"
#include "cpu/engine.hpp"
#include "cpu/kernels/rows.hpp"
#include "cpu/runtime/block_source.hpp"
#include "cpu/runtime/chunk_plan.hpp"

#include <algorithm>
#include <cmath>

namespace kg::cpu {

namespace {

constexpr std::int64_t kChunkRows = 32;                     // rows per task of a thread
constexpr std::int64_t kStripFloats = 4096;                 // lines of a block: 64 KiB, half of an L2
constexpr std::size_t kMostProducts = std::size_t{1} << 27; // between two checks of the stop token
// Limit for the rows beside an output's own. Above it, all half floats are widened once instead of per chunk.
constexpr std::int64_t kMostHalfRows = 64;

/// The output columns computed together, for sums of `bytes` each. A strip is wide enough that the columns
/// beside it, which its neighbours sum too, are the smaller share of the work.
std::int64_t strip_columns(const ImageStep& step, std::int64_t halo, std::int64_t width,
                           std::size_t bytes = sizeof(float)) {
    const std::int64_t channels = step.in.channels;
    const auto most = bytes == sizeof(float) ? kStripFloats : kStripFloats / 2;
    const auto samples = std::max(step.in.depth == Depth::f16 ? most / 4 : most, 2 * halo * channels);
    return std::min(width, (samples + channels - 1) / channels);
}

/// The lines of a strip: sums of image columns, also for columns outside the image. The border reuses the
/// sums of the columns it repeats, so no column is summed twice, however far the kernel reaches.
class Strip {
public:
    Strip(const SourceRows& source, const Reach& sums_reach, Span line, Span rows,
          const std::stop_token& stop)
        : channels_(source.pixels.format.channels) {
        const auto slack = static_cast<std::int64_t>(kRowSlack);
        auto end = (line.end - line.begin) * channels_ + slack;
        const auto add = [&](Span columns, std::int64_t at) {
            sections_.push_back({columns, at, {source, sums_reach, columns, rows, stop}});
        };
        const Span inside{std::max<std::int64_t>(line.begin, 0), std::min(line.end, source.size.width)};
        add(inside, (inside.begin - line.begin) * channels_);
        for (const Span outside : {Span{line.begin, inside.begin}, Span{inside.end, line.end}}) {
            if (outside.begin == outside.end) continue;
            const auto columns = border_span(source.border, outside, source.size.width);
            if (!holds(columns)) {
                add(columns, end);
                end += (columns.end - columns.begin) * channels_ + slack;
            }
            for (auto x = outside.begin; x < outside.end; ++x)
                outside_.push_back({(x - line.begin) * channels_,
                                    place_of(border_index(source.border, x, source.size.width))});
        }
        stride_ = static_cast<std::size_t>(end);
    }

    /// Numbers from one line to the next.
    std::size_t stride() const { return stride_; }

    /// The lines of kBlockRows rows from y on.
    template <typename Sum>
    void sums(const BlockTaps& kernel, std::int64_t y, Sum* lines, std::size_t interval,
              const std::stop_token& stop) const {
        for (const auto& section : sections_)
            section.source.sums(kernel, y, lines + section.at, stride_, interval, stop);
        if (outside_.empty()) return;
        for (Sum* line = lines; line < lines + kBlockRows * stride_; line += stride_)
            for (const auto& [to, from] : outside_)
                for (std::int64_t c = 0; c < channels_; ++c)
                    line[to + c] = from < 0 ? Sum{0} : line[from + c];
    }

private:
    struct Section {
        Span columns;
        std::int64_t at; ///< in the line, in samples like all positions
        BlockSource source;
    };
    struct Outside {
        std::int64_t to, from; ///< -1: no pixel exists there
    };

    bool holds(Span columns) const {
        return std::ranges::any_of(sections_, [&](const Section& section) {
            return section.columns.begin <= columns.begin && columns.end <= section.columns.end;
        });
    }
    std::int64_t place_of(std::int64_t column) const {
        for (const auto& section : sections_)
            if (section.columns.begin <= column && column < section.columns.end)
                return section.at + (column - section.columns.begin) * channels_;
        return -1;
    }

    std::int64_t channels_;
    std::vector<Section> sections_;
    std::vector<Outside> outside_;
    std::size_t stride_;
};

/// Products per output sample: the taps of all sums, then those along the lines.
std::size_t products_of(const BlockWork& work) {
    std::size_t products = 1;
    for (const auto& kernel : work.sums) products += kernel.taps.size();
    for (const auto& kernel : work.finish.kernels) products += kernel.taps.size();
    return products;
}

/// Each thread keeps lines of kBlockRows rows, as long as a strip plus the reach of the kernel, and copies of
/// at most the rows that its chunk reaches (cpu/runtime/block_source.hpp). `Sum`: float or double.
template <typename Sum>
class BlockPlan final : public ChunkPlan {
public:
    BlockPlan(const ImageStep& step, BlockWork work)
        : ChunkPlan(step, kChunkRows), work_(std::move(work)),
          check_interval_(check_interval(products_of(work_))) {}

private:
    /// Output rows [y0, y1) of dst, strip by strip.
    void filter_rows(const HostQueue::Context& context, const SourceRows& source, const ImageView& to,
                     const Rect& covers, std::int64_t y0, std::int64_t y1) const override {
        const std::int64_t channels = step_.in.channels, left = work_.line_reach.left,
                           right = work_.line_reach.right;
        const auto columns = strip_columns(step_, left + right, to.size.width, sizeof(Sum));
        std::vector<Sum> lines;
        std::vector<const Sum*> line(work_.sums.size());
        // For outputs that are not written at once.
        std::vector<Sum> row(static_cast<std::size_t>(columns * channels)), own(row.size());
        auto finish = work_.finish;
        finish.offsets = offset_row(step_, row.size() + kRowSlack);
        if (std::ranges::all_of(finish.offsets, [](float v) { return v == 0; })) finish.offsets.clear();
        const auto computed = computed_channels(step_);
        const bool at_once = computed == all_channels(step_.in.channels) && step_.out.depth != Depth::f16;

        for (std::int64_t x0 = 0; x0 < to.size.width; x0 += columns) {
            const auto width = std::min(columns, to.size.width - x0), x = covers.x + x0;
            const auto samples = static_cast<std::size_t>(width * channels);
            const Strip strip(source, work_.sums_reach, {x - left, x + width + right},
                              {covers.y + y0, covers.y + y1}, context.stop);
            const auto stride = strip.stride();
            lines.resize(std::max(lines.size(), work_.sums.size() * kBlockRows * stride));
            for (auto y = y0; y < y1; y += kBlockRows) {
                const auto rows = std::min<std::int64_t>(kBlockRows, y1 - y);
                for (std::size_t k = 0; k < work_.sums.size(); ++k)
                    strip.sums(work_.sums[k], covers.y + y, lines.data() + k * kBlockRows * stride,
                               check_interval_, context.stop);
                for (std::int64_t r = 0; r < rows; ++r) {
                    for (std::size_t k = 0; k < line.size(); ++k)
                        line[k] = lines.data() + (k * kBlockRows + static_cast<std::size_t>(r)) * stride +
                                  left * channels;
                    const auto finish_to = [&](Depth depth, void* at) {
                        for (std::size_t begin = 0; begin < samples; begin += check_interval_) {
                            throw_if_stopped(context.stop);
                            finish_row(finish, line.data(), begin, std::min(samples, begin + check_interval_),
                                       depth, at);
                        }
                    };
                    if (at_once) {
                        finish_to(step_.out.depth, to.row<std::byte>(y + r) + static_cast<std::size_t>(x0) *
                                                                                  bytes_per_pixel(to.format));
                        continue;
                    }
                    finish_to(kRowDepth, row.data());
                    if (computed != all_channels(step_.in.channels)) {
                        source.read(covers.y + y + r, x, width, own.data());
                        pass_through(computed, step_.in.channels, own.data(), row.data(), width);
                    }
                    write_row(row.data(), to, y + r, x0 * channels, width * channels);
                }
            }
        }
    }

    static constexpr Depth kRowDepth = std::is_same_v<Sum, double> ? Depth::f64 : Depth::f32;

    BlockWork work_;
    std::size_t check_interval_; ///< samples between two checks of the stop token
};

} // namespace

std::size_t check_interval(std::size_t products) {
    return std::max<std::size_t>(1, kMostProducts / (kBlockRows * products) / kRowSlack) * kRowSlack;
}

std::string why_not_blocks(const ImageStep& step, Sums sums) {
    if (auto why = why_not_one_stage(step, sums); !why.empty()) return why;
    const auto all = reach(step.stages.front());
    return step.in.depth == Depth::f16 && all.up + all.down > kMostHalfRows
               ? "it reads half floats only for kernels of at most 65 rows"
               : "";
}

double listed_products(const Stage& stage) {
    double taps = 0;
    for (const auto& kernel : stage.kernels) taps += static_cast<double>(count_taps(kernel.weights));
    return taps;
}

Cost block_cost(const ImageStep& step, const BlockProducts& products, const Engine& engine) {
    const auto& all = reach(step.stages.front());
    const auto width = static_cast<double>(step.size.width), height = static_cast<double>(step.size.height),
               channels = static_cast<double>(step.in.channels),
               kernels = static_cast<double>(step.stages.front().kernels.size());
    const auto halo = static_cast<double>(all.left + all.right),
               beyond = static_cast<double>(all.up + all.down);
    const bool lines = products.along > 0;
    const auto strips = std::ceil(
        width / static_cast<double>(strip_columns(step, lines ? all.left + all.right : 0, step.size.width)));
    // Whole blocks are summed, and the columns between two strips are summed by both.
    const auto padded = [](double n, double unit) { return std::ceil(n / unit) * unit; };
    const double rows = padded(height, kBlockRows), vector = static_cast<double>(kRowSlack);
    const double summed = std::min(strips * width, width + (lines ? (strips - 1) * halo : 0.0)) * channels;
    const double all_products = rows * padded(summed, vector) * products.down +
                                height * padded(width * channels, vector) * products.along;
    // Positions outside the image, one by one: of each line, or of the copies at its edges, per chunk of
    // rows.
    const double chunks = std::ceil(height / static_cast<double>(kChunkRows)),
                 copied = std::min(height, static_cast<double>(kChunkRows) + beyond);
    const double outside = lines ? rows * kernels * halo * channels
                                 : chunks * copied * std::min(3 * halo, width + halo) * channels;
    const double row_places = chunks * strips * (static_cast<double>(kChunkRows) + beyond);
    const CoreSpeed speed;
    return {(all_products / speed.taps_per_us + width * height * channels / speed.samples_per_us +
             (outside + row_places) / speed.places_per_us + bytes_moved(step) / speed.bytes_per_us) /
            threads_of(engine)};
}

BlockWork work_as_written(const ImageStep& step, bool by_rows) {
    const auto& stage = step.stages.front();
    BlockWork work;
    work.sums_reach = reach(stage);
    work.finish.combine = stage.combine;
    for (const auto& kernel : stage.kernels) {
        work.sums.push_back(block_taps(taps(kernel), work.sums_reach.up, step.in.channels,
                                       by_rows && sums_by_rows(kernel, step.in.depth)));
        work.finish.kernels.push_back({{{0, 1.0f}}, kernel.divisor}); // the sum itself
    }
    return work;
}

std::shared_ptr<const Plan> block_plan(const ImageStep& step, BlockWork work, Sums sums) {
    if (sums == Sums::float32) return std::make_shared<BlockPlan<float>>(step, std::move(work));
    return std::make_shared<BlockPlan<double>>(step, std::move(work));
}

} // namespace kg::cpu
