#version 450 core
// The image at half its size, in linear light and premultiplied: averages are correct only there.
layout(binding = 0) uniform sampler2D image;
uniform int flags; // 1 has alpha, 2 premultiplied, 4 linear light, 16 already decoded from sRGB, 32 a level
out vec4 colour;

const int kAlpha = 1, kPremultiplied = 2, kLinear = 4, kDecoded = 16, kLevel = 32;

// The sRGB curve, continued beyond white and mirrored below black.
vec3 decoded(vec3 c) {
    vec3 m = abs(c);
    vec3 light = mix(pow((m + 0.055) / 1.055, vec3(2.4)), m / 12.92, lessThanEqual(m, vec3(0.04045)));
    return sign(c) * light;
}

void main() {
    if ((flags & kLevel) != 0) { // each texel is the sample at its centre, from the four around it
        ivec2 half_size = max(textureSize(image, 0) / 2, ivec2(1));
        colour = textureLod(image, gl_FragCoord.xy / vec2(half_size), 0.0);
        return;
    }
    ivec2 last = textureSize(image, 0) - 1;
    ivec2 first = ivec2(gl_FragCoord.xy) * 2;
    if ((flags & kDecoded) != 0 && (flags & kAlpha) == 0) {
        // Between four texels the sampler returns their average; at the rim it counts one twice.
        colour = vec4(textureLod(image, vec2(first + 1) / vec2(last + 1), 0.0).rgb, 1.0);
        return;
    }
    ivec2 end = min(first + 1, last);
    vec4 sum = vec4(0.0);
    float count = 0.0;
    for (int y = first.y; y <= end.y; ++y)
        for (int x = first.x; x <= end.x; ++x) {
            vec4 p = texelFetch(image, ivec2(x, y), 0);
            p = mix(p, vec4(0.0), isnan(p));
            // The largest half float is 65504; 64 on sRGB's curve is 20000.
            p = clamp(p, -64.0, 64.0);
            float alpha = (flags & kAlpha) != 0 ? p.a : 1.0;
            if ((flags & kPremultiplied) != 0 && alpha != 0.0) p.rgb /= alpha;
            vec3 light = (flags & (kLinear | kDecoded)) != 0 ? p.rgb : decoded(p.rgb);
            sum += vec4(light * alpha, alpha);
            count += 1.0;
        }
    colour = clamp(sum / count, -65504.0, 65504.0);
}
