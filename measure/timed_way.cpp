#include "measure/timed_way.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>

namespace kg::measure {

namespace {

constexpr const char* kRun = "run";
constexpr const char* kMove = "move";
constexpr double kSettled = 0.02;
constexpr int kMostRuns = 10000;

using Clock = std::chrono::steady_clock;
double since(Clock::time_point began) {
    return std::chrono::duration<double, std::micro>(Clock::now() - began).count();
}

void copy_pixels(const ConstImageView& from, const ImageView& to) {
    for (std::int64_t y = 0; y < from.size.height; ++y)
        std::memcpy(to.row<std::byte>(y), from.row<std::byte>(y),
                    static_cast<std::size_t>(from.size.width) * bytes_per_pixel(from.format));
}

ImageView staging_view(const BufferView& view) {
    return {
        view.memory->host() + view.offset, view.pitch, {view.covers.width, view.covers.height}, view.format};
}

} // namespace

TimedWay::TimedWay(std::shared_ptr<Engine> engine, const ImageRequest& request,
                   std::shared_ptr<const Plan> plan, const ConstImageView& picture, const TimingRules& rules,
                   const std::stop_token& stop)
    : engine_(std::move(engine)), size_(request.size), out_(request.out), rules_(rules),
      plan_(std::move(plan)) {
    const auto all = whole(size_);
    staging_in_ = allocate_view(*engine_, request.in, all, BufferKind::staging);
    staging_out_ = allocate_view(*engine_, request.out, all, BufferKind::staging);
    copy_pixels(picture, staging_view(staging_in_));
    queue_ = engine_->queue(Priority::high);
    do {
        items_.push_back(
            {allocate_view(*engine_, request.in, all), allocate_view(*engine_, request.out, all)});
        queue_->upload(staging_view(staging_in_), items_.back().src);
    } while (items_.size() * (items_.back().src.size_in_bytes() + items_.back().dst.size_in_bytes()) <
             rules_.rotate_bytes);
    queue_->fence().wait();

    const auto run_began = Clock::now();
    run(1, stop);
    first_run_us_ = since(run_began);
}

double TimedWay::spent(const char* span, const Completion& fence) const {
    fence.wait();
    const auto report = fence.report();
    for (const auto& timed : report.spans)
        if (timed.name == span) return timed.microseconds;
    throw Error("the engine " + engine_->device().id + " gave no time for its work");
}

double TimedWay::run(int runs, const std::stop_token& stop) {
    queue_->mark(kRun);
    for (int i = 0; i < runs; ++i) {
        queue_->run(plan_, {&items_[next_], 1}, stop);
        next_ = (next_ + 1) % items_.size();
    }
    return spent(kRun, queue_->fence()) / runs;
}

void TimedWay::warm_up(const std::stop_token& stop) {
    const auto began = Clock::now();
    std::array<double, 3> last{};
    for (std::size_t n = 0;; ++n) {
        const double us = run(runs_, stop);
        last[n % last.size()] = us;
        const double wanted = std::ceil(rules_.least_sample_us / std::max(us, 0.01));
        runs_ = static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(kMostRuns)));
        const auto [low, high] = std::ranges::minmax(last);
        if ((n + 1 >= last.size() && high - low <= kSettled * high) || since(began) > rules_.most_warm_up_us)
            return;
    }
}

double TimedWay::sample(const std::stop_token& stop) { return run(runs_, stop); }

double TimedWay::upload_sample(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Cancelled();
    queue_->mark(kMove);
    queue_->upload(staging_view(staging_in_), items_[next_].src);
    return spent(kMove, queue_->fence());
}

double TimedWay::download_sample(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Cancelled();
    queue_->mark(kMove);
    queue_->download(items_[next_].dst, staging_view(staging_out_));
    return spent(kMove, queue_->fence());
}

Image TimedWay::result() {
    const auto latest = (next_ + items_.size() - 1) % items_.size();
    Image image(size_, out_);
    queue_->download(items_[latest].dst, image.view());
    queue_->fence().wait();
    return image;
}

} // namespace kg::measure
