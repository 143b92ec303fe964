#include "app/bench/slider/drag.hpp"

#include "app/batch/hash.hpp"
#include "core/error.hpp"
#include "core/planner.hpp"
#include "cpu/sampled_plan.hpp"

#include <algorithm>

namespace kg {

namespace {

constexpr std::chrono::seconds kPatience{60};

double microseconds(SliderDrag::Clock::time_point from, SliderDrag::Clock::time_point to) {
    return std::chrono::duration<double, std::micro>(to - from).count();
}

/// Of the part of a picture.
std::uint64_t digest_of(const ConstImageView& pixels) {
    std::uint64_t digest = 0;
    const auto bytes = static_cast<std::size_t>(pixels.size.width) * bytes_per_pixel(pixels.format);
    for (std::int64_t y = 0; y < pixels.size.height; ++y)
        digest = digest * 0x9E3779B97F4A7C15u +
                 batch::short_hash_of({reinterpret_cast<const char*>(pixels.row<std::byte>(y)), bytes});
    return digest;
}

std::uint64_t digest_of(Engine& engine, const BufferView& pixels) {
    const Extent size{pixels.covers.width, pixels.covers.height};
    if (const auto* bytes = pixels.memory->host())
        return digest_of(ConstImageView{bytes + pixels.offset, pixels.pitch, size, pixels.format});
    Image image(size, pixels.format);
    const auto queue = engine.queue();
    queue->download(pixels, image.view());
    queue->fence().wait();
    return digest_of(std::as_const(image).view());
}

/// What of a result's pixels is there.
BufferView there(const BufferView& pixels, const std::optional<Preview>& preview) {
    if (!preview) return pixels;
    return pixels.crop(preview->every > 1 ? preview->changed.front() : preview->part);
}

Document::Setup setup_of(const std::shared_ptr<Engine>& engine, std::function<void()> wake,
                         std::function<void(const std::shared_ptr<const Result>&)> present) {
    Document::Setup setup;
    setup.engines = {engine};
    setup.wake = std::move(wake);
    setup.present = std::move(present);
    return setup;
}

} // namespace

SliderDrag::SliderDrag(const std::shared_ptr<Engine>& engine,
                       const std::shared_ptr<display::DisplayRoute>& route,
                       std::shared_ptr<const Picture> picture, const Recipe& recipe, Edit edit)
    : edit_(std::move(edit)), image_(route, {[this] { wake(); }, 0}),
      document_(setup_of(
          engine, [this] { wake(); },
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
    const auto size = picture->image.size();
    document_.focus_on({size, size, whole(size), size.width / 2, size.height / 2, 1});
    document_.set_recipe(recipe);
    document_.open_unsaved(std::move(picture));
    loop_until(Clock::now() + kPatience, [this] { return document_.result() && document_.resting(); });
}

void SliderDrag::wake() {
    {
        std::lock_guard lock(mutex_);
        woken_ = true;
    }
    changed_.notify_all();
}

void SliderDrag::loop_until(Clock::time_point due, const std::function<bool()>& over) {
    // A hand-off that could not begin at once is asked again, as the window asks (ViewPanel::next_change).
    constexpr std::chrono::milliseconds kOnItsWay{20};
    for (;;) {
        take_in();
        if (over() || Clock::now() >= due) return;
        std::unique_lock lock(mutex_);
        changed_.wait_until(lock, image_.busy() ? std::min(due, Clock::now() + kOnItsWay) : due,
                            [this] { return woken_; });
        woken_ = false;
    }
}

void SliderDrag::take_in() {
    document_.update();
    if (!document_.failure().empty()) throw Error(document_.failure());
    if (!image_.poll()) return;
    const auto now = Clock::now();
    const auto stamp = image_.shown().serial;
    const auto [result, presented] = arriving_.at(stamp);
    const auto posted = result->job.posted;
    const auto answered = std::ranges::partition_point(unanswered_,
                                                       [&](auto edit) { return edit <= posted; });
    if (counts_)
        for (auto edit = unanswered_.begin(); edit != answered; ++edit)
            first_us_.push_back(microseconds(*edit, now));
    unanswered_.erase(unanswered_.begin(), answered);
    if (counts_) {
        whole_us_ = microseconds(result->job.posted, now); // the last one counts
        seen_.push_back({result->job, result->home, result->preview, result->algorithm,
                         digest_of(*result->home, there(result->pixels, result->preview)), result->total_us,
                         microseconds(presented, now)});
    }
    arriving_.erase(arriving_.begin(), arriving_.upper_bound(stamp));
    document_.shown(stamp, image_.is_interop() ? DisplayWay::interop : DisplayWay::host);
}

void SliderDrag::run(std::size_t warm_up, std::size_t edits) {
    const auto period = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double, std::micro>(SliderReport::kPeriodMicroseconds));
    auto due = Clock::now();
    for (std::size_t n = 0; n < warm_up + edits; ++n, due += period) {
        loop_until(due, [] { return false; });
        counts_ = n >= warm_up;
        if (n == warm_up) unanswered_.clear();
        unanswered_.push_back(Clock::now());
        edit_(document_, static_cast<unsigned>(n));
    }
    document_.finish_gesture();
    loop_until(Clock::now() + kPatience, [this] { return !document_.busy(); });
    if (document_.busy()) throw Error("the last edit's result did not come within a minute");
}

std::string SliderDrag::wrong(const std::stop_token& stop) const {
    for (const auto& seen : seen_) {
        if (stop.stop_requested()) throw Cancelled();
        const auto& request = seen.job.request;
        const auto queue = seen.home->queue();
        const auto source = allocate_view(*seen.home, request.in, whole(request.size));
        queue->upload(seen.job.picture->image.view(), source);
        const auto every = seen.preview ? seen.preview->every : 1;
        const auto part = seen.preview ? seen.preview->part : whole(request.size);
        const bool separates = every > 1 && cpu::sampled_products(request.stages.front()).separates();
        const auto whole_plan = every == 1 ? plan(*seen.home, request)
                                           : plan(*seen.home, request, separates ? "separable" : "direct");
        Image expected({(part.width + every - 1) / every, (part.height + every - 1) / every}, request.out);
        Image row({part.width, 1}, request.out);
        const auto pixel = bytes_per_pixel(request.out);
        if (every == 1) {
            const Item item{source, allocate_view(*seen.home, request.out, part)};
            queue->run(whole_plan, {&item, 1});
            queue->download(item.dst, expected.view());
            queue->fence().wait();
        }
        for (std::int64_t v = 0; every > 1 && v < expected.size().height; ++v) {
            const Item item{
                source, allocate_view(*seen.home, request.out, {part.x, part.y + v * every, part.width, 1})};
            queue->run(whole_plan, {&item, 1});
            queue->download(item.dst, row.view());
            queue->fence().wait();
            for (std::int64_t u = 0; u < expected.size().width; ++u)
                std::copy_n(row.view().row<std::byte>(0) + static_cast<std::size_t>(u * every) * pixel, pixel,
                            expected.view().row<std::byte>(v) + static_cast<std::size_t>(u) * pixel);
        }
        if (digest_of(std::as_const(expected).view()) != seen.digest)
            return "wrong pixels: picture " + std::to_string(&seen - seen_.data()) + " of " +
                   std::to_string(seen_.size()) + (seen.preview ? ", a preview," : "") +
                   " is not what its edit asked for";
    }
    return {};
}

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
        if (&seen == &seen_.back() && seen.job.serial == seen_.front().job.serial) continue;
        computed.push_back(seen.computed_us);
        to_texture.push_back(seen.to_texture_us);
    }
    row.edits = first_us_.size();
    row.shown = seen_.size();
    add("first", first_us_);
    add("computed", computed);
    add("to_texture", to_texture);
    add("whole", {whole_us_});
}

} // namespace kg
