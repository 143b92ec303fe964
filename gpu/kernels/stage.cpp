#include "gpu/kernels/stage.hpp"

#include "core/request/step.hpp"
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace kg::gpu {

namespace {

/// The same taps in a grid that begins `columns` further left and is `width` wide.
Taps widened(const Taps& t, int columns, int width) {
    Taps wide = t;
    wide.width = width;
    wide.anchor_x = t.anchor_x + columns;
    wide.weights.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(t.height), 0.0f);
    for (int i = 0; i < t.height; ++i)
        for (int j = 0; j < t.width; ++j)
            wide.weights[static_cast<std::size_t>(i) * static_cast<std::size_t>(width) +
                         static_cast<std::size_t>(j + columns)] = t.at(i, j);
    return wide;
}

} // namespace

float reciprocal_of(float divisor, std::span<const float> weights, Depth in) {
    const auto ordinary = [](float v) { return std::fabs(v) >= 0x1p-40f && std::fabs(v) <= 0x1p40f; };
    const bool safe = is_integer(in) && ordinary(divisor) &&
                      std::ranges::all_of(weights, [&](float w) { return w == 0.0f || ordinary(w); });
    return safe ? 1.0f / divisor : 0.0f;
}

StageCommon common_of(const ImageStep& step) {
    const auto& stage = step.stages.front();
    const auto all = reach(stage);
    StageCommon c{};
    c.width = static_cast<int>(step.size.width), c.height = static_cast<int>(step.size.height);
    c.left = all.left, c.up = all.up;
    c.reach_width = all.left + all.right + 1, c.reach_height = all.up + all.down + 1;
    c.channels = step.in.channels, c.alpha = step.in.alpha;
    c.computed = computed_channels(step);
    c.offset = offset_in(stage, step.in);
    c.border = step.border, c.combine = stage.combine;
    c.floats = step.out.depth == Depth::f32;
    return c;
}

PackedStage pack(const ImageStep& step, bool columns_in_common) {
    const auto& stage = step.stages.front();
    const auto all = reach(stage);
    PackedStage packed{common_of(step), {}};
    auto& c = packed.common;
    for (const auto& kernel : stage.kernels) {
        auto t = taps(kernel);
        if (columns_in_common) t = widened(t, all.left - t.left(), all.left + all.right + 1);
        const bool has_zeros = std::ranges::find(t.weights, 0.0f) != t.weights.end();
        c.kernels[c.kernel_count++] = {static_cast<int>(packed.weights.size()),
                                       t.width,
                                       t.height,
                                       -t.left(),
                                       -t.up(),
                                       t.divisor,
                                       reciprocal_of(t.divisor, t.weights, step.in.depth),
                                       has_zeros && step.in.depth == Depth::f32};
        packed.weights.insert(packed.weights.end(), t.weights.begin(), t.weights.end());
    }
    return packed;
}

namespace {

bool is_aligned(const void* pixels, std::int64_t pitch, std::int64_t offset, int alignment) {
    return (reinterpret_cast<std::int64_t>(pixels) + offset) % alignment == 0 && pitch % alignment == 0;
}

} // namespace

bool sources_aligned(const StageCommon& c, unsigned count, std::int64_t pixels, int alignment) {
    return std::all_of(c.items, c.items + count, [&](const StageItem& item) {
        return is_aligned(item.src, item.src_pitch, pixels * c.channels, alignment);
    });
}

bool results_aligned(const StageCommon& c, unsigned count, std::int64_t pixels, int alignment) {
    return std::all_of(c.items, c.items + count, [&](const StageItem& item) {
        return is_aligned(item.dst, item.dst_pitch, pixels * c.channels, alignment);
    });
}

std::string why_not_launch(const ImageStep& r) {
    if (r.size.width > kLongestSide || r.size.height > kLongestSide)
        return "the image is wider or higher than 2^28 pixels";
    if (r.stages.front().kernels.size() > kMostKernels)
        return "it combines at most " + std::to_string(kMostKernels) + " kernels";
    return {};
}

std::string why_not_packable(const ImageStep& r) {
    if (!has_weights(r.stages.front())) return kTooManyWeights;
    if (auto reason = why_not_launch(r); !reason.empty()) return reason;
    // Counted as if padded to common columns, the more demanding of the two layouts.
    const auto all = reach(r.stages.front());
    std::int64_t weights = 0;
    for (const auto& kernel : r.stages.front().kernels)
        weights += std::int64_t{all.left + all.right + 1} * kernel.height;
    return weights > kMostWeights
               ? "its weights travel with the launch: at most " + std::to_string(kMostWeights) + " (87 x 87)"
               : "";
}

std::string why_not_alpha_in_sums(const ImageStep& step) {
    const bool rgba = step.in.channels == 4 && step.in.alpha == 3 && is_integer(step.in.depth) &&
                      step.out == step.in && computed_channels(step) == all_channels(4);
    return is_alpha_weighted(step) && !rgba ? "it sums alpha-weighted colour itself only for RGBA of integers"
                                            : "";
}

std::shared_ptr<CudaBuffer> device_copy(std::span<const float> weights, Engine& engine) {
    return device_copy(std::as_bytes(weights), engine);
}

std::string why_not_shared(std::size_t bytes, const Engine& engine) {
    const auto limit = cuda_engine(engine).limits().shared_bytes_per_block;
    return bytes <= limit ? ""
                          : "its tile of " + std::to_string(bytes >> 10) +
                                " KiB does not fit into the GPU's shared memory of " +
                                std::to_string(limit >> 10) + " KiB per block";
}

void allow_shared_memory(const void* kernel, const Engine& engine) {
    const auto& cuda = cuda_engine(engine);
    make_current(cuda.index());
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel));
    check(cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
        static_cast<int>(cuda.limits().shared_bytes_per_block - attributes.sharedSizeBytes)));
}

std::int64_t blocks_at_once(const void* kernel, int threads, std::size_t shared_bytes, const Engine& engine) {
    const auto& cuda = cuda_engine(engine);
    make_current(cuda.index());
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes));
    return std::int64_t{std::max(blocks, 1)} * std::max(cuda.limits().multiprocessors, 1);
}

double stage_microseconds(const ImageStep& step, const Speeds& speeds) {
    double taps = 0;
    for (const auto& kernel : step.stages.front().kernels) taps += static_cast<double>(kernel.weights.size());
    return stage_microseconds(step, speeds, taps);
}

double stage_microseconds(const ImageStep& step, const Speeds& speeds, double taps) {
    const auto& speed = step.in.channels == 1 ? speeds.one : speeds.several;
    const auto samples = static_cast<double>(step.size.width) * static_cast<double>(step.size.height) *
                         step.in.channels;
    return speed.microseconds + samples / speed.samples_per_us + samples * taps / speed.taps_per_us;
}

Needs StagePlan::needs(const Rect& output) const {
    return {source_rect(step_.stages.front(), step_.border, step_.size, output), 0, 1};
}

void StagePlan::record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const {
    auto& cuda = static_cast<CudaQueue&>(queue);
    if (items.empty() || cuda.stop_requested()) return;
    const auto own_scratch = needs(items.front().dst.covers).scratch_bytes;
    StageParameters<kMostWeights> parameters;   // filled only as far as used
    if (packed_.weights.size() <= kMostWeights) // otherwise they are in device memory
        std::memcpy(parameters.weights, packed_.weights.data(), packed_.weights.size() * sizeof(float));
    auto& c = parameters.common;
    const auto &src = items.front().src.covers, &dst = items.front().dst.covers;
    for (std::size_t begin = 0; begin < items.size(); begin += kMostItems) {
        c = packed_.common;
        c.src_x = static_cast<int>(src.x), c.src_y = static_cast<int>(src.y);
        c.dst_x = static_cast<int>(dst.x), c.dst_y = static_cast<int>(dst.y);
        c.dst_width = static_cast<int>(dst.width), c.dst_height = static_cast<int>(dst.height);
        c.src_width = static_cast<int>(src.width), c.src_height = static_cast<int>(src.height);
        c.stop = cuda.stop_flag();
        const auto some = items.subspan(begin, std::min<std::size_t>(kMostItems, items.size() - begin));
        c.wide_loads = c.wide_stores = true;
        for (std::size_t i = 0; i < some.size(); ++i) {
            const auto& item = some[i];
            auto& to = c.items[i];
            to = {address_of(item.src), address_of(item.dst), static_cast<std::int64_t>(item.src.pitch),
                  static_cast<std::int64_t>(item.dst.pitch)};
            c.wide_loads &= reinterpret_cast<std::uintptr_t>(to.src) % 16 == 0 && to.src_pitch % 16 == 0;
            c.wide_stores &= reinterpret_cast<std::uintptr_t>(to.dst) % 16 == 0 && to.dst_pitch % 16 == 0;
        }
        launch(cuda, parameters, static_cast<unsigned>(some.size()),
               own_scratch > 0 ? address_of(scratch) + begin * own_scratch : nullptr);
    }
}

} // namespace kg::gpu
