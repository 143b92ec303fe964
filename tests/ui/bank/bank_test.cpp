// The workspace Bank, driven by mouse and keys: files, presets, weights, sizes, maps, undo, and what is
// refused.

#include "tests/ui/bank/bank_fixture.hpp"

#include "app/editor/bank/drawn_bank.hpp"

#include <limits>

namespace kg {
namespace {

using namespace kg::testing;

TEST_F(BankTest, ShowsTheMapsOfTheSampleAndWhyOneLightsUp) {
    WindowOptions options;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    EXPECT_FALSE(bank().source()) << "nothing is read before it is wanted";
    click("//top bar/workspace/Bank");
    EXPECT_EQ(playground_->workspace(), Workspace::bank);
    ASSERT_TRUE(bank().result()) << bank().why_not();
    EXPECT_NE(playground_->bank().chip().find("CPU"), std::string::npos);
    harness_->frames(4);
    harness_->save_screenshot("bank_sample");
    click("//bank maps/$$5/map");
    EXPECT_EQ(bank().map(), 5);
    EXPECT_TRUE(bank().explanation()->text.starts_with("Map 5 is strongest")) << bank().explanation()->text;
    harness_->run("kernel and tasks", [](ImGuiTestContext* ctx) {
        IM_CHECK(ctx->ItemExists("//bank details/$$0/kernel"));
        IM_CHECK(ctx->ItemExists("//bank details/tasks"));
    });
    choose("##preset", "Laws");
    EXPECT_EQ(bank().edit().filter, "laws");
    harness_->frames(4);
    harness_->save_screenshot("bank_laws");
    click("//top bar/workspace/Play");
    EXPECT_EQ(playground_->workspace(), Workspace::play);
}

TEST_F(BankTest, ASavedSheetIsThatOfTheCopiedCommand) {
    if (!start_here({photo()})) GTEST_SKIP() << kNoOpenGl;
    ASSERT_TRUE(bank().source()) << last_text();
    const auto out = folder_ / "out's $file.png";
    const auto expect_same = [&] {
        const auto saved = read_file(out);
        fs::remove(out);
        std::string command;
        script("copy", [&](ImGuiTestContext* ctx) {
            ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
            if (const char* copied = ImGui::GetClipboardText()) command = copied;
        });
        EXPECT_TRUE(command.starts_with("kernelglass bank ")) << command;
        ASSERT_EQ(shell(command + " -q"), 0) << command;
        EXPECT_TRUE(read_file(out) == saved) << command;
    };
    choose("##preset", "Steerable");
    script("save", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(("//bank/" + named(icon::kSave, "Save...", "save maps")).c_str());
        type_path(ctx, out);
    });
    ASSERT_TRUE(fs::exists(out)) << last_text();
    EXPECT_TRUE(last_text().starts_with("Saved ")) << last_text();
    expect_same();
    click("//bank/colours/Grey");
    script("stride", [](ImGuiTestContext* ctx) { ctx->ItemInputValue("//bank/##u", "3"); });
    press(ImGuiMod_Ctrl | ImGuiKey_S); // without a question: to its own file
    EXPECT_EQ(bank().edit().stride, (RowsAndColumns{3, 1}));
    expect_same();
    EXPECT_EQ(errors(), 0u) << last_text();
}

TEST_F(BankTest, StrideAndPaddingAreTypedAndUndone) {
    if (!start_here({array("x.npy", {1, 2, {9, 8}})})) GTEST_SKIP() << kNoOpenGl;
    drop({array("w.npy", {3, 2, {3, 3}})});
    EXPECT_EQ(bank().source()->title, "w.npy") << "a dropped array is an input";
    drop({folder_ / "x.npy"});
    bank().open_weights(folder_ / "w.npy");
    settle();
    ASSERT_EQ(bank().why_not(), "");
    const auto before = bank().edit();
    const auto size = [&] { return bank().result()->outcome->result.shape.size; };
    EXPECT_EQ(size(), (Extent{9, 8}));
    script("v", [](ImGuiTestContext* ctx) { ctx->ItemInputValue("//bank/##v", "2"); });
    EXPECT_EQ(size(), (Extent{5, 8}));
    EXPECT_EQ(bank().history().undo_name(), "Column stride 1 to 2");
    script("p", [](ImGuiTestContext* ctx) { ctx->ItemInputValue("//bank/##p", "0"); });
    EXPECT_EQ(size(), (Extent{5, 6}));
    EXPECT_EQ(bank().edit().padding, (RowsAndColumns{0, 1}));
    harness_->frames(4);
    harness_->save_screenshot("bank_small");
    script("too much", [](ImGuiTestContext* ctx) { ctx->ItemInputValue("//bank/##u", "-7"); });
    EXPECT_EQ(bank().edit().stride, (RowsAndColumns{1, 2})) << "the least is 1";
    click("//bank/Pad to the same size##same");
    EXPECT_FALSE(bank().edit().padding);
    choose("##border", "wrap");
    EXPECT_EQ(bank().edit().border, Border::wrap);
    for (int i = 0; i < 4; ++i) press(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_TRUE(bank().edit() == before);
    press(ImGuiMod_Ctrl | ImGuiKey_Y);
    EXPECT_EQ(bank().edit().stride.columns, 2);
    EXPECT_EQ(errors(), 0u) << last_text();
}

TEST_F(BankTest, DilationGroupsAndBiasAreChosenByMouseAndKeysAndUndone) {
    if (!start_here({array("x.npy", {1, 4, {9, 8}})})) GTEST_SKIP() << kNoOpenGl;
    drop({layer("net.safetensors", 8, 1, {3, 3})});
    ASSERT_EQ(bank().why_not(), "");
    const auto before = bank().edit();
    EXPECT_EQ(before.bias, "conv1.bias");
    EXPECT_EQ(bank().result()->map_count(), 8 * 4) << "every channel by itself";
    script("d", [](ImGuiTestContext* ctx) { ctx->ItemInputValue("//bank/##d", "2"); });
    script("e", [](ImGuiTestContext* ctx) { // by keys alone
        ctx->NavMoveTo("//bank/##e");
        ctx->KeyPress(ImGuiKey_Enter);
        type_slowly(ctx, "23");
    });
    EXPECT_EQ(bank().edit().dilation, (RowsAndColumns{2, 23}));
    EXPECT_EQ(bank().history().undo_name(), "Column dilation 1 to 23") << "what is typed is one entry";
    EXPECT_EQ(bank().result()->outcome->result.shape.size, (Extent{9, 8})) << "padded to the same size";
    click("//bank/Groups by the weights##groups by weights");
    EXPECT_EQ(bank().edit().groups, 4) << "the number that was shown";
    EXPECT_EQ(bank().result()->map_count(), 8);
    script("three", [](ImGuiTestContext* ctx) { ctx->ItemInputValue("//bank/##g", "3"); });
    EXPECT_EQ(bank().why_not(), "3 groups do not divide the 4 channels of the input");
    harness_->frames(4);
    harness_->save_screenshot("bank_refused_groups");
    script("four", [](ImGuiTestContext* ctx) { ctx->ItemInputValue("//bank/##g", "4"); });
    EXPECT_EQ(bank().why_not(), "");
    harness_->frames(4);
    harness_->save_screenshot("bank_layer");
    choose("##bias", "None");
    EXPECT_EQ(bank().edit().bias, "");
    EXPECT_EQ(bank().history().undo_name(), "No bias");
    choose("##bias", "conv1.bias");
    EXPECT_EQ(bank().edit().bias, "conv1.bias");
    for (int i = 0; i < 7; ++i) press(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_TRUE(bank().edit() == before);
    EXPECT_EQ(bank().result()->map_count(), 8 * 4);
    script("two fields, the first of which is left open", [](ImGuiTestContext* ctx) {
        ctx->ItemClick("//bank/##v");
        ctx->KeyChars("2");
        ctx->ItemClick("//bank/##u");
        type_slowly(ctx, "12");
    });
    EXPECT_EQ(bank().edit().stride, (RowsAndColumns{12, 2}));
    EXPECT_EQ(bank().history().undo_name(), "Row stride 1 to 12");
    press(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(bank().history().undo_name(), "Column stride 1 to 2");
    EXPECT_EQ(errors(), 0u) << last_text();
}

TEST_F(BankTest, WeightsAreLoadedFromTheirButtonAndLeft) {
    const auto image = photo();
    if (!start_here({image})) GTEST_SKIP() << kNoOpenGl;
    const auto weights = array("w.npy", {4, 1, {5, 5}});
    script("load", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(("//bank/" + named(icon::kOpen, "Weights...", "open weights")).c_str());
        type_path(ctx, weights);
    });
    ASSERT_TRUE(bank().edit().weights) << last_text();
    EXPECT_EQ(bank().why_not(), "");
    EXPECT_EQ(bank().result()->request.kernel, (Extent{5, 5}));
    harness_->frames(4);
    harness_->save_screenshot("bank_weights");
    drop({array("two.npy", {4, 2, {5, 5}})});
    bank().open_weights(folder_ / "two.npy");
    settle();
    drop({image});
    EXPECT_FALSE(bank().why_not().empty()) << "two channels, and a photo has others";
    harness_->frames(4);
    harness_->save_screenshot("bank_refused");
    click("//bank/" + named(icon::kUndo, "Back to the preset", "remove weights"));
    EXPECT_FALSE(bank().edit().weights);
    EXPECT_EQ(bank().why_not(), "");
    EXPECT_EQ(errors(), 0u) << last_text();
}

TEST_F(BankTest, KernelsAreDrawnCellByCellAndUndone) {
    if (!start_here()) GTEST_SKIP() << kNoOpenGl;
    const auto before = bank().edit();
    click("//bank/" + named(icon::kGrid, "Draw", "draw kernels"));
    ASSERT_TRUE(bank().edit().drawn);
    EXPECT_EQ(bank().result()->map_count(), 2 * 4) << "Sobel's pair, every channel by itself";
    const auto weight = [&](std::int64_t k, std::size_t i) {
        return kernel_of(*bank().edit().drawn, k).weights[i];
    };
    const auto in_cells = [](ImGuiTestContext* ctx) { ctx->SetRef(ctx->WindowInfo("//bank/cells").ID); };
    script("type", [&](ImGuiTestContext* ctx) {
        in_cells(ctx);
        ctx->ItemClick("$$4/##weight");
        ctx->Yield(2);
        ctx->KeyCharsReplaceEnter("7");
    });
    EXPECT_EQ(weight(0, 4), 7);
    EXPECT_EQ(bank().history().undo_name(), "Weights of kernel 0");
    choose("##kernel", "1");
    script("drag", [&](ImGuiTestContext* ctx) {
        in_cells(ctx);
        ctx->ItemDragWithDelta("$$0/##weight", {40, 0});
    });
    EXPECT_GT(weight(1, 0), -1) << "dragged to the right";
    EXPECT_EQ(bank().history().undo_name(), "Weights of kernel 1");
    const auto number = [&](const char* field, const char* text) {
        script(field, [&](ImGuiTestContext* ctx) { ctx->ItemInputValue(field, text); });
    };
    number("//bank/##k", "3");
    number("//bank/##r", "5");
    number("//bank/##s", "20");
    EXPECT_EQ(bank().edit().drawn->filters, 3);
    EXPECT_EQ(bank().edit().drawn->kernel, (Extent{11, 5})) << "at most 11";
    EXPECT_EQ(bank().result()->map_count(), 3 * 4);
    click("//bank maps/$$4/map");
    EXPECT_EQ(bank().kernel(), 1) << "the kernel of the map that was clicked";
    harness_->frames(4);
    harness_->save_screenshot("bank_drawn_large");
    for (int i = 0; i < 3; ++i) press(ImGuiMod_Ctrl | ImGuiKey_Z);
    harness_->frames(4);
    harness_->save_screenshot("bank_drawn");
    for (int i = 0; i < 3; ++i) press(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_TRUE(bank().edit() == before) << "a drag is one entry";
    press(ImGuiMod_Ctrl | ImGuiKey_Y);
    click("//bank/" + named(icon::kUndo, "Back to the preset", "remove weights"));
    EXPECT_FALSE(bank().edit().drawn);
    EXPECT_EQ(errors(), 0u) << last_text();
}

TEST_F(BankTest, TheOutputIsWorkedOutInViewOfTheDefaultWindow) {
    if (!start_here()) GTEST_SKIP() << kNoOpenGl;
    script("output", [](ImGuiTestContext* ctx) {
        for (const auto* field : {"##u", "##v", "##d", "##e", "##p", "##q"}) {
            const auto info = ctx->ItemInfo((std::string("//bank/") + field).c_str());
            EXPECT_EQ(info.RectClipped.GetHeight(), info.RectFull.GetHeight()) << field;
            EXPECT_LT(info.RectFull.Max.y, 420) << field;
        }
        EXPECT_EQ(ctx->ItemInfo("//bank/##u").RectFull.Min.x, ctx->ItemInfo("//bank/##d").RectFull.Min.x);
        EXPECT_FALSE(ctx->ItemExists("//bank/##k")) << "a preset gives its sizes";
    });
}

TEST_F(BankTest, ChannelsOfAnArrayAreNamedByNumbersBelowTheMaps) {
    if (!start_here()) GTEST_SKIP() << kNoOpenGl;
    drop({array("x.npy", {2, 3, {40, 30}})});
    EXPECT_EQ(bank().result()->title_of(5), "Item 0, 45 deg, 4 px, channel 1");
    EXPECT_EQ(bank().result()->channel_title(5), ", channel 1");
    click("//bank maps/$$5/map");
    harness_->frames(4);
    harness_->save_screenshot("bank_array");
}

TEST_F(BankTest, MapsAreNamedEnlargedAndShownBesideTheInput) {
    if (!start_here({photo()})) GTEST_SKIP() << kNoOpenGl;
    const auto& maps = playground_->bank().maps();
    EXPECT_EQ(bank().result()->title_of(0), "0 deg, 4 px, red");
    EXPECT_EQ(bank().result()->title_of(5), "45 deg, 4 px, green");
    const auto all = [](ImGuiTestContext* ctx) {
        EXPECT_TRUE(ctx->ItemExists("//bank maps/input"));
        EXPECT_TRUE(ctx->ItemExists("//bank maps/$$0/map"));
    };
    script("all", all);
    click("//bank maps/$$5/map");
    EXPECT_FALSE(maps.enlarged());
    harness_->frames(4);
    harness_->save_screenshot("bank_maps");
    script("enlarge", [](ImGuiTestContext* ctx) {
        ctx->ItemDoubleClick("//bank maps/$$6/map");
        EXPECT_FALSE(ctx->ItemExists("//bank maps/input"));
    });
    EXPECT_TRUE(maps.enlarged());
    EXPECT_EQ(bank().map(), 6);
    harness_->frames(4);
    harness_->save_screenshot("bank_enlarged");
    click("//bank details/" + named(icon::kGrid, "All maps", "all maps"));
    EXPECT_FALSE(maps.enlarged());
    script("all again", all);
    click("//bank details/" + named(icon::kExpand, "Enlarge", "enlarge map"));
    EXPECT_TRUE(maps.enlarged());
}

TEST_F(BankTest, StartsWithAPreset) {
    WindowOptions options;
    options.workspace = Workspace::bank;
    options.preset = "laws:size=3";
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    EXPECT_EQ(bank().edit().filter, "laws");
    ASSERT_TRUE(bank().result()) << bank().why_not();
    EXPECT_EQ(bank().result()->map_count(), 9 * 4);
    EXPECT_EQ(bank().result()->title_of(1), "L3E3, red");
}

TEST_F(BankTest, ARefusedStartShowsWhyAndNoMapsOfSomethingElse) {
    const auto first = photo(), other = folder_ / "other.png";
    write_image(other, sample_image({60, 40}).view());
    if (!start_here({first, other})) GTEST_SKIP() << kNoOpenGl;
    EXPECT_EQ(errors(), 1u);
    EXPECT_EQ(last_code(), "sizes-differ");
    EXPECT_FALSE(bank().source());
    harness_->frames(4);
    harness_->save_screenshot("bank_refused_start");
    drop({first});
    ASSERT_TRUE(bank().source());
    EXPECT_EQ(bank().source()->paths.front(), first);
}

TEST_F(BankTest, ASliderIsOneEntryAndMovesTheMaps) {
    if (!start_here()) GTEST_SKIP() << kNoOpenGl;
    script("orientations",
           [](ImGuiTestContext* ctx) { ctx->ItemInputValue("//bank/orientations/##number", "2"); });
    EXPECT_EQ(bank().result()->map_count(), 2 * 4);
    EXPECT_EQ(bank().history().undo_name(), "Gabor orientations 4 to 2");
    click("//bank maps/$$7/map");
    press(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(bank().result()->map_count(), 4 * 4);
    EXPECT_EQ(bank().map(), 7);
}

TEST_F(BankTest, ALongComputationIsToldAndStoppedByUndo) {
    if (!start_here()) GTEST_SKIP() << kNoOpenGl;
    const auto& desk = playground_->bank();
    EXPECT_EQ(desk.next_change(), std::numeric_limits<double>::infinity());
    bank().set_value("orientations", "64", false); // with the others 128 kernels of over 200 x 200
    bank().set_value("phase", "both", false);
    bank().set_value("bandwidth", "1", false);
    bank().set_value("aspect", "0.25", false);
    bank().set_value("wavelength", "16", false);
    ASSERT_TRUE(harness_->frames_until([&] { return desk.chip().starts_with("Computing, "); }));
    EXPECT_NE(desk.chip_help().find("Undo"), std::string::npos);
    EXPECT_LE(desk.next_change(), 1.0) << "the seconds are drawn as they pass";
    harness_->frames(2);
    harness_->save_screenshot("bank_computing");
    while (bank().history().can_undo()) bank().undo();
    settle();
    EXPECT_TRUE(desk.chip().starts_with("CPU")) << desk.chip();
    EXPECT_EQ(bank().result()->map_count(), 4 * 4);
}

TEST_F(BankTest, DroppedFilesOpenWhereTheyBelong) {
    if (!start_here()) GTEST_SKIP() << kNoOpenGl;
    const auto second = folder_ / "second.png";
    const auto first = photo();
    fs::copy_file(first, second);
    drop({first, second});
    EXPECT_EQ(bank().result()->before->shape.items, 2);
    EXPECT_EQ(playground_->workspace(), Workspace::bank);
    write_file(folder_ / "torn.npy", "\x93NUMPY");
    drop({folder_ / "torn.npy"});
    EXPECT_EQ(errors(), 1u);
    EXPECT_NE(last_text().find("torn.npy"), std::string::npos) << last_text();
    EXPECT_EQ(bank().result()->before->shape.items, 2) << "what is open stays";
    fs::create_directory(folder_ / "photos.npy"); // a folder, whatever its name
    fs::copy_file(first, folder_ / "photos.npy" / "one.png");
    drop({folder_ / "photos.npy"});
    EXPECT_EQ(playground_->workspace(), Workspace::batch);
}

TEST_F(BankTest, ActionsOfThePaletteReachTheBankAndTellWhereTheyBelong) {
    if (!start_here({photo()})) GTEST_SKIP() << kNoOpenGl;
    const auto& actions = playground_->actions();
    EXPECT_EQ(title(actions.find("save")), "Save maps...");
    actions.run("bank_laws");
    settle();
    EXPECT_EQ(title(actions.find("undo")), "Undo: Preset Gabor to Laws");
    EXPECT_EQ(why_not(actions.find("bank_laws")), "It is in use");
    EXPECT_EQ(why_not(actions.find("signal_echo")), "It is for the workspace Signal");
    actions.run("sample_bank");
    settle();
    EXPECT_TRUE(bank().source()->paths.empty());
    EXPECT_EQ(why_not(actions.find("reload")), "The image is not of a file");
    actions.run("play");
    settle();
    EXPECT_EQ(why_not(actions.find("bank_laws")), "It is for the workspace Bank");
}

} // namespace
} // namespace kg
