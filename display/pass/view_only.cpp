#include "display/pass/view_only.hpp"

#include "display/pass/colour_maps.hpp"

#include <algorithm>
#include <cmath>

namespace kg::display {

namespace {

/// The brightness that the eye sees, encoded like the colours (Rec. 709).
float luminance(Colour c) {
    const auto light = [&](int i) { return decoded_srgb(c[i]); };
    return encoded_srgb(0.2126f * light(0) + 0.7152f * light(1) + 0.0722f * light(2));
}

/// The chosen channel of a colour.
float picked(Colour c, PassChannel channel) {
    switch (channel) {
    case PassChannel::red: return c[0];
    case PassChannel::green: return c[1];
    case PassChannel::blue: return c[2];
    case PassChannel::alpha: return c[3];
    case PassChannel::colour:
    case PassChannel::luminance: break;
    }
    return luminance(c);
}

Colour grey(float value) { return Colour{value, value, value, 1}; }

Colour from_map(PassMap map, float place) {
    const auto c = mapped(map_colours(map), place);
    return Colour{c[0], c[1], c[2], 1};
}

} // namespace

Colour viewed(Colour c, const ViewOnly& settings) {
    const float alpha = c[3];
    if (settings.exposure != 0)
        for (int i = 0; i < 3; ++i) c[i] = encoded_srgb(decoded_srgb(c[i]) * std::exp2(settings.exposure));
    if (settings.gamma != 1)
        for (int i = 0; i < 3; ++i) c[i] = std::pow(std::max(c[i], 0.0f), 1 / settings.gamma);
    const bool all = settings.channel == PassChannel::colour;
    if (settings.map != PassMap::none) {
        const float place = (picked(c, settings.channel) - settings.map_low) / (1 - settings.map_low);
        c = from_map(settings.map, place);
        c[3] = all ? alpha : 1;
    } else if (!all) {
        c = grey(picked(c, settings.channel));
    }
    for (int i = 0; i < 3; ++i) c[i] = std::clamp(c[i], 0.0f, 1.0f);
    return c;
}

std::optional<PassColour> zebra_at(Colour c, std::int64_t x, std::int64_t y, const PassSettings& settings) {
    if ((x - y + (1 << 20)) % kZebraStep >= kZebraLine) return {};
    if (std::max({c[0], c[1], c[2]}) >= kWhiteFrom) return settings.zebra_high;
    if (std::min({c[0], c[1], c[2]}) <= kBlackUpTo) return settings.zebra_low;
    return {};
}

Colour difference_colour(Colour d, const PassSettings& settings) {
    const auto channel = settings.view_only.channel;
    switch (channel) {
    case PassChannel::red:
    case PassChannel::green:
    case PassChannel::blue:
    case PassChannel::alpha: d = grey(d[static_cast<int>(channel) - 1]); break;
    case PassChannel::luminance: d = grey(0.2126f * d[0] + 0.7152f * d[1] + 0.0722f * d[2]); break;
    case PassChannel::colour: // a difference of alpha shows in every channel
        for (int i = 0; i < 3; ++i)
            if (std::fabs(d[3]) > std::fabs(d[i])) d[i] = d[3];
        break;
    }
    float largest = d[0];
    for (int i = 1; i < 3; ++i)
        if (std::fabs(d[i]) > std::fabs(largest)) largest = d[i];
    const float gain = settings.difference_gain;
    switch (settings.difference) {
    case PassDifference::absolute: break;
    case PassDifference::with_sign: return from_map(PassMap::diverging, 0.5f + 0.5f * largest * gain);
    case PassDifference::heat: return from_map(PassMap::viridis, std::fabs(largest) * gain);
    }
    Colour shown{0, 0, 0, 1};
    for (int i = 0; i < 3; ++i) shown[i] = std::min(std::fabs(d[i]) * gain, 1.0f);
    return shown;
}

} // namespace kg::display
