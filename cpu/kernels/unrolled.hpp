#pragma once
// Unrolls loops over the vectors or rows of a block. At -O2 the compiler keeps the loops, and the sums spill
// to memory.

#define KG_UNROLLED _Pragma("GCC unroll 16")
