#include "cpu/kernels/pairwise_box.hpp"

#include "core/support/stop.hpp"
#include "cpu/kernels/line_sums.hpp"
#include "cpu/kernels/rows.hpp"
#include "cpu/runtime/host_queue.hpp"

#include <algorithm>
#include <vector>

namespace kg::cpu {

namespace {

constexpr std::int64_t kKeptFloats = 128 * 1024; // 512 KiB of a 1 to 2 MiB L2

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

/// The last rows of an image and their sums over 2, 4, 8 ... rows.
class RowPyramid {
public:
    RowPyramid(std::int64_t size, std::size_t samples) : size_(size), terms_(terms(size)), samples_(samples) {
        for (std::int64_t level = 0; level <= terms_.front().level; ++level)
            levels_.emplace_back(static_cast<std::size_t>(kept(level)) * samples);
    }

    /// The buffer for row number `r` (from 0, in order), to be filled before push(r).
    float* place(std::int64_t r) { return row(0, r); }

    /// Adds row r to the sums.
    void push(std::int64_t r) {
        for (std::int64_t level = 1; level <= terms_.front().level; ++level) {
            const auto half = std::int64_t{1} << (level - 1), first = r - 2 * half + 1;
            if (first < 0) return;
            add_rows(row(level - 1, first), row(level - 1, first + half), samples_, row(level, first));
        }
    }

    /// The sum of the `size` rows that end with r, the last row pushed.
    void window(std::int64_t r, float* out) {
        const auto first = r - size_ + 1;
        const float* sum = row(terms_.front().level, first);
        if (terms_.size() == 1) std::copy_n(sum, samples_, out);
        for (std::size_t i = 1; i < terms_.size(); ++i, sum = out)
            add_rows(sum, row(terms_[i].level, first + terms_[i].offset), samples_, out);
    }

private:
    /// Rows of a level that are still needed: the next level reaches back by its doubled length, a window by
    /// less.
    static std::int64_t kept(std::int64_t level) { return (std::int64_t{1} << level) + 1; }
    float* row(std::int64_t level, std::int64_t r) {
        return levels_[static_cast<std::size_t>(level)].data() +
               static_cast<std::size_t>(r % kept(level)) * samples_;
    }

    std::int64_t size_;
    std::vector<Term> terms_;
    std::size_t samples_;
    std::vector<std::vector<float>> levels_;
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

std::int64_t stripe_samples(const Kernel& kernel) { return kKeptFloats / (2 * kernel.height + 8); }

class PairwisePlan final : public Plan {
public:
    PairwisePlan(const ImageStep& step, float weight)
        : step_(step), taps_(taps(step.stages.front().kernels.front())), along_(terms(taps_.width)),
          weight_(weight) {}

    Needs needs(const Rect& output) const override {
        return {source_rect(step_.stages.front(), step_.border, step_.size, output), 0, 1};
    }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& host = static_cast<HostQueue&>(queue);
        const auto self = std::make_shared<PairwisePlan>(*this); // the task may outlive the caller's plan
        for (const auto& item : items)
            host.enqueue([&host, self, item](const HostQueue::Context& context) {
                const SourceRows source{host.image(item.src), item.src.covers, self->step_.size,
                                        self->step_.border};
                const auto to = host.image(item.dst);
                const auto rows = std::max<std::int64_t>(128, 8 * self->taps_.height);
                parallel_rows(context, to.size.height, rows, [&](std::int64_t y0, std::int64_t y1) {
                    self->filter_rows(context, source, to, item.dst.covers, y0, y1);
                });
            });
    }

private:
    /// Output rows [y0, y1) of dst, stripe by stripe, so that the kept rows stay in the cache.
    void filter_rows(const HostQueue::Context& context, const SourceRows& source, const ImageView& to,
                     const Rect& dst_covers, std::int64_t y0, std::int64_t y1) const {
        const std::int64_t channels = step_.in.channels, halo = taps_.width - 1;
        const auto stripe = std::min(to.size.width,
                                     stripe_samples(step_.stages.front().kernels.front()) / channels - halo);
        const auto computed = computed_channels(step_);
        const auto offsets = offset_row(step_, static_cast<std::size_t>(stripe * channels));
        std::vector<float> line(static_cast<std::size_t>((stripe + halo) * channels)), out(offsets.size()),
            centre(offsets.size());
        for (std::int64_t x0 = 0; x0 < to.size.width; x0 += stripe) {
            const auto width = std::min(stripe, to.size.width - x0), samples = width * channels;
            const auto left = dst_covers.x + x0 - taps_.left(), top = dst_covers.y + y0 - taps_.up();
            RowPyramid rows(taps_.height, static_cast<std::size_t>((width + halo) * channels));
            for (std::int64_t r = 0; r < y1 - y0 + taps_.height - 1; ++r) {
                throw_if_stopped(context.stop);
                source.read(top + r, left, width + halo, rows.place(r));
                rows.push(r);
                const auto y = y0 + r - (taps_.height - 1);
                if (y < y0) continue;
                rows.window(r, line.data());
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

    ImageStep step_;
    Taps taps_;
    std::vector<Term> along_;
    float weight_;
};

} // namespace

bool pairwise_box_fits(const ImageStep& step) {
    const auto& kernel = step.stages.front().kernels.front();
    return stripe_samples(kernel) >= std::int64_t{4} * kernel.width * step.in.channels;
}

std::shared_ptr<const Plan> pairwise_box(const ImageStep& step, float weight) {
    return std::make_shared<PairwisePlan>(step, weight);
}

} // namespace kg::cpu
