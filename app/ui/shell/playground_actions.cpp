// The table of all actions of the window: what menus, keys, the palette and the page of shortcuts offer.

#include "app/ui/shell/playground.hpp"

#include "app/batch/session/session_text.hpp"
#include "app/process/image/teaching_image.hpp"
#include "core/support/text.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace kg::ui {

std::string Playground::why_no_image() const {
    return reason_unless(shows_image(), "It is for the workspaces Play, Explain and Bench");
}

void Playground::set_actions() {
    actions_ = {};
    add_file_actions();
    add_sample_actions();
    add_saving_actions();
    add_clipboard_actions();
    add_recipe_actions();
    add_filter_actions();
    add_setting_actions();
    add_view_actions();
    add_image_actions();
    add_view_only_actions();
    add_shown_steps_action();
    add_workspace_actions();
    add_panel_actions();
    add_window_actions();
    add_scale_actions();
    add_lesson_actions();
    add_bench_actions();
    add_batch_actions();
    add_signal_actions();
    add_bank_actions();
}

void Playground::add_file_actions() {
    const auto add = [this](Action action) {
        action.group = ActionGroup::file;
        actions_.add(std::move(action));
    };
    add({.id = "open",
         .title = "Open...",
         .tooltip =
             "Open images, in Batch a folder, in Signal a signal, in Bank images or an array; or drop them "
             "onto the window",
         .keys = {kCtrl | ImGuiKey_O},
         .route = KeyRoute::always,
         .run = [this] { ask_open(); }});
    add({.id = "reload",
         .title = "Reload",
         .tooltip = "Read the image, the signal or the array again, or in Batch the list of images",
         .keys = {ImGuiKey_F5},
         .route = KeyRoute::always,
         .why_not =
             [this] {
                 if (const auto* const own = own_desk()) return own->why_no_file();
                 if (!shows_image())
                     return reason_unless(!desk_->session().settings().inputs.empty(), "No folder is chosen");
                 return reason_unless(!document_->film().empty(), "The image is not of a file");
             },
         .run =
             [this] {
                 if (auto* const own = own_desk()) own->reload();
                 else if (shows_image()) document_->show(document_->film_place());
                 else desk_->rescan();
             }});
    add_page_action("next_image_page", "Next page of the image", 1, kCtrl | ImGuiKey_PageDown);
    add_page_action("previous_image_page", "Previous page of the image", -1, kCtrl | ImGuiKey_PageUp);
    add({.id = "close_image",
         .title = "Close image",
         .tooltip = "Close the shown one of several images; its file stays",
         .keys = {kCtrl | ImGuiKey_W},
         .route = KeyRoute::always,
         .why_not =
             [this] {
                 if (!shows_image()) return why_no_image();
                 return reason_unless(document_->film().size() > 1, "The last image stays open");
             },
         .run = [this] { document_->close(document_->film_place()); }});
    add({.id = "quit",
         .title = "Quit",
         .tooltip = "Close the window; a running batch asks first",
         .keys = {kCtrl | ImGuiKey_Q},
         .route = KeyRoute::elsewhere, // it also counts while a dialog is open
         .run = [this] { close(); }});
}

void Playground::add_page_action(std::string id, std::string title, int by, ImGuiKeyChord key) {
    actions_.add({.id = std::move(id),
                  .group = ActionGroup::file,
                  .title = std::move(title),
                  .tooltip = "Show another page of a file that has several, such as a TIFF; the recipe stays",
                  .keys = {key},
                  .route = KeyRoute::always,
                  .why_not =
                      [this, by] {
                          if (!shows_image() || workspace_ == Workspace::explain)
                              return std::string("It is for the workspaces Play and Bench");
                          const auto& image = document_->image();
                          if (!image || image->pages < 2) return std::string("The file has one page");
                          const int page = image->page + by;
                          return reason_unless(page >= 1 && page <= image->pages,
                                               by > 0 ? "This is the last page" : "This is the first page");
                      },
                  .run = [this, by] { document_->show_page(document_->image()->page + by); }});
}

void Playground::add_sample_actions() {
    const auto add = [this](std::string id, std::string title, std::string tooltip,
                            std::function<void()> open) {
        actions_.add(
            {.id = std::move(id),
             .group = ActionGroup::file,
             .title = std::move(title),
             .tooltip = std::move(tooltip),
             .why_not =
                 [this] { return reason_unless(edits_recipe(), "It is for the workspaces Play and Bench"); },
             .run =
                 [this, open = std::move(open)] {
                     open();
                     view_->fit();
                 }});
    };
    add("sample", "Sample image", "The generated image of the first start, in colour",
        [this] { document_->open_sample(); });
    for (const auto& image : teaching_images())
        add("sample_" + std::string(image.id), "Sample: " + std::string(image.title),
            "Grey, " + std::string(image.summary), [this, &image] {
                document_->open_unsaved(std::make_shared<const LoadedImage>(LoadedImage{image.make(), {}}),
                                        "Sample: " + std::string(image.title));
            });
    add("sample_numbers", "Sample: numbers...",
        "An image of 8 x 8 pixels whose samples are edited as numbers",
        [this] { numbers_.open(*document_); });
}

void Playground::add_saving_actions() {
    const auto add = [this](Action action) {
        action.group = ActionGroup::file;
        actions_.add(std::move(action));
    };
    const auto no_image = [this] {
        if (const auto* const own = own_desk()) return own->why_nothing();
        return shows_image() ? reason_unless(document_->image() != nullptr, "No image is open")
                             : why_no_image();
    };
    add({.id = "save_again",
         .title = "Save",
         .tooltip = "Write the result to its file again; the first time asks for a name",
         .keys = {kCtrl | ImGuiKey_S},
         .route = KeyRoute::always,
         .why_not = no_image,
         .run = [this] {
             if (auto* const own = own_desk()) own->save_again();
             else if (document_->saved_path().empty()) ask_save();
             else document_->save(document_->saved_path());
         }});
    add({.id = "save",
         .title = "Save image...",
         .tooltip = "Compute in full and write to a file",
         .keys = {kCtrlShift | ImGuiKey_S},
         .route = KeyRoute::always,
         .why_not = no_image,
         .run = [this] { ask_save(); },
         .current_title =
             [this] {
                 const auto* const own = own_desk();
                 return "Save " + (own ? own->noun() : "image") + "...";
             }});
}

void Playground::add_recipe_actions() {
    const auto add = [this](Action action) {
        action.group = ActionGroup::recipe;
        actions_.add(std::move(action));
    };
    const auto in_slot = [this] { return " in recipe " + std::string(kSlotNames[document_->slot()]); };
    // In a workspace with a document of its own of that, else of the recipe.
    const auto undo_name = [this] {
        const auto* const own = own_desk();
        return own ? own->undo_name() : document_->history().undo_name();
    };
    const auto redo_name = [this] {
        const auto* const own = own_desk();
        return own ? own->redo_name() : document_->history().redo_name();
    };
    const auto where = [this, in_slot] { return own_desk() ? std::string() : in_slot(); };
    add({.id = "undo",
         .title = "Undo",
         .tooltip = "Undo the latest edit of the shown recipe, signal or bank",
         .keys = {kCtrl | ImGuiKey_Z},
         .why_not = [undo_name] { return reason_unless(!undo_name().empty(), "Nothing to undo"); },
         .run =
             [this] {
                 if (auto* const own = own_desk()) own->undo();
                 else document_->undo();
             },
         .current_title =
             [undo_name, where] {
                 const auto name = undo_name();
                 return name.empty() ? "Undo" : "Undo: " + name + where();
             }});
    add({.id = "redo",
         .title = "Redo",
         .tooltip = "Apply the undone edit again",
         .keys = {kCtrl | ImGuiKey_Y, kCtrlShift | ImGuiKey_Z},
         .why_not = [redo_name] { return reason_unless(!redo_name().empty(), "Nothing to redo"); },
         .run =
             [this] {
                 if (auto* const own = own_desk()) own->redo();
                 else document_->redo();
             },
         .current_title =
             [redo_name, where] {
                 const auto name = redo_name();
                 return name.empty() ? "Redo" : "Redo: " + name + where();
             }});
    for (std::size_t i = 0; i < kRecipeSlots; ++i) add_slot_actions(i);
    add({.id = "last_recipe",
         .title = "Use the last recipe",
         .tooltip = "Apply the recipe and output settings of the last time",
         .why_not =
             [this] {
                 const auto& last = document_->last_recipe();
                 return reason_unless(last && *last != document_->recipe(),
                                      last ? "It is in use" : "None is known");
             },
         .run = [this] { document_->use_last_recipe(); }});
    add({.id = "image_recipe",
         .title = "Use the image's recipe",
         .tooltip = "Apply the recipe and output settings that the open image was made with",
         .why_not =
             [this] {
                 const auto& made = document_->image_recipe();
                 return reason_unless(made && *made != document_->recipe(),
                                      made ? "It is in use" : "The image has none");
             },
         .run = [this] { document_->use_image_recipe(); }});
    add({.id = "save_preset",
         .title = "Save recipe as preset...",
         .tooltip = "Keep this recipe and its settings under a name",
         .why_not =
             [this] {
                 if (!document_->presets().can_save()) return std::string("There is no folder for presets");
                 return reason_unless(!document_->recipe().steps.empty(), "The recipe has no step");
             },
         .run = [this] { document_->presets().ask({}); }});
}

void Playground::add_slot_actions(std::size_t slot) {
    const std::string name(kSlotNames[slot]), lower = lower_case(name);
    const auto why_not = [this, slot] {
        if (!edits_recipe()) return std::string("It is for the workspaces Play and Bench");
        return reason_unless(slot != document_->slot(), "It is shown");
    };
    actions_.add({.id = "recipe_" + lower,
                  .group = ActionGroup::recipe,
                  .title = "Show recipe " + name,
                  .tooltip = "Show and edit another of three recipes",
                  .keys = {ImGuiMod_Alt | static_cast<ImGuiKey>(ImGuiKey_1 + static_cast<int>(slot))},
                  .route = KeyRoute::not_editing,
                  .why_not = why_not,
                  .run = [this, slot] { document_->show_slot(slot); }});
    actions_.add({.id = "copy_to_" + lower,
                  .group = ActionGroup::recipe,
                  .title = "Copy the recipe to " + name,
                  .tooltip = "Replace the recipe there by the shown one",
                  .why_not = why_not,
                  .run = [this, slot] { document_->copy_slot(slot); }});
}

/// For the palette: every filter and every preset by its name.
void Playground::add_filter_actions() {
    const auto why_not = [this] { return why_no_image(); };
    for (const auto* filter : filters())
        actions_.add({.id = "add_" + std::string(filter->id),
                      .group = ActionGroup::recipe,
                      .title = "Add " + std::string(filter->title),
                      .tooltip = std::string(filter->summary),
                      .why_not = why_not,
                      .run = [this, filter] { document_->add_step(filter->id); }});
    const auto& list = document_->presets();
    for (std::size_t i = 0; i < list.size(); ++i)
        actions_.add({.id = "preset_" + list[i].id,
                      .group = ActionGroup::recipe,
                      .title = (list.is_own(i) ? "Own preset " : "Preset ") + list[i].title,
                      .tooltip = list[i].summary,
                      .why_not = why_not,
                      .run = [this, i] {
                          document_->use_preset(document_->presets()[i], Document::PresetUse::append);
                      }});
}

void Playground::add_lesson_actions() {
    const auto add = [this](const char* id, const char* title, ImGuiKey key, int by) {
        actions_.add({.id = id,
                      .group = ActionGroup::lesson,
                      .title = title,
                      .tooltip = "Turn the pages of the lesson, then open the next lesson",
                      .keys = {key},
                      .route = KeyRoute::unclaimed,
                      .why_not =
                          [this, by] {
                              if (workspace_ != Workspace::explain)
                                  return std::string("It is for the workspace Explain");
                              return reason_unless(explain_->can_turn(by), "There is none");
                          },
                      .run = [this, by] { explain_->turn(by); }});
    };
    actions_.add({.id = "present",
                  .group = ActionGroup::lesson,
                  .title = "Present",
                  .tooltip = "Image and panel alone, and larger; Escape ends it",
                  .keys = {ImGuiKey_F11},
                  .why_not =
                      [this] {
                          return reason_unless(workspace_ == Workspace::explain,
                                               "It is for the workspace Explain");
                      },
                  .run = [this] { presents_ = !presents_; }});
    add("next_page", "Next page", ImGuiKey_PageDown, 1);
    add("previous_page", "Previous page", ImGuiKey_PageUp, -1);
}

void Playground::add_bench_actions() {
    const auto add = [this](const char* id, const char* title, const char* tooltip, ImGuiKey key,
                            std::function<std::string()> why_not, std::function<void()> run) {
        actions_.add({.id = id,
                      .group = ActionGroup::bench,
                      .title = title,
                      .tooltip = tooltip,
                      .keys = {ImGuiMod_Ctrl | key},
                      .route = KeyRoute::unclaimed,
                      .why_not =
                          [this, why_not = std::move(why_not)] {
                              return workspace_ == Workspace::bench
                                         ? why_not()
                                         : std::string("It is for the workspace Bench");
                          },
                      .run = std::move(run)});
    };
    const auto why_not = [this] {
        return bench_->session().running() ? std::string("A benchmark is running") : bench_->why_not();
    };
    add("measure", "Measure", "Verify and time every algorithm on this image", ImGuiKey_Enter, why_not,
        [this] { bench_->measure(); });
    add("measure_sizes", "Measure over kernel sizes", "Time the algorithms at several kernel sizes",
        ImGuiKey_K, why_not, [this] { bench_->measure_sizes(); });
    add(
        "export_report", "Export the report...", "Write the report shown to a file", ImGuiKey_E,
        [this] { return reason_unless(bench_->reports().shown() != nullptr, "There is no report yet"); },
        [this] { bench_->actions().save_report(); });
}

void Playground::add_batch_actions() {
    using State = batch::BatchProgress::State;
    const auto add = [this](Action action) {
        action.group = ActionGroup::batch;
        action.why_not = [this, why_not = action.why_not] {
            return workspace_ == Workspace::batch ? why_not() : std::string("It is for the workspace Batch");
        };
        actions_.add(std::move(action));
    };
    const auto state = [this] { return desk_->session().work()->state; };
    const auto why_idle = [state] {
        if (state() == State::stopping) return std::string("It is stopping");
        return reason_unless(state() == State::running || state() == State::paused, "No batch is running");
    };
    add({.id = "preview",
         .title = "Preview some images",
         .tooltip = "Filter a sample of the images and show them; nothing is written",
         .keys = {kCtrl | ImGuiKey_T},
         .route = KeyRoute::unclaimed,
         .why_not = [this] { return batch::why_no_preview(desk_->session()); },
         .run = [this] { desk_->actions().preview_some(); }});
    add({.id = "start",
         .title = "Filter all images",
         .tooltip = "Start; the recipe and all settings are locked until the end",
         .keys = {kCtrl | ImGuiKey_Enter},
         .route = KeyRoute::unclaimed,
         .why_not = [this] { return batch::why_no_start(desk_->session()); },
         .run = [this] { desk_->actions().start(); }});
    add({.id = "pause",
         .title = "Pause or resume",
         .tooltip = "Finish the current images, then wait",
         .why_not = why_idle,
         .run = [this, state] { desk_->pause(state() != State::paused); }});
    add({.id = "open_folder",
         .title = "Open the output folder",
         .tooltip = kOpenFolderHelp,
         .why_not =
             [this] {
                 return reason_unless(is_folder(desk_->session().settings().out), "It does not exist yet");
             },
         .run = [this] { show_folder(desk_->session().settings().out); }});
    add({.id = "stop",
         .title = "Stop after current images",
         .tooltip = "Starting the same batch again resumes it",
         .why_not = why_idle,
         .run = [this] { desk_->stop(); }});
}

/// For the palette: the sample, and every preset by its name.
void Playground::add_signal_actions() {
    const auto add = [this](std::string id, std::string title, std::string tooltip,
                            std::function<std::string()> why_not, std::function<void()> run) {
        actions_.add({.id = std::move(id),
                      .group = ActionGroup::signal,
                      .title = std::move(title),
                      .tooltip = std::move(tooltip),
                      .why_not =
                          [this, why_not = std::move(why_not)] {
                              return workspace_ == Workspace::signal
                                         ? why_not()
                                         : std::string("It is for the workspace Signal");
                          },
                      .run = std::move(run)});
    };
    add(
        "sample_signal", "Sample signal", "A chirp with two tones and noise, 2 s at 44.1 kHz",
        [] { return std::string(); }, [this] { signal_->signal().open_sample(); });
    add(
        "show_all", "Show the whole signal", "End the zoom of the waveforms",
        [this] { return reason_unless(!signal_->plots().shows_all(), "All of it is shown"); },
        [this] { signal_->plots().show_all(); });
    for (const auto* filter : signal_filters())
        add(
            "signal_" + std::string(filter->id), "Signal preset " + std::string(filter->title),
            std::string(filter->summary),
            [this, filter] {
                return reason_unless(!signal_->signal().has_preset(filter->id), "It is in use");
            },
            [this, filter] { signal_->signal().choose_preset(filter->id); });
}

/// For the palette: the sample, the weights, and every preset by its name.
void Playground::add_bank_actions() {
    const auto add = [this](std::string id, std::string title, std::string tooltip,
                            std::function<std::string()> why_not, std::function<void()> run) {
        actions_.add({.id = std::move(id),
                      .group = ActionGroup::bank,
                      .title = std::move(title),
                      .tooltip = std::move(tooltip),
                      .why_not =
                          [this, why_not = std::move(why_not)] {
                              return workspace_ == Workspace::bank
                                         ? why_not()
                                         : std::string("It is for the workspace Bank");
                          },
                      .run = std::move(run)});
    };
    const auto always = [] { return std::string(); };
    add("sample_bank", "Sample for banks", "The generated image as the input of the bank", always,
        [this] { bank_->bank().open_sample(); });
    add("bank_weights", "Open weights...", "Load weights: a NumPy array or a file of safetensors", always,
        [this] { bank_->actions().open_weights(); });
    for (const auto* filter : bank_filters())
        add(
            "bank_" + std::string(filter->id), "Bank preset " + std::string(filter->title),
            std::string(filter->summary),
            [this, filter] { return reason_unless(!bank_->bank().has_preset(filter->id), "It is in use"); },
            [this, filter] { bank_->bank().choose_preset(filter->id); });
}

} // namespace kg::ui
