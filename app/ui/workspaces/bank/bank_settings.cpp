#include "app/ui/workspaces/bank/bank_settings.hpp"

#include "app/editor/bank/bank_sizes.hpp"
#include "app/editor/bank/drawn_bank.hpp"
#include "app/editor/document/kernel_edits.hpp"
#include "app/io/files/files.hpp"
#include "app/ui/widgets/parameter.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/capital.hpp"
#include "filters/kernel_text.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace kg::ui {

namespace {

constexpr double kMostStride = 1024, kMostDilation = 64, kMostPadding = 256, kMostGroups = 4096;

void draw_input(BankDocument& document, const BankActions& actions) {
    heading("Input", document.source()->array ? "array" : "image");
    if (document.source()->array) {
        constexpr std::array kLayouts{"nchw", "nhwc", "chwn"};
        auto layout = static_cast<int>(document.edit().layout);
        if (labelled_choice("layout", "Layout", kLayouts, layout,
                            "Order of items, channels, rows and columns in the array"))
            document.set_layout(static_cast<Layout>(layout));
    }
    if (document.result() && document.result()->before != document.result()->opened)
        note("Alpha is left out: the maps are those of the colour.");
    if (button("open input", icon::kOpen, "Open...",
               "Open images of one size, or a NumPy array; or drop them here (Ctrl+O)"))
        actions.open();
    ImGui::SameLine();
    if (button("save maps", icon::kSave, "Save...",
               "Compute and write a contact sheet (.png), or an array of all maps (.npy, .safetensors) "
               "(Ctrl+S)"))
        actions.save();
}

void draw_preset(BankDocument& document) {
    std::vector<std::string> titles;
    int chosen = 0;
    for (const auto* filter : bank_filters()) {
        if (filter->id == document.edit().filter) chosen = static_cast<int>(titles.size());
        titles.emplace_back(filter->title);
    }
    label("Preset");
    const auto& now = *bank_filters()[static_cast<std::size_t>(chosen)];
    if (combo("##preset", titles, chosen, now.summary))
        document.choose_preset(bank_filters()[static_cast<std::size_t>(chosen)]->id);
    for (const auto& parameter : now.parameters) {
        const auto made = parameter_field(parameter, value_of(document.edit(), parameter));
        if (made.reset) document.reset_value(parameter.id);
        else if (made.value) document.set_value(parameter.id, *made.value, made.ongoing);
        if (made.finished) document.finish_gesture();
    }
}

/// Which tensor of the file is added to the maps; nothing for weights without one.
void draw_bias(BankDocument& document) {
    const auto& edit = document.edit();
    auto names = biases_of(*edit.weights, edit.tensor);
    if (names.empty()) return;
    names.insert(names.begin(), "None");
    const auto at = std::ranges::find(names.begin() + 1, names.end(), edit.bias);
    int chosen = at == names.end() ? 0 : static_cast<int>(at - names.begin());
    label("Bias");
    if (combo("##bias", names, chosen,
              "The tensor of the file that holds a number for each filter, which is "
              "added to its map"))
        document.set_bias(chosen == 0 ? "" : names[static_cast<std::size_t>(chosen)]);
}

void draw_file(BankDocument& document) {
    const auto& edit = document.edit();
    const auto& file = *edit.weights;
    fact("File", safe_name(file.path.filename()));
    if (file.tensors.size() > 1) {
        std::vector<std::string> names;
        int chosen = 0;
        for (const auto& tensor : file.tensors) {
            if (tensor.name == edit.tensor) chosen = static_cast<int>(names.size());
            names.push_back(tensor.name);
        }
        label("Tensor");
        if (combo("##tensor", names, chosen, "The tensor of the file that holds the weights"))
            document.set_tensor(names[static_cast<std::size_t>(chosen)]);
    }
    draw_bias(document);
    constexpr std::array kOrders{"kcrs", "krsc"};
    int order = edit.channels_last ? 1 : 0;
    if (labelled_choice("order", "Order", kOrders, order,
                        "Order of the weights in their array: filters, channels, rows and columns, or "
                        "channels last"))
        document.set_channels_last(order == 1);
}

Edit integer_field(const char* id, std::int64_t& number, double least, double most, const char* tooltip,
                   float width) {
    auto value = static_cast<double>(number);
    const auto edit = number_field(id, value, {.decimals = 0, .width = width, .tooltip = tooltip});
    if (edit.changed) number = std::llround(std::clamp(value, least, most));
    return edit;
}

/// The three columns of numbers beside the labels of the table of sizes.
class SizesRow {
public:
    explicit SizesRow(const char* text) : SizesRow() {
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(shortened(text, look().px(kLabel) - gap_).c_str());
    }
    /// A line above the last two columns.
    static void draw_titles(const char* second, const char* third) {
        const ScopedText style(TextStyle::secondary);
        const SizesRow row;
        const auto& grey = colour(look().theme.second);
        ImGui::SetCursorPosX(row.x_of(1));
        ImGui::TextColored(grey, "%s", second);
        ImGui::SameLine(row.x_of(2));
        ImGui::TextColored(grey, "%s", third);
    }
    void number(int column, const char* letter, const std::string& text, const char* tooltip) {
        const auto at = cell(column, letter, text);
        ImGui::SetCursorScreenPos(at);
        ImGui::Dummy({width_, ImGui::GetFrameHeight()});
        help(tooltip);
    }
    /// Tests find it by "##letter".
    Edit field(int column, const char* letter, std::int64_t& number, double least, double most,
               const char* tooltip) {
        cell(column, letter, {});
        ImGui::SameLine(x_of(column) + look().px(kLetter));
        return integer_field(("##" + std::string(letter)).c_str(), number, least, most, tooltip,
                             width_ - look().px(kLetter));
    }

private:
    SizesRow() {
        gap_ = look().px(4);
        first_ = ImGui::GetCursorPosX() + look().px(kLabel);
        width_ = std::floor((ImGui::GetContentRegionAvail().x - look().px(kLabel) - 2 * gap_) / kColumns);
    }

    static constexpr int kColumns = 3;
    static constexpr float kLabel = 68, kLetter = 12;

    float x_of(int column) const { return first_ + static_cast<float>(column) * (width_ + gap_); }
    /// Returns its corner.
    ImVec2 cell(int column, const char* letter, const std::string& text) {
        ImGui::SameLine(x_of(column));
        const auto at = ImGui::GetCursorScreenPos();
        ImGui::AlignTextToFramePadding();
        ImGui::TextColored(colour(look().theme.second), "%s", letter);
        if (text.empty()) return at;
        const ScopedText style(TextStyle::number);
        ImGui::SameLine(x_of(column) + width_ - ImGui::CalcTextSize(text.c_str()).x);
        ImGui::TextUnformatted(text.c_str());
        return at;
    }

    float first_ = 0, width_ = 0, gap_ = 0;
};

void draw_groups(BankDocument& document, std::int64_t groups) {
    label("Groups");
    const auto typed = integer_field(
        "##g", groups, 1, kMostGroups,
        "Groups of channels, each with filters of its own. They divide channels and filters",
        ImGui::GetContentRegionAvail().x);
    if (typed.changed) document.set_groups(groups, true);
    if (typed.finished) document.finish_gesture();
    bool by_weights = !document.edit().groups;
    if (tick("groups by weights", "Groups by the weights", by_weights,
             "One group; weights of one channel are repeated for every channel by itself"))
        document.set_groups(by_weights ? std::nullopt : std::optional(groups));
}

constexpr const char* kGiven = "It follows from the preset or the file; Draw makes it a field";

void draw_filters(const BankSizes& sizes) {
    SizesRow filters("Filters");
    filters.number(0, "k", std::to_string(sizes.k),
                   ("Filters of all groups. " + std::string(kGiven)).c_str());
    filters.number(1, "r", std::to_string(sizes.r), ("Rows of a filter. " + std::string(kGiven)).c_str());
    filters.number(2, "s", std::to_string(sizes.s), ("Columns of a filter. " + std::string(kGiven)).c_str());
}

void draw_input_sizes(const BankSizes& sizes) {
    SizesRow::draw_titles("rows", "columns");
    SizesRow items("Items");
    items.number(0, "n", std::to_string(sizes.n), "Images, or items of the array");
    SizesRow channels("Channels");
    channels.number(0, "c", std::to_string(sizes.c), "Channels of the input");
    channels.number(1, "h", std::to_string(sizes.h), "Rows of the input");
    channels.number(2, "w", std::to_string(sizes.w), "Columns of the input");
}

void draw_steps(BankDocument& document, const BankSizes& sizes) {
    RowsAndColumns stride{sizes.u, sizes.v}, dilation{sizes.d, sizes.e}, padding{sizes.p, sizes.q};
    bool finished = false;
    const auto pair = [&](const char* text, const char* rows, const char* columns, RowsAndColumns& numbers,
                          double least, double most, const char* tooltip) {
        SizesRow row(text);
        const auto a = row.field(1, rows, numbers.rows, least, most, tooltip),
                   b = row.field(2, columns, numbers.columns, least, most, tooltip);
        finished = finished || a.finished || b.finished;
        return a.changed || b.changed;
    };
    if (pair("Stride", "u", "v", stride, 1, kMostStride,
             "Rows (u) and columns (v) from an output to the next"))
        document.set_stride(stride, true);
    if (pair("Dilation", "d", "e", dilation, 1, kMostDilation, "Rows and columns from a tap to the next"))
        document.set_dilation(dilation, true);
    if (pair("Padding", "p", "q", padding, 0, kMostPadding,
             "Rows (p) and columns (q) that the border adds before the first and after the last"))
        document.set_padding(padding, true);
    if (finished) document.finish_gesture();
}

void draw_output(const BankSizes& sizes) {
    const auto size = [](std::int64_t number) { return number == 0 ? "none" : std::to_string(number); };
    SizesRow output("Output");
    output.number(1, "P", size(sizes.output.height), ("Rows of a map: " + sizes.rows).c_str());
    output.number(2, "Q", size(sizes.output.width), ("Columns of a map: " + sizes.columns).c_str());
    note("P = " + sizes.rows);
    note("Q = " + sizes.columns);
}

void draw_sums(BankDocument& document, const BankSizes& sizes) {
    heading("Padding and groups");
    bool same = !document.edit().padding;
    if (tick("same", "Pad to the same size", same,
             "As many outputs as the input has numbers, divided by the stride"))
        document.set_padding(same ? std::nullopt : std::optional(RowsAndColumns{sizes.p, sizes.q}));
    std::vector<std::string> borders;
    for (const auto border : kBorders) borders.emplace_back(name(border));
    const auto at = std::ranges::find(kBorders, document.edit().border);
    auto border = at == kBorders.end() ? 0 : static_cast<int>(at - kBorders.begin());
    label("Border");
    if (combo("##border", borders, border, "What the padding holds"))
        document.set_border(kBorders[static_cast<std::size_t>(border)]);
    draw_groups(document, sizes.g);
}

void draw_look(BankDocument& document) {
    heading("Maps");
    auto look_of = document.edit().look;
    constexpr std::array kColours{"Signed", "Grey"};
    constexpr std::array kScales{"Percentile", "Largest", "Shared"};
    auto colours = static_cast<int>(look_of.colours), scale = static_cast<int>(look_of.scale);
    if (labelled_choice("colours", "Colours", kColours, colours,
                        "Signed: orange is positive, blue negative, black 0. Grey: from the least number to "
                        "the largest"))
        look_of.colours = static_cast<SheetColours>(colours);
    if (labelled_choice("scale", "Scale", kScales, scale,
                        "Numbers of the brightest colours. Percentile: of a map, without its lowest and "
                        "highest 0.5 %. Largest: the largest of a map. Shared: as Percentile, of all maps "
                        "together"))
        look_of.scale = static_cast<SheetScale>(scale);
    document.set_look(look_of);
}

} // namespace

void BankSettings::draw_drawn_sizes(BankDocument& document) {
    const auto& bank = *document.edit().drawn;
    const Sizes now{bank.filters, bank.kernel.height, bank.kernel.width};
    auto next = typed_.value_or(now);
    SizesRow row("Kernels");
    const auto k = row.field(0, "k", next.filters, 1, kMostDrawnKernels,
                             "Kernels, up to 16; each is applied to every channel by itself"),
               r = row.field(1, "r", next.rows, 1, kMostDrawnSize,
                             "Rows of a kernel, up to 11; new weights are 0, weights outside are lost"),
               s = row.field(2, "s", next.columns, 1, kMostDrawnSize,
                             "Columns of a kernel, up to 11; new weights are 0, weights outside are lost");
    if (k.changed || r.changed || s.changed) typed_ = next;
    if (!k.finished && !r.finished && !s.finished) return;
    if (typed_) document.set_drawn_size(typed_->filters, {typed_->columns, typed_->rows});
    typed_.reset();
}

void BankSettings::draw_cells_of(BankDocument& document) {
    const auto k = document.kernel();
    std::vector<std::string> titles;
    for (std::int64_t i = 0; i < document.edit().drawn->filters; ++i) titles.push_back(std::to_string(i));
    auto chosen = static_cast<int>(k);
    label("Kernel");
    if (combo("##kernel", titles, chosen, "The kernel whose weights are shown; a click on a map selects its"))
        document.select_kernel(chosen);
    const auto kernel = kernel_of(*document.edit().drawn, k);
    KernelEdits edits;
    note(shortened(cell_text(kernel, cells_), ImGui::GetContentRegionAvail().x));
    draw_cells(kernel, {.anchored = false}, cells_, edits);
    if (edits.copies) ImGui::SetClipboardText(to_format(kernel, KernelFormat::text).c_str());
    if (edits.pastes) {
        const auto* text = ImGui::GetClipboardText();
        const auto number = parse_number(text ? text : "");
        if (number && edits.cell >= 0)
            document.set_kernel(k,
                                with_weight(kernel, edits.cell / kernel.width, edits.cell % kernel.width,
                                            static_cast<float>(*number)),
                                false);
        else document.paste_kernel(k, text ? text : "");
    } else if (edits.kernel) {
        document.set_kernel(k, *edits.kernel, edits.gesture == Gesture::ongoing);
    }
    if (edits.finished) document.finish_gesture();
}

void BankSettings::draw_weights(BankDocument& document, const BankActions& actions) {
    const auto& edit = document.edit();
    heading("Weights");
    const bool drawn = edit.drawn.has_value();
    if (drawn) draw_cells_of(document);
    else if (edit.weights) draw_file(document);
    else draw_preset(document);
    if (button("open weights", icon::kOpen, "Weights...",
               "Load weights of k c r s, k r s or r s: a NumPy array or a file of safetensors"))
        actions.open_weights();
    if (!drawn) {
        ImGui::SameLine();
        if (button("draw kernels", icon::kGrid, "Draw",
                   "Draw kernels cell by cell, beginning with these where they are few and small, else with "
                   "Sobel's pair"))
            document.draw_kernels();
    }
    if ((document.edit().drawn || document.edit().weights) &&
        button("remove weights", icon::kUndo, "Back to the preset", "Design the weights by the preset again"))
        document.remove_weights();
}

void BankSettings::draw(BankDocument& document, const BankActions& actions) {
    if (!document.source()) {
        heading("Input");
        if (primary_button("open input", icon::kOpen, "Open...", "Open images or a NumPy array (Ctrl+O)"))
            actions.open();
        return;
    }
    draw_input(document, actions);
    const auto sizes = document.result() ? std::optional(bank_sizes(*document.result(), document.edit()))
                                         : std::nullopt;
    if (sizes) {
        heading("Sizes", "n c h w k r s u v p q");
        draw_input_sizes(*sizes);
        if (document.edit().drawn) draw_drawn_sizes(document);
        else draw_filters(*sizes);
        draw_steps(document, *sizes);
        draw_output(*sizes);
    }
    draw_weights(document, actions);
    if (sizes) draw_sums(document, *sizes);
    draw_look(document);
}

} // namespace kg::ui
