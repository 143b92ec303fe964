#pragma once
// The left column of the workspace Bank: the input, the preset or the weights and their bias, the parameters
// with the output's size, and how maps are shown.

#include "app/editor/bank/bank_document.hpp"

#include <functional>

namespace kg::ui {

/// Actions that the window performs.
struct BankActions {
    std::function<void()> open, open_weights, save;
};

void draw_bank_settings(BankDocument& document, const BankActions& actions);

} // namespace kg::ui
