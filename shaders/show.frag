#version 450 core
// One framebuffer pixel of the view: its position in the image, the colour there, and the surround behind it.
// gl_FragCoord counts from the texture's row 0, which is shown at the top.
struct Image {
    ivec2 base;    // texel under the framebuffer's corner
    vec2 fraction; // position within it, separate for precision in a large image at a large zoom
    float step;    // texels per framebuffer pixel
    int flags;     // 1 has alpha, 2 premultiplied, 4 linear light, 8 there is an image
    vec4 part;     // valid texels: left, top, right, bottom
    float first;   // left and upper end of the image, in texels
    vec2 last;     // right and lower end; with a reduction neither need be at a texel's edge
    vec2 begin;    // where it is drawn: an image thinner than a framebuffer pixel covers all of one
    vec2 end;
};
layout(binding = 0) uniform sampler2D texels_a;
layout(binding = 1) uniform sampler2D texels_b;
layout(binding = 2) uniform sampler2D halved_a; // level 0 is half the image, linear light, premultiplied
layout(binding = 3) uniform sampler2D halved_b;
uniform Image a, b;
uniform int mode;    // 0 result, 1 split, 2 side, 3 difference
uniform float width; // width of the view; the others are framebuffer pixels from its left, too
uniform float divider, line_half, gain, grid;
uniform vec3 surround, line_colour, hatch_colour;
// View only: linear light times exposure, colours to this power, one channel, a colour map.
layout(binding = 4) uniform sampler3D lut; // displayed colours at the corners of a grid over stored ones
uniform bool has_lut;
uniform float exposure, power;
uniform int channel; // 0 colour, 1 red, 2 green, 3 blue, 4 alpha, 5 luminance
uniform bool has_map, zebra;
uniform float map_low;
const int kMapColours = 33;
uniform vec3 map_colours[kMapColours];
uniform vec3 zebra_low, zebra_high;
uniform int difference_kind; // 0 absolute, 1 with sign, 2 heat
// Pixels of a outside itself, through a border: left, top, right, bottom.
uniform ivec4 padding;
uniform int border; // 0 zero, 1 replicate, 2 reflect, 3 reflect101, 4 wrap, 5 constant
uniform vec4 beyond; // the colour where the border has no pixel of a
uniform ivec2 pixels_a;
uniform float reduction_a; // pixels per texel
out vec4 colour;

const int kAlpha = 1, kPremultiplied = 2, kLinear = 4, kPresent = 8;
const float kCheckerSide = 8.0;
const float kHatchStep = 12.0, kHatchLine = 3.0; // along a row
const float kOutside = -1.0, kMissing = -2.0;    // special values of alpha
const float kBlackUpTo = 0.001, kWhiteFrom = 0.999;
const float kZebraStep = 8.0, kZebraLine = 4.0; // along a row
const float kPaddingDim = 0.5;
const vec3 kLuminance = vec3(0.2126, 0.7152, 0.0722);

vec3 decoded(vec3 c) {
    vec3 m = abs(c);
    return sign(c) * mix(pow((m + 0.055) / 1.055, vec3(2.4)), m / 12.92, lessThanEqual(m, vec3(0.04045)));
}

vec3 encoded(vec3 c) {
    vec3 m = abs(c), curve = 1.055 * pow(m, vec3(1.0 / 2.4)) - 0.055;
    return sign(c) * mix(curve, m * 12.92, lessThanEqual(m, vec3(0.0031308)));
}

// Straight alpha, in the image's own light.
vec4 straight(vec4 p, int flags) {
    p = mix(p, vec4(0.0), isnan(p));
    if ((flags & kAlpha) == 0) return vec4(p.rgb, 1.0);
    if ((flags & kPremultiplied) != 0 && p.a > 0.0) p.rgb /= p.a;
    return vec4(p.rgb, clamp(p.a, 0.0, 1.0));
}

vec4 minified(Image image, sampler2D texels, sampler2D halved, vec2 place) {
    float lod = log2(image.step);
    vec2 small = place / vec2(2 * textureSize(halved, 0));
    vec4 light = textureLod(halved, small, max(lod - 1.0, 0.0));
    if (lod < 1.0) {
        vec4 p = straight(textureLod(texels, place / vec2(textureSize(texels, 0)), 0.0), image.flags);
        if ((image.flags & kLinear) == 0) p.rgb = decoded(p.rgb);
        light = mix(vec4(p.rgb * p.a, p.a), light, lod);
    }
    if (light.a > 0.0) light.rgb /= light.a;
    return vec4(encoded(light.rgb), clamp(light.a, 0.0, 1.0));
}

float checker() {
    vec2 square = floor(gl_FragCoord.xy / kCheckerSide);
    return mod(square.x + square.y, 2.0) == 0.0 ? 0.6 : 0.4;
}

vec3 hatching() {
    return mod(gl_FragCoord.x + gl_FragCoord.y, kHatchStep) < kHatchLine ? hatch_colour : surround;
}

// The colour of a position of the image, in texels.
vec4 inside(Image image, sampler2D texels, sampler2D halved, ivec2 texel, vec2 place) {
    if (image.step > 1.0) return minified(image, texels, halved, place);
    vec4 c = straight(texelFetch(texels, texel, 0), image.flags);
    if ((image.flags & kLinear) != 0) c.rgb = encoded(c.rgb);
    return c;
}

// The encoded colour, not clamped, with straight alpha; alpha is negative outside the image and where it has
// no pixels yet.
vec4 appearance(Image image, sampler2D texels, sampler2D halved, vec2 at) {
    vec2 moved = image.fraction + at * image.step;
    ivec2 texel = image.base + ivec2(floor(moved));
    if ((image.flags & kPresent) == 0 || any(lessThan(fract(moved), image.begin - vec2(texel))) ||
        any(greaterThanEqual(fract(moved), image.end - vec2(texel))))
        return vec4(surround, kOutside);
    texel = clamp(texel, ivec2(0), textureSize(texels, 0) - 1);
    vec2 place = clamp(vec2(image.base) + moved, vec2(image.first), image.last);
    if (any(lessThan(place, image.part.xy)) || any(greaterThanEqual(place, image.part.zw)))
        return vec4(hatching(), kMissing);
    return inside(image, texels, halved, texel, place);
}

// The pixel from which the border takes a pixel outside; -1 = none (core/image/border.hpp).
int border_index(int i, int n) {
    if (i >= 0 && i < n) return i;
    if (border == 0 || border == 5) return -1;
    if (border == 1) return i < 0 ? 0 : n - 1;
    if (n == 1) return 0;
    int period = border == 2 ? 2 * n : border == 3 ? 2 * n - 2 : n;
    int m = i >= 0 ? i % period : period - 1 - (-1 - i) % period;
    return m < n ? m : period - m - (border == 2 ? 1 : 0);
}

// A colour of a outside its image, where the border defines it; negative alpha elsewhere.
vec4 padded(vec2 at) {
    vec2 place = vec2(a.base) + a.fraction + at * a.step;
    ivec2 i = ivec2(floor((place - a.first) * reduction_a));
    if ((a.flags & kPresent) == 0 || any(lessThan(i, -padding.xy)) ||
        any(greaterThanEqual(i, pixels_a + padding.zw)))
        return vec4(surround, kOutside);
    ivec2 from = ivec2(border_index(i.x, pixels_a.x), border_index(i.y, pixels_a.y));
    if (any(lessThan(from, ivec2(0)))) return beyond;
    place += vec2(from - i) / reduction_a;
    ivec2 texel = clamp(ivec2(floor(place)), ivec2(0), textureSize(texels_a, 0) - 1);
    return inside(a, texels_a, halved_a, texel, place);
}

float luminance(vec3 c) { return encoded(vec3(dot(decoded(c), kLuminance))).r; }

float picked(vec4 c) { return channel == 0 || channel == 5 ? luminance(c.rgb) : c[channel - 1]; }

vec4 from_map(float place) {
    float at = clamp(place, 0.0, 1.0) * float(kMapColours - 1);
    int first = min(int(at), kMapColours - 2);
    return vec4(mix(map_colours[first], map_colours[first + 1], at - float(first)), 1.0);
}

// The displayed colour.
vec4 viewed(vec4 c) {
    if (has_lut) {
        vec3 corners = vec3(textureSize(lut, 0)), within = clamp(c.rgb, 0.0, 1.0);
        c.rgb += textureLod(lut, (within * (corners - 1.0) + 0.5) / corners, 0.0).rgb - within;
    }
    if (exposure != 1.0) c.rgb = encoded(decoded(c.rgb) * exposure);
    if (power != 1.0) c.rgb = pow(max(c.rgb, 0.0), vec3(power));
    if (has_map) {
        float alpha = channel == 0 ? c.a : 1.0;
        c = from_map((picked(c) - map_low) / (1.0 - map_low));
        c.a = alpha;
    } else if (channel != 0) {
        c = vec4(vec3(picked(c)), 1.0);
    }
    return vec4(clamp(c.rgb, 0.0, 1.0), c.a);
}

vec3 over_checker(vec4 c) {
    vec4 shown = viewed(c);
    vec3 over = mix(vec3(checker()), shown.rgb, shown.a);
    if (!zebra || mod(floor(gl_FragCoord.x) - floor(gl_FragCoord.y), kZebraStep) >= kZebraLine) return over;
    if (max(max(c.r, c.g), c.b) >= kWhiteFrom) return zebra_high;
    if (min(min(c.r, c.g), c.b) <= kBlackUpTo) return zebra_low;
    return over;
}

// Outside an image: the surround, or the pixels of a that a filter reads there.
vec3 around(vec2 at) {
    if (padding == ivec4(0)) return surround;
    vec4 c = padded(at);
    if (c.a < 0.0) return surround;
    vec3 dimmed = mix(over_checker(c), surround, kPaddingDim);
    return mod(gl_FragCoord.x + gl_FragCoord.y, kHatchStep) < 1.0 ? mix(dimmed, hatch_colour, kPaddingDim)
                                                                  : dimmed;
}

// A line on the first framebuffer pixel of each texel, light on dark and dark on light.
vec3 with_grid(vec3 c, Image image, vec2 at) {
    if (grid <= 0.0) return c;
    vec2 from_edge = fract(image.fraction + at * image.step) / image.step;
    if (min(from_edge.x, from_edge.y) >= 1.0) return c;
    float brightness = dot(c, kLuminance);
    return mix(c, vec3(brightness > 0.5 ? 0.0 : 1.0), 0.25 * grid);
}

vec3 one(Image image, sampler2D texels, sampler2D halved, vec2 at) {
    vec4 c = appearance(image, texels, halved, at);
    if (c.a == kMissing) return c.rgb;
    return c.a < 0.0 ? around(at) : with_grid(over_checker(c), image, at);
}

// Position of the pixel that represents this square of b: the rest of the square has no value of b. Outside
// b it is the position itself.
vec2 exact(vec2 at) {
    if (b.step >= 1.0) return at;
    vec2 moved = b.fraction + at * b.step;
    vec2 centre = min(floor(moved) + 0.5, vec2(textureSize(texels_b, 0) - b.base) - 0.5);
    vec2 base = vec2(b.base);
    vec2 before = vec2(lessThan(moved, b.first - base));
    vec2 behind = vec2(greaterThanEqual(moved, b.last - base));
    return mix(at + (centre - moved) / b.step, at, max(before, behind));
}

// The colour of a difference of displayed values, alpha's in d.a.
vec3 difference_colour(vec4 d) {
    if (channel == 5) d.rgb = vec3(dot(d.rgb, kLuminance));
    else if (channel != 0) d.rgb = vec3(d[channel - 1]);
    else d.rgb = mix(d.rgb, vec3(d.a), greaterThan(vec3(abs(d.a)), abs(d.rgb)));
    float largest = d.r;
    if (abs(d.g) > abs(largest)) largest = d.g;
    if (abs(d.b) > abs(largest)) largest = d.b;
    if (difference_kind == 1) return from_map(0.5 + 0.5 * largest * gain).rgb;
    if (difference_kind == 2) return from_map(abs(largest) * gain).rgb;
    return min(abs(d.rgb) * gain, 1.0);
}

vec3 difference(vec2 at) {
    vec4 p = appearance(a, texels_a, halved_a, exact(at)), q = appearance(b, texels_b, halved_b, at);
    if (min(p.a, q.a) == kMissing) return hatching();
    if (p.a < 0.0 && q.a < 0.0) return surround;
    p = vec4(clamp(p.rgb, 0.0, 1.0), max(p.a, 0.0));
    q = vec4(clamp(q.rgb, 0.0, 1.0), max(q.a, 0.0));
    return with_grid(difference_colour(vec4(q.rgb * q.a - p.rgb * p.a, q.a - p.a)), b, at);
}

void main() {
    vec2 at = gl_FragCoord.xy;
    bool divided = mode == 1 || mode == 2;
    float border = mode == 2 ? width * 0.5 : divider;
    vec3 c;
    if (divided && abs(at.x - border) < line_half) {
        c = line_colour;
    } else if (divided && at.x < border) {
        c = one(a, texels_a, halved_a, at);
    } else if (mode == 2) {
        // The right half begins where the left one's width ends, counted from the right.
        c = one(b, texels_b, halved_b, at - vec2(width - floor(width * 0.5), 0.0));
    } else if (mode == 3) {
        c = difference(at);
    } else {
        c = one(b, texels_b, halved_b, at);
    }
    colour = vec4(c, 1.0);
}
