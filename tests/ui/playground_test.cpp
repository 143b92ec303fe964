// The whole window under a simulated mouse and keyboard: from a photo to a saved file.

#include "app/editor/timing/timing_text.hpp"
#include "tests/ui/support/playground_fixture.hpp"

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

TEST_F(PlaygroundTest, FirstStartShowsTheSampleBlurredAndSplit) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    harness_->save_screenshot("first_start");
    ASSERT_TRUE(document().result());
    EXPECT_TRUE(document().is_sample());
    EXPECT_EQ(to_text(document().recipe().steps.at(0)), "gaussian:sigma=2");
    EXPECT_EQ(document().view.mode, ViewState::Mode::split);
    EXPECT_EQ(document().view.divider, 0.5);
    EXPECT_TRUE(playground_->view().is_fit());
    const auto* view = ImGui::FindWindowByName("view");
    ASSERT_TRUE(view);
    EXPECT_GE(view->Size.x * view->Size.y, 0.45f * 1280 * 800) << "the image dominates the window";
    EXPECT_EQ(ImGui::GetTopMostPopupModal(), nullptr);
    EXPECT_FALSE(document().history().can_undo());
    EXPECT_EQ(document().recipe().border, Border::reflect101);
    EXPECT_EQ(document().selection().algorithm, "") << "auto";
    EXPECT_EQ(harness_->layer().look().theme.panel, kDark.panel);
    EXPECT_GE(document().image()->pixels.format().alpha, 0);
}

class FromAPhoto : public PlaygroundTest {
protected:
    void drag_a_gaussian() {
        harness_->run("choose gaussian, drag its slider", [&](ImGuiTestContext* ctx) {
            ctx->SetRef("//left/recipe");
            ctx->ItemClick(named(icon::kPlus, "Add filter", "add").c_str());
            ctx->Yield(4);
            ctx->SetRef("//$FOCUSED");
            ctx->ItemClick("Gaussian blur");
            IM_CHECK_EQ(document().recipe().steps.size(), size_t{1});
            ctx->SetRef("//left/recipe");
            ctx->ItemDragWithDelta("sigma/##track", {20, 0});
        });
        settle();
    }
    void edit_it_by_hand() {
        harness_->run("type a sigma, edit a weight, switch the border", [&](ImGuiTestContext* ctx) {
            ctx->SetRef("//left/recipe");
            ctx->ItemClick("sigma/##number");
            ctx->KeyCharsReplaceEnter("0.6");
            const auto cells = ctx->WindowInfo("//left/kernel_grid/cells");
            IM_CHECK(cells.ID != 0);
            ctx->SetRef(cells.ID);
            ctx->ItemClick("$$0/##weight");
            ctx->KeyCharsReplaceEnter("1/9");
            ctx->SetRef("//left/border");
            ctx->ItemClick("border wrap");
        });
        settle();
    }
    void save_as(const fs::path& saved) {
        harness_->run("save", [&](ImGuiTestContext* ctx) {
            ctx->SetRef("top bar");
            ctx->ItemClick(named(icon::kSave, "Save image...", "save").c_str());
            type_path(ctx, saved);
        });
        settle();
    }
    std::string copied_command() {
        std::string command;
        harness_->run("copy", [&](ImGuiTestContext* ctx) {
            ctx->SetRef("top bar");
            ctx->ItemClick(named(icon::kCopy, "Copy as command", "copy").c_str());
            // The test engine provides a clipboard while a script runs.
            const auto* text = ImGui::GetClipboardText();
            IM_CHECK(text != nullptr);
            command = text;
        });
        return command;
    }
};

TEST_F(FromAPhoto, ToAFileThatTheCopiedCommandMakesAgain) {
    WindowOptions options;
    options.files = {photo()};
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    ASSERT_TRUE(document().result()) << document().messages().back().text;
    EXPECT_TRUE(document().recipe().steps.empty());

    drag_a_gaussian();
    const auto& values = document().recipe().steps.at(0).values;
    ASSERT_TRUE(values.contains("sigma"));
    EXPECT_NE(values.find("sigma")->second, "1");
    EXPECT_EQ(document().history().undo_name().find("Gaussian sigma automatic to "), 0u)
        << "the drag is one entry";
    harness_->save_screenshot("gaussian_dragged");

    edit_it_by_hand();
    ASSERT_TRUE(document().selected_step()->kernel);
    EXPECT_EQ(document().selected_step()->kernel->weights.front(), 1.0f / 9);
    EXPECT_EQ(document().selected_step()->kernel->width, 7);
    EXPECT_TRUE(document().origins().front());
    EXPECT_EQ(document().recipe().border, Border::wrap);
    EXPECT_EQ(document().history().undo_name(), "Border reflect101 to wrap");
    harness_->save_screenshot("custom_kernel");

    const auto saved = folder_ / "result of it.png";
    save_as(saved);
    ASSERT_TRUE(fs::exists(saved)) << document().messages().back().text;
    const auto command = copied_command();
    const auto bytes = read_file(saved);
    fs::remove(saved);
    ASSERT_EQ(shell(command + " >/dev/null"), 0) << command;
    EXPECT_TRUE(read_file(saved) == bytes) << command;
    EXPECT_TRUE(is_integer(read_image(saved).pixels.format().depth));
}

TEST_F(PlaygroundTest, OpensByDialogAndByDropAndReportsUnreadableFiles) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    const auto image = photo(), words = folder_ / "words.png";
    write_file(words, "not an image");
    harness_->run("open by Ctrl+O", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
        type_path(ctx, image);
    });
    settle();
    EXPECT_EQ(document().title(), image.filename());
    EXPECT_EQ(document().result()->job.image, document().image());
    const auto shown = document().result();
    harness_->context().on_drop({words});
    settle();
    EXPECT_EQ(document().messages().back().kind, Message::Kind::error);
    EXPECT_EQ(document().messages().back().code(), "not-an-image");
    EXPECT_TRUE(document().messages().back().text.starts_with("Cannot open \""))
        << document().messages().back().text;
    EXPECT_EQ(document().result(), shown) << "the result on the screen stays";
    harness_->save_screenshot("unreadable");
    harness_->run("recent files", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//top bar/File##file menu");
        ctx->ItemClick("//$FOCUSED/Open recent");
        ctx->Yield(2);
        ctx->SetRef("//$FOCUSED");
        IM_CHECK(ctx->ItemExists(("**/" + image.filename().string()).c_str()));
        IM_CHECK(!ctx->ItemExists("**/words.png"));
        ctx->KeyPress(ImGuiKey_Escape, 2);
    });
    const auto other = folder_ / "other.png";
    write_image(other, sample_image({64, 48}).view());
    harness_->context().on_drop({other});
    settle();
    EXPECT_EQ(document().title(), "other.png");
}

TEST_F(PlaygroundTest, UndoAndRedoRestoreTheRecipeExactly) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    std::vector<Recipe> seen{document().recipe()};
    harness_->run("edit", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("//left/recipe");
        ctx->ItemClick(named(icon::kPlus, "Add filter", "add").c_str());
        ctx->Yield(4);
        ctx->SetRef("//$FOCUSED");
        ctx->ItemClick("Sobel edges");
        seen.push_back(document().recipe());
        ctx->SetRef("//left/recipe");
        ctx->ItemClick("direction/X");
        seen.push_back(document().recipe());
        ctx->ItemClick("$$0/##enabled");
        seen.push_back(document().recipe());
        ctx->ItemClick(("$$0/" + named(icon::kClose, "", "remove")).c_str());
        seen.push_back(document().recipe());
        for (auto i = seen.size() - 1; i-- > 0;) {
            ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
            IM_CHECK(document().recipe() == seen[i]);
        }
        for (std::size_t i = 1; i < seen.size(); ++i) {
            ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Y);
            IM_CHECK(document().recipe() == seen[i]);
        }
    });
    for (std::size_t i = 1; i < seen.size(); ++i) EXPECT_NE(seen[i], seen[i - 1]);
    settle();
    harness_->save_screenshot("sobel");
}

TEST_F(PlaygroundTest, AStepIsMovedByDraggingItOntoAnother) {
    WindowOptions options;
    options.recipe.steps = {parse_step("gaussian"), parse_step("sharpen"), parse_step("sobel")};
    options.has_recipe = true;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    harness_->run("drag the first step onto the last", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("//left/recipe");
        ctx->ItemDragAndDrop("$$0/##step", "$$2/##step");
    });
    settle();
    const auto& steps = document().recipe().steps;
    ASSERT_EQ(steps.size(), 3u);
    EXPECT_EQ(steps[0].filter, "sharpen");
    EXPECT_EQ(steps[1].filter, "sobel");
    EXPECT_EQ(steps[2].filter, "gaussian");
    harness_->save_screenshot("step_moved");
    document().undo();
    EXPECT_EQ(document().recipe(), options.recipe) << "it is one entry";
    EXPECT_FALSE(document().history().can_undo());
    harness_->run("drag steps below the last", [&](ImGuiTestContext* ctx) {
        const auto below = named(icon::kPlus, "Add filter", "add");
        ctx->SetRef("//left/recipe");
        ctx->ItemDragAndDrop("$$2/##step", below.c_str());
        ctx->Yield(2);
        IM_CHECK(!document().history().can_undo()); // it is the last
        ctx->ItemDragAndDrop("$$0/##step", below.c_str());
        ctx->Yield(2);
        IM_CHECK_STR_EQ(document().recipe().steps.back().filter.c_str(), "gaussian");
    });
}

TEST_F(PlaygroundTest, UndoHoldsNeitherTheEngineNorTheView) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    document().choose({"cpu", "direct"});
    playground_->actions().run("mode_side");
    playground_->actions().run("actual_size");
    playground_->actions().run("view_zebra");
    playground_->view().pin({5, 5});
    settle();
    EXPECT_FALSE(document().history().can_undo());
    document().change([](Recipe& recipe) { recipe.sign = SignedMode::half; });
    settle();
    document().undo();
    EXPECT_EQ(document().recipe().sign, SignedMode::clamp) << "output settings are undone";
    EXPECT_EQ(document().selection(), (Selection{"cpu", "direct"}));
    EXPECT_EQ(document().view.mode, ViewState::Mode::side);
    EXPECT_EQ(playground_->view().zoom(), 1);
}

TEST_F(PlaygroundTest, AnotherFilterReplacesAStepAndCustomKeepsItsWeights) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    const auto choose = [&](const char* title) {
        harness_->run(title, [&](ImGuiTestContext* ctx) {
            ctx->ItemClick("//left/recipe/##kind");
            ctx->Yield(4);
            ctx->SetRef("//$FOCUSED");
            ctx->ItemClick(title);
        });
    };
    choose("Box blur");
    EXPECT_EQ(to_text(document().recipe().steps.at(0)), "box");
    EXPECT_EQ(document().history().undo_name(), "Gaussian blur to Box blur");
    choose("Custom kernel");
    ASSERT_TRUE(document().selected_step()->kernel);
    EXPECT_EQ(document().selected_step()->kernel->divisor, 9);
    EXPECT_EQ(document().origins().front()->filter, "box");
}

TEST_F(PlaygroundTest, InANarrowWindowTheRightColumnComesAndGoes) {
    HarnessOptions look;
    look.size = {900, 600};
    if (!start({}, look)) GTEST_SKIP() << kNoOpenGl;
    EXPECT_FALSE(ImGui::FindWindowByName("right") && ImGui::FindWindowByName("right")->WasActive);
    harness_->run("show", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(("//view bar/" + named(icon::kInformation, "Details", "details")).c_str());
    });
    ASSERT_TRUE(ImGui::FindWindowByName("right"));
    EXPECT_TRUE(ImGui::FindWindowByName("right")->WasActive);
    harness_->save_screenshot("narrow");
}

TEST_F(PlaygroundTest, LettersBelongToTheTextFieldWhileOneTypes) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    harness_->run("hold O, tap O", [&](ImGuiTestContext* ctx) {
        ctx->MouseMoveToPos({700, 400});
        ctx->KeyDown(ImGuiKey_O);
        ctx->SleepNoSkip(0.5f, 0.1f);
        IM_CHECK(document().view.show_original);
        ctx->KeyUp(ImGuiKey_O);
        IM_CHECK(!document().view.show_original);
        ctx->KeyPress(ImGuiKey_O);
        IM_CHECK(document().view.show_original);
        ctx->KeyPress(ImGuiKey_O);
        IM_CHECK(!document().view.show_original);
        ctx->SetRef("//left/recipe");
        ctx->ItemClick("sigma/##number");
        ctx->KeyDown(ImGuiKey_O);
        IM_CHECK(!document().view.show_original);
        ctx->KeyUp(ImGuiKey_O);
        ctx->KeyPress(ImGuiKey_Escape);
    });
}

TEST_F(PlaygroundTest, ForcesAnAlgorithmAndReportsIt) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    harness_->run("open the chip", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("top bar");
        ctx->ItemClick("engine");
        ctx->Yield(4);
        ImGuiTestItemList items;
        ctx->GatherItems(&items, "//$FOCUSED");
        IM_CHECK_GT(items.GetSize(), static_cast<int>(document().choices().size()));
        IM_CHECK_STR_EQ(items.GetByIndex(0)->DebugLabel, "auto");
    });
    harness_->save_screenshot("algorithms");
    harness_->run("choose direct", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("//$FOCUSED");
        ctx->ItemClick("cpu direct");
    });
    settle();
    EXPECT_EQ(document().selection(), (Selection{"cpu", "direct"}));
    EXPECT_FALSE(document().result()->refusal);
}

TEST_F(PlaygroundTest, AnotherLibraryOfTheEngineChipComputesTheImage) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    harness_->run("choose OpenCV", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//top bar/engine");
        ctx->ItemClick("//$FOCUSED/cpu opencv:GaussianBlur");
    });
    settle();
    EXPECT_EQ(document().selection(), (Selection{"cpu", "opencv:GaussianBlur"}));
    EXPECT_NE(document().result()->algorithm.find("opencv:GaussianBlur"), std::string::npos);
    EXPECT_FALSE(document().result()->refusal);
}

TEST_F(PlaygroundTest, TimesTwentyRuns) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    harness_->draw_every_frame();
    harness_->run("run", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//right/tabs/Timing");
        ctx->ItemClick(("//right/tabs/Timing/" + named(icon::kPlay, "Run 20 times", "again")).c_str());
    });
    harness_->frames_until([&] { return document().runs_left() == 0 && playground_->settled(); });
    harness_->frames(4);
    for (const auto row : kTimingRows) {
        if (row == TimingRow::upload) continue; // once per image
        EXPECT_TRUE(document().timings()[row].settled()) << timing_words(row, {}).title;
        EXPECT_LE(document().timings()[row].median(), document().timings()[row].p95());
    }
    EXPECT_EQ(document().timings()[TimingRow::filter].count(), 20u) << "those that are dropped are added";
    EXPECT_GT(document().timings()[TimingRow::upload].latest(), 0);
    harness_->save_screenshot("timing");
}

TEST_F(PlaygroundTest, ASizeTypedDigitByDigitKeepsTheWeights) {
    WindowOptions options;
    options.recipe.steps = {parse_step("custom:size=3x3:weights=1,2,3,4,5,6,7,8,9:divisor=45")};
    options.has_recipe = true;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    harness_->run("type 11 columns", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("//left/kernel_grid");
        ctx->ItemClick("##columns");
        ctx->KeyCharsReplaceEnter("11");
    });
    settle();
    const auto& kernel = *document().selected_step()->kernel;
    EXPECT_EQ(kernel.width, 11);
    EXPECT_EQ(kernel.height, 3);
    EXPECT_EQ(std::vector<float>(kernel.weights.begin() + 4, kernel.weights.begin() + 7),
              (std::vector<float>{1, 2, 3}));
    EXPECT_EQ(document().history().undo_name(), "Kernel size 3x3 to 11x3");
}

TEST_F(PlaygroundTest, EveryBorderIsChosenByItsImageAndUndone) {
    if (!start_with_step("gaussian:sigma=4")) GTEST_SKIP() << kNoOpenGl;
    std::vector<Border> all(kBorders.begin(), kBorders.end());
    all.push_back(Border::constant);
    const auto first = document().recipe().border;
    for (const auto border : all) {
        harness_->run("border", [&](ImGuiTestContext* ctx) {
            ctx->ItemClick(("//left/border/border " + std::string(name(border))).c_str());
        });
        settle();
        EXPECT_EQ(document().recipe().border, border);
        EXPECT_EQ(document().result()->job.request.border, border) << "the image follows";
    }
    harness_->save_screenshot("borders");
    while (document().history().can_undo()) document().undo();
    EXPECT_EQ(document().recipe().border, first);
}

TEST_F(PlaygroundTest, AKernelWhoseSumIsZeroIsOfferedAnOffsetOfAHalf) {
    WindowOptions options;
    options.recipe.steps = {parse_step("gaussian"), parse_step("laplacian")};
    options.has_recipe = true;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    const auto half = named(nullptr, "Offset 0.5", "half"), sum = named(nullptr, "= |sum|", "sum");
    harness_->run("take the offer", [&](ImGuiTestContext* ctx) {
        document().select(0);
        ctx->Yield(4);
        ctx->SetRef("//left/kernel_grid");
        IM_CHECK(!ctx->ItemExists(half.c_str())); // its sum is 1
        IM_CHECK((ctx->ItemInfo(sum.c_str()).ItemFlags & ImGuiItemFlags_Disabled) == 0);
        document().select(1);
        ctx->Yield(4);
        IM_CHECK((ctx->ItemInfo(sum.c_str()).ItemFlags & ImGuiItemFlags_Disabled) != 0);
        IM_CHECK(document().selected_stage()->kernels.front().offset == 0); // offered, not forced
        ctx->ItemClick(half.c_str());
        ctx->Yield(4);
        IM_CHECK(!ctx->ItemExists(half.c_str())); // accepted
    });
    settle();
    harness_->save_screenshot("kernel_offset");
    ASSERT_TRUE(document().selected_step()->kernel);
    EXPECT_EQ(document().selected_step()->kernel->offset, 0.5f);
    EXPECT_EQ(document().selected_step()->kernel->divisor, 1.0f);
}

// --- the program

TEST_F(PlaygroundTest, TheProgramWritesItsScreenshotAndRefusesForcedInteropWithoutAGpu) {
    if (!harness_or_skip()) GTEST_SKIP() << kNoOpenGl;
    const auto file = folder_ / "window.png";
    ASSERT_EQ(shell("kernelglass -f sobel --headless --engine cpu --size 1100x700 --screenshot '" +
                    file.string() + "' >/dev/null"),
              0);
    EXPECT_EQ(read_image(file).pixels.size(), (Extent{1100, 700}));
    EXPECT_EQ(shell("kernelglass --headless --engine cpu --display interop --screenshot '" + file.string() +
                    "' 2>/dev/null"),
              3);
    EXPECT_EQ(shell("kernelglass --headless --engine cpu --pin 960,0 --screenshot '" + file.string() +
                    "' 2>'" + (folder_ / "said").string() + "'"),
              2);
    EXPECT_EQ(read_file(folder_ / "said"),
              "kernelglass: --pin 960,0 lies outside the image, which is 960x640\n");
    EXPECT_EQ(shell("env -u DISPLAY -u WAYLAND_DISPLAY kernelglass 2>/dev/null"), 3);
}

} // namespace
} // namespace kg
