#pragma once
// The workspace Bank: a document, its panels, and its place in the window.

#include "app/ui/workspaces/bank/bank_maps.hpp"
#include "app/ui/workspaces/bank/bank_settings.hpp"
#include "app/ui/workspaces/own_desk.hpp"

namespace kg::ui {

class BankDesk final : public OwnDesk {
public:
    /// `document` receives what is to be reported.
    BankDesk(Document& document, BankDocument::Setup setup, BankActions actions);

    void enter() override;
    void follow() override;
    void draw(ViewPanel& view, const LayoutRects& layout) override;
    /// Images of one size, or an array; a file of safetensors is weights.
    void take(std::span<const std::filesystem::path> files) override;

    std::string noun() const override { return "maps"; }
    std::string why_nothing() const override;
    std::string why_no_file() const override;
    void ask_open() override { actions_.open(); }
    void ask_save() override { actions_.save(); }
    void save_again() override;
    void reload() override { bank_.reload(); }
    std::string copy_as_command() const override { return bank_.copy_as_command(); }
    std::string undo_name() const override { return bank_.history().undo_name(); }
    std::string redo_name() const override { return bank_.history().redo_name(); }
    void undo() override { bank_.undo(); }
    void redo() override { bank_.redo(); }
    bool settled() const override { return !bank_.busy(); }
    std::string title() const override;
    std::string chip() const override;

    /// Whether a file of this name is an image, an array or weights.
    static bool is_input(const std::filesystem::path& file);
    const BankActions& actions() const { return actions_; }
    BankDocument& bank() { return bank_; }
    const BankDocument& bank() const { return bank_; }

private:
    Document& document_;
    BankActions actions_;
    BankMaps maps_;
    BankDocument bank_; ///< last: its threads end first
};

} // namespace kg::ui
