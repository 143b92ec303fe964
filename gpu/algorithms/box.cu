// Box filter: sums down the columns and then along the rows in one launch, with the samples common to
// neighbouring windows summed once.
//
// Eight neighbouring windows of `size` samples share all but seven samples at each end. A thread sums the
// middle once and extends it sample by sample towards both ends, and so adds size / 8 + 2 samples per output
// instead of `size`. Nothing is subtracted, so the rounding of a large sample affects no other window, and
// NaN reaches only the windows that contain it (semantics 10 and 12). The grouping of windows is counted from
// the image's corner, so that any rectangle has the bytes of the whole. Integers are summed exactly, as
// integers.
//
// For f32 x 1 on an H200 it takes less time than the separable algorithms from 31 x 31 to 101 x 101
// (docs/results/h200-bench-box.json). Small boxes share few samples, and for very large ones `separable`
// reads less.
//
// The layout is that of `separable_fused` (gpu/kernels/factored.cuh): column sums straight from the image
// into shared memory, then sums along the rows.

#include "core/request/separate.hpp"
#include "core/request/step.hpp"
#include "gpu/kernels/columns.cuh"
#include "gpu/kernels/factored.cuh"
#include "gpu/runtime/device.hpp"

#include <algorithm>

namespace kg::gpu {

namespace {

constexpr int kWindows = 8; // neighbouring outputs of a column

struct BoxShape {
    FactoredShape divided;
    int width, height; ///< the window
    float weight, divisor;
    bool exact; ///< sums are below 2^24
};

/// The windows of four columns, kWindows below each other: sums[w] = samples w to w + size - 1, where load(i)
/// reads sample i.
template <typename Sum, typename Load>
__device__ void column_windows(int size, Load load, Sum (&sums)[kWindows][4]) {
    const auto add = [](Sum(&to)[4], const Sum(&more)[4]) {
#pragma unroll
        for (int s = 0; s < 4; ++s) to[s] += more[s];
    };
    Sum sample[4];
    if (size < kWindows) {
        for (int i = 0; i < size + kWindows - 1; ++i) {
            load(i, sample);
#pragma unroll
            for (int w = 0; w < kWindows; ++w)
                if (i >= w && i < w + size) add(sums[w], sample);
        }
        return;
    }
    Sum end[4] = {}, middle[4] = {};
#pragma unroll
    for (int w = kWindows - 2; w >= 0; --w) { // the upper ends, from the middle outwards
        load(w, sample);
        add(end, sample);
        add(sums[w], end);
    }
#pragma unroll 4
    for (int i = kWindows - 1; i < size; ++i) {
        load(i, sample);
        add(middle, sample);
    }
    add(sums[0], middle);
#pragma unroll
    for (int s = 0; s < 4; ++s) end[s] = Sum{};
#pragma unroll
    for (int w = 1; w < kWindows; ++w) { // the lower ends
        load(size + w - 1, sample);
        add(end, sample);
        add(sums[w], middle);
        add(sums[w], end);
    }
}

/// The adjacent windows of a thread's pixels: the w-th holds pixels lead + w to lead + w + size - 1 of a
/// line, counted from `group`. Pixels common to all windows are summed once.
template <int Channels, typename Sum>
__device__ void row_windows(const Sum* line, int group, int lead, int size,
                            Sum (&sums)[Window<Channels>::kSamples]) {
    using W = Window<Channels>;
    Sum middle[Channels] = {};
    for (int begin = 0; begin < lead + size + W::kPixels - 1; begin += W::kPixels, group += W::kGroups) {
        Sum sample[W::kSamples];
#pragma unroll
        for (int g = 0; g < W::kGroups; ++g)
#pragma unroll
            for (int s = 0; s < 4; ++s) sample[4 * g + s] = line[4 * spread(group + g) + s];
        const bool in_all = begin >= lead + W::kPixels - 1 && begin + W::kPixels <= lead + size;
        if (in_all) {
#pragma unroll
            for (int s = 0; s < W::kSamples; ++s) middle[s % Channels] += sample[s];
            continue;
        }
#pragma unroll
        for (int j = 0; j < W::kPixels; ++j)
#pragma unroll
            for (int w = 0; w < W::kPixels; ++w)
                if (const int at = begin + j - lead - w; at >= 0 && at < size)
#pragma unroll
                    for (int c = 0; c < Channels; ++c) sums[w * Channels + c] += sample[j * Channels + c];
    }
#pragma unroll
    for (int s = 0; s < W::kSamples; ++s) sums[s] += middle[s % Channels];
}

template <typename In, typename Sum, int Channels>
__global__ void __launch_bounds__(kFactoredThreads, 4)
    filter_box(const __grid_constant__ StageCommon c, const __grid_constant__ BoxShape box) {
    using W = Window<Channels>;
    extern __shared__ float4 memory[]; // [kWindows][pitch] of four column sums
    auto* lines = reinterpret_cast<Sum*>(memory);
    const auto& shape = box.divided;
    const auto& item = c.items[blockIdx.z];
    const int thread = static_cast<int>(threadIdx.x);
    // Groups of windows summed together begin at multiples of their size in the image.
    const int skip_x = c.dst_x % W::kPixels, skip_y = c.dst_y % kWindows;
    const int first = static_cast<int>(blockIdx.x) % shape.blocks_across * shape.samples - skip_x * Channels,
              begin = static_cast<int>(blockIdx.x) / shape.blocks_across * shape.rows - skip_y,
              end = min(begin + shape.rows, c.dst_height);
    if (c.stop.raised_for_block()) return;

    const bool aligned = c.wide_loads && c.src_x * Channels % 4 == 0;
    const int origin = c.dst_x * Channels + first - shape.pad;
    const int across = min(shape.samples, c.dst_width * Channels - first),
              windows = (across + W::kSamples - 1) / W::kSamples;
    for (int row = begin; row < end; row += kWindows) {
        for (int group = thread; group < shape.groups; group += kFactoredThreads) {
            const FourColumns<In, Channels> columns(c, origin + 4 * group, aligned);
            // Rows that no output needs may lie outside the source rectangle.
            const int top = c.dst_y + row - c.up, least = max(0, -row),
                      most = min(kWindows, c.dst_height - row) + box.height - 2;
            Sum sums[kWindows][4] = {};
            if (columns.together() && top + least >= 0 && top + most < c.height) {
                const auto* line = item.src + std::int64_t{top - c.src_y} * item.src_pitch;
                const auto load = [&](int i, Sum(&to)[4]) {
                    assert(has_row(c, top + max(least, min(i, most))));
                    columns.read_together(line + max(least, min(i, most)) * item.src_pitch, to);
                };
                column_windows(box.height, load, sums);
            } else {
                const auto load = [&](int i, Sum(&to)[4]) {
                    const int y = i >= least && i <= most ? index_at_border(c.border, top + i, c.height) : -1;
                    assert(y < 0 || has_row(c, y));
                    columns.read(y < 0 ? nullptr : item.src + std::int64_t{y - c.src_y} * item.src_pitch, to);
                };
                column_windows(box.height, load, sums);
            }
#pragma unroll
            for (int w = 0; w < kWindows; ++w) {
                auto* to = lines + 4 * (w * shape.pitch + spread(group));
#pragma unroll
                for (int s = 0; s < 4; ++s) to[s] = sums[w][s];
            }
        }
        __syncthreads();
        for (int r = thread / kWarp; r < min(kWindows, end - row); r += kFactoredThreads / kWarp) {
            if (row + r < 0) continue;
            for (int window = thread % kWarp; window < windows; window += kWarp) {
                Sum sums[W::kSamples] = {};
                row_windows<Channels>(lines + 4 * r * shape.pitch, window * W::kGroups, shape.lead, box.width,
                                      sums);
                float values[W::kSamples];
#pragma unroll
                for (int s = 0; s < W::kSamples; ++s) {
                    if (std::is_same_v<Sum, float> || box.exact)
                        values[s] = quotient(box.weight * static_cast<float>(sums[s]), box.divisor);
                    else
                        values[s] = static_cast<float>(static_cast<double>(sums[s]) *
                                                       static_cast<double>(box.weight) /
                                                       static_cast<double>(box.divisor));
                }
                finish<Channels>(c, values);
                const int column = first / Channels + window * W::kPixels;
                pass_through<In, Channels>(c, item, column, row + r, values);
                store_results<In, Channels>(c, item, column, row + r, values);
            }
        }
        __syncthreads();
    }
}

/// Whether integer sums fit into 32 bits.
bool sums_fit(const ImageStep& step) {
    const auto& kernel = step.stages.front().kernels.front();
    return !is_integer(step.in.depth) ||
           static_cast<double>(kernel.width) * kernel.height * full_scale(step.in) < 0x1p32;
}

/// Division of a launch for a rectangle of outputs `width` pixels wide.
FactoredShape shape_of(const ImageStep& step, int width, int height) {
    const auto& kernel = step.stages.front().kernels.front();
    const auto all = reach(step.stages.front());
    const int channels = step.in.channels, pixels = pixels_per_thread(channels), samples = pixels * channels;
    FactoredShape shape{};
    shape.lead = lead_of(all.left, channels);
    shape.pad = (all.left + shape.lead) * channels;
    const int halo = (kernel.width - 1 + shape.lead) * channels;
    // A larger row amortises a large halo over more outputs.
    const int most = std::max(4 * kFactoredThreads - halo,
                              std::min(halo, 8 * kFactoredThreads) + 2 * kFactoredThreads) /
                     samples * samples;
    const int row = (width + pixels - 1) * channels; // including the outputs before the first one requested
    shape.blocks_across = (row + most - 1) / most;
    shape.samples = ((row + shape.blocks_across - 1) / shape.blocks_across + samples - 1) / samples * samples;
    shape.groups = (shape.samples + halo + 3) / 4;
    shape.pitch = spread((shape.samples + halo + samples) / 4) + 1;
    shape.rows = kernel.height <= 16 ? 32 : 64;
    while (shape.rows > kWindows && shape.blocks_across * (height / shape.rows) < kManyBlocks)
        shape.rows /= 2;
    return shape;
}

std::size_t shared_bytes(const FactoredShape& shape) {
    return std::size_t{16} * kWindows * static_cast<std::size_t>(shape.pitch);
}

class BoxPlan final : public StagePlan {
public:
    BoxPlan(const ImageStep& step, const Engine& engine) : StagePlan(step, {common_of(step), {}}) {
        const auto& stage = step.stages.front();
        const auto t = taps(stage.kernels.front());
        box_.width = t.width, box_.height = t.height;
        box_.weight = flat_weight(stage), box_.divisor = t.divisor;
        box_.exact = sums_exactly(stage, full_scale(step.in));
        kernel_ = with_inputs(step.in.depth, [&](auto in) {
            using In = decltype(in);
            using Sum = std::conditional_t<std::is_integral_v<In>, std::uint32_t, float>;
            return with_channels(step.in.channels, [&](auto channels) {
                return reinterpret_cast<const void*>(&filter_box<In, Sum, decltype(channels)::value>);
            });
        });
        allow_shared_memory(kernel_, engine);
    }

private:
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        auto& c = parameters.common;
        auto box = box_;
        box.divided = shape_of(step(), c.dst_width, c.dst_height);
        const auto& shape = box.divided;
        const int rows = c.dst_height + c.dst_y % kWindows;
        const auto blocks = std::int64_t{shape.blocks_across} * ((rows + shape.rows - 1) / shape.rows);
        c.wide_stores &= c.dst_x % pixels_per_thread(c.channels) == 0;
        void* arguments[] = {&c, &box};
        queue.launch(kernel_, {static_cast<unsigned>(blocks), 1, count}, {kFactoredThreads},
                     shared_bytes(shape), arguments);
    }

    BoxShape box_{};
    const void* kernel_;
};

std::string why_not(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step); !why.empty()) return why;
    if (auto why = why_not_box(step); !why.empty()) return why;
    if (!sums_fit(step)) return "sums of so many integers do not fit 32 bits";
    if (auto why = why_not_launch(step); !why.empty()) return why;
    return why_not_shared(shared_bytes(shape_of(step, static_cast<int>(step.size.width), 1)), engine);
}

constexpr Speeds kSpeeds{{14.9, 0.183e6, 22.6e6}, {13.1, 0.238e6, 20.6e6}};

Cost cost(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    return {stage_microseconds(step, kSpeeds, factor_taps(step))};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    return std::make_shared<BoxPlan>(std::get<ImageStep>(request), engine);
}

} // namespace

extern const Algorithm kBox{"box",
                            "Box",
                            "Windows of one weight; samples common to neighbouring windows are summed once",
                            "docs/semantics.md 9, 11 and 12",
                            why_not,
                            cost,
                            plan};

} // namespace kg::gpu
