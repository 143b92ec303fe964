#pragma once
// The command palette: a field and the list of all actions whose names contain the typed words.

#include "app/ui/actions/action.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace kg::ui {

class Palette {
public:
    void open() { opens_ = true; }
    /// Once per frame, outside of other windows. Runs the chosen action once the palette is closed.
    void draw(const ActionTable& actions);

private:
    void search(const ActionTable& actions);
    void draw_rows();
    bool draw_row(const Action& action, bool marked);

    bool opens_ = false, moved_ = false;
    std::string words_;
    std::vector<const Action*> found_; ///< best first
    std::size_t marked_ = 0;           ///< index into found_
    const Action* chosen_ = nullptr;   ///< runs in the next frame
};

} // namespace kg::ui
