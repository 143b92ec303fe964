#include "cpu/runtime/bank_plan.hpp"

#include "core/image/grown_rect.hpp"

#include <algorithm>

namespace kg::cpu {

namespace {

std::int64_t parts_of(std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; }

/// The i-th of the parts of a range of `whole` that begins at `begin`.
Span part_at(std::int64_t begin, std::int64_t whole, std::int64_t part, std::int64_t i) {
    return {begin + i * part, begin + std::min(whole, (i + 1) * part)};
}

} // namespace

void BankTarget::store(std::int64_t filter, std::int64_t x, std::int64_t y, const float* values,
                       std::int64_t count) const {
    auto* at = view.at(x - covers.x, y - covers.y, filter);
    if (view.format.column_stride == sizeof(float)) {
        std::memcpy(at, values, static_cast<std::size_t>(count) * sizeof(float));
        return;
    }
    for (std::int64_t i = 0; i < count; ++i, at += view.format.column_stride)
        std::memcpy(at, values + i, sizeof(float));
}

Needs BankPlan::needs(const Rect& output) const {
    return {source_rect(request_, grown_to_multiples(output, together_, output_size(request_))), 0, 1};
}

void BankPlan::record(Queue& queue, std::span<const Item> items, const BufferView&) const {
    auto& host = static_cast<HostQueue&>(queue);
    const auto run = [&host, self = shared_from_this(),
                      batch = std::vector<Item>(items.begin(), items.end())](
                         const HostQueue::Context& context) {
        const auto& r = self->request_;
        const Rect wanted = batch.front().dst.covers;
        const auto of_group = group_filters(r), filter_parts = parts_of(of_group, self->filters_),
                   columns = parts_of(wanted.width, self->tile_.width),
                   rows = parts_of(wanted.height, self->tile_.height),
                   of_item = r.groups * filter_parts * rows * columns;
        const auto compute = [&](std::int64_t begin, std::int64_t end) {
            for (auto task = begin; task < end; ++task) {
                const auto& item = batch[static_cast<std::size_t>(task / of_item)];
                auto rest = task % of_item;
                const auto x = part_at(wanted.x, wanted.width, self->tile_.width, rest % columns);
                rest /= columns;
                const auto y = part_at(wanted.y, wanted.height, self->tile_.height, rest % rows);
                rest /= rows;
                const auto filters = part_at(rest / filter_parts * of_group, of_group, self->filters_,
                                             rest % filter_parts);
                self->compute({r, host.tensor(item.src), item.src.covers},
                              {filters, {x.begin, y.begin, x.end - x.begin, y.end - y.begin}},
                              {host.tensor(item.dst), wanted});
            }
        };
        constexpr double kProductsPerTask = 1e6;
        const auto tasks = static_cast<std::int64_t>(batch.size()) * of_item;
        const double products = static_cast<double>(wanted.width * wanted.height) *
                                static_cast<double>(r.filters * term_count(r)) / static_cast<double>(of_item);
        const auto grain = static_cast<std::int64_t>(std::max(1.0, kProductsPerTask / products));
        parallel_rows(context, tasks, grain, compute);
    };
    host.enqueue(run);
}

double bank_products(const BankRequest& request) {
    const auto size = output_size(request);
    return static_cast<double>(size.width) * static_cast<double>(size.height) *
           static_cast<double>(request.filters) * static_cast<double>(term_count(request) * request.items);
}

} // namespace kg::cpu
