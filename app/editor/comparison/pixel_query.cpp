#include "app/editor/comparison/pixel_query.hpp"

#include "app/process/job.hpp"
#include "core/reference/reference.hpp"
#include "core/support/thread.hpp"

#include <exception>
#include <mutex>
#include <stop_token>
#include <utility>

namespace kg {

struct PixelQuery::Task {
    std::shared_ptr<const LoadedImage> image;
    ImageRequest request;
    std::uint64_t stamp = 0; ///< the result's stamp
    std::int64_t x = 0, y = 0;
    std::vector<PixelSource> sources;
    std::stop_source stop;
    mutable std::mutex mutex;
    std::vector<PixelResult> results; ///< guarded

    PixelResult result_by(const PixelSource& source) const {
        PixelResult result{source.title};
        try {
            const auto outcome = run_job(source.engine, request, image->pixels.view(), source.algorithm,
                                         stop.get_token());
            const auto pixels = std::as_const(outcome.image).view();
            for (int c = 0; c < pixels.format.channels; ++c)
                result.samples.push_back(sample(pixels, x, y, c));
        } catch (const std::exception& error) {
            result.why_not = message_of(error);
        }
        return result;
    }
    void work(const std::function<void()>& wake) {
        for (const auto& source : sources) {
            if (stop.stop_requested()) return;
            auto result = result_by(source);
            {
                const std::lock_guard lock(mutex);
                results.push_back(std::move(result));
            }
            if (wake) wake();
        }
    }
};

PixelQuery::PixelQuery(std::function<void()> wake)
    : task_(std::make_unique<LatestTask<Task>>(std::move(wake))) {}
PixelQuery::~PixelQuery() = default;

void PixelQuery::forget() { task_->forget(); }
bool PixelQuery::busy() const { return task_->busy(); }

void PixelQuery::compute(const std::shared_ptr<const Result>& result, std::int64_t x, std::int64_t y,
                         std::vector<PixelSource> sources) {
    auto task = std::make_shared<Task>();
    task->image = result->job.image;
    task->request = result->request();
    task->stamp = result->stamp;
    task->x = x;
    task->y = y;
    task->sources = std::move(sources);
    task_->start(std::move(task));
}

PixelResults PixelQuery::of(const Result& result, std::int64_t x, std::int64_t y) const {
    if (!is_of(result, x, y)) return {};
    const auto& task = *task_->get();
    const std::lock_guard lock(task.mutex);
    return {task.results, task.sources.size()};
}

bool PixelQuery::is_of(const Result& result, std::int64_t x, std::int64_t y) const {
    const auto* task = task_->get();
    return task && task->stamp == result.stamp && task->x == x && task->y == y;
}

} // namespace kg
