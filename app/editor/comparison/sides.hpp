#pragma once
// The images that A and B show beside the result. Each side has a worker of its own, so that neither waits
// for the other, nor the result for them; the reference, which is slow, has its own thread. It belongs to the
// window's thread.

#include "app/editor/comparison/reference_run.hpp"
#include "app/editor/worker/worker.hpp"
#include "core/support/job_thread.hpp"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace kg {

inline constexpr std::size_t kSides = 2; ///< A, B

class Sides {
public:
    /// `wake` as in Worker.
    explicit Sides(std::function<void()> wake) : wake_(std::move(wake)) {}

    /// Computes `job`, unless it is what the side has or computes; `main` is the job of the result beside it.
    void want(std::size_t side, const ScreenJob& job, const ScreenJob& main);
    /// The side shows nothing of its own; `why_not` is the reason if something is missing.
    void clear(std::size_t side, const std::string& why_not = {});
    /// Processes the workers' events; true if something changed.
    bool update();
    /// Also while a worker that is no longer needed has not ended.
    bool busy() const;

    /// The whole result of A or B beside that of `main`; null until it is computed.
    std::shared_ptr<const Result> result(std::size_t side, const ScreenJob& main) const;
    /// Requests the numbers of a region of the side's result, unless they are read or about to be.
    void read_region(std::size_t side, const Rect& region);
    /// The latest region that was read of the side's result; null before.
    const RegionRead* region(std::size_t side) const {
        return sides_[side].region ? &*sides_[side].region : nullptr;
    }
    /// Why the side has no image; empty if it has one or it is being computed.
    const std::string& why_not(std::size_t side) const { return sides_[side].why_not; }
    /// How much of the reference on this side is done; empty unless it is being computed.
    std::optional<ReferenceProgress> progress(std::size_t side) const;

private:
    struct Side {
        std::shared_ptr<Worker> worker;          ///< made with the first job
        std::unique_ptr<ReferenceRun> reference; ///< the same, for the reference
        ScreenJob wanted, main;                  ///< serial 0 = none
        std::shared_ptr<const Result> result;
        std::string why_not;
        std::optional<RegionRead> region;
        Rect wanted_region{};
        bool busy = false, reading = false;
    };
    Worker& worker(Side& side);
    void end_work(Side& side);
    static void take(Side& side, const Event& event);
    static void forget(Side& side);

    std::function<void()> wake_;
    std::uint64_t serial_ = 0;
    std::array<Side, kSides> sides_;
    std::atomic<int> workers_ending_ = 0;
    JobThread ending_; ///< ends workers that are no longer needed, which may take as long as their job
};

} // namespace kg
