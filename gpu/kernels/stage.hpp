#pragma once
// A filtering step as the parameters of a launch, weights included: uniform operands, nothing shared between
// launches.

#include "core/plan/engine.hpp"
#include "core/request/sample.hpp"
#include "gpu/runtime/queue.hpp"

#include <cstdint>

namespace kg::gpu {

inline constexpr int kMostItems = 64;     // images per launch
inline constexpr int kMostKernels = 8;    // kernels combined by one stage
inline constexpr int kMostWeights = 7569; // 87 x 87
inline constexpr int kFewWeights = 256;   // small stages; their launches carry 4 KB instead of 32
inline constexpr std::int64_t kLongestSide = std::int64_t{1} << 28; // keeps a row's sample count in 32 bits

/// One kernel of a stage. Its weights are stored row by row from `first`; its first tap is `dx`, `dy` pixels
/// from the output.
struct KernelShape {
    int first, width, height, dx, dy;
    float divisor;
    float reciprocal; ///< reciprocal of the divisor if no sum over- or underflows in the division; else 0
    bool skip_zeros;  ///< a zero weight is not a tap; set only where it could let a NaN through
};

struct StageItem {
    const std::byte* src; ///< pixel (src_x, src_y) of the image
    std::byte* dst;       ///< pixel (dst_x, dst_y)
    std::int64_t src_pitch, dst_pitch;
};

struct StageCommon {
    StageItem items[kMostItems];
    KernelShape kernels[kMostKernels];
    StopFlag stop;
    int src_x, src_y, src_width, src_height, dst_x, dst_y, dst_width, dst_height;
    int width, height; ///< the whole image
    int kernel_count, left, up, reach_width, reach_height;
    int channels, alpha;
    unsigned computed;
    float offset;
    Border border;
    Combine combine;
    bool floats; ///< results are stored as f32, whatever the source
    /// Whether every row begins at an address where 16 bytes may be read, or written, at once.
    bool wide_loads, wide_stores;
};

/// A launch copies as much as its kernel declares: few weights where a launch must be short.
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

/// The parameters common to a step's launches, except kernels and rectangles.
StageCommon common_of(const ImageStep& step);

/// 1 / divisor if integers are summed with weights and a divisor of ordinary size: such sums are 0 or far
/// from the limits of float32, so division through the reciprocal rounds correctly. Otherwise 0, also for
/// floats, which have no such bounds.
float reciprocal_of(float divisor, std::span<const float> weights, Depth in);

/// Whether the first `count` items, of bytes, may be read or written `alignment` bytes at once in every row,
/// from `pixels` pixels behind pixel (src_x, src_y) or (dst_x, dst_y) on.
bool sources_aligned(const StageCommon& c, unsigned count, std::int64_t pixels, int alignment);
bool results_aligned(const StageCommon& c, unsigned count, std::int64_t pixels, int alignment);

/// `columns_in_common`: kernels of one stage are padded with zero taps so that all begin at the same column.
PackedStage pack(const ImageStep& step, bool columns_in_common);

/// Why a step's weights or image do not fit into a launch; empty if they do.
std::string why_not_packable(const ImageStep& step);

/// Why a step's image or kernels are too many or too long for one launch, its weights aside; empty if they
/// are not.
std::string why_not_launch(const ImageStep& step);

/// Why an algorithm that multiplies colour by alpha where it reads and divides by it where it writes does not
/// do so for a step; empty for steps that are not alpha-weighted.
std::string why_not_alpha_in_sums(const ImageStep& step);

/// A copy of weights in the engine's memory, complete on return. Throws std::bad_alloc.
std::shared_ptr<CudaBuffer> device_copy(std::span<const float> weights, Engine& engine);

/// Why a block's shared memory cannot hold so many bytes; empty if it can.
std::string why_not_shared(std::size_t bytes, const Engine& engine);

/// Allows blocks of a kernel to use all the shared memory that one block may request.
void allow_shared_memory(const void* kernel, const Engine& engine);

/// Blocks of a kernel that all multiprocessors together have room for.
std::int64_t blocks_at_once(const void* kernel, int threads, std::size_t shared_bytes, const Engine& engine);

/// Speed of a summing algorithm on an H200 (docs/performance.md); accurate enough for ranking.
struct Speed {
    double microseconds;   ///< latency, however small the image
    double samples_per_us; ///< samples read, stored and written, whatever the kernel
    double taps_per_us;    ///< multiply-adds, all multiprocessors together
};
/// Speeds for one channel, and for several, where a thread owns more samples.
struct Speeds {
    Speed one, several;
};
/// `taps`: per output sample; if omitted, of all kernels.
double stage_microseconds(const ImageStep& step, const Speeds& speeds);
double stage_microseconds(const ImageStep& step, const Speeds& speeds, double taps);

/// Base of the plans that sum taps: needs, and the items of a call in as few launches as possible.
class StagePlan : public Plan {
public:
    StagePlan(const ImageStep& step, PackedStage packed) : step_(step), packed_(std::move(packed)) {}
    Needs needs(const Rect& output) const override;
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override;

protected:
    /// One launch, or a few, for `count` items; common.dst_* is the outputs' rectangle. `parameters` may be
    /// changed. `scratch` is the memory requested by needs(), item after item.
    virtual void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                        std::byte* scratch) const = 0;
    const PackedStage& packed() const { return packed_; }
    const ImageStep& step() const { return step_; }

private:
    ImageStep step_;
    PackedStage packed_;
};

} // namespace kg::gpu
