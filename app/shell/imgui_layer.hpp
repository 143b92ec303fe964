#pragma once
// Dear ImGui on a GL context: fonts, style, one frame. Single viewport; every widget reachable from the keyboard.

#include "app/shell/gl_context.hpp"
#include "app/shell/look.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kg::ui {

struct LayerOptions {
    Theme theme = kDark;
    float scale = 0;                  ///< 0 = the screen's
    std::filesystem::path ini_file{}; ///< where ImGui keeps its state; empty = nowhere (tests, headless)
};

class ImGuiLayer {
public:
    /// Makes an ImGui and an ImPlot context current. A font that is not installed is replaced by a plainer one.
    ImGuiLayer(GlContext& context, const LayerOptions& options);
    ImGuiLayer(const ImGuiLayer&) = delete;
    ImGuiLayer& operator=(const ImGuiLayer&) = delete;
    ~ImGuiLayer();

    void begin_frame();
    /// Draws into the context's framebuffer. The caller presents, or takes a screenshot first.
    void end_frame();

    const Look& look() const { return look_; }
    void set_theme(const Theme& theme);
    /// Fonts that were looked for and not found; for the log.
    const std::vector<std::string>& missing_fonts() const { return missing_fonts_; }

private:
    GlContext& context_;
    Look look_;
    std::string ini_file_;
    std::vector<std::string> missing_fonts_;
};

} // namespace kg::ui
