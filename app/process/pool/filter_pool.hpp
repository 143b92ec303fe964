#pragma once
// Filters many images on one engine, from many threads. Plans of repeated requests are kept, queues and
// buffers are reused, and images of one shape that wait for a GPU at the same time share a launch.

#include "app/process/job.hpp"

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace kg {

/// Thread-safe.
class FilterPool {
public:
    FilterPool(EngineChoice choice, std::string algorithm);
    ~FilterPool();

    /// Gives the bytes and errors of run_job(). The result is in memory of `memory` as far as it goes. An
    /// image and a result in pinned memory (StagingPool) are transferred to a GPU without a copy. A request
    /// that a launch cannot compute goes to run_job() if memory is short, if the device is lost, or if the
    /// GPU refused a launch of several images; other errors are thrown as they are. The spans of the report
    /// are the time that the caller waited for an engine other than the CPU.
    JobOutcome run(const ImageRequest& request, const ConstImageView& image,
                   ImageMemorySource* memory = nullptr);
    /// Runs of plans so far; fewer than images where several went together.
    std::size_t launches() const;
    /// Busy time of an engine other than the CPU, weighted by the launches in flight relative to their
    /// maximum: half of them for two seconds count as one second.
    double busy_seconds() const;
    /// Images that no launch has taken yet.
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
    void run_in_place(const Shape& shape, const ConstImageView& image, Image& result);
    double run_together(const std::shared_ptr<Shape>& shape, const ConstImageView& image, Image& result);
    void wait_for(Shape& shape, Waiting& own);
    void lead(Shape& shape, std::unique_lock<std::mutex>& lock);

    const EngineChoice choice_;
    const std::string algorithm_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::shared_ptr<Shape>> shapes_; ///< most recently used last
    std::vector<std::unique_ptr<Lane>> lanes_;   ///< idle lanes
    std::size_t launches_ = 0;
    int at_once_ = 0, most_at_once_ = 0; ///< launches in flight
    double launch_seconds_ = 0;
};

} // namespace kg
