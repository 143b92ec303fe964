#include "gpu/runtime/tensor_map.hpp"

#include "gpu/runtime/architectures.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/error.hpp"

#include <algorithm>

#include <cuda.h>

namespace kg::gpu {

namespace {

static_assert(sizeof(TensorMap) == sizeof(CUtensorMap) && alignof(TensorMap) == alignof(CUtensorMap));

using Encode = decltype(&cuTensorMapEncodeTiled);

/// Resolved at run time because the program must start without a driver; null if the driver is older.
Encode encode() {
    static const auto function = [] {
        void* found = nullptr;
        cudaDriverEntryPointQueryResult result{};
        const auto status = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000,
                                                             cudaEnableDefault, &result);
        return status == cudaSuccess ? reinterpret_cast<Encode>(found) : nullptr;
    }();
    return function;
}

} // namespace

bool can_copy_boxes(const Engine& engine) {
    return newest_architecture_for(capability_of(engine)) >= 90 && encode();
}

bool set_tensor_map(TensorMap& map, const BoxedTensor& tensor) {
    constexpr std::uint64_t kUnit = 16, kMostBytes = std::uint64_t{1} << 40;
    const auto is_allowed = [](std::uint64_t bytes) { return bytes % kUnit == 0 && bytes < kMostBytes; };
    if (reinterpret_cast<std::uintptr_t>(tensor.first) % kUnit != 0 ||
        !std::ranges::all_of(tensor.strides, is_allowed))
        return false;
    const std::uint32_t box[] = {tensor.columns, tensor.rows, 1, 1}, steps[] = {1, 1, 1, 1};
    const auto status = encode()(reinterpret_cast<CUtensorMap*>(&map), CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4,
                                 const_cast<std::byte*>(tensor.first), tensor.counts.data(),
                                 tensor.strides.data(), box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                 CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return status == CUDA_SUCCESS;
}

} // namespace kg::gpu
