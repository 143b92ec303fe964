#pragma once
// Histograms and differences of whole images, counted in a thread of their own when they are asked for.

#include "app/editor/comparison/difference.hpp"
#include "app/editor/comparison/histogram.hpp"
#include "core/support/job_thread.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace kg {

/// What is known of two images.
template <typename Numbers>
struct Measured {
    const Numbers* latest = nullptr; ///< those of these images, or of earlier ones while these are counted
    bool current = false;            ///< `latest` is of these images
    std::string why_not{};           ///< why these could not be counted; empty if they are, or will be
};

/// It belongs to one thread.
class Measurements {
public:
    /// `wake` is called from any thread when something is counted.
    explicit Measurements(std::function<void()> wake) : wake_(std::move(wake)) {}
    Measurements(const Measurements&) = delete;
    Measurements& operator=(const Measurements&) = delete;
    ~Measurements();

    /// The first call for two images starts the work, and stops that for earlier ones.
    Measured<Histograms> histograms(const WholeImage& original, const WholeImage& result);
    Measured<DifferenceNumbers> difference(const WholeImage& a, const WholeImage& b);
    /// The numbers counted so far, without new work.
    Measured<Histograms> histograms() const { return histograms_.measured(); }
    Measured<DifferenceNumbers> difference() const { return difference_.measured(); }
    bool busy() const { return histograms_.busy() || difference_.busy(); }

private:
    template <typename Numbers>
    struct Count {
        struct Task {
            std::stop_source stop;
            std::optional<Numbers> numbers; ///< valid once `done`; empty = stopped or failed
            std::string why_not;            ///< the failure
            std::atomic<bool> done = false;
        };
        std::weak_ptr<const void> a, b;     ///< no count keeps an image
        std::shared_ptr<Task> task, before; ///< work on a and b; on the images before them

        bool busy() const { return task && !task->done; }
        Measured<Numbers> measured() const {
            if (task && task->done) return {task->numbers ? &*task->numbers : nullptr, true, task->why_not};
            return {before ? &*before->numbers : nullptr, false, {}};
        }
    };
    template <typename Numbers>
    Measured<Numbers> measure(Count<Numbers>& count, const WholeImage& a, const WholeImage& b,
                              Numbers (*function)(const WholeImage&, const WholeImage&,
                                                  const std::stop_token&));

    std::function<void()> wake_;
    Count<Histograms> histograms_;
    Count<DifferenceNumbers> difference_;
    JobThread thread_; ///< last member: ends first
};

} // namespace kg
