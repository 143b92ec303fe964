#include "app/editor/document/document.hpp"

#include "app/editor/comparison/comparison.hpp"
#include "core/reference/reference.hpp"
#include "core/support/capital.hpp"
#include "core/support/thread.hpp"

#include <algorithm>
#include <cmath>
#include <new>

namespace kg {

Document::Document(Setup setup)
    : file(setup.wake), engines_(std::move(setup.engines)), selection_(std::move(setup.selection)),
      kernel_folder_(std::move(setup.kernel_folder)), read_(setup.read),
      presets_(std::move(setup.preset_folder)), last_recipe_(std::move(setup.last_recipe)), slot_(setup.slot),
      present_(std::move(setup.present)), comparison_(std::make_unique<Comparison>(*this, setup.wake)),
      worker_(std::move(setup.wake), setup.pace) {}

Document::~Document() = default;

// --- events

bool Document::update() {
    const auto events = worker_.take_events();
    for (const auto& event : events) std::visit([this](const auto& e) { take(e); }, event);
    const bool compared = comparison_->update();
    return compared || !events.empty();
}

bool Document::resting() const {
    return !busy() && tasks_ == 0 && !counting_ && !probing_ && !reading_region_ && !comparison_->busy();
}

void Document::take(std::shared_ptr<const Result> result) {
    if (!result->preview) settled_serial_ = std::max(settled_serial_, result->job.serial);
    if (result->job.image != image_) return; // superseded: another image has been opened
    if (result->job.serial == serial_) failure_.reset();
    if (result->opaque && opaque_.lock() != image_) {
        opaque_ = image_;
        derived_.choices.reset();
    }
    const auto stamp = result->stamp;
    arriving_.push_back(std::move(result));
    if (!present_) return shown(stamp);
    try {
        present_(arriving_.back());
    } catch (const std::bad_alloc&) {
        not_shown({"out-of-memory", "There is not enough memory to show this image."});
    } catch (const std::exception& error) {
        not_shown(as_error(error));
    }
}

void Document::not_shown(const Error& why) {
    const bool lost = std::ranges::any_of(arriving_,
                                          [this](const auto& result) { return is_lost(*result); }) ||
                      (result_ && is_lost(*result_));
    arriving_.clear();
    if (lost) post();
    else fail(why);
}

/// True where the pixels were lost with their device, and another engine can compute them again.
bool Document::is_lost(const Result& result) const {
    return !result.home->usable().empty() && engine().engine != result.home;
}

void Document::shown(std::uint64_t stamp, PresentationPath path) {
    if (result_ && result_->stamp == stamp) timings_.shown(*result_, path); // again, by another path
    // Superseded by a newer result.
    while (!arriving_.empty() && arriving_.front()->stamp < stamp) arriving_.pop_front();
    if (arriving_.empty() || arriving_.front()->stamp != stamp) return;
    auto result = std::move(arriving_.front());
    arriving_.pop_front();
    timings_.shown(*result, path);
    if (result->refusal && (!result_ || result_->why_yielded() != result->why_yielded()))
        report(Message::Kind::warning, *result->refusal);
    if (!result->notice.empty() && (!result_ || result_->notice != result->notice))
        report(Message::Kind::warning, result->notice);
    const bool same_image = result_ && result_->job.image == result->job.image;
    if (!same_image || result_->job.request != result->job.request) clipping_.reset(), lost_its_sign_ = false;
    if (!same_image && reading_) reading_->after.clear();
    result_ = std::move(result);
    counting_ = false; // the count of another result is ignored
    // The old value stays until the new one is read, so that the number does not blink.
    if (reading_) read_pixel();
    if (result_->preview) return; // only whole results are counted and timed
    if (runs_left_ > 0 && settled_serial_ == serial_) {
        --runs_left_;
        if (runs_left_ > 0) return post();
    }
    // Only a settled result is counted: during a drag or a measurement the next one is already requested.
    if (settled_serial_ == serial_ && runs_left_ == 0 && ClippingCount::is_worth_it(*result_)) {
        worker_.count(result_);
        counting_ = true;
    }
}

void Document::take(const Saved& saved) {
    --saving_;
    if (saved.image == image_) saved_path_ = saved.path; // otherwise another image has been opened
    report(Message::Kind::info,
           "Saved " + safe_name(saved.path) + (saved.note.empty() ? "" : " (" + saved.note + ")"));
}

void Document::take(const Wrote& wrote) {
    --saving_;
    report(Message::Kind::info,
           "Saved " + safe_name(wrote.path) + (wrote.note.empty() ? "" : " (" + wrote.note + ")"));
}

void Document::take(const Copied& copied) {
    --saving_;
    copied_ = copied;
}

void Document::take(const Probed& probed) {
    if (reading_ && probed.result == result_ && reading_->x == probed.x && reading_->y == probed.y)
        reading_->after = probed.values, probing_ = false;
}

void Document::take(const Counted& counted) {
    if (counted.result != result_) return;
    counting_ = false;
    clipping_ = counted.clipping;
    const auto& request = result_->job.request;
    lost_its_sign_ = clipping_ && clipping_->below > 0 && request.sign == SignedMode::clamp &&
                     !request.stages.empty() && request.stages.back().combine == Combine::single &&
                     offset(request.stages.back()) == 0 && // else 0 has its grey already
                     std::fabs(dc_gain(request.stages.back().kernels.front())) < 0.5;
}

void Document::take(const Failed& failed) {
    switch (failed.what) {
    case Failed::What::filtering:
        settled_serial_ = std::max(settled_serial_, failed.serial);
        fail(failed.error);
        return;
    case Failed::What::opening:
        --opening_;
        forget(failed.path);
        break;
    case Failed::What::saving: --saving_; break;
    case Failed::What::probing:
        probing_ = reading_region_ = false;
        if (result_ && is_lost(*result_)) return post();
        break;
    }
    report(failed.error);
}

void Document::fail(const Error& error) {
    if (!failure_ || std::string_view(failure_->what()) != error.what()) report(error);
    failure_ = error;
    runs_left_ = 0;
    if (!result_ || result_->job.image == image_) return; // a result of the same image stays on the screen
    result_.reset();
    clipping_.reset(), lost_its_sign_ = false;
    point_nowhere();
}

// --- algorithm

std::shared_ptr<Engine> Document::engine_of(const std::string& id) const {
    const auto found = std::ranges::find_if(engines_,
                                            [&](const auto& engine) { return engine->device().id == id; });
    return found == engines_.end() ? nullptr : *found;
}

/// The selected engine; else the first one, with the last (the CPU's) as fallback, or in its place once it is
/// lost.
EngineChoice Document::engine() const {
    if (auto selected = engine_of(selection_.engine)) return {std::move(selected), {}};
    const auto &first = engines_.front(), &last = engines_.back();
    if (first == last) return {first, {}};
    if (!first->usable().empty()) return {last, {}};
    return {first, {}, last};
}

ImageRequest Document::request() const {
    return request_for(shown_recipe(), image_->pixels.size(), image_->pixels.format());
}

void Document::post() {
    if (!image_) return;
    counting_ = false; // the worker drops the count for the job
    ScreenJob job;
    job.serial = ++serial_;
    try {
        job.request = request();
    } catch (const Error& error) {
        settled_serial_ = serial_;
        return fail(error);
    }
    job.choice = engine();
    job.image = image_;
    job.algorithm = selection_.algorithm;
    if (runs_left_ == 0) job.focus = focus(); // a measurement has no previews
    worker_.post(std::move(job));
}

/// The focus on the open image; the whole image where the view does not know it yet.
std::optional<Focus> Document::focus() const {
    if (!focus_ || focus_->image == image_->pixels.size()) return focus_;
    auto focus = *focus_;
    focus.image = image_->pixels.size();
    focus.visible = whole(focus.image);
    focus.x = focus.image.width / 2;
    focus.y = focus.image.height / 2;
    focus.zoom = std::min(static_cast<double>(focus.view.width) / static_cast<double>(focus.image.width),
                          static_cast<double>(focus.view.height) / static_cast<double>(focus.image.height));
    return focus;
}

void Document::choose(const Selection& selection) {
    if (selection == selection_) return;
    selection_ = selection; // derived_.choices stays: a click in that list leads here
    runs_left_ = 0;
    post();
}

const std::vector<Choice>& Document::choices() const {
    if (derived_.choices) return *derived_.choices;
    auto& list = derived_.choices.emplace();
    if (!image_) return list;
    try {
        const auto wanted = opaque_.lock() == image_ ? for_opaque(request()) : request();
        for (const auto& engine : engines_)
            for (const auto& candidate : algorithm_answers(*engine, wanted))
                list.push_back({{engine->device().id, std::string(candidate.algorithm->id)},
                                std::string(candidate.algorithm->title),
                                candidate.why_not,
                                candidate.microseconds});
    } catch (const Error&) { // an invalid recipe has no algorithms; post() has reported why
    }
    return list;
}

void Document::run_again(int times) {
    runs_left_ = times;
    post();
}

// --- pixel and messages

void Document::point_at(std::int64_t x, std::int64_t y) {
    if (!result_ || (reading_ && reading_->x == x && reading_->y == y)) return;
    reading_ = PixelReading{x, y, {}, {}};
    read_pixel();
}

/// The position may come from the previous, larger image: then there is nothing to read.
void Document::read_pixel() {
    const auto pixels = result_->job.image->pixels.view();
    if (!whole(pixels.size).contains({reading_->x, reading_->y, 1, 1})) return point_nowhere();
    reading_->before.clear();
    for (int c = 0; c < pixels.format.channels; ++c)
        reading_->before.push_back(sample(pixels, reading_->x, reading_->y, c));
    probing_ = result_->place_of(reading_->x, reading_->y).has_value();
    if (probing_) worker_.probe(result_, reading_->x, reading_->y);
    else reading_->after.clear(); // the preview does not contain this pixel
}

void Document::report(Message::Kind kind, const std::string& text) { messages_.push_back({kind, text}); }

void Document::report(Message::Kind kind, const Error& why) {
    messages_.push_back({kind, capitalised(why.what()), why});
}

} // namespace kg
