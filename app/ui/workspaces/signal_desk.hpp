#pragma once
// The workspace Signal: a document, its panels, and its place in the window.

#include "app/ui/workspaces/document_desk.hpp"
#include "app/ui/workspaces/signal_plots.hpp"
#include "app/ui/workspaces/signal_settings.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <utility>

namespace kg::ui {

class SignalDesk final : public DocumentDesk<SignalDocument, SignalActions> {
public:
    /// `document` receives what is to be reported.
    SignalDesk(Document& document, SignalDocument::Setup setup, SignalActions actions)
        : DocumentDesk(document, std::move(setup), std::move(actions), "signal") {}

    void draw(ViewPanel& view, const LayoutRects& layout) override;
    /// Opens the first of these files; the others are named in a message.
    void take(std::span<const std::filesystem::path> files) override;
    std::string noun() const override { return "signal"; }

    /// Whether a file of this name is a signal.
    static bool is_signal(const std::filesystem::path& file);
    /// WAV, which is nothing else; .csv, .npy and .txt may also be kernels.
    static bool is_sound(const std::filesystem::path& file);
    SignalDocument& signal() { return own(); }
    const SignalDocument& signal() const { return own(); }
    SignalPlots& plots() { return plots_; }

private:
    SignalPlots plots_;
    SignalSettings settings_;
};

} // namespace kg::ui
