#include "app/editor/comparison/sides.hpp"

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
    side.wanted.focus.reset(); // a side has no previews
    side.result.reset();
    side.why_not.clear();
    side.busy = true;
    if (!side.worker) side.worker = std::make_shared<Worker>(wake_);
    side.worker->post(side.wanted);
}

void Sides::clear(std::size_t index, const std::string& why_not) {
    auto& side = sides_[index];
    if (side.worker) ending_.push([worker = std::move(side.worker)]() mutable { worker.reset(); });
    side.worker.reset();
    side.wanted = side.main = {};
    side.result.reset();
    side.why_not = why_not;
    side.busy = false;
}

bool Sides::update() {
    bool changed = false;
    for (auto& side : sides_) {
        if (!side.worker) continue;
        const auto events = side.worker->take_events();
        changed = changed || !events.empty();
        for (const auto& event : events) take(side, event);
    }
    return changed;
}

void Sides::take(Side& side, const Event& event) {
    if (const auto* result = std::get_if<std::shared_ptr<const Result>>(&event);
        result && (*result)->job.serial == side.wanted.serial) {
        side.busy = false;
        side.why_not = (*result)->refusal; // what ran instead is not what was asked for
        if (side.why_not.empty()) side.result = *result;
    }
    if (const auto* failed = std::get_if<Failed>(&event); failed && failed->serial == side.wanted.serial) {
        side.busy = false;
        side.why_not = failed->error.what();
    }
}

bool Sides::busy() const { return std::ranges::any_of(sides_, &Side::busy); }

std::shared_ptr<const Result> Sides::result(std::size_t index, const ScreenJob& main) const {
    const auto& side = sides_[index];
    const bool same = side.main.serial == main.serial || side.main.request == main.request;
    return same && side.main.image == main.image ? side.result : nullptr;
}

} // namespace kg
