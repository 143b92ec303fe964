#pragma once
// The card in the image's corner at the very first start: three steps, each completed by doing it. Never
// modal.

#include "app/editor/document/document.hpp"
#include "app/ui/widgets/layout.hpp"

namespace kg::ui {

class FirstSteps {
public:
    enum class At { closed, offer, drag, edit, divide, done };

    void offer() { at_ = At::offer; }
    At at() const { return at_; }
    /// In the lower right corner of `image`.
    void draw(Document& document, const Box& image);

private:
    void begin(Document& document, At at);
    bool has_done(const Document& document) const;

    At at_ = At::closed;
    Recipe recipe_before_; ///< when the current step began
    double divider_before_ = 0;
};

} // namespace kg::ui
