#include "cpu/block_plan.hpp"

#include "core/error.hpp"
#include "core/step.hpp"
#include "cpu/engine.hpp"
#include "cpu/host_queue.hpp"
#include "cpu/rows.hpp"

#include <algorithm>
#include <limits>

namespace kg::cpu {

namespace {

constexpr std::int64_t kChunkRows = 32;     // what a thread takes at a time
constexpr std::int64_t kStripFloats = 4096; // lines of a block: 64 KiB, the nearer half of an L2
constexpr std::int64_t kMostProducts = std::int64_t{1}
                                       << 27; // between two looks at the stop token: some milliseconds

/// The source rows of one block over a stretch of columns. Columns whose taps all lie in the picture are read where they
/// are; the others come from a narrow f32 copy that the border has extended, kept from block to block as a ring.
class BlockSource {
public:
    BlockSource(const SourceRows& source, Reach reach, std::int64_t first, std::int64_t count)
        : source_(source), reach_(reach), channels_(source.pixels.format.channels) {
        const auto end = first + count;
        auto inner_begin = std::clamp<std::int64_t>(reach.left, first, end);
        auto inner_end = std::clamp(source.size.width - reach.right, inner_begin, end);
        const bool halves = source.pixels.format.depth == Depth::f16; // nobody sums halves as they are
        if (halves || (inner_end - inner_begin) * channels_ < static_cast<std::int64_t>(kRowSlack))
            inner_begin = inner_end = end;
        // From left to right, because what is written beyond a part's last sample belongs to the part after it.
        if (first < inner_begin) parts_.push_back(edge(first, inner_begin - first, first));
        if (inner_begin < inner_end)
            parts_.push_back({inner_begin, inner_end - inner_begin, inner_begin - first, {}, {}, 0});
        if (inner_end < end) parts_.push_back(edge(inner_end, end - inner_end, first));
        no_row_.resize(static_cast<std::size_t>((count + reach.left + reach.right) * channels_) *
                       sizeof(float));
    }

    /// Output rows [y, y + rows), of which at most kBlockRows.
    void move_to(std::int64_t y, std::int64_t rows) {
        const auto wanted = rows + reach_.up + reach_.down; // what follows is summed, but not used
        for (auto& part : parts_) {
            if (part.edge.empty()) place_inner(part, y - reach_.up, wanted);
            else fill_edge(part, y - reach_.up, wanted);
            part.rows.resize(static_cast<std::size_t>(wanted));
            part.rows.resize(static_cast<std::size_t>(kBlockRows + reach_.up + reach_.down),
                             part.rows.back());
        }
    }

    /// out[r * stride + i] for all samples of the columns; writes kRowSlack floats more.
    void sums(const BlockTaps& kernel, float* out, std::size_t stride) const {
        for (const auto& part : parts_)
            block_sums(kernel, part.rows.data(), part.edge.empty() ? source_.pixels.format.depth : Depth::f32,
                       static_cast<std::size_t>(part.count * channels_), out + part.at * channels_, stride);
    }

private:
    struct Part {
        std::int64_t first, count, at; ///< columns of the picture; where they begin in the output
        std::vector<const std::byte*> rows;
        std::vector<float> edge; ///< a ring of rows, empty for the inner part
        std::int64_t filled;     ///< edge rows up to this one are in the ring
    };

    Part edge(std::int64_t begin, std::int64_t count, std::int64_t first) const {
        Part part{begin, count, begin - first, {}, {}, std::numeric_limits<std::int64_t>::min()};
        part.edge.resize(static_cast<std::size_t>(ring_rows() * edge_stride(part)));
        return part;
    }
    std::int64_t ring_rows() const { return kBlockRows + reach_.up + reach_.down; }
    std::int64_t edge_stride(const Part& part) const {
        return (part.count + reach_.left + reach_.right) * channels_ + static_cast<std::int64_t>(kRowSlack);
    }

    void place_inner(Part& part, std::int64_t top, std::int64_t rows) const {
        const auto& pixels = source_.pixels;
        const auto column = static_cast<std::size_t>(part.first - source_.covers.x) *
                            bytes_per_pixel(pixels.format);
        part.rows.clear();
        for (auto y = top; y < top + rows; ++y) {
            const auto from = border_index(source_.border, y, source_.size.height);
            part.rows.push_back(from < 0 ? no_row_.data() + static_cast<std::size_t>(reach_.left) *
                                                                bytes_per_pixel(pixels.format)
                                         : pixels.row<std::byte>(from - source_.covers.y) + column);
        }
    }

    void fill_edge(Part& part, std::int64_t top, std::int64_t rows) const {
        const auto stride = edge_stride(part);
        part.rows.clear();
        for (auto y = top; y < top + rows; ++y) {
            auto slot = y % ring_rows();
            if (slot < 0) slot += ring_rows();
            float* row = part.edge.data() + slot * stride;
            if (y > part.filled) {
                source_.read(y, part.first - reach_.left, part.count + reach_.left + reach_.right, row);
                part.filled = y;
            }
            part.rows.push_back(reinterpret_cast<const std::byte*>(row + reach_.left * channels_));
        }
    }

    const SourceRows& source_;
    Reach reach_;
    std::int64_t channels_;
    std::vector<Part> parts_;
    std::vector<std::byte> no_row_; ///< of zeros in any depth
};

class BlockPlan final : public Plan {
public:
    BlockPlan(const ImageRequest& step, BlockWork work) : step_(step), work_(std::move(work)) {
        for (const auto& kernel : work_.sums) products_ += static_cast<std::int64_t>(kernel.taps.size());
    }

    Needs needs(const Rect& output) const override {
        return {source_rect(step_.stages.front(), step_.border, step_.size, output), 0, 1};
    }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& host = static_cast<HostQueue&>(queue);
        const auto self = std::make_shared<BlockPlan>(*this); // the task may outlive the caller's plan
        for (const auto& item : items)
            host.enqueue([&host, self, item](const HostQueue::Context& context) {
                const SourceRows source{host.image(item.src), item.src.covers, self->step_.size,
                                        self->step_.border};
                const auto to = host.image(item.dst);
                parallel_rows(context, to.size.height, kChunkRows, [&](std::int64_t y0, std::int64_t y1) {
                    self->filter_rows(context, source, to, item.dst.covers, y0, y1);
                });
            });
    }

private:
    /// Output rows [y0, y1) of dst, strip by strip.
    void filter_rows(const HostQueue::Context& context, const SourceRows& source, const ImageView& to,
                     const Rect& covers, std::int64_t y0, std::int64_t y1) const {
        const std::int64_t channels = step_.in.channels, left = work_.line_reach.left,
                           halo = left + work_.line_reach.right;
        const auto floats = std::clamp(kMostProducts / (kBlockRows * std::max<std::int64_t>(1, products_)),
                                       static_cast<std::int64_t>(kRowSlack),
                                       std::max(kStripFloats, 2 * halo * channels));
        const auto columns = std::min(to.size.width, (floats + channels - 1) / channels);
        const auto stride = static_cast<std::size_t>((columns + halo) * channels) + kRowSlack;
        std::vector<float> lines(work_.sums.size() * kBlockRows * stride);
        std::vector<const float*> line(work_.sums.size());
        std::vector<float> row(stride), own(stride); // for what is not written at once
        auto finish = work_.finish;
        finish.offsets = offset_row(step_, static_cast<std::size_t>(columns * channels) + kRowSlack);
        if (std::ranges::all_of(finish.offsets, [](float v) { return v == 0; })) finish.offsets.clear();
        const auto computed = computed_channels(step_);
        const bool at_once = computed == all_channels(step_.in.channels) && step_.out.depth != Depth::f16;

        for (std::int64_t x0 = 0; x0 < to.size.width; x0 += columns) {
            const auto width = std::min(columns, to.size.width - x0);
            const auto samples = static_cast<std::size_t>(width * channels);
            BlockSource block(source, work_.sums_reach, covers.x + x0 - left, width + halo);
            for (auto y = y0; y < y1; y += kBlockRows) {
                if (context.stop.stop_requested()) throw Cancelled();
                const auto rows = std::min<std::int64_t>(kBlockRows, y1 - y);
                block.move_to(covers.y + y, rows);
                for (std::size_t k = 0; k < work_.sums.size(); ++k)
                    block.sums(work_.sums[k], lines.data() + k * kBlockRows * stride, stride);
                for (std::int64_t r = 0; r < rows; ++r) {
                    for (std::size_t k = 0; k < line.size(); ++k)
                        line[k] = lines.data() + (k * kBlockRows + static_cast<std::size_t>(r)) * stride +
                                  left * channels;
                    if (at_once) {
                        finish_row(finish, line.data(), samples, step_.out.depth,
                                   to.row<std::byte>(y + r) +
                                       static_cast<std::size_t>(x0) * bytes_per_pixel(to.format));
                        continue;
                    }
                    finish_row(finish, line.data(), samples, Depth::f32, row.data());
                    if (computed != all_channels(step_.in.channels)) {
                        source.read(covers.y + y + r, covers.x + x0, width, own.data());
                        pass_through(computed, step_.in.channels, own.data(), row.data(), width);
                    }
                    write_row(row.data(), to, y + r, x0 * channels, width * channels);
                }
            }
        }
    }

    ImageRequest step_;
    BlockWork work_;
    std::int64_t products_ = 0;
};

} // namespace

Cost block_cost(const ImageRequest& step, double products, const Engine& engine) {
    const auto samples = static_cast<double>(step.size.width) * static_cast<double>(step.size.height) *
                         step.in.channels;
    const Speed speed;
    return {(samples * (products / speed.taps_per_us + 1 / speed.samples_per_us) +
             bytes_moved(step) / speed.bytes_per_us) /
            threads_of(engine)};
}

std::shared_ptr<const Plan> block_plan(const ImageRequest& step, BlockWork work) {
    return std::make_shared<BlockPlan>(step, std::move(work));
}

} // namespace kg::cpu
