// The workspace Signal, driven by mouse and keys: files, presets, taps, undo, zoom, and what is refused.

#include "tests/ui/signal/signal_fixture.hpp"

#include <algorithm>

namespace kg {
namespace {

using namespace kg::testing;

TEST_F(SignalTest, OpensTheSampleWithAPresetAndShowsWhatItDoes) {
    WindowOptions options;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    EXPECT_FALSE(signal().source()) << "nothing is read before it is wanted";
    click("//top bar/workspace/Signal");
    EXPECT_EQ(playground_->workspace(), Workspace::signal);
    ASSERT_TRUE(signal().result());
    EXPECT_EQ(signal().edit().filter, "lowpass");
    EXPECT_NE(playground_->signal().chip().find("CPU"), std::string::npos);
    harness_->run("all plots", [](ImGuiTestContext* ctx) {
        for (const auto* plot : {"before", "after", "spectrum", "gain", "taps"})
            IM_CHECK(ctx->ItemExists((std::string("//signal plots/") + plot).c_str()));
    });
    harness_->frames(4);
    harness_->save_screenshot("signal_sample");
    choose("##preset", "Echo");
    EXPECT_EQ(signal().edit().filter, "echo");
    EXPECT_EQ(signal().mode(), SignalMode::full);
    harness_->save_screenshot("signal_echo");
    click("//top bar/workspace/Play");
    EXPECT_EQ(playground_->workspace(), Workspace::play);
}

TEST_F(SignalTest, ASavedFileIsThatOfTheCopiedCommand) {
    if (!start_here({wav()})) GTEST_SKIP() << kNoOpenGl;
    ASSERT_TRUE(signal().source()) << last_text();
    const auto out = folder_ / "out's $file.wav";
    const auto expect_same = [&] {
        const auto saved = read_file(out);
        fs::remove(out);
        std::string command;
        script("copy", [&](ImGuiTestContext* ctx) {
            ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
            if (const char* copied = ImGui::GetClipboardText()) command = copied;
        });
        EXPECT_TRUE(command.starts_with("kernelglass signal ")) << command;
        ASSERT_EQ(shell(command + " -q"), 0) << command;
        EXPECT_TRUE(read_file(out) == saved) << command;
    };
    choose("##preset", "High pass");
    script("save", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(("//signal/" + named(icon::kSave, "Save...", "save signal")).c_str());
        type_path(ctx, out);
    });
    ASSERT_TRUE(fs::exists(out)) << last_text();
    EXPECT_TRUE(last_text().starts_with("Saved ")) << last_text();
    expect_same();
    script("type taps",
           [](ImGuiTestContext* ctx) { ctx->ItemInputValue("//signal/##taps", "-0.25,0.5,-0.25"); });
    press(ImGuiMod_Ctrl | ImGuiKey_S); // without a question: to its own file
    EXPECT_EQ(signal().taps().size(), 3u);
    expect_same();
    EXPECT_EQ(errors(), 0u) << last_text();
}

TEST_F(SignalTest, ATapIsDraggedTypedAndUndone) {
    if (!start_here()) GTEST_SKIP() << kNoOpenGl;
    const auto before = signal().edit();
    script("type all", [](ImGuiTestContext* ctx) { ctx->ItemInputValue("//signal/##taps", "1,2,1"); });
    ASSERT_EQ(signal().taps().size(), 3u);
    const auto typed = signal().edit();
    script("drag the middle one", [&](ImGuiTestContext* ctx) {
        const auto centre = ctx->ItemInfo("//signal plots/taps").RectFull.GetCenter();
        ctx->MouseMoveToPos(centre);
        ctx->MouseDown(0);
        ctx->MouseMoveToPos({centre.x, centre.y + 10});
        ctx->MouseMoveToPos({centre.x, centre.y + 20});
        ctx->MouseUp(0);
    });
    EXPECT_EQ(plots().tap(), 1u);
    EXPECT_LT(signal().taps()[1], 1.2);
    EXPECT_EQ(signal().taps()[0], 1);
    EXPECT_EQ(signal().taps()[2], 1);
    EXPECT_TRUE(signal().history().undo_name().starts_with("Tap 1 2 to ")) << signal().history().undo_name();
    harness_->frames(4);
    harness_->save_screenshot("signal_dragged");
    press(ImGuiMod_Ctrl | ImGuiKey_Z); // the whole drag is one entry
    EXPECT_TRUE(signal().edit() == typed);
    script("type one", [](ImGuiTestContext* ctx) { ctx->ItemInputValue("//signal/##value", "0.125"); });
    EXPECT_EQ(signal().taps()[1], 0.125);
    script("choose another, by keys", [](ImGuiTestContext* ctx) {
        ctx->NavMoveTo("//signal plots/taps");
        ctx->KeyPress(ImGuiKey_RightArrow);
        ctx->KeyPress(ImGuiKey_UpArrow);
    });
    EXPECT_EQ(plots().tap(), 2u);
    EXPECT_GT(signal().taps()[2], 1);
    press(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(signal().taps()[2], 1);
    click("//top bar/" + named(icon::kUndo, "", "undo"));
    EXPECT_TRUE(signal().edit() == typed);
    press(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_TRUE(signal().edit() == before);
    press(ImGuiMod_Ctrl | ImGuiKey_Y);
    EXPECT_TRUE(signal().edit() == typed);
    click("//signal/" + named(icon::kUndo, "Back to the preset", "reset taps"));
    EXPECT_FALSE(signal().edit().taps);
}

TEST_F(SignalTest, TapsThatAreNoNumbersStandBesideTheFieldAndAreNoError) {
    if (!start_here()) GTEST_SKIP() << kNoOpenGl;
    const auto before = signal().edit();
    const auto messages = document().messages().size();
    script("type words", [](ImGuiTestContext* ctx) { ctx->ItemInputValue("//signal/##taps", "1,two"); });
    EXPECT_TRUE(signal().edit() == before);
    EXPECT_EQ(document().messages().size(), messages);
    const auto discard = "//signal/" + named(icon::kUndo, "Discard the text", "discard taps");
    harness_->run("it is offered back",
                  [&](ImGuiTestContext* ctx) { IM_CHECK(ctx->ItemExists(discard.c_str())); });
    harness_->frames(4);
    harness_->save_screenshot("signal_refused_taps");
    click(discard);
    harness_->run("gone", [&](ImGuiTestContext* ctx) { IM_CHECK(!ctx->ItemExists(discard.c_str())); });
    script("a preset that has no result", [](ImGuiTestContext* ctx) {
        ctx->ItemInputValue("//signal/##rate", "1000"); // the cutoff is above half of it
    });
    EXPECT_FALSE(signal().why_not().empty());
    EXPECT_EQ(errors(), 0u) << last_text();
}

TEST_F(SignalTest, ASliderIsOneEntryAndMovesTheResult) {
    if (!start_here()) GTEST_SKIP() << kNoOpenGl;
    const auto before = signal().edit();
    script("cutoff by keys", [](ImGuiTestContext* ctx) {
        ctx->NavMoveTo("//signal/cutoff/##track");
        ctx->KeyDown(ImGuiKey_RightArrow);
        ctx->Yield(2);
        ctx->KeyUp(ImGuiKey_RightArrow);
    });
    EXPECT_TRUE(signal().edit() != before);
    EXPECT_TRUE(signal().history().undo_name().starts_with("Low pass cutoff 2200 to "))
        << signal().history().undo_name();
    EXPECT_TRUE(signal().result()->edit == signal().edit());
    choose("##window", "Blackman");
    EXPECT_EQ(signal().edit().values.at("window"), "blackman");
    press(ImGuiMod_Ctrl | ImGuiKey_Z);
    press(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_TRUE(signal().edit() == before);
}

TEST_F(SignalTest, ModeBorderTypeAndRateAreChosen) {
    if (!start_here({wav("voice.wav", 1)})) GTEST_SKIP() << kNoOpenGl;
    choose("##border", "Wrap");
    EXPECT_EQ(signal().border(), Border::wrap);
    click("//signal/mode/Valid");
    EXPECT_EQ(signal().mode(), SignalMode::valid);
    EXPECT_EQ(signal().why_not(), "");
    EXPECT_EQ(signal().result()->outcome->result.samples(), 7900);
    choose("##type", "f64");
    EXPECT_EQ(signal().result()->before->view().format.element, Element::f64);
    choose("##type", "As file");
    script("rate", [](ImGuiTestContext* ctx) {
        ctx->ItemClick("//signal/##rate");
        type_slowly(ctx, "16000");
    });
    EXPECT_EQ(signal().result()->outcome->result.rate, 16000u);
    EXPECT_EQ(signal().history().undo_name(), "Rate 0 to 16000") << "what is typed is one entry";
}

TEST_F(SignalTest, WaveformsPanAndZoomTogetherByMouseAndKeys) {
    if (!start_here()) GTEST_SKIP() << kNoOpenGl;
    const auto all = plots().shown();
    EXPECT_NEAR(all.length(), 2, 0.01);
    script("wheel", [](ImGuiTestContext* ctx) {
        ctx->MouseMove("//signal plots/before");
        ctx->MouseWheelY(4);
    });
    const auto near = plots().shown();
    EXPECT_LT(near.length(), 1);
    EXPECT_GT(near.from, all.from);
    script("drag", [](ImGuiTestContext* ctx) {
        const auto centre = ctx->ItemInfo("//signal plots/after").RectFull.GetCenter();
        ctx->MouseMoveToPos(centre);
        ctx->MouseDown(0);
        ctx->MouseMoveToPos({centre.x - 100, centre.y});
        ctx->MouseUp(0);
    });
    EXPECT_GT(plots().shown().from, near.from);
    EXPECT_NEAR(plots().shown().length(), near.length(), 1e-9);
    harness_->frames(4);
    harness_->save_screenshot("signal_zoomed");
    script("keys", [](ImGuiTestContext* ctx) {
        ctx->NavMoveTo("//signal plots/before");
        ctx->KeyPress(ImGuiKey_LeftArrow, 2);
        for (int i = 0; i < 60; ++i) ctx->KeyPress(ImGuiKey_Equal);
    });
    EXPECT_LT(plots().shown().length(), 0.001) << "down to single samples";
    EXPECT_GT(plots().shown().length(), 0.0001);
    harness_->frames(4);
    harness_->save_screenshot("signal_samples");
    script("home", [](ImGuiTestContext* ctx) {
        ctx->NavMoveTo("//signal plots/before");
        ctx->KeyPress(ImGuiKey_Home);
    });
    EXPECT_TRUE(plots().shown() == all);
    script("double-click", [](ImGuiTestContext* ctx) {
        ctx->MouseMove("//signal plots/after");
        ctx->MouseWheelY(3);
        ctx->MouseDoubleClick(0);
    });
    EXPECT_TRUE(plots().shown() == all);
}

TEST_F(SignalTest, DroppedFilesOpenWhereTheyBelong) {
    if (!start_here()) GTEST_SKIP() << kNoOpenGl;
    drop({wav()});
    EXPECT_EQ(signal().source()->path, wav());
    drop({written("a.csv", {std::vector<double>{1, 2, 3}, 1, 0, {}})});
    EXPECT_EQ(signal().source()->title, "a.csv");
    EXPECT_EQ(signal().result()->outcome->result.samples(), 3);
    harness_->frames(4);
    harness_->save_screenshot("signal_three_samples");
    drop({written("b.npy", {std::vector<std::int32_t>{7, 8}, 2, 0, {}}), wav()});
    EXPECT_EQ(signal().source()->title, "b.npy");
    EXPECT_EQ(last_code(), "one-signal");
    EXPECT_EQ(playground_->workspace(), Workspace::signal);
    EXPECT_EQ(errors(), 0u) << last_text();

    write_file(folder_ / "torn.wav", "RIFF");
    drop({folder_ / "torn.wav"});
    EXPECT_EQ(errors(), 1u);
    EXPECT_NE(last_text().find("torn.wav"), std::string::npos) << last_text();
    EXPECT_EQ(signal().source()->title, "b.npy") << "what is open stays";
    harness_->save_screenshot("signal_refused_file");

    const auto photos = folder_ / "photos.wav"; // a folder, whatever its name
    fs::create_directory(photos);
    write_image(photos / "one.png", sample_image({40, 30}).view());
    drop({photos});
    EXPECT_EQ(playground_->workspace(), Workspace::batch);
    playground_->actions().run("signal");
    settle();
    EXPECT_EQ(signal().source()->title, "b.npy");
    drop({photos / "one.png"});
    EXPECT_EQ(playground_->workspace(), Workspace::play);
    EXPECT_EQ(document().title(), "one.png");
    drop({wav()});
    EXPECT_EQ(playground_->workspace(), Workspace::signal) << "a sound is no image";
    EXPECT_EQ(signal().source()->path, wav());
    EXPECT_EQ(errors(), 1u) << last_text();
}

TEST_F(SignalTest, ChannelsAreChosenOneByOne) {
    if (!start_here({wav("eight.wav", 8)})) GTEST_SKIP() << kNoOpenGl;
    script("the slider",
           [](ImGuiTestContext* ctx) { ctx->ItemInputValue("//signal/channel/##number", "8"); });
    EXPECT_EQ(signal().result()->channel, 7);
    harness_->save_screenshot("signal_channels");
    drop({wav("two.wav", 2)});
    click("//signal/channel/2");
    EXPECT_EQ(signal().result()->channel, 1);
}

TEST_F(SignalTest, ASpectrumHasThePeakOfAToneAtItsFrequency) {
    if (!start_here({wav("tone.wav", 1)})) GTEST_SKIP() << kNoOpenGl;
    const auto& spectrum = signal().result()->signal.spectrum;
    const auto peak = static_cast<std::size_t>(std::ranges::max_element(spectrum.levels) -
                                               spectrum.levels.begin());
    EXPECT_NEAR(spectrum.frequency(peak) * 8000, 500, 1);
    EXPECT_NEAR(spectrum.levels[peak], 20 * std::log10(0.5), 0.1);
    EXPECT_NEAR(signal().result()->gain.levels[0], 0, 1e-4);
}

TEST_F(SignalTest, ActionsOfThePaletteReachTheSignalAndTellWhereTheyBelong) {
    if (!start_here({wav()})) GTEST_SKIP() << kNoOpenGl;
    const auto& actions = playground_->actions();
    EXPECT_EQ(title(actions.find("save")), "Save signal...");
    actions.run("signal_denoise");
    settle();
    EXPECT_EQ(signal().edit().filter, "denoise");
    EXPECT_EQ(title(actions.find("undo")), "Undo: Preset Low pass to Denoise");
    actions.run("undo");
    settle();
    EXPECT_EQ(signal().edit().filter, "lowpass");
    EXPECT_EQ(why_not(actions.find("add_box")), "It is for the workspaces Play, Explain and Bench");
    actions.run("reload");
    settle();
    EXPECT_EQ(signal().source()->path, wav());
    actions.run("sample_signal");
    settle();
    EXPECT_TRUE(signal().source()->path.empty());
    EXPECT_FALSE(why_not(actions.find("reload")).empty());
    actions.run("play");
    settle();
    EXPECT_EQ(why_not(actions.find("signal_denoise")), "It is for the workspace Signal");
    EXPECT_EQ(title(actions.find("save")), "Save image...");
}

TEST_F(SignalTest, AFileThatCannotBeOpenedAtTheStartIsReportedAndNothingElseShown) {
    if (!start_here({folder_ / "absent.wav"})) GTEST_SKIP() << kNoOpenGl;
    EXPECT_EQ(errors(), 1u);
    EXPECT_NE(last_text().find("absent.wav"), std::string::npos);
    EXPECT_FALSE(signal().source());
    harness_->frames(4);
    harness_->save_screenshot("signal_refused_start");
    click("//top bar/workspace/Play");
    click("//top bar/workspace/Signal");
    ASSERT_TRUE(signal().source()) << "the sample, when the workspace is entered again";
    EXPECT_TRUE(signal().source()->path.empty());
}

TEST_F(SignalTest, StartsWithAPreset) {
    WindowOptions options;
    options.workspace = Workspace::signal;
    options.files = {wav()};
    options.preset = "highpass:cutoff=100";
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    EXPECT_EQ(signal().edit().filter, "highpass");
    EXPECT_EQ(signal().edit().values.at("cutoff"), "100");
    ASSERT_TRUE(signal().result()) << signal().why_not();
    EXPECT_TRUE(signal().result()->edit == signal().edit());
}

TEST_F(SignalTest, FlipStrideDilationAnchorAndBitsAreChosenAndUndone) {
    if (!start_here({wav("voice.wav", 1)})) GTEST_SKIP() << kNoOpenGl;
    const auto before = signal().edit();
    const auto number = [&](const char* field, const char* text) {
        script(field, [&](ImGuiTestContext* ctx) { ctx->ItemInputValue(field, text); });
    };
    click("//signal/Flip the taps##flip");
    EXPECT_TRUE(signal().result()->flip);
    EXPECT_EQ(signal().history().undo_name(), "Flip the taps");
    number("//signal/##stride", "4");
    EXPECT_EQ(signal().result()->outcome->result.samples(), 2000);
    EXPECT_EQ(signal().history().undo_name(), "Stride 1 to 4");
    number("//signal/##dilation", "3");
    EXPECT_EQ(signal().history().undo_name(), "Dilation 1 to 3");
    number("//signal/##anchor", "0");
    EXPECT_EQ(signal().edit().anchor, 0);
    EXPECT_EQ(signal().history().undo_name(), "Anchor half of the taps to 0");
    choose("##bits", "float");
    EXPECT_EQ(signal().edit().bits, WavSample::f32);
    EXPECT_EQ(signal().why_not(), "");
    const auto command = signal().copy_as_command();
    for (const auto* flag : {" --flip", " --stride 4", " --dilation 3", " --anchor 0", " --bits float"})
        EXPECT_NE(command.find(flag), std::string::npos) << flag << command;
    harness_->frames(4);
    harness_->save_screenshot("signal_steps");
    click("//signal/Usual anchor##middle");
    EXPECT_FALSE(signal().edit().anchor);
    for (int i = 0; i < 6; ++i) press(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_TRUE(signal().edit() == before);
    EXPECT_EQ(errors(), 0u) << last_text();
}

TEST_F(SignalTest, NothingIsCutInASmallWindow) {
    HarnessOptions small;
    small.size = {1000, 640};
    if (!start_here({wav("stereo.wav")}, small)) GTEST_SKIP() << kNoOpenGl;
    script("a quiet result", [](ImGuiTestContext* ctx) {
        ctx->ItemInputValue("//signal/##taps", "0.01");
        ctx->ItemClick("//signal/mode/Same");
    });
    harness_->frames(4);
    harness_->save_screenshot("signal_small_window");
    signal().reset_taps();
    settle();
    harness_->frames(4);
    harness_->save_screenshot("signal_small_window_preset");
}

} // namespace
} // namespace kg
