#pragma once
// Asks for the name of an own preset, or whether to delete it, and then does so.

#include "app/editor/document/document.hpp"

#include <optional>
#include <string>

namespace kg::ui {

class PresetDialog {
public:
    /// Once per frame, outside of other windows. True if the list of presets changed.
    bool draw(Document& document);

private:
    struct Reply {
        bool confirmed = false, cancelled = false;
    };
    void begin(const Document& document);
    Reply draw_name(Document& document);
    Reply draw_removal(Document& document);
    void answer(Document& document);

    std::optional<PresetQuestion> question_;
    std::string title_;
    int group_ = 0; ///< index in preset_groups()
    bool begins_ = false;
};

} // namespace kg::ui
