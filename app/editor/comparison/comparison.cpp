#include "app/editor/comparison/comparison.hpp"

#include "app/editor/document/border_choice.hpp"
#include "app/editor/document/document.hpp"
#include "core/reference/reference.hpp"
#include "peers/peers.hpp"

#include <algorithm>
#include <utility>

namespace kg {

namespace {

/// Why a library's algorithm does not support the request, and the setting that would change that.
std::string why_not(const Engine& engine, const ImageRequest& request, const Algorithm& algorithm) {
    auto why = peers::why_not(engine, request, algorithm);
    if (why.empty()) return why;
    auto other = request;
    other.sign = SignedMode::clamp;
    if (request.sign != SignedMode::clamp && peers::why_not(engine, other, algorithm).empty())
        return why + "; set Signed to Clamp (Output)";
    other.out = request.in;
    if (request.out.depth != request.in.depth && peers::why_not(engine, other, algorithm).empty())
        return why + "; set the depth (Output) to that of the image";
    return why;
}

/// The algorithms of other libraries; they have a reason where the library is not there, or does not support
/// the request.
std::vector<SourceChoice> peer_choices(const std::vector<std::shared_ptr<Engine>>& engines,
                                       const ImageRequest& request) {
    std::vector<SourceChoice> choices;
    for (const auto* peer : peers::all())
        for (const auto& engine : engines) {
            if (!peer->is_on(*engine) || peer->algorithms.empty()) continue; // absent() opens the library
            const auto absent = peer->absent();
            for (const auto* algorithm : peer->algorithms) {
                const ViewSource source{
                    ViewSource::Kind::algorithm, {engine->device().id, std::string(algorithm->id)}, {}};
                choices.push_back(
                    {source, title(source), absent.empty() ? why_not(*engine, request, *algorithm) : absent});
            }
        }
    return choices;
}

} // namespace

Comparison::Comparison(const Document& document, const std::function<void()>& wake)
    : document_(document), sides_(wake), measurements_(wake), pixel_query_(wake) {}

std::vector<SourceChoice> Comparison::choices() const {
    const auto& result = document_.result();
    if (!result) return {};
    std::vector<SourceChoice> choices;
    const auto add = [&](const ViewSource& source, const std::string& why_not = {}) {
        choices.push_back({source, title(source), why_not});
    };
    add({ViewSource::Kind::original, {}, {}});
    add({ViewSource::Kind::result, {}, {}});
    for (std::size_t slot = 0; slot < kRecipeSlots; ++slot)
        if (slot != document_.slot())
            add({ViewSource::Kind::recipe, {}, {}, slot},
                document_.slot_recipe(slot).steps.empty() ? "This recipe has no steps" : "");
    for (const auto border : kBorderChoices) add({ViewSource::Kind::border, {}, border});
    for (const auto& choice : document_.choices())
        add({ViewSource::Kind::algorithm, choice.selection, {}}, choice.why_not);
    const auto& others = peers();
    choices.insert(choices.end(), others.begin(), others.end());
    return choices;
}

const std::vector<SourceChoice>& Comparison::peers() const {
    const auto& result = document_.result();
    const auto stamp = result ? result->stamp : 0;
    const auto engines = document_.engines().size();
    if (result && (peers_.stamp != stamp || peers_.engines != engines))
        peers_ = {stamp, engines, peer_choices(document_.engines(), result->request())};
    return peers_.choices;
}

std::string Comparison::why_not(std::size_t side) const {
    const auto& why_not = sides_.why_not(side);
    if (why_not.empty()) return why_not;
    // The list knows which setting would change that.
    for (const auto& choice : choices())
        if (choice.source == document_.view.sources[side] && !choice.why_not.empty()) return choice.why_not;
    return why_not;
}

std::string Comparison::announcement(const ViewSource& source) const {
    const auto& result = document_.result();
    if (!result || source.kind != ViewSource::Kind::algorithm || source.selection.algorithm != kReferenceId)
        return {};
    const auto engine = document_.engine_of(source.selection.engine);
    if (!engine) return {};
    const auto seconds = reference_seconds(result->job.request, *engine);
    return seconds < kAnnouncedSeconds ? "" : about_seconds(seconds);
}

/// A is not shown where the result fills the view.
bool Comparison::computes(std::size_t side) const {
    const bool shown = side > 0 || document_.view.mode != ViewState::Mode::result;
    return shown && document_.view.sources[side].is_computed();
}

Recipe Comparison::recipe_of(const ViewSource& source) const {
    using Kind = ViewSource::Kind;
    if (source.kind == Kind::recipe) return document_.slot_recipe(source.slot);
    auto recipe = document_.shown_recipe();
    if (source.kind == Kind::border) choose_border(recipe, source.border);
    if (source.kind != Kind::step && source.kind != Kind::snippet) return recipe;
    const auto* step = document_.selected_step();
    if (!step) throw Error("no-step", "No step of the recipe is selected.");
    if (source.kind == Kind::snippet) return snippet_recipe(*step, recipe.border);
    recipe.steps = {*step};
    recipe.steps.front().enabled = true;
    return recipe;
}

/// The job of A or B is that of the result, except for what its source names.
void Comparison::want(std::size_t side, const Recipe& recipe) {
    using Kind = ViewSource::Kind;
    const auto& source = document_.view.sources[side];
    const auto& main = document_.result()->job;
    auto job = main;
    auto selection = source.selection;
    if (source.has_recipe()) {
        const auto& pixels = job.image->pixels;
        job.request = request_for(recipe, pixels.size(), pixels.format());
        if (source.kind != Kind::border) job.algorithm.clear(); // it is forced upon the shown steps
        if (source.kind == Kind::snippet) selection = {"cpu", snippet_algorithm(source.library, job.request)};
    }
    if (!selection.algorithm.empty()) {
        auto engine = document_.engine_of(selection.engine);
        if (!engine) return sides_.clear(side, "The engine " + selection.engine + " is not there");
        job.choice = {std::move(engine), {}};
        job.algorithm = selection.algorithm;
    }
    sides_.want(side, job, main);
}

/// What computes a snippet's sums: OpenCV's own filter2D where it supports the request; else the reference,
/// whose float64 sums are also those of NumPy and SciPy.
std::string Comparison::snippet_algorithm(Library library, const ImageRequest& request) const {
    constexpr const char* kFilter2d = "opencv:filter2D";
    const auto engine = document_.engine_of("cpu");
    const auto* filter2d = engine ? peers::find_peer_algorithm(*engine, kFilter2d) : nullptr;
    const bool fits = library == Library::opencv && filter2d &&
                      peers::why_not(*engine, request, *filter2d).empty();
    return fits ? kFilter2d : std::string(kReferenceId);
}

bool Comparison::update() {
    const auto& result = document_.result();
    const auto& pixel = document_.reading();
    if (!result || document_.held() || !pixel || !pixel_query_.is_of(*result, pixel->x, pixel->y))
        pixel_query_.forget();
    for (std::size_t side = 0; side < kSides; ++side) {
        const bool now = why_not_now().empty();
        if (!computes(side) || (!now && sides_.progress(side))) {
            wanted_[side] = {};
            sides_.clear(side);
        } else if (now) {
            try {
                const auto& source = document_.view.sources[side];
                Wanted wanted{source, result->stamp};
                if (source.has_recipe()) wanted.recipe = recipe_of(source);
                if (std::exchange(wanted_[side], wanted) != wanted) want(side, wanted.recipe);
            } catch (const Error& error) {
                wanted_[side] = {};
                sides_.clear(side, error.what());
            }
        }
    }
    return sides_.update();
}

WholeImage Comparison::image(std::size_t side) const {
    const auto& result = document_.result();
    if (!result || result->preview) return {};
    const auto& source = document_.view.sources[side];
    if (source.kind == ViewSource::Kind::original) return {result->job.image, {}};
    if (source.kind == ViewSource::Kind::result) return {{}, result};
    return {{}, sides_.result(side, result->job)};
}

const RegionRead* Comparison::region(std::size_t side, const Rect& wanted) {
    if (!document_.view.sources[side].is_computed() || !image(side)) return nullptr;
    if (!document_.held()) sides_.read_region(side, wanted);
    return sides_.region(side);
}

Measured<Histograms> Comparison::histograms() {
    const auto& result = document_.result();
    if (!why_not_now().empty()) {
        auto measured = measurements_.histograms();
        measured.current = false;
        return measured;
    }
    return measurements_.histograms({result->job.image, {}}, {{}, result});
}

Measured<DifferenceNumbers> Comparison::difference() {
    const auto a = image(0), b = image(1);
    if (!a || !b || document_.filtering() || document_.held()) {
        auto measured = measurements_.difference();
        measured.current = false;
        measured.why_not.clear(); // that of other images
        for (std::size_t side = 0; side < kSides && measured.why_not.empty(); ++side)
            if (computes(side)) measured.why_not = why_not(side);
        return measured;
    }
    return measurements_.difference(a, b);
}

std::string Comparison::why_not_now() const {
    const auto& result = document_.result();
    if (document_.held()) return "It is computed after the measurement";
    if (!result || result->preview || document_.filtering()) return "The result itself is computed first";
    return {};
}

void Comparison::compute_pixel(std::int64_t x, std::int64_t y) {
    if (!why_not_now().empty()) return;
    std::vector<PixelSource> sources;
    for (const auto& [source, name, why_not] : choices()) {
        const auto& [engine, algorithm] = source.selection;
        if (source.kind != ViewSource::Kind::algorithm || algorithm.empty() || !why_not.empty()) continue;
        const auto choice = std::ranges::find(document_.choices(), source.selection, &Choice::selection);
        if (choice != document_.choices().end() && choice->microseconds > kMostSeconds * 1e6) continue;
        if (auto found = document_.engine_of(engine)) sources.push_back({name, algorithm, std::move(found)});
    }
    pixel_query_.compute(document_.result(), x, y, std::move(sources));
}

PixelResults Comparison::pixel_results(std::int64_t x, std::int64_t y) const {
    const auto& result = document_.result();
    return result ? pixel_query_.of(*result, x, y) : PixelResults{};
}

} // namespace kg
