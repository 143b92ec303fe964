#pragma once
// Division of a launch into threads that own neighbouring samples
// (gpu/kernels/march/columns_in_registers.cuh).

#include "gpu/kernels/stage.hpp"

namespace kg::gpu {

inline constexpr int kColumnLanes = 32, kColumnWarps = 4; // threads of a block, across and down

/// What a thread reads of a row, in samples but for their size.
struct ColumnShape {
    int samples; ///< its own, which begin at a multiple of their size
    int sample_bytes;
    int before; ///< in the window before its own; as many follow them
    int size;   ///< side of the kernel's square
};

/// Threads own columns of some samples, the first of which begins `shift` samples before the rectangle of
/// outputs. Those whose window lies within the source's rows are whole; single threads compute each pixel of
/// the others.
struct ColumnGrid {
    int whole_begin, whole_end; ///< columns
    int shift;
    int rows;          ///< output rows of a thread
    int blocks_across; ///< blocks in a row of whole columns
    int whole_blocks;  ///< further blocks are of the pixels beside them:
    int other_blocks;
    int left, right;  ///< pixels of a row before and behind the whole columns, which share the last of them
    bool wide_stores; ///< a thread's samples may be stored at once
    bool plain;       ///< the combined quotients are the result
};

/// The columns of a launch; no rows and blocks yet. `unit_bytes`: a thread's samples begin with a whole unit.
ColumnGrid column_grid(const StageCommon& c, unsigned count, const ColumnShape& shape, int unit_bytes);

/// Completes it for threads of `rows` output rows.
void divide_rows(ColumnGrid& grid, const StageCommon& c, int rows);

/// Samples between the last multiple of `alignment` bytes and the rectangle's first sample in the source; -1:
/// it differs among the items, is not a whole number of units, or a pitch is no multiple of 16.
int load_shift(const StageCommon& c, unsigned count, int sample_bytes, int alignment, int unit_bytes);

/// Whether `alignment` bytes may be stored at once in a grid that begins `shift` samples before the
/// rectangle.
bool stores_together(const StageCommon& c, unsigned count, int sample_bytes, int alignment, int shift);

} // namespace kg::gpu
