#pragma once
// The document of the workspace Bank: open images or an array, the bank that is applied to them, and its
// feature maps. It belongs to the window's thread; files and results are made in background tasks.

#include "app/editor/bank/bank_result.hpp"
#include "app/editor/document/own_document.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

class BankDocument final : public OwnDocument<BankSource, BankEdit, BankJob, BankResult> {
public:
    struct Setup {
        EngineOptions engines{};
        std::function<void()> wake{}; ///< called from any thread when update() has work
        std::filesystem::path folder = usual_command_folder(); ///< of kernels that are drawn
    };
    explicit BankDocument(Setup setup);

    // --- files
    void open_sample();
    /// Images of one size, or one array; refused files leave what is open.
    void open(const std::vector<std::filesystem::path>& paths);
    void open_weights(const std::filesystem::path& path); ///< likewise
    void reload();
    /// Computes as `kernelglass bank` does, and writes an array or a contact sheet, as the extension tells.
    /// The outcome is reported as a message.
    void save(const std::filesystem::path& path);
    std::vector<std::filesystem::path> inputs() const override;
    std::filesystem::path proposed_path() const;
    /// The command that writes the same bytes; it writes kernels that are drawn to a file. Throws Error.
    std::string copy_as_command() const;

    // --- what is shown
    /// The map that is explained: an item's of a filter, of those that are shown.
    std::int64_t map() const { return map_; }
    void select_map(std::int64_t map);
    /// The drawn kernel that is shown in cells: that of the map, unless another one is selected.
    std::int64_t kernel() const;
    void select_kernel(std::int64_t kernel) { kernel_ = kernel; }
    /// Of the map; null before the first result.
    const BankExplanation* explanation() const { return explanation_ ? &*explanation_ : nullptr; }

    // --- edits; `ongoing` ones join the entry of the history until finish_gesture()
    void choose_preset(std::string_view id); ///< with the defaults of its parameters
    void use_preset(std::string_view text);  ///< as after -f. Throws Error
    bool has_preset(std::string_view id) const;
    void set_value(std::string_view id, std::string value, bool ongoing);
    void reset_value(std::string_view id);
    void remove_weights(); ///< back to the preset
    void draw_kernels();   ///< with the present kernels, as kernels_to_draw() has it
    /// Of what is drawn, as with_kernel() and resized() have it.
    void set_kernel(std::int64_t k, const Kernel& kernel, bool ongoing);
    void set_drawn_size(std::int64_t filters, Extent kernel);
    void paste_kernel(std::int64_t k, const std::string& text); ///< a text that is none is reported
    void set_tensor(const std::string& name);                   ///< with its bias
    void set_bias(const std::string& name);                     ///< one of biases_of(); empty = none
    void set_channels_last(bool channels_last);
    /// Typed numbers are ongoing. Stride, dilation and groups are from 1 on, padding from 0 on.
    void set_stride(const RowsAndColumns& stride, bool ongoing = false);
    void set_dilation(const RowsAndColumns& dilation, bool ongoing = false);
    void set_padding(const std::optional<RowsAndColumns>& padding, bool ongoing = false); ///< empty = same
    void set_groups(const std::optional<std::int64_t>& groups, bool ongoing = false);     ///< as in BankEdit
    void set_border(Border border);
    void set_layout(Layout layout);
    void set_look(const SheetLook& look);

private:
    BankJob job() const override { return {source(), edit(), engines_, result()}; }
    void result_arrived() override { explain(map_); }
    void explain(std::int64_t map);
    void read(const std::vector<std::filesystem::path>& paths); ///< empty = the sample

    EngineOptions engines_;
    std::filesystem::path folder_;
    std::optional<BankExplanation> explanation_;
    std::int64_t map_ = 0, kernel_ = 0;
};

} // namespace kg
