#include "app/shell/playground.hpp"

#include "app/document/engines.hpp"
#include "app/panels/registry.hpp"
#include "app/panels/widgets.hpp"
#include "app/shell/icons.hpp"
#include "app/shell/layout.hpp"
#include "app/shell/loop.hpp"
#include "core/error.hpp"

namespace kg::ui {

namespace {

namespace fs = std::filesystem;

/// The engines one may choose from, the preferred first, and what a person should know about the choice.
struct Engines {
    std::vector<std::shared_ptr<Engine>> all;
    std::shared_ptr<Engine> gpu; ///< null without one
    std::string notice;
};

Engines find_engines(const WindowOptions& options) {
    Engines engines;
    auto choice = choose_engine(options.engine, options.threads, options.device);
    engines.notice = choice.notice;
    const bool on_cpu = choice.engine->device().id == "cpu";
    if (!on_cpu) engines.gpu = choice.engine;
    engines.all.push_back(std::move(choice.engine));
    if (!on_cpu) engines.all.push_back(choose_engine("cpu", options.threads).engine);
    return engines;
}

} // namespace

Playground::Playground(GlContext& context, ImGuiLayer& layer, const WindowOptions& options)
    : context_(context), layer_(layer), panels_(make_panels()) {
    auto engines = find_engines(options);
    const auto wake = [&context] { context.wake(); };
    view_ = std::make_unique<ViewPanel>(
        std::make_shared<display::DisplayRoute>(display::display_mode(options.display), engines.gpu), wake);
    Document::Setup setup;
    setup.engines = std::move(engines.all);
    setup.way = {options.engine == "auto" && options.algorithm.empty() ? std::string()
                                                                       : setup.engines.front()->device().id,
                 options.algorithm};
    setup.wake = wake;
    setup.present = [this](const auto& result) { view_->present(result); };
    document_ = std::make_unique<Document>(std::move(setup));
    if (!engines.notice.empty()) document_->say(Message::Kind::info, engines.notice);
    for (const auto& font : layer.missing_fonts())
        document_->say(Message::Kind::warning, "The font " + font + " is missing; another stands in.");

    const bool sample = options.files.empty();
    if (options.files.size() > 1)
        document_->say(Message::Kind::info, std::to_string(options.files.size()) +
                                                " files were named; this is the first of them.");
    auto recipe = options.recipe; // without steps it may still name a border
    if (sample && !options.has_recipe) recipe.steps.push_back({"gaussian", {{"sigma", "2"}}, {}, true});
    document_->set_recipe(recipe);
    if (sample) {
        document_->view.mode = ViewState::Mode::split;
        document_->open_sample();
    } else {
        document_->open(options.files.front());
    }

    context_.on_drop = [this](std::vector<fs::path> paths) {
        if (!paths.empty()) document_->open(paths.front());
    };
    actions_.open = [this] {
        dialog_.ask_open(document_->picture() && !document_->is_sample()
                             ? document_->picture()->path.parent_path()
                             : fs::current_path());
    };
    actions_.save = [this] {
        const auto& saved = document_->saved_path();
        dialog_.ask_save(saved.empty() ? document_->proposed_path() : saved);
    };
    actions_.copy_command = [this] { copy_command(); };
    actions_.toggle_theme = [this] { set_theme(!dark_); };
    dialog_.prefer_prompt(options.headless);
}

void Playground::copy_command() {
    try {
        ImGui::SetClipboardText(document_->copy_as_command().c_str());
        document_->say(Message::Kind::info, "Copied the command.");
    } catch (const std::exception& error) {
        document_->say(Message::Kind::error, error.what());
    }
}

void Playground::set_theme(bool dark) {
    dark_ = dark;
    layer_.set_theme(dark ? kDark : kLight);
}

void Playground::answer_dialog() {
    const auto answer = dialog_.poll();
    if (!answer || answer->paths.empty()) return;
    switch (answer->purpose) {
    case FileDialog::Purpose::open: document_->open(answer->paths.front()); break;
    case FileDialog::Purpose::save: document_->save(answer->paths.front()); break;
    }
}

void Playground::keys() {
    auto& document = *document_;
    document.view.show_original = false;
    const auto pressed = [](ImGuiKeyChord chord) {
        return ImGui::Shortcut(chord, ImGuiInputFlags_RouteGlobal);
    };
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_O)) actions_.open();
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_S)) {
        // Again: rewrites the export it made. The first time asks where.
        if (document.saved_path().empty()) actions_.save();
        else document.save(document.saved_path());
    }
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_Q)) context_.set_should_close(true);
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_0)) view_->fit();
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_1)) view_->actual_size();
    if (ImGui::GetIO().WantTextInput) return; // what follows belongs to the text field
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_Z)) document.undo();
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_Y) || pressed(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z))
        document.redo();
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_C)) copy_command();
    if (ImGui::IsKeyDown(ImGuiKey_O) && !ImGui::GetIO().KeyCtrl) document.view.show_original = true;
    if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) view_->unpin();
}

void Playground::draw_columns(const LayoutRects& layout) {
    {
        Region left("left", layout.left, RegionStyle::column);
        for (const auto& panel : panels_) {
            if (panel->place() != Place::left) continue;
            ImGui::PushID(panel->id().data());
            panel->draw(*document_);
            ImGui::PopID();
            ImGui::Dummy({0, layer_.look().px(4)});
        }
    }
    if (layout.right.width <= 0) return;
    Region right("right", layout.right, RegionStyle::column);
    if (!ImGui::BeginTabBar("tabs")) return;
    for (const auto& panel : panels_) {
        if (panel->place() != Place::right || !ImGui::BeginTabItem(std::string(panel->title()).c_str()))
            continue;
        panel->draw(*document_);
        ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
}

double Playground::draw() {
    document_->update();
    view_->poll(*document_);
    if (const auto title = document_->title() + (document_->title().empty() ? "" : " - ") + "Kernelglass";
        title != title_)
        context_.set_title(title_ = title);
    keys();

    const auto size = ImGui::GetIO().DisplaySize;
    const auto layout = compute_layout(size.x, size.y, layer_.look().scale, details_shown_);
    {
        Region bar("top bar", layout.top_bar, RegionStyle::bar);
        draw_top_bar(*document_, actions_);
    }
    {
        Region bar("view bar", layout.view_bar, RegionStyle::bar);
        view_->draw_bar(*document_);
        if (layout.right_overlays) {
            ImGui::SameLine();
            if (button("details", icon::kInformation, "Details",
                       "Pixel, kernel and timing, over the picture"))
                details_shown_ = !details_shown_;
        }
    }
    {
        Region picture("view", layout.picture, RegionStyle::picture);
        view_->draw_picture(*document_);
    }
    draw_columns(layout);
    {
        Region bar("status", layout.status, RegionStyle::bar);
        const auto badge = view_->badge();
        draw_status_bar(*document_, {view_->zoom(), badge.text, badge.explanation, badge.warning});
    }
    answer_dialog();
    return FramePacer::kIdleSeconds;
}

} // namespace kg::ui
