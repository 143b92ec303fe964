#include "app/editor/comparison/reference_run.hpp"

#include "core/plan/parts.hpp"
#include "core/plan/wrapped_image.hpp"
#include "core/reference/reference.hpp"
#include "core/reference/reference_part.hpp"
#include "core/support/elapsed.hpp"
#include "core/support/stop.hpp"
#include "core/support/thread.hpp"
#include "cpu/engine.hpp"
#include "peers/peers.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <new>
#include <stop_token>
#include <utility>

namespace kg {

namespace {

/// Products per second and thread, and the time of a sample beside its products in units of these: both
/// measured on one core, with kernels from 1 x 1 to 101 x 101.
constexpr double kProductsPerSecond = 150e6, kProductsPerSample = 20;
/// Time of a strip: a bar that moves, and rows enough for all threads.
constexpr double kStripSeconds = 0.25;
/// Stamps of other results are smaller.
constexpr std::uint64_t kFirstStamp = std::uint64_t{1} << 40;

} // namespace

double reference_seconds(const ImageRequest& request, const Engine& engine) {
    const double pixels = static_cast<double>(request.size.width) * static_cast<double>(request.size.height);
    return pixels * (reference_part_products(request) + kProductsPerSample * request.in.channels) /
           (kProductsPerSecond * cpu::threads_of(engine));
}

std::string about_seconds(double seconds) {
    constexpr double kMinute = 60, kHour = 60 * kMinute;
    const bool is_short = seconds < 1.5 * kMinute, is_long = seconds >= 1.5 * kHour;
    const double number = seconds / (is_short ? 1 : is_long ? kHour : kMinute);
    const double step = number < 10 ? 1 : number < 100 ? 5 : 100;
    const auto rounded = std::max(1.0, std::round(number / step) * step);
    return "about " + std::to_string(std::llround(rounded)) + (is_short ? " s" : is_long ? " h" : " min");
}

struct ReferenceRun::Task {
    ScreenJob job;
    std::stop_source stop;
    std::atomic<double> done = 0, seconds_left = 0;
    std::mutex mutex;
    std::optional<Event> outcome; ///< guarded
    std::atomic<bool> over = false;

    explicit Task(const ScreenJob& wanted) : job(wanted) {
        seconds_left = reference_seconds(job.request, *job.choice.engine);
    }

    /// Rows of the next strip.
    std::int64_t strip(const ImageRequest& request, double seconds_per_row) const {
        const auto least = efficient_part_height(request) * cpu::threads_of(*job.choice.engine);
        const auto rows = std::min(kStripSeconds / seconds_per_row, static_cast<double>(request.size.height));
        return std::max(least, static_cast<std::int64_t>(rows));
    }

    Event computed(const std::function<void()>& wake) {
        Result result;
        result.job = job;
        result.stamp = kFirstStamp + job.serial;
        result.opaque = depends_on_opaque(job.request) && is_opaque(job.image->pixels.view());
        const auto request = result.request();
        auto& engine = *job.choice.engine;
        const auto plan = peers::plan_with_peers(engine, request, kReferenceId, {stop.get_token()});
        result.algorithm = plan->algorithm;
        result.reason = reason_with_alpha(plan->reason, result.opaque);
        const auto pixels = std::make_shared<Image>(request.size, request.out);
        result.source = wrap_image(job.image->pixels.view(), job.image);
        result.source.format = request.in;
        auto from = job.image->pixels.view();
        from.format = request.in;
        const auto [width, height] = request.size;
        const auto began = std::chrono::steady_clock::now();
        double per_row = seconds_left / static_cast<double>(height);
        for (std::int64_t y = 0; y < height;) {
            throw_if_stopped(stop.get_token());
            const auto rows = std::min(height - y, strip(request, per_row));
            const Rect part{0, y, width, rows};
            run_in_parts(engine, plan, from, whole(from.size), pixels->view().crop(part), part,
                         stop.get_token());
            y += rows;
            per_row = microseconds_since(began) * 1e-6 / static_cast<double>(y);
            done = static_cast<double>(y) / static_cast<double>(height);
            seconds_left = per_row * static_cast<double>(height - y);
            if (wake) wake();
        }
        result.filter_us = microseconds_since(began);
        result.total_us = microseconds_since(job.posted);
        result.home = cpu::make_engine(1);
        result.pixels = wrap_image(std::as_const(*pixels).view(), pixels);
        return std::make_shared<const Result>(std::move(result));
    }

    void work(const std::function<void()>& wake) {
        const auto failed = [this](Error error) {
            return Failed{Failed::What::filtering, std::move(error), job.serial, {}};
        };
        Event event;
        try {
            event = computed(wake);
        } catch (const Cancelled&) {
            over = true;
            return;
        } catch (const std::bad_alloc&) {
            event = failed({"out-of-memory", "There is not enough memory for the reference."});
        } catch (const std::exception& error) {
            event = failed(as_error(error));
        }
        const std::lock_guard lock(mutex);
        outcome = std::move(event);
        over = true;
    }
};

ReferenceRun::ReferenceRun(std::function<void()> wake)
    : task_(std::make_unique<LatestTask<Task>>(std::move(wake))) {}
ReferenceRun::~ReferenceRun() = default;

void ReferenceRun::compute(const ScreenJob& job) { task_->start(std::make_shared<Task>(job)); }
void ReferenceRun::forget() { task_->forget(); }
bool ReferenceRun::busy() const { return task_->busy(); }

std::optional<Event> ReferenceRun::take() {
    auto* task = task_->get();
    if (!task || !task->over) return {};
    const std::lock_guard lock(task->mutex);
    return std::exchange(task->outcome, std::nullopt);
}

std::optional<ReferenceProgress> ReferenceRun::progress() const {
    const auto* task = task_->get();
    if (!task || task->over) return {};
    return ReferenceProgress{task->done, task->seconds_left};
}

} // namespace kg
