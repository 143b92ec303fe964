#version 450 core
// One framebuffer pixel of the view: its position in the image, the colour there, and the surround behind it.
// gl_FragCoord counts from the texture's row 0, which is shown at the top.
struct Image {
    ivec2 base;    // texel under the framebuffer's corner
    vec2 fraction; // position within it, separate for precision in a large image at a large zoom
    float step;    // texels per framebuffer pixel
    int flags;     // 1 has alpha, 2 premultiplied, 4 linear light, 8 there is an image
    vec4 part;     // valid texels: left, top, right, bottom
    float begin;   // left and upper end of the image, in texels
    vec2 end;      // right and lower end; with a reduction neither need be at a texel's edge
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
out vec4 colour;

const int kAlpha = 1, kPremultiplied = 2, kLinear = 4, kPresent = 8;
const float kCheckerSide = 8.0;
const float kHatchStep = 12.0, kHatchLine = 3.0; // along a row
const float kOutside = -1.0, kMissing = -2.0;    // special values of alpha

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

// The displayed colour, with straight alpha; alpha is negative outside the image and where it has no pixels
// yet.
vec4 appearance(Image image, sampler2D texels, sampler2D halved, vec2 at) {
    vec2 moved = image.fraction + at * image.step;
    ivec2 texel = image.base + ivec2(floor(moved));
    if ((image.flags & kPresent) == 0 || any(lessThan(fract(moved), image.begin - vec2(texel))) ||
        any(greaterThanEqual(fract(moved), image.end - vec2(texel))))
        return vec4(surround, kOutside);
    texel = min(texel, textureSize(texels, 0) - 1);
    vec2 place = vec2(image.base) + moved;
    if (any(lessThan(place, image.part.xy)) || any(greaterThanEqual(place, image.part.zw)))
        return vec4(hatching(), kMissing);
    if (image.step > 1.0) {
        vec4 c = minified(image, texels, halved, place);
        return vec4(clamp(c.rgb, 0.0, 1.0), c.a);
    }
    vec4 c = straight(texelFetch(texels, texel, 0), image.flags);
    if ((image.flags & kLinear) != 0) c.rgb = encoded(c.rgb);
    return vec4(clamp(c.rgb, 0.0, 1.0), c.a);
}

vec3 over_checker(vec4 c) {
    if (c.a < 0.0) return c.rgb;
    return mix(vec3(checker()), c.rgb, c.a);
}

// A line on the first framebuffer pixel of each texel, light on dark and dark on light.
vec3 with_grid(vec3 c, Image image, vec2 at, bool inside) {
    if (grid <= 0.0 || !inside) return c;
    vec2 from_edge = fract(image.fraction + at * image.step) / image.step;
    if (min(from_edge.x, from_edge.y) >= 1.0) return c;
    float brightness = dot(c, vec3(0.2126, 0.7152, 0.0722));
    return mix(c, vec3(brightness > 0.5 ? 0.0 : 1.0), 0.25 * grid);
}

vec3 one(Image image, sampler2D texels, sampler2D halved, vec2 at) {
    vec4 c = appearance(image, texels, halved, at);
    return with_grid(over_checker(c), image, at, c.a >= 0.0);
}

// Position of the pixel that represents this square of b: the rest of the square has no value of b.
vec2 exact(vec2 at) {
    if (b.step >= 1.0) return at;
    vec2 moved = b.fraction + at * b.step;
    vec2 centre = min(floor(moved) + 0.5, vec2(textureSize(texels_b, 0) - b.base) - 0.5);
    return at + (centre - moved) / b.step;
}

vec3 difference(vec2 at) {
    vec4 p = appearance(a, texels_a, halved_a, exact(at)), q = appearance(b, texels_b, halved_b, at);
    if (min(p.a, q.a) == kMissing) return hatching();
    if (p.a < 0.0 && q.a < 0.0) return surround;
    p.a = max(p.a, 0.0);
    q.a = max(q.a, 0.0);
    vec3 d = max(abs(p.rgb * p.a - q.rgb * q.a), vec3(abs(p.a - q.a)));
    return with_grid(min(d * gain, 1.0), b, at, true);
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
