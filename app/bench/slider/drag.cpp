#include "app/bench/slider/drag.hpp"

#include "app/bench/display/trial.hpp"
#include "core/support/elapsed.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace kg {

namespace {

using Clock = SliderDrag::Clock;

constexpr std::chrono::milliseconds kInFlight{20}; // poll interval of work that sends no wake-up
constexpr std::chrono::microseconds kAtWork{50};   // poll interval of OpenGL's work

Document::Setup setup_of(const std::shared_ptr<Engine>& engine, std::function<void()> wake,
                         std::function<void(const std::shared_ptr<const Result>&)> present) {
    Document::Setup setup;
    setup.engines = {engine};
    setup.wake = std::move(wake);
    setup.present = std::move(present);
    return setup;
}

bool is_over(std::unique_ptr<display::DrawingFence>& fence) {
    if (fence && fence->is_over()) fence.reset();
    return !fence;
}

} // namespace

void SliderDrag::Answers::take(Clock::time_point posted, Clock::time_point now, bool counts) {
    const auto answered = std::ranges::partition_point(waiting, [&](auto edit) { return edit <= posted; });
    if (counts)
        for (auto edit = waiting.begin(); edit != answered; ++edit)
            us.push_back(microseconds_between(*edit, now));
    waiting.erase(waiting.begin(), answered);
}

SliderDrag::SliderDrag(Setup setup)
    : setup_(std::move(setup)), image_(setup_.route, {[this] { wake(); }, 0}),
      document_(setup_of(
          setup_.engine, [this] { wake(); },
          [this](const std::shared_ptr<const Result>& result) {
              arriving_[result->stamp] = {result, Clock::now()};
              display::Frame frame{result->home, result->pixels, result->ready, result->stamp};
              if (const auto& preview = result->preview) {
                  frame.changed = preview->changed;
                  frame.every = preview->every;
                  frame.size = result->job.request.size;
              }
              image_.present(std::move(frame));
          })) {
    const auto size = setup_.image->pixels.size();
    document_.focus_on({size, size, whole(size), size.width / 2, size.height / 2, 1});
    document_.set_recipe(setup_.recipe);
    document_.open_unsaved(setup_.image, {});
}

void SliderDrag::begin() {
    until_come("the first result", [this] { return document_.result() && document_.resting(); });
}

void SliderDrag::run(std::size_t warm_up, std::size_t edits) {
    const auto period = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double, std::micro>(SliderReport::kPeriodMicroseconds));
    auto due = Clock::now();
    for (std::size_t n = 0; n < warm_up + edits; ++n, due += period) {
        doing("an edit");
        last_edit_ = due;
        until(due);
        if (n == warm_up) {
            counts_ = true;
            first_.waiting.clear(), drawn_.waiting.clear();
        }
        // Edits are due at fixed times, whether or not this thread is late.
        first_.waiting.push_back(due), drawn_.waiting.push_back(due);
        setup_.edit(document_, static_cast<unsigned>(n));
    }
    next_edit_.reset();
    document_.finish_gesture();
    until_come("the last edit's result", [this] { return !document_.busy() && !arrival_; });
}

void SliderDrag::leave() {
    document_.set_recipe({}); // a newer, quick job stops the others
    setup_.timeout.until("the work left by a drag", [this] {
        take_in();
        return !document_.busy();
    });
}

std::string SliderDrag::wrong() const { return verification_.wrong(setup_.timeout); }

void SliderDrag::report(SliderRow& row) const {
    const auto add = [&](const char* name, const std::vector<double>& us) {
        if (!us.empty()) row.figures.push_back({name, measure::summarize(us), std::ranges::max(us)});
    };
    std::vector<double> computed, to_texture;
    for (const auto& seen : seen_) {
        row.algorithm = seen.algorithm;
        if (seen.preview) {
            ++row.previews;
            row.finest = row.finest == 0 ? seen.preview->every : std::min(row.finest, seen.preview->every);
            row.coarsest = std::max(row.coarsest, seen.preview->every);
        }
        if (&seen == &seen_.back() && seen.serial == seen_.front().serial) continue;
        computed.push_back(seen.computed_us);
        to_texture.push_back(seen.to_texture_us);
    }
    row.edits = first_.us.size();
    row.shown = seen_.size();
    row.verified = verified_;
    add("first", first_.us);
    add("drawn", drawn_.us);
    add("computed", computed);
    add("to_texture", to_texture);
    add("whole", {whole_us_});
}

void SliderDrag::wake() {
    {
        std::lock_guard lock(mutex_);
        woken_ = true;
    }
    changed_.notify_all();
}

void SliderDrag::doing(const char* what) const {
    if (setup_.timeout.stop().stop_requested()) throw Cancelled();
    if (setup_.watch) setup_.watch->doing(setup_.name + ": " + what);
}

void SliderDrag::until(Clock::time_point due) {
    next_edit_ = due;
    for (take_in(); Clock::now() < due; take_in()) sleep(due);
}

void SliderDrag::until_come(const char* what, const std::function<bool()>& come) {
    const auto& limits = setup_.timeout.limits();
    const auto most = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                         std::chrono::duration<double>(std::min(limits.seconds, 1e6)));
    for (take_in(); !come(); take_in()) {
        doing(what);
        if (Clock::now() > most) setup_.timeout.give_up(what);
        sleep(std::min(most, Clock::now() + kInFlight));
    }
}

/// Sleeps until an event, or until polling may find a change.
void SliderDrag::sleep(Clock::time_point due) {
    // The GPU is about to finish, and a sleep would take as long.
    if (arrival_ && setup_.pass) return std::this_thread::yield();
    if (arrival_) due = std::min(due, Clock::now() + kAtWork);
    else if (image_.busy()) due = std::min(due, Clock::now() + kInFlight); // as in ViewPanel::next_change
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, due, [this] { return woken_; });
    woken_ = false;
}

void SliderDrag::take_in() {
    document_.update();
    if (const auto& failure = document_.failure()) throw Error(*failure);
    if (!arrival_ && image_.poll()) begin_arrival();
    if (arrival_) finish_arrival();
}

/// OpenGL has the texture's pixels in flight; enqueues their drawing.
void SliderDrag::begin_arrival() {
    const auto stamp = image_.shown().serial;
    const auto [result, presented] = arriving_.at(stamp);
    arriving_.erase(arriving_.begin(), arriving_.upper_bound(stamp));
    auto& arrival = arrival_.emplace(Arrival{result, presented, nullptr, nullptr});
    arrival.texture = std::make_unique<display::DrawingFence>();
    if (!setup_.pass) return;
    auto image = display_pass_image(image_);
    if (const auto& preview = result->preview; preview && preview->every == 1) image.part = preview->region;
    display::PassSettings settings;
    settings.view = display::ViewTransform::fit(image.size, image.size);
    setup_.pass->draw(image.size, {}, image, settings);
    arrival.drawing = std::make_unique<display::DrawingFence>();
}

void SliderDrag::finish_arrival() {
    const auto now = Clock::now();
    const auto& result = *arrival_->result;
    if (!arrival_->is_there && is_over(arrival_->texture)) {
        arrival_->is_there = true;
        first_.take(result.job.posted, now, counts_);
        if (counts_) {
            whole_us_ = microseconds_between(last_edit_, now); // the last one counts
            seen_.push_back({result.preview, result.algorithm, result.job.serial, result.total_us,
                             microseconds_between(arrival_->presented, now)});
        }
    }
    if (!arrival_->is_there || !is_over(arrival_->drawing)) return;
    if (setup_.pass) drawn_.take(result.job.posted, now, counts_);
    const auto done = std::exchange(arrival_, {})->result;
    document_.shown(done->stamp, image_.is_interop() ? PresentationPath::interop : PresentationPath::host);
    read_back(*done);
}

/// Reads back where that delays no edit; for warm-up edits and the last one, always.
void SliderDrag::read_back(const Result& result) {
    constexpr double kSafety = 1.5; // factor on the longest time so far
    const auto began = Clock::now();
    auto& longest_us = reading_us_[result.preview ? result.preview->every : 0];
    const bool holds_up = next_edit_ && kSafety * longest_us > microseconds_between(began, *next_edit_);
    if (counts_ && holds_up) return;
    doing("reading the texture");
    verification_.read(image_, result);
    longest_us = std::max(longest_us, microseconds_since(began));
    verified_ += counts_;
}

} // namespace kg
