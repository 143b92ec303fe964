#pragma once
// The pictures that are open, below the one that is shown.

#include "app/document/document.hpp"
#include "app/panels/thumbnails.hpp"

namespace kg::ui {

class Filmstrip {
public:
    /// Fills the current region.
    void draw(Document& document);

private:
    Thumbnails thumbnails_;
    std::size_t shown_ = 0; ///< scrolled to
};

} // namespace kg::ui
