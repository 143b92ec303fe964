#pragma once
// One drag of a slider: a document with an image, edits, and their results in a texture, and in a view where
// a GPU draws. The program's loop without its panels; software rendering would take the CPU from the engine.

#include "app/bench/slider/verification.hpp"
#include "app/bench/slider_report.hpp"
#include "app/bench/timeout.hpp"
#include "app/bench/watch.hpp"
#include "app/editor/document/document.hpp"
#include "display/display_image.hpp"
#include "display/pass/image_pass.hpp"

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace kg {

class SliderDrag {
public:
    using Clock = std::chrono::steady_clock;
    /// `edit` makes the n-th edit of the document's selected step.
    using Edit = std::function<void(Document& document, unsigned n)>;

    struct Setup {
        std::string name;
        std::shared_ptr<Engine> engine;
        std::shared_ptr<display::DisplayRoute> route;
        std::shared_ptr<const LoadedImage> image;
        Recipe recipe;
        Edit edit;
        display::ImagePass* pass = nullptr; ///< draws every image; null = none is drawn
        Timeout timeout{};
        Watch* watch = nullptr; ///< informed of every step
    };
    explicit SliderDrag(Setup setup);

    /// Returns when the recipe's own result is shown. This and run() throw Error if something cannot be
    /// computed or shown, Cancelled when stopped, Stuck where something never arrives; then this must be
    /// abandoned.
    void begin();
    /// Once, after begin(): warm-up edits, then counted edits, one per period, until the last edit's whole
    /// result is shown.
    void run(std::size_t warm_up, std::size_t edits);
    /// After a stop: waits for work in flight. Throws Stuck if it does not end.
    void leave();
    /// Recomputes everything that was read back; empty if all of it was right.
    std::string wrong() const;
    void report(SliderRow& row) const;
    const display::DisplayImage& image() const { return image_; }

private:
    /// An image that reached the texture.
    struct Seen {
        std::optional<Preview> preview;
        std::string algorithm;
        std::uint64_t serial = 0; ///< serial of the job
        double computed_us = 0, to_texture_us = 0;
    };
    /// In flight: OpenGL has the texture's pixels and the drawing.
    struct Arrival {
        std::shared_ptr<const Result> result;
        Clock::time_point presented;
        std::unique_ptr<display::DrawingFence> texture, drawing; ///< null once it is done
        bool is_there = false;                                   ///< it is in the texture
    };
    /// Edits, and how long each waited for pixels.
    struct Answers {
        std::vector<Clock::time_point> waiting;
        std::vector<double> us;
        void take(Clock::time_point posted, Clock::time_point now, bool counts);
    };

    void wake();
    void doing(const char* what) const;
    void until(Clock::time_point due);
    void until_come(const char* what, const std::function<bool()>& come);
    void sleep(Clock::time_point due);
    void take_in();
    void begin_arrival();
    void finish_arrival();
    void read_back(const Result& result);

    const Setup setup_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool woken_ = false;

    display::DisplayImage image_;
    /// Results that are not on the screen yet, by stamp.
    std::map<std::uint64_t, std::pair<std::shared_ptr<const Result>, Clock::time_point>> arriving_;
    std::optional<Arrival> arrival_;
    std::vector<Seen> seen_;
    SliderVerification verification_;
    Answers first_, drawn_;
    std::optional<Clock::time_point> next_edit_; ///< empty = no deadline
    /// Longest read-back time of the texture: by n of previews, 0 for whole results.
    std::map<int, double> reading_us_;
    Clock::time_point last_edit_;
    double whole_us_ = 0; ///< from the last edit to the latest image
    std::size_t verified_ = 0;
    bool counts_ = false;
    Document document_; ///< last: its worker wakes this
};

} // namespace kg
