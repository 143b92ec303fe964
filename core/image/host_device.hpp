#pragma once
// One definition for the CPU engine, the CUDA engine and the reference.

#ifdef __CUDACC__
#define KG_HOST_DEVICE __host__ __device__
#else
#define KG_HOST_DEVICE
#endif

// Before a loop over the elements of an array, which then stays in the registers of a GPU.
#ifdef __CUDA_ARCH__
#define KG_UNROLL _Pragma("unroll")
#else
#define KG_UNROLL
#endif
