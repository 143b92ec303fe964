#include "core/plan/chain.hpp"

#include "core/support/error.hpp"

#include <algorithm>

namespace kg {

std::size_t aligned_scratch(std::size_t bytes) {
    constexpr std::size_t kScratchAlignment = 256;
    return (bytes + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
}

namespace {

/// Behind the last pixel, without the padding of its row: a part of a view ends no later than the view.
std::size_t end_of(const BufferView& view) {
    return view.offset + static_cast<std::size_t>(view.covers.height - 1) * view.pitch +
           static_cast<std::size_t>(view.covers.width) * bytes_per_pixel(view.format);
}

bool overlap(const BufferView& a, const BufferView& b) {
    return a.memory == b.memory && a.offset < end_of(b) && b.offset < end_of(a);
}

BufferView between(const BufferView& scratch, std::size_t offset, const PixelFormat& format,
                   const Rect& rect) {
    return {scratch.memory, scratch.offset + offset, buffer_pitch(rect.width, format), format, rect};
}

} // namespace

Chain::Chain(std::vector<ImageStep> requests, std::vector<std::shared_ptr<const Plan>> plans,
             std::size_t strip_bytes)
    : requests_(std::move(requests)), plans_(std::move(plans)), strip_bytes_(strip_bytes) {
    for (const auto& p : plans_) quantum_ = std::max(quantum_, p->needs({0, 0, 1, 1}).row_quantum);
}

/// Strips are as high as the cache or the memory allows, but high enough that the halo is not computed more
/// often than the outputs.
template <typename Body>
void Chain::for_each_strip(const Rect& output, Body body) const {
    std::size_t row_bytes = 1;
    std::int64_t halo = 0;
    for (const auto& step : requests_) {
        row_bytes = std::max(row_bytes, 2 * buffer_pitch(step.size.width, step.out));
        for (const auto& stage : step.stages) halo += reach(stage).up + reach(stage).down;
    }
    auto rows = std::max(
        {static_cast<std::int64_t>(strip_bytes_ / row_bytes) - halo, 2 * halo, std::int64_t{16}});
    // Under wrap, the first strip needs the opposite edge of the image and everything between. A single strip
    // then needs no more memory and computes nothing twice.
    if (requests_.front().border == Border::wrap && halo > 0) rows = requests_.front().size.height;
    rows = (rows + quantum_ - 1) / quantum_ * quantum_;
    // Strips begin at multiples of their height in the whole image, so that every output has the same bytes
    // whether it is computed alone or with its neighbours.
    for (auto y = output.y / rows * rows; y < output.bottom(); y += rows)
        body(intersect(output, {output.x, y, output.width, rows}));
}

Chain::Layout Chain::lay_out(const Rect& strip) const {
    Layout layout{std::vector<Rect>(plans_.size()), std::vector<std::size_t>(plans_.size()), 0, 0};
    auto rect = strip;
    for (auto i = plans_.size(); i-- > 0;) {
        layout.rect[i] = rect;
        const auto needs = plans_[i]->needs(rect);
        layout.own = std::max(layout.own, aligned_scratch(needs.scratch_bytes));
        rect = needs.source;
    }
    // Step i reads the output of step i - 1, so two alternating buffers suffice.
    std::size_t place[2] = {0, 0};
    for (std::size_t i = 0; i + 1 < plans_.size(); ++i) {
        const auto size = buffer_pitch(layout.rect[i].width, requests_[i].out) *
                          static_cast<std::size_t>(layout.rect[i].height);
        place[i % 2] = std::max(place[i % 2], aligned_scratch(size));
    }
    for (std::size_t i = 0; i + 1 < plans_.size(); ++i) layout.offset[i] = i % 2 ? place[0] : 0;
    layout.between_steps = place[0] + place[1];
    return layout;
}

Chain::Scratch Chain::most_scratch(const Rect& output) const {
    Scratch most;
    for_each_strip(output, [&](const Rect& strip) {
        const auto layout = lay_out(strip);
        most = {std::max(most.between_steps, layout.between_steps), std::max(most.own, layout.own)};
    });
    return most;
}

Needs Chain::needs(const Rect& output) const {
    Needs all{output, 0, quantum_};
    const auto most = most_scratch(output);
    all.scratch_bytes = most.between_steps + most.own;
    auto rect = output;
    for (auto i = plans_.size(); i-- > 0;) rect = plans_[i]->needs(rect).source;
    all.source = rect;
    return all;
}

/// Rejects views that would cause accesses out of bounds, for every engine.
void Chain::check(std::span<const Item> items) const {
    const auto& first = items.front();
    const auto same = [](const PixelFormat& a, const PixelFormat& b) {
        return a.depth == b.depth && a.channels == b.channels;
    };
    if (first.dst.covers.empty() || !whole(requests_.front().size).contains(first.dst.covers))
        throw Error("outputs-outside-image", "the requested outputs must lie inside the image");
    if (!first.src.covers.contains(needs(first.dst.covers).source))
        throw Error("source-too-small", "the source does not contain all pixels that the outputs depend on");
    for (const auto& item : items) {
        if (!same(item.src.format, requests_.front().in) || !same(item.dst.format, requests_.back().out))
            throw Error("format-mismatch", "the buffers are not in the formats of the plan");
        if (overlap(item.src, item.dst)) // a neighbour would read overwritten samples
            throw Error("overlapping-images",
                        "a result cannot be written over the image it is computed from");
        if (item.src.covers != first.src.covers || item.dst.covers != first.dst.covers)
            throw Error("rectangle-mismatch", "the items of one run must have the same rectangles");
    }
}

void Chain::record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const {
    if (items.empty()) return;
    check(items);
    const auto most = most_scratch(items.front().dst.covers);
    for_each_strip(items.front().dst.covers, [&](const Rect& strip) {
        const auto layout = lay_out(strip);
        std::vector<Item> step_items(items.begin(), items.end());
        for (std::size_t step = 0; step < plans_.size(); ++step) {
            for (std::size_t i = 0; i < items.size(); ++i) {
                auto& item = step_items[i];
                item.dst = step + 1 == plans_.size()
                               ? items[i].dst.crop(strip)
                               : between(scratch, i * most.between_steps + layout.offset[step],
                                         requests_[step].out, layout.rect[step]);
                item.src.format = requests_[step].in; // relabelling between steps costs nothing
                item.dst.format = requests_[step].out;
            }
            auto own = scratch;
            own.offset += items.size() * most.between_steps; // after the intermediate results of all items
            plans_[step]->record(queue, step_items, own);
            for (auto& item : step_items) item.src = item.dst;
        }
    });
}

} // namespace kg
