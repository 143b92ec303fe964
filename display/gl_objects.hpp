#pragma once
// Move-only owners of OpenGL names: the only place that calls glDelete*. A default-constructed owner is empty
// (name 0). Create, use and destroy them on the GL thread with the context current.

#include <epoxy/gl.h>

#include <cstddef>
#include <utility>

namespace kg::display {

template <typename Kind>
class GlObject {
public:
    GlObject() = default;
    GlObject(GlObject&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
    GlObject& operator=(GlObject&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    ~GlObject() {
        if (id_ != 0) Kind::destroy(id_);
    }
    GLuint id() const { return id_; }
    explicit operator bool() const { return id_ != 0; }

protected:
    GLuint id_ = 0;
};

class Texture : public GlObject<Texture> {
public:
    Texture() = default;
    /// `target` as in GL_TEXTURE_2D; storage is allocated later with glTextureStorage*.
    explicit Texture(GLenum target) { glCreateTextures(target, 1, &id_); }
    /// A view of an immutable texture's first level, in a format with texels of the same size.
    static Texture view(GLuint texture, GLenum format) {
        Texture made;
        glGenTextures(1, &made.id_); // a name without a texture yet
        glTextureView(made.id_, GL_TEXTURE_2D, texture, format, 0, 1, 0, 1);
        return made;
    }
    static void destroy(GLuint id) { glDeleteTextures(1, &id); }
};

class Framebuffer : public GlObject<Framebuffer> {
public:
    static Framebuffer create() {
        Framebuffer made;
        glCreateFramebuffers(1, &made.id_);
        return made;
    }
    static void destroy(GLuint id) { glDeleteFramebuffers(1, &id); }
};

class Sampler : public GlObject<Sampler> {
public:
    static Sampler create() {
        Sampler made;
        glCreateSamplers(1, &made.id_);
        return made;
    }
    static void destroy(GLuint id) { glDeleteSamplers(1, &id); }
};

class VertexArray : public GlObject<VertexArray> {
public:
    static VertexArray create() {
        VertexArray made;
        glCreateVertexArrays(1, &made.id_);
        return made;
    }
    static void destroy(GLuint id) { glDeleteVertexArrays(1, &id); }
};

class PixelBuffer : public GlObject<PixelBuffer> {
public:
    PixelBuffer() = default;
    /// Storage of so many bytes that only the GPU writes and reads.
    explicit PixelBuffer(std::size_t bytes) {
        glCreateBuffers(1, &id_);
        glNamedBufferStorage(id_, static_cast<GLsizeiptr>(bytes), nullptr, 0);
    }
    static void destroy(GLuint id) { glDeleteBuffers(1, &id); }
};

class Query : public GlObject<Query> {
public:
    /// `target` as in GL_TIMESTAMP.
    explicit Query(GLenum target) { glCreateQueries(target, 1, &id_); }
    static void destroy(GLuint id) { glDeleteQueries(1, &id); }
};

/// A fence after all OpenGL commands issued so far; flushes them.
class DrawingFence {
public:
    DrawingFence() : sync_(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0)) { glFlush(); }
    DrawingFence(const DrawingFence&) = delete;
    DrawingFence& operator=(const DrawingFence&) = delete;
    ~DrawingFence() { glDeleteSync(sync_); }
    /// True once all of them are done; does not wait. Also true for a lost context: nothing more will
    /// complete.
    bool is_over() const { return glClientWaitSync(sync_, 0, 0) != GL_TIMEOUT_EXPIRED; }

private:
    GLsync sync_;
};

class Program : public GlObject<Program> {
public:
    Program() = default;
    /// Compiles and links. Throws Error with the compiler's log: the driver then does not support OpenGL 4.5
    /// as it claims.
    Program(const char* vertex, const char* fragment);
    static void destroy(GLuint id) { glDeleteProgram(id); }
    /// Throws Error for a name that is not in the program.
    GLint uniform(const char* name) const;
};

} // namespace kg::display
