#include "app/ui/shell/fonts.hpp"

#include <imgui_freetype.h>

#include <filesystem>
#include <initializer_list>

namespace kg::ui {

namespace {

using Paths = std::initializer_list<const char*>;

constexpr Paths kInter{"/usr/share/fonts/opentype/inter/Inter-Regular.otf",
                       "/usr/share/fonts/truetype/inter/Inter-Regular.ttf",
                       "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"};
constexpr Paths kInterSemibold{"/usr/share/fonts/opentype/inter/Inter-SemiBold.otf",
                               "/usr/share/fonts/truetype/inter/Inter-SemiBold.ttf",
                               "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"};
constexpr Paths kMono{"/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf",
                      "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"};
constexpr Paths kIcons{
    "/usr/share/fonts/truetype/materialdesignicons-webfont/materialdesignicons-webfont.ttf"};
constexpr Paths kCjk{"/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
                     "/usr/share/fonts/truetype/droid/DroidSansFallback.ttf"};

/// Sizes are relative to the font merged into; 17 is the size of body text (look.cpp).
constexpr float kReference = 17, kIconSize = 19, kIconDrop = 2;

ImFontConfig settings() {
    ImFontConfig config;
    config.FontLoaderFlags = ImGuiFreeTypeLoaderFlags_LightHinting;
    return config;
}

/// Null if none of the paths exists.
ImFont* add(const Paths& paths, float size, ImFontConfig config) {
    for (const char* path : paths)
        if (std::error_code error; std::filesystem::exists(path, error))
            return ImGui::GetIO().Fonts->AddFontFromFileTTF(path, size, &config);
    return nullptr;
}

ImFont* add_or_default(const Paths& paths, const char* name, std::vector<std::string>& missing) {
    if (auto* font = add(paths, kReference, settings())) return font;
    missing.emplace_back(name);
    return ImGui::GetIO().Fonts->AddFontDefault();
}

/// Merges into the font added last.
void merge(const Paths& paths, float size, float drop, const char* name, std::vector<std::string>& missing) {
    auto config = settings();
    config.MergeMode = true;
    config.GlyphOffset.y = drop;
    if (!add(paths, size, config)) missing.emplace_back(name);
}

} // namespace

std::vector<std::string> load_fonts(Look& look) {
    std::vector<std::string> missing;
    look.body = add_or_default(kInter, "Inter", missing);
    merge(kIcons, kIconSize, kIconDrop, "Material Design Icons", missing);
    merge(kCjk, kReference, 0, "Droid Sans Fallback", missing);
    look.semibold = add_or_default(kInterSemibold, "Inter SemiBold", missing);
    look.mono = add_or_default(kMono, "JetBrains Mono", missing);
    return missing;
}

} // namespace kg::ui
