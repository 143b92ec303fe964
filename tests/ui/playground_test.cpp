// The whole window under a simulated mouse and keyboard: from a photo to a saved file, and how it is laid out.

#include "app/io/image_file.hpp"
#include "app/document/sample_picture.hpp"
#include "app/shell/icons.hpp"
#include "app/shell/layout.hpp"
#include "app/shell/playground.hpp"
#include "tests/ui/support/harness.hpp"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>

#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace kg;
using namespace kg::ui;
using kg::testing::Harness;
using kg::testing::harness_or_skip;
using kg::testing::HarnessOptions;
using kg::testing::kNoOpenGl;

constexpr double kPatience = 60; // seconds; sanitizers and software rendering are slow

/// A button's name for the test engine.
std::string named(const char* icon, const std::string& label, const std::string& id) {
    return (icon ? icon + std::string(label.empty() ? "" : "  ") : std::string()) + label + "##" + id;
}

class PlaygroundTest : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("kernelglass-ui-" + std::to_string(::getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override {
        playground_.reset();
        harness_.reset();
        fs::remove_all(folder_);
    }

    /// False without OpenGL.
    bool start(WindowOptions options, const HarnessOptions& look = {}) {
        harness_ = harness_or_skip(look);
        if (!harness_) return false;
        options.headless = true;
        options.engine = "cpu";
        playground_ = std::make_unique<Playground>(harness_->context(), harness_->layer(), options);
        harness_->set_frame([this] { return playground_->draw(); });
        settle();
        return true;
    }
    void settle() {
        harness_->frames(2);
        harness_->frames_until([this] { return playground_->settled(); }, kPatience);
        harness_->frames(FramePacer::kSettleFrames);
    }
    Document& document() { return playground_->document(); }

    /// A real photo where the test data lie beside the checkout, else the generated picture.
    fs::path photo() const {
        const auto path = folder_ / "it's a \"photo\" $x [1].png";
        const auto real = fs::path(KG_SOURCE_DIR).parent_path() /
                          "shared/conformance/golden/images/kodim23.png";
        if (fs::exists(real)) fs::copy_file(real, path);
        else write_picture(path, sample_picture().view());
        return path;
    }
    void type_path(ImGuiTestContext* ctx, const fs::path& path) {
        ctx->SetRef("##file prompt");
        ctx->ItemInputValue("**/##path", path.c_str());
    }
    /// Runs a line as a person would paste it; returns the exit code.
    static int shell(const std::string& line) {
        const auto status = std::system(
            ("PATH='" + fs::path(KG_PROGRAM).parent_path().string() + "':\"$PATH\"; " + line).c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    fs::path folder_;
    std::unique_ptr<Harness> harness_;
    std::unique_ptr<Playground> playground_;
};

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
    EXPECT_GE(view->Size.x * view->Size.y, 0.45f * 1280 * 800) << "the picture owns the window";
    EXPECT_EQ(ImGui::GetTopMostPopupModal(), nullptr);
    EXPECT_FALSE(document().history().can_undo());
}

TEST_F(PlaygroundTest, FromAPhotoToAFileThatTheCopiedCommandMakesAgain) {
    WindowOptions options;
    options.files = {photo()};
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    ASSERT_TRUE(document().result()) << document().messages().back().text;
    EXPECT_TRUE(document().recipe().steps.empty());

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
    const auto& values = document().recipe().steps.at(0).values;
    ASSERT_TRUE(values.contains("sigma"));
    EXPECT_NE(values.find("sigma")->second, "1");
    EXPECT_EQ(document().history().undo_name().find("Gaussian sigma automatic to "), 0u)
        << "the drag is one entry";
    harness_->save_screenshot("gaussian_dragged");

    harness_->run("type a sigma, edit a weight, switch the border", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("//left/recipe");
        ctx->ItemClick("sigma/##number");
        ctx->KeyCharsReplaceEnter("0.6");
        const auto cells = ctx->WindowInfo("//left/kernel_grid/cells");
        IM_CHECK(cells.ID != 0);
        ctx->SetRef(cells.ID);
        ctx->ItemClick("$$0/weight");
        ctx->KeyCharsReplaceEnter("1/9");
        ctx->SetRef("//left/border");
        ctx->ItemClick("border wrap");
    });
    settle();
    ASSERT_TRUE(document().selected_step()->kernel);
    EXPECT_EQ(document().selected_step()->kernel->weights.front(), 1.0f / 9);
    EXPECT_EQ(document().selected_step()->kernel->width, 7);
    EXPECT_TRUE(document().origins().front());
    EXPECT_EQ(document().recipe().border, Border::wrap);
    EXPECT_EQ(document().history().undo_name(), "Border reflect101 to wrap");
    harness_->save_screenshot("custom_kernel");

    const auto saved = folder_ / "result of it.png";
    harness_->run("save, copy the command", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("top bar");
        ctx->ItemClick(named(icon::kSave, "Save picture...", "save").c_str());
        type_path(ctx, saved);
    });
    settle();
    ASSERT_TRUE(fs::exists(saved)) << document().messages().back().text;
    std::string command;
    harness_->run("copy", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("top bar");
        ctx->ItemClick(named(icon::kCopy, "Copy as command", "copy").c_str());
        const auto* text = ImGui::GetClipboardText(); // the test engine lends a clipboard while a script runs
        IM_CHECK(text != nullptr);
        command = text;
    });
    const auto bytes = read_file(saved);
    fs::remove(saved);
    ASSERT_EQ(shell(command + " >/dev/null"), 0) << command;
    EXPECT_TRUE(read_file(saved) == bytes) << command;
    EXPECT_TRUE(is_integer(read_picture(saved).image.format().depth));
}

TEST_F(PlaygroundTest, OpensByDialogAndByDropAndSaysWhatCannotBeRead) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    const auto picture = photo(), words = folder_ / "words.png";
    write_file(words, "not a picture");
    harness_->run("open by Ctrl+O", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
        type_path(ctx, picture);
    });
    settle();
    EXPECT_EQ(document().title(), picture.filename());
    EXPECT_EQ(document().result()->job.picture, document().picture());
    const auto shown = document().result();
    harness_->context().on_drop({words});
    settle();
    EXPECT_EQ(document().messages().back().kind, Message::Kind::error);
    EXPECT_NE(document().messages().back().text.find("words.png"), std::string::npos);
    EXPECT_EQ(document().result(), shown) << "what is shown stays";
    harness_->save_screenshot("unreadable");
    const auto other = folder_ / "other.png";
    write_picture(other, sample_picture({64, 48}).view());
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

TEST_F(PlaygroundTest, AnotherFilterTakesAStepsPlaceAndCustomKeepsItsWeights) {
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

TEST_F(PlaygroundTest, ReadsThePixelUnderTheCursorAndPinsItByAClick) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    const auto corner = ImGui::FindWindowByName("view")->Pos;
    const ImVec2 place{corner.x + 300, corner.y + 350};
    harness_->run("point, click, go away", [&](ImGuiTestContext* ctx) {
        ctx->MouseMoveToPos(place);
        IM_CHECK(document().reading().has_value());
        ctx->MouseClick();
        ctx->MouseMoveToPos({20, 20});
    });
    harness_->frames_until([&] { return document().reading() && !document().reading()->after.empty(); },
                           kPatience);
    harness_->save_screenshot("pixel_pinned");
    ASSERT_TRUE(document().reading());
    EXPECT_EQ(document().reading()->before.size(), 4u);
    harness_->run("unpin", [&](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiKey_Escape); });
    EXPECT_FALSE(document().reading());
}

TEST_F(PlaygroundTest, SideBySideBothHalvesMeanTheSamePixels) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    const auto* view = ImGui::FindWindowByName("view");
    const ImVec2 left{view->Pos.x + 120, view->Pos.y + view->Size.y / 2 + 10};
    const ImVec2 right{left.x + view->Size.x / 2, left.y};
    harness_->run("side, zoom at the cursor, point left and right", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//view bar/mode/Side");
        ctx->MouseMoveToPos(left);
        ctx->MouseWheelY(18);
        IM_CHECK(!playground_->view().is_fit());
        IM_CHECK(document().reading().has_value());
        const auto seen = *document().reading();
        ctx->MouseMoveToPos(right);
        IM_CHECK(document().reading().has_value());
        IM_CHECK_EQ(document().reading()->x, seen.x);
        IM_CHECK_EQ(document().reading()->y, seen.y);
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_1);
        IM_CHECK_EQ(playground_->view().zoom(), 1.0);
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_0);
        IM_CHECK(playground_->view().is_fit());
        ctx->MouseMoveToPos(left);
        ctx->MouseWheelY(18);
    });
    harness_->save_screenshot("side_magnified");
}

TEST_F(PlaygroundTest, LettersBelongToTheTextFieldWhileOneTypes) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    harness_->run("hold O", [&](ImGuiTestContext* ctx) {
        ctx->MouseMoveToPos({700, 400});
        ctx->KeyDown(ImGuiKey_O);
        IM_CHECK(document().view.show_original);
        ctx->KeyUp(ImGuiKey_O);
        IM_CHECK(!document().view.show_original);
        ctx->SetRef("//left/recipe");
        ctx->ItemClick("sigma/##number");
        ctx->KeyDown(ImGuiKey_O);
        IM_CHECK(!document().view.show_original);
        ctx->KeyUp(ImGuiKey_O);
        ctx->KeyPress(ImGuiKey_Escape);
    });
}

TEST_F(PlaygroundTest, ForcesAWayOfComputingAndSaysSo) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    harness_->run("open the chip", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("top bar");
        ctx->ItemClick("engine");
        ctx->Yield(4);
    });
    harness_->save_screenshot("ways");
    harness_->run("choose direct", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("//$FOCUSED");
        ctx->ItemClick("cpu direct");
    });
    settle();
    EXPECT_EQ(document().way(), (Way{"cpu", "direct"}));
    EXPECT_TRUE(document().result()->notice.empty());
}

TEST_F(PlaygroundTest, TimesTwentyRuns) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    harness_->run("run", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//right/tabs/Timing");
        ctx->ItemClick(("//right/tabs/Timing/" + named(icon::kPlay, "Run 20 times", "again")).c_str());
    });
    harness_->frames_until([&] { return document().runs_left() == 0 && playground_->settled(); }, kPatience);
    harness_->frames(4);
    EXPECT_TRUE(document().timings().filter.settled());
    EXPECT_GT(document().timings().display.count(), 0u);
    harness_->save_screenshot("timing");
}

TEST_F(PlaygroundTest, ASizeTypedDigitByDigitKeepsTheWeights) {
    WindowOptions options;
    options.recipe.steps = {parse_step("custom:size=3x3:weights=1,2,3,4,5,6,7,8,9:divisor=45")};
    options.has_recipe = true;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    harness_->run("type 11 columns", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("//left/kernel_grid");
        ctx->ItemClick("columns");
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

// --- layout

struct Placed {
    std::string name;
    ImRect full, clipped;
};

std::vector<Placed> gather(ImGuiTestContext* ctx, const char* window) {
    ImGuiTestItemList items;
    ctx->GatherItems(&items, window, 2);
    std::vector<Placed> placed;
    for (int i = 0; i < items.GetSize(); ++i) {
        const auto* item = items.GetByIndex(i);
        if (item->Window && item->RectFull.GetWidth() > 0)
            placed.push_back(
                {std::string(window) + "/" + item->DebugLabel, item->RectFull, item->RectClipped});
    }
    return placed;
}

class LayoutTest : public PlaygroundTest, public ::testing::WithParamInterface<std::tuple<int, int, bool>> {};

TEST_P(LayoutTest, NothingOverlapsOrIsCut) {
    const auto [width, height, dark] = GetParam();
    HarnessOptions look;
    look.size = {width, height};
    look.theme = dark ? kDark : kLight;
    WindowOptions options;
    options.recipe.steps = {parse_step("sharpen"), parse_step("gaussian:size=5"),
                            parse_step("custom:size=3x3:weights=-1,0,1,-2,0,2,-1,0,1")};
    options.has_recipe = true;
    if (!start(options, look)) GTEST_SKIP() << kNoOpenGl;
    harness_->run("unfold the output settings",
                  [&](ImGuiTestContext* ctx) { ctx->ItemClick("//left/output/Output"); });
    std::vector<Placed> all;
    std::size_t gathered = 0;
    for (const auto* tab : {"Pixel", "Kernel", "Timing"}) {
        harness_->run("gather", [&](ImGuiTestContext* ctx) {
            ctx->ItemClick((std::string("//right/tabs/") + tab).c_str());
            ctx->MouseMoveToPos({static_cast<float>(width) / 2, static_cast<float>(height) / 2});
            all.clear();
            for (const auto* window : {"top bar", "view bar", "left", "right"})
                for (auto& item : gather(ctx, window)) all.push_back(std::move(item));
        });
        gathered += all.size();
        for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT_GE(all[i].clipped.GetWidth(), all[i].full.GetWidth() - 0.5f) << all[i].name << " is cut";
            for (std::size_t j = i + 1; j < all.size(); ++j) {
                auto a = all[i].full, b = all[j].full;
                if (a.Contains(b) || b.Contains(a)) continue; // a child and what is in it
                a.Expand(-0.5f);
                EXPECT_FALSE(a.Overlaps(b)) << all[i].name << " and " << all[j].name;
            }
        }
        harness_->save_screenshot("layout_" + std::to_string(width) + (dark ? "_dark_" : "_light_") + tab);
    }
    EXPECT_GT(gathered, 60u);
}

INSTANTIATE_TEST_SUITE_P(Sizes, LayoutTest,
                         ::testing::Values(std::tuple{1280, 800, true}, std::tuple{1280, 800, false},
                                           std::tuple{1920, 1080, true}));

// --- the program

TEST_F(PlaygroundTest, TheProgramWritesItsScreenshotAndRefusesForcedInteropWithoutAGpu) {
    if (!harness_or_skip()) GTEST_SKIP() << kNoOpenGl;
    const auto file = folder_ / "window.png";
    ASSERT_EQ(shell("kernelglass -f sobel --headless --engine cpu --size 1100x700 --screenshot '" +
                    file.string() + "' >/dev/null"),
              0);
    EXPECT_EQ(read_picture(file).image.size(), (Extent{1100, 700}));
    EXPECT_EQ(shell("kernelglass --headless --engine cpu --display interop --screenshot '" + file.string() +
                    "' 2>/dev/null"),
              3);
    EXPECT_EQ(shell("env -u DISPLAY -u WAYLAND_DISPLAY kernelglass 2>/dev/null"), 3);
}

} // namespace
