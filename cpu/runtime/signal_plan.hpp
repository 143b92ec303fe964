#pragma once
// A plan that computes the outputs of signals chunk by chunk on all threads. Chunks begin at multiples of
// their length in the whole signal, so an output has the same bytes whatever is computed beside it.

#include "core/plan/engine.hpp"
#include "core/request/signal_sum.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"
#include "cpu/runtime/signal_line.hpp"

#include <algorithm>
#include <vector>

namespace kg::cpu {

/// T is the type of samples, taps and outputs. Held by shared pointers, as a task may outlive the caller's.
template <typename T>
class SignalPlan : public Plan, public std::enable_shared_from_this<SignalPlan<T>> {
public:
    Needs needs(const Rect& output) const final {
        const Span outputs{output.x, output.right()};
        const auto samples = source_samples(request_, reads_chunks_ ? chunks_around(outputs) : outputs);
        return {{samples.begin, output.y, samples.end - samples.begin, output.height}, 0, 1};
    }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const final {
        auto& host = static_cast<HostQueue&>(queue);
        for (const auto& item : items)
            host.enqueue([&host, self = this->shared_from_this(), item](const HostQueue::Context& context) {
                self->run(host, item, context);
            });
    }

protected:
    /// `chunk` is the number of outputs per chunk. Where `reads_chunks`, outputs depend on all samples of
    /// their chunk, such as a frame of a Fourier transform.
    SignalPlan(const SignalRequest& request, std::int64_t chunk, bool reads_chunks = false)
        : request_(request), first_(first_sample(request)), taps_(placed_taps<T>(request)), chunk_(chunk),
          reads_chunks_(reads_chunks) {}

    const SignalRequest request_;
    const std::int64_t first_; ///< the sample under the first tap at output 0
    const std::vector<PlacedTap<T>> taps_;

    std::int64_t chunk() const { return chunk_; }
    /// The chunks that contain these outputs.
    Span chunks_around(Span outputs) const {
        return {outputs.begin / chunk_ * chunk_,
                std::min(((outputs.end - 1) / chunk_ + 1) * chunk_, output_count(request_))};
    }

private:
    /// Outputs of one signal, within one chunk: out[0] is the first of them.
    virtual void compute(const SignalLine<T>& line, Span outputs, T* out) const = 0;

    void run(const HostQueue& host, const Item& item, const HostQueue::Context& context) const {
        constexpr std::int64_t kOutputsPerTask = 4096;
        const auto from = host.image(item.src), to = host.image(item.dst);
        const Rect wanted = item.dst.covers, held = item.src.covers;
        const auto first_chunk = wanted.x / chunk_, chunks = (wanted.right() - 1) / chunk_ + 1 - first_chunk;
        const auto body = [&](std::int64_t begin, std::int64_t end) {
            std::vector<T> row;
            for (auto task = begin; task < end; ++task) {
                const auto y = task / chunks, chunk_begin = (first_chunk + task % chunks) * chunk_;
                const SignalLine<T> line{
                    from.data + static_cast<std::size_t>(wanted.y + y - held.y) * from.pitch,
                    item.src.tensor->column_stride,
                    {held.x, held.right()},
                    request_.samples,
                    request_.border,
                    request_.border == Border::constant ? static_cast<T>(request_.outside) : T{}};
                const Span outputs{std::max(chunk_begin, wanted.x),
                                   std::min(chunk_begin + chunk_, wanted.right())};
                auto* at = to.data + static_cast<std::size_t>(y) * to.pitch +
                           static_cast<std::size_t>(outputs.begin - wanted.x) *
                               item.dst.tensor->column_stride;
                write(line, outputs, row, at, item.dst.tensor->column_stride);
            }
        };
        const auto width = std::min(chunk_, wanted.width);
        parallel_rows(context, wanted.height * chunks, std::max<std::int64_t>(1, kOutputsPerTask / width),
                      body);
    }

    /// Computes in place where outputs lie next to each other, and through `row` where they do not.
    void write(const SignalLine<T>& line, Span outputs, std::vector<T>& row, std::byte* at,
               std::size_t stride) const {
        if (stride == sizeof(T) && reinterpret_cast<std::uintptr_t>(at) % alignof(T) == 0)
            return compute(line, outputs, reinterpret_cast<T*>(at));
        row.resize(static_cast<std::size_t>(outputs.end - outputs.begin));
        compute(line, outputs, row.data());
        for (const T& value : row) {
            std::memcpy(at, &value, sizeof value);
            at += stride;
        }
    }

    std::int64_t chunk_;
    bool reads_chunks_;
};

/// The plan PlanOf<T> for the type of the request's taps.
template <template <typename> class PlanOf>
std::shared_ptr<const Plan> make_signal_plan(const PlanStep& step) {
    const auto& request = std::get<SignalRequest>(step);
    return std::visit(
        [&]<typename T>(const std::vector<T>&) -> std::shared_ptr<const Plan> {
            return std::make_shared<PlanOf<T>>(request);
        },
        request.taps);
}

/// What an algorithm computes that sums every tap of every output but zeros, of which echoes have many.
inline double signal_products(const SignalRequest& request) {
    const auto taps = std::visit(
        [](const auto& all) { return std::ranges::count_if(all, [](auto tap) { return tap != 0; }); },
        request.taps);
    return static_cast<double>(output_count(request)) * static_cast<double>(request.signals) *
           static_cast<double>(taps);
}

} // namespace kg::cpu
