#pragma once
// One drag of a slider: a document with a picture, edits, and what comes of them into a texture. The program's loop, without its
// panels and without drawing, which in software would take the processor from the engine.

#include "app/bench/slider_report.hpp"
#include "app/document/document.hpp"
#include "display/display_image.hpp"

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>

namespace kg {

class SliderDrag {
public:
    using Clock = std::chrono::steady_clock;
    /// `edit` makes the n-th edit of the document's selected step.
    using Edit = std::function<void(Document& document, unsigned n)>;

    SliderDrag(const std::shared_ptr<Engine>& engine, const std::shared_ptr<display::DisplayRoute>& route,
               std::shared_ptr<const Picture> picture, const Recipe& recipe, Edit edit);

    /// Edits that do not count, then those that do, a period apart, until the last one's whole result is there. Throws Error if
    /// something cannot be computed or shown.
    void run(std::size_t warm_up, std::size_t edits);
    /// Computes anew what was shown: empty if all of it was right.
    std::string wrong(const std::stop_token& stop) const;
    void report(SliderRow& row) const;
    const display::DisplayImage& image() const { return image_; }

private:
    /// What was on the screen for a while.
    struct Seen {
        Job job;
        std::shared_ptr<Engine> home;
        std::optional<Preview> preview;
        std::string algorithm;
        std::uint64_t digest = 0;
        double computed_us = 0, to_texture_us = 0;
    };
    void wake();
    void loop_until(Clock::time_point due, const std::function<bool()>& over);
    void take_in();

    std::mutex mutex_;
    std::condition_variable changed_;
    bool woken_ = false;

    Edit edit_;
    display::DisplayImage image_;
    std::map<std::uint64_t, std::pair<std::shared_ptr<const Result>, Clock::time_point>>
        arriving_; ///< by stamp
    std::vector<Seen> seen_;
    std::vector<double> first_us_;
    std::vector<Clock::time_point> unanswered_; ///< edits
    double whole_us_ = 0;
    bool counts_ = false;
    Document document_; ///< last: its worker wakes this
};

} // namespace kg
