#pragma once
// The left column of the workspace Bank: the input, the parameters with the output's size, the preset, the
// weights of a file with their bias or the kernels that are drawn, and how maps are shown.

#include "app/editor/bank/bank_document.hpp"
#include "app/ui/panels/kernel_cells.hpp"

#include <cstdint>
#include <functional>
#include <optional>

namespace kg::ui {

/// Actions that the window performs.
struct BankActions {
    std::function<void()> open, open_weights, save;
};

class BankSettings {
public:
    void draw(BankDocument& document, const BankActions& actions);

private:
    /// Of kernels that are drawn.
    struct Sizes {
        std::int64_t filters, rows, columns;
        bool operator==(const Sizes&) const = default;
    };
    void draw_weights(BankDocument& document, const BankActions& actions);
    void draw_cells_of(BankDocument& document);
    void draw_drawn_sizes(BankDocument& document);

    CellsState cells_;
    std::optional<Sizes> typed_; ///< what is being typed; a size takes effect at its end
};

} // namespace kg::ui
