#pragma once
// The float64 reference of an image, in a thread of its own. It may take hours, so it is computed in strips
// of rows: how much is done is known, and a stop ends it soon.

#include "app/editor/comparison/latest_task.hpp"
#include "app/editor/worker/result.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace kg {

/// Estimated time of the reference on this engine, for a machine like the one that measured the rate.
double reference_seconds(const ImageRequest& request, const Engine& engine);

/// "about 40 s", "about 3 min", "about 5 h": rounded, so that it does not change with every strip.
std::string about_seconds(double seconds);

struct ReferenceProgress {
    double done = 0; ///< fraction of the rows
    double seconds_left = 0;
};

/// It belongs to one thread.
class ReferenceRun {
public:
    /// `wake` is called from any thread after every strip and at the end.
    explicit ReferenceRun(std::function<void()> wake);
    ~ReferenceRun();

    /// Computes the job's whole image by the algorithm `reference`. Replaces what was computed before.
    void compute(const ScreenJob& job);
    /// The result or the failure; returned once.
    std::optional<Event> take();
    /// Empty while nothing is computed.
    std::optional<ReferenceProgress> progress() const;
    /// Ends the work, and forgets its result.
    void forget();
    /// Also while work that has been ended is not over yet.
    bool busy() const;

private:
    struct Task;
    std::unique_ptr<LatestTask<Task>> task_;
};

} // namespace kg
