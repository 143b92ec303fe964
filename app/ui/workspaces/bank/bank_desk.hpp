#pragma once
// The workspace Bank: a document, its panels, and its place in the window.

#include "app/ui/workspaces/bank/bank_maps.hpp"
#include "app/ui/workspaces/bank/bank_settings.hpp"
#include "app/ui/workspaces/document_desk.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <utility>

namespace kg::ui {

class BankDesk final : public DocumentDesk<BankDocument, BankActions> {
public:
    /// `document` receives what is to be reported.
    BankDesk(Document& document, BankDocument::Setup setup, BankActions actions)
        : DocumentDesk(document, std::move(setup), std::move(actions), "image") {}

    void draw(ViewPanel& view, const LayoutRects& layout) override;
    /// Images of one size, or an array; a file of safetensors is weights.
    void take(std::span<const std::filesystem::path> files) override;
    std::string noun() const override { return "maps"; }

    /// Whether a file of this name is an image, an array or weights.
    static bool is_input(const std::filesystem::path& file);
    BankDocument& bank() { return own(); }
    const BankDocument& bank() const { return own(); }
    const BankMaps& maps() const { return maps_; }

private:
    BankSettings settings_;
    BankMaps maps_;
};

} // namespace kg::ui
