#include "app/ui/workspaces/bench_desk.hpp"

#include "app/bench/report_file.hpp"
#include "app/bench/session/session_text.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/error.hpp"
#include "core/support/thread.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace kg::ui {

namespace {

using Phase = BenchState::Phase;

constexpr float kHead = 156;      ///< three lines of the verdict
constexpr double kRest = 1;       ///< seconds after the last edit until the job resumes
constexpr double kMostWait = 0.3; ///< seconds that an edit waits at most for samples in progress
constexpr float kChart = 264, kChartShare = 0.45f; ///< height of the chart; at most this share of the centre

} // namespace

BenchDesk::BenchDesk(Document& document, BenchActions actions)
    : document_(document), actions_(std::move(actions)), session_(actions_.wake) {
    actions_.measure = [this] { measure(); };
    actions_.measure_sizes = [this] { measure_sizes(); };
    actions_.pause = [this] { pause_for_edits(false); };
    actions_.resume = [this] { resume(); };
    actions_.stop = [this] { stop(); };
    actions_.choose = [this](const measure::ReportRow& row) { choose(row); };
    actions_.compare = [this](const measure::ReportRow& row, const std::string& with) { compare(row, with); };
}

// --- the job

std::string BenchDesk::why_not() const {
    if (!document_.image()) return "Open an image first";
    const auto& steps = document_.recipe().steps;
    if (std::ranges::none_of(steps, &Step::enabled)) return "Add a filter to the recipe first";
    return {};
}

BenchSubject BenchDesk::subject() const {
    const auto& image = document_.image();
    BenchSubject subject;
    subject.image = {image, &image->pixels};
    subject.image_name = document_.title();
    subject.recipe = document_.recipe();
    const auto& result = document_.result();
    subject.opaque = result && result->job.image == image && result->opaque;
    subject.engines = document_.engines();
    if (engines_ > 0) subject.engines = {subject.engines[static_cast<std::size_t>(engines_ - 1)]};
    return subject;
}

void BenchDesk::want(const std::function<void()>& start) {
    if (session_.running() || !why_not().empty()) return;
    wanted_ = start;
}

void BenchDesk::measure() {
    want([this] { start(recipe_job(subject())); });
}

void BenchDesk::measure_sizes() {
    want([this] {
        const auto* selected = document_.selected_step();
        start(kernel_sizes_job(subject(), selected ? *selected : document_.recipe().steps.front()));
    });
}

void BenchDesk::start(BenchJob job) {
    begun_ = {document_.recipe(), document_.image()};
    adjust_(job);
    session_.start(std::move(job));
}

void BenchDesk::begin() {
    const auto wanted = std::exchange(wanted_, nullptr);
    if (!why_not().empty()) return; // undone meanwhile
    try {
        wanted();
        unreported_ = true;
    } catch (const std::exception& error) {
        document_.report(as_error(error));
    }
}

void BenchDesk::pause_for_edits(bool for_edits) {
    for_edits_ = for_edits;
    asked_at_ = busy_at_ = ImGui::GetTime();
    session_.pause();
}

void BenchDesk::resume() {
    for_edits_ = true; // as after an edit
    busy_at_ = ImGui::GetTime() - kRest;
}

void BenchDesk::stop() {
    wanted_ = nullptr;
    session_.stop();
}

void BenchDesk::follow() {
    switch (session_.state()->phase) {
    case Phase::running:
        if (document_.busy()) pause_for_edits(true);
        break;
    case Phase::pausing:
        busy_at_ = ImGui::GetTime();
        if (ImGui::GetTime() - asked_at_ >= kMostWait) document_.hold(false);
        break;
    case Phase::paused: follow_pause(); break;
    case Phase::stopping: break;
    case Phase::none:
    case Phase::finished:
        document_.hold(wanted_ && !document_.busy());
        if (wanted_ && !document_.busy() && document_.is_still()) begin();
        break;
    }
    const auto state = session_.state(); // a job that has just begun may be over
    const bool has_new_report = state->report && reports_.take_own(state->report);
    if (has_new_report) measured_ = begun_;
    if (unreported_ && !state->running()) report_end(*state, has_new_report);
}

void BenchDesk::report_end(const BenchState& state, bool has_new_report) {
    unreported_ = false;
    if (state.failure) {
        document_.report(*state.failure);
    } else if (state.comparing) {
        if (state.difference) document_.report(Message::Kind::info, difference_text(*state.difference));
    } else if (has_new_report) {
        document_.report(Message::Kind::info, bench_text(state, state.report.get()).verdict);
    } else {
        document_.report(Message::Kind::info, "Stopped before anything was measured.");
        return;
    }
    reported_ = !state.comparing;
}

/// The editor works; a moment after the last edit the job resumes. What is dragged has not been let go, but
/// a text field may keep the keyboard for as long as nobody looks at it.
void BenchDesk::follow_pause() {
    const double now = ImGui::GetTime();
    const bool is_dragging = ImGui::IsAnyItemActive() && !ImGui::GetIO().WantTextInput;
    if (document_.busy() || is_dragging) busy_at_ = std::max(busy_at_, now);
    const bool due = for_edits_ && now - busy_at_ >= kRest;
    document_.hold(due);
    if (!due || !document_.is_still()) return;
    for_edits_ = false;
    session_.resume();
}

double BenchDesk::next_change() const {
    constexpr double kNever = std::numeric_limits<double>::infinity(), kPoll = 0.02;
    const auto phase = session_.state()->phase;
    const double now = ImGui::GetTime();
    if (wanted_) return kPoll;     // until the worker is still, which no event tells
    if (phase == Phase::pausing) { // then it waits for the samples, whose end is an event
        const double left = kMostWait - (now - asked_at_);
        return left > 0 ? left : kNever;
    }
    return phase == Phase::paused && for_edits_ ? std::max(busy_at_ + kRest - now, kPoll) : kNever;
}

bool BenchDesk::settled() const {
    const bool rests = session_.state()->phase == Phase::paused && !for_edits_;
    return !wanted_ && (!unreported_ || rests);
}

std::string BenchDesk::chip() const { return bench_text(*session_.state(), nullptr).chip; }

bool BenchDesk::is_stale() const {
    const auto own = session_.state()->report;
    if (!own || reports_.shown() != own.get() || session_.running()) return false;
    return measured_.recipe != document_.recipe() || measured_.image.lock() != document_.image();
}

// --- rows and reports

void BenchDesk::choose(const measure::ReportRow& row) {
    reports_.choose_row(row.name);
    if (!row.times) return;
    const auto algorithm = measure::algorithm_name(row);
    if (algorithm == measure::kAuto) document_.choose({});
    else if (engine_of(row)) document_.choose({row.engine, algorithm});
}

/// Null, with a message, where the row is of another machine.
std::shared_ptr<Engine> BenchDesk::engine_of(const measure::ReportRow& row) {
    auto engine = document_.engine_of(row.engine);
    if (!engine)
        document_.report(Message::Kind::warning,
                         Error("unknown-engine", "The window has no engine {}.", row.engine));
    return engine;
}

void BenchDesk::compare(const measure::ReportRow& row, const std::string& algorithm) {
    const auto engine = engine_of(row);
    if (!engine) return;
    want([this, engine, id = measure::algorithm_name(row), algorithm] {
        const auto job = recipe_job(subject());
        const auto& only = job.cases.front();
        session_.compare({only.request, only.image, {engine, id}, {engine, algorithm}});
    });
}

void BenchDesk::save(const std::filesystem::path& path) {
    const auto* shown = reports_.shown();
    if (!shown) return;
    try {
        document_.write(path, report_as(path, shown->report));
    } catch (const std::exception& error) {
        document_.report(as_error(error));
    }
}

void BenchDesk::open(const std::filesystem::path& path) {
    try {
        reports_.open(std::make_shared<const RankedReport>(read_report(path), path.filename().string()));
    } catch (const std::exception& error) {
        document_.report(as_error(error));
    }
}

// --- the window

void BenchDesk::keys() {
    if (ImGui::Shortcut(ImGuiKey_Escape, ImGuiInputFlags_RouteGlobal) && session_.running()) stop();
}

/// Below the table, in a window of its own: the rows are a window, too, and would cover it.
void BenchDesk::draw_toast(ViewPanel& view, const Box& sheet) const {
    constexpr float kHeight = 100;
    const float height = std::min(look().px(kHeight), sheet.height);
    ImGui::SetCursorScreenPos({sheet.x, sheet.y + sheet.height - height});
    ImGui::BeginChild("toast", {sheet.width, height}, ImGuiChildFlags_None,
                      ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoBackground);
    view.draw_toast(document_, ImGui::GetWindowPos(), ImGui::GetWindowSize());
    ImGui::EndChild();
}

void BenchDesk::draw(ViewPanel& view, std::span<const std::unique_ptr<Panel>> panels,
                     const LayoutRects& layout, bool& details_shown) {
    const auto places = compute_batch_layout(layout, look().scale, kHead);
    {
        Region region("bench", layout.left, RegionStyle::column);
        for (const auto& panel : panels)
            if (panel->id() == "recipe") panel->draw(document_);
        draw_bench_settings(document_, reports_, engines_, is_stale(), actions_);
    }
    const auto state = session_.state();
    {
        Region region("bench head", places.head, RegionStyle::head);
        draw_bench_head(bench_text(*state, reports_.shown()),
                        {state->phase, static_cast<bool>(wanted_), why_not()}, reports_, actions_,
                        layout.right_overlays ? &details_shown : nullptr);
    }
    {
        Region region("bench sheet", places.sheet, RegionStyle::head);
        const float all = ImGui::GetContentRegionAvail().y;
        const float chart = reports_.family() ? std::min(look().px(kChart), kChartShare * all) : 0;
        draw_bench_table(document_, reports_, actions_, all - chart - look().px(8));
        if (chart > 0) draw_bench_chart(reports_, chart - look().px(4));
        if (std::exchange(reported_, false)) view.mark_seen(document_); // the head shows it
        draw_toast(view, places.sheet);
    }
    if (places.right.width <= 0 || (layout.right_overlays && !details_shown)) return;
    Region region("bench details", places.right, RegionStyle::column);
    draw_bench_details(document_, reports_, *state, difference_, actions_);
}

} // namespace kg::ui
