#include "app/editor/timing/timings.hpp"

#include "core/support/elapsed.hpp"

#include <algorithm>

namespace kg {

TimingSubject TimingSubject::of(const Result& result, PresentationPath path) {
    const auto& request = result.job.request;
    std::string kernels;
    for (const auto& stage : request.stages) {
        if (!kernels.empty()) kernels += " > ";
        for (const auto& kernel : stage.kernels) {
            if (&kernel != &stage.kernels.front()) kernels += " + ";
            kernels += std::to_string(kernel.width) + "x" + std::to_string(kernel.height);
        }
    }
    return {result.job.choice.engine, request.size, request.in, request.out,
            result.algorithm,         kernels,      path,       result.home != result.job.choice.engine};
}

void Timings::shown(const Result& result, PresentationPath path) {
    if (result.preview) { // not timed, but the engine has worked
        begins_at_rest(result);
        return;
    }
    const auto subject = TimingSubject::of(result, path);
    if (result.stamp == latest_.stamp && subject == on_screen_) return; // already known
    if (result.stamp != latest_.stamp) latest_ = {result.stamp, result.job.posted, begins_at_rest(result)};
    on_screen_ = subject;
    if (paused_) return;
    if (subject_ != on_screen_) begin_anew();
    from_rest_ = latest_.from_rest;
    if (runs_.empty() || runs_.back().stamp != latest_.stamp) runs_.push_back(latest_);
    if (runs_.size() > kRuns) runs_.pop_front();
    add(TimingRow::upload, latest_.stamp, result.upload_us);
    add(TimingRow::filter, latest_.stamp, result.filter_us);
}

/// In a drag the next result is requested before the last one is done: the engine was never idle.
bool Timings::begins_at_rest(const Result& result) {
    const bool at_rest = busy_engine_ != result.job.choice.engine || result.job.posted - busy_until_ > kRest;
    busy_engine_ = result.job.choice.engine;
    busy_until_ = result.job.posted + std::chrono::duration_cast<Clock::duration>(
                                          std::chrono::duration<double, std::micro>(result.total_us));
    return at_rest;
}

/// The upload row is kept where only the work on the engine has changed.
void Timings::begin_anew() {
    const bool same_upload = subject_.engine == on_screen_.engine && subject_.size == on_screen_.size &&
                             subject_.in == on_screen_.in;
    for (const auto row : kTimingRows)
        if (row != TimingRow::upload || !same_upload) at(row).reset();
    runs_.clear();
    subject_ = on_screen_;
}

const Timings::Run* Timings::run(std::uint64_t stamp) const {
    const auto found = std::ranges::find(runs_, stamp, &Run::stamp);
    return found == runs_.end() ? nullptr : &*found;
}

void Timings::add(TimingRow row, std::uint64_t stamp, double microseconds) {
    if (paused_ || microseconds <= 0) return;
    if ((row == TimingRow::draw || row == TimingRow::frame) && stamp < drawn_from_) return;
    if (const auto* of = run(stamp)) at(row).add({microseconds, stamp, of->from_rest});
}

void Timings::drawn(std::uint64_t stamp, Clock::time_point when, double frame_us) {
    const auto* of = run(stamp);
    if (!of) return;
    add(TimingRow::frame, stamp, frame_us);
    add(TimingRow::response, stamp, microseconds_between(of->posted, when));
}

void Timings::view_changed(std::uint64_t first) {
    drawn_from_ = first;
    if (paused_) return;
    at(TimingRow::draw).reset();
    at(TimingRow::frame).reset();
}

void Timings::reset() {
    for (const auto row : kTimingRows) at(row).reset();
    runs_.clear();
    subject_ = on_screen_;
}

void Timings::pause(bool paused) {
    paused_ = paused;
    if (!paused && !is_of_screen()) begin_anew();
}

} // namespace kg
