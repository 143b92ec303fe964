#pragma once
// The card in the picture's corner at the very first start: three things to do, each done by doing it. Never in the way.

#include "app/editor/document/document.hpp"
#include "app/ui/widgets/layout.hpp"

namespace kg::ui {

class FirstSteps {
public:
    enum class At { closed, offer, drag, edit, divide, done };

    void offer() { at_ = At::offer; }
    At at() const { return at_; }
    /// In the lower right corner of `picture`.
    void draw(Document& document, const Box& picture);

private:
    void begin(Document& document, At at);
    bool has_done(const Document& document) const;

    At at_ = At::closed;
    Recipe recipe_before_; ///< when the current thing was asked for
    double divider_before_ = 0;
};

} // namespace kg::ui
