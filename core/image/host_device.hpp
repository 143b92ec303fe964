#pragma once
// One definition for the CPU engine, the CUDA engine and the reference.

#ifdef __CUDACC__
#define KG_HOST_DEVICE __host__ __device__
#else
#define KG_HOST_DEVICE
#endif
