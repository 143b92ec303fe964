#pragma once
// The filtering of many pictures on one engine, called by many threads. Requests that come again have their plans ready, queues
// and buffers are used again, and pictures of one shape that wait for a GPU at the same time go to it in one launch.

#include "app/process/job.hpp"

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace kg::batch {

/// Thread-safe.
class FilterPool {
public:
    FilterPool(EngineChoice choice, std::string algorithm);
    ~FilterPool();

    /// As run_job(): the same bytes and errors. Nothing is copied on the way to a GPU where picture and result lie in memory that it
    /// transfers by itself (StagingPool, set by the caller with ImageMemoryFrom). What does not go at once (memory is short, the engine cannot) goes its way. The
    /// report's spans are what the caller waited for an engine other than the CPU.
    Outcome run(const ImageRequest& request, const ConstImageView& picture);
    /// Runs of plans so far; fewer than pictures where several went together.
    std::size_t launches() const;
    /// For which an engine other than the CPU had as many launches at once as it ever had: half of them for two seconds are one.
    double busy_seconds() const;
    /// Pictures that nobody has taken into a launch yet.
    std::size_t waiting() const;
    const EngineChoice& choice() const { return choice_; }

private:
    struct Shape;
    struct Lane;
    struct Waiting;
    class Launch;

    std::shared_ptr<Shape> shape_of(const ImageRequest& request);
    std::unique_ptr<Lane> take_lane();
    void give_back(std::unique_ptr<Lane> lane);
    void run_in_place(const Shape& shape, const ConstImageView& picture, Image& result);
    double run_together(const std::shared_ptr<Shape>& shape, const ConstImageView& picture, Image& result);
    void wait_for(Shape& shape, Waiting& own);
    void lead(Shape& shape, std::unique_lock<std::mutex>& lock);

    const EngineChoice choice_;
    const std::string algorithm_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::shared_ptr<Shape>> shapes_; ///< the last used behind
    std::vector<std::unique_ptr<Lane>> lanes_;   ///< that nobody uses
    std::size_t launches_ = 0;
    int at_once_ = 0, most_at_once_ = 0; ///< launches
    double launch_seconds_ = 0;
};

} // namespace kg::batch
