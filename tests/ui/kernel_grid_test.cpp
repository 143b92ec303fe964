// The kernel grid of the left column: cells, size, divisor and offset.

#include "app/editor/document/kernel_edits.hpp"
#include "app/ui/panels/kernel_cells.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "filters/kernel_file.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <string_view>
#include <vector>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class KernelGrid : public PlaygroundTest {
protected:
    const Kernel& kernel() { return document().selected_stage()->kernels.front(); }
    static void open_menu(ImGuiTestContext* ctx) {
        ctx->ItemClick(("//left/kernel_grid/" + named(nullptr, "Change", "change")).c_str());
        ctx->Yield(4);
        ctx->SetRef("//$FOCUSED");
    }
    /// Chooses an entry of the kernel's menu.
    static void choose(ImGuiTestContext* ctx, const char* sign, const std::string& label) {
        open_menu(ctx);
        ctx->ItemClick((sign + ("  " + label)).c_str());
        ctx->Yield(4);
    }
    static ImGuiID cells(ImGuiTestContext* ctx) { return ctx->WindowInfo("//left/kernel_grid/cells").ID; }
    static ImGuiWindow* cells_window(ImGuiTestContext* ctx) {
        return ctx->WindowInfo("//left/kernel_grid/cells").Window;
    }
};

TEST(CompactNumber, IsAccurateWhereThereIsRoomAndNeverZeroForASmallNumber) {
    EXPECT_EQ(compact_number(0, 3), "0");
    EXPECT_EQ(compact_number(0.0625, 8), "0.0625");
    EXPECT_EQ(compact_number(1.0 / 9, 8), "0.1111");
    EXPECT_EQ(compact_number(0.0119361, 9), "0.01194");
    EXPECT_EQ(compact_number(0.159155, 4), ".159");
    EXPECT_EQ(compact_number(-2, 3), "-2");
    EXPECT_EQ(compact_number(7.5e-5, 8), "7.5e-5");
    EXPECT_EQ(compact_number(7.6e-5, 4), "8e-5");
    EXPECT_EQ(compact_number(7.5e-5, 3), "~0");
    EXPECT_EQ(compact_number(-1e-12, 5), "~0");
    EXPECT_EQ(compact_number(123456, 4), "1e5");
    for (const double value : {3e-7, -0.049, 0.5, 1e-30, 99.5, -1234.5})
        for (int width = 1; width < 10; ++width) EXPECT_NE(compact_number(value, width), "0") << value;
}

TEST_F(KernelGrid, SevenAndElevenColumnsFitAndTheirCellsCanBeTypedInto) {
    for (const auto* step : {"gaussian:sigma=1:size=7", "gaussian:sigma=2:size=11"}) {
        if (!start_with_step(step)) GTEST_SKIP() << kNoOpenGl;
        const auto size = kernel().width;
        harness_->run("type", [&](ImGuiTestContext* ctx) {
            const auto* window = cells_window(ctx);
            IM_CHECK(window != nullptr);
            IM_CHECK_EQ(window->ScrollMax.x, 0.0f);
            IM_CHECK_EQ(window->ScrollMax.y, 0.0f);
            const auto last = "$$" + std::to_string(size * size - 1) + "/##weight";
            ctx->SetRef(cells(ctx));
            ctx->ItemClick(last.c_str());
            ctx->Yield(2);
            IM_CHECK(std::string_view(ctx->ItemInfo(last.c_str()).DebugLabel).starts_with("##")); // not drawn
            ctx->KeyCharsReplaceEnter("1/3");
        });
        EXPECT_EQ(kernel().weights.back(), 1.0f / 3);
        settle();
        harness_->save_screenshot("kernel_" + std::to_string(size));
    }
}

TEST_F(KernelGrid, AnOpenCellLeavesAllInTheirPlacesAndCoversNoOther) {
    for (const auto* step :
         {"gaussian:sigma=1:size=3", "gaussian:sigma=1:size=5", "gaussian:sigma=1:size=9"}) {
        if (!start_with_step(step)) GTEST_SKIP() << kNoOpenGl;
        const int size = kernel().width;
        const auto cell = [](int i) { return "$$" + std::to_string(i) + "/##weight"; };
        harness_->run("open each cell of a row", [&](ImGuiTestContext* ctx) {
            ctx->SetRef(cells(ctx));
            const auto places = [&] {
                std::vector<ImRect> all;
                for (int i = 0; i < 2 * size; ++i) all.push_back(ctx->ItemInfo(cell(i).c_str()).RectFull);
                return all;
            };
            const auto before = places();
            for (int open = 0; open < size; ++open) {
                ctx->MouseMoveToPos(before[static_cast<std::size_t>(open)].GetCenter());
                ctx->MouseClick();
                ctx->Yield(2);
                IM_CHECK_EQ(ImGui::GetActiveID(), ctx->ItemInfo(cell(open).c_str()).ID);
                const auto now = places();
                for (std::size_t i = 0; i < now.size(); ++i) {
                    IM_CHECK(now[i].Min == before[i].Min);
                    IM_CHECK(now[i].Max == before[i].Max);
                }
                if (open == size - 1) return ctx->KeyCharsReplace("-12.345678");
                ctx->KeyPress(ImGuiKey_Escape);
                ctx->Yield(2);
            }
        });
        harness_->frames(3);
        harness_->save_screenshot("kernel_open_cell_" + std::to_string(size));
    }
}

TEST_F(KernelGrid, TabConfirmsAnOpenCellAndOpensTheNext) {
    if (!start_with_step("custom:size=3x3:weights=0,0,0,0,1,0,0,0,0")) GTEST_SKIP() << kNoOpenGl;
    harness_->run("type along a row, and back", [&](ImGuiTestContext* ctx) {
        ctx->SetRef(cells(ctx));
        ctx->ItemClick("$$0/##weight");
        ctx->KeyCharsReplace("7");
        ctx->KeyPress(ImGuiKey_Tab);
        ctx->Yield(2);
        ctx->KeyCharsReplace("1/8");
        ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_Tab);
        ctx->Yield(2);
        ctx->KeyCharsReplaceEnter("6");
        ctx->Yield(2);
    });
    EXPECT_EQ(kernel().weights, (std::vector<float>{6, 0.125f, 0, 0, 1, 0, 0, 0, 0}));
}

TEST(KernelCells, TheirTextIsThatOfTheOpenOrFocusedCellOrOfTheAnchor) {
    const auto kernel = make_kernel(3, 2, {1, 2, 3, 4, 5, 0.0625f});
    CellsState state;
    EXPECT_EQ(cell_text(kernel, state), "Row 2, column 2: 5");
    state.named = 5;
    EXPECT_EQ(cell_text(kernel, state), "Row 2, column 3: 0.0625");
    state.text = "1/1";
    EXPECT_EQ(cell_text(kernel, state), "Row 2, column 3: 1/1");
    state.text.reset();
    state.named = 6; // of a larger kernel
    EXPECT_EQ(cell_text(kernel, state), "Row 2, column 2: 5");
}

/// Where the controls of the kernel are, and where its weights begin.
struct KernelPlaces {
    std::vector<ImRect> above;
    ImVec2 weights;
    ImRect divisor;
};

TEST_F(KernelGrid, ControlsStayWhereTheyAreAtEverySize) {
    if (!start_with_step("gaussian:sigma=2:size=11")) GTEST_SKIP() << kNoOpenGl;
    const auto places = [&](int size) {
        auto next = document().recipe();
        next.steps = {parse_step("gaussian:sigma=2:size=" + std::to_string(size))};
        document().change([&](Recipe& recipe) { recipe = next; });
        settle();
        KernelPlaces all;
        harness_->run("look", [&](ImGuiTestContext* ctx) {
            ctx->SetRef("//left/kernel_grid");
            for (const auto& item :
                 {named(nullptr, "Change", "change"), named(icon::kPaste, "Paste", "paste"),
                  std::string("##columns"), std::string("##rows"), named(nullptr, "Enlarge", "large")})
                all.above.push_back(ctx->ItemInfo(item.c_str()).RectFull);
            all.divisor = ctx->ItemInfo("##divisor").RectFull;
            if (size > 11) {
                all.weights = ctx->ItemInfo("weights").RectFull.Min;
                return;
            }
            ctx->SetRef(cells(ctx));
            all.weights = ctx->ItemInfo("$$0/##weight").RectFull.Min;
        });
        return all;
    };
    const auto first = places(11);
    for (const int size : {1, 3, 5, 7, 9, 13, 31, 49}) {
        SCOPED_TRACE(size);
        const auto now = places(size);
        for (std::size_t i = 0; i < first.above.size(); ++i) {
            EXPECT_EQ(now.above[i].Min, first.above[i].Min) << i;
            EXPECT_EQ(now.above[i].Max, first.above[i].Max) << i;
        }
        EXPECT_EQ(now.weights, first.weights);
        if (size == 31) harness_->save_screenshot("kernel_heat_column");
        if (size < 9) continue;
        EXPECT_EQ(now.divisor.Min, first.divisor.Min) << "below the weights";
    }
}

TEST_F(KernelGrid, ElevenRowsAreVisibleAt1280x800WithoutScrolling) {
    for (const auto* step : {"gaussian:sigma=2:size=11", "sobel:direction=x"}) {
        SCOPED_TRACE(step);
        if (!start_with_step(step)) GTEST_SKIP() << kNoOpenGl;
        const auto last = kernel().weights.size() - 1;
        harness_->run("look", [&](ImGuiTestContext* ctx) {
            const auto* left = ctx->WindowInfo("//left").Window;
            ctx->SetRef(cells(ctx));
            const auto box = ctx->ItemInfo(("$$" + std::to_string(last) + "/##weight").c_str()).RectFull;
            IM_CHECK_EQ(left->Scroll.y, 0.0f);
            IM_CHECK_LE(box.Max.y, left->InnerRect.Max.y);
        });
    }
}

TEST_F(KernelGrid, CellsAreAsWideBesideAScrollbarAsWithoutOne) {
    std::vector<float> widths;
    for (const std::int64_t height : {640, 1200}) {
        if (!start_with_step("gaussian:sigma=1:size=5", {.size = {1280, height}})) GTEST_SKIP() << kNoOpenGl;
        EXPECT_EQ(ImGui::FindWindowByName("left")->ScrollbarY, height == 640);
        harness_->run("look", [&](ImGuiTestContext* ctx) {
            ctx->SetRef(cells(ctx));
            widths.push_back(ctx->ItemInfo("$$0/##weight").RectFull.GetWidth());
        });
    }
    EXPECT_EQ(widths[0], widths[1]);
}

TEST_F(KernelGrid, ATextThatIsNoNumberIsNamedAndTheWeightStays) {
    if (!start_with_step("custom:size=3x1:weights=1,2,3")) GTEST_SKIP() << kNoOpenGl;
    const auto recipe = document().recipe();
    const auto expect_refusal = [&](const char* text) {
        SCOPED_TRACE(text);
        EXPECT_EQ(document().recipe(), recipe);
        EXPECT_FALSE(document().history().can_undo());
        ASSERT_FALSE(document().messages().empty());
        EXPECT_EQ(document().messages().back().code(), "not-a-number");
        EXPECT_NE(document().messages().back().text.find(text), std::string::npos)
            << document().messages().back().text;
    };
    harness_->run("type", [&](ImGuiTestContext* ctx) {
        ctx->SetRef(cells(ctx));
        ctx->ItemClick("$$1/##weight");
        ctx->KeyCharsReplaceEnter("7,5");
        ctx->Yield(2);
    });
    expect_refusal("\"7,5\"");
    settle();
    harness_->save_screenshot("kernel_refused_text");
    const auto count = document().messages().size();
    harness_->run("a click elsewhere ends it, Escape reports nothing", [&](ImGuiTestContext* ctx) {
        ctx->SetRef(cells(ctx));
        ctx->ItemClick("$$1/##weight");
        ctx->KeyCharsReplace("half");
        ctx->KeyPress(ImGuiKey_Escape);
        ctx->Yield(2);
        IM_CHECK_EQ(document().messages().size(), count);
        ctx->ItemClick("$$2/##weight");
        ctx->KeyCharsReplace("4x");
        ctx->ItemClick("$$0/##weight"); // drawn before the open one
        ctx->Yield(2);
        ctx->KeyPress(ImGuiKey_Escape);
        ctx->Yield(2);
    });
    EXPECT_EQ(document().messages().size(), count + 1);
    expect_refusal("\"4x\"");
}

TEST_F(KernelGrid, TheWheelScrollsTheColumnUnlessTheCellHasTheFocus) {
    if (!start_with_step("gaussian:sigma=1:size=11", {.size = {1280, 700}})) GTEST_SKIP() << kNoOpenGl;
    const auto recipe = document().recipe();
    harness_->run("scroll over a cell", [&](ImGuiTestContext* ctx) {
        const auto* left = ctx->WindowInfo("//left").Window;
        ctx->SetRef(cells(ctx));
        ctx->MouseMove("$$60/##weight");
        const float before = left->Scroll.y;
        ctx->MouseWheelY(-1);
        ctx->Yield(4);
        IM_CHECK(left->Scroll.y > before);
        IM_CHECK(document().recipe() == recipe);
        ctx->MouseWheelY(1);
        ctx->SleepNoSkip(1, 0.5f);
    });
    harness_->run("focus it, then turn the wheel", [&](ImGuiTestContext* ctx) {
        const auto* left = ctx->WindowInfo("//left").Window;
        ctx->SetRef(cells(ctx));
        ctx->ItemClick("$$60/##weight");
        ctx->Yield(2);
        const float before = left->Scroll.y;
        ctx->MouseWheelY(1);
        ctx->Yield(2);
        IM_CHECK_EQ(left->Scroll.y, before);
        ctx->MouseWheelY(1);
        ctx->SleepNoSkip(1, 0.1f);
    });
    ASSERT_TRUE(document().selected_step()->kernel);
    EXPECT_NEAR(kernel().weights[60], 0.18f, 1e-6) << "two steps of 0.01 from 0.159";
    document().undo();
    EXPECT_EQ(document().recipe(), recipe) << "a burst is one entry";
}

TEST_F(KernelGrid, StaysInItsPlaceWhenANamedFilterBecomesCustom) {
    if (!start_with_step("unsharp:sigma=1")) GTEST_SKIP() << kNoOpenGl;
    harness_->run("edit a cell", [&](ImGuiTestContext* ctx) {
        ctx->SetRef(cells(ctx));
        const auto before = ctx->ItemInfo("$$0/##weight").RectFull;
        ctx->ItemClick("$$0/##weight");
        ctx->KeyCharsReplaceEnter("2");
        ctx->MouseMoveToPos({640, 400});
        ctx->Yield(4);
        IM_CHECK(document().origins()[0].has_value());
        const auto after = ctx->ItemInfo("$$0/##weight").RectFull;
        IM_CHECK_EQ(before.Min.x, after.Min.x);
        IM_CHECK_EQ(before.Min.y, after.Min.y);
        IM_CHECK_EQ(before.Max.x, after.Max.x);
        ctx->SetRef("//left/recipe"); // its filter's parameters keep their place, without effect
        IM_CHECK((ctx->ItemInfo("sigma/##track").ItemFlags & ImGuiItemFlags_Disabled) != 0);
    });
    settle();
    harness_->save_screenshot("kernel_custom_from");
}

TEST_F(KernelGrid, EditsTheKernelOfItsTabWhileTheOtherStays) {
    if (!start_with_step("sobel:norm=l1")) GTEST_SKIP() << kNoOpenGl;
    const auto sobel = document().recipe();
    const auto kernels = document().selected_stage()->kernels;
    harness_->run("edit a cell of Gy", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//left/kernel_grid/of/Gy");
        ctx->SetRef(cells(ctx));
        const auto before = ctx->ItemInfo("$$0/##weight").RectFull;
        ctx->ItemClick("$$0/##weight");
        ctx->KeyCharsReplaceEnter("7");
        ctx->MouseMoveToPos({640, 400});
        ctx->Yield(4);
        const auto after = ctx->ItemInfo("$$0/##weight").RectFull;
        IM_CHECK_EQ(before.Min.x, after.Min.x);
        IM_CHECK_EQ(before.Min.y, after.Min.y);
        ctx->SetRef("//left/recipe"); // the two kernels have a norm, and each its own divisor
        IM_CHECK((ctx->ItemInfo("norm/L2").ItemFlags & ImGuiItemFlags_Disabled) == 0);
        IM_CHECK((ctx->ItemInfo("divisor/##track").ItemFlags & ImGuiItemFlags_Disabled) != 0);
    });
    settle();
    harness_->save_screenshot("kernel_pair");
    const auto* stage = document().selected_stage();
    ASSERT_EQ(stage->kernels.size(), 2u);
    EXPECT_EQ(stage->kernels[0], kernels[0]);
    EXPECT_EQ(stage->kernels[1], with_weight(kernels[1], 0, 0, 7));
    EXPECT_EQ(stage->combine, Combine::l1);
    EXPECT_EQ(document().history().undo_name(), "Edit a weight of Sobel edges");
    harness_->run("edit Gx, then go back", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("//left/kernel_grid");
        ctx->ItemClick("of/Gx");
        ctx->ItemClick("##divisor");
        ctx->KeyCharsReplaceEnter("4");
        ctx->Yield(2);
        IM_CHECK_EQ(document().selected_step()->kernel->divisor, 4.0f);
        IM_CHECK_EQ(document().selected_step()->kernel_y->divisor, 1.0f);
        ImGui::SetClipboardText("1 2\n3 4\n");
        ctx->ItemClick(named(icon::kPaste, "Paste", "paste").c_str());
        ctx->Yield(2);
        IM_CHECK(*document().selected_step()->kernel == make_kernel(2, 2, {1, 2, 3, 4}));
        IM_CHECK_EQ(document().selected_step()->kernel_y->weights.front(), 7.0f);
        ctx->ItemClick(named(icon::kUndo, "Back to Sobel edges", "back").c_str());
    });
    EXPECT_EQ(document().recipe(), sobel);
    for (int i = 0; i < 4; ++i) document().undo();
    EXPECT_EQ(document().recipe(), sobel);
    EXPECT_FALSE(document().history().can_undo()) << "each edit is one entry";
}

TEST_F(KernelGrid, DivisorAndOffsetOfALargeKernelCanBeEdited) {
    if (!start_with_step("gaussian:sigma=5:size=31")) GTEST_SKIP() << kNoOpenGl;
    harness_->run("type", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("//left/kernel_grid");
        ctx->ItemClick("##divisor");
        ctx->KeyCharsReplaceEnter("2");
        ctx->ItemClick("##offset");
        ctx->KeyCharsReplaceEnter("1/4");
    });
    ASSERT_TRUE(document().selected_step()->kernel);
    EXPECT_EQ(kernel().divisor, 2);
    EXPECT_EQ(kernel().offset, 0.25f);
    EXPECT_EQ(kernel().width, 31);
}

TEST_F(KernelGrid, AMatrixOnTheClipboardBecomesTheKernelAlsoWhileACellIsOpen) {
    if (!start_with_step("custom:size=3x3:weights=0,0,0,0,1,0,0,0,0")) GTEST_SKIP() << kNoOpenGl;
    const auto before = document().recipe();
    harness_->run("paste into an open cell", [&](ImGuiTestContext* ctx) {
        ImGui::SetClipboardText("1; 2; 1/2\n0; -1; 3\n");
        ctx->SetRef(cells(ctx));
        ctx->ItemClick("$$4/##weight");
        ctx->Yield(2);
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
        ctx->Yield(2);
    });
    EXPECT_EQ(kernel(), make_kernel(3, 2, {1, 2, 0.5f, 0, -1, 3}));
    EXPECT_EQ(document().history().undo_name(), "Paste a 3 x 2 kernel");
    document().undo();
    EXPECT_EQ(document().recipe(), before) << "one entry";
    harness_->run("paste by the button, JSON", [&](ImGuiTestContext* ctx) {
        ImGui::SetClipboardText(R"({"rows": [[1, 2], [3, 4]], "divisor": "auto", "anchor": [0, 1]})");
        ctx->ItemClick(("//left/kernel_grid/" + named(icon::kPaste, "Paste", "paste")).c_str());
    });
    EXPECT_EQ(kernel().divisor, 10);
    EXPECT_EQ(kernel().anchor_y, 1);
    EXPECT_EQ(kernel().anchor_x, 0);
    const auto pasted = document().recipe();
    harness_->run("paste what is no kernel", [&](ImGuiTestContext* ctx) {
        ImGui::SetClipboardText("1 2 3\n4 five 6\n");
        ctx->SetRef(cells(ctx));
        ctx->NavMoveTo("$$0/##weight");
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
        ctx->Yield(2);
    });
    harness_->save_screenshot("kernel_pasted");
    EXPECT_EQ(document().recipe(), pasted);
    ASSERT_EQ(document().messages().back().code(), "not-a-number");
    EXPECT_EQ(document().messages().back().error->arguments()[1], "line 2, column 3");
}

TEST_F(KernelGrid, ANumberOnTheClipboardIsTheWeightOfTheFocusedCell) {
    if (!start_with_step("custom:size=3x1:weights=1,2,3")) GTEST_SKIP() << kNoOpenGl;
    harness_->run("paste", [&](ImGuiTestContext* ctx) {
        ImGui::SetClipboardText(" 1/4 ");
        ctx->SetRef(cells(ctx));
        ctx->NavMoveTo("$$1/##weight");
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
        ctx->Yield(2);
    });
    EXPECT_EQ(kernel().weights, (std::vector<float>{1, 0.25f, 3}));
}

TEST_F(KernelGrid, CopiesAsTextCsvJsonAndNumpyAndOnlyWithTheFocus) {
    if (!start_with_step("custom:size=3x1:weights=1,-20,3:divisor=4")) GTEST_SKIP() << kNoOpenGl;
    std::string by_key, by_menu, as_numpy, elsewhere;
    harness_->run("copy", [&](ImGuiTestContext* ctx) {
        ctx->SetRef(cells(ctx));
        ctx->NavMoveTo("$$1/##weight");
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
        ctx->Yield(2);
        by_key = ImGui::GetClipboardText();
        choose(ctx, icon::kCopy, "Copy as JSON");
        by_menu = ImGui::GetClipboardText();
        choose(ctx, icon::kCopy, "Copy as NumPy");
        as_numpy = ImGui::GetClipboardText();
        ctx->SetRef("//left/border");
        ctx->ItemClick("border wrap");
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
        ctx->Yield(2);
        elsewhere = ImGui::GetClipboardText();
    });
    EXPECT_EQ(by_key, "# divisor 4\n1  -20  3\n");
    EXPECT_EQ(parse_kernel(by_menu, "copied"), kernel());
    EXPECT_EQ(as_numpy, "np.array([[1, -20, 3]], dtype=np.float32) / 4\n");
    EXPECT_EQ(parse_kernel(as_numpy, "copied"), kernel());
    EXPECT_NE(elsewhere.find("kernelglass filter"), std::string::npos)
        << "the command, where no cell has the focus";
}

TEST_F(KernelGrid, AMatrixOfPythonCanBePasted) {
    if (!start_with_step("custom:size=3x1:weights=1,2,3")) GTEST_SKIP() << kNoOpenGl;
    harness_->run("paste", [&](ImGuiTestContext* ctx) {
        ImGui::SetClipboardText(
            "k = np.array([[0, 1, 0],\n              [1, -4, 1],\n              [0, 1, 0]])\n");
        ctx->SetRef(cells(ctx));
        ctx->NavMoveTo("$$1/##weight");
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
        ctx->Yield(2);
    });
    EXPECT_EQ(kernel().weights, (std::vector<float>{0, 1, 0, 1, -4, 1, 0, 1, 0}));
}

TEST_F(KernelGrid, APastedKernelIsOfferedTheDivisorThatKeepsTheBrightness) {
    if (!start_with_step("custom:size=3x1:weights=1,2,3:divisor=6")) GTEST_SKIP() << kNoOpenGl;
    const auto exists = [&] {
        bool found = false;
        harness_->run("look", [&](ImGuiTestContext* ctx) { found = ctx->ItemExists("//view/pasted"); });
        return found;
    };
    EXPECT_FALSE(exists()) << "it was not pasted";
    document().use_text("1 2 1\n2 4 2\n1 2 1");
    settle();
    EXPECT_TRUE(exists());
    harness_->save_screenshot("pasted_sum");
    harness_->run("divide", [](ImGuiTestContext* ctx) { ctx->ItemClick("//view/pasted"); });
    settle();
    EXPECT_EQ(kernel().divisor, 16);
    EXPECT_FALSE(exists());
    document().use_text("-1 0 1");
    settle();
    EXPECT_FALSE(exists()) << "its sum is 0";
}

TEST_F(KernelGrid, OperationsOfTheMenuAreOneNamedEntryEach) {
    if (!start_with_step("custom:size=3x2:weights=1,2,3,4,5,6")) GTEST_SKIP() << kNoOpenGl;
    const auto before = kernel();
    harness_->run("flip",
                  [&](ImGuiTestContext* ctx) { choose(ctx, icon::kSwapHorizontal, "Flip horizontally"); });
    EXPECT_EQ(kernel(), flipped_horizontally(before));
    EXPECT_EQ(document().history().undo_name(), "Flip the kernel horizontally");
    document().undo();
    EXPECT_EQ(kernel(), before);
    harness_->run("rotate",
                  [&](ImGuiTestContext* ctx) { choose(ctx, icon::kRotateRight, "Rotate by 90 degrees"); });
    EXPECT_EQ(kernel(), rotated_right(before));
    harness_->run("scale by a number", [&](ImGuiTestContext* ctx) {
        open_menu(ctx);
        ctx->ItemClick("##factor");
        ctx->KeyCharsReplaceEnter("1/2");
        ctx->ItemClick(named(nullptr, "Scale", "scale").c_str());
        ctx->Yield(2);
    });
    EXPECT_EQ(kernel(), scaled(rotated_right(before), 0.5));
    EXPECT_EQ(document().history().undo_name(), "Scale the kernel by 0.5");
    harness_->run("look", [&](ImGuiTestContext* ctx) { open_menu(ctx); });
    settle();
    harness_->save_screenshot("kernel_menu");
}

TEST_F(KernelGrid, TheAnchorMovesByKeyAndByTheMenuOfACell) {
    if (!start_with_step("custom:size=3x3:weights=1,2,3,4,5,6,7,8,9")) GTEST_SKIP() << kNoOpenGl;
    harness_->run("key", [&](ImGuiTestContext* ctx) {
        ctx->SetRef(cells(ctx));
        ctx->NavMoveTo("$$2/##weight");
        ctx->KeyPress(ImGuiKey_A);
        ctx->Yield(2);
    });
    EXPECT_EQ(std::pair(kernel().anchor_x, kernel().anchor_y), std::pair(2, 0));
    EXPECT_EQ(document().history().undo_name(), "Kernel anchor to row 1, column 3");
    harness_->run("menu", [&](ImGuiTestContext* ctx) {
        ctx->SetRef(cells(ctx));
        ctx->ItemClick("$$6/##weight", ImGuiMouseButton_Right);
        ctx->Yield(2);
        ctx->SetRef("//$FOCUSED");
        ctx->ItemClick((std::string(icon::kAnchor) + "  Anchor here").c_str());
        ctx->Yield(2);
        ctx->SetRef(cells(ctx));
        ctx->NavMoveTo("$$0/##weight");
        ctx->KeyPress(ImGuiKey_Delete);
        ctx->Yield(2);
    });
    EXPECT_EQ(std::pair(kernel().anchor_x, kernel().anchor_y), std::pair(0, 2));
    EXPECT_EQ(kernel().weights, (std::vector<float>{0, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST_F(KernelGrid, IsSavedInTheFormatOfTheExtensionAndOpenedAgain) {
    if (!start_with_step("custom:size=3x1:weights=1,-2,3:divisor=4")) GTEST_SKIP() << kNoOpenGl;
    const auto before = kernel();
    for (const auto* name : {"k.npy", "k.json", "k.txt"}) {
        const auto file = folder_ / name;
        harness_->run("save", [&](ImGuiTestContext* ctx) {
            choose(ctx, icon::kSave, "Save kernel...");
            type_path(ctx, file);
        });
        settle();
        ASSERT_TRUE(fs::exists(file)) << document().messages().back().text;
        document().set_kernel(make_kernel(1, 1, {9}));
        harness_->run("open", [&](ImGuiTestContext* ctx) {
            choose(ctx, icon::kOpen, "Open kernel...");
            type_path(ctx, file);
        });
        settle();
        EXPECT_EQ(kernel().weights, before.weights);
        EXPECT_EQ(document().history().undo_name(), "Open kernel " + std::string(name));
        document().set_kernel(before);
    }
    harness_->run("another extension", [&](ImGuiTestContext* ctx) {
        choose(ctx, icon::kSave, "Save kernel...");
        type_path(ctx, folder_ / "k.png");
    });
    settle();
    EXPECT_EQ(document().messages().back().code(), "unknown-extension");
    EXPECT_FALSE(fs::exists(folder_ / "k.png"));
}

} // namespace
} // namespace kg
