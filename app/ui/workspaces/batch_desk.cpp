#include "app/ui/workspaces/batch_desk.hpp"

#include "app/batch/session/session_command.hpp"
#include "app/batch/session/session_text.hpp"
#include "app/ui/widgets/parts.hpp"
#include "app/ui/shell/loop.hpp"
#include "app/ui/widgets/icons.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace kg::ui {

namespace {

const char* const kQuestion = "##closing";
const char *const kFinish = "Finish without window", *const kStop = "Stop after this picture",
                  *const kBack = "Back";
constexpr double kPace = 0.25; ///< seconds between looks at a running job

} // namespace

BatchDesk::BatchDesk(GlContext& context, Document& document, const WindowOptions& options,
                     const EngineWish& engines, BatchActions actions)
    : context_(context), document_(document), read_(options.read),
      session_(std::make_shared<batch::Session>(
          batch::Session::Setup{[&context] { context.wake(); }, options.read, options.threads,
                                [engines](const auto& choice) { return further_gpus(engines, choice); }})),
      actions_(std::move(actions)) {
    actions_.try_some = [this] { try_some(); };
    actions_.start = [this] { start(); };
}

void BatchDesk::take(const std::vector<std::filesystem::path>& inputs) {
    if (session_->running()) {
        document_.say(Message::Kind::warning,
                      "A batch is running; its inputs stay. Drop the folder again when it has ended.");
        return;
    }
    auto order = session_->order();
    order.inputs.clear();
    for (const auto& path : inputs) order.inputs.push_back(std::filesystem::absolute(path));
    order.out = batch::preset_output(order.inputs);
    order.recipe = document_.recipe();
    order.algorithm = document_.algorithm_in_use();
    if (order == session_->order()) session_->rescan(); // it may hold other pictures by now
    session_->choose(order);
}

void BatchDesk::write_to(const std::filesystem::path& folder) {
    auto order = session_->order();
    order.out = folder;
    session_->choose(order);
}

void BatchDesk::try_some() { session_->rehearse(document_.engine(), kTries); }

void BatchDesk::start() {
    session_->start(document_.engine());
    was_running_ = true; // it may end before the next frame
}

void BatchDesk::follow() {
    const bool running = session_->running();
    if (was_running_ && !running) {
        const auto work = session_->work();
        const auto kind = !work->failure.empty()    ? Message::Kind::error
                          : work->counts.failed > 0 ? Message::Kind::warning
                                                    : Message::Kind::info;
        document_.say(kind, work->summary);
        said_ = true;
        if (closing_) context_.set_should_close(true);
    }
    was_running_ = running;
}

void BatchDesk::show_one_in_play() {
    const auto scan = session_->scan();
    if (scan->first.empty() || scan->first == looked_at_ || !document_.is_sample()) return;
    looked_at_ = scan->first; // once: it may be no picture after all
    document_.add({looked_at_});
}

void BatchDesk::keys() {
    const auto scan = session_->scan();
    if (ImGui::Shortcut(ImGuiKey_F5, ImGuiInputFlags_RouteGlobal)) session_->rescan();
    if (session_->running() || session_->trial()->busy || scan->busy || scan->pictures == 0) return;
    const auto pressed = [](ImGuiKeyChord chord) {
        return ImGui::Shortcut(chord, ImGuiInputFlags_RouteGlobal);
    };
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_T)) try_some();
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_Enter) && scan->wanted > 0) start();
}

void BatchDesk::draw(ViewPanel& view, const LayoutRects& layout, bool& findings_shown) {
    auto order = session_->order();
    order.recipe = document_.recipe();
    order.algorithm = document_.algorithm_in_use();
    session_->choose(order);
    const auto places = compute_batch_layout(layout, look().scale);
    {
        Region region("batch", layout.left, RegionStyle::column);
        order_.draw(*session_, actions_);
    }
    {
        Region region("batch head", places.head, RegionStyle::head);
        head_.draw(*session_, actions_, layout.right_overlays ? &findings_shown : nullptr);
    }
    {
        Region region("sheet", places.sheet, RegionStyle::sheet);
        sheet_.draw(*session_, actions_);
        if (std::exchange(said_, false)) view.pass_over(document_); // the head says it
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
    context_.come_forward();
    context_.wake();
    return false;
}

void BatchDesk::draw_question() {
    if (std::exchange(asks_, false)) ImGui::OpenPopup(kQuestion);
    const auto& l = look();
    const auto& style = ImGui::GetStyle();
    float buttons = 2 * style.WindowPadding.x + 2 * style.ItemSpacing.x;
    for (const auto& words : {std::string(icon::kCheck) + "  " + kFinish,
                              std::string(icon::kStop) + "  " + kStop, std::string(kBack)})
        buttons += ImGui::CalcTextSize(words.c_str()).x + 2 * style.FramePadding.x;
    ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({std::max(l.px(560), buttons), 0});
    constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                        ImGuiWindowFlags_NoSavedSettings;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ImGui::GetStyle().PopupRounding);
    const bool shown = ImGui::BeginPopupModal(kQuestion, nullptr, kFlags);
    ImGui::PopStyleVar();
    if (!shown) return;
    heading("A batch is still running");
    note(batch::words_of(*session_).verdict +
         ". Every picture that is done stays done; the same batch again goes on from there.");
    space();
    // A popup has the colour of fields, so its own buttons differ from it.
    ImGui::PushStyleColor(ImGuiCol_Button, colour(l.theme.press));
    bool answered = true;
    if (primary_button(
            "finish", icon::kCheck, kFinish,
            "The window goes, the program goes on to the end and says on its terminal what it did")) {
        session_->pause(false);
        leaves_ = true;
        context_.set_should_close(true);
    } else if (ImGui::SameLine(); button("stop", icon::kStop, kStop,
                                         "Finish the pictures that are begun, then close the window")) {
        closing_ = true;
        session_->stop();
    } else if (ImGui::SameLine();
               button("back", nullptr, kBack, "The window stays, and the batch runs on (Escape)")) {
    } else {
        answered = !session_->running() || ImGui::IsKeyPressed(ImGuiKey_Escape, false); // or it has ended
    }
    ImGui::PopStyleColor();
    if (answered) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

const batch::Order& BatchDesk::order_to_copy(const batch::Work& work) const {
    return session_->running() ? work.order : session_->order();
}

bool BatchDesk::can_copy() const {
    const auto work = session_->work();
    const auto& order = order_to_copy(*work);
    return !order.inputs.empty() && !order.out.empty();
}

std::string BatchDesk::copy_as_command() const {
    if (!can_copy()) throw Error("There are no pictures to filter; choose a folder first.");
    const auto work = session_->work();
    const auto command = batch::command_of(order_to_copy(*work), document_.engine_in_use(), read_,
                                           document_.command_folder());
    write_files(command);
    return command.text;
}

double BatchDesk::next_change() const {
    using State = batch::Work::State;
    const auto state = session_->work()->state;
    const bool moves = state == State::running || state == State::stopping || session_->scan()->busy;
    return moves ? kPace : FramePacer::kNever;
}

std::shared_ptr<batch::Session> BatchDesk::unfinished() const {
    if (!leaves_) return nullptr;
    session_->forget_window();
    return session_;
}

} // namespace kg::ui
