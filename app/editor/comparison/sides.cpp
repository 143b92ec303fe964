#include "app/editor/comparison/sides.hpp"

#include "core/reference/reference.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace kg {

namespace {

bool same_work(const ScreenJob& x, const ScreenJob& y) {
    return x.image == y.image && x.request == y.request && x.algorithm == y.algorithm &&
           x.choice.engine == y.choice.engine;
}

} // namespace

void Sides::want(std::size_t index, const ScreenJob& job, const ScreenJob& main) {
    auto& side = sides_[index];
    side.main = main;
    if (side.wanted.serial > 0 && same_work(side.wanted, job)) return;
    side.wanted = job;
    side.wanted.serial = ++serial_;
    side.wanted.focus.reset(); // neither A nor B has previews
    forget(side);
    side.why_not.clear();
    side.busy = true;
    if (job.algorithm != kReferenceId) {
        if (side.reference) side.reference->forget();
        return worker(side).post(side.wanted);
    }
    end_work(side);
    if (!side.reference) side.reference = std::make_unique<ReferenceRun>(wake_);
    side.reference->compute(side.wanted);
}

Worker& Sides::worker(Side& side) {
    if (!side.worker) side.worker = std::make_shared<Worker>(wake_);
    return *side.worker;
}

void Sides::end_work(Side& side) {
    if (side.reference) side.reference->forget();
    if (!side.worker) return;
    ++workers_ending_;
    ending_.push([this, worker = std::move(side.worker)]() mutable {
        worker.reset();
        --workers_ending_;
        if (wake_) wake_();
    });
    side.worker.reset();
}

void Sides::clear(std::size_t index, const std::string& why_not) {
    auto& side = sides_[index];
    end_work(side);
    side.wanted = side.main = {};
    forget(side);
    side.why_not = why_not;
    side.busy = false;
}

void Sides::forget(Side& side) {
    side.result.reset();
    side.region.reset();
    side.wanted_region = {};
    side.reading = false;
}

void Sides::read_region(std::size_t index, const Rect& region) {
    auto& side = sides_[index];
    if (!side.result || region.empty() || side.wanted_region == region) return;
    side.wanted_region = region;
    side.reading = true;
    worker(side).read_region(side.result, region);
}

bool Sides::update() {
    bool changed = false;
    for (auto& side : sides_) {
        auto events = side.worker ? side.worker->take_events() : std::vector<Event>();
        if (side.reference)
            if (auto event = side.reference->take()) events.push_back(*std::move(event));
        changed = changed || !events.empty();
        for (const auto& event : events) take(side, event);
    }
    return changed;
}

void Sides::take(Side& side, const Event& event) {
    if (const auto* result = std::get_if<std::shared_ptr<const Result>>(&event);
        result && (*result)->job.serial == side.wanted.serial) {
        side.busy = false;
        side.why_not = (*result)->why_yielded(); // what ran instead is not what was asked for
        if (side.why_not.empty()) side.result = *result;
    }
    if (const auto* read = std::get_if<RegionRead>(&event);
        read && side.result && read->stamp == side.result->stamp) {
        side.region = *read;
        side.reading = side.reading && read->region != side.wanted_region;
    }
    const auto* failed = std::get_if<Failed>(&event);
    if (failed && failed->what == Failed::What::probing) side.reading = false;
    if (failed && failed->what == Failed::What::filtering && failed->serial == side.wanted.serial) {
        side.busy = false;
        side.why_not = failed->error.what();
    }
}

bool Sides::busy() const {
    return workers_ending_ > 0 || std::ranges::any_of(sides_, [](const Side& side) {
               return side.busy || side.reading || (side.reference && side.reference->busy());
           });
}

std::optional<ReferenceProgress> Sides::progress(std::size_t index) const {
    const auto& reference = sides_[index].reference;
    return reference ? reference->progress() : std::nullopt;
}

std::shared_ptr<const Result> Sides::result(std::size_t index, const ScreenJob& main) const {
    const auto& side = sides_[index];
    const bool same = side.main.serial == main.serial || side.main.request == main.request;
    return same && side.main.image == main.image ? side.result : nullptr;
}

} // namespace kg
