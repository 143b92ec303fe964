#include "app/editor/bank/bank_sizes.hpp"

#include <algorithm>

namespace kg {

namespace {

std::int64_t parts(std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; }

/// The rule of semantics 16 with its numbers. `outputs` becomes its result, or 0.
std::string worked_out(std::int64_t numbers, std::int64_t before, std::int64_t after, std::int64_t taps,
                       std::int64_t stride, std::int64_t dilation, std::int64_t& outputs) {
    const auto padded = numbers + before + after, reach = (taps - 1) * dilation + 1;
    outputs = padded < reach ? 0 : (padded - reach) / stride + 1;
    const auto reach_text = dilation == 1
                                ? std::to_string(taps)
                                : std::to_string(dilation) + " * (" + std::to_string(taps) + " - 1) - 1";
    const auto quotient = "(" + std::to_string(numbers) + " + " + std::to_string(before) + " + " +
                          std::to_string(after) + " - " + reach_text + ") / " + std::to_string(stride);
    const bool is_whole = (padded - reach) % stride == 0;
    const auto text = (is_whole ? quotient : "floor(" + quotient + ")") + " + 1 = ";
    return text + (outputs == 0 ? "none" : std::to_string(outputs));
}

/// Which of all tasks compute a map.
std::string compute_text(const AxisMap& map, std::int64_t of_map) {
    const auto first = std::to_string(map.first);
    if (map.tasks == 1) return "There is no other.";
    const auto all = "Of " + std::to_string(map.tasks) + " in all, counted from 0, ";
    if (of_map == 1) return all + "number " + first + " computes this map.";
    return all + "numbers " + first + " to " + std::to_string(map.first + of_map - 1) + " compute this map.";
}

} // namespace

AxisMap corner_of(AxisMap map, std::int64_t columns, std::int64_t rows) {
    map.columns = std::min(map.columns, columns);
    map.rows = std::min(map.rows, rows);
    map.outputs = {std::min(map.outputs.width, map.columns * map.tile.width),
                   std::min(map.outputs.height, map.rows * map.tile.height)};
    return map;
}

BankSizes bank_sizes(const BankResult& result, const BankEdit& edit) {
    const auto& request = result.request;
    const auto padding = edit.padding ? Padding{edit.padding->rows, edit.padding->columns, edit.padding->rows,
                                                edit.padding->columns}
                                      : same_padding(request.kernel, edit.dilation);
    BankSizes z{result.before->shape.items,
                request.channels,
                request.size.height,
                request.size.width,
                request.filters,
                request.kernel.height,
                request.kernel.width,
                edit.stride.rows,
                edit.stride.columns,
                padding.top,
                padding.left,
                edit.dilation.rows,
                edit.dilation.columns,
                edit.groups.value_or(request.groups),
                {},
                {},
                {}};
    z.rows = worked_out(z.h, padding.top, padding.bottom, z.r, z.u, z.d, z.output.height);
    z.columns = worked_out(z.w, padding.left, padding.right, z.s, z.v, z.e, z.output.width);
    return z;
}

AxisMap axis_map(const BankResult& result, std::int64_t map) {
    const auto& request = result.request;
    const auto& tiling = *result.outcome->tiling;
    AxisMap made;
    made.outputs = result.outcome->result.shape.size;
    made.tile = {std::min(tiling.tile.width, made.outputs.width),
                 std::min(tiling.tile.height, made.outputs.height)};
    made.columns = parts(made.outputs.width, made.tile.width);
    made.per_row = made.columns;
    made.rows = parts(made.outputs.height, made.tile.height);
    const auto of_map = made.columns * made.rows, filters = group_filters(request),
               filter_parts = parts(filters, tiling.filters),
               of_item = request.groups * filter_parts * of_map;
    const auto filter = map % request.filters;
    const auto part = filter / filters * filter_parts + filter % filters / tiling.filters;
    made.first = map / request.filters * of_item + part * of_map;
    made.tasks = result.before->shape.items * of_item;
    const auto count = std::min(tiling.filters, filters);
    made.text = "A " + std::string(tiling.unit) + " computes " + std::to_string(made.tile.width) + " x " +
                std::to_string(made.tile.height) + " outputs of " + std::to_string(count) +
                (count == 1 ? " filter" : " filters") + ". " + compute_text(made, of_map);
    return made;
}

} // namespace kg
