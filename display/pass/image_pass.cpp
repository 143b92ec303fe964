#include "display/pass/image_pass.hpp"

#include "display/pass/colour_lut.hpp"
#include "display/pass/colour_maps.hpp"
#include "display/pass/pass_geometry.hpp"
#include "display/pass/view_only.hpp"
#include "display/renderer.hpp"
#include "shaders/embedded.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace kg::display {

namespace {

/// The flags of the shaders.
constexpr int kHasAlpha = 1, kPremultiplied = 2, kLinear = 4, kPresent = 8, kDecoded = 16, kLevel = 32;

int flags_of(const PassImage& image) {
    return (image.format.alpha >= 0 ? kHasAlpha : 0) | (image.format.premultiplied ? kPremultiplied : 0) |
           (image.format.linear ? kLinear : 0) | (image.texture != 0 ? kPresent : 0);
}

constexpr GLuint kLutUnit = 4; ///< the shader's texture unit for the table

/// The window draws before and after us and relies on its own state.
class SavedState {
public:
    SavedState() {
        glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer_);
        glGetIntegerv(GL_VIEWPORT, viewport_);
        glGetIntegerv(GL_CURRENT_PROGRAM, &program_);
        glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &vertices_);
        for (std::size_t i = 0; i < std::size(kSwitches); ++i) {
            switches_[i] = glIsEnabled(kSwitches[i]);
            glDisable(kSwitches[i]);
        }
    }
    SavedState(const SavedState&) = delete;
    SavedState& operator=(const SavedState&) = delete;
    ~SavedState() {
        for (GLuint unit = 0; unit <= kLutUnit; ++unit) {
            glBindTextureUnit(unit, 0);
            glBindSampler(unit, 0);
        }
        for (std::size_t i = 0; i < std::size(kSwitches); ++i)
            if (switches_[i]) glEnable(kSwitches[i]);
        glBindVertexArray(static_cast<GLuint>(vertices_));
        glUseProgram(static_cast<GLuint>(program_));
        glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(framebuffer_));
    }

private:
    static constexpr GLenum kSwitches[] = {GL_BLEND,     GL_SCISSOR_TEST, GL_DEPTH_TEST,
                                           GL_CULL_FACE, GL_STENCIL_TEST, GL_FRAMEBUFFER_SRGB};
    GLint framebuffer_ = 0, viewport_[4] = {}, program_ = 0, vertices_ = 0;
    GLboolean switches_[std::size(kSwitches)] = {};
};

void draw_into(const Framebuffer& framebuffer, Extent size) {
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer.id());
    glViewport(0, 0, static_cast<GLsizei>(size.width), static_cast<GLsizei>(size.height));
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/// The same texels, decoded from sRGB by the texture unit: most of the time of halving was spent on that
/// curve. Empty where the depth is not 8 bits, and where colours must be divided by alpha first.
Texture decoding_view(const PassImage& image) {
    const bool divides = image.format.alpha >= 0 && image.format.premultiplied;
    if (image.format.depth != Depth::u8 || image.format.linear || divides) return {};
    return Texture::view(image.texture, GL_SRGB8_ALPHA8);
}

void set_image(const Program& program, const std::string& name, const PassImage& image,
               const ViewTransform& view) {
    const auto step = texels_per_pixel(image, view);
    const auto first = first_edge(image);
    const auto x = first - view.origin.x * step, y = first - view.origin.y * step;
    const auto uniform = [&](const char* field) { return program.uniform((name + field).c_str()); };
    glUniform2i(uniform(".base"), static_cast<GLint>(std::floor(x)), static_cast<GLint>(std::floor(y)));
    glUniform2f(uniform(".fraction"), static_cast<float>(x - std::floor(x)),
                static_cast<float>(y - std::floor(y)));
    glUniform1f(uniform(".step"), static_cast<float>(step));
    glUniform1f(uniform(".first"), static_cast<float>(first));
    glUniform2f(uniform(".last"), static_cast<float>(last_edge(image, image.size.width)),
                static_cast<float>(last_edge(image, image.size.height)));
    const auto across = drawn_range(image, image.size.width, view.origin.x, step),
               down = drawn_range(image, image.size.height, view.origin.y, step);
    glUniform2f(uniform(".begin"), static_cast<float>(across.begin), static_cast<float>(down.begin));
    glUniform2f(uniform(".end"), static_cast<float>(across.end), static_cast<float>(down.end));
    glUniform1i(uniform(".flags"), flags_of(image));
    glUniform4fv(uniform(".part"), 1, texels_there(image, step).data());
}

/// The map of the colours that are shown: of the difference, or of the view-only settings.
PassMap map_of(const PassSettings& settings) {
    if (settings.mode != PassMode::difference) return settings.view_only.map;
    switch (settings.difference) {
    case PassDifference::absolute: return PassMap::none;
    case PassDifference::with_sign: return PassMap::diverging;
    case PassDifference::heat: return PassMap::viridis;
    }
    return PassMap::none;
}

void set_view_only(const Program& program, const PassSettings& settings) {
    const auto& view = settings.view_only;
    const auto map = map_of(settings);
    glUniform1f(program.uniform("exposure"), std::exp2(view.exposure));
    glUniform1f(program.uniform("power"), 1 / view.gamma);
    glUniform1i(program.uniform("channel"), static_cast<GLint>(view.channel));
    glUniform1i(program.uniform("has_map"), map != PassMap::none);
    glUniform1f(program.uniform("map_low"), view.map_low);
    glUniform3fv(program.uniform("map_colours"), kMapColours, map_colours(map).front().data());
    glUniform1i(program.uniform("difference_kind"), static_cast<GLint>(settings.difference));
    glUniform1i(program.uniform("zebra"), view.zebra);
    glUniform3fv(program.uniform("zebra_low"), 1, settings.zebra_low.data());
    glUniform3fv(program.uniform("zebra_high"), 1, settings.zebra_high.data());
}

void set_padding(const Program& program, const PassImage& a, const PassPadding& padding) {
    glUniform4i(program.uniform("padding"), padding.left, padding.up, padding.right, padding.down);
    glUniform1i(program.uniform("border"), static_cast<GLint>(padding.border));
    glUniform4fv(program.uniform("beyond"), 1, padding.colour.data());
    glUniform2i(program.uniform("pixels_a"), static_cast<GLint>(a.size.width),
                static_cast<GLint>(a.size.height));
    glUniform1f(program.uniform("reduction_a"), static_cast<float>(a.reduction));
}

Texture texture_of(const ColourLut& lut) {
    constexpr GLsizei kSide = ColourLut::kSide;
    Texture texture(GL_TEXTURE_3D);
    glTextureStorage3D(texture.id(), 1, GL_RGB32F, kSide, kSide, kSide);
    glTextureSubImage3D(texture.id(), 0, 0, 0, 0, kSide, kSide, kSide, GL_RGB, GL_FLOAT, lut.colours.data());
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glTextureParameteri(texture.id(), filter, GL_LINEAR);
    for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
        glTextureParameteri(texture.id(), axis, GL_CLAMP_TO_EDGE);
    return texture;
}

} // namespace

ImagePass::ImagePass(PassRenderer renderer) : framebuffer_(Framebuffer::create()) {
    if (renderer == PassRenderer::processor ||
        (renderer == PassRenderer::automatic && Renderer::current().is_software())) {
        software_.emplace();
        return;
    }
    halve_ = Program(shaders::whole_target_vert, shaders::halve_frag);
    show_ = Program(shaders::whole_target_vert, shaders::show_frag);
    no_vertices_ = VertexArray::create();
    smooth_ = Sampler::create();
    halving_ = Framebuffer::create();
    glSamplerParameteri(smooth_.id(), GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glSamplerParameteri(smooth_.id(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glSamplerParameteri(smooth_.id(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glSamplerParameteri(smooth_.id(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

void ImagePass::resize(Extent view) {
    if (view == size_ && target_) return;
    const auto width = static_cast<GLsizei>(view.width), height = static_cast<GLsizei>(view.height);
    target_ = Texture(GL_TEXTURE_2D);
    if (software_) {
        // A window's order of channels, so that copy_to() copies memory. Immutable textures have another one.
        GLint bound = 0;
        glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
        glBindTexture(GL_TEXTURE_2D, target_.id());
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV,
                     nullptr);
        glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(bound));
        glTextureParameteri(target_.id(), GL_TEXTURE_MAX_LEVEL, 0);
    } else {
        glTextureStorage2D(target_.id(), 1, GL_RGBA8, width, height);
    }
    glNamedFramebufferTexture(framebuffer_.id(), GL_COLOR_ATTACHMENT0, target_.id(), 0);
    size_ = view;
}

void ImagePass::refresh(Pyramid& pyramid, const PassImage& image, double step) {
    const auto last = last_level(step);
    const bool is_there = pyramid.source == image.texture && pyramid.serial == image.serial && pyramid.levels;
    if (is_there && pyramid.last >= last) return;
    const Extent half{(image.texture_size.width + 1) / 2, (image.texture_size.height + 1) / 2};
    if (half != pyramid.size || !pyramid.levels) {
        const auto longer = static_cast<std::uint64_t>(std::max(half.width, half.height));
        pyramid.levels = Texture(GL_TEXTURE_2D);
        glTextureStorage2D(pyramid.levels.id(), static_cast<GLsizei>(std::bit_width(longer)), GL_RGBA16F,
                           static_cast<GLsizei>(half.width), static_cast<GLsizei>(half.height));
        pyramid.size = half;
    }
    const auto decoded = decoding_view(image);
    glUseProgram(halve_.id());
    glUniform1i(halve_.uniform("flags"), flags_of(image) | (decoded ? kDecoded : 0));
    glBindTextureUnit(0, decoded ? decoded.id() : image.texture);
    glBindSampler(0, smooth_.id());
    glNamedFramebufferTexture(halving_.id(), GL_COLOR_ATTACHMENT0, pyramid.levels.id(), 0);
    draw_into(halving_, half);
    halve_levels(pyramid, last);
    glNamedFramebufferTexture(halving_.id(), GL_COLOR_ATTACHMENT0, 0, 0);
    pyramid.source = image.texture;
    pyramid.serial = image.serial;
    pyramid.last = last;
}

/// Each level from the one before it. glGenerateTextureMipmap() leaves the filter to the driver, and NVIDIA's
/// differs from Mesa's where a level has an odd extent.
void ImagePass::halve_levels(const Pyramid& pyramid, int last) {
    const auto levels = pyramid.levels.id();
    glUniform1i(halve_.uniform("flags"), kLevel);
    glBindTextureUnit(0, levels);
    Extent size = pyramid.size;
    for (int level = 1; level <= last && size != Extent{1, 1}; ++level) {
        size = {std::max<std::int64_t>(size.width / 2, 1), std::max<std::int64_t>(size.height / 2, 1)};
        // Only the level before is sampled, so that reading and writing do not meet.
        glTextureParameteri(levels, GL_TEXTURE_BASE_LEVEL, level - 1);
        glTextureParameteri(levels, GL_TEXTURE_MAX_LEVEL, level - 1);
        glNamedFramebufferTexture(halving_.id(), GL_COLOR_ATTACHMENT0, levels, level);
        draw_into(halving_, size);
    }
    glTextureParameteri(levels, GL_TEXTURE_BASE_LEVEL, 0);
    glTextureParameteri(levels, GL_TEXTURE_MAX_LEVEL, last);
}

GLuint ImagePass::draw(Extent view, const PassImage& a, const PassImage& b, const PassSettings& settings) {
    const Extent size{std::max<std::int64_t>(view.width, 1), std::max<std::int64_t>(view.height, 1)};
    const Drawn wanted{size, a, b, settings};
    if (drawn_ == wanted) return target_.id();
    if (software_) {
        resize(size);
        const auto pixels = software_->draw(size, a, b, settings);
        glTextureSubImage2D(target_.id(), 0, 0, 0, static_cast<GLsizei>(size.width),
                            static_cast<GLsizei>(size.height), GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    } else {
        draw_by_shaders(size, a, b, settings);
    }
    drawn_ = wanted;
    ++drawings_;
    return target_.id();
}

void ImagePass::copy_to(GLuint framebuffer, Extent size, const Rect& region, std::int64_t x,
                        std::int64_t y) const {
    const auto seen = intersect(region, {x, y, size_.width, size_.height});
    if (seen.empty()) return;
    const auto whole_number = [](std::int64_t v) { return static_cast<GLint>(v); };
    // Clipped here: Mesa draws a blit that a scissor rectangle clips, but copies the memory of others.
    glBlitNamedFramebuffer(framebuffer_.id(), framebuffer, whole_number(seen.x - x), whole_number(seen.y - y),
                           whole_number(seen.right() - x), whole_number(seen.bottom() - y),
                           whole_number(seen.x), whole_number(size.height - seen.y),
                           whole_number(seen.right()), whole_number(size.height - seen.bottom()),
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void ImagePass::draw_by_shaders(Extent size, const PassImage& a, const PassImage& b,
                                const PassSettings& settings) {
    const SavedState saved;
    resize(size);
    glBindVertexArray(no_vertices_.id());

    const std::array<const PassImage*, 2> images{&a, &b};
    for (std::size_t i = 0; i < images.size(); ++i) {
        const bool used = i == 1 || settings.draws_a();
        if (const auto step = texels_per_pixel(*images[i], settings.view);
            used && images[i]->texture != 0 && step > 1)
            refresh(pyramid_of(i, *images[i]), *images[i], step);
    }

    glUseProgram(show_.id());
    for (GLuint i = 0; i < images.size(); ++i) {
        glBindTextureUnit(i, images[i]->texture);
        glBindTextureUnit(2 + i, pyramid_of(i, *images[i]).levels.id());
        glBindSampler(i, smooth_.id());
        glBindSampler(2 + i, smooth_.id());
        set_image(show_, i == 0 ? "a" : "b", *images[i], settings.view);
    }
    const auto width = static_cast<double>(size.width);
    const auto one = [&](const char* name, double value) {
        glUniform1f(show_.uniform(name), static_cast<float>(value));
    };
    const auto three = [&](const char* name, const PassColour& c) {
        glUniform3fv(show_.uniform(name), 1, c.data());
    };
    glUniform1i(show_.uniform("mode"), static_cast<GLint>(settings.mode));
    one("width", width);
    one("divider", std::round(std::clamp(settings.divider, 0.0, 1.0) * width));
    one("line_half", settings.line_width / 2);
    one("gain", settings.difference_gain);
    one("grid", grid_opacity(b, settings));
    three("surround", settings.surround);
    three("line_colour", settings.line);
    three("hatch_colour", settings.hatch);
    set_view_only(show_, settings);
    if (lut_of_ != settings.lut) {
        lut_of_ = settings.lut;
        lut_ = lut_of_ ? texture_of(*lut_of_) : Texture();
    }
    glUniform1i(show_.uniform("has_lut"), settings.uses_lut());
    glBindTextureUnit(kLutUnit, lut_.id());
    set_padding(show_, a, settings.padding);
    draw_into(framebuffer_, size);
}

} // namespace kg::display
