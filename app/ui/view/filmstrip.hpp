#pragma once
// The open images, below the one that is shown.

#include "app/editor/document/document.hpp"
#include "app/ui/widgets/thumbnails.hpp"

#include <functional>

namespace kg::ui {

class Filmstrip {
public:
    /// Fills the current region. `filter_all` takes all images to the workspace Batch.
    void draw(Document& document, const std::function<void()>& filter_all);

private:
    Thumbnails thumbnails_;
    std::size_t shown_ = 0; ///< index that was scrolled to
};

} // namespace kg::ui
