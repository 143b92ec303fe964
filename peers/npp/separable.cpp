// Kernels that are a column times a row.

#include "peers/npp/families.hpp"

#include "core/request/separate.hpp"

#include <algorithm>

namespace kg::peers::npp {

namespace {

using FilterLine = Filter<const void* /*weights*/, int /*count*/, int /*anchor*/>;

} // namespace

/// A row filter, then a column filter. In f32 only: between the two NPP would round integers to whole
/// numbers.
std::string filter_row_column(const ImageStep& step, Engine* engine, Method* method) {
    if (auto why = why_not_at_all(step); !why.empty()) return why;
    if (is_integer(step.in.depth)) return "it filters f32";
    const auto& stage = step.stages.front();
    if (!has_weights(stage)) return kTooManyWeights;
    auto factors = separate(stage, 0);
    if (!factors) return "the kernel is not a column times a row";
    const auto row_name = function_name("nppiFilterRowBorder", step.in),
               column_name = function_name("nppiFilterColumnBorder", step.in);
    const auto row_filter = library().find<FilterLine>(row_name),
               column_filter = library().find<FilterLine>(column_name);
    if (!row_filter) return lacks(row_name);
    if (!column_filter) return lacks(column_name);
    if (!engine) return {};
    const auto taps = kg::taps(stage.kernels.front());
    if (stage.kernels.front().flip) { // the factors are those of the kernel as given
        std::ranges::reverse(factors->row);
        std::ranges::reverse(factors->column);
    }
    const auto row = npp_line(factors->row, taps.anchor_x, 1),
               column = npp_line(factors->column, taps.anchor_y, taps.divisor);
    const auto pitch = buffer_pitch(step.size.width, step.in);
    method->scratch_bytes = pitch * static_cast<std::size_t>(step.size.height);
    method->body = [=, across = static_cast<int>(row.size()), down = static_cast<int>(column.size()),
                    row_weights = on_device(*engine, row),
                    column_weights = on_device(*engine, column)](const Operands& p, std::byte* scratch) {
        auto first = p, second = p;
        first.to = second.from = {scratch, pitch};
        call(row_filter, first, static_cast<const void*>(address_of(row_weights)), across, across / 2,
             kReplicate);
        call(column_filter, second, static_cast<const void*>(address_of(column_weights)), down, down / 2,
             kReplicate);
    };
    return {};
}

} // namespace kg::peers::npp
