#include "filters/recipe.hpp"

#include "core/error.hpp"

#include <array>
#include <charconv>

namespace kg {

namespace {

constexpr std::array<std::string_view, 2> kLights{"stored", "linear"};
constexpr std::array<std::string_view, 3> kAlphas{"premultiplied", "straight", "keep"};
constexpr std::array<std::string_view, 4> kSigns{"clamp", "absolute", "half", "keep"};
constexpr std::array<std::string_view, 5> kBorderNames{"zero", "replicate", "reflect", "reflect101", "wrap"};
constexpr std::array<std::string_view, 4> kDepths{"u8", "u16", "f16", "f32"};

/// The word's place in the list is the enumerator's value.
template <typename Enum>
Enum parse_word(std::string_view word, std::span<const std::string_view> words, std::string_view what) {
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == word) return static_cast<Enum>(i);
    std::string all;
    for (const auto w : words) all += (all.empty() ? "" : ", ") + std::string(w);
    throw Error("\"" + std::string(word) + "\" is not a " + std::string(what) + "; it is one of " + all);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::pair<int, int> parse_pair(std::string_view text, char separator, std::string_view what,
                               std::string_view example) {
    const auto parts = split(text, separator);
    int values[2] = {0, 0};
    bool good = parts.size() == 2;
    for (std::size_t i = 0; good && i < 2; ++i) {
        const auto [end, error] = std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(),
                                                  values[i]);
        good = error == std::errc{} && end == parts[i].data() + parts[i].size();
    }
    if (!good)
        throw Error("custom: " + std::string(what) + " is written " + std::string(example) + ", not \"" +
                    std::string(text) + "\"");
    return {values[0], values[1]};
}

Kernel parse_custom(const Values& values) {
    Kernel kernel;
    std::optional<std::pair<int, int>> size, anchor;
    std::vector<float> weights;
    for (const auto& [key, value] : values) {
        if (key == "size") size = parse_pair(value, 'x', "size", "3x3 (width x height)");
        else if (key == "anchor") anchor = parse_pair(value, ',', "anchor", "1,1 (x,y)");
        else if (key == "weights")
            for (const auto weight : split(value, ','))
                weights.push_back(static_cast<float>(parse_number(weight, "custom: a weight")));
        else if (key == "divisor")
            kernel.divisor = static_cast<float>(parse_number(value, "custom: divisor"));
        else if (key == "offset") kernel.offset = static_cast<float>(parse_number(value, "custom: offset"));
        else if (key == "flip") {
            if (value != "true" && value != "false")
                throw Error("custom: flip is true or false, not \"" + value + "\"");
            kernel.flip = value == "true";
        } else {
            throw Error("custom has no parameter \"" + key +
                        "\" It has size, weights, divisor, offset, anchor, flip");
        }
    }
    if (weights.empty())
        throw Error("custom needs weights, such as custom:size=3x3:weights=0,-1,0,-1,5,-1,0,-1,0");
    if (!size) throw Error("custom needs the size of its kernel, such as size=3x3 (width x height)");
    kernel.width = size->first;
    kernel.height = size->second;
    kernel.anchor_x = anchor ? anchor->first : kernel.width / 2;
    kernel.anchor_y = anchor ? anchor->second : kernel.height / 2;
    kernel.weights = std::move(weights);
    validate(kernel);
    return kernel;
}

std::string custom_text(const Kernel& kernel) {
    std::string text = ":size=" + std::to_string(kernel.width) + "x" + std::to_string(kernel.height) +
                       ":weights=";
    for (std::size_t i = 0; i < kernel.weights.size(); ++i)
        text += (i ? "," : "") + to_text(kernel.weights[i]);
    if (kernel.divisor != 1) text += ":divisor=" + to_text(kernel.divisor);
    if (kernel.offset != 0) text += ":offset=" + to_text(kernel.offset);
    if (kernel.anchor_x != kernel.width / 2 || kernel.anchor_y != kernel.height / 2)
        text += ":anchor=" + std::to_string(kernel.anchor_x) + "," + std::to_string(kernel.anchor_y);
    if (kernel.flip) text += ":flip=true";
    return text;
}

} // namespace

Border parse_border(std::string_view word) { return parse_word<Border>(word, kBorderNames, "border"); }
Light parse_light(std::string_view word) { return parse_word<Light>(word, kLights, "light"); }
AlphaMode parse_alpha(std::string_view word) {
    return parse_word<AlphaMode>(word, kAlphas, "way to treat alpha");
}
SignedMode parse_sign(std::string_view word) {
    return parse_word<SignedMode>(word, kSigns, "way to show signed results");
}
Depth parse_depth(std::string_view word) { return parse_word<Depth>(word, kDepths, "depth"); }
std::string_view name(Light light) { return kLights[static_cast<std::size_t>(light)]; }
std::string_view name(AlphaMode alpha) { return kAlphas[static_cast<std::size_t>(alpha)]; }
std::string_view name(SignedMode sign) { return kSigns[static_cast<std::size_t>(sign)]; }

Stage stage_of(const Step& step) {
    const auto& filter = find_filter(step.filter);
    if (step.kernel) {
        validate(*step.kernel);
        Stage stage;
        stage.kernels = {*step.kernel};
        return stage;
    }
    return filter.build(checked(filter, step.values));
}

Step parse_step(std::string_view text) {
    const auto parts = split(text, ':');
    Step step{std::string(parts.front()), {}, {}, true};
    const auto& filter = find_filter(step.filter);
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const auto equals = parts[i].find('=');
        if (equals == std::string_view::npos || equals == 0)
            throw Error("in \"" + std::string(text) + "\": parameters are written key=value, not \"" +
                        std::string(parts[i]) + "\"");
        if (!step.values.emplace(parts[i].substr(0, equals), parts[i].substr(equals + 1)).second)
            throw Error("in \"" + std::string(text) + "\": " + std::string(parts[i].substr(0, equals)) +
                        " is given twice");
    }
    if (step.filter == "custom") {
        step.kernel = parse_custom(step.values);
        step.values.clear();
    } else {
        checked(filter, step.values);
    }
    return step;
}

std::string to_text(const Step& step) {
    std::string text = step.filter;
    if (step.kernel) return text + custom_text(*step.kernel);
    for (const auto& [key, value] : step.values) text += ":" + key + "=" + value;
    return text;
}

std::string short_name(const Recipe& recipe) {
    std::string all;
    for (const auto& step : recipe.steps) {
        if (!step.enabled) continue;
        all += (all.empty() ? "" : "-") + step.filter;
        if (const auto direction = step.values.find("direction");
            direction != step.values.end() && direction->second != "magnitude")
            all += "-" + direction->second;
    }
    return all.empty() ? "copy" : all;
}

unsigned channel_mask(std::string_view letters, const PixelFormat& picture) {
    if (letters.empty()) return all_channels(picture.channels);
    const int colours = picture.channels - (picture.alpha >= 0 ? 1 : 0);
    const std::string_view names = colours == 1
                                       ? "y"
                                       : std::string_view("rgb").substr(0, static_cast<std::size_t>(colours));
    unsigned mask = 0;
    for (const char letter : letters) {
        if (letter == 'a') {
            if (picture.alpha >= 0) mask |= 1u << picture.alpha; // "rgba" of a picture without alpha is rgb
        } else if (const auto at = names.find(letter); at != std::string_view::npos) {
            mask |= 1u << at;
        } else if (std::string_view("rgb").find(letter) != std::string_view::npos && colours == 1) {
            mask |= 1u; // a grey picture is its own red, green and blue
        } else {
            throw Error("\"" + std::string(letters) +
                        "\" is not a choice of channels; write letters of rgba, such as rgb or r");
        }
    }
    return mask;
}

ImageRequest request_for(const Recipe& recipe, Extent size, const PixelFormat& picture) {
    ImageRequest request;
    request.size = size;
    request.in = request.out = picture;
    if (recipe.depth) {
        request.out.depth = *recipe.depth;
        request.out.scale = 1.0f;
    }
    if (recipe.sign == SignedMode::keep) request.out.depth = Depth::f32;
    for (const auto& step : recipe.steps)
        if (step.enabled) request.stages.push_back(stage_of(step));
    request.border = recipe.border;
    request.channels = channel_mask(recipe.channels, picture);
    request.alpha = recipe.alpha;
    request.light = recipe.light;
    request.sign = recipe.sign;
    validate(request);
    return request;
}

} // namespace kg
