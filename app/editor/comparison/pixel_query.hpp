#pragma once
// What every algorithm and every library computes for one pixel, in a thread of its own.

#include "app/editor/comparison/latest_task.hpp"
#include "app/editor/worker/result.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kg {

/// An algorithm, or that of a library, by the name that the lists have for it.
struct PixelSource {
    std::string title, algorithm;
    std::shared_ptr<Engine> engine;
};

struct PixelResult {
    std::string title;
    std::vector<double> samples{}; ///< as stored, one for each channel; empty where there is no result
    std::string why_not{};         ///< why there is none
};

/// What is known of one pixel.
struct PixelResults {
    std::vector<PixelResult> results; ///< in the order of the sources
    std::size_t sources = 0;          ///< 0 = nothing is computed for the pixel
    bool is_complete() const { return results.size() == sources; }
};

/// It belongs to one thread.
class PixelQuery {
public:
    /// `wake` is called from any thread when there is a result.
    explicit PixelQuery(std::function<void()> wake);
    ~PixelQuery();

    /// Filters the image of `result` by its request through every source, one after another, and keeps the
    /// pixel (x, y) of each. Replaces what was computed before.
    void compute(const std::shared_ptr<const Result>& result, std::int64_t x, std::int64_t y,
                 std::vector<PixelSource> sources);
    /// What is known of this pixel of this result.
    PixelResults of(const Result& result, std::int64_t x, std::int64_t y) const;
    /// Whether anything is known of this pixel, or computed for it.
    bool is_of(const Result& result, std::int64_t x, std::int64_t y) const;
    /// Ends the work, and forgets what is known.
    void forget();
    /// Also while work that has been ended is not over yet.
    bool busy() const;

private:
    struct Task;
    std::unique_ptr<LatestTask<Task>> task_;
};

} // namespace kg
