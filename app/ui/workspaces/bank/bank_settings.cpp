#include "app/ui/workspaces/bank/bank_settings.hpp"

#include "app/editor/bank/bank_sizes.hpp"
#include "app/io/files/files.hpp"
#include "app/ui/widgets/parameter.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/capital.hpp"

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
    fact("File", shortened(safe_name(file.path.filename()), ImGui::GetContentRegionAvail().x * 0.7f));
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
    if (button("remove weights", icon::kUndo, "Back to the preset", "Design the weights by the preset again"))
        document.remove_weights();
}

void draw_weights(BankDocument& document, const BankActions& actions) {
    heading("Weights");
    if (document.edit().weights) draw_file(document);
    else draw_preset(document);
    if (button("open weights", icon::kOpen, "Weights...",
               "Load weights of k c r s, k r s or r s: a NumPy array or a file of safetensors"))
        actions.open_weights();
}

Edit integer_field(const char* id, std::int64_t& number, double least, double most, const char* tooltip,
                   float width) {
    auto value = static_cast<double>(number);
    const auto edit = number_field(id, value, {.decimals = 0, .width = width, .tooltip = tooltip});
    if (edit.changed) number = std::llround(std::clamp(value, least, most));
    return edit;
}

/// Two fields beside a label.
Edit pair_field(const char* text, const char* rows_id, const char* columns_id, RowsAndColumns& pair,
                double least, double most, const char* tooltip) {
    label(text);
    const float width = std::floor((ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2);
    const auto rows = integer_field(rows_id, pair.rows, least, most, tooltip, width);
    ImGui::SameLine();
    const auto columns = integer_field(columns_id, pair.columns, least, most, tooltip, width);
    return {rows.changed || columns.changed, rows.finished || columns.finished};
}

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

void draw_parameters(BankDocument& document, const BankSizes& sizes) {
    heading("Sizes", "n c h w k r s u v p q");
    fact("n  items", std::to_string(sizes.n));
    fact("c  channels", std::to_string(sizes.c));
    fact("h  rows", std::to_string(sizes.h));
    fact("w  columns", std::to_string(sizes.w));
    fact("k  filters", std::to_string(sizes.k));
    fact("r  rows of a filter", std::to_string(sizes.r));
    fact("s  columns of a filter", std::to_string(sizes.s));
    RowsAndColumns stride{sizes.u, sizes.v}, dilation{sizes.d, sizes.e}, padding{sizes.p, sizes.q};
    const auto u_v = pair_field("u, v  stride", "##u", "##v", stride, 1, kMostStride,
                                "Rows (u) and columns (v) from an output to the next");
    if (u_v.changed) document.set_stride(stride, true);
    const auto d_e = pair_field("Dilation", "##d", "##e", dilation, 1, kMostDilation,
                                "Rows and columns from a tap to the next");
    if (d_e.changed) document.set_dilation(dilation, true);
    const auto p_q = pair_field("p, q  pad", "##p", "##q", padding, 0, kMostPadding,
                                "Rows (p) and columns (q) that the border adds on either side");
    if (p_q.changed) document.set_padding(padding, true);
    if (u_v.finished || d_e.finished || p_q.finished) document.finish_gesture();
    bool same = !document.edit().padding;
    if (tick("same", "Pad to the same size", same,
             "As many outputs as the input has numbers, divided by the stride"))
        document.set_padding(same ? std::nullopt : std::optional(padding));
    std::vector<std::string> borders;
    for (const auto border : kBorders) borders.emplace_back(name(border));
    const auto at = std::ranges::find(kBorders, document.edit().border);
    auto border = at == kBorders.end() ? 0 : static_cast<int>(at - kBorders.begin());
    label("Border");
    if (combo("##border", borders, border, "What the padding holds"))
        document.set_border(kBorders[static_cast<std::size_t>(border)]);
    draw_groups(document, sizes.g);
    note("Rows of an output: " + sizes.rows);
    note("Columns: " + sizes.columns);
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

void draw_bank_settings(BankDocument& document, const BankActions& actions) {
    if (!document.source()) {
        heading("Input");
        if (primary_button("open input", icon::kOpen, "Open...", "Open images or a NumPy array (Ctrl+O)"))
            actions.open();
        return;
    }
    draw_input(document, actions);
    draw_weights(document, actions);
    if (!document.why_not().empty()) notice(Tone::warning, capitalised(document.why_not()));
    if (document.result()) draw_parameters(document, bank_sizes(*document.result(), document.edit()));
    draw_look(document);
}

} // namespace kg::ui
