#pragma once
// Loops over the vectors or rows of a block must disappear, or its sums live in memory: at -O2 the compiler leaves them.

#define KG_UNROLLED _Pragma("GCC unroll 16")
