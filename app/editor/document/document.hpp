#pragma once
// The state of one window: what is opened, what is asked for, what is shown. Panels read it and post intents; all of it
// belongs to the window's thread, the worker has its own.

#include "app/process/command_text.hpp"
#include "app/process/engines.hpp"
#include "app/editor/document/history.hpp"
#include "app/editor/timing/timings.hpp"
#include "app/editor/worker/worker.hpp"
#include "filters/analysis.hpp"
#include "filters/preset.hpp"

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kg {

/// An ongoing gesture (a drag) is one entry of the history, up to finish_gesture().
enum class Gesture { whole, ongoing };

struct Message {
    enum class Kind { info, warning, error };
    Kind kind = Kind::info;
    std::string text;
};

/// How the picture is looked at. Zoom and place live in the view panel; nothing here is saved or undone.
struct ViewState {
    enum class Mode { result, split, side, difference };
    Mode mode = Mode::result;
    int gain = 4;                ///< times that a difference is magnified
    double divider = 0.5;        ///< of the view's width
    bool show_original = false;  ///< while O is held
    bool original_stays = false; ///< after a tap on O, until the next, and of a file that is wanted as it is
};

/// Empty words are automatic: the engine that suits best, and its cheapest algorithm.
struct Way {
    std::string engine, algorithm;
    bool operator==(const Way&) const = default;
};

/// A way one can choose, for the list behind the engine chip.
struct Choice {
    Way way;
    std::string title, why_not; ///< why_not empty = would do
    double microseconds = 0;    ///< predicted
};

/// One of the pictures that are open: one recipe for all, one of them shown.
struct FilmPicture {
    std::filesystem::path path;
    std::shared_ptr<const Image> thumbnail{}; ///< RGBA u8; null until it is there
    bool unreadable = false;
    std::filesystem::path made{};      ///< what a batch has made of it; empty = nothing, or nothing known
    std::optional<Recipe> made_with{}; ///< the batch's
};

struct PixelReading {
    std::int64_t x = 0, y = 0;
    std::vector<double> before, after; ///< stored samples; after is empty until it is read off the engine
};

/// A text that a person wants to have as a file.
struct TextFile {
    std::filesystem::path proposed;
    std::string text;
};

class Document {
public:
    struct Setup {
        std::vector<std::shared_ptr<Engine>> engines; ///< usable ones, the preferred first; at least one
        Way way{};
        std::function<void()> wake{}; ///< called from any thread when update() has something to do
        /// Brings a result to the screen, which then says shown(): picture and numbers swap in the same frame. Without
        /// it a result counts as shown at once.
        std::function<void(const std::shared_ptr<const Result>&)> present{};
        std::optional<Recipe> last_recipe{};
        std::filesystem::path kernel_folder{}; ///< for kernels too large to type; empty = the user's cache
        ReadOptions read{};                    ///< for every picture that is opened
        PreviewPace pace{};
    };
    explicit Document(Setup setup);

    /// Takes in what the worker did. Call at the start of a frame; true if something changed.
    bool update();

    // --- what is shown
    const std::shared_ptr<const Picture>& picture() const { return picture_; } ///< null until one is open
    bool is_sample() const { return picture_ && picture_->path.empty(); }
    std::string title() const; ///< file name, or "Sample picture"
    const Recipe& recipe() const { return state_.recipe; }
    /// What was done the last time, to be taken up again; empty if nothing is known.
    const std::optional<Recipe>& last_recipe() const { return last_recipe_; }
    void use_last_recipe();
    /// The one that made picture(), where its file says so.
    const std::optional<Recipe>& picture_recipe() const { return picture_recipe_; }
    void use_picture_recipe();
    /// Another one in the place of this one; an entry of the history.
    void take_up(const Recipe& recipe, const std::string& name);
    const std::vector<std::optional<Step>>& origins() const { return state_.origins; }
    /// The display says that it shows the result of this stamp now, and how it got there.
    void shown(std::uint64_t stamp, DisplayWay way = DisplayWay::host);
    /// ... or that it cannot, and why: what is shown stays. A result that was lost with its device is computed again.
    void not_shown(const std::string& why);
    /// What is on the screen; null before the first; always of one job, whatever has been edited since. It may be a preview.
    const std::shared_ptr<const Result>& result() const { return result_; }
    /// Something is on its way: a picture, a result, a file.
    bool busy() const { return opening_ > 0 || saving_ > 0 || filtering(); }
    /// Nor is anything being counted, shrunken or read in the background.
    bool resting() const { return !busy() && errands_ == 0 && !counting_ && !probing_; }
    bool filtering() const { return settled_serial_ < serial_ || !arriving_.empty(); }
    /// What was clamped away in result(); null until it is counted, and where nothing is clamped.
    const Clipping* clipping() const { return clipping_ ? &*clipping_ : nullptr; }
    /// True of a result around 0, such as an edge filter's, of which a part below 0 was clamped away.
    bool lost_its_sign() const { return lost_its_sign_; }
    /// Why the newest request gave no result; empty if it did or still may.
    const std::string& failure() const { return failure_; }

    // --- recipe
    int selected() const { return selected_; } ///< -1 = none
    const Step* selected_step() const;
    const Stage* selected_stage() const; ///< null also where the parameters cannot be used
    const Analysis* selected_analysis(std::size_t kernel = 0) const;
    /// What a slider shows: the value given, else the preset, else what the filter derived.
    std::string value(const Parameter& parameter) const;
    void select(int step);
    void add_step(std::string_view filter);
    /// Another filter in the selected step's place. A custom one begins with the weights that are there.
    void replace_step(std::string_view filter);
    /// A preset's steps in the selected one's place or after all others, and its settings where it has some.
    enum class PresetUse { replace, append };
    void use_preset(const Preset& preset, PresetUse use);
    /// What each preset would make of picture(), in the order of presets(); null until it is there. Begins with the
    /// first call for a picture.
    const std::vector<std::shared_ptr<const Image>>& previews();
    void remove_step(int step);
    void move_step(int from, int to);
    void enable_step(int step, bool enabled);
    void set_value(std::string_view parameter, const std::string& text, Gesture gesture = Gesture::whole);
    void reset_value(std::string_view parameter);
    /// The selected step's weights; a named step becomes custom and remembers where it came from.
    void set_kernel(const Kernel& kernel, Gesture gesture = Gesture::whole);
    void back_to_origin();
    /// Any other change: border, output settings.
    void change(const std::function<void(Recipe&)>& edit, Gesture gesture = Gesture::whole);
    void set_recipe(const Recipe& recipe); ///< the first one; not an entry of the history
    void finish_gesture() { history_.seal(); }
    const History& history() const { return history_; }
    void undo();
    void redo();

    // --- way of computing
    const Way& way() const { return way_; }
    void choose(const Way& way);
    const std::vector<Choice>& choices() const;
    /// Who computes that way.
    EngineChoice engine() const;
    /// Its id, or that of the fallback if the result is its: lines that are copied name it, because other engines may give
    /// other bytes.
    std::string engine_in_use() const;
    /// The forced one; empty = any. One that did not fit has yielded to auto on the screen, and does so in files.
    std::string algorithm_in_use() const;
    /// Computes the same again, to time it.
    void run_again(int times);
    int runs_left() const { return runs_left_; }

    /// Of result(), and of those before it that compare with it.
    const Timings& timings() const { return timings_; }
    Timings& timings() { return timings_; } ///< for the display and the window, which know their parts

    // --- files
    /// One recipe for all: the first is shown, the others are a key away. Replaces the pictures that were open.
    void open(const std::vector<std::filesystem::path>& paths);
    void open(const std::filesystem::path& path) { open(std::vector{path}); }
    /// Beside those that are open; the first of the new ones is shown.
    void add(const std::vector<std::filesystem::path>& paths);
    /// One with the recipe that a batch has made a file of it with, before and after.
    void compare(const std::filesystem::path& picture, const std::filesystem::path& made,
                 const Recipe& recipe);
    /// What a batch has made of the picture that is shown, as it is, without the recipe once more.
    void open_made();
    void open_sample();
    /// One that lies in no file.
    void open_unsaved(std::shared_ptr<const Picture> picture);
    /// Empty while the generated sample is shown.
    const std::vector<FilmPicture>& film() const { return film_; }
    std::size_t film_place() const { return film_place_; } ///< of the picture that is shown or about to be
    void show(std::size_t film_place);
    void close(std::size_t film_place);          ///< the last one stays
    std::filesystem::path proposed_path() const; ///< {stem}-{filter}{ext} beside the original
    /// Computes in full, as `kernelglass filter` does, and writes. The outcome becomes a message.
    void save(const std::filesystem::path& path);
    const std::filesystem::path& saved_path() const {
        return saved_path_;
    } ///< of this picture's last export; may be empty
    /// A file of this name would replace another one than the export of the image that is shown, so that a person is asked
    /// first. False of inputs, which are never replaced.
    bool asks_before(const std::filesystem::path& path) const;
    /// What a file of this kind would change, before it is written: "16 to 8 bit". Empty = nothing, or nothing known.
    std::string saving_note(const std::filesystem::path& path) const;
    /// The line for a shell. Writes the kernel files it names. Throws Error if they cannot be written.
    std::string copy_as_command();
    /// Where files go that a copied line needs.
    std::filesystem::path command_folder() const;

    /// What panels give to be written, under a name like this beside the picture: the window asks where, then write() does it.
    void offer_file(const std::string& name, std::string text) {
        offered_ = TextFile{proposed_path().parent_path() / name, std::move(text)};
    }
    std::optional<TextFile> take_offered_file() { return std::exchange(offered_, {}); }
    /// The outcome becomes a message.
    void write(const std::filesystem::path& path, std::string text);

    /// Where what is edited from now on is looked at. Before the first call there are no previews.
    void focus_on(const Focus& focus) { focus_ = focus; }

    // --- pixel under the cursor
    void point_at(std::int64_t x, std::int64_t y);
    void point_nowhere() { reading_.reset(), probing_ = false; }
    const std::optional<PixelReading>& reading() const { return reading_; }

    // --- words
    void say(Message::Kind kind, const std::string& text);
    const std::vector<Message>& messages() const { return messages_; }

    ViewState view;

private:
    void edit(const EditState& next, Gesture gesture, const std::string& name = {});
    void go_to(const EditState& state);
    void post();
    ImageRequest request() const;
    std::optional<Focus> focus() const;
    void read_pixel();
    std::vector<std::filesystem::path> inputs() const;
    void want_thumbnails();
    void forget(const std::filesystem::path& path);
    void fail(const std::string& sentence);
    bool is_lost(const Result& result) const;

    void take(std::shared_ptr<const Result> result);
    void take(Opened opened);
    void take(const Thumbnailed& made);
    void take(const Counted& counted);
    void take(const Previewed& previewed);
    void take(const Saved& saved);
    void take(const Wrote& wrote);
    void take(const Probed& probed);
    void take(const Failed& failed);

    std::vector<std::shared_ptr<Engine>> engines_;
    Way way_;
    std::filesystem::path kernel_folder_;
    ReadOptions read_;

    std::shared_ptr<const Picture> picture_;
    std::weak_ptr<const Picture> opaque_; ///< the latest of which a result has said so
    std::vector<FilmPicture> film_;
    std::size_t film_place_ = 0;
    bool comparing_ = false; ///< the picture on its way is to have the recipe that it was made with
    std::vector<std::shared_ptr<const Image>> previews_;
    std::shared_ptr<const Picture> previews_of_;
    EditState state_;
    std::optional<Recipe> last_recipe_, picture_recipe_;
    int selected_ = -1;
    History history_;

    std::uint64_t serial_ = 0, settled_serial_ = 0;
    std::shared_ptr<const Result> result_;
    std::function<void(const std::shared_ptr<const Result>&)> present_;
    std::deque<std::shared_ptr<const Result>> arriving_; ///< computed, not yet on the screen
    std::string failure_;
    Timings timings_;
    std::optional<Clipping> clipping_;
    bool counting_ = false, probing_ = false, lost_its_sign_ = false;
    int runs_left_ = 0, opening_ = 0, saving_ = 0, errands_ = 0;
    std::filesystem::path saved_path_;
    std::optional<TextFile> offered_;
    std::optional<PixelReading> reading_;
    std::optional<Focus> focus_;
    std::vector<Message> messages_;

    // What follows from the state, worked out when asked for and forgotten at the next edit.
    struct Derived {
        std::optional<Stage> stage;
        bool stage_known = false;
        std::vector<std::optional<Analysis>> analyses;
        std::optional<std::vector<Choice>> choices;
    };
    mutable Derived derived_;

    Worker worker_; ///< last, so that it ends first
};

} // namespace kg
