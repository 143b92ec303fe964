#pragma once
// Architectures that this program has code for, as passed to the compiler.

namespace kg::gpu {

/// The newest of them that is not newer than a GPU of this compute capability, times ten; 0 = none. Kernels
/// for which the GPU has instructions, but the code was compiled for older GPUs, are empty or slow.
int newest_architecture_for(int capability);

} // namespace kg::gpu
