// Outputs that lie n pixels apart share few samples, and neighbours in a row lie n pixels apart, too: no vector could be
// loaded as it is. So rows are laid out anew, first every n-th pixel from the first reached on, then every n-th from the
// second, and so on. There a tap is a run of neighbours again, and the loops of `direct` and `separable` sum it, with the same
// taps in the same order. They are laid out as they are stored: of bytes a quarter of what floats would be moves. Of separable
// kernels the columns are summed as the rows lie in the picture, and only the rows of sums are laid out anew.

#include "cpu/runtime/sampled_plan.hpp"

#include "core/image/weights.hpp"
#include "cpu/runtime/block_plan.hpp"
#include "cpu/runtime/block_source.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"
#include "cpu/kernels/rows.hpp"
#include "cpu/kernels/sampled_products.hpp"
#include "cpu/kernels/sampled_rows.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace kg::cpu {

namespace {

class SampledPlan final : public Plan, public std::enable_shared_from_this<SampledPlan> {
public:
    SampledPlan(const ImageRequest& step, int every, int threads)
        : step_(step), every_(every), threads_(threads), reach_(reach(step.stages.front())),
          factors_(sampled_factors(step.stages.front())) {
        algorithm = factors_ ? "separable" : "direct";
        reason = "every " + std::to_string(every) + ". output of every " + std::to_string(every) + ". row";
    }

    Needs needs(const Rect& output) const override {
        const Rect outputs{output.x * every_, output.y * every_, (output.width - 1) * every_ + 1,
                           (output.height - 1) * every_ + 1};
        return {source_rect(step_.stages.front(), step_.border, step_.size, outputs),
                factors_ ? 0 : static_cast<std::size_t>(threads_) * layout_of(output.width).bytes_kept(), 1};
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
                    const auto share = work.layout.bytes_kept();
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
    RowLayout layout_of(std::int64_t width) const {
        // Samples are widened where they are summed; halves nobody sums as they are.
        const auto depth = step_.in.depth == Depth::f16 ? Depth::f32 : step_.in.depth;
        return {{every_, step_.in.channels, reach_.left + reach_.right, width},
                depth,
                reach_.up + reach_.down + 1,
                reach_.up};
    }

    /// For all rows of one width.
    struct Work {
        RowLayout layout;
        std::vector<BlockTaps> sums;
        Finish finish;
    };

    Work work_for(std::int64_t width) const {
        const auto& stage = step_.stages.front();
        Work work;
        work.layout = layout_of(width);
        const auto& classes = work.layout.classes;
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

    /// Output rows [v0, v1) of `to`, which is the small picture's rectangle `covers`.
    void filter_rows(const HostQueue::Context& context, const Work& work, std::byte* ring,
                     const SourceRows& source, const ImageView& to, const Rect& covers, std::int64_t v0,
                     std::int64_t v1) const {
        const std::int64_t channels = step_.in.channels, width = to.size.width,
                           first_column = covers.x * every_ - reach_.left;
        const auto& classes = work.layout.classes;
        const auto samples = static_cast<std::size_t>(width * channels);
        // What is summed down the columns: outputs, or all columns that they reach.
        const auto sums = factors_ ? static_cast<std::size_t>(classes.row_pixels() * channels) : samples;
        const auto stride = sums + kRowSlack;
        std::optional<BlockSource> columns;
        std::optional<SampledRows> listed;
        if (factors_)
            columns.emplace(source, Reach{0, 0, reach_.up, reach_.down},
                            Span{first_column, first_column + classes.row_pixels()},
                            Span{(covers.y + v0) * every_, (covers.y + v1 - 1) * every_ + 1}, context.stop,
                            every_);
        else listed.emplace(work.layout, ring, source, first_column);
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
    return has_weights(stage) || sampled_products(stage).is_separable ? "" : kTooManyWeights;
}

std::shared_ptr<const Plan> sampled_plan(const ImageRequest& step, int every, const Engine& engine) {
    return std::make_shared<SampledPlan>(step, every, threads_of(engine));
}

} // namespace kg::cpu
