#include "filters/recipe.hpp"

#include "core/support/error.hpp"
#include "filters/analysis.hpp"
#include "filters/gradient.hpp"

#include <array>

namespace kg {

namespace {

constexpr std::array<std::string_view, 2> kLights{"stored", "linear"};
constexpr std::array<std::string_view, 3> kAlphas{"premultiplied", "straight", "keep"};
constexpr std::array<std::string_view, 4> kSigns{"clamp", "absolute", "half", "keep"};
constexpr std::array<std::string_view, 5> kBorderNames{"zero", "replicate", "reflect", "reflect101", "wrap"};
constexpr std::array<std::string_view, 6> kBordersAndColour{"zero",       "replicate", "reflect",
                                                            "reflect101", "wrap",      "constant=COLOUR"};
constexpr std::array<std::string_view, 4> kDepths{"u8", "u16", "f16", "f32"};

/// The index of the word in the list is the value of the enumerator.
template <typename Enum>
Enum parse_word(std::string_view word, std::span<const std::string_view> words, std::string_view what) {
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == word) return static_cast<Enum>(i);
    throw Error("unknown-choice", "{} is not a {}{} It is one of {}", in_quotes(word), what,
                suggestion(word, words), listed(words));
}

/// A colour in the channels of an image; grey by the luma of ITU-R BT.601.
std::array<float, kMaxChannels> outside_of(const BorderColour& colour, const PixelFormat& image) {
    const auto [r, g, b, a] = colour;
    const bool is_grey = image.channels - (image.alpha >= 0 ? 1 : 0) == 1;
    std::array<float, kMaxChannels> values{r, g, b, a};
    if (is_grey) values[0] = r == g && g == b ? r : 0.299f * r + 0.587f * g + 0.114f * b;
    if (image.alpha >= 0) values[static_cast<std::size_t>(image.alpha)] = a;
    return values;
}

/// Algorithms use the integer factors of two kernels only together.
Stage custom_gradient(const Step& step, const Values& values) {
    auto stage = magnitude(*step.kernel, *step.kernel_y, values);
    validate(stage);
    auto x = integer_factors(*step.kernel), y = integer_factors(*step.kernel_y);
    if (x && y) stage.factors = {std::move(*x), std::move(*y)};
    return stage;
}

Error unknown_channels(std::string_view letters) {
    return {"unknown-channels", "{} is not a choice of channels; write letters of rgba, such as rgb or r",
            in_quotes(letters)};
}

} // namespace

Border parse_border(std::string_view word) { return parse_word<Border>(word, kBorderNames, "border"); }
std::pair<Border, BorderColour> parse_border_and_colour(std::string_view text) {
    constexpr std::string_view kConstant = "constant";
    if (!text.starts_with(kConstant)) return {parse_word<Border>(text, kBordersAndColour, "border"), {}};
    text.remove_prefix(kConstant.size());
    std::vector<float> numbers;
    while (text.starts_with(numbers.empty() ? '=' : ',')) {
        text.remove_prefix(1);
        const auto number = text.substr(0, text.find(','));
        numbers.push_back(static_cast<float>(parse_number(number, "a colour's number")));
        text.remove_prefix(number.size());
    }
    const auto n = numbers;
    switch (text.empty() ? n.size() : 0) {
    case 1: return {Border::constant, {n[0], n[0], n[0], n[0]}};
    case 2: return {Border::constant, {n[0], n[0], n[0], n[1]}};
    case 3: return {Border::constant, {n[0], n[1], n[2], 1}};
    case 4: return {Border::constant, {n[0], n[1], n[2], n[3]}};
    default:
        throw Error("bad-border-colour",
                    "border constant needs a colour in units of full scale: constant=0.5 (all channels), "
                    "constant=GREY,ALPHA, constant=R,G,B or constant=R,G,B,ALPHA");
    }
}

std::string border_text(Border border, const BorderColour& colour) {
    std::string text(name(border));
    if (border != Border::constant) return text;
    const auto [r, g, b, a] = colour;
    const bool grey = r == g && g == b;
    text += "=" + to_text(r);
    if (grey && a == r) return text;
    if (!grey) text += "," + to_text(g) + "," + to_text(b);
    if (grey || a != 1) text += "," + to_text(a);
    return text;
}

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
    if (step.kernel && step.kernel_y) return custom_gradient(step, complete(filter, step.values));
    if (step.kernel) {
        validate(*step.kernel);
        Stage stage;
        stage.kernels = {*step.kernel};
        if (auto factors = integer_factors(*step.kernel)) stage.factors = {std::move(*factors)};
        return stage;
    }
    return filter.build(complete(filter, step.values));
}

Depth depth_for_signed(const Recipe& recipe) {
    const auto depth = recipe.depth.value_or(Depth::f32);
    if (is_integer(depth))
        throw Error(
            "depth-cannot-hold-signed",
            "signed keep leaves values below 0 as they are, which {} cannot hold; choose depth f32 or "
            "f16, or signed clamp, half or absolute",
            name(depth));
    return depth;
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
    if (recipe.border == Border::constant) request.outside = outside_of(recipe.border_colour, image);
    request.channels = channel_mask(recipe.channels, image);
    request.alpha = recipe.alpha;
    request.light = recipe.light;
    request.sign = recipe.sign;
    request.tolerance = recipe.tolerance;
    validate(request);
    return request;
}

} // namespace kg
