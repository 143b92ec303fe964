#pragma once
// Columns first, then rows, in one launch: shared by `separable_fused` (one kernel) and `gradient` (two).
// A block computes a chunk of some output rows, several rows at a time. Down the columns, a thread reads four
// neighbouring samples of each row that the outputs reach, straight from the image, issues all loads before
// it needs the first, and keeps the outputs' sums in registers. Rows that the next outputs read again come
// from the nearest cache. Along the rows, the column sums lie in shared memory, and a thread slides a window
// over them as `tiled` does. The image is read at 16-byte boundaries, so the rows' taps begin with up to
// three zeros.

#include "gpu/kernels/columns.cuh"
#include "gpu/kernels/factored.hpp"
#include "gpu/kernels/tile.cuh"
#include "gpu/runtime/device.hpp"

namespace kg::gpu {

inline constexpr int kFactoredThreads = 128; // threads per block
inline constexpr int kManyBlocks = 2000;

/// Outputs of a column that a thread sums together; limited by the number of registers.
__host__ __device__ constexpr int rows_at_once(int kernels) { return kernels == 1 ? 8 : 4; }

/// Division of a launch; lengths along a row are in samples.
struct FactoredShape {
    int blocks_across;
    int samples; ///< outputs of a block's row
    int lead;    ///< zero taps before a row's own taps
    int pad;     ///< from the first sample that is read to the block's first output
    int groups;  ///< groups of four column sums in a row
    int rows;    ///< output rows per block
    int pitch;   ///< pitch of the column sums' rows, in float4
};

/// Number of zero taps before a row's own taps. They make the distance from the first tap to the output a
/// multiple of four samples.
constexpr int lead_of(int left, int channels) {
    int lead = 0;
    while ((left + lead) * channels % 4 != 0) ++lead;
    return lead;
}

/// `Premultiply`: alpha-weighted sums (gpu/kernels/alpha_weighting.cuh).
template <typename In, int Channels, int Kernels, bool Premultiply = false>
__global__ void __launch_bounds__(kFactoredThreads, 4)
    filter_factored(const __grid_constant__ StageParameters<kFewWeights> p,
                    const __grid_constant__ FactoredShape shape) {
    using W = Window<Channels>;
    constexpr int kRows = rows_at_once(Kernels);
    extern __shared__ float4 lines[]; // [Kernels][kRows][pitch]
    const auto& c = p.common;
    const auto& item = c.items[blockIdx.z];
    const int thread = static_cast<int>(threadIdx.x);
    const int first = static_cast<int>(blockIdx.x) % shape.blocks_across * shape.samples,
              begin = static_cast<int>(blockIdx.x) / shape.blocks_across * shape.rows,
              end = min(begin + shape.rows, c.dst_height);
    if (c.stop.raised_for_block()) return;

    const bool aligned = c.wide_loads && (c.dst_x - c.src_x) * Channels % 4 == 0;
    const int origin = c.dst_x * Channels + first - shape.pad;
    const int across = min(shape.samples, c.dst_width * Channels - first),
              windows = (across + W::kSamples - 1) / W::kSamples;
    for (int row = begin; row < end; row += kRows) {
        const int outputs = min(kRows, end - row);
        for (int group = thread; group < shape.groups; group += kFactoredThreads) {
            float sums[Kernels][kRows][4] = {};
            const FourColumns<In, Channels> columns(c, origin + 4 * group, aligned);
            column_sums<In, Channels, Kernels, Premultiply>(p, item, columns, c.dst_y + row - c.up, outputs,
                                                            sums);
#pragma unroll
            for (int k = 0; k < Kernels; ++k)
#pragma unroll
                for (int r = 0; r < kRows; ++r)
                    lines[(k * kRows + r) * shape.pitch + spread(group)] = {sums[k][r][0], sums[k][r][1],
                                                                            sums[k][r][2], sums[k][r][3]};
        }
        __syncthreads();
        for (int r = thread / kWarp; r < outputs; r += kFactoredThreads / kWarp)
            for (int window = thread % kWarp; window < windows; window += kWarp) {
                float values[W::kSamples] = {};
#pragma unroll
                for (int k = 0; k < Kernels; ++k) {
                    const auto& kernel = c.kernels[k];
                    float sums[W::kSamples] = {};
                    add_taps<In, Channels>(lines + (k * kRows + r) * shape.pitch, window * W::kGroups,
                                           p.weights + kernel.first + kernel.height, kernel.width, shape.lead,
                                           kernel.skip_zeros, sums);
                    if constexpr (!Premultiply) divide_in_less_code<In>(sums, kernel);
                    combine(c.combine, values, sums);
                }
                const int column = first / Channels + window * W::kPixels;
                if constexpr (Premultiply) finish_weighted<In>(c.kernels[0], values);
                else {
                    finish<Channels>(c, values);
                    pass_through<In, Channels>(c, item, column, row + r, values);
                }
                store_results<In, Channels>(c, item, column, row + r, values);
            }
        __syncthreads();
    }
}

/// Why a step's factors do not fit into a launch and a block's shared memory; empty if they do.
inline std::string why_not_fused(const ImageStep& step, int kernels) {
    const auto all = reach(step.stages.front());
    const int lead = lead_of(all.left, step.in.channels);
    return kernels * (lead + all.left + all.right + 1 + all.up + all.down + 1) > kFewWeights
               ? "its weights travel with the launch: the kernels' heights and widths may add up to at "
                 "most " +
                     std::to_string(kFewWeights)
               : "";
}

template <int Kernels>
class FactoredPlan final : public StagePlan {
public:
    explicit FactoredPlan(const ImageStep& step)
        : StagePlan(step, pack_factors(step, lead_of(reach(step.stages.front()).left, step.in.channels))),
          channels_(step.in.channels) {
        kernel_ = with_inputs(step.in.depth, [&](auto in) {
            return with_channels(channels_, [&](auto channels) {
                return kernel_for<decltype(in), decltype(channels)::value>();
            });
        });
    }

private:
    /// Null for what neither `separable_fused` nor `gradient` asks for, as code is limited.
    template <typename In, int Channels>
    const void* kernel_for() const {
        if constexpr (Kernels == 1 && Channels == 4 && std::is_integral_v<In>)
            if (is_alpha_weighted(step()))
                return reinterpret_cast<const void*>(&filter_factored<In, Channels, Kernels, true>);
        constexpr bool kIsFloat = std::is_same_v<In, float>, kIsByte = sizeof(In) == 1;
        if constexpr (Kernels > 1 ? Channels != 2 : Channels == 2 ? kIsFloat : kIsByte)
            return reinterpret_cast<const void*>(&filter_factored<In, Channels, Kernels>);
        else return nullptr;
    }

    /// Divides the outputs' width into as few equal blocks as there are threads for (twice), in whole
    /// windows.
    FactoredShape shape_of(const StageCommon& c) const {
        const int step = pixels_per_thread(channels_) * channels_;
        const int taps = c.kernels[0].width, halo = (taps - 1) * channels_;
        const int groups = halo <= kFactoredThreads ? kFactoredThreads : 2 * kFactoredThreads;
        const int most = std::max(4 * groups - halo, 2 * kFactoredThreads) / step * step;
        const int samples = c.dst_width * channels_;
        FactoredShape shape{};
        shape.blocks_across = (samples + most - 1) / most;
        shape.samples = ((samples + shape.blocks_across - 1) / shape.blocks_across + step - 1) / step * step;
        shape.lead = lead_of(c.left, channels_);
        shape.pad = -c.kernels[0].dx * channels_;
        shape.groups = (shape.samples + halo + 3) / 4;
        shape.pitch = spread((shape.samples + (taps + step) * channels_) / 4) + 1;
        // High enough that few rows are read by two blocks; low enough that the GPU runs several waves of
        // blocks, because the last wave occupies few multiprocessors.
        shape.rows = c.reach_height <= 16 ? 32 : 64;
        while (shape.rows > rows_at_once(Kernels) &&
               shape.blocks_across * (c.dst_height / shape.rows) < kManyBlocks)
            shape.rows /= 2;
        return shape;
    }

    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        const auto& c = parameters.common;
        auto shape = shape_of(c);
        const auto blocks = std::int64_t{shape.blocks_across} *
                            ((c.dst_height + shape.rows - 1) / shape.rows);
        const auto bytes = std::size_t{16} * Kernels * rows_at_once(Kernels) *
                           static_cast<std::size_t>(shape.pitch);
        void* arguments[] = {&parameters, &shape};
        queue.launch(kernel_, {static_cast<unsigned>(blocks), 1, count}, {kFactoredThreads}, bytes,
                     arguments);
    }

    int channels_;
    const void* kernel_;
};

} // namespace kg::gpu
