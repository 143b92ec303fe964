#include "app/ui/shell/playground.hpp"

#include "app/batch/session/session_text.hpp"
#include "app/ui/panels/registry.hpp"
#include "app/ui/shell/loop.hpp"
#include "app/ui/shell/window_engines.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/layout.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/support/text.hpp"
#include "core/support/thread.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

namespace kg::ui {

namespace fs = std::filesystem;

Playground::Playground(GlContext& context, ImGuiLayer& layer, const WindowOptions& options)
    : context_(context), layer_(layer), panels_(make_panels()), state_file_(options.state_file),
      headless_(options.headless) {
    take_refused_text(); // of an earlier window
    auto engines = window_engines(options);
    const auto wake = [&context] { context.wake(); };
    view_ = std::make_unique<ViewPanel>(
        std::make_shared<display::DisplayRoute>(display::display_mode(options.display), engines.gpu), wake,
        layer.draw_timer());
    if (!state_file_.empty()) {
        last_ = read_last_state(state_file_);
        set_theme(last_.dark);
        arrangement_.restore(last_.own_layout);
        if (std::ranges::find(kScales, last_.scale) != kScales.end()) scale_ = last_.scale;
    }
    kept_choices_ = choices();
    Document::Setup setup;
    setup.engines = std::move(engines.all);
    const auto& wanted = options.engine_options;
    const bool is_free = wanted.engine == "auto" && wanted.algorithm.empty();
    setup.selection = {is_free ? std::string() : engine_with(setup.engines, wanted.algorithm)->device().id,
                       wanted.algorithm};
    setup.wake = wake;
    setup.read = options.read;
    setup.present = [this](const auto& result) { view_->present(result); };
    if (last_.has_recipe) setup.last_recipe = last_.recipe;
    setup.slot = last_.slot;
    setup.preset_folder = options.preset_folder;
    document_ = std::make_unique<Document>(std::move(setup));
    engine_notice_ = engines.notice;
    report_start();
    make_desk(options, engines.options);
    make_bench();
    make_own_desks(engines.options);
    explain_ = std::make_unique<ExplainDesk>(*document_, *view_, options.lesson);

    begin_with(options);
    context_.on_drop = [this](const std::vector<fs::path>& paths) { take_drop(paths); };
    context_.may_close = [this] { return desk_->may_close(); };
    context_.while_hidden = [this] { desk_->follow(); }; // the end of a job may close the window
    dialog_.prefer_prompt(options.headless);
    set_actions();
}

/// Images open in Play or Bench; a folder, and everything dropped with it, becomes the input of Batch. A
/// kernel or a recipe is used, except among the inputs of Batch, which names what is no image. In Bench, JSON
/// files are reports. In Signal, files that have the extension of a signal are signals; WAV files
/// open there from Play, Explain and Bench, too. In Bank, images, arrays and weights open there.
void Playground::take_drop(const std::vector<fs::path>& paths) {
    const auto is_report = [](const fs::path& path) { return path.extension() == ".json"; };
    if (workspace_ == Workspace::bench && std::ranges::all_of(paths, is_report)) {
        for (const auto& path : paths) bench_->open(path);
        return;
    }
    const auto is_signal = [](const fs::path& path) {
        return SignalDesk::is_signal(path) && !is_folder(path);
    };
    const auto is_sound = [&](const fs::path& path) { return is_signal(path) && SignalDesk::is_sound(path); };
    if (paths.empty()) return;
    if (shows_image() && std::ranges::all_of(paths, is_sound)) go_to(Workspace::signal);
    if (workspace_ == Workspace::signal && std::ranges::all_of(paths, is_signal)) return signal_->take(paths);
    const auto is_of_bank = [](const fs::path& path) { return BankDesk::is_input(path) && !is_folder(path); };
    if (workspace_ == Workspace::bank && std::ranges::all_of(paths, is_of_bank)) return bank_->take(paths);
    const auto is_recipe = [](const fs::path& path) { return is_recipe_file(path) && !is_folder(path); };
    const bool only_recipes = std::ranges::all_of(paths, is_recipe);
    if (workspace_ == Workspace::explain || own_desk()) go_to(Workspace::play);
    if (!only_recipes && (workspace_ == Workspace::batch || std::ranges::any_of(paths, is_folder))) {
        note_recent_files(paths);
        go_to(Workspace::batch);
        return desk_->take(paths);
    }
    std::vector<fs::path> images;
    for (const auto& path : paths)
        if (is_recipe(path)) document_->read_kernel(path);
        else images.push_back(path);
    note_recent_files(images);
    document_->add(images);
}

/// What the start has to report, beside errors.
void Playground::report_start() {
    for (const auto& problem : document_->presets().problems())
        document_->report(Message::Kind::warning, problem);
    for (const auto& font : layer_.missing_fonts())
        document_->report(Message::Kind::warning,
                          Error("missing-font", "The font {} is missing; a fallback is used.", font));
}

/// Images, recipes, workspace and pixel of the start.
void Playground::begin_with(const WindowOptions& options) {
    auto* const own = own_desk(options.workspace);
    std::vector<fs::path> images;
    if (!own)
        std::ranges::copy_if(options.files, std::back_inserter(images),
                             [](const fs::path& path) { return !is_folder(path); });
    note_recent_files(images);
    const bool sample = options.files.empty() || own;
    auto recipe = options.recipe; // without steps it may still set a border
    if (sample && options.recipe == Recipe() && last_.has_recipe) recipe = last_.recipe;
    else if (sample && !options.has_recipe) recipe.steps.push_back({"gaussian", {{"sigma", "2"}}, {}, true});
    for (std::size_t i = 0; i < kRecipeSlots; ++i) document_->park_recipe(i, last_.others[i]);
    document_->set_recipe(recipe);
    own_recipes_ = document_->slots();
    if (sample) {
        document_->view.mode = ViewState::Mode::split;
        document_->open_sample();
        if (!options.has_recipe && !last_.welcomed) first_steps_.offer();
    } else if (images.empty()) {
        document_->open_sample(); // until the folder's first image is known
    } else {
        document_->open(images);
    }
    if (options.workspace == Workspace::explain || options.workspace == Workspace::bench)
        go_to(options.workspace);
    if (options.workspace == Workspace::batch) {
        go_to(Workspace::batch);
        if (!sample) desk_->take(options.files);
    }
    if (own) {
        own->take(options.files); // before the workspace opens the sample, which a refused file does not need
        go_to(options.workspace);
        if (!options.preset.empty()) {
            if (options.workspace == Workspace::signal) signal_->signal().use_preset(options.preset);
            else bank_->bank().use_preset(options.preset);
        }
    }
    if (options.pin) {
        view_->pin(*options.pin);
        show_panel("pixel");
    }
}

void Playground::make_desk(const WindowOptions& options, const EngineOptions& engines) {
    BatchActions actions;
    actions.wake = [&context = context_] { context.wake(); };
    actions.ask_for_attention = [this] { context_.request_attention(); };
    actions.close_window = [this] { context_.set_should_close(true); };
    const auto ask_folder = [this](FileDialog::Purpose purpose, const fs::path& chosen) {
        dialog_.ask_folder(purpose, chosen.empty() ? document_->proposed_path().parent_path() : chosen);
    };
    actions.choose_inputs = [this, ask_folder] {
        const auto& inputs = desk_->session().settings().inputs;
        ask_folder(FileDialog::Purpose::inputs, inputs.empty() ? fs::path() : inputs.front());
    };
    actions.choose_output = [this, ask_folder] {
        ask_folder(FileDialog::Purpose::output, desk_->session().settings().out);
    };
    actions.show_folder = [this](const fs::path& folder) { show_folder(folder); };
    actions.edit_recipe = [this] { go_to(Workspace::play); };
    // Without go_to(), which would show the folder's first image.
    actions.open = [this](const fs::path& image) {
        document_->add({image});
        workspace_ = Workspace::play;
    };
    actions.compare = [this](const fs::path& image, const fs::path& result, const Recipe& recipe) {
        std::error_code ignored;
        document_->compare(image, fs::exists(result, ignored) ? result : fs::path(), recipe);
        workspace_ = Workspace::play;
    };
    desk_ = std::make_unique<BatchDesk>(*document_, options, engines, std::move(actions));
}

void Playground::make_bench() {
    const auto folder = [this] { return document_->proposed_path().parent_path(); };
    BenchActions actions;
    actions.wake = [&context = context_] { context.wake(); };
    actions.open_report = [this, folder] { dialog_.ask_open(folder(), FileDialog::Purpose::open_report); };
    actions.save_report = [this, folder] {
        dialog_.ask_save_text(folder() / "kernelglass-bench.html", replaces_,
                              FileDialog::Purpose::save_report);
    };
    actions.show_pixel = [this](std::int64_t x, std::int64_t y) {
        go_to(Workspace::play);
        view_->actual_size();
        view_->pin({x, y});
    };
    bench_ = std::make_unique<BenchDesk>(*document_, std::move(actions));
}

void Playground::make_own_desks(const EngineOptions& engines) {
    const auto wake = [&context = context_] { context.wake(); };
    signal_ = std::make_unique<SignalDesk>(
        *document_, SignalDocument::Setup{.engines = engines, .wake = wake},
        SignalActions{.open = [this] { ask_open_signal(); }, .save = [this] { ask_save_signal(); }});
    bank_ = std::make_unique<BankDesk>(*document_, BankDocument::Setup{.engines = engines, .wake = wake},
                                       BankActions{.open = [this] { ask_open_bank(); },
                                                   .open_weights =
                                                       [this] {
                                                           dialog_.ask_open(
                                                               bank_->bank().proposed_path().parent_path(),
                                                               FileDialog::Purpose::open_weights);
                                                       },
                                                   .save = [this] { ask_save_bank(); }});
}

void Playground::go_to(Workspace workspace) {
    if (workspace != Workspace::explain) {
        explain_->leave();
        presents_ = false;
    }
    if (std::exchange(workspace_, workspace) != workspace) document_->pass_messages();
    if (workspace == Workspace::play) desk_->show_one_in_play();
    if (workspace == Workspace::explain) explain_->enter();
    if (auto* const own = own_desk()) own->enter();
}

/// Closes the window; a running batch asks first.
void Playground::close() {
    if (desk_->may_close()) context_.set_should_close(true);
}

bool Playground::fits(int scale) const {
    const auto size = ImGui::GetIO().DisplaySize;
    const float factor = layer_.look().scale / zoom_ * static_cast<float>(scale) / 100;
    return size.x >= static_cast<float>(kSmallestWindow.width) * factor &&
           size.y >= static_cast<float>(kSmallestWindow.height) * factor;
}

/// At the begin of a frame: sizes that widgets have pushed would be restored over new ones.
void Playground::apply_zoom() {
    constexpr float kPresented = 1.5f;
    const float wanted = static_cast<float>(scale_) / 100 * (is_presenting() ? kPresented : 1);
    if (std::exchange(zoom_, wanted) != wanted) layer_.set_zoom(wanted);
}

void Playground::remember() const {
    if (state_file_.empty()) return;
    auto state = last_;
    keep_recipes(workspace_ == Workspace::explain ? own_recipes_ : document_->slots(), state);
    state.welcomed = true;
    state.dark = dark_;
    state.scale = scale_;
    state.own_layout = arrangement_.is_own();
    if (const auto place = context_.place()) state.place = place;
    try {
        write_last_state(state_file_, state);
    } catch (const Error&) { // a full disk is not a failure of the program
    }
}

/// Writes the state a moment after the latest call.
void Playground::remember_soon() {
    constexpr double kPause = 2; // seconds
    remember_at_ = ImGui::GetTime() + kPause;
}

/// Writes the state a moment after the last edit or choice, so that a crash loses neither. Recipes of lessons
/// do not count.
void Playground::remember_edits() {
    if (std::exchange(kept_choices_, choices()) != choices()) remember_soon();
    if (workspace_ != Workspace::explain && !document_->has_slots(own_recipes_)) {
        own_recipes_ = document_->slots();
        remember_soon();
    }
    if (ImGui::GetTime() < remember_at_) return;
    remember_at_ = std::numeric_limits<double>::infinity();
    remember();
}

void Playground::copy_command() {
    try {
        const auto* const own = own_desk();
        const auto line = own             ? own->copy_as_command()
                          : shows_image() ? document_->copy_as_command()
                                          : desk_->copy_as_command();
        ImGui::SetClipboardText(line.c_str());
        document_->report(Message::Kind::info, "Copied the command.");
    } catch (const std::exception& error) {
        document_->report(as_error(error));
    }
}

void Playground::set_theme(bool dark) {
    dark_ = dark;
    layer_.set_theme(dark ? kDark : kLight);
}

/// Time until a change without an event: overlays, the blinking text cursor, the answer of a desktop dialog.
double Playground::next_change() const {
    constexpr double kBlink = 0.4, kAnswer = 0.1;
    double next = std::min({view_->next_change(*document_), desk_->next_change(), bench_->next_change()});
    if (const auto* own = own_desk()) next = std::min(next, own->next_change());
    if (ImGui::GetIO().WantTextInput) next = std::min(next, kBlink);
    if (dialog_.is_open()) next = std::min(next, kAnswer);
    return std::min(next, remember_at_ - ImGui::GetTime());
}

/// Adds the times of frames that have been drawn since the last call.
void Playground::take_times() {
    auto& timings = document_->timings();
    if (const auto frame = layer_.take_frame()) timings.drawn(frame->serial, frame->drawn, frame->cpu_us);
    while (const auto drawn = layer_.draw_timer().take())
        timings.add(TimingRow::draw, drawn->serial, drawn->microseconds);
}

double Playground::draw() {
    apply_zoom();
    take_times();
    document_->update();
    forget_recent_files(document_->take_unreadable());
    if (view_->poll(*document_) && document_->result()) layer_.time_frame(document_->result()->stamp);
    const auto* const own = own_desk();
    const auto what = own             ? own->title()
                      : shows_image() ? document_->title()
                                      : batch::inputs_text(desk_->session().settings());
    if (const auto title = what + (what.empty() ? "" : " - ") + "Kernelglass"; title != title_)
        context_.set_title(title_ = title);
    desk_->follow();
    bench_->follow();
    signal_->follow();
    bank_->follow();
    follow_clipboard();
    if (document_->take_wanted_bench()) go_to(Workspace::bench);
    if (workspace_ == Workspace::explain) explain_->follow();
    keys();
    if (is_presenting()) draw_presentation();
    else draw_workspace();
    keys_after_panels();
    report_refused_text();
    palette_.draw(actions_);
    shortcuts_.draw(actions_);
    if (preset_dialog_.draw(*document_)) set_actions(); // the palette offers presets
    numbers_.draw(*document_);
    desk_->draw_question();
    answer_dialog();
    remember_edits();
    had_popup_ = any_popup();
    return next_change();
}

void Playground::report_refused_text() {
    if (const auto text = take_refused_text())
        document_->report(
            Message::Kind::warning,
            Error("not-a-number",
                  "{} is not a number: the field keeps its value. Type one such as 2, -0.5, 1e-3 "
                  "or 1/9",
                  in_quotes(*text)));
}

/// The bars, and between them the workspace.
void Playground::draw_workspace() {
    const auto size = ImGui::GetIO().DisplaySize;
    const bool film = workspace_ == Workspace::play && document_->film().size() > 1;
    const auto layout = compute_layout(size.x, size.y, layer_.look().scale, details_shown_, film);
    auto* const own = own_desk();
    {
        Region bar("top bar", layout.top_bar, RegionStyle::bar);
        draw_top_bar(*document_, actions_,
                     {workspace_, own ? own->title() : batch::inputs_text(desk_->session().settings()),
                      batch::running_text(desk_->session()), bench_->chip(), last_.recent_files,
                      [this](const fs::path& file) { open_images({file}); }, engine_notice_,
                      own ? own->chip() : std::string(), own ? own->chip_help() : std::string()});
    }
    if (workspace_ == Workspace::play) draw_play(layout);
    else if (workspace_ == Workspace::explain) draw_explain(explain_->layout(layout));
    else if (workspace_ == Workspace::bench) bench_->draw(*view_, panels_, layout, details_shown_);
    else if (own) own->draw(*view_, layout);
    else desk_->draw(*view_, layout, details_shown_);
    Region bar("status", layout.status, RegionStyle::bar);
    const auto badge = view_->badge();
    // Bench has an image, but no view whose zoom could be named.
    const bool has_view = shows_image() && workspace_ != Workspace::bench;
    draw_status_bar(*document_, {has_view, view_->zoom(), badge.text, badge.explanation, badge.warning,
                                 std::exchange(opens_log_, false)});
}

void Playground::draw_play(LayoutRects layout) {
    layout = arrangement_.draw(*document_, panels_, layout);
    draw_view(layout);
    if (layout.film.height > 0) {
        Region strip("film", layout.film, RegionStyle::strip);
        filmstrip_.draw(*document_, [this] {
            std::vector<fs::path> all;
            for (const auto& image : document_->film()) all.push_back(image.path);
            go_to(Workspace::batch);
            desk_->take(all);
        });
    }
    auto uncovered = layout.image;
    if (layout.right_overlays) uncovered.width -= layout.right.width;
    first_steps_.draw(*document_, uncovered);
}

void Playground::draw_explain(LayoutRects layout) {
    {
        Region lesson("lesson", layout.left, RegionStyle::column);
        explain_->draw_lesson(panels_, [this] { presents_ = true; });
    }
    if (layout.right.width > 0) {
        Region right("lesson panel", layout.right, RegionStyle::column);
        explain_->draw_panel(panels_);
    }
    draw_view(layout);
}

/// The bar above the image, and the image.
void Playground::draw_view(const LayoutRects& layout) {
    {
        Region bar("view bar", layout.view_bar, RegionStyle::bar);
        const char* const details = "Details";
        const auto& style = ImGui::GetStyle();
        const float width =
            ImGui::CalcTextSize((std::string(icon::kInformation) + "  " + details).c_str()).x +
            2 * style.FramePadding.x + style.ItemSpacing.x;
        view_->draw_bar(*document_, layout.right_overlays ? width : 0);
        if (layout.right_overlays) {
            ImGui::SameLine();
            if (button("details", icon::kInformation, details,
                       "Presets, pixel, kernel and timing, over the image"))
                details_shown_ = !details_shown_;
        }
    }
    draw_image(layout);
}

void Playground::draw_image(const LayoutRects& layout) {
    Region image("view", layout.image, RegionStyle::image);
    view_->draw_image(*document_, layout.right_overlays ? layout.right.width : 0, is_presenting());
}

/// The image with the page's title below, and the panel alone.
void Playground::draw_presentation() {
    const auto size = ImGui::GetIO().DisplaySize;
    LayoutRects layout;
    const float width = explain_->panel_width(size.x);
    constexpr float kCaption = 44; // the page's title and the buttons to turn pages
    const float caption = layer_.look().px(kCaption);
    layout.right = {size.x - width, 0, width, size.y};
    layout.image = {0, 0, size.x - width, size.y - caption};
    {
        Region page("lesson page", {0, size.y - caption, size.x - width, caption}, RegionStyle::bar);
        explain_->draw_caption();
    }
    {
        Region right("lesson panel", layout.right, RegionStyle::column);
        explain_->draw_panel(panels_);
    }
    draw_image(layout);
}

} // namespace kg::ui
