#pragma once
// The workspace Signal: a document, its panels, and its place in the window.

#include "app/editor/document/document.hpp"
#include "app/ui/view/view_panel.hpp"
#include "app/ui/widgets/layout.hpp"
#include "app/ui/workspaces/signal_plots.hpp"
#include "app/ui/workspaces/signal_settings.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace kg::ui {

class SignalDesk {
public:
    /// `document` receives what is to be reported.
    SignalDesk(Document& document, SignalDocument::Setup setup, SignalActions actions);

    /// When the workspace is shown: without a file the sample is opened.
    void enter();
    /// Once per frame, in every workspace.
    void follow();
    void draw(ViewPanel& view, const LayoutRects& layout);

    /// Opens the first of these files; the others are named in a message.
    void take(std::span<const std::filesystem::path> files);
    /// Whether a file of this name is a signal.
    static bool is_signal(const std::filesystem::path& file);
    /// WAV, which is nothing else; .csv, .npy and .txt may also be kernels.
    static bool is_sound(const std::filesystem::path& file);

    std::string why_no_signal() const; ///< empty where one is open
    std::string why_no_file() const;   ///< empty where it is of a file

    bool settled() const { return !signal_.busy(); }
    /// "CPU, direct, 0.8 ms"; empty before the first result.
    std::string chip() const;
    std::string title() const;
    SignalDocument& signal() { return signal_; }
    const SignalDocument& signal() const { return signal_; }
    SignalPlots& plots() { return plots_; }

private:
    Document& document_;
    SignalActions actions_;
    SignalPlots plots_;
    SignalSettings settings_;
    SignalDocument signal_; ///< last: its threads end first
};

} // namespace kg::ui
