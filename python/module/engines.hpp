#pragma once
// The engines of this process: one per device, which all calls share.

#include "app/process/engine/engines.hpp"
#include "core/request/request.hpp"

#include <memory>
#include <optional>
#include <string_view>

namespace kg::python {

/// For an image in host memory: auto chooses the GPU where it is predicted to be faster, its start and the
/// transfers included. Throws Error for unknown names, Unavailable if a named engine cannot be used.
EngineChoice engine_for(std::string_view engine, std::string_view algorithm, const ImageRequest& request);

/// For signals and filter banks: auto chooses the CPU, as a GPU would have to gain the transfers first.
std::shared_ptr<Engine> engine_for_tensors(std::string_view engine);

/// For memory of that GPU, -1 = the first one. Throws Error if `engine` is the CPU's.
EngineChoice engine_on_gpu(std::string_view engine, int gpu);

/// The engines of this machine, usable or not: the CPU's and that of the first GPU.
std::shared_ptr<Engine> cpu_engine();
std::shared_ptr<Engine> gpu_engine(int gpu = 0);

} // namespace kg::python
