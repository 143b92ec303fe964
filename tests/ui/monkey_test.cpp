// Random keys, clicks and actions in every workspace: positions and lists always belong to the image on the
// screen, OpenGL reports no error, and undo leads back to the recipes of the start. Three seeds from 1 on
// with 120 events each. KERNELGLASS_MONKEY=N makes more events, KERNELGLASS_MONKEY_SEEDS=N takes more seeds,
// and KERNELGLASS_MONKEY_SEED=N begins with another one.

#include "app/editor/comparison/comparison.hpp"
#include "app/io/signals/signal_file.hpp"
#include "app/io/tensors/tensor_file.hpp"
#include "core/reference/reference.hpp"
#include "tests/measure/support/few_cold_bytes.hpp"
#include "tests/support/check.hpp"
#include "tests/support/long_runs.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>
#include <string_view>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

/// Actions with effects outside of the window and of the test's folder.
constexpr std::string_view kOutside[] = {"quit", "open_folder", "copy"};
/// Of the others half are these, so that no workspace is left at once.
constexpr std::string_view kOften[] = {"view_", "mode_",        "recipe_", "copy_to_", "next_page", "preset_",
                                       "add_",  "show_to_here", "measure", "start",    "explain"};

int events() { return number_of("KERNELGLASS_MONKEY", 120); }
unsigned seeds() { return static_cast<unsigned>(number_of("KERNELGLASS_MONKEY_SEEDS", 3)); }
unsigned first_seed() { return static_cast<unsigned>(number_of("KERNELGLASS_MONKEY_SEED", 1)); }

constexpr Extent kWindows[] = {{1120, 640}, {900, 600}, {1280, 800}};
/// One is larger than the view at 100 %. Most are small: what the engine computes takes most of a long run.
constexpr Extent kSizes[] = {{800, 560}, {360, 250}, {64, 43}, {1, 1}, {5, 300}, {300, 4}, {64, 43}};
constexpr PixelFormat kFormats[] = {{Depth::u8, 3}, {Depth::u8, 1}, {Depth::u16, 3}, {Depth::u8, 4, 3}};

constexpr ImGuiKey kKeys[] = {ImGuiKey_1,         ImGuiKey_2,      ImGuiKey_3,         ImGuiKey_4,
                              ImGuiKey_5,         ImGuiKey_6,      ImGuiKey_9,         ImGuiKey_O,
                              ImGuiKey_Enter,     ImGuiKey_Escape, ImGuiKey_LeftArrow, ImGuiKey_UpArrow,
                              ImGuiKey_PageUp,    ImGuiKey_F5,     ImGuiKey_F6,        ImGuiKey_RightArrow,
                              ImGuiKey_DownArrow, ImGuiKey_Tab,    ImGuiKey_Equal,     ImGuiKey_Minus,
                              ImGuiKey_Delete,    ImGuiKey_Space};
constexpr ImGuiKey kChordKeys[] = {ImGuiKey_0,         ImGuiKey_1, ImGuiKey_Z, ImGuiKey_Y,
                                   ImGuiKey_LeftArrow, ImGuiKey_W, ImGuiKey_B, ImGuiKey_M};
constexpr char kLetters[] = {'0', '1', '9', '.', '/', '-', 'e', 'x', ' ', '?'};

class MonkeyTest : public PlaygroundTest, public ::testing::WithParamInterface<unsigned> {
protected:
    int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }
    bool one_in(int n) { return below(n) == 0; }
    template <typename List>
    auto any_of(const List& list) {
        return list[static_cast<std::size_t>(below(static_cast<int>(std::size(list))))];
    }
    void write(const fs::path& path) {
        write_image(path, random_image(any_of(kSizes), any_of(kFormats), random_()).view());
    }

    /// Over the view half of the time; never over the top bar, whose menus have the actions of kOutside.
    ImVec2 somewhere() {
        const auto size = ImGui::GetIO().DisplaySize;
        ImRect area({0, 44 * ImGui::GetFontSize() / 14}, size);
        const auto* view = ImGui::FindWindowByName("view");
        if (view && view->WasActive && one_in(2)) area = view->Rect();
        return {area.Min.x + static_cast<float>(below(static_cast<int>(area.GetWidth()))),
                area.Min.y + static_cast<float>(below(static_cast<int>(area.GetHeight())))};
    }
    void press(ImGuiKey key) {
        auto& io = ImGui::GetIO();
        io.AddKeyEvent(key, true);
        io.AddKeyEvent(key, false);
    }
    void mouse() {
        auto& io = ImGui::GetIO();
        const auto at = somewhere();
        io.AddMousePosEvent(at.x, at.y);
        switch (below(5)) {
        case 0: break;
        case 1: io.AddMouseWheelEvent(0, static_cast<float>(below(9) - 4)); break;
        case 2: {
            io.AddMouseButtonEvent(0, true);
            const auto to = somewhere();
            io.AddMousePosEvent(to.x, to.y);
            io.AddMouseButtonEvent(0, false);
            break;
        }
        default: io.AddMouseButtonEvent(0, true); io.AddMouseButtonEvent(0, false);
        }
    }
    void chord(ImGuiKey modifier, ImGuiKey key) {
        ImGui::GetIO().AddKeyEvent(modifier, true);
        press(key);
        ImGui::GetIO().AddKeyEvent(modifier, false);
    }
    /// Events from outside the window.
    void files() {
        switch (below(5)) {
        case 0: write(any_of(files_)); break; // F5 or reopening it finds another image there
        case 1: harness_->context().on_drop({any_of(files_), any_of(files_)}); break;
        case 2: document().open(files_); break;
        case 3: playground_->view().pin({below(700), below(500)}); break;
        case 4: harness_->context().on_drop({photos()}); break;
        }
    }
    void run_action() {
        constexpr std::size_t kMostSteps = 4; // more only take time
        if (document().recipe().steps.size() > kMostSteps) return document().remove_step(0);
        const bool often = one_in(2);
        std::vector<const Action*> possible;
        for (const auto& action : playground_->actions().all()) {
            const auto begins = [&](auto begin) { return std::string_view(action.id).starts_with(begin); };
            if (why_not(action).empty() && std::ranges::find(kOutside, action.id) == std::end(kOutside) &&
                (!often || std::ranges::any_of(kOften, begins)))
                possible.push_back(&action);
        }
        if (!possible.empty()) any_of(possible)->run();
    }
    /// Another image at A or B, or a pixel by every algorithm.
    void compare() {
        auto& d = document();
        if (const auto& reading = d.reading(); reading && one_in(3))
            return d.comparison().compute_pixel(reading->x, reading->y);
        const auto choices = d.comparison().choices();
        if (choices.empty()) return;
        if (const auto& choice = any_of(choices);
            choice.why_not.empty() && d.comparison().announcement(choice.source).empty())
            d.view.sources[static_cast<std::size_t>(below(2))] = choice.source;
    }
    static bool is_slow(const Step& step) {
        constexpr std::int64_t kManyTaps = 10'000;
        return std::ranges::any_of(stage_of(step).kernels, [](const Kernel& kernel) {
            return std::int64_t{kernel.width} * kernel.height > kManyTaps;
        });
    }
    /// What takes minutes is stopped as a person would, instead of waited for: a large kernel by a forced
    /// algorithm or in float64, a slow algorithm at A or B, or a bank of large kernels. Under a sanitizer
    /// each reference is slow.
    void stop_slow_work() {
        auto& d = document();
        for (auto& source : d.view.sources)
            if (source.selection.algorithm == kReferenceId || d.comparison().busy()) source = {};
        if (!d.resting()) {
            d.choose({}); // a slow algorithm also counts what it clamped
            for (auto i = std::ssize(d.recipe().steps); i-- > 0;)
                if (is_slow(d.recipe().steps[static_cast<std::size_t>(i)]))
                    d.remove_step(static_cast<int>(i));
        }
        d.update();
        if (auto& desk = playground_->bank(); !desk.settled()) desk.bank().choose_preset("gabor");
    }
    void do_anything() {
        // A dialog lists the machine's files, most of which are neither images nor kernels.
        if (ImGui::GetTopMostPopupModal()) return press(ImGuiKey_Escape);
        // Typed into by chance: a batch writes below the test's folder alone.
        if (const auto& out = playground_->desk().session().settings().out;
            !out.empty() && out != folder_ / "photos-kernelglass")
            return harness_->context().on_drop({photos()});
        ImGui::SetClipboardText("1 2 1"); // what was copied may be no kernel, and pasting it an error
        auto& io = ImGui::GetIO();
        const int kind = below(25);
        if (kind == 24) return io.AddInputCharacter(static_cast<unsigned>(any_of(kLetters)));
        if (kind >= 22) return run_action();
        if (kind >= 20) return compare();
        if (kind < 9) return mouse();
        if (kind < 16) return press(any_of(kKeys));
        if (kind < 18) return chord(ImGuiMod_Ctrl, any_of(kChordKeys));
        files();
    }

    /// How far a long run is, in its output.
    static void show_progress(int event) {
        if ((event + 1) % 1000 == 0) std::cout << event + 1 << " events" << std::endl;
    }

    void expect_sound() {
        ASSERT_EQ(glGetError(), GLenum{GL_NO_ERROR});
        auto& d = document();
        if (const auto& result = d.result()) {
            const auto all = whole(result->job.request.size);
            if (const auto& reading = d.reading()) {
                ASSERT_TRUE(all.contains({reading->x, reading->y, 1, 1})) << reading->x << "," << reading->y;
                ASSERT_EQ(reading->before.size(), static_cast<std::size_t>(result->job.request.in.channels));
            }
            if (const auto& pin = playground_->view().pinned()) {
                ASSERT_TRUE(all.contains({pin->first, pin->second, 1, 1}))
                    << pin->first << "," << pin->second;
            }
        }
        if (!d.film().empty()) {
            ASSERT_LT(d.film_place(), d.film().size());
        }
        ASSERT_GE(d.selected(), -1);
        ASSERT_LT(d.selected(), static_cast<int>(d.recipe().steps.size()));
        const auto& failure = playground_->bench().session().state()->failure;
        for (; messages_seen_ < d.messages().size(); ++messages_seen_) {
            const auto& message = d.messages()[messages_seen_];
            // Two rows of an older recipe are compared, whose algorithms do not support the present one.
            if (failure && message.code() == failure->code() && message.code() == "algorithm-refused")
                continue;
            if (message.code() == "sizes-differ") continue; // images that were opened in Bank together
            ASSERT_NE(message.kind, Message::Kind::error) << message.text;
        }
    }

    void undo_and_redo() {
        auto& d = document();
        const auto recipe = d.recipe();
        d.finish_gesture();
        if (!d.history().can_undo()) return;
        d.undo();
        d.redo();
        ASSERT_EQ(d.recipe(), recipe);
    }

    /// Ends a lesson, whose recipe is shown in place of one of A, B and C.
    void show_play() {
        for (const auto& action : playground_->actions().all())
            if (action.id == "play" && why_not(action).empty()) action.run();
    }

    /// From the end of every recipe's history to its start: each undo leads to the state that the edit before
    /// it made, the last one to the start; and redo returns to the end.
    void undo_to_the_start() {
        auto& d = document();
        for (std::size_t slot = 0; slot < kRecipeSlots; ++slot) {
            SCOPED_TRACE("recipe " + std::string(kSlotNames[slot]));
            d.show_slot(slot);
            const auto last = d.recipe();
            int edits = 0;
            for (; d.history().can_undo(); ++edits) {
                d.undo();
                if (!d.history().can_undo()) continue;
                const auto recipe = d.recipe();
                d.undo();
                d.redo();
                ASSERT_EQ(d.recipe(), recipe) << "undo " << edits;
            }
            ASSERT_EQ(d.recipe(), start_.recipes[slot]) << edits << " edits";
            for (; edits > 0; --edits) d.redo();
            ASSERT_EQ(d.recipe(), last);
        }
    }

    fs::path photos() const { return folder_ / "photos"; }

    std::mt19937 random_{first_seed() + GetParam()};
    RecipeSlots start_;
    std::array<int, std::size(kWorkspaces)> in_workspace_{};
    std::vector<fs::path> files_;
    std::size_t messages_seen_ = 0;
};

TEST_P(MonkeyTest, NoWorkspaceIsLeftInconsistent) {
    WindowOptions options;
    fs::create_directory(photos());
    for (const auto* name : {"a.png", "b.png", "c.png", "d.png", "e.png"}) {
        files_.push_back(photos() / name);
        write(files_.back());
    }
    options.files = files_;
    options.recipe.steps = {parse_step("sharpen")};
    options.has_recipe = true;
    if (!start(options, {.size = any_of(kWindows)})) GTEST_SKIP() << kNoOpenGl;
    RecordProperty("seed", std::to_string(first_seed() + GetParam()));
    RecordProperty("events", events());
    start_ = document().slots();
    playground_->bench().adjust_jobs([](BenchJob& job) {
        job.rules.seconds = 0.1;
        job.rules.limits = false;
        job.rules.comparison.most_cold_bytes = measure::kFewColdBytes;
        job.rules.comparison.most_products = 1e6;
    });
    for (int i = 0; i < events(); ++i) {
        SCOPED_TRACE("event " + std::to_string(i));
        do_anything();
        ++in_workspace_[static_cast<std::size_t>(playground_->workspace())];
        const int frames = 1 + below(3); // several events may fall into one frame, and wait for later ones
        for (int k = 0; k < frames; ++k) {
            harness_->frames();
            ASSERT_NO_FATAL_FAILURE(expect_sound());
        }
        show_progress(i);
        if (one_in(20)) {
            stop_slow_work();
            settle();
            ASSERT_NO_FATAL_FAILURE(undo_and_redo());
        }
    }
    for (std::size_t i = 0; i < kWorkspaces.size(); ++i)
        RecordProperty(std::string("events in ") + kWorkspaces[i].id, in_workspace_[i]);
    stop_slow_work();
    show_play();
    settle();
    ASSERT_NO_FATAL_FAILURE(expect_sound());
    ASSERT_NO_FATAL_FAILURE(undo_to_the_start());
    settle();
    ASSERT_NO_FATAL_FAILURE(expect_sound());
}

class SignalMonkeyTest : public MonkeyTest {
protected:
    SignalDocument& signal() { return playground_->signal().signal(); }
    /// Signals that open, one of each kind of numbers.
    void write_signals_of_all_kinds() {
        const auto add = [this](const char* name, SignalNumbers numbers, std::int64_t signals,
                                std::uint32_t rate) {
            files_.push_back(folder_ / name);
            const auto format = signal_format(files_.back().extension().string());
            write_file(files_.back(), write_signals({std::move(numbers), signals, rate}, format).bytes);
        };
        std::vector<float> sound(6 * 5000);
        for (auto& sample : sound) sample = static_cast<float>(below(2001) - 1000) / 1000;
        add("sound.wav", sound, 6, 8000);
        add("silence.wav", std::vector<float>(3000), 1, 48000);
        add("one.csv", std::vector<double>{4}, 1, 0);
        add("counts.npy", std::vector<std::int32_t>{1, -2, 3, 4, 5, 6}, 2, 0);
        add("large.npy", std::vector<std::int64_t>{std::int64_t{1} << 62, 5, -9}, 1, 0);
    }
    void signal_action() {
        std::vector<const Action*> possible;
        for (const auto& action : playground_->actions().all())
            if (why_not(action).empty() &&
                (action.group == ActionGroup::signal || action.id == "undo" || action.id == "redo"))
                possible.push_back(&action);
        if (!possible.empty()) any_of(possible)->run();
    }
    void edit_by_hand() {
        auto& s = signal();
        switch (below(6)) {
        case 0: return s.set_mode(static_cast<SignalMode>(below(3)));
        case 1: return s.set_taps({static_cast<double>(below(5)), -1, 0.5});
        case 2: return s.set_type(one_in(2) ? std::optional<Element>(Element::f32) : std::nullopt);
        case 3: return s.show_channel(below(8));
        case 4: return s.set_rate(static_cast<std::uint32_t>(below(3)) * 4000);
        case 5: return s.set_tap(static_cast<std::size_t>(below(4)), below(9) - 4, one_in(2));
        }
    }
    void do_anything_here() {
        if (ImGui::GetTopMostPopupModal()) return press(ImGuiKey_Escape);
        if (playground_->workspace() != Workspace::signal) return playground_->actions().run("signal");
        const int kind = below(20);
        if (kind < 8) return mouse();
        if (kind < 12) return press(any_of(kKeys));
        if (kind < 13) return chord(ImGuiMod_Ctrl, any_of(kChordKeys));
        if (kind < 15) return ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(any_of(kLetters)));
        if (kind < 17) return signal_action();
        if (kind < 19) return edit_by_hand();
        harness_->context().on_drop({any_of(files_)});
    }
    void expect_sound_signal() {
        ASSERT_NO_FATAL_FAILURE(expect_sound());
        const auto& s = signal();
        if (s.busy() || !s.result() || !s.why_not().empty()) return;
        ASSERT_TRUE(s.result()->edit == s.edit());
        ASSERT_EQ(s.result()->source, s.source());
        ASSERT_LT(s.result()->channel, s.source()->data->signals);
        const auto alike = [](double a, double b) { // the result has those of the type of the samples
            return std::fabs(a - b) <= 1e-6 * std::fabs(a) + 1e-37;
        };
        ASSERT_TRUE(std::ranges::equal(s.taps(), s.result()->taps, alike));
    }
};

TEST_P(SignalMonkeyTest, TheSignalIsLeftConsistentAndEveryEditIsUndone) {
    WindowOptions options;
    options.workspace = Workspace::signal;
    if (!start(options, {.size = any_of(kWindows)})) GTEST_SKIP() << kNoOpenGl;
    write_signals_of_all_kinds();
    fs::create_directory(photos());
    for (int i = 0; i < events(); ++i) {
        SCOPED_TRACE("event " + std::to_string(i));
        do_anything_here();
        const int frames = 1 + below(3);
        for (int k = 0; k < frames; ++k) {
            harness_->frames();
            ASSERT_NO_FATAL_FAILURE(expect_sound_signal());
        }
        show_progress(i);
        if (one_in(20)) settle();
    }
    settle();
    ASSERT_NO_FATAL_FAILURE(expect_sound_signal());
    const auto last = signal().edit();
    int edits = 0;
    for (; signal().history().can_undo(); ++edits) signal().undo();
    for (; edits > 0; --edits) signal().redo();
    EXPECT_TRUE(signal().edit() == last);
    settle();
    ASSERT_NO_FATAL_FAILURE(expect_sound_signal());
}

class BankMonkeyTest : public MonkeyTest {
protected:
    BankDocument& bank() { return playground_->bank().bank(); }
    void write_inputs_of_all_kinds() {
        const auto add = [this](const char* name, const BatchShape& shape) {
            std::vector<float> numbers(static_cast<std::size_t>(shape.count()));
            for (auto& number : numbers) number = static_cast<float>(below(21) - 10);
            files_.push_back(folder_ / name);
            write_file(files_.back(), write_batch({shape, Layout::nchw, std::move(numbers)}));
            arrays_.push_back(files_.back());
        };
        add("one.npy", {1, 1, {1, 1}});
        add("items.npy", {3, 2, {7, 5}});
        add("channels.npy", {1, 40, {6, 6}});
        files_.push_back(folder_ / "photo.png");
        write_image(files_.back(), sample_image({60, 40}).view());
    }
    void bank_action() {
        std::vector<const Action*> possible;
        for (const auto& action : playground_->actions().all())
            if (why_not(action).empty() && action.id != "bank_weights" &&
                (action.group == ActionGroup::bank || action.id == "undo" || action.id == "redo"))
                possible.push_back(&action);
        if (!possible.empty()) any_of(possible)->run();
    }
    void edit_by_hand() {
        auto& b = bank();
        switch (below(12)) {
        case 0: return b.set_stride({1 + below(3), 1 + below(3)});
        case 1:
            return b.set_padding(one_in(2) ? std::optional(RowsAndColumns{below(4), below(4)})
                                           : std::nullopt);
        case 2: return b.open_weights(any_of(arrays_));
        case 3: return b.select_map(below(100));
        case 4: return b.set_layout(static_cast<Layout>(below(3)));
        case 5: return b.set_look({static_cast<SheetColours>(below(2)), static_cast<SheetScale>(below(3))});
        case 6: return b.set_border(any_of(kBorders));
        case 7: return b.set_dilation({1 + below(3), 1 + below(3)});
        case 8: return b.set_groups(one_in(2) ? std::optional<std::int64_t>(1 + below(4)) : std::nullopt);
        case 9: return b.draw_kernels();
        case 10: return b.set_drawn_size(1 + below(16), {1 + below(11), 1 + below(11)});
        case 11:
            return b.set_kernel(b.kernel(), make_kernel(1, 1, {static_cast<float>(below(9))}), one_in(2));
        }
    }
    void do_anything_here() {
        if (ImGui::GetTopMostPopupModal()) return press(ImGuiKey_Escape);
        if (playground_->workspace() != Workspace::bank) return playground_->actions().run("bank");
        const int kind = below(20);
        if (kind < 8) return mouse();
        if (kind < 12) return press(any_of(kKeys));
        if (kind < 13) return chord(ImGuiMod_Ctrl, any_of(kChordKeys));
        if (kind < 15) return ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(any_of(kLetters)));
        if (kind < 17) return bank_action();
        if (kind < 19) return edit_by_hand();
        harness_->context().on_drop({any_of(files_)});
    }
    void expect_sound_bank() {
        ASSERT_NO_FATAL_FAILURE(expect_sound());
        const auto& b = bank();
        if (b.busy() || !b.result() || !b.why_not().empty()) return;
        ASSERT_TRUE(b.result()->edit == b.edit());
        ASSERT_EQ(b.result()->source, b.source());
        ASSERT_LT(b.map(), std::ssize(b.result()->maps));
        ASSERT_TRUE(b.explanation());
    }

    std::vector<fs::path> arrays_; ///< inputs or weights
};

TEST_P(BankMonkeyTest, TheBankIsLeftConsistentAndEveryEditIsUndone) {
    WindowOptions options;
    options.workspace = Workspace::bank;
    if (!start(options, {.size = any_of(kWindows)})) GTEST_SKIP() << kNoOpenGl;
    write_inputs_of_all_kinds();
    bank().open({files_.back()}); // smaller than the sample
    fs::create_directory(photos());
    for (int i = 0; i < events(); ++i) {
        SCOPED_TRACE("event " + std::to_string(i));
        do_anything_here();
        const int frames = 1 + below(3);
        for (int k = 0; k < frames; ++k) {
            harness_->frames();
            ASSERT_NO_FATAL_FAILURE(expect_sound_bank());
        }
        show_progress(i);
        if (one_in(20)) settle();
    }
    settle();
    ASSERT_NO_FATAL_FAILURE(expect_sound_bank());
    const auto last = bank().edit();
    int edits = 0;
    for (; bank().history().can_undo(); ++edits) bank().undo();
    for (; edits > 0; --edits) bank().redo();
    EXPECT_TRUE(bank().edit() == last);
    settle();
    ASSERT_NO_FATAL_FAILURE(expect_sound_bank());
}

INSTANTIATE_TEST_SUITE_P(Seeds, BankMonkeyTest, ::testing::Range(0u, seeds()));
INSTANTIATE_TEST_SUITE_P(Seeds, SignalMonkeyTest, ::testing::Range(0u, seeds()));
INSTANTIATE_TEST_SUITE_P(Seeds, MonkeyTest, ::testing::Range(0u, seeds()));

} // namespace
} // namespace kg
