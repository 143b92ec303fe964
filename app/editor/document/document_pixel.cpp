// Pixels that are read from the result, and why one has its value.

#include "app/editor/document/document.hpp"
#include "core/support/text.hpp"

#include <algorithm>

namespace kg {

namespace {

/// Products that may be summed in a frame: some 20 ms.
constexpr double kMostProducts = 1 << 19;

std::string why_no_terms(const ImageRequest& request, std::size_t stage) {
    for (std::size_t i = 0; i <= stage; ++i)
        if (!has_weights(request.stages[i]))
            return "A kernel larger than 1025 x 1025 lists no weights; its sum has too many taps to show.";
    if (const auto products = products_behind(request, stage); products > kMostProducts)
        return "One pixel of this step takes " + short_number(products / 1e6, 2) +
               " million products, with those of the steps before it. Select an earlier step, or make the "
               "kernels smaller, to see them.";
    return {};
}

} // namespace

void Document::read_region(const Rect& wanted) {
    if (!result_ || (result_->preview && result_->preview->every > 1)) return; // samples are no pixels
    auto region = intersect(wanted, whole(result_->job.request.size));
    if (result_->preview) region = intersect(region, result_->preview->region);
    const std::pair key{result_->stamp, region};
    if (region.empty() || key == wanted_region_) return;
    wanted_region_ = key;
    reading_region_ = true;
    worker_.read_region(result_, region);
}

void Document::take(const RegionRead& read) {
    if (read.stamp == wanted_region_.first && read.region == wanted_region_.second) reading_region_ = false;
    region_ = read;
}

/// The place of the selected step among the stages of a request: steps that are off have none.
std::optional<std::size_t> Document::selected_in_request() const {
    const auto& steps = state_.recipe.steps;
    if (selected_ < 0 || !steps[static_cast<std::size_t>(selected_)].enabled) return {};
    return static_cast<std::size_t>(std::count_if(steps.begin(), steps.begin() + selected_,
                                                  [](const Step& step) { return step.enabled; }));
}

const PixelExplanation& Document::pixel_explanation() const {
    static const PixelExplanation kNone;
    const auto stage = selected_in_request();
    if (!reading_ || !result_ || (selected_ >= 0 && !stage)) {
        explained_ = {};
        if (!reading_ || !result_) return kNone;
        explained_.explanation.why_not = "The selected step is off and does not affect the result.";
        return explained_.explanation;
    }
    const auto request = result_->request();
    const Explained::Key key{result_->stamp, reading_->x, reading_->y, stage, pixel.channel};
    // An edit may have removed or added a step whose result has not arrived yet: the old explanation stays.
    const auto shown = shown_recipe();
    const auto enabled = static_cast<std::size_t>(std::ranges::count_if(shown.steps, &Step::enabled));
    if (explained_.key == key || enabled != request.stages.size()) return explained_.explanation;
    explained_ = {key, {}};
    auto& found = explained_.explanation;
    if (!stage) found.why_not = "The recipe has no step: the result is the original.";
    else found.why_not = why_no_terms(request, *stage);
    if (!found.why_not.empty()) return found;
    const auto image = result_->job.image->pixels.view();
    found.terms = pixel_terms(request, image, *stage, reading_->x, reading_->y,
                              std::min(pixel.channel, request.in.channels - 1));
    return found;
}

} // namespace kg
