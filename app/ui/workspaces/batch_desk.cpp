#include "app/ui/workspaces/batch_desk.hpp"

#include "app/batch/session/session_command.hpp"
#include "app/batch/session/session_text.hpp"
#include "app/ui/widgets/dialog.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace kg::ui {

namespace {

const char* const kQuestion = "##closing";
const char *const kFinish = "Finish without window", *const kStop = "Stop after current images",
                  *const kBack = "Back";
constexpr double kRefreshSeconds = 0.25; ///< seconds between refreshes of a running job

} // namespace

BatchDesk::BatchDesk(Document& document, const WindowOptions& options, const EngineOptions& engines,
                     BatchActions actions)
    : document_(document), read_(options.read),
      session_(std::make_shared<batch::Session>(
          batch::Session::Setup{actions.wake, options.read, options.engine_options.threads,
                                [engines](const auto& choice) { return further_gpus(engines, choice); }})),
      actions_(std::move(actions)) {
    actions_.preview_some = [this] { preview_some(); };
    actions_.start = [this] { start(); };
}

void BatchDesk::take(const std::vector<std::filesystem::path>& inputs) {
    if (session_->running()) {
        document_.report(Message::Kind::warning,
                         Error("batch-running", "A batch is running, so its inputs are locked. Drop the "
                                                "folder again when it has ended."));
        return;
    }
    auto settings = session_->settings();
    settings.inputs.clear();
    for (const auto& path : inputs) settings.inputs.push_back(std::filesystem::absolute(path));
    settings.out = batch::preset_output(settings.inputs);
    settings.recipe = document_.recipe();
    settings.algorithm = document_.algorithm_in_use();
    if (settings == session_->settings()) session_->rescan(); // its images may have changed
    session_->choose(settings);
}

void BatchDesk::write_to(const std::filesystem::path& folder) {
    auto settings = session_->settings();
    settings.out = folder;
    session_->choose(settings);
}

void BatchDesk::preview_some() { session_->dry_run(document_.engine(), kPreviewImages); }

void BatchDesk::start() {
    session_->start(document_.engine());
    was_running_ = true; // it may end before the next frame
}

void BatchDesk::follow() {
    const bool running = session_->running();
    if (was_running_ && !running) {
        const auto work = session_->work();
        const auto kind = work->counts.failed > 0 ? Message::Kind::warning : Message::Kind::info;
        if (work->failure) document_.report(*work->failure);
        else document_.report(kind, work->summary);
        reported_ = true;
        if (closing_) actions_.close_window();
    }
    was_running_ = running;
}

void BatchDesk::show_one_in_play() {
    const auto scan = session_->scan();
    if (scan->first.empty() || scan->first == shown_in_play_ || !document_.is_sample()) return;
    shown_in_play_ = scan->first; // only once: the file may not be an image
    document_.add({shown_in_play_});
}

void BatchDesk::draw(ViewPanel& view, const LayoutRects& layout, bool& findings_shown) {
    auto settings = session_->settings();
    settings.recipe = document_.recipe();
    settings.algorithm = document_.algorithm_in_use();
    session_->choose(settings);
    const auto places = compute_batch_layout(layout, look().scale);
    {
        Region region("batch", layout.left, RegionStyle::column);
        settings_.draw(*session_, actions_);
    }
    {
        Region region("batch head", places.head, RegionStyle::head);
        head_.draw(*session_, actions_, layout.right_overlays ? &findings_shown : nullptr);
    }
    {
        Region region("sheet", places.sheet, RegionStyle::sheet);
        sheet_.draw(*session_, actions_);
        if (std::exchange(reported_, false)) view.mark_seen(document_); // the head shows it
        view.draw_toast(document_, {places.sheet.x, places.sheet.y},
                        {places.sheet.width, places.sheet.height});
    }
    if (places.right.width <= 0 || (layout.right_overlays && !findings_shown)) return;
    Region region("findings", places.right, RegionStyle::column);
    findings_.draw(document_, *session_, actions_);
}

bool BatchDesk::may_close() {
    if (!session_->running() || leaves_) return true;
    asks_ = true;
    actions_.ask_for_attention();
    actions_.wake();
    return false;
}

void BatchDesk::draw_question() {
    if (std::exchange(asks_, false)) ImGui::OpenPopup(kQuestion);
    const auto& style = ImGui::GetStyle();
    float buttons = 2 * style.WindowPadding.x + 2 * style.ItemSpacing.x;
    for (const auto& words : {std::string(icon::kCheck) + "  " + kFinish,
                              std::string(icon::kStop) + "  " + kStop, std::string(kBack)})
        buttons += ImGui::CalcTextSize(words.c_str()).x + 2 * style.FramePadding.x;
    if (!begin_dialog(kQuestion, std::max(look().px(560), buttons))) return;
    heading("A batch is still running");
    note(batch::session_text(*session_).verdict +
         ". Finished images stay; starting the same batch again resumes it.");
    space();
    bool answered = true;
    if (primary_button("finish", icon::kCheck, kFinish,
                       "The window closes; the program finishes the batch and reports on its terminal")) {
        session_->pause(false);
        leaves_ = true;
        actions_.close_window();
    } else if (ImGui::SameLine();
               button("stop", icon::kStop, kStop, "Finish the current images, then close the window")) {
        closing_ = true;
        session_->stop();
    } else if (ImGui::SameLine();
               button("back", nullptr, kBack, "The window stays open, and the batch continues (Escape)")) {
    } else {
        // The question also closes once the batch has ended.
        answered = !session_->running() || ImGui::IsKeyPressed(ImGuiKey_Escape, false);
    }
    if (answered) ImGui::CloseCurrentPopup();
    end_dialog();
}

const batch::BatchSettings& BatchDesk::settings_to_copy(const batch::BatchProgress& work) const {
    return session_->running() ? work.settings : session_->settings();
}

bool BatchDesk::can_copy() const {
    const auto work = session_->work();
    const auto& settings = settings_to_copy(*work);
    return !settings.inputs.empty() && !settings.out.empty();
}

std::string BatchDesk::copy_as_command() const {
    if (!can_copy()) throw Error("no-inputs", "There are no images to filter; choose a folder first.");
    const auto work = session_->work();
    const auto command = batch::command_of(settings_to_copy(*work), document_.engine_in_use(), read_,
                                           document_.command_folder());
    write_files(command);
    return command.text;
}

double BatchDesk::next_change() const {
    using State = batch::BatchProgress::State;
    const auto state = session_->work()->state;
    const bool moves = state == State::running || state == State::stopping || session_->scan()->busy;
    return moves ? kRefreshSeconds : std::numeric_limits<double>::infinity();
}

std::shared_ptr<batch::Session> BatchDesk::unfinished() const {
    if (!leaves_) return nullptr;
    session_->forget_window();
    return session_;
}

} // namespace kg::ui
