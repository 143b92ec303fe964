#pragma once
// The workspace Signal: a document, its panels, and its place in the window.

#include "app/ui/workspaces/own_desk.hpp"
#include "app/ui/workspaces/signal_plots.hpp"
#include "app/ui/workspaces/signal_settings.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace kg::ui {

class SignalDesk final : public OwnDesk {
public:
    /// `document` receives what is to be reported.
    SignalDesk(Document& document, SignalDocument::Setup setup, SignalActions actions);

    void enter() override;
    void follow() override;
    void draw(ViewPanel& view, const LayoutRects& layout) override;
    /// Opens the first of these files; the others are named in a message.
    void take(std::span<const std::filesystem::path> files) override;
    /// Whether a file of this name is a signal.
    static bool is_signal(const std::filesystem::path& file);
    /// WAV, which is nothing else; .csv, .npy and .txt may also be kernels.
    static bool is_sound(const std::filesystem::path& file);

    std::string noun() const override { return "signal"; }
    std::string why_nothing() const override;
    std::string why_no_file() const override;
    void ask_open() override { actions_.open(); }
    void ask_save() override { actions_.save(); }
    void save_again() override;
    void reload() override { signal_.reload(); }
    std::string copy_as_command() const override { return signal_.copy_as_command(); }
    std::string undo_name() const override { return signal_.history().undo_name(); }
    std::string redo_name() const override { return signal_.history().redo_name(); }
    void undo() override { signal_.undo(); }
    void redo() override { signal_.redo(); }
    bool settled() const override { return !signal_.busy(); }
    std::string chip() const override;
    std::string title() const override;

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
