#pragma once
// The centre of the workspace Bank: feature maps beside each other, and what explains the one that was
// clicked.

#include "app/editor/bank/bank_document.hpp"
#include "app/ui/widgets/thumbnails.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace kg::ui {

class BankMaps {
public:
    /// The input and all maps, or the selected map alone. Fills the region. Tests find a map by "map" below
    /// its number.
    void draw_sheet(BankDocument& document);
    /// The clicked map: why it lights up, its kernels, and which task computes which output. Fills a column.
    void draw_details(const BankDocument& document);
    bool enlarged() const { return enlarged_; } ///< the selected map alone is shown

private:
    struct Tile {
        ImVec2 size;
        float caption; ///< its height
    };
    struct Caption {
        std::string begin, end; ///< the end stays whole where both have no room
    };
    std::pair<bool, ImRect> tile(const char* id, const std::shared_ptr<const Image>& image, const Tile& tile,
                                 const Caption& caption, bool chosen);
    void draw_input(const BankDocument& document, const Tile& tile_size);
    void draw_map(BankDocument& document, std::int64_t map, const Tile& tile_size);
    void draw_kernels(const BankExplanation& explanation);

    Thumbnails thumbnails_;
    bool enlarged_ = false;
};

} // namespace kg::ui
