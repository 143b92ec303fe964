#pragma once
// A workspace with a document of its own: what the bars, the actions and the keys of the window do with it.

#include "app/editor/document/document.hpp"
#include "app/ui/view/view_panel.hpp"
#include "app/ui/widgets/layout.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace kg::ui {

class OwnDesk {
public:
    virtual ~OwnDesk() = default;

    /// When the workspace is shown: without a file the sample is opened.
    virtual void enter() = 0;
    /// Once per frame, in every workspace.
    virtual void follow() = 0;
    virtual void draw(ViewPanel& view, const LayoutRects& layout) = 0;
    /// Opens files that were dropped or named at the start.
    virtual void take(std::span<const std::filesystem::path> files) = 0;

    virtual std::string noun() const = 0;        ///< of what is saved: "signal"
    virtual std::string why_nothing() const = 0; ///< empty where something is open
    virtual std::string why_no_file() const = 0; ///< empty where it is of a file
    virtual void ask_open() = 0;
    virtual void ask_save() = 0;
    virtual void save_again() = 0; ///< to its file; the first time asks for a name
    virtual void reload() = 0;
    virtual std::string copy_as_command() const = 0; ///< throws Error

    virtual std::string undo_name() const = 0; ///< empty where there is nothing to undo
    virtual std::string redo_name() const = 0;
    virtual void undo() = 0;
    virtual void redo() = 0;

    virtual bool settled() const = 0;
    virtual std::string title() const = 0;
    /// "CPU, direct, 0.8 ms", or after a second "Computing, 12 s"; empty before the first result.
    virtual std::string chip() const = 0;
    virtual std::string chip_help() const = 0;
    virtual double next_change() const = 0; ///< seconds until the chip changes by itself
};

inline constexpr double kLongSeconds = 1; ///< after which a desk tells that it is computing

/// "CPU, direct, 0.8 ms": for a chip.
std::string engine_text(const std::string& engine, const std::string& algorithm, double microseconds);
/// Reports messages of another document in the window.
void report_all(Document& document, const std::vector<Message>& messages);

} // namespace kg::ui
