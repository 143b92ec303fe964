#pragma once
// The state of one window: open images, recipe, options, result. Panels read it and post intents. All of it
// belongs to the window's thread; the worker has its own state.

#include "app/editor/comparison/view_state.hpp"
#include "app/editor/document/file_watch.hpp"
#include "app/editor/document/message.hpp"
#include "app/editor/document/preset_list.hpp"
#include "app/editor/document/recipe_slots.hpp"
#include "app/editor/pixel/pixel_state.hpp"
#include "app/editor/timing/timings.hpp"
#include "app/editor/worker/worker.hpp"
#include "app/process/command_text.hpp"
#include "app/process/engine/engines.hpp"
#include "filters/kernel/numbers.hpp"

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace kg {

/// An ongoing gesture (a drag) is one entry of the history, until finish_gesture().
enum class Gesture { whole, ongoing };

/// An entry of the list behind the engine chip.
struct Choice {
    Selection selection;
    /// `why_not` is empty where the selection can run.
    std::string title, why_not;
    double microseconds = 0; ///< predicted
};

/// One open image. All share one recipe, and one of them is shown.
struct FilmImage {
    std::filesystem::path path;
    std::shared_ptr<const Image> thumbnail{}; ///< RGBA u8; null until it is made
    int page = 1;                             ///< of a file with several pages
    bool unreadable = false;
    std::string damage{}; ///< LoadedImage::damage, once it has been read; empty = complete
    /// Output file of a batch; empty where there is none, or none is known.
    std::filesystem::path made{};
    std::optional<Recipe> made_with{}; ///< recipe of that batch
};

struct PixelReading {
    std::int64_t x = 0, y = 0;
    /// Stored samples; `after` is empty until it has been read from the engine.
    std::vector<double> before, after;
};

/// A text or a kernel to be written to a file; the extension chooses the kernel's format.
struct TextFile {
    std::filesystem::path proposed;
    std::string text;
    std::optional<Kernel> kernel{};
};

class Comparison;

class Document {
public:
    struct Setup {
        std::vector<std::shared_ptr<Engine>> engines; ///< usable engines in order of preference; at least one
        Selection selection{};
        std::function<void()> wake{}; ///< called from any thread when update() has work
        /// Presents a result and then calls shown(): image and numbers swap in the same frame. Without it a
        /// result counts as shown at once.
        std::function<void(const std::shared_ptr<const Result>&)> present{};
        std::optional<Recipe> last_recipe{};
        std::size_t slot = 0;                  ///< shown at first
        std::filesystem::path kernel_folder{}; ///< kernels too large to type; empty = the user's cache
        std::filesystem::path preset_folder{}; ///< own presets; empty = none
        ReadOptions read{};                    ///< applied to every image
        PreviewPace pace{};
    };
    explicit Document(Setup setup);
    ~Document();

    /// Processes the worker's events. Call at the start of a frame; true if something changed.
    bool update();

    // --- what is shown
    const std::shared_ptr<const LoadedImage>& image() const { return image_; } ///< null until one is open
    bool is_sample() const { return image_ && image_->path.empty(); }
    std::string title() const; ///< file name, or the title of an image without a file
    const Recipe& recipe() const { return state_.recipe; }
    /// The recipe of the previous start; empty if none is known.
    const std::optional<Recipe>& last_recipe() const { return last_recipe_; }
    void use_last_recipe();
    /// The recipe that made image(), where its file carries one.
    const std::optional<Recipe>& image_recipe() const { return image_recipe_; }
    void use_image_recipe();
    /// Replaces the recipe; one entry of the history.
    void use_recipe(const Recipe& recipe, const std::string& name);
    const std::vector<std::optional<Step>>& origins() const { return state_.origins; }
    /// Called by the display: the result with this stamp is on the screen, by this path.
    void shown(std::uint64_t stamp, PresentationPath path = PresentationPath::host);
    /// Called by the display: the result cannot be shown. The previous result stays. A result that was lost
    /// with its device is computed again.
    void not_shown(const Error& why);
    /// The result on the screen, of one job whatever has been edited since; null before the first. It may be
    /// a preview.
    const std::shared_ptr<const Result>& result() const { return result_; }
    /// An image is being opened, a result computed, or a file saved.
    bool busy() const { return opening_ > 0 || saving_ > 0 || filtering(); }
    /// Neither busy() nor running background tasks, counts, probes or comparisons.
    bool resting() const;
    bool filtering() const { return settled_serial_ < serial_ || !arriving_.empty(); }
    /// Clipping of result(); null until it is counted, and where nothing is clamped.
    const Clipping* clipping() const { return clipping_ ? &*clipping_ : nullptr; }
    /// True where a signed result, such as an edge filter's, lost its values below 0 to clamping.
    bool lost_its_sign() const { return lost_its_sign_; }
    /// A and B of the view, and numbers about them.
    Comparison& comparison();
    /// The result is that of the steps up to the selected one. Files are always of all steps.
    void show_to_selected(bool on);
    bool shows_to_selected() const { return shows_to_selected_; }
    std::string shown_steps() const; ///< "Steps 1-2 of 3"; empty = all
    Recipe shown_recipe() const;     ///< the recipe of result(), unless it is filtering()
    /// Why the newest request has no result; empty if it succeeded or is still pending.
    const std::optional<Error>& failure() const { return failure_; }

    // --- recipe
    int selected() const { return selected_; } ///< -1 = none
    const Step* selected_step() const;
    const Stage* selected_stage() const; ///< also null where the parameters are invalid
    const Analysis* selected_analysis(std::size_t kernel = 0) const;
    /// Response, singular values and likeness of the selected stage's kernel; null where there is none.
    const KernelNumbers* selected_numbers(std::size_t kernel = 0) const;
    /// The value of a slider: the given value, else the preset's, else the one derived by the filter. For a
    /// custom step with an origin, its own parameters' values, and the origin's of the others.
    std::string value(const Parameter& parameter) const;
    void select(int step);
    void add_step(std::string_view filter);
    /// Replaces the selected step's filter. A custom filter begins with the current weights.
    void replace_step(std::string_view filter);
    /// Inserts a preset's steps in place of the selected step or after all others, and applies its settings.
    enum class PresetUse { replace, append };
    void use_preset(const Preset& preset, PresetUse use);
    PresetList& presets() { return presets_; }
    const PresetList& presets() const { return presets_; }
    /// Thumbnails of every preset applied to image(), in the order of presets(); null until each is made. The
    /// first call for an image, or after an edit of the list, starts the work.
    const std::vector<std::shared_ptr<const Image>>& previews();
    void remove_step(int step);
    void move_step(int from, int to);
    void enable_step(int step, bool enabled);
    void set_value(std::string_view parameter, const std::string& text, Gesture gesture = Gesture::whole);
    void reset_value(std::string_view parameter);
    /// Sets the selected step's weights; a named step becomes custom and remembers its origin. `name` is that
    /// of the entry; empty = by what changed. In a step of two kernels `of_two` keeps the other one.
    void set_kernel(const Kernel& kernel, Gesture gesture = Gesture::whole, const std::string& name = {},
                    OfTwo of_two = {});
    /// The same without a gesture; appends a custom step where none is selected.
    void use_kernel(const Kernel& kernel, const std::string& name, OfTwo of_two = {});
    /// Uses a recipe, or a kernel in any format of kernel files; one entry. The error if the text is neither.
    std::optional<Error> use_text(std::string_view text, OfTwo of_two = {});
    bool paste_kernel(std::string_view text, OfTwo of_two = {}); ///< the same; false and a message: neither
    void back_to_origin();
    /// Any other edit: border, output settings.
    void change(const std::function<void(Recipe&)>& edit, Gesture gesture = Gesture::whole);
    void set_recipe(const Recipe& recipe); ///< initial recipe; not an entry of the history
    /// The same, and the history is empty: undo never goes behind it.
    void start_over(const Recipe& recipe);
    /// Keeps the recipe and its history until bring_back(): edits in between have a history of their own.
    void set_aside();
    void bring_back(); ///< does nothing without set_aside()
    bool is_aside() const { return aside_.has_value(); }
    void finish_gesture() { history_.seal(); }
    const History& history() const { return history_; }
    void undo();
    void redo();

    // --- recipe slots: all functions above concern the recipe of the shown slot
    std::size_t slot() const { return slot_; } ///< index of the shown slot, below kRecipeSlots
    /// Empty where nothing has been edited in the slot. Throws std::out_of_range.
    const Recipe& slot_recipe(std::size_t slot) const;
    RecipeSlots slots() const;
    /// Whether slots() would return these; without copies.
    bool has_slots(const RecipeSlots& slots) const;
    /// Initial recipe of a slot that is not shown; not an entry of its history.
    void park_recipe(std::size_t slot, const Recipe& recipe);
    /// Shows another slot. Every slot keeps its own history: undo concerns the shown one.
    void show_slot(std::size_t slot);
    /// Replaces the recipe of another slot by the shown one; one entry of that slot's history.
    void copy_slot(std::size_t to);

    // --- algorithm
    const std::vector<std::shared_ptr<Engine>>& engines() const { return engines_; }
    /// The usable engine of this id; null if there is none.
    std::shared_ptr<Engine> engine_of(const std::string& id) const;
    const Selection& selection() const { return selection_; }
    void choose(const Selection& selection);
    const std::vector<Choice>& choices() const;
    /// The engine that runs the selection.
    EngineChoice engine() const;
    /// While held, nothing is computed: edits wait, and busy() is true. For measurements.
    void hold(bool held) { worker_.hold(held_ = held); }
    bool held() const { return held_; }
    /// It is held, and what was begun before is done.
    bool is_still();
    /// A panel asks the window to go to Bench.
    void ask_for_bench() { wants_bench_ = true; }
    bool take_wanted_bench() { return std::exchange(wants_bench_, false); }
    /// The large window of the selected step's kernel is to open.
    void ask_for_kernel_window() { wants_kernel_window_ = true; }
    bool take_wanted_kernel_window() { return std::exchange(wants_kernel_window_, false); }
    /// Id of the engine, or of the fallback if the result is the fallback's. Copied commands name it, because
    /// another engine may give different bytes.
    std::string engine_in_use() const;
    /// The forced algorithm; empty = any. A forced algorithm that does not fit yields to auto, on the screen
    /// and in files.
    std::string algorithm_in_use() const;
    /// Repeats the computation, to time it.
    void run_again(int times);
    int runs_left() const { return runs_left_; }

    /// Timings of result() and of comparable results before it.
    const Timings& timings() const { return timings_; }
    Timings& timings() { return timings_; } ///< for the display and the window, which add their own rows

    // --- files
    /// Opens images that share one recipe and shows the first. Replaces the open images.
    void open(const std::vector<std::filesystem::path>& paths);
    void open(const std::filesystem::path& path) { open(std::vector{path}); }
    /// Adds to the open images; shows the first of the new ones.
    void add(const std::vector<std::filesystem::path>& paths);
    /// Opens an image with the recipe of a batch and its output, for a before/after comparison.
    void compare(const std::filesystem::path& image, const std::filesystem::path& made, const Recipe& recipe);
    /// Opens a batch's output of the shown image, without applying the recipe again.
    void open_made();
    void open_sample();
    /// Opens an image that has no file.
    void open_unsaved(std::shared_ptr<const LoadedImage> image, std::string title);
    /// Empty while an image without a file is shown.
    const std::vector<FilmImage>& film() const { return film_; }
    /// Index of the image that is shown or about to be.
    std::size_t film_place() const { return film_place_; }
    void show(std::size_t film_place);
    /// Reads another page of the shown file, from 1; the recipe stays.
    void show_page(int page);
    void close(std::size_t film_place); ///< the last image stays open
    /// {stem}-{filter}{ext} beside the original; {stem}-page{n}-{filter}{ext} of a page after the first.
    std::filesystem::path proposed_path() const;
    /// Computes in full, as `kernelglass filter` does, and writes the file. The outcome is reported as a
    /// message.
    void save(const std::filesystem::path& path);
    const std::filesystem::path& saved_path() const { return saved_path_; } ///< last export; may be empty
    /// True where writing this path would replace a file other than the shown image's own export: the window
    /// asks first. False for inputs, which are never replaced.
    bool asks_before(const std::filesystem::path& path) const;
    /// Conversion that a file of this kind implies: "16 to 8 bit". Empty where nothing changes or nothing is
    /// known.
    std::string saving_note(const std::filesystem::path& path) const;
    /// The equivalent shell command. Writes the kernel files that it names. Throws Error if they cannot be
    /// written.
    std::string copy_as_command();
    /// Computes the shown result in full, as a PNG file that take_copied() returns.
    void copy_result();
    std::optional<Copied> take_copied() { return std::exchange(copied_, {}); }
    /// Adds an image that another program has copied, from a file of its own in the user's cache.
    void add_pasted(std::string bytes);
    /// Folder of the files that a copied command needs.
    std::filesystem::path command_folder() const;
    std::filesystem::path pasted_folder() const; ///< where the files of pasted images are

    /// Offered by a panel for saving, under a name beside the image: the window asks for the path, then calls
    /// write().
    void offer_file(const std::string& name, std::string text) {
        offered_ = TextFile{proposed_path().parent_path() / name, std::move(text)};
    }
    std::optional<TextFile> take_offered_file() { return std::exchange(offered_, {}); }
    /// The outcome is reported as a message; `note` is added to it.
    void write(const std::filesystem::path& path, std::string text, const std::string& note = {});

    /// As offer_file(), for a kernel: the window calls write_kernel().
    void offer_kernel_file(const Kernel& kernel, OfTwo of_two = {});
    /// In the format that the extension names. The outcome is reported as a message.
    void write_kernel(const std::filesystem::path& path, const Kernel& kernel);
    /// The window asks for a kernel file, then calls read_kernel() with wanted_of_two().
    void ask_for_kernel_file(OfTwo of_two = {}) { wants_kernel_file_ = true, wanted_of_two_ = of_two; }
    bool take_wanted_kernel_file() { return std::exchange(wants_kernel_file_, false); }
    OfTwo wanted_of_two() const { return wanted_of_two_; }
    /// The file's kernel becomes the selected step's, or its recipe replaces the shown one; a failure is
    /// reported as a message.
    void read_kernel(const std::filesystem::path& path, OfTwo of_two = {});

    /// Region that previews compute first. Before the first call there are no previews.
    void focus_on(const Focus& focus) { focus_ = focus; }

    // --- pixel under the cursor
    void point_at(std::int64_t x, std::int64_t y);
    void point_nowhere() { reading_.reset(), probing_ = false; }
    const std::optional<PixelReading>& reading() const { return reading_; }
    /// Reads the numbers of result() in a region of the image, for a view in which pixels are large.
    void read_region(const Rect& region);
    /// The latest region that was read of result(); null before.
    const RegionRead* region() const {
        return region_ && result_ && region_->stamp == result_->stamp ? &*region_ : nullptr;
    }
    /// Explains reading(), for the channel `pixel.channel`; computed when it is asked for.
    const PixelExplanation& pixel_explanation() const;

    // --- messages
    void report(Message::Kind kind, const std::string& text);
    /// With the code and the arguments of `why`.
    void report(Message::Kind kind, const Error& why);
    void report(const Error& error) { report(Message::Kind::error, error); }
    const std::vector<Message>& messages() const { return messages_; }
    /// Files that could not be opened since the last call.
    std::vector<std::filesystem::path> take_unreadable() { return std::exchange(unreadable_, {}); }
    /// Warnings and errors up to the latest message concern what has been left or edited since: only the log
    /// shows them. Every edit calls it.
    void pass_messages() { passed_messages_ = messages_.size(); }
    bool is_last_message_past() const { return messages_.size() <= passed_messages_; }

    ViewState view;
    PixelState pixel;
    FileWatch file; ///< watches the file of image()

private:
    void edit(const EditState& next, Gesture gesture, const std::string& name = {});
    void go_to(const EditState& state);
    void post();
    ImageRequest request() const;
    std::optional<Focus> focus() const;
    void read_pixel();
    std::optional<std::size_t> selected_in_request() const;
    std::vector<std::filesystem::path> inputs() const;
    void want_thumbnails();
    void forget(const std::filesystem::path& path);
    void fail(const Error& error);
    bool is_lost(const Result& result) const;

    void take(std::shared_ptr<const Result> result);
    void take(Opened opened);
    void take(const Thumbnailed& made);
    void take(const Counted& counted);
    void take(const Previewed& previewed);
    void take(const Saved& saved);
    void take(const Wrote& wrote);
    void take(const Copied& copied);
    void take(const KernelRead& read);
    void take(const Probed& probed);
    void take(const RegionRead& read);
    void take(const Failed& failed);

    std::vector<std::shared_ptr<Engine>> engines_;
    Selection selection_;
    std::filesystem::path kernel_folder_;
    ReadOptions read_;

    std::shared_ptr<const LoadedImage> image_;
    std::string unsaved_title_;               ///< of an image without a file
    std::weak_ptr<const LoadedImage> opaque_; ///< the latest image found opaque by a result
    std::vector<FilmImage> film_;
    std::size_t film_place_ = 0;
    bool comparing_ = false; ///< the image being opened is to get the recipe that made it
    std::vector<std::shared_ptr<const Image>> previews_;
    std::shared_ptr<const LoadedImage> previews_of_;
    std::uint64_t previews_version_ = 0; ///< the version of presets_ that they show
    PresetList presets_;
    EditState state_;
    std::optional<Recipe> last_recipe_, image_recipe_;
    int selected_ = -1;
    bool shows_to_selected_ = false;
    History history_;
    std::size_t slot_ = 0;
    std::array<ParkedRecipe, kRecipeSlots> parked_; ///< the entry of slot_ is unused
    std::optional<ParkedRecipe> aside_;

    std::uint64_t serial_ = 0, settled_serial_ = 0;
    std::shared_ptr<const Result> result_;
    std::function<void(const std::shared_ptr<const Result>&)> present_;
    std::deque<std::shared_ptr<const Result>> arriving_; ///< computed, not yet on the screen
    std::optional<Error> failure_;
    Timings timings_;
    std::optional<Clipping> clipping_;
    bool counting_ = false, probing_ = false, reading_region_ = false, lost_its_sign_ = false;
    int runs_left_ = 0, opening_ = 0, saving_ = 0, tasks_ = 0;
    std::filesystem::path saved_path_;
    std::optional<TextFile> offered_;
    std::optional<Copied> copied_;
    bool wants_kernel_file_ = false, wants_bench_ = false, wants_kernel_window_ = false;
    OfTwo wanted_of_two_;
    std::optional<PixelReading> reading_;
    std::optional<RegionRead> region_;
    std::pair<std::uint64_t, Rect> wanted_region_{}; ///< stamp of the result, and what is read of it
    std::optional<Focus> focus_;
    std::vector<Message> messages_;
    std::vector<std::filesystem::path> unreadable_;
    std::size_t passed_messages_ = 0;

    // Derived from the state on demand; cleared by every edit.
    struct Derived {
        std::optional<Stage> stage;
        bool stage_known = false;
        std::vector<std::optional<Analysis>> analyses;
        std::vector<std::optional<KernelNumbers>> numbers;
        std::optional<std::vector<Choice>> choices;
    };
    mutable Derived derived_;

    struct Explained {
        /// Stamp of the result, pixel, stage, channel.
        using Key = std::tuple<std::uint64_t, std::int64_t, std::int64_t, std::optional<std::size_t>, int>;
        std::optional<Key> key{};
        PixelExplanation explanation{};
    };
    mutable Explained explained_;

    std::unique_ptr<Comparison> comparison_;
    bool held_ = false;
    Worker worker_; ///< last member, so that it is destroyed first
};

} // namespace kg
