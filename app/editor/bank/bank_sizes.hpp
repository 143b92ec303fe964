#pragma once
// The parameters of a bank and the size of its outputs, worked out; and which task computes which output.

#include "app/editor/bank/bank_result.hpp"
#include "core/plan/bank_tiling.hpp"

#include <cstdint>
#include <string>

namespace kg {

/// n c h w k r s u v p q, dilation (d, e) and groups (g). Strides, dilation, padding and groups are those of
/// the edit, whose result may not be there yet.
struct BankSizes {
    std::int64_t n = 1, c = 1, h = 1, w = 1, k = 1, r = 1, s = 1, u = 1, v = 1, p = 0, q = 0, d = 1, e = 1,
                 g = 1;
    /// "floor((512 + 3 + 3 - 7) / 2) + 1 = 256": P and Q, "floor" only where it does something; "none" where
    /// there is no output. With a dilation of 2 "floor((512 + 6 + 6 - 2 * (7 - 1) - 1) / 2) + 1 = 256".
    std::string rows, columns;
    Extent output; ///< P as the height and Q as the width; 0 where there is no output
};
BankSizes bank_sizes(const BankResult& result, const BankEdit& edit);

/// The outputs of one map, divided among tasks.
struct AxisMap {
    Extent outputs, tile;               ///< P x Q as height and width, and of one task
    std::int64_t columns = 1, rows = 1; ///< tasks that are drawn
    std::int64_t per_row = 1;           ///< tasks beside each other in the whole map
    std::int64_t first = 0, tasks = 1;  ///< the first task of the map, and those of the whole batch
    std::string text;                   ///< "Tasks of 128 x 8 outputs of 6 filters; ..."

    std::int64_t task_at(std::int64_t column, std::int64_t row) const {
        return first + row / tile.height * per_row + column / tile.width;
    }
};
/// The first columns and rows of the tasks of a map alone.
AxisMap corner_of(AxisMap map, std::int64_t columns, std::int64_t rows);

/// Of a map counted over filters and items. The result must state a tiling.
AxisMap axis_map(const BankResult& result, std::int64_t map);

} // namespace kg
