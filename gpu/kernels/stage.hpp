#pragma once
// A filtering step as the parameters of a launch, weights and all: uniform operands, nothing shared between launches.

#include "core/plan/engine.hpp"
#include "core/image/sample.hpp"
#include "gpu/runtime/queue.hpp"

#include <cstdint>

namespace kg::gpu {

inline constexpr int kMostItems = 16;     // pictures in one launch
inline constexpr int kMostKernels = 8;    // combined by one stage
inline constexpr int kMostWeights = 7921; // 89 x 89
inline constexpr int kFewWeights = 256;   // of small stages, whose launches then carry 2 KB instead of 32
inline constexpr std::int64_t kLongestSide = std::int64_t{1}
                                             << 28; // so that a row's samples can be counted in 32 bits

/// One kernel of a stage. Its weights stand row by row from `first`; its first tap is `dx`, `dy` pixels from the output.
struct KernelShape {
    int first, width, height, dx, dy;
    float divisor;
    float
        reciprocal; ///< of the divisor, where sums are neither so large nor so small that dividing by it goes wrong; else 0
    bool skip_zeros; ///< a zero weight is no tap; only where it could let a NaN through
};

struct StageItem {
    const std::byte* src; ///< pixel (src_x, src_y) of the picture
    std::byte* dst;       ///< pixel (dst_x, dst_y)
    std::int64_t src_pitch, dst_pitch;
};

struct StageCommon {
    StageItem items[kMostItems];
    KernelShape kernels[kMostKernels];
    StopFlag stop;
    int src_x, src_y, src_width, src_height, dst_x, dst_y, dst_width, dst_height;
    int width, height; ///< of the whole picture
    int kernel_count, left, up, reach_width, reach_height;
    int channels, alpha;
    unsigned computed;
    float offset;
    Border border;
    Combine combine;
    bool wide_loads, wide_stores; ///< every row begins where 16 bytes may be read, or written, at once
};

/// Kernels are compiled for few and for most weights; the launch copies as much as the kernel declares.
template <int Capacity>
struct StageParameters {
    StageCommon common;
    float weights[Capacity];
};
static_assert(sizeof(StageParameters<kMostWeights>) <= 32764, "the most a launch can carry");

/// A step with everything decided that does not depend on where it runs.
struct PackedStage {
    StageCommon common{};
    std::vector<float> weights;
    bool few() const { return weights.size() <= kFewWeights; }
};

/// What a step says of its launches, kernels and rectangles aside.
StageCommon common_of(const ImageRequest& step);

/// 1 / divisor if integers are summed with weights and a divisor of ordinary size: such sums are 0 or far from where f32
/// ends, so dividing through the reciprocal rounds correctly. Else 0: floats may be anything.
float reciprocal_of(float divisor, std::span<const float> weights, Depth in);

/// `columns_in_common`: kernels of one stage get zero taps so that all begin at the same column.
PackedStage pack(const ImageRequest& step, bool columns_in_common);

/// Why a step's weights do not fit into a launch, or its picture not into one; empty if they do.
std::string why_not_packable(const ImageRequest& step);

/// Why a step's picture or kernels are too many or too long for one launch, its weights aside; empty if they are not.
std::string why_not_launch(const ImageRequest& step);

/// A copy of weights in the engine's memory, complete when this returns. Throws std::bad_alloc.
std::shared_ptr<CudaBuffer> device_copy(std::span<const float> weights, Engine& engine);

/// Why a block's shared memory cannot hold so many bytes; empty if it can.
std::string why_not_shared(std::size_t bytes, const Engine& engine);

/// Lets blocks of a kernel have all the shared memory that one block may ask for.
void allow_shared_memory(const void* kernel, const Engine& engine);

/// What a way of summing reaches on an H200 (docs/performance.md); good enough to rank.
struct Speed {
    double microseconds;   ///< until anything is there, however small the picture
    double samples_per_us; ///< read, put in place and written, whatever the kernel
    double taps_per_us;    ///< multiply-adds of samples, all multiprocessors together
};
/// Of pictures with one channel, and with more, whose threads own more samples.
struct Speeds {
    Speed one, several;
};
/// `taps`: for each output sample; of all kernels if it is left out.
double stage_microseconds(const ImageRequest& step, const Speeds& speeds);
double stage_microseconds(const ImageRequest& step, const Speeds& speeds, double taps);

/// What the ways of summing taps share: needs, and the items of a call in as few launches as they fit in.
class StagePlan : public Plan {
public:
    StagePlan(const ImageRequest& step, PackedStage packed) : step_(step), packed_(std::move(packed)) {}
    Needs needs(const Rect& output) const override;
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override;

protected:
    /// One launch, or a few, for `count` items; common.dst_* say which outputs. `parameters` may be changed. `scratch` is
    /// what needs() asked for, item after item.
    virtual void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                        std::byte* scratch) const = 0;
    const PackedStage& packed() const { return packed_; }
    const ImageRequest& step() const { return step_; }

private:
    ImageRequest step_;
    PackedStage packed_;
};

} // namespace kg::gpu
