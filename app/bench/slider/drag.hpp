#pragma once
// One drag of a slider: a document with a picture, edits, and what comes of them into a texture, and into a view where a GPU draws.
// The program's loop without its panels; software would take the processor from the engine by drawing.

#include "app/bench/patience.hpp"
#include "app/bench/slider/proof.hpp"
#include "app/bench/slider_report.hpp"
#include "app/bench/watch.hpp"
#include "app/editor/document/document.hpp"
#include "display/display_image.hpp"
#include "display/image_pass.hpp"

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
        std::shared_ptr<const Picture> picture;
        Recipe recipe;
        Edit edit;
        display::ImagePass* pass = nullptr; ///< draws every picture; null: none is drawn
        Patience patience{};
        Watch* watch = nullptr; ///< told of every step
    };
    explicit SliderDrag(Setup setup);

    /// Returns when the recipe's own result is shown. This and run() throw Error if something cannot be computed or shown, Cancelled
    /// when stopped, Stuck where something never comes: then this is to be abandoned.
    void begin();
    /// Once, after begin(): edits that do not count, then those that do, a period apart, until the last one's whole result is there.
    void run(std::size_t warm_up, std::size_t edits);
    /// After a stop: gives up what is under way. Throws Stuck where that does not come to its end.
    void leave();
    /// Computes anew what was read back of what was shown: empty if all of it was right.
    std::string wrong() const;
    void report(SliderRow& row) const;
    const display::DisplayImage& image() const { return image_; }

private:
    /// Came into the texture.
    struct Seen {
        std::optional<Preview> preview;
        std::string algorithm;
        std::uint64_t serial = 0; ///< of the job
        double computed_us = 0, to_texture_us = 0;
    };
    /// On its way: OpenGL has been given the texture's pixels, and the drawing.
    struct Arrival {
        std::shared_ptr<const Result> result;
        Clock::time_point presented;
        std::unique_ptr<display::DrawingFence> texture, drawing; ///< null once it is over
        bool is_there = false;                                   ///< in the texture
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
    std::map<std::uint64_t, std::pair<std::shared_ptr<const Result>, Clock::time_point>>
        arriving_; ///< by stamp
    std::optional<Arrival> arrival_;
    std::vector<Seen> seen_;
    SliderProof proof_;
    Answers first_, drawn_;
    std::optional<Clock::time_point> next_edit_; ///< none: there is time for anything
    std::map<int, double> reading_us_; ///< the texture, longest so far: by n of previews, 0 of whole results
    Clock::time_point last_edit_;
    double whole_us_ = 0; ///< from the last edit to the latest picture
    std::size_t proved_ = 0;
    bool counts_ = false;
    Document document_; ///< last: its worker wakes this
};

} // namespace kg
