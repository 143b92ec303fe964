// Outputs that lie n pixels apart share few samples, and neighbours in a row lie n pixels apart, too: no vector could be
// loaded as it is. So rows are laid out anew, first every n-th pixel from the first reached on, then every n-th from the
// second, and so on. There a tap is a run of neighbours again, and the loops of `direct` and `separable` sum it, with the same
// taps in the same order. They are laid out as they are stored: of bytes a quarter of what floats would be moves. Of separable
// kernels the columns are summed as the rows lie in the picture, and only the rows of sums are laid out anew.

#include "cpu/sampled_plan.hpp"

#include "core/separate.hpp"
#include "core/weights.hpp"
#include "cpu/block_plan.hpp"
#include "cpu/block_source.hpp"
#include "cpu/engine.hpp"
#include "cpu/host_queue.hpp"
#include "cpu/rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>

namespace kg::cpu {

namespace {

/// Columns, then rows; empty if a kernel of the stage is no such product, or wants more than sums in float32.
std::optional<std::vector<Factors>> factors_of(const Stage& stage) {
    if (!has_weights(stage) && flat_weight(stage) != 0.0f) return {};
    std::vector<Factors> all;
    for (std::size_t k = 0; k < stage.kernels.size(); ++k) {
        auto factors = separate(stage, k);
        if (!factors) return {};
        if (stage.kernels[k].flip) {
            std::ranges::reverse(factors->column);
            std::ranges::reverse(factors->row);
        }
        all.push_back(std::move(*factors));
    }
    return all;
}

double count(const std::vector<float>& weights) { return static_cast<double>(count_taps(weights)); }

SampledProducts products_of(const Stage& stage, const std::optional<std::vector<Factors>>& factors) {
    SampledProducts products;
    products.is_listed = has_weights(stage);
    products.is_separable = factors.has_value();
    for (std::size_t k = 0; k < stage.kernels.size(); ++k) {
        products.listed += count(stage.kernels[k].weights);
        if (!factors) continue;
        products.down += count((*factors)[k].column);
        products.along += count((*factors)[k].row);
    }
    return products;
}

/// Empty also where tap by tap is less work.
std::optional<std::vector<Factors>> useful_factors(const Stage& stage) {
    auto factors = factors_of(stage);
    if (!products_of(stage, factors).separates()) factors.reset();
    return factors;
}

/// A row's pixels sorted by their place from the first one on, modulo `every`: those of one class are a line.
struct Classes {
    std::int64_t every, channels, reach,
        outputs; ///< reach: columns to the left and right of an output's own, together

    std::int64_t count() const { return std::min(every, reach + 1); }
    std::int64_t pixels(std::int64_t c) const { return outputs + (reach - c) / every; }
    std::int64_t stride() const {
        return pixels(0) * channels + static_cast<std::int64_t>(kRowSlack);
    } ///< in samples, as the following
    std::int64_t size() const { return count() * stride(); }
    std::int64_t row_pixels() const { return (outputs - 1) * every + reach + 1; }
    /// Of the first output's sample that lies `column` pixels from the first one reached.
    std::int64_t place(std::int64_t column) const {
        return column % every * stride() + column / every * channels;
    }

    /// A row of such samples, of `bytes` each.
    void sort(const std::byte* row, std::byte* to, std::size_t bytes) const {
        switch (static_cast<std::size_t>(channels) *
                bytes) { // known to the compiler, a pixel is one move or two
        case 1: return sort_pixels<1>(row, to, bytes);
        case 2: return sort_pixels<2>(row, to, bytes);
        case 3: return sort_pixels<3>(row, to, bytes);
        case 4: return sort_pixels<4>(row, to, bytes);
        case 6: return sort_pixels<6>(row, to, bytes);
        case 8: return sort_pixels<8>(row, to, bytes);
        case 12: return sort_pixels<12>(row, to, bytes);
        case 16: return sort_pixels<16>(row, to, bytes);
        }
    }

private:
    template <std::size_t Pixel>
    void sort_pixels(const std::byte* row, std::byte* to, std::size_t bytes) const {
        const auto line = static_cast<std::size_t>(stride()) * bytes,
                   step = static_cast<std::size_t>(every) * Pixel;
        for (std::int64_t c = 0; c < count(); ++c) {
            auto* at = to + static_cast<std::size_t>(c) * line;
            const auto* from = row + static_cast<std::size_t>(c) * Pixel;
            for (auto left = pixels(c); left > 0; --left, from += step, at += Pixel)
                std::memcpy(at, from, Pixel);
        }
    }
};

/// The rows that blocks of outputs reach, each of them read once on the way down. Their memory is the queue's: fresh pages for
/// every run would take longer than many a run.
class RowRing {
public:
    /// `span`: rows that one output reaches.
    RowRing(std::int64_t every, std::int64_t span, std::byte* memory, std::size_t row_bytes)
        : every_(every), span_(span), held_(static_cast<std::size_t>(rows(every, span)), kNone),
          memory_(memory), row_bytes_(row_bytes) {}

    static std::int64_t rows(std::int64_t every, std::int64_t span) {
        return std::min((kBlockRows - 1) * every + span, kBlockRows * span);
    }

    /// The row `y`, which is row `i` of a block.
    template <typename Fill>
    const std::byte* row(std::int64_t y, std::int64_t i, Fill fill) {
        const auto n = static_cast<std::int64_t>(held_.size());
        const bool apart = every_ >= span_; // no row serves two outputs
        const auto slot = static_cast<std::size_t>(apart ? i / every_ * span_ + i % every_
                                                         : ((y % n) + n) % n);
        auto* at = memory_ + slot * row_bytes_;
        if (held_[slot] != y) fill(at);
        held_[slot] = y;
        return at;
    }

private:
    static constexpr auto kNone = std::numeric_limits<std::int64_t>::min();
    std::int64_t every_, span_;
    std::vector<std::int64_t> held_;
    std::byte* memory_;
    std::size_t row_bytes_;
};

class SampledPlan final : public Plan, public std::enable_shared_from_this<SampledPlan> {
public:
    SampledPlan(const ImageRequest& step, int every, int threads)
        : step_(step), every_(every), threads_(threads), reach_(reach(step.stages.front())),
          factors_(useful_factors(step.stages.front())) {
        algorithm = factors_ ? "separable" : "direct";
        reason = "every " + std::to_string(every) + ". output of every " + std::to_string(every) + ". row";
    }

    Needs needs(const Rect& output) const override {
        const Rect outputs{output.x * every_, output.y * every_, (output.width - 1) * every_ + 1,
                           (output.height - 1) * every_ + 1};
        return {source_rect(step_.stages.front(), step_.border, step_.size, outputs),
                factors_ ? 0 : static_cast<std::size_t>(threads_) * ring_bytes(classes_of(output.width)), 1};
    }

    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        auto& host = static_cast<HostQueue&>(queue);
        for (const auto& item : items)
            host.enqueue(
                [&host, self = shared_from_this(), item, scratch](const HostQueue::Context& context) {
                    const SourceRows source{host.image(item.src), item.src.covers, self->step_.size,
                                            self->step_.border};
                    const auto to = host.image(item.dst);
                    const auto work = self->work_for(to.size.width);
                    const auto share = self->ring_bytes(work.classes);
                    auto* memory = self->factors_ ? nullptr : host.image(scratch).data;
                    // One long piece for a thread: each reads the rows above and below it, which others read as well.
                    const std::int64_t piece = (to.size.height + self->threads_ - 1) / self->threads_;
                    parallel_rows(context, to.size.height, piece, [&](std::int64_t v0, std::int64_t v1) {
                        auto* ring = memory ? memory + static_cast<std::size_t>(v0 / piece) * share : nullptr;
                        self->filter_rows(context, work, ring, source, to, item.dst.covers, v0, v1);
                    });
                });
    }

private:
    std::int64_t span() const { return reach_.up + reach_.down + 1; }
    Classes classes_of(std::int64_t width) const {
        return {every_, step_.in.channels, reach_.left + reach_.right, width};
    }
    /// Samples are widened where they are summed; halves nobody sums as they are.
    Depth laid_out_as() const { return step_.in.depth == Depth::f16 ? Depth::f32 : step_.in.depth; }
    std::size_t row_bytes(const Classes& classes) const {
        constexpr std::size_t kAligned = 64;
        const auto all = (static_cast<std::size_t>(classes.size()) + kRowSlack) * bytes(laid_out_as());
        return (all + kAligned - 1) / kAligned * kAligned;
    }
    /// Of a thread.
    std::size_t ring_bytes(const Classes& classes) const {
        return static_cast<std::size_t>(RowRing::rows(every_, span())) * row_bytes(classes);
    }

    /// For all rows of one width.
    struct Work {
        Classes classes;
        std::vector<BlockTaps> sums;
        Finish finish;
    };

    Work work_for(std::int64_t width) const {
        const auto& stage = step_.stages.front();
        Work work;
        work.classes = classes_of(width);
        const auto& classes = work.classes;
        work.finish.combine = stage.combine;
        for (std::size_t k = 0; k < stage.kernels.size(); ++k) {
            const auto t = taps(stage.kernels[k]);
            // The kernel's column j is this many pixels from the first one that the stage reaches.
            const auto place = [&](int j) { return classes.place(reach_.left - t.anchor_x + j); };
            if (!factors_) {
                work.sums.push_back(
                    spaced_taps(t, reach_.up, every_, place, sums_by_rows(stage.kernels[k], step_.in.depth)));
                work.finish.kernels.push_back({{{0, 1.0f}}, t.divisor}); // the sum itself
                continue;
            }
            const auto& [column, row] = (*factors_)[k];
            work.sums.push_back(spaced_taps(
                {1, t.height, 0, t.anchor_y, column, 1}, reach_.up, every_,
                [](int) { return std::int64_t{0}; }, false));
            LineTaps line{{}, t.divisor};
            for (int j = 0; j < t.width; ++j)
                if (const float w = row[static_cast<std::size_t>(j)]; w != 0.0f) // a zero weight is no tap
                    line.taps.push_back({place(j), w});
            work.finish.kernels.push_back(std::move(line));
        }
        work.finish.offsets = offset_row(step_,
                                         static_cast<std::size_t>(width * step_.in.channels) + kRowSlack);
        if (std::ranges::all_of(work.finish.offsets, [](float o) { return o == 0; }))
            work.finish.offsets.clear();
        return work;
    }

    /// The sums of every tap, row by row from the picture's rows laid out anew.
    class ListedSums {
    public:
        ListedSums(const SampledPlan& plan, const Work& work, std::byte* ring, const SourceRows& source,
                   std::int64_t first_column)
            : plan_(plan), classes_(work.classes), source_(source), first_column_(first_column),
              ring_(plan.every_, plan.span(), ring, plan.row_bytes(work.classes)), depth_(plan.laid_out_as()),
              unsorted_((static_cast<std::size_t>(classes_.row_pixels() * classes_.channels) + kRowSlack) *
                        bytes(depth_)),
              rows_(static_cast<std::size_t>((kBlockRows - 1) * plan.every_ + plan.span())) {}

        /// Places the rows that the block of `wanted` outputs reaches, the first of them at row y of the picture.
        void go_to(std::int64_t y, std::int64_t wanted, const std::stop_token& stop) {
            const auto every = plan_.every_, top = y - plan_.reach_.up;
            for (std::int64_t i = 0; i < static_cast<std::int64_t>(rows_.size()); ++i) {
                look_at(stop);
                // Between outputs far apart are rows that none of them reaches; after the last wanted one there is nothing.
                const bool reached = i - std::min(i / every, wanted - 1) * every < plan_.span();
                const auto read = [&](std::byte* at) {
                    if (depth_ == source_.pixels.format.depth)
                        source_.read_stored(top + i, first_column_, classes_.row_pixels(), unsorted_.data());
                    else
                        source_.read(top + i, first_column_, classes_.row_pixels(),
                                     reinterpret_cast<float*>(unsorted_.data()));
                    classes_.sort(unsorted_.data(), at, bytes(depth_));
                };
                rows_[static_cast<std::size_t>(i)] = reached ? ring_.row(top + i, i, read) : rows_[0];
            }
        }
        void sums(const BlockTaps& kernel, float* out, std::size_t count, std::size_t stride,
                  std::size_t piece, const std::stop_token& stop) const {
            for (std::size_t begin = 0; begin < count; begin += piece) {
                look_at(stop);
                block_sums(kernel, rows_.data(), depth_, begin, std::min(count, begin + piece), out, stride);
            }
        }

    private:
        const SampledPlan& plan_;
        const Classes& classes_;
        const SourceRows& source_;
        std::int64_t first_column_;
        RowRing ring_;
        Depth depth_;
        std::vector<std::byte> unsorted_;
        std::vector<const std::byte*> rows_;
    };

    /// Output rows [v0, v1) of `to`, which is the small picture's rectangle `covers`.
    void filter_rows(const HostQueue::Context& context, const Work& work, std::byte* ring,
                     const SourceRows& source, const ImageView& to, const Rect& covers, std::int64_t v0,
                     std::int64_t v1) const {
        const std::int64_t channels = step_.in.channels, width = to.size.width,
                           first_column = covers.x * every_ - reach_.left;
        const auto& classes = work.classes;
        const auto samples = static_cast<std::size_t>(width * channels);
        // What is summed down the columns: outputs, or all columns that they reach.
        const auto sums = factors_ ? static_cast<std::size_t>(classes.row_pixels() * channels) : samples;
        const auto stride = sums + kRowSlack;
        std::optional<BlockSource> columns;
        std::optional<ListedSums> listed;
        if (factors_)
            columns.emplace(source, Reach{0, 0, reach_.up, reach_.down},
                            Span{first_column, first_column + classes.row_pixels()},
                            Span{(covers.y + v0) * every_, (covers.y + v1 - 1) * every_ + 1}, context.stop,
                            every_);
        else listed.emplace(*this, work, ring, source, first_column);
        std::vector<float> lines(work.sums.size() * kBlockRows * stride);
        std::vector<float> sorted(factors_ ? work.sums.size() * static_cast<std::size_t>(classes.size()) : 0);
        std::vector<const float*> line(work.sums.size());
        std::vector<float> row(samples + kRowSlack), own(samples);
        std::size_t products = 1;
        for (const auto& kernel : work.sums) products += kernel.taps.size();
        const auto piece = piece_of(products);
        const auto computed = computed_channels(step_);

        for (auto v = v0; v < v1; v += kBlockRows) {
            const auto wanted = std::min<std::int64_t>(kBlockRows, v1 - v), y = (covers.y + v) * every_;
            if (listed) listed->go_to(y, wanted, context.stop);
            for (std::size_t k = 0; k < work.sums.size(); ++k) {
                auto* out = lines.data() + k * kBlockRows * stride;
                if (columns) columns->sums(work.sums[k], y, out, stride, piece, context.stop);
                else listed->sums(work.sums[k], out, sums, stride, piece, context.stop);
            }
            for (std::int64_t r = 0; r < wanted; ++r) {
                for (std::size_t k = 0; k < line.size(); ++k) {
                    line[k] = lines.data() + (k * kBlockRows + static_cast<std::size_t>(r)) * stride;
                    if (!factors_) continue;
                    auto* at = sorted.data() + k * static_cast<std::size_t>(classes.size());
                    classes.sort(reinterpret_cast<const std::byte*>(line[k]),
                                 reinterpret_cast<std::byte*>(at), sizeof(float));
                    line[k] = at;
                }
                finish_row(work.finish, line.data(), 0, samples, Depth::f32, row.data());
                if (computed != all_channels(step_.in.channels)) {
                    for (std::int64_t u = 0; u < width; ++u)
                        source.read((covers.y + v + r) * every_, (covers.x + u) * every_, 1,
                                    own.data() + u * channels);
                    pass_through(computed, step_.in.channels, own.data(), row.data(), width);
                }
                write_row(row.data(), to, v + r, 0, width * channels);
            }
        }
    }

    const ImageRequest step_;
    const std::int64_t every_;
    const int threads_;
    const Reach reach_;
    const std::optional<std::vector<Factors>> factors_; ///< columns, then rows; else tap by tap
};

} // namespace

std::string why_not_sampled(const ImageRequest& step) {
    auto why = why_not_blocks(step);
    if (!why.empty()) return why;
    const auto& stage = step.stages.front();
    return has_weights(stage) || factors_of(stage) ? "" : kTooManyWeights;
}

SampledProducts sampled_products(const Stage& stage) { return products_of(stage, factors_of(stage)); }

Cost sampled_cost(const ImageRequest& step, const SampledProducts& products, int every, Extent count,
                  const Engine& engine) {
    const auto all = reach(step.stages.front());
    const auto outputs = static_cast<double>(count.width) * static_cast<double>(count.height),
               channels = static_cast<double>(step.in.channels);
    // Laid out anew are rows of sums, or what each thread's outputs reach.
    const double between = std::min<double>(every, all.up + all.down + 1),
                 rows = products.separates() ? static_cast<double>(count.height)
                                             : static_cast<double>(count.height) * between +
                                                   threads_of(engine) * (all.up + all.down),
                 columns = static_cast<double>(count.width) * every + all.left + all.right;
    const Speed speed;
    constexpr double kSorting = 4;    // times what widening a sample takes
    constexpr double kTapsPerUs = 40; // prepared, by one thread
    const double tap_count = products.separates() ? products.down : products.listed;
    return {tap_count / kTapsPerUs + (outputs * channels * products.of(every) / speed.taps_per_us +
                                      outputs * channels / speed.samples_per_us +
                                      kSorting * rows * columns * channels / speed.samples_per_us) /
                                         threads_of(engine)};
}

std::shared_ptr<const Plan> sampled_plan(const ImageRequest& step, int every, const Engine& engine) {
    return std::make_shared<SampledPlan>(step, every, threads_of(engine));
}

} // namespace kg::cpu
