// The document's recipe: selection, edits and undo.

#include "app/editor/document/document.hpp"

#include "core/support/error.hpp"

#include <algorithm>
#include <utility>

namespace kg {

namespace {

/// A step with the filter's defaults; a custom step begins as the 3 x 3 identity, a custom gradient with
/// central differences.
Step first_step(std::string_view filter, bool enabled) {
    Step step{std::string(find_filter(filter).id), {}, {}, enabled};
    if (step.filter == "custom") step.kernel = make_kernel(3, 3, {0, 0, 0, 0, 1, 0, 0, 0, 0});
    if (step.filter == "custom_gradient") {
        step.kernel = make_kernel(3, 3, {0, 0, 0, -1, 0, 1, 0, 0, 0});
        step.kernel_y = make_kernel(3, 3, {0, -1, 0, 0, 0, 0, 0, 1, 0});
    }
    return step;
}

bool has_parameter(const Step& step, std::string_view id) {
    const auto& parameters = find_filter(step.filter).parameters;
    return std::ranges::find(parameters, id, &Parameter::id) != parameters.end();
}

} // namespace

std::string Document::title() const {
    if (!image_) return {};
    return image_->path.empty() ? unsaved_title_ : safe_name(image_->path.filename());
}

const Step* Document::selected_step() const {
    return selected_ >= 0 ? &state_.recipe.steps[static_cast<std::size_t>(selected_)] : nullptr;
}

const Stage* Document::selected_stage() const {
    if (!derived_.stage_known) {
        derived_.stage_known = true;
        if (const auto* step = selected_step()) {
            try {
                derived_.stage = stage_of(*step);
            } catch (const Error&) { // post() has reported it
                derived_.stage.reset();
            }
        }
    }
    return derived_.stage ? &*derived_.stage : nullptr;
}

const Analysis* Document::selected_analysis(std::size_t kernel) const {
    const auto* stage = selected_stage();
    if (!stage || kernel >= stage->kernels.size()) return nullptr;
    derived_.analyses.resize(stage->kernels.size());
    auto& analysis = derived_.analyses[kernel];
    if (!analysis) analysis = analyse(*stage, kernel);
    return &*analysis;
}

const KernelNumbers* Document::selected_numbers(std::size_t kernel) const {
    const auto* analysis = selected_analysis(kernel);
    if (!analysis) return nullptr;
    derived_.numbers.resize(selected_stage()->kernels.size());
    auto& numbers = derived_.numbers[kernel];
    if (!numbers) numbers = kernel_numbers(*selected_stage(), kernel, *analysis);
    return &*numbers;
}

std::string Document::value(const Parameter& parameter) const {
    const auto* step = selected_step();
    if (!step) return {};
    const auto& origin = state_.origins[static_cast<std::size_t>(selected_)];
    if (origin && !has_parameter(*step, parameter.id)) step = &*origin;
    if (const auto given = step->values.find(parameter.id); given != step->values.end()) return given->second;
    return complete(find_filter(step->filter), step->values).find(parameter.id)->second;
}

void Document::select(int step) {
    const int before = selected_;
    selected_ = std::clamp(step, -1, static_cast<int>(state_.recipe.steps.size()) - 1);
    derived_.stage_known = false;
    derived_.stage.reset();
    derived_.analyses.clear();
    derived_.numbers.clear();
    if (!shows_to_selected_ || selected_ == before) return;
    derived_.choices.reset();
    post();
}

void Document::edit(const EditState& next, Gesture gesture, const std::string& name) {
    if (next == state_) return;
    history_.record(state_, next, gesture == Gesture::ongoing, name);
    pass_messages();
    go_to(next);
}

void Document::go_to(const EditState& state) {
    state_ = state;
    derived_ = {};
    select(state_.recipe.steps.empty() ? -1 : std::max(selected_, 0));
    runs_left_ = 0;
    post();
}

void Document::set_recipe(const Recipe& recipe) {
    selected_ = static_cast<int>(recipe.steps.size()) - 1;
    go_to(unedited(recipe));
}

void Document::start_over(const Recipe& recipe) {
    history_ = {};
    set_recipe(recipe);
}

void Document::set_aside() {
    history_.seal();
    aside_ = ParkedRecipe{state_, selected_, std::exchange(history_, {})};
}

void Document::bring_back() {
    if (!aside_) return;
    auto kept = *std::exchange(aside_, std::nullopt);
    history_ = std::move(kept.history);
    selected_ = kept.selected;
    go_to(kept.state);
}

void Document::use_recipe(const Recipe& recipe, const std::string& name) {
    selected_ = static_cast<int>(recipe.steps.size()) - 1;
    edit(unedited(recipe), Gesture::whole, name);
}

void Document::use_last_recipe() {
    if (last_recipe_) use_recipe(*last_recipe_, "Use the last recipe");
}

void Document::use_image_recipe() {
    if (image_recipe_) use_recipe(*image_recipe_, "Use the recipe of " + title());
}

void Document::add_step(std::string_view filter) {
    auto next = state_;
    next.recipe.steps.push_back(first_step(filter, true));
    next.origins.emplace_back();
    selected_ = static_cast<int>(next.recipe.steps.size()) - 1;
    edit(next, Gesture::whole);
}

void Document::replace_step(std::string_view filter) {
    const auto* stage = selected_stage();
    const bool is_listed = stage && has_weights(*stage);
    auto next = state_;
    auto& step = next.recipe.steps[static_cast<std::size_t>(selected_)];
    const auto name = std::string(find_filter(step.filter).title) + " to " +
                      std::string(find_filter(filter).title);
    if (filter == "custom" && is_listed && stage->kernels.size() == 1)
        return set_kernel(Kernel(stage->kernels.front()), Gesture::whole, name);
    if (filter == "custom_gradient" && is_listed && stage->kernels.size() == 2)
        return set_kernel(Kernel(stage->kernels.front()), Gesture::whole, name, 0);
    if (step.filter == filter) return;
    step = first_step(filter, step.enabled);
    next.origins[static_cast<std::size_t>(selected_)].reset();
    edit(next, Gesture::whole, name);
}

void Document::use_preset(const Preset& preset, PresetUse use) {
    auto next = state_;
    auto& steps = next.recipe.steps;
    const bool replaces = use == PresetUse::replace && selected_ >= 0;
    const auto at = replaces ? selected_ : static_cast<int>(steps.size());
    if (replaces) {
        steps.erase(steps.begin() + at);
        next.origins.erase(next.origins.begin() + at);
    }
    steps.insert(steps.begin() + at, preset.recipe.steps.begin(), preset.recipe.steps.end());
    next.origins.insert(next.origins.begin() + at, preset.recipe.steps.size(), std::nullopt);
    const Recipe plain;
    const auto& from = preset.recipe;
    auto& to = next.recipe;
    if (from.border != plain.border) to.border = from.border, to.border_colour = from.border_colour;
    if (from.light != plain.light) to.light = from.light;
    if (from.alpha != plain.alpha) to.alpha = from.alpha;
    if (from.sign != plain.sign) to.sign = from.sign;
    if (from.channels != plain.channels) to.channels = from.channels;
    if (from.depth != plain.depth) to.depth = from.depth;
    if (from.tolerance != plain.tolerance) to.tolerance = from.tolerance;
    selected_ = at + static_cast<int>(preset.recipe.steps.size()) - 1;
    edit(next, Gesture::whole, "Preset " + preset.title);
}

void Document::remove_step(int step) {
    auto next = state_;
    next.recipe.steps.erase(next.recipe.steps.begin() + step);
    next.origins.erase(next.origins.begin() + step);
    if (selected_ > step) --selected_;
    edit(next, Gesture::whole);
}

void Document::move_step(int from, int to) {
    const int count = static_cast<int>(state_.recipe.steps.size());
    if (from == to || from >= count || to >= count) return; // undone during the drag
    auto next = state_;
    const auto move = [from, to](auto& list) {
        auto moved = std::move(list[static_cast<std::size_t>(from)]);
        list.erase(list.begin() + from);
        list.insert(list.begin() + to, std::move(moved));
    };
    move(next.recipe.steps);
    move(next.origins);
    if (selected_ == from) selected_ = to; // the selected step stays selected
    else if (from < selected_ && selected_ <= to) --selected_;
    else if (to <= selected_ && selected_ < from) ++selected_;
    edit(next, Gesture::whole);
}

void Document::enable_step(int step, bool enabled) {
    change([&](Recipe& recipe) { recipe.steps[static_cast<std::size_t>(step)].enabled = enabled; });
}

void Document::set_value(std::string_view parameter, const std::string& text, Gesture gesture) {
    change(
        [&](Recipe& recipe) {
            recipe.steps[static_cast<std::size_t>(selected_)].values.insert_or_assign(std::string(parameter),
                                                                                      text);
        },
        gesture);
}

void Document::reset_value(std::string_view parameter) {
    change([&](Recipe& recipe) {
        auto& values = recipe.steps[static_cast<std::size_t>(selected_)].values;
        if (const auto given = values.find(parameter); given != values.end()) values.erase(given);
    });
}

void Document::set_kernel(const Kernel& kernel, Gesture gesture, const std::string& name, OfTwo of_two) {
    auto next = state_;
    auto& step = next.recipe.steps[static_cast<std::size_t>(selected_)];
    const auto* stage = selected_stage();
    if (!step.kernel) next.origins[static_cast<std::size_t>(selected_)] = step;
    if (of_two && (step.kernel_y || (stage && stage->kernels.size() == 2))) {
        if (!step.kernel_y) step = custom_step(*stage, step.enabled);
        auto& edited = *of_two == 0 ? *step.kernel : *step.kernel_y;
        edited = kernel;
        // Both kernels share one offset, which has a range.
        if (const float offset = std::exchange(edited.offset, 0.0f); offset != 0) {
            step.values.insert_or_assign("offset", to_text(offset));
            try {
                complete(find_filter(step.filter), step.values);
            } catch (const Error& error) {
                return report(Message::Kind::error, error);
            }
        }
    } else {
        step = {"custom", {}, kernel, step.enabled};
    }
    edit(next, gesture, name);
}

void Document::back_to_origin() {
    auto next = state_;
    auto& origin = next.origins[static_cast<std::size_t>(selected_)];
    if (!origin) return;
    origin->enabled = next.recipe.steps[static_cast<std::size_t>(selected_)].enabled;
    next.recipe.steps[static_cast<std::size_t>(selected_)] = *origin;
    origin.reset();
    edit(next, Gesture::whole);
}

void Document::change(const std::function<void(Recipe&)>& edit_recipe, Gesture gesture) {
    auto next = state_;
    edit_recipe(next.recipe);
    edit(next, gesture);
}

void Document::undo() {
    if (!history_.can_undo()) return;
    pass_messages();
    go_to(history_.undo());
}

void Document::redo() {
    if (!history_.can_redo()) return;
    pass_messages();
    go_to(history_.redo());
}

} // namespace kg
