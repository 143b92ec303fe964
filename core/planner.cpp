#include "core/planner.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>

namespace kg {

namespace {

constexpr std::string_view kConvert = "convert";
constexpr std::size_t kScratchAlignment = 256;
constexpr std::size_t kOneStrip = std::size_t{1} << 60;

std::size_t aligned(std::size_t bytes) {
    return (bytes + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
}

bool is_conversion(const ImageRequest& step) { return step.stages.empty(); }

/// Collects steps; each takes over the format in which the one before left the numbers.
class Cutter {
public:
    explicit Cutter(const ImageRequest& whole) : whole_(whole), format_(whole.in) {}

    void convert(const PixelFormat& to, SignedMode sign = SignedMode::keep) {
        if (format_ == to && (sign == SignedMode::keep || sign == SignedMode::clamp)) return;
        auto& step = add(to, computed_channels(whole_));
        step.sign = sign;
    }
    void filter(const Stage& stage, const PixelFormat& to, unsigned channels) {
        add(to, channels).stages = {stage};
    }
    const PixelFormat& format() const { return format_; }
    /// Says that the numbers are to be read another way from here on; nothing is computed.
    void relabel(const PixelFormat& format) { format_ = format; }
    std::vector<ImageRequest> steps;

private:
    ImageRequest& add(const PixelFormat& to, unsigned channels) {
        ImageRequest step{whole_.size, format_, to, {}, whole_.border, channels};
        step.alpha = AlphaMode::straight;
        step.tolerance = whole_.tolerance;
        format_ = to;
        return steps.emplace_back(std::move(step));
    }
    const ImageRequest& whole_;
    PixelFormat format_;
};

/// The format in which numbers stay between steps: f32 in the input's own units (semantics 3), or linear light 0..1.
PixelFormat working_format(const ImageRequest& request) {
    auto work = request.in;
    work.depth = Depth::f32;
    work.scale = static_cast<float>(full_scale(request.in));
    if (request.light == Light::linear && !request.in.linear) {
        work.linear = true;
        work.scale = 1.0f;
    }
    work.premultiplied = uses_coverage(request) || request.in.premultiplied;
    return work;
}

/// The ways of carrying out one filtering step with conversions around it, the most direct first.
std::vector<std::vector<ImageRequest>> ways_around(const ImageRequest& step) {
    auto wide = step.in;
    wide.depth = Depth::f32;
    wide.scale = static_cast<float>(full_scale(step.in));
    const auto with = [&](const PixelFormat& in, const PixelFormat& out, bool filters) {
        auto part = step;
        part.in = in, part.out = out;
        if (!filters) part.stages.clear();
        return part;
    };
    std::vector<std::vector<ImageRequest>> ways{{step}};
    const bool narrow_in = step.in != wide, narrow_out = step.out != wide;
    if (narrow_out) ways.push_back({with(step.in, wide, true), with(wide, step.out, false)});
    if (narrow_in) ways.push_back({with(step.in, wide, false), with(wide, step.out, true)});
    if (narrow_in && narrow_out)
        ways.push_back({with(step.in, wide, false), with(wide, wide, true), with(wide, step.out, false)});
    return ways;
}

Stage offset_only(float offset) {
    Stage stage;
    stage.kernels = {Kernel{}};
    stage.kernels.front().offset = offset;
    return stage;
}

} // namespace

std::vector<ImageRequest> cut_into_steps(const ImageRequest& request) {
    validate(request);
    Cutter cut(request);
    const auto work = working_format(request);
    const bool coverage = uses_coverage(request);
    const bool signed_end = request.sign == SignedMode::absolute || request.sign == SignedMode::half;

    // The short way: one stage on the stored numbers, rounded to the output depth by the algorithm itself.
    auto in_units_of_input = request.out;
    in_units_of_input.scale = is_integer(request.out.depth) ? 1.0f
                                                            : static_cast<float>(full_scale(request.in));
    if (request.stages.size() == 1 && !coverage && !signed_end && work.linear == request.in.linear &&
        request.out == in_units_of_input && request.in.linear == request.out.linear &&
        request.in.premultiplied == request.out.premultiplied &&
        (request.out.depth == request.in.depth || request.out.depth == Depth::f32)) {
        cut.filter(request.stages.front(), request.out, computed_channels(request));
        return cut.steps;
    }

    // Where nothing but the depth differs, the first stage may read the stored numbers itself.
    const bool reads_stored = !coverage && work.linear == request.in.linear;
    if (!request.stages.empty() && !reads_stored) cut.convert(work);
    bool alpha_was_copied = false;
    for (const auto& stage : request.stages) {
        auto channels = computed_channels(request);
        if (coverage &&
            !filters_alpha(stage)) { // Sobel and the like: colour weighted by coverage, alpha copied
            cut.filter(stage, work, channels & ~(1u << request.in.alpha));
            alpha_was_copied = true;
        } else if (!coverage || offset(stage) == 0 ||
                   alpha_was_copied) { // after a copy nothing is divided by alpha
            cut.filter(stage, work, channels);
        } else { // an offset is added to colour, not to colour times alpha
            auto without = stage;
            without.kernels.front().offset = 0;
            cut.filter(without, work, channels);
            auto straight = work;
            straight.premultiplied = false;
            cut.convert(straight);
            cut.filter(offset_only(offset(stage)), straight, channels);
            if (&stage != &request.stages.back()) cut.convert(work);
        }
    }
    // A signal that copied its alpha is already the answer; dividing it by alpha again would undo the weighting.
    if (coverage && alpha_was_copied) {
        auto straight = cut.format();
        straight.premultiplied = request.out.premultiplied;
        cut.relabel(straight);
    }
    cut.convert(request.out, request.sign);
    return cut.steps;
}

namespace {

const Algorithm* find(const Engine& engine, std::string_view id) {
    for (const auto* algorithm : engine.algorithms())
        if (algorithm->id == id) return algorithm;
    return nullptr;
}

std::string microseconds(double us) {
    char text[32];
    if (us < 1000) std::snprintf(text, sizeof text, "%.0f us", us);
    else std::snprintf(text, sizeof text, "%.1f ms", us / 1000);
    return text;
}

/// The filtering part of a way around (it has exactly one).
const ImageRequest& filtering(const std::vector<ImageRequest>& way) {
    return *std::ranges::find_if_not(way, is_conversion);
}

/// The most direct way around in which this algorithm can do the step.
struct Fit {
    std::vector<ImageRequest> way;
    std::string why_not; ///< of the most direct way, if there is none
};
Fit fit(const Engine& engine, const Algorithm& algorithm, const ImageRequest& step) {
    Fit result;
    for (auto& way : ways_around(step)) {
        auto why = algorithm.why_not(filtering(way), engine);
        if (why.empty()) return {std::move(way), {}};
        if (result.why_not.empty()) result.why_not = std::move(why);
    }
    return result;
}

struct Choice {
    const Algorithm* algorithm = nullptr;
    std::vector<ImageRequest> way;
    std::string reason;
};

Choice cheapest(const Engine& engine, const ImageRequest& step) {
    Choice best;
    const Algorithm* second = nullptr;
    double best_us = 0, second_us = 0;
    std::string refusals;
    for (const auto* algorithm : engine.algorithms()) {
        if (algorithm->id == kConvert || algorithm->whole_requests) continue;
        auto candidate = fit(engine, *algorithm, step);
        if (candidate.way.empty()) {
            refusals += "\n  " + std::string(algorithm->id) + ": " + candidate.why_not;
            continue;
        }
        const double us = algorithm->cost(filtering(candidate.way), engine).microseconds;
        if (us == Cost::kOnlyWhenForced) continue;
        if (!best.algorithm || us < best_us) {
            second = best.algorithm, second_us = best_us;
            best = {algorithm, std::move(candidate.way), {}}, best_us = us;
        } else if (!second || us < second_us) {
            second = algorithm, second_us = us;
        }
    }
    if (!best.algorithm)
        throw Error("no algorithm of the engine " + engine.device().id + " can do this:" + refusals);
    best.reason = std::string(best.algorithm->id) +
                  (second ? " is predicted fastest: " + microseconds(best_us) + ", then " +
                                std::string(second->id) + " with " + microseconds(second_us)
                          : " is the only one that fits");
    return best;
}

/// Steps one after the other, strip by strip, so that what lies between two steps never leaves the cache.
class Chain final : public Plan {
public:
    Chain(std::vector<ImageRequest> requests, std::vector<std::shared_ptr<const Plan>> plans,
          std::size_t strip_bytes)
        : requests_(std::move(requests)), plans_(std::move(plans)), strip_bytes_(strip_bytes) {
        for (const auto& p : plans_) quantum_ = std::max(quantum_, p->needs({0, 0, 1, 1}).row_quantum);
    }

    Needs needs(const Rect& output) const override {
        Needs all{output, 0, quantum_};
        const auto most = most_scratch(output);
        all.scratch_bytes = most.places + most.own;
        auto rect = output;
        for (auto i = plans_.size(); i-- > 0;) rect = plans_[i]->needs(rect).source;
        all.source = rect;
        return all;
    }

    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
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
                                   : between(scratch, i * most.places + layout.offset[step],
                                             requests_[step].out, layout.rect[step]);
                    item.src.format = requests_[step].in; // relabelling between steps costs nothing
                    item.dst.format = requests_[step].out;
                }
                auto own = scratch;
                own.offset += items.size() * most.places; // behind what lies between all items' steps
                plans_[step]->record(queue, step_items, own);
                for (auto& item : step_items) item.src = item.dst;
            }
        });
    }

private:
    struct Layout {
        std::vector<Rect> rect;          ///< what each step writes
        std::vector<std::size_t> offset; ///< where each step's output lies in the scratch
        std::size_t places = 0;          ///< bytes between the steps, for one item
        std::size_t own = 0;             ///< bytes the steps want for themselves, for one item
    };
    struct Scratch {
        std::size_t places = 0, own = 0;
    };

    Scratch most_scratch(const Rect& output) const {
        Scratch most;
        for_each_strip(output, [&](const Rect& strip) {
            const auto layout = lay_out(strip);
            most = {std::max(most.places, layout.places), std::max(most.own, layout.own)};
        });
        return most;
    }

    /// A wrong view would be read or written beyond its end, so it is refused here, for every engine.
    void check(std::span<const Item> items) const {
        const auto& first = items.front();
        const auto same = [](const PixelFormat& a, const PixelFormat& b) {
            return a.depth == b.depth && a.channels == b.channels;
        };
        if (first.dst.covers.empty() || !whole(requests_.front().size).contains(first.dst.covers))
            throw Error("the outputs wanted must be a part of the picture");
        if (!first.src.covers.contains(needs(first.dst.covers).source))
            throw Error("the source does not hold all pixels that the outputs depend on");
        for (const auto& item : items) {
            if (!same(item.src.format, requests_.front().in) || !same(item.dst.format, requests_.back().out))
                throw Error("the buffers are not in the formats that the plan was made for");
            if (overlap(item.src, item.dst)) // a neighbour would read what was just written
                throw Error("a result cannot be written over the picture it is computed from");
            if (item.src.covers != first.src.covers || item.dst.covers != first.dst.covers)
                throw Error("pictures that run together must have the same rectangles");
        }
    }

    static bool overlap(const BufferView& a, const BufferView& b) {
        return a.memory == b.memory && a.offset < b.offset + b.size_in_bytes() &&
               b.offset < a.offset + a.size_in_bytes();
    }

    static BufferView between(const BufferView& scratch, std::size_t offset, const PixelFormat& format,
                              const Rect& rect) {
        return {scratch.memory, scratch.offset + offset, buffer_pitch(rect.width, format), format, rect};
    }

    Layout lay_out(const Rect& strip) const {
        Layout layout{std::vector<Rect>(plans_.size()), std::vector<std::size_t>(plans_.size()), 0, 0};
        auto rect = strip;
        for (auto i = plans_.size(); i-- > 0;) {
            layout.rect[i] = rect;
            const auto needs = plans_[i]->needs(rect);
            layout.own = std::max(layout.own, aligned(needs.scratch_bytes));
            rect = needs.source;
        }
        // Step i reads what step i - 1 wrote: two places, used in turn, are enough.
        std::size_t place[2] = {0, 0};
        for (std::size_t i = 0; i + 1 < plans_.size(); ++i) {
            const auto size = buffer_pitch(layout.rect[i].width, requests_[i].out) *
                              static_cast<std::size_t>(layout.rect[i].height);
            place[i % 2] = std::max(place[i % 2], aligned(size));
        }
        for (std::size_t i = 0; i + 1 < plans_.size(); ++i) layout.offset[i] = i % 2 ? place[0] : 0;
        layout.places = place[0] + place[1];
        return layout;
    }

    /// Strips as high as the cache allows, but not so low that the halo is computed more often than the outputs.
    template <typename Body>
    void for_each_strip(const Rect& output, Body body) const {
        std::size_t row_bytes = 1;
        std::int64_t halo = 0;
        for (const auto& step : requests_) {
            row_bytes = std::max(row_bytes, 2 * buffer_pitch(step.size.width, step.out));
            for (const auto& stage : step.stages) halo += reach(stage).up + reach(stage).down;
        }
        auto rows = std::max(
            {static_cast<std::int64_t>(strip_bytes_ / row_bytes) - halo, 2 * halo, std::int64_t{16}});
        // Under wrap the first strip needs the picture's other end, and with it everything between: one strip then
        // costs the same memory and computes nothing twice.
        if (requests_.front().border == Border::wrap && halo > 0) rows = requests_.front().size.height;
        rows = (rows + quantum_ - 1) / quantum_ * quantum_;
        // Strips begin at multiples of their height in the whole picture, so that any output has the same bytes
        // whether it is computed alone or with its neighbours.
        for (auto y = output.y / rows * rows; y < output.bottom(); y += rows)
            body(intersect(output, {output.x, y, output.width, rows}));
    }

    std::vector<ImageRequest> requests_;
    std::vector<std::shared_ptr<const Plan>> plans_;
    std::size_t strip_bytes_;
    std::int64_t quantum_ = 1;
};

std::string forced_message(const Engine& engine, const Request& request, std::string_view force,
                           const std::string& why) {
    std::string message = "the algorithm " + std::string(force) + " cannot do this: " + why +
                          ". What would do:";
    bool any = false;
    for (const auto& candidate : candidates(engine, request)) {
        if (!candidate.why_not.empty()) continue;
        message += std::string(any ? ", " : " ") + std::string(candidate.algorithm->id);
        any = true;
    }
    return message + (any ? "" : " none");
}

} // namespace

std::vector<Candidate> candidates(const Engine& engine, const Request& request) {
    const auto steps = cut_into_steps(std::get<ImageRequest>(request));
    std::vector<Candidate> all;
    for (const auto* algorithm : engine.algorithms()) {
        if (algorithm->id == kConvert) continue;
        Candidate candidate{algorithm, {}, 0};
        if (algorithm->whole_requests) {
            candidate.why_not = algorithm->why_not(request, engine);
            candidate.microseconds = algorithm->cost(request, engine).microseconds;
        } else {
            for (const auto& step : steps) {
                if (is_conversion(step) || !candidate.why_not.empty()) continue;
                auto fitted = fit(engine, *algorithm, step);
                candidate.why_not = std::move(fitted.why_not);
                if (!fitted.way.empty())
                    candidate.microseconds += algorithm->cost(filtering(fitted.way), engine).microseconds;
            }
        }
        all.push_back(std::move(candidate));
    }
    return all;
}

std::shared_ptr<const Plan> plan(Engine& engine, const Request& request, std::string_view force) {
    const auto& picture = std::get<ImageRequest>(request);
    validate(picture);
    const Algorithm* forced = nullptr;
    if (!force.empty()) {
        forced = force == kConvert ? nullptr : find(engine, force);
        if (!forced)
            throw Error(forced_message(engine, request, force,
                                       "the engine " + engine.device().id + " has none of that name"));
    }
    if (forced && forced->whole_requests) {
        if (auto why = forced->why_not(request, engine); !why.empty())
            throw Error(forced_message(engine, request, force, why));
        return forced->plan(request, engine);
    }

    auto steps = cut_into_steps(picture);
    if (steps.empty()) { // same format, no stages: a copy is a conversion to itself
        auto copy = picture;
        copy.alpha = AlphaMode::straight;
        steps.push_back(std::move(copy));
    }
    const auto* convert = find(engine, kConvert);
    std::vector<ImageRequest> parts;
    std::vector<std::shared_ptr<const Plan>> plans;
    std::string ids, reason;
    const auto append = [&](const ImageRequest& part, const Algorithm* algorithm) {
        if (!algorithm)
            throw Error("the engine " + engine.device().id + " has no way to convert pixel formats");
        plans.push_back(algorithm->plan(part, engine));
        parts.push_back(part);
        ids += (ids.empty() ? "" : " > ") + std::string(algorithm->id);
    };
    for (const auto& step : steps) {
        if (is_conversion(step)) {
            append(step, convert);
            continue;
        }
        Choice choice;
        if (forced) {
            auto fitted = fit(engine, *forced, step);
            if (fitted.way.empty()) throw Error(forced_message(engine, request, force, fitted.why_not));
            choice = {forced, std::move(fitted.way), std::string(forced->id) + " as asked for"};
        } else {
            choice = cheapest(engine, step);
        }
        for (const auto& part : choice.way) append(part, is_conversion(part) ? convert : choice.algorithm);
        if (reason.find(choice.reason) == std::string::npos)
            reason += (reason.empty() ? "" : "; ") + choice.reason;
    }
    const bool needs_strips = plans.size() > 1; // one step has nothing between steps to keep in cache
    auto chain = std::make_shared<Chain>(std::move(parts), std::move(plans),
                                         needs_strips ? engine.device().strip_bytes : kOneStrip);
    chain->algorithm = std::move(ids);
    chain->reason = reason.empty() ? "conversion only" : std::move(reason);
    return chain;
}

} // namespace kg
