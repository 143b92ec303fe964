#include "app/editor/worker/clipping_count.hpp"

#include <algorithm>
#include <utility>

namespace kg {

namespace {

/// Target time of a strip, so that reading a pixel does not wait for the count. An edit stops it anyway.
constexpr double kStripMicroseconds = 20'000;

std::int64_t rows_of_strip(const Result& result, const Plan& plan) {
    const auto& request = result.job.request;
    const auto height = request.size.height;
    // With wrap, the first rows of a chain need the last ones: every strip would compute the whole image.
    if (request.border == Border::wrap && request.stages.size() > 1) return height;
    const auto quantum = plan.needs(whole(request.size)).row_quantum;
    const double share = result.filter_us > 0 ? kStripMicroseconds / result.filter_us : 1;
    // The halo of a strip is computed again for the next one: a flat strip would cost many times its share.
    std::int64_t around = 0;
    for (const auto& stage : request.stages) around += reach(stage).up + reach(stage).down;
    const auto wanted = std::max(
        static_cast<std::int64_t>(std::min(share, 1.0) * static_cast<double>(height)),
        std::max<std::int64_t>(2 * around, 16));
    return std::clamp((wanted + quantum - 1) / quantum * quantum, quantum, std::max(height, quantum));
}

} // namespace

bool ClippingCount::is_worth_it(const Result& result) {
    const auto& request = result.job.request;
    return is_integer(request.out.depth) || !is_integer(request.in.depth);
}

ClippingCount::ClippingCount(std::shared_ptr<const Result> result) : result_(std::move(result)) {
    const auto request = unclamped(result_->request());
    plan_ = plan(*result_->home, request);
    rows_ = rows_of_strip(*result_, *plan_);
    const Extent size{request.size.width, std::min(rows_, request.size.height)};
    strip_ = allocate_view(*result_->home, request.out, {0, 0, size.width, size.height});
    host_ = Image(size, request.out);
}

void ClippingCount::count_strip(Queue& queue, const std::stop_token& stop) {
    const auto& request = result_->job.request;
    const Rect area{0, next_row_, request.size.width, std::min(rows_, request.size.height - next_row_)};
    const auto pixels = host_.view().crop({0, 0, area.width, area.height});
    strip_.covers = area;
    const Item item{result_->source, strip_};
    queue.run(plan_, {&item, 1}, stop);
    queue.download(strip_, pixels);
    queue.fence().wait();
    count_clipped(request, pixels, clipping_);
    next_row_ += area.height;
}

} // namespace kg
