// Computes every n-th output. Outputs n pixels apart share few samples, and their neighbours in a row are n
// pixels apart too, so no vector could be loaded directly. Rows are therefore laid out again: first every
// n-th pixel from the first one reached, then every n-th from the second, and so on. A tap is then a run of
// adjacent samples again, and the loops of `direct` and `separable` sum it with the same taps in the same
// order. The layout keeps the stored depth: bytes are a quarter of the data that floats would be. Separable
// kernels sum their columns from the image itself, and only the rows of sums are laid out again.

#include "cpu/runtime/sampled_plan.hpp"

#include "core/image/weights.hpp"
#include "cpu/engine.hpp"
#include "cpu/kernels/rows.hpp"
#include "cpu/kernels/sampled_products.hpp"
#include "cpu/kernels/sampled_rows.hpp"
#include "cpu/runtime/block_plan.hpp"
#include "cpu/runtime/block_source.hpp"
#include "cpu/runtime/host_queue.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace kg::cpu {

namespace {

class SampledPlan final : public Plan, public std::enable_shared_from_this<SampledPlan> {
public:
    SampledPlan(const ImageStep& step, int every, int threads)
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
                    // One large chunk per thread: each reads rows above and below it that other chunks read
                    // as well.
                    const std::int64_t chunk = (to.size.height + self->threads_ - 1) / self->threads_;
                    parallel_rows(context, to.size.height, chunk, [&](std::int64_t v0, std::int64_t v1) {
                        auto* ring = memory ? memory + static_cast<std::size_t>(v0 / chunk) * share : nullptr;
                        self->filter_rows(context, work, ring, source, to, item.dst.covers, v0, v1);
                    });
                });
    }

private:
    RowLayout layout_of(std::int64_t width) const {
        // Samples are widened where they are summed; half floats are widened before.
        const auto depth = step_.in.depth == Depth::f16 ? Depth::f32 : step_.in.depth;
        return {{every_, step_.in.channels, reach_.left + reach_.right, width},
                depth,
                reach_.up + reach_.down + 1,
                reach_.up};
    }

    /// For all rows of one width.
    struct RowWork {
        RowLayout layout;
        std::vector<BlockTaps> sums;
        Finish finish;
    };

    RowWork work_for(std::int64_t width) const {
        const auto& stage = step_.stages.front();
        RowWork work;
        work.layout = layout_of(width);
        const auto& classes = work.layout.classes;
        work.finish.combine = stage.combine;
        for (std::size_t k = 0; k < stage.kernels.size(); ++k) {
            const auto t = taps(stage.kernels[k]);
            // The distance in pixels of the kernel's column j from the first column that the stage reaches.
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

    /// Output rows [v0, v1) of `to`, which is the rectangle `covers` of the small image.
    void filter_rows(const HostQueue::Context& context, const RowWork& work, std::byte* ring,
                     const SourceRows& source, const ImageView& to, const Rect& covers, std::int64_t v0,
                     std::int64_t v1) const {
        const std::int64_t channels = step_.in.channels, width = to.size.width,
                           first_column = covers.x * every_ - reach_.left;
        const auto& classes = work.layout.classes;
        const auto samples = static_cast<std::size_t>(width * channels);
        // The sums down the columns: outputs, or all columns that they reach.
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
        const auto interval = check_interval(products);
        const auto computed = computed_channels(step_);

        for (auto v = v0; v < v1; v += kBlockRows) {
            const auto wanted = std::min<std::int64_t>(kBlockRows, v1 - v), y = (covers.y + v) * every_;
            if (listed) listed->go_to(y, wanted, context.stop);
            for (std::size_t k = 0; k < work.sums.size(); ++k) {
                auto* out = lines.data() + k * kBlockRows * stride;
                if (columns) columns->sums(work.sums[k], y, out, stride, interval, context.stop);
                else listed->sums(work.sums[k], out, sums, stride, interval, context.stop);
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

    const ImageStep step_;
    const std::int64_t every_;
    const int threads_;
    const Reach reach_;
    const std::optional<std::vector<Factors>> factors_; ///< columns, then rows; otherwise tap by tap
};

} // namespace

std::string why_not_sampled(const ImageStep& step) {
    auto why = why_not_blocks(step);
    if (!why.empty()) return why;
    const auto& stage = step.stages.front();
    return has_weights(stage) || sampled_products(stage).is_separable ? "" : kTooManyWeights;
}

std::shared_ptr<const Plan> sampled_plan(const ImageStep& step, int every, const Engine& engine) {
    return std::make_shared<SampledPlan>(step, every, threads_of(engine));
}

} // namespace kg::cpu
