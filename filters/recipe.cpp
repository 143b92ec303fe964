#include "filters/recipe.hpp"

#include "core/support/error.hpp"
#include "filters/analysis.hpp"

#include <array>

namespace kg {

namespace {

constexpr std::array<std::string_view, 2> kLights{"stored", "linear"};
constexpr std::array<std::string_view, 3> kAlphas{"premultiplied", "straight", "keep"};
constexpr std::array<std::string_view, 4> kSigns{"clamp", "absolute", "half", "keep"};
constexpr std::array<std::string_view, 5> kBorderNames{"zero", "replicate", "reflect", "reflect101", "wrap"};
constexpr std::array<std::string_view, 4> kDepths{"u8", "u16", "f16", "f32"};

/// The index of the word in the list is the value of the enumerator.
template <typename Enum>
Enum parse_word(std::string_view word, std::span<const std::string_view> words, std::string_view what) {
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == word) return static_cast<Enum>(i);
    throw Error("unknown-choice", "{} is not a {}{} It is one of {}", in_quotes(word), what,
                suggestion(word, words), listed(words));
}

Error unknown_channels(std::string_view letters) {
    return {"unknown-channels", "{} is not a choice of channels; write letters of rgba, such as rgb or r",
            in_quotes(letters)};
}

} // namespace

Border parse_border(std::string_view word) { return parse_word<Border>(word, kBorderNames, "border"); }
Light parse_light(std::string_view word) { return parse_word<Light>(word, kLights, "light"); }
AlphaMode parse_alpha(std::string_view word) {
    return parse_word<AlphaMode>(word, kAlphas, "mode for alpha");
}
SignedMode parse_sign(std::string_view word) {
    return parse_word<SignedMode>(word, kSigns, "mode for signed results");
}
Depth parse_depth(std::string_view word) { return parse_word<Depth>(word, kDepths, "depth"); }
std::string parse_channels(std::string_view letters) {
    if (letters.empty() || letters.find_first_not_of("rgbay") != std::string_view::npos)
        throw unknown_channels(letters);
    return std::string(letters);
}
double parse_tolerance(std::string_view text) {
    const double tolerance = parse_number(text, "a tolerance");
    if (tolerance < 0) throw Error("bad-tolerance", "a tolerance is 0 or more, not {}", in_quotes(text));
    return tolerance;
}
std::string_view name(Light light) { return kLights[static_cast<std::size_t>(light)]; }
std::string_view name(AlphaMode alpha) { return kAlphas[static_cast<std::size_t>(alpha)]; }
std::string_view name(SignedMode sign) { return kSigns[static_cast<std::size_t>(sign)]; }

unsigned channel_mask(std::string_view letters, const PixelFormat& image) {
    if (letters.empty()) return all_channels(image.channels);
    const int colours = image.channels - (image.alpha >= 0 ? 1 : 0);
    const std::string_view names = colours == 1
                                       ? "y"
                                       : std::string_view("rgb").substr(0, static_cast<std::size_t>(colours));
    unsigned mask = 0;
    for (const char letter : letters) {
        if (letter == 'a') {
            if (image.alpha >= 0) mask |= 1u << image.alpha; // "rgba" of an image without alpha is rgb
        } else if (const auto at = names.find(letter); at != std::string_view::npos) {
            mask |= 1u << at;
        } else if (std::string_view("rgb").find(letter) != std::string_view::npos && colours == 1) {
            mask |= 1u; // a grey image serves as its own red, green and blue
        } else {
            throw unknown_channels(letters);
        }
    }
    return mask;
}

Stage stage_of(const Step& step) {
    const auto& filter = find_filter(step.filter);
    if (step.kernel) {
        validate(*step.kernel);
        Stage stage;
        stage.kernels = {*step.kernel};
        if (auto factors = integer_factors(*step.kernel)) stage.factors = {std::move(*factors)};
        return stage;
    }
    return filter.build(complete(filter, step.values));
}

ImageRequest request_for(const Recipe& recipe, Extent size, const PixelFormat& image) {
    ImageRequest request;
    request.size = size;
    request.in = request.out = image;
    if (recipe.depth) {
        request.out.depth = *recipe.depth;
        request.out.scale = 1.0f;
    }
    if (recipe.sign == SignedMode::keep) request.out.depth = Depth::f32;
    for (const auto& step : recipe.steps)
        if (step.enabled) request.stages.push_back(stage_of(step));
    request.border = recipe.border;
    request.channels = channel_mask(recipe.channels, image);
    request.alpha = recipe.alpha;
    request.light = recipe.light;
    request.sign = recipe.sign;
    request.tolerance = recipe.tolerance;
    validate(request);
    return request;
}

} // namespace kg
