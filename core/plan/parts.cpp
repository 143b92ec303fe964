#include "core/plan/parts.hpp"

#include "core/plan/wrapped_image.hpp"
#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace kg {

namespace {

/// With fewer outputs at a time, a large image would take hours.
constexpr std::int64_t kSmallestArea = 4096;
/// A rectangle is flat (narrow) if its height (width) is below this multiple of the rows (columns) read
/// beyond its own.
constexpr std::int64_t kHalos = 4;

/// The resources that all rectangles are computed with: a queue and two buffers that grow.
class Lane {
public:
    Lane(Engine& engine, const PixelFormat& in, const PixelFormat& out)
        : engine_(engine), in_(in), out_(out) {}

    Item item(const Rect& source, const Rect& part) {
        return {view(source_, in_, source), view(result_, out_, part)};
    }
    Queue& queue() {
        if (!queue_) queue_ = engine_.queue();
        return *queue_;
    }
    /// Releases all memory, including the scratch of the queue.
    void let_go() {
        queue_.reset(); // first: the queue may still use the buffers
        source_.reset();
        result_.reset();
    }

private:
    BufferView view(std::shared_ptr<Buffer>& buffer, const PixelFormat& format, const Rect& covers) {
        const auto pitch = buffer_pitch(covers.width, format);
        const auto bytes = pitch * static_cast<std::size_t>(covers.height);
        if (!buffer || buffer->size() < bytes) {
            buffer.reset();
            buffer = engine_.allocate(bytes);
        }
        return {buffer, 0, pitch, format, covers};
    }

    Engine& engine_;
    PixelFormat in_, out_;
    std::shared_ptr<Buffer> source_, result_;
    std::unique_ptr<Queue> queue_; // destroyed before its buffers
};

void add(Report& all, const Report& part) {
    for (const auto& span : part.spans) {
        const auto known = std::ranges::find(all.spans, span.name, &TimedSpan::name);
        if (known == all.spans.end()) all.spans.push_back(span);
        else known->microseconds += span.microseconds;
    }
    for (const auto& [name, count] : part.counts) all.counts[name] += count;
}

/// Reduces the size of a rectangle. False if it is the smallest.
bool halve(Extent& part, const Plan& plan, const Rect& outputs) {
    const Rect middle{outputs.x + (outputs.width - part.width) / 2,
                      outputs.y + (outputs.height - part.height) / 2, part.width, part.height};
    const auto needs = plan.needs(middle);
    const auto quantum = needs.row_quantum;
    const bool flat = part.height < kHalos * (needs.source.height - part.height),
               narrow = part.width < kHalos * (needs.source.width - part.width);
    auto next = part;
    if (part.height > quantum && (!flat || narrow || part.width == 1))
        next.height = ((part.height + 1) / 2 + quantum - 1) / quantum * quantum;
    else next.width = (part.width + 1) / 2;
    if (next == part || next.width * next.height < kSmallestArea) return false;
    part = next;
    return true;
}

} // namespace

bool computes_in_place(const DeviceInfo& device) { return device.host_memory && device.memory_limit == 0; }

Report wait_for_fence(Queue& queue) {
    const auto fence = queue.fence();
    fence.wait();
    return fence.report();
}

PartsOutcome run_in_parts(Engine& engine, const std::shared_ptr<const Plan>& plan,
                          const ConstImageView& source, const Rect& covers, const ImageView& result,
                          const Rect& outputs, std::stop_token stop, const WaitFor& wait) {
    Lane lane(engine, source.format, result.format);
    const bool in_place = computes_in_place(engine.device());
    PartsOutcome all{{}, 0};
    Extent part{outputs.width, outputs.height};
    const auto within = [](const Rect& rect, const Rect& of) {
        return Rect{rect.x - of.x, rect.y - of.y, rect.width, rect.height};
    };
    const auto compute = [&](const Rect& wanted) {
        const auto needed = plan->needs(wanted).source;
        const auto from = source.crop(within(needed, covers));
        const auto to = result.crop(within(wanted, outputs));
        const auto item = in_place ? Item{wrap_image(from, needed), wrap_image(to, wanted)}
                                   : lane.item(needed, wanted);
        auto& queue = lane.queue();
        queue.mark("upload");
        if (!in_place) queue.upload(from, item.src);
        queue.mark("filter");
        queue.run(plan, {&item, 1}, stop);
        queue.mark("download");
        if (!in_place) queue.download(item.dst, to);
        add(all.report, wait(queue));
        ++all.parts;
    };
    for (auto y = outputs.y; y < outputs.bottom();) {
        try {
            for (auto x = outputs.x; x < outputs.right(); x += part.width)
                compute(intersect(outputs, {x, y, part.width, part.height}));
            y += part.height;
        } catch (const std::bad_alloc&) {
            lane.let_go();
            if (!halve(part, *plan, outputs)) throw;
        }
    }
    return all;
}

PartsOutcome run_in_parts(Engine& engine, const std::shared_ptr<const Plan>& plan,
                          const ConstImageView& image, const ImageView& result, std::stop_token stop,
                          const WaitFor& wait) {
    return run_in_parts(engine, plan, image, whole(image.size), result, whole(result.size), std::move(stop),
                        wait);
}

std::string parts_text(const DeviceInfo& device, std::int64_t parts) {
    return "Computed in " + std::to_string(parts) + " parts, because " + device.name +
           (device.memory_limit > 0 ? ", limited to " + memory_text(device.memory_limit) + ","
                                    : std::string()) +
           " has not enough memory for the whole image";
}

} // namespace kg
