#pragma once
// The pictures that are open, below the one that is shown.

#include "app/editor/document/document.hpp"
#include "app/ui/widgets/thumbnails.hpp"

#include <functional>

namespace kg::ui {

class Filmstrip {
public:
    /// Fills the current region. `filter_all` takes all pictures to the workspace Batch.
    void draw(Document& document, const std::function<void()>& filter_all);

private:
    Thumbnails thumbnails_;
    std::size_t shown_ = 0; ///< scrolled to
};

} // namespace kg::ui
