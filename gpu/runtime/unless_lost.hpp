#pragma once
// Errors of NVIDIA's libraries on a device that has failed.

#include "gpu/runtime/error.hpp"

#include <exception>

namespace kg::gpu {

/// call(); on a lost device a library reports an error of its own, and CUDA's status then gives the cause.
template <typename Call>
auto unless_lost(Call call) {
    try {
        return call();
    } catch (const std::exception&) {
        if (const auto status = cudaStreamQuery(cudaStreamPerThread); is_lost(status)) check(status);
        throw;
    }
}

} // namespace kg::gpu
