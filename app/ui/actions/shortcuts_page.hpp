#pragma once
// The page of shortcuts: all actions that have keys, by group, and the keys of items that have the focus.

#include "app/ui/actions/action.hpp"

namespace kg::ui {

class ShortcutsPage {
public:
    void open() { opens_ = true; }
    /// Once per frame, outside of other windows.
    void draw(const ActionTable& actions);

private:
    bool opens_ = false;
};

} // namespace kg::ui
