#pragma once
// The centre of the workspace Bank: feature maps beside each other, and what explains the one that was
// clicked.

#include "app/editor/bank/bank_document.hpp"
#include "app/ui/widgets/thumbnails.hpp"

namespace kg::ui {

class BankMaps {
public:
    /// Fills the region. Tests find a map by "map" below its number.
    void draw_sheet(BankDocument& document);
    /// The clicked map: why it lights up, its kernels, and which task computes which output. Fills a column.
    void draw_details(const BankDocument& document);

private:
    void draw_kernels(const BankExplanation& explanation);

    Thumbnails thumbnails_;
};

} // namespace kg::ui
